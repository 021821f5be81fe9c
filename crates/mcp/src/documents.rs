//! Documents for surfaces that speak of positions: what one is at a glance, changes at positions, and taking them back.
//!
//! The words of a position are read here; what it means is for the workspace.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use workspace::targets::{Act, Characters, Position, PositionedChange, Side};
use workspace::{
    ChangeRequest, Changed, DocId, DocumentStatus, Ending, Mode, OpenIn, Overview, Pointed, Refusal,
    RevisionId, SuggestionId, Unchanged, WindowLabel, Workspace,
};

use crate::{callers::timestamp, codes::Dialect, error::ToolError, in_process::Client, wire};

/// Changes of one document, all or none. Their positions are all counted in the same revision.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Changes {
    /// In the order in which they are told; none of them moves what another means.
    #[schemars(length(min = 1, max = 1000))]
    pub changes: Vec<Change>,
    /// The revision in which positions are counted. Without one it is that which this session last saw.
    pub base_revision: Option<String>,
    /// Say what would become of it, and change nothing.
    #[serde(default)]
    pub dry_run: Option<bool>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Change {
    #[serde(rename = "type")]
    pub kind: ChangeKind,
    pub position: Place,
    /// What to put there; of a cell, as typed into Excel. None for a deletion.
    pub content: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    Insert,
    Replace,
    Delete,
}

/// Exactly one of `paragraph`, `paragraph_id`, `block_id`, `range_id`, `cell` and `text`, with what belongs to it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Place {
    /// From 0: paragraphs of the body of a Word document, blocks that hold text in Markdown.
    pub paragraph: Option<u32>,
    /// UTF-16 units of the paragraph or block before the place. Without it, all of the paragraph is meant.
    pub character: Option<u32>,
    /// UTF-16 units from `character` on that are replaced or deleted.
    pub length: Option<u32>,
    /// A paragraph of a Word document, as reading it tells; or a bookmark that starts in it.
    pub paragraph_id: Option<String>,
    /// A block of a Markdown document, as reading it tells; or the title of a heading.
    pub block_id: Option<String>,
    /// A range that a tool told of, where it is by now.
    pub range_id: Option<String>,
    /// A cell by address, name or table, such as `Sheet1!B2`; several can be cleared.
    pub cell: Option<String>,
    /// The only place where this text stands.
    pub text: Option<String>,
    /// What stands right before `text`, to tell it from others.
    pub before: Option<String>,
    /// What stands right behind `text`.
    pub after: Option<String>,
    /// For an insertion: as a paragraph of its own beside the one that is named, or next to a text or range.
    pub place: Option<Beside>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Beside {
    Before,
    After,
}

/// What came of changes.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Applied {
    pub document_id: String,
    pub status: Outcome,
    /// The document's revision after it.
    pub revision: String,
    /// The revision in which positions were counted.
    pub base_revision: String,
    /// Ids of the paragraphs, blocks or cells that are other than they were.
    pub changed: Vec<String>,
    /// The same with what they say now; of a suggestion or a dry run, what they say as yet.
    pub places: Vec<ChangedPlace>,
    /// What others did between the two revisions.
    pub meanwhile: Vec<Meanwhile>,
    /// Names the suggestion that waits for a decision.
    pub suggestion_id: Option<String>,
    /// The request that takes it back; null if there is nothing to take back.
    pub undo: Option<Undo>,
    /// Whether the file on disk has it; null of what was not made.
    pub saved: Option<bool>,
    pub summary: String,
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Applied,
    /// Waits for somebody to accept it.
    Suggested,
    /// Waits for leave to be made at all.
    Pending,
    DryRun,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChangedPlace {
    pub id: String,
    pub paragraph: Option<usize>,
    pub text: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Meanwhile {
    pub revision: String,
    pub author: String,
    pub summary: String,
}

/// A request to this API.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Undo {
    pub method: String,
    pub path: String,
    pub body: serde_json::Value,
}

/// What a document is at a glance, as this session sees it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Context {
    pub document_id: String,
    pub title: String,
    /// The selected text; null if nothing was selected.
    pub current_selection: Option<String>,
    /// Where the selection ends; null if there is none.
    pub cursor_position: Option<CursorPosition>,
    pub document_stats: Stats,
    /// `word`, `excel`, `markdown` or `text`.
    pub format: String,
    /// What positions mean from now on that are sent without `base_revision`.
    pub revision: String,
    /// Whether there is work in it that is not in the file.
    pub dirty: bool,
    /// Suggestions that wait for a decision.
    pub pending_suggestions: usize,
    /// Only if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paragraphs: Option<Vec<ParagraphText>>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct CursorPosition {
    pub paragraph: usize,
    pub character: usize,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Stats {
    pub word_count: usize,
    pub paragraph_count: usize,
    pub character_count: usize,
}

/// A paragraph, or a cell of a workbook, as positions count it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ParagraphText {
    pub paragraph: usize,
    pub id: Option<String>,
    pub text: String,
    /// In UTF-16 units.
    pub length: usize,
}

/// Some paragraphs: from this one on, and how many.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub from: usize,
    pub count: usize,
}

/// The revisions since a document was opened, the oldest first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Revisions {
    pub document_id: String,
    pub revision: String,
    pub revisions: Vec<Step>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Step {
    pub revision: String,
    pub author: String,
    pub timestamp: String,
    pub summary: String,
    /// Whether this session made it.
    pub own: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Undone {
    pub document_id: String,
    pub revision: String,
    /// The revision that was taken back, or made again.
    pub of: String,
    pub saved: bool,
    pub notes: Vec<String>,
}

/// What became of a change that waited.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Decided {
    pub document_id: String,
    pub suggestion_id: String,
    pub status: Standing,
    pub revision: String,
    /// Whether the file on disk has what the document has.
    pub saved: bool,
    pub notes: Vec<String>,
    /// The request that takes it back; null if there is nothing to take back.
    pub undo: Option<Undo>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    Applied,
    Denied,
}

/// A document that was changed, and whether its file has it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SavedWork {
    pub file: String,
    pub saved: bool,
    /// Why it is not.
    pub note: Option<String>,
}

/// What is said to a change that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Approve,
    Deny,
}

/// What becomes of changes that are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Landing {
    AsTheDeskSays,
    /// Nothing is changed before a person says so.
    WithLeave,
    Nowhere,
}

/// Whether it is known what the caller was shown of its documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    Known,
    /// It may have read them before this process began.
    MayBeForgotten,
}

/// Which way to step through the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Undo,
    Redo,
}

/// What is known of a document once it is open.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Glimpse {
    pub title: String,
    /// `word`, `excel`, `markdown` or `text`.
    pub format: String,
    pub revision: String,
}

impl Client {
    /// Opens a document, and shows nothing of it yet.
    pub async fn open(&self, name: String) -> Result<Glimpse, ToolError> {
        self.on_document(name, |workspace, _, (_, document)| {
            let status = workspace.status(document)?;
            let (format, revision) = (wire::format(status.kind), status.revision.to_string());
            Ok(Glimpse { title: status.title, format, revision })
        })
        .await
    }

    /// A document at a glance, with some of its paragraphs if they are asked for.
    pub async fn overview(&self, name: String, page: Option<Page>) -> Result<Context, ToolError> {
        self.on_document(name, move |workspace, name, (window, document)| {
            let overview = workspace.overview(document, &window)?;
            let page = page.map(|page| workspace.paragraphs(document, page.from, page.count)).transpose()?;
            // Somebody else may have changed it between the two.
            let revision = page.as_ref().map_or(overview.revision, |(revision, _)| *revision);
            workspace.has_seen(document, revision);
            Ok(context(name, revision, overview, page.map(|(_, paragraphs)| paragraphs)))
        })
        .await
    }

    /// Makes changes at positions, and saves them unless somebody else's work would go into the file with them.
    pub async fn change(
        &self,
        name: String,
        changes: Changes,
        landing: Landing,
        request: Option<String>,
        reading: Reading,
    ) -> Result<Applied, ToolError> {
        let counts = changes.changes.iter().any(|change| change.position.paragraph.is_some());
        let by_what_it_saw = counts && changes.base_revision.is_none();
        let mode = match (changes.dry_run.unwrap_or(false), landing) {
            (true, _) => Mode::DryRun,
            (false, Landing::AsTheDeskSays) => Mode::Apply,
            (false, Landing::WithLeave) => Mode::Suggest,
            (false, Landing::Nowhere) => {
                return Err(ToolError::new("PERMISSION_DENIED", "this session may not write")
                    .hint("try the changes with dry_run"));
            }
        };
        let request = ChangeRequest {
            base: changes.base_revision.map(|base| base.parse::<RevisionId>()).transpose()?,
            changes: positioned(changes.changes)?,
            mode,
            request,
        };
        self.on_document(name, move |workspace, name, (_, document)| {
            // What was done for the request before is answered, whatever its numbers mean by now.
            if by_what_it_saw
                && reading == Reading::MayBeForgotten
                && workspace.last_seen(document).is_none()
                && !request
                    .request
                    .as_deref()
                    .map_or(Ok(false), |id| workspace.knows_request(document, id))?
            {
                return Err(forgotten());
            }
            let changed = workspace.change(document, request).map_err(refused)?;
            let (saved, told) = match changed.ending {
                Ending::Applied => {
                    let (saved, told) = save(workspace, document);
                    (Some(saved), told)
                }
                Ending::Unchanged => (Some(!workspace.status(document)?.dirty), None),
                Ending::Suggested(_) | Ending::Previewed => (None, None),
            };
            let mut applied = applied(name, changed, saved, told);
            let waits = landing == Landing::WithLeave && applied.status == Outcome::Suggested;
            // Where the server leaves it to a person anyway, the leave of the session is not enough.
            if waits && workspace.may_carry_out(document)? {
                applied.status = Outcome::Pending;
            }
            Ok(applied)
        })
        .await
    }

    /// Selects what a person has selected elsewhere, where it stands in the document; whether it does.
    pub async fn point(&self, name: String, pointed: Pointed) -> Result<bool, ToolError> {
        self.on_document(name, move |workspace, name, (window, document)| {
            let path = workspace.status(document)?.path;
            // As requests do that name the document.
            let window = match path {
                Some(path) => {
                    workspace.open(path, OpenIn::Tab(None))?;
                    workspace.document(&name).map_err(|refusal| unseen(&name, refusal))?.0
                }
                None => window,
            };
            Ok(workspace.point(document, &window, &pointed)?)
        })
        .await
    }

    /// Saves the documents that were changed for requests whose names begin in one of these ways. Of work that an earlier
    /// process did not come to save, `left` names the files.
    pub async fn save_work(
        &self,
        requests: Vec<String>,
        left: Vec<PathBuf>,
    ) -> Result<Vec<SavedWork>, ToolError> {
        let never = CancellationToken::new();
        let saved = self.run(&never, move |workspace| {
            for path in left {
                // One that is gone or locked by now cannot be saved, and keeps nobody from saving the others.
                drop(workspace.document(&path.to_string_lossy()));
            }
            let mut changed: Vec<DocId> =
                requests.iter().flat_map(|requests| workspace.changed_for(requests)).collect();
            changed.sort();
            changed.dedup();
            let changed = changed.into_iter();
            let saved = changed.map(|document| {
                let file = wire::file(&workspace.status(document)?);
                let (saved, note) = save(workspace, document);
                Ok(SavedWork { file, saved, note })
            });
            saved.collect()
        });
        saved.await?
    }

    /// Decides on what this caller staged itself: makes it, where the caller might have made it at once, or takes it back.
    pub async fn decide(&self, id: String, decision: Decision) -> Result<Decided, ToolError> {
        let never = CancellationToken::new();
        let decided = self.run(&never, move |workspace| {
            let missing = || {
                let id: String = id.chars().take(80).collect();
                ToolError::new("NOT_FOUND", format!("this session has no change `{id}` that waits"))
            };
            let suggestion = id.parse::<SuggestionId>().map_err(|_| missing())?;
            let document = workspace.document_of(&suggestion).map_err(|_| missing())?;
            if workspace.suggestion(document, &suggestion).map_err(|_| missing())?.client
                != workspace.caller().id.as_str()
            {
                return Err(missing());
            }
            let status = workspace.status(document)?;
            let document_id = named(workspace, &status);
            let (revision, saved, told, undo) = match decision {
                Decision::Deny => {
                    workspace.reject(document, &suggestion)?;
                    (status.revision, !status.dirty, None, None)
                }
                Decision::Approve => {
                    let done = workspace.carry_out(document, &suggestion)?;
                    if !done.accepted.contains(&suggestion) {
                        let why = done.left.into_iter().find(|(left, _)| *left == suggestion);
                        return Err(why.map_or_else(missing, |(_, refusal)| refusal.into()));
                    }
                    let (saved, told) = save(workspace, document);
                    (done.revision, saved, told, undo(&document_id, &Ending::Applied, done.revision))
                }
            };
            Ok(Decided {
                suggestion_id: suggestion.to_string(),
                status: if decision == Decision::Approve { Standing::Applied } else { Standing::Denied },
                revision: revision.to_string(),
                saved,
                notes: told.into_iter().collect(),
                undo,
                document_id,
            })
        });
        decided.await?
    }

    /// Takes this caller's last change back, or makes it again; `revision` says which it has to be.
    pub async fn step(&self, name: String, way: Way, revision: Option<String>) -> Result<Undone, ToolError> {
        let wanted = revision.map(|revision| revision.parse::<RevisionId>()).transpose()?;
        self.on_document(name, move |workspace, name, (_, document)| {
            let current = workspace.status(document)?.revision;
            if let Some(expected) = wanted.filter(|wanted| *wanted != current) {
                let why = Some("only the last change can be taken back or made again".to_owned());
                return Err(Refusal::Stale { expected, current, why }.into());
            }
            let stepped = match way {
                Way::Undo => workspace.undo(document)?,
                Way::Redo => workspace.redo(document)?,
            };
            let Some(stepped) = stepped else {
                let what = if way == Way::Undo { "a change to take back" } else { "a change to make again" };
                return Err(Refusal::not_found(what, name).into());
            };
            let (saved, told) = save(workspace, document);
            Ok(Undone {
                document_id: name,
                revision: stepped.id.to_string(),
                of: current.to_string(),
                saved,
                notes: told.into_iter().collect(),
            })
        })
        .await
    }

    pub async fn history(&self, name: String) -> Result<Revisions, ToolError> {
        self.on_document(name, |workspace, name, (_, document)| {
            let own = workspace.caller().id.as_str();
            let steps = workspace.revisions(document)?.into_iter().map(|revision| Step {
                own: revision.caller == own,
                revision: revision.id.to_string(),
                author: revision.author,
                timestamp: timestamp(revision.at),
                summary: revision.summary,
            });
            let revisions = steps.collect();
            let revision = workspace.status(document)?.revision.to_string();
            Ok(Revisions { document_id: name, revision, revisions })
        })
        .await
    }

    /// Work on the document of an id or a path. What this caller may not see and what is not there are the same.
    async fn on_document<T: Send + 'static>(
        &self,
        name: String,
        work: impl FnOnce(&Workspace, String, (WindowLabel, DocId)) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        // Whoever hangs up has asked all the same: a change is made whole.
        let never = CancellationToken::new();
        let worked = self.run(&never, move |workspace| {
            let found = workspace.document(&name).map_err(|refusal| unseen(&name, refusal))?;
            work(workspace, name, found)
        });
        worked.await?
    }
}

fn unseen(name: &str, refusal: Refusal) -> ToolError {
    match refusal {
        Refusal::NotFound { .. }
        | Refusal::Gone { .. }
        | Refusal::Denied { .. }
        | Refusal::Invalid { .. } => missing(name),
        Refusal::Disk { fault: workspace::Fault::Missing | workspace::Fault::NotAFile, .. } => missing(name),
        other => other.into(),
    }
}

fn missing(name: &str) -> ToolError {
    let name: String = name.chars().take(200).collect();
    ToolError::new("NOT_FOUND", format!("there is no document `{name}`"))
        .hint("name it by its path relative to a root, or by an id that a tool told")
}

/// A document as clients name it: by its path relative to a root.
fn named(workspace: &Workspace, status: &DocumentStatus) -> String {
    let roots = &workspace.caller().roots;
    let inside =
        status.path.as_ref().and_then(|path| roots.iter().find_map(|root| path.strip_prefix(root).ok()));
    inside.map_or_else(|| wire::file(status), |path| path.display().to_string())
}

fn forgotten() -> ToolError {
    ToolError::new("CONFLICT", "the server was started anew since this session last read the document")
        .hint("read the document again, or send the base_revision that the numbers are counted in")
}

fn save(workspace: &Workspace, document: DocId) -> (bool, Option<String>) {
    match workspace.save_own(document) {
        Ok(Ok(_)) => (true, None),
        Ok(Err(other)) => (false, Some(format!("not saved, because work of {other} in it is unsaved"))),
        Err(refusal) => (false, Some(format!("warning: not saved: {refusal}"))),
    }
}

fn positioned(changes: Vec<Change>) -> Result<Vec<PositionedChange>, ToolError> {
    if changes.is_empty() || changes.len() > 1000 {
        let found = changes.len();
        return Err(ToolError::invalid(format!(
            "changes: from 1 to 1000 of them are made at once, found {found}"
        )));
    }
    let read = changes.into_iter().enumerate().map(|(index, change)| {
        change
            .read()
            .map_err(|error| error.within(format_args!("changes[{index}]")).data(json!({"change": index})))
    });
    read.collect()
}

impl Change {
    fn read(self) -> Result<PositionedChange, ToolError> {
        let act = match self.kind {
            ChangeKind::Insert => Act::Insert,
            ChangeKind::Replace => Act::Replace,
            ChangeKind::Delete => Act::Delete,
        };
        let characters = match (self.position.character, self.position.length) {
            (None, None) => None,
            (Some(at), length) => Some(Characters { at: at as usize, length: length.unwrap_or(0) as usize }),
            (None, Some(_)) => {
                return Err(ToolError::invalid("position.length: `character` says where the length begins"));
            }
        };
        let side = self.position.place.map(|side| match side {
            Beside::Before => Side::Before,
            Beside::After => Side::After,
        });
        let content = self.content.unwrap_or_default();
        if act == Act::Delete && !content.is_empty() {
            return Err(ToolError::invalid(
                "content: a deletion has none; to put something else there, replace",
            ));
        }
        Ok(PositionedChange { act, position: self.position.read()?, characters, side, content })
    }
}

impl Place {
    fn read(self) -> Result<Position, ToolError> {
        let Place { paragraph, paragraph_id, block_id, range_id, cell, text, before, after, .. } = self;
        let around = before.is_some() || after.is_some();
        let of_text = text.is_some();
        let ways = [
            paragraph.map(|index| Ok(Position::Paragraph(index as usize))),
            paragraph_id.map(|id| Ok(Position::ParagraphId(id))),
            block_id.map(|id| Ok(Position::Block(id))),
            range_id.map(|id| id.parse().map(Position::Range)),
            cell.map(|cell| Ok(Position::Cell(cell))),
            text.map(|text| {
                let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
                Ok(Position::Text { text, before, after })
            }),
        ];
        let mut given: Vec<Result<Position, Refusal>> = ways.into_iter().flatten().collect();
        if around && !of_text {
            return Err(ToolError::invalid("position: `before` and `after` belong to `text`"));
        }
        match (given.pop(), given.len()) {
            (Some(only), 0) => Ok(only?),
            (_, count) => Err(ToolError::invalid(format!(
                "position: exactly one of paragraph, paragraph_id, block_id, range_id, cell and text says where; found {}",
                if count == 0 { 0 } else { count + 1 }
            ))),
        }
    }
}

/// A refusal with which of the changes it was, and what stands there by now.
fn refused(unchanged: Unchanged) -> ToolError {
    let Unchanged { refusal, revision, current } = unchanged;
    let refusal = *refusal;
    let index = match &refusal {
        Refusal::InBatch { index, .. } => Some(*index),
        _ => None,
    };
    // Another request under a key that was used before is at odds with that one, not badly written.
    let is_reused = matches!(&refusal, Refusal::Invalid { field, .. } if field == "requestId");
    let is_open = matches!(refusal.innermost(), Refusal::Rule { .. });
    let mut error = ToolError::told(Dialect::General, refusal);
    if is_reused {
        error = ToolError::new("CONFLICT", "this Idempotency-Key was used before for another request")
            .hint("send another request under a key of its own");
    }
    let mut data = error.data.take().map_or_else(|| json!({}), |data| *data);
    if let Some(index) = index {
        data["change"] = json!(index);
    }
    if let Some(revision) = revision {
        data["revision"] = json!(revision.to_string());
        let current = current.iter().map(|now| json!({"change": now.change, "text": now.text}));
        data["current"] = current.collect();
    } else if is_open {
        data["rule"] = json!(error.code);
    }
    error.data(data)
}

fn context(
    document_id: String,
    revision: RevisionId,
    overview: Overview,
    paragraphs: Option<Vec<workspace::ParagraphText>>,
) -> Context {
    let Overview {
        title, kind, dirty, pending, selection, cursor, count, paragraphs: paragraph_count, ..
    } = overview;
    Context {
        document_id,
        title,
        current_selection: selection,
        cursor_position: cursor
            .map(|cursor| CursorPosition { paragraph: cursor.paragraph, character: cursor.character }),
        document_stats: Stats { word_count: count.words, paragraph_count, character_count: count.chars },
        format: wire::format(kind),
        revision: revision.to_string(),
        dirty,
        pending_suggestions: pending,
        paragraphs: paragraphs.map(|some| some.into_iter().map(paragraph_answer).collect()),
    }
}

fn paragraph_answer(paragraph: workspace::ParagraphText) -> ParagraphText {
    let workspace::ParagraphText { number, id, text } = paragraph;
    ParagraphText { paragraph: number, id, length: text.encode_utf16().count(), text }
}

fn applied(document_id: String, changed: Changed, saved: Option<bool>, told: Option<String>) -> Applied {
    let Changed { ending, base, revision, summary, notes, places, meanwhile } = changed;
    let undo = undo(&document_id, &ending, revision);
    let (status, suggestion_id) = match ending {
        // What was there already is as good as applied.
        Ending::Applied | Ending::Unchanged => (Outcome::Applied, None),
        Ending::Suggested(id) => (Outcome::Suggested, Some(id.to_string())),
        Ending::Previewed => (Outcome::DryRun, None),
    };
    let mut notes = wire::notes(&notes);
    notes.extend(told);
    let places: Vec<ChangedPlace> = places
        .into_iter()
        .map(|place| ChangedPlace { id: place.id, paragraph: place.paragraph, text: place.text })
        .collect();
    let meanwhile = meanwhile.into_iter().map(|step| Meanwhile {
        revision: step.revision.to_string(),
        author: step.author,
        summary: step.summary,
    });
    Applied {
        document_id,
        status,
        revision: revision.to_string(),
        base_revision: base.to_string(),
        changed: places.iter().map(|place| place.id.clone()).collect(),
        places,
        meanwhile: meanwhile.collect(),
        suggestion_id,
        undo,
        saved,
        summary,
        notes,
    }
}

fn undo(document_id: &str, ending: &Ending, revision: RevisionId) -> Option<Undo> {
    let (path, body) = match ending {
        Ending::Applied => (
            "/api/v1/document/undo".to_owned(),
            json!({"document_id": document_id, "revision": revision.to_string()}),
        ),
        Ending::Suggested(id) => (format!("/api/v1/document/suggestions/{id}/deny"), json!({})),
        Ending::Previewed | Ending::Unchanged => return None,
    };
    Some(Undo { method: "POST".to_owned(), path, body })
}
