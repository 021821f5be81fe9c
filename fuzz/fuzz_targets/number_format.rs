//! Any text as a number format, with a number to show: it is shown or said not to be showable.
#![no_main]

use formula::{DateSystem, Value, numfmt};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((number, code)) = bytes.split_first_chunk::<8>() else { return };
    let Ok(code) = std::str::from_utf8(code) else { return };
    let given = f64::from_le_bytes(*number);
    let _ = numfmt::is_date(code);
    for number in [given, 0.0, -1234.567, 45_000.75, 1e-7, 1e300] {
        // A cell holds no other numbers.
        if !number.is_finite() {
            continue;
        }
        for dates in [DateSystem::D1900, DateSystem::D1904] {
            if let Some(shown) = numfmt::format(&Value::Number(number), code, dates) {
                assert!(
                    shown.fill.is_none_or(|(at, _)| shown.text.is_char_boundary(at)),
                    "`{code}` for {number}"
                );
            }
        }
        let _ = numfmt::general(number);
    }
    let _ = numfmt::format(&Value::Text("text".into()), code, DateSystem::D1900);
});
