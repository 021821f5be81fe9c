//! `docwright config`: what the user has settled, and where.

use std::path::PathBuf;

use serde::Serialize;

use crate::cli::Config;
use crate::report::{self, Failure, Verdict};
use crate::settings::{self, Name, Settings};

#[derive(Debug, Serialize)]
struct Shown {
    file: PathBuf,
    settings: Vec<Setting>,
}

#[derive(Debug, Serialize)]
struct Setting {
    name: &'static str,
    value: String,
    /// `file`, a variable, or `default`.
    from: String,
}

pub(crate) fn run(arguments: &Config, json: bool) -> Result<Verdict, Failure> {
    let file = settings::path().ok_or_else(|| {
        Failure::new("NO_HOME", "there is no home folder to keep settings in")
            .with_hint("name a file with DOCWRIGHT_CONFIG")
    })?;
    if let Some(name) = arguments.name {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::new("DISK_ERROR", format!("{}: {error}", file.display()))),
        };
        let changed = match (arguments.unset, arguments.values.as_slice()) {
            (true, _) => Some(settings::without(&text, name)),
            (false, []) => None,
            (false, values) => Some(settings::with(&text, name, values)),
        };
        if let Some(changed) = changed {
            let changed = changed.map_err(|why| Failure::new("INVALID_ARGUMENT", why.trim_end()))?;
            write(&file, &changed)?;
        }
    }
    let said = settings::of_file(&file)?;
    let names = arguments.name.map_or(Name::ALL.to_vec(), |name| vec![name]);
    let settings = names.into_iter().map(|name| setting(name, &said)).collect();
    report::answer(json, &Shown { file, settings }, |shown| {
        let lines = shown.settings.iter().map(|setting| {
            let Setting { name, value, from } = setting;
            format!("{name:<7} {value} ({from})\n")
        });
        lines.chain([format!("file    {}\n", shown.file.display())]).collect()
    })?;
    Ok(Verdict::Done)
}

/// What holds for commands, and what says so.
fn setting(name: Name, said: &Settings) -> Setting {
    let above = name.variable().and_then(|variable| Some((variable, settings::variable(variable)?)));
    let in_file = match name {
        Name::Author => said.author.clone(),
        Name::Color => said.color.and_then(|colour| {
            clap::ValueEnum::to_possible_value(&colour).map(|value| value.get_name().to_owned())
        }),
        Name::Roots => Some(&said.roots)
            .filter(|roots| !roots.is_empty())
            .map(|roots| roots.iter().map(|root| root.display().to_string()).collect::<Vec<_>>().join(", ")),
    };
    let default = match name {
        Name::Author => "Docwright",
        Name::Color => "auto",
        Name::Roots => "the current folder",
    };
    let (value, from) = match (above, in_file) {
        (Some((variable, _)), _) if name == Name::Color => ("never".to_owned(), variable.to_owned()),
        (Some((variable, value)), _) => (value, variable.to_owned()),
        (None, Some(value)) => (value, "file".to_owned()),
        (None, None) => (default.to_owned(), "default".to_owned()),
    };
    Setting { name: name.key(), value, from }
}

fn write(file: &std::path::Path, text: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    let failed = |error: std::io::Error| Failure::new("DISK_ERROR", format!("{}: {error}", file.display()));
    // A link to settings stays a link.
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().ok_or_else(|| failed(std::io::ErrorKind::NotFound.into()))?;
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut new = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    new.write_all(text.as_bytes()).map_err(failed)?;
    new.persist(&file).map_err(|error| failed(error.error))?;
    Ok(())
}
