//! Matching by trying, for patterns that refer back to what they matched.

use std::ops::Range;

use edit::{Cut, Refusal};

use super::{Item, Match, What};
use crate::text::tokens::{cuts_a_picture, picture_at};

/// Steps per search. Far above what a sensible pattern needs on a paragraph, far below a second.
const BUDGET: usize = 2_000_000;

/// The matcher calls itself once for each character it holds on to, and the stack has an end.
const DEEPEST: usize = 2_000;

pub(super) fn find_all(items: &[Item], text: &str) -> Result<Vec<Match>, Refusal> {
    let mut search = Search { text, steps: 0, depth: 0, groups: vec![None; count(items)] };
    let mut found = Vec::new();
    let mut at = 0;
    while at <= text.len() {
        search.groups.fill(None);
        let rest: Rest<'_> = Rest { items, then: None };
        match search.run(&rest, at)? {
            Some(end) if end > at => {
                found.push(Match { range: at..end, groups: search.groups.clone() });
                at = end;
            }
            _ => at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8),
        }
    }
    Ok(found)
}

fn count(items: &[Item]) -> usize {
    let highest = items.iter().map(|item| match &item.what {
        What::Group { number, items } => (*number).max(count(items)),
        _ => 0,
    });
    highest.max().unwrap_or(0)
}

/// What is still to match, innermost first.
struct Rest<'a> {
    items: &'a [Item],
    then: Option<&'a Then<'a>>,
}

enum Then<'a> {
    /// One more turn of a repeated group is over.
    Again { item: &'a Item, done: u32, started: usize, group: usize, rest: &'a Rest<'a> },
}

struct Search<'t> {
    text: &'t str,
    steps: usize,
    depth: usize,
    groups: Vec<Option<Range<usize>>>,
}

impl Search<'_> {
    fn run(&mut self, rest: &Rest<'_>, at: usize) -> Result<Option<usize>, Refusal> {
        self.steps += 1;
        if self.steps > BUDGET || self.depth > DEEPEST {
            return Err(Refusal::Limit {
                what: "the work for a pattern with a back-reference".into(),
                found: "more".to_owned(),
                limit: format!("{BUDGET} steps"),
            });
        }
        self.depth += 1;
        let result = self.step(rest, at);
        self.depth -= 1;
        result
    }

    fn step(&mut self, rest: &Rest<'_>, at: usize) -> Result<Option<usize>, Refusal> {
        let Some((item, more)) = rest.items.split_first() else {
            return match rest.then {
                None => Ok(Some(at)),
                Some(Then::Again { item, done, started, group, rest }) => {
                    let before = self.set(*group, Some(*started..at));
                    // A turn that took nothing would go on for ever.
                    let found = match at == *started {
                        true => self.run(rest, at)?,
                        false => self.turns(item, done + 1, rest, at)?,
                    };
                    if found.is_none() {
                        self.set(*group, before);
                    }
                    Ok(found)
                }
            };
        };
        let after = Rest { items: more, then: rest.then };
        match &item.what {
            What::Group { .. } => self.turns(item, 0, &after, at),
            _ => self.single(item, &after, at),
        }
    }

    fn set(&mut self, group: usize, to: Option<Range<usize>>) -> Option<Range<usize>> {
        self.groups.get_mut(group.wrapping_sub(1)).and_then(|slot| std::mem::replace(slot, to))
    }

    fn turns(
        &mut self,
        item: &Item,
        done: u32,
        rest: &Rest<'_>,
        at: usize,
    ) -> Result<Option<usize>, Refusal> {
        let What::Group { number, items } = &item.what else { return Ok(None) };
        let may_stop = done >= item.least;
        let may_go = item.most.is_none_or(|most| done < most);
        if may_stop
            && !item.greedy
            && let Some(end) = self.run(rest, at)?
        {
            return Ok(Some(end));
        }
        if may_go {
            let then = Then::Again { item, done, started: at, group: *number, rest };
            if let Some(end) = self.run(&Rest { items, then: Some(&then) }, at)? {
                return Ok(Some(end));
            }
        }
        if may_stop && item.greedy { self.run(rest, at) } else { Ok(None) }
    }

    /// Something that always takes the same at one place, so its ends can be listed and tried.
    fn single(&mut self, item: &Item, rest: &Rest<'_>, at: usize) -> Result<Option<usize>, Refusal> {
        let mut ends = vec![at];
        let mut end = at;
        while item.most.is_none_or(|most| (ends.len() as u64) <= u64::from(most)) {
            self.steps += 1;
            match self.once(&item.what, end) {
                Some(next) if next > end || ends.len() as u64 <= u64::from(item.least) => {
                    end = next;
                    ends.push(end);
                }
                _ => break,
            }
        }
        let allowed = ends.left(item.least as usize);
        let mut order: Vec<usize> = allowed.to_vec();
        if item.greedy {
            order.reverse();
        }
        for end in order {
            if let Some(found) = self.run(rest, end)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn once(&self, what: &What, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let next = rest.chars().next();
        let behind = self.text.get(..at)?.chars().next_back();
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let take = |matches: bool| matches.then(|| at + next.map_or(0, char::len_utf8));
        match what {
            What::Literal(wanted) => take(next == Some(*wanted)),
            What::Any => {
                let end = at + next.map(char::len_utf8)?;
                Some(if cuts_a_picture(self.text, end) { at + picture_at(self.text, at).len() } else { end })
            }
            What::Set { negated, ranges } => {
                let character = next?;
                let inside = ranges.iter().any(|(low, high)| (*low..=*high).contains(&character));
                take(inside != *negated)
            }
            What::WordStart => (!word(behind) && word(next)).then_some(at),
            What::WordEnd => (word(behind) && !word(next)).then_some(at),
            What::Back(number) => {
                let group = self.groups.get(number.wrapping_sub(1))?.clone()?;
                let wanted = self.text.get(group)?;
                rest.starts_with(wanted).then(|| at + wanted.len())
            }
            What::Group { .. } => None,
        }
    }
}
