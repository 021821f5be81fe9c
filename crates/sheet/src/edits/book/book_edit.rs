//! Properties of the workbook itself: when it is calculated, from which day its dates count, what it is called and
//! by whom it is.

use std::collections::BTreeMap;

use edit::{Blob, Context, OrEmpty, PartName, Patch, Planned, Refusal, Step};
use ooxml::xml::{Document, Node, escape_text, ns};
use ooxml::{ContentTypes, NewRelationship, NewTarget, Relationships};
use serde::{Deserialize, Serialize};

use crate::calc::settle::shown;
use crate::calc::view::View;
use crate::edits::entry::rule;
use crate::edits::input::Outcome;
use crate::file::a1::Area;
use crate::file::scan::CellType;
use crate::file::workbook::{Visibility, string};
use crate::file::xml_edit::{DECLARATION, WORKBOOK_ORDER, Xml};

/// A change of a workbook's own properties; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorkbookChange {
    pub calculation: Option<CalculationMode>,
    /// Whether formulas may refer to themselves.
    pub iterate: Option<bool>,
    /// How often at most, 1 to 32767.
    pub iterations: Option<u32>,
    /// The change between two rounds that is small enough to stop.
    pub delta: Option<f64>,
    /// Dates count from 1904 instead of 1900.
    pub date_1904: Option<bool>,
    /// An empty text takes a property away, here and below.
    pub title: Option<String>,
    pub subject: Option<String>,
    pub author: Option<String>,
    pub keywords: Option<String>,
    pub description: Option<String>,
    pub category: Option<String>,
    /// The position of the sheet that is shown first when the workbook is opened, counted from zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<usize>,
}

impl WorkbookChange {
    fn document(&self) -> DocumentProperties {
        DocumentProperties {
            title: self.title.clone(),
            subject: self.subject.clone(),
            author: self.author.clone(),
            keywords: self.keywords.clone(),
            description: self.description.clone(),
            category: self.category.clone(),
            ..DocumentProperties::default()
        }
    }
}

/// What a file says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DocumentProperties {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keywords: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// As the file writes it, and so is `modified`; both are read only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Read only too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CalculationMode {
    Auto,
    /// What-if tables wait until they are asked for.
    AutoExceptTables,
    Manual,
}

impl CalculationMode {
    fn spelled(self) -> &'static str {
        match self {
            CalculationMode::Auto => "auto",
            CalculationMode::AutoExceptTables => "autoNoTable",
            CalculationMode::Manual => "manual",
        }
    }
}

const MOST_ITERATIONS: u32 = 32_767;
const CORE_KIND: &str =
    "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties";
const CORE_TYPE: &str = "application/vnd.openxmlformats-package.core-properties+xml";
/// Days between the two systems.
const APART: u32 = 1_462;

impl DocumentProperties {
    /// Each property with the element that holds it.
    fn elements(&self) -> [(&'static str, &'static str, &Option<String>); 6] {
        [
            (ns::DC, "title", &self.title),
            (ns::DC, "subject", &self.subject),
            (ns::DC, "creator", &self.author),
            (ns::CORE_PROPERTIES, "keywords", &self.keywords),
            (ns::DC, "description", &self.description),
            (ns::CORE_PROPERTIES, "category", &self.category),
        ]
    }
}

impl View {
    /// What the file says about itself.
    pub fn properties(&self) -> Result<DocumentProperties, Refusal> {
        let Some(part) = core_part(self)? else {
            return Ok(DocumentProperties { company: company(self)?, ..DocumentProperties::default() });
        };
        let document = ooxml::read_xml(&self.content, &part)?;
        let text = |space: &str, name: &str| {
            let node = document.root().child(space, name)?;
            Some(node.text().into_owned()).filter(|text| !text.is_empty())
        };
        Ok(DocumentProperties {
            title: text(ns::DC, "title"),
            subject: text(ns::DC, "subject"),
            author: text(ns::DC, "creator"),
            keywords: text(ns::CORE_PROPERTIES, "keywords"),
            description: text(ns::DC, "description"),
            category: text(ns::CORE_PROPERTIES, "category"),
            created: text(ns::DCTERMS, "created"),
            modified: text(ns::DCTERMS, "modified"),
            company: company(self)?,
        })
    }

    /// When formulas are calculated.
    pub fn calculation_mode(&self) -> CalculationMode {
        let node = self.workbook.document.root().child(ns::S, "calcPr");
        match node.and_then(|node| string(&node, "calcMode")).as_deref() {
            Some("manual") => CalculationMode::Manual,
            Some("autoNoTable") => CalculationMode::AutoExceptTables,
            _ => CalculationMode::Auto,
        }
    }
}

pub(crate) fn set(view: &View, change: &WorkbookChange, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let mut patch = Patch::new();
    set_calculation(view, change, &mut patch)?;
    if let Some(wanted) = change.date_1904
        && wanted != view.workbook.from_1904()
    {
        set_dates(view, wanted, cx, &mut patch)?;
    }
    describe(view, &change.document(), &mut patch)?;
    if let Some(active) = change.active {
        set_active(view, active, &mut patch)?;
    }
    let step = Step { patch, summary: "Change properties of the workbook".to_owned(), notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome::default() })
}

fn set_calculation(view: &View, change: &WorkbookChange, patch: &mut Patch) -> Result<(), Refusal> {
    let now = &view.workbook.calculation;
    let mut wanted: Vec<(&str, String)> = Vec::new();
    if let Some(mode) = change.calculation.filter(|mode| *mode != view.calculation_mode()) {
        wanted.push(("calcMode", mode.spelled().to_owned()));
    }
    if let Some(iterate) = change.iterate.filter(|iterate| *iterate != now.iterate) {
        wanted.push(("iterate", u8::from(iterate).to_string()));
    }
    if let Some(count) = change.iterations {
        if !(1..=MOST_ITERATIONS).contains(&count) {
            return Err(Refusal::invalid("iterations", count, format!("1 to {MOST_ITERATIONS}")));
        }
        if count != now.iterations {
            wanted.push(("iterateCount", count.to_string()));
        }
    }
    if let Some(delta) = change.delta {
        if !delta.is_finite() || delta < 0.0 {
            return Err(Refusal::invalid("delta", delta, "zero or a positive number, such as 0.001"));
        }
        if delta != now.delta {
            wanted.push(("iterateDelta", crate::file::numbers::show_number(delta)));
        }
    }
    let wanted: Vec<(&str, &str)> = wanted.iter().map(|(name, value)| (*name, value.as_str())).collect();
    set_on_child(view, patch, "calcPr", &wanted)
}

/// Shows a sheet first. It alone is selected then: what is typed into several selected sheets goes into all of them.
fn set_active(view: &View, active: usize, patch: &mut Patch) -> Result<(), Refusal> {
    let sheets = &view.workbook.sheets;
    let Some(tab) = sheets.get(active) else {
        return Err(Refusal::invalid("active", active, format!("0 to {}", sheets.len().saturating_sub(1))));
    };
    if tab.visibility != Visibility::Visible {
        return Err(Refusal::Unsafe {
            why: format!("sheet `{}` is hidden", tab.name),
            instead: Some("show it first".to_owned()),
        });
    }
    for sheet in view.worksheets() {
        let sheet = sheet?;
        let xml = Xml::frame(sheet.worksheet);
        let views = xml.root().child(ns::S, "sheetViews");
        for node in views.iter().flat_map(|views| views.elements()).filter(|node| node.is(ns::S, "sheetView"))
        {
            let selected = crate::file::workbook::flag(&node, "tabSelected", false);
            match (selected, sheet.position == active) {
                (true, false) => xml.set_attribute(patch, &node, "tabSelected", "0")?,
                (false, true) => xml.set_attribute(patch, &node, "tabSelected", "1")?,
                _ => {}
            }
        }
    }
    let xml = Xml::new(&view.workbook.part, &view.workbook.document);
    let views = xml.root().child(ns::S, "bookViews");
    match views.and_then(|views| views.child(ns::S, "workbookView")) {
        Some(_) if view.workbook.active == active => Ok(()),
        Some(node) => xml.set_attribute(patch, &node, "activeTab", &active.to_string()),
        None => {
            let prefix = xml.prefix();
            let markup = format!(
                "<{prefix}bookViews><{prefix}workbookView activeTab=\"{active}\"/></{prefix}bookViews>"
            );
            xml.insert(patch, WORKBOOK_ORDER, "bookViews", &markup)
        }
    }
}

/// Sets attributes of a child of the workbook, which comes to be if it is not there.
fn set_on_child(view: &View, patch: &mut Patch, name: &str, wanted: &[(&str, &str)]) -> Result<(), Refusal> {
    let workbook = &view.workbook;
    Xml::new(&workbook.part, &workbook.document).set_on_child(patch, WORKBOOK_ORDER, name, wanted)
}

/// Dates are numbers of days, and the same number means another day in the other system. Only a workbook in which
/// nothing hangs on that changes over.
fn set_dates(view: &View, from_1904: bool, cx: &Context, patch: &mut Patch) -> Result<(), Refusal> {
    let system = if from_1904 { 1904 } else { 1900 };
    let refuse = |why: String| {
        rule(
            "DATES_WOULD_CHANGE",
            why,
            format!(
                "set the date system of a workbook without dates, then write the dates; each would be {APART} days away otherwise"
            ),
        )
    };
    if let Some(at) = first_date(view)? {
        return Err(refuse(format!("{at} holds a date, which would be another one counted from {system}")));
    }
    let mut switch = Patch::new();
    set_on_child(view, &mut switch, "workbookPr", &[("date1904", if from_1904 { "1" } else { "0" })])?;
    let content = switch.apply(&view.content)?;
    let before = calculated(view, cx)?;
    let after = calculated(&View::new(&content)?, cx)?;
    let moved = after.iter().find(|(at, value)| before.get(*at) != Some(value));
    let moved = moved.or_else(|| before.iter().find(|(at, _)| !after.contains_key(*at)));
    if let Some((at, _)) = moved {
        return Err(refuse(format!("the formula in {at} would have another value counted from {system}")));
    }
    set_on_child(view, patch, "workbookPr", &[("date1904", if from_1904 { "1" } else { "0" })])
}

/// What a calculation gives where it is not what the file says.
fn calculated(view: &View, cx: &Context) -> Result<BTreeMap<String, String>, Refusal> {
    let found = crate::calc::verify::verify(view, cx)?;
    Ok(found.different.into_iter().map(|cell| (cell.address, cell.ours)).collect())
}

/// A cell that shows a date or is written as one.
fn first_date(view: &View) -> Result<Option<String>, Refusal> {
    let everything = Area { top: 0, left: 0, bottom: formula::MAX_ROWS - 1, right: formula::MAX_COLS - 1 };
    for sheet in view.worksheets() {
        let sheet = sheet?;
        let (worksheet, position) = (sheet.worksheet, sheet.position);
        let mut found = None;
        worksheet.each_row(everything.top, everything.bottom, &mut |bytes, offset, row| {
            let mut cells = worksheet.cells(bytes, row);
            while let Some(raw) = cells.next().map_err(|broken| worksheet.broken(broken.after(offset)))? {
                if found.is_none()
                    && (raw.kind == CellType::Date || view.is_date(&sheet.decode(bytes, &raw)?)?)
                {
                    found = Some(raw.at);
                }
            }
            Ok(())
        })?;
        let rule = sheet.validations().into_iter().find(|rule| rule.kind == "date");
        let found = found.or(rule.and_then(|rule| rule.areas.first().map(Area::first)));
        if let Some(at) = found {
            return Ok(Some(shown(view, crate::calc::place::place(position, at))));
        }
    }
    Ok(None)
}

fn core_part(view: &View) -> Result<Option<PartName>, Refusal> {
    let relationships = Relationships::of_package(&view.content)?;
    let mut parts = relationships.iter().filter(|known| known.kind.ends_with("/metadata/core-properties"));
    Ok(parts.find_map(|known| known.part.clone().filter(|part| view.content.contains(part))))
}

fn company(view: &View) -> Result<Option<String>, Refusal> {
    let relationships = Relationships::of_package(&view.content)?;
    let mut parts = relationships.iter().filter(|known| known.kind.ends_with("/extended-properties"));
    let Some(part) = parts.find_map(|known| known.part.clone().filter(|part| view.content.contains(part)))
    else {
        return Ok(None);
    };
    let document = ooxml::read_xml(&view.content, &part)?;
    let node = document.root().child(ns::EXTENDED_PROPERTIES, "Company");
    Ok(node.map(|node| node.text().into_owned()).filter(|text| !text.is_empty()))
}

fn describe(view: &View, change: &DocumentProperties, patch: &mut Patch) -> Result<(), Refusal> {
    let known = view.properties()?;
    let mut wanted = Vec::new();
    for ((space, name, text), (_, _, now)) in change.elements().into_iter().zip(known.elements()) {
        let Some(text) = text else { continue };
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')) {
            return Err(Refusal::invalid(
                "property",
                format!("{name} with a control character"),
                "plain text",
            ));
        }
        if *text != now.clone().or_empty() {
            wanted.push((space, name, text.as_str()));
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    if let Some(part) = core_part(view)? {
        let document = ooxml::read_xml(&view.content, &part)?;
        return change_elements(&part, &document, &wanted, patch);
    }
    let own = PartName::new("docProps/core.xml");
    let part = match view.content.contains(&own) {
        true => ooxml::free_name(&view.content, "docProps/core", "xml"),
        false => own,
    };
    let inside: String = wanted
        .iter()
        .filter(|(_, _, text)| !text.is_empty())
        .map(|(space, name, text)| {
            let prefix = if *space == ns::DC { "dc" } else { "cp" };
            format!("<{prefix}:{name}>{}</{prefix}:{name}>", escape_text(text))
        })
        .collect();
    let markup = format!(
        "{DECLARATION}<cp:coreProperties xmlns:cp=\"{}\" xmlns:dc=\"{}\">{inside}</cp:coreProperties>",
        ns::CORE_PROPERTIES,
        ns::DC,
    );
    let new = NewRelationship { kind: CORE_KIND, target: NewTarget::Part(&part) };
    Relationships::of_package(&view.content)?.add(patch, &[new])?;
    ContentTypes::read(&view.content)?.declare(patch, &[(&part, CORE_TYPE)])?;
    patch.put(&part, Blob::from(markup));
    Ok(())
}

fn change_elements(
    part: &PartName,
    document: &Document,
    wanted: &[(&str, &str, &str)],
    patch: &mut Patch,
) -> Result<(), Refusal> {
    let xml = Xml::new(part, document);
    let root = document.root();
    let mut fresh = String::new();
    for (space, name, text) in wanted {
        match root.child(space, name) {
            Some(node) if text.is_empty() => xml.remove(patch, &node)?,
            Some(node) if node.closes_itself() => {
                let end = node.span().end;
                let inside = format!(">{}</{}>", escape_text(text), node.qualified());
                xml.splice(patch, end - 2..end, inside)?;
            }
            Some(node) => xml.splice(patch, node.content_span(), escape_text(text).into_owned())?,
            None if text.is_empty() => {}
            None => fresh += &element(&root, space, name, text),
        }
    }
    match fresh.is_empty() {
        true => Ok(()),
        false => xml.append(patch, &root, &fresh),
    }
}

/// A property in the spelling of the part.
fn element(root: &Node<'_>, space: &str, name: &str, text: &str) -> String {
    let (qualified, declared) = match root.namespaces().prefix_of(space) {
        Some("") => (name.to_owned(), String::new()),
        Some(prefix) => (format!("{prefix}:{name}"), String::new()),
        None => (format!("own:{name}"), format!(" xmlns:own=\"{space}\"")),
    };
    format!("<{qualified}{declared}>{}</{qualified}>", escape_text(text))
}
