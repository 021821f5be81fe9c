//! Everything that a view says of a document, line by line, to compare two views of one content.
//!
//! Ids of paragraphs are not listed: they are kept from revision to revision, so a view that was taken along has others
//! than a fresh one. What is checked of them is that each leads back to its paragraph.

use edit::Refusal;

use crate::document::paragraph::Side;
use crate::document::view::{Place, View};
use crate::edits::{changes, controls};

const SIDES: [Side; 3] = [Side::Final, Side::Original, Side::Redline];

pub(crate) fn inventory(view: &View) -> Result<Vec<String>, Refusal> {
    let mut lines: Vec<String> =
        view.layout().stories.iter().map(|(story, part)| format!("{story} {part}")).collect();
    for place in view.places() {
        of_paragraph(view, place, &mut lines)?;
    }
    for table in view.tables() {
        let cells: Vec<usize> = table.rows.iter().map(|row| row.cells.len()).collect();
        let cell = view.place_at(&table.part, table.span.start).and_then(|at| view.cell_of(at, &table));
        lines.push(format!("table {} {:?} {cells:?} {} {cell:?}", table.part, table.span, table.columns));
    }
    for change in changes::changes(view)? {
        let at = change.paragraph.and_then(|id| view.place_of(id));
        let (id, kind, author, text) = (change.id, change.kind, change.author, change.text);
        lines.push(format!("change {id} {kind:?} {author} {:?} {at:?} {text}", change.date));
    }
    for comment in view.comments()? {
        lines.push(format!("comment {} {:?} {:?}", comment.id, comment.author, comment.places));
    }
    for (id, thread) in view.threads()? {
        let at = thread.paragraph.and_then(|id| view.place_of(id));
        lines.push(format!("thread {id} {at:?} {} {:?} {}", thread.quote, thread.parent, thread.resolved));
    }
    for mut control in controls::controls(view)? {
        let at: Vec<_> =
            std::mem::take(&mut control.paragraphs).iter().map(|id| view.place_of(*id)).collect();
        lines.push(format!("{control:?} {at:?}"));
    }
    lines.push(format!("{:?}", view.note_numbers()));
    Ok(lines)
}

fn of_paragraph(view: &View, place: Place, lines: &mut Vec<String>) -> Result<(), Refusal> {
    let paragraph = view.paragraph(place)?;
    let texts = SIDES.map(|side| (paragraph.text(side).text, view.label(place, side)));
    let found = view.place_of(view.id(place)) == Some(place);
    lines.push(format!("{place:?} {:?} named {found} {texts:?}", view.span(place)));
    let (look, level, owner) = (view.fingerprint(place), view.heading_level(place), view.owner(place));
    let boxes: Vec<_> =
        view.enclosures(place).iter().map(|around| (around.kind, around.span.clone())).collect();
    lines.push(format!("  {look:?} {level:?} {owner:?} {boxes:?} {:?}", view.resolved(place)));
    Ok(())
}
