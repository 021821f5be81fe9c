//! Pictures for the answer of a script: cells, or one chart, as they are now.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Entry, entry, function};
use crate::host::{Fault, Host};
use crate::reference::{self, RangeArg, sheet_position};
use crate::wire::Preview;

pub(super) fn entries() -> Vec<Entry> {
    vec![entry::<PreviewStyles>(), entry::<PreviewChart>()]
}

/// Cells of one picture, pictures of one run and their bytes together.
const MOST_CELLS: u64 = 10_000;
pub(crate) const MOST_PICTURES: usize = 8;
const MOST_BYTES: usize = 3_500_000;

/// What was drawn; the picture itself is in the answer of the run.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Previewed {
    what: String,
    width: u32,
    height: u32,
    /// What is not drawn as it is, and fonts that were replaced.
    notes: Vec<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChartOptions {
    /// 1 to 3.
    dpr: Option<f32>,
    /// 0.25 to 4.
    zoom: Option<f32>,
}

fn keep(host: &mut Host, what: String, picture: render::Picture) -> Result<Previewed, Fault> {
    let known: usize = host.previews.iter().map(|preview| preview.base64.len() / 4 * 3).sum();
    if host.previews.len() >= MOST_PICTURES || known + picture.bytes.len() > MOST_BYTES {
        return Err(Fault::new(
            "LIMIT_EXCEEDED",
            format!(
                "a run answers at most {MOST_PICTURES} pictures of {MOST_BYTES} bytes together; draw fewer cells"
            ),
        ));
    }
    let mut notes: Vec<String> =
        picture.not_drawn.iter().map(|what| format!("not drawn as it is: {what}")).collect();
    notes.extend(picture.substituted.iter().map(|(wanted, drawn)| format!("{wanted} is drawn in {drawn}")));
    if !picture.missing_characters.is_empty() {
        notes.push(format!("no font has {}", picture.missing_characters));
    }
    host.previews.push(Preview { what: what.clone(), base64: render::base64(&picture.bytes) });
    Ok(Previewed { what, width: picture.width, height: picture.height, notes })
}

function! {
    /// Put a picture of cells into the answer, as Excel shows them now.
    "previewStyles" PreviewStyles { range: RangeArg } -> Previewed => preview_styles
}

fn preview_styles(host: &mut Host, call: PreviewStyles) -> Result<Previewed, Fault> {
    let range = reference::range(host, &call.range)?;
    if range.area.count() > MOST_CELLS {
        return Err(Fault::new(
            "RANGE_TOO_LARGE",
            format!("{} cells; {MOST_CELLS} are drawn at most", range.area.count()),
        ));
    }
    host.read(range);
    let valued = host.view().drawable(range.sheet, range.area, host.cx())?;
    let sheet = valued.sheet_at(range.sheet)?;
    let picture = render::range(&sheet, range.area, &render::Options::default(), host.cx())?;
    let what = host.address(range.sheet, range.area);
    keep(host, what, picture)
}

function! {
    /// Put a picture of one chart into the answer.
    "previewChart" PreviewChart { sheet: String, name: String, options: Option<ChartOptions> } -> Previewed => preview_chart
}

fn preview_chart(host: &mut Host, call: PreviewChart) -> Result<Previewed, Fault> {
    let sheet = sheet_position(host.view(), &call.sheet)?;
    let (position, object) = host.view().chart_named(Some(sheet), &call.name)?;
    let ChartOptions { dpr, zoom } = call.options.unwrap_or_default();
    let options = render::Options { dpr: dpr.unwrap_or(1.0), ..render::Options::default() };
    let valued = host.view().drawable_chart(position, object.part.as_deref().unwrap_or(""), host.cx())?;
    let view = valued.sheet_at(position)?;
    let picture = render::chart(&view, &object, &options, zoom.unwrap_or(1.0), host.cx())?;
    let what = format!("{} of {}", object.name.as_deref().unwrap_or(&call.name), host.sheet_name(position));
    keep(host, what, picture)
}
