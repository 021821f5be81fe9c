//! What the author of a file switched on in Word: tracking of changes, and protection against them.
//!
//! Only what is said is read. Passwords are not looked at: protection in Word is an agreement between people, and who
//! sets it aside here says so.

use edit::OrEmpty;
use ooxml::xml::ns;

use super::names::{attribute, attributes};
use super::view::View;

/// What may still be done to a protected document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// Nothing.
    ReadOnly,
    Comments,
    /// Filling in the fields of a form.
    Forms,
    TrackedChanges,
    /// It bears a digital signature, which holds for these very bytes.
    Signed,
}

impl Protection {
    /// What is said of the document.
    pub fn told(self) -> &'static str {
        match self {
            Self::ReadOnly => "its author protected it as read-only",
            Self::Comments => "its author protected it so that only comments can be added",
            Self::Forms => "its author protected it so that only its form fields can be filled in",
            Self::TrackedChanges => "its author protected it so that every change is tracked",
            Self::Signed => "it bears a digital signature, which any change makes invalid",
        }
    }
}

impl View {
    /// Whether Word would track what is typed.
    pub fn tracks_changes(&self) -> bool {
        let settings = self.settings();
        element(&settings, b"trackRevisions").is_some_and(|tag| !is_off(attribute(tag, "val").as_deref()))
    }

    /// Each protection that is in force.
    pub fn protections(&self) -> Vec<Protection> {
        let settings = self.settings();
        let mut found = Vec::new();
        if let Some(tag) = element(&settings, b"documentProtection")
            && attribute(tag, "enforcement").is_some_and(|value| !is_off(Some(&value)))
        {
            found.extend(match attribute(tag, "edit").as_deref() {
                Some("readOnly") => Some(Protection::ReadOnly),
                Some("comments") => Some(Protection::Comments),
                Some("forms") => Some(Protection::Forms),
                Some("trackedChanges") => Some(Protection::TrackedChanges),
                _ => None,
            });
        }
        let signed = |name: &&edit::PartName| {
            let name = name.as_str().trim_start_matches('/');
            name.starts_with("_xmlsignatures/") && name.ends_with(".xml")
        };
        if self.content().names().any(|name| signed(&name)) {
            found.push(Protection::Signed);
        }
        found
    }

    fn settings(&self) -> Vec<u8> {
        let name = self.layout().settings.as_ref();
        let blob = name.and_then(|name| self.content().read(name).ok().flatten());
        blob.map(|blob| blob.bytes().into_owned()).or_empty()
    }
}

/// The start tag of the first element of Word's with this name, whatever its prefix.
fn element<'a>(part: &'a [u8], local: &[u8]) -> Option<&'a [u8]> {
    memchr::memmem::find_iter(part, local).find_map(|at| {
        let open = memchr::memrchr(b'<', part.get(..at)?)?;
        let prefix = part.get(open + 1..at)?;
        let behind = part.get(at + local.len())?;
        let sound = (prefix.is_empty() || prefix.ends_with(b":"))
            && !prefix.contains(&b' ')
            && matches!(behind, b' ' | b'\t' | b'\r' | b'\n' | b'/' | b'>');
        let end = at + memchr::memchr(b'>', part.get(at..)?)?;
        let tag = part.get(open..=end).filter(|_| sound)?;
        let foreign = attributes(tag).any(|given| given.local() == b"xmlns" && given.value() != ns::W);
        (!foreign).then_some(tag)
    })
}

fn is_off(value: Option<&str>) -> bool {
    matches!(value, Some("0" | "false" | "off"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::document_with;

    fn view(settings: &str) -> View {
        View::read(&document_with("<w:p/>", &[("settings", settings)])).expect("viewed")
    }

    #[test]
    fn what_the_author_switched_on_is_read() {
        assert!(!view("").tracks_changes());
        assert!(view("<w:trackRevisions/>").tracks_changes());
        assert!(!view("<w:trackRevisions w:val=\"0\"/>").tracks_changes());
        let protected = |edit: &str, on: &str| {
            view(&format!("<w:documentProtection w:edit=\"{edit}\" w:enforcement=\"{on}\"/>")).protections()
        };
        assert_eq!(protected("readOnly", "1"), [Protection::ReadOnly]);
        assert_eq!(protected("trackedChanges", "true"), [Protection::TrackedChanges]);
        assert_eq!(protected("readOnly", "0"), []);
        assert_eq!(view("<w:doNotTrackMoves/>").protections(), []);
    }
}
