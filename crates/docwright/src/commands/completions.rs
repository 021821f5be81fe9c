//! `docwright completions SHELL`.

use clap::CommandFactory;

use crate::cli::{Cli, Completions};
use crate::report::Verdict;

pub(crate) fn run(arguments: &Completions) -> Verdict {
    clap_complete::generate(arguments.shell, &mut Cli::command(), "docwright", &mut std::io::stdout().lock());
    Verdict::Done
}
