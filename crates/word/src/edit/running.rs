//! Headers and footers: what stands at the top and the bottom of the pages of a section.

use std::collections::BTreeSet;

use edit::{Context, PartName, Patch, Planned, Refusal, Step};
use ooxml::xml::{Document, Node, XmlLimits, ns};
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
use crate::schema::{Parent, place as schema_place};
use crate::stamp::Stamp;
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
    let main = &view.layout().main;
    let blob = view.content().read(main)?.ok_or_else(|| Refusal::internal("no main part"))?;
    let document = Document::parse(&blob, &XmlLimits::default()).map_err(|error| error.in_part(main))?;
    let sections: Vec<Node<'_>> = document.root().descendants().filter(is_section).collect();
    let section = edit.section.checked_sub(1).and_then(|index| sections.get(index)).copied();
    let section = section.ok_or_else(|| {
        Refusal::invalid("section", edit.section, format!("a section from 1 to {}", sections.len()))
    })?;
    let text = clean("text", &edit.text)?;
    let reference = format!("{}Reference", edit.edge.name());
    let own = section.elements().find(|child| {
        word_name(child) == reference
            && child.value(ns::W, "type").as_deref().unwrap_or("default") == edit.pages.name()
    });
    let relationships = Relationships::of_part(view.content(), main)?;
    let part = own.and_then(|own| own.value(ns::R, "id")).and_then(|id| relationships.get(&id)?.part.clone());
    match part.filter(|part| view.content().contains(part)) {
        Some(part) => rewrite(view, edit, &part, &text, cx),
        None => make(view, edit, section, &relationships, &text, cx),
    }
}

/// Properties of a section as it is; a tracked change keeps what they were inside `sectPrChange`.
fn is_section(node: &Node<'_>) -> bool {
    word_name(node) == "sectPr"
        && node.parent().is_some_and(|parent| matches!(word_name(&parent), "pPr" | "body"))
        && !node.ancestors().any(|up| word_name(&up).ends_with("Change"))
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
            match replace::plan(view, &words, cx) {
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
            match rewritten(view, edit, part, (&ids, &texts), several::How::WordByWord, cx) {
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

fn make(
    view: &View,
    edit: &SetRunningText,
    section: Node<'_>,
    relationships: &Relationships,
    text: &str,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let name = edit.edge.name();
    let main = &view.layout().main;
    let folder = main.as_str().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let part = ooxml::free_name(view.content(), &format!("{folder}{name}"), "xml");
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
    let mut related = vec![(
        part.clone(),
        conformance.spell(&format!("{}/{name}", ns::R)),
        format!("application/vnd.openxmlformats-officedocument.wordprocessingml.{name}+xml"),
    )];
    if edit.pages == Pages::Even
        && let Some(settings) = tell_even_pages(view, &mut patch)?
    {
        let kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml";
        related.push((settings, conformance.spell(&format!("{}/settings", ns::R)), kind.to_owned()));
    }
    let rows: Vec<NewRelationship<'_>> = related
        .iter()
        .map(|(part, kind, _)| NewRelationship { kind, target: NewTarget::Part(part) })
        .collect();
    let ids = relationships.add(&mut patch, &rows)?;
    let types: Vec<(&PartName, &str)> = related.iter().map(|(part, _, kind)| (part, kind.as_str())).collect();
    ContentTypes::read(view.content())?.declare(&mut patch, &types)?;
    let id = ids.first().ok_or_else(|| Refusal::internal("a relationship without an id"))?;
    refer(section, edit, id, view, &mut patch)?;
    let after = patch.apply(view.content())?;
    let next = view.clone().after(&patch, &after)?;
    let made = next.places().filter(|place| next.part_of(*place) == Some(&part));
    let paragraphs = made.map(|place| next.id(place)).collect();
    let step = Step { patch, summary: summary(edit, text), notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome::Inserted { paragraphs } })
}

/// Has the section point at its new header or footer.
fn refer(
    section: Node<'_>,
    edit: &SetRunningText,
    id: &str,
    view: &View,
    patch: &mut Patch,
) -> Result<(), Refusal> {
    let main = &view.layout().main;
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
    let children: Vec<Node<'_>> = section.elements().collect();
    // Word shows a first page of its own only where the section says that it has one.
    let title = children.iter().find(|child| word_name(child) == "titlePg");
    let wanted = edit.pages == Pages::First;
    let is_off = |node: &Node<'_>| node.value(ns::W, "val").is_some_and(|value| !is_on(&value));
    let empty = dialect.empty("titlePg", &[]);
    match title {
        Some(title) if wanted && is_off(title) => patch.splice(main, title.span(), empty)?,
        None if wanted && children.is_empty() => {
            let (range, with) = inside_start(section, &format!("{reference}{empty}"));
            return patch.splice(main, range, with);
        }
        None if wanted => {
            let names = children.iter().map(word_name);
            let (range, with) = match schema_place(Parent::Section, "titlePg", names) {
                Some(0) => {
                    let (range, with) = inside_start(section, &format!("{reference}{empty}"));
                    return patch.splice(main, range, with);
                }
                Some(index) => {
                    let at =
                        children.get(index).map_or(section.content_span().end, |child| child.span().start);
                    (at..at, empty)
                }
                None => inside_end(section, &empty),
            };
            patch.splice(main, range, with)?;
        }
        _ => {}
    }
    let (range, with) = inside_start(section, &reference);
    patch.splice(main, range, with)
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
