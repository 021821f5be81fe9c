//! Passing lines between a client and the desk.
//!
//! One thread takes the client's lines to the desk, another brings the answers back. Lines are not changed and
//! hardly looked at, so that a process at the side of every client costs next to nothing. When the desk ends,
//! the next one is reached (or started) here, told what the client said at the beginning, and asked again
//! whatever can be asked twice. The client notices nothing but the time that takes, or one answer that says
//! that nobody knows what became of its edit. Nothing is answered twice.

mod answers;
mod book;
mod fate;
mod handshake;
mod requests;
mod scan;
#[cfg(all(test, unix))]
mod tests;

use std::{
    io::{self, Read, Write},
    net::Shutdown,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use crate::{
    hello::Hello,
    reach::{Reached, Way, reach},
    transport::Stream,
};
use book::Book;

/// How long answers are waited for when the client has hung up: what the desk gives its calls then, and a
/// little for the way.
const PARTING: Duration = Duration::from_secs(7);

/// Serves the client on standard input and output, until it hangs up.
pub fn forward(way: Way, hello: Hello, reached: Reached) -> io::Result<()> {
    let again = move || reach(&way, &hello).map(|reached| reached.stream).map_err(|alone| alone.to_string());
    copy(reached.stream, again, io::stdin().lock(), io::stdout())
}

/// A client's ends of a line that leads to whichever desk there is: what it reads, and what it writes.
pub type Lines = (io::PipeReader, io::PipeWriter);

/// The same for a client in this process, until it drops its ends.
pub fn lines(way: Way, hello: Hello, reached: Reached) -> io::Result<Lines> {
    let (from_client, client_writes) = io::pipe()?;
    let (client_reads, to_client) = io::pipe()?;
    let again = move || reach(&way, &hello).map(|reached| reached.stream).map_err(|alone| alone.to_string());
    thread::Builder::new().name("forwarder".to_owned()).stack_size(256 * 1024).spawn(move || {
        // How it ended shows at the other end, as an answer that does not come.
        let _ = copy(reached.stream, again, from_client, to_client);
    })?;
    Ok((client_reads, client_writes))
}

/// The same on any streams; `again` connects to the next desk, or says why that cannot be.
fn copy<R, W, A>(stream: Stream, again: A, input: R, output: W) -> io::Result<()>
where
    R: Read,
    W: Write + Send + 'static,
    A: FnMut() -> Result<Stream, String> + Send + 'static,
{
    let stream = Arc::new(stream);
    let shared = Arc::new(Shared {
        link: Mutex::new(Link { to: To::Desk(stream.clone()), hung_up: false, done: false }),
        changed: Condvar::new(),
        book: Mutex::default(),
        output: Mutex::new(output),
    });
    let bringing = shared.clone();
    thread::Builder::new()
        .name("answers".to_owned())
        .stack_size(256 * 1024)
        .spawn(move || answers::bring(&bringing, stream, again))?;
    requests::take(&shared, input);
    shared.hang_up();
    Ok(())
}

struct Shared<W> {
    link: Mutex<Link>,
    /// Beats when the link changed.
    changed: Condvar,
    book: Mutex<Book>,
    output: Mutex<W>,
}

struct Link {
    to: To,
    /// The client has said everything.
    hung_up: bool,
    /// The last answer was brought.
    done: bool,
}

/// Where lines go.
enum To {
    Desk(Arc<Stream>),
    /// The next desk is looked for.
    Nowhere,
    /// There is none, and it is not looked for until somebody asks.
    Nobody {
        why: String,
        since: Instant,
    },
}

impl<W: Write> Shared<W> {
    fn link(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, link: MutexGuard<'a, Link>) -> MutexGuard<'a, Link> {
        self.changed.wait(link).unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the client whole lines.
    fn say(&self, lines: &[u8]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(lines)?;
        output.flush()
    }

    /// Tells the desk that no more will come, and waits for what it still has to say.
    fn hang_up(&self) {
        let mut link = self.link();
        link.hung_up = true;
        if let To::Desk(stream) = &link.to {
            let _ = stream.shutdown(Shutdown::Write);
        }
        self.changed.notify_all();
        let until = Instant::now() + PARTING;
        while !link.done {
            let Some(rest) = until.checked_duration_since(Instant::now()) else { return };
            link = self.changed.wait_timeout(link, rest).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
