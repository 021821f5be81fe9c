//! Which files may be reached.
//!
//! A path is allowed when, with every symbolic link resolved, it lies in one of the roots. No roots means no
//! files. What is checked is also what is used: each root is held as an open folder, and files are reached
//! from it by descent, so a link that is swapped in between check and use leads nowhere outside.
//!
//! A hard link inside a root is a file of that root: whoever made it had the file already. Saving never
//! writes through one, because a save replaces the name; the other name keeps what it had.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use edit::{Fault, Refusal, nearest};

use crate::disk::journal::record::Identity;

/// Longer paths are refused before the operating system sees them.
const LONGEST_PATH: usize = 4096;
const LONGEST_NAME: usize = 255;
/// So many names are looked at for a file that was renamed.
const MOST_SEARCHED: usize = 20_000;
/// So many names of a folder are looked at for one that was meant.
const MOST_NAMES: usize = 10_000;

#[derive(Debug)]
pub(crate) struct Policy {
    roots: Vec<Root>,
}

#[derive(Debug)]
struct Root {
    /// Canonical.
    path: PathBuf,
    dir: Dir,
}

/// A file that may be used, there or not: a name in an open folder below a root.
#[derive(Debug)]
pub(crate) struct FilePlace {
    /// Canonical, UTF-8.
    pub(crate) path: PathBuf,
    pub(crate) folder: Dir,
    pub(crate) name: OsString,
}

impl FilePlace {
    pub(crate) fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

impl Policy {
    pub(crate) fn new(roots: &[PathBuf]) -> Result<Self, Refusal> {
        let open = |root: &PathBuf| -> io::Result<Root> {
            let path = std::fs::canonicalize(root)?;
            let dir = Dir::open_ambient_dir(&path, ambient_authority())?;
            Ok(Root { path, dir })
        };
        let roots =
            roots.iter().map(|root| open(root).map_err(|error| disk("opening the root", root, &error)));
        Ok(Self { roots: roots.collect::<Result<_, _>>()? })
    }

    pub(crate) fn roots(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(|root| root.path.as_path())
    }

    /// Whether a canonical path lies in one of the roots, as far as its name tells. Whoever then uses the file is
    /// checked again by descent.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        self.root_of(path).is_some()
    }

    /// The file at `path`, which must exist.
    pub(crate) fn existing(&self, path: &Path) -> Result<FilePlace, Refusal> {
        let asked = self.absolute(path)?;
        match std::fs::canonicalize(&asked) {
            Ok(real) => self.place(path, &real),
            Err(error) => Err(self.unresolved(path, &asked, &error)),
        }
    }

    /// The file at `path`, which may be new; its folder must exist.
    pub(crate) fn target(&self, path: &Path) -> Result<FilePlace, Refusal> {
        let asked = self.absolute(path)?;
        let error = match std::fs::canonicalize(&asked) {
            Ok(real) => return self.place(path, &real),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(self.unresolved(path, &asked, &error));
            }
            Err(error) => error,
        };
        let (Some(folder), Some(Component::Normal(name))) = (asked.parent(), asked.components().next_back())
        else {
            return Err(Refusal::invalid("path", quoted(path), "a path that ends in a file name"));
        };
        let Ok(folder) = std::fs::canonicalize(folder) else {
            return Err(self.unresolved(path, &asked, &error));
        };
        let place = self.place(path, &folder.join(name))?;
        // Nothing resolved, yet the name is taken: a link whose target is missing. Writing to it would
        // create a file wherever it points.
        if place.folder.symlink_metadata(&place.name).is_ok() {
            return Err(denied(path, "it is a symbolic link to a file that does not exist"));
        }
        Ok(place)
    }

    /// Where the file is now that was at `path`, as far as it is looked for: in its folder and those below, then around
    /// them up to the root.
    pub(crate) fn find(&self, path: &Path, identity: Identity) -> Option<PathBuf> {
        // On a file system that does not tell when a file was made, another may have got the number.
        identity.born?;
        let (root, _) = self.root_of(path)?;
        let mut search = Search { identity, left: MOST_SEARCHED };
        let mut done = None;
        for folder in path.ancestors().skip(1).take_while(|folder| folder.starts_with(&root.path)) {
            let found = search.below(folder, done);
            if found.is_some() {
                return found;
            }
            done = Some(folder);
        }
        None
    }

    fn absolute(&self, path: &Path) -> Result<PathBuf, Refusal> {
        let Some(text) = path.to_str() else {
            return Err(denied(path, "the path is not valid UTF-8"));
        };
        if text.is_empty() {
            return Err(Refusal::invalid("path", "an empty path", "a file path"));
        }
        if text.contains('\0') {
            return Err(denied(path, "the path contains a NUL character"));
        }
        let name = path.components().map(|part| part.as_os_str().len()).max().unwrap_or(0);
        if text.len() > LONGEST_PATH || name > LONGEST_NAME {
            let found = format!("{} bytes with a name of {name}", text.len());
            let limit = format!("{LONGEST_PATH} bytes with names of {LONGEST_NAME}");
            return Err(Refusal::Limit { what: "the length of the path".into(), found, limit });
        }
        let Some(first) = self.roots.first() else {
            return Err(Refusal::Denied {
                what: quoted(path),
                why: "no folder has been opened to the server".into(),
                instead: Some("start the server with --root and a folder".into()),
            });
        };
        Ok(if path.is_absolute() { path.to_owned() } else { first.path.join(path) })
    }

    fn place(&self, asked: &Path, real: &Path) -> Result<FilePlace, Refusal> {
        if real.to_str().is_none() {
            return Err(denied(asked, "it leads to a path that is not valid UTF-8"));
        }
        let (root, inner) = self.root_of(real).ok_or_else(|| self.outside(asked))?;
        let Some(name) = inner.file_name() else {
            return Err(not_a_file(asked, "it is a folder"));
        };
        let parent = inner.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = match parent {
            Some(parent) => root.dir.open_dir(parent),
            None => root.dir.try_clone(),
        };
        let folder = folder.map_err(|error| disk("opening the folder", asked, &error))?;
        Ok(FilePlace { path: real.to_owned(), folder, name: name.to_owned() })
    }

    /// Whole components are compared: `/work/ab` does not lie in `/work/a`.
    fn root_of<'a>(&self, real: &'a Path) -> Option<(&Root, &'a Path)> {
        self.roots.iter().find_map(|root| real.strip_prefix(&root.path).ok().map(|inner| (root, inner)))
    }

    /// Why a path did not resolve, without saying anything about what exists outside the roots.
    fn unresolved(&self, path: &Path, asked: &Path, error: &io::Error) -> Refusal {
        let nearest = asked.ancestors().skip(1).find_map(|folder| std::fs::canonicalize(folder).ok());
        if nearest.is_none_or(|nearest| self.root_of(&nearest).is_none()) {
            return self.outside(path);
        }
        match std::fs::read_link(asked) {
            Ok(_) if error.kind() == io::ErrorKind::NotFound => {
                denied(path, "it is a symbolic link to a file that does not exist")
            }
            _ if error.kind() == io::ErrorKind::NotFound => self.missing(path, asked, error),
            _ => disk("opening", path, error),
        }
    }

    /// The file is not there. If its folder is, a name that was probably meant is offered.
    fn missing(&self, path: &Path, asked: &Path, error: &io::Error) -> Refusal {
        let near = asked.file_name().zip(asked.parent()).and_then(|(name, folder)| {
            let place = self.place(path, &std::fs::canonicalize(folder).ok()?.join(name)).ok()?;
            let names: Vec<String> = place
                .folder
                .entries()
                .ok()?
                .take(MOST_NAMES)
                .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
                .collect();
            nearest(name.to_str()?, names.iter().map(String::as_str)).map(str::to_owned)
        });
        match near {
            None => disk("opening", path, error),
            Some(near) => Refusal::Disk {
                fault: Fault::Missing,
                what: "opening",
                path: path.display().to_string(),
                why: format!("there is no such file; did you mean `{near}` in the same folder?"),
            },
        }
    }

    fn outside(&self, path: &Path) -> Refusal {
        let roots: Vec<String> = self.roots().map(|root| root.display().to_string()).collect();
        Refusal::Denied {
            what: quoted(path),
            why: "it lies outside the folders that were opened to the server".into(),
            instead: Some(format!("use a file in {}", roots.join(", "))),
        }
    }
}

/// Looking for a file by what it is.
struct Search {
    identity: Identity,
    /// How many names may still be looked at.
    left: usize,
}

impl Search {
    /// The file, in this folder or below; `done` was looked through already.
    fn below(&mut self, folder: &Path, done: Option<&Path>) -> Option<PathBuf> {
        let mut folders = VecDeque::from([folder.to_owned()]);
        while let Some(folder) = folders.pop_front() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                self.left = self.left.checked_sub(1)?;
                let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
                match kind.is_dir() {
                    true if Some(path.as_path()) != done => folders.push_back(path),
                    false if kind.is_file() && self.is(&entry) => return Some(path),
                    _ => {}
                }
            }
        }
        None
    }

    #[cfg(unix)]
    fn is(&self, entry: &std::fs::DirEntry) -> bool {
        use std::os::unix::fs::{DirEntryExt as _, MetadataExt as _};
        if entry.ino() != self.identity.inode {
            return false;
        }
        let Ok(metadata) = entry.metadata() else { return false };
        let born = metadata.created().ok().and_then(crate::disk::files::nanoseconds);
        metadata.dev() == self.identity.device && born == self.identity.born
    }

    #[cfg(not(unix))]
    fn is(&self, _: &std::fs::DirEntry) -> bool {
        false
    }
}

pub(crate) fn quoted(path: &Path) -> String {
    format!("`{}`", path.display().to_string().escape_debug())
}

fn denied(path: &Path, why: &str) -> Refusal {
    Refusal::Denied { what: quoted(path), why: why.to_owned(), instead: None }
}

pub(crate) fn not_a_file(path: &Path, why: &str) -> Refusal {
    Refusal::Disk {
        fault: Fault::NotAFile,
        what: "opening",
        path: path.display().to_string(),
        why: why.to_owned(),
    }
}

pub(crate) fn disk(what: &'static str, path: &Path, error: &io::Error) -> Refusal {
    let fault = match error.kind() {
        io::ErrorKind::NotFound => Fault::Missing,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Fault::Permission,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Fault::NoSpace
        }
        io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory => Fault::NotAFile,
        _ => Fault::Other,
    };
    Refusal::Disk { fault, what, path: path.display().to_string(), why: error.to_string() }
}
