//! Which part of the package is what.

use edit::{Content, PartName, Refusal};
use ooxml::xml::ns;
use ooxml::{Conformance, Family, Relationships};

/// A text of a document beside or inside others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Story {
    Body,
    /// Numbered from 1 in the order of the package.
    Header(u16),
    Footer(u16),
    Footnotes,
    Endnotes,
    Comments,
}

impl std::fmt::Display for Story {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Body => f.write_str("body"),
            Self::Header(number) => write!(f, "header{number}"),
            Self::Footer(number) => write!(f, "footer{number}"),
            Self::Footnotes => f.write_str("footnotes"),
            Self::Endnotes => f.write_str("endnotes"),
            Self::Comments => f.write_str("comments"),
        }
    }
}

/// The parts of a Word document by what they are for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub main: PartName,
    pub conformance: Conformance,
    /// Whether macros ride along. They are kept as they are and never run.
    pub macros: bool,
    pub template: bool,
    /// The body first.
    pub stories: Vec<(Story, PartName)>,
    pub styles: Option<PartName>,
    pub numbering: Option<PartName>,
    pub settings: Option<PartName>,
    pub theme: Option<PartName>,
    pub comments_extended: Option<PartName>,
}

impl Layout {
    pub(crate) fn read(content: &Content) -> Result<Self, Refusal> {
        let main = ooxml::main_part(content)?;
        let what = match main.family() {
            Family::Word => None,
            Family::Excel | Family::ExcelBinary => Some("an Excel workbook"),
            Family::PowerPoint => Some("a PowerPoint presentation"),
            Family::Unknown if main.content_type.is_empty() || main.content_type.ends_with("xml") => None,
            Family::Unknown => Some("a package that is no Word document"),
        };
        if let Some(what) = what {
            return Err(Refusal::Unsupported {
                what: format!("{what} in place of a Word document"),
                instead: Some("open it with the tool for its own format".to_owned()),
            });
        }
        let relationships = Relationships::of_part(content, &main.name)?;
        let mut stories = vec![(Story::Body, main.name.clone())];
        let (mut headers, mut footers) = (0u16, 0u16);
        let mut layout = Layout {
            main: main.name.clone(),
            conformance: main.conformance,
            macros: main.has_macros(),
            template: main.content_type.contains("template"),
            stories: Vec::new(),
            styles: None,
            numbering: None,
            settings: None,
            theme: None,
            comments_extended: None,
        };
        for relationship in relationships.iter() {
            let Some(part) = relationship.part.as_ref().filter(|part| content.contains(part)) else {
                continue;
            };
            let kind = match relationship.kind.strip_prefix(ns::R) {
                Some(kind) => kind.trim_start_matches('/'),
                None => relationship.kind.rsplit('/').next().unwrap_or(&relationship.kind),
            };
            let mut story = |story: Story| {
                if !stories.iter().any(|(_, known)| known == part) {
                    stories.push((story, part.clone()));
                }
            };
            let first = |slot: &mut Option<PartName>| {
                slot.get_or_insert_with(|| part.clone());
            };
            match kind {
                "header" => {
                    headers += 1;
                    story(Story::Header(headers));
                }
                "footer" => {
                    footers += 1;
                    story(Story::Footer(footers));
                }
                "footnotes" => story(Story::Footnotes),
                "endnotes" => story(Story::Endnotes),
                "comments" => story(Story::Comments),
                "styles" => first(&mut layout.styles),
                "numbering" => first(&mut layout.numbering),
                "settings" => first(&mut layout.settings),
                "theme" => first(&mut layout.theme),
                "commentsExtended" => first(&mut layout.comments_extended),
                _ => {}
            }
        }
        // Relationships stand in any order; a reader expects headers before footers before notes.
        stories.sort_by_key(|(story, _)| *story);
        layout.stories = stories;
        Ok(layout)
    }
}
