//! A request as words, quotations, numbers and marks.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
    /// Whether it stood between backticks.
    pub(crate) code: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// As written; compared without case.
    Word(String),
    /// Text between quotation marks, as written.
    Quoted(String),
    Mark(char),
    /// The end of a line.
    Break,
}

pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        at += first.len_utf8();
        let kind = match first {
            '\n' => Kind::Break,
            c if c.is_whitespace() => continue,
            '[' | '{' if opens(text, start) && placeholder_end(text, start).is_some() => {
                at = placeholder_end(text, start).unwrap_or(at);
                Kind::Quoted(text[start..at].to_owned())
            }
            '=' => {
                // A formula runs to where its parentheses are closed and a blank follows.
                at = formula_end(text, start);
                Kind::Word(text[start..at].to_owned())
            }
            c if closing(c).is_some() && opens(text, start) => match quoted(text, start) {
                Some((inner, end)) => {
                    at = end;
                    Kind::Quoted(inner.to_owned())
                }
                None => Kind::Mark(first),
            },
            c if is_word(c) => {
                at = word_end(text, start);
                Kind::Word(text[start..at].to_owned())
            }
            _ => Kind::Mark(first),
        };
        let code = first == '`' && matches!(kind, Kind::Quoted(_));
        tokens.push(Token { kind, range: start..at, code });
    }
    tokens
}

/// The words of the request that these tokens stand for.
pub(crate) fn source(text: &str, tokens: &[Token]) -> String {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => text[first.range.start..last.range.end].to_owned(),
        _ => String::new(),
    }
}

fn closing(open: char) -> Option<char> {
    match open {
        '"' => Some('"'),
        '\'' => Some('\''),
        '`' => Some('`'),
        '“' | '„' => Some('”'),
        '‘' => Some('’'),
        '«' => Some('»'),
        _ => None,
    }
}

/// A gap to be filled in, such as `[Name]`, `{client_name}` and `{{date}}`, is a text as it stands.
fn placeholder_end(text: &str, start: usize) -> Option<usize> {
    let doubled = ["[[", "{{"].iter().any(|open| text[start..].starts_with(open));
    let close = match (text[start..].starts_with('['), doubled) {
        (true, false) => "]",
        (true, true) => "]]",
        (false, false) => "}",
        (false, true) => "}}",
    };
    let inner = start + close.len();
    let length = text[inner..].find(close)?;
    let name = &text[inner..inner + length];
    let plain =
        name.chars().any(char::is_alphabetic) && !name.contains(['\n', '[', '{', '"']) && name.len() <= 80;
    plain.then_some(inner + length + close.len())
}

/// A quotation mark inside a word is an apostrophe.
fn opens(text: &str, at: usize) -> bool {
    !text[..at].chars().next_back().is_some_and(char::is_alphanumeric)
}

fn quoted(text: &str, start: usize) -> Option<(&str, usize)> {
    let open = text[start..].chars().next()?;
    let close = closing(open)?;
    let inner_start = start + open.len_utf8();
    let mut search = inner_start;
    loop {
        let end = search + text[search..].find(close)?;
        let after = end + close.len_utf8();
        let inside_a_word = close == '\''
            && text[after..].chars().next().is_some_and(char::is_alphanumeric)
            && end > inner_start;
        if !inside_a_word {
            return Some((&text[inner_start..end], after));
        }
        search = after;
    }
}

/// Marks that belong to a word when they stand inside it: `case-sensitive`, `tableId:12`, `Sheet!A1`, `50%`.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '@' | '#' | '$' | '€' | '£' | '<' | '[' | '-' | '+' | '~')
}

fn word_end(text: &str, start: usize) -> usize {
    let is_address = ["http://", "https://", "data:"].iter().any(|scheme| text[start..].starts_with(scheme));
    let mut end = start;
    for (at, c) in text[start..].char_indices() {
        let continues = if is_address {
            !c.is_whitespace() && !matches!(c, '"' | '\'' | '<' | '>')
        } else {
            is_word(c)
                || matches!(c, ':' | '!' | '.' | '/' | '%' | '@' | '\'' | '’' | ']' | '>' | ',' | '&' | '×')
        };
        if !continues {
            break;
        }
        end = start + at + c.len_utf8();
    }
    // Marks at the end belong to the sentence; so does a comma that does not stand between digits.
    let word = &text[start..end];
    if let Some(comma) = word.find(',').filter(|_| !is_address) {
        let digits_around = word[..comma].ends_with(|c: char| c.is_ascii_digit())
            && word[comma + 1..].len() >= 3
            && word[comma + 1..].chars().take(3).all(|c| c.is_ascii_digit());
        if !digits_around {
            end = start + comma;
        }
    }
    let trimmed = text[start..end].trim_end_matches(['.', ':', ',', '!', '\'', '’', '/']);
    if trimmed.is_empty() { end.max(start + 1) } else { start + trimmed.len() }
}

fn formula_end(text: &str, start: usize) -> usize {
    let (mut depth, mut in_text) = (0usize, false);
    for (at, c) in text[start..].char_indices() {
        match c {
            '"' => in_text = !in_text,
            '(' if !in_text => depth += 1,
            ')' if !in_text => depth = depth.saturating_sub(1),
            c if c.is_whitespace() && depth == 0 && !in_text => return start + at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        tokens(text)
            .into_iter()
            .map(|token| match token.kind {
                Kind::Word(word) => word,
                Kind::Quoted(text) => format!("«{text}»"),
                Kind::Mark(mark) => mark.to_string(),
                Kind::Break => "\\n".to_owned(),
            })
            .collect()
    }

    #[test]
    fn quotations_apostrophes_and_addresses() {
        assert_eq!(
            shown("Insert 'it's' at the user's end."),
            ["Insert", "«it's»", "at", "the", "user's", "end", "."]
        );
        assert_eq!(shown("say “Hi, you”"), ["say", "«Hi, you»"]);
        assert_eq!(
            shown("from https://example.com/a,b.png, width 120pt"),
            ["from", "https://example.com/a,b.png", ",", "width", "120pt"]
        );
        assert_eq!(shown("(1,1) for tableId:123"), ["(", "1", ",", "1", ")", "for", "tableId:123"]);
        assert_eq!(shown("set B5 to 1,250.5"), ["set", "B5", "to", "1,250.5"]);
        assert_eq!(shown("put =IF(A1>2, \"a b\", C3) in D4"), ["put", "=IF(A1>2, \"a b\", C3)", "in", "D4"]);
        assert_eq!(shown("set 'My Sheet'!A1 to 2"), ["set", "«My Sheet»", "!", "A1", "to", "2"]);
    }
}
