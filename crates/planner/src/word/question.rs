//! Questions: how many, where, what does it say.

use super::modify::Modifiers;
use super::step::{Countable, Mention, Target, Which, WordAct};
use super::{Act, target};
use crate::phrase::Words;

pub(super) fn act(words: &Words, _: &Modifiers) -> Act {
    let words = words.clone();
    count(words.clone()).or_else(|| list(words.clone())).or_else(|| find(words))
}

fn countable(words: &mut Words) -> Option<Countable> {
    let nouns = [
        ("words|word", Countable::Words),
        ("characters|letters|character", Countable::Characters),
        ("paragraphs|paragraph", Countable::Paragraphs),
        ("headings|heading|section headings", Countable::Headings),
        ("tables|table", Countable::Tables),
        ("open comments|unresolved comments", Countable::OpenComments),
        ("comments|comment", Countable::Comments),
        ("tracked changes|changes|revisions|track changes|tracked change|edits", Countable::Changes),
        ("footnotes|footnote|notes", Countable::Footnotes),
        ("rows|row", Countable::Rows),
        ("columns|column", Countable::Columns),
    ];
    nouns.iter().find_map(|(names, what)| words.eats(names).then_some(*what))
}

fn count(mut words: Words) -> Act {
    if words.eats("how many times does|how often does|how many times is|how often is|how many times do|count how many times|count how often") {
        words.eats_last("appear|occur|appears|occurs|used|mentioned|there|stand|come up|named");
        words.eats_last("get|be");
        return Some(mention(words, Which::All).map(|what| WordAct::Where { what, defined: false }));
    }
    let mut there = words.clone();
    if there.eats("is there|are there|does it have|does it contain|does the document have|does the document contain|does this document have|has it|has the document") {
        there.eats("a|an|any|some");
        if let Some(what) = countable(&mut there) {
            there.eats("in it|in here|in total|at all");
            return Some(there.done().map(|()| WordAct::Count { what }));
        }
    }
    let asks = words.eats("how many|count the|count all|count all the|count|what is the number of|give me the number of|tell me how many|what's the number of|give me the word count and");
    if !asks {
        if words.eats("what is the word count|what's the word count|give me the word count|word count") {
            return Some(words.done().map(|()| WordAct::Count { what: Countable::Words }));
        }
        return None;
    }
    let Some(what) = countable(&mut words) else {
        let named = words.eats("occurrences of|mentions of|instances of|times");
        if !named && !words.has_quotation() {
            return Some(Err(format!(
                "I count words, paragraphs, headings, tables, rows, comments, changes and footnotes; I did not understand `{}`",
                words.shown()
            )));
        }
        return Some(mention(words, Which::All).map(|what| WordAct::Find { what }));
    };
    words.eats("are there|are|does it have|does it contain|does the document have|does the document contain|does this document have|is there|do we have|has it|there are|does this have|has the document|does this contract have|does the contract have|are still open|are left|are pending");
    words.eats("in it|here|in total|altogether");
    // "How many rows does the table have": whose rows, in the middle.
    if words.eats("does|do|has|in") {
        let Some((first, around)) = target::chain(&mut words) else {
            return Some(words.done().map(|()| WordAct::Count { what }));
        };
        words.eats("have|contain|got");
        if first == Target::Document && around.is_empty() {
            return Some(words.done().map(|()| WordAct::Count { what }));
        }
        return Some(Err(format!("say it as: how many {what:?} are in {first}").to_lowercase()));
    }
    Some(words.done().map(|()| WordAct::Count { what }))
}

fn list(mut words: Words) -> Act {
    if words.eats("who made the tracked changes|who made the changes|who made changes|who changed what|who edited this|who made these changes|who made changes to this document|who made changes to the document|who made changes to this|who changed this document|who changed the document|whose changes are these") {
        return Some(words.done().map(|()| WordAct::Show { what: Countable::Changes }));
    }
    if words.eats("which comments are still open|which comments are open|what comments are open|which comments are not resolved|which comments are unresolved|what comments are still open|are there open comments|which comments are left") {
        return Some(words.done().map(|()| WordAct::Show { what: Countable::OpenComments }));
    }
    if words.eats("show me the outline|show the outline|what is the outline|outline|give me the outline|give me an outline|what is the structure") {
        words.eats("of the document|of this document|of it|of the contract|of the agreement");
        return Some(words.done().map(|()| WordAct::Show { what: Countable::Headings }));
    }
    let asks = words.eats("list|show me|show|give me|what are|which|display|tell me|get|print|what");
    if !asks {
        return None;
    }
    words.eats("a list of");
    words.eats("all of the|all the|all|the");
    let what = countable(&mut words)?;
    if !matches!(
        what,
        Countable::Headings
            | Countable::Comments
            | Countable::OpenComments
            | Countable::Changes
            | Countable::Footnotes
            | Countable::Tables
    ) {
        return None;
    }
    words.eats("are there|are in the document|are open|does it have|there are|are there in the document|does the document have|are in it|of the document|of this document|of it|in this document");
    match words.is_empty() {
        true => Some(Ok(WordAct::Show { what })),
        false => None,
    }
}

/// "Which clause mentions force majeure?", "where is the Effective Date defined?"
fn whereabouts(mut words: Words) -> Act {
    let asks = words.eats(
        "which clauses talk about|which clauses deal with|which clauses are about|which clauses cover|which sections talk about|which paragraphs talk about|which clause mentions|which clauses mention|which section mentions|which sections mention|which paragraph mentions|which paragraphs mention|\
         which clause talks about|which clause covers|which clause deals with|which clause refers to|which clauses refer to|which clause is about|\
         which clause contains|which clauses contain|what clause mentions|in which clause is|in which clauses is|which parts mention|\
         where do we talk about|where is there a mention of|which section deals with|which section covers|which section talks about|\
         which paragraph contains|which section contains|where does it say|where does it mention|is there a clause about|is there a clause on|is there anything about|is there something about|\
         does it say anything about|is there a section about|is there a section on|is there a paragraph about|do we have a clause about|\
         do we have a clause on",
    );
    if asks {
        words.eats_last("mentioned|used|covered|dealt with");
        return Some(mention(words, Which::All).map(|what| WordAct::Where { what, defined: false }));
    }
    words.eats("where is|where are|where's|where do we define|which clause defines|what clause defines|in which clause is").then_some(())?;
    let defines = words.eats_last("defined");
    if !defines {
        return None;
    }
    words.eats("the term");
    Some(mention(words, Which::All).map(|what| WordAct::Where { what, defined: true }))
}

fn find(mut words: Words) -> Act {
    if let Some(found) = whereabouts(words.clone()) {
        return Some(found);
    }
    let before = super::modify::matching(&mut words);
    let asks = words.eats(
        "find|search for|search|search the document for|search the text for|search the contract for|search this document for|locate|look for|look up|where is|where are|where does|where do|find me|show me where|find out where|\
         find where|show where|tell me where|highlight where|does the document mention|does it mention|does it contain|does the document contain|\
         does the contract mention|does the agreement mention|does this document mention|is there any mention of|is there a mention of|is there|\
         does the text mention|do we mention|where in the document is",
    );
    if !asks {
        return None;
    }
    words.eats("for|me");
    let count = {
        let mut ahead = words.clone();
        ahead.eats("the");
        if ahead.eats("first") { ahead.number() } else { None }
    };
    if count.is_some() {
        return Some(Err("say it without the number: all places are found".to_owned()));
    }
    if words.eats("words starting with|words beginning with|words that start with|words that begin with|all words starting with|every word starting with|all words that start with|all words that begin with|every word that starts with") {
        return Some(mention(words, Which::All).map(|mut what| {
            what.matching.prefix = true;
            WordAct::Find { what }
        }));
    }
    words.eats_last("appear|occur|stand|mentioned|used|appears|occurs|defined|come up|mention");
    Some(mention(words, Which::All).map(|mut what| {
        super::modify::merge(&mut what.matching, before);
        WordAct::Find { what }
    }))
}

/// What is looked for: all that is left.
fn mention(mut words: Words, usual: Which) -> Result<Mention, String> {
    let mut ahead = words.clone();
    if let Some(mention) = target::mention(&mut ahead, usual)
        && ahead.is_empty()
    {
        return Ok(mention);
    }
    let which = target::which(&mut words);
    words.eats("occurrences of|occurrence of|mentions of|mention of|instances of|instance of|matches of|matches for|places with|uses of|places where|references to|reference to|paragraphs that mention|paragraphs with|the text|the word|the words|the phrase|text|word|phrase|the term");
    words.eats("the|a|an");
    let matching = super::modify::matching(&mut words);
    if words
        .begins("it|them|that|this|all|every|any|each|what|which|who|how|why|something|anything|if|whether")
    {
        return Err(format!(
            "I did not understand `{}`; say which text to find, in quotation marks",
            words.shown()
        ));
    }
    let text = words.value()?;
    Ok(Mention { text, which: which.unwrap_or(usual), matching })
}

/// "What does clause 4 say?", "show me the second paragraph"
pub(super) fn read(words: &Words, _: &Modifiers) -> Act {
    let mut words = words.clone();
    let asks = words.eats(
        "what does|what do|what is in|what's in|what is|what's|show me|show|read me|read out|read|display|print|quote|tell me what|get|give me|what are|tell me",
    );
    if !asks {
        return None;
    }
    words.eats("the text of|the content of|the contents of|the wording of|text of");
    if target::chain(&mut words.clone()).is_none() {
        words.eats_last("say|says|now|currently");
        let definite = words.begins("the|our");
        // What a table says, or the section of that name.
        return target::labelled(&words).filter(|_| definite).map(|target| Ok(WordAct::Read { target }));
    }
    let (target, around) = target::chain(&mut words)?;
    words.eats("say|says|contain|contains|state|look like|read|about|provide|provides");
    if matches!(target, Target::Text(_) | Target::Document | Target::It) {
        return None;
    }
    let target = super::text::nested(target, around);
    Some(words.done().map(|()| WordAct::Read { target }))
}
