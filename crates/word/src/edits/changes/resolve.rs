//! What a story says once some of its changes are accepted or rejected.

use edit::{Cut, OrEmpty};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ooxml::xml::{Node, NodeId, ns};

use super::controls::{self, Controls};
use super::copies::copies;
use super::moves::{moved_rows, moves};
use super::weave::Weave;
use super::{ChangeKind, Resolution, math};
use crate::edits::anatomy::word_name;
use crate::edits::schema::{Parent, place};

/// The splices that resolve `chosen`, and all that is decided with them. `everything`: no other change is left in the part.
pub(super) fn resolve(
    root: Node<'_>,
    chosen: &BTreeMap<NodeId, ChangeKind>,
    resolution: Resolution,
    everything: bool,
) -> (Vec<(Range<usize>, String)>, BTreeSet<NodeId>) {
    let mut chosen = chosen.clone();
    let (controls, copies) = (Controls::of(root), copies(root));
    controls.complete(&mut chosen);
    with_copies(root, &copies, &mut chosen);
    let mut ranges = moves(root, &controls, &mut chosen, everything);
    controls.complete(&mut chosen);
    with_copies(root, &copies, &mut chosen);
    grids(root, &mut chosen);
    ranges.extend(controls.ends(&chosen));
    let [opened, rows, lost, dirty] = [(); 4].map(|()| BTreeSet::new());
    let kept = RefCell::default();
    let mut walk = Walk { chosen, ranges, opened, rows, lost, dirty, kept, resolution };
    walk.opened = controls.going(&walk.chosen, |kind| walk.fate(kind) == Fate::Goes);
    walk.rows = moved_rows(root, |node| walk.goes(node));
    walk.lost = lost_columns(root, &walk);
    walk.lost.extend(torn_fields(root, &walk));
    let mut dirty: BTreeSet<NodeId> = BTreeSet::new();
    let has_work =
        |id: NodeId| walk.chosen.contains_key(&id) || walk.is_dropped(id) || walk.opened.contains(&id);
    for node in root.descendants().filter(|node| has_work(node.id())) {
        dirty.insert(node.id());
        dirty.extend(node.ancestors().map(|up| up.id()));
    }
    walk.dirty = dirty;
    let mut weave = Weave::default();
    walk.node(root, &mut weave, false);
    let kept = walk.kept.into_inner();
    let decided = walk.chosen.into_keys().filter(|node| !kept.contains(node)).collect();
    (weave.splices(root.span()), decided)
}

/// What is decided about a change goes for its copy.
fn with_copies(root: Node<'_>, copies: &BTreeMap<NodeId, NodeId>, chosen: &mut BTreeMap<NodeId, ChangeKind>) {
    let is_chosen =
        |(copy, itself): &(&NodeId, &NodeId)| chosen.contains_key(*copy) || chosen.contains_key(*itself);
    let both: BTreeSet<NodeId> =
        copies.iter().filter(is_chosen).flat_map(|(copy, itself)| [*copy, *itself]).collect();
    if both.is_empty() {
        return;
    }
    let nodes = root.descendants().filter(|node| both.contains(&node.id()));
    chosen.extend(nodes.filter_map(|node| Some((node.id(), super::kind_of(node)?))));
}

/// The record of a table's old grid has no author; it is decided about with the last cells it came with.
fn grids(root: Node<'_>, chosen: &mut BTreeMap<NodeId, ChangeKind>) {
    for record in root.descendants().filter(|node| word_name(node) == "tblGridChange") {
        let Some(table) = record.ancestors().find(|up| word_name(up) == "tbl") else { continue };
        let shape = |node: &Node<'_>| {
            matches!(word_name(node), "cellIns" | "cellDel" | "cellMerge" | "tcPrChange" | "trPrChange")
        };
        let mut marks = table.descendants().filter(shape).peekable();
        if marks.peek().is_some() && marks.all(|mark| chosen.contains_key(&mark.id())) {
            chosen.insert(record.id(), ChangeKind::Formatting);
        }
    }
}

/// Columns of the grid that no cell is left in.
fn lost_columns(root: Node<'_>, walk: &Walk) -> BTreeSet<NodeId> {
    let mut lost = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let marks = walk.chosen.iter().filter(|(_, kind)| {
        matches!(kind, ChangeKind::CellInsertion | ChangeKind::CellDeletion)
            && walk.fate(**kind) == Fate::Goes
    });
    let marks: BTreeSet<NodeId> = marks.map(|(node, _)| *node).collect();
    for mark in root.descendants().filter(|node| marks.contains(&node.id())) {
        let Some(table) = mark.ancestors().find(|up| word_name(up) == "tbl") else { continue };
        let Some(grid) = table.child(ns::W, "tblGrid").filter(|_| seen.insert(table.id())) else { continue };
        let columns: Vec<Node<'_>> = grid.elements().filter(|node| word_name(node) == "gridCol").collect();
        let mut gone: BTreeMap<usize, usize> = BTreeMap::new();
        let mut needed = 0;
        let own = |node: &Node<'_>, part: &str, owner: Node<'_>| {
            word_name(node) == part
                && node.ancestors().find(|up| matches!(word_name(up), "tbl" | "tr")).map(|up| up.id())
                    == Some(owner.id())
        };
        for row in table.descendants().filter(|node| own(node, "tr", table)) {
            let outer = |name: &str| walk.number(row, "trPr", name, 0);
            let mut at = outer("gridBefore");
            let mut width = at + outer("gridAfter");
            for cell in row.descendants().filter(|node| own(node, "tc", row)) {
                let span = walk.number(cell, "tcPr", "gridSpan", 1).clamp(1, 1000);
                if walk.is_gone(cell, "tcPr", &["cellIns", "cellDel"]) {
                    (at..at + span).for_each(|column| *gone.entry(column).or_default() += 1);
                } else {
                    width += span;
                }
                at += span;
            }
            needed = needed.max(width);
        }
        let mut gone: Vec<(usize, usize)> = gone.into_iter().collect();
        gone.sort_by_key(|(column, rows)| (std::cmp::Reverse(*rows), *column));
        let spare = columns.len().saturating_sub(needed);
        let dropped = gone.into_iter().take(spare).filter_map(|(column, _)| columns.get(column));
        lost.extend(dropped.map(|column| column.id()));
    }
    lost
}

/// What would stay of the machinery of a field whose beginning or end goes. Such changes are rare, since Word tracks
/// a field as a whole; half of one would swallow the text behind it, and the rest of an instruction would be text.
fn torn_fields(root: Node<'_>, walk: &Walk) -> BTreeSet<NodeId> {
    let goes = |node: Node<'_>| {
        node.ancestors().any(|up| match word_name(&up) {
            "tr" => walk.is_row_gone(up),
            "tc" => walk.is_gone(up, "tcPr", &["cellIns", "cellDel"]),
            _ => walk.goes(up),
        })
    };
    let mut open: Vec<Vec<Node<'_>>> = Vec::new();
    let mut torn = BTreeSet::new();
    for node in root.descendants() {
        let kind = match word_name(&node) {
            "fldChar" => node.value(ns::W, "fldCharType"),
            "instrText" | "delInstrText" => None,
            _ => continue,
        };
        if kind.as_deref() == Some("begin") {
            open.push(Vec::new());
        }
        let Some(field) = open.last_mut() else { continue };
        field.push(node);
        if kind.as_deref() != Some("end") {
            continue;
        }
        let field = open.pop().or_empty();
        let gone = |node: Option<&Node<'_>>| node.is_some_and(|node| goes(*node));
        if gone(field.first()) || gone(field.last()) {
            torn.extend(field.iter().map(Node::id));
        }
    }
    torn
}

struct Walk {
    chosen: BTreeMap<NodeId, ChangeKind>,
    /// Range marks of moves and controls that are decided.
    ranges: BTreeSet<NodeId>,
    /// Controls that go; what they hold is looked at as if it stood in their place.
    opened: BTreeSet<NodeId>,
    /// Rows that were moved, where they are no more.
    rows: BTreeSet<NodeId>,
    /// Columns of grids that are gone, and what is left of fields that are torn.
    lost: BTreeSet<NodeId>,
    /// Nodes with something to do in or below them.
    dirty: BTreeSet<NodeId>,
    /// Marks of paragraphs that cannot be decided on yet.
    kept: RefCell<BTreeSet<NodeId>>,
    resolution: Resolution,
}

/// Paragraphs that are to be one.
#[derive(Default)]
struct Chain<'a> {
    /// What those before the last hold, and what stands between.
    content: Weave,
    says_something: bool,
    last: Option<(Node<'a>, Weave)>,
    behind: Weave,
}

impl<'a> Chain<'a> {
    fn add(&mut self, node: Node<'a>, inner: Weave) {
        self.says_something = self.says_something();
        if let Some((_, before)) = self.last.replace((node, inner)) {
            self.content.append(before);
        }
        self.content.append(std::mem::take(&mut self.behind));
    }

    fn says_something(&self) -> bool {
        self.says_something || self.last.as_ref().is_some_and(|(node, inner)| !is_silent(inner, *node))
    }

    fn whole(mut self) -> Weave {
        if let Some((_, inner)) = self.last {
            self.content.append(inner);
        }
        self.content.append(self.behind);
        self.content
    }
}

/// What becomes of a paragraph's mark, a row or a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    Goes,
}

impl Walk {
    fn fate(&self, kind: ChangeKind) -> Fate {
        let new = matches!(
            kind,
            ChangeKind::Insertion
                | ChangeKind::MoveTo
                | ChangeKind::ParagraphInsertion
                | ChangeKind::RowInsertion
                | ChangeKind::CellInsertion
                | ChangeKind::ControlInsertion
        );
        match (new, self.resolution) {
            (true, Resolution::Accept) | (false, Resolution::Reject) => Fate::Stays,
            (true, Resolution::Reject) | (false, Resolution::Accept) => Fate::Goes,
        }
    }

    fn is_decided(&self, mark: NodeId) -> bool {
        self.ranges.contains(&mark) || self.chosen.contains_key(&mark)
    }

    fn has_chosen(&self, node: Node<'_>, name: &str) -> bool {
        node.elements().any(|child| word_name(&child) == name && self.chosen.contains_key(&child.id()))
    }

    fn is_dropped(&self, node: NodeId) -> bool {
        self.ranges.contains(&node) || self.lost.contains(&node)
    }

    /// A number among the properties of a row or a cell as they will be.
    fn number(&self, node: Node<'_>, properties: &str, name: &str, usual: usize) -> usize {
        let now = node.child(ns::W, properties);
        let record = now
            .iter()
            .flat_map(Node::elements)
            .find(|child| word_name(child).ends_with("PrChange") && self.chosen.contains_key(&child.id()));
        let then = match record.filter(|_| self.resolution == Resolution::Reject) {
            Some(record) => record.child(ns::W, properties),
            None => now,
        };
        let value = then.and_then(|then| then.child(ns::W, name)?.value(ns::W, "val"));
        value.and_then(|value| value.parse().ok()).unwrap_or(usual)
    }

    /// `undelete`: inside a deletion that is taken back, where text has another name.
    fn node(&self, node: Node<'_>, weave: &mut Weave, undelete: bool) {
        if self.is_dropped(node.id()) {
            return;
        }
        let name = word_name(&node);
        if undelete && matches!(name, "delText" | "delInstrText") {
            return rename(node, if name == "delText" { "t" } else { "instrText" }, weave);
        }
        // Properties hold no text that could have another name.
        let undelete = undelete && !name.ends_with("Pr");
        if !self.dirty.contains(&node.id()) && !undelete {
            weave.keep(node.span());
            return;
        }
        match self.chosen.get(&node.id()) {
            Some(
                kind @ (ChangeKind::Insertion
                | ChangeKind::Deletion
                | ChangeKind::MoveFrom
                | ChangeKind::MoveTo),
            ) => match self.fate(*kind) {
                Fate::Goes => weave.put(&self.survivors(node)),
                Fate::Stays => {
                    let undelete = undelete || matches!(kind, ChangeKind::Deletion | ChangeKind::MoveFrom);
                    self.children(node, weave, undelete);
                }
            },
            Some(_) if self.kept.borrow().contains(&node.id()) => weave.keep(node.span()),
            // Marks without content, whatever they say.
            Some(_) => {}
            None if math::goes(node, &|mark| self.goes(mark)) => weave.put(&self.survivors(node)),
            None => match name {
                // Numbering that was put there goes whole.
                "numPr" if self.resolution == Resolution::Reject && self.has_chosen(node, "ins") => {}
                // Marks may stand between rows and between cells.
                "tr" if self.is_row_gone(node) => weave.put(&self.survivors(node)),
                "tc" if self.is_gone(node, "tcPr", &["cellIns", "cellDel"]) => {
                    weave.put(&self.survivors(node))
                }
                "tbl" | "tr" => {
                    let mut inner = Weave::default();
                    self.children(node, &mut inner, undelete);
                    let part = if name == "tbl" { "tr" } else { "tc" };
                    if self.has_any_left(node, part) {
                        weave.keep(node.tag_span());
                        weave.append(inner);
                        weave.keep(node.end_tag_span());
                    } else {
                        weave.put(&self.survivors(node));
                    }
                }
                "rPr" | "pPr" | "sectPr" | "tblPr" | "tblPrEx" | "trPr" | "tcPr" | "tblGrid" => {
                    self.properties(node, weave, undelete);
                }
                // A deletion of somebody else inside: its text keeps the name it has.
                "del" | "moveFrom" => self.wrap(node, weave, false),
                _ => self.wrap(node, weave, undelete),
            },
        }
    }

    fn wrap(&self, node: Node<'_>, weave: &mut Weave, undelete: bool) {
        weave.keep(node.tag_span());
        self.children(node, weave, undelete);
        weave.keep(node.end_tag_span());
    }

    /// Marks inside what goes whose other half stands outside and stays.
    fn survivors(&self, node: Node<'_>) -> String {
        let marks =
            crate::edits::marks::unpaired(&[node]).into_iter().filter(|mark| !self.is_decided(mark.id()));
        marks.map(|mark| String::from_utf8_lossy(mark.source()).into_owned()).collect()
    }

    /// Whether a mark or what stands in it goes.
    fn goes(&self, node: Node<'_>) -> bool {
        self.chosen.get(&node.id()).is_some_and(|kind| self.fate(*kind) == Fate::Goes)
    }

    fn is_row_gone(&self, row: Node<'_>) -> bool {
        self.rows.contains(&row.id()) || self.is_gone(row, "trPr", &["ins", "del", "moveFrom", "moveTo"])
    }

    fn is_gone(&self, node: Node<'_>, properties: &str, names: &[&str]) -> bool {
        let properties = node.child(ns::W, properties);
        let mut marks =
            properties.iter().flat_map(Node::elements).filter(|mark| names.contains(&word_name(mark)));
        marks.any(|mark| self.goes(mark))
    }

    fn has_any_left(&self, node: Node<'_>, part: &str) -> bool {
        let (mut any, mut left) = (false, false);
        for child in node.descendants().filter(|child| word_name(child) == part) {
            // Rows may stand in content controls, but those of an inner table are its own.
            let owner = child.ancestors().find(|up| matches!(word_name(up), "tbl" | "tr"));
            if owner.is_none_or(|owner| owner.id() != node.id()) {
                continue;
            }
            any = true;
            left |= match part {
                "tr" => !self.is_row_gone(child) && self.has_any_left(child, "tc"),
                _ => !self.is_gone(child, "tcPr", &["cellIns", "cellDel"]),
            };
        }
        left || !any
    }

    /// The children of an element, with those of controls that go in their place.
    fn flat<'a>(&self, children: impl Iterator<Item = Node<'a>>, flat: &mut Vec<Node<'a>>) {
        for child in children {
            match self.opened.contains(&child.id()) {
                true => self.flat(controls::held(child), flat),
                false => flat.push(child),
            }
        }
    }

    fn children(&self, node: Node<'_>, weave: &mut Weave, undelete: bool) {
        let mut children = Vec::new();
        self.flat(node.children(), &mut children);
        let mut index = 0;
        while let Some(child) = children.get(index) {
            if word_name(child) == "p" && self.mark_goes(*child) {
                index = self.joined(&children, index, weave, undelete);
            } else {
                self.node(*child, weave, undelete);
                index += 1;
            }
        }
    }

    fn mark_goes(&self, paragraph: Node<'_>) -> bool {
        self.going_marks(paragraph).next().is_some()
    }

    /// The changes by which the mark of a paragraph goes.
    fn going_marks<'a>(&self, paragraph: Node<'a>) -> impl Iterator<Item = Node<'a>> {
        let mark = paragraph.child(ns::W, "pPr").and_then(|properties| properties.child(ns::W, "rPr"));
        mark.into_iter().flat_map(|mark| mark.elements()).filter(|revision| {
            self.chosen.get(&revision.id()).is_some_and(|kind| {
                matches!(kind, ChangeKind::ParagraphInsertion | ChangeKind::ParagraphDeletion)
                    && self.fate(*kind) == Fate::Goes
            })
        })
    }

    /// Joins a paragraph whose mark goes with those behind it; answers the index of what comes next.
    fn joined(&self, siblings: &[Node<'_>], first: usize, weave: &mut Weave, undelete: bool) -> usize {
        let mut chain = Chain::default();
        let mut index = first;
        while let Some(node) = siblings.get(index) {
            let name = word_name(node);
            if name != "p" {
                // Marks, blanks and tables that go between paragraphs go along; anything else ends the search.
                let gone = name == "tbl" && !self.has_any_left(*node, "tr");
                let slight = gone || !node.is_element() || is_range_mark(name);
                if !slight {
                    break;
                }
                if node.is_element() {
                    self.node(*node, &mut chain.behind, undelete);
                }
                index += 1;
                continue;
            }
            let properties = node.child(ns::W, "pPr").map(|properties| properties.id());
            let mut inner = Weave::default();
            let mut children = Vec::new();
            self.flat(node.children().filter(|child| Some(child.id()) != properties), &mut children);
            for child in children {
                self.node(child, &mut inner, undelete);
            }
            index += 1;
            chain.add(*node, inner);
            // The first mark that stays is the mark of all.
            if !self.mark_goes(*node) {
                self.chained(chain, weave, undelete);
                return index;
            }
        }
        // Nothing to join with: paragraphs that say nothing go, where they may; of others the last mark stays.
        let behind = siblings.part(index..).iter().any(|node| word_name(node) == "p");
        let before = siblings
            .part(..first)
            .iter()
            .rev()
            .find(|node| node.is_element() && !is_range_mark(word_name(node)));
        let needed = !behind && before.is_none_or(|node| word_name(node) != "p");
        if !chain.says_something() && !needed {
            weave.append(chain.whole());
            return index;
        }
        // While somebody has to decide whether it says something, nobody knows what becomes of it.
        let chained = siblings.part(first..index);
        if let Some((last, _)) = &chain.last
            && chained.iter().any(|paragraph| self.is_undecided(*paragraph))
        {
            self.kept.borrow_mut().extend(self.going_marks(*last).map(|mark| mark.id()));
        }
        self.chained(chain, weave, undelete);
        index
    }

    /// Puts paragraphs into the last of them.
    fn chained(&self, chain: Chain<'_>, weave: &mut Weave, undelete: bool) {
        let Some((node, inner)) = chain.last else { return };
        if !chain.says_something {
            weave.append(chain.content);
            self.node(node, weave, undelete);
            weave.append(chain.behind);
            return;
        }
        let mut head = Weave::default();
        if let Some(properties) = node.child(ns::W, "pPr") {
            self.node(properties, &mut head, undelete);
        }
        let source = node.source();
        let start = node.span().start;
        let tag = node.tag_span();
        let tag = String::from_utf8_lossy(source.part(..tag.len())).into_owned();
        weave.put(&tag.strip_suffix("/>").map_or(tag.clone(), |tag| format!("{tag}>")));
        weave.put(&head.text(source, start));
        weave.append(chain.content);
        weave.append(inner);
        weave.put(&format!("</{}>", node.qualified()));
        weave.append(chain.behind);
    }

    /// Whether changes in a paragraph are left that nobody decided on.
    fn is_undecided(&self, paragraph: Node<'_>) -> bool {
        let content = paragraph.elements().filter(|child| word_name(child) != "pPr");
        let mut inner = content.flat_map(|child| std::iter::once(child).chain(child.descendants()));
        inner.any(|node| super::kind_of(node).is_some() && !self.chosen.contains_key(&node.id()))
    }

    fn properties(&self, node: Node<'_>, weave: &mut Weave, undelete: bool) {
        let change = node.elements().find(|child| {
            word_name(child).ends_with("Change")
                && self.chosen.get(&child.id()) == Some(&ChangeKind::Formatting)
        });
        let name = word_name(&node);
        let mut inner = Weave::default();
        let record = change.filter(|_| self.resolution == Resolution::Reject);
        // A record of no columns is one of a table that is new; the table stays, and so does its grid.
        let record = record.filter(|record| name != "tblGrid" || has_columns(*record));
        match record {
            None => match self.merged(node) {
                Some(merge) => self.with_merge(node, &merge, &mut inner, undelete),
                None => self.children(node, &mut inner, undelete),
            },
            Some(change) => {
                // What the record does not cover stays: marks of revisions, the mark's own look, the section.
                let (first, last): (&[&str], &[&str]) = match name {
                    "rPr" => (&["ins", "del", "moveFrom", "moveTo"], &[]),
                    "pPr" => (&[], &["rPr", "sectPr"]),
                    "sectPr" => (&["headerReference", "footerReference"], &[]),
                    "trPr" => (&[], &["ins", "del"]),
                    "tcPr" => (&[], &["cellIns", "cellDel", "cellMerge"]),
                    _ => (&[], &[]),
                };
                let keep = |names: &[&str], inner: &mut Weave| {
                    for child in node.elements().filter(|child| names.contains(&word_name(child))) {
                        self.node(child, inner, undelete);
                    }
                };
                keep(first, &mut inner);
                // Some programs put marks of revisions into the record; they must not come to life.
                let before = change.elements().next();
                let merge = self.merged(node);
                let mut before = before.iter().flat_map(Node::elements).collect::<Vec<_>>();
                before.retain(|child| {
                    !is_mark(word_name(child)) && (merge.is_none() || word_name(child) != "vMerge")
                });
                let merged = merge.map(|merge| {
                    let names = before.iter().map(|child| child.name().local);
                    (place(Parent::Cell, "vMerge", names).unwrap_or(before.len()), merge)
                });
                for (index, child) in before.iter().enumerate() {
                    if let Some((_, merge)) = merged.as_ref().filter(|(at, _)| *at == index) {
                        inner.put(merge);
                    }
                    inner.put(&without_marks(*child));
                }
                if let Some((_, merge)) = merged.filter(|(at, _)| *at >= before.len()) {
                    inner.put(&merge);
                }
                keep(last, &mut inner);
            }
        }
        if inner.is_empty() && matches!(name, "rPr" | "pPr" | "trPr" | "tcPr") {
            return;
        }
        weave.keep(node.tag_span());
        weave.append(inner);
        weave.keep(node.end_tag_span());
    }
}

impl Walk {
    /// What `w:vMerge` says once a merge or a division of cells is decided; nothing where it says what it did.
    fn merged(&self, properties: Node<'_>) -> Option<String> {
        let mut children = properties.elements();
        let mark = children.find(|child| self.chosen.get(&child.id()) == Some(&ChangeKind::CellMerge))?;
        let side = match self.resolution {
            Resolution::Accept => "vMerge",
            Resolution::Reject => "vMergeOrig",
        };
        let prefix = mark.qualified().strip_suffix("cellMerge").or_empty().to_owned();
        let attribute = mark.attribute(ns::W, side)?;
        let attribute = attribute.qualified().strip_suffix(side).or_empty();
        match mark.value(ns::W, side).as_deref() {
            Some("cont") => Some(format!("<{prefix}vMerge/>")),
            Some("rest") => Some(format!("<{prefix}vMerge {attribute}val=\"restart\"/>")),
            _ => None,
        }
    }

    /// The properties of a cell with another `w:vMerge`, where the schema wants it.
    fn with_merge(&self, properties: Node<'_>, merge: &str, inner: &mut Weave, undelete: bool) {
        let children: Vec<Node<'_>> =
            properties.children().filter(|child| word_name(child) != "vMerge").collect();
        let elements: Vec<&Node<'_>> = children.iter().filter(|child| child.is_element()).collect();
        let at = place(Parent::Cell, "vMerge", elements.iter().map(|child| child.name().local));
        let before = at.and_then(|at| elements.get(at)).map(|child| child.id());
        for child in &children {
            if Some(child.id()) == before {
                inner.put(merge);
            }
            self.node(*child, inner, undelete);
        }
        if before.is_none() {
            inner.put(merge);
        }
    }
}

fn rename(node: Node<'_>, to: &str, weave: &mut Weave) {
    let qualified = node.qualified();
    let prefix = qualified.split_once(':').map_or(String::new(), |(prefix, _)| format!("{prefix}:"));
    let tag = node.tag_span();
    weave.put(&format!("<{prefix}{to}"));
    weave.keep(tag.start + 1 + qualified.len()..tag.end);
    weave.keep(node.content_span());
    if !node.closes_itself() {
        weave.put(&format!("</{prefix}{to}>"));
    }
}

fn has_columns(record: Node<'_>) -> bool {
    record.descendants().any(|node| word_name(&node) == "gridCol")
}

/// An element of a record as it was, without marks of changes in it.
fn without_marks(node: Node<'_>) -> String {
    let (start, mut reached) = (node.span().start, 0);
    let source = node.source();
    let mut out = Vec::new();
    for mark in node.descendants().filter(|inner| is_mark(word_name(inner))) {
        let span = mark.span();
        // One that stands in another is gone with it.
        if span.start - start >= reached {
            out.extend_from_slice(source.part(reached..span.start - start));
            reached = span.end - start;
        }
    }
    out.extend_from_slice(source.part(reached..));
    String::from_utf8_lossy(&out).into_owned()
}

fn is_mark(name: &str) -> bool {
    matches!(name, "ins" | "del" | "moveFrom" | "moveTo" | "cellIns" | "cellDel" | "cellMerge")
        || name.ends_with("Change")
}

fn is_range_mark(name: &str) -> bool {
    matches!(name, "proofErr" | "permStart" | "permEnd")
        || name.starts_with("bookmark")
        || name.starts_with("commentRange")
        || name.starts_with("moveFromRange")
        || name.starts_with("moveToRange")
        || name.starts_with("customXml") && name.contains("Range")
}

/// Whether what is left of a paragraph shows nothing.
fn is_silent(inner: &Weave, node: Node<'_>) -> bool {
    let text = inner.text(node.source(), node.span().start);
    !text.contains("r>") && !text.contains("r/>") && !text.contains("oMath") && !text.contains("sdt>")
}
