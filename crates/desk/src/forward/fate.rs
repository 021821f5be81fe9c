//! What becomes of a request whose desk is gone.
//!
//! What only reads is asked again. A write may have been made, so it is never repeated: the client is told that
//! nobody knows. Only a desk that says how much it took leaves no doubt about the rest.

use mcp::interrupted::{Lost, Why, only_reads};
use serde_json::Value;

use super::book::Flight;
use crate::hello::line_of;

/// A request over which two desks ended is not brought to a third.
const MOST_ATTEMPTS: u8 = 2;

#[derive(Debug, PartialEq)]
pub(crate) enum Fate {
    /// It goes to the next desk.
    Again(Flight),
    /// The client gets this line.
    Answer(Vec<u8>),
}

/// `taken` is how many lines the desk took, if it said so.
pub(crate) fn fate(mut flight: Flight, taken: Option<u64>) -> Fate {
    let untouched = matches!((flight.number, taken), (Some(number), Some(taken)) if number > taken);
    let requests = requests(&flight);
    if flight.line.is_some() {
        if untouched {
            return Fate::Again(flight);
        }
        flight.attempts += 1;
        if flight.attempts < MOST_ATTEMPTS && requests.iter().all(|request| request.reads) {
            return Fate::Again(flight);
        }
    }
    let why = |request: &Request| match request.reads {
        _ if untouched => Why::NotDone,
        true => Why::NotRepeated,
        false => Why::Unknown,
    };
    Fate::Answer(answer(&flight, &requests, why))
}

/// The answer to a flight that no desk gets.
pub(crate) fn refusal(flight: &Flight, why: Why<'_>) -> Vec<u8> {
    answer(flight, &requests(flight), |_| why)
}

struct Request {
    lost: Lost,
    reads: bool,
}

fn requests(flight: &Flight) -> Vec<Request> {
    let message = flight.line.as_ref().and_then(|line| serde_json::from_slice::<Value>(line).ok());
    let entries = match message {
        Some(Value::Array(entries)) => entries,
        Some(message) => vec![message],
        None => Vec::new(),
    };
    let known = |id: &Value| {
        let message = entries.iter().find(|entry| entry.get("id") == Some(id));
        let text = |place: &str| message.and_then(|message| message.pointer(place)?.as_str());
        let method = text("/method").unwrap_or(&flight.method);
        let revision = text("/params/_meta/io.modelcontextprotocol~1protocolVersion");
        let lost = Lost { id: id.clone(), call: method == "tools/call", stateless: revision.is_some() };
        Request { lost, reads: only_reads(method, text("/params/name")) }
    };
    flight.ids.iter().map(known).collect()
}

fn answer<'a>(flight: &Flight, requests: &[Request], why: impl Fn(&Request) -> Why<'a>) -> Vec<u8> {
    let mut answers: Vec<Value> = requests.iter().map(|request| request.lost.answer(why(request))).collect();
    let single = !flight.method.is_empty();
    let line = match answers.pop() {
        Some(answer) if single => line_of(&answer),
        Some(answer) => {
            answers.push(answer);
            line_of(&answers)
        }
        None => return Vec::new(),
    };
    // Values of our own making are always written.
    line.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::forward::{book::Book, scan::head_of};

    /// What becomes of the only line that a desk had.
    fn after(line: &Value, taken: Option<u64>) -> Fate {
        let mut book = Book::default();
        let line = line.to_string();
        let ticket = book.enter(head_of(line.as_bytes()), Some(line.as_bytes()));
        book.sent(ticket);
        fate(book.lose().pop().expect("a request"), taken)
    }

    fn call(tool: &str) -> Value {
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool } })
    }

    #[track_caller]
    fn code(fate: &Fate) -> String {
        let Fate::Answer(line) = fate else { panic!("{fate:?}") };
        let answer: Value = serde_json::from_slice(line).unwrap();
        let record = answer.pointer("/result/_meta/docwright~1error").or(answer.pointer("/error/data"));
        record.unwrap()["code"].as_str().unwrap().to_owned()
    }

    #[test]
    fn reads_are_repeated_once_and_writes_never() {
        let Fate::Again(flight) = after(&call("read_file"), None) else { panic!("a read is asked again") };
        assert_eq!(code(&fate(flight, None)), "DESK_ENDED");
        assert_eq!(code(&after(&call("smart_edit"), None)), "UNKNOWN_OUTCOME");
        assert_eq!(code(&after(&call("smart_edit"), Some(1))), "UNKNOWN_OUTCOME");
    }

    #[test]
    fn a_write_that_was_not_taken_goes_to_the_next_desk() {
        assert!(matches!(after(&call("smart_edit"), Some(0)), Fate::Again(_)));
    }

    #[test]
    fn a_line_that_was_not_kept_is_answered() {
        let flight = |method: &str, taken| {
            let mut book = Book::default();
            let line = json!({ "id": 1, "method": method }).to_string();
            let ticket = book.enter(head_of(line.as_bytes()), None);
            book.sent(ticket);
            code(&fate(book.lose().pop().unwrap(), taken))
        };
        assert_eq!(flight("tools/call", None), "UNKNOWN_OUTCOME");
        assert_eq!(flight("tools/call", Some(0)), "DESK_ENDED");
        assert_eq!(flight("tools/list", None), "DESK_ENDED");
    }

    #[test]
    fn a_batch_is_answered_as_one() {
        let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
        assert!(matches!(after(&json!([call("read_file"), ping]), None), Fate::Again(_)));
        let Fate::Answer(line) = after(&json!([call("smart_edit"), ping]), None) else { panic!("it writes") };
        let answers: Vec<Value> = serde_json::from_slice(&line).unwrap();
        assert_eq!(answers.iter().map(|answer| &answer["id"]).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(answers[0]["result"]["isError"], true);
        assert!(answers[1]["error"].is_object());
    }

    #[test]
    fn a_cancelled_request_is_forgotten() {
        let mut book = Book::default();
        let line = call("smart_edit").to_string();
        let ticket = book.enter(head_of(line.as_bytes()), Some(line.as_bytes()));
        book.sent(ticket);
        let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
        assert_eq!(book.enter(head_of(cancelled.as_bytes()), Some(cancelled.as_bytes())), None);
        assert!(book.lose().is_empty());
    }
}
