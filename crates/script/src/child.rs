//! The child: one job from stdin, one answer to stdout, and then it ends.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use edit::{Context, Stop};
use serde_json::Value;

use crate::cage;
use crate::engine::{Engine, Printed};
use crate::host::Host;
use crate::wire::{self, Done, ErrorKind, Execution, Job, Said, ScriptError};

/// Of a job without its workbook.
const MOST_JOB: u64 = 32 << 20;
pub(crate) const MOST_WORKBOOK: u64 = 1 << 30;
/// Of what was printed, the result and the accesses together as JSON; clients cut what is longer.
const MOST_TOLD: usize = 84_000;

const NOTHING: &str =
    "the script returned nothing and changed nothing: end it with `return …`, and await what it calls";

/// Read a job, do it, answer. What cannot be answered ends the process, which the parent sees.
pub fn child(from: &mut impl Read, to: &mut impl Write) -> std::io::Result<()> {
    let invalid = |error: String| std::io::Error::new(std::io::ErrorKind::InvalidData, error);
    // Made before there is anything to do, so that a child that waits is ready.
    let engine = Engine::new().map_err(|error| invalid(error.to_string()))?;
    let job = wire::receive(from, MOST_JOB)?;
    let workbook = wire::receive(from, MOST_WORKBOOK)?;
    let job: Job = serde_json::from_slice(&job).map_err(|error| invalid(error.to_string()))?;
    let time = Duration::from_millis(job.milliseconds);
    cage::limit(workbook.len(), time);
    cage::close();
    let begin = &mut || wire::send(to, &[]).and_then(|()| to.flush());
    let said = said(&engine, job, workbook, begin)?;
    let said = serde_json::to_vec(&said).map_err(|error| invalid(error.to_string()))?;
    wire::send(to, &said)?;
    to.flush()
}

fn said(
    engine: &Engine,
    job: Job,
    workbook: Vec<u8>,
    begin: &mut dyn FnMut() -> std::io::Result<()>,
) -> std::io::Result<Said> {
    let host = match Host::open(Arc::new(workbook), Context::new(job.author.clone(), job.now, job.seed)) {
        Ok(host) => Rc::new(RefCell::new(host)),
        Err(refusal) => {
            begin()?;
            return Ok(Said::NotOpened(refusal.to_string()));
        }
    };
    begin()?;
    let deadline = Instant::now() + Duration::from_millis(job.milliseconds);
    host.borrow_mut().until(Stop::when(move || Instant::now() > deadline));
    if let Some(tag) = &job.locale
        && !host.borrow_mut().show_for(tag)
    {
        return Ok(Said::NotOpened(format!("{tag} is no language that is known")));
    }
    let printed = Rc::new(RefCell::new(Printed::new(job.output_chars)));
    let ran = engine.run(&job.code, &job.input.to_string(), &host, &printed, deadline);
    let printed = std::mem::take(&mut *printed.borrow_mut());
    let host = &mut *host.borrow_mut();
    let (accesses, accesses_total) = host.accesses.listed();
    let mut execution = Execution {
        stdout: printed.text,
        truncated: printed.truncated,
        accesses,
        accesses_total,
        ..Execution::default()
    };
    let mut done = Done {
        execution: Execution::default(),
        turns: Vec::new(),
        sheets: Vec::new(),
        result: None,
        previews: std::mem::take(&mut host.previews),
    };
    match ran.and_then(|result| Ok((result, host.finish()?))) {
        Ok((result, finished)) => {
            execution.ok = true;
            execution.result = serde_json::from_str(&result).unwrap_or(Value::Null);
            execution.writes_detected = finished.changed;
            if result.is_empty()
                && execution.stdout.is_empty()
                && done.previews.is_empty()
                && !finished.changed
            {
                execution.note = Some(NOTHING.to_owned());
            }
            if let Some(error) = too_long(&execution, result.len()) {
                execution = Execution {
                    ok: false,
                    result: Value::Null,
                    writes_detected: false,
                    error: Some(error),
                    ..execution
                };
            } else if finished.changed {
                done.turns = finished.turns;
                done.result = Some(finished.print);
            }
            done.sheets = finished.sheets;
        }
        Err(error) => execution.error = Some(error),
    }
    done.execution = execution;
    Ok(Said::Done(Box::new(done)))
}

/// Why an answer is not given: printed text and result are too long together. It is told before anything is kept.
fn too_long(execution: &Execution, result: usize) -> Option<ScriptError> {
    let whole = serde_json::to_string(execution).map_or(usize::MAX, |text| text.len());
    (whole > MOST_TOLD).then(|| ScriptError {
        kind: ErrorKind::Limit,
        code: "EXEC_RESULT_TOO_LARGE".to_owned(),
        message: format!(
            "the answer has {whole} bytes, {result} of them the result, and {MOST_TOLD} can be told; nothing was kept. Return less, or print less"
        ),
        line: None,
        column: None,
    })
}
