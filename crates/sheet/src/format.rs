//! The workbook as a format of [`edit`].

use std::sync::Arc;

use edit::{Content, Context, Draft, Format, Lost, Packed, Patch, Planned, Refusal, Settlement, Shown, Step};
use ooxml::{Limits, Package};

use crate::calc::settle;
use crate::calc::settled::Settled;
use crate::calc::view::{Sheet, View};
use crate::changes;
use crate::edits::anchor;
use crate::edits::book::book_edit;
use crate::edits::book::names;
use crate::edits::book::page;
use crate::edits::book::protection;
use crate::edits::book::sheet_edit;
use crate::edits::cells::arrays;
use crate::edits::cells::set_cells;
use crate::edits::cells::sort;
use crate::edits::cells::typed::Typing;
use crate::edits::edit::{Edit, Run};
use crate::edits::input::{Input, Outcome};
use crate::edits::lines::follow::Axis;
use crate::edits::lines::structure;
use crate::edits::looks::appearance;
use crate::edits::looks::style_edit;
use crate::edits::objects::attached::Stage;
use crate::edits::objects::charts;
use crate::edits::objects::drawings;
use crate::edits::objects::links;
use crate::edits::objects::notes;
use crate::edits::objects::table_edit;
use crate::edits::objects::threads;
use crate::edits::report;
use crate::edits::rules::conditional;
use crate::edits::rules::format_rules;
use crate::edits::rules::validation;
use crate::read::inventory;
use crate::run;

/// What is accepted of a workbook: more than of other files, because a sheet of a million rows inflates to
/// hundreds of megabytes, and repeats itself so much that it packs well.
pub fn limits() -> Limits {
    Limits { entries: 10_000, total_bytes: 2 << 30, entry_bytes: 1 << 30, ratio: 400, ratio_from: 64 << 20 }
}

impl Format for Sheet {
    type View = View;
    type Edit = Edit;
    type Outcome = Outcome;
    type Settled = Settled;
    type Source = Package;
    type Limits = Limits;

    fn unpack(file: Arc<Vec<u8>>, limits: &Limits) -> Result<(Package, Content), Refusal> {
        Package::open(file, limits)
    }

    fn pack(source: &Package, content: &Content) -> Result<Vec<u8>, Refusal> {
        source.save(content)
    }

    fn repack(
        source: &Package,
        content: &Content,
        _: &Limits,
        room: Vec<u8>,
    ) -> Result<Packed<Package>, Refusal> {
        source.save_on(content, room)
    }

    fn view(content: &Content) -> Result<View, Refusal> {
        View::new(content)
    }

    fn view_after(view: View, patch: &Patch, after: &Content) -> Result<View, Refusal> {
        view.after(patch, after)
    }

    fn inventory(view: &View) -> Result<Vec<String>, Refusal> {
        inventory::inventory(view)
    }

    fn anchor(view: &View, edit: &Edit) -> Result<Edit, Refusal> {
        anchor::anchor(view, edit)
    }

    fn carry(edit: &Edit, patch: &Patch) -> Result<Edit, Lost> {
        anchor::carry(edit, patch)
    }

    fn shown(before: &View, after: &View, patch: &Patch) -> Result<Vec<Shown>, Refusal> {
        changes::shown(before, after, patch)
    }

    fn make(draft: Draft<Self>, edit: &Edit, cx: &Context) -> Result<(Draft<Self>, Outcome), Refusal> {
        match edit {
            Edit::Run(made) => run::make(draft, made, cx),
            Edit::Anchored { edit, meant } if matches!(**edit, Edit::Run(_)) => {
                let edit = anchor::resolve(draft.view(), edit, meant)?;
                Self::make(draft, &edit, cx)
            }
            _ => draft.make_planned(edit, cx),
        }
    }

    fn plan(view: &View, edit: &Edit, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
        protection::check(view, edit)?;
        if view.workbook.styles.is_none() && wants_styles(edit) {
            return plan_with_styles(view, edit, cx);
        }
        match edit {
            Edit::Anchored { edit, meant } => {
                let edit = anchor::resolve(view, edit, meant)?;
                Self::plan(view, &edit, cx)
            }
            Edit::SetCells { sheet, cells, seen: None } => {
                set_cells::plan_typed(view, sheet, cells, typing(cx), cx)
            }
            Edit::SetCells { sheet, seen: Some(_), .. } => Err(of_earlier_version(sheet)),
            Edit::SetArray { sheet, area, formula } => arrays::set_array(view, sheet, *area, formula),
            Edit::SetDataTable { sheet, area, row_input, column_input } => {
                arrays::set_data_table(view, sheet, *area, *row_input, *column_input)
            }
            Edit::SortRange { sheet, area, keys } => sort::sort(view, sheet, *area, keys, cx),
            Edit::SetStyle { sheet, areas, style } => appearance::set_style(view, sheet, areas, style),
            Edit::InsertRows { sheet, at, count } => {
                structure::shift_lines(view, sheet, Axis::Rows, *at, *count, false)
            }
            Edit::DeleteRows { sheet, at, count } => {
                structure::shift_lines(view, sheet, Axis::Rows, *at, *count, true)
            }
            Edit::InsertColumns { sheet, at, count } => {
                structure::shift_lines(view, sheet, Axis::Columns, *at, *count, false)
            }
            Edit::DeleteColumns { sheet, at, count } => {
                structure::shift_lines(view, sheet, Axis::Columns, *at, *count, true)
            }
            Edit::AddSheet { name, before } => structure::add_sheet(view, name, before.as_deref()),
            Edit::DeleteSheet { sheet } => structure::delete_sheet(view, sheet),
            Edit::RenameSheet { sheet, to } => structure::rename_sheet(view, sheet, to),
            Edit::MoveSheet { sheet, to } => structure::move_sheet(view, sheet, *to),
            Edit::ShowSheet { sheet, visibility } => structure::show_sheet(view, sheet, *visibility),
            Edit::Merge { sheet, area } => appearance::merge(view, sheet, *area),
            Edit::Unmerge { sheet, area } => appearance::unmerge(view, sheet, *area),
            Edit::SetRows { sheet, first, last, properties } => {
                appearance::set_rows(view, sheet, *first, *last, properties)
            }
            Edit::SetColumns { sheet, first, last, properties } => {
                appearance::set_columns(view, sheet, *first, *last, properties)
            }
            Edit::Freeze { sheet, rows, columns } => appearance::freeze(view, sheet, *rows, *columns),
            Edit::SetValidation { sheet, areas, rule } => {
                validation::set_validation(view, sheet, areas, rule)
            }
            Edit::RemoveValidations { sheet, areas } => validation::remove_validations(view, sheet, areas),
            Edit::AddConditionalFormat { sheet, areas, rule, stop_if_true } => {
                conditional::add(view, sheet, areas, rule, *stop_if_true)
            }
            Edit::RemoveConditionalFormats { sheet, areas, rules } if rules.is_empty() => {
                conditional::remove(view, sheet, areas)
            }
            Edit::RemoveConditionalFormats { sheet, rules, .. } => format_rules::remove(view, sheet, rules),
            Edit::SetSheet { sheet, properties } => sheet_edit::set_sheet(view, sheet, properties),
            Edit::SetPage { sheet, page } => page::set_page(view, sheet, page),
            Edit::SetFilter { sheet, area, columns } => {
                sheet_edit::set_filter(view, sheet, *area, columns, cx)
            }
            Edit::Protect { sheet, protected } => protection::protect(view, sheet, *protected),
            Edit::AddTable { sheet, area, name, style } => {
                table_edit::add(view, sheet, *area, name.as_deref(), style.as_deref())
            }
            Edit::SetTable { table, change } => table_edit::set(view, table, change),
            Edit::DeleteTable { table } => table_edit::delete(view, table),
            Edit::SetLink { sheet, area, to, tooltip } => {
                links::set(view, sheet, *area, to, tooltip.as_deref())
            }
            Edit::RemoveLinks { sheet, areas } => links::remove(view, sheet, areas),
            Edit::SetNote { sheet, at, text, author } => {
                notes::set(view, sheet, *at, text, author.as_deref(), cx)
            }
            Edit::RemoveNotes { sheet, areas } => notes::remove(view, sheet, areas),
            Edit::AddComment { sheet, at, text, author } => {
                threads::add(view, sheet, *at, text, &signed(author.as_deref(), cx))
            }
            Edit::ResolveThread { sheet, at, resolved } => threads::resolve(view, sheet, *at, *resolved),
            Edit::DeleteThread { sheet, at } => threads::delete(view, sheet, *at),
            Edit::AddImage { sheet, at, image } => drawings::add_image(view, sheet, *at, image),
            Edit::AddChart { sheet, area, chart } => charts::add(view, sheet, *area, chart, cx),
            Edit::SetChart { sheet, drawing, change } => charts::set(view, sheet, drawing, change, cx),
            Edit::MoveDrawing { sheet, drawing, at, to, offsets } => {
                drawings::shift(view, sheet, drawing, *at, *to, offsets.as_ref())
            }
            Edit::DescribeDrawing { sheet, drawing, change } => {
                drawings::describe(view, sheet, drawing, change)
            }
            Edit::DeleteDrawing { sheet, drawing } => drawings::delete(view, sheet, drawing),
            Edit::SetWorkbook { properties } => book_edit::set(view, properties, cx),
            Edit::Run(made) => plan_run(view, made, cx),
            Edit::Calculate => {
                settle::calculate_all(view, cx).map(|step| Planned { step, outcome: Outcome::default() })
            }
            Edit::DefineName { name, scope, formula } => names::define(view, name, scope.as_deref(), formula),
            Edit::DeleteName { name, scope } => names::delete(view, name, scope.as_deref()),
        }
    }

    fn settle(view: &View, cx: &Context) -> Result<Settlement<Settled>, Refusal> {
        settle::settle(view, cx)
    }

    fn report(outcomes: &mut [Outcome], settled: &Settled, view: &View) -> Result<(), Refusal> {
        report::complete(outcomes, settled, view)
    }

    fn view_settled(view: View, settlement: &Settlement<Settled>, after: &Content) -> Result<View, Refusal> {
        view.settled(settlement, after)
    }
}

/// An edit of a workbook without styles brings them.
fn plan_with_styles(view: &View, edit: &Edit, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let mut stage = Stage::new(view);
    stage.then(&style_edit::new_part(view)?)?;
    let mut planned = Sheet::plan(stage.view(), edit, cx)?;
    planned.step.patch = stage.patch().then(&planned.step.patch);
    Ok(planned)
}

/// The edits of a script as one.
fn plan_run(view: &View, made: &Run, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let draft = Draft::new(view.content.clone(), view.clone());
    let (draft, outcome) = run::make(draft, made, cx)?;
    let summary = draft.steps().iter().map(|step| step.summary.as_str()).collect::<Vec<_>>().join("; ");
    let step = Step { patch: draft.patch(), summary, notes: Vec::new() };
    Ok(Planned { step, outcome })
}

/// The author of a comment is who it says, or else whose edit it is.
fn signed(author: Option<&str>, cx: &Context) -> Context {
    Context { author: author.map_or_else(|| cx.author.clone(), str::to_owned), ..cx.clone() }
}

/// How what is typed is read: in the language that was asked for, or else in English, and dates without a year as this
/// year's.
fn typing(cx: &Context) -> Typing {
    let locale = cx.language.as_deref().and_then(formula::Locale::of).unwrap_or_default();
    let year = formula::DateSystem::D1900.year(cx.now.div_euclid(86_400) + 25_569);
    Typing { locale, year: Some(year) }
}

fn of_earlier_version(sheet: &str) -> Refusal {
    Refusal::Unsafe {
        why: format!("the edit of {sheet} was staged by an earlier version, which noted its cells otherwise"),
        instead: Some("read the cells again and make the edit anew".to_owned()),
    }
}

/// Whether an edit may need a format of its own; small programs write workbooks without any.
fn wants_styles(edit: &Edit) -> bool {
    match edit {
        Edit::SetStyle { .. } | Edit::AddConditionalFormat { .. } => true,
        Edit::SetCells { cells, .. } => cells
            .iter()
            .any(|cell| matches!(cell.input, Input::Date(_) | Input::Formatted { .. } | Input::Typed(_))),
        _ => false,
    }
}
