//! Where documents and state are, when the user did not say.

use std::path::{Path, PathBuf};

use mcp::{Choice, OutputSchemas};
use workspace::{Approval, Caller, Gate, Network};

use crate::cli::{Access, Listing, Net, Tools};
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
        ..Caller::agent(&access.author, "")
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
