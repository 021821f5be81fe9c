//! What earlier versions kept in the open, sealed where it lies.

use sqlx::{Any, AnyPool, Row as _, Transaction};

use super::{Seal, StoreError, secret, sessions::About};

/// Whether what is in there was sealed with this key, so that a wrong one is told of at once.
pub(super) async fn check_key(pool: &AnyPool, seal: &Seal) -> Result<(), StoreError> {
    if !opens(pool, seal).await? {
        let query = sqlx::query("INSERT INTO facts (name, value) VALUES ($1, $2)").bind(FACT);
        query.bind(seal.seal(FACT, FACT)?).execute(pool).await?;
    }
    Ok(())
}

/// A text that is sealed with the key of the database, for trying keys.
const FACT: &str = "sealed";

/// Whether there is something to try the key on; another key is refused.
pub(super) async fn opens(pool: &AnyPool, seal: &Seal) -> Result<bool, StoreError> {
    let query = sqlx::query_scalar("SELECT value FROM facts WHERE name = $1").bind(FACT);
    let known: Option<Vec<u8>> = query.fetch_optional(pool).await?;
    match known {
        Some(sealed) => seal.unseal(FACT, &sealed).map(|_| true),
        None => Ok(false),
    }
}

/// Gives sessions and runs the names under which they are kept, and seals what is known of sessions.
pub(super) async fn seal_names(
    change: &mut Transaction<'static, Any>,
    seal: &Seal,
) -> Result<(), StoreError> {
    let sessions = sqlx::query("SELECT id, token_hash, user_id, title, document_id FROM sessions");
    for session in sessions.fetch_all(&mut **change).await? {
        let id: String = session.try_get("id")?;
        let token: Vec<u8> = session.try_get("token_hash")?;
        let about = About {
            user_id: session.try_get("user_id")?,
            title: session.try_get("title")?,
            document_id: session.try_get("document_id")?,
        };
        let kept = seal.name(&id)?;
        // Both rows are there for a moment, and a token is one row's only.
        let query = sqlx::query("UPDATE sessions SET token_hash = $1 WHERE id = $2");
        query.bind(secret("")?.into_bytes()).bind(&id).execute(&mut **change).await?;
        let query = sqlx::query(
            "INSERT INTO sessions (id, token_hash, protocol, created_at, last_activity, ended_at, policy, mcp, about)
             SELECT $1, $2, protocol, created_at, last_activity, ended_at, policy, mcp, $3 FROM sessions WHERE id = $4",
        );
        let query = query.bind(&kept).bind(token).bind(about.sealed(seal, &id)?).bind(&id);
        query.execute(&mut **change).await?;
        seal_runs(change, seal, &id, &kept).await?;
        sqlx::query("DELETE FROM sessions WHERE id = $1").bind(&id).execute(&mut **change).await?;
    }
    Ok(())
}

async fn seal_runs(
    change: &mut Transaction<'static, Any>,
    seal: &Seal,
    session: &str,
    kept: &str,
) -> Result<(), StoreError> {
    let runs = sqlx::query("SELECT id, idempotency_key, resumed_by FROM runs WHERE session_id = $1");
    for run in runs.bind(session).fetch_all(&mut **change).await? {
        let id: String = run.try_get("id")?;
        let name = |name: Option<String>| name.map(|name| seal.name(&name)).transpose();
        let key = name(run.try_get("idempotency_key")?)?;
        let resumed_by = name(run.try_get("resumed_by")?)?;
        let query = sqlx::query(
            "INSERT INTO runs (id, session_id, kind, state, request, error, idempotency_key, digest, resumed_by,
                created_at, ended_at, seconds, number)
             SELECT $1, $2, kind, state, request, error, $3, digest, $4, created_at, ended_at, seconds, number
             FROM runs WHERE id = $5",
        );
        let new = seal.name(&id)?;
        let query = query.bind(&new).bind(kept).bind(key).bind(resumed_by).bind(&id);
        query.execute(&mut **change).await?;
        let query = sqlx::query("UPDATE events SET run_id = $1, session_id = $2 WHERE run_id = $3");
        query.bind(&new).bind(kept).bind(&id).execute(&mut **change).await?;
    }
    sqlx::query("DELETE FROM runs WHERE session_id = $1").bind(session).execute(&mut **change).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Store, events, migrations, place, secret};

    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "a test looks at the bytes of the database")]
    async fn what_an_earlier_version_kept_in_the_open_is_sealed_and_still_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let (pool, _) = place::pool(None, Some(folder.path())).await.expect("a database");
        for step in migrations::STEPS.iter().take(3) {
            sqlx::raw_sql(*step).execute(&pool).await.expect("old tables");
        }
        sqlx::raw_sql("PRAGMA user_version = 3").execute(&pool).await.expect("a version");
        let seal = Seal::open(None, Some(folder.path())).expect("a key");
        check_key(&pool, &seal).await.expect("its key");
        let (id, run, next) = ("ses_canary", "rsp_canary", "rsp_canary_next");
        sqlx::query(
            "INSERT INTO sessions (id, token_hash, user_id, title, protocol, created_at, last_activity)
             VALUES ($1, $2, 'Canary Ada', 'Canary', '2024-11-05', 1, 1)",
        )
        .bind(id)
        .bind(secret("").expect("random").into_bytes())
        .execute(&pool)
        .await
        .expect("a session");
        for (number, name, by) in [(1_i64, run, Some(next)), (2, next, None)] {
            sqlx::query(
                "INSERT INTO runs (id, session_id, kind, state, request, idempotency_key, digest, resumed_by, created_at, number)
                 VALUES ($1, $2, 'chat', 'completed', $3, $4, $5, $6, 1, $7)",
            )
            .bind(name)
            .bind(id)
            .bind(seal.seal(name, "{}").expect("sealed"))
            .bind(by.map(|_| "canary-key"))
            .bind(vec![0_u8])
            .bind(by)
            .bind(number)
            .execute(&pool)
            .await
            .expect("a run");
        }
        let payload = seal.seal(&events::place(run, 1), "{}").expect("sealed");
        let query = sqlx::query(events::INSERT).bind(id).bind(run).bind(1_i64).bind("status");
        query.bind(payload).bind(1_i64).execute(&pool).await.expect("an event");
        pool.close().await;

        let store = Store::open(None, Some(folder.path()), None).await.expect("the store");
        let session = store.session(id).await.expect("read").expect("the session");
        assert_eq!(
            (session.user_id.as_deref(), session.title.as_deref()),
            (Some("Canary Ada"), Some("Canary"))
        );
        let found = store.run(run).await.expect("read").expect("the run");
        assert_eq!((found.session.as_str(), found.resumed_by.as_deref()), (id, Some(next)));
        assert_eq!(store.chats(id, i64::MAX, 9).await.expect("read").len(), 2);
        assert_eq!(store.events(run, 0, 9).await.expect("read").len(), 1);
        assert_eq!(store.events_of_session(id, 0, 9).await.expect("read").len(), 1);
        store.close().await;
        let kept = std::fs::read(folder.path().join("gateway.db")).expect("the file");
        assert!(!String::from_utf8_lossy(&kept).to_lowercase().contains("canary"));
    }
}
