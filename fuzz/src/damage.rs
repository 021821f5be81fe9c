//! Accidents that happen to packages: elements lost, doubled and moved, attributes with other values, parts gone.

use std::ops::Range;

use libfuzzer_sys::fuzzer_mutate;

use testkit::Chance;

use crate::Bundle;

const VALUES: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "2",
    "255",
    "65535",
    "2147483647",
    "-2147483648",
    "4294967295",
    "99999999999999999999",
    "1e308",
    "NaN",
    "true",
    "none",
    "auto",
    "rId1",
    "A1",
    "A1:XFD1048576",
    "B2:A1",
    "XFD1048576",
    "1:1048576",
    "../x.xml",
    "/",
    "FFFFFFFF",
    "7FFFFFFF",
    "continue",
    "restart",
    "nextPage",
    "preserve",
    "s",
    "str",
    "shared",
    "array",
    "#REF!",
];

/// Changes an input in place and answers its new length: a package in its parts, anything else byte by byte.
pub fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let Some(mut bundle) = Bundle::read(&data[..size]) else { return fuzzer_mutate(data, size, most) };
    let mut chance = Chance(u64::from(seed));
    for _ in 0..=chance.below(3) {
        accident(&mut bundle, &mut chance);
    }
    let bytes = bundle.write();
    match data.get_mut(..bytes.len()) {
        Some(room) if bytes.len() <= most => room.copy_from_slice(&bytes),
        _ => return fuzzer_mutate(data, size, most),
    }
    bytes.len()
}

fn accident(bundle: &mut Bundle, chance: &mut Chance) {
    if chance.below(6) == 0 {
        let mut choices = bundle.choices().to_vec();
        let length = choices.len();
        within(&mut choices, 0..length);
        return bundle.choose(choices);
    }
    if bundle.parts.is_empty() {
        return;
    }
    let other = {
        let (_, text) = &bundle.parts[chance.below(bundle.parts.len())];
        element(text, chance).map(|range| text[range].to_vec()).unwrap_or_default()
    };
    // Half of the time the largest part: the text itself.
    let largest = (0..bundle.parts.len()).max_by_key(|at| bundle.parts[*at].1.len()).unwrap_or(0);
    let which = if chance.below(2) == 0 { largest } else { chance.below(bundle.parts.len()) };
    let text = &mut bundle.parts[which].1;
    if text.is_empty() {
        return;
    }
    match chance.below(14) {
        0 | 1 => {
            let Some(range) = element(text, chance) else { return };
            text.drain(range);
        }
        2 | 3 => {
            let Some(range) = element(text, chance) else { return };
            let copy = text[range.clone()].to_vec();
            text.splice(range.end..range.end, copy);
        }
        4 | 5 => {
            let Some(range) = element(text, chance) else { return };
            let moved: Vec<u8> = text.drain(range).collect();
            let to = tag(text, chance);
            text.splice(to..to, moved);
        }
        6 => {
            let to = tag(text, chance);
            text.splice(to..to, other);
        }
        7 | 8 => {
            let Some(range) = value(text, chance) else { return };
            let new = chance.pick(VALUES).copied().unwrap_or_default();
            text.splice(range, new.bytes());
        }
        9 => {
            let (Some(from), Some(to)) = (value(text, chance), value(text, chance)) else { return };
            let copy = text[from].to_vec();
            text.splice(to, copy);
        }
        10 => {
            let Some(range) = value(text, chance) else { return };
            let start = text[..range.start].iter().rposition(|byte| *byte == b' ').unwrap_or(range.start);
            text.drain(start..range.end + 1);
        }
        11 => {
            let Some(range) = value(text, chance) else { return };
            within(text, range);
        }
        12 => {
            let start = chance.below(text.len());
            let end = (start + 1 + chance.below(64)).min(text.len());
            within(text, start..end);
        }
        _ if chance.below(8) == 0 => {
            bundle.parts.remove(which);
        }
        _ => rename(text, chance),
    }
}

/// Lets the fuzzer, which knows what bytes were compared with, change a stretch.
fn within(text: &mut Vec<u8>, range: Range<usize>) {
    let size = range.len();
    let mut room = text[range.clone()].to_vec();
    room.resize(size + 32, 0);
    let length = room.len();
    let size = fuzzer_mutate(&mut room, size, length);
    room.truncate(size);
    text.splice(range, room);
}

/// Where a tag starts, if there is one.
fn tag(text: &[u8], chance: &mut Chance) -> usize {
    let at = chance.below(text.len());
    at + text[at..].iter().position(|byte| *byte == b'<').unwrap_or(0)
}

/// An element from its tag to its end, not too long.
fn element(text: &[u8], chance: &mut Chance) -> Option<Range<usize>> {
    let mut start = tag(text, chance);
    while matches!(text.get(start + 1), Some(b'/' | b'?' | b'!')) {
        start += 1 + text[start + 1..].iter().position(|byte| *byte == b'<')?;
    }
    let mut depth = 0;
    let mut at = start;
    loop {
        let end = at + text[at..].iter().position(|byte| *byte == b'>')?;
        match (text.get(at + 1)?, text.get(end.checked_sub(1)?)?) {
            (b'?' | b'!', _) | (_, b'/') => {}
            (b'/', _) => depth -= 1,
            _ => depth += 1,
        }
        if depth <= 0 {
            return Some(start..end + 1);
        }
        if end - start > 20_000 {
            return None;
        }
        at = end + text[end..].iter().position(|byte| *byte == b'<')?;
    }
}

/// What stands between the quotes of an attribute.
fn value(text: &[u8], chance: &mut Chance) -> Option<Range<usize>> {
    let at = chance.below(text.len());
    let start = at + text[at..].windows(2).position(|pair| pair == b"=\"")? + 2;
    let end = start + text[start..].iter().position(|byte| *byte == b'"')?;
    Some(start..end)
}

/// An element takes the name of another one.
fn rename(text: &mut Vec<u8>, chance: &mut Chance) {
    let name_at = |text: &[u8], start: usize| {
        let end = start + text[start..].iter().position(|byte| matches!(byte, b' ' | b'>' | b'/'))?;
        Some(start..end)
    };
    let (Some(one), Some(other)) = (element(text, chance), element(text, chance)) else { return };
    let (Some(own), Some(new)) = (name_at(text, one.start + 1), name_at(text, other.start + 1)) else {
        return;
    };
    let new = text[new].to_vec();
    let closes = text[one.clone()].ends_with(&[&text[own.clone()], &b">"[..]].concat());
    if closes && one.end > own.end + own.len() + 1 {
        text.splice(one.end - 1 - own.len()..one.end - 1, new.clone());
    }
    text.splice(own, new);
}
