//! Calls of script functions with arguments of about their shape: each is answered, none does harm.
#![no_main]

use libfuzzer_sys::fuzz_target;
use script::Probe;
use testkit::Chance;
use testkit::shapes;

const BOOK: &[u8] = include_bytes!("../../samples/budget.xlsx");
const WORDS: &[&str] = &[
    "Inputs", "Model", "Summary!B1", "Model!A1:E4", "Inputs!B3", "CostShare", "Nowhere!A1", "A1", "", "'", "Model!XFD1048576",
    "=SUM(A1:A9)", "=A1#", "Revenue", "Cost", "2027", "#FF0000", "0.0%", "C", "AAAA", "new", "[#All]", "]", "\u{1F600}",
];

fuzz_target!(|bytes: &[u8]| {
    let cx = edit::Context::new("Ann".to_owned(), 1_770_000_000, 7);
    let probe = Probe::open(BOOK.to_vec(), cx).expect("the sample opens");
    let functions: Vec<_> = Probe::functions().collect();
    let mut chance = Chance::from_bytes(bytes);
    for _ in 0..6 {
        let Some((name, shapes)) = chance.pick(&functions) else { return };
        let given: serde_json::Value =
            shapes.iter().map(|shape| shapes::value(shape, &mut chance, WORDS, 0)).collect();
        let answer: serde_json::Value =
            serde_json::from_str(&probe.call(name, &given.to_string())).expect("an answer is JSON");
        assert!(answer.get("value").is_some() != answer.get("error").is_some(), "{name} {given}: {answer}");
    }
    assert!(probe.finish());
});
