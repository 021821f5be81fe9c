//! Windows and tabs, seen from outside.

use super::*;
use crate::journal::Record;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowStatus {
    pub label: WindowLabel,
    pub focused: bool,
    /// The document in front.
    pub document: Option<DocumentStatus>,
    pub tabs: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TabStatus {
    pub id: TabId,
    pub active: bool,
    pub document: DocumentStatus,
}

/// What becomes of unsaved edits when something is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// Refuse if there are any.
    Careful,
    /// Close; reopening the tab brings them back.
    Force,
}

impl Workspace {
    pub fn windows(&self) -> Vec<WindowStatus> {
        let registry = self.registry.lock();
        let focused = registry.windows.focused();
        let status = |window: &Window| WindowStatus {
            label: window.label.clone(),
            focused: window.label == *focused,
            document: window.tab(None).ok().and_then(|tab| registry.status(tab.document)),
            tabs: window.tabs.len(),
        };
        registry.windows.all().iter().map(status).collect()
    }

    pub fn focused(&self) -> WindowLabel {
        self.registry.lock().windows.focused().clone()
    }

    pub fn focus(&self, window: &WindowLabel) -> Result<(), Refusal> {
        self.registry.lock().windows.focus(window)?;
        self.bell.ring();
        Ok(())
    }

    /// A new window without tabs, focused.
    pub fn new_window(&self) -> WindowLabel {
        let mut registry = self.registry.lock();
        let label = registry.windows.create();
        // It was just made, so it is there.
        let _ = registry.windows.focus(&label);
        drop(registry);
        self.bell.ring();
        label
    }

    /// The window a caller means, and the document in front of it.
    pub fn active(&self, window: Option<&WindowLabel>) -> Result<(WindowLabel, DocId), Refusal> {
        let registry = self.registry.lock();
        let window = registry.windows.get(window)?;
        Ok((window.label.clone(), window.tab(None)?.document))
    }

    pub fn tabs(&self, window: Option<&WindowLabel>) -> Result<Vec<TabStatus>, Refusal> {
        let registry = self.registry.lock();
        let window = registry.windows.get(window)?;
        Ok(window.tabs.iter().filter_map(|tab| registry.tab_status(window, tab.id)).collect())
    }

    /// A tab of a window; the active one if none is named.
    pub fn tab(&self, window: Option<&WindowLabel>, tab: Option<TabId>) -> Result<TabStatus, Refusal> {
        let registry = self.registry.lock();
        let window = registry.windows.get(window)?;
        let tab = window.tab(tab)?.id;
        registry.tab_status(window, tab).ok_or_else(|| Refusal::not_found("tab", tab.to_string()))
    }

    pub fn switch_tab(&self, window: Option<&WindowLabel>, tab: TabId) -> Result<(), Refusal> {
        let mut registry = self.registry.lock();
        let label = registry.windows.get(window)?.label.clone();
        let window = registry.windows.get_mut(Some(&label))?;
        window.active = Some(window.tab(Some(tab))?.id);
        drop(registry);
        self.bell.ring();
        Ok(())
    }

    /// Close a tab; the active one if none is named.
    pub fn close_tab(
        &self,
        window: Option<&WindowLabel>,
        tab: Option<TabId>,
        closing: Closing,
    ) -> Result<(), Refusal> {
        let mut registry = self.registry.lock();
        let window = registry.windows.get(window)?;
        let (label, tab) = (window.label.clone(), window.tab(tab)?.clone());
        registry.closable(&[tab.document], closing)?;
        registry.windows.get_mut(Some(&label))?.remove(tab.id);
        let cells = registry.remember_closed(Some(&label), &[tab.document])?;
        drop(registry);
        give_up(&cells);
        self.bell.ring();
        Ok(())
    }

    /// Close a window with all its tabs. They can be reopened in the window that is focused then.
    pub fn close_window(&self, window: Option<&WindowLabel>, closing: Closing) -> Result<(), Refusal> {
        let mut registry = self.registry.lock();
        let window = registry.windows.get(window)?;
        let label = window.label.clone();
        let documents: Vec<DocId> = window.tabs.iter().map(|tab| tab.document).collect();
        registry.closable(&documents, closing)?;
        let Some(window) = registry.windows.remove(&label) else { return Ok(()) };
        let closed: Vec<DocId> = window.closed.into_iter().chain(documents).collect();
        let cells = registry.remember_closed(None, &closed)?;
        drop(registry);
        give_up(&cells);
        self.bell.ring();
        Ok(())
    }

    /// Reopen the tab that was closed last, with what was unsaved in it. `None` if there is none.
    pub fn reopen_closed(&self, window: Option<&WindowLabel>) -> Result<Option<Opened>, Refusal> {
        let mut registry = self.registry.lock();
        let label = registry.windows.get(window)?.label.clone();
        let Some(id) = registry.windows.get_mut(Some(&label))?.closed.pop_back() else { return Ok(None) };
        let Some(status) = registry.status(id) else { return Ok(None) };
        let open = status.path.as_ref().and_then(|path| registry.paths.get(path).copied());
        let document = match open {
            // The file was opened again meanwhile, and the closed tab had nothing of its own.
            Some(open) if open != id && !status.dirty => {
                registry.release(id);
                open
            }
            _ => id,
        };
        if let (None, Some(path)) = (open, status.path) {
            registry.paths.insert(path, document);
        }
        let tab = registry.show(document, &OpenIn::Tab(Some(label)))?;
        drop(registry);
        // It counts again, so the journal must not end with its being given up.
        self.with(document, |document| {
            document.protect_all();
            Ok(())
        })?;
        self.bell.ring();
        Ok(Some(Opened { document, tab, was_open: document != id, notes: Vec::new() }))
    }
}

impl Registry {
    pub(super) fn status(&self, id: DocId) -> Option<DocumentStatus> {
        Some(self.documents.get(&id)?.status.lock().clone())
    }

    fn tab_status(&self, window: &Window, tab: TabId) -> Option<TabStatus> {
        let document = window.tabs.iter().find(|other| other.id == tab)?.document;
        Some(TabStatus { id: tab, active: window.active == Some(tab), document: self.status(document)? })
    }

    fn closable(&self, documents: &[DocId], closing: Closing) -> Result<(), Refusal> {
        let statuses = documents.iter().filter_map(|id| self.status(*id));
        let dirty: Vec<String> = statuses.filter(|status| status.dirty).map(|status| status.title).collect();
        if closing == Closing::Force || dirty.is_empty() {
            return Ok(());
        }
        Err(Refusal::Unsaved { what: dirty.join(", ") })
    }

    fn remember_closed(
        &mut self,
        label: Option<&WindowLabel>,
        documents: &[DocId],
    ) -> Result<Vec<Arc<Cell>>, Refusal> {
        let mut forgotten = Vec::new();
        let window = self.windows.get_mut(label)?;
        for document in documents {
            window.closed.push_back(*document);
            if window.closed.len() > MOST_CLOSED {
                forgotten.extend(window.closed.pop_front());
            }
        }
        let cells = documents.iter().filter(|id| !self.sessions.uses(**id));
        let cells = cells.filter_map(|id| self.documents.get(id).cloned()).collect();
        for document in documents.iter().copied().chain(forgotten) {
            self.release(document);
        }
        Ok(cells)
    }
}

/// Say in the journals that the unsaved edits were given up, so that a later run does not bring them back
/// unasked. They are kept.
fn give_up(cells: &[Arc<Cell>]) {
    for cell in cells {
        let mut document = cell.document.lock();
        if document.is_protected() && document.is_dirty() {
            document.protect(|_| Ok(Record::Closed));
        }
    }
}
