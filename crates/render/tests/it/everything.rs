//! All that can be drawn of a workbook: what real and damaged ones are put through, here and in the fuzz target.

use edit::{Context, Refusal};
use render::{Options, Picture, PictureFormat};
use sheet::resolved::{Placed, PlacedKind};
use sheet::{Area, SheetView, View};

/// What of a workbook is drawn, and what came of it.
pub(crate) enum Drawn<'a> {
    Range(&'a SheetView<'a>, Result<Picture, Refusal>),
    Chart(&'a SheetView<'a>, &'a Placed, Result<Picture, Refusal>),
}

/// A range with content: the used one, cut at a page.
fn page(sheet: &SheetView<'_>) -> Option<Area> {
    let mut whole = sheet.extent().ok()?;
    for area in sheet.drawings().ok()?.iter().filter_map(|drawing| drawing.area) {
        whole = Some(whole.map_or(area, |known| known.hull(&area)));
    }
    let whole = whole.unwrap_or(Area { top: 0, left: 0, bottom: 9, right: 5 });
    Some(Area {
        bottom: whole.bottom.min(whole.top.saturating_add(render::PAGE_ROWS - 1)),
        right: whole.right.min(whole.left.saturating_add(render::PAGE_COLUMNS - 1)),
        ..whole
    })
}

/// Draws the first sheets and their charts.
pub(crate) fn draw(view: &View, sheets: usize, format: PictureFormat, see: &mut dyn FnMut(Drawn<'_>)) {
    let options = Options { format, ..Options::default() };
    let cx = Context::new("", 1_700_000_000, 0);
    for sheet in view.worksheets().take(sheets) {
        let Ok(sheet) = sheet else { continue };
        if let Some(area) = page(&sheet) {
            see(Drawn::Range(&sheet, render::range(&sheet, area, &options, &cx)));
        }
        let placed = sheet.placed().unwrap_or_default();
        for object in placed.iter().filter(|object| object.kind == PlacedKind::Chart).take(20) {
            see(Drawn::Chart(&sheet, object, render::chart(&sheet, object, &options, 1.0, &cx)));
        }
    }
}
