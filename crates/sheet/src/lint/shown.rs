//! What a reader of the sheet does not see: texts and numbers that are larger than their cells, and objects that lie
//! over cells or over each other.
//!
//! Widths are those of fonts that stand for Office's own, so only what is clearly cut off is told. Hidden rows,
//! columns and sheets hide on purpose, and so does shrinking.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use edit::Refusal;
use formula::Value;

use super::survey::{LintCell, Survey};
use super::{FindingList, Severity};
use crate::calc::place::AreaOnSheet;
use crate::file::a1::{Area, CellRef};
use crate::file::workbook::TabKind;
use crate::read::sheet_view::SheetView;
use crate::resolved::metrics::{Family, Likeness, column_pixels, default_column_pixels, digit_width};
use crate::resolved::metrics::{PIXELS_PER_POINT, line_height, text_width};
use crate::resolved::{Anchor, Corner, Look, Placed, PlacedKind};

/// English metric units of a pixel at 96 to the inch.
const UNITS_PER_PIXEL: f64 = 9_525.0;
/// Sheets with more objects are drawings rather than tables.
const MOST_OBJECTS: usize = 200;
/// A text may be followed by this many cells that it spreads over.
const MOST_SPREAD: u32 = 60;

pub(super) fn of_sheet(
    survey: &mut Survey<'_>,
    sheet: usize,
    found: &mut FindingList,
) -> Result<(), Refusal> {
    let tabs = &survey.view.workbook().sheets;
    let is_worksheet = tabs.get(sheet).is_some_and(|tab| tab.kind == TabKind::Worksheet);
    if !is_worksheet || survey.sheets.get(sheet).is_none_or(|sheet| sheet.hidden) {
        return Ok(());
    }
    let view = survey.view.sheet_at(sheet)?;
    let layout = Layout::of(&view)?;
    if found.wants("D032") || found.wants("D034") {
        clipped(survey, sheet, &view, &layout, found)?;
    }
    if found.wants("D041") || found.wants("D042") {
        objects(survey, sheet, &view, &layout, found)?;
    }
    Ok(())
}

/// How wide columns and how high rows are, in pixels.
struct Layout {
    columns: Vec<(u32, u32, f64)>,
    usual: f64,
    usual_height: f64,
}

impl Layout {
    fn of(view: &SheetView<'_>) -> Result<Layout, Refusal> {
        let shape = view.shape();
        let normal = view.book.look(0)?.font;
        let digit = digit_width(&normal);
        let usual = match shape.column_width {
            Some(width) => column_pixels(width, digit),
            None => default_column_pixels(shape.base_width.unwrap_or(8), digit),
        };
        let columns = view.columns().into_iter().map(|columns| {
            let width = match (columns.hidden, columns.width) {
                (true, _) => 0.0,
                (false, Some(width)) => column_pixels(width, digit),
                (false, None) => usual,
            };
            (columns.first, columns.last, width)
        });
        let usual_height = match (shape.rows_hidden, shape.row_height) {
            (true, _) => 0.0,
            (false, Some(points)) => points * PIXELS_PER_POINT,
            (false, None) => line_height(&normal) + 2.0,
        };
        Ok(Layout { columns: columns.collect(), usual, usual_height })
    }

    fn width(&self, column: u32) -> f64 {
        let own = self.columns.iter().find(|(first, last, _)| (*first..=*last).contains(&column));
        own.map_or(self.usual, |(_, _, width)| *width)
    }

    fn height(&self, view: &SheetView<'_>, row: u32) -> Result<f64, Refusal> {
        let own = view.row_properties(row)?;
        Ok(match (own.hidden, own.height) {
            (true, _) => 0.0,
            (false, Some(points)) => points * PIXELS_PER_POINT,
            (false, None) => self.usual_height,
        })
    }
}

/// The cells of a column that are cut off in one way.
struct CutOff {
    first: CellRef,
    count: usize,
    /// By how many pixels the worst is too large, and which one it is.
    worst: (f64, CellRef),
    bottom: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    /// A number that is shown as `###`.
    Hashes,
    /// A text that stops at the next filled cell.
    Width,
    Height,
}

/// D032 and D034: what is shown of a cell is cut off at its side, or below. Told once for a column.
fn clipped(
    survey: &Survey<'_>,
    sheet: usize,
    view: &SheetView<'_>,
    layout: &Layout,
    found: &mut FindingList,
) -> Result<(), Refusal> {
    let Some(cells) = survey.sheets.get(sheet) else { return Ok(()) };
    let mut looks: HashMap<u32, Arc<Look>> = HashMap::new();
    let mut cut: BTreeMap<(u32, Cut), CutOff> = BTreeMap::new();
    for cell in &cells.cells {
        survey.cx.stop.check()?;
        let look = match looks.get(&cell.style) {
            Some(known) => Arc::clone(known),
            None => {
                let look = Arc::new(survey.view.look(cell.style)?);
                looks.insert(cell.style, Arc::clone(&look));
                look
            }
        };
        let fits = layout.width(cell.at.col) == 0.0 || cells.merges.iter().any(|area| area.contains(cell.at));
        if fits || look.alignment.shrink || look.alignment.rotation != 0 {
            continue;
        }
        let Some((how, missing)) = missing(survey, sheet, view, layout, cell, &look)? else { continue };
        let column = cut.entry((cell.at.col, how)).or_insert(CutOff {
            first: cell.at,
            count: 0,
            worst: (0.0, cell.at),
            bottom: cell.at.row,
        });
        column.count += 1;
        column.bottom = cell.at.row;
        if missing > column.worst.0 {
            column.worst = (missing, cell.at);
        }
    }
    for ((_, how), column) in cut {
        let worst = survey.address(AreaOnSheet { sheet, area: Area::cell(column.worst.1) });
        let others = match column.count {
            1 => String::new(),
            2 => " So is one more cell of the column.".to_owned(),
            count => format!(" So are {} more cells of the column.", count - 1),
        };
        let (id, severity, message) = match how {
            Cut::Hashes => (
                "D032",
                Severity::Warning,
                format!("{worst} is shown as ###, because its column is too narrow for the number.{others}"),
            ),
            Cut::Width => (
                "D032",
                Severity::Info,
                format!("the text of {worst} is cut off where the next filled cell begins.{others}"),
            ),
            Cut::Height => (
                "D034",
                Severity::Info,
                format!("the text of {worst} is higher than its row, so its end is not seen.{others}"),
            ),
        };
        let area = Area { bottom: column.bottom, ..Area::cell(column.first) };
        found.push_as(severity, id, Some(AreaOnSheet { sheet, area }), None, message);
    }
    Ok(())
}

/// How a cell is cut off and by how many pixels, if it clearly is.
fn missing(
    survey: &Survey<'_>,
    sheet: usize,
    view: &SheetView<'_>,
    layout: &Layout,
    cell: &LintCell,
    look: &Look,
) -> Result<Option<(Cut, f64)>, Refusal> {
    let own = layout.width(cell.at.col);
    // Where another font stands for the one that is asked for, it may be a good deal wider.
    let slack = match Family::of(&look.font.name).1 {
        Likeness::SameWidths => 1.02,
        Likeness::SameKind => 1.2,
    };
    match &cell.value {
        Value::Number(_) => {
            let code = look.number_format.as_str();
            // A filled one fits itself.
            if code.contains('*') {
                return Ok(None);
            }
            let shown = match (code, &cell.value) {
                // Without a format a number loses decimals, and a large one digits, rather than its place.
                ("General", Value::Number(number)) => shortest(*number),
                _ => survey.view.text(&cell.value, cell.style)?,
            };
            let width = text_width(&look.font, shown.trim());
            let is_cut = width > own * slack && layout.height(view, cell.at.row)? > 0.0;
            Ok(is_cut.then_some((Cut::Hashes, width - own)))
        }
        Value::Text(text) if !text.trim().is_empty() => {
            let shown = survey.view.text(&cell.value, cell.style)?;
            if look.alignment.wrap {
                return too_high(view, layout, cell, look, &shown, slack);
            }
            let spreads = matches!(
                look.alignment.horizontal.as_deref(),
                Some("fill" | "centerContinuous" | "distributed" | "justify")
            );
            let width = text_width(&look.font, shown.lines().next().unwrap_or("").trim());
            if spreads || width <= own * slack + 4.0 {
                return Ok(None);
            }
            let room = room(survey, sheet, layout, cell.at, look, width);
            let is_cut = width > room * slack + 4.0 && layout.height(view, cell.at.row)? > 0.0;
            Ok(is_cut.then_some((Cut::Width, width - room)))
        }
        _ => Ok(None),
    }
}

/// The least that is shown of a number without a format: no decimals, or one digit and its power of ten.
fn shortest(number: f64) -> String {
    let whole = format!("{:.0}", number);
    let power = match format!("{number:.0E}").split_once('E') {
        Some((digits, power)) => format!("{digits}E+{:0>2}", power.trim_start_matches('-')),
        None => whole.clone(),
    };
    if power.len() < whole.len() { power } else { whole }
}

/// The pixels that a text can be seen on: its cell and the empty ones that it spreads over.
fn room(survey: &Survey<'_>, sheet: usize, layout: &Layout, at: CellRef, look: &Look, wanted: f64) -> f64 {
    let own = layout.width(at.col);
    let is_filled = |col: u32| {
        let place = AreaOnSheet { sheet, area: Area::cell(CellRef::new(at.row, col)) };
        survey.cells_in(place).any(|cell| cell.text() != Some(""))
    };
    let (left, right) = match look.alignment.horizontal.as_deref() {
        Some("right") => (true, false),
        Some("center") => (true, true),
        _ => (false, true),
    };
    let mut room = own;
    if right {
        let columns = at.col + 1..(at.col + MOST_SPREAD).min(16_384);
        for col in columns.take_while(|col| !is_filled(*col)) {
            room += layout.width(col);
            if room >= wanted {
                break;
            }
        }
    }
    if left {
        let mut more = 0.0;
        let columns = at.col.saturating_sub(MOST_SPREAD)..at.col;
        for col in columns.rev().take_while(|col| !is_filled(*col)) {
            more += layout.width(col);
            if more >= wanted {
                break;
            }
        }
        room += more;
    }
    room
}

/// A wrapped text with at least half a line more than its row has room for.
fn too_high(
    view: &SheetView<'_>,
    layout: &Layout,
    cell: &LintCell,
    look: &Look,
    shown: &str,
    slack: f64,
) -> Result<Option<(Cut, f64)>, Refusal> {
    // A row of which nothing is said becomes as high as it must.
    let row = view.row_properties(cell.at.row)?;
    let Some(height) = row.height.filter(|height| !row.hidden && *height > 0.0) else { return Ok(None) };
    let height = height * PIXELS_PER_POINT;
    let width = layout.width(cell.at.col) * slack;
    let line = line_height(&look.font);
    let needed = f64::from(lines(shown, &look.font, width)) * line;
    Ok((needed > height + line * 0.6).then_some((Cut::Height, needed - height)))
}

/// How many lines a text takes in so many pixels, broken between words.
fn lines(text: &str, font: &crate::resolved::LookFont, width: f64) -> u32 {
    let blank = text_width(font, " ");
    let mut count = 0;
    for paragraph in text.trim_end().split('\n') {
        count += 1;
        let mut used = 0.0;
        for word in paragraph.split_whitespace() {
            let word = text_width(font, word);
            let behind = if used > 0.0 { used + blank + word } else { word };
            if behind <= width {
                used = behind;
                continue;
            }
            count += u32::from(used > 0.0);
            // A word that is longer than a line goes on in the next ones.
            let more = (word / width).floor().clamp(0.0, 100.0);
            count += more as u32;
            used = word - more * width;
        }
    }
    count
}

/// Where an object lies, in pixels, and which cells it hides whole.
struct Lying {
    name: String,
    is_chart: bool,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    /// Nothing if it hides no cell whole.
    cells: Option<Area>,
}

impl Lying {
    fn area(&self) -> f64 {
        (self.right - self.left).max(0.0) * (self.bottom - self.top).max(0.0)
    }

    fn common(&self, other: &Lying) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        width.max(0.0) * height.max(0.0)
    }
}

/// D041 and D042: charts and pictures over cells that hold something, and over each other.
fn objects(
    survey: &Survey<'_>,
    sheet: usize,
    view: &SheetView<'_>,
    layout: &Layout,
    found: &mut FindingList,
) -> Result<(), Refusal> {
    let mut lying = Vec::new();
    for placed in view.placed()?.iter().take(MOST_OBJECTS) {
        lying.extend(lies(view, layout, placed)?);
    }
    for (index, one) in lying.iter().enumerate() {
        survey.cx.stop.check()?;
        if let Some(area) = one.cells {
            let is_seen = |cell: &&LintCell| cell.text() != Some("") && layout.width(cell.at.col) > 0.0;
            let mut hidden = Vec::new();
            for cell in survey.cells_in(AreaOnSheet { sheet, area }).filter(is_seen) {
                if layout.height(view, cell.at.row)? > 0.0 {
                    hidden.push(cell.at);
                }
            }
            if let Some(first) = hidden.first() {
                let more = match hidden.len() {
                    1 => String::new(),
                    count => format!(" and {} more filled cells", count - 1),
                };
                let message = format!(
                    "{} covers {}{more}, which nobody sees behind it.",
                    one.name,
                    survey.address(AreaOnSheet { sheet, area: Area::cell(*first) })
                );
                found.push("D041", Some(AreaOnSheet { sheet, area }), None, message);
            }
        }
        for other in lying.iter().skip(index + 1) {
            let common = one.common(other);
            let smaller = one.area().min(other.area());
            // A logo on a picture is put there on purpose; a chart on a chart is not.
            let within = common > smaller * 0.98 && !(one.is_chart && other.is_chart);
            if smaller <= 0.0 || common < smaller * 0.05 || within {
                continue;
            }
            let message = format!("{} covers a part of {}.", other.name, one.name);
            let at = other.cells.or(one.cells).map(|area| AreaOnSheet { sheet, area });
            found.push("D042", at, None, message);
        }
    }
    Ok(())
}

fn lies(view: &SheetView<'_>, layout: &Layout, placed: &Placed) -> Result<Option<Lying>, Refusal> {
    let (kind, is_chart) = match placed.kind {
        PlacedKind::Chart | PlacedKind::NewerChart => ("chart", true),
        PlacedKind::Picture => ("picture", false),
        // Shapes may have no ground, and mark the cells that they lie on.
        _ => return Ok(None),
    };
    let name = match &placed.name {
        Some(name) => format!("the {kind} `{name}`"),
        None => format!("a {kind}"),
    };
    let in_pixels = |units: i64| units as f64 / UNITS_PER_PIXEL;
    let corner = |corner: &Corner| -> Result<(f64, f64), Refusal> {
        let mut y = in_pixels(corner.y);
        for row in 0..corner.cell.row.min(20_000) {
            y += layout.height(view, row)?;
        }
        let x: f64 = (0..corner.cell.col).map(|column| layout.width(column)).sum();
        Ok((x + in_pixels(corner.x), y))
    };
    let (left, top, right, bottom) = match &placed.anchor {
        Anchor::Between { from, to } => {
            let ((left, top), (right, bottom)) = (corner(from)?, corner(to)?);
            (left, top, right, bottom)
        }
        Anchor::At { from, width, height } => {
            let (left, top) = corner(from)?;
            (left, top, left + in_pixels(*width), top + in_pixels(*height))
        }
        Anchor::Fixed { x, y, width, height } => {
            let (left, top) = (in_pixels(*x), in_pixels(*y));
            (left, top, left + in_pixels(*width), top + in_pixels(*height))
        }
    };
    let columns = whole(left, right, &mut |column| Ok(layout.width(column)), 16_384)?;
    let rows = whole(top, bottom, &mut |row| layout.height(view, row), 20_000)?;
    let cells = columns.zip(rows).map(|((left, right), (top, bottom))| Area { top, left, bottom, right });
    Ok(Some(Lying { name, is_chart, left, top, right, bottom, cells }))
}

/// The first and last line that lie wholly between two pixels, but for a pixel or two.
fn whole(
    from: f64,
    to: f64,
    size: &mut dyn FnMut(u32) -> Result<f64, Refusal>,
    most: u32,
) -> Result<Option<(u32, u32)>, Refusal> {
    let mut lines: Option<(u32, u32)> = None;
    let mut start = 0.0;
    for line in 0..most {
        let end = start + size(line)?;
        if start >= from - 2.0 && end <= to + 2.0 && end > start {
            lines = Some((lines.map_or(line, |(first, _)| first), line));
        }
        if end > to + 2.0 {
            break;
        }
        start = end;
    }
    Ok(lines)
}
