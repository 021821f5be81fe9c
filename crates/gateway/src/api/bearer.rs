//! Who asks: the holder of the access key, or a session by its token.
//!
//! On a server without an access key, which only this machine reaches, a session's id opens it as well: that is all that
//! a client knows that was written from the contract alone.

use http::HeaderMap;

use super::{
    error::{ApiError, Code},
    route::Who,
    state::State,
};
use crate::{
    access::bearer,
    store::{Session, Standing},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Bearer {
    Nobody,
    /// Whoever runs this server.
    Key,
    Session(Box<Session>),
}

impl Bearer {
    pub(crate) fn session(&self) -> Result<&Session, ApiError> {
        match self {
            Bearer::Session(session) => Ok(session),
            Bearer::Nobody | Bearer::Key => {
                Err(ApiError::internal("a route for sessions was asked without one"))
            }
        }
    }
}

/// Finds out who asks, and whether they may.
pub(crate) async fn check(state: &State, who: Who, headers: &HeaderMap) -> Result<Bearer, ApiError> {
    let given = bearer(headers);
    let is_key = state.key.as_ref().is_some_and(|key| given.is_some_and(|given| key.is(given)));
    match who {
        Who::Anyone => Ok(Bearer::Nobody),
        Who::Beginner if state.key.is_none() => Ok(Bearer::Nobody),
        Who::Beginner if is_key => Ok(Bearer::Key),
        Who::Beginner => {
            Err(ApiError::new(Code::Unauthorized, "beginning a session needs the server's access key")
                .details("send it as `Authorization: Bearer KEY`"))
        }
        Who::Onlooker if is_key => Ok(Bearer::Key),
        Who::Session if is_key => {
            Err(ApiError::new(Code::Unauthorized, "this needs a session, not the access key")
                .details("send the session_token that session/create answered"))
        }
        Who::Listener if given.is_none() || is_key => Ok(Bearer::Nobody),
        Who::Session | Who::Onlooker | Who::Listener => {
            let given = given.ok_or_else(|| {
                ApiError::new(Code::Unauthorized, "a session token is needed")
                    .details("begin with POST /api/v1/session/create and send its session_token as `Authorization: Bearer TOKEN`")
            })?;
            let session = session_of(state, given).await?;
            match (who, session.standing(state.now())) {
                (Who::Session | Who::Listener, Standing::Ended) => Err(expired("the session has ended")),
                (Who::Session | Who::Listener, Standing::Inactive) => Err(expired("the session has expired")),
                (Who::Session | Who::Listener, Standing::Active) => {
                    let session = state.store.touch(session, state.now()).await?;
                    Ok(Bearer::Session(Box::new(session)))
                }
                _ => Ok(Bearer::Session(Box::new(session))),
            }
        }
    }
}

async fn session_of(state: &State, given: &str) -> Result<Session, ApiError> {
    let mut found = state.store.session_by_token(given).await?;
    if found.is_none() && state.key.is_none() {
        found = state.store.session(given).await?;
    }
    found.filter(|session| session.can_be_seen(state.now())).ok_or_else(|| {
        ApiError::new(Code::Unauthorized, "no session has this token").details(
            "it was mistyped, or its session is long gone; begin another with POST /api/v1/session/create",
        )
    })
}

fn expired(why: &str) -> ApiError {
    ApiError::new(Code::SessionExpired, why).details("begin another with POST /api/v1/session/create")
}
