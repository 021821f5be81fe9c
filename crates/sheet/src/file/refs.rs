//! Formulas as they read in another cell, and small changes to their text.

use std::ops::Range;

use crate::file::a1::CellRef;

/// `text` with the given spans replaced; `None` without any.
pub(crate) fn splice_text(text: &str, mut changes: Vec<(Range<usize>, String)>) -> Option<String> {
    if changes.is_empty() {
        return None;
    }
    changes.sort_by_key(|(span, _)| span.start);
    let mut out = String::with_capacity(text.len() + 8);
    let mut at = 0;
    for (span, with) in changes {
        out.push_str(text.get(at..span.start)?);
        out.push_str(&with);
        at = span.end;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

/// A formula written for `from` as it reads in `to`: relative references move along.
pub fn translate(text: &str, from: CellRef, to: CellRef) -> String {
    if from == to {
        return text.to_owned();
    }
    formula::shift(text, i64::from(to.row) - i64::from(from.row), i64::from(to.col) - i64::from(from.col))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_move_with_their_cell() {
        let at = |text: &str| text.parse().unwrap();
        for (text, from, to, wanted) in [
            ("A1+$B$2", "C1", "D3", "B3+$B$2"),
            ("SUM( A1:B2 , x )", "C1", "C2", "SUM( A2:B3 , x )"),
            ("'My Sheet'!A1&\"A1\"", "A1", "B1", "'My Sheet'!B1&\"A1\""),
            ("SUM(A:A,1:1)", "A1", "B2", "SUM(B:B,2:2)"),
            ("$A1+A$1", "A1", "B2", "$A2+B$1"),
            ("A1", "A2", "A1", "A1048576"),
        ] {
            assert_eq!(translate(text, at(from), at(to)), wanted, "{text}");
        }
    }
}
