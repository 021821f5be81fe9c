//! Formatting: character and paragraph attributes, lists and named styles.

use word::op::{Alignment, ApplyStyle, Highlight, List, Underline};

use super::modify::Modifiers;
use super::step::{Target, WordAct};
use super::text::{nested, points};
use super::{Act, target};
use crate::colour::{self, colour};
use crate::phrase::Words;

/// Verbs that are looks themselves: "underline 'Total'".
const VERBS: [(&str, &str); 15] = [
    ("bold|embolden", "bold"),
    ("unbold", "unbold"),
    ("right-align|right align", "right-aligned"),
    ("left-align|left align", "left-aligned"),
    ("double-space|double space", "double-spaced"),
    ("single-space|single space", "single-spaced"),
    ("italicize|italicise|italic", "italic"),
    ("underline", "underlined"),
    ("center|centre|center-align|centre-align", "centered"),
    ("justify", "justified"),
    ("highlight", "highlighted"),
    ("align", "aligned"),
    ("bullet", "bullets"),
    ("color|colour", "color"),
    ("strike through|strikethrough|cross out", "struck"),
];

pub(super) fn act(words: &Words, _: &Modifiers) -> Act {
    let whole = words;
    let mut words = words.clone();
    let style = ApplyStyle::default();
    for (verbs, attribute) in VERBS {
        if words.eats(verbs) {
            if attribute == "struck" {
                return Some(Err(
                    "I cannot strike text through; I can make it bold, italic, underlined or coloured"
                        .to_owned(),
                ));
            }
            let Some((target, around)) = target::chain(&mut words) else {
                // "Highlight TBD in yellow": words with capitals.
                let mut named = words.clone();
                if let Some(text) = named.name() {
                    named.eats("in|with");
                    named.push_front(attribute);
                    if let Ok(act) = dressed(named, ApplyStyle::default(), target::only(text)) {
                        return Some(Ok(act));
                    }
                }
                return match words.is_empty() {
                    true => {
                        words.push_front(attribute);
                        Some(dressed(words, style, Target::Implied))
                    }
                    false => Some(Err(unknown(&words))),
                };
            };
            words.push_front(attribute);
            return Some(dressed(words, style, nested(target, around)));
        }
    }
    if words.eats("add bullets to|add bullet points to|put bullets on|add numbering to|number") {
        let numbers = words.clone();
        let list = match begins_with_numbers(whole) {
            true => List::Number,
            false => List::Bullet,
        };
        let mut style = style;
        style.paragraph.list = Some(list);
        let Some((target, around)) = target::chain(&mut words) else { return Some(Err(unknown(&numbers))) };
        if matches!(target, Target::EveryParagraph | Target::Document) && around.is_empty() {
            return Some(Err("say which paragraphs: number paragraphs 2 to 5".to_owned()));
        }
        return Some(words.done().map(|()| WordAct::Format { target: nested(target, around), style }));
    }
    if words.eats("apply|use") {
        return Some(apply(words, style));
    }
    if words.begins("put|set") {
        // "Put the second paragraph in Heading 1"
        let mut ahead = words.clone();
        ahead.eats("put|set");
        if let Some((target, around)) = target::chain(&mut ahead)
            && ahead.eats("in|into")
        {
            if is_look(&ahead) {
                return Some(dressed(ahead, style, nested(target, around)));
            }
            // "in Times New Roman 11"
            if let (Some(font), false) = (font_alone(&ahead), matches!(target, Target::Text(_))) {
                return Some(Ok(WordAct::Format { target: nested(target, around), style: font }));
            }
        }
    }
    let mut plain = words.clone();
    if !plain.eats("make|set|format|turn|convert|change|style|give|switch") {
        return None;
    }
    // "Change 'Fees' to blue" may be about the word or about its colour.
    let changes = words.begins("change");
    let of_text = matches!(target::chain(&mut plain.clone()), Some((Target::Text(_), _)));
    property(plain.clone()).or_else(|| if changes && of_text { None } else { made(plain) })
}

fn begins_with_numbers(words: &Words) -> bool {
    words.begins("add numbering to|number")
}

/// "make the title centred", "turn paragraphs 3 to 5 into a numbered list"
fn made(mut words: Words) -> Act {
    let whole = words.clone();
    if let Some((target, around)) = target::chain(&mut words) {
        words.eats("to be|to|as|into|in|with|become|look|appear|be");
        // "Change the heading 'A' to 'B'" is about words.
        if !matches!(words.peek(), Some(crate::token::Kind::Quoted(_))) && !words.is_empty() {
            let looks = words.clone();
            return match dressed(words, ApplyStyle::default(), nested(target, around)) {
                Ok(act) => Some(Ok(act)),
                Err(_) if whole_changes(&whole) => None,
                Err(why) if looks.len() > 3 => Some(Err(why)),
                Err(why) => Some(Err(why)),
            };
        }
        return None;
    }
    // "make the line spacing 1.5": of the place that was said, or of what is selected.
    let mut bare = whole.clone();
    bare.eats("the");
    if bare.begins("line spacing|spacing|font|text|alignment") && is_look(&bare) {
        return Some(dressed(bare, ApplyStyle::default(), Target::Implied));
    }
    // "make Acme Limited bold": text without quotation marks, if the rest is a look.
    for at in 1..whole.len() {
        let (head, tail) = whole.split_at(at);
        if is_look(&tail)
            && let Some(mut name) = Some(head.clone())
            && let Some(text) = name.name()
            && name.is_empty()
        {
            return Some(dressed(tail, ApplyStyle::default(), target::only(text)));
        }
    }
    // "Set Base Salary to …" is about words.
    (!whole_changes(&whole)).then(|| Err(unknown(&whole)))
}

/// Whether a sentence with "to" may be about words, which another pattern reads.
fn whole_changes(words: &Words) -> bool {
    words.position(&["to"]).is_some() || words.position(&["into"]).is_some()
}

fn unknown(words: &Words) -> String {
    format!(
        "I did not understand `{}`; name what to format by its text in quotation marks, or as the title, the second paragraph, \
         clause 2, the header row, the headings, the selection or the whole document",
        words.shown()
    )
}

/// "the font of the title to Georgia", "the line spacing to 1.5"
fn property(words: Words) -> Act {
    const PROPERTIES: &str = "font size|text size|font name|font|line spacing|spacing before|space before|spacing after|space after|\
        text color|text colour|font color|font colour|color|colour|alignment|style|highlight|highlighting|size|text alignment|typeface|paragraph style";
    let mut words = words;
    words.eats("the");
    let before = words.clone();
    if !words.eats(PROPERTIES) {
        return None;
    }
    let said = before.len() - words.len();
    let (mut name, _) = before.split_at(said);
    let mut target = Target::Implied;
    let mut ahead = words.clone();
    if ahead.eats("of|for|in|on")
        && let Some((found, around)) = target::chain(&mut ahead)
    {
        target = nested(found, around);
        words = ahead;
    }
    if !words.eats("to be|to|as|=|:|of") {
        return None;
    }
    let style_name = name.clone().eats("paragraph style|style");
    if style_name {
        words.eats("the style|style");
        let chosen = words.value();
        return Some(chosen.map(|chosen| {
            let style = ApplyStyle { named_style: Some(chosen), ..ApplyStyle::default() };
            WordAct::Format { target, style }
        }));
    }
    let alignment = name.clone().eats("text alignment|alignment");
    if alignment {
        name = Words::default();
        name.push_front("aligned");
    }
    if name.eats("typeface") {
        name.push_front("font");
    } else if name.eats("text size") {
        name.push_front("size");
    } else if name.eats("highlighting") {
        name.push_front("highlight");
    }
    // The font's name may have small letters: "change the font to arial".
    let is_font =
        name.clone().eats("font name|font") && !name.clone().eats("font size|font color|font colour");
    if is_font && words.position(&["and"]).is_none() && words.position(&[","]).is_none() {
        let mut looks = words.clone();
        let mut style = ApplyStyle::default();
        // "Arial 12" is a font and its size.
        if looks.len() > 1
            && let Some(Ok(size)) = numeral(&mut looks)
        {
            style.character.font_size = Some(size);
        }
        let sized = style.character.font_size.is_some();
        let name = looks.clone();
        looks.push_front("font");
        if attributes(looks, &mut style).is_ok() && is_font_name(&style) {
            return Some(Ok(WordAct::Format { target, style }));
        }
        let words = if sized { name } else { words };
        return Some(words.value().and_then(|font| {
            if !font_name_fits(&font) {
                return Err(format!(
                    "`{font}` holds more than the name of a font: say the size with its unit and the rest behind `and`, as in: make \
                     the title Georgia, 14 pt and bold"
                ));
            }
            let mut style = ApplyStyle {
                character: word::op::CharacterFormat {
                    font_size: style.character.font_size,
                    ..Default::default()
                },
                ..ApplyStyle::default()
            };
            style.character.font_name = Some(font);
            Ok(WordAct::Format { target, style })
        }));
    }
    let mut looks = name;
    looks.append(words);
    Some(dressed(looks, ApplyStyle::default(), target))
}

/// Whether a font goes by a name: no size and no look is part of one.
fn font_name_fits(name: &str) -> bool {
    let mut words = name.split_whitespace();
    words.all(|word| {
        let size = word.trim_end_matches("pt").parse::<f64>().is_ok();
        let look = ["bold", "italic", "underlined", "regular", "and", "size"]
            .contains(&word.to_lowercase().as_str());
        !(size || look && word.starts_with(|c: char| c.is_lowercase()))
    })
}

fn is_font_name(style: &ApplyStyle) -> bool {
    style.character.font_name.as_deref().is_none_or(font_name_fits)
}

/// A target and how it is to look, all of the words.
fn dressed(words: Words, mut style: ApplyStyle, target: Target) -> Result<WordAct, String> {
    let mut words = words;
    style.clear_other_styles = words.eats_last("and clear other styles|clearing other styles");
    match named(&words)? {
        Some(name) => style.named_style = Some(name),
        None => {
            let of_text = words.plain_words().iter().any(|word| {
                ["text", "font", "letters", "color", "colour", "highlight", "highlighted"]
                    .contains(&word.to_lowercase().as_str())
            });
            attributes(words, &mut style)?;
            if style == ApplyStyle::default() {
                return Err("say how it should look: bold, 12pt, red, centered, Heading 1 …".to_owned());
            }
            if let Some(font) = style.character.font_name.as_deref().filter(|font| !font_name_fits(font)) {
                return Err(format!(
                    "`{font}` holds more than the name of a font: say the size with its unit, as in: make the title Georgia, 14 pt"
                ));
            }
            // A grey row is one with a grey ground, and not one with grey words.
            if style.character.color.is_some() && !of_text && is_tabular(&target) {
                return Err(format!(
                    "either the text of {target} gets that colour, then say `text` behind the colour; or its background, which I \
                     cannot change in a plain request"
                ));
            }
        }
    }
    Ok(WordAct::Format { target, style })
}

fn is_tabular(target: &Target) -> bool {
    match target {
        Target::Rows(_)
        | Target::RowOf(_)
        | Target::Columns(_)
        | Target::Cell { .. }
        | Target::Labelled { .. }
        | Target::Table(_)
        | Target::TableId(_)
        | Target::TableNamed(_)
        | Target::Tables => true,
        Target::Inside(inner, _) => is_tabular(inner),
        _ => false,
    }
}

/// "apply Heading 1 to the selection", "use Times New Roman 12 for the whole document"
fn apply(mut words: Words, style: ApplyStyle) -> Result<WordAct, String> {
    words.eats("the|a|an");
    let mut head = words.clone();
    let target = match head.cut("to|for|on").map(|mut tail| (target::chain(&mut tail), tail)) {
        Some((Some((found, around)), tail)) if tail.is_empty() => {
            words = head;
            nested(found, around)
        }
        Some(_) => {
            return Err(
                "say what to apply it to: the title, clause 2, the selection, the document, or some 'text'"
                    .to_owned(),
            );
        }
        None => Target::Implied,
    };
    let says_style = words.eats("style|paragraph style") | words.eats_last("style|paragraph style");
    words.eats("font");
    if !says_style {
        if let Some(name) = named(&words)? {
            return Ok(WordAct::Format { target, style: ApplyStyle { named_style: Some(name), ..style } });
        }
        let mut attempt = style.clone();
        if attributes(words.clone(), &mut attempt).is_ok() {
            return Ok(WordAct::Format { target, style: attempt });
        }
        if let Some(font) = font_alone(&words) {
            return Ok(WordAct::Format { target, style: font });
        }
    }
    words
        .value()
        .map(|name| WordAct::Format { target, style: ApplyStyle { named_style: Some(name), ..style } })
}

/// "Times New Roman 11": a font by its name alone, with or without a size.
fn font_alone(words: &Words) -> Option<ApplyStyle> {
    let mut font = words.clone();
    font.push_front("font");
    let mut style = ApplyStyle::default();
    if attributes(font.clone(), &mut style).is_ok() {
        return Some(style);
    }
    let mut style = ApplyStyle::default();
    style.character.font_size = numeral(&mut font)?.ok();
    attributes(font, &mut style).is_ok().then_some(style)
}

/// A bare number at the end, as a size.
fn numeral(words: &mut Words) -> Option<Result<f64, String>> {
    let at = words.len().checked_sub(1)?;
    let (head, mut last) = words.split_at(at);
    let size = last.word_if(|word| points(word).is_some())?;
    *words = head;
    points(&size).map(Ok)
}

/// "remove bold from 'Total'", "clear the formatting of the second paragraph"
pub(super) fn removal(words: &Words, _: &Modifiers) -> Act {
    let mut words = words.clone();
    let mut style = ApplyStyle::default();
    if !words.eats("remove|clear|delete|take off|turn off|get rid of|strip|drop|take") {
        return None;
    }
    words.eats("all the|all|the|any");
    // "the yellow highlight": whatever its colour.
    let mut coloured = words.clone();
    if eat_colour(&mut coloured).is_some() && coloured.begins("highlighting|highlight|highlights") {
        words = coloured;
    }
    let (character, paragraph) = (&mut style.character, &mut style.paragraph);
    if words.eats("formatting|direct formatting|styles and formatting|format") {
        style.clear_other_styles = true;
    } else if words.eats("bold formatting|bold|bolding") {
        character.bold = Some(false);
    } else if words.eats("italics|italic formatting|italic") {
        character.italic = Some(false);
    } else if words.eats("underlining|underline|underlines") {
        character.underline = Some(Underline::None);
    } else if words.eats("highlighting|highlight|highlights|highlighter") {
        character.highlight = Some(Highlight::None);
    } else if words.eats("bullets|bullet points|numbering|list formatting|bullet")
        && !words.begins("that|starting|with|called")
    {
        paragraph.list = Some(List::None);
    } else {
        return None;
    }
    let mut target = Target::Implied;
    if words.eats("from|of|in|on") || !words.is_empty() {
        match target::chain(&mut words) {
            Some((found, around)) => target = nested(found, around),
            // "from Acme Ltd": a name without quotation marks.
            None => match words.clone().name().filter(|_| !words.begins("the|a|all|any|every")) {
                Some(text) if words.name().is_some() && words.is_empty() => target = target::only(text),
                _ => return Some(Err(unknown(&words))),
            },
        }
    }
    Some(words.done().map(|()| WordAct::Format { target, style }))
}

/// Style names that everybody knows, so that "make the selection a Heading 2" needs no quotation marks.
fn named(words: &Words) -> Result<Option<String>, String> {
    let mut words = words.clone();
    words.drop_articles();
    if words.eat(&["style"]) {
        words.eat_any(&[&["to"], &["as"], &[":"]]);
        return words.value().map(Some);
    }
    let mut heading = words.clone();
    if heading.eat(&["level"])
        && let Some(level @ 1..=9) = heading.number()
        && heading.eat(&["heading"])
        && heading.is_empty()
    {
        return Ok(Some(format!("Heading {level}")));
    }
    words.eats_last("style");
    let Some(text) = words.rest_as_text() else { return Ok(None) };
    if text.eq_ignore_ascii_case("heading") {
        return Err("say which heading: Heading 1 to Heading 9".to_owned());
    }
    let known = [
        "normal",
        "normal text",
        "title",
        "subtitle",
        "quote",
        "intense quote",
        "caption",
        "list paragraph",
        "no spacing",
    ];
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
    if words.eat_any(&[&["not", "bold"], &["unbold"], &["no", "longer", "bold"], &["non-bold"]]) {
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
        words.eats("to|in|as");
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
        (
            &[&["justified"], &["justify"], &["aligned", "justified"], &["aligned", "justify"]],
            Alignment::Justify,
        ),
        (
            &[
                &["centered"],
                &["centred"],
                &["center"],
                &["centre"],
                &["aligned", "center"],
                &["aligned", "centre"],
                &["aligned", "to", "the", "center"],
                &["aligned", "to", "the", "centre"],
                &["aligned", "in", "the", "middle"],
            ],
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
            &[
                &["bulleted", "list"],
                &["bullet", "list"],
                &["bullet", "points"],
                &["bulleted"],
                &["bullets"],
                &["bullet", "point"],
                &["bullet"],
                &["list", "with", "bullets"],
            ],
            List::Bullet,
        ),
        (&[&["numbered", "list"], &["number", "list"], &["numbered"], &["numbered", "item"]], List::Number),
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
