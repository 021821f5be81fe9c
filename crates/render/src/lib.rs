//! Pictures of documents, drawn the same on every machine.
//!
//! A range of a workbook becomes a scene of shapes, letters and pictures, and that a PNG or an SVG. How cells look is
//! decided in `sheet`; this crate knows fonts, lines and pixels. Fonts are in the program, so that nothing is read from
//! the machine: no files, no clock, no threads, and the same bytes for the same workbook. What is not drawn is told,
//! never silently missing. Nothing is changed.

mod fonts;
mod pictures;
mod scene;

mod raster;
mod svg;

mod chart;
mod range;

mod difference;

use std::sync::Arc;

use edit::{Context, Refusal, Stop};
use sheet::resolved::{Placed, PlacedKind, Rgb, axis_text};
use sheet::{Area, SheetView};

pub use difference::{PictureDifference, difference};
pub use fonts::has_any;
pub use svg::base64;

use fonts::Fonts;
use range::Extras;
use scene::{Rect, Scene};

/// Pixels of the largest picture; it takes 160 MB while it is drawn.
const MOST_PIXELS: f32 = 40_000_000.0;
/// Cells that are drawn at most.
const MOST_CELLS: u64 = 200_000;
/// What fits on a page: rows and columns of a picture that nobody gave a range for.
pub const PAGE_ROWS: u32 = 60;
pub const PAGE_COLUMNS: u32 = 26;

/// How a picture is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureFormat {
    #[default]
    Png,
    Svg,
}

/// How a range is drawn.
#[derive(Clone, Debug)]
pub struct Options {
    /// Pixels of the picture for each pixel of the sheet, 1 to 3.
    pub dpr: f32,
    pub format: PictureFormat,
    /// As the sheet has them, if nothing is said.
    pub gridlines: Option<bool>,
    /// Letters of columns and numbers of rows.
    pub headings: bool,
    /// Font files for characters that the program's own fonts do not have.
    pub more_fonts: Vec<Arc<[u8]>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            dpr: 1.0,
            format: PictureFormat::Png,
            gridlines: None,
            headings: false,
            more_fonts: Vec::new(),
        }
    }
}

/// A picture, and what is to be said of it.
#[derive(Clone, Debug)]
pub struct Picture {
    pub bytes: Vec<u8>,
    pub width: u32,
    pub height: u32,
    /// Objects and rules that are not drawn, or only as a box with their name.
    pub not_drawn: Vec<String>,
    /// Fonts that others of other widths stand for: the wanted and the drawn.
    pub substituted: Vec<(String, String)>,
    /// Characters that no font has, drawn as boxes.
    pub missing_characters: String,
}

/// Draws a range of a sheet.
pub fn range(sheet: &SheetView<'_>, area: Area, options: &Options, cx: &Context) -> Result<Picture, Refusal> {
    check_dpr(options.dpr)?;
    if area.count() > MOST_CELLS {
        return Err(too_large(
            format!("{}!{area} has {} cells", sheet.name(), area.count()),
            format!("draw at most {MOST_CELLS} cells at once, for example the first {PAGE_ROWS} rows"),
        ));
    }
    let mut fonts = Fonts::new(&options.more_fonts);
    let extras = Extras { gridlines: options.gridlines, headings: options.headings };
    let fits = |width: f32, height: f32| {
        let pixels = width * height * options.dpr * options.dpr;
        let longest = width.max(height) * options.dpr;
        if pixels <= MOST_PIXELS && longest <= 32_000.0 {
            return Ok(());
        }
        Err(too_large(
            format!(
                "{}!{area} would be {} x {} pixels",
                sheet.name(),
                (width * options.dpr) as u64,
                (height * options.dpr) as u64
            ),
            "draw fewer rows or columns, or use a smaller dpr".to_owned(),
        ))
    };
    let (scene, not_drawn) = range::scene(sheet, area, extras, &mut fonts, cx, &fits)?;
    finish(&scene, fonts, options, not_drawn, &cx.stop)
}

/// Draws one chart alone, as large as it is on its sheet times `zoom`.
pub fn chart(
    sheet: &SheetView<'_>,
    object: &Placed,
    options: &Options,
    zoom: f32,
    cx: &Context,
) -> Result<Picture, Refusal> {
    check_dpr(options.dpr)?;
    if !zoom.is_finite() || !(0.25..=4.0).contains(&zoom) {
        return Err(Refusal::invalid("zoom", zoom, "a number from 0.25 to 4"));
    }
    let name = object.name.as_deref().unwrap_or("without a name");
    let failed = |why: String| {
        let instead = "draw the cells around it, where it is a box with its name and series".to_owned();
        too_large(format!("the chart `{name}` is not drawn: {why}"), instead)
    };
    let part = object.part.as_deref().filter(|_| object.kind == PlacedKind::Chart);
    let part =
        part.ok_or_else(|| failed("it is of a newer kind (waterfall, funnel and so on)".to_owned()))?;
    let palette = sheet.palette()?;
    let plain = sheet.plain_chart(part, &palette).map_err(failed)?;
    let (width, height) = range::object_size(sheet, &object.anchor, cx)?;
    let (width, height) = (width.ceil(), height.ceil());
    let scale = options.dpr * zoom;
    if width < 8.0 || height < 8.0 {
        return Err(failed(format!("it is only {width} x {height} pixels large")));
    }
    if width * height * scale * scale > MOST_PIXELS || width.max(height) * scale > 32_000.0 {
        return Err(too_large(
            format!("the chart `{name}` would be {} x {} pixels", width * scale, height * scale),
            "use a smaller dpr or zoom".to_owned(),
        ));
    }
    let mut fonts = Fonts::new(&options.more_fonts);
    let mut scene = Scene { width, height, items: Vec::new() };
    let whole = Rect::new(0.0, 0.0, width, height);
    scene.rect(whole, Rgb::WHITE, None);
    let from_1904 = plain.from_1904;
    let show = |number: f64, code: &str| axis_text(number, code, from_1904);
    let left_out = Vec::new();
    let painter = chart::ChartPainter {
        scene: &mut scene,
        fonts: &mut fonts,
        clip: whole,
        frame: whole,
        left_out,
        show: &show,
    };
    let left_out = painter.chart(&plain);
    let not_drawn = left_out.iter().map(|what| format!("{what} of the chart `{name}`")).collect();
    finish(&scene, fonts, &Options { dpr: scale, ..options.clone() }, not_drawn, &cx.stop)
}

/// Checks that a picture is wanted at a size that we draw.
pub fn check_dpr(dpr: f32) -> Result<(), Refusal> {
    match dpr.is_finite() && (1.0..=3.0).contains(&dpr) {
        true => Ok(()),
        false => Err(Refusal::invalid("dpr", dpr, "a number from 1 to 3")),
    }
}

fn too_large(why: String, instead: String) -> Refusal {
    Refusal::Rule { code: "RENDER_FAILED", why, instead: Some(instead) }
}

fn finish(
    scene: &Scene,
    mut fonts: Fonts,
    options: &Options,
    not_drawn: Vec<String>,
    stop: &Stop,
) -> Result<Picture, Refusal> {
    let (width, height) = raster::size(scene, options.dpr);
    let bytes = match options.format {
        PictureFormat::Png => raster::png(&raster::draw(scene, &mut fonts, options.dpr, stop)?)?,
        PictureFormat::Svg => svg::write(scene, &mut fonts, options.dpr).into_bytes(),
    };
    let substituted = fonts.substituted().map(|(name, by)| (name.to_owned(), by.to_owned())).collect();
    let missing_characters = fonts.missing().iter().take(50).collect();
    Ok(Picture { bytes, width, height, not_drawn, substituted, missing_characters })
}
