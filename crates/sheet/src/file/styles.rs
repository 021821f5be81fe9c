//! The styles part: what the format index of a cell means.

use std::collections::BTreeMap;

use edit::{Content, PartName, Refusal};
use ooxml::xml::{Document, Node, NodeId, ns};
use serde::{Deserialize, Serialize};

use crate::file::workbook::{decimal, flag, number, string};

#[derive(Clone, Debug)]
pub(crate) struct Styles {
    pub(crate) part: PartName,
    pub(crate) document: Document,
    /// Formats the workbook defines, by id.
    pub(crate) formats: BTreeMap<u32, String>,
    pub(crate) xfs: Vec<NodeId>,
    pub(crate) fonts: Vec<NodeId>,
    pub(crate) fills: Vec<NodeId>,
    pub(crate) borders: Vec<NodeId>,
    pub(crate) differentials: Vec<NodeId>,
}

/// How a cell looks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Style {
    pub number_format: String,
    pub font: Font,
    pub fill: Option<Fill>,
    pub border: Border,
    pub alignment: Alignment,
    pub locked: bool,
    pub formula_hidden: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Font {
    pub name: Option<String>,
    pub size: Option<f64>,
    pub bold: bool,
    pub italic: bool,
    pub strike: bool,
    pub underline: Option<String>,
    pub vertical: Option<String>,
    pub color: Option<Color>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Eight digits: opacity, red, green, blue.
    Rgb(String),
    /// A colour of the theme, lightened (up to 1) or darkened (down to -1).
    Theme {
        index: u32,
        tint: f64,
    },
    /// A colour of the old palette.
    Indexed(u32),
    Automatic,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fill {
    /// `solid` nearly always.
    pub pattern: String,
    pub color: Option<Color>,
    pub background: Option<Color>,
    /// Colours of a gradient with their places from 0 to 1; empty for a plain fill.
    pub gradient: Vec<(f64, Color)>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Border {
    pub left: Option<Edge>,
    pub right: Option<Edge>,
    pub top: Option<Edge>,
    pub bottom: Option<Edge>,
    pub diagonal: Option<Edge>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// `thin`, `medium`, `dashed` and so on.
    pub style: String,
    pub color: Option<Color>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Alignment {
    pub horizontal: Option<String>,
    pub vertical: Option<String>,
    pub wrap: bool,
    pub shrink: bool,
    pub indent: u32,
    /// Degrees counter-clockwise up to 90, clockwise from 91 to 180; 255 stacks the letters.
    pub rotation: u32,
}

impl Styles {
    pub(crate) fn load(content: &Content, part: &PartName) -> Result<Styles, Refusal> {
        let document = ooxml::read_xml(content, part)?;
        let root = document.root();
        let list = |list: &str, item: &str| -> Vec<NodeId> {
            let Some(list) = root.child(ns::S, list) else { return Vec::new() };
            list.elements().filter(|node| node.is(ns::S, item)).map(|node| node.id()).collect()
        };
        let formats =
            root.child(ns::S, "numFmts").into_iter().flat_map(|list| list.elements().collect::<Vec<_>>());
        Ok(Styles {
            part: part.clone(),
            formats: formats
                .filter_map(|node| Some((number(&node, "numFmtId")?, string(&node, "formatCode")?)))
                // Some programs write an empty code for 0, and mean that nothing is said.
                .filter(|(_, code)| !code.is_empty())
                .collect(),
            xfs: list("cellXfs", "xf"),
            fonts: list("fonts", "font"),
            fills: list("fills", "fill"),
            borders: list("borders", "border"),
            differentials: list("dxfs", "dxf"),
            document,
        })
    }

    pub(crate) fn node(&self, list: &[NodeId], index: u32) -> Option<Node<'_>> {
        self.document.node(*list.get(index as usize)?)
    }

    pub(crate) fn xf(&self, style: u32) -> Option<Node<'_>> {
        self.node(&self.xfs, style)
    }

    /// The number format code of a cell format.
    pub(crate) fn number_format(&self, style: u32) -> &str {
        let id = self.xf(style).and_then(|xf| number(&xf, "numFmtId")).unwrap_or(0);
        self.format_code(id)
    }

    pub(crate) fn format_code(&self, id: u32) -> &str {
        self.formats.get(&id).map_or_else(|| built_in(id).unwrap_or("General"), String::as_str)
    }

    pub(crate) fn style(&self, style: u32) -> Style {
        let Some(xf) = self.xf(style) else {
            return Style { number_format: "General".into(), ..Style::default() };
        };
        let part = |list: &[NodeId], name| number(&xf, name).and_then(|index| self.node(list, index));
        let protection = xf.child(ns::S, "protection");
        Style {
            number_format: self.number_format(style).to_owned(),
            font: part(&self.fonts, "fontId").map(|node| font(&node)).unwrap_or_default(),
            fill: part(&self.fills, "fillId").and_then(|node| fill(&node)),
            border: part(&self.borders, "borderId").map(|node| border(&node)).unwrap_or_default(),
            alignment: xf.child(ns::S, "alignment").map(|node| alignment(&node)).unwrap_or_default(),
            locked: protection.is_none_or(|node| flag(&node, "locked", true)),
            formula_hidden: protection.is_some_and(|node| flag(&node, "hidden", false)),
        }
    }
}

pub(crate) fn font(node: &Node<'_>) -> Font {
    let child = |name| node.child(ns::S, name);
    let switch = |name| child(name).is_some_and(|node| flag(&node, "val", true));
    Font {
        name: child("name").or_else(|| child("rFont")).and_then(|node| string(&node, "val")),
        size: child("sz").and_then(|node| decimal(&node, "val")),
        bold: switch("b"),
        italic: switch("i"),
        strike: switch("strike"),
        underline: child("u").map(|node| string(&node, "val").unwrap_or_else(|| "single".to_owned())),
        vertical: child("vertAlign").and_then(|node| string(&node, "val")),
        color: child("color").and_then(|node| color(&node)),
    }
}

pub(crate) fn color(node: &Node<'_>) -> Option<Color> {
    if let Some(rgb) = string(node, "rgb") {
        return Some(Color::Rgb(rgb));
    }
    if let Some(index) = number(node, "theme") {
        return Some(Color::Theme { index, tint: decimal(node, "tint").unwrap_or(0.0) });
    }
    if let Some(index) = number(node, "indexed") {
        return Some(Color::Indexed(index));
    }
    flag(node, "auto", false).then_some(Color::Automatic)
}

pub(crate) fn fill(node: &Node<'_>) -> Option<Fill> {
    if let Some(gradient) = node.child(ns::S, "gradientFill") {
        let stops = gradient.elements().filter(|node| node.is(ns::S, "stop"));
        let gradient = stops.filter_map(|stop| {
            Some((decimal(&stop, "position")?, stop.child(ns::S, "color").and_then(|node| color(&node))?))
        });
        return Some(Fill {
            pattern: "gradient".to_owned(),
            gradient: gradient.collect(),
            ..Fill::default()
        });
    }
    let pattern = node.child(ns::S, "patternFill")?;
    let kind = string(&pattern, "patternType").unwrap_or_else(|| "none".to_owned());
    if kind == "none" {
        return None;
    }
    let paint = |name| pattern.child(ns::S, name).and_then(|node| color(&node));
    Some(Fill { pattern: kind, color: paint("fgColor"), background: paint("bgColor"), gradient: Vec::new() })
}

pub(crate) fn border(node: &Node<'_>) -> Border {
    let edge = |names: &[&str]| {
        let node = names.iter().find_map(|name| node.child(ns::S, name))?;
        let style = string(&node, "style").filter(|style| style != "none")?;
        Some(Edge { style, color: node.child(ns::S, "color").and_then(|node| color(&node)) })
    };
    Border {
        left: edge(&["left", "start"]),
        right: edge(&["right", "end"]),
        top: edge(&["top"]),
        bottom: edge(&["bottom"]),
        diagonal: edge(&["diagonal"]),
    }
}

fn alignment(node: &Node<'_>) -> Alignment {
    Alignment {
        horizontal: string(node, "horizontal"),
        vertical: string(node, "vertical"),
        wrap: flag(node, "wrapText", false),
        shrink: flag(node, "shrinkToFit", false),
        indent: number(node, "indent").unwrap_or(0),
        rotation: number(node, "textRotation").unwrap_or(0),
    }
}

/// Formats that every workbook has without defining them, as an English Excel shows them.
pub(crate) const BUILT_IN: &[(u32, &str)] = &[
    (0, "General"),
    (1, "0"),
    (2, "0.00"),
    (3, "#,##0"),
    (4, "#,##0.00"),
    (5, "\"$\"#,##0_);\\(\"$\"#,##0\\)"),
    (6, "\"$\"#,##0_);[Red]\\(\"$\"#,##0\\)"),
    (7, "\"$\"#,##0.00_);\\(\"$\"#,##0.00\\)"),
    (8, "\"$\"#,##0.00_);[Red]\\(\"$\"#,##0.00\\)"),
    (9, "0%"),
    (10, "0.00%"),
    (11, "0.00E+00"),
    (12, "# ?/?"),
    (13, "# ??/??"),
    (14, "m/d/yyyy"),
    (15, "d-mmm-yy"),
    (16, "d-mmm"),
    (17, "mmm-yy"),
    (18, "h:mm AM/PM"),
    (19, "h:mm:ss AM/PM"),
    (20, "h:mm"),
    (21, "h:mm:ss"),
    (22, "m/d/yyyy h:mm"),
    (37, "#,##0_);\\(#,##0\\)"),
    (38, "#,##0_);[Red]\\(#,##0\\)"),
    (39, "#,##0.00_);\\(#,##0.00\\)"),
    (40, "#,##0.00_);[Red]\\(#,##0.00\\)"),
    (41, "_(* #,##0_);_(* \\(#,##0\\);_(* \"-\"_);_(@_)"),
    (42, "_(\"$\"* #,##0_);_(\"$\"* \\(#,##0\\);_(\"$\"* \"-\"_);_(@_)"),
    (43, "_(* #,##0.00_);_(* \\(#,##0.00\\);_(* \"-\"??_);_(@_)"),
    (44, "_(\"$\"* #,##0.00_);_(\"$\"* \\(#,##0.00\\);_(\"$\"* \"-\"??_);_(@_)"),
    (45, "mm:ss"),
    (46, "[h]:mm:ss"),
    (47, "mm:ss.0"),
    (48, "##0.0E+0"),
    (49, "@"),
];

pub(crate) fn built_in(id: u32) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == id).map(|(_, code)| *code)
}
