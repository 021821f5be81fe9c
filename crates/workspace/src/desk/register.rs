//! What must mean the same after a restart: numbers that were given out, callers' seats, and decisions.
//!
//! All of it is small and lies in `register` in the state folder. Losing it loses no work: documents and their unsaved
//! edits are in the journals. Hence nothing here is synced, and what cannot be written is done without.

use std::collections::{BTreeMap, VecDeque};
use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::caller::CallerId;
use crate::caller::seat::Seat;
use crate::disk::private;
use crate::ids::{DocId, SuggestionId};

/// Numbers that are taken from the file at a time.
const BLOCK: u64 = 64;
/// Seats of earlier runs are forgotten after this long.
const SEATS_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const MOST_SEATS: usize = 1000;
/// Decisions that are remembered after their documents were closed.
const MOST_DECISIONS: usize = 5000;
/// No file of ours is larger.
const MOST_BYTES: u64 = 16 << 20;

#[derive(Debug)]
pub(crate) struct Register {
    /// Nothing is kept without one.
    folder: Option<PathBuf>,
    next: u64,
    end: u64,
    decisions: Option<Decisions>,
}

/// A seat as it is kept, with where its documents are.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredSeat {
    pub(crate) caller: CallerId,
    pub(crate) seat: Seat,
    pub(crate) documents: Vec<(DocId, StoredDocument)>,
}

/// How a document is found again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum StoredDocument {
    File(PathBuf),
    /// By the name of its journal. One that nothing was written into has none, and nothing to find.
    Untitled(String),
}

/// What became of a suggestion, for whoever asks after its document was closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Decided {
    pub(crate) id: SuggestionId,
    pub(crate) document: Option<PathBuf>,
    pub(crate) summary: String,
    pub(crate) accepted: bool,
    /// The name of who decided.
    pub(crate) by: String,
    /// Seconds since 1970-01-01 UTC.
    pub(crate) at: i64,
    /// Whose suggestion it was.
    pub(crate) caller: String,
}

#[derive(Debug, Default)]
struct Decisions {
    /// Oldest first.
    order: VecDeque<SuggestionId>,
    known: BTreeMap<SuggestionId, Decided>,
    lines: usize,
}

impl Register {
    pub(crate) fn open(state: Option<&Path>) -> Self {
        let folder = state.map(|state| state.join("register"));
        let folder = folder.filter(|folder| private::folder(folder).is_ok());
        Self { folder, next: 0, end: 0, decisions: None }
    }

    /// A number that was never given out before in this state folder.
    pub(crate) fn number(&mut self) -> u64 {
        if self.next == self.end {
            let first = match &self.folder {
                None => self.end.max(1),
                // Without the file, the clock is ahead of every number that was counted.
                Some(folder) => reserve(&folder.join("numbers")).unwrap_or_else(|_| clock().max(self.end)),
            };
            (self.next, self.end) = (first, first + BLOCK);
        }
        let number = self.next;
        self.next += 1;
        number
    }

    /// The seats of callers that may come back.
    pub(crate) fn seats(&self) -> Vec<StoredSeat> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut seats = Vec::new();
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|extension| extension != "seat") {
                continue;
            }
            let age = entry
                .metadata()
                .and_then(|metadata| metadata.modified())
                .ok()
                .and_then(|at| at.elapsed().ok());
            let stored = read(&path).ok().and_then(|bytes| serde_json::from_slice::<StoredSeat>(&bytes).ok());
            match stored {
                Some(stored) if age.is_none_or(|age| age < SEATS_KEPT) && seats.len() < MOST_SEATS => {
                    seats.push(stored);
                }
                _ => drop(std::fs::remove_file(&path)),
            }
        }
        seats
    }

    pub(crate) fn keep(&self, stored: &StoredSeat) {
        let Some(path) = self.seat_file(&stored.caller) else { return };
        if let Ok(bytes) = serde_json::to_vec(stored) {
            // Losing it means that a caller finds its documents by their paths instead.
            let _ = private::replace(&path, &bytes);
        }
    }

    pub(crate) fn forget(&self, caller: &CallerId) {
        if let Some(path) = self.seat_file(caller) {
            let _ = std::fs::remove_file(path);
        }
    }

    pub(crate) fn decide(&mut self, decided: Decided) {
        let file = self.folder.as_ref().map(|folder| folder.join("decisions"));
        let decisions = self.decisions();
        if let Some(file) = &file
            && let Ok(mut line) = serde_json::to_vec(&decided)
        {
            line.push(b'\n');
            if append(file, &line).is_ok() {
                decisions.lines += 1;
            }
        }
        decisions.add(decided);
        if decisions.lines > 2 * MOST_DECISIONS
            && let Some(file) = &file
        {
            let lines = decisions.order.iter().filter_map(|id| decisions.known.get(id));
            let lines: Vec<String> =
                lines.filter_map(|decided| serde_json::to_string(decided).ok()).collect();
            if private::replace(file, (lines.join("\n") + "\n").as_bytes()).is_ok() {
                decisions.lines = lines.len();
            }
        }
    }

    pub(crate) fn decided(&mut self, id: &SuggestionId) -> Option<Decided> {
        self.decisions().known.get(id).cloned()
    }

    /// A decision that was undone is none.
    pub(crate) fn undecide(&mut self, id: &SuggestionId) {
        self.decisions().known.remove(id);
    }

    fn decisions(&mut self) -> &mut Decisions {
        let folder = self.folder.as_ref();
        self.decisions.get_or_insert_with(|| {
            let mut decisions = Decisions::default();
            let text = folder.and_then(|folder| read(&folder.join("decisions")).ok());
            for line in text.iter().flat_map(|text| text.split(|byte| *byte == b'\n')) {
                // A line that was cut off in the middle is not counted.
                if let Ok(decided) = serde_json::from_slice(line) {
                    decisions.add(decided);
                    decisions.lines += 1;
                }
            }
            decisions
        })
    }

    fn seat_file(&self, caller: &CallerId) -> Option<PathBuf> {
        // The name is a secret, and comes from outside: neither belongs in the name of a file.
        let hash = blake3::hash(caller.as_str().as_bytes()).to_hex();
        Some(self.folder.as_ref()?.join(format!("{hash}.seat")))
    }
}

impl Decisions {
    fn add(&mut self, decided: Decided) {
        self.order.retain(|id| *id != decided.id);
        self.order.push_back(decided.id.clone());
        self.known.insert(decided.id.clone(), decided);
        if self.order.len() > MOST_DECISIONS
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }
}

/// Take a block of numbers from the file; gives the first.
fn reserve(path: &Path) -> io::Result<u64> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    let mut file = private::regular(path, &mut options)?;
    file.lock()?;
    let mut text = String::new();
    (&file).take(64).read_to_string(&mut text)?;
    let first = match text.trim() {
        "" => 1,
        number => number.parse().map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?,
    };
    file.rewind()?;
    file.write_all(format!("{}\n", first + BLOCK).as_bytes())?;
    Ok(first)
}

fn clock() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs()) * 1000
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = private::open(path)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    private::regular(path, OpenOptions::new().append(true).create(true))?.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_not_given_twice_also_not_to_two_at_once() {
        let state = tempfile::tempdir().unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..3 {
            let (mut one, mut two) = (Register::open(Some(state.path())), Register::open(Some(state.path())));
            for _ in 0..100 {
                assert!(seen.insert(one.number()));
                assert!(seen.insert(two.number()));
            }
        }
        assert_eq!(seen.first(), Some(&1));
    }

    #[test]
    fn without_a_folder_numbers_count_from_one() {
        let mut register = Register::open(None);
        assert_eq!((register.number(), register.number()), (1, 2));
        assert_eq!((2..200).map(|_| register.number()).max(), Some(200));
    }

    #[test]
    fn a_decision_is_known_in_the_next_run_and_a_torn_line_is_not() {
        let state = tempfile::tempdir().unwrap();
        let id: SuggestionId = "sug_1".parse().unwrap();
        let decided = Decided {
            id: id.clone(),
            document: Some("/a.md".into()),
            summary: "Replace".into(),
            accepted: true,
            by: "Ann".into(),
            at: 7,
            caller: "clr_1".into(),
        };
        Register::open(Some(state.path())).decide(decided.clone());
        append(&state.path().join("register/decisions"), b"{\"id\":\"sug_2\",\"docu").unwrap();
        let mut next = Register::open(Some(state.path()));
        assert_eq!(next.decided(&id), Some(decided));
        assert_eq!(next.decided(&"sug_2".parse().unwrap()), None);
    }
}
