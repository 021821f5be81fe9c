//! Scripts that need the program as users get it: packages, benchmarks, the picture of the README.
//!
//! They are Python, as archives, JSON and other people's programs are less work there; this builds what they are given.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::test::target;

/// Runs a script with the program, built in release unless `--binary PATH` names one. `before` stands in front of its path.
pub(crate) fn run(root: &Path, script: &str, before: &[&str], options: &[&str]) -> ExitCode {
    let (program, options) = match options {
        ["--binary", path, rest @ ..] => (PathBuf::from(path), rest),
        [rest @ .., "--binary", path] => (PathBuf::from(path), rest),
        all => match built(root) {
            Some(program) => (program, all),
            None => return ExitCode::from(1),
        },
    };
    let program = std::path::absolute(&program).unwrap_or(program);
    if !program.exists() {
        eprintln!("{} is not there", program.display());
        return ExitCode::from(1);
    }
    let mut command = Command::new("python3");
    ended(command.arg(root.join(script)).args(before).arg(program).args(options))
}

/// The script makes a clone of its own and builds there.
pub(crate) fn newcomer(root: &Path, options: &[&str]) -> ExitCode {
    ended(Command::new("python3").arg(root.join("packaging/newcomer")).args(options))
}

fn built(root: &Path) -> Option<PathBuf> {
    let mut command = Command::new("cargo");
    command.args(["build", "--release", "--locked", "--package", "docwright"]);
    let status = command.current_dir(root).status();
    status.is_ok_and(|status| status.success()).then(|| target(root).join("release/docwright"))
}

fn ended(command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!(
                "{:?} could not be started: {error}; Python 3.11 or newer is needed",
                command.get_program()
            );
            ExitCode::from(1)
        }
    }
}
