//! A scene as pixels, and those as a PNG.
//!
//! Letters are drawn once for each of four places between two pixels and kept as masks; everything else is left to
//! the rasteriser. Nothing here depends on the machine.

use std::collections::HashMap;

use edit::{Refusal, Stop};
use sheet::resolved::{Ink, Rgb};
use tiny_skia::{
    Color, FillRule, FilterQuality, GradientStop, LinearGradient, Mask, Pattern, Pixmap, PixmapPaint, Point,
    PremultipliedColorU8, Shader, SpreadMode, Stroke, StrokeDash, Transform,
};

use crate::fonts::{Face, Fonts};
use crate::scene::{Item, Paint, Pixels, Rect, Scene, Shape, Text};

pub(crate) fn draw(scene: &Scene, fonts: &mut Fonts, scale: f32, stop: &Stop) -> Result<Pixmap, Refusal> {
    let (width, height) = size(scene, scale);
    let failed = || Refusal::Limit {
        what: "the picture".into(),
        found: format!("{width} x {height}"),
        limit: "the memory".into(),
    };
    let mut pixmap = Pixmap::new(width, height).ok_or_else(failed)?;
    pixmap.fill(Color::WHITE);
    let mut raster = Raster { pixmap, fonts, scale, masks: HashMap::new(), clip: None };
    for item in &scene.items {
        stop.check()?;
        raster.item(item);
    }
    Ok(raster.pixmap)
}

/// The pixels of a scene.
pub(crate) fn size(scene: &Scene, scale: f32) -> (u32, u32) {
    ((scene.width * scale).ceil().max(1.0) as u32, (scene.height * scale).ceil().max(1.0) as u32)
}

pub(crate) fn png(pixmap: &Pixmap) -> Result<Vec<u8>, Refusal> {
    let (width, height) = (pixmap.width(), pixmap.height());
    // Sheets have few colours, and one byte for each pixel is a third of three.
    if let Some((palette, indexes)) = indexed(pixmap.pixels()) {
        return encode(width, height, &indexes, Some(palette));
    }
    let mut rgb = Vec::with_capacity(pixmap.pixels().len() * 3);
    for pixel in pixmap.pixels() {
        // The ground is white and covers all, so nothing was multiplied.
        rgb.extend_from_slice(&[pixel.red(), pixel.green(), pixel.blue()]);
    }
    encode(width, height, &rgb, None)
}

/// The colours of a picture in the order in which they come, and which each pixel has; nothing if they are too many.
fn indexed(pixels: &[PremultipliedColorU8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut palette = Vec::new();
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let mut indexes = Vec::with_capacity(pixels.len());
    let mut last = ([0; 3], None);
    for pixel in pixels {
        let color = [pixel.red(), pixel.green(), pixel.blue()];
        let index = match last {
            (before, Some(index)) if before == color => index,
            _ => match known.get(&color) {
                Some(index) => *index,
                None => {
                    let index = u8::try_from(known.len()).ok()?;
                    known.insert(color, index);
                    palette.extend_from_slice(&color);
                    index
                }
            },
        };
        last = (color, Some(index));
        indexes.push(index);
    }
    Some((palette, indexes))
}

/// A file of this size is packed again, with more care: those who read pictures have limits.
const LARGE_FILE: usize = 400_000;

fn encode(width: u32, height: u32, data: &[u8], palette: Option<Vec<u8>>) -> Result<Vec<u8>, Refusal> {
    let packed = |compression| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(compression);
        // Rows are mostly like the one above them.
        encoder.set_filter(png::Filter::Up);
        match &palette {
            Some(palette) => {
                encoder.set_color(png::ColorType::Indexed);
                encoder.set_palette(palette.clone());
            }
            None => encoder.set_color(png::ColorType::Rgb),
        }
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(data)?;
            writer.finish()
        });
        written.map_err(|error| Refusal::Unsupported { what: format!("a PNG ({error})"), instead: None })?;
        Ok(bytes)
    };
    match packed(png::Compression::Fast)? {
        bytes if bytes.len() > LARGE_FILE => packed(png::Compression::Balanced),
        bytes => Ok(bytes),
    }
}

struct Raster<'a> {
    pixmap: Pixmap,
    fonts: &'a mut Fonts,
    scale: f32,
    masks: HashMap<(Face, u16, u32, u8), Option<Letter>>,
    /// The last clip with its mask, since neighbours often share it.
    clip: Option<(Rect, Mask)>,
}

/// A letter's cover, and where its upper left lies from the place of the letter.
struct Letter {
    left: i32,
    top: i32,
    width: usize,
    cover: Vec<u8>,
}

impl Raster<'_> {
    fn item(&mut self, item: &Item) {
        if let Shape::Text(text) = &item.shape
            && text.rotation == 0.0
        {
            return self.text(text, item.clip);
        }
        self.set_clip(item.clip);
        let mask = self.clip.as_ref().filter(|_| item.clip.is_some()).map(|(_, mask)| mask);
        let transform = Transform::from_scale(self.scale, self.scale);
        match &item.shape {
            Shape::Fill { path, paint } => {
                let (dots, shader) = match paint {
                    Paint::Dots { rows, ink, ground } => (dots(*rows, *ink, *ground), None),
                    other => (None, shader(other)),
                };
                let mut paint = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
                if let Some(pixmap) = &dots {
                    let ready = Pattern::new(
                        pixmap.as_ref(),
                        SpreadMode::Repeat,
                        FilterQuality::Nearest,
                        1.0,
                        Transform::identity(),
                    );
                    paint.shader = ready;
                    self.pixmap.fill_path(path, &paint, FillRule::Winding, transform, mask);
                } else if let Some(shader) = shader {
                    paint.shader = shader;
                    self.pixmap.fill_path(path, &paint, FillRule::Winding, transform, mask);
                }
            }
            Shape::Stroke { path, ink, width, dash } => {
                let mut paint = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
                paint.shader = Shader::SolidColor(color(*ink));
                let stroke = Stroke {
                    width: *width,
                    dash: (!dash.is_empty()).then(|| StrokeDash::new(dash.clone(), 0.0)).flatten(),
                    line_join: tiny_skia::LineJoin::Round,
                    ..Stroke::default()
                };
                self.pixmap.stroke_path(path, &paint, &stroke, transform, mask);
            }
            Shape::Image { pixels, at, crop, rotation } => {
                if let Some(ready) = shrunk(pixels, *crop, *at, self.scale) {
                    let (sx, sy) = (
                        at.width * self.scale / ready.width() as f32,
                        at.height * self.scale / ready.height() as f32,
                    );
                    let place = Transform::from_row(sx, 0.0, 0.0, sy, at.x * self.scale, at.y * self.scale);
                    let middle =
                        ((at.x + at.width / 2.0) * self.scale, (at.y + at.height / 2.0) * self.scale);
                    let place = place.post_concat(Transform::from_rotate_at(*rotation, middle.0, middle.1));
                    let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
                    self.pixmap.draw_pixmap(0, 0, ready.as_ref(), &paint, place, mask);
                }
            }
            Shape::Text(text) => {
                let turned = Transform::from_rotate_at(-text.rotation, text.x, text.y).post_concat(transform);
                let mut paint = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
                paint.shader = Shader::SolidColor(color(text.ink));
                for glyph in &text.glyphs {
                    let Some(outline) = self.fonts.outline(glyph.face, glyph.id) else { continue };
                    let place = Transform::from_row(
                        text.size,
                        0.0,
                        0.0,
                        text.size,
                        text.x + glyph.x,
                        text.y + glyph.y,
                    );
                    self.pixmap.fill_path(
                        &outline,
                        &paint,
                        FillRule::Winding,
                        place.post_concat(turned),
                        mask,
                    );
                }
            }
        }
    }

    fn set_clip(&mut self, clip: Option<Rect>) {
        let Some(clip) = clip else { return };
        if self.clip.as_ref().is_some_and(|(known, _)| *known == clip) {
            return;
        }
        let Some(mut mask) = Mask::new(self.pixmap.width(), self.pixmap.height()) else { return };
        if let Some(path) = clip.path() {
            mask.fill_path(&path, FillRule::Winding, false, Transform::from_scale(self.scale, self.scale));
        }
        self.clip = Some((clip, mask));
    }

    fn text(&mut self, text: &Text, clip: Option<Rect>) {
        let size = text.size * self.scale;
        if size < 0.5 {
            return;
        }
        let (wide, high) = (self.pixmap.width() as i32, self.pixmap.height() as i32);
        // The whole pixels within the clip.
        let bounds = match clip {
            None => (0, 0, wide, high),
            Some(clip) => (
                ((clip.x * self.scale).round() as i32).clamp(0, wide),
                ((clip.y * self.scale).round() as i32).clamp(0, high),
                ((clip.right() * self.scale).round() as i32).clamp(0, wide),
                ((clip.bottom() * self.scale).round() as i32).clamp(0, high),
            ),
        };
        // Lines stand on whole pixels, so that equal letters look equal.
        for glyph in &text.glyphs {
            let x = (text.x + glyph.x) * self.scale;
            let y = ((text.y + glyph.y) * self.scale).round() as i32;
            let whole = x.floor();
            let quarter = ((x - whole) * 4.0).floor().clamp(0.0, 3.0) as u8;
            let key = (glyph.face, glyph.id, size.to_bits(), quarter);
            if !self.masks.contains_key(&key) {
                let outline = self.fonts.outline(glyph.face, glyph.id);
                let letter = outline.and_then(|outline| letter(&outline, size, f32::from(quarter) / 4.0));
                self.masks.insert(key, letter);
            }
            if let Some(Some(letter)) = self.masks.get(&key) {
                blend(&mut self.pixmap, letter, whole as i32, y, text.ink, bounds);
            }
        }
    }
}

fn letter(outline: &tiny_skia::Path, size: f32, shift: f32) -> Option<Letter> {
    let bounds = outline.bounds();
    let left = (bounds.left() * size + shift).floor() as i32 - 1;
    let top = (bounds.top() * size).floor() as i32 - 1;
    let width = (bounds.right() * size + shift).ceil() as i32 + 1 - left;
    let height = (bounds.bottom() * size).ceil() as i32 + 1 - top;
    let mut mask = Mask::new(u32::try_from(width).ok()?, u32::try_from(height).ok()?)?;
    let place = Transform::from_row(size, 0.0, 0.0, size, shift - left as f32, -top as f32);
    mask.fill_path(outline, FillRule::Winding, true, place);
    Some(Letter { left, top, width: usize::try_from(width).ok()?, cover: mask.data().to_vec() })
}

fn blend(pixmap: &mut Pixmap, letter: &Letter, x: i32, y: i32, ink: Ink, bounds: (i32, i32, i32, i32)) {
    let stride = pixmap.width() as i32;
    let pixels = pixmap.pixels_mut();
    let cover = (ink.cover * 255.0).round() as u32;
    for (row, line) in letter.cover.chunks(letter.width).enumerate() {
        let down = y + letter.top + row as i32;
        if down < bounds.1 || down >= bounds.3 {
            continue;
        }
        for (column, part) in line.iter().enumerate() {
            let across = x + letter.left + column as i32;
            if *part == 0 || across < bounds.0 || across >= bounds.2 {
                continue;
            }
            let Some(pixel) = usize::try_from(down * stride + across).ok().and_then(|at| pixels.get_mut(at))
            else {
                continue;
            };
            let part = u32::from(*part) * cover / 255;
            let mix = |under: u8, over: u8| {
                ((u32::from(under) * (255 - part) + u32::from(over) * part + 127) / 255) as u8
            };
            let Rgb(r, g, b) = ink.color;
            let mixed = PremultipliedColorU8::from_rgba(
                mix(pixel.red(), r),
                mix(pixel.green(), g),
                mix(pixel.blue(), b),
                255,
            );
            if let Some(mixed) = mixed {
                *pixel = mixed;
            }
        }
    }
}

fn color(ink: Ink) -> Color {
    let Rgb(r, g, b) = ink.color;
    Color::from_rgba8(r, g, b, (ink.cover * 255.0).round().clamp(0.0, 255.0) as u8)
}

fn shader(paint: &Paint) -> Option<Shader<'static>> {
    match paint {
        Paint::Plain(ink) => Some(Shader::SolidColor(color(*ink))),
        Paint::Linear { from, to, stops } => {
            let stops: Vec<GradientStop> =
                stops.iter().map(|(at, ink)| GradientStop::new(*at, color(*ink))).collect();
            let last = stops.last().copied();
            let gradient = LinearGradient::new(
                Point::from_xy(from.0, from.1),
                Point::from_xy(to.0, to.1),
                stops,
                SpreadMode::Pad,
                Transform::identity(),
            );
            gradient.or_else(|| last.map(|_| Shader::SolidColor(Color::WHITE)))
        }
        Paint::Dots { .. } => None,
    }
}

fn dots(rows: [u8; 8], ink: Rgb, ground: Rgb) -> Option<Pixmap> {
    let mut pixmap = Pixmap::new(8, 8)?;
    for (at, pixel) in pixmap.pixels_mut().iter_mut().enumerate() {
        let on = rows.get(at / 8).is_some_and(|row| row >> (7 - at % 8) & 1 == 1);
        let Rgb(r, g, b) = if on { ink } else { ground };
        *pixel = PremultipliedColorU8::from_rgba(r, g, b, 255)?;
    }
    Some(pixmap)
}

/// The part of a picture that is shown, made smaller by averages if it is much larger than its place.
fn shrunk(pixels: &Pixels, crop: Rect, at: Rect, scale: f32) -> Option<Pixmap> {
    let (wide, high) = (pixels.width as f32, pixels.height as f32);
    let left = (crop.x * wide).round().clamp(0.0, wide - 1.0) as u32;
    let top = (crop.y * high).round().clamp(0.0, high - 1.0) as u32;
    let width = ((crop.width * wide).round() as u32).clamp(1, pixels.width - left);
    let height = ((crop.height * high).round() as u32).clamp(1, pixels.height - top);
    let target = |source: u32, place: f32| ((place * scale).ceil() as u32).clamp(1, source);
    let (across, down) = (target(width, at.width), target(height, at.height));
    let mut ready = Pixmap::new(across, down)?;
    let out = ready.pixels_mut();
    for row in 0..down {
        let (y0, y1) =
            (row * height / down, ((row + 1) * height).div_ceil(down).max(row * height / down + 1));
        for column in 0..across {
            let (x0, x1) = (
                column * width / across,
                ((column + 1) * width).div_ceil(across).max(column * width / across + 1),
            );
            let mut sum = [0u64; 4];
            for y in y0..y1.min(height) {
                for x in x0..x1.min(width) {
                    let index = ((top + y) as usize * pixels.width as usize + (left + x) as usize) * 4;
                    let Some([r, g, b, a]) = pixels.rgba.get(index..index + 4) else { continue };
                    let cover = u64::from(*a);
                    sum[0] += u64::from(*r) * cover;
                    sum[1] += u64::from(*g) * cover;
                    sum[2] += u64::from(*b) * cover;
                    sum[3] += cover;
                }
            }
            let count = u64::from((y1.min(height) - y0).max(1)) * u64::from((x1.min(width) - x0).max(1));
            let part = |sum: u64| (sum / (255 * count)).min(255) as u8;
            let alpha = (sum[3] / count).min(255) as u8;
            let pixel = PremultipliedColorU8::from_rgba(
                part(sum[0]).min(alpha),
                part(sum[1]).min(alpha),
                part(sum[2]).min(alpha),
                alpha,
            )?;
            *out.get_mut(row as usize * across as usize + column as usize)? = pixel;
        }
    }
    Some(ready)
}
