//! The tree against an independent reader, and what it answers.

use edit::Blob;
use ooxml::xml::{
    Document, Kind, Namespaces, Node, NodeId, Scanner, TokenKind, Tree, XmlFault, XmlLimits,
    decode_attribute, decode_text, escape_attribute, escape_text, find_spans, first_illegal, ns, to_utf8,
};
use proptest::prelude::*;
use quick_xml::events::Event;

fn parse(source: &str) -> Document {
    Document::parse(&Blob::from(source), &XmlLimits::default())
        .unwrap_or_else(|error| panic!("{error}: {source}"))
}

#[test]
fn nodes_know_their_bytes_and_neighbours() {
    let source = "\u{FEFF}<?xml version='1.0'?>\n<!--c--><w:p xmlns:w='urn:w' w:a = \"1\" b='x&amp;y'><w:t >Hi &lt;&#x41;</w:t ><w:t/><![CDATA[<]]></w:p>\n";
    let document = parse(source);
    let root = document.root();
    assert_eq!(
        (root.name().namespace, root.name().local, root.qualified(), root.prefix()),
        ("urn:w", "p", "w:p", "w")
    );
    let children: Vec<Node<'_>> = root.children().collect();
    assert_eq!(children.len(), 3);
    assert_eq!(&source[children[0].span()], "<w:t >Hi &lt;&#x41;</w:t >");
    assert_eq!(&source[children[0].content_span()], "Hi &lt;&#x41;");
    assert_eq!(&source[children[0].tag_span()], "<w:t >");
    assert_eq!(&source[children[0].end_tag_span()], "</w:t >");
    assert!(children[1].closes_itself() && !children[0].closes_itself());
    assert_eq!(children[2].kind(), Kind::Cdata);
    assert_eq!(root.text(), "Hi <A<");
    assert_eq!(children[0].next_sibling().unwrap().id(), children[1].id());
    assert!(children[2].next_sibling().is_none());
    assert_eq!(children[0].parent().unwrap().id(), root.id());
    assert_eq!(children[0].ancestors().last().unwrap().id(), NodeId::DOCUMENT);
    assert!(root.contains(children[2].id()) && !children[0].contains(children[1].id()));

    let attributes: Vec<_> =
        root.attributes().map(|a| (a.namespace(), a.local(), a.value().into_owned())).collect();
    assert_eq!(
        attributes,
        [(ns::XMLNS, "w", "urn:w".into()), ("urn:w", "a", "1".into()), ("", "b", "x&y".to_owned())]
    );
    let a = root.attribute("urn:w", "a").unwrap();
    assert_eq!((&source[a.span()], &source[a.value_span()]), ("w:a = \"1\"", "1"));
    assert_eq!(root.value(ns::NONE, "b").unwrap(), "x&y");
    assert!(root.attribute(ns::NONE, "a").is_none());
}

#[test]
fn namespaces_are_scoped_and_strict_ones_read_as_transitional() {
    let document = parse(
        "<a xmlns='u1' xmlns:p='u2'><b/><b xmlns='u3' xmlns:p='u4'><p:c p:x='1'/></b><p:c p:x='2'/><d xmlns=''/></a>",
    );
    let names: Vec<_> = document.root().descendants().map(|n| (n.name().namespace, n.name().local)).collect();
    assert_eq!(names, [("u1", "b"), ("u3", "b"), ("u4", "c"), ("u2", "c"), ("", "d")]);
    let inner = document.root().descendants().find(|node| node.is("u4", "c")).unwrap();
    assert_eq!(inner.value("u4", "x").unwrap(), "1");
    assert_eq!(inner.namespaces().prefix_of("u3"), Some(""));
    assert_eq!(inner.namespaces().attribute_prefix_of("u3"), None);
    assert_eq!(inner.namespaces().prefix_of("u2"), None, "hidden by the inner declaration");
    assert_eq!(inner.namespaces().resolve("p"), Some("u4"));
    assert_eq!(inner.namespaces().resolve("q"), None);

    let strict = parse("<w:p xmlns:w='http://purl.oclc.org/ooxml/wordprocessingml/main' w:x='1'/>");
    assert!(strict.root().is(ns::W, "p"));
    assert!(strict.root().attribute(ns::W, "x").is_some());
    assert_eq!(strict.root().namespaces().prefix_of(ns::W), Some("w"));
}

#[test]
fn fragments_parse_in_the_scope_of_their_parent() {
    let source = "<w:body xmlns:w='urn:w' xmlns='urn:d'><w:p><w:r/>text</w:p><w:p/></w:body>";
    let document = parse(source);
    let fragment = b"<w:p><new/></w:p> &amp; <w:p/>";
    let limits = XmlLimits::default();
    let tree = Tree::parse_fragment(fragment, &document.root().namespaces(), &limits).unwrap();
    let top: Vec<_> = tree.document(fragment).children().map(|node| node.kind()).collect();
    assert_eq!(top, [Kind::Element, Kind::Text, Kind::Element]);
    let names: Vec<_> =
        tree.document(fragment).descendants().filter(Node::is_element).map(|n| n.name().namespace).collect();
    assert_eq!(names, ["urn:w", "urn:d", "urn:w"]);
    assert!(Tree::parse_fragment(b"<x:p/>", &document.root().namespaces(), &limits).is_err());
    assert!(Tree::parse_fragment(b"</w:p>", &document.root().namespaces(), &limits).is_err());
    let declared = Namespaces::declare(&[("w", "urn:w")]).unwrap();
    assert!(Tree::parse_fragment(b"<w:p/>", &declared, &limits).is_ok());
}

#[test]
fn descendants_can_skip_what_they_have_seen() {
    let document = parse("<a><b><c/><c/></b><d><c/></d></a>");
    let mut walk = document.root().descendants();
    let mut seen = Vec::new();
    while let Some(node) = walk.next() {
        seen.push(node.qualified());
        if node.qualified() == "b" {
            walk.skip_below();
        }
    }
    assert_eq!(seen, ["b", "d", "c"]);
}

#[test]
fn what_is_not_well_formed_is_refused() {
    for source in [
        "",
        " ",
        "text",
        "<a>",
        "</a>",
        "<a></b>",
        "<a/><b/>",
        "<a/>x",
        "<a b/>",
        "<a b=c/>",
        "<a b='1'c='2'/>",
        "<a b='1' b='2'/>",
        "<a b='<'/>",
        "<a b='1/>",
        "< a/>",
        "<a><!-- -- --></a>",
        "<a><!-- </a>",
        "<a>&</a>",
        "<a>&lt</a>",
        "<a>&#0;</a>",
        "<a>&#xD800;</a>",
        "<a>&#x110000;</a>",
        "<a>\x01</a>",
        "<a b='\x02'/>",
        "<a><![CDATA[</a>",
        "<?xml version='1.0'",
        " <?xml version='1.0'?><a/>",
        "<a><?xml version='1.0'?></a>",
        "<p:a/>",
        "<a p:b='1'/>",
        "<a:b:c xmlns:a='u'/>",
        "<:a/>",
        "<a:/>",
        "<1a/>",
        "<a xmlns:p=''/>",
        "<a xmlns:xml='u'/>",
        "<a xmlns:xmlns='u'/>",
        "<a><!x></a>",
        "<a/ >",
        "<a",
        "<a ",
        "<",
        "<a></a",
        "<a></ a>",
        "<![CDATA[x]]><a/>",
        "<a>&#+65;</a>",
    ] {
        let error = Tree::parse(source.as_bytes(), &XmlLimits::default()).expect_err(source);
        assert_eq!(error.fault, XmlFault::Malformed, "{source}: {error}");
    }
    assert!(Tree::parse(b"<a>\xFF</a>", &XmlLimits::default()).is_err());
}

#[test]
fn what_is_unusual_but_right_is_taken() {
    for source in [
        "<a/>",
        "\u{FEFF}<a/>",
        "<?xml version='1.0' encoding='utf-8'?><a/>",
        "<a\n\t\r b\n=\n'1'\n/>",
        "<a></a >",
        "<!-- c --><?pi?><?pi x?><a/><!-- d --> ",
        "<a b='>' c=\"'\" d='\"'/>",
        "<é è='1'/>",
        "<a>]]&gt;</a>",
        "<a xml:space='preserve'/>",
        "<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>",
        "<a>&#x10FFFF;</a>",
        "<a><![CDATA[<&]]]]></a>",
        "<_-.a/>",
    ] {
        parse(source);
    }
}

#[test]
fn other_encodings_are_named_and_utf16_can_be_read() {
    let text = "<a>é€😀</a>";
    let little: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let big: Vec<u8> =
        [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    for bytes in [little, big] {
        assert_eq!(Tree::parse(&bytes, &XmlLimits::default()).unwrap_err().fault, XmlFault::Unsupported);
        assert_eq!(&*to_utf8(&bytes).unwrap(), text.as_bytes());
        assert!(to_utf8(&bytes[..bytes.len() - 1]).is_err());
    }
    let latin = b"<?xml version='1.0' encoding=\"ISO-8859-1\"?><a/>";
    assert_eq!(Tree::parse(latin, &XmlLimits::default()).unwrap_err().fault, XmlFault::Unsupported);
}

#[test]
fn illegal_characters_never_reach_a_file() {
    assert_eq!(first_illegal("a\u{B}b"), Some('\u{B}'));
    assert_eq!(first_illegal("a\t\r\n😀"), None);
    assert_eq!(escape_text("a\u{B}b"), "a\u{FFFD}b");
    assert_eq!(escape_attribute("\"'\n"), "&quot;&apos;&#10;");
}

/// Everything a reader reports, in one flat list.
fn ours(source: &str) -> Vec<String> {
    fn walk(node: Node<'_>, out: &mut Vec<String>) {
        match node.kind() {
            Kind::Document => node.children().for_each(|child| walk(child, out)),
            Kind::Element => {
                let attributes: Vec<String> =
                    node.attributes().map(|a| format!("{}={}", a.qualified(), a.value())).collect();
                out.push(format!("+{} {}", node.qualified(), attributes.join(",")));
                node.children().for_each(|child| walk(child, out));
                out.push(format!("-{}", node.qualified()));
            }
            Kind::Text | Kind::Cdata => out.push(format!("t{}", node.text())),
            Kind::Comment => out.push(format!("c{}", String::from_utf8_lossy(node.source()))),
            Kind::Instruction => {}
        }
    }
    let tree =
        Tree::parse(source.as_bytes(), &XmlLimits::default()).unwrap_or_else(|e| panic!("{e}: {source}"));
    let mut out = Vec::new();
    walk(tree.document(source.as_bytes()), &mut out);
    merge_text(out)
}

fn text(piece: &impl AsRef<str>) -> &str {
    piece.as_ref()
}

fn quick(source: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(source);
    reader.config_mut().expand_empty_elements = true;
    let mut out = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) => {
                let attributes: Vec<String> = tag
                    .attributes()
                    .map(|a| {
                        let a = a.unwrap();
                        let value = quick_xml::escape::unescape(text(&a.value)).unwrap();
                        format!("{}={}", text(&a.key), value)
                    })
                    .collect();
                out.push(format!("+{} {}", text(&tag.name()), attributes.join(",")));
            }
            Event::End(tag) => out.push(format!("-{}", text(&tag.name()))),
            Event::Text(text) => out.push(format!("t{}", self::text(&text))),
            Event::GeneralRef(name) => {
                let spelled = format!("&{};", text(&name));
                out.push(format!("t{}", quick_xml::escape::unescape(&spelled).unwrap()));
            }
            Event::CData(text) => out.push(format!("t{}", self::text(&text))),
            Event::Comment(text) => out.push(format!("c<!--{}-->", self::text(&text))),
            Event::Eof => return merge_text(out),
            _ => {}
        }
    }
}

fn merge_text(events: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for event in events {
        match out.last_mut() {
            Some(last) if last.starts_with('t') && event.starts_with('t') => last.push_str(&event[1..]),
            _ => out.push(event),
        }
    }
    out.retain(|event| event != "t");
    out
}

fn any_xml() -> impl Strategy<Value = String> {
    let name = "(w:|r:|)(p|t|r|tbl|é|a1)";
    let attributes = proptest::collection::btree_map(
        "(w:|r:|)[a-d]{1,3}",
        "([ a-zé'>]|&amp;|&lt;|&#65;|&quot;){0,6}",
        0..4,
    );
    let start = (name, attributes, any::<bool>()).prop_map(|(name, attributes, blank)| {
        let mut tag = name;
        for (key, value) in attributes {
            tag += &format!("{}{key}=\"{value}\"", if blank { "  \n" } else { " " });
        }
        tag
    });
    let leaf = prop_oneof![
        "([a-zé \n>'\"]|&amp;|&lt;|&#x41;|&gt;){1,8}",
        "[a-z<>&é]{0,5}".prop_map(|text| format!("<![CDATA[{text}]]>")),
        "[a-z<>&é]{0,5}".prop_map(|text| format!("<!--{text}-->")),
        start.clone().prop_map(|tag| format!("<{tag}/>")),
    ];
    let content = leaf.prop_recursive(5, 60, 6, move |inner| {
        (start.clone(), proptest::collection::vec(inner, 0..6)).prop_map(|(tag, inner)| {
            let name = tag.split([' ', '\n']).next().unwrap_or_default().to_owned();
            format!("<{tag}>{}</{name}>", inner.concat())
        })
    });
    proptest::collection::vec(content, 0..6)
        .prop_map(|inner| format!("<root xmlns:w='urn:w' xmlns:r='urn:r'>{}</root>", inner.concat()))
}

proptest! {
    #[test]
    fn the_tree_says_what_another_reader_says(source in any_xml()) {
        prop_assert_eq!(ours(&source), quick(&source));
        let tree = Tree::parse(source.as_bytes(), &XmlLimits::default()).unwrap();
        let mut rebuilt = Vec::new();
        crate::corpus::rebuild(tree.document(source.as_bytes()), source.as_bytes(), &mut rebuilt);
        prop_assert_eq!(rebuilt, source.as_bytes());
    }

    #[test]
    fn tokens_are_adjacent_and_skipping_agrees_with_the_tree(source in any_xml()) {
        let limits = XmlLimits::default();
        let mut scanner = Scanner::new(source.as_bytes(), &limits);
        let mut at = 0;
        while let Some(token) = scanner.next().unwrap() {
            prop_assert_eq!(token.start, at);
            at = token.end;
        }
        prop_assert_eq!(at, source.len());

        let document = Document::parse(&Blob::from(source.as_str()), &limits).unwrap();
        let mut expected = Vec::new();
        let mut walk = document.root().descendants();
        while let Some(node) = walk.next() {
            if node.qualified() == "w:p" {
                expected.push(node.span());
                walk.skip_below();
            }
        }
        prop_assert_eq!(find_spans(source.as_bytes(), b"w:p", &limits).unwrap(), expected);

        let mut scanner = Scanner::new(source.as_bytes(), &limits);
        while let Some(token) = scanner.next().unwrap() {
            if token.kind == TokenKind::Start && token.start > 0 {
                let node = document.root().descendants().find(|node| node.span().start == token.start).unwrap();
                prop_assert_eq!(scanner.skip_element().unwrap(), node.span().end);
            }
        }
    }

    #[test]
    fn damaged_xml_is_refused_or_read_but_never_panics(
        source in any_xml(), at in any::<prop::sample::Index>(), with in "[<>/&\"'=: a!\\-\\[\\]?]{0,3}", removed in 0usize..4,
    ) {
        let mut bytes = source.into_bytes();
        let start = at.index(bytes.len());
        let end = bytes.len().min(start + removed);
        bytes.splice(start..end, with.bytes());
        let limits = XmlLimits::default();
        let _ = find_spans(&bytes, b"w:p", &limits);
        if let Ok(tree) = Tree::parse(&bytes, &limits) {
            let mut rebuilt = Vec::new();
            crate::corpus::rebuild(tree.document(&bytes), &bytes, &mut rebuilt);
            prop_assert_eq!(&rebuilt, &bytes);
            // What we take, another reader takes too.
            let mut reader = quick_xml::Reader::from_str(std::str::from_utf8(&bytes).unwrap());
            loop {
                match reader.read_event() {
                    Ok(Event::Eof) => break,
                    Ok(_) => {}
                    Err(error) => prop_assert!(false, "{error}: {}", String::from_utf8_lossy(&bytes)),
                }
            }
        }
    }

    #[test]
    fn escaping_is_undone_by_decoding(text in "\\PC*[\t\n\r<>&\"']{0,4}\\PC*") {
        prop_assume!(first_illegal(&text).is_none());
        prop_assert!(decode_text(&escape_text(&text)) == text);
        prop_assert!(decode_attribute(&escape_attribute(&text)) == text);
        let element = format!("<a b=\"{}\">{}</a>", escape_attribute(&text), escape_text(&text));
        let document = parse(&element);
        prop_assert_eq!(&*document.root().text(), text.as_str());
        prop_assert_eq!(document.root().value("", "b").unwrap(), text);
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = Tree::parse(&bytes, &XmlLimits::default());
        let _ = find_spans(&bytes, b"a", &XmlLimits::default());
        let _ = to_utf8(&bytes);
    }
}
