//! An edit brought to where its lines are now.

use std::collections::BTreeMap;

use edit::Refusal;
use formula::Change;

use super::places::Visit;
use crate::edits::lines::follow::{Axis, Shift};
use crate::file::a1::Area;
use crate::file::workbook::same_name;

/// A sheet that an edit speaks of, as it is now.
#[derive(Default)]
pub(in crate::edits) struct Moved {
    /// What it is called now.
    pub(in crate::edits) name: String,
    /// Lines that the edit speaks of, each with where it is now; in order.
    pub(in crate::edits) rows: Vec<(u32, u32)>,
    pub(in crate::edits) columns: Vec<(u32, u32)>,
}

impl Moved {
    /// Whether nothing has moved of what the edit calls `name`.
    pub(in crate::edits) fn stands(&self, name: &str) -> bool {
        self.name == name && self.rows.iter().chain(&self.columns).all(|(was, is)| was == is)
    }
}

/// Writes where lines are now into an edit.
pub(in crate::edits) struct Shifted<'a> {
    sheets: &'a BTreeMap<String, Moved>,
    shifts: BTreeMap<&'a str, Vec<Shift>>,
}

impl<'a> Shifted<'a> {
    pub(in crate::edits) fn new(sheets: &'a BTreeMap<String, Moved>) -> Result<Self, Refusal> {
        let mut shifts = BTreeMap::new();
        for (name, moved) in sheets {
            let mut all = between(&moved.rows, Axis::Rows)?;
            all.extend(between(&moved.columns, Axis::Columns)?);
            shifts.insert(name.as_str(), all);
        }
        Ok(Self { sheets, shifts })
    }

    fn known(&self, sheet: &str) -> Option<(&'a str, &'a Moved)> {
        self.sheets
            .iter()
            .find(|(name, _)| same_name(name, sheet))
            .map(|(name, moved)| (name.as_str(), moved))
    }

    fn of(&self, sheet: &str) -> impl Iterator<Item = &Shift> {
        self.known(sheet).and_then(|(name, _)| self.shifts.get(name)).into_iter().flatten()
    }

    fn line(&self, sheet: &str, axis: Axis, line: u32) -> Result<u32, Refusal> {
        let shifts = self.of(sheet).filter(|shift| shift.axis == axis);
        shifts.into_iter().try_fold(line, |line, shift| shift.line(line)).ok_or_else(off)
    }
}

/// The insertions and deletions of lines that take each line to where it is now, as far as these lines tell.
fn between(lines: &[(u32, u32)], axis: Axis) -> Result<Vec<Shift>, Refusal> {
    let mut shifts = Vec::new();
    let (mut by, mut last) = (0i64, None);
    for (was, is) in lines {
        if last.is_some_and(|last| last >= *is) {
            return Err(super::stale(
                "lines that it speaks of stand in another order now".to_owned(),
                super::AGAIN,
            ));
        }
        last = Some(*is);
        let now = i64::from(*is) - i64::from(*was);
        let shift = |at: i64, count: i64, deletes| {
            let (at, count) = (u32::try_from(at).ok()?, u32::try_from(count).ok()?);
            Some(Shift { sheet: 0, axis, at, count, deletes })
        };
        let next = match now - by {
            0 => continue,
            more @ 1.. => shift(i64::from(*was) + by, more, false),
            less => shift(i64::from(*is), -less, true),
        };
        shifts.push(next.ok_or_else(off)?);
        by = now;
    }
    Ok(shifts)
}

fn off() -> Refusal {
    super::stale("what it speaks of was pushed off the sheet".to_owned(), super::AGAIN)
}

impl Visit for Shifted<'_> {
    fn sheet(&mut self, name: &mut String) -> Result<(), Refusal> {
        if let Some((_, moved)) = self.known(name) {
            name.clone_from(&moved.name);
        }
        Ok(())
    }

    fn area(&mut self, sheet: &str, area: &mut Area) -> Result<(), Refusal> {
        let now = self.of(sheet).try_fold(*area, |area, shift| shift.area(&area)).ok_or_else(off)?;
        // Lines in between are nobody's that the edit has seen.
        if now.bottom - now.top != area.bottom - area.top || now.right - now.left != area.right - area.left {
            return Err(super::stale(
                format!("lines were inserted or deleted inside {area} of `{sheet}`"),
                super::AGAIN,
            ));
        }
        *area = now;
        Ok(())
    }

    fn row(&mut self, sheet: &str, row: &mut u32) -> Result<(), Refusal> {
        *row = self.line(sheet, Axis::Rows, *row)?;
        Ok(())
    }

    fn column(&mut self, sheet: &str, column: &mut u32) -> Result<(), Refusal> {
        *column = self.line(sheet, Axis::Columns, *column)?;
        Ok(())
    }

    fn formula(&mut self, sheet: &str, text: &mut String) -> Result<(), Refusal> {
        let (sign, body) = match text.strip_prefix('=') {
            Some(body) => ("=", body),
            None => ("", text.as_str()),
        };
        let mut body = body.to_owned();
        let apply = |body: &mut String, change: &Change| {
            let parsed = formula::parse(body).ok();
            if let Some(now) = parsed.and_then(|parsed| formula::rewrite(&parsed, sheet, None, change)) {
                *body = now;
            }
        };
        for (name, shifts) in &self.shifts {
            for shift in shifts {
                let (sheet, at, count) = ((*name).to_owned(), shift.at, shift.count);
                let change = match (shift.axis, shift.deletes) {
                    (Axis::Rows, false) => Change::InsertRows { sheet, at, count },
                    (Axis::Rows, true) => Change::DeleteRows { sheet, at, count },
                    (Axis::Columns, false) => Change::InsertColumns { sheet, at, count },
                    (Axis::Columns, true) => Change::DeleteColumns { sheet, at, count },
                };
                apply(&mut body, &change);
            }
        }
        // Two sheets may have taken each other's names, so each is called by one of its own in between.
        let renamed = || self.sheets.iter().enumerate().filter(|(_, (name, moved))| **name != moved.name);
        for (index, (name, _)) in renamed() {
            let change = Change::RenameSheet { from: name.clone(), to: format!("\u{1}{index}") };
            apply(&mut body, &change);
        }
        for (index, (_, moved)) in renamed() {
            let change = Change::RenameSheet { from: format!("\u{1}{index}"), to: moved.name.clone() };
            apply(&mut body, &change);
        }
        *text = format!("{sign}{body}");
        Ok(())
    }
}
