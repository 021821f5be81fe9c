//! `docwright review`: people decide on what agents suggest, and on Word's tracked changes.
//!
//! A client like any other: everything goes through the tools of the `review` set, over lines, so that it works the same
//! whoever has the documents open. Nothing here knows a document.

mod client;
mod connect;
mod decisions;

mod script;

mod keys;
mod screen;
#[cfg(unix)]
mod terminal;
mod walk;

use std::io::IsTerminal as _;
use std::path::Path;

use crate::cli::review::Review;
use crate::report::{self, Failure, Verdict};
use decisions::Reviewed;
use walk::Walk;

pub(crate) fn run(arguments: &Review, json: bool) -> Result<Verdict, Failure> {
    let client = connect::connect(arguments)?;
    let Some(file) = &arguments.file else {
        if arguments.decides() || arguments.save {
            return Err(Failure::new("USAGE", "say in which document")
                .with_hint("`docwright review` lists those with something to decide"));
        }
        return script::list_documents(client, arguments, json);
    };
    let reviewed = Reviewed::open(client, named(file)?, arguments.author.clone())?;
    if arguments.decides() || arguments.save {
        return script::decide(reviewed, arguments, json);
    }
    if arguments.list || json || !somebody_is_there() {
        return script::list_items(reviewed, json);
    }
    go_through(Walk::begin(reviewed, report::painting(true))?, file)
}

/// How the server knows the document: by an absolute path, or by the name it gave to one without a file.
fn named(file: &str) -> Result<String, Failure> {
    let is_name =
        |prefix: &str| file.strip_prefix(prefix).is_some_and(|rest| !rest.contains(['/', '\\', '.']));
    if !Path::new(file).exists() && (is_name("doc-") || is_name("untitled-")) {
        return Ok(file.to_owned());
    }
    let path = std::path::absolute(file).map_err(|error| Failure::new("BAD_PATH", error.to_string()))?;
    Ok(path.display().to_string())
}

fn somebody_is_there() -> bool {
    cfg!(unix) && std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

#[cfg(unix)]
fn go_through(mut walk: Walk, file: &str) -> Result<Verdict, Failure> {
    use terminal::{Event, Terminal};
    use walk::Next;

    if walk.has_nothing() {
        report::print(&format!("Nothing to decide in {file}."))?;
        return Ok(Verdict::Done);
    }
    let failed = |error: std::io::Error| Failure::new("TERMINAL", error.to_string());
    let mut terminal = Terminal::enter().map_err(failed)?;
    loop {
        terminal.draw(&walk.rows(terminal.size()), walk.paint()).map_err(failed)?;
        match terminal.next().map_err(failed)? {
            Event::Resized => {}
            Event::Closed => break,
            Event::Key(key) => match walk.key(key, terminal.size())? {
                Next::Stay => {}
                Next::Leave => break,
            },
        }
    }
    drop(terminal);
    let mut lines = walk.summary();
    if walk.is_unsaved() {
        lines.push(format!("`docwright review {file} --save` writes them."));
    }
    report::print(&format!("{file}: {}", lines.join("\n")))?;
    Ok(Verdict::Done)
}

/// Keys are read on Unix only so far; elsewhere it is for scripts.
#[cfg(not(unix))]
fn go_through(_walk: Walk, _file: &str) -> Result<Verdict, Failure> {
    Err(Failure::new("TERMINAL", "keys cannot be read on this system yet")
        .with_hint("use --list, --accept and --reject"))
}
