//! What is inside a paragraph: a stream of atoms, each with its bytes.
//!
//! Word scatters a sentence over runs, wraps parts of it into links, fields, controls and revisions, and hangs
//! marks between. Here all of that becomes one flat list in document order. The reader makes text of it; the
//! editor finds through it the bytes behind a character, and what stands around them.

use edit::Cut;
use std::ops::Range;

use serde::{Deserialize, Serialize};

mod equation;
mod form;
mod plain;
mod read;
mod text;

#[cfg(test)]
mod tests;

pub use form::{FormField, FormKind};
pub(crate) use plain::plain_text;
pub(crate) use read::{control_of, is_on};
pub use text::{PieceKind, Text, TextPiece};

/// A paragraph taken apart. All spans are in the bytes of its part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    /// The bytes of the paragraph, tags included; they stand at `span.start` of the part.
    pub source: Vec<u8>,
    pub span: Range<usize>,
    /// Between the tags. Empty, behind the tag, if the paragraph closes itself.
    pub content: Range<usize>,
    pub closes_itself: bool,
    /// How WordprocessingML is spelled here: `w:`, another prefix, or nothing.
    pub prefix: String,
    /// `w:pPr`.
    pub properties: Option<Range<usize>>,
    /// What revisions say about the paragraph mark, that is, about joining this paragraph with the next.
    pub mark: Mark,
    pub runs: Vec<Run>,
    pub wraps: Vec<Wrap>,
    pub fields: Vec<Field>,
    pub atoms: Vec<Atom>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mark {
    pub inserted: Option<Revision>,
    pub deleted: Option<Revision>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub span: Range<usize>,
    /// Between the tags.
    pub content: Range<usize>,
    /// `w:rPr`.
    pub properties: Option<Range<usize>>,
    pub wrap: Option<usize>,
}

/// An element around runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrap {
    pub kind: WrapKind,
    pub span: Range<usize>,
    /// Where the runs are; inside `w:sdtContent` for a control.
    pub content: Range<usize>,
    pub parent: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrapKind {
    Hyperlink {
        relationship: Option<String>,
        anchor: Option<String>,
    },
    Inserted(Revision),
    Deleted(Revision),
    MovedFrom(Revision),
    MovedTo(Revision),
    Control(Control),
    /// `w:fldSimple`; what it holds is the result.
    SimpleField {
        instruction: String,
    },
    SmartTag,
    CustomXml,
    /// `w:dir` and `w:bdo`: text that runs the other way.
    Direction,
    /// The base of a phonetic guide.
    Ruby,
    /// The branch of `mc:AlternateContent` that is read; the other says the same for older programs.
    Branch,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Revision {
    pub id: String,
    pub author: String,
    pub date: Option<String>,
}

/// A content control.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Control {
    pub id: Option<String>,
    pub tag: Option<String>,
    pub title: Option<String>,
    pub lock: Lock,
    pub bound: bool,
    pub placeholder: bool,
    pub kind: ControlKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lock {
    #[default]
    Open,
    /// The control cannot be removed.
    Control,
    /// What it holds cannot be changed.
    Content,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ControlKind {
    #[default]
    RichText,
    PlainText,
    CheckBox,
    DropDown,
    ComboBox,
    Date,
    Picture,
    Gallery,
    Group,
    Citation,
    Equation,
    /// The fields of forms from before there were content controls.
    FormText,
    FormCheckBox,
    FormDropDown,
}

impl Control {
    /// What it answers to: its tag, its title, and its number, which is all that some have.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        [&self.tag, &self.title, &self.id].into_iter().flatten().map(String::as_str)
    }
}

/// A field made of `w:fldChar`s. Ends that are missing stand in another paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    /// Atoms.
    pub begin: Option<usize>,
    pub separate: Option<usize>,
    pub end: Option<usize>,
    pub parent: Option<usize>,
    /// As far as it stands in this paragraph.
    pub instruction: String,
    pub locked: bool,
    /// Of a form.
    pub form: Option<Box<FormField>>,
}

/// Where a field that is still open stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Instruction,
    Result,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    pub kind: AtomKind,
    /// The characters of a text; of everything else the whole element.
    pub span: Range<usize>,
    pub run: Option<usize>,
    /// The innermost wrap.
    pub wrap: Option<usize>,
    /// The innermost field, for what stands between its begin and its end.
    pub field: Option<usize>,
    pub inserted: bool,
    pub deleted: bool,
    /// Part of the machinery of a field, and so on no page.
    pub instruction: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtomKind {
    Text(TextAtom),
    Tab,
    LineBreak,
    PageBreak,
    ColumnBreak,
    NoBreakHyphen,
    SoftHyphen,
    Symbol {
        font: String,
        character: char,
    },
    FootnoteReference {
        id: String,
        custom: bool,
    },
    EndnoteReference {
        id: String,
        custom: bool,
    },
    /// The number of the note itself, at its start.
    NoteMark,
    /// The mark at the start of a comment.
    CommentMark,
    CommentReference {
        id: String,
    },
    CommentStart {
        id: String,
    },
    CommentEnd {
        id: String,
    },
    BookmarkStart {
        id: String,
        name: String,
    },
    BookmarkEnd {
        id: String,
    },
    FieldBegin,
    FieldInstruction(String),
    FieldSeparate,
    FieldEnd,
    /// A picture, chart, shape or text box. The text of a text box is a story of its own.
    Drawing {
        alt: String,
        text_box: bool,
    },
    /// An embedded object.
    Object,
    /// An equation, as the characters in it, and as those it had where changes are tracked inside.
    Math {
        text: String,
        before: Option<String>,
    },
    /// Marks without text: permissions, ranges of moves, page breaks of the last layout and what we do not know.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextAtom {
    /// Decoded.
    pub text: String,
    /// `w:t` or `w:delText`.
    pub element: Range<usize>,
    /// Whether the bytes are the text, with nothing to decode.
    pub verbatim: bool,
    pub cdata: bool,
    /// Whether `xml:space="preserve"` holds.
    pub preserved: bool,
}

/// Which side of tracked changes to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// As if all were accepted.
    #[default]
    Final,
    /// As if all were rejected.
    Original,
    /// Both.
    Redline,
}

impl AtomKind {
    /// Whether it is no more than a mark between things that are said.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(
            self,
            Self::Other
                | Self::BookmarkStart { .. }
                | Self::BookmarkEnd { .. }
                | Self::CommentStart { .. }
                | Self::CommentEnd { .. }
        )
    }
}

impl Atom {
    pub fn shown(&self, side: Side) -> bool {
        match side {
            Side::Final => !self.deleted,
            Side::Original => !self.inserted,
            Side::Redline => true,
        }
    }
}

impl Paragraph {
    /// The bytes of a span inside this paragraph.
    pub fn bytes(&self, span: Range<usize>) -> &[u8] {
        let from = span.start.saturating_sub(self.span.start);
        let to = span.end.saturating_sub(self.span.start);
        self.source.part(from..to)
    }

    /// The wraps around something, from the innermost out.
    pub fn around(&self, wrap: Option<usize>) -> impl Iterator<Item = &Wrap> {
        std::iter::successors(wrap.and_then(|wrap| self.wraps.get(wrap)), |wrap| {
            wrap.parent.and_then(|parent| self.wraps.get(parent))
        })
    }

    /// Whether a reader of this side finds the paragraph gone: its mark and all it says belong to the other.
    pub fn vanishes(&self, side: Side) -> bool {
        let mark = match side {
            Side::Final => self.mark.deleted.is_some(),
            Side::Original => self.mark.inserted.is_some(),
            Side::Redline => false,
        };
        mark && self.atoms.iter().all(|atom| !atom.shown(side) || atom.instruction || atom.kind.is_silent())
    }

    /// What Word draws for the field of a form that an atom begins.
    pub(crate) fn form_sign(&self, atom: &Atom) -> Option<&str> {
        let begins = |field: &&Field| {
            field.begin.and_then(|begin| self.atoms.get(begin)).is_some_and(|known| known.span == atom.span)
        };
        let field = self.fields.iter().find(begins).filter(|_| atom.kind == AtomKind::FieldBegin)?;
        let sign = field.form.as_ref()?.sign()?;
        // Some programs write the chosen text besides.
        let shown = field.separate.zip(field.end).is_some_and(|(from, to)| {
            let result = self.atoms.get(from..to);
            result.into_iter().flatten().any(|atom| matches!(atom.kind, AtomKind::Text(_)) && !atom.deleted)
        });
        (!shown).then_some(sign)
    }

    /// Whether nothing would be lost with the paragraph but its mark.
    pub(crate) fn is_empty(&self) -> bool {
        self.atoms.iter().all(|atom| atom.kind.is_silent())
    }
}
