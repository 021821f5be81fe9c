//! What a request about a workbook asks for, as data.

use std::fmt;

use word::op::Color;

#[derive(Debug, Clone, PartialEq)]
pub enum SheetStep {
    Set {
        at: SheetRef,
        entry: Entry,
        /// Only if this is what the cell holds.
        only_if: Option<Entry>,
        /// Whether a number is to become larger or smaller, where that was said.
        towards: Option<Towards>,
    },
    Clear {
        at: SheetRef,
    },
    ClearLook {
        at: SheetRef,
    },
    Read {
        at: SheetRef,
    },
    Formula {
        at: SheetRef,
    },
    Summarise {
        what: Summary,
        at: SheetRef,
    },
    /// A formula that sums cells, or another figure of them, in another cell.
    Total {
        what: Summary,
        of: SheetRef,
        into: SheetRef,
    },
    /// The same in the first free cell below them.
    TotalBelow {
        what: Summary,
        of: SheetRef,
    },
    /// Numbers plus an amount.
    Shift {
        at: SheetRef,
        by: f64,
    },
    /// A row below the last one.
    AddRow {
        at: SheetRef,
        cells: Vec<Entry>,
    },
    /// A header right of the last one.
    AddColumn {
        at: SheetRef,
        name: String,
    },
    DeleteWhere {
        at: SheetRef,
        condition: Condition,
    },
    CountWhere {
        at: SheetRef,
        condition: Condition,
    },
    ListWhere {
        at: SheetRef,
        condition: Condition,
    },
    /// A figure of one column, of the rows that a condition is true of.
    SummariseWhere {
        what: Summary,
        column: String,
        at: SheetRef,
        condition: Condition,
    },
    /// One value in a column of such rows.
    SetWhere {
        column: String,
        entry: Entry,
        at: SheetRef,
        condition: Condition,
    },
    /// How such rows look, or only the cells of the column.
    LookWhere {
        at: SheetRef,
        condition: Condition,
        rows: bool,
        look: CellLook,
    },
    /// The row with the largest or smallest number of a column.
    Extreme {
        at: SheetRef,
        column: String,
        most: bool,
        called: Option<String>,
    },
    /// Whether something is true of a cell.
    Test {
        at: SheetRef,
        condition: Condition,
    },
    RenameColumn {
        at: SheetRef,
        to: String,
    },
    /// Columns as wide as what they show.
    Fit {
        at: SheetRef,
    },
    /// Numbers rounded for good.
    Round {
        at: SheetRef,
        digits: i32,
    },
    /// Numbers times a factor.
    Scale {
        at: SheetRef,
        factor: f64,
    },
    CountSheets,
    CountRows {
        at: SheetRef,
    },
    Find {
        text: String,
        at: Option<SheetRef>,
    },
    Replace {
        text: String,
        with: String,
        at: Option<SheetRef>,
    },
    Look {
        at: SheetRef,
        look: CellLook,
    },
    Sort {
        at: SheetRef,
        by: Vec<(String, bool)>,
    },
    Filter {
        at: SheetRef,
        column: String,
        values: Vec<String>,
    },
    ClearFilter {
        at: SheetRef,
    },
    InsertLines {
        rows: bool,
        at: SheetRef,
        after: bool,
        count: u32,
        /// What the new column is called.
        header: Option<String>,
    },
    DeleteLines {
        at: SheetRef,
    },
    AddSheet {
        name: String,
        place: Far,
    },
    RenameSheet {
        sheet: String,
        to: String,
    },
    DeleteSheet {
        sheet: String,
    },
    ShowSheet {
        sheet: String,
        visible: bool,
    },
    MoveSheet {
        sheet: String,
        place: Far,
    },
    Merge {
        at: SheetRef,
    },
    Unmerge {
        at: SheetRef,
    },
    Size {
        at: SheetRef,
        size: f64,
    },
    Hide {
        at: SheetRef,
        hidden: bool,
    },
    Freeze {
        at: SheetRef,
        rows: u32,
        columns: u32,
    },
    FreezeAt {
        at: SheetRef,
    },
    Note {
        at: SheetRef,
        text: String,
    },
    RemoveNotes {
        at: SheetRef,
    },
    Name {
        name: String,
        at: SheetRef,
    },
    Copy {
        from: SheetRef,
        to: SheetRef,
        takes: bool,
    },
}

/// Cells as they were named; the workbook knows whether they exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SheetRef {
    Cells(Address),
    /// By its letter, or by what its header says.
    Column {
        sheet: Option<String>,
        name: String,
        to: Option<String>,
    },
    /// From 0.
    Rows {
        sheet: Option<String>,
        from: usize,
        to: usize,
    },
    /// The last rows in use.
    LastRows {
        sheet: Option<String>,
        count: usize,
    },
    /// The row that begins with this text.
    RowOf {
        sheet: Option<String>,
        text: String,
    },
    /// The cell beside a text, if only one cell says so.
    Label {
        sheet: Option<String>,
        text: String,
    },
    /// All that a sheet, or a table, holds.
    Used {
        sheet: Option<String>,
    },
    It,
}

/// A cell or range by its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub sheet: Option<String>,
    /// `B5`, `A1:C3`, or a defined name.
    pub cells: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Number(f64),
    Text(String),
    /// A text that was said without quotation marks.
    Words(String),
    Bool(bool),
    /// With its equals sign.
    Formula(String),
    /// As people type it into a cell: `25%`, `1 1/2`, `13:30`.
    Typed(String),
    /// `2026-01-15`
    Date(String),
}

/// "Raise it to 5", "reduce it to 5".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Towards {
    Up,
    Down,
}

impl Towards {
    /// Whether the change from one number to another goes this way.
    pub fn fits(self, before: f64, after: f64) -> bool {
        match self {
            Self::Up => after >= before,
            Self::Down => after <= before,
        }
    }
}

impl fmt::Display for Towards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Up => "raised",
            Self::Down => "reduced",
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Summary {
    Sum,
    Average,
    Maximum,
    Minimum,
    Count,
    Blanks,
}

/// How a cell is compared with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    Is,
    IsNot,
    Above,
    Below,
    AtLeast,
    AtMost,
    Contains,
    Lacks,
    Blank,
    Filled,
}

/// Rows whose cell in a column says this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Nothing where it was not said: the only column that has the value.
    pub column: String,
    pub test: Test,
    pub value: String,
    /// What the rows were called: orders, customers.
    pub called: Option<String>,
}

impl Condition {
    /// The value as a number, if it is one: `1,400`, `€5`, `30%`.
    pub fn number(&self) -> Option<f64> {
        if let Some(number) = crate::phrase::number(self.value.trim()) {
            return Some(number as f64);
        }
        let bare = self.value.trim().trim_start_matches(['$', '€', '£']).replace(',', "");
        match bare.strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f64>().ok().map(|number| number / 100.0),
            None => bare.parse().ok(),
        }
        .filter(|number: &f64| number.is_finite())
    }
}

/// Where a sheet goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Far {
    First,
    Last,
    Before(String),
    After(String),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct CellLook {
    pub bold: Option<bool>,
    pub italic: Option<bool>,
    pub underline: Option<bool>,
    pub color: Option<Color>,
    pub fill: Option<Color>,
    pub font: Option<String>,
    pub size: Option<f64>,
    /// `left`, `center`, `right`.
    pub align: Option<&'static str>,
    pub wrap: Option<bool>,
    /// So many decimals, whatever else the format of the cell says.
    pub decimals: Option<usize>,
    /// Thin lines around each cell, or around all of them.
    pub border: Option<Lines>,
    pub format: Option<String>,
}

/// Which lines cells get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    Each,
    Around,
    Below,
    None,
}

impl SheetRef {
    pub(super) fn on(self, name: String) -> Self {
        match self {
            Self::Cells(Address { sheet: None, cells }) => Self::Cells(Address { sheet: Some(name), cells }),
            Self::Column { sheet: None, name: column, to } => {
                Self::Column { sheet: Some(name), name: column, to }
            }
            Self::Rows { sheet: None, from, to } => Self::Rows { sheet: Some(name), from, to },
            Self::Label { sheet: None, text } => Self::Label { sheet: Some(name), text },
            Self::RowOf { sheet: None, text } => Self::RowOf { sheet: Some(name), text },
            Self::Used { sheet: None } => Self::Used { sheet: Some(name) },
            Self::LastRows { sheet: None, count } => Self::LastRows { sheet: Some(name), count },
            other => other,
        }
    }
}

impl SheetRef {
    pub(super) fn sheet(&self) -> Option<&String> {
        match self {
            Self::Cells(Address { sheet, .. })
            | Self::Column { sheet, .. }
            | Self::Rows { sheet, .. }
            | Self::Label { sheet, .. }
            | Self::RowOf { sheet, .. }
            | Self::LastRows { sheet, .. }
            | Self::Used { sheet } => sheet.as_ref(),
            Self::It => None,
        }
    }

    /// Whether whole rows are meant, and no columns.
    pub fn is_rows(&self) -> bool {
        matches!(self, Self::Rows { .. } | Self::RowOf { .. } | Self::LastRows { .. })
    }

    /// Whether it is on whichever sheet is shown. A label is looked for on all of them.
    pub(super) fn lacks_sheet(&self) -> bool {
        let everywhere = matches!(self, Self::Label { .. } | Self::It);
        let qualified = matches!(self, Self::Cells(Address { cells, .. }) if cells.contains('!'));
        self.sheet().is_none() && !everywhere && !qualified
    }
}

impl SheetStep {
    /// The sheet that it names, or makes.
    pub(super) fn named_sheet(mut self) -> Option<String> {
        match &self {
            Self::AddSheet { name, .. } => return Some(name.clone()),
            Self::RenameSheet { to, .. } => return Some(to.clone()),
            _ => {}
        }
        self.place().and_then(|place| place.sheet().cloned())
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Set { .. } => "set",
            Self::Clear { .. } => "clear",
            Self::ClearLook { .. } => "clearFormatting",
            Self::Read { .. } => "read",
            Self::Formula { .. } => "readFormula",
            Self::Summarise { .. } => "summarise",
            Self::Total { .. } => "total",
            Self::TotalBelow { .. } => "total",
            Self::Scale { .. } | Self::Shift { .. } => "scale",
            Self::AddRow { .. } => "addRow",
            Self::AddColumn { .. } => "addColumn",
            Self::DeleteWhere { .. } => "deleteRows",
            Self::CountWhere { .. } => "countRows",
            Self::ListWhere { .. } => "listRows",
            Self::SummariseWhere { .. } => "summarise",
            Self::SetWhere { .. } => "set",
            Self::LookWhere { .. } => "format",
            Self::Extreme { .. } => "extreme",
            Self::Test { .. } => "test",
            Self::RenameColumn { .. } => "renameColumn",
            Self::Fit { .. } => "fitColumns",
            Self::Round { .. } => "round",
            Self::CountSheets => "countSheets",
            Self::CountRows { .. } => "countRows",
            Self::Find { .. } => "find",
            Self::Replace { .. } => "replace",
            Self::Look { .. } => "format",
            Self::Sort { .. } => "sort",
            Self::Filter { .. } => "filter",
            Self::ClearFilter { .. } => "clearFilter",
            Self::InsertLines { .. } => "insert",
            Self::DeleteLines { .. } => "delete",
            Self::AddSheet { .. } => "addSheet",
            Self::RenameSheet { .. } => "renameSheet",
            Self::DeleteSheet { .. } => "deleteSheet",
            Self::ShowSheet { .. } => "showSheet",
            Self::MoveSheet { .. } => "moveSheet",
            Self::Merge { .. } => "merge",
            Self::Unmerge { .. } => "unmerge",
            Self::Size { .. } => "size",
            Self::Hide { .. } => "hide",
            Self::Freeze { .. } | Self::FreezeAt { .. } => "freeze",
            Self::Note { .. } => "note",
            Self::RemoveNotes { .. } => "removeNotes",
            Self::Name { .. } => "name",
            Self::Copy { takes: false, .. } => "copy",
            Self::Copy { takes: true, .. } => "move",
        }
    }

    pub fn only_reads(&self) -> bool {
        matches!(
            self,
            Self::Read { .. }
                | Self::Formula { .. }
                | Self::Summarise { .. }
                | Self::CountSheets
                | Self::CountWhere { .. }
                | Self::ListWhere { .. }
                | Self::SummariseWhere { .. }
                | Self::Extreme { .. }
                | Self::Test { .. }
                | Self::CountRows { .. }
                | Self::Find { .. }
        )
    }

    /// The cells that it is about, if it is about cells.
    pub(super) fn place(&mut self) -> Option<&mut SheetRef> {
        match self {
            Self::Set { at, .. }
            | Self::Clear { at }
            | Self::ClearLook { at }
            | Self::Read { at }
            | Self::Formula { at }
            | Self::Summarise { at, .. }
            | Self::Scale { at, .. }
            | Self::Shift { at, .. }
            | Self::AddRow { at, .. }
            | Self::AddColumn { at, .. }
            | Self::DeleteWhere { at, .. }
            | Self::CountWhere { at, .. }
            | Self::ListWhere { at, .. }
            | Self::SummariseWhere { at, .. }
            | Self::SetWhere { at, .. }
            | Self::LookWhere { at, .. }
            | Self::Extreme { at, .. }
            | Self::Test { at, .. }
            | Self::RenameColumn { at, .. }
            | Self::Fit { at }
            | Self::Round { at, .. }
            | Self::TotalBelow { of: at, .. }
            | Self::CountRows { at }
            | Self::Look { at, .. }
            | Self::Sort { at, .. }
            | Self::Filter { at, .. }
            | Self::ClearFilter { at }
            | Self::InsertLines { at, .. }
            | Self::DeleteLines { at }
            | Self::Merge { at }
            | Self::Unmerge { at }
            | Self::Size { at, .. }
            | Self::Hide { at, .. }
            | Self::Freeze { at, .. }
            | Self::FreezeAt { at }
            | Self::Note { at, .. }
            | Self::RemoveNotes { at }
            | Self::Name { at, .. }
            | Self::Copy { from: at, .. }
            | Self::Total { into: at, .. } => Some(at),
            Self::Find { at, .. } | Self::Replace { at, .. } => at.as_mut(),
            Self::CountSheets
            | Self::AddSheet { .. }
            | Self::RenameSheet { .. }
            | Self::DeleteSheet { .. }
            | Self::ShowSheet { .. }
            | Self::MoveSheet { .. } => None,
        }
    }

    /// On the sheet that was named before the rest.
    pub(super) fn at_home(mut self, home: Option<String>) -> Self {
        let Some(home) = home else { return self };
        if let Self::Find { at: at @ None, .. } | Self::Replace { at: at @ None, .. } = &mut self {
            *at = Some(SheetRef::Used { sheet: Some(home) });
            return self;
        }
        if let Some(place) = self.place() {
            *place = place.clone().on(home.clone());
        }
        if let Self::Copy { to, .. } | Self::Total { of: to, .. } = &mut self {
            *to = to.clone().on(home);
        }
        self
    }
}

impl fmt::Display for SheetStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set { at, entry, only_if, .. } => {
                write!(f, "set {at} to {entry}")?;
                only_if.as_ref().map_or(Ok(()), |was| write!(f, " if it is {was}"))
            }
            Self::Summarise { what, at } => write!(f, "{what} of {at}"),
            Self::Total { what, of, into } => write!(f, "set {into} to the {what} of {of}"),
            Self::TotalBelow { what, of } => write!(f, "put the {what} of {of} below it"),
            Self::Shift { at, by } => write!(f, "add {by} to {at}"),
            Self::AddRow { at, cells } => {
                let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
                write!(f, "add to {at} the row {}", cells.join(" | "))
            }
            Self::AddColumn { at, name } => write!(f, "add to {at} the column \"{name}\""),
            Self::DeleteWhere { at, condition } => write!(f, "delete the rows of {at} where {condition}"),
            Self::CountWhere { at, condition } => write!(f, "count the rows of {at} where {condition}"),
            Self::ListWhere { at, condition } => write!(f, "list the rows of {at} where {condition}"),
            Self::SummariseWhere { what, column, at, condition } => {
                write!(f, "{what} of {column} in the rows of {at} where {condition}")
            }
            Self::SetWhere { column, entry, at, condition } => {
                write!(f, "set {column} to {entry} in the rows of {at} where {condition}")
            }
            Self::LookWhere { at, condition, rows, look } => {
                let what = if *rows { "rows" } else { "cells" };
                write!(f, "format the {what} of {at} where {condition}: {look}")
            }
            Self::Extreme { at, column, most, .. } => {
                write!(f, "find the {} {column} of {at}", if *most { "largest" } else { "smallest" })
            }
            Self::Test { at, condition } => write!(f, "see of {at} whether {condition}"),
            Self::RenameColumn { at, to } => write!(f, "rename {at} to \"{to}\""),
            Self::Fit { at } => write!(f, "make the columns of {at} as wide as what they show"),
            Self::Round { at, digits } => write!(f, "round {at} to {digits} decimals"),
            Self::Scale { at, factor } => write!(f, "multiply {at} by {factor}"),
            Self::Find { text, at } => write!(f, "find \"{text}\"{}", on(at)),
            Self::Replace { text, with, at } => write!(f, "replace \"{text}\" with \"{with}\"{}", on(at)),
            Self::Look { at, look } => write!(f, "format {at}: {look}"),
            Self::Sort { at, by } => {
                let by: Vec<String> = by
                    .iter()
                    .map(|(name, down)| format!("{name} {}", if *down { "descending" } else { "ascending" }))
                    .collect();
                write!(f, "sort {at} by {}", by.join(", "))
            }
            Self::Filter { at, column, values } => {
                write!(f, "filter {at} to {column} = {}", values.join(", "))
            }
            Self::InsertLines { rows, at, after, count, header } => {
                let what = if *rows { "rows" } else { "columns" };
                write!(f, "insert {count} {what} {} {at}", if *after { "after" } else { "before" })?;
                header.as_ref().map_or(Ok(()), |header| write!(f, " called \"{header}\""))
            }
            Self::AddSheet { name, place } => write!(f, "add sheet {name} {place}"),
            Self::RenameSheet { sheet, to } => write!(f, "rename sheet {sheet} to {to}"),
            Self::DeleteSheet { sheet } => write!(f, "delete sheet {sheet}"),
            Self::ShowSheet { sheet, visible } => {
                write!(f, "{} sheet {sheet}", if *visible { "show" } else { "hide" })
            }
            Self::MoveSheet { sheet, place } => write!(f, "move sheet {sheet} {place}"),
            Self::Size { at, size } => write!(f, "size of {at}: {size}"),
            Self::Hide { at, hidden } => write!(f, "{} {at}", if *hidden { "hide" } else { "show" }),
            Self::Freeze { at, rows, columns } => {
                write!(f, "freeze {rows} rows and {columns} columns of {at}")
            }
            Self::Note { at, text } => write!(f, "note on {at}: \"{text}\""),
            Self::Name { name, at } => write!(f, "name {at} {name}"),
            Self::Copy { from, to, .. } => write!(f, "{} {from} to {to}", self.name()),
            Self::CountSheets => f.write_str("count sheets"),
            Self::Clear { at }
            | Self::ClearLook { at }
            | Self::Read { at }
            | Self::Formula { at }
            | Self::CountRows { at }
            | Self::ClearFilter { at }
            | Self::DeleteLines { at }
            | Self::Merge { at }
            | Self::Unmerge { at }
            | Self::FreezeAt { at }
            | Self::RemoveNotes { at } => write!(f, "{} {at}", self.name()),
        }
    }
}

fn on(at: &Option<SheetRef>) -> String {
    at.as_ref().map_or_else(String::new, |at| format!(" in {at}"))
}

impl fmt::Display for SheetRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sheet = match self {
            Self::Cells(Address { sheet, .. })
            | Self::Column { sheet, .. }
            | Self::Rows { sheet, .. }
            | Self::RowOf { sheet, .. }
            | Self::LastRows { sheet, .. }
            | Self::Label { sheet, .. } => sheet.as_ref(),
            Self::Used { .. } | Self::It => None,
        };
        if let Some(sheet) = sheet {
            write!(f, "{sheet}!")?;
        }
        match self {
            Self::Cells(address) => f.write_str(&address.cells),
            Self::Column { name, to: None, .. } => write!(f, "column {name}"),
            Self::Column { name, to: Some(to), .. } => write!(f, "columns {name} to {to}"),
            Self::Rows { from, to, .. } if from == to => write!(f, "row {}", from + 1),
            Self::Rows { from, to, .. } => write!(f, "rows {} to {}", from + 1, to + 1),
            Self::LastRows { count: 1, .. } => f.write_str("the last row"),
            Self::LastRows { count, .. } => write!(f, "the last {count} rows"),
            Self::RowOf { text, .. } => write!(f, "the row of \"{text}\""),
            Self::Label { text, .. } => write!(f, "the cell beside \"{text}\""),
            Self::Used { sheet: Some(sheet) } => write!(f, "all of {sheet}"),
            Self::Used { sheet: None } => f.write_str("all of the sheet"),
            Self::It => f.write_str("it"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.column.is_empty() { "a cell" } else { &self.column };
        let how = match self.test {
            Test::Is => "is",
            Test::IsNot => "is not",
            Test::Above => "is above",
            Test::Below => "is below",
            Test::AtLeast => "is at least",
            Test::AtMost => "is at most",
            Test::Contains => "contains",
            Test::Lacks => "does not contain",
            Test::Blank => return write!(f, "{what} is empty"),
            Test::Filled => return write!(f, "{what} is not empty"),
        };
        match self.number() {
            Some(_) => write!(f, "{what} {how} {}", self.value),
            None => write!(f, "{what} {how} \"{}\"", self.value),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) | Self::Words(text) => write!(f, "\"{text}\""),
            Self::Bool(value) => write!(f, "{}", value.to_string().to_uppercase()),
            Self::Formula(text) | Self::Date(text) | Self::Typed(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Far {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => f.write_str("first"),
            Self::Last => f.write_str("last"),
            Self::Before(name) => write!(f, "before {name}"),
            Self::After(name) => write!(f, "after {name}"),
        }
    }
}

impl fmt::Display for CellLook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let switch = |on: Option<bool>, name: &str| {
            on.map(|on| if on { name.to_owned() } else { format!("not {name}") })
        };
        let colour = |color: Color| format!("#{:02X}{:02X}{:02X}", color.red, color.green, color.blue);
        let said = [
            switch(self.bold, "bold"),
            switch(self.italic, "italic"),
            switch(self.underline, "underlined"),
            self.color.map(|color| format!("text {}", colour(color))),
            self.fill.map(|color| format!("fill {}", colour(color))),
            self.font.as_ref().map(|font| format!("font {font}")),
            self.size.map(|size| format!("{size}pt")),
            self.align.map(str::to_owned),
            switch(self.wrap, "wrapped"),
            self.decimals.map(|count| format!("{count} decimals")),
            self.border.map(|lines| {
                match lines {
                    Lines::Each => "borders",
                    Lines::Around => "border around",
                    Lines::Below => "line below",
                    Lines::None => "no borders",
                }
                .to_owned()
            }),
            self.format.as_ref().map(|format| format!("shown as {format}")),
        ];
        f.write_str(&said.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
