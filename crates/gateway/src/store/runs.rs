//! Runs: something that a session asked for and that takes its time, from its request to its end.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::Row as _;

use super::{
    Row, Store, StoreError,
    events::{self, NewEvent},
    place::Kind,
    secret,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunKind {
    Chat,
    Tool,
}

impl RunKind {
    const ALL: [RunKind; 2] = [RunKind::Chat, RunKind::Tool];

    fn name(self) -> &'static str {
        match self {
            RunKind::Chat => "chat",
            RunKind::Tool => "tool",
        }
    }

    /// What its ids begin with.
    fn prefix(self) -> &'static str {
        match self {
            RunKind::Chat => "rsp_",
            RunKind::Tool => "exe_",
        }
    }

    fn named(name: &str) -> Result<Self, StoreError> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| StoreError::Unreadable(format!("no run is a `{name}`")))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunState {
    Running,
    Completed,
    Error,
    /// The process that carried it out ended before it did.
    Interrupted,
}

impl RunState {
    const ALL: [RunState; 4] =
        [RunState::Running, RunState::Completed, RunState::Error, RunState::Interrupted];

    /// As it is kept.
    fn name(self) -> &'static str {
        match self {
            RunState::Interrupted => "interrupted",
            _ => self.shown(),
        }
    }

    /// As the contract writes it.
    pub(crate) fn shown(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Completed => "completed",
            RunState::Error | RunState::Interrupted => "error",
        }
    }

    fn named(name: &str) -> Result<Self, StoreError> {
        let found = Self::ALL.into_iter().find(|state| state.name() == name);
        found.ok_or_else(|| StoreError::Unreadable(format!("no run is `{name}`")))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) session: String,
    pub(crate) kind: RunKind,
    pub(crate) state: RunState,
    pub(crate) request: Value,
    pub(crate) error: Option<Value>,
    /// The run that went on with it.
    pub(crate) resumed_by: Option<String>,
    pub(crate) created_at: i64,
    /// How long it took.
    pub(crate) seconds: Option<f64>,
    /// Its place in its session.
    pub(crate) number: i64,
}

impl Run {
    /// Whether another run answers for it, or will as soon as somebody asks for that.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.state == RunState::Interrupted
    }
}

#[derive(Debug, Clone)]
pub(crate) struct NewRun<'a> {
    pub(crate) session: &'a str,
    pub(crate) kind: RunKind,
    pub(crate) request: &'a Value,
    /// Under the same key nothing is begun twice.
    pub(crate) key: Option<&'a str>,
    /// The interrupted run that this one goes on with.
    pub(crate) resumes: Option<&'a str>,
}

/// What became of the wish to begin a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Begun {
    New(Run),
    /// This key had begun the same before.
    Before(Run),
    /// This key had begun something else.
    Another,
    /// Another run goes on with the interrupted one, which this is, already.
    Resumed(Run),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ending<'a> {
    pub(crate) state: RunState,
    pub(crate) error: Option<&'a Value>,
    pub(crate) seconds: Option<f64>,
    /// The last events and the number of the first of them.
    pub(crate) events: &'a [NewEvent],
    pub(crate) first: i64,
}

impl Store {
    pub(crate) async fn begin_run(&self, new: NewRun<'_>, now: i64) -> Result<Begun, StoreError> {
        let session = self.seal.name(new.session)?;
        let key = new.key.map(|key| self.seal.name(key)).transpose()?;
        let before = new.resumes.map(|before| self.seal.name(before)).transpose()?;
        let digest = Sha256::digest(format!("{} {}", new.kind.name(), new.request)).to_vec();
        let mut change = self.write().await?;
        if self.kind == Kind::Postgres {
            // One at a time in a session, so that a key begins one run and each run gets a number.
            let query = sqlx::query("SELECT id FROM sessions WHERE id = $1 FOR UPDATE");
            query.bind(&session).execute(&mut *change).await?;
        }
        if let Some(before) = &before {
            let query = sqlx::query("SELECT * FROM runs WHERE id = $1 AND resumed_by IS NOT NULL");
            if let Some(row) = query.bind(before).fetch_optional(&mut *change).await? {
                return Ok(Begun::Resumed(self.a_run(&row)?));
            }
        } else if let Some(key) = &key {
            let query = sqlx::query("SELECT * FROM runs WHERE session_id = $1 AND idempotency_key = $2");
            if let Some(row) = query.bind(&session).bind(key).fetch_optional(&mut *change).await? {
                let known: Vec<u8> = row.try_get("digest")?;
                return if known == digest {
                    Ok(Begun::Before(self.a_run(&row)?))
                } else {
                    Ok(Begun::Another)
                };
            }
        }
        let query = sqlx::query_scalar("SELECT coalesce(max(number), 0) FROM runs WHERE session_id = $1");
        let last: i64 = query.bind(&session).fetch_one(&mut *change).await?;
        let (id, number) = (secret(new.kind.prefix())?, last + 1);
        let request = self.seal.seal(&id, &new.request.to_string())?;
        let query = sqlx::query(
            "INSERT INTO runs (id, session_id, kind, state, request, idempotency_key, digest, created_at, number)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        );
        let kept = self.seal.name(&id)?;
        let query = query.bind(&kept).bind(session).bind(new.kind.name()).bind(RunState::Running.name());
        let query = query.bind(request).bind(key).bind(digest).bind(now).bind(number);
        query.execute(&mut *change).await?;
        if let Some(before) = before {
            let query = sqlx::query("UPDATE runs SET resumed_by = $1 WHERE id = $2");
            query.bind(kept).bind(before).execute(&mut *change).await?;
        }
        change.commit().await?;
        Ok(Begun::New(Run {
            id,
            session: new.session.to_owned(),
            kind: new.kind,
            state: RunState::Running,
            request: new.request.clone(),
            error: None,
            resumed_by: None,
            created_at: now,
            seconds: None,
            number,
        }))
    }

    /// Writes down how a run ended together with its last events; a run that has ended stays as it is.
    pub(crate) async fn end_run(&self, run: &Run, ending: Ending<'_>, now: i64) -> Result<(), StoreError> {
        let mut change = self.write().await?;
        let error =
            ending.error.map(|error| self.seal.seal(&format!("error {}", run.id), &error.to_string()));
        let query = sqlx::query(
            "UPDATE runs SET state = $1, error = $2, seconds = $3, ended_at = $4 WHERE id = $5 AND state = $6",
        );
        let query = query.bind(ending.state.name()).bind(error.transpose()?).bind(ending.seconds).bind(now);
        let (session, id) = (self.seal.name(&run.session)?, self.seal.name(&run.id)?);
        let done = query.bind(&id).bind(RunState::Running.name()).execute(&mut *change).await?;
        if done.rows_affected() == 0 {
            return Ok(());
        }
        for (event, number) in ending.events.iter().zip(ending.first..) {
            let payload = self.seal.seal(&events::place(&run.id, number), &event.payload.to_string())?;
            let query = sqlx::query(events::INSERT).bind(&session).bind(&id).bind(number);
            query.bind(event.kind.name()).bind(payload).bind(now).execute(&mut *change).await?;
        }
        change.commit().await?;
        Ok(())
    }

    pub(crate) async fn run(&self, id: &str) -> Result<Option<Run>, StoreError> {
        let query = sqlx::query("SELECT * FROM runs WHERE id = $1");
        query
            .bind(self.seal.name(id)?)
            .fetch_optional(&self.pool)
            .await?
            .map(|row| self.a_run(&row))
            .transpose()
    }

    /// Messages of a session, the latest first, from before this place on.
    pub(crate) async fn chats(&self, session: &str, before: i64, most: i64) -> Result<Vec<Run>, StoreError> {
        let query = sqlx::query(
            "SELECT * FROM runs WHERE session_id = $1 AND kind = $2 AND number < $3 ORDER BY number DESC LIMIT $4",
        );
        let query = query.bind(self.seal.name(session)?).bind(RunKind::Chat.name()).bind(before).bind(most);
        query.fetch_all(&self.pool).await?.iter().map(|row| self.a_run(row)).collect()
    }

    /// Runs that a process before this one did not finish.
    pub(crate) async fn unfinished(&self) -> Result<Vec<Run>, StoreError> {
        let query = sqlx::query("SELECT * FROM runs WHERE state = $1 ORDER BY created_at, number");
        let query = query.bind(RunState::Running.name());
        query.fetch_all(&self.pool).await?.iter().map(|row| self.a_run(row)).collect()
    }

    fn a_run(&self, row: &Row) -> Result<Run, StoreError> {
        let json = |text: &str| -> Result<Value, StoreError> {
            serde_json::from_str(text).map_err(|error| StoreError::Unreadable(error.to_string()))
        };
        let kept = |name: &str| -> Result<String, StoreError> { Ok(row.try_get(name)?) };
        let id = self.seal.named(&kept("id")?)?;
        let resumed_by: Option<String> = row.try_get("resumed_by")?;
        let (kind, state): (String, String) = (row.try_get("kind")?, row.try_get("state")?);
        let request: Vec<u8> = row.try_get("request")?;
        let error: Option<Vec<u8>> = row.try_get("error")?;
        let error = error.map(|sealed| json(&self.seal.unseal(&format!("error {id}"), &sealed)?));
        Ok(Run {
            request: json(&self.seal.unseal(&id, &request)?)?,
            error: error.transpose()?,
            session: self.seal.named(&kept("session_id")?)?,
            kind: RunKind::named(&kind)?,
            state: RunState::named(&state)?,
            resumed_by: resumed_by.map(|kept| self.seal.named(&kept)).transpose()?,
            created_at: row.try_get("created_at")?,
            seconds: row.try_get("seconds")?,
            number: row.try_get("number")?,
            id,
        })
    }
}
