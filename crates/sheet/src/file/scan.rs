//! The rows and cells of a sheet, read from its bytes.
//!
//! A sheet of a million rows is not worth a tree: `sheetData` holds nothing but `row`, `c`, `f`, `v` and `is`,
//! in sorted order, so this reads them by hand. Everything is a byte range of the slice that was given; values
//! are decoded by whoever wants them.

use std::borrow::Cow;
use std::ops::Range;

use edit::Cut;

use crate::file::a1::{CellRef, read_number};

/// Not what a sheet looks like; `at` is a byte of the slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) at: usize,
    pub(crate) what: &'static str,
}

/// A start tag.
#[derive(Clone, Debug)]
pub(crate) struct Tag {
    /// At `<`.
    pub(crate) start: usize,
    /// Behind `>`.
    pub(crate) end: usize,
    pub(crate) closes_itself: bool,
}

/// Where an attribute's name and value stand.
pub(crate) type NameAndValue = (Range<usize>, Range<usize>);

/// The attributes of a start tag, in order: names and values as ranges.
pub(crate) struct Attributes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Attributes<'a> {
    /// `at` is behind the name of the tag.
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Attributes<'a> {
        Attributes { bytes, at }
    }

    /// Of the tag at `start`.
    pub(crate) fn of(bytes: &'a [u8], start: usize) -> Attributes<'a> {
        let name = bytes.left(start + 1).iter().position(|byte| ends_name(*byte));
        Attributes { bytes, at: start + 1 + name.unwrap_or(0) }
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<NameAndValue>, Broken> {
        let bytes = self.bytes;
        let mut at = self.at;
        while is_blank(byte(bytes, at)) {
            at += 1;
        }
        self.at = at;
        match byte(bytes, at) {
            b'>' | b'/' => return Ok(None),
            0 if at >= bytes.len() => return Err(Broken { at, what: "a tag that does not end" }),
            _ => {}
        }
        let name = at;
        while !matches!(byte(bytes, at), b'=' | b' ' | b'\t' | b'\r' | b'\n' | b'>' | b'/' | b'<' | 0) {
            at += 1;
        }
        let name = name..at;
        while is_blank(byte(bytes, at)) {
            at += 1;
        }
        if byte(bytes, at) != b'=' || name.is_empty() {
            return Err(Broken { at, what: "an attribute without a value" });
        }
        at += 1;
        while is_blank(byte(bytes, at)) {
            at += 1;
        }
        let quote = byte(bytes, at);
        if quote != b'"' && quote != b'\'' {
            return Err(Broken { at, what: "an attribute value without quotes" });
        }
        at += 1;
        let value = at;
        loop {
            match byte(bytes, at) {
                found if found == quote => break,
                0 if at >= bytes.len() => {
                    return Err(Broken { at, what: "an attribute value that does not end" });
                }
                b'<' => return Err(Broken { at, what: "`<` in an attribute value" }),
                _ => at += 1,
            }
        }
        self.at = at + 1;
        Ok(Some((name, value..at)))
    }

    /// Called when [`Attributes::next`] has given `None`.
    pub(crate) fn tag_end(&self) -> Result<(usize, bool), Broken> {
        match (byte(self.bytes, self.at), byte(self.bytes, self.at + 1)) {
            (b'>', _) => Ok((self.at + 1, false)),
            (b'/', b'>') => Ok((self.at + 2, true)),
            _ => Err(Broken { at: self.at, what: "a tag that does not end" }),
        }
    }

    /// The value of one attribute, by its name as written.
    pub(crate) fn find(mut self, wanted: &str) -> Option<Range<usize>> {
        while let Ok(Some((name, value))) = self.next() {
            if self.bytes.get(name) == Some(wanted.as_bytes()) {
                return Some(value);
            }
        }
        None
    }
}

#[inline]
fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

#[inline]
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

#[inline]
fn ends_name(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'/' | b'>')
}

/// How the elements of a sheet are spelled: nearly always bare, sometimes with a prefix (`x:row`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    /// With its colon; empty without one.
    pub(crate) prefix: String,
    pub(crate) row_start: Vec<u8>,
    pub(crate) row_end: Vec<u8>,
}

impl Spelling {
    pub(crate) fn new(prefix: &str) -> Spelling {
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}:") };
        Spelling {
            row_start: format!("<{prefix}row").into_bytes(),
            row_end: format!("</{prefix}row>").into_bytes(),
            prefix,
        }
    }

    /// Whether the tag whose name starts at `at` is `local`.
    #[inline]
    fn is(&self, bytes: &[u8], at: usize, local: &[u8]) -> bool {
        let prefix = self.prefix.len();
        let end = at + prefix + local.len();
        (prefix == 0 || bytes.get(at..at + prefix) == Some(self.prefix.as_bytes()))
            && bytes.get(at + prefix..end) == Some(local)
            && ends_name(byte(bytes, end))
    }
}

/// One row: its tag and where its cells stand.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Counted from zero.
    pub(crate) row: u32,
    pub(crate) tag: Tag,
    /// Between the tags; empty when the row closes itself.
    pub(crate) cells: Range<usize>,
    /// Behind the row.
    pub(crate) end: usize,
}

/// Rows one after another. `next_row` is the number an unnumbered row would get.
pub(crate) struct Rows<'a> {
    bytes: &'a [u8],
    spelling: &'a Spelling,
    at: usize,
    end: usize,
    next_row: u32,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(
        bytes: &'a [u8],
        range: Range<usize>,
        spelling: &'a Spelling,
        next_row: u32,
    ) -> Rows<'a> {
        Rows { bytes, spelling, at: range.start, end: range.end.min(bytes.len()), next_row }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Row>, Broken> {
        let Some(start) = next_tag(self.bytes, self.at, self.end)? else { return Ok(None) };
        if !self.spelling.is(self.bytes, start + 1, b"row") {
            return Err(Broken { at: start, what: "something other than a row in sheetData" });
        }
        let row = read_row(self.bytes, start, self.end, self.spelling, self.next_row)?;
        self.at = row.end;
        self.next_row = row.row + 1;
        Ok(Some(row))
    }
}

/// The row whose tag starts at `start`.
pub(crate) fn read_row(
    bytes: &[u8],
    start: usize,
    end: usize,
    spelling: &Spelling,
    next_row: u32,
) -> Result<Row, Broken> {
    let mut attributes = Attributes::new(bytes, start + spelling.row_start.len());
    let mut number = None;
    while let Some((name, value)) = attributes.next()? {
        if bytes.get(name) == Some(b"r") {
            let text = bytes.part(value);
            let read = read_number(text).filter(|row| (1..=formula::MAX_ROWS).contains(row));
            number = Some(
                read.ok_or(Broken { at: start, what: "a row whose number is not one of 1 to 1048576" })?,
            );
        }
    }
    let (tag_end, closes_itself) = attributes.tag_end()?;
    let tag = Tag { start, end: tag_end, closes_itself };
    let row = number.map_or(next_row, |number| number - 1);
    if row >= formula::MAX_ROWS {
        return Err(Broken { at: start, what: "a row beyond the last" });
    }
    if closes_itself {
        return Ok(Row { row, tag, cells: tag_end..tag_end, end: tag_end });
    }
    let inside = between(bytes, tag_end, end);
    let close = memchr::memmem::find(inside, &spelling.row_end).map(|at| tag_end + at);
    let close = close.ok_or(Broken { at: start, what: "a row that does not end" })?;
    Ok(Row { row, tag, cells: tag_end..close, end: close + spelling.row_end.len() })
}

/// What a cell says it holds, by its `t`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CellType {
    #[default]
    Number,
    Shared,
    Inline,
    Text,
    Bool,
    Error,
    /// `d`: an ISO 8601 date.
    Date,
}

impl CellType {
    fn read(text: &[u8]) -> Option<CellType> {
        Some(match text {
            b"n" | b"" => CellType::Number,
            b"s" => CellType::Shared,
            b"inlineStr" => CellType::Inline,
            b"str" => CellType::Text,
            b"b" => CellType::Bool,
            b"e" => CellType::Error,
            b"d" => CellType::Date,
            _ => return None,
        })
    }
}

/// One cell: where its pieces stand.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) at: CellRef,
    /// Whether the file says the address, or leaves it to be counted.
    pub(crate) addressed: bool,
    pub(crate) kind: CellType,
    pub(crate) style: u32,
    pub(crate) tag: Tag,
    /// Behind the cell.
    pub(crate) end: usize,
    /// The `f` element with its tags, and its text between them.
    pub(crate) formula: Option<(Range<usize>, Range<usize>)>,
    /// The text between the tags of `v`.
    pub(crate) value: Option<Range<usize>>,
    /// The `v` element with its tags.
    pub(crate) value_element: Option<Range<usize>>,
    /// The `is` element with its tags.
    pub(crate) inline: Option<Range<usize>>,
}

impl Cell {
    /// Whether the formula is only a mark that an array of another cell fills this one. Excel leaves it where the array
    /// changes with the moment; outside an array no program reads it.
    pub(crate) fn is_filled(&self, bytes: &[u8]) -> bool {
        self.formula.as_ref().is_some_and(|(element, inside)| {
            inside.is_empty() && Attributes::of(bytes, element.start).find("t").is_none()
        })
    }

    /// Whether a cell with a formula says what that came to; some programs leave it to whoever opens the file.
    pub(crate) fn has_value(&self) -> bool {
        let empty = |span: &Range<usize>| span.is_empty() && self.kind != CellType::Text;
        self.inline.is_some() || self.value.as_ref().is_some_and(|span| !empty(span))
    }
}

/// Whether a cell is of a group of shared formulas.
pub(crate) fn is_member(bytes: &[u8], cell: &Cell, index: u32) -> bool {
    let Some((element, _)) = &cell.formula else { return false };
    let value = |name| Attributes::of(bytes, element.start).find(name).and_then(|span| bytes.get(span));
    value("t") == Some(b"shared") && value("si").and_then(read_number) == Some(index)
}

/// The attributes of a tag as written, each with a blank before it, without the given ones.
pub(crate) fn other_attributes(bytes: &[u8], start: usize, without: &[&str]) -> String {
    let mut attributes = Attributes::of(bytes, start);
    let mut kept = String::new();
    while let Ok(Some((name, value))) = attributes.next() {
        let local = bytes.part(name.clone());
        if without.iter().any(|other| other.as_bytes() == local) {
            continue;
        }
        kept.push(' ');
        kept.push_str(&String::from_utf8_lossy(bytes.part(name.start..value.end + 1)));
    }
    kept
}

/// The format that a row gives to cells which are not there, if it says so.
pub(crate) fn row_style(bytes: &[u8], row: &Row) -> Option<u32> {
    let value = |name| Attributes::of(bytes, row.tag.start).find(name).and_then(|span| bytes.get(span));
    let custom = matches!(value("customFormat"), Some(b"1" | b"true"));
    custom.then(|| value("s").and_then(read_number)).flatten()
}

#[cfg(test)]
impl Cell {
    fn span(&self) -> Range<usize> {
        self.tag.start..self.end
    }
}

/// The cells of one row.
pub(crate) struct Cells<'a> {
    bytes: &'a [u8],
    spelling: &'a Spelling,
    at: usize,
    end: usize,
    row: u32,
    next_col: u32,
}

impl<'a> Cells<'a> {
    pub(crate) fn new(bytes: &'a [u8], row: &Row, spelling: &'a Spelling) -> Cells<'a> {
        Cells { bytes, spelling, at: row.cells.start, end: row.cells.end, row: row.row, next_col: 0 }
    }

    pub(crate) fn next(&mut self) -> Result<Option<Cell>, Broken> {
        loop {
            let Some(start) = next_tag(self.bytes, self.at, self.end)? else { return Ok(None) };
            if self.spelling.is(self.bytes, start + 1, b"c") {
                return self.cell(start).map(Some);
            }
            // Rows may end in an extension list, which holds nothing of ours.
            if !self.spelling.is(self.bytes, start + 1, b"extLst") {
                return Err(Broken { at: start, what: "something other than a cell in a row" });
            }
            self.at = self.end;
        }
    }

    fn cell(&mut self, start: usize) -> Result<Cell, Broken> {
        let bytes = self.bytes;
        let prefix = self.spelling.prefix.len();
        let mut attributes = Attributes::new(bytes, start + 2 + prefix);
        let mut cell = Cell {
            at: CellRef { row: self.row, col: self.next_col },
            addressed: false,
            kind: CellType::Number,
            style: 0,
            tag: Tag { start, end: start, closes_itself: false },
            end: start,
            formula: None,
            value: None,
            value_element: None,
            inline: None,
        };
        while let Some((name, value)) = attributes.next()? {
            let text = bytes.part(value);
            match bytes.part(name) {
                b"r" => {
                    let at = CellRef::read(text)
                        .ok_or(Broken { at: start, what: "a cell address that is none" })?;
                    if at.row != self.row {
                        return Err(Broken { at: start, what: "a cell in a row that is not its own" });
                    }
                    cell.at = at;
                    cell.addressed = true;
                }
                b"s" => {
                    cell.style =
                        read_number(text).ok_or(Broken { at: start, what: "a style that is no number" })?;
                }
                b"t" => {
                    cell.kind = CellType::read(text)
                        .ok_or(Broken { at: start, what: "a cell of an unknown type" })?;
                }
                _ => {}
            }
        }
        if cell.at.col >= formula::MAX_COLS {
            return Err(Broken { at: start, what: "a cell beyond the last column" });
        }
        let (tag_end, closes_itself) = attributes.tag_end()?;
        cell.tag.end = tag_end;
        cell.tag.closes_itself = closes_itself;
        cell.end = if closes_itself { tag_end } else { self.content(&mut cell)? };
        self.at = cell.end;
        self.next_col = cell.at.col + 1;
        Ok(cell)
    }

    /// Reads what is inside a cell and answers where the cell ends.
    fn content(&self, cell: &mut Cell) -> Result<usize, Broken> {
        let (bytes, prefix) = (self.bytes, self.spelling.prefix.len());
        let mut at = cell.tag.end;
        loop {
            let unfinished = Broken { at: cell.tag.start, what: "a cell that does not end" };
            let start = next_tag_or_end(bytes, at, self.end)?.ok_or(unfinished)?;
            let name = start + 1 + prefix;
            match (byte(bytes, start + 1), byte(bytes, name)) {
                (b'/', _) => {
                    if !self.spelling.is(bytes, start + 2, b"c") {
                        return Err(Broken { at: start, what: "an end tag in the wrong place" });
                    }
                    let close = memchr::memchr(b'>', between(bytes, start, self.end));
                    return close.map(|close| start + close + 1).ok_or(unfinished);
                }
                (_, b'v') if self.spelling.is(bytes, start + 1, b"v") => {
                    let (inside, end) = self.leaf(start, name + 1, b'v')?;
                    cell.value = Some(inside);
                    cell.value_element = Some(start..end);
                    at = end;
                }
                (_, b'f') if self.spelling.is(bytes, start + 1, b"f") => {
                    let (inside, end) = self.leaf(start, name + 1, b'f')?;
                    cell.formula = Some((start..end, inside));
                    at = end;
                }
                (_, b'i') if self.spelling.is(bytes, start + 1, b"is") => {
                    at = self.nested(start, b"is")?;
                    cell.inline = Some(start..at);
                }
                (_, b'e') if self.spelling.is(bytes, start + 1, b"extLst") => {
                    at = self.nested(start, b"extLst")?;
                }
                _ => return Err(Broken { at: start, what: "something unknown in a cell" }),
            }
        }
    }

    /// An element with text only: its text, and where it ends.
    fn leaf(&self, start: usize, name_end: usize, local: u8) -> Result<(Range<usize>, usize), Broken> {
        let bytes = self.bytes;
        let unfinished = Broken { at: start, what: "an element that does not end" };
        let (tag_end, closes_itself) = if byte(bytes, name_end) == b'>' {
            (name_end + 1, false)
        } else {
            let mut attributes = Attributes::new(bytes, name_end);
            while attributes.next()?.is_some() {}
            attributes.tag_end()?
        };
        if closes_itself {
            return Ok((tag_end..tag_end, tag_end));
        }
        let mut close = tag_end;
        loop {
            let rest = between(bytes, close, self.end);
            close += memchr::memchr(b'<', rest).ok_or(unfinished)?;
            if byte(bytes, close + 1) == b'/' {
                break;
            }
            close = skip_markup(bytes, close, self.end)?
                .ok_or(Broken { at: close, what: "markup in a value" })?;
        }
        if !self.spelling.is(bytes, close + 2, &[local]) {
            return Err(Broken { at: close, what: "an end tag in the wrong place" });
        }
        let end = close + memchr::memchr(b'>', between(bytes, close, self.end)).ok_or(unfinished)?;
        Ok((tag_end..close, end + 1))
    }

    /// Where an element ends that has elements inside, none of its own name.
    fn nested(&self, start: usize, local: &[u8]) -> Result<usize, Broken> {
        let bytes = self.bytes;
        let unfinished = Broken { at: start, what: "an element that does not end" };
        let mut attributes = Attributes::of(bytes, start);
        while attributes.next()?.is_some() {}
        let (mut at, closes_itself) = attributes.tag_end()?;
        if closes_itself {
            return Ok(at);
        }
        loop {
            at = next_tag_or_end(bytes, at, self.end)?.ok_or(unfinished)?;
            if byte(bytes, at + 1) == b'/' && self.spelling.is(bytes, at + 2, local) {
                let close = memchr::memchr(b'>', between(bytes, at, self.end)).ok_or(unfinished)?;
                return Ok(at + close + 1);
            }
            at += 1;
        }
    }
}

/// What is left of a row or a cell. Nothing where a damaged tag runs on behind its end, which the caller then misses.
fn between(bytes: &[u8], from: usize, to: usize) -> &[u8] {
    if from <= to && to <= bytes.len() { &bytes[from..to] } else { &[] }
}

/// The next start tag in `at..end`. End tags there are none: the slice holds whole elements.
fn next_tag(bytes: &[u8], at: usize, end: usize) -> Result<Option<usize>, Broken> {
    match next_tag_or_end(bytes, at, end)? {
        Some(start) if byte(bytes, start + 1) == b'/' => {
            Err(Broken { at: start, what: "an end tag in the wrong place" })
        }
        found => Ok(found),
    }
}

/// The next start or end tag in `at..end`, past comments, CDATA sections and processing instructions.
#[inline]
fn next_tag_or_end(bytes: &[u8], mut at: usize, end: usize) -> Result<Option<usize>, Broken> {
    loop {
        if byte(bytes, at) != b'<' {
            let Some(found) = memchr::memchr(b'<', between(bytes, at, end)) else {
                return Ok(None);
            };
            at += found;
        }
        if at >= end {
            return Ok(None);
        }
        match skip_markup(bytes, at, end)? {
            Some(after) => at = after,
            None => return Ok(Some(at)),
        }
    }
}

/// Behind the comment, CDATA section or processing instruction at `at`, if there is one.
#[inline]
fn skip_markup(bytes: &[u8], at: usize, end: usize) -> Result<Option<usize>, Broken> {
    let close: &[u8] = match byte(bytes, at + 1) {
        b'?' => b"?>",
        b'!' if bytes.get(at..at + 4) == Some(b"<!--") => b"-->",
        b'!' => b"]]>",
        _ => return Ok(None),
    };
    let rest = between(bytes, at, end);
    let found = memchr::memmem::find(rest, close).ok_or(Broken { at, what: "markup that does not end" })?;
    Ok(Some(at + found + close.len()))
}

/// The characters of an element's text.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if memchr::memchr(b'<', bytes).is_none() || !text.contains("<!") {
        return match text {
            Cow::Borrowed(text) => ooxml::xml::decode_text(text),
            Cow::Owned(text) => Cow::Owned(ooxml::xml::decode_text(&text).into_owned()),
        };
    }
    let mut out = String::new();
    let mut rest: &str = &text;
    while let Some(start) = rest.find("<!") {
        let (plain, more) = rest.split_at(start);
        out.push_str(&ooxml::xml::decode_text(plain));
        let (open, close) = if more.starts_with("<!--") { (4, "-->") } else { (9, "]]>") };
        let Some(inside) = more.get(open..) else { return Cow::Owned(out) };
        let Some(length) = inside.find(close) else { return Cow::Owned(out) };
        if open == 9 {
            out.push_str(inside.part(..length));
        }
        rest = inside.left(length + close.len());
    }
    out.push_str(&ooxml::xml::decode_text(rest));
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(row: &str) -> Result<Vec<Cell>, Broken> {
        let spelling = Spelling::new(if row.contains("x:") { "x" } else { "" });
        let mut rows = Rows::new(row.as_bytes(), 0..row.len(), &spelling, 0);
        let mut found = Vec::new();
        while let Some(row_found) = rows.next()? {
            let mut cells = Cells::new(row.as_bytes(), &row_found, &spelling);
            while let Some(cell) = cells.next()? {
                found.push(cell);
            }
        }
        Ok(found)
    }

    #[test]
    fn pieces_of_cells_are_found() {
        let xml = r#"<row r="2" spans="1:3"><c r="A2" s="4" t="s"><v>12</v></c><c r="B2"/> <!-- <c> --><c t="str"><f t="shared" si="0">A1&amp;"x"</f><v>a</v></c></row>"#;
        let found = cells(xml).unwrap();
        assert_eq!(found.len(), 3);
        assert_eq!(
            (found[0].at.to_string().as_str(), found[0].style, found[0].kind),
            ("A2", 4, CellType::Shared)
        );
        assert_eq!(&xml[found[0].value.clone().unwrap()], "12");
        assert_eq!(&xml[found[1].span()], r#"<c r="B2"/>"#);
        assert_eq!(found[2].at.to_string(), "C2");
        let (element, inside) = found[2].formula.clone().unwrap();
        assert_eq!(&xml[inside], "A1&amp;\"x\"");
        assert_eq!(&xml[element], r#"<f t="shared" si="0">A1&amp;"x"</f>"#);
    }

    #[test]
    fn prefixes_inline_strings_and_unnumbered_rows() {
        let xml = "<x:row><x:c t='inlineStr'><x:is><x:r><x:t>a</x:t></x:r></x:is></x:c></x:row><x:row/><x:row><x:c><x:v>1</x:v></x:c></x:row>";
        let found = cells(xml).unwrap();
        assert_eq!(found.iter().map(|cell| cell.at.to_string()).collect::<Vec<_>>(), ["A1", "A3"]);
        assert!(found[0].inline.is_some());
    }

    #[test]
    fn what_is_no_sheet_is_refused() {
        for bad in [
            "<row r=\"0\"/>",
            "<row r=\"1\"><c r=\"A2\"/></row>",
            "<row r=\"1\"><c r=\"A1\"",
            "<row r=\"1\"><c r=\"A1\"><v>1</c></row>",
            "<row r=\"1\">",
            "<col/>",
            "<row r=\"1\"><c t=\"q\"/></row>",
        ] {
            assert!(cells(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn text_decodes_references_and_sections() {
        assert_eq!(text(b"a&lt;b"), "a<b");
        assert_eq!(text(b"a<![CDATA[<&]]>b<!-- x -->c"), "a<&bc");
    }
}
