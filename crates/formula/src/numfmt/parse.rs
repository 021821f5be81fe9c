//! A format code into its sections and their parts.

use super::locale::{Locale, locale};
use crate::region::Region;

/// A colour named by a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    Black,
    Blue,
    Cyan,
    Green,
    Magenta,
    Red,
    White,
    Yellow,
    /// `[Color 1]` to `[Color 56]`.
    Indexed(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    General,
    Number,
    Date,
    Text,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Literal(String),
    /// `0`, `#` or `?`
    Digit(char),
    Point,
    Comma,
    Percent,
    /// `E+` or `E-`
    Exponent {
        plus: bool,
        upper: bool,
    },
    Slash,
    /// A run of one date letter, in lower case, and its length.
    Date(char, usize),
    /// `[h]`, `[mm]`, `[s]`
    Elapsed(char, usize),
    /// `AM/PM` as written.
    Half(String),
    General,
    Text,
    /// `_x`: the width of a character, which in plain text is a space.
    Space(char),
    /// `*x`
    Fill(char),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Condition {
    symbol: String,
    than: f64,
}

impl Condition {
    pub(super) fn holds(&self, number: f64) -> bool {
        match self.symbol.as_str() {
            "<" => number < self.than,
            "<=" => number <= self.than,
            ">" => number > self.than,
            ">=" => number >= self.than,
            "<>" => number != self.than,
            _ => number == self.than,
        }
    }

    pub(super) fn only_negative(&self) -> bool {
        (self.symbol == "<" && self.than <= 0.0) || (self.symbol == "<=" && self.than < 0.0)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) kind: Kind,
    pub(super) color: Option<Color>,
    pub(super) condition: Option<Condition>,
    /// The language and calendar it asks for.
    pub(super) locale: Option<Locale>,
    pub(super) parts: Vec<Part>,
    pub(super) signs: Signs,
}

/// What stands for the signs of a code where it is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signs {
    pub(super) decimal: char,
    pub(super) group: char,
    /// Between the parts of a date.
    pub(super) slash: &'static str,
}

impl Default for Signs {
    fn default() -> Signs {
        Signs { decimal: '.', group: ',', slash: "/" }
    }
}

/// The sections as somebody of a region sees them.
pub(super) fn sections_in(code: &str, region: Region) -> Vec<Section> {
    let mut sections = sections(code);
    if region.locale == crate::region::Locale::default() {
        return sections;
    }
    for section in &mut sections {
        section.signs = Signs {
            decimal: region.locale.decimal(),
            group: region.locale.group(),
            slash: region.locale.date_separator(),
        };
        section.locale = section.locale.or_else(|| Some(region.locale.names()));
    }
    sections
}

pub(super) fn sections(code: &str) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut reader = Reader { letters: code.chars().collect(), at: 0 };
    loop {
        sections.push(reader.section());
        if !reader.take(';') {
            return sections;
        }
    }
}

struct Reader {
    letters: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).copied()
    }

    fn take(&mut self, letter: char) -> bool {
        let fits = self.peek(0) == Some(letter);
        self.at += usize::from(fits);
        fits
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek(0)?;
        self.at += 1;
        Some(letter)
    }

    fn starts(&self, word: &str) -> bool {
        word.chars()
            .enumerate()
            .all(|(ahead, letter)| self.peek(ahead).is_some_and(|found| found.eq_ignore_ascii_case(&letter)))
    }

    fn section(&mut self) -> Section {
        let mut section = Section {
            kind: Kind::Number,
            color: None,
            condition: None,
            locale: None,
            parts: Vec::new(),
            signs: Signs::default(),
        };
        while let Some(letter) = self.peek(0) {
            if letter == ';' {
                break;
            }
            self.part(letter, &mut section);
        }
        finish(&mut section);
        section
    }

    fn part(&mut self, letter: char, section: &mut Section) {
        let parts = &mut section.parts;
        if self.starts("General") {
            self.at += 7;
            parts.push(Part::General);
            return;
        }
        for half in ["AM/PM", "A/P"] {
            if self.starts(half) {
                let written: String = (0..half.len()).filter_map(|ahead| self.peek(ahead)).collect();
                self.at += half.len();
                parts.push(Part::Half(written));
                return;
            }
        }
        self.at += 1;
        match letter {
            '"' => {
                let mut text = String::new();
                while let Some(next) = self.next() {
                    if next == '"' {
                        break;
                    }
                    text.push(next);
                }
                parts.push(Part::Literal(text));
            }
            '\\' | '!' => {
                if let Some(next) = self.next() {
                    parts.push(Part::Literal(next.to_string()));
                }
            }
            '_' => {
                if let Some(next) = self.next() {
                    parts.push(Part::Space(next));
                }
            }
            '*' => {
                if let Some(next) = self.next() {
                    parts.push(Part::Fill(next));
                }
            }
            '[' => self.bracket(section),
            '0' | '#' | '?' => parts.push(Part::Digit(letter)),
            '.' => parts.push(Part::Point),
            ',' => parts.push(Part::Comma),
            '%' => parts.push(Part::Percent),
            '/' => parts.push(Part::Slash),
            '@' => parts.push(Part::Text),
            'E' | 'e' if matches!(self.peek(0), Some('+' | '-')) => {
                let plus = self.next() == Some('+');
                parts.push(Part::Exponent { plus, upper: letter == 'E' });
            }
            // Days of the week, as East Asia writes them.
            'a' | 'A' if self.starts("aa") => {
                let mut length = 1;
                while matches!(self.peek(0), Some('a' | 'A')) {
                    self.at += 1;
                    length += 1;
                }
                parts.push(Part::Date('a', length));
            }
            'y' | 'Y' | 'm' | 'M' | 'd' | 'D' | 'h' | 'H' | 's' | 'S' | 'b' | 'B' | 'g' | 'G' | 'e' | 'E' => {
                let lower = letter.to_ascii_lowercase();
                let mut length = 1;
                while self.peek(0).is_some_and(|next| next.to_ascii_lowercase() == lower) {
                    self.at += 1;
                    length += 1;
                }
                parts.push(Part::Date(lower, length));
            }
            other => parts.push(Part::Literal(other.to_string())),
        }
    }

    fn bracket(&mut self, section: &mut Section) {
        let mut text = String::new();
        while let Some(next) = self.next() {
            if next == ']' {
                break;
            }
            text.push(next);
        }
        let lower = text.to_ascii_lowercase();
        if let Some(currency) = text.strip_prefix('$') {
            let (symbol, tag) = match currency.split_once('-') {
                Some((symbol, tag)) => (symbol, tag),
                None => (currency, ""),
            };
            // Two locales stand for the system's own long date and time.
            match tag.to_ascii_uppercase().as_str() {
                "F800" | "X-SYSDATE" => {
                    self.system("dddd, mmmm d, yyyy", section);
                    return;
                }
                "F400" | "X-SYSTIME" => {
                    self.system("h:mm:ss AM/PM", section);
                    return;
                }
                _ => {}
            }
            section.locale = section.locale.or_else(|| locale(tag));
            if !symbol.is_empty() {
                section.parts.push(Part::Literal(symbol.to_owned()));
            }
            return;
        }
        if let Some(first) = lower.chars().next()
            && matches!(first, 'h' | 'm' | 's')
            && lower.chars().all(|letter| letter == first)
        {
            section.parts.push(Part::Elapsed(first, lower.chars().count()));
            return;
        }
        let color = match lower.as_str() {
            "black" => Some(Color::Black),
            "blue" => Some(Color::Blue),
            "cyan" => Some(Color::Cyan),
            "green" => Some(Color::Green),
            "magenta" => Some(Color::Magenta),
            "red" => Some(Color::Red),
            "white" => Some(Color::White),
            "yellow" => Some(Color::Yellow),
            other => {
                other.strip_prefix("color").and_then(|number| number.trim().parse().ok()).map(Color::Indexed)
            }
        };
        if color.is_some() {
            section.color = color;
            return;
        }
        for symbol in ["<=", ">=", "<>", "<", ">", "="] {
            if let Some(than) = text.strip_prefix(symbol) {
                if let Ok(than) = than.trim().parse() {
                    section.condition = Some(Condition { symbol: symbol.to_owned(), than });
                }
                return;
            }
        }
    }

    /// The rest of the section is what the system would show.
    fn system(&mut self, code: &str, section: &mut Section) {
        while self.peek(0).is_some_and(|letter| letter != ';') {
            self.at += 1;
        }
        let mut inner = Reader { letters: code.chars().collect(), at: 0 };
        section.parts = inner.section().parts;
    }
}

fn finish(section: &mut Section) {
    let has = |test: fn(&Part) -> bool| section.parts.iter().any(test);
    let digits = has(|part| matches!(part, Part::Digit(_)));
    section.kind = if has(|part| matches!(part, Part::Elapsed(..) | Part::Half(_)))
        || has(
            |part| matches!(part, Part::Date(letter, _) if *letter != 'e' && *letter != 'b' && *letter != 'g'),
        )
        || (!digits && has(|part| matches!(part, Part::Date(..))))
    {
        Kind::Date
    } else if has(|part| matches!(part, Part::General)) {
        Kind::General
    } else if has(|part| matches!(part, Part::Text)) {
        Kind::Text
    } else {
        Kind::Number
    };
}
