//! Requests about a Word document.

mod place;
mod style;
mod table;
mod text;

use word::op::{ListStyles, Op, Scope, SetSelection, StyleCategory};

use crate::Unclear;
use crate::phrase::Words;

/// `None` when a sentence is not of a pattern's kind; `Some(Err)` when it is, and something is unclear.
type Attempt = Option<Result<Op, Unclear>>;

pub(crate) fn step(mut words: Words) -> Result<Op, Unclear> {
    words.turn_round();
    let patterns: [fn(Words) -> Attempt; 9] = [
        list_styles,
        get_selection,
        select,
        table::attempt,
        text::picture,
        text::replace,
        text::search,
        style::attempt,
        text::delete,
    ];
    patterns
        .iter()
        .find_map(|pattern| pattern(words.clone()))
        .or_else(|| text::insert(words.clone()))
        .unwrap_or_else(|| {
            Err("I know requests to insert, find, replace, format and select text, and to make and change \
                 tables and pictures"
                .to_owned())
        })
}

fn list_styles(mut words: Words) -> Attempt {
    let asks = words.eat_any(&[&["list"], &["show"], &["show", "me"], &["get"], &["what"], &["which"]]);
    if !asks || words.position(&["styles"]).is_none() {
        return None;
    }
    let mut list = ListStyles::default();
    words.eat(&["me"]);
    words.drop_articles();
    words.eat_any(&[&["available"], &["named"]]);
    for (name, category) in [
        ("paragraph", StyleCategory::Paragraph),
        ("character", StyleCategory::Character),
        ("table", StyleCategory::Table),
    ] {
        if words.eat(&[name]) {
            list.category = category;
        }
    }
    if !words.eat(&["styles"]) {
        return Some(words.done().map(|()| Op::ListStyles(list)));
    }
    words.eat_any(&[
        &["are", "there"],
        &["are", "available"],
        &["can", "i", "use"],
        &["are", "in", "the", "document"],
    ]);
    place::scope(&mut words);
    if words.eat_any(&[&["containing"], &["named"], &["called"], &["matching"], &["with"]]) {
        list.query = words.rest_as_text();
        return Some(Ok(Op::ListStyles(list)));
    }
    Some(words.done().map(|()| Op::ListStyles(list)))
}

fn get_selection(mut words: Words) -> Attempt {
    if words.eat_any(&[&["what", "text", "is", "selected"], &["what", "have", "i", "selected"]]) {
        return Some(words.done().map(|()| Op::GetSelection));
    }
    let asks =
        words.eat_any(&[&["get"], &["show", "me"], &["show"], &["read"], &["what", "is"], &["what's"]]);
    if !asks {
        return None;
    }
    words.drop_articles();
    words.eat(&["current"]);
    words
        .eat_any(&[&["selection"], &["selected"], &["selected", "text"], &["currently", "selected"]])
        .then(|| words.done().map(|()| Op::GetSelection))
}

fn select(mut words: Words) -> Attempt {
    if let Some(place) = words.clone().eat(&["put"]).then(|| cursor_place(words.clone())).flatten() {
        return Some(Ok(Op::SetSelection(place)));
    }
    if !words.eat(&["select"]) {
        return None;
    }
    if words.eat_any(&[&["all"], &["everything"], &["the", "document"], &["the", "whole", "document"]]) {
        let whole = SetSelection { scope: Scope::Document, location: word::op::Location::Replace };
        return Some(words.done().map(|()| Op::SetSelection(whole)));
    }
    let scope = match place::scope(&mut words) {
        Some(scope) => Some(scope),
        None => place::quoted(&mut words),
    };
    let Some(scope) = scope else {
        return Some(Err("say which text to select, in quotation marks".to_owned()));
    };
    let selection = SetSelection { scope, location: word::op::Location::Replace };
    Some(words.done().map(|()| Op::SetSelection(selection)))
}

/// "put the cursor after 'Terms'"
fn cursor_place(mut words: Words) -> Option<SetSelection> {
    if !words.eat(&["put", "the", "cursor"]) {
        return None;
    }
    let (scope, location) = place::place(&mut words)?;
    words.is_empty().then_some(SetSelection { scope, location })
}
