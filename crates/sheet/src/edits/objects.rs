//! What lies on sheets: tables, charts, pictures, links, notes and threads.

pub(crate) mod attached;
pub(crate) mod chart_change;
pub(crate) mod chart_markup;
pub(crate) mod chart_range;
pub(crate) mod chart_spec;
pub(crate) mod charts;
pub(crate) mod drawings;
pub(crate) mod links;
pub(crate) mod notes;
pub(crate) mod query_fields;
pub(crate) mod table_edit;
pub(crate) mod threads;
