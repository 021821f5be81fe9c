//! How this document spells WordprocessingML: the prefix it chose.

use edit::Refusal;
use ooxml::xml::{Namespaces, escape_attribute, escape_text, ns};

/// Prefixes with their colon, ready to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) element: String,
    pub(crate) attribute: String,
    /// For `w14:paraId`, where the document declares it.
    pub(crate) word2010: Option<String>,
}

impl Dialect {
    pub(crate) fn of(namespaces: &Namespaces) -> Result<Self, Refusal> {
        let colon = |prefix: &str| if prefix.is_empty() { String::new() } else { format!("{prefix}:") };
        let attribute = namespaces.attribute_prefix_of(ns::W);
        let (Some(element), Some(attribute)) = (namespaces.prefix_of(ns::W), attribute) else {
            return Err(Refusal::unsupported("editing a part that has no prefix for the Word namespace"));
        };
        Ok(Self {
            element: colon(element),
            attribute: colon(attribute),
            word2010: namespaces.attribute_prefix_of(ns::W14).map(colon),
        })
    }

    /// `<w:b w:val="0"/>`
    pub(crate) fn empty(&self, name: &str, attributes: &[(&str, &str)]) -> String {
        let mut out = format!("<{}{name}", self.element);
        for (key, value) in attributes {
            out.push_str(&format!(" {}{key}=\"{}\"", self.attribute, escape_attribute(value)));
        }
        out.push_str("/>");
        out
    }

    /// `<w:name attributes>inner</w:name>`; `attributes` as written, with a leading blank.
    pub(crate) fn wrap(&self, name: &str, attributes: &str, inner: &str) -> String {
        format!("<{0}{name}{attributes}>{inner}</{0}{name}>", self.element)
    }

    /// What makes a link of the runs between: a field, which needs no relationship and can be tracked like other runs.
    pub(crate) fn link(&self, address: &str) -> (String, String) {
        let mark = |kind: &str| self.wrap("r", "", &self.empty("fldChar", &[("fldCharType", kind)]));
        let instruction = match address.strip_prefix('#') {
            Some(bookmark) => format!(" HYPERLINK \\l \"{bookmark}\" "),
            None => format!(" HYPERLINK \"{address}\" "),
        };
        let instruction = self.text("instrText", &escape_text(&instruction));
        let before = format!("{}{}{}", mark("begin"), self.wrap("r", "", &instruction), mark("separate"));
        (before, mark("end"))
    }

    /// Runs, as a link where there is an address.
    pub(crate) fn linked(&self, runs: &str, address: Option<&str>) -> String {
        match address {
            None => runs.to_owned(),
            Some(address) => {
                let (before, behind) = self.link(address);
                format!("{before}{runs}{behind}")
            }
        }
    }

    /// Characters that are escaped already, as `w:t` or `w:delText`.
    pub(crate) fn text(&self, name: &str, escaped: &str) -> String {
        // Word trims blanks at both ends of w:t unless xml:space="preserve" is set.
        let blank = |c: Option<char>| c.is_some_and(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
        let keep =
            blank(escaped.chars().next()) || blank(escaped.chars().next_back()) || escaped.contains("  ");
        self.wrap(name, if keep { " xml:space=\"preserve\"" } else { "" }, escaped)
    }

    /// New characters as the content of a run: text, tabs and breaks.
    pub(crate) fn content(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (plain, special) = match rest.find(['\t', '\n', '\u{c}']) {
                Some(at) => rest.split_at(at),
                None => (rest, ""),
            };
            if !plain.is_empty() {
                out.push_str(&self.text("t", &escape_text(plain)));
            }
            let mut characters = special.chars();
            match characters.next() {
                Some('\t') => out.push_str(&self.empty("tab", &[])),
                Some('\u{c}') => out.push_str(&self.empty("br", &[("type", "page")])),
                Some(_) => out.push_str(&self.empty("br", &[])),
                None => {}
            }
            rest = characters.as_str();
        }
        out
    }
}
