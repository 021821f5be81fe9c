//! Random operations on real documents: whatever happens, the laws hold and no defect of ours shows.

use super::*;
use edit::Format;

/// Small numbers that are the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }
}

fn some_place(view: &View, dice: &mut Dice) -> Option<Places> {
    let places: Vec<_> = view.body().collect();
    let place = *places.get(dice.roll(places.len()))?;
    let text = place::plain_text(&view.paragraph(place).ok()?).text;
    let bounds: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
    let (a, b) = (bounds[dice.roll(bounds.len())], bounds[dice.roll(bounds.len())]);
    let mut span = place::span_of(view, place, a.min(b)..a.max(b)).ok()?;
    // Sometimes a selection goes on into a later paragraph.
    if dice.roll(4) == 0
        && let Some(next) = places.get(places.iter().position(|known| *known == place)? + 1 + dice.roll(3))
        && let Ok(end) = place::span_of(view, *next, 0..0)
    {
        span.end = span.end.max(end.end);
    }
    Some(Places { selection: Some(span), ..Places::default() })
}

fn some_op(dice: &mut Dice) -> Op {
    let locations = [Location::Start, Location::End, Location::Before, Location::After, Location::Replace];
    let location = locations[dice.roll(5)];
    let table = || TableRef::Nth(0);
    match dice.roll(14) {
        0 => Op::InsertText(InsertText { text: "new words".into(), location, ..InsertText::default() }),
        1 => Op::InsertText(InsertText { text: "one\ntwo".into(), location, ..InsertText::default() }),
        2 => Op::InsertText(InsertText {
            text: "para".into(),
            location,
            new_paragraph: true,
            ..InsertText::default()
        }),
        3 => Op::InsertText(InsertText {
            text: "plain".into(),
            location,
            keep_formatting: false,
            ..InsertText::default()
        }),
        4 => {
            let query = ["the", "e", "of the", "1"][dice.roll(4)];
            let target =
                Target::Query { query: query.into(), matching: Matching::default(), scope: Scope::Document };
            let mode = if dice.roll(2) == 0 { ReplaceMode::All } else { ReplaceMode::First };
            Op::Replace(Replace { target, with: ["", "XY", "a\tb"][dice.roll(3)].into(), mode })
        }
        5 => Op::TableCreate(TableCreate {
            rows: 1 + dice.roll(3),
            cols: 1 + dice.roll(3),
            location,
            header: true,
            data: vec![vec!["h".into()]],
            ..TableCreate::default()
        }),
        6 => Op::TableInsertRows(TableInsert {
            table: table(),
            at: Some(dice.roll(3)),
            count: 1 + dice.roll(2),
            side: Side::After,
        }),
        7 => Op::TableInsertColumns(TableInsert {
            table: table(),
            at: Some(dice.roll(3)),
            count: 1,
            side: Side::Before,
        }),
        8 => Op::TableDeleteRows(TableDelete { table: table(), indexes: vec![dice.roll(3)] }),
        9 => Op::TableDeleteColumns(TableDelete { table: table(), indexes: vec![dice.roll(3)] }),
        10 => Op::TableSetCellText(TableSetCellText {
            table: table(),
            row: dice.roll(3),
            col: dice.roll(3),
            text: "cell".into(),
        }),
        11 => Op::TableMergeCells(TableMergeCells {
            table: table(),
            start_row: dice.roll(2),
            start_col: dice.roll(2),
            row_span: 1 + dice.roll(2),
            col_span: 2,
        }),
        12 => Op::ApplyStyle(ApplyStyle {
            character: CharacterFormat {
                bold: Some(dice.roll(2) == 0),
                font_size: Some(13.0),
                ..Default::default()
            },
            paragraph: ParagraphFormat {
                alignment: Some(Alignment::Center),
                list: [None, Some(List::Bullet), Some(List::None)][dice.roll(3)],
                ..Default::default()
            },
            named_style: [None, Some("Heading 2".to_owned()), Some("Emphasis".to_owned())][dice.roll(3)]
                .clone(),
            clear_other_styles: dice.roll(4) == 0,
            ..Default::default()
        }),
        _ => Op::InsertPicture(InsertPicture {
            source: PictureSource::Base64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7".into()),
            scope: Scope::Selection,
            location,
            width: Some(20.0),
            height: None,
            lock_aspect_ratio: true,
            alt_text: None,
            wrap: Wrap::Inline,
        }),
    }
}

/// Whether an operation can only touch its selection: the others look through the document or name a table.
fn stays_at_the_selection(op: &Op) -> bool {
    matches!(op, Op::InsertText(_) | Op::ApplyStyle(_) | Op::InsertPicture(_) | Op::TableCreate(_))
}

fn works_on_a_table(op: &Op) -> bool {
    matches!(
        op,
        Op::TableInsertRows(_)
            | Op::TableInsertColumns(_)
            | Op::TableDeleteRows(_)
            | Op::TableDeleteColumns(_)
            | Op::TableSetCellText(_)
            | Op::TableMergeCells(_)
    )
}

fn apart(a: &Span, b: &Span) -> bool {
    a.part != b.part || a.end < b.start || b.end < a.start
}

/// Ids that somebody keeps stay on what they were given for, or are dead; never on something else. Answers whether the
/// operation had nothing to do with the range, so that it had to stay as it was.
fn check_ids(
    before: &View,
    after: &Checked<Word>,
    op: &Op,
    selection: &Span,
    kept: &Span,
    told: &str,
) -> bool {
    let old = text_of(before, kept).expect("it stands in paragraphs");
    let target = table::resolve(before, &TableRef::Nth(0), &Places::default()).ok();
    let far = match op {
        op if stays_at_the_selection(op) => apart(selection, kept),
        op if works_on_a_table(op) => target.as_ref().is_some_and(|table| apart(table, kept)),
        Op::Replace(Replace { target: Target::Query { query, .. }, .. }) => {
            // A match may begin before the range and end in it, so more than its own text is looked at.
            let around = Span { start: kept.start.saturating_sub(400), end: kept.end + 400, ..kept.clone() };
            let whole =
                before.content().read(&kept.part).expect("reads").expect("there").bytes().into_owned();
            let bytes = &whole[around.start..around.end.min(whole.len())];
            let letter = |byte: &u8| byte.to_ascii_lowercase();
            let wanted: Vec<u8> = query.bytes().map(|byte| letter(&byte)).collect();
            let near: Vec<u8> = bytes.iter().map(letter).collect();
            !wanted.first().is_some_and(|first| near.contains(first))
        }
        _ => false,
    };
    match kept.carried(&after.patch) {
        Some(carried) => {
            let new = text_of(&after.view, &carried).expect("what is carried still stands in a paragraph");
            if far {
                assert_eq!(new, old, "{told}: the range moved off its text");
            }
        }
        None => assert!(!far, "{told}: `{old}` is untouched, and its range is dead"),
    }
    // Tables that the operation does not speak of keep their id, byte for byte.
    for number in 0..4 {
        let Ok(span) = table::resolve(before, &TableRef::Nth(number), &Places::default()) else { break };
        let carried = span.carried(&after.patch);
        let alone = match works_on_a_table(op) {
            true => number > 0,
            false => stays_at_the_selection(op) && apart(selection, &span),
        };
        if alone {
            let carried = carried.unwrap_or_else(|| panic!("{told}: table {number} is dead"));
            let bytes = |content: &Content, span: &Span| {
                content.read(&span.part).expect("reads").expect("there").bytes()[span.start..span.end]
                    .to_vec()
            };
            assert_eq!(
                bytes(&after.content, &carried),
                bytes(before.content(), &span),
                "{told}: table {number}"
            );
        } else if works_on_a_table(op) && number == 0 {
            let gone = matches!(answer(after), Answer::TableGone { .. });
            let places =
                carried.map(|span| Places { named: [("t".to_owned(), span)].into(), ..Places::default() });
            let found =
                places.map(|places| table::resolve(&after.view, &TableRef::Table("t".into()), &places));
            assert!(gone || matches!(found, Some(Ok(_))), "{told}: the table's id is dead");
        }
    }
    far
}

#[test]
fn random_operations_on_real_documents_keep_the_laws() {
    let Some(samples) = testkit::corpus::samples("docx") else { return };
    let (mut documents, mut done, mut refused, mut untouched) = (0, 0, 0, 0);
    for (number, sample) in samples.iter().enumerate().filter(|(number, _)| number % 7 == 0) {
        let bytes = sample.bytes();
        if bytes.len() > 150_000 {
            continue;
        }
        let Ok((_, mut content)) = Word::unpack(std::sync::Arc::new(bytes), &ooxml::Limits::default()) else {
            continue;
        };
        let Ok(view) = View::read(&content) else { continue };
        if view.places().count() > 600 {
            continue;
        }
        documents += 1;
        let original = content.clone();
        let mut undo: Vec<edit::Patch> = Vec::new();
        let mut dice = Dice(number as u64 + 1);
        for _ in 0..8 {
            let view = View::read(&content).expect("every step left a document");
            let Some(places) = some_place(&view, &mut dice) else { break };
            let op = some_op(&mut dice);
            let markup = if dice.roll(3) == 0 { Markup::Tracked } else { Markup::Plain };
            let kept = some_place(&view, &mut dice);
            let selection = places.selection.clone();
            match act(&content, op.clone(), places, markup) {
                Ok(after) => {
                    let told = format!("{}: {op:?} {markup:?}", sample.path.display());
                    if let (Some(selection), Some(kept)) = (selection, kept.and_then(|kept| kept.selection)) {
                        untouched += usize::from(check_ids(&view, &after, &op, &selection, &kept, &told));
                    }
                    undo.push(after.patch.invert(&content).expect("it can be undone"));
                    content = after.content;
                    done += 1;
                }
                Err(refusal @ (Refusal::Internal { .. } | Refusal::Corrupt { .. })) => {
                    panic!("{}: {op:?} {markup:?}: {refusal}", sample.path.display());
                }
                Err(_) => refused += 1,
            }
        }
        for patch in undo.iter().rev() {
            content = patch.apply(&content).expect("undone");
        }
        assert!(content == original, "{}: undoing it all did not restore every byte", sample.path.display());
    }
    assert!(documents >= 50, "{documents} documents");
    assert!(untouched > 100, "{untouched} ranges had to stay as they were");
    assert!(done > 20 && done > refused, "{done} done, {refused} refused");
}
