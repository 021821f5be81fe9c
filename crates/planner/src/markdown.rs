//! Requests about a Markdown document: "add a section Risks after Scope", "tick 'Write docs'", "sort the table by Name".

mod blocks;
mod ground;
mod places;
mod step;
mod tables;

use crate::Unclear;
use crate::phrase::Words;
pub use step::{
    BlockAct, BlockKind, Count, Flavour, Ground, ListShape, MarkdownStep, Picked, Place, Row, Shape, Spot,
};

type Attempt = Option<Result<MarkdownStep, Unclear>>;

pub(crate) fn step(words: Words) -> Result<MarkdownStep, Unclear> {
    // "In step 3, change …": where stands before the rest.
    if let Some((ground, rest)) = ground::leading(&words) {
        return core(rest).and_then(|step| ground::at_home(step, ground));
    }
    core(words)
}

fn core(words: Words) -> Result<MarkdownStep, Unclear> {
    let patterns: [fn(Words) -> Attempt; 15] = [
        tables::cells,
        places::lists,
        places::beside_text,
        places::blocks,
        places::unmark,
        places::tables,
        places::levels,
        blocks::questions,
        blocks::tasks,
        blocks::tables,
        blocks::marks,
        sections,
        places::placed,
        places::fields,
        text,
    ];
    let mut why = None;
    for pattern in patterns {
        match pattern(words.clone()) {
            Some(Ok(step)) => return Ok(step),
            Some(Err(unclear)) => why = why.or(Some(unclear)),
            None => {}
        }
    }
    Err(why.unwrap_or_else(|| {
        crate::beyond::unknown(
            &words,
            "replace 'a' with 'b', delete the section Scope, add a row to the table: A, B, tick 'Write docs'",
        )
    }))
}

/// Sections that come, go, move and get other names.
fn sections(mut words: Words) -> Attempt {
    if words.eats("add|insert|create") {
        // "a level 2 heading Contacts"
        let mut level = words.clone();
        level.eats("a|an|the");
        if level.eats("level")
            && let Some(number) = level.word()
            && level.eats("heading called|heading|section called|section")
        {
            level.push_back("at");
            level.push_back("level");
            level.push_back(&number);
            return Some(add_section(level));
        }
        return section(&mut words).then(|| add_section(words));
    }
    if words.eats("delete|remove|drop") {
        let heading =
            words.begins("the heading|heading|the heading called") || words.clone().eats_last("heading");
        if !section(&mut words) {
            return None;
        }
        let whole = words.eats_last("and its table|and its list|and its contents|and everything in it|and all its content|with everything in it|and its content|and all its subsections|completely|entirely|and its text|and its section|and the text below it|and what follows|and its steps|and the table");
        // The heading is a line, and the section what stands below it too.
        return Some(title(words).map(|title| match heading && !whole {
            true => MarkdownStep::DeleteHeading { title },
            false => MarkdownStep::DeleteSection { title },
        }));
    }
    let changes = words.begins("change|set|update");
    if words.eats("rename|change|set|update") {
        let titled = words
            .eats("the title|the main title|the document title|the main heading|the title of the document");
        let named = !titled && section(&mut words);
        if changes && !titled && !named {
            return None;
        }
        let Some(to) = words.cut("to|into|as") else {
            return Some(Err("say the new heading: rename section A to B".to_owned()));
        };
        if titled {
            return Some(
                words.done().and_then(|()| new_title(to)).map(|to| MarkdownStep::RenameTitle { to }),
            );
        }
        return Some(
            title(words).and_then(|old| Ok(MarkdownStep::RenameSection { title: old, to: new_title(to)? })),
        );
    }
    if words.eats("move|put") {
        let named = section(&mut words);
        let place = match place(&mut words) {
            Ok(Some(place)) => place,
            Ok(None) if named => return Some(Err("say where to: move section A after B".to_owned())),
            Ok(None) => return None,
            Err(unclear) => return Some(Err(unclear)),
        };
        words.eats_last("section");
        if words.has_quotation() && !named {
            return None;
        }
        return Some(title(words).map(|title| MarkdownStep::MoveSection { title, place }));
    }
    let (promotes, demotes) = (words.begins("promote"), words.begins("demote"));
    if words.eats("promote|demote") {
        if !section(&mut words) {
            return Some(Err("say which heading: promote the heading Options".to_owned()));
        }
        let by = if promotes { -1 } else { i8::from(demotes) };
        return Some(title(words).map(|title| MarkdownStep::Shift { title, by }));
    }
    if words.eats("make") {
        if !section(&mut words) {
            return None;
        }
        let level = words
            .cut("a level|level|a heading of level|heading level|a heading")
            .or_else(|| words.cut("an h|an|a"))?;
        let mut level = level;
        let number = level.number().or_else(|| {
            level
                .word_if(|word| word.len() == 2 && word.to_lowercase().starts_with('h'))
                .and_then(|word| word.get(1..)?.parse().ok())
        });
        level.eats("heading|section");
        return match number.and_then(|number| u8::try_from(number).ok()) {
            Some(to @ 1..=6) if level.is_empty() => {
                Some(title(words).map(|title| MarkdownStep::Level { title, to }))
            }
            _ => Some(Err(
                "a heading has a level from 1 to 6: make the heading Usage a level 3 heading".to_owned()
            )),
        };
    }
    None
}

/// Text that is added, replaced, deleted and found.
fn text(mut words: Words) -> Attempt {
    if words.eats("append|add|insert|write|put") {
        words.eats("a|the|an");
        words.eats("new paragraph|paragraph|text|sentence|line|note");
        let mut into = None;
        if words.eats_last("at the end of the document|to the end of the document|at the end of the file|to the end of the file|at the very end|at the end|to the end|to the document|at the bottom|at the end of the page") {
            into = None;
        } else if let Some((head, name)) = section_behind(&words, "to the end of the section|at the end of the section|to the section|in the section|to section|under the heading|to the end of|in section|under") {
            words = head;
            into = Some(name);
        }
        words.eats("at the end");
        let said = words.eats("saying|that says|reading|with the text|:");
        return Some(match (words.quotation(), said) {
            (Some(text), _) => words.done().map(|()| MarkdownStep::Append { text, section: into }),
            (None, true) => words.value().map(|text| MarkdownStep::Append { text, section: into }),
            (None, false) => Err(format!(
                "put the text to add in quotation marks; I did not understand `{}`",
                words.shown()
            )),
        });
    }
    if words.eats("delete|remove|erase") {
        let first = words.eats("the first occurrence of|first occurrence of|the first|first");
        words.eats("all occurrences of|every occurrence of|occurrences of|occurrence of|all mentions of|every|all|the text|the word|the words|the phrase|the sentence|text|word");
        let within = section_behind(&words, "from the section|in the section|from section|in section|under");
        let (mut words, within) = match within {
            Some((head, name)) => (head, Some(name)),
            None => (words, None),
        };
        words.eats_last("everywhere|from the document");
        let Some(text) = words.quotation() else {
            return Some(Err(format!(
                "say which section, or which text in quotation marks, to delete; I did not understand `{}`",
                words.shown()
            )));
        };
        // "… from the intro"
        let mut grounds = Vec::new();
        if words.eats("from|in|within") {
            match ground::several(words) {
                Some(found) => grounds = found,
                None => return Some(Err("say from where: delete 'x' from the section Scope".to_owned())),
            }
            words = Words::default();
        }
        return Some(words.done().map(|()| MarkdownStep::Replace {
            text,
            with: String::new(),
            all: !first,
            within,
            prose: false,
            picked: None,
            grounds,
            except: Vec::new(),
        }));
    }
    let by = match () {
        () if words.eats("replace|find and replace|substitute") => "with|by",
        () if words.eats("swap") => "for|with",
        () if words.eats("change|correct|update") => "to|into",
        () => "",
    };
    if !by.is_empty() {
        return Some(replace(words, by));
    }
    if words.eats("which section mentions|which sections mention|which paragraph mentions|which paragraphs mention|which steps mention|which step mentions|which items mention|which item mentions|which chapter mentions|where do we mention|where is there a mention of|which section talks about|which section is about|which section contains|which sections contain|is there anything about|find every mention of|find all mentions of|find all|find every|find|search for|search|where is|where does|look for|locate|does it mention|does the document mention|is there any mention of|where are") {
        words.eats("the word|the text|the phrase|the|mentions of|occurrences of");
        words.eats_last("mentioned|appear|occur|used|stand|explained|defined|described|covered|discussed|documented");
        if words.begins("a|any|all|what|which|who|how|why") && !words.has_quotation() {
            return Some(Err(format!("put the text to find in quotation marks: `{}`", words.shown())));
        }
        return Some(words.value().map(|text| MarkdownStep::Find { text }));
    }
    None
}

fn replace(mut words: Words, by: &str) -> Result<MarkdownStep, Unclear> {
    let Some(mut with) = words.cut(by) else {
        return Err("say what to put there: replace 'this' with 'that'".to_owned());
    };
    with.eats(":|the word|the text|the words|the phrase");
    let (mut grounds, except) = ground::peel(&mut with);
    let (more, _) = ground::peel(&mut words);
    grounds.extend(more);
    const EVERYWHERE: &str = "everywhere|in the document|throughout the document|in the whole document|throughout|in the whole file|in the file|all over";
    const IN: &str = "but only in the section|only in the section|in the section called|in the section|in section|under the heading|under|but only under|only under|within the section";
    let mut within = None;
    let prose = with.eats_last("everywhere except in code|except in code|but not in code|, but not in code|outside of code|outside code|except in code blocks|but not in code blocks|in prose only|only in prose");
    if prose {
        with.eats_last(",");
    }
    if !with.eats_last(EVERYWHERE)
        && grounds.is_empty()
        && let Some((head, name)) = section_behind(&with, IN).or_else(|| places::section_at_end(&with))
    {
        with = head;
        within = Some(name);
    }
    if !words.eats_last(EVERYWHERE)
        && within.is_none()
        && let Some((head, name)) = section_behind(&words, IN)
    {
        words = head;
        within = Some(name);
    }
    let mut picked = None;
    let mut counted = words.clone();
    counted.eats("only|just");
    counted.eats("the");
    let at = match counted.eats("last|final") {
        true => Some(Picked::Last),
        false => counted.ordinal().filter(|at| *at > 0).map(Picked::Nth),
    };
    if at.is_some() {
        let noun = counted.eats("occurrence of|mention of|instance of|match of|use of");
        if noun || counted.has_quotation() && counted.len() == 1 {
            words = counted;
            picked = at;
        }
    }
    let first = words.eats("only the first|the first occurrence of|the first|first occurrence of|first")
        | with.eats_last("once|only once|just once");
    words.eats("all occurrences of|every occurrence of|each occurrence of|all instances of|all mentions of|every mention of|all|every|each|occurrence of|match of|the word|the text|the words|the phrase");
    if by.split('|').any(|by| with.clone().cut(by).is_some()) {
        return Err(
            "say one replacement at a time: replace 'a' with 'b', then replace 'c' with 'd'".to_owned()
        );
    }
    let with = match with.is_nothing() {
        true => String::new(),
        false => with.value()?,
    };
    if words.begins("the|a|my|this|it|everything|anything|something|all|every|each|any")
        && !words.has_quotation()
    {
        return Err(format!("put the text to replace in quotation marks: `{}`", words.shown()));
    }
    let text = words.sought()?;
    Ok(MarkdownStep::Replace { text, with, all: !first, within, prose, picked, grounds, except })
}

/// A section at the end, behind one of `leads`.
pub(super) fn section_behind(words: &Words, leads: &str) -> Option<(Words, String)> {
    for cut in 1..words.len() {
        let (mut head, mut tail) = words.split_at(cut);
        if !tail.eats(leads) {
            continue;
        }
        tail.eats("the section|section|the heading|the");
        tail.eats_last("section");
        let mut whole = tail.clone();
        if let Some(name) = tail.name()
            && tail.is_empty()
        {
            head.eats_last(",|but");
            return Some((head, name));
        }
        // "… under Workspace resolution", to the end.
        if let Some(name) = ground::heading_name(&mut whole).filter(|_| whole.is_empty()) {
            head.eats_last(",|but");
            return Some((head, name));
        }
    }
    None
}

pub(super) fn section(words: &mut Words) -> bool {
    words.eats("the|a|an");
    words.eats("new");
    // "the Checklist section"
    let mut named = words.clone();
    if let Some(name) = named.name()
        && named.eats("section|heading|chapter")
    {
        let mut title = Words::default();
        title.push_quoted(&name);
        // What follows the noun goes on as if it stood behind the title.
        title.append(named);
        *words = title;
        return true;
    }
    words.eats("section called|section named|section titled|section on|section about|section|chapter|heading called|heading|subsection called|subsection")
}

fn add_section(mut words: Words) -> Result<MarkdownStep, Unclear> {
    let content = words.cut("with the text|with text|saying|that says|with the content");
    let content = match content {
        Some(mut content) => Some(match content.quotation() {
            // What follows the text says where: "with the text 'None.' after Scope".
            Some(text) => {
                words.append(content);
                text
            }
            None => content.value()?,
        }),
        None => None,
    };
    let level = match words.cut("at level|of level|on level") {
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

fn place(words: &mut Words) -> Result<Option<Place>, Unclear> {
    if words.eats_last("at the end of the document|to the end of the document|at the end|to the end|at the bottom|to the bottom") {
        return Ok(Some(Place::End));
    }
    if words.clone().cut("between").is_some() {
        return Err("say after or before which section".to_owned());
    }
    for (name, make) in [
        ("after|behind|right after", Place::After as fn(String) -> Place),
        ("before|in front of|right before", Place::Before),
    ] {
        let mut head = words.clone();
        if let Some(mut anchor) = head.cut(name) {
            section(&mut anchor);
            anchor.eats_last("section");
            let anchor = title(anchor)?;
            *words = head;
            return Ok(Some(make(anchor)));
        }
    }
    Ok(None)
}

pub(super) fn title(words: Words) -> Result<String, Unclear> {
    match words.is_empty() {
        true => Err("say the section's heading".to_owned()),
        false => words.value(),
    }
}

/// A heading that is given: words that begin with a capital are all of it, unless some of them could say where or how.
fn new_title(mut words: Words) -> Result<String, Unclear> {
    words.eats(":");
    if let Some(text) = words.clone().quotation().filter(|_| words.len() == 1) {
        // What was written between backticks is code.
        return Ok(if words.is_code(&text) { format!("`{text}`") } else { text });
    }
    if let Some(at) = (1..words.len()).find(|at| goes_on(&words, *at)) {
        let (head, tail) = words.split_at(at);
        return Err(format!(
            "either the heading is `{}`, then put it in quotation marks; or it is `{}`, then I did not understand `{}`",
            words.shown(),
            head.shown(),
            tail.shown()
        ));
    }
    let capital =
        matches!(words.peek(), Some(crate::token::Kind::Word(word)) if word.starts_with(char::is_uppercase));
    match capital && !words.has_quotation() {
        true => words.message(),
        false => title(words),
    }
}

/// Whether what stands from here on may be said of the change, and not be a part of the heading.
fn goes_on(words: &Words, at: usize) -> bool {
    const SAID: &str = ",|;|but|except|only|if|unless|then|too|also|instead|not|as|at|after|before|like|unlike|using|via|per|so|because|\
        since|near|with a|with an|with the|with no|without|for now|for the moment|now|again|everywhere|throughout|please|never|even|maybe|once|\
        in bold|in italics|in capitals|in caps|in title case|in lower case|in upper case|first|later|today|yet|already|here|there|instead of";
    let (head, mut tail) = words.split_at(at);
    if tail.begins(SAID) {
        return true;
    }
    // "Range to Limits", but "What to do".
    if tail.begins("to|into") {
        return !head.clone().eats_last("how|what|when|where|who|which|way|ways|things|need|want|ready");
    }
    // "Coverage and the section On-call to Duty"
    if tail.begins("and|or") {
        return tail.clone().cut("to|into").is_some();
    }
    // "Coverage in the table of contents", but "Getting in touch".
    if tail.eats("in|on|under|within|inside|from|of") {
        let place = tail.begins("the|this|that|all|every|section|clause|chapter|step");
        return place && !head.is_empty();
    }
    false
}
