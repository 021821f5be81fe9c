//! Texts in pieces that look different, as they are put into cells.

use edit::Refusal;
use ooxml::xml::Node;

use crate::edits::entry;
use crate::edits::input::TextRun;
use crate::edits::looks::style_change::FontChange;
use crate::edits::looks::style_edit::run_properties;
use crate::edits::looks::style_values;
use crate::file::a1::CellRef;
use crate::file::strings::text_element;

/// The text without looks.
pub(crate) fn text(runs: &[TextRun]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}

pub(crate) fn check(runs: &[TextRun], at: CellRef) -> Result<(), Refusal> {
    if runs.is_empty() || runs.iter().any(|run| run.text.is_empty()) {
        return Err(Refusal::invalid(
            "rich text",
            format!("a piece without text for {at}"),
            "pieces such as {\"text\":\"net\",\"font\":{\"bold\":true}}; use `clear` for an empty cell",
        ));
    }
    runs.iter().try_for_each(|run| style_values::check_font(&run.font))?;
    entry::check_text(&text(runs), at)
}

/// What stands in the string: pieces in a row, or a plain text where none looks different.
pub(crate) fn markup(runs: &[TextRun], cell: Option<Node<'_>>, prefix: &str) -> String {
    let plain = FontChange::default();
    if runs.iter().all(|run| run.font == plain) {
        return text_element(prefix, &text(runs));
    }
    let mut written = String::new();
    for (index, same) in runs.chunk_by(|one, next| one.font == next.font).enumerate() {
        let font = same.first().map_or(&plain, |run| &run.font);
        // The first piece may be without properties and is then as the cell is, whatever becomes of that.
        let properties = match index == 0 && *font == plain {
            true => String::new(),
            false => run_properties(cell, font, prefix),
        };
        written += &format!("<{prefix}r>{properties}{}</{prefix}r>", text_element(prefix, &text(same)));
    }
    written
}
