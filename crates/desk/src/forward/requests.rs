//! The way to the desk: the client's lines, one after the other.

use std::{
    io::{self, Read, Write},
    net::Shutdown,
    sync::Arc,
    time::Duration,
};

use mcp::interrupted::Why;
use memchr::memchr;

use super::{
    Shared, To,
    book::{LONGEST_KEPT, Ticket},
    fate::refusal,
    scan::{Scanner, head_of},
};
use crate::transport::Stream;

/// How long it is not tried again to find a desk when there was none.
const QUIET: Duration = Duration::from_secs(1);

/// Passes on everything that the client says.
pub(super) fn take<W: Write>(shared: &Shared<W>, mut input: impl Read) {
    let mut buffer = vec![0; LONGEST_KEPT];
    let (mut start, mut end) = (0, 0);
    let mut long: Option<Long> = None;
    loop {
        let held = &buffer[start..end];
        if let Some(at) = memchr(b'\n', held) {
            let line = &held[..=at];
            match long.take() {
                Some(long) => long.last(shared, line),
                None => pass(shared, line),
            }
            start += at + 1;
            continue;
        }
        if held.len() == buffer.len() {
            // It goes on in pieces, so that no message costs more than the buffer.
            long.get_or_insert_default().piece(shared, held);
            (start, end) = (0, 0);
        } else if start > 0 {
            buffer.copy_within(start..end, 0);
            (start, end) = (0, end - start);
        }
        match input.read(&mut buffer[end..]) {
            Ok(0) => break,
            Ok(read) => end += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // A last line without its end is still a message.
    let rest = &buffer[start..end];
    if long.is_some() || !rest.is_empty() {
        let line = [rest, b"\n"].concat();
        match long.take() {
            Some(long) => long.last(shared, &line),
            None => pass(shared, &line),
        }
    }
}

/// Passes on one whole line.
fn pass<W: Write>(shared: &Shared<W>, line: &[u8]) {
    let ticket = shared.book().enter(head_of(line), Some(line));
    if let Err(why) = send(shared, line, ticket) {
        give_up(shared, ticket, Why::Nobody(&why));
    }
}

/// Gets a line to a desk, whichever it is by then. A desk that did not get all of it did nothing.
fn send<W: Write>(shared: &Shared<W>, line: &[u8], ticket: Option<Ticket>) -> Result<(), String> {
    let mut link = shared.link();
    let mut asked = false;
    loop {
        if link.done {
            return Err("the session is over".to_owned());
        }
        match &link.to {
            To::Desk(stream) => {
                if (&**stream).write_all(line).is_ok() {
                    shared.book().sent(ticket);
                    return Ok(());
                }
                // Whoever reads its answers will notice, and look for the next one.
                let _ = stream.shutdown(Shutdown::Both);
                link.to = To::Nowhere;
            }
            To::Nowhere => link = shared.wait(link),
            To::Nobody { why, since } => {
                if asked || since.elapsed() < QUIET {
                    return Err(why.clone());
                }
                asked = true;
                link.to = To::Nowhere;
                shared.changed.notify_all();
            }
        }
    }
}

/// Answers for the desk what it did not get.
fn give_up<W: Write>(shared: &Shared<W>, ticket: Option<Ticket>, why: Why<'_>) {
    let withdrawn = ticket.and_then(|ticket| shared.book().withdraw(ticket));
    if let Some(flight) = withdrawn {
        // A client that does not read has hung up, which will be noticed.
        let _ = shared.say(&refusal(&flight, why));
    }
}

/// A line that is passed on in pieces. It is only good as a whole, so it is dropped once its desk is gone.
#[derive(Default)]
struct Long {
    scanner: Scanner,
    to: Option<Arc<Stream>>,
    begun: bool,
}

impl Long {
    fn piece<W: Write>(&mut self, shared: &Shared<W>, bytes: &[u8]) {
        self.scanner.feed(bytes);
        if !std::mem::replace(&mut self.begun, true) {
            self.to = desk(shared);
        }
        self.to = self.to.take().filter(|stream| (&**stream).write_all(bytes).is_ok());
    }

    fn last<W: Write>(mut self, shared: &Shared<W>, bytes: &[u8]) {
        self.scanner.feed(bytes);
        let ticket = shared.book().enter(self.scanner.into_head(), None);
        let link = shared.link();
        let same = match (&link.to, &self.to) {
            (To::Desk(now), Some(begun)) => Arc::ptr_eq(now, begun),
            _ => false,
        };
        if same && self.to.is_some_and(|stream| (&*stream).write_all(bytes).is_ok()) {
            shared.book().sent(ticket);
            return;
        }
        drop(link);
        give_up(shared, ticket, Why::NotDone);
    }
}

/// The desk of the moment, once there is one.
fn desk<W: Write>(shared: &Shared<W>) -> Option<Arc<Stream>> {
    let mut link = shared.link();
    loop {
        match &link.to {
            To::Desk(stream) => return Some(stream.clone()),
            To::Nowhere if !link.done => link = shared.wait(link),
            To::Nowhere | To::Nobody { .. } => return None,
        }
    }
}
