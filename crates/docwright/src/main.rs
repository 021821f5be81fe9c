//! `docwright`: the command line.
#![allow(clippy::disallowed_methods, reason = "the binary reads its configuration and its environment")]

mod access;
mod cli;
mod commands;
mod diff;
mod hello;
mod help;
mod kept_changes;
mod old;
mod one_file;
mod paint;
mod progress;
mod report;
mod scripts;
mod seats;
mod settings;
mod visible;

use std::process::ExitCode;

use ::mcp::log::{Form, Verbosity};
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};

use cli::{Cli, Command};
use commands::{ask, completions, config, doctor, install, man, mcp, md, review, serve, undo, word, xlsx};
use report::{Failure, Verdict};

fn main() -> ExitCode {
    let understood = Cli::command().try_get_matches().and_then(|matches| {
        kept_changes::COMMAND.get_or_init(|| named(&matches));
        Cli::from_arg_matches(&matches)
    });
    let Cli { command, json, who, color, verbose } = match understood {
        Ok(cli) => cli,
        Err(told) => return not_understood(&told).into(),
    };
    // Who wants a log of requests wants the requests in it.
    let form = if wants_json_log(&command) { Form::Json } else { Form::Text };
    let verbosity = match (verbose, form) {
        (0, Form::Text) => Verbosity::Quiet,
        (0 | 1, _) => Verbosity::Verbose,
        _ => Verbosity::Debug,
    };
    ::mcp::log::to_stderr(verbosity, form);
    one_file::ROLE.get_or_init(|| match who {
        cli::Who::Person => workspace::Role::Person,
        cli::Who::Agent => workspace::Role::Agent,
    });
    report::COLOUR.get_or_init(|| color);
    // A broken file with settings is told of by the command that mends it.
    if let (Err(failure), false) = (settings::load(), matches!(command, Command::Config(_))) {
        let _ = report::fail(json, &failure);
        return Verdict::Failed.into();
    }
    let verdict = match command {
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments, json),
        Command::Ask(arguments) => ask::run(&arguments, json),
        Command::Word(command) => word::run(&command, json),
        Command::Xlsx(command) => xlsx::run(&command, json),
        Command::Md(command) => md::run(&command, json),
        Command::Review(arguments) => review::run(&arguments, json),
        Command::Undo(arguments) => undo::run(&arguments, json),
        Command::Config(arguments) => config::run(&arguments, json),
        Command::Install(arguments) => install::install(&arguments, json),
        Command::Uninstall(arguments) => install::uninstall(&arguments, json),
        Command::Doctor(arguments) => doctor::run(&arguments, json),
        Command::Desk(arguments) => commands::desk::run(&arguments),
        Command::Completions(arguments) => Ok(completions::run(&arguments)),
        Command::Man(arguments) => man::run(&arguments, json),
        Command::ReadOldWorkbook => old::child(),
        Command::RunScript => scripts::child(),
    };
    let verdict = verdict.unwrap_or_else(|failure| {
        // Nobody is left to tell if this fails too.
        let _ = report::fail(json, &failure);
        Verdict::Failed
    });
    verdict.into()
}

/// The command without its arguments, such as `word edit`.
fn named(matches: &ArgMatches) -> String {
    let mut names = Vec::new();
    let mut inner = matches.subcommand();
    while let Some((name, matches)) = inner {
        names.push(name);
        inner = matches.subcommand();
    }
    names.join(" ")
}

/// Help was asked for, or the arguments make no sense. Clap would end with 2 then, which says here that the work was done
/// and found something.
fn not_understood(told: &clap::Error) -> Verdict {
    if !told.use_stderr() {
        match told.kind() {
            ErrorKind::DisplayHelp => help::print(),
            _ => drop(told.print()),
        }
        return Verdict::Done;
    }
    // What was asked for could not be read, but whether a program reads the answer can be told.
    if std::env::args_os().any(|argument| argument == "--json") {
        let text = told.render().to_string();
        let message: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
        let message = message.join(" ").trim_start_matches("error: ").to_owned();
        let failure = Failure::new("USAGE", message).with_hint("--help tells what this command takes");
        let _ = report::fail(true, &failure);
    } else {
        let _ = told.print();
    }
    Verdict::Failed
}

fn wants_json_log(command: &Command) -> bool {
    matches!(command, Command::Serve(arguments) if arguments.log_json)
}
