//! What a sheet has beside its cells: merges, columns, rows, panes, filters, validations, links.

use edit::{OrEmpty, Refusal};
use ooxml::xml::{Node, ns};
use serde::{Deserialize, Serialize};

use crate::file::a1::{Area, read_areas};
use crate::file::workbook::{decimal, flag, number, string};
use crate::read::extension::{self, X14, XM};
use crate::read::sheet_view::SheetView;

/// Columns `first..=last` and how they are shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Columns {
    pub first: u32,
    pub last: u32,
    /// In characters of the default font.
    pub width: Option<f64>,
    pub hidden: bool,
    pub outline: u32,
    /// The group that ends here is closed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub collapsed: bool,
    pub style: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RowProperties {
    /// In points.
    pub height: Option<f64>,
    pub hidden: bool,
    pub outline: u32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub collapsed: bool,
    pub style: Option<u32>,
}

/// Rows and columns that stay in sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frozen {
    pub rows: u32,
    pub columns: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    pub areas: Vec<Area>,
    /// `list`, `whole`, `decimal`, `date`, `time`, `textLength`, `custom` or `none`.
    pub kind: String,
    pub operator: Option<String>,
    pub formula1: Option<String>,
    pub formula2: Option<String>,
    pub allow_blank: bool,
    /// A list without its button in the cell.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hide_choices: bool,
    /// `stop` where nothing is said, `warning` or `information`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_style: Option<String>,
    pub error_title: Option<String>,
    pub error: Option<String>,
    pub prompt_title: Option<String>,
    pub prompt: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hyperlink {
    pub area: Area,
    /// An address outside the workbook.
    pub target: Option<String>,
    /// A place in the workbook.
    pub location: Option<String>,
    pub tooltip: Option<String>,
}

impl<'a> SheetView<'a> {
    pub(crate) fn root(&self) -> Node<'a> {
        self.worksheet.frame.document.root()
    }

    fn list(&self, list: &'a str, item: &'a str) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let root = self.root();
        let lists = root.elements().filter(move |node| node.is(ns::S, list));
        lists.flat_map(move |list| list.elements().filter(move |node| node.is(ns::S, item)))
    }

    pub fn merges(&self) -> Vec<Area> {
        self.list("mergeCells", "mergeCell").filter_map(|node| string(&node, "ref")?.parse().ok()).collect()
    }

    /// The area the file says it uses.
    pub fn dimension(&self) -> Option<Area> {
        self.root().child(ns::S, "dimension").and_then(|node| string(&node, "ref")?.parse().ok())
    }

    pub fn columns(&self) -> Vec<Columns> {
        let columns = self.list("cols", "col").filter_map(|node| {
            Some(Columns {
                first: number(&node, "min")?.checked_sub(1)?,
                last: number(&node, "max")?.checked_sub(1)?,
                width: decimal(&node, "width"),
                hidden: flag(&node, "hidden", false),
                outline: number(&node, "outlineLevel").unwrap_or(0),
                collapsed: flag(&node, "collapsed", false),
                style: number(&node, "style"),
            })
        });
        columns.collect()
    }

    /// First column, last column and style of the columns that have one.
    pub(crate) fn column_styles(&self) -> Vec<(u32, u32, u32)> {
        self.columns().iter().filter_map(|c| Some((c.first, c.last, c.style?))).collect()
    }

    pub fn row_properties(&self, row: u32) -> Result<RowProperties, Refusal> {
        let crate::file::worksheet::RowSpot::Found(range, found) = self.worksheet.find_row(row)? else {
            return Ok(RowProperties::default());
        };
        let bytes = self.worksheet.blob.slice(range.start..range.start + found.tag.end);
        let value = |name| {
            let span = crate::file::scan::Attributes::of(&bytes, 0).find(name)?;
            Some(String::from_utf8_lossy(bytes.get(span)?).into_owned())
        };
        let on = |name| matches!(value(name).as_deref(), Some("1" | "true"));
        Ok(RowProperties {
            height: value("ht").and_then(|text| text.parse().ok()),
            hidden: on("hidden"),
            outline: value("outlineLevel").and_then(|text| text.parse().ok()).unwrap_or(0),
            collapsed: on("collapsed"),
            style: if on("customFormat") { value("s").and_then(|text| text.parse().ok()) } else { None },
        })
    }

    pub fn default_column_width(&self) -> Option<f64> {
        self.root().child(ns::S, "sheetFormatPr").and_then(|node| decimal(&node, "defaultColWidth"))
    }

    pub fn frozen(&self) -> Option<Frozen> {
        let pane = self.list("sheetViews", "sheetView").find_map(|view| view.child(ns::S, "pane"))?;
        let frozen = string(&pane, "state").is_some_and(|state| state.starts_with("frozen"));
        let lines = |name| decimal(&pane, name).unwrap_or(0.0) as u32;
        frozen.then(|| Frozen { rows: lines("ySplit"), columns: lines("xSplit") })
    }

    pub fn gridlines(&self) -> bool {
        self.list("sheetViews", "sheetView").next().is_none_or(|view| flag(&view, "showGridLines", true))
    }

    pub fn tab_color(&self) -> Option<crate::file::styles::Color> {
        let properties = self.root().child(ns::S, "sheetPr")?;
        crate::file::styles::color(&properties.child(ns::S, "tabColor")?)
    }

    pub fn is_protected(&self) -> bool {
        self.root().child(ns::S, "sheetProtection").is_some_and(|node| flag(&node, "sheet", false))
    }

    pub fn auto_filter(&self) -> Option<Area> {
        self.root().child(ns::S, "autoFilter").and_then(|node| string(&node, "ref")?.parse().ok())
    }

    pub fn validations(&self) -> Vec<Validation> {
        let formula = |node: &Node<'_>, name: &str| {
            node.child(ns::S, name).map(|node| node.text().into_owned()).filter(|text| !text.is_empty())
        };
        let validations = self.list("dataValidations", "dataValidation").map(|node| Validation {
            areas: read_areas(&string(&node, "sqref").or_empty()),
            formula1: formula(&node, "formula1"),
            formula2: formula(&node, "formula2"),
            ..validation(&node)
        });
        let text = |node: &Node<'_>, name: &str| {
            let formula = node.child(X14, name)?.child(XM, "f")?;
            Some(formula.text().into_owned()).filter(|text| !text.is_empty())
        };
        let later =
            extension::items(self.root(), "dataValidations", "dataValidation").map(|node| Validation {
                areas: extension::areas(&node),
                formula1: text(&node, "formula1"),
                formula2: text(&node, "formula2"),
                ..validation(&node)
            });
        let validations = validations.chain(later);
        validations.collect()
    }

    pub fn hyperlinks(&self) -> Result<Vec<Hyperlink>, Refusal> {
        let nodes: Vec<Node<'_>> = self.list("hyperlinks", "hyperlink").collect();
        if nodes.is_empty() {
            return Ok(Vec::new());
        }
        let relationships = self.relationships()?;
        let links = nodes.iter().filter_map(|node| {
            let target = node.value(ns::R, "id").and_then(|id| Some(relationships.get(&id)?.target.clone()));
            Some(Hyperlink {
                area: string(node, "ref")?.parse().ok()?,
                target,
                location: string(node, "location"),
                tooltip: string(node, "tooltip"),
            })
        });
        Ok(links.collect())
    }

    pub(crate) fn relationships(&self) -> Result<ooxml::Relationships, Refusal> {
        ooxml::Relationships::of_part(&self.book.content, &self.worksheet.part)
    }
}

/// What the attributes of a validation say.
fn validation(node: &Node<'_>) -> Validation {
    Validation {
        areas: Vec::new(),
        kind: string(node, "type").unwrap_or_else(|| "none".to_owned()),
        operator: string(node, "operator"),
        formula1: None,
        formula2: None,
        allow_blank: flag(node, "allowBlank", false),
        hide_choices: flag(node, "showDropDown", false),
        error_style: string(node, "errorStyle"),
        error_title: string(node, "errorTitle"),
        error: string(node, "error"),
        prompt_title: string(node, "promptTitle"),
        prompt: string(node, "prompt"),
    }
}
