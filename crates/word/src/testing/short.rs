//! WordprocessingML in short, for cases that people read.
//!
//! | short | markup |
//! |---|---|
//! | `p{pStyle=Title jc=left}: "a" "b"{b i u}` | a paragraph with its properties and two runs, the second bold, italic and underlined |
//! | `"a\tb\nc"` | tab and line break inside a run |
//! | `+Ann["x"]`, `-Ann["x"]` | inserted and deleted by Ann |
//! | `table{…}(1000 1000)` and lines `\| "a" \| {gridSpan=2} "b" / "c" \|` | a table with its grid; a cell with properties and two paragraphs |
//! | `<bookmarkStart id=1 name=x/>`, `<sdt>…</sdt>`, `~"PAGE"` | any other element, without the prefix `w:`; text in it |
//!
//! Ids and dates of tracked changes are left out, and `xml:space` where it says nothing. Everything else is kept, so
//! that what reads the same is the same.

use std::fmt::Write as _;

use edit::Blob;
use ooxml::xml::{Document, Kind, Node, XmlLimits, decode_text, escape_attribute, escape_text};

/// The properties that have a name of their own.
const SWITCHES: [(&str, &str); 3] = [("b", "<w:b/>"), ("i", "<w:i/>"), ("u", "<w:u w:val=\"single\"/>")];

/// What stands inside the root of a part, a line for each paragraph or row.
pub(crate) fn shortened(part: &str) -> String {
    let document = Document::parse(&Blob::from(part.to_owned()), &XmlLimits::default()).expect("well formed");
    let root = document.root();
    let top = root.elements().find(|child| child.qualified() == "w:body").unwrap_or(root);
    let mut lines = String::new();
    for child in top.elements() {
        block(&child, &mut lines);
    }
    lines
}

fn block(node: &Node<'_>, lines: &mut String) {
    match node.qualified() {
        "w:p" => {
            let (head, items) = paragraph(node);
            lines.push_str(format!("p{head}: {items}").trim_end());
        }
        "w:tbl" => match table(node) {
            Some(table) => lines.push_str(&table),
            None => lines.push_str(&item(node)),
        },
        // The end of the body says nothing as long as it is empty.
        "w:sectPr" if node.elements().next().is_none() && node.attributes().next().is_none() => return,
        _ => lines.push_str(&item(node)),
    }
    lines.push('\n');
}

/// Attributes and properties of a paragraph, and what stands in it.
fn paragraph(node: &Node<'_>) -> (String, String) {
    let mut head = String::new();
    let given = attributes(node);
    if !given.is_empty() {
        let _ = write!(head, "({given})");
    }
    let mut rest = node.elements().peekable();
    if let Some(properties) = rest.next_if(|child| child.qualified() == "w:pPr") {
        head += &in_braces(&properties);
    }
    (head, rest.map(|child| item(&child)).collect::<Vec<_>>().join(" "))
}

fn in_braces(properties: &Node<'_>) -> String {
    let each = properties.elements().map(|child| property(&child));
    format!("{{{}}}", each.collect::<Vec<_>>().join(" "))
}

fn property(node: &Node<'_>) -> String {
    let source = String::from_utf8_lossy(node.source()).into_owned();
    if let Some((name, _)) = SWITCHES.iter().find(|(_, markup)| *markup == source) {
        return (*name).to_owned();
    }
    let plain = node.qualified().strip_prefix("w:").filter(|_| node.elements().next().is_none());
    let attributes: Vec<_> = node.attributes().collect();
    match (plain, attributes.as_slice()) {
        (Some(name), []) if !SWITCHES.iter().any(|(short, _)| *short == name) => name.to_owned(),
        (Some(name), [only]) if only.qualified() == "w:val" => format!("{name}={}", value(&only.value())),
        _ => item(node),
    }
}

fn item(node: &Node<'_>) -> String {
    match node.qualified() {
        "w:p" => {
            let (head, items) = paragraph(node);
            return format!("p{head}[{items}]");
        }
        "w:r" => {
            if let Some(run) = run(node) {
                return run;
            }
        }
        "w:ins" | "w:del" => {
            let author = node.attributes().find(|attribute| attribute.qualified() == "w:author");
            let others = ["w:id", "w:author", "w:date"];
            if let Some(author) = author
                && node.attributes().all(|attribute| others.contains(&attribute.qualified()))
            {
                let sign = if node.qualified() == "w:ins" { '+' } else { '-' };
                let items: Vec<_> = node.elements().map(|child| item(&child)).collect();
                return format!("{sign}{}[{}]", value(&author.value()), items.join(" "));
            }
        }
        _ => {}
    }
    let name = short_name(node.qualified());
    let given = attributes(node);
    let blank = if given.is_empty() { "" } else { " " };
    let inner: Vec<_> = node
        .children()
        .filter_map(|child| match child.kind() {
            Kind::Element => Some(item(&child)),
            _ => {
                let text = decode_text(&String::from_utf8_lossy(child.source())).into_owned();
                (!text.is_empty()).then(|| format!("~{}", quoted(&text)))
            }
        })
        .collect();
    if inner.is_empty() {
        return format!("<{name}{blank}{given}/>");
    }
    format!("<{name}{blank}{given}>{}</{name}>", inner.join(" "))
}

/// A run that has nothing but text.
fn run(node: &Node<'_>) -> Option<String> {
    let mut text = String::new();
    let mut properties = String::new();
    if node.attributes().next().is_some() {
        return None;
    }
    for (index, child) in node.elements().enumerate() {
        let bare = child.attributes().next().is_none();
        match child.qualified() {
            "w:rPr" if index == 0 => properties = in_braces(&child),
            "w:t" | "w:delText" => {
                let piece = child.text();
                let deleted = node.parent().is_some_and(|parent| parent.qualified() == "w:del");
                let keeps = child.attributes().any(|attribute| attribute.qualified() == "xml:space");
                if (child.qualified() == "w:delText") != deleted || (!keeps && piece.trim() != piece) {
                    return None;
                }
                text += &piece;
            }
            "w:tab" if bare => text.push('\t'),
            "w:br" if bare => text.push('\n'),
            _ => return None,
        }
    }
    Some(format!("{}{properties}", quoted(&text)))
}

fn table(node: &Node<'_>) -> Option<String> {
    let mut out = "table".to_owned();
    let mut rows = Vec::new();
    for child in node.elements() {
        match child.qualified() {
            "w:tblPr" => out += &in_braces(&child),
            "w:tblGrid" => {
                let widths = child.elements().map(|column| {
                    let widths: Vec<_> =
                        column.attributes().map(|width| width.value().into_owned()).collect();
                    (column.qualified() == "w:gridCol" && widths.len() == 1).then(|| widths.concat())
                });
                let _ = write!(out, "({})", widths.collect::<Option<Vec<_>>>()?.join(" "));
            }
            "w:tr" => rows.push(row(&child)?),
            _ => return None,
        }
    }
    Some(format!("{out}\n{}", rows.join("\n")))
}

fn row(node: &Node<'_>) -> Option<String> {
    let mut out = String::new();
    if node.attributes().next().is_some() {
        return None;
    }
    for child in node.elements() {
        match child.qualified() {
            "w:trPr" if out.is_empty() => out = format!("row{} ", in_braces(&child)),
            "w:tc" => {
                let mut pieces = child.elements().peekable();
                let facts =
                    pieces.next_if(|piece| piece.qualified() == "w:tcPr").map(|facts| in_braces(&facts));
                let paragraphs: Vec<_> = pieces
                    .map(|piece| match (piece.qualified(), paragraph(&piece)) {
                        ("w:p", (head, items)) if head.is_empty() => items,
                        _ => item(&piece),
                    })
                    .collect();
                let cell: Vec<_> = facts
                    .into_iter()
                    .chain([paragraphs.join(" / ")])
                    .filter(|piece| !piece.is_empty())
                    .collect();
                let cell = cell.join(" ");
                let cell = cell.trim_end();
                let _ = write!(out, "|{}{cell} ", if cell.is_empty() { "" } else { " " });
            }
            _ => return None,
        }
    }
    Some(format!("{out}|"))
}

fn attributes(node: &Node<'_>) -> String {
    let each = node.attributes().filter(|attribute| !attribute.qualified().starts_with("xmlns"));
    let each = each
        .map(|attribute| format!("{}={}", short_attribute(attribute.qualified()), value(&attribute.value())));
    each.collect::<Vec<_>>().join(" ")
}

fn short_name(qualified: &str) -> &str {
    qualified.strip_prefix("w:").unwrap_or(qualified)
}

/// `w:` is left out, and what has no prefix begins with a colon.
fn short_attribute(qualified: &str) -> String {
    match (qualified.strip_prefix("w:"), qualified.contains(':')) {
        (Some(local), _) => local.to_owned(),
        (None, true) => qualified.to_owned(),
        (None, false) => format!(":{qualified}"),
    }
}

fn value(text: &str) -> String {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.%#-".contains(c));
    if plain { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The markup of lines as [`shortened`] writes them.
pub(crate) fn spelled_out(short: &str) -> String {
    let mut out = String::new();
    let mut lines = short.lines().filter(|line| !line.trim().is_empty()).peekable();
    let mut changes = 900;
    while let Some(line) = lines.next() {
        let mut reader = Reader { rest: line, changes };
        if line.starts_with("table") {
            out += &reader.table_head();
            while let Some(row) = lines.next_if(|line| line.starts_with('|') || line.starts_with("row{")) {
                let mut reader = Reader { rest: row, changes: reader.changes };
                out += &reader.row();
                changes = reader.changes;
            }
            out += "</w:tbl>";
            continue;
        }
        if let Some(head) = reader.paragraph_line() {
            let items = reader.items(&[]);
            let _ = write!(out, "{head}{items}</w:p>");
        } else {
            out += &reader.items(&[]);
        }
        changes = reader.changes;
    }
    out
}

struct Reader<'a> {
    rest: &'a str,
    /// The id of the next tracked change.
    changes: u32,
}

impl<'a> Reader<'a> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
    }

    fn take(&mut self, what: &str) -> bool {
        match self.rest.strip_prefix(what) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    #[track_caller]
    fn need(&mut self, what: &str) {
        assert!(self.take(what), "{what:?} is missing before {:?}", self.rest);
    }

    fn word(&mut self) -> &'a str {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || "_.%#-:".contains(c)));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn quoted(&mut self) -> String {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter::<String>();
        let text = values.next().expect("text").unwrap_or_else(|error| panic!("{error}: {}", self.rest));
        self.rest = &self.rest[values.byte_offset()..];
        text
    }

    fn value(&mut self) -> String {
        if self.rest.starts_with('"') { self.quoted() } else { self.word().to_owned() }
    }

    /// `p…:` at the start of a line.
    fn paragraph_line(&mut self) -> Option<String> {
        let mut ahead = Reader { rest: self.rest, changes: self.changes };
        if !(ahead.rest.starts_with("p:") || ahead.rest.starts_with("p{") || ahead.rest.starts_with("p(")) {
            return None;
        }
        ahead.need("p");
        let head = ahead.paragraph_head();
        if !ahead.take(":") {
            return None;
        }
        *self = ahead;
        Some(head)
    }

    fn paragraph_head(&mut self) -> String {
        let mut out = "<w:p".to_owned();
        if self.take("(") {
            out += &self.attributes(")");
            self.need(")");
        }
        out.push('>');
        out += &self.properties("w:pPr");
        out
    }

    /// `{…}`, or nothing.
    fn properties(&mut self, name: &str) -> String {
        if !self.take("{") {
            return String::new();
        }
        let mut out = format!("<{name}>");
        loop {
            self.blanks();
            if self.take("}") {
                break;
            }
            if self.rest.starts_with(['<', '+', '-', '"']) {
                out += &self.item(false);
                continue;
            }
            let name = self.word().to_owned();
            assert!(!name.is_empty(), "no property: {:?}", self.rest);
            if self.take("=") {
                let _ = write!(out, "<w:{name} w:val=\"{}\"/>", escape_attribute(&self.value()));
            } else {
                let switch = SWITCHES.iter().find(|(short, _)| *short == name);
                out += &switch.map_or_else(|| format!("<w:{name}/>"), |(_, markup)| (*markup).to_owned());
            }
        }
        format!("{out}</{name}>")
    }

    fn attributes(&mut self, end: &str) -> String {
        let mut out = String::new();
        loop {
            self.blanks();
            if self.rest.starts_with(end) || self.rest.starts_with('/') || self.rest.starts_with('>') {
                return out;
            }
            let key = self.word().to_owned();
            self.need("=");
            let value = self.value();
            let key = match key.strip_prefix(':') {
                Some(bare) => bare.to_owned(),
                None if key.contains(':') => key,
                None => format!("w:{key}"),
            };
            let _ = write!(out, " {key}=\"{}\"", escape_attribute(&value));
        }
    }

    /// Items up to one of the ends, or the end of the line.
    fn items(&mut self, ends: &[&str]) -> String {
        self.items_in(ends, false)
    }

    fn items_in(&mut self, ends: &[&str], deleted: bool) -> String {
        let mut out = String::new();
        loop {
            self.blanks();
            if self.rest.is_empty() || ends.iter().any(|end| self.rest.starts_with(end)) {
                return out;
            }
            out += &self.item(deleted);
        }
    }

    fn item(&mut self, deleted: bool) -> String {
        if self.rest.starts_with('"') {
            return self.run(deleted);
        }
        for (sign, name) in [("+", "w:ins"), ("-", "w:del")] {
            if self.take(sign) {
                let author = self.value();
                self.need("[");
                self.changes += 1;
                let (id, author) = (self.changes, escape_attribute(&author).into_owned());
                let items = self.items_in(&["]"], sign == "-");
                self.need("]");
                let date = "2023-01-01T00:00:00Z";
                return format!(
                    "<{name} w:id=\"{id}\" w:author=\"{author}\" w:date=\"{date}\">{items}</{name}>"
                );
            }
        }
        if self.take("~") {
            return escape_text(&self.quoted()).into_owned();
        }
        if self.take("<") {
            let short = self.word().to_owned();
            let name = if short.contains(':') { short.clone() } else { format!("w:{short}") };
            let attributes = self.attributes(">");
            if self.take("/>") {
                return format!("<{name}{attributes}/>");
            }
            self.need(">");
            let close = format!("</{short}>");
            let items = self.items_in(&[&close], deleted);
            self.need(&close);
            return format!("<{name}{attributes}>{items}</{name}>");
        }
        assert!(self.take("p"), "not understood: {:?}", self.rest);
        let head = self.paragraph_head();
        self.need("[");
        let items = self.items(&["]"]);
        self.need("]");
        format!("{head}{items}</w:p>")
    }

    fn run(&mut self, deleted: bool) -> String {
        let text = self.quoted();
        let properties = self.properties("w:rPr");
        let tag = if deleted { "w:delText" } else { "w:t" };
        let mut out = format!("<w:r>{properties}");
        let mut piece = String::new();
        for c in text.chars().chain(['\0']) {
            if !matches!(c, '\t' | '\n' | '\0') {
                piece.push(c);
                continue;
            }
            if !piece.is_empty() {
                let _ = write!(out, "<{tag} xml:space=\"preserve\">{}</{tag}>", escape_text(&piece));
                piece.clear();
            }
            match c {
                '\t' => out += "<w:tab/>",
                '\n' => out += "<w:br/>",
                _ => {}
            }
        }
        out + "</w:r>"
    }

    fn table_head(&mut self) -> String {
        self.need("table");
        let mut out = format!("<w:tbl>{}", self.properties("w:tblPr"));
        if self.take("(") {
            out += "<w:tblGrid>";
            loop {
                self.blanks();
                if self.take(")") {
                    break;
                }
                let _ = write!(out, "<w:gridCol w:w=\"{}\"/>", self.word());
            }
            out += "</w:tblGrid>";
        }
        out
    }

    fn row(&mut self) -> String {
        let mut out = "<w:tr>".to_owned();
        if self.take("row") {
            out += &self.properties("w:trPr");
            self.blanks();
        }
        self.need("|");
        while !self.rest.trim().is_empty() {
            self.blanks();
            let _ = write!(out, "<w:tc>{}", self.properties("w:tcPr"));
            loop {
                self.blanks();
                if self.rest.starts_with("p{") || self.rest.starts_with("p(") || self.rest.starts_with("<tbl")
                {
                    out += &self.item(false);
                } else {
                    let _ = write!(out, "<w:p>{}</w:p>", self.items(&["/", "|"]));
                }
                self.blanks();
                if !self.take("/") {
                    break;
                }
            }
            self.need("|");
            out += "</w:tc>";
        }
        out + "</w:tr>"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_short_is_read_back() {
        let short = concat!(
            "p{pStyle=Title jc=left}: \"The \" \"quick\"{b u} \" fox\\tjumps\\n\"\n",
            "p(w14:paraId=11111111):\n",
            "p{rPr{<ins id=4 author=You date=d/>}}: +Ann[\"new\"] -\"Ann Lee\"[\"old \"{sz=24}]\n",
            "table{tblW}(1000 500)\n",
            "| \"a\" | {gridSpan=2} \"b\" / \"c\" |\n",
            "row{tblHeader} | p{jc=right}[\"x|y\"] | |\n",
            "<sdt><sdtPr><tag val=who/></sdtPr> <sdtContent>p[\"in\"]</sdtContent></sdt>\n",
            "p: <bookmarkStart id=1 name=\"a b\"/> <r><instrText>~\" PAGE \"</instrText></r> <bookmarkEnd id=1/>\n",
        );
        let short =
            short.replace("rPr{<ins id=4 author=You date=d/>}", "<rPr><ins id=4 author=You date=d/></rPr>");
        let body = spelled_out(&short);
        let wanted = short.replace("<rPr><ins id=4 author=You date=d/></rPr>", "<rPr>+You[]</rPr>");
        let part = format!(
            "<w:document xmlns:w=\"w\" xmlns:w14=\"x\"><w:body>{body}<w:sectPr/></w:body></w:document>"
        );
        assert_eq!(shortened(&part), wanted);
        assert!(
            body.contains("<w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:p><w:pPr><w:jc w:val=\"right\"/>"),
            "{body}"
        );
    }
}
