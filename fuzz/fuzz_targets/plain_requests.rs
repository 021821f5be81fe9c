//! Any text as a request in plain words, for each kind of document: the same steps each time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use planner::{Format, understand};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for format in [Format::Word, Format::Sheet, Format::Markdown] {
        assert_eq!(understand(text, format), understand(text, format), "{text}");
    }
});
