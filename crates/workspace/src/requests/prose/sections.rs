//! The edit that a step about sections or text means in a document as it stands.

use std::ops::Range;

use edit::{Cut, OrEmpty, Refusal};
use markdown::{BlockType, Case, Edit, Fixed, Kind, Match, NodeId, Spot, View};
use planner::{Ground, MarkdownStep, Picked, Place};

use super::section;
use crate::requests::rule::{self, Looked};

/// A `|` that nothing escapes.
fn bare_pipe(text: &str) -> bool {
    let mut escaped = false;
    text.chars().any(|c| {
        let found = c == '|' && !escaped;
        escaped = c == '\\' && !escaped;
        found
    })
}

/// Half a code block, and the mark of a footnote without its text, change what stands around them.
fn keeps_blocks(step: &MarkdownStep) -> Result<(), Refusal> {
    let fence = |text: &str| {
        let line = |line: &&str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        text.lines().filter(line).count() % 2 == 1
    };
    match step {
        MarkdownStep::Append { text, .. } | MarkdownStep::Replace { with: text, .. } if fence(text) => {
            Err(Refusal::Unsafe {
                why: "the new text opens a code block and does not close it".to_owned(),
                instead: Some("write the whole block, with both of its fences".to_owned()),
            })
        }
        MarkdownStep::Replace { text, .. } if fence(text) => Err(Refusal::Unsafe {
            why: "the fences hold a code block together".to_owned(),
            instead: Some("say: delete the code block, or quote the text inside it".to_owned()),
        }),
        MarkdownStep::Replace { text, with, .. } if text.trim().starts_with("[^") && !with.contains(text) => {
            Err(Refusal::Unsafe {
                why: format!("`{text}` marks a footnote, and its text at the end has the same mark"),
                instead: Some(
                    "quote the mark with the word before it, and the footnote's whole line, in two replacements"
                        .to_owned(),
                ),
            })
        }
        _ => Ok(()),
    }
}

pub(super) fn edit(view: &View, step: &MarkdownStep) -> Result<Edit, Refusal> {
    keeps_blocks(step)?;
    Ok(match step {
        MarkdownStep::AddSection { title, level, place, content } => {
            section_added(view, title, *level, place, content.as_deref())?
        }
        MarkdownStep::DeleteSection { title } => {
            let cut = cut(view, section(view, title)?)?;
            spliced(view, vec![cut])
        }
        MarkdownStep::DeleteHeading { title } => {
            let range = view.node(section(view, title)?)?.range();
            let all = view.text();
            let behind = all.cut(range.end..)?;
            let next = behind.trim_start_matches(['\n', '\r']);
            spliced(view, vec![(range.start..all.len() - next.len(), String::new())])
        }
        MarkdownStep::RenameSection { title, to } => {
            Edit::Update { node: section(view, title)?, content: to.clone() }
        }
        MarkdownStep::MoveSection { title, place } => {
            let heading = section(view, title)?;
            match place {
                Place::After(anchor) => Edit::MoveSection { heading, after: section(view, anchor)? },
                Place::Before(anchor) => moved(view, heading, Some(section(view, anchor)?))?,
                Place::End => moved(view, heading, None)?,
            }
        }
        MarkdownStep::RenameTitle { to } => title_renamed(view, to)?,
        MarkdownStep::Level { title, to } => leveled(view, section(view, title)?, i16::from(*to))?,
        MarkdownStep::Shift { title, by } => {
            let heading = section(view, title)?;
            let level = i16::from(markdown::section(view, heading)?.level);
            leveled(view, heading, level + i16::from(*by))?
        }
        MarkdownStep::Replace { text, with, all, within, prose, picked, grounds, except } => {
            let within = within.as_deref();
            let mut found = sought(view, text, within, grounds, except)?;
            if *prose {
                found.retain(|found| markdown::is_prose(view, &found.range));
            }
            let mut found = picked_of(found, text, picked.as_ref())?;
            if found.is_empty() {
                return Err(found_nowhere(text, within, grounds));
            }
            keeps_cells(view, &found, with)?;
            if !*all && picked.is_none() {
                found.truncate(1);
            }
            replaced(view, &found, text, with)
        }
        MarkdownStep::ShiftAll { by } => all_shifted(view, *by)?,
        MarkdownStep::Append { text, section: None } => inserted(view, None, text)?,
        MarkdownStep::Append { text, section: Some(name) } => appended(view, text, name)?,
        _ => return Err(Refusal::internal("no step about sections")),
    })
}

fn section_added(
    view: &View,
    title: &str,
    level: Option<u8>,
    place: &Place,
    content: Option<&str>,
) -> Result<Edit, Refusal> {
    let content = content.or_empty().to_owned();
    let (level, anchor) = match place {
        Place::After(anchor) | Place::Before(anchor) => {
            let anchor = section(view, anchor)?;
            (level.unwrap_or(markdown::section(view, anchor)?.level), Some(anchor))
        }
        Place::End => (level.unwrap_or_else(|| usual_level(view)), None),
    };
    Ok(match (place, anchor) {
        (Place::After(_), Some(after)) => {
            Edit::InsertSection { after, level, title: title.to_owned(), content }
        }
        (_, anchor) => {
            let mut text = format!("{} {title}", "#".repeat(usize::from(level)));
            if !content.is_empty() {
                text.push_str("\n\n");
                text.push_str(&content);
            }
            inserted(view, anchor, &text)?
        }
    })
}

fn title_renamed(view: &View, to: &str) -> Result<Edit, Refusal> {
    let outline = markdown::outline(view);
    let title = outline.iter().find(|heading| heading.level == 1).or(outline.first());
    let title = title.ok_or_else(|| Refusal::not_found("heading", "the title"))?;
    Ok(Edit::Update { node: title.id, content: to.to_owned() })
}

/// Where a text stands in the section and the blocks that were named, and not in those that were excepted.
fn sought(
    view: &View,
    text: &str,
    within: Option<&str>,
    grounds: &[Ground],
    except: &[Ground],
) -> Result<Vec<Match>, Refusal> {
    let range = match within {
        Some(name) => markdown::section(view, section(view, name)?)?.range,
        None => 0..view.len(),
    };
    let inside = super::ground::ranges(view, grounds)?;
    let outside = super::ground::ranges(view, except)?;
    let in_any = |ranges: &[Range<usize>], place: &Range<usize>| {
        ranges.iter().any(|range| range.start <= place.start && place.end <= range.end)
    };
    let meant =
        |place: &Range<usize>| (grounds.is_empty() || in_any(&inside, place)) && !in_any(&outside, place);
    // What is said of code is about code.
    let about_code = |ground: &Ground| {
        matches!(ground, Ground::Code | Ground::Block { kind: planner::BlockKind::Code, .. })
    };
    let mut found = match grounds.iter().any(about_code) {
        true => super::ground::anywhere(view, text)?,
        false => spoken(view, text, &range, &meant)?,
    };
    found.retain(|found| meant(&found.range));
    Ok(found)
}

/// The one of several that is meant, or all of them.
fn picked_of(found: Vec<Match>, text: &str, picked: Option<&Picked>) -> Result<Vec<Match>, Refusal> {
    let at = match picked {
        Some(Picked::Nth(at)) => Some(*at),
        Some(Picked::Last) => found.len().checked_sub(1),
        _ => None,
    };
    let Some(at) = at else { return Ok(found) };
    let count = found.len();
    let found: Vec<Match> = found.into_iter().skip(at).take(1).collect();
    match found.is_empty() {
        false => Ok(found),
        true => Err(Refusal::NotFound {
            what: "text",
            id: format!("number {} of {text}", at + 1),
            nearest: vec![format!("it stands there {count} times")],
        }),
    }
}

fn found_nowhere(text: &str, within: Option<&str>, grounds: &[Ground]) -> Refusal {
    let named: Vec<String> = within
        .iter()
        .map(|name| format!("the section {name}"))
        .chain(grounds.iter().map(ToString::to_string))
        .collect();
    let place = if named.is_empty() { String::new() } else { format!(" in {}", named.join(" or ")) };
    Refusal::not_found("text", format!("{text}{place}"))
}

/// A `|` of the new text would begin another cell.
fn keeps_cells(view: &View, found: &[Match], with: &str) -> Result<(), Refusal> {
    let in_table = |range: &Range<usize>| {
        view.nodes().any(|(_, node)| {
            let own = node.range();
            node.kind() == Kind::Table && own.start <= range.start && range.end <= own.end
        })
    };
    match bare_pipe(with) && found.iter().any(|found| in_table(&found.range)) {
        false => Ok(()),
        true => Err(Refusal::Unsafe {
            why: "a `|` in a table begins another cell".to_owned(),
            instead: Some(format!("write it as `\\|`: {}", with.replace('|', "\\|"))),
        }),
    }
}

fn replaced(view: &View, found: &[Match], text: &str, with: &str) -> Edit {
    let splices = found.iter().flat_map(|found| {
        // Of words that go, so does one of the blanks around them.
        match with.is_empty() {
            true => vec![(super::ground::with_blank(view, &found.range), String::new())],
            false => {
                let own = view.slice(found.range.clone());
                markdown::replacement(view, found, &rule::adapted(&own, text, with))
            }
        }
    });
    spliced(view, splices.collect())
}

fn all_shifted(view: &View, by: i8) -> Result<Edit, Refusal> {
    let outline = markdown::outline(view);
    let first = outline.first().map(|heading| heading.id);
    let titles = outline.iter().filter(|heading| heading.level == 1).count();
    // The one heading of the first level is the title.
    let meant: Vec<_> = outline
        .iter()
        .filter(|heading| !(titles == 1 && heading.level == 1 && Some(heading.id) == first))
        .collect();
    if meant.is_empty() {
        return Err(Refusal::not_found("heading", "below the title"));
    }
    let edits = meant
        .iter()
        .map(|heading| leveled(view, heading.id, i16::from(heading.level) + i16::from(by)))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Edit::Group { edits })
}

fn appended(view: &View, text: &str, name: &str) -> Result<Edit, Refusal> {
    let heading = section(view, name)?;
    let own = markdown::section(view, heading)?.range;
    // Behind its own text, before the sections inside it.
    let outline = markdown::outline(view);
    let inner = outline
        .iter()
        .map(|heading| heading.range.start)
        .find(|start| own.start < *start && *start < own.end);
    let end = inner.unwrap_or(own.end);
    // A footnote's text at the end is no text of the section.
    let notes = view
        .nodes()
        .filter(|(_, node)| node.kind() == markdown::Kind::Footnote)
        .map(|(_, node)| node.range().start)
        .filter(|start| own.start < *start && *start < end)
        .min();
    let end = match notes {
        Some(start)
            if view.nodes().all(|(_, node)| {
                let range = node.range();
                node.ancestors().next().is_some()
                    || range.start < start
                    || range.start >= end
                    || node.kind() == markdown::Kind::Footnote
            }) =>
        {
            start
        }
        _ => end,
    };
    let text_end = own.start + view.slice(own.start..end).trim_end().len();
    Ok(Edit::InsertBlock { at: text_end.saturating_sub(1), content: text.to_owned() })
}

/// What was not replaced though it looks alike: inside longer words, in another case, or in code.
pub(super) fn left_alone(view: &View, step: &MarkdownStep, edit: &Edit) -> Option<String> {
    let MarkdownStep::Replace { text, all: true, within: None, picked: None, grounds, except, .. } = step
    else {
        return None;
    };
    let Edit::Fixed(Fixed { spots, .. }) = edit else { return None };
    if text.is_empty() || !grounds.iter().all(|ground| *ground == planner::Ground::Code) || !except.is_empty()
    {
        return None;
    }
    let others = markdown::find(view, text, Case::Insensitive).into_iter().filter(|found| {
        let own = &found.range;
        !spots.iter().any(|spot| spot.range.start < own.end && own.start < spot.range.end)
    });
    let count = others.count();
    (count > 0).then(|| {
        format!("{count} more with \"{text}\" inside a longer word, in another case, or in code or an address were left alone")
    })
}

/// Where a text stands in what a reader reads, inside some bytes, by the one rule for texts that change. Code, addresses
/// and front matter are looked at only where no prose has it.
pub(super) fn spoken(
    view: &View,
    text: &str,
    inside: &Range<usize>,
    wanted: &dyn Fn(&Range<usize>) -> bool,
) -> Result<Vec<Match>, Refusal> {
    let all = view.text();
    let places = |looked: Looked, prose: bool| {
        let case = if looked.case { Case::Sensitive } else { Case::Insensitive };
        let mut found = markdown::find(view, text, case);
        found.retain(|found| {
            inside.start <= found.range.start
                && found.range.end <= inside.end
                && wanted(&found.range)
                && (!looked.whole || rule::stands_alone(&all, &found.range))
                && (!prose || markdown::is_prose(view, &found.range))
        });
        found
    };
    let prose = rule::hits(text, |looked| Ok(places(looked, true)))?;
    // As it was written it stands in code alone: another text in another case is not what was meant.
    let exact = places(Looked { case: true, whole: prose.looked.whole }, false).len();
    if !prose.kept.is_empty() && !prose.looked.case && exact > 0 {
        return Err(Refusal::NotFound {
            what: "text outside code and addresses",
            id: text.to_owned(),
            nearest: vec![format!(
                "it stands {exact} times in code: say `in code`; in another case it stands {} times",
                prose.kept.len()
            )],
        });
    }
    match prose.kept.is_empty() {
        false => Ok(prose.kept),
        true => Ok(rule::hits(text, |looked| Ok(places(looked, false)))?.kept),
    }
}

/// The level that sections of this document have, its title aside.
fn usual_level(view: &View) -> u8 {
    let outline = markdown::outline(view);
    let levels = outline.iter().map(|heading| heading.level);
    let titles = outline.iter().filter(|heading| heading.level == 1).count();
    levels.filter(|level| *level > 1 || titles > 1).min().unwrap_or(2)
}

fn leveled(view: &View, heading: NodeId, level: i16) -> Result<Edit, Refusal> {
    let level = u8::try_from(level).ok().filter(|level| (1..=6).contains(level));
    let level = level.ok_or_else(|| Refusal::invalid("level", "another level", "a level from 1 to 6"))?;
    Ok(Edit::SetBlock { range: view.node(heading)?.range(), to: BlockType::Heading { level } })
}

/// Bytes that become others, whatever they stand in.
pub(super) fn spliced(view: &View, mut splices: Vec<(Range<usize>, String)>) -> Edit {
    splices.sort_by_key(|(range, _)| range.start);
    let spot = |(range, with): (Range<usize>, String)| Spot {
        original: view.slice(range.clone()).into_owned(),
        range,
        with,
    };
    let spots = splices.into_iter().map(spot).collect();
    Edit::Fixed(Fixed { spots, guards: Vec::new(), summary: String::new() })
}

/// Blocks before a heading, or at the end of the document and of nothing in it.
fn inserted(view: &View, before: Option<NodeId>, text: &str) -> Result<Edit, Refusal> {
    let at =
        before.map(|heading| Ok::<_, Refusal>(markdown::section(view, heading)?.range.start)).transpose()?;
    Ok(spliced(view, vec![pasted(view, at, text)]))
}

/// The splice that puts blocks before the heading at these bytes, or at the end.
fn pasted(view: &View, before: Option<usize>, text: &str) -> (Range<usize>, String) {
    let eol = view.eol();
    let text = text.trim_end().replace("\r\n", "\n").replace('\n', eol);
    if let Some(at) = before {
        return (at..at, format!("{text}{eol}{eol}"));
    }
    let all = view.text();
    let kept = all.trim_end().len();
    let lead = if kept == 0 { String::new() } else { format!("{eol}{eol}") };
    let tail = if kept == all.len() && kept > 0 { "" } else { eol };
    (kept..all.len(), format!("{lead}{text}{tail}"))
}

/// The bytes of a section with the blank lines behind it, or before it at the end, and what stands there without it.
fn cut(view: &View, heading: NodeId) -> Result<(Range<usize>, String), Refusal> {
    let range = markdown::section(view, heading)?.range;
    let all = view.text();
    let behind = all.cut(range.end..)?;
    let next = behind.trim_start_matches(['\n', '\r']);
    if !next.trim().is_empty() {
        return Ok((range.start..all.len() - next.len(), String::new()));
    }
    let kept = all.cut(..range.start)?.trim_end().len();
    let end = if kept > 0 && !behind.is_empty() { view.eol() } else { "" };
    Ok((kept..all.len(), end.to_owned()))
}

/// A section taken to before another, or to the end.
fn moved(view: &View, heading: NodeId, before: Option<NodeId>) -> Result<Edit, Refusal> {
    let own = markdown::section(view, heading)?.range;
    let (gone, left) = cut(view, heading)?;
    let all = view.text();
    let text = view.slice(own.clone()).trim_end().to_owned();
    let last = all.cut(own.end..)?.trim().is_empty();
    let at = match before {
        Some(other) => markdown::section(view, other)?.range.start,
        None => all.trim_end().len(),
    };
    if own.start <= at && at < own.end {
        return Err(Refusal::Unsafe {
            why: "a section cannot move to a place inside itself".to_owned(),
            instead: Some("name a place outside the section".to_owned()),
        });
    }
    if at == gone.end || before.is_none() && last {
        return Ok(spliced(view, Vec::new()));
    }
    let paste = pasted(view, before.map(|_| at), &text);
    Ok(spliced(view, vec![(gone, left), paste]))
}
