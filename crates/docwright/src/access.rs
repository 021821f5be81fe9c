//! Where documents and state are, when the user did not say.

use std::path::PathBuf;

use workspace::Network;

use crate::cli::{Access, Net};
use crate::report::Failure;

/// The folders that may be used: those that were named, or the current one.
pub(crate) fn roots(access: &Access) -> Result<Vec<PathBuf>, Failure> {
    if !access.roots.is_empty() {
        return Ok(access.roots.clone());
    }
    let current = std::env::current_dir().map_err(|error| {
        Failure::new("NO_ROOT", format!("the current folder cannot be read: {error}"))
            .with_hint("name a folder with --root")
    })?;
    Ok(vec![current])
}

/// Where the journal lives: as told, or in the state folder that the system has for users.
pub(crate) fn state_dir(access: &Access) -> Result<PathBuf, Failure> {
    if let Some(told) = &access.state_dir {
        return Ok(told.clone());
    }
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let found = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        variable("XDG_STATE_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/state")))
    };
    found.map(|folder| folder.join("docwright")).ok_or_else(|| {
        Failure::new("NO_STATE_DIR", "there is no home folder to keep unsaved edits in")
            .with_hint("name a folder with --state-dir")
    })
}

/// The hosts that may be asked for pictures: those that were named.
pub(crate) fn network(net: &Net) -> Result<Network, Failure> {
    Ok(Network::allowing(&net.hosts)?)
}
