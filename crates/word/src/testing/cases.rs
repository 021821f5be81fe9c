//! The cases of this crate (`cases/*.md`), in the notation of [`short`](super::short).
//!
//! `doc` is the body, `part styles` and the like another part of `word/`. An edit is a line: its name and its arguments,
//! with `#2` for the id of the second paragraph and `#table` for that of the first table. Names that begin with a capital are
//! operations; `selection="…"` selects the first place of a text. Expected are `after` and `part NAME` as markup, `text` as
//! people read it, `answer` for what the edit reports, `notes`, and `refused`. A name of a paragraph that the edit made is
//! shown as `new`.

use std::path::Path;

use edit::{Content, Refusal};
use serde_json::{Map, Value, json};
use testkit::Checked;
use testkit::cases::{Block, Notation};

use super::short::{shortened, spelled_out};
use super::{document_with, lines};
use crate::op::{Ground, Places, Scope};
use crate::{Edit, Side, View, Word, new_problems};

#[test]
fn cases() {
    testkit::cases::run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases"), &Short);
}

struct Short;

pub(crate) struct Made {
    before: Content,
    outcome: Result<Checked<Word>, Refusal>,
}

impl Notation for Short {
    type Outcome = Made;

    const GIVEN: &'static [&'static str] = &["doc", "with"];

    fn make(&self, given: &[Block], edit: &Block) -> Made {
        let spelled: Vec<_> = given.iter().map(|block| (&*block.about, spelled_out(&block.text))).collect();
        let (bodies, parts): (Vec<_>, Vec<_>) = spelled.iter().partition(|(name, _)| name.is_empty());
        let [(_, body)] = bodies.as_slice() else { panic!("one document, not {}", bodies.len()) };
        let parts: Vec<(&str, &str)> = parts.iter().map(|(name, inner)| (*name, inner.as_str())).collect();
        let before = document_with(body, &parts);
        let view = View::read(&before).expect("viewed");
        let edits: Vec<Edit> =
            edit.commands("edit").into_iter().map(|command| read(&view, command)).collect();
        let outcome = testkit::check::<Word>(&before, &edits);
        if let Ok(done) = &outcome {
            assert_eq!(new_problems(&before, &done.content).expect("linted"), [], "a new problem");
        }
        Made { before, outcome }
    }

    fn show(&self, _: &[Block], made: &Made, expected: &Block) -> Option<String> {
        let done = match (&*expected.kind, &made.outcome) {
            ("refused", Err(refusal)) => {
                let hint = refusal.hint().map(|hint| format!("hint: {hint}\n"));
                return Some(format!("{refusal}\n{}", hint.unwrap_or_default()));
            }
            ("refused", Ok(_)) => panic!("not refused"),
            (_, Err(refusal)) => panic!("refused: {refusal}"),
            (_, Ok(done)) => done,
        };
        match &*expected.kind {
            "after" => Some(named(&made.before, &part(&done.content, "document"))),
            "part" => Some(named(&made.before, &part(&done.content, &expected.about))),
            "text" => Some(joined(&lines(&done.view, Side::Final))),
            "original" => Some(joined(&lines(&done.view, Side::Original))),
            "answer" => {
                let answers =
                    done.outcomes.iter().map(|outcome| serde_json::to_string(outcome).expect("written"));
                Some(joined(&answers.collect::<Vec<_>>()))
            }
            "notes" => Some(joined(&done.notes)),
            _ => None,
        }
    }
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{}\n", line.replace('\n', "\u{21B5}"))).collect()
}

pub(crate) fn part(content: &Content, name: &str) -> String {
    let name = format!("word/{name}.xml");
    let blob = content.read(&name).expect("read").unwrap_or_else(|| panic!("there is no {name}"));
    String::from_utf8(blob.bytes().into_owned()).expect("UTF-8")
}

/// In short, with names that are not in the document before as `new`.
fn named(before: &Content, part: &str) -> String {
    let old = self::part(before, "document");
    let mut short = shortened(part);
    for key in ["w14:paraId=", "w15:paraId=", "w15:paraIdParent="] {
        let mut at = 0;
        while let Some(found) = short[at..].find(key) {
            let start = at + found + key.len();
            let end = start + short[start..].find([' ', ')', '/', '>']).expect("an end");
            at = start;
            if !old.contains(&short[start..end]) {
                short.replace_range(start..end, "new");
            }
        }
    }
    short
}

fn read(view: &View, mut command: Value) -> Edit {
    resolve(view, &mut command);
    let mut fields = command.as_object().expect("an object").clone();
    let name = fields["edit"].as_str().expect("a name").to_owned();
    if name.starts_with(|c: char| c.is_ascii_uppercase()) {
        fields.remove("edit");
        command = operation(view, &name, fields);
    }
    serde_json::from_value(command.clone()).unwrap_or_else(|error| panic!("{error}: {command}"))
}

fn operation(view: &View, name: &str, mut fields: Map<String, Value>) -> Value {
    let markup = fields.remove("markup").unwrap_or_else(|| json!("plain"));
    let selection = fields.remove("selection").map(|text| {
        let scope = Scope::First(text.as_str().expect("text").into());
        let ground = Ground::of(view, &scope, &Places::default()).expect("the selection is found");
        ground.span(view).expect("a span")
    });
    let places = Places { selection, ..Places::default() };
    let op = if fields.is_empty() { json!(name) } else { json!({ name: fields }) };
    json!({ "edit": "op", "op": op, "places": places, "markup": markup })
}

/// `#2` is the id of the second paragraph, `#table` that of the first table.
fn resolve(view: &View, value: &mut Value) {
    match value {
        Value::String(text) => {
            let number = text.strip_prefix('#').map(str::parse::<usize>);
            if let Some(Ok(number)) = number {
                let place = view.places().nth(number - 1).expect("there are that many paragraphs");
                *text = view.id(place).to_string();
            } else if text == "#table" {
                *text = view.tables().next().expect("a table").id.to_string();
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| resolve(view, value)),
        Value::Object(fields) => fields.values_mut().for_each(|value| resolve(view, value)),
        _ => {}
    }
}
