//! `docwright man FOLDER`: a manual page for each command, made from what `--help` says.

use clap::CommandFactory;
use serde::Serialize;

use crate::cli::{Cli, Man};
use crate::report::{self, Failure, Verdict};

#[derive(Debug, Serialize)]
struct Written {
    folder: String,
}

pub(crate) fn run(arguments: &Man, json: bool) -> Result<Verdict, Failure> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Cli::command(), folder)).map_err(
        |error| {
            Failure::new("DISK_ERROR", format!("{}: {error}", folder.display()))
                .with_hint("name a folder that can be written")
        },
    )?;
    let written = Written { folder: folder.display().to_string() };
    report::answer(json, &written, |written| format!("manual pages in {}\n", written.folder))?;
    Ok(Verdict::Done)
}
