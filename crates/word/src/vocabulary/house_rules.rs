//! What an edit may do to a document whose author switched on tracking or protection.

use edit::HouseRule;

use super::Edit;
use crate::document::protection::Protection;
use crate::document::view::View;

pub(crate) fn rule(view: &View, edit: &Edit) -> HouseRule {
    if only_reads(edit) {
        return HouseRule::Free;
    }
    let mut tracked = None;
    for protection in view.protections() {
        let allowed = match protection {
            Protection::ReadOnly | Protection::Signed => false,
            Protection::Comments => is_comment(edit),
            Protection::Forms => matches!(edit, Edit::FillTemplate(_)),
            Protection::TrackedChanges if is_comment(edit) => true,
            Protection::TrackedChanges => {
                tracked = super::tracked(edit).is_some().then_some(protection);
                tracked.is_some()
            }
        };
        if !allowed {
            return HouseRule::Forbidden { why: protection.told().to_owned() };
        }
    }
    match tracked {
        Some(protection) => HouseRule::Tracked { why: protection.told().to_owned(), always: true },
        None if view.tracks_changes() && super::tracked(edit).is_some() => HouseRule::Tracked {
            why: "the document has tracking of changes switched on".to_owned(),
            always: false,
        },
        None => HouseRule::Free,
    }
}

fn is_comment(edit: &Edit) -> bool {
    match edit {
        Edit::AddComment(_) | Edit::ReplyToComment(_) | Edit::ResolveComment(_) | Edit::DeleteComment(_) => {
            true
        }
        Edit::Anchored { of, .. } => is_comment(of),
        _ => false,
    }
}

fn only_reads(edit: &Edit) -> bool {
    match edit {
        Edit::Op(operation) => operation.op.only_reads(),
        Edit::Ops { operations } => operations.iter().all(|operation| operation.op.only_reads()),
        Edit::Anchored { of, .. } => only_reads(of),
        _ => false,
    }
}
