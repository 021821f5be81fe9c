//! Whether an edit fits the place that was named: what would change another thing than the one that is meant is refused.

use edit::Refusal;
use planner::{Beside, Inserted, Target};
use word::Place;
use word::op::{ApplyStyle, Span};

use super::ground::{Ground, Meant, excerpt};

/// "Center the table" is about where it stands, and what is numbered needs no numbers.
pub(super) fn shape_fits(ground: &Ground<'_>, meant: &Meant, style: &ApplyStyle) -> Result<(), Refusal> {
    if let (Meant::Table(..), Some(word::op::Alignment::Center | word::op::Alignment::Right)) =
        (meant, style.paragraph.alignment)
    {
        return Err(Refusal::Ambiguous {
            text: "the table".to_owned(),
            count: 2,
            within: "the request".to_owned(),
            contexts: vec![
                "where the table stands on the page, which I cannot change in a plain request".to_owned(),
                "the text in its cells: name a row or a column of it, as in: center the second column"
                    .to_owned(),
            ],
        });
    }
    if let (Meant::Paragraphs(places), Some(word::op::List::Number)) = (meant, style.paragraph.list) {
        let mut numbered = places.iter().filter(|place| {
            // A bullet is no number.
            let label = ground.view.label(**place, word::Side::Final);
            label.is_some_and(|label| label.chars().any(char::is_alphanumeric))
        });
        if let Some(place) = numbered.next() {
            return Err(Refusal::Unsupported {
                what: format!(
                    "numbering anew what is numbered already (\"{}\")",
                    excerpt(&ground.text(*place)?)
                ),
                instead: Some("name only paragraphs without a number".to_owned()),
            });
        }
    }
    Ok(())
}

/// The mark of a template block among paragraphs that go, whose other end would stay: `{IF a}` and `{END-IF}`.
pub(super) fn crossed(texts: &[String]) -> Option<&str> {
    let mut open: Vec<&str> = Vec::new();
    for text in texts.iter().map(|text| text.trim()) {
        let inner = text.trim_matches(|c| matches!(c, '{' | '}' | '[' | ']' | '%' | ' '));
        if !text.starts_with(['{', '[']) || !text.ends_with(['}', ']']) || inner.contains(['{', '}']) {
            continue;
        }
        let upper = inner.to_uppercase();
        let closes = upper.starts_with("END") || upper.starts_with('/');
        let opens = ["IF ", "FOR ", "EACH ", "#", "UNLESS ", "^"].iter().any(|word| upper.starts_with(word));
        if closes && open.pop().is_none() {
            return Some(text);
        }
        if opens {
            open.push(text);
        }
    }
    open.first().copied()
}

/// New paragraphs before or behind others: like the one beside them, or like the clause that they follow.
/// Text at the edge of a clause has a line to stand in: its heading is none, and neither is a cell of its table.
pub(super) fn edges(
    ground: &Ground<'_>,
    places: &[Place],
    text: &str,
    kind: Inserted,
    side: Beside,
) -> Result<(), Refusal> {
    let (Some(first), Some(last)) = (places.first().copied(), places.last().copied()) else { return Ok(()) };
    let quote = || Some("quote the words that it shall stand beside".to_owned());
    let behind = matches!(side, Beside::After | Beside::End);
    if first != last && behind && kind != Inserted::Clause && ground.in_table(last) && !ground.in_table(first)
    {
        return Err(Refusal::Unsupported {
            what: "text behind a place that ends with a table".to_owned(),
            instead: quote(),
        });
    }
    if first != last && side == Beside::Start && ground.view.heading_level(first).is_some() {
        return Err(Refusal::Unsupported {
            what: format!("text at the start of \"{}\", which is a heading", excerpt(&ground.text(first)?)),
            instead: quote(),
        });
    }
    let anchor = if behind { last } else { first };
    let number = text.split_whitespace().next().unwrap_or(text);
    let typed = number.contains('.')
        && number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || c == '.')
        && text.len() > number.len();
    let own_line = kind != Inserted::Text || matches!(side, Beside::Before | Beside::After);
    if typed && own_line && ground.view.numbered(anchor).is_some() {
        return Err(Refusal::Unsupported {
            what: format!("typing the number {number} where Word numbers by itself"),
            instead: Some("leave the number out of the text".to_owned()),
        });
    }
    Ok(())
}

/// The paragraph that new text beside a heading or the title looks like: the text below it, or else the first text of the
/// document without a number; none beside anything else, which is what it looks like itself.
pub(super) fn text_beside(ground: &Ground<'_>, anchor: Place) -> Result<Option<Place>, Refusal> {
    let title = ground.title().ok() == Some(anchor);
    if ground.view.heading_level(anchor).is_none() && !title {
        return Ok(None);
    }
    let body = ground.body();
    let below = body.iter().copied().skip_while(|place| *place != anchor).skip(1);
    let own = below.take_while(|place| ground.view.heading_level(*place).is_none()).collect::<Vec<_>>();
    if let (false, Some(first)) = (title, ground.prose(&own)?.first()) {
        return Ok(Some(*first));
    }
    let prose = ground.prose(&body)?;
    let plain = prose.iter().find(|place| ground.view.numbered(**place).is_none());
    Ok(plain.or(prose.first()).copied())
}

/// Paragraphs that are counted without titles and headings need not be beside each other: "the first two paragraphs" with a
/// heading between them may not be what a reader counts.
pub(super) fn beside_each_other(
    ground: &Ground<'_>,
    target: &Target,
    places: &[Place],
) -> Result<(), Refusal> {
    let Target::Paragraphs(_) = target else { return Ok(()) };
    let body = ground.body();
    let at = |place: &Place| body.iter().position(|other| other == place);
    for pair in places.windows(2) {
        let (Some(first), Some(second)) = (at(&pair[0]), at(&pair[1])) else { continue };
        let mut between = body.iter().take(second).skip(first + 1);
        let heading = between.find(|place| ground.view.heading_level(**place).is_some());
        if let Some(heading) = heading {
            return Err(Refusal::Unsafe {
                why: format!(
                    "the heading \"{}\" stands between these paragraphs and is not counted as one",
                    excerpt(&ground.text(*heading)?)
                ),
                instead: Some(
                    "name the paragraphs by their first words, their clause or their section".to_owned(),
                ),
            });
        }
    }
    Ok(())
}

/// Words that are all of a numbered paragraph: without them its number would stand alone.
pub(super) fn leaves_no_empty_item(ground: &Ground<'_>, hits: &[(Span, String)]) -> Result<(), Refusal> {
    for (span, text) in hits {
        let Some(place) = ground.place_at(span) else { continue };
        let Some(label) = ground.view.label(place, word::Side::Final) else { continue };
        if ground.text(place)?.trim() == text.trim() {
            return Err(Refusal::Unsafe {
                why: format!("these words are all of the item {label}, whose mark would be left alone"),
                instead: Some("say which item, clause or paragraph to delete".to_owned()),
            });
        }
    }
    Ok(())
}
