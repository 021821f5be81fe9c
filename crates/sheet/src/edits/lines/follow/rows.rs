//! The rows of a sheet: their numbers, the addresses of their cells, and their formulas.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use edit::{Blob, Cut, PartName, Patch, Refusal};
use ooxml::xml::escape_text;

use super::{Axis, Follow};
use crate::file::a1::{Area, CellRef};
use crate::file::refs;
use crate::file::scan::{Attributes, Cell, Rows};
use crate::file::strings::encode;
use crate::file::worksheet::Worksheet;

/// Up to this many changes stay single splices; more become one.
const SINGLE: usize = 2_000;
/// Rows whose tags are left alone where many changes become one; a patch of more stretches would cost too much.
const MOST_ROWS: usize = 10_000;

impl Follow<'_> {
    pub(super) fn rows(&mut self, position: usize) -> Result<(), Refusal> {
        let view = self.view;
        let worksheet = view.worksheet(position)?;
        let shift = self.shift.filter(|shift| shift.sheet == position);
        if shift.is_none() && !worksheet.has_formulas() {
            return Ok(());
        }
        let home = view.workbook.tab(position)?.name.clone();
        let shared = self.shared_groups(worksheet, position, &home)?;
        let bytes = worksheet.blob.slice(worksheet.data.clone());
        let mut out = Output::new(&bytes, &worksheet.spelling().row_start);
        let refuse = |broken: crate::file::scan::Broken| worksheet.broken(broken.after(worksheet.data.start));
        let mut rows = Rows::new(&bytes, 0..bytes.len(), worksheet.spelling(), 0);
        let formula_mark = format!("<{}f", worksheet.spelling().prefix);
        while let Some(row) = rows.next().map_err(refuse)? {
            out.row(row.tag.start);
            let (mut row_now, mut moves) = (Some(row.row), false);
            if let Some(shift) = shift {
                match shift.axis {
                    Axis::Rows => {
                        row_now = shift.line(row.row);
                        moves = row_now != Some(row.row);
                    }
                    Axis::Columns => moves = true,
                }
            }
            let Some(row_now) = row_now else {
                out.change(row.tag.start..row.end, "");
                continue;
            };
            if row_now != row.row {
                match Attributes::of(&bytes, row.tag.start).find("r") {
                    Some(value) => out.change(value, &(row_now + 1).to_string()),
                    None => {
                        let at = row.tag.start + worksheet.spelling().row_start.len();
                        out.change(at..at, &format!(" r=\"{}\"", row_now + 1));
                    }
                }
            }
            let inside = bytes.cut(row.cells.clone())?;
            if !moves && memchr::memmem::find(inside, formula_mark.as_bytes()).is_none() {
                continue;
            }
            if let (true, Some(Axis::Columns)) = (moves, shift.map(|shift| shift.axis)) {
                // A hint that would be wrong now.
                let mut attributes = Attributes::of(&bytes, row.tag.start);
                while let Ok(Some((name, value))) = attributes.next() {
                    if bytes.get(name.clone()) == Some(b"spans") {
                        out.change(name.start - 1..value.end + 1, "");
                    }
                }
            }
            let row_number = (row_now + 1).to_string();
            let mut cells = worksheet.cells(&bytes, &row);
            while let Some(cell) = cells.next().map_err(refuse)? {
                let now = match shift {
                    Some(shift) => shift.cell(cell.at),
                    None => Some(cell.at),
                };
                let Some(now) = now else {
                    out.change(cell.tag.start..cell.end, "");
                    continue;
                };
                if now != cell.at && (cell.addressed || now.col != cell.at.col) {
                    match Attributes::of(&bytes, cell.tag.start).find("r") {
                        // The letters stay where only the row is another, as in most cells of most sheets.
                        Some(value) if now.col == cell.at.col => {
                            let address = bytes.cut(value.clone())?;
                            let letters = address.iter().take_while(|byte| !byte.is_ascii_digit()).count();
                            out.change(value.start + letters..value.end, &row_number);
                        }
                        Some(value) => out.change(value, &now.to_string()),
                        None => {
                            let at = cell.tag.start + 2 + worksheet.spelling().prefix.len();
                            out.change(at..at, &format!(" r=\"{now}\""));
                        }
                    }
                }
                if cell.formula.is_some() {
                    self.cell_formula(&bytes, &cell, &home, position, &shared, worksheet, &mut out);
                }
            }
        }
        out.finish(&worksheet.part, worksheet.data.start, &mut self.patch)
    }

    #[expect(clippy::too_many_arguments, reason = "one step of the loop above, kept apart to be read")]
    fn cell_formula(
        &self,
        bytes: &[u8],
        cell: &Cell,
        home: &str,
        position: usize,
        shared: &BTreeMap<(u32, CellRef), Group>,
        worksheet: &Worksheet,
        out: &mut Output<'_>,
    ) {
        let Some((element, inside)) = cell.formula.clone() else { return };
        let value = |name: &str| Attributes::of(bytes, element.start).find(name);
        let kind = value("t").map_or(&b""[..], |span| bytes.part(span));
        if kind == b"shared" {
            let index = value("si").and_then(|span| bytes.get(span)).and_then(crate::file::a1::read_number);
            let group = shared.iter().rev().find(|((known, at), _)| Some(*known) == index && *at <= cell.at);
            let Some(((_, master), group)) = group else { return };
            match group {
                Group::Kept { text, area } if *master == cell.at => {
                    if let (Some(area), Some(span)) = (area, value("ref")) {
                        out.change(span, &area.to_string());
                    }
                    if let Some(text) = text {
                        out.change(inside, &escape_text(&encode(text)));
                    }
                }
                Group::Kept { .. } => {}
                Group::Apart { text: original } => {
                    let own = refs::translate(original, *master, cell.at);
                    let own = self.formula(&own, home).unwrap_or(own);
                    let prefix = &worksheet.spelling().prefix;
                    let kept = crate::file::scan::other_attributes(bytes, element.start, &["t", "ref", "si"]);
                    let own = escape_text(&encode(&own)).into_owned();
                    out.change(element, &format!("<{prefix}f{kept}>{own}</{prefix}f>"));
                }
            }
            return;
        }
        // What an array or data table covers, and the input cells of a data table.
        for name in ["ref", "r1", "r2"] {
            if name != "ref" && kind != b"dataTable" {
                continue;
            }
            let Some(span) = value(name) else { continue };
            let text = bytes.get(span.clone()).and_then(|text| std::str::from_utf8(text).ok());
            let area = text.and_then(|text| text.parse::<Area>().ok());
            if let (Some(shift), Some(area)) = (self.shift.filter(|shift| shift.sheet == position), area)
                && let Some(now) = shift.area(&area)
                && now != area
            {
                out.change(span, &now.to_string());
            }
        }
        let text = crate::file::scan::text(bytes.part(inside.clone()));
        if let Some(changed) = self.formula(&text, home) {
            out.change(inside, &escape_text(&encode(&changed)));
        }
    }

    /// For each group of shared formulas whether it can stay one.
    fn shared_groups(
        &self,
        worksheet: &Worksheet,
        position: usize,
        home: &str,
    ) -> Result<BTreeMap<(u32, CellRef), Group>, Refusal> {
        let mut groups = BTreeMap::new();
        let shift = self.shift.filter(|shift| shift.sheet == position);
        let moved = |at: CellRef| match shift {
            Some(shift) => shift.cell(at),
            None => Some(at),
        };
        for group in worksheet.shared()? {
            let apart = Group::Apart { text: group.text.to_string() };
            let Some(master_now) = moved(group.at) else {
                groups.insert((group.index, group.at), apart);
                continue;
            };
            let changed = self.formula(&group.text, home);
            let text = changed.clone().unwrap_or_else(|| group.text.to_string());
            let area = match shift {
                Some(shift) => shift.area(&group.area),
                None => Some(group.area),
            };
            // Every cell of the group has to read as if the formula had been copied there.
            let fits = |at: CellRef| match moved(at) {
                None => true,
                Some(now) => {
                    let own = refs::translate(&group.text, group.at, at);
                    let own = self.formula(&own, home).unwrap_or(own);
                    own == refs::translate(&text, master_now, now)
                }
            };
            let stays = area.is_some() && group.area.cells().all(fits);
            groups.insert(
                (group.index, group.at),
                if stays {
                    Group::Kept { text: changed, area: area.filter(|area| *area != group.area) }
                } else {
                    apart
                },
            );
        }
        Ok(groups)
    }
}

/// What becomes of a group of shared formulas.
enum Group {
    /// It stays; text and area where they change.
    Kept { text: Option<String>, area: Option<Area> },
    /// Each cell gets its own formula; this was the first cell's.
    Apart { text: String },
}

/// The rows as they are rewritten: few changes stay apart, many become one stretch of bytes. That one still leaves the
/// tags of rows alone, because edits that wait for somebody's decision hold their rows by them.
struct Output<'a> {
    bytes: &'a [u8],
    single: Vec<(Range<usize>, String)>,
    whole: Vec<u8>,
    first: usize,
    done: usize,
    /// How a row's tag starts.
    tag: &'a [u8],
    /// Where rows start, those that are not copied yet last.
    rows: VecDeque<usize>,
    /// Where rows that stay start, before and in `whole`; more than [`MOST_ROWS`] are none.
    kept: Vec<(usize, usize)>,
}

impl<'a> Output<'a> {
    fn new(bytes: &'a [u8], tag: &'a [u8]) -> Output<'a> {
        let (single, rows, kept) = (Vec::new(), VecDeque::new(), Vec::new());
        Output { bytes, single, whole: Vec::new(), first: 0, done: 0, tag, rows, kept }
    }

    fn row(&mut self, start: usize) {
        if self.single.is_empty() && self.whole.is_empty() {
            self.rows.clear();
        }
        if self.kept.len() <= MOST_ROWS && self.rows.len() <= MOST_ROWS {
            self.rows.push_back(start);
        }
    }

    /// Changes come in order.
    fn change(&mut self, range: Range<usize>, with: &str) {
        if self.whole.is_empty() && self.single.len() < SINGLE {
            self.single.push((range, with.to_owned()));
            return;
        }
        if self.whole.is_empty() {
            self.first = self.single.first().map_or(range.start, |(range, _)| range.start);
            self.done = self.first;
            for (range, with) in std::mem::take(&mut self.single) {
                self.copy(range, &with);
            }
        }
        self.copy(range, with);
    }

    fn copy(&mut self, range: Range<usize>, with: &str) {
        while let Some(start) = self.rows.front().copied().filter(|start| *start < range.end) {
            self.rows.pop_front();
            if start >= self.done && start + self.tag.len() <= range.start {
                self.kept.push((start, self.whole.len() + (start - self.done)));
            }
        }
        self.whole.extend_from_slice(self.bytes.part(self.done..range.start));
        self.whole.extend_from_slice(with.as_bytes());
        self.done = range.end;
    }

    fn finish(self, part: &PartName, offset: usize, patch: &mut Patch) -> Result<(), Refusal> {
        for (range, with) in self.single {
            patch.splice(part, offset + range.start..offset + range.end, with)?;
        }
        if self.whole.is_empty() {
            return Ok(());
        }
        let whole = Blob::from(self.whole);
        let kept = if self.kept.len() > MOST_ROWS { Vec::new() } else { self.kept };
        let (mut from, mut from_new) = (self.first, 0);
        for (start, new) in kept {
            patch.splice(part, offset + from..offset + start, whole.sub(from_new..new))?;
            (from, from_new) = (start + self.tag.len(), new + self.tag.len());
        }
        patch.splice(part, offset + from..offset + self.done, whole.sub(from_new..whole.len()))
    }
}
