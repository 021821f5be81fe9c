//! The edit that a step about lists, tasks, tables and marks means in a document as it stands.

use std::ops::Range;

use edit::{OrEmpty, Refusal};
use markdown::{Edit, Kind, ListOperation, Mark, Node, NodeId, TableAt, TableOperation, View};
use planner::{Flavour, MarkdownStep, Row};

use super::section;
use super::sections::{spliced, spoken};
use crate::requests::order;

pub(super) fn edit(view: &View, step: &MarkdownStep) -> Result<Edit, Refusal> {
    match step {
        MarkdownStep::Mark { text, all, mark, grounds } => mark_toggled(view, text, *all, *mark, grounds),
        MarkdownStep::Link { text, to } => {
            let mut ranges = places(view, text, false)?;
            Ok(Edit::SetLink { range: ranges.remove(0), href: to.clone(), title: None })
        }
        MarkdownStep::Tick { task, done, place } => tick(view, task.as_deref(), *done, place.as_ref()),
        MarkdownStep::AddItem { text, under, task } => item_added(view, text, under.as_deref(), *task),
        MarkdownStep::DeleteItem { text, under } => {
            let (list, index) = item(view, under.as_deref(), text)?;
            Ok(Edit::List { node: list, operations: vec![ListOperation::DeleteItem { index }] })
        }
        MarkdownStep::AddRow { cells, under } => row_added(view, cells, under.as_deref()),
        MarkdownStep::DeleteRow { row, under } => rows_deleted(view, row, under.as_deref()),
        MarkdownStep::SortTable { column, descending, under } => {
            sort(view, column, *descending, under.as_deref())
        }
        MarkdownStep::ListToTable { under } => list_to_table(view, under.as_deref()),
        _ => Err(Refusal::internal("no step about blocks")),
    }
}

fn mark_toggled(
    view: &View,
    text: &str,
    all: bool,
    mark: Flavour,
    grounds: &[planner::Ground],
) -> Result<Edit, Refusal> {
    let mark = match mark {
        Flavour::Bold => Mark::Bold,
        Flavour::Italic => Mark::Italic,
        Flavour::Code => Mark::Code,
        Flavour::Strike => Mark::Strike,
        Flavour::Link => return Err(Refusal::internal("a link without an address")),
    };
    let inside = super::ground::ranges(view, grounds)?;
    let ranges = match grounds.is_empty() {
        true => places(view, text, all)?,
        false => {
            let mut found = places(view, text, true)?;
            found.retain(|own| inside.iter().any(|range| range.start <= own.start && own.end <= range.end));
            match found.len() {
                0 => return Err(Refusal::not_found("text", format!("{text} in that place"))),
                1 => found,
                _ if all => found,
                count => {
                    return Err(Refusal::Ambiguous {
                        text: text.to_owned(),
                        count,
                        within: "that place".to_owned(),
                        contexts: Vec::new(),
                    });
                }
            }
        }
    };
    // Marking what is marked already would take the mark off.
    let fresh = ranges.into_iter().filter(|range| !marked(view, range, mark));
    let mut edits: Vec<Edit> = fresh.map(|range| Edit::ToggleMark { range, mark }).collect();
    Ok(match edits.len() {
        0 => spliced(view, Vec::new()),
        1 => edits.remove(0),
        _ => Edit::Group { edits },
    })
}

fn item_added(view: &View, text: &str, under: Option<&str>, task: bool) -> Result<Edit, Refusal> {
    let list = match (only(view, under, "list", |kind| matches!(kind, Kind::List(_))), task) {
        // A task goes to the only list of tasks.
        (Err(refusal @ Refusal::Ambiguous { .. }), true) => {
            let tasks = view.nodes().filter(|(_, node)| {
                matches!(node.kind(), Kind::List(_))
                    && node.children().any(|item| matches!(item.kind(), Kind::Item(Some(_))))
            });
            let mut tasks = tasks.filter_map(|(id, _)| id);
            match (tasks.next(), tasks.next(), under) {
                (Some(only), None, None) => only,
                _ => return Err(refusal),
            }
        }
        (list, _) => list?,
    };
    let tasks = view.node(list)?.children().any(|item| matches!(item.kind(), Kind::Item(Some(_))));
    let checked = (task || tasks).then_some(false);
    Ok(Edit::List {
        node: list,
        operations: vec![ListOperation::AddItem { at: None, content: text.to_owned(), checked }],
    })
}

fn row_added(view: &View, cells: &[String], under: Option<&str>) -> Result<Edit, Refusal> {
    let table = super::places::table(view, under)?;
    let columns = grid(&view.node(table)?).first().map_or(0, Vec::len);
    if cells.len() > columns {
        return Err(Refusal::invalid(
            "row",
            format!("{} texts", cells.len()),
            format!("at most {columns} columns"),
        ));
    }
    Ok(table_edit(table, vec![TableOperation::AddRow { at: None, cells: cells.to_vec() }]))
}

fn rows_deleted(view: &View, row: &Row, under: Option<&str>) -> Result<Edit, Refusal> {
    let table = super::places::table(view, under)?;
    let rows = grid(&view.node(table)?).len();
    let at = match row {
        // Counted below the header, as people do.
        Row::Nth(number) => *number,
        Row::Last => rows.saturating_sub(1),
        Row::Span(..) | Row::LastOf(_) => {
            let (from, to) = match row {
                Row::Span(from, to) => (*from, *to),
                Row::LastOf(count) => (rows.saturating_sub(*count), rows.saturating_sub(1)),
                _ => (0, 0),
            };
            if from == 0 || to >= rows || from > to {
                return Err(Refusal::NotFound {
                    what: "rows",
                    id: format!("{from} to {to}"),
                    nearest: vec![format!("the table has {} rows below its header", rows.saturating_sub(1))],
                });
            }
            let operations = (from..=to).rev().map(|at| TableOperation::DeleteRow { at }).collect();
            return Ok(table_edit(table, operations));
        }
        Row::Named(text) => super::places::row(&grid(&view.node(table)?), text)?,
    };
    if at == 0 || at >= rows {
        return Err(Refusal::NotFound {
            what: "row",
            id: at.to_string(),
            nearest: vec![format!("the table has {} rows below its header", rows.saturating_sub(1))],
        });
    }
    Ok(table_edit(table, vec![TableOperation::DeleteRow { at }]))
}

pub(super) fn table_edit(table: NodeId, operations: Vec<TableOperation>) -> Edit {
    Edit::Table { table: TableAt::Node(table), operations }
}

pub(super) fn places(view: &View, text: &str, all: bool) -> Result<Vec<Range<usize>>, Refusal> {
    let found = spoken(view, text, &(0..view.len()), &|_| true)?;
    match found.len() {
        0 => Err(Refusal::not_found("text", text)),
        count if count > 1 && !all => Err(Refusal::Ambiguous {
            text: text.to_owned(),
            count,
            within: "the document".to_owned(),
            contexts: found
                .iter()
                .take(6)
                .map(|found| {
                    view.slice(view.line_start(found.range.start)..view.line_end(found.range.start))
                        .trim()
                        .to_owned()
                })
                .collect(),
        }),
        _ => Ok(found.into_iter().map(|found| found.range).collect()),
    }
}

fn marked(view: &View, range: &Range<usize>, mark: Mark) -> bool {
    let node = view.node_at(range.start);
    let leaf = node.and_then(|node| node.leaf());
    leaf.is_some_and(|leaf| {
        leaf.spans.iter().any(|span| {
            span.kind == markdown::SpanKind::Mark(mark)
                && span.outer.start <= range.start
                && range.end <= span.outer.end
        })
    })
}

/// The only block of a kind, in the document or in a section.
pub(super) fn only(
    view: &View,
    under: Option<&str>,
    what: &'static str,
    fits: impl Fn(Kind) -> bool,
) -> Result<NodeId, Refusal> {
    let within = match under {
        Some(name) => markdown::section(view, section(view, name)?)?.range,
        None => 0..view.len(),
    };
    let inside = view.nodes().filter(|(_, node)| {
        let range = node.range();
        // A list inside a list is part of it.
        fits(node.kind())
            && within.start <= range.start
            && range.end <= within.end
            && !node.ancestors().any(|outer| fits(outer.kind()))
    });
    let found: Vec<(NodeId, String)> =
        inside.filter_map(|(id, node)| Some((id?, first_line(&node)))).collect();
    match found.as_slice() {
        [(id, _)] => Ok(*id),
        [] => Err(Refusal::not_found(what, under.unwrap_or("the document"))),
        several => Err(Refusal::Ambiguous {
            text: format!("the {what}"),
            count: several.len(),
            within: under.map_or_else(|| "the document".to_owned(), |name| format!("the section {name}")),
            contexts: several.iter().take(6).map(|(_, line)| line.clone()).collect(),
        }),
    }
}

fn first_line(node: &Node<'_>) -> String {
    node.source().lines().next().unwrap_or("").trim().to_owned()
}

/// The text of an item without the lists inside it.
pub(super) fn own_text(item: &Node<'_>) -> String {
    item.children()
        .filter(|child| !matches!(child.kind(), Kind::List(_)))
        .map(|child| child.plain())
        .collect::<Vec<_>>()
        .join(" ")
        .trim()
        .to_owned()
}

/// A list and the item of it that says so.
fn item(view: &View, under: Option<&str>, text: &str) -> Result<(NodeId, usize), Refusal> {
    let within = match under {
        Some(name) => markdown::section(view, section(view, name)?)?.range,
        None => 0..view.len(),
    };
    let wanted = text.trim().to_lowercase();
    let (mut exact, mut partly) = (Vec::new(), Vec::new());
    for (id, node) in view.nodes() {
        let (Some(id), Kind::List(_)) = (id, node.kind()) else { continue };
        if node.range().start < within.start || within.end < node.range().end {
            continue;
        }
        for (index, item) in node.children().enumerate() {
            let own = own_text(&item).to_lowercase();
            if own == wanted {
                exact.push((id, index, own));
            } else if own.contains(&wanted) {
                partly.push((id, index, own));
            }
        }
    }
    let found = if exact.is_empty() { partly } else { exact };
    match found.as_slice() {
        [(list, index, _)] => Ok((*list, *index)),
        [] => Err(Refusal::not_found("item", text)),
        several => Err(Refusal::Ambiguous {
            text: text.to_owned(),
            count: several.len(),
            within: "the lists".to_owned(),
            contexts: several.iter().take(6).map(|(_, _, own)| own.clone()).collect(),
        }),
    }
}

fn tick(
    view: &View,
    task: Option<&str>,
    done: bool,
    place: Option<&planner::Ground>,
) -> Result<Edit, Refusal> {
    let within = match place {
        Some(planner::Ground::Section(name)) => markdown::section(view, section(view, name)?)?.range,
        Some(place) => super::ground::single(view, place)?,
        None => 0..view.len(),
    };
    if let Some(task) = task {
        let (list, index) = item(view, None, task)?;
        let node = view.node(list)?;
        if !node.children().nth(index).is_some_and(|item| matches!(item.kind(), Kind::Item(Some(_)))) {
            return Err(Refusal::Unsupported {
                what: format!("ticking \"{task}\", which is no task,"),
                instead: None,
            });
        }
        return Ok(Edit::List {
            node: list,
            operations: vec![ListOperation::SetChecked { index, checked: Some(done) }],
        });
    }
    let mut edits = Vec::new();
    for (id, node) in view.nodes() {
        let (Some(id), Kind::List(_)) = (id, node.kind()) else { continue };
        if node.range().start < within.start || within.end < node.range().end {
            continue;
        }
        let open = node.children().enumerate().filter(|(_, item)| item.kind() == Kind::Item(Some(!done)));
        let operations: Vec<ListOperation> =
            open.map(|(index, _)| ListOperation::SetChecked { index, checked: Some(done) }).collect();
        if !operations.is_empty() {
            edits.push(Edit::List { node: id, operations });
        }
    }
    match edits.len() {
        0 => Err(Refusal::not_found("task", if done { "open" } else { "done" })),
        1 => Ok(edits.remove(0)),
        _ => Ok(Edit::Group { edits }),
    }
}

/// The cells of a table as they are written, the header first.
pub(super) fn grid(table: &Node<'_>) -> Vec<Vec<String>> {
    let rows = table.children().filter(|row| matches!(row.kind(), Kind::TableHead | Kind::TableRow));
    rows.map(|row| row.children().map(|cell| cell.source().trim().to_owned()).collect()).collect()
}

/// Rows as whole lines in order, so that each keeps its very bytes.
fn sort(view: &View, column: &str, descending: bool, under: Option<&str>) -> Result<Edit, Refusal> {
    let table = super::places::table(view, under)?;
    let node = view.node(table)?;
    let cells = grid(&node);
    let header = cells.first().cloned().or_empty();
    let found: Vec<usize> = (0..header.len()).filter(|at| header[*at].eq_ignore_ascii_case(column)).collect();
    let [at] = found.as_slice() else {
        return Err(Refusal::NotFound { what: "column", id: column.to_owned(), nearest: header });
    };
    let rows: Vec<Range<usize>> =
        node.children().filter(|row| row.kind() == Kind::TableRow).map(|row| row.range()).collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order::sort(&mut order, descending, |index| {
        cells.get(index + 1).and_then(|row| row.get(*at)).cloned().or_empty()
    });
    let splices = order.iter().zip(&rows).map(|(from, to)| {
        let text = rows.get(*from).map(|range| view.slice(range.clone()).into_owned()).or_empty();
        (to.clone(), text)
    });
    let changed = splices.filter(|(range, text)| view.slice(range.clone()) != *text).collect();
    Ok(spliced(view, changed))
}

fn list_to_table(view: &View, under: Option<&str>) -> Result<Edit, Refusal> {
    let list = only(view, under, "list", |kind| matches!(kind, Kind::List(_)))?;
    let node = view.node(list)?;
    if node.children().any(|item| item.children().count() != 1) {
        return Err(Refusal::Unsupported {
            what: "a table from a list with lists or several paragraphs in it".to_owned(),
            instead: None,
        });
    }
    let items: Vec<String> = node
        .children()
        .filter_map(|item| {
            item.children().next().map(|text| text.source().replace(['\n', '\r'], " ").replace('|', "\\|"))
        })
        .collect();
    let separator = [": ", " – ", " — ", " - "]
        .iter()
        .find(|mark| items.iter().all(|text| text.matches(**mark).count() == 1));
    let rows: Vec<Vec<&str>> = items
        .iter()
        .map(|text| match separator.and_then(|mark| text.split_once(*mark)) {
            Some((left, right)) => vec![left.trim(), right.trim()],
            None => vec![text.trim()],
        })
        .collect();
    let columns = rows.first().map_or(1, Vec::len);
    let line = |cells: &[&str]| format!("| {} |", cells.join(" | "));
    let mut lines = vec![line(&vec![" "; columns]), line(&vec!["---"; columns])];
    lines.extend(rows.iter().map(|row| line(row)));
    Ok(spliced(view, vec![(node.range(), lines.join(view.eol()))]))
}
