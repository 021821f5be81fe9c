//! What is measured, as Prometheus reads it.
//!
//! Routes are told by their templates, never by ids, so that the list stays as long as the list of routes.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Upper bounds in seconds, as the contract's own times ask for.
const BOUNDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0];

#[derive(Debug, Default)]
pub(crate) struct Metrics {
    measured: Mutex<Measured>,
}

#[derive(Debug, Default)]
struct Measured {
    /// By method, route and status.
    requests: BTreeMap<(String, String, u16), u64>,
    /// By method and route.
    times: BTreeMap<(String, String), Times>,
    /// By route and name of the error.
    errors: BTreeMap<(String, String), u64>,
    /// By number, of errors that MCP has numbers for.
    codes: BTreeMap<i64, u64>,
    tools: BTreeMap<&'static str, u64>,
    tool_times: Times,
    discovery: Times,
    sessions_begun: u64,
    sessions: Times,
    /// Protocol revisions that were agreed on, and how often none was.
    protocols: BTreeMap<String, u64>,
    negotiations: BTreeMap<&'static str, u64>,
    /// What the MCP side last answered when it was asked whether it is there.
    connected: Option<bool>,
}

#[derive(Debug, Clone, Default)]
struct Times {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    sum: f64,
}

impl Times {
    fn add(&mut self, time: Duration) {
        let seconds = time.as_secs_f64();
        for (bucket, bound) in self.buckets.iter_mut().zip(BOUNDS) {
            *bucket += u64::from(seconds <= bound);
        }
        self.count += 1;
        self.sum += seconds;
    }

    fn write(&self, out: &mut String, name: &str, labels: &str) {
        let joined = if labels.is_empty() { String::new() } else { format!("{labels},") };
        for (bucket, bound) in self.buckets.iter().zip(BOUNDS) {
            let _ = writeln!(out, "{name}_bucket{{{joined}le=\"{bound}\"}} {bucket}");
        }
        let _ = writeln!(out, "{name}_bucket{{{joined}le=\"+Inf\"}} {}", self.count);
        let braced = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        let _ = writeln!(out, "{name}_sum{braced} {}\n{name}_count{braced} {}", self.sum, self.count);
    }
}

/// What went wrong with a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Failed {
    pub(crate) name: &'static str,
    pub(crate) number: i64,
}

impl Metrics {
    pub(crate) fn request(&self, method: &str, route: &str, status: u16, time: Duration) {
        let mut measured = self.measured();
        let (method, route) = (method.to_owned(), route.to_owned());
        *measured.requests.entry((method.clone(), route.clone(), status)).or_default() += 1;
        measured.times.entry((method, route)).or_default().add(time);
    }

    pub(crate) fn error(&self, route: &str, failed: Failed) {
        let mut measured = self.measured();
        *measured.errors.entry((route.to_owned(), failed.name.to_owned())).or_default() += 1;
        *measured.codes.entry(failed.number).or_default() += 1;
    }

    pub(crate) fn tool(&self, succeeded: bool, time: Duration) {
        let mut measured = self.measured();
        *measured.tools.entry(outcome(succeeded)).or_default() += 1;
        measured.tool_times.add(time);
    }

    pub(crate) fn discovery(&self, time: Duration) {
        self.measured().discovery.add(time);
    }

    /// A session began and speaks this revision of the protocol.
    pub(crate) fn begun(&self, protocol: &str) {
        let mut measured = self.measured();
        measured.sessions_begun += 1;
        *measured.protocols.entry(protocol.to_owned()).or_default() += 1;
        *measured.negotiations.entry(outcome(true)).or_default() += 1;
    }

    pub(crate) fn not_agreed(&self) {
        *self.measured().negotiations.entry(outcome(false)).or_default() += 1;
    }

    pub(crate) fn ended(&self, lived: Duration) {
        self.measured().sessions.add(lived);
    }

    pub(crate) fn connected(&self, connected: bool) {
        self.measured().connected = Some(connected);
    }

    /// All of it, with what is counted elsewhere.
    pub(crate) fn text(&self, sessions_in_use: usize) -> String {
        let measured = self.measured();
        let mut out = String::new();
        head(&mut out, "docwright_http_requests_total", "counter", "Requests answered.");
        for ((method, route, status), count) in &measured.requests {
            let _ = writeln!(
                out,
                "docwright_http_requests_total{{method=\"{method}\",route=\"{route}\",status=\"{status}\"}} {count}"
            );
        }
        head(&mut out, "docwright_http_request_seconds", "histogram", "Time until the head of an answer.");
        for ((method, route), times) in &measured.times {
            times.write(
                &mut out,
                "docwright_http_request_seconds",
                &format!("method=\"{method}\",route=\"{route}\""),
            );
        }
        head(&mut out, "docwright_errors_total", "counter", "Requests refused, by the name of the error.");
        for ((route, name), count) in &measured.errors {
            let _ = writeln!(out, "docwright_errors_total{{route=\"{route}\",error=\"{name}\"}} {count}");
        }
        counted(&mut out, "docwright_mcp_error_codes_total", "Errors by number.", "code", &measured.codes);
        counted(&mut out, "docwright_tool_executions_total", "Tools called.", "outcome", &measured.tools);
        timed(&mut out, "docwright_tool_execution_seconds", "Time tools worked.", &measured.tool_times);
        timed(&mut out, "docwright_tool_discovery_seconds", "Time to list tools.", &measured.discovery);
        single(
            &mut out,
            "docwright_sessions_created_total",
            "counter",
            "Sessions begun.",
            measured.sessions_begun as f64,
        );
        single(
            &mut out,
            "docwright_sessions_in_use",
            "gauge",
            "Sessions that sit at the desk.",
            sessions_in_use as f64,
        );
        timed(&mut out, "docwright_session_seconds", "How long ended sessions lived.", &measured.sessions);
        counted(
            &mut out,
            "docwright_mcp_protocol_sessions_total",
            "Sessions by protocol revision.",
            "protocol",
            &measured.protocols,
        );
        counted(
            &mut out,
            "docwright_mcp_negotiations_total",
            "Agreements on protocol and capabilities.",
            "outcome",
            &measured.negotiations,
        );
        if let Some(connected) = measured.connected {
            single(
                &mut out,
                "docwright_mcp_connected",
                "gauge",
                "Whether the tools answered when last asked.",
                f64::from(u8::from(connected)),
            );
        }
        out
    }

    fn measured(&self) -> MutexGuard<'_, Measured> {
        self.measured.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn outcome(succeeded: bool) -> &'static str {
    if succeeded { "success" } else { "error" }
}

fn head(out: &mut String, name: &str, kind: &str, about: &str) {
    let _ = writeln!(out, "# HELP {name} {about}\n# TYPE {name} {kind}");
}

fn single(out: &mut String, name: &str, kind: &str, about: &str, value: f64) {
    head(out, name, kind, about);
    let _ = writeln!(out, "{name} {value}");
}

fn timed(out: &mut String, name: &str, about: &str, times: &Times) {
    head(out, name, "histogram", about);
    times.write(out, name, "");
}

fn counted<K: std::fmt::Display>(
    out: &mut String,
    name: &str,
    about: &str,
    label: &str,
    counts: &BTreeMap<K, u64>,
) {
    head(out, name, "counter", about);
    for (key, count) in counts {
        let _ = writeln!(out, "{name}{{{label}=\"{key}\"}} {count}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_is_written_as_prometheus_reads_it() {
        let metrics = Metrics::default();
        metrics.request("GET", "/api/v1/health", 200, Duration::from_millis(3));
        metrics.request("GET", "/api/v1/health", 200, Duration::from_secs(9));
        metrics.error("/api/v1/mcp/tools", Failed { name: "UNAUTHORIZED", number: -32057 });
        metrics.begun("2024-11-05");
        let text = metrics.text(1);
        for line in [
            "docwright_http_requests_total{method=\"GET\",route=\"/api/v1/health\",status=\"200\"} 2",
            "docwright_http_request_seconds_bucket{method=\"GET\",route=\"/api/v1/health\",le=\"0.005\"} 1",
            "docwright_http_request_seconds_bucket{method=\"GET\",route=\"/api/v1/health\",le=\"+Inf\"} 2",
            "docwright_errors_total{route=\"/api/v1/mcp/tools\",error=\"UNAUTHORIZED\"} 1",
            "docwright_mcp_protocol_sessions_total{protocol=\"2024-11-05\"} 1",
            "docwright_sessions_in_use 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        // Every sample has its help, and every line is a comment or a name with a number.
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            assert!(line.rsplit_once(' ').is_some_and(|(_, value)| value.parse::<f64>().is_ok()), "{line}");
        }
    }
}
