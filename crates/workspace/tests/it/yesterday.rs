//! Journals as earlier versions wrote them, word for word: what waits for a person must survive an update. When a record
//! changes, a literal is added here, and none is edited.

use std::path::Path;

use workspace::{DocId, PartName, Status};

use crate::Bench;
use crate::damaged::framed;
use crate::journal::Lives;

const OPENED: &str = r#"{"Opened":{"version":3,"path":"PATH","title":"TITLE","kind":"KIND","file":"HASH","identity":{"device":65024,"inode":10011161,"born":1795129678048696601},"first":[0,"HASH"],"at":1795129678}}"#;
const STANDING: &str = r#"{"Standing":{"undo":[],"redo":[],"saved":"HASH","saved_at":0,"unsaved":0,"unsaved_of":[],"conflict":null,"gone":[]}}"#;

const WORD: &str = r#"{"Staged":{"id":"sug_e1aa03216e40","group":null,"author":"su","client":"9ffd60151b2aa624f409f1e3b8016546","at":1795129678,"summary":"Replace \"Services\" with \"Works\"","shown":[["paragraph jr_para_17c1303ba070 (Works Agreement)","Services Agreement","Works Agreement"]],"status":{"Pending":"[{\"edit\":\"replace_text\",\"paragraph\":\"jr_para_17c1303ba070\",\"old\":\"Services\",\"new\":\"Works\",\"markup\":\"plain\"}]"}}}"#;
const EXCEL: &str = r#"{"Staged":{"id":"sug_691c78b2064a","group":null,"author":"su","client":"9ffd60151b2aa624f409f1e3b8016546","at":1795129678,"summary":"Set Inputs!B4 to 0.33","shown":[["Inputs!B4","62.0%","33.0%"],["Model!B3","=B2*CostShare (74,400)","=B2*CostShare (39,600)"]],"status":{"Pending":"[{\"op\":\"anchored\",\"edit\":{\"op\":\"set_cells\",\"sheet\":\"Inputs\",\"cells\":[{\"at\":\"B4\",\"input\":{\"number\":0.33}}]},\"meant\":{\"sheets\":[{\"name\":\"Inputs\",\"part\":\"xl/worksheets/sheet1.xml\",\"rows\":[{\"line\":3,\"still\":true,\"own\":[{\"at\":588,\"line\":3}],\"frayed\":true}],\"columns\":[{\"line\":1,\"still\":true,\"own\":[{\"at\":627,\"line\":1},{\"at\":394,\"line\":1}],\"frayed\":true}],\"mark\":338}],\"seen\":\"1c9dd7ce351a6a84204bddea14ffe0b9\",\"form\":\"1c9dd7ce351a6a84204bddea14ffe0b9\"}}]"}}}"#;
const MARKDOWN: &str = r#"{"Staged":{"id":"sug_dab105ae4772","group":null,"author":"su","client":"9ffd60151b2aa624f409f1e3b8016546","at":1795129678,"summary":"Replace \"the\" with \"our\"","shown":[["line 12","It covers the order service, the payment gateway and the warehouse sync.","It covers our order service, the payment gateway and the warehouse sync."]],"status":{"Pending":"[{\"op\":\"fixed\",\"spots\":[{\"range\":{\"start\":211,\"end\":214},\"original\":\"the\",\"with\":\"our\"}],\"guards\":[],\"summary\":\"Replace \\\"the\\\" with \\\"our\\\"\"}]"}}}"#;

/// A sample with what version 3 left of it.
fn left(lives: &Lives, name: &str, kind: &str, staged: &str) {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    let bytes = std::fs::read(sample).unwrap();
    let path = lives.folder.path().join("docs").join(name);
    std::fs::write(&path, &bytes).unwrap();
    let path = path.canonicalize().unwrap();
    let key = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
    let folder = lives.folder.path().join(format!("state/journals/{}-0", &key[..24]));
    std::fs::create_dir_all(&folder).unwrap();
    let hash = {
        use sha2::Digest as _;
        sha2::Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    std::fs::write(folder.join("base-1"), &bytes).unwrap();
    let fill = |record: &str| {
        let record = record.replace("PATH", path.to_str().unwrap()).replace("HASH", &hash);
        record.replace("TITLE", name).replace("KIND", kind)
    };
    let log: Vec<u8> = [OPENED, staged, STANDING].iter().flat_map(|record| framed(&fill(record))).collect();
    std::fs::write(folder.join("log-1"), log).unwrap();
}

fn part(bench: &Bench, document: DocId, name: &str) -> String {
    let content = bench.person.content(document).unwrap();
    let blob = content.read(PartName::new(name)).unwrap().unwrap();
    String::from_utf8_lossy(&blob.bytes()).into_owned()
}

#[test]
fn suggestions_that_version_3_staged_can_be_accepted() {
    let cases = [
        ("contract.docx", "Word", WORD, "word/document.xml", "Works"),
        ("budget.xlsx", "Excel", EXCEL, "xl/worksheets/sheet1.xml", "<v>0.33</v>"),
        ("handbook.md", "Markdown", MARKDOWN, "markdown", "It covers our order service"),
    ];
    let lives = Lives::new();
    for (name, kind, staged, ..) in cases {
        left(&lives, name, kind, staged);
    }
    for (name, _, _, changed, holds) in cases {
        let bench = lives.next();
        let document = bench.open(name);
        let suggestions = bench.person.suggestions(document).unwrap();
        let [waits] = &suggestions[..] else { panic!("{name}: {suggestions:?}") };
        assert_eq!((&waits.status, waits.author.as_str()), (&Status::Pending, "su"), "{name}");
        assert!(!waits.shown.is_empty(), "{name}");
        let changed = if changed == "markdown" { workspace::markdown::PART } else { changed };
        assert!(!part(&bench, document, changed).contains(holds), "{name}");
        bench.person.accept(document, &waits.id).unwrap();
        assert!(part(&bench, document, changed).contains(holds), "{name}");
        drop(bench);
        // And once more, from what this version has written since.
        let bench = lives.next();
        let document = bench.open(name);
        assert!(part(&bench, document, changed).contains(holds), "{name}");
        bench.person.undo(document).unwrap().unwrap();
        assert_eq!(bench.person.suggestions(document).unwrap().len(), 1, "{name}");
    }
}
