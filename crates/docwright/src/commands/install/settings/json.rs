//! An entry put into or taken out of an object in JSON with comments, by splices.
//!
//! A new entry goes in front of the first one, where neither a trailing comma nor somebody's comment behind the last
//! entry is in the way; taken out, it leaves the bytes around it as they were.

use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{Object, ObjectProp, Value},
    common::Ranged as _,
    parse_to_ast,
};

/// The fields of an entry, in the order in which they are written.
pub(super) type Fields = Vec<(&'static str, serde_json::Value)>;

/// The settings with an object of these fields called `name` in the object called `key`.
pub(super) fn with(text: &str, key: &str, name: &str, fields: &Fields) -> Result<String, String> {
    if text.trim().is_empty() {
        return with("{}\n", key, name, fields);
    }
    let parsed = parse(text)?;
    let root = object(parsed.as_ref()).ok_or("it is not an object")?;
    let layout = Layout::of(text, root);
    let Some(servers) = property(root, key) else {
        let (place, space) = layout.place(root);
        let inner = space.deeper(&layout);
        let entry = format!("{}: {}", quoted(name), written(fields, &inner));
        let servers = format!("{}: {{{}{entry}{}}}", quoted(key), inner.before(), space.before());
        return Ok(layout.insert(place, &servers, &space, root));
    };
    let servers = object(Some(&servers.value)).ok_or_else(|| format!("`{key}` is not an object there"))?;
    if let Some(entry) = property(servers, name) {
        let space = layout.space_of(entry.range.start, servers);
        let range = entry.value.start()..entry.value.end();
        let fields = written(fields, &space);
        return Ok(spliced(text, range, &fields));
    }
    let (place, space) = layout.place(servers);
    let entry = format!("{}: {}", quoted(name), written(fields, &space));
    Ok(layout.insert(place, &entry, &space, servers))
}

/// The settings without it, and without the object that held it if nothing else is in there; nothing if it is not there.
pub(super) fn without(text: &str, key: &str, name: &str) -> Result<Option<String>, String> {
    let parsed = parse(text)?;
    let Some(root) = object(parsed.as_ref()) else { return Ok(None) };
    let Some(holder) = property(root, key) else { return Ok(None) };
    let Some(servers) = object(Some(&holder.value)) else { return Ok(None) };
    let Some(entry) = property(servers, name) else { return Ok(None) };
    let inside = servers.range.start + 1..servers.range.end - 1;
    let alone = [inside.start..entry.range.start, entry.range.end..inside.end].into_iter().all(|around| {
        text.get(around).is_some_and(|around| around.trim_matches([',', ' ', '\t', '\r', '\n']).is_empty())
    });
    let left = if alone { taken_out(text, root, holder) } else { taken_out(text, servers, entry) };
    Ok(Some(left))
}

fn parse(text: &str) -> Result<Option<Value<'_>>, String> {
    parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default())
        .map(|parsed| parsed.value)
        .map_err(|error| format!("it cannot be read: {error}"))
}

fn object<'a, 'text>(value: Option<&'a Value<'text>>) -> Option<&'a Object<'text>> {
    match value {
        Some(Value::Object(object)) => Some(object),
        _ => None,
    }
}

fn property<'a, 'text>(object: &'a Object<'text>, name: &str) -> Option<&'a ObjectProp<'text>> {
    object.properties.iter().find(|property| property.name.as_str() == name)
}

/// How the file breaks and indents its lines.
struct Layout<'a> {
    text: &'a str,
    line_end: &'static str,
    /// What one level is indented by.
    unit: String,
}

/// What stands in front of an entry: a line of its own, indented, or nothing in an object on one line.
#[derive(Clone)]
struct Space {
    line_end: &'static str,
    /// Nothing where everything is on one line.
    indent: Option<String>,
}

impl Space {
    fn before(&self) -> String {
        self.indent.as_ref().map_or(String::new(), |indent| format!("{}{indent}", self.line_end))
    }

    fn deeper(&self, layout: &Layout<'_>) -> Self {
        let indent = self.indent.as_ref().map(|indent| format!("{indent}{}", layout.unit));
        Self { line_end: self.line_end, indent }
    }
}

impl<'a> Layout<'a> {
    fn of(text: &'a str, root: &Object<'_>) -> Self {
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let first = root.properties.first().and_then(|first| indent_at(text, first.range.start));
        let unit = first.filter(|indent| !indent.is_empty()).unwrap_or("  ").to_owned();
        Self { text, line_end, unit }
    }

    /// Where a new first entry of an object begins.
    fn place(&self, object: &Object<'_>) -> (usize, Space) {
        let start = object.properties.first().map_or(object.range.start + 1, |first| first.range.start);
        (start, self.space_of(start, object))
    }

    fn space_of(&self, start: usize, object: &Object<'_>) -> Space {
        let indent = match object.properties.first() {
            Some(_) => indent_at(self.text, start).map(str::to_owned),
            None => Some(format!("{}{}", line_indent(self.text, object.range.start), self.unit)),
        };
        Space { line_end: self.line_end, indent }
    }

    fn insert(&self, place: usize, entry: &str, space: &Space, object: &Object<'_>) -> String {
        if object.properties.is_empty() {
            let inside = self.text.get(place..object.range.end - 1).unwrap_or(self.text);
            let ends_line = inside.trim_start_matches([' ', '\t']).starts_with(['\r', '\n']);
            let outer = line_indent(self.text, object.range.start);
            let after = if ends_line { String::new() } else { format!("{}{outer}", self.line_end) };
            return spliced(self.text, place..place, &format!("{}{entry}{after}", space.before()));
        }
        let between = if space.indent.is_some() { space.before() } else { " ".to_owned() };
        spliced(self.text, place..place, &format!("{entry},{between}"))
    }
}

/// An object of these fields, which begins at this indent.
fn written(fields: &Fields, space: &Space) -> String {
    let inner = space.indent.as_ref().map(|indent| format!("{}{indent}  ", space.line_end));
    let (before, after) = match &inner {
        Some(inner) => (inner.clone(), space.before()),
        None => (" ".to_owned(), " ".to_owned()),
    };
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{before}{}: {value}", quoted(name))).collect();
    format!("{{{}{after}}}", fields.join(","))
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

fn spliced(text: &str, range: std::ops::Range<usize>, with: &str) -> String {
    let mut text = text.to_owned();
    text.replace_range(range, with);
    text
}

/// The blanks in front of a place, if nothing else stands on its line before it.
fn indent_at(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let line = before.rfind('\n').map(|end| end + 1)?;
    before.get(line..).filter(|indent| indent.trim().is_empty())
}

/// The blanks that the line of a place begins with.
fn line_indent(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or(text);
    let line = before.get(before.rfind('\n').map_or(0, |end| end + 1)..).unwrap_or(before);
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..indent).unwrap_or(line)
}

fn taken_out(text: &str, object: &Object<'_>, property: &ObjectProp<'_>) -> String {
    let (start, end) = (property.range.start, property.range.end);
    let rest = &text[end..];
    if let Some(comma) = comma(rest) {
        // What follows moves up to where the entry stood.
        let behind = &rest[comma + 1..];
        let blank = behind.len() - behind.trim_start().len();
        let last = behind.trim_start().starts_with('}');
        return spliced(text, start..end + comma + 1 + if last { 0 } else { blank }, "");
    }
    let before = text.get(..start).unwrap_or(text);
    let earlier = object.properties.iter().rev().find(|other| other.range.end <= start);
    let kept = before.trim_end().len();
    let Some(earlier) = earlier else {
        // It was alone: an object that was opened for it closes on the same line again.
        let blank = rest.len() - rest.trim_start().len();
        let lonely = kept == object.range.start + 1 && rest.trim_start().starts_with('}');
        return if lonely { spliced(text, kept..end + blank, "") } else { spliced(text, start..end, "") };
    };
    // A line comment in front must not swallow what stands behind the entry.
    let ends_line = rest.trim_start_matches([' ', '\t']).starts_with(['\r', '\n']);
    let joins = ends_line || !before.get(kept..).is_some_and(|blank| blank.contains('\n'));
    let text = spliced(text, if joins { kept } else { start }..end, "");
    match comma(&text[earlier.range.end..]) {
        Some(comma) => spliced(&text, earlier.range.end + comma..earlier.range.end + comma + 1, ""),
        None => text,
    }
}

/// Where the comma behind an entry is, over blanks and comments.
fn comma(rest: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let left = rest.get(at..)?;
        let trimmed = left.trim_start();
        at += left.len() - trimmed.len();
        if trimmed.starts_with(',') {
            return Some(at);
        }
        let (closes, length) = match trimmed.get(..2) {
            Some("//") => ("\n", 1),
            Some("/*") => ("*/", 2),
            _ => return None,
        };
        at += trimmed.find(closes)? + length;
    }
}
