//! A Word document written with all that was done to it since it was opened as tracked changes, also what was edited
//! without tracking.

use std::path::Path;

use edit::{Content, Context, Format, Refusal, RevisionId, Stop};
use word::{Comparison, Edit, Formatting, Markup, Resolution, ResolveChanges, Which, Word};

use super::Workspace;
use super::saves::{named_for, with_pending};
use crate::document::saving::{self, Overwrite, SaveReport};
use crate::ids::DocId;
use crate::kind::Kind;

/// A redline that was written.
#[derive(Debug, Clone)]
pub struct Redlined {
    pub report: SaveReport,
    /// What differs from the file that was opened and cannot be shown.
    pub left: Vec<String>,
}

impl Workspace {
    /// Write a copy in which every edit since the document was opened is a tracked change. `None`, and nothing is
    /// written, where all edits were tracked as they were made: then the document itself is that.
    pub fn save_redline(
        &self,
        document: DocId,
        path: impl AsRef<Path>,
        overwrite: Overwrite,
    ) -> Result<Option<Redlined>, Refusal> {
        self.writable("saving")?;
        let cx = self.context();
        let redline = self.with(document, |document| {
            let opened = document.history.content_at(document.history.opened())?;
            redlined(&opened, document.history.head(), &cx, self.stop())
        })?;
        let Some((content, left)) = redline else { return Ok(None) };
        let place = self.policy().target(path.as_ref())?;
        if self.desk.registry.lock().paths.contains_key(&place.path) {
            let by = "an open document; edits that were not tracked are written as a redline to another file"
                .into();
            return Err(Refusal::Locked { path: place.path.display().to_string(), by });
        }
        let overwrite = self.over_others(Kind::Word, &place, overwrite)?;
        let redlined = self.with(document, |document| {
            named_for(document, &place.path)?;
            let undecided = Word::undecided(&Word::view(&content)?, None)?;
            let report =
                saving::save_copy(document, (content, undecided), place, overwrite, &self.saving_desk())?;
            Ok(Redlined { report: with_pending(document, report), left })
        })?;
        Ok(Some(Redlined { report: self.put_on_disk(redlined.report), ..redlined }))
    }
}

fn redlined(
    opened: &Content,
    head: &Content,
    cx: &Context,
    stop: &Stop,
) -> Result<Option<(Content, Vec<String>)>, Refusal> {
    let compare = |old: &Content, new: &Content, markup| -> Result<Comparison, Refusal> {
        word::compare(&Word::view(old)?, &Word::view(new)?, markup, Formatting::Kept, stop)
    };
    // Rejecting all of both gives the same where every edit was tracked.
    let plain = compare(&rejected(opened, cx)?, &rejected(head, cx)?, Markup::Plain)?;
    if plain.edits.is_empty() && plain.left.is_empty() {
        return Ok(None);
    }
    let Comparison { edits, left } = compare(opened, head, Markup::Tracked)?;
    Ok(Some((made(opened, &edits, cx)?, left)))
}

fn rejected(content: &Content, cx: &Context) -> Result<Content, Refusal> {
    if word::changes(&Word::view(content)?)?.is_empty() {
        return Ok(content.clone());
    }
    let all = ResolveChanges { resolution: Resolution::Reject, which: Which::All };
    made(content, &[Edit::ResolveChanges(all)], cx)
}

fn made(content: &Content, edits: &[Edit], cx: &Context) -> Result<Content, Refusal> {
    let base = RevisionId { number: 0, digest: 0 };
    let batch = edit::plan::<Word>(content, Word::view(content)?, base, edits, cx)?;
    Ok(batch.content)
}
