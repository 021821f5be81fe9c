//! How long things take: `cargo run --release -p workspace --example measure`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "it measures with files and says what it found"
)]

use std::time::Instant;

use workspace::markdown::{Edit, Markdown};
use workspace::{Caller, Config, DocId, EditRequest, Ending, Mode, OpenIn, Overwrite, Workspace};

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir(folder.path().join("docs"))?;
    let paragraphs: String = (0..60_000)
        .map(|number| format!("Paragraph {number} of a long document, with **bold** words and [links](x.md) in it, and a bit more of everything that people write to fill a line.\n\n"))
        .collect();
    std::fs::write(folder.path().join("docs/a.md"), &paragraphs)?;
    println!("document: {:.1} MB", paragraphs.len() as f64 / 1e6);
    for (name, state) in [("no journal", None), ("journal", Some(folder.path().join("state")))] {
        println!("-- {name}");
        let caller = Caller::person("Ann", folder.path().join("docs"));
        let workspace = Workspace::alone(caller, Config { state, ..Config::default() })?;
        let document =
            timed("open", || workspace.open("a.md", OpenIn::Tab(None)).map(|opened| opened.document))?;
        timed("first edit", || apply(&workspace, document, 0, Mode::Apply))?;
        per("edit", 200, |round| apply(&workspace, document, 10 + round * 7, Mode::Apply))?;
        per("suggest, 500 times", 500, |round| apply(&workspace, document, 5000 + round * 3, Mode::Suggest))?;
        per("edit with 500 suggestions", 200, |round| {
            apply(&workspace, document, 10 + round * 7, Mode::Apply)
        })?;
        let listed = timed("list 500 suggestions", || workspace.suggestions(document))?;
        println!("   {} listed", listed.len());
        per("refresh, nothing changed", 200, |_| workspace.refresh(document).map(drop).map_err(Into::into))?;
        per("undo", 100, |_| workspace.undo(document).map(drop).map_err(Into::into))?;
        timed("count words", || workspace.count(document))?;
        timed("accept all 500", || workspace.accept_all(document))?;
        timed("save", || workspace.save(document, Overwrite::Allow))?;
    }
    Ok(())
}

/// Change one word of a paragraph.
fn apply(workspace: &Workspace, document: DocId, paragraph: usize, mode: Mode) -> Result<(), Failed> {
    let at = workspace
        .read::<Markdown, _>(document, |view| view.top().nth(paragraph).map(|node| node.range().start))?;
    let at = at.ok_or("no such paragraph")?;
    let edit = Edit::Replace { range: at..at + 9, expect: None, with: "Paragraph".chars().rev().collect() };
    let outcome = workspace.edit::<Markdown>(document, EditRequest::new(vec![edit], mode))?;
    match outcome.ending {
        Ending::Applied | Ending::Suggested(_) => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

fn timed<T, E>(what: &str, work: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let begin = Instant::now();
    let result = work();
    println!("{what}: {:.2} ms", begin.elapsed().as_secs_f64() * 1e3);
    result
}

fn per(what: &str, times: usize, mut work: impl FnMut(usize) -> Result<(), Failed>) -> Result<(), Failed> {
    let begin = Instant::now();
    for round in 0..times {
        work(round)?;
    }
    println!("{what}: {:.3} ms each", begin.elapsed().as_secs_f64() * 1e3 / times as f64);
    Ok(())
}
