//! `docwright serve --check-config`: what would be used, what is wrong, and no key anywhere.

use std::process::Output;

use crate::binary::{docwright, json};

const CANARY: &str = "sk-canary-90d2f1";

#[track_caller]
fn check(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = docwright(folder.path());
    for name in ["OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "ANTHROPIC_API_KEY"] {
        command.env_remove(name);
    }
    command.current_dir(folder.path()).envs(variables.iter().copied());
    let output = command.args(["-vv", "serve", "--check-config"]).args(arguments).output();
    let output = output.expect("the binary starts");
    for stream in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(stream);
        assert!(!text.contains(CANARY), "{text}");
    }
    output
}

#[test]
fn a_fresh_server_answers_by_the_planner() {
    let output = check(&["--json"], &[("OPENAI_API_KEY", CANARY)]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let checked = json(&output);
    assert_eq!((&checked["ok"], &checked["model"]), (&true.into(), &serde_json::Value::Null));
    assert_eq!((&checked["approval"], &checked["private_mcp"]), (&"auto".into(), &false.into()));
    assert!(checked["tools"].as_u64().expect("a number") > 10);
    let text = String::from_utf8_lossy(&check(&[], &[]).stdout).into_owned();
    assert!(text.contains("answers     the built-in planner"), "{text}");
}

#[test]
fn a_provider_is_told_by_all_but_its_key() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("key");
    std::fs::write(&file, format!("{CANARY}\n")).expect("a file");
    let file = file.to_str().expect("a plain path");
    let given = ["--provider", "anthropic", "--model", "m-1", "--model-key-file", file, "--json"];
    let checked = json(&check(&given, &[]));
    assert_eq!(checked["model"]["url"], "https://api.anthropic.com");
    assert_eq!(checked["model"]["key_from"], format!("the file {file}"));
    let variables = [
        ("DOCWRIGHT_PROVIDER", "azure"),
        ("DOCWRIGHT_MODEL", "gpt"),
        ("DOCWRIGHT_MODEL_URL", "https://x.example"),
        ("AZURE_OPENAI_API_KEY", CANARY),
        ("DOCWRIGHT_APPROVAL", "ask-write"),
    ];
    let checked = json(&check(&["--allow-private-mcp", "--json"], &variables));
    assert_eq!(checked["model"]["key_from"], "AZURE_OPENAI_API_KEY");
    assert_eq!((&checked["approval"], &checked["private_mcp"]), (&"ask-write".into(), &true.into()));
}

#[test]
fn what_is_wrong_is_said_with_what_to_do() {
    for (arguments, code) in [
        (&["--provider", "openai", "--model", "m"][..], "NO_KEY"),
        (&["--provider", "opneai", "--model", "m"], "BAD_PROVIDER"),
        (&["--provider", "ollama"], "NO_MODEL"),
        (&["--approval", "never"], "BAD_POLICY"),
        (&["--listen", "0.0.0.0:8717"], "TOKEN_NEEDED"),
        (&["--root", "/nowhere/at/all"], "NO_ROOT"),
        (&["--tools", "wrod"], "UNKNOWN_TOOLS"),
    ] {
        let output = check(&[arguments, &["--json"]].concat(), &[]);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(json(&output)["error"]["code"], code, "{arguments:?}");
    }
}
