//! Sections and blocks of a Markdown document.

use edit::Refusal;
use markdown::{NodeId, View, outline};

/// Headings that a refusal names.
const MOST_NAMED: usize = 10;

/// A section by the title of its heading: the very text first, then without regard to case.
pub fn section(view: &View, title: &str) -> Result<NodeId, Refusal> {
    let wanted = title.trim().trim_start_matches('#').trim();
    let outline = outline(view);
    let called = |same: fn(&str, &str) -> bool| -> Vec<NodeId> {
        let named = outline.iter().filter(|heading| !heading.title.trim().is_empty());
        let meant = named.filter(|heading| same(heading.title.trim(), wanted));
        meant.map(|heading| heading.id).collect()
    };
    let mut found = called(|known, wanted| known == wanted);
    if found.is_empty() {
        found = called(|known, wanted| known.to_lowercase() == wanted.to_lowercase());
    }
    match found.as_slice() {
        [only] => Ok(*only),
        [] => {
            let nearest = outline.iter().take(MOST_NAMED).map(|heading| heading.title.clone()).collect();
            Err(Refusal::NotFound { what: "section", id: title.to_owned(), nearest })
        }
        several => Err(Refusal::Ambiguous {
            text: title.to_owned(),
            count: several.len(),
            within: "the headings".to_owned(),
            contexts: several.iter().take(MOST_NAMED).map(NodeId::to_string).collect(),
        }),
    }
}

/// A block by its id, or a heading by its title.
pub fn block(view: &View, name: &str) -> Result<NodeId, Refusal> {
    match name.parse::<NodeId>() {
        Ok(id) => view.node(id).map(|_| id),
        Err(no_id) => section(view, name).map_err(|refusal| match refusal {
            // What looks like an id was meant as one.
            Refusal::NotFound { .. } if name.contains('-') && !name.contains(char::is_whitespace) => no_id,
            other => other,
        }),
    }
}
