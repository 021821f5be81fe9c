//! What matches are replaced with.

use edit::{Cut, Refusal};

use super::Match;
use super::parse::special;

/// A replacement text with its `\1` and `^&` understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    pieces: Vec<TemplatePart>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplatePart {
    Text(String),
    Group(usize),
    Whole,
}

impl Replacement {
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut chars = text.chars().peekable();
        while let Some(character) = chars.next() {
            let piece = match (character, chars.peek().copied()) {
                ('\\', Some(digit @ '1'..='9')) => {
                    TemplatePart::Group(digit.to_digit(10).unwrap_or(1) as usize)
                }
                ('\\', Some('\\')) => TemplatePart::Text("\\".to_owned()),
                ('^', Some('&')) => TemplatePart::Whole,
                ('^', Some('c')) => {
                    return Err(Refusal::unsupported("`^c` (the clipboard) in a replacement"));
                }
                ('^', Some(code)) => match special(code) {
                    Some(c) => TemplatePart::Text(c.to_string()),
                    None => {
                        literal.push(character);
                        continue;
                    }
                },
                _ => {
                    literal.push(character);
                    continue;
                }
            };
            chars.next();
            match piece {
                TemplatePart::Text(text) => literal.push_str(&text),
                piece => {
                    if !literal.is_empty() {
                        pieces.push(TemplatePart::Text(std::mem::take(&mut literal)));
                    }
                    pieces.push(piece);
                }
            }
        }
        if !literal.is_empty() {
            pieces.push(TemplatePart::Text(literal));
        }
        Ok(Self { pieces })
    }

    /// The text that takes the place of `found` in `text`.
    pub fn expand(&self, text: &str, found: &Match) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                TemplatePart::Text(text) => out.push_str(text),
                TemplatePart::Whole => out.push_str(text.part(found.range.clone())),
                TemplatePart::Group(number) => {
                    let group = found.groups.get(number.wrapping_sub(1)).cloned().flatten();
                    out.push_str(group.map_or("", |range| text.part(range)));
                }
            }
        }
        out
    }
}
