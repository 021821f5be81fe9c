//! The ids of blocks as callers know them: with a mark of the revision they were read in.
//!
//! `p-3` is the fourth paragraph of one revision and another block in the next. `p-3@7kd` says which revision is meant:
//! it is carried to the head over what happened since, or refused if its block has changed. A bare `p-3` is taken as long
//! as it means the same block as when the caller last read the document.

use serde_json::json;
use workspace::markdown::{Kind, Markdown, Node, NodeId, PART, section};
use workspace::targets::{self, mark};
use workspace::{Earlier, Gravity, Refusal, RevisionId};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Prose, refused},
};

/// What of a block an edit relies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reliance {
    Block,
    /// Of a heading, all that follows it too.
    Section,
}

impl Prose {
    /// An id as it is told to callers.
    pub(crate) fn told(&self, id: NodeId) -> String {
        format!("{id}@{}", mark(self.revision))
    }

    /// Refuses a base that nobody knows, in the words of the contract: what is wrong with a whole call is not told of
    /// its first operation.
    pub(crate) fn based(&self, cx: &Cx<'_>, base: Option<&str>) -> Result<(), ToolError> {
        match self.base(base)? {
            Some(base) => self.at(cx, base).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The revision that a call is made for, if that is not the head.
    fn base(&self, base: Option<&str>) -> Result<Option<RevisionId>, ToolError> {
        let base = base.map(str::parse::<RevisionId>).transpose().map_err(refused)?;
        Ok(base.filter(|base| *base != self.revision))
    }

    fn at(&self, cx: &Cx<'_>, base: RevisionId) -> Result<Earlier<Markdown>, ToolError> {
        let earlier = cx.workspace.earlier::<Markdown>(self.id, |revision| revision == base);
        earlier
            .map_err(refused)?
            .ok_or_else(|| refused(Refusal::Stale { expected: base, current: self.revision, why: None }))
    }

    /// The block that a caller names, as an id of the revision the edit is made for: `base`, or else the head.
    pub(crate) fn named(
        &self,
        cx: &Cx<'_>,
        name: &str,
        base: Option<&str>,
        reliance: Reliance,
    ) -> Result<NodeId, ToolError> {
        // Whoever names the present revision has read it.
        let read_now = base.is_some();
        let base = self.base(base)?;
        let marked = name.rsplit_once('@').and_then(|(id, mark)| Some((id.parse::<NodeId>().ok()?, mark)));
        match (base, marked) {
            (Some(base), marked) => {
                if let Some((id, found)) = marked
                    && found != mark(base)
                {
                    return Err(ToolError::invalid(format!(
                        "`{id}@{found}` is not of baseRevision {base}; leave baseRevision out, the id says what it is of"
                    )));
                }
                let earlier = self.at(cx, base)?;
                match marked {
                    Some((id, _)) => earlier.view.node(id).map(|_| id).map_err(refused),
                    None => targets::block(&earlier.view, name).map_err(refused),
                }
            }
            (None, Some((id, found))) if found == mark(self.revision) => {
                self.view.node(id).map(|_| id).map_err(refused)
            }
            (None, Some((id, found))) => {
                let earlier = cx.workspace.earlier::<Markdown>(self.id, |revision| mark(revision) == found);
                match earlier.map_err(refused)? {
                    Some(earlier) if self.says_what(&earlier) => {
                        self.view.node(id).map(|_| id).map_err(refused)
                    }
                    Some(earlier) => self.carried(id, &earlier, reliance),
                    None => Err(ToolError::new(
                        "conflict",
                        format!(
                            "`{name}` is of a revision that is not known; the document is at {}",
                            self.revision
                        ),
                    )
                    .hint("read the document again and use the ids it gives")),
                }
            }
            (None, None) => {
                let id = targets::block(&self.view, name).map_err(refused)?;
                if name.parse::<NodeId>().is_ok() && !read_now {
                    self.still(cx, id)?;
                }
                Ok(id)
            }
        }
    }

    /// Whether the document says what it said then, as after an undo: every block is called what it was called.
    fn says_what(&self, earlier: &Earlier<Markdown>) -> bool {
        earlier.view.len() == self.view.len() && earlier.view.text() == self.view.text()
    }

    /// An id of an earlier revision as it is now, if what it relies on is what it was.
    fn carried(
        &self,
        id: NodeId,
        earlier: &Earlier<Markdown>,
        reliance: Reliance,
    ) -> Result<NodeId, ToolError> {
        let node = earlier.view.node(id).map_err(refused)?;
        let relied = match (reliance, node.kind()) {
            (Reliance::Section, Kind::Heading { .. }) => section(&earlier.view, id).map_err(refused)?.range,
            _ => node.range(),
        };
        let whole = earlier.since.carry(PART, relied);
        let found = whole
            .and_then(|_| earlier.since.carry(PART, node.range()))
            .and_then(|range| self.like(&node, range.start).filter(|found| found.range() == range));
        match found.and_then(|found| found.id()) {
            Some(id) => Ok(id),
            None => Err(self.changed(id, &node, earlier, "has changed since it was read")),
        }
    }

    /// Refuses a bare id that meant another block when the caller last read the document.
    fn still(&self, cx: &Cx<'_>, id: NodeId) -> Result<(), ToolError> {
        let Some(read) = cx.workspace.last_read(self.id).filter(|read| *read != self.revision) else {
            return Ok(());
        };
        let Some(earlier) =
            cx.workspace.earlier::<Markdown>(self.id, |revision| revision == read).map_err(refused)?
        else {
            return Ok(());
        };
        if self.says_what(&earlier) {
            return Ok(());
        }
        // What was not there then can only be meant as it is now.
        let Ok(node) = earlier.view.node(id) else { return Ok(()) };
        match self.now(&node, earlier.since.splices(PART), &earlier) {
            Some(now) if now == id => Ok(()),
            _ => Err(self.changed(id, &node, &earlier, "may mean two blocks")),
        }
    }

    /// What a block of an earlier revision is called now, also if it was written in; nothing if it was taken away.
    fn now(
        &self,
        node: &Node<'_>,
        splices: &[workspace::Splice],
        earlier: &Earlier<Markdown>,
    ) -> Option<NodeId> {
        let range = node.range();
        let touching =
            splices.iter().filter(|splice| splice.range.start < range.end && range.start < splice.range.end);
        let covered = |splice: &workspace::Splice| {
            let blank = splice.with.bytes().iter().all(u8::is_ascii_whitespace);
            blank && splice.range.start <= range.start && range.end <= splice.range.end
        };
        if touching.into_iter().any(covered) {
            return None;
        }
        let start = earlier.since.map(PART, range.start, Gravity::Right);
        let start = if earlier.since.carry(PART, range.clone()).is_some() {
            start
        } else {
            earlier.since.map(PART, range.start, Gravity::Left)
        };
        self.like(node, start)?.id()
    }

    /// The block of the same kind that starts here.
    fn like<'v>(&'v self, node: &Node<'_>, start: usize) -> Option<Node<'v>> {
        let prefix = node.kind().prefix();
        let at = self.view.node_at(start)?;
        at.chain().find(|found| found.kind().prefix() == prefix)
    }

    fn changed(&self, id: NodeId, node: &Node<'_>, earlier: &Earlier<Markdown>, why: &str) -> ToolError {
        let text = |node: &Node<'_>| workspace::excerpt(&node.plain(), 40);
        let read = earlier.revision;
        let mut message = format!(
            "Revision conflict: document has changed. Expected {read}, current is {}. `{id}` {why}: at {read} it was \"{}\"",
            self.revision,
            text(node)
        );
        if let Ok(now) = self.view.node(id) {
            message.push_str(&format!(", and {id} is \"{}\" now", text(&now)));
        }
        let hint = match self.now(node, earlier.since.splices(PART), earlier) {
            Some(now) => format!("the block of then is {} now; read it before you edit it", self.told(now)),
            None => "read the document again and use the ids it gives".to_owned(),
        };
        ToolError::new("conflict", message)
            .data(json!({ "currentRevision": self.revision.to_string() }))
            .hint(hint)
    }
}
