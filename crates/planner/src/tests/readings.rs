//! Everyday requests, and how each is read: a table of sentences, so that one more costs a line.

use crate::{Format, Step, understand};

#[test]
fn each_request_is_read_as_the_table_says() {
    let mut wrong = Vec::new();
    let lines =
        include_str!("readings.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in lines {
        let mut parts = line.splitn(3, " | ");
        let (Some(format), Some(request), Some(wanted)) = (parts.next(), parts.next(), parts.next()) else {
            panic!("{line}");
        };
        let format = match format {
            "word" => Format::Word,
            "sheet" => Format::Sheet,
            _ => Format::Markdown,
        };
        let plan = understand(request, format);
        let read: Vec<String> = plan
            .steps
            .iter()
            .map(|step| match step {
                Step::Word(step) => step.to_string(),
                Step::Sheet(step) => step.to_string(),
                Step::Markdown(step) => step.to_string(),
            })
            .collect();
        let whys: Vec<String> = plan.rest.iter().map(|rest| rest.why.clone()).collect();
        let fits = match wanted.strip_prefix("? ") {
            Some(hint) => whys.iter().any(|why| why.contains(hint)),
            None => whys.is_empty() && read.join("; ") == wanted,
        };
        if !fits {
            wrong.push(format!("{request}: {read:?} {whys:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
