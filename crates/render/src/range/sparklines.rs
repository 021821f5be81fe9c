//! Small charts in cells.

use edit::Refusal;
use sheet::resolved::{Rgb, Sparkline, SparklineKind};

use super::Painter;
use crate::scene::{Rect, circle, polyline};

impl Painter<'_> {
    pub(super) fn sparklines(&mut self) -> Result<(), Refusal> {
        for sparkline in self.sheet.sparklines(self.grid.area, &self.resolved.palette)? {
            let merge = self.merges.iter().find(|merge| merge.first() == sparkline.at);
            let rect = match merge {
                Some(merge) => self.grid.rect(*merge),
                None => self.grid.cell(sparkline.at),
            };
            let inner = Rect::new(rect.x + 3.0, rect.y + 3.0, rect.width - 7.0, rect.height - 7.0);
            if inner.width > 2.0 && inner.height > 2.0 {
                self.sparkline(&sparkline, inner, rect);
            }
        }
        Ok(())
    }

    fn sparkline(&mut self, line: &Sparkline, place: Rect, clip: Rect) {
        let looks = &line.looks;
        let mut values: Vec<Option<f64>> = line.values.iter().map(|value| value.or(looks.empty_as)).collect();
        if looks.right_to_left {
            values.reverse();
        }
        let known: Vec<f64> = values.iter().flatten().copied().collect();
        let (Some(low), Some(high)) =
            (known.iter().copied().reduce(f64::min), known.iter().copied().reduce(f64::max))
        else {
            return;
        };
        let is_line = looks.kind == SparklineKind::Line;
        // Columns stand on zero, unless all values are on one side of an axis that is given.
        let base = |limit: f64, least: bool| match (is_line, least) {
            (true, _) => limit,
            (false, true) => limit.min(0.0),
            (false, false) => limit.max(0.0),
        };
        let bottom = line.range.low.unwrap_or_else(|| base(low, true));
        let top = line.range.high.unwrap_or_else(|| base(high, false));
        let spread = if top > bottom { top - bottom } else { 1.0 };
        let y = |value: f64| {
            let part = if top > bottom { (value - bottom) / spread } else { 0.5 };
            place.bottom() - place.height * part.clamp(0.0, 1.0) as f32
        };
        let count = values.len().max(1) as f32;
        let special = |index: usize, value: f64| {
            let last = values.iter().rposition(Option::is_some);
            let first = values.iter().position(Option::is_some);
            looks
                .low
                .filter(|_| value == low)
                .or(looks.high.filter(|_| value == high))
                .or(looks.first.filter(|_| Some(index) == first))
                .or(looks.last.filter(|_| Some(index) == last))
                .or(looks.negative.filter(|_| value < 0.0))
        };
        if let Some(axis) = looks.axis.filter(|_| bottom < 0.0 && top > 0.0 || !is_line) {
            let zero = y(0.0);
            self.scene.line((place.x, zero), (place.right(), zero), axis.into(), 1.0, Some(clip));
        }
        if !is_line {
            let step = place.width / count;
            let width = (step * 0.8).max(1.0);
            for (index, value) in values.iter().enumerate() {
                let Some(value) = *value else { continue };
                let color = special(index, value).unwrap_or(looks.color);
                let x = place.x + step * index as f32 + (step - width) / 2.0;
                let rect = if looks.kind == SparklineKind::WinLoss {
                    let middle = place.y + place.height / 2.0;
                    match value.partial_cmp(&0.0) {
                        Some(std::cmp::Ordering::Greater) => Rect::new(x, place.y, width, place.height / 2.0),
                        Some(std::cmp::Ordering::Less) => Rect::new(x, middle, width, place.height / 2.0),
                        _ => continue,
                    }
                } else {
                    let (zero, at) = (y(0.0f64.clamp(bottom, top)), y(value));
                    Rect::new(x, zero.min(at), width, (zero - at).abs().max(1.0))
                };
                self.scene.rect(rect, color, Some(clip));
            }
            return;
        }
        let x = |index: usize| match values.len() {
            0 | 1 => place.x + place.width / 2.0,
            many => place.x + place.width * index as f32 / (many - 1) as f32,
        };
        let weight = (looks.weight * 96.0 / 72.0) as f32;
        let mut run: Vec<(f32, f32)> = Vec::new();
        for (index, value) in values.iter().enumerate() {
            match value {
                Some(value) => run.push((x(index), y(*value))),
                None if looks.spans_gaps => {}
                None => {
                    self.scene.stroke(
                        polyline(&std::mem::take(&mut run), false),
                        looks.color.into(),
                        weight,
                        &[],
                        Some(clip),
                    );
                }
            }
        }
        self.scene.stroke(polyline(&run, false), looks.color.into(), weight, &[], Some(clip));
        for (index, value) in values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let color: Option<Rgb> = special(index, value).or(looks.markers);
            if let Some(color) = color {
                let radius = (weight * 1.2).max(1.8);
                self.scene.fill(circle(x(index), y(value), radius), color.into(), Some(clip));
            }
        }
    }
}
