//! The formats the workspace opens, and what it asks of each beside `edit::Format`.

use std::fmt;

use edit::{Content, Format, Patch, Refusal};
use markdown::Markdown;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sheet::Sheet;
use unicode_segmentation::UnicodeSegmentation as _;
use word::Word;

use crate::kind::Kind;

/// A format that documents of the workspace can have. The bounds are what keeping, journalling and sharing
/// its edits between threads takes.
pub trait Opens:
    Format<
        View: Send + Sync + 'static,
        Edit: Serialize + DeserializeOwned + Send + Sync + 'static,
        Outcome: Clone + fmt::Debug + Send + Sync + 'static,
        Source: Send + Sync + 'static,
        Limits: Send + Sync + 'static,
    > + Sized
    + 'static
{
    const KIND: Kind;

    /// Whether changes of another program can be laid over unsaved ones that touch other bytes. Not where bytes speak
    /// of places elsewhere: a formula that was written here means other cells once rows came in there.
    const MERGES: bool = true;

    /// Whether names of its parts depend on how a document came to be: then whoever makes it again from its journal has
    /// to take the view along every step.
    const NAMES_FOLLOW: bool = false;

    fn limits(limits: &Limits) -> Self::Limits;

    /// How the name of a file with this content has to end, where programs insist on it.
    fn extension(_content: &Content) -> Result<Option<&'static str>, Refusal> {
        Ok(None)
    }

    /// The text a reader sees, for counting words and characters.
    fn count(view: &Self::View, content: &Content) -> Result<Count, Refusal>;

    /// What another program did between two states of a file, where the engine knows better than a comparison by lines.
    fn difference(_from: &Content, _to: &Content) -> Result<Option<Patch>, Refusal> {
        Ok(None)
    }

    /// Notes in a patch of another program, made on this content, what nobody can know of it.
    fn mark(_content: &Content, _patch: &mut Patch) -> Result<(), Refusal> {
        Ok(())
    }

    /// An anchored edit that another program's change took the place from, where its place is now. Only if there is no
    /// doubt.
    fn found_again(_edit: &Self::Edit, _before: &Self::View, _after: &Self::View) -> Option<Self::Edit> {
        None
    }
}

/// How much of a file is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Of a file as it lies on disk; larger ones are refused before they are read.
    pub file_bytes: u64,
    /// How much of its past a document keeps.
    pub history: edit::Depth,
    /// Requests whose answer is kept, for each document, so that sending one again does no harm.
    pub answers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 256 * 1024 * 1024, history: edit::Depth::default(), answers: 1000 }
    }
}

/// Words and Unicode code points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    pub words: usize,
    pub chars: usize,
}

/// The words and characters of a text.
pub(crate) fn count(text: &str) -> Count {
    Count { words: text.unicode_words().count(), chars: text.chars().count() }
}

impl Opens for Markdown {
    const KIND: Kind = Kind::Markdown;

    fn limits(limits: &Limits) -> markdown::Limits {
        markdown::Limits { bytes: usize::try_from(limits.file_bytes).unwrap_or(usize::MAX) }
    }

    fn count(view: &markdown::View, _: &Content) -> Result<Count, Refusal> {
        Ok(count(&view.text()))
    }

    fn difference(from: &Content, to: &Content) -> Result<Option<Patch>, Refusal> {
        markdown::difference(from, to).map(Some)
    }

    fn found_again(
        edit: &markdown::Edit,
        before: &markdown::View,
        after: &markdown::View,
    ) -> Option<markdown::Edit> {
        markdown::found_again(edit, before, after)
    }
}

impl Opens for Word {
    const KIND: Kind = Kind::Word;
    const NAMES_FOLLOW: bool = true;

    fn limits(_: &Limits) -> <Word as Format>::Limits {
        Default::default()
    }

    fn extension(content: &Content) -> Result<Option<&'static str>, Refusal> {
        word::extension_of(content)
    }

    /// Of the body, as it reads with tracked changes accepted.
    fn count(view: &word::View, _: &Content) -> Result<Count, Refusal> {
        let mut total = Count::default();
        for place in view.body() {
            let Count { words, chars } = count(&view.paragraph(place)?.text(word::Side::Final).text);
            total.words += words;
            total.chars += chars;
        }
        Ok(total)
    }
}

impl Opens for Sheet {
    const KIND: Kind = Kind::Sheet;
    const MERGES: bool = false;

    fn limits(_: &Limits) -> <Sheet as Format>::Limits {
        sheet::limits()
    }

    fn extension(content: &Content) -> Result<Option<&'static str>, Refusal> {
        sheet::extension_of(content)
    }

    fn mark(content: &Content, patch: &mut Patch) -> Result<(), Refusal> {
        sheet::mark_lines(content, patch)
    }

    /// Of every cell of every sheet, as it is shown.
    fn count(view: &sheet::View, _: &Content) -> Result<Count, Refusal> {
        let mut total = Count::default();
        for worksheet in view.worksheets() {
            let worksheet = worksheet?;
            let Some(extent) = worksheet.extent()? else { continue };
            let mut failed = None;
            worksheet.each_cell(extent, &mut |cell| match view.text(&cell.value, cell.style) {
                Ok(text) => {
                    let Count { words, chars } = count(&text);
                    total.words += words;
                    total.chars += chars;
                }
                Err(refusal) => failed = Some(refusal),
            })?;
            if let Some(refusal) = failed {
                return Err(refusal);
            }
        }
        Ok(total)
    }
}
