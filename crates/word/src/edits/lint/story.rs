//! Whether what stands in the stories is whole.

use std::collections::{BTreeMap, BTreeSet};

use edit::{Content, OrEmpty, Refusal};
use ooxml::Relationships;
use ooxml::xml::{Document, Node, XmlLimits, ns};

use super::{Problem, ProblemKind};
use crate::document::layout::{Layout, Story};
use crate::edits::anatomy::word_name;
use crate::edits::schema::{Parent, order};

/// What a piece of a story brings into it: found wrong in the piece itself, and what the rest has to go with.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) problems: Vec<Problem>,
    /// Ids of revisions and bookmarks, with what has them.
    pub(super) ids: Vec<(String, &'static str)>,
    pub(super) paragraph_ids: Vec<String>,
    pub(super) referred: Vec<(&'static str, String, String)>,
    /// Ranges that begin or end in it, and with which balance.
    pub(super) ranges: BTreeMap<(&'static str, String), i32>,
    /// How deep in fields it ends, and the least in between.
    pub(super) fields: (i64, i64),
}

/// The facts of a piece of a story that holds whole paragraphs, below a root of its own.
pub(super) fn facts(root: Node<'_>, story: Story, part: &str, relationships: &Relationships) -> Facts {
    let mut walk = Walk { part: part.to_owned(), facts: Some(Facts::default()), ..Walk::default() };
    walk.story(root, story, relationships);
    let (problems, referred) = (walk.problems, walk.referred);
    Facts { problems, referred, ..walk.facts.unwrap_or_default() }
}

pub(super) fn check(content: &Content, layout: &Layout, problems: &mut Vec<Problem>) -> Result<(), Refusal> {
    let mut walk = Walk::default();
    for (story, part) in &layout.stories {
        let Some(blob) = content.read(part)? else { continue };
        let document = match Document::parse(&blob, &XmlLimits::default()) {
            Ok(document) => document,
            Err(error) => {
                let what = error.to_string();
                problems.push(Problem { kind: ProblemKind::NotWellFormed, part: part.to_string(), what });
                continue;
            }
        };
        // What points where cannot be told then, which is said of the package.
        let Ok(relationships) = Relationships::of_part(content, part) else { continue };
        walk.part = part.to_string();
        walk.story(document.root(), *story, &relationships);
    }
    walk.references();
    problems.append(&mut walk.problems);
    Ok(())
}

#[derive(Default)]
struct Walk {
    part: String,
    problems: Vec<Problem>,
    /// Ids of revisions and bookmarks of the part, with what has them.
    ids: BTreeMap<String, &'static str>,
    paragraph_ids: BTreeSet<String>,
    /// Notes and comments there are, and those referred to, with the part that does.
    notes: BTreeSet<(&'static str, String)>,
    referred: Vec<(&'static str, String, String)>,
    /// Set when it is a piece of a story: what concerns the whole is noted, not judged.
    facts: Option<Facts>,
}

const RANGES: &[(&str, &str)] = &[
    ("bookmarkStart", "bookmarkEnd"),
    ("commentRangeStart", "commentRangeEnd"),
    ("moveFromRangeStart", "moveFromRangeEnd"),
    ("moveToRangeStart", "moveToRangeEnd"),
    ("permStart", "permEnd"),
];

impl Walk {
    fn find(&mut self, kind: ProblemKind, what: String) {
        self.problems.push(Problem { kind, part: self.part.clone(), what });
    }

    fn story(&mut self, root: Node<'_>, story: Story, relationships: &Relationships) {
        self.ids.clear();
        let mut ranges: BTreeMap<(&'static str, String), i32> = BTreeMap::new();
        for node in root.descendants().filter(Node::is_element) {
            self.relationship(node, relationships);
            let name = word_name(&node);
            let id = || node.value(ns::W, "id").or_empty().into_owned();
            if let Some((start, _)) = RANGES.iter().find(|(start, end)| *start == name || *end == name) {
                let step = if *start == name { 1 } else { -1 };
                *ranges.entry((start, id())).or_default() += step;
            }
            match name {
                "p" => self.paragraph(node),
                "tc" => self.cell(node),
                "tbl" | "tr" => self.table(node, name),
                "bookmarkStart" => self.number(id(), "bookmark"),
                "ins" | "del" | "moveFrom" | "moveTo" => {
                    if !node.ancestors().any(|up| word_name(&up).ends_with("Change")) {
                        self.number(id(), "revision");
                    }
                    self.revision(node, name);
                }
                "footnoteReference" => self.referred.push(("footnote", id(), self.part.clone())),
                "endnoteReference" => self.referred.push(("endnote", id(), self.part.clone())),
                "commentReference" => self.referred.push(("comment", id(), self.part.clone())),
                "footnote" if story == Story::Footnotes => drop(self.notes.insert(("footnote", id()))),
                "endnote" if story == Story::Endnotes => drop(self.notes.insert(("endnote", id()))),
                "comment" if story == Story::Comments => drop(self.notes.insert(("comment", id()))),
                _ => self.properties(node, name),
            }
        }
        if let Some(facts) = &mut self.facts {
            facts.ranges = ranges;
            return self.fields(root);
        }
        for ((start, id), balance) in ranges {
            if balance != 0 {
                let what = if balance > 0 { "does not end" } else { "does not start" };
                self.find(
                    ProblemKind::UnpairedRange,
                    format!("{} {id} {what}", start.trim_end_matches("Start")),
                );
            }
        }
        self.fields(root);
    }

    fn relationship(&mut self, node: Node<'_>, relationships: &Relationships) {
        for attribute in node.attributes().filter(|attribute| attribute.namespace() == ns::R) {
            let id = attribute.value();
            if !id.is_empty() && relationships.get(&id).is_none() {
                self.find(ProblemKind::MissingRelationship, format!("<{}> uses {id}", node.qualified()));
            }
        }
    }

    fn paragraph(&mut self, node: Node<'_>) {
        let Some(id) = node.value(ns::W14, "paraId") else { return };
        // Both branches of an alternative may hold the same paragraph.
        let repeated = node.ancestors().any(|up| up.is(ns::MC, "AlternateContent"));
        if let Some(facts) = &mut self.facts {
            facts.paragraph_ids.extend((!repeated).then(|| id.clone().into_owned()));
        } else if !repeated && !self.paragraph_ids.insert(format!("{}/{id}", self.part)) {
            self.find(ProblemKind::ParagraphId, format!("paraId {id} is used twice"));
        }
        if u32::from_str_radix(&id, 16).is_ok_and(|number| number >= 0x8000_0000) {
            self.find(ProblemKind::ParagraphId, format!("paraId {id} is too large"));
        }
    }

    fn cell(&mut self, node: Node<'_>) {
        let last = node.elements().filter(|child| {
            let name = word_name(child);
            !(name.starts_with("bookmark")
                || name.contains("Range")
                || name == "proofErr"
                || name.starts_with("perm"))
        });
        let ends_well = match last.last() {
            Some(last) => {
                matches!(word_name(&last), "p" | "sdt" | "customXml") || last.is(ns::MC, "AlternateContent")
            }
            None => false,
        };
        if !ends_well {
            self.find(
                ProblemKind::CellWithoutParagraph,
                "a table cell does not end with a paragraph".to_owned(),
            );
        }
    }

    fn table(&mut self, node: Node<'_>, name: &str) {
        let part = if name == "tbl" { "tr" } else { "tc" };
        if !node.descendants().any(|child| word_name(&child) == part) {
            self.find(ProblemKind::EmptyTable, format!("<{}> without <{part}>", node.qualified()));
        }
    }

    fn number(&mut self, id: String, what: &'static str) {
        if let Some(facts) = &mut self.facts {
            facts.ids.push((id, what));
            return;
        }
        match self.ids.get(&id) {
            // Old versions of Word gave all halves of one change one id.
            Some(&"revision") if what == "revision" => {}
            Some(other) => {
                let what = format!("{what} {id} has the id of a {other}");
                self.find(ProblemKind::DuplicateId, what);
            }
            None => drop(self.ids.insert(id, what)),
        }
    }

    fn revision(&mut self, node: Node<'_>, name: &str) {
        let parent = node.parent().map(|parent| word_name(&parent)).or_empty();
        let inside_run = parent == "r";
        let in_text_box = parent == "txbxContent";
        if inside_run || in_text_box {
            self.find(ProblemKind::MisplacedRevision, format!("<{name}> directly in <{parent}>"));
        }
        if matches!(name, "ins" | "moveTo") || node.elements().next().is_none() {
            return;
        }
        // A text box goes as a whole, with its own text as it is.
        let boxed = |inner: &Node<'_>| {
            let mut around = inner.ancestors().take_while(|up| up.id() != node.id());
            around.any(|up| word_name(&up) == "txbxContent")
        };
        let mut live = node.descendants().filter(|inner| word_name(inner) == "t" && !boxed(inner));
        if name == "del" && live.next().is_some() {
            self.find(
                ProblemKind::MisplacedRevision,
                "text that is not marked as deleted in <del>".to_owned(),
            );
        }
    }

    fn properties(&mut self, node: Node<'_>, name: &str) {
        let parent = match name {
            "pPr" => Parent::Paragraph,
            "rPr" => Parent::Run,
            "tblPr" => Parent::Table,
            "trPr" => Parent::Row,
            "tcPr" => Parent::Cell,
            "sectPr" => Parent::Section,
            _ => return,
        };
        let ranks = node.elements().filter_map(|child| {
            let rank = order(parent).iter().position(|known| *known == word_name(&child))?;
            // Headers and footers of a section mix, and so do most properties of a row.
            let loose = match parent {
                Parent::Section => rank < 2,
                Parent::Row => rank < 12,
                _ => false,
            };
            Some(if loose { 0 } else { rank })
        });
        if !ranks.collect::<Vec<_>>().is_sorted() {
            self.find(ProblemKind::PropertyOrder, format!("children of <{name}> are out of order"));
        }
    }

    /// Fields balance in each text that stands for itself.
    fn fields(&mut self, root: Node<'_>) {
        let apart =
            |node: &Node<'_>| matches!(word_name(node), "txbxContent" | "footnote" | "endnote" | "comment");
        let mut depth: BTreeMap<usize, i64> = BTreeMap::new();
        let mut least = 0;
        let mut broken = false;
        for node in root.descendants().filter(|node| word_name(node) == "fldChar") {
            let story = node.ancestors().find(apart).map_or(0, |story| story.id().index());
            let depth = depth.entry(story).or_default();
            match node.value(ns::W, "fldCharType").as_deref() {
                Some("begin") => *depth += 1,
                Some("end") => *depth -= 1,
                _ => {}
            }
            if story == 0 && self.facts.is_some() {
                least = least.min(*depth);
            } else if *depth < 0 {
                broken = true;
                *depth = 0;
            }
        }
        if let Some(facts) = &mut self.facts {
            facts.fields = (depth.remove(&0).unwrap_or(0), least);
        }
        if broken {
            self.find(ProblemKind::UnbalancedField, "a field ends that did not begin".to_owned());
        }
        if depth.values().any(|depth| *depth > 0) {
            self.find(ProblemKind::UnbalancedField, "a field begins and does not end".to_owned());
        }
    }

    fn references(&mut self) {
        for (kind, id, part) in std::mem::take(&mut self.referred) {
            if !self.notes.contains(&(kind, id.clone())) {
                self.problems.push(Problem {
                    kind: ProblemKind::MissingNote,
                    part,
                    what: format!("{kind} {id} is referred to and not there"),
                });
            }
        }
    }
}
