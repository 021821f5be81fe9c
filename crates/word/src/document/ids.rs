//! Names of paragraphs that survive.
//!
//! An agent reads a page, thinks, and edits a minute later: what it calls a paragraph must still mean that
//! paragraph, after other edits and after the file was opened again. `w14:paraId` gives such a name where it
//! exists. Elsewhere what the paragraph says names it; where two say the same, their neighbours and what they
//! stand in tell them apart; where even those agree, they are counted. Ids are kept beside the document and
//! never written into it.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use edit::Refusal;
use serde::{Deserialize, Serialize};

use crate::document::index::{Part, Quick, digest, flag};

const MASK: u64 = (1 << 48) - 1;

/// `jr_para_` and twelve hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ParagraphId(u64);

impl ParagraphId {
    pub(crate) fn new(number: u64) -> Self {
        Self(number & MASK)
    }

    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for ParagraphId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "jr_para_{:012x}", self.0)
    }
}

impl FromStr for ParagraphId {
    type Err = Refusal;

    /// `_bk_…` is how older clients spell the same thing.
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let text = text.trim();
        let digits = text.strip_prefix("jr_para_").or_else(|| text.strip_prefix("_bk_"));
        let number = digits
            .filter(|digits| digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let expected = "a paragraph id such as jr_para_0123456789ab";
        number.map(Self).ok_or_else(|| Refusal::invalid("paragraph id", format!("`{text}`"), expected))
    }
}

impl From<ParagraphId> for String {
    fn from(id: ParagraphId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for ParagraphId {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Self, Refusal> {
        text.parse()
    }
}

/// Names every paragraph of a document that was just opened.
pub(crate) fn name_all(parts: &mut [Arc<Part>]) {
    let all = parts.iter().map(|part| part.paragraphs.len()).sum();
    let mut count: HashMap<u64, u32, Quick> = HashMap::with_capacity_and_hasher(all, Quick);
    let stories: Vec<u64> = parts.iter().map(|part| story_key(part)).collect();
    let alone = |story: u64, key: u64| digest(story, &key.to_le_bytes());
    for (part, story) in parts.iter().zip(&stories) {
        for key in part.paragraphs.key.iter() {
            *count.entry(alone(*story, key)).or_default() += 1;
        }
    }
    let mut used: HashSet<u64, Quick> = HashSet::with_capacity_and_hasher(all, Quick);
    // A table may have thousands of empty cells that nothing tells apart.
    let mut turns: HashMap<u64, u64, Quick> = HashMap::default();
    for (part, story) in parts.iter_mut().zip(&stories) {
        let mut ids = Vec::with_capacity(part.paragraphs.len());
        for index in 0..part.paragraphs.len() {
            let key = part.paragraphs.key.at(index);
            let name = alone(*story, key);
            let taken = |id| !used.insert(id);
            ids.push(if count.get(&name).is_some_and(|count| *count > 1) {
                let name = among_neighbours(part, index, name);
                free(name, turns.entry(name).or_default(), taken)
            } else {
                free(name, &mut 0, taken)
            });
        }
        Arc::make_mut(part).paragraphs.id = ids.into();
    }
}

/// Names the paragraphs that an edit brought.
pub(crate) fn name_new(parts: &mut [Arc<Part>], part: usize, touched: std::ops::Range<usize>) {
    for index in touched {
        let Some(owner) = parts.get(part) else { return };
        if owner.paragraphs.id.get(index).is_none_or(|id| id != 0) {
            continue;
        }
        let key = owner.paragraphs.key.at(index);
        let taken = |id: u64| parts.iter().any(|part| part.paragraphs.id.contains(id));
        let mut name = digest(story_key(owner), &key.to_le_bytes());
        let mut id = free(name, &mut 0, |_| false);
        if taken(id) {
            name = among_neighbours(owner, index, name);
            id = free(name, &mut 0, |_| false);
        }
        if taken(id) {
            // The first turns are those of its likes. There are no more of them than paragraphs.
            let mut turn = owner.paragraphs.len() as u64;
            id = free(name, &mut turn, taken);
        }
        if let Some(part) = parts.get_mut(part) {
            Arc::make_mut(part).paragraphs.id.set(index, id);
        }
    }
}

/// Headers and bodies are told apart by their part. Its usual name says less than its kind, but kinds repeat.
fn story_key(part: &Part) -> u64 {
    digest(3, part.name.as_str().as_bytes())
}

fn among_neighbours(part: &Part, index: usize, alone: u64) -> u64 {
    let key = |index: Option<usize>| index.and_then(|at| part.paragraphs.key.get(at)).unwrap_or(0);
    let mut name = digest(alone, &key(index.checked_sub(1)).to_le_bytes());
    name = digest(name, &key(Some(index + 1)).to_le_bytes());
    if part.paragraphs.flags.get(index).is_some_and(|flags| flags & flag::NAMED == 0) {
        let boxed = part.paragraphs.boxed.at(index);
        for (_, block) in part.around(boxed) {
            name = digest(name, &[block.kind as u8]);
        }
    }
    name
}

/// An id for what has this name. `turn` goes on from one to the next that has the same.
fn free(name: u64, turn: &mut u64, mut taken: impl FnMut(u64) -> bool) -> u64 {
    loop {
        let id = if *turn == 0 { name } else { digest(name, &turn.to_le_bytes()) } & MASK;
        *turn += 1;
        if id != 0 && !taken(id) {
            return id;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::View;
    use crate::testing::{document, p, r};

    #[test]
    fn paragraphs_that_nothing_tells_apart_get_the_ids_that_trying_one_after_another_gives() {
        let view = View::read(&document(&(p(&r("x")) + &"<w:p/>".repeat(400) + &p(&r("x"))))).expect("views");
        let part = &view.parts()[0];
        let mut used = HashSet::new();
        for (index, key) in part.paragraphs.key.iter().enumerate() {
            let name = among_neighbours(part, index, digest(story_key(part), &key.to_le_bytes()));
            let id = free(name, &mut 0, |id| !used.insert(id));
            assert_eq!(part.paragraphs.id.get(index), Some(id), "{index}");
        }
        assert_eq!(used.len(), 402);
    }

    #[test]
    fn an_id_reads_back_and_an_old_spelling_is_understood() {
        let id = ParagraphId::new(0xabc);
        assert_eq!(id.to_string(), "jr_para_000000000abc");
        assert_eq!("jr_para_000000000abc".parse(), Ok(id));
        assert_eq!("_bk_000000000abc".parse(), Ok(id));
        for bad in [
            "",
            "jr_para_",
            "jr_para_12",
            "para_000000000abc",
            "jr_para_00000000zabc",
            "jr_para_+00000000abc",
        ] {
            assert!(bad.parse::<ParagraphId>().is_err(), "{bad}");
        }
    }
}
