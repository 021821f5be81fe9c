//! The way back: what the desk says, and what is said for it once it is gone.

use std::{
    io::{self, Read as _, Write},
    net::Shutdown,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use mcp::interrupted::Why;
use memchr::memchr;

use super::{
    Shared, To,
    book::Flight,
    fate::{Fate, fate, refusal},
    scan::head_of,
};
use crate::{
    hello::{Handover, line_of},
    transport::Stream,
};

/// What the buffer for answers begins with, and goes back to.
const BUFFER: usize = 64 * 1024;
/// A desk that ends sooner did not come to work.
const SHORT_LIFE: Duration = Duration::from_secs(1);
/// After so many of them in a row no further one is started before there is something to do for it.
const MOST_SHORT_LIVES: u32 = 4;

/// Brings the client what desks say, one desk after the other.
pub(super) fn bring<W: Write>(
    shared: &Shared<W>,
    mut stream: Arc<Stream>,
    mut again: impl FnMut() -> Result<Stream, String>,
) {
    let _done = Done(shared);
    let mut short_lives = 0;
    loop {
        let began = Instant::now();
        let Ok(Life { taken, worked }) = listen(shared, &stream) else { break };
        short_lives = if worked || began.elapsed() >= SHORT_LIFE { 0 } else { short_lives + 1 };
        // Whoever is about to write to it shall not wait.
        let _ = stream.shutdown(Shutdown::Both);
        match next(shared, taken, short_lives, &mut again) {
            Some(found) => stream = found,
            None => break,
        }
    }
}

/// Nobody waits for answers any more, however they ended.
struct Done<'a, W: Write>(&'a Shared<W>);

impl<W: Write> Drop for Done<'_, W> {
    fn drop(&mut self) {
        self.0.link().done = true;
        self.0.changed.notify_all();
    }
}

/// What a desk did until it was gone.
#[derive(Default)]
struct Life {
    /// How many lines it took, if it said so.
    taken: Option<u64>,
    /// Whether it said anything that was for the client.
    worked: bool,
}

/// Passes on whole lines until the desk is gone; half a line is worth nothing. Fails if the client no longer
/// reads.
fn listen<W: Write>(shared: &Shared<W>, mut stream: &Stream) -> io::Result<Life> {
    let mut life = Life::default();
    let mut buffer = vec![0; BUFFER];
    let mut end = 0;
    loop {
        if end == buffer.len() {
            buffer.resize(end * 2, 0);
        }
        match stream.read(&mut buffer[end..]) {
            Ok(0) => return Ok(life),
            Ok(read) => end += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Ok(life),
        }
        let used = pass(shared, &buffer[..end], &mut life)?;
        if life.taken.is_some() {
            return Ok(life);
        }
        buffer.copy_within(used..end, 0);
        end -= used;
        if end == 0 && buffer.len() > BUFFER {
            buffer = vec![0; BUFFER];
        }
    }
}

/// Passes on the whole lines that were read, up to a handover. Returns how many bytes they have.
fn pass<W: Write>(shared: &Shared<W>, read: &[u8], life: &mut Life) -> io::Result<usize> {
    // Lines that follow each other go out together.
    let (mut from, mut to) = (0, 0);
    while life.taken.is_none()
        && let Some(rest) = read.get(to..)
        && let Some(at) = memchr(b'\n', rest)
    {
        let line = &rest[..=at];
        let end = to + line.len();
        match note(shared, line) {
            Heard::ByTheClient => life.worked = true,
            Heard::ByUs(handover) => {
                shared.say(&read[from..to])?;
                (from, life.taken) = (end, handover);
            }
        }
        to = end;
    }
    shared.say(&read[from..to])?;
    Ok(to)
}

/// Whom a line is for.
enum Heard {
    ByTheClient,
    /// And what it said about the lines that were taken.
    ByUs(Option<u64>),
}

fn note<W: Write>(shared: &Shared<W>, line: &[u8]) -> Heard {
    if line.starts_with(Handover::PREFIX) {
        let handover = serde_json::from_slice::<Handover>(line);
        return Heard::ByUs(handover.ok().map(|handover| handover.taken));
    }
    let head = head_of(line);
    let mut book = shared.book();
    if head.batch {
        book.answered_together(line);
    }
    match (&head.id, &head.method) {
        (Some(id), None) if book.handshake.swallows(id) => Heard::ByUs(None),
        (Some(id), None) => {
            book.answered(id);
            Heard::ByTheClient
        }
        _ => Heard::ByTheClient,
    }
}

/// Answers for the desk that is gone what must be, and brings the rest to the next one. Nothing if the client
/// needs none.
fn next<W: Write>(
    shared: &Shared<W>,
    taken: Option<u64>,
    short_lives: u32,
    again: &mut impl FnMut() -> Result<Stream, String>,
) -> Option<Arc<Stream>> {
    shared.link().to = To::Nowhere;
    let mut waiting = Vec::new();
    let lost = shared.book().lose();
    for flight in lost {
        match fate(flight, taken) {
            Fate::Again(flight) => waiting.push(flight),
            Fate::Answer(line) => shared.say(&line).ok()?,
        }
    }
    // The first time it is probably nothing but bad luck.
    thread::sleep(Duration::from_millis(100) * short_lives.saturating_sub(1));
    let mut idle = short_lives > MOST_SHORT_LIVES && waiting.is_empty();
    loop {
        if shared.link().hung_up && waiting.is_empty() {
            return None;
        }
        let found = match idle {
            true => Err(format!("it ended {short_lives} times as soon as it was started")),
            false => again(),
        };
        match found {
            Ok(stream) => return Some(begin(shared, Arc::new(stream), std::mem::take(&mut waiting))),
            Err(why) => {
                for flight in waiting.drain(..) {
                    shared.say(&refusal(&flight, Why::Nobody(&why))).ok()?;
                }
                wait_for_work(shared, why);
                idle = false;
            }
        }
    }
}

/// Tells a new desk what the client said to the one before.
fn begin<W: Write>(shared: &Shared<W>, stream: Arc<Stream>, waiting: Vec<Flight>) -> Arc<Stream> {
    let (mut lines, mut missed) = (Vec::new(), Vec::new());
    {
        let mut book = shared.book();
        for message in book.handshake.again() {
            // Values that were parsed are always written.
            lines.extend(line_of(&message).unwrap_or_default());
            book.sent(None);
        }
        for message in book.handshake.missed() {
            missed.extend(line_of(&message).unwrap_or_default());
        }
        for flight in waiting {
            lines.extend(flight.line.iter().flatten());
            book.put_back(flight);
        }
    }
    // If it is gone again, reading from it will tell; so will writing to a client that is gone.
    let _ = (&*stream).write_all(&lines);
    let _ = shared.say(&missed);
    let mut link = shared.link();
    if link.hung_up {
        let _ = stream.shutdown(Shutdown::Write);
    }
    link.to = To::Desk(stream.clone());
    shared.changed.notify_all();
    stream
}

/// Until the client asks for something, or hangs up.
fn wait_for_work<W: Write>(shared: &Shared<W>, why: String) {
    let mut link = shared.link();
    link.to = To::Nobody { why, since: Instant::now() };
    shared.changed.notify_all();
    while matches!(link.to, To::Nobody { .. }) && !link.hung_up {
        link = shared.wait(link);
    }
}
