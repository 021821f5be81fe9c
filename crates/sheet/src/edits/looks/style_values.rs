//! Which looks Excel knows.
//!
//! A workbook with another one is repaired when Excel opens it, and formats are lost with it; so an edit that asks for
//! one is refused, with what there is instead.

use edit::Refusal;

use crate::edits::looks::number_code;
use crate::edits::looks::style_change::{EdgeChange, FillChange, FontChange, GradientForm, StyleChange};
use crate::file::styles::Color;

const UNDERLINES: &[&str] = &["none", "single", "double", "singleAccounting", "doubleAccounting"];
const SCRIPTS: &[&str] = &["none", "superscript", "subscript"];
const LINES: &[&str] = &[
    "thin",
    "medium",
    "thick",
    "double",
    "hair",
    "dotted",
    "dashed",
    "dashDot",
    "dashDotDot",
    "mediumDashed",
    "mediumDashDot",
    "mediumDashDotDot",
    "slantDashDot",
    "none",
];
const PATTERNS: &[&str] = &[
    "none",
    "solid",
    "gray125",
    "gray0625",
    "lightGray",
    "mediumGray",
    "darkGray",
    "lightHorizontal",
    "lightVertical",
    "lightDown",
    "lightUp",
    "lightGrid",
    "lightTrellis",
    "darkHorizontal",
    "darkVertical",
    "darkDown",
    "darkUp",
    "darkGrid",
    "darkTrellis",
];
const ACROSS: &[&str] =
    &["general", "left", "center", "right", "fill", "justify", "centerContinuous", "distributed"];
const UPRIGHT: &[&str] = &["top", "center", "bottom", "justify", "distributed"];
/// In points.
const SIZES: std::ops::RangeInclusive<f64> = 1.0..=409.0;
const LONGEST_FONT_NAME: usize = 31;
const MOST_INDENT: u32 = 250;

pub(crate) fn check_style(change: &StyleChange) -> Result<(), Refusal> {
    if let Some(font) = &change.font {
        check_font(font)?;
    }
    if let Some(code) = &change.number_format {
        number_code::check(code)?;
    }
    if let Some(fill) = &change.fill {
        check_fill(fill)?;
    }
    if let Some(border) = &change.border {
        for edge in [&border.left, &border.right, &border.top, &border.bottom, &border.diagonal] {
            let Some(EdgeChange::Line(edge)) = edge else { continue };
            one_of("line of a border", &edge.style, LINES)?;
            edge.color.as_ref().map_or(Ok(()), check_color)?;
        }
    }
    if let Some(alignment) = &change.alignment {
        alignment
            .horizontal
            .as_deref()
            .map_or(Ok(()), |text| one_of("horizontal alignment", text, ACROSS))?;
        alignment.vertical.as_deref().map_or(Ok(()), |text| one_of("vertical alignment", text, UPRIGHT))?;
        if let Some(indent) = alignment.indent.filter(|indent| *indent > MOST_INDENT) {
            return Err(Refusal::invalid("indent", indent, format!("0 to {MOST_INDENT}")));
        }
        if let Some(rotation) = alignment.rotation.filter(|angle| *angle > 180 && *angle != 255) {
            let known = "0 to 90 degrees upwards, 91 to 180 downwards, or 255 for stacked letters";
            return Err(Refusal::invalid("rotation", rotation, known));
        }
    }
    Ok(())
}

fn check_fill(fill: &FillChange) -> Result<(), Refusal> {
    match fill {
        FillChange::None => Ok(()),
        FillChange::Solid(color) => check_color(color),
        FillChange::Pattern { pattern, color, background } => {
            one_of("pattern of a fill", pattern, PATTERNS)?;
            color.iter().chain(background).try_for_each(check_color)
        }
        FillChange::Gradient(gradient) => {
            let places = gradient.stops.iter().map(|(place, _)| *place);
            let sorted =
                places.clone().is_sorted() && places.clone().all(|place| (0.0..=1.0).contains(&place));
            if gradient.stops.len() < 2 || !sorted {
                let known = "two or more colours at places from 0 to 1, in their order";
                return Err(Refusal::invalid("gradient", format!("{} colours", gradient.stops.len()), known));
            }
            let parts = match gradient.shape {
                GradientForm::Linear(degree) if degree.is_finite() => Vec::new(),
                GradientForm::Linear(degree) => {
                    return Err(Refusal::invalid("degree", degree, "a number of degrees"));
                }
                GradientForm::Path { left, right, top, bottom } => vec![left, right, top, bottom],
            };
            if let Some(found) = parts.into_iter().find(|part| !(0.0..=1.0).contains(part)) {
                return Err(Refusal::invalid("gradient", found, "parts of the cell from 0 to 1"));
            }
            gradient.stops.iter().try_for_each(|(_, color)| check_color(color))
        }
    }
}

pub(crate) fn check_font(font: &FontChange) -> Result<(), Refusal> {
    if let Some(size) = font.size.filter(|size| !SIZES.contains(size)) {
        return Err(Refusal::invalid("size of a font", size, "1 to 409 points"));
    }
    if let Some(name) = &font.name {
        let length = name.encode_utf16().count();
        if name.trim().is_empty() || length > LONGEST_FONT_NAME || name.chars().any(char::is_control) {
            let known = format!("1 to {LONGEST_FONT_NAME} characters");
            return Err(Refusal::invalid("name of a font", format!("`{name}`"), known));
        }
    }
    font.underline.as_deref().map_or(Ok(()), |text| one_of("underline", text, UNDERLINES))?;
    font.vertical.as_deref().map_or(Ok(()), |text| one_of("vertical position", text, SCRIPTS))?;
    font.color.as_ref().map_or(Ok(()), check_color)
}

pub(crate) fn check_color(color: &Color) -> Result<(), Refusal> {
    match color {
        Color::Rgb(text) => {
            let digits = text.trim_start_matches('#');
            let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !hex || !matches!(digits.len(), 6 | 8) {
                let known =
                    "six digits for red, green and blue, such as FF8800, or eight with the opacity first";
                return Err(Refusal::invalid("colour", format!("`{text}`"), known));
            }
        }
        Color::Theme { index, tint } => {
            if *index > 11 {
                return Err(Refusal::invalid("colour of the theme", index, "0 to 11"));
            }
            if !(-1.0..=1.0).contains(tint) {
                return Err(Refusal::invalid("tint", tint, "-1 (black) to 1 (white)"));
            }
        }
        Color::Indexed(index) if *index > 65 => {
            return Err(Refusal::invalid("colour of the palette", index, "0 to 65"));
        }
        Color::Indexed(_) | Color::Automatic => {}
    }
    Ok(())
}

fn one_of(what: &'static str, found: &str, known: &[&str]) -> Result<(), Refusal> {
    match known.contains(&found) {
        true => Ok(()),
        false => Err(Refusal::invalid(what, format!("`{found}`"), format!("one of {}", known.join(", ")))),
    }
}
