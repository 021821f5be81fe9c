//! All tests, from the laws of a patch to real clients against the real binary.
//!
//! They try the same cases each time: the seed of random ones stands in `.cargo/config.toml`. Others are tried by
//! `cargo xtask explore`.

mod report;

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant, SystemTime};

use self::report::Report;

/// In the order in which a failure is cheapest to learn of. The first step builds the binary that the others meet.
pub(crate) fn run(root: &Path) -> ExitCode {
    if let Err(missing) = prerequisites() {
        println!("{missing}");
        return ExitCode::from(1);
    }
    let mut report = Report::default();
    let fixture = target(root).join("debug/examples/conformance");
    let mut clients = python("tests/clients/run", root, &[]);
    clients.arg("--fixture").arg(fixture);
    let steps: [(&str, Command); 6] = [
        ("building", programs()),
        ("unit, property, protocol and corpus tests", harness()),
        ("real clients against the real binary", clients),
        ("many clients, and hostile ones, at one desk", python("tests/desk/run", root, &[])),
        ("the HTTP API as strangers meet it", python("tests/http/run", root, &[])),
        (
            "what other programs see of each Word operation",
            python("tests/word/operations.py", root, &["--quick"]),
        ),
    ];
    let began = Instant::now();
    for (name, command) in steps {
        println!("\n-- {name} ({} s)", began.elapsed().as_secs());
        if let Err(problem) = step(root, name, command, &mut report) {
            println!("{}\n-- {name}: {problem}", report.summary());
            return ExitCode::from(1);
        }
    }
    println!("\n-- all is well ({} s)\n{}", began.elapsed().as_secs(), report.summary());
    ExitCode::SUCCESS
}

/// Tries random cases that nobody tried before, until the time is over or one fails. `proptest` keeps the smallest failing
/// case in a `proptest-regressions` file beside the test, from where every later run tries it first.
pub(crate) fn explore(root: &Path, arguments: &[&str]) -> ExitCode {
    let minutes = match arguments {
        [] => Some(10),
        ["--minutes", count] => count.parse().ok(),
        _ => None,
    };
    let Some(minutes) = minutes else {
        println!("usage: cargo xtask explore [--minutes N]");
        return ExitCode::from(1);
    };
    let mut report = Report::default();
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(minutes * 60) {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let seed = since.as_nanos().to_string();
        println!("\n-- seed {seed}");
        let mut command = harness();
        command.env("PROPTEST_RNG_SEED", &seed).env("FORMULA_SEED", &seed).env("FORMULA_FUZZ", "20");
        if let Err(problem) = step(root, "exploring", command, &mut report) {
            println!(
                "-- {problem}\n-- again: PROPTEST_RNG_SEED={seed} FORMULA_SEED={seed} cargo test …; commit what is new in proptest-regressions"
            );
            return ExitCode::from(1);
        }
    }
    println!("-- nothing found in {minutes} minutes");
    ExitCode::SUCCESS
}

/// What is needed beside Rust, asked for before anything is compiled.
fn prerequisites() -> Result<(), String> {
    let python = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
    let needed: [(&str, &[&str], &str); 2] = [
        ("python3", &["-c", python], "Python 3.11 or newer with `venv` (Debian: apt install python3-venv)"),
        (
            "npm",
            &["--version"],
            "npm, which comes with Node 18 or newer (Debian: apt install npm; or https://nodejs.org)",
        ),
    ];
    for (program, arguments, what) in needed {
        let asked =
            Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !asked.is_ok_and(|status| status.success()) {
            return Err(format!(
                "`{program}` is not here or too old. The tests talk to the program as other programs do, and need {what}. \
                 `cargo test --workspace` runs those that need only Rust."
            ));
        }
    }
    Ok(())
}

fn step(root: &Path, name: &str, mut command: Command, report: &mut Report) -> Result<(), String> {
    let is_harness = command.get_program() == "cargo";
    let started = command.current_dir(root).stdout(Stdio::piped()).spawn();
    let mut child =
        started.map_err(|error| format!("could not start {:?}: {error}", command.get_program()))?;
    let output = child.stdout.take().map(BufReader::new).ok_or("its output cannot be read")?;
    match is_harness {
        true => report.read_harness(output, |line| println!("{line}")),
        false => report.read_script(name, output, |line| println!("{line}")),
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    status.success().then_some(()).ok_or_else(|| status.to_string())
}

/// The tests that compare the generated pages write them when asked to.
pub(crate) fn write_docs(root: &Path) -> ExitCode {
    let mut command = Command::new("cargo");
    command.args(["test", "--quiet", "--package", "docwright", "--test", "it", "docs::"]);
    match command.current_dir(root).env("DOCWRIGHT_WRITE_DOCS", "1").status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    }
}

/// What later steps start. Asked for one by one they would be built with other features of the crates below them, and
/// these crates therefore twice.
fn programs() -> Command {
    let mut command = Command::new("cargo");
    command.args(["build", "--workspace", "--locked", "--bins", "--example", "conformance"]);
    command
}

/// All Rust tests. There are no examples in comments to compile: `rustdoc` would fail beside another build.
fn harness() -> Command {
    let mut command = Command::new("cargo");
    command.args(["test", "--workspace", "--locked", "--no-fail-fast", "--lib", "--bins", "--tests"]);
    command.args(["--", "--show-output"]);
    command
}

fn python(script: &str, root: &Path, options: &[&str]) -> Command {
    let mut command = Command::new("python3");
    command.arg(script).arg(target(root).join("debug/docwright")).args(options);
    command
}

/// Where builds go.
pub(crate) fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
