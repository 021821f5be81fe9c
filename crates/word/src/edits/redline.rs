//! What a comparison found, written into the document in one go.
//!
//! A comparison knows the bytes of both documents, so it hands over splices and no descriptions of edits. Who makes the
//! change and when is not known while comparing: two characters that no XML can hold stand for it.

use std::collections::BTreeMap;

use edit::{Context, Cut, Lost, Patch, Planned, Refusal, Step};
use serde::{Deserialize, Serialize};

use super::{Markup, Outcome, take_along};
use crate::document::ids::ParagraphId;
use crate::document::stamp::Stamp;
use crate::document::view::View;
use crate::edits::dialect::Dialect;
use crate::edits::open_paragraph::{root_namespaces, stamp};
use crate::text::quotation::text_hash;

/// Stands for the attributes of a revision: its id, author and date.
pub(crate) const STAMP: &str = "\u{1}";
/// Stands, on both sides of a number, for an id that nothing else has; the same number for the same id.
pub(crate) const FRESH: char = '\u{2}';

/// Stands for author and date without an id.
pub(crate) const BY: char = '\u{3}';

/// Make a document say what another one says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redline {
    pub parts: Vec<RedlinedPart>,
    /// What it changes, in order.
    pub differences: Vec<Difference>,
    #[serde(default)]
    pub markup: Markup,
}

/// What two documents say differently in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// In the original; none for what only the revised document has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paragraph: Option<ParagraphId>,
    pub before: String,
    pub after: String,
}

/// The splices of one part, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedlinedPart {
    /// Its name.
    pub part: String,
    /// Of the bytes that the comparison read; none once others have edited elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Start, end, and what takes their place.
    pub splices: Vec<(usize, usize, String)>,
}

impl RedlinedPart {
    pub(crate) fn hash_of(bytes: &[u8]) -> String {
        text_hash(&String::from_utf8_lossy(bytes))
    }
}

/// The same after others have edited elsewhere.
pub(crate) fn carry(edit: &Redline, patch: &Patch) -> Result<Redline, Lost> {
    let mut parts = Vec::with_capacity(edit.parts.len());
    for RedlinedPart { part, hash, splices } in &edit.parts {
        if patch.part(part).is_none() {
            parts.push(RedlinedPart { part: part.clone(), hash: hash.clone(), splices: splices.clone() });
            continue;
        }
        let carried = splices.iter().map(|(start, end, with)| {
            let range = patch.carry(part, *start..*end);
            let range = range.ok_or_else(|| Lost { why: "what was compared has changed".to_owned() })?;
            Ok((range.start, range.end, with.clone()))
        });
        let splices = carried.collect::<Result<_, Lost>>()?;
        parts.push(RedlinedPart { part: part.clone(), hash: None, splices });
    }
    Ok(Redline { parts, ..edit.clone() })
}

pub(crate) fn plan(view: &View, edit: &Redline, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
    let stamp = stamp(view, cx);
    let mut patch = Patch::new();
    for RedlinedPart { part, hash, splices } in &edit.parts {
        let known = view.parts().iter().find(|known| known.name.as_str() == part);
        let known = known.ok_or_else(|| Refusal::internal("a part that is gone"))?;
        let (part, blob) = (&known.name, &known.blob);
        if hash.as_ref().is_some_and(|hash| *hash != RedlinedPart::hash_of(&blob.bytes())) {
            return Err(Refusal::Unsafe {
                why: "the document has changed since it was compared".to_owned(),
                instead: Some("compare the documents again".to_owned()),
            });
        }
        let namespaces = root_namespaces(blob).map_err(|error| error.in_part(part))?;
        let dialect = Dialect::of(&namespaces)?;
        let mut ids = BTreeMap::new();
        for (start, end, with) in splices {
            patch.splice(part, *start..*end, stamped(with, &stamp, &dialect, &mut ids)?)?;
        }
    }
    if edit.markup == Markup::Plain {
        patch = take_along(view, patch)?;
    }
    let summary = match edit.differences.len() {
        1 => "Compare: 1 difference".to_owned(),
        count => format!("Compare: {count} differences"),
    };
    let step = Step { patch, summary, notes: Vec::new() };
    Ok(Planned { step, outcome: Outcome::Compared { differences: edit.differences.clone() } })
}

fn stamped(
    text: &str,
    stamp: &Stamp,
    dialect: &Dialect,
    ids: &mut BTreeMap<String, u32>,
) -> Result<String, Refusal> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find([FRESH, BY, '\u{1}']) {
        out.push_str(rest.part(..at));
        let (mark, behind) = rest.part(at..).split_at(1);
        rest = behind;
        if mark == STAMP {
            out.push_str(&stamp.attributes(&dialect.attribute));
            continue;
        }
        if mark.starts_with(BY) {
            out.push_str(&stamp.by(&dialect.attribute));
            continue;
        }
        let end = rest.find(FRESH).ok_or_else(|| Refusal::internal("an id without an end"))?;
        let id = ids.entry(rest.part(..end).to_owned()).or_insert_with(|| stamp.fresh_id());
        out.push_str(&id.to_string());
        rest = rest.part(end + 1..);
    }
    out.push_str(rest);
    Ok(out)
}
