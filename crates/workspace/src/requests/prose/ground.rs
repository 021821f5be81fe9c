//! Parts of a document that people speak of, as bytes; and texts before, behind and without others in them.

use std::ops::Range;

use edit::{Cut, Refusal};
use markdown::{Case, Edit, Kind, Match, View, find};
use planner::{Count, Ground};

use super::places::{block, table};
use super::section;
use super::sections::{spliced, spoken};

/// The bytes of several parts.
pub(super) fn ranges(view: &View, grounds: &[Ground]) -> Result<Vec<Range<usize>>, Refusal> {
    let mut found = Vec::new();
    for ground in grounds {
        found.extend(range(view, ground)?);
    }
    Ok(found)
}

fn range(view: &View, ground: &Ground) -> Result<Vec<Range<usize>>, Refusal> {
    let all = |fits: &dyn Fn(Kind) -> bool| -> Vec<Range<usize>> {
        view.nodes().filter(|(_, node)| fits(node.kind())).map(|(_, node)| node.range()).collect()
    };
    let some = |found: Vec<Range<usize>>, what: &'static str| match found.is_empty() {
        true => Err(Refusal::not_found(what, "the document")),
        false => Ok(found),
    };
    match ground {
        Ground::Section(name) => Ok(vec![markdown::section(view, section(view, name)?)?.range]),
        Ground::Headings => some(
            markdown::outline(view)
                .iter()
                .map(|heading| view.node(heading.id).map(|node| node.range()))
                .collect::<Result<_, _>>()?,
            "heading",
        ),
        Ground::Title => {
            let outline = markdown::outline(view);
            let title = outline.iter().find(|heading| heading.level == 1).or(outline.first());
            let title = title.ok_or_else(|| Refusal::not_found("heading", "the title"))?;
            Ok(vec![view.node(title.id)?.range()])
        }
        Ground::Intro => {
            for name in ["Introduction", "Intro"] {
                if let Ok(heading) = section(view, name) {
                    return Ok(vec![markdown::section(view, heading)?.range]);
                }
            }
            let outline = markdown::outline(view);
            let title = outline.first().ok_or_else(|| Refusal::not_found("heading", "the title"))?;
            let start = view.node(title.id)?.range().end;
            let end = outline.get(1).map_or(view.len(), |next| next.range.start);
            match view.slice(start..end).trim().is_empty() {
                true => Err(Refusal::not_found("text", "between the title and the next heading")),
                false => Ok(std::iter::once(start..end).collect()),
            }
        }
        Ground::Table(None) => some(all(&|kind| kind == Kind::Table), "table"),
        Ground::Table(Some(name)) => Ok(vec![view.node(table(view, Some(name))?)?.range()]),
        Ground::Tasks => {
            let lists = view.nodes().filter(|(_, node)| {
                matches!(node.kind(), Kind::List(_))
                    && node.children().any(|item| matches!(item.kind(), Kind::Item(Some(_))))
            });
            some(lists.map(|(_, node)| node.range()).collect(), "list of tasks")
        }
        Ground::List(None) => some(all(&|kind| matches!(kind, Kind::List(_))), "list"),
        Ground::List(Some(name)) => {
            let own = markdown::section(view, section(view, name)?)?.range;
            let lists = all(&|kind| matches!(kind, Kind::List(_)));
            some(
                lists.into_iter().filter(|list| own.start <= list.start && list.end <= own.end).collect(),
                "list",
            )
        }
        Ground::Code => some(all(&|kind| matches!(kind, Kind::Code(_))), "code block"),
        Ground::Block { kind, picked, under } => {
            Ok(vec![view.node(block(view, *kind, picked, under.as_deref())?)?.range()])
        }
    }
}

/// Where a text stands, code included: whole words, exact case first.
pub(super) fn anywhere(view: &View, text: &str) -> Result<Vec<Match>, Refusal> {
    let all = view.text();
    let hits = crate::requests::rule::hits(text, |looked| {
        let case = if looked.case { Case::Sensitive } else { Case::Insensitive };
        let mut found = find(view, text, case);
        found.retain(|found| !looked.whole || crate::requests::rule::stands_alone(&all, &found.range));
        Ok(found)
    })?;
    Ok(hits.kept)
}

/// A text with one of the blanks around it, so that no two are left.
pub(super) fn with_blank(view: &View, range: &Range<usize>) -> Range<usize> {
    let all = view.text();
    // Marks around nothing would be left as asterisks.
    let mut range = range.clone();
    while let Some(outer) = view.node_at(range.start).and_then(|node| node.leaf()).and_then(|leaf| {
        let span = leaf.spans.iter().find(|span| span.inner == range && span.outer != range)?;
        Some(span.outer.clone())
    }) {
        range = outer;
    }
    let range = &range;
    // A line of a quote that had nothing else goes as a whole.
    let (start, end) = (view.line_start(range.start), view.line_end(range.start));
    let lead = all.part(start..range.start);
    let rest = all.part(range.end..end.max(range.end));
    let quoted = lead.contains('>') && lead.chars().all(|c| matches!(c, '>' | ' '));
    if quoted && rest.trim().is_empty() && range.end <= end {
        let before = all.part(..start);
        let behind = all.part(end..).trim_start_matches('\r');
        let line_before = before.trim_end_matches(['\n', '\r']).rsplit('\n').next().unwrap_or_default();
        if line_before.trim_start().starts_with('>') {
            return before.trim_end_matches(['\n', '\r']).len()..end;
        }
        if behind.trim_start_matches('\n').starts_with('>') {
            return start..all.len() - behind.len() + 1;
        }
    }
    let before = all.part(..range.start);
    let after = all.part(range.end..);
    let line_start = before.is_empty() || before.ends_with('\n');
    if after.starts_with(' ') && (before.ends_with(' ') || line_start) {
        return range.start..range.end + 1;
    }
    let closes = after.is_empty() || after.starts_with(['\n', '\r', '.', ',', ';', '!', '?', ')']);
    if before.ends_with(' ')
        && closes
        && !before.trim_end_matches(' ').ends_with('\n')
        && !before.trim().is_empty()
    {
        let line = before.rsplit('\n').next().unwrap_or_default();
        // The blank behind a bullet or a heading's mark belongs to the mark.
        let bare = line.trim().trim_start_matches(['-', '*', '+', '>', '#', '|']).trim();
        if !bare.is_empty() && !bare.ends_with('.') || closes && bare.len() > 3 {
            return range.start - 1..range.end;
        }
    }
    range.clone()
}

/// A text right before or behind the only place of another, with a blank between words.
pub(super) fn beside(
    view: &View,
    text: &str,
    anchor: &str,
    after: bool,
    grounds: &[Ground],
) -> Result<Edit, Refusal> {
    let inside = ranges(view, grounds)?;
    let found = spoken(view, anchor, &(0..view.len()), &|place| {
        grounds.is_empty() || inside.iter().any(|range| range.start <= place.start && place.end <= range.end)
    })?;
    let place = match found.as_slice() {
        [] => return Err(Refusal::not_found("text", anchor)),
        [only] => only.range.clone(),
        several => {
            let line = |found: &Match| {
                view.slice(view.line_start(found.range.start)..view.line_end(found.range.start))
                    .trim()
                    .to_owned()
            };
            return Err(Refusal::Ambiguous {
                text: anchor.to_owned(),
                count: several.len(),
                within: "the document".to_owned(),
                contexts: several.iter().take(6).map(line).collect(),
            });
        }
    };
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (at, text) = match after {
        true => {
            let gap = if word(text.chars().next()) { " " } else { "" };
            (place.end, format!("{gap}{text}"))
        }
        false => {
            let gap =
                if word(text.chars().next_back()) || text.ends_with([',', ':', ';']) { " " } else { "" };
            (place.start, format!("{text}{gap}"))
        }
    };
    Ok(spliced(view, vec![(at..at, text)]))
}

/// What a part says.
pub(super) fn text(view: &View, place: &Ground) -> Result<String, Refusal> {
    let parts = range(view, place)?.into_iter().map(|range| view.slice(range).into_owned());
    Ok(parts.collect::<Vec<_>>().join("\n"))
}

/// The bytes of one part: of "the checklist" and "the list" there may be only one.
pub(super) fn single(view: &View, place: &Ground) -> Result<Range<usize>, Refusal> {
    let mut found = range(view, place)?;
    // A list inside a list is part of it.
    let all = found.clone();
    found.retain(|own| {
        !all.iter().any(|outer| outer != own && outer.start <= own.start && own.end <= outer.end)
    });
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Refusal::not_found("place", place.to_string())),
        several => {
            let first = |range: &Range<usize>| {
                view.slice(range.clone())
                    .lines()
                    .next()
                    .map_or_else(String::new, |line| line.trim().to_owned())
            };
            Err(Refusal::Ambiguous {
                text: place.to_string(),
                count: several.len(),
                within: "the document".to_owned(),
                contexts: several.iter().take(6).map(first).collect(),
            })
        }
    }
}

/// How many there are, in the document or in a part of it.
pub(super) fn counted(view: &View, what: Count, place: Option<&Ground>) -> Result<String, Refusal> {
    let within = match place {
        Some(place) => single(view, place)?,
        None => 0..view.len(),
    };
    let table = matches!(place, Some(Ground::Table(_)));
    let checklist = matches!(place, Some(Ground::Tasks | Ground::List(_)));
    if what == Count::Rows && checklist || matches!(what, Count::Items | Count::Tasks) && table {
        return Err(Refusal::not_found(
            if table { "item" } else { "row" },
            place.map_or_else(String::new, ToString::to_string),
        ));
    }
    let inside: Vec<_> = view
        .nodes()
        .filter(|(_, node)| within.start <= node.range().start && node.range().end <= within.end)
        .map(|(_, node)| node)
        .collect();
    let count = |fits: &dyn Fn(&markdown::Node<'_>) -> bool| inside.iter().filter(|node| fits(node)).count();
    let outer =
        |node: &markdown::Node<'_>| !node.ancestors().any(|above| matches!(above.kind(), Kind::Item(_)));
    Ok(match what {
        Count::OpenTasks => format!("{} open tasks", count(&|node| node.kind() == Kind::Item(Some(false)))),
        Count::DoneTasks => format!("{} done tasks", count(&|node| node.kind() == Kind::Item(Some(true)))),
        Count::Tasks => format!("{} tasks", count(&|node| matches!(node.kind(), Kind::Item(Some(_))))),
        Count::Items => {
            let all = count(&|node| matches!(node.kind(), Kind::Item(_)));
            let own = count(&|node| matches!(node.kind(), Kind::Item(_)) && outer(node));
            match all == own {
                true => format!("{own} items"),
                false => format!("{own} items, and {} inside them", all - own),
            }
        }
        Count::Rows => format!("{} rows below the header", count(&|node| node.kind() == Kind::TableRow)),
        Count::Tables => format!("{} tables", count(&|node| node.kind() == Kind::Table)),
        Count::Paragraphs => {
            format!(
                "{} paragraphs",
                count(&|node| node.kind() == Kind::Paragraph && node.ancestors().next().is_none())
            )
        }
        Count::Links => {
            let links: usize = inside
                .iter()
                .filter_map(|node| node.leaf())
                .map(|leaf| {
                    leaf.spans
                        .iter()
                        .filter(|span| {
                            matches!(
                                span.kind,
                                markdown::SpanKind::Link { .. } | markdown::SpanKind::WikiLink { .. }
                            )
                        })
                        .count()
                })
                .sum();
            format!("{links} links")
        }
        Count::Words | Count::Sections => {
            return Err(Refusal::internal("counted elsewhere"));
        }
    })
}
