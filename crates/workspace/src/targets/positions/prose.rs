//! Positions in a Markdown document: its blocks that hold text by number, any block by id, and what is quoted.
//!
//! Characters are those of the source, marks included, because that is what an edit writes.

use std::ops::Range;

use edit::Refusal;
use markdown::{Case, Edit, Kind, Node, NodeId, View, Which, Within};

use super::{
    Act, Meant, NamedPlace, Position, PositionedChange, Side, bytes_of, not_in, only_place, too_far,
};
use crate::targets::block;

pub(crate) fn prose_edit(
    view: &View,
    change: &PositionedChange,
    named: NamedPlace<'_>,
) -> Result<Edit, Refusal> {
    match (&change.position, named) {
        (Position::Range(_), Some(range)) => stretch(view, range.range.clone(), change),
        (Position::Text { text, before, after }, _) => quoted(view, (text, before, after), change),
        _ => {
            let node = node_of(view, &change.position)?;
            in_block(view, &node, change)
        }
    }
}

/// The blocks that hold text, in the order of the document: headings, paragraphs, code and the like. A table is one.
pub(crate) fn text_blocks(view: &View) -> impl Iterator<Item = Node<'_>> {
    view.nodes().map(|(_, node)| node).filter(|node| match node.kind() {
        Kind::Table => true,
        Kind::TableHead | Kind::TableRow | Kind::TableCell => false,
        kind => !kind.is_container(),
    })
}

fn node_of<'v>(view: &'v View, position: &Position) -> Result<Node<'v>, Refusal> {
    match position {
        Position::Paragraph(index) => {
            text_blocks(view).nth(*index).ok_or_else(|| too_far(*index, text_blocks(view).count()))
        }
        Position::Block(name) => {
            // What revision its mark says has been seen to.
            let marked = name.rsplit_once('@').filter(|(id, _)| id.parse::<NodeId>().is_ok());
            view.node(block(view, marked.map_or(name.as_str(), |(id, _)| id))?)
        }
        Position::ParagraphId(_) => {
            Err(not_in("paragraph_id", "a Markdown document", "name a block by block_id"))
        }
        Position::Cell(_) => Err(not_in(
            "cell",
            "a Markdown document",
            "quote the text of the cell, or name its table by block_id",
        )),
        Position::Range(_) | Position::Text { .. } => {
            Err(Refusal::internal("a range and a text are no block"))
        }
    }
}

fn in_block(view: &View, node: &Node<'_>, change: &PositionedChange) -> Result<Edit, Refusal> {
    let id = node.id().ok_or_else(|| Refusal::internal("a block that holds text has no name"))?;
    Ok(match change.meant()? {
        Meant::Whole(content) => Edit::Update { node: id, content },
        Meant::DeleteWhole => Edit::Delete { node: id },
        Meant::Beside(Side::Before, content) => Edit::InsertBefore { node: id, content },
        Meant::Beside(Side::After, content) => Edit::InsertAfter { node: id, content },
        Meant::Part(characters, content) => {
            if content.contains('\n') && node.parent().is_some() {
                return Err(Refusal::Unsupported {
                    what: "a line end inside a block of a list, a quote or the like".to_owned(),
                    instead: Some("insert a block beside it with `place`, or replace all of it".to_owned()),
                });
            }
            let source = node.source();
            let within = bytes_of(&source, characters)?;
            let start = node.range().start;
            spliced(view, start + within.start..start + within.end, content)?
        }
    })
}

/// A text by what it says. What stands there in another spelling, such as across formatting, is found as tools find it.
fn quoted(
    view: &View,
    (text, before, after): (&str, &str, &str),
    change: &PositionedChange,
) -> Result<Edit, Refusal> {
    let source = view.text();
    match only_place(&source, text, before, after) {
        Ok(range) => stretch(view, range, change),
        Err(Refusal::NotFound { .. })
            if before.is_empty()
                && after.is_empty()
                && change.act != Act::Insert
                && change.side.is_none() =>
        {
            let with = if change.act == Act::Delete { String::new() } else { change.content.clone() };
            let (which, case, within) = (Which::Only, Case::Sensitive, Within::Source);
            Ok(Edit::Substitute { find: text.to_owned(), with, which, case, within })
        }
        Err(refusal) => Err(refusal),
    }
}

/// A change of a stretch of the source: instead of it, or right beside it.
fn stretch(view: &View, range: Range<usize>, change: &PositionedChange) -> Result<Edit, Refusal> {
    if change.characters.is_some() {
        let expected = "no `character`: a range or a text says itself where it is";
        return Err(Refusal::invalid("position.character", "one beside a range or a text", expected));
    }
    match change.meant()? {
        Meant::Whole(content) | Meant::Part(_, content) => spliced(view, range, content),
        Meant::DeleteWhole => spliced(view, range, String::new()),
        Meant::Beside(Side::Before, content) => spliced(view, range.start..range.start, content),
        Meant::Beside(Side::After, content) => spliced(view, range.end..range.end, content),
    }
}

fn spliced(view: &View, range: Range<usize>, content: String) -> Result<Edit, Refusal> {
    if range.end > view.len() || range.start > range.end {
        return Err(Refusal::internal("a position beyond the end of the document"));
    }
    let expect = Some(view.slice(range.clone()).into_owned());
    let with = content.replace("\r\n", "\n").replace('\n', view.eol());
    Ok(Edit::Replace { range, expect, with })
}
