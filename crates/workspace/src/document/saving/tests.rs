use std::path::PathBuf;

use super::*;
use crate::document::formats::Limits;
use crate::kind::Kind;

/// A copy of the sample contract, opened.
pub(super) struct Case {
    folder: tempfile::TempDir,
    pub(super) office: Office,
    pub(super) document: Document,
}

/// What a desk is made of.
pub(super) struct Office {
    pub(super) policy: Policy,
    ids: Ids,
    side_thread: SideThread,
    leftovers: Leftovers,
}

impl Office {
    pub(super) fn desk(&self) -> SavingDesk<'_> {
        SavingDesk {
            policy: &self.policy,
            ids: &self.ids,
            side_thread: &self.side_thread,
            leftovers: &self.leftovers,
            file_bytes: 1 << 20,
        }
    }
}

impl Case {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sample = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples/contract.docx");
        std::fs::copy(sample, folder.path().join("contract.docx")).unwrap();
        let policy = Policy::new(&[folder.path().to_owned()]).unwrap();
        let place = policy.existing(&folder.path().join("contract.docx")).unwrap();
        let read = files::read(&place, 1 << 20).unwrap();
        let image::Image { bytes, hash } = read.image.clone();
        let file = OnDisk {
            path: place.path.clone(),
            stamp: read.stamp,
            image: read.image,
            conflict: None,
            held: None,
        };
        let limits = Limits::default();
        let document =
            Document::open(Kind::Word, "contract.docx".into(), bytes, hash, Some(file), &limits, 0).unwrap();
        let office = Office {
            policy,
            ids: Ids::new(),
            side_thread: SideThread::default(),
            leftovers: Leftovers::default(),
        };
        Self { folder, office, document }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.folder.path().join("contract.docx")).unwrap()
    }

    /// Put `xml` in front of the first paragraph, as no edit of ours would.
    pub(super) fn put(&mut self, xml: &str) {
        let main = PartName::new("word/document.xml");
        let head = self.document.history.head().clone();
        let text = String::from_utf8(head.read(&main).unwrap().unwrap().bytes().into_owned()).unwrap();
        let at = text.find("<w:body>").unwrap() + "<w:body>".len();
        let mut patch = Patch::new();
        patch.splice(&main, at..at, xml.to_owned()).unwrap();
        let after = patch.apply(&head).unwrap();
        let cx = Context::new("A", 0, 0);
        self.document.commit(patch, after, "damage".into(), &[], &cx).unwrap();
    }

    fn save(&mut self) -> Result<SaveReport, Refusal> {
        save(&mut self.document, Overwrite::Refuse, &self.office.desk())
    }
}

#[test]
fn a_damaged_document_is_not_written() {
    let mut case = Case::new();
    let before = case.bytes();
    case.put("<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r></w:p>");
    let Err(Refusal::Damaged { problems }) = case.save() else { panic!("it was saved") };
    assert_eq!(problems, ["word/document.xml: a field begins and does not end"]);
    assert_eq!(case.bytes(), before);
    let copy = case.office.policy.target(&case.folder.path().join("copy.docx")).unwrap();
    let cx = Context::new("A", 0, 0);
    let clean = save_clean(&mut case.document, copy, Overwrite::Refuse, &case.office.desk(), &cx);
    assert!(matches!(clean, Err(Refusal::Damaged { .. })), "{clean:?}");
    assert!(!case.folder.path().join("copy.docx").exists());
    case.document.step(edit::Way::Undo, &cx).unwrap();
    assert!(!case.save().unwrap().written);
}

#[test]
fn what_was_wrong_before_does_not_stop_a_save() {
    let mut case = Case::new();
    case.put("<w:p><w:r><w:rPr><w:i/><w:b/></w:rPr><w:t>x</w:t></w:r></w:p>");
    // As if the file had come so.
    case.document.saved.content = case.document.history.head().clone();
    case.put("<w:p><w:r><w:t>y</w:t></w:r></w:p>");
    let saved = case.save().unwrap();
    assert!(saved.written);
    assert_eq!(saved.receipt.findings, Some(Findings { new: Vec::new(), known: None }));
}

#[test]
fn the_receipt_names_both_files_and_what_lies_between() {
    let mut case = Case::new();
    let hex = |bytes: &[u8]| image::hex(&image::hash(bytes));
    let before = hex(&case.bytes());
    case.put("<w:p><w:ins w:id=\"900\" w:author=\"A &amp; B\"><w:r><w:t>x</w:t></w:r></w:ins></w:p>");
    let saved = case.save().unwrap();
    let receipt = &saved.receipt;
    assert_eq!((receipt.before.as_ref(), receipt.after.clone()), (Some(&before), hex(&case.bytes())));
    assert_eq!(saved.bytes, case.bytes().len());
    assert_eq!(receipt.parts, [PartName::new("word/document.xml")]);
    assert_eq!((receipt.edits, receipt.undecided.get("A & B")), (1, Some(&1)));
    let again = case.save().unwrap();
    assert_eq!((again.written, again.receipt.before == Some(again.receipt.after)), (false, true));
    assert_eq!(again.receipt.parts, []);
}
