//! What an edit damaged, found near the edit.
//!
//! A long document is saved many times with a few paragraphs changed, and reading all of it each time would take
//! longer than everything else about a save. Bytes that both states have by descent are equally right or wrong in
//! both, so only the paragraphs around what differs are read, before and after. What they have to do with the rest
//! of the story (ranges, fields, ids, notes) must be the same in both, or be looked up; where it is neither, or
//! where more than paragraphs changed, there is no answer here and everything is read.

use std::ops::Range;

use edit::{Blob, Content, Cut, PartName, Refusal, Shared};
use memchr::{memchr, memmem};
use ooxml::Relationships;
use ooxml::xml::{Document, XmlLimits};

use super::Problem;
use super::story::{Facts, facts};
use crate::document::layout::{Layout, Story};

/// Reading more than this around the changes is no saving.
const MOST_BYTES: usize = 8 << 20;
/// Ids that are worth a search of the story each.
const MOST_SEARCHES: usize = 4;

/// The problems that `after` has and `before` had not; `None` if that takes reading everything.
pub(super) fn new_problems(before: &Content, after: &Content) -> Result<Option<Vec<Problem>>, Refusal> {
    if !before.names().eq(after.names()) {
        return Ok(None);
    }
    let layout = Layout::read(after)?;
    let mut new = Vec::new();
    for name in after.names().filter(|name| !after.shares(name, before)) {
        let Some((story, _)) = layout.stories.iter().find(|(_, part)| part == name) else { return Ok(None) };
        let (Some(old), Some(now)) = (before.read(name)?, after.read(name)?) else { return Ok(None) };
        let Ok(relationships) = Relationships::of_part(after, name) else { return Ok(None) };
        let Some(problems) = of_part(&old, &now, *story, name, &relationships) else { return Ok(None) };
        new.extend(problems);
    }
    new.sort();
    Ok(Some(new))
}

fn of_part(
    old: &Blob,
    now: &Blob,
    story: Story,
    name: &PartName,
    relationships: &Relationships,
) -> Option<Vec<Problem>> {
    let root = root_of(now)?;
    let shared = now.shared_with(old);
    let (first, last) = (shared.first()?, shared.last()?);
    let framed = (first.here.start, first.there.start) == (0, 0)
        && first.here.end >= root.tag.len()
        && (last.here.end, last.there.end) == (now.len(), old.len());
    if !framed {
        return None;
    }
    let (mut was, mut is) = (Stretches::below(&root), Stretches::below(&root));
    let mut read = 0;
    let windows = windows(now, &shared, root.tag.len())?;
    let count = windows.len();
    for window in windows {
        let (before, after) = (old.slice(window.there), now.slice(window.here));
        read += before.len() + after.len();
        let (before, after) = (was.add(&before)?, is.add(&after)?);
        if read > MOST_BYTES || before != after {
            return None;
        }
    }
    let (was, is) = (was.parse()?, is.parse()?);
    let facts = |stretches: &Document| -> Vec<Facts> {
        stretches.root().elements().map(|one| facts(one, story, name.as_str(), relationships)).collect()
    };
    let (befores, afters) = (facts(&was), facts(&is));
    // A stretch that is broken must not be mended by the next.
    if (befores.len(), afters.len()) != (count, count) {
        return None;
    }
    let (mut was, mut is) = (Facts::default(), Facts::default());
    for (before, after) in befores.into_iter().zip(afters) {
        let balanced = |facts: &Facts| -> Vec<_> {
            let open = facts.ranges.iter().filter(|(_, balance)| **balance != 0);
            open.map(|(range, balance)| (range.clone(), *balance)).collect()
        };
        if before.fields != after.fields || balanced(&before) != balanced(&after) {
            return None;
        }
        add(&mut was, before);
        add(&mut is, after);
    }
    let fits = without(is.referred, &was.referred).is_empty()
        && ids_fit(now, &without(is.ids, &was.ids))
        && paragraph_ids_fit(now, &without(is.paragraph_ids, &was.paragraph_ids));
    fits.then(|| without(is.problems, &was.problems))
}

/// The paragraphs of many stretches, to be read at once: each time of its own would be spent on the names of a document.
struct Stretches<'a> {
    root: &'a Root,
    source: Vec<u8>,
}

impl<'a> Stretches<'a> {
    fn below(root: &'a Root) -> Self {
        Self { root, source: root.tag.clone() }
    }

    /// Adds the paragraphs of a stretch, below an element of their own that is called as the root, and returns what
    /// stands around them.
    fn add(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let name = &self.root.name;
        let Split { paragraphs, frame } = split(bytes)?;
        for piece in [b"<", &**name, b">", &paragraphs, b"</", name, b">"] {
            self.source.extend_from_slice(piece);
        }
        Some(frame)
    }

    fn parse(mut self) -> Option<Document> {
        for piece in [b"</", &*self.root.name, b">"] {
            self.source.extend_from_slice(piece);
        }
        Document::parse(&Blob::from(self.source), &XmlLimits::default()).ok()
    }
}

fn add(all: &mut Facts, more: Facts) {
    all.problems.extend(more.problems);
    all.ids.extend(more.ids);
    all.paragraph_ids.extend(more.paragraph_ids);
    all.referred.extend(more.referred);
}

/// Those of `all` that are left when each of `known` takes one away.
fn without<T: Ord + Clone>(mut all: Vec<T>, known: &[T]) -> Vec<T> {
    let mut known = known.to_vec();
    known.sort();
    all.sort();
    let mut known = known.into_iter().peekable();
    all.retain(|one| {
        while known.next_if(|known| known < one).is_some() {}
        known.next_if(|known| known == one).is_none()
    });
    all
}

/// Whether new revisions surely have ids that no bookmark has, and no bookmark is new.
fn ids_fit(now: &Blob, new: &[(String, &'static str)]) -> bool {
    if new.is_empty() || new.iter().any(|(_, what)| *what != "revision") {
        return new.is_empty();
    }
    let ids: std::collections::BTreeSet<&str> = new.iter().map(|(id, _)| id.as_str()).collect();
    let mut free = true;
    each(now, b"bookmarkStart", |rest| {
        let tag = memchr(b'>', rest).and_then(|end| rest.get(..end)).unwrap_or(rest);
        free &= crate::document::names::attribute(tag, "id").is_some_and(|id| !ids.contains(&*id));
    });
    free
}

fn paragraph_ids_fit(now: &Blob, new: &[String]) -> bool {
    new.len() <= MOST_SEARCHES
        && new.iter().all(|id| {
            let mut count = 0;
            each(now, id.as_bytes(), |_| count += 1);
            count == 1
        })
}

/// Calls `take` with what stands from each occurrence of `needle` on, some hundred bytes of it at least.
fn each(blob: &Blob, needle: &[u8], mut take: impl FnMut(&[u8])) {
    const STEP: usize = 1 << 20;
    const MORE: usize = 512;
    let finder = memmem::Finder::new(needle);
    for start in (0..blob.len()).step_by(STEP) {
        let bytes = blob.slice(start..start + STEP + MORE);
        for at in finder.find_iter(&bytes).take_while(|at| *at < STEP) {
            take(bytes.part(at..));
        }
    }
}

struct Root {
    tag: Vec<u8>,
    name: Vec<u8>,
}

/// The start tag of the root with what stands before it, if paragraphs are `w:p` below it.
fn root_of(blob: &Blob) -> Option<Root> {
    let start = blob.slice(0..64 << 10);
    let mut at = memchr(b'<', &start)?;
    while start.get(at + 1) == Some(&b'?') {
        at += memmem::find(start.get(at..)?, b"?>")?;
        at += memchr(b'<', start.get(at..)?)?;
    }
    let end = at + tag_end(start.get(at..)?)?;
    let tag = start.get(at..end)?;
    let name: Vec<u8> =
        tag.get(1..)?.iter().copied().take_while(|byte| !b" \t\r\n/>".contains(byte)).collect();
    let plain = name.starts_with(b"w:") && !tag.ends_with(b"/>");
    plain.then(|| Root { tag: start.part(..end).to_vec(), name })
}

/// Bytes up to and with the `>` that ends the tag at the start of `bytes`.
fn tag_end(bytes: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), byte) if open == *byte => quote = None,
            _ => {}
        }
    }
    None
}

/// A stretch that holds all of a change, from the end of a paragraph to the end of a paragraph, both of them in
/// what is shared.
struct Window {
    here: Range<usize>,
    there: Range<usize>,
}

const END: &[u8] = b"</w:p>";

fn windows(now: &Blob, shared: &[Shared], start: usize) -> Option<Vec<Window>> {
    let there = |run: &Shared, here: usize| run.there.start + (here - run.here.start);
    let mut windows: Vec<Window> = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for pair in shared.windows(2) {
        let [left, right] = pair else { continue };
        let (begin, begin_there) = open.unwrap_or_else(|| {
            // Where the window before it ends, which is in the same run, or where the root begins.
            let floor = windows.last().map_or(start, |window| window.here.end);
            let begin = last_end(now, floor..left.here.end).unwrap_or(floor);
            (begin, there(left, begin))
        });
        // Without an end before the next change, both are looked at together.
        open = match balanced_end(now, begin, right.here.clone())? {
            Some(end) => {
                windows.push(Window { here: begin..end, there: begin_there..there(right, end) });
                None
            }
            None => Some((begin, begin_there)),
        };
    }
    open.is_none().then_some(windows)
}

/// Behind the last end of a paragraph in `range`.
fn last_end(now: &Blob, range: Range<usize>) -> Option<usize> {
    let mut step = 4 << 10;
    loop {
        let from = range.end.saturating_sub(step).max(range.start);
        let bytes = now.slice(from..range.end);
        if let Some(at) = memmem::rfind(&bytes, END) {
            return Some(from + at + END.len());
        }
        if from == range.start {
            return None;
        }
        step *= 4;
    }
}

/// Behind the first end of a paragraph in `within` at which no paragraph that began since `begin` is open. The
/// inner `None` if there is none in `within`.
fn balanced_end(now: &Blob, begin: usize, within: Range<usize>) -> Option<Option<usize>> {
    let mut step = 4 << 10;
    loop {
        let to = within.end.min(within.start + step);
        let bytes = now.slice(begin..to);
        let mut from = within.start - begin;
        for _ in 0..64 {
            let Some(at) = memmem::find(bytes.get(from..)?, END) else { break };
            from += at + END.len();
            if depth(bytes.get(..from)?)? == 0 {
                return Some(Some(begin + from));
            }
        }
        if to == within.end || bytes.len() > MOST_BYTES {
            return Some(None);
        }
        step *= 4;
    }
}

fn depth(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0;
    walk(bytes, |now, _| depth = now)?;
    Some(depth)
}

/// The paragraphs of a stretch, one behind the other, and what stands around them, where one or several paragraphs
/// in a row are a zero byte.
struct Split {
    paragraphs: Vec<u8>,
    frame: Vec<u8>,
}

fn split(bytes: &[u8]) -> Option<Split> {
    let mut split = Split { paragraphs: Vec::new(), frame: Vec::new() };
    let mut done = 0;
    let mut depth = 0;
    walk(bytes, |now, at| {
        if depth == 0 {
            split.frame.extend_from_slice(bytes.part(done..at.start));
            done = at.start;
        }
        if now == 0 {
            split.paragraphs.extend_from_slice(bytes.part(done..at.end));
            if split.frame.last() != Some(&0) {
                split.frame.push(0);
            }
            done = at.end;
        }
        depth = now;
    })?;
    split.frame.extend_from_slice(bytes.part(done..));
    (depth == 0).then_some(split)
}

/// Calls `take` for each tag that begins or ends a paragraph, with the depth behind it and where it stands. `None`
/// if one ends that did not begin, or if there is anything but elements and text.
fn walk(bytes: &[u8], mut take: impl FnMut(usize, Range<usize>)) -> Option<()> {
    let (mut at, mut depth) = (0, 0usize);
    while let Some(next) = memchr(b'<', bytes.get(at..)?) {
        at += next;
        let rest = bytes.get(at..)?;
        let length = match rest {
            [b'<', b'!' | b'?', ..] => return None,
            [b'<', b'/', b'w', b':', b'p', b'>', ..] => {
                depth = depth.checked_sub(1)?;
                take(depth, at..at + END.len());
                END.len()
            }
            [b'<', b'w', b':', b'p', b' ' | b'>' | b'/' | b'\t' | b'\r' | b'\n', ..] => {
                let length = tag_end(rest)?;
                depth += usize::from(!rest.get(..length)?.ends_with(b"/>"));
                take(depth, at..at + length);
                length
            }
            _ => 1,
        };
        at += length;
    }
    Some(())
}
