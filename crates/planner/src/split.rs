//! Several steps in one request: where one ends and the next begins.

use crate::token::{Kind, Token};

/// Words that begin a step. After 'and' or a comma only these start a new one, so that "replace foo with
/// bar and baz" stays one step.
const VERBS: &[&str] = &[
    "accept",
    "average",
    "capitalize",
    "capitalise",
    "total",
    "un-tick",
    "untick",
    "scrap",
    "rank",
    "double",
    "halve",
    "boost",
    "hike",
    "bump",
    "embolden",
    "add",
    "align",
    "append",
    "apply",
    "bold",
    "calculate",
    "center",
    "centre",
    "change",
    "check",
    "clear",
    "color",
    "colour",
    "comment",
    "convert",
    "copy",
    "count",
    "create",
    "decrease",
    "define",
    "delete",
    "demote",
    "describe",
    "display",
    "divide",
    "do",
    "double-space",
    "drop",
    "duplicate",
    "empty",
    "enter",
    "erase",
    "fill",
    "filter",
    "find",
    "fix",
    "format",
    "freeze",
    "get",
    "give",
    "hide",
    "highlight",
    "how",
    "increase",
    "insert",
    "italicise",
    "italicize",
    "join",
    "justify",
    "link",
    "list",
    "locate",
    "look",
    "lower",
    "make",
    "mark",
    "merge",
    "move",
    "multiply",
    "name",
    "number",
    "paste",
    "place",
    "prepend",
    "print",
    "promote",
    "protect",
    "put",
    "raise",
    "read",
    "recalculate",
    "reject",
    "remove",
    "rename",
    "reorder",
    "replace",
    "reset",
    "resolve",
    "rewrite",
    "round",
    "run",
    "save",
    "search",
    "select",
    "send",
    "set",
    "show",
    "sort",
    "split",
    "strike",
    "style",
    "substitute",
    "subtract",
    "sum",
    "summarise",
    "summarize",
    "swap",
    "switch",
    "take",
    "tell",
    "tick",
    "translate",
    "turn",
    "type",
    "unbold",
    "uncheck",
    "underline",
    "undo",
    "unfreeze",
    "unhide",
    "unlink",
    "unmerge",
    "update",
    "uppercase",
    "use",
    "what",
    "what's",
    "where",
    "which",
    "who",
    "why",
    "wrap",
    "write",
];

/// Verbs that are also how something looks: "make 'Total' red and bold" is one step, "… and bold 'Sum'" another.
const LOOKS: &[&str] = &[
    "double",
    "total",
    "average",
    "rank",
    "boost",
    "scrap",
    "bold",
    "center",
    "centre",
    "color",
    "colour",
    "highlight",
    "justify",
    "list",
    "style",
    "underline",
    "number",
    "name",
    "link",
    "sum",
    "double-space",
    "check",
    "place",
    "type",
    "fix",
    "mark",
    "comment",
    "format",
    "look",
    "filter",
    "value",
    "do",
    "use",
    "how",
    "where",
    "which",
    "who",
    "why",
    "round",
    "split",
    "strike",
    "drop",
    "run",
    "order",
];

/// What can follow such a verb, but no look.
const OBJECTS: &[&str] = &[
    "the",
    "this",
    "that",
    "it",
    "selection",
    "all",
    "everything",
    "every",
    "each",
    "my",
    "clause",
    "section",
    "paragraph",
    "many",
    "is",
    "are",
    "does",
    "on",
    "row",
    "rows",
    "column",
    "columns",
    "cell",
    "cells",
    "table",
    "off",
    "item",
];

/// Whether a word begins a step, taken by itself.
pub(crate) fn is_verb(word: &str) -> bool {
    let lower = word.to_lowercase();
    VERBS.contains(&lower.as_str()) && !LOOKS.contains(&lower.as_str())
}

/// The parts of a request; or the place where a text that goes to the end may end, because what follows could be an order.
pub(crate) fn steps(tokens: &[Token]) -> Result<Vec<&[Token]>, usize> {
    let mut steps = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        let said = &tokens[start..at];
        let told = text_begins(said).map(|from| &said[from..]);
        let last = at + 1 == tokens.len();
        match separator(&tokens[at..], at == start) {
            // The mark belongs to a text that goes to the end: "… saying Is this right?"
            1 if told.is_some() && last && matches!(tokens[at].kind, Kind::Mark('?' | '!')) => at += 1,
            // "… with Acme Inc." ends in the stop of the name.
            1 if tokens[at].kind == Kind::Mark('.')
                && last
                && at > start + 1
                && names_a_company(&tokens[at - 1].kind) =>
            {
                at += 1
            }
            // So does the full stop of a sentence that is said.
            1 if tokens[at].kind == Kind::Mark('.') && last && keeps_its_stop(said, told) => at += 1,
            // "In the selection, replace …" begins with where.
            _ if tokens[at].kind == Kind::Mark(',') && begins_with_a_place(said) => at += 1,
            0 => at += 1,
            // A note to a colleague is no order: "… saying check this and clear B2".
            width if !last && tokens[at].kind != Kind::Break && told.is_some_and(goes_on) => {
                match orders(&tokens[at + width..]) {
                    true => return Err(at),
                    false => at += width,
                }
            }
            width => {
                steps.push(said);
                at += width;
                start = at;
            }
        }
    }
    steps.push(&tokens[start..]);
    steps.retain(|step| !step.is_empty());
    Ok(steps)
}

/// Whether a text that is told can go on: nothing of it is in quotation marks.
fn goes_on(told: &[Token]) -> bool {
    !told.is_empty() && told.iter().all(|token| !matches!(token.kind, Kind::Quoted(_)))
}

/// Whether these words could be something to do.
fn orders(tokens: &[Token]) -> bool {
    let mut words = tokens.iter().filter_map(|token| match &token.kind {
        Kind::Word(word) => Some(word.to_lowercase()),
        _ => None,
    });
    let first = words.find(|word| !["and", "then", "also", "please", "now"].contains(&word.as_str()));
    first.is_some_and(|word| VERBS.contains(&word.as_str()))
}

fn begins_with_a_place(tokens: &[Token]) -> bool {
    let [first, rest @ ..] = tokens else { return false };
    let leads = [
        "in",
        "for",
        "throughout",
        "within",
        "using",
        "on",
        "under",
        "with",
        "if",
        "inside",
        "from",
        "wherever",
        "where",
    ];
    let leading = matches!(&first.kind, Kind::Word(word) if leads.contains(&word.to_lowercase().as_str()));
    let verbless = |token: &Token| !matches!(&token.kind, Kind::Word(word) if VERBS.contains(&word.to_lowercase().as_str()));
    leading && rest.len() <= 9 && rest.iter().all(verbless)
}

/// Where a text begins that goes to the end of the sentence, if one does: behind `saying`, and behind a colon where text is
/// brought and no row of a table.
fn text_begins(tokens: &[Token]) -> Option<usize> {
    const BRINGING: &[&str] = &[
        "add", "annotate", "answer", "append", "attach", "comment", "flag", "include", "insert", "leave",
        "mark", "note", "prepend", "put", "reply", "respond", "write",
    ];
    const ASKING: &[&str] =
        &["what", "which", "who", "where", "how", "if", "when", "find", "count", "is", "does"];
    let word = |at: usize| match tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Word(word)) => Some(word.to_lowercase()),
        _ => None,
    };
    let brings = (0..3).find_map(word).is_some_and(|_| {
        (0..tokens.len().min(4)).any(|at| word(at).is_some_and(|word| BRINGING.contains(&word.as_str())))
    });
    let asks = word(0).is_some_and(|word| ASKING.contains(&word.as_str()));
    let rows = (0..tokens.len().min(6)).filter_map(word).any(|word| {
        ["row", "rows", "column", "columns", "entry", "record", "order"].contains(&word.as_str())
    });
    let at = (0..tokens.len()).find(|at| match &tokens[*at].kind {
        Kind::Mark(':') => brings && !rows,
        Kind::Word(said) => match said.to_lowercase().as_str() {
            "saying" | "reading" | "stating" => !asks && !rows,
            "says" | "reads" => {
                !asks
                    && at.checked_sub(1).and_then(word).is_some_and(|word| word == "that" || word == "which")
            }
            _ => false,
        },
        _ => false,
    })?;
    // "saying: …"
    Some(if tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Mark(':')) { at + 2 } else { at + 1 })
}

fn names_a_company(kind: &Kind) -> bool {
    matches!(kind, Kind::Word(word) if matches!(word.as_str(), "Inc" | "Ltd" | "Corp" | "Co" | "Bros"))
}

/// Whether the full stop at the end belongs to the text: what is told is a sentence of its own, or has one inside; so has the
/// new text of a note. "…" is no end.
fn keeps_its_stop(said: &[Token], told: Option<&[Token]>) -> bool {
    let stop = |token: &Token| matches!(token.kind, Kind::Mark('.' | '?' | '!'));
    if said.last().is_some_and(stop) {
        return true;
    }
    let word = |token: &Token, known: &[&str]| matches!(&token.kind, Kind::Word(word) if known.contains(&word.to_lowercase().as_str()));
    let note = || {
        let changes = said.first().is_some_and(|first| word(first, &["change", "set", "update", "rewrite"]));
        let at = said.iter().position(|token| word(token, &["footnote"])).filter(|_| changes)?;
        let to = said.iter().skip(at).position(|token| word(token, &["to"]))?;
        said.get(at + to + 1..)
    };
    let Some(text) = told.or_else(note) else { return false };
    let capital = matches!(text.first().map(|token| &token.kind), Some(Kind::Word(word)) if word.starts_with(char::is_uppercase));
    goes_on(text) && (capital && text.len() > 1 || text.iter().any(stop))
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
        Kind::Break | Kind::Mark(';' | '!' | '?') => 1,
        // "Acme Inc. with …" goes on.
        // A line that ends in a full stop.
        Kind::Mark('.') if matches!(tokens.get(1).map(|token| &token.kind), Some(Kind::Break)) => 2,
        Kind::Mark('.')
            if tokens.get(1).is_some() && !word(1).is_some_and(|_| starts_sentence(&tokens[1].kind)) =>
        {
            0
        }
        Kind::Mark('.') => 1,
        // "sort by region, then by price" goes on.
        Kind::Mark(',') if word(1).as_deref() == Some("then") && word(2).as_deref() == Some("by") => 0,
        Kind::Mark(',') if word(1).as_deref() == Some("then") => 2,
        Kind::Mark(',')
            if word(1).as_deref() == Some("and")
                && word(2).as_deref() == Some("then")
                && word(3).as_deref() == Some("by") =>
        {
            0
        }
        Kind::Mark(',') if word(1).as_deref() == Some("and") && word(2).as_deref() == Some("then") => 3,
        Kind::Mark(',') if word(1).as_deref() == Some("and") && is_verb(2) => 2,
        Kind::Mark(',') if is_verb(1) => 1,
        Kind::Word(_) => match word(0).as_deref() {
            Some("then") if word(1).as_deref() == Some("by") => 0,
            Some("then") => 1,
            Some("and") if word(1).as_deref() == Some("then") && word(2).as_deref() == Some("by") => 0,
            Some("and") if word(1).as_deref() == Some("then") => 2,
            Some("and") if at_start => 1,
            // "find and replace" is one verb.
            Some("and") if is_verb(1) && word(1).as_deref() != Some("replace") => 1,
            Some("and") if word(1).as_deref() == Some("also") => 2,
            _ => 0,
        },
        _ => 0,
    }
}

fn starts_sentence(kind: &Kind) -> bool {
    match kind {
        Kind::Word(word) => {
            word.starts_with(char::is_uppercase) || is_verb(word) || word == "then" || word == "and"
        }
        Kind::Break => true,
        _ => false,
    }
}

/// Whether a word can begin a step.
pub(crate) fn begins_step(word: &str) -> bool {
    VERBS.contains(&word.to_lowercase().as_str())
}
