//! Functions on real workbooks, called as a script calls them. Whatever was written is made again from its edits as
//! JSON, which must come to the same bytes.

mod any_calls;
mod arranged;
mod charts;
mod entered;
mod layouts;
mod linted;
mod looks;
mod page;
mod pictures;
mod replay;
mod rules;
mod tables;
mod unvalued;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use edit::{Context, Draft, Format as _};
use serde_json::{Value, json};
use sheet::{Edit, Run, Sheet};

use crate::host::{Finished, Host};

pub(super) const NOW: i64 = 1_770_000_000;

pub(super) struct Book {
    host: Rc<RefCell<Host>>,
    file: Arc<Vec<u8>>,
}

fn context() -> Context {
    Context::new("Ann".to_owned(), NOW, 7)
}

/// The workbook that the documentation uses: Inputs, Model and Summary.
pub(super) fn budget() -> Book {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/budget.xlsx");
    open(std::fs::read(path).expect("the sample is there"))
}

pub(super) fn open(file: Vec<u8>) -> Book {
    let file = Arc::new(file);
    let host = Host::open(Arc::clone(&file), context()).expect("it opens");
    Book { host: Rc::new(RefCell::new(host)), file }
}

impl Book {
    fn answer(&self, name: &str, arguments: &Value) -> Value {
        let told = super::call(&self.host, name, &arguments.to_string());
        serde_json::from_str(&told).expect("an answer is JSON")
    }

    /// What a call answers.
    pub(super) fn call(&self, name: &str, arguments: Value) -> Value {
        let told = self.answer(name, &arguments);
        assert!(told.get("error").is_none(), "{name} {arguments}: {told}");
        told["value"].clone()
    }

    /// Why a call is refused, which has to contain the words.
    pub(super) fn refused(&self, name: &str, arguments: Value, code: &str, words: &str) {
        let told = self.answer(name, &arguments)["error"].clone();
        assert_eq!(told["code"], code, "{name} {arguments}: {told}");
        let message = told["message"].as_str().expect("a message");
        assert!(message.starts_with(name) && message.contains(words), "{name} {arguments}: {message}");
    }

    pub(super) fn set(&self, cells: &[(&str, Value)]) {
        let cells: Vec<Value> = cells
            .iter()
            .map(|(address, value)| match value.as_str().filter(|text| text.starts_with('=')) {
                Some(formula) => json!({ "address": address, "formula": formula }),
                None => json!({ "address": address, "value": value }),
            })
            .collect();
        self.call("setCells", json!([cells]));
    }

    pub(super) fn text(&self, address: &str) -> String {
        self.call("readCell", json!([address]))["text"].as_str().expect("a text").to_owned()
    }

    /// The workbook as it is saved, and opened again. What was done is made anew from its edits.
    pub(super) fn saved(&self) -> Book {
        let finished = self.host.borrow_mut().finish().expect("it ends");
        let (package, made) = again(&self.file, finished).expect("made again, it comes to the same");
        let problems = sheet::check(&Sheet::view(made.content()).expect("it has a view"));
        assert_eq!(problems.len(), 0, "{problems:?}");
        open(Sheet::pack(&package, made.content()).expect("it is packed"))
    }
}

/// What the parent makes of what a child did: its edits, which went over as JSON.
pub(super) fn again(
    file: &Arc<Vec<u8>>,
    finished: Finished,
) -> Result<(<Sheet as edit::Format>::Source, Draft<Sheet>), edit::Refusal> {
    let turns = serde_json::to_string(&finished.turns).expect("edits are data");
    let run = Run {
        turns: serde_json::from_str(&turns).expect("edits are read again"),
        sheets: finished.sheets,
        author: "Ann".to_owned(),
        now: NOW,
        seed: 7,
        result: Some(finished.print),
    };
    let (package, content) = Sheet::unpack(Arc::clone(file), &sheet::limits())?;
    let view = Sheet::view(&content)?;
    let (made, _) = Sheet::make(Draft::new(content, view), &Edit::Run(run), &context())?;
    Ok((package, made))
}
