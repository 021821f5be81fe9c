//! Between characters and how XML spells them.

use std::borrow::Cow;

use edit::Cut;

/// Text content as characters: references decoded, line ends as `\n`.
pub fn decode_text(raw: &str) -> Cow<'_, str> {
    decode(raw, false)
}

/// An attribute value as characters: as text, and blanks other than spaces read as spaces.
pub fn decode_attribute(raw: &str) -> Cow<'_, str> {
    decode(raw, true)
}

fn decode(raw: &str, attribute: bool) -> Cow<'_, str> {
    let special = |byte: &u8| match byte {
        b'&' | b'\r' => true,
        b'\t' | b'\n' => attribute,
        _ => false,
    };
    let Some(first) = raw.as_bytes().iter().position(special) else { return Cow::Borrowed(raw) };
    let (clean, mut rest) = raw.split_at(first);
    let mut out = String::with_capacity(raw.len());
    out.push_str(clean);
    while let Some(byte) = rest.bytes().next() {
        let (decoded, length) = match byte {
            b'&' => reference(rest).unwrap_or(('&', 1)),
            b'\r' if attribute => (' ', if rest.starts_with("\r\n") { 2 } else { 1 }),
            b'\r' => ('\n', if rest.starts_with("\r\n") { 2 } else { 1 }),
            b'\t' | b'\n' if attribute => (' ', 1),
            _ => {
                let length = rest.as_bytes().iter().position(special).unwrap_or(rest.len());
                let (clean, more) = rest.split_at(length);
                out.push_str(clean);
                rest = more;
                continue;
            }
        };
        out.push(decoded);
        rest = rest.part(length..);
    }
    Cow::Owned(out)
}

fn reference(rest: &str) -> Option<(char, usize)> {
    let end = rest.bytes().take(16).position(|byte| byte == b';')?;
    let name = rest.get(1..end)?;
    let character = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => numeric_reference(name.as_bytes())?,
    };
    Some((character, end + 1))
}

/// The character of `#60` or `#x3c`, when XML allows it.
pub(super) fn numeric_reference(name: &[u8]) -> Option<char> {
    let digits = name.strip_prefix(b"#")?;
    let (digits, radix) = match digits.strip_prefix(b"x") {
        Some(hexadecimal) => (hexadecimal, 16),
        None => (digits, 10),
    };
    let digits = std::str::from_utf8(digits).ok()?;
    if digits.starts_with('+') {
        return None;
    }
    let character = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    is_legal(character).then_some(character)
}

pub(super) fn normalize_lines(raw: &str) -> Cow<'_, str> {
    if raw.contains('\r') { Cow::Owned(raw.replace("\r\n", "\n").replace('\r', "\n")) } else { raw.into() }
}

fn is_legal(character: char) -> bool {
    !matches!(character, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}')
}

/// The first character that no XML file can hold, for engines to refuse before they plan to write it.
pub fn first_illegal(text: &str) -> Option<char> {
    text.chars().find(|character| !is_legal(*character))
}

/// `text` as the content of an element. A character no XML file can hold becomes U+FFFD.
///
/// ```
/// assert_eq!(ooxml::xml::escape_text("a < b"), "a &lt; b");
/// ```
pub fn escape_text(text: &str) -> Cow<'_, str> {
    escape(text, |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        // Only `]]>` has to be escaped; Office escapes every one.
        '>' => Some("&gt;"),
        // A bare one would be read as a line feed.
        '\r' => Some("&#13;"),
        _ => None,
    })
}

/// `text` as an attribute value, for either kind of quote.
pub fn escape_attribute(text: &str) -> Cow<'_, str> {
    escape(text, |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&apos;"),
        // Bare ones would be read as spaces.
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        _ => None,
    })
}

fn escape(text: &str, special: impl Fn(char) -> Option<&'static str>) -> Cow<'_, str> {
    let spelled = |character| special(character).or((!is_legal(character)).then_some("\u{FFFD}"));
    let Some((first, _)) = text.char_indices().find(|(_, character)| spelled(*character).is_some()) else {
        return Cow::Borrowed(text);
    };
    let (clean, rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(clean);
    for character in rest.chars() {
        match spelled(character) {
            Some(spelling) => out.push_str(spelling),
            None => out.push(character),
        }
    }
    Cow::Owned(out)
}
