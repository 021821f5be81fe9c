//! Plain text: any UTF-8 file whose structure we do not know.
//!
//! It has one edit, the replacement of a range, and is the smallest format there is; what the workspace
//! promises for every format is tested with it.

use std::ops::Range;
use std::sync::Arc;

use edit::{Blob, Content, Context, Format, Lost, PartName, Patch, Planned, Refusal, Shown, Step};
use serde::{Deserialize, Serialize};

use crate::document::formats::{Count, Limits, Opens, count};
use crate::kind::Kind;

/// The one part of a text file.
pub const TEXT: &str = "text";

#[derive(Debug, Clone, Copy)]
pub struct Text;

/// Replace `range` (bytes) by `with`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextEdit {
    pub range: Range<usize>,
    pub with: String,
    /// What must be there. Filled in when the edit is anchored.
    #[serde(default)]
    pub expect: Option<String>,
}

impl TextEdit {
    pub fn new(range: Range<usize>, with: impl Into<String>) -> Self {
        Self { range, with: with.into(), expect: None }
    }
}

/// What a file is that is no text, though its first bytes might pass for some.
fn foreign(file: &[u8]) -> Option<&'static str> {
    const SIGNATURES: [(&[u8], &str); 8] = [
        (b"%PDF-", "a PDF file"),
        (b"{\\rtf", "a Rich Text file"),
        (b"PK\x03\x04", "a zip archive that is neither a Word document nor a workbook"),
        (b"\xD0\xCF\x11\xE0", "an old binary Office file"),
        (b"\x89PNG", "a picture"),
        (b"\xFF\xD8\xFF", "a picture"),
        (b"GIF8", "a picture"),
        (b"\x1F\x8B", "a gzip archive"),
    ];
    SIGNATURES.into_iter().find(|(signature, _)| file.starts_with(signature)).map(|(_, what)| what)
}

impl Format for Text {
    type View = Blob;
    type Edit = TextEdit;
    type Outcome = Range<usize>;
    type Settled = ();
    type Source = ();
    type Limits = ();

    fn unpack(file: Arc<Vec<u8>>, (): &()) -> Result<((), Content), Refusal> {
        if let Some(what) = foreign(&file) {
            let instead = "convert it to .docx, .xlsx, .md or plain text first".to_owned();
            return Err(Refusal::Unsupported { what: what.into(), instead: Some(instead) });
        }
        if let Err(error) = std::str::from_utf8(&file) {
            let why = format!("it is not UTF-8 text (byte {})", error.valid_up_to());
            return Err(Refusal::Corrupt { what: "the file".into(), why });
        }
        Ok(((), Content::single(PartName::new(TEXT), Blob::from(file))))
    }

    fn pack((): &(), content: &Content) -> Result<Vec<u8>, Refusal> {
        Ok(Self::view(content)?.bytes().into_owned())
    }

    fn view(content: &Content) -> Result<Blob, Refusal> {
        content.read(TEXT)?.ok_or_else(|| Refusal::internal("a text file without its text"))
    }

    fn view_after(_: Blob, _: &Patch, after: &Content) -> Result<Blob, Refusal> {
        Self::view(after)
    }

    fn inventory(view: &Blob) -> Result<Vec<String>, Refusal> {
        Ok(vec![String::from_utf8_lossy(&view.bytes()).into_owned()])
    }

    fn shown(before: &Blob, after: &Blob, patch: &Patch) -> Result<Vec<Shown>, Refusal> {
        Ok(edit::shown_lines(before, after, patch.splices(TEXT)))
    }

    fn anchor(view: &Blob, edit: &TextEdit) -> Result<TextEdit, Refusal> {
        let found = text_at(view, &edit.range)?;
        match &edit.expect {
            Some(expect) if *expect != found => Err(Refusal::not_found("text", expect)),
            Some(_) => Ok(edit.clone()),
            None => Ok(TextEdit { expect: Some(found), ..edit.clone() }),
        }
    }

    fn carry(edit: &TextEdit, patch: &Patch) -> Result<TextEdit, Lost> {
        match patch.carry(TEXT, edit.range.clone()) {
            Some(range) => Ok(TextEdit { range, ..edit.clone() }),
            None => Err(Lost { why: "the text it replaces was changed".into() }),
        }
    }

    fn plan(view: &Blob, edit: &TextEdit, _: &Context) -> Result<Planned<Range<usize>>, Refusal> {
        let found = text_at(view, &edit.range)?;
        if let Some(expect) = &edit.expect
            && *expect != found
        {
            return Err(Refusal::not_found("text", expect));
        }
        let mut patch = Patch::new();
        if found != edit.with {
            patch.splice(&PartName::new(TEXT), edit.range.clone(), edit.with.as_str())?;
        }
        let summary = match (found.is_empty(), edit.with.is_empty()) {
            (true, _) => format!("Insert {}", short(&edit.with)),
            (false, true) => format!("Delete {}", short(&found)),
            (false, false) => format!("Replace {} with {}", short(&found), short(&edit.with)),
        };
        let outcome = edit.range.start..edit.range.start + edit.with.len();
        Ok(Planned { step: Step { patch, summary, notes: Vec::new() }, outcome })
    }
}

impl Opens for Text {
    const KIND: Kind = Kind::Text;

    fn limits(_: &Limits) {}

    fn count(view: &Blob, _: &Content) -> Result<Count, Refusal> {
        Ok(count(&String::from_utf8_lossy(&view.bytes())))
    }
}

fn text_at(view: &Blob, range: &Range<usize>) -> Result<String, Refusal> {
    let valid = range.start <= range.end && range.end <= view.len();
    let text = valid.then(|| String::from_utf8(view.slice(range.clone()).into_owned()).ok()).flatten();
    // An empty range reads as text wherever it is, so the byte behind it is asked as well.
    let boundary =
        view.slice(range.start..range.start.saturating_add(1)).first().is_none_or(|b| b & 0xC0 != 0x80);
    text.filter(|_| boundary).ok_or_else(|| {
        Refusal::invalid(
            "range",
            format!("{range:?}"),
            format!("a range of characters within 0..{}", view.len()),
        )
    })
}

fn short(text: &str) -> String {
    format!("\"{}\"", edit::excerpt(text, 40))
}
