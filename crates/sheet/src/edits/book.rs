//! Sheets, names, pages and protection.

pub(crate) mod book_edit;
pub(crate) mod names;
pub(crate) mod page;
pub(crate) mod protection;
pub(crate) mod sheet_edit;
