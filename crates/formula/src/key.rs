//! What counts as the same value: one rule for `=`, lookups, criteria, `UNIQUE`, groups and names.

use std::borrow::Cow;
use std::sync::Arc;

use crate::value::{ErrorKind, Value};

/// A value by which equal ones find each other. There is one zero, and texts have no case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Blank,
    Number(u64),
    Text(Arc<str>),
    Bool(bool),
    Error(ErrorKind),
}

impl Key {
    pub(crate) fn of(value: &Value) -> Key {
        match value {
            Value::Blank => Key::Blank,
            Value::Number(number) => Key::number(*number),
            Value::Text(text) => match folded(text) {
                Cow::Borrowed(_) => Key::Text(text.clone()),
                Cow::Owned(folded) => Key::Text(Arc::from(folded)),
            },
            Value::Bool(flag) => Key::Bool(*flag),
            Value::Error(kind) => Key::Error(*kind),
        }
    }

    pub(crate) fn number(number: f64) -> Key {
        Key::Number((number + 0.0).to_bits())
    }
}

/// A text without case, letter by letter: a word that ends in a Greek sigma is the same in capitals.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    Cow::Owned(text.chars().flat_map(lower).collect())
}

/// A letter without case. The sigma at the end of a word is a sigma.
pub(crate) fn lower(letter: char) -> impl Iterator<Item = char> {
    letter.to_lowercase().map(|letter| if letter == 'ς' { 'σ' } else { letter })
}

/// Whether texts are equal without case.
pub(crate) fn same_text(a: &str, b: &str) -> bool {
    if a.len() == b.len() && a.eq_ignore_ascii_case(b) {
        return true;
    }
    if a.is_ascii() && b.is_ascii() {
        return false;
    }
    a.chars().flat_map(lower).eq(b.chars().flat_map(lower))
}
