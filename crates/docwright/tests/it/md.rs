//! `docwright md` on a sample of our own.

use crate::binary::{json, root, run};

/// A copy of the handbook in a folder that goes away with the guard.
fn handbook() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("handbook.md");
    std::fs::copy(root().join("samples/handbook.md"), &path).expect("the sample can be copied");
    let path = path.to_str().expect("a plain path").to_owned();
    (folder, path)
}

#[test]
fn reading_prints_the_file_or_a_part_of_it() {
    let (_folder, path) = handbook();
    let whole = run(&["md", "read", &path]);
    assert_eq!(whole.stdout, std::fs::read(&path).unwrap());
    let section = run(&["md", "read", &path, "--node", "h-1", "--section"]);
    let section = String::from_utf8(section.stdout).unwrap();
    assert!(
        section.starts_with("## Scope\n") && section.trim_end().ends_with("[[Runbooks|the runbooks]]."),
        "{section}"
    );
    let titled = run(&["md", "read", &path, "--node", "scope", "--section"]);
    assert_eq!(String::from_utf8(titled.stdout).unwrap(), section, "a heading is known by its title too");
}

#[test]
fn the_outline_has_ids_that_can_be_edited() {
    let (_folder, path) = handbook();
    let outline = json(&run(&["md", "outline", &path, "--json"]));
    assert_eq!(outline[1]["id"], "h-1");
    assert_eq!(outline[1]["title"], "Scope");
    assert_eq!(outline[3]["level"], 3);
}

#[test]
fn an_edit_changes_what_it_says_and_nothing_else() {
    let (_folder, path) = handbook();
    let before = std::fs::read_to_string(&path).unwrap();
    let edited = run(&["md", "edit", &path, "--old", "5 minutes", "--new", "10 minutes", "--json"]);
    assert_eq!(edited.status.code(), Some(0));
    assert_eq!(json(&edited)["changes"][0]["line"], 17);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), before.replacen("5 minutes", "10 minutes", 1));
}

#[test]
fn a_dry_run_and_a_refusal_write_nothing() {
    let (folder, path) = handbook();
    let before = std::fs::read(&path).unwrap();
    let dry = run(&["md", "edit", &path, "--old", "5 minutes", "--new", "x", "--dry-run"]);
    assert_eq!(dry.status.code(), Some(0));
    let several = run(&["md", "edit", &path, "--old", "the", "--new", "x"]);
    assert_eq!(several.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&several.stderr).contains("AMBIGUOUS"));
    let never = run(&["md", "edit", &path, "--old", "no such text", "--new", "x", "--json"]);
    assert_eq!(never.status.code(), Some(1));
    assert_eq!(json(&never)["error"]["code"], "NOT_FOUND");
    let elsewhere = folder.path().join("elsewhere.md");
    let output = elsewhere.to_str().expect("a plain path");
    run(&["md", "edit", &path, "--old", "no such text", "--new", "x", "-o", output]);
    assert!(!elsewhere.exists(), "a refused edit makes no file");
    let node = run(&["md", "edit", &path, "--node", "p-99", "--new", "x", "--json"]);
    assert_eq!(json(&node)["error"]["code"], "NOT_FOUND");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn checking_finds_mixed_line_endings_and_missing_files() {
    let (folder, path) = handbook();
    assert_eq!(run(&["md", "check", &path]).status.code(), Some(0));
    let mixed = folder.path().join("mixed.md");
    std::fs::write(&mixed, "one\r\n\r\ntwo\n\r\nthree\r\n").unwrap();
    let checked = run(&["md", "check", mixed.to_str().unwrap(), "missing.md", "--json"]);
    assert_eq!(checked.status.code(), Some(2));
    let report = json(&checked);
    assert_eq!(report[0]["lossless"], true);
    assert_eq!(report[0]["findings"][0]["line"], 3);
    assert_eq!(report[1]["error"]["code"], "FILE_NOT_FOUND");
}

#[test]
fn checking_follows_links_and_reads_fences_tables_and_levels() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let page = folder.path().join("page.md");
    std::fs::write(folder.path().join("other page.md"), "# Here\n").expect("a page");
    let text = "# A\n\n[fine](other%20page.md#here) [gone](gone.md) [no](other%20page.md#there) [up](#b)\n\n### C\n\n\
                | a | b |\n|---|---|\n| 1 | 2 | 3 |\n\n```sh\nls\n";
    std::fs::write(&page, text).expect("a page");
    let checked = run(&["md", "check", page.to_str().expect("a plain path"), "--json"]);
    assert_eq!(checked.status.code(), Some(2));
    let found = json(&checked)[0]["findings"].clone();
    let told: Vec<(u64, &str)> = found
        .as_array()
        .expect("findings")
        .iter()
        .map(|finding| (finding["line"].as_u64().unwrap_or(0), finding["rule"].as_str().unwrap_or("")))
        .collect();
    let link = "broken-link";
    assert_eq!(
        told,
        [(3, link), (3, link), (3, link), (5, "skipped-level"), (9, "ragged-table"), (11, "open-fence")]
    );
}

#[test]
fn every_block_is_listed_with_the_id_that_edits_take() {
    let (_folder, path) = handbook();
    let listed = json(&run(&["md", "outline", &path, "--blocks", "--json"]));
    let blocks = listed.as_array().expect("blocks");
    let code = blocks.iter().find(|block| block["kind"] == "codeBlock").expect("a code block");
    let id = code["id"].as_str().expect("an id");
    let shown = run(&["md", "read", &path, "--node", id]);
    assert!(String::from_utf8_lossy(&shown.stdout).starts_with("```sh\n"), "{shown:?}");
    let printed = run(&["md", "outline", &path, "--blocks"]);
    assert!(String::from_utf8_lossy(&printed.stdout).contains("table: Level"), "{printed:?}");
}
