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
        self.beside(document)
    }

    fn beside(&self, document: DocId) -> Result<(WindowLabel, DocId), Refusal> {
        match self.show(document, &OpenIn::Beside)? {
            Some((label, _)) => Ok((label, document)),
            None => Err(Refusal::internal("a document that was shown is in no tab")),
        }
    }

    /// The document of this id or at this path, open in a window of this caller; a name means no window here.
    pub fn document(&self, named: &str) -> Result<(WindowLabel, DocId), Refusal> {
        let document = match named.parse::<DocId>() {
            Ok(id) => self.cell(id)?.id,
            Err(_) => {
                let (cell, _, _) = self.load_file(Path::new(named))?;
                self.refresh(cell.id)?;
                cell.id
            }
        };
        self.beside(document)
    }

    /// The window that `named` stands for: its own label, or that of the window in which a document is shown.
    pub fn window_of(&self, named: &str) -> Result<WindowLabel, Refusal> {
        Ok(self.shown_at(named)?.0)
    }

    /// A tab: the one of that id, else that of the document that `named` stands for, else the active one.
    pub fn tab_of(
        &self,
        named: Option<&str>,
        tab: Option<TabId>,
    ) -> Result<(WindowLabel, TabStatus), Refusal> {
        let (label, shown) = match named {
            None => (self.focused(), None),
            Some(named) => self.shown_at(named)?,
        };
        let status = self.tab(Some(&label), tab.or(shown))?;
        Ok((label, status))
    }

    /// A window, with the tab in it if a document was named. Nothing is opened for it.
    fn shown_at(&self, named: &str) -> Result<(WindowLabel, Option<TabId>), Refusal> {
        let label = WindowLabel::new(named);
        if self.seat(|seat| seat.windows.get(Some(&label)).is_ok()) {
            return Ok((label, None));
        }
        let document = match named.parse::<DocId>() {
            Ok(id) => self.cell(id)?.id,
            Err(_) => self.at_path(named)?,
        };
        let shown =
            self.seat(|seat| seat.windows.showing(document).map(|(label, tab)| (label.clone(), Some(tab))));
        shown.ok_or_else(|| Refusal::not_found("a tab that shows", named))
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
