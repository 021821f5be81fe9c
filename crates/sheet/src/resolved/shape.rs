//! How a shape or a text box looks: its ground, its line and its words.

use edit::Refusal;
use ooxml::xml::{Node, ns};

use super::chart::{ChartText, Stroke, shape_fill};
use super::palette::{Ink, Palette};
use super::placed::Placed;
use crate::file::workbook::string;
use crate::read::sheet_view::SheetView;

/// A shape as far as it is drawn; one with a geometry of its own is not.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeLook {
    /// `rect`, `ellipse`, `line` and so on, as the file calls it.
    pub geometry: String,
    pub fill: Option<Ink>,
    pub line: Option<Stroke>,
    pub flip_across: bool,
    pub flip_down: bool,
    pub paragraphs: Vec<ShapeParagraph>,
    pub place: ShapeText,
}

/// Words of one kind; `across` is `l`, `ctr`, `r` or another word of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeParagraph {
    pub pieces: Vec<(String, ChartText)>,
    pub across: String,
}

/// Where the words stand.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeText {
    /// `t`, `ctr` or `b`.
    pub down: String,
    /// From left, top, right and bottom, in pixels.
    pub insets: [f64; 4],
    pub wraps: bool,
}

/// English metric units in a pixel.
const UNITS: f64 = 9_525.0;

impl SheetView<'_> {
    /// The look of a shape, a text box or a connector that stands alone.
    pub fn shape_look(&self, object: &Placed, palette: &Palette) -> Result<Option<ShapeLook>, Refusal> {
        let relationships = self.relationships()?;
        let parts = relationships.iter().filter(|r| r.kind.rsplit('/').next() == Some("drawing"));
        for part in parts.filter_map(|r| r.part.clone()).filter(|part| self.book.content.contains(part)) {
            let document = ooxml::read_xml(&self.book.content, &part)?;
            let mut anchors = document.root().elements().filter(|node| node.name().local.ends_with("Anchor"));
            let shape = anchors.nth(object.place.saturating_sub(1)).and_then(|anchor| {
                anchor.descendants().find(|node| matches!(node.name().local, "sp" | "cxnSp"))
            });
            if let Some(shape) = shape {
                return Ok(look(&shape, palette));
            }
        }
        Ok(None)
    }
}

fn look(shape: &Node<'_>, palette: &Palette) -> Option<ShapeLook> {
    let child = |name: &str| shape.elements().find(|node| node.name().local == name);
    let properties = child("spPr")?;
    let geometry = properties.child(ns::A, "prstGeom").and_then(|node| string(&node, "prst"))?;
    let style = |name: &str| {
        let reference = child("style")?.child(ns::A, name)?;
        let used = string(&reference, "idx").is_some_and(|index| index != "0");
        Some((used, palette.ink_inside(&reference)))
    };
    let styled = |name: &str| style(name).filter(|(used, _)| *used).and_then(|(_, ink)| ink);
    let fill = shape_fill(&properties, palette).unwrap_or_else(|| styled("fillRef"));
    let usual = styled("lnRef").map(|ink| Stroke { ink, width: 1.0, dash: Vec::new() });
    let line = match (properties.child(ns::A, "ln"), usual) {
        (Some(own), usual) => {
            let says = own.elements().any(|node| node.name().local.ends_with("Fill"));
            let black = Stroke { ink: palette.scheme("tx1")?.into(), width: 1.0, dash: Vec::new() };
            match (says, usual) {
                (false, None) => None,
                (_, usual) => Stroke::read(&own, &usual.unwrap_or(black), palette),
            }
        }
        (None, usual) => usual,
    };
    let moved = properties.child(ns::A, "xfrm");
    let flips = |name: &str| {
        let flag = moved.as_ref().and_then(|moved| string(moved, name));
        matches!(flag.as_deref(), Some("1" | "true"))
    };
    let mut words = ChartText { size: 11.0, ..ChartText::plain(palette) };
    if let Some((_, Some(ink))) = style("fontRef") {
        words.ink = ink;
    }
    let body = child("txBody");
    let body_properties = body.as_ref().and_then(|body| body.child(ns::A, "bodyPr"));
    let said = |name: &str| body_properties.as_ref().and_then(|node| string(node, name));
    let inset = |name: &str, usual: f64| {
        said(name).and_then(|text| text.parse::<f64>().ok()).unwrap_or(usual) / UNITS
    };
    let paragraphs =
        body.as_ref().map(|body| body.elements().filter(|node| node.is(ns::A, "p")).collect::<Vec<_>>());
    let paragraph = |node: Node<'_>| {
        let across =
            node.child(ns::A, "pPr").and_then(|node| string(&node, "algn")).unwrap_or_else(|| "l".to_owned());
        let runs = node.elements().filter(|run| matches!(run.name().local, "r" | "fld" | "br"));
        let piece = |run: Node<'_>| match run.name().local {
            "br" => ("\n".to_owned(), words.clone()),
            _ => {
                let text: String = run
                    .descendants()
                    .filter(|node| node.is(ns::A, "t"))
                    .map(|node| node.text().into_owned())
                    .collect();
                (text, words.over(Some(&run), palette))
            }
        };
        ShapeParagraph { pieces: runs.map(piece).collect(), across }
    };
    Some(ShapeLook {
        geometry,
        fill,
        line,
        flip_across: flips("flipH"),
        flip_down: flips("flipV"),
        paragraphs: paragraphs.into_iter().flatten().map(paragraph).collect(),
        place: ShapeText {
            down: said("anchor").unwrap_or_else(|| "t".to_owned()),
            insets: [
                inset("lIns", 91_440.0),
                inset("tIns", 45_720.0),
                inset("rIns", 91_440.0),
                inset("bIns", 45_720.0),
            ],
            wraps: said("wrap").as_deref() != Some("none"),
        },
    })
}
