//! Tags in text that callers hand in: `<b>`, `<i>`, `<u>`, `<highlight>`, `<a href>`, `<font>`, `<definition>`,
//! `<header>`, `<field/>` and their like.
//!
//! A `<` that opens no tag is a character like every other, so that `a < b` and `<Name of Buyer>` need no care. Markup
//! that we do not know (`<div>`, or any name that is opened and closed) is refused, because nobody wants to read it in a
//! contract; what is meant literally is written `\<b>`. Nothing here knows how a definition or a header looks in a
//! document: that is for the role models.

use edit::{Cut, OrEmpty, Refusal};

/// What the tags around a stretch of text ask for. `None` leaves the formatting as it comes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) bold: Option<bool>,
    pub(crate) italic: Option<bool>,
    pub(crate) underline: Option<bool>,
    pub(crate) strike: Option<bool>,
    pub(crate) vertical: Option<Vertical>,
    /// A colour name of `w:highlight`.
    pub(crate) highlight: Option<String>,
    /// The address that the text links to.
    pub(crate) link: Option<String>,
    /// Six hexadecimal digits.
    pub(crate) colour: Option<String>,
    pub(crate) font: Option<String>,
    /// In half points.
    pub(crate) size: Option<u32>,
    /// A highlight that was there goes.
    pub(crate) unhighlighted: bool,
    pub(crate) role: Option<Role>,
    /// Children of `w:rPr` to take over as they are, by name: what a role looks like in this document.
    pub(crate) look: Vec<(String, String)>,
    /// The emphasis to start from, instead of that of the text in whose place it is put; tags come on top.
    pub(crate) emphasis: Option<Vec<(String, String)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vertical {
    Superscript,
    Subscript,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Definition,
    /// A definition that was found in new text rather than tagged; text that stays is not restyled for it.
    FoundDefinition,
    Header,
    /// Stands for a field of the replaced text; the text is the result it shall show, empty for the one it has.
    Field,
}

impl Marks {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Text between two tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tagged {
    pub(crate) text: String,
    pub(crate) marks: Marks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Bold,
    Italic,
    Underline,
    Strike,
    Superscript,
    Subscript,
    Highlight,
    Definition,
    Header,
    Link,
    Font,
    Field,
    Break,
}

/// Every name there is, in lower case.
const NAMES: &[(&str, Tag)] = &[
    ("b", Tag::Bold),
    ("strong", Tag::Bold),
    ("i", Tag::Italic),
    ("em", Tag::Italic),
    ("u", Tag::Underline),
    ("s", Tag::Strike),
    ("strike", Tag::Strike),
    ("sup", Tag::Superscript),
    ("sub", Tag::Subscript),
    ("highlight", Tag::Highlight),
    ("highlighting", Tag::Highlight),
    ("definition", Tag::Definition),
    ("header", Tag::Header),
    ("runinheader", Tag::Header),
    ("mark", Tag::Highlight),
    ("a", Tag::Link),
    ("font", Tag::Font),
    ("field", Tag::Field),
    ("br", Tag::Break),
];

/// Names of markup that people and models write, and that has no meaning here.
const FOREIGN: &[&str] = &[
    "p",
    "div",
    "span",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "tr",
    "td",
    "th",
    "tbody",
    "thead",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "img",
    "code",
    "pre",
    "blockquote",
    "center",
    "small",
    "big",
    "tt",
    "del",
    "ins",
    "style",
    "script",
    "html",
    "body",
    "head",
    "section",
    "title",
    "sc",
    "smallcaps",
];

/// The colours that `w:highlight` can have; anything else makes Word refuse the file.
pub(crate) const HIGHLIGHTS: &[&str] = &[
    "black",
    "blue",
    "cyan",
    "green",
    "magenta",
    "red",
    "yellow",
    "white",
    "darkBlue",
    "darkCyan",
    "darkGreen",
    "darkMagenta",
    "darkRed",
    "darkYellow",
    "darkGray",
    "lightGray",
];

struct ParsedTag<'a> {
    /// As written, for messages.
    name: &'a str,
    tag: Tag,
    closing: bool,
    /// Opened and closed at once: `<field/>`.
    alone: bool,
    attributes: Vec<(&'a str, &'a str)>,
    length: usize,
}

/// As [`parse_over`], for text that takes the place of nothing: there is no field that it could keep.
pub(crate) fn parse(text: &str) -> Result<Vec<Tagged>, Refusal> {
    let parsed = parse_over(text)?;
    match parsed.iter().any(|tagged| tagged.marks.role == Some(Role::Field)) {
        true => Err(Refusal::invalid(
            "tags",
            "<field/> in text that replaces nothing",
            "<field/> only where the replaced text holds a field",
        )),
        false => Ok(parsed),
    }
}

/// Text with its tags understood. Neighbours with the same marks are joined; nothing empty is answered.
pub(crate) fn parse_over(text: &str) -> Result<Vec<Tagged>, Refusal> {
    refuse_foreign(text)?;
    let mut spans: Vec<Tagged> = Vec::new();
    let mut open: Vec<(ParsedTag<'_>, usize, Marks)> = Vec::new();
    let mut marks = Marks::default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let escaped = |rest: &str| tag_at(rest).is_some() || foreign_at(rest).is_some();
        if rest.starts_with('\\') && rest.get(1..).is_some_and(escaped) {
            push(&mut spans, "<", &marks);
            at += 2;
            continue;
        }
        let Some(found) = tag_at(rest) else {
            let next = rest.char_indices().skip(1).find(|(_, c)| matches!(c, '<' | '\\')).map(|(i, _)| i);
            let length = next.unwrap_or(rest.len());
            push(&mut spans, rest.part(..length), &marks);
            at += length;
            continue;
        };
        let length = found.length;
        if found.alone {
            match found.tag {
                Tag::Break => push(&mut spans, "\n", &marks),
                _ => {
                    let marks = Marks { role: Some(Role::Field), ..marks.clone() };
                    spans.push(Tagged { text: String::new(), marks });
                }
            }
        } else if found.closing {
            match open.pop() {
                Some((opening, _, before)) if opening.tag == found.tag => marks = before,
                Some((opening, opened_at, _)) => {
                    return Err(unbalanced(
                        format!("</{}> at {at} closes <{}> of {opened_at}", found.name, opening.name),
                        format!("</{}> first", opening.name),
                    ));
                }
                None if found.tag == Tag::Link => push(&mut spans, rest.cut(..length)?, &marks),
                None => {
                    return Err(unbalanced(
                        format!("</{}> at {at} closes nothing", found.name),
                        format!(
                            "<{}> before it, or `\\</{}>` if it is meant literally",
                            found.name, found.name
                        ),
                    ));
                }
            }
        } else {
            let before = marks.clone();
            wear(&mut marks, &found)?;
            open.push((found, at, before));
        }
        at += length;
    }
    match open.pop() {
        Some((opening, opened_at, _)) => Err(unbalanced(
            format!("<{}> at {opened_at} is never closed", opening.name),
            format!("</{}> behind it, or `\\<{}>` if it is meant literally", opening.name, opening.name),
        )),
        None => Ok(spans),
    }
}

/// Markup that would stand in the document as it is written here.
fn refuse_foreign(text: &str) -> Result<(), Refusal> {
    for (at, _) in text.match_indices('<') {
        if text.get(..at).is_some_and(|head| head.ends_with('\\')) {
            continue;
        }
        let Some(rest) = text.get(at..).filter(|rest| tag_at(rest).is_none()) else { continue };
        let Some((name, written)) = foreign_at(rest) else { continue };
        let closed = || text.get(at..).is_some_and(|rest| rest.contains(&format!("</{name}>")));
        let known = FOREIGN.iter().any(|foreign| foreign.eq_ignore_ascii_case(name));
        if known || closed() {
            return Err(Refusal::Invalid {
                field: "tags".into(),
                found: format!("the markup `{written}` at {at}"),
                expected: format!(
                    "<b> <i> <u> <s> <sup> <sub> <highlight> <a href> <font> <definition> <header>; a blank line for a \
                     new paragraph; or `\\{written}` if it is meant literally"
                ),
            });
        }
    }
    Ok(())
}

/// The name of what looks like a tag of somebody else's, and all of it.
fn foreign_at(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('<')?;
    let end = inner.bytes().take(200).position(|byte| byte == b'>')?;
    let body = inner.get(..end)?;
    let body = body.strip_prefix('/').unwrap_or(body);
    let length = body.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(body.len());
    let (name, rest) = body.split_at(length);
    // `<p and q>` is no tag; one with attributes has them.
    let plain = matches!(rest.trim(), "" | "/") || rest.contains('=');
    (!name.is_empty() && name.starts_with(|c: char| c.is_ascii_alphabetic()) && plain)
        .then_some((name, text.get(..end + 2)?))
}

/// The text so that [`parse`] finds no tag in it.
pub(crate) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let rest = text.get(at..).filter(|_| character == '<');
        if rest.is_some_and(|rest| tag_at(rest).is_some() || foreign_at(rest).is_some()) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// The text without its tags, whether they are balanced or not.
pub(crate) fn strip(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(found) = tag_at(rest) {
            at += found.length;
            continue;
        }
        let next = rest.char_indices().skip(1).find(|(_, c)| *c == '<').map(|(i, _)| i).unwrap_or(rest.len());
        plain.push_str(rest.part(..next));
        at += next;
    }
    plain
}

fn unbalanced(found: String, expected: String) -> Refusal {
    Refusal::Invalid { field: "tags".into(), found, expected }
}

fn push(spans: &mut Vec<Tagged>, text: &str, marks: &Marks) {
    match spans.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.marks == *marks => last.text.push_str(text),
        _ => spans.push(Tagged { text: text.to_owned(), marks: marks.clone() }),
    }
}

fn wear(marks: &mut Marks, found: &ParsedTag<'_>) -> Result<(), Refusal> {
    match found.tag {
        Tag::Bold => marks.bold = Some(true),
        Tag::Italic => marks.italic = Some(true),
        Tag::Underline => marks.underline = Some(true),
        Tag::Strike => marks.strike = Some(true),
        Tag::Superscript => marks.vertical = Some(Vertical::Superscript),
        Tag::Subscript => marks.vertical = Some(Vertical::Subscript),
        Tag::Definition => marks.role = Some(Role::Definition),
        Tag::Header => marks.role = Some(Role::Header),
        Tag::Field => marks.role = Some(Role::Field),
        Tag::Break => {}
        Tag::Link => {
            let address = found.attribute(&["href"]).or_empty();
            let scheme = address.split(':').next().unwrap_or(address).to_ascii_lowercase();
            let runs = matches!(scheme.as_str(), "javascript" | "vbscript" | "data");
            if runs || address.trim().is_empty() || address.contains(['"', '\\']) {
                let expected = "<a href=\"https://example.com\">, mailto: or #name of a bookmark";
                return Err(Refusal::invalid("href", format!("`{address}`"), expected));
            }
            marks.link = Some(address.to_owned());
        }
        Tag::Font => {
            if let Some(colour) = found.attribute(&["color", "colour"]) {
                marks.colour = Some(hexadecimal(colour)?);
            }
            marks.font = found.attribute(&["face", "name"]).map(str::to_owned).or(marks.font.take());
            if let Some(size) = found.attribute(&["size"]) {
                let points = size.trim().trim_end_matches("pt").parse::<f64>().ok();
                let half =
                    points.map(|points| (points * 2.0).round()).filter(|half| (2.0..=3276.0).contains(half));
                let half = half.ok_or_else(|| {
                    Refusal::invalid("font size", format!("`{size}`"), "points, such as 11 or 10.5")
                })?;
                marks.size = Some(half as u32);
            }
        }
        Tag::Highlight => {
            let wanted = found.attribute(&["color", "colour", "val"]).unwrap_or("yellow");
            let known = HIGHLIGHTS.iter().find(|name| name.eq_ignore_ascii_case(wanted));
            let colour = known.ok_or_else(|| {
                Refusal::invalid("highlight colour", format!("`{wanted}`"), HIGHLIGHTS.join(", "))
            })?;
            marks.highlight = Some((*colour).to_owned());
        }
    }
    Ok(())
}

impl<'a> ParsedTag<'a> {
    fn attribute(&self, names: &[&str]) -> Option<&'a str> {
        let wanted = |key: &str| names.iter().any(|name| name.eq_ignore_ascii_case(key));
        self.attributes.iter().find(|(key, _)| wanted(key)).map(|(_, value)| *value)
    }
}

impl Tag {
    fn attributes(self) -> &'static [&'static str] {
        match self {
            Tag::Highlight => &["color", "colour", "val"],
            Tag::Link => &["href"],
            Tag::Font => &["color", "colour", "face", "name", "size"],
            _ => &[],
        }
    }
}

/// A colour as `w:color` has it.
fn hexadecimal(colour: &str) -> Result<String, Refusal> {
    const NAMED: &[(&str, &str)] = &[
        ("black", "000000"),
        ("white", "FFFFFF"),
        ("red", "FF0000"),
        ("green", "008000"),
        ("blue", "0000FF"),
        ("yellow", "FFFF00"),
        ("orange", "FFA500"),
        ("purple", "800080"),
        ("grey", "808080"),
        ("gray", "808080"),
        ("navy", "000080"),
        ("darkred", "8B0000"),
        ("auto", "auto"),
    ];
    if let Some((_, value)) = NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(colour)) {
        return Ok((*value).to_owned());
    }
    let digits = colour.trim_start_matches('#');
    match digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => Ok(digits.to_ascii_uppercase()),
        false => {
            Err(Refusal::invalid("font colour", format!("`{colour}`"), "#RRGGBB, or a name such as red"))
        }
    }
}

/// The tag that `text` starts with.
fn tag_at(text: &str) -> Option<ParsedTag<'_>> {
    let inner = text.strip_prefix('<')?;
    let end = inner.bytes().take(2000).position(|byte| byte == b'>')?;
    let inner = inner.get(..end)?;
    let (closing, body) = match inner.strip_prefix('/') {
        Some(body) => (true, body),
        None => (false, inner),
    };
    let (mut alone, body) = match body.strip_suffix('/') {
        Some(body) if !closing => (true, body.trim_end()),
        _ => (false, body.trim_end()),
    };
    let (name, rest) = body.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((body, ""));
    let tag = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, tag)| *tag)?;
    if tag == Tag::Break {
        if closing {
            return None;
        }
        alone = true;
    }
    if alone && !matches!(tag, Tag::Break | Tag::Field) {
        return None;
    }
    let attributes = attributes(rest)?;
    // `<b and c>` is no tag: somebody compares things.
    let known =
        attributes.iter().all(|(key, _)| tag.attributes().iter().any(|name| name.eq_ignore_ascii_case(key)));
    if !known || (closing && !attributes.is_empty()) {
        return None;
    }
    // An anchor without an address is `<a>`, as in a list of letters.
    if tag == Tag::Link && !closing && attributes.is_empty() {
        return None;
    }
    Some(ParsedTag { name, tag, closing, alone, attributes, length: end + 2 })
}

/// `key=value` pairs, quoted or not.
fn attributes(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (key, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, more) = match quote {
            Some(quote) => behind.get(1..)?.split_once(quote)?,
            None => behind.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((behind, "")),
        };
        found.push((key.trim(), value));
        rest = more.trim_start();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mark = |marks: &Marks| {
            let mut out = String::new();
            for (set, letter) in [
                (marks.bold, 'b'),
                (marks.italic, 'i'),
                (marks.underline, 'u'),
                (marks.strike, 's'),
                (marks.vertical.map(|_| true), 'v'),
                (marks.highlight.as_ref().map(|_| true), 'h'),
                (marks.role.map(|role| role == Role::Definition), 'd'),
            ] {
                if set == Some(true) {
                    out.push(letter);
                }
            }
            if marks.role == Some(Role::Header) {
                out.push('H');
            }
            out
        };
        match parse(text) {
            Ok(spans) => {
                spans.iter().map(|s| format!("[{}]{}", s.text, mark(&s.marks))).collect::<Vec<_>>().join("")
            }
            Err(refusal) => refusal.to_string(),
        }
    }

    #[test]
    fn tags_nest_and_names_ignore_case() {
        assert_eq!(shown("a <b>b <I>c</I></b> d"), "[a ][b ]b[c]bi[ d]");
        assert_eq!(shown("<RunInHeader>Fees.</RunInHeader> text"), "[Fees.]H[ text]");
        assert_eq!(shown("<definition>Cash</definition> means"), "[Cash]d[ means]");
        assert_eq!(shown("<highlight color=\"red\">x</highlight>"), "[x]h");
    }

    #[test]
    fn a_literal_less_than_sign_needs_no_care() {
        for text in [
            "a < b",
            "<foo>",
            "x <",
            "1<2>0",
            "<b and c>",
            "if a<b then",
            "<>",
            "</",
            "a \\ b",
            "<Name of Buyer>",
            "(<a>)",
        ] {
            assert_eq!(shown(text), format!("[{text}]"));
        }
        assert_eq!(shown(r"the \<b> tag"), "[the <b> tag]");
        assert_eq!(shown(r"the \</b> tag"), "[the </b> tag]");
    }

    #[test]
    fn a_text_made_literal_reads_as_it_was() {
        for text in ["<b>x</b>", "a < b", r"\<b>", "</i><foo>"] {
            let read = parse(&literal(text)).expect("no tags");
            assert_eq!(read.iter().map(|tagged| tagged.text.as_str()).collect::<String>(), text);
            assert!(read.iter().all(|tagged| tagged.marks.is_empty()), "{text}");
        }
    }

    #[test]
    fn unbalanced_tags_say_where() {
        assert!(shown("a <b>b").contains("<b> at 2 is never closed"), "{}", shown("a <b>b"));
        assert!(shown("ab</i>").contains("</i> at 2 closes nothing"));
        assert!(shown("<b><i>x</b></i>").contains("</b> at 7 closes <i> of 3"));
        assert!(shown("<highlight color=mauve>x</highlight>").contains("mauve"));
    }

    #[test]
    fn links_and_fonts_have_attributes() {
        let parsed = parse("<a href=\"https://x.org/?a=1\">here</a> <font color=red face='Courier New' size=\"10.5\">x</font><br/>y")
            .expect("balanced");
        let marks = |index: usize| &parsed[index].marks;
        assert_eq!(marks(0).link.as_deref(), Some("https://x.org/?a=1"));
        assert_eq!((marks(2).colour.as_deref(), marks(2).size), (Some("FF0000"), Some(21)));
        assert_eq!(marks(2).font.as_deref(), Some("Courier New"));
        assert_eq!(parsed[3].text, "\ny");
        assert!(shown("<a href=\"javascript:x\">y</a>").contains("javascript"));
    }

    #[test]
    fn markup_without_a_meaning_is_refused_and_can_be_said_literally() {
        for text in ["<span style=\"x\">a</span>", "a<p>b", "<foo>a</foo>", "<h1>T</h1>", "x</div>"] {
            assert!(shown(text).contains("the markup"), "{text}: {}", shown(text));
        }
        assert_eq!(shown(r"\<p> and \<foo>a\</foo>"), "[<p> and <foo>a</foo>]");
    }

    #[test]
    fn stripping_never_refuses() {
        assert_eq!(strip("a <b>b</i> <foo> c"), "a b <foo> c");
        assert_eq!(strip("<b></b>"), "");
    }
}
