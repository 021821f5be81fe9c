//! Which values another moment or another machine would make different, so that nobody takes them for wrong.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::dirty::Dirty;
use super::recalc::View;
use super::{Engine, Id, Store};
use crate::address::CellRef;
use crate::eval::index::Indexes;
use crate::eval::{Clock, Cx};

impl Engine {
    /// The formulas that use the moment, chance or the machine, and all whose value hangs on theirs. Formulas
    /// that choose their cells as they run, such as `INDIRECT`, are asked what they read.
    pub fn moving<S: Store>(&self, store: &S, clock: Clock) -> BTreeSet<CellRef> {
        let mut found: BTreeSet<Id> = (*self.moving).clone();
        let mut fresh: Vec<Id> = found.iter().copied().collect();
        let choosing: Vec<Id> = (0..self.entries.len() as Id)
            .filter(|id| self.entry(*id).is_some_and(|entry| entry.dynamic))
            .collect();
        while !fresh.is_empty() {
            let cells: Vec<CellRef> = fresh
                .drain(..)
                .filter_map(|id| self.entry(id))
                .flat_map(|entry| entry.output().cells())
                .collect();
            found.extend(self.reached(&cells, super::recalc::Volatile::None));
            let outputs = found
                .iter()
                .filter_map(|id| self.entry(*id).map(|entry| (*id, entry)))
                .flat_map(|(id, entry)| entry.output().cells().map(move |cell| (cell, id)));
            let moving = Dirty::new(outputs);
            let indexes = Indexes::default();
            for id in choosing.iter().filter(|id| !found.contains(id)) {
                let Some(entry) = self.entry(*id) else { continue };
                let view = View {
                    engine: self,
                    store,
                    watched: Some(&moving),
                    own: Some(*id),
                    blocked: Cell::new(None),
                    read: None,
                };
                Cx::new(&self.book, &view, entry.at, entry.shift(), clock, &indexes)
                    .run(&entry.node, entry.mode);
                if view.blocked.get().is_some() {
                    fresh.push(*id);
                }
            }
            found.extend(&fresh);
        }
        found.into_iter().filter_map(|id| self.entry(id)).map(|entry| entry.at).collect()
    }
}
