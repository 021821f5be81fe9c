//! The parent: starts children, hands them jobs, ends them in time, and takes their answers with no more trust than
//! anybody else's.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use edit::Stop;
use serde_json::Value;
use sheet::Run;

use crate::child::MOST_WORKBOOK;
use crate::engine::timeout;
use crate::functions::MOST_PICTURES;
use crate::wire::{self, Done, Execution, Job, Preview, Said};

const MOST_ANSWER: u64 = 256 << 20;
/// For starting a process and opening the workbook.
const OPENING: Duration = Duration::from_secs(60);
/// Beside the script's own time, for what the engine does not interrupt and for writing the answer.
const GRACE: Duration = Duration::from_secs(2);
const GLANCE: Duration = Duration::from_millis(20);

pub const DEFAULT_TIME: Duration = Duration::from_secs(30);
pub const MOST_TIME: Duration = Duration::from_secs(120);
pub const DEFAULT_OUTPUT: usize = 20_000;
pub const MOST_OUTPUT: usize = 60_000;

/// Starts a process for each script, from the program that it is part of.
#[derive(Debug)]
pub struct Runner {
    program: PathBuf,
    arguments: Vec<String>,
    /// A child that has started and waits for a job.
    spare: Mutex<Option<Child>>,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Script {
    pub code: String,
    pub input: Value,
    pub time: Duration,
    pub output_chars: usize,
    /// The language in whose manner numbers and dates are shown, such as `de-DE`.
    pub locale: Option<String>,
    pub author: String,
    pub now: i64,
    pub seed: u64,
}

/// What came of it.
#[derive(Debug)]
pub struct Ran {
    pub execution: Execution,
    /// What it did to the workbook, to be made again on the real one; nothing if it did nothing.
    pub run: Option<Run>,
    /// Pictures that it asked for, as far as they are within the limits.
    pub previews: Vec<Preview>,
}

#[derive(Debug, thiserror::Error)]
pub enum Failed {
    #[error("the script process could not be started: {0}")]
    Start(std::io::Error),
    #[error("the script process ended without an answer ({0})")]
    Died(String),
    #[error("the workbook could not be opened by the script process: {0}")]
    Workbook(String),
    #[error("cancelled before anything was written")]
    Cancelled,
    #[error("its time was over")]
    TimedOut,
}

impl Runner {
    /// `program` called with `arguments` must run [`child`](crate::child).
    pub fn new(program: PathBuf, arguments: Vec<String>) -> Self {
        Self { program, arguments, spare: Mutex::new(None) }
    }

    fn start(&self) -> Result<Child, Failed> {
        Command::new(&self.program)
            .args(&self.arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(Failed::Start)
    }

    fn ready(&self) -> Result<Child, Failed> {
        let kept = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut child) = kept
            && matches!(child.try_wait(), Ok(None))
        {
            return Ok(child);
        }
        self.start()
    }

    /// Have a child ready for the next script. What goes wrong here goes wrong again, and is told, when it is needed.
    fn keep_spare(&self) {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.is_none()
            && let Ok(child) = self.start()
        {
            *spare = Some(child);
        }
    }

    /// Run a script on a copy of a workbook.
    pub fn run(&self, script: &Script, workbook: &[u8], stop: &Stop) -> Result<Ran, Failed> {
        if workbook.len() as u64 > MOST_WORKBOOK {
            return Err(Failed::Workbook(format!("it has {} bytes", workbook.len())));
        }
        let job = Job {
            code: script.code.clone(),
            input: script.input.clone(),
            milliseconds: script.time.as_millis() as u64,
            output_chars: script.output_chars,
            locale: script.locale.clone(),
            author: script.author.clone(),
            now: script.now,
            seed: script.seed,
        };
        let job = serde_json::to_vec(&job).map_err(|error| Failed::Died(error.to_string()))?;
        let mut child = self.ready()?;
        let answer = converse(&mut child, &job, workbook, script.time + GRACE, stop);
        if answer.is_err() {
            end(&mut child);
        }
        if let Err(Failed::TimedOut) = answer {
            self.keep_spare();
            return Ok(Ran {
                execution: Execution { error: Some(timeout()), ..Execution::default() },
                run: None,
                previews: Vec::new(),
            });
        }
        // Answered children end by themselves; waiting for them leaves no zombie.
        let status = child.wait().map_err(|error| Failed::Died(error.to_string()))?;
        self.keep_spare();
        let answer = answer.map_err(|failed| match failed {
            Failed::Died(why) => Failed::Died(format!("{why}, {status}")),
            other => other,
        })?;
        match serde_json::from_slice::<Said>(&answer).map_err(|error| Failed::Died(error.to_string()))? {
            Said::NotOpened(why) => Err(Failed::Workbook(why)),
            Said::Done(done) => {
                let Done { execution, turns, sheets, result, mut previews } = *done;
                previews.retain(|preview| preview.base64.bytes().all(is_base64));
                previews.truncate(MOST_PICTURES);
                let run = (execution.ok && !turns.is_empty()).then(|| Run {
                    turns,
                    sheets,
                    author: script.author.clone(),
                    now: script.now,
                    seed: script.seed,
                    result,
                });
                Ok(Ran { execution, run, previews })
            }
        }
    }
}

fn is_base64(letter: u8) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, b'+' | b'/' | b'=')
}

impl Drop for Runner {
    fn drop(&mut self) {
        if let Some(mut child) = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take() {
            end(&mut child);
        }
    }
}

fn end(child: &mut Child) {
    // Both fail only for a child that has ended, which is what is wanted.
    if child.kill().is_ok() && child.wait().is_err() {
        child.stdin = None;
    }
}

/// Send the job and wait for the answer, for as long as it is wanted.
fn converse(
    child: &mut Child,
    job: &[u8],
    workbook: &[u8],
    patience: Duration,
    stop: &Stop,
) -> Result<Vec<u8>, Failed> {
    let no_pipe = || Failed::Died("it has no pipes".to_owned());
    let mut input = child.stdin.take().ok_or_else(no_pipe)?;
    let mut output = child.stdout.take().ok_or_else(no_pipe)?;
    let (sender, answers) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // First that the script begins, then what came of it; whoever waits may have gone.
            let begun = wire::receive(&mut output, 0);
            let failed = begun.is_err();
            if sender.send(begun).is_ok() && !failed {
                return sender.send(wire::receive(&mut output, MOST_ANSWER)).is_ok();
            }
            false
        });
        let sent = wire::send(&mut input, job)
            .and_then(|()| wire::send(&mut input, workbook))
            .and_then(|()| input.flush());
        drop(input);
        if let Err(error) = sent {
            end(child);
            return Err(Failed::Died(error.to_string()));
        }
        let mut begun = false;
        let mut until = Instant::now() + OPENING;
        loop {
            match answers.recv_timeout(GLANCE) {
                Ok(Ok(_)) if !begun => {
                    begun = true;
                    until = Instant::now() + patience;
                }
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) => return Err(Failed::Died(error.to_string())),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failed::Died("it said nothing".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) if stop.is_asked() => {
                    end(child);
                    return Err(Failed::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() > until => {
                    end(child);
                    return Err(if begun {
                        Failed::TimedOut
                    } else {
                        Failed::Died("it did not begin".to_owned())
                    });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}
