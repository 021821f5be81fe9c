//! Where documents and state are, when the user did not say.

use std::path::{Path, PathBuf};

use mcp::{Choice, OutputSchemas};
use workspace::{Approval, Caller, Gate, Network};

use crate::cli::{Access, Listing, Net, Tools};
use crate::report::Failure;
use crate::settings;

/// Variables that narrow the folders; the second is the one that users of other servers know.
const ALLOW_PATHS: [&str; 2] = ["DOCWRIGHT_ALLOW_PATHS", "WITAN_MCP_ALLOW_PATHS"];

/// The folders that may be used: those that were named, or the current one, as far as the allow-list variables go.
pub(crate) fn roots(access: &Access) -> Result<Vec<PathBuf>, Failure> {
    let mut roots = named(access)?;
    for variable in ALLOW_PATHS {
        if let Some(list) = std::env::var_os(variable) {
            roots = narrowed(&roots, &std::env::split_paths(&list).collect::<Vec<_>>());
        }
    }
    Ok(roots)
}

/// What lies both in a root and in an allowed folder. An empty list allows nothing.
fn narrowed(roots: &[PathBuf], allowed: &[PathBuf]) -> Vec<PathBuf> {
    let real = |path: &PathBuf| path.canonicalize().ok().filter(|_| !path.as_os_str().is_empty());
    let allowed: Vec<PathBuf> = allowed.iter().filter_map(real).collect();
    let mut left: Vec<PathBuf> = Vec::new();
    for root in roots.iter().filter_map(real) {
        let inner = allowed.iter().filter_map(|allowed| match () {
            () if root.starts_with(allowed) => Some(root.clone()),
            () if allowed.starts_with(&root) => Some(allowed.clone()),
            () => None,
        });
        for path in inner {
            if !left.contains(&path) {
                left.push(path);
            }
        }
    }
    left
}

fn named(access: &Access) -> Result<Vec<PathBuf>, Failure> {
    for named in [&access.roots, &settings::current().roots] {
        if !named.is_empty() {
            return Ok(named.clone());
        }
    }
    let current = std::env::current_dir().map_err(|error| {
        Failure::new("NO_ROOT", format!("the current folder cannot be read: {error}"))
            .with_hint("name a folder with --root")
    })?;
    Ok(vec![current])
}

/// Where the journal lives: as told, or in the state folder that the system has for users.
pub(crate) fn state_dir(access: &Access) -> Result<PathBuf, Failure> {
    state_folder(access.state_dir.as_deref())
}

pub(crate) fn state_folder(told: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(told) = told {
        return Ok(told.to_owned());
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

/// The agent that connects, with the rights it was started with.
pub(crate) fn caller(access: &Access) -> Result<Caller, Failure> {
    let rights = if access.read_only { workspace::Access::ReadOnly } else { workspace::Access::ReadWrite };
    Ok(Caller {
        roots: roots(access)?,
        access: rights,
        approval: approval(access)?,
        network: network(&access.net)?,
        ..Caller::agent(access.author(), "")
    })
}

/// What becomes of edits: as the formats have it, unless all are approved or one has a policy of its own.
pub(crate) fn approval(access: &Access) -> Result<Approval, Failure> {
    let mut approval = if access.auto_approve { Approval::auto() } else { Approval::default() };
    approval.agents_may_accept |= access.agents_may_accept;
    for policy in &access.policies {
        let unclear = || {
            Failure::new("BAD_POLICY", format!("`{policy}` is no policy"))
                .with_hint("give a format and what becomes of its edits, such as word=track; formats are markdown, word and excel, policies apply, suggest and track")
        };
        let (format, gate) = policy.split_once('=').ok_or_else(unclear)?;
        let gate = Gate::ALL.into_iter().find(|known| known.name() == gate).ok_or_else(unclear)?;
        match format {
            "markdown" => approval.markdown = gate,
            "word" => approval.word = gate,
            "excel" => approval.sheet = gate,
            _ => return Err(unclear()),
        }
    }
    Ok(approval)
}

/// Which tools are offered.
pub(crate) fn choice(tools: &Tools, read_only: bool) -> Choice {
    Choice {
        tools: tools.toolsets.clone(),
        exclude: tools.exclude_tools.clone(),
        read_only,
        output_schemas: match tools.output_schemas {
            Listing::Auto => OutputSchemas::Fitting,
            Listing::Always => OutputSchemas::Always,
            Listing::Never => OutputSchemas::Never,
        },
    }
}

/// The hosts that may be asked for pictures: those that were named.
pub(crate) fn network(net: &Net) -> Result<Network, Failure> {
    Ok(Network::allowing(&net.hosts)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allow_list_narrows_the_folders_and_never_widens_them() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let top = folder.path().canonicalize().expect("it is there");
        let (inner, other) = (top.join("inner"), top.join("other"));
        std::fs::create_dir_all(&inner).expect("a folder");
        std::fs::create_dir_all(&other).expect("a folder");
        let narrow = |roots: &[&PathBuf], allowed: &[&PathBuf]| {
            let owned = |list: &[&PathBuf]| list.iter().map(|path| (*path).clone()).collect::<Vec<_>>();
            narrowed(&owned(roots), &owned(allowed))
        };
        assert_eq!(narrow(&[&top], &[&inner]), std::slice::from_ref(&inner));
        assert_eq!(narrow(&[&inner], &[&top]), std::slice::from_ref(&inner));
        assert_eq!(narrow(&[&inner], &[&other]), Vec::<PathBuf>::new());
        assert_eq!(narrow(&[&top], &[&PathBuf::new()]), Vec::<PathBuf>::new());
        assert_eq!(narrow(&[&top], &[&inner, &other]), [inner, other]);
    }
}
