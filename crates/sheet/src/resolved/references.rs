//! References of charts and sparklines, and where they lead.

use crate::file::a1::Area;
use crate::read::book::Book;

/// The sheet's position and the area that `Sheet1!$A$1:$F$1`, `A1:F1` of the sheet `home`, or a name that stands for
/// such a reference leads to.
pub(crate) fn area_of(view: &Book, home: usize, text: &str) -> Option<(usize, Area)> {
    direct(view, home, text).or_else(|| {
        let (scope, name) = match split(text) {
            Some((sheet, name)) => (view.workbook.position(&sheet), name),
            None => (Some(home), text.trim()),
        };
        let same = |known: &&crate::DefinedName| crate::file::workbook::same_name(&known.name, name);
        let mut names = view.workbook.names.iter().filter(same);
        let own = names.clone().find(|known| known.scope == scope);
        let known = own.or_else(|| names.find(|known| known.scope.is_none()))?;
        direct(view, home, &known.formula)
    })
}

fn direct(view: &Book, home: usize, text: &str) -> Option<(usize, Area)> {
    match split(text) {
        Some((sheet, cells)) => Some((view.workbook.position(&sheet)?, cells.parse().ok()?)),
        None => Some((home, text.trim().parse().ok()?)),
    }
}

/// The sheet's name without its quotes, and what stands behind the mark.
fn split(text: &str) -> Option<(String, &str)> {
    let text = text.trim();
    let text = text.strip_prefix('=').unwrap_or(text);
    let text = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(text);
    let (sheet, rest) = text.rsplit_once('!')?;
    let bare = sheet.strip_prefix('\'').and_then(|sheet| sheet.strip_suffix('\'')).unwrap_or(sheet);
    Some((bare.replace("''", "'"), rest))
}
