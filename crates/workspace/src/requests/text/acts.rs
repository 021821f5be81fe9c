//! What steps come to: the edits, and a line about each that was read from the document.

use edit::{Note, OrEmpty, Refusal};
use planner::{Beside, Inserted, Line, Look, Mention, Pick, Target, Which, WordAct, WordStep, looks};
use word::op::{
    ApplyStyle, InsertText, Location, Op, Operation, Places, Replace, ReplaceMode, Scope, Span, Target as Aim,
};
use word::{
    DeleteParagraph, Edit, InsertBesideTable, InsertParagraphs, Markup, NoteKind, Outcome, Place, Position,
    Toggle, UpdateNote, View,
};

use super::fits::{beside_each_other, crossed, edges, leaves_no_empty_item, shape_fits, text_beside};
use super::ground::{Ground, Meant, excerpt, no_selection};
use super::named::{self, Amended};
use super::{review, tables};
use crate::requests::note;

/// Makes an edit of what those before it left.
pub(super) type Make<'a> = &'a mut dyn FnMut(Edit) -> Result<(View, Outcome), Refusal>;

pub(super) fn carry_out(
    ground: &Ground<'_>,
    step: &WordStep,
    markup: Markup,
    make: Make<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<String>, Refusal> {
    let step = &named::plain(ground, step)?;
    let within = step.within.as_slice();
    match &step.act {
        WordAct::Op(op) => operation(ground, step, op, markup, make),
        WordAct::Format { target, style } => format_meant(ground, step, target, style, markup, make, notes),
        WordAct::Replace { find, with } => replace(ground, step, find, with, markup, make, notes),
        WordAct::SetText { target, text } => set_text(ground, step, target, text, markup, make),
        WordAct::Delete { target } => delete(ground, step, target, markup, make),
        WordAct::Insert { text, kind, side, target } => {
            insert(ground, &insertion_point(ground, target, within)?, text, *kind, *side, markup, make)
        }
        WordAct::InsertRows { .. }
        | WordAct::InsertColumns { .. }
        | WordAct::Sort { .. }
        | WordAct::ListToTable { .. } => tables::carry_out(ground, step, markup, make, notes),
        WordAct::Comment { target, text } => review::comment(ground, target, within, text, make),
        WordAct::Footnote { after, text } => review::footnote(ground, after, within, text, markup, make),
        WordAct::RemoveComments { author } => review::remove_comments(ground, author.as_deref(), make),
        WordAct::OnComment { which, act } => review::on_comment(ground, which, act, make),
        WordAct::Amend { what, was, with } => {
            goes(step, was, with)?;
            amend(ground, within, (what, was, with), markup, make)
        }
        WordAct::Decide { accept, author, kind } => {
            review::decide(ground, step, *accept, author.as_deref(), *kind, make)
        }
        WordAct::Find { .. }
        | WordAct::Where { .. }
        | WordAct::Count { .. }
        | WordAct::Read { .. }
        | WordAct::Show { .. } => Err(Refusal::internal("a question changes nothing")),
    }
}

fn operation(
    ground: &Ground<'_>,
    step: &WordStep,
    op: &Op,
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let places = Places { selection: ground.selection.clone(), named: ground.ranges.named.clone() };
    super::check_selection(std::slice::from_ref(op), places.selection.is_some())?;
    let (_, outcome) = make(Edit::Op(Box::new(Operation { op: op.clone(), places, markup })))?;
    let Outcome::Op { answer } = outcome else { return Ok(Vec::new()) };
    super::found_something(op, &answer)?;
    Ok(vec![step.to_string()])
}

fn format_meant(
    ground: &Ground<'_>,
    step: &WordStep,
    target: &Target,
    style: &ApplyStyle,
    markup: Markup,
    make: Make<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<String>, Refusal> {
    let target = match target {
        Target::Implied if ground.selection.is_none() && !step.within.is_empty() => &Target::Document,
        // A font without a place is the document's; anything else would be a guess.
        Target::Implied if ground.selection.is_none() => {
            let only_font = ApplyStyle {
                character: word::op::CharacterFormat {
                    font_name: None,
                    font_size: style.character.font_size.filter(|_| style.character.font_name.is_none()),
                    ..style.character.clone()
                },
                ..style.clone()
            };
            if only_font != ApplyStyle::default() {
                return Err(no_selection());
            }
            notes.push(note("no text was named, so the font of the whole document was changed"));
            &Target::Document
        }
        target => target,
    };
    format(ground, step, target, style, markup, make)
}

fn replace(
    ground: &Ground<'_>,
    step: &WordStep,
    find: &Mention,
    with: &str,
    markup: Markup,
    make: Make<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<String>, Refusal> {
    let around = ground.around(&step.within)?;
    let except = excepted(ground, &step.except)?;
    if find.matching == Default::default() && find.which == Which::All {
        let found = ground.ruled(find, around.as_ref(), &except)?;
        notes.extend(found.remark(&find.text).map(note));
    }
    let hits = looked_at(ground, ground.matches(find, around.as_ref(), &except)?, step.only_if)?;
    let hits = ground.chosen(find, hits)?;
    replaced(&hits, find, with, markup, make)
}

fn insertion_point(ground: &Ground<'_>, target: &Target, within: &[Target]) -> Result<Meant, Refusal> {
    match target {
        Target::Implied | Target::Selection => match &ground.selection {
            Some(span) => Ok(Meant::Spans(vec![span.clone()])),
            None => Err(no_selection()),
        },
        target => ground.find(target, within),
    }
}

fn amend(
    ground: &Ground<'_>,
    within: &[Target],
    (what, was, with): (&str, &str, &str),
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let (edit, told) = match ground.amended(what, was, ground.around(within)?.as_ref())? {
        Amended::Cell(table, row, column) => {
            (tables::cell_edit(ground, &table, row, column, with, markup)?, ground.row_text(&table, row))
        }
        Amended::Text(span) => {
            let told = ground.context(&span);
            let target = Aim::Whole(here());
            let op = Op::Replace(Replace { target, with: with.to_owned(), mode: ReplaceMode::All });
            (op_on(vec![(op, span)], markup), told)
        }
    };
    make(edit)?;
    Ok(vec![format!("\"{was}\" → \"{with}\" in \"{told}\"")])
}

pub(super) fn op_on(spans: Vec<(Op, Span)>, markup: Markup) -> Edit {
    let operation = |(op, span): (Op, Span)| {
        let mut places = Places::default();
        places.named.insert("here".to_owned(), span);
        Operation { op, places, markup }
    };
    let mut operations: Vec<Operation> = spans.into_iter().map(operation).collect();
    match operations.len() {
        1 => Edit::Op(Box::new(operations.remove(0))),
        _ => Edit::Ops { operations },
    }
}

pub(super) fn here() -> Scope {
    Scope::Range("here".to_owned())
}

/// What is left out of a place that is formatted: the first cell of a row is that of this row. What is no part of the place
/// takes nothing away from it, and so was not what was meant.
fn left_out(ground: &Ground<'_>, step: &WordStep, meant: &Meant) -> Result<Vec<Place>, Refusal> {
    let mut places = Vec::new();
    let inside = ground.paragraphs(meant)?;
    for target in &step.except {
        let own = match (meant, target) {
            (Meant::Rows(table, rows), Target::Cell { row, column }) if ends(*row, column) => {
                let column = ground.column(table, column)?;
                let cells =
                    rows.iter().map(|row| ground.paragraphs(&Meant::Cell(table.clone(), *row, column)));
                cells.collect::<Result<Vec<_>, _>>()?.concat()
            }
            (Meant::Columns(table, columns), Target::Cell { row, column }) if ends(*row, column) => {
                let row = super::ground::nth(*row, table.rows.len(), "row")?;
                let cells =
                    columns.iter().map(|column| ground.paragraphs(&Meant::Cell(table.clone(), row, *column)));
                cells.collect::<Result<Vec<_>, _>>()?.concat()
            }
            _ => ground.paragraphs(&ground.find(target, &[])?)?,
        };
        if !own.iter().any(|place| inside.contains(place)) {
            return Err(Refusal::Unsupported {
                what: format!("leaving out {target}, which is no part of what is formatted"),
                instead: Some("name the cells or paragraphs that are meant".to_owned()),
            });
        }
        places.extend(own);
    }
    Ok(places)
}

/// "The first cell", "the last cell".
fn ends(row: Pick, column: &Line) -> bool {
    matches!((row, column), (Pick::Nth(0), Line::At(Pick::Nth(0))) | (Pick::Last, Line::At(Pick::Last)))
}

fn excepted(ground: &Ground<'_>, except: &[Target]) -> Result<Vec<Place>, Refusal> {
    let mut places = Vec::new();
    for target in except {
        places.extend(ground.paragraphs(&ground.find(target, &[])?)?);
    }
    Ok(places)
}

/// Those of the matches that look as the condition says, all of their characters.
fn looked_at(
    ground: &Ground<'_>,
    hits: Vec<(Span, String)>,
    look: Option<Look>,
) -> Result<Vec<(Span, String)>, Refusal> {
    let Some(look) = look else { return Ok(hits) };
    let mut kept = Vec::new();
    let (mut looks_so, found) = (false, hits.len());
    for (span, text) in hits {
        let Some(place) = ground.place_at(&span) else { continue };
        let paragraph = ground.view.paragraph(place)?;
        let touched = paragraph.atoms.iter().filter(|atom| {
            atom.span.start < span.end
                && span.start < atom.span.end
                && !atom.deleted
                && matches!(atom.kind, word::AtomKind::Text(_))
        });
        let fits = |atom: &word::Atom| {
            let run = atom.run.and_then(|run| paragraph.runs.get(run));
            let properties = run.and_then(|run| run.properties.clone());
            let bytes = properties.map(|span| paragraph.bytes(span).to_vec()).or_empty();
            let run = ground.view.run_look(place, &bytes);
            let on = |value: &Option<String>| value.as_deref().is_some_and(|value| value != "none");
            match look {
                Look::Bold(wanted) => run.is(Toggle::Bold) == wanted,
                Look::Italic(wanted) => run.is(Toggle::Italic) == wanted,
                Look::Underlined(wanted) => on(&run.underline) == wanted,
                Look::Highlighted(wanted) => on(&run.highlight) == wanted,
            }
        };
        let mut atoms = touched.peekable();
        if atoms.peek().is_some() && atoms.all(fits) {
            looks_so = true;
            kept.push((span, text));
        }
    }
    match looks_so || found == 0 {
        true => Ok(kept),
        false => Err(Refusal::NotFound {
            what: "text",
            id: format!("that is {look}"),
            nearest: vec![format!("it occurs {found} times, nowhere {look}")],
        }),
    }
}

fn format(
    ground: &Ground<'_>,
    step: &WordStep,
    target: &Target,
    style: &ApplyStyle,
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let whole = *target == Target::Document && step.within.is_empty() && step.except.is_empty();
    if whole {
        let op = Op::ApplyStyle(ApplyStyle { scope: Scope::Document, ..style.clone() });
        make(Edit::Op(Box::new(Operation { op, places: Places::default(), markup })))?;
        return Ok(vec![format!("the whole document: {}", looks(style))]);
    }
    let spans = match target {
        Target::Text(mention) => {
            let around = ground.around(&step.within)?;
            let except = excepted(ground, &step.except)?;
            let hits = looked_at(ground, ground.matches(mention, around.as_ref(), &except)?, step.only_if)?;
            ground.chosen(mention, hits)?.into_iter().map(|(span, _)| span).collect()
        }
        target => {
            // "The header" may be that of the table.
            if matches!(target, Target::Running { header: true })
                && step.within.is_empty()
                && let Some(table) = ground.tables(None)?.first()
            {
                return Err(Refusal::Ambiguous {
                    text: "the header".to_owned(),
                    count: 2,
                    within: "the document".to_owned(),
                    contexts: vec![
                        "the page header".to_owned(),
                        format!("the header row of the table: {}", ground.row_text(table, 0)),
                    ],
                });
            }
            let meant = ground.find(target, &step.within)?;
            shape_fits(ground, &meant, style)?;
            let left_out = left_out(ground, step, &meant)?;
            match left_out.is_empty() {
                true => ground.spans(&meant)?,
                false => {
                    let mut places = ground.paragraphs(&meant)?;
                    places.retain(|place| !left_out.contains(place));
                    ground.stretches(&places)
                }
            }
        }
    };
    if spans.is_empty() {
        return Err(Refusal::not_found("text", target.to_string()));
    }
    let mut lines = Vec::new();
    for span in &spans {
        let text = word::op::text_of(ground.view, span)?;
        lines.push(format!("\"{}\": {}", excerpt(&text), looks(style)));
    }
    let op = Op::ApplyStyle(ApplyStyle { scope: here(), ..style.clone() });
    make(op_on(spans.into_iter().map(|span| (op.clone(), span)).collect(), markup))?;
    Ok(lines)
}

fn replaced(
    hits: &[(Span, String)],
    find: &Mention,
    with: &str,
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let op = |found: &str| {
        let target = Aim::Query { query: find.text.clone(), matching: find.matching, scope: here() };
        let with = match find.matching.case {
            true => with.to_owned(),
            false => crate::requests::rule::adapted(found, &find.text, with),
        };
        Op::Replace(Replace { target, with, mode: ReplaceMode::All })
    };
    make(op_on(hits.iter().map(|(span, text)| (op(text), span.clone())).collect(), markup))?;
    let times = times(hits.len());
    Ok(vec![match with.is_empty() {
        true => format!("deleted \"{}\" {times}", find.text),
        false => format!("replaced \"{}\" with \"{with}\" {times}", find.text),
    }])
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// Texts that go, each with one of the blanks around it, so that no two are left side by side.
fn with_blanks(
    ground: &Ground<'_>,
    mention: &Mention,
    hits: Vec<(Span, String)>,
) -> Result<Vec<Span>, Refusal> {
    if !mention.text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '“' | '"' | '‘')) {
        return Ok(hits.into_iter().map(|(span, _)| span).collect());
    }
    let wider =
        |text: String| ground.mentions(&Mention { text, which: Which::All, ..mention.clone() }, None, &[]);
    let (before, after) = (wider(format!(" {}", mention.text))?, wider(format!("{} ", mention.text))?);
    let mut spans = Vec::new();
    for (span, _) in hits {
        let same_part = |wide: &&(Span, String)| wide.0.part == span.part;
        let led = before.iter().filter(same_part).find(|(wide, _)| wide.end == span.end);
        let followed = after.iter().filter(same_part).find(|(wide, _)| wide.start == span.start);
        spans.push(led.or(followed).map_or(span, |(wide, _)| wide.clone()));
    }
    Ok(spans)
}

/// "Raise the fee to 800", where it is 900: the request and the document contradict each other.
fn goes(step: &WordStep, before: &str, after: &str) -> Result<(), Refusal> {
    let number = |text: &str| {
        let digits: String = text
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == '.')
            .collect::<String>()
            .trim_end_matches('.')
            .to_owned();
        digits.parse::<f64>().ok()
    };
    match (step.towards, number(before), number(after)) {
        (Some(way), Some(old), Some(new)) if !way.fits(old, new) => Err(Refusal::NotFound {
            what: "condition",
            id: format!("{after} is {way} from what is there"),
            nearest: vec![format!("it is {before}, so nothing was changed")],
        }),
        _ => Ok(()),
    }
}

fn set_text(
    ground: &Ground<'_>,
    step: &WordStep,
    target: &Target,
    text: &str,
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let meant = ground.find(target, &step.within)?;
    if let (Target::Footnote(_), Meant::Paragraphs(places)) = (target, &meant) {
        let first = places.first().ok_or_else(|| Refusal::not_found("footnote", "the document"))?;
        let note = ground.view.id(*first).to_string();
        let before = ground.text(*first)?;
        let kind = NoteKind::Footnote;
        make(Edit::UpdateNote(UpdateNote { kind, note, text: text.to_owned(), markup }))?;
        return Ok(vec![format!("\"{}\" → \"{}\"", excerpt(before.trim()), excerpt(text))]);
    }
    if let Meant::Cell(table, row, column) = &meant {
        let before = ground
            .paragraphs(&meant)?
            .iter()
            .map(|place| ground.text(*place))
            .collect::<Result<Vec<_>, _>>()?
            .join(" ");
        goes(step, &before, text)?;
        make(tables::cell_edit(ground, table, *row, *column, text, markup)?)?;
        let row_text = ground.row_text(table, *row);
        return Ok(vec![format!(
            "row {} ({row_text}), column {}: \"{before}\" → \"{text}\"",
            row + 1,
            column + 1
        )]);
    }
    let spans = match &meant {
        Meant::Spans(spans) => spans.clone(),
        meant => {
            let mut places = ground.paragraphs(meant)?;
            if let Target::Section(name) = target {
                return Err(Refusal::Unsupported {
                    what: format!("a new text for the whole section \"{name}\""),
                    instead: Some(format!(
                        "say: change the heading '{name}' to '{text}', or name the paragraph"
                    )),
                });
            }
            places.retain(|place| ground.text(*place).is_ok_and(|text| !text.is_empty()));
            match places.as_slice() {
                [_] => ground.stretches(&places),
                several => {
                    return Err(Refusal::Unsupported {
                        what: format!("one text for {target}, which has {} paragraphs", several.len()),
                        instead: Some("name one paragraph of it, or the words to replace".to_owned()),
                    });
                }
            }
        }
    };
    let [span] = spans.as_slice() else {
        return Err(Refusal::Unsupported {
            what: format!("one text for {} places", spans.len()),
            instead: None,
        });
    };
    let before = word::op::text_of(ground.view, span)?;
    let op =
        Op::Replace(Replace { target: Aim::Whole(here()), with: text.to_owned(), mode: ReplaceMode::All });
    make(op_on(vec![(op, span.clone())], markup))?;
    Ok(vec![format!("\"{}\" → \"{}\"", excerpt(&before), excerpt(text))])
}

fn delete(
    ground: &Ground<'_>,
    step: &WordStep,
    target: &Target,
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    if let Target::Text(mention) = target {
        let around = ground.around(&step.within)?;
        let left_out = excepted(ground, &step.except)?;
        let hits = looked_at(ground, ground.matches(mention, around.as_ref(), &left_out)?, step.only_if)?;
        // "Remove 'x' from clause 5" is about all of them in there.
        let which = if around.is_some() && mention.which == Which::Only { Which::All } else { mention.which };
        let mention = Mention { which, ..mention.clone() };
        let hits = ground.chosen(&mention, hits)?;
        leaves_no_empty_item(ground, &hits)?;
        let hits = with_blanks(ground, &mention, hits)?;
        let op =
            Op::Replace(Replace { target: Aim::Whole(here()), with: String::new(), mode: ReplaceMode::All });
        make(op_on(hits.iter().map(|span| (op.clone(), span.clone())).collect(), markup))?;
        return Ok(vec![format!("deleted \"{}\" {}", mention.text, times(hits.len()))]);
    }
    if matches!(target, Target::Running { .. } | Target::Footnote(_)) {
        return Err(Refusal::Unsupported {
            what: format!("deleting {target} in a plain request"),
            instead: Some("quote the words that shall go, or say what it shall say".to_owned()),
        });
    }
    let meant = ground.find(target, &step.within)?;
    match &meant {
        Meant::Table(..) | Meant::Rows(..) | Meant::Columns(..) => {
            return tables::delete(ground, &meant, markup, make);
        }
        Meant::Cell(table, row, column) => {
            make(tables::cell_edit(ground, table, *row, *column, "", markup)?)?;
            return Ok(vec![format!(
                "emptied the cell in row {} ({}), column {}",
                row + 1,
                ground.row_text(table, *row),
                column + 1
            )]);
        }
        Meant::Spans(spans) => {
            let mut lines = Vec::new();
            for span in spans {
                lines.push(format!("deleted \"{}\"", excerpt(&word::op::text_of(ground.view, span)?)));
            }
            let op = Op::Replace(Replace {
                target: Aim::Whole(here()),
                with: String::new(),
                mode: ReplaceMode::All,
            });
            make(op_on(spans.iter().map(|span| (op.clone(), span.clone())).collect(), markup))?;
            return Ok(lines);
        }
        Meant::Paragraphs(_) => {}
    }
    let places = ground.paragraphs(&meant)?;
    if places.iter().any(|place| ground.in_table(*place)) {
        return Err(Refusal::Unsafe {
            why: format!("{target} holds a table"),
            instead: Some("delete the table first, then the paragraphs".to_owned()),
        });
    }
    beside_each_other(ground, target, &places)?;
    let texts = places.iter().map(|place| ground.text(*place)).collect::<Result<Vec<_>, _>>()?;
    if let Some(mark) = crossed(&texts) {
        return Err(Refusal::Unsafe {
            why: format!("{target} holds the mark {mark} of a template block, and not the other end of it"),
            instead: Some(
                "quote the paragraphs that shall go, so that both marks stay or both go".to_owned(),
            ),
        });
    }
    let mut lines = Vec::new();
    for place in places {
        let text = ground.text(place)?;
        let label =
            ground.view.label(place, word::Side::Final).map_or_else(String::new, |label| format!("{label} "));
        make(Edit::DeleteParagraph(DeleteParagraph {
            paragraph: ground.view.id(place),
            expect: None,
            markup,
        }))?;
        lines.push(format!("deleted the paragraph \"{label}{}\"", excerpt(&text)));
    }
    Ok(lines)
}

fn insert(
    ground: &Ground<'_>,
    meant: &Meant,
    text: &str,
    kind: Inserted,
    side: Beside,
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    if let Meant::Table(..) | Meant::Rows(..) | Meant::Columns(..) = meant {
        return Err(Refusal::Unsupported {
            what: "text beside a table in a plain request".to_owned(),
            instead: Some("name the paragraph or heading it should stand beside".to_owned()),
        });
    }
    if let Meant::Paragraphs(places) = meant {
        edges(ground, places, text, kind, side)?;
    }
    // Beside a clause or a paragraph there is no line to continue.
    if let (Meant::Paragraphs(places), Beside::Before | Beside::After) = (meant, side) {
        return beside_paragraphs(ground, places, text, kind, side, markup, make);
    }
    let kind = if kind == Inserted::Clause { Inserted::Paragraph } else { kind };
    let spans = match meant {
        Meant::Paragraphs(places) => {
            let at = match side {
                Beside::Before | Beside::Start => places.first(),
                Beside::After | Beside::End => places.last(),
            };
            ground.stretches(&at.copied().into_iter().collect::<Vec<_>>())
        }
        meant => ground.spans(meant)?,
    };
    let [span] = spans.as_slice() else {
        return Err(Refusal::Unsupported {
            what: format!("inserting at {} places", spans.len()),
            instead: None,
        });
    };
    let location = match side {
        Beside::Before => Location::Before,
        Beside::After => Location::After,
        Beside::Start => Location::Start,
        Beside::End => Location::End,
    };
    let beside = excerpt(&word::op::text_of(ground.view, span)?);
    let new_paragraph = kind != Inserted::Text;
    // Words beside words need a blank between them.
    let word_like = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | '”' | '’'));
    let follows = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && !",.;:!?)%’'…/-–".contains(c));
    let spaced = match (kind, side) {
        (Inserted::Text, Beside::After | Beside::End) if follows(text.chars().next()) => format!(" {text}"),
        (Inserted::Text, Beside::Before) if word_like(text.chars().next_back()) => format!("{text} "),
        (Inserted::Text, Beside::Start) if !text.ends_with(char::is_whitespace) => format!("{text} "),
        _ => text.to_owned(),
    };
    let op = InsertText { text: spaced, scope: here(), location, new_paragraph, keep_formatting: true };
    let (_, outcome) = make(op_on(vec![(Op::InsertText(op), span.clone())], markup))?;
    if let Inserted::Heading(level) = kind {
        let Outcome::Op { answer: word::op::Answer::Text { range, .. } } = outcome else {
            return Err(Refusal::internal("an insertion without a place"));
        };
        let style = ApplyStyle {
            scope: here(),
            named_style: Some(format!("Heading {level}")),
            ..ApplyStyle::default()
        };
        make(op_on(vec![(Op::ApplyStyle(style), range)], markup))?;
    }
    Ok(vec![format!("inserted \"{}\" {side} \"{beside}\"", excerpt(text))])
}

fn beside_paragraphs(
    ground: &Ground<'_>,
    places: &[Place],
    text: &str,
    kind: Inserted,
    side: Beside,
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let (Some(first), Some(last)) = (places.first().copied(), places.last().copied()) else {
        return Err(Refusal::not_found("paragraph", "that place"));
    };
    let (anchor, position) = match side {
        Beside::Before | Beside::Start => (first, Position::Before),
        Beside::After | Beside::End => (last, Position::After),
    };
    if first != last && kind == Inserted::Paragraph && side == Beside::After {
        return Err(Refusal::Unsupported {
            what: format!("a paragraph behind one that has {} of them", places.len()),
            instead: Some(
                "name the last paragraph or sub-clause of it, or say: insert a new clause after it"
                    .to_owned(),
            ),
        });
    }
    let style_source = match kind {
        Inserted::Clause => Some(ground.view.id(first)),
        Inserted::Heading(_) => None,
        Inserted::Text | Inserted::Paragraph => {
            text_beside(ground, anchor)?.map(|place| ground.view.id(place))
        }
    };
    let told = excerpt(&ground.text(anchor)?);
    let table = ground.tables(None)?.into_iter().find(|table| ground.view.cell_of(anchor, table).is_some());
    let edit = match table {
        Some(table) if first != last => Edit::InsertBesideTable(InsertBesideTable {
            table: table.id,
            position,
            text: text.to_owned(),
            style_source,
            markup,
        }),
        _ => {
            let anchor = ground.view.id(anchor);
            Edit::InsertParagraphs(InsertParagraphs {
                anchor,
                position,
                text: text.to_owned(),
                style_source,
                markup,
            })
        }
    };
    let (view, outcome) = make(edit)?;
    if let (Inserted::Heading(level), Outcome::Inserted { paragraphs }) = (kind, &outcome) {
        for paragraph in paragraphs {
            let place = view.find(*paragraph)?;
            let part = view.part_of(place).ok_or_else(|| Refusal::internal("a paragraph without a part"))?;
            let style = ApplyStyle {
                scope: here(),
                named_style: Some(format!("Heading {level}")),
                ..ApplyStyle::default()
            };
            make(op_on(vec![(Op::ApplyStyle(style), Span::new(part, view.span(place)))], markup))?;
        }
    }
    Ok(vec![format!("inserted \"{}\" {side} \"{told}\"", excerpt(text))])
}

/// The paragraph that a place is in, and the words that are meant of it.
pub(super) fn quoted(
    ground: &Ground<'_>,
    target: &Target,
    within: &[Target],
) -> Result<(Place, Option<String>), Refusal> {
    let meant = ground.find(target, within)?;
    match &meant {
        Meant::Spans(spans) => {
            let [span] = spans.as_slice() else {
                return Err(Refusal::Unsupported {
                    what: format!("one for {} places", spans.len()),
                    instead: Some("say which of them: the first 'x'".to_owned()),
                });
            };
            let place =
                ground.place_at(span).ok_or_else(|| Refusal::not_found("paragraph", target.to_string()))?;
            Ok((place, Some(word::op::text_of(ground.view, span)?)))
        }
        meant => {
            let places = ground.paragraphs(meant)?;
            let first =
                places.first().copied().ok_or_else(|| Refusal::not_found("paragraph", target.to_string()))?;
            Ok((first, None))
        }
    }
}
