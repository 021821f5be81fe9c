//! Which bytes are XML at all.
//!
//! Splices are made in the bytes of a part, so only UTF-8 is parsed in place. Office writes nothing else where
//! engines edit; UTF-16 turns up in data that rides along (a query's mash-up, say) and can be read through
//! [`to_utf8`].

use std::borrow::Cow;

use super::XmlError;

pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Refuses what cannot be parsed in place.
pub(super) fn check(source: &[u8]) -> Result<(), XmlError> {
    if utf16(source).is_some() {
        return Err(XmlError::unsupported(0, "UTF-16 text"));
    }
    let text = std::str::from_utf8(source)
        .map_err(|error| XmlError::malformed(error.valid_up_to(), "bytes that are not UTF-8"))?;
    match declared_encoding(text) {
        Some(name) if !name.eq_ignore_ascii_case("utf-8") && !name.eq_ignore_ascii_case("utf8") => {
            Err(XmlError::unsupported(0, "a text encoding other than UTF-8"))
        }
        _ => Ok(()),
    }
}

/// Text between the marks of a source that was found to be UTF-8 when it was parsed.
pub(super) fn checked_text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("a parsed source is UTF-8, and marks stand between its characters")
}

/// `source` in UTF-8, for reading a part that is in UTF-16. The declaration, if any, keeps its wording, so the
/// result is parsed as a fragment or without its first tag; splices into it mean nothing to the part.
pub fn to_utf8(source: &[u8]) -> Result<Cow<'_, [u8]>, XmlError> {
    let Some(order) = utf16(source) else { return Ok(Cow::Borrowed(source)) };
    let (pairs, odd) = source.as_chunks::<2>();
    if !odd.is_empty() {
        return Err(XmlError::malformed(source.len(), "half a UTF-16 unit at the end"));
    }
    let units = pairs.iter().map(|pair| match order {
        Order::Little => u16::from_le_bytes(*pair),
        Order::Big => u16::from_be_bytes(*pair),
    });
    let mut text = String::with_capacity(source.len() / 2);
    for (index, character) in char::decode_utf16(units).enumerate() {
        let character = character.map_err(|_| XmlError::malformed(index * 2, "broken UTF-16"))?;
        if !(index == 0 && character == '\u{FEFF}') {
            text.push(character);
        }
    }
    Ok(Cow::Owned(text.into_bytes()))
}

#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

fn utf16(source: &[u8]) -> Option<Order> {
    match source {
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => Some(Order::Little),
        [0xFE, 0xFF, ..] | [0, b'<', ..] => Some(Order::Big),
        _ => None,
    }
}

fn declared_encoding(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let declaration = text.strip_prefix("<?xml")?.split_once("?>")?.0;
    let (_, rest) = declaration.split_once("encoding")?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next()?;
    rest.get(1..)?.split_once(quote).map(|(name, _)| name)
}
