//! TypeScript declarations of what scripts can call, made of the types that are checked.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use edit::OrEmpty;
use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};

use crate::functions::{self, Call, camel};

/// The types that signatures name, each once.
pub(crate) struct Types {
    inputs: SchemaGenerator,
    outputs: SchemaGenerator,
}

/// A function as it is declared.
pub(crate) struct Signature {
    about: String,
    /// Name, whether it may be left out, type.
    parameters: Vec<(String, bool, String)>,
    answer: String,
}

pub(crate) fn signature<C: Call>(types: &mut Types) -> Signature {
    let whole = C::json_schema(&mut types.inputs).to_value();
    let properties = whole.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let required: Vec<&str> = whole
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let parameters = C::FIELDS.iter().map(|field| {
        let name = camel(field);
        let shape = properties.get(&name).map_or_else(|| "unknown".to_owned(), |schema| typed(schema, true));
        (name.clone(), !required.contains(&name.as_str()), shape)
    });
    let parameters = parameters.collect();
    let answer = types.outputs.subschema_for::<C::Answer>().to_value();
    let about = whole.get("description").and_then(Value::as_str).or_empty().to_owned();
    Signature { about, parameters, answer: typed(&answer, false) }
}

/// The declarations as a `.d.ts` file.
pub fn declarations() -> String {
    let settings = || SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let mut types = Types {
        inputs: SchemaGenerator::new(settings()),
        outputs: SchemaGenerator::new(settings().for_serialize()),
    };
    let mut functions = String::new();
    for entry in functions::all() {
        let signature = (entry.declare)(&mut types);
        let _ = write!(functions, "{}", comment(&signature.about, "  "));
        let parameters: String = signature
            .parameters
            .iter()
            .map(|(name, optional, shape)| format!(", {name}{}: {shape}", if *optional { "?" } else { "" }))
            .collect();
        let answer = match signature.answer.as_str() {
            "null" => "void",
            other => other,
        };
        let _ = writeln!(functions, "  {}(wb: Workbook{parameters}): Promise<{answer}>;", entry.name);
    }
    let mut named: BTreeMap<String, (Value, bool)> = BTreeMap::new();
    for (name, schema) in types.outputs.take_definitions(true) {
        named.insert(name, (schema, false));
    }
    for (name, schema) in types.inputs.take_definitions(true) {
        // A type that is taken and answered is declared as it is taken.
        named.insert(name, (schema, true));
    }
    let mut text = String::from(
        "// What a script finds: wb, xlsx, input, print and console. Generated; every function is async and takes wb first.\n\n\
         declare const wb: Workbook;\ndeclare const input: any;\ndeclare function print(...values: unknown[]): void;\n\
         declare const xlsx: Xlsx;\ninterface Workbook { readonly __workbook: unique symbol }\n\n",
    );
    for (name, (schema, input)) in &named {
        let about = schema.get("description").and_then(Value::as_str).or_empty();
        let _ = write!(text, "{}type {name} = {};\n\n", comment(about, ""), typed(schema, *input));
    }
    let _ = write!(text, "interface Xlsx {{\n{functions}}}\n");
    text
}

fn comment(about: &str, indent: &str) -> String {
    match about.is_empty() {
        true => String::new(),
        false => format!("{indent}/** {} */\n", about.replace('\n', " ")),
    }
}

/// A schema as a type.
fn typed(schema: &Value, input: bool) -> String {
    let Value::Object(members) = schema else { return "any".to_owned() };
    if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
        return reference.rsplit('/').next().unwrap_or("any").to_owned();
    }
    if let Some(Value::Array(values)) = members.get("enum") {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    if let Some(value) = members.get("const") {
        return value.to_string();
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(Value::Array(each)) = members.get(choice) {
            let mut shapes: Vec<String> = each.iter().map(|schema| typed(schema, input)).collect();
            if input {
                shapes.retain(|shape| shape != "null");
            }
            shapes.dedup();
            return shapes.join(" | ");
        }
    }
    match members.get("type") {
        Some(Value::Array(kinds)) => {
            let mut shapes: Vec<String> =
                kinds.iter().filter_map(Value::as_str).map(|kind| of_kind(kind, members, input)).collect();
            if input {
                shapes.retain(|shape| shape != "null");
            }
            shapes.join(" | ")
        }
        Some(Value::String(kind)) => of_kind(kind, members, input),
        _ => "any".to_owned(),
    }
}

fn of_kind(kind: &str, members: &Map<String, Value>, input: bool) -> String {
    match kind {
        "string" | "boolean" | "null" => kind.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" => {
            let each = members.get("items").map_or_else(|| "any".to_owned(), |items| typed(items, input));
            if each.contains(' ') { format!("({each})[]") } else { format!("{each}[]") }
        }
        "object" => object(members, input),
        _ => "any".to_owned(),
    }
}

fn object(members: &Map<String, Value>, input: bool) -> String {
    let Some(properties) = members.get("properties").and_then(Value::as_object) else {
        let each =
            members.get("additionalProperties").map_or_else(|| "any".to_owned(), |each| typed(each, input));
        return format!("Record<string, {each}>");
    };
    // How a regular expression and a date reach the host.
    if properties.contains_key("$regexp") {
        return "RegExp".to_owned();
    }
    if properties.contains_key("$date") {
        return "Date".to_owned();
    }
    if let Some(list) = properties.get("$list") {
        return format!("{} & {{ truncated: boolean }}", typed(list, input));
    }
    let required: Vec<&str> = members
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let fields: Vec<String> = properties
        .iter()
        .map(|(name, schema)| {
            let optional = if required.contains(&name.as_str()) { "" } else { "?" };
            let null = if schema.get(schema::MEANS_NULL).is_some() { " | null" } else { "" };
            format!("{name}{optional}: {}{null}", typed(schema, input))
        })
        .collect();
    format!("{{ {} }}", fields.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two Rust types of one name would be one TypeScript type.
    #[test]
    fn a_name_stands_for_one_type() {
        let settings = || SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
        let mut types = Types {
            inputs: SchemaGenerator::new(settings()),
            outputs: SchemaGenerator::new(settings().for_serialize()),
        };
        for entry in functions::all() {
            (entry.declare)(&mut types);
        }
        let inputs = types.inputs.take_definitions(true);
        let outputs = types.outputs.take_definitions(true);
        for (name, output) in &outputs {
            let members = |schema: &Value| -> Vec<String> {
                let own = schema.get("properties").and_then(Value::as_object);
                own.into_iter().flatten().map(|(name, _)| name.clone()).collect()
            };
            if let Some(input) = inputs.get(name) {
                assert_eq!(members(input), members(output), "{name}");
            }
        }
        for name in inputs.keys().chain(outputs.keys()) {
            assert!(!name.ends_with(|c: char| c.is_ascii_digit()), "{name} is the second of its name");
        }
    }
}
