//! Random edits of random paragraphs, in documents made up here and in real ones that were damaged: each is refused,
//! or it obeys the laws and brings no new problem.
#![no_main]

use edit::{Content, Format};
use fuzz::Bundle;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use serde_json::{Value, json};
use testkit::Chance;
use word::{Edit, Side, View, Word};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    fuzz::mutate(data, size, max_size, seed)
});

fuzz_target!(|input: &[u8]| {
    let (content, mut chance) = match Bundle::read(input) {
        Some(bundle) => (bundle.content(), Chance::from_bytes(bundle.choices())),
        None => {
            let (shape, choices) = input.split_at(input.len() / 2);
            (document(shape), Chance::from_bytes(choices))
        }
    };
    let Ok(view) = Word::view(&content) else { return };
    let Some(edit) = edit(&view, &mut chance) else { return };
    match testkit::check::<Word>(&content, std::slice::from_ref(&edit)) {
        Ok(done) => {
            let new = word::new_problems(&content, &done.content).expect("linted");
            assert!(new.is_empty(), "{edit:?}: {new:?}");
        }
        Err(refusal) => assert!(!fuzz::is_ours(&refusal), "{edit:?}: {refusal}"),
    }
});

const TEXTS: [&str; 8] =
    ["", "x", " new words", "<b>bold</b>", "a\tb\nc", "\"T\" means u", "one\n\ntwo", "<i>"];

fn edit(view: &View, chance: &mut Chance) -> Option<Edit> {
    let places: Vec<_> = view.places().collect();
    let place = *chance.pick(&places)?;
    let paragraph = view.id(place);
    let text = view.paragraph(place).ok()?.text(Side::Final).text;
    let mut bound =
        || (0..=chance.below(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (a, b) = (bound(), bound());
    let old = &text[a.min(b)..a.max(b)];
    let new = *chance.pick(&TEXTS)?;
    let markup = *chance.pick(&["plain", "tracked"])?;
    let kind = *chance.pick(&["footnote", "endnote"])?;
    let small = (0..6).map(|_| chance.below(4)).collect::<Vec<_>>();
    let flag = small[0] % 2 == 0;
    let comment = view
        .comments()
        .ok()
        .and_then(|comments| Some(chance.pick(&comments)?.id.clone()))
        .unwrap_or_default();
    let table = json!({"Nth": small[1]});
    let scope = match small[2] {
        0 => json!("Document"),
        1 => json!({"Paragraph": text}),
        2 => json!({"First": old}),
        _ => json!({"Found": old}),
    };
    let place = *chance.pick(&["Start", "End", "Before", "After", "Replace"])?;
    let op = |op: Value| json!({"edit": "op", "op": op, "markup": markup});
    let edit = match chance.below(22) {
        0..=2 => {
            json!({"edit": "replace_text", "paragraph": paragraph, "old": old, "new": new, "markup": markup})
        }
        3 => {
            json!({"edit": "insert_paragraphs", "anchor": paragraph, "position": if flag { "before" } else { "after" }, "text": new, "markup": markup})
        }
        4 => json!({"edit": "delete_paragraph", "paragraph": paragraph, "markup": markup}),
        5 => {
            json!({"edit": "resolve_changes", "resolution": if flag { "accept" } else { "reject" }, "which": "all"})
        }
        6 => {
            json!({"edit": "add_comment", "paragraph": paragraph, "quote": (small[3] > 0).then_some(old), "text": new})
        }
        7 => json!({"edit": "reply_to_comment", "comment": comment, "text": new}),
        8 => json!({"edit": "resolve_comment", "comment": comment, "done": flag}),
        9 => json!({"edit": "delete_comment", "comment": comment}),
        10 => {
            json!({"edit": "add_note", "paragraph": paragraph, "after": (small[3] > 0).then_some(old), "kind": kind, "text": new, "markup": markup})
        }
        11 => json!({"edit": "delete_note", "kind": kind, "note": small[3].to_string()}),
        12 => json!({"edit": "add_bookmark", "paragraph": paragraph, "quote": old, "name": "mark"}),
        13 => {
            json!({"edit": "add_hyperlink", "paragraph": paragraph, "quote": old, "target": if flag { "#mark" } else { "https://example.com/?a=1&b=2" }})
        }
        14 => {
            json!({"edit": "set_running_text", "edge": if flag { "header" } else { "footer" }, "pages": *chance.pick(&["default", "first", "even"])?, "section": small[3], "text": new, "markup": markup})
        }
        15 => op(
            json!({"InsertText": {"text": new, "scope": scope, "location": place, "new_paragraph": flag, "keep_formatting": small[3] > 1}}),
        ),
        16 => op(
            json!({"Replace": {"target": {"Query": {"query": old, "matching": {"regex": false, "wildcards": false, "case": flag, "whole_word": false, "prefix": false}, "scope": "Document"}}, "with": new, "mode": if flag { "All" } else { "First" }}}),
        ),
        17 => op(
            json!({"TableCreate": {"rows": small[3], "cols": small[4], "scope": scope, "location": place, "data": [["a"], ["b", "c"]], "header": flag}}),
        ),
        18 => {
            let change = json!({"table": table, "at": small[3], "count": small[4], "side": if flag { "Before" } else { "After" }});
            op(if small[5] % 2 == 0 {
                json!({"TableInsertRows": change})
            } else {
                json!({"TableInsertColumns": change})
            })
        }
        19 => {
            let change = json!({"table": table, "indexes": [small[3], small[4]]});
            op(if small[5] % 2 == 0 {
                json!({"TableDeleteRows": change})
            } else {
                json!({"TableDeleteColumns": change})
            })
        }
        20 => op(
            json!({"TableMergeCells": {"table": table, "start_row": small[0], "start_col": small[3], "row_span": small[4], "col_span": small[5]}}),
        ),
        _ => op(json!({"ApplyStyle": {
            "scope": scope,
            "character": {"bold": flag, "font_size": 11.5, "underline": "Double"},
            "paragraph": {"alignment": "Center", "list": *chance.pick(&["None", "Bullet", "Number"])?},
            "named_style": flag.then_some("Heading 1"),
            "clear_other_styles": small[3] == 0,
        }})),
    };
    Some(serde_json::from_value(edit.clone()).unwrap_or_else(|error| panic!("{edit}: {error}")))
}

fn document(shape: &[u8]) -> Content {
    let mut body = String::from("<w:p>");
    let mut ids = 0;
    for byte in shape {
        ids += 1;
        let by = format!(
            "w:id=\"{ids}\" w:author=\"{}\" w:date=\"2024-01-01T00:00:00Z\"",
            if byte & 64 == 0 { "Tester" } else { "Other" }
        );
        let word = ["alpha", "beta ", " gamma", "&amp;", "d\u{e9}", " "][usize::from(byte >> 3) % 6];
        let run = format!("<w:r><w:t xml:space=\"preserve\">{word}</w:t></w:r>");
        body += &match byte % 16 {
            0 | 1 => "</w:p><w:p>".to_owned(),
            2 => format!("<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">{word}</w:t></w:r>"),
            3 => format!("<w:ins {by}>{run}</w:ins>"),
            4 => format!("<w:del {by}><w:r><w:delText>{word}</w:delText></w:r></w:del>"),
            5 => format!("<w:hyperlink w:anchor=\"x\">{run}</w:hyperlink>"),
            6 => format!(
                "<w:bookmarkStart w:id=\"{ids}\" w:name=\"b{ids}\"/>{run}<w:bookmarkEnd w:id=\"{ids}\"/>"
            ),
            7 => format!(
                "<w:r><w:fldChar w:fldCharType=\"begin\"/><w:instrText>REF a</w:instrText><w:fldChar w:fldCharType=\"separate\"/></w:r>{run}<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>"
            ),
            8 => format!("</w:p><w:p><w:pPr><w:rPr><w:ins {by}/></w:rPr></w:pPr><w:ins {by}>{run}</w:ins>"),
            9 => format!("</w:p><w:p><w:pPr><w:jc w:val=\"left\"/><w:rPr><w:del {by}/></w:rPr></w:pPr>{run}"),
            10 => format!(
                "</w:p><w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tcPr/><w:p>{run}</w:p></w:tc></w:tr></w:tbl><w:p>"
            ),
            11 => format!(
                "<w:sdt><w:sdtPr><w:lock w:val=\"{}\"/></w:sdtPr><w:sdtContent>{run}</w:sdtContent></w:sdt>",
                if byte & 128 == 0 { "unlocked" } else { "sdtContentLocked" }
            ),
            12 => "<w:r><w:tab/><w:br/><w:noBreakHyphen/></w:r>".to_owned(),
            13 => format!("<w:fldSimple w:instr=\"PAGE\">{run}</w:fldSimple>"),
            _ => run,
        };
    }
    fuzz::document(&(body + "</w:p>"))
}
