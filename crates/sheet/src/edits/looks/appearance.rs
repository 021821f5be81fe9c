//! How cells, rows and columns are shown: formats, merges, sizes, frozen panes.

use edit::{Cut, Patch, Planned, Refusal, Step};
use ooxml::xml::ns;

use crate::calc::view::View;
use crate::edits::input::{LineChange, Outcome};
use crate::edits::looks::style_change::StyleChange;
use crate::edits::looks::style_edit::NewStyles;
use crate::file::a1::{Area, CellRef};
use crate::file::scan::Attributes;
use crate::file::scan::other_attributes;
use crate::file::worksheet::RowSpot;
use crate::file::xml_edit::{WORKSHEET_ORDER, Xml};
use crate::read::sheet_view::SheetView;

/// Cells that one edit may bring into being to carry a format.
const MOST_CELLS: u64 = 1_000_000;

pub(crate) fn set_style(
    view: &View,
    name: &str,
    areas: &[Area],
    change: &StyleChange,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let Some(styles) = view.styles()? else {
        return Err(Refusal::unsupported("a change of format in a workbook without a styles part"));
    };
    let mut new = NewStyles::new(styles);
    let mut patch = Patch::new();
    let mut columns: Vec<(u32, u32)> = Vec::new();
    let mut cells: std::collections::BTreeMap<u32, Vec<(u32, u32)>> = std::collections::BTreeMap::new();
    let mut count = 0;
    for area in areas {
        if area.is_whole_columns() {
            columns.push((area.left, area.right));
            // Cells and rows with formats of their own hide the column's.
            sheet.worksheet.each_row(0, formula::MAX_ROWS - 1, &mut |_, _, row| {
                cells.entry(row.row).or_default().push((area.left, area.right));
                Ok(())
            })?;
            continue;
        }
        count += area.count();
        if area.is_whole_rows() || count > MOST_CELLS {
            return Err(crate::edits::entry::too_many_cells(count, MOST_CELLS));
        }
        for row in area.top..=area.bottom {
            cells.entry(row).or_default().push((area.left, area.right));
        }
    }
    let column_styles = sheet.column_styles();
    let whole = |col: u32| columns.iter().any(|(first, last)| (*first..=*last).contains(&col));
    for (row, runs) in &cells {
        style_row(&sheet, *row, runs, change, &mut new, &mut patch, &column_styles, &whole)?;
    }
    for (first, last) in &columns {
        column_formats(&sheet, *first, *last, change, &mut new, &mut patch)?;
    }
    new.finish(&mut patch)?;
    let shown: Vec<String> = areas.iter().take(3).map(ToString::to_string).collect();
    let step =
        Step { patch, summary: format!("Format {}!{}", sheet.name(), shown.join(", ")), notes: Vec::new() };
    Ok(Planned {
        step,
        outcome: Outcome { sheet: sheet.name().to_owned(), touched: areas.to_vec(), ..Outcome::default() },
    })
}

#[expect(clippy::too_many_arguments, reason = "one step of the loop above, kept apart to be read")]
fn style_row(
    sheet: &SheetView<'_>,
    row: u32,
    runs: &[(u32, u32)],
    change: &StyleChange,
    new: &mut NewStyles<'_>,
    patch: &mut Patch,
    columns: &[(u32, u32, u32)],
    whole_column: &dyn Fn(u32) -> bool,
) -> Result<(), Refusal> {
    let worksheet = sheet.worksheet;
    let part = &worksheet.part;
    let prefix = &worksheet.spelling().prefix;
    let wanted = |col: u32| runs.iter().any(|(first, last)| (*first..=*last).contains(&col));
    let mut missing: Vec<u32> =
        runs.iter().flat_map(|(first, last)| *first..=*last).filter(|col| !whole_column(*col)).collect();
    missing.sort_unstable();
    missing.dedup();
    let column_style = |col: u32| {
        let found = columns.iter().find(|(first, last, _)| (*first..=*last).contains(&col));
        found.map_or(0, |(_, _, style)| *style)
    };
    match worksheet.find_row(row)? {
        RowSpot::Found(range, found) => {
            let bytes = worksheet.blob.slice(range.clone());
            let offset = range.start;
            let custom = Attributes::of(&bytes, 0).find("customFormat").and_then(|span| bytes.get(span));
            let row_style = Attributes::of(&bytes, 0)
                .find("s")
                .and_then(|span| crate::file::a1::read_number(bytes.get(span)?));
            let row_style = row_style.filter(|_| matches!(custom, Some(b"1" | b"true")));
            let mut fresh = missing.iter().copied().peekable();
            let mut known = Vec::new();
            let mut cells = worksheet.cells(&bytes, &found);
            let mut all = Vec::new();
            while let Some(cell) = cells.next().map_err(|b| worksheet.broken(b.after(offset)))? {
                known.push(cell.at.col);
                all.push(cell);
            }
            let markup_for = |col: u32, new: &mut NewStyles<'_>| -> Result<String, Refusal> {
                let style = new.with(row_style.unwrap_or_else(|| column_style(col)), change)?;
                Ok(format!("<{prefix}c r=\"{}\" s=\"{style}\"/>", CellRef::new(row, col)))
            };
            for cell in &all {
                let mut before = String::new();
                while let Some(col) = fresh.next_if(|col| *col < cell.at.col) {
                    before.push_str(&markup_for(col, new)?);
                }
                if !before.is_empty() {
                    let at = offset + cell.tag.start;
                    patch.splice(part, at..at, before)?;
                }
                fresh.next_if(|col| *col == cell.at.col);
                if !wanted(cell.at.col) {
                    continue;
                }
                let style = new.with(cell.style, change)?;
                if style == cell.style {
                    continue;
                }
                match Attributes::of(&bytes, cell.tag.start).find("s") {
                    Some(span) => {
                        patch.splice(part, offset + span.start..offset + span.end, style.to_string())?
                    }
                    None => {
                        // Behind the address, or behind the name.
                        let at = match Attributes::of(&bytes, cell.tag.start).find("r") {
                            Some(span) => span.end + 1,
                            None => cell.tag.start + 2 + prefix.len(),
                        };
                        patch.splice(part, offset + at..offset + at, format!(" s=\"{style}\""))?;
                    }
                }
            }
            let mut rest = String::new();
            for col in fresh {
                rest.push_str(&markup_for(col, new)?);
            }
            if !rest.is_empty() {
                if found.tag.closes_itself {
                    let end = offset + found.tag.end;
                    patch.splice(part, end - 2..end, format!(">{rest}</{prefix}row>"))?;
                } else {
                    let at = offset + all.last().map_or(found.cells.start, |cell| cell.end);
                    patch.splice(part, at..at, rest)?;
                }
            }
            Ok(())
        }
        RowSpot::Missing(at) => {
            let mut markup = String::new();
            for col in missing {
                let style = new.with(column_style(col), change)?;
                markup.push_str(&format!("<{prefix}c r=\"{}\" s=\"{style}\"/>", CellRef::new(row, col)));
            }
            put_row(sheet, patch, at, &format!("<{prefix}row r=\"{}\">{markup}</{prefix}row>", row + 1))
        }
    }
}

/// Puts a row that is not there where it belongs.
fn put_row(sheet: &SheetView<'_>, patch: &mut Patch, at: usize, markup: &str) -> Result<(), Refusal> {
    let worksheet = sheet.worksheet;
    if !worksheet.frame.data_closes_itself {
        return patch.splice(&worksheet.part, at..at, markup);
    }
    // `<sheetData/>` becomes a pair of tags with the first row; later rows join it.
    let tag = worksheet.frame.data_tag.clone();
    let close = format!("</{}sheetData>", worksheet.spelling().prefix);
    let known =
        patch.splices(&worksheet.part).iter().find(|splice| splice.range == (tag.end - 2..tag.end)).cloned();
    let inside = match known {
        None => format!(">{markup}{close}"),
        Some(known) => {
            let text = String::from_utf8_lossy(&known.with.bytes()).into_owned();
            let rows = text.strip_suffix(&close).unwrap_or(&text).to_owned();
            let mut rebuilt = Patch::new();
            for (part, change) in patch.parts() {
                if let edit::PartChange::Splices(splices) = change {
                    for splice in
                        splices.iter().filter(|splice| part != &worksheet.part || splice.range != known.range)
                    {
                        rebuilt.splice(part, splice.range.clone(), splice.with.clone())?;
                    }
                }
            }
            *patch = rebuilt;
            format!("{rows}{markup}{close}")
        }
    };
    patch.splice(&worksheet.part, tag.end - 2..tag.end, inside)
}

/// Formats of whole columns live in `cols`.
fn column_formats(
    sheet: &SheetView<'_>,
    first: u32,
    last: u32,
    change: &StyleChange,
    new: &mut NewStyles<'_>,
    patch: &mut Patch,
) -> Result<(), Refusal> {
    let mut failed = None;
    columns_with(sheet, first, last, patch, &mut |attributes| {
        let style =
            attributes.iter().find(|(name, _)| name == "style").and_then(|(_, value)| value.parse().ok());
        match new.with(style.unwrap_or(0), change) {
            Ok(style) => set(attributes, "style", Some(style.to_string())),
            Err(refusal) => failed = Some(refusal),
        }
    })?;
    failed.map_or(Ok(()), Err)
}

/// Names and values as written.
type AttributeList = Vec<(String, String)>;

fn set(attributes: &mut AttributeList, name: &str, value: Option<String>) {
    match (attributes.iter_mut().find(|(known, _)| known == name), value) {
        (Some((_, known)), Some(value)) => *known = value,
        (Some(_), None) => attributes.retain(|(known, _)| known != name),
        (None, Some(value)) => attributes.push((name.to_owned(), value)),
        (None, None) => {}
    }
}

/// Rewrites the `col` elements over `first..=last`: those at the edges are split, gaps are filled.
fn columns_with(
    sheet: &SheetView<'_>,
    first: u32,
    last: u32,
    patch: &mut Patch,
    change: &mut dyn FnMut(&mut AttributeList),
) -> Result<(), Refusal> {
    type Run = (u32, u32, AttributeList);
    let xml = Xml::frame(sheet.worksheet);
    let list = xml.root().child(ns::S, "cols");
    let mut runs: Vec<Run> = Vec::new();
    if let Some(list) = &list {
        for node in list.elements().filter(|node| node.is(ns::S, "col")) {
            let attributes: Vec<(String, String)> =
                node.attributes().map(|a| (a.qualified().to_owned(), a.raw().to_owned())).collect();
            let line = |name| crate::file::workbook::number(&node, name).and_then(|line| line.checked_sub(1));
            if let (Some(min), Some(max)) = (line("min"), line("max")) {
                runs.push((min, max, attributes));
            }
        }
    }
    let mut out: Vec<Run> = Vec::new();
    let mut next = first;
    let default_width = sheet.usual_column_width()?;
    let mut fill = |out: &mut Vec<Run>, from: u32, to: u32| {
        if from <= to {
            let mut attributes = vec![("width".to_owned(), format!("{default_width}"))];
            change(&mut attributes);
            out.push((from, to, attributes));
        }
    };
    let mut inside: Vec<Run> = Vec::new();
    for (min, max, attributes) in runs {
        if max < first || min > last {
            out.push((min, max, attributes));
            continue;
        }
        if min < first {
            out.push((min, first - 1, attributes.clone()));
        }
        if max > last {
            out.push((last + 1, max, attributes.clone()));
        }
        inside.push((min.max(first), max.min(last), attributes));
    }
    inside.sort_by_key(|(min, _, _)| *min);
    let mut gaps: Vec<(u32, u32)> = Vec::new();
    for (min, max, _) in &inside {
        if next < *min {
            gaps.push((next, min - 1));
        }
        next = max + 1;
    }
    if next <= last {
        gaps.push((next, last));
    }
    for (from, to) in gaps {
        fill(&mut out, from, to);
    }
    for (min, max, mut attributes) in inside {
        change(&mut attributes);
        out.push((min, max, attributes));
    }
    out.sort_by_key(|(min, _, _)| *min);
    let prefix = &sheet.worksheet.spelling().prefix;
    let markup: String = out
        .iter()
        .map(|(min, max, attributes)| {
            let rest: String = attributes
                .iter()
                .filter(|(name, _)| name != "min" && name != "max")
                .map(|(name, value)| format!(" {name}=\"{value}\""))
                .collect();
            format!("<{prefix}col min=\"{}\" max=\"{}\"{rest}/>", min + 1, max + 1)
        })
        .collect();
    match list {
        Some(list) if !list.closes_itself() => xml.splice(patch, list.content_span(), markup),
        Some(list) => xml.append(patch, &list, &markup),
        None => {
            let whole = format!("<{prefix}cols>{markup}</{prefix}cols>");
            xml.insert(patch, WORKSHEET_ORDER, "cols", &whole)
        }
    }
}

fn check_lines(
    what: &'static str,
    first: u32,
    last: u32,
    size: u32,
    change: &LineChange,
) -> Result<(), Refusal> {
    if first > last || last >= size {
        return Err(Refusal::invalid(
            what,
            format!("{} to {}", first + 1, last + 1),
            format!("lines 1 to {size}"),
        ));
    }
    let most = if what == "rows" { 409.5 } else { 255.0 };
    if let Some(found) = change.size.filter(|found| !(0.0..=most).contains(found)) {
        return Err(Refusal::invalid("size", found, format!("0 to {most}")));
    }
    if let Some(found) = change.outline.filter(|level| *level > 7) {
        return Err(Refusal::invalid("outline", found, "0 to 7"));
    }
    Ok(())
}

pub(crate) fn set_columns(
    view: &View,
    name: &str,
    first: u32,
    last: u32,
    change: &LineChange,
) -> Result<Planned<Outcome>, Refusal> {
    check_lines("columns", first, last, formula::MAX_COLS, change)?;
    let sheet = view.sheet(name)?;
    let mut patch = Patch::new();
    columns_with(&sheet, first, last, &mut patch, &mut |attributes| {
        if let Some(width) = change.size {
            set(attributes, "width", Some(width.to_string()));
            set(attributes, "customWidth", Some("1".to_owned()));
        }
        if let Some(hidden) = change.hidden {
            set(attributes, "hidden", hidden.then(|| "1".to_owned()));
        }
        if let Some(level) = change.outline {
            set(attributes, "outlineLevel", (level > 0).then(|| level.to_string()));
        }
        if let Some(closed) = change.collapsed {
            set(attributes, "collapsed", closed.then(|| "1".to_owned()));
        }
    })?;
    let area = Area { top: 0, bottom: formula::MAX_ROWS - 1, left: first, right: last };
    let step = Step { patch, summary: format!("Set columns {area} of {}", sheet.name()), notes: Vec::new() };
    Ok(Planned {
        step,
        outcome: Outcome { sheet: sheet.name().to_owned(), touched: vec![area], ..Outcome::default() },
    })
}

pub(crate) fn set_rows(
    view: &View,
    name: &str,
    first: u32,
    last: u32,
    change: &LineChange,
) -> Result<Planned<Outcome>, Refusal> {
    check_lines("rows", first, last, formula::MAX_ROWS, change)?;
    if u64::from(last - first) > MOST_CELLS / 10 {
        return Err(crate::edits::entry::rule(
            "TOO_MANY_CELLS",
            format!("the edit sets {} rows", last - first + 1),
            format!("set {} at most in one edit", MOST_CELLS / 10),
        ));
    }
    let sheet = view.sheet(name)?;
    let mut patch = Patch::new();
    change_rows(&sheet, first, last, change, &mut patch)?;
    let area = Area { top: first, bottom: last, left: 0, right: formula::MAX_COLS - 1 };
    let step = Step { patch, summary: format!("Set rows {area} of {}", sheet.name()), notes: Vec::new() };
    Ok(Planned {
        step,
        outcome: Outcome { sheet: sheet.name().to_owned(), touched: vec![area], ..Outcome::default() },
    })
}

/// Plans a change of rows `first..=last`; several of one sheet go into one patch where their rows differ.
pub(crate) fn change_rows(
    sheet: &SheetView<'_>,
    first: u32,
    last: u32,
    change: &LineChange,
    patch: &mut Patch,
) -> Result<(), Refusal> {
    let worksheet = sheet.worksheet;
    let prefix = &worksheet.spelling().prefix;
    let mut settings: Vec<(&str, Option<String>)> = Vec::new();
    if let Some(height) = change.size {
        settings.push(("ht", Some(height.to_string())));
        settings.push(("customHeight", Some("1".to_owned())));
    }
    if let Some(hidden) = change.hidden {
        settings.push(("hidden", hidden.then(|| "1".to_owned())));
    }
    if let Some(level) = change.outline {
        settings.push(("outlineLevel", (level > 0).then(|| level.to_string())));
    }
    if let Some(closed) = change.collapsed {
        settings.push(("collapsed", closed.then(|| "1".to_owned())));
    }
    let added: String = settings
        .iter()
        .filter_map(|(name, value)| Some(format!(" {name}=\"{}\"", value.as_ref()?)))
        .collect();
    for row in first..=last {
        match worksheet.find_row(row)? {
            RowSpot::Missing(_) if added.is_empty() => {}
            RowSpot::Missing(at) => {
                put_row(sheet, patch, at, &format!("<{prefix}row r=\"{}\"{added}/>", row + 1))?;
            }
            RowSpot::Found(range, found) => {
                let bytes = worksheet.blob.slice(range.start..range.start + found.tag.end);
                let names: Vec<&str> = settings.iter().map(|(name, _)| *name).collect();
                let kept = other_attributes(&bytes, 0, &names);
                let end = if found.tag.closes_itself { "/>" } else { ">" };
                let tag = format!("<{prefix}row{kept}{added}{end}");
                if tag.as_bytes() != bytes.cut(..found.tag.end)? {
                    patch.splice(&worksheet.part, range.start..range.start + found.tag.end, tag)?;
                }
            }
        }
    }
    Ok(())
}

pub(crate) fn merge(view: &View, name: &str, area: Area) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    if area.is_cell() {
        return Err(Refusal::invalid("range", area, "more than one cell to merge"));
    }
    if let Some(other) = sheet.merges().into_iter().find(|merge| merge.intersects(&area)) {
        return Err(Refusal::Unsafe {
            why: format!("{area} overlaps the merged cells {other}"),
            instead: Some(format!("unmerge {other} first")),
        });
    }
    if let Some(table) = sheet.tables()?.into_iter().find(|table| table.area.intersects(&area)) {
        return Err(Refusal::Unsafe {
            why: format!("{area} overlaps table `{}`, and cells of a table cannot be merged", table.name),
            instead: None,
        });
    }
    let arrays = sheet.worksheet.arrays()?;
    if let Some(array) = arrays.iter().find(|array| array.area.intersects(&area) && array.area.count() > 1) {
        return Err(Refusal::Unsafe {
            why: format!("{area} overlaps the array over {}, which has no room in merged cells", array.area),
            instead: Some(format!("clear its formula in {} first", array.at)),
        });
    }
    let mut lost = None;
    sheet.each_cell(area, &mut |cell| {
        if cell.at != area.first() && (cell.formula.is_some() || !cell.value.is_blank()) {
            lost.get_or_insert(cell.at);
        }
    })?;
    if let Some(at) = lost {
        return Err(Refusal::Unsafe {
            why: format!("merging {area} would lose what {at} holds"),
            instead: Some(format!("clear all cells of {area} but {} first", area.first())),
        });
    }
    let xml = Xml::frame(sheet.worksheet);
    let prefix = &sheet.worksheet.spelling().prefix;
    let markup = format!("<{prefix}mergeCell ref=\"{area}\"/>");
    let mut patch = Patch::new();
    match xml.root().child(ns::S, "mergeCells") {
        Some(list) => {
            if let Some(count) = crate::file::workbook::number(&list, "count") {
                xml.set_attribute(&mut patch, &list, "count", &(count + 1).to_string())?;
            }
            xml.append(&mut patch, &list, &markup)?;
        }
        None => {
            let whole = format!("<{prefix}mergeCells count=\"1\">{markup}</{prefix}mergeCells>");
            xml.insert(&mut patch, WORKSHEET_ORDER, "mergeCells", &whole)?;
        }
    }
    let step = Step { patch, summary: format!("Merge {}!{area}", sheet.name()), notes: Vec::new() };
    Ok(Planned {
        step,
        outcome: Outcome { sheet: sheet.name().to_owned(), touched: vec![area], ..Outcome::default() },
    })
}

pub(crate) fn unmerge(view: &View, name: &str, area: Area) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let xml = Xml::frame(sheet.worksheet);
    let list = xml.root().child(ns::S, "mergeCells");
    let nodes: Vec<_> = list.iter().flat_map(|list| list.elements()).collect();
    let going: Vec<_> = nodes
        .iter()
        .filter(|node| {
            let merge = crate::file::workbook::string(node, "ref").and_then(|text| text.parse::<Area>().ok());
            merge.is_some_and(|merge| merge.intersects(&area))
        })
        .collect();
    let Some(list) = list.filter(|_| !going.is_empty()) else {
        return Err(Refusal::not_found("merged cells in", area.to_string()));
    };
    let mut patch = Patch::new();
    if going.len() == nodes.len() {
        xml.remove(&mut patch, &list)?;
    } else {
        for node in &going {
            xml.remove(&mut patch, node)?;
        }
        if list.attribute(ns::NONE, "count").is_some() {
            xml.set_attribute(&mut patch, &list, "count", &(nodes.len() - going.len()).to_string())?;
        }
    }
    let step = Step { patch, summary: format!("Unmerge {}!{area}", sheet.name()), notes: Vec::new() };
    Ok(Planned {
        step,
        outcome: Outcome { sheet: sheet.name().to_owned(), touched: vec![area], ..Outcome::default() },
    })
}

pub(crate) fn freeze(view: &View, name: &str, rows: u32, columns: u32) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    if rows >= formula::MAX_ROWS || columns >= formula::MAX_COLS {
        return Err(Refusal::invalid(
            "panes",
            format!("{rows} rows, {columns} columns"),
            "fewer than the sheet has",
        ));
    }
    let xml = Xml::frame(sheet.worksheet);
    let prefix = &sheet.worksheet.spelling().prefix;
    let corner = CellRef::new(rows, columns);
    let pane = match (rows, columns) {
        (0, 0) => None,
        (_, 0) => Some("bottomLeft"),
        (0, _) => Some("topRight"),
        _ => Some("bottomRight"),
    };
    let markup = pane.map_or_else(String::new, |pane| {
        let x = if columns > 0 { format!(" xSplit=\"{columns}\"") } else { String::new() };
        let y = if rows > 0 { format!(" ySplit=\"{rows}\"") } else { String::new() };
        format!(
            "<{prefix}pane{x}{y} topLeftCell=\"{corner}\" activePane=\"{pane}\" state=\"frozen\"/>\
             <{prefix}selection pane=\"{pane}\"/>"
        )
    });
    let mut patch = Patch::new();
    let view_node = xml.root().child(ns::S, "sheetViews").and_then(|views| views.child(ns::S, "sheetView"));
    match view_node {
        Some(node) => {
            // Selections belong to panes that are gone now.
            for child in node.elements().filter(|node| matches!(node.name().local, "pane" | "selection")) {
                xml.remove(&mut patch, &child)?;
            }
            if !markup.is_empty() {
                match node.closes_itself() {
                    true => xml.append(&mut patch, &node, &markup)?,
                    false => {
                        let at = node.content_span().start;
                        xml.splice(&mut patch, at..at, markup)?;
                    }
                }
            }
        }
        None if markup.is_empty() => {}
        None => {
            let whole = format!(
                "<{prefix}sheetViews><{prefix}sheetView workbookViewId=\"0\">{markup}</{prefix}sheetView></{prefix}sheetViews>"
            );
            xml.insert(&mut patch, WORKSHEET_ORDER, "sheetViews", &whole)?;
        }
    }
    let step = Step {
        patch,
        summary: format!("Freeze {rows} rows and {columns} columns of {}", sheet.name()),
        notes: Vec::new(),
    };
    Ok(Planned {
        step,
        outcome: Outcome { sheet: sheet.name().to_owned(), touched: Vec::new(), ..Outcome::default() },
    })
}
