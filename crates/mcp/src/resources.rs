//! Resources: read-only views that a client can show, attach or subscribe to.

use rmcp::model::{Resource, ResourceContents};
use schemars::JsonSchema;
use serde::Serialize;
use workspace::{DocId, Workspace};

use crate::{digest, error::ToolError, tools::workspace_get_document_info};

struct Known {
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    mime: &'static str,
    read: fn(&Workspace) -> Result<String, ToolError>,
}

const JSON: &str = "application/json";

const KNOWN: &[Known] = &[
    Known {
        uri: "docwright://guide",
        name: "guide",
        title: "Working with Docwright",
        description: "How documents, ids, revisions, suggestions and saving work",
        mime: "text/markdown",
        read: |_| Ok(include_str!("guide.md").to_owned()),
    },
    Known {
        uri: "docwright://xlsx/declarations",
        name: "xlsx-declarations",
        title: "Functions of workbook scripts",
        description: "TypeScript declarations of what a script of xlsx_exec can call",
        mime: "text/x-typescript",
        read: |_| Ok(workspace::script::declarations()),
    },
    Known {
        uri: "vmark://document/outline",
        name: "document-outline",
        title: "Document outline",
        description: "The headings or sheets of the document in the focused window",
        mime: JSON,
        read: |workspace| {
            let (_, document) = workspace.active(None)?;
            json(&outline(workspace, document)?)
        },
    },
    Known {
        uri: "vmark://document/metadata",
        name: "document-metadata",
        title: "Document metadata",
        description: "Path, title, size and state of the document in the focused window",
        mime: JSON,
        read: |workspace| {
            let (_, document) = workspace.active(None)?;
            json(&workspace_get_document_info::describe(workspace, document)?)
        },
    },
    Known {
        uri: "vmark://windows/list",
        name: "windows",
        title: "Open windows",
        description: "The open windows and the documents in front of them",
        mime: JSON,
        read: |workspace| json(&windows(workspace)),
    },
    Known {
        uri: "vmark://windows/focused",
        name: "focused-window",
        title: "Focused window",
        description: "Label of the focused window",
        mime: "text/plain",
        read: |workspace| Ok(workspace.focused().to_string()),
    },
];

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OutlineEntry {
    node_id: String,
    level: u8,
    title: String,
    /// In the text of a document that is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

fn outline(workspace: &Workspace, document: DocId) -> Result<Vec<OutlineEntry>, ToolError> {
    let entry = |section: digest::Section| OutlineEntry {
        node_id: section.node_id,
        level: section.level,
        title: section.title,
        position: section.from,
        line: section.line,
    };
    Ok(digest::outline(workspace, document)?.into_iter().map(entry).collect())
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WindowEntry {
    label: String,
    title: String,
    /// `null` without a document, or with one that was never saved.
    file_path: Option<String>,
    is_focused: bool,
    is_ai_exposed: bool,
}

/// Every window is open to agents: a document that is not is not opened here.
pub(crate) fn windows(workspace: &Workspace) -> Vec<WindowEntry> {
    let entry = |window: workspace::WindowStatus| WindowEntry {
        label: window.label.to_string(),
        title: window.document.as_ref().map_or_else(String::new, |document| document.title.clone()),
        file_path: window.document.and_then(|document| document.path).map(|path| path.display().to_string()),
        is_focused: window.focused,
        is_ai_exposed: true,
    };
    workspace.windows().into_iter().map(entry).collect()
}

fn json(value: &impl Serialize) -> Result<String, ToolError> {
    serde_json::to_string(value).map_err(|error| ToolError::new(ToolError::INTERNAL, error.to_string()))
}

pub(crate) fn uris() -> Vec<&'static str> {
    KNOWN.iter().map(|known| known.uri).collect()
}

pub(crate) fn list() -> Vec<Resource> {
    KNOWN
        .iter()
        .map(|known| {
            Resource::new(known.uri, known.name)
                .with_title(known.title)
                .with_description(known.description)
                .with_mime_type(known.mime)
        })
        .collect()
}

pub(crate) fn read(workspace: &Workspace, uri: &str) -> Option<Result<ResourceContents, ToolError>> {
    let known = KNOWN.iter().find(|known| known.uri == uri)?;
    let read = (known.read)(workspace);
    Some(read.map(|text| ResourceContents::text(text, known.uri).with_mime_type(known.mime)))
}
