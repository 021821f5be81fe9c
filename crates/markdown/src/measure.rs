//! Counting text in all the units that callers use.

use std::ops::Add;

/// How much text there is before a place, in each unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measure {
    pub bytes: usize,
    /// Unicode code points: what positions at the doors count.
    pub chars: usize,
    pub utf16: usize,
    /// Line feeds.
    pub lines: usize,
}

/// A place as people and editors name it; both count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineColumn {
    pub line: usize,
    /// In code points.
    pub column: usize,
}

impl Measure {
    pub(crate) fn of(text: &str) -> Self {
        // One simple pass for each count: the compiler turns these into vector instructions.
        let count = |wanted: fn(u8) -> bool| text.bytes().filter(|byte| wanted(*byte)).count();
        let lines = count(|byte| byte == b'\n');
        let chars = count(|byte| byte & 0xC0 != 0x80);
        let wide = if chars == text.len() { 0 } else { count(|byte| byte >= 0xF0) };
        Self { bytes: text.len(), chars, utf16: chars + wide, lines }
    }
}

impl Add for Measure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            chars: self.chars + other.chars,
            utf16: self.utf16 + other.utf16,
            lines: self.lines + other.lines,
        }
    }
}

/// The byte at which the `count`th character starts, or the end of the text.
pub(crate) fn nth_char(text: &str, count: usize) -> usize {
    let mut seen = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte & 0xC0 != 0x80 {
            if seen == count {
                return at;
            }
            seen += 1;
        }
    }
    text.len()
}

/// The byte at which the `count`th UTF-16 unit starts; the start of its character if it is a low half.
pub(crate) fn nth_utf16(text: &str, count: usize) -> usize {
    let mut seen = 0;
    for (at, c) in text.char_indices() {
        if seen + c.len_utf16() > count {
            return at;
        }
        seen += c.len_utf16();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_counts_what_it_says() {
        let measure = Measure::of("aé漢😀\r\n");
        assert_eq!(measure, Measure { bytes: 12, chars: 6, utf16: 7, lines: 1 });
        assert_eq!(nth_char("aé漢😀b", 3), 6);
        assert_eq!(nth_char("aé", 9), 3);
        assert_eq!(nth_utf16("a😀b", 2), 1);
        assert_eq!(nth_utf16("a😀b", 3), 5);
    }
}
