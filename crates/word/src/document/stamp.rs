//! Who made a revision and when, as attributes, and the ids that nobody else has.

use std::cell::Cell;

use ooxml::xml::escape_attribute;

/// What every revision element of one edit carries.
#[derive(Debug)]
pub(crate) struct Stamp {
    pub(crate) author: String,
    date: String,
    next_id: Cell<u32>,
}

impl Stamp {
    /// `first_id` has to be above every id of a revision, bookmark or comment in the document: Word refuses
    /// files where they meet.
    pub(crate) fn new(author: &str, now: i64, first_id: u32) -> Self {
        Self { author: author.to_owned(), date: format!("{}Z", edit::utc(now)), next_id: Cell::new(first_id) }
    }

    pub(crate) fn fresh_id(&self) -> u32 {
        let id = self.next_id.get();
        self.next_id.set(id.wrapping_add(1));
        id
    }

    pub(crate) fn date(&self) -> &str {
        &self.date
    }

    /// ` w:id=".." w:author=".." w:date=".."` with a fresh id.
    pub(crate) fn attributes(&self, prefix: &str) -> String {
        format!(" {prefix}id=\"{}\"{}", self.fresh_id(), self.by(prefix))
    }

    /// The same without an id.
    pub(crate) fn by(&self, prefix: &str) -> String {
        format!(" {prefix}author=\"{}\" {prefix}date=\"{}\"", escape_attribute(&self.author), self.date)
    }
}

/// The highest number in attributes called `id`, of whatever prefix, over several parts. Word keeps revisions,
/// bookmarks and comments apart by these numbers.
pub(crate) fn highest_id<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let mut highest = 0;
    for part in parts {
        for at in memchr::memmem::find_iter(part, b"id=") {
            let before = at.checked_sub(1).and_then(|before| part.get(before));
            if !matches!(before, Some(b':' | b' ')) {
                continue;
            }
            let digits: Vec<u8> =
                part.iter().skip(at + 4).take_while(|byte| byte.is_ascii_digit()).take(10).copied().collect();
            let closed = matches!(part.get(at + 4 + digits.len()), Some(b'"' | b'\''));
            let value = std::str::from_utf8(&digits).ok().and_then(|digits| digits.parse::<u32>().ok());
            // Content controls have ids of the whole range; they do not count, and must not use it up.
            if let Some(value) = value.filter(|value| closed && *value < 0x3FFF_FFFF) {
                highest = highest.max(value);
            }
        }
    }
    highest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_revisions_and_bookmarks_are_counted_together() {
        let part = br#"<w:ins w:id="7"/><w:bookmarkStart w:id='12' w:name="a"/><w:p w14:paraId="99999999"/><w:id w:val="4"/><x rid="44"/>"#;
        assert_eq!(highest_id([&part[..]]), 12);
    }

    #[test]
    fn each_revision_gets_an_id_of_its_own() {
        let stamp = Stamp::new("A & B", 0, 5);
        assert_eq!(
            stamp.attributes("w:"),
            " w:id=\"5\" w:author=\"A &amp; B\" w:date=\"1970-01-01T00:00:00Z\""
        );
        assert_eq!(stamp.fresh_id(), 6);
    }
}
