//! Deleting a whole paragraph, and what must not go with it.

use std::collections::BTreeSet;
use std::ops::Range;

use edit::{Context, Level, Note, Patch, Planned, Refusal, Step};
use ooxml::xml::{Node, ns};

use super::insert::check_controls;
use super::{DeleteParagraph, Markup, Outcome, check_expected, excerpt, take_along};
use crate::document::index::BoxKind;
use crate::document::paragraph::{Atom, AtomKind, Paragraph};
use crate::document::stamp::Stamp;
use crate::document::view::{Place, View};
use crate::edits::anatomy::{Anatomy, Shape, word_name};
use crate::edits::dialect::Dialect;
use crate::edits::marks::{put_in_mark, survivors};
use crate::edits::open_paragraph::{OpenParagraph, stamp};
use crate::edits::run_siblings::{Sibling, Siblings, siblings};
use crate::edits::surgeon::{is_own, removals};

pub(crate) fn plan(view: &View, edit: &DeleteParagraph, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let place = view.find(edit.paragraph)?;
    let opened = OpenParagraph::open(view, place)?;
    let anatomy = opened.anatomy()?;
    check_expected(view, place, edit.expect.as_ref(), &anatomy.text)?;
    check_controls(view, place)?;
    check_contents(&opened, &anatomy)?;
    let part = view.part(place).ok_or_else(|| Refusal::internal("a paragraph of another view"))?;
    let around = siblings(part, place.index as usize);
    let node = opened.node()?;
    let section =
        node.child(ns::W, "pPr").is_some_and(|properties| properties.child(ns::W, "sectPr").is_some());
    let stamp = stamp(view, cx);
    let markup = match edit.markup {
        // What one put in oneself goes without a trace, as in Word.
        Markup::Tracked if is_own_paragraph(&opened, &anatomy, &stamp) => Markup::Plain,
        markup => markup,
    };
    // The mark of a paragraph that no other follows cannot be tracked as deleted: there is nothing to join it with.
    let last = markup == Markup::Tracked && around.after != Sibling::Paragraph;
    let kept = section || must_stay(&around) || last;
    let mut patch = Patch::new();
    match markup {
        Markup::Plain => {
            let range = if kept { inner(node) } else { node.span() };
            let marks = if kept { own_marks(node, &opened.dialect) } else { String::new() };
            opened.add_to(&mut patch, vec![(range, marks + &survivors(&[node]))])?;
            if !kept {
                hand_on_mark(view, place, &opened, &mut patch)?;
            }
            check_comments(&opened)?;
            patch = take_along(view, patch)?;
        }
        Markup::Tracked => {
            let splices = track(&opened, &anatomy, kept, &stamp)?;
            opened.add_to(&mut patch, splices)?;
        }
    }
    let text = anatomy.text.clone();
    let mut notes = Vec::new();
    if kept && is_between_tables(&around) {
        let text =
            "the paragraph stays, empty, because Word makes one table of two that nothing stands between";
        notes.push(Note { level: Level::Info, text: text.to_owned() });
    }
    let summary = match kept {
        true => format!("Delete the text \"{}\" of a paragraph that must stay", excerpt(&text)),
        false => format!("Delete the paragraph \"{}\"", excerpt(&text)),
    };
    Ok(Planned {
        step: Step { patch, summary, notes },
        outcome: Outcome::Deleted { paragraph: edit.paragraph, text, kept },
    })
}

/// Where another author's insertion divided a paragraph, the first half goes with the new mark, and the second half has
/// the old one. If all of that half was inserted too, rejecting the insertion would leave an empty paragraph where there
/// was the deleted text: so its mark becomes the inserted one.
fn hand_on_mark(view: &View, place: Place, opened: &OpenParagraph, patch: &mut Patch) -> Result<(), Refusal> {
    let came =
        |paragraph: &Paragraph| paragraph.atoms.iter().all(|atom| atom.inserted || atom.kind.is_silent());
    if opened.paragraph.mark.inserted.is_none() || came(&opened.paragraph) {
        return Ok(());
    }
    let Some(part) = view.part(place) else { return Ok(()) };
    let node = opened.node()?;
    let properties = node.child(ns::W, "pPr").and_then(|properties| properties.child(ns::W, "rPr"));
    let Some(inserted) = properties.and_then(|mark| mark.child(ns::W, "ins")) else { return Ok(()) };
    let inserted = String::from_utf8_lossy(inserted.source()).into_owned();
    let mut next = place;
    while siblings(part, next.index as usize).after == Sibling::Paragraph {
        next.index += 1;
        let behind = OpenParagraph::open(view, next)?;
        let mark = &behind.paragraph.mark;
        if !came(&behind.paragraph) || mark.deleted.is_some() {
            return Ok(());
        }
        if mark.inserted.is_some() {
            continue;
        }
        let node = behind.node()?;
        let section = node.child(ns::W, "pPr").is_some_and(|known| known.child(ns::W, "sectPr").is_some());
        if !section && siblings(part, next.index as usize).after == Sibling::Paragraph {
            behind.add_to(patch, vec![put_in_mark(node, &inserted, &behind.dialect)])?;
        }
        return Ok(());
    }
    Ok(())
}

/// Whether one's own insertion is all there is to the paragraph. A comment that reaches beyond it keeps its place
/// only where the deletion is tracked.
fn is_own_paragraph(opened: &OpenParagraph, anatomy: &Anatomy<'_>, stamp: &Stamp) -> bool {
    let mark = &opened.paragraph.mark;
    let is_mine = mark.inserted.as_ref().is_some_and(|revision| revision.author == stamp.author);
    // Bookmarks and the edges of comments stand beside insertions, not in them.
    let came = |atom: &Atom| atom.inserted && !atom.deleted || atom.kind.is_silent();
    is_mine
        && mark.deleted.is_none()
        && opened.paragraph.atoms.iter().all(came)
        && anatomy.runs.iter().all(|run| is_own(run.inserted, Some(stamp)))
        && check_comments(opened).is_ok()
}

/// Word needs a paragraph at the end of every cell, note and text box, and between two tables.
fn must_stay(around: &Siblings) -> bool {
    let alone = around.before != Sibling::Paragraph && around.after == Sibling::Edge;
    let first_of_note =
        matches!(around.container, Some(BoxKind::Footnote | BoxKind::Endnote | BoxKind::Comment))
            && around.before == Sibling::Edge;
    alone || is_between_tables(around) || first_of_note
}

fn is_between_tables(around: &Siblings) -> bool {
    around.before == Sibling::Table && around.after == Sibling::Table
}

/// What the paragraph holds that reaches beyond it.
pub(super) fn check_contents(opened: &OpenParagraph, anatomy: &Anatomy<'_>) -> Result<(), Refusal> {
    if opened.paragraph.fields.iter().any(|field| field.begin.is_none() != field.end.is_none()) {
        return Err(Refusal::Unsafe {
            why: "a field begins or ends in this paragraph and goes on in another".to_owned(),
            instead: Some("replace the text of the paragraph instead of deleting it".to_owned()),
        });
    }
    let inner = |node: &Node<'_>| {
        matches!(word_name(node), "p" | "tbl")
            && !node
                .ancestors()
                .take_while(|up| up.id() != anatomy.node.id())
                .any(|up| word_name(&up) == "txbxContent")
    };
    if anatomy.node.descendants().any(|node| node.id() != anatomy.node.id() && inner(&node)) {
        return Err(Refusal::Unsafe {
            why: "a table stands inside this paragraph".to_owned(),
            instead: Some("replace the text of the paragraph instead of deleting it".to_owned()),
        });
    }
    if anatomy.runs.iter().any(|run| run.locked) {
        return Err(Refusal::Unsafe {
            why: "the paragraph holds a content control that is locked".to_owned(),
            instead: None,
        });
    }
    Ok(())
}

/// Comments that hang on this paragraph alone go with it; one that reaches beyond it would lose its place.
fn check_comments(opened: &OpenParagraph) -> Result<(), Refusal> {
    let atoms = &opened.paragraph.atoms;
    for atom in atoms {
        let AtomKind::CommentReference { id } = &atom.kind else { continue };
        let starts = atoms
            .iter()
            .any(|atom| matches!(&atom.kind, AtomKind::CommentStart { id: known } if known == id));
        let ends =
            atoms.iter().any(|atom| matches!(&atom.kind, AtomKind::CommentEnd { id: known } if known == id));
        if starts != ends {
            return Err(Refusal::Unsafe {
                why: format!("comment {id} hangs on this paragraph and on others"),
                instead: Some("delete the comment first, or track the deletion".to_owned()),
            });
        }
    }
    Ok(())
}

/// The number that a note or comment shows of itself is not its text.
fn is_own_mark(node: &Node<'_>) -> bool {
    matches!(word_name(node), "footnoteRef" | "endnoteRef" | "annotationRef")
}

fn own_marks(paragraph: Node<'_>, dialect: &Dialect) -> String {
    let marks = paragraph.descendants().filter(is_own_mark);
    marks
        .map(|mark| {
            let look = mark.parent().and_then(|run| run.child(ns::W, "rPr"));
            let look = look.map_or(String::new(), |look| String::from_utf8_lossy(look.source()).into_owned());
            dialect.wrap("r", "", &format!("{look}{}", String::from_utf8_lossy(mark.source())))
        })
        .collect()
}

/// Everything behind the properties.
pub(super) fn inner(node: Node<'_>) -> Range<usize> {
    let content = node.content_span();
    node.child(ns::W, "pPr").map_or(content.start, |properties| properties.span().end)..content.end
}

pub(super) fn track(
    opened: &OpenParagraph,
    anatomy: &Anatomy<'_>,
    keep_mark: bool,
    stamp: &Stamp,
) -> Result<Vec<(Range<usize>, String)>, Refusal> {
    let dialect = &opened.dialect;
    let mut splices = Vec::new();
    let mut gone = BTreeSet::new();
    let in_deletion = |node: Node<'_>| node.ancestors().any(|a| matches!(word_name(&a), "del" | "moveFrom"));
    for run in &anatomy.runs {
        // Runs of the two lines of phonetic text go with the run that holds them.
        let inner = run.node.ancestors().any(|above| word_name(&above) == "r");
        if inner || in_deletion(run.node) || run.node.id() == anatomy.node.id() {
            continue;
        }
        if keep_mark && run.node.elements().all(|node| word_name(&node) == "rPr" || is_own_mark(&node)) {
            continue;
        }
        if is_own(run.inserted, Some(stamp)) {
            gone.insert(run.node.id());
            continue;
        }
        let deleted = as_deleted(run.node);
        splices.push((run.node.span(), dialect.wrap("del", &stamp.attributes(&dialect.attribute), &deleted)));
    }
    splices.extend(removals(anatomy, &gone));
    // A break or a tab that stands in no run, as some programs write it.
    for unit in anatomy.units.iter().filter(|unit| unit.shape == Shape::Single) {
        let Some(node) = anatomy.outer_node(unit).filter(|node| word_name(node) != "r") else { continue };
        let run = dialect.wrap("r", "", &String::from_utf8_lossy(node.source()));
        splices.push((node.span(), dialect.wrap("del", &stamp.attributes(&dialect.attribute), &run)));
    }
    // An equation stands in no run either, and would be left behind in the next paragraph.
    for node in equations(anatomy.node).filter(|node| !in_deletion(*node)) {
        let source = String::from_utf8_lossy(node.source());
        splices.push((node.span(), dialect.wrap("del", &stamp.attributes(&dialect.attribute), &source)));
    }
    if !keep_mark && opened.paragraph.mark.deleted.is_none() {
        let del = format!("<{}del{}/>", dialect.element, stamp.attributes(&dialect.attribute));
        splices.push(match anatomy.node.child(ns::W, "pPr").and_then(|p| p.child(ns::W, "rPr")) {
            // The schema has the insertion of a mark before its deletion.
            Some(mark) if mark.child(ns::W, "ins").is_some() => {
                let at = mark.child(ns::W, "ins").map_or(0, |inserted| inserted.span().end);
                (at..at, del)
            }
            _ => put_in_mark(anatomy.node, &del, dialect),
        });
    }
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    Ok(splices)
}

/// The equations of a paragraph, each as a whole; a text box in it has paragraphs of its own.
fn equations(paragraph: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let is_math = |node: &Node<'_>| node.name().namespace == ns::M;
    paragraph.descendants().filter(move |node| {
        let mut above = node.ancestors().take_while(|above| above.id() != paragraph.id());
        is_math(node) && !above.any(|above| is_math(&above) || word_name(&above) == "p")
    })
}

/// What a run shows, in order; a text box in it has paragraphs of its own.
fn own_children<'a>(node: Node<'a>, found: &mut Vec<Node<'a>>) {
    for child in node.elements() {
        match word_name(&child) {
            "ruby" | "rt" | "rubyBase" | "r" => own_children(child, found),
            _ => found.push(child),
        }
    }
}

/// A run as it is written inside `w:del`.
pub(crate) fn as_deleted(run: Node<'_>) -> String {
    renamed(run, &[("t", "delText"), ("instrText", "delInstrText")])
}

/// The source of a run with the names of some of its children changed, also in the runs of phonetic text.
pub(crate) fn renamed(run: Node<'_>, names: &[(&str, &str)]) -> String {
    let base = run.span().start;
    let mut out = String::from_utf8_lossy(run.source()).into_owned();
    let mut children: Vec<Node<'_>> = Vec::new();
    own_children(run, &mut children);
    for child in children.into_iter().rev() {
        let Some((_, to)) = names.iter().find(|(from, _)| word_name(&child) == *from) else { continue };
        let qualified = child.qualified();
        let prefix = qualified.split_once(':').map_or(String::new(), |(prefix, _)| format!("{prefix}:"));
        let new = format!("{prefix}{to}");
        if !child.closes_itself() {
            let end = child.end_tag_span();
            out.replace_range(end.start - base..end.end - base, &format!("</{new}>"));
        }
        let start = child.span().start - base + 1;
        out.replace_range(start..start + qualified.len(), &new);
    }
    out
}
