//! Requests about Word documents: operations of the common vocabulary.

use word::op::Op;

use super::{Conclusion, Found, Request, Step, Stumble, Work, misplaced};
use crate::ids::{DocId, SessionId};
use crate::operations::{self, Done, Site, cursor};
use crate::workspace::Workspace;

pub(super) fn carry_out(
    workspace: &Workspace,
    document: DocId,
    session: &SessionId,
    request: &Request<'_>,
    steps: &[Step],
) -> Result<Work, Stumble> {
    let ops: Vec<Op> = steps
        .iter()
        .map(|step| match step {
            Step::Word(op) => Ok(op.clone()),
            other => Err(misplaced(other)),
        })
        .collect::<Result<_, _>>()?;
    workspace.still_wanted()?;
    let cursor = cursor(workspace, document, session);
    let site = Site { document, cursor, mode: request.mode, markup: request.markup };
    let Done { answers, ending, summary, notes, revision } = operations::carry_out(workspace, &site, &ops)?;
    Ok(Work {
        found: answers.into_iter().map(Found::Operation).collect(),
        conclusion: ending.map_or(Conclusion::Answered, Conclusion::Changed),
        summary,
        notes,
        revision,
    })
}
