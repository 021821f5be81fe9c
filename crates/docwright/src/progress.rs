//! What is going on, said to whoever sits at the terminal once it has taken a second.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that takes less is not spoken of.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the seconds are counted on.
const BEAT: Duration = Duration::from_millis(200);

static NOW: Mutex<Option<Speaker>> = Mutex::new(None);

struct Speaker {
    said: Sender<String>,
    thread: JoinHandle<()>,
}

/// From now on this is what goes on, until something else does or the answer is printed.
pub(crate) fn doing(what: String) {
    let dumb = std::env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
    if dumb || !std::io::stderr().is_terminal() {
        return;
    }
    let Ok(mut now) = NOW.lock() else { return };
    let what = match now.as_ref() {
        Some(speaker) => match speaker.said.send(what) {
            Ok(()) => return,
            Err(unsaid) => unsaid.0,
        },
        None => what,
    };
    let (said, hears) = channel();
    let thread = std::thread::spawn(move || {
        let began = Instant::now();
        let mut what = what;
        let mut shown = false;
        loop {
            match hears.recv_timeout(if shown { BEAT } else { PATIENCE.saturating_sub(began.elapsed()) }) {
                Ok(next) => what = next,
                Err(RecvTimeoutError::Timeout) => {
                    shown = true;
                    let seconds = began.elapsed().as_secs();
                    // Nobody is left to tell if this fails.
                    let _ = write!(std::io::stderr().lock(), "\r\u{1b}[K{what} … {seconds} s");
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if shown {
            let _ = write!(std::io::stderr().lock(), "\r\u{1b}[K");
        }
    });
    *now = Some(Speaker { said, thread });
}

/// Nothing goes on any more; the line is empty again.
pub(crate) fn over() {
    let speaker = NOW.lock().ok().and_then(|mut now| now.take());
    if let Some(Speaker { said, thread }) = speaker {
        drop(said);
        let _ = thread.join();
    }
}
