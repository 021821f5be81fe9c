//! Blocks by what they are: "the quote", "the second code block", "step 2", "the cell in the row of Berlin".

use super::step::{BlockAct, BlockKind, Flavour, ListShape, MarkdownStep, Picked, Row, Shape, Spot};
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
pub(super) fn block(words: &mut Words) -> Option<(BlockKind, Picked, Option<String>)> {
    let mut ahead = words.clone();
    ahead.eats("the|that|this");
    let mut picked = match () {
        () if ahead.eats("very last|last|final") => match ahead.number() {
            Some(count @ 2..=1000) => Picked::LastOf(count),
            _ => Picked::Last,
        },
        () if ahead.clone().eats("first") => {
            ahead.eats("first");
            match ahead.number() {
                Some(count @ 2..=1000) => Picked::Span(0, count - 1),
                _ => Picked::Nth(0),
            }
        }
        () => ahead.ordinal().map_or(Picked::Only, Picked::Nth),
    };
    if matches!(picked, Picked::LastOf(_) | Picked::Span(..))
        && ahead.eats("steps|items|bullets|bullet points|list items|points")
    {
        let under = under(&mut ahead);
        *words = ahead;
        return Some((BlockKind::Item, picked, under));
    }
    if picked == Picked::Only && ahead.eats("steps|items|bullets") {
        let numbers = ahead.numbers()?;
        let (from, to) = (numbers.first()?.checked_sub(1)?, numbers.last()?.checked_sub(1)?);
        (numbers.len() == to.checked_sub(from)? + 1).then_some(())?;
        let under = under(&mut ahead);
        *words = ahead;
        return Some((BlockKind::Item, Picked::Span(from, to), under));
    }
    // "the Robust bullet"
    let mut named = ahead.clone();
    if picked == Picked::Only
        && let Some(name) = named.name()
        && let Some(kind) = NOUNS.iter().find_map(|(nouns, kind)| named.eats(nouns).then_some(*kind))
        && matches!(kind, BlockKind::Item | BlockKind::Task | BlockKind::Paragraph)
    {
        let under = under(&mut named);
        *words = named;
        return Some((kind, Picked::With(name), under));
    }
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
    // "the paragraph that mentions Runbooks", "the bullet about meals", "step "Open a channel""
    let about = ahead.eats("that mentions|which mentions|that says|that contains|containing|mentioning|about|starting with|that starts with|beginning with|with the text|on");
    if (about || ahead.has_quotation())
        && matches!(kind, BlockKind::Item | BlockKind::Task | BlockKind::Paragraph | BlockKind::Quote)
    {
        let text = match ahead.quotation() {
            Some(text) => Some(text),
            None if about => {
                ahead.eats("the");
                ahead.name().or_else(|| ahead.word())
            }
            None => None,
        };
        if let Some(text) = text
            && picked == Picked::Only
        {
            let under = under(&mut ahead);
            *words = ahead;
            return Some((kind, Picked::With(text), under));
        }
        if about {
            return None;
        }
    }
    let under = under(&mut ahead);
    *words = ahead;
    Some((kind, picked, under))
}

/// "… under Scope", "… of the on-call section"
fn under(words: &mut Words) -> Option<String> {
    let mut place = words.clone();
    place.eats("under the heading|under|in the section|of the section|in|of|below|from").then_some(())?;
    place.eats("the section|the heading|the");
    let name = section_name(&mut place)?;
    *words = place;
    Some(name)
}

/// Lists as such, and items in other places.
pub(super) fn lists(words: Words) -> Attempt {
    added_item(words.clone())
        .or_else(|| arranged(words.clone()))
        .or_else(|| swapped(words.clone()))
        .or_else(|| moved(words.clone()))
        .or_else(|| turned(words.clone()))
        .or_else(|| ticked(words.clone()))
        .or_else(|| numbered(words.clone()))
        .or_else(|| deeper(words))
}

/// `add "Tell the customer" to the checklist`, `add a bullet "x" at the end of the list under Scope`
fn added_item(mut words: Words) -> Attempt {
    words.eats("add|append|put|insert|include").then_some(())?;
    words.eats("a|an|another|the|one more");
    words.eats("new|further|last|final");
    let task =
        words.eats("unchecked|open|unticked") || words.begins("task|todo|to-do|checkbox|checklist item");
    let noun = words
        .eats("bullet point|bullet|list item|item|point|task|todo|to-do|step|entry|checklist item|checkbox");
    words.eats("called|saying|:|that says|reading");
    let mut place = words.clone();
    let text = match place.quotation() {
        Some(text) => text,
        None => {
            // Without quotation marks: up to the place, or behind a colon.
            let mut head = words.clone();
            if let Some(tail) = head.cut(":|saying|that says|reading") {
                place = head;
                match tail.message() {
                    Ok(text) => text,
                    Err(why) => return Some(Err(why)),
                }
            } else {
                let at = (1..words.len()).find(|at| {
                    words.split_at(*at).1.begins("to the|at the end of the|at the bottom of the|to")
                })?;
                let (head, tail) = words.split_at(at);
                place = tail;
                head.value().ok()?
            }
        }
    };
    place.eats("as an item|as a bullet|as a task|as a new item|as a new bullet|as the last item");
    place.eats("at the end of|at the bottom of|to the end of|to the bottom of|to|in|on");
    let list = super::ground::ground(&mut place)?;
    place.eats("as an item|as a bullet|as a task|as a new item|as a new bullet|as the last item|:");
    if !place.is_empty() {
        return None;
    }
    let under = match list {
        super::Ground::Tasks => return Some(Ok(MarkdownStep::AddItem { text, under: None, task: true })),
        super::Ground::List(name) => name,
        super::Ground::Section(name) if noun => Some(name),
        _ => return None,
    };
    Some(Ok(MarkdownStep::AddItem { text, under, task }))
}

/// "sort the list alphabetically", "put "x" at the top of the list", "remove Prettier from the list"
fn arranged(mut words: Words) -> Attempt {
    if words.eats("sort|alphabetise|alphabetize|order") {
        let list = super::ground::ground(&mut words)?;
        let descending =
            words.eats("z to a|in reverse alphabetical order|from z to a|in reverse order|descending");
        words.eats("alphabetically|in alphabetical order|a to z|from a to z|by name|ascending");
        let super::Ground::List(under) = list else { return None };
        return words.is_empty().then_some(Ok(MarkdownStep::SortList { under, descending }));
    }
    if words.eats("remove|delete|take|drop|strike") {
        let list = words.cut_last(&["from"]).or_else(|| words.cut_last(&["off"]))?;
        let mut list = list;
        let under = match super::ground::ground(&mut list)? {
            super::Ground::List(under) => under,
            super::Ground::Tasks => None,
            _ => return None,
        };
        list.is_empty().then_some(())?;
        words.eats("the item|the bullet|the step|item|bullet");
        return Some(words.label().map(|text| MarkdownStep::DeleteItem { text, under }));
    }
    words.eats("put|add|insert").then_some(())?;
    let text = words.quotation()?;
    words.eats("at the top of|to the top of|at the start of|at the beginning of").then_some(())?;
    let list = super::ground::ground(&mut words)?;
    let under = match list {
        super::Ground::List(under) => under,
        _ => return None,
    };
    let act = BlockAct::Beside { text, after: false };
    words.is_empty().then_some(Ok(MarkdownStep::Block {
        kind: BlockKind::Item,
        picked: Picked::Nth(0),
        under,
        act,
    }))
}

/// "swap steps 1 and 2"
fn swapped(mut words: Words) -> Attempt {
    words.eats("swap|switch|exchange").then_some(())?;
    words.eats("the");
    let mut first = words.clone();
    if first.eats("first two") && first.eats("steps|items|bullets|points") {
        let under = under(&mut first);
        return first.is_empty().then_some(Ok(MarkdownStep::SwapItems {
            one: Picked::Nth(0),
            other: Picked::Nth(1),
            under,
        }));
    }
    words.eats("steps|items|bullets|points|step|item|bullet").then_some(())?;
    let one = words.number()?.checked_sub(1)?;
    words.eats("and|with").then_some(())?;
    words.eats("step|item|bullet");
    let other = words.number()?.checked_sub(1)?;
    let under = under(&mut words);
    words.is_empty().then_some(Ok(MarkdownStep::SwapItems {
        one: Picked::Nth(one),
        other: Picked::Nth(other),
        under,
    }))
}

/// "move step 3 before step 1", "move the Fast bullet to the top of the list"
fn moved(mut words: Words) -> Attempt {
    words.eats("move|put").then_some(())?;
    let (kind, item, mut place) = block(&mut words)?;
    if !matches!(kind, BlockKind::Item | BlockKind::Task) {
        return None;
    }
    let to = match () {
        () if words.eats("to the top of the list|to the top|to the beginning of the list|to the start of the list|to the front|first|up to the top") => Spot::First,
        () if words.eats("to the end of the list|to the end|to the bottom of the list|to the bottom|last") => Spot::Last,
        () => {
            let before = words.begins("before|above|in front of|to before");
            words.eats("before|above|in front of|to before|after|below|behind|to after").then_some(())?;
            let (kind, other, at) = block(&mut words)?;
            matches!(kind, BlockKind::Item | BlockKind::Task).then_some(())?;
            place = place.or(at);
            if before { Spot::Before(other) } else { Spot::After(other) }
        }
    };
    let at = under(&mut words).or(place);
    words.is_empty().then_some(Ok(MarkdownStep::MoveItem { item, to, under: at }))
}

/// "turn the checklist into a numbered list", "make the first paragraph a quote"
fn turned(mut words: Words) -> Attempt {
    words.eats("turn|convert|make|change").then_some(())?;
    let mut about = words.clone();
    if let Some((kind, picked, under)) = block(&mut about)
        && matches!(kind, BlockKind::Paragraph | BlockKind::Quote | BlockKind::Code)
    {
        about.eats("into|to|as|be|back into");
        about.eats("a|an");
        about.eats("normal|plain|regular|ordinary");
        let shape = match () {
            () if about.eats("block quote|blockquote|quotation|quote") => Shape::Quote,
            () if about.eats("paragraph|text|plain text|body text") => Shape::Paragraph,
            () if about.eats("code block|code") => Shape::Code(None),
            () if about.eats("level") => {
                let level = about
                    .number()
                    .and_then(|level| u8::try_from(level).ok())
                    .filter(|level| (1..=6).contains(level))?;
                about.eats("heading").then_some(())?;
                Shape::Heading(level)
            }
            () => return None,
        };
        return about.is_empty().then_some(Ok(MarkdownStep::Block {
            kind,
            picked,
            under,
            act: BlockAct::Turn(shape),
        }));
    }
    let list = match super::ground::ground(&mut words)? {
        list @ (super::Ground::Tasks | super::Ground::List(_)) => list,
        // "Turn Other tools into a checklist": the list under it.
        super::Ground::Section(name) => super::Ground::List(Some(name)),
        _ => return None,
    };
    words.eats("into|to|as|be").then_some(())?;
    words.eats("a|an");
    let to = match () {
        () if words.eats("numbered list|ordered list|numbers|numbered steps|numbered items|numbered points|list of steps|list with numbers") => ListShape::Numbers,
        () if words.eats("bulleted list|bullet list|bullets|unordered list|bullet points|bulleted points|list with bullets") => ListShape::Bullets,
        () if words.eats("checklist|task list|list of tasks|tasks|checkboxes|to-do list|todo list|list with checkboxes") => ListShape::Tasks,
        () => return None,
    };
    words.is_empty().then_some(Ok(MarkdownStep::ListKind { list, to }))
}

/// "tick everything", "check off all items"
fn ticked(mut words: Words) -> Attempt {
    let done = words.begins("tick|check|complete|mark");
    words.eats("tick off|tick|check off|check|complete|untick|uncheck|mark").then_some(())?;
    let undone = words.eats_last("as not done|as open|as undone");
    words.eats_last("as done|as completed|as complete|done|off");
    let mut place = None;
    if words.eats("the whole checklist|the checklist|the task list|the to-do list") {
        place = Some(super::Ground::Tasks);
    } else {
        words.eats("all items|all the items|all of the items|all boxes|all the boxes|every item|every box|all checkboxes|everything|all of them|all tasks|all the tasks|every task|all").then_some(())?;
        words.eats("off");
    }
    // "… in the checklist", "… under After"
    if words.eats("on|in|of|under|below|from") {
        let found = super::ground::ground(&mut words)?;
        place = match found {
            super::Ground::Tasks | super::Ground::List(None) => Some(super::Ground::Tasks),
            found @ (super::Ground::List(Some(_)) | super::Ground::Section(_)) => Some(found),
            _ => return None,
        };
    }
    words.is_empty().then_some(Ok(MarkdownStep::Tick { task: None, done: done && !undone, place }))
}

/// "change the language of the code block to bash"
fn numbered(mut words: Words) -> Attempt {
    if words
        .eats("change the code block language|set the code block language|change the code block's language")
    {
        words.eats("to|as").then_some(())?;
        let language = words.quotation().or_else(|| words.word())?;
        let act = BlockAct::Turn(Shape::Code(Some(language)));
        return words.is_empty().then_some(Ok(MarkdownStep::Block {
            kind: BlockKind::Code,
            picked: Picked::Only,
            under: None,
            act,
        }));
    }
    words
        .eats("change the language of|set the language of|make the language of|change the language tag of")
        .then_some(())?;
    let (kind, picked, under) = block(&mut words)?;
    (kind == BlockKind::Code && words.eats("to|as")).then_some(())?;
    let language = words.quotation().or_else(|| words.word())?;
    words.is_empty().then_some(Ok(MarkdownStep::Block {
        kind,
        picked,
        under,
        act: BlockAct::Turn(Shape::Code(Some(language))),
    }))
}

/// "make all headings one level deeper"
fn deeper(mut words: Words) -> Attempt {
    let (promotes, demotes) = (words.begins("promote"), words.begins("demote"));
    words.eats("make|move|shift|promote|demote").then_some(())?;
    words.eats("all headings|all the headings|every heading|the headings").then_some(())?;
    let by = match () {
        () if words
            .eats("one level deeper|one level down|a level deeper|down one level|by one level lower")
            || demotes =>
        {
            1
        }
        () if words.eats("one level higher|one level up|a level higher|up one level") || promotes => -1,
        () => return None,
    };
    words.eats("by one level|one level");
    words.is_empty().then_some(Ok(MarkdownStep::ShiftAll { by }))
}

/// `put "very" before "long"`, `append " (UTC)" to "3 a.m."`, `after "page" insert "now"`
pub(super) fn beside_text(mut words: Words) -> Attempt {
    let mut lead = words.clone();
    // The place first: "after "page" insert "now"".
    let leads = lead.begins("after|before|behind");
    if leads {
        let after = !lead.begins("before");
        lead.eats("after|before|behind");
        lead.eats("the word|the words|the text|the phrase");
        let anchor = lead.quotation()?;
        lead.eats(",");
        lead.eats("insert|add|put|write").then_some(())?;
        lead.eats("the word|the words|the text");
        let text = lead.quotation()?;
        let (grounds, _) = super::ground::peel_whole(lead)?;
        return Some(Ok(MarkdownStep::InsertBeside { text, anchor, after, grounds }));
    }
    words.eats("insert|add|put|write|append|prepend").then_some(())?;
    words.eats("the word|the words|the text|the phrase");
    let text = words.quotation()?;
    let after = match () {
        () if words.eats("after|behind|right after|directly after") => true,
        () if words.eats("before|in front of|right before|directly before") => false,
        () if words.eats("to")
            && words.peek().is_some_and(|next| matches!(next, crate::token::Kind::Quoted(_))) =>
        {
            true
        }
        () => return None,
    };
    words.eats("the word|the words|the text|the phrase");
    let anchor = match words.quotation() {
        Some(anchor) => anchor,
        // "after Acknowledge": a word with a capital, and nothing behind it that could be a place.
        None => {
            let anchor = words.name()?;
            words.is_empty().then_some(anchor)?
        }
    };
    let (grounds, _) = super::ground::peel_whole(words)?;
    Some(Ok(MarkdownStep::InsertBeside { text, anchor, after, grounds }))
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
        None => match told.cut(":|saying|that says|reading") {
            Some(said) => match said.message() {
                Ok(text) => text,
                Err(why) => return Some(Err(why)),
            },
            // "Add a task Customers informed after Timeline written"
            None => {
                let at = (1..told.len()).find(|at| told.split_at(*at).1.begins("after|before|behind"))?;
                let (said, place) = told.split_at(at);
                told = place;
                match said.value() {
                    Ok(text) => text,
                    Err(why) => return Some(Err(why)),
                }
            }
        },
    };
    let after = told.eats("after|behind|below");
    if !after && !told.eats("before|above") {
        return None;
    }
    // "… after "Open a channel"", "… after Cause agreed": an item by its words.
    let (kind, picked, under) = match told.eats("it|the first one|the one") {
        true => return None,
        false => match block(&mut told) {
            Some(found) => found,
            None => match told.clone().quotation() {
                Some(text) if told.len() == 1 => {
                    told = Words::default();
                    (BlockKind::Item, Picked::With(text), None)
                }
                Some(_) => return None,
                None => {
                    let text = std::mem::take(&mut told).label().ok()?;
                    (BlockKind::Item, Picked::With(text), None)
                }
            },
        },
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
    let mut beside = None;
    for (lead, after) in [
        ("after|right of|to the right of|behind", true),
        ("before|left of|to the left of|in front of", false),
    ] {
        let mut head = core.clone();
        if let Some(mut other) = head.cut(lead) {
            other.eats("the column|column|the");
            other.eats_last("column");
            beside = Some((other.label().ok()?, after));
            core = head;
            break;
        }
    }
    if core.begins("called|named|titled") {
        core.eats("called|named|titled");
    }
    Some(core.value().map(|name| MarkdownStep::AddColumn { name, beside, under }))
}

/// "… to the table under Scope", "… of the severity table": what stands before, and the section.
pub(super) fn of_table(words: Words) -> (Words, Option<String>) {
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
    let moves = words.begins("move");
    words.eats("make|turn|move").then_some(())?;
    if moves {
        let by = if words.eats_last("up one level|up a level|one level up") { -1 } else { 1 };
        if by == 1 && !words.eats_last("down one level|down a level|one level down") {
            return None;
        }
        words.eats("the section|the heading|the");
        return Some(words.label().map(|title| MarkdownStep::Shift { title, by }));
    }
    let ordinals = [
        "a first level",
        "a second level",
        "a third level",
        "a fourth level",
        "a fifth level",
        "a sixth level",
    ];
    for (at, phrase) in ordinals.iter().enumerate() {
        let mut title = words.clone();
        if let Some(mut noun) = title.cut(phrase) {
            noun.eats("heading|section");
            title.eats("the");
            title.eats_last("heading|section");
            let to = u8::try_from(at + 1).ok()?;
            return noun.is_empty().then(|| title.label().map(|title| MarkdownStep::Level { title, to }));
        }
    }
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
    words.eats_last("in the front matter|in the frontmatter|of the front matter");
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
