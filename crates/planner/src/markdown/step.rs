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
        /// Code is left alone even where nothing else has the text.
        prose: bool,
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
    AddColumn {
        name: String,
        under: Option<String>,
    },
    DeleteColumn {
        name: String,
        under: Option<String>,
    },
    /// The cell where the row that begins with the one meets the column with the other at its head.
    SetCell {
        column: String,
        row: String,
        text: String,
        under: Option<String>,
    },
    /// A block by what it is.
    Block {
        kind: BlockKind,
        picked: Picked,
        under: Option<String>,
        act: BlockAct,
    },
    Unmark {
        text: String,
        mark: Flavour,
    },
    /// Below the title.
    Prepend {
        text: String,
    },
    /// A field of the front matter.
    Field {
        name: String,
        value: String,
    },
    Outline,
    Tasks,
    Title,
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
    Link,
}

/// What kind of block is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    Quote,
    Code,
    Paragraph,
    Footnote,
    Rule,
    FrontMatter,
    Image,
    Task,
    Item,
}

/// Which of several, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picked {
    Only,
    Nth(usize),
    Last,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockAct {
    Delete,
    Read,
    Say(String),
    Tick(bool),
    /// A new item before or after it.
    Beside {
        text: String,
        after: bool,
    },
}

/// A row below the header, counted from 1 as people do, or the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    Nth(usize),
    Last,
    /// By its first cell.
    Named(String),
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
            Self::AddColumn { .. } => "addColumn",
            Self::DeleteColumn { .. } => "deleteColumn",
            Self::SetCell { .. } => "setCell",
            Self::Block { .. } => "block",
            Self::Unmark { .. } => "unmark",
            Self::Prepend { .. } => "prepend",
            Self::Field { .. } => "setField",
            Self::Title => "title",
            Self::Outline => "outline",
            Self::Tasks => "tasks",
            Self::Read { .. } => "read",
            Self::Count { .. } => "count",
        }
    }

    pub fn only_reads(&self) -> bool {
        matches!(
            self,
            Self::Find { .. }
                | Self::Title
                | Self::Block { act: BlockAct::Read, .. }
                | Self::Outline
                | Self::Tasks
                | Self::Read { .. }
                | Self::Count { .. }
        )
    }
}

impl fmt::Display for MarkdownStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let under = |section: &Option<String>| {
            section.as_ref().map_or_else(String::new, |name| format!(" under {name}"))
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
            Self::AddColumn { name, under: section } => write!(f, "Add the column {name}{}", under(section)),
            Self::DeleteColumn { name, under: section } => {
                write!(f, "Delete the column {name}{}", under(section))
            }
            Self::SetCell { column, row, text, under: section } => {
                write!(f, "Set {column} of {row} to \"{text}\"{}", under(section))
            }
            Self::Block { kind, picked, under: section, act } => {
                let kind = format!("{kind:?}").to_lowercase();
                let which = match picked {
                    Picked::Only => format!("the {kind}"),
                    Picked::Nth(at) => format!("{kind} {}", at + 1),
                    Picked::Last => format!("the last {kind}"),
                };
                let section = under(section);
                match act {
                    BlockAct::Delete => write!(f, "Delete {which}{section}"),
                    BlockAct::Read => write!(f, "Read {which}{section}"),
                    BlockAct::Say(text) => write!(f, "Make {which}{section} say \"{text}\""),
                    BlockAct::Tick(done) => {
                        write!(f, "{} {which}{section}", if *done { "Tick" } else { "Untick" })
                    }
                    BlockAct::Beside { text, after: true } => {
                        write!(f, "Add \"{text}\" after {which}{section}")
                    }
                    BlockAct::Beside { text, .. } => write!(f, "Add \"{text}\" before {which}{section}"),
                }
            }
            Self::Unmark { text, mark } => {
                write!(f, "Make \"{text}\" not {}", format!("{mark:?}").to_lowercase())
            }
            Self::Prepend { text } => write!(f, "Add \"{text}\" below the title"),
            Self::Field { name, value } => write!(f, "Set {name} to \"{value}\" in the front matter"),
            Self::Title => f.write_str("Read the title"),
            Self::Replace { text, with, all, within, prose } => {
                let first = if *all { "" } else { "the first " };
                let outside = if *prose { " outside code" } else { "" };
                write!(f, "Replace {first}\"{text}\" with \"{with}\"{}{outside}", under(within))
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
                    Row::Named(text) => format!("of {text}"),
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
