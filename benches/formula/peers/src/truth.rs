//! Values that an engine computes, against those Excel left in the file.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use formualizer::workbook::{
    LiteralValue, LoadStrategy, NativeXlsxAdapter, SpreadsheetReader, Workbook, WorkbookConfig,
};
use serde_json::json;
use sheet::{Area, CellRef, Value};

use crate::{context, open};

/// A formula cell whose value in the file anybody could compute: sheet, cell, value.
type Truth = Vec<(usize, CellRef, Value)>;

fn truth(path: &str) -> Option<(Truth, BTreeMap<&'static str, usize>, Vec<String>)> {
    let view = open(path)?;
    let found = sheet::verify(&view, &context()).ok()?;
    let mut reasons: BTreeMap<&'static str, usize> = BTreeMap::new();
    for cell in &found.unanswerable {
        *reasons.entry(cell.reason.name()).or_default() += 1;
    }
    let skip: BTreeSet<&str> = found.unanswerable.iter().map(|cell| cell.address.as_str()).collect();
    let mut truth = Truth::new();
    let mut names = vec![String::new(); view.workbook().sheets.len()];
    for sheet in view.worksheets() {
        let Ok(sheet) = sheet else { continue };
        names[sheet.position] = sheet.name().to_owned();
        let everything: Area = "A1:XFD1048576".parse().ok()?;
        let _ = sheet.each_cell(everything, &mut |cell| {
            let address = format!("{}!{}", formula::quote_sheet(sheet.name()), cell.at);
            if cell.formula.is_some() && !cell.value.is_blank() && !skip.contains(address.as_str()) {
                truth.push((sheet.position, cell.at, cell.value));
            }
        });
    }
    Some((truth, reasons, names))
}

pub fn load_formualizer(path: &str) -> Result<Workbook, String> {
    let adapter = NativeXlsxAdapter::open_path(path).map_err(|error| error.to_string())?;
    let mut config = WorkbookConfig::interactive();
    config.eval.defer_graph_building = false;
    config.enable_changelog = false;
    Workbook::from_reader(adapter, LoadStrategy::EagerAll, config).map_err(|error| error.to_string())
}

fn same(cached: &Value, ours: &Value) -> bool {
    match (cached, ours) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) || a.abs() < 1e-300 && b.abs() < 1e-300
        }
        (Value::Blank, Value::Text(text)) | (Value::Text(text), Value::Blank) => text.is_empty(),
        (Value::Error(kind), Value::Text(text)) => kind.text() == &**text,
        (a, b) => a == b,
    }
}

fn evaluate(engine: &str, path: &str, names: &[String], truth: &Truth) -> Result<usize, String> {
    let mut equal = 0;
    match engine {
        "ironcalc" => {
            let mut model =
                ironcalc::import::load_from_xlsx(path, "en", "UTC", "en").map_err(|error| format!("{error:?}"))?;
            model.evaluate();
            let order: Vec<String> =
                model.get_worksheets_properties().into_iter().map(|sheet| sheet.name).collect();
            for (sheet, at, cached) in truth {
                let index = order.iter().position(|name| Some(name) == names.get(*sheet)).unwrap_or(*sheet);
                let found = model.get_cell_value_by_index(index as u32, at.row as i32 + 1, at.col as i32 + 1);
                let found = match found {
                    Ok(ironcalc::base::cell::CellValue::Number(number)) => Value::Number(number),
                    Ok(ironcalc::base::cell::CellValue::String(text)) => Value::text(&text),
                    Ok(ironcalc::base::cell::CellValue::Boolean(flag)) => Value::Bool(flag),
                    _ => Value::Blank,
                };
                equal += usize::from(same(cached, &found));
            }
        }
        "formualizer" => {
            let mut book = load_formualizer(path)?;
            book.evaluate_all().map_err(|error| error.to_string())?;
            for (sheet, at, cached) in truth {
                let name = names.get(*sheet).map_or("", String::as_str);
                let found = match book.get_value(name, at.row + 1, at.col + 1) {
                    None | Some(LiteralValue::Empty | LiteralValue::Pending) => Value::Blank,
                    Some(LiteralValue::Int(number)) => Value::Number(number as f64),
                    Some(LiteralValue::Number(number)) => Value::Number(number),
                    Some(LiteralValue::Text(text)) => Value::text(&text),
                    Some(LiteralValue::Boolean(flag)) => Value::Bool(flag),
                    Some(LiteralValue::Error(error)) => Value::text(&error.kind.to_string()),
                    Some(other) => other.as_serial_number().map_or(Value::Blank, Value::Number),
                };
                equal += usize::from(same(cached, &found));
            }
        }
        other => return Err(format!("no engine {other}")),
    }
    Ok(equal)
}

/// One line of JSON for each workbook.
pub fn run(engine: &str) {
    std::panic::set_hook(Box::new(|_| {}));
    for path in std::io::stdin().lines().map_while(Result::ok) {
        if engine == "ours" {
            let Some(view) = open(&path) else {
                println!("{}", json!({ "file": path, "refused": true }));
                continue;
            };
            let start = std::time::Instant::now();
            match sheet::verify(&view, &context()) {
                Ok(found) => {
                    println!("{}", json!({ "file": path, "millis": start.elapsed().as_millis() as u64, "found": found }))
                }
                Err(error) => println!("{}", json!({ "file": path, "error": error.to_string() })),
            }
            continue;
        }
        let Some((truth, _, names)) = truth(&path) else { continue };
        let result = catch_unwind(AssertUnwindSafe(|| evaluate(engine, &path, &names, &truth)))
            .unwrap_or_else(|_| Err("panic".to_owned()));
        let line = match result {
            Ok(equal) => json!({ "file": path, "cells": truth.len(), "equal": equal }),
            Err(error) => json!({ "file": path, "cells": truth.len(), "equal": 0, "error": error }),
        };
        println!("{line}");
    }
}

/// Sheets with their cells, names, and the cells to compare.
pub fn dump(path: &str) {
    let Some(view) = open(path) else { return };
    let Some((truth, _, _)) = truth(path) else { return };
    let plain = |value: &Value| match value {
        Value::Blank => json!(null),
        Value::Number(number) => json!(number),
        Value::Text(text) => json!(&**text),
        Value::Bool(flag) => json!(flag),
        Value::Error(kind) => json!({ "error": kind.text() }),
    };
    let mut sheets = Vec::new();
    for sheet in view.worksheets().flatten() {
        let mut cells = Vec::new();
        let everything: Area = "A1:XFD1048576".parse().expect("an area");
        let _ = sheet.each_cell(everything, &mut |cell| {
            let content = match &cell.formula {
                Some(formula) => json!(format!("={}", formula.shown())),
                None => match &cell.value {
                    // A text that looks like a formula is none.
                    Value::Text(text) if text.starts_with(['=', '\'']) => json!(format!("'{text}")),
                    value => plain(value),
                },
            };
            if !content.is_null() {
                cells.push(json!([cell.at.row, cell.at.col, content]));
            }
        });
        sheets.push(json!({ "name": sheet.name(), "position": sheet.position, "cells": cells }));
    }
    let names: Vec<_> = view
        .workbook()
        .names
        .iter()
        .map(|name| json!({ "name": name.name, "scope": name.scope, "formula": name.formula }))
        .collect();
    let truth: Vec<_> =
        truth.iter().map(|(sheet, at, value)| json!([sheet, at.row, at.col, plain(value)])).collect();
    println!("{}", json!({ "sheets": sheets, "names": names, "truth": truth }));
}
