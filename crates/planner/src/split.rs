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
    "color",
    "colour",
    "count",
    "convert",
    "create",
    "delete",
    "double-space",
    "enter",
    "find",
    "format",
    "get",
    "highlight",
    "insert",
    "italicise",
    "italicize",
    "justify",
    "list",
    "locate",
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
    "style",
    "substitute",
    "swap",
    "turn",
    "type",
    "unbold",
    "underline",
    "write",
];

/// Verbs that are also how something looks: "make 'Total' red and bold" is one step, "… and bold 'Sum'" another.
const LOOKS: &[&str] =
    &["bold", "center", "centre", "color", "colour", "highlight", "justify", "list", "style", "underline"];

/// What can follow such a verb, but no look.
const OBJECTS: &[&str] =
    &["the", "this", "that", "it", "selection", "all", "everything", "every", "each", "my"];

pub(crate) fn steps(tokens: &[Token]) -> Vec<&[Token]> {
    let mut steps = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        match separator(&tokens[at..], at == start) {
            // "In the selection, replace …" begins with where.
            _ if tokens[at].kind == Kind::Mark(',') && begins_with_a_place(&tokens[start..at]) => at += 1,
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

fn begins_with_a_place(tokens: &[Token]) -> bool {
    let [first, rest @ ..] = tokens else { return false };
    let leads = ["in", "for", "throughout", "within", "using"];
    let leading = matches!(&first.kind, Kind::Word(word) if leads.contains(&word.to_lowercase().as_str()));
    let verbless = |token: &Token| !matches!(&token.kind, Kind::Word(word) if VERBS.contains(&word.to_lowercase().as_str()));
    leading && rest.len() <= 5 && rest.iter().all(verbless)
}

/// How many tokens at the front separate two steps.
fn separator(tokens: &[Token], at_start: bool) -> usize {
    let word = |index: usize| match tokens.get(index).map(|token| &token.kind) {
        Some(Kind::Word(word)) => Some(word.to_lowercase()),
        _ => None,
    };
    let is_verb = |index: usize| {
        let followed = || {
            let quoted = matches!(tokens.get(index + 1).map(|token| &token.kind), Some(Kind::Quoted(_)));
            quoted || word(index + 1).is_some_and(|next| OBJECTS.contains(&next.as_str()))
        };
        word(index).is_some_and(|word| {
            VERBS.contains(&word.as_str()) && (!LOOKS.contains(&word.as_str()) || followed())
        })
    };
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
