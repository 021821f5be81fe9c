//! A caller's windows and tabs, seen from outside.

use super::*;
use crate::caller::windows::{MOST_CLOSED, Window};
use crate::disk::journal::Record;

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

/// What becomes of unsaved edits when something is closed that nobody else has open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// Refuse if there are any.
    Careful,
    /// Close; reopening the tab brings them back.
    Force,
}

impl Workspace {
    pub fn windows(&self) -> Vec<WindowStatus> {
        let (windows, focused) =
            self.seat(|seat| (seat.windows.all().to_vec(), seat.windows.focused().clone()));
        let status = |window: &Window| WindowStatus {
            label: window.label.clone(),
            focused: window.label == focused,
            document: window.tab(None).ok().and_then(|tab| self.status(tab.document).ok()),
            tabs: window.tabs.len(),
        };
        windows.iter().map(status).collect()
    }

    pub fn focused(&self) -> WindowLabel {
        self.seat(|seat| seat.windows.focused().clone())
    }

    pub fn focus(&self, window: &WindowLabel) -> Result<(), Refusal> {
        self.seat(|seat| seat.windows.focus(window))?;
        self.rearranged();
        Ok(())
    }

    /// A new window without tabs, focused.
    pub fn new_window(&self) -> WindowLabel {
        let label = self.seat(|seat| {
            let label = seat.windows.create();
            // It was just made, so it is there.
            let _ = seat.windows.focus(&label);
            label
        });
        self.rearranged();
        label
    }

    /// The window a caller means, and the document in front of it.
    pub fn active(&self, window: Option<&WindowLabel>) -> Result<(WindowLabel, DocId), Refusal> {
        let (label, document) = self.seat(|seat| -> Result<_, Refusal> {
            let window = seat.windows.get(window)?;
            Ok((window.label.clone(), window.tab(None)?.document))
        })?;
        // Awake, and still in this caller's reach.
        self.cell(document)?;
        Ok((label, document))
    }

    pub fn tabs(&self, window: Option<&WindowLabel>) -> Result<Vec<TabStatus>, Refusal> {
        let window = self.seat(|seat| seat.windows.get(window).cloned())?;
        // A document that is gone is left out; the others are there all the same.
        Ok(window.tabs.iter().filter_map(|tab| self.tab_status(&window, tab.id).ok()).collect())
    }

    /// A tab of a window; the active one if none is named.
    pub fn tab(&self, window: Option<&WindowLabel>, tab: Option<TabId>) -> Result<TabStatus, Refusal> {
        let window = self.seat(|seat| seat.windows.get(window).cloned())?;
        let tab = window.tab(tab)?.id;
        self.tab_status(&window, tab)
    }

    fn tab_status(&self, window: &Window, tab: TabId) -> Result<TabStatus, Refusal> {
        let document = self.status(window.tab(Some(tab))?.document)?;
        Ok(TabStatus { id: tab, active: window.active == Some(tab), document })
    }

    pub fn switch_tab(&self, window: Option<&WindowLabel>, tab: TabId) -> Result<(), Refusal> {
        self.seat(|seat| -> Result<(), Refusal> {
            let label = seat.windows.get(window)?.label.clone();
            let window = seat.windows.get_mut(Some(&label))?;
            window.active = Some(window.tab(Some(tab))?.id);
            Ok(())
        })?;
        self.rearranged();
        Ok(())
    }

    /// Close a tab; the active one if none is named.
    pub fn close_tab(
        &self,
        window: Option<&WindowLabel>,
        tab: Option<TabId>,
        closing: Closing,
    ) -> Result<(), Refusal> {
        let (label, tab) = self.seat(|seat| -> Result<_, Refusal> {
            let window = seat.windows.get(window)?;
            Ok((window.label.clone(), window.tab(tab)?.clone()))
        })?;
        self.closable(&[tab.document], closing)?;
        self.seat(|seat| -> Result<(), Refusal> {
            let window = seat.windows.get_mut(Some(&label))?;
            window.remove(tab.id);
            Ok(())
        })?;
        self.remember_closed(Some(&label), &[tab.document])
    }

    /// Close a window with all its tabs. They can be reopened in the window that is focused then.
    pub fn close_window(&self, window: Option<&WindowLabel>, closing: Closing) -> Result<(), Refusal> {
        let window = self.seat(|seat| seat.windows.get(window).cloned())?;
        let documents: Vec<DocId> = window.tabs.iter().map(|tab| tab.document).collect();
        self.closable(&documents, closing)?;
        let Some(window) = self.seat(|seat| seat.windows.remove(&window.label)) else { return Ok(()) };
        let closed: Vec<DocId> = window.closed.into_iter().chain(documents).collect();
        self.remember_closed(None, &closed)
    }

    /// Reopen the tab that was closed last, with what was unsaved in it. `None` if there is none.
    pub fn reopen_closed(&self, window: Option<&WindowLabel>) -> Result<Option<Opened>, Refusal> {
        let (label, id) = self.seat(|seat| -> Result<_, Refusal> {
            let label = seat.windows.get(window)?.label.clone();
            Ok((label.clone(), seat.windows.get_mut(Some(&label))?.closed.pop_back()))
        })?;
        let Some(id) = id else { return Ok(None) };
        let Ok(cell) = self.cell(id) else { return Ok(None) };
        let status = cell.status.lock().clone();
        let mut registry = self.desk.registry.lock();
        let open = status.path.as_ref().and_then(|path| registry.paths.get(path).copied());
        let mut dropped = Vec::new();
        let document = match open {
            // The file was opened again meanwhile, and the closed tab had nothing of its own.
            Some(open) if open != id && !status.dirty => {
                dropped = registry.release_all(&[id]);
                open
            }
            _ => id,
        };
        if let (None, Some(path)) = (open, status.path) {
            registry.paths.insert(path, document);
        }
        drop(registry);
        drop(dropped);
        let tab = self.show(document, &OpenIn::Tab(Some(label)))?;
        // It counts again, so the journal must not end with its being given up.
        self.with(document, |document| {
            document.protect_all();
            Ok(())
        })?;
        self.desk.bell.ring();
        Ok(Some(Opened { document, tab, was_open: document != id, notes: Vec::new() }))
    }

    /// Unsaved work stays where somebody else has the document open, so only the last to close it must say so.
    fn closable(&self, documents: &[DocId], closing: Closing) -> Result<(), Refusal> {
        if closing == Closing::Force {
            return Ok(());
        }
        let registry = self.desk.registry.lock();
        let alone = documents.iter().filter(|id| !registry.is_open_elsewhere(**id, self.id()));
        let statuses = alone.filter_map(|id| registry.status(*id));
        let dirty: Vec<String> = statuses.filter(|status| status.dirty).map(|status| status.title).collect();
        match dirty.is_empty() {
            true => Ok(()),
            false => Err(Refusal::Unsaved { what: dirty.join(", ") }),
        }
    }

    fn remember_closed(&self, label: Option<&WindowLabel>, documents: &[DocId]) -> Result<(), Refusal> {
        let forgotten = self.seat(|seat| -> Result<Vec<DocId>, Refusal> {
            let mut forgotten = Vec::new();
            let window = seat.windows.get_mut(label)?;
            for document in documents {
                window.closed.push_back(*document);
                if window.closed.len() > MOST_CLOSED {
                    forgotten.extend(window.closed.pop_front());
                }
            }
            Ok(forgotten)
        })?;
        let mut registry = self.desk.registry.lock();
        let given_up: Vec<Arc<Cell>> = documents
            .iter()
            .filter(|id| !registry.is_open(**id))
            .filter_map(|id| registry.documents.get(id).cloned())
            .collect();
        let all: Vec<DocId> = documents.iter().copied().chain(forgotten).collect();
        let dropped = registry.release_all(&all);
        drop(registry);
        give_up(&given_up);
        drop((given_up, dropped));
        self.desk.look_after_journals();
        self.rearranged();
        Ok(())
    }

    /// Windows or tabs are not what they were.
    fn rearranged(&self) {
        self.desk.keep_seat(self.id());
        self.desk.bell.ring();
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
