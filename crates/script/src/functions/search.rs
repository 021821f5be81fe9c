//! Finding cells and rows, and replacing text in them.

use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sheet::{Area, Cell, CellChange, CellRef, Edit, Input, Value};

use super::cell_value::{Around, Visibility, letters, plain};
use super::layout::{Layout, Role};
use super::matcher::{Fit, Matcher, MatcherArg, PatternArg, compiled};
use super::read::{TsvOptions, context, tsv};
use super::write::{Diag, told};
use super::{Entry, Listed, entry, function};
use crate::host::{Fault, Host, Range};
use crate::reference::{self, RangeArg};

pub(super) fn entries() -> Vec<Entry> {
    vec![entry::<FindCells>(), entry::<FindRows>(), entry::<FindAndReplace>()]
}

const DEFAULT_LIMIT: usize = 20;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindOptions {
    /// Where to look; the whole workbook by default.
    #[serde(rename = "in")]
    within: Option<RangeArg>,
    /// How many cells around to show.
    #[schemars(range(min = 0, max = 20))]
    context: Option<u32>,
    /// 20 by default.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
    #[serde(default)]
    offset: usize,
    /// Look at formulas too.
    #[serde(default)]
    formulas: bool,
}

/// A cell that was found, best first, with what it seems to be.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoundCell {
    #[serde(rename = "type")]
    kind: CellTag,
    address: String,
    value: Json,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<String>,
    row: u32,
    col: u32,
    col_letter: String,
    sheet: String,
    visibility: Visibility,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    role: Role,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CellTag {
    Cell,
}

function! {
    /// Cells that match, best first. The answer is cut at `limit`; ask again with `offset` for more.
    "findCells" FindCells { matcher: MatcherArg, options: Option<FindOptions> } -> Listed<FoundCell> => find_cells
}

fn find_cells(host: &mut Host, call: FindCells) -> Result<Listed<FoundCell>, Fault> {
    let options = call.options.unwrap_or_default();
    let hits = hits(host, &call.matcher, options.within.as_ref(), options.formulas)?;
    let limit = options.limit.unwrap_or(DEFAULT_LIMIT);
    let truncated = hits.len() > options.offset.saturating_add(limit);
    let mut found = Vec::new();
    let mut around: Option<(usize, Around, Rc<Layout>)> = None;
    for hit in hits.into_iter().skip(options.offset).take(limit) {
        if around.as_ref().is_none_or(|(sheet, ..)| *sheet != hit.sheet) {
            around = Some((hit.sheet, Around::new(host, hit.sheet)?, host.layout(hit.sheet)?));
        }
        let Some((_, around, layout)) = around.as_mut() else { continue };
        let at = hit.cell.at;
        let value = around.cell(host, at, Some(&hit.cell))?;
        let steps = options.context.unwrap_or(0);
        found.push(FoundCell {
            kind: CellTag::Cell,
            address: value.address,
            value: value.value,
            text: value.text,
            formula: value.formula,
            row: value.row,
            col: value.col,
            col_letter: value.col_letter,
            sheet: value.sheet,
            visibility: value.visibility,
            context: if steps > 0 { Some(context(host, hit.sheet, at, steps)?) } else { None },
            role: layout.role(at, &hit.cell),
        });
    }
    Ok(Listed { list: found, truncated })
}

/// A cell that matched.
struct Hit {
    sheet: usize,
    cell: Cell,
}

fn hits(
    host: &mut Host,
    matcher: &MatcherArg,
    within: Option<&RangeArg>,
    formulas: bool,
) -> Result<Vec<Hit>, Fault> {
    let matcher = Matcher::new(matcher)?;
    let mut found: Vec<(Fit, Hit)> = Vec::new();
    for range in scope(host, within)? {
        host.cx().stop.check()?;
        for cell in host.sheet(range.sheet)?.cells(range.area)? {
            if matches!(cell.value, Value::Blank) && cell.formula.is_none() {
                continue;
            }
            let cell = host.valued(range.sheet, cell)?;
            let shown = host.text(&cell.value, cell.style)?;
            let by_formula = cell.formula.as_ref().filter(|_| formulas);
            let by_formula = by_formula
                .and_then(|formula| matcher.fit(&Value::Blank, &format!("={}", formula.shown()), None));
            let day = day_of(host, &cell)?;
            if let Some(fit) =
                [matcher.fit(&cell.value, &shown, day.as_deref()), by_formula].into_iter().flatten().min()
            {
                found.push((fit, Hit { sheet: range.sheet, cell }));
            }
        }
        host.read(range);
    }
    if found.iter().any(|(fit, _)| *fit < Fit::Nearly) {
        found.retain(|(fit, _)| *fit < Fit::Nearly);
    }
    // Stable, so that cells of one fit stay in the order of the sheets.
    found.sort_by_key(|(fit, _)| *fit);
    Ok(found.into_iter().map(|(_, hit)| hit).collect())
}

/// The day of a cell that shows a date, as `2024-02-29`, by which it is found whatever its format is.
pub(crate) fn day_of(host: &Host, cell: &Cell) -> Result<Option<String>, Fault> {
    if !host.view().is_date(cell)? {
        return Ok(None);
    }
    let Value::Number(serial) = cell.value else { return Ok(None) };
    Ok(host.view().day_of_serial(serial))
}

/// The range that was named, or what every sheet holds.
fn scope(host: &Host, within: Option<&RangeArg>) -> Result<Vec<Range>, Fault> {
    if let Some(range) = within {
        return Ok(vec![reference::range(host, range)?]);
    }
    let mut all = Vec::new();
    for sheet in host.view().worksheets() {
        let sheet = sheet?;
        if let Some(area) = sheet.extent()? {
            all.push(Range { sheet: sheet.position, area });
        }
    }
    Ok(all)
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoundRow {
    #[serde(rename = "type")]
    kind: RowTag,
    row: u32,
    sheet: String,
    matched_at: String,
    range: String,
    tsv: String,
    visibility: Visibility,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RowTag {
    Row,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindRowOptions {
    #[serde(rename = "in")]
    within: Option<RangeArg>,
    /// How many rows around to show.
    #[schemars(range(min = 0, max = 20))]
    context: Option<u32>,
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
    #[serde(default)]
    offset: usize,
}

function! {
    /// Whole rows in which a cell matches.
    "findRows" FindRows { matcher: MatcherArg, options: Option<FindRowOptions> } -> Listed<FoundRow> => find_rows
}

fn find_rows(host: &mut Host, call: FindRows) -> Result<Listed<FoundRow>, Fault> {
    let options = call.options.unwrap_or_default();
    let hits = hits(host, &call.matcher, options.within.as_ref(), false)?;
    let mut seen = std::collections::BTreeSet::new();
    let rows: Vec<Hit> = hits.into_iter().filter(|hit| seen.insert((hit.sheet, hit.cell.at.row))).collect();
    let limit = options.limit.unwrap_or(DEFAULT_LIMIT);
    let truncated = rows.len() > options.offset.saturating_add(limit);
    let mut found = Vec::new();
    for hit in rows.into_iter().skip(options.offset).take(limit) {
        let at = hit.cell.at;
        let extent = host.extent(hit.sheet)?.unwrap_or(Area::cell(at));
        let area = Area { top: at.row, bottom: at.row, ..extent };
        let steps = options.context.unwrap_or(0);
        let wide =
            Area { top: at.row.saturating_sub(steps), bottom: (at.row + steps).min(extent.bottom), ..extent };
        let range = Range { sheet: hit.sheet, area };
        host.read(range);
        found.push(FoundRow {
            kind: RowTag::Row,
            row: at.row + 1,
            sheet: host.sheet_name(hit.sheet),
            matched_at: host.address(hit.sheet, at),
            range: host.address(hit.sheet, area),
            tsv: tsv(host, range, &TsvOptions::default())?,
            visibility: Around::new(host, hit.sheet)?.visibility(host, at)?,
            context: match steps {
                0 => None,
                _ => Some(tsv(host, Range { sheet: hit.sheet, area: wide }, &TsvOptions::default())?),
            },
        });
    }
    Ok(Listed { list: found, truncated })
}

/// A text or a RegExp.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Sought {
    Text(String),
    Pattern(PatternArg),
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ReplaceOptions {
    #[serde(rename = "in")]
    within: Option<RangeArg>,
    #[serde(default)]
    match_case: bool,
    /// Only cells that are the text and nothing else.
    #[serde(default)]
    whole_cell: bool,
    /// In the text of formulas too.
    #[serde(default)]
    in_formulas: bool,
    #[schemars(range(min = 1))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Replaced {
    replaced: usize,
    cells: Vec<String>,
    errors: Vec<Diag>,
}

function! {
    /// Replace text in the texts of cells (and in formulas, if asked for). Numbers and dates stay.
    "findAndReplace" FindAndReplace { find: Sought, replace: String, options: Option<ReplaceOptions> } -> Replaced => find_and_replace
}

fn find_and_replace(host: &mut Host, call: FindAndReplace) -> Result<Replaced, Fault> {
    let options = call.options.unwrap_or_default();
    let (pattern, literal) = match &call.find {
        Sought::Text(text) if text.is_empty() => {
            return Err(Fault::invalid("an empty text cannot be replaced"));
        }
        Sought::Text(text) => {
            let source = regex::escape(text);
            let flags = if options.match_case { "" } else { "i" };
            (PatternArg { source, flags: flags.to_owned() }, true)
        }
        Sought::Pattern(pattern) => (pattern.clone(), false),
    };
    let source = if options.whole_cell { format!("^(?:{})$", pattern.source) } else { pattern.source };
    let pattern = compiled(&PatternArg { source, flags: pattern.flags })?;
    let with = |text: &str| -> String {
        match literal {
            true => pattern.replace_all(text, regex::NoExpand(&call.replace)).into_owned(),
            false => pattern.replace_all(text, script_groups(&call.replace).as_str()).into_owned(),
        }
    };
    let limit = options.limit.unwrap_or(usize::MAX);
    let mut edits: Vec<(usize, Vec<CellChange>)> = Vec::new();
    let mut cells: Vec<(usize, CellRef)> = Vec::new();
    'all: for range in scope(host, options.within.as_ref())? {
        host.read(range);
        let mut changes = Vec::new();
        for cell in host.sheet(range.sheet)?.cells(range.area)? {
            if cells.len() >= limit {
                edits.push((range.sheet, changes));
                break 'all;
            }
            let input = match (&cell.formula, &cell.value) {
                (Some(formula), _) if options.in_formulas => {
                    let old = formula.shown();
                    Some(with(&old)).filter(|new| *new != old).map(Input::Formula)
                }
                (None, Value::Text(text)) => Some(with(text)).filter(|new| **new != **text).map(Input::Text),
                _ => None,
            };
            if let Some(input) = input {
                cells.push((range.sheet, cell.at));
                changes.push(CellChange { at: cell.at, input });
            }
        }
        edits.push((range.sheet, changes));
    }
    let edits: Vec<Edit> = edits
        .into_iter()
        .filter(|(_, cells)| !cells.is_empty())
        .map(|(sheet, cells)| Edit::SetCells { sheet: host.sheet_name(sheet), cells, seen: None })
        .collect();
    if edits.is_empty() {
        return Ok(Replaced { replaced: 0, cells: Vec::new(), errors: Vec::new() });
    }
    let written = host.write(edits)?;
    let errors = told(host, &written)?.errors;
    let replaced = cells.len();
    let cells = cells.into_iter().take(1_000).map(|(sheet, at)| host.address(sheet, at)).collect();
    Ok(Replaced { replaced, cells, errors })
}

/// `$1` and `$&` as JavaScript means them.
fn script_groups(replacement: &str) -> String {
    let mut text = String::new();
    let mut letters = replacement.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('$', Some('&')) => {
                letters.next();
                text.push_str("${0}");
            }
            ('$', Some('$')) => {
                letters.next();
                text.push_str("$$");
            }
            ('$', Some(digit)) if digit.is_ascii_digit() => {
                text.push_str("${");
                while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                    text.push(digit);
                }
                text.push('}');
            }
            ('$', _) => text.push_str("$$"),
            (other, _) => text.push(other),
        }
    }
    text
}

/// A cell in short, for tables that look values up.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShortCell {
    pub(crate) address: String,
    pub(crate) value: Json,
    pub(crate) text: String,
    pub(crate) row: u32,
    pub(crate) col: u32,
    pub(crate) col_letter: String,
    pub(crate) sheet: String,
    pub(crate) visibility: Visibility,
}

pub(crate) fn short(host: &Host, sheet: usize, at: CellRef) -> Result<ShortCell, Fault> {
    let cell = host.sheet(sheet)?.cell(at)?.map(|cell| host.valued(sheet, cell)).transpose()?;
    let text = match &cell {
        Some(cell) => host.text(&cell.value, cell.style)?,
        None => String::new(),
    };
    Ok(ShortCell {
        address: host.address(sheet, at),
        value: cell.map_or(Json::Null, |cell| plain(&cell.value)),
        text,
        row: at.row + 1,
        col: at.col + 1,
        col_letter: letters(at.col),
        sheet: host.sheet_name(sheet),
        visibility: Around::new(host, sheet)?.visibility(host, at)?,
    })
}
