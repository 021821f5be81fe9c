//! What is read of one revision of a workbook.
//!
//! Everything is read when it is first asked for and shared by clones, so that a book costs what is looked at.
//! Sheets that an edit does not touch are taken over by the book of the next revision as they are.

use std::fmt;
use std::sync::{Arc, OnceLock};

use edit::{Content, PartChange, Patch, Refusal};

use crate::file::strings::Strings;
use crate::file::styles::Styles;
use crate::file::workbook::{Tab, TabKind, Workbook};
use crate::file::worksheet::Worksheet;
use crate::read::sheet_view::SheetView;

/// A workbook as it stands in one revision, whether or not its formulas are up to date.
#[derive(Clone)]
pub struct Book {
    pub(crate) content: Content,
    pub(crate) workbook: Arc<Workbook>,
    sheets: Vec<Lazy<Worksheet>>,
    strings: Option<Lazy<Strings>>,
    styles: Option<Lazy<Styles>>,
    rich_errors: Arc<OnceLock<Vec<Option<formula::ErrorKind>>>>,
}

type Lazy<T> = Arc<OnceLock<Result<Arc<T>, Refusal>>>;

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.workbook.sheets.iter().map(|tab| tab.name.as_str()).collect();
        f.debug_struct("Book").field("sheets", &names).finish_non_exhaustive()
    }
}

impl Book {
    pub(crate) fn new(content: &Content) -> Result<Book, Refusal> {
        let workbook = Workbook::read(content)?;
        if workbook.sheets.is_empty() {
            return Err(Refusal::Corrupt {
                what: workbook.part.to_string(),
                why: "it lists no sheet that is there".to_owned(),
            });
        }
        Ok(Book {
            content: content.clone(),
            sheets: workbook.sheets.iter().map(|_| Lazy::default()).collect(),
            strings: workbook.strings.as_ref().map(|_| Lazy::default()),
            styles: workbook.styles.as_ref().map(|_| Lazy::default()),
            workbook: Arc::new(workbook),
            rich_errors: Arc::default(),
        })
    }

    /// What was read of this revision and holds in the next.
    pub(crate) fn after(&self, patch: &Patch, after: &Content) -> Result<Book, Refusal> {
        let frame_changed = patch.parts().any(|(name, change)| {
            let name = name.as_str();
            name == self.workbook.part.as_str()
                || name == self.workbook.relationships.part().as_str()
                || matches!(change, PartChange::Put(_) | PartChange::Remove)
                || name.ends_with(".rels")
        });
        let mut next =
            if frame_changed { Book::new(after)? } else { Book { content: after.clone(), ..self.clone() } };
        let cells = |name: &edit::PartName| {
            self.workbook.sheets.iter().any(|tab| tab.part == *name)
                || [&self.workbook.strings, &self.workbook.styles]
                    .into_iter()
                    .any(|part| part.as_ref() == Some(name))
        };
        if patch.parts().any(|(name, _)| !cells(name)) {
            next.rich_errors = Arc::default();
        }
        for (index, tab) in next.workbook.sheets.iter().enumerate() {
            let Some(old) = self.workbook.sheets.iter().position(|old| old.part == tab.part) else {
                continue;
            };
            let Some(known) = self.sheets.get(old) else { continue };
            let Some(slot) = next.sheets.get_mut(index) else { continue };
            *slot = match (patch.part(&tab.part), known.get()) {
                (None, _) => Arc::clone(known),
                (Some(PartChange::Splices(_)), Some(Ok(sheet))) => {
                    let blob = after.existing(&tab.part)?;
                    Arc::new(OnceLock::from(sheet.after(patch, blob).map(Arc::new)))
                }
                _ => Lazy::default(),
            };
        }
        if let (Some(part), Some(strings)) = (&next.workbook.strings, &self.strings)
            && self.workbook.strings.as_ref() == Some(part)
        {
            next.strings = Some(match (patch.part(part), strings.get()) {
                (None, _) => Arc::clone(strings),
                (Some(PartChange::Splices(_)), Some(Ok(known))) => {
                    let blob = after.existing(part)?;
                    let grown = (**known).clone().after(patch, blob);
                    Arc::new(OnceLock::from(grown.map(Arc::new)))
                }
                _ => Lazy::default(),
            });
        }
        if let (Some(part), Some(styles)) = (&next.workbook.styles, &self.styles) {
            let same = self.workbook.styles.as_ref() == Some(part) && patch.part(part).is_none();
            next.styles = Some(if same { Arc::clone(styles) } else { Lazy::default() });
        }
        Ok(next)
    }

    /// The error that a value's metadata tell, by their number from one on.
    pub(crate) fn rich_error(&self, mark: u32) -> Option<formula::ErrorKind> {
        let known = self.rich_errors.get_or_init(|| crate::read::rich_errors::read(self));
        known.get((mark as usize).checked_sub(1)?).copied().flatten()
    }

    /// The number that stands for `2024-02-29`, `2024-02-29T13:30:00` or `13:30` in this workbook.
    pub fn date_serial(&self, iso: &str) -> Option<f64> {
        crate::file::dates::serial_of_iso(iso, self.workbook.dates)
    }

    /// The day that a number stands for in this workbook, as `2024-02-29`.
    pub fn day_of_serial(&self, serial: f64) -> Option<String> {
        let day = formula::Value::Number(serial.floor());
        formula::numfmt::format(&day, "yyyy-mm-dd", self.workbook.dates).map(|shown| shown.text)
    }

    pub fn workbook(&self) -> &Workbook {
        &self.workbook
    }

    /// A sheet by its name, in any case.
    pub fn sheet(&self, name: &str) -> Result<SheetView<'_>, Refusal> {
        let position = self.workbook.position(name).ok_or_else(|| self.no_sheet(name))?;
        self.sheet_at(position)
    }

    /// A sheet by its position.
    pub fn sheet_at(&self, position: usize) -> Result<SheetView<'_>, Refusal> {
        let missing = || Refusal::not_found("sheet", format!("number {position}"));
        let tab = self.workbook.sheets.get(position).ok_or_else(missing)?;
        let worksheet = self.worksheet(position)?;
        Ok(SheetView { book: self, position, tab, worksheet })
    }

    /// All worksheets, in order.
    pub fn worksheets(&self) -> impl Iterator<Item = Result<SheetView<'_>, Refusal>> {
        let tabs = self.workbook.sheets.iter().enumerate();
        tabs.filter(|(_, tab)| tab.kind == TabKind::Worksheet).map(|(position, _)| self.sheet_at(position))
    }

    pub(crate) fn has_formulas(&self) -> Result<bool, Refusal> {
        for sheet in self.worksheets() {
            // A sheet that cannot be read has nothing to say, and must not keep others from being edited.
            if sheet.is_ok_and(|sheet| sheet.worksheet.has_formulas()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(crate) fn worksheet(&self, position: usize) -> Result<&Arc<Worksheet>, Refusal> {
        let missing = || Refusal::not_found("sheet", format!("number {position}"));
        let tab = self.workbook.sheets.get(position).ok_or_else(missing)?;
        if tab.kind != TabKind::Worksheet {
            return Err(Refusal::Unsupported {
                what: format!("reading cells of `{}`, which is no worksheet", tab.name),
                instead: None,
            });
        }
        let lazy = self.sheets.get(position).ok_or_else(missing)?;
        let loaded = lazy.get_or_init(|| self.load_sheet(tab).map(Arc::new));
        loaded.as_ref().map_err(Clone::clone)
    }

    fn load_sheet(&self, tab: &Tab) -> Result<Worksheet, Refusal> {
        // A sheet whose part is missing is refused by its reader, as one without a root.
        let blob = self.content.read_folded(&tab.part, &Worksheet::SURVEY)?.unwrap_or_default();
        Worksheet::load(&tab.part, blob)
    }

    /// The worksheet if somebody looked at it before.
    pub(crate) fn loaded(&self, position: usize) -> Option<&Arc<Worksheet>> {
        self.sheets.get(position)?.get()?.as_ref().ok()
    }

    pub(crate) fn strings(&self) -> Result<Option<&Arc<Strings>>, Refusal> {
        let (Some(lazy), Some(part)) = (&self.strings, &self.workbook.strings) else { return Ok(None) };
        let loaded = lazy.get_or_init(|| {
            // As for a sheet: strings without a root are refused by their reader.
            let blob = self.content.read(part)?.unwrap_or_default();
            Strings::load(part, blob).map(Arc::new)
        });
        loaded.as_ref().map(Some).map_err(Clone::clone)
    }

    pub(crate) fn styles(&self) -> Result<Option<&Arc<Styles>>, Refusal> {
        let (Some(lazy), Some(part)) = (&self.styles, &self.workbook.styles) else { return Ok(None) };
        let loaded = lazy.get_or_init(|| Styles::load(&self.content, part).map(Arc::new));
        loaded.as_ref().map(Some).map_err(Clone::clone)
    }
}
