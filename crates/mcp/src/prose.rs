//! A Markdown document as its tools see it: positions in code points, edits through the approval gate, and
//! the error codes of this family of tools.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use workspace::markdown::{self, Edit, Markdown, NodeId, PART, View};
use workspace::targets;
use workspace::{
    Change, DocId, EditRequest, Ending, Kind, Outcome, PartName, Refusal, RevisionId, Selection, WindowLabel,
};

use crate::{
    block_ids::Reliance,
    codes::Dialect,
    cx::Cx,
    error::ToolError,
    wire::{self, Window},
};

/// The document in front of a window, at its head.
pub(crate) struct Prose {
    pub(crate) id: DocId,
    pub(crate) window: WindowLabel,
    pub(crate) revision: RevisionId,
    pub(crate) view: View,
}

// What becomes of an edit. A doc comment would be listed with each of a dozen tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Mode {
    Apply,
    Suggest,
    DryRun,
}

// What is searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Within {
    #[default]
    All,
    Prose,
}

impl From<Within> for markdown::Within {
    fn from(within: Within) -> Self {
        match within {
            Within::All => Self::Source,
            Within::Prose => Self::Prose,
        }
    }
}

/// How an edit is asked for, beside what it does.
#[derive(Debug, Default)]
pub(crate) struct EditOptions {
    pub(crate) mode: Option<Mode>,
    pub(crate) base: Option<String>,
    pub(crate) request: Option<String>,
}

impl EditOptions {
    pub(crate) fn mode(mode: Option<Mode>) -> Self {
        Self { mode, ..Self::default() }
    }
}

impl Prose {
    pub(crate) fn open(cx: &Cx<'_>, window: Option<Window>) -> Result<Self, ToolError> {
        let (window, id) = cx.document(window).map_err(|error| error.hint_if_none(OPEN_FIRST))?;
        let status = cx.workspace.status(id)?;
        if status.kind != Kind::Markdown {
            let error = ToolError::new(
                "UNSUPPORTED_FORMAT",
                format!("`{}` is a {} document, and this tool works on Markdown", status.title, status.kind),
            );
            return Err(error.hint(match status.kind {
                Kind::Word => "use read_file, smart_edit or mcp_word__editTask, or switch to a Markdown tab",
                Kind::Sheet => {
                    "get_document_digest and document_search read workbooks too; or switch to a Markdown tab"
                }
                _ => "switch to the tab of a Markdown document, or open one",
            }));
        }
        let snapshot = cx.workspace.snapshot::<Markdown>(id)?;
        Ok(Self { id, window, revision: snapshot.revision, view: snapshot.view })
    }

    /// The same for a tool that tells what blocks there are.
    pub(crate) fn read(cx: &Cx<'_>, window: Option<Window>) -> Result<Self, ToolError> {
        let prose = Self::open(cx, window)?;
        cx.workspace.has_read(prose.id, prose.revision);
        Ok(prose)
    }

    /// Refuse a place where markup would be shown as it is written, or break what it stands in.
    pub(crate) fn in_text(&self, at: usize, what: &str) -> Result<(), ToolError> {
        match markdown::no_markup_at(&self.view, at) {
            None => Ok(()),
            Some(place) => {
                let error = ToolError::invalid(format!(
                    "the cursor is in {place}, where {what} would be shown as it is written, or break it"
                ));
                Err(error.hint("put the cursor into text first"))
            }
        }
    }

    /// A position of the caller, which counts code points, in bytes.
    pub(crate) fn byte(&self, field: &'static str, position: u64) -> Result<usize, ToolError> {
        let chars = usize::try_from(position).unwrap_or(usize::MAX);
        self.view.byte_of_char(chars).ok_or_else(|| {
            ToolError::invalid(format!(
                "{field}: {position} is behind the end of the document, which has {} characters",
                self.view.size().chars
            ))
        })
    }

    pub(crate) fn position(&self, byte: usize) -> usize {
        self.view.char_of_byte(byte)
    }

    /// A range in code points.
    pub(crate) fn span(&self, range: &Range<usize>) -> Span {
        Span { from: self.position(range.start), to: self.position(range.end) }
    }

    /// The selection of the window; a cursor at the start if none was set.
    pub(crate) fn selection(&self, cx: &Cx<'_>) -> Result<Range<usize>, ToolError> {
        let selection = cx.workspace.selection(self.id, &self.window)?;
        let range = selection.map_or(0..0, |selection| selection.range);
        let end = range.end.min(self.view.len());
        Ok(range.start.min(end)..end)
    }

    pub(crate) fn select(&self, cx: &Cx<'_>, range: Range<usize>) -> Result<(), ToolError> {
        let selection = Selection { part: PartName::new(PART), range };
        Ok(cx.workspace.select(self.id, &self.window, selection)?)
    }

    /// One edit, through the gate.
    pub(crate) fn edit(&self, cx: &Cx<'_>, edit: Edit, asked: EditOptions) -> Result<Edited, ToolError> {
        cx.cancel.check()?;
        let mode = match asked.mode {
            Some(Mode::DryRun) => workspace::Mode::DryRun,
            Some(Mode::Suggest) => workspace::Mode::Suggest,
            // Whether that is a suggestion is for the gate to say: an agent cannot vouch for itself.
            Some(Mode::Apply) | None => workspace::Mode::Apply,
        };
        let base = asked.base.map(|base| base.parse::<RevisionId>()).transpose().map_err(refused)?;
        let request = EditRequest { base, request: asked.request, ..EditRequest::new(vec![edit], mode) };
        let outcome = cx.workspace.edit::<Markdown>(self.id, request).map_err(refused)?;
        Ok(Edited { outcome, before: self.view.clone(), revision: self.revision, file: cx.file(self.id)? })
    }
}

const OPEN_FIRST: &str =
    "open a document with workspace_open_document or make one with workspace_new_document";

/// What came of an edit.
pub(crate) struct Edited {
    pub(crate) outcome: Outcome<markdown::Outcome>,
    /// The document the changes are told in.
    before: View,
    revision: RevisionId,
    file: String,
}

impl Edited {
    pub(crate) fn applied(&self) -> bool {
        matches!(self.outcome.ending, Ending::Applied)
    }

    pub(crate) fn suggestion(&self) -> Option<String> {
        match &self.outcome.ending {
            Ending::Suggested(id) => Some(id.to_string()),
            _ => None,
        }
    }

    pub(crate) fn reports(&self) -> markdown::Outcome {
        self.outcome.outcomes.first().cloned().unwrap_or_default()
    }

    /// The answer of a tool that has nothing else to say.
    pub(crate) fn answer(&self) -> Answer {
        self.with(Nothing {})
    }

    pub(crate) fn with<T>(&self, more: T) -> Answer<T> {
        let summary = self.outcome.summaries.join("; ");
        let message = match &self.outcome.ending {
            Ending::Applied => format!("{summary}. Done; editor_undo takes it back"),
            Ending::Suggested(_) => format!("{summary}. Staged as a suggestion until somebody accepts it"),
            Ending::Previewed if self.outcome.changes.is_empty() => {
                "Dry run: there would be nothing to change".to_owned()
            }
            Ending::Previewed => format!("Dry run, nothing was changed. Would be: {summary}"),
            Ending::Unchanged => "Nothing to change".to_owned(),
        };
        let previewed = self.outcome.ending == Ending::Previewed;
        let changes = || self.outcome.changes.iter().map(|change| told(&self.before, change)).collect();
        Answer {
            message,
            applied: self.applied(),
            suggestion_id: self.suggestion(),
            revision: self.outcome.revision.to_string(),
            file: self.file.clone(),
            changes: previewed.then(changes),
            notes: wire::notes(&self.outcome.notes),
            more,
        }
    }

    /// The blocks that changed; of a suggestion those that it would change. A dry run changes none.
    pub(crate) fn changed_ids(&self) -> Vec<String> {
        let report = self.reports();
        let (ids, revision) = match self.outcome.ending {
            Ending::Applied => (report.changed, self.outcome.revision),
            Ending::Suggested(_) => (report.touched, self.revision),
            Ending::Previewed | Ending::Unchanged => return Vec::new(),
        };
        ids.iter().map(|id| format!("{id}@{}", targets::mark(revision))).collect()
    }

    /// The id of a block that is where it was.
    pub(crate) fn told(&self, id: NodeId) -> String {
        format!("{id}@{}", targets::mark(self.outcome.revision))
    }

    /// How many of `count` were made or staged.
    pub(crate) fn made(&self, count: usize) -> usize {
        match self.outcome.ending {
            Ending::Applied | Ending::Suggested(_) => count,
            Ending::Previewed | Ending::Unchanged => 0,
        }
    }

    pub(crate) fn changed_nodes(&self) -> ChangedNodes {
        ChangedNodes { changed_node_ids: self.changed_ids() }
    }
}

/// The answer to an edit: what became of it, and what the tool adds.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer<T = Nothing> {
    pub(crate) message: String,
    applied: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion_id: Option<String>,
    revision: String,
    file: String,
    /// Of a dry run. Their members are not listed with each of forty tools; suggestion_list tells them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<Value>>")]
    changes: Option<Vec<Changed>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(flatten)]
    more: T,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Nothing {}

/// What many edits add to their answer.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangedNodes {
    changed_node_ids: Vec<String>,
}

/// A range in code points.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct Span {
    from: usize,
    to: usize,
}

/// A change in code points of the document before it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Changed {
    #[serde(rename = "type")]
    kind: &'static str,
    from: usize,
    to: usize,
    line: usize,
    column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    original_content: Option<String>,
}

pub(crate) fn told(before: &View, change: &Change) -> Changed {
    let place = before.line_column(change.range.start);
    let text = |blob: &workspace::Blob| {
        (!blob.is_empty()).then(|| String::from_utf8_lossy(&blob.bytes()).into_owned())
    };
    Changed {
        kind: match change.kind() {
            workspace::ChangeKind::Insert => "insert",
            workspace::ChangeKind::Replace => "replace",
            workspace::ChangeKind::Delete => "delete",
        },
        from: before.measure(change.range.start).chars,
        to: before.measure(change.range.end).chars,
        line: place.line,
        column: place.column,
        new_content: text(&change.new),
        original_content: text(&change.original),
    }
}

/// A change that has lost its place, about where it was meant to be.
pub(crate) fn lost(view: &View, shown: &workspace::Shown) -> Changed {
    let line: usize = shown.place.strip_prefix("line ").and_then(|line| line.parse().ok()).unwrap_or(1);
    let start = view.start_of_line(line);
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Changed {
        kind: match (shown.before.is_empty(), shown.after.is_empty()) {
            (true, _) => "insert",
            (false, true) => "delete",
            _ => "replace",
        },
        from: view.char_of_byte(start),
        to: view.char_of_byte(view.line_end(start)),
        line: view.line_column(start).line,
        column: 1,
        new_content: text(&shown.after),
        original_content: text(&shown.before),
    }
}

/// An entry of a list that may end with how to get the rest.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Paged<T> {
    Entry(T),
    Rest { more: usize, hint: String },
}

/// The entries from `offset` on, of `total`.
pub(crate) fn paged<T>(entries: Vec<T>, offset: usize, total: usize) -> Vec<Paged<T>> {
    let next = offset + entries.len();
    let rest = Paged::Rest { more: total.saturating_sub(next), hint: format!("pass offset={next}") };
    entries.into_iter().map(Paged::Entry).chain((next < total).then_some(rest)).collect()
}

/// A refusal under the codes of these tools.
/// A formula without the dollars that it may have been given with; one inside would end it.
pub(crate) fn formula(latex: &str) -> Result<&str, ToolError> {
    let latex = latex.trim();
    let bare = ["$$", "$"].into_iter().find_map(|sign| latex.strip_prefix(sign)?.strip_suffix(sign));
    let bare = bare.unwrap_or(latex).trim();
    let mut escaped = false;
    for c in bare.chars() {
        if c == '$' && !escaped {
            return Err(ToolError::invalid("a `$` inside the formula would end it").hint("write it as \\$"));
        }
        escaped = c == '\\' && !escaped;
    }
    match bare.is_empty() {
        true => Err(ToolError::invalid("the formula is empty")),
        false => Ok(bare),
    }
}

pub(crate) fn refused(refusal: Refusal) -> ToolError {
    ToolError::told(Dialect::Prose, refusal)
}

/// A value of the second dialect, read with its own type.
pub(crate) fn parsed<T: serde::de::DeserializeOwned>(field: &str, value: Value) -> Result<T, ToolError> {
    serde_json::from_value(value).map_err(|error| ToolError::invalid(format!("{field}: {error}")))
}

/// How the second dialect names a section.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Target {
    heading: Option<String>,
    by_index: Option<ByIndex>,
    section_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ByIndex {
    level: u8,
    /// Among the headings of that level, from 0.
    index: usize,
}

/// The heading a caller names, in either dialect.
pub(crate) fn heading(
    cx: &Cx<'_>,
    prose: &Prose,
    id: Option<&str>,
    target: Option<Value>,
    base: Option<&str>,
) -> Result<NodeId, ToolError> {
    let named = |id: &str| prose.named(cx, id, base, Reliance::Section);
    let unknown = |what: String| {
        let mut error = ToolError::new("not_found", format!("there is no section {what}"));
        let known: Vec<String> = markdown::outline(&prose.view)
            .iter()
            .take(10)
            .map(|h| format!("{} \"{}\"", prose.told(h.id), h.title))
            .collect();
        if !known.is_empty() {
            error = error.hint(format!("sections: {}", known.join(", ")));
        }
        error
    };
    if let Some(id) = id {
        return named(id);
    }
    let Some(target) = target else {
        return Err(ToolError::invalid("nodeId: required, the id of a heading such as h-0"));
    };
    let target: Target = parsed("target", target)?;
    if let Some(id) = target.section_id {
        return named(&id);
    }
    if let Some(title) = target.heading {
        return targets::section(&prose.view, &title).map_err(|refusal| match refusal {
            Refusal::NotFound { .. } => unknown(format!("called `{title}`")),
            other => refused(other),
        });
    }
    if let Some(ByIndex { level, index }) = target.by_index {
        let outline = markdown::outline(&prose.view);
        let found = outline.iter().filter(|heading| heading.level == level).nth(index);
        return found.map(|heading| heading.id).ok_or_else(|| unknown(format!("{index} of level {level}")));
    }
    Err(ToolError::invalid("target: expected heading, byIndex or sectionId"))
}

/// Whether an id is that of front matter, which can be set where there is none yet.
pub(crate) fn is_front_matter(id: &str) -> bool {
    id == "meta-0" || id.starts_with("meta-0@")
}

/// A type of block that there is.
pub(crate) fn known_kind(name: &str) -> Result<(), ToolError> {
    match markdown::knows_kind(name) {
        true => Ok(()),
        false => Err(ToolError::invalid(format!(
            "type: `{name}` is no type of block; known are {}",
            markdown::KINDS.join(", ")
        ))),
    }
}
