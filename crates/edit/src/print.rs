//! A short name for what an edit saw.
//!
//! Prints are kept in journals and compared by later versions of the program, so they are made of bytes that are
//! defined here and not of whatever the standard library hashes or prints today.

/// Everything put in goes with its length, so that two lists of things never read alike.
#[derive(Debug, Clone, Default)]
pub struct Print(blake3::Hasher);

impl Print {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn number(&mut self, number: u64) {
        self.0.update(&number.to_le_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub fn maybe(&mut self, text: Option<&str>) {
        self.number(u64::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }

    /// 32 hexadecimal digits.
    pub fn finish(&self) -> String {
        self.0.finalize().as_bytes().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Print;

    #[test]
    fn a_print_is_the_same_in_every_version() {
        let mut print = Print::new();
        print.text("Total");
        print.number(7);
        print.maybe(None);
        assert_eq!(print.finish(), "b4943abe0288c159d22ffea1c8df2861");
    }

    #[test]
    fn lists_that_read_alike_have_prints_of_their_own() {
        let of = |texts: &[&str]| {
            let mut print = Print::new();
            texts.iter().for_each(|text| print.text(text));
            print.finish()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_eq!(of(&["ab"]), of(&["ab"]));
    }
}
