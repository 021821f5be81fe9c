//! Calls with arguments of about their shape: each is answered or refused in words, and none does harm.

use serde_json::Value;
use testkit::Chance;
use testkit::shapes;

use super::super::Probe;
use super::{budget, context};

const WORDS: &[&str] = &[
    "Inputs",
    "Model",
    "Summary!B1",
    "Model!A1:E4",
    "Inputs!B3",
    "CostShare",
    "Nowhere!A1",
    "A1",
    "",
    "'",
    "Model!XFD1048576",
    "=SUM(A1:A9)",
    "Revenue",
    "2027",
    "#FF0000",
    "0.0%",
    "C",
    "new",
];

#[test]
fn calls_of_any_shape_are_answered() {
    let mut chance = Chance(11);
    let functions: Vec<(&str, Vec<Value>)> = Probe::functions().collect();
    let (mut done, mut refused) = (0, 0);
    for _ in 0..25 {
        let probe = Probe::open(budget().file.to_vec(), context()).expect("the sample opens");
        for _ in 0..30 {
            let Some((name, shapes)) = chance.pick(&functions) else { return };
            let given: Value =
                shapes.iter().map(|shape| shapes::value(shape, &mut chance, WORDS, 0)).collect();
            let answer: Value =
                serde_json::from_str(&probe.call(name, &given.to_string())).expect("an answer is JSON");
            match answer["error"]["message"].as_str() {
                None => done += 1,
                Some(message) => {
                    refused += 1;
                    assert!(message.starts_with(name), "{name} {given}: {message}");
                }
            }
        }
        assert!(probe.finish());
    }
    assert!(done > 30 && refused > 100, "{done} done, {refused} refused");
}
