//! Small workbooks of our own, and their pictures held against those in `ref`.

use std::path::PathBuf;
use std::sync::Arc;

use edit::{Content, Context, Format};
use render::Options;
use sheet::{Area, Sheet};

const S: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const P: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

const STYLES: &str = r#"<fonts><font><sz val="11"/><color theme="1"/><name val="Calibri"/></font><font><b/><sz val="14"/><color rgb="FFC00000"/><name val="Arial"/></font><font><i/><u/><sz val="11"/><name val="Cambria"/></font></fonts>
<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor theme="4" tint="0.6"/></patternFill></fill><fill><gradientFill degree="45"><stop position="0"><color rgb="FFFFFF00"/></stop><stop position="1"><color rgb="FF00B050"/></stop></gradientFill></fill><fill><patternFill patternType="darkUp"><fgColor rgb="FF7030A0"/><bgColor rgb="FFFFFFFF"/></patternFill></fill></fills>
<borders><border/><border><left style="thin"/><right style="medium"/><top style="double"/><bottom style="thick"><color rgb="FFFF0000"/></bottom></border><border diagonalUp="1" diagonalDown="1"><bottom style="mediumDashDot"/><diagonal style="thin"/></border></borders>
<cellXfs><xf/><xf fontId="1"/><xf fontId="2" fillId="2"/><xf fillId="3" borderId="1"/><xf fillId="4"/><xf borderId="2"/><xf numFmtId="44"/><xf numFmtId="3"/><xf><alignment wrapText="1" vertical="top"/></xf><xf><alignment textRotation="45"/></xf><xf><alignment horizontal="center" textRotation="255"/></xf><xf><alignment horizontal="centerContinuous"/></xf><xf><alignment shrinkToFit="1"/></xf><xf><alignment horizontal="right" indent="2"/></xf></cellXfs>"#;

/// A workbook of one sheet.
pub(crate) fn workbook(inside: &str) -> Content {
    workbook_with(inside, STYLES, Vec::new())
}

/// A workbook of one sheet with styles and a drawing: the drawing, and the parts that it names as `rId1` and so on,
/// each by its name, the kind of its relationship and its bytes.
pub(crate) fn workbook_with(
    inside: &str,
    styles: &str,
    drawing: Vec<(&'static str, &'static str, Vec<u8>)>,
) -> Content {
    let main = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let link = |id: usize, kind: &str, target: &str| {
        format!(r#"<Relationship Id="rId{id}" Type="{R}/{kind}" Target="{target}"/>"#)
    };
    let links =
        |inside: String| format!(r#"<Relationships xmlns="{P}">{inside}</Relationships>"#).into_bytes();
    let types = format!(
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/xl/workbook.xml" ContentType="{main}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="{main}.worksheet+xml"/></Types>"#
    );
    let mut files: Vec<(String, Vec<u8>)> = vec![
        ("[Content_Types].xml".into(), types.into_bytes()),
        ("_rels/.rels".into(), links(link(1, "officeDocument", "xl/workbook.xml"))),
        (
            "xl/_rels/workbook.xml.rels".into(),
            links(link(1, "worksheet", "worksheets/sheet1.xml") + &link(2, "styles", "styles.xml")),
        ),
        (
            "xl/workbook.xml".into(),
            format!(r#"<workbook xmlns="{S}" xmlns:r="{R}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>"#).into_bytes(),
        ),
        ("xl/styles.xml".into(), format!(r#"<styleSheet xmlns="{S}">{styles}</styleSheet>"#).into_bytes()),
        (
            "xl/worksheets/sheet1.xml".into(),
            format!(r#"<worksheet xmlns="{S}" xmlns:r="{R}">{inside}</worksheet>"#).into_bytes(),
        ),
    ];
    let mut parts = drawing.into_iter();
    if let Some((name, _, bytes)) = parts.next() {
        let named = parts.clone().enumerate();
        let inside = named.map(|(index, (name, kind, _))| link(index + 1, kind, &format!("../../{name}")));
        files.push((
            "xl/worksheets/_rels/sheet1.xml.rels".into(),
            links(link(1, "drawing", &format!("../../{name}"))),
        ));
        files.push(("xl/drawings/_rels/drawing1.xml.rels".into(), links(inside.collect())));
        files.push((name.into(), bytes));
        files.extend(parts.map(|(name, _, bytes)| (name.to_owned(), bytes)));
    }
    let files: Vec<(&str, Vec<u8>)> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    let file = ooxml::new_package(&files).expect("a package");
    Sheet::unpack(Arc::new(file), &sheet::limits()).expect("opens").1
}

pub(crate) fn draw(
    content: &Content,
    area: &str,
    options: &Options,
) -> Result<render::Picture, edit::Refusal> {
    let view = Sheet::view(content).expect("a view");
    let sheet = view.sheet("Sheet1").expect("a sheet");
    render::range(&sheet, area.parse::<Area>().expect("an area"), options, &Context::new("", 0, 0))
}

pub(crate) fn text(cell: &str, style: u32, text: &str) -> String {
    format!(r#"<c r="{cell}" s="{style}" t="inlineStr"><is><t>{text}</t></is></c>"#)
}

pub(crate) fn hold(name: &str, found: &[u8]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ref").join(format!("{name}.png"));
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        std::fs::write(&path, found).expect("written");
    }
    let wanted = std::fs::read(&path).unwrap_or_default();
    if wanted == found {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join(format!("{name}-now.png")), found).expect("written");
    let told = match render::difference(&wanted, found) {
        Ok(difference) => {
            std::fs::write(folder.join(format!("{name}-changed.png")), &difference.png).expect("written");
            format!("{} pixels differ, in {:?}", difference.changed, difference.places)
        }
        Err(refusal) => refusal.to_string(),
    };
    panic!("{name} is not as in ref: {told}; see {}", folder.display());
}
