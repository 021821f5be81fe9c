//! Small documents for tests, and how they read.

use edit::{Blob, Content, Format, PartName};

mod cases;
mod short;

use crate::{Side, View, Word};

const W: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
     xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\" \
     xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
     xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
     xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" \
     xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
     xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" \
     xmlns:v=\"urn:schemas-microsoft-com:vml\"";

/// A document with this body.
pub(crate) fn document(body: &str) -> Content {
    document_with(body, &[])
}

/// A document with this body and these parts of `word/`, by name: `("styles", "<w:style …/>")`. Each is
/// wrapped in its root element and related to the body.
pub(crate) fn document_with(body: &str, parts: &[(&str, &str)]) -> Content {
    let mut content = Content::new();
    let mut put = |name: &str, text: String| content.insert(PartName::new(name), Blob::from(text));
    put("word/document.xml", format!("<w:document {W}><w:body>{body}<w:sectPr/></w:body></w:document>"));
    let main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
    put(
        "[Content_Types].xml",
        format!(
            "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
             <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
             <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
             <Override PartName=\"/word/document.xml\" ContentType=\"{main}\"/></Types>"
        ),
    );
    let rels = |rows: &str| {
        format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{rows}</Relationships>"
        )
    };
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let row = |id: usize, kind: &str, target: &str| {
        format!("<Relationship Id=\"rId{id}\" Type=\"{office}/{kind}\" Target=\"{target}\"/>")
    };
    put("_rels/.rels", rels(&row(1, "officeDocument", "word/document.xml")));
    let mut rows = String::new();
    for (number, (name, inner)) in parts.iter().enumerate() {
        let kind = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let root = match kind {
            "header" => "hdr",
            "footer" => "ftr",
            kind => kind,
        };
        put(&format!("word/{name}.xml"), format!("<w:{root} {W}>{inner}</w:{root}>"));
        rows += &row(number + 1, kind, &format!("{name}.xml"));
    }
    put("word/_rels/document.xml.rels", rels(&rows));
    content
}

pub(crate) fn view(body: &str) -> View {
    Word::view(&document(body)).expect("the document can be viewed")
}

/// `<w:p>` with this inside.
pub(crate) fn p(inner: &str) -> String {
    format!("<w:p>{inner}</w:p>")
}

/// A run with this text.
pub(crate) fn r(text: &str) -> String {
    let text = ooxml::xml::escape_text(text);
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

/// A run with this text and these properties.
pub(crate) fn rr(properties: &str, text: &str) -> String {
    let text = ooxml::xml::escape_text(text);
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

/// The text of every paragraph of every story, one a line.
pub(crate) fn lines(view: &View, side: Side) -> Vec<String> {
    view.places().map(|place| view.paragraph(place).expect("reads").text(side).text).collect()
}
