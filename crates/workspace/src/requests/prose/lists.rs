//! Lists as such: items that go, change their places, and lists of another kind.

use edit::{Cut, Refusal};
use markdown::{Edit, Kind, ListOperation, NodeId, View};
use planner::{BlockKind, Ground, ListShape, MarkdownStep, Picked, Spot};

use super::blocks::only;
use super::places::{block, item_at};
use super::sections::spliced;

pub(super) fn edit(view: &View, step: &MarkdownStep) -> Result<Edit, Refusal> {
    match step {
        MarkdownStep::SwapItems { one, other, under } => {
            let (list, one) = place(view, one, under.as_deref())?;
            let (same, other) = place(view, other, under.as_deref())?;
            if list != same {
                return Err(Refusal::invalid("items", "items of two lists", "two items of one list"));
            }
            let (low, high) = (one.min(other), one.max(other));
            if low == high {
                return Err(Refusal::invalid("items", "one item", "two different items"));
            }
            let mut operations = vec![ListOperation::Reorder { from: high, to: low }];
            if low + 1 < high {
                operations.push(ListOperation::Reorder { from: low + 1, to: high });
            }
            Ok(Edit::List { node: list, operations })
        }
        MarkdownStep::MoveItem { item, to, under } => {
            let (list, from) = place(view, item, under.as_deref())?;
            let last = view.node(list)?.children().count().saturating_sub(1);
            let beside = |other: &Picked| -> Result<usize, Refusal> {
                let (same, at) = place(view, other, under.as_deref())?;
                match same == list {
                    true => Ok(at),
                    false => Err(Refusal::invalid("items", "items of two lists", "two items of one list")),
                }
            };
            let to = match to {
                Spot::First => 0,
                Spot::Last => last,
                Spot::Before(other) => {
                    let at = beside(other)?;
                    if from < at { at - 1 } else { at }
                }
                Spot::After(other) => {
                    let at = beside(other)?;
                    if from <= at { at } else { at + 1 }
                }
            };
            if from == to {
                return Ok(spliced(view, Vec::new()));
            }
            Ok(Edit::List { node: list, operations: vec![ListOperation::Reorder { from, to }] })
        }
        MarkdownStep::SortList { under, descending } => {
            let list = only(view, under.as_deref(), "list", |kind| matches!(kind, Kind::List(_)))?;
            let items: Vec<String> =
                view.node(list)?.children().map(|item| super::blocks::own_text(&item)).collect();
            let mut order: Vec<usize> = (0..items.len()).collect();
            crate::requests::order::sort(&mut order, *descending, |at| {
                items.get(*at).cloned().unwrap_or_default()
            });
            // Each item in turn goes to its place, in front of those that are not placed yet.
            let mut now: Vec<usize> = (0..items.len()).collect();
            let mut operations = Vec::new();
            for (to, item) in order.into_iter().enumerate() {
                let Some(from) = now.iter().position(|own| *own == item) else { continue };
                if from != to {
                    let moved = now.remove(from);
                    now.insert(to, moved);
                    operations.push(ListOperation::Reorder { from, to });
                }
            }
            match operations.is_empty() {
                true => Ok(spliced(view, Vec::new())),
                false => Ok(Edit::List { node: list, operations }),
            }
        }
        MarkdownStep::ListKind { list, to } => kind(view, list, *to),
        _ => Err(Refusal::internal("no step about lists")),
    }
}

fn place(view: &View, item: &Picked, under: Option<&str>) -> Result<(NodeId, usize), Refusal> {
    item_at(view, block(view, BlockKind::Item, item, under)?)
}

/// Several items that follow each other.
pub(super) fn delete_items(view: &View, picked: &Picked, under: Option<&str>) -> Result<Edit, Refusal> {
    let (list, _) = place(view, &Picked::Nth(0), under)?;
    let count = view.node(list)?.children().count();
    let (from, to) = match picked {
        Picked::Span(from, to) => (*from, *to),
        Picked::LastOf(last) => (count.saturating_sub(*last), count.saturating_sub(1)),
        _ => return Err(Refusal::internal("one item is no several")),
    };
    if to >= count || from > to || matches!(picked, Picked::LastOf(last) if *last > count) {
        return Err(Refusal::NotFound {
            what: "items",
            id: format!("{} to {}", from + 1, to + 1),
            nearest: vec![format!("the list has {count}")],
        });
    }
    let operations = (from..=to).rev().map(|index| ListOperation::DeleteItem { index }).collect();
    Ok(Edit::List { node: list, operations })
}

/// The marks of the items of a list, and of nothing inside them, as other marks.
fn kind(view: &View, list: &Ground, to: ListShape) -> Result<Edit, Refusal> {
    let is_list = |kind: Kind| matches!(kind, Kind::List(_));
    let node = match list {
        Ground::Tasks => {
            let tasks: Vec<NodeId> = view
                .nodes()
                .filter(|(_, node)| {
                    is_list(node.kind())
                        && node.children().any(|item| matches!(item.kind(), Kind::Item(Some(_))))
                })
                .filter_map(|(id, _)| id)
                .collect();
            match tasks.as_slice() {
                [only] => *only,
                [] => return Err(Refusal::not_found("list of tasks", "the document")),
                several => {
                    return Err(Refusal::Ambiguous {
                        text: "the list of tasks".to_owned(),
                        count: several.len(),
                        within: "the document".to_owned(),
                        contexts: Vec::new(),
                    });
                }
            }
        }
        Ground::List(name) => match only(view, name.as_deref(), "list", is_list) {
            // "The steps" are the numbered ones.
            Err(refusal @ Refusal::Ambiguous { .. }) if name.is_none() && to == ListShape::Bullets => {
                let numbered: Vec<NodeId> = view
                    .nodes()
                    .filter(|(_, node)| {
                        is_list(node.kind())
                            && node.ancestors().next().is_none()
                            && node.source().trim_start().starts_with(|c: char| c.is_ascii_digit())
                    })
                    .filter_map(|(id, _)| id)
                    .collect();
                match numbered.as_slice() {
                    [only] => *only,
                    _ => return Err(refusal),
                }
            }
            found => found?,
        },
        _ => return Err(Refusal::internal("no list")),
    };
    let mut splices = Vec::new();
    for (index, item) in view.node(node)?.children().enumerate() {
        let source = item.source();
        let lead = source.len() - source.trim_start().len();
        let mark = source.trim_start();
        let bare = mark.trim_start_matches(|c: char| c.is_ascii_digit());
        let width = match mark.starts_with(['-', '*', '+']) {
            true => 1,
            false => mark.len() - bare.len() + 1,
        };
        let new = match to {
            ListShape::Bullets => "-".to_owned(),
            ListShape::Numbers => format!("{}.", index + 1),
            ListShape::Tasks => "- [ ]".to_owned(),
        };
        let start = item.range().start + lead;
        let rest = mark.left(width);
        let gap = rest.len() - rest.trim_start_matches(' ').len();
        let boxed = ["[ ]", "[x]", "[X]"].iter().any(|mark| rest.trim_start_matches(' ').starts_with(mark));
        // A text of several lines is indented by the width of its mark.
        let several = mark.trim_end().contains('\n');
        let old_width = width + gap;
        let end = match (boxed, to) {
            (true, ListShape::Tasks) => {
                return Err(Refusal::Unsupported {
                    what: "a list of tasks from one that is".to_owned(),
                    instead: None,
                });
            }
            (true, _) => start + width + gap + 3,
            (false, _) => start + width,
        };
        let wide = new.trim_end_matches(" [ ]").len() + 1;
        if several && wide > old_width {
            return Err(Refusal::Unsupported {
                what: "another kind of list where items have several lines".to_owned(),
                instead: Some("change the items one by one".to_owned()),
            });
        }
        let new = match several && to == ListShape::Bullets && wide < old_width {
            true => format!("{new}{}", " ".repeat(old_width - wide)),
            false => new,
        };
        splices.push((start..end, new));
    }
    Ok(spliced(view, splices))
}
