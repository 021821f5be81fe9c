//! The requests that the desk has and has not answered.

use serde_json::Value;

use super::{handshake::Handshake, scan::Head};

/// Longer lines, and more than this at a time, are passed on without a copy being kept.
pub(crate) const LONGEST_KEPT: usize = 64 * 1024;
const MOST_KEPT: usize = 1 << 20;

#[derive(Debug, Default)]
pub(crate) struct Book {
    flights: Vec<Flight>,
    kept: usize,
    /// Lines that went to the present desk.
    lines: u64,
    tickets: u64,
    pub(crate) handshake: Handshake,
}

/// A line with requests.
#[derive(Debug, PartialEq)]
pub(crate) struct Flight {
    ticket: u64,
    pub(crate) ids: Vec<Value>,
    pub(crate) method: String,
    /// The line itself, to send it again.
    pub(crate) line: Option<Box<[u8]>>,
    /// Its number among the lines that the desk was sent; nothing while the sender still has it in hand.
    pub(crate) number: Option<u64>,
    /// How often a desk ended over it.
    pub(crate) attempts: u8,
}

/// Names a flight to whoever sends its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ticket(u64);

impl Book {
    /// Takes note of a line before it is sent. `line` is the whole of it, unless it is too long to be kept.
    pub(crate) fn enter(&mut self, head: Head, line: Option<&[u8]>) -> Option<Ticket> {
        let (ids, method) = match (head, line) {
            (Head { batch: true, .. }, Some(line)) => (ids_of(line), String::new()),
            (Head { id: Some(id), method: Some(method), .. }, _) => (vec![id], method),
            (Head { id: None, method: Some(method), .. }, Some(line)) => {
                if method == "notifications/cancelled" {
                    self.cancelled(line);
                }
                self.handshake.notified(&method);
                return None;
            }
            _ => return None,
        };
        if ids.is_empty() {
            return None;
        }
        if let Some(line) = line {
            self.handshake.asked(&method, line);
        }
        let room = MOST_KEPT.saturating_sub(self.kept);
        let line = line.filter(|line| line.len() <= room).map(Box::from);
        self.tickets += 1;
        let flight = Flight { ticket: self.tickets, ids, method, line, number: None, attempts: 0 };
        self.kept += flight.bytes();
        self.flights.push(flight);
        Some(Ticket(self.tickets))
    }

    /// The line is on its way; it may be answered from now on, or may have been.
    pub(crate) fn sent(&mut self, ticket: Option<Ticket>) {
        self.lines += 1;
        let Some(Ticket(ticket)) = ticket else { return };
        if let Some(flight) = self.flights.iter_mut().rev().find(|flight| flight.ticket == ticket) {
            flight.number = Some(self.lines);
        }
    }

    /// The line was not sent and will not be.
    pub(crate) fn withdraw(&mut self, Ticket(ticket): Ticket) -> Option<Flight> {
        let position = self.flights.iter().position(|flight| flight.ticket == ticket)?;
        Some(self.remove(position))
    }

    pub(crate) fn answered(&mut self, id: &Value) {
        self.handshake.answered(id);
        let found = self.flights.iter_mut().enumerate().find(|(_, flight)| flight.ids.contains(id));
        if let Some((position, flight)) = found {
            flight.ids.retain(|waiting| waiting != id);
            if flight.ids.is_empty() {
                self.remove(position);
            }
        }
    }

    /// A batch is answered in one line.
    pub(crate) fn answered_together(&mut self, line: &[u8]) {
        for id in ids_of(line) {
            self.answered(&id);
        }
    }

    /// There will be no answer to a cancelled request.
    fn cancelled(&mut self, line: &[u8]) {
        let Ok(message) = serde_json::from_slice::<Value>(line) else { return };
        if let Some(id) = message.pointer("/params/requestId") {
            self.answered(&id.clone());
        }
    }

    /// The desk is gone: takes out what it had and did not answer, in the order in which it was sent.
    pub(crate) fn lose(&mut self) -> Vec<Flight> {
        self.lines = 0;
        let (lost, kept) =
            std::mem::take(&mut self.flights).into_iter().partition(|flight| flight.number.is_some());
        self.flights = kept;
        self.kept = self.flights.iter().map(Flight::bytes).sum();
        lost
    }

    /// The next desk has been sent it.
    pub(crate) fn put_back(&mut self, mut flight: Flight) {
        self.lines += 1;
        flight.number = Some(self.lines);
        self.kept += flight.bytes();
        self.flights.push(flight);
    }

    fn remove(&mut self, position: usize) -> Flight {
        let flight = self.flights.remove(position);
        self.kept -= flight.bytes();
        flight
    }
}

impl Flight {
    fn bytes(&self) -> usize {
        self.line.as_ref().map_or(0, |line| line.len())
    }
}

/// The ids of requests, or of answers, in a batch.
fn ids_of(line: &[u8]) -> Vec<Value> {
    let Ok(Value::Array(entries)) = serde_json::from_slice(line) else { return Vec::new() };
    let id = |mut entry: Value| Some(entry.get_mut("id")?.take());
    entries.into_iter().filter_map(id).filter(|id| !id.is_null()).collect()
}
