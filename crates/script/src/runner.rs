//! The parent: starts children, hands them jobs, ends them in time, and takes their answers with no more trust than
//! anybody else's.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use edit::Stop;
use serde_json::Value;
use sheet::Run;

use crate::child::MOST_WORKBOOK;
use crate::engine::{out_of_memory, timeout};
use crate::functions::MOST_PICTURES;
use crate::host::MOST_EDITS;
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
            .stderr(Stdio::piped())
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
        let stopped = match &answer {
            Err(Failed::TimedOut) => Some(timeout()),
            Err(Failed::Died(_)) if ran_out_of_memory(&mut child) => Some(out_of_memory()),
            _ => None,
        };
        if let Some(error) = stopped {
            self.keep_spare();
            return Ok(Ran {
                execution: Execution { error: Some(error), ..Execution::default() },
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
                // The child counts them too, but it is not believed.
                let edits: usize = turns.iter().map(Vec::len).sum();
                if edits > MOST_EDITS {
                    return Err(Failed::Died(format!("it told of {edits} edits, over {MOST_EDITS}")));
                }
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

/// Whether a child that ended says that its memory was over, which is no fault of the program: Rust has no other way to
/// end then.
fn ran_out_of_memory(child: &mut Child) -> bool {
    const MOST_SAID: u64 = 4_096;
    let mut said = Vec::new();
    let read = child.stderr.take().map(|last_words| last_words.take(MOST_SAID).read_to_end(&mut said));
    read.is_some_and(|read| read.is_ok()) && String::from_utf8_lossy(&said).contains("memory allocation of")
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

#[cfg(all(test, unix))]
mod tests {
    use std::sync::Arc;

    use edit::{Context, Draft, Format as _};
    use serde_json::json;
    use sheet::{Edit, Sheet};

    use super::*;

    /// What the parent makes of an answer that a child did not come to honestly.
    fn forged(answer: &[u8], length: u64) -> Result<Ran, Failed> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("answer");
        let mut frames = 0u64.to_le_bytes().to_vec();
        frames.extend(length.to_le_bytes());
        frames.extend(answer);
        std::fs::write(&file, frames).expect("it is written");
        let command = format!("/bin/cat '{}'; /bin/cat > /dev/null", file.display());
        let runner = Runner::new(PathBuf::from("/bin/sh"), vec!["-c".to_owned(), command]);
        let script = Script {
            code: "return 1".to_owned(),
            input: json!({}),
            time: Duration::from_secs(30),
            output_chars: 100,
            locale: None,
            author: "Ann".to_owned(),
            now: 0,
            seed: 1,
        };
        runner.run(&script, b"", &Stop::never())
    }

    fn answer(turns: &Value, result: &str) -> Vec<u8> {
        let execution = Execution { ok: true, writes_detected: true, ..Execution::default() };
        let done = json!({ "execution": execution, "turns": turns, "sheets": [], "result": result });
        json!({ "done": done }).to_string().into_bytes()
    }

    fn whole(answer: &[u8]) -> Result<Ran, Failed> {
        forged(answer, answer.len() as u64)
    }

    #[test]
    fn a_forged_answer_is_refused() {
        let died = |ran: Result<Ran, Failed>| match ran {
            Err(Failed::Died(why)) => why,
            other => panic!("{other:?}"),
        };
        let unknown = died(whole(&answer(&json!([[{ "op": "write_file", "path": "/etc/passwd" }]]), "x")));
        assert!(unknown.contains("unknown variant"), "{unknown}");
        assert!(died(whole(b"{\"done\":")).contains("EOF"));
        assert!(died(forged(b"{}", u64::MAX)).contains("over"));
        let edit = json!({ "op": "add_sheet", "name": "New" });
        let many = answer(&json!([vec![edit.clone(); MOST_EDITS + 1]]), "x");
        assert!(died(whole(&many)).contains("edits, over"));
        // A patch that the edits do not come to is only found when they are made again.
        let run = whole(&answer(&json!([[edit]]), "another result")).expect("it is read").run.expect("a run");
        let file = Arc::new(sheet::new_workbook(&["S"]).expect("a workbook"));
        let (_, content) = Sheet::unpack(file, &sheet::limits()).expect("it opens");
        let view = Sheet::view(&content).expect("it has a view");
        let cx = Context::new("Ann".to_owned(), 0, 1);
        let made = Sheet::make(Draft::new(content, view), &Edit::Run(run), &cx);
        assert!(made.is_err_and(|refusal| refusal.to_string().contains("another result")));
    }
}
