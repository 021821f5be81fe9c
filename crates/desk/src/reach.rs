//! The way to the desk: connect, or start one and connect.

use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use crate::{
    call,
    folder::{Folder, NotPrivate},
    hello::{Answer, Hello, Refused, Want, Welcome},
    lock::Lock,
    start::{self, End, Started},
    take_over,
    transport::Stream,
};

/// Where the desk is, and how it is started.
#[derive(Debug, Clone)]
pub struct Way {
    pub state: PathBuf,
    /// Of this process; an older desk is asked to step down.
    pub version: String,
    /// What `docwright desk` is started with, beside the state folder.
    pub arguments: Vec<OsString>,
    /// How long it may take.
    pub patience: Duration,
}

impl Way {
    pub fn new(state: impl Into<PathBuf>, version: impl Into<String>) -> Self {
        let (state, version) = (state.into(), version.into());
        Self { state, version, arguments: Vec::new(), patience: Duration::from_secs(5) }
    }
}

/// A seat at the desk.
#[derive(Debug)]
pub struct Reached {
    pub(crate) stream: Stream,
    pub welcome: Welcome,
}

/// Why a process has to work alone.
#[derive(Debug, thiserror::Error)]
pub enum Alone {
    #[error(transparent)]
    Folder(#[from] NotPrivate),
    #[error("{why}")]
    Refused { code: String, why: String },
    #[error("the desk cannot be reached: {0}")]
    Unreachable(String),
}

const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// Sits down at the desk of a state folder, and starts one where there is none or only an older one.
pub fn reach(way: &Way, hello: &Hello) -> Result<Reached, Alone> {
    let folder = Folder::open(&way.state)?;
    let mut attempt =
        Attempt { way, folder, until: Instant::now() + way.patience, starting: None, started: None };
    let mut pause = Duration::from_millis(1);
    loop {
        let why = match call::open(&attempt.folder, &way.version, Want::Seat(Box::new(hello.clone()))) {
            Ok((stream, Answer::Welcome(welcome))) => return Ok(Reached { stream, welcome }),
            Ok((_, Answer::Refused(refused))) => match refused.code.as_str() {
                Refused::OLDER => attempt.replace(refused.why)?,
                Refused::ENDING => refused.why,
                // Somebody may leave.
                Refused::FULL => {
                    pause = pause.max(Duration::from_millis(100));
                    refused.why
                }
                _ => return Err(Alone::Refused { code: refused.code, why: refused.why }),
            },
            Ok(_) => return Err(Alone::Unreachable("its answer is not understood".to_owned())),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(Alone::Unreachable(error.to_string()));
            }
            Err(error) if call::is_nobody(&error) => attempt.start(error.to_string())?,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                "it does not answer".to_owned()
            }
            // It ended while it was asked.
            Err(error) => error.to_string(),
        };
        if Instant::now() >= attempt.until {
            return Err(Alone::Unreachable(why));
        }
        thread::sleep(pause);
        pause = if pause < LONGEST_PAUSE { (pause * 3 / 2).min(LONGEST_PAUSE) } else { pause };
    }
}

struct Attempt<'a> {
    way: &'a Way,
    folder: Folder,
    until: Instant,
    /// Held by the one process that starts a desk; the others only wait for it.
    starting: Option<Lock>,
    started: Option<Started>,
}

impl Attempt<'_> {
    /// Starts a desk, if that is for this process to do. What is returned is why there is none yet.
    fn start(&mut self, why: String) -> Result<String, Alone> {
        match self.started.as_ref().and_then(Started::ended) {
            Some(End::Badly(how)) => {
                let log = self.folder.log();
                return Err(Alone::Unreachable(format!("{how}; {} may tell more", log.display())));
            }
            // There was another one, which is gone by now.
            Some(End::Well) => self.started = None,
            None => {}
        }
        if self.started.is_none() && self.may_start()? {
            let started = start::start(&self.folder, &self.way.arguments);
            self.started =
                Some(started.map_err(|error| Alone::Unreachable(format!("it does not start: {error}")))?);
        }
        Ok(why)
    }

    /// Asks an older desk to end.
    fn replace(&mut self, why: String) -> Result<String, Alone> {
        // Otherwise an older client could start an older desk again in between.
        if self.may_start()? && call::open(&self.folder, &self.way.version, Want::StepDown).is_ok() {
            self.until = self.until.max(Instant::now() + take_over::PATIENCE);
        }
        Ok(why)
    }

    fn may_start(&mut self) -> Result<bool, Alone> {
        if self.starting.is_none() {
            let taken = Lock::take(&self.folder.starting());
            self.starting = taken.map_err(|error| Alone::Unreachable(error.to_string()))?;
        }
        Ok(self.starting.is_some())
    }
}
