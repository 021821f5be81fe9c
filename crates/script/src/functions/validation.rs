//! What may be entered into cells: the rules, and entries held against them.

use edit::OrEmpty;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::{Area, CellOnSheet, CellRef, Edit, Input, Validation, ValidationRule, Value, allowed};

use super::cell_value::letters;
use super::write::{Given, as_input, known_sheet};
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range, quoted};
use crate::reference::{self, RangeArg, sheet_position};

pub(super) fn entries() -> Vec<Entry> {
    vec![entry::<GetDataValidations>(), entry::<SetDataValidations>(), entry::<RemoveDataValidations>()]
}

/// Comparisons by the names that scripts use, and those of files.
const OPERATORS: [(&str, &str); 8] = [
    ("Between", "between"),
    ("NotBetween", "notBetween"),
    ("EqualTo", "equal"),
    ("NotEqualTo", "notEqual"),
    ("GreaterThan", "greaterThan"),
    ("LessThan", "lessThan"),
    ("GreaterThanOrEqualTo", "greaterThanOrEqual"),
    ("LessThanOrEqualTo", "lessThanOrEqual"),
];

/// The comparison of a file by the name that scripts use.
pub(crate) fn operator_told(file: &str) -> String {
    let known = OPERATORS.iter().find(|(_, known)| *known == file);
    known.map_or_else(|| file.to_owned(), |(told, _)| (*told).to_owned())
}

pub(crate) fn operator_read(given: &str) -> Result<String, Fault> {
    let same = |known: &str| known.eq_ignore_ascii_case(given);
    let found = OPERATORS.iter().find(|(told, file)| same(told) || same(file));
    found.map(|(_, file)| (*file).to_owned()).ok_or_else(|| {
        let names: Vec<&str> = OPERATORS.iter().map(|(told, _)| *told).collect();
        Fault::invalid(format!("`{given}` is no operator; use one of {}", names.join(", ")))
    })
}

/// One of them says what may be entered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Rule {
    #[serde(skip_serializing_if = "Option::is_none")]
    whole_number: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decimal: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Choices>,
    /// Dates as `2024-02-29`, a Date or a formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<Bounds>,
    /// Times as `13:30` or a formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_length: Option<Bounds>,
    /// A formula, written for the first cell, that must be true.
    #[serde(skip_serializing_if = "Option::is_none")]
    custom: Option<Custom>,
}

/// `Between`, `NotBetween`, `EqualTo`, `NotEqualTo`, `GreaterThan`, `LessThan`, `GreaterThanOrEqualTo` or
/// `LessThanOrEqualTo`; the first two take `formula2` too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Bounds {
    operator: String,
    formula1: Bound,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    formula2: Option<Bound>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Bound {
    Number(f64),
    Text(String),
    Date(JsDate),
}

/// A JavaScript Date.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JsDate {
    #[serde(rename = "$date")]
    date: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Choices {
    source: Source,
    /// Whether the cell shows a button with the choices; it usually does.
    #[serde(default = "yes")]
    in_cell_drop_down: bool,
}

fn yes() -> bool {
    true
}

/// The choices as a list or as `"a,b,c"`, or where they stand as `"=Lists!$A$2:$A$9"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Source {
    Text(String),
    Each(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Custom {
    formula: String,
}

/// What is shown beside a cell that is selected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prompt {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// What happens on another entry: `Stop` refuses it, `Warning` and `Information` only tell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorAlert {
    #[serde(default)]
    style: AlertStyle,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) enum AlertStyle {
    #[default]
    Stop,
    Warning,
    Information,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ValidationInfo {
    /// Among the validations of its sheet, from 0.
    index: usize,
    sheet: String,
    #[serde(rename = "type")]
    kind: String,
    address: String,
    rule: Rule,
    ignore_blanks: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<Prompt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_alert: Option<ErrorAlert>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ValidationScope {
    sheet: Option<String>,
    /// Only those that touch these cells.
    address: Option<String>,
}

function! {
    /// What may be entered into cells: of the workbook, of a sheet or of some cells.
    "getDataValidations" GetDataValidations { scope: Option<ValidationScope> } -> Vec<ValidationInfo> => get_validations
}

fn get_validations(host: &mut Host, call: GetDataValidations) -> Result<Vec<ValidationInfo>, Fault> {
    let scope = call.scope.unwrap_or_default();
    let mut within = None;
    if let Some(address) = &scope.address {
        let address = match (&scope.sheet, reference::split(address)) {
            (Some(sheet), None) => format!("{}!{address}", quoted(sheet)),
            _ => address.clone(),
        };
        within = Some(reference::exact_range(host, &reference::RangeArg::Text(address))?);
    }
    let sheets: Vec<usize> = match (&within, &scope.sheet) {
        (Some(range), _) => vec![range.sheet],
        (None, Some(sheet)) => vec![sheet_position(host.view(), sheet)?],
        (None, None) => (0..host.view().workbook().sheets.len()).collect(),
    };
    let mut told = Vec::new();
    for position in sheets {
        let Ok(view) = host.sheet(position) else { continue };
        for (index, validation) in view.validations().iter().enumerate() {
            let touches = |area: &Area| {
                within.is_none_or(|range| area.hull(&range.area) == *area || overlap(area, &range.area))
            };
            if validation.areas.iter().any(touches) {
                told.push(info(host, position, index, validation));
            }
        }
    }
    Ok(told)
}

pub(crate) fn overlap(one: &Area, other: &Area) -> bool {
    one.top <= other.bottom && other.top <= one.bottom && one.left <= other.right && other.left <= one.right
}

fn info(host: &Host, sheet: usize, index: usize, known: &Validation) -> ValidationInfo {
    let bound = |formula: &Option<String>| {
        let text = formula.clone().or_empty();
        text.parse::<f64>().map_or_else(|_| Bound::Text(format!("={text}")), Bound::Number)
    };
    let bounds = || {
        Some(Bounds {
            operator: operator_told(known.operator.as_deref().unwrap_or("between")),
            formula1: bound(&known.formula1),
            formula2: known.formula2.is_some().then(|| bound(&known.formula2)),
        })
    };
    let first = known.formula1.clone().or_empty();
    let mut rule = Rule::default();
    let kind = match known.kind.as_str() {
        "whole" => {
            rule.whole_number = bounds();
            "wholeNumber"
        }
        "decimal" => {
            rule.decimal = bounds();
            "decimal"
        }
        "date" => {
            rule.date = bounds();
            "date"
        }
        "time" => {
            rule.time = bounds();
            "time"
        }
        "textLength" => {
            rule.text_length = bounds();
            "textLength"
        }
        "list" => {
            let source = match allowed::choices(&first) {
                Some(choices) => choices.join(","),
                None => format!("={first}"),
            };
            rule.list =
                Some(Choices { source: Source::Text(source), in_cell_drop_down: !known.hide_choices });
            "list"
        }
        "custom" => {
            rule.custom = Some(Custom { formula: format!("={first}") });
            "custom"
        }
        other => other,
    };
    let alert = known.error.is_some() || known.error_title.is_some() || known.error_style.is_some();
    ValidationInfo {
        index,
        sheet: host.sheet_name(sheet),
        kind: kind.to_owned(),
        address: known.areas.iter().map(Area::to_string).collect::<Vec<_>>().join(","),
        rule,
        ignore_blanks: known.allow_blank,
        prompt: (known.prompt.is_some() || known.prompt_title.is_some())
            .then(|| Prompt { title: known.prompt_title.clone(), message: known.prompt.clone() }),
        error_alert: alert.then(|| ErrorAlert {
            style: match known.error_style.as_deref() {
                Some("warning") => AlertStyle::Warning,
                Some("information") => AlertStyle::Information,
                _ => AlertStyle::Stop,
            },
            title: known.error_title.clone(),
            message: known.error.clone(),
        }),
    }
}

/// A rule and the cells that it is for, such as `"B2:B99"` or `"B2:B9,D2:D9"`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ValidationInput {
    address: String,
    rule: Rule,
    /// Whether a cell may be emptied; it usually may.
    #[serde(default = "yes")]
    ignore_blanks: bool,
    prompt: Option<Prompt>,
    error_alert: Option<ErrorAlert>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClearOption {
    /// Take off all rules of the sheet first.
    #[serde(default)]
    pub(crate) clear: bool,
}

function! {
    /// Set what may be entered into cells, in place of the rules that those cells had; answers the rules of the sheet.
    "setDataValidations" SetDataValidations { sheet: String, rules: Vec<ValidationInput>, options: Option<ClearOption> }
        -> Vec<ValidationInfo> => set_validations
}

fn set_validations(host: &mut Host, call: SetDataValidations) -> Result<Vec<ValidationInfo>, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let position = sheet_position(host.view(), &sheet)?;
    let mut edits = Vec::new();
    if call.options.unwrap_or_default().clear {
        let areas: Vec<Area> =
            host.sheet(position)?.validations().into_iter().flat_map(|rule| rule.areas).collect();
        if !areas.is_empty() {
            edits.push(Edit::RemoveValidations { sheet: sheet.clone(), areas });
        }
    }
    for (index, input) in call.rules.iter().enumerate() {
        let within = |fault: Fault| Fault { message: format!("rules[{index}]: {}", fault.message), ..fault };
        let areas = areas(&sheet, &input.address).map_err(within)?;
        if let Some(Choices { source: Source::Text(text), .. }) = &input.rule.list {
            source_is_there(host, text).map_err(within)?;
        }
        let rule = engine_rule(host, input).map_err(within)?;
        edits.push(Edit::SetValidation { sheet: sheet.clone(), areas, rule });
    }
    if !edits.is_empty() {
        host.write(edits)?;
    }
    get_validations(
        host,
        GetDataValidations { scope: Some(ValidationScope { sheet: Some(sheet), address: None }) },
    )
}

/// Cells of a sheet, several areas with commas or blanks between them.
pub(crate) fn areas(sheet: &str, address: &str) -> Result<Vec<Area>, Fault> {
    let (named, cells) = match reference::split(address) {
        Some((named, cells)) => (Some(named), cells),
        None => (None, address.to_owned()),
    };
    if let Some(named) = named.filter(|named| named.to_lowercase() != sheet.to_lowercase()) {
        return Err(Fault::invalid(format!("`{address}` is on `{named}`, and the rules are for `{sheet}`")));
    }
    let parts = cells.split([',', ' ']).filter(|part| !part.is_empty());
    let areas: Vec<Area> = parts
        .map(|part| {
            part.to_ascii_uppercase()
                .replace('$', "")
                .parse::<Area>()
                .map_err(|refusal| Fault::new("RANGE_PARSE_ERROR", format!("address: {refusal}")))
        })
        .collect::<Result<_, _>>()?;
    match areas.is_empty() {
        true => Err(Fault::new("RANGE_PARSE_ERROR", "`address` names no cells")),
        false => Ok(areas),
    }
}

fn engine_rule(host: &Host, input: &ValidationInput) -> Result<ValidationRule, Fault> {
    let rule = &input.rule;
    let bounded = [
        ("whole", &rule.whole_number),
        ("decimal", &rule.decimal),
        ("date", &rule.date),
        ("time", &rule.time),
        ("textLength", &rule.text_length),
    ];
    let mut given: Vec<ValidationRule> = Vec::new();
    for (kind, bounds) in bounded {
        let Some(bounds) = bounds else { continue };
        let bound = |bound: &Bound| bound_text(host, kind, bound);
        given.push(ValidationRule {
            kind: kind.to_owned(),
            operator: Some(operator_read(&bounds.operator)?),
            formula1: Some(bound(&bounds.formula1)?),
            formula2: bounds.formula2.as_ref().map(bound).transpose()?,
            ..ValidationRule::default()
        });
    }
    if let Some(list) = &rule.list {
        given.push(ValidationRule {
            kind: "list".to_owned(),
            formula1: Some(source_text(&list.source)?),
            hide_choices: !list.in_cell_drop_down,
            ..ValidationRule::default()
        });
    }
    if let Some(custom) = &rule.custom {
        given.push(ValidationRule {
            kind: "custom".to_owned(),
            formula1: Some(custom.formula.clone()),
            ..ValidationRule::default()
        });
    }
    let count = given.len();
    let Some(rule) = given.pop().filter(|_| count == 1) else {
        return Err(Fault::invalid(
            "`rule` takes one of `wholeNumber`, `decimal`, `list`, `date`, `time`, `textLength` and `custom`",
        ));
    };
    let prompt = input.prompt.clone().unwrap_or(Prompt { title: None, message: None });
    let alert = input.error_alert.clone().unwrap_or_default();
    let style = match alert.style {
        AlertStyle::Stop => "stop",
        AlertStyle::Warning => "warning",
        AlertStyle::Information => "information",
    };
    Ok(ValidationRule {
        allow_blank: input.ignore_blanks,
        error_style: Some(style.to_owned()),
        error_title: alert.title,
        error: alert.message,
        prompt_title: prompt.title,
        prompt: prompt.message,
        ..rule
    })
}

/// A bound in the words of the file: numbers as they are, days and times as their serial numbers.
fn bound_text(host: &Host, kind: &str, bound: &Bound) -> Result<String, Fault> {
    match bound {
        Bound::Number(number) => Ok(number.to_string()),
        Bound::Text(text) if text.starts_with('=') => Ok(text.clone()),
        Bound::Text(text) => {
            if matches!(kind, "date" | "time")
                && let Some(serial) = host.view().date_serial(text)
            {
                return Ok(serial.to_string());
            }
            let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            number.map(|number| number.to_string()).ok_or_else(|| {
                let wanted = match kind {
                    "date" => "a date such as `2024-02-29` or a formula that begins with `=`",
                    "time" => "a time such as `13:30` or a formula that begins with `=`",
                    _ => "a number or a formula that begins with `=`",
                };
                Fault::invalid(format!("`{text}` is no bound; use {wanted}"))
            })
        }
        Bound::Date(date) => match as_input(&Given::date(date.date))? {
            Input::Date(text) => {
                let serial = host.view().date_serial(&text);
                let serial = serial.ok_or_else(|| {
                    Fault::invalid(format!("{text} is before the first day of the workbook"))
                })?;
                Ok(serial.to_string())
            }
            _ => Err(Fault::invalid("a Date without a time")),
        },
    }
}

fn source_text(source: &Source) -> Result<String, Fault> {
    let choices: Vec<String> = match source {
        Source::Text(text) if text.starts_with('=') => return Ok(text.clone()),
        Source::Text(text) => text.split(',').map(|choice| choice.trim().to_owned()).collect(),
        Source::Each(each) => each.clone(),
    };
    if let Some(choice) = choices.iter().find(|choice| choice.contains(',') || choice.trim().is_empty()) {
        return Err(Fault::invalid(format!(
            "the choice `{choice}` is empty or has a comma; put such choices into cells and name those as `=Lists!$A$2:$A$9`"
        )));
    }
    if choices.is_empty() {
        return Err(Fault::invalid("a list without choices"));
    }
    Ok(format!("\"{}\"", choices.join(",").replace('"', "\"\"")))
}

/// Excel takes no table there, and a sheet that is not there makes it repair the file.
fn source_is_there(host: &Host, text: &str) -> Result<(), Fault> {
    let Some(formula) = text.strip_prefix('=') else { return Ok(()) };
    if let Some((sheet, _)) = reference::split(formula)
        && !sheet.contains(['(', '['])
    {
        sheet_position(host.view(), &sheet)?;
    }
    let is_table = formula.contains('[') && !formula.contains(['"', '(']);
    match is_table.then(|| reference::range(host, &RangeArg::Text(formula.to_owned()))) {
        Some(found) => {
            let Range { sheet, area } = found?;
            let (first, last) = (area.first(), area.last());
            let fixed = |at: CellRef| format!("${}${}", letters(at.col), at.row + 1);
            let cells = host.address(sheet, format!("{}:{}", fixed(first), fixed(last)));
            Err(Fault::invalid(format!(
                "Excel takes no reference to a table as the source of a list; give `={cells}`, or `=INDIRECT(\"{formula}\")`, which grows with the table"
            )))
        }
        None => Ok(()),
    }
}

/// Which rules to take off.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ValidationChoice {
    /// As getDataValidations counts them.
    indices: Option<Vec<usize>>,
    address: Option<String>,
}

function! {
    /// Take rules off by their `indices`, or off the cells of an `address`; answers the rules that are left.
    "removeDataValidations" RemoveDataValidations { sheet: String, choice: ValidationChoice }
        -> Vec<ValidationInfo> => remove_validations
}

fn remove_validations(host: &mut Host, call: RemoveDataValidations) -> Result<Vec<ValidationInfo>, Fault> {
    let sheet = known_sheet(host, &call.sheet)?;
    let known = host.sheet(sheet_position(host.view(), &sheet)?)?.validations();
    let areas = match (&call.choice.indices, &call.choice.address) {
        (Some(indices), None) => {
            let mut areas = Vec::new();
            for index in indices {
                let rule = known.get(*index).ok_or_else(|| {
                    Fault::new(
                        "NOT_FOUND",
                        format!("there is no validation {index}; `{sheet}` has {}", known.len()),
                    )
                })?;
                areas.extend(rule.areas.iter().copied());
            }
            areas
        }
        (None, Some(address)) => areas(&sheet, address)?,
        _ => return Err(Fault::invalid("give either `indices` or `address`")),
    };
    if !areas.is_empty() {
        host.write(vec![Edit::RemoveValidations { sheet: sheet.clone(), areas }])?;
    }
    get_validations(
        host,
        GetDataValidations { scope: Some(ValidationScope { sheet: Some(sheet), address: None }) },
    )
}

/// What an entry breaks, in words; nothing if it may be made, or if nobody can tell.
pub(crate) fn broken(
    host: &mut Host,
    sheet: &str,
    at: CellRef,
    input: &Input,
) -> Result<Option<String>, Fault> {
    let Some(position) = host.view().workbook().position(sheet) else { return Ok(None) };
    let rules = host.sheet(position)?.validations();
    let Some(rule) = rules.iter().find(|rule| rule.areas.iter().any(|area| area.contains(at))) else {
        return Ok(None);
    };
    let place = CellOnSheet { sheet: position, at };
    let value = match input {
        Input::Clear => Value::Blank,
        Input::Number(number) | Input::Formatted { number, .. } => Value::Number(*number),
        Input::Bool(truth) => Value::Bool(*truth),
        Input::Text(text) => Value::from(text.as_str()),
        Input::Date(text) => match host.view().date_serial(text) {
            Some(serial) => Value::Number(serial),
            None => return Ok(None),
        },
        Input::Formula(text) => match computed(host, text, place)? {
            Some(value) => value,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    if value == Value::Blank {
        return Ok(None);
    }
    let first = rule.areas.first().map_or(at, Area::first);
    let fits = match rule.kind.as_str() {
        // The formula looks at the entry itself, so the entry is supposed to be made.
        "custom" => {
            let mut supposed = host.new_calculator()?;
            supposed.suppose(&[(place, value.clone())]);
            allowed::fits(&supposed, rule, first, place, &value)
        }
        _ => allowed::fits(host.calculator()?, rule, first, place, &value),
    };
    Ok((fits == Some(false)).then(|| {
        let wanted = rule.error.clone().unwrap_or_else(|| allowed::told(rule));
        format!("{} does not allow this entry: {wanted}", host.place(place))
    }))
}

fn computed(host: &mut Host, formula: &str, place: CellOnSheet) -> Result<Option<Value>, Fault> {
    let values = host.calculator()?.evaluate(formula, place);
    Ok(values.ok().and_then(|rows| rows.into_iter().next()?.into_iter().next()))
}
