//! The same tests on PostgreSQL: a server of our own is started, and this program runs its tests again on it.
#![expect(clippy::disallowed_methods, reason = "a test starts another program and reads its own environment")]

use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash as _, Hasher as _},
    net::TcpListener,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use gateway::DatabaseUrl;

/// Where the server of the outer run is.
const VARIABLE: &str = "DOCWRIGHT_TEST_POSTGRES";

pub(crate) fn is_used() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// A database of a server with this state folder: the same for the same folder, a new one without.
pub(crate) async fn database(state: Option<&Path>) -> Option<DatabaseUrl> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var(VARIABLE).ok()?;
    let name = match state {
        Some(folder) => {
            let mut hasher = DefaultHasher::new();
            folder.hash(&mut hasher);
            format!("kept_{:x}", hasher.finish())
        }
        None => format!("new_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)),
    };
    sqlx::any::install_default_drivers();
    let pool = sqlx::AnyPool::connect(&format!("{server}/postgres")).await.expect("PostgreSQL");
    let known = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM pg_database WHERE datname = $1");
    if known.bind(&name).fetch_one(&pool).await.expect("a count") == 0 {
        let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::raw_sql(create).execute(&pool).await.expect("a database");
    }
    pool.close().await;
    Some(DatabaseUrl::new(&format!("{server}/{name}")).expect("an address"))
}

/// Starts a server that ends with its standard input, and so with this process, whatever happens to it.
const SCRIPT: &str = r#"
set -e
if [ "$(id -u)" = 0 ]; then chown postgres "$1"; as="runuser -u postgres --"; else as=""; fi
$as initdb -D "$1/data" -A trust -U tester --no-sync >/dev/null
$as postgres -D "$1/data" -p "$2" -h 127.0.0.1 -k "$1" -c fsync=off -c max_connections=300 >"$1/log" 2>&1 &
pid=$!
cat >/dev/null
kill $pid
wait
"#;

#[test]
fn what_holds_on_a_file_holds_on_postgresql() {
    if is_used() {
        return;
    }
    let found = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !found("initdb") || !found("postgres") {
        eprintln!(
            "SKIPPED: the tests of the API on PostgreSQL; neither `initdb` nor `postgres` is on the path"
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let mut server = Command::new("sh");
    let server = server.args(["-c", SCRIPT, "sh"]).arg(folder.path()).arg(port.to_string());
    let mut server = server.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(server.try_wait().unwrap().is_none(), "PostgreSQL did not start");
        assert!(begun.elapsed() < Duration::from_secs(120), "PostgreSQL did not start in time");
        std::thread::sleep(Duration::from_millis(100));
    }
    let mut tests = Command::new(std::env::current_exe().unwrap());
    let tests = tests.args(["api::", "chat::", "outer::", "--test-threads=4"]);
    let output = tests.env(VARIABLE, format!("postgres://tester@127.0.0.1:{port}")).output().unwrap();
    drop(server.stdin.take());
    server.wait().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("test chat::"), "no test was run: {said}");
}
