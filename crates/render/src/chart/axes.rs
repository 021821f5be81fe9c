//! The plot between its axes: how large it is, its marks and their labels, and what is drawn in it.

use sheet::resolved::{
    Crossing, DateUnit, PlainAxis, PlainChart, PlainGroup, PlainKind, PlainSeries, Stacking, TickLabels,
    TickMarks,
};

use super::groups::{reach, scatter_x};
use super::scale::{Across, Scale, day_of_month, in_units, scale};
use super::{ChartPainter, line_height};
use crate::scene::Rect;

/// Labels of categories that are measured and drawn at most.
const MOST_LABELS: usize = 2_000;

/// The plot and how places on it are found.
pub(super) struct Plot {
    pub(super) rect: Rect,
    /// Values run to the right.
    pub(super) turned: bool,
    pub(super) across: Across,
}

impl Plot {
    pub(super) fn point(&self, across: f32, up: f32) -> (f32, f32) {
        let Rect { x, width, height, .. } = self.rect;
        match self.turned {
            true => (x + width * up, self.rect.bottom() - height * across),
            false => (x + width * across, self.rect.bottom() - height * up),
        }
    }

    /// What of the plot is inside the picture.
    pub(super) fn clip(&self, clip: Rect) -> Rect {
        let (x, y) = (self.rect.x.max(clip.x), self.rect.y.max(clip.y));
        Rect {
            x,
            y,
            width: (self.rect.right().min(clip.right()) - x).max(0.0),
            height: (self.rect.bottom().min(clip.bottom()) - y).max(0.0),
        }
    }

    pub(super) fn by_date(&self) -> bool {
        matches!(self.across, Across::Dates { .. })
    }
}

/// A label of the axis of categories and how far along it stands.
struct CategoryLabel {
    part: f32,
    words: String,
}

/// What is written along the axis of categories.
struct CategoryLabels {
    labels: Vec<CategoryLabel>,
    /// Counter-clockwise.
    degrees: f32,
    /// In lines, where they are broken.
    lines: Vec<Vec<String>>,
    /// What they take, away from the axis.
    depth: f32,
}

fn groups_of(chart: &PlainChart, second: bool) -> impl Iterator<Item = &PlainGroup> {
    chart.groups.iter().filter(move |group| group.second == second)
}

/// The scale of the values of groups, with so many marks at most; nothing if there are no values.
fn value_scale(groups: &[&PlainGroup], axis: &PlainAxis, most: f32) -> Option<Scale> {
    let percent = groups.iter().any(|group| group.stacking == Stacking::Percent);
    let over_zero = axis.log_base.is_some();
    let reached = groups.iter().map(|group| reach(group, over_zero));
    let (low, high) = reached.fold((f64::MAX, f64::MIN), |a, b| (a.0.min(b.0), a.1.max(b.1)));
    if low > high {
        return None;
    }
    if percent && axis.low.is_none() && axis.high.is_none() {
        let least = low.min(0.0);
        let (low, high) = (if low < 0.0 { -1.0 } else { 0.0 }, if high > 0.0 { 1.0 } else { 0.0 });
        let fits = |step: &f64| (high - low) / step <= f64::from(most) + 0.01;
        let step = axis.step.filter(|step| *step <= 1.0);
        let step = step.unwrap_or_else(|| [0.1, 0.2, 0.5].into_iter().find(fits).unwrap_or(1.0));
        let low = ((least / step + 1e-9).floor() * step).max(-1.0);
        return Some(Scale { low, high, step, log: None, reversed: axis.reversed });
    }
    // Bars and areas stand on zero unless they are cut far from it.
    Some(scale(axis, low, high, most))
}

fn value_code<'a>(groups: &[&'a PlainGroup], axis: &'a PlainAxis) -> &'a str {
    let percent = groups.iter().any(|group| group.stacking == Stacking::Percent);
    let source = groups.iter().flat_map(|group| &group.series).find_map(|one| one.value_format.as_deref());
    match (&axis.number_format, percent) {
        (Some(code), _) => code,
        (None, true) => "0%",
        (None, false) => source.unwrap_or("General"),
    }
}

fn across(chart: &PlainChart, group: &PlainGroup, axis: &PlainAxis, between: bool, length: f32) -> Across {
    if group.kind == PlainKind::Scatter {
        let series = groups_of(chart, group.second).filter(|group| group.kind == PlainKind::Scatter);
        let xs = series
            .flat_map(|group| &group.series)
            .flat_map(|one| (0..one.values.len()).filter_map(|at| scatter_x(one, at)));
        let xs = xs.filter(|x| axis.log_base.is_none() || *x > 0.0);
        let (low, high) = xs.fold((f64::MAX, f64::MIN), |a, x| (a.0.min(x), a.1.max(x)));
        let most = (length / 45.0).clamp(2.0, 12.0);
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        return Across::Numbers(scale(axis, low, high, most));
    }
    let all = || {
        let plain = chart.groups.iter().filter(|group| group.kind != PlainKind::Scatter);
        plain.flat_map(|group| &group.series)
    };
    let count = all().map(|one| one.values.len().max(one.categories.len())).max().unwrap_or(0);
    let dates: Vec<f64> = all().flat_map(|one| one.xs.iter().copied().flatten()).collect();
    let are_dates = all().all(|one| one.xs.is_empty() || one.xs.iter().all(Option::is_some));
    if let Some(known) = axis.dates.filter(|_| are_dates && dates.len() > 1) {
        let unit = known.unit.unwrap_or_else(|| base_unit(&dates));
        let units = dates.iter().map(|date| in_units(*date, unit));
        let (low, high) = units.fold((f64::MAX, f64::MIN), |a, x| (a.0.min(x), a.1.max(x)));
        let bound = |limit: Option<f64>, found: f64| limit.map_or(found, |limit| in_units(limit, unit));
        let (low, high) = (bound(axis.low, low), bound(axis.high, high));
        if (1.0..=200_000.0).contains(&(high - low)) {
            return Across::Dates { low, high, unit, between, reversed: axis.reversed };
        }
    }
    Across::Categories { count, between, reversed: axis.reversed }
}

/// Days, unless all of them are the same day of their months.
fn base_unit(dates: &[f64]) -> DateUnit {
    let monthly = dates.iter().all(|date| {
        let months = in_units(*date, DateUnit::Months) as i64;
        date.floor() == day_of_month(months) || date.floor() + 1.0 == day_of_month(months + 1)
    });
    match monthly && dates.len() > 1 {
        true => DateUnit::Months,
        false => DateUnit::Days,
    }
}

impl ChartPainter<'_> {
    /// As many marks as Excel makes: never more than ten, fewer where their labels would not fit.
    fn value_scale(
        &mut self,
        groups: &[&PlainGroup],
        axis: &PlainAxis,
        length: f32,
        turned: bool,
    ) -> Option<Scale> {
        let high = axis.text.size as f32 * 96.0 / 72.0 * 1.45;
        let spacing = match turned {
            false => high,
            true => {
                let last = value_scale(groups, axis, 8.0)?.ticks().last().copied().unwrap_or(0.0);
                let last = last / axis.unit.as_ref().map_or(1.0, |(unit, _)| *unit);
                let words = (self.show)(last, value_code(groups, axis));
                (self.width(&words, &axis.text) + high).max(33.0)
            }
        };
        value_scale(groups, axis, (length / spacing).clamp(2.0, 10.0))
    }

    pub(super) fn axes(&mut self, chart: &PlainChart, place: Rect, frame: Rect) {
        let Some(first) = chart.groups.first() else { return };
        let turned = first.kind == PlainKind::Bar;
        let own: Vec<&PlainGroup> = groups_of(chart, false).collect();
        let others: Vec<&PlainGroup> = groups_of(chart, true).collect();
        let (value, category) = (&chart.value_axis, &chart.category_axis);
        let length = if turned { place.width * 0.8 } else { place.height * 0.8 };
        let Some(up) = self.value_scale(&own, value, length, turned) else { return };
        let second_axis = chart.second_value_axis.as_ref();
        let second = second_axis.and_then(|axis| self.value_scale(&others, axis, length, turned));
        let only_areas = chart.groups.iter().all(|group| group.kind == PlainKind::Area);
        let between = value.between && !only_areas
            || chart.groups.iter().any(|group| matches!(group.kind, PlainKind::Column | PlainKind::Bar));
        let along = if turned { place.height } else { place.width };
        let across = across(chart, first, category, between, along * 0.85);
        let ticks = self.value_ticks(&up, value, value_code(&own, value));
        let second_ticks = match (&second, second_axis) {
            (Some(scale), Some(axis)) => self.value_ticks(scale, axis, value_code(&others, axis)),
            _ => Vec::new(),
        };
        let room = along * 0.85;
        let names = self.category_labels(chart, &across, category, room, turned, place);
        let rect = match chart.plot_layout {
            Some(layout) if layout.inner => Rect::new(
                frame.x + frame.width * layout.x as f32,
                frame.y + frame.height * layout.y as f32,
                frame.width * layout.width as f32,
                frame.height * layout.height as f32,
            ),
            _ => self.plot_rect(chart, place, turned, &ticks, &second_ticks, &names),
        };
        if rect.width < 10.0 || rect.height < 10.0 {
            return;
        }
        let plot = Plot { rect, turned, across };
        if let Some(ground) = chart.plot_ground {
            self.fill_within(rect.path(), ground, self.clip);
        }
        self.gridlines(&plot, value, &ticks);
        if let Some(line) = &chart.plot_frame {
            self.stroke(rect.path(), line);
        }
        if let (Across::Numbers(scale), Some(line)) = (&plot.across, &category.gridlines) {
            for tick in scale.ticks() {
                let part = scale.part(tick);
                let path = crate::scene::polyline(&[plot.point(part, 0.0), plot.point(part, 1.0)], false);
                self.stroke(path, line);
            }
        }
        self.contents(chart, &plot, &up, second.as_ref());
        self.value_axis(&plot, value, &ticks, false, chart.category_axis.reversed);
        if let (Some(axis), Some(_)) = (second_axis, &second) {
            self.value_axis(&plot, axis, &second_ticks, true, chart.category_axis.reversed);
        }
        self.category_axis(chart, &plot, &up, &names);
        self.titles(chart, &plot, place, &names);
    }

    /// Marks and what is written at them.
    fn value_ticks(&mut self, scale: &Scale, axis: &PlainAxis, code: &str) -> Vec<(f32, String)> {
        let unit = axis.unit.as_ref().map_or(1.0, |(unit, _)| *unit);
        let ticks = scale.ticks().into_iter();
        ticks.map(|tick| (scale.part(tick), (self.show)(tick / unit, code))).collect()
    }

    fn gridlines(&mut self, plot: &Plot, axis: &PlainAxis, ticks: &[(f32, String)]) {
        let Some(line) = &axis.gridlines else { return };
        for (part, _) in ticks {
            let path = crate::scene::polyline(&[plot.point(0.0, *part), plot.point(1.0, *part)], false);
            self.stroke(path, line);
        }
    }

    /// The groups, areas behind bars behind lines, each on its axes; then what is written on them.
    fn contents(&mut self, chart: &PlainChart, plot: &Plot, up: &Scale, second: Option<&Scale>) {
        let mut order: Vec<(usize, &PlainGroup)> = Vec::new();
        let mut first = 0;
        for group in &chart.groups {
            order.push((first, group));
            first += group.series.len();
        }
        let rank = |group: &PlainGroup| match group.kind {
            PlainKind::Area => 0,
            PlainKind::Column | PlainKind::Bar => 1,
            PlainKind::Line => 2,
            _ => 3,
        };
        order.sort_by_key(|(_, group)| (group.second, rank(group)));
        let mut written = Vec::new();
        for (first, group) in order {
            let scale = match (group.second, second) {
                (true, Some(second)) => second,
                _ => up,
            };
            let own_across = match (group.kind, &plot.across) {
                (PlainKind::Scatter, Across::Categories { .. } | Across::Dates { .. }) => {
                    let axis = chart.second_category_axis.as_ref().filter(|_| group.second);
                    axis.map(|axis| across(chart, group, axis, false, plot.rect.width))
                }
                _ => None,
            };
            let own = Plot {
                rect: plot.rect,
                turned: plot.turned,
                across: own_across.unwrap_or_else(|| plot.across.clone()),
            };
            let axis = if group.second { chart.second_category_axis.as_ref() } else { None };
            let base = crossing(axis.unwrap_or(&chart.category_axis).crossing, scale);
            let spots = match group.kind {
                PlainKind::Column | PlainKind::Bar => self.bars(group, &own, scale, base),
                _ => self.lines(chart, group, &own, scale),
            };
            self.trends(group, &own, scale, &chart.value_axis.text);
            written.push((group, spots, first));
        }
        for (group, spots, first) in written {
            self.data_labels(group, &spots, first);
        }
    }

    /// What is left of a place when everything around the plot has its room.
    fn plot_rect(
        &mut self,
        chart: &PlainChart,
        place: Rect,
        turned: bool,
        ticks: &[(f32, String)],
        second: &[(f32, String)],
        names: &CategoryLabels,
    ) -> Rect {
        let mut widest = |ticks: &[(f32, String)], axis: &PlainAxis| match axis.labels {
            TickLabels::None => 0.0,
            _ => ticks.iter().map(|(_, words)| self.width(words, &axis.text)).fold(0.0, f32::max) + 8.0,
        };
        let value_depth = match turned {
            true if chart.value_axis.labels == TickLabels::None => 0.0,
            true => line_height(&chart.value_axis.text) + 4.0,
            false => widest(ticks, &chart.value_axis).min(place.width / 3.0),
        };
        let second_depth = match (&chart.second_value_axis, turned) {
            (Some(axis), false) => widest(second, axis).min(place.width / 4.0),
            (Some(axis), true) if axis.labels != TickLabels::None => line_height(&axis.text) + 4.0,
            _ => 0.0,
        };
        // On the side that the axis stands on.
        let far = value_far(&chart.value_axis, chart.category_axis.reversed);
        let high = chart.category_axis.labels == TickLabels::High
            || chart.value_axis.reversed && chart.category_axis.labels == TickLabels::NextTo;
        let mut sides = [0.0f32; 4]; // left, right, top, bottom
        let (near_value, far_value, near_names, far_names) = if turned { (3, 2, 0, 1) } else { (0, 1, 3, 2) };
        let mut add = |side: usize, by: f32| {
            if let Some(slot) = sides.get_mut(side) {
                *slot += by;
            }
        };
        add(if far { far_value } else { near_value }, value_depth);
        add(if far { near_value } else { far_value }, second_depth);
        add(if high { far_names } else { near_names }, names.depth);
        for (axis, side) in self.title_sides(chart, turned) {
            if let Some(title) = &axis.title {
                add(side, line_height(&title.text) * title.words.lines().count() as f32 + 3.0);
            }
        }
        let [left, right, top, bottom] = sides;
        let half = line_height(&chart.value_axis.text) / 2.0;
        let (left, right) = (left.max(4.0), right.max(10.0));
        let (top, bottom) = (top.max(half), bottom.max(half));
        Rect::new(
            place.x + left,
            place.y + top,
            (place.width - left - right).max(0.0),
            (place.height - top - bottom).max(0.0),
        )
    }

    /// The axes that may have titles, and the side of each: left, right, top, bottom.
    fn title_sides<'a>(&self, chart: &'a PlainChart, turned: bool) -> Vec<(&'a PlainAxis, usize)> {
        let far = value_far(&chart.value_axis, chart.category_axis.reversed);
        let (near_value, far_value, names) = if turned { (3, 2, 0) } else { (0, 1, 3) };
        let mut sides = vec![
            (&chart.value_axis, if far { far_value } else { near_value }),
            (&chart.category_axis, names),
        ];
        if let Some(axis) = &chart.second_value_axis {
            sides.push((axis, if far { near_value } else { far_value }));
        }
        sides
    }

    fn titles(&mut self, chart: &PlainChart, plot: &Plot, place: Rect, names: &CategoryLabels) {
        // A plot that somebody placed has its titles where its labels end.
        let moved = chart.plot_layout.is_some_and(|layout| layout.inner);
        let below = if plot.turned { line_height(&chart.value_axis.text) + 4.0 } else { names.depth };
        let (middle_x, middle_y) =
            (plot.rect.x + plot.rect.width / 2.0, plot.rect.y + plot.rect.height / 2.0);
        for (axis, side) in self.title_sides(chart, plot.turned) {
            let Some(title) = &axis.title else { continue };
            let line = line_height(&title.text);
            let words = title.words.replace('\n', " ");
            match side {
                0 => self.turned_label(&words, place.x + line * 0.8, middle_y, 0.5, 90.0, &title.text),
                1 => self.turned_label(&words, place.right() - line * 0.3, middle_y, 0.5, 90.0, &title.text),
                2 => self.label(&words, middle_x, place.y + line * 0.8, 0.5, &title.text),
                _ => {
                    let y = if moved {
                        plot.rect.bottom() + below + line * 0.8
                    } else {
                        place.bottom() - line * 0.25
                    };
                    self.label(&words, middle_x, y, 0.5, &title.text)
                }
            };
        }
    }

    fn value_axis(
        &mut self,
        plot: &Plot,
        axis: &PlainAxis,
        ticks: &[(f32, String)],
        second: bool,
        reversed: bool,
    ) {
        let far = if second { value_far(axis, reversed) || axis.far_side } else { value_far(axis, reversed) };
        let far = match axis.labels {
            TickLabels::High => !reversed,
            TickLabels::Low => reversed,
            _ => far,
        };
        let edge = match (&plot.across, axis.labels) {
            // Where it crosses the axis for x, if that is within.
            (Across::Numbers(across), TickLabels::NextTo | TickLabels::None) => {
                across.part(crossing(axis.crossing, across))
            }
            (Across::Categories { count, reversed, .. }, TickLabels::NextTo | TickLabels::None)
                if matches!(axis.crossing, Crossing::At(_)) =>
            {
                let at = if let Crossing::At(at) = axis.crossing { at } else { 1.0 };
                let part = ((at - 1.0) / (*count).max(1) as f64).clamp(0.0, 1.0) as f32;
                if *reversed { 1.0 - part } else { part }
            }
            _ if far => 1.0,
            _ => 0.0,
        };
        if let Some(line) = &axis.line {
            let path = crate::scene::polyline(&[plot.point(edge, 0.0), plot.point(edge, 1.0)], false);
            self.stroke(path, line);
        }
        self.marks(axis, ticks.iter().map(|(part, _)| plot.point(edge, *part)), plot.turned, far);
        if axis.labels == TickLabels::None {
            return;
        }
        let size = axis.text.size as f32 * 96.0 / 72.0;
        for (part, words) in ticks {
            let (x, y) = plot.point(edge, *part);
            match (plot.turned, far) {
                (false, false) => self.label(words, x - 5.0, y + size * 0.33, 1.0, &axis.text),
                (false, true) => self.label(words, x + 5.0, y + size * 0.33, 0.0, &axis.text),
                (true, false) => self.label(words, x, y + size * 1.15, 0.5, &axis.text),
                (true, true) => self.label(words, x, y - 5.0, 0.5, &axis.text),
            };
        }
        if let Some((_, Some(unit))) = &axis.unit {
            let (x, y) = plot.point(edge, 1.0);
            self.label(unit, x, y - size * 0.8, 0.5, &axis.text);
        }
    }

    /// Short lines across an axis, which lies flat or stands; `far` is an axis at the right or at the top.
    fn marks(&mut self, axis: &PlainAxis, places: impl Iterator<Item = (f32, f32)>, flat: bool, far: bool) {
        let Some(line) = &axis.line else { return };
        let (inside, outside) = match axis.marks {
            TickMarks::None => return,
            TickMarks::Inside => (4.0, 0.0),
            TickMarks::Outside => (0.0, 4.0),
            TickMarks::Across => (4.0, 4.0),
        };
        let (before, behind) = if far != flat { (inside, outside) } else { (outside, inside) };
        for (x, y) in places {
            let ends = match flat {
                true => [(x, y - before), (x, y + behind)],
                false => [(x - before, y), (x + behind, y)],
            };
            self.stroke(crate::scene::polyline(&ends, false), line);
        }
    }

    fn category_axis(&mut self, chart: &PlainChart, plot: &Plot, up: &Scale, names: &CategoryLabels) {
        let axis = &chart.category_axis;
        let at = up.part(crossing(axis.crossing, up));
        if let Some(line) = &axis.line {
            let path = crate::scene::polyline(&[plot.point(0.0, at), plot.point(1.0, at)], false);
            self.stroke(path, line);
        }
        let places: Vec<f32> = match &plot.across {
            Across::Categories { count, between: true, .. } if *count <= 100 => {
                (0..=*count).map(|index| index as f32 / (*count).max(1) as f32).collect()
            }
            Across::Categories { count, between: true, .. } if *count > 100 => Vec::new(),
            _ => names.labels.iter().map(|label| label.part).collect(),
        };
        self.marks(axis, places.iter().map(|part| plot.point(*part, at)), !plot.turned, up.reversed);
        let edge = match axis.labels {
            TickLabels::None => return,
            TickLabels::Low => {
                if up.reversed {
                    1.0
                } else {
                    0.0
                }
            }
            TickLabels::High => {
                if up.reversed {
                    0.0
                } else {
                    1.0
                }
            }
            TickLabels::NextTo => at,
        };
        let beyond = edge > 0.99 && (axis.labels == TickLabels::High || up.reversed);
        let line = line_height(&axis.text);
        let size = axis.text.size as f32 * 96.0 / 72.0;
        for (label, lines) in names.labels.iter().zip(&names.lines) {
            let (x, y) = plot.point(label.part, edge);
            if plot.turned {
                let (x, anchor) = if beyond { (x + 5.0, 0.0) } else { (x - 5.0, 1.0) };
                let top = y + size * 0.33 - line * (lines.len() as f32 - 1.0) / 2.0;
                for (index, words) in lines.iter().enumerate() {
                    self.label(words, x, top + line * index as f32, anchor, &axis.text);
                }
            } else if names.degrees != 0.0 {
                let (shift, anchor) =
                    if names.degrees > 0.0 { (size * 0.3, 1.0) } else { (-size * 0.3, 0.0) };
                let y = if beyond { y - 4.0 } else { y + size * 0.7 };
                self.turned_label(&label.words, x + shift, y, anchor, names.degrees, &axis.text);
            } else {
                let top = if beyond { y - line * lines.len() as f32 - 2.0 } else { y + 3.0 };
                for (index, words) in lines.iter().enumerate() {
                    self.label(words, x, top + line * (index as f32 + 0.8), 0.5, &axis.text);
                }
            }
        }
        self.outer_level(chart, plot, names, edge);
    }

    /// Names over several categories, below theirs.
    fn outer_level(&mut self, chart: &PlainChart, plot: &Plot, names: &CategoryLabels, edge: f32) {
        let axis = &chart.category_axis;
        let Some(series) = first_named(chart).filter(|series| {
            !series.outer.is_empty() && matches!(plot.across, Across::Categories { .. }) && !plot.turned
        }) else {
            return;
        };
        let count = series.categories.len().max(series.values.len());
        let line = line_height(&axis.text);
        for (index, (start, name)) in series.outer.iter().enumerate() {
            let end = series.outer.get(index + 1).map_or(count, |next| next.0);
            let middle = (*start as f32 + end as f32) / 2.0 / count.max(1) as f32;
            let (x, y) = plot.point(middle, edge);
            self.label(name, x, y + names.depth - line * 0.3, 0.5, &axis.text);
        }
    }

    /// Which categories are named, and how their names fit.
    fn category_labels(
        &mut self,
        chart: &PlainChart,
        across: &Across,
        axis: &PlainAxis,
        room: f32,
        turned: bool,
        place: Rect,
    ) -> CategoryLabels {
        let mut labels = self.all_labels(chart, across, axis, room);
        let none = CategoryLabels { labels: Vec::new(), degrees: 0.0, lines: Vec::new(), depth: 0.0 };
        if axis.labels == TickLabels::None || labels.is_empty() {
            return none;
        }
        let line = line_height(&axis.text);
        let each = room / labels.len() as f32;
        if turned {
            let every = axis.label_every.unwrap_or_else(|| (line * 0.9 / each).ceil().max(1.0) as usize);
            labels = labels.into_iter().step_by(every.max(1)).collect();
            // A plot that somebody placed leaves what is beside it.
            let most = match chart.plot_layout.filter(|layout| layout.inner) {
                Some(layout) => (self.frame.width * layout.x as f32 - 8.0).max(30.0),
                None => place.width * 0.4,
            };
            let fitting = ((room / labels.len().max(1) as f32 / line).floor() as usize).clamp(1, 4);
            let lines: Vec<Vec<String>> =
                labels.iter().map(|label| self.wrapped(&label.words, &axis.text, most, fitting)).collect();
            let widest = lines.iter().flatten().map(|line| self.width(line, &axis.text)).fold(0.0, f32::max);
            return CategoryLabels { labels, degrees: 0.0, lines, depth: widest + 8.0 };
        }
        let numbers = !matches!(across, Across::Categories { .. });
        if let Some(every) = axis.label_every.filter(|_| !numbers) {
            labels = labels.into_iter().step_by(every.max(1)).collect();
        }
        let each = room / labels.len() as f32;
        let widest = labels.iter().map(|label| self.width(&label.words, &axis.text)).fold(0.0, f32::max);
        let words = labels.iter().flat_map(|label| label.words.split_whitespace());
        let words: Vec<String> = words.map(str::to_owned).collect();
        let longest = words.iter().map(|word| self.width(word, &axis.text)).fold(0.0, f32::max);
        let has_outer = !numbers && first_named(chart).is_some_and(|one| !one.outer.is_empty());
        let outer = if has_outer { line } else { 0.0 };
        let wanted = axis.text.rotation.filter(|degrees| degrees.abs() > 1.0);
        let flat = wanted.is_none() && (widest + 4.0 <= each || axis.text.rotation == Some(0.0));
        if flat || wanted.is_none() && longest <= each {
            let lines: Vec<Vec<String>> = labels
                .iter()
                .map(|label| self.wrapped(&label.words, &axis.text, each.max(12.0), 3))
                .collect();
            let most = lines.iter().map(Vec::len).max().unwrap_or(1) as f32;
            return CategoryLabels { labels, degrees: 0.0, lines, depth: line * most + 5.0 + outer };
        }
        // Turned by half a right angle, or upright where that is still too wide; then some are left out.
        let degrees = wanted.map_or(if each < line * 1.2 { 90.0 } else { 45.0 }, |degrees| -degrees as f32);
        let every = (line / each).ceil().max(1.0) as usize;
        labels = labels.into_iter().step_by(every).collect();
        let sin = degrees.to_radians().sin().abs().max(0.2);
        let most = place.height * 0.35 / sin;
        for label in &mut labels {
            label.words = self.shortened(&label.words, &axis.text, most);
        }
        let widest = labels.iter().map(|label| self.width(&label.words, &axis.text)).fold(0.0, f32::max);
        let lines = labels.iter().map(|label| vec![label.words.clone()]).collect();
        CategoryLabels { labels, degrees, lines, depth: widest * sin + line * 0.9 + outer }
    }

    fn all_labels(
        &mut self,
        chart: &PlainChart,
        across: &Across,
        axis: &PlainAxis,
        room: f32,
    ) -> Vec<CategoryLabel> {
        let source = first_named(chart).and_then(|one| one.x_format.as_deref());
        let code = axis.number_format.as_deref().or(source).unwrap_or("General");
        match across {
            Across::Numbers(scale) => {
                let ticks = self.value_ticks(scale, axis, code).into_iter();
                ticks.map(|(part, words)| CategoryLabel { part, words }).collect()
            }
            Across::Dates { low, high, unit, .. } => {
                let day = |at: f64| match unit {
                    DateUnit::Days => at,
                    DateUnit::Months => day_of_month(at as i64),
                    DateUnit::Years => day_of_month(at as i64 * 12),
                };
                let sample = (self.show)(day(*high), code);
                let width = self.width(&sample, &axis.text) + 8.0;
                let step = axis.dates.and_then(|dates| dates.step);
                let mut found = Vec::new();
                let mut at = *low;
                while at <= *high && found.len() < MOST_LABELS {
                    let date = day(at);
                    if let Some(part) = across.part(0, Some(date)) {
                        found.push(CategoryLabel { part, words: (self.show)(date, code) });
                    }
                    at = next_date(at, *unit, step);
                }
                let fitting = (room / width).max(1.0);
                let every = match step {
                    Some(_) => 1,
                    None => (found.len() as f32 / fitting).ceil().max(1.0) as usize,
                };
                found.into_iter().step_by(every).collect()
            }
            Across::Categories { count, .. } => {
                let known = first_named(chart);
                let dated = axis.number_format.is_some() || axis.dates.is_some();
                let name = |index: usize, show: &dyn Fn(f64, &str) -> String| {
                    let number = known.and_then(|one| one.xs.get(index).copied().flatten());
                    match (number.filter(|_| dated), known.and_then(|one| one.categories.get(index))) {
                        (Some(number), _) => show(number, code),
                        (None, Some(name)) => name.replace('\n', " "),
                        (None, None) if known.is_some() => String::new(),
                        (None, None) => (index + 1).to_string(),
                    }
                };
                let every = (*count / MOST_LABELS).max(1);
                (0..*count)
                    .step_by(every)
                    .filter_map(|index| {
                        let part = across.part(index, None)?;
                        Some(CategoryLabel { part, words: name(index, self.show) })
                    })
                    .collect()
            }
        }
    }
}

/// The mark after one, in the units of the axis.
fn next_date(at: f64, unit: DateUnit, step: Option<(f64, DateUnit)>) -> f64 {
    let Some((step, of)) = step else { return at + 1.0 };
    match (unit, of) {
        (DateUnit::Days, DateUnit::Months | DateUnit::Years) => {
            let months = if of == DateUnit::Years { step * 12.0 } else { step };
            let month = in_units(at, DateUnit::Months);
            let day = at - day_of_month(month as i64);
            (day_of_month((month + months) as i64) + day).max(at + 1.0)
        }
        (DateUnit::Months, DateUnit::Years) => at + step * 12.0,
        _ => at + step.max(1.0),
    }
}

/// The series whose categories are written.
fn first_named(chart: &PlainChart) -> Option<&PlainSeries> {
    let plain =
        chart.groups.iter().filter(|group| group.kind != PlainKind::Scatter || chart.groups.len() == 1);
    plain.flat_map(|group| &group.series).find(|one| !one.categories.is_empty())
}

/// An axis of values stands at the far end where it is said, or where the categories run backwards.
fn value_far(axis: &PlainAxis, reversed: bool) -> bool {
    (axis.crossing == Crossing::High) != reversed
}

fn crossing(crossing: Crossing, scale: &Scale) -> f64 {
    match crossing {
        Crossing::Zero => scale.zero(),
        Crossing::Low => scale.low,
        Crossing::High => scale.high,
        Crossing::At(at) => at.clamp(scale.low, scale.high),
    }
}
