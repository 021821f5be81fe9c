//! Logging to standard error, never to standard output, which belongs to the protocol.
//!
//! Whatever looks like a secret is blacked out on its way, because logs end up in bug reports.

use std::io::{self, Write};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::{filter::Targets, fmt, layer::SubscriberExt as _, util::SubscriberInitExt as _};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verbosity {
    /// Only what went wrong.
    #[default]
    Quiet,
    /// What happens.
    Verbose,
    /// Everything, the protocol's messages included.
    Debug,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// For people.
    #[default]
    Text,
    /// A JSON object in each line, with the time and the request that it belongs to.
    Json,
}

/// Starts logging for the process. A second call changes nothing.
pub fn to_stderr(verbosity: Verbosity, form: Form) {
    let (ours, sdk) = match verbosity {
        Verbosity::Quiet => (LevelFilter::WARN, LevelFilter::OFF),
        Verbosity::Verbose => (LevelFilter::INFO, LevelFilter::ERROR),
        Verbosity::Debug => (LevelFilter::DEBUG, LevelFilter::DEBUG),
    };
    let filter = Targets::new().with_default(ours).with_target("rmcp", sdk);
    let lines = fmt::layer().with_ansi(false).with_writer(|| Redacted { line: Vec::new() });
    let start = tracing_subscriber::registry().with(filter);
    // Fails only if something else logs already, which is then the one to keep.
    let _ = match form {
        Form::Text => start.with(lines.without_time()).try_init(),
        Form::Json => start.with(lines.json().flatten_event(true).with_span_list(false)).try_init(),
    };
}

/// Collects a log line and writes it without its secrets.
struct Redacted {
    line: Vec<u8>,
}

impl Write for Redacted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Redacted {
    fn drop(&mut self) {
        let line = redact(&String::from_utf8_lossy(&self.line));
        // There is nowhere left to complain if this fails.
        let _ = io::stderr().write_all(line.as_bytes());
    }
}

/// Words after which a secret follows.
const MARKS: [&str; 8] =
    ["bearer ", "token", "api-key", "api_key", "apikey", "password", "secret", "authorization"];

/// Replaces what follows a telling word, and what looks like a provider's key, by `[redacted]`.
fn redact(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((start, value)) = next_secret(rest) {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        out.push_str("[redacted]");
        rest = &from[value.min(from.len())..];
    }
    out.push_str(rest);
    out
}

/// Where the next secret begins, and how long it is.
fn next_secret(text: &str) -> Option<(usize, usize)> {
    let lower = text.to_ascii_lowercase();
    let marked = MARKS.iter().flat_map(|mark| {
        lower.match_indices(mark).filter_map(move |(at, _)| {
            let after = at + mark.len();
            let mut value = text.get(after..)?;
            // `authorization: Bearer …` names the scheme first, and debug output the type.
            for wrapping in ["", "String(", "Some(", "Bearer ", "bearer "] {
                value = value.strip_prefix(wrapping).unwrap_or(value);
                value = value.trim_start_matches(['"', '\'', '\\', ' ', ':', '=']);
            }
            let start = text.len() - value.len();
            let gap = text.get(after..start)?;
            let separated = mark.ends_with(' ') || gap.contains([':', '=']);
            let length = length_of_secret(value);
            (separated && length >= 6 && !value.starts_with("[redacted]")).then_some((start, length))
        })
    });
    let keyed = ["sk-", "ghp_", "xoxb-", "tok_", "ses_"].iter().flat_map(|prefix| {
        text.match_indices(prefix).filter_map(|(at, _)| {
            let length = length_of_secret(text.get(at..)?);
            (length >= 16).then_some((at, length))
        })
    });
    marked.chain(keyed).min()
}

fn length_of_secret(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.~+/=".contains(c))).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn secrets_are_blacked_out() {
        for (line, wanted) in [
            ("Authorization: Bearer abc.def-123", "Authorization: Bearer [redacted]"),
            (r#"{"api_key":"k3y-value","a":1}"#, r#"{"api_key":"[redacted]","a":1}"#),
            ("password=hunter22 and token: s3cr3t-t0ken.", "password=[redacted] and token: [redacted]"),
            ("key sk-proj-0123456789abcdef used", "key [redacted] used"),
            ("GET /session/ses_0123456789abcdef/status", "GET /session/[redacted]"),
            ("progressToken missing; 3 tokens", "progressToken missing; 3 tokens"),
            (r#"{"token": String("abcdef123")}"#, r#"{"token": String("[redacted]")}"#),
            ("nothing to hide", "nothing to hide"),
        ] {
            assert_eq!(redact(line), wanted);
        }
    }
}
