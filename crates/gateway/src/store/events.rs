//! What happened in a run: one line after the other, never changed. It is what streams replay, what the history is read
//! from, and the audit trail.

use serde_json::Value;
use sqlx::Row as _;

use super::{Row, Store, StoreError};

/// What an event tells. The names are those of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// A piece of the answer; unnamed in the stream.
    Chunk,
    Status,
    ToolCall,
    ToolResult,
    ApprovalNeeded,
    ApprovalDecided,
    Suggestion,
    Progress,
    McpStatus,
    Saved,
    Usage,
}

impl EventKind {
    const ALL: [EventKind; 11] = [
        EventKind::Chunk,
        EventKind::Status,
        EventKind::ToolCall,
        EventKind::ToolResult,
        EventKind::ApprovalNeeded,
        EventKind::ApprovalDecided,
        EventKind::Suggestion,
        EventKind::Progress,
        EventKind::McpStatus,
        EventKind::Saved,
        EventKind::Usage,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            EventKind::Chunk => "chunk",
            EventKind::Status => "status",
            EventKind::ToolCall => "tool_call",
            EventKind::ToolResult => "tool_result",
            EventKind::ApprovalNeeded => "approval_needed",
            EventKind::ApprovalDecided => "approval_decided",
            EventKind::Suggestion => "suggestion",
            EventKind::Progress => "progress",
            EventKind::McpStatus => "mcp_status",
            EventKind::Saved => "saved",
            EventKind::Usage => "usage",
        }
    }

    fn named(name: &str) -> Result<Self, StoreError> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| StoreError::Unreadable(format!("no event is `{name}`")))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NewEvent {
    pub(crate) kind: EventKind,
    pub(crate) payload: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LoggedEvent {
    /// Its place among all events there are.
    pub(crate) id: i64,
    pub(crate) run: String,
    /// Its place in its run, from 1.
    pub(crate) number: i64,
    pub(crate) kind: EventKind,
    pub(crate) payload: Value,
    pub(crate) at: i64,
}

impl Store {
    pub(crate) async fn append_event(
        &self,
        session: &str,
        run: &str,
        number: i64,
        event: &NewEvent,
        now: i64,
    ) -> Result<(), StoreError> {
        let payload = self.seal.seal(&place(run, number), &event.payload.to_string())?;
        let (session, run) = (self.seal.name(session)?, self.seal.name(run)?);
        let query = sqlx::query(INSERT).bind(session).bind(run).bind(number).bind(event.kind.name());
        query.bind(payload).bind(now).execute(&self.pool).await?;
        Ok(())
    }

    /// The events of a run after this number, so many of them at most.
    pub(crate) async fn events(
        &self,
        run: &str,
        after: i64,
        most: i64,
    ) -> Result<Vec<LoggedEvent>, StoreError> {
        let query =
            sqlx::query("SELECT * FROM events WHERE run_id = $1 AND number > $2 ORDER BY number LIMIT $3");
        let rows = query.bind(self.seal.name(run)?).bind(after).bind(most).fetch_all(&self.pool).await?;
        rows.iter().map(|row| self.event(row)).collect()
    }

    /// The events of a session after this one, whichever run they are of.
    pub(crate) async fn events_of_session(
        &self,
        session: &str,
        after: i64,
        most: i64,
    ) -> Result<Vec<LoggedEvent>, StoreError> {
        let query =
            sqlx::query("SELECT * FROM events WHERE session_id = $1 AND id > $2 ORDER BY id LIMIT $3");
        let rows = query.bind(self.seal.name(session)?).bind(after).bind(most).fetch_all(&self.pool).await?;
        rows.iter().map(|row| self.event(row)).collect()
    }

    /// The number of the last event of a run; 0 if it has none.
    pub(crate) async fn last_event(&self, run: &str) -> Result<i64, StoreError> {
        let query =
            sqlx::query_scalar("SELECT number FROM events WHERE run_id = $1 ORDER BY number DESC LIMIT 1");
        Ok(query.bind(self.seal.name(run)?).fetch_optional(&self.pool).await?.unwrap_or(0))
    }

    fn event(&self, row: &Row) -> Result<LoggedEvent, StoreError> {
        let (kept, number): (String, i64) = (row.try_get("run_id")?, row.try_get("number")?);
        let run = self.seal.named(&kept)?;
        let sealed: Vec<u8> = row.try_get("payload")?;
        let payload = self.seal.unseal(&place(&run, number), &sealed)?;
        let kind: String = row.try_get("kind")?;
        Ok(LoggedEvent {
            id: row.try_get("id")?,
            kind: EventKind::named(&kind)?,
            payload: serde_json::from_str(&payload)
                .map_err(|error| StoreError::Unreadable(error.to_string()))?,
            at: row.try_get("at")?,
            run,
            number,
        })
    }
}

pub(super) const INSERT: &str =
    "INSERT INTO events (session_id, run_id, number, kind, payload, at) VALUES ($1, $2, $3, $4, $5, $6)";

pub(super) fn place(run: &str, number: i64) -> String {
    format!("event {run} {number}")
}
