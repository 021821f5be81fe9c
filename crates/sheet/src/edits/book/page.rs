//! How a sheet is printed.

use edit::{Patch, Planned, Refusal};
use ooxml::xml::{Node, escape_text, ns};
use serde::{Deserialize, Serialize};

use crate::calc::view::View;
use crate::edits::book::sheet_edit::{put_property, sheet_area};
use crate::edits::input::Outcome;
use crate::edits::objects::attached::{self, Stage};
use crate::file::a1::Area;
use crate::file::workbook::{decimal, flag, number, string};
use crate::file::xml_edit::{WORKSHEET_ORDER, Xml};
use crate::read::sheet_view::SheetView;

/// A sheet on paper.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Page {
    pub landscape: bool,
    /// The number Windows has for a paper: 1 for Letter, 9 for A4.
    pub paper: Option<u32>,
    /// Per cent.
    pub scale: Option<u32>,
    /// Pages across and down that it is made to fit; zero for as many as it takes.
    pub fit: Option<(u32, u32)>,
    pub margins: Option<Margins>,
    pub center_horizontally: bool,
    pub center_vertically: bool,
    pub gridlines: bool,
    pub headings: bool,
    /// With Excel's codes: `&L`, `&C` and `&R` for the three places, `&P` for the page.
    pub header: Option<String>,
    pub footer: Option<String>,
    pub areas: Vec<Area>,
    /// Rows and columns that are printed on every page.
    pub titles: Vec<Area>,
}

/// In inches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Margins {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    pub header: f64,
    pub footer: f64,
}

/// A change of how a sheet is printed; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PageChange {
    pub landscape: Option<bool>,
    pub paper: Option<u32>,
    /// Per cent, 10 to 400; takes a fit off.
    pub scale: Option<u32>,
    /// Pages across and down; zero for as many as it takes.
    pub fit: Option<(u32, u32)>,
    pub margins: Option<Margins>,
    pub center_horizontally: Option<bool>,
    pub center_vertically: Option<bool>,
    pub gridlines: Option<bool>,
    pub headings: Option<bool>,
    /// Empty for none.
    pub header: Option<String>,
    pub footer: Option<String>,
    /// Empty for the whole sheet.
    pub areas: Option<Vec<Area>>,
    /// Whole rows, whole columns or both; empty for none.
    pub titles: Option<Vec<Area>>,
}

impl SheetView<'_> {
    pub fn page(&self) -> Page {
        let child = |name: &str| self.root().child(ns::S, name);
        let setup = child("pageSetup");
        let options = child("printOptions");
        let text = |name: &str| {
            let node = child("headerFooter")?.child(ns::S, name)?;
            Some(node.text().into_owned()).filter(|text| !text.is_empty())
        };
        let fits = child("sheetPr").and_then(|node| node.child(ns::S, "pageSetUpPr"));
        let fits = fits.is_some_and(|node| flag(&node, "fitToPage", false));
        let pages = |name| setup.and_then(|node| number(&node, name)).unwrap_or(1);
        let on = |name| options.is_some_and(|node| flag(&node, name, false));
        Page {
            landscape: setup.and_then(|node| string(&node, "orientation")).as_deref() == Some("landscape"),
            paper: setup.and_then(|node| number(&node, "paperSize")),
            scale: setup.and_then(|node| number(&node, "scale")),
            fit: fits.then(|| (pages("fitToWidth"), pages("fitToHeight"))),
            margins: child("pageMargins").map(|node| {
                let side = |name| decimal(&node, name).unwrap_or(0.0);
                Margins {
                    left: side("left"),
                    right: side("right"),
                    top: side("top"),
                    bottom: side("bottom"),
                    header: side("header"),
                    footer: side("footer"),
                }
            }),
            center_horizontally: on("horizontalCentered"),
            center_vertically: on("verticalCentered"),
            gridlines: on("gridLines"),
            headings: on("headings"),
            header: text("oddHeader"),
            footer: text("oddFooter"),
            areas: self.named_areas("_xlnm.Print_Area"),
            titles: self.named_areas("_xlnm.Print_Titles"),
        }
    }

    fn named_areas(&self, name: &str) -> Vec<Area> {
        let names = self.book.workbook.names.iter();
        let own = names.filter(|n| n.name.eq_ignore_ascii_case(name) && n.scope == Some(self.position));
        own.flat_map(|name| {
            name.formula.split(',').filter_map(|one| one.rsplit('!').next()?.parse().ok()).collect::<Vec<_>>()
        })
        .collect()
    }
}

pub(crate) fn set_page(view: &View, name: &str, change: &PageChange) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    check(change)?;
    let xml = Xml::frame(sheet.worksheet);
    let prefix = &sheet.worksheet.spelling().prefix;
    let mut patch = Patch::new();
    let bit = |flag: bool| if flag { "1" } else { "0" }.to_owned();
    let mut options: Vec<(&str, String)> = Vec::new();
    options.extend(change.center_horizontally.map(|on| ("horizontalCentered", bit(on))));
    options.extend(change.center_vertically.map(|on| ("verticalCentered", bit(on))));
    options.extend(change.headings.map(|on| ("headings", bit(on))));
    options.extend(change.gridlines.map(|on| ("gridLines", bit(on))));
    xml.set_on_child(&mut patch, WORKSHEET_ORDER, "printOptions", &options)?;
    if let Some(margins) = &change.margins {
        let sides = [
            ("left", margins.left),
            ("right", margins.right),
            ("top", margins.top),
            ("bottom", margins.bottom),
            ("header", margins.header),
            ("footer", margins.footer),
        ];
        let sides: Vec<(&str, String)> = sides.iter().map(|(name, size)| (*name, size.to_string())).collect();
        xml.set_on_child(&mut patch, WORKSHEET_ORDER, "pageMargins", &sides)?;
    }
    let mut setup: Vec<(&str, String)> = Vec::new();
    setup.extend(change.paper.map(|paper| ("paperSize", paper.to_string())));
    setup.extend(change.scale.map(|scale| ("scale", scale.to_string())));
    if let Some((width, height)) = change.fit {
        setup.push(("fitToWidth", width.to_string()));
        setup.push(("fitToHeight", height.to_string()));
    }
    setup.extend(
        change.landscape.map(|on| ("orientation", if on { "landscape" } else { "portrait" }.to_owned())),
    );
    xml.set_on_child(&mut patch, WORKSHEET_ORDER, "pageSetup", &setup)?;
    if change.fit.is_some() || change.scale.is_some() {
        fit(&xml, &mut patch, change.fit.is_some(), prefix)?;
    }
    header_footer(&xml, &mut patch, change, prefix)?;
    let mut stage = Stage::new(view);
    stage.then(&patch)?;
    let own = sheet.name().to_owned();
    for (name, areas) in [("_xlnm.Print_Area", &change.areas), ("_xlnm.Print_Titles", &change.titles)] {
        let Some(areas) = areas else { continue };
        let mut areas = areas.clone();
        // Excel wants the columns of titles before their rows.
        if name == "_xlnm.Print_Titles" {
            areas.sort_by_key(Area::is_whole_rows);
        }
        let formula: Vec<String> = areas.iter().map(|area| sheet_area(&own, area)).collect();
        let formula = (!formula.is_empty()).then(|| formula.join(","));
        let patch = crate::edits::book::names::built_in(stage.view(), name, sheet.position, formula)?;
        stage.then(&patch)?;
    }
    Ok(attached::planned(&sheet, stage.patch(), format!("Set up the page of {own}"), Vec::new()))
}

fn check(change: &PageChange) -> Result<(), Refusal> {
    if let Some(found) = change.scale.filter(|scale| !(10..=400).contains(scale)) {
        return Err(Refusal::invalid("scale", found, "10 to 400 per cent"));
    }
    if change.scale.is_some() && change.fit.is_some() {
        return Err(Refusal::invalid("scale", "a scale and a fit", "one of them"));
    }
    if let Some((width, height)) = change.fit.filter(|(width, height)| (*width).max(*height) > 32_767) {
        return Err(Refusal::invalid("fit", format!("{width} by {height}"), "up to 32767 pages"));
    }
    if let Some(found) = change.paper.filter(|paper| *paper == 0 || *paper > 118) {
        return Err(Refusal::invalid("paper", found, "1 to 118, such as 1 for Letter and 9 for A4"));
    }
    if let Some(m) = &change.margins {
        let sides = [m.left, m.right, m.top, m.bottom, m.header, m.footer];
        if let Some(found) = sides.iter().find(|side| !(0.0..49.0).contains(*side)) {
            return Err(Refusal::invalid("margins", found, "0 to 49 inches"));
        }
    }
    for (field, text) in [("header", &change.header), ("footer", &change.footer)] {
        let found = text.as_deref().map_or(0, |text| text.encode_utf16().count());
        if found > 255 {
            return Err(crate::edits::entry::over("TEXT_TOO_LONG", field, found, 255));
        }
    }
    let mut titles = change.titles.iter().flatten();
    if let Some(area) = titles.find(|area| !area.is_whole_rows() && !area.is_whole_columns()) {
        return Err(Refusal::invalid("titles", area, "whole rows such as 1:2 or whole columns such as A:B"));
    }
    Ok(())
}

fn fit(xml: &Xml<'_>, patch: &mut Patch, on: bool, prefix: &str) -> Result<(), Refusal> {
    let known = xml.root().child(ns::S, "sheetPr").and_then(|node| node.child(ns::S, "pageSetUpPr"));
    let value = if on { "1" } else { "0" };
    match known {
        Some(node) => xml.set_attribute(patch, &node, "fitToPage", value),
        None if !on => Ok(()),
        None => {
            let markup = format!("<{prefix}pageSetUpPr fitToPage=\"1\"/>");
            put_property(xml, patch, "pageSetUpPr", &markup, prefix)
        }
    }
}

fn header_footer(xml: &Xml<'_>, patch: &mut Patch, change: &PageChange, prefix: &str) -> Result<(), Refusal> {
    const ORDER: &[&str] =
        &["oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter"];
    let wanted = [("oddHeader", &change.header), ("oddFooter", &change.footer)];
    let element = |name: &str, text: &str| format!("<{prefix}{name}>{}</{prefix}{name}>", escape_text(text));
    let Some(node) = xml.root().child(ns::S, "headerFooter") else {
        let inside: String = wanted
            .iter()
            .filter_map(|(name, text)| {
                text.as_deref().filter(|text| !text.is_empty()).map(|text| element(name, text))
            })
            .collect();
        if inside.is_empty() {
            return Ok(());
        }
        let whole = format!("<{prefix}headerFooter>{inside}</{prefix}headerFooter>");
        return xml.insert(patch, WORKSHEET_ORDER, "headerFooter", &whole);
    };
    let rank = |name: &str| ORDER.iter().position(|known| *known == name);
    let mut fresh: Vec<(Option<Node<'_>>, String)> = Vec::new();
    for (name, text) in wanted {
        let Some(text) = text.as_deref() else { continue };
        match (node.child(ns::S, name), text.is_empty()) {
            (Some(known), true) => xml.remove(patch, &known)?,
            (Some(known), false) => xml.splice(patch, known.span(), element(name, text))?,
            (None, true) => {}
            (None, false) => {
                let later = node.elements().find(|node| rank(node.name().local) > rank(name));
                fresh.push((later, element(name, text)));
            }
        }
    }
    // What goes to the end goes there in one piece.
    let tail: String =
        fresh.iter().filter(|(later, _)| later.is_none()).map(|(_, text)| text.as_str()).collect();
    for (later, markup) in &fresh {
        if let Some(later) = later {
            let at = later.span().start;
            xml.splice(patch, at..at, markup.clone())?;
        }
    }
    if tail.is_empty() { Ok(()) } else { xml.append(patch, &node, &tail) }
}
