//! What paragraphs look like: resolved formatting, fingerprints and the short names of them.
//!
//! A fingerprint is made of effective formatting alone, so neither revision ids nor the way a file spells it
//! make a difference. Names such as `body_1` are kept in a registry for as long as the document is open: what
//! was once called so stays called so.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use edit::Cut;

use crate::document::index::{BoxKind, NOWHERE, Quick, digest};
use crate::document::layout::Story;
use crate::document::numbering::Numbered;
use crate::document::props::{ParaProps, RunProps, Toggle, each_child};
use crate::document::regions::{self, InTable, Regions};
use crate::document::style::{NumberedBy, Resolved};
use crate::document::view::{Place, View};

mod dominant;

use dominant::Dominant;
use edit::OrEmpty;

/// Everything that looks alike has the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u64);

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "fp_{:016x}", self.0)
    }
}

/// The names that fingerprints have in a session.
#[derive(Debug, Clone, Default)]
pub(crate) struct Registry {
    names: BTreeMap<Fingerprint, Box<str>>,
    /// How many names of each kind are given.
    given: BTreeMap<String, usize>,
}

impl Registry {
    pub(crate) fn name(&self, fingerprint: Fingerprint) -> Option<&str> {
        self.names.get(&fingerprint).map(|name| &**name)
    }

    fn add(&mut self, fingerprint: Fingerprint, role: &str) {
        if self.names.contains_key(&fingerprint) {
            return;
        }
        let given = self.given.entry(role.to_owned()).or_default();
        *given += 1;
        // There is one title but many bodies; a number on the first would say nothing.
        let name = match (*given, role) {
            (1, "body") => "body_1".to_owned(),
            (1, role) => role.to_owned(),
            (number, role) => format!("{role}_{number}"),
        };
        self.names.insert(fingerprint, name.into_boxed_str());
    }
}

/// Resolves formatting, remembering what it found: paragraphs repeat a few looks.
pub(crate) struct Looks<'v> {
    view: &'v View,
    tables: HashMap<(u32, u32), Option<TableLook>, Quick>,
    paragraphs: HashMap<(u32, Option<InTable>), Arc<Resolved>, Quick>,
    runs: HashMap<(usize, Vec<u8>), Arc<RunProps>, Quick>,
    dominant: Dominant,
    fingerprints: HashMap<(usize, u32, u8), Named, Quick>,
}

/// The number of a table's style and, if it makes a difference, the regions of its cells.
struct TableLook {
    style: usize,
    cells: HashMap<u32, Regions, Quick>,
}

/// A fingerprint and the role it plays.
type Named = (Fingerprint, Arc<str>);

impl<'v> Looks<'v> {
    pub(crate) fn new(view: &'v View) -> Self {
        Self {
            view,
            tables: HashMap::with_hasher(Quick),
            paragraphs: HashMap::with_hasher(Quick),
            runs: HashMap::with_hasher(Quick),
            dominant: Dominant::new(),
            fingerprints: HashMap::with_hasher(Quick),
        }
    }

    pub(crate) fn paragraph(&mut self, place: Place) -> Arc<Resolved> {
        let table = self.table(place);
        let spelling = self.view.spelling_number(place);
        if let Some(known) = self.paragraphs.get(&(spelling, table)) {
            return Arc::clone(known);
        }
        let resolved = Arc::new(self.view.resolve(place, table));
        self.paragraphs.insert((spelling, table), Arc::clone(&resolved));
        resolved
    }

    /// The formatting of a run by its `w:rPr`; no bytes if it has none.
    pub(crate) fn run(&mut self, paragraph: &Arc<Resolved>, properties: &[u8]) -> Arc<RunProps> {
        let key = (Arc::as_ptr(paragraph) as usize, properties.to_vec());
        if let Some(known) = self.runs.get(&key) {
            return Arc::clone(known);
        }
        let run = Arc::new(self.view.styles().run(paragraph, &RunProps::read(properties)));
        self.runs.insert(key, Arc::clone(&run));
        run
    }

    pub(crate) fn fingerprint(&mut self, place: Place) -> Named {
        let paragraph = self.paragraph(place);
        let part = self.view.part(place);
        let properties = part.map_or(0, |part| self.dominant.of(part, place.index as usize));
        let kind = setting(self.view, place);
        let key = (Arc::as_ptr(&paragraph) as usize, properties, kind as u8);
        if let Some(known) = self.fingerprints.get(&key) {
            return known.clone();
        }
        let run = match self.dominant.spelling(properties) {
            [] => self.view.styles().run(&paragraph, &paragraph.props.mark),
            properties => self.view.styles().run(&paragraph, &RunProps::read(properties)),
        };
        let numbered = self.view.numbered(place);
        let format = numbered.and_then(|Numbered { num, level }| {
            self.view.numbering().level(num, level, self.view.styles()).map(|level| level.format.clone())
        });
        let list = numbered.map(|numbered| (numbered.level, format.unwrap_or_default()));
        let canonical = canonical(self.view, &paragraph, &run, list.as_ref(), kind);
        let fingerprint = Fingerprint(digest(5, canonical.as_bytes()));
        let role: Arc<str> = Arc::from(role(self.view, &paragraph, list.as_ref(), kind));
        self.fingerprints.insert(key, (fingerprint, Arc::clone(&role)));
        (fingerprint, role)
    }

    /// The number of the style of the table around a paragraph, and the regions the paragraph stands in.
    fn table(&mut self, place: Place) -> Option<InTable> {
        let part = self.view.part(place)?;
        let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
        // A text box is a text of its own, wherever it hangs.
        let mut boxes = part.around(boxed).take_while(|(_, block)| block.kind != BoxKind::TextBox);
        let (cell, _) = boxes.find(|(_, block)| block.kind == BoxKind::Cell)?;
        let (table, block) = boxes.find(|(_, block)| block.kind == BoxKind::Table)?;
        let styles = self.view.styles();
        let found = self.tables.entry((place.part, table)).or_insert_with(|| {
            let properties = part.blob.slice(block.props.0 as usize..block.props.1 as usize);
            let style = styles.table_style(&properties)?;
            let cells = styles.cut(style).map(|cut| regions::of_cells(part, table, cut));
            Some(TableLook { style, cells: cells.unwrap_or(HashMap::with_hasher(Quick)) })
        });
        let found = found.as_ref()?;
        Some((found.style, found.cells.get(&cell).copied().unwrap_or_default()))
    }
}

impl View {
    /// The fingerprint of what a paragraph looks like.
    pub fn fingerprint(&self, place: Place) -> Fingerprint {
        Looks::new(self).fingerprint(place).0
    }

    /// How a run of a paragraph looks, its styles included.
    pub fn run_look(&self, place: Place, properties: &[u8]) -> RunProps {
        self.styles().run(&self.resolved(place), &RunProps::read(properties))
    }

    /// The short name of what a paragraph looks like, such as `body_1` or `section`.
    pub fn style_name(&self, place: Place) -> String {
        let (fingerprint, role) = Looks::new(self).fingerprint(place);
        self.registry().name(fingerprint).unwrap_or(&role).to_owned()
    }

    /// Names every look in the document: within a role the commonest first, so that `body_1` is the body.
    pub(crate) fn register(&self) -> Registry {
        let mut registry = Registry::default();
        self.add_looks(&mut registry, self.places());
        registry
    }

    /// Names the looks of some paragraphs that have none yet.
    pub(crate) fn add_looks(&self, registry: &mut Registry, places: impl Iterator<Item = Place>) {
        let mut looks = Looks::new(self);
        let mut seen: Vec<(Fingerprint, Arc<str>, usize)> = Vec::new();
        let mut known: HashMap<Fingerprint, usize, Quick> = HashMap::with_hasher(Quick);
        for place in places {
            let (fingerprint, role) = looks.fingerprint(place);
            let index = *known.entry(fingerprint).or_insert_with(|| {
                seen.push((fingerprint, role, 0));
                seen.len() - 1
            });
            if let Some((_, _, count)) = seen.get_mut(index) {
                *count += 1;
            }
        }
        // A stable sort: where counts are equal, the first in the document comes first.
        seen.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
        for (fingerprint, role, _) in seen {
            registry.add(fingerprint, &role);
        }
    }

    fn resolve(&self, place: Place, table: Option<InTable>) -> Resolved {
        let own = ParaProps::read(self.spelling(place));
        let mut resolved = self.styles().resolve(&own, table);
        let level = self
            .numbered(place)
            .and_then(|Numbered { num, level }| self.numbering().level(num, level, self.styles()));
        if let Some(level) = level {
            // A list brings its indents; what the paragraph says itself counts more, and so does a style that
            // brings the list along.
            let by_paragraph = resolved.numbered_by == NumberedBy::Paragraph;
            let props = &mut resolved.props;
            let indents = [
                (&mut props.left, own.left, level.paragraph.left),
                (&mut props.first, own.first, level.paragraph.first),
            ];
            for (slot, own, listed) in indents {
                if own.is_none() && (by_paragraph || slot.is_none()) {
                    *slot = listed.or(*slot);
                }
            }
        }
        resolved
    }
}

/// Where a paragraph stands, as far as that changes how it is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Setting {
    Text,
    Cell,
    TextBox,
    Header,
    Footer,
    Note,
    Comment,
}

fn setting(view: &View, place: Place) -> Setting {
    match view.story_of(place) {
        Story::Header(_) => return Setting::Header,
        Story::Footer(_) => return Setting::Footer,
        Story::Footnotes | Story::Endnotes => return Setting::Note,
        Story::Comments => return Setting::Comment,
        Story::Body => {}
    }
    let Some(part) = view.part(place) else { return Setting::Text };
    let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
    let found = part.around(boxed).find_map(|(_, block)| match block.kind {
        BoxKind::Cell => Some(Setting::Cell),
        BoxKind::TextBox => Some(Setting::TextBox),
        _ => None,
    });
    found.unwrap_or(Setting::Text)
}

/// The name of a paragraph's style in lower case.
fn style_name(view: &View, paragraph: &Resolved) -> String {
    let style = paragraph.style.as_deref().and_then(|id| view.styles().get(id));
    style.map(|style| style.name.to_ascii_lowercase()).or_empty()
}

/// How deep in the outline a paragraph stands, from 0.
fn outline(paragraph: &Resolved, style_name: &str) -> Option<u8> {
    paragraph.props.outline.filter(|level| *level < 9).or_else(|| {
        let level = style_name.strip_prefix("heading ")?.parse::<u8>().ok()?;
        level.checked_sub(1)
    })
}

impl View {
    /// The level of a heading, from 1.
    pub fn heading_level(&self, place: Place) -> Option<u8> {
        let paragraph = self.resolved(place);
        outline(&paragraph, &style_name(self, &paragraph)).map(|level| level + 1)
    }
}

fn role(view: &View, paragraph: &Resolved, list: Option<&(u8, String)>, setting: Setting) -> String {
    let name = style_name(view, paragraph);
    match outline(paragraph, &name) {
        Some(0) => return "section".to_owned(),
        Some(1) => return "subsection".to_owned(),
        Some(2) => return "subsubsection".to_owned(),
        Some(level) => return format!("heading_{}", level + 1),
        None => {}
    }
    for (known, role) in
        [("title", "title"), ("subtitle", "subtitle"), ("caption", "caption"), ("quote", "quote")]
    {
        if name == known {
            return role.to_owned();
        }
    }
    if let Some(level) = name.strip_prefix("toc ").filter(|level| level.parse::<u8>().is_ok()) {
        return format!("toc_{level}");
    }
    match (setting, list) {
        (Setting::Header, _) => "header".to_owned(),
        (Setting::Footer, _) => "footer".to_owned(),
        (Setting::Note, _) => "note".to_owned(),
        (Setting::Comment, _) => "comment".to_owned(),
        (_, Some((level, format))) if format == "bullet" => format!("bullet_level_{}", level + 1),
        (_, Some((level, _))) => format!("list_level_{}", level + 1),
        (Setting::Cell, _) => "cell".to_owned(),
        (Setting::TextBox, _) => "text_box".to_owned(),
        (Setting::Text, _) => "body".to_owned(),
    }
}

/// All that makes the look, in a fixed order. Nothing that changes from one save to the next is in it.
fn canonical(
    view: &View,
    paragraph: &Resolved,
    run: &RunProps,
    list: Option<&(u8, String)>,
    setting: Setting,
) -> String {
    let props = &paragraph.props;
    let font = run.font.as_ref().and_then(|font| view.styles().font_name(font));
    let on = |value: Option<bool>| u8::from(value == Some(true));
    let toggles: String = run.toggles.iter().map(|toggle| char::from(b'0' + on(*toggle))).collect();
    // Explicit defaults look like silence.
    let measure = |value: Option<i32>| value.unwrap_or(0);
    let said = |value: &Option<String>, default: &str| match value.as_deref() {
        None | Some("auto" | "left" | "start" | "none" | "baseline" | "AUTO") => default.to_owned(),
        Some(value) => value.to_owned(),
    };
    format!(
        "{setting:?};style={};list={list:?};jc={};ind={},{},{};sp={},{},{},{};keep={}{}{};rtl={};outline={:?};shd={};bdr={};\
         t={toggles};dstrike={};u={};color={};hl={};rshd={};sz={};font={};va={};csp={};pos={}",
        paragraph.style.as_deref().or_empty(),
        said(&props.alignment, ""),
        measure(props.left),
        measure(props.right),
        measure(props.first),
        measure(props.before),
        measure(props.after),
        props.line.unwrap_or(240),
        said(&props.line_rule, ""),
        on(props.keep_next),
        on(props.keep_lines),
        on(props.page_break_before),
        on(props.right_to_left),
        props.outline,
        said(&props.shading, ""),
        said(&props.borders, ""),
        on(run.double_strike),
        said(&run.underline, ""),
        said(&run.color, ""),
        said(&run.highlight, ""),
        said(&run.shading, ""),
        run.size.unwrap_or(20),
        font.unwrap_or_default(),
        said(&run.vertical, ""),
        measure(run.spacing),
        measure(run.position),
    )
}

/// Whether there is something behind a paragraph on which white text can be read: a colour of its own, of its cell or
/// table, or of the shape it stands in.
pub(crate) fn is_on_colour(view: &View, place: Place, paragraph: &Resolved) -> bool {
    let says = |fill: Option<&str>| fill.map(|fill| !matches!(fill, "AUTO" | "FFFFFF" | "none" | "NONE"));
    if says(paragraph.props.shading.as_deref()) == Some(true) {
        return true;
    }
    let Some(part) = view.part(place) else { return false };
    let bytes = |(from, to): (u32, u32)| part.blob.slice(from as usize..to as usize);
    let shading = |props: (u32, u32)| {
        let mut fill = None;
        each_child(&bytes(props), |child| {
            if child.name == "shd" {
                fill = child.get("fill").map(|fill| fill.to_ascii_uppercase());
            }
        });
        fill
    };
    let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
    let mut cell = None;
    for (at, block) in part.around(boxed) {
        match block.kind {
            BoxKind::Cell => {
                if let Some(known) = says(shading(block.props).as_deref()) {
                    return known;
                }
                cell = Some(at);
            }
            BoxKind::Table => {
                let styles = view.styles();
                let style = styles.table_style(&bytes(block.props));
                let by_style = style.zip(cell).and_then(|(style, cell)| {
                    let cells = regions::of_cells(part, at, styles.coloured_cut(style)?);
                    says(styles.fill(style, cells.get(&cell).copied().unwrap_or_default()))
                });
                if let Some(known) = by_style.or_else(|| says(shading(block.props).as_deref())) {
                    return known;
                }
            }
            BoxKind::TextBox => {
                let from = (block.start as usize).saturating_sub(16 << 10);
                return is_filled_shape(&part.blob.slice(from..block.start as usize));
            }
            _ => {}
        }
    }
    false
}

/// Whether a shape has a fill, by what is written between its start and its text.
fn is_filled_shape(before: &[u8]) -> bool {
    let last = |name: &str| memchr::memmem::rfind(before, name.as_bytes());
    let starts = ["<wps:wsp", "<v:shape ", "<v:rect", "<v:roundrect", "<v:oval"];
    let Some(start) = starts.into_iter().filter_map(last).max() else { return false };
    let shape = before.part(start..);
    let has = |bytes: &[u8], what: &str| memchr::memmem::find(bytes, what.as_bytes()).is_some();
    // The line around it has a fill of its own.
    let own = shape.part(..memchr::memmem::find(shape, b"<a:ln").unwrap_or(shape.len()));
    let theme = memchr::memmem::find(shape, b"<a:fillRef idx=\"")
        .is_some_and(|at| shape.get(at + 16).is_some_and(|index| *index != b'0'));
    let named = has(own, "<a:solidFill")
        || has(own, "<a:gradFill")
        || has(own, "<a:pattFill")
        || has(own, "<a:blipFill");
    let none = has(own, "<a:noFill");
    named || theme && !none || has(shape, "fillcolor=") && !has(shape, "filled=\"f\"")
}

/// Whether characters so formatted can be told from those around them.
pub(crate) fn is_white(run: &RunProps) -> bool {
    let white = |color: &Option<String>| matches!(color.as_deref(), Some("FFFFFF" | "theme:background1"));
    let on_something =
        |color: &Option<String>| !matches!(color.as_deref(), None | Some("AUTO" | "FFFFFF" | "none"));
    white(&run.color) && !on_something(&run.shading) && !on_something(&run.highlight)
}

pub(crate) fn is_emphasised(run: &RunProps) -> bool {
    run.is(Toggle::Bold) || run.is_underlined()
}
