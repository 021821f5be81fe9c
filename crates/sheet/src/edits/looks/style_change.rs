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
    /// `gray125`, `darkGrid` and so on: ink on ground.
    Pattern {
        pattern: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<Color>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        background: Option<Color>,
    },
    Gradient(GradientChange),
}

/// Colours that run into each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradientChange {
    pub shape: GradientForm,
    /// Two or more colours with their places from 0 to 1.
    pub stops: Vec<(f64, Color)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GradientForm {
    /// In degrees, clockwise; 0 runs to the right, 90 down.
    Linear(f64),
    /// From the edges to a rectangle inside, given as parts of the width and height from each side.
    Path { left: f64, right: f64, top: f64, bottom: f64 },
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BorderChange {
    pub left: Option<EdgeChange>,
    pub right: Option<EdgeChange>,
    pub top: Option<EdgeChange>,
    pub bottom: Option<EdgeChange>,
    pub diagonal: Option<EdgeChange>,
    /// Whether the diagonal goes from the lower left to the upper right.
    pub diagonal_up: Option<bool>,
    /// Whether it goes from the upper left to the lower right.
    pub diagonal_down: Option<bool>,
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
