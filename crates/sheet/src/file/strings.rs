//! The strings that cells share, and how text is spelled in cells.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use edit::{Blob, Cut, PartName, Patch, Refusal};
use memchr::memmem;
use ooxml::xml::{Document, Scanner, TokenKind, XmlLimits, escape_text, ns};

use crate::file::scan::Attributes;
use crate::file::styles::Font;

/// The part `sharedStrings.xml`.
#[derive(Clone, Debug)]
pub(crate) struct Strings {
    pub(crate) part: PartName,
    blob: Blob,
    prefix: String,
    root: Range<usize>,
    root_closes_itself: bool,
    items: Vec<Item>,
    /// Offset of the end tag of the root.
    close: usize,
    by_text: OnceLock<Arc<HashMap<Arc<str>, u32>>>,
}

#[derive(Clone, Debug)]
struct Item {
    start: usize,
    end: usize,
    text: OnceLock<Arc<str>>,
}

/// A piece of a cell's text with its own look; `properties` is the `rPr` element as written, if any.
#[derive(Clone, Debug, PartialEq)]
pub struct RichRun {
    pub text: String,
    pub properties: Option<String>,
    /// What the properties say; a piece without any looks as the cell does.
    pub font: Option<Font>,
}

impl Strings {
    pub(crate) fn load(part: &PartName, blob: Blob) -> Result<Strings, Refusal> {
        let corrupt = |why: String| Refusal::Corrupt { what: part.to_string(), why };
        let bytes = blob.bytes();
        let mut scanner = Scanner::new(&bytes, &XmlLimits::default());
        let root = loop {
            match scanner.next().map_err(|error| error.in_part(part))? {
                None => return Err(corrupt("it has no root element".to_owned())),
                Some(token) if matches!(token.kind, TokenKind::Start | TokenKind::Empty) => break token,
                Some(_) => {}
            }
        };
        let name = String::from_utf8_lossy(bytes.cut(root.name_span())?).into_owned();
        let prefix =
            name.strip_suffix("sst").ok_or_else(|| corrupt(format!("its root is {name}")))?.to_owned();
        let empty = root.kind == TokenKind::Empty;
        let close = if empty {
            root.end
        } else {
            let needle = format!("</{name}");
            memmem::rfind(&bytes, needle.as_bytes())
                .ok_or_else(|| corrupt("its root does not end".to_owned()))?
        };
        let inside = bytes.get(root.end..close).ok_or_else(|| corrupt("its root does not end".to_owned()))?;
        let items = if memmem::find(inside, b"<!").is_some() {
            by_tree(&blob, part)?
        } else {
            by_bytes(inside, root.end, &prefix).ok_or_else(|| corrupt("a string does not end".to_owned()))?
        };
        let root_span = root.span();
        drop(bytes);
        Ok(Strings {
            part: part.clone(),
            prefix,
            root: root_span,
            root_closes_itself: empty,
            items,
            close,
            by_text: OnceLock::new(),
            blob,
        })
    }

    /// These strings after `patch`, if it only appended: the usual case, and the one that must be cheap.
    pub(crate) fn after(self, patch: &Patch, blob: Blob) -> Result<Strings, Refusal> {
        let splices = patch.splices(&self.part);
        let appended = splices.iter().filter(|s| s.range.start >= self.root.end).collect::<Vec<_>>();
        let in_root = splices.iter().all(|s| {
            s.range.start >= self.root.end || s.range.start > self.root.start && s.range.end < self.root.end
        });
        let [only] = appended.as_slice() else { return Strings::load(&self.part, blob) };
        if !in_root || self.root_closes_itself || only.range != (self.close..self.close) {
            return Strings::load(&self.part, blob);
        }
        let with = only.with.bytes();
        let grown: usize =
            splices.iter().filter(|s| s.range.start < self.root.end).map(|s| s.with.len()).sum::<usize>();
        let lost: usize =
            splices.iter().filter(|s| s.range.start < self.root.end).map(|s| s.range.len()).sum::<usize>();
        let shift = |offset: usize| offset + grown - lost;
        let close = shift(self.close);
        let Some(mut fresh) = by_bytes(&with, close, &self.prefix) else {
            return Strings::load(&self.part, blob);
        };
        let mut items = self.items;
        if grown != lost {
            for item in &mut items {
                item.start = shift(item.start);
                item.end = shift(item.end);
            }
        }
        items.append(&mut fresh);
        let root = self.root.start..shift(self.root.end);
        Ok(Strings { close: close + with.len(), items, root, by_text: OnceLock::new(), blob, ..self })
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn get(&self, index: u32) -> Option<Arc<str>> {
        let item = self.items.get(index as usize)?;
        let text = item.text.get_or_init(|| {
            let bytes = self.blob.slice(item.start..item.end);
            Arc::from(string_text(&bytes, &self.prefix))
        });
        Some(Arc::clone(text))
    }

    /// The pieces of a string that has looks of its own.
    pub(crate) fn rich(&self, index: u32) -> Option<Vec<RichRun>> {
        let item = self.items.get(index as usize)?;
        rich_runs(&self.blob.slice(item.start..item.end), &self.prefix)
    }

    /// The string that is written as `markup`, if there is one.
    fn position(&self, markup: &str) -> Option<u32> {
        let same = |item: &Item| {
            item.end - item.start == markup.len()
                && *self.blob.slice(item.start..item.end) == *markup.as_bytes()
        };
        self.items.iter().position(same).map(|index| index as u32)
    }

    /// The plain string that reads `text`, if there is one.
    fn find(&self, text: &str) -> Option<u32> {
        let known = self.by_text.get_or_init(|| {
            let mut known = HashMap::with_capacity(self.items.len());
            let rich = format!("<{}r", self.prefix);
            for (index, item) in self.items.iter().enumerate() {
                // A string with looks or readings of its own is not the plain string.
                if memmem::find(&self.blob.slice(item.start..item.end), rich.as_bytes()).is_none()
                    && let Some(text) = self.get(index as u32)
                {
                    known.entry(text).or_insert(index as u32);
                }
            }
            Arc::new(known)
        });
        known.get(text).copied()
    }
}

/// Strings to be added by one edit.
#[derive(Debug)]
pub(crate) struct NewStrings<'a> {
    strings: &'a Strings,
    added: Vec<String>,
    by_text: HashMap<String, u32>,
    /// Uses gained and lost.
    pub(crate) uses: i64,
}

impl<'a> NewStrings<'a> {
    pub(crate) fn new(strings: &'a Strings) -> NewStrings<'a> {
        NewStrings { strings, added: Vec::new(), by_text: HashMap::new(), uses: 0 }
    }

    /// The index of `text`, added if it is not there yet.
    pub(crate) fn index(&mut self, text: &str) -> u32 {
        self.uses += 1;
        if let Some(known) = self.strings.find(text).or_else(|| self.by_text.get(text).copied()) {
            return known;
        }
        let prefix = &self.strings.prefix;
        let index = self.add(format!("<{prefix}si>{}</{prefix}si>", text_element(prefix, text)));
        self.by_text.insert(text.to_owned(), index);
        index
    }

    fn add(&mut self, markup: String) -> u32 {
        self.added.push(markup);
        (self.strings.len() + self.added.len() - 1) as u32
    }

    /// The index of a text in pieces, `runs` as they are written; added if no string is written the same.
    pub(crate) fn rich_index(&mut self, runs: &str) -> u32 {
        self.uses += 1;
        let prefix = &self.strings.prefix;
        let markup = format!("<{prefix}si>{runs}</{prefix}si>");
        let known = self.strings.position(&markup).or_else(|| {
            let added = self.added.iter().position(|known| *known == markup)?;
            Some((self.strings.len() + added) as u32)
        });
        known.unwrap_or_else(|| self.add(markup))
    }

    pub(crate) fn prefix(&self) -> &'a str {
        &self.strings.prefix
    }

    pub(crate) fn finish(self, patch: &mut Patch) -> Result<(), Refusal> {
        let strings = self.strings;
        if !self.added.is_empty() {
            let markup = self.added.concat();
            if strings.root_closes_itself {
                let end = strings.root.end;
                let close = format!(">{markup}</{}sst>", strings.prefix);
                patch.splice(&strings.part, end - 2..end, close)?;
            } else {
                patch.splice(&strings.part, strings.close..strings.close, markup)?;
            }
        }
        // The counts are hints to whoever allocates; they are kept right where the file has them.
        let root = strings.blob.slice(strings.root.clone());
        for (name, grown) in [("count", self.uses), ("uniqueCount", self.added.len() as i64)] {
            let Some(value) = Attributes::of(&root, 0).find(name) else { continue };
            let text = std::str::from_utf8(root.cut(value.clone())?).unwrap_or_default();
            let Ok(known) = text.parse::<i64>() else { continue };
            if grown != 0 && known + grown >= 0 {
                let at = strings.root.start;
                patch.splice(&strings.part, at + value.start..at + value.end, (known + grown).to_string())?;
            }
        }
        Ok(())
    }
}

/// `t` with the text, as cells and shared strings have it.
pub(crate) fn text_element(prefix: &str, text: &str) -> String {
    let written = encode(text);
    // Excel trims blanks at both ends unless told not to.
    let blank = |c: Option<char>| c.is_some_and(char::is_whitespace);
    let keep =
        blank(written.chars().next()) || blank(written.chars().next_back()) || written.contains(['\n', '\t']);
    let space = if keep { " xml:space=\"preserve\"" } else { "" };
    format!("<{prefix}t{space}>{}</{prefix}t>", escape_text(&written))
}

/// Characters XML cannot hold are written `_x0001_`, and so is an underscore that would be read as one.
pub(crate) fn encode(text: &str) -> Cow<'_, str> {
    let needs = |text: &str| {
        text.chars().any(|c| c < ' ' && !matches!(c, '\n' | '\t') || matches!(c, '\u{FFFE}' | '\u{FFFF}'))
            || text.match_indices("_x").any(|(at, _)| escape_at(text.part(at..)).is_some())
    };
    if !needs(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        match c {
            '\n' | '\t' => out.push(c),
            c if c < ' ' || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {
                out.push_str(&format!("_x{:04X}_", c as u32))
            }
            '_' if escape_at(text.part(at..)).is_some() => out.push_str("_x005F_"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The other way round.
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains("_x") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        match escape_at(from) {
            Some(c) => {
                out.push(c);
                rest = from.part(7..);
            }
            None => {
                out.push('_');
                rest = from.part(1..);
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of `_x0041_` at the start of `text`.
fn escape_at(text: &str) -> Option<char> {
    let digits = text.strip_prefix("_x")?.get(..4)?;
    let closed = text.as_bytes().get(6) == Some(&b'_');
    let hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    (closed && hex).then(|| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)).flatten()
}

/// All text of a string item or inline string, without phonetic readings.
pub(crate) fn string_text(bytes: &[u8], prefix: &str) -> String {
    let mut out = String::new();
    for (text, _) in texts(bytes, prefix) {
        // Piece by piece: what looks like an escape across two pieces is none.
        out.push_str(&decode(&text));
    }
    out
}

pub(crate) fn rich_runs(bytes: &[u8], prefix: &str) -> Option<Vec<RichRun>> {
    let open = format!("<{prefix}r>");
    memmem::find(bytes, open.as_bytes())?;
    Some(
        texts(bytes, prefix)
            .into_iter()
            .map(|(text, properties)| RichRun {
                text: decode(&text).into_owned(),
                font: properties.as_deref().and_then(|properties| run_font(properties, prefix)),
                properties,
            })
            .collect(),
    )
}

fn run_font(properties: &str, prefix: &str) -> Option<Font> {
    let named = match prefix.strip_suffix(':') {
        Some(name) => format!(" xmlns:{name}=\"{}\"", ns::S),
        None => format!(" xmlns=\"{}\"", ns::S),
    };
    let whole = format!("<run{named}>{properties}</run>");
    let document = Document::parse(&Blob::from(whole), &XmlLimits::default()).ok()?;
    let node = document.root().child(ns::S, "rPr")?;
    Some(crate::file::styles::font(&node))
}

/// The contents of the `t` elements outside `rPh`, each with the `rPr` before it in its run.
fn texts(bytes: &[u8], prefix: &str) -> Vec<(String, Option<String>)> {
    let mut scanner = Scanner::new(bytes, &XmlLimits::default());
    let (mut inside, mut phonetic) = (None, 0u32);
    let (mut properties, mut properties_start) = (None, None);
    let mut found = Vec::new();
    while let Ok(Some(token)) = scanner.next() {
        let name = bytes.part(token.name_span());
        let local = name.strip_prefix(prefix.as_bytes()).unwrap_or(name);
        match (token.kind, local) {
            (TokenKind::Start, b"rPh") => phonetic += 1,
            (TokenKind::End, b"rPh") => phonetic = phonetic.saturating_sub(1),
            (TokenKind::Start, b"r") => properties = None,
            (TokenKind::Start, b"rPr") => properties_start = Some(token.start),
            (TokenKind::End, b"rPr") => {
                let span = properties_start.take().unwrap_or(token.start)..token.end;
                properties = Some(String::from_utf8_lossy(bytes.part(span)).into_owned());
            }
            (TokenKind::Start, b"t") if phonetic == 0 => inside = Some(token.end),
            (TokenKind::End, b"t") => {
                if let Some(start) = inside.take() {
                    let raw = bytes.part(start..token.start);
                    found.push((crate::file::scan::text(raw).into_owned(), properties.clone()));
                }
            }
            _ => {}
        }
    }
    found
}

fn by_bytes(inside: &[u8], offset: usize, prefix: &str) -> Option<Vec<Item>> {
    let open = format!("<{prefix}si");
    let close = format!("</{prefix}si>");
    let opener = memmem::Finder::new(open.as_bytes());
    let closer = memmem::Finder::new(close.as_bytes());
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(start) = opener.find(inside.get(at..)?).map(|found| at + found) {
        let name_end = start + open.len();
        let end = match inside.get(name_end)? {
            b'>' => name_end + closer.find(inside.get(name_end..)?)? + close.len(),
            b'/' => name_end + 2,
            _ => {
                let tag_end = name_end + memchr::memchr(b'>', inside.get(name_end..)?)?;
                match inside.get(tag_end - 1) {
                    Some(b'/') => tag_end + 1,
                    _ => tag_end + closer.find(inside.get(tag_end..)?)? + close.len(),
                }
            }
        };
        items.push(Item { start: offset + start, end: offset + end, text: OnceLock::new() });
        at = end;
    }
    Some(items)
}

fn by_tree(blob: &Blob, part: &PartName) -> Result<Vec<Item>, Refusal> {
    let document = Document::parse(blob, &XmlLimits::default()).map_err(|error| error.in_part(part))?;
    let items = document.root().elements().filter(|node| node.name().local == "si").map(|node| {
        let span = node.span();
        Item { start: span.start, end: span.end, text: OnceLock::new() }
    });
    Ok(items.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_read_with_runs_readings_and_escapes() {
        let xml = r#"<sst count="4" uniqueCount="3"><si><t>a&amp;b</t></si><si><r><rPr><b/></rPr><t>x</t></r><r><t xml:space="preserve"> y</t></r><rPh sb="0" eb="1"><t>z</t></rPh></si><si/><si><t>_x000D_q</t></si></sst>"#;
        let strings = Strings::load(&PartName::new("s"), Blob::from(xml)).unwrap();
        let all: Vec<_> = (0..4).map(|i| strings.get(i).unwrap().to_string()).collect();
        assert_eq!(all, ["a&b", "x y", "", "\rq"]);
        assert_eq!(strings.rich(1).unwrap()[0].properties.as_deref(), Some("<rPr><b/></rPr>"));
        assert!(strings.rich(0).is_none());
    }

    #[test]
    fn a_string_is_added_once_and_counted() {
        let part = PartName::new("s");
        let xml = r#"<sst count="1" uniqueCount="1"><si><t>old</t></si></sst>"#;
        let strings = Strings::load(&part, Blob::from(xml)).unwrap();
        let mut new = NewStrings::new(&strings);
        assert_eq!([new.index("old"), new.index(" n"), new.index(" n")], [0, 1, 1]);
        let mut patch = Patch::new();
        new.finish(&mut patch).unwrap();
        let before = edit::Content::single(part.clone(), Blob::from(xml));
        let after = patch.apply(&before).unwrap().read(&part).unwrap().unwrap();
        let wanted = r#"<sst count="4" uniqueCount="2"><si><t>old</t></si><si><t xml:space="preserve"> n</t></si></sst>"#;
        assert_eq!(String::from_utf8_lossy(&after.bytes()), wanted);
        let grown = strings.after(&patch, after).unwrap();
        assert_eq!((&*grown.get(0).unwrap(), &*grown.get(1).unwrap()), ("old", " n"));
    }

    #[test]
    fn escapes_go_both_ways() {
        for text in ["plain", "_x", "_x0041_", "a\u{1}b", "_x004", "__x0041__", "\r\n"] {
            assert_eq!(decode(&encode(text)), text, "{text:?}");
        }
        assert_eq!(encode("_x0041_"), "_x005F_x0041_");
    }
}
