//! Sessions: who they are for, and how long they have been quiet.

use sha2::{Digest as _, Sha256};
use sqlx::{Row as _, sqlite::SqliteRow};

use super::{Store, StoreError, secret};

/// Seconds without a request after which a session has expired.
const QUIET: i64 = 24 * 60 * 60;
/// Seconds for which the end of a session can be read about.
const REMEMBERED: i64 = 7 * QUIET;
/// Seconds after which a session that is over is forgotten, with all that happened in it.
const KEPT: i64 = 30 * QUIET;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) id: String,
    /// A label for the author of its edits, and no right.
    pub(crate) user_id: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) document_id: Option<String>,
    /// The revision of MCP that was agreed on.
    pub(crate) protocol: String,
    pub(crate) created_at: i64,
    pub(crate) last_activity: i64,
    pub(crate) ended_at: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Active,
    Inactive,
    Ended,
}

impl Session {
    pub(crate) fn standing(&self, now: i64) -> Standing {
        match self.ended_at {
            Some(_) => Standing::Ended,
            None if now - self.last_activity >= QUIET => Standing::Inactive,
            None => Standing::Active,
        }
    }

    pub(crate) fn is_active(&self, now: i64) -> bool {
        self.standing(now) == Standing::Active
    }

    /// Whether its state can be asked for.
    pub(crate) fn can_be_seen(&self, now: i64) -> bool {
        let over = self.ended_at.unwrap_or(self.last_activity + QUIET);
        now - over < REMEMBERED
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct NewSession {
    pub(crate) user_id: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) document_id: Option<String>,
    pub(crate) protocol: String,
}

impl Store {
    /// A new session and its token, which is kept nowhere.
    pub(crate) async fn create_session(
        &self,
        new: NewSession,
        now: i64,
    ) -> Result<(Session, String), StoreError> {
        let (id, token) = (secret("ses_")?, secret("tok_")?);
        let NewSession { user_id, title, document_id, protocol } = new;
        sqlx::query(
            "INSERT INTO sessions (id, token_hash, user_id, title, document_id, protocol, created_at, last_activity)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(&id)
        .bind(hash(&token))
        .bind(&user_id)
        .bind(&title)
        .bind(&document_id)
        .bind(&protocol)
        .bind(now)
        .bind(now)
        .execute(&self.pool)
        .await?;
        let (created_at, last_activity, ended_at) = (now, now, None);
        let session =
            Session { id, user_id, title, document_id, protocol, created_at, last_activity, ended_at };
        Ok((session, token))
    }

    pub(crate) async fn session(&self, id: &str) -> Result<Option<Session>, StoreError> {
        let row =
            sqlx::query("SELECT * FROM sessions WHERE id = ?").bind(id).fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(session).transpose()?)
    }

    pub(crate) async fn session_by_token(&self, token: &str) -> Result<Option<Session>, StoreError> {
        let query = sqlx::query("SELECT * FROM sessions WHERE token_hash = ?").bind(hash(token));
        let row = query.fetch_optional(&self.pool).await?;
        Ok(row.as_ref().map(session).transpose()?)
    }

    /// All that can still be seen, the latest used first.
    pub(crate) async fn sessions(&self, now: i64) -> Result<Vec<Session>, StoreError> {
        let query = sqlx::query("SELECT * FROM sessions ORDER BY last_activity DESC, created_at DESC, id");
        let rows = query.fetch_all(&self.pool).await?;
        let all: Result<Vec<Session>, sqlx::Error> = rows.iter().map(session).collect();
        Ok(all?.into_iter().filter(|session| session.can_be_seen(now)).collect())
    }

    /// The session was used.
    pub(crate) async fn touch(&self, session: Session, now: i64) -> Result<Session, StoreError> {
        if session.last_activity == now {
            return Ok(session);
        }
        let query = sqlx::query("UPDATE sessions SET last_activity = ? WHERE id = ? AND ended_at IS NULL");
        query.bind(now).bind(&session.id).execute(&self.pool).await?;
        Ok(Session { last_activity: now, ..session })
    }

    pub(crate) async fn rename_session(&self, id: &str, title: Option<&str>) -> Result<(), StoreError> {
        let query = sqlx::query("UPDATE sessions SET title = ? WHERE id = ?");
        query.bind(title).bind(id).execute(&self.pool).await?;
        Ok(())
    }

    /// Ends a session, once; `None` if it had ended before.
    pub(crate) async fn end_session(&self, id: &str, now: i64) -> Result<Option<i64>, StoreError> {
        let query = sqlx::query("UPDATE sessions SET ended_at = ? WHERE id = ? AND ended_at IS NULL");
        let done = query.bind(now).bind(id).execute(&self.pool).await?;
        Ok((done.rows_affected() > 0).then_some(now))
    }

    /// Forgets sessions that have long been over.
    pub(crate) async fn forget(&self, now: i64) -> Result<u64, StoreError> {
        let query = sqlx::query("DELETE FROM sessions WHERE coalesce(ended_at, last_activity + ?) < ?");
        Ok(query.bind(QUIET).bind(now - KEPT).execute(&self.pool).await?.rows_affected())
    }
}

/// Tokens are random and long, so that one round of a plain hash is as good as many.
fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

fn session(row: &SqliteRow) -> Result<Session, sqlx::Error> {
    Ok(Session {
        id: row.try_get("id")?,
        user_id: row.try_get("user_id")?,
        title: row.try_get("title")?,
        document_id: row.try_get("document_id")?,
        protocol: row.try_get("protocol")?,
        created_at: row.try_get("created_at")?,
        last_activity: row.try_get("last_activity")?,
        ended_at: row.try_get("ended_at")?,
    })
}
