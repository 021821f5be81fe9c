//! What outlives the process: sessions and their runs.
//!
//! A SQLite file in the state folder, in WAL mode, so that readers never wait and a kill harms nothing. Its tables are
//! made and brought up to date when it is opened.

mod events;
mod migrations;
mod runs;
mod seal;
mod sessions;

use std::{path::Path, time::Duration};

use sqlx::{
    SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::api::error::ApiError;
pub(crate) use events::{EventKind, LoggedEvent, NewEvent};
pub(crate) use runs::{Begun, Ending, NewRun, Run, RunKind, RunState};
pub(crate) use seal::Seal;
pub use seal::StoreKey;
pub(crate) use sessions::{NewSession, Session, Standing};

/// The name of the file in the state folder.
pub(crate) const FILE: &str = "gateway.db";

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    #[error(
        "the database was written by a newer version of this program (its tables are of version {found}, this program knows {known})"
    )]
    Newer { found: i64, known: i64 },
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

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        ApiError::internal(error)
    }
}

pub(crate) type Row = sqlx::sqlite::SqliteRow;

#[derive(Debug, Clone)]
pub(crate) struct Store {
    pool: SqlitePool,
    seal: Seal,
}

impl Store {
    /// The store of this folder; without one, a store that ends with the process.
    pub(crate) async fn open(folder: Option<&Path>, key: Option<&StoreKey>) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .create_if_missing(true)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A kill loses nothing with this; only a power cut may take the last moments.
            .synchronous(SqliteSynchronous::Normal)
            .busy_timeout(Duration::from_secs(10));
        let (options, most) = match folder {
            Some(folder) => {
                make_private(folder)?;
                (options.filename(folder.join(FILE)), 8)
            }
            // Another connection would be another store.
            None => (options.in_memory(true), 1),
        };
        let pool = SqlitePoolOptions::new()
            .max_connections(most)
            .min_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(options)
            .await?;
        migrations::bring_up_to_date(&pool).await?;
        let store = Self { pool, seal: Seal::open(key, folder)? };
        store.check_key().await?;
        Ok(store)
    }

    /// Whether what is in there was sealed with this key, so that a wrong one is told of at once.
    async fn check_key(&self) -> Result<(), StoreError> {
        const FACT: &str = "sealed";
        let query = sqlx::query_scalar("SELECT value FROM facts WHERE name = $1").bind(FACT);
        let known: Option<Vec<u8>> = query.fetch_optional(&self.pool).await?;
        match known {
            Some(sealed) => self.seal.unseal(FACT, &sealed).map(drop),
            None => {
                let query = sqlx::query("INSERT INTO facts (name, value) VALUES ($1, $2)").bind(FACT);
                query.bind(self.seal.seal(FACT, FACT)?).execute(&self.pool).await?;
                Ok(())
            }
        }
    }

    /// A change of several rows. It asks for the right to write at once: one that reads first would be refused it as
    /// soon as somebody else has written in between.
    async fn write(&self) -> Result<sqlx::SqliteTransaction<'static>, StoreError> {
        Ok(self.pool.begin_with("BEGIN IMMEDIATE").await?)
    }

    pub(crate) fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Whether it answers.
    pub(crate) async fn probe(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }
}

/// The folder and the database in it are their owner's alone: what sessions said is in there.
fn make_private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // SQLite gives its journal the mode that the database has.
        std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(folder.join(FILE))?;
    }
    Ok(())
}

/// 256 random bits, as text that can be part of a path and a header.
pub(crate) fn secret(prefix: &str) -> Result<String, StoreError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Random(error.to_string()))?;
    let mut text = prefix.to_owned();
    text.extend(bytes.iter().map(|byte| format!("{byte:02x}")));
    Ok(text)
}
