//! An operation carried out, and its answer in the agreed form.

use std::convert::Infallible;

use serde_json::{Map, Value};
use workspace::operations::{self, Answer, Done, Site};
use workspace::word::Markup;
use workspace::word::op::{self, Op};
use workspace::{DocId, Ending, Level, Mode, Note, Refusal, SessionId, Standing, Workspace};

use super::{Failure, OperationCall, Remark, Said, operation, response};
use crate::wire;

/// Where an operation is carried out, and how.
pub(crate) struct Setting<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) document: DocId,
    pub(crate) session: &'a SessionId,
    pub(crate) mode: Mode,
    pub(crate) markup: Markup,
    pub(crate) standing: Standing,
}

/// What an envelope came to.
#[derive(Debug)]
pub struct Operated {
    /// Whether the operation was carried out.
    pub done: bool,
    /// The answer in the agreed form, whatever came of it.
    pub response: Value,
}

/// Carries out the operation of an envelope on an open Word document.
pub fn operate(
    workspace: &Workspace,
    document: DocId,
    meta: &str,
    mode: Mode,
    markup: Markup,
    standing: Standing,
) -> Result<Operated, Refusal> {
    let session = &workspace.working_session(document)?;
    let (name, said) = match operation(&Value::from(meta)) {
        Ok(OperationCall { op, warnings }) => {
            let setting = Setting { workspace, document, session, mode, markup, standing };
            (op.name().to_owned(), carry_out(&setting, &op, warnings))
        }
        Err((name, failure)) => (name, Err(failure)),
    };
    Ok(Operated { done: said.is_ok(), response: Value::Object(response(&name, said)) })
}

pub(crate) fn carry_out(setting: &Setting<'_>, op: &Op, warnings: Vec<String>) -> Said {
    let Setting { workspace, document, session, mode, markup, standing } = *setting;
    let cursor = operations::cursor(workspace, document, session);
    let site = Site { document, cursor, mode, markup, standing };
    let Done { answers, ending, notes, revision, .. } =
        operations::carry_out(workspace, &site, std::slice::from_ref(op))?;
    let Some(answer) = answers.first() else {
        return Err(Refusal::internal("an operation without an answer").into());
    };
    let mut said = data(answer, ending.as_ref());
    if let Some(revision) = revision {
        said.insert("revision".to_owned(), revision.to_string().into());
        said.insert("file".to_owned(), wire::file(&workspace.status(document)?).into());
    }
    said.insert("sessionId".to_owned(), session.to_string().into());
    let warnings = warnings.into_iter().map(|warning| ("warn", warning));
    Ok((said, warnings.chain(remarks(&[answer], ending.as_ref(), &notes)).collect()))
}

/// An answer as the wire wants it; with how the change ended, if it is about nothing else.
pub(crate) fn data(answer: &Answer, ending: Option<&Ending>) -> Map<String, Value> {
    let Ok(named) = answer.clone().map(|range, _| Ok::<_, Infallible>(range.map(|id| id.to_string())));
    let Ok(Value::Object(mut data)) = serde_json::to_value(named) else { return Map::new() };
    // Nothing has an id that is not in the document yet.
    let without_id = |fields: &mut Map<String, Value>| fields.retain(|_, value| !value.is_null());
    without_id(&mut data);
    let results = data.get_mut("results").and_then(Value::as_array_mut);
    for hit in results.into_iter().flatten().filter_map(Value::as_object_mut) {
        without_id(hit);
    }
    if let Some(Ending::Suggested(id)) = ending {
        data.insert("suggestionId".to_owned(), id.to_string().into());
    }
    data
}

/// What is to be said about operations that were one change.
pub(crate) fn remarks(answers: &[&Answer], ending: Option<&Ending>, notes: &[Note]) -> Vec<Remark> {
    let level = |note: &Note| if note.level == Level::Warning { "warn" } else { "info" };
    let mut remarks: Vec<Remark> = notes.iter().map(|note| (level(note), note.text.clone())).collect();
    let ended = match (ending, answers) {
        (Some(Ending::Suggested(_)), [_]) => Some("staged for a person to accept".to_owned()),
        (Some(Ending::Suggested(id)), _) => Some(format!("staged as {id} for a person to accept")),
        (Some(Ending::Previewed), _) => Some("a dry run: nothing was changed".to_owned()),
        (Some(Ending::Unchanged), [op::Answer::Replaced { .. }]) => None,
        (Some(Ending::Unchanged), [_]) => Some("there was nothing to change".to_owned()),
        _ => None,
    };
    remarks.extend(ended.map(|text| ("info", text)));
    remarks
}

impl From<operations::OperationError> for Failure {
    fn from(error: operations::OperationError) -> Self {
        match error {
            operations::OperationError::Refused(refusal) => refusal.into(),
            operations::OperationError::Picture(error) => error.into(),
        }
    }
}
