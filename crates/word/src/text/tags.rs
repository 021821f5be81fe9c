//! Semantic tags in text that callers hand in: `<b>`, `<i>`, `<u>`, `<highlight>`, `<definition>`, `<header>`.
//!
//! Only these names are tags. Any other `<` is a character like every other, so that `a < b` and `<foo>` need
//! no care; a known tag that is meant literally is written `\<b>`. Nothing here knows how a definition or a
//! header looks in a document: that is for the role models.

use edit::{Cut, Refusal};

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
    pub(crate) role: Option<Role>,
    /// Children of `w:rPr` to take over as they are, by name: what a role looks like in this document.
    pub(crate) look: Vec<(String, String)>,
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

struct Found<'a> {
    /// As written, for messages.
    name: &'a str,
    tag: Tag,
    closing: bool,
    colour: Option<&'a str>,
    length: usize,
}

/// Text with its tags understood. Neighbours with the same marks are joined; nothing empty is answered.
pub(crate) fn parse(text: &str) -> Result<Vec<Tagged>, Refusal> {
    let mut spans: Vec<Tagged> = Vec::new();
    let mut open: Vec<(Found<'_>, usize, Marks)> = Vec::new();
    let mut marks = Marks::default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with('\\') && rest.get(1..).and_then(tag_at).is_some() {
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
        if found.closing {
            match open.pop() {
                Some((opening, _, before)) if opening.tag == found.tag => marks = before,
                Some((opening, opened_at, _)) => {
                    return Err(unbalanced(
                        format!("</{}> at {at} closes <{}> of {opened_at}", found.name, opening.name),
                        format!("</{}> first", opening.name),
                    ));
                }
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

/// The text so that [`parse`] finds no tag in it.
pub(crate) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        if character == '<' && text.get(at..).and_then(tag_at).is_some() {
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

fn wear(marks: &mut Marks, found: &Found<'_>) -> Result<(), Refusal> {
    match found.tag {
        Tag::Bold => marks.bold = Some(true),
        Tag::Italic => marks.italic = Some(true),
        Tag::Underline => marks.underline = Some(true),
        Tag::Strike => marks.strike = Some(true),
        Tag::Superscript => marks.vertical = Some(Vertical::Superscript),
        Tag::Subscript => marks.vertical = Some(Vertical::Subscript),
        Tag::Definition => marks.role = Some(Role::Definition),
        Tag::Header => marks.role = Some(Role::Header),
        Tag::Highlight => {
            let wanted = found.colour.unwrap_or("yellow");
            let known = HIGHLIGHTS.iter().find(|name| name.eq_ignore_ascii_case(wanted));
            let colour = known.ok_or_else(|| {
                Refusal::invalid("highlight colour", format!("`{wanted}`"), HIGHLIGHTS.join(", "))
            })?;
            marks.highlight = Some((*colour).to_owned());
        }
    }
    Ok(())
}

/// The tag that `text` starts with.
fn tag_at(text: &str) -> Option<Found<'_>> {
    let inner = text.strip_prefix('<')?;
    let end = inner.bytes().take(80).position(|byte| byte == b'>')?;
    let inner = inner.get(..end)?;
    let (closing, body) = match inner.strip_prefix('/') {
        Some(body) => (true, body),
        None => (false, inner),
    };
    let body = body.trim_end();
    let (name, rest) = body.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((body, ""));
    let tag = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, tag)| *tag)?;
    let colour = match rest.trim() {
        "" => None,
        attribute if tag == Tag::Highlight && !closing => {
            let (key, value) = attribute.split_once('=')?;
            matches!(key.trim(), "color" | "colour" | "val").then_some(())?;
            Some(value.trim().trim_matches(|c| matches!(c, '"' | '\'')))
        }
        // `<b and c>` is no tag: somebody compares things.
        _ => return None,
    };
    Some(Found { name, tag, closing, colour, length: end + 2 })
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
        for text in ["a < b", "<foo>", "x <", "1<2>0", "<b and c>", "if a<b then", "<>", "</", "a \\ b"] {
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
    fn stripping_never_refuses() {
        assert_eq!(strip("a <b>b</i> <foo> c"), "a b <foo> c");
        assert_eq!(strip("<b></b>"), "");
    }
}
