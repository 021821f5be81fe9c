//! Fields of forms from before there were content controls: texts, check boxes and lists.
//!
//! What they are called, and what a box or a list is set to, stands in the mark that begins the field (`w:ffData`). A box
//! and a list have no text of their own; Word draws them.

use edit::OrEmpty;

use crate::document::props::{Child, each_child};

/// A field that somebody fills in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FormField {
    /// The name of its bookmark, too; may be empty.
    pub name: String,
    /// Whether it may be filled in.
    pub enabled: bool,
    pub kind: FormKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormKind {
    Text {
        /// `number`, `date`, `calculated`, …; nothing for any text.
        of: Option<String>,
        /// In characters.
        longest: Option<usize>,
    },
    CheckBox {
        checked: bool,
    },
    DropDown {
        choices: Vec<String>,
        /// Of `choices`.
        chosen: usize,
    },
}

impl Default for FormKind {
    fn default() -> Self {
        Self::Text { of: None, longest: None }
    }
}

impl FormField {
    /// From the element that begins the field.
    pub(super) fn read(begin: &[u8]) -> Option<Self> {
        let mut found = None;
        each_child(begin, |child| {
            if child.name == "ffData" {
                found = Some(Self::of(child.whole));
            }
        });
        found.flatten()
    }

    fn of(data: &[u8]) -> Option<Self> {
        let (mut name, mut enabled, mut kind) = (String::new(), true, None);
        each_child(data, |child| match child.name {
            "name" => name = child.val().or_empty(),
            "enabled" => enabled = child.on(),
            "checkBox" => kind = Some(check_box(child.whole)),
            "textInput" => kind = Some(text(child.whole)),
            "ddList" => kind = Some(drop_down(child.whole)),
            _ => {}
        });
        Some(Self { name, enabled, kind: kind? })
    }

    /// What Word draws for it; nothing for a text, which stands in the document.
    pub(crate) fn sign(&self) -> Option<&str> {
        match &self.kind {
            FormKind::Text { .. } => None,
            FormKind::CheckBox { checked: true } => Some("\u{2612}"),
            FormKind::CheckBox { checked: false } => Some("\u{2610}"),
            FormKind::DropDown { choices, chosen } => choices.get(*chosen).map(String::as_str),
        }
    }
}

fn check_box(element: &[u8]) -> FormKind {
    let (mut checked, mut default) = (None, false);
    each_child(element, |child| match child.name {
        "checked" => checked = Some(child.on()),
        "default" => default = child.on(),
        _ => {}
    });
    FormKind::CheckBox { checked: checked.unwrap_or(default) }
}

fn text(element: &[u8]) -> FormKind {
    let (mut of, mut longest) = (None, None);
    each_child(element, |child| match child.name {
        "type" => of = child.val().filter(|kind| kind != "regular"),
        // Zero is Word's way to say that there is no limit.
        "maxLength" => longest = number(&child).filter(|longest| *longest > 0),
        _ => {}
    });
    FormKind::Text { of, longest }
}

fn drop_down(element: &[u8]) -> FormKind {
    let (mut choices, mut chosen, mut default) = (Vec::new(), None, 0);
    each_child(element, |child| match child.name {
        "listEntry" => choices.push(child.val().or_empty()),
        "result" => chosen = number(&child),
        "default" => default = number(&child).unwrap_or(0),
        _ => {}
    });
    FormKind::DropDown { choices, chosen: chosen.unwrap_or(default) }
}

fn number(child: &Child<'_>) -> Option<usize> {
    child.val()?.trim().parse().ok()
}
