//! The view of a document after a patch, from the view before it.

use std::sync::Arc;

use edit::{Blob, PartChange, Patch, Refusal, Splice};

use super::{Chunk, View, cut, top_starts};
use crate::PART;
use crate::block::Kind;
use crate::measure::Measure;
use crate::parse::{Position, front_matter_fence, parse};

/// How many chunks before the one that was touched are parsed again: an edit can make a paragraph the
/// continuation, or the definition, of the block before it.
const BEHIND: usize = 2;

impl View {
    pub(crate) fn after(self, patch: &Patch, blob: Blob) -> Result<View, Refusal> {
        let splices = match patch.part(PART) {
            None => return Ok(self),
            Some(PartChange::Splices(splices)) if !self.chunks.is_empty() => splices,
            Some(_) => return View::new(blob),
        };
        // A document that starts like front matter and has none may get it from a line anywhere.
        let fenced = front_matter_fence(&self.slice(0..8)).is_some();
        if fenced && self.chunks[0].chunk.blocks.first().is_none_or(|block| block.kind != Kind::FrontMatter) {
            return View::new(blob);
        }
        match self.respliced(splices, &blob)? {
            Some(view) => Ok(view),
            None => View::new(blob),
        }
    }

    /// `None` if something that is not local has changed.
    fn respliced(&self, splices: &[Splice], blob: &Blob) -> Result<Option<View>, Refusal> {
        let mut chunks: Vec<Arc<Chunk>> = Vec::with_capacity(self.chunks.len() + splices.len());
        let mut splices = splices.iter().peekable();
        // Old chunks before `kept` are in `chunks`, as they were or parsed again; `shift` is what the
        // splices done so far added.
        let mut kept = 0;
        let mut shift = 0isize;
        while let Some(splice) = splices.next() {
            let touched = self.chunk_at(splice.range.start);
            let start = touched.saturating_sub(BEHIND).max(kept);
            let mut dirty = self.chunk_at(splice.range.end) + 1;
            let mut grown = shift + growth(splice);
            let mut ahead = 1;
            loop {
                // What comes next must not reach back into what is parsed now.
                let reach = |dirty: usize| dirty + ahead + 2 * BEHIND;
                while let Some(next) = splices.next_if(|next| self.chunk_at(next.range.start) < reach(dirty))
                {
                    dirty = dirty.max(self.chunk_at(next.range.end) + 1);
                    grown += growth(next);
                }
                let end = (dirty + ahead).min(self.chunks.len());
                let from = self.offset(start).saturating_add_signed(shift);
                let bytes = blob.slice(from..self.offset(end).saturating_add_signed(grown));
                let text = std::str::from_utf8(&bytes)
                    .map_err(|_| Refusal::internal("an edit cut a character in two"))?;
                let position = if from == 0 { Position::DocumentStart } else { Position::Inside };
                let parsed = parse(text, position, &self.definitions);
                let starts = top_starts(text, &parsed.blocks);
                let place = |chunk: usize| self.offset(chunk).saturating_add_signed(grown) - from;
                // The first chunk ahead that still begins a block ends what had to be parsed again: from
                // there on the text is the same and is read in the same state.
                let again =
                    (dirty..end).find(|chunk| starts.binary_search(&place(*chunk)).is_ok_and(|i| i > 0));
                let Some(again) = again.or_else(|| (end == self.chunks.len()).then_some(end)) else {
                    ahead *= 2;
                    continue;
                };
                if from > 0 && starts.first() != Some(&0) {
                    return Ok(None);
                }
                let until = place(again);
                let source: Arc<str> = Arc::from(text);
                let mut fresh = cut(&source, 0..text.len(), parsed);
                fresh.retain(|chunk| chunk.range.start < until);
                let old = self.chunks[start..again].iter().flat_map(|placed| &placed.chunk.definitions);
                if !old.eq(fresh.iter().flat_map(|chunk| &chunk.definitions)) {
                    return Ok(None);
                }
                chunks.extend(self.chunks[kept..start].iter().map(|placed| Arc::clone(&placed.chunk)));
                chunks.extend(fresh.into_iter().map(Arc::new));
                kept = again;
                shift = grown;
                break;
            }
        }
        chunks.extend(self.chunks[kept..].iter().map(|placed| Arc::clone(&placed.chunk)));
        let mut view = View {
            blob: blob.clone(),
            chunks: Arc::default(),
            definitions: Arc::clone(&self.definitions),
            total: Measure::default(),
        };
        view.place(chunks.into_iter());
        if view.len() != blob.len() {
            return Err(Refusal::internal("the blocks after an edit do not add up to the document"));
        }
        Ok(Some(view))
    }

    /// Where a chunk starts; the end of the document behind the last one.
    fn offset(&self, chunk: usize) -> usize {
        self.chunks.get(chunk).map_or(self.len(), |placed| placed.at.bytes)
    }
}

fn growth(splice: &Splice) -> isize {
    splice.with.len() as isize - splice.range.len() as isize
}
