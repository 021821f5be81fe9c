//! The table styles that Word has in seven colours each: fourteen designs of grids and lists, and the plain ones.
//!
//! A design is written once, in tones of a colour; the colour follows the document's theme where it has one. Borders
//! are noted as `top:single:4:99`: the side, the kind, eighths of a point, and the tone.

use edit::OrEmpty;

use std::fmt::Write as _;

/// A built-in table style: its name as the file spells it, where lists show it, and what it says.
pub(super) struct Design {
    pub(super) name: String,
    pub(super) priority: u8,
    family: Family,
    number: u8,
    /// 0 is black, the others are accents of the theme.
    accent: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Plain,
    Grid,
    List,
}

const GRIDS: [&str; 7] = ["1 Light", "2", "3", "4", "5 Dark", "6 Colorful", "7 Colorful"];

/// All of them, in the order in which Word shows them.
pub(super) fn all() -> impl Iterator<Item = Design> {
    let plain = (2..=5).map(|number| Design {
        name: format!("Plain Table {number}"),
        priority: 40 + number,
        family: Family::Plain,
        number,
        accent: 0,
    });
    let coloured = [(Family::Grid, "Grid"), (Family::List, "List")].into_iter().flat_map(|(family, word)| {
        (0..7).flat_map(move |accent| {
            GRIDS.iter().zip(1..).map(move |(kind, number)| {
                let colour = if accent == 0 { String::new() } else { format!(" Accent {accent}") };
                let name = format!("{word} Table {kind}{colour}");
                Design { name, priority: 45 + number, family, number, accent }
            })
        })
    });
    plain.chain(coloured)
}

/// Colours of the current theme, which programs without themes show: full, lighter in three steps, darker.
const COLOURS: [[&str; 5]; 7] = [
    ["000000", "666666", "999999", "CCCCCC", "000000"],
    ["156082", "45B0E1", "83CAEB", "C1E4F5", "0F4761"],
    ["E97132", "F1A983", "F6C5AC", "FAE2D5", "BF4E14"],
    ["196B24", "47D459", "84E290", "C1F0C7", "124F1A"],
    ["0F9ED5", "60CAF3", "95DCF7", "CAEDFB", "0B769F"],
    ["A02B93", "D86DCB", "E59EDC", "F2CEED", "77206D"],
    ["4EA72E", "8DD873", "B3E5A1", "D9F2D0", "3A7C22"],
];

const TIGHT: &str = "<w:pPr><w:spacing w:after=\"0\" w:line=\"240\" w:lineRule=\"auto\"/></w:pPr>";
const BOLD: &str = "<w:b/><w:bCs/>";
const ITALIC: &str = "<w:i/><w:iCs/>";
const LARGE: &str = "<w:i/><w:iCs/><w:sz w:val=\"26\"/><w:szCs w:val=\"26\"/>";

/// A part of a table that is formatted apart.
struct Part {
    on: &'static str,
    run: &'static str,
    /// The tone of the text.
    ink: &'static str,
    right: bool,
    borders: &'static str,
    shade: &'static str,
}

const fn part(on: &'static str, run: &'static str, borders: &'static str, shade: &'static str) -> Part {
    Part { on, run, ink: "", right: false, borders, shade }
}

const fn inked(on: &'static str, run: &'static str, borders: &'static str, shade: &'static str) -> Part {
    Part { on, run, ink: "white", right: false, borders, shade }
}

const fn right(on: &'static str, run: &'static str, borders: &'static str, shade: &'static str) -> Part {
    Part { on, run, ink: "", right: true, borders, shade }
}

/// What the whole table has: the tone of its text, its borders and the shade of its cells.
struct Whole {
    ink: &'static str,
    borders: &'static str,
    shade: &'static str,
}

const ALL_99: &str = "top:single:4:99 left:single:4:99 bottom:single:4:99 right:single:4:99 insideH:single:4:99 insideV:single:4:99";
const FRAME: &str = "top:single:4:full left:single:4:full bottom:single:4:full right:single:4:full";
const BANDS_33: [Part; 2] = [part("band1Vert", "", "", "33"), part("band1Horz", "", "", "33")];

impl Design {
    /// Everything behind the facts about the style, as written.
    pub(super) fn body(&self) -> String {
        let (whole, parts) = match (self.family, self.number) {
            (Family::Plain, number) => plain(number),
            (Family::Grid, number) => grid(number),
            (Family::List, number) => list(number),
        };
        let mut body = TIGHT.to_owned();
        if !whole.ink.is_empty() {
            let _ = write!(body, "<w:rPr><w:color {}/></w:rPr>", self.colour("val", whole.ink));
        }
        body.push_str("<w:tblPr><w:tblStyleRowBandSize w:val=\"1\"/><w:tblStyleColBandSize w:val=\"1\"/>");
        body.push_str("<w:tblInd w:w=\"0\" w:type=\"dxa\"/>");
        body.push_str(&self.borders("tblBorders", whole.borders));
        body.push_str("<w:tblCellMar><w:top w:w=\"0\" w:type=\"dxa\"/><w:left w:w=\"108\" w:type=\"dxa\"/><w:bottom w:w=\"0\" w:type=\"dxa\"/><w:right w:w=\"108\" w:type=\"dxa\"/></w:tblCellMar></w:tblPr>");
        if !whole.shade.is_empty() {
            let _ = write!(body, "<w:tcPr>{}</w:tcPr>", self.shade(whole.shade));
        }
        for part in &parts {
            body.push_str(&self.part(part));
        }
        body
    }

    fn part(&self, part: &Part) -> String {
        let mut inner = String::new();
        if part.right {
            inner.push_str("<w:pPr><w:jc w:val=\"right\"/></w:pPr>");
        }
        // The schema has the colour between the letter forms and the size.
        let ink = match part.ink {
            "" => String::new(),
            tone => format!("<w:color {}/>", self.colour("val", tone)),
        };
        let run = format!("{}{ink}", part.run);
        if !run.is_empty() {
            let _ = write!(inner, "<w:rPr>{run}</w:rPr>");
        }
        let cell = format!("{}{}", self.borders("tcBorders", part.borders), self.shade(part.shade));
        if !cell.is_empty() {
            let _ = write!(inner, "<w:tcPr>{cell}</w:tcPr>");
        }
        format!("<w:tblStylePr w:type=\"{}\">{inner}</w:tblStylePr>", part.on)
    }

    fn borders(&self, element: &str, noted: &str) -> String {
        if noted.is_empty() {
            return String::new();
        }
        let mut inner = String::new();
        for border in noted.split(' ') {
            let mut facts = border.split(':');
            let (side, kind) = (facts.next().or_empty(), facts.next().or_empty());
            let _ = match (facts.next(), facts.next()) {
                (Some(size), Some(tone)) => write!(
                    inner,
                    "<w:{side} w:val=\"{kind}\" w:sz=\"{size}\" w:space=\"0\" {}/>",
                    self.colour("color", tone)
                ),
                _ => write!(inner, "<w:{side} w:val=\"{kind}\"/>"),
            };
        }
        format!("<w:{element}>{inner}</w:{element}>")
    }

    fn shade(&self, tone: &str) -> String {
        match tone {
            "" => String::new(),
            tone => {
                let colour =
                    self.colour("fill", tone).replace("w:theme", "w:themeFill").replace("FillColor", "Fill");
                format!("<w:shd w:val=\"clear\" w:color=\"auto\" {colour}/>")
            }
        }
    }

    /// `w:val="45B0E1" w:themeColor="accent1" w:themeTint="99"`.
    fn colour(&self, attribute: &str, tone: &str) -> String {
        let [full, t99, t66, t33, dark] =
            COLOURS.get(usize::from(self.accent)).copied().unwrap_or(COLOURS[0]);
        let own = match self.accent {
            0 => "text1".to_owned(),
            accent => format!("accent{accent}"),
        };
        let (hex, theme, step) = match tone {
            "full" => (full, own, String::new()),
            "99" => (t99, own, " w:themeTint=\"99\"".to_owned()),
            "66" => (t66, own, " w:themeTint=\"66\"".to_owned()),
            "33" => (t33, own, " w:themeTint=\"33\"".to_owned()),
            // Black does not get darker.
            "dark" if self.accent == 0 => (full, own, String::new()),
            "dark" => (dark, own, " w:themeShade=\"BF\"".to_owned()),
            "half" => ("7F7F7F", "text1".to_owned(), " w:themeTint=\"80\"".to_owned()),
            "pale" => ("F2F2F2", "background1".to_owned(), " w:themeShade=\"F2\"".to_owned()),
            _ => ("FFFFFF", "background1".to_owned(), String::new()),
        };
        format!("w:{attribute}=\"{hex}\" w:themeColor=\"{theme}\"{step}")
    }
}

fn bold_columns() -> [Part; 2] {
    [part("firstCol", BOLD, "", ""), part("lastCol", BOLD, "", "")]
}

fn plain(number: u8) -> (Whole, Vec<Part>) {
    let pale = || [part("band1Vert", "", "", "pale"), part("band1Horz", "", "", "pale")];
    let mut parts = match number {
        2 => vec![
            part("firstRow", BOLD, "bottom:single:4:half", ""),
            part("lastRow", BOLD, "top:single:4:half", ""),
        ],
        3 => vec![
            part("firstRow", "<w:b/><w:bCs/><w:caps/>", "bottom:single:4:half", ""),
            part("lastRow", "<w:b/><w:bCs/><w:caps/>", "top:nil", ""),
            part("firstCol", "<w:b/><w:bCs/><w:caps/>", "right:single:4:half", ""),
            part("lastCol", "<w:b/><w:bCs/><w:caps/>", "left:nil", ""),
        ],
        4 => vec![part("firstRow", BOLD, "", ""), part("lastRow", BOLD, "", "")],
        _ => vec![
            part("firstRow", LARGE, "bottom:single:4:half", "white"),
            part("lastRow", LARGE, "top:single:4:half", "white"),
            right("firstCol", LARGE, "right:single:4:half", "white"),
            part("lastCol", LARGE, "left:single:4:half", "white"),
        ],
    };
    let mut borders = "";
    match number {
        2 => {
            borders = "top:single:4:half bottom:single:4:half";
            parts.extend(bold_columns());
            parts.push(part("band1Vert", "", "left:single:4:half right:single:4:half", ""));
            parts.push(part("band1Horz", "", "top:single:4:half bottom:single:4:half", ""));
        }
        4 => {
            parts.extend(bold_columns());
            parts.extend(pale());
        }
        _ => parts.extend(pale()),
    }
    (Whole { ink: "", borders, shade: "" }, parts)
}

/// The fifth grid: white lines between filled cells.
fn dark_grid() -> (Whole, Vec<Part>) {
    let parts = vec![
        inked(
            "firstRow",
            BOLD,
            "top:single:4:white left:single:4:white right:single:4:white insideH:nil insideV:nil",
            "full",
        ),
        inked(
            "lastRow",
            BOLD,
            "left:single:4:white bottom:single:4:white right:single:4:white insideH:nil insideV:nil",
            "full",
        ),
        inked(
            "firstCol",
            BOLD,
            "top:single:4:white left:single:4:white bottom:single:4:white insideV:nil",
            "full",
        ),
        inked(
            "lastCol",
            BOLD,
            "top:single:4:white bottom:single:4:white right:single:4:white insideV:nil",
            "full",
        ),
        part("band1Vert", "", "", "66"),
        part("band1Horz", "", "", "66"),
    ];
    let borders = "top:single:4:white left:single:4:white bottom:single:4:white right:single:4:white insideH:single:4:white insideV:single:4:white";
    (Whole { ink: "", borders, shade: "33" }, parts)
}

fn grid(number: u8) -> (Whole, Vec<Part>) {
    if number == 5 {
        return dark_grid();
    }
    let whole = |ink, borders, shade| Whole { ink, borders, shade };
    let mut parts = Vec::new();
    let coloured = if number > 5 { "dark" } else { "" };
    let all = match number {
        1 => {
            parts.push(part("firstRow", BOLD, "bottom:single:12:99", ""));
            parts.push(part("lastRow", BOLD, "top:double:2:99", ""));
            parts.extend(bold_columns());
            return (
                whole(
                    "",
                    "top:single:4:66 left:single:4:66 bottom:single:4:66 right:single:4:66 insideH:single:4:66 insideV:single:4:66",
                    "",
                ),
                parts,
            );
        }
        2 => {
            parts.push(part(
                "firstRow",
                BOLD,
                "top:nil bottom:single:12:99 insideH:nil insideV:nil",
                "white",
            ));
            parts.push(part("lastRow", BOLD, "top:double:2:99 bottom:nil insideH:nil insideV:nil", "white"));
            parts.extend(bold_columns());
            whole("", "top:single:2:99 bottom:single:2:99 insideH:single:2:99 insideV:single:2:99", "")
        }
        3 | 7 => {
            parts.push(part("firstRow", BOLD, "top:nil left:nil right:nil insideH:nil insideV:nil", "white"));
            parts.push(part(
                "lastRow",
                BOLD,
                "left:nil bottom:nil right:nil insideH:nil insideV:nil",
                "white",
            ));
            parts.push(right(
                "firstCol",
                ITALIC,
                "top:nil left:nil bottom:nil insideH:nil insideV:nil",
                "white",
            ));
            parts.push(part(
                "lastCol",
                ITALIC,
                "top:nil bottom:nil right:nil insideH:nil insideV:nil",
                "white",
            ));
            whole(coloured, ALL_99, "")
        }
        4 => {
            parts.push(inked("firstRow", BOLD, "top:single:4:full left:single:4:full bottom:single:4:full right:single:4:full insideH:nil insideV:nil", "full"));
            parts.push(part("lastRow", BOLD, "top:double:4:full", ""));
            parts.extend(bold_columns());
            whole("", ALL_99, "")
        }
        _ => {
            parts.push(part("firstRow", BOLD, "bottom:single:12:99", ""));
            parts.push(part("lastRow", BOLD, "top:double:4:99", ""));
            parts.extend(bold_columns());
            whole(coloured, ALL_99, "")
        }
    };
    parts.extend(BANDS_33);
    if matches!(number, 3 | 7) {
        parts.push(part("neCell", "", "bottom:single:4:99", ""));
        parts.push(part("nwCell", "", "bottom:single:4:99", ""));
        parts.push(part("seCell", "", "top:single:4:99", ""));
        parts.push(part("swCell", "", "top:single:4:99", ""));
    }
    (all, parts)
}

fn list(number: u8) -> (Whole, Vec<Part>) {
    let whole = |ink, borders, shade| Whole { ink, borders, shade };
    let mut parts = Vec::new();
    let all = match number {
        1 => {
            parts.push(part("firstRow", BOLD, "bottom:single:4:99", ""));
            parts.push(part("lastRow", BOLD, "top:single:4:99", ""));
            parts.extend(bold_columns());
            whole("", "", "")
        }
        2 => {
            parts.push(part("firstRow", BOLD, "", ""));
            parts.push(part("lastRow", BOLD, "", ""));
            parts.extend(bold_columns());
            whole("", "top:single:4:99 bottom:single:4:99 insideH:single:4:99", "")
        }
        3 => {
            parts.push(inked("firstRow", BOLD, "", "full"));
            parts.push(part("lastRow", BOLD, "top:double:4:full", "white"));
            parts.push(part("firstCol", BOLD, "right:nil", "white"));
            parts.push(part("lastCol", BOLD, "left:nil", "white"));
            parts.push(part("band1Vert", "", "left:single:4:full right:single:4:full", ""));
            parts.push(part("band1Horz", "", "top:single:4:full bottom:single:4:full insideH:nil", ""));
            parts.push(part("neCell", "", "left:single:4:full bottom:nil", ""));
            parts.push(part("nwCell", "", "bottom:nil right:single:4:full", ""));
            parts.push(part("seCell", "", "top:double:4:full left:nil", ""));
            parts.push(part("swCell", "", "top:double:4:full right:nil", ""));
            return (whole("", FRAME, ""), parts);
        }
        4 => {
            parts.push(inked(
                "firstRow",
                BOLD,
                "top:single:4:full left:single:4:full bottom:single:4:full right:single:4:full insideH:nil",
                "full",
            ));
            parts.push(part("lastRow", BOLD, "top:double:4:99", ""));
            parts.extend(bold_columns());
            whole(
                "",
                "top:single:4:99 left:single:4:99 bottom:single:4:99 right:single:4:99 insideH:single:4:99",
                "",
            )
        }
        5 => {
            parts.push(part("firstRow", BOLD, "bottom:single:18:white", ""));
            parts.push(part("lastRow", BOLD, "top:single:4:white", ""));
            parts.push(part("firstCol", BOLD, "right:single:4:white", ""));
            parts.push(part("lastCol", BOLD, "left:single:4:white", ""));
            parts.push(part("band1Vert", "", "left:single:4:white right:single:4:white", ""));
            parts.push(part("band1Horz", "", "top:single:4:white bottom:single:4:white", ""));
            return (
                whole(
                    "white",
                    "top:single:24:full left:single:24:full bottom:single:24:full right:single:24:full",
                    "full",
                ),
                parts,
            );
        }
        6 => {
            parts.push(part("firstRow", BOLD, "bottom:single:4:full", ""));
            parts.push(part("lastRow", BOLD, "top:double:4:full", ""));
            parts.extend(bold_columns());
            whole("dark", "top:single:4:full bottom:single:4:full", "")
        }
        _ => {
            parts.push(part("firstRow", LARGE, "bottom:single:4:full", "white"));
            parts.push(part("lastRow", LARGE, "top:single:4:full", "white"));
            parts.push(right("firstCol", LARGE, "right:single:4:full", "white"));
            parts.push(part("lastCol", LARGE, "left:single:4:full", "white"));
            whole("dark", "", "")
        }
    };
    parts.extend(BANDS_33);
    (all, parts)
}
