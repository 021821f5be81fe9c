//! Footnotes and endnotes: adding, rewriting and deleting them. Their texts are paragraphs like all others.

mod names;

use std::collections::BTreeSet;
use std::ops::Range;

use edit::{Context, Cut, Patch, Planned, Refusal, Step};
use ooxml::xml::{Document, Node, XmlLimits, escape_text, ns};
use serde::{Deserialize, Serialize};

use super::orphans::{self, Reference};
use super::quoted_ranges::{PlacedXml, insert_at, insert_tracked, quoted};
use super::side_part::{SidePart, relate};
use super::{Markup, Outcome, anchorage, clean, excerpt};
use crate::document::ids::ParagraphId;
use crate::document::layout::Story;
use crate::document::stamp::Stamp;
use crate::document::view::View;
use crate::edits::anatomy::word_name;
use crate::edits::dialect::Dialect;
use crate::edits::open_paragraph::{OpenParagraph, stamp};
use crate::edits::run_properties::RunProperties;
use crate::edits::surgeon::is_own;
use crate::text::tags::{self, Tagged};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    Footnote,
    Endnote,
}

/// Add a note behind a text, or at the end of the paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddNote {
    pub paragraph: ParagraphId,
    /// The text the reference stands behind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    pub kind: NoteKind,
    /// A line end starts a new paragraph of the note.
    pub text: String,
    #[serde(default)]
    pub markup: Markup,
}

/// Delete a note with its reference. `note` is its mark (`[^2]`, `2`) or the id of its paragraph. Tracked, the note stays
/// until its reference goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeleteNote {
    pub kind: NoteKind,
    pub note: String,
    #[serde(default)]
    pub markup: Markup,
}

/// Make a note say another text. `note` is its mark (`[^2]`, `2`) or the id of its paragraph; words that stay keep their
/// looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateNote {
    pub kind: NoteKind,
    pub note: String,
    /// A line end starts a new paragraph of the note.
    pub text: String,
    #[serde(default)]
    pub markup: Markup,
}

/// How the vocabulary spells a kind of note.
struct Spelling {
    story: Story,
    part: &'static str,
    root: &'static str,
    note: &'static str,
    with_article: &'static str,
    example: &'static str,
    reference: &'static str,
    mark: &'static str,
    reference_style: &'static str,
    text_style: &'static str,
    relationship: &'static str,
    content_type: &'static str,
}

const FOOTNOTE: Spelling = Spelling {
    story: Story::Footnotes,
    part: "footnotes.xml",
    root: "footnotes",
    note: "footnote",
    with_article: "a footnote",
    example: "[^2]",
    reference: orphans::FOOTNOTE,
    mark: "footnoteRef",
    reference_style: "FootnoteReference",
    text_style: "FootnoteText",
    relationship: "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes",
    content_type: "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml",
};

const ENDNOTE: Spelling = Spelling {
    story: Story::Endnotes,
    part: "endnotes.xml",
    root: "endnotes",
    note: "endnote",
    with_article: "an endnote",
    example: "[^eii]",
    reference: orphans::ENDNOTE,
    mark: "endnoteRef",
    reference_style: "EndnoteReference",
    text_style: "EndnoteText",
    relationship: "http://schemas.openxmlformats.org/officeDocument/2006/relationships/endnotes",
    content_type: "application/vnd.openxmlformats-officedocument.wordprocessingml.endnotes+xml",
};

impl NoteKind {
    fn spelling(self) -> &'static Spelling {
        match self {
            Self::Footnote => &FOOTNOTE,
            Self::Endnote => &ENDNOTE,
        }
    }
}

pub(crate) fn add(view: &View, edit: &AddNote, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let place = view.find(edit.paragraph)?;
    anchorage::check(view, place, anchorage::What::Note)?;
    let spelling = edit.kind.spelling();
    let text = clean("text", &edit.text)?;
    let opened = OpenParagraph::open(view, place)?;
    let anatomy = opened.bare_anatomy()?;
    let offset = match &edit.after {
        None => anatomy.text.len(),
        Some(quote) => quoted(&anatomy.text, quote, edit.paragraph)?.end,
    };
    if let Some(field) =
        anatomy.fields.iter().find(|field| field.result.start < offset && offset < field.result.end)
    {
        return Err(Refusal::Unsafe {
            why: format!("the place is inside the result of {}", field.named()),
            instead: Some("put the note behind the field".to_owned()),
        });
    }
    let known =
        view.layout().stories.iter().find(|(story, _)| *story == spelling.story).map(|(_, part)| part);
    let mut side = SidePart::open(view, known, spelling.part)?;
    let notes = match &side.document {
        Some(document) => Dialect::of(&document.root().namespaces())?,
        None => Dialect { element: "w:".into(), attribute: "w:".into(), word2010: None },
    };
    let id = (highest(side.document.as_ref()) + 1).to_string();
    if side.document.is_none() {
        side.appended.push_str(&separators(&notes, spelling));
    }
    side.appended.push_str(&note_xml(view, &notes, spelling, &id, &text)?);
    let dialect = &opened.dialect;
    let mark = dialect.empty(spelling.reference, &[("id", &id)]);
    let run = dialect.wrap("r", "", &format!("{}{mark}", look(view, dialect, spelling)));
    let splices = match edit.markup {
        Markup::Plain => insert_at(&opened, &anatomy, &[PlacedXml::mark(offset, &run)]),
        Markup::Tracked => insert_tracked(&opened, &anatomy, offset, &run, &stamp(view, cx)),
    };
    let mut patch = Patch::new();
    opened.add_to(&mut patch, splices)?;
    let root = format!("<w:{} xmlns:w=\"{}\">", spelling.root, view.layout().conformance.spell(ns::W));
    if let Some(part) = side.finish(&mut patch, &root, &format!("w:{}", spelling.root))? {
        relate(view, &mut patch, &[(part, spelling.relationship, spelling.content_type)])?;
    }
    let summary = format!("Add {} to \"{}\"", spelling.with_article, excerpt(&anatomy.text));
    // Which mark it gets depends on the notes around it.
    let mut draft = super::draft::Draft::new(view, edit.markup, cx);
    draft.apply(&patch)?;
    let after = draft.view();
    let made = names::all(after, spelling).into_iter().find(|note| note.id == id);
    let made = made.ok_or_else(|| Refusal::internal("a new note is not in its part"))?;
    let outcome = Outcome::Noted {
        note: made.called(after),
        paragraph: made.paragraph(after),
        before: None,
        after: Some(made.text(after)?),
    };
    let step = Step { patch, summary, notes: Vec::new() };
    Ok(Planned { step, outcome })
}

pub(crate) fn delete(view: &View, edit: &DeleteNote, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let spelling = edit.kind.spelling();
    let mut patch = Patch::new();
    let known = names::find(view, spelling, &edit.note)?;
    if !remove(view, spelling, &|id| id == known.id, &mut patch)? {
        return Err(Refusal::not_found(spelling.note, edit.note.clone()));
    }
    let stamp = (edit.markup == Markup::Tracked).then(|| stamp(view, cx));
    let mut left = Patch::new();
    let mut stays = false;
    let main = &view.layout().main;
    if let Some(blob) = view.content().read(main)? {
        let document = Document::parse(&blob, &XmlLimits::default()).map_err(|error| error.in_part(main))?;
        let dialect = Dialect::of(&document.root().namespaces())?;
        let is_reference = |node: &Node<'_>| {
            word_name(node) == spelling.reference
                && node.value(ns::W, "id").as_deref() == Some(known.id.as_str())
        };
        for node in document.root().descendants().filter(|node| is_reference(node)) {
            let up = |names: &[&str]| node.ancestors().find(|up| names.contains(&word_name(up)));
            match &stamp {
                Some(_) if up(&["del", "moveFrom"]).is_some() => stays = true,
                Some(stamp) if !is_own(up(&["ins", "moveTo"]), Some(stamp)) => {
                    stays = true;
                    let (range, with) = deleted(node, stamp, &dialect);
                    left.splice(main, range, with)?;
                }
                _ => left.splice(main, holder(node), "")?,
            }
        }
    }
    let patch = if stays { left } else { orphans::take_along(view, patch.then(&left))? };
    let text = known.text(view)?;
    let summary = format!("Delete {} {}: \"{}\"", spelling.note, known.called(view), excerpt(&text));
    let step = Step { patch, summary, notes: Vec::new() };
    let outcome = Outcome::Noted {
        note: known.called(view),
        paragraph: known.paragraph(view),
        before: Some(text),
        after: None,
    };
    Ok(Planned { step, outcome })
}

pub(crate) fn update(view: &View, edit: &UpdateNote, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let spelling = edit.kind.spelling();
    let text = clean("text", &edit.text)?;
    let known = names::find(view, spelling, &edit.note)?;
    let missing = || Refusal::not_found(spelling.note, edit.note.clone());
    let first = known.places.first().copied().ok_or_else(missing)?;
    let was = view.paragraph(first)?.text(crate::document::paragraph::Side::Final).text;
    let mut texts: Vec<String> = paragraphs_of(&text).into_iter().map(str::to_owned).collect();
    // The blank between the mark and the text is no part of what people quote.
    if let (Some(text), true) = (texts.first_mut(), was.starts_with([' ', '\t'])) {
        let blank = was.cut(..was.len() - was.trim_start().len())?;
        *text = format!("{blank}{}", text.trim_start());
    }
    let ids: Vec<ParagraphId> = known.places.iter().map(|place| view.id(*place)).collect();
    let mut draft = super::draft::Draft::new(view, edit.markup, cx);
    super::paragraph_list::say(&mut draft, &ids, &texts, super::paragraph_list::How::Lasting)?;
    let (before, called) = (known.text(view)?, known.called(view));
    let after = names::find(draft.view(), spelling, &called)?.text(draft.view())?;
    let summary = format!("Set {} {called} to \"{}\"", spelling.note, excerpt(&after));
    let outcome = Outcome::Noted {
        note: called,
        paragraph: known.paragraph(view),
        before: Some(before),
        after: Some(after),
    };
    let step = draft.finish(summary);
    Ok(Planned { step, outcome })
}

/// The name of a note that outlives edits of the text around it.
pub(crate) fn lasting(view: &View, kind: NoteKind, name: &str) -> Result<String, Refusal> {
    let known = names::find(view, kind.spelling(), name)?;
    Ok(known.paragraph(view).map_or_else(|| name.to_owned(), |id| id.to_string()))
}

/// A reference and, where the author chose its mark, that mark: it is the rest of the run, and no text of its own.
fn referring(node: Node<'_>) -> Vec<Node<'_>> {
    let custom = node.value(ns::W, "customMarkFollows");
    let custom = custom.is_some_and(|custom| !matches!(&*custom, "0" | "false" | "off"));
    let run = node.parent().filter(|run| custom && word_name(run) == "r");
    let behind = run.into_iter().flat_map(|run| run.elements());
    let mark = behind.filter(|child| child.span().start > node.span().start);
    std::iter::once(node).chain(mark).collect()
}

/// The run of a reference that is alone in it, or the reference.
fn holder(node: Node<'_>) -> Range<usize> {
    let all = referring(node);
    let goes = |child: &Node<'_>| all.iter().any(|gone| gone.id() == child.id());
    let run = node.parent().filter(|run| {
        word_name(run) == "r" && run.elements().all(|child| word_name(&child) == "rPr" || goes(&child))
    });
    let end = all.last().map_or(node.span().end, |last| last.span().end);
    run.map_or(node.span().start..end, |run| run.span())
}

/// A reference as a tracked deletion, with what stands beside it in its run on either side.
fn deleted(node: Node<'_>, stamp: &Stamp, dialect: &Dialect) -> (Range<usize>, String) {
    let Some(run) = node.parent().filter(|run| word_name(run) == "r") else {
        let run = dialect.wrap("r", "", &String::from_utf8_lossy(node.source()));
        return (node.span(), dialect.wrap("del", &stamp.attributes(&dialect.attribute), &run));
    };
    let look = run.child(ns::W, "rPr").map_or(String::new(), |rpr| text_of(rpr.source()));
    let whole = |inner: String| match inner.is_empty() {
        true => inner,
        false => dialect.wrap("r", "", &format!("{look}{inner}")),
    };
    let part = |wanted: &dyn Fn(&Node<'_>) -> bool| -> String {
        let children = run.elements().filter(|child| word_name(child) != "rPr" && wanted(child));
        whole(children.map(|child| text_of(child.source())).collect())
    };
    let all = referring(node);
    let end = all.last().map_or(node.span().end, |last| last.span().end);
    let before = part(&|child| child.span().start < node.span().start);
    let behind = part(&|child| child.span().start >= end);
    let spelled = |child: Node<'_>| match word_name(&child) {
        "t" => dialect.text("delText", &escape_text(&child.text())),
        _ => text_of(child.source()),
    };
    let gone = whole(all.into_iter().map(spelled).collect());
    let gone = dialect.wrap("del", &stamp.attributes(&dialect.attribute), &gone);
    (run.span(), format!("{before}{gone}{behind}"))
}

fn text_of(source: &[u8]) -> String {
    String::from_utf8_lossy(source).into_owned()
}

/// Takes the notes that are meant out of their part; answers whether there were any.
fn remove(
    view: &View,
    spelling: &Spelling,
    meant: &dyn Fn(&str) -> bool,
    patch: &mut Patch,
) -> Result<bool, Refusal> {
    let known =
        view.layout().stories.iter().find(|(story, _)| *story == spelling.story).map(|(_, part)| part);
    let mut side = SidePart::open(view, known, spelling.part)?;
    let root = side.document.as_ref().map(Document::root);
    let spans: Vec<Range<usize>> = root
        .iter()
        .flat_map(Node::elements)
        .filter(|node| {
            word_name(node) == spelling.note
                && node.value(ns::W, "id").is_some_and(|id| meant(&id))
                && node.value(ns::W, "type").is_none_or(|kind| kind == "normal")
        })
        .map(|node| node.span())
        .collect();
    let any = !spans.is_empty();
    side.splices.extend(spans.into_iter().map(|span| (span, String::new())));
    side.finish(patch, "", "")?;
    Ok(any)
}

/// Takes out the notes that nothing refers to any more.
pub(super) fn remove_all(view: &View, gone: &BTreeSet<Reference>, patch: &mut Patch) -> Result<(), Refusal> {
    for spelling in [&FOOTNOTE, &ENDNOTE] {
        let meant = |id: &str| gone.contains(&(spelling.reference, id.to_owned()));
        if gone.iter().any(|(name, _)| *name == spelling.reference) {
            remove(view, spelling, &meant, patch)?;
        }
    }
    Ok(())
}

/// A line end starts a new paragraph of a note or comment; a blank line does no more than that.
pub(super) fn paragraphs_of(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.split('\n').filter(|line| !line.trim().is_empty()).collect();
    if lines.is_empty() { vec![""] } else { lines }
}

fn highest(document: Option<&Document>) -> i64 {
    let root = document.map(Document::root);
    let ids =
        root.iter().flat_map(Node::elements).filter_map(|node| node.value(ns::W, "id")?.parse::<i64>().ok());
    ids.max().unwrap_or(0).max(0)
}

/// The lines above notes, which Word expects in a part that it did not make itself.
fn separators(dialect: &Dialect, spelling: &Spelling) -> String {
    let one = |kind: &str, id: &str, mark: &str| {
        let inner = dialect.wrap("p", "", &dialect.wrap("r", "", &dialect.empty(mark, &[])));
        let attributes = format!(" {0}type=\"{kind}\" {0}id=\"{id}\"", dialect.attribute);
        dialect.wrap(spelling.note, &attributes, &inner)
    };
    one("separator", "-1", "separator") + &one("continuationSeparator", "0", "continuationSeparator")
}

fn look(view: &View, dialect: &Dialect, spelling: &Spelling) -> String {
    let inner = match view.styles().get(spelling.reference_style) {
        Some(_) => dialect.empty("rStyle", &[("val", spelling.reference_style)]),
        None => dialect.empty("vertAlign", &[("val", "superscript")]),
    };
    dialect.wrap("rPr", "", &inner)
}

fn note_xml(
    view: &View,
    dialect: &Dialect,
    spelling: &Spelling,
    id: &str,
    text: &str,
) -> Result<String, Refusal> {
    let properties = match view.styles().get(spelling.text_style) {
        Some(_) => dialect.wrap("pPr", "", &dialect.empty("pStyle", &[("val", spelling.text_style)])),
        None => String::new(),
    };
    let mut paragraphs = String::new();
    for (index, line) in paragraphs_of(text).into_iter().enumerate() {
        let mut inner = properties.clone();
        if index == 0 {
            let mark = format!("{}{}", look(view, dialect, spelling), dialect.empty(spelling.mark, &[]));
            inner.push_str(&dialect.wrap("r", "", &mark));
        }
        let mut blank = if index == 0 { " " } else { "" };
        for Tagged { text, marks } in tags::parse(line)? {
            if marks.role.is_some() {
                return Err(Refusal::Unsupported {
                    what: "a header or a defined term in a note".to_owned(),
                    instead: Some("use tags for the looks themselves, such as <b> or <u>".to_owned()),
                });
            }
            let look = RunProperties::default().with_marks(&marks, dialect).write(dialect);
            if !blank.is_empty() && !look.is_empty() {
                inner.push_str(&dialect.wrap("r", "", &dialect.content(blank)));
                blank = "";
            }
            let run = dialect.wrap("r", "", &format!("{look}{}", dialect.content(&format!("{blank}{text}"))));
            inner.push_str(&dialect.linked(&run, marks.link.as_deref()));
            blank = "";
        }
        paragraphs.push_str(&dialect.wrap("p", "", &inner));
    }
    Ok(dialect.wrap(spelling.note, &format!(" {}id=\"{id}\"", dialect.attribute), &paragraphs))
}
