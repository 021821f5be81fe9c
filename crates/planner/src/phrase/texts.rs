//! Words that are a text: where one ends that has no quotation marks, and whether it is one at all.

use super::Words;
use crate::token::Kind;

impl Words {
    /// All that is left as a text that somebody typed without quotation marks. A text ends where a known phrase begins,
    /// so one with a word in it that could begin such a phrase is handed back with both readings.
    pub(crate) fn value(self) -> Result<String, String> {
        let quoted = self.has_quotation();
        let text = self.text_unless(|previous, word, next| {
            let lower = word.to_lowercase();
            let capital =
                |word: Option<&str>| word.is_some_and(|word| word.starts_with(|c: char| c.is_uppercase()));
            // "Terms and Conditions" is a name.
            let inside_a_name = matches!(lower.as_str(), "and" | "of" | "for" | "the" | "&")
                && capital(previous)
                && capital(next)
                && next.is_some_and(|next| !crate::split::is_verb(next));
            !inside_a_name
                && (BEGINNERS.contains(&lower.as_str())
                    || previous.is_some() && crate::split::is_verb(word) && !capital(Some(word)))
        })?;
        if !quoted && (crate::doubt::is_wish(&text) || crate::doubt::is_described(&text)) {
            return Err(format!(
                "`{text}` may be the words to write, then put them in quotation marks; or something to work out, which I cannot"
            ));
        }
        if !quoted && crate::doubt::is_trailed(&text) {
            return Err(format!(
                "either all of `{text}` is the text, then put it in quotation marks; or only a part of it, then put that part in them"
            ));
        }
        Ok(text)
    }

    /// As [`Words::value`], of a text that is looked for: what is not there as it was said is refused later.
    pub(crate) fn sought(self) -> Result<String, String> {
        self.text_unless(|_, word, _| matches!(word.to_lowercase().as_str(), "with" | "then" | "except"))
    }

    /// The name of something that the document has or has not, and that is refused where it has not.
    pub(crate) fn label(self) -> Result<String, String> {
        self.text_unless(|_, word, _| {
            matches!(
                word.to_lowercase().as_str(),
                "with" | "then" | "except" | "if" | "unless" | "only" | "but"
            )
        })
    }

    /// The words of a message, to the end of what was said: whatever marks are in it.
    pub(crate) fn message(self) -> Result<String, String> {
        match self.items.iter().any(|item| matches!(item, Kind::Quoted(_) | Kind::Break)) {
            true => self.text_unless(|_, _, _| false),
            false => self.rest_as_text().ok_or_else(|| "say the text, in quotation marks".to_owned()),
        }
    }

    fn text_unless(self, ends: impl Fn(Option<&str>, &str, Option<&str>) -> bool) -> Result<String, String> {
        if let [Kind::Quoted(text)] = self.items.as_slice() {
            return Ok(text.clone());
        }
        let word = |at: usize| match self.items.get(at) {
            Some(Kind::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        let suffix = |at: usize| matches!(word(at), Some(next) if ["Inc", "LLC", "Ltd", "LLP", "Co", "Corp", "PLC", "plc", "GmbH", "N.V", "S.A", "L.P", "LP"].contains(&next));
        for (at, item) in self.items.iter().enumerate() {
            let doubtful = match item {
                // "Nimbus Robotics, Inc."
                Kind::Mark(',') if at > 0 && suffix(at + 1) => false,
                Kind::Word(word_here) => {
                    ends(at.checked_sub(1).and_then(word), word_here, word(at + 1)) && self.items.len() > 1
                }
                Kind::Mark(mark) => !matches!(mark, '(' | ')' | '.' | '/' | '&' | '%' | '?' | '!' | '-'),
                Kind::Quoted(_) | Kind::Break => true,
            };
            if doubtful {
                let (before, after) = self.split_at(at);
                return Err(match before.is_empty() {
                    true => format!("I did not understand `{}`", after.shown()),
                    false => format!(
                        "either the text is `{}`, then put it in quotation marks; or it is `{}`, then I did not understand `{}`",
                        self.shown(),
                        before.shown(),
                        after.shown()
                    ),
                });
            }
        }
        self.rest_as_text().ok_or_else(|| "say the text, in quotation marks".to_owned())
    }
}

/// Words that can begin a phrase of their own, and so end a text that has no quotation marks.
pub(super) const BEGINNERS: &[&str] = &[
    "about",
    "above",
    "across",
    "after",
    "against",
    "also",
    "although",
    "and",
    "as",
    "at",
    "because",
    "before",
    "behind",
    "below",
    "beside",
    "between",
    "but",
    "by",
    "despite",
    "during",
    "except",
    "excluding",
    "for",
    "from",
    "if",
    "in",
    "inside",
    "instead",
    "into",
    "it",
    "like",
    "near",
    "next",
    "not",
    "on",
    "once",
    "only",
    "onto",
    "or",
    "otherwise",
    "outside",
    "please",
    "since",
    "skipping",
    "so",
    "starting",
    "than",
    "that",
    "them",
    "then",
    "this",
    "though",
    "through",
    "throughout",
    "till",
    "to",
    "too",
    "under",
    "unless",
    "unlike",
    "until",
    "using",
    "via",
    "when",
    "whenever",
    "where",
    "wherever",
    "which",
    "while",
    "with",
    "within",
    "without",
];

/// Whether a word can begin a phrase of its own.
pub(crate) fn is_beginner(word: &str) -> bool {
    BEGINNERS.contains(&word)
}
