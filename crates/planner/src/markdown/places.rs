//! Blocks by what they are: "the quote", "the second code block", "step 2", "the cell in the row of Berlin".

use super::step::{BlockAct, BlockKind, Flavour, MarkdownStep, Picked, Row};
use super::{Attempt, section_behind};
use crate::phrase::Words;

/// The nouns of blocks, as people call them.
const NOUNS: [(&str, BlockKind); 9] = [
    ("block quote|blockquote|quotation|quote", BlockKind::Quote),
    ("code block|code sample|code example|snippet|code fence", BlockKind::Code),
    ("paragraph", BlockKind::Paragraph),
    ("footnote", BlockKind::Footnote),
    ("horizontal rule|divider|horizontal line", BlockKind::Rule),
    ("front matter|frontmatter", BlockKind::FrontMatter),
    ("image|picture", BlockKind::Image),
    ("task|todo|checkbox", BlockKind::Task),
    ("bullet point|bullet|list item|item|step|point", BlockKind::Item),
];

/// A block: which of them, and under which heading.
fn block(words: &mut Words) -> Option<(BlockKind, Picked, Option<String>)> {
    let mut ahead = words.clone();
    ahead.eats("the|that|this");
    let mut picked = match () {
        () if ahead.eats("very last|last|final") => Picked::Last,
        () => ahead.ordinal().map_or(Picked::Only, Picked::Nth),
    };
    let kind = NOUNS.iter().find_map(|(nouns, kind)| ahead.eats(nouns).then_some(*kind))?;
    if picked == Picked::Only
        && matches!(kind, BlockKind::Item | BlockKind::Task | BlockKind::Paragraph | BlockKind::Footnote)
    {
        let number = ahead.clone().number();
        if let Some(at) = number.and_then(|number| number.checked_sub(1)) {
            ahead.number();
            picked = Picked::Nth(at);
        }
    }
    let mut under = None;
    let mut place = ahead.clone();
    if place.eats("under the heading|under|in the section|of the section|in|of|below") {
        place.eats("the section|the heading|the");
        if let Some(name) = section_name(&mut place) {
            under = Some(name);
            ahead = place;
        }
    }
    *words = ahead;
    Some((kind, picked, under))
}

/// `Scope`, `the on-call section`: words with capitals, or whatever stands before the noun.
pub(super) fn section_name(words: &mut Words) -> Option<String> {
    words.eats("the");
    let mut named = words.clone();
    if let Some(name) = named.name() {
        named.eats("section|chapter");
        *words = named;
        return Some(name);
    }
    let end = (1..=words.len().min(4)).find(|at| {
        let (_, tail) = words.split_at(*at);
        tail.begins("section|chapter|heading")
    })?;
    let (head, mut tail) = words.split_at(end);
    tail.eats("section|chapter|heading");
    let name = head.label().ok()?;
    *words = tail;
    Some(name)
}

/// Blocks that go, are read, or say something else.
pub(super) fn blocks(mut words: Words) -> Attempt {
    if words.eats("delete|remove|drop|erase|clear") {
        let (kind, picked, under) = block(&mut words)?;
        if !words.is_empty() {
            return None;
        }
        return Some(Ok(MarkdownStep::Block { kind, picked, under, act: BlockAct::Delete }));
    }
    if words.eats("what does|what is|what's|read|show me|show|read me") {
        let (kind, picked, under) = block(&mut words)?;
        words.eats("say|contain|about");
        return words.is_empty().then_some(Ok(MarkdownStep::Block {
            kind,
            picked,
            under,
            act: BlockAct::Read,
        }));
    }
    if words.eats("change|rewrite|replace|make|set|update|reword|rephrase") {
        let (kind, picked, under) = block(&mut words)?;
        words.eats("to say|to read|to|with|as|by|say|read|so that it says|so it says|:").then_some(())?;
        words.eats(":");
        let text = words.quotation().filter(|_| words.is_empty());
        return Some(match text {
            Some(text) => Ok(MarkdownStep::Block { kind, picked, under, act: BlockAct::Say(text) }),
            None => Err("put the new text in quotation marks".to_owned()),
        });
    }
    let done = !words.begins("untick|uncheck|unmark");
    if words.eats("untick|uncheck|unmark|tick off|tick|check off|check|complete|mark") {
        let undone = words.eats_last("as not done|as open|as undone");
        words.eats_last("as done|as completed|as complete|done|off");
        let (kind, picked, under) = block(&mut words)?;
        let act = BlockAct::Tick(done && !undone);
        let task = matches!(kind, BlockKind::Task | BlockKind::Item) && picked != Picked::Only;
        return (task && words.is_empty()).then_some(Ok(MarkdownStep::Block { kind, picked, under, act }));
    }
    beside_item(words)
}

/// "Insert a step after step 1: Call the lead", "add a task at the top of the checklist: …"
fn beside_item(mut words: Words) -> Attempt {
    words.eats("insert|add|put").then_some(())?;
    words.eats("a|an|another|the").then_some(())?;
    words.eats("new|extra");
    let mut told = words.clone();
    let noun = NOUNS.iter().find_map(|(nouns, kind)| told.eats(nouns).then_some(*kind))?;
    if !matches!(noun, BlockKind::Item | BlockKind::Task) {
        return None;
    }
    let quoted = told.quotation();
    let text = match quoted {
        Some(text) => text,
        None => {
            let said = told.cut(":|saying|that says|reading")?;
            match said.message() {
                Ok(text) => text,
                Err(why) => return Some(Err(why)),
            }
        }
    };
    let after = told.eats("after|behind|below");
    if !after && !told.eats("before|above") {
        return None;
    }
    let (kind, picked, under) = match told.eats("it|the first one|the one") {
        true => return None,
        false => block(&mut told)?,
    };
    if !matches!(kind, BlockKind::Item | BlockKind::Task) || !told.is_empty() {
        return None;
    }
    Some(Ok(MarkdownStep::Block { kind, picked, under, act: BlockAct::Beside { text, after } }))
}

/// Columns, cells and rows of tables by what they say.
pub(super) fn tables(mut words: Words) -> Attempt {
    let add = words.clone();
    if let Some(step) = add_column(add) {
        return Some(step);
    }
    if words.eats("delete|remove|drop") {
        words.eats("the");
        let mut row = words.clone();
        if row.eats("row for|row of|row with|row about|row called|row that says") {
            row.eats("the");
            let (core, under) = of_table(row);
            return Some(core.label().map(|text| MarkdownStep::DeleteRow { row: Row::Named(text), under }));
        }
        let (core, under) = of_table(words);
        let mut name = core.clone();
        let text = match name.eats("column") {
            true => name.label().ok()?,
            false => {
                name.eats_last("column").then_some(())?;
                name.label().ok()?
            }
        };
        return Some(Ok(MarkdownStep::DeleteColumn { name: text, under }));
    }
    // "Change the first answer for level 2 to 20 min": a cell by its row and column.
    if words.eats("change|set|update|correct") {
        let to = words.cut("to|=")?;
        words.eats("the").then_some(())?;
        if words.has_quotation() {
            return None;
        }
        let mut column = words.clone();
        let row = column.cut("for|of")?;
        let (row, under) = of_table(row);
        let cell = (column.label().ok()?, row.label().ok()?);
        return Some(to.value().map(|text| MarkdownStep::SetCell {
            column: cell.0,
            row: cell.1,
            text,
            under,
        }));
    }
    None
}

fn add_column(mut words: Words) -> Attempt {
    words.eats("add|insert").then_some(())?;
    words.eats("a|an|another|the");
    words.eats("new|extra|empty");
    words.eats("column").then_some(())?;
    words.eats("called|named|titled|headed|with the header");
    let (mut core, under) = of_table(words);
    core.eats_last("at the end|on the right|to the right");
    Some(core.label().map(|name| MarkdownStep::AddColumn { name, under }))
}

/// "… to the table under Scope", "… of the severity table": what stands before, and the section.
fn of_table(words: Words) -> (Words, Option<String>) {
    for at in 0..words.len() {
        let (head, mut tail) = words.split_at(at);
        if !tail.eats("to|of|from|in") {
            continue;
        }
        tail.eats("the");
        let mut name = None;
        if !tail.begins("table") {
            name = tail.word();
        }
        if !tail.eats("table") {
            continue;
        }
        if tail.eats("under|in|of|below") {
            name = section_name(&mut tail);
        }
        if tail.is_empty() {
            return (head, name);
        }
    }
    (words, None)
}

/// "Remove the strikethrough from suspected", "un-italicise …"
pub(super) fn unmark(mut words: Words) -> Attempt {
    let verb = match () {
        () if words.eats("unbold|un-bold") => Some(Flavour::Bold),
        () if words.eats("unitalicise|unitalicize|un-italicise|un-italicize") => Some(Flavour::Italic),
        () => None,
    };
    let mark = match verb {
        Some(mark) => mark,
        None => {
            words.eats("remove|take off|drop|clear|delete").then_some(())?;
            words.eats("the");
            let mark = match () {
                () if words.eats("strikethrough|strike-through|strike through") => Flavour::Strike,
                () if words.eats("bold formatting|bold") => Flavour::Bold,
                () if words.eats("italics|italic formatting|italic") => Flavour::Italic,
                () if words.eats("code formatting|inline code") => Flavour::Code,
                () if words.eats("link") => Flavour::Link,
                () => return None,
            };
            words.eats("from|on|of|around").then_some(())?;
            mark
        }
    };
    words.eats("the word|the words|the text|the phrase");
    Some(words.sought().map(|text| MarkdownStep::Unmark { text, mark }))
}

/// A text at a place: "add 'Version 2' under the title", "add a line under Options: …".
pub(super) fn placed(mut words: Words) -> Attempt {
    words.eats("add|append|insert|put|write").then_some(())?;
    words.eats("a|an|the|another");
    words.eats("new|short");
    let noun = words.eats("paragraph|line|sentence|note|text|remark");
    let quoted = words.quotation();
    let (mut place, text) = match quoted {
        Some(text) => (words, text),
        None => {
            let mut head = words;
            let mut tail = head.cut(":|saying :|saying|that says|reading")?;
            if !noun || tail.begins("that|:") {
                return None;
            }
            let text = match tail.quotation() {
                Some(text) => tail.done().map(|()| text),
                None => tail.message(),
            };
            match text {
                Ok(text) => (head, text),
                Err(why) => return Some(Err(why)),
            }
        }
    };
    place.eats(":|saying");
    if place.eats("at the very top|at the top|at the beginning|at the start|under the title|below the title|after the title|beneath the title")
        && place.is_empty()
    {
        return Some(Ok(MarkdownStep::Prepend { text }));
    }
    place
        .eats("to the end of|at the end of|to the bottom of|under the heading|under|to|in|below")
        .then_some(())?;
    let section = section_name(&mut place)?;
    place.is_empty().then_some(Ok(MarkdownStep::Append { text, section: Some(section) }))
}

/// "Make Severity a level 2 heading", "promote Severity by one level"
pub(super) fn levels(mut words: Words) -> Attempt {
    let by = match () {
        () if words.eats("promote") => Some(-1),
        () if words.eats("demote") => Some(1),
        () => None,
    };
    if let Some(by) = by {
        words.eats_last("by one level|one level|by one|by 1 level");
        words.eats("the");
        words.eats_last("heading|section");
        if words.begins("all|every|each|heading|section") {
            return None;
        }
        return Some(words.label().map(|title| MarkdownStep::Shift { title, by }));
    }
    words.eats("make|turn").then_some(())?;
    let mut level = words.cut("a level|into a level|an h|a h")?;
    words.eats("the");
    words.eats_last("heading|section");
    let to = level.number().and_then(|to| u8::try_from(to).ok()).filter(|to| (1..=6).contains(to))?;
    level.eats("heading|section");
    level.is_empty().then_some(())?;
    Some(words.label().map(|title| MarkdownStep::Level { title, to }))
}

/// "Set the owner to Platform team": a field of the front matter.
pub(super) fn fields(mut words: Words) -> Attempt {
    words.eats("set|change|update").then_some(())?;
    words.eats("the");
    words.eats("field|front matter field");
    let name = words.word_if(|word| word.chars().all(|c| c.is_lowercase() || c == '_' || c == '-'))?;
    if name == "title" {
        return None;
    }
    words.eats("in the front matter|of the document");
    words.eats("to").then_some(())?;
    Some(words.value().map(|value| MarkdownStep::Field { name, value }))
}

/// A section of a replacement by any name: "in the on-call section".
pub(super) fn section_at_end(words: &Words) -> Option<(Words, String)> {
    if let Some(found) = section_behind(words, "but only in|only in|in|within|under|inside") {
        return Some(found);
    }
    for cut in 1..words.len() {
        let (mut head, mut tail) = words.split_at(cut);
        if !tail.eats("but only in|only in|in|within") {
            continue;
        }
        let sectioned = tail.clone().eats_last("section|chapter");
        if sectioned
            && let Some(name) = section_name(&mut tail)
            && tail.is_empty()
        {
            head.eats_last(",|but");
            return Some((head, name));
        }
    }
    None
}
