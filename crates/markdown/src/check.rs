//! What a reader of the rendered page would stumble over.
//!
//! Only what the source itself can tell. Whether a file that a link names is there is for whoever may look at files;
//! [`links`] lists what to look for, and [`anchors`] what a link into this document may name.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use unicase::UniCase;

use crate::block::{Kind, NodeId};
use crate::code;
use crate::inline::{InlinePiece, PieceKind, SpanKind};
use crate::view::{Node, View};

/// Something that is wrong, with where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// A byte of the document.
    pub at: usize,
    /// The block it is in, if it is in one that has a name.
    pub node: Option<NodeId>,
    pub rule: Rule,
    pub what: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    BrokenLink,
    OpenFence,
    RaggedTable,
    SkippedLevel,
    MixedLineEndings,
    LostText,
}

impl Rule {
    pub fn name(self) -> &'static str {
        match self {
            Self::BrokenLink => "broken-link",
            Self::OpenFence => "open-fence",
            Self::RaggedTable => "ragged-table",
            Self::SkippedLevel => "skipped-level",
            Self::MixedLineEndings => "mixed-line-endings",
            Self::LostText => "lost-text",
        }
    }
}

/// A link or picture that leads to a file beside the document, as its source has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLink {
    pub at: usize,
    pub node: Option<NodeId>,
    /// Relative to the document, with `%20` and the like resolved; empty in a link into the document itself.
    pub path: String,
    /// What follows `#`.
    pub fragment: Option<String>,
}

/// Everything that is found, in document order.
pub fn check(view: &View) -> Vec<Finding> {
    let mut findings = text_findings(&view.text());
    let mut level = None;
    for (id, node) in view.nodes() {
        match node.kind() {
            Kind::Heading { level: here, .. } => {
                findings.extend(skipped(&node, id, level, here));
                level = Some(here);
            }
            Kind::Code(_) => findings.extend(open_fence(&node, id)),
            Kind::TableRow => findings.extend(ragged(&node)),
            _ => {}
        }
        findings.extend(undefined(&node, id));
    }
    let anchors = anchors(view);
    findings.extend(links(view).into_iter().filter(|link| link.path.is_empty()).filter_map(|link| {
        let fragment = link.fragment?;
        (!has_anchor(&anchors, &fragment)).then(|| Finding {
            at: link.at,
            node: link.node,
            rule: Rule::BrokenLink,
            what: format!("no heading answers to `#{fragment}`"),
        })
    }));
    findings.sort_by_key(|finding| finding.at);
    findings
}

fn text_findings(text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut found =
        |at: usize, rule: Rule, what: String| findings.push(Finding { at, node: None, rule, what });
    let crlf = text.matches("\r\n").count();
    let lf = text.matches('\n').count() - crlf;
    if crlf > 0 && lf > 0 {
        let is_crlf = |at: usize| at > 0 && text.as_bytes().get(at - 1) == Some(&b'\r');
        let rare = |at: &usize| is_crlf(*at) == (crlf < lf);
        let at = text.match_indices('\n').map(|(at, _)| at).find(rare).unwrap_or(0);
        found(at, Rule::MixedLineEndings, format!("line endings are mixed: {crlf} CRLF and {lf} LF"));
    }
    if let Some(at) = text.find('\u{FFFD}') {
        found(at, Rule::LostText, "a replacement character: text was lost before".to_owned());
    }
    findings
}

fn skipped(node: &Node<'_>, id: Option<NodeId>, before: Option<u8>, here: u8) -> Option<Finding> {
    let before = before.filter(|before| here > before + 1)?;
    let what = format!("`{}` is a heading of level {here} right under one of level {before}", node.plain());
    Some(Finding { at: node.range().start, node: id, rule: Rule::SkippedLevel, what })
}

fn open_fence(node: &Node<'_>, id: Option<NodeId>) -> Option<Finding> {
    let fence = code::fence(node).filter(|fence| !fence.closed)?;
    let what = format!("the code block that `{}` opens is never closed", fence.fence);
    Some(Finding { at: node.range().start, node: id, rule: Rule::OpenFence, what })
}

/// A row with more or fewer cells than the header. Renderers leave the surplus out, which nobody notices.
fn ragged(row: &Node<'_>) -> Option<Finding> {
    let table = row.parent()?;
    let header = table.children().find(|node| node.kind() == Kind::TableHead)?;
    let (wanted, found) = (cells(&header.source()), cells(&row.source()));
    if wanted == found {
        return None;
    }
    let lost = if found > wanted { "; the last are not shown" } else { "" };
    let what = format!("a row of {found} cells in a table of {wanted} columns{lost}");
    Some(Finding { at: row.range().start, node: table.id(), rule: Rule::RaggedTable, what })
}

/// Pipes part cells unless a backslash stands before them, in code as well.
fn cells(row: &str) -> usize {
    let row = row.trim();
    let mut bars = Vec::new();
    let mut escaped = false;
    for (at, byte) in row.bytes().enumerate() {
        if byte == b'|' && !escaped {
            bars.push(at);
        }
        escaped = byte == b'\\' && !escaped;
    }
    let at_edges = usize::from(bars.first() == Some(&0))
        + usize::from(row.len() > 1 && bars.last() == Some(&(row.len() - 1)));
    (bars.len() + 1).saturating_sub(at_edges)
}

/// References to links and footnotes that nothing defines; a reader sees their brackets.
fn undefined(node: &Node<'_>, id: Option<NodeId>) -> Vec<Finding> {
    let Some(leaf) = node.leaf() else { return Vec::new() };
    let mut findings = Vec::new();
    let mut found = |at: usize, what: String| {
        findings.push(Finding { at, node: id, rule: Rule::BrokenLink, what });
    };
    let view = node.view();
    for span in leaf.spans.iter().filter(|span| span.kind == SpanKind::FootnoteReference) {
        let source = view.slice(span.outer.clone());
        let label = source.trim_start_matches("[^").trim_end_matches(']');
        if !view.definitions().footnotes.contains(&UniCase::new(label.to_owned())) {
            found(span.outer.start, format!("footnote `{label}` is not defined"));
        }
    }
    for range in stretches(&leaf.pieces) {
        let text = view.slice(range.clone());
        // What a backslash stands before is the beginning of a stretch, and was meant as text.
        let escaped = range.start > 0 && &*view.slice(range.start - 1..range.start) == "\\";
        for (at, label) in bracketed(&text).into_iter().filter(|(at, _)| *at > 0 || !escaped) {
            found(
                range.start + at,
                match label.strip_prefix('^') {
                    Some(label) => format!("footnote `{label}` is not defined"),
                    None => format!("the link reference `{label}` is not defined"),
                },
            );
        }
    }
    findings
}

/// Plain text in one go, as far as it is written as it is shown.
fn stretches(pieces: &[InlinePiece]) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for piece in pieces.iter().filter(|piece| piece.kind == PieceKind::Text && piece.shown.is_none()) {
        match stretches.last_mut() {
            Some(last) if last.end == piece.range.start => last.end = piece.range.end,
            _ => stretches.push(piece.range.clone()),
        }
    }
    stretches
}

/// `[^label]` and `[text][label]` that stayed text, with where they begin. What follows a word is an index, as in `a[i][j]`.
fn bracketed(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('[') {
        let word_before = text[..open].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == ']');
        let Some(inner) = text[open + 1..].split(']').next().filter(|inner| !inner.contains('[')) else {
            continue;
        };
        let behind = &text[(open + 1 + inner.len() + 1).min(text.len())..];
        if let Some(label) = inner.strip_prefix('^') {
            if !label.is_empty()
                && !label.contains(char::is_whitespace)
                && text.len() > open + 1 + inner.len()
            {
                found.push((open, inner));
            }
        } else if let Some((label, _)) = behind.strip_prefix('[').and_then(|rest| rest.split_once(']'))
            && !word_before
            && !inner.trim().is_empty()
            && !label.contains('[')
        {
            found.push((open, if label.is_empty() { inner } else { label }));
        }
    }
    found
}

/// Links and pictures that lead to files or into this document; not those that lead to the network.
pub fn links(view: &View) -> Vec<FileLink> {
    let mut links = Vec::new();
    for (id, node) in view.nodes() {
        let Some(leaf) = node.leaf() else { continue };
        for span in leaf.spans.iter() {
            let (SpanKind::Link { href, .. } | SpanKind::Image { href, .. }) = &span.kind else { continue };
            // What begins with a slash is relative to a site that only its server knows.
            if has_scheme(href) || href.starts_with('/') || href.is_empty() {
                continue;
            }
            let (path, fragment) = match href.split_once('#') {
                Some((path, fragment)) => (path, Some(decoded(fragment).into_owned())),
                None => (href.as_str(), None),
            };
            let path = path.split('?').next().unwrap_or(path);
            links.push(FileLink {
                at: span.outer.start,
                node: id,
                path: decoded(path).into_owned(),
                fragment: fragment.filter(|fragment| !fragment.is_empty()),
            });
        }
    }
    links
}

/// `https:`, `mailto:` and the like; a single letter is a drive.
fn has_scheme(href: &str) -> bool {
    href.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    })
}

/// `%20` is a blank.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digits = behind.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match digits.filter(|_| *first == b'%').and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Whether a link may say so. Capitals do not matter, nor do accents and signs, about which renderers disagree; a page
/// always has a top.
pub fn has_anchor(anchors: &BTreeSet<String>, fragment: &str) -> bool {
    let fragment = name(fragment);
    fragment == "top" || anchors.contains(&fragment)
}

/// What `#…` may name in this document: headings as GitHub names them, names that the heading itself gives, and HTML ids.
pub fn anchors(view: &View) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, node) in view.nodes() {
        match node.kind() {
            Kind::Heading { .. } => {
                let title = title(&node);
                let own = title.trim_end().strip_suffix('}').and_then(|rest| rest.rsplit_once("{#"));
                if let Some((before, own)) = own {
                    anchors.insert(name(own));
                    anchors.insert(name(before.trim_end()));
                }
                let slug = name(&title);
                let numbered = (1..).map(|count| format!("{slug}-{count}"));
                let free = std::iter::once(slug.clone()).chain(numbered).find(|name| !anchors.contains(name));
                anchors.extend(free);
            }
            Kind::FrontMatter | Kind::Code(_) => continue,
            _ => {}
        }
        if !node.kind().is_container() {
            let source = node.source();
            for attribute in ["id=\"", "name=\"", "id='", "name='"] {
                let values =
                    source.split(attribute).skip(1).filter_map(|rest| rest.split(['"', '\'']).next());
                anchors.extend(values.map(name));
            }
        }
    }
    anchors
}

/// What a heading says, without its pictures.
fn title(heading: &Node<'_>) -> String {
    let Some(leaf) = heading.leaf() else { return heading.plain() };
    let pictures: Vec<&Range<usize>> = leaf
        .spans
        .iter()
        .filter(|span| matches!(span.kind, SpanKind::Image { .. }))
        .map(|span| &span.outer)
        .collect();
    let kept = |piece: &&InlinePiece| !pictures.iter().any(|picture| picture.contains(&piece.range.start));
    leaf.pieces.iter().filter(kept).map(|piece| leaf.shown(piece)).collect()
}

/// The name of a heading: its letters and digits, and dashes for blanks.
fn name(title: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let small = title.chars().filter(|c| kept(*c)).flat_map(char::to_lowercase);
    small.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Markdown};
    use edit::Format as _;

    fn view(text: &str) -> View {
        let (_, content) = Markdown::unpack(text.as_bytes().to_vec().into(), &Limits::default()).unwrap();
        Markdown::view(&content).unwrap()
    }

    fn found(text: &str) -> Vec<String> {
        let view = view(text);
        let line = |finding: Finding| {
            let line = view.line_column(finding.at).line;
            format!("{line} {}: {}", finding.rule.name(), finding.what)
        };
        check(&view).into_iter().map(line).collect()
    }

    #[test]
    fn a_clean_page_has_no_findings() {
        let text = "# A\n\n## B\n\nSee [B](#b), [it](x.md), <https://x.org>, [r][] and a[i][j].[^n]\n\n\
            | a | b |\n|---|---|\n| 1 | `x\\|y` |\n\n```\ncode [x][y]\n```\n\n[r]: #a\n[^n]: note\n";
        assert_eq!(found(text), Vec::<String>::new());
    }

    #[test]
    fn links_into_the_document_and_references_are_followed() {
        assert_eq!(
            found("# One two\n\n[a](#one-two) [b](#nowhere) [c][gone] [d][] [^x] \\[e][f]\n"),
            [
                "3 broken-link: no heading answers to `#nowhere`",
                "3 broken-link: the link reference `gone` is not defined",
                "3 broken-link: the link reference `d` is not defined",
                "3 broken-link: footnote `x` is not defined",
            ]
        );
    }

    #[test]
    fn fences_tables_and_levels() {
        assert_eq!(
            found("a\n\n~~~sh\nls\n"),
            ["3 open-fence: the code block that `~~~` opens is never closed"]
        );
        assert_eq!(
            found("a | b\n--|--\n1 | 2 | 3\n4\n| 5 | 6 |\n"),
            [
                "3 ragged-table: a row of 3 cells in a table of 2 columns; the last are not shown",
                "4 ragged-table: a row of 1 cells in a table of 2 columns",
            ]
        );
        assert_eq!(
            found("# A\n\n### C\n"),
            ["3 skipped-level: `C` is a heading of level 3 right under one of level 1"]
        );
    }

    #[test]
    fn the_text_itself() {
        assert_eq!(
            found("one\r\n\r\ntwo\n\r\nthree\r\n"),
            ["3 mixed-line-endings: line endings are mixed: 4 CRLF and 1 LF"]
        );
        assert_eq!(found("a \u{FFFD}\n"), ["1 lost-text: a replacement character: text was lost before"]);
    }

    #[test]
    fn headings_are_named_as_github_names_them() {
        let names = anchors(&view(
            "# What's new, *really*?\n\n# A\n\n# A\n\n# Éxtra {#own}\n\n<a id=\"Here.x\"></a>\n\n# C++ & `x_y`\n\n\
             # Ready ✔️\n\n# With ![a picture](p.png)\n",
        ));
        for wanted in [
            "whats-new-really",
            "a",
            "a-1",
            "éxtra",
            "éxtra-own",
            "own",
            "here.x",
            "c--x_y",
            "Ready-✔️",
            "with-",
            "top",
        ] {
            assert!(has_anchor(&names, wanted), "{wanted} in {names:?}");
        }
        for unknown in ["whats-new", "a-2", "with-a-picture"] {
            assert!(!has_anchor(&names, unknown), "{unknown}");
        }
    }

    #[test]
    fn only_links_to_files_are_listed() {
        let links = links(&view(
            "[a](b%20c.md#d) ![p](p.png?raw) [w](https://x.org/y.md) [m](mailto:a@b) [s](/site) [t](#u)\n",
        ));
        let told: Vec<(&str, Option<&str>)> =
            links.iter().map(|link| (link.path.as_str(), link.fragment.as_deref())).collect();
        assert_eq!(told, [("b c.md", Some("d")), ("p.png", None), ("", Some("u"))]);
    }
}
