//! `docwright ask`: plain requests.

mod words;

use std::path::Path;

use mcp::{Done, ToolError};
use workspace::Ending;
use workspace::requests::{self, Conclusion, Request};

use crate::access;
use crate::cli::word::Rules;
use crate::cli::{Ask, Destined, Net};
use crate::one_file::OneFile;
use crate::report::{self, Failure, Verdict};

pub(crate) fn run(arguments: &Ask, json: bool) -> Result<Verdict, Failure> {
    let Ask { file, request, rules, net, into } = arguments;
    carry_out(&open(file, net, into)?, request, *rules, into, json)
}

pub(super) fn open(file: &Path, net: &Net, into: &Destined) -> Result<OneFile, Failure> {
    let others: Vec<&Path> = into.output.as_deref().into_iter().collect();
    OneFile::open_with(file, &others, &into.author(), access::network(net)?)
}

/// Carries out a request on the desk's document, and saves what came of it.
pub(super) fn carry_out(
    desk: &OneFile,
    request: &str,
    rules: Rules,
    into: &Destined,
    json: bool,
) -> Result<Verdict, Failure> {
    let mode = into.destination().mode();
    let request =
        Request { text: request, session: None, markup: rules.markup(), mode, standing: rules.standing() };
    let answer = requests::carry_out(&desk.workspace, desk.document, &request).map_err(ToolError::from)?;
    if let Conclusion::Changed(ending) = &answer.conclusion {
        desk.must_not_wait(ending)?;
    }
    let (saved, verdict) = match answer.conclusion {
        Conclusion::NotUnderstood(_) | Conclusion::Changed(Ending::Unchanged) => (None, Verdict::Failed),
        Conclusion::Answered | Conclusion::Changed(_) => (desk.save_changes(into)?, Verdict::Done),
    };
    let saved = saved.map(|saved| saved.path.display().to_string());
    report::answer_lines(json, &Done::from(&answer), |_| words::told(&answer, saved.as_deref()))?;
    Ok(verdict)
}
