//! Scripts against a workbook, through the real binary and the real child process.

use serde_json::{Value, json};

use crate::binary::{json as parsed, root, run};

fn budget(folder: &tempfile::TempDir) -> String {
    let path = folder.path().join("budget.xlsx");
    std::fs::copy(root().join("samples/budget.xlsx"), &path).expect("the sample is there");
    path.to_str().expect("a plain path").to_owned()
}

/// What a script comes to; nothing is saved.
fn script(code: &str) -> Value {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let book = budget(&folder);
    parsed(&run(&["xlsx", "exec", &book, "--code", code, "--timeout-ms", "60000", "--json"]))["execution"]
        .clone()
}

#[test]
fn a_script_reads_writes_and_is_told_what_came_of_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let book = budget(&folder);
    let before = std::fs::read(&book).expect("it is there");
    let code = r#"
        const written = await xlsx.setCells(wb, [
            { address: "Inputs!B2", value: 130000 },
            { address: "Notes!A1", formula: "=Summary!B1*2" },
        ]);
        return { touched: written.touched, sheets: (await xlsx.listSheets(wb)).map((sheet) => sheet.sheet) };"#;
    let tried = parsed(&run(&["xlsx", "exec", &book, "--code", code, "--json"]));
    assert_eq!(tried["execution"]["writes_detected"], true);
    assert_eq!(tried["execution"]["result"]["touched"]["Model!B2"], "130,000");
    assert_eq!(tried["execution"]["result"]["sheets"], json!(["Inputs", "Model", "Summary", "Notes"]));
    assert_eq!(
        std::fs::read(&book).expect("it is there"),
        before,
        "nothing is kept that nobody asked to keep"
    );

    let saved = parsed(&run(&["xlsx", "exec", &book, "--code", code, "--save", "--json"]));
    assert_eq!(saved["ok"], true, "{saved}");
    let cell = &parsed(&run(&["xlsx", "read", &book, "-r", "Inputs!B2", "--json"]))["cells"][0];
    assert_eq!(cell["value"], 130000.0);
    let problems = parsed(&run(&["xlsx", "check", &book, "--json"]));
    assert_eq!(problems[0]["problems"].as_array().map(Vec::len), Some(0));

    let copy = folder.path().join("copy.xlsx");
    let copied = run(&[
        "xlsx",
        "exec",
        &book,
        "--code",
        "await xlsx.deleteSheet(wb, 'Notes')",
        "-o",
        copy.to_str().expect("plain"),
        "--json",
    ]);
    assert_eq!(copied.status.code(), Some(0));
    let sheets =
        parsed(&run(&["xlsx", "exec", &book, "--expr", "(await xlsx.listSheets(wb)).length", "--json"]));
    assert_eq!(sheets["execution"]["result"], 4, "the workbook itself keeps its sheet");
}

#[test]
fn a_new_workbook_gets_its_name_when_it_is_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let book = folder.path().join("new.xlsx").to_str().expect("a plain path").to_owned();
    let code = "return (await xlsx.setCells(wb, [{address: 'Sheet1!A1', value: 1234.5, format: '#,##0.00'}])).touched";
    let tried =
        parsed(&run(&["xlsx", "exec", &book, "--create", "--code", code, "--locale", "de-DE", "--json"]));
    assert_eq!(tried["execution"]["result"]["Sheet1!A1"], "1.234,50", "{tried}");
    assert!(!std::path::Path::new(&book).exists(), "nothing is kept that nobody asked to keep");
    assert_eq!(run(&["xlsx", "exec", &book, "--create", "--code", code, "--save"]).status.code(), Some(0));
    let cell = &parsed(&run(&["xlsx", "read", &book, "-r", "Sheet1!A1", "--json"]))["cells"][0];
    assert_eq!(cell["value"], 1234.5);
    assert_eq!(run(&["xlsx", "exec", &book, "--create", "--code", code, "--save"]).status.code(), Some(1));

    let mut client = crate::client::Client::start(folder.path(), &["--auto-approve"]);
    let mut exec = |arguments: Value| client.call("xlsx_exec", arguments);
    let taken = exec(json!({ "path": "new.xlsx", "code": code, "create": true }));
    assert_eq!(told(&taken)["error"]["details"]["reason"], "exists");
    let missing = exec(json!({ "path": "other.xlsx", "code": code, "save_mode": "inplace" }));
    assert_eq!(told(&missing)["error"]["code"], "WORKBOOK_NOT_FOUND");
    let made =
        told(&exec(json!({ "path": "other.xlsx", "code": code, "create": true, "save_mode": "inplace" })));
    assert_eq!((&made["ok"], &made["write"]["status"]), (&json!(true), &json!("written")), "{made}");
    assert!(folder.path().join("other.xlsx").exists());
    let strange = exec(json!({ "path": "new.xlsx", "code": code, "locale": "xx" }));
    assert_eq!(told(&strange)["error"]["code"], "INVALID_ARGUMENT");
}

#[test]
fn a_script_that_throws_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let book = budget(&folder);
    let before = std::fs::read(&book).expect("it is there");
    let code = "await xlsx.setCells(wb, [{address: 'Inputs!B2', value: 1}]);\nthrow new Error('no')";
    let failed = run(&["xlsx", "exec", &book, "--code", code, "--save", "--json"]);
    assert_eq!(failed.status.code(), Some(1));
    let told = parsed(&failed);
    assert_eq!(told["execution"]["error"]["message"], "Error: no");
    assert_eq!(told["execution"]["error"]["line"], 2);
    assert_eq!(std::fs::read(&book).expect("it is there"), before);
}

#[test]
fn faults_teach_and_know_their_line() {
    let cases = [
        ("let x = ;", "EXEC_SYNTAX_ERROR", "unexpected token"),
        ("}); 1; (async () => {", "EXEC_SYNTAX_ERROR", ""),
        ("import fs from 'fs'", "EXEC_SYNTAX_ERROR", "scripts cannot import"),
        ("await xlsx.readCel(wb, 'A1')", "UNKNOWN_FUNCTION", "did you mean xlsx.readCell?"),
        ("await xlsx.readCell('Inputs!A1')", "INVALID_ARGUMENT", "the first argument is the workbook"),
        ("await xlsx.readCell(wb, 'Input!A1')", "SHEET_NOT_FOUND", "did you mean `Inputs`?"),
        ("await xlsx.readCell(wb, 'B2')", "ADDRESS_PARSE_ERROR", "write it as `Inputs!B2`"),
        ("await xlsx.readCell(wb, 'Inputs!A1:B2')", "ADDRESS_PARSE_ERROR", "4 cells"),
        (
            "await xlsx.setCells(wb, [{adress: 'Inputs!A1', value: 1}])",
            "INVALID_ARGUMENT",
            "did you mean `address`?",
        ),
        ("await xlsx.setCells(wb, [{address: 'Inputs!A1', value: NaN}])", "INVALID_ARGUMENT", "NaN"),
        (
            "await xlsx.setCells(wb, [{address: 'Inputs!A1', value: '=A2'}])",
            "INVALID_ARGUMENT",
            "give it as `formula`",
        ),
        (
            "await xlsx.setCells(wb, [{address: 'Inputs!A1'}])",
            "INVALID_ARGUMENT",
            "nothing is said of the cell",
        ),
        ("return xlsx.readCell(wb, 'Inputs!B2').value", "NOT_AWAITED", "write `await xlsx.readCell(…)`"),
        ("for (const s of xlsx.listSheets(wb)) print(s)", "NOT_AWAITED", "is a promise"),
        ("return `${xlsx.listSheets(wb)}`", "NOT_AWAITED", "is a promise"),
        ("return [xlsx.listSheets(wb)]", "INVALID_ARGUMENT", "is a promise; await it first"),
        ("xlsx.setCells(wb, [{address: 'Nowhere1', value: 1}]); return 1", "ADDRESS_PARSE_ERROR", "Nowhere1"),
        ("const o = {}; o.o = o; return o", "INVALID_ARGUMENT", "contains itself"),
        ("return 1n", "INVALID_ARGUMENT", "BigInt"),
        ("return new Map().keys()", "INVALID_ARGUMENT", "of the kind Map Iterator"),
        ("return {a: new ArrayBuffer(8)}", "INVALID_ARGUMENT", "of the kind ArrayBuffer"),
        ("return wb", "INVALID_ARGUMENT", "is `wb` itself"),
        ("return wb.getCell('A1').value", "UNKNOWN_FUNCTION", "await xlsx.readCell(wb, …)"),
        ("return await xlsx.getCell(wb, 'A1')", "UNKNOWN_FUNCTION", "did you mean xlsx.readCell?"),
        (
            "return await xlsx.readCell(wb, 'Inputs', 'B2')",
            "INVALID_ARGUMENT",
            "one argument, `\"Inputs!B2\"`",
        ),
        (
            "return await xlsx.findCells(wb, {text: 'x'})",
            "INVALID_ARGUMENT",
            "must be a text (found inside cells",
        ),
        (
            "await xlsx.setCells(wb, [{address: 'Inputs!A1', value: {}}])",
            "INVALID_ARGUMENT",
            "a number, a text",
        ),
        (
            "await xlsx.setStyle(wb, 'Inputs!A1', {bold: true})",
            "INVALID_ARGUMENT",
            "belongs into `style.font.bold`",
        ),
        ("const fs = require('fs')", "EXEC_RUNTIME_ERROR", "there are no modules"),
        ("await import('fs')", "EXEC_RUNTIME_ERROR", "there are no modules"),
        ("await fetch('https://example.com')", "EXEC_RUNTIME_ERROR", "there is no network"),
        ("setTimeout(() => 1, 5)", "EXEC_RUNTIME_ERROR", "there are no timers"),
        ("return process.env", "EXEC_RUNTIME_ERROR", "no environment"),
        ("const x: number = 5", "EXEC_SYNTAX_ERROR", "leave out types"),
        ("export default 1", "EXEC_SYNTAX_ERROR", "ends with `return`"),
        (
            "(async () => { await null; throw new Error('lost') })(); return 1",
            "EXEC_RUNTIME_ERROR",
            "Error: lost",
        ),
        ("Promise.reject('lost'); return 1", "EXEC_RUNTIME_ERROR", "thrown: lost"),
        (
            "await xlsx.goalSeek(wb, {target: 'Summary!B1', value: 1, input: 'Inputs!A2'})",
            "INVALID_ARGUMENT",
            "no number",
        ),
        ("return 'x'.repeat(200000)", "EXEC_RESULT_TOO_LARGE", "return less"),
        ("await new Promise(() => {})", "EXEC_RUNTIME_ERROR", "nothing will ever settle"),
        (
            "await xlsx.sweepInputs(wb, {inputs: [{address: 'Model!B2', values: [1]}], outputs: ['Summary!B1']})",
            "INVALID_ARGUMENT",
            "holds the formula",
        ),
    ];
    for (code, wanted, part) in cases {
        let error = script(code)["error"].clone();
        assert_eq!(error["code"], wanted, "{code}: {error}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(part)), "{code}: {error}");
    }
    assert_eq!(script("const a = 1;\n\n  a.b.c()")["error"]["line"], 3);
    // A rejection that somebody waits for later is none.
    assert_eq!(
        script("const p = Promise.reject('x'); await null; try { await p } catch (e) { return e }")["result"],
        "x"
    );
    assert_eq!(
        script("return [new Uint8Array([1, 2]), new String('s'), new Number(4)]")["result"],
        json!([[1, 2], "s", 4])
    );
    let silent = script("async function main() { return 7 } main()");
    assert!(silent["note"].as_str().is_some_and(|note| note.contains("returned nothing")), "{silent}");
}

#[test]
fn hostile_scripts_end_in_time_and_reach_nothing() {
    let endings = [
        ("while (true) {}", "EXEC_TIMEOUT"),
        ("try { while (true) {} } catch (e) {} finally { return 1 }", "EXEC_TIMEOUT"),
        ("async function f() { for (;;) await null } await f()", "EXEC_TIMEOUT"),
        ("return new Array(1e9).join('x').length", "EXEC_TIMEOUT"),
        ("return /(a+)+$/.test('a'.repeat(40) + 'b')", "EXEC_TIMEOUT"),
        ("const a = []; for (;;) a.push(new Array(100000).fill(7))", "EXEC_MEMORY_LIMIT"),
        ("const f = () => Promise.resolve().then(f); await f()", "EXEC_MEMORY_LIMIT"),
        ("throw null", "EXEC_RUNTIME_ERROR"),
        ("const f = () => f(); f()", "EXEC_RUNTIME_ERROR"),
    ];
    for (code, wanted) in endings {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let book = budget(&folder);
        // Only what must run into the clock is given little of it, so that no busy machine decides.
        let time = if wanted == "EXEC_TIMEOUT" { "1000" } else { "60000" };
        let said = parsed(&run(&["xlsx", "exec", &book, "--code", code, "--timeout-ms", time, "--json"]));
        assert_eq!(said["execution"]["error"]["code"], wanted, "{code}: {said}");
    }
    for code in [
        "return typeof require + typeof process + typeof fetch + typeof Deno + typeof std + typeof os",
        "return [].constructor.constructor('return typeof process + typeof require')()",
    ] {
        let found = script(code)["result"].as_str().expect("a text").replace("undefined", "");
        assert_eq!(found, "", "{code}");
    }
    let polluted = script(
        "Object.prototype.error = { code: 'X', message: 'no' }; JSON.parse = () => 7; Array.prototype.map = () => 'x';\n\
         return (await xlsx.readCell(wb, 'Inputs!B2')).value",
    );
    assert!(polluted["ok"] == true || polluted["error"]["message"].is_string(), "{polluted}");
    let long = script(
        "await xlsx.setCells(wb, [{address: 'Inputs!A1', value: 1}]); print('ü'.repeat(20000)); return 'x'.repeat(60000)",
    );
    assert_eq!(
        (&long["error"]["code"], &long["writes_detected"]),
        (&json!("EXEC_RESULT_TOO_LARGE"), &json!(false))
    );
    let flooded = script("for (let i = 0; i < 100000; i++) print('x'.repeat(100)); return 1");
    assert_eq!((&flooded["truncated"], &flooded["result"]), (&json!(true), &json!(1)));
    assert_eq!(flooded["stdout"].as_str().map(str::len), Some(20_000));
}

#[test]
fn the_workbook_answers_what_it_would_be() {
    let swept = script(
        "return await xlsx.sweepInputs(wb, {inputs: [{address: 'Inputs!B2', values: [1, 2]}], outputs: ['Summary!B1'], includeStats: true})",
    );
    assert_eq!(swept["result"]["sweepCount"], 2);
    assert_eq!(swept["writes_detected"], false);
    let sought =
        script("return await xlsx.goalSeek(wb, {target: 'Summary!B1', value: 500000, input: 'Inputs!B2'})");
    assert_eq!(sought["result"]["found"], true, "{sought}");
    let traced = script("return (await xlsx.traceToInputs(wb, 'Summary!B1')).map((input) => input.address)");
    assert_eq!(traced["result"], json!(["Inputs!B2", "Inputs!B3", "Inputs!B4"]));
    let looked = script(
        "return (await xlsx.tableLookup(wb, {table: 'Model', rowLabel: 'Cost', columnLabel: 2027}))[0].address",
    );
    assert_eq!(looked["result"], "Model!C3");
    let found = script("return (await xlsx.findCells(wb, 'opening revnue'))[0].address");
    assert_eq!(found["result"], "Inputs!A2");
}

/// The answer of the tool, which is JSON in its text.
fn told(result: &Value) -> Value {
    serde_json::from_str(crate::client::text(result)).expect("the answer is JSON")
}

#[test]
fn the_tool_keeps_what_it_is_asked_to_keep_and_shows_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let book = budget(&folder);
    let before = std::fs::read(&book).expect("it is there");
    let mut client = crate::client::Client::start(folder.path(), &["--auto-approve"]);
    let set = "return (await xlsx.setCells(wb, [{address: 'Inputs!B2', value: 200000}])).touched['Model!B2']";

    let tried = told(&client.call("xlsx_exec", json!({ "path": "budget.xlsx", "code": set })));
    assert_eq!((&tried["ok"], &tried["execution"]["result"]), (&json!(true), &json!("200,000")));
    assert_eq!(
        (&tried["write"]["status"], &tried["execution"]["error"]),
        (&json!("not_saved"), &Value::Null)
    );
    assert_eq!(std::fs::read(&book).expect("it is there"), before);

    let picture = json!({ "range": "Model!A1:E4", "dpr": 1 });
    let refused = client.call("xlsx_exec", json!({ "path": "budget.xlsx", "code": set, "render": picture }));
    assert_eq!(refused["isError"], true);
    assert_eq!(told(&refused)["error"]["code"], "INVALID_ARGUMENT");

    let copied = client.call(
        "xlsx_exec",
        json!({ "path": "budget.xlsx", "code": set, "save_mode": "save_as", "output_path": "copy.xlsx", "render": picture }),
    );
    assert_eq!(told(&copied)["render"]["ok"], true, "{copied}");
    assert_eq!(copied["content"][1]["mimeType"], "image/png");
    assert_eq!(copied.get("structuredContent"), None);
    assert_eq!(std::fs::read(&book).expect("it is there"), before, "a copy leaves the workbook alone");
    let value = "return (await xlsx.readCell(wb, 'Inputs!B2')).value";
    let read = told(&client.call("xlsx_exec", json!({ "path": "copy.xlsx", "code": value })));
    assert_eq!(read["execution"]["result"], 200_000);

    let kept = told(
        &client.call("xlsx_exec", json!({ "path": "budget.xlsx", "code": set, "save_mode": "inplace" })),
    );
    assert_eq!(kept["write"]["status"], "written", "{kept}");
    assert_ne!(std::fs::read(&book).expect("it is there"), before);
    let cell = &parsed(&run(&["xlsx", "read", &book, "-r", "Inputs!B2", "--json"]))["cells"][0];
    assert_eq!(cell["value"], 200000.0);
    client.good("editor_undo", json!({ "windowId": "budget.xlsx" }));
    let undone = told(&client.call("xlsx_exec", json!({ "path": "budget.xlsx", "code": value })));
    assert_eq!(undone["execution"]["result"], 120_000, "one run is one undo");

    let bad = json!({ "range": "Nowhere!A1:B2" });
    let partly = told(&client.call(
        "xlsx_exec",
        json!({ "path": "budget.xlsx", "code": "return 1", "save_mode": "inplace", "render": bad }),
    ));
    assert_eq!((&partly["ok"], &partly["render"]["ok"]), (&json!(true), &json!(false)));
    assert_eq!(partly["render"]["error"]["code"], "RENDER_FAILED");
}

#[test]
fn the_tool_refuses_before_it_runs_anything() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    budget(&folder);
    std::fs::write(folder.path().join("notes.md"), "# Notes\n").expect("written");
    std::fs::write(folder.path().join("broken.xlsx"), "no zip").expect("written");
    let mut client = crate::client::Client::start(folder.path(), &[]);
    for (arguments, code) in [
        (json!({ "path": "missing.xlsx", "code": "return 1" }), "WORKBOOK_NOT_FOUND"),
        (json!({ "path": "notes.md", "code": "return 1" }), "INVALID_ARGUMENT"),
        (json!({ "path": "broken.xlsx", "code": "return 1" }), "INVALID_ARGUMENT"),
        (json!({ "path": "../outside.xlsx", "code": "return 1" }), "INVALID_ARGUMENT"),
        (json!({ "path": "budget.xlsx", "code": "  " }), "INVALID_ARGUMENT"),
        (json!({ "path": "budget.xlsx", "code": "return 1", "save_mode": "save_as" }), "INVALID_ARGUMENT"),
        (
            json!({ "path": "budget.xlsx", "code": "return 1", "save_mode": "save_as", "output_path": "budget.xlsx" }),
            "INVALID_ARGUMENT",
        ),
        (
            json!({ "path": "budget.xlsx", "code": "return 1", "save_mode": "save_as", "output_path": "./x/../budget.xlsx" }),
            "INVALID_ARGUMENT",
        ),
        (
            json!({ "path": "budget.xlsx", "code": "return 1", "save_mode": "save_as", "output_path": "copy.pdf" }),
            "INVALID_ARGUMENT",
        ),
        (
            json!({ "path": "budget.xlsx", "code": "return 1", "save_mode": "inplace", "render": { "range": "Model!:::" } }),
            "INVALID_ARGUMENT",
        ),
        (json!({ "path": "budget.xlsx", "code": "return 1", "save_mode": "never" }), "INVALID_ARGUMENT"),
        (
            json!({ "path": "budget.xlsx", "code": "return 1", "save_mode": "save_as", "output_path": "" }),
            "INVALID_ARGUMENT",
        ),
        (
            json!({ "path": "budget.xlsx", "code": "return 1", "save_mode": "save_as", "output_path": "no/where.xlsx" }),
            "INVALID_ARGUMENT",
        ),
        (
            json!({ "path": "budget.xlsx", "code": "return 1", "save_mode": "save_as", "output_path": "/elsewhere.xlsx" }),
            "INVALID_ARGUMENT",
        ),
        (json!({ "path": "budget.xlsx", "kode": "return 1" }), "INVALID_ARGUMENT"),
    ] {
        let result = client.call("xlsx_exec", arguments.clone());
        assert_eq!(result["isError"], true, "{arguments}");
        let error = told(&result)["error"].clone();
        assert_eq!(error["code"], code, "{arguments}: {error}");
        assert!(error["retryable"].is_boolean() && error["details"]["reason"].is_string(), "{error}");
    }
    let failed = client.call(
        "xlsx_exec",
        json!({ "path": "budget.xlsx", "code": "throw new Error('x')", "save_mode": "inplace" }),
    );
    assert!(failed["isError"] != true, "a script that fails is an answer");
    assert_eq!(told(&failed)["error"]["code"], "EXEC_FAILED");
}

#[test]
fn looks_rules_tables_and_order_survive_the_replay() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let book = budget(&folder);
    let code = r##"
        await xlsx.addListObject(wb, (await xlsx.addSheet(wb, "Sales")), {name: "Orders", ref: "A1", showTotalsRow: true,
            columns: [{name: "Item"}, {name: "Price"}, {name: "Twice", totalsRowFunction: "sum", calculatedColumnFormula: "=[@Price]*2"}],
            rows: [["pear", 3, null], ["fig", 1, null], ["apple", 2, null]]});
        await xlsx.sortRange(wb, "Orders", [{col: "Price", order: "desc"}]);
        await xlsx.setStyle(wb, "Sales!A1:C1", {font: {bold: true}, fill: {gradient: {color1: "#FFFFFF", color2: "#4472C4"}}});
        await xlsx.setDataValidations(wb, "Sales", [{address: "B2:B4", rule: {decimal: {operator: "GreaterThan", formula1: 0}}}]);
        await xlsx.setConditionalFormatting(wb, "Sales", [{type: "iconSet", address: "B2:B4", iconSet: {style: "3Arrows"}},
            {type: "cellValue", address: "C2:C4", operator: "GreaterThan", formula: 3, style: {font: {color: "#9C0006"}}}]);
        await xlsx.setSheetProperties(wb, "Sales", {view: {frozenRows: 1}, tabColor: "#4472C4"});
        const fitted = await xlsx.autoFitColumns(wb, "Sales");
        const noted = await xlsx.setCells(wb, [{address: "Sales!B2", value: -1}]);
        return {notes: noted.notes.length, columns: Object.keys(fitted)};"##;
    let saved =
        parsed(&run(&["xlsx", "exec", &book, "--code", code, "--save", "--timeout-ms", "60000", "--json"]));
    assert_eq!(saved["ok"], true, "{saved}");
    assert_eq!(saved["execution"]["result"], json!({ "notes": 1, "columns": ["A", "B", "C"] }));
    let read = parsed(&run(&["xlsx", "read", &book, "-r", "Sales!A2:C5", "--json"]));
    let texts: Vec<&Value> =
        read["cells"].as_array().expect("cells").iter().map(|cell| &cell["text"]).collect();
    assert_eq!(
        texts,
        ["pear", "-1", "-2", "apple", "2", "4", "fig", "1", "2", "Total", "4"]
            .map(|text| json!(text))
            .iter()
            .collect::<Vec<_>>()
    );
    let problems = parsed(&run(&["xlsx", "check", &book, "--json"]));
    assert_eq!(problems[0]["problems"].as_array().map(Vec::len), Some(0), "{problems}");
    let rejected =
        script("await xlsx.setCells(wb, [{address: 'Inputs!B4', value: 7}], {validationMode: 'reject'})");
    assert_eq!(rejected["error"]["code"], "VALIDATION_FAILED", "{rejected}");
}
