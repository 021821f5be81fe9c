//! Requests that bring text: "add a paragraph after clause 3 saying …".

use super::modify::Modifiers;
use super::step::{Beside, Inserted, Target, WordAct};
use super::{Act, target};
use crate::phrase::Words;

pub(super) fn act(words: &Words, modifiers: &Modifiers) -> Act {
    let mut words = words.clone();
    let (mut side, mut at) = (Beside::End, Target::Implied);
    if words.eats("prepend") {
        (side, at) = (Beside::Start, Target::Document);
    } else if words.eats("append") {
        (side, at) = (Beside::End, Target::Document);
    } else if !words.eats("insert|add|put|type|write|include|place") {
        return None;
    }
    let mut kind = Inserted::Text;
    if let Some(item) = listed(words.clone()) {
        return Some(item);
    }
    let place = place(&mut words, modifiers);
    if let Some((own_line, beside, target)) = place {
        (side, at) = (beside, target);
        if own_line {
            kind = Inserted::Paragraph;
        }
    } else if words.eats_last("to the document|to the end of the document") {
        // What is put before or behind the document was said by the verb.
        if at == Target::Implied {
            (side, at) = (Beside::End, Target::Document);
        }
    }
    let item = words.clone();
    if let Some(listed) = list_item(item) {
        return Some(listed);
    }
    words.eats("the|a|an");
    let new = words.eats("new");
    words.eats("following|extra|another|additional");
    if words.eats("clause") {
        kind = Inserted::Clause;
    } else if words.eats("paragraph|line") || new && words.eats("sentence") {
        kind = Inserted::Paragraph;
    } else if words.eats("heading|header|section heading|title|subheading") {
        let level = match words.eats("level") {
            true => words.number(),
            false => words.clone().number().filter(|_| words.len() > 1).and_then(|_| words.number()),
        };
        kind = Inserted::Heading(level.and_then(|level| u8::try_from(level).ok()).unwrap_or(1));
        words.eats("called|named|titled");
    }
    words.eats("text|word|words|sentence|phrase");
    words.eats("saying|reading|that says|that reads|with the text|with the words|with|:");
    if words.eats_last("as a new paragraph|in a new paragraph|as a paragraph|as a new line|on a new line|on its own line|as its own paragraph") {
        kind = Inserted::Paragraph;
    }
    if words.is_empty() {
        return Some(Err("say the text to insert, in quotation marks".to_owned()));
    }
    let quoted = words.quotation().or_else(|| mark(&mut words));
    let text = match (quoted, kind) {
        (Some(text), _) => match words.is_empty() {
            true => text,
            false => return Some(Err(format!("I did not understand `{}`", words.shown()))),
        },
        (None, Inserted::Heading(_)) => match words.value() {
            Ok(text) => text,
            Err(unclear) => return Some(Err(unclear)),
        },
        (None, _) => {
            return Some(Err(format!(
                "I insert text in quotation marks, headings, rows, tables and pictures; I did not understand `{}`",
                words.shown()
            )));
        }
    };
    // "DRAFT - " in front of the title goes on with it: the blank at its end says so.
    if kind == Inserted::Text && !matches!(at, Target::Text(_) | Target::Document | Target::Implied) {
        side = match side {
            Beside::Before if text.ends_with(' ') => Beside::Start,
            Beside::After if text.starts_with(' ') => Beside::End,
            side => side,
        };
    }
    if at == Target::Implied && !modifiers.within.is_empty() {
        return Some(Err("say where it goes: before, after, or at the end of something".to_owned()));
    }
    Some(Ok(WordAct::Insert { text, kind, side, target: at }))
}

/// "Add a paragraph at the end saying This agreement is …": the text goes to the end, so that it is cut off before
/// anything else is read.
pub(super) fn told(words: &Words) -> Option<Result<WordAct, crate::Unclear>> {
    let mut words = words.clone();
    words.eats("insert|add|put|append|write|include").then_some(())?;
    let article = words.eats("a|an|another|the");
    words.eats("new|short|further|final");
    let clause = words.begins("clause");
    let noun = words.eats("paragraph|sentence|line|clause");
    // "Add at the end of clause 4.2: …" needs no noun.
    let placed_first =
        !article && words.begins("at the end of|to the end of|after clause|below clause|at the end");
    if !(article && noun || placed_first) {
        return None;
    }
    let tail = words.cut("saying :|saying|that says :|that says|that reads|reading|with the text|:")?;
    if tail.has_quotation() || tail.is_empty() {
        return None;
    }
    const ENDS: &str = "at the very end|at the end of the document|at the end|at the bottom|to the end|to the document|to the end of the document";
    let (side, target) = match words.is_empty() {
        true => (Beside::End, Target::Document),
        false if words.eats(ENDS) && words.is_empty() => (Beside::End, Target::Document),
        false => {
            let (_, side, target) =
                placed(&mut words, ENDS, "at the start|at the beginning|at the top", &Modifiers::default())?;
            words.is_empty().then_some(())?;
            (side, target)
        }
    };
    if matches!(target, Target::Text(_)) {
        return None;
    }
    // At the end of a clause is inside it.
    let inline = !noun && side == Beside::End && target != Target::Document;
    if inline {
        return Some(tail.message().map(|text| WordAct::Insert {
            text: format!(" {text}"),
            kind: Inserted::Text,
            side,
            target,
        }));
    }
    let kind = if clause && target != Target::Document { Inserted::Clause } else { Inserted::Paragraph };
    Some(tail.message().map(|text| WordAct::Insert { text, kind, side, target }))
}

/// `"taxi fares" to the expenses list`, `a bullet "brass fittings" after copper wire`
fn listed(mut words: Words) -> Act {
    words.eats("a|an|another|the");
    words.eats("new|extra");
    let noun = words.eats("bullet point|bullet|list item|item");
    words.eats("saying|reading|:|called|with the text");
    let text = words.quotation()?;
    let paragraph = |side: Beside, target: Target| WordAct::Insert {
        text: text.clone(),
        kind: Inserted::Paragraph,
        side,
        target,
    };
    if noun && words.clone().eats("after|before|below|above") {
        let side = if words.begins("before|above") { Beside::Before } else { Beside::After };
        words.eats("after|before|below|above");
        if target::chain(&mut words.clone()).is_some() {
            return None;
        }
        let text = words.value().ok()?;
        return Some(Ok(paragraph(side, Target::ParagraphWith { text, starts: false })));
    }
    words.eats("to the|at the end of the").then_some(())?;
    words.eats_last("list|bullets|bullet list|list of bullets").then_some(())?;
    if words.is_empty() {
        return None;
    }
    let name = words.value().ok()?;
    let outer = Target::Section(name);
    let last = Target::Inside(Box::new(Target::Item(super::step::Pick::Last)), Box::new(outer));
    Some(Ok(paragraph(Beside::After, last)))
}

/// "a comma", "a full stop"
fn mark(words: &mut Words) -> Option<String> {
    const MARKS: [(&str, &str); 7] = [
        ("comma", ","),
        ("full stop|period", "."),
        ("colon", ":"),
        ("semicolon|semi-colon", ";"),
        ("question mark", "?"),
        ("exclamation mark", "!"),
        ("dash", "–"),
    ];
    MARKS.iter().find_map(|(names, mark)| words.eats(names).then(|| (*mark).to_owned()))
}

/// "a bullet 'tin foil' to the list under Scope"
fn list_item(mut words: Words) -> Act {
    words.eats("a|an|another|the");
    words.eats("new|extra");
    words.eats("bullet point|bullet|list item|item").then_some(())?;
    words.eats("saying|reading|:|called|with the text");
    let mut text = words.clone();
    let tail = text.cut(
        "to the list|to the bullets|to the bullet list|at the end of the list|to the end of the list|to",
    );
    let mut place = tail?;
    let text = match text.quotation().filter(|_| text.is_empty()) {
        Some(text) => text,
        None => return Some(Err("put the text of the new item in quotation marks".to_owned())),
    };
    let mut target = Target::Item(super::step::Pick::Last);
    if !place.is_empty() {
        place.eats("under|below|in|of");
        let outer = match target::chain(&mut place.clone()) {
            Some((outer, around)) if around.is_empty() && !matches!(outer, Target::Text(_)) => {
                target::chain(&mut place);
                outer
            }
            _ => Target::Section(place.name()?),
        };
        if let Err(unclear) = place.done() {
            return Some(Err(unclear));
        }
        target = Target::Inside(Box::new(target), Box::new(outer));
    }
    Some(Ok(WordAct::Insert { text, kind: Inserted::Paragraph, side: Beside::After, target }))
}

/// Where it goes, taken off the end or out of the middle before the text: whether it is a line of its own, which side,
/// and of what.
fn place(words: &mut Words, modifiers: &Modifiers) -> Option<(bool, Beside, Target)> {
    const ENDS: &str =
        "at the very end|at the end|at end|at the bottom|to the end|to the bottom|on the bottom";
    const STARTS: &str = "at the very start|at the very beginning|at the start|at the beginning|at the top|at the very top|at start|to the top|to the start|to the beginning|on the top";
    for at in (0..words.len()).rev() {
        let (head, tail) = words.split_at(at);
        let mut tail_words = tail;
        let found = placed(&mut tail_words, ENDS, STARTS, modifiers);
        let Some((own_line, side, target)) = found else { continue };
        // What follows the place is the text: "after clause 3: 'The Supplier …'".
        let rest_is_text = tail_words.is_empty()
            || tail_words.begins("saying|reading|that says|that reads|with the text|with the words|with|:|,")
                && tail_words.has_quotation()
            || tail_words.clone().quotation().is_some();
        if !rest_is_text {
            continue;
        }
        let mut head = head;
        head.eats_last(",");
        tail_words.eats(",");
        head.append(tail_words);
        *words = head;
        return Some((own_line, side, target));
    }
    None
}

fn placed(
    words: &mut Words,
    ends: &str,
    starts: &str,
    modifiers: &Modifiers,
) -> Option<(bool, Beside, Target)> {
    if words.eats("at the cursor|at cursor|at the current position|at the insertion point|at the selection|here|where the cursor is") {
        return Some((false, Beside::End, Target::Implied));
    }
    let inside = match () {
        () if words.eats(ends) => Some(Beside::End),
        () if words.eats(starts) => Some(Beside::Start),
        () => None,
    };
    if let Some(side) = inside {
        let mut ahead = words.clone();
        if ahead.eats("of") {
            let (target, around) = target::chain(&mut ahead)?;
            if !around.is_empty() {
                return None;
            }
            *words = ahead;
            return Some((false, side, target));
        }
        // "At the end" of what was named around it, or of the document.
        return match modifiers.within.is_empty() {
            true => Some((false, side, Target::Document)),
            false => None,
        };
    }
    let (own_line, side) = match () {
        () if words.eats("below|underneath|under|beneath|just below|right below|directly below") => {
            (true, Beside::After)
        }
        () if words.eats("above|just above|right above|directly above") => (true, Beside::Before),
        () if words
            .eats("just after|right after|directly after|immediately after|after|behind|following") =>
        {
            (false, Beside::After)
        }
        () if words.eats(
            "just before|right before|directly before|immediately before|before|in front of|ahead of",
        ) =>
        {
            (false, Beside::Before)
        }
        () => return None,
    };
    let mut clause = words.clone();
    if let Some(target) = target::bare_clause(&mut clause) {
        *words = clause;
        return Some((own_line, side, target));
    }
    let (target, around) = target::chain(words)?;
    if !around.is_empty() {
        return None;
    }
    Some((own_line, side, target))
}
