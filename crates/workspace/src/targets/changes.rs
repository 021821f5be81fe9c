//! The tracked changes that somebody decides on.

use edit::Refusal;
use word::{View, Which};

use super::{Argument, paragraph};

/// How changes were chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen<'a> {
    pub ids: Vec<String>,
    pub author: Option<String>,
    /// By id or bookmark.
    pub paragraphs: Vec<Argument<'a>>,
    pub all: bool,
}

/// The changes that are meant; `None` unless they were chosen in exactly one way, because choosing none is not choosing
/// all.
pub fn changes(view: &View, chosen: Chosen<'_>) -> Result<Option<Which>, Refusal> {
    let Chosen { ids, author, paragraphs, all } = chosen;
    Ok(match (ids.is_empty(), author, paragraphs.is_empty(), all) {
        (false, None, true, false) => Some(Which::Ids(ids)),
        (true, Some(author), true, false) => Some(Which::Author(author)),
        (true, None, false, false) => {
            let meant = paragraphs.into_iter().map(|name| paragraph(view, name));
            Some(Which::Paragraphs(meant.collect::<Result<_, _>>()?))
        }
        (true, None, true, true) => Some(Which::All),
        _ => None,
    })
}
