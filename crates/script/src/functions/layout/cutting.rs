//! A sheet in pieces: cut at blank rows and columns, at headers that begin anew, and joined again where a blank line is
//! only room to breathe.

use sheet::Area;

use super::{Class, Heading, Layout};

/// Blank rows or columns that a table may have inside.
const MOST_BLANK: u32 = 2;

impl Layout {
    /// The pieces of an area that may be tables.
    pub(super) fn pieces(&self, extent: Area) -> Vec<Area> {
        let mut cut = self.cut(extent, 0);
        cut.sort_by_key(|area| (area.top, area.left));
        let wide = self.joined_across(cut);
        let high = self.joined_down(wide);
        high.into_iter().flat_map(|area| self.stacked(area)).collect()
    }

    /// Cut at blank rows and columns, in turn, until nothing more falls apart.
    fn cut(&self, area: Area, depth: u32) -> Vec<Area> {
        let mut rows = vec![false; (area.bottom - area.top + 1) as usize];
        let mut columns = vec![false; (area.right - area.left + 1) as usize];
        for (at, _) in self.filled(&area) {
            rows[(at.row - area.top) as usize] = true;
            columns[(at.col - area.left) as usize] = true;
        }
        let rows = runs(&rows, area.top);
        let columns = runs(&columns, area.left);
        let (Some((top, _)), Some((_, bottom))) = (rows.first().copied(), rows.last().copied()) else {
            return Vec::new();
        };
        let (Some((left, _)), Some((_, right))) = (columns.first().copied(), columns.last().copied()) else {
            return Vec::new();
        };
        if depth > 40 {
            return vec![Area { top, bottom, left, right }];
        }
        // Rows first: a title above two tables side by side must not hold them together.
        let parts: Vec<Area> = if rows.len() > 1 {
            rows.iter().map(|(top, bottom)| Area { top: *top, bottom: *bottom, ..area }).collect()
        } else if columns.len() > 1 {
            columns.iter().map(|(left, right)| Area { left: *left, right: *right, ..area }).collect()
        } else {
            let whole = Area { top, bottom, left, right };
            return self.below_title(whole, depth).unwrap_or_else(|| vec![whole]);
        };
        parts.into_iter().flat_map(|part| self.cut(part, depth + 1)).collect()
    }

    /// A title that is merged over several tables holds them together; without it they fall apart.
    fn below_title(&self, area: Area, depth: u32) -> Option<Vec<Area>> {
        if area.top == area.bottom || self.row(&area, area.top).len() != 1 {
            return None;
        }
        self.title(&area, area.top)?;
        let parts = self.cut(Area { top: area.top + 1, ..area }, depth + 1);
        let side_by_side = parts.iter().filter(|part| part.top == area.top + 1).count() > 1;
        side_by_side.then(|| {
            let mut all = vec![Area { bottom: area.top, ..area }];
            all.extend(parts);
            all
        })
    }

    /// Figures that go on behind a blank column, in the same rows and without labels of their own.
    fn joined_across(&self, pieces: Vec<Area>) -> Vec<Area> {
        let mut joined: Vec<Area> = Vec::new();
        for piece in pieces {
            let before = joined.iter_mut().rev().find(|before| {
                let gap = piece.left.saturating_sub(before.right + 1);
                let rows = before.top.abs_diff(piece.top) <= 1 && before.bottom.abs_diff(piece.bottom) <= 1;
                before.right < piece.left && gap <= MOST_BLANK && rows
            });
            match before {
                Some(before) if self.has_labels(before) && !self.has_labels(&piece) => {
                    *before = before.hull(&piece);
                }
                _ => joined.push(piece),
            }
        }
        joined
    }

    /// Whether rows are named by texts: below the headings there are texts.
    fn has_labels(&self, area: &Area) -> bool {
        let below = Area { top: area.top + u32::from(area.bottom > area.top), ..*area };
        let (texts, others) = self.counted_classes(&below);
        texts > 1 && texts * 8 > others
    }

    /// Rows that go on below a blank row, under the header of those above it.
    fn joined_down(&self, pieces: Vec<Area>) -> Vec<Area> {
        let mut joined: Vec<Area> = Vec::new();
        // A line of its own, such as a caption, that may belong to what comes next.
        let mut waiting: Vec<Area> = Vec::new();
        for piece in pieces {
            let last = waiting.last().copied();
            let above = joined.iter().rposition(|above| {
                let from = last.map_or(above.bottom, |last| last.bottom.max(above.bottom));
                let gap = piece.top.saturating_sub(from + 1);
                above.bottom < piece.top
                    && gap <= MOST_BLANK
                    && above.left <= piece.left
                    && piece.right <= above.right
            });
            match above {
                Some(at)
                    if piece.top == piece.bottom
                        && piece.left == piece.right
                        && self.is_caption(&joined[at], &piece) =>
                {
                    waiting.push(piece);
                    continue;
                }
                Some(at) if self.goes_on(&joined[at], &piece) => {
                    waiting.clear();
                    joined[at] = joined[at].hull(&piece);
                    continue;
                }
                _ => {}
            }
            joined.append(&mut waiting);
            joined.push(piece);
        }
        joined.append(&mut waiting);
        joined
    }

    /// A text alone where the labels of a table stand.
    fn is_caption(&self, above: &Area, line: &Area) -> bool {
        line.left == above.left
            && above.right > above.left
            && self.filled(line).all(|(_, filled)| filled.class == Class::Text)
    }

    /// Whether rows without a header of their own have figures where those above have them.
    fn goes_on(&self, above: &Area, below: &Area) -> bool {
        if self.header_rows(above) == 0 || above.right == above.left || below.left != above.left {
            return false;
        }
        // A caption over the rows is no header.
        let captions = (below.top..below.bottom).take_while(|row| self.title(below, *row).is_some()).count();
        let top = below.top + captions as u32;
        if below.bottom > top && self.heading(below, top) != Heading::No {
            return false;
        }
        let mut shared = 0;
        for col in below.left..=below.right {
            let (texts, figures) = self.counted_classes(&Area { left: col, right: col, ..*below });
            let head = self.header_rows(above);
            let data = Area { top: above.top + head, left: col, right: col, ..*above };
            let (texts_above, figures_above) = self.counted_classes(&data);
            match (figures > texts, figures_above > texts_above) {
                (true, true) => shared += 1,
                (true, false) if texts_above > 0 => return false,
                _ => {}
            }
        }
        shared > 0
    }

    /// Tables that stand on each other without a blank row, where a header begins anew over figures.
    fn stacked(&self, area: Area) -> Vec<Area> {
        let mut starts = Vec::new();
        let mut top = area.top;
        let mut figures = false;
        for row in area.top..=area.bottom {
            let line = Area { top: row, bottom: row, ..area };
            let has_figures = self.filled(&line).any(|(_, filled)| filled.class == Class::Number);
            let begins = figures
                && row < area.bottom
                && self.begins_anew(&area, row)
                && self.row(&area, row).len() > 1
                && !self.is_value_of_list(&area, row)
                && self.covers_figures(&Area { top, bottom: row - 1, ..area }, &area, row);
            if begins {
                // A title right above the header begins the table.
                let start = if self.title(&area, row - 1).is_some() { row - 1 } else { row };
                starts.push(start);
                top = row;
                figures = false;
            }
            figures = figures || (has_figures && !begins);
        }
        let mut pieces = Vec::new();
        let mut top = area.top;
        for start in starts {
            pieces.push(Area { top, bottom: start - 1, ..area });
            top = start;
        }
        pieces.push(Area { top, ..area });
        pieces.into_iter().filter_map(|piece| self.tight(&piece)).collect()
    }

    /// Words or years over figures; other counted numbers are figures themselves here.
    fn begins_anew(&self, area: &Area, row: u32) -> bool {
        match self.heading(area, row) {
            Heading::Words => true,
            Heading::Counted => self.has_years(area, row),
            Heading::No => false,
        }
    }

    /// Whether a row has a heading in each column that has figures above it, and figures again below.
    fn covers_figures(&self, above: &Area, area: &Area, row: u32) -> bool {
        let mut covered = 0;
        for col in area.left..=area.right {
            let column = |top: u32, bottom: u32| Area { top, bottom, left: col, right: col };
            let (texts, figures) = self.counted_classes(&column(above.top, above.bottom));
            if figures <= texts {
                continue;
            }
            let heading = self.filled(&column(row, row)).next();
            let (_, below) = self.counted_classes(&column(row + 1, area.bottom.min(row + 3)));
            if heading.is_none() || below == 0 {
                return false;
            }
            covered += 1;
        }
        covered > 0
    }

    /// What of an area is filled.
    fn tight(&self, area: &Area) -> Option<Area> {
        self.filled(area).map(|(at, _)| Area::cell(*at)).reduce(|all, one| all.hull(&one))
    }
}

/// The stretches that are filled.
fn runs(filled: &[bool], from: u32) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for (index, _) in filled.iter().enumerate().filter(|(_, filled)| **filled) {
        let at = from + index as u32;
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == at => *last = at,
            _ => runs.push((at, at)),
        }
    }
    runs
}
