//! Counting text in the units that callers use.

use std::ops::Add;

/// How much text there is before a place, in each unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measure {
    pub bytes: usize,
    /// Unicode code points: what positions at the doors count.
    pub chars: usize,
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
        Self { bytes: text.len(), chars, lines }
    }
}

impl Add for Measure {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            bytes: self.bytes + other.bytes,
            chars: self.chars + other.chars,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_counts_what_it_says() {
        let measure = Measure::of("aé漢😀\r\n");
        assert_eq!(measure, Measure { bytes: 12, chars: 6, lines: 1 });
        assert_eq!(nth_char("aé漢😀b", 3), 6);
        assert_eq!(nth_char("aé", 9), 3);
    }
}
