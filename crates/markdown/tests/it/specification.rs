//! All examples of the CommonMark specification, and of GitHub's tables, strikethrough and task lists, by the
//! HTML that the specification gives for them.
//!
//! The examples are not ours and stay where cargo put them: in the tests of the parser crate, as it was
//! published. Blocks are compared as a tree, inline formatting by how often each kind occurs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use markdown::{Kind, Mark, Node, SpanKind, View};

use crate::view;

struct Example {
    name: String,
    source: String,
    html: String,
}

/// Examples that mean something else here, because of what the specification does not know of.
const OTHERWISE: &[(&str, &str)] = &[
    ("spec_test_96", "a document that begins with a rule, a word and a rule has front matter"),
    ("spec_test_98", "two rules at the start are empty front matter"),
    ("spec_test_559", "a link in brackets is a wiki link"),
    ("spec_test_590", "an image of a text in brackets is an embedded page"),
];

fn examples(file: &str) -> Vec<Example> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let registries = home.map(|home| home.join("registry/src")).and_then(|src| std::fs::read_dir(src).ok());
    let parsers = registries.into_iter().flatten().flatten().filter_map(|registry| {
        std::fs::read_dir(registry.path()).ok().map(|crates| crates.flatten().map(|found| found.path()))
    });
    let mut parsers: Vec<PathBuf> = parsers
        .flatten()
        .filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("pulldown-cmark-0.13"))
        })
        .collect();
    parsers.sort();
    let Some(text) =
        parsers.last().and_then(|parser| std::fs::read_to_string(parser.join("tests/suite").join(file)).ok())
    else {
        return Vec::new();
    };
    let literal = |text: &str, name: &str| -> Option<String> {
        let (_, rest) = text.split_once(&format!("let {name} = r##\""))?;
        Some(rest.split_once("\"##;")?.0.to_owned())
    };
    let tests = text.split("#[test]").skip(1).filter_map(|test| {
        let name = test.split_once("fn ")?.1.split_once('(')?.0.to_owned();
        Some(Example { name, source: literal(test, "original")?, html: literal(test, "expected")? })
    });
    tests.collect()
}

/// The tree of blocks, in the terms of HTML: `h1 p ul(li(p))`.
fn ours(view: &View) -> String {
    fn one(node: Node<'_>) -> String {
        let name = match node.kind() {
            Kind::Heading { level, .. } => format!("h{level}"),
            Kind::TableHead => "head".to_owned(),
            Kind::TableRow => "row".to_owned(),
            Kind::TableCell => return "c".to_owned(),
            Kind::Item(_) => "li".to_owned(),
            // A paragraph of its own to edit, but a paragraph.
            Kind::Image | Kind::Math => "p".to_owned(),
            kind => match kind.prefix().map(|prefix| prefix.as_str()) {
                Some("task") => "ul".to_owned(),
                Some(prefix) => prefix.to_owned(),
                None => String::new(),
            },
        };
        let inner: Vec<String> = node.children().map(one).collect();
        if inner.is_empty() { name } else { format!("{name}({})", inner.join(" ")) }
    }
    view.top().map(one).collect::<Vec<_>>().join(" ")
}

#[derive(Default)]
struct Tree {
    name: String,
    inner: Vec<Tree>,
}

impl Tree {
    fn shown(&self) -> String {
        let inner: Vec<String> = self.inner.iter().map(Tree::shown).collect();
        match (self.name.as_str(), inner.is_empty()) {
            // Cells are compared by their number.
            ("c", _) | (_, true) => self.name.clone(),
            _ => format!("{}({})", self.name, inner.join(" ")),
        }
    }
}

const RAW: &str = "\u{1}";

/// The same of the HTML that is expected, with raw HTML blocks as `RAW` marks.
fn theirs(html: &str) -> String {
    let mut open = vec![Tree::default()];
    fn close(open: &mut Vec<Tree>) {
        if let Some(done) = open.pop()
            && let Some(around) = open.last_mut()
        {
            around.inner.push(done);
        }
    }
    // Text of a tight list stands in its item without a paragraph.
    let text = |open: &mut Vec<Tree>| {
        if open.last().is_some_and(|around| matches!(around.name.as_str(), "li" | "")) {
            open.push(Tree { name: "p*".to_owned(), ..Tree::default() });
        }
    };
    let settle = |open: &mut Vec<Tree>| {
        if open.last().is_some_and(|around| around.name == "p*") {
            if let Some(around) = open.last_mut() {
                around.name = "p".to_owned();
            }
            close(open);
        }
    };
    let mut rest = html;
    while let Some(at) = rest.find(['<', '\u{1}']) {
        let (before, tag) = rest.split_at(at);
        if !before.trim().is_empty() {
            text(&mut open);
        }
        if let Some(behind) = tag.strip_prefix(RAW) {
            settle(&mut open);
            open.push(Tree { name: "html".to_owned(), ..Tree::default() });
            close(&mut open);
            rest = behind;
            continue;
        }
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let name: String = tag[1..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '/').collect();
        rest = &tag[end..];
        let block = match name.trim_end_matches('/') {
            "ul" | "ol" | "li" | "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "table" => {
                Some(name.clone())
            }
            "blockquote" => Some("quote".to_owned()),
            "pre" => Some("code".to_owned()),
            "hr" => Some("hr".to_owned()),
            "th" | "td" => Some("c".to_owned()),
            _ => None,
        };
        match (block, name.as_str()) {
            (Some(block), name) => {
                settle(&mut open);
                open.push(Tree { name: block, ..Tree::default() });
                if name.starts_with("hr") {
                    close(&mut open);
                } else if name == "pre" {
                    rest = rest.split_once("</pre>").map_or("", |(_, behind)| behind);
                    close(&mut open);
                }
            }
            (None, "thead") => open.push(Tree { name: "head".to_owned(), ..Tree::default() }),
            (None, "tr") if open.last().is_some_and(|around| around.name != "head") => {
                open.push(Tree { name: "row".to_owned(), ..Tree::default() });
            }
            (None, "/tr") if open.last().is_some_and(|around| around.name == "row") => close(&mut open),
            (None, "/thead") => close(&mut open),
            (None, "tr" | "/tr" | "tbody" | "/tbody") => {}
            (None, "/ul" | "/ol" | "/li" | "/p" | "/blockquote" | "/table" | "/th" | "/td") => {
                settle(&mut open);
                close(&mut open);
            }
            (None, heading) if heading.len() == 3 && heading.starts_with("/h") => close(&mut open),
            (None, _) => text(&mut open),
        }
    }
    settle(&mut open);
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop()
        .map(|root| root.inner.iter().map(Tree::shown).collect::<Vec<_>>().join(" "))
        .unwrap_or_default()
}

/// How often each kind of inline formatting occurs.
fn inlines(view: &View) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for (_, node) in view.nodes() {
        let Some(leaf) = node.leaf() else { continue };
        for span in leaf.spans.iter() {
            // In HTML the text of an image is an attribute, without formatting.
            let around = |other: &markdown::Span| {
                matches!(other.kind, SpanKind::Image { .. })
                    && other.outer != span.outer
                    && other.outer.start <= span.outer.start
                    && span.outer.end <= other.outer.end
            };
            if leaf.spans.iter().any(around) {
                continue;
            }
            let name = match &span.kind {
                SpanKind::Mark(Mark::Bold) => "strong",
                SpanKind::Mark(Mark::Italic) => "em",
                SpanKind::Mark(Mark::Code) => "code",
                SpanKind::Mark(Mark::Strike) => "del",
                SpanKind::Link { .. } => "a",
                SpanKind::Image { .. } => "img",
                _ => continue,
            };
            *counts.entry(name).or_default() += 1;
        }
    }
    counts
}

fn tags(html: &str) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let html = html.replace("<pre><code", "<pre><pre");
    for name in ["strong", "em", "code", "del", "a", "img"] {
        let count = html.matches(&format!("<{name}>")).count() + html.matches(&format!("<{name} ")).count();
        if count > 0 {
            counts.insert(name, count);
        }
    }
    counts
}

#[test]
fn every_example_of_the_specifications_has_its_structure() {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for file in ["spec.rs", "gfm_table.rs", "gfm_strikethrough.rs", "gfm_tasklist.rs"] {
        let examples = examples(file);
        if examples.is_empty() {
            println!("SKIPPED: the parser's published tests ({file}) are not in the cargo registry");
            return;
        }
        for Example { name, source, html } in examples {
            let view = view(&source);
            crate::corpus::well_formed(&view, &name);
            // Raw HTML comes out as it went in, line by line without what is around it.
            let mut expected = html.clone();
            let mut raw_inline = false;
            for (_, node) in view.nodes() {
                if matches!(node.kind(), Kind::Html) {
                    let own = node.source();
                    let lines: Vec<&str> =
                        own.lines().map(|line| line.trim_start_matches(['>', ' '])).collect();
                    let found = [own.trim_end().to_owned(), lines.join("\n").trim_end().to_owned()];
                    if let Some(found) =
                        found.iter().find(|raw| !raw.is_empty() && expected.contains(raw.as_str()))
                    {
                        expected = expected.replacen(found.as_str(), RAW, 1);
                    }
                }
                if let Some(leaf) = node.leaf() {
                    raw_inline |= leaf.spans.iter().any(|span| span.kind == SpanKind::Html);
                }
            }
            if OTHERWISE.iter().any(|(known, _)| *known == name) {
                continue;
            }
            compared += 1;
            let (found, wanted) = (ours(&view), theirs(&expected));
            if found != wanted {
                wrong.push(format!("{name}: {source:?}\n  is {found}\n  not {wanted}"));
                continue;
            }
            // What raw HTML says of formatting is not ours to count.
            let raw = raw_inline || found.contains("html");
            if !raw && inlines(&view) != tags(&html) {
                wrong.push(format!(
                    "{name}: {source:?}\n  has {:?}\n  not {:?}",
                    inlines(&view),
                    tags(&html)
                ));
            }
        }
    }
    println!("{compared} examples compared");
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared >= 662, "only {compared} examples");
}
