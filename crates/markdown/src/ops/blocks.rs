//! Blocks turned into blocks of another type.

use std::ops::Range;

use edit::{OrEmpty, Refusal};

use super::node::{Snippet, fenced, replace_whole};
use super::{Draft, text};
use crate::block::{CodeStyle, HeadingStyle, Kind};
use crate::code;
use crate::prefix::{self, lines};
use crate::view::{Node, View};
use crate::vocabulary::BlockType;

pub(super) fn toggle(view: &View, range: &Range<usize>, to: &BlockType) -> Result<Draft, Refusal> {
    let nodes = chosen(view, range)?;
    let is = |node: &Node<'_>| match (to, node.kind()) {
        (BlockType::Paragraph, kind) => kind == Kind::Paragraph,
        (BlockType::Heading { level }, kind) => kind.level() == Some(*level),
        (BlockType::CodeBlock { .. }, kind) => matches!(kind, Kind::Code(_)),
        (BlockType::Blockquote, _) => node.ancestors().any(|around| around.kind() == Kind::Quote),
    };
    if nodes.iter().all(is) {
        return match to {
            BlockType::Blockquote => unquote(view, &nodes),
            _ => convert(&nodes, &BlockType::Paragraph),
        };
    }
    set(view, range, to)
}

pub(super) fn set(view: &View, range: &Range<usize>, to: &BlockType) -> Result<Draft, Refusal> {
    if let BlockType::Heading { level } = to
        && !(1..=6).contains(level)
    {
        return Err(Refusal::invalid("level", level, "1 to 6"));
    }
    let nodes = chosen(view, range)?;
    match to {
        BlockType::Blockquote => quote(view, &nodes),
        BlockType::Paragraph if nodes.iter().all(|node| node.kind() == Kind::Paragraph) => {
            if nodes.iter().any(|node| node.ancestors().any(|around| around.kind() == Kind::Quote)) {
                return unquote(view, &nodes);
            }
            Ok(Draft::new("Set type paragraph"))
        }
        _ => convert(&nodes, to),
    }
}

/// The blocks with text in the selection, or the one at the cursor.
pub(super) fn chosen<'a>(view: &'a View, range: &Range<usize>) -> Result<Vec<Node<'a>>, Refusal> {
    let range = text::valid(view, range)?;
    let usable = |node: &Node<'_>| {
        matches!(
            node.kind(),
            Kind::Paragraph | Kind::Heading { .. } | Kind::Code(_) | Kind::Image | Kind::Math
        )
    };
    let nodes: Vec<Node<'a>> = if range.is_empty() {
        view.node_at(range.start).into_iter().filter(usable).collect()
    } else {
        view.blocks_in(range.clone()).filter(usable).collect()
    };
    if nodes.is_empty() {
        let found = view.node_at(range.start).map_or("no block", |node| node.kind().name());
        return Err(Refusal::Unsafe {
            why: format!("there is {found} at this place, not a block that can be converted"),
            instead: Some("put the cursor into a paragraph, heading or code block".to_owned()),
        });
    }
    Ok(nodes)
}

fn convert(nodes: &[Node<'_>], to: &BlockType) -> Result<Draft, Refusal> {
    let name = match to {
        BlockType::Paragraph => "paragraph".to_owned(),
        BlockType::Heading { level } => format!("heading {level}"),
        BlockType::CodeBlock { .. } => "code block".to_owned(),
        BlockType::Blockquote => "quote".to_owned(),
    };
    let mut draft = Draft::new(format!("Set type {name}"));
    for node in nodes {
        if let BlockType::Heading { level } = to
            && node.kind().level() == Some(*level)
        {
            continue;
        }
        if let (Kind::Heading { style: HeadingStyle::Atx, .. }, BlockType::Heading { level }) =
            (node.kind(), to)
        {
            let source = node.source();
            let old = source.bytes().take_while(|byte| *byte == b'#').count();
            let start = node.range().start;
            draft = draft.splice(start..start + old, "#".repeat(usize::from(*level)));
            continue;
        }
        if let (Some(fence), BlockType::CodeBlock { language }) = (code::fence(node), to) {
            draft = draft.splice(fence.info, language.clone().or_empty());
            continue;
        }
        let inner = content(node);
        let written = match to {
            BlockType::Paragraph | BlockType::Blockquote => super::line_starts::as_paragraphs(&inner)?,
            BlockType::Heading { level } => {
                let title: Vec<&str> = lines(&inner).map(str::trim).filter(|line| !line.is_empty()).collect();
                if matches!(node.kind(), Kind::Code(_)) && title.len() > 1 {
                    return Err(Refusal::Unsafe {
                        why: "a code block of several lines cannot become a heading".to_owned(),
                        instead: None,
                    });
                }
                let title = super::node::unclosed_hashes(&on_one_line(&title));
                format!("{} {title}", "#".repeat(usize::from(*level)))
            }
            BlockType::CodeBlock { language } => fenced("```", language.as_deref().or_empty(), &inner),
        };
        let snippet = Snippet::new(&written)?;
        super::list::fits_task(node, snippet.first)?;
        let (range, with) = replace_whole(node, &written, &snippet);
        draft = draft.splice(range, with);
    }
    Ok(draft)
}

/// Lines as one; a backslash that broke a line would show.
fn on_one_line(lines: &[&str]) -> String {
    let (last, before) = match lines.split_last() {
        Some((last, before)) => (*last, before),
        None => ("", lines),
    };
    let broken = |line: &&str| {
        let backslashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
        if backslashes % 2 == 1 { line[..line.len() - 1].trim_end().to_owned() } else { (*line).to_owned() }
    };
    let mut words: Vec<String> = before.iter().map(broken).collect();
    words.push(last.to_owned());
    words.join(" ")
}

/// The source of a block without what makes it the block it is.
pub(crate) fn content(node: &Node<'_>) -> String {
    let prefix = prefix::of(node);
    let source = node.source();
    let bare = |text: &str| -> String {
        let each = lines(text).enumerate();
        let each = each.map(|(index, line)| if index == 0 { line } else { prefix.strip(line) });
        each.collect::<Vec<_>>().join("\n")
    };
    match node.kind() {
        Kind::Code(CodeStyle::Fenced | CodeStyle::Indented) => {
            lines(&code::body(node)).collect::<Vec<_>>().join("\n")
        }
        Kind::Heading { style: HeadingStyle::Setext, .. } => {
            let underline = source.trim_end().rfind(['\n', '\r']).unwrap_or(source.len());
            bare(source[..underline].trim_end())
        }
        Kind::Heading { style: HeadingStyle::Atx, .. } => {
            let text = source.trim_start_matches('#').trim();
            let open = text.trim_end_matches('#');
            let closed = open.is_empty() || open.ends_with([' ', '\t']);
            if closed { open.trim_end().to_owned() } else { text.to_owned() }
        }
        _ => bare(&source),
    }
}

/// Each line of the blocks gets a quote marker behind the prefix of what is around them.
fn quote(view: &View, nodes: &[Node<'_>]) -> Result<Draft, Refusal> {
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return Ok(Draft::default()) };
    let prefix = prefix::of(first);
    let mut draft = Draft::new("Set type quote");
    let mut line = view.line_start(first.range().start);
    let first_start = first.range().start;
    while line < last.range().end {
        let end = view.line_end(line);
        let source = view.slice(line..end);
        let at = if line <= first_start && first_start <= end {
            first_start
        } else {
            end - prefix.strip(&source).len()
        };
        let blank = view.slice(at..end).trim().is_empty();
        draft = draft.splice(at..at, if blank { ">" } else { "> " });
        line = view.next_line(end);
        if line <= end {
            break;
        }
    }
    Ok(draft)
}

/// Take the innermost quote around the blocks away.
fn unquote(view: &View, nodes: &[Node<'_>]) -> Result<Draft, Refusal> {
    let mut quotes: Vec<Node<'_>> = Vec::new();
    for node in nodes {
        if let Some(quote) = node.ancestors().find(|around| around.kind() == Kind::Quote)
            && !quotes.iter().any(|known| known.same(&quote))
        {
            quotes.push(quote);
        }
    }
    let mut draft = Draft::new("Remove quote");
    for quote in quotes {
        let prefix = prefix::of(&quote);
        let range = quote.range();
        let mut line = view.line_start(range.start);
        while line < range.end {
            let end = view.line_end(line);
            let source = view.slice(line..end);
            let at = if line <= range.start { range.start } else { end - prefix.strip(&source).len() };
            let rest = view.slice(at..end);
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            if rest[blanks..].starts_with('>') {
                let marker = blanks + 1 + usize::from(rest[blanks + 1..].starts_with(' '));
                draft = draft.splice(at..at + marker, "");
            }
            line = view.next_line(end);
            if line <= end {
                break;
            }
        }
    }
    Ok(draft)
}
