//! Old binary workbooks (`.xls`), read in a process of their own.
//!
//! Broken ones have made the reader panic, abort, run for ever and ask for gigabytes. So the program starts
//! itself anew for them, gives the file to the child's stdin and takes an `.xlsx` file from its stdout; limits on
//! time and memory end what goes wrong, and nothing of it reaches the parent.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use workspace::{Refusal, sheet};

use crate::report::{Failure, Verdict};

/// The hidden command that the child runs.
pub(crate) const COMMAND: &str = "read-old-workbook";

const TIME: Duration = Duration::from_secs(60);
const MEMORY: u64 = 2 << 30;
/// Of the file that goes in, and of the one that comes out.
const MOST_BYTES: u64 = 512 << 20;

/// An old workbook as an `.xlsx` file, and what did not come over.
#[derive(Debug)]
pub(crate) struct Old {
    pub(crate) file: Vec<u8>,
    pub(crate) notes: Vec<String>,
}

/// The file as a new workbook if it is an old one; nothing for all other files.
pub(crate) fn read(path: &Path) -> Result<Option<Old>, Failure> {
    let disk = |error: std::io::Error| Failure::new("DISK_ERROR", format!("{}: {error}", path.display()));
    // A file that is not there is for those to report who open files.
    let Ok(mut file) = std::fs::File::open(path) else { return Ok(None) };
    let mut start = [0; 8];
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let named = matches!(extension.to_ascii_lowercase().as_str(), "xls" | "xlt");
    if !named || file.read_exact(&mut start).is_err() || !sheet::is_old(&start) {
        return Ok(None);
    }
    let bytes = std::fs::read(path).map_err(disk)?;
    convert(bytes, &path.display().to_string()).map(Some)
}

/// The same for workspaces, which have read the file.
pub(crate) fn converter() -> workspace::Converter {
    workspace::Converter::new(|bytes| {
        let old = convert(bytes.to_vec(), "the old workbook");
        old.map(|old| old.file).map_err(|failure| match failure.code.as_str() {
            "ENCRYPTED" => Refusal::Encrypted,
            _ => {
                let what = "the old workbook";
                let said = failure.message.strip_prefix(&format!("{what} cannot be read: "));
                Refusal::Corrupt { what: what.to_owned(), why: said.unwrap_or(&failure.message).to_owned() }
            }
        })
    })
}

fn convert(bytes: Vec<u8>, name: &str) -> Result<Old, Failure> {
    let disk = |error: std::io::Error| Failure::new("DISK_ERROR", format!("{name}: {error}"));
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Failure::new("LIMIT_EXCEEDED", format!("{name} is too large to convert")));
    }
    let broken = |why: &str| {
        Failure::new("CORRUPT_FILE", format!("{name} cannot be read: {why}"))
            .with_hint("open it in Excel or LibreOffice and save it as .xlsx")
    };
    let program = std::env::current_exe().map_err(disk)?;
    let mut child = Command::new(program)
        .arg(COMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(disk)?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let feeder = std::thread::spawn(move || {
        // A child that died does not read on; its status says why.
        let _ = input.map(|mut input| input.write_all(&bytes));
    });
    let reader = std::thread::spawn(move || {
        let mut answer = Vec::new();
        let _ = output.map(|output| output.take(MOST_BYTES).read_to_end(&mut answer));
        answer
    });
    let status = wait(&mut child);
    let answer = reader.join().unwrap_or_default();
    let _ = feeder.join();
    match status {
        None => return Err(broken("it took too long")),
        Some(status) if !status.success() && answer.is_empty() => {
            return Err(broken("the reader gave up on it"));
        }
        Some(_) => {}
    }
    let split =
        answer.iter().position(|byte| *byte == b'\n').ok_or_else(|| broken("the reader said nothing"))?;
    let (head, rest) = answer.split_at(split);
    match serde_json::from_slice::<Answer>(head) {
        Ok(Answer::Notes(notes)) => Ok(Old { file: rest[1..].to_vec(), notes }),
        Ok(Answer::Refused { code, message, hint }) => Err(Failure { code, message, hint }),
        Err(_) => Err(broken("the reader gave no sensible answer")),
    }
}

/// The first line that the child answers; the file follows the notes.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Notes(Vec<String>),
    Refused { code: String, message: String, hint: Option<String> },
}

fn wait(child: &mut Child) -> Option<ExitStatus> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(2);
    while started.elapsed() < TIME {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) => std::thread::sleep(pause),
            Err(_) => break,
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// The child: reads an old workbook from stdin and answers on stdout.
pub(crate) fn child() -> Result<Verdict, Failure> {
    limit();
    let fail = |error: std::io::Error| Failure::new("OUTPUT", error.to_string());
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes).map_err(fail)?;
    let (answer, file) = match sheet::from_xls(&bytes) {
        Ok(converted) => (Answer::Notes(converted.notes), converted.file),
        Err(refusal) => {
            let Failure { code, message, hint } = refusal.into();
            (Answer::Refused { code, message, hint }, Vec::new())
        }
    };
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, &answer).map_err(|error| fail(error.into()))?;
    out.write_all(b"\n").and_then(|()| out.write_all(&file)).and_then(|()| out.flush()).map_err(fail)?;
    Ok(Verdict::Done)
}

#[cfg(unix)]
fn limit() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let most = |value: u64| Rlimit { current: Some(value), maximum: Some(value) };
    // Where the system knows no such limit, the time is still limited by the parent.
    let _ = setrlimit(Resource::As, most(MEMORY));
    let _ = setrlimit(Resource::Cpu, most(TIME.as_secs()));
    let _ = setrlimit(Resource::Core, most(0));
}

#[cfg(not(unix))]
fn limit() {}
