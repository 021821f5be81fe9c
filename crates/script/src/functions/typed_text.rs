//! Texts that somebody may have meant as something else.

/// What a text would be if somebody typed it, and how it is given so.
pub(super) fn looks_like(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let is_number = |text: &str| {
        let plain = text.replace(',', "");
        let digits = plain.trim_start_matches(['-', '$', '€', '£']);
        // Codes and telephone numbers are texts: they begin with 0 or +, or are long.
        let is_code = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
        let begins = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.');
        begins && !is_code && digits.len() < 16 && digits.parse::<f64>().is_ok_and(f64::is_finite)
    };
    let is_day = || {
        let parts: Vec<&str> = text.split('-').collect();
        let number =
            |part: &str, low: u32, high: u32| part.parse::<u32>().is_ok_and(|n| (low..=high).contains(&n));
        matches!(parts.as_slice(), [year, month, day] if year.len() == 4
            && number(year, 1900, 9999) && number(month, 1, 12) && number(day, 1, 31))
    };
    let errors = ["#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!"];
    match text {
        _ if text.strip_suffix('%').is_some_and(|rest| is_number(rest.trim())) => {
            Some("a percentage; give 0.25 with the format `0%`")
        }
        _ if is_number(text) => Some("a number; give the number itself"),
        _ if is_day() => Some("a date; give a Date, such as new Date(\"2024-03-01\")"),
        "TRUE" | "FALSE" => Some("a truth value; give true or false"),
        _ if errors.contains(&text) => Some("an error; give it as a formula, such as `=NA()`"),
        _ => None,
    }
}
