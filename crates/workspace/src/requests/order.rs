//! Rows in order: numbers by their value, dates as they are written in order, all else as text.

use std::cmp::Ordering;

/// Sorts rows by a cell; blank ones stay last, and equal ones in their order.
pub(super) fn sort<T>(rows: &mut [T], descending: bool, key: impl Fn(&T) -> String) {
    rows.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        match (a.trim().is_empty(), b.trim().is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) if descending => compared(&b, &a),
            (false, false) => compared(&a, &b),
        }
    });
}

fn compared(a: &str, b: &str) -> Ordering {
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.trim().to_lowercase().cmp(&b.trim().to_lowercase()),
    }
}

/// `1,400`, `€ 12.50`, `30 %`, `5 min`: the number at the start.
fn number(text: &str) -> Option<f64> {
    let text = text.trim().trim_start_matches(['$', '€', '£', ' ']);
    let digits: String =
        text.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-')).collect();
    // A date such as 2026-01-15 is in order as text.
    if digits.is_empty() || digits.trim_start_matches('-').contains('-') {
        return None;
    }
    digits.replace(',', "").trim_end_matches('.').parse().ok()
}
