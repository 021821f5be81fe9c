//! What a request came to, in a few lines for people: what was done or found, in which file, what was not understood.

use workspace::requests::{Answer, Carried, Conclusion, Found, MarkdownStep, SheetStep, ShownCell, Step};
use workspace::targets::Cells;
use workspace::word::op;
use workspace::{DocumentStatus, Ending, Kind, operations};

use crate::report::Line;

pub(super) fn told(answer: &Answer, saved: Option<&str>) -> Vec<Line> {
    let mut lines: Vec<String> = Vec::new();
    let mut changed = Vec::new();
    match &answer.conclusion {
        Conclusion::NotUnderstood(rest) => {
            lines.extend(answer.steps.iter().map(|step| format!("understood: {}", line(step))));
            lines.extend(rest.iter().map(|rest| match rest.text.is_empty() {
                true => format!("not understood: {}", rest.why),
                false => format!("not understood: \"{}\" ({})", rest.text, rest.why),
            }));
        }
        Conclusion::Answered | Conclusion::Changed(_) => {
            // Of operations the engine says what they changed, and they themselves what they found.
            let told = answer.steps.iter().any(|step| matches!(step.found, Some(Found::Told(_))));
            let of_words = answer.document.kind == Kind::Word && !told;
            lines.extend(Some(answer.summary.clone()).filter(|_| of_words));
            lines.extend(answer.steps.iter().map(line));
            changed = changes(answer);
        }
    }
    let notes = answer.notes.iter().map(|note| format!("note: {}", note.text));
    let ending: Vec<String> = notes.chain(last(answer, saved)).collect();
    let texts = |lines: Vec<String>| {
        lines.into_iter().filter(|line| !line.is_empty()).map(|line| Line::Text(line.trim_end().to_owned()))
    };
    texts(lines).chain(changed).chain(texts(ending)).collect()
}

/// Changes that are told one by one; the rest are counted.
const MOST_CHANGES: usize = 12;

/// What changed, read from the result: where, before and after.
fn changes(answer: &Answer) -> Vec<Line> {
    let short = |text: &str| workspace::line_excerpt(text, 160);
    let told = answer.shown.iter().take(MOST_CHANGES).map(|shown| Line::Placed {
        place: shown.place.to_string(),
        before: short(&shown.before),
        after: short(&shown.after),
    });
    let mut lines: Vec<Line> = told.collect();
    match answer.shown.len().saturating_sub(MOST_CHANGES) {
        0 => {}
        more => lines.push(Line::Text(format!("  and {more} more places"))),
    }
    lines
}

/// Where it was done; of a request that only asked there is nothing more to say.
fn last(answer: &Answer, saved: Option<&str>) -> Option<String> {
    let DocumentStatus { path, title, .. } = &answer.document;
    let file = path.as_ref().map_or_else(|| title.clone(), |path| path.display().to_string());
    Some(match (&answer.conclusion, saved) {
        (Conclusion::NotUnderstood(_), _) => format!("nothing was done in {file}"),
        (Conclusion::Answered, None) => return None,
        (Conclusion::Changed(Ending::Previewed), _) => format!("a dry run: nothing was written to {file}"),
        (Conclusion::Changed(Ending::Unchanged), None) => format!("there was nothing to change in {file}"),
        (Conclusion::Changed(Ending::Suggested(id)), _) => format!("waits for a decision as {id} in {file}"),
        (_, Some(path)) => format!("saved {path}"),
        (Conclusion::Changed(Ending::Applied), None) => format!("changed {file}"),
    })
}

/// One step: what it is, and what it found.
fn line(Carried { step, found }: &Carried) -> String {
    match (step, found) {
        (_, Some(Found::Told(lines))) => lines.join("\n"),
        (Step::Word(step), None) => step.to_string(),
        (Step::Word(_), Some(Found::Operation(answer))) => operation(answer),
        (Step::Sheet(step), found) => cells(step, found.as_ref()),
        (Step::Markdown(step), found) => prose(step, found.as_ref()),
        (Step::Word(_), Some(_)) => String::new(),
    }
}

/// What an operation found. What it changed is in the summary.
fn operation(answer: &operations::Answer) -> String {
    match answer {
        op::Answer::Selection { text, .. } => format!("selected: \"{text}\""),
        op::Answer::Found { results } if results.is_empty() => "found nothing".to_owned(),
        op::Answer::Found { results } => {
            let hits = results.iter().map(|hit| format!("found: {}", hit.context.replace(['\n', '\t'], " ")));
            hits.collect::<Vec<_>>().join("\n")
        }
        op::Answer::Styles(list) => {
            let kinds = [
                ("paragraph", &list.paragraph_styles),
                ("character", &list.character_styles),
                ("table", &list.table_styles),
            ];
            let lines = kinds.iter().filter(|(_, styles)| !styles.is_empty()).map(|(kind, styles)| {
                let names: Vec<&str> = styles.iter().map(|style| style.name.as_str()).collect();
                format!("{kind} styles: {}", names.join(", "))
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        op::Answer::Text { .. }
        | op::Answer::Replaced { .. }
        | op::Answer::Picture { .. }
        | op::Answer::Table { .. }
        | op::Answer::TableChanged { .. }
        | op::Answer::TableGone { .. }
        | op::Answer::Styled { .. } => String::new(),
    }
}

fn cells(step: &SheetStep, found: Option<&Found>) -> String {
    match (step, found) {
        (SheetStep::Set { entry, .. }, Some(Found::Written(cells))) => format!("Set {cells} to {entry}"),
        (SheetStep::Clear { .. }, Some(Found::Written(cells))) => format!("Clear {cells}"),
        (_, Some(Found::Read(cells, read))) => read_out(cells, read),
        (step, _) => capitalized(&step.to_string()),
    }
}

/// A step of a workbook is told within sentences too; here it begins a line.
fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn read_out(cells: &Cells, read: &[ShownCell]) -> String {
    let one_line = |cell: &ShownCell| cell.text.replace(['\n', '\t'], " ");
    match read {
        [] => format!("{cells} is empty"),
        [only] if cells.area.is_cell() => format!("{cells} is {}", one_line(only)),
        several => {
            let rows = several.iter().map(|cell| format!("\n  {}\t{}", cell.at, one_line(cell)));
            format!("{cells} is{}", rows.collect::<String>())
        }
    }
}

fn prose(step: &MarkdownStep, found: Option<&Found>) -> String {
    match found {
        Some(Found::Replaced(count)) if *count != 1 => format!("{step} {count} times"),
        Some(Found::Matches(matches)) if matches.is_empty() => "found nothing".to_owned(),
        Some(Found::Matches(matches)) => {
            let lines = matches.iter().map(|found| format!("line {}: {}", found.line, found.context));
            lines.collect::<Vec<_>>().join("\n")
        }
        _ => step.to_string(),
    }
}
