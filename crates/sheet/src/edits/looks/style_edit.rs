//! New formats: what a change of style makes of the format a cell has.
//!
//! Formats are shared and never changed in place, because other cells use them; a change appends what is not
//! there yet and answers its index.

use std::collections::BTreeMap;

use edit::{Blob, OrEmpty, PartName, Patch, Refusal};
use ooxml::xml::{Node, escape_attribute, ns};

use crate::calc::view::View;
use crate::edits::looks::style_change::{
    AlignmentChange, BorderChange, EdgeChange, FillChange, FontChange, GradientForm, StyleChange,
};
use crate::edits::objects::attached::{self, NewPart};
use crate::file::styles::{BUILT_IN, Color, Styles};
use crate::file::workbook::number;
use crate::file::xml_edit::{self, DECLARATION, STYLES_ORDER, Xml};

/// Formats of cells that a workbook may have.
const MAX_FORMATS: usize = 65_490;

/// A styles part for a workbook that has none, with the one format that its cells have been shown in.
pub(crate) fn new_part(view: &View) -> Result<Patch, Refusal> {
    const INSIDE: &str = concat!(
        r#"<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>"#,
        r#"<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>"#,
        r#"<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"#,
        r#"<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>"#,
        r#"<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>"#,
        r#"<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>"#
    );
    const TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml";
    let usual = PartName::new(format!("{}styles.xml", attached::folder(view)));
    let part = match view.content.contains(&usual) {
        true => ooxml::free_name(&view.content, &format!("{}styles", attached::folder(view)), "xml"),
        false => usual,
    };
    let markup =
        format!("{DECLARATION}<styleSheet xmlns=\"{}\">{INSIDE}</styleSheet>", attached::namespace(view));
    let kind = attached::kind(view, "styles");
    let new = NewPart { part: &part, kind: &kind, content_type: TYPE, bytes: Blob::from(markup) };
    let mut patch = Patch::new();
    attached::attach(view, &mut patch, &view.workbook.part, vec![new])?;
    Ok(patch)
}

/// Formats to be added by one edit.
#[derive(Debug)]
pub(crate) struct NewStyles<'a> {
    styles: &'a Styles,
    formats: Vec<(u32, String)>,
    fonts: Additions,
    fills: Additions,
    borders: Additions,
    xfs: Additions,
    differentials: Additions,
    /// Results by the style they started from, for one kind of change at a time.
    known: BTreeMap<(u32, String), u32>,
}

/// Elements for the end of a list.
#[derive(Debug, Default)]
struct Additions {
    markup: Vec<String>,
}

impl<'a> NewStyles<'a> {
    pub(crate) fn new(styles: &'a Styles) -> NewStyles<'a> {
        NewStyles {
            styles,
            formats: Vec::new(),
            fonts: Additions::default(),
            fills: Additions::default(),
            borders: Additions::default(),
            xfs: Additions::default(),
            differentials: Additions::default(),
            known: BTreeMap::new(),
        }
    }

    pub(crate) fn number_format(&self, style: u32) -> &str {
        self.styles.number_format(style)
    }

    /// The font of a format, as the file has it.
    pub(crate) fn font(&self, style: u32) -> Option<Node<'a>> {
        let id = self.styles.xf(style).and_then(|xf| number(&xf, "fontId"))?;
        self.styles.node(&self.styles.fonts, id)
    }

    pub(crate) fn with_number_format(&mut self, style: u32, code: &str) -> Result<u32, Refusal> {
        let change = StyleChange { number_format: Some(code.to_owned()), ..StyleChange::default() };
        self.with(style, &change)
    }

    /// The format that `change` makes of format `style`.
    pub(crate) fn with(&mut self, style: u32, change: &StyleChange) -> Result<u32, Refusal> {
        if let Some(like) = change.like {
            if self.styles.xf(like).is_none() && like != 0 {
                return Err(Refusal::not_found("cell format", like.to_string()));
            }
            let rest = StyleChange { like: None, ..change.clone() };
            return if rest == StyleChange::default() { Ok(like) } else { self.with(like, &rest) };
        }
        let key = (style, format!("{change:?}"));
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        crate::edits::looks::style_values::check_style(change)?;
        let styles = self.styles;
        let base = styles.xf(style);
        let mut attributes: Vec<(String, String)> = Vec::new();
        if let Some(xf) = &base {
            for attribute in xf.attributes() {
                attributes.push((attribute.qualified().to_owned(), attribute.raw().to_owned()));
            }
        } else {
            for name in ["numFmtId", "fontId", "fillId", "borderId", "xfId"] {
                attributes.push((name.to_owned(), "0".to_owned()));
            }
        }
        let mut set = |name: &str, value: String| match attributes.iter_mut().find(|(known, _)| known == name)
        {
            Some((_, old)) => *old = value,
            None => attributes.push((name.to_owned(), value)),
        };
        let part = |name: &str| base.as_ref().and_then(|xf| number(xf, name)).unwrap_or(0);
        if let Some(code) = &change.number_format {
            set("numFmtId", self.format_id(code)?.to_string());
            set("applyNumberFormat", "1".to_owned());
        }
        let prefix = prefix(styles);
        if let Some(font) = &change.font {
            let base = styles.node(&styles.fonts, part("fontId"));
            let markup = font_markup(base, font, &prefix);
            set("fontId", self.fonts.index(styles, &styles.fonts, markup).to_string());
            set("applyFont", "1".to_owned());
        }
        if let Some(fill) = &change.fill {
            let markup = fill_markup(fill, &prefix);
            set("fillId", self.fills.index(styles, &styles.fills, markup).to_string());
            set("applyFill", "1".to_owned());
        }
        if let Some(border) = &change.border {
            let base = styles.node(&styles.borders, part("borderId"));
            let markup = border_markup(base, border, &prefix);
            set("borderId", self.borders.index(styles, &styles.borders, markup).to_string());
            set("applyBorder", "1".to_owned());
        }
        let old = |name| base.as_ref().and_then(|xf| xf.child(ns::S, name));
        let mut inside = String::new();
        match &change.alignment {
            Some(alignment) => {
                inside.push_str(&alignment_markup(old("alignment"), alignment, &prefix));
                set("applyAlignment", "1".to_owned());
            }
            None => inside.extend(old("alignment").map(source)),
        }
        if change.locked.is_some() || change.formula_hidden.is_some() {
            let now = styles.style(style);
            let bit = |flag| if flag { "1" } else { "0" };
            let locked = bit(change.locked.unwrap_or(now.locked));
            let hidden = bit(change.formula_hidden.unwrap_or(now.formula_hidden));
            inside.push_str(&format!("<{prefix}protection locked=\"{locked}\" hidden=\"{hidden}\"/>"));
            set("applyProtection", "1".to_owned());
        } else {
            inside.extend(old("protection").map(source));
        }
        inside.extend(old("extLst").map(source));
        let attributes = xml_edit::attributes(&attributes);
        let markup = match inside.is_empty() {
            true => format!("<{prefix}xf{attributes}/>"),
            false => format!("<{prefix}xf{attributes}>{inside}</{prefix}xf>"),
        };
        let index = self.xfs.index(styles, &styles.xfs, markup);
        if index as usize >= MAX_FORMATS {
            return Err(Refusal::Limit {
                what: "the number of cell formats".into(),
                found: (index + 1).to_string(),
                limit: MAX_FORMATS.to_string(),
            });
        }
        self.known.insert(key, index);
        Ok(index)
    }

    /// A differential format, as conditional formats use them: font, fill, border and number format only.
    pub(crate) fn differential(&mut self, change: &StyleChange) -> Result<u32, Refusal> {
        crate::edits::looks::style_values::check_style(change)?;
        let prefix = prefix(self.styles);
        let mut inside = String::new();
        if let Some(font) = &change.font {
            inside.push_str(&font_markup(None, font, &prefix));
        }
        if let Some(code) = &change.number_format {
            let id = self.format_id(code)?;
            let code = escape_attribute(code);
            inside.push_str(&format!("<{prefix}numFmt numFmtId=\"{id}\" formatCode=\"{code}\"/>"));
        }
        match &change.fill {
            // In a differential format the colour that shows is the background.
            Some(FillChange::Solid(color)) => inside.push_str(&format!(
                "<{prefix}fill><{prefix}patternFill>{}</{prefix}patternFill></{prefix}fill>",
                color_markup(color, "bgColor", &prefix)
            )),
            Some(fill) => inside.push_str(&fill_markup(fill, &prefix)),
            None => {}
        }
        if let Some(border) = &change.border {
            inside.push_str(&border_markup(None, border, &prefix));
        }
        let markup = format!("<{prefix}dxf>{inside}</{prefix}dxf>");
        Ok(self.differentials.index(self.styles, &self.styles.differentials, markup))
    }

    fn format_id(&mut self, code: &str) -> Result<u32, Refusal> {
        if let Some((id, _)) = BUILT_IN.iter().find(|(_, known)| *known == code) {
            return Ok(*id);
        }
        let known = self.styles.formats.iter().find(|(_, known)| *known == code).map(|(id, _)| *id);
        if let Some(id) =
            known.or_else(|| self.formats.iter().find(|(_, known)| known == code).map(|(id, _)| *id))
        {
            return Ok(id);
        }
        let last = self.styles.formats.keys().last().copied().unwrap_or(0);
        let id = self.formats.last().map_or(last, |(id, _)| *id).max(163) + 1;
        self.formats.push((id, code.to_owned()));
        Ok(id)
    }

    pub(crate) fn finish(self, patch: &mut Patch) -> Result<(), Refusal> {
        let styles = self.styles;
        let prefix = prefix(styles);
        let formats: Vec<String> = self
            .formats
            .iter()
            .map(|(id, code)| {
                format!("<{prefix}numFmt numFmtId=\"{id}\" formatCode=\"{}\"/>", escape_attribute(code))
            })
            .collect();
        for (list, markup) in [
            ("numFmts", formats),
            ("fonts", self.fonts.markup),
            ("fills", self.fills.markup),
            ("borders", self.borders.markup),
            ("cellXfs", self.xfs.markup),
            ("dxfs", self.differentials.markup),
        ] {
            append_list(styles, patch, list, &markup)?;
        }
        Ok(())
    }
}

impl Additions {
    /// The index of an element: of an equal one, or of one that is added.
    fn index(&mut self, styles: &Styles, list: &[ooxml::xml::NodeId], markup: String) -> u32 {
        let equal = |index: &usize| {
            styles.node(list, *index as u32).is_some_and(|node| node.source() == markup.as_bytes())
        };
        if let Some(known) = (0..list.len()).find(equal) {
            return known as u32;
        }
        let added = self.markup.iter().position(|known| *known == markup).unwrap_or_else(|| {
            self.markup.push(markup);
            self.markup.len() - 1
        });
        (list.len() + added) as u32
    }
}

fn append_list(styles: &Styles, patch: &mut Patch, list: &str, markup: &[String]) -> Result<(), Refusal> {
    if markup.is_empty() {
        return Ok(());
    }
    let xml = Xml::new(&styles.part, &styles.document);
    let joined = markup.concat();
    let Some(node) = styles.document.root().child(ns::S, list) else {
        let prefix = xml.prefix();
        let whole = format!("<{prefix}{list} count=\"{}\">{joined}</{prefix}{list}>", markup.len());
        return xml.insert(patch, STYLES_ORDER, list, &whole);
    };
    if let Some(count) = number(&node, "count") {
        xml.set_attribute(patch, &node, "count", &(count as usize + markup.len()).to_string())?;
    }
    xml.append(patch, &node, &joined)
}

fn prefix(styles: &Styles) -> String {
    Xml::new(&styles.part, &styles.document).prefix()
}

fn source(node: Node<'_>) -> String {
    String::from_utf8_lossy(node.source()).into_owned()
}

/// The children of an element by name, each as written.
fn children(node: Option<Node<'_>>) -> Vec<(String, String)> {
    let Some(node) = node else { return Vec::new() };
    node.elements().map(|child| (child.name().local.to_owned(), source(child))).collect()
}

fn replace(children: &mut Vec<(String, String)>, name: &str, markup: Option<String>) {
    children.retain(|(known, _)| known != name);
    children.extend(markup.map(|markup| (name.to_owned(), markup)));
}

fn in_order(mut children: Vec<(String, String)>, order: &[&str]) -> String {
    children.sort_by_key(|(name, _)| order.iter().position(|known| known == name).unwrap_or(order.len()));
    children.into_iter().map(|(_, markup)| markup).collect()
}

/// The order of what a font says, as Excel writes it.
const FONT_ORDER: &[&str] = &[
    "b",
    "i",
    "strike",
    "condense",
    "extend",
    "outline",
    "shadow",
    "u",
    "vertAlign",
    "sz",
    "color",
    "name",
    "rFont",
    "family",
    "charset",
    "scheme",
];

fn font_markup(base: Option<Node<'_>>, change: &FontChange, prefix: &str) -> String {
    let mut children = children(base);
    change_font(&mut children, change, "name", prefix);
    format!("<{prefix}font>{}</{prefix}font>", in_order(children, FONT_ORDER))
}

/// The font of a piece of text: all of the cell's, since a piece inherits nothing, with the change.
pub(crate) fn run_properties(cell: Option<Node<'_>>, change: &FontChange, prefix: &str) -> String {
    let mut children = Vec::new();
    let known = cell.map(|font| font.elements().collect::<Vec<_>>()).or_empty();
    for child in known {
        // The styles may spell their elements with another prefix than the strings do.
        let name = match child.name().local {
            "name" => "rFont",
            other => other,
        };
        let attributes =
            child.attributes().filter(|attribute| attribute.qualified() == "val" || name == "color");
        let attributes: String = attributes
            .map(|attribute| format!(" {}=\"{}\"", attribute.qualified(), attribute.raw()))
            .collect();
        children.push((name.to_owned(), format!("<{prefix}{name}{attributes}/>")));
    }
    change_font(&mut children, change, "rFont", prefix);
    match children.is_empty() {
        true => String::new(),
        false => format!("<{prefix}rPr>{}</{prefix}rPr>", in_order(children, FONT_ORDER)),
    }
}

fn change_font(children: &mut Vec<(String, String)>, change: &FontChange, name_element: &str, prefix: &str) {
    for (_, markup) in children.iter_mut().filter(|(name, _)| name == "color") {
        *markup = with_opacity(markup);
    }
    for (name, switch) in [("b", change.bold), ("i", change.italic), ("strike", change.strike)] {
        if let Some(on) = switch {
            replace(children, name, on.then(|| format!("<{prefix}{name}/>")));
        }
    }
    if let Some(underline) = &change.underline {
        let markup = match underline.as_str() {
            "none" => None,
            "single" => Some(format!("<{prefix}u/>")),
            other => Some(format!("<{prefix}u val=\"{}\"/>", escape_attribute(other))),
        };
        replace(children, "u", markup);
    }
    if let Some(vertical) = &change.vertical {
        let markup = (vertical != "none")
            .then(|| format!("<{prefix}vertAlign val=\"{}\"/>", escape_attribute(vertical)));
        replace(children, "vertAlign", markup);
    }
    if let Some(size) = change.size {
        replace(children, "sz", Some(format!("<{prefix}sz val=\"{size}\"/>")));
    }
    if let Some(color) = &change.color {
        replace(children, "color", Some(color_markup(color, "color", prefix)));
    }
    if let Some(name) = &change.name {
        let markup = format!("<{prefix}{name_element} val=\"{}\"/>", escape_attribute(name));
        replace(children, name_element, Some(markup));
        // Scheme and family belong to the font that was replaced.
        replace(children, "scheme", None);
        replace(children, "family", None);
    }
}

/// Colours of six digits, as some programs write them, are not copied that way: they have eight.
fn with_opacity(markup: &str) -> String {
    match markup.split_once("rgb=\"") {
        Some((before, after)) if after.find('"') == Some(6) => format!("{before}rgb=\"FF{after}"),
        _ => markup.to_owned(),
    }
}

pub(crate) fn color_markup(color: &Color, name: &str, prefix: &str) -> String {
    match color {
        Color::Rgb(digits) => {
            let digits = digits.trim_start_matches('#').to_ascii_uppercase();
            let digits = if digits.len() == 6 { format!("FF{digits}") } else { digits };
            format!("<{prefix}{name} rgb=\"{}\"/>", escape_attribute(&digits))
        }
        Color::Theme { index, tint } if *tint == 0.0 => format!("<{prefix}{name} theme=\"{index}\"/>"),
        Color::Theme { index, tint } => format!("<{prefix}{name} theme=\"{index}\" tint=\"{tint}\"/>"),
        Color::Indexed(index) => format!("<{prefix}{name} indexed=\"{index}\"/>"),
        Color::Automatic => format!("<{prefix}{name} auto=\"1\"/>"),
    }
}

fn fill_markup(change: &FillChange, prefix: &str) -> String {
    let inside = match change {
        FillChange::None => format!("<{prefix}patternFill patternType=\"none\"/>"),
        FillChange::Solid(color) => format!(
            "<{prefix}patternFill patternType=\"solid\">{}<{prefix}bgColor indexed=\"64\"/></{prefix}patternFill>",
            color_markup(color, "fgColor", prefix)
        ),
        FillChange::Pattern { pattern, color, background } => {
            let paint = |color: &Option<Color>, name| {
                color.as_ref().map(|color| color_markup(color, name, prefix)).or_empty()
            };
            format!(
                "<{prefix}patternFill patternType=\"{pattern}\">{}{}</{prefix}patternFill>",
                paint(color, "fgColor"),
                paint(background, "bgColor")
            )
        }
        FillChange::Gradient(gradient) => {
            let shape = match gradient.shape {
                GradientForm::Linear(degree) => format!(" degree=\"{degree}\""),
                GradientForm::Path { left, right, top, bottom } => {
                    format!(
                        " type=\"path\" left=\"{left}\" right=\"{right}\" top=\"{top}\" bottom=\"{bottom}\""
                    )
                }
            };
            let stops = gradient.stops.iter().map(|(place, color)| {
                let color = color_markup(color, "color", prefix);
                format!("<{prefix}stop position=\"{place}\">{color}</{prefix}stop>")
            });
            format!("<{prefix}gradientFill{shape}>{}</{prefix}gradientFill>", stops.collect::<String>())
        }
    };
    format!("<{prefix}fill>{inside}</{prefix}fill>")
}

fn border_markup(base: Option<Node<'_>>, change: &BorderChange, prefix: &str) -> String {
    const ORDER: &[&str] =
        &["start", "left", "end", "right", "top", "bottom", "diagonal", "vertical", "horizontal"];
    let whole = base.is_some() || change.left.is_some();
    let mut attributes: Vec<(String, String)> = base.map_or_else(Vec::new, |node| {
        node.attributes().map(|a| (a.qualified().to_owned(), a.raw().to_owned())).collect()
    });
    for (name, on) in [("diagonalUp", change.diagonal_up), ("diagonalDown", change.diagonal_down)] {
        let Some(on) = on else { continue };
        attributes.retain(|(known, _)| known != name);
        attributes.extend(on.then(|| (name.to_owned(), "1".to_owned())));
    }
    let mut children = children(base);
    let edges = [
        ("left", &change.left),
        ("right", &change.right),
        ("top", &change.top),
        ("bottom", &change.bottom),
        ("diagonal", &change.diagonal),
    ];
    for (name, edge) in edges {
        let known = children.iter().any(|(known, _)| known == name);
        let markup = match edge {
            None if known || !whole || name == "diagonal" => continue,
            None | Some(EdgeChange::None) => format!("<{prefix}{name}/>"),
            Some(EdgeChange::Line(edge)) => {
                let color = edge.color.clone().unwrap_or(Color::Automatic);
                format!(
                    "<{prefix}{name} style=\"{}\">{}</{prefix}{name}>",
                    escape_attribute(&edge.style),
                    color_markup(&color, "color", prefix)
                )
            }
        };
        replace(&mut children, name, Some(markup));
    }
    let attributes = xml_edit::attributes(&attributes);
    format!("<{prefix}border{attributes}>{}</{prefix}border>", in_order(children, ORDER))
}

fn alignment_markup(base: Option<Node<'_>>, change: &AlignmentChange, prefix: &str) -> String {
    let mut attributes: Vec<(String, String)> = base.map_or_else(Vec::new, |node| {
        node.attributes().map(|a| (a.qualified().to_owned(), a.raw().to_owned())).collect()
    });
    let mut set = |name: &str, value: Option<String>| {
        let Some(value) = value else { return };
        attributes.retain(|(known, _)| known != name);
        attributes.push((name.to_owned(), value));
    };
    let bit = |flag: bool| if flag { "1" } else { "0" }.to_owned();
    set("horizontal", change.horizontal.as_deref().map(|text| escape_attribute(text).into_owned()));
    set("vertical", change.vertical.as_deref().map(|text| escape_attribute(text).into_owned()));
    set("wrapText", change.wrap.map(bit));
    set("shrinkToFit", change.shrink.map(bit));
    set("indent", change.indent.map(|indent| indent.to_string()));
    set("textRotation", change.rotation.map(|rotation| rotation.to_string()));
    format!("<{prefix}alignment{}/>", xml_edit::attributes(&attributes))
}
