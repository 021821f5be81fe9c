//! Inputs of other doors, held against their types as arguments of tools are: each fault says where it is.

use schema::Side;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The shape of an input.
#[derive(Debug)]
pub struct InputShape(Map<String, Value>);

impl InputShape {
    pub fn of<T: JsonSchema>() -> Self {
        Self(schema::of::<T>(Side::Input))
    }

    /// The input in a value, or all that is wrong with it. Members that nobody knows are passed over.
    pub fn read<T: DeserializeOwned>(&self, mut found: Value) -> Result<T, String> {
        if !found.is_object() {
            let kind = match found {
                Value::Array(_) => "an array",
                Value::String(_) => "a string",
                Value::Number(_) => "a number",
                Value::Bool(_) => "true or false",
                Value::Null | Value::Object(_) => "null",
            };
            return Err(format!("the body must be a JSON object, found {kind}"));
        }
        schema::arguments("the body", &self.0, &mut found)?;
        serde_json::from_value(found).map_err(|error| format!("the body was not understood: {error}"))
    }
}
