//! What `--help` prints: as clap has it, but with every example in one line, whole, to be copied.

use std::io::{IsTerminal as _, Write as _};

use clap::{Command, CommandFactory as _};

use crate::cli::Cli;
use crate::paint::Paint;
use crate::report;

/// Prints the help of the command that this process was called with.
pub(crate) fn print() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut stdout = std::io::stdout().lock();
    let coloured = report::painting(stdout.is_terminal()) == Paint::Colours;
    // A reader that has seen enough, such as `head`, is no failure.
    let _ = stdout.write_all(text(&words, coloured).as_bytes());
}

/// Clap folds lines to the width of the terminal, and would fold examples too.
fn text(words: &[String], coloured: bool) -> String {
    let mut all = Cli::command();
    all.build();
    let command = meant(&all, words);
    let examples = command.get_after_help().map_or_else(String::new, ToString::to_string);
    let mut command = command.clone().after_help("");
    let short = words.iter().any(|word| word == "-h");
    let help = if short { command.render_help() } else { command.render_long_help() };
    let help = if coloured { help.ansi().to_string() } else { help.to_string() };
    format!("{}\n\n{}\n", help.trim_end(), examples.trim_end())
}

/// The innermost command that the words name, as far as they name any.
fn meant<'a>(all: &'a Command, words: &[String]) -> &'a Command {
    let mut command = all;
    for word in words.iter().filter(|word| *word != "help") {
        command = command.find_subcommand(word).unwrap_or(command);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_stay_in_one_line_whatever_the_width() {
        let words = ["word", "op", "--help"].map(str::to_owned);
        let help = text(&words, false);
        assert!(help.contains("Usage: docwright word op"), "{help}");
        assert!(help.lines().any(|line| line.contains("--meta '{") && line.ends_with("}'")), "{help}");
        assert!(
            text(&["help", "xlsx", "set"].map(str::to_owned), false).contains("Usage: docwright xlsx set")
        );
    }
}
