//! List items: their content, their order, their depth.

use std::ops::Range;

use edit::{Blob, Refusal};

use super::numbers::{self, Numbering};
use super::{Draft, text};
use crate::block::{Kind, ListKind, NodeId};
use crate::list::{Bullet, Marker, column as columns, marker};
use crate::prefix::{self, Prefix, lines};
use crate::view::{Node, View};
use crate::vocabulary::ListOperation;

type Splice = (Range<usize>, String);

/// New text for an item, in the place of its text. What stands below that stays: lists, code, pictures, further
/// paragraphs.
pub(super) fn item_content(item: &Node<'_>, content: &str) -> Result<Splice, Refusal> {
    let view = item.view();
    let marker = item_marker(item)?;
    let content = item_text(content, marker.bullet)?;
    fits_task(item, super::node::Snippet::new(&content)?.first)?;
    let own = item.children().next().filter(|child| !matches!(child.kind(), Kind::List(_)));
    let joined = Prefix::of_width(item, &marker).join(&content, view.eol());
    Ok(match own {
        Some(own) => (own.range(), joined),
        None => {
            let at = marker.range.end;
            let apart = view.slice(marker.range.clone()).ends_with([' ', '\t']);
            (at..at, if apart { joined } else { format!(" {joined}") })
        }
    })
}

/// Behind a check box stands text: a heading or a fence would show its marks there.
pub(super) fn fits_task(node: &Node<'_>, first: Option<Kind>) -> Result<(), Refusal> {
    let item = match node.kind() {
        Kind::Item(_) => Some(*node),
        _ => node.parent().filter(|parent| parent.children().next().is_some_and(|child| child.same(node))),
    };
    let task = item.is_some_and(|item| matches!(item.kind(), Kind::Item(Some(_))));
    match first {
        Some(kind) if task && !is_text(kind) => Err(Refusal::Unsafe {
            why: format!(
                "a task item begins with text; the marks of a {} would show behind its check box",
                kind.name()
            ),
            instead: Some("write it as text, or make the item a bullet with list_toggle first".to_owned()),
        }),
        _ => Ok(()),
    }
}

/// The same for text that was changed in its place: it may not begin with a mark that it did not begin with.
pub(super) fn fits_task_as_it_stands(was: Option<&Node<'_>>, now: &Node<'_>) -> Result<(), Refusal> {
    let shown = |node: &Node<'_>| -> Result<Option<Kind>, Refusal> {
        let first = super::node::Snippet::new(&format!("\n{}", node.source()))?.first;
        // Dashes and numbers are words there.
        Ok(first.filter(|kind| !is_text(*kind) && !matches!(kind, Kind::List(_) | Kind::Rule)))
    };
    if !is_text(now.kind()) || !now.parent().is_some_and(|item| matches!(item.kind(), Kind::Item(Some(_)))) {
        return Ok(());
    }
    let first = shown(now)?;
    match first.is_some() && was.map(shown).transpose()?.flatten().is_none() {
        true => fits_task(now, first),
        false => Ok(()),
    }
}

fn is_text(kind: Kind) -> bool {
    matches!(kind, Kind::Paragraph | Kind::Image | Kind::Math)
}

/// A new item behind another, in the style of that one.
pub(super) fn item_behind(item: &Node<'_>, content: &str) -> Result<Splice, Refusal> {
    let (content, checked) = boxed(item, content);
    let text = item_text(content, item_marker(item)?.bullet)?;
    written_behind(item, &text, checked.or(TaskMark::of(content)?))
}

/// What is written behind a check box, where a text for a list of tasks was given with one and no bullet.
fn boxed<'c>(like: &Node<'_>, content: &'c str) -> (&'c str, Option<bool>) {
    let boxes = [("[ ] ", false), ("[x] ", true), ("[X] ", true)];
    let task = matches!(like.kind(), Kind::Item(Some(_)));
    let found = boxes.iter().find_map(|(sign, checked)| Some((content.strip_prefix(sign)?, *checked)));
    match found.filter(|_| task) {
        Some((text, checked)) => (text, Some(checked)),
        None => (content, None),
    }
}

/// An item that stood elsewhere, with its marker.
pub(super) fn moved_behind(item: &Node<'_>, source: &str) -> Result<Splice, Refusal> {
    written_behind(item, &without_marker(source)?, TaskMark::of(source)?)
}

fn written_behind(item: &Node<'_>, content: &str, checked: Option<bool>) -> Result<Splice, Refusal> {
    let view = item.view();
    let marker = item_marker(item)?;
    let checked = checked.or(marker.check.as_ref().map(|_| false));
    if checked.is_some() {
        fits_task(item, super::node::Snippet::new(content)?.first)?;
    }
    let bullet = marker.bullet.next();
    let written = write_item(item, &bullet.text(), checked, content, view.eol());
    let at = view.line_end(item.range().end);
    let gap = gap(item);
    Ok((at..at, format!("{gap}{written}")))
}

/// The line endings between two items of the list: a blank line in a loose list.
fn gap(item: &Node<'_>) -> String {
    let view = item.view();
    let prefix = prefix::of(item);
    let loose = match (item.previous(), item.next()) {
        (_, Some(next)) => Some(view.next_line(item.range().end) < view.line_start(next.range().start)),
        (Some(previous), None) => {
            Some(view.next_line(previous.range().end) < view.line_start(item.range().start))
        }
        _ => None,
    };
    let eol = view.eol();
    match loose {
        Some(true) => format!("{eol}{}{eol}", prefix.blank()),
        _ => eol.to_owned(),
    }
}

/// An item with the indentation of `like`.
fn write_item(like: &Node<'_>, bullet: &str, checked: Option<bool>, content: &str, eol: &str) -> String {
    let outer = super::prefix_of_line(like);
    let check = match checked {
        Some(true) => "[x] ",
        Some(false) => "[ ] ",
        None => "",
    };
    let inner = format!("{outer}{}", " ".repeat(bullet.len() + 1));
    let body = Prefix::of_text(inner).join(content, eol);
    format!("{outer}{bullet} {check}{body}")
}

pub(super) fn item_marker(item: &Node<'_>) -> Result<Marker, Refusal> {
    marker(item).ok_or_else(|| Refusal::internal("a list item without a marker"))
}

struct TaskMark;

impl TaskMark {
    fn of(content: &str) -> Result<Option<bool>, Refusal> {
        let view = View::new(Blob::from(content))?;
        let item = view.top().next().and_then(|list| list.children().next());
        Ok(match item.map(|item| item.kind()) {
            Some(Kind::Item(checked)) => checked,
            _ => None,
        })
    }
}

/// The text of an item as it has to be written behind a marker. It may have been given with one of the list's own;
/// any other is text, as in `2024. A good year`, and so is a row of dashes, which would be a rule.
fn item_text(content: &str, like: Bullet) -> Result<String, Refusal> {
    let content = content.trim_matches(['\n', '\r']);
    let view = View::new(Blob::from(content))?;
    let given = view
        .top()
        .next()
        .and_then(|list| list.children().next())
        .filter(|node| matches!(node.kind(), Kind::Item(_)));
    let own = |bullet: Bullet, task: bool| match (bullet, like) {
        // A dash is how anybody writes an item, whatever the list has.
        (Bullet::Dash('-'), _) => true,
        (Bullet::Dash(found), Bullet::Dash(known)) => found == known || task,
        (Bullet::Number { value, close }, Bullet::Number { value: last, close: known }) => {
            close == known && (value == 1 || value == last || value == last.saturating_add(1))
        }
        (Bullet::Dash(_), Bullet::Number { .. }) => task,
        (Bullet::Number { .. }, Bullet::Dash(_)) => false,
    };
    let text = match given {
        Some(item) => {
            let bullet = item_marker(&item)?.bullet;
            let task = matches!(item.kind(), Kind::Item(Some(_)));
            if own(bullet, task) && !item.source().trim_end().eq(&bullet.text()) {
                without_marker(content)?
            } else {
                let sign = match bullet {
                    Bullet::Dash(_) => 0,
                    Bullet::Number { .. } => bullet.text().len() - 1,
                };
                let at = content.find(&bullet.text()).unwrap_or(0) + sign;
                let (before, after) = content.split_at_checked(at).unwrap_or(("", content));
                format!("{before}\\{after}")
            }
        }
        None => content.to_owned(),
    };
    let first = text.lines().next().unwrap_or("").trim();
    let signs: String = first.chars().filter(|c| !c.is_whitespace()).collect();
    let sign = signs.chars().next().filter(|c| matches!(c, '-' | '*' | '_' | '+'));
    match sign {
        Some(sign) if signs.chars().all(|c| c == sign) => Ok(format!("\\{}", text.trim_start())),
        _ => Ok(text),
    }
}

/// The content of an item without its marker.
pub(super) fn without_marker(content: &str) -> Result<String, Refusal> {
    let content = content.trim_matches(['\n', '\r']);
    let view = View::new(Blob::from(content))?;
    let Some(list) = view.top().next().filter(|node| matches!(node.kind(), Kind::List(_))) else {
        return Ok(content.to_owned());
    };
    let mut items = list.children();
    let (Some(item), None, 1) = (items.next(), items.next(), view.top().count()) else {
        return Err(Refusal::invalid("content", "several items", "the content of one item"));
    };
    let marker = item_marker(&item)?;
    let width = Prefix::blanks(marker.width() + item.range().start);
    let text = view.slice(marker.range.end..view.len());
    let stripped: Vec<&str> = lines(&text)
        .enumerate()
        .map(|(index, line)| if index == 0 { line } else { width.strip(line) })
        .collect();
    Ok(stripped.join("\n"))
}

/// The innermost item around a place.
fn item_at<'a>(view: &'a View, range: &Range<usize>) -> Result<Vec<Node<'a>>, Refusal> {
    let range = text::valid(view, range)?;
    let nodes: Vec<Node<'a>> = if range.is_empty() {
        view.node_at(range.start).into_iter().collect()
    } else {
        view.blocks_in(range.clone()).filter(|node| !node.kind().is_container()).collect()
    };
    let mut items: Vec<Node<'a>> = Vec::new();
    for node in nodes {
        let item = node.chain().find(|node| matches!(node.kind(), Kind::Item(_)));
        if let Some(item) = item
            && !items.iter().any(|known| known.same(&item))
        {
            items.push(item);
        }
    }
    // An item inside another that moves goes with it.
    let all = items.clone();
    items.retain(|item| !item.ancestors().any(|around| all.iter().any(|other| other.same(&around))));
    if items.is_empty() {
        return Err(Refusal::Unsafe {
            why: "the cursor is not in a list".to_owned(),
            instead: Some("put the cursor into a list item, or make a list with list_toggle".to_owned()),
        });
    }
    Ok(items)
}

pub(super) fn indent_at(view: &View, range: &Range<usize>) -> Result<Draft, Refusal> {
    let items = item_at(view, range)?;
    let first = items.first().ok_or_else(|| Refusal::internal("no item"))?;
    let under = first.previous().ok_or_else(|| Refusal::Unsafe {
        why: "the first item of a list has no item above it to go under".to_owned(),
        instead: None,
    })?;
    let mut draft = Draft::new("Indent list item");
    let mut bullet = first_child_bullet(&under, first)?;
    for item in &items {
        draft.splices.extend(indent(item, &under, bullet)?);
        bullet = bullet.next();
    }
    numbers::restored(view, draft, &lists_of(first)?)
}

/// The list of an item and the one around it, with their numbering.
fn lists_of(item: &Node<'_>) -> Result<Vec<numbers::Counted>, Refusal> {
    item.parent().map_or_else(|| Ok(Vec::new()), |list| numbers::around(&list))
}

pub(super) fn outdent_at(view: &View, range: &Range<usize>) -> Result<Draft, Refusal> {
    let mut draft = Draft::new("Outdent list item");
    let items = item_at(view, range)?;
    for item in &items {
        draft.splices.extend(outdent(item)?);
    }
    let lists = items.first().map(lists_of).transpose()?.unwrap_or_default();
    numbers::restored(view, draft, &lists)
}

/// The bullet for an item that goes under `under`: it continues the list there, or starts one.
fn first_child_bullet(under: &Node<'_>, item: &Node<'_>) -> Result<Bullet, Refusal> {
    let own = item_marker(item)?.bullet;
    let last = under.children().filter(|child| matches!(child.kind(), Kind::List(_))).last();
    let last = last.and_then(|list| list.children().last());
    Ok(match (last, own) {
        (Some(last), _) => item_marker(&last)?.bullet.next(),
        (None, Bullet::Number { close, .. }) => Bullet::Number { value: 1, close },
        (None, dash) => dash,
    })
}

fn indent(item: &Node<'_>, under: &Node<'_>, bullet: Bullet) -> Result<Vec<Splice>, Refusal> {
    // Beside the items that are there already, in the blanks or tabs they stand behind.
    let child = under.children().filter(|child| matches!(child.kind(), Kind::List(_))).last();
    let child = child.and_then(|list| list.children().find(super::node::own_line));
    let column = match child {
        Some(child) => prefix::of(&child),
        None => Prefix::of_width(under, &item_marker(under)?),
    };
    shift(item, column.as_str(), bullet)
}

fn outdent(item: &Node<'_>) -> Result<Vec<Splice>, Refusal> {
    let parent = item.ancestors().find(|node| matches!(node.kind(), Kind::Item(_)));
    let parent = parent.ok_or_else(|| Refusal::Unsafe {
        why: "the item is at the outermost level already".to_owned(),
        instead: Some("use list_toggle to make it a paragraph".to_owned()),
    })?;
    let mut splices = shift(item, &super::prefix_of_line(&parent), item_marker(&parent)?.bullet.next())?;
    // What follows it in its list is below it from now on, and a list that does not begin with 1 would be read as text
    // there.
    for (number, next) in (1..).zip(std::iter::successors(item.next(), Node::next)) {
        if let Bullet::Number { close, .. } = item_marker(&next)?.bullet {
            let bullet = Bullet::Number { value: number, close };
            splices.extend(shift(&next, &super::prefix_of_line(&next), bullet)?);
        }
    }
    Ok(splices)
}

/// The splices that put an item at another column with another bullet: every line of it moves along.
pub(super) fn shift(item: &Node<'_>, column: &str, bullet: Bullet) -> Result<Vec<Splice>, Refusal> {
    let view = item.view();
    let marker = item_marker(item)?;
    let range = item.range();
    let old_prefix = Prefix::of_width(item, &marker);
    let line = view.line_start(range.start);
    if !super::node::own_line(item) {
        return Err(Refusal::Unsafe {
            why: "the item shares its line with the item around it".to_owned(),
            instead: None,
        });
    }
    let bullet = bullet.text();
    let blanks = marker.width().saturating_sub(marker.bullet.text().len()).max(1);
    // A tab behind the bullet reaches as far as it did, however long the bullet is.
    let old_length = marker.bullet.text().len();
    let behind = view
        .slice(range.start + old_length..marker.check.as_ref().map_or(marker.range.end, |check| check.start));
    let width = match marker.tabbed {
        true => columns(columns(0, column) + bullet.len(), &behind) - columns(0, column),
        false => bullet.len() + blanks,
    };
    let inner = format!("{column}{}", " ".repeat(width));
    let mut splices = Vec::new();
    let end = range.start + marker.bullet.text().len();
    let head = format!("{column}{bullet}");
    if *view.slice(line..end) != *head {
        splices.push((line..end, head));
    }
    let mut line = view.next_line(range.start);
    while line < range.end {
        let source = view.slice(line..view.line_end(line));
        if !source.trim().is_empty() {
            let (rest, over) = old_prefix.split(&source);
            let at = view.line_end(line) - rest.len();
            let with = in_tabs(&view.slice(line..at), format!("{inner}{}", " ".repeat(over)));
            if *view.slice(line..at) != *with {
                splices.push((line..at, with));
            }
        }
        let next = view.next_line(line);
        if next <= line {
            break;
        }
        line = next;
    }
    Ok(splices)
}

/// An indentation in tabs, if what it takes the place of has them; in a quote blanks stay blanks.
fn in_tabs(old: &str, new: String) -> String {
    let blank = |text: &str| text.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
    if !old.contains('\t') || !blank(old) || !blank(&new) {
        return new;
    }
    let wide = columns(0, &new);
    if wide == columns(0, old) {
        return old.to_owned();
    }
    "\t".repeat(wide / 4) + &" ".repeat(wide % 4)
}

pub(super) fn toggle(view: &View, range: &Range<usize>, to: ListKind) -> Result<Draft, Refusal> {
    let items = item_at(view, range);
    let Ok(items) = items else { return make(view, range, to) };
    let mut lists: Vec<Node<'_>> = Vec::new();
    for item in &items {
        if let Some(list) = item.parent()
            && !lists.iter().any(|known| known.same(&list))
        {
            lists.push(list);
        }
    }
    let same = lists.iter().all(|list| list.kind() == Kind::List(to));
    // From the last to the first, so that each is still where it was. A list inside another comes before that one,
    // which then moves its lines once more.
    let mut places: Vec<(usize, usize)> =
        lists.iter().map(|list| (list.range().start, list.ancestors().count())).collect();
    places.sort_unstable_by(|one, other| other.cmp(one));
    let summary = format!("Toggle list {}", Kind::List(to).name());
    super::in_turn(view, summary, &places, |view, (start, depth)| {
        let items: Vec<Node<'_>> = list_at(view, *start, *depth)?.children().collect();
        let splices = match same {
            true => unlist(&items)?,
            false => {
                let retyped = (1..).zip(&items).map(|(number, item)| retype(item, to, number));
                retyped.collect::<Result<Vec<_>, _>>()?.concat()
            }
        };
        Ok(Draft { splices, ..Draft::default() })
    })
}

/// The list that starts here, with so many blocks around it.
pub(super) fn list_at(view: &View, start: usize, depth: usize) -> Result<Node<'_>, Refusal> {
    view.blocks_in(start..start + 1)
        .find(|node| matches!(node.kind(), Kind::List(_)) && node.ancestors().count() == depth)
        .ok_or_else(|| Refusal::not_found("list", format!("at {start}")))
}

/// Paragraphs and headings become items.
fn make(view: &View, range: &Range<usize>, to: ListKind) -> Result<Draft, Refusal> {
    let mut draft = Draft::new(format!("Make a {}", Kind::List(to).name()));
    for (index, node) in super::blocks::chosen(view, range)?.iter().enumerate() {
        if matches!(node.kind(), Kind::Code(_)) {
            return Err(Refusal::Unsafe {
                why: "a code block cannot become a list item by itself".to_owned(),
                instead: Some("select paragraphs".to_owned()),
            });
        }
        let prefix = prefix::of(node);
        let range = node.range();
        if to == ListKind::Task && node.kind().level().is_some() {
            let text = prefix.join(&super::blocks::content(node), view.eol());
            draft.splices.push((range, format!("- [ ] {text}")));
            continue;
        }
        let marker = match to {
            ListKind::Bullet => "- ".to_owned(),
            ListKind::Ordered => format!("{}. ", index + 1),
            ListKind::Task => "- [ ] ".to_owned(),
        };
        let width = if to == ListKind::Task { 2 } else { marker.len() };
        draft.splices.push((range.start..range.start, marker));
        let mut line = view.next_line(range.start);
        while line < range.end {
            let source = view.slice(line..view.line_end(line));
            let at = view.line_end(line) - prefix.strip(&source).len();
            draft.splices.push((at..at, " ".repeat(width)));
            let next = view.next_line(line);
            if next <= line {
                break;
            }
            line = next;
        }
    }
    Ok(draft)
}

/// The items of a list become the blocks they hold.
fn unlist(items: &[Node<'_>]) -> Result<Vec<Splice>, Refusal> {
    let mut splices = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let view = item.view();
        let marker = item_marker(item)?;
        let range = item.range();
        let inner = Prefix::of_width(item, &marker);
        let outer = prefix::of(item);
        if !super::node::own_line(item) {
            return Err(Refusal::Unsafe {
                why: "the list shares its line with the item around it".to_owned(),
                instead: None,
            });
        }
        let line = view.line_start(range.start);
        // Tight items stood line by line; paragraphs need a blank line between them.
        let apart = index > 0 && {
            let above = items[index - 1].range().end;
            view.next_line(above) >= line
        };
        let gap = if apart { format!("{}{}", outer.blank(), view.eol()) } else { String::new() };
        splices.push((line..marker.range.end, format!("{gap}{}", outer.as_str())));
        let mut line = view.next_line(range.start);
        let mut nested = item.children().filter(|child| matches!(child.kind(), Kind::List(_)));
        let first_nested = nested.next().map(|list| view.line_start(list.range().start));
        while line < range.end {
            let source = view.slice(line..view.line_end(line));
            let at = view.line_end(line) - inner.strip(&source).len();
            let mut with =
                if source.trim().is_empty() { outer.blank().to_owned() } else { outer.as_str().to_owned() };
            if first_nested == Some(line) {
                with = format!("{}{}{with}", outer.blank(), view.eol());
            }
            if *view.slice(line..at) != *with {
                splices.push((line..at, with));
            }
            let next = view.next_line(line);
            if next <= line {
                break;
            }
            line = next;
        }
    }
    Ok(splices)
}

fn retype(item: &Node<'_>, to: ListKind, number: u64) -> Result<Vec<Splice>, Refusal> {
    let marker = item_marker(item)?;
    let view = item.view();
    let column = super::prefix_of_line(item);
    let bullet = match (to, marker.bullet) {
        (ListKind::Ordered, Bullet::Number { .. }) | (ListKind::Bullet | ListKind::Task, Bullet::Dash(_)) => {
            marker.bullet
        }
        (ListKind::Ordered, Bullet::Dash(_)) => Bullet::Number { value: number, close: '.' },
        (ListKind::Bullet | ListKind::Task, Bullet::Number { .. }) => Bullet::Dash('-'),
    };
    let mut splices = if bullet == marker.bullet { Vec::new() } else { shift(item, &column, bullet)? };
    match (to, &marker.check) {
        (ListKind::Task, None) => {
            let first = item.children().next();
            if let Some(heading) = first.filter(|first| first.kind().level().is_some()) {
                let text =
                    Prefix::of_width(item, &marker).join(&super::blocks::content(&heading), view.eol());
                splices.push((heading.range(), format!("[ ] {text}")));
                return Ok(splices);
            }
            if let Some(first) =
                first.filter(|first| !is_text(first.kind()) && !matches!(first.kind(), Kind::List(_)))
            {
                return Err(Refusal::Unsafe {
                    why: format!(
                        "an item that begins with a {} cannot have a check box",
                        first.kind().name()
                    ),
                    instead: Some("give the item a line of text first".to_owned()),
                });
            }
            let at = marker.range.end;
            let apart = view.slice(marker.range.clone()).ends_with([' ', '\t']);
            splices.push((at..at, if apart { "[ ] ".to_owned() } else { " [ ]".to_owned() }));
        }
        (ListKind::Bullet | ListKind::Ordered, Some(check)) => {
            splices.push((check.start..marker.range.end.max(check.end), String::new()));
        }
        _ => {}
    }
    Ok(splices)
}

pub(super) fn modify(view: &View, id: NodeId, operations: &[ListOperation]) -> Result<Draft, Refusal> {
    let list = view.node(id)?;
    if !matches!(list.kind(), Kind::List(_)) {
        return Err(Refusal::invalid("nodeId", format!("`{id}`"), "the id of a list, such as ul-0"));
    }
    let start = list.range().start;
    let depth = list.ancestors().count();
    let lists = numbers::around(&list)?;
    let changes = operations.iter().any(|operation| !matches!(operation, ListOperation::Renumber));
    let draft = super::in_turn(view, format!("Change {id}"), operations, |view, operation| {
        let list = list_at(view, start, depth).map_err(|_| Refusal::not_found("list", id.to_string()))?;
        let items: Vec<Node<'_>> = list.children().collect();
        let item = |index: usize| {
            items.get(index).ok_or_else(|| {
                Refusal::invalid("index", index, format!("0 to {}", items.len().saturating_sub(1)))
            })
        };
        let draft = Draft::default();
        Ok(match operation {
            ListOperation::SetItem { index, content } => {
                let (range, with) = item_content(item(*index)?, content)?;
                draft.splice(range, with)
            }
            ListOperation::AddItem { at, content, checked } => {
                let at = at.unwrap_or(items.len());
                if at > items.len() {
                    return Err(Refusal::invalid("index", at, format!("0 to {}", items.len())));
                }
                let (range, with) = match at.checked_sub(1) {
                    Some(above) => item_behind_with(item(above)?, content, *checked)?,
                    None => item_before(item(0)?, content, *checked)?,
                };
                draft.splice(range, with)
            }
            ListOperation::DeleteItem { index } => {
                let item = item(*index)?;
                let (range, with) = super::node::removal(item, item);
                let mut draft = draft.splice(range, with);
                draft.splices.extend(first_number(item)?);
                draft
            }
            ListOperation::Indent { index } => {
                let item = item(*index)?;
                let under = item.previous().ok_or_else(|| Refusal::Unsafe {
                    why: "the first item of a list has no item above it to go under".to_owned(),
                    instead: None,
                })?;
                let bullet = first_child_bullet(&under, item)?;
                Draft { splices: indent(item, &under, bullet)?, ..draft }
            }
            ListOperation::Outdent { index } => Draft { splices: outdent(item(*index)?)?, ..draft },
            ListOperation::SetChecked { index, checked } => {
                Draft { splices: check(item(*index)?, *checked)?, ..draft }
            }
            ListOperation::Reorder { from, to } => {
                let (moving, place) = (item(*from)?, item(*to)?);
                if from == to {
                    return Ok(draft);
                }
                swap_over(moving, place)?
            }
            ListOperation::Renumber => {
                let first = items.first().map(item_marker).transpose()?.map(|marker| marker.bullet);
                let Some(Bullet::Number { value, .. }) = first else {
                    return Err(Refusal::invalid(
                        "nodeId",
                        format!("`{id}`"),
                        "an ordered list, such as ol-0",
                    ));
                };
                numbers::numbered(view, start, depth, Numbering::From(value))?
            }
        })
    })?;
    if changes { numbers::restored(view, draft, &lists) } else { Ok(draft) }
}

/// The number of an item goes to the next when the first of a list is deleted: a list that does not begin with 1 would
/// be text behind text.
pub(super) fn first_number(item: &Node<'_>) -> Result<Vec<Splice>, Refusal> {
    let (Some(next), None) = (item.next(), item.previous()) else { return Ok(Vec::new()) };
    match item_marker(item)?.bullet {
        bullet @ Bullet::Number { .. } if super::node::own_line(&next) => {
            let own = item_marker(&next)?.bullet;
            if own == bullet || own != bullet.next() {
                return Ok(Vec::new());
            }
            shift(&next, &super::prefix_of_line(&next), bullet)
        }
        _ => Ok(Vec::new()),
    }
}

fn item_behind_with(item: &Node<'_>, content: &str, checked: Option<bool>) -> Result<Splice, Refusal> {
    match checked {
        Some(_) => written_behind(item, &item_text(content, item_marker(item)?.bullet)?, checked),
        None => item_behind(item, content),
    }
}

/// A new first item, in the style of the one that was first.
pub(super) fn item_before(item: &Node<'_>, content: &str, checked: Option<bool>) -> Result<Splice, Refusal> {
    let view = item.view();
    let marker = item_marker(item)?;
    let (content, own) = boxed(item, content);
    let checked = checked.or(own).or(TaskMark::of(content)?).or(marker.check.as_ref().map(|_| false));
    let content = item_text(content, marker.bullet)?;
    let check = match checked {
        Some(true) => "[x] ",
        Some(false) => "[ ] ",
        None => "",
    };
    let bullet = marker.bullet.text();
    let behind = marker.check.as_ref().map_or(marker.range.end, |check| check.start);
    let found = view.slice(item.range().start + bullet.len()..behind);
    let blanks = if found.is_empty() { " ".to_owned() } else { found.into_owned() };
    let body = Prefix::of_width(item, &marker).join(&content, view.eol());
    let start = item.range().start;
    // The new item stands where the old one stood, and the old one goes to the next line.
    let outer = prefix::of(item);
    let indent = super::prefix_of_line(item);
    let indent = if outer.as_str().len() > indent.len() { outer.as_str().to_owned() } else { indent };
    Ok((start..start, format!("{bullet}{blanks}{check}{body}{}{indent}", gap(item))))
}

fn check(item: &Node<'_>, checked: Option<bool>) -> Result<Vec<Splice>, Refusal> {
    let marker = item_marker(item)?;
    let Kind::Item(state) = item.kind() else { return Ok(Vec::new()) };
    let wanted = checked.unwrap_or(!state.unwrap_or(false));
    let text = if wanted { "x" } else { " " };
    Ok(match &marker.check {
        Some(_) if state == Some(wanted) => Vec::new(),
        Some(check) => vec![(check.start + 1..check.end - 1, text.to_owned())],
        None => {
            if let Some(first) = item.children().next()
                && !is_text(first.kind())
                && !matches!(first.kind(), Kind::List(_))
            {
                return Err(Refusal::Unsafe {
                    why: format!(
                        "an item that begins with a {} cannot have a check box",
                        first.kind().name()
                    ),
                    instead: Some("give the item a line of text first".to_owned()),
                });
            }
            let at = marker.range.end;
            let apart = item.view().slice(marker.range.clone()).ends_with([' ', '\t']);
            vec![(at..at, if apart { format!("[{text}] ") } else { format!(" [{text}]") })]
        }
    })
}

/// Put one item in the place of another of the same list; those between move up or down.
fn swap_over(moving: &Node<'_>, place: &Node<'_>) -> Result<Draft, Refusal> {
    let view = moving.view();
    let (first, last) =
        if moving.range().start < place.range().start { (moving, place) } else { (place, moving) };
    let mut items: Vec<Node<'_>> = vec![*first];
    while let Some(next) = items.last().and_then(|item| item.next()) {
        items.push(next);
        if next.same(last) {
            break;
        }
    }
    // The texts behind the markers go round; the markers, and with them the numbers, stay.
    let parts = |item: &Node<'_>| -> Result<(Range<usize>, Marker), Refusal> {
        let marker = item_marker(item)?;
        let start = marker.check.as_ref().map_or(marker.range.end, |check| check.start);
        let mut range = start..item.range().end.max(start);
        if range.is_empty() {
            // Nothing but a marker, and perhaps blanks behind it, which are the line's.
            range = item.range().start + marker.bullet.text().len()..view.line_end(start);
        }
        Ok((range, marker))
    };
    // Behind a bare marker a text needs its blank.
    let behind_marker = |range: &Range<usize>, text: &str| {
        let bare = text.trim().is_empty();
        let glued = !view.slice(range.start.saturating_sub(1)..range.start).ends_with([' ', '\t', ']']);
        match (bare, glued) {
            (true, _) => String::new(),
            (false, true) => format!(" {text}"),
            (false, false) => text.to_owned(),
        }
    };
    let mut order: Vec<Node<'_>> = items.clone();
    if moving.same(first) {
        order.rotate_left(1);
    } else {
        order.rotate_right(1);
    }
    let mut draft = Draft::default();
    for (slot, from) in items.iter().zip(&order) {
        let (range, marker) = parts(slot)?;
        let (source, other) = parts(from)?;
        let strip = Prefix::of_width(from, &other);
        let text = view.slice(source);
        if strip == Prefix::of_width(slot, &marker) {
            if *view.slice(range.clone()) != *text {
                let text = behind_marker(&range, &text);
                draft.splices.push((range, text));
            }
            continue;
        }
        let bare: Vec<&str> = lines(&text)
            .enumerate()
            .map(|(index, line)| if index == 0 { line } else { strip.strip(line) })
            .collect();
        let with = Prefix::of_width(slot, &marker).join(&bare.join("\n"), view.eol());
        let with = behind_marker(&range, &with);
        if *view.slice(range.clone()) != *with {
            draft.splices.push((range, with));
        }
    }
    Ok(draft)
}
