//! What a caller may change of how cells look.

use serde::{Deserialize, Serialize};

use crate::file::styles::{Color, Edge};

/// A change of looks; what is left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StyleChange {
    /// Start from this cell format of the workbook, not from the one that a cell has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<u32>,
    pub number_format: Option<String>,
    pub font: Option<FontChange>,
    pub fill: Option<FillChange>,
    pub border: Option<BorderChange>,
    pub alignment: Option<AlignmentChange>,
    pub locked: Option<bool>,
    pub formula_hidden: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FontChange {
    pub name: Option<String>,
    pub size: Option<f64>,
    pub bold: Option<bool>,
    pub italic: Option<bool>,
    pub strike: Option<bool>,
    /// `none`, `single`, `double`, `singleAccounting`, `doubleAccounting`.
    pub underline: Option<String>,
    /// `superscript`, `subscript` or `none`.
    pub vertical: Option<String>,
    pub color: Option<Color>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FillChange {
    None,
    Solid(Color),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BorderChange {
    pub left: Option<EdgeChange>,
    pub right: Option<EdgeChange>,
    pub top: Option<EdgeChange>,
    pub bottom: Option<EdgeChange>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeChange {
    None,
    Line(Edge),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AlignmentChange {
    pub horizontal: Option<String>,
    pub vertical: Option<String>,
    pub wrap: Option<bool>,
    pub shrink: Option<bool>,
    pub indent: Option<u32>,
    pub rotation: Option<u32>,
}
