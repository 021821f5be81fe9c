//! What must hold for every edit.

use edit::{Format, PartName, Patch};
use markdown::{Markdown, PART};
use proptest::prelude::*;

use crate::corpus::well_formed;
use crate::{content, text, view};

/// Text that is likely to mean something.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        Just("word ".to_owned()),
        Just("a".to_owned()),
        Just("漢字".to_owned()),
        Just("😀".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("  ".to_owned()),
        Just("    ".to_owned()),
        Just("\t".to_owned()),
        Just("# ".to_owned()),
        Just("- ".to_owned()),
        Just("* ".to_owned()),
        Just("1. ".to_owned()),
        Just("> ".to_owned()),
        Just("- [ ] ".to_owned()),
        Just("```\n".to_owned()),
        Just("~~~".to_owned()),
        Just("**".to_owned()),
        Just("*".to_owned()),
        Just("_".to_owned()),
        Just("~~".to_owned()),
        Just("==".to_owned()),
        Just("++".to_owned()),
        Just("`".to_owned()),
        Just("[a]".to_owned()),
        Just("[a]: /u\n".to_owned()),
        Just("[^1]".to_owned()),
        Just("[^1]: n\n".to_owned()),
        Just("](x)".to_owned()),
        Just("[".to_owned()),
        Just("![".to_owned()),
        Just("| a | b |\n|---|---|\n| 1 | 2 |\n".to_owned()),
        Just("|".to_owned()),
        Just("---\n".to_owned()),
        Just("===\n".to_owned()),
        Just("+++\n".to_owned()),
        Just("<div>\n".to_owned()),
        Just("</div>\n".to_owned()),
        Just("<!-- ".to_owned()),
        Just("-->".to_owned()),
        Just("$$\n".to_owned()),
        Just("$".to_owned()),
        Just("[[w|d]]".to_owned()),
        Just(": d\n".to_owned()),
        Just("\\".to_owned()),
        Just("&amp;".to_owned()),
        Just("\r".to_owned()),
    ];
    proptest::collection::vec(token, 0..40).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_text_opens_and_keeps_its_bytes(source in soup()) {
        let view = view(&source);
        prop_assert_eq!(view.text(), source.clone());
        well_formed(&view, "soup");
        for chars in 0..=view.size().chars {
            let byte = view.byte_of_char(chars).unwrap();
            prop_assert_eq!(view.char_of_byte(byte), chars);
            prop_assert_eq!(byte, source.char_indices().nth(chars).map_or(source.len(), |(at, _)| at));
        }
        prop_assert!(view.byte_of_char(view.size().chars + 1).is_none());
    }

    #[test]
    fn the_view_is_carried_over_any_splices(source in soup(), edits in proptest::collection::vec((any::<u16>(), 0usize..12, soup()), 1..4)) {
        let before = content(&source);
        let mut patch = Patch::new();
        for (at, len, with) in edits {
            let floor = |mut at: usize| { while !source.is_char_boundary(at) { at -= 1; } at };
            let at = floor(at as usize % (source.len() + 1));
            let end = floor((at + len).min(source.len())).max(at);
            let _ = patch.splice(&PartName::new(PART), at..end, with);
        }
        let after = patch.apply(&before).unwrap();
        let quick = Markdown::view_after(view(&source), &patch, &after).unwrap();
        let slow = Markdown::view(&after).unwrap();
        prop_assert!(quick == slow, "before {:?} after {:?}\nquick {:#?}\nslow {:#?}", source, text(&after), quick, slow);
    }
}
