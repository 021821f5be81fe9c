//! Words that may be the text itself or something to work out; taken for text they would be written where a value or a
//! change was meant.

/// How a wish begins that says what to do, and not what to write.
const WISHES: &[&str] = &[
    "the sum of",
    "the average",
    "the mean",
    "the max",
    "the min",
    "the total",
    "the difference",
    "the product",
    "the count",
    "the number of",
    "the value",
    "the name of",
    "the date",
    "the same",
    "the result",
    "the content",
    "sum of",
    "average of",
    "of",
    "half",
    "double",
    "twice",
    "triple",
    "today",
    "today's",
    "tomorrow",
    "yesterday",
    "now",
    "something",
    "anything",
    "whatever",
    "a shorter",
    "a longer",
    "a better",
    "match",
    "upper case",
    "uppercase",
    "lower case",
    "lowercase",
    "title case",
    "sentence case",
    "all caps",
    "caps",
    "capitals",
    "capital letters",
    "past tense",
    "present tense",
    "future tense",
];

/// Whether a text without quotation marks may be something to work out.
pub(crate) fn is_wish(text: &str) -> bool {
    let text = text.to_lowercase();
    WISHES.iter().any(|wish| {
        text.strip_prefix(wish).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\'', '(']))
    })
}

/// Words that stand for something else that was said, is there, or is somebody's.
const POINTING: &[&str] = &[
    "it",
    "its",
    "this",
    "that",
    "these",
    "those",
    "them",
    "their",
    "theirs",
    "my",
    "mine",
    "our",
    "ours",
    "your",
    "yours",
    "his",
    "her",
    "hers",
    "me",
    "us",
    "him",
    "what",
    "whatever",
    "whichever",
    "whoever",
    "here",
    "there",
    "anywhere",
    "nowhere",
    "somewhere",
    "elsewhere",
    "another",
    "any",
    "each",
    "every",
];
/// How something may look or be shown, as the whole of a text.
const STATES: &[&str] = &[
    "bold",
    "italic",
    "italics",
    "underlined",
    "underline",
    "highlighted",
    "strikethrough",
    "hidden",
    "visible",
    "blank",
    "empty",
    "centred",
    "centered",
    "justified",
    "lowercase",
    "uppercase",
];
const MEASURES: &[&str] = &["more", "less", "fewer", "better", "worse", "shorter", "longer"];

/// Whether a text without quotation marks may describe the text that is meant, instead of being it: "its full name", "the
/// new word", "what we agreed", "more formal wording". With a capital behind the article it is a name: "the Client".
pub(crate) fn is_described(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some(first) = words.first() else { return false };
    // "The German word" describes one, "the Client" and "the State of Norway" are names.
    let named = |word: &&str| {
        word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || !c.is_alphanumeric())
            || matches!(*word, "of" | "and" | "for" | "the" | "in" | "de" | "la")
    };
    let is_name = words.len() > 1 && words.iter().skip(1).all(named);
    let article = matches!(*first, "the" | "a" | "an" | "some") && !is_name;
    let measured = words.len() > 1
        && (MEASURES.contains(first) || words.last().is_some_and(|last| MEASURES.contains(last)));
    article || POINTING.contains(first) || measured || words.len() == 1 && STATES.contains(first)
}

/// Adverbs that say when, where or how often something is to be done: behind a text they are no part of it.
const ADVERBS: &[&str] = &[
    "already",
    "also",
    "altogether",
    "anymore",
    "anyway",
    "anywhere",
    "apart",
    "aside",
    "elsewhere",
    "else",
    "even",
    "ever",
    "first",
    "forever",
    "hence",
    "here",
    "however",
    "indeed",
    "instead",
    "last",
    "later",
    "likewise",
    "maybe",
    "meanwhile",
    "moreover",
    "never",
    "nevertheless",
    "next",
    "nowhere",
    "now",
    "often",
    "otherwise",
    "perhaps",
    "possibly",
    "quite",
    "rather",
    "seldom",
    "sometimes",
    "somewhere",
    "soon",
    "still",
    "then",
    "there",
    "thereafter",
    "therefore",
    "though",
    "thus",
    "today",
    "together",
    "tomorrow",
    "tonight",
    "too",
    "wherever",
    "whenever",
    "yesterday",
    "yet",
];
/// How a text may be told to look, behind it.
const LOOKS: &[&str] = &[
    "centred",
    "centered",
    "justified",
    "aligned",
    "right-aligned",
    "left-aligned",
    "wrapped",
    "highlighted",
    "coloured",
    "colored",
    "red",
    "green",
    "blue",
    "yellow",
    "orange",
    "purple",
    "grey",
    "gray",
    "pink",
    "lowercase",
    "uppercase",
];
/// Nouns of places that have a number or a letter behind them.
const NUMBERED: &[&str] = &[
    "clause",
    "section",
    "paragraph",
    "row",
    "column",
    "step",
    "page",
    "chapter",
    "article",
    "sheet",
    "line",
    "item",
    "bullet",
    "table",
    "heading",
    "cell",
    "footnote",
    "level",
];
/// Nouns of places that there is one of.
const SINGLE: &[&str] = &[
    "title",
    "heading",
    "headings",
    "header",
    "footer",
    "table",
    "document",
    "end",
    "start",
    "top",
    "bottom",
    "beginning",
    "text",
    "file",
    "sheet",
    "list",
    "intro",
    "introduction",
    "checklist",
    "footnote",
    "paragraph",
    "section",
    "clause",
    "row",
    "column",
    "workbook",
    "contents",
];

/// Whether a text ends in a place, as somebody names one: "Client per clause 4", "Draft near the end".
fn ends_in_a_place(words: &[&str]) -> bool {
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    // "Grid Table 4" is a name.
    let noun = |at: usize| words.get(at).is_some_and(|word| NUMBERED.contains(word));
    let count = lower.len();
    let numbered = count > 2
        && noun(count - 2)
        && lower[count - 1].trim_start_matches('(').starts_with(|c: char| c.is_ascii_digit());
    let article = lower.iter().skip(1).position(|word| word == "the").map(|at| at + 1);
    let single = article
        .is_some_and(|at| at + 1 < count && count - at <= 4 && SINGLE.contains(&lower[count - 1].as_str()));
    numbered || single
}

/// How a text without quotation marks may go on: words about the change that would be written with it.
const MANNERS: &[&str] = &[
    "again",
    "twice",
    "thrice",
    "etc",
    "bold",
    "italic",
    "italics",
    "underlined",
    "everywhere",
    "throughout",
    "instead",
    "always",
    "please",
    "times",
    "singular",
    "plural",
];

/// Words that begin what is said about a change.
const REMARKS: &[&str] = &[
    "everywhere",
    "throughout",
    "ignoring",
    "preserving",
    "keeping",
    "including",
    "excluding",
    "retaining",
    "respecting",
    "maintaining",
    "regardless",
];

/// Whether a text without quotation marks may hold more than the text: how it is to look, how often, or where.
pub(crate) fn is_trailed(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((last, before)) = words.split_last() else { return false };
    // "Vendor -", "Client!!"
    if text.ends_with("!!") || text.ends_with("??") || *last == "-" || text.len() > 1 && text.ends_with('-') {
        return true;
    }
    if matches!(*last, "singular" | "plural") {
        return true;
    }
    let Some((first, _)) = before.split_first() else { return false };
    let lower = last.starts_with(|c: char| c.is_lowercase());
    if ADVERBS.contains(last) || ends_in_a_place(&words) {
        return true;
    }
    // "Rent red", but "light blue" is a colour.
    if LOOKS.contains(last) && crate::colour::colour(text).is_none() {
        return true;
    }
    let adverb = lower
        && last.len() > 4
        && last.ends_with("ly")
        && !matches!(
            *last,
            "supply" | "reply" | "family" | "assembly" | "anomaly" | "apply" | "multiply" | "rely"
        );
    let look = matches!(*first, "bold" | "italic" | "underlined" | "bolded" | "italicised" | "italicized");
    let remark = words.iter().skip(1).any(|word| REMARKS.contains(word));
    // "per annum" is a term, "per Tom's comment" a reason.
    let reason = words.windows(2).skip(1).any(|pair| {
        pair[0] == "per" && (pair[1] == "the" || pair[1].starts_with(|c: char| c.is_uppercase()))
    });
    // "Vendor (all occurrences)", but not "thirty (30) days".
    let aside = text.ends_with(')')
        && text
            .rsplit_once('(')
            .is_some_and(|(_, inner)| inner.starts_with(|c: char| c.is_lowercase()) && inner.len() > 2);
    adverb || look || remark || reason || aside || lower && MANNERS.contains(last)
}

/// "Rename Scope to Coverage everywhere": a name is changed once, and words all over are replaced.
pub(crate) fn renames_widely(words: &[String]) -> Option<String> {
    let renames = words.first().is_some_and(|word| word.eq_ignore_ascii_case("rename"));
    let last = words.last().filter(|_| renames)?;
    MANNERS.contains(&last.as_str()).then(|| {
        format!("`{last}` may be a part of the name, then put it in quotation marks; for all places of a word say: replace 'a' with 'b'")
    })
}

/// "Everywhere but in clause 4", "italic as in clause 4": a small word before the place that turns it round.
pub(crate) fn joins_a_place(words: &[String]) -> Option<String> {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let place = |word: &str| matches!(word, "in" | "within" | "under" | "inside");
    for (at, pair) in words.windows(2).enumerate() {
        if !place(&pair[1]) {
            continue;
        }
        let noun = words.get(at + 2).is_some_and(|next| {
            let next = if next == "the" { words.get(at + 3).unwrap_or(next) } else { next };
            matches!(
                next.trim_end_matches('s'),
                "clause"
                    | "section"
                    | "paragraph"
                    | "table"
                    | "heading"
                    | "header"
                    | "footer"
                    | "footnote"
                    | "row"
                    | "column"
                    | "title"
                    | "list"
                    | "item"
                    | "step"
            )
        });
        let named_before = words[..at].iter().any(|word| place(word));
        let joint = match pair[0].as_str() {
            "but" | "as" => true,
            "and" => noun && !named_before,
            _ => false,
        };
        if joint {
            return Some(format!(
                "`{0} {1}` may mean that place or all but it: say `except {1} …` or `only {1} …`",
                pair[0], pair[1]
            ));
        }
    }
    None
}

/// Words for numbers and states, which nobody wants in a cell as letters.
const NUMBERS_AND_STATES: &[&str] = &[
    "nothing",
    "blank",
    "empty",
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "hundred",
    "thousand",
    "million",
    "billion",
    "currency",
    "percent",
    "percentage",
    "bold",
    "italic",
    "underlined",
    "red",
    "green",
    "blue",
    "yellow",
];

/// Whether a text without quotation marks may be a number, a formula or a state of a cell.
pub(crate) fn is_reckoned(text: &str) -> bool {
    let lower = text.to_lowercase();
    let first = lower.split_whitespace().next().unwrap_or(&lower);
    // "Green Apple" is a name.
    let name = text.starts_with(char::is_uppercase) && text.contains(' ');
    if NUMBERS_AND_STATES.contains(&first) && !name {
        return true;
    }
    // `minus 5`, `5€`, `#N/A`
    let amount = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' '))
    };
    let signed = ["minus ", "plus ", "negative "].iter().any(|sign| lower.starts_with(sign));
    let priced = lower.strip_suffix(['€', '$', '£', '¥']).is_some_and(amount);
    let failed = text.strip_prefix('#').is_some_and(|rest| {
        matches!(
            rest.trim_end_matches(['!', '?']),
            "N/A" | "REF" | "DIV/0" | "VALUE" | "NAME" | "NUM" | "NULL"
        )
    });
    if signed || priced || failed {
        return true;
    }
    // `125k`, `1.5m`, `130 000`
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &lower[digits.len()..];
    let numeric = |text: &str| {
        text.contains(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '-' | '+'))
    };
    if numeric(digits) && (matches!(suffix, "k" | "m" | "b" | "mn" | "bn") || digits.trim().contains(' ')) {
        return true;
    }
    // `B2`, `B2+B3`, `SUM(B2:B4)`, `B2 times B3`
    let word = |part: &str| {
        let letters =
            part.trim_start_matches('$').find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(part.len());
        (1..=3).contains(&letters)
            && part.len() > letters
            && part.trim_start_matches('$')[letters..]
                .trim_start_matches('$')
                .chars()
                .all(|c| c.is_ascii_digit())
    };
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '$')).unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    let worked_on = rest.trim_start().starts_with(['+', '-', '*', '/', '^', '&', ':'])
        || rest.split_whitespace().next().is_some_and(|next| {
            matches!(next, "times" | "plus" | "minus" | "divided" | "over" | "and" | "multiplied")
        });
    let begins_with_cell = word(first) && (rest.is_empty() || worked_on);
    let call = text.split_once('(').is_some_and(|(name, rest)| {
        let name = name.trim_end();
        !name.is_empty()
            && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '.')
            && rest.contains(')')
    });
    begins_with_cell || call
}

/// What people ask for that has no plain request yet, and what there is instead.
const BEYOND: &[(&str, &str)] = &[
    ("margins", "Word itself sets them"),
    ("document landscape", "Word itself sets it"),
    ("print area", "the tools for workbooks set it"),
    ("page numbers", "Word itself adds them"),
    ("watermark", "Word itself adds one"),
    ("page break", "the tools for Word documents add one"),
    ("table of contents", "say the text that shall stand there"),
    ("horizontal rule", "say the text that shall stand there, in quotation marks"),
    ("date format", "say: format the dates as dd/mm/yyyy"),
    ("header background", "say: make the header row white on dark blue"),
    ("heading style", "say: make the headings blue"),
];

/// What a step seems to ask for and would not get, by its words outside quotation marks.
pub(crate) fn falls_short(words: &[String]) -> Option<String> {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let begins = |wanted: &[&str]| words.first().is_some_and(|word| wanted.contains(&word.as_str()));
    if begins(&["insert", "add", "append", "prepend", "put"]) && has(&["every", "each"]) {
        return Some(
            "I do that at one place at a time; name the place, and ask again for the next".to_owned(),
        );
    }
    if begins(&["colour", "color", "make", "turn", "set", "give"]) && has(&["tab", "tabs"]) {
        return Some("I do not change the colour of a sheet's tab; say which cells to colour".to_owned());
    }
    let shown: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "the").collect();
    if let ["delete" | "remove", "header"] = shown.as_slice() {
        return Some("say `the header row of the table`, or which page header is meant".to_owned());
    }
    if begins(&["set", "change", "make", "add", "insert", "put"])
        && let Some((thing, instead)) = BEYOND.iter().find(|(thing, _)| {
            let thing: Vec<&str> = thing.split(' ').collect();
            (1..=2).any(|at| shown.get(at..).is_some_and(|rest| rest.starts_with(&thing)))
        })
    {
        return Some(format!("`{thing}` is beyond plain requests; {instead}"));
    }
    if let ["replace", "any" | "each" | "every", next, ..] = shown.as_slice()
        && matches!(
            *next,
            "date"
                | "year"
                | "month"
                | "number"
                | "amount"
                | "name"
                | "email"
                | "link"
                | "word"
                | "price"
                | "percentage"
                | "figure"
        )
    {
        return Some(
            "I look for words as they stand, not for kinds of them; say the text in quotation marks"
                .to_owned(),
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_not_texts() {
        for wish in [
            "the sum of B2:E2",
            "today's date",
            "uppercase",
            "half of B2",
            "a shorter version",
            "the value of B2",
        ] {
            assert!(is_wish(wish), "{wish}");
        }
        for text in ["the Supplier", "Acme", "forty-five", "Halfway", "offer", "Nowhere", "matching funds"] {
            assert!(!is_wish(text), "{text}");
        }
    }

    #[test]
    fn what_is_said_of_a_change_is_no_part_of_the_text() {
        for text in [
            "April ignoring case",
            "April case-insensitively",
            "April again",
            "bold April",
            "Vendor (all occurrences)",
            "Vendor -",
            "Vendor per Tom's comment",
            "singular",
            "Client!!",
            "Client 2 times",
            "Southwind everywhere including the header",
        ] {
            assert!(is_trailed(text), "{text}");
        }
        for text in [
            "thirty (30) days",
            "3% per annum",
            "Vendor",
            "monthly",
            "Acme Family",
            "New York Times",
            "(c) Acme",
            "Yes!",
        ] {
            assert!(!is_trailed(text), "{text}");
        }
    }

    #[test]
    fn a_small_word_before_a_place_turns_it_round() {
        let asked = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            joins_a_place(&words).is_some()
        };
        for text in [
            "replace days everywhere but in clause 4",
            "make days italic as in clause 4",
            "make days italic and in clause 4",
        ] {
            assert!(asked(text), "{text}");
        }
        for text in [
            "replace days in clause 4 and in clause 5",
            "make days bold and in red",
            "replace days everywhere but not in clause 4",
        ] {
            assert!(!asked(text), "{text}");
        }
    }

    #[test]
    fn numbers_and_formulas_are_not_texts_of_cells() {
        for value in [
            "zero",
            "one million",
            "125k",
            "1.5m",
            "130 000",
            "B2",
            "B2+B3",
            "SUM(B2:B4)",
            "TODAY()",
            "blank",
            "minus 5",
            "5€",
            "#N/A",
        ] {
            assert!(is_reckoned(value), "{value}");
        }
        for text in ["PAID", "Total due", "Q1 2026", "3rd quarter", "Granny Smith", "A-17", "Net 30"] {
            assert!(!is_reckoned(text), "{text}");
        }
    }
}
