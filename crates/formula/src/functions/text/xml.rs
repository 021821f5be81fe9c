//! `FILTERXML`: texts and attributes of a small document by a path.
//!
//! Paths are those that people use to cut lists: steps, `//`, `*`, `@name`, `text()`, and conditions on positions,
//! values, `contains`, `starts-with`, `string-length`, `not`, `and` and `or`. A path beyond that is not answered. There
//! are no entities but the five of XML and characters by number, so nothing can grow.

use crate::coerce;
use crate::eval::args::{Args, array, fail, value};
use crate::eval::{Answer, Stop};
use crate::value::{Array, ErrorKind, Value};

/// Elements inside one another.
const MAX_DEPTH: usize = 64;

#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<usize>,
    /// Own texts, and with those of children, in order.
    text: String,
    whole: String,
}

#[derive(Debug)]
struct Document {
    elements: Vec<Element>,
}

pub(super) fn filter_xml(a: &Args<'_>) -> Answer {
    let (source, path) = (a.text(0)?, a.text(1)?);
    let Some(document) = Document::parse(&source) else { return fail(ErrorKind::Value) };
    let Some(steps) = steps(&path) else {
        return Err(Stop::Unanswerable("FILTERXML with a path of this kind".into()));
    };
    a.cx.charge(source.len() + document.elements.len() * steps.len())?;
    let found = document.select(a, &steps)?;
    let values: Vec<Value> = found
        .into_iter()
        .map(|text| match coerce::text_to_number(text.trim(), a.cx.region()) {
            Some(number) => Value::Number(number),
            None => Value::from(text),
        })
        .collect();
    match values.as_slice() {
        [] => fail(ErrorKind::Value),
        [only] => value(only.clone()),
        _ => array(Array::column(values)),
    }
}

impl Document {
    /// The document, if it is well formed. The first element is the document itself.
    fn parse(source: &str) -> Option<Document> {
        let mut document = Document { elements: vec![Element::default()] };
        let mut open = vec![0usize];
        let mut rest = source.trim();
        while !rest.is_empty() {
            let Some(markup) = rest.strip_prefix('<') else {
                let end = rest.find('<').unwrap_or(rest.len());
                let text = unescaped(rest.get(..end)?)?;
                if open.len() == 1 && !text.trim().is_empty() {
                    return None;
                }
                document.add_text(&open, &text);
                rest = rest.get(end..)?;
                continue;
            };
            if let Some(after) = markup.strip_prefix("!--") {
                rest = after.split_once("-->")?.1;
            } else if let Some(after) = markup.strip_prefix("![CDATA[") {
                let (text, after) = after.split_once("]]>")?;
                document.add_text(&open, text);
                rest = after;
            } else if let Some(after) = markup.strip_prefix('?') {
                rest = after.split_once("?>")?.1;
            } else if let Some(after) = markup.strip_prefix('/') {
                let (name, after) = after.split_once('>')?;
                let closed = open.pop().filter(|_| !open.is_empty())?;
                if document.elements.get(closed)?.name != name.trim() {
                    return None;
                }
                rest = after;
            } else {
                rest = document.open(markup, &mut open)?;
            }
        }
        // One element, closed, and nothing besides.
        (open.len() == 1 && document.elements.first()?.children.len() == 1).then_some(document)
    }

    fn add_text(&mut self, open: &[usize], text: &str) {
        if let Some(element) = open.last().and_then(|at| self.elements.get_mut(*at)) {
            element.text.push_str(text);
        }
        for at in open {
            if let Some(element) = self.elements.get_mut(*at) {
                element.whole.push_str(text);
            }
        }
    }

    /// Reads a tag from behind its `<`; answers what follows it.
    fn open<'a>(&mut self, markup: &'a str, open: &mut Vec<usize>) -> Option<&'a str> {
        let end = markup.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))?;
        let name = markup.get(..end)?;
        if name.is_empty() || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return None;
        }
        let mut element = Element { name: name.to_owned(), ..Element::default() };
        let mut rest = markup.get(end..)?.trim_start();
        let closed = loop {
            if let Some(after) = rest.strip_prefix("/>") {
                rest = after;
                break true;
            }
            if let Some(after) = rest.strip_prefix('>') {
                rest = after;
                break false;
            }
            let (key, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (text, after) = after.get(1..)?.split_once(quote)?;
            element.attributes.push((key.trim().to_owned(), unescaped(text)?));
            rest = after.trim_start();
        };
        let at = self.elements.len();
        self.elements.push(element);
        self.elements.get_mut(*open.last()?)?.children.push(at);
        if !closed {
            open.push(at);
            if open.len() > MAX_DEPTH {
                return None;
            }
        }
        Some(rest)
    }

    fn select(&self, a: &Args<'_>, steps: &[Step]) -> Result<Vec<String>, Stop> {
        let mut here = vec![0usize];
        for (index, step) in steps.iter().enumerate() {
            let last = index + 1 == steps.len();
            match &step.test {
                Test::Attribute(name) if last => {
                    let mut from = here;
                    if step.anywhere {
                        from = from.iter().flat_map(|at| self.descendants(*at, true)).collect();
                    }
                    let found = from.iter().filter_map(|at| self.attribute(*at, name).map(str::to_owned));
                    return Ok(found.collect());
                }
                Test::Text if last => {
                    let texts = here.iter().filter_map(|at| self.elements.get(*at)).map(|e| e.text.clone());
                    return Ok(texts.filter(|text| !text.is_empty()).collect());
                }
                Test::Attribute(_) | Test::Text => return Ok(Vec::new()),
                Test::Name(name) => {
                    let mut next = Vec::new();
                    for at in &here {
                        let parents = if step.anywhere { self.descendants(*at, true) } else { vec![*at] };
                        for parent in parents {
                            let children =
                                self.elements.get(parent).map_or(&[][..], |e| e.children.as_slice());
                            a.cx.charge(children.len() + 1)?;
                            let mut named: Vec<usize> = children
                                .iter()
                                .copied()
                                .filter(|at| {
                                    name == "*" || self.elements.get(*at).is_some_and(|e| e.name == *name)
                                })
                                .collect();
                            for condition in &step.conditions {
                                let size = named.len();
                                let mut kept = Vec::new();
                                for (place, at) in named.into_iter().enumerate() {
                                    if self.holds(condition, at, place + 1, size) {
                                        kept.push(at);
                                    }
                                }
                                named = kept;
                            }
                            next.extend(named);
                        }
                    }
                    next.sort_unstable();
                    next.dedup();
                    here = next;
                }
            }
        }
        Ok(here.iter().filter_map(|at| self.elements.get(*at)).map(|e| e.whole.clone()).collect())
    }

    fn descendants(&self, at: usize, own: bool) -> Vec<usize> {
        let mut found = if own { vec![at] } else { Vec::new() };
        let mut queue = vec![at];
        while let Some(at) = queue.pop() {
            for child in self.elements.get(at).map_or(&[][..], |e| e.children.as_slice()) {
                found.push(*child);
                queue.push(*child);
            }
        }
        found.sort_unstable();
        found
    }

    fn attribute(&self, at: usize, name: &str) -> Option<&str> {
        let attributes = &self.elements.get(at)?.attributes;
        attributes.iter().find(|(known, _)| name == "*" || known == name).map(|(_, text)| text.as_str())
    }

    fn holds(&self, condition: &Condition, at: usize, place: usize, size: usize) -> bool {
        match condition {
            Condition::Not(inner) => !self.holds(inner, at, place, size),
            Condition::And(a, b) => self.holds(a, at, place, size) && self.holds(b, at, place, size),
            Condition::Or(a, b) => self.holds(a, at, place, size) || self.holds(b, at, place, size),
            Condition::Contains(a, b) => {
                let (a, b) = (self.term(a, at, place, size), self.term(b, at, place, size));
                a.zip(b).is_some_and(|(a, b)| a.contains(&b))
            }
            Condition::Starts(a, b) => {
                let (a, b) = (self.term(a, at, place, size), self.term(b, at, place, size));
                a.zip(b).is_some_and(|(a, b)| a.starts_with(&b))
            }
            Condition::Is(Term::Number(number)) => place as f64 == *number,
            Condition::Is(Term::Last) => place == size,
            Condition::Is(term) => self
                .term(term, at, place, size)
                .is_some_and(|text| !matches!(term, Term::Length(_) | Term::Position) || text != "0"),
            Condition::Compare(a, symbol, b) => {
                let (Some(x), Some(y)) = (self.term(a, at, place, size), self.term(b, at, place, size))
                else {
                    return false;
                };
                let numbers = x.trim().parse::<f64>().ok().zip(y.trim().parse::<f64>().ok());
                match (symbol.as_str(), numbers) {
                    ("=", Some((x, y))) => x == y,
                    ("!=", Some((x, y))) => x != y,
                    ("=", None) => x == y,
                    ("!=", None) => x != y,
                    ("<", Some((x, y))) => x < y,
                    ("<=", Some((x, y))) => x <= y,
                    (">", Some((x, y))) => x > y,
                    (">=", Some((x, y))) => x >= y,
                    _ => false,
                }
            }
        }
    }

    fn term(&self, term: &Term, at: usize, place: usize, size: usize) -> Option<String> {
        Some(match term {
            Term::Number(number) => number.to_string(),
            Term::Literal(text) => text.clone(),
            Term::Position => place.to_string(),
            Term::Last => size.to_string(),
            Term::Own => self.elements.get(at)?.whole.clone(),
            Term::Attribute(name) => self.attribute(at, name)?.to_owned(),
            Term::Child(name) => {
                let children = &self.elements.get(at)?.children;
                let child =
                    children.iter().filter_map(|at| self.elements.get(*at)).find(|e| e.name == *name)?;
                child.whole.clone()
            }
            Term::Length(inner) => self.term(inner, at, place, size)?.chars().count().to_string(),
            Term::Times(inner, by) => {
                let number: f64 = self.term(inner, at, place, size)?.trim().parse().ok()?;
                (number * by).to_string()
            }
            Term::Remainder(inner, by) => {
                let number: f64 = self.term(inner, at, place, size)?.trim().parse().ok()?;
                (number % by).to_string()
            }
        })
    }
}

fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let (name, after) = after.split_once(';')?;
        match name {
            "lt" => out.push('<'),
            "gt" => out.push('>'),
            "amp" => out.push('&'),
            "quot" => out.push('"'),
            "apos" => out.push('\''),
            number => {
                let digits = number.strip_prefix('#')?;
                let code = match digits.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                    None => digits.parse().ok()?,
                };
                out.push(char::from_u32(code)?);
            }
        }
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

#[derive(Debug)]
struct Step {
    /// After `//`.
    anywhere: bool,
    test: Test,
    conditions: Vec<Condition>,
}

#[derive(Debug)]
enum Test {
    Name(String),
    Attribute(String),
    Text,
}

#[derive(Debug)]
enum Condition {
    Is(Term),
    Compare(Term, String, Term),
    Contains(Term, Term),
    Starts(Term, Term),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

#[derive(Debug)]
enum Term {
    Number(f64),
    Literal(String),
    Position,
    Last,
    Own,
    Attribute(String),
    Child(String),
    Length(Box<Term>),
    Times(Box<Term>, f64),
    Remainder(Box<Term>, f64),
}

/// The steps of a path, if it is one that we follow.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut reader = Reader { rest: path.trim(), depth: 0 };
    let mut steps = Vec::new();
    while !reader.rest.is_empty() {
        let anywhere = reader.take("//");
        if !anywhere && !reader.take("/") && !steps.is_empty() {
            return None;
        }
        reader.take("child::");
        let test = if reader.take("@") || reader.take("attribute::") {
            Test::Attribute(if reader.take("*") { "*".to_owned() } else { reader.name()? })
        } else if reader.take("text()") {
            Test::Text
        } else if reader.take("*") {
            Test::Name("*".to_owned())
        } else {
            Test::Name(reader.name()?)
        };
        let mut conditions = Vec::new();
        while reader.take("[") {
            conditions.push(reader.either()?);
            if !reader.take("]") {
                return None;
            }
        }
        steps.push(Step { anywhere, test, conditions });
    }
    (!steps.is_empty()).then_some(steps)
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, word: &str) -> bool {
        let trimmed = self.rest.trim_start();
        match trimmed.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn name(&mut self) -> Option<String> {
        let trimmed = self.rest.trim_start();
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
        let end = trimmed.find(|c| !fits(c)).unwrap_or(trimmed.len());
        let name =
            trimmed.get(..end).filter(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))?;
        self.rest = trimmed.get(end..)?;
        Some(name.to_owned())
    }

    fn either(&mut self) -> Option<Condition> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut left = self.both()?;
        while self.take("or ") {
            left = Condition::Or(Box::new(left), Box::new(self.both()?));
        }
        self.depth -= 1;
        Some(left)
    }

    fn both(&mut self) -> Option<Condition> {
        let mut left = self.condition()?;
        while self.take("and ") {
            left = Condition::And(Box::new(left), Box::new(self.condition()?));
        }
        Some(left)
    }

    fn condition(&mut self) -> Option<Condition> {
        if self.take("not(") {
            let inner = self.either()?;
            return self.take(")").then(|| Condition::Not(Box::new(inner)));
        }
        for (word, starts) in [("contains(", false), ("starts-with(", true)] {
            if self.take(word) {
                let first = self.term()?;
                let second = if self.take(",") { self.term()? } else { return None };
                if !self.take(")") {
                    return None;
                }
                return Some(match starts {
                    true => Condition::Starts(first, second),
                    false => Condition::Contains(first, second),
                });
            }
        }
        if self.take("(") {
            let inner = self.either()?;
            return self.take(")").then_some(inner);
        }
        let left = self.term()?;
        for symbol in ["!=", "<=", ">=", "=", "<", ">"] {
            if self.take(symbol) {
                return Some(Condition::Compare(left, symbol.to_owned(), self.term()?));
            }
        }
        Some(Condition::Is(left))
    }

    fn term(&mut self) -> Option<Term> {
        let mut left = self.plain_term()?;
        loop {
            if self.take("*") {
                left = Term::Times(Box::new(left), self.number()?);
            } else if self.take("mod ") {
                left = Term::Remainder(Box::new(left), self.number()?);
            } else {
                return Some(left);
            }
        }
    }

    fn number(&mut self) -> Option<f64> {
        let trimmed = self.rest.trim_start();
        let end =
            trimmed.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '-').unwrap_or(trimmed.len());
        let number = trimmed.get(..end)?.parse().ok()?;
        self.rest = trimmed.get(end..)?;
        Some(number)
    }

    fn plain_term(&mut self) -> Option<Term> {
        for quote in ['"', '\''] {
            if self.take(&quote.to_string()) {
                let (text, rest) = self.rest.split_once(quote)?;
                let term = Term::Literal(text.to_owned());
                self.rest = rest;
                return Some(term);
            }
        }
        if self.take("position()") {
            return Some(Term::Position);
        }
        if self.take("last()") {
            return Some(Term::Last);
        }
        if self.take("string-length(") {
            let inner = if self.rest.trim_start().starts_with(')') { Term::Own } else { self.term()? };
            return self.take(")").then(|| Term::Length(Box::new(inner)));
        }
        if self.take("text()") {
            return Some(Term::Own);
        }
        if self.take("@") {
            return Some(Term::Attribute(self.name()?));
        }
        if self.rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return self.number().map(Term::Number);
        }
        if self.take("./") {
            return if self.take("@") {
                self.name().map(Term::Attribute)
            } else {
                self.name().map(Term::Child)
            };
        }
        if self.take(".") {
            return Some(Term::Own);
        }
        let name = self.name()?;
        // A function that is not followed.
        if self.rest.starts_with('(') { None } else { Some(Term::Child(name)) }
    }
}
