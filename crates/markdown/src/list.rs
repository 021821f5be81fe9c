//! The markers of list items.

use std::ops::Range;

use edit::Cut;

use crate::block::Kind;
use crate::view::Node;

/// `- `, `12. ` or `* [x] `, as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marker {
    /// From the start of the item to its text.
    pub(crate) range: Range<usize>,
    pub(crate) bullet: Bullet,
    /// The brackets of the check box.
    pub(crate) check: Option<Range<usize>>,
    /// Columns from the bullet to the text, the check box not counted.
    width: usize,
    /// Whether a tab stands between them.
    pub(crate) tabbed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bullet {
    /// `-`, `*` or `+`
    Dash(char),
    Number {
        value: u64,
        /// `.` or `)`
        close: char,
    },
}

impl Marker {
    /// How far lines of the item's content are indented.
    pub(crate) fn width(&self) -> usize {
        self.width
    }
}

impl Bullet {
    pub(crate) fn text(self) -> String {
        match self {
            Self::Dash(c) => c.to_string(),
            Self::Number { value, close } => format!("{value}{close}"),
        }
    }

    /// The bullet of the item behind one with this bullet.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Dash(_) => self,
            Self::Number { value, close } => Self::Number { value: value.saturating_add(1), close },
        }
    }
}

pub(crate) fn marker(item: &Node<'_>) -> Option<Marker> {
    let Kind::Item(_) = item.kind() else { return None };
    let range = item.range();
    let view = item.view();
    let line = view.slice(range.start..view.line_end(range.start).min(range.end));
    let first = line.chars().next()?;
    let (bullet, length) = match first {
        '-' | '*' | '+' => (Bullet::Dash(first), 1),
        _ => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let close = line[digits..].chars().next()?;
            (Bullet::Number { value: line[..digits].parse().ok()?, close }, digits + 1)
        }
    };
    let blanks = line[length..].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let before = view.slice(view.line_start(range.start)..range.start);
    let start = column(0, &before);
    let behind = |blanks: usize| column(start + length, line.part(length..length + blanks)) - start;
    // Five columns and more are one blank and indented code; none at all is an empty item.
    let only_one = behind(blanks) - length > 4 || length + blanks == line.len();
    let blanks = if only_one { blanks.min(1) } else { blanks };
    let width = if only_one { length + 1 } else { behind(blanks).max(length + 1) };
    let tabbed = line.get(length..length + blanks).is_some_and(|blanks| blanks.contains('\t'));
    let mut end = range.start + length + blanks;
    let mut check = None;
    if let Kind::Item(Some(_)) = item.kind()
        && line.get(length + blanks..).is_some_and(|rest| rest.starts_with('['))
    {
        check = Some(end..end + 3);
        let after = line.left(length + blanks + 3);
        end += 3 + after.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    }
    Some(Marker {
        range: range.start..end.min(range.end.max(range.start + length)),
        bullet,
        check,
        width,
        tabbed,
    })
}

/// The column behind `text` that starts at a column: a tab reaches to the next multiple of four.
pub(crate) fn column(start: usize, text: &str) -> usize {
    text.chars().fold(start, |at, c| if c == '\t' { at / 4 * 4 + 4 } else { at + 1 })
}
