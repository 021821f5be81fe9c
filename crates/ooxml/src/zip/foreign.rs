//! What a file is that is no zip archive, so that the refusal can say so.

use edit::{Cut, Refusal};

use crate::refuse::{damaged, unsupported};

const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The refusal for `source`, in which no archive was found.
pub(super) fn refusal(source: &[u8]) -> Refusal {
    let start = source.part(..source.len().min(512));
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
    if source.is_empty() {
        return damaged("it is empty");
    }
    if source.starts_with(COMPOUND) {
        return compound(source);
    }
    if source.starts_with(b"PK") {
        return damaged(
            "it is cut off: the directory that stands at the end of a zip archive is missing, \
             so the file was probably not copied or downloaded to its end",
        );
    }
    if source.starts_with(b"\x1F\x8B") {
        return unsupported("a gzip-compressed file", "unpack it first");
    }
    if is_bare_workbook(source) {
        return unsupported(
            "a workbook of Excel 4 or older, which has no container around it",
            "open it in Excel or LibreOffice and save it as .xlsx",
        );
    }
    if text.starts_with(b"%PDF") {
        return unsupported("a PDF file", "convert it to .docx first");
    }
    if text.starts_with(b"{\\rtf") {
        return unsupported("a rich text (RTF) file", "save it as .docx first");
    }
    if text.starts_with(b"<?xml") && memchr::memmem::find(start, b"schemas.microsoft.com/office").is_some() {
        return unsupported("a flat XML document", "save it as .docx or .xlsx first");
    }
    if text.starts_with(b"<") {
        return damaged("it is an XML or HTML file, not an Office package");
    }
    if std::str::from_utf8(start).map_or_else(|error| error.valid_up_to() + 4 > start.len(), |_| true)
        && !start.contains(&0)
    {
        return damaged("it is plain text, not an Office package");
    }
    damaged("it is not a zip archive, which every Office file is")
}

/// The first record of the oldest workbooks: what version begins here, in four to sixteen bytes.
fn is_bare_workbook(source: &[u8]) -> bool {
    matches!(source, [9, 0 | 2 | 4 | 8, 4 | 6 | 8 | 16, 0, ..])
}

/// Old binary files and encrypted new ones share a container, a small file system whose directory says what
/// is inside.
fn compound(source: &[u8]) -> Refusal {
    const INSTEAD: &str = "save it in the current format (.docx or .xlsx) first";
    let holds = |name: &str| has_stream(source, name);
    if holds("EncryptedPackage") || holds("EncryptionInfo") {
        Refusal::Encrypted
    } else if holds("WordDocument") {
        unsupported("the old binary Word format (.doc)", INSTEAD)
    } else if holds("Workbook") || holds("Book") {
        unsupported("the old binary Excel format (.xls)", INSTEAD)
    } else if holds("PowerPoint Document") {
        unsupported("the old binary PowerPoint format (.ppt)", INSTEAD)
    } else {
        unsupported("an OLE compound file that is neither Word nor Excel", INSTEAD)
    }
}

/// Whether a directory entry is called `name`. Entries are 128 bytes on a 128-byte grid, with the name in
/// UTF-16 first and its length in bytes, the final zero included, at 64.
fn has_stream(source: &[u8], name: &str) -> bool {
    let mut wanted: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    wanted.extend([0, 0]);
    let length = wanted.len() as u16;
    source.as_chunks::<128>().0.iter().any(|entry| {
        // Names in a compound file differ by more than case.
        let name = entry.part(..wanted.len());
        super::bytes::u16_at(entry, 64) == Some(length) && name.eq_ignore_ascii_case(&wanted)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_archive_is_named() {
        let said = |bytes: &[u8]| refusal(bytes).to_string();
        assert!(said(b"\x09\x04\x06\x00\x00\x00\x10\x00\x00\x00").contains("Excel 4 or older"));
        assert!(said(b"\x1F\x8B\x08\x00\x00\x00").contains("gzip"));
        assert!(said(b"\x09\x04\x99\x00\x00\x00").contains("not a zip archive"));
    }
}
