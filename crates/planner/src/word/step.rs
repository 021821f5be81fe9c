//! What a request about a Word document asks for, as data. Names of places are what people say; the document knows
//! whether it has them.

use std::fmt;

use word::op::{ApplyStyle, Highlight, List, Matching, Op, Underline};

/// One thing to do, where, and on which condition.
#[derive(Debug, Clone, PartialEq)]
pub struct WordStep {
    pub act: WordAct,
    /// From the innermost out: "the second row" of "the first table" under "Scope".
    pub within: Vec<Target>,
    pub except: Vec<Target>,
    /// Only text that looks so is meant.
    pub only_if: Option<Look>,
    /// Whether the request itself asks for tracked changes.
    pub tracked: bool,
    /// Whether a number is to become larger or smaller, where that was said.
    pub towards: Option<crate::Towards>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum WordAct {
    /// An operation of the published vocabulary, as it is.
    Op(Op),
    /// The scope of the style is the target.
    Format {
        target: Target,
        style: ApplyStyle,
    },
    Replace {
        find: Mention,
        with: String,
    },
    /// All that a place says becomes something else.
    SetText {
        target: Target,
        text: String,
    },
    Delete {
        target: Target,
    },
    Insert {
        text: String,
        kind: Inserted,
        side: Beside,
        target: Target,
    },
    InsertRows {
        table: Option<Target>,
        beside: Option<Pick>,
        side: Beside,
        count: usize,
        cells: Vec<String>,
    },
    InsertColumns {
        table: Option<Target>,
        beside: Option<Pick>,
        side: Beside,
        count: usize,
        header: Option<String>,
    },
    Sort {
        table: Target,
        column: String,
        descending: bool,
    },
    ListToTable {
        under: Option<Target>,
    },
    Comment {
        target: Target,
        text: String,
    },
    RemoveComments {
        author: Option<String>,
    },
    /// One comment is answered, resolved, opened again or removed.
    OnComment {
        which: CommentPick,
        act: CommentAct,
    },
    /// "Change the term from two years to three years": the old words, where what they are called stands with them.
    Amend {
        what: String,
        was: String,
        with: String,
    },
    Footnote {
        after: Target,
        text: String,
    },
    Decide {
        accept: bool,
        author: Option<String>,
        kind: Option<Decided>,
    },
    Find {
        what: Mention,
    },
    /// How often a text stands, and in which clauses; or only where it is defined.
    Where {
        what: Mention,
        defined: bool,
    },
    Count {
        what: Countable,
    },
    Read {
        target: Target,
    },
    Show {
        what: Countable,
    },
}

/// A place in a document, as people name it.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    Document,
    Selection,
    /// Nothing was named: the selection, if there is one.
    Implied,
    /// What the step before spoke of.
    It,
    Range(String),
    TableId(String),
    Title,
    Headings,
    Heading(String),
    /// By its number, with all that belongs to it.
    Clause(String),
    /// By its heading, with all that belongs to it.
    Section(String),
    /// The first paragraph of a clause, by its number.
    HeadingOf(String),
    /// Counted as people do: prose, from 0.
    Paragraphs(Vec<Pick>),
    EveryParagraph,
    EmptyParagraphs,
    ParagraphWith {
        text: String,
        starts: bool,
    },
    Tables,
    Table(Option<Pick>),
    Rows(Vec<Pick>),
    Columns(Vec<Line>),
    Cell {
        row: Pick,
        column: Line,
    },
    /// The items of the list.
    List,
    Item(Pick),
    /// What a table says about something: "the day rate of the Engineer", "the Start Date".
    Labelled {
        row: Option<String>,
        column: String,
    },
    /// The row that begins with these words.
    RowOf(String),
    /// The table whose heading or header says so: "the price table".
    TableNamed(String),
    /// One sentence of a place, counted or by a word that it holds.
    Sentence {
        pick: Option<Pick>,
        about: Option<String>,
    },
    /// The page header or footer.
    Running {
        header: bool,
    },
    Footnote(Option<Pick>),
    /// From there to the end of the document.
    From(Box<Target>),
    /// The first in the second.
    Inside(Box<Target>, Box<Target>),
    Text(Mention),
}

/// A comment by who wrote it, or by the words that it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommentPick {
    By(String),
    On(String),
    /// The only one.
    Only,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommentAct {
    Reply(String),
    Resolve,
    Reopen,
    Delete,
}

/// Which kind of tracked change is decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    Insertions,
    Deletions,
}

/// A row or a paragraph, counted from 0, or the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    Nth(usize),
    Last,
    /// Counted from the end: 0 is the last.
    FromEnd(usize),
}

/// A column by its place or by what its header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    At(Pick),
    Named(String),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    pub text: String,
    pub which: Which,
    pub matching: Matching,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    All,
    /// Refused if there are several.
    Only,
    Nth(usize),
    Last,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Bold(bool),
    Italic(bool),
    Underlined(bool),
    Highlighted(bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    Before,
    After,
    /// At its start, inside.
    Start,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inserted {
    /// In the line.
    Text,
    Paragraph,
    /// With a number like that of the clause beside it.
    Clause,
    Heading(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Countable {
    Words,
    Characters,
    Paragraphs,
    Headings,
    Tables,
    Comments,
    /// Those that nobody has resolved.
    OpenComments,
    Changes,
    Footnotes,
    Rows,
    Columns,
}

impl WordStep {
    pub fn plain(act: WordAct) -> Self {
        Self { act, within: Vec::new(), except: Vec::new(), only_if: None, tracked: false, towards: None }
    }

    /// The name of what is done, for answers.
    pub fn name(&self) -> &'static str {
        match &self.act {
            WordAct::Op(op) => op.name(),
            WordAct::Format { .. } => "format",
            WordAct::Replace { .. } => "replace",
            WordAct::SetText { .. } => "setText",
            WordAct::Delete { .. } => "delete",
            WordAct::Insert { .. } => "insert",
            WordAct::InsertRows { .. } => "insertRows",
            WordAct::InsertColumns { .. } => "insertColumns",
            WordAct::Sort { .. } => "sort",
            WordAct::ListToTable { .. } => "listToTable",
            WordAct::Comment { .. } => "comment",
            WordAct::RemoveComments { .. } => "removeComments",
            WordAct::OnComment { .. } => "comment",
            WordAct::Amend { .. } => "amend",
            WordAct::Footnote { .. } => "footnote",
            WordAct::Decide { .. } => "decide",
            WordAct::Find { .. } | WordAct::Where { .. } => "find",
            WordAct::Count { .. } => "count",
            WordAct::Read { .. } => "read",
            WordAct::Show { .. } => "show",
        }
    }

    /// Whether it leaves the document as it is.
    pub fn only_reads(&self) -> bool {
        match &self.act {
            WordAct::Op(op) => op.only_reads(),
            WordAct::Find { .. }
            | WordAct::Where { .. }
            | WordAct::Count { .. }
            | WordAct::Read { .. }
            | WordAct::Show { .. } => true,
            _ => false,
        }
    }
}

/// How the step was read, in words that mean the same.
impl fmt::Display for WordStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.act {
            WordAct::Op(op) => write!(f, "{}", op.name())?,
            WordAct::Format { target, style } => write!(f, "format {target}: {}", looks(style))?,
            WordAct::Replace { find, with } => write!(f, "replace {find} with \"{with}\"")?,
            WordAct::SetText { target, text } => write!(f, "set the text of {target} to \"{text}\"")?,
            WordAct::Delete { target } => write!(f, "delete {target}")?,
            WordAct::Insert { text, kind, side, target } => {
                let kind = match kind {
                    Inserted::Text => "the text".to_owned(),
                    Inserted::Paragraph => "a paragraph".to_owned(),
                    Inserted::Clause => "a clause".to_owned(),
                    Inserted::Heading(level) => format!("a heading {level}"),
                };
                write!(f, "insert {kind} \"{text}\" {side} {target}")?;
            }
            WordAct::InsertRows { table, beside, side, count, cells } => {
                write!(f, "insert {count} row(s) {side} {}", row_beside(beside, "row"))?;
                write!(f, "{}", of(" of", table))?;
                if !cells.is_empty() {
                    write!(f, " with {}", cells.join(" | "))?;
                }
            }
            WordAct::InsertColumns { table, beside, side, count, header } => {
                write!(f, "insert {count} column(s) {side} {}", row_beside(beside, "column"))?;
                write!(f, "{}", of(" of", table))?;
                if let Some(header) = header {
                    write!(f, " called \"{header}\"")?;
                }
            }
            WordAct::Sort { table, column, descending } => {
                let order = if *descending { "descending" } else { "ascending" };
                write!(f, "sort {table} by {column} {order}")?;
            }
            WordAct::ListToTable { under } => {
                write!(f, "turn the list{} into a table", of(" under", under))?;
            }
            WordAct::Comment { target, text } => write!(f, "comment on {target}: \"{text}\"")?,
            WordAct::RemoveComments { author } => write!(f, "remove comments{}", by(author))?,
            WordAct::OnComment { which, act } => {
                let which = match which {
                    CommentPick::By(author) => format!("the comment of {author}"),
                    CommentPick::On(text) => format!("the comment on \"{text}\""),
                    CommentPick::Only => "the comment".to_owned(),
                };
                match act {
                    CommentAct::Reply(text) => write!(f, "answer {which}: \"{text}\"")?,
                    CommentAct::Resolve => write!(f, "resolve {which}")?,
                    CommentAct::Reopen => write!(f, "open {which} again")?,
                    CommentAct::Delete => write!(f, "remove {which}")?,
                }
            }
            WordAct::Amend { what, was, with } => write!(f, "change {what} from \"{was}\" to \"{with}\"")?,
            WordAct::Footnote { after, text } => write!(f, "footnote after {after}: \"{text}\"")?,
            WordAct::Decide { accept, author, kind } => {
                let what = match kind {
                    None => "changes",
                    Some(Decided::Insertions) => "insertions",
                    Some(Decided::Deletions) => "deletions",
                };
                write!(f, "{} {what}{}", if *accept { "accept" } else { "reject" }, by(author))?;
            }
            WordAct::Find { what } => write!(f, "find {what}")?,
            WordAct::Where { what, defined: false } => write!(f, "find where {what} stands")?,
            WordAct::Where { what, defined: true } => write!(f, "find where {what} is defined")?,
            WordAct::Count { what } => write!(f, "count {what:?}")?,
            WordAct::Read { target } => write!(f, "read {target}")?,
            WordAct::Show { what } => write!(f, "list {what:?}")?,
        }
        for target in &self.within {
            write!(f, " in {target}")?;
        }
        for target in &self.except {
            write!(f, " except in {target}")?;
        }
        if let Some(look) = self.only_if {
            write!(f, " if {look}")?;
        }
        if self.tracked {
            write!(f, ", tracked")?;
        }
        Ok(())
    }
}

fn by(author: &Option<String>) -> String {
    author.as_ref().map_or_else(String::new, |author| format!(" by {author}"))
}

fn of(lead: &str, target: &Option<Target>) -> String {
    target.as_ref().map_or_else(String::new, |target| format!("{lead} {target}"))
}

fn row_beside(pick: &Option<Pick>, noun: &str) -> String {
    match pick {
        Some(pick) => format!("{noun} {pick}"),
        None => format!("the {noun}s"),
    }
}

/// How something is to look.
pub fn looks(style: &ApplyStyle) -> String {
    let mut said: Vec<String> = Vec::new();
    let (character, paragraph) = (&style.character, &style.paragraph);
    let switch =
        |on: Option<bool>, name: &str| on.map(|on| if on { name.to_owned() } else { format!("not {name}") });
    if style.clear_other_styles && style.named_style.is_none() {
        said.push("no formatting".to_owned());
    }
    said.extend(style.named_style.as_ref().map(|name| format!("style {name}")));
    said.extend(switch(character.bold, "bold"));
    said.extend(switch(character.italic, "italic"));
    said.extend(character.underline.map(|underline| {
        match underline {
            Underline::None => "not underlined",
            Underline::Single => "underlined",
            Underline::Double => "double underlined",
        }
        .to_owned()
    }));
    said.extend(character.font_name.as_ref().map(|name| format!("font {name}")));
    said.extend(character.font_size.map(|size| format!("{size}pt")));
    said.extend(
        character.color.map(|color| format!("color #{:02X}{:02X}{:02X}", color.red, color.green, color.blue)),
    );
    said.extend(character.highlight.map(|highlight| match highlight {
        Highlight::None => "not highlighted".to_owned(),
        Highlight::Color(color) => {
            format!("highlight #{:02X}{:02X}{:02X}", color.red, color.green, color.blue)
        }
    }));
    said.extend(paragraph.alignment.map(|alignment| format!("{alignment:?}").to_lowercase()));
    said.extend(paragraph.line_spacing.map(|spacing| format!("line spacing {spacing}")));
    said.extend(paragraph.space_before.map(|space| format!("{space}pt before")));
    said.extend(paragraph.space_after.map(|space| format!("{space}pt after")));
    said.extend(paragraph.list.map(|list| {
        match list {
            List::None => "no list",
            List::Bullet => "bullets",
            List::Number => "numbers",
        }
        .to_owned()
    }));
    said.join(", ")
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |picks: &[Pick]| picks.iter().map(Pick::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Self::Document => write!(f, "the document"),
            Self::Selection => write!(f, "the selection"),
            Self::Implied => write!(f, "what is selected"),
            Self::It => write!(f, "it"),
            Self::Range(id) => write!(f, "rangeId:{id}"),
            Self::TableId(id) => write!(f, "tableId:{id}"),
            Self::Title => write!(f, "the title"),
            Self::Headings => write!(f, "the headings"),
            Self::Heading(text) => write!(f, "the heading \"{text}\""),
            Self::Clause(label) => write!(f, "clause {label}"),
            Self::HeadingOf(label) => write!(f, "the heading of clause {label}"),
            Self::Section(name) => write!(f, "the section \"{name}\""),
            Self::Paragraphs(picks) => write!(f, "paragraph {}", list(picks)),
            Self::EveryParagraph => write!(f, "every paragraph"),
            Self::EmptyParagraphs => write!(f, "the empty paragraphs"),
            Self::ParagraphWith { text, starts: true } => {
                write!(f, "the paragraph that starts with \"{text}\"")
            }
            Self::ParagraphWith { text, starts: false } => write!(f, "the paragraph with \"{text}\""),
            Self::Tables => write!(f, "the tables"),
            Self::Table(None) => write!(f, "the table"),
            Self::Table(Some(pick)) => write!(f, "table {pick}"),
            Self::Rows(picks) => write!(f, "row {}", list(picks)),
            Self::Columns(lines) => {
                let lines: Vec<String> = lines.iter().map(Line::to_string).collect();
                write!(f, "column {}", lines.join(", "))
            }
            Self::Cell { row, column } => write!(f, "the cell in row {row}, column {column}"),
            Self::List => write!(f, "the list"),
            Self::Item(pick) => write!(f, "list item {pick}"),
            Self::Labelled { row: Some(row), column } => write!(f, "the {column} of {row}"),
            Self::Labelled { row: None, column } => write!(f, "the {column}"),
            Self::RowOf(text) => write!(f, "the row of \"{text}\""),
            Self::TableNamed(name) => write!(f, "the {name} table"),
            Self::Sentence { pick: Some(pick), .. } => write!(f, "sentence {pick}"),
            Self::Sentence { about, .. } => {
                write!(f, "the sentence about \"{}\"", about.as_deref().unwrap_or("it"))
            }
            Self::Running { header: true } => write!(f, "the page header"),
            Self::Running { header: false } => write!(f, "the page footer"),
            Self::Footnote(None) => write!(f, "the footnote"),
            Self::Footnote(Some(pick)) => write!(f, "footnote {pick}"),
            Self::From(target) => write!(f, "from {target} on"),
            Self::Inside(inner, outer) => write!(f, "{inner} in {outer}"),
            Self::Text(mention) => write!(f, "{mention}"),
        }
    }
}

/// Counted from 1, as people do.
impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nth(index) => write!(f, "{}", index + 1),
            Self::Last => write!(f, "last"),
            Self::FromEnd(0) => write!(f, "last"),
            Self::FromEnd(index) => write!(f, "number {} from the end", index + 1),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(pick) => write!(f, "{pick}"),
            Self::Named(name) => write!(f, "\"{name}\""),
        }
    }
}

impl fmt::Display for Mention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.which {
            Which::All => write!(f, "every \"{}\"", self.text)?,
            Which::Only => write!(f, "\"{}\"", self.text)?,
            Which::Nth(index) => write!(f, "occurrence {} of \"{}\"", index + 1, self.text)?,
            Which::Last => write!(f, "the last \"{}\"", self.text)?,
        }
        let Matching { regex, wildcards, case, whole_word, prefix } = self.matching;
        let flags = [
            (regex, "as a regular expression"),
            (wildcards, "with wildcards"),
            (case, "matching case"),
            (whole_word, "whole words"),
            (prefix, "as a prefix"),
        ];
        flags.iter().filter(|(on, _)| *on).try_for_each(|(_, name)| write!(f, " {name}"))
    }
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (on, name) = match self {
            Self::Bold(on) => (on, "bold"),
            Self::Italic(on) => (on, "italic"),
            Self::Underlined(on) => (on, "underlined"),
            Self::Highlighted(on) => (on, "highlighted"),
        };
        write!(f, "{}{name}", if *on { "" } else { "not " })
    }
}

impl fmt::Display for Beside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Start => "at the start of",
            Self::End => "at the end of",
        })
    }
}
