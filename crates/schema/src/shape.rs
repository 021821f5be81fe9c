//! JSON schemas from Rust types, in the shape that clients cope with.
//!
//! The generator is thorough where a model wants brevity: titles, number formats, `null` beside every
//! optional type, references. What comes out here is one inlined object with what the caller has to know.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Input,
    Output,
}

/// The schema of `T`. A doc comment on `T` itself is left in the root's `description`.
pub fn of<T: JsonSchema>(side: Side) -> Map<String, Value> {
    kept(generator(side).into_root_schema_for::<T>().to_value(), side)
}

fn generator(side: Side) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    SchemaGenerator::new(if side == Side::Output { settings.for_serialize() } else { settings })
}

fn kept(mut schema: Value, side: Side) -> Map<String, Value> {
    let description = schema.get("description").cloned();
    trim(&mut schema, side);
    let Value::Object(mut root) = schema else { return Map::new() };
    if let Some(description) = description {
        root.insert("description".into(), description);
    }
    if root.get("type").and_then(Value::as_str) == Some("object") {
        root.entry("properties").or_insert_with(|| json!({}));
    }
    root
}

/// A schema as clients see it. That unknown fields are refused is said once, in the instructions and in every
/// refusal; saying it at each object of ninety tools would cost every session seven hundred tokens. What takes
/// any value is an empty schema: common clients do not know the other spelling, a bare `true`.
pub fn as_listed(schema: &Map<String, Value>) -> Map<String, Value> {
    let kept = schema.iter().filter(|(key, value)| *key != "additionalProperties" || **value != json!(false));
    kept.map(|(key, value)| {
        // What is listed and read by the tool itself, because more spellings are taken than are told.
        let key = match key.as_str() {
            "listedProperties" => "properties".to_owned(),
            "listedRequired" => "required".to_owned(),
            _ => key.clone(),
        };
        let value = match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => Value::Object(
                properties.iter().map(|(name, schema)| (name.clone(), listed(schema))).collect(),
            ),
            ("items" | "additionalProperties", schema) => listed(schema),
            ("oneOf" | "anyOf" | "allOf", Value::Array(schemas)) => schemas.iter().map(listed).collect(),
            (_, other) => other.clone(),
        };
        (key, value)
    })
    .collect()
}

fn listed(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => Value::Object(as_listed(members)),
        Value::Bool(true) => json!({}),
        other => other.clone(),
    }
}

fn trim(schema: &mut Value, side: Side) {
    let Value::Object(members) = schema else { return };
    for noise in ["title", "format", "$schema"] {
        members.remove(noise);
    }
    if side == Side::Output {
        // A promise about every count not being negative tells nobody anything.
        for noise in ["description", "minimum", "maximum"] {
            members.remove(noise);
        }
    }
    if matches!(members.get("default"), Some(Value::Null | Value::Bool(false))) {
        members.remove("default");
    }
    for name in ["anyOf", "oneOf"] {
        fold_choice(members, name);
    }
    for (name, value) in members.iter_mut() {
        match (name.as_str(), value) {
            ("properties" | "patternProperties" | "$defs", Value::Object(each)) => {
                each.values_mut().for_each(|schema| trim(schema, side));
            }
            ("oneOf" | "anyOf" | "allOf" | "prefixItems", Value::Array(each)) => {
                each.iter_mut().for_each(|schema| trim(schema, side));
            }
            ("items" | "additionalProperties", schema) => trim(schema, side),
            _ => {}
        }
    }
    let required: Vec<String> = match members.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        for (name, property) in properties {
            // An optional member is left out when there is nothing to say. A result that promises the
            // member always, as null if need be, says so.
            if side == Side::Input || !required.contains(name) {
                drop_null(property);
            }
        }
    }
}

/// `Option<T>` is a choice between `T` and null, and an enum with documented variants a choice between
/// constants. Both have a shorter form.
fn fold_choice(members: &mut Map<String, Value>, name: &str) {
    let Some(Value::Array(choices)) = members.get(name) else { return };
    let constants: Option<Vec<&[Value]>> = choices
        .iter()
        .map(|choice| match (choice.get("enum"), choice.get("const")) {
            (Some(Value::Array(values)), _) => Some(values.as_slice()),
            (None, Some(value)) => Some(std::slice::from_ref(value)),
            _ => None,
        })
        .filter(|values| values.is_none_or(|values| values.iter().all(Value::is_string)))
        .collect();
    let constants = constants.filter(|each| each.len() == choices.len()).map(|each| each.concat());
    if let Some(constants) = constants {
        members.remove(name);
        members.insert("type".into(), json!("string"));
        members.insert("enum".into(), Value::Array(constants));
        return;
    }
    let real: Vec<&Value> =
        choices.iter().filter(|choice| choice.get("type") != Some(&json!("null"))).collect();
    if let ([Value::Object(only)], 2) = (real.as_slice(), choices.len()) {
        let only = only.clone();
        members.remove(name);
        for (key, value) in only {
            members.entry(key).or_insert(value);
        }
        for name in ["anyOf", "oneOf"] {
            fold_choice(members, name);
        }
    }
}

fn drop_null(schema: &mut Value) {
    let Some(kinds) = schema.get_mut("type") else { return };
    if let Value::Array(each) = kinds {
        each.retain(|kind| kind != "null");
        if let [only] = each.as_slice() {
            *kinds = only.clone();
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves a thing.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Sample {
        /// Where to.
        target: Place,
        how_far: Option<Far>,
        #[schemars(range(min = 1, max = 6))]
        level: Option<u8>,
        steps: Vec<Step>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    #[serde(rename_all = "lowercase")]
    enum Far {
        /// A little.
        Near,
        Away,
        Afar,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Place {
        x: f64,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    #[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
    enum Step {
        Go { by: u32 },
        Stop,
    }

    #[test]
    fn an_input_is_one_complete_object() {
        assert_eq!(
            Value::Object(of::<Sample>(Side::Input)),
            json!({
                "type": "object",
                "description": "Moves a thing.",
                "additionalProperties": false,
                "required": ["target", "steps"],
                "properties": {
                    "target": {"type": "object", "description": "Where to.", "properties": {"x": {"type": "number"}}, "required": ["x"]},
                    "howFar": {"type": "string", "enum": ["away", "afar", "near"]},
                    "level": {"type": "integer", "minimum": 1, "maximum": 6},
                    "steps": {"type": "array", "items": {"oneOf": [
                        {"type": "object", "additionalProperties": false, "required": ["type", "by"],
                         "properties": {"type": {"type": "string", "const": "go"}, "by": {"type": "integer", "minimum": 0}}},
                        {"type": "object", "additionalProperties": false, "required": ["type"],
                         "properties": {"type": {"type": "string", "const": "stop"}}},
                    ]}},
                },
            })
        );
    }

    #[derive(JsonSchema, serde::Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Told {
        /// Always there.
        root_path: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }

    #[test]
    fn an_output_promises_null_only_where_it_keeps_the_promise() {
        assert_eq!(
            Value::Object(of::<Told>(Side::Output)),
            json!({
                "type": "object",
                "required": ["rootPath"],
                "properties": {"rootPath": {"type": ["string", "null"]}, "note": {"type": "string"}},
            })
        );
    }
}
