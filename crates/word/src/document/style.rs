//! Styles, and what formatting comes to in the end.
//!
//! Word asks in turn the document's defaults, the table style, numbering, the paragraph style and its
//! ancestors, the character style, and what is stated on the spot. Most properties take the last word;
//! toggles such as bold are switched by each kind of style that states them.

use std::collections::{BTreeMap, HashSet};

use edit::{Content, Refusal};
use ooxml::xml::{Node, ns};

use crate::document::layout::Layout;
use crate::document::names::attribute;
use crate::document::props::{Font, ParaProps, RunProps, Toggle, each_child};
use crate::document::regions::{self, Conditions, Cut, InTable, Regions};

/// The kind of thing a style is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StyleKind {
    Paragraph,
    Character,
    Table,
    Numbering,
}

#[derive(Debug, Clone)]
pub struct Style {
    pub id: String,
    pub name: String,
    pub kind: StyleKind,
    pub default: bool,
    pub based_on: Option<String>,
    pub next: Option<String>,
    pub link: Option<String>,
    pub hidden: bool,
    pub quick: bool,
    pub paragraph: ParaProps,
    pub run: RunProps,
    /// Of a table style.
    pub(crate) conditions: Conditions,
}

/// A style Word knows by name without the file defining it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatentStyle {
    pub name: String,
    pub hidden: bool,
    pub quick: bool,
}

/// The styles of a document, and the theme's fonts.
#[derive(Debug, Clone, Default)]
pub struct Styles {
    list: Vec<Style>,
    by_id: BTreeMap<String, usize>,
    pub latent: Vec<LatentStyle>,
    default_paragraph: ParaProps,
    default_run: RunProps,
    theme: BTreeMap<String, String>,
}

/// What a paragraph's own words and its styles come to, before any run speaks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolved {
    pub props: ParaProps,
    /// Of the paragraph style and its ancestors, the later word counting.
    pub(crate) style_run: RunProps,
    pub(crate) table_run: RunProps,
    /// The style the paragraph has, its own or the default one.
    pub style: Option<String>,
    /// Where the numbering was stated.
    pub numbered_by: NumberedBy,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum NumberedBy {
    #[default]
    Nothing,
    /// The paragraph itself.
    Paragraph,
    /// Its style, or an ancestor of that.
    Style,
}

impl Styles {
    pub(crate) fn read(content: &Content, layout: &Layout) -> Result<Self, Refusal> {
        let mut styles = Styles::default();
        if let Some(name) = &layout.theme {
            styles.read_theme(content, name)?;
        }
        let Some(name) = &layout.styles else { return Ok(styles) };
        let document = ooxml::read_xml(content, name)?;
        for node in document.root().elements() {
            if node.is(ns::W, "docDefaults") {
                let find = |outer: &str, inner: &str| node.child(ns::W, outer)?.child(ns::W, inner);
                if let Some(found) = find("pPrDefault", "pPr") {
                    styles.default_paragraph = ParaProps::read(found.source());
                }
                if let Some(found) = find("rPrDefault", "rPr") {
                    styles.default_run = RunProps::read(found.source());
                }
            } else if node.is(ns::W, "latentStyles") {
                styles.latent = latent(&node);
            } else if node.is(ns::W, "style")
                && let Some(style) = style(&node)
            {
                // Of two styles with one id, Word takes the first.
                if !styles.by_id.contains_key(&style.id) {
                    styles.by_id.insert(style.id.clone(), styles.list.len());
                    styles.list.push(style);
                }
            }
        }
        Ok(styles)
    }

    fn read_theme(&mut self, content: &Content, name: &edit::PartName) -> Result<(), Refusal> {
        let document = ooxml::read_xml(content, name)?;
        for node in document.root().descendants().filter(|node| node.is_element()) {
            let prefix = match node.name().local {
                "majorFont" => "major",
                "minorFont" => "minor",
                _ => continue,
            };
            for font in node.elements() {
                let face = || font.value(ns::NONE, "typeface").map(|face| face.into_owned());
                let Some(face) = face().filter(|face| !face.is_empty()) else { continue };
                let places: &[&str] = match font.name().local {
                    "latin" => &["HAnsi", "Ascii"],
                    "ea" => &["EastAsia"],
                    "cs" => &["Bidi"],
                    _ => continue,
                };
                for place in places {
                    self.theme.insert(format!("{prefix}{place}"), face.clone());
                }
            }
        }
        Ok(())
    }

    pub fn iter(&self) -> impl Iterator<Item = &Style> {
        self.list.iter()
    }

    pub fn get(&self, id: &str) -> Option<&Style> {
        self.list.get(*self.by_id.get(id)?)
    }

    /// The style with this id or, in whatever case, this name.
    pub fn find(&self, name: &str) -> Option<&Style> {
        self.get(name).or_else(|| self.list.iter().find(|style| style.name.eq_ignore_ascii_case(name)))
    }

    /// Whether some style hides text.
    pub(crate) fn hide(&self) -> bool {
        self.default_run.is(Toggle::Hidden) || self.list.iter().any(|style| style.run.is(Toggle::Hidden))
    }

    pub fn default_of(&self, kind: StyleKind) -> Option<&Style> {
        self.list.iter().find(|style| style.kind == kind && style.default)
    }

    /// The style and its ancestors, nearest first. A circle ends where it closes.
    pub(crate) fn lineage(&self, id: &str) -> Vec<&Style> {
        let mut lineage = Vec::new();
        let mut seen = HashSet::new();
        let mut next = self.get(id);
        while let Some(style) = next.filter(|style| seen.insert(style.id.as_str())) {
            lineage.push(style);
            next = style.based_on.as_deref().and_then(|id| self.get(id));
        }
        lineage
    }

    pub(crate) fn resolve(&self, own: &ParaProps, table: Option<InTable>) -> Resolved {
        let named = own.style.as_deref().and_then(|id| self.get(id));
        let style = named
            .filter(|style| style.kind == StyleKind::Paragraph)
            .or_else(|| self.default_of(StyleKind::Paragraph));
        let mut resolved = Resolved { props: self.default_paragraph.clone(), ..Resolved::default() };
        if let Some((table, regions)) = table
            && let Some(style) = self.list.get(table)
        {
            let mut lineage = self.lineage(&style.id);
            lineage.reverse();
            for style in &lineage {
                resolved.props.overlay(&style.paragraph);
                resolved.table_run.overlay(&style.run);
            }
            let conditions: Vec<&Conditions> = lineage.iter().map(|style| &style.conditions).collect();
            regions::overlay(&conditions, regions, &mut resolved.props, &mut resolved.table_run);
        }
        // Numbers in the defaults or a table style are no numbers of the paragraph.
        (resolved.props.number, resolved.props.level) = (None, None);
        if let Some(style) = style {
            for style in self.lineage(&style.id).iter().rev() {
                resolved.props.overlay(&style.paragraph);
                resolved.style_run.overlay(&style.run);
            }
            resolved.style = Some(style.id.clone());
        }
        if resolved.props.number.is_some() {
            resolved.numbered_by = NumberedBy::Style;
        }
        if own.number.is_some() {
            resolved.numbered_by = NumberedBy::Paragraph;
        }
        resolved.props.overlay(own);
        resolved.props.mark = own.mark.clone();
        resolved.props.mark_inserted = own.mark_inserted;
        resolved.props.mark_deleted = own.mark_deleted;
        resolved.props.section = own.section;
        resolved.props.style.clone_from(&resolved.style);
        resolved
    }

    /// The formatting of a run with these properties in a paragraph.
    pub fn run(&self, paragraph: &Resolved, own: &RunProps) -> RunProps {
        let mut by_character_style = RunProps::default();
        if let Some(style) = own.style.as_deref().and_then(|id| self.get(id))
            && style.kind == StyleKind::Character
        {
            for style in self.lineage(&style.id).iter().rev() {
                by_character_style.overlay(&style.run);
            }
        }
        let mut run = self.default_run.clone();
        let levels = [&paragraph.table_run, &paragraph.style_run, &by_character_style];
        for level in levels {
            run.overlay(level);
        }
        run.overlay(own);
        for (index, slot) in run.toggles.iter_mut().enumerate() {
            let state = |props: &RunProps| props.toggles.get(index).copied().flatten();
            *slot = state(own).or_else(|| {
                let switched = levels.iter().filter(|level| state(level) == Some(true)).count() % 2 == 1;
                Some(switched || state(&self.default_run) == Some(true))
            });
        }
        run.style.clone_from(&own.style);
        run
    }

    /// The name of a font, looked up in the theme where it is given by place.
    pub fn font_name<'a>(&'a self, font: &'a Font) -> Option<&'a str> {
        match font {
            Font::Named(name) => Some(name),
            Font::Theme(place) => self.theme.get(place).map(String::as_str),
        }
    }

    /// The number of the style of a table: what `w:tblPr` names.
    pub(crate) fn table_style(&self, properties: &[u8]) -> Option<usize> {
        let mut named = None;
        each_child(properties, |child| {
            if child.name == "tblStyle" {
                named = child.val();
            }
        });
        let default = || self.list.iter().position(|style| style.kind == StyleKind::Table && style.default);
        named.and_then(|id| self.by_id.get(&id).copied()).or_else(default)
    }

    /// How a table style cuts tables into regions; `None` if it speaks of all cells alike.
    pub(crate) fn cut(&self, table: usize) -> Option<Cut> {
        let lineage = self.lineage(&self.list.get(table)?.id);
        let conditions = || lineage.iter().map(|style| &style.conditions);
        let said = conditions().fold(Regions::default(), |all, one| all.or(one.regions()));
        (said != Regions::default()).then(|| Cut {
            said,
            row_band: conditions().find_map(|one| one.row_band).unwrap_or(1),
            column_band: conditions().find_map(|one| one.column_band).unwrap_or(1),
        })
    }

    /// How a table style cuts tables where it colours cells; `None` if it colours none.
    pub(crate) fn coloured_cut(&self, table: usize) -> Option<Cut> {
        let lineage = self.lineage(&self.list.get(table)?.id);
        let conditions = || lineage.iter().map(|style| &style.conditions);
        let said = conditions().fold(Regions::default(), |all, one| all.or(one.coloured()));
        (said != Regions::default()).then(|| Cut {
            said,
            row_band: conditions().find_map(|one| one.row_band).unwrap_or(1),
            column_band: conditions().find_map(|one| one.column_band).unwrap_or(1),
        })
    }

    /// The colour that a table style puts behind cells of these regions.
    pub(crate) fn fill(&self, table: usize, regions: Regions) -> Option<&str> {
        let lineage = self.lineage(&self.list.get(table)?.id);
        lineage.into_iter().find_map(|style| style.conditions.fill(regions))
    }

    /// Whether some table style formats the text of some regions apart.
    pub(crate) fn cut_tables(&self) -> bool {
        self.list.iter().any(|style| style.conditions.regions() != Regions::default())
    }
}

impl RunProps {
    pub fn is(&self, toggle: Toggle) -> bool {
        self.toggle(toggle) == Some(true)
    }

    pub(crate) fn is_underlined(&self) -> bool {
        self.underline.as_deref().is_some_and(|underline| underline != "none")
    }
}

fn style(node: &Node<'_>) -> Option<Style> {
    let child = |name: &str| node.child(ns::W, name);
    let named = |name: &str| child(name)?.value(ns::W, "val").map(|value| value.into_owned());
    let on = |name: &str| {
        child(name).is_some_and(|node| {
            node.value(ns::W, "val").is_none_or(|value| crate::document::paragraph::is_on(&value))
        })
    };
    let kind = match node.value(ns::W, "type").as_deref() {
        Some("character") => StyleKind::Character,
        Some("table") => StyleKind::Table,
        Some("numbering") => StyleKind::Numbering,
        _ => StyleKind::Paragraph,
    };
    let id = node.value(ns::W, "styleId")?.into_owned();
    Some(Style {
        name: named("name").unwrap_or_else(|| id.clone()),
        kind,
        default: node.value(ns::W, "default").is_some_and(|value| crate::document::paragraph::is_on(&value)),
        based_on: named("basedOn"),
        next: named("next"),
        link: named("link"),
        hidden: on("semiHidden") || on("hidden"),
        quick: on("qFormat"),
        paragraph: child("pPr").map_or_else(ParaProps::default, |node| ParaProps::read(node.source())),
        run: child("rPr").map_or_else(RunProps::default, |node| RunProps::read(node.source())),
        conditions: match kind {
            StyleKind::Table => Conditions::read(node),
            _ => Conditions::default(),
        },
        id,
    })
}

fn latent(node: &Node<'_>) -> Vec<LatentStyle> {
    let rows = node.elements().filter(|row| row.is(ns::W, "lsdException"));
    rows.filter_map(|row| {
        let tag = row.source();
        let on =
            |name: &str| attribute(tag, name).is_some_and(|value| crate::document::paragraph::is_on(&value));
        let name = attribute(tag, "name")?.into_owned();
        Some(LatentStyle { name, hidden: on("semiHidden"), quick: on("qFormat") })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::document_with;
    use crate::{View, Word};
    use edit::Format;

    fn styles(xml: &str) -> Styles {
        let view: View = Word::view(&document_with("<w:p/>", &[("styles", xml)])).expect("views");
        view.styles().clone()
    }

    fn run(xml: &str, paragraph: &str, run: &str) -> RunProps {
        let styles = styles(xml);
        let paragraph = ParaProps::read(format!("<w:pPr>{paragraph}</w:pPr>").as_bytes());
        let resolved = styles.resolve(&paragraph, None);
        styles.run(&resolved, &RunProps::read(format!("<w:rPr>{run}</w:rPr>").as_bytes()))
    }

    const BOLD: &str = "<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"N\"><w:name w:val=\"Normal\"/></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"H\"><w:basedOn w:val=\"N\"/><w:rPr><w:b/><w:sz w:val=\"40\"/></w:rPr></w:style>\
         <w:style w:type=\"paragraph\" w:styleId=\"H2\"><w:basedOn w:val=\"H\"/><w:rPr><w:sz w:val=\"30\"/></w:rPr></w:style>\
         <w:style w:type=\"character\" w:styleId=\"Strong\"><w:rPr><w:b/></w:rPr></w:style>";

    #[test]
    fn a_toggle_stated_by_two_kinds_of_style_is_off_again() {
        let bold = |paragraph: &str, own: &str| run(BOLD, paragraph, own).is(Toggle::Bold);
        assert!(bold("<w:pStyle w:val=\"H\"/>", ""));
        assert!(bold("", "<w:rStyle w:val=\"Strong\"/>"));
        assert!(!bold("<w:pStyle w:val=\"H\"/>", "<w:rStyle w:val=\"Strong\"/>"));
        assert!(bold("<w:pStyle w:val=\"H\"/>", "<w:rStyle w:val=\"Strong\"/><w:b/>"));
        assert!(!bold("<w:pStyle w:val=\"H\"/>", "<w:b w:val=\"0\"/>"));
    }

    #[test]
    fn an_heir_takes_what_it_does_not_say_from_its_ancestor() {
        let heir = run(BOLD, "<w:pStyle w:val=\"H2\"/>", "");
        assert_eq!((heir.is(Toggle::Bold), heir.size), (true, Some(30)));
        assert_eq!(run(BOLD, "<w:pStyle w:val=\"Unknown\"/>", "").size, None);
    }

    #[test]
    fn styles_that_go_in_circles_end() {
        let circle = "<w:style w:type=\"paragraph\" w:styleId=\"A\"><w:basedOn w:val=\"B\"/></w:style>\
             <w:style w:type=\"paragraph\" w:styleId=\"B\"><w:basedOn w:val=\"A\"/><w:rPr><w:i/></w:rPr></w:style>";
        assert!(run(circle, "<w:pStyle w:val=\"A\"/>", "").is(Toggle::Italic));
    }

    #[test]
    fn measures_of_the_strict_format_are_understood() {
        let props = ParaProps::read(b"<w:pPr><w:ind w:start=\"36pt\" w:hanging=\"0.25in\"/></w:pPr>");
        assert_eq!((props.left, props.first), (Some(720), Some(-360)));
    }
}
