//! Finding and naming parts.

use edit::{Content, PartName, Refusal};

use crate::refuse::{damaged, unsupported};
use crate::xml::{Document, XmlLimits, ns};
use crate::{ContentTypes, Relationships};

pub(crate) const CONTENT_TYPES: &str = "[Content_Types].xml";

/// Test versions of Office 2007 used their own names for everything.
const EARLY_RELATIONSHIPS: &str = "http://schemas.microsoft.com/office/2006/relationships";

/// The part everything hangs on, and what it says about the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MainPart {
    pub name: PartName,
    pub content_type: String,
    pub conformance: Conformance,
}

/// Which of the two spellings of its namespaces a file uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conformance {
    Transitional,
    Strict,
}

impl Conformance {
    /// A namespace or relationship type, given by its transitional name, as this file spells it.
    pub fn spell(self, uri: &str) -> String {
        match self {
            Self::Transitional => uri.to_owned(),
            Self::Strict => ns::strict(uri),
        }
    }
}

/// Whose file it is, by the content type of its main part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Word,
    Excel,
    /// Excel's binary workbook, `.xlsb`: a package whose sheets are not XML.
    ExcelBinary,
    PowerPoint,
    Unknown,
}

impl MainPart {
    pub fn family(&self) -> Family {
        let content_type = self.content_type.to_ascii_lowercase();
        if content_type.contains("wordprocessingml") || content_type.contains("ms-word") {
            Family::Word
        } else if content_type.contains("sheet.binary") {
            Family::ExcelBinary
        } else if content_type.contains("spreadsheetml") || content_type.contains("ms-excel") {
            Family::Excel
        } else if content_type.contains("presentationml") || content_type.contains("ms-powerpoint") {
            Family::PowerPoint
        } else {
            Family::Unknown
        }
    }

    /// Whether the file may carry macros.
    pub fn has_macros(&self) -> bool {
        self.content_type.to_ascii_lowercase().contains("macroenabled")
    }

    /// How the name of such a file ends: Office opens no file whose name says something else than its content type.
    pub fn extension(&self) -> Option<&'static str> {
        let is_template = self.content_type.to_ascii_lowercase().contains("template");
        Some(match (self.family(), is_template, self.has_macros()) {
            _ if self.content_type.to_ascii_lowercase().contains("addin") => return None,
            (Family::Word, false, false) => "docx",
            (Family::Word, false, true) => "docm",
            (Family::Word, true, false) => "dotx",
            (Family::Word, true, true) => "dotm",
            (Family::Excel, false, false) => "xlsx",
            (Family::Excel, false, true) => "xlsm",
            (Family::Excel, true, false) => "xltx",
            (Family::Excel, true, true) => "xltm",
            (Family::ExcelBinary | Family::PowerPoint | Family::Unknown, _, _) => return None,
        })
    }
}

/// How the name of a file with this content ends, if there is but one way.
pub fn extension_of(content: &Content) -> Result<Option<&'static str>, Refusal> {
    Ok(main_part(content)?.extension())
}

/// The main part, by the relationship of the package that says so.
pub fn main_part(content: &Content) -> Result<MainPart, Refusal> {
    let relationships = Relationships::of_package(content)?;
    let office = format!("{}/officeDocument", ns::R);
    let Some(relationship) = relationships.iter().find(|relationship| relationship.kind == office) else {
        let early = format!("{EARLY_RELATIONSHIPS}/officeDocument");
        if relationships.iter().any(|relationship| relationship.kind == early) {
            return Err(unsupported("a pre-release format of Office 2007", "save it again with Office"));
        }
        return Err(damaged("no relationship says which part is the document (see _rels/.rels)"));
    };
    let conformance = if relationship.strict { Conformance::Strict } else { Conformance::Transitional };
    match &relationship.part {
        Some(name) if content.contains(name) => {
            let types = ContentTypes::read(content)?;
            let content_type = types.of(name).unwrap_or("").to_owned();
            Ok(MainPart { name: name.clone(), content_type, conformance })
        }
        _ => Err(damaged(format!("its main part {} is missing", relationship.target))),
    }
}

/// Parses a part that has to be there.
pub fn read_xml(content: &Content, name: &PartName) -> Result<Document, Refusal> {
    let Some(blob) = content.read(name)? else {
        return Err(damaged(format!("the part {name} is missing")));
    };
    Document::parse(&blob, &XmlLimits::default()).map_err(|error| error.in_part(name))
}

/// The part called `name`, in whatever case the package spells it: part names differ by more than case.
pub fn find_part(content: &Content, name: &str) -> Option<PartName> {
    if content.contains(name) {
        return Some(PartName::new(name));
    }
    content.names().find(|part| part.as_str().eq_ignore_ascii_case(name)).cloned()
}

/// A name that no part has: `free_name(content, "word/media/image", "png")` is `word/media/image3.png` when
/// 2 is the highest number in use, by an image of whatever type.
pub fn free_name(content: &Content, stem: &str, extension: &str) -> PartName {
    let numbers = content.names().filter_map(|part| {
        let part = part.as_str();
        let head = part.get(..stem.len())?;
        let rest = head.eq_ignore_ascii_case(stem).then(|| part.get(stem.len()..))??;
        rest.split('.').next()?.parse::<u64>().ok()
    });
    let mut number = numbers.max().unwrap_or(0);
    loop {
        number = number.wrapping_add(1);
        let name = format!("{stem}{number}.{extension}");
        if find_part(content, &name).is_none() {
            return PartName::new(name);
        }
    }
}
