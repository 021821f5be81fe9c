//! Who asks: identity, role and rights.
//!
//! Documents are shared by all callers whose roots hold them; places (windows, tabs, focus, selections, sessions) are
//! each caller's own. Rights belong to a connection and never change while it lasts; what a caller has open belongs to
//! its identity, so a client that comes back finds its windows as it left them.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::caller::network::Network;
use crate::kind::Kind;

pub(crate) mod network;
pub(crate) mod notices;
pub(crate) mod seat;
pub(crate) mod sessions;
pub(crate) mod windows;

/// Names a caller. Whoever knows the name gets the caller's windows and sessions, so it is as secret as a session id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallerId(String);

impl CallerId {
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// A name that nobody else has.
    pub fn random() -> Self {
        Self(format!("clr_{}", crate::ids::Ids::new().secret()))
    }

    /// The name of whoever says these things of itself, secrets among them: the same for the same, and telling nothing
    /// of them.
    pub fn of(said: &[&str]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in said {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let hash = hasher.finalize().to_hex();
        Self(format!("clr_{hash}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CallerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Agent,
    Person,
}

/// A caller with its rights.
#[derive(Debug, Clone)]
pub struct Caller {
    pub id: CallerId,
    /// As it appears in documents and in their history.
    pub name: String,
    pub role: Role,
    /// Folders whose files may be used; none means no files. Relative paths start at the first.
    pub roots: Vec<PathBuf>,
    pub scope: Scope,
    pub access: Access,
    pub approval: Approval,
    /// Where pictures may be fetched from; nowhere by default.
    pub network: Network,
    /// The language that they type and read numbers and dates in, such as `de-DE`; nothing means that of each document.
    pub language: Option<String>,
}

impl Caller {
    /// An agent that may read and write in a folder, with the last word left to people.
    pub fn agent(name: impl Into<String>, root: impl Into<PathBuf>) -> Self {
        Self {
            id: CallerId::random(),
            name: name.into(),
            role: Role::Agent,
            roots: vec![root.into()],
            scope: Scope::Folder,
            access: Access::ReadWrite,
            approval: Approval::default(),
            network: Network::off(),
            language: None,
        }
    }

    /// A person who may read and write in a folder, and decide.
    pub fn person(name: impl Into<String>, root: impl Into<PathBuf>) -> Self {
        Self { role: Role::Person, approval: Approval::auto(), ..Self::agent(name, root) }
    }
}

/// Whether somebody opened a folder, or just a file and its folder with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    Folder,
    SingleFile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    ReadWrite,
    /// Documents can be read and edits tried out, but nothing is changed.
    ReadOnly,
}

/// What becomes of an edit that a caller wants applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gate {
    Apply,
    /// Staged until somebody decides.
    Suggest,
    /// Written as tracked changes; staged where an edit has no tracked form.
    Track,
}

impl Gate {
    pub const ALL: [Gate; 3] = [Gate::Apply, Gate::Suggest, Gate::Track];

    pub fn name(self) -> &'static str {
        match self {
            Gate::Apply => "apply",
            Gate::Suggest => "suggest",
            Gate::Track => "track",
        }
    }
}

/// The gate for each format, and who may open it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Markdown and other text.
    pub markdown: Gate,
    pub word: Gate,
    pub sheet: Gate,
    /// An agent may accept its own suggestions; others' it never may.
    pub agents_may_accept: bool,
}

impl Default for Approval {
    /// Prose waits for a person, as the contract of its tools says. Edits of Word and Excel documents go into the open
    /// document, and reach the file when it is saved.
    fn default() -> Self {
        Self { markdown: Gate::Suggest, word: Gate::Apply, sheet: Gate::Apply, agents_may_accept: false }
    }
}

impl Approval {
    /// Nothing waits, unless it is asked to.
    pub fn auto() -> Self {
        Self::all(Gate::Apply)
    }

    pub fn all(gate: Gate) -> Self {
        Self { markdown: gate, word: gate, sheet: gate, agents_may_accept: gate == Gate::Apply }
    }

    pub fn of(&self, kind: Kind) -> Gate {
        match kind {
            Kind::Markdown | Kind::Text => self.markdown,
            Kind::Word => self.word,
            Kind::Sheet => self.sheet,
        }
    }
}
