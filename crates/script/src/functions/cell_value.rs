//! A cell as scripts see it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use sheet::{Area, Cell, CellRef, CellVisibility, Columns, Sight, Value};

use crate::host::{Fault, Host};

/// A cell with its value, its formula and the text that is shown. `value` of a date is its serial number.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CellValue {
    pub(crate) address: String,
    pub(crate) sheet: String,
    /// Counted from 1.
    pub(crate) row: u32,
    pub(crate) col: u32,
    pub(crate) col_letter: String,
    pub(crate) value: Json,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) formula: Option<String>,
    #[serde(rename = "type")]
    pub(crate) kind: CellKind,
    pub(crate) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) number_type: Option<NumberType>,
    pub(crate) visibility: Visibility,
    /// The cells around it, as TSV.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) link: Option<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thread: Option<Thread>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CellKind {
    String,
    Number,
    Bool,
    Date,
    Error,
    Blank,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NumberType {
    Currency,
    Percent,
    Fraction,
    Exponential,
    Date,
    Text,
    Number,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Visibility {
    Visible,
    OutsidePrintArea,
    /// Hidden by a closed outline group.
    Collapsed,
    Hidden,
}

impl From<CellVisibility> for Visibility {
    fn from(seen: CellVisibility) -> Self {
        match seen {
            CellVisibility::Visible => Visibility::Visible,
            CellVisibility::OutsidePrintArea => Visibility::OutsidePrintArea,
            CellVisibility::Collapsed => Visibility::Collapsed,
            CellVisibility::Hidden => Visibility::Hidden,
        }
    }
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Note {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) author: Option<String>,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Link {
    #[serde(rename = "type")]
    pub(crate) kind: LinkKind,
    pub(crate) target: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tooltip: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LinkKind {
    Internal,
    External,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Thread {
    pub(crate) resolved: bool,
    pub(crate) comments: Vec<Comment>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Comment {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) author_id: Option<String>,
    pub(crate) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) created_at: Option<String>,
}

/// What a sheet says of the cells of an area, beside the cells themselves; read once for all of them.
pub(crate) struct Around {
    sheet: usize,
    name: String,
    columns: Vec<Columns>,
    sight: Sight,
    notes: BTreeMap<CellRef, Note>,
    links: Vec<(Area, Link)>,
    threads: BTreeMap<CellRef, Thread>,
}

impl Around {
    pub(crate) fn new(host: &Host, sheet: usize) -> Result<Self, Fault> {
        let view = host.sheet(sheet)?;
        let notes =
            view.notes()?.into_iter().map(|note| (note.at, Note { author: note.author, text: note.text }));
        let threads = view.threads()?.into_iter().map(|thread| {
            let comments = thread.comments.into_iter().map(|comment| Comment {
                author_id: comment.author,
                text: comment.text,
                created_at: comment.time,
            });
            (thread.at, Thread { resolved: thread.resolved, comments: comments.collect() })
        });
        let links = view.hyperlinks()?.into_iter().filter_map(|link| {
            let (kind, target) = match (link.target, link.location) {
                (Some(target), Some(place)) => (LinkKind::External, format!("{target}#{place}")),
                (Some(target), None) => (LinkKind::External, target),
                (None, Some(place)) => (LinkKind::Internal, place),
                (None, None) => return None,
            };
            Some((link.area, Link { kind, target, tooltip: link.tooltip }))
        });
        Ok(Self {
            sheet,
            name: view.name().to_owned(),
            columns: view.columns(),
            sight: Sight::of(&view),
            notes: notes.collect(),
            links: links.collect(),
            threads: threads.collect(),
        })
    }

    pub(crate) fn visibility(&mut self, host: &Host, at: CellRef) -> Result<Visibility, Fault> {
        Ok(self.sight.at(&host.sheet(self.sheet)?, at)?.into())
    }

    /// A cell, there or not.
    pub(crate) fn cell(&mut self, host: &Host, at: CellRef, cell: Option<&Cell>) -> Result<CellValue, Fault> {
        let view = host.view();
        let blank = Cell { at, value: Value::Blank, formula: None, style: self.style_of_blank(host, at)? };
        let cell = &host.valued(self.sheet, cell.cloned().unwrap_or(blank))?;
        let code = view.number_format(cell.style)?;
        let is_date = view.is_date(cell)?;
        let kind = match &cell.value {
            Value::Blank => CellKind::Blank,
            Value::Number(_) if is_date => CellKind::Date,
            Value::Number(_) => CellKind::Number,
            Value::Bool(_) => CellKind::Bool,
            Value::Error(_) => CellKind::Error,
            _ => CellKind::String,
        };
        let link = self.links.iter().find(|(area, _)| area.contains(at)).map(|(_, link)| link.clone());
        Ok(CellValue {
            address: host.address(self.sheet, at),
            sheet: self.name.clone(),
            row: at.row + 1,
            col: at.col + 1,
            col_letter: letters(at.col),
            value: plain(&cell.value),
            formula: cell.formula.as_ref().map(|formula| format!("={}", formula.shown())),
            kind,
            text: host.text(&cell.value, cell.style)?,
            format: (code != "General").then(|| code.to_owned()),
            number_type: (kind == CellKind::Number || kind == CellKind::Date)
                .then(|| number_type(code, is_date)),
            visibility: self.visibility(host, at)?,
            context: None,
            note: self.notes.get(&at).cloned(),
            link,
            thread: self.threads.get(&at).cloned(),
        })
    }

    /// A cell that is not in the file looks like its row or its column.
    pub(crate) fn style_of_blank(&self, host: &Host, at: CellRef) -> Result<u32, Fault> {
        let of_row = host.sheet(self.sheet)?.row_properties(at.row)?.style;
        let column = self.columns.iter().find(|columns| (columns.first..=columns.last).contains(&at.col));
        Ok(of_row.or(column.and_then(|column| column.style)).unwrap_or(0))
    }
}

pub(crate) fn letters(column: u32) -> String {
    CellRef::new(0, column).to_string().trim_end_matches('1').to_owned()
}

/// A value as JSON; errors as their text, because JSON has none.
pub(crate) fn plain(value: &Value) -> Json {
    match value {
        Value::Blank => Json::Null,
        Value::Number(number) => json!(number),
        Value::Bool(truth) => json!(truth),
        Value::Text(text) => json!(&**text),
        Value::Error(error) => json!(error.to_string()),
    }
}

fn number_type(code: &str, is_date: bool) -> NumberType {
    let bare = unquoted(code);
    match () {
        () if is_date => NumberType::Date,
        () if bare == "@" => NumberType::Text,
        () if bare.contains('%') => NumberType::Percent,
        () if code.contains("[$") && !code.contains("[$-") || code.contains(['$', '€', '£', '¥']) => {
            NumberType::Currency
        }
        () if bare.contains("E+") || bare.contains("E-") => NumberType::Exponential,
        () if bare.contains("?/") || bare.contains("#/") || bare.contains("/?") => NumberType::Fraction,
        () => NumberType::Number,
    }
}

/// A format code without the texts in it.
fn unquoted(code: &str) -> String {
    code.split('"').step_by(2).collect()
}
