//! Adding elements at the end of a part's root element.

use edit::{PartName, Patch, Refusal};

use crate::xml::Document;

/// Plans `markup` as the last content of the root element of `part`.
pub(crate) fn append(
    patch: &mut Patch,
    part: &PartName,
    document: &Document,
    markup: &str,
) -> Result<(), Refusal> {
    if markup.is_empty() {
        return Ok(());
    }
    let root = document.root();
    if !root.closes_itself() {
        let end = root.content_span().end;
        return patch.splice(part, end..end, markup);
    }
    // `<Types/>` has to become a pair of tags first.
    let end = root.span().end;
    patch.splice(part, end - 2..end, format!(">{markup}</{}>", root.qualified()))
}
