//! Every kind of edit in every document of the corpus, plain and tracked: in the body, in a table cell, in a
//! header or footer, in a note, in a text box and in a content control, several in one batch, a paragraph
//! inserted and a paragraph deleted.
//!
//! Nothing is left out without being counted: a document that cannot be opened, a kind for which a document has
//! no place, and an edit that was refused, each with its reason. `DOCWRIGHT_PAIRS=DIR` writes what was saved for
//! the validators beside the corpus, `DOCWRIGHT_SEED` chooses other places.

use std::collections::{BTreeMap, BTreeSet};

use edit::{Content, Format, PartChange, Refusal};
use testkit::corpus::Sample;
use word::{
    BoxKind, DeleteParagraph, Edit, InsertParagraphs, Markup, Outcome, Place, Position, ReplaceText,
    Resolution, ResolveChanges, Side, Story, View, Which, Word,
};

use crate::editing::{Dice, Pairs, open, samples, target, text_of};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Paragraph,
    Cell,
    Running,
    Note,
    TextBox,
    Control,
    Batch,
    InsertAfter,
    Delete,
    /// One of each of the others that could be made, in one batch.
    All,
}

const SINGLE: [Kind; 9] = [
    Kind::Paragraph,
    Kind::Cell,
    Kind::Running,
    Kind::Note,
    Kind::TextBox,
    Kind::Control,
    Kind::Batch,
    Kind::InsertAfter,
    Kind::Delete,
];

const NEW: &str = "renewed words & more";

/// What became of one kind of edit over all documents.
#[derive(Debug, Default)]
struct Tally {
    done: usize,
    no_place: usize,
    failed: usize,
    refused: BTreeMap<String, Vec<String>>,
}

impl Tally {
    fn files(&self) -> usize {
        self.done + self.no_place + self.failed + self.refused.values().map(Vec::len).sum::<usize>()
    }
}

/// An edit before it is known whether it is tracked.
#[derive(Clone)]
enum Wanted {
    Replace(Place, String),
    InsertAfter(Place),
    Delete(Place),
}

impl Wanted {
    fn place(&self) -> Place {
        match self {
            Self::Replace(place, _) | Self::InsertAfter(place) | Self::Delete(place) => *place,
        }
    }

    fn edit(&self, view: &View, markup: Markup) -> Edit {
        let paragraph = view.id(self.place());
        match self {
            Self::Replace(_, old) => Edit::ReplaceText(ReplaceText {
                paragraph,
                old: old.clone(),
                new: NEW.to_owned(),
                expect: None,
                markup,
                clear_highlight: false,
            }),
            Self::InsertAfter(_) => Edit::InsertParagraphs(InsertParagraphs {
                anchor: paragraph,
                position: Position::After,
                text: "First <b>new</b> paragraph\n\nSecond one".to_owned(),
                style_source: None,
                markup,
            }),
            Self::Delete(_) => Edit::DeleteParagraph(DeleteParagraph { paragraph, expect: None, markup }),
        }
    }
}

fn places(view: &View, kind: Kind) -> Vec<Place> {
    let inside = |place: Place, wanted: BoxKind| view.enclosures(place).iter().any(|e| e.kind == wanted);
    let fits = |place: &Place| match (kind, view.story_of(*place)) {
        (Kind::Running, story) => matches!(story, Story::Header(_) | Story::Footer(_)),
        (Kind::Note, story) => matches!(story, Story::Footnotes | Story::Endnotes | Story::Comments),
        (Kind::Cell, story) => story == Story::Body && inside(*place, BoxKind::Cell),
        (Kind::TextBox, _) => inside(*place, BoxKind::TextBox),
        (Kind::Control, _) => inside(*place, BoxKind::Control),
        (_, story) => story == Story::Body,
    };
    view.places().filter(fits).collect()
}

fn wanted(view: &View, kind: Kind, dice: &mut Dice) -> Option<Vec<Wanted>> {
    let places = places(view, kind);
    match kind {
        Kind::InsertAfter => Some(vec![Wanted::InsertAfter(*places.get(dice.roll(places.len()))?)]),
        Kind::Delete => {
            // One that is already deleted, moved away or to be joined with the next has less left to delete.
            let whole = |place: &Place| {
                let paragraph = view.paragraph(*place).expect("reads");
                paragraph.mark.deleted.is_none() && !text_of(view, *place).is_empty()
            };
            let places: Vec<Place> = places.into_iter().filter(whole).collect();
            Some(vec![Wanted::Delete(*places.get(dice.roll(places.len()))?)])
        }
        Kind::Batch => {
            let mut chosen = BTreeMap::new();
            for _ in 0..12 {
                if chosen.len() == 3 {
                    break;
                }
                let (place, old) = target(view, &places, dice)?;
                chosen.entry(place).or_insert(old);
            }
            (chosen.len() > 1)
                .then(|| chosen.into_iter().map(|(place, old)| Wanted::Replace(place, old)).collect())
        }
        _ => target(view, &places, dice).map(|(place, old)| vec![Wanted::Replace(place, old)]),
    }
}

fn lines(view: &View, side: Side) -> Vec<String> {
    view.places().map(|place| view.paragraph(place).expect("reads").text(side).text).collect()
}

fn resolved(content: &Content, resolution: Resolution, name: &str) -> View {
    let which = Which::Author(testkit::context().author);
    let edit = Edit::ResolveChanges(ResolveChanges { resolution, which });
    let checked = testkit::check::<Word>(content, &[edit]);
    checked.unwrap_or_else(|refusal| panic!("{name}: {resolution:?}: {refusal}")).view
}

/// Bytes change only in the paragraphs that were named, and only in the parts that hold them.
fn assert_only_there(view: &View, patch: &edit::Patch, wanted: &[Wanted], name: &str) {
    for (part, change) in patch.parts() {
        let PartChange::Splices(splices) = change else { panic!("{name}: {part} was replaced") };
        for splice in splices {
            let inside = wanted.iter().any(|wanted| {
                let span = view.span(wanted.place());
                view.part_of(wanted.place()) == Some(part)
                    && span.start < splice.range.start
                    && splice.range.end < span.end
            });
            assert!(inside, "{name}: {part} changed at {:?}", splice.range);
        }
    }
}

fn code(refusal: &Refusal) -> String {
    match refusal.innermost() {
        Refusal::Unsafe { why, .. } => format!("Unsafe: {why}"),
        Refusal::Unsupported { what, .. } => format!("Unsupported: {what}"),
        other => format!("{other}"),
    }
}

/// Whether an edit may be refused in a document that is whole.
fn meant(refusal: &Refusal) -> bool {
    matches!(refusal.innermost(), Refusal::Unsafe { .. } | Refusal::Unsupported { .. })
}

/// One document's edits of one kind, plain and tracked; answers what was saved.
fn both(
    sample: &Sample,
    (package, content, view): (&ooxml::Package, &Content, &View),
    kind: Kind,
    wanted: &[Wanted],
) -> [Result<Vec<u8>, Refusal>; 2] {
    let name = format!("{} {kind:?}", sample.path.display());
    let run = |markup| {
        let edits: Vec<Edit> = wanted.iter().map(|wanted| wanted.edit(view, markup)).collect();
        testkit::check::<Word>(content, &edits)
    };
    let (plain, tracked) = (run(Markup::Plain), run(Markup::Tracked));
    for checked in [&plain, &tracked].into_iter().flatten() {
        assert_eq!(word::new_problems(content, &checked.content).expect("linted"), [], "{name}");
        if wanted.iter().all(|wanted| matches!(wanted, Wanted::Replace(..))) {
            assert_only_there(view, &checked.patch, wanted, &name);
        }
        for wanted in wanted {
            let Wanted::Replace(place, old) = wanted else { continue };
            let Ok(now) = checked.view.find(view.id(*place)) else {
                // A comment goes with the paragraph it hangs on.
                assert!(
                    kind == Kind::All && view.story_of(*place) == Story::Comments,
                    "{name}: the id is gone"
                );
                continue;
            };
            let text = text_of(view, *place).replace(old.as_str(), NEW);
            assert_eq!(text_of(&checked.view, now), text, "{name}");
        }
    }
    if let Ok(tracked) = &tracked {
        let rejected = resolved(&tracked.content, Resolution::Reject, &name);
        for side in [Side::Final, Side::Original] {
            assert_eq!(lines(&rejected, side), lines(view, side), "{name}: rejected, {side:?}");
        }
        let accepted = resolved(&tracked.content, Resolution::Accept, &name);
        if let Ok(plain) = &plain {
            // A comment on a deleted paragraph goes with it, but outlives a deletion that could be rejected; and
            // a paragraph that none follows can only be emptied while its deletion can be rejected.
            let kept = |outcome: &Outcome| matches!(outcome, Outcome::Deleted { kept: true, .. });
            let emptied = tracked.outcomes.iter().any(kept) && !plain.outcomes.iter().any(kept);
            let lines = |view: &View| -> Vec<String> {
                let places = view.places().filter(|place| view.story_of(*place) != Story::Comments);
                let lines = places.map(|place| text_of(view, place));
                lines.filter(|line| !emptied || !line.is_empty()).collect()
            };
            assert_eq!(lines(&accepted), lines(&plain.view), "{name}: accepted");
        }
    }
    [plain, tracked].map(|done| Ok(Word::pack(package, &done?.content).expect("saved")))
}

#[test]
fn every_kind_of_edit_in_every_document_is_whole_and_can_be_taken_back() {
    let Some(samples) = samples("docx", 16) else { return };
    let seed = std::env::var("DOCWRIGHT_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(17);
    let mut closed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut tallies: BTreeMap<(Kind, &str), Tally> = BTreeMap::new();
    let mut pairs: BTreeMap<(Kind, &str), Pairs> = BTreeMap::new();
    let (mut opened, mut failed) = (0, Vec::new());
    for (number, sample) in samples.iter().enumerate() {
        let name = sample.path.display().to_string();
        let viewed = open(sample).and_then(|(package, content)| {
            let view = Word::view(&content)?;
            Ok((package, content, view))
        });
        let (package, content, view) = match viewed {
            Ok(viewed) => viewed,
            Err(refusal) => {
                closed.entry(code(&refusal)).or_default().push(name);
                continue;
            }
        };
        opened += 1;
        let mut dice = Dice(seed + number as u64 * 1000);
        let mut all: Vec<Wanted> = Vec::new();
        for kind in SINGLE.into_iter().chain([Kind::All]) {
            let wanted = if kind == Kind::All { Some(all.clone()) } else { wanted(&view, kind, &mut dice) };
            let wanted = wanted.filter(|wanted| !wanted.is_empty());
            let Some(wanted) = wanted else {
                for how in ["plain", "tracked"] {
                    tallies.entry((kind, how)).or_default().no_place += 1;
                }
                continue;
            };
            // One failure must not hide the next.
            let whole =
                std::panic::AssertUnwindSafe(|| both(sample, (&package, &content, &view), kind, &wanted));
            let Ok(done) = std::panic::catch_unwind(whole) else {
                failed.push(format!("{name} {kind:?}"));
                for how in ["plain", "tracked"] {
                    tallies.entry((kind, how)).or_default().failed += 1;
                }
                continue;
            };
            if done.iter().all(Result::is_ok) {
                let taken: BTreeSet<Place> = all.iter().map(Wanted::place).collect();
                all.extend(wanted.iter().filter(|wanted| !taken.contains(&wanted.place())).cloned());
            }
            for (how, saved) in ["plain", "tracked"].into_iter().zip(done) {
                let tally = tallies.entry((kind, how)).or_default();
                match saved {
                    Ok(saved) => {
                        tally.done += 1;
                        let folder = format!("{kind:?}-{how}").to_lowercase();
                        let pairs = pairs.entry((kind, how)).or_insert_with(|| Pairs::new(&folder));
                        pairs.add(sample, number, &saved);
                    }
                    Err(refusal) if meant(&refusal) => {
                        tally.refused.entry(code(&refusal)).or_default().push(name.clone());
                    }
                    Err(other) => {
                        tally.failed += 1;
                        failed.push(format!("{name} {kind:?} {how}: {other}"));
                    }
                }
            }
        }
    }
    pairs.into_values().for_each(Pairs::finish);
    let shut: usize = closed.values().map(Vec::len).sum();
    eprintln!("{} files, {opened} opened, {shut} not: {closed:#?}", samples.len());
    for ((kind, how), tally) in &tallies {
        eprintln!("{kind:?} {how}: {} done, {} without a place", tally.done, tally.no_place);
        for (code, files) in &tally.refused {
            eprintln!("    {} refused, {code} ({} …)", files.len(), files[0]);
        }
        assert_eq!(tally.files(), opened, "{kind:?} {how}: a file was skipped");
    }
    assert_eq!(opened + shut, samples.len());
    assert_eq!(failed, Vec::<String>::new());
    assert!(opened * 10 > samples.len() * 8, "only {opened} opened");
}
