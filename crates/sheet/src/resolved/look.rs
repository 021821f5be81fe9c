//! How a cell looks, with every colour decided; and what a rule or table changes about it.

use ooxml::xml::{Node, ns};
use serde::Serialize;

use super::palette::{Palette, Rgb};
use crate::file::styles::{self, Alignment, Color, Font};
use crate::file::workbook::{decimal, flag, number, string};
use crate::read::extension::X14;

/// A cell's look.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Look {
    pub font: LookFont,
    pub fill: LookFill,
    pub border: LookBorder,
    pub alignment: Alignment,
    /// Where text begins; left to its first strong letter otherwise.
    pub reading: Reading,
    pub number_format: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    #[default]
    Context,
    LeftToRight,
    RightToLeft,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LookFont {
    pub name: String,
    /// In points.
    pub size: f64,
    pub bold: bool,
    pub italic: bool,
    pub strike: bool,
    /// `single`, `double`, `singleAccounting` or `doubleAccounting`.
    pub underline: Option<String>,
    /// `superscript` or `subscript`.
    pub vertical: Option<String>,
    /// `None` is the colour of the window's text.
    pub color: Option<Rgb>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LookFill {
    #[default]
    None,
    Solid(Rgb),
    /// `gray125`, `darkGrid` and so on: ink on ground.
    Pattern {
        kind: String,
        ink: Rgb,
        ground: Rgb,
    },
    Gradient(Gradient),
}

/// Colours that run into each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gradient {
    pub shape: GradientShape,
    /// Places from 0 to 1.
    pub stops: Vec<(f64, Rgb)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GradientShape {
    /// In degrees, clockwise; 0 runs to the right, 90 down.
    Linear(f64),
    /// From the edges to a rectangle inside, given as parts of the width and height from each side.
    Path { left: f64, right: f64, top: f64, bottom: f64 },
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LookBorder {
    pub left: Option<Line>,
    pub right: Option<Line>,
    pub top: Option<Line>,
    pub bottom: Option<Line>,
    pub diagonal: Option<Line>,
    /// The diagonal goes from the lower left to the upper right.
    pub up: bool,
    /// The diagonal goes from the upper left to the lower right.
    pub down: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    pub style: LineStyle,
    pub color: Rgb,
}

/// The lines Excel has, from the weakest to the one that wins over all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum LineStyle {
    Hair,
    Dotted,
    DashDotDot,
    DashDot,
    Dashed,
    Thin,
    MediumDashDotDot,
    SlantDashDot,
    MediumDashDot,
    MediumDashed,
    Medium,
    Thick,
    Double,
}

impl LineStyle {
    fn read(name: &str) -> Option<LineStyle> {
        Some(match name {
            "hair" => LineStyle::Hair,
            "dotted" => LineStyle::Dotted,
            "dashDotDot" => LineStyle::DashDotDot,
            "dashDot" => LineStyle::DashDot,
            "dashed" => LineStyle::Dashed,
            "thin" => LineStyle::Thin,
            "mediumDashDotDot" => LineStyle::MediumDashDotDot,
            "slantDashDot" => LineStyle::SlantDashDot,
            "mediumDashDot" => LineStyle::MediumDashDot,
            "mediumDashed" => LineStyle::MediumDashed,
            "medium" => LineStyle::Medium,
            "thick" => LineStyle::Thick,
            "double" => LineStyle::Double,
            _ => return None,
        })
    }
}

/// What a conditional format or a part of a table style changes; what is `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Difference {
    pub(crate) bold: Option<bool>,
    pub(crate) italic: Option<bool>,
    pub(crate) strike: Option<bool>,
    pub(crate) underline: Option<Option<String>>,
    pub(crate) color: Option<Option<Rgb>>,
    pub(crate) fill: Option<LookFill>,
    pub(crate) left: Option<Line>,
    pub(crate) right: Option<Line>,
    pub(crate) top: Option<Line>,
    pub(crate) bottom: Option<Line>,
    /// Between the cells of a table.
    pub(crate) vertical: Option<Line>,
    pub(crate) horizontal: Option<Line>,
    pub(crate) number_format: Option<String>,
}

impl Difference {
    /// Read from a `dxf`, whichever namespace it is of.
    pub(crate) fn read(dxf: &Node<'_>, palette: &Palette) -> Difference {
        let child = |name: &str| dxf.child(ns::S, name).or_else(|| dxf.child(X14, name));
        let mut found = Difference::default();
        if let Some(font) = child("font") {
            let switch = |name: &str| font.child(ns::S, name).map(|node| flag(&node, "val", true));
            (found.bold, found.italic, found.strike) = (switch("b"), switch("i"), switch("strike"));
            found.underline = font.child(ns::S, "u").map(|node| {
                Some(string(&node, "val").unwrap_or_else(|| "single".to_owned()))
                    .filter(|kind| kind != "none")
            });
            found.color = font
                .child(ns::S, "color")
                .map(|node| styles::color(&node).and_then(|color| palette.color(&color)));
        }
        found.fill = child("fill").and_then(|node| difference_fill(&node, palette));
        if let Some(border) = child("border") {
            let edge = |names: &[&str]| {
                let node = names.iter().find_map(|name| border.child(ns::S, name))?;
                line(&node, palette)
            };
            found.left = edge(&["left", "start"]);
            found.right = edge(&["right", "end"]);
            found.top = edge(&["top"]);
            found.bottom = edge(&["bottom"]);
            found.vertical = edge(&["vertical"]);
            found.horizontal = edge(&["horizontal"]);
        }
        found.number_format = child("numFmt").and_then(|node| string(&node, "formatCode"));
        found
    }

    /// Puts this over a look. Edges between cells of a table are the caller's business.
    pub(crate) fn apply(&self, look: &mut Look) {
        let font = &mut look.font;
        font.bold = self.bold.unwrap_or(font.bold);
        font.italic = self.italic.unwrap_or(font.italic);
        font.strike = self.strike.unwrap_or(font.strike);
        if let Some(underline) = &self.underline {
            font.underline.clone_from(underline);
        }
        font.color = self.color.unwrap_or(font.color);
        if let Some(fill) = &self.fill {
            look.fill.clone_from(fill);
        }
        let border = &mut look.border;
        border.left = self.left.or(border.left);
        border.right = self.right.or(border.right);
        border.top = self.top.or(border.top);
        border.bottom = self.bottom.or(border.bottom);
        if let Some(code) = &self.number_format {
            look.number_format.clone_from(code);
        }
    }

    /// Takes over what `later` says and this does not.
    pub(crate) fn complete(&mut self, later: &Difference) {
        self.bold = self.bold.or(later.bold);
        self.italic = self.italic.or(later.italic);
        self.strike = self.strike.or(later.strike);
        if self.underline.is_none() {
            self.underline.clone_from(&later.underline);
        }
        self.color = self.color.or(later.color);
        if self.fill.is_none() {
            self.fill.clone_from(&later.fill);
        }
        self.left = self.left.or(later.left);
        self.right = self.right.or(later.right);
        self.top = self.top.or(later.top);
        self.bottom = self.bottom.or(later.bottom);
        if self.number_format.is_none() {
            self.number_format.clone_from(&later.number_format);
        }
    }
}

/// Solid fills of rules and tables have their colour where others have their ground.
fn difference_fill(node: &Node<'_>, palette: &Palette) -> Option<LookFill> {
    if let Some(gradient) = node.child(ns::S, "gradientFill") {
        return Some(LookFill::Gradient(read_gradient(&gradient, palette)));
    }
    let pattern = node.child(ns::S, "patternFill")?;
    let paint = |name| {
        let node = pattern.child(ns::S, name)?;
        styles::color(&node).and_then(|color| palette.color(&color))
    };
    match string(&pattern, "patternType").as_deref() {
        Some("none") => Some(LookFill::None),
        None | Some("solid") => paint("bgColor").or_else(|| paint("fgColor")).map(LookFill::Solid),
        Some(kind) => Some(LookFill::Pattern {
            kind: kind.to_owned(),
            ink: paint("fgColor").unwrap_or(Rgb::BLACK),
            ground: paint("bgColor").unwrap_or(Rgb::WHITE),
        }),
    }
}

fn line(node: &Node<'_>, palette: &Palette) -> Option<Line> {
    let style = LineStyle::read(&string(node, "style")?)?;
    let color = node.child(ns::S, "color").and_then(|node| styles::color(&node));
    Some(Line { style, color: color.and_then(|color| palette.color(&color)).unwrap_or(Rgb::BLACK) })
}

fn read_gradient(node: &Node<'_>, palette: &Palette) -> Gradient {
    let part = |name| decimal(node, name).unwrap_or(0.0).clamp(0.0, 1.0);
    let shape = match string(node, "type").as_deref() {
        Some("path") => GradientShape::Path {
            left: part("left"),
            right: part("right"),
            top: part("top"),
            bottom: part("bottom"),
        },
        _ => {
            GradientShape::Linear(decimal(node, "degree").filter(|degree| degree.is_finite()).unwrap_or(0.0))
        }
    };
    let stops = node.elements().filter(|node| node.is(ns::S, "stop")).filter_map(|stop| {
        let color = stop.child(ns::S, "color").and_then(|node| styles::color(&node))?;
        let place = decimal(&stop, "position").filter(|place| place.is_finite())?;
        Some((place.clamp(0.0, 1.0), palette.color(&color).unwrap_or(Rgb::WHITE)))
    });
    Gradient { shape, stops: stops.collect() }
}

/// The font of a cell or of a piece of its text.
pub(crate) fn look_font(font: &Font, palette: &Palette, fallback: &LookFont) -> LookFont {
    LookFont {
        name: font.name.clone().unwrap_or_else(|| fallback.name.clone()),
        size: font.size.filter(|size| *size > 0.0 && *size <= 409.0).unwrap_or(fallback.size),
        bold: font.bold,
        italic: font.italic,
        strike: font.strike,
        underline: font.underline.clone().filter(|kind| kind != "none"),
        vertical: font.vertical.clone().filter(|kind| kind != "baseline"),
        color: font.color.as_ref().and_then(|color| palette.color(color)),
    }
}

impl Default for LookFont {
    fn default() -> LookFont {
        LookFont {
            name: "Calibri".to_owned(),
            size: 11.0,
            bold: false,
            italic: false,
            strike: false,
            underline: None,
            vertical: None,
            color: None,
        }
    }
}

impl Default for Look {
    fn default() -> Look {
        Look {
            font: LookFont::default(),
            fill: LookFill::None,
            border: LookBorder::default(),
            alignment: Alignment::default(),
            reading: Reading::Context,
            number_format: "General".to_owned(),
        }
    }
}

impl styles::Styles {
    /// The font of cells without a format, which widths of columns are counted in.
    pub(crate) fn normal_font(&self, palette: &Palette) -> LookFont {
        // The style `Normal` says it; files of other programs have it as the first font.
        let root = self.document.root();
        let normal = root.child(ns::S, "cellStyles").and_then(|list| {
            let normal = list.elements().find(|node| number(node, "builtinId") == Some(0))?;
            let xf = number(&normal, "xfId")? as usize;
            let formats = root.child(ns::S, "cellStyleXfs")?;
            let xf = formats.elements().nth(xf)?;
            number(&xf, "fontId")
        });
        let node = self.node(&self.fonts, normal.unwrap_or(0)).or_else(|| self.node(&self.fonts, 0));
        let font = node.map(|node| styles::font(&node)).unwrap_or_default();
        look_font(&font, palette, &LookFont::default())
    }

    /// The look of a cell format.
    pub(crate) fn look(&self, style: u32, palette: &Palette, normal: &LookFont) -> Look {
        let Some(xf) = self.xf(style) else { return Look { font: normal.clone(), ..Look::default() } };
        let plain = self.style(style);
        let fill = number(&xf, "fillId").and_then(|index| self.node(&self.fills, index));
        let border = number(&xf, "borderId").and_then(|index| self.node(&self.borders, index));
        let edge = |edge: &Option<styles::Edge>| {
            let edge = edge.as_ref()?;
            let color = edge.color.as_ref().and_then(|color| palette.color(color));
            Some(Line { style: LineStyle::read(&edge.style)?, color: color.unwrap_or(Rgb::BLACK) })
        };
        Look {
            font: match number(&xf, "fontId") {
                Some(_) => look_font(&plain.font, palette, normal),
                None => normal.clone(),
            },
            fill: match (&plain.fill, fill) {
                (Some(plain), Some(node)) => cell_fill(plain, &node, palette),
                _ => LookFill::None,
            },
            border: LookBorder {
                left: edge(&plain.border.left),
                right: edge(&plain.border.right),
                top: edge(&plain.border.top),
                bottom: edge(&plain.border.bottom),
                diagonal: edge(&plain.border.diagonal),
                up: border.is_some_and(|node| flag(&node, "diagonalUp", false)),
                down: border.is_some_and(|node| flag(&node, "diagonalDown", false)),
            },
            reading: match xf.child(ns::S, "alignment").and_then(|node| number(&node, "readingOrder")) {
                Some(1) => Reading::LeftToRight,
                Some(2) => Reading::RightToLeft,
                _ => Reading::Context,
            },
            alignment: plain.alignment,
            number_format: plain.number_format,
        }
    }
}

fn cell_fill(plain: &styles::Fill, node: &Node<'_>, palette: &Palette) -> LookFill {
    if let Some(gradient) = node.child(ns::S, "gradientFill") {
        return LookFill::Gradient(read_gradient(&gradient, palette));
    }
    let paint = |color: &Option<Color>| color.as_ref().and_then(|color| palette.color(color));
    match plain.pattern.as_str() {
        "solid" => LookFill::Solid(paint(&plain.color).unwrap_or(Rgb::BLACK)),
        kind => LookFill::Pattern {
            kind: kind.to_owned(),
            ink: paint(&plain.color).unwrap_or(Rgb::BLACK),
            ground: paint(&plain.background).unwrap_or(Rgb::WHITE),
        },
    }
}
