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
    /// The heading alone; what stands below it stays.
    DeleteHeading {
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
        /// The only one of several that is meant, where one is.
        picked: Option<Picked>,
        /// Where to look, beside the section.
        grounds: Vec<Ground>,
        /// Where not to look.
        except: Vec<Ground>,
    },
    /// A text before or behind another one, in the same line.
    InsertBeside {
        text: String,
        anchor: String,
        after: bool,
        grounds: Vec<Ground>,
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
        grounds: Vec<Ground>,
    },
    Link {
        text: String,
        to: String,
    },
    /// A task by its text, or all of them.
    Tick {
        task: Option<String>,
        done: bool,
        /// Only those in there.
        place: Option<Ground>,
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
        /// The column that it stands beside, and whether after it; the last one where none is named.
        beside: Option<(String, bool)>,
        under: Option<String>,
    },
    DeleteColumn {
        name: String,
        under: Option<String>,
    },
    RenameColumn {
        name: String,
        to: String,
        under: Option<String>,
    },
    /// The cell where the row that begins with the one meets the column with the other at its head.
    SetCell {
        column: String,
        row: String,
        text: String,
        under: Option<String>,
        /// Only if this is what it says.
        was: Option<String>,
    },
    ReadCell {
        column: String,
        row: String,
    },
    ReadField {
        name: String,
    },
    /// Two items of one list change their places.
    SwapItems {
        one: Picked,
        other: Picked,
        under: Option<String>,
    },
    MoveItem {
        item: Picked,
        to: Spot,
        under: Option<String>,
    },
    /// The items of a list in the order of the alphabet.
    SortList {
        under: Option<String>,
        descending: bool,
    },
    /// A list as another kind of list.
    ListKind {
        list: Ground,
        to: ListShape,
    },
    /// All headings but the title so many levels deeper.
    ShiftAll {
        by: i8,
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
        place: Option<Ground>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    End,
    /// After the section with this heading, and all that belongs to it.
    After(String),
    Before(String),
}

/// A part of a document that text is looked for in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ground {
    Section(String),
    Headings,
    Title,
    /// What stands between the title and the first heading below it.
    Intro,
    /// By a word of its heading or of its header row.
    Table(Option<String>),
    /// The list of tasks.
    Tasks,
    List(Option<String>),
    Code,
    Block {
        kind: BlockKind,
        picked: Picked,
        under: Option<String>,
    },
}

/// Where an item goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    First,
    Last,
    Before(Picked),
    After(Picked),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListShape {
    Bullets,
    Numbers,
    Tasks,
}

/// What a block is turned into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    Paragraph,
    Quote,
    Code(Option<String>),
    Heading(u8),
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picked {
    Only,
    Nth(usize),
    Last,
    /// The one with this text.
    With(String),
    /// From one to another.
    Span(usize, usize),
    LastOf(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockAct {
    Delete,
    Read,
    Say(String),
    Turn(Shape),
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
    Span(usize, usize),
    LastOf(usize),
    /// By its first cell.
    Named(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    Words,
    Sections,
    OpenTasks,
    DoneTasks,
    Tasks,
    Items,
    Rows,
    Tables,
    Links,
    Paragraphs,
}

impl MarkdownStep {
    pub fn name(&self) -> &'static str {
        match self {
            Self::AddSection { .. } => "addSection",
            Self::DeleteSection { .. } => "deleteSection",
            Self::DeleteHeading { .. } => "deleteHeading",
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
            Self::RenameColumn { .. } => "renameColumn",
            Self::InsertBeside { .. } => "insert",
            Self::ReadCell { .. } => "readCell",
            Self::ReadField { .. } => "readField",
            Self::SwapItems { .. } => "swapItems",
            Self::MoveItem { .. } => "moveItem",
            Self::ListKind { .. } => "listKind",
            Self::SortList { .. } => "sortList",
            Self::ShiftAll { .. } => "level",
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
                | Self::ReadCell { .. }
                | Self::ReadField { .. }
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
        match self {
            Self::AddSection { title, place, .. } => write!(f, "Add section {title} {}", far(place)),
            Self::DeleteSection { title } => write!(f, "Delete section {title}"),
            Self::DeleteHeading { title } => write!(f, "Delete the heading {title} alone"),
            Self::RenameSection { title, to } => write!(f, "Rename section {title} to {to}"),
            Self::RenameTitle { to } => write!(f, "Rename the title to {to}"),
            Self::MoveSection { title, place } => write!(f, "Move section {title} {}", far(place)),
            Self::Level { title, to } => write!(f, "Make {title} a heading of level {to}"),
            Self::Shift { title, by } => write!(f, "Move the heading {title} by {by} levels"),
            Self::AddColumn { name, beside, under: section } => {
                write!(f, "Add the column {name}{}", under(section))?;
                beside.as_ref().map_or(Ok(()), |(other, after)| {
                    write!(f, " {} {other}", if *after { "after" } else { "before" })
                })
            }
            Self::DeleteColumn { name, under: section } => {
                write!(f, "Delete the column {name}{}", under(section))
            }
            Self::SetCell { column, row, text, under: section, was } => {
                write!(f, "Set {column} of {row} to \"{text}\"{}", under(section))?;
                was.as_ref().map_or(Ok(()), |was| write!(f, " if it is \"{was}\""))
            }
            Self::RenameColumn { name, to, under: section } => {
                write!(f, "Rename the column {name} to {to}{}", under(section))
            }
            Self::InsertBeside { text, anchor, after, grounds } => {
                let side = if *after { "after" } else { "before" };
                write!(f, "Insert \"{text}\" {side} \"{anchor}\"{}", said(" in ", grounds))
            }
            Self::ReadCell { column, row } => write!(f, "Read {column} of {row}"),
            Self::ReadField { name } => write!(f, "Read {name} in the front matter"),
            Self::SwapItems { one, other, under: section } => {
                write!(f, "Swap {} and {}{}", which("item", one), which("item", other), under(section))
            }
            Self::MoveItem { item, to, under: section } => {
                write!(f, "Move {} {to}{}", which("item", item), under(section))
            }
            Self::ListKind { list, to } => write!(f, "Turn {list} into {to}"),
            Self::SortList { under: section, .. } => write!(f, "Sort the list{}", under(section)),
            Self::ShiftAll { by } => write!(f, "Move all headings but the title by {by} levels"),
            Self::Block { kind, picked, under: section, act } => {
                act.told(f, &which(kind.noun(), picked), &under(section))
            }
            Self::Unmark { text, mark } => {
                write!(f, "Make \"{text}\" not {mark}")
            }
            Self::Prepend { text } => write!(f, "Add \"{text}\" below the title"),
            Self::Field { name, value } => write!(f, "Set {name} to \"{value}\" in the front matter"),
            Self::Title => f.write_str("Read the title"),
            Self::Replace { text, with, all, within, prose, picked, grounds, except } => {
                let first = which_of(*all, picked.as_ref());
                let outside = if *prose { " outside code" } else { "" };
                let (places, but) = (said(" in ", grounds), said(" but not in ", except));
                write!(f, "Replace {first}\"{text}\" with \"{with}\"{}{places}{but}{outside}", under(within))
            }
            Self::Append { text, section } => write!(f, "Append \"{text}\"{}", under(section)),
            Self::Find { text } => write!(f, "Find \"{text}\""),
            Self::Mark { text, all, mark, grounds } => {
                let every = if *all { "every " } else { "" };
                write!(f, "Make {every}\"{text}\" {mark}{}", said(" in ", grounds))
            }
            Self::Link { text, to } => write!(f, "Link \"{text}\" to {to}"),
            Self::Tick { task, done, place } => {
                let what = task.as_ref().map_or_else(|| "all tasks".to_owned(), |task| format!("\"{task}\""));
                write!(f, "{} {what}{}", if *done { "Tick" } else { "Untick" }, inside(place))
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
            Self::Count { what, place } => write!(f, "Count {what:?}{}", inside(place)),
        }
    }
}

impl BlockAct {
    fn told(&self, f: &mut fmt::Formatter<'_>, which: &str, section: &str) -> fmt::Result {
        match self {
            Self::Delete => write!(f, "Delete {which}{section}"),
            Self::Read => write!(f, "Read {which}{section}"),
            Self::Say(text) => write!(f, "Make {which}{section} say \"{text}\""),
            Self::Turn(shape) => {
                write!(f, "Turn {which}{section} into {shape}")
            }
            Self::Tick(done) => {
                write!(f, "{} {which}{section}", if *done { "Tick" } else { "Untick" })
            }
            Self::Beside { text, after: true } => {
                write!(f, "Add \"{text}\" after {which}{section}")
            }
            Self::Beside { text, .. } => write!(f, "Add \"{text}\" before {which}{section}"),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paragraph => f.write_str("a paragraph"),
            Self::Quote => f.write_str("a quote"),
            Self::Code(None) => f.write_str("a code block"),
            Self::Code(Some(language)) => write!(f, "a code block in {language}"),
            Self::Heading(level) => write!(f, "a heading of level {level}"),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => f.write_str("to the top"),
            Self::Last => f.write_str("to the end"),
            Self::Before(item) => write!(f, "before {}", which("item", item)),
            Self::After(item) => write!(f, "after {}", which("item", item)),
        }
    }
}

impl fmt::Display for ListShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bullets => "bullets",
            Self::Numbers => "a numbered list",
            Self::Tasks => "a list of tasks",
        })
    }
}

impl fmt::Display for Flavour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bold => "bold",
            Self::Italic => "italic",
            Self::Code => "code",
            Self::Strike => "strike",
            Self::Link => "link",
        })
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nth(number) => write!(f, "{number}"),
            Self::Last => f.write_str("last"),
            Self::Span(from, to) => write!(f, "{from} to {to}"),
            Self::LastOf(count) => write!(f, "s, the last {count}"),
            Self::Named(text) => write!(f, "of {text}"),
        }
    }
}

fn under(section: &Option<String>) -> String {
    section.as_ref().map_or_else(String::new, |name| format!(" under {name}"))
}

fn far(place: &Place) -> String {
    match place {
        Place::End => "at the end".to_owned(),
        Place::After(title) => format!("after {title}"),
        Place::Before(title) => format!("before {title}"),
    }
}

fn which_of(all: bool, picked: Option<&Picked>) -> String {
    match picked {
        Some(Picked::Nth(at)) => format!("number {} of ", at + 1),
        Some(Picked::Last) => "the last ".to_owned(),
        _ if all => String::new(),
        _ => "the first ".to_owned(),
    }
}

fn inside(place: &Option<Ground>) -> String {
    place.as_ref().map_or_else(String::new, |place| format!(" in {place}"))
}

fn which(noun: &str, picked: &Picked) -> String {
    match picked {
        Picked::Only => format!("the {noun}"),
        Picked::Nth(at) => format!("{noun} {}", at + 1),
        Picked::Last => format!("the last {noun}"),
        Picked::With(text) => format!("the {noun} with \"{text}\""),
        Picked::Span(from, to) => format!("{noun} {} to {}", from + 1, to + 1),
        Picked::LastOf(count) => format!("the last {count} {noun}s"),
    }
}

fn said(lead: &str, grounds: &[Ground]) -> String {
    let named: Vec<String> = grounds.iter().map(ToString::to_string).collect();
    if named.is_empty() { String::new() } else { format!("{lead}{}", named.join(" and ")) }
}

impl BlockKind {
    pub fn noun(self) -> &'static str {
        match self {
            Self::Quote => "quote",
            Self::Code => "code block",
            Self::Paragraph => "paragraph",
            Self::Footnote => "footnote",
            Self::Rule => "rule",
            Self::FrontMatter => "front matter",
            Self::Image => "image",
            Self::Task => "task",
            Self::Item => "item",
        }
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Section(name) => write!(f, "the section {name}"),
            Self::Headings => f.write_str("the headings"),
            Self::Title => f.write_str("the title"),
            Self::Intro => f.write_str("the introduction"),
            Self::Table(None) => f.write_str("the table"),
            Self::Table(Some(name)) => write!(f, "the {name} table"),
            Self::Tasks => f.write_str("the list of tasks"),
            Self::List(None) => f.write_str("the list"),
            Self::List(Some(name)) => write!(f, "the list under {name}"),
            Self::Code => f.write_str("code"),
            Self::Block { kind, picked, under } => {
                f.write_str(&which(kind.noun(), picked))?;
                under.as_ref().map_or(Ok(()), |name| write!(f, " under {name}"))
            }
        }
    }
}
