//! Conditional formats, decided: which of them apply to a cell, and what they draw there.
//!
//! Rules are asked by priority. The first that speaks of a property has the say; a rule that stops others does so where
//! it applies. Scales, bars and icons look at all cells of their areas, not only at those that are shown.

mod conditions;
mod figures;

use std::cell::OnceCell;
use std::collections::BTreeMap;

use edit::{Context, OrEmpty, Refusal};
use formula::{CellRef as FormulaCell, Clock, Evaluator, Mode, Outcome, Value};
use ooxml::xml::{Node, ns};
use serde::Serialize;

use super::look::{Difference, LookFill};
use super::palette::{Palette, Rgb};
use crate::calc::model::{Model, clock};
use crate::calc::place::place;
use crate::edits::rules::conditional::{self, ConditionalFormat};
use crate::file::a1::{Area, CellRef};
use crate::file::styles::{self, Styles};
use crate::file::workbook::{flag, number, string};
use crate::read::extension::{self, X14};
use crate::read::sheet_view::SheetView;

pub(crate) use figures::Figures;

/// A bar in a cell; places are parts of the cell's width.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bar {
    pub from: f64,
    pub to: f64,
    pub color: Rgb,
    /// Fades out toward its end.
    pub gradient: bool,
    pub border: Option<Rgb>,
    /// Where zero is, with the colour of its line, if some values are negative.
    pub axis: Option<(f64, Rgb)>,
}

/// One icon of a set, counted from the lowest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Icon {
    /// `3Arrows`, `5Quarters` and so on.
    pub set: String,
    pub index: usize,
}

/// What the rules make of a cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effect {
    pub(crate) difference: Difference,
    pub(crate) bar: Option<Bar>,
    pub(crate) icon: Option<Icon>,
    pub(crate) hides_value: bool,
}

/// The rules of a sheet that reach into an area, in the order in which they are asked.
pub(crate) struct Rules<'a> {
    rules: Vec<Rule>,
    formulas: Formulas<'a>,
    /// Rules that could not be decided, and why.
    pub(crate) undecided: Vec<String>,
}

struct Rule {
    format: ConditionalFormat,
    difference: Difference,
    drawing: Drawing,
    figures: OnceCell<Figures>,
}

enum Drawing {
    Look,
    Scale,
    Bar(BarStyle),
    Icons(IconStyle),
}

/// What the two halves of a bar's rule say.
struct BarStyle {
    gradient: bool,
    border: Option<Rgb>,
    negative: Option<Rgb>,
    negative_border: Option<Rgb>,
    axis: Axis,
    axis_color: Rgb,
    shortest: f64,
    longest: f64,
    from_right: bool,
    shows_value: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    /// Bars of the first version know no negative values.
    Unknown,
    Automatic,
    Middle,
    None,
}

struct IconStyle {
    set: String,
    reverse: bool,
    shows_value: bool,
    /// Whether a value at the threshold belongs to the icon above it.
    inclusive: Vec<bool>,
    /// Icons of other sets, if the rule mixes them; `None` shows no icon there.
    mixed: Vec<Option<Icon>>,
}

/// Formulas of rules, answered from the workbook's values.
pub(crate) struct Formulas<'a> {
    sheet: SheetView<'a>,
    clock: Clock,
    model: OnceCell<Result<Model, Refusal>>,
}

impl Formulas<'_> {
    /// A formula that stands for the cell `base`, asked for the cell `at`.
    fn value(&self, text: &str, base: CellRef, at: CellRef) -> Result<Value, Refusal> {
        let body = text.trim().strip_prefix('=').unwrap_or(text.trim());
        if let Ok(number) = body.parse::<f64>() {
            return Ok(Value::Number(number));
        }
        let quoted = body.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if let Some(text) = quoted.filter(|text| !text.contains('"')) {
            return Ok(Value::from(text));
        }
        let model =
            self.model.get_or_init(|| Model::build(self.sheet.book)).as_ref().map_err(Clone::clone)?;
        let parsed = formula::parse(body).map_err(|error| {
            Refusal::invalid("rule", format!("`={body}`"), format!("a formula ({error})"))
        })?;
        let cell = |at: CellRef| -> FormulaCell { place(self.sheet.position, at) };
        let evaluator = Evaluator::new(model.engine.book(), &model.grid, self.clock);
        match evaluator.evaluate(&parsed.expr, cell(base), cell(at), Mode::Array) {
            Outcome::Value(value) => Ok(value),
            Outcome::Array(array) => Ok(array.row_values(0).first().cloned().unwrap_or(Value::Blank)),
            Outcome::Unanswerable(why) => {
                Err(Refusal::Unsupported { what: format!("={body} ({why})"), instead: None })
            }
        }
    }
}

impl<'a> Rules<'a> {
    pub(crate) fn new(
        sheet: SheetView<'a>,
        area: Area,
        styles: Option<&Styles>,
        palette: &Palette,
        cx: &Context,
    ) -> Rules<'a> {
        let root = sheet.root();
        let mut rules = Vec::new();
        let mut later: BTreeMap<String, Node<'_>> = BTreeMap::new();
        let blocks: Vec<(Vec<Area>, Node<'_>)> =
            extension::items(root, "conditionalFormattings", "conditionalFormatting")
                .flat_map(|block| {
                    let areas = extension::areas(&block);
                    let found: Vec<_> = block.elements().filter(|node| node.is(X14, "cfRule")).collect();
                    found.into_iter().map(move |node| (areas.clone(), node))
                })
                .collect();
        for (_, node) in &blocks {
            if let Some(id) = string(node, "id") {
                later.insert(id.to_ascii_uppercase(), *node);
            }
        }
        for block in root.elements().filter(|node| node.is(ns::S, "conditionalFormatting")) {
            let areas = crate::file::a1::read_areas(&string(&block, "sqref").or_empty());
            for node in block.elements().filter(|node| node.is(ns::S, "cfRule")) {
                let second = node.descendants().find(|node| node.is(X14, "id"));
                let second = second.and_then(|id| later.get(&id.text().trim().to_ascii_uppercase()).copied());
                rules.push(Rule::read(&node, second, areas.clone(), ns::S, styles, palette));
            }
        }
        for (areas, node) in blocks {
            // A bar of the first version has its finer points here, and no priority.
            if string(&node, "priority").is_some() {
                rules.push(Rule::read(&node, None, areas, X14, styles, palette));
            }
        }
        rules.retain(|rule| rule.format.areas.iter().any(|one| one.intersects(&area)));
        rules.sort_by_key(|rule| rule.format.priority);
        let formulas = Formulas { sheet, clock: clock(sheet.book, cx), model: OnceCell::new() };
        Rules { rules, formulas, undecided: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What becomes of a cell.
    pub(crate) fn effect(&mut self, at: CellRef, value: &Value, palette: &Palette) -> Effect {
        let mut effect = Effect::default();
        let mut failed = Vec::new();
        for (index, rule) in self.rules.iter().enumerate() {
            if !rule.format.areas.iter().any(|area| area.contains(at)) {
                continue;
            }
            match rule.applies(at, value, &self.formulas) {
                Ok(false) => continue,
                Ok(true) => {}
                Err(why) => {
                    failed.push((index, why));
                    continue;
                }
            }
            rule.draw(value, palette, &self.formulas, &mut effect);
            if rule.format.stop_if_true {
                break;
            }
        }
        for (index, why) in failed.into_iter().rev() {
            let rule = self.rules.remove(index);
            let areas: Vec<String> = rule.format.areas.iter().take(3).map(ToString::to_string).collect();
            self.undecided.push(format!(
                "the conditional format `{}` of {} could not be decided: {why}",
                rule.format.kind,
                areas.join(" ")
            ));
        }
        effect
    }
}

impl Rule {
    fn read(
        node: &Node<'_>,
        second: Option<Node<'_>>,
        areas: Vec<Area>,
        space: &str,
        styles: Option<&Styles>,
        palette: &Palette,
    ) -> Rule {
        let mut format = conditional::read(node, areas, space);
        let own = node.child(X14, "dxf");
        let listed = format.format.and_then(|id| styles?.node(&styles?.differentials, id));
        let difference = own.or(listed).map(|dxf| Difference::read(&dxf, palette)).unwrap_or_default();
        let drawing = match format.kind.as_str() {
            "colorScale" => Drawing::Scale,
            "dataBar" => {
                let finer = if space == X14 { node.child(X14, "dataBar") } else { None };
                let finer = finer.or_else(|| second.and_then(|node| node.child(X14, "dataBar")));
                if let Some(second) = second {
                    let points = conditional::read(&second, Vec::new(), X14).points;
                    if points.len() == 2 {
                        format.points = points;
                    }
                }
                Drawing::Bar(BarStyle::read(node.child(ns::S, "dataBar"), finer, palette))
            }
            "iconSet" => {
                let shape = node.child(space, "iconSet");
                Drawing::Icons(IconStyle::read(shape, space, format.icons.as_deref()))
            }
            _ => Drawing::Look,
        };
        Rule { format, difference, drawing, figures: OnceCell::new() }
    }

    fn figures(&self, formulas: &Formulas<'_>) -> &Figures {
        self.figures.get_or_init(|| Figures::of(&formulas.sheet, &self.format.areas))
    }

    fn draw(&self, value: &Value, palette: &Palette, formulas: &Formulas<'_>, effect: &mut Effect) {
        let base = self.base();
        let point = |index: usize| {
            let point = self.format.points.get(index)?;
            self.figures(formulas).point(point, &|text| formulas.value(text, base, base).ok())
        };
        match (&self.drawing, value) {
            (Drawing::Look, _) => effect.difference.complete(&self.difference),
            (Drawing::Scale, Value::Number(number)) => {
                let places: Vec<Option<f64>> = (0..self.format.points.len()).map(point).collect();
                let colors: Vec<Option<Rgb>> =
                    self.format.colors.iter().map(|color| palette.color(color)).collect();
                if let Some(color) = on_scale(*number, &places, &colors)
                    && effect.difference.fill.is_none()
                {
                    effect.difference.fill = Some(LookFill::Solid(color));
                }
            }
            (Drawing::Bar(style), Value::Number(number)) if effect.bar.is_none() => {
                effect.hides_value |= !style.shows_value;
                let color = self.format.colors.first().and_then(|color| palette.color(color));
                if let (Some(low), Some(high)) = (point(0), point(1)) {
                    effect.bar = style.bar(*number, low, high, color.unwrap_or(Rgb(0x63, 0x8E, 0xC6)));
                }
            }
            (Drawing::Icons(style), Value::Number(number)) if effect.icon.is_none() => {
                effect.hides_value |= !style.shows_value;
                let places: Vec<Option<f64>> = (0..self.format.points.len()).map(point).collect();
                effect.icon = style.icon(*number, &places);
            }
            _ => {}
        }
    }

    /// The cell that formulas of the rule are written for.
    fn base(&self) -> CellRef {
        self.format.areas.first().map_or(CellRef::new(0, 0), Area::first)
    }
}

/// The colour of a number between the points of a scale.
fn on_scale(number: f64, places: &[Option<f64>], colors: &[Option<Rgb>]) -> Option<Rgb> {
    let points: Vec<(f64, Rgb)> =
        places.iter().zip(colors).filter_map(|(place, color)| Some(((*place)?, (*color)?))).collect();
    let (first, last) = (points.first()?, points.last()?);
    if number <= first.0 {
        return Some(first.1);
    }
    for pair in points.windows(2) {
        let [(low, from), (high, to)] = pair else { continue };
        if number <= *high {
            let part = if high > low { (number - low) / (high - low) } else { 1.0 };
            return Some(from.toward(*to, part));
        }
    }
    Some(last.1)
}

impl BarStyle {
    fn read(first: Option<Node<'_>>, finer: Option<Node<'_>>, palette: &Palette) -> BarStyle {
        let old = first.as_ref();
        let length = |name: &str, plain: f64, fine: f64| {
            let found = finer.as_ref().or(old).and_then(|node| number(node, name)).map(f64::from);
            found.unwrap_or(if finer.is_some() { fine } else { plain }).clamp(0.0, 100.0) / 100.0
        };
        let color = |name: &str| {
            let node = finer.as_ref()?.child(X14, name)?;
            styles::color(&node).and_then(|color| palette.color(&color))
        };
        let on = |name: &str, default| finer.as_ref().is_some_and(|node| flag(node, name, default));
        BarStyle {
            gradient: finer.as_ref().is_none_or(|node| flag(node, "gradient", true)),
            border: color("borderColor").filter(|_| on("border", false)),
            negative: match on("negativeBarColorSameAsPositive", false) {
                true => None,
                false => color("negativeFillColor"),
            },
            negative_border: match on("negativeBarBorderColorSameAsPositive", true) {
                true => None,
                false => color("negativeBorderColor"),
            },
            axis: match finer.as_ref().map(|node| string(node, "axisPosition")) {
                None => Axis::Unknown,
                Some(None) => Axis::Automatic,
                Some(Some(place)) => match place.as_str() {
                    "middle" => Axis::Middle,
                    "none" => Axis::None,
                    _ => Axis::Automatic,
                },
            },
            axis_color: color("axisColor").unwrap_or(Rgb::BLACK),
            shortest: length("minLength", 10.0, 0.0),
            longest: length("maxLength", 90.0, 100.0),
            from_right: finer
                .as_ref()
                .and_then(|node| string(node, "direction"))
                .is_some_and(|direction| direction == "rightToLeft"),
            // Excel says it of the first version alone, and other programs of the finer one.
            shows_value: [old, finer.as_ref()]
                .into_iter()
                .flatten()
                .all(|node| flag(node, "showValue", true)),
        }
    }

    fn bar(&self, number: f64, low: f64, high: f64, color: Rgb) -> Option<Bar> {
        if !low.is_finite() || !high.is_finite() || high < low {
            return None;
        }
        let spread = high - low;
        let clamped = number.clamp(low, high);
        let signed = !matches!(self.axis, Axis::Unknown | Axis::None) && low < 0.0;
        let zero = match (signed, self.axis) {
            (true, Axis::Middle) => 0.5,
            (true, _) if high <= 0.0 => 1.0,
            (true, _) => -low / spread,
            _ => 0.0,
        };
        let (from, to) = if signed {
            let part = match (self.axis, clamped < 0.0) {
                (Axis::Middle, _) => clamped / low.abs().max(high.abs()) * 0.5,
                (_, true) => clamped / low.abs() * zero,
                (_, false) if high > 0.0 => clamped / high * (1.0 - zero),
                _ => 0.0,
            };
            (zero.min(zero + part), zero.max(zero + part))
        } else {
            let part = if spread > 0.0 { (clamped - low) / spread } else { 1.0 };
            (0.0, self.shortest + part * (self.longest - self.shortest))
        };
        let below = signed && number < 0.0;
        let (from, to, zero) =
            if self.from_right { (1.0 - to, 1.0 - from, 1.0 - zero) } else { (from, to, zero) };
        Some(Bar {
            from,
            to,
            color: self.negative.filter(|_| below).unwrap_or(color),
            gradient: self.gradient,
            border: self.negative_border.filter(|_| below && self.border.is_some()).or(self.border),
            axis: signed.then_some((zero, self.axis_color)),
        })
    }
}

impl IconStyle {
    fn read(shape: Option<Node<'_>>, space: &str, set: Option<&str>) -> IconStyle {
        let set = set.unwrap_or("3TrafficLights1").to_owned();
        let Some(node) = shape else {
            return IconStyle {
                set,
                reverse: false,
                shows_value: true,
                inclusive: Vec::new(),
                mixed: Vec::new(),
            };
        };
        let points = node.elements().filter(|node| node.is(space, "cfvo"));
        let icons = node.elements().filter(|node| node.is(X14, "cfIcon")).map(|icon| {
            let set = string(&icon, "iconSet").filter(|set| set != "NoIcons")?;
            Some(Icon { set, index: number(&icon, "iconId").unwrap_or(0) as usize })
        });
        IconStyle {
            set,
            reverse: flag(&node, "reverse", false),
            shows_value: flag(&node, "showValue", true),
            inclusive: points.map(|node| flag(&node, "gte", true)).collect(),
            mixed: icons.collect(),
        }
    }

    fn icon(&self, number: f64, places: &[Option<f64>]) -> Option<Icon> {
        let mut index = 0;
        for (at, place) in places.iter().enumerate().skip(1) {
            let place = (*place)?;
            let inclusive = self.inclusive.get(at).copied().unwrap_or(true);
            if number > place || inclusive && number >= place {
                index = at;
            }
        }
        if !self.mixed.is_empty() {
            return self.mixed.get(index).cloned().flatten();
        }
        let index = if self.reverse { places.len().saturating_sub(1).saturating_sub(index) } else { index };
        Some(Icon { set: self.set.clone(), index })
    }
}
