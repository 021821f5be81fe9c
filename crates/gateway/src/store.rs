//! What outlives the process: sessions, their runs and what happened in them.
//!
//! A SQLite file in the state folder, in WAL mode, so that readers never wait and a kill harms nothing; or PostgreSQL,
//! where an address of one is given. Both have the same tables, made and brought up to date when the store is opened,
//! and are asked in the words that both understand.

mod at_rest;
mod events;
mod migrations;
mod place;
mod runs;
mod seal;
mod sessions;

use std::path::Path;

use sqlx::AnyPool;

use crate::api::error::{ApiError, Code};
pub(crate) use events::{EventKind, LoggedEvent, NewEvent};
pub use place::DatabaseUrl;
use place::{Held, Kind};
pub(crate) use runs::{Begun, Ending, NewRun, Run, RunKind, RunState};
pub(crate) use seal::Seal;
pub use seal::StoreKey;
pub(crate) use sessions::{McpServer, NewSession, Session, Standing};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    #[error(
        "the database was written by a newer version of this program (its tables are of version {found}, this program knows {known})"
    )]
    Newer { found: i64, known: i64 },
    #[error("another server uses this database; one at a time can")]
    Taken,
    #[error("the address of the database must begin with postgres://")]
    BadUrl,
    #[error("a database elsewhere needs a key of its own for what is kept in it; set DOCWRIGHT_STORE_KEY")]
    NoKey,
    #[error("what is kept of a run cannot be read: {0}")]
    Unreadable(String),
    #[error("what is kept is sealed with another key, or was changed")]
    Sealed,
    #[error("{} holds no key; put the old one back, or remove it together with the database", .0.display())]
    BadKeyFile(std::path::PathBuf),
    #[error("no random numbers: {0}")]
    Random(String),
    #[error("{0}")]
    Folder(#[from] std::io::Error),
}

impl StoreError {
    /// Whether the same may work in a moment.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            StoreError::Database(error) => !matches!(
                error,
                sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) | sqlx::Error::Encode(_)
            ),
            _ => false,
        }
    }

    /// What is the matter with the disk or the database, if it is not the request that went wrong.
    fn unavailable(&self) -> Option<&'static str> {
        let StoreError::Database(error) = self else { return None };
        match error {
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => {
                Some("the database of the server does not answer")
            }
            // SQLite's number for it, and PostgreSQL's.
            sqlx::Error::Database(error) if matches!(error.code().as_deref(), Some("13" | "53100")) => {
                Some("the disk of the server is full")
            }
            _ => None,
        }
    }

    /// Whether what was to be written stands there already.
    pub(crate) fn is_there_already(&self) -> bool {
        let StoreError::Database(error) = self else { return false };
        error.as_database_error().is_some_and(|error| error.is_unique_violation())
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error.unavailable() {
            Some(why) => {
                tracing::error!(%error, "a request failed");
                let error = ApiError::new(Code::Unavailable, why);
                error.details(
                    "send the request again in a moment, under the same Idempotency-Key if it has one",
                )
            }
            None => ApiError::internal(error),
        }
    }
}

type Row = sqlx::any::AnyRow;

#[derive(Debug, Clone)]
pub(crate) struct Store {
    pool: AnyPool,
    kind: Kind,
    seal: Seal,
    /// Keeps other servers out as long as this one lives.
    held: Held,
}

impl Store {
    /// The store at this address, else that of this folder; without either, a store that ends with the process.
    pub(crate) async fn open(
        url: Option<&DatabaseUrl>,
        folder: Option<&Path>,
        key: Option<&StoreKey>,
    ) -> Result<Self, StoreError> {
        if url.is_some() && folder.is_none() && key.is_none() {
            return Err(StoreError::NoKey);
        }
        let (mut pool, kind) = place::pool(url, folder).await?;
        let held = place::hold(&pool, kind).await?;
        let seal = Seal::open(key, folder)?;
        let changed = migrations::bring_up_to_date(&pool, kind, &seal).await?;
        if changed && kind == Kind::Sqlite && folder.is_some() {
            // Connections that knew the tables before would take them for what they were.
            pool.close().await;
            pool = place::pool(url, folder).await?.0;
        }
        Ok(Self { pool, kind, seal, held })
    }

    /// A change of several rows. SQLite is asked for the right to write at once: a change that reads first would be
    /// refused it as soon as somebody else has written in between.
    async fn write(&self) -> Result<sqlx::Transaction<'static, sqlx::Any>, StoreError> {
        Ok(match self.kind {
            Kind::Sqlite => self.pool.begin_with("BEGIN IMMEDIATE").await?,
            Kind::Postgres => self.pool.begin().await?,
        })
    }

    pub(crate) fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Lets go of the database, for whoever opens it next.
    pub(crate) async fn close(&self) {
        let held = self.held.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(held) = held
            && let Err(error) = held.close().await
        {
            tracing::debug!(%error, "the lock of the database was not given back");
        }
        self.pool.close().await;
    }

    /// Whether it answers.
    pub(crate) async fn probe(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }
}

/// Whether a server would find what it needs there; nothing is written. Of a database that is not there yet nothing can
/// be said.
pub async fn check(
    url: Option<&DatabaseUrl>,
    folder: &Path,
    key: Option<&StoreKey>,
) -> Result<(), crate::StartError> {
    let Some((pool, kind)) = place::look_at(url, folder).await? else { return Ok(()) };
    let checked = migrations::check(&pool, kind, Seal::present(key, folder)?.as_ref()).await;
    pool.close().await;
    Ok(checked?)
}

/// 256 random bits, as text that can be part of a path and a header.
pub(crate) fn secret(prefix: &str) -> Result<String, StoreError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Random(error.to_string()))?;
    let mut text = prefix.to_owned();
    text.extend(bytes.iter().map(|byte| format!("{byte:02x}")));
    Ok(text)
}
