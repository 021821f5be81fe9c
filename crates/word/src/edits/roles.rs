//! How a document prints its defined terms and its run-in headers, learnt from the ones it has.
//!
//! A look is what the run of the term says that the run of the text behind it does not. The look that most
//! examples share wins; among equals, the one nearest to the edit.

use crate::document::look::Looks;
use crate::document::view::{Place, View};
use crate::edits::anatomy::Anatomy;
use crate::edits::open_paragraph::OpenParagraph;
use crate::edits::run_properties::RunProperties;
use crate::text::definitions;
use crate::text::header;
use crate::text::quotation::{excerpt, shown_text};
use crate::text::tags::{Marks, Role, Tagged};
use edit::{Cut, Refusal};

/// What a role takes over from the document's own examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) properties: Vec<(String, String)>,
    /// Whether the quotes around a term look like the term.
    pub(crate) quotes: bool,
}

/// Formatting that marks a term or a header out; fonts, sizes and languages are the text's own affair.
const MARKING: &[&str] =
    &["rStyle", "b", "bCs", "i", "iCs", "u", "caps", "smallCaps", "color", "highlight", "em", "effect"];

/// What a run-in header ends in.
const MARKS: [char; 5] = ['.', ':', '-', '\u{2013}', '\u{2014}'];

/// The new text with its roles made into formatting. Definitions that nobody tagged are found; `behind` is
/// what follows the new text, because the verb may already be there; `replaced` what stands before the text that it takes
/// the place of, and where that is. A header that takes the place of one looks like it.
pub(crate) fn dress(
    view: &View,
    near: Place,
    new: Vec<Tagged>,
    behind: &str,
    replaced: Option<(&str, &std::ops::Range<usize>)>,
) -> Vec<Tagged> {
    let tagged = new.iter().any(|tagged| tagged.marks.role == Some(Role::Definition));
    let before = replaced.map_or("", |(before, _)| before);
    let whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let defines =
        |text: &str| !definitions::find(text).is_empty() || !definitions::in_brackets(text).is_empty();
    let wants = tagged || defines(&format!("{whole}{}", behind.chars().take(120).collect::<String>()));
    let convention = wants.then(|| Convention::of(view, near));
    let bracketed = convention.as_ref().and_then(|convention| convention.bracketed.clone());
    let new = match &convention {
        Some(Convention { quotes: Some(quotes), .. }) if tagged => add_quotes(new, (before, behind), *quotes),
        _ => new,
    };
    let new = finish_headers(find_definitions(new, behind, bracketed.as_ref()));
    let definition = convention.map(|convention| convention.look);
    let wants_header = new.iter().any(|tagged| tagged.marks.role == Some(Role::Header));
    let own = replaced.filter(|_| wants_header).and_then(|(_, range)| own_header_look(view, near, range));
    let is_own = own.is_some();
    let header = wants_header.then(|| own.or_else(|| header_look(view, near)));
    let new = match &definition {
        Some(Some(look)) if look.quotes => include_quotes(new),
        Some(_) => exclude_quotes(new),
        None => new,
    };
    new.into_iter()
        .map(|mut tagged| {
            let bold = || Look { properties: Vec::new(), quotes: false };
            match tagged.marks.role {
                None | Some(Role::Field) => {}
                Some(Role::FoundDefinition) => {
                    // Without an example there is nothing to follow.
                    if let Some(Some(look)) = definition.as_ref().filter(|_| tagged.marks.look.is_empty()) {
                        tagged.marks.look = look.properties.clone();
                    }
                }
                Some(Role::Definition) => match &definition {
                    Some(Some(look)) => tagged.marks.look = look.properties.clone(),
                    _ => tagged.marks.bold = Some(true),
                },
                Some(Role::Header) => {
                    let look = header.clone().flatten().unwrap_or_else(bold);
                    // One that looks as it does through its style needs nothing of its own.
                    if look.properties.is_empty() && !is_own {
                        tagged.marks.bold = Some(true);
                    }
                    tagged.marks.look = look.properties;
                }
            }
            tagged
        })
        .collect()
}

/// Refuses a header anywhere but at the start of a paragraph; `before` is what stands in front of the new text.
pub(crate) fn check_headers(new: &[Tagged], before: &str) -> Result<(), Refusal> {
    let opens = |text: &str| {
        text.trim().is_empty()
            || header::typed_number(&format!("{text} ")).is_some_and(|end| end >= text.trim_end().len())
    };
    let mut text = before.to_owned();
    let mut in_headers = false;
    for tagged in new {
        let is_header = tagged.marks.role == Some(Role::Header);
        if is_header && !in_headers && !opens(&text) && !text.ends_with('\n') {
            return Err(Refusal::invalid(
                "<header>",
                format!("behind `{}`", excerpt(text.trim())),
                "<header> only where a paragraph begins",
            ));
        }
        in_headers = is_header || in_headers && tagged.text.trim().is_empty();
        text.push_str(&tagged.text);
    }
    Ok(())
}

/// Gives terms that the text defines the role that a tag would have given them.
fn find_definitions(new: Vec<Tagged>, behind: &str, bracketed: Option<&Look>) -> Vec<Tagged> {
    let mut whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let length = whole.len();
    let behind: String = behind.chars().take(120).collect();
    whole.push_str(&behind);
    let terms: Vec<_> = definitions::find(&whole)
        .into_iter()
        .map(|found| found.term)
        .filter(|term| term.end <= length)
        .collect();
    let new = recut(new, &terms, |marks| {
        if marks.role.is_none() {
            marks.role = Some(Role::FoundDefinition);
        }
    });
    let Some(look) = bracketed else { return new };
    let brackets = definitions::in_brackets(&whole).into_iter();
    let brackets = brackets.map(|found| if look.quotes { found.quoted } else { found.term });
    let brackets: Vec<_> = brackets.filter(|term| term.end <= length).collect();
    recut(new, &brackets, |marks| {
        if marks.role.is_none() {
            (marks.role, marks.look) = (Some(Role::FoundDefinition), look.properties.clone());
        }
    })
}

/// A run-in header is known by the mark it ends in. One that stands behind the tag belongs to it; one that is
/// missing is added.
fn finish_headers(mut new: Vec<Tagged>) -> Vec<Tagged> {
    for index in 0..new.len() {
        let (head, tail) = new.split_at_mut(index + 1);
        let Some(header) = head.last_mut().filter(|tagged| tagged.marks.role == Some(Role::Header)) else {
            continue;
        };
        let followed = tail.first().is_some_and(|next| next.marks.role == Some(Role::Header));
        let words = header.text.trim_end().trim_end_matches(definitions::is_quote).trim_end();
        if followed || words.ends_with(MARKS) || words.ends_with(['?', '!', '\u{FF1A}', '\u{3002}']) {
            continue;
        }
        // `<header>Fees</header>, which …` goes on with a mark of its own.
        if tail.first().is_some_and(|next| next.text.starts_with([',', ';', '?', '!', '('])) {
            continue;
        }
        match tail.first_mut().filter(|next| next.text.starts_with(MARKS)) {
            Some(next) => {
                let length = next.text.chars().next().map_or(0, char::len_utf8);
                header.text.push_str(next.text.part(..length));
                next.text = next.text.part(length..).to_owned();
            }
            None => {
                let blanks = header.text.len() - header.text.trim_end().len();
                header.text.insert(header.text.len() - blanks, '.');
                if let Some(next) =
                    tail.first_mut().filter(|next| blanks == 0 && !next.text.starts_with([' ', '\t', '\n']))
                {
                    next.text.insert(0, ' ');
                }
            }
        }
    }
    new.retain(|tagged| !tagged.text.is_empty());
    new
}

/// Gives terms that the caller tagged and did not quote the quotation marks of the document.
fn add_quotes(new: Vec<Tagged>, around: (&str, &str), (open, close): (char, char)) -> Vec<Tagged> {
    let whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let mut at = 0;
    let mut out: Vec<Tagged> = Vec::with_capacity(new.len());
    for mut tagged in new {
        let range = at..at + tagged.text.len();
        at = range.end;
        if tagged.marks.role == Some(Role::Definition) && !tagged.text.trim().is_empty() {
            let is_quote = |c: Option<char>| c.is_some_and(definitions::is_quote);
            let own = is_quote(tagged.text.trim().chars().next())
                || is_quote(tagged.text.trim().chars().next_back());
            let before =
                whole.part(..range.start).chars().next_back().or_else(|| around.0.chars().next_back());
            let behind = whole.part(range.end..).chars().next().or_else(|| around.1.chars().next());
            if !own && !is_quote(before) && !is_quote(behind) {
                let plain = Marks { role: None, ..tagged.marks.clone() };
                let blanks = tagged.text.len() - tagged.text.trim_end().len();
                let after = tagged.text.split_off(tagged.text.len() - blanks);
                out.push(Tagged { text: open.to_string(), marks: plain.clone() });
                out.push(tagged);
                out.push(Tagged { text: format!("{close}{after}"), marks: plain });
                continue;
            }
        }
        out.push(tagged);
    }
    out
}

/// Takes quotes that stand inside the tag of a definition out of it, where those of the document look plain.
fn exclude_quotes(new: Vec<Tagged>) -> Vec<Tagged> {
    let mut at = 0;
    let mut quotes: Vec<std::ops::Range<usize>> = Vec::new();
    for tagged in &new {
        let range = at..at + tagged.text.len();
        at = range.end;
        if tagged.marks.role != Some(Role::Definition) {
            continue;
        }
        let ends = [tagged.text.char_indices().next(), tagged.text.char_indices().next_back()];
        for (index, c) in ends.into_iter().flatten().filter(|(_, c)| definitions::is_quote(*c)) {
            quotes.push(range.start + index..range.start + index + c.len_utf8());
        }
    }
    match quotes.is_empty() {
        true => new,
        false => recut(new, &quotes, |marks| marks.role = None),
    }
}

/// Extends definitions over the quotes that stand directly around them.
fn include_quotes(new: Vec<Tagged>) -> Vec<Tagged> {
    let whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let mut at = 0;
    let mut quotes: Vec<(std::ops::Range<usize>, Role)> = Vec::new();
    for tagged in &new {
        let range = at..at + tagged.text.len();
        at = range.end;
        let Some(role @ (Role::Definition | Role::FoundDefinition)) = tagged.marks.role else { continue };
        let before = whole.get(..range.start).and_then(|text| text.chars().next_back());
        let after = whole.get(range.end..).and_then(|text| text.chars().next());
        if let (Some(open), Some(close)) = (before, after)
            && definitions::is_quote(open)
            && definitions::is_quote(close)
        {
            quotes.push((range.start - open.len_utf8()..range.start, role));
            quotes.push((range.end..range.end + close.len_utf8(), role));
        }
    }
    let mut new = new;
    for (range, role) in quotes {
        new = recut(new, &[range], |marks| marks.role = marks.role.or(Some(role)));
    }
    new
}

/// The same text, cut so that `change` can be made to the marks of each of `ranges`.
fn recut(new: Vec<Tagged>, ranges: &[std::ops::Range<usize>], change: impl Fn(&mut Marks)) -> Vec<Tagged> {
    let mut out: Vec<Tagged> = Vec::new();
    let mut at = 0;
    for tagged in new {
        let end = at + tagged.text.len();
        let mut bounds = vec![at, end];
        bounds.extend(
            ranges
                .iter()
                .flat_map(|range| [range.start, range.end])
                .filter(|bound| (at..end).contains(bound)),
        );
        bounds.sort_unstable();
        bounds.dedup();
        for pair in bounds.windows(2) {
            let [from, to] = pair else { continue };
            let text = tagged.text.part(from - at..to - at).to_owned();
            let mut marks = tagged.marks.clone();
            if ranges.iter().any(|range| range.start <= *from && *to <= range.end) {
                change(&mut marks);
            }
            match out.last_mut() {
                Some(last) if last.marks == marks => last.text.push_str(&text),
                _ => out.push(Tagged { text, marks }),
            }
        }
        at = end;
    }
    out
}

/// How a document prints the terms that it defines.
pub(crate) struct Convention {
    /// `None` if it defines none.
    pub(crate) look: Option<Look>,
    /// The quotation marks around most of them.
    pub(crate) quotes: Option<(char, char)>,
    /// That of terms in brackets, `(the “Term”)`.
    bracketed: Option<Look>,
}

impl Convention {
    /// Learnt from terms with a verb behind them; where there is none, from those in brackets.
    pub(crate) fn of(view: &View, near: Place) -> Self {
        let (mut said, mut bracketed) = (Models::new(near), Models::new(near));
        for place in view.body() {
            let Ok(paragraph) = view.paragraph(place) else { continue };
            let text = shown_text(view, &paragraph).text;
            if !text.contains(definitions::is_quote) {
                continue;
            }
            let (verbs, brackets) = (definitions::find(&text), definitions::in_brackets(&text));
            if verbs.is_empty() && brackets.is_empty() {
                continue;
            }
            let Ok(opened) = OpenParagraph::open(view, place) else { continue };
            let Ok(anatomy) = opened.anatomy() else { continue };
            verbs.iter().for_each(|found| said.learn(&anatomy, place, found));
            brackets.iter().for_each(|found| bracketed.learn(&anatomy, place, found));
        }
        let (said, bracketed) =
            ((said.votes.winner(), said.quotes), (bracketed.votes.winner(), bracketed.quotes));
        let quotes = if said.0.is_some() { said.1 } else { bracketed.1 };
        let most = quotes.into_iter().max_by_key(|(_, count)| *count).map(|(quotes, _)| quotes);
        Self { look: said.0.or_else(|| bracketed.0.clone()), quotes: most, bracketed: bracketed.0 }
    }
}

/// Definitions of one kind that a document has.
struct Models {
    votes: Votes,
    quotes: std::collections::BTreeMap<(char, char), usize>,
}

impl Models {
    fn new(near: Place) -> Self {
        Self { votes: Votes::new(near), quotes: Default::default() }
    }

    fn learn(&mut self, anatomy: &Anatomy<'_>, place: Place, found: &definitions::Definition) {
        let plain = properties_at(anatomy, found.quoted.end);
        let Some(term) = properties_at(anatomy, found.term.start) else { return };
        let properties = difference(&term, plain.as_ref());
        let quote = properties_at(anatomy, found.quoted.start);
        let quotes = quote.is_some_and(|quote| difference(&quote, plain.as_ref()) == properties);
        self.votes.cast(place, Look { quotes: quotes && !properties.is_empty(), properties });
        let open = anatomy.text.part(found.quoted.clone()).chars().next();
        let close = anatomy.text.part(found.quoted.clone()).chars().next_back();
        if let (Some(open), Some(close)) = (open, close) {
            *self.quotes.entry((open, close)).or_default() += 1;
        }
    }
}

/// How most run-in headers of the document look; `None` if it has none.
pub(crate) fn header_look(view: &View, near: Place) -> Option<Look> {
    let mut votes = Votes::new(near);
    let mut looks = Looks::new(view);
    for place in view.body() {
        let Some(header) = header_of(view, &mut looks, place) else { continue };
        let Ok(opened) = OpenParagraph::open(view, place) else { continue };
        let Ok(anatomy) = opened.anatomy() else { continue };
        if let Some(marked) = properties_at(&anatomy, header.start) {
            let plain = properties_at(&anatomy, header.end);
            votes.cast(place, Look { properties: difference(&marked, plain.as_ref()), quotes: false });
        }
    }
    votes.winner()
}

/// How the paragraph's own header looks, if `range` is some of it.
fn own_header_look(view: &View, place: Place, range: &std::ops::Range<usize>) -> Option<Look> {
    let header = header_of(view, &mut Looks::new(view), place)?;
    if range.start >= header.end || range.end <= header.start {
        return None;
    }
    let opened = OpenParagraph::open(view, place).ok()?;
    let anatomy = opened.anatomy().ok()?;
    let marked = properties_at(&anatomy, header.start)?;
    let plain = properties_at(&anatomy, header.end);
    Some(Look { properties: difference(&marked, plain.as_ref()), quotes: false })
}

/// Where the run-in header of a paragraph ends, if it has one.
pub(crate) fn header_end(view: &View, place: Place) -> Option<usize> {
    header_of(view, &mut Looks::new(view), place).map(|range| range.end)
}

fn header_of(view: &View, looks: &mut Looks<'_>, place: Place) -> Option<std::ops::Range<usize>> {
    let paragraph = view.paragraph(place).ok()?;
    let resolved = looks.paragraph(place);
    let text = shown_text(view, &paragraph);
    let found = header::find(looks, &resolved, &paragraph, &text, 0);
    // A number that was typed before it is no part of a header.
    let found = found.or_else(|| {
        let number = header::typed_number(&text.text)?;
        header::find(looks, &resolved, &paragraph, &text, number)
    });
    found.map(|header| header.range)
}

pub(crate) fn properties_at(anatomy: &Anatomy<'_>, offset: usize) -> Option<RunProperties> {
    let unit = anatomy.units.get(anatomy.unit_at(offset)?)?;
    Some(RunProperties::of_run(anatomy.runs.get(unit.run)?.node))
}

fn difference(marked: &RunProperties, plain: Option<&RunProperties>) -> Vec<(String, String)> {
    let marking = marked.children().iter().filter(|(name, _)| MARKING.contains(&name.as_str()));
    marking
        .filter(|(name, source)| plain.and_then(|plain| plain.get(name)) != Some(source))
        .cloned()
        .collect()
}

struct Votes {
    near: Place,
    cast: Vec<(Look, usize, u64)>,
}

impl Votes {
    fn new(near: Place) -> Self {
        Self { near, cast: Vec::new() }
    }

    fn cast(&mut self, place: Place, look: Look) {
        let distance = match place.part == self.near.part {
            true => u64::from(place.index.abs_diff(self.near.index)),
            false => u64::MAX,
        };
        match self.cast.iter_mut().find(|(known, _, _)| *known == look) {
            Some((_, count, nearest)) => {
                *count += 1;
                *nearest = (*nearest).min(distance);
            }
            None => self.cast.push((look, 1, distance)),
        }
    }

    fn winner(self) -> Option<Look> {
        let best =
            self.cast.into_iter().max_by_key(|(_, count, nearest)| (*count, std::cmp::Reverse(*nearest)));
        best.map(|(look, _, _)| look)
    }
}
