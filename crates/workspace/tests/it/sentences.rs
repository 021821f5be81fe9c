//! Sentences that people say, and what each of them comes to: the sets of `tests/requests` from the fourth on. The
//! expectations were judged sentence by sentence; a line here that changes is judged again, not taken over.
//! `DOCWRIGHT_WRITE_SENTENCES=1` writes them as they are now.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use workspace::requests::{self, Answer, Conclusion, Found, Request};
use workspace::word::Markup;
use workspace::{DocId, Mode, Standing};

use crate::Bench;

const SETS: &str = "../../tests/requests";
const JUDGED: [&str; 6] = ["fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
/// Changes that are written down of one sentence.
const MOST: usize = 4;

#[test]
fn word_sentences() {
    check("word", "agreement.docx");
}

#[test]
fn sheet_sentences() {
    check("sheet", "orders.xlsx");
}

#[test]
fn markdown_sentences() {
    check("markdown", "handbook.md");
}

fn check(kind: &str, first: &str) {
    JUDGED.iter().for_each(|chosen| check_set(chosen, kind, first));
}

fn check_set(chosen: &str, kind: &str, first: &str) {
    let sets = Path::new(env!("CARGO_MANIFEST_DIR")).join(SETS);
    let set = std::fs::read_to_string(sets.join(chosen).join(format!("{kind}.txt"))).unwrap();
    let bench = Bench::new();
    let mut documents: BTreeMap<String, DocId> = BTreeMap::new();
    let mut name = first.to_owned();
    let mut said = String::new();
    for line in set.lines().filter(|line| !line.is_empty()) {
        if let Some(other) = line.strip_prefix("= ") {
            name = other.to_owned();
            writeln!(said, "= {name}").unwrap();
            continue;
        }
        // Files of the corpus are looked at by `measure.py` only.
        if name.starts_with("corpus:") {
            continue;
        }
        let document = *documents.entry(name.clone()).or_insert_with(|| open(&bench, &sets, &name));
        let request = Request {
            text: line,
            session: None,
            markup: Markup::Plain,
            mode: Mode::DryRun,
            standing: Standing::default(),
        };
        writeln!(said, "> {line}").unwrap();
        match requests::carry_out(&bench.workspace, document, &request) {
            Err(_) => writeln!(said, "refused").unwrap(),
            Ok(answer) => told(&answer, &mut said),
        }
    }
    let path = sets.join(chosen).join(format!("{kind}.expected.txt"));
    if std::env::var_os("DOCWRIGHT_WRITE_SENTENCES").is_some() {
        std::fs::write(&path, &said).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    let blocks = |text: &str| -> Vec<String> { text.split("\n> ").map(str::to_owned).collect() };
    for (said, expected) in blocks(&said).iter().zip(blocks(&expected)) {
        assert_eq!(*said, expected);
    }
    assert_eq!(said, expected);
}

fn open(bench: &Bench, sets: &Path, name: &str) -> DocId {
    let own = sets.join(name);
    match own.exists() {
        true => {
            std::fs::copy(own, bench.root().join(name)).unwrap();
            bench.open(name)
        }
        false => bench.open_sample(name),
    }
}

fn told(answer: &Answer, said: &mut String) {
    match &answer.conclusion {
        Conclusion::NotUnderstood(_) => writeln!(said, "not understood").unwrap(),
        Conclusion::Answered => {
            for step in &answer.steps {
                match &step.found {
                    Some(Found::Told(lines)) => {
                        lines.iter().take(MOST).for_each(|line| writeln!(said, "told: {line}").unwrap());
                    }
                    Some(Found::Read(cells, read)) => {
                        let texts: Vec<&str> = read.iter().map(|cell| cell.text.as_str()).collect();
                        writeln!(said, "read {cells}: {}", texts.join(" | ")).unwrap();
                    }
                    Some(Found::Matches(matches)) => writeln!(said, "found {} times", matches.len()).unwrap(),
                    _ => writeln!(said, "answered").unwrap(),
                }
            }
        }
        Conclusion::Changed(_) => {
            if answer.shown.is_empty() {
                writeln!(said, "changed: {}", answer.summary).unwrap();
            }
            for shown in answer.shown.iter().take(MOST) {
                // Ids differ from run to run, and so does nothing else.
                let place: Vec<&str> =
                    shown.place.split(' ').filter(|word| !word.contains("jr_para_")).collect();
                let (before, after) = stretch(&shown.before, &shown.after);
                writeln!(said, "{}: [{before}] -> [{after}]", place.join(" ")).unwrap();
            }
            if answer.shown.len() > MOST {
                writeln!(said, "and {} more", answer.shown.len() - MOST).unwrap();
            }
        }
    }
}

/// What differs, with the word around it.
fn stretch(before: &str, after: &str) -> (String, String) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split(' ').collect(), after.split(' ').collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let part = |words: &[&str]| words[head..words.len() - tail].join(" ").replace(['\n', '\r'], "⏎");
    (part(&old), part(&new))
}

/// What becomes of the sentences of any file, for somebody to judge: lines of a document's path and a sentence, with a tab
/// between them. `DOCWRIGHT_SENTENCES=FILE cargo test -p workspace --test it any_sentences -- --nocapture`
#[test]
fn any_sentences() {
    let Some(list) = std::env::var_os("DOCWRIGHT_SENTENCES") else { return };
    let folder = Path::new(&list).parent().unwrap().to_owned();
    let bench = Bench::new();
    let mut documents: BTreeMap<String, DocId> = BTreeMap::new();
    for line in std::fs::read_to_string(&list).unwrap().lines() {
        let Some((name, text)) = line.split_once('\t') else { continue };
        let text = text.split('\t').next().unwrap();
        let document = *documents.entry(name.to_owned()).or_insert_with(|| open(&bench, &folder, name));
        let request = Request {
            text,
            session: None,
            markup: Markup::Plain,
            mode: Mode::DryRun,
            standing: Standing::default(),
        };
        let mut said = String::new();
        match requests::carry_out(&bench.workspace, document, &request) {
            Err(workspace::requests::RequestError::Refused { why, .. }) => {
                writeln!(said, "refused: {why:?}").unwrap();
            }
            Err(other) => writeln!(said, "refused: {other:?}").unwrap(),
            Ok(answer) => {
                if let Conclusion::NotUnderstood(rest) = &answer.conclusion {
                    rest.iter().for_each(|rest| writeln!(said, "NOT {}", rest.why).unwrap());
                } else {
                    told(&answer, &mut said);
                }
                answer.notes.iter().for_each(|note| writeln!(said, "note: {}", note.text).unwrap());
            }
        }
        println!("> [{name}] {text}\n{said}");
    }
}
