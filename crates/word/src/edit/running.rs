//! Headers and footers: what stands at the top and the bottom of the pages of a section.

mod sections;

use std::collections::BTreeSet;

use edit::{Context, PartName, Patch, Planned, Refusal, Step};
use ooxml::xml::ns;
use ooxml::{ContentTypes, NewRelationship, NewTarget, Relationships};
use serde::{Deserialize, Serialize};

use super::desk::Desk;
use super::{Markup, Outcome, ReplaceText, clean, excerpt, replace, several};
use crate::ParagraphId;
use crate::anatomy::word_name;
use crate::dialect::Dialect;
use crate::marks::{inside_end, inside_start};
use crate::op::Draft;
use crate::paragraph::is_on;
use crate::run_properties::RunProperties;
use crate::stamp::Stamp;
use crate::surgeon::Results;
use crate::tags::{self, Tagged};
use crate::theatre::{Theatre, shown_text, stamp};
use crate::view::{Place, View};

/// Set the text of a header or footer; a blank line starts a new paragraph. One that the section does not have is
/// made; one that holds a table is left to edits of its paragraphs. `{PAGE}` and `{NUMPAGES}` become fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetRunningText {
    pub edge: Edge,
    #[serde(default)]
    pub pages: Pages,
    /// From 1.
    pub section: usize,
    pub text: String,
    #[serde(default)]
    pub markup: Markup,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    Header,
    Footer,
}

/// Which pages of the section show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pages {
    #[default]
    Default,
    First,
    Even,
}

impl Edge {
    fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Footer => "footer",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Header => Self::Footer,
            Self::Footer => Self::Header,
        }
    }

    fn root(self) -> &'static str {
        match self {
            Self::Header => "hdr",
            Self::Footer => "ftr",
        }
    }
}

impl Pages {
    fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::First => "first",
            Self::Even => "even",
        }
    }
}

pub(super) fn set(view: &View, edit: &SetRunningText, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let text = clean("text", &edit.text)?;
    let mut draft = Draft::new(view, edit.markup, cx);
    sections::show(&mut draft, edit)?;
    let part = sections::own_part(&draft.view, edit)?;
    let mut planned = match &part {
        Some(part) => rewrite(&draft.view, edit, part, &text, cx)?,
        None => make(&draft.view, edit, &text, cx)?,
    };
    let mut own = None;
    if let Some(part) = &part {
        // Refused above, where it is, with ids that the caller knows.
        own = sections::part_from_others(&mut draft, edit, part)?;
        if let Some(copy) = &own {
            planned = rewrite(&draft.view, edit, copy, &text, cx)?;
            planned.step.summary = summary(edit, &text);
        }
    }
    draft.apply(&planned.step.patch)?;
    planned.step.patch = draft.patch;
    planned.step.notes.splice(0..0, draft.notes);
    if let Some(copy) = &own {
        planned.outcome = Outcome::Inserted { paragraphs: paragraphs_of(view, &planned.step.patch, copy)? };
    }
    Ok(planned)
}

/// The paragraphs of a part that a patch makes.
fn paragraphs_of(view: &View, patch: &Patch, part: &PartName) -> Result<Vec<ParagraphId>, Refusal> {
    let after = patch.apply(view.content())?;
    let next = view.clone().after(patch, &after)?;
    let made = next.places().filter(|place| next.part_of(*place) == Some(part));
    Ok(made.map(|place| next.id(place)).collect())
}

fn free_part(view: &View, edge: Edge) -> PartName {
    let main = &view.layout().main;
    let folder = main.as_str().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    ooxml::free_name(view.content(), &format!("{folder}{}", edge.name()), "xml")
}

fn content_type(name: &str) -> String {
    format!("application/vnd.openxmlformats-officedocument.wordprocessingml.{name}+xml")
}

fn rewrite(
    view: &View,
    edit: &SetRunningText,
    part: &PartName,
    text: &str,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let places: Vec<Place> = view.places().filter(|place| view.part_of(*place) == Some(part)).collect();
    let mut said = Vec::new();
    let mut empty = None;
    for place in places {
        let shown = shown_text(view, &view.paragraph(place)?).text;
        match shown.is_empty() {
            true => empty = empty.or(Some(place)),
            false => said.push((place, shown)),
        }
    }
    let texts = several::split(text);
    let (fields, markup) = (fields_in(text), edit.markup);
    match (said.as_slice(), empty) {
        ([(place, old)], _) if texts.len() == 1 && !fields => {
            let (paragraph, old, new) = (view.id(*place), old.clone(), text.to_owned());
            let words = ReplaceText { paragraph, old, new, expect: None, markup };
            match replace::plan(view, &words, Results::Kept, cx) {
                // Words that a field wrote are not rewritten, but all of it can be.
                Err(Refusal::Unsafe { .. }) => anew(view, edit, part, &[paragraph], &texts, cx),
                planned => planned,
            }
        }
        ([], Some(place)) if texts.len() == 1 => {
            let theatre = Theatre::open(view, place)?;
            let stamp = (edit.markup == Markup::Tracked).then(|| stamp(view, cx));
            let look = RunProperties::default();
            let runs = runs(&theatre.dialect, &tags::parse(text)?, &look, stamp.as_ref());
            let mut patch = Patch::new();
            theatre.add_to(&mut patch, vec![inside_end(theatre.node()?, &runs)])?;
            let step = Step { patch, summary: summary(edit, text), notes: Vec::new() };
            Ok(Planned { step, outcome: Outcome::Inserted { paragraphs: vec![view.id(place)] } })
        }
        (said, empty) => {
            let mut places: Vec<Place> = said.iter().map(|(place, _)| *place).collect();
            places.extend(empty.filter(|_| said.is_empty()));
            let container = |place: &Place| container_of(view, *place);
            if places.windows(2).any(|pair| pair.iter().map(container).collect::<BTreeSet<_>>().len() > 1) {
                let ids: Vec<String> = places.iter().map(|place| view.id(*place).to_string()).collect();
                return Err(Refusal::Unsafe {
                    why: format!("the {} has text in a table or a content control", edit.edge.name()),
                    instead: Some(format!("edit its paragraphs: {}", ids.join(", "))),
                });
            }
            let ids: Vec<ParagraphId> = places.iter().map(|place| view.id(*place)).collect();
            if fields {
                return anew(view, edit, part, &ids, &texts, cx);
            }
            let how = several::How::WordByWord(Results::Kept);
            match rewritten(view, edit, part, (&ids, &texts), how, cx) {
                Err(Refusal::Unsafe { .. }) => anew(view, edit, part, &ids, &texts, cx),
                planned => planned,
            }
        }
    }
}

fn anew(
    view: &View,
    edit: &SetRunningText,
    part: &PartName,
    ids: &[ParagraphId],
    texts: &[String],
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    rewritten(view, edit, part, (ids, texts), several::How::Anew, cx)
}

fn rewritten(
    view: &View,
    edit: &SetRunningText,
    part: &PartName,
    (ids, texts): (&[ParagraphId], &[String]),
    how: several::How,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let mut draft = Draft::new(view, edit.markup, cx);
    several::say(&mut draft, ids, texts, how)?;
    let now = draft.view.places().filter(|place| draft.view.part_of(*place) == Some(part));
    let paragraphs = now.map(|place| draft.view.id(place)).collect();
    let summary = summary(edit, &texts.join("\n\n"));
    let step = Step { patch: draft.patch, summary, notes: draft.notes };
    Ok(Planned { step, outcome: Outcome::Inserted { paragraphs } })
}

/// What a paragraph stands in, by number.
fn container_of(view: &View, place: Place) -> Option<u32> {
    view.part(place)?.paragraphs.boxed.get(place.index as usize)
}

fn make(view: &View, edit: &SetRunningText, text: &str, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let name = edit.edge.name();
    let part = free_part(view, edit.edge);
    let stamp = (edit.markup == Markup::Tracked).then(|| stamp(view, cx));
    let new = Dialect { element: "w:".into(), attribute: "w:".into(), word2010: None };
    let style = view.styles().get(["Header", "Footer"][usize::from(edit.edge == Edge::Footer)]);
    let style = style.or_else(|| view.styles().find(name));
    let properties = style.map(|style| new.wrap("pPr", "", &new.empty("pStyle", &[("val", &style.id)])));
    let properties = properties.unwrap_or_default();
    let mut paragraphs = String::new();
    for text in several::split(text) {
        let runs = runs(&new, &tags::parse(&text)?, &RunProperties::default(), stamp.as_ref());
        paragraphs.push_str(&new.wrap("p", "", &format!("{properties}{runs}")));
    }
    let conformance = view.layout().conformance;
    let mut patch = Patch::new();
    patch.put(
        &part,
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n<w:{0} xmlns:w=\"{1}\" xmlns:r=\"{2}\">{paragraphs}</w:{0}>",
            edit.edge.root(),
            conformance.spell(ns::W),
            conformance.spell(ns::R)
        ),
    );
    let relationships = Relationships::of_part(view.content(), &view.layout().main)?;
    let kind = conformance.spell(&format!("{}/{name}", ns::R));
    let row = NewRelationship { kind: &kind, target: NewTarget::Part(&part) };
    let ids = relationships.add(&mut patch, &[row])?;
    ContentTypes::read(view.content())?.declare(&mut patch, &[(&part, &content_type(name))])?;
    let id = ids.first().ok_or_else(|| Refusal::internal("a relationship without an id"))?;
    refer(edit, id, view, &mut patch)?;
    let paragraphs = paragraphs_of(view, &patch, &part)?;
    let step = Step { patch, summary: summary(edit, text), notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome::Inserted { paragraphs } })
}

/// Has the section point at its new header or footer.
fn refer(edit: &SetRunningText, id: &str, view: &View, patch: &mut Patch) -> Result<(), Refusal> {
    let document = sections::main_document(view)?;
    let section = sections::meant(&document, edit)?;
    let namespaces = section.namespaces();
    let dialect = Dialect::of(&namespaces)?;
    let (declaration, prefix) = match namespaces.attribute_prefix_of(ns::R) {
        Some(prefix) => (String::new(), prefix),
        None => (format!(" xmlns:r=\"{}\"", view.layout().conformance.spell(ns::R)), "r"),
    };
    let reference = format!(
        "<{}{}Reference{declaration} {}type=\"{}\" {prefix}:id=\"{id}\"/>",
        dialect.element,
        edit.edge.name(),
        dialect.attribute,
        edit.pages.name()
    );
    let (range, with) = inside_start(section, &reference);
    patch.splice(&view.layout().main, range, with)
}

/// Settings that stand before `evenAndOddHeaders`, as far as Word writes them.
const BEFORE_EVEN: &[&str] = &[
    "writeProtection",
    "view",
    "zoom",
    "removePersonalInformation",
    "removeDateAndTime",
    "doNotDisplayPageBoundaries",
    "displayBackgroundShape",
    "printPostScriptOverText",
    "printFractionalCharacterWidth",
    "printFormsData",
    "embedTrueTypeFonts",
    "embedSystemFonts",
    "saveSubsetFonts",
    "saveFormsData",
    "mirrorMargins",
    "alignBordersAndEdges",
    "bordersDoNotSurroundHeader",
    "bordersDoNotSurroundFooter",
    "gutterAtTop",
    "hideSpellingErrors",
    "hideGrammaticalErrors",
    "activeWritingStyle",
    "proofState",
    "formsDesign",
    "attachedTemplate",
    "linkStyles",
    "stylePaneFormatFilter",
    "stylePaneSortMethod",
    "documentType",
    "mailMerge",
    "revisionView",
    "trackRevisions",
    "doNotTrackMoves",
    "doNotTrackFormatting",
    "documentProtection",
    "autoFormatOverride",
    "styleLockTheme",
    "styleLockQFSet",
    "defaultTabStop",
    "autoHyphenation",
    "consecutiveHyphenLimit",
    "hyphenationZone",
    "doNotHyphenateCaps",
    "showEnvelope",
    "summaryLength",
    "clickAndTypeStyle",
    "defaultTableStyle",
];

/// Word shows even pages of their own only where the settings say so. Answers the part if it was made.
fn tell_even_pages(view: &View, patch: &mut Patch) -> Result<Option<PartName>, Refusal> {
    let mut desk = Desk::open(view, view.layout().settings.as_ref(), "settings.xml")?;
    let told = |dialect: &Dialect| dialect.empty("evenAndOddHeaders", &[]);
    let splice = match &desk.document {
        None => None,
        Some(document) => {
            let root = document.root();
            let dialect = Dialect::of(&root.namespaces())?;
            let known = root.elements().find(|child| word_name(child) == "evenAndOddHeaders");
            let last = root.elements().filter(|child| BEFORE_EVEN.contains(&word_name(child))).last();
            match (known, last) {
                (Some(known), _) if known.value(ns::W, "val").is_none_or(|value| is_on(&value)) => {
                    return Ok(None);
                }
                (Some(known), _) => Some((known.span(), told(&dialect))),
                (None, Some(last)) => Some((last.span().end..last.span().end, told(&dialect))),
                (None, None) => Some(inside_start(root, &told(&dialect))),
            }
        }
    };
    match splice {
        Some(splice) => desk.splices.push(splice),
        None => desk.appended.push_str("<w:evenAndOddHeaders/>"),
    }
    let space = view.layout().conformance.spell(ns::W);
    desk.finish(patch, &format!("<w:settings xmlns:w=\"{space}\">"), "w:settings")
}

const FIELDS: [(&str, &str); 2] = [("{PAGE}", "PAGE"), ("{NUMPAGES}", "NUMPAGES")];

fn fields_in(text: &str) -> bool {
    FIELDS.iter().any(|(mark, _)| text.contains(mark))
}

pub(super) fn runs(
    dialect: &Dialect,
    text: &[Tagged],
    like: &RunProperties,
    stamp: Option<&Stamp>,
) -> String {
    let mut runs = String::new();
    for tagged in text {
        let look = like.with_marks(&tagged.marks, dialect).write(dialect);
        let run = |inner: &str| dialect.wrap("r", "", &format!("{look}{inner}"));
        let mark = |kind: &str| run(&dialect.empty("fldChar", &[("fldCharType", kind)]));
        let mut rest = tagged.text.as_str();
        while !rest.is_empty() {
            let next = FIELDS.iter().filter_map(|field| Some((rest.find(field.0)?, field))).min();
            let (plain, field) = match next {
                Some((at, field)) => (rest.get(..at).unwrap_or_default(), Some(field)),
                None => (rest, None),
            };
            if !plain.is_empty() {
                runs.push_str(&run(&dialect.content(plain)));
            }
            rest = rest.get(plain.len()..).unwrap_or_default();
            if let Some((written, code)) = field {
                // Word refuses a page number without a result to show until it counts.
                let code = dialect.text("instrText", &format!(" {code} "));
                for piece in
                    [mark("begin"), run(&code), mark("separate"), run(&dialect.content("1")), mark("end")]
                {
                    runs.push_str(&piece);
                }
                rest = rest.get(written.len()..).unwrap_or_default();
            }
        }
    }
    match stamp {
        Some(stamp) if !runs.is_empty() => dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &runs),
        _ => runs,
    }
}

fn summary(edit: &SetRunningText, text: &str) -> String {
    format!("Set the {} of section {} to \"{}\"", edit.edge.name(), edit.section, excerpt(&tags::strip(text)))
}
