//! Blocks, cells and fields that a step names by what they are, as edits of a document as it stands.

use std::ops::Range;

use edit::{Cut, OrEmpty, Refusal};
use markdown::{BlockType, Edit, Kind, ListOperation, Mark, Node, NodeId, SpanKind, TableOperation, View};
use planner::{BlockAct, BlockKind, Flavour, MarkdownStep, Picked, Shape};

use super::blocks::{grid, only, own_text, places, table_edit};
use super::section;
use super::sections::spliced;

/// Blocks that a refusal names.
const MOST_NAMED: usize = 6;

pub(super) fn edit(view: &View, step: &MarkdownStep) -> Result<Edit, Refusal> {
    match step {
        MarkdownStep::Block { kind, picked, under, act } => {
            if let (BlockAct::Delete, Picked::Span(..) | Picked::LastOf(_)) = (act, picked) {
                return super::lists::delete_items(view, picked, under.as_deref());
            }
            let node = block(view, *kind, picked, under.as_deref())?;
            match act {
                BlockAct::Turn(shape) => Ok(Edit::SetBlock {
                    range: view.node(node)?.range(),
                    to: match shape {
                        Shape::Paragraph => BlockType::Paragraph,
                        Shape::Quote => BlockType::Blockquote,
                        Shape::Code(language) => BlockType::CodeBlock { language: language.clone() },
                        Shape::Heading(level) => BlockType::Heading { level: *level },
                    },
                }),
                BlockAct::Delete => delete(view, *kind, node),
                BlockAct::Tick(done) => {
                    if !matches!(view.node(node)?.kind(), Kind::Item(Some(_))) {
                        return Err(Refusal::Unsupported {
                            what: "ticking an item that is no task".to_owned(),
                            instead: None,
                        });
                    }
                    let (list, index) = item_at(view, node)?;
                    let operations = vec![ListOperation::SetChecked { index, checked: Some(*done) }];
                    Ok(Edit::List { node: list, operations })
                }
                BlockAct::Say(text) => say(view, *kind, node, text),
                BlockAct::Beside { text, after } => {
                    let (list, index) = item_at(view, node)?;
                    let at = Some(if *after { index + 1 } else { index });
                    let checked = matches!(view.node(node)?.kind(), Kind::Item(Some(_))).then_some(false);
                    let operations = vec![ListOperation::AddItem { at, content: text.clone(), checked }];
                    Ok(Edit::List { node: list, operations })
                }
                BlockAct::Read => Err(Refusal::internal("a question changes nothing")),
            }
        }
        MarkdownStep::AddColumn { name, beside, under } => {
            let table = table(view, under.as_deref())?;
            let at = match beside {
                Some((other, after)) => Some(column(&grid(&view.node(table)?), other)? + usize::from(*after)),
                None => None,
            };
            let operation = TableOperation::AddColumn { at, header: name.clone(), cells: Vec::new() };
            Ok(table_edit(table, vec![operation]))
        }
        MarkdownStep::DeleteColumn { name, under } => {
            let table = table(view, under.as_deref())?;
            let at = column(&grid(&view.node(table)?), name)?;
            Ok(table_edit(table, vec![TableOperation::DeleteColumn { at }]))
        }
        MarkdownStep::RenameColumn { name, to, under } => {
            let table = table(view, under.as_deref())?;
            let column = column(&grid(&view.node(table)?), name)?;
            Ok(table_edit(table, vec![TableOperation::SetCell { row: 0, column, content: to.clone() }]))
        }
        MarkdownStep::InsertBeside { text, anchor, after, grounds } => {
            super::ground::beside(view, text, anchor, *after, grounds)
        }
        MarkdownStep::SetCell { column: name, row: key, text, under, was } => {
            let table = table(view, under.as_deref())?;
            let cells = grid(&view.node(table)?);
            let (row, column) = (row(&cells, key)?, column(&cells, name)?);
            let own = cells.get(row).and_then(|row| row.get(column)).map_or("", String::as_str);
            if let Some(was) = was
                && !own.trim().eq_ignore_ascii_case(was.trim())
            {
                return Err(Refusal::NotFound {
                    what: "text",
                    id: was.clone(),
                    nearest: vec![format!("that cell says `{own}`, so nothing was changed")],
                });
            }
            Ok(table_edit(table, vec![TableOperation::SetCell { row, column, content: text.clone() }]))
        }
        MarkdownStep::Unmark { text, mark } => unmark(view, text, *mark),
        MarkdownStep::Prepend { text } => {
            let outline = markdown::outline(view);
            let title = outline.iter().find(|heading| heading.level == 1).or(outline.first());
            let title = title.ok_or_else(|| Refusal::not_found("heading", "the title"))?;
            Ok(Edit::InsertAfter { node: title.id, content: text.clone() })
        }
        MarkdownStep::Field { name, value } => field(view, name, value),
        _ => Err(Refusal::internal("no step about places")),
    }
}

/// A cell by its row and column, of the only table that has both.
pub(super) fn read_cell(view: &View, name: &str, key: &str) -> Result<Vec<String>, Refusal> {
    let mut found = Vec::new();
    let mut why = None;
    for (id, node) in view.nodes() {
        let (Some(_), Kind::Table) = (id, node.kind()) else { continue };
        let cells = grid(&node);
        match (row(&cells, key), column(&cells, name)) {
            (Ok(row), Ok(column)) => {
                found.extend(cells.get(row).and_then(|row| row.get(column)).cloned());
            }
            (Err(refusal), _) | (_, Err(refusal)) => why = Some(refusal),
        }
    }
    match (found.len(), why) {
        (1, _) => Ok(found),
        (0, Some(why)) => Err(why),
        (0, None) => Err(Refusal::not_found("table", "the document")),
        (count, _) => Err(Refusal::Ambiguous {
            text: format!("{name} of {key}"),
            count,
            within: "the tables".to_owned(),
            contexts: found,
        }),
    }
}

/// A field of the front matter as it is written.
pub(super) fn read_field(view: &View, name: &str) -> Result<String, Refusal> {
    let missing =
        || Refusal::NotFound { what: "field of the front matter", id: name.to_owned(), nearest: Vec::new() };
    let matter =
        view.nodes().find(|(_, node)| node.kind() == Kind::FrontMatter).map(|(_, node)| node.range());
    let own = view.slice(matter.ok_or_else(missing)?);
    let mut lines = own.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    match (lines.next(), lines.next()) {
        (Some(value), None) if !value.trim().is_empty() => Ok(value.trim().to_owned()),
        _ => Err(missing()),
    }
}

/// What a block says, for answers.
pub(super) fn read(
    view: &View,
    kind: BlockKind,
    picked: &Picked,
    under: Option<&str>,
) -> Result<Vec<String>, Refusal> {
    let node = view.node(block(view, kind, picked, under)?)?;
    Ok(match kind {
        BlockKind::Item | BlockKind::Task => vec![own_text(&node)],
        _ => node.source().trim().lines().map(str::to_owned).collect(),
    })
}

fn fits(kind: BlockKind, node: &Node<'_>) -> bool {
    let inside = |wanted: &[Kind]| node.ancestors().any(|outer| wanted.contains(&outer.kind()));
    match (kind, node.kind()) {
        (BlockKind::Quote, Kind::Quote) => !inside(&[Kind::Quote]),
        (BlockKind::Code, Kind::Code(_)) => true,
        // Text that stands by itself, as people count paragraphs.
        (BlockKind::Paragraph, Kind::Paragraph) => node.ancestors().next().is_none(),
        (BlockKind::Footnote, Kind::Footnote)
        | (BlockKind::Rule, Kind::Rule)
        | (BlockKind::Image, Kind::Image) => true,
        (BlockKind::FrontMatter, Kind::FrontMatter) => true,
        (BlockKind::Task, Kind::Item(Some(_))) => true,
        (BlockKind::Item, Kind::Item(_)) => {
            !node.ancestors().any(|outer| matches!(outer.kind(), Kind::Item(_)))
        }
        _ => false,
    }
}

/// The block that is meant, in the document or in a section. Items are counted in one list.
pub(super) fn block(
    view: &View,
    kind: BlockKind,
    picked: &Picked,
    under: Option<&str>,
) -> Result<NodeId, Refusal> {
    let within = match under {
        Some(name) => markdown::section(view, section(view, name)?)?.range,
        None => 0..view.len(),
    };
    let inside = |node: &Node<'_>| {
        let range = node.range();
        within.start <= range.start && range.end <= within.end
    };
    let mut found: Vec<(NodeId, String, Option<Range<usize>>)> = Vec::new();
    for (id, node) in view.nodes() {
        let Some(id) = id.filter(|_| inside(&node) && fits(kind, &node)) else { continue };
        let list = node.ancestors().next().map(|outer| outer.range());
        let line = node.source().lines().next().unwrap_or("").trim().to_owned();
        found.push((id, line, list));
    }
    let named = format!("{kind:?}").to_lowercase();
    let ambiguous = |contexts: Vec<String>, count: usize| Refusal::Ambiguous {
        text: format!("the {named}"),
        count,
        within: under.map_or_else(|| "the document".to_owned(), |name| format!("the section {name}")),
        contexts,
    };
    let told = |found: &[(NodeId, String, Option<Range<usize>>)]| -> Vec<String> {
        found.iter().take(MOST_NAMED).map(|(_, line, _)| line.clone()).collect()
    };
    // By its text: the whole of it before a part.
    if let Picked::With(text) = picked {
        let wanted = text.trim().to_lowercase();
        let said = |id: &NodeId| -> Option<String> {
            let node = view.node(*id).ok()?;
            Some(
                match kind {
                    BlockKind::Item | BlockKind::Task => own_text(&node),
                    _ => node.plain(),
                }
                .trim()
                .to_lowercase(),
            )
        };
        let own: Vec<(NodeId, String, String)> =
            found.iter().filter_map(|(id, line, _)| Some((*id, line.clone(), said(id)?))).collect();
        let whole = |own: &str| {
            own.trim_end_matches(['.', ',', ';', ':']) == wanted.trim_end_matches(['.', ',', ';', ':'])
        };
        let word = |own: &str| {
            let looked = crate::requests::rule::Looked { case: false, whole: true };
            !crate::requests::rule::places(own, &wanted, looked).is_empty()
        };
        let exact: Vec<_> = own.iter().filter(|(_, _, own)| whole(own)).collect();
        let partly: Vec<_> = own.iter().filter(|(_, _, own)| word(own)).collect();
        return match (exact.as_slice(), partly.as_slice()) {
            ([(id, ..)], _) | ([], [(id, ..)]) => Ok(*id),
            ([], []) => Err(Refusal::not_found(kind.noun(), text.as_str())),
            ([], several) | (several, _) => Err(ambiguous(
                several.iter().take(MOST_NAMED).map(|(_, line, _)| line.clone()).collect(),
                several.len(),
            )),
        };
    }
    // "Step 2" is one of one list; "the first task" too.
    if matches!(kind, BlockKind::Item | BlockKind::Task)
        && found.iter().any(|(_, _, list)| *list != found[0].2)
    {
        // Numbered steps, where only one list counts.
        let ordered = |id: &NodeId| {
            let list = view.node(*id).ok()?.ancestors().next()?;
            Some(list.source().trim_start().starts_with(|c: char| c.is_ascii_digit()))
        };
        let counted: Vec<_> = found.iter().filter(|(id, ..)| ordered(id) == Some(true)).cloned().collect();
        let one = counted.first().is_some_and(|first| counted.iter().all(|item| item.2 == first.2));
        match kind == BlockKind::Item && one {
            true => found = counted,
            false => return Err(ambiguous(told(&found), found.len())),
        }
    }
    let count = found.len();
    let at = match picked {
        Picked::Only if count > 1 => return Err(ambiguous(told(&found), count)),
        Picked::Only => 0,
        Picked::Nth(at) => *at,
        Picked::Last => count.saturating_sub(1),
        Picked::With(_) | Picked::Span(..) | Picked::LastOf(_) => {
            return Err(Refusal::Unsupported {
                what: "this with several blocks at once".to_owned(),
                instead: None,
            });
        }
    };
    found.into_iter().nth(at).map(|(id, ..)| id).ok_or_else(|| Refusal::NotFound {
        what: "block",
        id: named,
        nearest: vec![format!("there are {count}")],
    })
}

pub(super) fn item_at(view: &View, node: NodeId) -> Result<(NodeId, usize), Refusal> {
    let own = view.node(node)?.range();
    for (id, list) in view.nodes() {
        let (Some(id), Kind::List(_)) = (id, list.kind()) else { continue };
        if let Some(index) = list.children().position(|item| item.range() == own) {
            return Ok((id, index));
        }
    }
    Err(Refusal::internal("an item without a list"))
}

fn delete(view: &View, kind: BlockKind, node: NodeId) -> Result<Edit, Refusal> {
    match kind {
        BlockKind::Item | BlockKind::Task => {
            let (list, index) = item_at(view, node)?;
            Ok(Edit::List { node: list, operations: vec![ListOperation::DeleteItem { index }] })
        }
        BlockKind::Footnote => Err(Refusal::Unsafe {
            why: "the text of a footnote would be gone and its mark would stay".to_owned(),
            instead: Some("delete the mark first, as in: delete '[^1]'".to_owned()),
        }),
        _ => Ok(Edit::Delete { node }),
    }
}

fn say(view: &View, kind: BlockKind, node: NodeId, text: &str) -> Result<Edit, Refusal> {
    match kind {
        BlockKind::Item | BlockKind::Task => {
            let (list, index) = item_at(view, node)?;
            let content = text.to_owned();
            Ok(Edit::List { node: list, operations: vec![ListOperation::SetItem { index, content }] })
        }
        BlockKind::Rule | BlockKind::Image | BlockKind::FrontMatter => Err(Refusal::Unsupported {
            what: "a new text for this block in a plain request".to_owned(),
            instead: None,
        }),
        _ => Ok(Edit::Update { node, content: text.to_owned() }),
    }
}

/// The only table, or the one under a heading, or with a word at its head.
pub(super) fn table(view: &View, under: Option<&str>) -> Result<NodeId, Refusal> {
    let found = only(view, under, "table", |kind| kind == Kind::Table);
    match (found, under) {
        (Err(Refusal::NotFound { what: "section", .. }), Some(word)) => {
            let table = only(view, None, "table", |kind| kind == Kind::Table)?;
            let header = grid(&view.node(table)?).first().cloned().or_empty();
            let known = header.iter().any(|text| text.to_lowercase().contains(&word.to_lowercase()));
            known.then_some(table).ok_or_else(|| Refusal::not_found("table", word))
        }
        (found, _) => found,
    }
}

fn named(texts: &[String], name: &str, what: &'static str) -> Result<usize, Refusal> {
    let same = |text: &&String| text.trim().eq_ignore_ascii_case(name.trim());
    let mut found = texts.iter().enumerate().filter(|(_, text)| same(text));
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Ok(at),
        _ => Err(Refusal::NotFound { what, id: name.to_owned(), nearest: texts.to_vec() }),
    }
}

fn column(cells: &[Vec<String>], name: &str) -> Result<usize, Refusal> {
    named(cells.first().map_or(&[][..], Vec::as_slice), name, "column")
}

/// The row that begins with a text; "level 2" is the row 2 of the column Level.
pub(super) fn row(cells: &[Vec<String>], key: &str) -> Result<usize, Refusal> {
    let corner = cells.first().and_then(|header| header.first()).cloned().or_empty().to_lowercase();
    let bare = key.trim().to_lowercase();
    let bare = bare.strip_prefix(&corner).filter(|_| !corner.is_empty()).unwrap_or(&bare).trim().to_owned();
    let keys: Vec<String> = cells.iter().skip(1).filter_map(|row| row.first().cloned()).collect();
    let at = named(&keys, key, "row").or_else(|refusal| named(&keys, &bare, "row").map_err(|_| refusal))?;
    Ok(at + 1)
}

fn unmark(view: &View, text: &str, mark: Flavour) -> Result<Edit, Refusal> {
    let mut ranges = places(view, text, false)?;
    let range = ranges.swap_remove(0);
    if mark == Flavour::Link {
        return Ok(Edit::RemoveLink { range });
    }
    let wanted = match mark {
        Flavour::Bold => Mark::Bold,
        Flavour::Italic => Mark::Italic,
        Flavour::Code => Mark::Code,
        Flavour::Strike | Flavour::Link => Mark::Strike,
    };
    let leaf = view.node_at(range.start).and_then(|node| node.leaf());
    let marked = leaf.is_some_and(|leaf| {
        leaf.spans.iter().any(|span| {
            span.kind == SpanKind::Mark(wanted)
                && span.outer.start <= range.start
                && range.end <= span.outer.end
        })
    });
    match marked {
        true => Ok(Edit::ToggleMark { range, mark: wanted }),
        false => Ok(spliced(view, Vec::new())),
    }
}

/// A plain field of the front matter that is there gets another value.
fn field(view: &View, name: &str, value: &str) -> Result<Edit, Refusal> {
    let text = view.text();
    let matter =
        view.nodes().find(|(_, node)| node.kind() == Kind::FrontMatter).map(|(_, node)| node.range());
    let missing =
        || Refusal::NotFound { what: "field of the front matter", id: name.to_owned(), nearest: Vec::new() };
    let matter = matter.ok_or_else(missing)?;
    let own = text.cut(matter.clone())?;
    let mut at = matter.start;
    let mut found = Vec::new();
    for line in own.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        if let Some(old) = bare.strip_prefix(name).and_then(|rest| rest.strip_prefix(':')) {
            let blank = old.len() - old.trim_start().len();
            let start = at + name.len() + 1 + blank;
            found.push((start..at + bare.len(), old.trim().to_owned(), blank));
        }
        at += line.len();
    }
    let [(range, old, blank)] = found.as_slice() else { return Err(missing()) };
    let plain = |text: &str| {
        !text.is_empty()
            && !text.starts_with(['[', '{', '|', '>', '"', '\'', '&', '*', '!', '#', '%', '@', '`', '-'])
            && !text.contains([':', '#', '\n'])
    };
    if !plain(old) || !plain(value) {
        return Err(Refusal::Unsupported {
            what: format!("the field {name}, which is more than plain words,"),
            instead: Some("edit the front matter itself".to_owned()),
        });
    }
    let lead = if *blank == 0 { " " } else { "" };
    Ok(spliced(view, vec![(range.clone(), format!("{lead}{value}"))]))
}
