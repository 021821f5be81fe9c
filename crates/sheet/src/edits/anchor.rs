//! What an edit means, kept while others change the workbook.
//!
//! An address means another cell once rows were inserted above it. So an edit that has to wait is kept together with
//! the tags of the rows and cells that it speaks of, as places in the bytes of their sheet: those follow every patch,
//! and say by their own numbers where the lines are once lines came or went. What the edit overwrites or takes away is noted besides. When
//! it is planned, its addresses and the references of its formulas are brought up to date, or it is refused: never
//! made at a guess.

mod lines;
mod places;
mod prints;
mod shifts;

use std::collections::BTreeMap;

use edit::{Lost, PartChange, Patch, Refusal};

use crate::calc::view::View;
use crate::edits::anchored_meaning::{AnchoredMeaning, HeldSheet, Line};
use crate::edits::edit::{Edit, Run};
pub(crate) use lines::mark;
pub use lines::mark_lines;
use lines::stand;
use places::{Named, Visit, visit};
use prints::Form;

impl View {
    /// Whether a patch leaves every row and column of this sheet where it is, so that an address means the same after it.
    pub fn lines_stand(&self, sheet: &str, patch: &Patch) -> bool {
        let position = self.workbook.position(sheet);
        let worksheet = position.map(|position| self.worksheet(position));
        worksheet.is_some_and(|worksheet| worksheet.is_ok_and(|worksheet| stand(worksheet, patch)))
    }
}

/// The edit with what it means in this revision.
pub(crate) fn anchor(view: &View, edit: &Edit) -> Result<Edit, Refusal> {
    if matches!(edit, Edit::Anchored { .. } | Edit::Calculate) {
        return Ok(edit.clone());
    }
    if let Edit::Run(run) = edit {
        return anchor_run(view, run);
    }
    let table_on = match edit {
        Edit::SetTable { table, .. } | Edit::DeleteTable { table } => view.sheet_of_table(table)?,
        _ => None,
    };
    let mut named = Named::default();
    // Looking at a copy, because the same walk also writes.
    visit(&mut edit.clone(), table_on.as_deref(), &mut named)?;
    let mut meant = AnchoredMeaning { table_on, ..AnchoredMeaning::default() };
    if let Some(taken) = prints::of(view, edit, Form::Exact)? {
        meant.seen = Some(taken.print);
        for (sheet, mut formula) in taken.formulas {
            named.formula(&sheet, &mut formula)?;
        }
        meant.form = prints::of(view, edit, Form::WithoutReferences)?.map(|taken| taken.print);
    }
    for (name, lines) in named.sheets {
        match view.workbook.position(&name) {
            Some(position) => meant.sheets.push(hold(view, position, name, &lines)?),
            None => meant.awaited.push(name),
        }
    }
    Ok(Edit::Anchored { edit: Box::new(edit.clone()), meant })
}

/// A run read and wrote whatever its program pleased, so nothing of the sheets that it named may change.
fn anchor_run(view: &View, run: &Run) -> Result<Edit, Refusal> {
    let mut meant = AnchoredMeaning::default();
    for name in &run.sheets {
        match view.workbook.position(name).and_then(|position| view.workbook.sheets.get(position)) {
            Some(tab) => meant.sheets.push(HeldSheet {
                name: tab.name.clone(),
                part: tab.part.to_string(),
                rows: Vec::new(),
                columns: Vec::new(),
                mark: None,
                whole: true,
            }),
            None => meant.awaited.push(name.clone()),
        }
    }
    Ok(Edit::Anchored { edit: Box::new(Edit::Run(run.clone())), meant })
}

fn hold(view: &View, position: usize, name: String, lines: &places::Lines) -> Result<HeldSheet, Refusal> {
    let part = view.workbook.sheets.get(position).map(|tab| tab.part.to_string());
    let part = part.ok_or_else(|| Refusal::not_found("sheet", &name))?;
    let mut held = HeldSheet { name, part, rows: Vec::new(), columns: Vec::new(), mark: None, whole: false };
    if lines.rows.is_empty() && lines.columns.is_empty() {
        return Ok(held);
    }
    let worksheet = view.worksheet(position)?;
    held.mark = Some(worksheet.frame.data_tag.start);
    held.rows = lines::hold_rows(worksheet, &lines.rows)?;
    held.columns = lines::hold_columns(worksheet, &lines.columns, &lines.rows)?;
    Ok(held)
}

/// The anchored edit after a patch.
pub(crate) fn carry(edit: &Edit, patch: &Patch) -> Result<Edit, Lost> {
    let Edit::Anchored { edit, meant } = edit else {
        return match edit {
            Edit::Calculate => Ok(Edit::Calculate),
            _ => Err(Lost { why: "the edit was never fixed to a place".to_owned() }),
        };
    };
    let mut meant = meant.clone();
    for sheet in &mut meant.sheets {
        match patch.part(&sheet.part) {
            None => continue,
            Some(PartChange::Splices(_)) if !sheet.whole => {}
            Some(PartChange::Remove) => return Err(Lost { why: format!("sheet `{}` is gone", sheet.name) }),
            Some(_) => return Err(Lost { why: format!("sheet `{}` has changed as a whole", sheet.name) }),
        }
        let (rows_stand, columns_stand) = sheet.carry_mark(patch);
        let HeldSheet { name, part, rows, columns, .. } = sheet;
        let lost = |what: &str, line: String| Lost {
            why: format!("{what} {line} of `{name}` is gone, or was written anew"),
        };
        for line in rows {
            line.carry(patch, part, rows_stand).ok_or_else(|| lost("row", (line.line + 1).to_string()))?;
        }
        for line in columns {
            line.carry(patch, part, columns_stand)
                .ok_or_else(|| lost("column", formula::column_letters(line.line)))?;
        }
    }
    if !meant.awaited.is_empty() {
        let new = patch.parts().filter(|(_, change)| matches!(change, PartChange::Put(_)));
        meant.born.extend(new.map(|(name, _)| name.to_string()));
    }
    let mut edit = edit.clone();
    if let Edit::Run(run) = &mut *edit {
        // What it came to was said of the workbook as it was.
        run.result = None;
    }
    Ok(Edit::Anchored { edit, meant })
}

/// The edit as it reads in this revision, if it still means what it meant.
pub(crate) fn resolve(view: &View, edit: &Edit, meant: &AnchoredMeaning) -> Result<Edit, Refusal> {
    for name in &meant.awaited {
        let part =
            view.workbook.position(name).and_then(|at| view.workbook.sheets.get(at)).map(|tab| &tab.part);
        if part.is_some_and(|part| !meant.born.iter().any(|born| born == part.as_str())) {
            return Err(stale(
                format!("sheet `{name}` was not there when the edit was made"),
                "name the sheet as it is called in the revision that was read",
            ));
        }
    }
    let mut moved = BTreeMap::new();
    for held in &meant.sheets {
        let position = view.workbook.sheets.iter().position(|tab| tab.part.as_str() == held.part);
        let Some((position, tab)) = position.and_then(|at| Some((at, view.workbook.sheets.get(at)?))) else {
            return Err(stale(format!("sheet `{}` is gone", held.name), AGAIN));
        };
        let mut found = shifts::Moved { name: tab.name.clone(), ..shifts::Moved::default() };
        if !held.rows.is_empty() || !held.columns.is_empty() {
            let worksheet = view.worksheet(position)?;
            let lines = |lines: &[Line], what: &str, now: &dyn Fn(&Line) -> Result<Option<u32>, Refusal>| {
                let pairs = lines.iter().map(|line| match now(line)? {
                    Some(now) => Ok((line.line, now)),
                    None => Err(stale(
                        format!(
                            "{what} of `{}` that it speaks of can no longer be told from others",
                            held.name
                        ),
                        AGAIN,
                    )),
                });
                pairs.collect::<Result<Vec<(u32, u32)>, Refusal>>()
            };
            found.rows = lines(&held.rows, "a row", &|line| line.row_now(worksheet))?;
            found.columns = lines(&held.columns, "a column", &|line| line.column_now(worksheet))?;
        }
        moved.insert(held.name.clone(), found);
    }
    if let Edit::Run(_) = edit
        && let Some((name, _)) = moved.iter().find(|(name, moved)| !moved.stands(name))
    {
        return Err(stale(format!("sheet `{name}` is called otherwise by now"), AGAIN));
    }
    let mut now = edit.clone();
    let moves = moved.iter().any(|(name, moved)| !moved.stands(name));
    if moves {
        visit(&mut now, meant.table_on.as_deref(), &mut shifts::Shifted::new(&moved)?)?;
    }
    let (seen, form) = match moves {
        false => (&meant.seen, Form::Exact),
        true => (&meant.form, Form::WithoutReferences),
    };
    if prints::of(view, &now, form)?.map(|taken| taken.print) != *seen {
        return Err(stale(format!("{} no longer holds what it held", prints::what(&now)), AGAIN));
    }
    Ok(now)
}

const AGAIN: &str = "read it again and make the edit anew";

fn stale(why: String, instead: &str) -> Refusal {
    Refusal::Unsafe { why, instead: Some(instead.to_owned()) }
}
