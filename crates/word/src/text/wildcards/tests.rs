use super::*;
use proptest::prelude::*;

fn all<'t>(pattern: &str, text: &'t str) -> Vec<&'t str> {
    let pattern = Pattern::parse(pattern).unwrap_or_else(|refusal| panic!("{pattern}: {refusal}"));
    pattern.find_all(text).expect("in budget").into_iter().map(|found| &text[found.range]).collect()
}

#[test]
fn the_examples_of_the_manual_match_what_it_says() {
    assert_eq!(all("s?t", "sat set sit st"), ["sat", "set", "sit"]);
    assert_eq!(all("s*d", "sad started"), ["sad", "started"]);
    assert_eq!(all("<(inter)", "interesting splinter"), ["inter"]);
    assert_eq!(all("(in)>", "in within interesting"), ["in", "in"]);
    assert_eq!(all("w[io]n", "win won wen"), ["win", "won"]);
    assert_eq!(all("[r-t]ight", "right sight night"), ["right", "sight"]);
    assert_eq!(all("t[!a-m]ck", "tock tuck tack tick"), ["tock", "tuck"]);
    assert_eq!(all("fe{2}d", "feed fed"), ["feed"]);
    assert_eq!(all("fe{1,}d", "feed fed fd"), ["feed", "fed"]);
    assert_eq!(all("10{1,3}", "10 100 1000 10000"), ["10", "100", "1000", "1000"]);
    assert_eq!(all("lo@t", "lot loot lt"), ["lot", "loot"]);
}

#[test]
fn codes_and_escapes_stand_for_characters() {
    assert_eq!(all("^t", "a\tb"), ["\t"]);
    assert_eq!(all("a^13", "a\rb"), ["a\r"]);
    assert_eq!(all("a^pb", "a\rb"), ["a\rb"]);
    assert_eq!(all("[^9^s]", "a\tb\u{A0}"), ["\t", "\u{A0}"]);
    assert_eq!(all(r"\?\*\(", "a?*(b"), ["?*("]);
    assert_eq!(all("^u8364", "5 \u{20AC}"), ["\u{20AC}"]);
    assert_eq!(all("[]a]", "]a"), ["]", "a"]);
    assert_eq!(all("[a-]", "-a"), ["-", "a"]);
}

#[test]
fn letters_are_matched_with_their_case() {
    assert_eq!(all("cat", "Cat cat"), ["cat"]);
}

#[test]
fn a_back_reference_finds_doubled_words() {
    assert_eq!(all(r"<([a-z]@) \1>", "the the cat sat on on it"), ["the the", "on on"]);
    assert_eq!(all(r"(a{1,3})b\1", "aabaa aba ab"), ["aabaa", "aba"]);
    assert_eq!(all(r"((a)@)\1", "aaaa"), ["aa", "aa"]);
}

#[test]
fn a_back_reference_that_explodes_is_refused() {
    let pattern = Pattern::parse(r"(*)(*)(*)(*)\1\2\3\4x").expect("valid");
    let text = "ab".repeat(400);
    assert!(matches!(pattern.find_all(&text), Err(Refusal::Limit { .. })));
}

#[test]
fn replacements_take_what_the_groups_took() {
    let pattern = Pattern::parse("([A-Z][a-z]@) ([A-Z][a-z]{1,})").expect("valid");
    let text = "John Smith";
    let found = pattern.find_all(text).expect("found");
    let expand = |with: &str| Replacement::parse(with).expect("valid").expand(text, &found[0]);
    assert_eq!(expand(r"\2, \1"), "Smith, John");
    assert_eq!(expand("<^&>^t^^"), "<John Smith>\t^");
    assert_eq!(expand(r"a\\1 ^x \x"), r"a\1 ^x \x");
    assert!(Replacement::parse("^c").is_err());
}

#[test]
fn a_bad_pattern_says_what_and_where() {
    for (pattern, part) in [
        ("", "empty"),
        ("(a", "not closed"),
        ("a)", "closes nothing"),
        ("[a", "not closed"),
        ("a{2", "not closed"),
        ("a{3,2}", "more to less"),
        ("a{300}", "255"),
        ("@", "nothing to repeat"),
        ("<@", "nothing to repeat"),
        ("[z-a]", "high to low"),
        ("a\\", "at the end"),
        ("^", "at the end"),
        ("^q", "^q"),
        (r"\1", "not complete"),
        (r"(a\1)", "not complete"),
    ] {
        let refusal = Pattern::parse(pattern).map(|_| ()).expect_err(pattern);
        let part = part.replace("nothing to repeat", "without something to repeat");
        assert!(refusal.to_string().contains(&part), "{pattern}: {refusal}");
    }
}

proptest! {
    #[test]
    fn both_engines_agree(pattern in "[ab?*@<>()\\[\\]!{}1,2]{1,8}", text in "[ab ]{0,12}") {
        if let Ok(items) = parse::parse(&pattern)
            && let Ok(compiled) = Pattern::parse(&pattern)
        {
            let ranges = |found: Vec<Match>| found.into_iter().map(|m| m.range).collect::<Vec<_>>();
            let linear = ranges(compiled.find_all(&text).expect("linear"));
            let tried = ranges(backtrack::find_all(&items, &text).expect("in budget"));
            // The crate does not look for longer matches where an empty one was found first; Word has
            // no empty matches, and neither have patterns that people write.
            if items.iter().any(|item| item.least > 0 && !matches!(item.what, What::WordStart | What::WordEnd | What::Group { .. })) {
                prop_assert_eq!(linear, tried, "{}", pattern);
            }
        }
    }

    #[test]
    fn no_pattern_panics(pattern in "\\PC{0,12}", text in "\\PC{0,12}") {
        if let Ok(pattern) = Pattern::parse(&pattern) {
            let _ = pattern.find_all(&text);
        }
    }
}
