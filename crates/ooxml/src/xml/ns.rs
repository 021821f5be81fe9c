//! Namespace names, as engines compare them.
//!
//! Files in the *strict* conformance class use other names for the same vocabularies. The tree reports the
//! *transitional* name for both, so that an engine needs one set of constants; which class a file has is
//! answered by the package, and the source bytes of course stay what they are.

/// No namespace: attributes without a prefix.
pub const NONE: &str = "";
pub const XML: &str = "http://www.w3.org/XML/1998/namespace";
pub const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
pub const CONTENT_TYPES: &str = "http://schemas.openxmlformats.org/package/2006/content-types";
pub const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
pub const MC: &str = "http://schemas.openxmlformats.org/markup-compatibility/2006";
pub const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
pub const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
pub const W14: &str = "http://schemas.microsoft.com/office/word/2010/wordml";
pub const W15: &str = "http://schemas.microsoft.com/office/word/2012/wordml";
pub const W16CID: &str = "http://schemas.microsoft.com/office/word/2016/wordml/cid";
pub const W16CEX: &str = "http://schemas.microsoft.com/office/word/2018/wordml/cex";
pub const WP: &str = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing";
pub const WPS: &str = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape";
pub const A: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
pub const PIC: &str = "http://schemas.openxmlformats.org/drawingml/2006/picture";
pub const CHART: &str = "http://schemas.openxmlformats.org/drawingml/2006/chart";
pub const XDR: &str = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing";
pub const M: &str = "http://schemas.openxmlformats.org/officeDocument/2006/math";
pub const S: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
pub const X14: &str = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main";
pub const X14AC: &str = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac";
pub const XM: &str = "http://schemas.microsoft.com/office/excel/2006/main";
pub const THREADED: &str = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments";
pub const V: &str = "urn:schemas-microsoft-com:vml";
pub const O: &str = "urn:schemas-microsoft-com:office:office";
pub const CORE_PROPERTIES: &str = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties";
pub const EXTENDED_PROPERTIES: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties";
pub const CUSTOM_PROPERTIES: &str = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties";
pub const VT: &str = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes";
pub const DC: &str = "http://purl.org/dc/elements/1.1/";
pub const DCTERMS: &str = "http://purl.org/dc/terms/";

const STRICT_ROOT: &str = "http://purl.oclc.org/ooxml/";

/// Strict name (after its common root) beside the transitional one, for vocabularies and for relationship
/// types alike; relationship types extend the `officeDocument/relationships` row.
const STRICT: &[(&str, &str)] = &[
    ("wordprocessingml/main", W),
    ("spreadsheetml/main", S),
    ("presentationml/main", "http://schemas.openxmlformats.org/presentationml/2006/main"),
    ("drawingml/main", A),
    ("drawingml/wordprocessingDrawing", WP),
    ("drawingml/spreadsheetDrawing", XDR),
    ("drawingml/picture", PIC),
    ("drawingml/chart", CHART),
    ("drawingml/chartDrawing", "http://schemas.openxmlformats.org/drawingml/2006/chartDrawing"),
    ("drawingml/diagram", "http://schemas.openxmlformats.org/drawingml/2006/diagram"),
    ("drawingml/lockedCanvas", "http://schemas.openxmlformats.org/drawingml/2006/lockedCanvas"),
    ("officeDocument/math", M),
    ("officeDocument/relationships", R),
    ("officeDocument/extendedProperties", EXTENDED_PROPERTIES),
    ("officeDocument/customProperties", CUSTOM_PROPERTIES),
    ("officeDocument/docPropsVTypes", VT),
    ("officeDocument/bibliography", "http://schemas.openxmlformats.org/officeDocument/2006/bibliography"),
    (
        "officeDocument/characteristics",
        "http://schemas.openxmlformats.org/officeDocument/2006/characteristics",
    ),
    ("officeDocument/customXml", "http://schemas.openxmlformats.org/officeDocument/2006/customXml"),
    ("schemaLibrary/main", "http://schemas.openxmlformats.org/schemaLibrary/2006/main"),
];

/// The strict spelling of a namespace or relationship type; those that have none stay as they are.
pub(crate) fn strict(uri: &str) -> String {
    let row = STRICT.iter().find_map(|(strict, transitional)| {
        let rest = uri.strip_prefix(transitional)?;
        (rest.is_empty() || rest.starts_with('/')).then(|| format!("{STRICT_ROOT}{strict}{rest}"))
    });
    row.unwrap_or_else(|| uri.to_owned())
}

/// Whether a namespace or relationship type belongs to the strict conformance class.
pub fn is_strict(uri: &str) -> bool {
    uri.starts_with(STRICT_ROOT)
}

/// The transitional name of `uri`, or `uri` itself when it has no other.
pub fn transitional(uri: &str) -> &str {
    let Some(rest) = uri.strip_prefix(STRICT_ROOT) else { return uri };
    STRICT.iter().find(|(strict, _)| *strict == rest).map_or(uri, |(_, transitional)| transitional)
}
