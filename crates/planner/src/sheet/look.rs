//! How cells look: bold, colours, alignment and number formats.

use super::refer::reference;
use super::{Attempt, CellLook, Lines, SheetRef, SheetStep};
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
        ("align|right-align|left-align|right align|left align", "aligned"),
        ("color the cells|colour the cells|color|colour|fill|shade|paint", "filled"),
    ];
    for (verb, look) in verbs {
        let mut rest = words.clone();
        let lead = rest.begins("right-align|right align");
        if !rest.eats(verb) {
            continue;
        }
        rest.eats("the text in");
        let at = meant(&mut rest)?;
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
                false => match rest.cut("with|and") {
                    None => fill(rest, &mut found),
                    Some(more) => {
                        fill(rest, &mut found).and_then(|()| attributes(more, Whole::Texts, &mut found))
                    }
                },
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
                attributes(all, whole_of(&at), &mut found)
            }
        };
        return Some(done.map(|()| SheetStep::Look { at, look: found }));
    }
    if let Some(found) = bordered(words.clone()) {
        return Some(found);
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
        return Some(attributes(property, Whole::Texts, &mut found).map(|()| SheetStep::Look { at, look: found }));
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
    Some(attributes(rest, whole_of(&at), &mut found).map(|()| SheetStep::Look { at, look: found }))
}

/// "put a border around the data", "add borders to A1:C3"
fn bordered(mut words: Words) -> Attempt {
    let removes = words.begins("remove|delete|clear|take off");
    words.eats("put|add|draw|give|remove|delete|clear|take off").then_some(())?;
    words.eats("a|an|all|the");
    words.eats("thin|single");
    words.eats("thin|thick|dark|black");
    let mut border = match () {
        () if words.eats("line") && words.begins("below|under|underneath|beneath") => Lines::Below,
        () if words.eats("outline|outer border|box") => Lines::Around,
        () if words.eats("borders|grid lines|gridlines") => Lines::Each,
        () if words.eats("bottom border|line below|line under") => Lines::Below,
        () if words.eats("border") => Lines::Each,
        () => return None,
    };
    if words.eats("around") {
        border = Lines::Around;
        if words.eats(
            "each cell of|every cell of|all cells of|each cell in|every cell in|all cells in|the cells of",
        ) {
            border = Lines::Each;
        }
    } else if words.eats("below|under") {
        border = Lines::Below;
    } else {
        words.eats("to all cells of|to|of|from|on|in").then_some(())?;
    }
    let border = if removes { Lines::None } else { border };
    let at = meant(&mut words)?;
    Some(
        words
            .done()
            .map(|()| SheetStep::Look { at, look: CellLook { border: Some(border), ..CellLook::default() } }),
    )
}

/// "the growth rate as a percentage": a cell by its label.
fn labelled(mut words: Words) -> Attempt {
    let looks = words.cut("as|in|to be")?;
    let mut look = CellLook::default();
    attributes(looks, Whole::Cells, &mut look).ok()?;
    Some(super::rows::named(words).map(|at| SheetStep::Look { at, look }))
}

/// What a colour without a noun means of these.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Lines,
    Cells,
    Texts,
}

fn whole_of(at: &SheetRef) -> Whole {
    match at {
        SheetRef::Rows { .. }
        | SheetRef::RowOf { .. }
        | SheetRef::LastRows { .. }
        | SheetRef::Column { .. } => Whole::Lines,
        _ => Whole::Cells,
    }
}

/// Cells by any name, the column of a plural too: "the prices".
fn meant(words: &mut Words) -> Option<SheetRef> {
    let mut ahead = words.clone();
    if let Some(at) = reference(&mut ahead) {
        *words = ahead;
        return Some(at);
    }
    super::refer::plural(words)
}

/// A look by a verb and what stands behind it: `highlight` `yellow`, `make` `bold`.
pub(super) fn named(verb: &str, mut rest: Words, look: &mut CellLook) -> Result<(), String> {
    let alone = |found: bool| if found { Ok(()) } else { Err(String::new()) };
    match verb.to_lowercase().as_str() {
        "highlight" | "mark" if rest.is_empty() => {
            look.fill = colour::colour("yellow");
            alone(look.fill.is_some())
        }
        "highlight" | "fill" | "shade" | "colour" | "color" | "mark" => {
            if rest.eats("bold") {
                look.bold = Some(true);
                return rest.done();
            }
            fill(rest, look)
        }
        "bold" => {
            look.bold = Some(true);
            rest.done()
        }
        "italicise" | "italicize" => {
            look.italic = Some(true);
            rest.done()
        }
        "underline" => {
            look.underline = Some(true);
            rest.done()
        }
        "make" | "turn" | "format" | "show" if !rest.is_empty() => attributes(rest, Whole::Texts, look),
        _ => Err(String::new()),
    }
}

fn fill(mut words: Words, look: &mut CellLook) -> Result<(), String> {
    words.eats("a|with a|with|in");
    look.fill = eat_colour(&mut words);
    words.eats_last("background|fill|shading");
    match look.fill {
        Some(_) => words.done(),
        None => Err(format!("say which colour; I did not understand `{}`", words.shown())),
    }
}

fn attributes(mut words: Words, whole: Whole, look: &mut CellLook) -> Result<(), String> {
    while !words.is_empty() {
        if words.eats(",|and|a|an|the|with|in") {
            continue;
        }
        let before = words.clone();
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
        } else if words.eats("no borders|no border|without borders|without a border") {
            look.border = Some(Lines::None);
        } else if words.eats("border around it|border around them|outline|outer border|border around") {
            look.border = Some(Lines::Around);
        } else if words.eats("bottom border|line below|border below|border at the bottom|line under it") {
            look.border = Some(Lines::Below);
        } else if words.eats("all borders|borders|thin borders|border|gridlines|grid lines") {
            look.border = Some(Lines::Each);
        } else if words.eats("wrapped|wrap text") {
            look.wrap = Some(true);
        } else if let Some(format) = number_format(&mut words) {
            // How many decimals says nothing of the rest of the format.
            let digits = format
                .strip_prefix("0")
                .filter(|rest| rest.is_empty() || rest.starts_with('.') && !rest.contains('%'));
            match digits {
                Some(rest) if decimals_alone(&before, &words) => {
                    look.decimals = Some(rest.len().saturating_sub(1))
                }
                _ => look.format = Some(format),
            }
        } else if let Some(color) = eat_colour(&mut words) {
            if words.eats("background|fill|highlight|shading|cells") {
                look.fill = Some(color);
            } else if words.eats("text|font|letters|writing|lettering|characters|numbers") {
                look.color = Some(color);
            } else {
                if words.eats("on|on a") {
                    // "white on dark blue"
                    look.color = Some(color);
                    words.eats("a");
                    look.fill = Some(eat_colour(&mut words).ok_or_else(|| {
                        format!("say which colour; I did not understand `{}`", words.shown())
                    })?);
                    words.eats("background|fill");
                    continue;
                }
                match whole {
                    // Of rows, columns and headers the colour is what they are filled with.
                    Whole::Lines => look.fill = Some(color),
                    Whole::Texts => look.color = Some(color),
                    Whole::Cells => {
                        return Err("say `red text` or `a red background`: either can be meant of a cell"
                            .replace("red", &colour::name(color)));
                    }
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

/// Whether what was eaten said decimals and no kind of number.
fn decimals_alone(before: &Words, after: &Words) -> bool {
    let (said, _) = before.split_at(before.len() - after.len());
    !["number", "numbers", "plain"].iter().any(|word| said.position(&[word]).is_some())
        && ["decimals", "decimal", "places", "digits"].iter().any(|word| said.position(&[word]).is_some())
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
        () if ahead.eats("a thousands separator|a thousand separator|with a thousands separator|thousands separators|thousand separators|thousands separator|commas") => "#,##0",
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
