//! Numbers by digits, fractions and exponents.

use super::parse::{Part, Section};

/// Decimal digits of a number as Excel knows it, fifteen of them.
struct Decimal {
    digits: Vec<u8>,
    /// Where the point stands, counted from the first digit.
    point: i64,
}

impl Decimal {
    fn new(number: f64) -> Decimal {
        if number == 0.0 || !number.is_finite() {
            return Decimal { digits: Vec::new(), point: 0 };
        }
        let text = format!("{:.14e}", number.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        Decimal { digits, point: exponent.parse::<i64>().unwrap_or(0) + 1 }
    }

    /// Round half away from zero to so many places; the digits before and after the point.
    fn rounded(&self, places: usize) -> (String, String) {
        let keep = self.point + places as i64;
        let mut digits: Vec<u8> =
            if keep < 0 { Vec::new() } else { self.digits.iter().take(keep as usize).copied().collect() };
        let mut point = self.point;
        if keep >= 0 {
            digits.resize(keep as usize, 0);
            if self.digits.get(keep as usize).is_some_and(|digit| *digit >= 5) {
                let mut carry = true;
                for digit in digits.iter_mut().rev() {
                    if *digit == 9 {
                        *digit = 0;
                    } else {
                        *digit += 1;
                        carry = false;
                        break;
                    }
                }
                if carry {
                    digits.insert(0, 1);
                    point += 1;
                }
            }
        }
        let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        if point <= 0 {
            let zeros = "0".repeat((-point).min(places as i64) as usize);
            let fraction: String = format!("{zeros}{text}").chars().take(places).collect();
            return (String::new(), format!("{fraction:0<places$}"));
        }
        let (whole, fraction) = text.split_at((point as usize).min(text.len()));
        (whole.trim_start_matches('0').to_owned(), format!("{fraction:0<places$}"))
    }
}

pub(super) fn general(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let magnitude = number.abs();
    let sign = if number < 0.0 { "-" } else { "" };
    let decimal = Decimal::new(magnitude);
    let exponent = decimal.point - 1;
    let trimmed = |whole: String, fraction: String| {
        let whole = if whole.is_empty() { "0".to_owned() } else { whole };
        let fraction = fraction.trim_end_matches('0');
        if fraction.is_empty() { whole } else { format!("{whole}.{fraction}") }
    };
    if (-4..=10).contains(&exponent) {
        // Eleven characters, the point among them.
        let places = if exponent >= 0 { (9 - exponent).max(0) } else { 9 } as usize;
        let (whole, fraction) = decimal.rounded(places);
        if whole.len() <= 11 {
            return format!("{sign}{}", trimmed(whole, fraction));
        }
    } else if (-9..-4).contains(&exponent) {
        let (whole, fraction) = decimal.rounded(15 - exponent.unsigned_abs() as usize % 15 + 9);
        let plain = trimmed(whole, fraction);
        if plain.len() <= 11 {
            return format!("{sign}{plain}");
        }
    }
    format!("{sign}{}", scientific(magnitude, 5))
}

/// `1.23457E+11` with at most so many places.
fn scientific(magnitude: f64, places: usize) -> String {
    let decimal = Decimal::new(magnitude);
    let mut exponent = decimal.point - 1;
    let (mut whole, mut fraction) = Decimal { digits: decimal.digits, point: 1 }.rounded(places);
    if whole.len() > 1 {
        exponent += 1;
        fraction = format!("0{fraction}");
        whole.truncate(1);
        fraction.truncate(places);
    }
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{whole}{point}{fraction}E{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

pub(super) fn general_section(section: &Section, number: f64, out: &mut String) -> Option<(usize, char)> {
    let shown = spelled(section, general(number));
    literals_with(section, out, &shown)
}

/// A number with the sign that stands for its point.
pub(super) fn spelled(section: &Section, number: String) -> String {
    match section.signs.decimal {
        '.' => number,
        decimal => number.replace('.', decimal.encode_utf8(&mut [0; 4])),
    }
}

/// A section of literals, with text where `@` stands.
pub(super) fn literals(section: &Section, out: &mut String, text: Option<&str>) -> Option<(usize, char)> {
    literals_with(section, out, text.unwrap_or(""))
}

fn literals_with(section: &Section, out: &mut String, shown: &str) -> Option<(usize, char)> {
    let mut fill = None;
    for part in &section.parts {
        match part {
            Part::Text | Part::General => out.push_str(shown),
            other => literal(section, other, out, &mut fill),
        }
    }
    fill
}

fn literal(section: &Section, part: &Part, out: &mut String, fill: &mut Option<(usize, char)>) {
    match part {
        Part::Literal(text) => out.push_str(text),
        Part::Space(_) => out.push(' '),
        Part::Fill(letter) => *fill = Some((out.len(), *letter)),
        Part::Percent => out.push('%'),
        Part::Slash => out.push('/'),
        Part::Point => out.push(section.signs.decimal),
        Part::Comma => out.push(section.signs.group),
        _ => {}
    }
}

pub(super) fn render(
    section: &Section,
    magnitude: f64,
    minus: bool,
    out: &mut String,
) -> Option<(usize, char)> {
    if let Some(slash) = section.parts.iter().position(|part| matches!(part, Part::Slash))
        && section.parts.iter().take(slash).any(|part| matches!(part, Part::Digit(_)))
    {
        return fraction(section, magnitude, minus, slash, out);
    }
    let exponent_at = section.parts.iter().position(|part| matches!(part, Part::Exponent { .. }));
    let layout = Layout::of(section, exponent_at);
    let mut number = magnitude;
    let mut exponent = 0i64;
    if exponent_at.is_some() {
        // Percent signs and trailing commas are only shown then.
        (number, exponent) = split_exponent(number, layout.whole.max(1) as i64, layout.places);
    } else {
        for _ in 0..section.parts.iter().filter(|part| matches!(part, Part::Percent)).count() {
            number *= 100.0;
        }
        for _ in 0..layout.scales {
            number /= 1000.0;
        }
    }
    let (mut whole, fraction) = Decimal::new(number).rounded(layout.places);
    if exponent_at.is_some() && magnitude == 0.0 {
        whole = "0".repeat(layout.whole);
    }
    if minus {
        out.push('-');
    }
    write_parts(section, &layout, &whole, &fraction, exponent, exponent_at, out)
}

/// Mantissa and exponent; with several places before the point the exponent is a multiple of their number.
fn split_exponent(number: f64, step: i64, places: usize) -> (f64, i64) {
    if number == 0.0 {
        return (0.0, 0);
    }
    let mut exponent = Decimal::new(number).point - 1;
    exponent = exponent.div_euclid(step) * step;
    let scaled = scale(number, exponent);
    // Rounding may carry into a new digit: 9.99 to 10.0.
    let (whole, _) = Decimal::new(scaled).rounded(places);
    if whole.len() as i64 > step {
        exponent += step;
        return (scale(number, exponent), exponent);
    }
    (scaled, exponent)
}

fn scale(number: f64, exponent: i64) -> f64 {
    let decimal = Decimal::new(number);
    let digits: String = decimal.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    format!("0.{digits}e{}", decimal.point - exponent).parse().unwrap_or(number)
}

/// What the placeholders ask for.
struct Layout {
    /// Placeholders before the point.
    whole: usize,
    /// Placeholders after it.
    places: usize,
    /// Trailing commas, each a division by a thousand.
    scales: usize,
    /// What stands between thousands, if anything does.
    group: Option<char>,
}

impl Layout {
    fn of(section: &Section, exponent_at: Option<usize>) -> Layout {
        let parts = section.parts.get(..exponent_at.unwrap_or(section.parts.len())).unwrap_or(&section.parts);
        let mut layout = Layout { whole: 0, places: 0, scales: 0, group: None };
        let point = parts.iter().position(|part| matches!(part, Part::Point));
        let last_digit = parts.iter().rposition(|part| matches!(part, Part::Digit(_)));
        let first_digit = parts.iter().position(|part| matches!(part, Part::Digit(_)));
        let last_whole = parts
            .iter()
            .enumerate()
            .filter(|(at, part)| matches!(part, Part::Digit(_)) && point.is_none_or(|point| *at < point))
            .map(|(at, _)| at)
            .next_back();
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Digit(_) if point.is_some_and(|point| at > point) => layout.places += 1,
                Part::Digit(_) => layout.whole += 1,
                Part::Comma => {
                    if last_digit.is_some_and(|last| at > last) || last_whole.is_some_and(|last| at > last) {
                        layout.scales += 1;
                    } else if first_digit.is_some_and(|first| at > first) {
                        layout.group = Some(section.signs.group);
                    }
                }
                _ => {}
            }
        }
        layout
    }
}

fn write_parts(
    section: &Section,
    layout: &Layout,
    whole: &str,
    fraction: &str,
    exponent: i64,
    exponent_at: Option<usize>,
    out: &mut String,
) -> Option<(usize, char)> {
    let mut fill = None;
    let digits: Vec<char> = whole.chars().collect();
    // Places still to be filled before the point, counted down.
    let mut slot = layout.whole;
    let mut spent = 0;
    let mut after = 0;
    let mut past_point = false;
    let kept = fraction_kept(section, exponent_at, fraction);
    // The sign of the exponent stands before its first placeholder, wherever the letter is.
    let power = exponent.abs().to_string();
    let power_parts = section.parts.iter().skip(exponent_at.unwrap_or(section.parts.len()));
    let power_slots = power_parts.filter(|part| matches!(part, Part::Digit(_))).count();
    let mut power_slot = power_slots;
    for (at, part) in section.parts.iter().enumerate() {
        if exponent_at == Some(at) {
            if let Part::Exponent { upper, .. } = part {
                out.push(if *upper { 'E' } else { 'e' });
            }
            continue;
        }
        let in_exponent = exponent_at.is_some_and(|exponent| at > exponent);
        match part {
            Part::Digit(kind) if in_exponent => {
                if power_slot == power_slots {
                    let plus = exponent_at.and_then(|at| section.parts.get(at));
                    if exponent < 0 {
                        out.push('-');
                    } else if matches!(plus, Some(Part::Exponent { plus: true, .. })) {
                        out.push('+');
                    }
                }
                place(out, &power, power_slot, power_slot == power_slots, Some(*kind));
                power_slot -= 1;
            }
            Part::Digit(kind) if past_point => {
                let digit = fraction.chars().nth(after).unwrap_or('0');
                after += 1;
                if after <= kept || *kind == '0' {
                    out.push(digit);
                } else if *kind == '?' {
                    out.push(' ');
                }
            }
            Part::Digit(kind) => {
                // Surplus digits come out at the first placeholder.
                let wanted = digits.len().saturating_sub(slot - 1).saturating_sub(spent);
                if wanted == 0 {
                    match kind {
                        '0' => push_digit(out, '0', slot - 1, layout.group),
                        '?' => {
                            out.push(' ');
                            if layout.group.is_some() && (slot - 1).is_multiple_of(3) && slot > 1 {
                                out.push(' ');
                            }
                        }
                        _ => {}
                    }
                } else {
                    for _ in 0..wanted {
                        let digit = digits.get(spent).copied().unwrap_or('0');
                        spent += 1;
                        push_digit(out, digit, digits.len() - spent, layout.group);
                    }
                }
                slot -= 1;
            }
            Part::Point if !past_point && !in_exponent => {
                // Digits that no placeholder stood for.
                if layout.whole == 0 && !digits.is_empty() {
                    out.extend(&digits);
                }
                past_point = true;
                out.push(section.signs.decimal);
            }
            // Before the first placeholder a comma is only a comma.
            Part::Comma
                if spent == 0 && slot == layout.whole && layout.whole > 0 && !past_point && !in_exponent =>
            {
                out.push(section.signs.group);
            }
            Part::Comma => {}
            other => literal(section, other, out, &mut fill),
        }
    }
    fill
}

/// A digit with its group separator; `left` digits follow before the point.
fn push_digit(out: &mut String, digit: char, left: usize, group: Option<char>) {
    out.push(digit);
    if left > 0 && left.is_multiple_of(3) {
        out.extend(group);
    }
}

/// How many fraction digits must show: all but trailing zeros that stand at `#` or `?`.
fn fraction_kept(section: &Section, exponent_at: Option<usize>, fraction: &str) -> usize {
    let mut kinds = Vec::new();
    let mut past_point = false;
    for (at, part) in section.parts.iter().enumerate() {
        if exponent_at.is_some_and(|exponent| at >= exponent) {
            break;
        }
        match part {
            Part::Point => past_point = true,
            Part::Digit(kind) if past_point => kinds.push(*kind),
            _ => {}
        }
    }
    let digits: Vec<char> = fraction.chars().collect();
    let mut kept = kinds.len();
    while kept > 0 && kinds.get(kept - 1) != Some(&'0') && digits.get(kept - 1) == Some(&'0') {
        kept -= 1;
    }
    kept
}

/// A number as whole part and fraction. The placeholders last before the slash are the numerator's, those before
/// them the whole part's; without any the fraction is improper.
fn fraction(
    section: &Section,
    magnitude: f64,
    minus: bool,
    slash: usize,
    out: &mut String,
) -> Option<(usize, char)> {
    let parts = &section.parts;
    let is_digit = |part: &Part| matches!(part, Part::Digit(_));
    let kind = |at: usize| match parts.get(at) {
        Some(Part::Digit(kind)) => Some(*kind),
        _ => None,
    };
    // Literals may stand between the numerator and the slash.
    let last = (0..slash).rev().find(|at| parts.get(*at).is_some_and(is_digit)).unwrap_or(0);
    let mut start = last;
    while start > 0 && parts.get(start - 1).is_some_and(is_digit) {
        start -= 1;
    }
    let whole_at: Vec<usize> = (0..start).filter(|at| parts.get(*at).is_some_and(is_digit)).collect();
    let (under_at, end, fixed) = denominator(parts, slash);
    let with_whole = !whole_at.is_empty();
    let mut whole = if with_whole { magnitude.floor() } else { 0.0 };
    let rest = magnitude - whole;
    let (mut over, under) = match fixed {
        Some(under) => ((rest * under).round(), under),
        None => nearest(rest, 10f64.powi((end - under_at).clamp(1, 7) as i32) - 1.0),
    };
    if with_whole && over >= under {
        whole += 1.0;
        over -= under;
    }
    if minus {
        out.push('-');
    }
    let has = |mut range: std::ops::Range<usize>, wanted: char| range.any(|at| kind(at) == Some(wanted));
    let whole_kind = |wanted: char| has(0..start, wanted);
    let whole_end = whole_at.last().map_or(0, |at| at + 1);
    let spaces = whole_kind('?') || has(start..last + 1, '?');
    // A whole number has no fraction to show, unless a zero asks for one.
    let bare = with_whole && over == 0.0 && !has(start..last + 1, '0');
    let blank_bare = spaces || has(under_at..end, '?');
    // Nothing is said of a whole part that is nothing, unless a zero asks for it.
    let lone_hash = whole_at.len() == 1 && whole_kind('#');
    let headless =
        with_whole && whole == 0.0 && !bare && if over == 0.0 { lone_hash } else { !whole_kind('0') };
    let whole_text = if headless { String::new() } else { format!("{whole}") };
    let over_text = format!("{over}");
    let under_text = format!("{under}");
    let mut fill = None;
    for (at, part) in parts.iter().enumerate() {
        let in_fraction = at >= whole_end && at < end;
        if bare && in_fraction {
            if blank_bare {
                out.push(' ');
            }
        } else if headless && at >= whole_end && at < start {
            if spaces {
                out.push(' ');
            }
        } else if at < whole_end && is_digit(part) {
            let slot = whole_at.iter().filter(|other| **other >= at).count();
            place(out, &whole_text, slot, whole_at.first() == Some(&at), kind(at));
        } else if at >= start && at <= last {
            place(out, &over_text, last + 1 - at, at == start, kind(at));
        } else if at == under_at {
            let width = end - under_at;
            match fixed.is_none() && has(under_at..end, '0') {
                true => out.push_str(&format!("{under_text:0>width$}")),
                false => out.push_str(&format!("{under_text:<width$}")),
            }
            let hashes = (under_at..end).filter(|at| kind(*at) == Some('#')).count();
            let surplus = width.saturating_sub(under_text.len()).min(hashes);
            if fixed.is_none() && out.ends_with(' ') {
                out.truncate(out.len() - surplus);
            }
        } else if at < under_at || at >= end {
            literal(section, part, out, &mut fill);
        }
    }
    fill
}

/// Where the denominator starts and ends, and its number when it is a fixed one.
fn denominator(parts: &[Part], slash: usize) -> (usize, usize, Option<f64>) {
    let digit = |at: usize| match parts.get(at) {
        Some(Part::Digit(kind)) => Some(*kind),
        Some(Part::Literal(text)) => {
            text.chars().next().filter(|first| text.len() == 1 && first.is_ascii_digit())
        }
        _ => None,
    };
    let start = (slash + 1..parts.len()).find(|at| digit(*at).is_some()).unwrap_or(slash + 1);
    let written: String = (start..parts.len()).map_while(digit).collect();
    let fixed = written.parse::<f64>().ok().filter(|under| *under > 0.0);
    (start, start + written.len(), fixed)
}

/// One placeholder of an integer, `slot` places from its end; the first takes surplus digits.
fn place(out: &mut String, digits: &str, slot: usize, first: bool, kind: Option<char>) {
    let from = digits.len().saturating_sub(slot);
    if digits.len() < slot {
        match kind {
            Some('0') => out.push('0'),
            Some('?') => out.push(' '),
            _ => {}
        }
        return;
    }
    let start = if first { 0 } else { from };
    out.push_str(&digits[start..from + 1]);
}

/// The fraction with a denominator of at most `limit` that comes nearest.
fn nearest(x: f64, limit: f64) -> (f64, f64) {
    let (mut h0, mut k0, mut h1, mut k1) = (0.0f64, 1.0f64, 1.0f64, 0.0f64);
    let mut rest = x;
    let mut best = (x.round(), 1.0);
    for _ in 0..40 {
        let whole = rest.floor();
        let (h2, k2) = (whole * h1 + h0, whole * k1 + k0);
        if k2 > limit {
            // The largest step that still fits may be nearer than the last convergent.
            let step = ((limit - k0) / k1).floor();
            let candidate = (step * h1 + h0, step * k1 + k0);
            if candidate.1 > 0.0 && (candidate.0 / candidate.1 - x).abs() < (best.0 / best.1 - x).abs() {
                best = candidate;
            }
            break;
        }
        best = (h2, k2);
        if (h2 / k2 - x).abs() < 1e-13 || rest == whole {
            break;
        }
        (h0, k0, h1, k1) = (h1, k1, h2, k2);
        rest = 1.0 / (rest - whole);
    }
    best
}

pub(super) fn cell_code(section: &Section, code: &str) -> String {
    let layout =
        Layout::of(section, section.parts.iter().position(|part| matches!(part, Part::Exponent { .. })));
    let has = |test: fn(&Part) -> bool| section.parts.iter().any(test);
    let letter = if has(|part| matches!(part, Part::Exponent { .. })) {
        'S'
    } else if has(|part| matches!(part, Part::Percent)) {
        'P'
    } else if has(|part| matches!(part, Part::Slash)) {
        return "G".to_owned();
    } else if code.contains('$') {
        'C'
    } else if layout.group.is_some() {
        ','
    } else {
        'F'
    };
    format!("{letter}{}", layout.places)
}
