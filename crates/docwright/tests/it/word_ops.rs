//! The published examples and authoring tips of `word.op`, over the real binary.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::{Value, json};

use crate::binary::root;
use crate::client::Client;

/// One pixel.
pub(crate) const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/// A server that the tests of this file share while they run side by side: each has a document of its own.
struct Shop {
    client: Client,
    folder: tempfile::TempDir,
    documents: usize,
}

static SHARED: Mutex<Weak<Mutex<Shop>>> = Mutex::new(Weak::new());

/// A copy of the sample contract, open at a server.
pub(crate) struct Desk {
    shop: Arc<Mutex<Shop>>,
    file: String,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A test that failed says so itself; the server is none the worse for it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shop {
    fn open(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { client: Client::start(folder.path(), more), folder, documents: 0 }
    }
}

impl Desk {
    pub(crate) fn new() -> Self {
        let mut shared = locked(&SHARED);
        let shop = shared.upgrade().unwrap_or_else(|| Arc::new(Mutex::new(Shop::open(&[]))));
        *shared = Arc::downgrade(&shop);
        Self::at(shop)
    }

    /// With a server of its own.
    pub(crate) fn with(more: &[&str]) -> Self {
        Self::at(Arc::new(Mutex::new(Shop::open(more))))
    }

    fn at(shop: Arc<Mutex<Shop>>) -> Self {
        let mut open = locked(&shop);
        open.documents += 1;
        let file = format!("contract-{}.docx", open.documents);
        let sample = root().join("samples/contract.docx");
        std::fs::copy(sample, open.folder.path().join(&file)).expect("the sample can be copied");
        drop(open);
        Self { shop, file }
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        locked(&self.shop).client.call(tool, arguments)
    }

    /// What the tool answers to arguments that need no file beside them.
    fn task(&mut self, mut arguments: Value) -> Value {
        arguments["filePath"] = json!(self.file);
        self.call("mcp_word__editTask", arguments)["structuredContent"].clone()
    }

    /// The whole answer to an envelope that is sent as it stands in the documentation.
    pub(crate) fn meta(&mut self, meta: &Value) -> Value {
        self.task(json!({ "content": "example", "meta": meta.to_string() }))
    }

    /// The document as it would be saved now.
    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        let saved = self.call("save", json!({ "file_path": self.file, "overwrite": true }));
        assert_ne!(saved["isError"], true, "{saved}");
        let folder = locked(&self.shop).folder.path().to_owned();
        std::fs::read(folder.join(&self.file)).expect("the saved file")
    }

    pub(crate) fn op(&mut self, op: &str, args: Value) -> Value {
        self.meta(&json!({ "type": "word.op", "op": op, "version": "1.0", "args": args }))
    }

    /// The data of an operation that must succeed.
    #[track_caller]
    pub(crate) fn done(&mut self, op: &str, args: Value) -> Value {
        let said = self.op(op, args);
        assert_eq!(said["ok"], true, "{said}");
        said["data"].clone()
    }

    /// What a sentence is understood as, without carrying it out.
    #[track_caller]
    fn understood(&mut self, sentence: &str) -> Value {
        let arguments = json!({ "request": sentence, "file_path": self.file, "dry_run": true });
        let said = self.call("ask", arguments);
        let operations = match &said["structuredContent"] {
            Value::Null => {
                let data = &said["_meta"];
                let text = data.to_string();
                let at = text.find("\"operations\":").unwrap_or_else(|| panic!("{said}"));
                let mut stream = serde_json::Deserializer::from_str(&text[at + 13..]).into_iter::<Value>();
                stream.next().expect("a list").expect("JSON")
            }
            answer => answer["operations"].clone(),
        };
        assert_eq!(operations.as_array().map(Vec::len), Some(1), "{sentence}: {said}");
        operations[0]["meta"].clone()
    }

    fn text_of(&mut self, range: &Value) -> String {
        let scope = format!("rangeId:{}", range.as_str().expect("an id"));
        let data = self.done("setSelection", json!({ "scope": scope }));
        data["text"].as_str().expect("text").to_owned()
    }

    fn select(&mut self, text: &str) {
        let found = self.done("search", json!({ "query": text, "matchCase": true, "maxResults": 1 }));
        let range = found["results"][0]["rangeId"].clone();
        assert_eq!(self.text_of(&range), text);
    }

    fn count(&mut self, text: &str) -> usize {
        let found = self.done("search", json!({ "query": text, "matchCase": true }));
        found["results"].as_array().expect("results").len()
    }

    fn table(&mut self, rows: usize, cols: usize) -> String {
        let data = self.done(
            "table.create",
            json!({ "rows": rows, "cols": cols, "scope": "document", "location": "end" }),
        );
        format!("tableId:{}", data["tableId"].as_str().expect("an id"))
    }
}

/// Checks that a sentence becomes the operation that the documentation gives for it, and that the operation itself can
/// be carried out: on a table that is there, and on data that is a picture.
#[track_caller]
fn tip(sentence: &str, meta: &Value) {
    let mut desk = Desk::new();
    let understood = desk.understood(sentence);
    assert_eq!(understood["op"], meta["op"], "{sentence}");
    for (name, value) in meta["args"].as_object().expect("arguments") {
        // What is the default anyway is not said.
        if name == "location" && value == "replace" && understood["args"][name].is_null() {
            continue;
        }
        let numbers = understood["args"][name].as_f64().zip(value.as_f64());
        let same = numbers.map_or(understood["args"][name] == *value, |(found, wanted)| found == wanted);
        assert!(same || name == "char", "{sentence}: {name} in {understood}");
    }
    if let Some(wanted) = meta["args"]["char"].as_object() {
        let found = understood["args"]["char"].as_object().expect("character formats");
        assert_eq!(found.len(), wanted.len(), "{understood}");
        for (name, value) in wanted {
            let numbers = found[name].as_f64().zip(value.as_f64());
            assert!(
                numbers.map_or(found[name] == *value, |(found, wanted)| found == wanted),
                "{name}: {understood}"
            );
        }
    }
    assert_eq!((&understood["type"], &understood["version"]), (&json!("word.op"), &json!("1.0")));
    let table = desk.table(4, 4);
    let meta = meta.to_string().replace("tableId:123", &table).replace("<BASE64>", GIF);
    let said = desk.task(json!({ "content": sentence, "meta": meta, "dryRun": true }));
    match meta.contains("https://") {
        true => assert_eq!(said["code"], "E_PERMISSION", "the network is off by default: {said}"),
        false => assert_eq!(said["ok"], true, "{said}"),
    }
}

/// One test for each published authoring tip, as it is published.
macro_rules! tips {
    ($($name:ident: $sentence:expr => $meta:tt;)*) => {
        $(#[test]
        fn $name() {
            tip($sentence, &json!($meta));
        })*
    };
}

tips! {
    tip_insert_at_the_start: "Insert 'Hello' at the start of the document" =>
        {"type":"word.op","op":"insertText","version":"1.0","args":{"text":"Hello","scope":"document","location":"start"}};
    tip_replace_the_selection: "Replace current selection with 'OK'" =>
        {"type":"word.op","op":"insertText","version":"1.0","args":{"text":"OK","location":"replace"}};
    tip_append_a_paragraph: "Append a new paragraph 'Thanks'" =>
        {"type":"word.op","op":"insertText","version":"1.0","args":{"text":"Thanks","scope":"document","location":"end","newParagraph":true}};
    tip_get_selection: "Get current selection" =>
        {"type":"word.op","op":"getSelection","version":"1.0","args":{}};
    tip_find_whole_words: "Find all 'Invoice' (whole word)" =>
        {"type":"word.op","op":"search","version":"1.0","args":{"query":"Invoice","matchWholeWord":true}};
    tip_search_with_case: "Case-sensitive search for 'Total' in selection" =>
        {"type":"word.op","op":"search","version":"1.0","args":{"query":"Total","scope":"selection","matchCase":true}};
    tip_replace_all: "Replace all 2024 with 2025 in the document" =>
        {"type":"word.op","op":"replace","version":"1.0","args":{"target":"searchQuery","query":"2024","replaceWith":"2025","mode":"replaceAll"}};
    tip_replace_first: "Replace the first match of 'foo' with 'bar' in the selection" =>
        {"type":"word.op","op":"replace","version":"1.0","args":{"target":"searchQuery","query":"foo","replaceWith":"bar","mode":"replaceFirst","scope":"selection"}};
    tip_insert_logo: "Insert logo from URL https://example.com/logo.png at cursor, width 120pt" =>
        {"type":"word.op","op":"insertPicture","version":"1.0","args":{"source":"url","data":"https://example.com/logo.png","location":"replace","width":120}};
    tip_create_table: "Create a 3x3 table with header at cursor" =>
        {"type":"word.op","op":"table.create","version":"1.0","args":{"rows":3,"cols":3,"header":true}};
    tip_set_cell: "Set row 0 col 0 to 'Title' for tableId:123" =>
        {"type":"word.op","op":"table.setCellText","version":"1.0","args":{"tableRef":"tableId:123","row":0,"col":0,"text":"Title"}};
    tip_insert_rows: "Insert 2 rows after row 1 for tableId:123" =>
        {"type":"word.op","op":"table.insertRows","version":"1.0","args":{"tableRef":"tableId:123","at":1,"count":2}};
    tip_merge_cells: "Merge a 2x2 area from (1,1) for tableId:123" =>
        {"type":"word.op","op":"table.mergeCells","version":"1.0","args":{"tableRef":"tableId:123","startRow":1,"startCol":1,"rowSpan":2,"colSpan":2}};
    tip_format_the_selection: "Make selection bold, 12pt, dark gray, justified" =>
        {"type":"word.op","op":"applyStyle","version":"1.0","args":{"char":{"bold":true,"fontSize":12,"color":"#333333"},"para":{"alignment":"justify"}}};
    tip_apply_heading: "Apply Heading 1 to selection" =>
        {"type":"word.op","op":"applyStyle","version":"1.0","args":{"namedStyle":"Heading 1"}};
}

/// The tip writes `<BASE64>` where the picture goes.
#[test]
fn tip_insert_base64_image() {
    let sentence = format!("Insert base64 image data:image/gif;base64,{GIF} at end of document");
    tip(
        &sentence,
        &json!({"type":"word.op","op":"insertPicture","version":"1.0","args":{"source":"base64","data":GIF,"scope":"document","location":"end"}}),
    );
}

#[test]
fn example_insert_text() {
    let mut desk = Desk::new();
    desk.select("thirty (30) days");
    let said = desk.meta(&json!({"type": "word.op", "op": "insertText", "version": "1.0", "args": {"text": "Hello, Word!", "scope": "selection", "location": "replace", "newParagraph": false}}));
    assert_eq!(
        (&said["ok"], &said["op"], &said["data"]["length"]),
        (&json!(true), &json!("insertText"), &json!(12)),
        "{said}"
    );
    assert_eq!(desk.text_of(&said["data"]["rangeId"]), "Hello, Word!");
    assert_eq!(desk.count("thirty (30) days"), 0);
}

#[test]
fn example_get_selection() {
    let mut desk = Desk::new();
    desk.select("Interest");
    let said = desk.meta(&json!({ "type": "word.op", "op": "getSelection", "version": "1.0", "args": {} }));
    assert_eq!(said["data"]["text"], "Interest", "{said}");
    assert!(
        said["data"]["rangeId"].is_string() && said["data"]["end"].as_u64() > said["data"]["start"].as_u64()
    );
}

#[test]
fn example_search() {
    let mut desk = Desk::new();
    let said = desk.meta(&json!({"type": "word.op", "op": "search", "version": "1.0", "args": {"query": "Invoice", "scope": "document", "matchWholeWord": true, "maxResults": 50}}));
    let results = said["data"]["results"].as_array().expect("results").clone();
    assert!(!results.is_empty(), "{said}");
    for hit in &results {
        assert_eq!(hit["text"].as_str().expect("text").to_lowercase(), "invoice");
        assert!(hit["context"].as_str().expect("context").to_lowercase().contains("invoice"));
        assert!(hit["rangeId"].is_string() && hit["start"].is_u64() && hit["end"].is_u64());
    }
}

#[test]
fn a_search_with_no_hits_is_no_error() {
    let none = Desk::new().op("search", json!({"query": "zebra crossing"}));
    assert_eq!((&none["ok"], &none["data"]["results"]), (&json!(true), &json!([])), "{none}");
}

#[test]
fn example_replace() {
    let mut desk = Desk::new();
    desk.done("insertText", json!({"text": "2024 was 2024, not 20245", "scope": "document", "location": "end", "newParagraph": true}));
    let said = desk.meta(&json!({"type": "word.op", "op": "replace", "version": "1.0", "args": {"target": "searchQuery", "query": "2024", "matchWholeWord": true, "replaceWith": "2025", "mode": "replaceAll"}}));
    assert_eq!(said["data"]["replaced"], 2, "{said}");
    assert_eq!(desk.count("2025 was 2025, not 20245"), 1);
}

/// Serves one picture for each connection.
pub(crate) fn picture_server(bytes: Vec<u8>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let mut asked = [0; 2048];
            let _ = stream.read(&mut asked);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                bytes.len()
            );
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.write_all(&bytes);
        }
    });
    port
}

#[test]
fn example_insert_picture_from_an_address() {
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='64' height='32'><rect width='64' height='32'/></svg>";
    let port = picture_server(svg.to_vec());
    let meta = json!({"type": "word.op", "op": "insertPicture", "version": "1.0", "args": {"source": "url", "data": format!("http://127.0.0.1:{port}/logo.svg"), "location": "replace", "width": 120, "lockAspectRatio": true, "altText": "Company Logo"}});
    let refused = Desk::new().meta(&meta);
    assert_eq!(refused["code"], "E_PERMISSION", "the network is off by default: {refused}");
    let any = Desk::with(&["--allow-net", "*"]).meta(&meta);
    assert_eq!(any["code"], "E_PERMISSION", "an address of the own network is not meant by `*`: {any}");
    let host = format!("127.0.0.1:{port}");
    let mut desk = Desk::with(&["--allow-net", &host]);
    let said = desk.meta(&meta);
    assert_eq!(said["ok"], true, "{said}");
    assert!(said["data"]["shapeId"].is_string() && said["data"]["rangeId"].is_string());
    let gone = json!({"source": "url", "data": "http://127.0.0.1:1/logo.png"});
    let unreachable = Desk::with(&["--allow-net", "127.0.0.1:1"]).op("insertPicture", gone);
    assert_eq!(unreachable["code"], "E_RUNTIME", "{unreachable}");
}

#[test]
fn example_create_table() {
    let mut desk = Desk::new();
    let said = desk.meta(&json!({"type": "word.op", "op": "table.create", "version": "1.0", "args": {"rows": 3, "cols": 3, "header": true}}));
    assert!(said["data"]["tableId"].is_string() && said["data"]["rangeId"].is_string(), "{said}");
    let table = format!("tableId:{}", said["data"]["tableId"].as_str().expect("an id"));
    let data = desk.done("table.insertRows", json!({"tableRef": table, "at": 2, "count": 1}));
    assert_eq!((&data["rows"], &data["cols"]), (&json!(4), &json!(3)), "three by three, and one more row");
}

#[test]
fn example_set_cell_text() {
    let mut desk = Desk::new();
    let table = desk.table(3, 3);
    let said = desk.meta(&json!({"type": "word.op", "op": "table.setCellText", "version": "1.0", "args": {"tableRef": table, "row": 0, "col": 0, "text": "Title"}}));
    assert_eq!(said["ok"], true, "{said}");
    assert_eq!(desk.count("Title"), 1);
}

/// A table is also known by a range that stands in it.
#[test]
fn a_table_by_a_range_in_it() {
    let mut desk = Desk::new();
    let found = desk.done("search", json!({"query": "Engineer", "maxResults": 1}));
    let table = format!("rangeId:{}", found["results"][0]["rangeId"].as_str().expect("an id"));
    let data = desk.done("table.deleteRows", json!({"tableRef": table, "indexes": [1]}));
    assert_eq!((&data["rows"], desk.count("Principal")), (&json!(2), 0), "{data}");
}

#[test]
fn every_table_operation_in_a_row() {
    let mut desk = Desk::new();
    let table = desk.table(3, 3);
    let size = |data: &Value| (data["rows"].as_u64(), data["cols"].as_u64());
    let data = desk.done("table.insertRows", json!({"tableRef": table, "at": 1, "count": 2}));
    assert_eq!(size(&data), (Some(5), Some(3)));
    let data = desk.done("table.insertColumns", json!({"tableRef": table, "at": 0, "count": 1}));
    assert_eq!(size(&data), (Some(5), Some(4)));
    let data = desk.done("table.deleteRows", json!({"tableRef": table, "indexes": [0, 4]}));
    assert_eq!(size(&data), (Some(3), Some(4)));
    let data = desk.done("table.deleteColumns", json!({"tableRef": table, "indexes": [3]}));
    assert_eq!(size(&data), (Some(3), Some(3)));
    desk.done(
        "table.mergeCells",
        json!({"tableRef": table, "startRow": 1, "startCol": 1, "rowSpan": 2, "colSpan": 2}),
    );
    desk.done("table.setCellText", json!({"tableRef": table, "row": 2, "col": 2, "text": "Corner"}));
    desk.done("table.applyStyle", json!({"tableRef": table, "style": "TableGridLight"}));
    desk.done(
        "table.applyStyle",
        json!({"tableRef": table, "style": {"bandedRows": true, "firstRow": true, "lastColumn": false}}),
    );
    assert_eq!(desk.count("Corner"), 1);
}

#[test]
fn example_apply_style() {
    let mut desk = Desk::new();
    desk.select("Interest");
    let said = desk.meta(&json!({"type": "word.op", "op": "applyStyle", "version": "1.0", "args": {"scope": "selection", "char": {"bold": true, "fontSize": 12, "color": "#333333"}, "para": {"alignment": "justify", "lineSpacing": 1.15}, "namedStyle": "Normal"}}));
    assert_eq!(said["ok"], true, "{said}");
    assert_eq!(desk.text_of(&said["data"]["rangeId"]), "Interest");
}

#[test]
fn styles_have_the_names_of_the_document_s_language() {
    let mut desk = Desk::new();
    let english = desk.done("listStyles", json!({"category": "paragraph", "query": "Heading 1"}));
    assert_eq!(english["paragraphStyles"], json!([{"name": "Heading 1", "builtIn": true}]), "{english}");
    let data = desk.done("applyStyle", json!({"scope": "document", "namedStyle": "Überschrift 2"}));
    assert!(data["rangeId"].is_string());
    let listed =
        desk.done("listStyles", json!({"category": "paragraph", "query": "heading 2", "builtInOnly": false}));
    assert_eq!(listed["paragraphStyles"].as_array().map(Vec::len), Some(1), "made once: {listed}");
}

#[test]
fn example_list_styles() {
    let mut desk = Desk::new();
    let said = desk.meta(&json!({ "type": "word.op", "op": "listStyles", "version": "1.0", "args": { "category": "paragraph" } }));
    let names = |list: &Value| -> Vec<String> {
        list.as_array()
            .into_iter()
            .flatten()
            .map(|style| style["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    let paragraphs = names(&said["data"]["paragraphStyles"]);
    assert!(
        paragraphs.contains(&"Normal".to_owned()) && paragraphs.contains(&"Heading 1".to_owned()),
        "{said}"
    );
    assert_eq!((&said["data"]["characterStyles"], &said["data"]["tableStyles"]), (&json!([]), &json!([])));
    assert!(
        said["data"]["paragraphStyles"]
            .as_array()
            .expect("styles")
            .iter()
            .all(|style| style["builtIn"] == true)
    );
    let tables = desk.done("listStyles", json!({"category": "table", "query": "GRID LIGHT", "max": 1}));
    assert_eq!(names(&tables["tableStyles"]), ["Table Grid Light"]);
}

#[test]
fn the_minimal_integration_example() {
    let mut desk = Desk::new();
    desk.select("Interest");
    let meta = json!({"type": "word.op", "op": "insertText", "version": "1.0", "args": {"text": "Hello, Word!", "scope": "selection", "location": "replace"}});
    let said = desk.task(json!({"content": "Replace current selection with 'Hello, Word!'", "meta": meta.to_string(), "target": "selection", "taskId": "t-7"}));
    assert_eq!(
        (&said["ok"], &said["taskId"], &said["data"]["length"]),
        (&json!(true), &json!("t-7"), &json!(12)),
        "{said}"
    );
}

#[test]
fn the_simple_form() {
    let mut desk = Desk::new();
    let said = desk.task(json!({"action": "append", "content": "The end", "target": "document"}));
    assert_eq!((&said["ok"], &said["op"]), (&json!(true), &json!("insertText")), "{said}");
    assert_eq!(desk.count("The end"), 1);
    desk.select("Interest");
    let said = desk.task(json!({"action": "replace", "content": "Rent", "target": "selection"}));
    assert_eq!(said["ok"], true, "{said}");
    assert_eq!((desk.count("Interest"), desk.count("Rent runs at")), (0, 1));
}

#[test]
fn the_envelope_is_checked() {
    let mut desk = Desk::new();
    let args = json!({"query": "Fees"});
    for (meta, ok, words) in [
        (json!({"type": "word.op", "op": "search", "args": args}), true, ""),
        (json!({"type": "word.op", "op": "search", "version": "1.7", "args": args}), true, ""),
        (json!({"type": "word.op", "op": "search", "version": "2.0", "args": args}), false, "version"),
        (json!({"type": "excel.op", "op": "search", "version": "1.0", "args": args}), false, "word.op"),
        (json!({"type": "word.op", "version": "1.0", "args": args}), false, "op required"),
        (json!({"type": "word.op", "op": "serach", "version": "1.0", "args": args}), false, "search"),
        (json!({"type": "word.op", "op": "search", "version": "1.0", "args": []}), false, "args"),
        (
            json!({"type": "word.op", "op": "search", "version": "1.0", "args": {"query": "x", "matchcase": true}}),
            false,
            "matchCase",
        ),
    ] {
        let said = desk.meta(&meta);
        assert_eq!(said["ok"], ok, "{meta}: {said}");
        assert!(said["diagnostics"].to_string().contains(words), "{meta}: `{words}` in {said}");
    }
    let said = desk.task(json!({"content": "x", "meta": "{not json"}));
    assert_eq!(said["code"], "E_INVALID_ARG", "{said}");
}

#[test]
fn aliases_of_places_are_taken() {
    let mut desk = Desk::new();
    for (alias, text) in [("append", "last words"), ("prepend", "first words")] {
        let data = desk.done("insertText", json!({"text": text, "scope": "document", "where": alias}));
        assert_eq!(desk.text_of(&data["rangeId"]), text);
    }
    let data = desk.done("insertText", json!({"text": "here", "location": "insert"}));
    assert!(data["rangeId"].is_string());
}

#[test]
fn every_operation_can_be_applied_suggested_and_tried_plain_and_tracked() {
    let ops = [
        ("insertText", json!({"text": "x", "scope": "document", "location": "end"})),
        ("replace", json!({"target": "searchQuery", "query": "Interest", "replaceWith": "Rent"})),
        ("insertPicture", json!({"source": "base64", "data": GIF, "scope": "document", "location": "end"})),
        ("table.create", json!({"rows": 2, "cols": 2, "scope": "document", "location": "end"})),
        ("table.insertRows", json!({"tableRef": "TABLE", "at": 0, "count": 1})),
        ("table.insertColumns", json!({"tableRef": "TABLE", "at": 0, "count": 1})),
        ("table.deleteRows", json!({"tableRef": "TABLE", "indexes": [1]})),
        ("table.deleteColumns", json!({"tableRef": "TABLE", "indexes": [1]})),
        ("table.setCellText", json!({"tableRef": "TABLE", "row": 0, "col": 0, "text": "cell"})),
        (
            "table.mergeCells",
            json!({"tableRef": "TABLE", "startRow": 0, "startCol": 0, "rowSpan": 2, "colSpan": 2}),
        ),
        ("table.applyStyle", json!({"tableRef": "TABLE", "style": "Table Grid Light"})),
        ("applyStyle", json!({"scope": "document", "char": {"italic": true}, "para": {"list": "bullet"}})),
    ];
    for (op, args) in ops {
        for (track, dry_run, status) in [
            ("off", false, None),
            ("on", false, None),
            ("off", true, Some("dry run")),
            ("on", true, Some("dry run")),
            ("suggest", false, Some("staged")),
        ] {
            let mut desk = Desk::new();
            let table = desk.table(3, 3);
            let args: Value = serde_json::from_str(&args.to_string().replace("TABLE", &table)).expect("JSON");
            let meta = json!({"type": "word.op", "op": op, "version": "1.0", "args": args});
            let said = desk.task(json!({"content": op, "meta": meta, "track": track, "dryRun": dry_run}));
            assert_eq!(said["ok"], true, "{op} {track} {dry_run}: {said}");
            if let Some(status) = status {
                assert!(said["diagnostics"].to_string().contains(status), "{op} {track} {dry_run}: {said}");
            }
        }
    }
}
