//! Blocks replaced, inserted, deleted and moved by their ids.

use edit::{Blob, Refusal};

use super::{Draft, line_excerpt, text};
use crate::block::{CodeStyle, HeadingStyle, Kind, NodeId};
use crate::code;
use crate::prefix::{self, Prefix, lines};
use crate::view::{Node, View};

pub(super) fn update(view: &View, id: NodeId, content: &str) -> Result<Draft, Refusal> {
    let node = view.node(id)?;
    let content = content.trim_matches(['\n', '\r']);
    let draft = Draft::new(format!("Update {id}: \"{}\"", line_excerpt(content, 40)));
    let snippet = Snippet::new(content)?;
    let kind = node.kind();
    if !matches!(kind, Kind::Item(_)) {
        super::list::fits_task(&node, snippet.first)?;
    }
    let whole = || {
        super::as_given::fitting(view, content, |content| {
            let snippet = Snippet::new(content)?;
            Ok(draft.clone().asking(replace_whole(&node, content, &snippet), content))
        })
    };
    let inside = whole_start(&node)..node.range().end;
    let (range, with) = match kind {
        Kind::Heading { .. } if matches!(snippet.first, Some(Kind::Heading { .. })) => return whole(),
        Kind::Heading { style, .. } => {
            if content.contains(['\n', '\r']) {
                return Err(Refusal::invalid(
                    "content",
                    "several lines for a heading",
                    "one line, or Markdown that starts with a heading",
                ));
            }
            heading_text(&node, style, content)
        }
        Kind::Code(_) if snippet.fenced => return whole(),
        Kind::Code(style) => {
            let block = match style {
                CodeStyle::Fenced => refenced(&node, content),
                CodeStyle::Indented => indented(content),
            };
            (inside, prefix::of(&node).join(&block, view.eol()))
        }
        Kind::Quote if snippet.first == Some(Kind::Quote) => return whole(),
        Kind::Quote => {
            let inner = Prefix::quote().join(content, "\n");
            (inside, prefix::of(&node).join(&format!("> {inner}"), view.eol()))
        }
        Kind::Item(_) => super::list::item_content(&node, content)?,
        Kind::List(_) | Kind::Table | Kind::DefinitionList => {
            let same = matches!(
                (kind, snippet.first),
                (Kind::List(_), Some(Kind::List(_)))
                    | (Kind::Table, Some(Kind::Table))
                    | (Kind::DefinitionList, Some(Kind::DefinitionList))
            );
            if !same {
                let found = snippet.first.map_or("nothing", Kind::name);
                let expected = format!("Markdown of a {}", kind.name());
                return Err(Refusal::invalid("content", found, expected));
            }
            return whole();
        }
        Kind::Math if !content.trim_start().starts_with("$$") => {
            let block = format!("$$\n{content}\n$$");
            (inside, prefix::of(&node).join(&block, view.eol()))
        }
        Kind::FrontMatter => return set_front_matter(view, content),
        Kind::Footnote | Kind::Definition => contained(&node, content),
        _ if content.trim().is_empty() => return delete(view, id),
        _ => return whole(),
    };
    Ok(draft.splice(range, with))
}

type Splice = (std::ops::Range<usize>, String);

/// What a piece of Markdown is by itself.
pub(super) struct Snippet {
    pub(super) first: Option<Kind>,
    last: Option<Kind>,
    count: usize,
    /// It starts with a fenced code block that is closed.
    fenced: bool,
}

impl Snippet {
    pub(super) fn new(content: &str) -> Result<Self, Refusal> {
        let view = View::new(Blob::from(content))?;
        let (first, last) = (view.top().next(), view.top().next_back());
        let fenced = first.as_ref().and_then(code::fence).is_some_and(|fence| fence.closed);
        let (first, last) = (first.map(|node| node.kind()), last.map(|node| node.kind()));
        Ok(Self { first, last, count: view.top().count(), fenced })
    }
}

/// The whole block becomes `content`, with blank lines where it would run into its neighbours.
pub(super) fn replace_whole(node: &Node<'_>, content: &str, snippet: &Snippet) -> Splice {
    let view = node.view();
    let prefix = prefix::of(node);
    let mut with = prefix.join(content, view.eol());
    let same_kind = |kind: Option<Kind>| {
        kind.is_some_and(|kind| std::mem::discriminant(&kind) == std::mem::discriminant(&node.kind()))
    };
    let alike = snippet.count == 1 && same_kind(snippet.first);
    if !(alike || same_kind(snippet.last) || blank_after(node, &prefix)) {
        with.push_str(view.eol());
        with.push_str(prefix.blank());
    }
    let mut start = whole_start(node);
    if !(alike || same_kind(snippet.first) || blank_before(node, &prefix)) {
        let line = view.line_start(start);
        let own = view.slice(line..start).into_owned();
        with = format!("{}{}{own}{with}", prefix.blank(), view.eol());
        start = line;
    }
    (start..node.range().end, with)
}

/// Whether the line behind the block is blank, or there is none.
pub(super) fn blank_after(node: &Node<'_>, prefix: &Prefix) -> bool {
    let view = node.view();
    let next = view.next_line(node.range().end);
    if next >= view.len() {
        return true;
    }
    prefix.strip(&view.slice(next..view.line_end(next))).trim().is_empty()
}

/// Whether the line before the block is blank, or there is none, or the block shares its line with the
/// marker of its container.
fn blank_before(node: &Node<'_>, prefix: &Prefix) -> bool {
    let view = node.view();
    let line = view.line_start(node.range().start);
    if line == 0 || !own_line(node) {
        return true;
    }
    line_above(view, line).is_none_or(|above| prefix.strip(&view.slice(above)).trim().is_empty())
}

/// The text of the line above the one that starts at `line`.
fn line_above(view: &View, line: usize) -> Option<std::ops::Range<usize>> {
    let end = line.checked_sub(1)?;
    let crlf = end > 0 && &*view.slice(end - 1..line) == "\r\n";
    let end = end - usize::from(crlf);
    Some(view.line_start(end)..end)
}

/// Whether only the prefix of containers stands before the block on its line.
pub(super) fn own_line(node: &Node<'_>) -> bool {
    let view = node.view();
    let start = node.range().start;
    view.slice(view.line_start(start)..start).chars().all(|c| matches!(c, ' ' | '\t' | '>'))
}

/// Where a block begins with the blanks before it that are its own: behind the prefix of what is around it.
pub(super) fn whole_start(node: &Node<'_>) -> usize {
    let view = node.view();
    let start = node.range().start;
    let before = view.slice(view.line_start(start)..start);
    match own_line(node) {
        true => start - prefix::of(node).strip(&before).len(),
        false => start,
    }
}

fn heading_text(node: &Node<'_>, style: HeadingStyle, content: &str) -> Splice {
    let range = node.range();
    let source = node.source();
    match style {
        HeadingStyle::Atx => {
            let hashes = source.bytes().take_while(|byte| *byte == b'#').count();
            let body = &source[hashes..];
            let lead = body.len() - body.trim_start().len();
            let text = body.trim();
            // A closing run of `#` behind a blank stays.
            let bare = text.trim_end_matches('#');
            let closing = bare.len() < text.len() && (bare.is_empty() || bare.ends_with([' ', '\t']));
            let bare = if closing { bare.trim_end() } else { text };
            let start = range.start + hashes + lead;
            // An id of its own, `{#start}`, is what links go to; it stays unless another is given.
            let bare = match attributes(content) {
                Some(_) => bare,
                None => bare.get(..attributes(bare).unwrap_or(bare.len())).unwrap_or(bare).trim_end(),
            };
            let content = unclosed_hashes(content);
            let with = if lead == 0 && !content.is_empty() { format!(" {content}") } else { content };
            (start..start + bare.len(), with)
        }
        HeadingStyle::Setext => {
            let underline = source.trim_end().rfind(['\n', '\r']).unwrap_or(source.len());
            let text = source[..underline].trim_end();
            if content.trim().is_empty() {
                let level = node.kind().level().unwrap_or(1);
                return (range, "#".repeat(usize::from(level)));
            }
            let content = content.trim();
            let escaped = super::line_starts::escaped(content);
            (range.start..range.start + text.len(), escaped)
        }
    }
}

/// Where the attributes at the end of a heading begin: `{#start .wide}`.
pub(crate) fn attributes(text: &str) -> Option<usize> {
    let inside = text.trim_end().strip_suffix('}')?;
    let at = inside.rfind('{')?;
    let given = inside.get(at + 1..)?;
    let named = given.split_whitespace().all(|word| word.starts_with(['#', '.']) && word.len() > 1);
    (named && !given.trim().is_empty()).then_some(at)
}

/// A run of `#` at the end of a heading would be taken for its closing marks.
pub(super) fn unclosed_hashes(text: &str) -> String {
    let trimmed = text.trim_end();
    let bare = trimmed.trim_end_matches('#');
    match bare.len() < trimmed.len() && (bare.is_empty() || bare.ends_with([' ', '\t'])) {
        true => format!("{bare}\\{}", &trimmed[bare.len()..]),
        false => text.to_owned(),
    }
}

/// A fenced block with other code: the fence grows if the code needs it.
fn refenced(node: &Node<'_>, content: &str) -> String {
    let Some(fence) = code::fence(node) else { return content.to_owned() };
    let info = node.view().slice(fence.info.clone());
    fenced(&fence.fence, &info, content)
}

/// A fenced block of code, which may have been given with a fence of its own.
pub fn fenced_code(info: &str, given: &str) -> Result<String, Refusal> {
    let view = View::new(Blob::from(given.trim()))?;
    let mut blocks = view.top();
    let body = match (blocks.next(), blocks.next()) {
        (Some(only), None) if code::fence(&only).is_some_and(|fence| fence.closed) => code::body(&only),
        _ => given.trim().to_owned(),
    };
    Ok(fenced("```", info, body.trim_end_matches('\n')))
}

pub(super) fn fenced(fence: &str, info: &str, content: &str) -> String {
    let mark = fence.chars().next().unwrap_or('`');
    let longest = lines(content)
        .map(|line| line.trim_start().chars().take_while(|c| *c == mark).count())
        .max()
        .unwrap_or(0);
    let fence = mark.to_string().repeat(fence.len().max(longest + 1).max(3));
    let between = if content.is_empty() { "" } else { "\n" };
    format!("{fence}{info}\n{content}{between}{fence}")
}

fn indented(content: &str) -> String {
    let indented: Vec<String> = lines(content)
        .map(|line| if line.trim().is_empty() { String::new() } else { format!("    {line}") })
        .collect();
    indented.join("\n")
}

/// New content for a container that has a label on its first line.
fn contained(node: &Node<'_>, content: &str) -> Splice {
    let view = node.view();
    let range = node.range();
    let joined = prefix::inside(node).join(content, view.eol());
    match node.children().next() {
        Some(child) => (child.range().start..range.end, joined),
        None => (range.end..range.end, format!(" {joined}")),
    }
}

pub(super) fn insert_after(view: &View, id: NodeId, content: &str) -> Result<Draft, Refusal> {
    let node = view.node(id)?;
    let content = content.trim_matches(['\n', '\r']);
    if content.trim().is_empty() {
        return Err(Refusal::invalid("content", "nothing", "Markdown to insert"));
    }
    let draft =
        Draft::new(format!("Insert \"{}\" after {id}", line_excerpt(content, 40))).guard(node.range());
    if let Kind::Item(_) = node.kind() {
        let (range, with) = super::list::item_behind(&node, content)?;
        return Ok(draft.splice(range, with));
    }
    behind(draft, &node, content)
}

/// Put `content` before a block, as blocks of their own; before an item, as an item.
pub(super) fn insert_before(view: &View, id: NodeId, content: &str) -> Result<Draft, Refusal> {
    let node = view.node(id)?;
    let content = content.trim_matches(['\n', '\r']);
    if content.trim().is_empty() {
        return Err(Refusal::invalid("content", "nothing", "Markdown to insert"));
    }
    let draft =
        Draft::new(format!("Insert \"{}\" before {id}", line_excerpt(content, 40))).guard(node.range());
    if let Kind::Item(_) = node.kind() {
        let (range, with) = match node.previous() {
            Some(above) => super::list::item_behind(&above, content)?,
            None => super::list::item_before(&node, content, None)?,
        };
        return Ok(draft.splice(range, with));
    }
    if node.kind() == Kind::FrontMatter {
        return Err(Refusal::Unsafe {
            why: "nothing can stand before front matter".to_owned(),
            instead: Some("insert behind meta-0".to_owned()),
        });
    }
    let prefix = prefix::of(&node);
    let eol = view.eol();
    super::as_given::fitting(view, content, |content| {
        let mut with = prefix.join(content, eol);
        with.push_str(&format!("{eol}{}{eol}", prefix.blank()));
        if !own_line(&node) {
            // Behind the marker of its item.
            with.push_str(prefix.as_str());
            let at = node.range().start;
            return Ok(draft.clone().asking((at..at, with), content));
        }
        let at = view.line_start(node.range().start);
        with.insert_str(0, prefix.as_str());
        if !blank_before(&node, &prefix) {
            with = format!("{}{eol}{with}", prefix.blank());
        }
        Ok(draft.clone().asking((at..at, with), content))
    })
}

pub(super) fn set_front_matter(view: &View, content: &str) -> Result<Draft, Refusal> {
    let content = content.trim_matches(['\n', '\r']);
    let found = view.top().next().filter(|node| node.kind() == Kind::FrontMatter);
    if content.trim().is_empty() {
        return Ok(match found {
            None => Draft::new("No front matter"),
            Some(node) => {
                let (range, with) = removal(&node, &node);
                Draft::new("Delete the front matter").splice(range, with)
            }
        });
    }
    let fenced = ["---", "+++"].iter().any(|fence| content.starts_with(fence));
    let fence = found.as_ref().and_then(|node| node.source().get(..3).map(str::to_owned));
    let fence = fence.unwrap_or_else(|| "---".to_owned());
    let text = if fenced { content.to_owned() } else { format!("{fence}\n{content}\n{fence}") };
    let alone = View::new(Blob::from(text.as_str()))?;
    let mut blocks = alone.top();
    if !matches!((blocks.next().map(|node| node.kind()), blocks.next()), (Some(Kind::FrontMatter), None)) {
        return Err(Refusal::invalid(
            "content",
            format!("`{}`", line_excerpt(content, 60)),
            "the lines of front matter, without a blank line at their start and without a line of its fence",
        ));
    }
    let eol = view.eol();
    let text = Prefix::default().join(&text, eol);
    let draft = Draft::new("Set the front matter");
    Ok(match found {
        Some(node) => draft.splice(node.range(), text),
        None if view.slice(0..view.line_end(0)).trim().is_empty() => {
            draft.splice(0..0, format!("{text}{eol}"))
        }
        None => draft.splice(0..0, format!("{text}{eol}{eol}")),
    })
}

/// Put `content` behind a block, as blocks of their own.
pub(super) fn behind(draft: Draft, node: &Node<'_>, content: &str) -> Result<Draft, Refusal> {
    let view = node.view();
    if let Some(open) = unclosed(node) {
        return Err(Refusal::Unsafe {
            why: format!(
                "the code block on line {} has no closing fence, so text behind it would be code",
                view.line_column(open.range().start).line
            ),
            instead: Some("close the fence first".to_owned()),
        });
    }
    let prefix = prefix::of(node);
    let eol = view.eol();
    let at = view.line_end(node.range().end);
    let blank_after = blank_after(node, &prefix);
    super::as_given::fitting(view, content, |content| {
        let mut with = format!("{eol}{}{eol}{}", prefix.blank(), prefix.as_str());
        with.push_str(&prefix.join(content, eol));
        if !blank_after {
            with.push_str(eol);
            with.push_str(prefix.blank());
        }
        Ok(draft.clone().asking((at..at, with), content))
    })
}

/// The code block at the end of `node` that runs on to the end of what is around it.
fn unclosed<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    let last = node.descendants().last().unwrap_or(*node);
    code::fence(&last).filter(|fence| !fence.closed).map(|_| last)
}

pub(super) fn insert_block(view: &View, at: usize, content: &str) -> Result<Draft, Refusal> {
    let at = text::valid(view, &(at..at))?.start;
    let content = content.trim_matches(['\n', '\r']);
    let draft = Draft::new(format!("Insert \"{}\"", line_excerpt(content, 40)));
    let eol = view.eol();
    let holding = view.node_at(at).filter(|node| {
        let range = node.range();
        view.line_start(range.start) <= at && at <= view.line_end(range.end)
    });
    if let Some(node) = holding {
        let table = node.chain().find(|node| node.kind() == Kind::Table);
        let block = table.unwrap_or(node);
        return behind(draft.guard(block.range()), &block, content);
    }
    // On a blank line, or in a document without blocks.
    let line = view.line_start(at);
    let blank_before = line_above(view, line).is_none_or(|above| view.slice(above).trim().is_empty());
    let end = view.line_end(line);
    let next = view.next_line(line);
    let blank_after = next >= view.len() || view.slice(next..view.line_end(next)).trim().is_empty();
    super::as_given::fitting(view, content, |content| {
        let mut with = Prefix::default().join(content, eol);
        if !blank_before {
            with.insert_str(0, eol);
        }
        if !blank_after {
            with.push_str(eol);
        }
        Ok(draft.clone().asking((line..end, with), content))
    })
}

pub(super) fn delete(view: &View, id: NodeId) -> Result<Draft, Refusal> {
    let node = view.node(id)?;
    let draft = Draft::new(format!("Delete {id} \"{}\"", line_excerpt(&node.source(), 40)));
    let (range, with) = removal(&node, &node);
    let mut draft = draft.splice(range, with);
    if let Kind::Item(_) = node.kind() {
        draft.splices.extend(super::list::first_number(&node)?);
    }
    Ok(draft)
}

/// The splice that takes away the blocks from `first` to `last`, which stand beside one another, with the
/// blank lines that only separated them.
pub(super) fn removal(first: &Node<'_>, last: &Node<'_>) -> Splice {
    let view = first.view();
    let prefix = prefix::of(first);
    let range = first.range().start..last.range().end;
    if !own_line(first) {
        // On the line of its item's marker: what follows in the item takes its place.
        return match last.next() {
            Some(next) => (range.start..next.range().start, String::new()),
            None => (range, String::new()),
        };
    }
    let start = view.line_start(range.start);
    let line_end = view.line_end(range.end);
    let mut end = view.next_line(range.end);
    let is_blank = |line: usize| prefix.strip(&view.slice(line..view.line_end(line))).trim().is_empty();
    let before = previous_text(view, start, &prefix);
    let follows = {
        let mut line = end;
        while line < view.len() && is_blank(line) {
            line = view.next_line(line);
        }
        line
    };
    let at_end = follows >= view.len();
    if at_end {
        // Nothing behind: the blank lines before it have nothing to separate any more.
        return match before {
            Some(before) => (before..line_end, String::new()),
            None => (start..end, String::new()),
        };
    }
    let blank_before = before.is_none_or(|before| view.next_line(before) < start);
    if blank_before {
        if last.next().is_some() || first.parent().is_none() {
            end = follows;
        }
    } else if end == follows && !matches!(first.kind(), Kind::Item(_)) && first.previous().is_some() {
        // It stood directly between two blocks and kept them apart.
        return (start..end, format!("{}{}", prefix.blank(), view.eol()));
    }
    (start..end, String::new())
}

/// Where the last text before a line ends, blank lines skipped; `None` at the start of the document.
fn previous_text(view: &View, line: usize, prefix: &Prefix) -> Option<usize> {
    let mut start = line;
    while let Some(above) = line_above(view, start) {
        if !prefix.strip(&view.slice(above.clone())).trim().is_empty() {
            return Some(above.end);
        }
        start = above.start;
    }
    None
}

pub(super) fn move_after(view: &View, id: NodeId, after: NodeId) -> Result<Draft, Refusal> {
    let (node, target) = (view.node(id)?, view.node(after)?);
    let draft = Draft::new(format!("Move {id} after {after}"));
    move_blocks(draft, &node, &node, &target)
}

/// Move the blocks from `first` to `last` behind `target`.
pub(super) fn move_blocks(
    draft: Draft,
    first: &Node<'_>,
    last: &Node<'_>,
    target: &Node<'_>,
) -> Result<Draft, Refusal> {
    let range = first.range().start..last.range().end;
    let inside = target.range().start >= range.start && target.range().end <= range.end;
    let around = target.range().start <= range.start && target.range().end >= range.end;
    if inside || around {
        return Err(Refusal::Unsafe {
            why: "a block cannot be moved behind itself or a block around it".to_owned(),
            instead: Some("name a block beside it".to_owned()),
        });
    }
    if first.kind() == Kind::FrontMatter {
        return Err(Refusal::Unsafe {
            why: "front matter is the first thing in a document and cannot be moved".to_owned(),
            instead: Some("move the other block behind meta-0".to_owned()),
        });
    }
    let items = matches!(first.kind(), Kind::Item(_)) == matches!(target.kind(), Kind::Item(_));
    if !items {
        return Err(Refusal::Unsafe {
            why: "a list item can only be moved behind a list item".to_owned(),
            instead: None,
        });
    }
    let view = first.view();
    let prefix = prefix::of(first);
    let source = view.slice(whole_start(first)..range.end);
    let text: Vec<&str> =
        lines(&source).enumerate().map(|(i, line)| if i == 0 { line } else { prefix.strip(line) }).collect();
    let text = text.join("\n");
    if target.next().is_some_and(|next| next.same(first)) {
        // It stands there already.
        return Ok(draft);
    }
    let (gone, left) = removal(first, last);
    let draft = draft.splice(gone, left).guard(target.range());
    match target.kind() {
        Kind::Item(_) => {
            let (range, with) = super::list::moved_behind(target, &text)?;
            Ok(draft.splice(range, with))
        }
        _ => behind(draft, target, &text),
    }
}
