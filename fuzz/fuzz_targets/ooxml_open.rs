//! Any bytes as a file: open, read every part, parse what may be XML, touch one part, save, open again.

#![no_main]

use edit::{Content, PartName, Patch};
use libfuzzer_sys::fuzz_target;
use ooxml::xml::{Tree, XmlLimits, find_spans};
use ooxml::{Limits, Package};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { total_bytes: 4 << 20, entry_bytes: 1 << 20, ..Limits::default() };
    let xml_limits = XmlLimits::default();
    if let Ok(tree) = Tree::parse(bytes, &xml_limits) {
        assert_eq!(tree.document(bytes).span(), 0..bytes.len());
    }
    let _ = find_spans(bytes, b"w:p", &xml_limits);
    let Ok((package, content)) = Package::open(bytes.to_vec(), &limits) else { return };
    assert_eq!(package.save(&content).as_deref(), Ok(bytes));
    let _ = ooxml::main_part(&content);
    let _ = ooxml::ContentTypes::read(&content);
    let readable: Vec<PartName> =
        content.names().filter(|name| matches!(content.read(name), Ok(Some(_)))).cloned().collect();
    for name in &readable {
        let Ok(Some(blob)) = content.read(name) else { continue };
        let _ = Tree::parse(&blob.bytes(), &xml_limits);
        let _ = ooxml::Relationships::of_part(&content, name);
    }
    let Some(victim) = readable.first() else { return };
    let mut patch = Patch::new();
    let Ok(()) = patch.splice(victim, 0..0, "<!-- -->") else { return };
    let Ok(after) = patch.apply(&content) else { return };
    let Ok(saved) = package.save(&after) else { return };
    let wide = Limits { total_bytes: u64::MAX, entry_bytes: u64::MAX, ratio: u64::MAX, ..limits };
    let (_, again) = Package::open(saved, &wide).expect("a saved file opens");
    assert!(same(&readable, &after, &again), "a saved file holds what was saved");
});

fn same(names: &[PartName], a: &Content, b: &Content) -> bool {
    names.iter().all(|name| a.read(name) == b.read(name))
}
