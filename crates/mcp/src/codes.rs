//! The one place where a refusal gets its wire code.
//!
//! The specifications name the same things differently, and a client knows the names of its own; so there are dialects,
//! side by side in one file, where a new kind of refusal shows what it is called in each.

use workspace::{Fault, Refusal};

use crate::error::ToolError;

/// Whose names are spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    General,
    /// The Markdown tools.
    Prose,
    /// The Word tools.
    Word,
    /// `word.op`.
    Operation,
}

pub(crate) fn code(dialect: Dialect, refusal: &Refusal) -> &'static str {
    let refusal = refusal.innermost();
    match dialect {
        Dialect::General => general(refusal),
        Dialect::Prose => prose(refusal),
        Dialect::Word => word(refusal),
        Dialect::Operation => operation(refusal),
    }
}

fn general(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NotFound { what: "sheet", .. } => "SHEET_NOT_FOUND",
        Refusal::NotFound { what: "name", .. } => "NAME_NOT_FOUND",
        Refusal::NotFound { .. } => "NOT_FOUND",
        Refusal::Gone { .. } => "GONE",
        Refusal::Ambiguous { .. } => "AMBIGUOUS",
        Refusal::Unsafe { .. } => "UNSAFE",
        Refusal::Rule { code, .. } => code,
        Refusal::Stale { .. } => "CONFLICT",
        Refusal::Invalid { .. } => ToolError::INVALID_ARGUMENT,
        Refusal::Unsupported { .. } => "UNSUPPORTED",
        Refusal::Limit { .. } => "LIMIT_EXCEEDED",
        Refusal::Corrupt { .. } => "CORRUPT_FILE",
        Refusal::Encrypted => "ENCRYPTED",
        Refusal::Denied { .. } => "PERMISSION_DENIED",
        Refusal::Locked { .. } => "LOCKED",
        Refusal::ChangedOnDisk { .. } => "CHANGED_ON_DISK",
        Refusal::Damaged { .. } => "LINT_FAILED",
        Refusal::Unsaved { .. } => "UNSAVED_CHANGES",
        Refusal::Disk { fault, .. } => match fault {
            Fault::Missing => "FILE_NOT_FOUND",
            Fault::Permission => "PERMISSION_DENIED",
            Fault::NoSpace => "NO_SPACE",
            Fault::NotAFile => "NOT_A_FILE",
            Fault::Other => "DISK_ERROR",
        },
        Refusal::Cancelled => ToolError::CANCELLED,
        Refusal::InBatch { cause, .. } => general(cause),
        Refusal::Internal { .. } => ToolError::INTERNAL,
    }
}

fn prose(refusal: &Refusal) -> &'static str {
    match general(refusal) {
        "CONFLICT" => "conflict",
        "NOT_FOUND" => "not_found",
        "AMBIGUOUS" => "ambiguous_target",
        other => other,
    }
}

fn word(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NotFound { what: "text", .. } => "TEXT_NOT_FOUND",
        Refusal::NotFound { what: "paragraph", .. } => "PARAGRAPH_NOT_FOUND",
        Refusal::Ambiguous { .. } => "MULTIPLE_MATCHES",
        Refusal::Invalid { field, .. } if field == "tags" => "UNBALANCED_TAGS",
        other => general(other),
    }
}

fn operation(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NotFound { .. } | Refusal::Gone { .. } => "E_NOT_FOUND",
        Refusal::Invalid { .. } | Refusal::Ambiguous { .. } | Refusal::Limit { .. } => "E_INVALID_ARG",
        Refusal::Unsupported { .. } | Refusal::Unsafe { .. } | Refusal::Rule { .. } => "E_UNSUPPORTED",
        Refusal::Denied { .. } | Refusal::Locked { .. } | Refusal::Encrypted => "E_PERMISSION",
        Refusal::Disk { fault: Fault::Permission, .. } => "E_PERMISSION",
        Refusal::Disk { fault: Fault::Missing, .. } => "E_NOT_FOUND",
        Refusal::Cancelled => "E_TIMEOUT",
        Refusal::InBatch { cause, .. } => operation(cause),
        Refusal::Stale { .. }
        | Refusal::Corrupt { .. }
        | Refusal::ChangedOnDisk { .. }
        | Refusal::Damaged { .. }
        | Refusal::Unsaved { .. }
        | Refusal::Disk { .. }
        | Refusal::Internal { .. } => "E_RUNTIME",
    }
}

/// What an operation calls an error that a tool found before there was an operation to carry out.
pub(crate) fn of_operation(error: &ToolError) -> &'static str {
    match &*error.code {
        "NOT_FOUND" | "GONE" | "FILE_NOT_FOUND" => "E_NOT_FOUND",
        "PERMISSION_DENIED" | "LOCKED" | "ENCRYPTED" => "E_PERMISSION",
        "WRONG_FORMAT" | "UNSUPPORTED" => "E_UNSUPPORTED",
        ToolError::INVALID_ARGUMENT => "E_INVALID_ARG",
        ToolError::CANCELLED => "E_TIMEOUT",
        _ => "E_RUNTIME",
    }
}
