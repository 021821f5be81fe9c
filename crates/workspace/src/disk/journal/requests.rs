//! Requests that callers named, beyond the lives of the documents that they changed.
//!
//! A journal goes with its document once everything in it is saved, and with it what it says of requests. Whoever sends
//! one again after that must not have it made twice, so those that a caller named are kept for a while in a file of
//! their own: a line each, added when the change is made.

use std::collections::VecDeque;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::disk::journal::RequestName;
use crate::disk::private;
use crate::sync::Lock;

/// So many are known, for so many seconds.
const MOST: usize = 5_000;
const KEPT: i64 = 7 * 24 * 60 * 60;

/// A change that was made, or staged, for a request that its caller named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedRequest {
    pub(crate) operation: RequestName,
    pub(crate) path: PathBuf,
    /// The revision or the suggestion.
    pub(crate) what: String,
    pub(crate) summary: String,
    pub(crate) at: i64,
}

#[derive(Debug)]
pub(crate) struct NamedRequests {
    store: PathBuf,
    known: Lock<VecDeque<NamedRequest>>,
}

impl NamedRequests {
    /// What cannot be read is passed over: it was not written whole.
    pub(crate) fn load(state: &Path) -> Self {
        let store = state.join("requests.log");
        let bytes = private::read(&store).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let mut known: VecDeque<NamedRequest> =
            lines.clone().filter_map(|line| serde_json::from_slice(line).ok()).collect();
        let newest = known.back().map_or(0, |newest| newest.at);
        known.retain(|request| newest - request.at < KEPT);
        known.drain(..known.len().saturating_sub(MOST));
        if lines.count() > 2 * known.len() + 100 {
            let written = known.iter().filter_map(|request| line(request).ok());
            // Should it fail, the file is only longer than it must be.
            let _ = private::replace(&store, &written.collect::<Vec<_>>().concat());
        }
        Self { store, known: Lock::new(known) }
    }

    /// A change that its journal tells of, too. Should it not be written here, it is known as long as the journal is.
    pub(crate) fn add(&self, request: NamedRequest) {
        let mut known = self.known.lock();
        if known.len() >= MOST {
            known.pop_front();
        }
        if let Ok(line) = line(&request) {
            let file = match private::append_to(&self.store) {
                Err(error) if error.kind() == ErrorKind::NotFound => private::new_file(&self.store),
                file => file,
            };
            let _ = file.and_then(|mut file| file.write_all(&line));
        }
        known.push_back(request);
    }

    /// What came of the request of this name in the document at this path.
    pub(crate) fn find(&self, id: &str, path: &Path) -> Option<NamedRequest> {
        let known = self.known.lock();
        known.iter().rfind(|request| request.operation.is_named(id) && request.path == path).cloned()
    }
}

fn line(request: &NamedRequest) -> std::io::Result<Vec<u8>> {
    // The line before it may be torn.
    let mut line = vec![b'\n'];
    serde_json::to_writer(&mut line, request)?;
    line.push(b'\n');
    Ok(line)
}
