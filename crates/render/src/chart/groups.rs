//! Bars, lines, areas and dots.

use sheet::resolved::{
    Blanks, Ink, Marker, MarkerShape, PlainChart, PlainGroup, PlainKind, PlainSeries, Stacking, Stroke,
};
use tiny_skia::{Path, PathBuilder};

use super::ChartPainter;
use super::axes::Plot;
use super::scale::Scale;
use crate::scene::{Rect, circle, curve, polyline};

/// A point of a line: its number, where it stands on and where it reaches to.
type Joined = (usize, (f32, f32), (f32, f32));

/// Where the label of a point goes: its shape, and the end that the value is at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) at: usize,
    pub(super) rect: Rect,
    /// The value runs to the right, to the left, down or up.
    pub(super) turned: bool,
    pub(super) backward: bool,
}

/// From where to where a value reaches, on those below it if they are stacked.
pub(super) fn span(group: &PlainGroup, series: usize, at: usize) -> Option<(f64, f64)> {
    let value = |one: &PlainSeries| one.values.get(at).copied().flatten().unwrap_or(0.0);
    let own = value(group.series.get(series)?);
    if group.stacking == Stacking::Beside {
        return Some((0.0, own));
    }
    let same_side = |other: f64| (other < 0.0) == (own < 0.0);
    let is_line = matches!(group.kind, PlainKind::Line | PlainKind::Area);
    let below: f64 =
        group.series.iter().take(series).map(value).filter(|other| is_line || same_side(*other)).sum();
    let total: f64 = group.series.iter().map(|one| value(one).abs()).sum();
    match group.stacking {
        Stacking::Percent if total > 0.0 => Some((below / total, (below + own) / total)),
        Stacking::Percent => Some((0.0, 0.0)),
        _ => Some((below, below + own)),
    }
}

/// The least and greatest place that a group reaches; of a logarithmic axis only what is over zero.
pub(super) fn reach(group: &PlainGroup, over_zero: bool) -> (f64, f64) {
    let mut found = (f64::MAX, f64::MIN);
    for (index, series) in group.series.iter().enumerate() {
        for (at, value) in series.values.iter().enumerate().filter(|(_, value)| value.is_some()) {
            let top = match group.stacking {
                Stacking::Beside => value.unwrap_or(0.0),
                _ => span(group, index, at).map_or(0.0, |(_, to)| to),
            };
            if !over_zero || top > 0.0 {
                found = (found.0.min(top), found.1.max(top));
            }
        }
    }
    found
}

/// The x of a point; the numbers of the points where some x is no number, as in Excel.
pub(super) fn scatter_x(series: &PlainSeries, at: usize) -> Option<f64> {
    match series.xs.iter().any(Option::is_some) {
        true => series.xs.get(at).copied().flatten(),
        false => Some((at + 1) as f64),
    }
}

impl ChartPainter<'_> {
    /// Bars side by side or on each other; gives where each came to lie.
    pub(super) fn bars(
        &mut self,
        group: &PlainGroup,
        plot: &Plot,
        scale: &Scale,
        base: f64,
    ) -> Vec<Vec<Spot>> {
        let beside = if group.stacking == Stacking::Beside { group.series.len().max(1) } else { 1 };
        let overlap = group.overlap as f32;
        let spread = 1.0 + (beside - 1) as f32 * (1.0 - overlap);
        let room = plot.across.room();
        let width = room / (spread + group.gap as f32);
        let clip = plot.clip(self.clip);
        let mut spots = Vec::new();
        for (index, series) in group.series.iter().enumerate() {
            let mut own = Vec::new();
            for (at, value) in series.values.iter().enumerate() {
                let Some((from, to)) = span(group, index, at).filter(|_| value.is_some()) else { continue };
                let Some(middle) = plot.across.part(at, series.xs.get(at).copied().flatten()) else {
                    continue;
                };
                let from = if group.stacking == Stacking::Beside { base } else { from };
                let slot = if group.stacking == Stacking::Beside { index as f32 } else { 0.0 };
                let slot = if plot.across.reversed() {
                    spread - 1.0 - slot * (1.0 - overlap)
                } else {
                    slot * (1.0 - overlap)
                };
                let start = middle - width * spread / 2.0 + slot * width;
                let (a, b) = (scale.part(from), scale.part(to));
                let (one, other) = (plot.point(start, a.min(b)), plot.point(start + width, a.max(b)));
                let rect = Rect::new(
                    one.0.min(other.0),
                    one.1.min(other.1),
                    (one.0 - other.0).abs(),
                    (one.1 - other.1).abs(),
                );
                let ink = series.points.get(&at).copied().unwrap_or(series.ink);
                if !series.clear {
                    self.fill_within(rect.path(), ink, clip);
                }
                if let Some(line) = series.point_lines.get(&at).unwrap_or(&series.line) {
                    self.stroke_within(rect.path(), line, clip);
                }
                own.push(Spot { at, rect, turned: plot.turned, backward: b < a });
            }
            spots.push(own);
        }
        spots
    }

    /// The points of a series as they are joined: one run for each stretch without a gap.
    fn runs(
        chart: &PlainChart,
        group: &PlainGroup,
        index: usize,
        plot: &Plot,
        scale: &Scale,
    ) -> Vec<Vec<Joined>> {
        let Some(series) = group.series.get(index) else { return Vec::new() };
        let count = match group.kind {
            PlainKind::Scatter => series.values.len(),
            _ => group.series.iter().map(|one| one.values.len()).max().unwrap_or(0),
        };
        let fills = group.kind == PlainKind::Area || group.stacking != Stacking::Beside;
        let blanks = if fills { Blanks::Zero } else { chart.blanks };
        let mut runs = vec![Vec::new()];
        for at in 0..count {
            let value = series.values.get(at).copied().flatten();
            let x = match group.kind {
                PlainKind::Scatter => scatter_x(series, at),
                _ => series.xs.get(at).copied().flatten(),
            };
            let place = plot.across.part(at, x);
            let known = value.is_some() || blanks == Blanks::Zero;
            match (span(group, index, at).filter(|_| known), place) {
                (Some((from, to)), Some(place)) => {
                    let from = plot.point(place, scale.part(from));
                    let to = plot.point(place, scale.part(to));
                    runs.last_mut().into_iter().for_each(|run| run.push((at, from, to)));
                }
                _ if blanks == Blanks::Span => {}
                _ => runs.push(Vec::new()),
            }
        }
        runs.retain(|run| !run.is_empty());
        if plot.by_date() {
            runs.iter_mut().for_each(|run| run.sort_by(|a, b| a.2.0.total_cmp(&b.2.0)));
        }
        runs
    }

    /// Lines, areas and dots.
    pub(super) fn lines(
        &mut self,
        chart: &PlainChart,
        group: &PlainGroup,
        plot: &Plot,
        scale: &Scale,
    ) -> Vec<Vec<Spot>> {
        let clip = plot.clip(self.clip);
        // Lines on the edge of the plot are whole.
        let around = Rect::new(clip.x - 2.0, clip.y - 2.0, clip.width + 4.0, clip.height + 4.0);
        let mut spots = Vec::new();
        for (index, series) in group.series.iter().enumerate() {
            let mut own = Vec::new();
            for run in Self::runs(chart, group, index, plot, scale) {
                let top: Vec<(f32, f32)> = run.iter().map(|(_, _, to)| *to).collect();
                if group.kind == PlainKind::Area {
                    let below = run.iter().rev().map(|(_, from, _)| *from);
                    let shape: Vec<(f32, f32)> = top.iter().copied().chain(below).collect();
                    if !series.clear {
                        self.fill_within(polyline(&shape, true), series.ink, clip);
                    }
                    if let Some(line) = &series.line {
                        self.stroke_within(polyline(&shape, true), line, clip);
                    }
                } else if let Some(line) = &series.line {
                    let path = if series.smooth { curve(&top) } else { polyline(&top, false) };
                    self.stroke_within(path, line, around);
                }
                for (at, _, (x, y)) in run {
                    let outside = x < plot.rect.x - 1.0 || x > plot.rect.right() + 1.0;
                    if outside || series.values.get(at).copied().flatten().is_none() {
                        continue;
                    }
                    let mut half = 1.0;
                    let own_marker = series.point_markers.get(&at).unwrap_or(&series.marker);
                    if let Some(marker) = own_marker {
                        self.marker(marker, series.points.get(&at).copied(), x, y, self.clip);
                        half = marker.size as f32 / 2.0;
                    }
                    let rect = Rect::new(x - half, y - half, half * 2.0, half * 2.0);
                    own.push(Spot { at, rect, turned: false, backward: false });
                }
            }
            spots.push(own);
        }
        spots
    }

    /// A marker; a point of a colour of its own has a marker of that.
    pub(super) fn marker(&mut self, marker: &Marker, own: Option<Ink>, x: f32, y: f32, clip: Rect) {
        let half = marker.size as f32 / 2.0;
        let (path, closed) = marker_path(marker.shape, x, y, half);
        let fill = marker.fill.map(|fill| own.unwrap_or(fill));
        if let Some(fill) = fill.filter(|_| closed) {
            self.fill_within(path.clone(), fill, clip);
        }
        if let Some(line) = &marker.line {
            let ink = own.unwrap_or(line.ink);
            self.stroke_within(path, &Stroke { ink, ..line.clone() }, clip);
        }
    }
}

/// The outline of a marker, and whether it is filled.
fn marker_path(shape: MarkerShape, x: f32, y: f32, half: f32) -> (Option<Path>, bool) {
    // Strokes through the middle, each by the end that it has to the right or below.
    let lines = |ends: &[(f32, f32)]| {
        let mut path = PathBuilder::new();
        for (right, down) in ends {
            path.move_to(x - right * half, y - down * half);
            path.line_to(x + right * half, y + down * half);
        }
        path.finish()
    };
    let cross = [(1.0, 1.0), (1.0, -1.0)];
    let plus = [(1.0, 0.0), (0.0, 1.0)];
    match shape {
        MarkerShape::Circle => (circle(x, y, half), true),
        MarkerShape::Dot => (circle(x, y, half / 2.0), true),
        MarkerShape::Square => (Rect::new(x - half, y - half, half * 2.0, half * 2.0).path(), true),
        MarkerShape::Dash => (Rect::new(x - half, y - half / 4.0, half * 2.0, half / 2.0).path(), true),
        MarkerShape::Diamond => {
            (polyline(&[(x, y - half), (x + half, y), (x, y + half), (x - half, y)], true), true)
        }
        MarkerShape::Triangle => {
            (polyline(&[(x, y - half), (x + half, y + half), (x - half, y + half)], true), true)
        }
        MarkerShape::Cross => (lines(&cross), false),
        MarkerShape::Plus => (lines(&plus), false),
        MarkerShape::Star => (lines(&[(1.0, 1.0), (1.0, -1.0), (1.0, 0.0), (0.0, 1.0)]), false),
    }
}
