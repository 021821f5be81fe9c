//! Any text as a pattern of Word's own search and any as what it is looked for in: matches lie in order on whole
//! characters, or the pattern is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use word::Pattern;

fuzz_target!(|bytes: &[u8]| {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    let (pattern, text) =
        input.split_once('\n').unwrap_or((input, "An apple, an Apfel: 12-12 and (tel) 0049 30 1234."));
    let Ok(parsed) = Pattern::parse(pattern) else { return };
    let Ok(found) = parsed.find_all(text) else { return };
    let mut from = 0;
    for one in &found {
        assert!(from <= one.range.start && one.range.start < one.range.end, "`{pattern}` in `{text}`");
        assert!(text.get(one.range.clone()).is_some(), "`{pattern}` in `{text}`");
        assert!(
            one.groups.iter().flatten().all(|group| text.get(group.clone()).is_some()),
            "`{pattern}` in `{text}`"
        );
        from = one.range.end;
    }
});
