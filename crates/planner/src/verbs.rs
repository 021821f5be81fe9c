//! What stands around the verb of a sentence: politeness, the many names of one verb, and what people say in place of one.
//!
//! Nothing here guesses: a phrase is taken off, or put into the words that the grammars know, only where it can mean
//! nothing else.

use crate::Format;
use crate::phrase::Words;
use crate::token::Kind;

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
    for (said, known) in VERBS {
        if words.eats(said) {
            words.push_front(known);
            break;
        }
    }
    passive(words, format);
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
    while !told && words.eats_last(ENDS) {}
}

/// "The title should be bold", "B2 must be 5": what it should be is what it is made to be.
fn passive(words: &mut Words, format: Format) {
    if words.begins_step() || words.begins("if|in|on|under|for|all that|what|how|which|who|where") {
        return;
    }
    let mut head = words.clone();
    const SHOULD: &str = "should be|needs to be|need to be|must be|has to be|have to be|ought to be|should now be|should read|\
        should say|must read|needs to say|needs to read|should become";
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
