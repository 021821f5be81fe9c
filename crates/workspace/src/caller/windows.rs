//! One caller's windows and tabs: which document it means when it names none.

use std::collections::VecDeque;
use std::fmt;

use edit::Refusal;
use serde::{Deserialize, Serialize};

use crate::caller::CallerId;
use crate::ids::{DocId, TabId};

/// Closed tabs a window remembers.
pub(crate) const MOST_CLOSED: usize = 10;

/// `main`, `window-2`, …
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WindowLabel(String);

impl WindowLabel {
    pub fn new(label: impl Into<String>) -> Self {
        Self(label.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The window of one caller, named among those of all.
    pub(crate) fn seen_by(&self, caller: &CallerId) -> Self {
        Self(format!("{caller} {self}"))
    }

    pub(crate) fn is_of(&self, caller: &CallerId) -> bool {
        self.0.strip_prefix(caller.as_str()).is_some_and(|rest| rest.starts_with(' '))
    }
}

impl fmt::Display for WindowLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tab {
    pub(crate) id: TabId,
    pub(crate) document: DocId,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Window {
    pub(crate) label: WindowLabel,
    pub(crate) tabs: Vec<Tab>,
    pub(crate) active: Option<TabId>,
    /// Newest last.
    pub(crate) closed: VecDeque<DocId>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Windows {
    /// Never empty.
    list: Vec<Window>,
    focused: WindowLabel,
    /// Labels are not used twice.
    windows_made: u64,
}

impl Window {
    fn new(label: WindowLabel) -> Self {
        Self { label, tabs: Vec::new(), active: None, closed: VecDeque::new() }
    }

    pub(crate) fn tab(&self, id: Option<TabId>) -> Result<&Tab, Refusal> {
        let label = &self.label;
        match id.or(self.active) {
            None => Err(Refusal::NotFound {
                what: "an open document in window",
                id: label.to_string(),
                nearest: Vec::new(),
            }),
            Some(id) => self.tabs.iter().find(|tab| tab.id == id).ok_or_else(|| Refusal::NotFound {
                what: "tab",
                id: id.to_string(),
                nearest: self.tabs.iter().map(|tab| tab.id.to_string()).collect(),
            }),
        }
    }

    /// Take a tab away; the one that takes its place becomes active.
    pub(crate) fn remove(&mut self, id: TabId) -> Option<Tab> {
        let index = self.tabs.iter().position(|tab| tab.id == id)?;
        let tab = self.tabs.remove(index);
        if self.active == Some(id) {
            let next = self.tabs.get(index).or(self.tabs.last());
            self.active = next.map(|tab| tab.id);
        }
        Some(tab)
    }
}

impl Windows {
    pub(crate) fn new() -> Self {
        let main = WindowLabel::new("main");
        Self { list: vec![Window::new(main.clone())], focused: main, windows_made: 1 }
    }

    pub(crate) fn all(&self) -> &[Window] {
        &self.list
    }

    pub(crate) fn focused(&self) -> &WindowLabel {
        &self.focused
    }

    pub(crate) fn create(&mut self) -> WindowLabel {
        self.windows_made += 1;
        let label = WindowLabel(format!("window-{}", self.windows_made));
        self.list.push(Window::new(label.clone()));
        label
    }

    /// The window of that label, or the focused one.
    pub(crate) fn get(&self, label: Option<&WindowLabel>) -> Result<&Window, Refusal> {
        let label = label.unwrap_or(&self.focused);
        self.list.iter().find(|window| window.label == *label).ok_or_else(|| self.unknown(label))
    }

    pub(crate) fn get_mut(&mut self, label: Option<&WindowLabel>) -> Result<&mut Window, Refusal> {
        let label = label.unwrap_or(&self.focused).clone();
        let refusal = self.unknown(&label);
        self.list.iter_mut().find(|window| window.label == label).ok_or(refusal)
    }

    pub(crate) fn focus(&mut self, label: &WindowLabel) -> Result<(), Refusal> {
        self.focused = self.get(Some(label))?.label.clone();
        Ok(())
    }

    /// The tab that shows a document.
    pub(crate) fn showing(&self, document: DocId) -> Option<(&WindowLabel, TabId)> {
        self.list.iter().find_map(|window| {
            let tab = window.tabs.iter().find(|tab| tab.document == document)?;
            Some((&window.label, tab.id))
        })
    }

    /// A new tab at the end of a window. It comes to the front, unless something else is there and shall stay.
    pub(crate) fn add_tab(&mut self, label: &WindowLabel, tab: Tab, front: bool) -> Result<(), Refusal> {
        let window = self.get_mut(Some(label))?;
        if front || window.active.is_none() {
            window.active = Some(tab.id);
        }
        window.tabs.push(tab);
        Ok(())
    }

    /// Every document that a tab shows, or that a closed one can be reopened for.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocId> {
        self.list.iter().flat_map(|window| {
            window.tabs.iter().map(|tab| tab.document).chain(window.closed.iter().copied())
        })
    }

    /// Bring a tab to the front.
    pub(crate) fn show(&mut self, label: &WindowLabel, tab: TabId) -> Result<(), Refusal> {
        let window = self.get_mut(Some(label))?;
        window.active = Some(window.tab(Some(tab))?.id);
        self.focus(label)
    }

    /// Take a window away. There is always one left.
    pub(crate) fn remove(&mut self, label: &WindowLabel) -> Option<Window> {
        let index = self.list.iter().position(|window| window.label == *label)?;
        let window = self.list.remove(index);
        if self.list.is_empty() {
            self.create();
        }
        if self.focused == *label
            && let Some(next) = self.list.get(index).or(self.list.last())
        {
            self.focused = next.label.clone();
        }
        Some(window)
    }

    /// Tabs of one document show another from now on.
    pub(crate) fn go_on(&mut self, from: DocId, to: DocId) {
        let tabs = self.list.iter_mut().flat_map(|window| &mut window.tabs);
        tabs.filter(|tab| tab.document == from).for_each(|tab| tab.document = to);
    }

    pub(crate) fn forget_closed(&mut self, document: DocId) {
        for window in &mut self.list {
            window.closed.retain(|closed| *closed != document);
        }
    }

    pub(crate) fn unknown(&self, label: &WindowLabel) -> Refusal {
        let nearest = self.list.iter().map(|window| window.label.to_string()).collect();
        Refusal::NotFound { what: "window", id: label.to_string(), nearest }
    }
}
