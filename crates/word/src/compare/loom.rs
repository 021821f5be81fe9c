//! Two wordings of a paragraph woven into one: what stays, what goes, and between them what comes.
//!
//! Runs are divided only where a change begins or ends. Marks between them (bookmarks, comments, ends of fields that
//! stand in other paragraphs) are never touched.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use edit::{Cut, Refusal};
use ooxml::xml::escape_text;

use super::carrier::{Carrier, field_of_runs};
use super::left::Left;
use super::strands::{Bit, Cloth, Container, Kind, Strand};
use crate::document::paragraph::{Atom, AtomKind, Paragraph, Run, Wrap, WrapKind};
use crate::document::view::Place;
use crate::edits::dialect::Dialect;
use crate::edits::redline::{FRESH, STAMP};
use crate::edits::run_properties::RunProperties;
use crate::edits::{Markup, NoteKind};
use crate::text::tokens::compare as diff;

/// What a weaving comes to.
#[derive(Debug, Default)]
pub(super) struct Woven {
    /// By the number of the part.
    pub(super) splices: Vec<(u32, Range<usize>, String)>,
    /// Notes whose references stand in both, by kind, old id and new id.
    pub(super) notes: Vec<(NoteKind, String, String)>,
}

/// How text of the original goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Going {
    Deleted,
    Moved,
}

/// Weaves `new` into `old`. With `looks` the formatting of words that stay is compared too.
pub(super) fn weave(
    old: &Cloth,
    new: &Cloth,
    carrier: &Carrier<'_>,
    looks: bool,
    left: &mut Left,
) -> Result<Woven, Refusal> {
    let keys = |cloth: &Cloth| -> Vec<Cow<'static, str>> {
        cloth.strands.iter().map(|strand| Cow::Owned(strand.key.clone())).collect()
    };
    let mut loom = Loom::new(old, carrier, Going::Deleted);
    let mut woven = Woven::default();
    for hunk in diff(&keys(old), &keys(new)) {
        let (before, after) = (old.strands.cut(hunk.old.clone())?, new.strands.cut(hunk.new)?);
        if hunk.same {
            for (old, new_strand) in before.iter().zip(after) {
                if let (Kind::Note(kind, from), Kind::Note(_, to)) = (&old.kind, &new_strand.kind) {
                    woven.notes.push((*kind, from.clone(), to.clone()));
                }
                if looks {
                    loom.restyle(old, new, new_strand)?;
                }
            }
            continue;
        }
        for strand in before {
            loom.cut(strand)?;
        }
        if let Some(first) = after.first() {
            let spot = loom.spot(hunk.old.end, &first.container);
            let to = loom.part_of(&spot)?;
            let runs = carrier.runs(new, after, to, &spot.within, left)?;
            loom.put(spot, runs)?;
        }
    }
    woven.splices = loom.finish()?;
    Ok(woven)
}

/// Takes out all that a paragraph says. With `machinery` also the ends of fields that stand in other paragraphs.
pub(super) fn cut_all(
    old: &Cloth,
    carrier: &Carrier<'_>,
    going: Going,
    machinery: bool,
) -> Result<Vec<(u32, Range<usize>, String)>, Refusal> {
    let mut loom = Loom::new(old, carrier, going);
    for strand in &old.strands {
        loom.cut(strand)?;
    }
    for (part, (_, paragraph)) in old.parts.iter().enumerate() {
        for (atom, known) in paragraph.atoms.iter().enumerate() {
            let field = matches!(
                known.kind,
                AtomKind::FieldBegin
                    | AtomKind::FieldSeparate
                    | AtomKind::FieldEnd
                    | AtomKind::FieldInstruction(_)
            );
            if field && machinery && !known.deleted {
                loom.cuts.entry((part, atom)).or_default();
            }
        }
    }
    loom.finish()
}

/// A place for new text.
pub(super) struct Spot {
    part: usize,
    at: At,
    pub(super) within: Container,
}

enum At {
    /// In an atom, behind so many bytes of its text; of others 0 is before it and 1 behind it.
    Atom { atom: usize, offset: usize },
    /// Between elements of the paragraph.
    Byte(usize),
    /// Where the paragraph ends.
    End,
}

/// Part of a text and the look it gets.
type Restyling = (Range<usize>, RunProperties);

struct Loom<'a> {
    old: &'a Cloth,
    carrier: &'a Carrier<'a>,
    going: Going,
    /// What goes, by paragraph and atom; no range at all is the whole atom.
    cuts: BTreeMap<(usize, usize), Vec<Range<usize>>>,
    looks: BTreeMap<(usize, usize), Vec<Restyling>>,
    puts: BTreeMap<(usize, usize), Vec<(usize, String)>>,
    loose: Vec<(usize, Range<usize>, String)>,
}

/// What becomes of a piece of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Lot {
    Stays,
    Restyled(RunProperties),
    Goes,
    Comes,
}

impl<'a> Loom<'a> {
    fn new(old: &'a Cloth, carrier: &'a Carrier<'a>, going: Going) -> Self {
        let (cuts, looks, puts) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { old, carrier, going, cuts, looks, puts, loose: Vec::new() }
    }

    fn paragraph(&self, part: usize) -> Result<(Place, &'a Paragraph), Refusal> {
        let known = self.old.parts.get(part).map(|(place, paragraph)| (*place, paragraph));
        known.ok_or_else(|| Refusal::internal("a paragraph that is not compared"))
    }

    fn dialect(&self, part: usize) -> Result<&'a Dialect, Refusal> {
        let (place, _) = self.paragraph(part)?;
        self.carrier.old.part(place.part).map(|(_, dialect)| dialect)
    }

    fn part_of(&self, spot: &Spot) -> Result<u32, Refusal> {
        self.paragraph(spot.part).map(|(place, _)| place.part)
    }

    fn cut(&mut self, strand: &Strand) -> Result<(), Refusal> {
        if let (Kind::SimpleField(wrap), Some(first)) = (&strand.kind, strand.bits.first()) {
            return self.cut_simple_field(first.part, *wrap, strand);
        }
        for bit in &strand.bits {
            let Some((paragraph, atom)) = self.old.atom(bit) else { continue };
            if atom.run.is_none() && matches!(atom.kind, AtomKind::Math { .. }) {
                let source = String::from_utf8_lossy(paragraph.bytes(atom.span.clone())).into_owned();
                let with = self.gone(bit.part, &source)?;
                self.loose.push((bit.part, atom.span.clone(), with));
                continue;
            }
            if atom.kind.is_silent() || matches!(atom.kind, AtomKind::CommentReference { .. }) {
                continue;
            }
            let cuts = self.cuts.entry((bit.part, bit.atom)).or_default();
            cuts.extend(bit.local.clone());
        }
        Ok(())
    }

    /// A deletion around runs as they are written, or nothing where changes are not tracked.
    fn gone(&self, part: usize, runs: &str) -> Result<String, Refusal> {
        let name = match self.going {
            Going::Deleted => "del",
            Going::Moved => "moveFrom",
        };
        Ok(match self.carrier.markup {
            Markup::Plain => String::new(),
            Markup::Tracked => self.dialect(part)?.wrap(name, STAMP, runs),
        })
    }

    /// A simple field cannot stand in a deletion; one of runs can, and is the same to Word.
    fn cut_simple_field(&mut self, part: usize, wrap: usize, strand: &Strand) -> Result<(), Refusal> {
        let (_, paragraph) = self.paragraph(part)?;
        let dialect = self.dialect(part)?;
        let span = paragraph.wraps.get(wrap).map(|wrap| wrap.span.clone());
        let span = span.ok_or_else(|| Refusal::internal("a field that is gone"))?;
        let mut runs = String::new();
        let mut done = BTreeSet::new();
        for number in strand.bits.iter().filter_map(|bit| paragraph.atoms.get(bit.atom)?.run) {
            if done.insert(number) {
                let bits = strand.bits.iter();
                let inside = bits
                    .filter(|bit| paragraph.atoms.get(bit.atom).is_some_and(|atom| atom.run == Some(number)));
                let mut content = String::new();
                for bit in inside {
                    content.push_str(&self.spelled(paragraph, bit.atom, None, &Lot::Goes, dialect)?);
                }
                let run =
                    paragraph.runs.get(number).ok_or_else(|| Refusal::internal("a run that is gone"))?;
                runs.push_str(&self.run(paragraph, run, &Lot::Goes, &content, dialect));
            }
        }
        let name = if self.going == Going::Deleted { "delInstrText" } else { "instrText" };
        let with = self.gone(part, &field_of_runs(paragraph, wrap, &runs, dialect, name))?;
        self.loose.push((part, span, with));
        Ok(())
    }

    /// Has words that stay look as the revised document has them.
    fn restyle(&mut self, old: &Strand, new: &Cloth, strand: &Strand) -> Result<(), Refusal> {
        if old.kind != Kind::Text {
            return Ok(());
        }
        // Both say the same, in runs that may be divided differently.
        let wanted = strand.bits.first().and_then(|bit| {
            let (place, paragraph) = new.parts.get(bit.part)?;
            let run = paragraph.runs.get(paragraph.atoms.get(bit.atom)?.run?)?;
            let look = run.properties.clone().map_or(&[][..], |span| paragraph.bytes(span));
            Some((place.part, look))
        });
        let Some((from, wanted)) = wanted else { return Ok(()) };
        for bit in &old.bits {
            let Some((paragraph, atom)) = self.old.atom(bit) else { continue };
            let Some(run) = atom.run.and_then(|run| paragraph.runs.get(run)) else { continue };
            let (place, _) = self.paragraph(bit.part)?;
            let bytes = run.properties.clone().map_or(&[][..], |span| paragraph.bytes(span));
            if bytes == wanted || memchr::memmem::find(bytes, b"rPrChange").is_some() {
                continue;
            }
            let look = self.carrier.run_look(wanted, from, place.part)?;
            if look.written() != self.carrier.own_look(bytes, place.part)?.written() {
                let range = bit.local.clone().unwrap_or(0..1);
                self.looks.entry((bit.part, bit.atom)).or_default().push((range, look));
            }
        }
        Ok(())
    }

    /// Where new text goes that stands before the strand `index` and is held by `container` in its own document.
    fn spot(&self, index: usize, container: &Container) -> Spot {
        let before = index.checked_sub(1).and_then(|index| self.old.strands.get(index));
        let next = self.old.strands.get(index);
        let suits = |strand: Option<&Strand>| strand.is_some_and(|strand| strand.container == *container);
        let free =
            |strand: Option<&Strand>| strand.is_some_and(|strand| strand.container == Container::Paragraph);
        let holds = |strand: &Strand| strand.container.clone();
        match (before, next) {
            (Some(before), _) if suits(Some(before)) => self.behind(before, holds(before)),
            (_, Some(next)) if suits(Some(next)) => self.before(next, holds(next)),
            (Some(before), _) if free(Some(before)) => self.behind(before, Container::Paragraph),
            (_, Some(next)) if free(Some(next)) => self.before(next, Container::Paragraph),
            (Some(before), Some(next)) if before.container == next.container => {
                self.behind(before, holds(before))
            }
            (Some(before), _) => self.outside(before, true),
            (None, Some(next)) => self.outside(next, false),
            (None, None) => {
                let part = self.old.parts.len().saturating_sub(1);
                Spot { part, at: At::End, within: Container::Paragraph }
            }
        }
    }

    fn behind(&self, strand: &Strand, within: Container) -> Spot {
        let Some(bit) = strand.bits.last() else { return self.outside(strand, true) };
        self.beside(strand, bit, within, true)
    }

    fn before(&self, strand: &Strand, within: Container) -> Spot {
        let Some(bit) = strand.bits.first() else { return self.outside(strand, false) };
        self.beside(strand, bit, within, false)
    }

    fn beside(&self, strand: &Strand, bit: &Bit, within: Container, behind: bool) -> Spot {
        let edge = |span: Range<usize>| At::Byte(if behind { span.end } else { span.start });
        let atom = self.old.atom(bit);
        let at = match (&strand.kind, atom) {
            (Kind::SimpleField(wrap), Some((paragraph, _))) => {
                paragraph.wraps.get(*wrap).map_or(At::End, |wrap| edge(wrap.span.clone()))
            }
            (_, Some((_, atom))) if atom.run.is_none() => edge(atom.span.clone()),
            (_, Some((_, atom))) => {
                let length = length_of(atom);
                let offset = match (&bit.local, behind) {
                    (Some(local), true) => local.end,
                    (Some(local), false) => local.start,
                    (None, true) => length,
                    (None, false) => 0,
                };
                At::Atom { atom: bit.atom, offset }
            }
            (_, None) => At::End,
        };
        Spot { part: bit.part, at, within }
    }

    /// Outside of all that holds a strand.
    fn outside(&self, strand: &Strand, behind: bool) -> Spot {
        let bit = if behind { strand.bits.last() } else { strand.bits.first() };
        let found = bit.and_then(|bit| {
            let (paragraph, atom) = self.old.atom(bit)?;
            let top = paragraph.around(atom.wrap).last()?;
            Some((bit.part, if behind { top.span.end } else { top.span.start }))
        });
        let part = self.old.parts.len().saturating_sub(1);
        let (part, at) = found.map_or((part, At::End), |(part, byte)| (part, At::Byte(byte)));
        Spot { part, at, within: Container::Paragraph }
    }

    fn put(&mut self, spot: Spot, runs: String) -> Result<(), Refusal> {
        if runs.is_empty() {
            return Ok(());
        }
        let dialect = self.dialect(spot.part)?;
        let xml = match self.carrier.markup {
            Markup::Plain => runs,
            Markup::Tracked => dialect.wrap("ins", STAMP, &runs),
        };
        match spot.at {
            At::Atom { atom, offset } => {
                self.puts.entry((spot.part, atom)).or_default().push((offset, xml));
            }
            At::Byte(byte) => self.loose.push((spot.part, byte..byte, xml)),
            At::End => {
                let (_, paragraph) = self.paragraph(spot.part)?;
                let end = paragraph.content.end;
                match paragraph.closes_itself {
                    false => self.loose.push((spot.part, end..end, xml)),
                    true => {
                        let open = paragraph.span.end - 2..paragraph.span.end;
                        let with = format!(">{xml}</{}p>", paragraph.prefix);
                        self.loose.push((spot.part, open, with));
                    }
                }
            }
        }
        Ok(())
    }

    /// All of it as splices of parts.
    fn finish(mut self) -> Result<Vec<(u32, Range<usize>, String)>, Refusal> {
        let mut touched: BTreeSet<(usize, usize)> = BTreeSet::new();
        let atoms = self.cuts.keys().chain(self.looks.keys()).chain(self.puts.keys());
        for (part, atom) in atoms {
            let (_, paragraph) = self.paragraph(*part)?;
            match paragraph.atoms.get(*atom).and_then(|atom| atom.run) {
                Some(run) => drop(touched.insert((*part, run))),
                None => return Err(unreachable_text()),
            }
        }
        for (part, run) in touched {
            self.write_run(part, run)?;
        }
        let mut out = Vec::new();
        for (part, range, with) in std::mem::take(&mut self.loose) {
            let (place, _) = self.paragraph(part)?;
            out.push((place.part, range, with));
        }
        Ok(out)
    }

    fn write_run(&mut self, part: usize, number: usize) -> Result<(), Refusal> {
        let (_, paragraph) = self.paragraph(part)?;
        let dialect = self.dialect(part)?;
        let run = paragraph.runs.get(number).ok_or_else(|| Refusal::internal("a run that is gone"))?;
        let inner = |other: &Run| {
            other.span != run.span && other.span.start <= run.span.start && run.span.end <= other.span.end
        };
        let strange =
            paragraph.around(run.wrap).any(|wrap| matches!(wrap.kind, WrapKind::Ruby | WrapKind::Branch));
        if strange || paragraph.runs.iter().any(inner) {
            return Err(unreachable_text());
        }
        let pieces = self.pieces(part, number, paragraph, dialect)?;
        let parent = run.wrap.and_then(|wrap| paragraph.wraps.get(wrap));
        let foreign = parent.filter(|wrap| matches!(wrap.kind, WrapKind::Inserted(_) | WrapKind::MovedTo(_)));
        let mut out = String::new();
        let groups = {
            let mut groups: Vec<(Lot, String)> = Vec::new();
            for (lot, bytes) in pieces {
                match groups.last_mut() {
                    Some((last, all)) if *last == lot => all.push_str(&bytes),
                    _ => groups.push((lot, bytes)),
                }
            }
            groups
        };
        // A run that only gets neighbours stays as it is.
        let (mut from, mut to) = (0, groups.len());
        let comes = |group: Option<&(Lot, String)>| group.is_some_and(|(lot, _)| *lot == Lot::Comes);
        if comes(groups.first()) {
            from = 1;
        }
        if to > from && comes(groups.last()) {
            to -= 1;
        }
        let [start, end] = edges(paragraph, run, foreign);
        if let (1, Some((_, xml))) = (from, groups.first()) {
            self.loose.push((part, start.at..start.at, start.around(xml, foreign, paragraph, dialect)));
        }
        let inside = groups.cut(from..to)?;
        if !matches!(inside, [(Lot::Stays, _)] | []) {
            for (lot, bytes) in inside {
                let text = match lot {
                    Lot::Stays | Lot::Restyled(_) => self.run(paragraph, run, lot, bytes, dialect),
                    Lot::Goes => self.gone(part, &self.run(paragraph, run, lot, bytes, dialect))?,
                    Lot::Comes => divided(bytes, foreign, paragraph, dialect),
                };
                out.push_str(&text);
            }
            self.loose.push((part, run.span.clone(), out));
        }
        if let (true, Some((_, xml))) = (to < groups.len(), groups.last()) {
            self.loose.push((part, end.at..end.at, end.around(xml, foreign, paragraph, dialect)));
        }
        Ok(())
    }

    /// The content of a run in pieces, each with its lot.
    fn pieces(
        &self,
        part: usize,
        number: usize,
        paragraph: &Paragraph,
        dialect: &Dialect,
    ) -> Result<Vec<(Lot, String)>, Refusal> {
        let mut pieces = Vec::new();
        let atoms = paragraph.atoms.iter().enumerate().filter(|(_, atom)| atom.run == Some(number));
        for (index, atom) in atoms {
            let length = length_of(atom);
            let key = (part, index);
            let cuts = self.cuts.get(&key);
            let looks = self.looks.get(&key).map_or(&[][..], Vec::as_slice);
            let puts = self.puts.get(&key).map_or(&[][..], Vec::as_slice);
            let mut bounds: BTreeSet<usize> = [0, length].into();
            for range in cuts.into_iter().flatten().chain(looks.iter().map(|(range, _)| range)) {
                bounds.extend([range.start, range.end]);
            }
            bounds.extend(puts.iter().map(|(at, _)| *at));
            let bounds: Vec<usize> = bounds.into_iter().collect();
            for (number, at) in bounds.iter().enumerate() {
                for (_, xml) in puts.iter().filter(|(put, _)| put == at) {
                    pieces.push((Lot::Comes, xml.clone()));
                }
                let Some(end) = bounds.get(number + 1) else { break };
                let covers = |range: &Range<usize>| range.start <= *at && *end <= range.end;
                let goes = cuts.is_some_and(|cuts| cuts.is_empty() || cuts.iter().any(covers));
                let look = looks.iter().find(|(range, _)| covers(range)).map(|(_, look)| look.clone());
                let lot = match (goes, look) {
                    (true, _) => Lot::Goes,
                    (false, Some(look)) => Lot::Restyled(look),
                    (false, None) => Lot::Stays,
                };
                let whole = (*at, *end) == (0, length);
                let local = (!whole).then_some(*at..*end);
                let bytes = self.spelled(paragraph, index, local, &lot, dialect)?;
                pieces.push((lot, bytes));
            }
        }
        Ok(pieces)
    }

    /// An atom, or a part of its text, as a run with this lot has it.
    fn spelled(
        &self,
        paragraph: &Paragraph,
        index: usize,
        local: Option<Range<usize>>,
        lot: &Lot,
        dialect: &Dialect,
    ) -> Result<String, Refusal> {
        let atom = paragraph.atoms.get(index).ok_or_else(|| Refusal::internal("an atom that is gone"))?;
        let deleted = *lot == Lot::Goes && self.going == Going::Deleted;
        let source = |span: Range<usize>| String::from_utf8_lossy(paragraph.bytes(span)).into_owned();
        Ok(match &atom.kind {
            AtomKind::Text(text) => {
                let shared = paragraph.atoms.iter().enumerate().any(|(other, atom)| {
                    other != index
                        && matches!(&atom.kind, AtomKind::Text(other) if other.element == text.element)
                });
                match local {
                    None if !deleted && !shared => source(text.element.clone()),
                    local => {
                        let text = text.text.cut(local.unwrap_or(0..text.text.len()))?;
                        dialect.text(if deleted { "delText" } else { "t" }, &escape_text(text))
                    }
                }
            }
            AtomKind::FieldInstruction(code) if deleted => {
                dialect.wrap("delInstrText", " xml:space=\"preserve\"", &escape_text(code))
            }
            _ => source(atom.span.clone()),
        })
    }

    fn run(&self, paragraph: &Paragraph, run: &Run, lot: &Lot, content: &str, dialect: &Dialect) -> String {
        let tag = String::from_utf8_lossy(paragraph.bytes(run.span.start..run.content.start)).into_owned();
        let old = run.properties.clone().map_or(&[][..], |span| paragraph.bytes(span));
        let old = String::from_utf8_lossy(old).into_owned();
        let look = match lot {
            Lot::Restyled(look) => {
                let record = match self.carrier.markup {
                    Markup::Plain => String::new(),
                    Markup::Tracked => {
                        let old = if old.is_empty() { dialect.empty("rPr", &[]) } else { old };
                        dialect.wrap("rPrChange", STAMP, &old)
                    }
                };
                dialect.wrap("rPr", "", &format!("{}{record}", look.written()))
            }
            _ => old,
        };
        format!("{tag}{look}{content}</{}r>", paragraph.prefix)
    }
}

/// A place before or behind a run.
struct RunEdge {
    at: usize,
    /// Whether an insertion of somebody else goes on around it.
    inside: bool,
}

impl RunEdge {
    fn around(&self, xml: &str, foreign: Option<&Wrap>, paragraph: &Paragraph, dialect: &Dialect) -> String {
        divided(xml, foreign.filter(|_| self.inside), paragraph, dialect)
    }
}

/// The places before and behind a run; where an insertion begins or ends with it, outside of that.
fn edges(paragraph: &Paragraph, run: &Run, foreign: Option<&Wrap>) -> [RunEdge; 2] {
    let Some(wrap) = foreign else {
        return [run.span.start, run.span.end].map(|at| RunEdge { at, inside: false });
    };
    let inside = |other: &&Run| other.wrap == run.wrap;
    let first = paragraph.runs.iter().find(inside).is_some_and(|first| first.span == run.span);
    let last = paragraph.runs.iter().rfind(inside).is_some_and(|last| last.span == run.span);
    let start = if first { wrap.span.start } else { run.span.start };
    let end = if last { wrap.span.end } else { run.span.end };
    [RunEdge { at: start, inside: !first }, RunEdge { at: end, inside: !last }]
}

/// New text between two halves of another's insertion: ours cannot be inside it.
fn divided(xml: &str, foreign: Option<&Wrap>, paragraph: &Paragraph, dialect: &Dialect) -> String {
    let Some(wrap) = foreign else { return xml.to_owned() };
    let (name, revision) = match &wrap.kind {
        WrapKind::Inserted(revision) => ("ins", revision),
        WrapKind::MovedTo(revision) => ("moveTo", revision),
        _ => return xml.to_owned(),
    };
    let tag = String::from_utf8_lossy(paragraph.bytes(wrap.span.start..wrap.content.start)).into_owned();
    let id = format!("id=\"{}\"", revision.id);
    let fresh = format!("id=\"{FRESH}{}{FRESH}\"", wrap.span.start);
    format!("</{}{name}>{xml}{}", dialect.element, tag.replacen(&id, &fresh, 1))
}

fn length_of(atom: &Atom) -> usize {
    match &atom.kind {
        AtomKind::Text(text) => text.text.len(),
        _ => 1,
    }
}

fn unreachable_text() -> Refusal {
    Refusal::unsupported("comparing text in phonetic guides and alternative content")
}
