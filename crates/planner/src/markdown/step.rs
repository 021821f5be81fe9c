//! What a request about a Markdown document asks for, as data.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkdownStep {
    AddSection {
        title: String,
        level: Option<u8>,
        place: Place,
        content: Option<String>,
    },
    DeleteSection {
        title: String,
    },
    RenameSection {
        title: String,
        to: String,
    },
    RenameTitle {
        to: String,
    },
    MoveSection {
        title: String,
        place: Place,
    },
    Level {
        title: String,
        to: u8,
    },
    /// So many levels deeper.
    Shift {
        title: String,
        by: i8,
    },
    Replace {
        text: String,
        with: String,
        all: bool,
        within: Option<String>,
    },
    /// At the end of a section, or of the document.
    Append {
        text: String,
        section: Option<String>,
    },
    Find {
        text: String,
    },
    /// The only place of a text gets a mark, or every one.
    Mark {
        text: String,
        all: bool,
        mark: Flavour,
    },
    Link {
        text: String,
        to: String,
    },
    /// A task by its text, or all of them.
    Tick {
        task: Option<String>,
        done: bool,
    },
    AddItem {
        text: String,
        under: Option<String>,
        task: bool,
    },
    DeleteItem {
        text: String,
        under: Option<String>,
    },
    AddRow {
        cells: Vec<String>,
        under: Option<String>,
    },
    DeleteRow {
        row: Row,
        under: Option<String>,
    },
    SortTable {
        column: String,
        descending: bool,
        under: Option<String>,
    },
    ListToTable {
        under: Option<String>,
    },
    Outline,
    Tasks,
    Read {
        section: String,
    },
    Count {
        what: Count,
        section: Option<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    End,
    /// After the section with this heading, and all that belongs to it.
    After(String),
    Before(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    Bold,
    Italic,
    Code,
    Strike,
}

/// A row below the header, counted from 1 as people do, or the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    Nth(usize),
    Last,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    Words,
    Sections,
    OpenTasks,
}

impl MarkdownStep {
    pub fn name(&self) -> &'static str {
        match self {
            Self::AddSection { .. } => "addSection",
            Self::DeleteSection { .. } => "deleteSection",
            Self::RenameSection { .. } => "renameSection",
            Self::RenameTitle { .. } => "renameTitle",
            Self::MoveSection { .. } => "moveSection",
            Self::Level { .. } | Self::Shift { .. } => "level",
            Self::Replace { .. } => "replace",
            Self::Append { .. } => "append",
            Self::Find { .. } => "find",
            Self::Mark { .. } => "mark",
            Self::Link { .. } => "link",
            Self::Tick { .. } => "tick",
            Self::AddItem { .. } => "addItem",
            Self::DeleteItem { .. } => "deleteItem",
            Self::AddRow { .. } => "addRow",
            Self::DeleteRow { .. } => "deleteRow",
            Self::SortTable { .. } => "sortTable",
            Self::ListToTable { .. } => "listToTable",
            Self::Outline => "outline",
            Self::Tasks => "tasks",
            Self::Read { .. } => "read",
            Self::Count { .. } => "count",
        }
    }

    pub fn only_reads(&self) -> bool {
        matches!(
            self,
            Self::Find { .. } | Self::Outline | Self::Tasks | Self::Read { .. } | Self::Count { .. }
        )
    }
}

impl fmt::Display for MarkdownStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let under = |section: &Option<String>| {
            section.as_ref().map(|name| format!(" under {name}")).unwrap_or_default()
        };
        let at = |place: &Place| match place {
            Place::End => "at the end".to_owned(),
            Place::After(title) => format!("after {title}"),
            Place::Before(title) => format!("before {title}"),
        };
        match self {
            Self::AddSection { title, place, .. } => write!(f, "Add section {title} {}", at(place)),
            Self::DeleteSection { title } => write!(f, "Delete section {title}"),
            Self::RenameSection { title, to } => write!(f, "Rename section {title} to {to}"),
            Self::RenameTitle { to } => write!(f, "Rename the title to {to}"),
            Self::MoveSection { title, place } => write!(f, "Move section {title} {}", at(place)),
            Self::Level { title, to } => write!(f, "Make {title} a heading of level {to}"),
            Self::Shift { title, by } => write!(f, "Move the heading {title} by {by} levels"),
            Self::Replace { text, with, all, within } => {
                let first = if *all { "" } else { "the first " };
                write!(f, "Replace {first}\"{text}\" with \"{with}\"{}", under(within))
            }
            Self::Append { text, section } => write!(f, "Append \"{text}\"{}", under(section)),
            Self::Find { text } => write!(f, "Find \"{text}\""),
            Self::Mark { text, all, mark } => {
                write!(
                    f,
                    "Make {}\"{text}\" {}",
                    if *all { "every " } else { "" },
                    format!("{mark:?}").to_lowercase()
                )
            }
            Self::Link { text, to } => write!(f, "Link \"{text}\" to {to}"),
            Self::Tick { task, done } => {
                let what = task.as_ref().map_or_else(|| "all tasks".to_owned(), |task| format!("\"{task}\""));
                write!(f, "{} {what}", if *done { "Tick" } else { "Untick" })
            }
            Self::AddItem { text, under: section, .. } => {
                write!(f, "Add the item \"{text}\"{}", under(section))
            }
            Self::DeleteItem { text, under: section } => {
                write!(f, "Delete the item \"{text}\"{}", under(section))
            }
            Self::AddRow { cells, under: section } => {
                write!(f, "Add the row {}{}", cells.join(" | "), under(section))
            }
            Self::DeleteRow { row, under: section } => {
                let row = match row {
                    Row::Nth(number) => number.to_string(),
                    Row::Last => "last".to_owned(),
                };
                write!(f, "Delete row {row}{}", under(section))
            }
            Self::SortTable { column, descending, under: section } => {
                write!(
                    f,
                    "Sort the table by {column}{}{}",
                    if *descending { " descending" } else { "" },
                    under(section)
                )
            }
            Self::ListToTable { under: section } => write!(f, "Turn the list{} into a table", under(section)),
            Self::Outline => f.write_str("Outline"),
            Self::Tasks => f.write_str("List open tasks"),
            Self::Read { section } => write!(f, "Read {section}"),
            Self::Count { what, section } => write!(f, "Count {what:?}{}", under(section)),
        }
    }
}
