//! Headers and footers: what stands at the top and the bottom of the pages of a section.

mod sections;

use std::collections::BTreeSet;

use edit::{Blob, Context, Cut, PartName, Patch, Planned, Refusal, Step};
use ooxml::xml::ns;
use ooxml::{ContentTypes, NewRelationship, NewTarget, Relationships};
use serde::{Deserialize, Serialize};

use sections::Shown;
pub(crate) use sections::shown_by_sections;

use super::side_part::SidePart;
use super::{Markup, Outcome, clean, excerpt, paragraph_list, replace};
use crate::ParagraphId;
use crate::document::index::BoxKind;
use crate::document::paragraph::{Side, is_on};
use crate::document::stamp::Stamp;
use crate::document::view::{Place, View};
use crate::edits::Draft;
use crate::edits::anatomy::word_name;
use crate::edits::dialect::Dialect;
use crate::edits::marks::{inside_end, inside_start};
use crate::edits::open_paragraph::{OpenParagraph, stamp};
use crate::edits::run_properties::RunProperties;
use crate::text::tags::{self, Tagged};

/// Set the text of a header or footer; a blank line starts a new paragraph. One that the section does not have is
/// made, like the one it shows from the section before it; pictures stay; texts in different cells of a table are set
/// one for one. `{PAGE}` and `{NUMPAGES}` become fields.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    Header,
    Footer,
}

/// Which pages of the section show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pages {
    #[default]
    Default,
    First,
    Even,
}

impl Edge {
    pub(crate) fn name(self) -> &'static str {
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
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::First => "first",
            Self::Even => "even",
        }
    }
}

pub(crate) fn set(view: &View, edit: &SetRunningText, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let text = clean("text", &edit.text)?;
    let mut draft = Draft::new(view, edit.markup, cx);
    sections::show(&mut draft, edit)?;
    let shown = sections::shown(draft.view(), edit)?;
    // What is refused is refused where it is, with ids that the caller knows, before there is a copy.
    let mut planned = match &shown {
        Shown::Own(part) => rewrite(draft.view(), edit, part, None, &text, cx)?,
        Shown::Inherited { part, from } => rewrite(draft.view(), edit, part, Some(*from), &text, cx)?,
        Shown::Nothing => {
            sections::forget_lost(&mut draft, edit)?;
            make(draft.view(), edit, &text, cx)?
        }
    };
    let copy = sections::copy_for(&mut draft, edit, &shown)?;
    if let Some(copy) = &copy {
        planned = rewrite(draft.view(), edit, copy, None, &text, cx)?;
        planned.step.summary = summary(edit, &text);
    }
    draft.apply(&planned.step.patch)?;
    planned.step.patch = draft.patch();
    planned.step.notes.splice(0..0, draft.notes);
    if let Some(copy) = &copy {
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

/// A name for a new part in the folder of `beside`, which no part has and nothing points at: a relationship whose part
/// is lost must not find this one.
fn free_part(view: &View, edge: Edge, beside: &PartName) -> Result<PartName, Refusal> {
    let folder = beside.as_str().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let relationships = Relationships::of_part(view.content(), &view.layout().main)?;
    let mut taken = view.content().clone();
    for lost in relationships.iter().filter_map(|known| known.part.clone()) {
        if !taken.contains(&lost) {
            taken.insert(lost, Blob::from(String::new()));
        }
    }
    Ok(ooxml::free_name(&taken, &format!("{folder}{}", edge.name()), "xml"))
}

fn content_type(name: &str) -> String {
    format!("application/vnd.openxmlformats-officedocument.wordprocessingml.{name}+xml")
}

/// `from`: the section whose paragraphs these are too.
fn rewrite(
    view: &View,
    edit: &SetRunningText,
    part: &PartName,
    from: Option<usize>,
    text: &str,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let places: Vec<Place> = view.places().filter(|place| view.part_of(*place) == Some(part)).collect();
    let mut said = Vec::new();
    let (mut empty, mut pictured) = (None, None);
    for place in places {
        let paragraph = view.paragraph(place)?;
        let text = paragraph.text(Side::Final).text;
        match (text.is_empty(), paragraph_list::holds_more(&paragraph)) {
            (false, _) => said.push((place, text)),
            (true, false) => empty = empty.or(Some(place)),
            (true, true) => pictured = pictured.or(Some(place)),
        }
    }
    let empty = empty.or(pictured);
    if said.iter().any(|(_, text)| !text.trim().is_empty()) {
        said.retain(|(_, text)| !text.trim().is_empty());
    }
    // What a text box says is part of a picture where there is text beside it.
    let boxed = |place: Place| {
        let (Some(part), Some(container)) = (view.part(place), container_of(view, place)) else {
            return false;
        };
        part.around(container).any(|(_, block)| block.kind == BoxKind::TextBox)
    };
    if said.iter().any(|(place, _)| !boxed(*place)) {
        said.retain(|(place, _)| !boxed(*place));
    }
    let texts = paragraph_list::split(text);
    let fields = fields_in(text);
    match (said.as_slice(), empty) {
        ([(place, _)], _) if texts.len() == 1 && !fields => {
            let paragraph = view.id(*place);
            match replace::whole(view, paragraph, text.to_owned(), edit.markup, cx) {
                // Words that a field wrote are not rewritten, but all of it can be.
                Err(Refusal::Unsafe { .. }) => anew(view, edit, part, &[paragraph], &texts, cx),
                planned => planned,
            }
        }
        ([], Some(place)) if texts.len() == 1 => {
            let opened = OpenParagraph::open(view, place)?;
            let stamp = (edit.markup == Markup::Tracked).then(|| stamp(view, cx));
            let look = RunProperties::default();
            let runs = runs(&opened.dialect, &tags::parse(text)?, &look, stamp.as_ref());
            let mut patch = Patch::new();
            opened.add_to(&mut patch, vec![inside_end(opened.node()?, &runs)])?;
            let step = Step { patch, summary: summary(edit, text), notes: Vec::new() };
            Ok(Planned { step, outcome: Outcome::Inserted { paragraphs: vec![view.id(place)] } })
        }
        // A part without a paragraph, which Word never writes.
        ([], None) => {
            let document = ooxml::read_xml(view.content(), part)?;
            let dialect = Dialect::of(&document.root().namespaces())?;
            let (range, with) = inside_end(document.root(), &paragraphs(view, edit, &texts, &dialect, cx)?);
            let mut patch = Patch::new();
            patch.splice(part, range, with)?;
            let paragraphs = paragraphs_of(view, &patch, part)?;
            let step = Step { patch, summary: summary(edit, text), notes: Vec::new() };
            Ok(Planned { step, outcome: Outcome::Inserted { paragraphs } })
        }
        (said, empty) => {
            let mut places: Vec<Place> = said.iter().map(|(place, _)| *place).collect();
            places.extend(empty.filter(|_| said.is_empty()));
            let container = |place: &Place| container_of(view, *place);
            let apart =
                places.windows(2).any(|pair| pair.iter().map(container).collect::<BTreeSet<_>>().len() > 1);
            // As many texts as there are take each other's places, wherever those are.
            if apart && texts.len() != places.len() {
                return Err(several_places(view, edit, said, from));
            }
            let ids: Vec<ParagraphId> = places.iter().map(|place| view.id(*place)).collect();
            if fields {
                return anew(view, edit, part, &ids, &texts, cx);
            }
            let how = paragraph_list::How::Lasting;
            match rewritten(view, edit, part, (&ids, &texts), how, cx) {
                Err(Refusal::Unsafe { .. }) => anew(view, edit, part, &ids, &texts, cx),
                planned => planned,
            }
        }
    }
}

fn several_places(
    view: &View,
    edit: &SetRunningText,
    said: &[(Place, String)],
    from: Option<usize>,
) -> Refusal {
    let (name, section) = (edit.edge.name(), edit.section);
    let ids: Vec<String> = said.iter().map(|(place, _)| view.id(*place).to_string()).collect();
    let old: Vec<String> = said.iter().map(|(_, text)| excerpt(text)).collect();
    let why = format!("the {name} has text in a table or a content control");
    let instead = format!(
        "give {} paragraphs, a blank line between them, for `{}`, or edit its paragraphs: {}",
        said.len(),
        old.join("`, `"),
        ids.join(", ")
    );
    let (why, instead) = match from {
        Some(from) => (
            format!("section {section} shows the {name} of section {from}, and {why}"),
            format!("{instead}, which are shown in section {from} too"),
        ),
        None => (why, instead),
    };
    Refusal::Unsafe { why, instead: Some(instead) }
}

fn anew(
    view: &View,
    edit: &SetRunningText,
    part: &PartName,
    ids: &[ParagraphId],
    texts: &[String],
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    rewritten(view, edit, part, (ids, texts), paragraph_list::How::Anew, cx)
}

fn rewritten(
    view: &View,
    edit: &SetRunningText,
    part: &PartName,
    (ids, texts): (&[ParagraphId], &[String]),
    how: paragraph_list::How,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let mut draft = Draft::new(view, edit.markup, cx);
    paragraph_list::say(&mut draft, ids, texts, how)?;
    let now = draft.view().places().filter(|place| draft.view().part_of(*place) == Some(part));
    let paragraphs = now.map(|place| draft.view().id(place)).collect();
    let summary = summary(edit, &texts.join("\n\n"));
    let step = Step { patch: draft.patch(), summary, notes: draft.notes };
    Ok(Planned { step, outcome: Outcome::Inserted { paragraphs } })
}

/// What a paragraph stands in, by number.
fn container_of(view: &View, place: Place) -> Option<u32> {
    view.part(place)?.paragraphs.boxed.get(place.index as usize)
}

/// Paragraphs with these texts, in the style that Word gives to headers or footers.
fn paragraphs(
    view: &View,
    edit: &SetRunningText,
    texts: &[String],
    dialect: &Dialect,
    cx: &Context,
) -> Result<String, Refusal> {
    let stamp = (edit.markup == Markup::Tracked).then(|| stamp(view, cx));
    let style = view.styles().get(["Header", "Footer"][usize::from(edit.edge == Edge::Footer)]);
    let style = style.or_else(|| view.styles().find(edit.edge.name()));
    let properties =
        style.map(|style| dialect.wrap("pPr", "", &dialect.empty("pStyle", &[("val", &style.id)])));
    let properties = properties.unwrap_or_default();
    let mut paragraphs = String::new();
    for text in texts {
        let runs = runs(dialect, &tags::parse(text)?, &RunProperties::default(), stamp.as_ref());
        paragraphs.push_str(&dialect.wrap("p", "", &format!("{properties}{runs}")));
    }
    Ok(paragraphs)
}

fn make(view: &View, edit: &SetRunningText, text: &str, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let name = edit.edge.name();
    let part = free_part(view, edit.edge, &view.layout().main)?;
    let new = Dialect { element: "w:".into(), attribute: "w:".into(), word2010: None };
    let paragraphs = paragraphs(view, edit, &paragraph_list::split(text), &new, cx)?;
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
    sections::refer(edit, id, view, &mut patch)?;
    let paragraphs = paragraphs_of(view, &patch, &part)?;
    let step = Step { patch, summary: summary(edit, text), notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome::Inserted { paragraphs } })
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
    let mut side = SidePart::open(view, view.layout().settings.as_ref(), "settings.xml")?;
    let told = |dialect: &Dialect| dialect.empty("evenAndOddHeaders", &[]);
    let splice = match &side.document {
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
        Some(splice) => side.splices.push(splice),
        None => side.appended.push_str("<w:evenAndOddHeaders/>"),
    }
    let space = view.layout().conformance.spell(ns::W);
    side.finish(patch, &format!("<w:settings xmlns:w=\"{space}\">"), "w:settings")
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
                Some((at, field)) => (rest.part(..at), Some(field)),
                None => (rest, None),
            };
            if !plain.is_empty() {
                runs.push_str(&dialect.linked(&run(&dialect.content(plain)), tagged.marks.link.as_deref()));
            }
            rest = rest.part(plain.len()..);
            if let Some((written, code)) = field {
                // Word refuses a page number without a result to show until it counts.
                let code = dialect.text("instrText", &format!(" {code} "));
                for piece in
                    [mark("begin"), run(&code), mark("separate"), run(&dialect.content("1")), mark("end")]
                {
                    runs.push_str(&piece);
                }
                rest = rest.part(written.len()..);
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
