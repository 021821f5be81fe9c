//! Explicit definitions: a quoted term followed by a verb that defines it.
//!
//! Used twice: to learn from a document how it prints defined terms, and to find the terms in text that
//! comes in. A word that is only quoted is no definition.

use edit::Cut;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// A defined term: where it stands with its quotes, and without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) quoted: Range<usize>,
    pub(crate) term: Range<usize>,
}

/// Opening quote and the quotes that may close it.
const QUOTES: &[(char, &[char])] = &[
    ('"', &['"']),
    ('\u{201C}', &['\u{201D}']),
    ('\u{201E}', &['\u{201C}', '\u{201D}']),
    ('\u{201F}', &['\u{201D}']),
    ('\u{AB}', &['\u{BB}']),
    ('\u{BB}', &['\u{AB}']),
    ('\u{2039}', &['\u{203A}']),
    ('\u{2018}', &['\u{2019}']),
    ('\'', &['\'']),
];

/// A defined term is a name, not a sentence in quotation marks.
const LONGEST_TERM: usize = 120;

static VERB: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"(?ix)^
        (?: ,? \s* \( [^()]{0,80} \) )?            # (as amended)
        (?: ,? \s+ (?: as \s+ used \s+ (?:herein|in\s+this\s+\w+),? ) )?
        ,? \s+
        (?: (?:shall|will|must) \s+ )?
        (?: mean (?:s)? \b
          | (?:has|have) \s+ the (?:\s+ \w+)? \s+ meanings? \b
          | (?:is|are|be) \s+ defined \s+ (?:as|in|to) \b
          | refers? \s+ to \b
        )";
    Regex::new(pattern).ok()
});

/// What stands between the bracket and the term in `(collectively, the “Parties”)`.
static LEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"(?ix)^(?: [\w\s,.']{0,60}? \b (?:the|this|these|an?|each|any|all|together|collectively|individually
        |hereinafter|hereafter|herein|as|called|to|or|and|defined|termed) ,? \s* | \s* )$";
    Regex::new(pattern).ok()
});

static JOINER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:,\s*(?:and|or)?\s*|\s+(?:and|or)\s+|/)$").ok());

/// All terms that `text` defines, in order. `"A" and "B" mean` defines both.
pub(crate) fn find(text: &str) -> Vec<Definition> {
    let quoted = quotations(text);
    let mut defined = vec![false; quoted.len()];
    for (index, candidate) in quoted.iter().enumerate().rev() {
        let after = text.part(candidate.quoted.end..);
        let verb = VERB.as_ref().is_some_and(|verb| verb.is_match(after));
        let joined = quoted.get(index + 1).is_some_and(|next| {
            let between = text.part(candidate.quoted.end..next.quoted.start);
            JOINER.as_ref().is_some_and(|joiner| joiner.is_match(between))
        }) && defined.get(index + 1) == Some(&true);
        if let Some(slot) = defined.get_mut(index) {
            *slot = verb || joined;
        }
    }
    quoted.into_iter().zip(defined).filter_map(|(quotation, defined)| defined.then_some(quotation)).collect()
}

/// Terms that brackets behind a name give it, as in `Acme Corp. (the “Seller”)`, in order.
pub(crate) fn in_brackets(text: &str) -> Vec<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    for quotation in quotations(text) {
        let head = text.part(..quotation.quoted.start);
        let tail = text.part(quotation.quoted.end..);
        let is_name = text.part(quotation.term.clone()).starts_with(|c: char| c.is_uppercase());
        let closes = tail.starts_with([')', ',', ';'])
            || [" and ", " or ", " and/or "].iter().any(|joiner| tail.starts_with(joiner));
        let Some(open) = head.rfind('(').filter(|open| !head.part(*open..).contains(')')) else { continue };
        let lead = head.part(open + 1..);
        // A second term in the same brackets stands behind the first.
        let before = found.last().filter(|last| last.quoted.start > open);
        let lead = before.map_or(lead, |last| text.part(last.quoted.end..quotation.quoted.start));
        let is_lead = LEAD.as_ref().is_some_and(|pattern| pattern.is_match(lead))
            || before.is_some()
                && matches!(lead.trim(), "," | "and" | "or" | ", and" | ", or" | "and/or" | ";");
        if is_name && closes && tail.contains(')') && is_lead {
            found.push(quotation);
        }
    }
    found
}

/// The quote that may stand directly before a term, and directly behind it.
pub(crate) fn is_quote(character: char) -> bool {
    QUOTES.iter().any(|(open, close)| *open == character || close.contains(&character))
}

pub(crate) fn quotations(text: &str) -> Vec<Definition> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut before = None;
    while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let start = at;
        at += character.len_utf8();
        let closers = QUOTES.iter().find(|(open, _)| *open == character).map(|(_, closers)| *closers);
        // The apostrophe of "Seller's" opens nothing.
        let opens = !before.is_some_and(char::is_alphanumeric);
        before = Some(character);
        let Some(closers) = closers.filter(|_| opens) else { continue };
        let rest = text.part(at..);
        let close = rest.char_indices().take_while(|(i, _)| *i <= LONGEST_TERM).find(|(i, c)| {
            let behind = rest.get(i + c.len_utf8()..).and_then(|behind| behind.chars().next());
            closers.contains(c) && !behind.is_some_and(char::is_alphanumeric)
        });
        let Some((length, closer)) = close else { continue };
        let term = at..at + length;
        let body = text.part(term.clone());
        if body.trim().is_empty() || body.contains(['\n', '\r']) {
            continue;
        }
        at += length + closer.len_utf8();
        before = Some(closer);
        found.push(Definition { quoted: start..at, term });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<&str> {
        find(text).into_iter().map(|definition| &text[definition.term]).collect()
    }

    #[test]
    fn each_verb_and_each_pair_of_quotes_defines() {
        for text in [
            "\"Closing Cash\" means the cash",
            "\u{201C}Closing Cash\u{201D} shall mean the cash",
            "\u{AB}Closing Cash\u{BB} has the meaning set forth in Section 2",
            "\u{201E}Closing Cash\u{201C} is defined as",
            "\u{2018}Closing Cash\u{2019} refers to cash",
            "The term \"Closing Cash\" means and includes all cash",
            "\"Closing Cash\" shall have the meaning given in 1.1",
            "\"Closing Cash\" has the respective meaning ascribed in 1.1",
            "\"Closing Cash\" (as amended) means",
            "\"Closing Cash\", as used herein, means",
        ] {
            assert_eq!(terms(text), ["Closing Cash"], "{text}");
        }
    }

    #[test]
    fn a_quotation_without_a_verb_defines_nothing() {
        for text in [
            "the \"Closing Cash\" is payable",
            "he said \"no\" meanly",
            "\"A\" meansx",
            "Seller's goods and Buyer's means",
            "\"unclosed means",
            "\"\" means",
        ] {
            assert_eq!(terms(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn several_terms_share_one_verb() {
        assert_eq!(terms("\"A\", \"B\" and \"C\" mean x; \"D\" is y"), ["A", "B", "C"]);
        assert_eq!(terms("\"Tenant's Share\" means; 'Rent' means"), ["Tenant's Share", "Rent"]);
    }

    #[test]
    fn brackets_behind_a_name_define_it() {
        let terms = |text: &str| -> Vec<String> {
            in_brackets(text).into_iter().map(|found| text[found.term].to_owned()).collect()
        };
        assert_eq!(terms("Acme Corp. (the “Seller”) and Beta (“Buyer”)"), ["Seller", "Buyer"]);
        assert_eq!(terms("both (collectively, the \"Parties\" and each a \"Party\")"), ["Parties", "Party"]);
        assert_eq!(terms("x (hereinafter referred to as the “Fund”)"), ["Fund"]);
        assert_eq!(
            terms("he said (with a \"smile\") and (see \"Rules of Order\" by Robert)"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn the_quotes_are_part_of_the_quoted_range() {
        let text = "x \u{201C}T\u{201D} means";
        let found = find(text);
        assert_eq!(&text[found[0].quoted.clone()], "\u{201C}T\u{201D}");
    }
}
