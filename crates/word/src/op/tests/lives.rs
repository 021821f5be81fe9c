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

#[test]
fn random_operations_on_real_documents_keep_the_laws() {
    let Some(samples) = testkit::corpus::samples("docx") else { return };
    let (mut documents, mut done, mut refused) = (0, 0, 0);
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
        let mut dice = Dice(number as u64 + 1);
        for _ in 0..8 {
            let view = View::read(&content).expect("every step left a document");
            let Some(places) = some_place(&view, &mut dice) else { break };
            let op = some_op(&mut dice);
            let markup = if dice.roll(3) == 0 { Markup::Tracked } else { Markup::Plain };
            let kept = some_place(&view, &mut dice);
            match act(&content, op.clone(), places, markup) {
                Ok(after) => {
                    // Ids that somebody keeps are carried or lost, never misplaced.
                    if let Some(span) = kept.and_then(|kept| kept.selection?.carried(&after.patch)) {
                        let length = after.content.read(&span.part).expect("reads").expect("there").len();
                        assert!(span.start <= span.end && span.end <= length);
                        text_of(&after.view, &span).expect("what is carried still stands in a paragraph");
                    }
                    content = after.content;
                    done += 1;
                }
                Err(refusal @ (Refusal::Internal { .. } | Refusal::Corrupt { .. })) => {
                    panic!("{}: {op:?} {markup:?}: {refusal}", sample.path.display());
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(documents >= 50, "{documents} documents");
    assert!(done > 20 && done > refused, "{done} done, {refused} refused");
}
