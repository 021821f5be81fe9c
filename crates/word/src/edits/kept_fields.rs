//! Fields that a rewritten text keeps: where the new text names one, it stays, and the text around it is rewritten.
//!
//! A field is named by what it shows, or by `<field/>`, in the order of the old text. One that is named elsewhere moves,
//! and one that is not named is left to the surgeon; if he would have to cut it, it goes (`gone_fields`).

use std::ops::Range;

use edit::{Cut, Refusal};

use crate::edits::anatomy::{Anatomy, Field};
use crate::edits::kept_marks::{self, slice};
use crate::edits::rewrite::Act;
use crate::text::tags::{Role, Tagged};

/// A stretch of the old text and what becomes of it.
pub(super) struct Segment {
    old: Range<usize>,
    new: Vec<Tagged>,
    /// A field, which stays; its new text is what it shall show.
    field: bool,
}

/// Gives each `<field/>` the text that its field shows.
pub(super) fn resolve(
    anatomy: &Anatomy<'_>,
    range: &Range<usize>,
    new: &mut [Tagged],
) -> Result<(), Refusal> {
    let fields = whole_fields(anatomy, range);
    let mut waiting = fields.iter();
    let marked = new.iter_mut().filter(|tagged| tagged.marks.role == Some(Role::Field));
    for (named, tagged) in (1..).zip(marked) {
        let field = waiting.next().ok_or_else(|| {
            let found = format!("number {named}, where the quoted text holds {},", fields.len());
            let expected = "a <field/> for each field that the quoted text holds whole";
            Refusal::invalid("<field/>", found, expected)
        })?;
        if tagged.text.is_empty() {
            tagged.text = anatomy.text.cut(field.result.clone())?.to_owned();
        }
    }
    Ok(())
}

/// The match and its new text, divided at the fields that stay.
pub(super) fn divide(anatomy: &Anatomy<'_>, range: &Range<usize>, new: Vec<Tagged>) -> Vec<Segment> {
    let whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let mut segments = Vec::new();
    let (mut from, mut to) = (range.start, 0);
    for (field, found) in in_order(anatomy, range, &new) {
        let Some(found) = found else { continue };
        segments.push(Segment {
            old: from..field.result.start,
            new: slice(&new, &(to..found.start)),
            field: false,
        });
        segments.push(Segment { old: field.result.clone(), new: slice(&new, &found), field: true });
        (from, to) = (field.result.end, found.end);
    }
    segments.push(Segment { old: from..range.end, new: slice(&new, &(to..whole.len())), field: false });
    segments
}

/// The fields of a match, each with the place of the new text that names it, as far as they stand in the same order there.
fn in_order<'a>(
    anatomy: &'a Anatomy<'_>,
    range: &Range<usize>,
    new: &[Tagged],
) -> Vec<(&'a Field, Option<Range<usize>>)> {
    let whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let mut marked: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for tagged in new {
        let end = at + tagged.text.len();
        if tagged.marks.role == Some(Role::Field) {
            marked.push(at..end);
        }
        at = end;
    }
    let mut to = 0;
    let mut placed = Vec::new();
    for field in whole_fields(anatomy, range) {
        let shown = anatomy.text.part(field.result.clone());
        let found = match marked.first() {
            Some(_) => Some(marked.remove(0)),
            None => {
                let before = anatomy.text.part(..field.result.start);
                named(&whole, to, shown, last_word(before))
            }
        };
        let found = found.filter(|found| found.start >= to);
        to = found.as_ref().map_or(to, |found| found.end);
        placed.push((field, found));
    }
    placed
}

/// Whether a field goes with words that somebody rewrites: it points at something that stands elsewhere. Those that
/// compute or hold something are only taken away by name.
fn may_go(field: &Field) -> bool {
    matches!(&*field.kind, "REF" | "PAGEREF" | "NOTEREF" | "HYPERLINK")
}

/// Fields that the new text does not have where the old one had them.
#[derive(Debug, Default)]
pub(super) struct Misplaced<'a> {
    /// With the place of the new text that names them, in the order of the new text.
    pub(super) moved: Vec<(&'a Field, Range<usize>)>,
    pub(super) unnamed: Vec<&'a Field>,
}

pub(super) fn misplaced<'a>(anatomy: &'a Anatomy<'_>, range: &Range<usize>, new: &[Tagged]) -> Misplaced<'a> {
    let whole: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
    let placed = in_order(anatomy, range, new);
    let mut taken: Vec<Range<usize>> = placed.iter().filter_map(|(_, found)| found.clone()).collect();
    let mut misplaced = Misplaced::default();
    for (field, _) in placed.into_iter().filter(|(_, found)| found.is_none()) {
        let shown = anatomy.text.part(field.result.clone());
        let before = last_word(anatomy.text.part(..field.result.start));
        let mut free = whole.clone();
        for known in &taken {
            free.replace_range(known.clone(), &"\0".repeat(known.len()));
        }
        match named(&free, 0, shown, before) {
            Some(found) => {
                taken.push(found.clone());
                misplaced.moved.push((field, found));
            }
            None if may_go(field) => misplaced.unnamed.push(field),
            None => {}
        }
    }
    // Words that are quoted to be deleted, and are a field and nothing else.
    if whole.is_empty() {
        let alone = |field: &&Field| {
            field.ends.is_some() && field.result == *range && !range.is_empty() && may_go(field)
        };
        misplaced.unnamed.extend(anatomy.fields.iter().find(alone));
    }
    misplaced.moved.sort_by_key(|(_, found)| found.start);
    misplaced
}

impl Segment {
    pub(super) fn acts(
        &self,
        anatomy: &Anatomy<'_>,
        whole: &str,
        key: kept_marks::Key<'_>,
    ) -> Result<Vec<Act>, Refusal> {
        let old = anatomy.text.part(self.old.clone());
        let same = self.new.iter().map(|tagged| tagged.text.as_str()).eq([old]);
        if self.field && same && self.new.iter().all(|tagged| tagged.marks.role == Some(Role::Field)) {
            return Ok(vec![Act::Keep { old: self.old.clone(), marks: Default::default() }]);
        }
        let new: String = self.new.iter().map(|tagged| tagged.text.as_str()).collect();
        kept_marks::check_order(anatomy, &self.old, &new, whole)?;
        kept_marks::acts(anatomy, &self.old, &self.new, key)
    }
}

/// Fields that begin, show something and end in `range`, and do not fill it alone; none inside another.
fn whole_fields<'a>(anatomy: &'a Anatomy<'_>, range: &Range<usize>) -> Vec<&'a Field> {
    let mut found: Vec<&Field> = Vec::new();
    for field in &anatomy.fields {
        let inside =
            range.start <= field.result.start && field.result.end <= range.end && field.result != *range;
        let apart = found.last().is_none_or(|last| last.result.end <= field.result.start);
        if field.ends.is_some() && !field.result.is_empty() && inside && apart {
            found.push(field);
        }
    }
    found
}

/// Where new text says what a field shows: behind the same word as before, or else for the first time.
fn named(text: &str, from: usize, shown: &str, before: Option<&str>) -> Option<Range<usize>> {
    let alone = |at: &usize| {
        let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let starts = shown.starts_with(char::is_alphanumeric);
        let ends = shown.ends_with(char::is_alphanumeric);
        let head = text.get(..*at).and_then(|head| head.chars().next_back());
        let tail = text.part(at + shown.len()..);
        // `4.2` does not stand in `4.2.1`.
        let deeper = tail.starts_with('.')
            && word(tail.chars().nth(1))
            && shown.ends_with(|c: char| c.is_ascii_digit());
        !(starts && word(head) || ends && word(tail.chars().next()) || deeper)
    };
    let rest = text.get(from..)?;
    let all: Vec<usize> = rest.match_indices(shown).map(|(at, _)| from + at).filter(alone).collect();
    let same = |at: &&usize| before.is_some() && last_word(text.part(..**at)) == before;
    let at = *all.iter().find(same).or(all.first())?;
    Some(at..at + shown.len())
}

fn last_word(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty())
}
