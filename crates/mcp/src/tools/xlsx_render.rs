//! `xlsx_render`: cells of a workbook as a picture.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::{Refusal, sheet::Sheet};

use crate::{
    cx::Cx,
    error::ToolError,
    picture::{self, Drawn, Request},
    tool::{About, Hints, Image, Output, Reply, Set},
    workbook,
};

pub(crate) const ABOUT: About =
    About { title: "See workbook", sets: &[Set::Core, Set::Sheet], hints: Hints::READ };

/// Draws cells of an .xlsx as a picture, as Excel shows them: formats, conditional formats, merges, images. The text
/// says what was drawn, what was not, and which fonts were replaced. Look after you edit.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The one in front otherwise.
    path: Option<String>,
    /// `Sheet!A1:H20`, a name, table or sheet; the first page of the active sheet otherwise.
    range: Option<String>,
    /// One chart alone, by its name.
    chart: Option<String>,
    /// Pixels per pixel; 2 for small print.
    #[schemars(range(min = 1, max = 3))]
    dpr: Option<f32>,
    /// Column letters and row numbers.
    #[serde(default)]
    headings: bool,
    gridlines: Option<bool>,
}

/// More than most clients show.
const MOST_BYTES: usize = 3_500_000;

pub(crate) struct Seen(Drawn);

impl Output for Seen {
    fn schema() -> Option<JsonObject> {
        None
    }

    fn reply(self) -> Result<Reply, ToolError> {
        let Drawn { picture, sheet, area, chart, notes } = self.0;
        let mut text = json!({
            "ok": true,
            "sheet": sheet,
            "range": area.to_string(),
            "width": picture.width,
            "height": picture.height,
            "notes": notes,
        });
        if let Some(chart) = chart {
            text["chart"] = json!(chart);
        }
        let image = Image { base64: render::base64(&picture.bytes), mime: "image/png" };
        Ok(Reply { text: text.to_string(), images: vec![image], ..Reply::default() })
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Seen, ToolError> {
    let document = workbook::open_behind(cx, input.path.as_deref())?;
    let request = Request {
        range: input.range,
        chart: input.chart,
        dpr: input.dpr,
        gridlines: input.gridlines,
        headings: input.headings,
        stop: Some(cx.workspace.stop().clone()),
        ..Request::default()
    };
    let now = cx.workspace.now();
    let drawn = cx.workspace.read::<Sheet, _>(document, |view| picture::draw(view, &request, now))?;
    // Whatever the reason, as `xlsx_exec` says it of its picture.
    let drawn = drawn.map_err(|refusal| match refusal {
        // Nobody waits for it any more; that is no fault of the picture.
        Refusal::Cancelled => Refusal::Cancelled.into(),
        refusal => ToolError { code: "RENDER_FAILED".into(), ..refusal.into() },
    })?;
    if drawn.picture.bytes.len() > MOST_BYTES {
        let message = format!("the picture of {} takes {} bytes", drawn.area, drawn.picture.bytes.len());
        return Err(ToolError::new("RENDER_FAILED", message).hint("draw fewer cells, or use a smaller dpr"));
    }
    Ok(Seen(drawn))
}
