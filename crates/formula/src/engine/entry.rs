//! What is known of one formula. A calculation goes through all of them, so what most do not have lies elsewhere.

use std::sync::Arc;

use crate::address::{Area, CellRef};
use crate::bind::Node;
use crate::eval::Mode;
use crate::eval::quick::Road;

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) at: CellRef,
    pub(super) node: Arc<Node>,
    /// How far the cell is from the one the formula was written in.
    pub(super) shift: (i32, i32),
    pub(super) mode: Mode,
    /// Whether it may read cells that are not among its precedents.
    pub(super) dynamic: bool,
    /// Whether it is calculated anew each time only because it chooses its cells as it runs.
    pub(super) chooses: bool,
    pub(super) subtotal: bool,
    pub(super) road: Road,
    pub(super) precedents: Precedents,
    pub(super) arrayed: Option<Box<Arrayed>>,
}

/// Where the array of a formula goes.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrayed {
    /// The fixed range of an array formula.
    pub(super) array: Option<Area>,
    /// What a dynamic array filled last time.
    pub(super) spill: Option<Area>,
    /// The range a dynamic array needs, watched so that a cell set there is noticed.
    pub(super) watch: Option<Area>,
}

/// The ranges a formula names, in order.
#[derive(Clone, Debug)]
pub(super) enum Precedents {
    One(Area),
    Many(Box<[Area]>),
}

impl From<&[Area]> for Precedents {
    fn from(areas: &[Area]) -> Precedents {
        match areas {
            [only] => Precedents::One(*only),
            areas => Precedents::Many(areas.into()),
        }
    }
}

impl Precedents {
    pub(super) fn as_slice(&self) -> &[Area] {
        match self {
            Precedents::One(area) => std::slice::from_ref(area),
            Precedents::Many(areas) => areas,
        }
    }
}

impl Entry {
    pub(super) fn shift(&self) -> (i64, i64) {
        (i64::from(self.shift.0), i64::from(self.shift.1))
    }

    pub(super) fn array(&self) -> Option<Area> {
        self.arrayed.as_ref().and_then(|arrayed| arrayed.array)
    }

    pub(super) fn spill(&self) -> Option<Area> {
        self.arrayed.as_ref().and_then(|arrayed| arrayed.spill)
    }

    pub(super) fn watch(&self) -> Option<Area> {
        self.arrayed.as_ref().and_then(|arrayed| arrayed.watch)
    }

    /// Every cell the formula writes.
    pub(super) fn output(&self) -> Area {
        self.array().or(self.spill()).unwrap_or(Area::cell(self.at))
    }
}
