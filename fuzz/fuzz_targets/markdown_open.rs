//! Any bytes: refused, or read with blocks that lie inside one another and saved as they were.
#![no_main]

use std::sync::Arc;

use edit::Format;
use libfuzzer_sys::fuzz_target;
use markdown::{Limits, Markdown};

fuzz_target!(|bytes: &[u8]| {
    let Ok((source, content)) = Markdown::unpack(Arc::new(bytes.to_vec()), &Limits::default()) else {
        return;
    };
    assert_eq!(Markdown::pack(&source, &content).expect("it is saved"), bytes);
    let view = Markdown::view(&content).expect("text is read");
    for (id, node) in view.nodes() {
        let range = node.range();
        assert!(range.start <= range.end && range.end <= view.len());
        assert!(view.is_char_boundary(range.start) && view.is_char_boundary(range.end));
        assert_eq!(node.id(), id);
        if let Some(parent) = node.parent() {
            assert!(parent.range().start <= range.start && range.end <= parent.range().end);
        }
        if let Some(leaf) = node.leaf() {
            assert!(leaf.pieces.iter().all(|piece| piece.range.end <= range.end));
        }
    }
});
