//! Documents that a caller works on by an explicit id.

use std::collections::BTreeMap;

use edit::Refusal;
use serde::{Deserialize, Serialize};

use crate::ids::{DocId, SessionId};

/// Seconds a session lives after it was last used.
const LIFE: i64 = 60 * 60;
/// Ended sessions whose name still means something to us.
const MOST_ENDED: usize = 100;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Sessions {
    live: BTreeMap<SessionId, Session>,
    ended: BTreeMap<SessionId, String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Session {
    document: DocId,
    title: String,
    used: i64,
}

impl Sessions {
    pub(crate) fn begin(&mut self, id: SessionId, document: DocId, title: String, now: i64) {
        self.live.insert(id, Session { document, title, used: now });
    }

    pub(crate) fn find(&mut self, id: &SessionId, now: i64) -> Result<DocId, Refusal> {
        match self.live.get_mut(id) {
            Some(session) => {
                session.used = now;
                Ok(session.document)
            }
            None => Err(self.missing(id)),
        }
    }

    pub(crate) fn end(&mut self, id: &SessionId) -> Result<DocId, Refusal> {
        let Some(session) = self.live.remove(id) else { return Err(self.missing(id)) };
        self.remember(id.clone(), session.title);
        Ok(session.document)
    }

    /// End the sessions that were not used for too long; gives their documents.
    pub(crate) fn expire(&mut self, now: i64) -> Vec<DocId> {
        let old = self.live.iter().filter(|(_, session)| now - session.used > LIFE);
        let old: Vec<SessionId> = old.map(|(id, _)| id.clone()).collect();
        old.iter().filter_map(|id| self.end(id).ok()).collect()
    }

    /// The session that works on a document; the one used last if there are several.
    pub(crate) fn of(&self, document: DocId) -> Option<SessionId> {
        let of_document = self.live.iter().filter(|(_, session)| session.document == document);
        of_document.max_by_key(|(_, session)| session.used).map(|(id, _)| id.clone())
    }

    /// Sessions of one document work on another from now on.
    pub(crate) fn go_on(&mut self, from: DocId, to: DocId, title: &str) {
        for session in self.live.values_mut().filter(|session| session.document == from) {
            (session.document, session.title) = (to, title.to_owned());
        }
    }

    pub(crate) fn uses(&self, document: DocId) -> bool {
        self.live.values().any(|session| session.document == document)
    }

    pub(crate) fn documents(&self) -> impl Iterator<Item = DocId> {
        self.live.values().map(|session| session.document)
    }

    fn missing(&self, id: &SessionId) -> Refusal {
        match self.ended.get(id) {
            Some(title) => Refusal::Gone { what: "session", id: id.to_string(), last: title.clone() },
            None => Refusal::not_found("session", id.to_string()),
        }
    }

    fn remember(&mut self, id: SessionId, title: String) {
        if self.ended.len() >= MOST_ENDED {
            self.ended.pop_first();
        }
        self.ended.insert(id, title);
    }
}
