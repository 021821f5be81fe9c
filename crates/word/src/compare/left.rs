//! What differs and cannot be shown as tracked changes: each kind once, with the paragraphs where it stands.

use std::collections::BTreeMap;

use crate::document::view::{Place, View};

#[derive(Debug, Default)]
pub(super) struct Left(BTreeMap<String, Vec<String>>);

/// So many paragraphs are named for each kind.
const NAMED: usize = 12;

impl Left {
    pub(super) fn add(&mut self, what: &str, view: &View, place: Place) {
        self.put(what, view.id(place).to_string());
    }

    /// Of something that only the revised document has.
    pub(super) fn add_new(&mut self, what: &str, view: &View, place: Place) {
        self.put(what, format!("{} of the revised document", view.id(place)));
    }

    /// A whole story.
    pub(super) fn name(&mut self, what: &str) {
        self.0.entry(what.to_owned()).or_default();
    }

    fn put(&mut self, what: &str, id: String) {
        let ids = self.0.entry(what.to_owned()).or_default();
        if !ids.contains(&id) {
            ids.push(id);
        }
    }

    pub(super) fn lines(self) -> Vec<String> {
        let line = |(what, ids): (String, Vec<String>)| match ids.len() {
            0 => what,
            count if count > NAMED => {
                let named: Vec<String> = ids.into_iter().take(NAMED).collect();
                format!("{what} ({} and {} more)", named.join(", "), count - NAMED)
            }
            _ => format!("{what} ({})", ids.join(", ")),
        };
        self.0.into_iter().map(line).collect()
    }
}
