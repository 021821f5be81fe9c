//! Runs: something that a session asked for and that takes its time, from its request to its end.

use serde_json::{Value, json};
use sqlx::{Row as _, sqlite::SqliteRow};

use super::{Store, StoreError, secret};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunKind {
    Tool,
}

impl RunKind {
    fn name(self) -> &'static str {
        match self {
            RunKind::Tool => "tool",
        }
    }

    /// What its ids begin with.
    fn prefix(self) -> &'static str {
        match self {
            RunKind::Tool => "exe_",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunState {
    Running,
    Completed,
    Error,
}

impl RunState {
    /// As the contract writes it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Completed => "completed",
            RunState::Error => "error",
        }
    }

    fn named(name: &str) -> Result<Self, StoreError> {
        let all = [RunState::Running, RunState::Completed, RunState::Error];
        let found = all.into_iter().find(|state| state.name() == name);
        found.ok_or_else(|| StoreError::Unreadable(format!("no run is `{name}`")))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) state: RunState,
    pub(crate) result: Option<Value>,
    pub(crate) error: Option<Value>,
    /// How long it took.
    pub(crate) seconds: Option<f64>,
}

impl Store {
    pub(crate) async fn begin_run(
        &self,
        session: &str,
        kind: RunKind,
        request: &Value,
        now: i64,
    ) -> Result<String, StoreError> {
        let id = secret(kind.prefix())?;
        let query = sqlx::query(
            "INSERT INTO runs (id, session_id, kind, state, request, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        );
        let query = query.bind(&id).bind(session).bind(kind.name()).bind(RunState::Running.name());
        query.bind(request.to_string()).bind(now).execute(&self.pool).await?;
        Ok(id)
    }

    /// Writes down how a run ended, with its result or its error.
    pub(crate) async fn end_run(&self, run: &Run, now: i64) -> Result<(), StoreError> {
        let query = sqlx::query(
            "UPDATE runs SET state = ?, result = ?, error = ?, seconds = ?, ended_at = ? WHERE id = ?",
        );
        let text = |value: &Option<Value>| value.as_ref().map(Value::to_string);
        let query = query.bind(run.state.name()).bind(text(&run.result)).bind(text(&run.error));
        query.bind(run.seconds).bind(now).bind(&run.id).execute(&self.pool).await?;
        Ok(())
    }

    /// A run of this session.
    pub(crate) async fn run(
        &self,
        session: &str,
        kind: RunKind,
        id: &str,
    ) -> Result<Option<Run>, StoreError> {
        let query = sqlx::query("SELECT * FROM runs WHERE id = ? AND session_id = ? AND kind = ?");
        let query = query.bind(id).bind(session).bind(kind.name());
        query.fetch_optional(&self.pool).await?.as_ref().map(run).transpose()
    }

    /// Runs that a process before this one did not finish. Whether they changed something is not known.
    pub(super) async fn interrupt_runs(&self) -> Result<(), StoreError> {
        let why = json!({
            "code": -32603,
            "message": "the server ended before the run did",
            "data": {"details": "read the document again before you ask for the same once more", "name": "INTERRUPTED"},
        });
        let query = sqlx::query("UPDATE runs SET state = ?, error = ? WHERE state = ?");
        let query = query.bind(RunState::Error.name()).bind(why.to_string()).bind(RunState::Running.name());
        query.execute(&self.pool).await?;
        Ok(())
    }
}

fn run(row: &SqliteRow) -> Result<Run, StoreError> {
    let json = |name: &str| -> Result<Option<Value>, StoreError> {
        let text: Option<String> = row.try_get(name)?;
        let value = text.map(|text| serde_json::from_str(&text)).transpose();
        value.map_err(|error| StoreError::Unreadable(error.to_string()))
    };
    Ok(Run {
        id: row.try_get("id")?,
        state: RunState::named(row.try_get("state")?)?,
        result: json("result")?,
        error: json("error")?,
        seconds: row.try_get("seconds")?,
    })
}
