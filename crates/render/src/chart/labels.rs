//! What is written beside points.

use sheet::resolved::{LabelPlace, LabelText, Labels, PlainGroup, PlainKind, PlainSeries, Stacking};

use super::groups::Spot;
use super::{ChartPainter, line_height};

/// Labels of one chart at most; more cannot be read.
const MOST_LABELS: usize = 2_000;

/// What is known of a point when its label is written.
pub(super) struct Point<'a> {
    pub(super) series: &'a PlainSeries,
    pub(super) series_name: &'a str,
    pub(super) at: usize,
    /// Of all points of the series.
    pub(super) share: Option<f64>,
}

impl ChartPainter<'_> {
    /// The words of a point's label, and how they are shown.
    pub(super) fn words_of<'a>(&self, point: &Point<'a>) -> Option<(String, &'a Labels)> {
        let labels = match point.series.point_labels.get(&point.at) {
            Some(LabelText::None) => return None,
            Some(LabelText::Words(words, labels)) => return Some((words.clone(), labels)),
            Some(LabelText::Like(labels)) => labels,
            None => point.series.labels.as_ref()?,
        };
        let mut pieces = Vec::new();
        if labels.series {
            pieces.push(point.series_name.to_owned());
        }
        if labels.category {
            let known = point.series.categories.get(point.at).filter(|name| !name.is_empty());
            pieces.push(known.cloned().unwrap_or_else(|| (point.at + 1).to_string()));
        }
        let value = point.series.values.get(point.at).copied().flatten()?;
        if labels.value {
            let own = labels.number_format.as_deref().or(point.series.value_format.as_deref());
            pieces.push((self.show)(value, own.unwrap_or("General")));
        }
        if let Some(share) = point.share.filter(|_| labels.percent) {
            let code = labels.number_format.as_deref().filter(|_| !labels.value).unwrap_or("0%");
            pieces.push((self.show)(share, code));
        }
        let words = pieces.join(&labels.separator);
        (!words.trim().is_empty()).then_some((words, labels))
    }

    /// The labels of a group whose shapes are drawn; `first` is the number of its first series.
    pub(super) fn data_labels(&mut self, group: &PlainGroup, spots: &[Vec<Spot>], first: usize) {
        let mut drawn = 0;
        for (index, (series, spots)) in group.series.iter().zip(spots).enumerate() {
            let name = super::legend::series_name(series, first + index);
            for spot in spots {
                let point = Point { series, series_name: &name, at: spot.at, share: None };
                let Some((words, labels)) = self.words_of(&point) else { continue };
                drawn += 1;
                if drawn > MOST_LABELS {
                    return;
                }
                self.data_label(group, spot, &words, labels);
            }
        }
    }

    fn data_label(&mut self, group: &PlainGroup, spot: &Spot, words: &str, labels: &Labels) {
        let bars = matches!(group.kind, PlainKind::Column | PlainKind::Bar);
        let place = match (labels.place, bars) {
            (LabelPlace::Usual, true) if group.stacking == Stacking::Beside => LabelPlace::OutsideEnd,
            (LabelPlace::Usual, true) => LabelPlace::Center,
            (LabelPlace::Usual, false) if group.kind == PlainKind::Area => LabelPlace::Center,
            (LabelPlace::Usual, false) => LabelPlace::Right,
            (place, _) => place,
        };
        let lines = self.label_lines(words, labels);
        let line = line_height(&labels.text);
        let width = lines.iter().map(|line| self.width(line, &labels.text)).fold(0.0, f32::max);
        let height = line * lines.len() as f32;
        let rect = spot.rect;
        let (middle_x, middle_y) = (rect.x + rect.width / 2.0, rect.y + rect.height / 2.0);
        let gap = 3.0;
        // The middle of the label; `out` is the direction of the value.
        let out = if spot.backward { -1.0 } else { 1.0 };
        let end = match (spot.turned, spot.backward) {
            (true, false) => rect.right(),
            (true, true) => rect.x,
            (false, false) => rect.y,
            (false, true) => rect.bottom(),
        };
        let start = match (spot.turned, spot.backward) {
            (true, false) => rect.x,
            (true, true) => rect.right(),
            (false, false) => rect.bottom(),
            (false, true) => rect.y,
        };
        let along = |edge: f32, way: f32| match spot.turned {
            true => (edge + way * (width / 2.0 + gap), middle_y),
            false => (middle_x, edge - way * (height / 2.0 + gap)),
        };
        let (x, y) = match place {
            LabelPlace::Center => (middle_x, middle_y),
            LabelPlace::OutsideEnd => along(end, out),
            LabelPlace::InsideEnd => along(end, -out),
            LabelPlace::InsideBase => along(start, out),
            LabelPlace::Above => (middle_x, rect.y - height / 2.0 - gap),
            LabelPlace::Below => (middle_x, rect.bottom() + height / 2.0 + gap),
            LabelPlace::Left => (rect.x - width / 2.0 - gap, middle_y),
            LabelPlace::Right | LabelPlace::Usual => (rect.right() + width / 2.0 + gap, middle_y),
        };
        self.label_block(&lines, x, y, labels);
    }

    /// A label in lines; long ones are broken where a fifth of the chart ends.
    pub(super) fn label_lines(&mut self, words: &str, labels: &Labels) -> Vec<String> {
        let room = self.frame.width * labels.width.map_or(0.2, |width| width as f32);
        words.lines().flat_map(|line| self.broken(line, &labels.text, room.max(50.0), 8)).collect()
    }

    /// Lines around a middle, which somebody may have moved.
    pub(super) fn label_block(&mut self, lines: &[String], x: f32, y: f32, labels: &Labels) {
        let (right, down) = labels.moved;
        let (x, y) = (x + self.frame.width * right as f32, y + self.frame.height * down as f32);
        let line = line_height(&labels.text);
        let top = y - line * lines.len() as f32 / 2.0;
        for (index, words) in lines.iter().enumerate() {
            let base = top + line * (index as f32 + 0.78);
            self.label(words, x, base, 0.5, &labels.text);
        }
    }
}
