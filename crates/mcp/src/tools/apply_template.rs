//! `apply_template`: fill in the placeholders of a Word document.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Number;
use workspace::word::{Edit, FillTemplate};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Edited, Track},
};

pub(crate) const ABOUT: About = About { title: "Fill Word template", sets: &[Set::Word], hints: Hints::EDIT };

/// Fills {{placeholders}}, content controls and form fields of a .docx from values by name. Says what was filled, what had no
/// place and what had no value.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    values: BTreeMap<String, Scalar>,
    #[serde(default)]
    track: Track,
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    override_protection: bool,
}

/// What JSON writes without brackets: a check box takes true, a price a number.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Scalar {
    Text(String),
    Truth(bool),
    Number(Number),
}

impl JsonSchema for Scalar {
    fn schema_name() -> Cow<'static, str> {
        "Scalar".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number", "boolean"] })
    }
}

impl From<Scalar> for String {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Text(text) => text,
            Scalar::Truth(truth) => truth.to_string(),
            Scalar::Number(number) => number.to_string(),
        }
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Edited, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?
        .overriding(input.override_protection);
    let values = input.values.into_iter().map(|(name, value)| (name, value.into())).collect();
    let edit = Edit::FillTemplate(FillTemplate { values, markup: input.track.markup() });
    word::edit(cx, &target, vec![edit], input.track, input.dry_run, None)
}
