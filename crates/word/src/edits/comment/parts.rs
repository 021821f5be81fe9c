//! The parts that hold comments, with what one edit does to them.

use std::ops::Range;

use edit::{OrEmpty, PartName, Patch, Refusal};
use ooxml::Relationships;
use ooxml::xml::{Document, Node, ns};

use super::super::side_part::{SidePart, relate};
use crate::document::layout::Story;
use crate::document::view::View;
use crate::edits::anatomy::word_name;
use crate::edits::dialect::Dialect;

const COMMENTS_KIND: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments";
const COMMENTS_TYPE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml";
const EXTENDED_KIND: &str = "http://schemas.microsoft.com/office/2011/relationships/commentsExtended";
const EXTENDED_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.commentsExtended+xml";
const IDS_KIND: &str = "http://schemas.microsoft.com/office/2016/09/relationships/commentsIds";
const EXTENSIBLE_KIND: &str = "http://schemas.microsoft.com/office/2018/08/relationships/commentsExtensible";

#[derive(Debug)]
pub(super) struct Parts {
    comments: SidePart,
    extended: SidePart,
    ids: Option<SidePart>,
    extensible: Option<SidePart>,
    pub(super) dialect: Dialect,
}

impl Parts {
    pub(super) fn open(view: &View) -> Result<Self, Refusal> {
        let layout = view.layout();
        let comments =
            layout.stories.iter().find(|(story, _)| *story == Story::Comments).map(|(_, part)| part);
        let comments = SidePart::open(view, comments, "comments.xml")?;
        let extended = SidePart::open(view, layout.comments_extended.as_ref(), "commentsExtended.xml")?;
        let relationships = Relationships::of_part(view.content(), &layout.main)?;
        let beside = |kind: &str, name: &str| {
            let part = relationships.of_kind(kind).find_map(|relationship| relationship.part.clone());
            part.map(|part| SidePart::open(view, Some(&part), name)).transpose()
        };
        let ids = beside(IDS_KIND, "commentsIds.xml")?;
        let extensible = beside(EXTENSIBLE_KIND, "commentsExtensible.xml")?;
        let dialect = match &comments.document {
            Some(document) => {
                let mut dialect = Dialect::of(&document.root().namespaces())?;
                let ignored = document.root().value(ns::MC, "Ignorable").or_empty().into_owned();
                dialect.word2010 = dialect.word2010.filter(|prefix| is_ignored(&ignored, prefix));
                dialect
            }
            None => Dialect { element: "w:".into(), attribute: "w:".into(), word2010: Some("w14:".into()) },
        };
        Ok(Self { comments, extended, ids, extensible, dialect })
    }

    /// Whether paragraphs of this part may have ids without anybody minding.
    pub(super) fn names_paragraphs(&self) -> bool {
        self.dialect.word2010.is_some()
    }

    /// ` w14:paraId="…"`, with its declaration where the part has none.
    pub(super) fn paragraph_id_attribute(&self, id: &str) -> String {
        match &self.dialect.word2010 {
            Some(prefix) => format!(" {prefix}paraId=\"{id}\""),
            None => format!(" xmlns:w14=\"{}\" w14:paraId=\"{id}\"", ns::W14),
        }
    }

    pub(super) fn append_comment(&mut self, xml: &str) {
        self.comments.appended.push_str(xml);
    }

    fn comment(&self, id: &str) -> Result<Node<'_>, Refusal> {
        let root = self.comments.document.as_ref().map(Document::root);
        let all: Vec<Node<'_>> =
            root.iter().flat_map(Node::elements).filter(|node| word_name(node) == "comment").collect();
        let found = all.iter().find(|node| node.value(ns::W, "id").as_deref() == Some(id));
        found.copied().ok_or_else(|| Refusal::NotFound {
            what: "comment",
            id: id.to_owned(),
            nearest: all
                .iter()
                .filter_map(|node| Some(node.value(ns::W, "id")?.into_owned()))
                .take(5)
                .collect(),
        })
    }

    /// The comments that one belongs with, the one that the others answer first. Word knows no answers to answers: a
    /// thread is shown and resolved as one.
    pub(super) fn thread(&self, id: &str) -> Result<Vec<String>, Refusal> {
        self.comment(id)?;
        let root = self.comments.document.as_ref().map(Document::root);
        let comments = root.iter().flat_map(Node::elements).filter(|node| word_name(node) == "comment");
        // By its last paragraph, each comment.
        let members: Vec<(String, String)> = comments
            .filter_map(|node| {
                let last = node.elements().filter(|node| word_name(node) == "p").last()?;
                Some((last.value(ns::W14, "paraId")?.to_uppercase(), node.value(ns::W, "id")?.into_owned()))
            })
            .collect();
        let answered = |paragraph: &str| {
            let record = record_of(self.extended.document.as_ref()?, paragraph)?;
            let above = record.value(ns::W15, "paraIdParent")?.to_uppercase();
            members.iter().map(|(known, _)| known).find(|known| **known == above)
        };
        let first = |paragraph: &String| {
            // A damaged file may have two comments answer each other.
            let up = std::iter::successors(
                members.iter().map(|(known, _)| known).find(|known| *known == paragraph),
                |below| answered(below),
            );
            up.take(members.len()).last().cloned()
        };
        let begun = members.iter().find(|(_, known)| known == id).and_then(|(paragraph, _)| first(paragraph));
        let Some(begun) = begun else { return Ok(vec![id.to_owned()]) };
        let (head, answers): (Vec<_>, Vec<_>) = members
            .iter()
            .filter(|(paragraph, _)| first(paragraph).as_ref() == Some(&begun))
            .partition(|(paragraph, _)| *paragraph == begun);
        Ok(head.into_iter().chain(answers).map(|(_, id)| id.clone()).collect())
    }

    /// The id of the last paragraph of a comment; one is given to it where it has none.
    pub(super) fn paragraph_of(&mut self, id: &str, new: impl FnOnce() -> String) -> Result<String, Refusal> {
        let comment = self.comment(id)?;
        let last = comment.elements().filter(|node| word_name(node) == "p").last();
        let last = last.ok_or_else(|| Refusal::Corrupt {
            what: format!("comment {id}"),
            why: "it has no paragraph".to_owned(),
        })?;
        if let Some(known) = last.value(ns::W14, "paraId") {
            return Ok(known.into_owned());
        }
        let at = last.span().start + 1 + last.qualified().len();
        let fresh = new();
        let attribute = self.paragraph_id_attribute(&fresh);
        self.comments.splices.push((at..at, attribute));
        Ok(fresh)
    }

    /// Sets the record of the comment whose last paragraph is `paragraph`.
    pub(super) fn record(
        &mut self,
        paragraph: &str,
        parent: Option<&str>,
        resolved: Option<bool>,
    ) -> Result<(), Refusal> {
        let known = self.extended.document.as_ref().and_then(|document| record_of(document, paragraph));
        let flag = |resolved: bool| if resolved { "1" } else { "0" };
        if let Some(node) = known {
            let Some(resolved) = resolved else { return Ok(()) };
            let splice = match node.attribute(ns::W15, "done") {
                Some(done) => (done.value_span(), flag(resolved).to_owned()),
                None => {
                    let at = node.span().start + 1 + node.qualified().len();
                    let prefix = node.prefix();
                    (at..at, format!(" {prefix}:done=\"{}\"", flag(resolved)))
                }
            };
            self.extended.splices.push(splice);
            return Ok(());
        }
        let prefix = match &self.extended.document {
            None => "w15".to_owned(),
            Some(document) => {
                let namespaces = document.root().namespaces();
                let prefix = namespaces.attribute_prefix_of(ns::W15).map(str::to_owned);
                prefix.ok_or_else(|| Refusal::unsupported("an extended comments part without its prefix"))?
            }
        };
        let parent = parent.map_or_else(String::new, |parent| format!(" {prefix}:paraIdParent=\"{parent}\""));
        let done = flag(resolved.unwrap_or(false));
        let record =
            format!("<{prefix}:commentEx {prefix}:paraId=\"{paragraph}\"{parent} {prefix}:done=\"{done}\"/>");
        self.extended.appended.push_str(&record);
        Ok(())
    }

    /// Takes comments out with their answers; answers the ids of all of them.
    pub(super) fn remove_threads(&mut self, comments: &[String]) -> Result<Vec<String>, Refusal> {
        let mut gone: Vec<String> = Vec::new();
        for comment in comments {
            if !gone.contains(comment) {
                gone.extend(self.remove_thread(comment)?);
            }
        }
        Ok(gone)
    }

    fn remove_thread(&mut self, id: &str) -> Result<Vec<String>, Refusal> {
        let first = self.comment(id)?;
        let paragraphs_of = |node: Node<'_>| -> Vec<String> {
            let paragraphs = node.descendants().filter(|node| word_name(node) == "p");
            paragraphs.filter_map(|node| Some(node.value(ns::W14, "paraId")?.into_owned())).collect()
        };
        let mut paragraphs = paragraphs_of(first);
        // The records are in no order that counts.
        loop {
            let answers = entries(Some(&self.extended), "paraIdParent", &paragraphs).into_iter();
            let mut more: Vec<String> = answers.filter_map(|record| named(record, "paraId")).collect();
            more.retain(|one| !has(&paragraphs, one));
            if more.is_empty() {
                break;
            }
            paragraphs.append(&mut more);
        }
        let mut ids = vec![id.to_owned()];
        let mut spans = vec![first.span()];
        let root = self.comments.document.as_ref().map(Document::root);
        for comment in root.iter().flat_map(Node::elements).filter(|node| node.id() != first.id()) {
            if paragraphs_of(comment).iter().any(|paragraph| has(&paragraphs, paragraph)) {
                ids.extend(comment.value(ns::W, "id").map(|id| id.into_owned()));
                spans.push(comment.span());
            }
        }
        let short = entries(self.ids.as_ref(), "paraId", &paragraphs);
        let durable: Vec<String> = short.iter().filter_map(|entry| named(*entry, "durableId")).collect();
        let extensible = spans_of(entries(self.extensible.as_ref(), "durableId", &durable));
        let (short, extended) =
            (spans_of(short), spans_of(entries(Some(&self.extended), "paraId", &paragraphs)));
        take(&mut self.comments, spans);
        take(&mut self.extended, extended);
        if let Some(side) = &mut self.ids {
            take(side, short);
        }
        if let Some(side) = &mut self.extensible {
            take(side, extensible);
        }
        Ok(ids)
    }

    /// Puts everything into the patch: splices, new parts, what points at them and what they are.
    pub(super) fn finish(self, view: &View, patch: &mut Patch) -> Result<(), Refusal> {
        let comments_root = format!(
            "<w:comments xmlns:w=\"{}\" xmlns:w14=\"{}\" xmlns:mc=\"{}\" mc:Ignorable=\"w14\">",
            view.layout().conformance.spell(ns::W),
            ns::W14,
            ns::MC
        );
        let extended_root = format!(
            "<w15:commentsEx xmlns:w15=\"{}\" xmlns:mc=\"{}\" mc:Ignorable=\"w15\">",
            ns::W15,
            ns::MC
        );
        let mut new: Vec<(PartName, &str, &str)> = Vec::new();
        if let Some(part) = self.comments.finish(patch, &comments_root, "w:comments")? {
            new.push((part, COMMENTS_KIND, COMMENTS_TYPE));
        }
        if let Some(part) = self.extended.finish(patch, &extended_root, "w15:commentsEx")? {
            new.push((part, EXTENDED_KIND, EXTENDED_TYPE));
        }
        for side in [self.ids, self.extensible].into_iter().flatten() {
            side.finish(patch, "", "")?;
        }
        relate(view, patch, &new)
    }
}

/// The record of the comment whose last paragraph is `paragraph`.
fn record_of<'a>(extended: &'a Document, paragraph: &str) -> Option<Node<'a>> {
    let mut records = extended.root().elements();
    records.find(|node| node.value(ns::W15, "paraId").is_some_and(|id| id.eq_ignore_ascii_case(paragraph)))
}

/// The entries of a part that have one of these values. Each of these parts has a namespace of its own.
fn entries<'a>(side: Option<&'a SidePart>, name: &str, values: &[String]) -> Vec<Node<'a>> {
    let root = side.and_then(|side| side.document.as_ref()).map(Document::root);
    let all = root.into_iter().flat_map(|root| root.elements());
    all.filter(|node| named(*node, name).is_some_and(|value| has(values, &value))).collect()
}

fn named(entry: Node<'_>, name: &str) -> Option<String> {
    let attribute = entry.attributes().find(|attribute| attribute.local() == name)?;
    Some(attribute.value().into_owned())
}

/// Ids are numbers, which some write in small letters.
fn has(ids: &[String], wanted: &str) -> bool {
    ids.iter().any(|id| id.eq_ignore_ascii_case(wanted))
}

fn spans_of(entries: Vec<Node<'_>>) -> Vec<Range<usize>> {
    entries.into_iter().map(|entry| entry.span()).collect()
}

/// Takes stretches out of a part, each once.
fn take(side: &mut SidePart, spans: Vec<Range<usize>>) {
    for span in spans {
        if !side.splices.iter().any(|(known, _)| *known == span) {
            side.splices.push((span, String::new()));
        }
    }
}

/// Whether a list of prefixes, as `mc:Ignorable` has it, holds this one, which is given with its colon.
fn is_ignored(list: &str, prefix: &str) -> bool {
    list.split_whitespace().any(|known| known == prefix.trim_end_matches(':'))
}
