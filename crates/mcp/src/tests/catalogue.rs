//! The tool list: what is in it, that it is true, and what it costs.

use std::{collections::BTreeMap, env, fs, path::PathBuf};

use serde_json::Map;

use super::*;
use crate::{
    choice::{CORE_BYTES, LIST_BYTES, OutputSchemas},
    tools,
};

fn chosen(tools: &str, exclude: &str, read_only: bool) -> Vec<&'static str> {
    let choice =
        Choice { tools: Choice::list(tools), exclude: Choice::list(exclude), read_only, ..Choice::default() };
    choice.pick(sample_tools()).unwrap().iter().map(|tool| tool.name).collect()
}

#[test]
fn tools_are_chosen_by_set_or_name_and_sorted() {
    assert_eq!(
        chosen("", "stumble, where", false),
        ["change", "fail", "list", "long", "picture", "read", "say", "work"]
    );
    assert_eq!(chosen("sheet", "", false), ["change", "fail"]);
    assert_eq!(chosen("markdown, say", "", false), ["aside", "say"]);
    assert_eq!(chosen("all", "word,fail", false), ["aside", "change", "stumble", "where"]);
    assert_eq!(chosen("all", "long", true), ["list", "picture", "read", "say", "stumble", "where", "work"]);
    let unknown =
        Choice { tools: Choice::list("wrod"), ..Choice::default() }.pick(sample_tools()).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no tool or toolset is called `wrod`, did you mean `word`; toolsets: core, word, sheet, markdown, workspace, review, all"
    );
}

fn each_schema<'a>(schema: &'a Map<String, Value>, visit: &mut impl FnMut(&'a Map<String, Value>)) {
    visit(schema);
    for (name, value) in schema {
        match (name.as_str(), value) {
            ("properties", Value::Object(each)) => {
                each.values().filter_map(Value::as_object).for_each(|schema| each_schema(schema, visit));
            }
            ("oneOf" | "anyOf", Value::Array(each)) => {
                each.iter().filter_map(Value::as_object).for_each(|schema| each_schema(schema, visit));
            }
            ("items" | "additionalProperties", Value::Object(schema)) => each_schema(schema, visit),
            _ => {}
        }
    }
}

#[test]
fn schemas_are_what_clients_can_use_and_we_enforce() {
    for tool in tools::all() {
        let listed = tool.listed_in_full();
        let name = tool.name;
        for schema in [Some(&listed.input_schema), listed.output_schema.as_ref()].into_iter().flatten() {
            assert_eq!(schema.get("type"), Some(&json!("object")), "{name}");
            for choice in ["oneOf", "anyOf", "allOf"] {
                assert!(!schema.contains_key(choice), "{name} has {choice} at its root");
            }
            each_schema(schema, &mut |schema| {
                for keyword in schema.keys() {
                    assert!(
                        schema::KEYWORDS.contains(&keyword.as_str()),
                        "{name}: `{keyword}` would not be enforced"
                    );
                }
            });
        }
        assert_eq!(
            tool.checked_input().get("additionalProperties"),
            Some(&json!(false)),
            "{name} takes unknown fields"
        );
        let description = listed.description.unwrap_or_default();
        assert!(
            description.ends_with('.') && description.len() >= 20,
            "{name} is not described: {description:?}"
        );
        assert!(!tool.about.title.is_empty() && !tool.about.sets.is_empty(), "{name}");
        let hints = tool.about.hints;
        assert!(!(hints.read_only && hints.destructive), "{name}");
    }
}

/// `UPDATE_GOLDEN=1` writes the files anew.
#[test]
fn each_tool_is_as_its_golden_file_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden");
    let update = env::var_os("UPDATE_GOLDEN").is_some();
    let mut wanted: BTreeMap<String, String> = BTreeMap::new();
    for tool in tools::all() {
        let mut text = serde_json::to_string_pretty(&tool.listed_in_full()).unwrap();
        text.push('\n');
        wanted.insert(format!("{}.json", tool.name), text);
    }
    for entry in fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !wanted.contains_key(&name) {
            assert!(update, "golden/{name} belongs to no tool");
            fs::remove_file(folder.join(name)).unwrap();
        }
    }
    for (name, text) in wanted {
        let path = folder.join(&name);
        if update {
            #[expect(clippy::disallowed_methods, reason = "golden files are written on request")]
            fs::write(&path, &text).unwrap();
        }
        #[expect(clippy::disallowed_methods, reason = "golden files are read from disk")]
        let golden = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            text, golden,
            "golden/{name} differs; if that is meant, run with UPDATE_GOLDEN=1 and review it"
        );
    }
}

/// Only answers that are text to read, and pictures, have no shape.
#[test]
fn every_answer_has_a_shape_or_is_text() {
    let shapeless: Vec<&str> = tools::all()
        .iter()
        .filter(|tool| tool.listed_in_full().output_schema.is_none())
        .map(|tool| tool.name)
        .collect();
    let text = [
        "document_get_content",
        "grep",
        "read_file",
        "workspace_get_focused",
        "xlsx_exec",
        "xlsx_read",
        "xlsx_render",
    ];
    assert_eq!(shapeless, text);
}

fn list(tools: &str, output_schemas: OutputSchemas) -> (usize, usize, usize) {
    let choice = Choice { tools: Choice::list(tools), output_schemas, ..Choice::default() };
    let listed = choice.list_of(&choice.pick(tools::all()).unwrap());
    let shaped = listed.iter().filter(|tool| tool.output_schema.is_some()).count();
    (listed.len(), shaped, serde_json::to_string(&listed).unwrap().len())
}

#[test]
fn the_list_stays_within_its_budget() {
    for tool in tools::all() {
        let size = serde_json::to_string(&tool.listed()).unwrap().len();
        let budget = if tool.name == "xlsx_exec" { 2000 } else { 1200 };
        assert!(size <= budget, "{} takes {size} bytes of {budget}", tool.name);
    }
    for (set, most, budget) in [
        ("core", 40, CORE_BYTES),
        ("word", 128, LIST_BYTES),
        ("sheet", 128, LIST_BYTES),
        ("markdown", 128, LIST_BYTES),
        ("workspace", 128, LIST_BYTES),
        ("review", 10, LIST_BYTES),
        ("all", 128, LIST_BYTES),
    ] {
        let (count, shaped, size) = list(set, OutputSchemas::Fitting);
        assert!(count <= most && size <= budget, "{set}: {count} tools, {size} bytes");
        if !matches!(set, "core" | "all") {
            let (_, all, full) = list(set, OutputSchemas::Always);
            assert_eq!(shaped, all, "{set} with the shapes of its answers takes {full} bytes of {budget}");
        }
        assert_eq!(list(set, OutputSchemas::Never).1, 0);
    }
}
