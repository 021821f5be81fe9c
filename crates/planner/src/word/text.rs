//! Replacing and deleting text and places, and pictures.

use word::op::{InsertPicture, Op, PictureSource, Wrap};

use super::modify::{self, Modifiers};
use super::step::{Mention, Target, Which, WordAct};
use super::{Act, Attempt, Unclear, place, target};
use crate::phrase::Words;

/// "Replace foo in the table with bar": where stands in the middle; it is taken out as if it stood at the end.
pub(super) fn pull(words: &mut Words, modifiers: &mut Modifiers) {
    let by = match () {
        () if words.begins("replace|find and replace|substitute|overwrite") => "with|by",
        () if words.begins("swap|exchange|switch") => "for|with",
        () if words.begins("change|correct|amend|update|turn") => "to|into",
        () => return,
    };
    let mut head = words.clone();
    let Some(tail) = head.cut(by) else { return };
    // "Change the payment term in 2.1 from … to …": the place stands before what was there.
    let mut about = head.clone();
    if by == "to|into"
        && let Some(was) = about.cut("from")
    {
        let inner = modify::peel(&mut about);
        if !inner.within.is_empty() && about.len() > 1 {
            modifiers.within.extend(inner.within);
            about.push_back("from");
            about.append(was);
            about.push_back("to");
            about.append(tail);
            *words = about;
        }
        return;
    }
    let mut core = head.clone();
    let inner = modify::peel(&mut core);
    // Only if some text is left that it is about: "replace the row in the table with …" has no other.
    if inner == Modifiers::default() || !core.has_quotation() && core.len() != 2 || core.len() < 2 {
        return;
    }
    let first = by.split('|').next().unwrap_or(by);
    modifiers.within.extend(inner.within);
    modifiers.except.extend(inner.except);
    modifiers.only_if = modifiers.only_if.or(inner.only_if);
    modifiers.tracked |= inner.tracked;
    modifiers.everywhere |= inner.everywhere;
    modify::merge(&mut modifiers.matching, inner.matching);
    core.push_back(first);
    core.append(tail);
    *words = core;
}

pub(super) fn replace(words: &Words, _: &Modifiers) -> Act {
    let mut words = words.clone();
    let regex = words.eats(
        "use regex to|use a regex to|use a regular expression to|using regex ,|using a regular expression ,",
    );
    if words.begins("make|have|let") {
        return reads(words);
    }
    if words.begins("give") {
        return given(words);
    }
    let fills = words.begins("fill") || words.begins("set");
    let renames = words.begins("rename");
    let turns = words.begins("turn");
    let rewrites = words.begins("rewrite|reword|rephrase|redraft");
    let by = joined_by(&mut words)?;
    let puts = "replace 'this' with 'that'";
    let by = if rewrites { "to|to read|to say|as|so that it says|so that it reads" } else { by };
    // "Fill in the separation date: 30 June 2026"
    let by = if fills && by.starts_with("with") && words.clone().cut(by).is_none() { ":|as|to" } else { by };
    let Some(mut with) = words.cut(by) else {
        return Some(Err(format!("say what to put there: {puts}")));
    };
    with.eats("the text|the word|the words|the phrase|:");
    if by.split('|').any(|by| by != "for" && with.clone().cut(by).is_some()) {
        return Some(Err(
            "say one replacement at a time: replace 'a' with 'b', then replace 'c' with 'd'".to_owned()
        ));
    }
    if words.is_empty() {
        return Some(Err("say which text to replace".to_owned()));
    }
    // "Rewrite clause 2 as a table" says what it should be, and not what it should say.
    if rewrites && with.clone().quotation().is_none() {
        return Some(Err(format!("put the new text in quotation marks: `{}`", with.shown())));
    }
    let by_place = target::chain(&mut words.clone()).filter(|(target, _)| !matches!(target, Target::Text(_)));
    // A section gets another name, not another text.
    let by_place = by_place.map(|(target, around)| match target {
        Target::Section(name) if renames => (Target::Heading(name), around),
        Target::Clause(label) if renames => (Target::HeadingOf(label), around),
        // "Set the Title to …": a form may have a field that is called so.
        Target::Title if words.plain_words().iter().any(|word| word == "Title") => {
            (Target::Labelled { row: None, column: "Title".to_owned() }, around)
        }
        target => (target, around),
    });
    if let Some((target, _)) = &by_place {
        // "Turn the bullets into numbers" is about what they are.
        if turns {
            return None;
        }
        if reads_as_prose(&with, target) {
            return Some(Err(format!("put the new text in quotation marks: `{}`", with.shown())));
        }
    }
    let labelled = if by_place.is_none() { labelled(&words, by, fills) } else { None };
    if let Some(target) = labelled {
        return Some(set_labelled(target, words, with));
    }
    if by.starts_with("to") && by_place.is_none() && super::style::is_look(&with) {
        let look = with.shown();
        return Some(Err(format!("put `{look}` in quotation marks, or say: make the text {look}")));
    }
    let with = match with.is_nothing() {
        true => String::new(),
        false => match with.value() {
            Ok(text) => text,
            Err(unclear) => return Some(Err(unclear)),
        },
    };
    if let Some((target, around)) = by_place {
        return Some(text_of_place(words, target, around, with));
    }
    let mut find = match sought(words) {
        Ok(find) => find,
        Err(unclear) => return Some(Err(unclear)),
    };
    find.matching.regex |= regex;
    // "1" stands in "1,400" and in "2.1" as well.
    let short = find.text.len() <= 2 && find.text.chars().all(|c| c.is_ascii_digit());
    if short && find.which == Which::All && find.matching == Default::default() {
        return Some(Err(format!(
            "`{0}` may be a part of other numbers: say it with the words around it, as in '{0} days'",
            find.text
        )));
    }
    Some(Ok(WordAct::Replace { find, with }))
}

/// Takes the verb, and says which words stand before the new text.
fn joined_by(words: &mut Words) -> Option<&'static str> {
    Some(if words
        .eats("replace|find and replace|substitute|overwrite|search and replace|find all and replace|fill in|fill out|fill")
    {
        "with|by"
    } else if words.eats("swap|swap out|exchange|switch") {
        "for|with"
    } else if words.begins("turn") && words.position(&["into"]).is_some() {
        words.eats("turn");
        "into"
    } else if words.eats("change|rename|update|correct|amend|set|alter|modify|edit|fix|rewrite|reword|rephrase|redraft") {
        let mut about = words.clone();
        about.drop_articles();
        if LOOKS.iter().any(|look| about.clone().eats(look)) {
            return None;
        }
        "to|into|to read|to say|so that it says|so that it reads|so it says|so it reads|to :|to be"
    } else {
        return None;
    })
}

/// Words without quotation marks where a whole text stands: they may as well say what is wanted of it.
fn reads_as_prose(with: &Words, target: &Target) -> bool {
    let small =
        matches!(with.peek(), Some(crate::token::Kind::Word(word)) if word.starts_with(char::is_lowercase));
    let prose = matches!(
        target,
        Target::Clause(_) | Target::Paragraphs(_) | Target::Sentence { .. } | Target::It | Target::Section(_)
    );
    let shape = with.begins("a|an|the") || super::style::is_look(with);
    !with.has_quotation()
        && small
        && (prose || shape && matches!(target, Target::Item(_) | Target::Running { .. } | Target::Title))
}

/// What a place says from now on.
fn text_of_place(
    mut rest: Words,
    target: Target,
    around: Vec<Target>,
    text: String,
) -> Result<WordAct, Unclear> {
    target::chain(&mut rest);
    if !rest.is_empty() {
        return Err(format!("I did not understand `{}`", rest.shown()));
    }
    if matches!(target, Target::Document | Target::EveryParagraph | Target::Headings | Target::Tables) {
        return Err(format!("say which text of {target} to replace, in quotation marks"));
    }
    Ok(match around.is_empty() {
        true => WordAct::SetText { target, text },
        // The places around it are said before the new text, so they are put where the others are.
        false => WordAct::SetText { target: nested(target, around), text },
    })
}

/// What a table says about something, unless a text is named by its words alone.
fn labelled(words: &Words, by: &str, fills: bool) -> Option<Target> {
    if by.starts_with("with") && !fills {
        return None;
    }
    if words.begins("the") && words.len() == 1 {
        return None;
    }
    let mut what = words.clone();
    let was = what.cut_last(&["from"]).is_some();
    let target = match target::labelled(&what) {
        Some(target) => target,
        // "Set Base Salary to …"
        None if fills && !was && !what.has_quotation() => {
            Target::Labelled { row: None, column: what.label().ok()? }
        }
        None => return None,
    };
    let bare = matches!(target, Target::Labelled { row: None, .. });
    // "Change Company to Employer" is about the word.
    (!bare || fills || was || words.begins("the|our|their")).then_some(target)
}

fn set_labelled(target: Target, mut words: Words, with: Words) -> Result<WordAct, String> {
    let text = with.value()?;
    Ok(match words.cut_last(&["from"]) {
        Some(was) => {
            words.eats("the");
            let what = match target {
                Target::Labelled { row: None, column } => column,
                _ => words.label()?,
            };
            WordAct::Amend { what, was: was.value()?, with: text }
        }
        None => WordAct::SetText { target, text },
    })
}

/// "Make clause 2.1 read '…'"
fn reads(mut words: Words) -> Act {
    words.eats("make|have|let");
    let (target, around) = target::chain(&mut words)?;
    if matches!(target, Target::Text(_)) || !words.eats("read|say|state|read as follows :|say :|read :") {
        return None;
    }
    Some(words.value().map(|text| WordAct::SetText { target: nested(target, around), text }))
}

/// "Give the Principal 15 days instead of 12": the name of the column stands behind the number.
fn given(mut words: Words) -> Act {
    words.eats("give");
    let was = words.cut("instead of|rather than|not");
    words.eats("the");
    let row = words.name()?;
    let text = words.word_if(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let column = words.label().ok()?;
    let target = Target::Labelled { row: Some(row.clone()), column: column.clone() };
    Some(match was {
        Some(was) => {
            was.value().map(|was| WordAct::Amend { what: format!("{column} of {row}"), was, with: text })
        }
        None => Ok(WordAct::SetText { target, text }),
    })
}

/// A place with the places around it as one.
pub(super) fn nested(target: Target, around: Vec<Target>) -> Target {
    around.into_iter().fold(target, |inner, outer| Target::Inside(Box::new(inner), Box::new(outer)))
}

/// The text that is to go, all of the words.
fn sought(mut words: Words) -> Result<Mention, String> {
    let mut ahead = words.clone();
    if let Some(mention) = target::mention(&mut ahead, Which::All)
        && ahead.is_empty()
    {
        return Ok(mention);
    }
    let which = target::which(&mut words);
    words.eats(
        "occurrences of|occurrence of|mentions of|mention of|instances of|instance of|matches of|match of",
    );
    words.eats("the text|the word|the words|the phrase|the term|the name|the placeholder|placeholder|the blank|the gap");
    if let (Some(text), true) = (words.clone().quotation(), words.len() == 1) {
        return Ok(Mention { text, which: which.unwrap_or(Which::All), matching: Default::default() });
    }
    if words.begins("the|a|an|my|this|it|them|all|every") {
        return Err(format!(
            "I did not understand `{}`; put the text to replace in quotation marks",
            words.shown()
        ));
    }
    let text = words.sought()?;
    Ok(Mention { text, which: which.unwrap_or(Which::All), matching: Default::default() })
}

/// What a request to change something else than words is about.
const LOOKS: [&str; 12] = [
    "font",
    "size",
    "color",
    "colour",
    "alignment",
    "line spacing",
    "spacing",
    "space",
    "style",
    "highlight",
    "text color",
    "text size",
];

/// "delete 'draft'" takes out the one place where it stands; "delete every 'draft'" all of them.
pub(super) fn delete(words: &Words, modifiers: &Modifiers) -> Act {
    let mut words = words.clone();
    if !words.eats("delete|remove|erase|strike out|strike|take out|get rid of|drop|cut|cut out") {
        return None;
    }
    words.eats("just|only");
    let Some((target, around)) = target::chain(&mut words) else {
        return Some(Err(format!(
            "I did not understand `{}`; say what to delete: text in quotation marks, clause 4.2, the second paragraph, row 2 of the table",
            words.shown()
        )));
    };
    if !words.is_empty() {
        return Some(Err(format!("I did not understand `{}`", words.shown())));
    }
    match &target {
        Target::Document if modifiers.within.is_empty() => {
            return Some(Err("say what to delete; I do not empty whole documents".to_owned()));
        }
        Target::Document | Target::EveryParagraph | Target::Headings | Target::Tables | Target::Title => {
            return Some(Err(format!(
                "I do not delete {target}; say which text, paragraph, clause or table"
            )));
        }
        _ => {}
    }
    let target = match around.is_empty() {
        true => target,
        false => nested(target, around),
    };
    Some(Ok(WordAct::Delete { target }))
}

pub(super) fn picture(mut words: Words) -> Attempt {
    const NOUNS: [&str; 5] = ["picture", "image", "logo", "photo", "figure"];
    if !words.eat_any(&[&["insert"], &["add"], &["put"], &["place"]])
        || !NOUNS.iter().any(|noun| words.position(&[noun]).is_some())
    {
        return None;
    }
    let (scope, location) = place::place(&mut words).unwrap_or_default();
    let url = words.find_map(|word| {
        let word = word.trim_end_matches([',', '.']);
        word.starts_with("http").then(|| word.to_owned())
    });
    let data = words.find_map(|word| {
        let encoded = word.strip_prefix("data:")?.split_once("base64,")?.1;
        Some(encoded.trim_end_matches([',', '.']).to_owned())
    });
    let length = |words: &mut Words, names: &[&[&str]]| {
        let name = names.iter().find(|name| words.position(name).is_some())?;
        let mut tail = words.cut_first(name)?;
        tail.eat_any(&[&["of"], &[":"], &["="]]);
        let value = tail.word_if(|word| points(word).is_some())?;
        tail.eat_any(&[&["pt"], &["points"], &["point"]]);
        words.append(tail);
        points(&value)
    };
    let sized = |words: &mut Words, names: &[&str]| {
        names.iter().find_map(|name| {
            let after = words.measure_before(&[name], points);
            after.or_else(|| {
                ["pt", "points", "cm", "mm", "in", "px"].iter().find_map(|unit| {
                    let scale = points(&format!("1{}", unit.strip_suffix("points").map_or(*unit, |_| "pt")))?;
                    words.measure_before(&[unit, name], points).map(|value| value * scale)
                })
            })
        })
    };
    let width = length(&mut words, &[&["width"]]).or_else(|| sized(&mut words, &["wide"]));
    let height = length(&mut words, &[&["height"]]).or_else(|| sized(&mut words, &["high", "tall"]));
    let alt_text = words.cut_first(&["alt", "text"]).and_then(|mut tail| {
        let text = tail.quotation();
        words.append(tail);
        text
    });
    let wrap = [
        (&["behind", "the", "text"][..], Wrap::Behind),
        (&["behind", "text"], Wrap::Behind),
        (&["in", "front", "of", "the", "text"], Wrap::InFront),
        (&["in", "front", "of", "text"], Wrap::InFront),
        (&["with", "square", "wrapping"], Wrap::Square),
        (&["with", "tight", "wrapping"], Wrap::Tight),
        (&["square", "wrapping"], Wrap::Square),
        (&["tight", "wrapping"], Wrap::Tight),
        (&["wrapped", "square"], Wrap::Square),
        (&["wrapped", "tight"], Wrap::Tight),
        (&["square", "wrap"], Wrap::Square),
        (&["tight", "wrap"], Wrap::Tight),
        (&["inline"], Wrap::Inline),
    ]
    .into_iter()
    .find_map(|(phrase, wrap)| words.take(phrase).then_some(wrap))
    .unwrap_or_default();
    let encoded = words.take(&["base64"]);
    words.take_any(&[&["from", "the", "url"], &["from", "url"], &["from"]]);
    while words.take(&[","]) || words.take(&["and"]) || words.take(&["with"]) {}
    words.drop_articles();
    NOUNS.iter().any(|noun| words.eat(&[noun]));
    let source = match (url, data) {
        (Some(url), _) => PictureSource::Url(url),
        (None, Some(data)) => PictureSource::Base64(data),
        (None, None) if encoded => {
            return Some(Err("give the picture as data:image/png;base64,…".to_owned()));
        }
        (None, None) => return Some(Err("say where the picture is: an https address".to_owned())),
    };
    let op =
        InsertPicture { source, scope, location, width, height, lock_aspect_ratio: true, alt_text, wrap };
    Some(words.done().map(|()| Op::InsertPicture(op)))
}

/// `120`, `120pt`, `2in`, `5cm`, `40mm`, as points.
pub(super) fn points(word: &str) -> Option<f64> {
    let word = word.trim_end_matches([',', '.']);
    let units = [("pt", 1.0), ("in", 72.0), ("cm", 72.0 / 2.54), ("mm", 72.0 / 25.4), ("px", 0.75)];
    let (number, scale) = units
        .iter()
        .find_map(|(unit, scale)| Some((word.strip_suffix(unit)?, *scale)))
        .unwrap_or((word, 1.0));
    number.parse::<f64>().ok().filter(|value| value.is_finite() && *value > 0.0).map(|value| value * scale)
}
