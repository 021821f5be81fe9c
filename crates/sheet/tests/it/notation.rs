//! How cases are written (`cases/*.md`).
//!
//! ````text
//! ```sheet Sheet1
//! A1 1
//! B1 ="x" & A1 -> "x1"
//! C1{s=2} "text"
//! row 2 spans=1:3
//! A2 ={t=shared ref=A2:A3 si=0}A1*2 -> 2
//! <mergeCells count="1"><mergeCell ref="C1:D1"/></mergeCells>
//! ```
//! ```edit
//! set A1=2 C1="new" D1="=A1*2" B1=null
//! ```
//! ```after Sheet1
//! …
//! ```
//! ````
//!
//! A line is a cell: its attributes in braces, its formula, and behind `->` the value that is stored with it. `@3` is a
//! shared string, `TRUE` a truth, `#N/A` an error, `str "x"` a text that a formula left. Other elements of the sheet are
//! written as they are, before or behind the cells. `with NAME` is another part, `with workbook` more of the workbook
//! itself. Expected are `after SHEET`, `part NAME`, `summary` and `refused`. Edits without a sheet are about `Sheet1`.

use std::fmt::Write as _;
use std::path::Path;

use edit::{Blob, Content, Refusal};
use ooxml::xml::{Document, Node, XmlLimits, escape_attribute, escape_text};
use serde_json::{Map, Value, json};
use sheet::{Edit, Sheet};
use testkit::Checked;
use testkit::cases::{Block, Notation};

use crate::book::{book_with, text_of};

#[test]
fn cases() {
    testkit::cases::run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases"), &Cells);
}

struct Cells;

impl Notation for Cells {
    type Outcome = Result<Checked<Sheet>, Refusal>;

    const GIVEN: &'static [&'static str] = &["sheet", "with"];

    fn make(&self, given: &[Block], edit: &Block) -> Self::Outcome {
        let of = |kind: &'static str| given.iter().filter(move |block| block.kind == kind);
        let sheets: Vec<_> = of("sheet").map(|block| (&*block.about, inside(&block.text))).collect();
        let sheets: Vec<_> = sheets.iter().map(|(name, inside)| (*name, inside.as_str())).collect();
        let more =
            of("with").find(|block| block.about == "workbook").map_or("", |block| block.text.trim_end());
        let parts = of("with").filter(|block| block.about != "workbook");
        let parts: Vec<_> = parts.map(|block| (&*block.about, block.text.trim_end())).collect();
        let edits: Vec<Edit> = edit.commands("op").into_iter().map(read).collect();
        testkit::check::<Sheet>(&book_with(&sheets, more, &parts), &edits)
    }

    fn show(&self, _: &[Block], outcome: &Self::Outcome, expected: &Block) -> Option<String> {
        let done = match (&*expected.kind, outcome) {
            ("refused", Err(refusal)) => {
                let hint = refusal.hint().map(|hint| format!("hint: {hint}\n"));
                return Some(format!("{refusal}\n{}", hint.unwrap_or_default()));
            }
            ("refused", Ok(done)) => panic!("not refused: {}", done.summary),
            (_, Err(refusal)) => panic!("refused: {refusal}"),
            (_, Ok(done)) => done,
        };
        match &*expected.kind {
            "after" => Some(lines(&text_of(&done.content, &part_of(&done.content, &expected.about)))),
            "part" => Some(format!("{}\n", text_of(&done.content, &expected.about))),
            "summary" => Some(format!("{}\n", done.summary)),
            _ => None,
        }
    }
}

/// The part of a sheet: they are numbered as the workbook lists them, and one that was added has the next number.
fn part_of(content: &Content, name: &str) -> String {
    let book = text_of(content, "xl/workbook.xml");
    let tag = book.split("<sheet ").skip(1).find(|tag| tag.contains(&format!("name=\"{name}\"")));
    let id = tag.and_then(|tag| tag.split_once("r:id=\"")?.1.split('"').next());
    let id = id.unwrap_or_else(|| panic!("no sheet is called {name}: {book}"));
    let rels = text_of(content, "xl/_rels/workbook.xml.rels");
    let rel = rels.split("<Relationship ").find(|rel| rel.contains(&format!("Id=\"{id}\"")));
    let target = rel.and_then(|rel| rel.split_once("Target=\"")?.1.split('"').next()).expect("a target");
    format!("xl/{}", target.trim_start_matches("/xl/"))
}

fn read(command: Value) -> Edit {
    let mut fields = command.as_object().expect("an object").clone();
    if fields["op"] == "set" {
        fields.insert("op".into(), json!("set_cells"));
        let sheet = fields.remove("sheet");
        let op = fields.remove("op").expect("just put");
        let cells: Vec<_> =
            fields.into_iter().map(|(at, value)| json!({ "at": at, "input": input(value) })).collect();
        fields = Map::from_iter([("op".into(), op), ("cells".into(), json!(cells))]);
        fields.extend(sheet.map(|sheet| ("sheet".to_owned(), sheet)));
    }
    let value = Value::Object(fields.clone());
    if let Ok(edit) = serde_json::from_value(value) {
        return edit;
    }
    fields.entry("sheet").or_insert_with(|| json!("Sheet1"));
    let value = Value::Object(fields);
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

fn input(value: Value) -> Value {
    match value {
        Value::Null => json!("clear"),
        Value::Bool(truth) => json!({ "bool": truth }),
        Value::Number(number) => json!({ "number": number }),
        Value::String(text) if text.starts_with('=') => json!({ "formula": text }),
        Value::String(text) if text.starts_with('#') => json!({ "error": text }),
        Value::String(text) => json!({ "text": text }),
        other => other,
    }
}

/// A worksheet, a line for each cell.
fn lines(part: &str) -> String {
    let document = Document::parse(&Blob::from(part.to_owned()), &XmlLimits::default()).expect("well formed");
    let mut out = String::new();
    for child in document.root().elements() {
        if child.qualified() != "sheetData" {
            let _ = writeln!(out, "{}", String::from_utf8_lossy(child.source()));
            continue;
        }
        for row in child.elements() {
            let number = row.value("", "r").expect("a numbered row");
            let given = attributes(&row, &["r"]);
            let cells: Vec<_> = row.elements().collect();
            if !given.is_empty() || cells.is_empty() {
                let _ = writeln!(out, "{}", format!("row {number} {given}").trim_end());
            }
            for one in cells {
                let source = String::from_utf8_lossy(one.source()).into_owned();
                let _ = writeln!(out, "{}", cell(&one).unwrap_or(source));
            }
        }
    }
    out
}

fn attributes(node: &Node<'_>, except: &[&str]) -> String {
    let each = node.attributes().filter(|attribute| !except.contains(&attribute.qualified()));
    let each = each.map(|attribute| format!("{}={}", attribute.qualified(), word(&attribute.value())));
    each.collect::<Vec<_>>().join(" ")
}

fn word(text: &str) -> String {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.:$!-".contains(c));
    if plain { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A cell in short, or nothing if there is more to it than can be said so.
fn cell(node: &Node<'_>) -> Option<String> {
    let kind = node.value("", "t");
    let given = attributes(node, &["r", "t"]);
    let mut out = node.value("", "r")?.into_owned();
    if !given.is_empty() {
        let _ = write!(out, "{{{given}}}");
    }
    let mut children = node.elements().peekable();
    let formula = children.next_if(|child| child.qualified() == "f");
    let stored = children.next();
    if children.next().is_some() {
        return None;
    }
    if let Some(formula) = formula {
        let given = attributes(&formula, &[]);
        let given = if given.is_empty() { given } else { format!("{{{given}}}") };
        let _ = write!(out, " ={given}{}", formula.text());
        if stored.is_some() {
            out += " ->";
        }
    }
    match (stored, kind.as_deref()) {
        (None, None) => {}
        (Some(value), kind) if value.qualified() == "v" && value.attributes().next().is_none() => {
            let text = value.text().into_owned();
            let shown = match kind {
                None | Some("n") if kind.is_none() => text,
                Some("b") => (if text == "1" { "TRUE" } else { "FALSE" }).to_owned(),
                Some("e") => text,
                Some("s") => format!("@{text}"),
                Some("str") => format!("str {}", quoted(&text)),
                _ => return None,
            };
            let _ = write!(out, " {shown}");
        }
        (Some(value), Some("inlineStr")) if value.qualified() == "is" => {
            let only = value
                .elements()
                .next()
                .filter(|text| text.qualified() == "t" && value.elements().count() == 1)?;
            let keeps = only.attributes().next().is_some();
            let text = only.text();
            if keeps != (text.trim() != text) {
                return None;
            }
            let _ = write!(out, " {}", quoted(&text));
        }
        _ => return None,
    }
    Some(out)
}

/// What stands inside a worksheet, from lines as [`lines`] writes them.
fn inside(short: &str) -> String {
    let (mut before, mut rows, mut behind) = (String::new(), String::new(), String::new());
    let mut open: Option<String> = None;
    for line in short.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(rest) = line.strip_prefix("row ") {
            let (number, given) = rest.split_once(' ').unwrap_or((rest, ""));
            rows += if open.is_some() { "</row>" } else { "" };
            let _ = write!(rows, "<row r=\"{number}\"{}>", read_attributes(given));
            open = Some(number.to_owned());
        } else if line.starts_with('<') && !line.starts_with("<c ") {
            let to = if open.is_some() { &mut behind } else { &mut before };
            to.push_str(line);
        } else {
            let at = match line.strip_prefix("<c ") {
                Some(raw) => raw.split_once("r=\"").expect("an address").1,
                None => line,
            };
            let number: String =
                at.chars().skip_while(char::is_ascii_uppercase).take_while(char::is_ascii_digit).collect();
            if open.as_ref() != Some(&number) {
                rows += if open.is_some() { "</row>" } else { "" };
                let _ = write!(rows, "<row r=\"{number}\">");
                open = Some(number);
            }
            rows += &if line.starts_with('<') { line.to_owned() } else { read_cell(line) };
        }
    }
    rows += if open.is_some() { "</row>" } else { "" };
    format!("{before}<sheetData>{rows}</sheetData>{behind}")
}

/// ` key="value"` for each `key=value`.
fn read_attributes(given: &str) -> String {
    let each = testkit::cases::pairs(given).into_iter().map(|(key, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!(" {key}=\"{}\"", escape_attribute(&value))
    });
    each.collect()
}

fn read_cell(line: &str) -> String {
    let end = line.find([' ', '{']).unwrap_or(line.len());
    let (at, mut rest) = line.split_at(end);
    let mut given = String::new();
    if let Some(inner) = rest.strip_prefix('{') {
        let (inner, behind) = inner.split_once('}').expect("the end of the attributes");
        given = read_attributes(inner);
        rest = behind;
    }
    rest = rest.trim_start();
    let mut formula = String::new();
    if let Some(text) = rest.strip_prefix('=') {
        let (text, value) = text.rsplit_once(" ->").unwrap_or((text, ""));
        let (of, text) = match text.strip_prefix('{') {
            Some(inner) if inner.split_once('}').is_some_and(|(of, _)| of.contains('=')) => {
                inner.split_once('}').expect("an end")
            }
            _ => ("", text),
        };
        formula = format!("<f{}>{}</f>", read_attributes(of), escape_text(text)).replace("></f>", "/>");
        rest = value.trim_start();
    }
    let value = |text: &str| format!("<v>{}</v>", escape_text(text));
    let text =
        |json: &str| serde_json::from_str::<String>(json).unwrap_or_else(|error| panic!("{error}: {line}"));
    let (kind, stored) = match rest {
        "" => ("", String::new()),
        "TRUE" => ("b", value("1")),
        "FALSE" => ("b", value("0")),
        _ if rest.starts_with('#') => ("e", value(rest)),
        _ if rest.starts_with('@') => ("s", value(&rest[1..])),
        _ if rest.starts_with("str ") => ("str", value(&text(&rest[4..]))),
        _ if rest.starts_with('"') => {
            let text = text(rest);
            let keep = if text.trim() == text { "" } else { " xml:space=\"preserve\"" };
            ("inlineStr", format!("<is><t{keep}>{}</t></is>", escape_text(&text)))
        }
        number => ("", value(number)),
    };
    let kind = if kind.is_empty() { String::new() } else { format!(" t=\"{kind}\"") };
    let inner = format!("{formula}{stored}");
    if inner.is_empty() {
        return format!("<c r=\"{at}\"{given}{kind}/>");
    }
    format!("<c r=\"{at}\"{given}{kind}>{inner}</c>")
}
