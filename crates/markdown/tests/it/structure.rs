//! What text means: examples of CommonMark, of GitHub's tables and task lists, and of the extensions.

use markdown::{Kind, Node, SpanKind};

use crate::view;

/// `h1 p ul(li(p) li(p ul(li(p))))`
fn shape(source: &str) -> String {
    fn one(node: Node<'_>) -> String {
        let name = match node.kind() {
            Kind::Heading { level, .. } => format!("h{level}"),
            Kind::TableHead => "head".to_owned(),
            Kind::TableRow => "row".to_owned(),
            Kind::TableCell => return "c".to_owned(),
            Kind::Item(Some(true)) => "li+".to_owned(),
            Kind::Item(Some(false)) => "li-".to_owned(),
            kind => kind.prefix().map(|prefix| prefix.as_str().to_owned()).unwrap_or_default(),
        };
        let inner: Vec<String> = node.children().map(one).collect();
        if inner.is_empty() { name } else { format!("{name}({})", inner.join(" ")) }
    }
    let view = view(source);
    view.top().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn blocks_are_what_the_grammar_says() {
    for (source, expected) in [
        ("", ""),
        ("\n\n  \n", ""),
        ("a\nb\n\nc", "p p"),
        ("# a\n## b ##\n####### c", "h1 h2 p"),
        ("#a\n\n# \n", "p h1"),
        ("a\nb\n===\nc\n---\n", "h1 h2"),
        ("***\n---\n_ _ _\n", "hr hr hr"),
        ("a\n***\nb", "p hr p"),
        ("- a\n- b\n+ c\n", "ul(li(p) li(p)) ul(li(p))"),
        ("1. a\n3) b\n", "ol(li(p)) ol(li(p))"),
        ("- a\n\n  b\n- c\n", "ul(li(p p) li(p))"),
        ("- a\n  - b\n    - c\n", "ul(li(p ul(li(p ul(li(p))))))"),
        ("1. a\n\n\t- tab\n", "ol(li(p ul(li(p))))"),
        ("-\n- a\n-\n", "ul(li li(p) li)"),
        ("a\n- b\n", "p ul(li(p))"),
        ("a\n2. b\n", "p"),
        ("- a\n\n\n- b\n", "ul(li(p) li(p))"),
        ("- a\n\n      code\n", "ul(li(p code))"),
        ("> a\nb\n\n> c\n", "quote(p) quote(p)"),
        ("> # a\n> - b\n>\n> c\n", "quote(h1 ul(li(p)) p)"),
        ("> > a\n> b\n", "quote(quote(p))"),
        (">\n", "quote"),
        ("    code\n\n    more\n", "code"),
        ("a\n    b\n", "p"),
        ("```\nx\n\ny\n```\nz\n", "code p"),
        ("~~~ a\nx\n", "code"),
        ("```\n~~~\n```\n", "code"),
        ("> ```\n> a\n\nb\n", "quote(code) p"),
        ("- ```\n  a\n  ```\n", "ul(li(code))"),
        ("<div>\na\n\nb\n</div>\n", "html p html"),
        ("<!-- a\n\nb -->\nc\n", "html p"),
        ("a <b>c</b>\n", "p"),
        ("[a]: /u\n\n[a]\n", "p"),
        ("[a]: /u\n", ""),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |\n", "table(head(c c) row(c c))"),
        ("| a |\n|---|\n| 1 | 2 |\nx\n\ny\n", "table(head(c) row(c) row(c)) p"),
        ("| a | b |\n|---|\n", "p"),
        ("- [ ] a\n- [x] b\n- c\n", "task(li-(p) li+(p) li(p))"),
        ("1. [ ] a\n", "ol(li-(p))"),
        ("- [ ]a\n", "ul(li(p))"),
        ("---\na: 1\n---\n# T\n", "meta h1"),
        ("---\n\na\n\n---\n", "hr p hr"),
        ("+++\na = 1\n+++\n\nx\n", "meta p"),
        ("x\n\n---\na: 1\n---\n", "p hr h2"),
        ("$$\nx^2\n$$\n", "math"),
        ("a $$x$$ b\n", "p"),
        ("![a](b)\n\nx ![a](b)\n", "img p"),
        ("![a]\n\n[a]: b\n", "img"),
        ("a[^1]\n\n[^1]: note\n\n    more\n", "p fn(p p)"),
        ("term\n: def\n\nx\n", "dl(dt dd(p)) p"),
        ("```mermaid\ngraph TD\n```\n", "code"),
    ] {
        for eol in ["\n", "\r\n"] {
            assert_eq!(shape(&source.replace('\n', eol)), expected, "{source:?} with {eol:?}");
        }
    }
}

/// `bold[wor] link:u[text]`
fn spans(source: &str) -> String {
    let view = view(source);
    let node = view.top().next().expect("a block");
    let leaf = node.leaf().expect("text");
    let told: Vec<String> = leaf
        .spans
        .iter()
        .map(|span| {
            let inner = view.slice(span.inner.clone());
            match &span.kind {
                SpanKind::Mark(mark) => format!("{}[{inner}]", mark.name()),
                SpanKind::Link { href, .. } => format!("link:{href}[{inner}]"),
                SpanKind::Image { href, .. } => format!("image:{href}[{inner}]"),
                SpanKind::WikiLink { target } => format!("wiki:{target}[{inner}]"),
                SpanKind::Math => format!("math[{inner}]"),
                SpanKind::FootnoteReference => format!("note:{}", view.slice(span.outer.clone())),
                SpanKind::Html => format!("html:{}", view.slice(span.outer.clone())),
            }
        })
        .collect();
    told.join(" ")
}

#[test]
fn inlines_are_what_the_grammar_says() {
    for (source, expected) in [
        ("**a** *b* __c__ _d_\n", "bold[a] italic[b] bold[c] italic[d]"),
        ("***a***\n", "italic[**a**] bold[a]"),
        ("a*b*c a_b_c\n", "italic[b]"),
        ("`a` ``b`c`` ` d `\n", "code[a] code[b`c] code[d]"),
        ("~~a~~ ==b== ++c++\n", "strike[a] highlight[b] underline[c]"),
        ("== a == a++ b++ `==x==` \\==y==\n", "code[==x==]"),
        ("**==a== b**\n", "bold[==a== b] highlight[a]"),
        ("==a **b==** c\n", "bold[b==]"),
        ("[a](u) [b][r] [r][] [r] [x]\n\n[r]: /v\n", "link:u[a] link:/v[b] link:/v[r] link:/v[r]"),
        ("[a [b] c](u \"t\") ![i](s)\n", "link:u[a [b] c] image:s[i]"),
        ("<http://x> [[w]] [[w|d]]\n", "link:http://x[http://x] wiki:w[w] wiki:w[d]"),
        ("$a$ x[^1] <b>\n\n[^1]: n\n", "math[a] note:[^1] html:<b>"),
        ("x[^9]\n", ""),
        ("\\*a\\* &amp; b\n", ""),
    ] {
        assert_eq!(spans(source), expected, "{source:?}");
    }
    let plain = view("a \\* &amp; `c d` **b**\nnext <i>x</i> [t](u)\n");
    assert_eq!(plain.top().next().unwrap().plain(), "a * & c d b\nnext x t");
}

#[test]
fn the_context_of_a_place_is_told() {
    let source = "# T\n\n- a\n- b\n\n> q\n\n| x |\n|---|\n| y |\n\n```rust\ncode\n```\n";
    let view = view(source);
    let at = |text: &str| markdown::place(&view, source.find(text).unwrap(), 1, 1);
    let item = at("b\n\n>");
    assert_eq!(item.block.as_ref().and_then(|block| block.in_list), Some(markdown::ListKind::Bullet));
    assert_eq!((item.before.as_str(), item.current_line.as_str(), item.after.as_str()), ("- a", "- b", ""));
    assert!(at("q\n").block.is_some_and(|block| block.in_quote));
    assert!(at("y |").block.is_some_and(|block| block.in_table && block.kind == Kind::Table));
    let code = at("code").block.unwrap();
    assert_eq!((code.language.as_deref(), code.start), (Some("rust"), source.find("```rust").unwrap()));
    assert_eq!(at("T\n").block.unwrap().kind.level(), Some(1));
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    use edit::Format;
    let open = |bytes: &[u8]| {
        markdown::Markdown::unpack(std::sync::Arc::new(bytes.to_vec()), &markdown::Limits::default())
    };
    assert!(open(b"\xFF\xFEa\0").unwrap_err().to_string().contains("UTF-16"));
    assert!(open(b"ab\xC3").unwrap_err().to_string().contains("first bad byte at 2"));
    let (source, content) = open(b"\xEF\xBB\xBF# a").unwrap();
    assert!(source.bom);
    assert_eq!(crate::text(&content), "# a");
}
