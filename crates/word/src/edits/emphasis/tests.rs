use super::*;

#[test]
fn numbers_and_names_are_found_where_they_stand() {
    let text = "The Seller pays USD 4,000 to Acme Corp under Section 4.2.";
    let said = |ranges: Vec<Range<usize>>| -> Vec<String> {
        ranges.into_iter().map(|range| text[range].to_owned()).collect()
    };
    assert_eq!(said(names(text)), ["The Seller", "USD", "Acme Corp", "Section"]);
    assert_eq!(said(numbers(text)), ["4,000", "4.2"]);
}

#[test]
fn a_few_words_among_many_that_stay_are_no_rewrite() {
    let hunk = |old_words, new_words, anchor| Hunk { old_words, new_words, anchor, ..Hunk::default() };
    let light = |mut hunks: Vec<Hunk>| -> Vec<bool> {
        weigh(&mut hunks);
        hunks.iter().map(|hunk| hunk.light).collect()
    };
    assert_eq!(light(vec![hunk(1, 2, 0)]), [true]);
    assert_eq!(light(vec![hunk(9, 9, 0)]), [false]);
    // `The A shall supply the B to the C` with other names.
    assert_eq!(light(vec![hunk(1, 1, 1), hunk(1, 1, 2), hunk(1, 1, 2)]), [true; 3]);
    assert_eq!(light(vec![hunk(4, 3, 0), hunk(4, 5, 1), hunk(3, 3, 1)]), [false; 3]);
    assert_eq!(light(vec![hunk(1, 1, 0), hunk(9, 9, 20)]), [true, false]);
}
