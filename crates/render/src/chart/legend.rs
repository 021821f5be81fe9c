//! The legend: what each colour, line and marker stands for.

use sheet::resolved::{
    Ink, LegendSide, Marker, PlainChart, PlainKind, PlainLegend, PlainSeries, Stacking, Stroke, Trend,
    TrendKind,
};

use super::{ChartPainter, line_height};
use crate::scene::{Rect, polyline};

/// Entries that are listed at most.
const MOST_ENTRIES: usize = 400;

enum Key {
    Box(Ink),
    Line(Option<Stroke>, Option<Marker>),
}

struct Entry {
    name: String,
    key: Key,
}

pub(super) fn series_name(series: &PlainSeries, index: usize) -> String {
    series.name.clone().unwrap_or_else(|| format!("Series{}", index + 1))
}

fn entries(chart: &PlainChart, legend: &PlainLegend) -> Vec<Entry> {
    let mut entries = Vec::new();
    let round = chart.groups.iter().find(|group| group.is_round());
    if let Some(series) = round.and_then(|group| group.series.first()) {
        for index in 0..series.values.len().min(MOST_ENTRIES) {
            let known = series.categories.get(index).filter(|name| !name.is_empty());
            let outer = series.outer.iter().take_while(|(from, _)| *from <= index).last();
            let known = known.map(|name| match outer {
                Some((_, outer)) => format!("{outer} {name}"),
                None => name.clone(),
            });
            let ink = series.points.get(&index).copied().unwrap_or(series.ink);
            entries
                .push(Entry { name: known.unwrap_or_else(|| (index + 1).to_string()), key: Key::Box(ink) });
        }
    } else {
        let mut index = 0;
        let mut trends = Vec::new();
        for group in &chart.groups {
            for series in &group.series {
                let name = series_name(series, index);
                index += 1;
                for trend in &series.trends {
                    trends.push(Entry {
                        name: trend.name.clone().unwrap_or_else(|| trend_name(trend, &name)),
                        key: Key::Line(Some(trend.line.clone()), None),
                    });
                }
                let key = match group.kind {
                    PlainKind::Line | PlainKind::Scatter => {
                        Key::Line(series.line.clone(), series.marker.clone())
                    }
                    _ => Key::Box(series.ink),
                };
                entries.push(Entry { name, key });
            }
        }
        entries.extend(trends);
    }
    let kept = entries.into_iter().enumerate().filter(|(index, _)| !legend.hidden.contains(index));
    let mut kept: Vec<Entry> = kept.map(|(_, entry)| entry).take(MOST_ENTRIES).collect();
    // Beside stacks the entries stand as the stack does; beside bars too.
    let upright = matches!(legend.side, LegendSide::Right | LegendSide::Left | LegendSide::TopRight);
    let piled = chart.groups.first().is_some_and(|group| match (group.kind, group.stacking) {
        (PlainKind::Column | PlainKind::Area | PlainKind::Line, Stacking::Stacked | Stacking::Percent) => {
            true
        }
        (PlainKind::Bar, Stacking::Beside) => !chart.category_axis.reversed,
        _ => false,
    });
    if upright && piled {
        kept.reverse();
    }
    kept
}

fn trend_name(trend: &Trend, series: &str) -> String {
    let kind = match trend.kind {
        TrendKind::Linear => "Linear".to_owned(),
        TrendKind::Logarithmic => "Log.".to_owned(),
        TrendKind::Exponential => "Expon.".to_owned(),
        TrendKind::Power => "Power".to_owned(),
        TrendKind::Polynomial(_) => "Poly.".to_owned(),
        TrendKind::MovingAverage(period) => format!("{period} per. Mov. Avg."),
    };
    format!("{kind} ({series})")
}

fn key_width(entry: &Entry) -> f32 {
    match &entry.key {
        Key::Line(Some(_), _) => 28.0,
        _ => 9.0,
    }
}

impl ChartPainter<'_> {
    /// Draws the legend and gives what is left of the place.
    pub(super) fn legend(
        &mut self,
        chart: &PlainChart,
        legend: &PlainLegend,
        place: Rect,
        frame: Rect,
    ) -> Rect {
        let entries = entries(chart, legend);
        let text = &legend.text;
        if entries.is_empty() {
            return place;
        }
        let row = line_height(text) + 3.0;
        let whole = place;
        let place = match legend.layout {
            Some(layout) => Rect::new(
                frame.x + frame.width * layout.x as f32,
                frame.y + frame.height * layout.y as f32,
                frame.width * layout.width as f32,
                frame.height * layout.height as f32,
            ),
            None => place,
        };
        match legend.side {
            LegendSide::Top | LegendSide::Bottom => self.legend_across(&entries, legend, place, row),
            _ => self.legend_down(&entries, legend, place, row),
        }
        .filter(|_| !legend.overlay && legend.layout.is_none())
        .unwrap_or(whole)
    }

    /// Entries beside each other in as many rows as it takes; gives what is left of the place.
    fn legend_across(
        &mut self,
        entries: &[Entry],
        legend: &PlainLegend,
        place: Rect,
        row: f32,
    ) -> Option<Rect> {
        let text = &legend.text;
        let gap = 10.0;
        let names: Vec<String> = entries
            .iter()
            .map(|entry| self.shortened(&entry.name, text, (place.width - key_width(entry) - 6.0).max(20.0)))
            .collect();
        let widths: Vec<f32> = names
            .iter()
            .zip(entries)
            .map(|(name, entry)| self.width(name, text) + key_width(entry) + 6.0)
            .collect();
        let mut rows: Vec<(Vec<usize>, f32)> = vec![(Vec::new(), 0.0)];
        for (index, width) in widths.iter().enumerate() {
            if let Some(last) = rows.last_mut()
                && (last.1 + width <= place.width || last.0.is_empty())
            {
                last.0.push(index);
                last.1 += width + gap;
                continue;
            }
            rows.push((vec![index], width + gap));
        }
        // A place that somebody gave was measured in other letters, so that a row more has to be possible.
        let most = match legend.layout {
            Some(_) => (place.height / row).round() as usize + 1,
            None => (place.height / 3.0 / row).floor() as usize,
        };
        self.left_out_of_legend(rows.len() > most.max(1));
        rows.truncate(most.max(1));
        let height = row * rows.len() as f32;
        let top = match (legend.layout, legend.side) {
            (Some(_), _) => place.y + (place.height - height) / 2.0,
            (None, LegendSide::Top) => place.y,
            _ => place.bottom() - height,
        };
        for (at, (indexes, total)) in rows.iter().enumerate() {
            let mut x = place.x + ((place.width - total + gap) / 2.0).max(0.0);
            let y = top + row * (at as f32 + 0.5);
            for index in indexes {
                let (Some(entry), Some(name)) = (entries.get(*index), names.get(*index)) else { continue };
                self.entry(entry, name, x, y, key_width(entry), legend);
                x += widths.get(*index).copied().unwrap_or(0.0) + gap;
            }
        }
        let y = if legend.side == LegendSide::Top { place.y + height + 4.0 } else { place.y };
        Some(Rect { y, height: (place.height - height - 4.0).max(0.0), ..place })
    }

    /// Entries below each other; gives what is left of the place.
    fn legend_down(
        &mut self,
        entries: &[Entry],
        legend: &PlainLegend,
        place: Rect,
        row: f32,
    ) -> Option<Rect> {
        let text = &legend.text;
        let key = entries.iter().map(key_width).fold(0.0, f32::max);
        let room = match legend.layout {
            // Letters may run on to the edge of the chart.
            Some(_) => self.frame.right() - place.x - key - 8.0,
            None => place.width * 0.4,
        };
        let names: Vec<String> =
            entries.iter().map(|entry| self.shortened(&entry.name, text, room.max(20.0))).collect();
        let widest = names.iter().map(|name| self.width(name, text)).fold(0.0, f32::max) + key + 6.0;
        let left = legend.side == LegendSide::Left || legend.layout.is_some();
        let x = if left { place.x } else { place.right() - widest };
        // Rows move closer to each other before one is left out.
        let row = row.min((place.height / entries.len() as f32).max(row * 0.78));
        let shown = entries.len().min(((place.height / row).round() as usize).max(1));
        self.left_out_of_legend(shown < entries.len());
        let top = match legend.side {
            LegendSide::TopRight => place.y,
            _ => place.y + (place.height - row * shown as f32) / 2.0,
        };
        for (index, (entry, name)) in entries.iter().zip(&names).take(shown).enumerate() {
            self.entry(entry, name, x, top + row * (index as f32 + 0.5), key, legend);
        }
        let taken = widest + 10.0;
        Some(Rect {
            x: if left { place.x + taken } else { place.x },
            width: (place.width - taken).max(0.0),
            ..place
        })
    }

    fn left_out_of_legend(&mut self, is_so: bool) {
        if is_so {
            self.left_out.push("entries of the legend that it has no room for");
        }
    }

    fn entry(&mut self, entry: &Entry, name: &str, x: f32, y: f32, key_width: f32, legend: &PlainLegend) {
        match &entry.key {
            Key::Box(ink) => {
                let size = 8.0f32.min(key_width);
                let rect = Rect::new(x + (key_width - size) / 2.0, y - size / 2.0, size, size);
                self.fill_within(rect.path(), *ink, self.clip);
            }
            Key::Line(line, marker) => {
                if let Some(line) = line {
                    self.stroke(polyline(&[(x, y), (x + key_width, y)], false), line);
                }
                if let Some(marker) = marker {
                    self.marker(marker, None, x + key_width / 2.0, y, self.clip);
                }
            }
        }
        let size = legend.text.size as f32 * 96.0 / 72.0;
        self.label(name, x + key_width + 5.0, y + size * 0.32, 0.0, &legend.text);
    }
}
