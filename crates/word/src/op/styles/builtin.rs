//! Built-in styles as Word would write them, for documents that only know their names.
//!
//! Fonts are left to the document, so that a heading fits the text it stands over.

use super::Kind;

pub(super) struct BuiltIn {
    /// As the file spells it.
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) priority: u8,
    /// Whether the paragraph that follows goes back to the default style.
    pub(super) next_normal: bool,
    /// A style that makes its paragraphs a list.
    pub(super) list: Option<List>,
    parts: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Bullets,
    Numbers,
}

impl BuiltIn {
    /// Everything behind the facts about the style, as written.
    pub(super) fn body(&self) -> String {
        self.parts.concat()
    }
}

const fn paragraph(
    name: &'static str,
    priority: u8,
    next_normal: bool,
    parts: &'static [&'static str],
) -> BuiltIn {
    BuiltIn { name, kind: Kind::Paragraph, priority, next_normal, list: None, parts }
}

const fn list(name: &'static str, list: List) -> BuiltIn {
    BuiltIn { name, kind: Kind::Paragraph, priority: 99, next_normal: false, list: Some(list), parts: &[] }
}

const fn character(name: &'static str, priority: u8, parts: &'static [&'static str]) -> BuiltIn {
    BuiltIn { name, kind: Kind::Character, priority, next_normal: false, list: None, parts }
}

const fn table(name: &'static str, priority: u8, parts: &'static [&'static str]) -> BuiltIn {
    BuiltIn { name, kind: Kind::Table, priority, next_normal: false, list: None, parts }
}

const CELLS: &str = "<w:tblCellMar><w:top w:w=\"0\" w:type=\"dxa\"/><w:left w:w=\"108\" w:type=\"dxa\"/><w:bottom w:w=\"0\" w:type=\"dxa\"/><w:right w:w=\"108\" w:type=\"dxa\"/></w:tblCellMar>";
const TIGHT: &str = "<w:pPr><w:spacing w:after=\"0\" w:line=\"240\" w:lineRule=\"auto\"/></w:pPr>";
const BANDS: &str = "<w:tblStyleRowBandSize w:val=\"1\"/><w:tblStyleColBandSize w:val=\"1\"/>";
const BOLD_ENDS: &str = "<w:tblStylePr w:type=\"firstRow\"><w:rPr><w:b/><w:bCs/></w:rPr></w:tblStylePr><w:tblStylePr w:type=\"lastRow\"><w:rPr><w:b/><w:bCs/></w:rPr></w:tblStylePr><w:tblStylePr w:type=\"firstCol\"><w:rPr><w:b/><w:bCs/></w:rPr></w:tblStylePr><w:tblStylePr w:type=\"lastCol\"><w:rPr><w:b/><w:bCs/></w:rPr></w:tblStylePr>";
const GREY_BANDS: &str = "<w:tblStylePr w:type=\"band1Vert\"><w:tcPr><w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"F2F2F2\"/></w:tcPr></w:tblStylePr><w:tblStylePr w:type=\"band1Horz\"><w:tcPr><w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"F2F2F2\"/></w:tcPr></w:tblStylePr>";

const RUNNING: &str = "<w:pPr><w:tabs><w:tab w:val=\"center\" w:pos=\"4680\"/><w:tab w:val=\"right\" w:pos=\"9360\"/></w:tabs><w:spacing w:after=\"0\" w:line=\"240\" w:lineRule=\"auto\"/></w:pPr>";
const SMALL: &str = "<w:rPr><w:sz w:val=\"20\"/><w:szCs w:val=\"20\"/></w:rPr>";

macro_rules! borders {
    ($style:literal, $size:literal, $colour:literal) => {
        concat!(
            "<w:tblBorders><w:top w:val=\"",
            $style,
            "\" w:sz=\"",
            $size,
            "\" w:space=\"0\" w:color=\"",
            $colour,
            "\"/><w:left w:val=\"",
            $style,
            "\" w:sz=\"",
            $size,
            "\" w:space=\"0\" w:color=\"",
            $colour,
            "\"/><w:bottom w:val=\"",
            $style,
            "\" w:sz=\"",
            $size,
            "\" w:space=\"0\" w:color=\"",
            $colour,
            "\"/><w:right w:val=\"",
            $style,
            "\" w:sz=\"",
            $size,
            "\" w:space=\"0\" w:color=\"",
            $colour,
            "\"/><w:insideH w:val=\"",
            $style,
            "\" w:sz=\"",
            $size,
            "\" w:space=\"0\" w:color=\"",
            $colour,
            "\"/><w:insideV w:val=\"",
            $style,
            "\" w:sz=\"",
            $size,
            "\" w:space=\"0\" w:color=\"",
            $colour,
            "\"/></w:tblBorders>"
        )
    };
}

macro_rules! heading {
    ($name:literal, $level:literal, $before:literal, $after:literal, $run:literal) => {
        paragraph(
            $name,
            9,
            true,
            &[
                concat!(
                    "<w:pPr><w:keepNext/><w:keepLines/><w:spacing w:before=\"",
                    $before,
                    "\" w:after=\"",
                    $after,
                    "\"/><w:outlineLvl w:val=\"",
                    $level,
                    "\"/></w:pPr>"
                ),
                concat!("<w:rPr>", $run, "</w:rPr>"),
            ],
        )
    };
}

/// A first row in white on a colour, a line around everything, and bands.
/// Everything on a colour, with white lines.
pub(super) const BUILT_IN: &[BuiltIn] = &[
    paragraph("Normal", 0, false, &[]),
    heading!(
        "heading 1",
        "0",
        "360",
        "80",
        "<w:color w:val=\"0F4761\"/><w:sz w:val=\"40\"/><w:szCs w:val=\"40\"/>"
    ),
    heading!(
        "heading 2",
        "1",
        "160",
        "80",
        "<w:color w:val=\"0F4761\"/><w:sz w:val=\"32\"/><w:szCs w:val=\"32\"/>"
    ),
    heading!(
        "heading 3",
        "2",
        "160",
        "80",
        "<w:color w:val=\"0F4761\"/><w:sz w:val=\"28\"/><w:szCs w:val=\"28\"/>"
    ),
    heading!("heading 4", "3", "80", "40", "<w:i/><w:iCs/><w:color w:val=\"0F4761\"/>"),
    heading!("heading 5", "4", "80", "40", "<w:color w:val=\"0F4761\"/>"),
    heading!("heading 6", "5", "40", "0", "<w:i/><w:iCs/><w:color w:val=\"595959\"/>"),
    heading!("heading 7", "6", "40", "0", "<w:color w:val=\"595959\"/>"),
    heading!("heading 8", "7", "0", "0", "<w:i/><w:iCs/><w:color w:val=\"272727\"/>"),
    heading!("heading 9", "8", "0", "0", "<w:color w:val=\"272727\"/>"),
    paragraph(
        "Title",
        10,
        true,
        &[
            "<w:pPr><w:spacing w:after=\"80\" w:line=\"240\" w:lineRule=\"auto\"/><w:contextualSpacing/></w:pPr>",
            "<w:rPr><w:spacing w:val=\"-10\"/><w:kern w:val=\"28\"/><w:sz w:val=\"56\"/><w:szCs w:val=\"56\"/></w:rPr>",
        ],
    ),
    paragraph(
        "Subtitle",
        11,
        true,
        &[
            "<w:rPr><w:color w:val=\"595959\"/><w:spacing w:val=\"15\"/><w:sz w:val=\"28\"/><w:szCs w:val=\"28\"/></w:rPr>",
        ],
    ),
    paragraph(
        "Quote",
        29,
        true,
        &[
            "<w:pPr><w:spacing w:before=\"160\"/><w:jc w:val=\"center\"/></w:pPr>",
            "<w:rPr><w:i/><w:iCs/><w:color w:val=\"404040\"/></w:rPr>",
        ],
    ),
    paragraph(
        "Intense Quote",
        30,
        true,
        &[
            "<w:pPr><w:pBdr><w:top w:val=\"single\" w:sz=\"4\" w:space=\"10\" w:color=\"0F4761\"/><w:bottom w:val=\"single\" w:sz=\"4\" w:space=\"10\" w:color=\"0F4761\"/></w:pBdr><w:spacing w:before=\"360\" w:after=\"360\"/><w:ind w:left=\"864\" w:right=\"864\"/><w:jc w:val=\"center\"/></w:pPr>",
            "<w:rPr><w:i/><w:iCs/><w:color w:val=\"0F4761\"/></w:rPr>",
        ],
    ),
    paragraph("List Paragraph", 34, false, &["<w:pPr><w:ind w:left=\"720\"/><w:contextualSpacing/></w:pPr>"]),
    paragraph(
        "No Spacing",
        1,
        false,
        &["<w:pPr><w:spacing w:after=\"0\" w:line=\"240\" w:lineRule=\"auto\"/></w:pPr>"],
    ),
    paragraph(
        "caption",
        35,
        true,
        &[
            "<w:pPr><w:spacing w:after=\"200\" w:line=\"240\" w:lineRule=\"auto\"/></w:pPr>",
            "<w:rPr><w:i/><w:iCs/><w:color w:val=\"0E2841\"/><w:sz w:val=\"18\"/><w:szCs w:val=\"18\"/></w:rPr>",
        ],
    ),
    paragraph("Body Text", 99, false, &["<w:pPr><w:spacing w:after=\"120\"/></w:pPr>"]),
    paragraph(
        "Body Text Indent",
        99,
        false,
        &["<w:pPr><w:spacing w:after=\"120\"/><w:ind w:left=\"360\"/></w:pPr>"],
    ),
    paragraph("Normal Indent", 99, false, &["<w:pPr><w:ind w:left=\"720\"/></w:pPr>"]),
    paragraph(
        "Block Text",
        99,
        false,
        &["<w:pPr><w:ind w:left=\"1152\" w:right=\"1152\"/></w:pPr>", "<w:rPr><w:i/><w:iCs/></w:rPr>"],
    ),
    list("List Bullet", List::Bullets),
    list("List Number", List::Numbers),
    paragraph("header", 99, false, &[RUNNING]),
    paragraph("footer", 99, false, &[RUNNING]),
    paragraph("footnote text", 99, false, &[TIGHT, SMALL]),
    paragraph("endnote text", 99, false, &[TIGHT, SMALL]),
    paragraph("toc 1", 39, true, &["<w:pPr><w:spacing w:after=\"100\"/></w:pPr>"]),
    paragraph("toc 2", 39, true, &["<w:pPr><w:spacing w:after=\"100\"/><w:ind w:left=\"220\"/></w:pPr>"]),
    paragraph("toc 3", 39, true, &["<w:pPr><w:spacing w:after=\"100\"/><w:ind w:left=\"440\"/></w:pPr>"]),
    paragraph(
        "TOC Heading",
        39,
        true,
        &[
            "<w:pPr><w:keepNext/><w:keepLines/><w:spacing w:before=\"240\" w:after=\"0\"/></w:pPr>",
            "<w:rPr><w:color w:val=\"0F4761\"/><w:sz w:val=\"32\"/><w:szCs w:val=\"32\"/></w:rPr>",
        ],
    ),
    paragraph(
        "Plain Text",
        99,
        false,
        &[
            TIGHT,
            "<w:rPr><w:rFonts w:ascii=\"Consolas\" w:hAnsi=\"Consolas\"/><w:sz w:val=\"21\"/><w:szCs w:val=\"21\"/></w:rPr>",
        ],
    ),
    character("Strong", 22, &["<w:rPr><w:b/><w:bCs/></w:rPr>"]),
    character("Emphasis", 20, &["<w:rPr><w:i/><w:iCs/></w:rPr>"]),
    character("Subtle Emphasis", 19, &["<w:rPr><w:i/><w:iCs/><w:color w:val=\"404040\"/></w:rPr>"]),
    character("Intense Emphasis", 21, &["<w:rPr><w:i/><w:iCs/><w:color w:val=\"0F4761\"/></w:rPr>"]),
    character("Subtle Reference", 31, &["<w:rPr><w:smallCaps/><w:color w:val=\"5A5A5A\"/></w:rPr>"]),
    character(
        "Intense Reference",
        32,
        &["<w:rPr><w:b/><w:bCs/><w:smallCaps/><w:color w:val=\"0F4761\"/><w:spacing w:val=\"5\"/></w:rPr>"],
    ),
    character("Book Title", 33, &["<w:rPr><w:b/><w:bCs/><w:i/><w:iCs/><w:spacing w:val=\"5\"/></w:rPr>"]),
    character("footnote reference", 99, &["<w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr>"]),
    character("endnote reference", 99, &["<w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr>"]),
    character(
        "FollowedHyperlink",
        99,
        &["<w:rPr><w:color w:val=\"96607D\"/><w:u w:val=\"single\"/></w:rPr>"],
    ),
    character("Hyperlink", 99, &["<w:rPr><w:color w:val=\"467886\"/><w:u w:val=\"single\"/></w:rPr>"]),
    table("Normal Table", 99, &["<w:tblPr><w:tblInd w:w=\"0\" w:type=\"dxa\"/>", CELLS, "</w:tblPr>"]),
    table(
        "Table Grid",
        39,
        &[
            TIGHT,
            "<w:tblPr><w:tblInd w:w=\"0\" w:type=\"dxa\"/>",
            borders!("single", "4", "auto"),
            CELLS,
            "</w:tblPr>",
        ],
    ),
    table(
        "Grid Table Light",
        40,
        &[
            TIGHT,
            "<w:tblPr><w:tblInd w:w=\"0\" w:type=\"dxa\"/>",
            borders!("single", "4", "BFBFBF"),
            CELLS,
            "</w:tblPr>",
        ],
    ),
    table(
        "Plain Table 1",
        41,
        &[
            TIGHT,
            "<w:tblPr>",
            BANDS,
            "<w:tblInd w:w=\"0\" w:type=\"dxa\"/>",
            borders!("single", "4", "BFBFBF"),
            CELLS,
            "</w:tblPr>",
            BOLD_ENDS,
            GREY_BANDS,
        ],
    ),
];
