//! How words, lines and grounds of a chart look.

use ooxml::xml::{Node, ns};

use super::super::palette::{Ink, Palette, Rgb};
use crate::file::workbook::string;

/// English metric units in a pixel.
const UNITS: f64 = 9_525.0;

/// Letters of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartText {
    pub font: String,
    /// In points.
    pub size: f64,
    pub bold: bool,
    pub italic: bool,
    pub ink: Ink,
    /// In degrees, clockwise; nothing where it is left to the program.
    pub rotation: Option<f64>,
}

/// A title.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    pub words: String,
    pub text: ChartText,
    /// The plot does not make room for it.
    pub overlay: bool,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    pub ink: Ink,
    /// In pixels.
    pub width: f64,
    /// Lengths of strokes and gaps in turn, in pixels; none for a whole line.
    pub dash: Vec<f64>,
}

impl ChartText {
    /// What Excel takes where nothing is said.
    pub(crate) fn plain(palette: &Palette) -> ChartText {
        let font = palette.minor_font.clone().unwrap_or_else(|| "Calibri".to_owned());
        let ink = palette.scheme("tx1").unwrap_or(Rgb::BLACK).into();
        ChartText { font, size: 10.0, bold: false, italic: false, ink, rotation: None }
    }

    /// With what is said in an element (`txPr`, a title) over it.
    pub(crate) fn over(&self, node: Option<&Node<'_>>, palette: &Palette) -> ChartText {
        let mut text = self.clone();
        let Some(node) = node else { return text };
        let first = |name: &str| node.descendants().find(|inner| inner.is(ns::A, name));
        for properties in [first("defRPr"), first("rPr")].into_iter().flatten() {
            let number = |name: &str| string(&properties, name).and_then(|size| size.parse::<f64>().ok());
            if let Some(size) = number("sz").filter(|size| (100.0..=40_000.0).contains(size)) {
                text.size = size / 100.0;
            }
            let on = |name: &str| string(&properties, name).map(|flag| flag == "1" || flag == "true");
            text.bold = on("b").unwrap_or(text.bold);
            text.italic = on("i").unwrap_or(text.italic);
            let solid = properties.child(ns::A, "solidFill");
            text.ink = solid.and_then(|solid| palette.ink_inside(&solid)).unwrap_or(text.ink);
            let face = properties.child(ns::A, "latin").and_then(|node| string(&node, "typeface"));
            match face.as_deref() {
                Some("+mj-lt") => text.font = palette.major_font.clone().unwrap_or(text.font),
                Some("+mn-lt") => text.font = palette.minor_font.clone().unwrap_or(text.font),
                Some(name) if !name.is_empty() => text.font = name.to_owned(),
                _ => {}
            }
        }
        let turned = first("bodyPr").and_then(|body| string(&body, "rot")?.parse::<f64>().ok());
        // Excel writes -1000 degrees for what it decides itself.
        let turned = turned.map(|turned| turned / 60_000.0).filter(|turned| turned.abs() <= 90.0);
        text.rotation = turned.or(text.rotation);
        text
    }
}

impl Stroke {
    /// An `a:ln`; nothing where it is said that there is no line.
    pub(crate) fn read(line: &Node<'_>, usual: &Stroke, palette: &Palette) -> Option<Stroke> {
        if line.child(ns::A, "noFill").is_some() {
            return None;
        }
        let width = string(line, "w").and_then(|width| width.parse::<f64>().ok());
        let width = width.map_or(usual.width, |width| (width / UNITS).clamp(0.25, 40.0));
        let ink = ["solidFill", "gradFill", "pattFill"]
            .iter()
            .find_map(|name| color(&line.child(ns::A, name)?, palette))
            .unwrap_or(usual.ink);
        let dash = line.child(ns::A, "prstDash").and_then(|node| string(&node, "val"));
        let dash = dash.map_or(usual.dash.clone(), |name| {
            let parts: &[f64] = match name.as_str() {
                "sysDot" => &[1.0, 1.0],
                "dot" => &[1.0, 3.0],
                "sysDash" => &[3.0, 1.0],
                "dash" => &[4.0, 3.0],
                "lgDash" => &[8.0, 3.0],
                "dashDot" => &[4.0, 3.0, 1.0, 3.0],
                "sysDashDot" => &[3.0, 1.0, 1.0, 1.0],
                "sysDashDotDot" => &[3.0, 1.0, 1.0, 1.0, 1.0, 1.0],
                "lgDashDot" => &[8.0, 3.0, 1.0, 3.0],
                "lgDashDotDot" => &[8.0, 3.0, 1.0, 3.0, 1.0, 3.0],
                _ => &[],
            };
            parts.iter().map(|part| part * width.max(1.0)).collect()
        });
        Some(Stroke { ink, width, dash })
    }
}

/// What an `spPr` is filled with: nothing said, or said to be clear, or a colour.
pub(crate) fn fill(shape: &Node<'_>, palette: &Palette) -> Option<Option<Ink>> {
    if shape.child(ns::A, "noFill").is_some() {
        return Some(None);
    }
    let found = ["solidFill", "gradFill", "pattFill"].iter().find_map(|name| shape.child(ns::A, name))?;
    color(&found, palette).map(Some)
}

/// One colour for a fill: of a gradient its first, of a pattern its lines.
fn color(fill: &Node<'_>, palette: &Palette) -> Option<Ink> {
    match fill.name().local {
        "gradFill" => {
            let stop = fill.descendants().find(|node| node.is(ns::A, "gs"))?;
            palette.ink_inside(&stop)
        }
        "pattFill" => palette.ink_inside(&fill.child(ns::A, "fgClr")?),
        _ => palette.ink_inside(fill),
    }
}

/// The words of a title, its paragraphs as lines.
pub(super) fn texts(node: &Node<'_>) -> String {
    let joined = |node: &Node<'_>| {
        let runs = node.descendants().filter(|node| node.is(ns::A, "t") || node.is(ns::CHART, "v"));
        runs.map(|node| node.text().into_owned()).collect::<String>()
    };
    let paragraphs: Vec<Node<'_>> = node.descendants().filter(|node| node.is(ns::A, "p")).collect();
    let rich = node.descendants().any(|node| node.is(ns::A, "t"));
    match rich {
        true => paragraphs.iter().map(joined).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"),
        false => joined(node),
    }
}
