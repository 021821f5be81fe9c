//! Text of documents on a terminal.
//!
//! What a document says must not steer the terminal of whoever decides on it: control characters, and those that turn
//! the direction of writing, are shown instead of sent. Line ends stay.

/// The text with everything visible that would not be.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push('\n'),
            '\t' => out.push_str("    "),
            c if c.is_control() || is_hidden(c) => out.push_str(&format!("<U+{:04X}>", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// In one line.
pub(crate) fn in_one_line(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// How many columns of a terminal a character takes.
pub(crate) fn width(c: char) -> usize {
    match u32::from(c) {
        // Accents that stand on the character before them, and joiners.
        0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x20D0..=0x20FF | 0xFE00..=0xFE0F | 0x200B..=0x200D => 0,
        // Hangul, CJK and its punctuation, full-width forms, pictures.
        0x1100..=0x115F
        | 0x2E80..=0x303E
        | 0x3041..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE4F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1F300..=0x1F64F
        | 0x1F900..=0x1F9FF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

pub(crate) fn width_of(text: &str) -> usize {
    text.chars().map(width).sum()
}

fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_document_reaches_the_terminal_unseen() {
        assert_eq!(visible("a\u{1b}[2Jb\rc\td\n"), "a<U+001B>[2Jb<U+000D>c    d\n");
        assert_eq!(visible("pay \u{202e}001\u{202c}"), "pay <U+202E>001<U+202C>");
        assert_eq!(in_one_line("a\n  b\u{7}"), "a b<U+0007>");
        assert_eq!(width_of("e\u{301}漢字"), 5);
    }
}
