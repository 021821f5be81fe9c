//! Keys, as a terminal sends them.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Character(char),
    Enter,
    /// The next rows, however it was asked for.
    Down,
    /// Ctrl-C and Ctrl-D.
    Stop,
    Other,
}

/// The keys in what was read at once. What a terminal sends for an arrow is one key and not three letters.
pub(super) fn keys(bytes: &[u8]) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = bytes;
    while let Some((first, behind)) = rest.split_first() {
        let (key, length) = match first {
            0x1b => escape(behind),
            b'\r' | b'\n' => (Key::Enter, 1),
            0x03 | 0x04 => (Key::Stop, 1),
            byte if byte.is_ascii_graphic() || *byte == b' ' => (Key::Character(char::from(*byte)), 1),
            _ => (Key::Other, 1),
        };
        keys.push(key);
        rest = &rest[length..];
    }
    keys
}

fn escape(behind: &[u8]) -> (Key, usize) {
    match behind {
        [b'[' | b'O', inner @ ..] => {
            let Some(end) = inner.iter().position(|byte| (0x40..=0x7e).contains(byte)) else {
                return (Key::Other, behind.len() + 1);
            };
            let key = match inner.get(..=end) {
                Some(b"B" | b"6~") => Key::Down,
                _ => Key::Other,
            };
            (key, end + 3)
        }
        // Alt and a letter.
        [byte, ..] if *byte != 0x1b => (Key::Other, 2),
        _ => (Key::Other, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_is_no_decision() {
        let letter = Key::Character;
        assert_eq!(keys(b"ar A"), [letter('a'), letter('r'), letter(' '), letter('A')]);
        assert_eq!(
            keys(b"\x1b[Aa\x1bOBa\x1b[6~a"),
            [Key::Other, letter('a'), Key::Down, letter('a'), Key::Down, letter('a')]
        );
        assert_eq!(keys(b"\x1b"), [Key::Other]);
        assert_eq!(keys(b"\x1ba"), [Key::Other]);
        assert_eq!(keys(b"\x1b["), [Key::Other]);
        assert_eq!(keys("ä\x03\r".as_bytes()), [Key::Other, Key::Other, Key::Stop, Key::Enter]);
    }
}
