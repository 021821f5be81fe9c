//! One sheet part: where its rows are, and the frame around them.
//!
//! `sheetData` can be 99 % of a part of 100 MB, and an edit needs a row or two of it. So the part is kept as
//! bytes: everything around `sheetData` is parsed as a small document of its own (the [`Frame`]), and a row is
//! found by binary search, because rows stand in order.

mod carry;
mod tags;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use edit::{Blob, Cut, Gravity, PartName, Patch, Refusal, Survey};
use memchr::memmem;
use ooxml::xml::{Document, Scanner, TokenKind, XmlLimits};

use crate::file::a1::{Area, CellRef};
use crate::file::scan::{Attributes, Broken, Cell, Cells, Row, Rows, Spelling, read_row};

pub(crate) use carry::regions;

/// What is read of a part at first to find where its rows begin and end.
const SMALL: usize = 1 << 16;
/// Sheets up to this size get an index of their rows at once; it costs less than being clever. Each revision has its own,
/// so that larger ones would make every edit of many cost what the sheet has.
const INDEXED: usize = 1 << 13;
/// How much is read at a time while searching.
const WINDOW: usize = 1 << 12;

#[derive(Clone, Debug)]
pub(crate) struct Worksheet {
    pub(crate) part: PartName,
    pub(crate) blob: Blob,
    pub(crate) frame: Arc<Frame>,
    /// Between the tags of `sheetData`, in the part.
    pub(crate) data: Range<usize>,
    /// No comments or sections among the rows, all rows numbered as far as we looked: searching is safe.
    searchable: bool,
    rows: OnceLock<Result<Arc<Vec<RowPlace>>, Refusal>>,
    shared: OnceLock<Result<Arc<Vec<SharedFormula>>, Refusal>>,
    arrays: OnceLock<Result<Arc<Vec<ArrayFormula>>, Refusal>>,
    has_formulas: OnceLock<bool>,
}

/// The sheet without its rows.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) document: Document,
    /// Offsets of the document from here on are that much smaller than in the part, times the rows' length.
    split: usize,
    pub(crate) spelling: Spelling,
    /// The `sheetData` tag, in the part and in the document alike.
    pub(crate) data_tag: Range<usize>,
    pub(crate) data_closes_itself: bool,
}

#[derive(Clone, Copy, Debug)]
struct RowPlace {
    row: u32,
    start: usize,
}

/// The cell that says what a group of shared formulas computes.
#[derive(Clone, Debug)]
pub(crate) struct SharedFormula {
    pub(crate) index: u32,
    pub(crate) at: CellRef,
    pub(crate) area: Area,
    pub(crate) text: Arc<str>,
}

/// An array formula or data table and the cells it fills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArrayFormula {
    pub(crate) at: CellRef,
    pub(crate) area: Area,
    pub(crate) kind: ArrayKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayKind {
    /// Entered over a fixed range.
    Fixed,
    /// Spills; marked by cell metadata.
    Dynamic,
    DataTable,
}

/// Takes bytes, where they stand in the part, and a row read from them.
type EachRow<'a> = dyn FnMut(&[u8], usize, &Row) -> Result<(), Refusal> + 'a;

/// Where a row is, or would be.
#[derive(Clone, Debug)]
pub(crate) enum RowSpot {
    /// Its bytes, and the row as read from them: ranges are relative to the start.
    Found(Range<usize>, Row),
    /// Where to insert it.
    Missing(usize),
}

impl Worksheet {
    /// What has to be known of all of a sheet. One with formulas will be calculated, which takes every value.
    pub(crate) const SURVEY: Survey = Survey { words: &[b"<!", b"<?", b"<f"], dense: b"<f" };

    pub(crate) fn load(part: &PartName, blob: Blob) -> Result<Worksheet, Refusal> {
        let place = find_data(&blob).map_err(|broken| broken.in_part(part))?;
        let data = place.data.clone();
        Ok(Worksheet {
            part: part.clone(),
            frame: Arc::new(place.frame(&blob, part)?),
            searchable: !blob.contains(data.clone(), b"<!") && !blob.contains(data.clone(), b"<?"),
            blob,
            data,
            rows: OnceLock::new(),
            shared: OnceLock::new(),
            arrays: OnceLock::new(),
            has_formulas: OnceLock::new(),
        })
    }

    /// Where the tag around the rows starts, if this is a sheet with rows.
    pub(crate) fn start_of_rows(blob: &Blob) -> Option<usize> {
        find_data(blob).ok().map(|place| place.tag.start)
    }

    /// This sheet after `patch`, which made `blob` of it.
    pub(crate) fn after(&self, patch: &Patch, blob: Blob) -> Result<Worksheet, Refusal> {
        let splices = patch.splices(&self.part);
        let outer = self.frame.data_tag.start..self.data.end + 1;
        let touches_tags = splices.is_empty()
            || self.frame.data_closes_itself
                && splices.iter().any(|s| s.range.end > outer.start && s.range.start < self.data.end)
            || splices
                .iter()
                .any(|s| s.range.start < self.data.start && s.range.end > self.frame.data_tag.start)
            || splices.iter().any(|s| s.range.start <= self.data.end && s.range.end > self.data.end);
        if touches_tags {
            return Worksheet::load(&self.part, blob);
        }
        // What is inserted right behind `<sheetData/>` is not inside of it.
        let end = if self.frame.data_closes_itself { Gravity::Left } else { Gravity::Right };
        let data =
            patch.map(&self.part, self.data.start, Gravity::Left)..patch.map(&self.part, self.data.end, end);
        let inside = |s: &edit::Splice| {
            !self.frame.data_closes_itself && s.range.start >= self.data.start && s.range.end <= self.data.end
        };
        let frame = if splices.iter().all(inside) {
            Arc::clone(&self.frame)
        } else {
            let moved = data.start - self.frame.data_tag.len();
            let place = CellSource {
                spelling: self.frame.spelling.clone(),
                tag: moved..data.start,
                closes_itself: self.frame.data_closes_itself,
                data: data.clone(),
            };
            Arc::new(place.frame(&blob, &self.part)?)
        };
        let next = Worksheet {
            part: self.part.clone(),
            frame,
            data,
            searchable: self.searchable,
            rows: OnceLock::new(),
            shared: OnceLock::new(),
            arrays: OnceLock::new(),
            has_formulas: match self.has_formulas.get() {
                Some(true) => OnceLock::from(true),
                _ if splices.iter().any(|s| memmem::find(&s.with.bytes(), b"<").is_some()) => {
                    let fresh = splices
                        .iter()
                        .any(|s| memmem::find(&s.with.bytes(), &self.formula_needle()).is_some());
                    match (fresh, self.has_formulas.get()) {
                        (true, _) => OnceLock::from(true),
                        (false, Some(known)) => OnceLock::from(*known),
                        (false, None) => OnceLock::new(),
                    }
                }
                Some(known) => OnceLock::from(*known),
                None => OnceLock::new(),
            },
            blob,
        };
        next.carry(self, patch);
        Ok(next)
    }

    pub(crate) fn spelling(&self) -> &Spelling {
        &self.frame.spelling
    }

    /// An offset of the frame's document as an offset of the part.
    pub(crate) fn in_part(&self, offset: usize) -> usize {
        if offset >= self.frame.split { offset + self.data.len() } else { offset }
    }

    pub(crate) fn span_in_part(&self, span: Range<usize>) -> Range<usize> {
        self.in_part(span.start)..self.in_part(span.end)
    }

    fn formula_needle(&self) -> Vec<u8> {
        format!("<{}f", self.spelling().prefix).into_bytes()
    }

    /// Whether any cell has a formula. Scans the rows once.
    pub(crate) fn has_formulas(&self) -> bool {
        *self.has_formulas.get_or_init(|| self.blob.contains(self.data.clone(), &self.formula_needle()))
    }

    pub(crate) fn find_row(&self, row: u32) -> Result<RowSpot, Refusal> {
        if self.searchable && self.data.len() > INDEXED {
            match self.search(row) {
                Ok(Some(spot)) => return Ok(spot),
                // A row without a number: count them all instead.
                Ok(None) => {}
                Err(broken) => return Err(self.broken(broken)),
            }
        }
        let rows = self.row_places()?;
        let index = rows.partition_point(|place| place.row < row);
        match rows.get(index) {
            Some(place) if place.row == row => self.row_at(place.start, row),
            Some(place) => Ok(RowSpot::Missing(place.start)),
            None => Ok(RowSpot::Missing(self.data.end)),
        }
    }

    /// The row of that number, which starts here.
    pub(crate) fn row_at(&self, start: usize, row: u32) -> Result<RowSpot, Refusal> {
        let mut length = WINDOW;
        loop {
            let end = (start + length).min(self.data.end);
            let bytes = self.blob.slice(start..end);
            match read_row(&bytes, 0, bytes.len(), self.spelling(), row) {
                Ok(found) => return Ok(RowSpot::Found(start..start + found.end, found)),
                Err(broken) if end == self.data.end => return Err(self.broken(broken.after(start))),
                Err(_) => length *= 8,
            }
        }
    }

    /// Binary search by bytes. `None` when a row without a number turns up.
    fn search(&self, row: u32) -> Result<Option<RowSpot>, Broken> {
        // Every row that starts before `low` comes before `row`; the first that starts at or after `high`
        // does not.
        let (mut low, mut high) = (self.data.start, self.data.end);
        while high.saturating_sub(low) > WINDOW {
            let middle = low + (high - low) / 2;
            match self.next_row_tag(middle, high)? {
                None => high = middle,
                Some((_, _, None)) => return Ok(None),
                Some((_, tag_end, Some(found))) if found < row => low = tag_end,
                Some(_) => high = middle,
            }
        }
        let mut at = low;
        loop {
            match self.next_row_tag(at, self.data.end)? {
                None => return Ok(Some(RowSpot::Missing(self.data.end))),
                Some((_, _, None)) => return Ok(None),
                Some((_, tag_end, Some(found))) if found < row => at = tag_end,
                Some((start, _, Some(found))) if found == row => {
                    return match self.row_at(start, row) {
                        Ok(spot) => Ok(Some(spot)),
                        Err(_) => Err(Broken { at: start, what: "a row that does not end" }),
                    };
                }
                Some((start, _, _)) => return Ok(Some(RowSpot::Missing(start))),
            }
        }
    }

    /// The first row tag that starts in `from..to`: where it starts and ends, and its number.
    fn next_row_tag(&self, from: usize, to: usize) -> Result<Option<(usize, usize, Option<u32>)>, Broken> {
        let needle = &self.spelling().row_start;
        let mut from = from;
        let mut window = WINDOW;
        loop {
            // The tag may reach over `to`, but not far.
            let end = (from + window).min(self.data.end);
            let bytes = self.blob.slice(from..end);
            let found = memmem::find(&bytes, needle).filter(|at| {
                matches!(bytes.get(at + needle.len()), Some(b' ' | b'\t' | b'\r' | b'\n' | b'>' | b'/'))
            });
            match found {
                Some(at) if from + at >= to => return Ok(None),
                Some(at) => {
                    let mut attributes = Attributes::new(&bytes, at + needle.len());
                    let mut number = None;
                    let tag = loop {
                        match attributes.next() {
                            Ok(Some((name, value))) if bytes.get(name.clone()) == Some(b"r") => {
                                let text = bytes.part(value);
                                number =
                                    crate::file::a1::read_number(text).and_then(|row| row.checked_sub(1));
                            }
                            Ok(Some(_)) => {}
                            Ok(None) => break attributes.tag_end(),
                            Err(broken) => break Err(broken),
                        }
                    };
                    match tag {
                        Ok((tag_end, _)) => return Ok(Some((from + at, from + tag_end, number))),
                        Err(broken) if end == self.data.end => return Err(broken.after(from)),
                        Err(_) => {
                            from += at;
                            window *= 4;
                        }
                    }
                }
                None if end >= to || end == self.data.end => return Ok(None),
                None => {
                    from = end - needle.len();
                    window *= 4;
                }
            }
        }
    }

    fn row_places(&self) -> Result<&Arc<Vec<RowPlace>>, Refusal> {
        let places = self.rows.get_or_init(|| {
            let bytes = self.blob.slice(self.data.clone());
            let mut rows = Rows::new(&bytes, 0..bytes.len(), self.spelling(), 0);
            let mut places: Vec<RowPlace> = Vec::new();
            while let Some(row) = rows.next().map_err(|broken| self.broken(broken.after(self.data.start)))? {
                if places.last().is_some_and(|last| last.row >= row.row) {
                    return Err(Refusal::Corrupt {
                        what: self.part.to_string(),
                        why: format!("row {} comes twice or out of order", row.row + 1),
                    });
                }
                let start = self.data.start + row.tag.start;
                places.push(RowPlace { row: row.row, start });
            }
            Ok(Arc::new(places))
        });
        places.as_ref().map_err(Clone::clone)
    }

    /// Calls `each` with every row that touches `top..=bottom`: its bytes, and the row read from them.
    pub(crate) fn each_row(&self, top: u32, bottom: u32, each: &mut EachRow<'_>) -> Result<(), Refusal> {
        let start = match self.find_row(top)? {
            RowSpot::Found(range, _) => range.start,
            RowSpot::Missing(at) => at,
        };
        let end = if bottom + 1 >= formula::MAX_ROWS {
            self.data.end
        } else {
            match self.find_row(bottom + 1)? {
                RowSpot::Found(range, _) => range.start,
                RowSpot::Missing(at) => at,
            }
        };
        let bytes = self.blob.slice(start..end);
        let mut rows = self.rows_of(&bytes, start)?;
        while let Some(row) = rows.next().map_err(|broken| self.broken(broken.after(start)))? {
            each(&bytes, start, &row)?;
        }
        Ok(())
    }

    /// The bytes from the start of the row that holds `region.start` (or the next one) to the end of the row
    /// that holds `region.end`; `None` when the region lies outside the rows.
    pub(crate) fn rows_around(&self, region: Range<usize>) -> Result<Option<(usize, usize)>, Refusal> {
        if region.end < self.data.start || region.start > self.data.end {
            return Ok(None);
        }
        let (from, to) = (region.start.max(self.data.start), region.end.min(self.data.end));
        let needle = &self.spelling().row_start;
        // Backwards to the tag of the row, in growing windows.
        let mut window = WINDOW;
        let start = loop {
            let low = from.saturating_sub(window).max(self.data.start);
            let bytes = self.blob.slice(low..from);
            match memmem::rfind(&bytes, needle) {
                Some(at) => break low + at,
                None if low == self.data.start => break low,
                None => window *= 4,
            }
        };
        let end_needle = &self.spelling().row_end;
        let mut window = WINDOW;
        let end = loop {
            let high = (to + window).min(self.data.end);
            let bytes = self.blob.slice(to..high);
            // The region may end inside the end tag of its row, so the next row is safe to take in too.
            let mut ends = memmem::find_iter(&bytes, end_needle);
            let _ = ends.next();
            match ends.next() {
                Some(at) => break to + at + end_needle.len(),
                None if high == self.data.end => break high,
                None => window *= 4,
            }
        };
        Ok(Some((start, end)))
    }

    /// The rows in `bytes`, which stand at `start` of the part.
    pub(crate) fn rows_of<'a>(&'a self, bytes: &'a [u8], start: usize) -> Result<Rows<'a>, Refusal> {
        let first = if start == self.data.start || self.searchable && self.data.len() > INDEXED {
            0
        } else {
            let places = self.row_places()?;
            let index = places.partition_point(|place| place.start < start);
            places.get(index).map_or(0, |place| place.row)
        };
        Ok(Rows::new(bytes, 0..bytes.len(), self.spelling(), first))
    }

    pub(crate) fn cells<'a>(&'a self, bytes: &'a [u8], row: &Row) -> Cells<'a> {
        Cells::new(bytes, row, self.spelling())
    }

    /// The cell, with the bytes of its row and where those stand in the part.
    pub(crate) fn find_cell(&self, at: CellRef) -> Result<Option<(usize, Vec<u8>, Cell)>, Refusal> {
        let RowSpot::Found(range, row) = self.find_row(at.row)? else { return Ok(None) };
        let bytes = self.blob.slice(range.clone());
        let mut cells = self.cells(&bytes, &row);
        while let Some(cell) = cells.next().map_err(|broken| self.broken(broken.after(range.start)))? {
            if cell.at == at {
                return Ok(Some((range.start, bytes.into_owned(), cell)));
            }
        }
        Ok(None)
    }

    /// The masters of shared formulas.
    pub(crate) fn shared(&self) -> Result<&[SharedFormula], Refusal> {
        let found = self.shared.get_or_init(|| self.find_shared().map(Arc::new));
        found.as_ref().map(|list| list.as_slice()).map_err(Clone::clone)
    }

    fn find_shared(&self) -> Result<Vec<SharedFormula>, Refusal> {
        let mut found = Vec::new();
        self.each_marked_formula(b"shared", &mut |bytes, _, cell| found.extend(shared_of(bytes, cell)))?;
        Ok(found)
    }

    /// Array formulas and data tables, in order.
    pub(crate) fn arrays(&self) -> Result<&[ArrayFormula], Refusal> {
        let found = self.arrays.get_or_init(|| {
            let mut found = Vec::new();
            for mark in [&b"array"[..], b"dataTable"] {
                self.each_marked_formula(mark, &mut |bytes, _, cell| {
                    let array = array_of(bytes, cell);
                    let table = mark == b"dataTable";
                    found.extend(array.filter(|array| (array.kind == ArrayKind::DataTable) == table));
                })?;
            }
            found.sort_by_key(|array| array.at);
            Ok(Arc::new(found))
        });
        found.as_ref().map(|list| list.as_slice()).map_err(Clone::clone)
    }

    /// Calls `each` with the cells of every row in which an attribute value `mark` occurs.
    fn each_marked_formula(
        &self,
        mark: &[u8],
        each: &mut dyn FnMut(&[u8], &Row, &Cell),
    ) -> Result<(), Refusal> {
        if !self.has_formulas() {
            return Ok(());
        }
        let bytes = self.blob.slice(self.data.clone());
        let marked = |quote: u8| {
            let mut needle = vec![b't', b'=', quote];
            needle.extend_from_slice(mark);
            needle.push(quote);
            memmem::find(&bytes, &needle).is_some()
        };
        if !marked(b'"') && !marked(b'\'') {
            return Ok(());
        }
        let mut rows = Rows::new(&bytes, 0..bytes.len(), self.spelling(), 0);
        let refuse = |broken: Broken| self.broken(broken.after(self.data.start));
        while let Some(row) = rows.next().map_err(refuse)? {
            let inside = bytes.cut(row.cells.clone())?;
            if memmem::find(inside, mark).is_none() {
                continue;
            }
            let mut cells = self.cells(&bytes, &row);
            while let Some(cell) = cells.next().map_err(refuse)? {
                each(&bytes, &row, &cell);
            }
        }
        Ok(())
    }

    pub(crate) fn broken(&self, broken: Broken) -> Refusal {
        broken.in_part(&self.part)
    }
}

impl Broken {
    pub(crate) fn after(self, offset: usize) -> Broken {
        Broken { at: self.at + offset, what: self.what }
    }

    pub(crate) fn in_part(self, part: &PartName) -> Refusal {
        Refusal::Corrupt { what: part.to_string(), why: format!("{} at byte {}", self.what, self.at) }
    }
}

/// What a cell says of a group of shared formulas, if it is the one that does.
fn shared_of(bytes: &[u8], cell: &Cell) -> Option<SharedFormula> {
    let (element, inside) = cell.formula.clone()?;
    let value = |name| Attributes::of(bytes, element.start).find(name).and_then(|span| bytes.get(span));
    if value("t") != Some(b"shared") || inside.is_empty() {
        return None;
    }
    let index = crate::file::a1::read_number(value("si")?)?;
    let area = value("ref").and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
    let text = crate::file::scan::text(bytes.part(inside));
    let area = area.unwrap_or(Area::cell(cell.at));
    Some(SharedFormula { index, at: cell.at, area, text: Arc::from(&*text) })
}

/// The array formula or data table that begins at a cell.
fn array_of(bytes: &[u8], cell: &Cell) -> Option<ArrayFormula> {
    let (element, _) = cell.formula.clone()?;
    let value = |name| Attributes::of(bytes, element.start).find(name).and_then(|span| bytes.get(span));
    let kind = match value("t")? {
        b"dataTable" => ArrayKind::DataTable,
        b"array" if Attributes::of(bytes, cell.tag.start).find("cm").is_some() => ArrayKind::Dynamic,
        b"array" => ArrayKind::Fixed,
        _ => return None,
    };
    let area = value("ref").and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
    Some(ArrayFormula { at: cell.at, area: area.unwrap_or(Area::cell(cell.at)), kind })
}

struct CellSource {
    spelling: Spelling,
    tag: Range<usize>,
    closes_itself: bool,
    data: Range<usize>,
}

impl CellSource {
    fn frame(&self, blob: &Blob, part: &PartName) -> Result<Frame, Refusal> {
        let mut source = blob.slice(0..self.data.start).into_owned();
        let split = source.len();
        source.extend_from_slice(&blob.slice(self.data.end..blob.len()));
        let document = Document::parse(&Blob::from(source), &XmlLimits::default())
            .map_err(|error| error.in_part(part))?;
        Ok(Frame {
            document,
            split,
            spelling: self.spelling.clone(),
            data_tag: self.tag.clone(),
            data_closes_itself: self.closes_itself,
        })
    }
}

fn find_data(blob: &Blob) -> Result<CellSource, Broken> {
    // What comes before the rows is short, and of a long part they are most.
    let mut length = SMALL;
    loop {
        let head = blob.slice(0..length);
        match find_data_tag(&head) {
            Ok(found) => return found.place(blob),
            Err(broken) if head.len() == blob.len() => return Err(broken),
            Err(_) => length = length.saturating_mul(16),
        }
    }
}

/// The start tag of the rows.
struct DataTag {
    spelling: Spelling,
    tag: Range<usize>,
    closes_itself: bool,
}

fn find_data_tag(bytes: &[u8]) -> Result<DataTag, Broken> {
    let mut scanner = Scanner::new(bytes, &XmlLimits::default());
    loop {
        let token = scanner.next().map_err(|error| Broken { at: error.offset, what: error.what })?;
        let Some(token) = token else { return Err(Broken { at: bytes.len(), what: "no sheetData" }) };
        if !matches!(token.kind, TokenKind::Start | TokenKind::Empty) {
            continue;
        }
        let name = std::str::from_utf8(bytes.part(token.name_span())).unwrap_or_default();
        let prefix = match name.strip_suffix("sheetData") {
            Some("") => "",
            Some(prefix) if prefix.ends_with(':') => prefix.trim_end_matches(':'),
            _ => continue,
        };
        let closes_itself = token.kind == TokenKind::Empty;
        return Ok(DataTag { spelling: Spelling::new(prefix), tag: token.span(), closes_itself });
    }
}

impl DataTag {
    fn place(self, blob: &Blob) -> Result<CellSource, Broken> {
        let DataTag { spelling, tag, closes_itself } = self;
        if closes_itself {
            let data = tag.end..tag.end;
            return Ok(CellSource { spelling, tag, closes_itself, data });
        }
        let close = format!("</{}sheetData", spelling.prefix);
        let mut length = SMALL;
        let end = loop {
            let from = blob.len().saturating_sub(length).max(tag.end);
            match memmem::rfind(&blob.slice(from..blob.len()), close.as_bytes()) {
                Some(at) => break from + at,
                None if from > tag.end => length = length.saturating_mul(16),
                None => return Err(Broken { at: tag.start, what: "sheetData that does not end" }),
            }
        };
        Ok(CellSource { spelling, data: tag.end..end, tag, closes_itself })
    }
}
