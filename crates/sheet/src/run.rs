//! A run: edits in turns, as a program made them, replayed as one change.
//!
//! The program worked on a copy of its own, in a process that nobody trusts. What comes back is what it did in the
//! vocabulary of everybody else's edits, and the parts that it saw come of that. Here the same is done again; if
//! something else comes of it, nothing is done.

use edit::{Content, Context, Draft, Format as _, Patch, Print, Refusal};

use crate::calc::view::Sheet;
use crate::edits::edit::{Edit, Run};
use crate::edits::input::Outcome;

/// What came of a patch, part by part; a run that is made again comes to the same.
pub fn run_print(patch: &Patch, after: &Content) -> Result<String, Refusal> {
    let mut print = Print::new();
    for (name, _) in patch.parts() {
        print.text(name.as_str());
        let Some(blob) = after.read(name)? else {
            print.number(0);
            continue;
        };
        // As a whole, because how a blob is cut into pieces depends on the road to it.
        print.number(1);
        print.bytes(&blob.bytes());
    }
    Ok(print.finish())
}

pub(crate) fn make(draft: Draft<Sheet>, run: &Run, cx: &Context) -> Result<(Draft<Sheet>, Outcome), Refusal> {
    let cx = Context { author: run.author.clone(), now: run.now, seed: run.seed, ..cx.clone() };
    let mut made = match draft.steps().is_empty() {
        // From what the file says alone, as the program saw it. What is known here of what came before, such as a file
        // that another program saved meanwhile, would make other cells due.
        true => Draft::new(draft.content().clone(), Sheet::view(draft.content())?),
        false => draft.fork(),
    };
    for turn in &run.turns {
        if let Some(edit) = turn.iter().find(|edit| matches!(edit, Edit::Run(_) | Edit::Anchored { .. })) {
            let found = if matches!(edit, Edit::Run(_)) { "another run" } else { "an anchored edit" };
            return Err(Refusal::invalid("turns", found, "edits of cells, sheets and objects"));
        }
        made = made.make_in_turn(turn, &cx)?.0.settle(&cx)?.0;
    }
    if let Some(promised) = &run.result
        && *promised != run_print(&made.patch(), made.content())?
    {
        return Err(Refusal::internal("made again, the run came to another result; nothing was written"));
    }
    let mut draft = draft;
    draft.join(made);
    Ok((draft, Outcome::default()))
}
