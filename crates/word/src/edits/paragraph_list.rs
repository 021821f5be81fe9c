//! Paragraphs that stand one after another, made to say other texts: a content control or a header as a whole.

mod keep;

use edit::{Cut, Note, Planned, Refusal};

use keep::Kept;

use super::{DeleteParagraph, InsertParagraphs, Outcome, Position, ReplaceText, replace};
use crate::ParagraphId;
use crate::document::paragraph::{AtomKind, Paragraph, Side};
use crate::edits::Draft;
use crate::edits::anatomy::Shape;
use crate::edits::marks::inside_end;
use crate::edits::open_paragraph::OpenParagraph;
use crate::edits::run_properties::RunProperties;
use crate::text::quotation::shown_text;

/// The paragraphs of a text: a blank line starts a new one. There is always one.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.split('\n') {
        match (line.trim().is_empty(), paragraphs.last_mut()) {
            (true, Some(last)) if !last.is_empty() => paragraphs.push(Vec::new()),
            (false, Some(last)) => last.push(line),
            _ => {}
        }
    }
    if paragraphs.len() > 1 && paragraphs.last().is_some_and(Vec::is_empty) {
        paragraphs.pop();
    }
    paragraphs.into_iter().map(|lines| lines.join("\n")).collect()
}

/// Makes the paragraphs say these texts, tags understood. What is too much is deleted in front of the last
/// paragraph, whose mark must stay where nothing follows; what is too little is inserted behind it.
pub(super) fn say(
    draft: &mut Draft<'_>,
    paragraphs: &[ParagraphId],
    texts: &[String],
    how: How,
) -> Result<(), Refusal> {
    let markup = draft.markup;
    let Some((last, others)) = paragraphs.split_last() else { return Ok(()) };
    let kept = texts.len().clamp(1, paragraphs.len()) - 1;
    let mut staying: Vec<ParagraphId> = others.iter().take(kept).copied().collect();
    staying.push(*last);
    for paragraph in others.iter().skip(kept).copied() {
        let read = draft.view().paragraph(draft.view().find(paragraph)?)?;
        match how != How::WordByWord && holds_more(&read) {
            true => how.set(draft, paragraph, "")?,
            false => {
                draft.delete(&DeleteParagraph { paragraph, expect: None, markup })?;
            }
        }
    }
    // New paragraphs look like what was there, not like the tags of a new text.
    let more = texts.left(staying.len());
    if !more.is_empty() {
        let made = draft.insert(&InsertParagraphs {
            anchor: *last,
            position: Position::After,
            text: more.join("\n\n"),
            style_source: None,
            markup,
        })?;
        if let (How::Anew, Outcome::Inserted { paragraphs }) = (how, made) {
            for (paragraph, text) in paragraphs.into_iter().zip(more) {
                write(draft, paragraph, text)?;
            }
        }
    }
    for (paragraph, text) in staying.iter().zip(texts) {
        how.set(draft, *paragraph, text)?;
    }
    Ok(())
}

/// How a paragraph comes to say another text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Words that stay keep their looks.
    WordByWord,
    /// The same, around pictures, and refused where a field may compute the text again.
    Lasting,
    /// All of it is written, with fields where the text has marks for them; fields that were there go, pictures stay.
    Anew,
}

impl How {
    fn set(self, draft: &mut Draft<'_>, paragraph: ParagraphId, text: &str) -> Result<(), Refusal> {
        match self {
            Self::WordByWord | Self::Lasting => set(draft, paragraph, text, self),
            Self::Anew => write(draft, paragraph, text),
        }
    }
}

/// Whether a paragraph holds a picture, a text box or the like, which no text stands for.
pub(super) fn holds_more(paragraph: &Paragraph) -> bool {
    paragraph.atoms.iter().any(|atom| !atom.deleted && is_more(&atom.kind))
}

fn is_more(kind: &AtomKind) -> bool {
    matches!(kind, AtomKind::Drawing { .. } | AtomKind::Object | AtomKind::Math { .. })
}

fn write(draft: &mut Draft<'_>, paragraph: ParagraphId, text: &str) -> Result<(), Refusal> {
    let place = draft.view().find(paragraph)?;
    super::check_controls(draft.view(), place)?;
    let opened = OpenParagraph::open(draft.view(), place)?;
    let anatomy = opened.anatomy()?;
    super::delete::check_contents(&opened, &anatomy)?;
    let first = anatomy.units.iter().find(|unit| unit.shape != Shape::Opaque);
    let look = first.and_then(|unit| anatomy.runs.get(unit.run));
    let look =
        look.map_or_else(RunProperties::default, |run| RunProperties::of_run(run.node).without_change());
    let stamp = draft.stamp();
    let tagged = crate::text::tags::parse(text)?;
    let runs = super::running::runs(&opened.dialect, &tagged, &look, stamp.as_ref());
    let kept = Kept::of(paragraph, &opened, &anatomy, stamp.is_some())?;
    let splices = match &stamp {
        None => kept.with_text(&runs),
        Some(stamp) => kept.with_tracked_text(runs, &opened, &anatomy, stamp)?,
    };
    let mut patch = edit::Patch::new();
    opened.add_to(&mut patch, splices)?;
    draft.apply(&patch)
}

fn set(draft: &mut Draft<'_>, paragraph: ParagraphId, text: &str, how: How) -> Result<(), Refusal> {
    let place = draft.view().find(paragraph)?;
    let read = draft.view().paragraph(place)?;
    let old = match how {
        How::WordByWord => shown_text(draft.view(), &read).text,
        _ => read.text(Side::Final).text,
    };
    let tagged = crate::text::tags::parse(text)?;
    if tagged.iter().all(|tagged| tagged.marks.is_empty())
        && tagged
            .iter()
            .map(|tagged| tagged.text.as_str())
            .eq([old.as_str()].into_iter().filter(|old| !old.is_empty()))
    {
        return Ok(());
    }
    if !old.is_empty() {
        let (new, markup) = (text.to_owned(), draft.markup);
        let Planned { step, .. } = match how {
            How::WordByWord => {
                let edit = ReplaceText { paragraph, old, new, expect: None, markup, clear_highlight: false };
                replace::plan(draft.view(), &edit, draft.cx)?
            }
            _ => replace::whole(draft.view(), paragraph, new, markup, draft.cx)?,
        };
        for Note { level, text } in step.notes {
            draft.note(level, text);
        }
        return draft.apply(&step.patch);
    }
    let opened = OpenParagraph::open(draft.view(), place)?;
    let look = RunProperties::default();
    let runs = super::running::runs(&opened.dialect, &tagged, &look, draft.stamp().as_ref());
    if runs.is_empty() {
        return Ok(());
    }
    let mut patch = edit::Patch::new();
    opened.add_to(&mut patch, vec![inside_end(opened.node()?, &runs)])?;
    draft.apply(&patch)
}
