//! What a user has settled once: a file with settings, and the variables that stand above it.
//!
//! An option on the command line is stronger than a variable, and a variable than the file. The file is TOML and is
//! the user's own: `docwright config` changes one line of it and leaves comments, order and spacing.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use toml_edit::{Array, DocumentMut, Item, Value};
use workspace::Role;

use crate::cli::Colour;
use crate::one_file;
use crate::report::Failure;

/// Read once, before arguments are.
static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The name that edits are signed with if nobody said another.
const AUTHOR: &str = "Docwright";

/// What the file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) author: Option<String>,
    pub(crate) color: Option<Colour>,
    pub(crate) roots: Vec<PathBuf>,
}

/// A setting that the file may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Name {
    /// Name that your own edits are signed with
    Author,
    /// When to use colours: auto, always or never
    Color,
    /// Folders that `mcp` and `serve` open where no --root is named
    Roots,
}

impl Name {
    pub(crate) const ALL: [Self; 3] = [Self::Author, Self::Color, Self::Roots];

    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::Color => "color",
            Self::Roots => "roots",
        }
    }

    /// The variable that stands above the file.
    pub(crate) fn variable(self) -> Option<&'static str> {
        match self {
            Self::Author => Some("DOCWRIGHT_AUTHOR"),
            Self::Color => Some("NO_COLOR"),
            Self::Roots => None,
        }
    }
}

/// Reads the file that the user has, if there is one.
pub(crate) fn load() -> Result<(), Failure> {
    let settings = match path() {
        Some(path) => of_file(&path)?,
        None => Settings::default(),
    };
    SETTINGS.get_or_init(|| settings);
    Ok(())
}

pub(crate) fn current() -> &'static Settings {
    SETTINGS.get_or_init(Settings::default)
}

/// Where the file is, or would be.
pub(crate) fn path() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(told) = folder("DOCWRIGHT_CONFIG") {
        return Some(told);
    }
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    base.map(|base| base.join("docwright/config.toml"))
}

/// The name to sign with: as told, or as settled. An agent does not sign with the name of the person whose file it is.
pub(crate) fn author(told: Option<&str>) -> String {
    let settled = match one_file::ROLE.get() {
        Some(Role::Agent) => None,
        Some(Role::Person) | None => current().author.clone(),
    };
    // A change without an author could not be found again by whose it is.
    let told = told.map(str::trim).filter(|told| !told.is_empty());
    told.map(str::to_owned)
        .or_else(|| variable("DOCWRIGHT_AUTHOR"))
        .or(settled)
        .unwrap_or_else(|| AUTHOR.to_owned())
}

/// The same for agents that connect.
pub(crate) fn author_of_agents(told: Option<&str>) -> String {
    told.map(str::to_owned).or_else(|| variable("DOCWRIGHT_AUTHOR")).unwrap_or_else(|| AUTHOR.to_owned())
}

pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

pub(crate) fn of_file(path: &Path) -> Result<Settings, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => parsed(&text).map_err(|why| broken(path, &why)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Settings::default()),
        Err(error) => Err(broken(path, &error.to_string())),
    }
}

fn broken(path: &Path, why: &str) -> Failure {
    Failure::new("BAD_CONFIG", format!("{}: {}", path.display(), why.trim_end()))
        .with_hint("mend the file, or move it away; `docwright config` tells what it may hold")
}

fn parsed(text: &str) -> Result<Settings, String> {
    let document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let mut settings = Settings::default();
    for (key, item) in document.iter() {
        match key {
            "author" => settings.author = Some(text_of(key, item)?),
            "color" => settings.color = Some(colour(&text_of(key, item)?)?),
            "roots" => settings.roots = folders(item)?,
            unknown => {
                return Err(format!("`{unknown}` is no setting; there are author, color and roots"));
            }
        }
    }
    Ok(settings)
}

fn text_of(key: &str, item: &Item) -> Result<String, String> {
    let text = item.as_str().filter(|text| !text.trim().is_empty());
    text.map(str::to_owned).ok_or_else(|| format!("`{key}` is to be a text, such as {key} = \"…\""))
}

fn colour(text: &str) -> Result<Colour, String> {
    <Colour as clap::ValueEnum>::from_str(text, true)
        .map_err(|_| format!("`color` is to be auto, always or never, and not `{text}`"))
}

fn folders(item: &Item) -> Result<Vec<PathBuf>, String> {
    let wrong = || "`roots` is to be a list of folders, such as roots = [\"/home/me/Documents\"]".to_owned();
    let list = item.as_array().ok_or_else(wrong)?;
    list.iter().map(|folder| folder.as_str().map(PathBuf::from).ok_or_else(wrong)).collect()
}

/// The text of the file with one setting changed; what cannot be meant is refused before anything is written.
pub(crate) fn with(text: &str, name: Name, values: &[String]) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    match name {
        Name::Roots => {
            let mut list = Array::new();
            for value in values {
                let folder = std::path::absolute(value).map_err(|error| format!("{value}: {error}"))?;
                if !folder.is_dir() {
                    return Err(format!("{} is no folder", folder.display()));
                }
                list.push(folder.to_str().ok_or_else(|| format!("{} has no plain name", folder.display()))?);
            }
            set(&mut document, name, Value::Array(list));
        }
        Name::Author | Name::Color => {
            let [value] = values else { return Err(format!("`{}` takes one value", name.key())) };
            set(&mut document, name, Value::from(value.as_str()));
        }
    }
    let text = document.to_string();
    parsed(&text)?;
    Ok(text)
}

/// A value in the place of the old one, with what stands around that.
fn set(document: &mut DocumentMut, name: Name, value: Value) {
    match document.get_mut(name.key()).and_then(Item::as_value_mut) {
        Some(old) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        None => {
            document.insert(name.key(), Item::Value(value));
        }
    }
}

/// The text of the file without one setting.
pub(crate) fn without(text: &str, name: Name) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    document.remove(name.key());
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_refused_with_its_reason() {
        let read =
            parsed("# mine\nauthor = \"Ann Lee\"\ncolor = \"Never\"\nroots = [\"/a\", \"/b\"]\n").unwrap();
        assert_eq!(read.author.as_deref(), Some("Ann Lee"));
        assert_eq!(read.color, Some(Colour::Never));
        assert_eq!(read.roots, [PathBuf::from("/a"), PathBuf::from("/b")]);
        for (text, why) in [
            ("autor = \"x\"", "`autor` is no setting"),
            ("author = 3", "`author` is to be a text"),
            ("author = \" \"", "`author` is to be a text"),
            ("color = \"pink\"", "auto, always or never"),
            ("roots = \"/a\"", "a list of folders"),
            ("author = ", "TOML parse error"),
        ] {
            let refused = parsed(text).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }

    #[test]
    fn one_setting_changes_and_the_rest_of_the_file_stays() {
        let file = "# mine\nauthor = \"Ann\" # that is me\n\ncolor = \"never\"\n";
        let changed = with(file, Name::Author, &["Ann Lee".to_owned()]).unwrap();
        assert_eq!(changed, file.replace("\"Ann\"", "\"Ann Lee\""));
        assert_eq!(without(file, Name::Color).unwrap(), "# mine\nauthor = \"Ann\" # that is me\n");
        assert!(with(file, Name::Color, &["pink".to_owned()]).is_err());
        assert!(with(file, Name::Roots, &["no such folder".to_owned()]).is_err());
    }
}
