//! A terminal that nobody sits at: a command runs in it, keys are pressed, and the screen is read.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};

const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Terminal {
    ours: File,
    theirs: File,
    command: Child,
    sent: Vec<u8>,
    rows: usize,
}

impl Terminal {
    #[track_caller]
    pub(crate) fn start(mut command: Command, columns: u16, rows: u16) -> Self {
        let ours: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("its other end");
        let name = ptsname(&ours, Vec::new()).expect("its name").into_string().expect("a plain name");
        let mut options = File::options();
        options.read(true).write(true).custom_flags(OFlags::NOCTTY.bits() as i32);
        let theirs = options.open(name).expect("its other end opens");
        let copy = || theirs.try_clone().expect("a second handle");
        let mut terminal = Self {
            command: {
                resize(&ours, columns, rows);
                command.stdin(copy()).stdout(copy()).stderr(copy()).spawn().expect("the command starts")
            },
            ours: File::from(ours),
            theirs,
            sent: Vec::new(),
            rows: rows.into(),
        };
        terminal.read(Duration::ZERO);
        terminal
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.ours.write_all(keys.as_bytes()).expect("keys are read");
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        resize(&self.ours, columns, rows);
        self.rows = rows.into();
    }

    /// Wait until the screen is this, without blanks at the ends of lines and with one empty line for several.
    #[track_caller]
    pub(crate) fn shows(&mut self, wanted: &str) {
        self.until(wanted, |screen| screen == wanted);
    }

    #[track_caller]
    pub(crate) fn has(&mut self, wanted: &str) {
        self.until(wanted, |screen| screen.contains(wanted));
    }

    #[track_caller]
    fn until(&mut self, wanted: &str, is_it: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !is_it(&self.screen()) {
            assert!(begun.elapsed() < PATIENCE, "the screen is\n{}\n\nand not\n{wanted}", self.screen());
            self.read(Duration::from_millis(50));
        }
    }

    /// Everything that was sent, escapes and all.
    pub(crate) fn sent(&self) -> String {
        String::from_utf8_lossy(&self.sent).into_owned()
    }

    pub(crate) fn id(&self) -> u32 {
        self.command.id()
    }

    /// Wait for the command to end: with which code, and what it left on the screen of the shell.
    #[track_caller]
    pub(crate) fn ended(mut self) -> (Option<i32>, String) {
        let begun = Instant::now();
        let code = loop {
            self.read(Duration::from_millis(50));
            if let Some(status) = self.command.try_wait().expect("it can be waited for") {
                break status.code();
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end; the screen is\n{}", self.screen());
        };
        self.read(Duration::from_millis(200));
        // Lines are read whole again, and keys are seen.
        let modes = tcgetattr(&self.theirs).expect("the terminal").local_modes;
        assert!(modes.contains(rustix::termios::LocalModes::ICANON | rustix::termios::LocalModes::ECHO));
        (code, self.screen())
    }

    fn read(&mut self, patience: Duration) {
        let time = Timespec { tv_sec: 0, tv_nsec: patience.subsec_nanos().into() };
        while poll(&mut [PollFd::new(&self.ours, PollFlags::IN)], Some(&time)).expect("it can be polled") > 0
        {
            let mut bytes = [0; 4096];
            match rustix::io::read(&self.ours, &mut bytes) {
                Ok(count) if count > 0 => self.sent.extend_from_slice(&bytes[..count]),
                _ => return,
            }
        }
    }

    /// The screen that the bytes so far make.
    fn screen(&self) -> String {
        let mut screen = Screen { lines: vec![Vec::new(); self.rows], row: 0, column: 0 };
        let text = self.sent();
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let length = match rest.strip_prefix("\u{1b}[") {
                Some(sequence) => {
                    let end = sequence.find(|c: char| ('@'..='~').contains(&c)).unwrap_or(sequence.len() - 1);
                    screen.obey(&sequence[..=end]);
                    end + 3
                }
                None => {
                    screen.put(first);
                    first.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        screen.text()
    }
}

impl Drop for Terminal {
    /// A test that failed leaves nobody behind.
    fn drop(&mut self) {
        if let Ok(None) = self.command.try_wait() {
            let _ = self.command.kill();
            let _ = self.command.wait();
        }
    }
}

fn resize(terminal: impl std::os::fd::AsFd, columns: u16, rows: u16) {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(terminal, size).expect("a terminal has a size");
}

/// As much of a terminal as the walk uses; anything else fails the test.
struct Screen {
    lines: Vec<Vec<char>>,
    row: usize,
    column: usize,
}

impl Screen {
    fn put(&mut self, c: char) {
        match c {
            '\r' => self.column = 0,
            '\n' => self.row += 1,
            c => {
                self.lines.resize(self.lines.len().max(self.row + 1), Vec::new());
                let line = &mut self.lines[self.row];
                line.resize(line.len().max(self.column + 1), ' ');
                line[self.column] = c;
                self.column += 1;
            }
        }
    }

    fn obey(&mut self, sequence: &str) {
        match sequence {
            "H" => (self.row, self.column) = (0, 0),
            "K" => self.clear_line(),
            "J" => {
                self.clear_line();
                self.lines.iter_mut().skip(self.row + 1).for_each(Vec::clear);
            }
            "?1049h" | "?1049l" => {
                self.lines.iter_mut().for_each(Vec::clear);
                (self.row, self.column) = (0, 0);
            }
            "?25l" | "?25h" => {}
            colour if colour.ends_with('m') => {}
            other => panic!("the screen does not know `{other}`"),
        }
    }

    fn clear_line(&mut self) {
        if let Some(line) = self.lines.get_mut(self.row) {
            line.truncate(self.column);
        }
    }

    fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned());
        let mut text: Vec<String> = Vec::new();
        for line in lines {
            if !line.is_empty() || text.last().is_some_and(|last| !last.is_empty()) {
                text.push(without_moments(&line));
            }
        }
        text.join("\n").trim_end().to_owned()
    }
}

/// A test does not know what time it is.
fn without_moments(line: &str) -> String {
    const SHAPE: &str = "0000-00-00 00:00 UTC";
    let is_one = |text: &str| {
        text.chars()
            .zip(SHAPE.chars())
            .all(|(c, shape)| if shape == '0' { c.is_ascii_digit() } else { c == shape })
    };
    let found = line.char_indices().find(|(at, _)| line.get(*at..at + SHAPE.len()).is_some_and(is_one));
    match found {
        Some((at, _)) => format!("{}NOW{}", &line[..at], &line[at + SHAPE.len()..]),
        None => line.to_owned(),
    }
}
