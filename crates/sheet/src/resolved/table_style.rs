//! Styles of tables: the sixty that Excel has built in, and those that a workbook defines.
//!
//! A style is a list of differences, one for each part of a table. They are laid over each other from the whole table
//! to the corners; a cell's own format goes over all of them.

use std::collections::BTreeMap;

use ooxml::xml::ns;

use super::look::{Difference, Line, LineStyle, LookFill};
use super::palette::{Palette, Rgb};
use crate::file::a1::{Area, CellRef};
use crate::file::styles::Styles;
use crate::file::workbook::{flag, number, same_name, string};
use crate::read::tables::Table;

/// Parts of a table, from the one that is overlaid by all others on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Whole,
    FirstColumnStripe,
    SecondColumnStripe,
    FirstRowStripe,
    SecondRowStripe,
    LastColumn,
    FirstColumn,
    Header,
    Total,
    FirstHeaderCell,
    LastHeaderCell,
    FirstTotalCell,
    LastTotalCell,
}

/// A table on a sheet with its style.
#[derive(Clone, Debug)]
pub(crate) struct StyledTable {
    area: Area,
    header_rows: u32,
    totals_rows: u32,
    parts: BTreeMap<Part, Difference>,
    /// How many rows or columns a stripe has, the first and the second.
    row_stripes: Option<(u32, u32)>,
    column_stripes: Option<(u32, u32)>,
    first_column: bool,
    last_column: bool,
}

impl StyledTable {
    pub(crate) fn new(table: &Table, styles: Option<&Styles>, palette: &Palette) -> Option<StyledTable> {
        let name = table.style.as_deref()?;
        let info = table.document.root().child(ns::S, "tableStyleInfo")?;
        let (parts, sizes) = styles
            .and_then(|styles| custom(styles, name, palette))
            .or_else(|| built_in(name, palette).map(|parts| (parts, BTreeMap::new())))?;
        let stripes = |switch: &str, first, second| {
            let size = |part| sizes.get(&part).copied().unwrap_or(1).max(1);
            flag(&info, switch, false).then(|| (size(first), size(second)))
        };
        Some(StyledTable {
            area: table.area,
            header_rows: table.header_rows,
            totals_rows: table.totals_rows,
            row_stripes: stripes("showRowStripes", Part::FirstRowStripe, Part::SecondRowStripe),
            column_stripes: stripes("showColumnStripes", Part::FirstColumnStripe, Part::SecondColumnStripe),
            first_column: flag(&info, "showFirstColumn", false),
            last_column: flag(&info, "showLastColumn", false),
            parts,
        })
    }

    pub(crate) fn contains(&self, at: CellRef) -> bool {
        self.area.contains(at)
    }

    /// What the table's style says of a cell.
    pub(crate) fn difference(&self, at: CellRef) -> Difference {
        let mut found = Difference::default();
        let area = self.area;
        let body = Area {
            top: (area.top + self.header_rows).min(area.bottom),
            bottom: area.bottom.saturating_sub(self.totals_rows),
            ..area
        };
        let header = self.header_rows > 0 && at.row < area.top + self.header_rows;
        let total = self.totals_rows > 0 && at.row > body.bottom;
        let rows = |top, bottom| Area { top, bottom, ..area };
        let columns = |left, right| Area { left, right, ..body };
        let mut places: Vec<(Part, Area)> = vec![(Part::Whole, area)];
        if !header && !total {
            if let Some(sizes) = self.column_stripes {
                let (second, from, to) = stripe(at.col - area.left, sizes);
                let part = if second { Part::SecondColumnStripe } else { Part::FirstColumnStripe };
                places.push((part, columns(area.left + from, (area.left + to).min(area.right))));
            }
            if let Some(sizes) = self.row_stripes {
                let (second, from, to) = stripe(at.row - body.top, sizes);
                let part = if second { Part::SecondRowStripe } else { Part::FirstRowStripe };
                places.push((part, rows(body.top + from, (body.top + to).min(body.bottom))));
            }
        }
        let (first, last) = (at.col == area.left, at.col == area.right);
        if self.last_column && last {
            places.push((Part::LastColumn, Area { left: area.right, ..area }));
        }
        if self.first_column && first {
            places.push((Part::FirstColumn, Area { right: area.left, ..area }));
        }
        if header {
            places.push((Part::Header, rows(area.top, area.top + self.header_rows - 1)));
        }
        if total {
            places.push((Part::Total, rows(body.bottom + 1, area.bottom)));
        }
        let corners = [
            (header && first && self.first_column, Part::FirstHeaderCell),
            (header && last && self.last_column, Part::LastHeaderCell),
            (total && first && self.first_column, Part::FirstTotalCell),
            (total && last && self.last_column, Part::LastTotalCell),
        ];
        places.extend(corners.into_iter().filter(|(on, _)| *on).map(|(_, part)| (part, Area::cell(at))));
        // The last that speaks wins, so they are asked from the end.
        for (part, place) in places.iter().rev() {
            if let Some(difference) = self.parts.get(part) {
                found.complete(&edges(difference, *place, at));
            }
        }
        found
    }
}

/// Whether a line is in the second stripe of its pair, and the stripe's first and last line.
fn stripe(line: u32, (first, second): (u32, u32)) -> (bool, u32, u32) {
    let pair = first + second;
    let start = line / pair * pair;
    match line % pair < first {
        true => (false, start, start + first - 1),
        false => (true, start + first, start + pair - 1),
    }
}

/// The lines around a part of a table are for the cells at its rim, those within for the others.
fn edges(difference: &Difference, place: Area, at: CellRef) -> Difference {
    let pick = |rim: bool, outer: Option<Line>, inner: Option<Line>| if rim { outer } else { inner };
    Difference {
        left: pick(at.col == place.left, difference.left, difference.vertical),
        right: pick(at.col == place.right, difference.right, difference.vertical),
        top: pick(at.row == place.top, difference.top, difference.horizontal),
        bottom: pick(at.row == place.bottom, difference.bottom, difference.horizontal),
        vertical: None,
        horizontal: None,
        ..difference.clone()
    }
}

type Custom = (BTreeMap<Part, Difference>, BTreeMap<Part, u32>);

fn custom(styles: &Styles, name: &str, palette: &Palette) -> Option<Custom> {
    let list = styles.document.root().child(ns::S, "tableStyles")?;
    let style = list.elements().find(|node| string(node, "name").is_some_and(|one| same_name(&one, name)))?;
    let (mut parts, mut sizes) = (BTreeMap::new(), BTreeMap::new());
    for element in style.elements().filter(|node| node.is(ns::S, "tableStyleElement")) {
        let part = match string(&element, "type").as_deref() {
            Some("wholeTable") => Part::Whole,
            Some("firstColumnStripe") => Part::FirstColumnStripe,
            Some("secondColumnStripe") => Part::SecondColumnStripe,
            Some("firstRowStripe") => Part::FirstRowStripe,
            Some("secondRowStripe") => Part::SecondRowStripe,
            Some("lastColumn") => Part::LastColumn,
            Some("firstColumn") => Part::FirstColumn,
            Some("headerRow") => Part::Header,
            Some("totalRow") => Part::Total,
            Some("firstHeaderCell") => Part::FirstHeaderCell,
            Some("lastHeaderCell") => Part::LastHeaderCell,
            Some("firstTotalCell") => Part::FirstTotalCell,
            Some("lastTotalCell") => Part::LastTotalCell,
            _ => continue,
        };
        if let Some(size) = number(&element, "size") {
            sizes.insert(part, size);
        }
        if let Some(dxf) = number(&element, "dxfId").and_then(|id| styles.node(&styles.differentials, id)) {
            parts.insert(part, Difference::read(&dxf, palette));
        }
    }
    Some((parts, sizes))
}

/// What a built-in style is made of. They come in rows of seven: one in black, one for each accent.
fn built_in(name: &str, palette: &Palette) -> Option<BTreeMap<Part, Difference>> {
    let (kind, count) = ["TableStyleLight", "TableStyleMedium", "TableStyleDark"]
        .iter()
        .find_map(|kind| Some((*kind, name.strip_prefix(kind)?.parse::<usize>().ok()?)))?;
    let index = count.checked_sub(1)?;
    let paint = Paint { palette, accent: index % 7 };
    Some(match (kind, index / 7) {
        ("TableStyleLight", 0) => paint.light_lines(),
        ("TableStyleLight", 1) => paint.light_frame(),
        ("TableStyleLight", 2) => paint.light_grid(),
        ("TableStyleMedium", 0) => paint.medium_lines(),
        ("TableStyleMedium", 1) => paint.medium_blocks(),
        ("TableStyleMedium", 2) => paint.medium_bars(),
        ("TableStyleMedium", 3) => paint.medium_grid(),
        ("TableStyleDark", 0) => paint.dark(),
        ("TableStyleDark", 1) if index < 11 => paint.dark_pairs(index - 7),
        _ => return None,
    })
}

struct Paint<'a> {
    palette: &'a Palette,
    /// 0 is black, 1 to 6 are the accents.
    accent: usize,
}

impl Paint<'_> {
    fn scheme(&self, name: &str) -> Rgb {
        self.palette.scheme(name).unwrap_or_default()
    }

    fn main(&self, tint: f64) -> Rgb {
        match self.accent {
            0 => self.scheme("dk1").tinted(tint),
            accent => self.palette.accent(accent - 1).tinted(tint),
        }
    }

    /// A light shade of the main colour; of black that is a darkened white.
    fn shade(&self, tint: f64, of_black: f64) -> Rgb {
        match self.accent {
            0 => self.scheme("lt1").tinted(of_black),
            _ => self.main(tint),
        }
    }

    fn bold(&self) -> Difference {
        Difference { bold: Some(true), color: Some(Some(self.scheme("dk1"))), ..Difference::default() }
    }

    /// Bold and white on a dark ground.
    fn block(&self, ground: Rgb) -> Difference {
        Difference {
            bold: Some(true),
            color: Some(Some(self.scheme("lt1"))),
            fill: Some(LookFill::Solid(ground)),
            ..Difference::default()
        }
    }

    fn ground(color: Rgb) -> Difference {
        Difference { fill: Some(LookFill::Solid(color)), ..Difference::default() }
    }

    fn plain(&self) -> Difference {
        Difference { color: Some(Some(self.scheme("dk1"))), ..Difference::default() }
    }

    fn parts(
        whole: Difference,
        header: Difference,
        total: Difference,
        column: &Difference,
        stripe: &Difference,
    ) -> BTreeMap<Part, Difference> {
        BTreeMap::from([
            (Part::Whole, whole),
            (Part::Header, header),
            (Part::Total, total),
            (Part::FirstColumn, column.clone()),
            (Part::LastColumn, column.clone()),
            (Part::FirstRowStripe, stripe.clone()),
            (Part::FirstColumnStripe, stripe.clone()),
        ])
    }

    fn light_lines(&self) -> BTreeMap<Part, Difference> {
        let ink = if self.accent == 0 { self.scheme("dk1") } else { self.main(-0.25) };
        let rule = Some(thin(self.main(0.0)));
        let bold = Difference { bold: Some(true), color: Some(Some(ink)), ..Difference::default() };
        Paint::parts(
            Difference { color: Some(Some(ink)), top: rule, bottom: rule, ..Difference::default() },
            Difference { bottom: rule, ..bold.clone() },
            Difference { top: rule, ..bold.clone() },
            &bold,
            &Paint::ground(self.shade(0.8, -0.15)),
        )
    }

    fn light_frame(&self) -> BTreeMap<Part, Difference> {
        let rule = Some(thin(self.main(0.0)));
        let mut parts = Paint::parts(
            Difference { left: rule, right: rule, top: rule, bottom: rule, ..self.plain() },
            self.block(self.main(0.0)),
            Difference { top: Some(double(self.main(0.0))), ..self.bold() },
            &self.bold(),
            &Difference { top: rule, bottom: rule, ..Difference::default() },
        );
        parts
            .insert(Part::FirstColumnStripe, Difference { left: rule, right: rule, ..Difference::default() });
        parts
    }

    fn light_grid(&self) -> BTreeMap<Part, Difference> {
        let rule = Some(thin(self.main(0.0)));
        Paint::parts(
            around(self.plain(), rule, rule),
            Difference { bottom: Some(medium(self.main(0.0))), ..self.bold() },
            Difference { top: Some(double(self.main(0.0))), ..self.bold() },
            &self.bold(),
            &Paint::ground(self.shade(0.8, -0.15)),
        )
    }

    fn medium_lines(&self) -> BTreeMap<Part, Difference> {
        let rule = Some(thin(if self.accent == 0 { self.main(0.0) } else { self.main(0.4) }));
        Paint::parts(
            Difference { vertical: None, ..around(self.plain(), rule, rule) },
            self.block(self.main(0.0)),
            Difference { top: Some(double(self.main(0.0))), ..self.bold() },
            &self.bold(),
            &Paint::ground(self.shade(0.8, -0.15)),
        )
    }

    fn medium_blocks(&self) -> BTreeMap<Part, Difference> {
        let white = self.scheme("lt1");
        let rule = Some(thin(white));
        let whole = Difference { fill: Some(LookFill::Solid(self.shade(0.8, -0.15))), ..self.plain() };
        let thick = Some(Line { style: LineStyle::Thick, color: white });
        Paint::parts(
            Difference { vertical: rule, horizontal: rule, ..whole },
            Difference { bottom: thick, ..self.block(self.main(0.0)) },
            Difference { top: thick, ..self.block(self.main(0.0)) },
            &self.block(self.main(0.0)),
            &Paint::ground(self.shade(0.6, -0.35)),
        )
    }

    fn medium_bars(&self) -> BTreeMap<Part, Difference> {
        let dark = self.scheme("dk1");
        let (rule, strong) = (Some(thin(dark)), Some(medium(dark)));
        let whole = Difference { top: strong, bottom: strong, ..self.plain() };
        let whole = match self.accent {
            0 => Difference { left: rule, right: rule, vertical: rule, horizontal: rule, ..whole },
            _ => whole,
        };
        Paint::parts(
            whole,
            Difference { bottom: strong, ..self.block(self.main(0.0)) },
            Difference { top: Some(double(dark)), ..Difference::default() },
            &self.block(self.main(0.0)),
            &Paint::ground(self.scheme("lt1").tinted(-0.15)),
        )
    }

    fn medium_grid(&self) -> BTreeMap<Part, Difference> {
        let rule = Some(thin(if self.accent == 0 { self.main(0.0) } else { self.main(0.4) }));
        let whole = Difference { fill: Some(LookFill::Solid(self.shade(0.8, -0.15))), ..self.plain() };
        Paint::parts(
            around(whole, rule, rule),
            self.bold(),
            Difference { top: Some(medium(self.main(0.0))), ..self.bold() },
            &self.bold(),
            &Paint::ground(self.shade(0.6, -0.35)),
        )
    }

    fn dark(&self) -> BTreeMap<Part, Difference> {
        let white = self.scheme("lt1");
        let strong = Some(medium(white));
        let (whole, stripe, total) = match self.accent {
            0 => (self.main(0.45), self.main(0.25), self.main(0.15)),
            _ => (self.main(0.0), self.main(-0.25), self.main(-0.5)),
        };
        let column = self.block(stripe);
        let mut parts = Paint::parts(
            Difference { color: Some(Some(white)), ..Paint::ground(whole) },
            Difference { bottom: strong, ..self.block(self.scheme("dk1")) },
            Difference { top: strong, ..self.block(total) },
            &column,
            &Paint::ground(stripe),
        );
        parts.insert(Part::FirstColumn, Difference { right: strong, ..column.clone() });
        parts.insert(Part::LastColumn, Difference { left: strong, ..column });
        parts
    }

    /// The last four: the cells in one accent, the header in the next.
    fn dark_pairs(&self, pair: usize) -> BTreeMap<Part, Difference> {
        let (light, middle, head) = match pair {
            0 => {
                let white = self.scheme("lt1");
                (white.tinted(-0.15), white.tinted(-0.35), self.scheme("dk1"))
            }
            pair => {
                let accent = self.palette.accent(pair * 2 - 2);
                (accent.tinted(0.8), accent.tinted(0.6), self.palette.accent(pair * 2 - 1))
            }
        };
        let header = Difference { bold: None, ..self.block(head) };
        Paint::parts(
            Difference { fill: Some(LookFill::Solid(light)), ..self.plain() },
            header,
            Difference { top: Some(double(self.scheme("dk1"))), ..self.bold() },
            &self.bold(),
            &Paint::ground(middle),
        )
    }
}

fn around(base: Difference, outer: Option<Line>, inner: Option<Line>) -> Difference {
    Difference {
        left: outer,
        right: outer,
        top: outer,
        bottom: outer,
        vertical: inner,
        horizontal: inner,
        ..base
    }
}

fn thin(color: Rgb) -> Line {
    Line { style: LineStyle::Thin, color }
}

fn medium(color: Rgb) -> Line {
    Line { style: LineStyle::Medium, color }
}

fn double(color: Rgb) -> Line {
    Line { style: LineStyle::Double, color }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_style_is_there() {
        let palette = Palette::default();
        for (kind, count) in [("Light", 21), ("Medium", 28), ("Dark", 11)] {
            for index in 1..=count {
                let name = format!("TableStyle{kind}{index}");
                assert!(built_in(&name, &palette).is_some(), "{name}");
            }
            assert!(built_in(&format!("TableStyle{kind}{}", count + 1), &palette).is_none());
        }
    }

    #[test]
    fn stripes_count_in_pairs() {
        assert_eq!(stripe(0, (1, 1)), (false, 0, 0));
        assert_eq!(stripe(1, (1, 1)), (true, 1, 1));
        assert_eq!(stripe(5, (2, 3)), (false, 5, 6));
        assert_eq!(stripe(4, (2, 3)), (true, 2, 4));
    }
}
