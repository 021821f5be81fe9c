//! A scene as SVG. Letters are outlines, so that the picture is the same without any font.

use std::collections::BTreeMap;
use std::fmt::Write;

use sheet::resolved::{Ink, Rgb};
use tiny_skia::{Path, PathSegment};

use crate::fonts::{Face, Fonts};
use crate::scene::{Paint, Pixels, Rect, Scene, Shape};

pub(crate) fn write(scene: &Scene, fonts: &mut Fonts, scale: f32) -> String {
    let mut writer = Writer { body: String::new(), defs: String::new(), letters: BTreeMap::new(), count: 0 };
    for item in &scene.items {
        let clip = item.clip.map(|clip| writer.clip(clip));
        if let Some(id) = &clip {
            writer.put(format_args!("<g clip-path=\"url(#{id})\">"));
        }
        writer.shape(&item.shape, fonts);
        if clip.is_some() {
            writer.put(format_args!("</g>"));
        }
    }
    let (width, height) = (scene.width, scene.height);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\"><defs>{}</defs>\
         <rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>{}</svg>\n",
        show(width * scale),
        show(height * scale),
        show(width),
        show(height),
        writer.defs,
        writer.body
    )
}

struct Writer {
    body: String,
    defs: String,
    letters: BTreeMap<(Face, u16), String>,
    count: usize,
}

impl Writer {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        self.body.write_fmt(text).unwrap_or_default();
    }

    fn define(&mut self, kind: &str, inside: impl Fn(&str) -> String) -> String {
        self.count += 1;
        let id = format!("{kind}{}", self.count);
        self.defs += &inside(&id);
        id
    }

    fn clip(&mut self, clip: Rect) -> String {
        self.define("c", |id| format!("<clipPath id=\"{id}\">{}</clipPath>", rect(clip, "")))
    }

    fn shape(&mut self, shape: &Shape, fonts: &mut Fonts) {
        match shape {
            Shape::Fill { path, paint } => {
                let paint = self.paint(paint);
                self.put(format_args!("<path d=\"{}\" {paint}/>", data(path)));
            }
            Shape::Stroke { path, ink, width, dash } => {
                let dash: Vec<String> = dash.iter().map(|length| show(*length)).collect();
                let dash = match dash.is_empty() {
                    true => String::new(),
                    false => format!(" stroke-dasharray=\"{}\"", dash.join(" ")),
                };
                self.put(format_args!(
                    "<path d=\"{}\" fill=\"none\" stroke=\"{}\"{} stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}/>",
                    data(path),
                    ink.color,
                    cover(*ink, "stroke"),
                    show(*width)
                ));
            }
            Shape::Text(text) => {
                let turn = match text.rotation == 0.0 {
                    true => String::new(),
                    false => format!(
                        " transform=\"rotate({} {} {})\"",
                        show(-text.rotation),
                        show(text.x),
                        show(text.y)
                    ),
                };
                self.put(format_args!(
                    "<g role=\"img\" aria-label=\"{}\" fill=\"{}\"{}{turn}>",
                    escape(&text.words),
                    text.ink.color,
                    cover(text.ink, "fill")
                ));
                for glyph in &text.glyphs {
                    let Some(id) = self.letter(glyph.face, glyph.id, fonts) else { continue };
                    self.put(format_args!(
                        "<use href=\"#{id}\" transform=\"translate({} {}) scale({})\"/>",
                        show(text.x + glyph.x),
                        show(text.y + glyph.y),
                        show(text.size)
                    ));
                }
                self.put(format_args!("</g>"));
            }
            Shape::Image { pixels, at, crop, rotation } => self.image(pixels, *at, *crop, *rotation),
        }
    }

    fn letter(&mut self, face: Face, id: u16, fonts: &mut Fonts) -> Option<String> {
        if let Some(known) = self.letters.get(&(face, id)) {
            return Some(known.clone());
        }
        let path = data_fine(&*fonts.outline(face, id)?);
        let name = self.define("g", |id| format!("<path id=\"{id}\" d=\"{path}\"/>"));
        self.letters.insert((face, id), name.clone());
        Some(name)
    }

    fn image(&mut self, pixels: &Pixels, at: Rect, crop: Rect, rotation: f32) {
        let whole = Rect::new(
            at.x - at.width * crop.x / crop.width,
            at.y - at.height * crop.y / crop.height,
            at.width / crop.width,
            at.height / crop.height,
        );
        let clip = self.clip(at);
        let turn = format!(
            "rotate({} {} {})",
            show(rotation),
            show(at.x + at.width / 2.0),
            show(at.y + at.height / 2.0)
        );
        self.put(format_args!(
            "<g transform=\"{turn}\"><g clip-path=\"url(#{clip})\"><image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" \
             preserveAspectRatio=\"none\" href=\"data:{};base64,{}\"/></g></g>",
            show(whole.x),
            show(whole.y),
            show(whole.width),
            show(whole.height),
            pixels.mime,
            base64(&pixels.source)
        ));
    }

    fn paint(&mut self, paint: &Paint) -> String {
        match paint {
            Paint::Plain(ink) => format!("fill=\"{}\"{}", ink.color, cover(*ink, "fill")),
            Paint::Linear { from, to, stops } => {
                let stops: String = stops
                    .iter()
                    .map(|(at, ink)| {
                        format!(
                            "<stop offset=\"{}\" stop-color=\"{}\"{}/>",
                            show(*at),
                            ink.color,
                            cover(*ink, "stop")
                        )
                    })
                    .collect();
                let id = self.define("l", |id| {
                    format!(
                        "<linearGradient id=\"{id}\" gradientUnits=\"userSpaceOnUse\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\">{stops}</linearGradient>",
                        show(from.0), show(from.1), show(to.0), show(to.1)
                    )
                });
                format!("fill=\"url(#{id})\"")
            }
            Paint::Dots { rows, ink, ground } => {
                let dots: String = (0..64)
                    .filter(|at| rows.get(at / 8).is_some_and(|row| row >> (7 - at % 8) & 1 == 1))
                    .map(|at| format!("M{} {}h1v1h-1z", at % 8, at / 8))
                    .collect();
                let (ink, ground): (Rgb, Rgb) = (*ink, *ground);
                let id = self.define("d", |id| {
                    format!(
                        "<pattern id=\"{id}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect width=\"8\" height=\"8\" fill=\"{ground}\"/><path d=\"{dots}\" fill=\"{ink}\"/></pattern>"
                    )
                });
                format!("fill=\"url(#{id})\"")
            }
        }
    }
}

fn cover(ink: Ink, what: &str) -> String {
    match ink.cover < 1.0 {
        true => format!(" {what}-opacity=\"{}\"", show(ink.cover as f32)),
        false => String::new(),
    }
}

fn rect(rect: Rect, more: &str) -> String {
    let Rect { x, y, width, height } = rect;
    format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{more}/>",
        show(x),
        show(y),
        show(width.max(0.0)),
        show(height.max(0.0))
    )
}

/// Two digits are less than the eye sees.
fn show(number: f32) -> String {
    trimmed(format!("{number:.2}"))
}

fn trimmed(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn data(path: &Path) -> String {
    segments(path, show)
}

fn data_fine(path: &Path) -> String {
    segments(path, |number| trimmed(format!("{number:.4}")))
}

fn segments(path: &Path, show: impl Fn(f32) -> String) -> String {
    let mut out = String::new();
    let point = |point: tiny_skia::Point| format!("{} {}", show(point.x), show(point.y));
    for segment in path.segments() {
        out += &match segment {
            PathSegment::MoveTo(to) => format!("M{}", point(to)),
            PathSegment::LineTo(to) => format!("L{}", point(to)),
            PathSegment::QuadTo(by, to) => format!("Q{} {}", point(by), point(to)),
            PathSegment::CubicTo(a, b, to) => format!("C{} {} {}", point(a), point(b), point(to)),
            PathSegment::Close => "Z".to_owned(),
        };
    }
    out
}

fn escape(text: &str) -> String {
    let legal = text.chars().filter(|c| !c.is_control());
    legal.collect::<String>().replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Bytes in letters, as pictures travel in text.
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| chunk.get(at).copied().map_or(0, u32::from);
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * place) & 63) as usize).copied().unwrap_or(b'A');
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn base64_is_padded() {
        for (bytes, wanted) in [("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu")] {
            assert_eq!(super::base64(bytes.as_bytes()), wanted);
        }
    }
}
