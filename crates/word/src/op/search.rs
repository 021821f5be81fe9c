//! Finding text: literal, by regular expression, or by Word's wildcards.
//!
//! As in Word, a match never crosses a paragraph mark, straight quotes find curly ones, and letter case counts
//! only when asked. Regular expressions run in linear time.

use std::collections::BTreeMap;
use std::ops::Range;

use edit::{Cut, Level, Note, Refusal};
use regex::{Regex, RegexBuilder};

use super::codes::{MARK, decoded};
use super::place::{Ground, Places, Stretch, plain_text, span_of};
use super::text::Landed;
use super::{Matching, Scope, Search};
use crate::document::layout::Story;
use crate::document::span::Span;
use crate::document::view::{Place, View};
use crate::edits::outcome::{Answer, Hit};
use crate::text::accents::Literal;
use crate::text::tokens::cuts_a_picture;
use crate::text::wildcards::{Pattern, Replacement};

/// A query ready to search with.
pub(crate) enum Matcher {
    Literal(Literal),
    Regex(Regex),
    Wildcards(Pattern),
}

/// One match in a paragraph, and what is to take its place if that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextMatch {
    pub(crate) range: Range<usize>,
    pub(crate) with: String,
}

impl Matcher {
    pub(crate) fn new(query: &str, matching: Matching) -> Result<Self, Refusal> {
        if query.is_empty() {
            return Err(Refusal::invalid("query", "an empty text", "text to search for"));
        }
        if matching.regex && matching.wildcards {
            return Err(Refusal::invalid("useRegex", "true beside useWildcards", "one of the two"));
        }
        if matching.wildcards {
            return Ok(Self::Wildcards(Pattern::parse(query)?));
        }
        match matching.regex {
            true => pattern(query, &format!("(?:{query})"), matching).map(Self::Regex),
            false => Self::literal(query, matching, literal),
        }
    }

    /// A query in which a paragraph mark is the end of the text that is searched.
    pub(crate) fn to_the_end(query: &str, matching: Matching) -> Result<Self, Refusal> {
        match query.contains(MARK) {
            true => Self::literal(query, matching, |character| match character {
                MARK => "\\z".to_owned(),
                other => literal(other),
            }),
            false => Self::new(query, matching),
        }
    }

    fn literal(query: &str, matching: Matching, spelled: fn(char) -> String) -> Result<Self, Refusal> {
        let build = |text: &str| pattern(query, &text.chars().map(spelled).collect::<String>(), matching);
        Literal::new(query, build).map(Self::Literal)
    }

    /// The same, with no other accents than were typed.
    pub(crate) fn only_typed(self) -> Self {
        match self {
            Self::Literal(literal) => Self::Literal(literal.only_typed()),
            other => other,
        }
    }

    /// All matches, from the left, without overlaps and without empty ones.
    pub(crate) fn find(&self, text: &str, with: Option<&str>) -> Result<Vec<TextMatch>, Refusal> {
        let template = with.unwrap_or_default();
        Ok(match self {
            Self::Literal(literal) => literal
                .find(text)
                .into_iter()
                .filter(|range| !range.is_empty())
                .map(|range| TextMatch { range, with: template.to_owned() })
                .collect(),
            Self::Regex(regex) => regex
                .captures_iter(text)
                .filter_map(|groups| {
                    let range = groups.get(0)?.range();
                    (!range.is_empty()).then(|| TextMatch { range, with: expand(template, &groups) })
                })
                .collect(),
            Self::Wildcards(pattern) => {
                let replacement = Replacement::parse(template)?;
                let found = pattern.find_all(text)?;
                found
                    .into_iter()
                    .map(|found| TextMatch { with: replacement.expand(text, &found), range: found.range })
                    .collect()
            }
        })
    }
}

/// The pattern of what a query comes to, which is its core.
fn pattern(query: &str, core: &str, matching: Matching) -> Result<Regex, Refusal> {
    let source = match (matching.whole_word, matching.prefix) {
        (true, _) => format!("\\b{{start-half}}{core}\\b{{end-half}}"),
        (false, true) => format!("\\b{{start-half}}{core}"),
        (false, false) => core.to_owned(),
    };
    let built = RegexBuilder::new(&source).case_insensitive(!matching.case).size_limit(8 << 20).build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(limit) => Refusal::Limit {
            what: "the size of the pattern".into(),
            found: format!("`{query}`"),
            limit: format!("{limit} bytes compiled"),
        },
        // The message draws the pattern on several lines; its last one says what is wrong.
        error => {
            let why = error.to_string();
            let why = why.lines().last().unwrap_or("").trim_start_matches("error: ").to_owned();
            Refusal::invalid("query", format!("`{query}` ({why})"), "a regular expression")
        }
    })
}

/// A character of a literal query; Word finds curly quotes by straight ones.
fn literal(character: char) -> String {
    match character {
        '\'' => "['\u{2018}\u{2019}]".to_owned(),
        '"' => "[\"\u{201C}\u{201D}\u{201E}]".to_owned(),
        other => regex::escape(other.encode_utf8(&mut [0; 4])),
    }
}

/// `$1`, `$&`, `$$`, `${name}`, `$<name>` and `\1` in a replacement, as JavaScript and editors read them.
fn expand(template: &str, groups: &regex::Captures<'_>) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['$', '\\']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let sign = after.chars().next().unwrap_or('$');
        let tail = after.part(1..);
        let digits = tail.bytes().take(2).take_while(u8::is_ascii_digit).count();
        // `$12` is group 12 if there is one, else group 1 and a `2`.
        let numbered = (1..=digits).rev().find_map(|length| {
            let number: usize = tail.get(..length)?.parse().ok()?;
            (number > 0 && number < groups.len()).then_some((number, length))
        });
        let named = ['}', '>'].iter().zip(['{', '<']).find_map(|(close, open)| {
            let inner = tail.strip_prefix(open).filter(|_| sign == '$')?;
            let end = inner.find(*close)?;
            Some((inner.get(..end)?, end + 2))
        });
        let length = if let Some((number, length)) = numbered {
            out.push_str(groups.get(number).map_or("", |group| group.as_str()));
            length
        } else if let Some((name, length)) = named {
            let group = name.parse().ok().map_or_else(|| groups.name(name), |number| groups.get(number));
            out.push_str(group.map_or("", |group| group.as_str()));
            length
        } else if sign == '$' && tail.starts_with('&') {
            out.push_str(groups.get(0).map_or("", |group| group.as_str()));
            1
        } else if tail.starts_with(sign) {
            out.push(sign);
            1
        } else {
            out.push(sign);
            0
        };
        rest = tail.part(length..);
    }
    out.push_str(rest);
    out
}

/// What can be found in a paragraph.
pub(crate) fn searchable(view: &View, place: Place) -> Result<String, Refusal> {
    Ok(plain_text(&view.paragraph(place)?).text)
}

/// Matches inside the stretches of a ground, in order.
pub(crate) fn matches(
    view: &View,
    ground: &Ground,
    matcher: &Matcher,
    with: Option<&str>,
    most: usize,
) -> Result<Vec<(Place, Vec<TextMatch>)>, Refusal> {
    let mut all = Vec::new();
    let mut count = 0;
    for stretch in &ground.stretches {
        let text = searchable(view, stretch.place)?;
        let mut found = matcher.find(&text, with)?;
        found.retain(|found| {
            ![found.range.start, found.range.end].iter().any(|at| cuts_a_picture(&text, *at))
        });
        found
            .retain(|found| stretch.range.start <= found.range.start && found.range.end <= stretch.range.end);
        found.truncate(most - count);
        count += found.len();
        if !found.is_empty() {
            all.push((stretch.place, found));
        }
        if count >= most {
            break;
        }
    }
    Ok(all)
}

pub(crate) fn run(
    view: &View,
    search: &Search,
    places: &Places,
) -> Result<(Answer<Span>, Vec<Note>), Refusal> {
    if search.max_results == 0 {
        return Err(Refusal::invalid("maxResults", 0, "at least 1"));
    }
    let ground = Ground::of(view, &search.scope, places)?;
    let plain = !search.matching.regex && !search.matching.wildcards;
    let query = if plain { decoded(&search.query) } else { search.query.clone() };
    let matcher = Matcher::new(&query, search.matching)?;
    let most = search.max_results;
    // One more than wanted tells whether there are more.
    let mut results = match plain && query.contains(MARK) {
        true => across(view, &ground, &matcher, most.saturating_add(1))?,
        false => hits(view, matches(view, &ground, &matcher, None, most.saturating_add(1))?)?,
    };
    let mut notes = Vec::new();
    if results.len() > most {
        results.truncate(most);
        let text = format!("only the first {most} matches are listed; maxResults asks for more");
        notes.push(Note { level: Level::Warning, text });
    }
    if search.scope == Scope::Document {
        let elsewhere = elsewhere(view, &matcher)?;
        let found = if results.is_empty() { "no match in the body, but" } else { "besides," };
        let text = format!("{found} {elsewhere} in headers, footers, notes or comments");
        notes.extend((elsewhere > 0).then_some(Note { level: Level::Info, text }));
    }
    Ok((Answer::Found { results }, notes))
}

/// How many matches stand outside of the body.
pub(crate) fn elsewhere(view: &View, matcher: &Matcher) -> Result<usize, Refusal> {
    let mut count = 0;
    for place in view.places().filter(|place| view.story_of(*place) != Story::Body) {
        count += matcher.find(&searchable(view, place)?, None)?.len();
    }
    Ok(count)
}

/// Matches of a query with paragraph marks, over the paragraphs of a ground as one text.
fn across(view: &View, ground: &Ground, matcher: &Matcher, most: usize) -> Result<Vec<Hit<Span>>, Refusal> {
    let mut all = String::new();
    let mut starts: Vec<(usize, Place, usize)> = Vec::new();
    for stretch in &ground.stretches {
        let text = searchable(view, stretch.place)?;
        starts.push((all.len(), stretch.place, stretch.range.start));
        all.push_str(text.cut(stretch.range.clone())?);
        all.push(MARK);
    }
    let place_of = |at: usize| {
        let number = starts.partition_point(|(start, ..)| *start <= at).saturating_sub(1);
        starts.get(number).map(|(start, place, from)| (*place, from + (at - start)))
    };
    let mut results = Vec::new();
    for TextMatch { range, .. } in matcher.find(&all, None)?.into_iter().take(most) {
        let (from, to) = (place_of(range.start), place_of(range.end));
        let from = from.ok_or_else(|| Refusal::internal("a match outside of the text"))?;
        // Behind the last mark is no paragraph any more.
        let length = searchable(view, from.0)?.len();
        let to = to.filter(|_| range.end < all.len()).unwrap_or((from.0, length));
        let landed = Landed { from, to };
        let text = all.part(range.clone()).replace(MARK, "\n");
        let bases = bases(view, [from.0, to.0].into_iter())?;
        let units = |(place, at): (Place, usize)| -> Result<usize, Refusal> {
            let before = searchable(view, place)?.cut(..at)?.encode_utf16().count();
            Ok(bases.get(&place).copied().unwrap_or(0) + before)
        };
        results.push(Hit {
            range: landed.span(view)?,
            text,
            context: context(&all, &range).replace(MARK, "\n"),
            start: units(from)?,
            end: units(to)?,
        });
    }
    Ok(results)
}

fn hits(view: &View, found: Vec<(Place, Vec<TextMatch>)>) -> Result<Vec<Hit<Span>>, Refusal> {
    let bases = bases(view, found.iter().map(|(place, _)| *place))?;
    let mut results = Vec::new();
    for (place, found) in found {
        let text = plain_text(&view.paragraph(place)?).text;
        let units = |end: usize| text.part(..end).encode_utf16().count();
        let base = bases.get(&place).copied().unwrap_or(0);
        for TextMatch { range, .. } in found {
            results.push(Hit {
                range: span_of(view, place, range.clone())?,
                text: text.cut(range.clone())?.to_owned(),
                context: context(&text, &range),
                start: base + units(range.start),
                end: base + units(range.end),
            });
        }
    }
    Ok(results)
}

/// Where the paragraphs begin in their stories, counted as [`Ground::positions`] does.
fn bases(view: &View, wanted: impl Iterator<Item = Place>) -> Result<BTreeMap<Place, usize>, Refusal> {
    let mut wanted: BTreeMap<Place, usize> = wanted.map(|place| (place, 0)).collect();
    let Some((first, _)) = wanted.first_key_value() else { return Ok(wanted) };
    let Some((last, _)) = wanted.last_key_value().map(|(place, base)| (*place, *base)) else {
        return Ok(wanted);
    };
    let mut at = 0;
    for place in view.story(view.story_of(*first)) {
        if let Some(base) = wanted.get_mut(&place) {
            *base = at;
        }
        if place == last {
            break;
        }
        at += plain_text(&view.paragraph(place)?).text.encode_utf16().count() + 1;
    }
    Ok(wanted)
}

/// A few words on either side.
fn context(text: &str, range: &Range<usize>) -> String {
    const AROUND: usize = 40;
    let start = (0..=range.start.saturating_sub(AROUND)).rev().find(|at| text.is_char_boundary(*at));
    let end =
        (range.end.saturating_add(AROUND).min(text.len())..=text.len()).find(|at| text.is_char_boundary(*at));
    let (start, end) = (start.unwrap_or(0), end.unwrap_or(text.len()));
    let dots = |cut: bool| if cut { "…" } else { "" };
    format!("{}{}{}", dots(start > 0), text.part(start..end), dots(end < text.len()))
}

/// The place in the body that a scope means by quoting its text: as written, else in any letter case, else with accents
/// in any spelling.
pub(crate) fn quoted(view: &View, scope: &Scope, text: &str) -> Result<Stretch, Refusal> {
    /// Enough to tell that there are several, and to show where.
    const SHOWN: usize = 6;
    let ground = Ground::document(view)?;
    for (case, typed) in [(true, true), (false, true), (false, false)] {
        let matcher = Matcher::new(text, Matching { case, ..Matching::default() })?;
        let matcher = if typed { matcher.only_typed() } else { matcher };
        let most = match scope {
            Scope::First(_) => 1,
            // Mentions inside other text do not count, so all have to be looked at.
            Scope::Paragraph(_) => usize::MAX,
            _ => SHOWN,
        };
        let mut found = Vec::new();
        for (place, hits) in matches(view, &ground, &matcher, None, most)? {
            let all = plain_text(&view.paragraph(place)?).text;
            for hit in hits {
                let whole = hit.range == (0..all.len());
                if whole || !matches!(scope, Scope::Paragraph(_)) {
                    let around = context(&all, &hit.range);
                    found.push((Stretch { place, range: hit.range, whole }, around));
                }
            }
        }
        match found.len() {
            0 => {}
            1 => return found.pop().map(|(only, _)| only).ok_or_else(|| Refusal::not_found("text", text)),
            count => {
                let within = match count {
                    SHOWN.. => "the document, or more".to_owned(),
                    _ => "the document".to_owned(),
                };
                let contexts = found.into_iter().take(SHOWN).map(|(_, around)| around).collect();
                return Err(Refusal::Ambiguous { text: text.to_owned(), count, within, contexts });
            }
        }
    }
    let what = if matches!(scope, Scope::Paragraph(_)) { "paragraph" } else { "text" };
    Err(Refusal::not_found(what, text))
}
