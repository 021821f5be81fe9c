//! Files and folders: what may be reached, and how it is read, replaced and kept.

use std::path::Path;

pub(crate) mod files;
pub(crate) mod image;
pub(crate) mod old_workbooks;
pub(crate) mod policy;
pub(crate) mod private;
pub(crate) mod work_thread;

pub(crate) mod journal;
pub(crate) mod recent;

/// The name of a file, for people.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
