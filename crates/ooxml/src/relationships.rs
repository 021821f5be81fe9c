//! Relationships: how parts point at each other and out of the package.

use edit::{Content, Cut, OrEmpty, PartName, Patch, Refusal};

use crate::content_types::ContentTypes;
use crate::parts::{find_part, read_xml};
use crate::xml::{Document, escape_attribute, ns};
use crate::xml_append::append;

/// The relationships of one part, or of the package.
#[derive(Clone, Debug)]
pub struct Relationships {
    /// The part they belong to; none for the package.
    owner: Option<PartName>,
    part: PartName,
    /// Absent when there is no such part yet.
    document: Option<Document>,
    /// Of a package that has no such part yet: it needs a type when it comes.
    types: Option<ContentTypes>,
    list: Vec<Relationship>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relationship {
    pub id: String,
    /// The type, in its transitional spelling.
    pub kind: String,
    /// Whether the type is spelled in the strict way.
    pub strict: bool,
    /// As written.
    pub target: String,
    /// The part it points at, whether or not that exists; none when it points outside.
    pub part: Option<PartName>,
}

/// A relationship to be added.
#[derive(Clone, Copy, Debug)]
pub struct NewRelationship<'a> {
    pub kind: &'a str,
    pub target: NewTarget<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum NewTarget<'a> {
    Part(&'a PartName),
    External(&'a str),
}

impl Relationships {
    pub fn of_package(content: &Content) -> Result<Relationships, Refusal> {
        Relationships::read(content, None)
    }

    pub fn of_part(content: &Content, part: &PartName) -> Result<Relationships, Refusal> {
        Relationships::read(content, Some(part))
    }

    fn read(content: &Content, owner: Option<&PartName>) -> Result<Relationships, Refusal> {
        let nominal = rels_part_of(owner);
        let part = find_part(content, nominal.as_str()).unwrap_or(nominal);
        let document = if content.contains(&part) { Some(read_xml(content, &part)?) } else { None };
        let list = document.as_ref().map(|document| list(content, owner, document)).or_empty();
        // A package without a readable list of types is told of by whoever opens it.
        let types = document.is_none().then(|| ContentTypes::read(content).ok()).flatten();
        Ok(Relationships { owner: owner.cloned(), part, document, types, list })
    }

    pub fn iter(&self) -> impl Iterator<Item = &Relationship> {
        self.list.iter()
    }

    pub fn get(&self, id: &str) -> Option<&Relationship> {
        self.list.iter().find(|relationship| relationship.id == id)
    }

    /// Those of one type, which is given in its transitional spelling.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Relationship> {
        self.list.iter().filter(move |relationship| relationship.kind == kind)
    }

    /// The part that holds these relationships, whether or not it is there yet.
    pub fn part(&self) -> &PartName {
        &self.part
    }

    /// Plans new relationships and answers their ids. All that one patch adds to one part have to come in one
    /// call, because the ids are chosen from what is there.
    pub fn add(&self, patch: &mut Patch, new: &[NewRelationship<'_>]) -> Result<Vec<String>, Refusal> {
        let numbers = self.list.iter().filter_map(|known| known.id.strip_prefix("rId")?.parse::<u32>().ok());
        let first = numbers.max().unwrap_or(0).saturating_add(1);
        let prefix = match self.document.as_ref().map(|document| document.root().prefix()) {
            None | Some("") => String::new(),
            Some(prefix) => format!("{prefix}:"),
        };
        let mut ids = Vec::with_capacity(new.len());
        let mut markup = String::new();
        for (index, relationship) in new.iter().enumerate() {
            let mut number = u64::from(first) + index as u64;
            let mut id = format!("rId{number}");
            while self.list.iter().any(|known| known.id.eq_ignore_ascii_case(&id)) || ids.contains(&id) {
                number += new.len() as u64;
                id = format!("rId{number}");
            }
            let (target, mode) = match relationship.target {
                NewTarget::Part(part) => (relative_target(self.owner.as_ref(), part), ""),
                NewTarget::External(address) => (address.to_owned(), " TargetMode=\"External\""),
            };
            let (kind, target) = (escape_attribute(relationship.kind), escape_attribute(&target));
            markup +=
                &format!("<{prefix}Relationship Id=\"{id}\" Type=\"{kind}\" Target=\"{target}\"{mode}/>");
            ids.push(id);
        }
        match &self.document {
            Some(document) => append(patch, &self.part, document, &markup)?,
            None if markup.is_empty() => {}
            None => {
                let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n";
                let namespace = ns::RELATIONSHIPS;
                let whole =
                    format!("{declaration}<Relationships xmlns=\"{namespace}\">{markup}</Relationships>");
                patch.put(&self.part, whole);
                if let Some(types) = &self.types {
                    types.declare_relationships(patch)?;
                }
            }
        }
        Ok(ids)
    }

    /// Plans that the relationship `id` goes; what it pointed at stays.
    pub fn remove(&self, patch: &mut Patch, id: &str) -> Result<(), Refusal> {
        let node = self.document.as_ref().and_then(|document| {
            document.root().elements().find(|node| {
                node.is(ns::RELATIONSHIPS, "Relationship")
                    && node.value(ns::NONE, "Id").is_some_and(|known| known == id)
            })
        });
        match node {
            Some(node) => patch.splice(&self.part, node.span(), ""),
            None => Err(Refusal::not_found("relationship", id)),
        }
    }
}

fn list(content: &Content, owner: Option<&PartName>, document: &Document) -> Vec<Relationship> {
    let rows = document.root().elements().filter(|node| node.name().local == "Relationship");
    rows.filter_map(|node| {
        let value = |name| node.value(ns::NONE, name).map(|value| value.into_owned());
        let target = value("Target").or_empty();
        let external = value("TargetMode").is_some_and(|mode| mode.eq_ignore_ascii_case("external"));
        let kind = value("Type").or_empty();
        let part = if external { None } else { resolve_in(content, owner, &target) };
        let strict = ns::is_strict(&kind);
        Some(Relationship { id: value("Id")?, kind: transitional_kind(kind), strict, target, part })
    })
    .collect()
}

fn transitional_kind(kind: String) -> String {
    const STRICT: &str = "http://purl.oclc.org/ooxml/officeDocument/relationships/";
    match kind.strip_prefix(STRICT) {
        Some(name) => format!("{}/{name}", ns::R),
        None => kind,
    }
}

fn resolve_in(content: &Content, owner: Option<&PartName>, target: &str) -> Option<PartName> {
    let written = resolve_target(owner, target)?;
    if let Some(part) = find_part(content, written.as_str()) {
        return Some(part);
    }
    let decoded = percent_decode(written.as_str());
    decoded.and_then(|decoded| find_part(content, &decoded)).or(Some(written))
}

/// The name of the part with the relationships of `owner`.
pub fn rels_part_of(owner: Option<&PartName>) -> PartName {
    let name = owner.map_or("", PartName::as_str);
    let (folder, file) = name.rsplit_once('/').map_or(("", name), |(folder, file)| (folder, file));
    let slash = if folder.is_empty() { "" } else { "/" };
    PartName::new(format!("{folder}{slash}_rels/{file}.rels"))
}

/// The part that an internal `target` of `owner` names: absolute from the root of the package, otherwise from
/// the owner's folder. A fragment is cut off; a target that is nothing else names the owner.
pub fn resolve_target(owner: Option<&PartName>, target: &str) -> Option<PartName> {
    let path = target.split(['#', '?']).next().unwrap_or(target);
    if path.is_empty() {
        return owner.cloned();
    }
    let path = path.replace('\\', "/");
    let mut segments: Vec<&str> = match (path.starts_with('/'), owner) {
        (false, Some(owner)) => owner.as_str().split('/').collect(),
        _ => vec![""],
    };
    segments.pop();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            // Above the root is the root, as Office reads it.
            ".." => drop(segments.pop()),
            name => segments.push(name),
        }
    }
    (!segments.is_empty()).then(|| PartName::new(segments.join("/")))
}

/// How `owner` writes that it points at `part`.
pub fn relative_target(owner: Option<&PartName>, part: &PartName) -> String {
    let owner: Vec<&str> = owner.map_or("", PartName::as_str).split('/').collect();
    let part: Vec<&str> = part.as_str().split('/').collect();
    let folders = owner.len() - 1;
    let shared = owner.iter().take(folders).zip(part.iter()).take_while(|(a, b)| a == b).count();
    let shared = shared.min(part.len() - 1);
    let mut target = "../".repeat(folders - shared);
    target += &part.part(shared..).join("/");
    target
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let decoded = (*first == b'%')
            .then(|| std::str::from_utf8(more.get(..2)?).ok())
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match decoded {
            Some(byte) => {
                bytes.push(byte);
                rest = more.part(2..);
            }
            None => {
                bytes.push(*first);
                rest = more;
            }
        }
    }
    String::from_utf8(bytes).ok()
}
