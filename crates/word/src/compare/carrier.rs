//! What of the revised document goes into the original: runs, paragraphs, rows and tables, spelled as the original
//! spells them.
//!
//! Styles, lists and links mean something in their own document only. A style that the original has under the same
//! name is taken, a link becomes a field, which needs no relationship; what has no counterpart is left out and told.

use std::collections::BTreeMap;

use edit::{Cut, Refusal};
use ooxml::xml::{Namespaces, Node, Tree, XmlLimits, escape_text, ns};

use super::left::Left;
use super::strands::{Bit, Cloth, Container, Kind, Strand};
use crate::document::index::{BoxKind, Part};
use crate::document::paragraph::{Atom, AtomKind, Paragraph, Side, WrapKind};
use crate::document::view::{Place, View};
use crate::edits::Markup;
use crate::edits::anatomy::word_name;
use crate::edits::dialect::Dialect;
use crate::edits::open_paragraph::root_namespaces;
use crate::edits::redline::STAMP;
use crate::edits::run_properties::RunProperties;
use crate::edits::schema::{Parent, sort};

/// How the parts of a document spell things, by their number.
pub(super) struct Speech(BTreeMap<u32, (Namespaces, Dialect)>);

impl Speech {
    pub(super) fn of(view: &View) -> Result<Self, Refusal> {
        let mut all = BTreeMap::new();
        for (number, part) in (0..).zip(view.parts()) {
            let namespaces = root_namespaces(&part.blob).map_err(|error| error.in_part(&part.name))?;
            if let Ok(dialect) = Dialect::of(&namespaces) {
                all.insert(number, (namespaces, dialect));
            }
        }
        Ok(Self(all))
    }

    pub(super) fn part(&self, part: u32) -> Result<&(Namespaces, Dialect), Refusal> {
        self.0
            .get(&part)
            .ok_or_else(|| Refusal::unsupported("comparing a part that has no prefix for the Word namespace"))
    }
}

pub(super) struct Carrier<'a> {
    pub(super) original: &'a View,
    pub(super) revised: &'a View,
    pub(super) old: Speech,
    pub(super) new: Speech,
    pub(super) markup: Markup,
}

/// The formatting of a paragraph, ready to write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ParagraphLook {
    /// Children of `w:pPr` without the mark and the section.
    pub(super) formatting: String,
    pub(super) mark: RunProperties,
}

impl<'a> Carrier<'a> {
    /// Whether bytes of one part mean the same in the other.
    fn speaks_alike(&self, from: u32, to: u32) -> Result<bool, Refusal> {
        let (_, from) = self.new.part(from)?;
        let (_, to) = self.old.part(to)?;
        Ok(from.element == to.element && from.attribute == to.attribute)
    }

    fn knows_prefix(&self, namespace: &str, from: u32, to: u32) -> Result<bool, Refusal> {
        let (from, _) = self.new.part(from)?;
        let (to, _) = self.old.part(to)?;
        let prefix = from.prefix_of(namespace);
        Ok(prefix.is_some() && prefix == to.prefix_of(namespace))
    }

    /// The look of a run of the revised document.
    pub(super) fn run_look(&self, bytes: &[u8], from: u32, to: u32) -> Result<RunProperties, Refusal> {
        if bytes.is_empty() || !self.speaks_alike(from, to)? {
            return Ok(RunProperties::default());
        }
        let (namespaces, _) = self.new.part(from)?;
        let Ok(tree) = Tree::parse_fragment(bytes, namespaces, &XmlLimits::default()) else {
            return Ok(RunProperties::default());
        };
        let Some(node) = tree.document(bytes).elements().next() else { return Ok(RunProperties::default()) };
        self.carried_look(RunProperties::of(node).without_change(), from, to)
    }

    /// The look of a run of the original, without the record of a change.
    pub(super) fn own_look(&self, bytes: &[u8], part: u32) -> Result<RunProperties, Refusal> {
        let (namespaces, _) = self.old.part(part)?;
        let tree = Tree::parse_fragment(bytes, namespaces, &XmlLimits::default());
        // A prefix that is declared between the root and the paragraph.
        let Ok(tree) = tree else { return Ok(RunProperties::default()) };
        let node = tree.document(bytes).elements().next();
        Ok(node.map_or_else(RunProperties::default, RunProperties::of).without_change())
    }

    fn carried_look(&self, mut look: RunProperties, from: u32, to: u32) -> Result<RunProperties, Refusal> {
        for (name, source) in look.children().to_vec() {
            if let Some((namespace, _)) = name.strip_prefix('{').and_then(|name| name.split_once('}')) {
                if !self.knows_prefix(namespace, from, to)? {
                    look.remove(&name);
                }
            } else if name == "rStyle" {
                look.remove(&name);
                if let Some(style) = self.style(&value(&source)) {
                    let (_, dialect) = self.old.part(to)?;
                    look.set("rStyle", dialect.empty("rStyle", &[("val", &style)]));
                }
            }
        }
        Ok(look)
    }

    /// The id that a style of the revised document has in the original.
    fn style(&self, id: &str) -> Option<String> {
        let new = self.revised.styles().get(id)?;
        let same = self.original.styles().get(id).filter(|old| old.name == new.name);
        same.or_else(|| self.original.styles().find(&new.name).filter(|old| old.kind == new.kind))
            .map(|style| style.id.clone())
    }

    /// How a paragraph of the revised document looks.
    pub(super) fn paragraph_look(
        &self,
        place: Place,
        paragraph: &Paragraph,
        to: u32,
        left: &mut Left,
    ) -> Result<ParagraphLook, Refusal> {
        let bytes = paragraph.properties.clone().map_or(&[][..], |span| paragraph.bytes(span));
        if bytes.is_empty() || !self.speaks_alike(place.part, to)? {
            return Ok(ParagraphLook::default());
        }
        let (namespaces, _) = self.new.part(place.part)?;
        let (_, dialect) = self.old.part(to)?;
        let Ok(tree) = Tree::parse_fragment(bytes, namespaces, &XmlLimits::default()) else {
            // A prefix that is declared between the root and the paragraph.
            left.add_new("paragraph formatting", self.revised, place);
            return Ok(ParagraphLook::default());
        };
        let Some(node) = tree.document(bytes).elements().next() else { return Ok(ParagraphLook::default()) };
        let mut children: Vec<(String, String)> = Vec::new();
        let mut mark = RunProperties::default();
        for child in node.elements() {
            let name = word_name(&child);
            let source = String::from_utf8_lossy(child.source()).into_owned();
            let kept = match name {
                "" | "pPrChange" | "sectPr" => None,
                "rPr" => {
                    mark = self.carried_look(RunProperties::of(child).without_change(), place.part, to)?;
                    None
                }
                "pStyle" => match self.style(&value(&source)) {
                    Some(style) => Some(dialect.empty("pStyle", &[("val", &style)])),
                    None => {
                        left.add_new("styles that the original does not have", self.revised, place);
                        None
                    }
                },
                "numPr" if !self.has_list(child) => {
                    left.add_new("lists that the original does not have", self.revised, place);
                    None
                }
                _ => Some(source),
            };
            if let Some(source) = kept {
                children.retain(|(known, _)| known != name);
                children.push((name.to_owned(), source));
            }
        }
        sort(Parent::Paragraph, &mut children, |(name, _)| name);
        let formatting = children.into_iter().map(|(_, source)| source).collect();
        Ok(ParagraphLook { formatting, mark })
    }

    /// Whether a list is the same in both documents, as far as labels go.
    fn has_list(&self, properties: Node<'_>) -> bool {
        let number = |name: &str| {
            let child = properties.child(ns::W, name)?;
            child.value(ns::W, "val")?.trim().parse::<i64>().ok()
        };
        let Some(num) = number("numId").filter(|num| *num != 0) else { return true };
        let level = u8::try_from(number("ilvl").unwrap_or(0)).unwrap_or(0);
        let old = self.original.numbering().level(num, level, self.original.styles());
        let new = self.revised.numbering().level(num, level, self.revised.styles());
        match (old, new) {
            (Some(old), Some(new)) => (&old.format, &old.text) == (&new.format, &new.text),
            (None, None) => true,
            _ => false,
        }
    }

    /// Runs that say what these strands say, for a place in part `to`, and inside `within` there.
    pub(super) fn runs(
        &self,
        cloth: &Cloth,
        strands: &[Strand],
        to: u32,
        within: &Container,
        left: &mut Left,
    ) -> Result<String, Refusal> {
        let link = |strand: &Strand| match &strand.container {
            Container::Link(address) if strand.container != *within && !address.is_empty() => {
                Some(address.clone())
            }
            _ => None,
        };
        let (_, dialect) = self.old.part(to)?;
        let mut out = String::new();
        for group in strands.chunk_by(|one, next| link(one) == link(next)) {
            let runs = self.plain_runs(cloth, group, to, left)?;
            let address = group.first().and_then(link).filter(|_| !runs.is_empty());
            out.push_str(&dialect.linked(&runs, address.as_deref()));
        }
        Ok(out)
    }

    fn plain_runs(
        &self,
        cloth: &Cloth,
        strands: &[Strand],
        to: u32,
        left: &mut Left,
    ) -> Result<String, Refusal> {
        let mut out = String::new();
        // The run that is being written: its paragraph and number, and what it holds.
        let mut open: Option<(usize, usize, String)> = None;
        for strand in strands {
            let place =
                strand.bits.first().and_then(|bit| cloth.parts.get(bit.part)).map(|(place, _)| *place);
            let Some(place) = place else { continue };
            let alike = self.speaks_alike(place.part, to)?;
            let movable = match &strand.kind {
                Kind::Text => true,
                Kind::Field | Kind::SimpleField(_) if alike => true,
                Kind::Equation if alike && self.knows_prefix(ns::M, place.part, to)? => true,
                Kind::Field | Kind::SimpleField(_) => {
                    left.add_new("fields", self.revised, place);
                    false
                }
                Kind::Equation => {
                    left.add_new("equations", self.revised, place);
                    false
                }
                Kind::Note(..) => {
                    left.add_new("new notes", self.revised, place);
                    false
                }
                Kind::Bound(what) => {
                    left.add_new(what, self.revised, place);
                    false
                }
            };
            if !movable {
                continue;
            }
            if let Kind::SimpleField(wrap) = strand.kind {
                self.close(cloth, open.take(), to, &mut out)?;
                out.push_str(&self.spelled_field(cloth, strand, wrap, to)?);
                continue;
            }
            for bit in &strand.bits {
                let Some((paragraph, atom)) = cloth.atom(bit) else { continue };
                let Some(run) = atom.run else {
                    self.close(cloth, open.take(), to, &mut out)?;
                    out.push_str(&String::from_utf8_lossy(paragraph.bytes(atom.span.clone())));
                    continue;
                };
                if open.as_ref().is_none_or(|(part, number, _)| (*part, *number) != (bit.part, run)) {
                    self.close(cloth, open.take(), to, &mut out)?;
                    open = Some((bit.part, run, String::new()));
                }
                if let Some((_, _, content)) = &mut open {
                    content.push_str(&self.content(paragraph, atom, bit, alike, to)?);
                }
            }
        }
        self.close(cloth, open, to, &mut out)?;
        Ok(out)
    }

    fn close(
        &self,
        cloth: &Cloth,
        open: Option<(usize, usize, String)>,
        to: u32,
        out: &mut String,
    ) -> Result<(), Refusal> {
        let Some((part, run, content)) = open.filter(|(_, _, content)| !content.is_empty()) else {
            return Ok(());
        };
        let (_, dialect) = self.old.part(to)?;
        let look = match cloth.parts.get(part) {
            Some((place, paragraph)) => {
                let span = paragraph.runs.get(run).and_then(|run| run.properties.clone());
                self.run_look(span.map_or(&[][..], |span| paragraph.bytes(span)), place.part, to)?
            }
            None => RunProperties::default(),
        };
        out.push_str(&dialect.wrap("r", "", &format!("{}{content}", look.write(dialect))));
        Ok(())
    }

    /// What a run holds for one bit.
    fn content(
        &self,
        paragraph: &Paragraph,
        atom: &Atom,
        bit: &Bit,
        alike: bool,
        to: u32,
    ) -> Result<String, Refusal> {
        let (_, dialect) = self.old.part(to)?;
        Ok(match &atom.kind {
            AtomKind::Text(text) => {
                let text = match &bit.local {
                    Some(local) => text.text.cut(local.clone())?,
                    None => text.text.as_str(),
                };
                dialect.text("t", &escape_text(text))
            }
            kind if kind.is_silent() => String::new(),
            AtomKind::CommentReference { .. } => String::new(),
            _ if alike => String::from_utf8_lossy(paragraph.bytes(atom.span.clone())).into_owned(),
            AtomKind::Tab => dialect.content("\t"),
            AtomKind::PageBreak => dialect.content("\u{c}"),
            AtomKind::LineBreak => dialect.content("\n"),
            AtomKind::NoBreakHyphen => dialect.empty("noBreakHyphen", &[]),
            AtomKind::SoftHyphen => dialect.empty("softHyphen", &[]),
            _ => String::new(),
        })
    }

    /// `w:fldSimple` as a field of runs, which can be tracked.
    fn spelled_field(&self, cloth: &Cloth, strand: &Strand, wrap: usize, to: u32) -> Result<String, Refusal> {
        let (_, dialect) = self.old.part(to)?;
        let bits = Strand { kind: Kind::Field, ..strand.clone() };
        let part = strand.bits.first().and_then(|bit| cloth.parts.get(bit.part));
        let Some((_, paragraph)) = part else { return Ok(String::new()) };
        let mut nothing = Left::default();
        let runs = self.plain_runs(cloth, std::slice::from_ref(&bits), to, &mut nothing)?;
        Ok(field_of_runs(paragraph, wrap, &runs, dialect, "instrText"))
    }

    /// The paragraphs as new ones: tracked, with `mark` deciding about the mark of the paragraph.
    pub(super) fn paragraph(
        &self,
        cloth: &Cloth,
        to: u32,
        mark: NewMark<'_>,
        left: &mut Left,
    ) -> Result<String, Refusal> {
        let (_, dialect) = self.old.part(to)?;
        let Some((place, last)) = cloth.parts.last() else { return Ok(String::new()) };
        let look = self.paragraph_look(*place, last, to, left)?;
        if holds_section(last) {
            left.add_new("section breaks", self.revised, *place);
        }
        let runs = self.runs(cloth, &cloth.strands, to, &Container::Paragraph, left)?;
        let arrival = if matches!(mark, NewMark::Moved) { "moveTo" } else { "ins" };
        let runs = match self.markup {
            Markup::Tracked if !runs.is_empty() => dialect.wrap(arrival, STAMP, &runs),
            _ => runs,
        };
        let (ins, record) = match (self.markup, mark) {
            (Markup::Plain, _) | (_, NewMark::Kept) => (String::new(), String::new()),
            (Markup::Tracked, NewMark::Inserted | NewMark::Moved) => {
                (format!("<{}{arrival}{STAMP}/>", dialect.element), String::new())
            }
            (Markup::Tracked, NewMark::TakenOver { formatting }) if formatting != look.formatting => {
                (String::new(), record_of(formatting, dialect))
            }
            (Markup::Tracked, NewMark::TakenOver { .. }) => (String::new(), String::new()),
        };
        let mark = ins + &look.mark.written();
        let mark = if mark.is_empty() { mark } else { dialect.wrap("rPr", "", &mark) };
        let inner = format!("{}{mark}{record}", look.formatting);
        let properties = if inner.is_empty() { inner } else { dialect.wrap("pPr", "", &inner) };
        Ok(dialect.wrap("p", "", &format!("{properties}{runs}")))
    }

    /// A table or a row of the revised document as a new one.
    pub(super) fn blocks(
        &self,
        part: &Part,
        number: u32,
        boxed: u32,
        to: u32,
        left: &mut Left,
    ) -> Result<String, Refusal> {
        let block = part.bounds(boxed).ok_or_else(|| Refusal::internal("a table that is gone"))?;
        let (from, until) = (block.start as usize, block.end as usize);
        let bytes = part.blob.slice(from..until);
        let (namespaces, _) = self.new.part(number)?;
        let tree = Tree::parse_fragment(&bytes, namespaces, &XmlLimits::default())
            .map_err(|error| error.in_part(&part.name))?;
        let node = tree.document(&bytes).elements().next();
        let node = node.ok_or_else(|| Refusal::internal("a table without an element"))?;
        let mut out = String::new();
        let scene = Scene { part, base: from, to };
        self.block(&scene, node, &mut out, left)?;
        Ok(out)
    }

    fn block(
        &self,
        scene: &Scene<'_>,
        node: Node<'_>,
        out: &mut String,
        left: &mut Left,
    ) -> Result<(), Refusal> {
        let (_, dialect) = self.old.part(scene.to)?;
        let source = || String::from_utf8_lossy(node.source()).into_owned();
        match word_name(&node) {
            "p" => {
                let at = scene.base + node.span().start;
                let place = self.revised.place_at(&scene.part.name, at + 1);
                let place = place.ok_or_else(|| Refusal::internal("a paragraph that is not there"))?;
                if self.revised.paragraph(place)?.vanishes(Side::Final) {
                    // A cell has to keep one.
                    out.push_str(&dialect.empty("p", &[]));
                    return Ok(());
                }
                let cloth = Cloth::of(self.revised, std::iter::once(place))?;
                // Rows that go take the marks in their cells along.
                out.push_str(&self.paragraph(&cloth, scene.to, NewMark::Kept, left)?);
            }
            "tr" => self.row(scene, node, out, left)?,
            "tbl" | "tc" | "sdt" | "sdtContent" => {
                out.push_str(&format!("<{}>", node.qualified()));
                for child in node.elements() {
                    self.block(scene, child, out, left)?;
                }
                out.push_str(&format!("</{}>", node.qualified()));
            }
            "tblStyle" => {
                let style = node.value(ns::W, "val").and_then(|style| self.style(&style));
                out.push_str(
                    &style.map_or_else(String::new, |style| dialect.empty("tblStyle", &[("val", &style)])),
                );
            }
            "tblPr" | "trPr" | "tcPr" | "tblPrEx" if node.elements().next().is_some() => {
                out.push_str(&format!("<{}>", node.qualified()));
                for child in node.elements() {
                    self.block(scene, child, out, left)?;
                }
                out.push_str(&format!("</{}>", node.qualified()));
            }
            name if name.is_empty() || name.ends_with("Change") => {}
            "ins" | "del" | "cellIns" | "cellDel" | "cellMerge" | "sdtPr" | "sdtEndPr" => {}
            "bookmarkStart" | "bookmarkEnd" | "commentRangeStart" | "commentRangeEnd" => {}
            _ => out.push_str(&source()),
        }
        Ok(())
    }

    fn row(
        &self,
        scene: &Scene<'_>,
        node: Node<'_>,
        out: &mut String,
        left: &mut Left,
    ) -> Result<(), Refusal> {
        let properties = node.child(ns::W, "trPr");
        if properties.is_some_and(|properties| properties.child(ns::W, "del").is_some()) {
            return Ok(());
        }
        let (_, dialect) = self.old.part(scene.to)?;
        let mut inner = String::new();
        for child in properties.iter().flat_map(Node::elements) {
            self.block(scene, child, &mut inner, left)?;
        }
        if self.markup == Markup::Tracked {
            inner.push_str(&format!("<{}ins{STAMP}/>", dialect.element));
        }
        out.push_str(&format!("<{}>", node.qualified()));
        // Exceptions for the row stand before its properties.
        for child in node.elements().filter(|child| word_name(child) == "tblPrEx") {
            self.block(scene, child, out, left)?;
        }
        if !inner.is_empty() {
            out.push_str(&dialect.wrap("trPr", "", &inner));
        }
        for child in node.elements().filter(|child| !matches!(word_name(child), "trPr" | "tblPrEx")) {
            self.block(scene, child, out, left)?;
        }
        out.push_str(&format!("</{}>", node.qualified()));
        Ok(())
    }
}

/// Where blocks that are carried come from and go to.
struct Scene<'a> {
    part: &'a Part,
    base: usize,
    to: u32,
}

/// What becomes of the mark of a new paragraph.
#[derive(Debug, Clone, Copy)]
pub(super) enum NewMark<'a> {
    Inserted,
    /// With all of the paragraph, from another place.
    Moved,
    /// Nothing has to be said of it.
    Kept,
    /// It is the mark that stood there, which looked like this: behind the last paragraph of a story nothing follows
    /// that a new one could be joined with again.
    TakenOver {
        formatting: &'a str,
    },
}

/// The record that a paragraph was formatted like this.
pub(super) fn record_of(formatting: &str, dialect: &Dialect) -> String {
    let old = match formatting.is_empty() {
        true => dialect.empty("pPr", &[]),
        false => dialect.wrap("pPr", "", formatting),
    };
    dialect.wrap("pPrChange", STAMP, &old)
}

/// `w:fldSimple` written with runs; `name` is what its code is called.
pub(super) fn field_of_runs(
    paragraph: &Paragraph,
    wrap: usize,
    runs: &str,
    dialect: &Dialect,
    name: &str,
) -> String {
    let Some(WrapKind::SimpleField { instruction }) = paragraph.wraps.get(wrap).map(|wrap| &wrap.kind) else {
        return runs.to_owned();
    };
    let mark = |kind: &str| dialect.wrap("r", "", &dialect.empty("fldChar", &[("fldCharType", kind)]));
    let code = dialect.wrap(name, " xml:space=\"preserve\"", &escape_text(instruction));
    format!("{}{}{}{runs}{}", mark("begin"), dialect.wrap("r", "", &code), mark("separate"), mark("end"))
}

pub(super) fn holds_section(paragraph: &Paragraph) -> bool {
    let properties = paragraph.properties.clone().map_or(&[][..], |span| paragraph.bytes(span));
    memchr::memmem::find(properties, b"sectPr").is_some()
}

/// The value of `w:val` in an element as written.
fn value(source: &str) -> String {
    crate::document::names::attribute(source.as_bytes(), "val")
        .map_or_else(String::new, |value| value.into_owned())
}

/// Whether a paragraph stands in a text box, where nothing can be tracked.
pub(super) fn in_text_box(view: &View, place: Place) -> bool {
    let Some(part) = view.part(place) else { return false };
    let boxed = super::report::boxed(view, place);
    part.around(boxed).any(|(_, block)| block.kind == BoxKind::TextBox)
}
