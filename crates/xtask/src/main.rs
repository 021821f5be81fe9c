//! Work on the repository itself: `cargo xtask test`, `cargo xtask tidy`.
#![allow(clippy::disallowed_methods, reason = "this tool reads and writes the repository")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this tool speaks to a terminal")]

mod floors;
mod fuzz;
mod habits;
mod licences;
mod test;
mod tidy;
mod with_program;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  bench     measure against others in one run and write docs/benchmarks.md; --only word,mcp; --quick
  demo      draw docs/demo.svg from what the commands in it print
  dist      make every package for this machine and try each; --binary PATH takes a program that is built
  docs      write the reference pages that are generated from the code
  explore   try random cases that nobody tried, for ten minutes or --minutes N, and keep what fails
  fuzz      run the fuzz targets, or those named, each for a minute or for --seconds N
  newcomer  run the README from top to bottom in a clean clone with an empty home; --quick
  test      run every test there is, installing what they need
  tidy      check the arrows between crates and floors, file sizes, licences and fixtures";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["bench", rest @ ..] => with_program::run(&root(), "benches/run", &["--binary"], rest),
        ["demo", rest @ ..] => with_program::run(&root(), "docs/demo.py", &[], rest),
        ["dist", rest @ ..] => with_program::run(&root(), "packaging/dist.py", &["--binary"], rest),
        ["newcomer", rest @ ..] => with_program::newcomer(&root(), rest),
        ["docs"] => test::write_docs(&root()),
        ["explore", rest @ ..] => test::explore(&root(), rest),
        ["fuzz", rest @ ..] => fuzz::run(&root(), rest),
        ["test"] => test::run(&root()),
        ["tidy"] => report(tidy::problems(&root())),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(1)
        }
    }
}

fn report(problems: Vec<String>) -> ExitCode {
    for problem in &problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => {
            println!("tidy: nothing to report");
            ExitCode::SUCCESS
        }
        count => {
            println!("tidy: {count} to mend");
            ExitCode::from(2)
        }
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}
