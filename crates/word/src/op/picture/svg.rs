//! SVG: how large a drawing wants to be, and the bitmap for programs that cannot draw it.
//!
//! Nothing outside the drawing is ever looked at: no file, no address, no font. Words in a drawing are therefore not
//! in the bitmap; programs that draw SVG show them.

use std::collections::BTreeMap;

use edit::Refusal;
use ooxml::xml::{Document, Node, NodeId, XmlLimits};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

const MOST_BYTES: usize = 4 << 20;
/// After everything that is used several times was put in its places.
const MOST_SHAPES: usize = 50_000;
/// Elements in one another, those that are used from elsewhere included; a drawing that uses itself has no end.
const DEEPEST: usize = 512;
const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";
/// The bitmap's longer side, in pixels.
const LONGEST: f32 = 2_000.0;

/// A drawing that can be drawn.
pub(super) struct Drawing {
    /// Pixels at 96 to the inch.
    pub(super) size: (f64, f64),
    pub(super) png: Vec<u8>,
    /// Whether it holds what the bitmap does not show.
    pub(super) incomplete: bool,
}

pub(super) fn draw(bytes: &[u8]) -> Result<Drawing, Refusal> {
    if bytes.len() > MOST_BYTES {
        return Err(Refusal::Limit {
            what: "the size of the drawing".into(),
            found: format!("{} bytes", bytes.len()),
            limit: format!("{MOST_BYTES} bytes"),
        });
    }
    let corrupt = |why: String| {
        Refusal::invalid(
            "data",
            format!("an SVG picture that cannot be drawn ({why})"),
            "a whole SVG picture",
        )
    };
    let text = std::str::from_utf8(bytes).map_err(|_| corrupt("it is not UTF-8".to_owned()))?;
    let text = without_doctype(text)?;
    // How deep elements stand in one another is limited here, as the drawing is walked recursively below.
    let parsed = Document::parse(&edit::Blob::from(text.clone().into_bytes()), &XmlLimits::default())
        .map_err(|error| corrupt(error.to_string()))?;
    let root = parsed.root();
    if !root.is(SVG, "svg") {
        return Err(corrupt("its first element is no <svg> of the SVG namespace".to_owned()));
    }
    let too_many = |found: usize| Refusal::Limit {
        what: "the shapes of the drawing".into(),
        found: found.to_string(),
        limit: MOST_SHAPES.to_string(),
    };
    let weight = Weights::of(root).weight(root, 0);
    if weight > MOST_SHAPES {
        return Err(too_many(weight));
    }
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(&text, &options).map_err(|error| corrupt(error.to_string()))?;
    let size = tree.size();
    // Twice as fine as a screen, as documents are printed.
    let scale = (LONGEST / size.width().max(size.height())).min(2.0);
    let side = |length: f32| ((length * scale).round() as u32).clamp(1, LONGEST as u32);
    let mut pixels = Pixmap::new(side(size.width()), side(size.height()))
        .ok_or_else(|| corrupt("it has no size".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let png = pixels.encode_png().map_err(|error| Refusal::internal(error.to_string()))?;
    let incomplete = text.contains("<text") || text.contains("<image");
    Ok(Drawing { size: (size.width().into(), size.height().into()), png, incomplete })
}

/// Old programs name a document type, which says nothing; one that defines entities is refused.
fn without_doctype(text: &str) -> Result<String, Refusal> {
    let Some(start) = text.find("<!DOCTYPE") else { return Ok(text.to_owned()) };
    let (before, rest) = text.split_at(start);
    match rest.find(['>', '[']).map(|at| (rest.as_bytes().get(at), rest.get(at + 1..))) {
        Some((Some(b'>'), Some(after))) => Ok(format!("{before}{after}")),
        _ => Err(Refusal::Unsupported {
            what: "an SVG picture that defines entities".to_owned(),
            instead: Some("remove its <!DOCTYPE […]>, or convert it to PNG".to_owned()),
        }),
    }
}

/// How many elements a drawing has once everything that is used several times stands in all its places.
struct Weights<'a> {
    named: BTreeMap<String, Node<'a>>,
    known: BTreeMap<NodeId, usize>,
}

impl<'a> Weights<'a> {
    fn of(root: Node<'a>) -> Self {
        let id = |node: &Node<'a>| Some((node.value("", "id")?.into_owned(), *node));
        let named = root.descendants().filter(Node::is_element).filter_map(|node| id(&node)).collect();
        Self { named, known: BTreeMap::new() }
    }

    fn weight(&mut self, node: Node<'a>, depth: usize) -> usize {
        if depth > DEEPEST {
            return MOST_SHAPES + 1;
        }
        if let Some(known) = self.known.get(&node.id()) {
            return *known;
        }
        let mut weight = 1usize;
        for child in node.elements() {
            weight = weight.saturating_add(self.weight(child, depth + 1));
        }
        if node.is(SVG, "use") {
            let href = node.value("", "href").or_else(|| node.value(XLINK, "href"));
            let target = href.as_deref().and_then(|href| href.trim().strip_prefix('#'));
            if let Some(target) = target.and_then(|id| self.named.get(id).copied()) {
                weight = weight.saturating_add(self.weight(target, depth + 1));
            }
        }
        self.known.insert(node.id(), weight);
        weight
    }
}
