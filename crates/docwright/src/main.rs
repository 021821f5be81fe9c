//! `docwright`: the command line.
#![allow(clippy::disallowed_methods, reason = "the binary reads its configuration and its environment")]

mod access;
mod cli;
mod commands;
mod desk;
mod old;
mod report;

use std::process::ExitCode;

use ::mcp::log::Verbosity;
use clap::Parser;

use cli::{Cli, Command};
use commands::{ask, completions, doctor, mcp, md, serve, word, xlsx};
use report::Verdict;

fn main() -> ExitCode {
    let Cli { command, json, verbose } = Cli::parse();
    ::mcp::log::to_stderr(match verbose {
        0 => Verbosity::Quiet,
        1 => Verbosity::Verbose,
        _ => Verbosity::Debug,
    });
    let verdict = match command {
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments, json),
        Command::Ask(arguments) => ask::run(&arguments, json),
        Command::Word(command) => word::run(&command, json),
        Command::Xlsx(command) => xlsx::run(&command, json),
        Command::Md(command) => md::run(&command, json),
        Command::Doctor(arguments) => doctor::run(&arguments, json),
        Command::Completions(arguments) => Ok(completions::run(&arguments)),
        Command::ReadOldWorkbook => old::child(),
    };
    let verdict = verdict.unwrap_or_else(|failure| {
        // Nobody is left to tell if this fails too.
        let _ = report::fail(json, &failure);
        Verdict::Failed
    });
    verdict.into()
}
