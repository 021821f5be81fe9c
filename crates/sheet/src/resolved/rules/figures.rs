//! What rules that compare a cell with its fellows have to know of all of them.

use std::collections::HashMap;

use formula::Value;

use crate::edits::rules::conditional::Point;
use crate::file::a1::Area;
use crate::read::sheet_view::SheetView;

/// Numbers and texts of the areas of a rule.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    /// From the lowest to the highest.
    sorted: Vec<f64>,
    sum: f64,
    squares: f64,
    /// How often a value is there; texts in small letters.
    counts: HashMap<Key, u32>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    Number(u64),
    Text(String),
    Bool(bool),
}

impl Figures {
    pub(crate) fn of(sheet: &SheetView<'_>, areas: &[Area]) -> Figures {
        let mut found = Figures::default();
        for area in areas {
            // A sheet that cannot be read to its end has no more values.
            let read = sheet.each_cell(*area, &mut |cell| found.add(&cell.value));
            if read.is_err() {
                break;
            }
        }
        found.sorted.sort_by(f64::total_cmp);
        let mean = found.average().unwrap_or(0.0);
        found.squares = found.sorted.iter().map(|number| (number - mean).powi(2)).sum();
        found
    }

    fn add(&mut self, value: &Value) {
        if let Value::Number(number) = value {
            self.sorted.push(*number);
            self.sum += number;
        }
        if let Some(key) = key(value) {
            *self.counts.entry(key).or_default() += 1;
        }
    }

    pub(crate) fn lowest(&self) -> Option<f64> {
        self.sorted.first().copied()
    }

    pub(crate) fn highest(&self) -> Option<f64> {
        self.sorted.last().copied()
    }

    pub(crate) fn average(&self) -> Option<f64> {
        (!self.sorted.is_empty()).then(|| self.sum / self.sorted.len() as f64)
    }

    /// The standard deviation of the values as a population, which is what these rules use.
    pub(crate) fn deviation(&self) -> f64 {
        if self.sorted.is_empty() { 0.0 } else { (self.squares / self.sorted.len() as f64).sqrt() }
    }

    pub(crate) fn count(&self, value: &Value) -> u32 {
        key(value).and_then(|key| self.counts.get(&key).copied()).unwrap_or(0)
    }

    /// The value that the `rank` highest (or lowest) reach.
    pub(crate) fn ranked(&self, rank: u32, percent: bool, bottom: bool) -> Option<f64> {
        let total = self.sorted.len();
        let wanted = match percent {
            true => (total * rank as usize / 100).max(1),
            false => rank as usize,
        };
        let wanted = wanted.min(total).checked_sub(1)?;
        let index = if bottom { wanted } else { total.checked_sub(wanted + 1)? };
        self.sorted.get(index).copied()
    }

    /// Where a point of a scale, bar or set of icons stands.
    pub(crate) fn point(&self, point: &Point, formula: &dyn Fn(&str) -> Option<Value>) -> Option<f64> {
        let (low, high) = (self.lowest()?, self.highest()?);
        let given = || match formula(point.value.as_deref()?)? {
            Value::Number(number) => Some(number),
            Value::Bool(flag) => Some(f64::from(u8::from(flag))),
            _ => None,
        };
        match point.kind.as_str() {
            "min" => Some(low),
            "max" => Some(high),
            "autoMin" => Some(low.min(0.0)),
            "autoMax" => Some(high.max(0.0)),
            "percent" => Some(low + (high - low) * given()? / 100.0),
            "percentile" => self.percentile(given()? / 100.0),
            _ => given(),
        }
    }

    fn percentile(&self, part: f64) -> Option<f64> {
        let place = part.clamp(0.0, 1.0) * (self.sorted.len().checked_sub(1)?) as f64;
        let below = *self.sorted.get(place.floor() as usize)?;
        let above = *self.sorted.get(place.ceil() as usize)?;
        Some(below + (above - below) * place.fract())
    }
}

fn key(value: &Value) -> Option<Key> {
    match value {
        Value::Number(number) => Some(Key::Number((number + 0.0).to_bits())),
        Value::Text(text) => Some(Key::Text(text.to_lowercase())),
        Value::Bool(flag) => Some(Key::Bool(*flag)),
        Value::Blank | Value::Error(_) => None,
    }
}
