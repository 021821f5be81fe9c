//! Where the instruction of a field names a bookmark.
//!
//! A name may be any word, also one that says something else elsewhere in the instruction, so what counts is the place:
//! the first argument of a cross reference, the one behind `\l` of a link, an operand of a formula.

use edit::Cut;
use std::ops::Range;

/// The ranges of the instruction in which it names the bookmark. Word does not tell cases apart.
pub(super) fn places_of(name: &str, instruction: &str) -> Vec<Range<usize>> {
    let tokens = tokens(instruction);
    let Some((first, arguments)) = tokens.split_first() else { return Vec::new() };
    let keyword = first.text.to_uppercase();
    let is_it = |token: &&Token<'_>| same(token.text, name);
    let behind = |switch: &str| {
        let pairs = arguments.windows(2).filter(|pair| {
            pair.first().is_some_and(|token| !token.quoted && token.text.eq_ignore_ascii_case(switch))
        });
        let argument = pairs.filter_map(|pair| pair.get(1)).find(is_it);
        argument.map(|token| token.range.clone()).into_iter().collect()
    };
    match keyword.as_str() {
        "REF" | "PAGEREF" | "NOTEREF" | "FTNREF" | "GOTOBUTTON" | "SET" | "ASK" => {
            let argument = arguments.iter().find(|token| token.quoted || !token.text.starts_with('\\'));
            argument.filter(is_it).map(|token| token.range.clone()).into_iter().collect()
        }
        "HYPERLINK" => behind("\\l"),
        "TOC" | "INDEX" => behind("\\b"),
        "XE" | "TA" => behind("\\r"),
        "IF" | "COMPARE" => {
            let operands = arguments.iter().filter(|token| !token.quoted);
            operands.filter(is_it).map(|token| token.range.clone()).collect()
        }
        _ if keyword.starts_with('=') => words(instruction)
            .filter(|range| instruction.get(range.clone()).is_some_and(|word| same(word, name)))
            .collect(),
        // A name alone is a reference to it, unless Word has a field of that name.
        _ if same(first.text, name) && !is_field(&keyword) => vec![first.range.clone()],
        _ => Vec::new(),
    }
}

pub(super) fn same(a: &str, b: &str) -> bool {
    a == b || a.to_lowercase() == b.to_lowercase()
}

#[derive(Debug)]
struct Token<'a> {
    text: &'a str,
    /// Without its quotes.
    range: Range<usize>,
    quoted: bool,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(skipped) = text.get(at..).and_then(|rest| rest.find(|c: char| !c.is_whitespace())) {
        let start = at + skipped;
        let rest = text.part(start..);
        let quoted = rest.starts_with('"');
        let inner = start + usize::from(quoted);
        let rest = text.part(inner..);
        let length = match quoted {
            true => rest.find('"'),
            false => rest.find(|c: char| c.is_whitespace() || c == '"'),
        };
        let end = inner + length.unwrap_or(rest.len());
        found.push(Token { text: text.part(inner..end), range: inner..end, quoted });
        at = end + usize::from(quoted && length.is_some());
    }
    found
}

/// Words of a formula outside of quoted text.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut quoted = false;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut start = None;
    let mut found = Vec::new();
    for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
        quoted ^= character == '"';
        match (is_word(character) && !quoted, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    found.into_iter()
}

fn is_field(keyword: &str) -> bool {
    const FIELDS: &[&str] = &[
        "ADDRESSBLOCK",
        "ADVANCE",
        "ASK",
        "AUTHOR",
        "AUTONUM",
        "AUTONUMLGL",
        "AUTONUMOUT",
        "AUTOTEXT",
        "AUTOTEXTLIST",
        "BARCODE",
        "BIBLIOGRAPHY",
        "CITATION",
        "COMMENTS",
        "COMPARE",
        "CREATEDATE",
        "DATABASE",
        "DATE",
        "DISPLAYBARCODE",
        "DOCPROPERTY",
        "DOCVARIABLE",
        "EDITTIME",
        "EMBED",
        "EQ",
        "FILENAME",
        "FILESIZE",
        "FILLIN",
        "FORMCHECKBOX",
        "FORMDROPDOWN",
        "FORMTEXT",
        "FTNREF",
        "GLOSSARY",
        "GOTOBUTTON",
        "GREETINGLINE",
        "HYPERLINK",
        "IF",
        "IMPORT",
        "INCLUDE",
        "INCLUDEPICTURE",
        "INCLUDETEXT",
        "INDEX",
        "INFO",
        "KEYWORDS",
        "LASTSAVEDBY",
        "LINK",
        "LISTNUM",
        "MACROBUTTON",
        "MERGEBARCODE",
        "MERGEFIELD",
        "MERGEREC",
        "MERGESEQ",
        "NEXT",
        "NEXTIF",
        "NOTEREF",
        "NUMCHARS",
        "NUMPAGES",
        "NUMWORDS",
        "PAGE",
        "PAGEREF",
        "PRINT",
        "PRINTDATE",
        "PRIVATE",
        "QUOTE",
        "RD",
        "REF",
        "REVNUM",
        "SAVEDATE",
        "SECTION",
        "SECTIONPAGES",
        "SEQ",
        "SET",
        "SKIPIF",
        "STYLEREF",
        "SUBJECT",
        "SYMBOL",
        "TA",
        "TC",
        "TEMPLATE",
        "TIME",
        "TITLE",
        "TOA",
        "TOC",
        "USERADDRESS",
        "USERINITIALS",
        "USERNAME",
        "XE",
    ];
    FIELDS.binary_search(&keyword).is_ok()
}

#[cfg(test)]
mod tests {
    use super::places_of;

    #[test]
    fn a_name_counts_where_the_field_takes_one() {
        for (instruction, wanted) in [
            (" REF Total \\h ", "[5]"),
            ("ref \\h total", "[7]"),
            (" REF \"Total\" \\h", "[6]"),
            (" PAGEREF Total", "[9]"),
            (" HYPERLINK \\l \"Total\" \\o \"Total\"", "[15]"),
            (" HYPERLINK \"Total\"", "[]"),
            (" TOC \\b Total \\o \"1-3\"", "[8]"),
            (" Total ", "[1]"),
            (" = Total * 2 + SUM(total) ", "[3, 19]"),
            (" = \"Total\" ", "[]"),
            (" IF Total > 5 \"Total\" \"none\"", "[4]"),
            (" MERGEFIELD Total ", "[]"),
            (" REF Totals ", "[]"),
            (" DOCPROPERTY Total ", "[]"),
            ("", "[]"),
            (" REF \"Total", "[6]"),
        ] {
            let starts: Vec<usize> = places_of("Total", instruction).iter().map(|at| at.start).collect();
            assert_eq!(format!("{starts:?}"), wanted, "{instruction}");
        }
        assert!(places_of("Date", " DATE \\@ \"d\" ").is_empty());
        assert!(places_of("Seq", " SEQ Seq ").is_empty());
    }

    #[test]
    fn every_field_is_found_in_the_table() {
        assert!(super::is_field("ADDRESSBLOCK") && super::is_field("TA") && super::is_field("XE"));
    }
}
