//! Bookmarks and hyperlinks around a stretch of text.

use edit::{Context, Cut, Patch, Planned, Refusal, Step};
use ooxml::xml::{Node, escape_attribute, ns};
use ooxml::{NewRelationship, NewTarget, Relationships};
use serde::{Deserialize, Serialize};

use super::broken_targets::bookmarks;
use super::quoted_ranges::{PlacedXml, insert_at, quoted};
use super::{Outcome, clean, excerpt};
use crate::document::ids::ParagraphId;
use crate::document::view::View;
use crate::edits::anatomy::Anatomy;
use crate::edits::open_paragraph::{OpenParagraph, stamp, story_blobs};

/// Give a text, or a whole paragraph, a name that links and references can point at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddBookmark {
    pub paragraph: ParagraphId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    pub name: String,
}

/// Make a text a link: to an address, or with `#name` to a bookmark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddHyperlink {
    pub paragraph: ParagraphId,
    pub quote: String,
    pub target: String,
}

/// Word cuts longer names off.
const LONGEST_NAME: usize = 40;

pub(crate) fn bookmark(view: &View, edit: &AddBookmark, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let name = check_name(view, &edit.name)?;
    let opened = OpenParagraph::open(view, view.find(edit.paragraph)?)?;
    let anatomy = opened.bare_anatomy()?;
    let range = match &edit.quote {
        Some(quote) => quoted(&anatomy.text, quote, edit.paragraph)?,
        None => 0..anatomy.text.len(),
    };
    let id = stamp(view, cx).fresh_id().to_string();
    let dialect = &opened.dialect;
    let start = dialect.empty("bookmarkStart", &[("id", &id), ("name", name)]);
    let end = dialect.empty("bookmarkEnd", &[("id", &id)]);
    let mut patch = Patch::new();
    let pieces = [PlacedXml::mark(range.start, &start), PlacedXml::mark(range.end, &end)];
    opened.add_to(&mut patch, insert_at(&opened, &anatomy, &pieces))?;
    let summary = format!("Bookmark \"{}\" as {name}", excerpt(anatomy.text.cut(range)?));
    let step = Step { patch, summary, notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome::Linked { name: name.to_owned() } })
}

pub(crate) fn hyperlink(
    view: &View,
    edit: &AddHyperlink,
    _cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let target = clean("target", &edit.target)?;
    check_target(view, &target)?;
    let opened = OpenParagraph::open(view, view.find(edit.paragraph)?)?;
    let anatomy = opened.bare_anatomy()?;
    let range = quoted(&anatomy.text, &edit.quote, edit.paragraph)?;
    check_span(&anatomy, &range)?;
    let mut patch = Patch::new();
    let dialect = &opened.dialect;
    let attribute = match target.strip_prefix('#') {
        Some(name) => format!(" {}anchor=\"{}\"", dialect.attribute, escape_attribute(name)),
        None => {
            let conformance = view.layout().conformance;
            let namespaces = opened.node()?.namespaces();
            let declared = namespaces.attribute_prefix_of(ns::R);
            let declaration = match declared {
                Some(_) => String::new(),
                None => format!(" xmlns:r=\"{}\"", conformance.spell(ns::R)),
            };
            let kind = conformance.spell(&format!("{}/hyperlink", ns::R));
            let new = NewRelationship { kind: &kind, target: NewTarget::External(&target) };
            let ids = Relationships::of_part(view.content(), &opened.part)?.add(&mut patch, &[new])?;
            let id = ids.first().ok_or_else(|| Refusal::internal("a relationship without an id"))?;
            format!("{declaration} {}:id=\"{id}\"", declared.unwrap_or("r"))
        }
    };
    let start = format!("<{}hyperlink{attribute}>", dialect.element);
    let end = format!("</{}hyperlink>", dialect.element);
    opened.add_to(&mut patch, insert_at(&opened, &anatomy, &PlacedXml::around(&range, &start, &end)))?;
    let summary = format!("Link \"{}\" to {target}", excerpt(anatomy.text.cut(range)?));
    let step = Step { patch, summary, notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome::Linked { name: target } })
}

/// A link that leads nowhere, or that is a program, is no link.
fn check_target(view: &View, target: &str) -> Result<(), Refusal> {
    let Some(name) = target.strip_prefix('#') else {
        let scheme = target.trim_start().split(':').next().unwrap_or(target).to_ascii_lowercase();
        let runs = matches!(scheme.as_str(), "javascript" | "vbscript" | "data");
        if !runs && !target.trim().is_empty() {
            return Ok(());
        }
        let expected =
            "an address such as https://example.com or mailto:ann@example.com, or #name of a bookmark";
        return Err(Refusal::invalid("target", format!("`{target}`"), expected));
    };
    let names = bookmark_names(view);
    // Word knows the start of the document by this name, and names without regard to case.
    if name == "_top" || names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let nearest = edit::nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
    Err(Refusal::NotFound { what: "bookmark", id: name.to_owned(), nearest: nearest.into_iter().collect() })
}

pub(super) fn check_name<'a>(view: &View, name: &'a str) -> Result<&'a str, Refusal> {
    let sound = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && name.chars().count() <= LONGEST_NAME;
    if !sound {
        let expected = "a letter, then letters, digits and underscores, 40 at most";
        return Err(Refusal::invalid("name", format!("`{name}`"), expected));
    }
    match bookmark_names(view).iter().any(|known| known.to_lowercase() == name.to_lowercase()) {
        true => Err(Refusal::invalid("name", format!("`{name}`, which is taken"), "a name of its own")),
        false => Ok(name),
    }
}

/// Every bookmark of every story, also those that stand between paragraphs.
fn bookmark_names(view: &View) -> Vec<String> {
    let stories = story_blobs(view);
    stories.iter().flat_map(|blob| bookmarks(&blob.bytes()).collect::<Vec<_>>()).collect()
}

/// A link goes around whole runs of one container, none of which is a link or part of a field.
fn check_span(anatomy: &Anatomy<'_>, range: &std::ops::Range<usize>) -> Result<(), Refusal> {
    let refuse =
        |why: &str| Refusal::Unsafe { why: why.to_owned(), instead: Some("link a shorter text".to_owned()) };
    let mut parent: Option<Node<'_>> = None;
    for (_, unit) in anatomy.units_in(range) {
        let run = anatomy.runs.get(unit.run);
        if run.is_some_and(|run| run.hyperlink.is_some()) {
            return Err(refuse("part of the text is a link already"));
        }
        if unit.field.is_some() {
            return Err(refuse("part of the text is the result of a field"));
        }
        if run.is_some_and(|run| run.locked) {
            return Err(refuse("the text is in a content control whose contents are locked"));
        }
        let above = run.and_then(|run| run.node.parent());
        if parent.is_some_and(|parent| above.is_none_or(|above| above.id() != parent.id())) {
            return Err(refuse("the text crosses the border of a tracked change or a content control"));
        }
        parent = above;
    }
    // What begins or ends a field between the runs would be divided from its other half.
    let crossing = anatomy.fields.iter().any(|field| {
        let inside = |at: usize| range.start < at && at < range.end;
        inside(field.result.start) || inside(field.result.end)
    });
    if crossing { Err(refuse("a field begins or ends in the text")) } else { Ok(()) }
}
