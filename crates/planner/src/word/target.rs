//! Noun phrases: "the second row of the first table", "clause 4.2", "every mention of invoice".

use word::op::Matching;

use super::step::{Line, Mention, Pick, Target, Which};
use crate::phrase::Words;

/// A place and the places around it, from the inside out. Nothing is taken unless it is one.
pub(super) fn chain(words: &mut Words) -> Option<(Target, Vec<Target>)> {
    let mut ahead = words.clone();
    let first = target(&mut ahead)?;
    let mut around = Vec::new();
    loop {
        let mut further = ahead.clone();
        if !further.eats("of|in|from|under|within|inside|on|below|for|,") {
            break;
        }
        // "Under" needs no noun before a heading's words.
        let under = ahead.begins("under|below");
        // "the third bullet of Scope"
        let owned = ahead.begins("of|in")
            && matches!(
                first,
                Target::Item(_) | Target::Paragraphs(_) | Target::Sentence { .. } | Target::List
            );
        let Some(next) =
            target(&mut further).or_else(|| (under || owned).then(|| heading_name(&mut further)).flatten())
        else {
            break;
        };
        if matches!(next, Target::Text(_)) {
            break;
        }
        ahead = further;
        around.push(next);
    }
    around.retain(|target| *target != Target::Document);
    *words = ahead;
    Some((first, around))
}

fn heading_name(words: &mut Words) -> Option<Target> {
    words.eats("the heading|heading|the section|section|the");
    words.name().map(Target::Section)
}

/// One place, taken from the front.
pub(super) fn target(words: &mut Words) -> Option<Target> {
    let readers: [fn(&mut Words) -> Option<Target>; 12] =
        [ids, whole, cell, running, rows, columns, sentence, item, table, clause, paragraphs, text];
    readers.iter().find_map(|read| {
        let mut ahead = words.clone();
        let found = read(&mut ahead)?;
        *words = ahead;
        Some(found)
    })
}

fn ids(words: &mut Words) -> Option<Target> {
    words.eats("the range|range|the table|table");
    let word = words.word_if(|word| word.starts_with("rangeId:") || word.starts_with("tableId:"))?;
    match word.strip_prefix("rangeId:") {
        Some(id) => Some(Target::Range(id.to_owned())),
        None => word.strip_prefix("tableId:").map(|id| Target::TableId(id.to_owned())),
    }
}

fn whole(words: &mut Words) -> Option<Target> {
    if words.eats(
        "the whole document|the entire document|the document|this document|whole document|entire document|document|\
         the whole text|the entire text|all text|all the text|all of the text|everything|the whole file|the file|\
         this file|the contract|the whole contract|the agreement|the whole agreement|the entire agreement|\
         the whole thing|the text of the document|my document|all of it|the doc|the whole doc",
    ) {
        return Some(Target::Document);
    }
    if words.eats(
        "the current selection|the selection|the selected text|selected text|my selection|current selection|selection|\
         what is selected|what i selected|what i have selected|the highlighted selection",
    ) {
        return Some(Target::Selection);
    }
    if words.eats("it|them|these|those|that|this") {
        return Some(Target::It);
    }
    title(words)
}

/// What stands on every page, and notes below. "The header" without a row is that of the page.
fn running(words: &mut Words) -> Option<Target> {
    words.eats("the");
    words.eats("text of the|text in the|wording of the");
    let of_page = words.eats("page|running");
    let table =
        "header row|header line|header of the table|header of the first|header of the last|header cells";
    if !of_page && words.begins(table) {
        return None;
    }
    if words.eats("page headers|header text|header") {
        return Some(Target::Running { header: true });
    }
    if words.eats("footers|footer text|footer") {
        return Some(Target::Running { header: false });
    }
    if words.eats("footnotes text|footnote text|footnote") {
        let number = words.number().map(|number| counted(number, false));
        return match number {
            Some(None) => None,
            number => Some(Target::Footnote(number.flatten())),
        };
    }
    let at = pick(words)?;
    words.eats("footnote").then_some(Target::Footnote(Some(at)))
}

/// "the last sentence", "the sentence about insurance"
fn sentence(words: &mut Words) -> Option<Target> {
    words.eats("the|that");
    if let Some(at) = pick(&mut words.clone()) {
        pick(words);
        return words.eats("sentence").then_some(Target::Sentence { pick: Some(at), about: None });
    }
    words.eats("sentence").then_some(())?;
    words
        .eats("about|that mentions|which mentions|mentioning|that contains|containing|on|with")
        .then_some(())?;
    let about = words.quotation().or_else(|| about(words))?;
    Some(Target::Sentence { pick: None, about: Some(about) })
}

/// Plain words up to where a place may begin.
fn about(words: &mut Words) -> Option<String> {
    words.eats("the");
    let ends = (0..words.len()).find(|at| {
        let (_, tail) = words.split_at(*at);
        tail.begins("in|from|of|under|within|,|and|with|using|to")
    });
    let (head, tail) = words.split_at(ends.unwrap_or(words.len()));
    let text = head.label().ok()?;
    *words = tail;
    Some(text)
}

/// "the second bullet", "bullet 2", "the last item"
fn item(words: &mut Words) -> Option<Target> {
    const NOUNS: &str =
        "bullet point|bullet|list item|item in the list|item of the list|entry in the list|item";
    words.eats("the");
    if let Some(at) = pick(&mut words.clone()) {
        pick(words);
        return words.eats(NOUNS).then_some(Target::Item(at));
    }
    words.eats("bullet point|bullet|list item").then_some(())?;
    let number = words.number()?;
    counted(number, false).map(Target::Item)
}

/// What people call a cell by what its table says: all of the words, "the day rate of the Engineer", "Bob's amount".
pub(super) fn labelled(words: &Words) -> Option<Target> {
    if words.has_quotation() || words.is_empty() {
        return None;
    }
    let mut whole = words.clone();
    whole.eats("the value of|the value for|the entry for|the field");
    let definite = whole.eats("the|our|their");
    let mut column = whole.clone();
    for lead in ["for", "of"] {
        let mut head = column.clone();
        if let Some(mut row) = head.cut(lead) {
            row.eats("the row|the row of");
            row.eats("the");
            let (row, column) = (row.label().ok()?, head.label().ok()?);
            return Some(Target::Labelled { row: Some(row), column });
        }
    }
    // "The Engineer's day rate"
    let text = column.clone().label().ok()?;
    for mark in ["'s ", "’s "] {
        if let Some((row, column)) = text.split_once(mark) {
            return Some(Target::Labelled { row: Some(row.to_owned()), column: column.to_owned() });
        }
    }
    column.eats_last("field|cell|entry");
    let column = column.label().ok()?;
    definite.then_some(Target::Labelled { row: None, column })
}

fn title(words: &mut Words) -> Option<Target> {
    if words.eats(
        "the document title|the title of the document|the main title|the document's title|the title|title",
    ) {
        return Some(match words.quotation() {
            Some(text) => Target::Heading(text),
            None => Target::Title,
        });
    }
    if words.eats(
        "all the headings|all headings|every heading|each heading|the headings|headings|all section headings",
    ) {
        return Some(Target::Headings);
    }
    if words
        .eats("the heading called|the heading|heading|the header called|the section heading|the subheading")
    {
        // "Heading 1" is a style.
        return words.clone().number().is_none().then(|| words.name()).flatten().map(Target::Heading);
    }
    if words.eats("the list|this list|the bullets|the bullet points|the bullet list|the numbered list|the bulleted list|the items|the list items|all bullets|the points")
    {
        return Some(Target::List);
    }
    None
}

/// `first`, `2nd`, `last`, `header`, `top`.
pub(super) fn pick(words: &mut Words) -> Option<Pick> {
    if words.eats("very last|last|final|bottom") {
        return Some(Pick::Last);
    }
    if words.eats("top|very first|header") {
        return Some(Pick::Nth(0));
    }
    words.ordinal().map(Pick::Nth)
}

/// `second`, `first and third`, `first two`, `last`.
fn picks(words: &mut Words) -> Option<Vec<Pick>> {
    let mut ahead = words.clone();
    if ahead.eats("last|final|bottom")
        && let Some(count @ 2..=1000) = ahead.number()
    {
        *words = ahead;
        return Some((0..count).rev().map(Pick::FromEnd).collect());
    }
    let mut ahead = words.clone();
    if ahead.eats("first")
        && let Some(count @ 2..=1000) = ahead.number()
    {
        *words = ahead;
        return Some((0..count).map(Pick::Nth).collect());
    }
    let mut found = vec![pick(words)?];
    loop {
        let mut ahead = words.clone();
        if !ahead.eats(", and|and|,") {
            return Some(found);
        }
        ahead.eats("the");
        let Some(next) = pick(&mut ahead) else { return Some(found) };
        *words = ahead;
        found.push(next);
    }
}

/// Numbers of rows and columns, as people count: 1 is the first.
fn numbered(words: &mut Words) -> Option<Vec<Pick>> {
    let from_zero = words.from_zero;
    words.numbers()?.into_iter().map(|number| counted(number, from_zero)).collect()
}

pub(super) fn counted(number: usize, from_zero: bool) -> Option<Pick> {
    match from_zero {
        true => Some(Pick::Nth(number)),
        false => number.checked_sub(1).map(Pick::Nth),
    }
}

/// Paragraphs are always counted from 1.
fn paragraph_numbers(words: &mut Words) -> Option<Vec<Pick>> {
    words.numbers()?.into_iter().map(|number| counted(number, false)).collect()
}

fn rows(words: &mut Words) -> Option<Target> {
    words.eats("the|all|every|each");
    if words.eats("header row|heading row|headings row|header|headers|header line|column headers|column headings|table header|title row") {
        return Some(Target::Rows(vec![Pick::Nth(0)]));
    }
    if words
        .clone()
        .eats("row for|row of|row with|row about|row that says|row containing|row called|row named")
    {
        words.eats("row for|row of|row with|row about|row that says|row containing|row called|row named");
        words.eats("the");
        let text = words.name().or_else(|| about(words))?;
        return Some(Target::RowOf(text));
    }
    let before = words.clone();
    let picked = picks(words);
    if !words.eats("rows|row|line of the table|table row|table rows") {
        // "the Equity Terms row", "the engineer row"
        if picked.is_some() {
            return None;
        }
        let at = (1..=before.len().min(4)).find(|at| before.split_at(*at).1.begins("row"))?;
        let (name, mut rest) = before.split_at(at);
        if name.begins("new|next|another|whole|entire|empty|blank|same|each|every|all|that|this|number") {
            return None;
        }
        let text = name.label().ok()?;
        rest.eats("row");
        *words = rest;
        return Some(Target::RowOf(text));
    }
    match picked {
        Some(picks) => Some(Target::Rows(picks)),
        None => {
            words.eats("number|no");
            numbered(words).map(Target::Rows)
        }
    }
}

fn columns(words: &mut Words) -> Option<Target> {
    words.eats("the");
    if let Some(picks) = picks(words) {
        return words
            .eats("columns|column|table column|cols|col")
            .then(|| Target::Columns(picks.into_iter().map(Line::At).collect()));
    }
    if words.eats("columns|column|cols|col") {
        words.eats("number|called|named");
        if let Some(picks) = numbered(words) {
            return Some(Target::Columns(picks.into_iter().map(Line::At).collect()));
        }
        return words.name().map(|name| Target::Columns(vec![Line::Named(name)]));
    }
    let name = words.name()?;
    words.eats("column").then(|| Target::Columns(vec![Line::Named(name)]))
}

fn cell(words: &mut Words) -> Option<Target> {
    words.eats("the text of|the text in|the contents of|the content of|the value of|the value in");
    words.eats("the");
    if words.eats("first cell|top left cell|top-left cell") {
        return Some(Target::Cell { row: Pick::Nth(0), column: Line::At(Pick::Nth(0)) });
    }
    if words.eats("last cell|bottom right cell|bottom-right cell") {
        return Some(Target::Cell { row: Pick::Last, column: Line::At(Pick::Last) });
    }
    let named = words.eats("cell at|cell in|cell");
    words.eats("the");
    let bracket = words.eats("(");
    if bracket || named && words.clone().number().is_some() {
        let row = words.number()?;
        words.eats(",").then_some(())?;
        let column = words.number()?;
        if bracket {
            words.eats(")").then_some(())?;
        }
        let at = |number: usize| counted(number, words.from_zero);
        return Some(Target::Cell { row: at(row)?, column: Line::At(at(column)?) });
    }
    let mut ahead = words.clone();
    if let Some(Target::Rows(rows)) = rows(&mut ahead)
        && !ahead.begins("and|, and")
        && let Some(Target::Columns(columns)) = column_after(&mut ahead)
        && let ([row], [column]) = (rows.as_slice(), columns.as_slice())
    {
        *words = ahead;
        return Some(Target::Cell { row: *row, column: column.clone() });
    }
    // "the second cell of the first row", "column Price of row 2"
    let column = match columns(&mut words.clone()) {
        Some(Target::Columns(found)) => {
            columns(words);
            found.into_iter().next()?
        }
        _ => {
            let at = pick(words)?;
            words.eats("cell").then_some(())?;
            Line::At(at)
        }
    };
    words.eats("of|in|,|at").then_some(())?;
    match rows(words)? {
        Target::Rows(rows) => match rows.as_slice() {
            [row] => Some(Target::Cell { row: *row, column }),
            _ => None,
        },
        _ => None,
    }
}

/// `row 2, column 3`, `first row, second cell`
fn column_after(words: &mut Words) -> Option<Target> {
    words.eats(", the|,|of the|in the|of|in|at|the");
    columns(&mut words.clone()).and_then(|_| columns(words)).or_else(|| in_row(words))
}

fn in_row(words: &mut Words) -> Option<Target> {
    let at = pick(words)?;
    words.eats("cell").then(|| Target::Columns(vec![Line::At(at)]))
}

fn table(words: &mut Words) -> Option<Target> {
    if words.eats("all tables|all the tables|every table|each table|the tables|tables") {
        return Some(Target::Tables);
    }
    let mut ahead = words.clone();
    if ahead.eats("table")
        && let Some(number @ 1..) = ahead.number()
    {
        *words = ahead;
        return Some(Target::Table(Some(Pick::Nth(number - 1))));
    }
    if let Some(named) = table_named(&mut words.clone()) {
        table_named(words);
        return Some(named);
    }
    words.eats("the|this|that");
    let picked = pick(words);
    words.eats("table").then(|| match picked {
        None => match words.number() {
            Some(number @ 1..) => Target::Table(Some(Pick::Nth(number - 1))),
            _ => Target::Table(None),
        },
        picked => Target::Table(picked),
    })
}

/// "the price table", "the table of fees", "the table with the rates"
fn table_named(words: &mut Words) -> Option<Target> {
    words.eats("the").then_some(())?;
    if words.eats("table of|table about|table with the|table on") {
        words.eats("the");
        return words.word_if(|word| word.starts_with(char::is_alphabetic)).map(Target::TableNamed);
    }
    if pick(&mut words.clone()).is_some() {
        return None;
    }
    let name = words.word_if(|word| word.starts_with(char::is_alphabetic))?;
    words.eats("table").then_some(Target::TableNamed(name))
}

/// `2.2` alone, where only a place can stand.
pub(super) fn bare_clause(words: &mut Words) -> Option<Target> {
    let mut ahead = words.clone();
    let label = label(&mut ahead)?;
    if !label.contains('.') || label.contains("..") {
        return None;
    }
    *words = ahead;
    Some(Target::Clause(label))
}

fn clause(words: &mut Words) -> Option<Target> {
    let mut named = words.clone();
    named.eats("the");
    if let Some(name) = named.name() {
        if named.eats("section|clause|chapter|article") {
            *words = named;
            return Some(Target::Section(name));
        }
        if named.eats("heading") {
            *words = named;
            return Some(Target::Heading(name));
        }
    }
    // "the definitions section", "the abstract"
    let mut small = words.clone();
    if small.eats("the") {
        const KNOWN: [&str; 10] = [
            "abstract",
            "introduction",
            "conclusion",
            "summary",
            "preamble",
            "recitals",
            "background",
            "appendix",
            "bibliography",
            "references",
        ];
        let plain = |word: &str| {
            word.chars().all(|c| c.is_lowercase() || c == '-')
                && !crate::phrase::is_beginner(word)
                && !["of", "last", "next", "same", "whole", "new", "other", "paragraph", "sentence"]
                    .contains(&word)
                && !crate::phrase::ORDINALS.contains(&word)
        };
        let mut name = String::new();
        for _ in 0..3 {
            let Some(word) = small.word_if(plain) else { break };
            name = if name.is_empty() { word } else { format!("{name} {word}") };
            if small.eats("section|chapter") || KNOWN.contains(&name.as_str()) {
                *words = small;
                return Some(Target::Section(name));
            }
        }
    }
    words.eats("the|new");
    if words.eats("section called|section named|section titled|section headed|clause called|clause titled|chapter called|section on|clause on") {
        return words.name().map(Target::Section);
    }
    let noun = words.eats("clause|clauses|section|sections|article|sub-clause|subclause|subsection|sub-section|chapter|point|item|§");
    if noun {
        let mut ahead = words.clone();
        ahead.eats("no|number");
        if let Some(label) = label(&mut ahead) {
            *words = ahead;
            return Some(Target::Clause(label));
        }
        return words.name().map(Target::Section);
    }
    None
}

/// `4.2`, `4`, `4(b)`, `IV`, `(a)`: what a clause is called.
fn label(words: &mut Words) -> Option<String> {
    let is_label = |word: &str| {
        let bare = word.trim_end_matches('.');
        let dotted = !bare.is_empty()
            && bare
                .split('.')
                .all(|part| !part.is_empty() && part.len() <= 3 && part.chars().all(char::is_alphanumeric))
            && bare.starts_with(|c: char| c.is_ascii_digit());
        let roman = !bare.is_empty() && bare.chars().all(|c| "IVX".contains(c));
        dotted || roman
    };
    let mut label =
        words.word_if(is_label).map_or_else(String::new, |word| word.trim_end_matches('.').to_owned());
    loop {
        let mut ahead = words.clone();
        let part = ahead.eats("(").then(|| ahead.word_if(|word| word.len() <= 4)).flatten();
        match part {
            Some(part) if ahead.eats(")") => {
                label = format!("{label}({part})");
                *words = ahead;
            }
            _ => break,
        }
    }
    (!label.is_empty()).then_some(label)
}

fn paragraphs(words: &mut Words) -> Option<Target> {
    if words.eats("all paragraphs|all the paragraphs|every paragraph|each paragraph|the paragraphs|all of the paragraphs") {
        return Some(Target::EveryParagraph);
    }
    if words.eats("all empty paragraphs|the empty paragraphs|all the empty paragraphs|empty paragraphs|all blank lines|the empty paragraph|the empty line|the blank line|the blank paragraph|the blank lines|the empty lines|all empty lines|blank paragraphs|empty lines") {
        return Some(Target::EmptyParagraphs);
    }
    // A sentence by its words is text.
    let mut sentence = words.clone();
    if sentence.eats("the sentence") && sentence.quotation().is_some() {
        return None;
    }
    if words.eats("the paragraph|the line|the sentence|paragraph|the bullet point|the bullet|the clause|the one|the list item") {
        let starts = words.eats("that starts with|starting with|that begins with|beginning with|which starts with|that start with");
        let about_it = words.begins("about|on|mentioning|that mentions|which mentions|that says");
        if starts || words.eats("that contains|containing|that mentions|which mentions|mentioning|with|that says|with the text|with the words|about|on|where it says|which contains") {
            let text = words.quotation().or_else(|| if starts || about_it { about(words) } else { None });
            return text.map(|text| Target::ParagraphWith { text, starts });
        }
        if let Some(text) = words.quotation() {
            return Some(Target::Heading(text));
        }
        return paragraph_numbers(words).map(Target::Paragraphs);
    }
    if words.eats("paragraphs") {
        return paragraph_numbers(words).map(Target::Paragraphs);
    }
    words.eats("the");
    let picks = picks(words)?;
    words.eats("paragraphs|paragraph").then_some(Target::Paragraphs(picks))
}

fn text(words: &mut Words) -> Option<Target> {
    mention(words, Which::Only).map(Target::Text)
}

/// `"x"`, `the word "x"`, `every mention of x`, `the second "x"`; `usual` where nothing says which.
pub(super) fn mention(words: &mut Words, usual: Which) -> Option<Mention> {
    let mut ahead = words.clone();
    let which = which(&mut ahead);
    let noun = ahead.eats(
        "occurrences of|occurrence of|mentions of|mention of|instances of|instance of|matches of|match of|matches for|\
         appearances of|appearance of|uses of|use of|places with",
    );
    let word = ahead.eats("the text|the word|the words|the phrase|the sentence|the term|the name|the expression|text|word|words|phrase|the string|term|the number|the date");
    let matching = super::modify::matching(&mut ahead);
    if noun && !word {
        ahead.eats("the word|the words|the phrase|the term|the");
    }
    let text = match ahead.quotation() {
        Some(text) => text,
        // "The word overdue in yellow": one word.
        None if noun || word => match ahead.name() {
            Some(name) => name,
            None => ahead.word_if(|word| {
                let lower = word.to_lowercase();
                word.chars().all(|c| c.is_alphabetic() || c == '-')
                    && !crate::phrase::is_beginner(&lower)
                    && !["the", "a", "an", "all", "every", "each"].contains(&lower.as_str())
            })?,
        },
        None => return None,
    };
    *words = ahead;
    Some(Mention { text, which: which.unwrap_or(usual), matching })
}

/// `every`, `all the`, `the first`, `only the second`; taken.
pub(super) fn which(words: &mut Words) -> Option<Which> {
    let mut ahead = words.clone();
    ahead.eats("only|just");
    let found = if ahead.eats("all the|all of the|all|every single|every|each|any") {
        Some(Which::All)
    } else {
        ahead.eats("the");
        match pick(&mut ahead) {
            Some(Pick::Nth(index)) => Some(Which::Nth(index)),
            Some(Pick::Last | Pick::FromEnd(_)) => Some(Which::Last),
            None => None,
        }
    };
    if found.is_some() {
        *words = ahead;
    }
    found
}

pub(super) fn only(text: String) -> Target {
    Target::Text(Mention { text, which: Which::Only, matching: Matching::default() })
}
