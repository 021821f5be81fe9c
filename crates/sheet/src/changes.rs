//! A change of a workbook as people read it: cells, lines, sheets, names, and what hangs on sheets.
//!
//! Lines that came or went are told of as such, and cells are compared with where they were before; otherwise one
//! inserted row would show every cell below it. Only what the patch touches is read.

mod cells;
mod words;

use edit::{PartChange, Patch, Refusal, Shown, ShownList};

use crate::calc::view::View;
use crate::file::workbook::TabKind;
use crate::read::sheet_view::SheetView;

pub(crate) fn shown(before: &View, after: &View, patch: &Patch) -> Result<Vec<Shown>, Refusal> {
    let mut list = ShownList::new();
    sheets(before, after, &mut list);
    let mut calculated = Vec::new();
    for tab in &after.workbook.sheets {
        let old = before.workbook.sheets.iter().position(|known| known.part == tab.part);
        let new = after.workbook.sheets.iter().position(|known| known.part == tab.part);
        let (Some(old), Some(new)) = (old, new) else { continue };
        if tab.kind != TabKind::Worksheet {
            continue;
        }
        let (old, new) = (before.sheet_at(old)?, after.sheet_at(new)?);
        if patch.part(&tab.part).is_some() {
            cells::show(&old, &new, patch, &mut list, &mut calculated)?;
            frame(&old, &new, &mut list)?;
        }
        hangers(&old, &new, patch, &mut list)?;
    }
    names(before, after, &mut list);
    for cell in calculated {
        list.push(cell.place, cell.before, cell.after);
    }
    if list.is_empty() {
        for (name, change) in patch.parts().filter(|(name, _)| !is_plumbing(name.as_str())) {
            let what = match change {
                PartChange::Remove => "removed",
                PartChange::Put(_) if !before.content.contains(name) => "added",
                PartChange::Put(_) | PartChange::Splices(_) => "changed",
            };
            list.push(part_in_words(name.as_str()), "", what);
        }
    }
    Ok(list.finish())
}

fn sheets(before: &View, after: &View, list: &mut ShownList) {
    let (old, new) = (&before.workbook.sheets, &after.workbook.sheets);
    for tab in old {
        match new.iter().find(|known| known.part == tab.part) {
            None => list.push(format!("sheet {}", tab.name), tab.name.clone(), ""),
            Some(now) => {
                if now.name != tab.name {
                    list.push(format!("sheet {}", tab.name), tab.name.clone(), now.name.clone());
                }
                if now.visibility != tab.visibility {
                    let (was, is) = (words::visibility(tab.visibility), words::visibility(now.visibility));
                    list.push(format!("sheet {}", now.name), was, is);
                }
            }
        }
    }
    for tab in new.iter().filter(|tab| !old.iter().any(|known| known.part == tab.part)) {
        list.push(format!("sheet {}", tab.name), "", tab.name.clone());
    }
    let order = |tabs: &[crate::file::workbook::Tab], others: &[crate::file::workbook::Tab]| {
        let both = tabs.iter().filter(|tab| others.iter().any(|other| other.part == tab.part));
        both.map(|tab| tab.part.to_string()).collect::<Vec<_>>()
    };
    if order(old, new) != order(new, old) {
        let listed = |tabs: &[crate::file::workbook::Tab]| {
            tabs.iter().map(|tab| tab.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        list.push("order of sheets", listed(old), listed(new));
    }
}

fn names(before: &View, after: &View, list: &mut ShownList) {
    let (old, new) = (&before.workbook.names, &after.workbook.names);
    if old == new {
        return;
    }
    let shown = |formula: &str| format!("={formula}");
    for name in old {
        let same = new.iter().find(|known| known.name == name.name && known.scope == name.scope);
        match same {
            None => list.push(format!("name {}", name.name), shown(&name.formula), ""),
            Some(now) if now.formula != name.formula => {
                list.push(format!("name {}", name.name), shown(&name.formula), shown(&now.formula));
            }
            Some(_) => {}
        }
    }
    let known = |name: &crate::file::workbook::DefinedName| {
        old.iter().any(|o| o.name == name.name && o.scope == name.scope)
    };
    for name in new.iter().filter(|name| !known(name)) {
        list.push(format!("name {}", name.name), "", shown(&name.formula));
    }
}

/// What a sheet says outside its rows.
fn frame(old: &SheetView<'_>, new: &SheetView<'_>, list: &mut ShownList) -> Result<(), Refusal> {
    let name = new.name();
    compare(list, name, "merged cells", &old.merges(), &new.merges(), &|area| area.to_string());
    compare(list, name, "columns", &old.columns(), &new.columns(), &words::columns);
    compare(list, name, "rule for input", &old.validations(), &new.validations(), &words::validation);
    let (was, is) = (old.conditional_formats(), new.conditional_formats());
    compare(list, name, "conditional format", &was, &is, &words::conditional);
    compare(list, name, "link", &old.hyperlinks()?, &new.hyperlinks()?, &words::link);
    let frozen = |sheet: &SheetView<'_>| words::or_none(sheet.frozen().as_ref(), words::frozen);
    let filter = |sheet: &SheetView<'_>| words::or_none(sheet.auto_filter().as_ref(), ToString::to_string);
    let tab = |sheet: &SheetView<'_>| words::or_none(sheet.tab_color().as_ref(), words::colour);
    let (page_was, page_is) = words::page(&old.page(), &new.page());
    let settings = [
        ("frozen panes", frozen(old), frozen(new)),
        ("filter", filter(old), filter(new)),
        ("filter", words::filter(&old.filter_columns()), words::filter(&new.filter_columns())),
        ("colour of the tab", tab(old), tab(new)),
        ("protection", words::switch(old.is_protected()), words::switch(new.is_protected())),
        ("zoom", old.zoom().to_string(), new.zoom().to_string()),
        ("gridlines", words::switch(old.gridlines()), words::switch(new.gridlines())),
        ("page", page_was, page_is),
    ];
    for (what, was, is) in settings {
        if was != is {
            list.push(format!("{what} of {name}"), was, is);
        }
    }
    Ok(())
}

/// Parts that hang on a sheet, of the kinds that the patch touches.
fn hangers(
    old: &SheetView<'_>,
    new: &SheetView<'_>,
    patch: &Patch,
    list: &mut ShownList,
) -> Result<(), Refusal> {
    let name = new.name();
    let touches = |what: &str| patch.parts().any(|(part, _)| part.as_str().to_lowercase().contains(what));
    if touches("comment") {
        compare(list, name, "note", &old.notes()?, &new.notes()?, &words::note);
        compare(list, name, "comments", &old.threads()?, &new.threads()?, &words::thread);
    }
    if touches("/drawings/") || touches("/charts/") {
        compare(list, name, "drawing", &old.drawings()?, &new.drawings()?, &words::drawing);
        compare(list, name, "chart", &old.charts()?, &new.charts()?, &words::chart);
    }
    if touches("/tables/") {
        let told = |sheet: &SheetView<'_>| -> Result<Vec<String>, Refusal> {
            Ok(sheet.tables()?.iter().map(words::table).collect())
        };
        compare(list, name, "table", &told(old)?, &told(new)?, &Clone::clone);
    }
    Ok(())
}

/// What one side has and the other has not; so many of both in order are taken for the same things, changed.
fn compare<T: PartialEq>(
    list: &mut ShownList,
    sheet: &str,
    what: &str,
    old: &[T],
    new: &[T],
    words: &dyn Fn(&T) -> String,
) {
    let mut gone = old.iter().filter(|one| !new.contains(one));
    let mut come = new.iter().filter(|one| !old.contains(one));
    loop {
        match (gone.next(), come.next()) {
            (None, None) => return,
            (was, is) => {
                let said = |one: Option<&T>| one.map(words).unwrap_or_default();
                list.push(format!("{what} of {sheet}"), said(was), said(is));
            }
        }
    }
}

/// Parts that change along with what people see.
fn is_plumbing(part: &str) -> bool {
    part.ends_with(".rels") || part == "[Content_Types].xml" || part.ends_with("calcChain.xml")
}

fn part_in_words(part: &str) -> String {
    match part {
        _ if part.ends_with("styles.xml") => "formats".to_owned(),
        _ if part.ends_with("sharedStrings.xml") => "texts".to_owned(),
        _ if part.ends_with("workbook.xml") => "settings of the workbook".to_owned(),
        _ if part.starts_with("docProps/") => "properties of the document".to_owned(),
        other => format!("part {other}"),
    }
}
