//! Names for things, and where new ones come from.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use edit::Refusal;
use serde::{Deserialize, Serialize};

macro_rules! counted {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub(crate) u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "-{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = Refusal;

            fn from_str(text: &str) -> Result<Self, Refusal> {
                let number = text.strip_prefix(concat!($prefix, "-")).and_then(|number| number.parse().ok());
                let expected = concat!("an id such as ", $prefix, "-1");
                number.map(Self).ok_or_else(|| Refusal::invalid($prefix, format!("`{text}`"), expected))
            }
        }
    };
}

macro_rules! random {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub(crate) String);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = Refusal;

            fn from_str(text: &str) -> Result<Self, Refusal> {
                if text.starts_with($prefix) && text.len() <= 64 {
                    return Ok(Self(text.to_owned()));
                }
                let expected = concat!("an id that starts with ", $prefix);
                Err(Refusal::invalid($what, format!("`{}`", text.escape_debug()), expected))
            }
        }
    };
}

counted! {
    /// An open document. Not used twice in one state folder, so an old one is unknown and never another document.
    DocId, "doc"
}
counted! {
    /// A tab of a window.
    TabId, "tab"
}
random! {
    /// A staged suggestion. Survives restarts.
    SuggestionId, "sug_", "suggestion id"
}
random! {
    /// A document that an agent works on by an explicit id.
    SessionId, "ses_", "session id"
}
random! {
    /// A place in a document that is carried along.
    RangeId, "rng_", "range id"
}

/// New names. Unpredictable, because a session id also serves as the right to use the session.
#[derive(Debug)]
pub(crate) struct Ids {
    first: RandomState,
    second: RandomState,
    count: AtomicU64,
}

impl Ids {
    pub(crate) fn new() -> Self {
        Self { first: RandomState::new(), second: RandomState::new(), count: AtomicU64::new(1) }
    }

    pub(crate) fn next(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn seed(&self) -> u64 {
        self.first.hash_one(self.next())
    }

    /// 24 hexadecimal digits.
    pub(crate) fn secret(&self) -> String {
        let count = self.next();
        let (a, b) = (self.first.hash_one(count), self.second.hash_one(count));
        format!("{a:016x}{:08x}", b as u32)
    }

    pub(crate) fn suggestion(&self) -> SuggestionId {
        SuggestionId(format!("sug_{:012x}", self.seed() >> 16))
    }

    pub(crate) fn session(&self) -> SessionId {
        SessionId(format!("ses_{}", self.secret()))
    }

    pub(crate) fn range(&self) -> RangeId {
        RangeId(format!("rng_{:012x}", self.seed() >> 16))
    }
}
