//! Reference pages that are generated from the code: a stale one fails here.
//!
//! `cargo xtask docs` writes them.

use std::fmt::Write as _;

use serde_json::Value;

use crate::binary::{root, run, tools};

/// Compare a page with what it should be, or write it when asked to.
#[track_caller]
fn current(page: &str, wanted: &str) {
    let path = root().join(page);
    if std::env::var_os("DOCWRIGHT_WRITE_DOCS").is_some() {
        std::fs::write(&path, wanted).expect("the page can be written");
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "{page} is not what the code says; run `cargo xtask docs`");
}

/// Links, tables and fences of our own pages hold, and the front page of the documentation leads to each of them.
#[test]
fn every_page_is_whole_and_can_be_reached() {
    let mut pages = vec![root().join("docs/README.md")];
    for folder in ["", "docs", "examples", "packaging", "skill"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder").flatten();
        let is_page = |path: &std::path::PathBuf| path.extension().is_some_and(|extension| extension == "md");
        pages.extend(entries.map(|entry| entry.path()).filter(is_page));
    }
    let paths: Vec<&str> = pages.iter().map(|page| page.to_str().expect("a plain path")).collect();
    let checked = run(&[&["md", "check"], &paths[..]].concat());
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stdout));
    let front = std::fs::read_to_string(&pages[0]).expect("the front page");
    for page in pages[1..].iter().filter(|page| page.parent().is_some_and(|folder| folder.ends_with("docs")))
    {
        let name = page.file_name().and_then(|name| name.to_str()).expect("a name");
        assert!(
            name == "README.md" || front.contains(&format!("({name})")),
            "docs/README.md does not lead to {name}"
        );
    }
}

/// The picture of the README is drawn from what the program prints.
#[test]
#[cfg(unix)]
fn the_moving_picture_is_current() {
    let mut draw = std::process::Command::new("python3");
    draw.arg(root().join("docs/demo.py")).arg(env!("CARGO_BIN_EXE_docwright"));
    if std::env::var_os("DOCWRIGHT_WRITE_DOCS").is_none() {
        draw.arg("--check");
    }
    match draw.output() {
        Ok(done) => assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr)),
        Err(error) => println!("SKIPPED: python3: {error}"),
    }
}

/// What registries are told agrees with what is built.
#[test]
fn the_packages_are_of_this_version() {
    let text = std::fs::read_to_string(root().join("server.json")).expect("the file is there");
    let told: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(told["version"], env!("CARGO_PKG_VERSION"));
    let packages = told["packages"].as_array().expect("packages");
    assert!(packages.iter().all(|package| package["version"] == env!("CARGO_PKG_VERSION")), "{packages:?}");
}

#[test]
fn the_tools_reference_is_current() {
    let all = tools("all,review", &["--output-schemas", "always"]);
    let sets = ["core", "word", "sheet", "markdown", "workspace", "review"];
    let named: Vec<(&str, Vec<String>)> =
        sets.iter().map(|set| (*set, tools(set, &[]).iter().map(name).collect())).collect();
    let mut page = String::from(
        "# Tools\n\nEvery MCP tool of `docwright mcp --tools all,review`, generated from the code by `cargo xtask docs`.\n\
         The toolsets are chosen at start-up with `--tools`; `core` is the default. `review` is what people decide with \
         ([`docwright review`](review.md)), and no part of `all`.\n\n",
    );
    for (set, names) in &named {
        let _ = writeln!(page, "- **{set}** ({}): {}", names.len(), links(names));
    }
    for tool in &all {
        describe(tool, &mut page);
    }
    current("docs/tools.md", &page);
}

#[test]
fn the_formula_reference_is_current() {
    let functions = formula::functions();
    let mut page = format!(
        "# Formulas\n\nThe {} functions that formulas can use, generated from the code by `cargo xtask docs`. A function \
         whose last column is empty gives what Excel gives, as far as we know.\n\n\
         | function | category | arguments | volatile | known differences |\n|---|---|---|---|---|\n",
        functions.len()
    );
    for function in functions {
        let most = if function.max == u8::MAX { "…".to_owned() } else { function.max.to_string() };
        let arguments =
            if most == function.min.to_string() { most } else { format!("{} to {most}", function.min) };
        let volatile = if function.volatile { "yes" } else { "" };
        let category = format!("{:?}", function.category).to_lowercase();
        let _ = writeln!(
            page,
            "| {} | {category} | {arguments} | {volatile} | {} |",
            function.name, function.note
        );
    }
    current("docs/formulas.md", &page);
}

fn name(tool: &Value) -> String {
    tool["name"].as_str().unwrap_or_default().to_owned()
}

fn links(names: &[String]) -> String {
    names.iter().map(|name| format!("[`{name}`](#{name})")).collect::<Vec<_>>().join(", ")
}

fn describe(tool: &Value, page: &mut String) {
    let _ = write!(page, "\n## {}\n\n{}\n", name(tool), tool["description"].as_str().unwrap_or_default());
    let hints = &tool["annotations"];
    let told: Vec<&str> = [
        ("readOnlyHint", "reads only"),
        ("destructiveHint", "may replace what is not kept elsewhere"),
        ("idempotentHint", "doing it twice is doing it once"),
        ("openWorldHint", "reaches beyond the workspace"),
    ]
    .into_iter()
    .filter(|(hint, _)| hints[*hint] == true)
    .map(|(_, meaning)| meaning)
    .collect();
    if !told.is_empty() {
        let _ = write!(page, "\n*{}*\n", told.join("; "));
    }
    let schema = &tool["inputSchema"];
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if let Some(properties) = schema["properties"].as_object().filter(|properties| !properties.is_empty()) {
        page.push_str("\n| parameter | type | |\n|---|---|---|\n");
        for (parameter, shape) in properties {
            let need = if required.contains(&parameter.as_str()) { "**required** " } else { "" };
            let about =
                shape["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
            let _ = writeln!(page, "| `{parameter}` | {} | {need}{about} |", shape_of(shape));
        }
    }
    let _ = match tool.get("outputSchema") {
        None => writeln!(page, "\nAnswers with text."),
        Some(schema) => writeln!(page, "\nAnswers with {}.", members(schema)),
    };
}

/// `name` type, with `?` for what is not always there, nested members in braces.
fn members(schema: &Value) -> String {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let Some(properties) = schema["properties"].as_object() else { return "an object".to_owned() };
    let each = properties.iter().map(|(name, shape)| {
        let sure = if required.iter().any(|required| required == name) { "" } else { "?" };
        format!("`{name}`{sure} {}", answer(shape))
    });
    each.collect::<Vec<_>>().join(", ")
}

fn answer(shape: &Value) -> String {
    if let Some(choices) = shape["anyOf"].as_array() {
        return choices.iter().map(answer).collect::<Vec<_>>().join(" or ");
    }
    match shape["type"].as_str() {
        Some("array") => format!("array of {}", answer(&shape["items"])),
        Some("object") if shape["properties"].is_object() => format!("{{{}}}", members(shape)),
        _ => shape_of(shape).replace("\\|", "or"),
    }
}

fn shape_of(shape: &Value) -> String {
    if let Some(values) = shape["enum"].as_array() {
        let values: Vec<String> = values.iter().filter_map(Value::as_str).map(|v| format!("`{v}`")).collect();
        return values.join(" \\| ");
    }
    match &shape["type"] {
        Value::String(kind) if kind == "array" => format!("array of {}", shape_of(&shape["items"])),
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" \\| "),
        _ => "any".to_owned(),
    }
}
