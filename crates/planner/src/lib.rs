//! Plain requests to operations, without a model.
//!
//! "Replace all 2024 with 2025 in the document" is clear enough for a grammar, and a grammar is fast, free,
//! offline and the same every time. What the grammar does not cover it says plainly: every word of a step
//! must have been understood, or the step is handed back. Nothing is guessed.
//!
//! ```
//! use planner::{Format, Step, understand};
//!
//! let plan = understand("Make the selection bold. Then fold the page in half.", Format::Word);
//! assert!(matches!(plan.steps[..], [Step::Word(_)]));
//! assert_eq!(plan.rest[0].text, "fold the page in half");
//! ```

mod beyond;
mod doubt;
mod phrase;
mod split;
mod token;
mod verbs;

mod colour;
mod markdown;
mod sheet;
mod word;

pub use markdown::{
    BlockAct, BlockKind, Count, Flavour, Ground, ListShape, MarkdownStep, Picked, Place, Row, Shape, Spot,
};
pub use sheet::{
    Address, CellLook, Condition, Entry, Far, Lines, SheetRef, SheetStep, Summary, Test, Towards,
};
pub use word::{
    Beside, CommentAct, CommentPick, Countable, Decided, Inserted, Line, Look, Mention, Pick, Target, Which,
    WordAct, WordStep, looks,
};

/// What kind of document the request is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Word,
    Sheet,
    Markdown,
}

/// What was understood of a request.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// What was not, in order.
    pub rest: Vec<NotUnderstood>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Word(WordStep),
    Sheet(SheetStep),
    Markdown(MarkdownStep),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUnderstood {
    pub text: String,
    pub why: String,
}

/// Why one step could not be turned into an operation.
type Unclear = String;

/// Turn a request into operations.
pub fn understand(request: &str, format: Format) -> Plan {
    let tokens = token::tokens(request);
    let mut plan = Plan::default();
    let parts = match split::steps(&tokens) {
        Ok(parts) => parts,
        Err(at) => {
            let why = format!(
                "either all of it is the text, or `{}` is to be done after it: put the text in quotation marks",
                token::source(request, &tokens[at..])
            );
            plan.rest.push(NotUnderstood { text: request.trim().to_owned(), why });
            return plan;
        }
    };
    let several = parts.len() > 1;
    let mut scope = None;
    let (mut shifted, mut tracked) = (false, false);
    for part in parts {
        let mut words = phrase::Words::new(part);
        verbs::plain(&mut words, format);
        if words.is_empty() {
            continue;
        }
        if format == Format::Word && several && words.turns_on_tracking() {
            tracked = true;
            continue;
        }
        if tracked {
            ["with", "tracked", "changes"].iter().for_each(|word| words.push_back(word));
        }
        // "In clause 2, replace A with B, then C with D": the place at the front is that of every part.
        match (words.leading_place(), &scope) {
            (Some((place, rest)), None) if several && format != Format::Sheet && plan.steps.is_empty() => {
                scope = Some(place);
                words = rest;
                verbs::plain(&mut words, format);
            }
            _ => {}
        }
        let text = token::source(request, part);
        let placed = placed(words, scope.as_ref());
        // Lines that come or go give those below them other numbers.
        let checked = placed.and_then(|words| {
            if shifted && words.counts_lines() && !words_in_turn(request) {
                return Err(
                    "numbers of lines change when lines come or go before it; say them in one part, such as `delete rows 2 to 4`, \
                     or ask again"
                        .to_owned(),
                );
            }
            Ok(words)
        });
        let words = match checked {
            Ok(words) => words,
            Err(why) => {
                plan.rest.push(NotUnderstood { text, why });
                continue;
            }
        };
        shifted |= shifts(&words);
        match unfit(&words, format) {
            Some(why) => plan.rest.push(NotUnderstood { text, why }),
            None => understand_part(request, &text, &words, format, &mut plan),
        }
    }
    plan
}

/// A part at the place that stood before all of them.
fn placed(words: phrase::Words, scope: Option<&phrase::Words>) -> Result<phrase::Words, Unclear> {
    let Some(place) = scope else { return Ok(words) };
    let leads = ["in", "within", "under", "throughout", "everywhere"];
    if leads.iter().any(|lead| words.position(&[lead]).is_some()) {
        return Err(
            "the place at the front may be meant for this part too, which names another; say the place in each part"
                .to_owned(),
        );
    }
    let mut placed = place.clone();
    placed.push_mark(',');
    placed.append(words);
    Ok(placed)
}

/// Whether lines come or go.
fn shifts(words: &phrase::Words) -> bool {
    let lines = [
        "row",
        "rows",
        "column",
        "columns",
        "clause",
        "clauses",
        "paragraph",
        "paragraphs",
        "step",
        "item",
        "bullet",
    ];
    words.begins("delete|remove|drop|insert|add")
        && lines.iter().any(|noun| words.position(&[noun]).is_some())
}

/// Why a part cannot be meant as it stands, whatever its sentence is.
fn unfit(words: &phrase::Words, format: Format) -> Option<Unclear> {
    beyond::needs_more(words)
        .or_else(|| doubt::falls_short(&words.plain_words()))
        .or_else(|| doubt::joins_a_place(&words.plain_words()))
        .or_else(|| (format != Format::Word).then(|| doubt::renames_widely(&words.plain_words())).flatten())
}

/// The steps of one part, behind those of the parts before it.
fn understand_part(request: &str, text: &str, words: &phrase::Words, format: Format, plan: &mut Plan) {
    let unclear = |why| NotUnderstood { text: text.to_owned(), why };
    let done = plan.steps.len();
    let group = several_of(words, format);
    // "Set B2 to 1 and B3 to 2 on Inputs": a sheet at the end is that of all.
    let home = match (format, group.as_slice()) {
        (Format::Sheet, [_, .., last]) => sheet::behind(last),
        _ => None,
    };
    for words in group {
        let towards = words.towards;
        let understood = attempt(words, format)
            .map(|step| directed(step, towards))
            .map(|step| sheet::at_home(step, home.as_ref()))
            .and_then(|step| referring(step, plan.steps.last()))
            .and_then(|step| sheet::on_a_named_sheet(step, &plan.steps));
        match understood {
            Ok(step) if !words_in_turn(request) && chained(&step, &plan.steps) => plan.rest.push(unclear(
                "an earlier replacement writes the text that this one looks for, and both may be meant of the text as it \
                 stands; say `then` between them if one follows the other"
                    .to_owned(),
            )),
            Ok(step) if asked_back(request) && !only_asks(&step) => plan.rest.push(unclear(
                "that is a question, and I would have changed the document; say it without the question mark".to_owned(),
            )),
            Ok(step) => plan.steps.push(step),
            Err(why) => plan.rest.push(unclear(why)),
        }
    }
    // "Delete row 2 and freeze the top row on Inputs": whether the sheet is meant for the first part too is not guessed.
    if let Some(why) = sheet::only_the_last_is_placed(words, &plan.steps, done) {
        plan.rest.push(unclear(why));
    }
}

/// Whether somebody said that the parts are meant one after the other.
fn words_in_turn(request: &str) -> bool {
    request.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("then"))
}

/// What a step looks for and what it writes in its place.
fn exchanged(step: &Step) -> Option<(&str, &str)> {
    match step {
        Step::Word(WordStep { act: WordAct::Replace { find, with }, .. }) => Some((&find.text, with)),
        Step::Word(WordStep { act: WordAct::Op(::word::op::Op::Replace(replace)), .. }) => {
            match &replace.target {
                ::word::op::Target::Query { query, .. } => Some((query, &replace.with)),
                ::word::op::Target::Whole(_) => None,
            }
        }
        Step::Sheet(SheetStep::Replace { text, with, .. }) => Some((text, with)),
        Step::Markdown(MarkdownStep::Replace { text, with, .. }) => Some((text, with)),
        Step::Markdown(MarkdownStep::RenameSection { title, to }) => Some((title, to)),
        Step::Markdown(MarkdownStep::RenameColumn { name, to, .. }) => Some((name, to)),
        Step::Sheet(SheetStep::RenameSheet { sheet, to }) => Some((sheet, to)),
        _ => None,
    }
}

/// Whether a replacement looks for what one before it writes: "A with B and B with A" would make both the same.
fn chained(step: &Step, before: &[Step]) -> bool {
    let Some((sought, _)) = exchanged(step) else { return false };
    let sought = sought.to_lowercase();
    let mut written = before.iter().filter_map(exchanged);
    !sought.is_empty() && written.any(|(_, with)| with.to_lowercase().contains(&sought))
}

/// Whether an order ends in a question mark: "Delete clause 4.1?"; "Can you delete it?" is an order.
fn asked_back(request: &str) -> bool {
    let text = request.trim();
    let first = text.split_whitespace().next().unwrap_or(text);
    // "Add a comment saying Is this right?" ends with what it writes.
    let tells = [":", "saying", "says", "reading", "reads", "comment", "footnote", "reply"];
    text.ends_with('?') && split::is_verb(first) && !tells.iter().any(|word| text.contains(word))
}

/// "Raise the fee to 5": a step with the way that a number is to go.
fn directed(mut step: Step, way: Option<Towards>) -> Step {
    match &mut step {
        Step::Word(step) => step.towards = way,
        Step::Sheet(SheetStep::Set { towards, .. }) => *towards = way,
        _ => {}
    }
    step
}

fn only_asks(step: &Step) -> bool {
    match step {
        Step::Word(step) => step.only_reads(),
        Step::Sheet(step) => step.only_reads(),
        Step::Markdown(step) => step.only_reads(),
    }
}

/// One verb for several things: "replace "a" with "b" and "c" with "d"", "set B2 to 5 and B3 to 6".
fn several_of(words: &phrase::Words, format: Format) -> Vec<phrase::Words> {
    let pairs = match () {
        () if words.begins("replace|substitute") => words.pairs(&["with", "by"]),
        () if words.begins("swap") => words.pairs(&["for", "with"]),
        () if words.begins("change|rename") => words.pairs(&["to", "into"]),
        () if words.begins("set|change|put|enter|write") && format == Format::Sheet => sheet::several(words),
        () => None,
    };
    let pairs = pairs
        .or_else(|| plain_pairs(words, format))
        .or_else(|| clauses(words, format))
        .or_else(|| each_clause(words, format));
    pairs.unwrap_or_else(|| vec![words.clone()])
}

/// "Change A to B and C to D" without quotation marks: each part has its own `to`, and no place that may be meant for all.
fn plain_pairs(words: &phrase::Words, format: Format) -> Option<Vec<phrase::Words>> {
    let by = match () {
        () if words.begins("replace|substitute") => "with|by",
        () if words.begins("change|rename|set") => "to",
        () => return None,
    };
    // As one request it is understood, or it is none of these.
    if attempt(words.clone(), format).is_ok() {
        return None;
    }
    let mut rest = words.clone();
    let verb = rest.word()?;
    let parts = rest.parts();
    let places = [
        "in",
        "within",
        "under",
        "except",
        "only",
        "but",
        "if",
        "everywhere",
        "throughout",
        "unless",
        "where",
    ];
    let fits = |part: &phrase::Words| {
        let mut part = part.clone();
        let tail = part.cut(by);
        let once = tail.is_some_and(|mut tail| !tail.is_empty() && tail.cut(by).is_none());
        once && !part.is_empty()
    };
    let placed = |part: &phrase::Words| places.iter().any(|place| part.position(&[place]).is_some());
    if parts.len() < 2 || !parts.iter().all(fits) {
        return None;
    }
    // A place behind the last holds for all of them.
    let mut parts = parts;
    let (last, before) = parts.split_last_mut()?;
    if before.iter().any(placed) {
        return None;
    }
    if placed(last) {
        let at = (2..last.len()).find(|at| last.split_at(*at).1.begins("in|within|under|throughout"))?;
        let (head, place) = last.split_at(at);
        let only_there = !places.iter().any(|word| head.position(&[word]).is_some());
        let spoken =
            place.begins("in the|in clause|in section|in paragraph|within|under|throughout|in step|in table");
        if !only_there || !spoken || place.len() > 5 {
            return None;
        }
        before.iter_mut().for_each(|part| part.append(place.clone()));
    }
    let parts: Vec<phrase::Words> = parts
        .into_iter()
        .map(|mut part| {
            part.push_front(&verb);
            part
        })
        .collect();
    parts.iter().all(|part| attempt(part.clone(), format).is_ok()).then_some(parts)
}

/// "Make clauses 2.1 and 4.1 italic", "replace A with B in clauses 2 and 4": the same for each of them.
fn each_clause(words: &phrase::Words, format: Format) -> Option<Vec<phrase::Words>> {
    let excepted = ["except", "excluding", "but", "not", "between", "than"]
        .iter()
        .any(|word| words.position(&[word]).is_some());
    let does = words.begins(
        "make|replace|change|bold|italicise|italicize|underline|justify|center|centre|highlight|set|align|comment|color|colour",
    );
    if format != Format::Word || excepted || !does {
        return None;
    }
    let parts = words.each_of(&["clauses", "sections"], "clause")?;
    parts.iter().all(|part| attempt(part.clone(), format).is_ok()).then_some(parts)
}

/// "Delete 1.2 and 1.3", "delete clauses 4.1 and 4.2": the last first, so that the others keep their numbers.
fn clauses(words: &phrase::Words, format: Format) -> Option<Vec<phrase::Words>> {
    let mut rest = words.clone();
    if format != Format::Word || !rest.eats("delete|remove|drop") {
        return None;
    }
    rest.eats("the");
    let noun = rest.eats("clauses|sections|sub-clauses|subclauses");
    let parts = rest.parts();
    let mut labels = Vec::new();
    for mut part in parts {
        part.eats("clause|section|sub-clause|subclause");
        let label = part.word()?;
        let digits = label.split('.').map(str::parse::<u32>).collect::<Result<Vec<_>, _>>().ok()?;
        (part.is_empty() && (noun || digits.len() > 1)).then_some(())?;
        labels.push(digits);
    }
    let before = labels.len();
    labels.sort();
    labels.dedup();
    // One inside another would be deleted twice.
    let apart = labels.windows(2).all(|pair| !pair[1].starts_with(&pair[0]));
    (before > 1 && apart && labels.len() == before).then_some(())?;
    let step = |digits: &Vec<u32>| {
        let label: Vec<String> = digits.iter().map(u32::to_string).collect();
        let mut step = phrase::Words::default();
        ["delete", "clause", &label.join(".")].iter().for_each(|word| step.push_back(word));
        step
    };
    Some(labels.iter().rev().map(step).collect())
}

fn attempt(words: phrase::Words, format: Format) -> Result<Step, Unclear> {
    match format {
        Format::Word => word::step(words).map(Step::Word),
        Format::Sheet => sheet::step(words).map(Step::Sheet),
        Format::Markdown => markdown::step(words).map(Step::Markdown),
    }
}

/// "Center 'Total' and make it red": the step with what `it` stands for, which the step before says.
fn referring(step: Step, before: Option<&Step>) -> Result<Step, Unclear> {
    match (step, before) {
        (Step::Word(step), Some(Step::Word(before))) if word::mentions_it(&step) => {
            word::referring(step, before).map(Step::Word)
        }
        // With nothing said before, what is selected is meant.
        (Step::Word(step), None) if word::mentions_it(&step) => {
            word::referring(step, &WordStep::plain(WordAct::Op(::word::op::Op::GetSelection))).map(Step::Word)
        }
        (Step::Sheet(step), before) => {
            let before = before.and_then(|before| match before {
                Step::Sheet(before) => Some(before),
                _ => None,
            });
            sheet::referring(step, before).map(Step::Sheet)
        }
        (step, _) => Ok(step),
    }
}

#[cfg(test)]
mod tests;
