//! Styles by the names people use, and the built-in ones written down when a document lacks them.

mod builtin;
mod designs;
mod localized;

use std::collections::BTreeSet;

use edit::{PartName, Patch, Refusal};
use ooxml::xml::{Document, Node, escape_attribute, ns};
use ooxml::{ContentTypes, NewRelationship, NewTarget, Relationships};

use super::{ListStyles, StyleCategory, lists};
use crate::document::span::Span;
use crate::document::view::View;
use crate::edits::Draft;
use crate::edits::dialect::Dialect;
use crate::edits::outcome::{Answer, StyleList, StyleName};
use builtin::{BUILT_IN, BuiltIn, List};
use designs::Design;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Paragraph,
    Character,
    Table,
}

/// A style of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) default: bool,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Paragraph => "paragraph",
            Self::Character => "character",
            Self::Table => "table",
        }
    }

    fn of(node: &Node<'_>) -> Option<Self> {
        match node.value(ns::W, "type").as_deref() {
            None | Some("paragraph") => Some(Self::Paragraph),
            Some("character") => Some(Self::Character),
            Some("table") => Some(Self::Table),
            Some(_) => None,
        }
    }
}

const STYLES_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml";

fn read(view: &View) -> Result<Option<(PartName, Document)>, Refusal> {
    match &view.layout().styles {
        Some(part) => Ok(Some((part.clone(), ooxml::read_xml(view.content(), part)?))),
        None => Ok(None),
    }
}

fn value(node: &Node<'_>, child: &str) -> Option<String> {
    node.child(ns::W, child).and_then(|child| child.value(ns::W, "val")).map(|value| value.into_owned())
}

fn is_on(node: &Node<'_>, attribute: &str) -> bool {
    matches!(node.value(ns::W, attribute).as_deref(), Some("1" | "true" | "on"))
}

/// Letters and digits only, in lower case: `Table Grid`, `TableGrid` and `table grid` are one name.
fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Names that Word's own lists show otherwise than the file spells them.
fn canonical(name: &str) -> String {
    match folded(name).as_str() {
        "tablegridlight" => "gridtablelight".to_owned(),
        "tablenormal" => "normaltable".to_owned(),
        other => other.to_owned(),
    }
}

/// The style as a person reads it.
fn style_label(name: &str) -> String {
    let lower = ["heading ", "toc ", "index "].iter().find(|start| name.starts_with(**start));
    match (lower, name) {
        (Some(start), _) if *start != "toc " => {
            let mut out = name.to_owned();
            out.replace_range(..1, &name[..1].to_uppercase());
            out
        }
        (Some(_), _) => name.replacen("toc", "TOC", 1),
        (None, "Grid Table Light") => "Table Grid Light".to_owned(),
        (None, "Normal Table") => "Table Normal".to_owned(),
        (None, "caption" | "header" | "footer" | "table of figures" | "footnote text" | "endnote text") => {
            let mut out = name.to_owned();
            out.replace_range(..1, &name[..1].to_uppercase());
            out
        }
        (None, name) => name.to_owned(),
    }
}

/// The style called `name`, written into the document if it is one that Word knows and the document lacks.
/// `wanted` are the kinds that will do.
pub(crate) fn ensure(draft: &mut Draft<'_>, name: &str, wanted: &[Kind]) -> Result<Style, Refusal> {
    let styles = read(draft.view())?;
    let target = canonical(name);
    let mut other_kind = None;
    if let Some((_, document)) = &styles {
        let nodes: Vec<Node<'_>> =
            document.root().elements().filter(|node| node.is(ns::W, "style")).collect();
        let names = |node: &Node<'_>| value(node, "name").is_some_and(|known| canonical(&known) == target);
        let id = |node: &Node<'_>| node.value(ns::W, "styleId").is_some_and(|known| folded(&known) == target);
        let alias = |node: &Node<'_>| {
            value(node, "aliases").is_some_and(|all| all.split(',').any(|one| folded(one) == target))
        };
        for fits in [&names as &dyn Fn(&Node<'_>) -> bool, &id, &alias] {
            for node in nodes.iter().filter(|node| fits(node)) {
                let (Some(kind), Some(id)) = (Kind::of(node), node.value(ns::W, "styleId")) else { continue };
                if wanted.contains(&kind) {
                    return Ok(Style { id: id.into_owned(), kind, default: is_on(node, "default") });
                }
                other_kind = Some(kind);
            }
        }
    }
    let known = BUILT_IN.iter().find(|known| canonical(known.name) == target && wanted.contains(&known.kind));
    if let Some(known) = known {
        return add(draft, styles, &New::of(known));
    }
    if wanted.contains(&Kind::Table)
        && let Some(known) = designs::all().find(|known| canonical(&known.name) == target)
    {
        return add(draft, styles, &New::designed(&known));
    }
    // What the document calls so itself comes first; then what Word calls so in any language.
    if let Some(english) = localized::english(name).filter(|english| canonical(english) != target) {
        return ensure(draft, &english, wanted);
    }
    if let Some(kind) = other_kind {
        let expected = wanted.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ");
        let found = format!("`{name}`, a {} style,", kind.name());
        return Err(Refusal::invalid("style", found, format!("a {expected} style")));
    }
    let known = list(draft.view(), &ListStyles { built_in_only: false, ..ListStyles::default() })?;
    let mut names: Vec<(String, String)> = Vec::new();
    for (kind, styles) in [
        (Kind::Paragraph, known.paragraph_styles),
        (Kind::Character, known.character_styles),
        (Kind::Table, known.table_styles),
    ] {
        let styles = styles.into_iter().filter(|_| wanted.contains(&kind));
        names.extend(styles.map(|style| (folded(&style.name), style.name)));
    }
    let closest = edit::nearest(&target, names.iter().map(|(known, _)| known.as_str()));
    let related =
        |known: &str| known.contains(&target) || target.contains(known) || known.get(..4) == target.get(..4);
    let first = names.iter().filter(|(known, _)| Some(known.as_str()) == closest);
    let rest = names.iter().filter(|(known, _)| Some(known.as_str()) != closest && related(known));
    let nearest = first.chain(rest).take(5).map(|(_, name)| name.clone()).collect();
    Err(Refusal::NotFound { what: "style", id: name.to_owned(), nearest })
}

/// A style that the document does not have yet.
struct New<'a> {
    name: &'a str,
    kind: Kind,
    priority: u8,
    next_normal: bool,
    list: Option<List>,
    body: String,
}

impl<'a> New<'a> {
    fn of(known: &'a BuiltIn) -> Self {
        let BuiltIn { name, kind, priority, next_normal, list, .. } = *known;
        Self { name, kind, priority, next_normal, list, body: known.body() }
    }

    fn designed(known: &'a Design) -> Self {
        let (name, priority, body) = (&known.name, known.priority, known.body());
        Self { name, kind: Kind::Table, priority, next_normal: false, list: None, body }
    }
}

/// Writes a built-in style down, with the one it is based on.
fn add(
    draft: &mut Draft<'_>,
    styles: Option<(PartName, Document)>,
    known: &New<'_>,
) -> Result<Style, Refusal> {
    let Some((part, document)) = styles else {
        create_part(draft)?;
        return ensure(draft, known.name, &[known.kind]);
    };
    let numbering = match known.list {
        Some(List::Bullets) => Some(lists::bullets(draft)?),
        Some(List::Numbers) => Some(lists::numbers(draft)?),
        None => None,
    };
    let numbering = numbering.map_or_else(String::new, |number| {
        format!("<w:pPr><w:numPr><w:numId w:val=\"{number}\"/></w:numPr><w:contextualSpacing/></w:pPr>")
    });
    let root = document.root();
    let dialect = Dialect::of(&root.namespaces())?;
    let taken = |id: &str| {
        root.elements()
            .any(|node| node.value(ns::W, "styleId").is_some_and(|known| known.eq_ignore_ascii_case(id)))
    };
    let default_of = |kind: Kind| {
        root.elements()
            .filter(|node| node.is(ns::W, "style") && Kind::of(node) == Some(kind) && is_on(node, "default"))
            .find_map(|node| node.value(ns::W, "styleId"))
    };
    let mut id = id_of(known);
    let mut number = 1;
    while taken(&id) {
        number += 1;
        id = format!("{}{number}", id_of(known));
    }
    let default = known.name == "Normal" && default_of(Kind::Paragraph).is_none();
    let based = (!default).then(|| default_of(known.kind)).flatten();
    let next = match known.next_normal {
        true => default_of(Kind::Paragraph),
        false => None,
    };
    let child = |name: &str, value: Option<std::borrow::Cow<'_, str>>| {
        value.map_or_else(String::new, |value| format!("<w:{name} w:val=\"{}\"/>", escape_attribute(&value)))
    };
    let style = format!(
        "<w:style w:type=\"{}\"{} w:styleId=\"{id}\"><w:name w:val=\"{}\"/>{}{}<w:uiPriority w:val=\"{}\"/>{}{}</w:style>",
        known.kind.name(),
        if default { " w:default=\"1\"" } else { "" },
        known.name,
        child("basedOn", based),
        child("next", next),
        known.priority,
        if known.kind == Kind::Table { "" } else { "<w:qFormat/>" },
        numbering + &known.body
    );
    let mut patch = Patch::new();
    let (range, with) = crate::edits::marks::inside_end(root, &spelled(&style, &dialect));
    patch.splice(&part, range, with)?;
    draft.apply(&patch)?;
    Ok(Style { id, kind: known.kind, default })
}

/// As Word writes it: `GridTable4-Accent1` of `Grid Table 4 Accent 1`.
fn id_of(known: &New<'_>) -> String {
    let id = folded_id(known.name);
    match id.split_once("Accent").filter(|_| known.kind == Kind::Table) {
        Some((design, accent)) => format!("{design}-Accent{accent}"),
        None => id,
    }
}

/// `Heading1` of `heading 1`.
fn folded_id(name: &str) -> String {
    let mut id = String::new();
    for word in name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        id.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        id.push_str(letters.as_str());
    }
    match id.as_str() {
        "GridTableLight" => "TableGridLight".to_owned(),
        "NormalTable" => "TableNormal".to_owned(),
        _ => id,
    }
}

/// Markup written with `w:` in the prefixes of a part.
pub(crate) fn spelled(markup: &str, dialect: &Dialect) -> String {
    if dialect.element == "w:" && dialect.attribute == "w:" {
        return markup.to_owned();
    }
    markup
        .replace("</w:", &format!("</{}", dialect.element))
        .replace("<w:", &format!("<{}", dialect.element))
        .replace(" w:", &format!(" {}", dialect.attribute))
}

/// Adds a part of the main part's folder, with its relationship and content type.
pub(crate) fn add_part(
    draft: &mut Draft<'_>,
    name: &str,
    relationship: &str,
    content_type: &str,
    inner: &str,
) -> Result<PartName, Refusal> {
    let view = draft.view();
    let main = view.layout().main.clone();
    let folder = main.as_str().rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let part = match ooxml::find_part(view.content(), &format!("{folder}{name}.xml")) {
        None => PartName::new(format!("{folder}{name}.xml")),
        Some(_) => ooxml::free_name(view.content(), &format!("{folder}{name}"), "xml"),
    };
    let conformance = view.layout().conformance;
    let word = conformance.spell(ns::W);
    let mut patch = Patch::new();
    patch.put(
        &part,
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n<w:{name} xmlns:w=\"{word}\">{inner}</w:{name}>"
        ),
    );
    let kind = conformance.spell(&format!("{}/{relationship}", ns::R));
    let relationships = Relationships::of_part(view.content(), &main)?;
    relationships.add(&mut patch, &[NewRelationship { kind: &kind, target: NewTarget::Part(&part) }])?;
    ContentTypes::read(view.content())?.declare(&mut patch, &[(&part, content_type)])?;
    draft.apply(&patch)?;
    Ok(part)
}

fn create_part(draft: &mut Draft<'_>) -> Result<(), Refusal> {
    // Without a styles part Word uses Times New Roman at 10 points; saying nothing more keeps it so.
    let inner = "<w:docDefaults><w:rPrDefault/><w:pPrDefault/></w:docDefaults>\
        <w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/><w:qFormat/></w:style>\
        <w:style w:type=\"character\" w:default=\"1\" w:styleId=\"DefaultParagraphFont\"><w:name w:val=\"Default Paragraph Font\"/><w:uiPriority w:val=\"1\"/><w:semiHidden/></w:style>\
        <w:style w:type=\"table\" w:default=\"1\" w:styleId=\"TableNormal\"><w:name w:val=\"Normal Table\"/><w:uiPriority w:val=\"99\"/><w:semiHidden/><w:tblPr><w:tblInd w:w=\"0\" w:type=\"dxa\"/><w:tblCellMar><w:top w:w=\"0\" w:type=\"dxa\"/><w:left w:w=\"108\" w:type=\"dxa\"/><w:bottom w:w=\"0\" w:type=\"dxa\"/><w:right w:w=\"108\" w:type=\"dxa\"/></w:tblCellMar></w:tblPr></w:style>";
    add_part(draft, "styles", "styles", STYLES_TYPE, inner)?;
    Ok(())
}

/// Whether the style, or one it is based on, numbers its paragraphs.
pub(crate) fn numbers(view: &View, id: Option<&str>) -> Result<bool, Refusal> {
    let Some((_, document)) = read(view)? else { return Ok(false) };
    let nodes: Vec<Node<'_>> = document.root().elements().filter(|node| node.is(ns::W, "style")).collect();
    let mut next = match id {
        Some(id) => nodes.iter().find(|node| node.value(ns::W, "styleId").as_deref() == Some(id)),
        None => nodes.iter().find(|node| Kind::of(node) == Some(Kind::Paragraph) && is_on(node, "default")),
    };
    for _ in 0..32 {
        let Some(node) = next else { return Ok(false) };
        if node.child(ns::W, "pPr").and_then(|properties| properties.child(ns::W, "numPr")).is_some() {
            return Ok(true);
        }
        let based = value(node, "basedOn");
        next = based.and_then(|based| {
            nodes.iter().find(|node| node.value(ns::W, "styleId").as_deref() == Some(based.as_str()))
        });
    }
    Ok(false)
}

pub(crate) fn answer(view: &View, op: &ListStyles) -> Result<Answer<Span>, Refusal> {
    list(view, op).map(Answer::Styles)
}

/// The language that the document is written in, as its defaults say.
fn language(styles: &Document) -> Option<String> {
    let root = styles.root();
    let lang = root
        .child(ns::W, "docDefaults")
        .and_then(|node| node.child(ns::W, "rPrDefault"))
        .and_then(|node| node.child(ns::W, "rPr"))
        .and_then(|node| node.child(ns::W, "lang"))?;
    let western = lang.value(ns::W, "val").map(|value| value.into_owned());
    // An East Asian Word writes English for Western text; its own styles are known by their short ids.
    let own_ids = root.elements().any(|node| {
        node.is(ns::W, "style")
            && Kind::of(&node) == Some(Kind::Paragraph)
            && is_on(&node, "default")
            && node.value(ns::W, "styleId").as_deref() != Some("Normal")
    });
    let is_english = western.as_deref().is_none_or(|western| western.starts_with("en"));
    match lang.value(ns::W, "eastAsia") {
        Some(eastern) if is_english && own_ids => Some(eastern.into_owned()),
        _ => western,
    }
}

fn list(view: &View, op: &ListStyles) -> Result<StyleList, Refusal> {
    let mut found: Vec<(Kind, StyleName)> = Vec::new();
    let mut spoken = None;
    if let Some((_, document)) = read(view)? {
        spoken = language(&document).filter(|_| op.include_localized);
        for node in document.root().elements().filter(|node| node.is(ns::W, "style")) {
            let (Some(kind), Some(name)) = (Kind::of(&node), value(&node, "name")) else { continue };
            let built_in = !is_on(&node, "customStyle");
            let aliases = value(&node, "aliases").filter(|_| op.include_localized);
            let alias = aliases.and_then(|all| all.split(',').next().map(|one| one.trim().to_owned()));
            let localized = alias.filter(|name| !name.is_empty()).or_else(|| {
                let language = spoken.as_deref().filter(|_| built_in)?;
                localized::localized(&name, language)
            });
            let name = style_label(&name);
            found.push((kind, StyleName { name, localized_name: localized, built_in }));
        }
    }
    let has: BTreeSet<(&str, String)> =
        found.iter().map(|(kind, style)| (kind.name(), canonical(&style.name))).collect();
    let built_in = BUILT_IN.iter().map(|known| (known.kind, known.name.to_owned()));
    for (kind, spelled) in built_in.chain(designs::all().map(|known| (Kind::Table, known.name))) {
        let name = style_label(&spelled);
        if !has.contains(&(kind.name(), canonical(&name))) {
            let localized_name =
                spoken.as_deref().and_then(|language| localized::localized(&spelled, language));
            found.push((kind, StyleName { name, localized_name, built_in: true }));
        }
    }
    let query = op.query.as_deref().map(str::to_lowercase);
    let wanted = |style: &StyleName| {
        let fits = |name: &str| query.as_ref().is_none_or(|query| name.to_lowercase().contains(query));
        (style.built_in || !op.built_in_only)
            && (fits(&style.name) || query.is_some() && style.localized_name.as_deref().is_some_and(fits))
    };
    let mut styles = StyleList::default();
    let mut left = op.max.unwrap_or(usize::MAX);
    for (kind, style) in found.into_iter().filter(|(_, style)| wanted(style)) {
        let (category, into) = match kind {
            Kind::Paragraph => (StyleCategory::Paragraph, &mut styles.paragraph_styles),
            Kind::Character => (StyleCategory::Character, &mut styles.character_styles),
            Kind::Table => (StyleCategory::Table, &mut styles.table_styles),
        };
        if (op.category == StyleCategory::All || op.category == category) && left > 0 {
            into.push(style);
            left -= 1;
        }
    }
    Ok(styles)
}
