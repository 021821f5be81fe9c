//! A document and an edit of some place in it: planned twice alike, applied, carried and undone, or refused.
#![no_main]

use edit::{Blob, Content, Format, PartName};
use libfuzzer_sys::fuzz_target;
use markdown::{Edit, Markdown, PART};
use serde_json::{Value, json};
use testkit::Chance;

fuzz_target!(|bytes: &[u8]| {
    // What to do, then the document.
    let (choices, source) = bytes.split_at(bytes.len().min(8));
    let Ok(source) = std::str::from_utf8(source) else { return };
    let before = Content::single(PartName::new(PART), Blob::from(source));
    let Some(edit) = edit(&before, source, &mut Chance::from_bytes(choices)) else { return };
    match testkit::check::<Markdown>(&before, std::slice::from_ref(&edit)) {
        Ok(checked) => {
            let fresh = Markdown::view(&checked.content).expect("the result is read");
            assert!(checked.view == fresh, "{edit:?}: the view was not carried");
        }
        Err(refusal) => assert!(!fuzz::is_ours(&refusal), "{edit:?}: {refusal}"),
    }
});

const TEXTS: [&str; 9] = [
    "",
    "x",
    "two words",
    "a\nb",
    "- item\n- item",
    "# Title\n\ntext",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "*\u{e9}_`|",
    "```\ncode\n```",
];

fn edit(content: &Content, source: &str, chance: &mut Chance) -> Option<Edit> {
    let view = Markdown::view(content).ok()?;
    let nodes: Vec<_> = view.nodes().filter_map(|(id, _)| id).collect();
    let (node, after) = (*chance.pick(&nodes)?, *chance.pick(&nodes)?);
    let mut bound =
        || (0..=chance.below(source.len() + 1)).rev().find(|at| source.is_char_boundary(*at)).unwrap_or(0);
    let (a, b) = (bound(), bound());
    let range = json!({"start": a.min(b), "end": a.max(b)});
    let words = &source[a.min(b)..a.max(b)];
    let text = *chance.pick(&TEXTS)?;
    let (one, other) = (chance.below(5), chance.below(5));
    let mark = *chance.pick(&["bold", "italic", "code", "strike", "underline", "highlight"])?;
    let list = *chance.pick(&["bullet", "ordered", "task"])?;
    let to = [
        json!({"type": "paragraph"}),
        json!({"type": "heading", "level": one}),
        json!({"type": "codeBlock"}),
        json!({"type": "blockquote"}),
    ];
    let to = chance.pick(&to)?;
    let items = [
        json!({"op": "setItem", "index": one, "content": text}),
        json!({"op": "addItem", "at": one, "content": text, "checked": one > 2}),
        json!({"op": "deleteItem", "index": one}),
        json!({"op": "indent", "index": one}),
        json!({"op": "outdent", "index": one}),
        json!({"op": "setChecked", "index": one}),
        json!({"op": "reorder", "from": one, "to": other}),
    ];
    let cells = [
        json!({"op": "setCell", "row": one, "column": other, "content": text}),
        json!({"op": "addRow", "at": one, "cells": [text, "x"]}),
        json!({"op": "addRowHere", "side": "after"}),
        json!({"op": "deleteRow", "at": one}),
        json!({"op": "addColumn", "at": other, "header": "h", "cells": [text]}),
        json!({"op": "addColumnHere", "side": "before"}),
        json!({"op": "deleteColumn", "at": other}),
        json!({"op": "setHeader", "cells": [text]}),
        json!({"op": "toggleHeader"}),
    ];
    let edit: Value = match chance.below(25) {
        0 => json!({"op": "replace", "range": range, "with": text}),
        1 => json!({"op": "substitute", "find": words, "with": text, "which": "all", "case": "insensitive"}),
        2 => json!({"op": "replaceAnchored", "text": words, "before": "", "after": "", "with": text}),
        3 => json!({"op": "update", "node": node, "content": text}),
        4 => json!({"op": "insertAfter", "node": node, "content": text}),
        5 => json!({"op": "insertBlock", "at": a, "content": text}),
        6 => json!({"op": "delete", "node": node}),
        7 => json!({"op": "move", "node": node, "after": after}),
        8 => json!({"op": "format", "node": node, "mark": mark}),
        9 => json!({"op": "updateSection", "heading": node, "content": text}),
        10 => {
            json!({"op": "insertSection", "after": node, "level": 1 + one, "title": "New", "content": text})
        }
        11 => json!({"op": "moveSection", "heading": node, "after": after}),
        12 => json!({"op": "toggleMark", "range": range, "mark": mark}),
        13 => json!({"op": "setLink", "range": range, "href": "https://example.com/(x)", "title": text}),
        14 => json!({"op": "removeLink", "range": range}),
        15 => json!({"op": "clearFormatting", "range": range}),
        16 => json!({"op": "setBlock", "range": range, "to": to}),
        17 => json!({"op": "toggleBlock", "range": range, "to": to}),
        18 => json!({"op": "toggleList", "range": range, "to": list}),
        19 => json!({"op": "indent", "range": range}),
        20 => json!({"op": "outdent", "range": range}),
        21 => json!({"op": "list", "node": node, "operations": [chance.pick(&items)?]}),
        22 => json!({"op": "table", "table": {"node": node}, "operations": [chance.pick(&cells)?]}),
        23 => json!({"op": "table", "table": {"place": a}, "operations": [chance.pick(&cells)?]}),
        _ => json!({"op": "insertTable", "at": a, "rows": one, "columns": other, "header": "row"}),
    };
    Some(serde_json::from_value(edit.clone()).unwrap_or_else(|error| panic!("{edit}: {error}")))
}
