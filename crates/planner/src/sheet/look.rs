//! How cells look: bold, colours, alignment and number formats.

use super::refer::reference;
use super::{Attempt, CellLook, SheetRef, SheetStep};
use crate::colour;
use crate::phrase::Words;

pub(super) fn looks(words: Words) -> Attempt {
    let verbs = [
        ("bold", "bold"),
        ("unbold", "not bold"),
        ("italicise|italicize", "italic"),
        ("underline", "underlined"),
        ("center|centre", "centered"),
        ("highlight", "filled"),
        ("wrap the text in|wrap text in|wrap", "wrapped"),
        ("align|right-align|left-align", "aligned"),
        ("color the cells|colour the cells|color|colour|fill|shade|paint", "filled"),
    ];
    for (verb, look) in verbs {
        let mut rest = words.clone();
        let lead = rest.begins("right-align");
        if !rest.eats(verb) {
            continue;
        }
        rest.eats("the text in");
        let at = reference(&mut rest)?;
        rest.eats("in|with|to the|to|as");
        if look == "aligned" && rest.is_empty() {
            rest.push_front(if lead { "right" } else { "left" });
        }
        let mut found = CellLook::default();
        let done = match look {
            "filled" => match rest.is_empty() && verb == "highlight" {
                true => {
                    found.fill = colour::colour("yellow");
                    Ok(())
                }
                false => fill(rest, &mut found),
            },
            "not bold" => {
                found.bold = Some(false);
                rest.done()
            }
            look => {
                let mut all = rest;
                if look != "aligned" {
                    all.push_front(look);
                }
                attributes(all, &mut found)
            }
        };
        return Some(done.map(|()| SheetStep::Look { at, look: found }));
    }
    let mut rest = words;
    let shows = rest.begins("show|display");
    if !rest.eats("make|format|show|display|set|style|turn") {
        return None;
    }
    // "set the background of A1 to yellow"
    let mut property = rest.clone();
    if property.eats("the background of|the background color of|the background colour of|the fill of|the fill color of|the font of|the font size of|the font color of|the text color of|the alignment of|the number format of|the color of|the colour of") {
        let fills = rest.begins("the background|the fill");
        let at = reference(&mut property)?;
        property.eats("to|as").then_some(())?;
        let mut found = CellLook::default();
        if fills {
            return Some(fill(property, &mut found).map(|()| SheetStep::Look { at, look: found }));
        }
        if rest.begins("the font of") {
            return Some(property.value().map(|font| SheetStep::Look { at, look: CellLook { font: Some(font), ..found } }));
        }
        return Some(attributes(property, &mut found).map(|()| SheetStep::Look { at, look: found }));
    }
    let at = match super::refer::plural(&mut rest.clone()).filter(|_| reference(&mut rest.clone()).is_none())
    {
        Some(at) => {
            super::refer::plural(&mut rest);
            at
        }
        None if reference(&mut rest.clone()).is_none() => return labelled(rest),
        None => reference(&mut rest)?,
    };
    if matches!(at, SheetRef::Used { .. }) && shows {
        return None;
    }
    rest.eats("to be|as|in|with|to|into");
    if rest.is_empty() {
        return None;
    }
    let mut found = CellLook::default();
    Some(attributes(rest, &mut found).map(|()| SheetStep::Look { at, look: found }))
}

/// "the growth rate as a percentage": a cell by its label.
fn labelled(mut words: Words) -> Attempt {
    let looks = words.cut("as|in|to be")?;
    let mut look = CellLook::default();
    attributes(looks, &mut look).ok()?;
    Some(super::rows::named(words).map(|at| SheetStep::Look { at, look }))
}

fn fill(mut words: Words, look: &mut CellLook) -> Result<(), String> {
    words.eats("a");
    look.fill = eat_colour(&mut words);
    words.eats_last("background|fill");
    match look.fill {
        Some(_) => words.done(),
        None => Err(format!("say which colour; I did not understand `{}`", words.shown())),
    }
}

fn attributes(mut words: Words, look: &mut CellLook) -> Result<(), String> {
    while !words.is_empty() {
        if words.eats(",|and|a|an|the|with|in") {
            continue;
        }
        if words.eats("not bold") {
            look.bold = Some(false);
        } else if words.eats("bold") {
            look.bold = Some(true);
        } else if words.eats("not italic") {
            look.italic = Some(false);
        } else if words.eats("italic|italics") {
            look.italic = Some(true);
        } else if words.eats("underlined|underline") {
            look.underline = Some(true);
        } else if words.eats("centered|centred|center|centre|aligned to the center|aligned to the centre") {
            look.align = Some("center");
        } else if words.eats("right-aligned|right aligned|right|aligned to the right|aligned right") {
            look.align = Some("right");
        } else if words.eats("left-aligned|left aligned|left|aligned to the left|aligned left") {
            look.align = Some("left");
        } else if words.eats("wrapped|wrap text") {
            look.wrap = Some(true);
        } else if let Some(format) = number_format(&mut words) {
            look.format = Some(format);
        } else if let Some(color) = eat_colour(&mut words) {
            match words.eats("background|fill|highlight") {
                true => look.fill = Some(color),
                false => {
                    words.eats("text|font|letters");
                    look.color = Some(color);
                }
            }
        } else if let Some(size) =
            words.word_if(|word| word.strip_suffix("pt").is_some_and(|number| number.parse::<f64>().is_ok()))
        {
            look.size = size.strip_suffix("pt").and_then(|number| number.parse().ok());
        } else {
            return words.done();
        }
    }
    Ok(())
}

fn number_format(words: &mut Words) -> Option<String> {
    let mut ahead = words.clone();
    let base = match () {
        () if ahead.eats("percentages|percentage|percent|per cent") => "0%",
        () if ahead.eats("currency in euros|euros|euro") => "[$€-x-euro2] #,##0.00",
        () if ahead.eats("dollars|us dollars|currency|money|dollar amounts") => "\"$\"#,##0.00",
        () if ahead.eats("dates|date|iso dates") => "yyyy-mm-dd",
        () if ahead.eats("plain numbers|numbers|number|a number") => "0",
        () if ahead.eats("text") => "@",
        () if ahead.eats("thousands separators|thousand separators|thousands separator|commas") => "#,##0",
        () => "",
    };
    // `yyyy-mm-dd`, `#,##0.00`
    let code = |word: &str| {
        word.len() > 2
            && word.chars().all(|c| {
                matches!(
                    c.to_ascii_lowercase(),
                    'y' | 'm' | 'd' | 'h' | 's' | '-' | '/' | '.' | ':' | '#' | '0' | ',' | '%'
                )
            })
            && word.contains(|c: char| !c.is_alphabetic())
    };
    if let Some(code) = ahead.word_if(code) {
        *words = ahead;
        return Some(code);
    }
    let mut lead = ahead.clone();
    lead.eats("with|and|,");
    let decimals = match lead.number() {
        Some(count @ 0..=9) if lead.eats("decimal places|decimals|decimal|decimal place|digits") => {
            Some(count)
        }
        _ if {
            lead = ahead.clone();
            lead.eats("with no decimals|without decimals|no decimals|no decimal places")
        } =>
        {
            Some(0)
        }
        _ => None,
    };
    if base.is_empty() && decimals.is_none() {
        return None;
    }
    if decimals.is_some() {
        ahead = lead;
    }
    *words = ahead;
    let zeros = |count: usize| if count == 0 { String::new() } else { format!(".{}", "0".repeat(count)) };
    Some(match (base, decimals) {
        ("" | "0", Some(count)) => format!("0{}", zeros(count)),
        ("0%", Some(count)) => format!("0{}%", zeros(count)),
        ("\"$\"#,##0.00", Some(count)) => format!("\"$\"#,##0{}", zeros(count)),
        ("#,##0", Some(count)) => format!("#,##0{}", zeros(count)),
        (base, _) => base.to_owned(),
    })
}

fn eat_colour(words: &mut Words) -> Option<word::op::Color> {
    for (name, color) in colour::NAMES {
        let grey = name.replace("gray", "grey");
        if words.eats(name) || words.eats(&grey) {
            return Some(*color);
        }
    }
    let word = words.word_if(|word| word.starts_with('#') && colour::colour(word).is_some())?;
    colour::colour(&word)
}
