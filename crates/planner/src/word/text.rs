//! Inserting, replacing and finding text, and pictures.

use word::op::{
    InsertPicture, InsertText, Location, Matching, Op, PictureSource, Replace, ReplaceMode, Scope, Search,
    Target, Wrap,
};

use super::{Attempt, place};
use crate::phrase::Words;

pub(super) fn insert(mut words: Words) -> Attempt {
    let (mut scope, mut location) = (Scope::Selection, Location::Replace);
    let prepends = words.eat(&["prepend"]);
    if prepends {
        (scope, location) = (Scope::Document, Location::Start);
    } else if words.eat(&["append"]) {
        (scope, location) = (Scope::Document, Location::End);
    } else if !words.eat_any(&[&["insert"], &["add"], &["put"], &["type"], &["write"]]) {
        return None;
    }
    let as_paragraph = words.take_any(&[
        &["as", "a", "new", "paragraph"],
        &["in", "a", "new", "paragraph"],
        &["as", "a", "paragraph"],
        &["as", "a", "new", "line"],
        &["on", "a", "new", "line"],
        &["on", "its", "own", "line"],
    ]);
    let (beside, place) = place::beside(&mut words);
    if let Some(place) = place {
        (scope, location) = place;
    } else if words.take(&["to", "the", "document"]) {
        // What is put before or behind the document was said by the verb.
        if !prepends {
            (scope, location) = (Scope::Document, Location::End);
        }
    } else if let Some(id) = place::scope_id(&mut words) {
        scope = id;
    }
    words.drop_articles();
    let new = words.eat(&["new"]);
    words.eat(&["following"]);
    let new_paragraph = words.eat_any(&[&["paragraph"], &["line"]]) || (new && words.eat(&["sentence"]));
    words.eat_any(&[&["text"], &["word"], &["words"], &["sentence"], &["phrase"]]);
    words.eat_any(&[
        &["saying"],
        &["reading"],
        &["that", "says"],
        &["with", "the", "text"],
        &["with"],
        &[":"],
    ]);
    let Some(text) = words.quotation() else {
        return Some(Err(match words.is_empty() {
            true => "say the text to insert, in quotation marks".to_owned(),
            false => format!(
                "I insert text in quotation marks, pictures and tables; I did not understand `{}`",
                words.shown()
            ),
        }));
    };
    let keep_formatting = !words.eat_any(&[&["without", "formatting"], &["as", "plain", "text"]]);
    let new_paragraph = new_paragraph || as_paragraph || beside;
    let op = InsertText { text, scope, location, new_paragraph, keep_formatting };
    Some(words.done().map(|()| Op::InsertText(op)))
}

pub(super) fn replace(mut words: Words) -> Attempt {
    let regex = words.eat_any(&[
        &["use", "regex", "to"],
        &["use", "a", "regex", "to"],
        &["use", "a", "regular", "expression", "to"],
        &["using", "regex", ","],
        &["using", "a", "regular", "expression", ","],
    ]);
    let by = if words.eat_any(&[&["replace"], &["find", "and", "replace"], &["substitute"], &["overwrite"]]) {
        ["with", "by"]
    } else if words.eat(&["swap"]) {
        ["for", "with"]
    } else if words.eat_any(&[&["change"], &["rename"]]) {
        let mut about = words.clone();
        about.drop_articles();
        // "Change the font to Arial" is about looks, not about the words `the font`.
        let of_text = || {
            let whole = about.clone().eat_any(&[&["selection"], &["text"], &["selected", "text"]]);
            whole && about.clone().cut_first(&["to"]).is_some_and(|mut to| to.quotation().is_some())
        };
        if !of_text() && LOOKS.iter().any(|look| about.clone().eat(&[look])) {
            return None;
        }
        ["to", "into"]
    } else {
        return None;
    };
    let Some(mut with) = words.cut_first(&[by[0]]).or_else(|| words.cut_first(&[by[1]])) else {
        return Some(Err(format!("say what to put there: replace 'this' {} 'that'", by[0])));
    };
    let mut matching = matching(&mut words);
    merge(&mut matching, self::matching(&mut with));
    matching.regex |= regex;
    let scope = place::scope(&mut with).or_else(|| place::scope(&mut words));
    let once = with.take_any(&[&["only", "once"], &["just", "once"], &["once"]]);
    let everywhere = with.take_any(&[&["all", "over"], &["each", "time"], &["every", "time"]]);
    words.trim_commas();
    with.trim_commas();
    if words.clone().eat_any(&[&["the", "last"], &["last"]]) {
        return Some(Err("I replace the first match or all of them".to_owned()));
    }
    if !once && !everywhere && by.iter().any(|by| with.position(&[by]).is_some()) {
        let example = "replace 'a' with 'b', then replace 'c' with 'd'";
        return Some(Err(format!("say one replacement at a time: {example}")));
    }
    let first = once
        | words.eat_any(&[
            &["the", "first", "match", "of"],
            &["the", "first", "occurrence", "of"],
            &["first", "match", "of"],
            &["first", "occurrence", "of"],
            &["the", "first", "instance", "of"],
            &["the", "first"],
            &["first"],
            &["only", "the", "first"],
        ]);
    words.eat_any(&[
        &["all", "occurrences", "of"],
        &["all", "matches", "of"],
        &["every", "occurrence", "of"],
        &["each", "occurrence", "of"],
        &["any", "occurrence", "of"],
        &["all", "instances", "of"],
        &["all", "mentions", "of"],
        &["every", "mention", "of"],
        &["every", "instance", "of"],
        &["all", "the"],
        &["all"],
        &["every"],
        &["each"],
    ]);
    words.eat_any(&[
        &["the", "text"],
        &["the", "word"],
        &["the", "words"],
        &["the", "phrase"],
        &["instances", "of"],
    ]);
    // "Change 'Fees' to blue" may be about the word or about its colour.
    if by[0] == "to" && super::style::is_look(&with) {
        let look = with.shown();
        return Some(Err(format!("put `{look}` in quotation marks, or say: make the text {look}")));
    }
    let nothing = with.clone();
    let with = match nothing.is_nothing() {
        true => String::new(),
        false => match with.rest_as_text() {
            Some(with) => with,
            None => return Some(Err("put the replacement in quotation marks".to_owned())),
        },
    };
    if words.is_empty() {
        let Some(scope) = scope else {
            return Some(Err("say which text to replace".to_owned()));
        };
        // "Replace the selection with 'OK'" is an insertion over it.
        return Some(Ok(match scope {
            Scope::Selection => Op::InsertText(InsertText { text: with, ..InsertText::default() }),
            scope => Op::Replace(Replace { target: Target::Whole(scope), with, mode: ReplaceMode::All }),
        }));
    }
    if words.clone().eat_any(&[&["the"], &["a"], &["an"], &["my"], &["this"], &["it"]]) {
        return Some(Err("put the text to replace in quotation marks".to_owned()));
    }
    let Some(query) = words.rest_as_text() else {
        return Some(Err("put the text to replace in quotation marks".to_owned()));
    };
    let mode = if first { ReplaceMode::First } else { ReplaceMode::All };
    let target = Target::Query { query, matching, scope: scope.unwrap_or(Scope::Document) };
    Some(Ok(Op::Replace(Replace { target, with, mode })))
}

/// "delete 'draft'" takes out the one place where it stands; "delete every 'draft'" all of them.
pub(super) fn delete(mut words: Words) -> Attempt {
    if !words.eat_any(&[&["delete"], &["remove"], &["erase"], &["strike"]]) {
        return None;
    }
    let matching = matching(&mut words);
    let scope = place::scope(&mut words);
    words.trim_commas();
    if words.is_empty() {
        let target = match scope? {
            Scope::Document => {
                return Some(Err("say what to delete; I do not empty whole documents".to_owned()));
            }
            scope => Target::Whole(scope),
        };
        return Some(Ok(Op::Replace(Replace { target, with: String::new(), mode: ReplaceMode::All })));
    }
    let all = words.eat_any(&[
        &["all", "occurrences", "of"],
        &["all", "instances", "of"],
        &["all", "the"],
        &["every", "occurrence", "of"],
        &["each", "occurrence", "of"],
        &["all"],
        &["every"],
        &["each"],
    ]);
    let with = String::new();
    let target = match place::quoted(&mut words)? {
        Scope::Paragraph(_) => return None,
        Scope::Found(query) if all || scope.is_some() || matching != Matching::default() => {
            Target::Query { query, matching, scope: scope.unwrap_or(Scope::Document) }
        }
        place => Target::Whole(place),
    };
    Some(words.done().map(|()| Op::Replace(Replace { target, with, mode: ReplaceMode::All })))
}

pub(super) fn search(mut words: Words) -> Attempt {
    let mut matching = matching(&mut words);
    let asks = words.eat_any(&[
        &["find"],
        &["search", "for"],
        &["search"],
        &["locate"],
        &["look", "for"],
        &["where", "is"],
        &["where", "does"],
        &["where", "do"],
        &["how", "many", "times", "does"],
        &["how", "often", "does"],
        &["count"],
    ]);
    if !asks {
        return None;
    }
    words.take_any(&[&["appear"], &["occur"], &["stand"]]);
    merge(&mut matching, self::matching(&mut words));
    let scope = place::scope(&mut words).unwrap_or(Scope::Document);
    let mut max_results = Search::default().max_results;
    if words.eat(&["the", "first"]) || words.eat(&["first"]) {
        max_results = words.number().unwrap_or(1);
    }
    words.trim_commas();
    words.eat_any(&[&["for"]]);
    words.drop_articles();
    words.eat_any(&[
        &["occurrences", "of"],
        &["occurrence", "of"],
        &["matches", "of"],
        &["match", "of"],
        &["instances", "of"],
        &["instance", "of"],
        &["places", "with"],
    ]);
    words.drop_articles();
    if words.eat_any(&[
        &["words", "starting", "with"],
        &["words", "beginning", "with"],
        &["words", "that", "start", "with"],
        &["words", "that", "begin", "with"],
    ]) {
        matching.prefix = true;
    }
    words.eat_any(&[&["word"], &["words"], &["text"], &["phrase"]]);
    let Some(query) = words.rest_as_text() else {
        return Some(Err("say which text to find, in quotation marks".to_owned()));
    };
    Some(Ok(Op::Search(Search { query, scope, matching, max_results })))
}

/// What a request to change something else than words is about.
const LOOKS: [&str; 12] = [
    "font",
    "size",
    "color",
    "colour",
    "alignment",
    "line",
    "spacing",
    "space",
    "style",
    "selection",
    "text",
    "highlight",
];

/// "whole word only", "case-sensitive", "using wildcards"
fn matching(words: &mut Words) -> Matching {
    let mut found = |bare: &[&[&str]]| {
        bare.iter().any(|phrase| {
            let bracketed = [&["("], *phrase, &[")"]].concat();
            words.take(&bracketed) || words.take(phrase)
        })
    };
    Matching {
        whole_word: found(&[
            &["whole", "words", "only"],
            &["whole", "word", "only"],
            &["as", "a", "whole", "word"],
            &["as", "whole", "words"],
            &["as", "whole", "word"],
            &["whole", "words"],
            &["whole", "word"],
            &["whole-word"],
        ]),
        case: found(&[
            &["with", "matching", "case"],
            &["case", "sensitive"],
            &["case-sensitive"],
            &["case-sensitively"],
            &["match", "case"],
            &["matching", "the", "case"],
            &["matching", "case"],
        ]),
        prefix: found(&[
            &["as", "a", "prefix"],
            &["as", "prefix"],
            &["prefix", "match"],
            &["match", "prefix"],
        ]),
        wildcards: found(&[&["using", "wildcards"], &["with", "wildcards"]]),
        regex: found(&[
            &["as", "a", "regular", "expression"],
            &["as", "regex"],
            &["as", "a", "regex"],
            &["using", "regex"],
            &["with", "regex"],
            &["regex"],
        ]),
    }
}

fn merge(into: &mut Matching, more: Matching) {
    into.regex |= more.regex;
    into.wildcards |= more.wildcards;
    into.case |= more.case;
    into.whole_word |= more.whole_word;
    into.prefix |= more.prefix;
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
