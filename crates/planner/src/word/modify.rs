//! What stands around a request's core: where, except where, on which condition, and how.
//!
//! A phrase is taken only if all of its words are understood. What begins like one and is none stays where it is, and
//! the core then refuses it.

use word::op::Matching;

use super::step::{Look, Target};
use super::target::{self, chain, target};
use crate::phrase::Words;

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Modifiers {
    pub(super) within: Vec<Target>,
    pub(super) except: Vec<Target>,
    pub(super) only_if: Option<Look>,
    pub(super) tracked: bool,
    pub(super) matching: Matching,
    /// The whole document was named.
    pub(super) everywhere: bool,
    /// Only the first time.
    pub(super) once: bool,
}

/// Takes the phrases off both ends.
pub(super) fn peel(words: &mut Words) -> Modifiers {
    let mut found = Modifiers::default();
    front(words, &mut found);
    'again: loop {
        while words.eats_last(",|but") {}
        for at in 1..words.len() {
            let (head, tail) = words.split_at(at);
            let mut with = found.clone();
            if !leads_on(&head) && modifier(tail, &mut with) {
                found = with;
                *words = head;
                continue 'again;
            }
        }
        return found;
    }
}

/// "At once", "Client like in clause 2": a word right before that the phrase belongs to.
fn leads_on(head: &Words) -> bool {
    head.clone()
        .eats_last("at|than|per|with|by|for|as|like|unlike|near|even|never|skipping|maybe|perhaps|all")
}

/// "In clause 3, replace …", "With tracked changes, …"
fn front(words: &mut Words, found: &mut Modifiers) {
    if !words.begins(
        "in|within|inside|under|on|throughout|across|for|using|with|only|if|where|wherever|from|starting",
    ) {
        return;
    }
    for at in (2..words.len().min(14)).rev() {
        let (mut head, mut rest) = words.split_at(at);
        head.eats_last(",");
        rest.eats(",|please|, please");
        let verb =
            matches!(rest.peek(), Some(crate::token::Kind::Word(word)) if crate::split::begins_step(word));
        let mut with = found.clone();
        if verb && modifier(head, &mut with) {
            *found = with;
            *words = rest;
            return front(words, found);
        }
    }
}

/// One phrase, all of it.
fn modifier(mut words: Words, found: &mut Modifiers) -> bool {
    words.eats(",|( ");
    words.eats_last(")");
    let tracked = "using tracked changes|with tracking|with tracking on|with tracked changes|with track changes|using track changes|as a tracked change|\
        as tracked changes|as tracked change|with tracked changes on|with track changes on|with changes tracked|tracked|in track changes|\
        with track changes turned on|and track it|and track the change|and track the changes|as a suggestion in track changes|in tracked changes|in track changes mode|in suggestion mode with tracked changes";
    if words.clone().eats(tracked) && words.eats(tracked) {
        found.tracked = true;
        return words.is_empty();
    }
    if words.clone().eats("only once|just once|once") && words.len() <= 2 {
        words.eats("only once|just once|once");
        found.once = true;
        return words.is_empty();
    }
    let mut flags = words.clone();
    flags.eats("(");
    let more = matching(&mut flags);
    flags.eats(")");
    if more != Matching::default() && flags.is_empty() {
        merge(&mut found.matching, more);
        return true;
    }
    if words.clone().eats(EVERYWHERE) && words.eats(EVERYWHERE) && words.is_empty() {
        found.everywhere = true;
        return true;
    }
    if words.eats(
        "except in|except for|except within|except inside|except under|except|excluding|apart from in|apart from|other than in|\
         but not in|but not within|but not|not in|everywhere except in|everywhere except|everywhere but in|leaving out|outside of|outside",
    ) {
        return exception(words, found);
    }
    if let Some(look) = condition(&mut words) {
        return words.is_empty() && found.only_if.replace(look).is_none();
    }
    let starts = words.begins("starting");
    if words.eats("starting from|starting with|starting at|from") {
        return beginning(words, found, starts);
    }
    // What a replacement does anyway.
    if words.eats("keeping the formatting|keeping its formatting|keeping the bold|keeping the style|keep the formatting|and keep the formatting|and keep its formatting|without changing the formatting|with the same formatting|preserving the formatting|and leave the formatting alone") {
        return words.is_empty();
    }
    words.eats("but|, but");
    words.eats("only|just|solely");
    words.eats_last("only|alone");
    words.eats("where it appears|where it occurs|where it stands|wherever it appears|wherever it occurs|where they appear|that appears|that occurs|that appear|that is");
    let under = words.begins("under|below");
    if words.eats("in|within|inside|under|throughout|on|across|for|below|inside of|all over") {
        return surroundings(words, under, found);
    }
    false
}

/// "… except in the title"
fn exception(mut words: Words, found: &mut Modifiers) -> bool {
    let taken = chain_of(&mut words);
    let Some((first, around)) = taken else { return false };
    if !around.is_empty() {
        return false;
    }
    let mut except = vec![first];
    // "… in the title and the first paragraph"
    while words.eats(", and|, or|and|or|nor|,") {
        words.eats("in|within");
        let Some((next, around)) = chain_of(&mut words) else { return false };
        if !around.is_empty() {
            return false;
        }
        except.push(next);
    }
    if words.is_empty() {
        found.except.extend(except);
    }
    words.is_empty()
}

/// "… from clause 5 on"
fn beginning(mut words: Words, found: &mut Modifiers, starts: bool) -> bool {
    let from = target::bare_clause(&mut words).or_else(|| target(&mut words));
    let onwards = words.eats("on|onwards|onward|to the end|until the end|to the end of the document|down");
    match from {
        Some(Target::Text(_) | Target::It) => false,
        Some(Target::Document) if words.is_empty() => {
            found.everywhere = true;
            true
        }
        Some(target) if words.is_empty() => {
            // "Remove X from clause 5" is inside it; "from clause 5 on" is behind it too.
            found.within.push(match onwards || starts {
                true => Target::From(Box::new(target)),
                false => target,
            });
            true
        }
        _ => false,
    }
}

/// "… in the table"
fn surroundings(mut words: Words, under: bool, found: &mut Modifiers) -> bool {
    let taken = chain_of(&mut words);
    let taken =
        taken.or_else(|| target::bare_clause(&mut words).map(|clause| (clause, Vec::new()))).or_else(|| {
            under.then(|| {
                words.eats("the heading|heading|the section|the");
                words.name().map(|name| (Target::Section(name), Vec::new()))
            })?
        });
    match taken {
        // Under a heading, not under a row.
        Some((first, _))
            if under
                && !matches!(
                    first,
                    Target::Section(_) | Target::Heading(_) | Target::Clause(_) | Target::Title
                ) =>
        {
            false
        }
        Some((first, around)) if words.is_empty() => {
            match first {
                Target::Document if around.is_empty() => found.everywhere = true,
                first => found.within.push(first),
            }
            found.within.extend(around);
            true
        }
        _ => false,
    }
}

/// A place by its noun, not by its words.
fn chain_of(words: &mut Words) -> Option<(Target, Vec<Target>)> {
    let (first, around) = chain(words)?;
    match first {
        Target::Text(_) | Target::It => None,
        first => Some((first, around)),
    }
}

const EVERYWHERE: &str = "everywhere|everywhere in the document|throughout|throughout the document|all over|all over the document|\
    each time|every time|wherever it appears|wherever it occurs|wherever they appear|every time it appears|across the board|globally|in all places|in every place|at every place";

fn condition(words: &mut Words) -> Option<Look> {
    let mut ahead = words.clone();
    ahead.eats("but|, but");
    ahead.eats("only|just");
    if !ahead.eats("if|when|where|wherever|whenever|that|which") {
        return None;
    }
    ahead.eats("it is|it's|they are|it already is|it was|the text is|is|are");
    let on = !ahead.eats("not");
    ahead.eats("in|already");
    let look = if ahead.eats("bold|bolded") {
        Look::Bold(on)
    } else if ahead.eats("italic|italics|italicised|italicized") {
        Look::Italic(on)
    } else if ahead.eats("underlined") {
        Look::Underlined(on)
    } else if ahead.eats("highlighted") {
        Look::Highlighted(on)
    } else {
        return None;
    };
    *words = ahead;
    Some(look)
}

/// "whole word only", "case-sensitive", "using wildcards", at the front.
pub(super) fn matching(words: &mut Words) -> Matching {
    let mut found = Matching::default();
    loop {
        if words.eats("whole words only|whole word only|as a whole word|as whole words|as whole word|whole words|whole word|whole-word|only whole words|only as a whole word|( whole word )|( whole words )|( whole words only )|( whole word only )") {
            found.whole_word = true;
        } else if words.eats("with matching case|case sensitive|case-sensitive|case-sensitively|match case|matching the case|matching case|( case sensitive )|( case-sensitive )|( match case )|respecting case|with the same case") {
            found.case = true;
        } else if words.eats("as a prefix|as prefix|prefix match|match prefix") {
            found.prefix = true;
        } else if words.eats("using wildcards|with wildcards") {
            found.wildcards = true;
        } else if words.eats("as a regular expression|as regex|as a regex|using regex|with regex|using a regular expression|using a regex") {
            found.regex = true;
        } else {
            return found;
        }
        words.eats("and|,");
    }
}

pub(super) fn merge(into: &mut Matching, more: Matching) {
    into.regex |= more.regex;
    into.wildcards |= more.wildcards;
    into.case |= more.case;
    into.whole_word |= more.whole_word;
    into.prefix |= more.prefix;
}
