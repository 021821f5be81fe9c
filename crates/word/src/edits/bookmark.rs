//! Bookmarks that are there already: another name for one, or none any more.
//!
//! A name is what links and cross references hold on to, so a new one is carried to all of them, wherever they are: an
//! anchor of a link, the instruction of a field that may be spread over runs, a form field that is filled under it.

mod instruction;

use std::collections::BTreeSet;
use std::ops::Range;

use edit::{Blob, Context, Level, Note, PartName, Patch, Planned, Refusal, Step};
use ooxml::xml::{Attribute, Document, Node, XmlLimits, escape_attribute, escape_text, ns};
use serde::{Deserialize, Serialize};

use self::instruction::{places_of, same};
use super::Outcome;
use super::link::check_name;
use crate::document::view::View;
use crate::edits::anatomy::word_name;

/// Give a bookmark another name, and all that points at it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenameBookmark {
    pub name: String,
    pub new: String,
}

/// Take a bookmark away; its text stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteBookmark {
    pub name: String,
}

pub(crate) fn rename(view: &View, edit: &RenameBookmark, _cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let found = find(view, &edit.name)?;
    if edit.name.starts_with('_') {
        return Err(Refusal::Unsafe {
            why: format!("`{}` is a hidden bookmark, which Word makes and names itself", edit.name),
            instead: Some("add a bookmark of your own at its text".to_owned()),
        });
    }
    // Another spelling of the same name is no name that is taken.
    let new = if same(&edit.name, &edit.new) { edit.new.as_str() } else { check_name(view, &edit.new)? };
    let mut patch = Patch::new();
    for (part, blob) in stories(view)? {
        let document = read(&part, &blob)?;
        for node in starts(&document, &edit.name) {
            if let Some(name) = node.attribute(ns::W, "name") {
                patch.splice(&part, name.value_span(), new.to_owned())?;
            }
        }
        for (range, with) in
            referring(&document, &edit.name).into_iter().flat_map(|one| one.renamed(&edit.name, new))
        {
            patch.splice(&part, range, with)?;
        }
    }
    let mut notes = Vec::new();
    if found.pointing > 0 {
        let text = match found.pointing {
            1 => "one link or cross reference points at the new name".to_owned(),
            count => format!("{count} links and cross references point at the new name"),
        };
        notes.push(Note { level: Level::Info, text });
    }
    let summary = format!("Rename the bookmark {} to {new}", edit.name);
    let step = Step { patch, summary, notes };
    Ok(Planned { step, outcome: Outcome::Linked { name: new.to_owned() } })
}

pub(crate) fn delete(view: &View, edit: &DeleteBookmark, _cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let found = find(view, &edit.name)?;
    if edit.name.starts_with('_') && found.pointing > 0 {
        let count = found.pointing;
        return Err(Refusal::Unsafe {
            why: format!(
                "`{}` is a hidden bookmark of Word's, and {count} of its links or cross references would show an error instead",
                edit.name
            ),
            instead: Some("delete those first, such as the line of the table of contents".to_owned()),
        });
    }
    let mut patch = Patch::new();
    for (part, blob) in stories(view)? {
        let document = read(&part, &blob)?;
        let mut ended = BTreeSet::new();
        for start in starts(&document, &edit.name) {
            patch.splice(&part, start.span(), "")?;
            let id = start.value(ns::W, "id");
            let mut ends = document.root().descendants().filter(|node| {
                word_name(node) == "bookmarkEnd"
                    && node.span().start > start.span().start
                    && node.value(ns::W, "id") == id
            });
            if let Some(end) = ends.find(|end| ended.insert(end.span().start)) {
                patch.splice(&part, end.span(), "")?;
            }
        }
    }
    let summary = format!("Delete the bookmark {}", edit.name);
    let step = Step { patch, summary, notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome::Linked { name: edit.name.clone() } })
}

/// What is known of a bookmark that exists.
struct BookmarkUse {
    /// How many links and cross references point at it.
    pointing: usize,
}

fn find(view: &View, name: &str) -> Result<BookmarkUse, Refusal> {
    let (mut exists, mut pointing, mut names) = (false, 0, Vec::new());
    for (part, blob) in stories(view)? {
        let document = read(&part, &blob)?;
        exists |= starts(&document, name).next().is_some();
        pointing += referring(&document, name).iter().filter(|one| one.points()).count();
        let known = document.root().descendants().filter(|node| word_name(node) == "bookmarkStart");
        names.extend(known.filter_map(|node| node.value(ns::W, "name").map(|name| name.into_owned())));
    }
    match exists {
        true => Ok(BookmarkUse { pointing }),
        false => {
            let shown = names.iter().map(String::as_str).filter(|name| !name.starts_with('_'));
            let nearest = edit::nearest(name, shown.clone()).into_iter().chain(shown.take(NAMED));
            let mut nearest: Vec<String> = nearest.map(str::to_owned).collect();
            nearest.dedup();
            Err(Refusal::NotFound { what: "bookmark", id: name.to_owned(), nearest })
        }
    }
}

/// How many bookmarks are named to who asks for another.
const NAMED: usize = 5;

/// The stories in which something could be a bookmark or point at one.
fn stories(view: &View) -> Result<Vec<(PartName, Blob)>, Refusal> {
    let mut found = Vec::new();
    for (_, name) in &view.layout().stories {
        let Some(blob) = view.content().read(name)? else { continue };
        let bytes = blob.bytes();
        let has = |what: &[u8]| memchr::memmem::find(&bytes, what).is_some();
        if has(b"bookmarkStart") || has(b"anchor") || has(b"nstr") {
            found.push((name.clone(), blob));
        }
    }
    Ok(found)
}

fn read(part: &PartName, blob: &Blob) -> Result<Document, Refusal> {
    Document::parse(blob, &XmlLimits::default()).map_err(|error| error.in_part(part))
}

fn starts<'a>(document: &'a Document, name: &'a str) -> impl Iterator<Item = Node<'a>> {
    let starts = document.root().descendants().filter(|node| word_name(node) == "bookmarkStart");
    starts.filter(move |node| node.value(ns::W, "name").is_some_and(|known| same(&known, name)))
}

/// Something that names the bookmark.
enum Referring<'a> {
    /// A link's anchor.
    Anchor(Attribute<'a>),
    /// The name of the form field that the bookmark stands around.
    FormField(Attribute<'a>),
    /// The instruction of a field in one attribute.
    Simple(Attribute<'a>),
    /// The same in elements, with their texts.
    Complex(Vec<(Node<'a>, String)>),
}

impl Referring<'_> {
    /// Whether it would lead nowhere without the bookmark.
    fn points(&self) -> bool {
        !matches!(self, Self::FormField(_))
    }

    fn renamed(&self, old: &str, new: &str) -> Vec<(Range<usize>, String)> {
        match self {
            Self::Anchor(attribute) | Self::FormField(attribute) => {
                vec![(attribute.value_span(), new.to_owned())]
            }
            Self::Simple(attribute) => {
                let mut text = attribute.value().into_owned();
                for range in places_of(old, &text).into_iter().rev() {
                    text.replace_range(range, new);
                }
                vec![(attribute.value_span(), escape_attribute(&text).into_owned())]
            }
            Self::Complex(pieces) => renamed_over(pieces, old, new),
        }
    }
}

/// A name may begin in one element and end in another: the first gets the new one.
fn renamed_over(pieces: &[(Node<'_>, String)], old: &str, new: &str) -> Vec<(Range<usize>, String)> {
    let whole: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
    let places = places_of(old, &whole);
    let mut splices = Vec::new();
    let mut base = 0;
    for (node, text) in pieces {
        let here = base..base + text.len();
        let mut changed = text.clone();
        for place in places.iter().rev() {
            let part = place.start.max(here.start)..place.end.min(here.end);
            if !part.is_empty() {
                let with = if part.start == place.start { new } else { "" };
                changed.replace_range(part.start - base..part.end - base, with);
            }
        }
        if changed != *text {
            splices.push((node.content_span(), escape_text(&changed).into_owned()));
        }
        base = here.end;
    }
    splices
}

/// Everything in a story that names the bookmark.
fn referring<'a>(document: &'a Document, name: &str) -> Vec<Referring<'a>> {
    let mut found = Vec::new();
    // Fields that are open, each with its instruction so far, or nothing once its result has begun.
    let mut open: Vec<Option<Vec<(Node<'a>, String)>>> = Vec::new();
    let close = |instruction: Option<Vec<(Node<'a>, String)>>, found: &mut Vec<Referring<'a>>| {
        let Some(pieces) = instruction else { return };
        let whole: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
        if !places_of(name, &whole).is_empty() {
            found.push(Referring::Complex(pieces));
        }
    };
    for node in document.root().descendants().filter(Node::is_element) {
        let named = |attribute: &Attribute<'_>| same(&attribute.value(), name);
        match word_name(&node) {
            "hyperlink" => {
                found.extend(node.attribute(ns::W, "anchor").filter(named).map(Referring::Anchor));
            }
            "fldSimple" => {
                let instruction = node.attribute(ns::W, "instr");
                let instruction = instruction.filter(|instr| !places_of(name, &instr.value()).is_empty());
                found.extend(instruction.map(Referring::Simple));
            }
            "name" if node.parent().is_some_and(|parent| word_name(&parent) == "ffData") => {
                found.extend(node.attribute(ns::W, "val").filter(named).map(Referring::FormField));
            }
            "fldChar" => match node.value(ns::W, "fldCharType").as_deref() {
                Some("begin") => open.push(Some(Vec::new())),
                Some("separate") => close(open.last_mut().and_then(Option::take), &mut found),
                Some("end") => close(open.pop().flatten(), &mut found),
                _ => {}
            },
            "instrText" | "delInstrText" => {
                if let Some(Some(pieces)) = open.last_mut() {
                    pieces.push((node, node.children().map(|inner| inner.text()).collect()));
                }
            }
            _ => {}
        }
    }
    found
}
