//! Files that nobody here wrote.

use std::sync::Arc;

use edit::{Format, PartName, Patch};
use markdown::{Edit, Limits, Markdown, NodeId, PART, View};

use crate::{content, text, view};

/// Each file as it is, with CRLF, with a byte order mark, and without a final newline.
fn variants(bytes: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8(bytes.to_vec()).unwrap_or_default();
    let crlf = text.replace("\r\n", "\n").replace('\n', "\r\n");
    let mut bom = b"\xEF\xBB\xBF".to_vec();
    bom.extend_from_slice(bytes);
    vec![bytes.to_vec(), crlf.into_bytes(), bom, text.trim_end().as_bytes().to_vec()]
}

#[test]
fn opening_and_saving_gives_the_bytes_that_were_opened() {
    let Some(samples) = testkit::corpus::samples("md") else { return };
    assert!(samples.len() > 100, "the corpus is there");
    for sample in samples {
        for bytes in variants(&sample.bytes()) {
            let (source, content) = Markdown::unpack(Arc::new(bytes.clone()), &Limits::default()).unwrap();
            let view = Markdown::view(&content).unwrap();
            assert_eq!(Markdown::pack(&source, &content).unwrap(), bytes, "{}", sample.path.display());
            assert_eq!(view.text(), text(&content), "{}", sample.path.display());
            well_formed(&view, &sample.path.display().to_string());
        }
    }
}

/// Blocks lie inside one another, in order, on whole characters; ids count up.
pub(crate) fn well_formed(view: &View, name: &str) {
    let mut previous = 0;
    for (id, node) in view.nodes() {
        let range = node.range();
        assert!(range.start <= range.end && range.end <= view.len(), "{name}: {node:?}");
        assert!(view.is_char_boundary(range.start) && view.is_char_boundary(range.end), "{name}: {node:?}");
        assert!(range.start >= previous, "{name}: {node:?} starts before {previous}");
        previous = range.start;
        if let Some(parent) = node.parent() {
            let outer = parent.range();
            assert!(outer.start <= range.start && range.end <= outer.end, "{name}: {node:?} in {parent:?}");
        }
        assert_eq!(node.id(), id, "{name}: {node:?}");
        if let Some(id) = id {
            assert_eq!(view.node(id).unwrap().range(), range, "{name}: {id}");
        }
        if let Some(leaf) = node.leaf() {
            let mut at = range.start;
            for piece in leaf.pieces.iter() {
                assert!(
                    piece.range.start >= at && piece.range.end <= range.end,
                    "{name}: {node:?} {piece:?} {:?}",
                    node.source()
                );
                at = piece.range.start;
            }
        }
    }
}

/// A shape to compare documents by: kinds and texts of leaves.
fn shape(view: &View) -> Vec<(String, String)> {
    view.nodes()
        .filter(|(_, node)| !node.kind().is_container())
        .map(|(_, node)| (node.kind().name().to_owned(), node.source().into_owned()))
        .collect()
}

/// Something else of the same kind, for every kind of block that can be replaced by itself.
fn replacement(prefix: &str) -> &'static str {
    match prefix {
        "ul" => "- Other item",
        "ol" => "1. Other item",
        "task" => "- [ ] Other item",
        "table" => "| Other |\n|---|\n| text |",
        "hr" => "* * *",
        "html" => "<div>Other</div>",
        "math" => "$$\nx\n$$",
        "img" => "![Other](other.png)",
        "meta" => "---\nother: 1\n---",
        "dl" => "Other term\n: Other text",
        _ => "Other text",
    }
}

#[derive(Debug, Default)]
struct Tally {
    made: usize,
    /// Refused because it would have changed another block.
    unsafe_: usize,
    /// Blocks that cannot be replaced by this text, such as the definition of a footnote.
    unsupported: usize,
}

/// Replaces blocks of a file, one at a time from the same start, and looks at everything else.
fn replace_blocks(name: &str, bytes: &[u8], step: usize, tally: &mut Tally) {
    let cx = testkit::context();
    let (_, content) = Markdown::unpack(Arc::new(bytes.to_vec()), &Limits::default()).unwrap();
    let view = Markdown::view(&content).unwrap();
    let ids: Vec<NodeId> = view.nodes().filter_map(|(id, _)| id).collect();
    let (before, old_shape) = (text(&content), shape(&view));
    for (number, id) in ids.into_iter().step_by(step).enumerate() {
        let node = view.node(id).unwrap();
        let edit = Edit::Update { node: id, content: replacement(id.prefix.as_str()).to_owned() };
        let planned = match Markdown::plan(&view, &edit, &cx) {
            Ok(planned) => planned,
            Err(edit::Refusal::Unsafe { .. }) => {
                tally.unsafe_ += 1;
                continue;
            }
            Err(edit::Refusal::Unsupported { .. } | edit::Refusal::Invalid { .. }) => {
                tally.unsupported += 1;
                continue;
            }
            Err(other) => panic!("{name} {id}: {other}"),
        };
        tally.made += 1;
        let after = planned.step.patch.apply(&content).unwrap();
        let range = node.range();
        let grown = text(&after);
        assert!(grown.starts_with(&before[..view.line_start(range.start)]), "{name} {id}");
        assert!(grown.ends_with(&before[range.end..]), "{name} {id}");
        let new = Markdown::view_after(view.clone(), &planned.step.patch, &after).unwrap();
        // Reading a long file anew for each of its thousands of blocks would take hours.
        if before.len() < 50_000 || number % 50 == 0 {
            assert!(new == Markdown::view(&after).unwrap(), "{name} {id}");
        }
        let new_shape = shape(&new);
        let same_before = old_shape.iter().zip(&new_shape).take_while(|(a, b)| a == b).count();
        let same_behind =
            old_shape.iter().rev().zip(new_shape.iter().rev()).take_while(|(a, b)| a == b).count();
        let inside = node.descendants().filter(|node| !node.kind().is_container()).count().max(1);
        assert!(same_before + same_behind + inside >= old_shape.len(), "{name} {id}: {:?}", node.source());
    }
}

/// A sample of blocks in one variant of each file; with `DOCWRIGHT_WHOLE_CORPUS=1` every block in every variant,
/// which wants a release build and some minutes.
#[test]
fn replacing_any_one_block_leaves_all_others() {
    let Some(samples) = testkit::corpus::samples("md") else { return };
    let whole = std::env::var_os("DOCWRIGHT_WHOLE_CORPUS").is_some();
    let mut tally = Tally::default();
    for (number, sample) in samples.iter().enumerate() {
        let variants = variants(&sample.bytes());
        let name = sample.path.display().to_string();
        if whole {
            for (variant, bytes) in variants.iter().enumerate() {
                replace_blocks(&format!("{name} ({variant})"), bytes, 1, &mut tally);
            }
        } else {
            let bytes = &variants[number % variants.len()];
            let blocks = view(&String::from_utf8_lossy(bytes)).nodes().count();
            replace_blocks(&name, bytes, blocks / 20 + 1, &mut tally);
        }
    }
    println!("{} files: {tally:?}", samples.len());
    assert!(tally.made > 1000, "{tally:?}");
    assert!(tally.unsafe_ * 50 < tally.made && tally.unsupported * 20 < tally.made, "{tally:?}");
}

#[test]
fn the_view_after_a_splice_is_the_view_of_the_result() {
    let Some(samples) = testkit::corpus::samples("md") else { return };
    let inserts = [
        "x",
        "\n",
        "\n\n",
        "- ",
        "> ",
        "```\n",
        "# ",
        "---\n",
        "[a]: /b\n",
        "    ",
        "|",
        "<div>\n",
        ": ",
        "[^1]: n\n",
        "$$",
    ];
    let mut seed = 12345u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below.max(1)
    };
    for sample in samples {
        let Ok(before) = String::from_utf8(sample.bytes()) else { continue };
        let before = before.trim_start_matches('\u{feff}');
        if before.len() > 60_000 {
            continue;
        }
        let mut content = content(before);
        let mut old = view(before);
        for _ in 0..6 {
            let source = text(&content);
            let mut at = random(source.len() + 1);
            while !source.is_char_boundary(at) {
                at -= 1;
            }
            let mut end = (at + if random(2) == 0 { 0 } else { random(40) }).min(source.len());
            while !source.is_char_boundary(end) {
                end -= 1;
            }
            let with = inserts[random(inserts.len())];
            let mut patch = Patch::new();
            patch.splice(&PartName::new(PART), at..end.max(at), with).unwrap();
            let after = patch.apply(&content).unwrap();
            let quick = Markdown::view_after(old, &patch, &after).unwrap();
            let slow = Markdown::view(&after).unwrap();
            assert!(quick == slow, "{} at {at}..{end} with {with:?}", sample.path.display());
            well_formed(&quick, &sample.path.display().to_string());
            content = after;
            old = quick;
        }
    }
}
