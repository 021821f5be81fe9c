//! Operations that arrive in more than one dialect: a name under `type`, `action` or `op`, and fields under
//! one of several names.

use schemars::{JsonSchema, Schema, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};
use workspace::markdown::{Edit, NodeId};

use crate::{
    block_ids::Reliance,
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Mode, Prose},
    wire::Window,
};

/// The schema of a list of operations with these fields. Which of them an operation takes is for its tool to say.
pub(crate) fn operations(fields: &Value) -> Schema {
    json_schema!({
        "type": "array", "maxItems": 100,
        "items": { "type": "object", "listedProperties": fields, "listedRequired": ["type"] }
    })
}

/// Operations in turn on one block of a document.
#[derive(Debug)]
pub(crate) struct OnNode {
    pub(crate) node_id: String,
    pub(crate) operations: Vec<Map<String, Value>>,
    pub(crate) mode: Option<Mode>,
    pub(crate) window_id: Option<Window>,
}

/// What their answer has beside what every edit tells.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Named {
    node_id: String,
}

impl OnNode {
    pub(crate) fn make<T>(
        self,
        cx: &Cx<'_>,
        read: impl Fn(&str, &mut Fields) -> Result<T, ToolError>,
        edit: impl FnOnce(NodeId, Vec<T>) -> Edit,
    ) -> Result<Answer<Named>, ToolError> {
        let prose = Prose::open(cx, self.window_id)?;
        // What can never work is told before what is not there.
        let operations = each(self.operations, read)?;
        let node = prose.named(cx, &self.node_id, None, Reliance::Block)?;
        let edited = prose.edit(cx, edit(node, operations), EditOptions::mode(self.mode))?;
        Ok(edited.with(Named { node_id: edited.told(node) }))
    }
}

/// The fields of one operation that nobody has asked for yet.
pub(crate) struct Fields(Map<String, Value>);

/// Each operation read by `read`, which is given its name; a field that nobody asked for is a mistake.
pub(crate) fn each<T>(
    operations: Vec<Map<String, Value>>,
    read: impl Fn(&str, &mut Fields) -> Result<T, ToolError>,
) -> Result<Vec<T>, ToolError> {
    let mut done = Vec::with_capacity(operations.len());
    for (index, operation) in operations.into_iter().enumerate() {
        let mut fields = Fields(operation);
        let located = |error: ToolError| error.within(format_args!("operations[{index}]"));
        let name = fields.text(&["type", "action", "op"]).map_err(located)?;
        done.push(read(&name, &mut fields).map_err(located)?);
        if let Some(left) = fields.0.keys().next() {
            return Err(located(ToolError::invalid(format!("`{left}` is not a field of {name}"))));
        }
    }
    Ok(done)
}

impl Fields {
    fn take(&mut self, names: &[&str]) -> Option<Value> {
        let name = names.iter().find(|name| self.0.contains_key(**name))?;
        self.0.remove(*name).filter(|value| !value.is_null())
    }

    fn missing(names: &[&str]) -> ToolError {
        ToolError::invalid(format!("{}: required", names.first().unwrap_or(&"field")))
    }

    pub(crate) fn optional_text(&mut self, names: &[&str]) -> Result<Option<String>, ToolError> {
        match self.take(names) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(other) => Err(wrong(names, &other, "text")),
        }
    }

    pub(crate) fn text(&mut self, names: &[&str]) -> Result<String, ToolError> {
        self.optional_text(names)?.ok_or_else(|| Self::missing(names))
    }

    pub(crate) fn optional_index(&mut self, names: &[&str]) -> Result<Option<usize>, ToolError> {
        let Some(value) = self.take(names) else { return Ok(None) };
        let whole = value.as_u64().or_else(|| {
            // Some clients write every number with a point.
            value
                .as_f64()
                .filter(|number| *number >= 0.0 && number.fract() == 0.0)
                .map(|number| number as u64)
        });
        let index = whole.and_then(|index| usize::try_from(index).ok());
        index.map(Some).ok_or_else(|| wrong(names, &value, "a whole number from 0"))
    }

    pub(crate) fn index(&mut self, names: &[&str]) -> Result<usize, ToolError> {
        self.optional_index(names)?.ok_or_else(|| Self::missing(names))
    }

    pub(crate) fn texts(&mut self, names: &[&str]) -> Result<Vec<String>, ToolError> {
        match self.take(names) {
            None => Ok(Vec::new()),
            Some(Value::Array(each)) => {
                let each = each.into_iter().map(|value| match value {
                    Value::String(text) => Ok(text),
                    Value::Number(number) => Ok(number.to_string()),
                    Value::Null => Ok(String::new()),
                    other => Err(wrong(names, &other, "a list of texts")),
                });
                each.collect()
            }
            Some(other) => Err(wrong(names, &other, "a list of texts")),
        }
    }

    /// Whether a field says something that fits.
    pub(crate) fn names(&self, name: &str, fits: impl Fn(&str) -> bool) -> bool {
        self.0.get(name).and_then(Value::as_str).is_some_and(fits)
    }

    pub(crate) fn objects(&mut self, name: &str) -> Result<Vec<Map<String, Value>>, ToolError> {
        let Some(value) = self.take(&[name]) else { return Err(Self::missing(&[name])) };
        serde_json::from_value(value.clone()).map_err(|_| wrong(&[name], &value, "a list of operations"))
    }

    pub(crate) fn flag(&mut self, name: &str) -> Result<Option<bool>, ToolError> {
        match self.take(&[name]) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(wrong(&[name], &other, "true or false")),
        }
    }

    /// An operation nobody knows. Its fields are nobody's mistake.
    pub(crate) fn unknown(&mut self, name: &str, known: &str) -> ToolError {
        self.0.clear();
        ToolError::invalid(format!("type: `{name}` is not an operation; known are {known}"))
    }
}

fn wrong(names: &[&str], found: &Value, expected: &str) -> ToolError {
    ToolError::invalid(format!(
        "{}: {found} is not valid; expected {expected}",
        names.first().unwrap_or(&"field")
    ))
}
