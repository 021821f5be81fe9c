//! The elements this engine knows, and how a prefix leads to them.
//!
//! Prefixes are a writer's choice: `w:p`, `ns0:p` and a bare `p` can all be a paragraph. A scope holds the
//! prefixes that stand for vocabularies we know; names are resolved once and remembered by the scanner.

use std::borrow::Cow;

use edit::Cut;
use ooxml::xml::ns;

/// The vocabularies whose elements matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    Word,
    Math,
    Compatibility,
    Drawing,
    Vml,
    Office,
    Word2010,
    Foreign,
}

impl Vocabulary {
    fn of(uri: &str) -> Self {
        match ns::transitional(uri) {
            ns::W => Self::Word,
            ns::M => Self::Math,
            ns::MC => Self::Compatibility,
            ns::WP => Self::Drawing,
            ns::V => Self::Vml,
            ns::O => Self::Office,
            ns::W14 => Self::Word2010,
            _ => Self::Foreign,
        }
    }
}

/// Prefixes in scope, the innermost last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    bindings: Vec<(Box<[u8]>, Vocabulary)>,
}

impl Scope {
    /// Word's usual prefixes, for pieces of XML that stand alone in tests.
    #[cfg(test)]
    pub(crate) fn usual() -> Self {
        let pairs: [(&[u8], Vocabulary); 7] = [
            (b"w", Vocabulary::Word),
            (b"m", Vocabulary::Math),
            (b"mc", Vocabulary::Compatibility),
            (b"wp", Vocabulary::Drawing),
            (b"v", Vocabulary::Vml),
            (b"o", Vocabulary::Office),
            (b"w14", Vocabulary::Word2010),
        ];
        Self { bindings: pairs.iter().map(|(prefix, of)| (Box::from(*prefix), *of)).collect() }
    }

    /// This scope with what the tag declares.
    pub(crate) fn with(&self, tag: &[u8]) -> Self {
        let mut scope = self.clone();
        for attribute in attributes(tag) {
            let prefix = match attribute.name.strip_prefix(b"xmlns") {
                Some(b"") => &b""[..],
                Some(rest) => match rest.strip_prefix(b":") {
                    Some(prefix) => prefix,
                    None => continue,
                },
                None => continue,
            };
            scope.bindings.push((Box::from(prefix), Vocabulary::of(&attribute.value())));
        }
        scope
    }

    pub(crate) fn vocabulary(&self, prefix: &[u8]) -> Vocabulary {
        let bound = self.bindings.iter().rev().find(|(known, _)| **known == *prefix);
        bound.map_or(Vocabulary::Foreign, |(_, vocabulary)| *vocabulary)
    }

    pub(crate) fn element(&self, name: &[u8]) -> El {
        let (prefix, local) = match memchr::memchr(b':', name) {
            Some(colon) => (name.part(..colon), name.left(colon + 1)),
            None => (&b""[..], name),
        };
        El::of(self.vocabulary(prefix), local)
    }
}

macro_rules! elements {
    ($($vocabulary:ident { $($local:literal $variant:ident),+ $(,)? })+) => {
        /// An element by its meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum El { Other, $($($variant),+),+ }

        impl El {
            fn of(vocabulary: Vocabulary, local: &[u8]) -> El {
                let Ok(local) = std::str::from_utf8(local) else { return El::Other };
                match vocabulary {
                    $(Vocabulary::$vocabulary => match local { $($local => El::$variant,)+ _ => El::Other },)+
                    _ => El::Other,
                }
            }
        }
    };
}

elements! {
    Word {
        "document" Document, "body" Body, "hdr" Hdr, "ftr" Ftr, "footnotes" Footnotes, "endnotes" Endnotes,
        "comments" Comments, "footnote" Footnote, "endnote" Endnote, "comment" Comment,
        "p" P, "pPr" PPr, "r" R, "rPr" RPr, "t" T, "delText" DelText, "instrText" InstrText,
        "delInstrText" DelInstrText, "tab" Tab, "ptab" PTab, "br" Br, "cr" Cr, "noBreakHyphen" NoBreakHyphen,
        "softHyphen" SoftHyphen, "sym" Sym, "fldChar" FldChar, "fldSimple" FldSimple, "fldData" FldData,
        "ffData" FfData, "hyperlink" Hyperlink, "footnoteReference" FootnoteReference,
        "endnoteReference" EndnoteReference, "footnoteRef" FootnoteRef, "endnoteRef" EndnoteRef,
        "annotationRef" AnnotationRef, "commentReference" CommentReference,
        "commentRangeStart" CommentRangeStart, "commentRangeEnd" CommentRangeEnd,
        "bookmarkStart" BookmarkStart, "bookmarkEnd" BookmarkEnd, "ins" Ins, "del" Del,
        "moveFrom" MoveFrom, "moveTo" MoveTo, "moveFromRangeStart" MoveFromRangeStart,
        "moveFromRangeEnd" MoveFromRangeEnd, "moveToRangeStart" MoveToRangeStart,
        "moveToRangeEnd" MoveToRangeEnd, "permStart" PermStart, "permEnd" PermEnd, "proofErr" ProofErr,
        "sdt" Sdt, "sdtPr" SdtPr, "sdtEndPr" SdtEndPr, "sdtContent" SdtContent, "smartTag" SmartTag,
        "smartTagPr" SmartTagPr, "customXml" CustomXml, "customXmlPr" CustomXmlPr, "altChunk" AltChunk,
        "tbl" Tbl, "tr" Tr, "tc" Tc, "tblPr" TblPr, "tblGrid" TblGrid, "trPr" TrPr, "tcPr" TcPr,
        "tblPrEx" TblPrEx, "sectPr" SectPr, "txbxContent" TxbxContent, "drawing" Drawing, "pict" Pict,
        "object" Object, "ruby" Ruby, "rubyBase" RubyBase, "rt" Rt, "rubyPr" RubyPr, "dir" Dir, "bdo" Bdo,
        "pgNum" PgNum, "separator" Separator, "continuationSeparator" ContinuationSeparator,
        "lastRenderedPageBreak" LastRenderedPageBreak, "contentPart" ContentPart, "subDoc" SubDoc,
        "gridSpan" GridSpan, "vMerge" VMerge, "hMerge" HMerge, "gridBefore" GridBefore, "cellDel" CellDel,
        "cellIns" CellIns, "docPartBody" DocPartBody, "dayLong" DayLong, "dayShort" DayShort,
        "monthLong" MonthLong, "monthShort" MonthShort, "yearLong" YearLong, "yearShort" YearShort,
        "tag" SdtTag, "alias" SdtAlias, "lock" SdtLock, "id" SdtId, "dataBinding" DataBinding,
        "showingPlcHdr" ShowingPlaceholder, "checkBox" FormCheckBox, "ddList" FormList,
        "dropDownList" DropDownList, "comboBox" ComboBox, "date" SdtDate, "picture" SdtPicture,
        "text" SdtText, "richText" SdtRichText, "docPartList" DocPartList, "docPartObj" DocPartObj,
        "group" SdtGroup, "citation" SdtCitation, "bibliography" SdtBibliography, "equation" SdtEquation,
    }
    Math {
        "oMath" OMath, "oMathPara" OMathPara, "t" MathText, "r" MathRun, "num" MathNumerator,
        "den" MathDenominator, "sup" MathSup, "sub" MathSub, "sSup" MathSuperscript,
        "sSub" MathSubscript, "sSubSup" MathScripts, "sPre" MathPrescripts, "rad" MathRoot, "d" MathBrackets, "begChr" MathOpening,
        "endChr" MathClosing, "sepChr" MathSeparator, "nary" MathOperator, "chr" MathCharacter, "e" MathBase,
    }
    Compatibility { "AlternateContent" AlternateContent, "Choice" Choice, "Fallback" Fallback }
    Drawing { "inline" Inline, "anchor" Anchor, "docPr" DocPr }
    Vml { "textbox" VmlTextbox, "imagedata" ImageData }
    Office { "OLEObject" OleObject }
    Word2010 { "checkbox" SdtCheckBox }
}

/// An attribute in the bytes of a start tag.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attribute<'a> {
    /// As written, with its prefix.
    pub(crate) name: &'a [u8],
    pub(crate) raw: &'a [u8],
}

impl<'a> Attribute<'a> {
    pub(crate) fn local(&self) -> &'a [u8] {
        match memchr::memrchr(b':', self.name) {
            Some(colon) => self.name.left(colon + 1),
            None => self.name,
        }
    }

    pub(crate) fn value(&self) -> Cow<'a, str> {
        ooxml::xml::decode_attribute(std::str::from_utf8(self.raw).unwrap_or_default())
    }
}

/// The attributes of a start tag, which begins with `<`.
pub(crate) fn attributes(tag: &[u8]) -> impl Iterator<Item = Attribute<'_>> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let mut at = tag.iter().position(blank).unwrap_or(tag.len());
    std::iter::from_fn(move || {
        let rest = tag.get(at..)?;
        let start = at + rest.iter().position(|byte| !blank(byte))?;
        let equals = start + memchr::memchr(b'=', tag.get(start..)?)?;
        let name = tag.get(start..equals)?;
        let name = name.get(..name.iter().position(blank).unwrap_or(name.len()))?;
        let quote = equals + 1 + tag.get(equals + 1..)?.iter().position(|byte| !blank(byte))?;
        let length = memchr::memchr(*tag.get(quote)?, tag.get(quote + 1..)?)?;
        at = quote + length + 2;
        Some(Attribute { name, raw: tag.get(quote + 1..quote + 1 + length)? })
    })
}

/// The value of the attribute with this local name. Word's own elements repeat no local name in one tag.
pub(crate) fn attribute<'a>(tag: &'a [u8], local: &str) -> Option<Cow<'a, str>> {
    attributes(tag).find(|attribute| attribute.local() == local.as_bytes()).map(|found| found.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_is_known_by_its_namespace_and_not_by_its_prefix() {
        let scope = Scope::default()
            .with(b"<d xmlns=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" xmlns:m='http://purl.oclc.org/ooxml/officeDocument/math'>");
        assert_eq!(scope.element(b"p"), El::P);
        assert_eq!(scope.element(b"m:t"), El::MathText);
        assert_eq!(scope.element(b"w:p"), El::Other);
        let inner =
            scope.with(b"<x xmlns=\"urn:x\" xmlns:w=\"http://purl.oclc.org/ooxml/wordprocessingml/main\">");
        assert_eq!(inner.element(b"p"), El::Other);
        assert_eq!(inner.element(b"w:p"), El::P);
    }

    #[test]
    fn attributes_may_be_spaced_and_quoted_either_way() {
        let tag = b"<w:p a = 'x>y'\n w14:paraId=\"00AB\" b=\"&lt;\"/>";
        assert_eq!(attribute(tag, "a").as_deref(), Some("x>y"));
        assert_eq!(attribute(tag, "paraId").as_deref(), Some("00AB"));
        assert_eq!(attribute(tag, "b").as_deref(), Some("<"));
        assert_eq!(attribute(tag, "c"), None);
    }
}
