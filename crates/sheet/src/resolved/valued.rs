//! Formulas that the file has no value for, as programs write them that do not calculate: whoever reads them, sorts by
//! them or draws them is given what they come to.

use std::borrow::Cow;
use std::sync::Arc;

use edit::{Context, Draft, PartName, Refusal};
use ooxml::xml::ns;

use super::references::area_of;
use crate::calc::model::Model;
use crate::calc::place::outer;
use crate::calc::view::Sheet;
use crate::calc::view::View;
use crate::file::a1::Area;
use crate::read::extension;
use formula::Value;

impl View {
    /// The workbook with values for such formulas, if there are any among some cells; what has a value keeps it.
    pub fn with_values(&self, sheet: usize, area: Area, cx: &Context) -> Result<Option<View>, Refusal> {
        match self.readable([(sheet, area)], cx)? {
            Cow::Owned(valued) => Ok(Some(valued)),
            Cow::Borrowed(_) => Ok(None),
        }
    }

    /// The same for cells of several sheets; this view itself where nothing is missing.
    pub fn readable(
        &self,
        cells: impl IntoIterator<Item = (usize, Area)>,
        cx: &Context,
    ) -> Result<Cow<'_, View>, Refusal> {
        for (sheet, area) in cells {
            if self.lacks_values(sheet, area)? {
                let mut view = self.clone();
                let due = Model::build_until(self, &cx.stop)?.unvalued;
                let cells = due.iter().map(|at| outer(*at)).map(|place| (place.sheet, place.at));
                Arc::make_mut(&mut view.dirt).cells.extend(cells);
                let draft = Draft::<Sheet>::new(self.content.clone(), view).settle(cx)?.0;
                return Ok(Cow::Owned(draft.into_parts().1));
            }
        }
        Ok(Cow::Borrowed(self))
    }

    /// The same for all that a picture of some cells shows: the charts and sparklines of the sheet read cells elsewhere.
    pub fn drawable(&self, sheet: usize, area: Area, cx: &Context) -> Result<Cow<'_, View>, Refusal> {
        let mut cells = vec![(sheet, area)];
        let page = self.sheet_at(sheet)?;
        for part in page.drawings()?.into_iter().filter_map(|drawing| drawing.part) {
            cells.extend(self.charted(sheet, &part)?);
        }
        for group in extension::items(page.root(), "sparklineGroups", "sparklineGroup") {
            let sources = group.descendants().filter(|node| node.is(extension::XM, "f"));
            cells.extend(sources.filter_map(|source| area_of(self, sheet, &source.text())));
        }
        self.readable(cells, cx)
    }

    /// The same for one chart, by its part.
    pub fn drawable_chart(&self, sheet: usize, part: &str, cx: &Context) -> Result<Cow<'_, View>, Refusal> {
        self.readable(self.charted(sheet, part)?, cx)
    }

    /// The cells that a chart shows. What is no chart, or cannot be read, shows none: whoever draws it says so.
    fn charted(&self, sheet: usize, part: &str) -> Result<Vec<(usize, Area)>, Refusal> {
        let part = PartName::new(part);
        if !self.content.contains(&part) || !part.as_str().ends_with(".xml") {
            return Ok(Vec::new());
        }
        let Ok(document) = ooxml::read_xml(&self.content, &part) else { return Ok(Vec::new()) };
        let sources = document.root().descendants().filter(|node| node.is(ns::CHART, "f"));
        Ok(sources.filter_map(|source| area_of(self, sheet, &source.text())).collect())
    }

    fn lacks_values(&self, sheet: usize, area: Area) -> Result<bool, Refusal> {
        let mut lacks = false;
        // A sheet of a chart, or one that cannot be read, has no cells to value.
        let Ok(page) = self.sheet_at(sheet) else { return Ok(false) };
        if page.worksheet.has_formulas() {
            page.each_cell(area, &mut |cell| lacks |= cell.formula.is_some() && cell.value == Value::Blank)?;
        }
        Ok(lacks)
    }
}
