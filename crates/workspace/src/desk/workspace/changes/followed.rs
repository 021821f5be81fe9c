//! Cells that a caller names after others changed the workbook: whether an address still means the cell that it saw.

use edit::Patch;

use super::{DocId, PositionedChange, Positions, Refusal, RevisionId, Workspace};

/// Own revisions that are looked through for the one that wrote a cell; whoever wrote more since may read again.
const LOOKED_THROUGH: usize = 32;

impl Workspace {
    /// Whether the cells of these changes are where they were in the earlier revision, which the caller was shown, also in
    /// the later one, which it made itself, and hold what it saw there or wrote there since.
    pub(super) fn stood<F: Positions>(
        &self,
        document: DocId,
        (shown, made): (RevisionId, RevisionId),
        changes: &[PositionedChange],
    ) -> Result<bool, Refusal> {
        let seen = self.earlier::<F>(document, |known| known == shown)?;
        let own = self.earlier::<F>(document, |known| known == made)?;
        let Some((seen, own)) = seen.zip(own) else { return Ok(false) };
        let between = {
            let cell = self.cell(document)?;
            let document = cell.document.lock();
            let steps = usize::try_from(made.number.saturating_sub(shown.number)).unwrap_or(usize::MAX);
            let patches: Vec<&Patch> = document.history.since(shown)?.take(steps).collect();
            Patch::joined(&patches)
        };
        for change in changes {
            if !F::stands(&seen.view, &between, change) {
                return Ok(false);
            }
            let before = F::text_now(&seen.view, &seen.view, &Patch::new(), change)?;
            let after = F::text_now(&own.view, &own.view, &Patch::new(), change)?;
            if before != after && !self.wrote::<F>(document, (shown, made), change, after.as_deref())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether it was this caller that made a place say this.
    fn wrote<F: Positions>(
        &self,
        document: DocId,
        (shown, made): (RevisionId, RevisionId),
        change: &PositionedChange,
        text: Option<&str>,
    ) -> Result<bool, Refusal> {
        let own: Vec<(RevisionId, RevisionId)> = {
            let cell = self.cell(document)?;
            let document = cell.document.lock();
            let known = document.history.revisions().iter().rev();
            let own = known.filter(|known| {
                (shown.number + 1..=made.number).contains(&known.id.number)
                    && known.caller == self.id().as_str()
            });
            let steps = own.take(LOOKED_THROUGH).map(|known| known.id);
            steps.filter_map(|id| Some((document.step_of(id)?.0, id))).collect()
        };
        for (before, after) in own {
            let before = self.earlier::<F>(document, |known| known == before)?;
            let after = self.earlier::<F>(document, |known| known == after)?;
            let Some((before, after)) = before.zip(after) else { return Ok(false) };
            let was = F::text_now(&before.view, &before.view, &Patch::new(), change)?;
            let became = F::text_now(&after.view, &after.view, &Patch::new(), change)?;
            if was != became {
                return Ok(became.as_deref() == text);
            }
        }
        Ok(false)
    }
}
