//! Several steps in one request: where one ends and the next begins.

use crate::token::{Kind, Token};

/// Words that begin a step. After 'and' or a comma only these start a new one, so that "replace foo with
/// bar and baz" stays one step.
const VERBS: &[&str] = &[
    "add",
    "append",
    "apply",
    "bold",
    "center",
    "centre",
    "change",
    "clear",
    "convert",
    "create",
    "delete",
    "find",
    "format",
    "get",
    "highlight",
    "insert",
    "italicise",
    "italicize",
    "justify",
    "list",
    "make",
    "merge",
    "move",
    "prepend",
    "put",
    "remove",
    "rename",
    "replace",
    "search",
    "select",
    "set",
    "show",
    "substitute",
    "type",
    "underline",
    "write",
];

pub(crate) fn steps(tokens: &[Token]) -> Vec<&[Token]> {
    let mut steps = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        match separator(&tokens[at..], at == start) {
            0 => at += 1,
            width => {
                steps.push(&tokens[start..at]);
                at += width;
                start = at;
            }
        }
    }
    steps.push(&tokens[start..]);
    steps.retain(|step| !step.is_empty());
    steps
}

/// How many tokens at the front separate two steps.
fn separator(tokens: &[Token], at_start: bool) -> usize {
    let word = |index: usize| match tokens.get(index).map(|token| &token.kind) {
        Some(Kind::Word(word)) => Some(word.to_lowercase()),
        _ => None,
    };
    let is_verb = |index: usize| word(index).is_some_and(|word| VERBS.contains(&word.as_str()));
    // 'My Sheet'!A1 is an address, not the end of a sentence.
    let glued = tokens.get(1).is_some_and(|next| next.range.start == tokens[0].range.end);
    match &tokens[0].kind {
        Kind::Mark('!') if glued => 0,
        Kind::Break | Kind::Mark('.' | ';' | '!' | '?') => 1,
        Kind::Mark(',') if word(1).as_deref() == Some("then") => 2,
        Kind::Mark(',') if word(1).as_deref() == Some("and") && word(2).as_deref() == Some("then") => 3,
        Kind::Mark(',') if word(1).as_deref() == Some("and") && is_verb(2) => 2,
        Kind::Mark(',') if is_verb(1) => 1,
        Kind::Word(_) => match word(0).as_deref() {
            Some("then") => 1,
            Some("and") if word(1).as_deref() == Some("then") => 2,
            Some("and") if at_start => 1,
            // "find and replace" is one verb.
            Some("and") if is_verb(1) && word(1).as_deref() != Some("replace") => 1,
            _ => 0,
        },
        _ => 0,
    }
}
