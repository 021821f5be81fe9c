//! `docwright xlsx lint`: what may be wrong in a workbook.

use mcp::workbook;
use serde_json::json;
use workspace::sheet::{self, LintOptions, Sheet};
use workspace::{Clock as _, Context, Refusal, SystemClock};

use crate::cli::xlsx::XlsxLint;
use crate::report::{self, Failure, Verdict};

pub(super) fn run(arguments: &XlsxLint, json: bool) -> Result<Verdict, Failure> {
    let Some(file) = &arguments.file else {
        return rules(json);
    };
    let reading = super::open_to_read(file)?;
    let cx = Context::new("reader".to_owned(), SystemClock.now(), 0);
    let (found, note) = reading.desk.read::<Sheet, _>(|view| -> Result<_, Refusal> {
        let options = LintOptions {
            areas: workbook::areas(view, &arguments.range)?,
            only: arguments.only_rule.clone(),
            skip: arguments.skip_rule.clone(),
        };
        let found = sheet::lint(view, &cx, &options)?;
        Ok((workbook::diagnostics(view, &found.findings), found.unfinished))
    })??;
    let answer = json!({ "diagnostics": found, "total": found.len(), "note": note });
    report::answer(json, &answer, |_| {
        let mut text: String = found
            .iter()
            .map(|one| {
                let place = one.location.as_deref().unwrap_or("workbook");
                format!("{place}: {} {}: {}\n", one.severity.to_lowercase(), one.rule_id, one.message)
            })
            .collect();
        text.push_str(&match found.len() {
            0 => "nothing found\n".to_owned(),
            1 => "1 finding\n".to_owned(),
            count => format!("{count} findings\n"),
        });
        if let Some(note) = &note {
            text.push_str(&format!("note: {note}\n"));
        }
        text
    })?;
    let serious = found.iter().any(|one| one.severity != "Info");
    Ok(if serious { Verdict::Findings } else { Verdict::Done })
}

fn rules(json: bool) -> Result<Verdict, Failure> {
    let rules: Vec<_> = sheet::LINT_RULES
        .iter()
        .map(|rule| json!({ "id": rule.id, "severity": rule.severity.name(), "about": rule.about }))
        .collect();
    report::answer(json, &rules, |_| {
        let line =
            |rule: &sheet::LintRule| format!("{:6}{:9}{}\n", rule.id, rule.severity.name(), rule.about);
        sheet::LINT_RULES.iter().map(line).collect()
    })?;
    Ok(Verdict::Done)
}
