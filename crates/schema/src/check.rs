//! Arguments held against their schema, with an answer a model can act on.
//!
//! The SDK shows a schema to the client and then does not enforce it; serde enforces types and stops at the
//! first fault. Here every fault is found at once and says where it is, what was found and what would be
//! valid. The keywords understood are exactly those that occur in our schemas, and a test holds the two
//! together.

use serde_json::{Map, Value};

use edit::{excerpt, nearest};

/// Keywords that constrain a value, and those that only describe one.
pub const KEYWORDS: &[&str] = &[
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "oneOf",
    "anyOf",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "description",
    "default",
];

const MOST_FAULTS: usize = 8;

/// Checks `arguments`, and brings them into the form the types expect: members that are null although
/// optional are dropped (many clients send them), integers written as `3.0` become integers, and one of a few words
/// written otherwise (`Accept`, `dry-run`) becomes that word.
pub fn arguments(of: &str, schema: &Map<String, Value>, arguments: &mut Value) -> Result<(), String> {
    let mut faults = Vec::new();
    object(schema, arguments, "", &mut faults);
    if faults.is_empty() {
        return Ok(());
    }
    let count = faults.len();
    let more = count.saturating_sub(MOST_FAULTS);
    faults.truncate(MOST_FAULTS);
    let message = match (faults.as_slice(), more) {
        ([only], _) => only.clone(),
        (several, 0) => format!("{count} problems in the arguments of {of}:\n- {}\n", several.join("\n- ")),
        (several, more) => {
            format!(
                "{count} problems in the arguments of {of}:\n- {}\n- and {more} more\n",
                several.join("\n- ")
            )
        }
    };
    Err(message)
}

fn value(schema: &Value, found: &mut Value, path: &str, faults: &mut Vec<String>) {
    let Value::Object(schema) = schema else { return };
    if let Some(choices) = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array) {
        let about = schema.get("description").and_then(Value::as_str);
        return choice(choices, about, found, path, faults);
    }
    if !kind_fits(schema, found) {
        let mut fault = format!("`{path}` must be {}, found {}", kinds(schema), value_excerpt(found));
        let held = found.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
        if held.is_some_and(|held| kind_fits(schema, &held)) {
            fault.push_str("; pass the value itself, not text that holds it");
        }
        faults.push(fault);
        return;
    }
    let allowed = schema.get("enum").and_then(Value::as_array).map(Vec::as_slice);
    if let Some(allowed) = allowed.or_else(|| schema.get("const").map(std::slice::from_ref)) {
        match meant(found, allowed) {
            Some(word) => *found = word.clone(),
            None => return faults.push(not_one_of(path, found, allowed)),
        }
    }
    match found {
        Value::Number(_) => number(schema, found, path, faults),
        Value::String(text) => {
            let length = text.chars().count() as u64;
            size(schema, length, "characters", ["minLength", "maxLength"], path, faults);
        }
        Value::Array(items) => {
            size(schema, items.len() as u64, "items", ["minItems", "maxItems"], path, faults);
            if let Some(each) = schema.get("items") {
                for (index, item) in items.iter_mut().enumerate() {
                    value(each, item, &format!("{path}[{index}]"), faults);
                    if faults.len() > MOST_FAULTS {
                        break;
                    }
                }
            }
        }
        Value::Object(_) => object(schema, found, path, faults),
        Value::Null | Value::Bool(_) => {}
    }
}

fn object(schema: &Map<String, Value>, found: &mut Value, path: &str, faults: &mut Vec<String>) {
    let Value::Object(members) = found else { return };
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required: Vec<&str> = match schema.get("required").and_then(Value::as_array) {
        Some(names) => names.iter().filter_map(Value::as_str).collect(),
        None => Vec::new(),
    };
    members.retain(|name, value| {
        !(value.is_null()
            && properties.get(name).is_some_and(|schema| !allows_null(schema) && !means_null(schema))
            && !required.contains(&name.as_str()))
    });
    for &name in &required {
        if !members.contains_key(name) {
            let described =
                properties.get(name).and_then(|schema| schema.get("description")).and_then(Value::as_str);
            let about =
                described.map_or_else(String::new, |text| format!(" ({})", text.trim_end_matches('.')));
            faults.push(format!("`{}` is required{about}", at(path, name)));
        }
    }
    for (name, member) in members.iter_mut() {
        match (properties.get(name), schema.get("additionalProperties")) {
            (Some(schema), _) if member.is_null() && means_null(schema) => {}
            (Some(schema), _) => value(schema, member, &at(path, name), faults),
            (None, Some(Value::Bool(false))) => faults.push(unknown(path, name, properties)),
            (None, Some(schema @ Value::Object(_))) => value(schema, member, &at(path, name), faults),
            (None, _) => {}
        }
    }
}

fn unknown(path: &str, name: &str, properties: &Map<String, Value>) -> String {
    let mut fault = format!("`{}` is not a parameter", at(path, name));
    if properties.is_empty() {
        fault.push_str("; there are none");
        return fault;
    }
    let inner =
        properties.iter().find(|(_, schema)| schema.pointer(&format!("/properties/{name}")).is_some());
    match (nearest(name, properties.keys().map(String::as_str)), inner) {
        (_, Some((outer, _))) => {
            fault.push_str(&format!("; it belongs into `{}`.", at(&at(path, outer), name)));
        }
        (Some(near), None) => fault.push_str(&format!("; did you mean `{near}`?")),
        (None, None) => fault.push('.'),
    }
    let names: Vec<String> = properties.keys().map(|name| format!("`{name}`")).collect();
    fault.push_str(&format!(" Valid: {}", names.join(", ")));
    fault
}

/// The one of these values that was meant: the same, or the only one that differs in case, `_` and `-` alone.
fn meant<'a>(found: &Value, allowed: &'a [Value]) -> Option<&'a Value> {
    if let Some(same) = allowed.iter().find(|value| *value == found) {
        return Some(same);
    }
    let letters = |value: &Value| -> Option<String> {
        let folded = value.as_str()?.to_lowercase().replace(['_', '-', ' '], "");
        (!folded.is_empty()).then_some(folded)
    };
    let wanted = letters(found)?;
    let mut alike = allowed.iter().filter(|value| letters(value).is_some_and(|word| word == wanted));
    alike.next().filter(|_| alike.next().is_none())
}

/// Alternatives told apart by a constant member (`type`, `op`) are judged by the one that was meant.
fn choice(choices: &[Value], about: Option<&str>, found: &mut Value, path: &str, faults: &mut Vec<String>) {
    let mut tags: Vec<&str> = Vec::new();
    let mut valid: Vec<Value> = Vec::new();
    let mut alternatives: Vec<&Value> = Vec::new();
    for alternative in choices {
        let Some(properties) = alternative.get("properties").and_then(Value::as_object) else { continue };
        for (name, schema) in properties {
            if let Some(constant) = schema.get("const") {
                tags.push(name);
                valid.push(constant.clone());
                alternatives.push(alternative);
            }
        }
    }
    for (tag, (constant, alternative)) in tags.iter().zip(valid.iter().zip(alternatives)) {
        if found.get(tag).and_then(|given| meant(given, &valid)) == Some(constant) {
            return value(alternative, found, path, faults);
        }
    }
    if let (Value::Object(members), Some(tag)) = (&*found, tags.first()) {
        match members.get(*tag) {
            Some(other) => faults.push(not_one_of(&at(path, tag), other, &valid)),
            None => faults.push(format!("`{}` is required; valid: {}", at(path, tag), listed(&valid))),
        }
        return;
    }
    // Only an alternative of the same kind can have been meant.
    let fits = |choice: &&Value| {
        choice.as_object().is_none_or(|schema| kind_fits(schema, found) && has_sign(schema, found))
    };
    let alike: Vec<&Value> = choices.iter().filter(fits).collect();
    if alike.is_empty() {
        let wanted = about.map_or_else(
            || choices.iter().filter_map(Value::as_object).map(kinds).collect::<Vec<_>>().join(" or "),
            |about| lowercase_article(about.trim_end_matches('.')),
        );
        return faults.push(format!("`{path}` must be {wanted}, found {}", value_excerpt(found)));
    }
    let mut fewest: Option<(Value, Vec<String>)> = None;
    for alternative in alike {
        let (mut attempt, mut found_here) = (found.clone(), Vec::new());
        value(alternative, &mut attempt, path, &mut found_here);
        if fewest.as_ref().is_none_or(|(_, best)| found_here.len() < best.len()) {
            fewest = Some((attempt, found_here));
        }
    }
    if let Some((attempt, found_here)) = fewest {
        *found = attempt;
        faults.extend(found_here);
    }
}

/// Some values that JSON does not have are written as objects with a sign, `$date`; no other object is meant by them.
fn has_sign(schema: &Map<String, Value>, found: &Value) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    let mut signs =
        required.into_iter().flatten().filter_map(Value::as_str).filter(|name| name.starts_with('$'));
    !found.is_object() || signs.all(|sign| found.get(sign).is_some())
}

/// `A cell: …` within a sentence.
fn lowercase_article(text: &str) -> String {
    let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}", first.to_lowercase())
}

fn number(schema: &Map<String, Value>, found: &mut Value, path: &str, faults: &mut Vec<String>) {
    let Some(number) = found.as_f64() else { return };
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let (low, high) = (bound("minimum"), bound("maximum"));
    if low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high) {
        let range = match (schema.get("minimum"), schema.get("maximum")) {
            (Some(low), Some(high)) => format!("from {low} to {high}"),
            (Some(low), None) => format!("at least {low}"),
            (_, high) => format!("at most {}", high.unwrap_or(&Value::Null)),
        };
        faults.push(format!("`{path}` must be {range}, found {found}"));
        return;
    }
    if schema_allows(schema, "integer") && !schema_allows(schema, "number") && found.is_f64() {
        // `kind_fits` has made sure that nothing is lost.
        *found = Value::from(number as i64);
    }
}

fn size(
    schema: &Map<String, Value>,
    length: u64,
    unit: &str,
    names: [&str; 2],
    path: &str,
    faults: &mut Vec<String>,
) {
    let [low, high] = names.map(|name| schema.get(name).and_then(Value::as_u64));
    if let Some(low) = low.filter(|&low| length < low) {
        faults.push(format!("`{path}` must have at least {low} {unit}, found {length}"));
    }
    if let Some(high) = high.filter(|&high| length > high) {
        faults.push(format!("`{path}` must have at most {high} {unit}, found {length}"));
    }
}

fn kind_fits(schema: &Map<String, Value>, found: &Value) -> bool {
    let Some(kinds) = schema.get("type") else { return true };
    let fits = |kind: &Value| match kind.as_str() {
        Some("null") => found.is_null(),
        Some("boolean") => found.is_boolean(),
        Some("string") => found.is_string(),
        Some("array") => found.is_array(),
        Some("object") => found.is_object(),
        Some("number") => found.is_number(),
        Some("integer") => {
            found.is_i64()
                || found.is_u64()
                || found.as_f64().is_some_and(|n| n.fract() == 0.0 && n.abs() < 9.0e15)
        }
        _ => true,
    };
    match kinds {
        Value::Array(each) => each.iter().any(fits),
        one => fits(one),
    }
}

fn schema_allows(schema: &Map<String, Value>, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(each)) => each.iter().any(|each| each == kind),
        Some(one) => one == kind,
        None => true,
    }
}

/// Models send null for what they leave out. Where a caller means it (a note taken away, a cell cleared), the schema of
/// the member says so with `x-null`.
pub const MEANS_NULL: &str = "x-null";

fn means_null(schema: &Value) -> bool {
    schema.get(MEANS_NULL).is_some()
}

fn allows_null(schema: &Value) -> bool {
    schema.as_object().is_none_or(|schema| {
        if schema.contains_key("oneOf") || schema.contains_key("anyOf") {
            return false;
        }
        schema_allows(schema, "null")
    })
}

fn kinds(schema: &Map<String, Value>) -> String {
    let name = |kind: &Value| match kind.as_str() {
        Some("integer") => "an integer".to_owned(),
        Some("array") => "an array".to_owned(),
        Some("object") => "an object".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("null") => "null".to_owned(),
        Some(other) => format!("a {other}"),
        None => kind.to_string(),
    };
    match schema.get("type") {
        Some(Value::Array(each)) => each.iter().map(name).collect::<Vec<_>>().join(" or "),
        Some(one) => name(one),
        None => "something else".to_owned(),
    }
}

fn not_one_of(path: &str, found: &Value, allowed: &[Value]) -> String {
    let mut fault = format!("`{path}` must be one of {}, found {}", listed(allowed), value_excerpt(found));
    if let Some(near) =
        found.as_str().and_then(|text| nearest(text, allowed.iter().filter_map(Value::as_str)))
    {
        fault.push_str(&format!("; did you mean \"{near}\"?"));
    }
    fault
}

fn listed(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")
}

fn value_excerpt(found: &Value) -> String {
    excerpt(&found.to_string(), 60)
}

fn at(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(mut found: Value) -> Result<Value, String> {
        let schema = json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["query"],
            "properties": {
                "query": {"type": "string", "minLength": 1, "maxLength": 20, "description": "Text to search for."},
                "level": {"type": "integer", "minimum": 1, "maximum": 6},
                "mode": {"type": "string", "enum": ["apply", "suggest", "dryRun"]},
                "windowId": {"type": "string"},
                "operations": {"type": "array", "maxItems": 2, "items": {"oneOf": [
                    {"type": "object", "additionalProperties": false, "required": ["type", "nodeId"],
                     "properties": {"type": {"type": "string", "const": "delete"}, "nodeId": {"type": "string"}}},
                    {"type": "object", "additionalProperties": false, "required": ["type"],
                     "properties": {"type": {"type": "string", "const": "insert"}, "text": {"type": "string"}}},
                ]}},
            },
        });
        let Value::Object(schema) = schema else { unreachable!() };
        arguments("sample", &schema, &mut found).map(|()| found)
    }

    #[test]
    fn good_arguments_pass_in_the_form_the_types_expect() {
        let found = check(json!({"query": "x", "level": 3.0, "windowId": null, "mode": "dryRun"}));
        assert_eq!(found, Ok(json!({"query": "x", "level": 3, "mode": "dryRun"})));
    }

    #[test]
    fn words_are_taken_in_whatever_case_they_are_written() {
        for (written, taken) in [
            ("Apply", "apply"),
            ("SUGGEST", "suggest"),
            ("dryrun", "dryRun"),
            ("dry_run", "dryRun"),
            ("dry-run", "dryRun"),
        ] {
            let found = check(json!({"query": "x", "mode": written}));
            assert_eq!(found, Ok(json!({"query": "x", "mode": taken})));
        }
        let found = check(json!({"query": "x", "operations": [{"type": "Insert", "text": "Insert"}]}));
        assert_eq!(found, Ok(json!({"query": "x", "operations": [{"type": "insert", "text": "Insert"}]})));
        let two = [json!("no-case"), json!("NoCase"), json!("<"), json!(">")];
        assert_eq!(meant(&json!("NOCASE"), &two), None);
        assert_eq!(meant(&json!("NoCase"), &two), Some(&two[1]));
        assert_eq!(meant(&json!("<"), &two), Some(&two[2]));
        assert_eq!(meant(&json!("="), &two), None);
    }

    #[test]
    fn each_fault_says_where_what_and_what_would_do() {
        let fault = |found| check(found).unwrap_err();
        assert_eq!(fault(json!({})), "`query` is required (Text to search for)");
        assert_eq!(fault(json!({"query": null})), "`query` must be a string, found null");
        assert_eq!(
            fault(json!({"query": "x", "window_id": "w"})),
            "`window_id` is not a parameter; did you mean `windowId`? Valid: `level`, `mode`, `operations`, `query`, `windowId`"
        );
        assert_eq!(
            fault(json!({"query": "x", "zzz": 1})),
            "`zzz` is not a parameter. Valid: `level`, `mode`, `operations`, `query`, `windowId`"
        );
        assert_eq!(fault(json!({"query": "x", "level": 7})), "`level` must be from 1 to 6, found 7");
        assert_eq!(
            fault(json!({"query": "x", "level": "2"})),
            "`level` must be an integer, found \"2\"; pass the value itself, not text that holds it"
        );
        // The hint is for text that holds a fitting value, not for any text.
        assert_eq!(fault(json!({"query": "x", "level": "two"})), "`level` must be an integer, found \"two\"");
        assert_eq!(fault(json!({"query": "x", "level": 2.5})), "`level` must be an integer, found 2.5");
        assert_eq!(
            fault(json!({"query": "x", "mode": "dryruns"})),
            "`mode` must be one of \"apply\", \"suggest\", \"dryRun\", found \"dryruns\"; did you mean \"dryRun\"?"
        );
        assert_eq!(fault(json!({"query": ""})), "`query` must have at least 1 characters, found 0");
        assert_eq!(
            fault(json!({"query": "x", "operations": [1, 2, 3]})).lines().next(),
            Some("4 problems in the arguments of sample:")
        );
        assert_eq!(
            fault(json!({"query": "x", "operations": [{"type": "delete"}]})),
            "`operations[0].nodeId` is required"
        );
        assert_eq!(
            fault(json!({"query": "x", "operations": [{"type": "remove", "nodeId": "p-1"}]})),
            "`operations[0].type` must be one of \"delete\", \"insert\", found \"remove\""
        );
        assert_eq!(
            fault(json!({"query": "x", "operations": [{"nodeId": "p-1"}]})),
            "`operations[0].type` is required; valid: \"delete\", \"insert\""
        );
    }

    #[test]
    fn all_faults_come_at_once_but_not_without_end() {
        let mut found = json!({"level": 0});
        for index in 0..20 {
            found[format!("zz{index}")] = json!(1);
        }
        let message = check(found).unwrap_err();
        assert!(
            message.starts_with("22 problems in the arguments of sample:\n- `query` is required"),
            "{message}"
        );
        assert!(message.ends_with("- and 14 more\n"), "{message}");
    }
}
