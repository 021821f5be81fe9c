//! Where the lines of a sheet went, told from the tags that a patch left alone.

use edit::{Patch, Refusal};

use crate::file::worksheet::{RowSpot, Worksheet, regions};

/// Rows whose cells are looked at to see where columns went.
const ROWS_FOR_COLUMNS: usize = 2_000;

/// Lines of one kind: each that is known to stay, with where it is now; in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    kept: Vec<(u32, u32)>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// So many new lines, from this one on.
    Inserted(u32, u32),
    /// So many old lines, from this one on.
    Deleted(u32, u32),
}

impl Lines {
    /// Where an old line is now; `None` if it was deleted.
    pub(crate) fn now(&self, line: u32) -> Option<u32> {
        let index = self.kept.partition_point(|(was, _)| *was < line);
        match (index.checked_sub(1).and_then(|at| self.kept.get(at)), self.kept.get(index)) {
            (_, Some((was, is))) if *was == line => Some(*is),
            // Between two lines that moved alike nothing came or went.
            (Some((_, before)), Some((next_was, next_is))) => {
                let now = next_is.checked_sub(next_was.checked_sub(line)?)?;
                (now > *before).then_some(now)
            }
            (Some((was, is)), None) => is.checked_add(line - was),
            (None, Some((was, is))) => is.checked_sub(was - line),
            (None, None) => Some(line),
        }
    }

    /// Where the old lines `first..=last` are now; `None` if any came or went between them.
    pub(crate) fn stretch(&self, first: u32, last: u32) -> Option<(u32, u32)> {
        let (now_first, now_last) = (self.now(first)?, self.now(last)?);
        let inside = self.kept.iter().skip(self.kept.partition_point(|(was, _)| *was < first));
        let mut inside = inside.take_while(|(was, _)| *was <= last);
        let together = inside.all(|(was, is)| is.checked_sub(now_first) == was.checked_sub(first));
        (together && now_last.checked_sub(now_first) == last.checked_sub(first))
            .then_some((now_first, now_last))
    }

    /// From where lines are now to where they were.
    pub(crate) fn back(&self) -> Lines {
        Lines { kept: self.kept.iter().map(|(was, is)| (*is, *was)).collect() }
    }

    pub(crate) fn moved(&self) -> bool {
        self.kept.iter().any(|(was, is)| was != is)
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let (mut next_was, mut next_is) = (0, 0);
        for (was, is) in &self.kept {
            let (old, new) = (was.saturating_sub(next_was), is.saturating_sub(next_is));
            match new.cmp(&old) {
                std::cmp::Ordering::Greater => moves.push(Move::Inserted(is - (new - old), new - old)),
                std::cmp::Ordering::Less => moves.push(Move::Deleted(was - (old - new), old - new)),
                std::cmp::Ordering::Equal => {}
            }
            (next_was, next_is) = (was + 1, is + 1);
        }
        moves
    }
}

/// Where rows and columns went, told from so many rows at most; what comes behind them moved like the last of them.
pub(crate) fn of(
    old: &Worksheet,
    patch: &Patch,
    new: &Worksheet,
    most_rows: usize,
) -> Result<(Lines, Lines), Refusal> {
    let (mut rows, mut columns) = (Lines::default(), Lines::default());
    let mut looked = 0;
    for (before, _) in regions(patch, &old.part) {
        let Some((mut at, end)) = old.rows_around(before)? else { continue };
        // The row before tells whether the first one moved at all.
        if let Some((start, _)) = old.row_before(at)? {
            at = start;
        }
        while let Some((start, number)) = old.row_at_or_after(at)?.filter(|(start, _)| *start < end) {
            if looked == most_rows {
                return Ok((rows, columns));
            }
            looked += 1;
            let RowSpot::Found(range, row) = old.row_at(start, number)? else { break };
            at = range.end;
            if let Some(now) = new_place(old, patch, start)
                && let Some(is) = new.row_starting_at(now)?
                && rows.kept.last().is_none_or(|(was, last)| *was < number && *last < is)
            {
                rows.kept.push((number, is));
            }
            if looked > ROWS_FOR_COLUMNS {
                continue;
            }
            let bytes = old.blob.slice(range.clone());
            let mut cells = old.cells(&bytes, &row);
            let mut found = Vec::new();
            while let Some(cell) = cells.next().map_err(|broken| old.broken(broken.after(range.start)))? {
                if let Some(now) = new_place(old, patch, range.start + cell.tag.start)
                    && let Some(is) = new.cell_starting_at(now)?
                {
                    found.push((cell.at.col, is.col));
                }
            }
            // The row with the most cells knows most; in a sheet whose columns moved every row does.
            if found.len() > columns.kept.len() && found.is_sorted() {
                columns.kept = found;
            }
        }
    }
    Ok((rows, columns))
}

fn new_place(sheet: &Worksheet, patch: &Patch, at: usize) -> Option<usize> {
    patch.carry(&sheet.part, at..at + 2).map(|range| range.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_come_and_go_are_told_from_those_that_stay() {
        let lines = |kept: &[(u32, u32)]| Lines { kept: kept.to_vec() };
        assert_eq!(lines(&[(0, 0), (1, 1), (2, 4)]).moves(), [Move::Inserted(2, 2)]);
        assert_eq!(lines(&[(0, 0), (3, 1)]).moves(), [Move::Deleted(1, 2)]);
        assert_eq!(lines(&[(0, 2), (5, 7)]).moves(), [Move::Inserted(0, 2)]);
        assert_eq!(lines(&[(3, 3), (9, 9)]).moves(), []);
        let deleted = lines(&[(0, 0), (3, 1)]);
        assert_eq!((deleted.stretch(0, 2), deleted.stretch(3, 9)), (None, Some((1, 7))));
        assert_eq!(deleted.back().now(5), Some(7));
        assert_eq!((deleted.now(1), deleted.now(2), deleted.now(7)), (None, None, Some(5)));
    }
}
