//! Requests about Word documents: operations of the common vocabulary.

use planner::Plan;
use serde_json::{Value, json};

use super::{Asked, Done, ended, understood, word_step};
use crate::cx::Cx;
use crate::error::ToolError;
use crate::word;
use crate::word_op::{File, envelope};

pub(super) fn carry_out(cx: &Cx<'_>, asked: &Asked<'_>, plan: Plan) -> Result<Done, ToolError> {
    let target = word::target(cx, asked.file_path, asked.session_id)?;
    let session_id = Some(target.session.to_string());
    let ops = match understood(plan, word_step, |op| json!({ "meta": envelope(op) })) {
        Ok(ops) => ops,
        Err(unclear) => return Ok(Done { session_id, ..*unclear }),
    };
    cx.cancel.check()?;
    let mut operations: Vec<Value> = ops.iter().map(|op| json!({ "meta": envelope(op) })).collect();
    let mut file = File::new(cx, &target, asked.track, asked.dry_run);
    let runs = file.carry_out_all(&ops).map_err(|failure| {
        let mut messages = failure.messages.into_iter();
        let error = ToolError::new(failure.code, messages.next().unwrap_or_default());
        let error = messages.next().into_iter().fold(error, ToolError::hint);
        error.data(json!({ "operations": operations }))
    })?;
    for (slot, data) in operations.iter_mut().zip(runs.data) {
        slot["data"] = Value::Object(data);
    }
    let (status, suggestion_id) = file.ending.as_ref().map_or(("answered", None), ended);
    Ok(Done {
        ok: true,
        session_id,
        status,
        suggestion_id,
        revision: Some(cx.workspace.status(target.document)?.revision.to_string()),
        operations,
        diagnostics: runs.diagnostics.into_iter().map(|(level, text)| format!("{level}: {text}")).collect(),
        ..Done::default()
    })
}
