//! Pies and rings.

use sheet::resolved::{LabelPlace, PlainChart, PlainGroup, PlainKind};

use super::labels::Point;
use super::{ChartPainter, line_height};
use crate::scene::{Rect, slice};

/// Where a slice's label goes.
struct Spot {
    series: usize,
    at: usize,
    share: f64,
    /// In degrees, clockwise from the top.
    angle: f32,
    inner: f32,
    outer: f32,
    middle: (f32, f32),
}

impl ChartPainter<'_> {
    pub(super) fn round(&mut self, chart: &PlainChart, group: &PlainGroup, place: Rect, frame: Rect) {
        let place = match chart.plot_layout {
            Some(layout) => Rect::new(
                frame.x + frame.width * layout.x as f32,
                frame.y + frame.height * layout.y as f32,
                frame.width * layout.width as f32,
                frame.height * layout.height as f32,
            ),
            None => place,
        };
        let (x, y) = (place.x + place.width / 2.0, place.y + place.height / 2.0);
        let outside = group.series.iter().any(|series| {
            series.labels.as_ref().is_some_and(|labels| labels.place == LabelPlace::OutsideEnd)
        });
        let text = group.series.iter().find_map(|series| series.labels.as_ref());
        let margin = match (outside, text) {
            (true, Some(labels)) => line_height(&labels.text) + 8.0,
            _ => 4.0,
        };
        let rings: Vec<_> = match group.kind {
            PlainKind::Pie => group.series.iter().take(1).collect(),
            _ => group.series.iter().collect(),
        };
        let pulled = rings
            .iter()
            .flat_map(|series| series.pulled_points.values().copied().chain(std::iter::once(series.pulled)));
        let pulled = if group.kind == PlainKind::Pie { pulled.fold(0.0, f64::max) as f32 } else { 0.0 };
        let outer = (place.width.min(place.height) / 2.0 - margin).max(4.0) / (1.0 + pulled);
        let hole = if group.kind == PlainKind::Pie { 0.0 } else { outer * group.hole as f32 };
        let thick = (outer - hole) / rings.len().max(1) as f32;
        let mut spots = Vec::new();
        for (ring, series) in rings.iter().enumerate() {
            let total: f64 = series.values.iter().flatten().map(|value| value.abs()).sum();
            if total <= 0.0 || !total.is_finite() {
                continue;
            }
            let inner = hole + thick * ring as f32;
            let mut angle = group.first_angle as f32;
            for (at, value) in series.values.iter().enumerate() {
                let share = value.unwrap_or(0.0).abs() / total;
                let turn = (share * 360.0) as f32;
                if turn <= 0.0 {
                    continue;
                }
                let far = series.pulled_points.get(&at).copied().unwrap_or(series.pulled) as f32;
                let far = if group.kind == PlainKind::Pie { far * outer } else { 0.0 };
                let (sin, cos) = (angle + turn / 2.0).to_radians().sin_cos();
                let middle = (x + sin * far, y - cos * far);
                let path = slice(middle.0, middle.1, inner, inner + thick, angle, angle + turn);
                let ink = series.points.get(&at).copied().unwrap_or(series.ink);
                self.fill_within(path.clone(), ink, self.clip);
                if let Some(border) = series.point_lines.get(&at).unwrap_or(&series.line) {
                    self.stroke(path, border);
                }
                let outer = inner + thick;
                spots.push(Spot { series: ring, at, share, angle: angle + turn / 2.0, inner, outer, middle });
                angle += turn;
            }
        }
        for spot in &spots {
            self.slice_label(group, &rings, spot);
        }
    }

    fn slice_label(&mut self, group: &PlainGroup, rings: &[&sheet::resolved::PlainSeries], spot: &Spot) {
        let Some(series) = rings.get(spot.series) else { return };
        let name = super::legend::series_name(series, spot.series);
        let point = Point { series, series_name: &name, at: spot.at, share: Some(spot.share) };
        let Some((words, labels)) = self.words_of(&point) else { return };
        let lines = self.label_lines(&words, labels);
        let width = lines.iter().map(|line| self.width(line, &labels.text)).fold(0.0, f32::max);
        let height = line_height(&labels.text) * lines.len() as f32;
        let (sin, cos) = spot.angle.to_radians().sin_cos();
        let arc = (spot.share as f32) * std::f32::consts::TAU * (spot.inner + spot.outer) / 2.0;
        let fits = arc > width.min(height * 2.0) && spot.outer - spot.inner > width.min(height) * 1.2;
        let outside = match labels.place {
            LabelPlace::OutsideEnd => true,
            LabelPlace::Usual => group.kind == PlainKind::Pie && !fits,
            _ => false,
        };
        let radius = match (outside, labels.place) {
            (true, _) => spot.outer + 4.0 + (width / 2.0 * sin.abs()).max(height / 2.0 * cos.abs()),
            (false, LabelPlace::Center) => (spot.inner + spot.outer) / 2.0,
            (false, _) if group.kind == PlainKind::Doughnut => (spot.inner + spot.outer) / 2.0,
            (false, LabelPlace::InsideEnd) => {
                spot.outer - (width * sin.abs()).max(height * cos.abs()) / 2.0 - 4.0
            }
            (false, _) => spot.outer * 0.68,
        };
        self.label_block(&lines, spot.middle.0 + sin * radius, spot.middle.1 - cos * radius, labels);
    }
}
