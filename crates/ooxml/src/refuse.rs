//! The sentences in which a package is refused, in one tone.

use edit::Refusal;

pub(crate) fn corrupt(what: impl Into<String>, why: impl Into<String>) -> Refusal {
    Refusal::Corrupt { what: what.into(), why: why.into() }
}

/// The package as a whole is damaged.
pub(crate) fn damaged(why: impl Into<String>) -> Refusal {
    corrupt("the file", why)
}

pub(crate) fn unsupported(what: impl Into<String>, instead: &str) -> Refusal {
    Refusal::Unsupported { what: what.into(), instead: Some(instead.to_owned()) }
}

pub(crate) fn limit(what: impl Into<String>, found: impl ToString, limit: impl ToString) -> Refusal {
    Refusal::Limit { what: what.into().into(), found: found.to_string(), limit: limit.to_string() }
}

pub(crate) fn bytes(count: u64) -> String {
    match count {
        0..1_048_576 => format!("{count} bytes"),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}
