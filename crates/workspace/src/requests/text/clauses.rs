//! Clauses by their numbers, sections by their headings, and lists: where each begins and ends.
//!
//! A number is the one that Word prints before the paragraph, or one that was typed at its start. What belongs to a
//! clause ends at the next one of its level. Text without a number behind the last clause of a document belongs to
//! none: it may well be the signatures.

use edit::Refusal;
use word::{Place, Side};

use super::ground::Ground;

/// A paragraph with a number.
struct Labelled {
    /// Without marks and nouns: `4.2`, `a`, `iv`.
    label: String,
    level: usize,
    typed: bool,
}

pub(super) fn clause(ground: &Ground<'_>, wanted: &str, places: &[Place]) -> Result<Vec<Place>, Refusal> {
    // `4(b)` is the (b) of 4.
    let mut parts = wanted.split('(').map(|part| part.trim_end_matches(')')).filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or(wanted);
    let mut found = numbered(ground, first, places)?;
    for part in parts {
        let inside: Vec<Place> = found.into_iter().skip(1).collect();
        found = numbered(ground, part, &inside)?;
    }
    Ok(found)
}

fn numbered(ground: &Ground<'_>, wanted: &str, places: &[Place]) -> Result<Vec<Place>, Refusal> {
    let wanted = bare(wanted);
    let mut labels: Vec<Option<Labelled>> = Vec::with_capacity(places.len());
    for place in places {
        labels.push(labelled(ground, *place)?);
    }
    for typed in [false, true] {
        let fitting = |label: &Option<Labelled>| {
            label.as_ref().is_some_and(|label| label.typed == typed && label.label == wanted)
        };
        let found: Vec<usize> = (0..places.len()).filter(|at| fitting(&labels[*at])).collect();
        match found.as_slice() {
            [] => {}
            [only] => return Ok(extent(ground, places, &labels, *only)),
            several => {
                let texts = several
                    .iter()
                    .take(5)
                    .map(|at| ground.text(places[*at]).map(|text| super::ground::excerpt(&text)));
                return Err(Refusal::Ambiguous {
                    text: format!("clause {wanted}"),
                    count: several.len(),
                    within: "the document".to_owned(),
                    contexts: texts.collect::<Result<_, _>>()?,
                });
            }
        }
    }
    let nearest = labels.iter().flatten().map(|label| label.label.clone()).take(10).collect();
    Err(Refusal::NotFound { what: "clause", id: wanted, nearest })
}

/// A clause and what belongs to it.
fn extent(ground: &Ground<'_>, places: &[Place], labels: &[Option<Labelled>], start: usize) -> Vec<Place> {
    let own = labels[start].as_ref().map_or(0, |label| label.level);
    let heading = ground.view.heading_level(places[start]);
    let mut end = start + 1;
    // Behind the last paragraph that surely belongs to it.
    let mut sure = start + 1;
    let mut closed = false;
    while end < places.len() {
        let level = ground.view.heading_level(places[end]);
        let ends = match (&labels[end], heading, level) {
            (_, Some(own), Some(level)) => level <= own,
            // A list under a heading is counted by itself, whatever its level is called.
            (Some(label), Some(_), None) => label.level <= own && continues(&labels[start], label),
            // So is (a) below a number.
            (Some(label), _, _) => label.level <= own && !lettered(&labels[start], label),
            (None, None, Some(_)) => true,
            _ => false,
        };
        if ends {
            closed = true;
            break;
        }
        end += 1;
        if labels[end - 1].is_some() {
            sure = end;
        }
    }
    places[start..if closed || heading.is_some() && sure == start + 1 { end } else { sure }].to_vec()
}

/// Whether a label is a letter below a number.
fn lettered(first: &Option<Labelled>, label: &Labelled) -> bool {
    let figures = |label: &str| label.starts_with(|c: char| c.is_ascii_digit());
    first.as_ref().is_some_and(|first| figures(&first.label)) && !figures(&label.label)
}

/// Whether a label goes on counting as another one does: 4 after 3, and not (a).
fn continues(first: &Option<Labelled>, label: &Labelled) -> bool {
    let kind = |label: &str| (label.starts_with(|c: char| c.is_ascii_digit()), label.matches('.').count());
    first.as_ref().is_some_and(|first| kind(&first.label) == kind(&label.label))
}

fn labelled(ground: &Ground<'_>, place: Place) -> Result<Option<Labelled>, Refusal> {
    if ground.in_table(place) {
        return Ok(None);
    }
    if let Some(label) = ground.view.label(place, Side::Final) {
        let label = bare(label);
        let counted = label.chars().any(char::is_alphanumeric);
        let level = ground.view.numbered(place).map_or(0, |numbered| usize::from(numbered.level));
        return Ok(counted.then_some(Labelled { label, level, typed: false }));
    }
    let text = ground.text(place)?;
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else { return Ok(None) };
    let noun = ["clause", "section", "article", "§"].contains(&first.to_lowercase().as_str());
    let number = if noun { words.next().unwrap_or("") } else { first };
    let marked = noun || number.ends_with(['.', ')', ':']) || number.contains('.');
    let label = bare(number);
    let digits = label.starts_with(|c: char| c.is_ascii_digit())
        && label.len() <= 9
        && label
            .split('.')
            .all(|part| (1..=3).contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit()));
    let roman = noun && !label.is_empty() && label.chars().all(|c| "ivx".contains(c));
    if !marked || !(digits || roman) {
        return Ok(None);
    }
    let level = label.matches('.').count();
    Ok(Some(Labelled { label, level, typed: true }))
}

/// A label without its marks and nouns.
fn bare(label: &str) -> String {
    let last = label.split_whitespace().last().unwrap_or("");
    last.trim_matches(|c: char| matches!(c, '.' | ')' | '(' | ':' | '§')).to_lowercase()
}

/// Whether a heading goes by a name: the very words, whatever the case and the marks around them.
pub(super) fn same_name(text: &str, name: &str) -> bool {
    let plain = |text: &str| {
        let text = text.trim().trim_end_matches(['.', ':']).to_lowercase();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (text, name) = (plain(text), plain(name));
    // A typed number before the words does not count.
    let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    !name.is_empty() && (text == name || unnumbered == name)
}

pub(super) fn section(ground: &Ground<'_>, name: &str, places: &[Place]) -> Result<Vec<Place>, Refusal> {
    let mut headings = Vec::new();
    let mut others = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let text = ground.text(*place)?;
        let level = ground.view.heading_level(*place);
        if same_name(&text, name) && !ground.in_table(*place) {
            match level {
                Some(_) => headings.push(at),
                None => others.push(at),
            }
        } else if level.is_none()
            && ground.view.label(*place, Side::Final).is_some()
            && [".", ":"]
                .iter()
                .any(|end| text.to_lowercase().starts_with(&format!("{}{end}", name.to_lowercase())))
        {
            // A header that runs into its text: "Late payment. Interest runs …".
            others.push(at);
        }
    }
    let found = if headings.is_empty() { others } else { headings };
    let start = match found.as_slice() {
        [only] => *only,
        several => {
            let several = several.iter().map(|at| places[*at]).collect();
            let place = ground.only(several, "section", name)?;
            places.iter().position(|known| *known == place).unwrap_or(0)
        }
    };
    let mut labels: Vec<Option<Labelled>> = Vec::with_capacity(places.len());
    for place in places {
        labels.push(labelled(ground, *place)?);
    }
    match ground.view.heading_level(places[start]) {
        Some(level) => {
            let ends =
                |at: &usize| ground.view.heading_level(places[*at]).is_some_and(|other| other <= level);
            let end = (start + 1..places.len()).find(ends).unwrap_or(places.len());
            Ok(places[start..end].to_vec())
        }
        None if labels[start].is_some() => Ok(extent(ground, places, &labels, start)),
        None => {
            // A line that only looks like a heading: nobody knows where what follows it ends.
            Err(Refusal::Unsupported {
                what: format!("the section \"{name}\", whose heading is plain text"),
                instead: Some(
                    "name its paragraphs or clauses, or give the heading a heading style".to_owned(),
                ),
            })
        }
    }
}

/// The items of a list: those of the only one, or of the first one inside a section.
pub(super) fn list(ground: &Ground<'_>, places: &[Place], inside: bool) -> Result<Vec<Place>, Refusal> {
    let is_item = |place: &Place| {
        ground.view.numbered(*place).is_some()
            && ground.view.heading_level(*place).is_none()
            && !ground.in_table(*place)
    };
    let mut lists: Vec<Vec<Place>> = Vec::new();
    let mut open = false;
    for place in places {
        match (is_item(place), lists.last_mut()) {
            (true, Some(list)) if open => list.push(*place),
            (true, _) => lists.push(vec![*place]),
            (false, _) => {}
        }
        open = is_item(place);
    }
    match lists.len() {
        0 => Err(Refusal::not_found("list", if inside { "that place" } else { "the document" })),
        1 => Ok(lists.swap_remove(0)),
        count => Err(Refusal::Ambiguous {
            text: "the list".to_owned(),
            count,
            within: if inside { "that place" } else { "the document" }.to_owned(),
            contexts: lists
                .iter()
                .take(5)
                .filter_map(|list| Some(super::ground::excerpt(&ground.text(*list.first()?).ok()?)))
                .collect(),
        }),
    }
}
