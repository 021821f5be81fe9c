//! The tables, as a line of steps. A step that was released is never changed; the next one changes what it made.

use sqlx::AnyPool;

use super::{Seal, StoreError, at_rest, place::Kind};

/// The database remembers how many of them it has been through.
pub(super) const STEPS: &[&str] = &[
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
    ) STRICT;",
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
    CREATE INDEX runs_of_session ON runs (session_id, kind, created_at);",
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
    ALTER TABLE sessions ADD COLUMN mcp BLOB;",
    // Ids open what they name, and labels tell who worked on what: none stands in the open from here on.
    "ALTER TABLE sessions ADD COLUMN about BLOB;",
];

/// The step with which names are sealed, by its number.
const NAMES_SEALED: i64 = 4;
/// The step that made the table of facts.
const FACTS: i64 = 3;

/// Makes the tables what this program knows; whether they were something else.
pub(super) async fn bring_up_to_date(pool: &AnyPool, kind: Kind, seal: &Seal) -> Result<bool, StoreError> {
    let known = STEPS.len() as i64;
    if kind == Kind::Postgres {
        let query = "CREATE TABLE IF NOT EXISTS versions (version BIGINT NOT NULL)";
        sqlx::raw_sql(query).execute(pool).await?;
    }
    let found = version(pool, kind).await?;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    if found >= FACTS {
        at_rest::check_key(pool, seal).await?;
    }
    for (step, number) in STEPS.iter().zip(1_i64..).skip(usize::try_from(found).unwrap_or(usize::MAX)) {
        let (step, remember) = match kind {
            Kind::Sqlite => ((*step).to_owned(), format!("PRAGMA user_version = {number}")),
            Kind::Postgres => {
                (as_postgres(step), format!("INSERT INTO versions (version) VALUES ({number})"))
            }
        };
        let mut change = pool.begin().await?;
        // Both are ours and hold nothing that anybody sent.
        let change_tables = sqlx::AssertSqlSafe(format!("{step};\n{remember}"));
        sqlx::raw_sql(change_tables).execute(&mut *change).await?;
        if number == NAMES_SEALED {
            at_rest::seal_names(&mut change, seal).await?;
        }
        change.commit().await?;
    }
    if kind == Kind::Sqlite && (1..NAMES_SEALED).contains(&found) {
        // What stood in the open is still in the file until it is written anew.
        sqlx::raw_sql("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)").execute(pool).await?;
    }
    if found < FACTS {
        at_rest::check_key(pool, seal).await?;
    }
    Ok(found < known)
}

/// Whether this program could open what is there with this key; nothing is changed by asking.
pub(super) async fn check(pool: &AnyPool, kind: Kind, seal: Option<&Seal>) -> Result<(), StoreError> {
    let found = match kind {
        Kind::Sqlite => version(pool, kind).await?,
        Kind::Postgres => {
            let query = "SELECT count(*) FROM information_schema.tables WHERE table_name = 'versions'";
            let tables: i64 = sqlx::query_scalar(query).fetch_one(pool).await?;
            if tables == 0 { 0 } else { version(pool, kind).await? }
        }
    };
    let known = STEPS.len() as i64;
    match seal {
        _ if found > known => Err(StoreError::Newer { found, known }),
        _ if found < FACTS => Ok(()),
        Some(seal) => at_rest::opens(pool, seal).await.map(drop),
        None => Err(StoreError::Sealed),
    }
}

async fn version(pool: &AnyPool, kind: Kind) -> Result<i64, StoreError> {
    let query = match kind {
        Kind::Sqlite => "PRAGMA user_version",
        Kind::Postgres => "SELECT coalesce(max(version), 0) FROM versions",
    };
    Ok(sqlx::query_scalar(query).fetch_one(pool).await?)
}

/// The same tables in the other dialect: SQLite's names of types are PostgreSQL's but for these.
fn as_postgres(step: &str) -> String {
    step.replace("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
        .replace("INTEGER", "BIGINT")
        .replace("REAL", "DOUBLE PRECISION")
        .replace("BLOB", "BYTEA")
        .replace(") STRICT", ")")
}
