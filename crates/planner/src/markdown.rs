//! Requests about a Markdown document: "add a section Risks after Scope".

use crate::Unclear;
use crate::phrase::Words;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkdownStep {
    AddSection { title: String, level: Option<u8>, place: Place, content: Option<String> },
    DeleteSection { title: String },
    RenameSection { title: String, to: String },
    MoveSection { title: String, place: Place },
    Replace { text: String, with: String, all: bool },
    Append { text: String },
    Find { text: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    End,
    /// After the section with this heading, and all that belongs to it.
    After(String),
    Before(String),
}

pub(crate) fn step(mut words: Words) -> Result<MarkdownStep, Unclear> {
    if words.eat_any(&[&["add"], &["insert"], &["create"]]) {
        if section(&mut words) {
            return add_section(words);
        }
        words.drop_articles();
        words.eat_any(&[&["new", "paragraph"], &["paragraph"], &["text"]]);
        return append(words);
    }
    if words.eat(&["append"]) {
        words.drop_articles();
        words.eat_any(&[&["new", "paragraph"], &["paragraph"], &["text"]]);
        return append(words);
    }
    if words.eat_any(&[&["delete"], &["remove"]]) {
        if section(&mut words) {
            let title = title(words)?;
            return Ok(MarkdownStep::DeleteSection { title });
        }
        let first = words.eat_any(&[&["first", "occurrence", "of"], &["first"]]);
        words.eat_any(&[&["occurrences", "of"], &["occurrence", "of"], &["text"], &["word"], &["words"]]);
        let text =
            words.quotation().ok_or("say which section, or which text in quotation marks, to delete")?;
        words.done()?;
        return Ok(MarkdownStep::Replace { text, with: String::new(), all: !first });
    }
    let renames = words.clone().eat(&["change"]) && {
        let mut about = words.clone();
        about.eat(&["change"]);
        section(&mut about)
    };
    if words.eat(&["rename"]) || renames && words.eat(&["change"]) {
        section(&mut words);
        let to = words.cut_last(&["to"]).ok_or("say the new heading: rename section A to B")?;
        return Ok(MarkdownStep::RenameSection { title: title(words)?, to: title(to)? });
    }
    if words.eat(&["move"]) {
        section(&mut words);
        let place = place(&mut words)?.ok_or("say where to: move section A after B")?;
        return Ok(MarkdownStep::MoveSection { title: title(words)?, place });
    }
    let changes = words.eat(&["change"]);
    if changes || words.eat_any(&[&["replace"], &["find", "and", "replace"]]) {
        let by = if changes { ["to", "into"] } else { ["with", "by"] };
        let with = words.cut_first(&[by[0]]).or_else(|| words.cut_first(&[by[1]]));
        let mut with = with.ok_or("say what to put there: replace 'this' with 'that'")?;
        let everywhere =
            [&["everywhere"][..], &["in", "the", "document"], &["throughout", "the", "document"]];
        with.take_any(&everywhere);
        words.take_any(&everywhere);
        let first = words.eat_any(&[&["the", "first"], &["first"]]);
        words.eat_any(&[
            &["all", "occurrences", "of"],
            &["all"],
            &["every"],
            &["occurrence", "of"],
            &["match", "of"],
        ]);
        if by.iter().any(|by| with.position(&[by]).is_some()) {
            return Err(
                "say one replacement at a time: replace 'a' with 'b', then replace 'c' with 'd'".to_owned()
            );
        }
        let with = match with.is_nothing() {
            true => String::new(),
            false => with.value()?,
        };
        let text = words.sought()?;
        return Ok(MarkdownStep::Replace { text, with, all: !first });
    }
    if words.eat_any(&[&["find"], &["search", "for"], &["search"], &["where", "is"]]) {
        words.drop_articles();
        let text = words.value()?;
        return Ok(MarkdownStep::Find { text });
    }
    Err("I know requests to add, move, rename and delete sections, to append, find and replace text"
        .to_owned())
}

fn section(words: &mut Words) -> bool {
    words.drop_articles();
    words.eat(&["new"]);
    words.eat_any(&[
        &["section", "called"],
        &["section", "named"],
        &["section", "titled"],
        &["section"],
        &["chapter"],
        &["heading", "called"],
        &["heading"],
    ])
}

fn add_section(mut words: Words) -> Result<MarkdownStep, Unclear> {
    let content = words.cut_last(&["with", "the", "text"]).or_else(|| words.cut_last(&["saying"]));
    let content = content.or_else(|| words.cut_last(&["with", "text"]));
    let content = match content {
        Some(mut content) => {
            let text = content.quotation();
            // What follows the text says where: "with the text 'None.' after Scope".
            let text = match text {
                Some(text) => {
                    words.append(content);
                    Some(text)
                }
                None => content.message().ok(),
            };
            Some(text.ok_or("put the section's text in quotation marks")?)
        }
        None => None,
    };
    let level = match words.cut_last(&["at", "level"]) {
        Some(mut tail) => match tail.number() {
            Some(level @ 1..=6) => {
                words.append(tail);
                u8::try_from(level).ok()
            }
            _ => return Err("a heading has a level from 1 to 6".to_owned()),
        },
        None => None,
    };
    let place = place(&mut words)?.unwrap_or(Place::End);
    Ok(MarkdownStep::AddSection { title: title(words)?, level, place, content })
}

fn append(words: Words) -> Result<MarkdownStep, Unclear> {
    let mut words = words;
    words.take_any(&[&["at", "the", "end"], &["to", "the", "end"], &["to", "the", "document"]]);
    let text = words.quotation().ok_or("put the text to add in quotation marks")?;
    words.done()?;
    Ok(MarkdownStep::Append { text })
}

fn place(words: &mut Words) -> Result<Option<Place>, Unclear> {
    if words.take_any(&[
        &["at", "the", "end", "of", "the", "document"],
        &["to", "the", "end", "of", "the", "document"],
        &["at", "the", "end"],
        &["to", "the", "end"],
    ]) {
        return Ok(Some(Place::End));
    }
    if words.clone().cut_last(&["between"]).is_some() {
        return Err("say after or before which section".to_owned());
    }
    for (name, make) in [("after", Place::After as fn(String) -> Place), ("before", Place::Before)] {
        if let Some(mut anchor) = words.cut_last(&[name]) {
            section(&mut anchor);
            return title(anchor).map(|title| Some(make(title)));
        }
    }
    Ok(None)
}

fn title(words: Words) -> Result<String, Unclear> {
    match words.is_empty() {
        true => Err("say the section's heading".to_owned()),
        false => words.value(),
    }
}
