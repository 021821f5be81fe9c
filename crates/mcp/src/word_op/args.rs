//! Arguments of one operation, taken out one by one; what is left in the end was a mistake.

use serde_json::{Map, Value};
use workspace::word::op::{Color, Highlight, Location, Scope, TableRef};

use super::Failure;
use workspace::nearest;

pub(super) struct Args {
    /// Where they stand, for messages: nothing, or `char.`.
    path: &'static str,
    values: Map<String, Value>,
    asked: Vec<&'static str>,
    missing: Vec<&'static str>,
}

type Given<T> = Result<Option<T>, Failure>;

impl Args {
    pub(super) fn new(path: &'static str, mut values: Map<String, Value>) -> Self {
        // Many clients send null for what they leave out.
        values.retain(|_, value| !value.is_null());
        Self { path, values, asked: Vec::new(), missing: Vec::new() }
    }

    /// What was given, or for now the stand-in: all that is missing is told at once, in the end.
    pub(super) fn required<T>(&mut self, name: &'static str, given: Option<T>, stand_in: T) -> T {
        given.unwrap_or_else(|| {
            self.missing.push(name);
            stand_in
        })
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.asked.push(name);
        self.values.remove(name)
    }

    fn wrong(&self, name: &str, found: &Value, expected: &str) -> Failure {
        let shown = workspace::excerpt(&found.to_string(), 60);
        Failure::invalid(format!("{}{name} must be {expected}, found {shown}", self.path))
    }

    pub(super) fn text(&mut self, name: &'static str) -> Given<String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, &other, "a string")),
        }
    }

    pub(super) fn required_text(&mut self, name: &'static str) -> Result<String, Failure> {
        let given = self.text(name)?;
        Ok(self.required(name, given, String::new()))
    }

    pub(super) fn flag(&mut self, name: &'static str) -> Given<bool> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(self.wrong(name, &other, "true or false")),
        }
    }

    pub(super) fn count(&mut self, name: &'static str) -> Given<usize> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => match whole(&value) {
                Some(number) => Ok(Some(number)),
                None => Err(self.wrong(name, &value, "a whole number from 0")),
            },
        }
    }

    pub(super) fn required_count(&mut self, name: &'static str) -> Result<usize, Failure> {
        let given = self.count(name)?;
        Ok(self.required(name, given, 0))
    }

    /// A number of points, bare or with a unit.
    pub(super) fn points(&mut self, name: &'static str) -> Given<f64> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => {
                let number = match &value {
                    Value::String(text) => length(text),
                    other => other.as_f64(),
                };
                match number.filter(|number| number.is_finite()) {
                    Some(number) => Ok(Some(number)),
                    None => Err(self.wrong(name, &value, "a number of points")),
                }
            }
        }
    }

    /// One of some words, whatever their letter case.
    pub(super) fn choice<T: Copy>(&mut self, name: &'static str, choices: &[(&'static str, T)]) -> Given<T> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let found =
            value.as_str().and_then(|text| choices.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)));
        match found {
            Some((_, chosen)) => Ok(Some(*chosen)),
            None => {
                let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
                Err(self.wrong(name, &value, &format!("one of {}", words.join(", "))))
            }
        }
    }

    pub(super) fn object(&mut self, name: &'static str) -> Given<Map<String, Value>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(other) => Err(self.wrong(name, &other, "an object")),
        }
    }

    pub(super) fn value(&mut self, name: &'static str) -> Option<Value> {
        self.take(name)
    }

    pub(super) fn numbers(&mut self, name: &'static str) -> Result<Vec<usize>, Failure> {
        let given = self.take(name);
        let value = self.required(name, given, Value::Array(Vec::new()));
        let list = match &value {
            Value::Array(list) => list.iter().map(whole).collect::<Option<Vec<usize>>>(),
            one => whole(one).map(|one| vec![one]),
        };
        list.ok_or_else(|| self.wrong(name, &value, "a list of whole numbers from 0"))
    }

    pub(super) fn rows(&mut self, name: &'static str) -> Result<Vec<Vec<String>>, Failure> {
        let Some(value) = self.take(name) else { return Ok(Vec::new()) };
        let cell = |cell: &Value| match cell {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Null => Some(String::new()),
            _ => None,
        };
        let rows = value.as_array().and_then(|rows| {
            rows.iter()
                .map(|row| row.as_array()?.iter().map(cell).collect())
                .collect::<Option<Vec<Vec<String>>>>()
        });
        rows.ok_or_else(|| self.wrong(name, &value, "rows of cells: [[\"a\",\"b\"],[\"c\",\"d\"]]"))
    }

    pub(super) fn scope(&mut self, name: &'static str) -> Given<Scope> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let scope = value.as_str().map(str::trim).and_then(|text| match text.to_ascii_lowercase().as_str() {
            "document" | "body" => Some(Scope::Document),
            "selection" | "cursor" => Some(Scope::Selection),
            _ if is_id(text) => Some(Scope::Range(text.to_owned())),
            _ => {
                let (kind, named) = text.split_once(':')?;
                let named = Some(named.trim().to_owned()).filter(|named| !named.is_empty())?;
                match kind {
                    "rangeId" => Some(Scope::Range(named)),
                    "tableId" => Some(Scope::Table(named)),
                    "text" => Some(Scope::Found(named)),
                    "first" => Some(Scope::First(named)),
                    "paragraph" => Some(Scope::Paragraph(named)),
                    _ => None,
                }
            }
        });
        let expected = "document, selection, rangeId:<id>, tableId:<id>, text:<text that stands in one place>, \
                        first:<text> or paragraph:<its whole text>";
        scope.map(Some).ok_or_else(|| self.wrong(name, &value, expected))
    }

    /// `location`, also under its other name.
    pub(super) fn location(&mut self) -> Given<Location> {
        const WORDS: &[(&str, Location)] = &[
            ("start", Location::Start),
            ("end", Location::End),
            ("before", Location::Before),
            ("after", Location::After),
            ("replace", Location::Replace),
            ("append", Location::End),
            ("prepend", Location::Start),
            ("insert", Location::Replace),
        ];
        let (named, aliased) = (self.choice("location", WORDS)?, self.choice("where", WORDS)?);
        match (named, aliased) {
            (Some(one), Some(other)) if one != other => {
                Err(Failure::invalid("location and its alias where say different things"))
            }
            (one, other) => Ok(one.or(other)),
        }
    }

    pub(super) fn table(&mut self) -> Result<TableRef, Failure> {
        let given = self.take("tableRef");
        let value = self.required("tableRef", given, Value::from("current"));
        let number = value.as_str().and_then(|text| text.trim().parse().ok());
        if let Some(number) = whole(&value).or(number) {
            return Ok(TableRef::Nth(number));
        }
        let table = value.as_str().map(str::trim).and_then(|text| {
            let id = |prefix: &str| text.strip_prefix(prefix).map(str::trim).filter(|id| !id.is_empty());
            let table = id("tableId:").map(|id| TableRef::Table(id.to_owned()));
            table
                .or_else(|| id("rangeId:").map(|id| TableRef::Range(id.to_owned())))
                .or_else(|| (text == "current").then_some(TableRef::Current))
                .or_else(|| text.starts_with("jr_para_").then(|| TableRef::Range(text.to_owned())))
                .or_else(|| is_id(text).then(|| TableRef::Table(text.to_owned())))
        });
        let expected = "tableId:<id>, rangeId:<id>, current, or the number of a table from 0";
        table.ok_or_else(|| self.wrong("tableRef", &value, expected))
    }

    pub(super) fn color(&mut self, name: &'static str) -> Given<Color> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let color = value.as_str().and_then(color);
        color.map(Some).ok_or_else(|| self.wrong(name, &value, "a colour such as #RRGGBB or rgba(r,g,b,a)"))
    }

    pub(super) fn highlight(&mut self, name: &'static str) -> Given<Highlight> {
        let none = |value: &Value| {
            value
                .as_str()
                .is_some_and(|text| matches!(text.to_ascii_lowercase().as_str(), "none" | "transparent" | ""))
        };
        if self.values.get(name).is_some_and(none) {
            self.take(name);
            return Ok(Some(Highlight::None));
        }
        Ok(self.color(name)?.map(Highlight::Color))
    }

    /// Refuses what nobody asked about.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let path = self.path;
        let mut messages: Vec<String> =
            self.missing.iter().map(|name| format!("{path}{name} required")).collect();
        for unknown in self.values.keys() {
            let mut message = format!("{path}{unknown} is not an argument");
            // Who left one out and misspelled another most likely means the same one.
            let missing = nearest(unknown, self.missing.iter().copied());
            if let Some(near) = missing.or_else(|| nearest(unknown, self.asked.iter().copied())) {
                message.push_str(&format!("; did you mean {path}{near}?"));
            } else if self.asked.is_empty() {
                message.push_str("; there are none");
            } else {
                message.push_str(&format!("; valid: {}", self.asked.join(", ")));
            }
            messages.push(message);
        }
        match messages.is_empty() {
            true => Ok(()),
            false => Err(Failure { code: "E_INVALID_ARG", messages }),
        }
    }
}

/// An id that says itself what it is one of.
fn is_id(text: &str) -> bool {
    ["rng_", "jr_para_", "_bk_", "tbl_"].iter().any(|kind| text.starts_with(kind)) && !text.contains(' ')
}

fn whole(value: &Value) -> Option<usize> {
    let number = value.as_u64().or_else(|| {
        let number =
            value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..9.0e15).contains(number))?;
        Some(number as u64)
    });
    number.and_then(|number| usize::try_from(number).ok())
}

/// Points of a length with a unit.
fn length(text: &str) -> Option<f64> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.trim().parse().ok()?;
    let points = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "pt" => 1.0,
        "in" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 72.0 / 25.4,
        "px" => 0.75,
        _ => return None,
    };
    Some(number * points)
}

fn color(text: &str) -> Option<Color> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix('#') {
        let digit = |at: usize, length: usize| u8::from_str_radix(digits.get(at..at + length)?, 16).ok();
        if !digits.is_ascii() || digits.starts_with('+') {
            return None;
        }
        return match digits.len() {
            6 => Some(Color::rgb(digit(0, 2)?, digit(2, 2)?, digit(4, 2)?)),
            3 => Some(Color::rgb(digit(0, 1)? * 17, digit(1, 1)? * 17, digit(2, 1)? * 17)),
            _ => None,
        };
    }
    let lower = text.to_ascii_lowercase();
    if let Some(inner) = lower.strip_prefix("rgba(").or_else(|| lower.strip_prefix("rgb(")) {
        let parts: Vec<f64> = inner
            .strip_suffix(')')?
            .split(',')
            .map(|part| part.trim().parse().ok())
            .collect::<Option<_>>()?;
        let (rgb, alpha) = match parts.as_slice() {
            [r, g, b] => ([*r, *g, *b], 1.0),
            [r, g, b, a] if lower.starts_with("rgba") => ([*r, *g, *b], *a),
            _ => return None,
        };
        if rgb.iter().any(|part| !(0.0..=255.0).contains(part)) || !(0.0..=1.0).contains(&alpha) {
            return None;
        }
        // Word knows no transparency of text, so the paper shines through here.
        let mixed = rgb.map(|part| (part * alpha + 255.0 * (1.0 - alpha)).round() as u8);
        return Some(Color::rgb(mixed[0], mixed[1], mixed[2]));
    }
    const NAMES: [(&str, u32); 20] = [
        ("black", 0x000000),
        ("white", 0xFFFFFF),
        ("red", 0xFF0000),
        ("green", 0x008000),
        ("lime", 0x00FF00),
        ("blue", 0x0000FF),
        ("yellow", 0xFFFF00),
        ("cyan", 0x00FFFF),
        ("magenta", 0xFF00FF),
        ("gray", 0x808080),
        ("grey", 0x808080),
        ("darkgray", 0xA9A9A9),
        ("lightgray", 0xC0C0C0),
        ("orange", 0xFFA500),
        ("purple", 0x800080),
        ("brown", 0xA52A2A),
        ("pink", 0xFFC0CB),
        ("navy", 0x000080),
        ("teal", 0x008080),
        ("maroon", 0x800000),
    ];
    let (_, value) = NAMES.iter().find(|(name, _)| *name == lower)?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some(Color::rgb(red, green, blue))
}
