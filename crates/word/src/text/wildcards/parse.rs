//! From the text of a pattern to its pieces.

use edit::Refusal;

use super::{Item, What};

/// Word's own limit for `{n,m}`.
const MOST_REPEATS: u32 = 255;

const DEEPEST: usize = 16;

pub(super) fn parse(pattern: &str) -> Result<Vec<Item>, Refusal> {
    if pattern.is_empty() {
        return Err(Refusal::invalid("pattern", "an empty text", "a Word wildcard pattern"));
    }
    let mut parser = Parser { chars: pattern.char_indices().collect(), at: 0, groups: 0, open: Vec::new() };
    let items = parser.items()?;
    match parser.peek() {
        None => Ok(items),
        Some(_) => Err(parser.wrong("`)` closes nothing", "`\\)` for the character itself")),
    }
}

pub(super) fn has_back_reference(items: &[Item]) -> bool {
    items.iter().any(|item| match &item.what {
        What::Back(_) => true,
        What::Group { items, .. } => has_back_reference(items),
        _ => false,
    })
}

struct Parser {
    chars: Vec<(usize, char)>,
    at: usize,
    groups: usize,
    open: Vec<usize>,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).map(|(_, c)| *c)
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += 1;
        next
    }

    fn wrong(&self, found: &str, expected: &str) -> Refusal {
        let offset = self.chars.get(self.at).or(self.chars.last()).map_or(0, |(offset, _)| *offset);
        Refusal::Invalid {
            field: "pattern".into(),
            found: format!("{found} (at {offset})"),
            expected: expected.to_owned(),
        }
    }

    fn items(&mut self) -> Result<Vec<Item>, Refusal> {
        let mut items: Vec<Item> = Vec::new();
        while let Some(character) = self.peek() {
            match character {
                ')' => break,
                '@' => {
                    self.repeat(&mut items, 1, None, false)?;
                    self.at += 1;
                }
                '{' => {
                    let (least, most) = self.counts()?;
                    self.repeat(&mut items, least, most, true)?;
                }
                '*' => {
                    self.at += 1;
                    items.push(Item { what: What::Any, least: 0, most: None, greedy: false });
                }
                _ => {
                    let what = self.what()?;
                    items.push(Item { what, least: 1, most: Some(1), greedy: true });
                }
            }
        }
        Ok(items)
    }

    fn repeat(&self, items: &mut [Item], least: u32, most: Option<u32>, greedy: bool) -> Result<(), Refusal> {
        let repeatable = items.last_mut().filter(|item| {
            !matches!(item.what, What::WordStart | What::WordEnd) && (item.least, item.most) == (1, Some(1))
        });
        let Some(item) = repeatable else {
            return Err(
                self.wrong("a repeat without something to repeat", "a character, a set or a group before it")
            );
        };
        (item.least, item.most, item.greedy) = (least, most, greedy);
        Ok(())
    }

    /// `{n}`, `{n,}` or `{n,m}`; Word also takes the list separator of other locales.
    fn counts(&mut self) -> Result<(u32, Option<u32>), Refusal> {
        self.at += 1;
        let least = self.number()?;
        let most = match self.next() {
            Some('}') => Some(least),
            Some(',' | ';') if self.peek() == Some('}') => {
                self.at += 1;
                None
            }
            Some(',' | ';') => {
                let most = self.number()?;
                if self.next() != Some('}') {
                    return Err(self.wrong("a repeat that is not closed", "`{n,m}`"));
                }
                Some(most)
            }
            _ => return Err(self.wrong("a repeat that is not closed", "`{n}`, `{n,}` or `{n,m}`")),
        };
        if most.is_some_and(|most| most < least || most == 0) {
            return Err(self.wrong("a repeat from more to less", "`{n,m}` with n not above m, and m above 0"));
        }
        Ok((least, most))
    }

    fn number(&mut self) -> Result<u32, Refusal> {
        let mut value: Option<u32> = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            self.at += 1;
            value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit));
        }
        match value {
            Some(value) if value <= MOST_REPEATS => Ok(value),
            Some(_) => Err(self.wrong("a repeat above 255", "at most 255")),
            None => Err(self.wrong("a repeat without a number", "`{n}`, `{n,}` or `{n,m}`")),
        }
    }

    fn what(&mut self) -> Result<What, Refusal> {
        let Some(character) = self.next() else {
            return Err(self.wrong("the end of the pattern", "more"));
        };
        Ok(match character {
            '?' => What::Any,
            '<' => What::WordStart,
            '>' => What::WordEnd,
            '[' => self.set()?,
            '(' => self.group()?,
            '^' => What::Literal(self.code()?),
            '\\' => match self.next() {
                Some(digit @ '1'..='9') => {
                    let number = digit.to_digit(10).unwrap_or(1) as usize;
                    if number > self.groups || self.open.contains(&number) {
                        return Err(
                            self.wrong("a reference to a group that is not complete", "a group before it")
                        );
                    }
                    What::Back(number)
                }
                Some(escaped) => What::Literal(escaped),
                None => return Err(self.wrong("a `\\` at the end", "`\\\\` for the character itself")),
            },
            other => What::Literal(other),
        })
    }

    fn group(&mut self) -> Result<What, Refusal> {
        if self.open.len() >= DEEPEST {
            return Err(self.wrong("groups too deep", "at most 16 inside each other"));
        }
        self.groups += 1;
        let number = self.groups;
        self.open.push(number);
        let items = self.items()?;
        self.open.pop();
        if self.next() != Some(')') {
            return Err(self.wrong("a `(` that is not closed", "`\\(` for the character itself"));
        }
        Ok(What::Group { number, items })
    }

    fn set(&mut self) -> Result<What, Refusal> {
        let unclosed =
            |parser: &Self| parser.wrong("a `[` that is not closed", "`\\[` for the character itself");
        let negated = self.peek() == Some('!');
        if negated {
            self.at += 1;
        }
        let mut ranges = Vec::new();
        loop {
            let low = match self.next() {
                None => return Err(unclosed(self)),
                Some(']') if !ranges.is_empty() => break,
                Some(c) => self.member(c)?,
            };
            let is_range = self.peek() == Some('-')
                && self.chars.get(self.at + 1).is_some_and(|(_, after)| *after != ']');
            if !is_range {
                ranges.push((low, low));
                continue;
            }
            self.at += 1;
            let Some(c) = self.next() else { return Err(unclosed(self)) };
            let high = self.member(c)?;
            if high < low {
                return Err(self.wrong("a range from high to low", "`[a-z]`"));
            }
            ranges.push((low, high));
        }
        Ok(What::Set { negated, ranges })
    }

    fn member(&mut self, character: char) -> Result<char, Refusal> {
        match character {
            '\\' => self.next().ok_or_else(|| self.wrong("a `\\` at the end", "`\\\\`")),
            '^' => self.code(),
            other => Ok(other),
        }
    }

    /// What follows a `^`.
    fn code(&mut self) -> Result<char, Refusal> {
        let Some(character) = self.next() else {
            return Err(self.wrong("a `^` at the end", "`^^` for the character itself"));
        };
        if let Some(code) = special(character) {
            return Ok(code);
        }
        let (radix, digits): (u32, usize) = match character {
            'u' | 'U' => (10, 6),
            '0'..='9' => {
                self.at -= 1;
                (10, 4)
            }
            _ => {
                return Err(
                    self.wrong(&format!("`^{character}`"), "^p ^t ^l ^m ^s ^^ ^+ ^= ^~ ^- or ^ and a number")
                );
            }
        };
        let mut value: u32 = 0;
        let mut taken = 0;
        while taken < digits
            && let Some(digit) = self.peek().and_then(|c| c.to_digit(radix))
        {
            value = value * radix + digit;
            taken += 1;
            self.at += 1;
        }
        match value {
            // Word's own codes for its marks.
            11 => Ok('\n'),
            13 => Ok('\r'),
            value => char::from_u32(value)
                .filter(|_| taken > 0)
                .ok_or_else(|| self.wrong("a code that is no character", "a decimal Unicode number")),
        }
    }
}

/// The character that a `^` code of one letter stands for.
pub(super) fn special(code: char) -> Option<char> {
    Some(match code {
        'p' => '\r',
        't' => '\t',
        'l' | 'n' => '\n',
        'm' => '\u{c}',
        's' => '\u{A0}',
        '+' => '\u{2014}',
        '=' => '\u{2013}',
        '~' => '\u{2011}',
        '-' => '\u{AD}',
        '^' => '^',
        _ => return None,
    })
}
