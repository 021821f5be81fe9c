//! What changed of a paragraph that says what it said.

use std::collections::BTreeSet;

use edit::{OrEmpty, Refusal};

use crate::document::paragraph::{AtomKind, Paragraph, Side, WrapKind};
use crate::document::props::RunProps;
use crate::document::view::{Place, View};
use crate::text::read::formatted;

/// Words for how the paragraph was and is; `None` if nobody would see a difference.
pub(super) fn of_looks(
    before: &View,
    was: Place,
    after: &View,
    is: Place,
) -> Result<Option<(String, String)>, Refusal> {
    let (old, new) = (before.paragraph(was)?, after.paragraph(is)?);
    let mut words = Words::default();
    words.add("style", style(before, was), style(after, is));
    words.add("number", label(before, was), label(after, is));
    let (old_look, new_look) = (before.resolved(was), after.resolved(is));
    let alignment = |look: &crate::document::style::Resolved| {
        look.props.alignment.clone().unwrap_or_else(|| "left".to_owned())
    };
    words.add("alignment", alignment(&old_look), alignment(&new_look));
    let layout = |look: &crate::document::style::Resolved| {
        let props = &look.props;
        let indents = (props.left, props.right, props.first);
        let rest =
            (props.keep_next, props.keep_lines, props.page_break_before, &props.shading, &props.borders);
        format!("{indents:?} {:?} {rest:?}", (props.before, props.after, props.line, &props.line_rule))
    };
    words.differs("indents, spacing or borders", layout(&old_look) != layout(&new_look));
    let (old_text, new_text) = (formatted(before, was)?, formatted(after, is)?);
    if old_text != new_text {
        words.add("text", old_text, new_text);
    } else {
        words.add("font", fonts(before, &old), fonts(after, &new));
    }
    for (what, old, new) in marks(&old, &new) {
        words.add(what, old, new);
    }
    let redlined = |paragraph: &Paragraph| paragraph.text(Side::Redline).text;
    words.differs("tracked changes", redlined(&old) != redlined(&new));
    Ok(words.finish())
}

#[derive(Default)]
struct Words {
    before: Vec<String>,
    after: Vec<String>,
}

impl Words {
    fn add(&mut self, what: &str, before: String, after: String) {
        if before != after {
            let said = |text: String| if text.is_empty() { "none".to_owned() } else { text };
            self.before.push(format!("{what}: {}", said(before)));
            self.after.push(format!("{what}: {}", said(after)));
        }
    }

    /// For what would take too many words.
    fn differs(&mut self, what: &str, differs: bool) {
        if differs {
            self.before.push(format!("{what}: as before"));
            self.after.push(format!("{what}: changed"));
        }
    }

    fn finish(self) -> Option<(String, String)> {
        (!self.before.is_empty()).then(|| (self.before.join("; "), self.after.join("; ")))
    }
}

fn style(view: &View, place: Place) -> String {
    let resolved = view.resolved(place);
    let id = resolved.style.as_deref();
    id.map(|id| view.styles().get(id).map_or(id, |style| &style.name).to_owned()).or_empty()
}

fn label(view: &View, place: Place) -> String {
    view.label(place, Side::Final).or_empty().to_owned()
}

/// Fonts, sizes and colours that the runs themselves state.
fn fonts(view: &View, paragraph: &Paragraph) -> String {
    let said = |span: &std::ops::Range<usize>| {
        let props = RunProps::read(paragraph.bytes(span.clone()));
        let font = props.font.as_ref().and_then(|font| view.styles().font_name(font).map(str::to_owned));
        let size = props.size.map(|half| format!("{} pt", f64::from(half) / 2.0));
        let colour = props.color.map(|colour| format!("colour {colour}"));
        let style = props.style.map(|style| format!("style {style}"));
        let words: Vec<String> = [font, size, colour, style].into_iter().flatten().collect();
        words.join(" ")
    };
    let runs = paragraph.runs.iter().filter_map(|run| run.properties.as_ref());
    let all: BTreeSet<String> = runs.map(said).filter(|words| !words.is_empty()).collect();
    all.into_iter().collect::<Vec<_>>().join(", ")
}

/// Marks without text, counted where their number changed.
fn marks(old: &Paragraph, new: &Paragraph) -> Vec<(&'static str, String, String)> {
    let atoms = |paragraph: &Paragraph, wanted: &dyn Fn(&AtomKind) -> bool| {
        paragraph.atoms.iter().filter(|atom| wanted(&atom.kind)).count()
    };
    let links = |paragraph: &Paragraph| {
        paragraph.wraps.iter().filter(|wrap| matches!(wrap.kind, WrapKind::Hyperlink { .. })).count()
    };
    let names = |paragraph: &Paragraph| {
        let found = paragraph.atoms.iter().filter_map(|atom| match &atom.kind {
            AtomKind::BookmarkStart { name, .. } => Some(name.as_str()),
            _ => None,
        });
        found.collect::<Vec<_>>().join(", ")
    };
    let comment = |kind: &AtomKind| matches!(kind, AtomKind::CommentReference { .. });
    let note = |kind: &AtomKind| {
        matches!(kind, AtomKind::FootnoteReference { .. } | AtomKind::EndnoteReference { .. })
    };
    let drawing = |kind: &AtomKind| matches!(kind, AtomKind::Drawing { .. });
    let counted = |what, old: usize, new: usize| (what, old.to_string(), new.to_string());
    let mut marks = vec![
        counted("comments", atoms(old, &comment), atoms(new, &comment)),
        counted("notes", atoms(old, &note), atoms(new, &note)),
        counted("pictures", atoms(old, &drawing), atoms(new, &drawing)),
        counted("links", links(old), links(new)),
        ("bookmarks", names(old), names(new)),
    ];
    marks.retain(|(_, old, new)| old != new);
    marks
}
