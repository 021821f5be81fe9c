//! What the author of a file switched on holds for everybody who edits it here: tracking, and protection.

use edit::HouseRule;

use super::*;
use crate::document::edits::{Ending, Mode, Outcome, Tracking};

/// A request as the file wants it.
pub(super) struct Ruled<F: Opens> {
    request: EditRequest<F::Edit>,
    /// The same as it was asked for, where tracking is a wish and not a must.
    asked: Option<Vec<F::Edit>>,
    notes: Vec<Note>,
    overridden: Vec<String>,
}

/// Holds a request against what the file says. Refuses what it forbids, unless that is set aside.
pub(super) fn keep<F: Opens>(
    document: &Document,
    mut request: EditRequest<F::Edit>,
) -> Result<Ruled<F>, Refusal> {
    let view = &document.typed::<F>()?.view;
    let (mut notes, mut overridden): (Vec<Note>, Vec<String>) = (Vec::new(), Vec::new());
    let mut tell = |text: String| {
        let note = Note { level: Level::Info, text };
        if !notes.contains(&note) {
            notes.push(note);
        }
    };
    let (mut wished, mut edits) = (false, Vec::with_capacity(request.edits.len()));
    for edit in &request.edits {
        let tracked = match F::house_rule(view, edit) {
            HouseRule::Free => None,
            HouseRule::Forbidden { why } => {
                if !request.override_protection {
                    return Err(forbidden(&document.title, &why));
                }
                if !overridden.contains(&why) {
                    overridden.push(why);
                }
                None
            }
            HouseRule::Tracked { why, always } => {
                let asked = request.tracking == Tracking::AsAsked;
                let other = F::tracked(edit).filter(|tracked| !is_same::<F>(tracked, edit));
                match other {
                    Some(_) if always && asked && !request.override_protection => {
                        return Err(forbidden(&document.title, &why));
                    }
                    Some(_) if asked => {
                        if always && !overridden.contains(&why) {
                            overridden.push(why);
                        }
                        None
                    }
                    Some(tracked) => {
                        wished |= !always;
                        tell(format!("written as a tracked change, because {why}"));
                        Some(tracked)
                    }
                    None => None,
                }
            }
        };
        edits.push(tracked.unwrap_or_else(|| edit.clone()));
    }
    let asked = wished.then(|| std::mem::replace(&mut request.edits, edits.clone()));
    request.edits = edits;
    Ok(Ruled { request, asked, notes, overridden })
}

impl<F: Opens> Ruled<F> {
    pub(super) fn carry_out(
        self,
        document: &mut Document,
        make: impl Fn(&mut Document, EditRequest<F::Edit>) -> Result<Outcome<F::Outcome>, Refusal>,
    ) -> Result<Outcome<F::Outcome>, Refusal> {
        let Self { request, asked, mut notes, overridden } = self;
        let applies = request.mode != Mode::DryRun;
        let plain = asked.map(|edits| EditRequest { edits, ..request.clone() });
        let mut outcome = match (make(document, request), plain) {
            (Ok(outcome), _) => outcome,
            (Err(refusal), None) => return Err(refusal),
            (Err(refusal), Some(plain)) => {
                // What is wrong either way is told as it was asked.
                let outcome = make(document, plain)?;
                let text = format!("not tracked, although the document has tracking switched on: {refusal}");
                notes = vec![Note { level: Level::Warning, text }];
                outcome
            }
        };
        if outcome.ending == Ending::Unchanged {
            return Ok(outcome);
        }
        for why in overridden {
            let text = format!("protection was set aside on request: {why}");
            if applies && !document.overridden.contains(&text) {
                document.overridden.push(text.clone());
            }
            notes.push(Note { level: Level::Warning, text });
        }
        outcome.notes.extend(notes);
        Ok(outcome)
    }
}

/// Edits are compared as they are written down.
fn is_same<F: Opens>(one: &F::Edit, other: &F::Edit) -> bool {
    match (serde_json::to_value(one), serde_json::to_value(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn forbidden(title: &str, why: &str) -> Refusal {
    Refusal::Denied {
        what: format!("this edit of {title}"),
        why: why.to_owned(),
        instead: Some(
            "ask its owner; with override_protection (on the command line --override-protection) it is made all the \
             same, and the receipt says so"
                .into(),
        ),
    }
}
