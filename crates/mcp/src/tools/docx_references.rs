//! `docx_references`: notes, bookmarks, links, headers and footers of a Word document.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::word::{
    AddBookmark, AddHyperlink, AddNote, DeleteBookmark, DeleteNote, Edge, Edit, NoteKind, Pages,
    RenameBookmark, SetRunningText, UpdateNote,
};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Edited, Track},
};

pub(crate) const ABOUT: About =
    About { title: "Word notes, links and headers", sets: &[Set::Word], hints: Hints::EDIT };

/// Adds a note, bookmark or link at quoted words of a .docx paragraph, rewrites or deletes a note by note_id (`[^2]`),
/// renames or deletes a bookmark, or sets header or footer ({PAGE}, {NUMPAGES}) of a section.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    action: Action,
    paragraph_id: Option<String>,
    quote: Option<String>,
    /// Text, bookmark's new name, link's address or #bookmark.
    value: Option<String>,
    bookmark: Option<String>,
    note_id: Option<String>,
    #[schemars(range(min = 1))]
    section: Option<usize>,
    #[serde(default)]
    pages: Which,
    #[serde(default)]
    track: Track,
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    override_protection: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    AddFootnote,
    AddEndnote,
    UpdateFootnote,
    UpdateEndnote,
    DeleteFootnote,
    DeleteEndnote,
    AddBookmark,
    RenameBookmark,
    DeleteBookmark,
    AddLink,
    SetHeader,
    SetFooter,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Which {
    #[default]
    Default,
    First,
    Even,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Edited, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?
        .overriding(input.override_protection);
    let needed = |field: &str| ToolError::invalid(format!("{field} is needed for this action"));
    let paragraph = || {
        let id = input.paragraph_id.as_deref().ok_or_else(|| needed("paragraph_id"))?;
        word::paragraph(cx, &target, "paragraph_id", id)
    };
    let value = || input.value.clone().ok_or_else(|| needed("value"));
    let bookmark = || input.bookmark.clone().ok_or_else(|| needed("bookmark"));
    let markup = input.track.markup();
    let note = |kind| -> Result<Edit, ToolError> {
        Ok(Edit::AddNote(AddNote {
            paragraph: paragraph()?,
            after: input.quote.clone(),
            kind,
            text: value()?,
            markup,
        }))
    };
    let delete = |kind| -> Result<Edit, ToolError> {
        let named = input.note_id.clone().or_else(|| input.paragraph_id.clone());
        let note = named.ok_or_else(|| needed("note_id"))?;
        Ok(Edit::DeleteNote(DeleteNote { kind, note, markup }))
    };
    let update = |kind| -> Result<Edit, ToolError> {
        let named = input.note_id.clone().or_else(|| input.paragraph_id.clone());
        let note = named.ok_or_else(|| needed("note_id"))?;
        Ok(Edit::UpdateNote(UpdateNote { kind, note, text: value()?, markup }))
    };
    let running = |edge| -> Result<Edit, ToolError> {
        let pages = match input.pages {
            Which::Default => Pages::Default,
            Which::First => Pages::First,
            Which::Even => Pages::Even,
        };
        let (section, text) = (input.section.unwrap_or(1), value()?);
        Ok(Edit::SetRunningText(SetRunningText { edge, pages, section, text, markup }))
    };
    let edit = match input.action {
        Action::SetHeader => running(Edge::Header)?,
        Action::SetFooter => running(Edge::Footer)?,
        Action::AddFootnote => note(NoteKind::Footnote)?,
        Action::AddEndnote => note(NoteKind::Endnote)?,
        Action::UpdateFootnote => update(NoteKind::Footnote)?,
        Action::UpdateEndnote => update(NoteKind::Endnote)?,
        Action::DeleteFootnote => delete(NoteKind::Footnote)?,
        Action::DeleteEndnote => delete(NoteKind::Endnote)?,
        Action::AddBookmark => Edit::AddBookmark(AddBookmark {
            paragraph: paragraph()?,
            quote: input.quote.clone(),
            name: value()?,
        }),
        Action::RenameBookmark => Edit::RenameBookmark(RenameBookmark { name: bookmark()?, new: value()? }),
        Action::DeleteBookmark => Edit::DeleteBookmark(DeleteBookmark { name: bookmark()? }),
        Action::AddLink => Edit::AddHyperlink(AddHyperlink {
            paragraph: paragraph()?,
            quote: input.quote.clone().ok_or_else(|| needed("quote"))?,
            target: value()?,
        }),
    };
    word::edit(cx, &target, vec![edit], input.track, input.dry_run, None)
}
