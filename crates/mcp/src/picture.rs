//! Pictures of workbooks as every door asks for them: which cells are meant, what is said of the picture.

use std::borrow::Cow;
use std::sync::Arc;

pub use render::{Picture, PictureDifference, PictureFormat, difference};
use workspace::sheet::{Area, SheetView, View};
use workspace::targets::{self, Region};
use workspace::{Context, Refusal, Stop};

/// What is to be drawn, and how.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// `Sheet!A1:C9`, a name, a table or a sheet; the sheet that is shown on opening otherwise.
    pub range: Option<String>,
    /// One chart alone, by its name (`Chart 1`, `Sheet1!Chart 1`) or as `#1`.
    pub chart: Option<String>,
    /// 1 to 3; 1 if nothing is said.
    pub dpr: Option<f32>,
    pub format: PictureFormat,
    /// As the sheet has them, if nothing is said.
    pub gridlines: Option<bool>,
    pub headings: bool,
    /// Font files for characters that the program's own fonts do not have.
    pub more_fonts: Vec<Arc<[u8]>>,
    /// Ends the drawing when whoever asked does not wait any more.
    pub stop: Option<Stop>,
}

impl Request {
    fn context(&self, now: i64) -> Context {
        let stop = self.stop.clone().unwrap_or_else(Stop::never);
        Context { stop, ..Context::new("reader", now, 0) }
    }
}

/// A picture and what it shows.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub picture: Picture,
    pub sheet: String,
    pub area: Area,
    /// The name of the chart that was drawn alone.
    pub chart: Option<String>,
    /// What a reader should know: cut at a page, not drawn, other fonts.
    pub notes: Vec<String>,
}

/// Draws what was asked for, as the workbook is `now` (seconds since 1970).
pub fn draw(view: &View, request: &Request, now: i64) -> Result<Drawn, Refusal> {
    let options = render::Options {
        dpr: request.dpr.unwrap_or(1.0),
        format: request.format,
        gridlines: request.gridlines,
        headings: request.headings,
        more_fonts: request.more_fonts.clone(),
    };
    if let Some(chart) = &request.chart {
        return draw_chart(view, chart, request.range.as_deref(), &options, &request.context(now));
    }
    let (sheet, area, cut) = match &request.range {
        None => page(view.sheet_at(view.workbook().active)?)?,
        Some(range) => match targets::region(view, range)? {
            Region::Sheet(name) => page(view.sheet(&name)?)?,
            Region::Cells(cells) => {
                let sheet = view.sheet(&cells.sheet)?;
                match cells.area.is_whole_columns() || cells.area.is_whole_rows() {
                    true => used(sheet, cells.area)?,
                    false => (sheet, cells.area, None),
                }
            }
        },
    };
    let cx = request.context(now);
    let mut notes: Vec<String> = cut.into_iter().collect();
    let valued = view.drawable(sheet.position, area, &cx)?;
    notes.extend(calculated(&valued));
    let sheet = valued.sheet_at(sheet.position)?;
    let picture = render::range(&sheet, area, &options, &cx)?;
    notes.extend(said_of(&picture));
    Ok(Drawn { picture, sheet: sheet.name().to_owned(), area, chart: None, notes })
}

/// One chart; `range` may name the sheet that it is on.
fn draw_chart(
    view: &View,
    wanted: &str,
    range: Option<&str>,
    options: &render::Options,
    cx: &Context,
) -> Result<Drawn, Refusal> {
    let sheet = match range.map(|range| targets::region(view, range)).transpose()? {
        None => None,
        Some(Region::Sheet(name)) => view.workbook().position(&name),
        Some(Region::Cells(cells)) => view.workbook().position(&cells.sheet),
    };
    let (position, chart) = match view.chart_named(sheet, wanted) {
        Ok(found) => found,
        // `Sheet1!Chart 1`
        Err(refusal) => {
            let named = wanted.rsplit_once('!').and_then(|(sheet, name)| {
                let sheet = sheet.trim_matches('\'').replace("''", "'");
                Some((view.workbook().position(&sheet)?, name))
            });
            let (sheet, name) = named.ok_or(refusal)?;
            view.chart_named(Some(sheet), name)?
        }
    };
    let valued = view.drawable_chart(position, chart.part.as_deref().unwrap_or(""), cx)?;
    let sheet = valued.sheet_at(position)?;
    let picture = render::chart(&sheet, &chart, options, 1.0, cx)?;
    let drawings = sheet.drawings()?;
    let own = drawings.iter().find(|one| one.part.is_some() && one.part == chart.part);
    let area = own.and_then(|one| one.area).unwrap_or(Area { top: 0, left: 0, bottom: 0, right: 0 });
    let mut notes: Vec<String> = calculated(&valued).into_iter().collect();
    notes.extend(said_of(&picture));
    Ok(Drawn {
        picture,
        sheet: sheet.name().to_owned(),
        area,
        chart: chart.name.or_else(|| Some(wanted.to_owned())),
        notes,
    })
}

/// What is said where formulas were calculated for the picture.
#[expect(clippy::ptr_arg, reason = "whether the view is the document's own is what is asked")]
fn calculated(valued: &Cow<'_, View>) -> Option<String> {
    let said = "the file has no values for formulas in it; they are drawn calculated";
    matches!(valued, Cow::Owned(_)).then(|| said.to_owned())
}

/// What a reader should know of a picture.
fn said_of(picture: &Picture) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(picture.not_drawn.iter().map(|what| format!("not drawn as it is: {what}")));
    notes.extend(
        picture
            .substituted
            .iter()
            .map(|(wanted, drawn)| format!("{wanted} is drawn in {drawn}, whose letters have other widths")),
    );
    if !picture.missing_characters.is_empty() {
        notes.push(format!("no font has {}; boxes stand for them", picture.missing_characters));
    }
    notes
}

/// The used cells of a sheet, cut at a page's worth.
fn page(sheet: SheetView<'_>) -> Result<(SheetView<'_>, Area, Option<String>), Refusal> {
    let mut whole = sheet.extent()?;
    // Objects may lie where no cell is used.
    for area in sheet.drawings()?.iter().filter_map(|drawing| drawing.area) {
        whole = Some(whole.map_or(area, |known| known.hull(&area)));
    }
    let Some(whole) = whole else {
        return Err(Refusal::Rule {
            code: "RENDER_FAILED",
            why: format!("the sheet `{}` is empty", sheet.name()),
            instead: Some("name a range to see its empty cells, or another sheet".to_owned()),
        });
    };
    Ok(cut(sheet, Area { top: 0, left: 0, ..whole }))
}

/// The used part of whole rows or columns.
fn used(sheet: SheetView<'_>, wanted: Area) -> Result<(SheetView<'_>, Area, Option<String>), Refusal> {
    let extent = sheet.extent()?.unwrap_or(Area { top: 0, left: 0, bottom: 0, right: 0 });
    let area = match wanted.is_whole_columns() {
        true => Area { bottom: extent.bottom, ..wanted },
        false => Area { right: extent.right.max(wanted.left), ..wanted },
    };
    Ok(cut(sheet, area))
}

fn cut(sheet: SheetView<'_>, whole: Area) -> (SheetView<'_>, Area, Option<String>) {
    let area = Area {
        bottom: whole.bottom.min(whole.top + render::PAGE_ROWS - 1),
        right: whole.right.min(whole.left + render::PAGE_COLUMNS - 1),
        ..whole
    };
    let note = (area != whole).then(|| {
        format!(
            "`{}` is used up to {}; drawn is {area}, name a range to see the rest",
            sheet.name(),
            whole.last()
        )
    });
    (sheet, area, note)
}

/// Whether a font file has at least one of these characters.
pub fn has_any(font: &[u8], characters: &str) -> bool {
    render::has_any(font, characters)
}
