//! Charts of the plain kinds, with axes as Excel chooses them.

use sheet::resolved::{Ink, LookFont, PlainAxis, PlainChart, PlainGroup, PlainKind, Rgb, Stacking};

use crate::fonts::{Fonts, pixels};
use crate::scene::{Rect, Scene, Shape, Text, circle, polyline, slice};

const GRAY: Rgb = Rgb(0xD9, 0xD9, 0xD9);
const INK: Rgb = Rgb(0x59, 0x59, 0x59);

pub(crate) struct ChartPainter<'a> {
    pub(crate) scene: &'a mut Scene,
    pub(crate) fonts: &'a mut Fonts,
    /// Nothing outside of it is drawn.
    pub(crate) clip: Rect,
    /// A number by a format code.
    pub(crate) show: &'a dyn Fn(f64, &str) -> String,
}

/// Where values lie.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    fn part(&self, value: f64) -> f32 {
        ((value.clamp(self.low, self.high) - self.low) / (self.high - self.low)) as f32
    }

    fn ticks(&self) -> Vec<f64> {
        let count = ((self.high - self.low) / self.step + 1e-9).floor().clamp(0.0, 200.0) as usize;
        (0..=count).map(|index| self.low + self.step * index as f64).collect()
    }
}

/// Excel's choice: from zero unless the values lie close together far from it, with room above the highest.
fn scale(axis: &PlainAxis, low: f64, high: f64, most: f32) -> Scale {
    let (low, high) =
        if low == high { (low.min(0.0), if high == 0.0 { 1.0 } else { high.max(0.0) }) } else { (low, high) };
    let far = low > 0.0 && (high - low) / high < 1.0 / 6.0;
    let far_below = high < 0.0 && (high - low) / -low < 1.0 / 6.0;
    let bottom = axis.low.unwrap_or(match (far, low >= 0.0) {
        (true, _) => low - (high - low) / 2.0,
        (_, true) => 0.0,
        _ => low - (high - low) * 0.05,
    });
    let top = axis.high.unwrap_or(match (far_below, high <= 0.0) {
        (true, _) => high + (high - low) / 2.0,
        (_, true) => 0.0,
        _ => high + (high - if far { low } else { low.min(0.0) }) * 0.05,
    });
    let top = if top > bottom { top } else { bottom + 1.0 };
    let step = axis.step.filter(|step| (top - bottom) / step < 200.0).unwrap_or_else(|| {
        let rough = (top - bottom) / f64::from(most.max(1.0));
        let power = 10f64.powf(rough.log10().floor());
        let lead =
            [1.0, 2.0, 5.0, 10.0].into_iter().find(|lead| lead * power >= rough * 0.999).unwrap_or(10.0);
        lead * power
    });
    Scale {
        low: axis.low.unwrap_or((bottom / step).floor() * step),
        high: axis.high.unwrap_or((top / step - 1e-9).ceil() * step),
        step,
    }
}

impl ChartPainter<'_> {
    pub(crate) fn chart(&mut self, chart: &PlainChart, frame: Rect) {
        self.scene.rect(frame, Rgb::WHITE, Some(self.clip));
        self.scene.stroke(frame.inset(0.5).path(), GRAY.into(), 1.0, &[], Some(self.clip));
        let mut place = frame.inset(8.0);
        if let Some(title) = &chart.title {
            let height = 26.0f32.min(place.height / 4.0);
            let top = Rect { height, ..place };
            self.label(title, top.x + top.width / 2.0, top.y + 16.0, 0.5, 14.0);
            place = Rect { y: place.y + height, height: place.height - height, ..place };
        }
        if let Some(side) = &chart.legend {
            place = self.legend(chart, side, place);
        }
        if place.width < 20.0 || place.height < 20.0 {
            return;
        }
        match chart.groups.first().map(|group| group.kind) {
            Some(PlainKind::Pie | PlainKind::Doughnut) => self.round(chart, place),
            Some(_) => self.axes(chart, place),
            None => {}
        }
    }

    /// A line of text; `anchor` is the part of its width that lies left of `x`.
    fn label(&mut self, text: &str, x: f32, y: f32, anchor: f32, points: f64) -> f32 {
        let font = LookFont { size: points, ..LookFont::default() };
        let shaped = self.fonts.shape(text, &font, pixels(&font));
        let width = shaped.width;
        let item = Text {
            glyphs: shaped.glyphs,
            size: pixels(&font),
            x: x - width * anchor,
            y,
            ink: INK.into(),
            rotation: 0.0,
            words: text.to_owned(),
        };
        self.scene.push(Shape::Text(item), Some(self.clip));
        width
    }

    fn width(&mut self, text: &str) -> f32 {
        let font = LookFont { size: 9.0, ..LookFont::default() };
        self.fonts.width(text, &font, pixels(&font))
    }

    fn entries(chart: &PlainChart) -> Vec<(String, Ink)> {
        let round =
            chart.groups.iter().find(|group| matches!(group.kind, PlainKind::Pie | PlainKind::Doughnut));
        if let Some(series) = round.and_then(|group| group.series.first()) {
            let name = |index: usize| {
                let known = series.categories.get(index).filter(|name| !name.is_empty());
                known.cloned().unwrap_or_else(|| (index + 1).to_string())
            };
            return (0..series.values.len()).map(|index| (name(index), slice_ink(chart, index))).collect();
        }
        let series = chart.groups.iter().flat_map(|group| &group.series);
        let name = |index: usize, name: &Option<String>| {
            name.clone().unwrap_or_else(|| format!("Series{}", index + 1))
        };
        series.enumerate().map(|(index, one)| (name(index, &one.name), one.ink)).collect()
    }

    /// Draws the legend and gives what is left of the place.
    fn legend(&mut self, chart: &PlainChart, side: &str, place: Rect) -> Rect {
        let entries = ChartPainter::entries(chart);
        let widths: Vec<f32> = entries.iter().map(|(name, _)| self.width(name) + 18.0).collect();
        let key = |painter: &mut Self, x: f32, y: f32, name: &str, ink: Ink| {
            painter.scene.fill(Rect::new(x, y - 7.0, 8.0, 8.0).path(), ink, Some(painter.clip));
            painter.label(name, x + 12.0, y + 1.0, 0.0, 9.0);
        };
        if matches!(side, "t" | "b") {
            let total: f32 = widths.iter().sum::<f32>() + 8.0 * widths.len() as f32;
            let y = if side == "t" { place.y + 12.0 } else { place.bottom() - 4.0 };
            let mut x = place.x + ((place.width - total) / 2.0).max(0.0);
            for ((name, ink), width) in entries.iter().zip(&widths) {
                key(self, x, y, name, *ink);
                x += width + 8.0;
            }
            let top = if side == "t" { place.y + 20.0 } else { place.y };
            return Rect { y: top, height: place.height - 20.0, ..place };
        }
        let widest = widths.iter().copied().fold(0.0, f32::max).min(place.width / 2.5) + 6.0;
        let x = if side == "l" { place.x } else { place.right() - widest + 6.0 };
        let height = 17.0 * entries.len() as f32;
        let mut y = place.y + ((place.height - height) / 2.0).max(0.0) + 12.0;
        for (name, ink) in &entries {
            if y > place.bottom() {
                break;
            }
            key(self, x, y, name, *ink);
            y += 17.0;
        }
        Rect { x: if side == "l" { place.x + widest } else { place.x }, width: place.width - widest, ..place }
    }

    fn round(&mut self, chart: &PlainChart, place: Rect) {
        let Some(group) = chart.groups.first() else { return };
        let (x, y) = (place.x + place.width / 2.0, place.y + place.height / 2.0);
        let outer = place.width.min(place.height) / 2.0 - 4.0;
        let rings: Vec<_> = match group.kind {
            PlainKind::Pie => group.series.iter().take(1).collect(),
            _ => group.series.iter().collect(),
        };
        let hole = if group.kind == PlainKind::Pie { 0.0 } else { outer * group.hole as f32 };
        let thick = (outer - hole) / rings.len().max(1) as f32;
        for (ring, series) in rings.iter().enumerate() {
            let total: f64 = series.values.iter().flatten().map(|value| value.abs()).sum();
            if total <= 0.0 || !total.is_finite() {
                continue;
            }
            let inner = hole + thick * ring as f32;
            let mut angle = group.first_angle as f32;
            for (index, value) in series.values.iter().enumerate() {
                let turn = (value.unwrap_or(0.0).abs() / total * 360.0) as f32;
                if turn <= 0.0 {
                    continue;
                }
                let path = slice(x, y, inner, inner + thick, angle, angle + turn);
                let ink = series.points.get(&index).copied().unwrap_or_else(|| slice_ink(chart, index));
                self.scene.fill(path.clone(), ink, Some(self.clip));
                self.scene.stroke(path, Rgb::WHITE.into(), 1.5, &[], Some(self.clip));
                angle += turn;
            }
        }
    }

    fn axes(&mut self, chart: &PlainChart, place: Rect) {
        let Some(first) = chart.groups.first() else { return };
        let kind = first.kind;
        let is_bar = kind == PlainKind::Bar;
        let percent = chart.groups.iter().any(|group| group.stacking == Stacking::Percent);
        let (low, high) =
            chart.groups.iter().map(reach).fold((f64::MAX, f64::MIN), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        if !low.is_finite() || !high.is_finite() || low > high {
            return;
        }
        let length = if is_bar { place.width } else { place.height };
        let most = (length / if is_bar { 60.0 } else { 28.0 }).clamp(2.0, 10.0);
        let on_zero = kind != PlainKind::Line && kind != PlainKind::Scatter;
        let (low, high) = if on_zero { (low.min(0.0), high.max(0.0)) } else { (low, high) };
        let scale = match percent {
            true => Scale {
                low: if low < 0.0 { -1.0 } else { 0.0 },
                high: 1.0,
                step: 0.1 * (10.0 / f64::from(most)).ceil(),
            },
            false => scale(&chart.value_axis, low, high, most),
        };
        let code = match (&chart.value_axis.number_format, percent) {
            (_, true) => "0%",
            (Some(code), _) => code.as_str(),
            _ => "General",
        };
        let ticks: Vec<(f64, String)> =
            scale.ticks().into_iter().map(|tick| (tick, (self.show)(tick, code))).collect();
        let count = chart
            .groups
            .iter()
            .flat_map(|group| &group.series)
            .map(|one| one.values.len())
            .max()
            .unwrap_or(0);
        let known =
            chart.groups.iter().flat_map(|group| &group.series).find(|one| !one.categories.is_empty());
        let category = |index: usize| match known.and_then(|one| one.categories.get(index)) {
            Some(name) => name.clone(),
            None => (index + 1).to_string(),
        };
        let across = (kind == PlainKind::Scatter).then(|| {
            let xs = first
                .series
                .iter()
                .flat_map(|one| (0..one.values.len()).map(|index| scatter_x(&one.xs, index)));
            let (low, high) = xs.fold((f64::MAX, f64::MIN), |a, x| (a.0.min(x), a.1.max(x)));
            self::scale(&chart.category_axis, low, high, (place.width / 60.0).clamp(2.0, 10.0))
        });
        let beside: Vec<String> = match is_bar {
            true => (0..count).map(category).collect(),
            false => ticks.iter().map(|(_, text)| text.clone()).collect(),
        };
        let mut left = 4.0;
        let side_hidden = if is_bar { chart.category_axis.hidden } else { chart.value_axis.hidden };
        let foot_hidden = if is_bar { chart.value_axis.hidden } else { chart.category_axis.hidden };
        if !side_hidden {
            left +=
                beside.iter().map(|text| self.width(text)).fold(0.0, f32::max).min(place.width / 3.0) + 4.0;
        }
        let mut foot = if foot_hidden { 6.0 } else { 20.0 };
        let (side_title, foot_title) = match is_bar {
            true => (&chart.category_axis.title, &chart.value_axis.title),
            false => (&chart.value_axis.title, &chart.category_axis.title),
        };
        if let Some(title) = side_title {
            self.turned(title, place.x + 10.0, place.y + place.height / 2.0);
            left += 18.0;
        }
        if let Some(title) = foot_title {
            self.label(title, place.x + left + (place.width - left) / 2.0, place.bottom() - 2.0, 0.5, 10.0);
            foot += 16.0;
        }
        let plot =
            Rect::new(place.x + left, place.y + 6.0, place.width - left - 8.0, place.height - foot - 6.0);
        if plot.width < 10.0 || plot.height < 10.0 {
            return;
        }
        for (tick, text) in &ticks {
            let part = scale.part(*tick);
            let (from, to) = match is_bar {
                true => ((plot.x + plot.width * part, plot.y), (plot.x + plot.width * part, plot.bottom())),
                false => (
                    (plot.x, plot.bottom() - plot.height * part),
                    (plot.right(), plot.bottom() - plot.height * part),
                ),
            };
            if chart.value_axis.gridlines {
                self.scene.line(from, to, GRAY.into(), 1.0, Some(self.clip));
            }
            match is_bar {
                true if !chart.value_axis.hidden => {
                    self.label(text, to.0, plot.bottom() + 14.0, 0.5, 9.0);
                }
                false if !chart.value_axis.hidden => {
                    self.label(text, plot.x - 4.0, from.1 + 4.0, 1.0, 9.0);
                }
                _ => {}
            }
        }
        let zero = scale.part(0.0f64.clamp(scale.low, scale.high));
        let base = match is_bar {
            true => ((plot.x + plot.width * zero, plot.y), (plot.x + plot.width * zero, plot.bottom())),
            false => (
                (plot.x, plot.bottom() - plot.height * zero),
                (plot.right(), plot.bottom() - plot.height * zero),
            ),
        };
        for group in &chart.groups {
            match (&across, group.kind) {
                (Some(across), _) => self.dots(group, plot, &scale, across),
                (None, PlainKind::Column | PlainKind::Bar) => self.bars(group, plot, &scale, count),
                (None, _) => self.lines(group, plot, &scale, count, kind == PlainKind::Area),
            }
        }
        self.scene.line(base.0, base.1, Rgb(0xBF, 0xBF, 0xBF).into(), 1.0, Some(self.clip));
        if chart.category_axis.hidden {
            return;
        }
        if let Some(across) = &across {
            let code = chart.category_axis.number_format.as_deref().unwrap_or("General");
            for tick in across.ticks() {
                let text = (self.show)(tick, code);
                self.label(&text, plot.x + plot.width * across.part(tick), plot.bottom() + 14.0, 0.5, 9.0);
            }
            return;
        }
        // As many names as fit, at even distances.
        let room = if is_bar { plot.height } else { plot.width } / count.max(1) as f32;
        let widest = (0..count).map(|index| self.width(&category(index))).fold(1.0, f32::max);
        let needed = if is_bar { 14.0 } else { widest + 6.0 };
        let every = (needed / room).ceil().max(1.0) as usize;
        for index in (0..count).step_by(every) {
            let middle = (index as f32 + 0.5) * room;
            match is_bar {
                true => self.label(&category(index), plot.x - 4.0, plot.bottom() - middle + 4.0, 1.0, 9.0),
                false => self.label(&category(index), plot.x + middle, plot.bottom() + 14.0, 0.5, 9.0),
            };
        }
    }

    /// A title beside an axis, read from below.
    fn turned(&mut self, text: &str, x: f32, y: f32) {
        let font = LookFont { size: 10.0, ..LookFont::default() };
        let shaped = self.fonts.shape(text, &font, pixels(&font));
        let item = Text {
            x: x + 4.0,
            y: y + shaped.width / 2.0,
            glyphs: shaped.glyphs,
            size: pixels(&font),
            ink: INK.into(),
            rotation: 90.0,
            words: text.to_owned(),
        };
        self.scene.push(Shape::Text(item), Some(self.clip));
    }

    fn bars(&mut self, group: &PlainGroup, plot: Rect, scale: &Scale, count: usize) {
        let is_bar = group.kind == PlainKind::Bar;
        let room = if is_bar { plot.height } else { plot.width } / count.max(1) as f32;
        let beside = if group.stacking == Stacking::Beside { group.series.len().max(1) } else { 1 };
        let overlap = group.overlap as f32;
        let spread = 1.0 + (beside - 1) as f32 * (1.0 - overlap);
        let width = room / (spread + group.gap as f32);
        for (index, series) in group.series.iter().enumerate() {
            for (at, value) in series.values.iter().enumerate() {
                let Some((from, to)) = span(group, index, at).filter(|_| value.is_some()) else { continue };
                let slot = if group.stacking == Stacking::Beside { index as f32 } else { 0.0 };
                let side = at as f32 * room + (room - width * spread) / 2.0 + slot * width * (1.0 - overlap);
                let (a, b) = (scale.part(from.min(to)), scale.part(from.max(to)));
                let rect = match is_bar {
                    true => Rect::new(
                        plot.x + plot.width * a,
                        plot.bottom() - side - width,
                        plot.width * (b - a),
                        width,
                    ),
                    false => Rect::new(
                        plot.x + side,
                        plot.bottom() - plot.height * b,
                        width,
                        plot.height * (b - a),
                    ),
                };
                let ink = series.points.get(&at).copied().unwrap_or(series.ink);
                self.scene.fill(rect.path(), ink, Some(self.clip));
            }
        }
    }

    fn lines(&mut self, group: &PlainGroup, plot: Rect, scale: &Scale, count: usize, edge: bool) {
        let x = |at: usize| match edge && count > 1 {
            true => plot.x + plot.width * at as f32 / (count - 1) as f32,
            false => plot.x + plot.width * (at as f32 + 0.5) / count.max(1) as f32,
        };
        let y = |value: f64| plot.bottom() - plot.height * scale.part(value);
        let order: Vec<usize> = match group.kind {
            PlainKind::Area if group.stacking == Stacking::Beside => (0..group.series.len()).collect(),
            _ => (0..group.series.len()).collect(),
        };
        for index in order {
            let Some(series) = group.series.get(index) else { continue };
            let mut runs: Vec<Vec<(f32, f32, f32)>> = vec![Vec::new()];
            for (at, value) in series.values.iter().enumerate() {
                match span(group, index, at).filter(|_| value.is_some()) {
                    Some((from, to)) => {
                        runs.last_mut().into_iter().for_each(|run| run.push((x(at), y(from), y(to))))
                    }
                    None => runs.push(Vec::new()),
                }
            }
            for run in runs.iter().filter(|run| !run.is_empty()) {
                let top: Vec<(f32, f32)> = run.iter().map(|(x, _, y)| (*x, *y)).collect();
                if group.kind == PlainKind::Area {
                    let below = run.iter().rev().map(|(x, y, _)| (*x, *y));
                    let shape: Vec<(f32, f32)> = top.iter().copied().chain(below).collect();
                    self.scene.fill(polyline(&shape, true), series.ink, Some(self.clip));
                    continue;
                }
                if let Some(width) = series.line {
                    self.scene.stroke(polyline(&top, false), series.ink, width as f32, &[], Some(self.clip));
                }
                for (x, y) in top.iter().filter(|_| series.markers) {
                    self.scene.fill(circle(*x, *y, 3.5), series.ink, Some(self.clip));
                }
            }
        }
    }

    fn dots(&mut self, group: &PlainGroup, plot: Rect, scale: &Scale, across: &Scale) {
        for series in &group.series {
            let points: Vec<(f32, f32)> = series
                .values
                .iter()
                .enumerate()
                .filter_map(|(at, value)| {
                    let x = plot.x + plot.width * across.part(scatter_x(&series.xs, at));
                    Some((x, plot.bottom() - plot.height * scale.part((*value)?)))
                })
                .collect();
            if let Some(width) = series.line {
                self.scene.stroke(polyline(&points, false), series.ink, width as f32, &[], Some(self.clip));
            }
            for (x, y) in points.iter().filter(|_| series.markers) {
                self.scene.fill(circle(*x, *y, 3.5), series.ink, Some(self.clip));
            }
        }
    }
}

/// The x of a point; the numbers of the points where some x is no number, as in Excel.
fn scatter_x(xs: &[Option<f64>], at: usize) -> f64 {
    match !xs.is_empty() && xs.iter().all(Option::is_some) {
        true => xs.get(at).copied().flatten().unwrap_or(0.0),
        false => (at + 1) as f64,
    }
}

fn slice_ink(chart: &PlainChart, index: usize) -> Ink {
    let series = chart.groups.first().and_then(|group| group.series.first());
    let own = series.and_then(|series| series.points.get(&index).copied());
    own.unwrap_or_else(|| {
        let colors = &chart.slice_colors;
        let base = colors.get(index % colors.len().max(1)).copied().unwrap_or(INK);
        // The second round is darker, the third lighter.
        match index / colors.len().max(1) {
            0 => base.into(),
            1 => base.tinted(-0.4).into(),
            _ => base.tinted(0.4).into(),
        }
    })
}

/// From where to where a value reaches, on those below it if they are stacked.
fn span(group: &PlainGroup, series: usize, at: usize) -> Option<(f64, f64)> {
    let value = |one: &sheet::resolved::PlainSeries| one.values.get(at).copied().flatten().unwrap_or(0.0);
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

/// The least and greatest place that a group reaches.
fn reach(group: &PlainGroup) -> (f64, f64) {
    let mut found = (f64::MAX, f64::MIN);
    for (index, series) in group.series.iter().enumerate() {
        for (at, value) in series.values.iter().enumerate().filter(|(_, value)| value.is_some()) {
            let top = match group.stacking {
                Stacking::Beside => value.unwrap_or(0.0),
                _ => span(group, index, at).map_or(0.0, |(_, to)| to),
            };
            found = (found.0.min(top), found.1.max(top));
        }
    }
    found
}
