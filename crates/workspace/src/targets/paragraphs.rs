//! Paragraphs of a Word document, and what can be inserted beside.

use edit::Refusal;
use word::{Edit, InsertBesideTable, InsertParagraphs, Markup, ParagraphId, Position, TableId, View};

/// A name that was given, and what the door calls the argument it was given for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument<'a> {
    pub field: &'static str,
    pub name: &'a str,
}

/// A paragraph by its id, or by the name of a bookmark that starts in it.
pub fn paragraph(view: &View, Argument { field, name }: Argument<'_>) -> Result<ParagraphId, Refusal> {
    if let Ok(id) = name.parse() {
        return Ok(id);
    }
    if let Some(place) = view.place_of_bookmark(name) {
        return Ok(view.id(place));
    }
    let expected = match name.parse::<TableId>() {
        Ok(_) => "the id of a paragraph; a table can only be inserted beside",
        Err(_) => "a paragraph id such as jr_para_0123456789ab, or a bookmark's name",
    };
    Err(Refusal::invalid(field, format!("`{name}`"), expected))
}

/// Paragraphs to insert.
#[derive(Debug, Clone)]
pub struct Insertion<'a> {
    /// A paragraph or a table.
    pub beside: Argument<'a>,
    pub position: Position,
    pub text: String,
    /// The paragraph to look like, if not the one beside.
    pub style_source: Option<Argument<'a>>,
    pub markup: Markup,
}

pub fn insertion(view: &View, insertion: Insertion<'_>) -> Result<Edit, Refusal> {
    let Insertion { beside, position, text, style_source, markup } = insertion;
    let style_source = style_source.map(|source| paragraph(view, source)).transpose()?;
    Ok(match beside.name.parse::<TableId>() {
        Ok(table) => {
            Edit::InsertBesideTable(InsertBesideTable { table, position, text, style_source, markup })
        }
        Err(_) => {
            let anchor = paragraph(view, beside)?;
            Edit::InsertParagraphs(InsertParagraphs { anchor, position, text, style_source, markup })
        }
    })
}
