//! `docwright completions SHELL`.

use std::io::Write as _;

use clap::CommandFactory;

use crate::cli::{Cli, Completions};
use crate::report::Verdict;

pub(crate) fn run(arguments: &Completions) -> Verdict {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "docwright", &mut script);
    // A reader that has seen enough, such as `head`, is no failure.
    let _ = std::io::stdout().lock().write_all(&script);
    Verdict::Done
}
