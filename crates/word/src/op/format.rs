//! `applyStyle`: formatting of characters and paragraphs, named styles and lists.
//!
//! Text is never rewritten: runs are cut where the formatting changes, and properties are put where the schema
//! wants them.

use std::collections::BTreeSet;
use std::ops::Range;

use edit::{Context, Level, OrEmpty, Patch, Planned, Refusal};
use ooxml::xml::{Node, ns};

use super::cut::Cut;
use super::place::{Ground, Places, Stretch, plain_text};
use super::properties::{Change, change};
use super::styles::{self, Kind, Style};
use super::{
    Alignment, ApplyStyle, CharacterFormat, Color, Highlight, List, ParagraphFormat, Underline, lists,
};
use crate::document::paragraph::PieceKind;
use crate::document::stamp::Stamp;
use crate::document::view::{Place, View};
use crate::edits::Draft;
use crate::edits::anatomy::word_name;
use crate::edits::dialect::Dialect;
use crate::edits::marks::{self, inside_start};
use crate::edits::open_paragraph::{OpenParagraph, stamp};
use crate::edits::outcome::Answer;
use crate::edits::run_properties::{RunProperties, another_author, told_of_record};
use crate::edits::schema::Parent;
use crate::edits::{Markup, Outcome, check_controls};

pub(crate) fn plan(
    view: &View,
    op: &ApplyStyle,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    check(op)?;
    let mut draft = Draft::new(view, markup, cx);
    let ground = Ground::of(view, &op.scope, places)?;
    draft.note_selection(&op.scope, places);
    let style = match &op.named_style {
        Some(name) => Some(styles::ensure(&mut draft, name, &[Kind::Paragraph, Kind::Character])?),
        None => None,
    };
    // Another list would take a clause out of its numbering, and change what others refer to.
    let restyled = op.named_style.is_some() || op.clear_other_styles;
    let counted = |view: &View, place: Place| {
        op.paragraph.list == Some(List::Number) && !restyled && is_counted(view, place)
    };
    let all = ground.stretches.iter().all(|stretch| counted(draft.view(), stretch.place));
    let list = match op.paragraph.list {
        Some(List::Number) if all => None,
        Some(List::Bullet) => Some(Numbering::List(lists::bullets(&mut draft)?)),
        Some(List::Number) => Some(Numbering::List(lists::numbers(&mut draft)?)),
        Some(List::None) => Some(Numbering::None),
        None => None,
    };
    let kept = Want { op, style: style.clone(), list: None };
    let want = Want { op, style, list };
    if ground.is_cursor() && want.is_about_characters() && !want.is_about_paragraphs() {
        draft.note(Level::Warning, "nothing is selected, so there were no characters to format");
    }
    let stamp = (markup == Markup::Tracked).then(|| stamp(draft.view(), cx));
    let mut patch = Patch::new();
    let mut shared = BTreeSet::new();
    for stretch in &ground.stretches {
        check_controls(draft.view(), stretch.place)?;
        let opened = draft.open(stretch.place)?;
        let want = match counted(draft.view(), stretch.place) {
            true => &kept,
            false => &want,
        };
        if want.is_about_characters() {
            characters(&mut patch, &opened, stretch, want, stamp.as_ref(), &mut shared)?;
        }
        properties(&mut patch, draft.view(), &opened, stretch, want, stamp.as_ref(), &mut shared)?;
    }
    for author in shared {
        draft.note(Level::Warning, told_of_record(&author));
    }
    let numbered = ground.stretches.iter().filter(|stretch| counted(draft.view(), stretch.place)).count();
    if numbered > 0 {
        draft.note(Level::Info, format!("{numbered} of the paragraphs had a number and keep it"));
    }
    draft.apply(&patch)?;
    // Where the text is did not change, so the ground is the same in what came of it.
    let range = ground.span(draft.view())?;
    Ok(draft.done(summary(op), Answer::Styled { range }))
}

/// Whether a paragraph has a number of a list already.
fn is_counted(view: &View, place: Place) -> bool {
    let level = view.numbered(place).and_then(|at| view.numbering().level(at.num, at.level, view.styles()));
    level.is_some_and(|level| !matches!(level.format.as_str(), "bullet" | "none"))
}

fn check(op: &ApplyStyle) -> Result<(), Refusal> {
    let between = |field: &'static str, value: Option<f64>, low: f64, high: f64| match value {
        Some(value) if !(low..=high).contains(&value) => {
            Err(Refusal::invalid(field, value, format!("a number from {low} to {high}")))
        }
        _ => Ok(()),
    };
    between("char.fontSize", op.character.font_size, 1.0, 1638.0)?;
    between("para.lineSpacing", op.paragraph.line_spacing, 0.06, 132.0)?;
    between("para.spaceBefore", op.paragraph.space_before, 0.0, 1584.0)?;
    between("para.spaceAfter", op.paragraph.space_after, 0.0, 1584.0)?;
    if let Some(font) = &op.character.font_name
        && (font.trim().is_empty() || font.chars().count() > 31 || ooxml::xml::first_illegal(font).is_some())
    {
        return Err(Refusal::invalid(
            "char.fontName",
            format!("`{font}`"),
            "the name of a font, at most 31 letters",
        ));
    }
    let nothing = op.character == CharacterFormat::default()
        && op.paragraph == ParagraphFormat::default()
        && op.named_style.is_none()
        && !op.clear_other_styles;
    match nothing {
        true => Err(Refusal::invalid(
            "args",
            "nothing to apply",
            "`char`, `para`, `namedStyle` or `clearOtherStyles`",
        )),
        false => Ok(()),
    }
}

struct Want<'a> {
    op: &'a ApplyStyle,
    style: Option<Style>,
    list: Option<Numbering>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbering {
    None,
    List(u32),
}

impl Want<'_> {
    fn style_of(&self, kind: Kind) -> Option<&Style> {
        self.style.as_ref().filter(|style| style.kind == kind)
    }

    fn is_about_characters(&self) -> bool {
        self.op.character != CharacterFormat::default()
            || self.op.clear_other_styles
            || self.style_of(Kind::Character).is_some()
    }

    fn is_about_paragraphs(&self) -> bool {
        self.op.paragraph != ParagraphFormat::default()
            || self.op.clear_other_styles
            || self.style_of(Kind::Paragraph).is_some()
    }

    /// These run properties as they are wanted.
    fn run(&self, old: &RunProperties, dialect: &Dialect) -> RunProperties {
        let mut new = old.clone();
        if self.op.clear_other_styles {
            // The language is no formatting, and direction belongs to the script.
            let names: Vec<String> = new.children().iter().map(|(name, _)| name.clone()).collect();
            for name in
                names.iter().filter(|name| !matches!(name.as_str(), "lang" | "rtl" | "cs" | "noProof"))
            {
                new.remove(name);
            }
        }
        if let Some(style) = self.style_of(Kind::Character) {
            match style.default {
                true => new.remove("rStyle"),
                false => new.set("rStyle", dialect.empty("rStyle", &[("val", &style.id)])),
            }
        }
        let format = &self.op.character;
        for (wanted, names) in [(format.bold, ["b", "bCs"]), (format.italic, ["i", "iCs"])] {
            let Some(wanted) = wanted else { continue };
            for name in names {
                // Off has to be said, because the style may say on.
                let attributes: &[(&str, &str)] = if wanted { &[] } else { &[("val", "0")] };
                new.set(name, dialect.empty(name, attributes));
            }
        }
        if let Some(underline) = format.underline {
            let value = match underline {
                Underline::None => "none",
                Underline::Single => "single",
                Underline::Double => "double",
            };
            new.set("u", dialect.empty("u", &[("val", value)]));
        }
        if let Some(font) = &format.font_name {
            new.set("rFonts", fonts(old.get("rFonts"), font, dialect));
        }
        if let Some(size) = format.font_size {
            let half_points = ((size * 2.0).round() as u32).to_string();
            new.set("sz", dialect.empty("sz", &[("val", &half_points)]));
            new.set("szCs", dialect.empty("szCs", &[("val", &half_points)]));
        }
        if let Some(color) = format.color {
            new.set("color", dialect.empty("color", &[("val", &hex(color))]));
        }
        match format.highlight {
            None => {}
            Some(Highlight::None) => {
                new.remove("highlight");
                new.remove("shd");
            }
            Some(Highlight::Color(color)) => match palette(color) {
                Some(name) => {
                    new.remove("shd");
                    new.set("highlight", dialect.empty("highlight", &[("val", name)]));
                }
                // Highlighting has sixteen colours; any other is shading, which looks the same.
                None => {
                    new.remove("highlight");
                    let shading = [("val", "clear"), ("color", "auto"), ("fill", &*hex(color))];
                    new.set("shd", dialect.empty("shd", &shading));
                }
            },
        }
        new
    }
}

fn hex(color: Color) -> String {
    format!("{:02X}{:02X}{:02X}", color.red, color.green, color.blue)
}

/// The name of a highlighting colour.
fn palette(color: Color) -> Option<&'static str> {
    const COLOURS: [(&str, u32); 16] = [
        ("black", 0x000000),
        ("blue", 0x0000FF),
        ("cyan", 0x00FFFF),
        ("green", 0x00FF00),
        ("magenta", 0xFF00FF),
        ("red", 0xFF0000),
        ("yellow", 0xFFFF00),
        ("white", 0xFFFFFF),
        ("darkBlue", 0x000080),
        ("darkCyan", 0x008080),
        ("darkGreen", 0x008000),
        ("darkMagenta", 0x800080),
        ("darkRed", 0x800000),
        ("darkYellow", 0x808000),
        ("darkGray", 0x808080),
        ("lightGray", 0xC0C0C0),
    ];
    let value = u32::from_be_bytes([0, color.red, color.green, color.blue]);
    COLOURS.iter().find(|(_, known)| *known == value).map(|(name, _)| *name)
}

/// The font for everything but East Asian text, which keeps its own.
fn fonts(old: Option<&str>, font: &str, dialect: &Dialect) -> String {
    let kept = old.map(|old| {
        let old = old.as_bytes();
        ["hint", "eastAsia", "eastAsiaTheme"]
            .into_iter()
            .filter_map(|name| Some((name, crate::document::names::attribute(old, name)?.into_owned())))
            .collect::<Vec<_>>()
    });
    let kept = kept.unwrap_or_default();
    let mut attributes: Vec<(&str, &str)> = vec![("ascii", font), ("hAnsi", font), ("cs", font)];
    attributes.extend(kept.iter().map(|(name, value)| (*name, value.as_str())));
    dialect.empty("rFonts", &attributes)
}

/// Formats the characters of a stretch, run by run.
fn characters(
    patch: &mut Patch,
    opened: &OpenParagraph,
    stretch: &Stretch,
    want: &Want<'_>,
    stamp: Option<&Stamp>,
    shared: &mut BTreeSet<String>,
) -> Result<(), Refusal> {
    let (text, dialect, node) = (plain_text(&opened.paragraph), &opened.dialect, opened.node()?);
    let (paragraph, base) = (&opened.paragraph, opened.paragraph.span.start);
    let mut runs: Vec<(usize, Range<usize>)> = Vec::new();
    for piece in &text.pieces {
        let Some(run) = paragraph.atoms.get(piece.atom).and_then(|atom| atom.run) else { continue };
        // A reference to a note keeps the look that makes it one.
        if piece.kind == PieceKind::Marker {
            continue;
        }
        match runs.last_mut() {
            Some((last, whole)) if *last == run => whole.end = piece.range.end,
            _ => runs.push((run, piece.range.clone())),
        }
    }
    for (index, whole) in runs {
        let chosen = whole.start.max(stretch.range.start)..whole.end.min(stretch.range.end);
        if chosen.start >= chosen.end {
            continue;
        }
        let Some(run) = paragraph.runs.get(index) else { continue };
        let found = node.descendants().find(|node| node.span().start + base == run.span.start);
        let Some(run_node) = found else { continue };
        let old = RunProperties::of_run(run_node);
        let mut new = want.run(&old, dialect);
        if new == old {
            continue;
        }
        if let Some(stamp) = stamp {
            shared.extend(old.recorded_by_another(stamp));
            new = new.recorded(&old, stamp, dialect);
        }
        let written = new.write(dialect);
        let head = (chosen.start > whole.start).then(|| Cut::at(paragraph, &text, chosen.start, dialect));
        let tail = (chosen.end < whole.end).then(|| Cut::at(paragraph, &text, chosen.end, dialect));
        match head {
            Some(mut cut) => {
                cut.open = match &run.properties {
                    Some(properties) => {
                        let source = String::from_utf8_lossy(paragraph.bytes(properties.clone()));
                        cut.open.replacen(&*source, &written, 1)
                    }
                    None => {
                        let tag = paragraph.bytes(run.span.start..run.content.start).len();
                        let mut open = cut.open.clone();
                        open.insert_str(tag, &written);
                        open
                    }
                };
                cut.put(patch, &opened.part, "")?;
            }
            None => match &run.properties {
                Some(properties) => patch.splice(&opened.part, properties.clone(), written)?,
                None => {
                    let (range, with) = inside_start(run_node, &written);
                    opened.add_to(patch, vec![(range, with)])?;
                }
            },
        }
        if let Some(cut) = tail {
            // The blank before the cut is already said to count if the first cut was in the same text.
            cut.put_after(patch, &opened.part)?;
        }
    }
    Ok(())
}

/// Formats the paragraph and its mark.
fn properties(
    patch: &mut Patch,
    view: &View,
    opened: &OpenParagraph,
    stretch: &Stretch,
    want: &Want<'_>,
    stamp: Option<&Stamp>,
    shared: &mut BTreeSet<String>,
) -> Result<(), Refusal> {
    let (dialect, node) = (&opened.dialect, opened.node()?);
    let old = node.child(ns::W, "pPr");
    let child = |name: &str| old.and_then(|old| old.child(ns::W, name));
    let mut changes: Vec<Change> = Vec::new();
    if want.is_about_paragraphs() {
        of_paragraph(&mut changes, view, dialect, old, want)?;
    }
    // The mark looks like the text when all of the text is meant: lists take their numbers' look from it.
    if want.is_about_characters() && stretch.whole {
        changes.extend(of_mark(child("rPr"), want, dialect, stamp));
    }
    changes.retain(|(name, new)| {
        let now = child(name).map(|child| String::from_utf8_lossy(child.source()).into_owned());
        now != *new
    });
    let formatting = changes.iter().any(|(name, _)| *name != "rPr");
    if let (Some(stamp), Some(record)) = (stamp.filter(|_| formatting), child("pPrChange")) {
        shared.extend(another_author(&String::from_utf8_lossy(record.source()), stamp));
    }
    if let Some(stamp) = stamp.filter(|_| formatting && child("pPrChange").is_none()) {
        changes.push(("pPrChange", Some(marks::record(&marks::formatting(node), stamp, dialect))));
    }
    opened.add_to(patch, change(node, Parent::Paragraph, changes, dialect))
}

/// What the paragraph itself is to look like.
fn of_paragraph(
    changes: &mut Vec<Change>,
    view: &View,
    dialect: &Dialect,
    old: Option<Node<'_>>,
    want: &Want<'_>,
) -> Result<(), Refusal> {
    let child = |name: &str| old.and_then(|old| old.child(ns::W, name));
    let style = match want.style_of(Kind::Paragraph) {
        Some(style) => Some((!style.default).then(|| style.id.clone())),
        None if want.op.clear_other_styles => Some(None),
        None => None,
    };
    // As in Word, a style for paragraphs takes away what was said about the paragraph itself, its list included.
    if want.op.clear_other_styles || want.style_of(Kind::Paragraph).is_some() {
        for known in CLEARED.iter().filter(|name| child(name).is_some()) {
            changes.push((known, None));
        }
    }
    if let Some(style) = &style {
        set(changes, "pStyle", style.as_ref().map(|id| dialect.empty("pStyle", &[("val", id)])));
    }
    let format = &want.op.paragraph;
    if let Some(alignment) = format.alignment {
        let value = match alignment {
            Alignment::Left => "left",
            Alignment::Center => "center",
            Alignment::Right => "right",
            Alignment::Justify => "both",
        };
        set(changes, "jc", Some(dialect.empty("jc", &[("val", value)])));
    }
    if format.line_spacing.is_some() || format.space_before.is_some() || format.space_after.is_some() {
        let cleared = want.op.clear_other_styles || want.style_of(Kind::Paragraph).is_some();
        let before = child("spacing").filter(|_| !cleared);
        set(changes, "spacing", Some(spacing(before, format, dialect)));
    }
    if let Some(list) = want.list {
        let own = child("pStyle").and_then(|style| style.value(ns::W, "val")).map(|id| id.into_owned());
        let id = style.unwrap_or(own);
        let level = child("numPr")
            .and_then(|numbering| numbering.child(ns::W, "ilvl")?.value(ns::W, "val"))
            .map_or_else(|| "0".to_owned(), |level| level.into_owned());
        let numbering = match list {
            Numbering::List(number) => Some((level, number)),
            // Only numbering that a style brings has to be denied.
            Numbering::None => styles::numbers(view, id.as_deref())?.then_some(("0".to_owned(), 0)),
        };
        let written = numbering.map(|(level, number)| {
            let inner = format!(
                "{}{}",
                dialect.empty("ilvl", &[("val", &level)]),
                dialect.empty("numId", &[("val", &number.to_string())])
            );
            dialect.wrap("numPr", "", &inner)
        });
        set(changes, "numPr", written);
        if let (Numbering::List(_), Some(own)) = (list, child("ind")) {
            // A list hangs where its level says; an indent of the paragraph itself would hide that.
            set(changes, "ind", without_left(own, dialect));
        }
    }
    Ok(())
}

/// What the mark at its end is to look like; nothing where it does already.
fn of_mark(
    mark: Option<Node<'_>>,
    want: &Want<'_>,
    dialect: &Dialect,
    stamp: Option<&Stamp>,
) -> Option<Change> {
    let before = mark.map_or_else(RunProperties::default, RunProperties::of);
    let mut after = want.run(&before, dialect);
    if want.style_of(Kind::Character).is_some() {
        after = before.clone();
    }
    if after == before {
        return None;
    }
    if let Some(stamp) = stamp {
        after = after.recorded(&before, stamp, dialect);
    }
    let revisions: String = mark
        .iter()
        .flat_map(Node::elements)
        .filter(|node| matches!(word_name(node), "ins" | "del" | "moveFrom" | "moveTo"))
        .map(|node| String::from_utf8_lossy(node.source()).into_owned())
        .collect();
    let written = after.write(dialect);
    let inner = match revisions.is_empty() {
        true => written,
        false => {
            let open = format!("<{}rPr>", dialect.element);
            let body = written
                .strip_prefix(&open)
                .and_then(|rest| rest.strip_suffix(&format!("</{}rPr>", dialect.element)));
            dialect.wrap("rPr", "", &format!("{revisions}{}", body.or_empty()))
        }
    };
    Some(("rPr", (!inner.is_empty()).then_some(inner)))
}

/// Direct formatting of a paragraph that clearing takes away.
const CLEARED: [&str; 17] = [
    "pStyle",
    "keepNext",
    "keepLines",
    "pageBreakBefore",
    "widowControl",
    "numPr",
    "suppressLineNumbers",
    "pBdr",
    "shd",
    "tabs",
    "suppressAutoHyphens",
    "spacing",
    "ind",
    "contextualSpacing",
    "jc",
    "textAlignment",
    "outlineLvl",
];

/// An indent with what it says about the right side alone.
fn without_left(indent: Node<'_>, dialect: &Dialect) -> Option<String> {
    let kept: Vec<(&str, String)> = ["right", "end", "rightChars", "endChars"]
        .into_iter()
        .filter_map(|name| Some((name, indent.value(ns::W, name)?.into_owned())))
        .collect();
    let kept: Vec<(&str, &str)> = kept.iter().map(|(name, value)| (*name, value.as_str())).collect();
    (!kept.is_empty()).then(|| dialect.empty("ind", &kept))
}

fn set(changes: &mut Vec<Change>, name: &'static str, source: Option<String>) {
    changes.retain(|(known, _)| *known != name);
    changes.push((name, source));
}

/// Spacing with what is wanted, beside what was there.
fn spacing(old: Option<Node<'_>>, format: &ParagraphFormat, dialect: &Dialect) -> String {
    let mut attributes: Vec<(String, String)> = Vec::new();
    let mut replaced: Vec<&str> = Vec::new();
    let twips = |points: f64| ((points * 20.0).round() as i64).to_string();
    let mut new: Vec<(&str, String)> = Vec::new();
    if let Some(before) = format.space_before {
        replaced.extend(["before", "beforeLines", "beforeAutospacing"]);
        new.push(("before", twips(before)));
    }
    if let Some(after) = format.space_after {
        replaced.extend(["after", "afterLines", "afterAutospacing"]);
        new.push(("after", twips(after)));
    }
    if let Some(lines) = format.line_spacing {
        replaced.extend(["line", "lineRule"]);
        new.push(("line", ((lines * 240.0).round() as i64).to_string()));
        new.push(("lineRule", "auto".to_owned()));
    }
    for attribute in old.iter().flat_map(Node::attributes) {
        if attribute.namespace() == ns::W && !replaced.contains(&attribute.local()) {
            attributes.push((attribute.local().to_owned(), attribute.value().into_owned()));
        }
    }
    attributes.extend(new.into_iter().map(|(name, value)| (name.to_owned(), value)));
    let attributes: Vec<(&str, &str)> =
        attributes.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    dialect.empty("spacing", &attributes)
}

fn summary(op: &ApplyStyle) -> String {
    match &op.named_style {
        Some(name) => format!("Apply the style {name}"),
        None if op.character == CharacterFormat::default() => "Format paragraphs".to_owned(),
        None => "Format text".to_owned(),
    }
}
