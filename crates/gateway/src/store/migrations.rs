//! The tables, as a line of steps. A step that was released is never changed; the next one changes what it made.

use sqlx::SqlitePool;

use super::StoreError;

/// The file remembers how many of them it has been through.
const STEPS: &[&str] = &[
    "CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        token_hash BLOB NOT NULL UNIQUE,
        user_id TEXT,
        title TEXT,
        document_id TEXT,
        protocol TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        last_activity INTEGER NOT NULL,
        ended_at INTEGER
    ) STRICT;
    PRAGMA user_version = 1;",
    "CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        state TEXT NOT NULL,
        request TEXT NOT NULL,
        result TEXT,
        error TEXT,
        created_at INTEGER NOT NULL,
        ended_at INTEGER,
        seconds REAL
    ) STRICT;
    CREATE INDEX runs_of_session ON runs (session_id, kind, created_at);
    PRAGMA user_version = 2;",
    // What was said is sealed from here on, so what stood there in the open goes.
    "DROP TABLE runs;
    CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        state TEXT NOT NULL,
        request BLOB NOT NULL,
        error BLOB,
        idempotency_key TEXT,
        digest BLOB NOT NULL,
        resumed_by TEXT,
        created_at INTEGER NOT NULL,
        ended_at INTEGER,
        seconds REAL,
        number INTEGER NOT NULL,
        UNIQUE (session_id, idempotency_key),
        UNIQUE (session_id, number)
    ) STRICT;
    CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        kind TEXT NOT NULL,
        payload BLOB NOT NULL,
        at INTEGER NOT NULL,
        UNIQUE (run_id, number)
    ) STRICT;
    CREATE INDEX events_of_session ON events (session_id, id);
    CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
    ALTER TABLE sessions ADD COLUMN policy TEXT;
    ALTER TABLE sessions ADD COLUMN mcp BLOB;
    PRAGMA user_version = 3;",
];

pub(super) async fn bring_up_to_date(pool: &SqlitePool) -> Result<(), StoreError> {
    let known = STEPS.len() as i64;
    let found: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(pool).await?;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(usize::MAX)) {
        let mut change = pool.begin().await?;
        sqlx::raw_sql(*step).execute(&mut *change).await?;
        change.commit().await?;
    }
    Ok(())
}
