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
    let shown = general(number);
    literals_with(section, out, &shown)
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
            other => literal(other, out, &mut fill),
        }
    }
    fill
}

fn literal(part: &Part, out: &mut String, fill: &mut Option<(usize, char)>) {
    match part {
        Part::Literal(text) => out.push_str(text),
        Part::Space(_) => out.push(' '),
        Part::Fill(letter) => *fill = Some((out.len(), *letter)),
        Part::Percent => out.push('%'),
        Part::Slash => out.push('/'),
        Part::Point => out.push('.'),
        Part::Comma => out.push(','),
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
    for _ in 0..section.parts.iter().filter(|part| matches!(part, Part::Percent)).count() {
        number *= 100.0;
    }
    for _ in 0..layout.scales {
        number /= 1000.0;
    }
    let mut exponent = 0i64;
    if exponent_at.is_some() {
        (number, exponent) = split_exponent(number, layout.whole.max(1) as i64, layout.places);
    }
    let (whole, fraction) = Decimal::new(number).rounded(layout.places);
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
    grouped: bool,
}

impl Layout {
    fn of(section: &Section, exponent_at: Option<usize>) -> Layout {
        let parts = section.parts.get(..exponent_at.unwrap_or(section.parts.len())).unwrap_or(&section.parts);
        let mut layout = Layout { whole: 0, places: 0, scales: 0, grouped: false };
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
                        layout.grouped = true;
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
    for (at, part) in section.parts.iter().enumerate() {
        if exponent_at == Some(at) {
            if let Part::Exponent { plus, upper } = part {
                out.push(if *upper { 'E' } else { 'e' });
                if exponent < 0 {
                    out.push('-');
                } else if *plus {
                    out.push('+');
                }
                let width =
                    section.parts.iter().skip(at).filter(|part| matches!(part, Part::Digit('0'))).count();
                out.push_str(&format!("{:0>width$}", exponent.abs()));
            }
            continue;
        }
        let in_exponent = exponent_at.is_some_and(|exponent| at > exponent);
        match part {
            Part::Digit(_) if in_exponent => {}
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
                        '0' => push_digit(out, '0', slot - 1, layout.grouped),
                        '?' => {
                            out.push(' ');
                            if layout.grouped && (slot - 1).is_multiple_of(3) && slot > 1 {
                                out.push(' ');
                            }
                        }
                        _ => {}
                    }
                } else {
                    for _ in 0..wanted {
                        let digit = digits.get(spent).copied().unwrap_or('0');
                        spent += 1;
                        push_digit(out, digit, digits.len() - spent, layout.grouped);
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
                out.push('.');
            }
            Part::Comma => {}
            other => literal(other, out, &mut fill),
        }
    }
    fill
}

/// A digit with its group separator; `left` digits follow before the point.
fn push_digit(out: &mut String, digit: char, left: usize, grouped: bool) {
    out.push(digit);
    if grouped && left > 0 && left.is_multiple_of(3) {
        out.push(',');
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

fn fraction(
    section: &Section,
    magnitude: f64,
    minus: bool,
    slash: usize,
    out: &mut String,
) -> Option<(usize, char)> {
    let parts = &section.parts;
    let is_digit = |part: &Part| matches!(part, Part::Digit(_));
    // The numerator is the run of placeholders before the slash; an earlier run is the whole part.
    let mut start = slash;
    while start > 0 && parts.get(start - 1).is_some_and(is_digit) {
        start -= 1;
    }
    let whole_at: Vec<usize> = (0..start).filter(|at| parts.get(*at).is_some_and(is_digit)).collect();
    let numerator_width = slash - start;
    let mut end = slash + 1;
    // A denominator may be placeholders or a fixed number.
    let mut fixed = String::new();
    while let Some(part) = parts.get(end) {
        match part {
            Part::Digit(kind) if fixed.is_empty() || *kind == '0' => {
                if !fixed.is_empty() {
                    fixed.push('0');
                }
            }
            Part::Literal(text) if text.chars().all(|letter| letter.is_ascii_digit()) && !text.is_empty() => {
                fixed.push_str(text)
            }
            _ => break,
        }
        end += 1;
    }
    let width = end - slash - 1;
    let with_whole = !whole_at.is_empty();
    let whole = if with_whole { magnitude.floor() } else { 0.0 };
    let rest = magnitude - whole;
    let (mut over, under) = match fixed.parse::<f64>() {
        Ok(under) if under > 0.0 => ((rest * under).round(), under),
        _ => nearest(rest, 10f64.powi(width.clamp(1, 7) as i32) - 1.0),
    };
    let mut whole = whole;
    if with_whole && over >= under {
        whole += 1.0;
        over -= under;
    }
    if minus {
        out.push('-');
    }
    let mut fill = None;
    let blank = over == 0.0 && with_whole;
    let mut whole_written = false;
    for (at, part) in parts.iter().enumerate() {
        if at < start {
            if let Part::Digit(kind) = part {
                if !whole_written && whole_at.last() == Some(&at) {
                    whole_written = true;
                    if whole != 0.0 || *kind == '0' || (blank && *kind != '?') {
                        out.push_str(&format!("{whole}"));
                    } else if *kind == '?' {
                        out.push(' ');
                    }
                }
            } else {
                literal(part, out, &mut fill);
            }
        } else if at == start {
            if blank {
                out.push_str(&" ".repeat(numerator_width + 1 + width));
            } else {
                out.push_str(&format!("{over:>numerator_width$}/{under:<width$}"));
            }
        } else if at >= end {
            literal(part, out, &mut fill);
        }
    }
    fill
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
    } else if layout.grouped {
        ','
    } else {
        'F'
    };
    format!("{letter}{}", layout.places)
}
