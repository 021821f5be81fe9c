//! Pictures, charts and other objects over the cells. What cannot be drawn is a box with its name, and is told.

use std::sync::Arc;

use edit::Refusal;
use sheet::resolved::{LookFont, Placed, PlacedKind, Rgb, axis_text};

use super::Painter;
use crate::chart::ChartPainter;
use crate::pictures;
use crate::scene::{Rect, Shape};

impl Painter<'_> {
    pub(super) fn objects(&mut self) -> Result<(), Refusal> {
        let whole = self.grid.whole();
        for object in self.sheet.placed()? {
            let rect = self.grid.object(&object.anchor);
            let apart = rect.x >= whole.right()
                || rect.right() <= whole.x
                || rect.y >= whole.bottom()
                || rect.bottom() <= whole.y;
            if apart || rect.width < 0.5 || rect.height < 0.5 {
                continue;
            }
            if object.kind == PlacedKind::Picture {
                self.picture(&object, rect, whole);
            } else if object.kind == PlacedKind::Chart {
                self.chart(&object, rect, whole);
            } else if !matches!(object.kind, PlacedKind::Shape(_) | PlacedKind::Connector)
                || !self.shape(&object, rect, whole)
            {
                let kind = kind_name(&object.kind);
                self.framed(&object, &kind, rect, whole);
            }
        }
        self.controls(whole);
        Ok(())
    }

    fn controls(&mut self, whole: Rect) {
        for (name, anchor) in self.sheet.controls() {
            let Some(anchor) = anchor else {
                self.not_drawn.push(format!("form control `{name}`, whose place the sheet does not say"));
                continue;
            };
            let rect = self.grid.object(&anchor);
            let inside = rect.x < whole.right()
                && rect.right() > whole.x
                && rect.y < whole.bottom()
                && rect.bottom() > whole.y;
            if inside && rect.width >= 0.5 && rect.height >= 0.5 {
                self.box_with_name(&name, "form control", "", rect, whole);
            }
        }
    }

    fn picture(&mut self, object: &Placed, rect: Rect, whole: Rect) {
        let bytes = match &object.part {
            Some(part) => self.sheet.object_bytes(part).ok().flatten(),
            None => None,
        };
        let decoded = match bytes {
            Some(bytes) => pictures::decode(bytes),
            None => Err("its file is missing".to_owned()),
        };
        match decoded {
            Ok(pixels) => {
                let crop = object.crop;
                let part =
                    |a: f64, b: f64| (a.clamp(0.0, 0.99) as f32, (1.0 - a - b).clamp(0.01, 1.0) as f32);
                let (x, width) = part(crop.left, crop.right);
                let (y, height) = part(crop.top, crop.bottom);
                let shape = Shape::Image {
                    pixels: Arc::new(pixels),
                    at: rect,
                    crop: Rect::new(x, y, width, height),
                    rotation: object.rotation as f32,
                };
                self.scene.push(shape, Some(whole));
            }
            Err(why) => self.framed(object, &format!("picture ({why})"), rect, whole),
        }
    }

    fn chart(&mut self, object: &Placed, rect: Rect, whole: Rect) {
        let found = match &object.part {
            Some(part) => self.sheet.plain_chart(part, &self.resolved.palette),
            None => Err("its part is missing".to_owned()),
        };
        match found {
            Ok(chart) => {
                let name = object.name.clone().unwrap_or_else(|| "without a name".to_owned());
                let from_1904 = chart.from_1904;
                let show = |number: f64, code: &str| axis_text(number, code, from_1904);
                let (scene, fonts) = (&mut self.scene, &mut *self.fonts);
                let left_out = Vec::new();
                let painter = ChartPainter { scene, fonts, clip: whole, frame: rect, left_out, show: &show };
                let left_out = painter.chart(&chart);
                self.not_drawn.extend(left_out.iter().map(|what| format!("{what} of the chart `{name}`")));
            }
            Err(why) => {
                let names = object.part.as_deref().map(|part| self.sheet.chart_series_names(part));
                let mut object = object.clone();
                object.text = names.unwrap_or_default().join("\n");
                self.framed(&object, &format!("chart ({why})"), rect, whole);
            }
        }
    }

    fn framed(&mut self, object: &Placed, kind: &str, rect: Rect, whole: Rect) {
        let name = object.name.as_deref().unwrap_or("without a name");
        self.box_with_name(name, kind, &object.text, rect, whole);
    }

    fn box_with_name(&mut self, name: &str, kind: &str, text: &str, rect: Rect, whole: Rect) {
        self.not_drawn.push(format!("{kind} `{name}`"));
        // Only a frame: what lies below may matter, and most shapes that are not drawn are clear.
        self.scene.stroke(
            rect.inset(0.5).path(),
            Rgb(0x9A, 0x9A, 0x9A).into(),
            1.0,
            &[4.0, 3.0],
            Some(whole),
        );
        let font = LookFont { size: 9.0, color: Some(Rgb(0x55, 0x55, 0x55)), ..LookFont::default() };
        let whole_name = format!("{kind}: {name}");
        // Where both do not fit, the name says more.
        let fits = self.fonts.width(&whole_name, &font, crate::fonts::pixels(&font)) <= rect.width - 4.0;
        let mut lines = vec![if fits { whole_name } else { name.to_owned() }];
        lines.extend(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned));
        let most = ((rect.height / 14.0).floor() as usize).max(1);
        lines.truncate(most);
        let top = rect.y + (rect.height - 14.0 * lines.len() as f32) / 2.0;
        for (index, line) in lines.iter().enumerate() {
            let place = Rect::new(rect.x, top + 14.0 * index as f32, rect.width, 14.0);
            self.label(line, place, &font);
        }
    }
}

fn kind_name(kind: &PlacedKind) -> String {
    match kind {
        PlacedKind::Picture => "picture".to_owned(),
        PlacedKind::Chart => "chart".to_owned(),
        PlacedKind::NewerChart => "chart of a newer kind".to_owned(),
        PlacedKind::Shape(shape) => format!("shape ({shape})"),
        PlacedKind::Group => "group of shapes".to_owned(),
        PlacedKind::Connector => "connector".to_owned(),
        PlacedKind::Slicer => "slicer".to_owned(),
        PlacedKind::Control => "form control".to_owned(),
        PlacedKind::Other(other) => other.clone(),
    }
}
