//! What another program moved: sections known by their titles, and edits that go with them.
//!
//! A comparison by lines sees nothing but text, and where two sections say alike things it takes one for the other. So
//! lines are compared only within the section they belong to; a section that stands elsewhere is gone there and new here,
//! and an edit of it is found again by its heading and its block, if both are the only ones of their kind.

use std::collections::BTreeMap;
use std::ops::Range;

use edit::{Content, Format as _, OrEmpty, Patch, Refusal};

use crate::PART;
use crate::format::{Markdown, part};
use crate::view::{Node, View};
use crate::vocabulary::{Edit, Fixed, Guard, Spot};

struct Section {
    /// Where its lines start.
    start: usize,
    title: String,
    /// What stands between its heading and the next.
    body: String,
    children: Vec<usize>,
}

/// The patch from one text to another that another program wrote.
pub fn difference(from: &Content, to: &Content) -> Result<Patch, Refusal> {
    let (old, new) = (Markdown::view(from)?, Markdown::view(to)?);
    let endings = match (old.eol(), new.eol()) {
        ("\n", "\r\n") | ("\r\n", "\n") => other_endings(&old, new.eol())?,
        _ => Patch::new(),
    };
    let between = endings.apply(from)?;
    Ok(endings.then(&by_sections(&Markdown::view(&between)?, &new)?))
}

/// The same lines with other endings.
fn other_endings(view: &View, eol: &str) -> Result<Patch, Refusal> {
    let text = view.text();
    let bytes = text.as_bytes();
    let mut patch = Patch::new();
    for at in memchr::memchr_iter(b'\n', bytes) {
        let returns = at.checked_sub(1).is_some_and(|before| bytes.get(before) == Some(&b'\r'));
        match (returns, eol) {
            // The whole ending is replaced: what stands at the end of a line stays before it.
            (false, "\r\n") => patch.splice(&part(), at..at + 1, "\r\n")?,
            (true, "\n") => patch.splice(&part(), at - 1..at + 1, "\n")?,
            _ => {}
        }
    }
    Ok(patch)
}

/// Section by section: those that kept their order are compared, the others go and come whole.
fn by_sections(old: &View, new: &View) -> Result<Patch, Refusal> {
    let (old_sections, new_sections) = (sections(old), sections(new));
    let mut names = Names { old: vec![0; old_sections.len()], new: vec![0; new_sections.len()], next: 1 };
    names.pair(&old_sections, 0, &new_sections, 0);
    let now: BTreeMap<u32, usize> =
        names.new.iter().enumerate().map(|(index, name)| (*name, index)).collect();
    let pairs: Vec<(usize, usize)> =
        names.old.iter().enumerate().filter_map(|(index, name)| Some((index, *now.get(name)?))).collect();
    let start = |sections: &[Section], index: usize, view: &View| {
        sections.get(index).map_or(view.len(), |section| section.start)
    };
    let mut patch = Patch::new();
    let gap = |patch: &mut Patch, old_range: Range<usize>, new_range: Range<usize>| -> Result<(), Refusal> {
        let text = new.slice(new_range);
        if !old_range.is_empty() || !text.is_empty() {
            patch.splice(&part(), old_range, &*text)?;
        }
        Ok(())
    };
    let (mut old_end, mut new_end) = (0, 0);
    for (a, b) in in_order(&pairs) {
        let (old_range, new_range) = (
            start(&old_sections, a, old)..start(&old_sections, a + 1, old),
            start(&new_sections, b, new)..start(&new_sections, b + 1, new),
        );
        gap(&mut patch, old_end..old_range.start, new_end..new_range.start)?;
        let (before, after) = (old.slice(old_range.clone()), new.slice(new_range.clone()));
        for splice in edit::diff(before.as_bytes(), after.as_bytes()) {
            let range = splice.range.start + old_range.start..splice.range.end + old_range.start;
            patch.splice(&part(), range, splice.with)?;
        }
        (old_end, new_end) = (old_range.end, new_range.end);
    }
    gap(&mut patch, old_end..old.len(), new_end..new.len())?;
    Ok(patch)
}

/// The most of these pairs, which are in the order of the first, that are in the order of the second too.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // By length: the index of the pair that ends such a row lowest; and for each pair the one before it in its row.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, (_, second)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *second);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut row: Vec<(usize, usize)> = std::iter::successors(ends.last().copied(), |index| before[*index])
        .map(|index| pairs[index])
        .collect();
    row.reverse();
    row
}

/// The sections of the top level in document order; the first is what stands before all headings.
fn sections(view: &View) -> Vec<Section> {
    let mut sections =
        vec![Section { start: 0, title: String::new(), body: String::new(), children: Vec::new() }];
    let mut open: Vec<(u8, usize)> = vec![(0, 0)];
    let mut body = 0;
    for node in view.top() {
        let Some(level) = node.kind().level() else { continue };
        let start = view.line_start(node.range().start);
        if let Some(last) = sections.last_mut() {
            last.body = plain(&view.slice(body..start));
        }
        body = node.range().end;
        open.retain(|(above, _)| *above < level);
        let index = sections.len();
        if let Some((_, parent)) = open.last()
            && let Some(parent) = sections.get_mut(*parent)
        {
            parent.children.push(index);
        }
        open.push((level, index));
        sections.push(Section {
            start,
            title: plain(&node.source()),
            body: String::new(),
            children: Vec::new(),
        });
    }
    if let Some(last) = sections.last_mut() {
        last.body = plain(&view.slice(body..view.len()));
    }
    sections
}

/// Text without what line endings and blanks at its ends make of it.
fn plain(text: &str) -> String {
    text.replace('\r', "").trim().to_owned()
}

/// One number for each section, the same in both where it is the same section.
struct Names {
    old: Vec<u32>,
    new: Vec<u32>,
    next: u32,
}

impl Names {
    /// Give both sections a name, and look for pairs among what is below them.
    fn pair(&mut self, old: &[Section], old_at: usize, new: &[Section], new_at: usize) {
        let (Some(above), Some(below)) = (old.get(old_at), new.get(new_at)) else { return };
        (self.old[old_at], self.new[new_at]) = (self.next, self.next);
        self.next += 1;
        let mut titles: BTreeMap<&str, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for child in &above.children {
            titles.entry(&old[*child].title).or_default().0.push(*child);
        }
        for child in &below.children {
            titles.entry(&new[*child].title).or_default().1.push(*child);
        }
        let (mut left_old, mut left_new) = (Vec::new(), Vec::new());
        let mut pairs = Vec::new();
        for (olds, news) in titles.into_values() {
            let differing = olds.iter().zip(&news).filter(|(a, b)| old[**a].body != new[**b].body).count();
            if olds.len() == news.len() && (olds.len() == 1 || differing <= 1) {
                pairs.extend(olds.into_iter().zip(news));
            } else {
                left_old.extend(olds);
                left_new.extend(news);
            }
        }
        // What is left was renamed, or there are several of one title: the only ones with a text belong together.
        let same_text = |a: &usize, b: &usize| old[*a].body == new[*b].body && !old[*a].body.is_empty();
        let found: Vec<(usize, usize)> = left_old
            .iter()
            .filter_map(|a| {
                let mut fits = left_new.iter().filter(|b| same_text(a, b));
                let (Some(b), None) = (fits.next(), fits.next()) else { return None };
                (left_old.iter().filter(|a| same_text(a, b)).count() == 1).then_some((*a, *b))
            })
            .collect();
        left_old.retain(|a| !found.iter().any(|(paired, _)| paired == a));
        left_new.retain(|b| !found.iter().any(|(_, paired)| paired == b));
        pairs.extend(found);
        if let ([a], [b]) = (left_old.as_slice(), left_new.as_slice()) {
            pairs.push((*a, *b));
        } else {
            for child in left_old {
                self.alone(old, child, true);
            }
            for child in left_new {
                self.alone(new, child, false);
            }
        }
        for (a, b) in pairs {
            self.pair(old, a, new, b);
        }
    }

    /// A section that the other text does not have, with all below it.
    fn alone(&mut self, sections: &[Section], at: usize, is_old: bool) {
        let names = if is_old { &mut self.old } else { &mut self.new };
        if let Some(name) = names.get_mut(at) {
            *name = self.next;
        }
        self.next += 1;
        for child in sections.get(at).map(|section| section.children.clone()).or_empty() {
            self.alone(sections, child, is_old);
        }
    }
}

/// An edit where its blocks stand now, if each is the only one of its kind before and after.
pub fn found_again(edit: &Edit, before: &View, after: &View) -> Option<Edit> {
    let Edit::Fixed(fixed) = edit else { return None };
    let (old, new) = (by_key(before), by_key(after));
    let moved = |range: &Range<usize>| -> Option<Range<usize>> {
        let top: Vec<Node<'_>> = before.top().collect();
        let index = top.partition_point(|node| before.line_start(node.range().start) <= range.start);
        let node = top.get(index.checked_sub(1)?)?;
        let key = key_of(node);
        let [start] = old.get(&key)?.as_slice() else { return None };
        let [now] = new.get(&key)?.as_slice() else { return None };
        let start = (now + range.start).checked_sub(*start)?;
        let found = start..start + range.len();
        (*after.slice(found.clone()) == *before.slice(range.clone()) && found.end <= after.len())
            .then_some(found)
    };
    let spots: Option<Vec<Spot>> =
        fixed.spots.iter().map(|spot| Some(Spot { range: moved(&spot.range)?, ..spot.clone() })).collect();
    let guards: Option<Vec<Guard>> = fixed
        .guards
        .iter()
        .map(|guard| Some(Guard { range: moved(&guard.range)?, hash: guard.hash }))
        .collect();
    Some(Edit::Fixed(Fixed { spots: spots?, guards: guards?, summary: fixed.summary.clone() }))
}

/// The heading that a block stands below, and its text.
type Key = (String, String);

fn key_of(node: &Node<'_>) -> Key {
    let heading =
        std::iter::successors(Some(*node), Node::previous).find(|node| node.kind().level().is_some());
    (heading.map_or_else(String::new, |heading| plain(&heading.source())), plain(&node.source()))
}

fn by_key(view: &View) -> BTreeMap<Key, Vec<usize>> {
    let mut found: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    let mut heading = String::new();
    for node in view.top() {
        let text = plain(&node.source());
        if node.kind().level().is_some() {
            heading.clone_from(&text);
        }
        found.entry((heading.clone(), text)).or_default().push(node.range().start);
    }
    found
}

/// A range that a patch only gave other line endings, with the text that stood there as it is now.
pub(crate) fn with_other_endings(
    patch: &Patch,
    range: &Range<usize>,
    text: Option<&str>,
) -> Option<(Range<usize>, String)> {
    let splices = patch.splices(PART);
    let reaches = |splice: &&edit::Splice| splice.range.start < range.end && range.start < splice.range.end;
    let inside: Vec<&edit::Splice> = splices.iter().filter(reaches).collect();
    let whole = |splice: &&edit::Splice| range.start <= splice.range.start && splice.range.end <= range.end;
    if inside.is_empty() || !inside.iter().all(|splice| whole(splice) && ending(splice) != Endings::Kept) {
        return None;
    }
    let start = patch.map(PART, range.start, edit::Gravity::Left);
    let grown: isize =
        inside.iter().map(|splice| splice.with.len() as isize - splice.range.len() as isize).sum();
    let found = start..(start + range.len()).saturating_add_signed(grown);
    let Some(text) = text else { return Some((found, String::new())) };
    let mut now = String::new();
    let mut at = range.start;
    for splice in inside {
        now.push_str(text.get(at - range.start..splice.range.start - range.start)?);
        now.push_str(std::str::from_utf8(&splice.with.bytes()).ok()?);
        at = splice.range.end;
    }
    now.push_str(text.get(at - range.start..)?);
    (now.replace('\r', "") == text.replace('\r', "")).then_some((found, now))
}

/// What a patch did to all line endings, if that is what it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endings {
    Kept,
    Longer,
    Shorter,
}

/// What a splice does to the end of a line, if it does nothing else.
fn ending(splice: &edit::Splice) -> Endings {
    match (splice.range.len(), &*splice.with.bytes()) {
        (1, b"\r\n") => Endings::Longer,
        (2, b"\n") => Endings::Shorter,
        _ => Endings::Kept,
    }
}

impl Endings {
    /// What was done to most of what changed: other lines may have got other text by the way.
    pub(crate) fn of(patch: &Patch) -> Self {
        let splices = patch.splices(PART);
        let most =
            |kind: Self| splices.iter().filter(|splice| ending(splice) == kind).count() * 2 > splices.len();
        match () {
            () if most(Self::Longer) => Self::Longer,
            () if most(Self::Shorter) => Self::Shorter,
            () => Self::Kept,
        }
    }

    /// New text with these endings.
    pub(crate) fn given(self, with: &str) -> String {
        match self {
            Self::Kept => with.to_owned(),
            Self::Longer => with.replace("\r\n", "\n").replace('\n', "\r\n"),
            Self::Shorter => with.replace("\r\n", "\n"),
        }
    }
}
