//! Recalculation: what is dirty, in which order, and what to do about circles and spills.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::dirty::Dirty;
use super::entry::Entry;
use super::news::News;
use super::{Engine, Id, Iteration, Store};
use crate::address::{Area, CellRef, MAX_COLS, MAX_ROWS, SheetId};
use crate::cells::{Cells, RowState};
use crate::eval::index::Indexes;
use crate::eval::quick::{Begun, Quick, Road};
use crate::eval::{Clock, Cx, Mode, Outcome};
use crate::value::{Array, ErrorKind, Value};

/// What a recalculation did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Cells whose value is another than before, in sheet order.
    pub changed: Vec<CellRef>,
    /// How many formulas were evaluated.
    pub evaluated: usize,
    /// Cells found in a circle.
    pub circular: Vec<CellRef>,
    /// Dynamic arrays that were calculated.
    pub spilled: Vec<CellRef>,
    /// Cells that kept the value they had, and why.
    pub unanswerable: Vec<(CellRef, Arc<str>)>,
}

/// Which formulas are calculated although nothing that they name has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Volatile {
    All,
    /// Those that choose their cells as they run, such as `INDIRECT`.
    Places,
    None,
}

/// Of a formula that reads more ranges than this it is not asked whether one of them changed.
const MANY_READ: usize = 100_000;

/// The store as a running formula sees it.
pub(super) struct View<'a, S> {
    pub(super) engine: &'a Engine,
    pub(super) store: &'a S,
    /// Set for formulas that may read beyond their known precedents.
    pub(super) watched: Option<&'a Dirty>,
    /// Who may read its own cells.
    pub(super) own: Option<Id>,
    pub(super) blocked: Cell<Option<Id>>,
    /// What was read, where somebody wants to know.
    pub(super) read: Option<&'a RefCell<Vec<Area>>>,
}

impl<'a, S: Store> View<'a, S> {
    pub(super) fn plain(engine: &'a Engine, store: &'a S) -> View<'a, S> {
        View { engine, store, watched: None, own: None, blocked: Cell::new(None), read: None }
    }

    fn check(&self, area: Area) {
        if let Some(read) = self.read
            && read.borrow().len() < MANY_READ
        {
            read.borrow_mut().push(area);
        }
        if let Some(dirty) = self.watched
            && self.blocked.get().is_none()
        {
            self.blocked.set(dirty.within_except(area, self.own));
        }
    }
}

impl<S: Store> Cells for View<'_, S> {
    fn value(&self, cell: CellRef) -> Value {
        self.check(Area::cell(cell));
        self.store.value(cell)
    }

    fn visit(&self, area: Area, each: &mut dyn FnMut(u32, u32, &Value)) {
        self.check(area);
        self.store.visit(area, each);
    }

    fn number(&self, cell: CellRef) -> Option<f64> {
        self.check(Area::cell(cell));
        self.store.number(cell)
    }

    fn numbers(&self, area: Area, each: &mut dyn FnMut(&[f64])) -> Option<Result<(), ErrorKind>> {
        self.check(area);
        self.store.numbers(area, each)
    }

    fn extent(&self, sheet: SheetId) -> (u32, u32) {
        self.store.extent(sheet)
    }

    fn row_state(&self, sheet: SheetId, row: u32) -> RowState {
        self.store.row_state(sheet, row)
    }

    fn is_subtotal(&self, cell: CellRef) -> bool {
        match self.engine.by_cell.get(&cell).and_then(|id| self.engine.entry(*id)) {
            Some(entry) => entry.subtotal,
            None => self.store.is_subtotal(cell),
        }
    }

    fn formula_text(&self, cell: CellRef) -> Option<String> {
        self.store.formula_text(cell)
    }

    fn number_format(&self, cell: CellRef) -> Option<Arc<str>> {
        self.store.number_format(cell)
    }

    fn column_width(&self, sheet: SheetId, col: u32) -> (f64, bool) {
        self.store.column_width(sheet, col)
    }

    fn spill(&self, cell: CellRef) -> Option<Area> {
        self.check(Area::cell(cell));
        match self.engine.by_cell.get(&cell).and_then(|id| self.engine.entry(*id)) {
            Some(entry) => entry.spill().or((entry.mode == Mode::Dynamic).then_some(Area::cell(cell))),
            None => self.store.spill(cell),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Dirty,
    Running,
}

/// A calculation under way.
struct Run<'a, S> {
    store: &'a mut S,
    clock: Clock,
    indexes: Indexes,
    begun: Begun,
    states: Vec<State>,
    report: Report,
    changed: Vec<CellRef>,
    circular: HashSet<Id>,
    /// Formulas in the order they were finished, if that is wanted.
    order: Vec<Id>,
    ordered: bool,
    /// Formulas whose ranges seemed to run in a circle; they wait for what they really read, no more.
    hesitant: HashSet<Id>,
    /// Cells that spills came to cover or left, whose readers must run again.
    disturbed: Vec<Area>,
    /// Formulas that nothing is known to have changed for, and what did change.
    doubtful: HashSet<Id>,
    news: News,
    /// How often it was to be asked whether to stop.
    asked: u32,
    stopped: bool,
}

impl Engine {
    /// Calculate every formula.
    pub fn recalculate_all<S: Store>(&mut self, store: &mut S, clock: Clock) -> Report {
        let all: Vec<Id> = (0..self.entries.len() as Id).filter(|id| self.entry(*id).is_some()).collect();
        let report = self.calculate(all, store, clock);
        self.with_tables(report, store, clock)
    }

    /// Data tables come last, then what reads them.
    fn with_tables<S: Store>(&mut self, mut report: Report, store: &mut S, clock: Clock) -> Report {
        if self.tables.is_empty() {
            return report;
        }
        let changed = self.calculate_tables(store, clock);
        if !changed.is_empty() {
            let dirty = self.reached(&changed, Volatile::None);
            let after = self.calculate(dirty, store, clock);
            report.evaluated += after.evaluated;
            report.unanswerable.extend(after.unanswerable);
            report.circular.extend(after.circular);
            report.spilled.extend(after.spilled);
            report.changed.extend(changed);
            report.changed.extend(after.changed);
            report.changed.sort_unstable();
            report.changed.dedup();
        }
        report
    }

    /// Calculate what depends on the changed cells, those cells' own formulas, and everything volatile.
    pub fn recalculate<S: Store>(&mut self, changed: &[CellRef], store: &mut S, clock: Clock) -> Report {
        self.recalculate_with(changed, Volatile::All, true, store, clock)
    }

    /// The same, where names changed and no value: the moment and chance stay as they are.
    pub fn recalculate_named<S: Store>(
        &mut self,
        changed: &[CellRef],
        store: &mut S,
        clock: Clock,
    ) -> Report {
        self.recalculate_with(changed, Volatile::Places, true, store, clock)
    }

    /// The same, where cells moved too, so that what is found at a place may be something else than it was.
    pub fn recalculate_moved<S: Store>(
        &mut self,
        changed: &[CellRef],
        store: &mut S,
        clock: Clock,
    ) -> Report {
        self.recalculate_with(changed, Volatile::Places, false, store, clock)
    }

    fn recalculate_with<S: Store>(
        &mut self,
        changed: &[CellRef],
        volatile: Volatile,
        in_place: bool,
        store: &mut S,
        clock: Clock,
    ) -> Report {
        for cell in changed {
            // What the caller puts into a spilled range is in the array's way; what it empties no longer is.
            if store.value(*cell).is_blank() || self.by_cell.contains_key(cell) {
                if self.foreign.contains(cell) {
                    Arc::make_mut(&mut self.foreign).remove(cell);
                }
            } else if self.is_spilled_over(*cell) {
                Arc::make_mut(&mut self.foreign).insert(*cell);
            }
        }
        let dirty = self.reached(changed, volatile);
        // What is calculated only because its cells are not known beforehand is often what it was, and the value
        // that somebody else stored is then not ours to replace.
        let sure: HashSet<Id> = match self.volatile.is_empty() || !in_place {
            true => dirty.iter().copied().collect(),
            false => self.reached(changed, Volatile::None).into_iter().collect(),
        };
        let doubtful: HashSet<Id> = dirty.iter().copied().filter(|id| !sure.contains(id)).collect();
        let mut news = News::default();
        if !doubtful.is_empty() {
            changed.iter().for_each(|cell| news.add(*cell));
        }
        let report = self.calculate_known(dirty, doubtful, news, store, clock);
        self.with_tables(report, store, clock)
    }

    /// Whether the cell lies in a range some array needs, besides its anchor.
    fn is_spilled_over(&self, cell: CellRef) -> bool {
        let mut found = false;
        self.dependents.each_area(cell, &mut |area, users| {
            found |= users
                .iter()
                .filter_map(|id| self.entry(*id))
                .any(|entry| entry.watch() == Some(area) && entry.at != cell);
        });
        found
    }

    /// The formulas a change reaches, in the order of their entry.
    pub(super) fn reached(&self, changed: &[CellRef], volatile: Volatile) -> Vec<Id> {
        let mut seen_nodes = vec![false; self.dependents.len()];
        let mut known = vec![false; self.entries.len()];
        let mut dirty = Vec::new();
        let mut queue: Vec<Area> = changed.iter().map(|cell| Area::cell(*cell)).collect();
        let mut mark = |id: Id, dirty: &mut Vec<Id>, queue: &mut Vec<Area>| {
            if let Some(known) = known.get_mut(id as usize)
                && !std::mem::replace(known, true)
                && let Some(entry) = self.entry(id)
            {
                dirty.push(id);
                queue.push(entry.output());
            }
        };
        for cell in changed {
            if let Some(id) = self.by_cell.get(cell) {
                mark(*id, &mut dirty, &mut queue);
            }
        }
        if volatile != Volatile::None {
            let places = |id: &&Id| self.entry(**id).is_some_and(|entry| entry.dynamic);
            for id in self.volatile.iter().filter(|id| volatile == Volatile::All || places(id)) {
                mark(*id, &mut dirty, &mut queue);
            }
        }
        while let Some(area) = queue.pop() {
            for row in area.top..=area.bottom {
                for col in area.left..=area.right {
                    self.dependents.each_node(CellRef::new(area.sheet, row, col), &mut |node, _, users| {
                        let Some(seen) = seen_nodes.get_mut(node as usize) else { return };
                        if !std::mem::replace(seen, true) {
                            for id in users {
                                mark(*id, &mut dirty, &mut queue);
                            }
                        }
                    });
                }
            }
        }
        dirty.sort_unstable();
        dirty
    }

    pub(super) fn calculate<S: Store>(&mut self, dirty: Vec<Id>, store: &mut S, clock: Clock) -> Report {
        self.calculate_known(dirty, HashSet::new(), News::default(), store, clock)
    }

    /// The same, where `doubtful` formulas keep the values that they have unless something they read is among the `news`
    /// or becomes so.
    fn calculate_known<S: Store>(
        &mut self,
        dirty: Vec<Id>,
        doubtful: HashSet<Id>,
        news: News,
        store: &mut S,
        clock: Clock,
    ) -> Report {
        let mut run = Run {
            store,
            clock,
            indexes: Indexes::default(),
            begun: Begun::default(),
            states: vec![State::Idle; self.entries.len()],
            report: Report::default(),
            changed: Vec::new(),
            circular: HashSet::new(),
            order: Vec::new(),
            ordered: self.iteration.is_some(),
            hesitant: HashSet::new(),
            disturbed: Vec::new(),
            doubtful,
            news,
            asked: 0,
            stopped: false,
        };
        self.pass(&dirty, &mut run);
        // A spill that grew or shrank changes what others should have read.
        for _ in 0..16 {
            if run.disturbed.is_empty() {
                break;
            }
            let cells: Vec<CellRef> = std::mem::take(&mut run.disturbed)
                .into_iter()
                .flat_map(|area| {
                    (area.top..=area.bottom).flat_map(move |row| {
                        (area.left..=area.right).map(move |col| CellRef::new(area.sheet, row, col))
                    })
                })
                .collect();
            // Formulas that choose their cells as they run may have chosen these.
            let again = self.reached(&cells, Volatile::Places);
            self.pass(&again, &mut run);
        }
        if let Some(iteration) = self.iteration
            && !run.circular.is_empty()
        {
            self.iterate(iteration, &mut run);
        }
        let mut report = run.report;
        report.changed = run.changed;
        report.changed.sort_unstable();
        report.changed.dedup();
        report.circular =
            run.circular.iter().filter_map(|id| self.entry(*id)).map(|entry| entry.at).collect();
        report.circular.sort_unstable();
        report
    }

    fn pass<S: Store>(&mut self, ids: &[Id], run: &mut Run<'_, S>) {
        run.indexes.clear();
        run.begun.clear();
        run.indexes.keep_answers(run.hesitant.is_empty() && run.circular.is_empty());
        let entries = ids.iter().filter_map(|id| self.entry(*id).map(|entry| (*id, entry)));
        let dirty = Dirty::new(entries.flat_map(|(id, entry)| {
            if let Some(state) = run.states.get_mut(id as usize) {
                *state = State::Dirty;
            }
            entry.output().cells().map(move |cell| (cell, id))
        }));
        // Each formula waits here with the number of precedents it has seen finished.
        let mut stack: Vec<(Id, usize)> = Vec::new();
        for id in ids {
            if run.states.get(*id as usize) != Some(&State::Dirty) {
                continue;
            }
            stack.push((*id, 0));
            self.unwind(&dirty, &mut stack, run);
        }
    }

    fn unwind<S: Store>(&mut self, dirty: &Dirty, stack: &mut Vec<(Id, usize)>, run: &mut Run<'_, S>) {
        while let Some((id, seen)) = stack.last_mut() {
            if run.is_stopped() {
                return stack.clear();
            }
            let id = *id;
            let Some(entry) = self.entries.get(id as usize).and_then(Option::as_ref) else {
                stack.pop();
                continue;
            };
            if let Some(state) = run.states.get_mut(id as usize) {
                *state = State::Running;
            }
            let mut waits_for = None;
            let hesitant = !run.hesitant.is_empty() && run.hesitant.contains(&id);
            while let Some(area) = entry.precedents.as_slice().get(*seen).filter(|_| !hesitant) {
                waits_for = dirty.within(*area);
                if waits_for.is_some() {
                    break;
                }
                *seen += 1;
            }
            if waits_for.is_none() {
                if run.hesitant.is_empty()
                    && !run.doubtful.contains(&id)
                    && let Some(number) = run.quickly(entry)
                {
                    dirty.done(Area::cell(entry.at));
                    run.report.evaluated += 1;
                    run.set(entry.at, Value::Number(number));
                    run.finished(id);
                    stack.pop();
                    continue;
                }
                let blocked = if run.circular.contains(&id) && self.iteration.is_none() {
                    dirty.done(entry.output());
                    self.write(id, Outcome::Value(Value::Number(0.0)), run);
                    None
                } else {
                    self.evaluate_entry(id, dirty, run)
                };
                if blocked.is_none() {
                    run.finished(id);
                    stack.pop();
                    continue;
                }
                waits_for = blocked;
            }
            let Some(other) = waits_for else { continue };
            if run.states.get(other as usize) == Some(&State::Running) {
                let from = stack.iter().position(|(waiting, _)| *waiting == other).unwrap_or(0);
                // Ranges that are named need not be read: of a whole column a plain formula may want the cell
                // beside it, and `IF` looks at one branch. So try again, waiting only for what is read.
                run.indexes.keep_answers(false);
                let before = run.hesitant.len();
                run.hesitant.extend(stack.iter().skip(from).map(|(waiting, _)| *waiting));
                if run.hesitant.len() > before {
                    for (waiting, _) in stack.drain(from + 1..) {
                        if let Some(state) = run.states.get_mut(waiting as usize) {
                            *state = State::Dirty;
                        }
                    }
                    continue;
                }
                // A circle: everything waiting from there on is part of it. That one's value is taken as it
                // stands, so that the others can go on.
                run.circular.extend(stack.iter().skip(from).map(|(waiting, _)| *waiting));
                if let Some(entry) = self.entry(other) {
                    dirty.done(entry.output());
                    let (at, output) = (entry.at, entry.output());
                    if self.iteration.is_none() && output.is_cell() {
                        run.set(at, Value::Number(0.0));
                    }
                }
                continue;
            }
            stack.push((other, 0));
        }
    }

    /// Evaluate and write; or the formula that must come first.
    fn evaluate_entry<S: Store>(&mut self, id: Id, dirty: &Dirty, run: &mut Run<'_, S>) -> Option<Id> {
        let entry = self.entry(id)?;
        let output = entry.output();
        let hesitant = !run.hesitant.is_empty() && run.hesitant.contains(&id);
        // Where the file has no value, there is none to keep.
        let doubtful =
            !run.doubtful.is_empty() && run.doubtful.contains(&id) && !run.store.value(entry.at).is_blank();
        if doubtful && !hesitant && self.is_as_it_was(id, entry, run) {
            dirty.done(output);
            return None;
        }
        let read = RefCell::new(Vec::new());
        let outcome = {
            let watched = (entry.dynamic || hesitant).then_some(dirty);
            let own = (!hesitant).then_some(id);
            let choosing = doubtful && (entry.chooses || !self.volatile.contains(&id));
            let view = View {
                engine: self,
                store: &*run.store,
                watched,
                own,
                blocked: Cell::new(None),
                read: choosing.then_some(&read),
            };
            let cx = Cx::new(&self.book, &view, entry.at, entry.shift(), run.clock, &run.indexes);
            let outcome = cx.run(&entry.node, entry.mode);
            if let Some(blocked) = view.blocked.get() {
                // What was indexed may have been read too early.
                run.indexes.clear();
                return Some(blocked);
            }
            // Nothing that it read has changed, and what could not be found may be there by now or be gone.
            if choosing
                && (1..MANY_READ).contains(&read.borrow().len())
                && !cx.named_anything()
                && !read.borrow().iter().any(|area| run.news.within(*area))
            {
                dirty.done(output);
                return None;
            }
            outcome
        };
        dirty.done(output);
        self.write(id, outcome, run);
        None
    }

    /// Whether nothing that a formula names is news. Those that choose their cells as they run have to be run.
    fn is_as_it_was<S: Store>(&self, id: Id, entry: &Entry, run: &Run<'_, S>) -> bool {
        !self.volatile.contains(&id)
            && !entry.dynamic
            && !entry.precedents.as_slice().iter().any(|area| run.news.within(*area))
            && !entry.watch().is_some_and(|area| run.news.within(area))
    }

    fn write<S: Store>(&mut self, id: Id, outcome: Outcome, run: &mut Run<'_, S>) {
        run.report.evaluated += 1;
        let Some(entry) = self.entry(id) else { return };
        let (at, mode) = (entry.at, entry.mode);
        let outcome = match outcome {
            Outcome::Unanswerable(reason) => {
                run.report.unanswerable.push((at, reason));
                return;
            }
            other => other,
        };
        match (mode, entry.array()) {
            (Mode::Array, Some(area)) => {
                for row in area.top..=area.bottom {
                    for col in area.left..=area.right {
                        let value = match &outcome {
                            Outcome::Array(array) => {
                                array.broadcast((row - area.top) as usize, (col - area.left) as usize)
                            }
                            Outcome::Value(value) => value.clone(),
                            Outcome::Unanswerable(_) => return,
                        };
                        run.set(CellRef::new(area.sheet, row, col), value);
                    }
                }
            }
            (Mode::Dynamic, _) => self.spill(id, outcome, run),
            _ => {
                let value = match outcome {
                    Outcome::Value(value) => value,
                    Outcome::Array(array) => array.corner(),
                    Outcome::Unanswerable(_) => return,
                };
                run.set(at, value);
            }
        }
    }

    fn spill<S: Store>(&mut self, id: Id, outcome: Outcome, run: &mut Run<'_, S>) {
        let Some(entry) = self.entry(id) else { return };
        run.report.spilled.push(entry.at);
        let (at, before) = (entry.at, entry.spill().unwrap_or(Area::cell(entry.at)));
        let array = match outcome {
            Outcome::Array(array) => array,
            Outcome::Value(value) => Array::new(1, 1, vec![value]),
            Outcome::Unanswerable(_) => return,
        };
        let (bottom, right) =
            (u64::from(at.row) + array.rows() as u64 - 1, u64::from(at.col) + array.cols() as u64 - 1);
        let fits = bottom < u64::from(MAX_ROWS) && right < u64::from(MAX_COLS);
        let wanted = Area {
            sheet: at.sheet,
            top: at.row,
            left: at.col,
            bottom: bottom.min(u64::from(MAX_ROWS) - 1) as u32,
            right: right.min(u64::from(MAX_COLS) - 1) as u32,
        };
        let in_table = || self.book.tables().iter().any(|table| table.area.intersect(&wanted).is_some());
        let mut blocked = !fits || (!wanted.is_cell() && (in_table() || run.store.is_merged(wanted)));
        if !blocked && !wanted.is_cell() {
            run.store.visit(wanted, &mut |row, col, _| {
                let cell = CellRef::new(at.sheet, row, col);
                let own = cell == at
                    || (before.contains(cell)
                        && !self.by_cell.contains_key(&cell)
                        && !self.foreign.contains(&cell));
                blocked |= !own;
            });
        }
        let area = if blocked { Area::cell(at) } else { wanted };
        for row in before.top..=before.bottom {
            for col in before.left..=before.right {
                let cell = CellRef::new(at.sheet, row, col);
                if area.contains(cell) || cell == at {
                    continue;
                }
                if !self.by_cell.contains_key(&cell) && !self.foreign.contains(&cell) {
                    run.set(cell, Value::Blank);
                }
            }
        }
        if blocked {
            run.set(at, Value::Error(ErrorKind::Spill));
        } else {
            for row in area.top..=area.bottom {
                for col in area.left..=area.right {
                    let value = array.value_at((row - area.top) as usize, (col - area.left) as usize);
                    run.set(CellRef::new(at.sheet, row, col), value);
                }
            }
        }
        if area != before {
            run.disturbed.push(if area.rows() * area.cols() >= before.rows() * before.cols() {
                area
            } else {
                before
            });
            if area.hull(&before) != area && area.hull(&before) != before {
                run.disturbed.push(before);
                run.disturbed.push(area);
            }
            // The array's own anchor need not run again.
            run.disturbed.retain(|disturbed| !disturbed.is_cell());
        }
        let some = |area: Area| (!area.is_cell()).then_some(area);
        self.fills(id, some(area), some(wanted));
    }

    /// Go round the circles until they settle.
    fn iterate<S: Store>(&mut self, iteration: Iteration, run: &mut Run<'_, S>) {
        let cells: Vec<CellRef> =
            run.circular.iter().filter_map(|id| self.entry(*id)).map(|entry| entry.at).collect();
        let reached: HashSet<Id> = self.reached(&cells, Volatile::None).into_iter().collect();
        let mut seen = HashSet::new();
        let order: Vec<Id> =
            run.order.iter().copied().filter(|id| reached.contains(id) && seen.insert(*id)).collect();
        let nothing = Dirty::default();
        run.indexes.keep_answers(false);
        for _ in 1..iteration.max.max(1) {
            let before: BTreeMap<CellRef, Value> =
                cells.iter().map(|cell| (*cell, run.store.value(*cell))).collect();
            run.indexes.clear();
            for id in &order {
                if run.is_stopped() {
                    return;
                }
                self.evaluate_entry(*id, &nothing, run);
            }
            let moved =
                before.iter().map(|(cell, old)| distance(old, &run.store.value(*cell))).fold(0.0, f64::max);
            if moved < iteration.change {
                break;
            }
        }
    }
}

fn distance(old: &Value, new: &Value) -> f64 {
    match (old, new) {
        (Value::Number(a), Value::Number(b)) => (a - b).abs(),
        (a, b) if a == b => 0.0,
        _ => f64::INFINITY,
    }
}

impl<S: Store> Run<'_, S> {
    /// Asked for every formula, and most are done in less time than the question takes.
    fn is_stopped(&mut self) -> bool {
        const EACH: u32 = 64;
        self.asked = self.asked.wrapping_add(1);
        self.stopped |= self.asked.is_multiple_of(EACH) && self.store.is_stopped();
        self.stopped
    }

    /// The number of a formula that needs no evaluation proper. Every cell it reads must be finished.
    fn quickly(&self, entry: &Entry) -> Option<f64> {
        if entry.road == Road::Proper {
            return None;
        }
        let quick = Quick { cells: &*self.store, begun: &self.begun, shift: entry.shift() };
        quick.number_of(entry.road, &entry.node, entry.precedents.as_slice())
    }

    fn finished(&mut self, id: Id) {
        if let Some(state) = self.states.get_mut(id as usize) {
            *state = State::Idle;
        }
        if self.ordered {
            self.order.push(id);
        }
    }

    fn set(&mut self, cell: CellRef, value: Value) {
        if self.store.replace(cell, value) {
            self.changed.push(cell);
            if !self.doubtful.is_empty() {
                self.news.add(cell);
            }
        }
    }
}
