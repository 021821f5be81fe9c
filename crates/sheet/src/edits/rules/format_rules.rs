//! Single rules of conditional formats: taken off one by one, and what the format of one says.

use edit::{OrEmpty, Patch, Planned, Refusal};
use ooxml::xml::{Node, ns};

use crate::calc::view::View;
use crate::edits::input::Outcome;
use crate::edits::looks::style_change::{BorderChange, EdgeChange, FillChange, FontChange, StyleChange};
use crate::edits::rules::validation::done;
use crate::file::a1::{Area, read_areas};
use crate::file::styles::{self, Edge};
use crate::file::workbook::{flag, string};
use crate::file::xml_edit::Xml;
use crate::read::extension::{self, X14};

/// Takes rules off, counted as [`conditional_formats`](crate::SheetView::conditional_formats) lists them.
pub(crate) fn remove(view: &View, name: &str, rules: &[u32]) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let xml = Xml::frame(sheet.worksheet);
    let root = xml.root();
    let blocks = root.elements().filter(|node| node.is(ns::S, "conditionalFormatting"));
    let mut listed: Vec<(Node<'_>, Vec<Area>)> = Vec::new();
    for block in blocks {
        let areas = read_areas(&string(&block, "sqref").or_empty());
        let inside = block.elements().filter(|node| node.is(ns::S, "cfRule"));
        listed.extend(inside.map(|rule| (rule, areas.clone())));
    }
    let mut companions: Vec<Node<'_>> = Vec::new();
    for block in extension::items(root, "conditionalFormattings", "conditionalFormatting") {
        let areas = extension::areas(&block);
        for rule in block.elements().filter(|node| node.is(X14, "cfRule")) {
            match string(&rule, "priority") {
                Some(_) => listed.push((rule, areas.clone())),
                None => companions.push(rule),
            }
        }
    }
    let mut gone: Vec<Node<'_>> = Vec::new();
    let mut touched = Vec::new();
    for index in rules {
        let Some((rule, areas)) = listed.get(*index as usize) else {
            return Err(Refusal::invalid("rules", index, format!("0 to {}", listed.len().saturating_sub(1))));
        };
        if gone.iter().any(|known| known.span() == rule.span()) {
            continue;
        }
        touched.extend(areas.iter().copied());
        gone.push(*rule);
        // The finer points of a bar stand in the extension, under the same id.
        let own = rule.child(ns::S, "extLst").map(|list| list.text().trim().to_owned());
        let same = |node: &&Node<'_>| own.is_some() && string(node, "id") == own;
        gone.extend(companions.iter().find(same).copied());
    }
    let mut patch = Patch::new();
    let spans: Vec<_> = gone.iter().map(|node| node.span()).collect();
    let mut removed: Vec<std::ops::Range<usize>> = Vec::new();
    for node in &gone {
        // What would be left empty goes too; the areas of an item are no rule of it.
        let mut top = *node;
        while let Some(parent) = top.parent().filter(|parent| !parent.is(ns::S, "worksheet")) {
            let left = parent.elements().filter(|node| {
                let leaving = spans.iter().chain(&removed).any(|span| *span == node.span());
                node.name().local != "sqref" && node.span() != top.span() && !leaving
            });
            if left.count() > 0 {
                break;
            }
            top = parent;
        }
        let span = top.span();
        let covered = |known: &std::ops::Range<usize>| known.start <= span.start && span.end <= known.end;
        if !removed.iter().any(covered) {
            removed.retain(|known| !(span.start <= known.start && known.end <= span.end));
            removed.push(span);
        }
    }
    for span in removed {
        xml.splice(&mut patch, span, "")?;
    }
    done(&sheet, patch, format!("Remove {} conditional formats of {}", rules.len(), sheet.name()), &touched)
}

impl View {
    /// What the format of a rule changes, by the number that the rule names.
    pub fn rule_style(&self, index: u32) -> Result<Option<StyleChange>, Refusal> {
        let Some(styles) = self.styles()? else { return Ok(None) };
        let Some(node) = styles.node(&styles.differentials, index) else { return Ok(None) };
        let font = node.child(ns::S, "font").map(|font| {
            let known = styles::font(&font);
            let switch = |name: &str| font.child(ns::S, name).map(|node| flag(&node, "val", true));
            FontChange {
                name: known.name,
                size: known.size,
                bold: switch("b"),
                italic: switch("i"),
                strike: switch("strike"),
                underline: known.underline,
                vertical: known.vertical,
                color: known.color,
            }
        });
        let fill = node.child(ns::S, "fill").and_then(|fill| {
            let pattern = fill.child(ns::S, "patternFill")?;
            let paint = |name: &str| pattern.child(ns::S, name).and_then(|node| styles::color(&node));
            match string(&pattern, "patternType").as_deref() {
                // In a differential format the colour that shows is the background.
                None | Some("solid") => paint("bgColor").or_else(|| paint("fgColor")).map(FillChange::Solid),
                Some("none") => Some(FillChange::None),
                Some(kind) => Some(FillChange::Pattern {
                    pattern: kind.to_owned(),
                    color: paint("fgColor"),
                    background: paint("bgColor"),
                }),
            }
        });
        let border = node.child(ns::S, "border").map(|node| {
            let known = styles::border(&node);
            let line = |edge: Option<Edge>| edge.map(EdgeChange::Line);
            BorderChange {
                left: line(known.left),
                right: line(known.right),
                top: line(known.top),
                bottom: line(known.bottom),
                ..BorderChange::default()
            }
        });
        let number_format = node.child(ns::S, "numFmt").and_then(|node| string(&node, "formatCode"));
        Ok(Some(StyleChange { font, fill, border, number_format, ..StyleChange::default() }))
    }
}
