//! The order in which the schema wants the children of property elements.
//!
//! Word reads most of them in any order and repairs or refuses some; validators refuse all. So a new child is
//! always put where the schema has it, beside children that keep their place.

use ooxml::xml::Node;

use crate::edits::anatomy::word_name;

/// Property elements whose children have an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parent {
    Paragraph,
    Run,
    Table,
    Row,
    Cell,
    Section,
}

/// Local names in schema order. A name that is not listed keeps its place before the change records.
pub(crate) fn order(parent: Parent) -> &'static [&'static str] {
    match parent {
        Parent::Paragraph => PARAGRAPH,
        Parent::Run => RUN,
        Parent::Table => TABLE,
        Parent::Row => ROW,
        Parent::Cell => CELL,
        Parent::Section => SECTION,
    }
}

/// Which of `children` the new child `name` goes before; `None` to append it.
pub(crate) fn place<'a>(
    parent: Parent,
    name: &str,
    children: impl IntoIterator<Item = &'a str>,
) -> Option<usize> {
    let order = order(parent);
    let rank = |name: &str| order.iter().position(|known| *known == name);
    let wanted = rank(name)?;
    children.into_iter().position(|child| match rank(child) {
        Some(rank) => rank > wanted,
        // Extensions (`w14:…`) stand behind everything of `w:` but the record of a change.
        None => name != "rPrChange" && name != "pPrChange" && !name.ends_with("PrChange"),
    })
}

const PARAGRAPH: &[&str] = &[
    "pStyle",
    "keepNext",
    "keepLines",
    "pageBreakBefore",
    "framePr",
    "widowControl",
    "numPr",
    "suppressLineNumbers",
    "pBdr",
    "shd",
    "tabs",
    "suppressAutoHyphens",
    "kinsoku",
    "wordWrap",
    "overflowPunct",
    "topLinePunct",
    "autoSpaceDE",
    "autoSpaceDN",
    "bidi",
    "adjustRightInd",
    "snapToGrid",
    "spacing",
    "ind",
    "contextualSpacing",
    "mirrorIndents",
    "suppressOverlap",
    "jc",
    "textDirection",
    "textAlignment",
    "textboxTightWrap",
    "outlineLvl",
    "divId",
    "cnfStyle",
    "rPr",
    "sectPr",
    "pPrChange",
];

const RUN: &[&str] = &[
    "ins",
    "del",
    "moveFrom",
    "moveTo",
    "rStyle",
    "rFonts",
    "b",
    "bCs",
    "i",
    "iCs",
    "caps",
    "smallCaps",
    "strike",
    "dstrike",
    "outline",
    "shadow",
    "emboss",
    "imprint",
    "noProof",
    "snapToGrid",
    "vanish",
    "webHidden",
    "color",
    "spacing",
    "w",
    "kern",
    "position",
    "sz",
    "szCs",
    "highlight",
    "u",
    "effect",
    "bdr",
    "shd",
    "fitText",
    "vertAlign",
    "rtl",
    "cs",
    "em",
    "lang",
    "eastAsianLayout",
    "specVanish",
    "oMath",
    "rPrChange",
];

const TABLE: &[&str] = &[
    "tblStyle",
    "tblpPr",
    "tblOverlap",
    "bidiVisual",
    "tblStyleRowBandSize",
    "tblStyleColBandSize",
    "tblW",
    "jc",
    "tblCellSpacing",
    "tblInd",
    "tblBorders",
    "shd",
    "tblLayout",
    "tblCellMar",
    "tblLook",
    "tblCaption",
    "tblDescription",
    "tblPrChange",
];

const ROW: &[&str] = &[
    "cnfStyle",
    "divId",
    "gridBefore",
    "gridAfter",
    "wBefore",
    "wAfter",
    "cantSplit",
    "trHeight",
    "tblHeader",
    "tblCellSpacing",
    "jc",
    "hidden",
    "ins",
    "del",
    "trPrChange",
];

const CELL: &[&str] = &[
    "cnfStyle",
    "tcW",
    "gridSpan",
    "hMerge",
    "vMerge",
    "tcBorders",
    "shd",
    "noWrap",
    "tcMar",
    "textDirection",
    "tcFitText",
    "vAlign",
    "hideMark",
    "headers",
    "cellIns",
    "cellDel",
    "cellMerge",
    "tcPrChange",
];

const SECTION: &[&str] = &[
    "headerReference",
    "footerReference",
    "footnotePr",
    "endnotePr",
    "type",
    "pgSz",
    "pgMar",
    "paperSrc",
    "pgBorders",
    "lnNumType",
    "pgNumType",
    "cols",
    "formProt",
    "vAlign",
    "noEndnote",
    "titlePg",
    "textDirection",
    "bidi",
    "rtlGutter",
    "docGrid",
    "printerSettings",
    "sectPrChange",
];

/// Puts children that are written anew into the order of the schema; those it does not list stay behind.
pub(crate) fn sort<T>(parent: Parent, children: &mut [T], name: impl Fn(&T) -> &str) {
    let order = order(parent);
    children.sort_by_key(|child| {
        let rank = order.iter().position(|known| *known == name(child));
        rank.unwrap_or(if name(child).ends_with("Change") { usize::MAX } else { order.len() - 1 })
    });
}

/// Those children of a property element that are wanted, written anew: in the order of the schema, and each once. Where
/// a file has one twice, the last counts.
pub(crate) fn written(parent: Parent, properties: Option<Node<'_>>, wanted: impl Fn(&str) -> bool) -> String {
    let mut children: Vec<Node<'_>> = Vec::new();
    for child in properties.iter().flat_map(Node::elements).filter(|child| wanted(word_name(child))) {
        children.retain(|known| known.name() != child.name());
        children.push(child);
    }
    sort(parent, &mut children, |child| child.name().local);
    children.iter().map(|child| String::from_utf8_lossy(child.source())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_child_goes_where_the_schema_has_it() {
        let run = ["rStyle", "b", "sz", "lang"];
        assert_eq!(place(Parent::Run, "i", run), Some(2));
        assert_eq!(place(Parent::Run, "rStyle", []), None);
        assert_eq!(place(Parent::Run, "rFonts", run), Some(1));
        assert_eq!(place(Parent::Run, "rPrChange", run), None);
        assert_eq!(place(Parent::Run, "u", ["b", "ligatures", "rPrChange"]), Some(1));
        assert_eq!(place(Parent::Run, "rPrChange", ["b", "ligatures"]), None);
        assert_eq!(place(Parent::Paragraph, "numPr", ["pStyle", "spacing", "rPr"]), Some(1));
    }

    #[test]
    fn no_name_is_listed_twice() {
        for parent in
            [Parent::Paragraph, Parent::Run, Parent::Table, Parent::Row, Parent::Cell, Parent::Section]
        {
            let mut names = order(parent).to_vec();
            names.sort_unstable();
            let all = names.len();
            names.dedup();
            assert_eq!(all, names.len(), "{parent:?}");
        }
    }
}
