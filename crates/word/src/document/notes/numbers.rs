//! The marks of footnotes and endnotes as Word prints them.
//!
//! The document, and each of its sections, says in which numerals notes are counted, from which number, and whether
//! they are counted anew in each section. Where they are counted anew on each page, which only a layout knows, they
//! are counted on. A note with a mark of its own (`*`, typed by the author) takes no number.

use std::collections::BTreeMap;

use edit::{Cut, OrEmpty};
use memchr::memmem;

use crate::document::index::flag;
use crate::document::numbering::number;
use crate::document::paragraph::{AtomKind, Paragraph, Side};
use crate::document::props::each_child;
use crate::document::view::{Place, View};

/// What readers see, by the ids of the file.
#[derive(Debug, Clone, Default)]
pub(crate) struct NoteNumbers {
    footnotes: BTreeMap<String, Printed>,
    endnotes: BTreeMap<String, Printed>,
}

/// How a note is referred to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Printed {
    /// Among the notes of its kind, by the order of their references, from 1.
    pub(crate) order: usize,
    pub(crate) mark: String,
}

impl NoteNumbers {
    pub(crate) fn footnote(&self, id: &str) -> Option<&Printed> {
        self.footnotes.get(id)
    }

    pub(crate) fn endnote(&self, id: &str) -> Option<&Printed> {
        self.endnotes.get(id)
    }
}

/// How notes of one kind are counted, as far as it is said.
#[derive(Debug, Clone, Default)]
struct Counting {
    format: Option<String>,
    start: Option<i64>,
    restart: Option<String>,
}

impl Counting {
    /// From `w:footnotePr` or `w:endnotePr`.
    fn read(properties: &[u8]) -> Counting {
        let mut counting = Counting::default();
        each_child(properties, |child| match child.name {
            "numFmt" => counting.format = child.val(),
            "numStart" => counting.start = child.val().and_then(|value| value.trim().parse().ok()),
            "numRestart" => counting.restart = child.val(),
            _ => {}
        });
        counting
    }

    /// This, where `over` says nothing.
    fn under(&self, over: Counting) -> Counting {
        Counting {
            format: over.format.or_else(|| self.format.clone()),
            start: over.start.or(self.start),
            restart: over.restart.or_else(|| self.restart.clone()),
        }
    }
}

/// Of what is counted: its properties in a section, and the numerals it has by default.
struct Kind {
    properties: &'static str,
    numerals: &'static str,
}

const FOOTNOTES: Kind = Kind { properties: "footnotePr", numerals: "decimal" };
const ENDNOTES: Kind = Kind { properties: "endnotePr", numerals: "lowerRoman" };

/// A reference in the body.
struct Reference {
    /// The paragraph it stands in.
    paragraph: usize,
    id: String,
    /// What the author typed for its mark.
    custom: Option<String>,
}

/// A section of the body: its last paragraph, if there is another section behind it, and its `w:sectPr`.
struct Section {
    last: Option<usize>,
    properties: Vec<u8>,
}

/// What an element (`w:sectPr`, `w:settings`) says of a kind.
fn said(element: &[u8], kind: &Kind) -> Counting {
    let mut found = Counting::default();
    each_child(element, |child| {
        if child.name == kind.properties {
            found = Counting::read(child.whole);
        }
    });
    found
}

fn printed(
    references: &[Reference],
    kind: &Kind,
    general: &[u8],
    sections: &[Section],
) -> BTreeMap<String, Printed> {
    let mut found: BTreeMap<String, Printed> = BTreeMap::new();
    let general = said(general, kind);
    let mut sections = sections.iter();
    let mut section = sections.next();
    let rules_of = |section: Option<&Section>| {
        general.under(section.map(|section| said(&section.properties, kind)).unwrap_or_default())
    };
    let mut rules = rules_of(section);
    let mut next = rules.start.unwrap_or(1);
    for reference in references {
        while section.and_then(|section| section.last).is_some_and(|last| last < reference.paragraph) {
            section = sections.next();
            rules = rules_of(section);
            if rules.restart.as_deref() == Some("eachSect") {
                next = rules.start.unwrap_or(1);
            }
        }
        if found.contains_key(&reference.id) {
            continue;
        }
        let mark = reference.custom.clone().unwrap_or_else(|| {
            let value = next;
            next = next.saturating_add(1);
            match rules.format.as_deref().unwrap_or(kind.numerals) {
                // Numerals that print nothing would leave nothing to name the note by.
                "none" => value.to_string(),
                format => number(value, format),
            }
        });
        found.insert(reference.id.clone(), Printed { order: found.len() + 1, mark });
    }
    found
}

impl View {
    pub(crate) fn count_notes(&self) -> NoteNumbers {
        let Some(part) = self.parts().first() else { return NoteNumbers::default() };
        let (mut footnotes, mut endnotes) = (Vec::new(), Vec::new());
        let flags = part.paragraphs.flags.iter().enumerate();
        for (index, _) in flags.filter(|(_, flags)| *flags & flag::NOTE_REFERENCE != 0) {
            let Ok(paragraph) = self.paragraph(Place { part: 0, index: index as u32 }) else { continue };
            let shown = paragraph.atoms.iter().enumerate().filter(|(_, atom)| atom.shown(Side::Redline));
            for (at, atom) in shown {
                let (list, id, custom) = match &atom.kind {
                    AtomKind::FootnoteReference { id, custom } => (&mut footnotes, id, *custom),
                    AtomKind::EndnoteReference { id, custom } => (&mut endnotes, id, *custom),
                    _ => continue,
                };
                let custom = custom.then(|| custom_mark(&paragraph, at));
                list.push(Reference { paragraph: index, id: id.clone(), custom });
            }
        }
        if footnotes.is_empty() && endnotes.is_empty() {
            return NoteNumbers::default();
        }
        let settings = self.layout().settings.as_ref();
        let settings = settings.and_then(|name| self.content().read(name).ok().flatten());
        let general = settings.map(|blob| blob.bytes().into_owned()).or_empty();
        let sections = self.sections();
        NoteNumbers {
            footnotes: printed(&footnotes, &FOOTNOTES, &general, &sections),
            endnotes: printed(&endnotes, &ENDNOTES, &general, &sections),
        }
    }

    fn sections(&self) -> Vec<Section> {
        let mut sections = Vec::new();
        let Some(part) = self.parts().first() else { return sections };
        let spellings = self.spellings();
        let ends: Vec<bool> = (0..spellings.len())
            .map(|number| memmem::find(spellings.get(number as u32), b"sectPr").is_some())
            .collect();
        for (index, spelling) in part.paragraphs.properties.iter().enumerate() {
            if ends.get(spelling as usize) == Some(&true) {
                each_child(spellings.get(spelling), |child| {
                    if child.name == "sectPr" {
                        sections.push(Section { last: Some(index), properties: child.whole.to_vec() });
                    }
                });
            }
        }
        // The last one is described behind all blocks of the body.
        let last = part.paragraphs.len().checked_sub(1);
        let from = last.map_or(0, |last| part.paragraphs.span(last).end);
        let tail = part.blob.slice(from..part.blob.len());
        let start = memmem::find(&tail, b"sectPr").and_then(|name| memchr::memrchr(b'<', tail.get(..name)?));
        let properties = start.map_or(&[][..], |start| tail.part(start..));
        sections.push(Section { last: None, properties: properties.to_vec() });
        sections
    }
}

/// What the author typed in place of a number: it follows the reference in the same run.
fn custom_mark(paragraph: &Paragraph, reference: usize) -> String {
    let own = paragraph.atoms.get(reference).and_then(|atom| atom.run);
    let behind = paragraph.atoms.iter().skip(reference + 1);
    let mut mark = String::new();
    for atom in behind.take_while(|atom| own.is_some() && atom.run == own) {
        match &atom.kind {
            AtomKind::Text(text) => mark += &text.text,
            AtomKind::Symbol { font, character } => {
                mark.push(crate::document::symbols::unicode(font, *character))
            }
            _ => break,
        }
    }
    let mark: String = mark.trim().chars().take(LONGEST_MARK).collect();
    if mark.is_empty() { "*".to_owned() } else { mark }
}

/// Word takes ten characters.
const LONGEST_MARK: usize = 10;

#[cfg(test)]
mod tests {
    use edit::Format;

    use crate::testing::{document_with, p, r};
    use crate::text::read::Request;
    use crate::{Story, Word, read::Stories};

    fn reference(kind: &str, id: usize) -> String {
        format!("<w:r><w:{kind}Reference w:id=\"{id}\"/></w:r>")
    }

    fn notes(kind: &str, count: usize) -> String {
        let note = |id| format!("<w:{kind} w:id=\"{id}\">{}</w:{kind}>", p(&r(&format!("note {id}"))));
        (1..=count).map(note).collect()
    }

    fn section(inner: &str) -> String {
        p(&format!("<w:pPr><w:sectPr>{inner}</w:sectPr></w:pPr>"))
    }

    /// The text of the body, with its marks.
    fn body(body: &str, settings: &str) -> String {
        let parts = [
            ("footnotes", &*notes("footnote", 9)),
            ("endnotes", &notes("endnote", 9)),
            ("settings", settings),
        ];
        let view = Word::view(&document_with(body, &parts)).expect("views");
        let page = view.page(&Request::default()).expect("reads");
        page.nodes.iter().map(|node| node.text.as_str()).collect()
    }

    #[test]
    fn notes_have_the_numerals_of_the_document_and_start_where_it_says() {
        let both = p(&(reference("footnote", 5) + &reference("footnote", 2) + &reference("endnote", 7)));
        assert_eq!(body(&both, ""), "[^1][^2][^ei]");
        let letters = "<w:footnotePr><w:numFmt w:val=\"lowerLetter\"/><w:numStart w:val=\"3\"/></w:footnotePr>\
             <w:endnotePr><w:numFmt w:val=\"decimal\"/></w:endnotePr>";
        assert_eq!(body(&both, letters), "[^c][^d][^e1]");
        let signs = "<w:footnotePr><w:numFmt w:val=\"chicago\"/></w:footnotePr>";
        assert_eq!(body(&both, signs), "[^*][^\u{2020}][^ei]");
        let silent = "<w:footnotePr><w:numFmt w:val=\"none\"/></w:footnotePr>";
        assert_eq!(body(&both, silent), "[^1][^2][^ei]");
    }

    #[test]
    fn a_section_may_count_anew_and_otherwise_goes_on() {
        let one = |id| p(&reference("footnote", id));
        let anew = "<w:footnotePr><w:numRestart w:val=\"eachSect\"/></w:footnotePr>";
        let text = one(1) + &one(2) + &section("") + &one(3) + &section("") + &section("") + &one(4);
        assert_eq!(body(&text, ""), "[^1][^2][^3][^4]");
        assert_eq!(body(&text, anew), "[^1][^2][^1][^1]");
        let second = "<w:footnotePr><w:numFmt w:val=\"upperRoman\"/><w:numStart w:val=\"4\"/>\
             <w:numRestart w:val=\"eachSect\"/></w:footnotePr>";
        let text = one(1) + &section("") + &one(2) + &one(3) + &section(second) + &one(4);
        assert_eq!(body(&text, ""), "[^1][^IV][^V][^6]");
        // Pages are not known here.
        let pages = "<w:footnotePr><w:numRestart w:val=\"eachPage\"/></w:footnotePr>";
        assert_eq!(body(&(one(1) + &one(2)), pages), "[^1][^2]");
    }

    #[test]
    fn the_last_section_is_described_behind_the_body() {
        let properties = "<w:sectPr w:rsidR=\"00AA\"><w:footnotePr><w:numFmt w:val=\"upperLetter\"/>\
             <w:numRestart w:val=\"eachSect\"/></w:footnotePr></w:sectPr>";
        let text = p(&reference("footnote", 1)) + &section("") + &p(&reference("footnote", 2)) + properties;
        assert_eq!(body(&text, ""), "[^1][^A]");
    }

    #[test]
    fn a_mark_of_its_own_takes_no_number() {
        let own = "<w:r><w:footnoteReference w:customMarkFollows=\"1\" w:id=\"2\"/><w:t>**</w:t></w:r>";
        let text = p(&(reference("footnote", 1) + own + &reference("footnote", 3)));
        assert_eq!(body(&text, ""), "[^1][^**]**[^2]");
        let symbol = "<w:r><w:footnoteReference w:customMarkFollows=\"true\" w:id=\"2\"/><w:sym w:font=\"Symbol\" w:char=\"F02A\"/></w:r>";
        assert_eq!(body(&p(symbol), ""), "[^\u{2217}]\u{2217}");
    }

    #[test]
    fn the_text_of_a_note_is_labelled_with_the_mark_that_refers_to_it() {
        let text = p(&(reference("footnote", 4) + &reference("footnote", 2)));
        let roman = "<w:footnotePr><w:numFmt w:val=\"lowerRoman\"/></w:footnotePr>";
        let parts = [("footnotes", &*notes("footnote", 4)), ("settings", roman)];
        let view = Word::view(&document_with(&text, &parts)).expect("views");
        let page = view.page(&Request::default()).expect("reads");
        let told: Vec<_> = page.notes.iter().map(|note| (note.mark.as_str(), note.text.as_str())).collect();
        assert_eq!(told, [("[^i]", "note 4"), ("[^ii]", "note 2")]);
        let request = Request { stories: Stories::One(Story::Footnotes), ..Request::default() };
        let page = view.page(&request).expect("reads");
        let labels: Vec<_> = page.nodes.iter().map(|node| node.list_label.as_str()).collect();
        assert_eq!(labels, ["", "[^ii]", "", "[^i]"]);
    }
}
