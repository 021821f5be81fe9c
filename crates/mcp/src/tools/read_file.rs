//! `read_file`: a page of a Word document.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::word::{
    Side, Word, controls,
    read::{self, Page, Request, Stories},
};

use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set, Text},
    word,
};

pub(crate) const ABOUT: About =
    About { title: "Read Word document", sets: &[Set::Core, Set::Word], hints: Hints::READ };

/// Reads a .docx page by page: id, list label, run-in header, style and text of each paragraph, tables, comments,
/// notes and tracked changes. Keep the ids and the session_id. `controls` lists controls and form fields.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    /// First paragraph, from 1; negative counts from the end.
    #[serde(default)]
    offset: i64,
    #[schemars(range(min = 1))]
    limit: Option<usize>,
    /// Only these paragraphs.
    #[serde(default)]
    node_ids: Vec<String>,
    #[serde(default)]
    format: Format,
    #[serde(default)]
    view: View,
    /// Headers, footers, notes and text boxes too.
    #[serde(default)]
    all_stories: bool,
    /// Mark bold, italic and underlined text with tags.
    #[serde(default)]
    show_formatting: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    #[default]
    Toon,
    Json,
    Simple,
    Controls,
}

/// With tracked changes accepted, rejected, or both shown.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum View {
    #[default]
    Final,
    Original,
    Redline,
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Text, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?;
    if input.format == Format::Controls {
        let controls = cx.workspace.read::<Word, _>(target.document, controls)??;
        let revision = cx.workspace.status(target.document)?.revision;
        let session = target.session.to_string();
        let answer = json!({ "controls": controls, "session_id": session, "revision": revision.to_string() });
        return Ok(Text(answer.to_string()));
    }
    let ids = input
        .node_ids
        .iter()
        .map(|id| word::paragraph(cx, &target, "node_ids", id))
        .collect::<Result<_, _>>()?;
    let mut request = Request {
        stories: if input.all_stories { Stories::All } else { Stories::Body },
        offset: input.offset,
        limit: input.limit,
        ids,
        side: match input.view {
            View::Final => Side::Final,
            View::Original => Side::Original,
            View::Redline => Side::Redline,
        },
        show_formatting: input.show_formatting,
        ..Request::default()
    };
    loop {
        let page = cx
            .workspace
            .read::<Word, _>(target.document, |view| view.page(&request))?
            .map_err(|refusal| word::with_the_past(cx, &target, refusal))?;
        let answer = printed(cx, &target, input.format, &page)?;
        // What a row costs in JSON, and the notes and tables beside the rows, is known only once they are written.
        let most = match (input.format, input.limit) {
            (Format::Json, None) => read::BUDGET * 4,
            _ => LARGEST,
        };
        let (rows, bytes) = (page.nodes.len(), answer.len());
        if bytes <= most || rows < 2 || !input.node_ids.is_empty() {
            return Ok(Text(answer));
        }
        request.limit = Some((rows * most / bytes).clamp(1, rows - 1));
    }
}

/// Bytes of an answer, with room for what is put around it.
const LARGEST: usize = 85_000;

fn printed(cx: &Cx<'_>, target: &word::Target, format: Format, page: &Page) -> Result<String, ToolError> {
    let revision = cx.workspace.status(target.document)?.revision;
    let session = &target.session;
    Ok(match format {
        Format::Json => {
            let mut value = serde_json::to_value(page)
                .map_err(|error| ToolError::new(ToolError::INTERNAL, error.to_string()))?;
            value["session_id"] = json!(session.to_string());
            value["revision"] = json!(revision.to_string());
            value.to_string()
        }
        // Controls were answered above.
        Format::Toon | Format::Controls => format!(
            "#SESSION {session} {revision} total_paragraphs={}\n{}",
            page.total_paragraphs,
            read::toon(page)
        ),
        Format::Simple => {
            format!(
                "session {session}, {revision}, {} paragraphs\n{}",
                page.total_paragraphs,
                read::simple(page)
            )
        }
    })
}
