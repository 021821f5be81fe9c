//! All tests, from the laws of a patch to real clients against the real binary.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// In the order in which a failure is cheapest to learn of.
pub(crate) fn run(root: &Path) -> ExitCode {
    let steps: [(&str, Command); 5] = [
        (
            "unit, property, protocol and corpus tests",
            cargo(&["test", "--workspace", "--locked", "--no-fail-fast"]),
        ),
        ("the binary that clients will meet", cargo(&["build", "--locked", "--package", "docwright"])),
        ("real clients against the real binary", clients(root)),
        ("many clients, and hostile ones, at one desk", desk(root)),
        ("what other programs see of each Word operation", operations(root)),
    ];
    for (name, mut command) in steps {
        println!("\n-- {name}");
        match command.current_dir(root).status() {
            Ok(status) if status.success() => {}
            Ok(status) => {
                println!("-- {name}: {status}");
                return ExitCode::from(1);
            }
            Err(error) => {
                println!("-- {name}: could not start {:?}: {error}", command.get_program());
                return ExitCode::from(1);
            }
        }
    }
    ExitCode::SUCCESS
}

/// The tests that compare the generated pages write them when asked to.
pub(crate) fn write_docs(root: &Path) -> ExitCode {
    let mut command = cargo(&["test", "--quiet", "--package", "docwright", "--test", "it", "docs::"]);
    match command.current_dir(root).env("DOCWRIGHT_WRITE_DOCS", "1").status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    }
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments);
    command
}

fn clients(root: &Path) -> Command {
    let mut command = Command::new("python3");
    command.arg("tests/clients/run").arg(binary(root));
    command
}

fn desk(root: &Path) -> Command {
    let mut command = Command::new("python3");
    command.arg("tests/desk/run").arg(binary(root)).arg("--steady");
    command
}

fn operations(root: &Path) -> Command {
    let mut command = Command::new("python3");
    command.arg("tests/word/operations.py").arg(binary(root)).arg("--quick");
    command
}

fn binary(root: &Path) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    target.join("debug/docwright")
}
