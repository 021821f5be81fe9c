//! What matches are replaced with.

use edit::Refusal;

use super::Match;
use super::parse::special;

/// A replacement text with its `\1` and `^&` understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
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
                ('\\', Some(digit @ '1'..='9')) => Piece::Group(digit.to_digit(10).unwrap_or(1) as usize),
                ('\\', Some('\\')) => Piece::Text("\\".to_owned()),
                ('^', Some('&')) => Piece::Whole,
                ('^', Some('c')) => {
                    return Err(Refusal::unsupported("`^c` (the clipboard) in a replacement"));
                }
                ('^', Some(code)) => match special(code) {
                    Some(c) => Piece::Text(c.to_string()),
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
                Piece::Text(text) => literal.push_str(&text),
                piece => {
                    if !literal.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut literal)));
                    }
                    pieces.push(piece);
                }
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Ok(Self { pieces })
    }

    /// The text that takes the place of `found` in `text`.
    pub fn expand(&self, text: &str, found: &Match) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Whole => out.push_str(text.get(found.range.clone()).unwrap_or_default()),
                Piece::Group(number) => {
                    let group = found.groups.get(number.wrapping_sub(1)).cloned().flatten();
                    out.push_str(group.and_then(|range| text.get(range)).unwrap_or_default());
                }
            }
        }
        out
    }
}
