//! What an operation answers.
//!
//! `R` is how a range is named: bytes while the engine speaks, an id once somebody keeps it.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Answer<R> {
    Text {
        #[serde(rename = "rangeId")]
        range: R,
        length: usize,
    },
    Selection {
        text: String,
        #[serde(rename = "rangeId")]
        range: R,
        start: usize,
        end: usize,
    },
    Found {
        results: Vec<Hit<R>>,
    },
    Replaced {
        replaced: usize,
    },
    Picture {
        #[serde(rename = "shapeId")]
        shape: String,
        #[serde(rename = "rangeId")]
        range: R,
    },
    /// A table that was made.
    Table {
        #[serde(rename = "tableId")]
        table: R,
        #[serde(rename = "rangeId")]
        range: R,
    },
    /// A table that was changed, with its size afterwards.
    TableChanged {
        #[serde(rename = "tableId")]
        table: R,
        rows: usize,
        cols: usize,
    },
    /// A table that has no row or column left.
    TableGone {
        deleted: bool,
    },
    Styled {
        #[serde(rename = "rangeId")]
        range: R,
    },
    Styles(StyleList),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hit<R> {
    #[serde(rename = "rangeId")]
    pub range: R,
    pub text: String,
    pub context: String,
    /// UTF-16 units from the start of the story, each paragraph mark counting one.
    pub start: usize,
    pub end: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StyleList {
    pub paragraph_styles: Vec<StyleName>,
    pub character_styles: Vec<StyleName>,
    pub table_styles: Vec<StyleName>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StyleName {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub localized_name: Option<String>,
    pub built_in: bool,
}

impl<R> Answer<R> {
    /// The same answer with its ranges named otherwise; `text` is what each stands for.
    pub fn map<S, E>(self, mut name: impl FnMut(R, RangeOf) -> Result<S, E>) -> Result<Answer<S>, E> {
        Ok(match self {
            Self::Text { range, length } => Answer::Text { range: name(range, RangeOf::Text)?, length },
            Self::Selection { text, range, start, end } => {
                Answer::Selection { text, range: name(range, RangeOf::Text)?, start, end }
            }
            Self::Found { results } => {
                let mut named = Vec::with_capacity(results.len());
                for Hit { range, text, context, start, end } in results {
                    named.push(Hit { range: name(range, RangeOf::Text)?, text, context, start, end });
                }
                Answer::Found { results: named }
            }
            Self::Replaced { replaced } => Answer::Replaced { replaced },
            Self::Picture { shape, range } => Answer::Picture { shape, range: name(range, RangeOf::Text)? },
            Self::Table { table, range } => {
                Answer::Table { table: name(table, RangeOf::Table)?, range: name(range, RangeOf::Text)? }
            }
            Self::TableChanged { table, rows, cols } => {
                Answer::TableChanged { table: name(table, RangeOf::Table)?, rows, cols }
            }
            Self::TableGone { deleted } => Answer::TableGone { deleted },
            Self::Styled { range } => Answer::Styled { range: name(range, RangeOf::Text)? },
            Self::Styles(styles) => Answer::Styles(styles),
        })
    }
}

/// What a range of an answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeOf {
    Text,
    Table,
}
