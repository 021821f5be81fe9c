//! JSON that a schema allows, and JSON that it nearly allows.

use serde_json::{Map, Value, json};

use crate::chance::Chance;

/// How deep values may lie in each other.
const MOST_DEPTH: u32 = 6;

/// A value of a shape, mostly; texts come from `words`, which are what somebody might write there.
pub fn value(schema: &Value, chance: &mut Chance, words: &[&str], depth: u32) -> Value {
    let Value::Object(schema) = schema else { return odd(chance, words) };
    if depth > MOST_DEPTH || chance.below(40) == 0 {
        return odd(chance, words);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(each) = schema.get(choice).and_then(Value::as_array) {
            return chance.pick(each).map_or(Value::Null, |one| value(one, chance, words, depth));
        }
    }
    if let Some(known) = schema.get("enum").and_then(Value::as_array) {
        return chance.pick(known).cloned().unwrap_or(Value::Null);
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => chance.pick(kinds).and_then(Value::as_str).unwrap_or("null").to_owned(),
        Some(Value::String(kind)) => kind.clone(),
        _ => return odd(chance, words),
    };
    match kind.as_str() {
        "integer" => json!(*chance.pick(&[0i64, 1, 2, 3, 7, 26, 1000, 1_048_576, -1]).unwrap_or(&1)),
        "number" => json!(*chance.pick(&[0.0, 0.5, -1.0, 1e-300, 1e300, 3.0, 45_000.25]).unwrap_or(&1.0)),
        "boolean" => json!(chance.below(2) == 0),
        "string" => json!(chance.pick(words).copied().unwrap_or("")),
        "array" => {
            let each = schema.get("items").unwrap_or(&Value::Null);
            (0..chance.below(4)).map(|_| value(each, chance, words, depth + 1)).collect()
        }
        "object" => object(schema, chance, words, depth),
        _ => Value::Null,
    }
}

fn object(schema: &Map<String, Value>, chance: &mut Chance, words: &[&str], depth: u32) -> Value {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut members = Map::new();
    for (name, shape) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let wanted =
            if required.contains(&name.as_str()) { chance.below(20) > 0 } else { chance.below(3) == 0 };
        if wanted {
            members.insert(name.clone(), value(shape, chance, words, depth + 1));
        }
    }
    Value::Object(members)
}

/// What nobody asked for.
fn odd(chance: &mut Chance, words: &[&str]) -> Value {
    match chance.below(7) {
        0 => Value::Null,
        1 => json!([]),
        2 => json!({}),
        3 => json!(-1),
        4 => json!("x".repeat(300)),
        5 => json!([[[1]]]),
        _ => json!(chance.pick(words).copied().unwrap_or("?")),
    }
}
