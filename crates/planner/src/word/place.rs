//! Where: scopes and places, taken out of a sentence wherever they stand.

use word::op::{Location, Scope};

use crate::phrase::Words;

/// "in the document", "in the selection", "in rangeId:r3"
pub(super) fn scope(words: &mut Words) -> Option<Scope> {
    if let Some(id) = range_id(words) {
        return Some(Scope::Range(id));
    }
    let whole: &[&[&str]] = &[
        &["everywhere", "in", "the", "document"],
        &["everywhere"],
        &["throughout", "the", "document"],
        &["throughout"],
        &["across", "the", "document"],
        &["in", "the", "whole", "document"],
        &["in", "the", "entire", "document"],
        &["in", "the", "document"],
        &["in", "this", "document"],
        &["in", "document"],
        &["for", "the", "whole", "document"],
        &["for", "the", "entire", "document"],
        &["for", "the", "document"],
        &["of", "the", "whole", "document"],
        &["to", "the", "whole", "document"],
        &["to", "the", "entire", "document"],
        &["to", "the", "document"],
        &["of", "the", "document"],
        &["from", "the", "document"],
        &["the", "whole", "document"],
        &["the", "entire", "document"],
        &["the", "document"],
    ];
    let selected: &[&[&str]] = &[
        &["in", "the", "current", "selection"],
        &["in", "the", "selected", "text"],
        &["in", "the", "selection"],
        &["in", "selection"],
        &["within", "the", "selection"],
        &["to", "the", "current", "selection"],
        &["to", "the", "selected", "text"],
        &["to", "the", "selection"],
        &["to", "selection"],
        &["for", "the", "current", "selection"],
        &["for", "the", "selection"],
        &["of", "the", "selected", "text"],
        &["of", "the", "selection"],
        &["from", "the", "selected", "text"],
        &["from", "the", "selection"],
        &["the", "current", "selection"],
        &["the", "selected", "text"],
        &["my", "selection"],
        &["the", "selection"],
        &["current", "selection"],
        &["selected", "text"],
        &["selection"],
    ];
    if words.take_any(selected) {
        return Some(Scope::Selection);
    }
    words.take_any(whole).then_some(Scope::Document)
}

fn range_id(words: &mut Words) -> Option<String> {
    let id = words.find_map(|word| word.strip_prefix("rangeId:").map(str::to_owned))?;
    // The preposition that led to it is now the last word, or stands before nothing.
    words.take_any(&[&["in"], &["at"], &["to"], &["of"], &["for"]]);
    Some(id)
}

/// "at the start of the document", "at cursor", "after 'Terms'"
pub(super) fn place(words: &mut Words) -> Option<(Scope, Location)> {
    let ends: [(&[&'static str], Location); 8] = [
        (&["very", "start"], Location::Start),
        (&["very", "beginning"], Location::Start),
        (&["start"], Location::Start),
        (&["beginning"], Location::Start),
        (&["top"], Location::Start),
        (&["end"], Location::End),
        (&["bottom"], Location::End),
        (&["very", "end"], Location::End),
    ];
    for (end, location) in ends {
        for lead in [&["at", "the"][..], &["at"], &["to", "the"], &["on", "the"]] {
            let phrase = [lead, end].concat();
            let Some(at) = words.position(&phrase) else { continue };
            let of = |tail: &[&'static str]| [&phrase[..], tail].concat();
            for tail in [&["of", "the", "selection"][..], &["of", "selection"]] {
                if words.take(&of(tail)) {
                    return Some((Scope::Selection, location));
                }
            }
            for tail in [
                &["of", "the", "document"][..],
                &["of", "document"],
                &["of", "this", "document"],
                &["of", "the", "file"],
                &["of", "the", "text"],
            ] {
                if words.take(&of(tail)) {
                    return Some((Scope::Document, location));
                }
            }
            // "at the end of rangeId:r2", and "at the end" alone, which means the document.
            if words.position(&of(&["of"])) == Some(at) {
                let mut rest = words.clone();
                if rest.take(&of(&["of"]))
                    && let Some(id) = range_id(&mut rest)
                {
                    *words = rest;
                    return Some((Scope::Range(id), location));
                }
                continue;
            }
            if words.take(&phrase) {
                return Some((Scope::Document, location));
            }
        }
    }
    let here: &[&[&str]] = &[
        &["at", "the", "cursor"],
        &["at", "cursor"],
        &["at", "the", "current", "position"],
        &["at", "the", "insertion", "point"],
        &["at", "the", "selection"],
        &["here"],
    ];
    if words.take_any(here) {
        return Some((Scope::Selection, Location::Replace));
    }
    for (name, location) in [("before", Location::Before), ("after", Location::After)] {
        if words.take(&[name, "the", "selection"]) || words.take(&[name, "selection"]) {
            return Some((Scope::Selection, location));
        }
        let mut head = words.clone();
        let Some(mut tail) = head.cut_last(&[name]) else { continue };
        let anchor = match tail.find_map(|word| word.strip_prefix("rangeId:").map(str::to_owned)) {
            Some(id) => Some(Scope::Range(id)),
            None => quoted(&mut tail),
        };
        if let (Some(anchor), true) = (anchor, tail.is_empty()) {
            *words = head;
            return Some((anchor, location));
        }
    }
    None
}

/// Text by its words: `'Total'`, `the word 'Total'`, `the first 'Total'`, `the heading Scope`; taken from the front.
pub(super) fn quoted(words: &mut Words) -> Option<Scope> {
    let mut ahead = words.clone();
    let paragraph: &[&[&str]] = &[
        &["the", "heading"],
        &["the", "title"],
        &["the", "paragraph"],
        &["the", "line"],
        &["heading"],
        &["paragraph"],
    ];
    if ahead.eat_any(paragraph) {
        // "the heading Scope" needs no quotation marks where nothing else follows.
        let quotation = ahead.quotation();
        let text = match quotation {
            Some(text) => text,
            None => std::mem::take(&mut ahead).rest_as_text()?,
        };
        *words = ahead;
        return Some(Scope::Paragraph(text));
    }
    let first = ahead.eat_any(&[
        &["the", "first", "occurrence", "of"],
        &["the", "first", "mention", "of"],
        &["the", "first"],
        &["first"],
    ]);
    ahead.eat_any(&[
        &["the", "text"],
        &["the", "word"],
        &["the", "words"],
        &["the", "phrase"],
        &["the", "sentence"],
        &["text"],
        &["word"],
    ]);
    let text = ahead.quotation()?;
    *words = ahead;
    Some(if first { Scope::First(text) } else { Scope::Found(text) })
}
