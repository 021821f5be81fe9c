//! Sessions: who they are for, and how long they have been quiet.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sqlx::Row as _;

use super::{Row, Seal, Store, StoreError, secret};
use crate::agent::Policy;

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
    /// The most that its agent may do alone, if it asked for less than the server allows.
    pub(crate) policy: Option<Policy>,
    /// The other MCP server whose tools it uses.
    pub(crate) mcp: Option<McpServer>,
}

/// Another MCP server, as a session asked for it. What opens it is sealed where it is kept, and never shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct McpServer {
    pub(crate) url: String,
    pub(crate) token: Option<String>,
    /// Seconds.
    pub(crate) connection_timeout: Option<u64>,
    pub(crate) max_retries: Option<u32>,
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer").field("url", &self.url).finish_non_exhaustive()
    }
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

    /// What its agent may do alone on a server that allows this.
    pub(crate) fn policy(&self, server: Policy) -> Policy {
        self.policy.map_or(server, |asked| asked.max(server))
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
    pub(crate) policy: Option<Policy>,
    pub(crate) mcp: Option<McpServer>,
}

/// What is kept sealed of a session: who works on what.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct About {
    pub(super) user_id: Option<String>,
    pub(super) title: Option<String>,
    pub(super) document_id: Option<String>,
}

impl About {
    fn of(session: &Session) -> Self {
        let Session { user_id, title, document_id, .. } = session.clone();
        Self { user_id, title, document_id }
    }

    pub(super) fn sealed(&self, seal: &Seal, id: &str) -> Result<Vec<u8>, StoreError> {
        let text = serde_json::to_string(self).map_err(|error| StoreError::Unreadable(error.to_string()))?;
        seal.seal(&about_place(id), &text)
    }

    fn unsealed(seal: &Seal, id: &str, sealed: &[u8]) -> Result<Self, StoreError> {
        let text = seal.unseal(&about_place(id), sealed)?;
        serde_json::from_str(&text).map_err(|error| StoreError::Unreadable(error.to_string()))
    }
}

fn about_place(id: &str) -> String {
    format!("about {id}")
}

impl Store {
    /// A new session and its token, which is kept nowhere.
    pub(crate) async fn create_session(
        &self,
        new: NewSession,
        now: i64,
    ) -> Result<(Session, String), StoreError> {
        let (id, token) = (secret("ses_")?, secret("tok_")?);
        let NewSession { user_id, title, document_id, protocol, policy, mcp } = new;
        let about = About { user_id, title, document_id };
        let sealed = mcp.as_ref().map(|mcp| {
            let text =
                serde_json::to_string(mcp).map_err(|error| StoreError::Unreadable(error.to_string()))?;
            self.seal.seal(&place(&id), &text)
        });
        sqlx::query(
            "INSERT INTO sessions (id, token_hash, about, protocol, created_at, last_activity, policy, mcp)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(self.seal.name(&id)?)
        .bind(hash(&token))
        .bind(about.sealed(&self.seal, &id)?)
        .bind(&protocol)
        .bind(now)
        .bind(now)
        .bind(policy.map(Policy::name))
        .bind(sealed.transpose()?)
        .execute(&self.pool)
        .await?;
        let (created_at, last_activity, ended_at) = (now, now, None);
        let About { user_id, title, document_id } = about;
        let session = Session {
            id,
            user_id,
            title,
            document_id,
            protocol,
            created_at,
            last_activity,
            ended_at,
            policy,
            mcp,
        };
        Ok((session, token))
    }

    pub(crate) async fn session(&self, id: &str) -> Result<Option<Session>, StoreError> {
        let query = sqlx::query("SELECT * FROM sessions WHERE id = $1").bind(self.seal.name(id)?);
        let row = query.fetch_optional(&self.pool).await?;
        row.as_ref().map(|row| self.a_session(row)).transpose()
    }

    pub(crate) async fn session_by_token(&self, token: &str) -> Result<Option<Session>, StoreError> {
        let query = sqlx::query("SELECT * FROM sessions WHERE token_hash = $1").bind(hash(token));
        let row = query.fetch_optional(&self.pool).await?;
        row.as_ref().map(|row| self.a_session(row)).transpose()
    }

    /// All that can still be seen, the latest used first.
    pub(crate) async fn sessions(&self, now: i64) -> Result<Vec<Session>, StoreError> {
        let query = sqlx::query("SELECT * FROM sessions ORDER BY last_activity DESC, created_at DESC, id");
        let rows = query.fetch_all(&self.pool).await?;
        let all: Result<Vec<Session>, StoreError> = rows.iter().map(|row| self.a_session(row)).collect();
        Ok(all?.into_iter().filter(|session| session.can_be_seen(now)).collect())
    }

    /// The session was used.
    pub(crate) async fn touch(&self, session: Session, now: i64) -> Result<Session, StoreError> {
        if session.last_activity == now {
            return Ok(session);
        }
        let query = sqlx::query("UPDATE sessions SET last_activity = $1 WHERE id = $2 AND ended_at IS NULL");
        query.bind(now).bind(self.seal.name(&session.id)?).execute(&self.pool).await?;
        Ok(Session { last_activity: now, ..session })
    }

    pub(crate) async fn rename_session(
        &self,
        session: Session,
        title: Option<String>,
    ) -> Result<Session, StoreError> {
        let renamed = Session { title, ..session };
        let about = About::of(&renamed).sealed(&self.seal, &renamed.id)?;
        let query = sqlx::query("UPDATE sessions SET about = $1 WHERE id = $2");
        query.bind(about).bind(self.seal.name(&renamed.id)?).execute(&self.pool).await?;
        Ok(renamed)
    }

    /// Ends a session, once; `None` if it had ended before.
    pub(crate) async fn end_session(&self, id: &str, now: i64) -> Result<Option<i64>, StoreError> {
        let query = sqlx::query("UPDATE sessions SET ended_at = $1 WHERE id = $2 AND ended_at IS NULL");
        let done = query.bind(now).bind(self.seal.name(id)?).execute(&self.pool).await?;
        Ok((done.rows_affected() > 0).then_some(now))
    }

    fn a_session(&self, row: &Row) -> Result<Session, StoreError> {
        let kept: String = row.try_get("id")?;
        let id = self.seal.named(&kept)?;
        let about: Option<Vec<u8>> = row.try_get("about")?;
        let About { user_id, title, document_id } = match about {
            Some(sealed) => About::unsealed(&self.seal, &id, &sealed)?,
            None => About::default(),
        };
        let unreadable = |why: String| StoreError::Unreadable(why);
        let policy: Option<String> = row.try_get("policy")?;
        let sealed: Option<Vec<u8>> = row.try_get("mcp")?;
        let mcp = sealed.map(|sealed| {
            let text = self.seal.unseal(&place(&id), &sealed)?;
            serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))
        });
        Ok(Session {
            user_id,
            title,
            document_id,
            protocol: row.try_get("protocol")?,
            created_at: row.try_get("created_at")?,
            last_activity: row.try_get("last_activity")?,
            ended_at: row.try_get("ended_at")?,
            policy: policy.map(|name| name.parse().map_err(unreadable)).transpose()?,
            mcp: mcp.transpose()?,
            id,
        })
    }

    /// Forgets sessions that have long been over.
    pub(crate) async fn forget(&self, now: i64) -> Result<u64, StoreError> {
        let query = sqlx::query("DELETE FROM sessions WHERE coalesce(ended_at, last_activity + $1) < $2");
        Ok(query.bind(QUIET).bind(now - KEPT).execute(&self.pool).await?.rows_affected())
    }
}

/// Tokens are random and long, so that one round of a plain hash is as good as many.
fn hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

/// Where what is sealed of a session belongs.
fn place(id: &str) -> String {
    format!("session {id}")
}
