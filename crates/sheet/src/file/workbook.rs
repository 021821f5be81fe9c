//! The workbook part: which sheets there are, names, how it calculates, and what else it points at.

use edit::{Content, PartName, Refusal};
use formula::DateSystem;
use ooxml::xml::{Document, Node, ns};
use ooxml::{Conformance, Family, Relationships};
use serde::{Deserialize, Serialize};

/// What the workbook says of itself.
#[derive(Clone, Debug)]
pub struct Workbook {
    pub sheets: Vec<Tab>,
    pub names: Vec<DefinedName>,
    pub calculation: Calculation,
    pub dates: DateSystem,
    /// Position of the sheet that is shown when the workbook is opened.
    pub active: usize,
    /// Other workbooks that formulas refer to as `[1]`, `[2]` and so on, in that order.
    pub external_links: Vec<ExternalLink>,
    pub has_macros: bool,
    pub conformance: Conformance,
    pub(crate) part: PartName,
    pub(crate) document: Document,
    pub(crate) relationships: Relationships,
    pub(crate) strings: Option<PartName>,
    pub(crate) styles: Option<PartName>,
    pub(crate) calc_chain: Option<(String, PartName)>,
}

/// A sheet as the workbook lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab {
    pub name: String,
    pub id: u32,
    pub visibility: Visibility,
    pub kind: TabKind,
    pub(crate) part: PartName,
    pub(crate) relationship: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    #[default]
    Visible,
    Hidden,
    /// Hidden so that only a program can show it.
    VeryHidden,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TabKind {
    Worksheet,
    Chart,
    /// Dialogs and Excel 4 macro sheets: kept, never edited.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinedName {
    pub name: String,
    /// Position of the sheet it is local to.
    pub scope: Option<usize>,
    /// Without a leading `=`.
    pub formula: String,
    pub hidden: bool,
    pub comment: Option<String>,
}

impl DefinedName {
    /// Names that Excel keeps for itself, such as print areas and filters.
    pub fn is_built_in(&self) -> bool {
        self.name.starts_with("_xlnm.")
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Calculation {
    pub automatic: bool,
    pub iterate: bool,
    pub iterations: u32,
    pub delta: f64,
    /// Calculates with the digits shown.
    pub as_displayed: bool,
    pub on_load: bool,
    pub r1c1: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalLink {
    /// What stands in brackets in formulas.
    pub index: usize,
    /// The file it names, as written.
    pub target: Option<String>,
    pub(crate) part: PartName,
}

impl Workbook {
    /// The sheet at a position that was found or checked before.
    pub(crate) fn tab(&self, position: usize) -> Result<&Tab, Refusal> {
        self.sheets.get(position).ok_or_else(|| Refusal::internal(format!("there is no sheet {position}")))
    }

    pub(crate) fn read(content: &Content) -> Result<Workbook, Refusal> {
        let main = ooxml::main_part(content)?;
        match main.family() {
            Family::Excel => {}
            Family::ExcelBinary => {
                return Err(Refusal::Unsupported {
                    what: "a binary workbook (.xlsb)".to_owned(),
                    instead: Some("save it as .xlsx or .xlsm first".to_owned()),
                });
            }
            other => {
                let what = match other {
                    Family::Word => "a Word document",
                    Family::PowerPoint => "a presentation",
                    _ => "a package without a workbook",
                };
                return Err(Refusal::Unsupported {
                    what: format!("{what} as a workbook"),
                    instead: Some("open a .xlsx, .xlsm, .xltx or .xltm file".to_owned()),
                });
            }
        }
        let document = ooxml::read_xml(content, &main.name)?;
        let root = document.root();
        if !root.is(ns::S, "workbook") {
            let space = match root.name().namespace {
                "" => "no namespace".to_owned(),
                other => format!("the namespace {other}"),
            };
            return Err(Refusal::Corrupt {
                what: main.name.to_string(),
                why: format!(
                    "its root element is {} of {space}, not the workbook of {}",
                    root.qualified(),
                    ns::S
                ),
            });
        }
        let relationships = Relationships::of_part(content, &main.name)?;
        let sheets = tabs(content, &root, &relationships);
        let properties = root.child(ns::S, "workbookPr");
        let view = root.child(ns::S, "bookViews").and_then(|views| views.child(ns::S, "workbookView"));
        let active = view.and_then(|view| number(&view, "activeTab")).unwrap_or(0) as usize;
        let part = |kind: &str| {
            let kind = format!("{}/{kind}", ns::R);
            relationships.of_kind(&kind).find_map(|r| {
                let part = r.part.clone().filter(|part| content.contains(part))?;
                Some((r.id.clone(), part))
            })
        };
        Ok(Workbook {
            names: names(&root),
            calculation: calculation(&root),
            dates: match properties.is_some_and(|node| flag(&node, "date1904", false)) {
                true => DateSystem::D1904,
                false => DateSystem::D1900,
            },
            active: if active < sheets.len() { active } else { 0 },
            external_links: external_links(content, &root, &relationships)?,
            has_macros: main.has_macros(),
            conformance: main.conformance,
            strings: part("sharedStrings").map(|(_, part)| part),
            styles: part("styles").map(|(_, part)| part),
            calc_chain: part("calcChain"),
            part: main.name,
            sheets,
            relationships,
            document,
        })
    }

    /// The position of a sheet, by its name in any case.
    pub fn position(&self, name: &str) -> Option<usize> {
        let exact = self.sheets.iter().position(|tab| tab.name == name);
        exact.or_else(|| self.sheets.iter().position(|tab| same_name(&tab.name, name)))
    }

    /// Whether dates count from 1904.
    pub fn from_1904(&self) -> bool {
        self.dates == DateSystem::D1904
    }

    pub(crate) fn prefix(&self) -> String {
        match self.document.root().prefix() {
            "" => String::new(),
            prefix => format!("{prefix}:"),
        }
    }
}

/// Excel takes names of sheets, tables and ranges that differ by case for the same.
pub(crate) fn same_name(a: &str, b: &str) -> bool {
    a == b || a.to_lowercase() == b.to_lowercase()
}

pub(crate) fn flag(node: &Node<'_>, name: &str, default: bool) -> bool {
    match node.value(ns::NONE, name).as_deref() {
        Some("1" | "true" | "on") => true,
        Some("0" | "false" | "off") => false,
        _ => default,
    }
}

pub(crate) fn number(node: &Node<'_>, name: &str) -> Option<u32> {
    node.value(ns::NONE, name)?.trim().parse().ok()
}

pub(crate) fn decimal(node: &Node<'_>, name: &str) -> Option<f64> {
    node.value(ns::NONE, name)?.trim().parse().ok()
}

pub(crate) fn string(node: &Node<'_>, name: &str) -> Option<String> {
    node.value(ns::NONE, name).map(|value| value.into_owned())
}

fn tabs(content: &Content, root: &Node<'_>, relationships: &Relationships) -> Vec<Tab> {
    let Some(sheets) = root.child(ns::S, "sheets") else { return Vec::new() };
    let sheets = sheets.elements().filter(|node| node.is(ns::S, "sheet"));
    sheets
        .filter_map(|node| {
            let relationship = node.value(ns::R, "id")?.into_owned();
            let target = relationships.get(&relationship)?;
            let kind = match target.kind.strip_prefix(ns::R) {
                Some("/worksheet") => TabKind::Worksheet,
                Some("/chartsheet") => TabKind::Chart,
                _ => TabKind::Other,
            };
            Some(Tab {
                name: string(&node, "name")?,
                id: number(&node, "sheetId").unwrap_or(0),
                visibility: match node.value(ns::NONE, "state").as_deref() {
                    Some("hidden") => Visibility::Hidden,
                    Some("veryHidden") => Visibility::VeryHidden,
                    _ => Visibility::Visible,
                },
                kind,
                part: target.part.clone().filter(|part| content.contains(part))?,
                relationship,
            })
        })
        .collect()
}

fn names(root: &Node<'_>) -> Vec<DefinedName> {
    let Some(list) = root.child(ns::S, "definedNames") else { return Vec::new() };
    list.elements()
        .filter(|node| node.is(ns::S, "definedName"))
        .filter_map(|node| {
            Some(DefinedName {
                name: string(&node, "name")?,
                scope: number(&node, "localSheetId").map(|index| index as usize),
                formula: node.text().into_owned(),
                hidden: flag(&node, "hidden", false),
                comment: string(&node, "comment"),
            })
        })
        .collect()
}

fn calculation(root: &Node<'_>) -> Calculation {
    let node = root.child(ns::S, "calcPr");
    let node = node.as_ref();
    let flag = |name, default| node.map_or(default, |node| flag(node, name, default));
    Calculation {
        automatic: node.and_then(|node| string(node, "calcMode")).is_none_or(|mode| mode != "manual"),
        iterate: flag("iterate", false),
        iterations: node.and_then(|node| number(node, "iterateCount")).unwrap_or(100),
        delta: node.and_then(|node| decimal(node, "iterateDelta")).unwrap_or(0.001),
        as_displayed: !flag("fullPrecision", true),
        on_load: flag("fullCalcOnLoad", false),
        r1c1: node.and_then(|node| string(node, "refMode")).is_some_and(|mode| mode == "R1C1"),
    }
}

fn external_links(
    content: &Content,
    root: &Node<'_>,
    relationships: &Relationships,
) -> Result<Vec<ExternalLink>, Refusal> {
    let Some(list) = root.child(ns::S, "externalReferences") else { return Ok(Vec::new()) };
    let mut links = Vec::new();
    for (index, node) in list.elements().filter(|node| node.is(ns::S, "externalReference")).enumerate() {
        let target = node.value(ns::R, "id").and_then(|id| relationships.get(&id)?.part.clone());
        let Some(part) = target.filter(|part| content.contains(part)) else { continue };
        let inner = Relationships::of_part(content, &part)?;
        let target = inner.iter().find(|r| r.kind.contains("externalLinkPath")).map(|r| r.target.clone());
        links.push(ExternalLink { index: index + 1, target, part });
    }
    Ok(links)
}
