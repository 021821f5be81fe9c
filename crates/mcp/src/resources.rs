//! Resources: read-only views that a client can show, attach or subscribe to.

use rmcp::model::{Resource, ResourceContents};

struct Known {
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    mime: &'static str,
    read: fn() -> String,
}

const KNOWN: &[Known] = &[Known {
    uri: "docwright://guide",
    name: "guide",
    title: "Working with Docwright",
    description: "How documents, ids, revisions, suggestions and saving work",
    mime: "text/markdown",
    read: || include_str!("guide.md").to_owned(),
}];

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

pub(crate) fn read(uri: &str) -> Option<ResourceContents> {
    let known = KNOWN.iter().find(|known| known.uri == uri)?;
    Some(ResourceContents::text((known.read)(), known.uri).with_mime_type(known.mime))
}
