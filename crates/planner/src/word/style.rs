//! Formatting: character and paragraph attributes, lists and named styles.

use word::op::{Alignment, ApplyStyle, Highlight, List, Op, Scope, Underline};

use super::text::points;
use super::{Attempt, place};
use crate::colour::{self, colour};
use crate::phrase::Words;

pub(super) fn attempt(mut words: Words) -> Attempt {
    let mut style = ApplyStyle::default();
    if words.eat_any(&[
        &["clear", "the", "formatting"],
        &["clear", "all", "formatting"],
        &["clear", "formatting"],
        &["remove", "all", "formatting"],
        &["remove", "the", "formatting"],
        &["remove", "formatting"],
    ]) {
        style.clear_other_styles = true;
        words.eat_any(&[&["from"], &["of"], &["in"]]);
        style.scope = object(&mut words).unwrap_or_default();
        return Some(words.done().map(|()| Op::ApplyStyle(style)));
    }
    if words.eat(&["apply"]) {
        return Some(apply(words, style));
    }
    if let Some(done) = removal(&words, &style) {
        return Some(done);
    }
    // A verb that is an attribute itself: "underline 'Total'".
    let verbs: [(&str, &str); 13] = [
        ("bold", "bold"),
        ("unbold", "unbold"),
        ("right-align", "right-aligned"),
        ("left-align", "left-aligned"),
        ("double-space", "double-spaced"),
        ("italicize", "italic"),
        ("italicise", "italic"),
        ("underline", "underlined"),
        ("center", "centered"),
        ("centre", "centered"),
        ("justify", "justified"),
        ("highlight", "highlighted"),
        ("align", "aligned"),
    ];
    if words.eat(&["double", "space"]) {
        words.push_front("double-space");
    }
    for (verb, attribute) in verbs {
        if words.eat(&[verb]) {
            style.scope = object(&mut words).unwrap_or_default();
            words.push_front(attribute);
            return Some(attributes(words, &mut style).map(|()| Op::ApplyStyle(style)));
        }
    }
    if !words.eat_any(&[
        &["make"],
        &["set"],
        &["format"],
        &["turn"],
        &["convert"],
        &["change"],
        &["style"],
        &["color"],
        &["colour"],
    ]) {
        return None;
    }
    style.clear_other_styles =
        words.take_any(&[&["and", "clear", "other", "styles"], &["clearing", "other", "styles"]]);
    let object = owner(&mut words).or_else(|| object(&mut words));
    words.eat_any(&[&["to", "be"], &["to"], &["as"], &["into"], &["in"], &["with"]]);
    match named(&words) {
        Ok(Some(name)) => {
            style.named_style = Some(name);
            style.scope = object.unwrap_or_default();
            return Some(Ok(Op::ApplyStyle(style)));
        }
        Ok(None) => {}
        Err(unclear) => return Some(Err(unclear)),
    }
    let asked = words.shown();
    let understood = attributes(words, &mut style);
    // "make the third paragraph bold": what was not understood may well be the text that was meant.
    let understood = match object {
        Some(scope) => {
            style.scope = scope;
            understood
        }
        None => understood.map_err(|_| {
            format!(
                "I did not understand `{asked}`; name what to format by its text in quotation marks, or as \
                 `the selection`, `the heading '…'` or `the document`"
            )
        }),
    };
    Some(understood.map(|()| Op::ApplyStyle(style)))
}

/// "apply Heading 1 to the selection", "apply bold and italic to 'Total'"
fn apply(mut words: Words, mut style: ApplyStyle) -> Result<Op, String> {
    style.scope = match words.clone().cut_last(&["to"]) {
        Some(mut tail) => match object(&mut tail) {
            Some(scope) if tail.is_empty() => {
                words.cut_last(&["to"]);
                scope
            }
            _ => {
                return Err("say what to apply it to: the selection, the document, or some 'text'".to_owned());
            }
        },
        None => Scope::Selection,
    };
    words.drop_articles();
    let says_style = words.eat(&["style"]) || words.take(&["style"]);
    let mut attempt = style.clone();
    if !says_style && attributes(words.clone(), &mut attempt).is_ok() {
        return Ok(Op::ApplyStyle(attempt));
    }
    match words.rest_as_text() {
        Some(name) => {
            style.named_style = Some(name);
            Ok(Op::ApplyStyle(style))
        }
        None => Err("say which style to apply".to_owned()),
    }
}

/// "the color of 'Total' to red": what has the look, taken out with its `of`.
fn owner(words: &mut Words) -> Option<Scope> {
    let mut head = words.clone();
    let mut tail = head.cut_first(&["of"])?;
    let scope = place::quoted(&mut tail).filter(|_| !tail.is_empty())?;
    head.append(tail);
    *words = head;
    Some(scope)
}

/// What is formatted, taken out.
fn object(words: &mut Words) -> Option<Scope> {
    words.eat(&["all", "of"]);
    // What follows a heading without quotation marks would be how it should look.
    let bare = words.clone();
    match place::quoted(words) {
        Some(Scope::Paragraph(_)) if words.is_empty() && !bare.has_quotation() => *words = bare,
        Some(scope) => return Some(scope),
        None => {}
    }
    if words.eat_any(&[&["everything"], &["all", "text"], &["all", "the", "text"]]) {
        return Some(Scope::Document);
    }
    if words.eat_any(&[&["it"], &["this"], &["that"]]) {
        return Some(Scope::Selection);
    }
    place::scope(words)
}

/// "remove bold from 'Total'", "remove the bullets", "take the underline off"
fn removal(words: &Words, style: &ApplyStyle) -> Attempt {
    let (mut words, mut style) = (words.clone(), style.clone());
    if !words.eat_any(&[&["remove"], &["clear"], &["delete"]]) {
        return None;
    }
    words.drop_articles();
    let (character, paragraph) = (&mut style.character, &mut style.paragraph);
    if words.eat_any(&[&["bold", "formatting"], &["bold"]]) {
        character.bold = Some(false);
    } else if words.eat_any(&[&["italics"], &["italic", "formatting"], &["italic"]]) {
        character.italic = Some(false);
    } else if words.eat_any(&[&["underlining"], &["underline"]]) {
        character.underline = Some(Underline::None);
    } else if words.eat_any(&[&["highlighting"], &["highlight"]]) {
        character.highlight = Some(Highlight::None);
    } else if words.eat_any(&[&["bullets"], &["bullet", "points"], &["numbering"], &["list", "formatting"]]) {
        paragraph.list = Some(List::None);
    } else {
        return None;
    }
    words.eat_any(&[&["from"], &["of"], &["in"]]);
    if !words.is_empty() {
        style.scope = object(&mut words).unwrap_or_default();
    }
    Some(words.done().map(|()| Op::ApplyStyle(style)))
}

/// Style names that everybody knows, so that "make the selection a Heading 2" needs no quotation marks.
fn named(words: &Words) -> Result<Option<String>, String> {
    let mut words = words.clone();
    words.drop_articles();
    if words.eat(&["style"]) {
        words.eat_any(&[&["to"], &["as"], &[":"]]);
        return Ok(words.rest_as_text());
    }
    let mut heading = words.clone();
    if heading.eat(&["level"])
        && let Some(level @ 1..=9) = heading.number()
        && heading.eat(&["heading"])
        && heading.is_empty()
    {
        return Ok(Some(format!("Heading {level}")));
    }
    let Some(text) = words.rest_as_text() else { return Ok(None) };
    if text.eq_ignore_ascii_case("heading") {
        return Err("say which heading: Heading 1 to Heading 9".to_owned());
    }
    let known =
        ["normal", "title", "subtitle", "quote", "intense quote", "caption", "list paragraph", "no spacing"];
    let lower = text.to_lowercase();
    let heading = lower.strip_prefix("heading ").is_some_and(|level| matches!(level.parse(), Ok(1..=9)));
    Ok((heading || known.contains(&lower.as_str())).then_some(text))
}

/// Whether these words say how something looks, and nothing else.
pub(super) fn is_look(words: &Words) -> bool {
    let mut style = ApplyStyle::default();
    let named = matches!(named(words), Ok(Some(_)) | Err(_));
    named || attributes(words.clone(), &mut style).is_ok()
}

fn attributes(mut words: Words, style: &mut ApplyStyle) -> Result<(), String> {
    if words.is_empty() {
        return Err("say how it should look: bold, 12pt, red, centered, Heading 1 …".to_owned());
    }
    while !words.is_empty() {
        if words.eat_any(&[&[","], &["and"], &["with"], &["a"], &["an"], &["the"], &["in"], &["to"], &["as"]])
        {
            continue;
        }
        let known = character(&mut words, style) || paragraph(&mut words, style);
        if !known {
            return words.done();
        }
    }
    Ok(())
}

fn character(words: &mut Words, style: &mut ApplyStyle) -> bool {
    let format = &mut style.character;
    if words.eat_any(&[&["not", "bold"], &["unbold"]]) {
        format.bold = Some(false);
    } else if words.eat(&["bold"]) {
        format.bold = Some(true);
    } else if words.eat(&["not", "italic"]) {
        format.italic = Some(false);
    } else if words.eat_any(&[&["italic"], &["italics"], &["italicized"], &["italicised"]]) {
        format.italic = Some(true);
    } else if words.eat_any(&[&["not", "underlined"], &["no", "underline"]]) {
        format.underline = Some(Underline::None);
    } else if words.eat_any(&[&["double", "underlined"], &["double", "underline"]]) {
        format.underline = Some(Underline::Double);
    } else if words.eat_any(&[&["underlined"], &["underline"]]) {
        format.underline = Some(Underline::Single);
    } else if words.eat_any(&[&["no", "highlight"], &["not", "highlighted"]]) {
        format.highlight = Some(Highlight::None);
    } else if words.eat_any(&[&["highlighted"], &["highlight"]]) {
        words.eat_any(&[&["in"], &["with"], &["color"], &["colour"]]);
        let color = eat_colour(words).or_else(|| colour("yellow"));
        format.highlight = color.map(marker);
    } else if words.eat_any(&[&["font", "size"], &["size"]]) {
        words.eat_any(&[&["to"], &["of"]]);
        match eat_points(words) {
            Some(size) => format.font_size = Some(size),
            None => return false,
        }
    } else if words.eat_any(&[&["font", "name"], &["font"]]) {
        words.eat_any(&[&["to"], &["of"]]);
        let capital = |word: &str| word.starts_with(char::is_uppercase);
        match words.quotation().or_else(|| words.word_if(capital)) {
            Some(mut name) => {
                // "Times New Roman, 12pt": the name goes on as long as its words have capitals.
                while let Some(more) = words.word_if(capital) {
                    name = format!("{name} {more}");
                }
                format.font_name = Some(name);
            }
            None => return false,
        }
    } else if words.eat_any(&[&["color"], &["colour"], &["text", "color"], &["font", "color"]]) {
        words.eat_any(&[&["to"]]);
        match eat_colour(words) {
            Some(color) => format.color = Some(color),
            None => return false,
        }
    } else if let Some(size) = eat_size(words) {
        format.font_size = Some(size);
    } else if let Some(color) = eat_colour(words) {
        match words.eat_any(&[&["highlight"], &["highlighting"], &["background"]]) {
            true => format.highlight = Some(marker(color)),
            false => {
                words.eat_any(&[&["text"]]);
                format.color = Some(color);
            }
        }
    } else {
        return false;
    }
    true
}

/// The green of a marker is the bright one.
fn marker(color: word::op::Color) -> Highlight {
    match Some(color) == colour("green") {
        true => Highlight::Color(word::op::Color::rgb(0, 0xFF, 0)),
        false => Highlight::Color(color),
    }
}

fn paragraph(words: &mut Words, style: &mut ApplyStyle) -> bool {
    let format = &mut style.paragraph;
    let alignments: [(&[&[&str]], Alignment); 4] = [
        (&[&["justified"], &["justify"], &["aligned", "justified"]], Alignment::Justify),
        (
            &[&["centered"], &["centred"], &["center"], &["aligned", "center"], &["aligned", "centre"]],
            Alignment::Center,
        ),
        (
            &[
                &["left-aligned"],
                &["left", "aligned"],
                &["aligned", "left"],
                &["aligned", "to", "the", "left"],
            ],
            Alignment::Left,
        ),
        (
            &[
                &["right-aligned"],
                &["right", "aligned"],
                &["aligned", "right"],
                &["aligned", "to", "the", "right"],
            ],
            Alignment::Right,
        ),
    ];
    for (phrases, alignment) in alignments {
        if words.eat_any(phrases) {
            format.alignment = Some(alignment);
            return true;
        }
    }
    let lists: [(&[&[&str]], List); 3] = [
        (
            &[&["bulleted", "list"], &["bullet", "list"], &["bullet", "points"], &["bulleted"], &["bullets"]],
            List::Bullet,
        ),
        (&[&["numbered", "list"], &["number", "list"], &["numbered"]], List::Number),
        (&[&["no", "list"], &["not", "a", "list"], &["without", "bullets"]], List::None),
    ];
    for (phrases, list) in lists {
        if words.eat_any(phrases) {
            format.list = Some(list);
            return true;
        }
    }
    if words.eat_any(&[&["double", "spaced"], &["double-spaced"]]) {
        format.line_spacing = Some(2.0);
    } else if words.eat_any(&[&["single", "spaced"], &["single-spaced"]]) {
        format.line_spacing = Some(1.0);
    } else if words.eat(&["line", "spacing"]) {
        words.eat_any(&[&["of"], &["to"]]);
        format.line_spacing = words.word_if(|word| points(word).is_some()).and_then(|word| word.parse().ok());
        return format.line_spacing.is_some();
    } else if words.eat_any(&[&["space", "before"], &["spacing", "before"]]) {
        words.eat_any(&[&["of"], &["to"]]);
        format.space_before = eat_points(words);
        return format.space_before.is_some();
    } else if words.eat_any(&[&["space", "after"], &["spacing", "after"]]) {
        words.eat_any(&[&["of"], &["to"]]);
        format.space_after = eat_points(words);
        return format.space_after.is_some();
    } else {
        return false;
    }
    true
}

/// `12pt`, `12 pt`, `12 points`: a bare number is not a size.
fn eat_size(words: &mut Words) -> Option<f64> {
    if let Some(word) = words.word_if(|word| word.ends_with("pt") && points(word).is_some()) {
        return points(&word);
    }
    let mut ahead = words.clone();
    let number = ahead.word_if(|word| points(word).is_some())?;
    if !ahead.eat_any(&[&["pt"], &["points"], &["point"]]) {
        return None;
    }
    *words = ahead;
    points(&number)
}

fn eat_points(words: &mut Words) -> Option<f64> {
    let word = words.word_if(|word| points(word).is_some())?;
    words.eat_any(&[&["pt"], &["points"], &["point"]]);
    points(&word)
}

fn eat_colour(words: &mut Words) -> Option<word::op::Color> {
    for (name, color) in colour::NAMES {
        let grey = name.replace("gray", "grey");
        for name in [*name, grey.as_str()] {
            if words.eat(&name.split(' ').collect::<Vec<_>>()) {
                return Some(*color);
            }
        }
    }
    let word = words.word_if(|word| word.starts_with('#') && colour(word).is_some())?;
    colour(&word)
}
