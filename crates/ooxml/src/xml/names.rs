//! Interned names and the namespace declarations in scope.
//!
//! A scope is a chain of single declarations, interned too: the thousandth drawing that declares `xmlns:a`
//! ends in the same scope as the first. Elements then carry two small numbers instead of strings.

use std::collections::HashMap;
use std::sync::Arc;

use super::{XmlError, ns};

/// A name as XML compares it: namespace and local part. Strict namespaces read as transitional ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name<'a> {
    pub namespace: &'a str,
    pub local: &'a str,
}

/// The declarations in scope at some element; what a fragment of its content is parsed with.
#[derive(Clone, Debug)]
pub struct Namespaces {
    pub(super) names: Arc<Names>,
    pub(super) scope: u16,
}

impl Namespaces {
    /// The given `(prefix, namespace)` pairs and nothing else; the empty prefix is the default namespace.
    pub fn declare(pairs: &[(&str, &str)]) -> Result<Namespaces, XmlError> {
        let mut names = Names::new();
        let mut scope = ROOT_SCOPE;
        for (prefix, uri) in pairs {
            scope = names.declare(scope, prefix, uri, 0)?;
        }
        Ok(Namespaces { names: Arc::new(names), scope })
    }

    /// The namespace `prefix` stands for here.
    pub fn resolve(&self, prefix: &str) -> Option<&str> {
        self.names.resolve(self.scope, prefix).map(|uri| self.names.uri(uri))
    }

    /// A prefix that stands for `namespace` here; the innermost, and never one that is hidden by another
    /// declaration. `Some("")` says that it is the default namespace, which attributes cannot use.
    pub fn prefix_of(&self, namespace: &str) -> Option<&str> {
        self.bindings().find(|(_, uri)| *uri == namespace).map(|(prefix, _)| prefix)
    }

    /// Like [`Namespaces::prefix_of`], for an attribute: the default namespace does not count.
    pub fn attribute_prefix_of(&self, namespace: &str) -> Option<&str> {
        self.bindings()
            .find(|(prefix, uri)| !prefix.is_empty() && *uri == namespace)
            .map(|(prefix, _)| prefix)
    }

    /// Visible declarations, innermost first.
    pub fn bindings(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = &*self.names;
        names.chain(self.scope).filter_map(|declaration| {
            let prefix = names.prefixes.get(declaration.prefix as usize)?;
            let visible = names.resolve(self.scope, prefix)? == names.canonical(declaration.uri);
            visible.then(|| (&**prefix, names.uri(names.canonical(declaration.uri))))
        })
    }
}

pub(super) const ROOT_SCOPE: u16 = 0;
const NO_NAMESPACE: u16 = 0;
const XML_NAMESPACE: u16 = 1;
/// Symbols from here on are reserved for nodes that are not elements.
pub(super) const FIRST_RESERVED: u16 = 0xFFF0;
const MAX_NAMESPACES: usize = 1024;
/// Declarations that may be in scope at once; real files stay below fifty.
const MAX_IN_SCOPE: u16 = 256;

#[derive(Clone, Debug)]
pub(super) struct Names {
    uris: Vec<Uri>,
    uri_ids: HashMap<Box<str>, u16>,
    prefixes: Vec<Box<str>>,
    prefix_ids: HashMap<Box<str>, u16>,
    scopes: Vec<Declaration>,
    scope_ids: HashMap<(u16, u16, u16), u16>,
    symbols: Vec<(u16, Box<str>)>,
    symbol_ids: HashMap<Box<str>, Vec<(u16, u16)>>,
}

#[derive(Clone, Debug)]
struct Uri {
    text: Box<str>,
    /// The transitional spelling of a strict name; otherwise itself.
    canonical: u16,
}

/// One declaration on top of the scope `parent`. Scope 0 declares nothing.
#[derive(Clone, Copy, Debug)]
struct Declaration {
    parent: u16,
    prefix: u16,
    uri: u16,
    depth: u16,
}

impl Names {
    pub(super) fn new() -> Names {
        let mut names = Names {
            uris: Vec::new(),
            uri_ids: HashMap::new(),
            prefixes: Vec::new(),
            prefix_ids: HashMap::new(),
            scopes: vec![Declaration { parent: 0, prefix: 0, uri: NO_NAMESPACE, depth: 0 }],
            scope_ids: HashMap::new(),
            symbols: Vec::new(),
            symbol_ids: HashMap::new(),
        };
        for (id, uri) in [(NO_NAMESPACE, ns::NONE), (XML_NAMESPACE, ns::XML)] {
            names.uris.push(Uri { text: uri.into(), canonical: id });
            names.uri_ids.insert(uri.into(), id);
        }
        names.prefixes.push("".into());
        names.prefix_ids.insert("".into(), 0);
        names
    }

    /// The scope `scope` with one more declaration.
    pub(super) fn declare(
        &mut self,
        scope: u16,
        prefix: &str,
        uri: &str,
        offset: usize,
    ) -> Result<u16, XmlError> {
        if prefix == "xmlns" || (prefix == "xml") != (uri == ns::XML) || uri == ns::XMLNS {
            return Err(XmlError::malformed(offset, "a reserved prefix or namespace is declared"));
        }
        if prefix == "xml" {
            return Ok(scope);
        }
        if uri.is_empty() && !prefix.is_empty() {
            return Err(XmlError::malformed(offset, "a prefix is declared for no namespace"));
        }
        let uri = self.intern_uri(uri, offset)?;
        let prefix = self.intern_prefix(prefix, offset)?;
        if self.lookup(scope, prefix) == Some(uri) {
            return Ok(scope);
        }
        if let Some(known) = self.scope_ids.get(&(scope, prefix, uri)) {
            return Ok(*known);
        }
        let depth = self.scopes.get(scope as usize).map_or(0, |declaration| declaration.depth) + 1;
        if depth > MAX_IN_SCOPE || self.scopes.len() >= usize::from(u16::MAX) {
            return Err(XmlError::limit(
                offset,
                "the number of namespace declarations",
                usize::from(MAX_IN_SCOPE),
            ));
        }
        let id = self.scopes.len() as u16;
        self.scopes.push(Declaration { parent: scope, prefix, uri, depth });
        self.scope_ids.insert((scope, prefix, uri), id);
        Ok(id)
    }

    fn intern_uri(&mut self, uri: &str, offset: usize) -> Result<u16, XmlError> {
        if let Some(id) = self.uri_ids.get(uri) {
            return Ok(*id);
        }
        let transitional = ns::transitional(uri);
        let canonical = if transitional == uri { None } else { Some(self.intern_uri(transitional, offset)?) };
        if self.uris.len() >= MAX_NAMESPACES {
            return Err(XmlError::limit(offset, "the number of namespaces", MAX_NAMESPACES));
        }
        let id = self.uris.len() as u16;
        self.uris.push(Uri { text: uri.into(), canonical: canonical.unwrap_or(id) });
        self.uri_ids.insert(uri.into(), id);
        Ok(id)
    }

    fn intern_prefix(&mut self, prefix: &str, offset: usize) -> Result<u16, XmlError> {
        if let Some(id) = self.prefix_ids.get(prefix) {
            return Ok(*id);
        }
        if self.prefixes.len() >= usize::from(u16::MAX) {
            return Err(XmlError::limit(offset, "the number of namespace prefixes", usize::from(u16::MAX)));
        }
        let id = self.prefixes.len() as u16;
        self.prefixes.push(prefix.into());
        self.prefix_ids.insert(prefix.into(), id);
        Ok(id)
    }

    fn chain(&self, scope: u16) -> impl Iterator<Item = Declaration> {
        let mut next = scope;
        std::iter::from_fn(move || {
            if next == ROOT_SCOPE {
                return None;
            }
            let declaration = *self.scopes.get(next as usize)?;
            next = declaration.parent;
            Some(declaration)
        })
    }

    /// The namespace as declared.
    fn lookup(&self, scope: u16, prefix: u16) -> Option<u16> {
        self.chain(scope).find(|declaration| declaration.prefix == prefix).map(|declaration| declaration.uri)
    }

    /// The namespace, in its transitional spelling, that `prefix` stands for.
    pub(super) fn resolve(&self, scope: u16, prefix: &str) -> Option<u16> {
        if prefix == "xml" {
            return Some(XML_NAMESPACE);
        }
        let declared = self.prefix_ids.get(prefix).and_then(|id| self.lookup(scope, *id));
        match declared {
            Some(uri) => Some(self.canonical(uri)),
            None if prefix.is_empty() => Some(NO_NAMESPACE),
            None => None,
        }
    }

    fn canonical(&self, uri: u16) -> u16 {
        self.uris.get(uri as usize).map_or(uri, |uri| uri.canonical)
    }

    pub(super) fn uri(&self, id: u16) -> &str {
        self.uris.get(id as usize).map_or("", |uri| &uri.text)
    }

    pub(super) fn symbol(&self, namespace: u16, local: &str) -> Option<u16> {
        let candidates = self.symbol_ids.get(local)?;
        candidates.iter().find(|(uri, _)| *uri == namespace).map(|(_, symbol)| *symbol)
    }

    /// Gives `local` a symbol; to be called when [`Names::symbol`] knows none.
    pub(super) fn add_symbol(&mut self, namespace: u16, local: &str, offset: usize) -> Result<u16, XmlError> {
        if self.symbols.len() >= usize::from(FIRST_RESERVED) {
            return Err(XmlError::limit(
                offset,
                "the number of different element names",
                usize::from(FIRST_RESERVED),
            ));
        }
        let symbol = self.symbols.len() as u16;
        self.symbols.push((namespace, local.into()));
        self.symbol_ids.entry(local.into()).or_default().push((namespace, symbol));
        Ok(symbol)
    }

    pub(super) fn name(&self, symbol: u16) -> Option<Name<'_>> {
        let (namespace, local) = self.symbols.get(symbol as usize)?;
        Some(Name { namespace: self.uri(*namespace), local })
    }
}

/// Prefix and local part of a qualified name, or `None` where a colon stands wrongly.
pub(super) fn split(qualified: &str) -> Option<(&str, &str)> {
    match qualified.split_once(':') {
        None => Some(("", qualified)),
        Some((prefix, local)) => {
            let starts_well = !local.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
            let good = !prefix.is_empty() && !local.is_empty() && !local.contains(':') && starts_well;
            good.then_some((prefix, local))
        }
    }
}
