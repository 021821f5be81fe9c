//! The first line of a connection, and the line that answers it.
//!
//! A line of JSON each way; MCP lines follow. Fields that are not known are passed over and new ones have a
//! default, so that an older process can always be served by a newer one. The caller's environment and its
//! working folder stay at home: roots are absolute, and everything else that matters is said here.

use std::{fmt, io, path::PathBuf};

use serde::{Deserialize, Serialize};

/// Grows when a line means something else than before.
pub const PROTOCOL: u32 = 1;

/// The longest first line that is read.
pub(crate) const LONGEST: usize = 64 * 1024;

/// What a connection is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Opening {
    pub(crate) protocol: u32,
    pub(crate) version: String,
    #[serde(flatten)]
    pub(crate) want: Want,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "want", rename_all = "camelCase")]
pub(crate) enum Want {
    Seat(Box<Hello>),
    /// Who is there.
    Status,
    /// The desk shall end, because another one is to take its place.
    StepDown,
    /// Something that a later version asks for.
    #[serde(other)]
    Unknown,
}

/// Who calls, and what it may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    /// The same over all connections of one process.
    pub caller: CallerId,
    pub role: Role,
    /// Whose name its changes carry.
    pub author: String,
    pub roots: Vec<Root>,
    #[serde(default)]
    pub read_only: bool,
    #[serde(default)]
    pub approval: Approval,
    #[serde(default)]
    pub tools: Tools,
    /// Hosts that may be asked for pictures.
    #[serde(default)]
    pub network: Vec<String>,
    /// The program behind the caller, for people who look who is there.
    #[serde(default)]
    pub program: String,
    #[serde(default)]
    pub pid: u32,
}

/// Names a caller; 128 bits that nobody guesses.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallerId(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    Agent,
    Person,
}

/// A folder whose documents may be used. In a container the same name may be another folder, which device and
/// inode give away; where the system has none, the name is all there is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    pub path: PathBuf,
    #[serde(default)]
    pub device: Option<u64>,
    #[serde(default)]
    pub inode: Option<u64>,
}

/// What becomes of edits before a person has seen them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Approval {
    pub agents_may_accept: bool,
    pub policies: Policies,
}

/// What was asked for each format; nothing where the product decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Policies {
    pub word: Option<Policy>,
    pub sheet: Option<Policy>,
    pub markdown: Option<Policy>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Policy {
    Apply,
    Suggest,
    Track,
}

/// The tools that are offered to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Tools {
    pub sets: Vec<String>,
    pub exclude: Vec<String>,
    pub output_schemas: OutputSchemas,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OutputSchemas {
    #[default]
    Fitting,
    Always,
    Never,
}

/// The desk's answer to an opening.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "camelCase")]
pub(crate) enum Answer {
    Welcome(Welcome),
    Refused(Refused),
    Status(Status),
    /// It ends as soon as running calls are done.
    SteppingDown,
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    pub version: String,
    pub pid: u32,
    /// Names this desk; the next one has another name.
    pub desk: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Refused {
    pub(crate) code: String,
    pub(crate) why: String,
}

impl Refused {
    /// The caller is newer, and the desk would step down for it.
    pub(crate) const OLDER: &str = "OLDER_DESK";
    /// The desk is about to end; the next one can be asked.
    pub(crate) const ENDING: &str = "ENDING";
    pub(crate) const OTHER_FOLDERS: &str = "OTHER_FOLDERS";
    pub(crate) const FULL: &str = "FULL";
    /// This desk does not step down.
    pub(crate) const STAYS: &str = "STAYS";
    pub(crate) const NOT_UNDERSTOOD: &str = "NOT_UNDERSTOOD";

    pub(crate) fn new(code: &str, why: impl Into<String>) -> Self {
        Self { code: code.to_owned(), why: why.into() }
    }
}

/// A desk, and who sits at it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    #[serde(flatten)]
    pub welcome: Welcome,
    pub callers: Vec<Present>,
}

/// A caller as people are told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Present {
    pub role: Role,
    pub author: String,
    pub program: String,
    pub pid: u32,
    pub roots: Vec<PathBuf>,
}

/// The last line of a desk that steps down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Handover {
    /// How many MCP lines of this connection were read. Those behind them were not looked at, so they can be
    /// brought to the next desk, whatever they ask for.
    pub(crate) taken: u64,
}

impl Handover {
    /// No line of MCP begins so.
    pub(crate) const PREFIX: &[u8] = b"{\"taken\":";
}

impl CallerId {
    pub fn random() -> io::Result<Self> {
        Ok(Self(hex(&random::<16>()?)))
    }
}

impl fmt::Display for CallerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Root {
    /// The folder as it is seen from here.
    pub fn of(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = std::path::absolute(path.into())?;
        let found = std::fs::metadata(&path)?;
        if !found.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let (device, inode) = identity(&found);
        Ok(Self { path, device, inode })
    }

    /// Whether it is the same folder here.
    pub(crate) fn is_here(&self) -> bool {
        self.path.is_absolute() && Self::of(&self.path).is_ok_and(|here| here == *self)
    }
}

#[cfg(unix)]
pub(crate) fn identity(found: &std::fs::Metadata) -> (Option<u64>, Option<u64>) {
    use std::os::unix::fs::MetadataExt as _;
    (Some(found.dev()), Some(found.ino()))
}

#[cfg(not(unix))]
pub(crate) fn identity(_: &std::fs::Metadata) -> (Option<u64>, Option<u64>) {
    (None, None)
}

impl From<&Hello> for Present {
    fn from(hello: &Hello) -> Self {
        Self {
            role: hello.role,
            author: hello.author.clone(),
            program: hello.program.clone(),
            pid: hello.pid,
            roots: hello.roots.iter().map(|root| root.path.clone()).collect(),
        }
    }
}

pub(crate) fn line_of(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

pub(crate) fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Opening {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_hello_of_a_later_version_is_understood() {
        let opening = read(
            r#"{"protocol":1,"version":"9.0.0","want":"seat","caller":"ab","role":"agent","author":"A",
               "roots":[{"path":"/tmp","device":1,"inode":2,"mood":"fine"}],"favourite":"colour"}"#,
        );
        let Want::Seat(hello) = opening.want else { panic!("{opening:?}") };
        assert_eq!((hello.read_only, hello.tools.output_schemas), (false, OutputSchemas::Fitting));
        assert_eq!(read(r#"{"protocol":1,"version":"9.0.0","want":"dance"}"#).want, Want::Unknown);
        let answer = serde_json::from_str::<Answer>(r#"{"answer":"perhaps","when":"later"}"#);
        assert_eq!(answer.unwrap(), Answer::Unknown);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let hello = Hello {
            caller: CallerId::random().unwrap(),
            role: Role::Person,
            author: "Ann".into(),
            roots: vec![Root::of("/").unwrap()],
            read_only: true,
            approval: Approval {
                policies: Policies { word: Some(Policy::Track), ..Policies::default() },
                ..Approval::default()
            },
            tools: Tools { sets: vec!["all".into()], ..Tools::default() },
            network: vec!["example.com".into()],
            program: "test".into(),
            pid: 7,
        };
        assert!(hello.roots.iter().all(Root::is_here));
        let opening =
            Opening { protocol: PROTOCOL, version: "0.1.0".into(), want: Want::Seat(Box::new(hello)) };
        let line = line_of(&opening).unwrap();
        assert_eq!(serde_json::from_slice::<Opening>(&line).unwrap(), opening);
    }

    #[test]
    fn a_handover_is_told_from_mcp_by_its_first_bytes() {
        let line = line_of(&Handover { taken: 3 }).unwrap();
        assert!(line.starts_with(Handover::PREFIX));
    }

    #[test]
    fn another_folder_of_the_same_name_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let mut root = Root::of(folder.path()).unwrap();
        assert!(root.is_here());
        root.inode = root.inode.map(|inode| inode + 1);
        assert_eq!(root.is_here(), cfg!(not(unix)));
        assert!(Root::of(folder.path().join("missing")).is_err());
    }
}
