//! Who reads a cell: ranges filed by size and place, so that a cell finds the ranges over it without a search.
//!
//! A range of height h and width w is filed in a grid of squares at least that large; it then lies in at most
//! four of them. A cell asks one square of each grid in use.

use super::Id;
use crate::address::{Area, CellRef, SheetId};
use crate::hash::QuickMap;
use crate::shared::{Pages, Shards};

#[derive(Clone, Debug, Default)]
pub(super) struct Dependents {
    nodes: Pages<Node>,
    by_area: Shards<Area, u32>,
    /// Cells named alone, by far the most common.
    cells: Shards<CellRef, u32>,
    grids: QuickMap<SheetId, Vec<Grid>>,
}

#[derive(Clone, Debug)]
struct Node {
    area: Area,
    users: Users,
}

/// Mostly one formula names a range.
#[derive(Clone, Debug)]
enum Users {
    One(Id),
    Many(Vec<Id>),
}

impl Users {
    fn as_slice(&self) -> &[Id] {
        match self {
            Users::One(id) => std::slice::from_ref(id),
            Users::Many(ids) => ids,
        }
    }

    fn add(&mut self, id: Id) {
        match self {
            Users::One(first) => *self = Users::Many(vec![*first, id]),
            Users::Many(ids) => ids.push(id),
        }
    }

    fn remove(&mut self, id: Id) {
        match self {
            Users::One(only) if *only == id => *self = Users::Many(Vec::new()),
            Users::One(_) => {}
            Users::Many(ids) => {
                if let Some(place) = ids.iter().position(|user| *user == id) {
                    ids.swap_remove(place);
                }
            }
        }
    }
}

#[derive(Clone, Debug)]
struct Grid {
    /// Squares are `1 << rows` high and `1 << cols` wide.
    rows: u32,
    cols: u32,
    squares: Shards<(u32, u32), Vec<u32>>,
}

/// The power of two that is at least as large.
fn power(size: usize) -> u32 {
    size.next_power_of_two().trailing_zeros()
}

impl Dependents {
    pub(super) fn add(&mut self, area: Area, id: Id) {
        let next = self.nodes.len() as u32;
        let known = if area.is_cell() {
            self.cells.get_or_insert_with(cell_of(area), || next)
        } else {
            self.by_area.get_or_insert_with(area, || next)
        };
        match known.copied() {
            Some(at) if at != next => {
                if let Some(node) = self.nodes.get_mut(at as usize) {
                    node.users.add(id);
                }
            }
            _ => self.file(area, id),
        }
    }

    /// A range that nobody named before.
    fn file(&mut self, area: Area, id: Id) {
        let at = self.nodes.len() as u32;
        self.nodes.push(Node { area, users: Users::One(id) });
        if area.is_cell() {
            return;
        }
        let (rows, cols) = (power(area.rows()), power(area.cols()));
        let grids = self.grids.entry(area.sheet).or_default();
        let found = grids.iter().position(|grid| grid.rows == rows && grid.cols == cols);
        let index = found.unwrap_or_else(|| {
            grids.push(Grid { rows, cols, squares: Shards::default() });
            grids.len() - 1
        });
        if let Some(grid) = grids.get_mut(index) {
            for row in area.top >> rows..=area.bottom >> rows {
                for col in area.left >> cols..=area.right >> cols {
                    if let Some(square) = grid.squares.get_or_insert_with((row, col), Vec::new) {
                        square.push(at);
                    }
                }
            }
        }
    }

    /// The range stays filed; it will likely be wanted again.
    pub(super) fn remove(&mut self, area: Area, id: Id) {
        let known = if area.is_cell() { self.cells.get(&cell_of(area)) } else { self.by_area.get(&area) };
        if let Some(node) = known.copied().and_then(|at| self.nodes.get_mut(at as usize)) {
            node.users.remove(id);
        }
    }

    /// Every range over the cell, by its number.
    pub(super) fn each_node(&self, cell: CellRef, each: &mut dyn FnMut(u32, Area, &[Id])) {
        if let Some(at) = self.cells.get(&cell)
            && let Some(node) = self.nodes.get(*at as usize)
        {
            each(*at, node.area, node.users.as_slice());
        }
        for grid in self.grids.get(&cell.sheet).into_iter().flatten() {
            for at in grid.squares.get(&(cell.row >> grid.rows, cell.col >> grid.cols)).into_iter().flatten()
            {
                if let Some(node) = self.nodes.get(*at as usize)
                    && node.area.contains(cell)
                {
                    each(*at, node.area, node.users.as_slice());
                }
            }
        }
    }

    pub(super) fn each_area(&self, cell: CellRef, each: &mut dyn FnMut(Area, &[Id])) {
        self.each_node(cell, &mut |_, area, users| each(area, users));
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
}

fn cell_of(area: Area) -> CellRef {
    CellRef { sheet: area.sheet, row: area.top, col: area.left }
}
