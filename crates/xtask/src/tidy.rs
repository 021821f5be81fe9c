//! What a machine can see of the house rules.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{floors, habits, licences};

/// All arrows there are between our crates; another one is a design change and starts here.
const ARROWS: &[(&str, &[&str])] = &[
    ("edit", &[]),
    ("formula", &[]),
    ("schema", &["edit"]),
    ("ooxml", &["edit"]),
    ("markdown", &["edit"]),
    ("word", &["ooxml", "edit"]),
    ("sheet", &["ooxml", "formula", "edit"]),
    // Draws what a script wants to see.
    ("script", &["render", "sheet", "schema", "edit"]),
    ("render", &["word", "sheet", "markdown", "edit"]),
    // Plain requests to the engines' own vocabularies; knows their words, not their documents.
    ("planner", &["word"]),
    ("workspace", &["planner", "script", "word", "sheet", "markdown", "edit"]),
    ("mcp", &["workspace", "script", "render", "schema"]),
    ("gateway", &["mcp"]),
    ("desk", &["mcp"]),
    // The command line is a door like the others, so it reaches the workspace and no engine.
    ("docwright", &["gateway", "desk", "mcp", "workspace"]),
    // Packs what was edited, to see that it comes back.
    ("testkit", &["edit", "ooxml"]),
    ("xtask", &["formula", "mcp"]),
];

/// Files that are lists by nature may be as long as their list.
const TABLES: &[&str] = &[];

const MOST_LINES: usize = 800;

pub(crate) fn problems(root: &Path) -> Vec<String> {
    let mut problems = arrows(&metadata(root, &["--no-deps"]));
    problems.extend(licences::problems(
        root,
        &metadata(root, &["--filter-platform", "x86_64-unknown-linux-gnu"]),
    ));
    let files = tracked(root);
    problems.extend(long_files(root, &files));
    problems.extend(shapes(&files));
    problems.extend(floors::problems(root, &files));
    problems.extend(lost_signposts(root));
    problems.extend(habits::problems(root, &files));
    problems.extend(foreign_fixtures(root, &files));
    problems
}

fn metadata(root: &Path, options: &[&str]) -> Value {
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(options)
        .current_dir(root)
        .output()
        .expect("cargo metadata runs");
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

fn arrows(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().expect("metadata lists packages");
    let names: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut problems = Vec::new();
    for package in packages {
        let name = package["name"].as_str().expect("a package has a name");
        let folder =
            package["manifest_path"].as_str().map(Path::new).and_then(|path| path.parent()?.file_name());
        if folder.and_then(|folder| folder.to_str()) != Some(name) {
            problems.push(format!("crate {name} lives in a folder of another name"));
        }
        let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
            problems.push(format!("crate {name} is not on the map in xtask/src/tidy.rs"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let to = dependency["name"].as_str().expect("a dependency has a name");
            if !names.contains(&to) {
                continue;
            }
            let is_test = dependency["kind"].as_str() == Some("dev");
            match (is_test, to) {
                (true, _) => {}
                (false, "testkit" | "xtask") => {
                    problems.push(format!("{name} -> {to}: {to} is for tests only"))
                }
                (false, _) if allowed.contains(&to) => {}
                (false, _) => problems.push(format!("{name} -> {to} is not an arrow on the map")),
            }
        }
    }
    problems
}

/// Files that git tracks, or would.
fn tracked(root: &Path) -> Vec<PathBuf> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .expect("git ls-files runs");
    String::from_utf8_lossy(&output.stdout).lines().map(PathBuf::from).collect()
}

fn long_files(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
        if TABLES.iter().any(|table| file == Path::new(table)) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        let lines = text.lines().count();
        if lines > MOST_LINES {
            problems.push(format!("{} has {lines} lines: look for the second idea", file.display()));
        }
    }
    problems
}

fn shapes(files: &[PathBuf]) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or("");
        if name == "mod.rs" {
            problems.push(format!("{}: name the module's file after the module", file.display()));
        }
        if matches!(name, "utils.rs" | "helpers.rs" | "common.rs") {
            problems.push(format!("{}: name the file after its idea", file.display()));
        }
    }
    problems
}

/// Files that ARCHITECTURE.md names and that are no longer there.
fn lost_signposts(root: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is there");
    let named = text.split('`').filter(|piece| piece.starts_with("crates/") && piece.ends_with(".rs"));
    let lost = named.filter(|path| !root.join(path).exists());
    lost.map(|path| format!("ARCHITECTURE.md names {path}, which is not there")).collect()
}

/// Fixtures in the repository are our own: none may be a file of the shared corpus.
fn foreign_fixtures(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let Ok(manifest) = std::fs::read_to_string(root.join("../shared/corpus/MANIFEST.tsv")) else {
        return Vec::new();
    };
    let samples: Vec<(u64, &str)> = manifest
        .lines()
        .skip(1)
        .filter_map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            Some((fields.get(4)?.parse().ok()?, *fields.get(3)?))
        })
        .collect();
    let office = |file: &&PathBuf| {
        file.extension()
            .is_some_and(|extension| ["docx", "xlsx", "xlsm", "xls", "md"].iter().any(|e| extension == *e))
    };
    files
        .iter()
        .filter(office)
        .filter_map(|file| {
            let bytes = std::fs::read(root.join(file)).ok()?;
            let same = |sample: &str| {
                std::fs::read(root.join("../shared/corpus").join(sample)).is_ok_and(|other| other == bytes)
            };
            let mut of_this_size = samples.iter().filter(|(size, _)| *size == bytes.len() as u64);
            let (_, sample) = of_this_size.find(|(_, sample)| same(sample))?;
            Some(format!("{} is a copy of the corpus file {sample}", file.display()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_house_is_tidy() {
        let problems = super::problems(&crate::root());
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
