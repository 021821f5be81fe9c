//! Which document a caller means: a window's label, a document's id, or a path, resolved here for every tool.

use super::*;

impl Workspace {
    /// The window and the document that `named` stands for; without a name, the focused window and what is in front of
    /// it. A document that is named by id or path need not be in front, and is not brought there.
    pub fn meant(&self, named: Option<&str>) -> Result<(WindowLabel, DocId), Refusal> {
        let Some(named) = named else { return self.active(None) };
        let label = WindowLabel::new(named);
        if self.seat(|seat| seat.windows.get(Some(&label)).is_ok()) {
            return self.active(Some(&label));
        }
        let document = match named.parse::<DocId>() {
            Ok(id) => self.cell(id)?.id,
            Err(_) => self.at_path(named)?,
        };
        match self.show(document, &OpenIn::Beside)? {
            Some((label, _)) => Ok((label, document)),
            None => Err(Refusal::internal("a document that was shown is in no tab")),
        }
    }

    /// A name that is no window and no document is taken for a path, if it looks like one or leads to a file.
    fn at_path(&self, named: &str) -> Result<DocId, Refusal> {
        match self.load_file(Path::new(named)) {
            Ok((cell, _, _)) => {
                self.refresh(cell.id)?;
                Ok(cell.id)
            }
            Err(Refusal::Disk { fault: edit::Fault::Missing, .. }) if !named.contains(['/', '\\', '.']) => {
                Err(self.seat(|seat| seat.windows.unknown(&WindowLabel::new(named))))
            }
            Err(refusal) => Err(refusal),
        }
    }
}
