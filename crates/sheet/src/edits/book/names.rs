//! Names that stand for ranges and formulas.

use edit::{Level, Note, OrEmpty, Patch, Planned, Refusal, Step};
use formula::{Expr, Target};
use ooxml::xml::{Node, escape_attribute, escape_text, ns};

use crate::calc::view::View;
use crate::edits::input::Outcome;
use crate::file::workbook::{number, same_name, string};
use crate::file::xml_edit::{WORKBOOK_ORDER, Xml};

pub(crate) fn define(
    view: &View,
    name: &str,
    scope: Option<&str>,
    formula: &str,
) -> Result<Planned<Outcome>, Refusal> {
    check_name(name)?;
    check_not_kept(name)?;
    let body = formula.strip_prefix('=').unwrap_or(formula);
    crate::edits::entry::check_formula(body, format!("the name {name}"))?;
    let scope = position(view, scope)?;
    let mut notes = crate::edits::cells::mentions::check(view, body, scope.unwrap_or(usize::MAX))?;
    notes.extend(relative(name, body));
    if let Some(table) = view.table_named(name)? {
        return Err(Refusal::invalid(
            "name",
            format!("`{name}`"),
            format!("a name that is not that of table `{}`", table.name),
        ));
    }
    let patch = put(view, name, scope, body, "")?;
    let step = Step { patch, summary: format!("Define {name} as ={body}"), notes };
    Ok(Planned { step, outcome: Outcome::default() })
}

/// Excel keeps some names for itself: a print area is not what is called so, but what is set as one.
fn check_not_kept(name: &str) -> Result<(), Refusal> {
    const KEPT: [&str; 3] = ["Print_Area", "Print_Titles", "_FilterDatabase"];
    let kept = name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("_xlnm."))
        || KEPT.iter().any(|known| same_name(known, name));
    match kept {
        false => Ok(()),
        true => Err(crate::edits::entry::rule(
            "BAD_NAME",
            format!("Excel keeps the name `{name}` for itself"),
            "`set_page` sets what is printed, `set_filter` a filter; any other name is free",
        )),
    }
}

/// Cells without `$` are counted from the cell that uses the name, which few people mean.
fn relative(name: &str, body: &str) -> Option<Note> {
    let parsed = formula::parse(body).ok()?;
    let mut moves = false;
    parsed.expr.walk(&mut |expr| {
        let Expr::Reference(reference) = expr else { return };
        moves |= match &reference.target {
            Target::Cell(at) => !at.row.absolute || !at.col.absolute,
            Target::Area(first, last) => [first, last].iter().any(|at| !at.row.absolute || !at.col.absolute),
            Target::Rows(first, last) | Target::Cols(first, last) => !first.absolute || !last.absolute,
            Target::Lost => false,
        };
    });
    moves.then(|| Note {
        level: Level::Warning,
        text: format!("`{name}` moves with the cell that uses it; write `$A$1` for a fixed place"),
    })
}

/// A name that Excel keeps for itself, such as a print area; no formula takes it away.
pub(crate) fn built_in(
    view: &View,
    name: &str,
    sheet: usize,
    formula: Option<String>,
) -> Result<Patch, Refusal> {
    match (formula, find(view, name, Some(sheet))) {
        (Some(formula), _) => {
            let hidden = if name == "_xlnm._FilterDatabase" { " hidden=\"1\"" } else { "" };
            put(view, name, Some(sheet), &formula, hidden)
        }
        (None, Some(node)) => {
            let mut patch = Patch::new();
            remove(view, &mut patch, &node)?;
            Ok(patch)
        }
        (None, None) => Ok(Patch::new()),
    }
}

fn put(
    view: &View,
    name: &str,
    scope: Option<usize>,
    body: &str,
    attributes: &str,
) -> Result<Patch, Refusal> {
    let workbook = &view.workbook;
    let xml = Xml::new(&workbook.part, &workbook.document);
    let text = escape_text(&crate::edits::cells::metadata::for_file(view, body)).into_owned();
    let mut patch = Patch::new();
    if let Some(node) = find(view, name, scope) {
        match node.closes_itself() {
            true => xml.append(&mut patch, &node, &text)?,
            false => xml.splice(&mut patch, node.content_span(), text)?,
        }
    } else {
        let prefix = workbook.prefix();
        let local = scope.map_or_else(String::new, |index| format!(" localSheetId=\"{index}\""));
        let markup = format!(
            "<{prefix}definedName name=\"{}\"{local}{attributes}>{text}</{prefix}definedName>",
            escape_attribute(name)
        );
        match xml.root().child(ns::S, "definedNames") {
            None => {
                let whole = format!("<{prefix}definedNames>{markup}</{prefix}definedNames>");
                xml.insert(&mut patch, WORKBOOK_ORDER, "definedNames", &whole)?;
            }
            Some(list) => {
                // Excel keeps names in order and binary-searches some of them.
                let key = |name: &str, scope: Option<u32>| (name.to_lowercase(), scope.map_or(-1, i64::from));
                let own = key(name, scope.map(|index| index as u32));
                let later = list.elements().find(|node| {
                    let known = string(node, "name").or_empty();
                    key(&known, number(node, "localSheetId")) > own
                });
                match later {
                    Some(later) => {
                        let at = later.span().start;
                        xml.splice(&mut patch, at..at, markup)?;
                    }
                    None => xml.append(&mut patch, &list, &markup)?,
                }
            }
        }
    }
    Ok(patch)
}

pub(crate) fn delete(view: &View, name: &str, scope: Option<&str>) -> Result<Planned<Outcome>, Refusal> {
    let scope = position(view, scope)?;
    let node = find(view, name, scope).ok_or_else(|| view.no_name(name))?;
    let mut patch = Patch::new();
    remove(view, &mut patch, &node)?;
    let step = Step { patch, summary: format!("Delete the name {name}"), notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome::default() })
}

/// Removes a name, and the list with its last one.
fn remove(view: &View, patch: &mut Patch, node: &Node<'_>) -> Result<(), Refusal> {
    let xml = Xml::new(&view.workbook.part, &view.workbook.document);
    let list = node.parent().filter(|list| list.elements().count() == 1);
    xml.remove(patch, &list.unwrap_or(*node))
}

fn position(view: &View, scope: Option<&str>) -> Result<Option<usize>, Refusal> {
    let Some(sheet) = scope else { return Ok(None) };
    view.workbook.position(sheet).map(Some).ok_or_else(|| view.no_sheet(sheet))
}

fn find<'a>(view: &'a View, name: &str, scope: Option<usize>) -> Option<Node<'a>> {
    let list = view.workbook.document.root().child(ns::S, "definedNames")?;
    list.elements().find(|node| {
        string(node, "name").is_some_and(|known| same_name(&known, name))
            && number(node, "localSheetId").map(|index| index as usize) == scope
    })
}

/// Refuses what Excel would not take for a name.
pub(crate) fn check_name(name: &str) -> Result<(), Refusal> {
    let wrong = |why: &str| {
        Err(crate::edits::entry::rule(
            "BAD_NAME",
            format!("`{name}` cannot be a name"),
            format!("it has to be {why}"),
        ))
    };
    let mut letters = name.chars();
    let starts = letters.next().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '\\'));
    let goes_on = letters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '\\' | '?'));
    if !starts || !goes_on || name.encode_utf16().count() > 255 {
        return wrong("a letter or underscore, then letters, digits, underscores and points, up to 255");
    }
    let looks_like_cell = name.parse::<crate::file::a1::CellRef>().is_ok()
        || formula::needs_quotes(name) && !name.contains(['.', '\\', '?']);
    if looks_like_cell || matches!(name.to_ascii_uppercase().as_str(), "R" | "C" | "TRUE" | "FALSE") {
        return wrong("a name that cannot be read as a cell or a constant");
    }
    Ok(())
}
