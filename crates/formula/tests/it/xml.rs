//! Just enough XML to read a workbook: tags, attributes, text.

#[derive(Debug)]
pub(crate) enum Event<'a> {
    Start { name: &'a str, attributes: &'a str, empty: bool },
    End(&'a str),
    Text(&'a str),
}

pub(crate) struct Events<'a> {
    text: &'a str,
    at: usize,
}

pub(crate) fn events(text: &str) -> Events<'_> {
    Events { text, at: 0 }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            let rest = self.text.get(self.at..)?;
            if rest.is_empty() {
                return None;
            }
            if !rest.starts_with('<') {
                let end = rest.find('<').unwrap_or(rest.len());
                self.at += end;
                return Some(Event::Text(&rest[..end]));
            }
            if rest.starts_with("<!--") {
                self.at += rest.find("-->").map_or(rest.len(), |end| end + 3);
                continue;
            }
            if let Some(data) = rest.strip_prefix("<![CDATA[") {
                let end = data.find("]]>").unwrap_or(data.len());
                self.at += 9 + (end + 3).min(data.len());
                return Some(Event::Text(&data[..end]));
            }
            let end = rest.find('>').unwrap_or(rest.len() - 1);
            self.at += end + 1;
            let inner = &rest[1..end];
            if inner.starts_with('?') || inner.starts_with('!') {
                continue;
            }
            if let Some(name) = inner.strip_prefix('/') {
                return Some(Event::End(local(name.trim())));
            }
            let (inner, empty) = match inner.strip_suffix('/') {
                Some(inner) => (inner, true),
                None => (inner, false),
            };
            let split = inner.find(char::is_whitespace).unwrap_or(inner.len());
            return Some(Event::Start { name: local(&inner[..split]), attributes: &inner[split..], empty });
        }
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// An attribute by its local name.
pub(crate) fn attribute(attributes: &str, wanted: &str) -> Option<String> {
    let mut rest = attributes.trim_start();
    while let Some(equals) = rest.find('=') {
        let name = local(rest[..equals].trim());
        let value = rest[equals + 1..].trim_start();
        let quote = value.chars().next()?;
        let body = &value[1..];
        let end = body.find(quote)?;
        if name == wanted {
            return Some(unescape(&body[..end]));
        }
        rest = body[end + 1..].trim_start();
    }
    None
}

pub(crate) fn unescape(text: &str) -> String {
    if !text.contains('&') && !text.contains('\r') {
        return text.to_owned();
    }
    let text = text.replace("\r\n", "\n");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let Some(end) = rest[at..].find(';') else { break };
        let entity = &rest[at + 1..at + end];
        match entity {
            "lt" => out.push('<'),
            "gt" => out.push('>'),
            "amp" => out.push('&'),
            "quot" => out.push('"'),
            "apos" => out.push('\''),
            other => {
                let code = other
                    .strip_prefix("#x")
                    .and_then(|hex| u32::from_str_radix(hex, 16).ok())
                    .or_else(|| other.strip_prefix('#').and_then(|number| number.parse().ok()));
                out.extend(code.and_then(char::from_u32));
            }
        }
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    out
}
