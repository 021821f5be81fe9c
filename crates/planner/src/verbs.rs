//! What stands around the verb of a sentence: politeness, the many names of one verb, and what people say in place of one.
//!
//! Nothing here guesses: a phrase is taken off, or put into the words that the grammars know, only where it can mean
//! nothing else.

use crate::phrase::Words;
use crate::token::Kind;
use crate::{Format, Towards};

const FRONTS: &str = "please|pls|plz|kindly|now|also|next|finally|first ,|firstly|secondly|lastly|additionally|additionally ,|\
    can you|could you|would you|will you|can you please|could you please|would you please|can we|could we|can you pls|\
    would you mind|i want to|i want you to|i need to|i need you to|i would like to|i would like you to|i'd like to|\
    i'd like you to|i'd love you to|i'd need you to|we need to|we have to|we should|we want to|you should|you need to|\
    you have to|you must|let's|let us|go ahead and|go ahead|go and|go ahead ,|make sure to|make sure you|be sure to|be so kind to|\
    be so kind and|be a dear and|do me a favour and|do me a favor and|hi|hi there|hi there ,|hi ,|hello|hello ,|hey|hey ,|\
    hey there|hey there ,|ok|ok ,|okay|okay ,|alright|alright ,|right ,|so|so ,|well ,|,|just|simply|quickly|kindly ,|\
    help me|help me to|help me and|try to|feel free to|it would be great if you could|it would be nice if you could|\
    i'd appreciate it if you could|i would appreciate it if you could|i was wondering if you could|i wonder if you could|\
    if you could|if possible ,|if possible|if you can ,|your task is to|the task is to|your task :|task :|todo :|action :|request :|\
    instruction :|when you get a chance ,|when you can ,|before i forget ,|one more thing :|one more thing ,|then|and";
const ENDS: &str = "please|pls|plz|thanks|thank you|thx|cheers|, please|, pls|, thanks|, thank you|, thx|, cheers|many thanks|\
    , many thanks|thanks a lot|, thanks a lot|for me|for me please|now|right now|right away|,|if you can|if possible|, if possible|\
    if you could|if you don't mind|asap|as soon as possible|when you can|when you get a chance|will you|would you|, would you|, ok|\
    , okay|, will you|, if you can";
/// What can lead to a question, and only there.
const ASKING: &str = "can you tell me|could you tell me|would you tell me|please tell me|tell me|do you know|i want to know|\
    i'd like to know|i would like to know|i need to know|let me know|i wonder|quick question :|quick question ,|question :|\
    can you see|can you check|can you find out|find out|check|any idea";
const QUESTIONS: &str = "how many|how much|how often|what|what's|which|who|where|is there|are there";

/// Several names of one verb, at the front: how it is said, and how the grammars know it.
const VERBS: &[(&str, &str)] = &[
    (
        "get rid of|take out|scrap|eliminate|cut out|purge|ditch|do away with|throw out|chuck out|nuke|trash",
        "delete",
    ),
    ("swap out|switch out", "swap"),
    ("amend|alter|modify|edit|tweak|revise|adjust", "change"),
    ("bump up|bump|hike|boost|push up", "increase"),
    ("slash|trim", "reduce"),
    ("tack on|stick in|throw in|pop in|slip in|attach", "add"),
    ("stick|pop|drop in|throw", "put"),
    ("tick off|check off|cross off", "tick"),
    ("un-tick|un-check", "untick"),
    ("un-bold|debold", "unbold"),
    ("embolden", "bold"),
    ("italicize", "italicise"),
    ("un-hide", "unhide"),
    ("un-merge", "unmerge"),
    ("rank", "sort"),
];

/// The words as the grammars know them.
pub(crate) fn plain(words: &mut Words, format: Format) {
    polite(words);
    misspelt(words);
    for (said, known) in VERBS {
        if words.eats(said) {
            words.push_front(known);
            break;
        }
    }
    // "Row 2 and row 3" are rows 2 and 3.
    words.joins("row", "rows");
    words.towards = way(words);
    reordered(words, format);
    passive(words, format);
}

/// Which way a number is to go: "raise … to", "… falls to".
fn way(words: &Words) -> Option<Towards> {
    let said = |phrases: &[&[&str]]| phrases.iter().any(|phrase| words.position(phrase).is_some());
    let to = words.position(&["to"]).is_some() && words.position(&["by"]).is_none();
    match () {
        () if to && words.begins("increase|raise|extend|put up") => Some(Towards::Up),
        () if to && words.begins("decrease|reduce|lower|shorten|cut|drop") => Some(Towards::Down),
        () if said(&[&["goes", "up", "to"], &["went", "up", "to"], &["rises", "to"]]) => Some(Towards::Up),
        () if said(&[
            &["goes", "down", "to"],
            &["went", "down", "to"],
            &["falls", "to"],
            &["drops", "to"],
        ]) =>
        {
            Some(Towards::Down)
        }
        () => None,
    }
}

/// Other orders of words for the same: "put A instead of B", "after A insert B", "don't touch A, but replace …".
fn reordered(words: &mut Words, format: Format) {
    if format == Format::Sheet {
        return;
    }
    // "Don't change the title, but replace …": what is left alone is where not.
    let mut left = words.clone();
    let negated = left.eats(
        "don't touch|do not touch|don't change|do not change|never touch|without touching|leaving|leave|keep|don't edit|do not edit",
    );
    if negated && let Some(rest) = left.cut(", but|but|, and|,") {
        left.eats_last("alone|as it is|as they are|unchanged|untouched|as is");
        if rest.begins_step() && !left.is_empty() && !left.has_quotation() {
            let mut whole = rest;
            whole.eats_last("everywhere else|elsewhere|in the rest|everywhere");
            whole.push_mark(',');
            whole.push_back("except");
            whole.push_back("in");
            whole.append(left);
            *words = whole;
            return;
        }
    }
    if words.begins("accept|reject|approve|decline|resolve") {
        return;
    }
    // "…, but leave the headings alone"
    let mut head = words.clone();
    if let Some(mut place) = head.cut(
        ", but don't touch|but don't touch|, but do not touch|but do not touch|, but leave|but leave|, but not|, without changing|without changing|\
         , without touching|without touching|, but don't change|but don't change|, but keep|but keep|, leaving|leaving",
    ) {
        let alone = place.eats_last("alone|as it is|as they are|unchanged|untouched|as is");
        let touches = words.position(&["touch"]).is_some()
            || words.position(&["touching"]).is_some()
            || words.position(&["changing"]).is_some()
            || words.position(&["change"]).is_some_and(|at| at > 0);
        if (alone || touches) && !place.is_empty() && !head.is_empty() {
            head.eats_last("everywhere|throughout|,");
            head.push_mark(',');
            head.push_back("except");
            head.push_back("in");
            head.append(place);
            *words = head;
            return;
        }
    }
    // "Put "Final" in the footer instead of "Draft""
    let mut put = words.clone();
    if put.eats("put|use|write|say|have")
        && let Some(mut was) = put.cut("instead of|in place of|rather than")
        && let (Some(new), Some(old)) = (put.quotation(), was.quotation())
    {
        let mut whole = Words::default();
        whole.push_back("replace");
        whole.push_quoted(&old);
        whole.push_back("with");
        whole.push_quoted(&new);
        whole.append(put);
        whole.append(was);
        *words = whole;
        return;
    }
    if format == Format::Word {
        word_order(words);
    }
}

/// "After "of its date" insert " of receipt"", "raise the fee to 5", "the rate should be 4% instead of 3%"
fn word_order(words: &mut Words) {
    let start = match words.leading_place() {
        Some((place, _)) => place.len() + 1,
        None => 0,
    };
    let (lead, mut rest) = words.split_at(start);
    let after = rest.begins("after|behind");
    if rest.eats("after|before|behind")
        && let Some(anchor) = rest.quotation()
    {
        rest.eats(",");
        if rest.eats("insert|add|put|write")
            && {
                rest.eats("the words|the word|the text|the phrase");
                true
            }
            && let Some(text) = rest.quotation()
            && rest.is_empty()
        {
            let mut whole = lead;
            whole.push_back("insert");
            whole.push_quoted(&text);
            whole.push_back(if after { "after" } else { "before" });
            whole.push_quoted(&anchor);
            *words = whole;
            return;
        }
    }
    // "How many rows does the first table have": how many are in it.
    let mut asked = words.clone();
    if asked.begins("how many")
        && let Some(mut whose) = asked.cut("does|do")
        && whose.eats_last("have|contain")
        && !whose.begins("it|this|we|the document|the contract|the agreement")
    {
        asked.push_back("are");
        asked.push_back("in");
        asked.append(whose);
        *words = asked;
        return;
    }
    let mut raised = words.clone();
    if raised.eats("increase|raise|lower|reduce|decrease|extend|shorten|cut|drop|put up")
        && raised.position(&["to"]).is_some()
        && raised.position(&["by"]).is_none()
        && !raised.has_quotation()
    {
        raised.push_front("change");
        *words = raised;
        return;
    }
    // "Interest should be 4% instead of 3%"
    if words.begins_step() || words.begins("if|in|on|under|for|what|how|which|who|where") {
        return;
    }
    let mut head = words.clone();
    let Some(mut new) = head.cut("should be|must be|has to be|needs to be|ought to be|shall be") else {
        return;
    };
    let Some(old) = new.cut("instead of|rather than|, not|and not") else { return };
    // As many words, so that nothing is left over or said twice.
    if head.is_empty() || new.is_empty() || old.is_empty() || new.len() != old.len() || head.has_quotation() {
        return;
    }
    if !head.begins("the|our|their") {
        head.push_front("the");
    }
    head.push_front("change");
    head.push_back("from");
    head.append(old);
    head.push_back("to");
    head.append(new);
    *words = head;
}

/// A command word with two letters exchanged, one too many or one missing: "repalce", "delte".
fn misspelt(words: &mut Words) {
    const COMMANDS: &[&str] = &[
        "replace",
        "delete",
        "remove",
        "change",
        "insert",
        "rename",
        "highlight",
        "underline",
        "append",
        "accept",
        "reject",
        "comment",
        "summarise",
        "translate",
        "increase",
        "decrease",
        "filter",
        "resolve",
        "convert",
        "italicise",
        "capitalise",
    ];
    let Some(Kind::Word(first)) = words.peek() else { return };
    let first = first.to_lowercase();
    if words.begins_step() || first.len() < 4 {
        return;
    }
    let near = |known: &&&str| {
        let (a, b): (Vec<char>, Vec<char>) = (first.chars().collect(), known.chars().collect());
        if a.first() != b.first() {
            return false;
        }
        match a.len() as isize - b.len() as isize {
            // Two letters exchanged.
            0 => (0..a.len() - 1).any(|at| {
                let mut other = a.clone();
                other.swap(at, at + 1);
                other == b
            }),
            1 => (0..a.len())
                .any(|at| a.iter().enumerate().filter(|(own, _)| *own != at).map(|(_, c)| c).eq(b.iter())),
            -1 => (0..b.len())
                .any(|at| b.iter().enumerate().filter(|(own, _)| *own != at).map(|(_, c)| c).eq(a.iter())),
            _ => false,
        }
    };
    let mut found = COMMANDS.iter().filter(near);
    if let (Some(known), None) = (found.next(), found.next()) {
        words.word();
        words.push_front(known);
    }
}

fn polite(words: &mut Words) {
    loop {
        let before = words.len();
        words.eats(FRONTS);
        let mut ahead = words.clone();
        if ahead.eats(ASKING) && ahead.begins(QUESTIONS) {
            *words = ahead;
        }
        if words.len() == before {
            break;
        }
    }
    // A text that goes to the end of the sentence may end in such a word.
    let told = ["saying", "says", "reading", ":"].iter().any(|lead| words.position(&[lead]).is_some());
    // "For now" is no politeness.
    let timed = |words: &Words| {
        let last = words.clone();
        let now = ["now", "right now", "right away", "asap"].iter().any(|end| last.clone().eats_last(end));
        now && {
            let mut head = words.clone();
            head.eats_last("right now|right away|now|asap");
            head.eats_last("for|until|till|from|by|as of|just|not|only|even|since")
        }
    };
    while !told && !timed(words) && words.eats_last(ENDS) {}
}

/// "The title should be bold", "B2 must be 5": what it should be is what it is made to be.
fn passive(words: &mut Words, format: Format) {
    if words.begins_step() || words.begins("if|in|on|under|for|all that|what|how|which|who|where") {
        return;
    }
    let mut head = words.clone();
    const SHOULD: &str = "should be|needs to be|need to be|must be|has to be|have to be|ought to be|should now be|should read|\
        should say|must read|needs to say|needs to read|should become";
    // "The start date is 1 March 2027": what a table or a label says.
    let mut stated = words.clone();
    if format == Format::Word
        && stated.begins("the|our")
        && !stated.has_quotation()
        && let Some(value) = stated.cut("is now|are now|will be")
        && (1..=6).contains(&stated.len())
        && !value.is_empty()
        && !value.begins("not|wrong|missing|too|to|a|an|the|in|on|at|still|bold|italic|hard|very|unclear|ambiguous|incorrect")
    {
        stated.push_front("set");
        stated.push_back("to");
        stated.append(value);
        *words = stated;
        return;
    }
    let Some(mut tail) = head.cut(SHOULD) else { return };
    if tail.is_empty() || head.is_empty() || tail.clone().cut(SHOULD).is_some() {
        return;
    }
    let participles = [
        ("deleted|removed|gone|dropped", "delete"),
        ("replaced", "replace"),
        ("renamed", "rename"),
        ("hidden", "hide"),
        ("moved", "move"),
        ("sorted", "sort"),
        ("accepted", "accept"),
        ("rejected", "reject"),
        ("highlighted", "highlight"),
        ("ticked|ticked off|checked off", "tick"),
    ];
    let quoted = matches!(tail.peek(), Some(Kind::Quoted(_)));
    let reads = words.position(&["read"]).is_some() || words.position(&["say"]).is_some();
    for (said, verb) in participles {
        if tail.eats(said) {
            head.push_front(verb);
            head.append(tail);
            *words = head;
            return;
        }
    }
    head.push_front(match format {
        Format::Sheet => "set",
        _ if quoted || reads => "change",
        _ => "make",
    });
    if format == Format::Sheet || quoted || reads {
        head.push_back("to");
    }
    head.append(tail);
    *words = head;
}
