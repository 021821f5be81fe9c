//! How cells look: read with every colour decided, and changed field by field.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::resolved::{GradientShape, Line, Look, LookFill, LookFont};
use sheet::{
    AlignmentChange, Area, BorderChange, CellChange, CellRef, Color, Edge, EdgeChange, Edit, FillChange,
    FontChange, GradientChange, GradientForm, Input, StyleChange, TextRun, Value,
};

use super::cell_value::Around;
use super::write::{WriteResult, given, told};
use super::{Entry, entry, function};
use crate::host::{Fault, Host, Range};
use crate::reference::{self, CellArg, RangeArg};

pub(super) fn entries() -> Vec<Entry> {
    vec![entry::<GetStyle>(), entry::<SetStyle>()]
}

/// How a cell looks. Colours are `#RRGGBB`; what is left out is as usual when read, and stays when set. `null` takes
/// a fill or a line away.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Style {
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    pub(crate) fill: Option<Option<FillStyle>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) font: Option<FontStyle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) alignment: Option<AlignmentStyle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) border: Option<BorderStyle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) number_format: Option<String>,
    /// Over how many cells the text is centred.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 16_384))]
    pub(crate) center_continuous_span: Option<u32>,
    /// The text in pieces that look different; it replaces what the cell holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rich_text: Option<Vec<RichPiece>>,
}

/// `color` is the ground; a pattern other than `solid` is drawn on it in `patternColor`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct FillStyle {
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    /// `solid`, `gray125`, `darkGrid`, `lightUp` and so on, or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern_color: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gradient: Option<GradientStyle>,
}

/// Two colours that run into each other, or `stops` for more.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct GradientStyle {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<GradientType>,
    /// Of a linear one: 0 runs to the right, 90 down.
    #[serde(skip_serializing_if = "Option::is_none")]
    degree: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color1: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color2: Option<String>,
    /// Of a path: where the inner rectangle lies, as parts of the cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bottom: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stops: Option<Vec<GradientStop>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GradientType {
    #[default]
    Linear,
    Path,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GradientStop {
    /// From 0 to 1.
    position: f64,
    color: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct FontStyle {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// In points.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bold: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    italic: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strike: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    underline: Option<Underline>,
    /// `superscript`, `subscript` or `baseline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    vertical_align: Option<String>,
}

/// `true`, `false`, `none`, `single`, `double`, `singleAccounting` or `doubleAccounting`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Underline {
    Switch(bool),
    Kind(String),
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct AlignmentStyle {
    /// `general`, `left`, `center`, `right`, `fill`, `justify`, `centerContinuous` or `distributed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    horizontal: Option<String>,
    /// `top`, `center`, `bottom`, `justify` or `distributed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    vertical: Option<String>,
    /// Degrees upwards, from -90 to 90, or 255 for letters one above the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrap_text: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shrink_to_fit: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    indent: Option<u32>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct BorderStyle {
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    top: Option<Option<LineInput>>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    bottom: Option<Option<LineInput>>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    left: Option<Option<LineInput>>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    right: Option<Option<LineInput>>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(extend("x-null" = true))]
    diagonal: Option<Option<DiagonalInput>>,
}

/// `thin`, `medium`, `thick`, `double`, `hair`, `dotted`, `dashed` and so on, or `none`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LineInput {
    style: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<String>,
}

/// A line from corner to corner: `up` from the lower left, `down` from the upper left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiagonalInput {
    style: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    #[serde(default)]
    up: bool,
    #[serde(default)]
    down: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RichPiece {
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    style: Option<PieceStyle>,
}

/// What a piece of a text can have of its own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PieceStyle {
    #[serde(skip_serializing_if = "Option::is_none")]
    font: Option<FontStyle>,
}

function! {
    /// How a cell looks: fill, font, alignment, border and number format, without tables and conditional formats.
    "getStyle" GetStyle { cell: CellArg } -> Style => get_style
}

fn get_style(host: &mut Host, call: GetStyle) -> Result<Style, Fault> {
    let (sheet, at) = reference::cell(host, &call.cell)?;
    host.read(Range { sheet, area: Area::cell(at) });
    let style = style_at(host, sheet, at)?;
    let look = host.view().look(style)?;
    let mut told = shown(&look);
    if look.alignment.horizontal.as_deref() == Some("centerContinuous") {
        told.center_continuous_span = Some(span(host, sheet, at)?);
    }
    if let Some(runs) = host.sheet(sheet)?.rich_text(at)? {
        let palette = host.view().palette()?;
        let pieces = runs.into_iter().map(|run| RichPiece {
            text: run.text,
            style: run.font.map(|font| PieceStyle {
                font: Some(FontStyle {
                    color: font.color.and_then(|color| palette.color(&color)).map(|color| color.to_string()),
                    name: font.name,
                    size: font.size,
                    bold: on(font.bold),
                    italic: on(font.italic),
                    strike: on(font.strike),
                    underline: font.underline.map(Underline::Kind),
                    vertical_align: font.vertical,
                }),
            }),
        });
        told.rich_text = Some(pieces.collect());
    }
    Ok(told)
}

pub(crate) fn style_at(host: &Host, sheet: usize, at: CellRef) -> Result<u32, Fault> {
    match host.sheet(sheet)?.cell(at)? {
        Some(cell) => Ok(cell.style),
        None => Around::new(host, sheet)?.style_of_blank(host, at),
    }
}

fn on(flag: bool) -> Option<bool> {
    flag.then_some(true)
}

/// The cells from one on that its text is centred over: blank ones that are centred too.
fn span(host: &Host, sheet: usize, at: CellRef) -> Result<u32, Fault> {
    let mut cells = 1;
    while at.col + cells < 16_384 && cells < 100 {
        let next = CellRef::new(at.row, at.col + cells);
        let view = host.sheet(sheet)?;
        let blank = view.cell(next)?.is_none_or(|cell| cell.formula.is_none() && cell.value == Value::Blank);
        let style = host.view().look(style_at(host, sheet, next)?)?;
        if !blank || style.alignment.horizontal.as_deref() != Some("centerContinuous") {
            break;
        }
        cells += 1;
    }
    Ok(cells)
}

/// A look in the words of scripts.
pub(crate) fn shown(look: &Look) -> Style {
    let alignment = AlignmentStyle {
        horizontal: look.alignment.horizontal.clone(),
        vertical: look.alignment.vertical.clone(),
        rotation: match look.alignment.rotation {
            0 => None,
            255 => Some(255),
            degrees @ 91..=180 => Some(90 - degrees.cast_signed()),
            degrees => Some(degrees.cast_signed()),
        },
        wrap_text: on(look.alignment.wrap),
        shrink_to_fit: on(look.alignment.shrink),
        indent: Some(look.alignment.indent).filter(|indent| *indent > 0),
    };
    let line = |line: &Option<Line>| line.as_ref().map(|line| Some(line_told(line)));
    let border = BorderStyle {
        top: line(&look.border.top),
        bottom: line(&look.border.bottom),
        left: line(&look.border.left),
        right: line(&look.border.right),
        diagonal: look.border.diagonal.as_ref().map(|diagonal| {
            let LineInput { style, color } = line_told(diagonal);
            Some(DiagonalInput { style, color, up: look.border.up, down: look.border.down })
        }),
    };
    Style {
        fill: fill_told(&look.fill).map(Some),
        font: Some(font_told(&look.font)),
        alignment: (alignment != AlignmentStyle::default()).then_some(alignment),
        border: (border != BorderStyle::default()).then_some(border),
        number_format: Some(look.number_format.clone()),
        center_continuous_span: None,
        rich_text: None,
    }
}

fn line_told(line: &Line) -> LineInput {
    let style = serde_json::to_value(line.style).ok().and_then(|name| name.as_str().map(str::to_owned));
    LineInput { style: style.unwrap_or_else(|| "thin".to_owned()), color: Some(line.color.to_string()) }
}

fn font_told(font: &LookFont) -> FontStyle {
    FontStyle {
        name: Some(font.name.clone()),
        size: Some(font.size),
        color: font.color.map(|color| color.to_string()),
        bold: on(font.bold),
        italic: on(font.italic),
        strike: on(font.strike),
        underline: font.underline.clone().map(Underline::Kind),
        vertical_align: font.vertical.clone(),
    }
}

fn fill_told(fill: &LookFill) -> Option<FillStyle> {
    Some(match fill {
        LookFill::None => return None,
        LookFill::Solid(color) => FillStyle {
            color: Some(color.to_string()),
            pattern: Some("solid".to_owned()),
            ..FillStyle::default()
        },
        LookFill::Pattern { kind, ink, ground } => FillStyle {
            color: Some(ground.to_string()),
            pattern: Some(kind.clone()),
            pattern_color: Some(ink.to_string()),
            gradient: None,
        },
        LookFill::Gradient(gradient) => {
            let color = |stop: Option<&(f64, sheet::resolved::Rgb)>| stop.map(|(_, color)| color.to_string());
            let stops = gradient
                .stops
                .iter()
                .map(|(position, color)| GradientStop { position: *position, color: color.to_string() });
            let mut told = GradientStyle {
                color1: color(gradient.stops.first()),
                color2: color(gradient.stops.last()),
                stops: (gradient.stops.len() > 2).then(|| stops.collect()),
                ..GradientStyle::default()
            };
            match gradient.shape {
                GradientShape::Linear(degree) => {
                    told.kind = Some(GradientType::Linear);
                    told.degree = Some(degree);
                }
                GradientShape::Path { left, right, top, bottom } => {
                    told.kind = Some(GradientType::Path);
                    (told.left, told.right) = (Some(left), Some(right));
                    (told.top, told.bottom) = (Some(top), Some(bottom));
                }
            }
            FillStyle { gradient: Some(told), ..FillStyle::default() }
        }
    })
}

/// What a format changes, in the words of scripts.
pub(crate) fn of_change(change: &StyleChange, palette: &sheet::resolved::Palette) -> Style {
    let paint = |color: &Color| palette.color(color).map(|color| color.to_string());
    let font = change.font.as_ref().map(|font| FontStyle {
        name: font.name.clone(),
        size: font.size,
        color: font.color.as_ref().and_then(paint),
        bold: font.bold,
        italic: font.italic,
        strike: font.strike,
        underline: font.underline.clone().map(Underline::Kind),
        vertical_align: font.vertical.clone(),
    });
    let fill = change.fill.as_ref().map(|fill| match fill {
        FillChange::Solid(color) => {
            Some(FillStyle { color: paint(color), pattern: Some("solid".to_owned()), ..FillStyle::default() })
        }
        FillChange::Pattern { pattern, color, background } => Some(FillStyle {
            color: background.as_ref().and_then(paint),
            pattern: Some(pattern.clone()),
            pattern_color: color.as_ref().and_then(paint),
            gradient: None,
        }),
        FillChange::None | FillChange::Gradient(_) => None,
    });
    let line = |edge: &Option<EdgeChange>| match edge {
        Some(EdgeChange::Line(edge)) => {
            Some(Some(LineInput { style: edge.style.clone(), color: edge.color.as_ref().and_then(paint) }))
        }
        Some(EdgeChange::None) => Some(None),
        None => None,
    };
    let border = change.border.as_ref().map(|border| BorderStyle {
        top: line(&border.top),
        bottom: line(&border.bottom),
        left: line(&border.left),
        right: line(&border.right),
        diagonal: None,
    });
    Style { fill, font, border, number_format: change.number_format.clone(), ..Style::default() }
}

function! {
    /// Change how cells look; what is left out stays.
    "setStyle" SetStyle { range: RangeArg, style: Style } -> WriteResult => set_style
}

fn set_style(host: &mut Host, call: SetStyle) -> Result<WriteResult, Fault> {
    let Range { sheet, area } = reference::exact_range(host, &call.range)?;
    let name = host.sheet_name(sheet);
    let mut edits = Vec::new();
    if let Some(pieces) = &call.style.rich_text {
        if !area.is_cell() {
            return Err(Fault::invalid(format!("`richText` is for one cell; {area} has {}", area.count())));
        }
        let cells = vec![CellChange { at: area.first(), input: Input::Rich(runs(pieces)?) }];
        edits.push(Edit::SetCells { sheet: name.clone(), cells, seen: None });
    }
    let change = change(&call.style)?;
    if change != StyleChange::default() {
        edits.push(Edit::SetStyle { sheet: name.clone(), areas: vec![area], style: change });
    }
    if let Some(cells) = call.style.center_continuous_span {
        let right = area.left.checked_add(cells - 1).filter(|right| *right < 16_384);
        let right = right.ok_or_else(|| Fault::invalid("`centerContinuousSpan` reaches beyond the sheet"))?;
        let alignment =
            AlignmentChange { horizontal: Some("centerContinuous".to_owned()), ..AlignmentChange::default() };
        let style = StyleChange { alignment: Some(alignment), ..StyleChange::default() };
        edits.push(Edit::SetStyle { sheet: name, areas: vec![Area { right, ..area }], style });
    }
    if edits.is_empty() {
        return Err(Fault::invalid(
            "nothing is said of the style; give `fill`, `font`, `alignment`, `border` or `numberFormat`",
        ));
    }
    let written = host.write(edits)?;
    told(host, &written)
}

fn runs(pieces: &[RichPiece]) -> Result<Vec<TextRun>, Fault> {
    let runs = pieces.iter().map(|piece| {
        let font = piece.style.as_ref().and_then(|style| style.font.as_ref());
        Ok(TextRun { text: piece.text.clone(), font: font.map(font_change).transpose()?.unwrap_or_default() })
    });
    runs.collect()
}

/// A style as the engine changes it.
pub(crate) fn change(style: &Style) -> Result<StyleChange, Fault> {
    Ok(StyleChange {
        number_format: style.number_format.clone(),
        font: style.font.as_ref().map(font_change).transpose()?,
        fill: style.fill.as_ref().map(|fill| fill_change(fill.as_ref())).transpose()?,
        border: style.border.as_ref().map(border_change).transpose()?,
        alignment: style.alignment.as_ref().map(alignment_change).transpose()?,
        ..StyleChange::default()
    })
}

/// `#RRGGBB`, which is what everybody writes.
pub(crate) fn color(text: &str) -> Result<Color, Fault> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    match matches!(digits.len(), 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => Ok(Color::Rgb(digits.to_ascii_uppercase())),
        false => Err(Fault::invalid(format!("`{text}` is no colour; use `#RRGGBB`, such as `#1F4E78`"))),
    }
}

fn font_change(font: &FontStyle) -> Result<FontChange, Fault> {
    Ok(FontChange {
        name: font.name.clone(),
        size: font.size,
        bold: font.bold,
        italic: font.italic,
        strike: font.strike,
        underline: font.underline.as_ref().map(|underline| match underline {
            Underline::Switch(true) => "single".to_owned(),
            Underline::Switch(false) => "none".to_owned(),
            Underline::Kind(kind) => kind.clone(),
        }),
        vertical: font.vertical_align.as_deref().map(|vertical| match vertical {
            "baseline" => "none".to_owned(),
            other => other.to_owned(),
        }),
        color: font.color.as_deref().map(color).transpose()?,
    })
}

fn fill_change(fill: Option<&FillStyle>) -> Result<FillChange, Fault> {
    let Some(fill) = fill else { return Ok(FillChange::None) };
    if let Some(gradient) = &fill.gradient {
        if fill.color.is_some() || fill.pattern.is_some() || fill.pattern_color.is_some() {
            return Err(Fault::invalid("a fill has either a `gradient` or a `color` and `pattern`"));
        }
        return gradient_change(gradient).map(FillChange::Gradient);
    }
    let ground = fill.color.as_deref().map(color).transpose()?;
    let ink = fill.pattern_color.as_deref().map(color).transpose()?;
    match (fill.pattern.as_deref(), ground, ink) {
        (Some("none"), _, _) => Ok(FillChange::None),
        (None | Some("solid"), Some(ground), None) => Ok(FillChange::Solid(ground)),
        (None | Some("solid"), _, _) => {
            Err(Fault::invalid("a solid fill takes `color`; `patternColor` goes with another `pattern`"))
        }
        (Some(pattern), background, color) => {
            Ok(FillChange::Pattern { pattern: pattern.to_owned(), color, background })
        }
    }
}

fn gradient_change(gradient: &GradientStyle) -> Result<GradientChange, Fault> {
    let stops = match (&gradient.stops, &gradient.color1, &gradient.color2) {
        (Some(stops), _, _) => {
            let stops = stops.iter().map(|stop| Ok((stop.position, color(&stop.color)?)));
            stops.collect::<Result<Vec<_>, Fault>>()?
        }
        (None, Some(first), Some(last)) => vec![(0.0, color(first)?), (1.0, color(last)?)],
        (None, _, _) => return Err(Fault::invalid("a gradient takes `color1` and `color2`, or `stops`")),
    };
    let part = |part: Option<f64>| part.unwrap_or(0.0);
    let shape = match gradient.kind.unwrap_or_default() {
        GradientType::Linear => GradientForm::Linear(part(gradient.degree)),
        GradientType::Path => GradientForm::Path {
            left: part(gradient.left),
            right: part(gradient.right),
            top: part(gradient.top),
            bottom: part(gradient.bottom),
        },
    };
    Ok(GradientChange { shape, stops })
}

fn border_change(border: &BorderStyle) -> Result<BorderChange, Fault> {
    let edge = |line: &Option<Option<LineInput>>| {
        line.as_ref()
            .map(|line| edge_change(line.as_ref().map(|line| (&line.style, &line.color))))
            .transpose()
    };
    let diagonal = border.diagonal.as_ref();
    let directions = diagonal.map(|line| line.as_ref().map_or((false, false), |line| (line.up, line.down)));
    if let Some(Some(line)) = diagonal
        && !line.up
        && !line.down
        && line.style != "none"
    {
        return Err(Fault::invalid("a diagonal goes `up: true`, `down: true` or both"));
    }
    Ok(BorderChange {
        top: edge(&border.top)?,
        bottom: edge(&border.bottom)?,
        left: edge(&border.left)?,
        right: edge(&border.right)?,
        diagonal: diagonal
            .map(|line| edge_change(line.as_ref().map(|line| (&line.style, &line.color))))
            .transpose()?,
        diagonal_up: directions.map(|(up, _)| up),
        diagonal_down: directions.map(|(_, down)| down),
    })
}

fn edge_change(line: Option<(&String, &Option<String>)>) -> Result<EdgeChange, Fault> {
    match line {
        None => Ok(EdgeChange::None),
        Some((style, _)) if style == "none" => Ok(EdgeChange::None),
        Some((style, paint)) => {
            let paint = paint.as_deref().map(color).transpose()?;
            Ok(EdgeChange::Line(Edge { style: style.clone(), color: paint }))
        }
    }
}

fn alignment_change(alignment: &AlignmentStyle) -> Result<AlignmentChange, Fault> {
    let rotation = match alignment.rotation {
        None => None,
        Some(degrees @ 0..=90) => Some(degrees.unsigned_abs()),
        Some(degrees @ -90..=-1) => Some(90 + degrees.unsigned_abs()),
        Some(255) => Some(255),
        Some(other) => {
            return Err(Fault::invalid(format!(
                "a rotation of {other}; -90 to 90 degrees, or 255, are possible"
            )));
        }
    };
    Ok(AlignmentChange {
        horizontal: alignment.horizontal.clone(),
        vertical: alignment.vertical.clone(),
        wrap: alignment.wrap_text,
        shrink: alignment.shrink_to_fit,
        indent: alignment.indent,
        rotation,
    })
}
