//! A document and an edit in its JSON form: planned twice alike, applied, carried and undone, or refused.
#![no_main]

use edit::{Blob, Content, Format, PartName, Refusal};
use libfuzzer_sys::fuzz_target;
use markdown::{Edit, Markdown, PART};

fn ours(refusal: &Refusal) -> bool {
    match refusal {
        Refusal::Internal { .. } => true,
        Refusal::InBatch { cause, .. } => ours(cause),
        _ => false,
    }
}

fuzz_target!(|bytes: &[u8]| {
    // The edit, a zero byte, the document.
    let Some(split) = bytes.iter().position(|byte| *byte == 0) else { return };
    let Ok(edit) = serde_json::from_slice::<Edit>(&bytes[..split]) else { return };
    let Ok(source) = std::str::from_utf8(&bytes[split + 1..]) else { return };
    let before = Content::single(PartName::new(PART), Blob::from(source));
    match testkit::check::<Markdown>(&before, &[edit]) {
        Ok(checked) => {
            let fresh = Markdown::view(&checked.content).expect("the result is read");
            assert!(checked.view == fresh, "the view was not carried");
        }
        Err(refusal) => assert!(!ours(&refusal), "{refusal}"),
    }
});
