//! The regions of a table that its style formats apart: header row, first column, bands, corners.
//!
//! Which of them a cell lies in follows from its place and from the options of the table (`w:tblLook`). What a
//! file notes about it cell by cell (`w:cnfStyle`) is a record of the last save and may be stale; Word goes by the
//! place, and so do we.

use std::collections::HashMap;

use edit::OrEmpty;
use ooxml::xml::{Node, ns};

use crate::document::index::{BoxKind, Part, Quick};
use crate::document::names::attribute;
use crate::document::paragraph::is_on;
use crate::document::props::{ParaProps, RunProps, each_child};

/// In the order in which Word lets them speak; the later word counts.
const ORDER: [&str; 13] = [
    "wholeTable",
    "band1Horz",
    "band2Horz",
    "band1Vert",
    "band2Vert",
    "firstCol",
    "lastCol",
    "firstRow",
    "lastRow",
    "nwCell",
    "neCell",
    "swCell",
    "seCell",
];

/// A set of regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Regions(u16);

impl Regions {
    const WHOLE: u16 = 1;
    const BAND_1_HORIZONTAL: u16 = 1 << 1;
    const BAND_2_HORIZONTAL: u16 = 1 << 2;
    const BAND_1_VERTICAL: u16 = 1 << 3;
    const BAND_2_VERTICAL: u16 = 1 << 4;
    const FIRST_COLUMN: u16 = 1 << 5;
    const LAST_COLUMN: u16 = 1 << 6;
    const FIRST_ROW: u16 = 1 << 7;
    const LAST_ROW: u16 = 1 << 8;
    /// Top left, top right, bottom left, bottom right, by the row and the column that meet there.
    const CORNERS: [(u16, u16); 4] = [
        (Self::FIRST_ROW | Self::FIRST_COLUMN, 1 << 9),
        (Self::FIRST_ROW | Self::LAST_COLUMN, 1 << 10),
        (Self::LAST_ROW | Self::FIRST_COLUMN, 1 << 11),
        (Self::LAST_ROW | Self::LAST_COLUMN, 1 << 12),
    ];

    fn holds(self, region: usize) -> bool {
        self.0 >> region & 1 == 1
    }

    pub(crate) fn or(self, other: Regions) -> Regions {
        Regions(self.0 | other.0)
    }

    fn and(self, other: Regions) -> Regions {
        Regions(self.0 & other.0)
    }
}

/// Where a paragraph of a table stands: the number of the table's style, and the regions.
pub(crate) type InTable = (usize, Regions);

/// What a table style says of regions, as far as it concerns text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conditions {
    /// By their place in the order, ascending.
    said: Vec<(usize, ParaProps, RunProps)>,
    /// How many rows and how many columns make a band, if the style says.
    pub(crate) row_band: Option<usize>,
    pub(crate) column_band: Option<usize>,
    /// Regions whose cells the style colours, and how.
    filled: Vec<(usize, String)>,
}

impl Conditions {
    /// Of a `w:style`.
    pub(crate) fn read(style: &Node<'_>) -> Conditions {
        let mut conditions = Conditions::default();
        for node in style.elements() {
            if node.is(ns::W, "tblPr") {
                let size = |name: &str| node.child(ns::W, name)?.value(ns::W, "val")?.parse().ok();
                conditions.row_band = size("tblStyleRowBandSize");
                conditions.column_band = size("tblStyleColBandSize");
            } else if node.is(ns::W, "tcPr") {
                conditions.filled.extend(fill_of(&node).map(|fill| (0, fill)));
            } else if node.is(ns::W, "tblStylePr") {
                let kind = node.value(ns::W, "type").or_empty();
                let Some(region) = ORDER.iter().position(|known| *known == kind) else { continue };
                let fill = node.child(ns::W, "tcPr").and_then(|cell| fill_of(&cell));
                conditions.filled.extend(fill.map(|fill| (region, fill)));
                let child = |name: &str| node.child(ns::W, name);
                let paragraph =
                    child("pPr").map_or_else(ParaProps::default, |node| ParaProps::read(node.source()));
                let run = child("rPr").map_or_else(RunProps::default, |node| RunProps::read(node.source()));
                // Most regions only have a colour behind them.
                if paragraph != ParaProps::default() || run != RunProps::default() {
                    conditions.said.push((region, paragraph, run));
                }
            }
        }
        conditions.said.sort_by_key(|(region, ..)| *region);
        conditions.filled.sort_by_key(|(region, _)| *region);
        conditions
    }

    /// The regions that it colours.
    pub(crate) fn coloured(&self) -> Regions {
        Regions(self.filled.iter().fold(0, |all, (region, _)| all | 1 << region))
    }

    /// The colour behind cells of these regions, the later region counting.
    pub(crate) fn fill(&self, regions: Regions) -> Option<&str> {
        let known = self.filled.iter().rev().find(|(region, _)| *region == 0 || regions.holds(*region));
        known.map(|(_, fill)| fill.as_str())
    }

    /// The regions it says something of.
    pub(crate) fn regions(&self) -> Regions {
        Regions(self.said.iter().fold(0, |all, (region, ..)| all | 1 << region))
    }

    fn of(&self, region: usize) -> impl Iterator<Item = (&ParaProps, &RunProps)> {
        let said = self.said.iter().filter(move |(known, ..)| *known == region);
        said.map(|(_, paragraph, run)| (paragraph, run))
    }
}

/// The colour that `w:shd` of cell properties gives.
fn fill_of(cell: &Node<'_>) -> Option<String> {
    let fill = cell.child(ns::W, "shd")?.value(ns::W, "fill")?;
    Some(fill.to_ascii_uppercase())
}

/// Lays over what a style and its ancestors, the oldest first, say of these regions.
pub(crate) fn overlay(lineage: &[&Conditions], regions: Regions, props: &mut ParaProps, run: &mut RunProps) {
    for region in (0..ORDER.len()).filter(|region| regions.holds(*region)) {
        for (over, over_run) in lineage.iter().flat_map(|conditions| conditions.of(region)) {
            props.overlay(over);
            run.overlay(over_run);
        }
    }
}

/// The options of a table: which regions it wants to see.
#[derive(Debug, Clone, Copy, Default)]
struct TableOptions {
    first_row: bool,
    last_row: bool,
    first_column: bool,
    last_column: bool,
    row_bands: bool,
    column_bands: bool,
}

impl TableOptions {
    /// From `w:tblPr`. Without options there are bands and nothing else.
    fn read(properties: &[u8]) -> TableOptions {
        let mut look = TableOptions { row_bands: true, column_bands: true, ..TableOptions::default() };
        each_child(properties, |child| {
            if child.name != "tblLook" {
                return;
            }
            let bits = child.val().and_then(|value| u32::from_str_radix(&value, 16).ok()).unwrap_or(0);
            let said = |name: &str, bit: u32| match attribute(child.tag, name) {
                Some(value) => is_on(&value),
                None => bits & bit != 0,
            };
            look = TableOptions {
                first_row: said("firstRow", 0x20),
                last_row: said("lastRow", 0x40),
                first_column: said("firstColumn", 0x80),
                last_column: said("lastColumn", 0x100),
                row_bands: !said("noHBand", 0x200),
                column_bands: !said("noVBand", 0x400),
            };
        });
        look
    }
}

/// How a style cuts tables into regions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    /// Those it says something of; others make no difference.
    pub(crate) said: Regions,
    pub(crate) row_band: usize,
    pub(crate) column_band: usize,
}

/// The regions of each cell of a table, by the number of its box.
pub(crate) fn of_cells(part: &Part, table: u32, cut: Cut) -> HashMap<u32, Regions, Quick> {
    let mut found = HashMap::with_hasher(Quick);
    let Some(block) = part.bounds(table) else { return found };
    let look = TableOptions::read(&part.blob.slice(block.props.0 as usize..block.props.1 as usize));
    let mut rows: Vec<(u32, Vec<u32>)> = Vec::new();
    let inside = part.boxes.iter().enumerate().skip(table as usize + 1);
    for (at, inner) in inside.take_while(|(_, inner)| inner.start < block.end) {
        if part.table_owning(inner.parent) != Some(table) {
            continue;
        }
        match (inner.kind, rows.last_mut()) {
            (BoxKind::Row, _) => rows.push((at as u32, Vec::new())),
            (BoxKind::Cell, Some((_, cells))) => cells.push(at as u32),
            _ => {}
        }
    }
    // Rows that are repeated on each page as the header look like the first.
    let is_header = |row: u32| {
        let mut header = false;
        let props = part.bounds(row).map_or((0, 0), |row| row.props);
        each_child(&part.blob.slice(props.0 as usize..props.1 as usize), |child| {
            header |= child.name == "tblHeader" && child.on();
        });
        header
    };
    let headers = match rows.split_first() {
        Some(((first, _), rest)) if look.first_row => {
            let more = rest.iter().take_while(|(row, _)| is_header(*row));
            1 + if is_header(*first) { more.count() } else { 0 }
        }
        _ => 0,
    };
    let band = |number: usize, size: usize, odd: u16, even: u16| {
        if (number / size.max(1)).is_multiple_of(2) { odd } else { even }
    };
    for (number, (_, cells)) in rows.iter().enumerate() {
        let mut row = Regions::WHOLE;
        if number < headers {
            row |= Regions::FIRST_ROW;
        } else if look.last_row && number + 1 == rows.len() {
            row |= Regions::LAST_ROW;
        } else if look.row_bands {
            row |=
                band(number - headers, cut.row_band, Regions::BAND_1_HORIZONTAL, Regions::BAND_2_HORIZONTAL);
        }
        for (number, cell) in cells.iter().enumerate() {
            let mut all = row;
            if look.first_column && number == 0 {
                all |= Regions::FIRST_COLUMN;
            } else if look.last_column && number + 1 == cells.len() {
                all |= Regions::LAST_COLUMN;
            } else if look.column_bands {
                let number = number - usize::from(look.first_column);
                all |= band(number, cut.column_band, Regions::BAND_1_VERTICAL, Regions::BAND_2_VERTICAL);
            }
            for (meeting, corner) in Regions::CORNERS {
                if all & meeting == meeting {
                    all |= corner;
                }
            }
            found.insert(*cell, Regions(all).and(cut.said));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use edit::Format;

    use crate::testing::{document_with, p, r, rr};
    use crate::{Toggle, View, Word};

    fn region(kind: &str, inner: &str) -> String {
        format!("<w:tblStylePr w:type=\"{kind}\">{inner}</w:tblStylePr>")
    }

    fn bold(kind: &str) -> String {
        region(kind, "<w:rPr><w:b/></w:rPr>")
    }

    fn styles(inner: &str) -> String {
        format!(
            "<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"N\"><w:name w:val=\"Normal\"/></w:style>\
             <w:style w:type=\"paragraph\" w:styleId=\"B\"><w:rPr><w:b/></w:rPr></w:style>\
             <w:style w:type=\"table\" w:styleId=\"T\">{inner}</w:style>\
             <w:style w:type=\"table\" w:styleId=\"Heir\"><w:basedOn w:val=\"T\"/>{}</w:style>",
            region("firstRow", "<w:rPr><w:i/></w:rPr>")
        )
    }

    fn cell(inner: &str) -> String {
        format!("<w:tc><w:tcPr/>{inner}</w:tc>")
    }

    /// A table of single letters, with so many header rows.
    fn table(style: &str, look: &str, rows: &[&str], headers: usize) -> String {
        let mut xml = format!("<w:tbl><w:tblPr><w:tblStyle w:val=\"{style}\"/>{look}</w:tblPr><w:tblGrid/>");
        for (number, row) in rows.iter().enumerate() {
            let header = if number < headers { "<w:trPr><w:tblHeader/></w:trPr>" } else { "" };
            let cells: String = row.chars().map(|c| cell(&p(&r(&c.to_string())))).collect();
            xml += &format!("<w:tr>{header}{cells}</w:tr>");
        }
        xml + "</w:tbl>" + &p("")
    }

    fn look(value: &str) -> String {
        format!("<w:tblLook w:val=\"{value}\"/>")
    }

    fn view(body: &str, styles: &str) -> View {
        Word::view(&document_with(body, &[("styles", styles)])).expect("views")
    }

    /// The letters that are shown so.
    fn shown(view: &View, toggle: Toggle) -> String {
        let mut out = String::new();
        for place in view.body() {
            let resolved = view.resolved(place);
            let paragraph = view.paragraph(place).expect("reads");
            for run in &paragraph.runs {
                let own = run.properties.clone().map(|span| paragraph.bytes(span));
                let own = crate::RunProps::read(own.unwrap_or_default());
                if view.styles().run(&resolved, &own).is(toggle) {
                    out += &paragraph.text(crate::Side::Final).text;
                }
            }
        }
        out
    }

    fn bolds(inner: &str, options: &str, rows: &[&str], headers: usize) -> String {
        shown(&view(&table("T", options, rows, headers), &styles(inner)), Toggle::Bold)
    }

    const SQUARE: &[&str] = &["abc", "def", "ghi"];

    #[test]
    fn rows_and_columns_at_the_edges_are_bold_if_the_table_wants_it() {
        for (kind, option, said) in [
            ("firstRow", "0620", "abc"),
            ("lastRow", "0640", "ghi"),
            ("firstCol", "0680", "adg"),
            ("lastCol", "0700", "cfi"),
            ("nwCell", "06A0", "a"),
            ("neCell", "0720", "c"),
            ("swCell", "06C0", "g"),
            ("seCell", "0740", "i"),
            ("wholeTable", "0600", "abcdefghi"),
        ] {
            assert_eq!(bolds(&bold(kind), &look(option), SQUARE, 0), said, "{kind}");
            let none = if kind == "wholeTable" { said } else { "" };
            assert_eq!(bolds(&bold(kind), &look("0600"), SQUARE, 0), none, "{kind}");
        }
        let spelled = "<w:tblLook w:val=\"0000\" w:firstRow=\"1\" w:noHBand=\"1\" w:noVBand=\"true\"/>";
        assert_eq!(bolds(&bold("firstRow"), spelled, SQUARE, 0), "abc");
    }

    #[test]
    fn bands_are_counted_behind_the_header_in_their_own_size() {
        let rows = &["a", "b", "c", "d", "e", "f"];
        assert_eq!(bolds(&bold("band1Horz"), "", rows, 0), "ace");
        assert_eq!(bolds(&bold("band2Horz"), &look("0420"), rows, 0), "ce");
        assert_eq!(bolds(&bold("band1Horz"), &look("0620"), rows, 0), "");
        let double = format!("<w:tblPr><w:tblStyleRowBandSize w:val=\"2\"/></w:tblPr>{}", bold("band2Horz"));
        assert_eq!(bolds(&double, &look("0460"), rows, 0), "de");
        assert_eq!(bolds(&bold("band1Vert"), &look("0280"), &["abcde"], 0), "bd");
        let columns = format!("<w:tblPr><w:tblStyleColBandSize w:val=\"2\"/></w:tblPr>{}", bold("band2Vert"));
        assert_eq!(bolds(&columns, "", &["abcde"], 0), "cd");
    }

    #[test]
    fn every_row_of_a_repeated_header_looks_like_the_first() {
        assert_eq!(bolds(&bold("firstRow"), &look("0620"), SQUARE, 2), "abcdef");
        assert_eq!(bolds(&bold("band1Horz"), &look("0420"), &["a", "b", "c", "d"], 2), "c");
    }

    #[test]
    fn a_row_counts_more_than_a_column_and_a_corner_more_than_both() {
        let plain = |kind: &str| region(kind, "<w:rPr><w:b w:val=\"0\"/></w:rPr>");
        assert_eq!(bolds(&(bold("firstRow") + &plain("firstCol")), &look("06A0"), SQUARE, 0), "abc");
        assert_eq!(bolds(&(plain("firstRow") + &bold("firstCol")), &look("06A0"), SQUARE, 0), "dg");
        let corner = bold("nwCell") + &plain("firstRow") + &plain("firstCol");
        assert_eq!(bolds(&corner, &look("06A0"), SQUARE, 0), "a");
        assert_eq!(bolds(&(bold("band1Vert") + &plain("band1Horz")), "", &["abc"], 0), "ac");
    }

    #[test]
    fn an_heir_adds_to_what_its_ancestor_says_of_a_region() {
        let view = view(&table("Heir", &look("0620"), SQUARE, 0), &styles(&bold("firstRow")));
        assert_eq!((shown(&view, Toggle::Bold), shown(&view, Toggle::Italic)), ("abc".into(), "abc".into()));
    }

    #[test]
    fn the_paragraph_style_and_the_run_have_their_say_as_ever() {
        let cells = [
            p(&(String::from("<w:pPr><w:pStyle w:val=\"B\"/></w:pPr>") + &r("a"))),
            p(&rr("<w:b w:val=\"0\"/>", "b")),
            p(&r("c")),
        ];
        let row: String = cells.iter().map(|inner| cell(inner)).collect();
        let body = format!(
            "<w:tbl><w:tblPr><w:tblStyle w:val=\"T\"/>{}</w:tblPr><w:tr>{row}</w:tr></w:tbl>",
            look("0620")
        );
        // Bold twice is plain, as Word has it.
        assert_eq!(shown(&view(&(body + &p("")), &styles(&bold("firstRow"))), Toggle::Bold), "c");
    }

    #[test]
    fn a_table_inside_a_cell_has_its_own_first_row() {
        let inner = table("T", &look("0620"), &["x", "y"], 0);
        let body = format!(
            "<w:tbl><w:tblPr><w:tblStyle w:val=\"T\"/>{0}</w:tblPr><w:tr>{1}</w:tr><w:tr>{2}</w:tr></w:tbl>{3}",
            look("0620"),
            cell(&p(&r("a"))),
            cell(&inner),
            p("")
        );
        assert_eq!(shown(&view(&body, &styles(&bold("firstRow"))), Toggle::Bold), "ax");
    }

    #[test]
    fn looks_differ_where_the_regions_do() {
        let view = view(&table("T", &look("0620"), SQUARE, 0), &styles(&bold("firstRow")));
        let prints: Vec<_> = view.body().map(|place| view.fingerprint(place)).collect();
        assert_eq!(prints[0], prints[2]);
        assert_ne!(prints[0], prints[3]);
        assert_eq!(prints[3], prints[8]);
        // A region that is only coloured makes no difference.
        let shaded = region("firstRow", "<w:tcPr><w:shd w:fill=\"FF0000\"/></w:tcPr>");
        let view = self::view(&table("T", &look("0620"), SQUARE, 0), &styles(&shaded));
        let prints: Vec<_> = view.body().map(|place| view.fingerprint(place)).collect();
        assert_eq!(prints[0], prints[3]);
    }
}
