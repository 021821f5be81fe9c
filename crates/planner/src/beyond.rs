//! What no grammar can do, said as such: writing and judging text needs a reader, and taking back and saving are commands of
//! their own.

use crate::phrase::Words;

/// Verbs that ask for text that nobody has said.
const NEEDS_A_READER: &str = "summarise|summarize|sum up the document|sum up this|sum up the text|translate|paraphrase|proofread|proof-read|\
    spellcheck|spell-check|spell check|explain|improve|polish|simplify|shorten|condense|elaborate|expand on|rephrase|reword|rewrite|draft|\
    compose|analyse|analyze|review|critique|suggest|tidy up|tidy|clean up|harmonise|harmonize|check the grammar|check the spelling|\
    check for typos|check spelling|check grammar|correct the grammar|correct the spelling|correct typos|correct all typos|correct the typos|\
    correct spelling|correct any typos|give me a summary|give a summary|write a summary|what is the gist|make a summary|is this contract|\
    is this agreement|should we|should i|why|what do you think";
const FLAWS: &[&str] = &[
    "typo",
    "typos",
    "spelling",
    "grammar",
    "mistakes",
    "errors",
    "error",
    "mistake",
    "wording",
    "language",
    "style",
    "tone",
    "punctuation",
    "numbering",
    "formatting",
    "layout",
];
const QUALITIES: &[&str] = &[
    "shorter",
    "longer",
    "clearer",
    "simpler",
    "friendlier",
    "formal",
    "concise",
    "precise",
    "professional",
    "nicer",
    "better",
    "readable",
    "polite",
    "stronger",
    "crisper",
    "understandable",
    "neater",
    "prettier",
    "consistent",
    "clear",
    "tidy",
    "informal",
    "neutral",
    "pretty",
    "nice",
    "perfect",
    "correct",
    "persuasive",
    "punchier",
    "softer",
    "stricter",
];

/// Why a request cannot be carried out by any grammar, if it is of that kind.
pub(crate) fn needs_more(words: &Words) -> Option<String> {
    let plain: Vec<String> = words.plain_words().iter().map(|word| word.to_lowercase()).collect();
    let first = plain.first().map(String::as_str)?;
    let has = |wanted: &[&str]| plain.iter().any(|word| wanted.contains(&word.as_str()));
    if words.begins("undo|redo|take back|take that back|revert|roll back|take it back|put it back") {
        return Some(
            "taking back is a command of its own: docwright undo FILE, or the tool `undo`".to_owned(),
        );
    }
    if words.begins("save|export|print|download|email|e-mail|send|close|open|upload|share") {
        return Some(format!(
            "`{first}` is no change of the document; what is asked here is written to its file when it is done"
        ));
    }
    let rewrites = ["rewrite", "rephrase", "reword", "draft"].contains(&first);
    let given = words.has_quotation() || words.position(&[":"]).is_some();
    let judged =
        words.begins(NEEDS_A_READER) && !(rewrites && given) && !(first == "review" && plain.len() > 3);
    let mended = ["fix", "correct", "repair", "mend", "improve", "check", "clean"].contains(&first)
        && has(FLAWS)
        && !words.has_quotation();
    let better = ["make", "turn", "get"].contains(&first) && has(QUALITIES) && !words.has_quotation();
    (judged || mended || better).then(|| {
        format!(
            "I carry out requests without a language model, so I cannot do that: `{}`; say the new text itself, as in: replace 'this' with 'that'",
            words.shown()
        )
    })
}

/// What is said of a request of no known kind: its words, and what can be said.
pub(crate) fn unknown(words: &Words, examples: &str) -> String {
    format!("I did not understand `{}`; I understand requests such as: {examples}", words.shown())
}
