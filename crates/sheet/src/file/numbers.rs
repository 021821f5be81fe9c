//! Numbers as the file writes them.

/// A number as Excel writes it: the shortest digits that read back the same.
pub(crate) fn show_number(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let magnitude = number.abs();
    if (1e-5..1e21).contains(&magnitude) {
        return number.to_string();
    }
    // 1e21 becomes 1E+21, as Excel spells it.
    let text = format!("{number:E}");
    match text.split_once('E') {
        Some((digits, power)) if !power.starts_with('-') => format!("{digits}E+{power}"),
        _ => text,
    }
}
