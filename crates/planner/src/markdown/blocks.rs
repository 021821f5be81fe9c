//! Lists, tasks, tables and marks, and questions.

use super::step::{Count, Flavour, MarkdownStep, Row};
use super::{Attempt, section, section_behind, title};
use crate::phrase::Words;
use crate::word::order::{ASCENDING, DESCENDING};

const UNDER: &str = "under the heading|under|in the section|in section|below|of the section|in";

pub(super) fn questions(mut words: Words) -> Attempt {
    if words.eats("list the headings|list all headings|show me the outline|show the outline|outline|what are the headings|show me the headings|list the sections|what sections are there|which sections are there|show the headings|give me the outline|what is the outline|list all sections") {
        return Some(words.done().map(|()| MarkdownStep::Outline));
    }
    if words.eats("what is the title|what's the title|which title does it have|what is it called|what is this document called") {
        return Some(words.done().map(|()| MarkdownStep::Title));
    }
    if words.eats("which tasks are still open|which tasks are open|list the open tasks|show me the open tasks|what tasks are open|list open tasks|which tasks are not done|what is left to do|show the open tasks") {
        return Some(words.done().map(|()| MarkdownStep::Tasks));
    }
    if words.eats("how many tasks are open|how many open tasks are there|how many tasks are still open|how many tasks are left|how many tasks are not done") {
        return Some(words.done().map(|()| MarkdownStep::Count { what: Count::OpenTasks, place: None }));
    }
    if words.eats("how many sections are there|how many headings are there|how many sections does it have|how many headings does it have|count the sections|count the headings|how many sections does this have") {
        return Some(words.done().map(|()| MarkdownStep::Count { what: Count::Sections, place: None }));
    }
    if words.eats("how many words|count the words|word count|what is the word count") {
        words.eats("are there|are|does this have|does it have|does this document have|does the document have|has it|are in this document|in the document");
        if words.eats("in it|in the document|in this document|here|in this file|in total") || words.is_empty()
        {
            return Some(words.done().map(|()| MarkdownStep::Count { what: Count::Words, place: None }));
        }
        words.eats("are in|in|does|of|has");
        words.eats_last("have|section");
        section(&mut words);
        return Some(title(words).map(|section| MarkdownStep::Count {
            what: Count::Words,
            place: Some(super::Ground::Section(section)),
        }));
    }
    if words.eats("what's in|what is in|what does|read me|read|show me|show|what stands in") {
        if !section(&mut words) {
            return None;
        }
        words.eats_last("say|contain|section");
        return Some(title(words).map(|section| MarkdownStep::Read { section }));
    }
    None
}

pub(super) fn tasks(mut words: Words) -> Attempt {
    let done = words.begins("tick|check|mark|complete");
    if words.eats("tick off|tick|check off|check|uncheck|untick|mark|complete|unmark") {
        let all = words.eats("all the tasks|all tasks|every task|everything");
        words.eats("the task|the item|task|the box|the todo|the checkbox");
        let undone = words.eats_last("as not done|as open|as undone|as todo|as to do");
        words.eats_last("as done|as completed|as complete|as finished|off|as checked|done");
        if words.is_empty() && !all {
            return Some(Err("say which task, in quotation marks".to_owned()));
        }
        // "Mark 'x' as inline code" is something else.
        if words.clone().cut("as").is_some() {
            return None;
        }
        let done = done && !undone;
        if all {
            return Some(words.done().map(|()| MarkdownStep::Tick { task: None, done, place: None }));
        }
        return Some(words.value().map(|task| MarkdownStep::Tick { task: Some(task), done, place: None }));
    }
    let adds = words.begins("add|append");
    if words.eats("add|append|delete|remove") {
        words.eats("a|an|the");
        words.eats("new");
        let task = words.begins("task|todo|checkbox");
        if !words.eats("bullet point|bullet|list item|item|point|task|todo|entry") {
            // "add 'x' to the list under Features"
            let mut ahead = words.clone();
            ahead.quotation()?;
            if !ahead.begins("to the list|from the list|to the bullets|to the tasks|to the task list") {
                return None;
            }
        }
        words.eats("called|saying|:|that says");
        let (mut core, under) = match section_behind(&words, UNDER) {
            Some((head, name)) => (head, Some(name)),
            None => (words, None),
        };
        let listed = core.eats_last("to the list|from the list|to the bullets|to the bullet list|to the task list|in the list|of the list|to the tasks|to the checklist");
        if under.is_none() && !listed && adds {
            return Some(Err("say to which list: … to the list under Features".to_owned()));
        }
        let text = match core.quotation() {
            Some(text) => core.done().map(|()| text),
            None => core.value(),
        };
        return Some(text.map(|text| match adds {
            true => MarkdownStep::AddItem { text, under, task },
            false => MarkdownStep::DeleteItem { text, under },
        }));
    }
    if words.eats("turn|convert|change|make") && words.eats("the list|the bullets|the bullet list|the items")
    {
        let table = words.cut("into|to")?;
        let mut table = table;
        if !table.eats("a table|table") {
            return None;
        }
        let under = match words.is_empty() {
            true => None,
            false => {
                words.eats("under the heading|under|in the section|in|below").then_some(())?;
                words.eats("the section|the heading|the");
                let name = words.name()?;
                words.is_empty().then_some(())?;
                Some(name)
            }
        };
        return Some(table.done().map(|()| MarkdownStep::ListToTable { under }));
    }
    None
}

pub(super) fn tables(mut words: Words) -> Attempt {
    if words.eats("sort|order") {
        if words.eats_last(", largest first|, highest first|, biggest first|, newest first|, latest first") {
            words.push_back("descending");
        } else {
            words.eats_last(", smallest first|, lowest first|, oldest first|, earliest first");
        }
        let mut called = words.clone();
        let named = called.eats("the")
            && called.word_if(|word| word.chars().all(char::is_alphanumeric) && word != "table").is_some()
            && called.eats("table");
        let mut name = None;
        if named {
            words.eats("the");
            name = words.word();
            words.eats("table");
        } else if !words.eats("the table|the rows of the table|the table rows") {
            return Some(Err("I sort the rows of tables: sort the table by Name".to_owned()));
        }
        let Some(mut by) = words.cut("by the column|by column|by the|by") else {
            return Some(Err("say by which column: sort the table by Name".to_owned()));
        };
        let mut under = name;
        if !words.is_empty() {
            words.eats("under the heading|under|in the section|in|below").then_some(())?;
            words.eats("the section|the");
            under = Some(words.name()?);
            words.is_empty().then_some(())?;
        } else if let Some((head, name)) = section_behind(&by, "under|in the section") {
            by = head;
            under = Some(name);
        }
        let mut descending = false;
        loop {
            if by.eats_last(DESCENDING) {
                descending = true;
            } else if !by.eats_last(ASCENDING) {
                break;
            }
            by.eats_last(",|in|, in");
        }
        by.eats_last("column");
        return Some(by.value().map(|column| MarkdownStep::SortTable { column, descending, under }));
    }
    if words.begins("add|insert|append") {
        return row_added(words);
    }
    if words.eats("delete|remove|drop") {
        words.eats("the");
        if words.begins("header row|header|heading row|table header|headers") {
            return Some(Err(
                "a Markdown table needs its header row; delete a row below it, such as row 1".to_owned()
            ));
        }
        let row = match () {
            () if words.eats("last row") => Row::Last,
            () if words.eats("row") => Row::Nth(words.number()?),
            () => {
                let at = words.ordinal()?;
                words.eats("row").then_some(())?;
                Row::Nth(at + 1)
            }
        };
        words.eats("of the table|from the table|in the table");
        let under = match words.is_empty() {
            true => None,
            false => {
                words.eats("under the heading|under|in the section|in|below").then_some(())?;
                let name = words.name()?;
                words.is_empty().then_some(())?;
                Some(name)
            }
        };
        return Some(Ok(MarkdownStep::DeleteRow { row, under }));
    }
    None
}

/// "Add a row to the severity table: 4, Planned work, never"
fn row_added(mut words: Words) -> Attempt {
    words.eats("add|insert|append").then_some(())?;
    words.eats("a|an|the");
    words.eats("new");
    if !words.eats("row") {
        return None;
    }
    let Some(cells) = words.cut("with the values|with the cells|with|:|containing|saying") else {
        return Some(Err("say what the row says: add a row to the table with Berlin, 3.6, yes".to_owned()));
    };
    words.eats("to the table|at the end of the table|to the end of the table|in the table");
    // "to the severity table"
    let mut named = words.clone();
    let table = named
        .eats("to|at the end of|at the bottom of|in|to the end of")
        .then(|| super::ground::ground(&mut named))
        .flatten()
        .filter(|_| named.is_empty());
    let under = match (words.is_empty(), table) {
        (true, _) => None,
        (false, Some(super::Ground::Table(name))) => name,
        (false, _) => {
            words.eats("under the heading|under|in the section|in|below").then_some(())?;
            let name = words.name()?;
            words.is_empty().then_some(())?;
            Some(name)
        }
    };
    Some(match cells.clone().cells() {
        Some(cells) => Ok(MarkdownStep::AddRow { cells, under }),
        None => Err(format!("put the texts of the cells in quotation marks: `{}`", cells.shown())),
    })
}

pub(super) fn marks(mut words: Words) -> Attempt {
    if words.eats("link") {
        let Some(to) = words.cut("to|with") else {
            return Some(Err("say where to: link 'the docs' to https://…".to_owned()));
        };
        return Some(linked(words, to));
    }
    let verb = match () {
        () if words.eats("bold") => Some(Flavour::Bold),
        () if words.eats("italicise|italicize") => Some(Flavour::Italic),
        () if words.eats("strike through|strike out|strikethrough|cross out") => Some(Flavour::Strike),
        () => None,
    };
    if verb.is_none() && !words.eats("make|format|mark|set|put") {
        return None;
    }
    let everywhere =
        words.eats_last("wherever it appears|wherever it occurs|everywhere|every time|each time it appears");
    let all = everywhere
        | words
            .eats("every mention of|all mentions of|every occurrence of|all occurrences of|every|all|each");
    words.eats("the word|the words|the text|the phrase|the sentence|the name|the term|sentence");
    let text = match words.quotation() {
        Some(text) => text,
        None if all => words.name()?,
        None => return None,
    };
    let mut mark = verb;
    if mark.is_none() {
        words.eats("as|in|into|to be|a|an");
        mark = match () {
            () if words.eats("bold") => Some(Flavour::Bold),
            () if words.eats("italic|italics") => Some(Flavour::Italic),
            () if words.eats("inline code|code") => Some(Flavour::Code),
            () if words.eats("struck through|strikethrough") => Some(Flavour::Strike),
            () if words.eats("link to") => {
                let mut quoted = Words::default();
                quoted.push_quoted(&text);
                return Some(linked(quoted, words));
            }
            () => {
                return Some(Err(format!(
                    "say how it should look: bold, italic or code; I did not understand `{}`",
                    words.shown()
                )));
            }
        };
    }
    let mark = mark?;
    // "… in the quote"
    let mut grounds = Vec::new();
    if !words.is_empty() {
        match super::ground::peel_whole(words.clone()) {
            Some((found, _)) => grounds = found,
            None => return Some(words.done().map(|()| MarkdownStep::Mark { text, all, mark, grounds })),
        }
    }
    Some(Ok(MarkdownStep::Mark { text, all, mark, grounds }))
}

fn linked(mut text: Words, mut to: Words) -> Result<MarkdownStep, String> {
    text.eats("the text|the word|the words");
    let text = match text.quotation() {
        Some(found) => text.done().map(|()| found)?,
        None => text.value()?,
    };
    let to_url = to.quotation().or_else(|| to.word());
    match to_url {
        Some(url) if to.is_empty() && (url.contains('/') || url.starts_with('#') || url.contains(".")) => {
            Ok(MarkdownStep::Link { text, to: url })
        }
        _ => Err("say the address: link 'the docs' to https://example.com/docs".to_owned()),
    }
}
