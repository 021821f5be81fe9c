//! What the Word tools share: which document is meant, and how an edit of it is asked for and answered.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use workspace::{
    DocId, EditRequest, Kind, Mode, OpenIn, Refusal, RevisionId, SessionId, Standing, Tracking,
    targets::{self, Argument, Insertion},
    word::{Edit, Markup, Outcome, ParagraphId, Resolution, ResolveChanges, Side, Which, Word},
};

use crate::{cx::Cx, error::ToolError, wire};

/// An open Word document and the session it is worked on in.
pub(crate) struct Target {
    pub(crate) document: DocId,
    pub(crate) session: SessionId,
    /// Whether protection by the author of the file is set aside.
    pub(crate) overrides: bool,
}

impl Target {
    pub(crate) fn overriding(self, overrides: bool) -> Self {
        Self { overrides, ..self }
    }
}

/// The document of a session, or a file, which gets a session; without either, the one in front. A file is shown
/// in a tab, so that undo and the workspace tools reach it too.
pub(crate) fn target(
    cx: &Cx<'_>,
    file_path: Option<&str>,
    session_id: Option<&str>,
) -> Result<Target, ToolError> {
    let (document, session) = match (session_id, file_path) {
        (Some(id), _) => {
            let session: SessionId = id.parse()?;
            (document_of(cx, &session)?, Some(session))
        }
        (None, Some(path)) => (cx.workspace.open(path, OpenIn::Tab(None))?.document, None),
        (None, None) => (cx.document(None)?.1, None),
    };
    let status = cx.workspace.status(document)?;
    if status.kind != Kind::Word {
        let message =
            format!("`{}` is a {} document, and this tool is for Word documents", status.title, status.kind);
        return Err(ToolError::new("WRONG_FORMAT", message).hint("pass file_path of a .docx file"));
    }
    let session = session.map_or_else(|| cx.workspace.working_session(document), Ok)?;
    cx.workspace.refresh(document)?;
    cx.shows(document)?;
    Ok(Target { document, session, overrides: false })
}

/// The document that is worked on in a session.
pub(crate) fn document_of(cx: &Cx<'_>, session: &SessionId) -> Result<DocId, ToolError> {
    cx.workspace.session(session).map_err(|refusal| {
        let hint = "its document was closed, or it was never begun here; read_file with file_path begins one";
        ToolError::from(refusal).hint_if_none(hint)
    })
}

pub(crate) fn paragraph(
    cx: &Cx<'_>,
    target: &Target,
    field: &'static str,
    id: &str,
) -> Result<ParagraphId, ToolError> {
    let argument = Argument { field, name: id };
    let found = cx.workspace.read::<Word, _>(target.document, |view| targets::paragraph(view, argument))?;
    found.map_err(no_paragraph)
}

/// Paragraphs to insert beside a paragraph, or beside a table.
pub(crate) fn insertion(cx: &Cx<'_>, target: &Target, insertion: Insertion<'_>) -> Result<Edit, ToolError> {
    let edit = cx.workspace.read::<Word, _>(target.document, |view| targets::insertion(view, insertion))?;
    edit.map_err(no_paragraph)
}

fn no_paragraph(refusal: Refusal) -> ToolError {
    ToolError::from(refusal).hint_if_none("read_file lists the ids of paragraphs")
}

// No doc comment: each of seven tools would list it, and the names say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Track {
    /// As the document has it switched on in Word, else off.
    #[default]
    Auto,
    /// Changed as if typed.
    Off,
    /// Written as a tracked change that a person can accept or reject in Word.
    On,
    /// Staged beside the document until a person decides.
    Suggest,
}

impl Track {
    pub(crate) fn markup(self) -> Markup {
        match self {
            Track::Auto | Track::Off | Track::Suggest => Markup::Plain,
            Track::On => Markup::Tracked,
        }
    }

    /// Who says `off` means it, also where the document has tracking switched on.
    pub(crate) fn standing(self, override_protection: bool) -> Standing {
        let tracking = match self {
            Track::Off => Tracking::AsAsked,
            Track::Auto | Track::On | Track::Suggest => Tracking::AsTheFile,
        };
        Standing { tracking, override_protection }
    }

    pub(crate) fn mode(self, dry_run: bool) -> Mode {
        match self {
            _ if dry_run => Mode::DryRun,
            Track::Suggest => Mode::Suggest,
            Track::Auto | Track::Off | Track::On => Mode::Apply,
        }
    }
}

/// What an edit came to.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Edited {
    pub(crate) session_id: String,
    pub(crate) file: String,
    pub(crate) revision: String,
    /// `applied`, `suggested`, `dry_run` or `unchanged`.
    pub(crate) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) suggestion_id: Option<String>,
    /// What was done, one for each edit.
    pub(crate) edits: Vec<Report>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instruction: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) undo: Option<&'static str>,
}

/// One edit.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Report {
    #[serde(skip_serializing_if = "String::is_empty")]
    summary: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paragraph_ids: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    changes: Vec<String>,
    /// Id of the comment, mark of the note, name of the bookmark, or target of the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    made: Option<String>,
    /// Told, but not listed, as what only few tools have to tell: the list of tools has a budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    filled: Option<Filled>,
}

/// How often each value was put in, values without a place, and placeholders without a value.
#[derive(Debug, Serialize)]
struct Filled {
    values: BTreeMap<String, usize>,
    unused: Vec<String>,
    missing: Vec<String>,
}

/// Plan the edits and make, stage or show them.
pub(crate) fn edit(
    cx: &Cx<'_>,
    target: &Target,
    edits: Vec<Edit>,
    track: Track,
    dry_run: bool,
    expected: Option<&str>,
) -> Result<Edited, ToolError> {
    cx.cancel.check()?;
    let base = expected.map(|expected| expect_revision(cx, target, expected)).transpose()?;
    let standing = track.standing(target.overrides);
    let mut request = EditRequest::new(edits, track.mode(dry_run)).standing(standing);
    request.reading = workspace::Reading::InTurn;
    request.base = base;
    let outcome = cx
        .workspace
        .edit::<Word>(target.document, request)
        .map_err(|refusal| with_the_past(cx, target, refusal))?;
    let (status, suggestion_id) = wire::ending(&outcome.ending);
    let summaries = outcome.summaries.into_iter().map(Some).chain(std::iter::repeat(None));
    let edits = outcome
        .outcomes
        .into_iter()
        .zip(summaries)
        .flat_map(|(outcome, summary)| reports(outcome, summary.unwrap_or_default()));
    let mut edits: Vec<Report> = edits.collect();
    let mut notes = wire::notes(&outcome.notes);
    let short = shorten(&mut edits);
    if short > 0 {
        notes.push(format!(
            "of the last {short} edits only the paragraphs are listed; all were made as asked"
        ));
    }
    Ok(Edited {
        session_id: target.session.to_string(),
        file: cx.file(target.document)?,
        revision: outcome.revision.to_string(),
        status,
        suggestion_id,
        edits,
        instruction: None,
        notes,
        undo: (status == "applied")
            .then_some("editor_undo with this session_id takes it back; save writes it to the file"),
    })
}

/// Refuses where the document is no longer what the caller read, even if the edit could still be made.
fn expect_revision(cx: &Cx<'_>, target: &Target, expected: &str) -> Result<RevisionId, ToolError> {
    let expected: RevisionId = expected.parse()?;
    let current = cx.workspace.status(target.document)?.revision;
    // What was changed and taken back is as it was read.
    match current.digest == expected.digest {
        true => Ok(expected),
        false => Err(ToolError::on(Kind::Word, Refusal::Stale { expected, current, why: None })),
    }
}

/// A batch of a thousand edits would be answered with more than anybody reads: once the words of its reports fill
/// this many bytes, the rest only name their paragraphs.
const REPORTED: usize = 24 << 10;

fn shorten(reports: &mut [Report]) -> usize {
    let (mut spent, mut short) = (0, 0);
    for report in reports {
        let texts = [Some(&report.summary), report.before.as_ref(), report.after.as_ref()];
        spent += texts.into_iter().flatten().map(String::len).sum::<usize>();
        if spent > REPORTED && !report.paragraph_ids.is_empty() {
            (report.summary, report.before, report.after) = (String::new(), None, None);
            short += 1;
        }
    }
    short
}

/// Says of a paragraph that is not there whether it ever was.
pub(crate) fn with_the_past(cx: &Cx<'_>, target: &Target, refusal: Refusal) -> ToolError {
    let missing = match refusal.innermost() {
        Refusal::NotFound { what: "paragraph", id, .. } => id.parse::<ParagraphId>().ok(),
        _ => None,
    };
    let error = ToolError::on(Kind::Word, refusal);
    let Some(id) = missing else { return error };
    match former(cx, target, id) {
        Ok(Some((text, revision))) => ToolError::new(
            "PARAGRAPH_DELETED",
            format!("{}; it was deleted at revision {revision} and said `{text}`", error.message),
        )
        .hint("undo brings it back; to go on, read the document again and use a current id"),
        Ok(None) if is_there(cx, target, id) => {
            let message = format!("{}; an edit before it in this call deletes it", error.message);
            ToolError { message, ..error }
                .hint("leave out one of the two edits, or make this one on a paragraph that stays")
        }
        Ok(None) => {
            let message = format!("{}; no paragraph of this session ever had this id", error.message);
            let hint = "read the document again and use an id that it lists";
            ToolError { message, ..error }.hint_if_none(hint)
        }
        Err(_) => error,
    }
}

/// Whether the document as it is has the paragraph; edits of one call see what those before them left.
fn is_there(cx: &Cx<'_>, target: &Target, id: ParagraphId) -> bool {
    cx.workspace.read::<Word, _>(target.document, |view| view.place_of(id).is_some()).unwrap_or(false)
}

/// What a paragraph last said, and the revision that took it away.
fn former(cx: &Cx<'_>, target: &Target, id: ParagraphId) -> Result<Option<(String, RevisionId)>, Refusal> {
    let (mut last, mut gone) = (None, None);
    cx.workspace.look_back::<Word>(target.document, |view, revision| match view.place_of(id) {
        Some(place) => {
            last = view.paragraph(place).ok().map(|paragraph| paragraph.text(Side::Final).text);
            gone = None;
        }
        None if last.is_some() && gone.is_none() => gone = Some(revision),
        None => {}
    })?;
    Ok(last.zip(gone).map(|(text, revision)| (workspace::excerpt(&text, 60), revision)))
}

/// A comparison is one edit and tells of many places.
fn reports(outcome: Outcome, summary: String) -> Vec<Report> {
    let Outcome::Compared { differences } = outcome else { return vec![report(outcome, summary)] };
    let told = |text: &str, other: &str| (!text.is_empty()).then(|| stretch(text, other));
    let reports = differences.iter().map(|found| Report {
        paragraph_ids: found.paragraph.iter().map(ToString::to_string).collect(),
        before: told(&found.before, &found.after),
        after: told(&found.after, &found.before),
        ..Report::default()
    });
    std::iter::once(Report { summary, ..Report::default() }).chain(reports).collect()
}

fn report(outcome: Outcome, summary: String) -> Report {
    let empty = Report { summary, ..Report::default() };
    match outcome {
        Outcome::Replaced { paragraph, before, after } => Report {
            paragraph_ids: vec![paragraph.to_string()],
            before: Some(stretch(&before, &after)),
            after: Some(stretch(&after, &before)),
            ..empty
        },
        Outcome::Inserted { paragraphs } => {
            Report { paragraph_ids: paragraphs.iter().map(ToString::to_string).collect(), ..empty }
        }
        Outcome::Deleted { paragraph, text, kept: _ } => {
            Report { paragraph_ids: vec![paragraph.to_string()], before: Some(text), ..empty }
        }
        Outcome::Resolved { changes, .. } => Report { changes, ..empty },
        Outcome::Commented { comment: made } | Outcome::Linked { name: made } => {
            Report { made: Some(made), ..empty }
        }
        Outcome::Noted { note, paragraph, before, after } => {
            let told = |text: &Option<String>, other: &Option<String>| {
                text.as_ref().map(|text| stretch(text, other.as_deref().map_or("", |other| other)))
            };
            Report {
                paragraph_ids: paragraph.iter().map(ToString::to_string).collect(),
                before: told(&before, &after),
                after: told(&after, &before),
                made: Some(note),
                ..empty
            }
        }
        Outcome::Filled { filled, unused, missing } => {
            Report { filled: Some(Filled { values: filled, unused, missing }), ..empty }
        }
        // Operations answer in their own form.
        Outcome::Compared { .. } | Outcome::Op { .. } | Outcome::Ops { .. } => empty,
    }
}

/// What of a text differs from another one, with a few words around it: nobody reads a long paragraph twice for one word.
fn stretch(text: &str, other: &str) -> String {
    const AROUND: usize = 40;
    let head = text.char_indices().zip(other.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let head = head.unwrap_or(text.len().min(other.len()));
    let rest = (&text[head..], &other[head..]);
    let tail: usize = rest
        .0
        .chars()
        .rev()
        .zip(rest.1.chars().rev())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let bound = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let from = text
        .get(..bound(head.saturating_sub(AROUND)))
        .and_then(|text| text.rfind(' '))
        .map_or(0, |at| at + 1);
    let behind = bound(text.len() - tail + AROUND);
    let to = text.get(behind..).and_then(|rest| rest.find(' ')).map_or(text.len(), |at| behind + at);
    let mut shown = String::new();
    if from > 0 {
        shown.push('…');
    }
    shown.push_str(&text[from..to]);
    if to < text.len() {
        shown.push('…');
    }
    shown
}

/// The changes a caller chose; choosing none is not choosing all.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chosen {
    file_path: Option<String>,
    session_id: Option<String>,
    /// From list_changes.
    #[serde(default)]
    ids: Vec<String>,
    author: Option<String>,
    #[serde(default)]
    paragraph_ids: Vec<String>,
    #[serde(default)]
    all: bool,
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    override_protection: bool,
}

impl Chosen {
    pub(crate) fn resolve(self, cx: &Cx<'_>, resolution: Resolution) -> Result<Edited, ToolError> {
        let target = target(cx, self.file_path.as_deref(), self.session_id.as_deref())?
            .overriding(self.override_protection);
        let dry_run = self.dry_run;
        let edit = Edit::ResolveChanges(ResolveChanges { resolution, which: self.which(cx, &target)? });
        self::edit(cx, &target, vec![edit], Track::Auto, dry_run, None)
    }

    fn which(self, cx: &Cx<'_>, target: &Target) -> Result<Which, ToolError> {
        let Self { ids, author, paragraph_ids, all, .. } = self;
        let paragraphs = paragraph_ids.iter().map(|name| Argument { field: "paragraph_ids", name });
        let chosen = targets::Chosen { ids, author, paragraphs: paragraphs.collect(), all };
        let which = cx.workspace.read::<Word, _>(target.document, |view| targets::changes(view, chosen))?;
        which.map_err(no_paragraph)?.ok_or_else(|| {
            ToolError::invalid("say which changes: exactly one of ids, author, paragraph_ids or all")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_shows_the_stretch_that_changed() {
        let words = "word ".repeat(40);
        let (before, after) = (format!("{words}thirty days {words}"), format!("{words}sixty days {words}"));
        assert_eq!(
            stretch(&before, &after),
            "…word word word word word word word word thirty days word word word word word word word…"
        );
        assert!(stretch(&after, &before).contains("sixty"));
        assert_eq!(stretch("a é b", "a b"), "a é b");
        assert_eq!(stretch("same", "same"), "same");
        assert_eq!(stretch("", "x"), "");
    }

    #[test]
    fn a_thousand_edits_are_answered_in_a_message_of_the_usual_size() {
        let report = |number: usize| Report {
            summary: format!("Replace \"Mark{number}\" with \"Batch\" in paragraph {number}"),
            paragraph_ids: vec![format!("jr_para_{number:012x}")],
            before: Some("words ".repeat(40)),
            after: Some("words ".repeat(40)),
            ..Report::default()
        };
        let mut reports: Vec<Report> = (0..1000).map(report).collect();
        let short = shorten(&mut reports);
        assert!((500..1000).contains(&short), "{short}");
        assert!(serde_json::to_string(&reports).unwrap().len() < 80_000);
        assert!(reports.iter().all(|report| report.paragraph_ids.len() == 1));
        assert_eq!(shorten(&mut [report(1), report(2)]), 0);
    }
}
