//! The terminal: single keys in, whole screens out, and everything as it was when the walk ends, however it ends.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use tokio::signal::unix::{SignalKind, signal};

use super::keys::{Key, keys};
use super::screen::Size;
use crate::paint::{Line, Paint, painted};

/// Another screen than that of the shell, without a cursor; and back.
const ENTER: &str = "\u{1b}[?1049h\u{1b}[?25l";
const LEAVE: &str = "\u{1b}[?25h\u{1b}[?1049l";

/// How often it is looked whether the window has another size.
const LOOK: Duration = Duration::from_millis(150);

pub(super) struct Terminal {
    before: Termios,
    typed: VecDeque<Key>,
    size: Size,
}

pub(super) enum Event {
    Key(Key),
    Resized,
    /// Nobody is there any more.
    Closed,
}

impl Terminal {
    pub(super) fn enter() -> io::Result<Self> {
        let before = tcgetattr(io::stdin().as_fd())?;
        restore_when_it_goes_wrong(&before)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(io::stdin().as_fd(), OptionalActions::Now, &raw)?;
        let terminal = Self { before, typed: VecDeque::new(), size: measure() };
        send(ENTER)?;
        Ok(terminal)
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// Put these rows on the screen, in place of what is there.
    pub(super) fn draw(&self, rows: &[Line], paint: Paint) -> io::Result<()> {
        let mut text = String::from("\u{1b}[H");
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                text.push_str("\r\n");
            }
            text.push_str(&painted(row, paint));
            text.push_str("\u{1b}[K");
        }
        text.push_str("\u{1b}[J");
        send(&text)
    }

    /// Wait for a key.
    pub(super) fn next(&mut self) -> io::Result<Event> {
        loop {
            if let Some(key) = self.typed.pop_front() {
                return Ok(Event::Key(key));
            }
            let size = measure();
            if size != self.size {
                self.size = size;
                return Ok(Event::Resized);
            }
            let stdin = io::stdin();
            let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
            let look = Timespec { tv_sec: 0, tv_nsec: LOOK.subsec_nanos().into() };
            match poll(&mut ready, Some(&look)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => continue,
                Ok(_) => {}
                Err(error) => return Err(error.into()),
            }
            let mut bytes = [0; 256];
            match rustix::io::read(&stdin, &mut bytes) {
                Ok(0) | Err(rustix::io::Errno::IO) => return Ok(Event::Closed),
                Ok(count) => self.typed.extend(keys(bytes.get(..count).unwrap_or(&bytes))),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore(&self.before);
    }
}

/// As the shell had it. Nobody is left to tell if this fails.
fn restore(before: &Termios) {
    let _ = rustix::io::write(io::stdout().as_fd(), LEAVE.as_bytes());
    let _ = tcsetattr(io::stdin().as_fd(), OptionalActions::Now, before);
}

/// A panic must be read on the shell's screen, and a signal must not leave a terminal that shows nothing. What was
/// decided is safe by then, so the process just ends.
fn restore_when_it_goes_wrong(before: &Termios) -> io::Result<()> {
    let (for_panic, for_signal) = (before.clone(), before.clone());
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        restore(&for_panic);
        usual(panic);
    }));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let watch = move || {
        runtime.block_on(async {
            let signals =
                [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()].map(signal);
            let [Ok(mut terminate), Ok(mut hangup), Ok(mut interrupt)] = signals else { return };
            tokio::select! {
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
                _ = interrupt.recv() => {}
            }
            restore(&for_signal);
            std::process::exit(1);
        });
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(watch)?;
    Ok(())
}

fn send(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn measure() -> Size {
    // A terminal that does not know its size is as old as this one.
    let usual = Size { columns: 80, rows: 24 };
    match tcgetwinsize(io::stdout().as_fd()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
            Size { columns: size.ws_col.into(), rows: size.ws_row.into() }
        }
        _ => usual,
    }
}
