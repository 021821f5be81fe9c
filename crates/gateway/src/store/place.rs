//! Where the database is, and how it is reached.

use std::{
    fmt,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use sqlx::{Any, AnyConnection, AnyPool, Connection as _, any::AnyPoolOptions, pool::PoolConnection};

use super::StoreError;

/// The name of the file in the state folder.
const FILE: &str = "gateway.db";

/// One server at a time: this number stands for it among PostgreSQL's locks.
const LOCK: i64 = 0x0064_6f63_7772_6967;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Sqlite,
    Postgres,
}

/// Where PostgreSQL is and what opens it.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatabaseUrl(…)")
    }
}

impl DatabaseUrl {
    /// An address such as `postgres://user:password@host/database`.
    pub fn new(url: &str) -> Result<Self, StoreError> {
        let url = url.trim();
        match url.starts_with("postgres://") || url.starts_with("postgresql://") {
            true => Ok(Self(url.to_owned())),
            false => Err(StoreError::BadUrl),
        }
    }
}

/// What keeps others out; nothing where a file is ours by the lock of its folder.
pub(super) type Held = Arc<Mutex<Option<PoolConnection<Any>>>>;

pub(super) async fn pool(
    url: Option<&DatabaseUrl>,
    folder: Option<&Path>,
) -> Result<(AnyPool, Kind), StoreError> {
    sqlx::any::install_default_drivers();
    if let Some(DatabaseUrl(url)) = url {
        let options = AnyPoolOptions::new().max_connections(16).acquire_timeout(Duration::from_secs(10));
        return Ok((options.connect(url).await?, Kind::Postgres));
    }
    let (url, most) = match folder {
        Some(folder) => {
            make_private(folder)?;
            (file_url(&folder.join(FILE)), 8)
        }
        // Another connection would be another store.
        None => ("sqlite::memory:".to_owned(), 1),
    };
    if folder.is_some() {
        // A pool tries again and again, and says in the end only that it waited.
        readable(&url).await?;
    }
    let options = AnyPoolOptions::new().max_connections(most).min_connections(1);
    let options = options.idle_timeout(None).max_lifetime(None).after_connect(|connection, _| {
        Box::pin(async move {
            // A kill loses nothing with WAL and NORMAL; only a power cut may take the last moments.
            let settings = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; \
                            PRAGMA foreign_keys = ON";
            sqlx::raw_sql(settings).execute(&mut *connection).await?;
            Ok(())
        })
    });
    let options = match folder {
        // Where a disk was full, SQLite takes a change back by itself, and the connection goes on believing that it is in
        // the middle of it: every change after that would be refused.
        Some(_) => options.before_acquire(|connection, _| {
            let whole = !connection.is_in_transaction();
            Box::pin(async move { Ok(whole) })
        }),
        None => options,
    };
    Ok((options.connect(&url).await?, Kind::Sqlite))
}

async fn readable(url: &str) -> Result<(), StoreError> {
    let mut first = AnyConnection::connect(url).await?;
    let _: i64 = sqlx::query_scalar("PRAGMA schema_version").fetch_one(&mut first).await?;
    Ok(first.close().await?)
}

/// One connection that only reads, to what is there by now; `None` where there is no database yet.
pub(super) async fn look_at(
    url: Option<&DatabaseUrl>,
    folder: &Path,
) -> Result<Option<(AnyPool, Kind)>, StoreError> {
    sqlx::any::install_default_drivers();
    let options = AnyPoolOptions::new().max_connections(1).acquire_timeout(Duration::from_secs(10));
    if let Some(DatabaseUrl(url)) = url {
        let mut first = AnyConnection::connect(url).await?;
        first.ping().await?;
        first.close().await?;
        return Ok(Some((options.connect(url).await?, Kind::Postgres)));
    }
    let file = folder.join(FILE);
    // An empty one is what a server leaves that was stopped right at its beginning.
    if std::fs::metadata(&file).map_or(0, |about| about.len()) == 0 {
        return Ok(None);
    }
    let url = file_url(&file).replace("mode=rwc", "mode=ro");
    readable(&url).await?;
    Ok(Some((options.connect(&url).await?, Kind::Sqlite)))
}

fn file_url(path: &Path) -> String {
    let mut url = String::from("sqlite://");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => url.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => url.push(char::from(*byte)),
            byte => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url.push_str("?mode=rwc");
    url
}

/// Two servers on one database would take each other's runs for interrupted.
pub(super) async fn hold(pool: &AnyPool, kind: Kind) -> Result<Held, StoreError> {
    if kind == Kind::Sqlite {
        return Ok(Held::default());
    }
    let mut connection = pool.acquire().await?;
    let query = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK);
    let held: bool = query.fetch_one(&mut *connection).await?;
    if held { Ok(Arc::new(Mutex::new(Some(connection)))) } else { Err(StoreError::Taken) }
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
