//! What is asked of a Word document: how many, where, and what does it say.

use edit::{OrEmpty, Refusal};
use planner::{Countable, Mention, Target, Which, WordAct, WordStep};
use word::Side;

use super::ground::{Ground, Meant, excerpt};

/// Lines that one answer has.
const MOST_LINES: usize = 50;

pub(super) fn answer(ground: &Ground<'_>, step: &WordStep) -> Result<Vec<String>, Refusal> {
    let around = ground.around(&step.within)?;
    match &step.act {
        WordAct::Find { what } => find(ground, step, what, around.as_ref()),
        WordAct::Where { what, defined } => places_of(ground, what, *defined, around.as_ref()),
        WordAct::Count { what } => count(ground, *what, around.as_ref()),
        WordAct::Read { target } => read(ground, step, target),
        WordAct::Show { what } => show(ground, *what, around.as_ref()),
        WordAct::Op(word::op::Op::Search(search)) => {
            let what = Mention { text: search.query.clone(), which: Which::All, matching: search.matching };
            find(ground, step, &what, around.as_ref())
        }
        _ => Err(Refusal::Unsupported {
            what: "a question of that kind together with a change".to_owned(),
            instead: Some("ask first, and change in a request of its own".to_owned()),
        }),
    }
}

fn find(
    ground: &Ground<'_>,
    step: &WordStep,
    what: &Mention,
    around: Option<&Meant>,
) -> Result<Vec<String>, Refusal> {
    let mut except = Vec::new();
    for target in &step.except {
        except.extend(ground.paragraphs(&ground.find(target, &[])?)?);
    }
    let hits = ground.mentions(what, around, &except)?;
    if hits.is_empty() {
        return Ok(vec![format!("\"{}\" is not found there", what.text)]);
    }
    let hits = ground.chosen(what, hits)?;
    let mut lines = vec![format!("{} found {} time(s)", format_args!("\"{}\"", what.text), hits.len())];
    for (span, _) in hits.iter().take(MOST_LINES) {
        let label = ground.place_at(span).and_then(|place| ground.view.label(place, Side::Final)).or_empty();
        lines.push(format!("{label} {}", ground.context(span)).trim().to_owned());
    }
    Ok(lines)
}

fn places_of(
    ground: &Ground<'_>,
    what: &Mention,
    defined: bool,
    around: Option<&Meant>,
) -> Result<Vec<String>, Refusal> {
    let mut hits = match ground.matches(what, around, &[]) {
        Err(Refusal::NotFound { what: "word", id, nearest }) => {
            return Ok(vec![format!("\"{id}\" is not found as a word; {}", nearest.join("; "))]);
        }
        hits => hits?,
    };
    if defined {
        // A definition has its term in quotation marks.
        hits.retain(|(span, text)| {
            let own = ground.place_at(span).and_then(|place| ground.text(place).ok()).unwrap_or_default();
            ["“", "\"", "„", "‘"].iter().any(|mark| own.contains(&format!("{mark}{text}")))
        });
    }
    let state = if defined { "defined" } else { "found" };
    if hits.is_empty() {
        return Ok(vec![format!("\"{}\" is not {state} there", what.text)]);
    }
    let times = if hits.len() == 1 { "once".to_owned() } else { format!("{} times", hits.len()) };
    let mut lines = vec![format!("\"{}\" is {state} {times}", what.text)];
    for (span, _) in hits.iter().take(MOST_LINES) {
        let place = ground.place_at(span);
        let label = place.and_then(|place| ground.view.label(place, Side::Final)).unwrap_or_default();
        let line = format!("{label} {}", ground.context(span)).trim().to_owned();
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    Ok(lines)
}

fn count(ground: &Ground<'_>, what: Countable, around: Option<&Meant>) -> Result<Vec<String>, Refusal> {
    let places = match around {
        Some(meant) => ground.paragraphs(meant)?,
        None => ground.body(),
    };
    let texts: Vec<String> = places.iter().map(|place| ground.text(*place)).collect::<Result<_, _>>()?;
    let (count, noun) = match what {
        Countable::Words => (texts.iter().map(|text| text.split_whitespace().count()).sum(), "words"),
        Countable::Characters => (texts.iter().map(|text| text.chars().count()).sum(), "characters"),
        Countable::Paragraphs => (ground.prose(&places)?.len(), "paragraphs of text"),
        Countable::Headings => (ground.headings(&places).len(), "headings"),
        Countable::Tables => (ground.tables(around)?.len(), "tables"),
        Countable::Rows => (ground.table_in(around)?.rows.len(), "rows, the header included"),
        Countable::Columns => (ground.table_in(around)?.columns, "columns"),
        Countable::Comments => (comments_in(ground, ground.view.comments()?, around)?.len(), "comments"),
        Countable::OpenComments => {
            (comments_in(ground, open_comments(ground)?, around)?.len(), "open comments")
        }
        Countable::Changes => (changes_in(ground, around)?.len(), "tracked changes"),
        Countable::Footnotes => (footnotes(ground, &places)?, "footnotes"),
    };
    Ok(vec![format!("{count} {noun}")])
}

fn read(ground: &Ground<'_>, step: &WordStep, target: &Target) -> Result<Vec<String>, Refusal> {
    let meant = match (ground.find(target, &step.within), target) {
        // What no table says may be a section.
        (Err(Refusal::NotFound { .. }), Target::Labelled { row: None, column }) => {
            ground.find(&Target::Section(column.clone()), &step.within)?
        }
        (found, _) => found?,
    };
    if let Meant::Table(table) = &meant {
        return Ok((0..table.rows.len()).take(MOST_LINES).map(|row| ground.row_text(table, row)).collect());
    }
    if let (Target::Rows(_), Meant::Rows(table, rows)) = (target, &meant) {
        return Ok(rows.iter().map(|row| ground.row_text(table, *row)).collect());
    }
    let mut lines = Vec::new();
    for place in ground.paragraphs(&meant)?.into_iter().take(MOST_LINES) {
        let label = ground.view.label(place, Side::Final).or_empty();
        lines.push(format!("{label} {}", ground.text(place)?).trim().to_owned());
    }
    Ok(lines)
}

fn told_comments(comments: Vec<word::Comment>) -> Vec<String> {
    comments.into_iter().map(|comment| format!("{}: {}", comment.author, excerpt(&comment.text))).collect()
}

fn open_comments(ground: &Ground<'_>) -> Result<Vec<word::Comment>, Refusal> {
    let threads = ground.view.threads()?;
    let mut comments = ground.view.comments()?;
    comments.retain(|comment| threads.get(&comment.id).is_none_or(|thread| !thread.resolved));
    Ok(comments)
}

fn footnotes(ground: &Ground<'_>, places: &[word::Place]) -> Result<usize, Refusal> {
    let mut count = 0;
    for place in places {
        let paragraph = ground.view.paragraph(*place)?;
        count += paragraph
            .atoms
            .iter()
            .filter(|atom| matches!(atom.kind, word::AtomKind::FootnoteReference { .. }))
            .count();
    }
    Ok(count)
}

/// The comments that hang in a place.
fn comments_in(
    ground: &Ground<'_>,
    mut comments: Vec<word::Comment>,
    around: Option<&Meant>,
) -> Result<Vec<word::Comment>, Refusal> {
    let Some(meant) = around else { return Ok(comments) };
    let places = ground.paragraphs(meant)?;
    let inside: Vec<_> = places.iter().map(|place| ground.view.id(*place)).collect();
    let threads = ground.view.threads()?;
    comments.retain(|comment| {
        threads.get(&comment.id).and_then(|thread| thread.paragraph).is_some_and(|own| inside.contains(&own))
    });
    Ok(comments)
}

/// The tracked changes of a place.
fn changes_in(ground: &Ground<'_>, around: Option<&Meant>) -> Result<Vec<word::Change>, Refusal> {
    let mut changes = word::changes(ground.view)?;
    if let Some(meant) = around {
        let places = ground.paragraphs(meant)?;
        let inside: Vec<_> = places.iter().map(|place| ground.view.id(*place)).collect();
        changes.retain(|change| change.paragraph.is_some_and(|own| inside.contains(&own)));
    }
    Ok(changes)
}

fn show(ground: &Ground<'_>, what: Countable, around: Option<&Meant>) -> Result<Vec<String>, Refusal> {
    let body = match around {
        Some(meant) => ground.paragraphs(meant)?,
        None => ground.body(),
    };
    let mut lines: Vec<String> = match what {
        Countable::Headings => ground
            .headings(&body)
            .into_iter()
            .map(|place| {
                let label = ground.view.label(place, Side::Final).or_empty();
                let depth = usize::from(ground.view.heading_level(place).unwrap_or(1)).saturating_sub(1);
                Ok(format!("{}{}", "  ".repeat(depth), format!("{label} {}", ground.text(place)?).trim()))
            })
            .collect::<Result<_, Refusal>>()?,
        Countable::Comments => told_comments(comments_in(ground, ground.view.comments()?, around)?),
        Countable::OpenComments => told_comments(comments_in(ground, open_comments(ground)?, around)?),
        Countable::Changes => changes_in(ground, around)?
            .into_iter()
            .map(|change| format!("{} by {}: {}", change.kind.name(), change.author, excerpt(&change.text)))
            .collect(),
        Countable::Tables => {
            let tables = ground.tables(around)?;
            let told = tables.iter().enumerate().map(|(index, table)| {
                format!(
                    "table {}: {} rows, {} columns: {}",
                    index + 1,
                    table.rows.len(),
                    table.columns,
                    ground.row_text(table, 0)
                )
            });
            told.collect()
        }
        _ => return Err(Refusal::unsupported("listing these in a plain request")),
    };
    if lines.is_empty() {
        lines.push("there are none".to_owned());
    }
    let more = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    Ok(lines)
}
