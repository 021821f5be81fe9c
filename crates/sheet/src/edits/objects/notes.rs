//! Notes on cells: their text in the comments part, and the box they are shown in, which Excel still keeps in
//! the drawing language of old.

use edit::{Blob, Context, PartName, Patch, Planned, Refusal};
use ooxml::xml::{Document, Node, escape_text, ns};

use crate::calc::view::View;
use crate::edits::input::Outcome;
use crate::edits::objects::attached::{self, NewPart, Stage};
use crate::file::a1::{Area, CellRef};
use crate::file::strings::text_element;
use crate::file::workbook::string;
use crate::file::xml_edit::{DECLARATION, WORKSHEET_ORDER, Xml};
use crate::read::sheet_view::SheetView;

const COMMENTS_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml";
const VML_TYPE: &str = "application/vnd.openxmlformats-officedocument.vmlDrawing";
/// Characters of one note.
const MOST_TEXT: usize = 32_767;

pub(crate) fn set(
    view: &View,
    name: &str,
    at: CellRef,
    text: &str,
    author: Option<&str>,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let own = sheet.name().to_owned();
    check_text(text)?;
    if sheet.threads()?.iter().any(|thread| thread.at == at) {
        return Err(Refusal::Unsafe {
            why: format!("{at} has a thread of comments, and a cell cannot have both"),
            instead: Some("reply to the thread, or delete it first".to_owned()),
        });
    }
    let mut stage = Stage::new(view);
    put(&mut stage, &own, at, author.unwrap_or(&cx.author), text)?;
    let summary = format!("Note on {own}!{at}");
    Ok(attached::planned(&sheet, stage.patch(), summary, vec![Area::cell(at)]))
}

pub(crate) fn check_text(text: &str) -> Result<(), Refusal> {
    let found = text.encode_utf16().count();
    if text.trim().is_empty() {
        return Err(Refusal::invalid("text", "nothing", "some text"));
    }
    if found > MOST_TEXT {
        return Err(crate::edits::entry::over("TEXT_TOO_LONG", "the text of the note", found, MOST_TEXT));
    }
    Ok(())
}

pub(crate) fn remove(view: &View, name: &str, areas: &[Area]) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let own = sheet.name().to_owned();
    let mut stage = Stage::new(view);
    let cells: Vec<CellRef> = sheet
        .notes()?
        .iter()
        .map(|note| note.at)
        .filter(|at| areas.iter().any(|area| area.contains(*at)))
        .collect();
    take(&mut stage, &own, &cells)?;
    let shown: Vec<String> = areas.iter().take(3).map(ToString::to_string).collect();
    let summary = format!("Remove notes of {own}!{}", shown.join(", "));
    Ok(attached::planned(&sheet, stage.patch(), summary, areas.to_vec()))
}

/// Puts a note on a cell, in place of one it had.
pub(crate) fn put(
    stage: &mut Stage,
    name: &str,
    at: CellRef,
    author: &str,
    text: &str,
) -> Result<(), Refusal> {
    attached::refuse_strict(stage.view(), "a new note")?;
    let sheet = stage.view().sheet(name)?;
    let mut patch = Patch::new();
    match attached::attached_part(&sheet, "comments")? {
        None => {
            let view = stage.view();
            let part = ooxml::free_name(&view.content, &format!("{}comments", attached::folder(view)), "xml");
            let bytes = format!(
                "{DECLARATION}<comments xmlns=\"{}\"><authors><author>{}</author></authors>\
                 <commentList>{}</commentList></comments>",
                ns::S,
                escape_text(author),
                comment(at, 0, text, "")
            );
            let kind = attached::kind(view, "comments");
            let new =
                NewPart { part: &part, kind: &kind, content_type: COMMENTS_TYPE, bytes: Blob::from(bytes) };
            attached::attach(view, &mut patch, &sheet.worksheet.part, vec![new])?;
        }
        Some((_, part)) => {
            let document = ooxml::read_xml(&stage.view().content, &part)?;
            let xml = Xml::new(&part, &document);
            let author = author_index(&xml, &mut patch, author)?;
            let markup = comment(at, author, text, &xml.prefix());
            put_comment(&xml, &mut patch, at, &markup)?;
        }
    }
    stage.then(&patch)?;
    let sheet = stage.view().sheet(name)?;
    let patch = put_box(stage.view(), &sheet, at)?;
    stage.then(&patch)
}

fn comment(at: CellRef, author: usize, text: &str, prefix: &str) -> String {
    format!(
        "<{prefix}comment ref=\"{at}\" authorId=\"{author}\"><{prefix}text>{}</{prefix}text></{prefix}comment>",
        text_element(prefix, text)
    )
}

fn comments<'a>(document: &'a Document) -> impl Iterator<Item = (Node<'a>, CellRef)> {
    let list = document.root().child(ns::S, "commentList");
    let nodes = list.into_iter().flat_map(|list| list.elements());
    nodes
        .filter(|node| node.is(ns::S, "comment"))
        .filter_map(|node| Some((node, string(&node, "ref")?.parse().ok()?)))
}

/// The comment of a cell in place of the one it has, else where it belongs, row by row.
fn put_comment(xml: &Xml<'_>, patch: &mut Patch, at: CellRef, markup: &str) -> Result<(), Refusal> {
    if let Some((known, _)) = comments(xml.document).find(|(_, known)| *known == at) {
        return xml.splice(patch, known.span(), markup);
    }
    if let Some((later, _)) = comments(xml.document).find(|(_, known)| *known > at) {
        let start = later.span().start;
        return xml.splice(patch, start..start, markup);
    }
    match xml.root().child(ns::S, "commentList") {
        Some(list) => xml.append(patch, &list, markup),
        None => {
            let prefix = xml.prefix();
            let whole = format!("<{prefix}commentList>{markup}</{prefix}commentList>");
            xml.append(patch, &xml.root(), &whole)
        }
    }
}

fn author_index(xml: &Xml<'_>, patch: &mut Patch, author: &str) -> Result<usize, Refusal> {
    let prefix = xml.prefix();
    let markup = format!("<{prefix}author>{}</{prefix}author>", escape_text(author));
    let Some(list) = xml.root().child(ns::S, "authors") else {
        let whole = format!("<{prefix}authors>{markup}</{prefix}authors>");
        let start = xml.root().content_span().start;
        xml.splice(patch, start..start, whole)?;
        return Ok(0);
    };
    let names: Vec<String> = list.elements().map(|node| node.text().into_owned()).collect();
    if let Some(known) = names.iter().position(|known| known == author) {
        return Ok(known);
    }
    xml.append(patch, &list, &markup)?;
    Ok(names.len())
}

/// Takes the notes of cells away with their boxes, and the parts with the last of them.
pub(crate) fn take(stage: &mut Stage, name: &str, cells: &[CellRef]) -> Result<(), Refusal> {
    let sheet = stage.view().sheet(name)?;
    let Some((id, part)) = attached::attached_part(&sheet, "comments")? else { return Ok(()) };
    let document = ooxml::read_xml(&stage.view().content, &part)?;
    let xml = Xml::new(&part, &document);
    let all: Vec<(Node<'_>, CellRef)> = comments(&document).collect();
    let gone: Vec<&(Node<'_>, CellRef)> = all.iter().filter(|(_, at)| cells.contains(at)).collect();
    if gone.is_empty() {
        return Ok(());
    }
    let mut patch = Patch::new();
    if gone.len() == all.len() {
        attached::detach(stage.view(), &mut patch, &sheet.worksheet.part, &id)?;
    } else {
        for (node, _) in gone {
            xml.remove(&mut patch, node)?;
        }
    }
    stage.then(&patch)?;
    let sheet = stage.view().sheet(name)?;
    let patch = take_boxes(stage.view(), &sheet, cells)?;
    stage.then(&patch)
}

/// The boxes of notes, with the cells they belong to.
fn boxes<'a>(document: &'a Document) -> impl Iterator<Item = (Node<'a>, Option<CellRef>)> {
    document.root().elements().filter(|node| node.is(ns::V, "shape")).map(|node| {
        let find = |name: &str| node.descendants().find(|inner| inner.name().local == name);
        let line = |name: &str| find(name).and_then(|inner| inner.text().trim().parse::<u32>().ok());
        let note =
            find("ClientData").is_some_and(|data| string(&data, "ObjectType").as_deref() == Some("Note"));
        let at = line("Row").zip(line("Column")).filter(|_| note);
        (node, at.map(|(row, col)| CellRef::new(row, col)))
    })
}

fn put_box(view: &View, sheet: &SheetView<'_>, at: CellRef) -> Result<Patch, Refusal> {
    let mut patch = Patch::new();
    let frame = Xml::frame(sheet.worksheet);
    let known = match frame.root().child(ns::S, "legacyDrawing").and_then(|node| node.value(ns::R, "id")) {
        Some(id) => sheet.relationships()?.get(&id).and_then(|found| found.part.clone()),
        None => None,
    };
    let Some(part) = known.filter(|part| view.content.contains(part)) else {
        let part =
            ooxml::free_name(&view.content, &format!("{}drawings/vmlDrawing", attached::folder(view)), "vml");
        // Numbers of shapes come in blocks of 1024; each drawing has blocks of its own.
        let block = sheet.tab.id.clamp(1, 60_000);
        let kind = attached::kind(view, "vmlDrawing");
        let bytes = format!(
            "<xml xmlns:v=\"{}\" xmlns:o=\"{}\" xmlns:x=\"urn:schemas-microsoft-com:office:excel\">\
             <o:shapelayout v:ext=\"edit\"><o:idmap v:ext=\"edit\" data=\"{block}\"/></o:shapelayout>{}{}</xml>",
            ns::V,
            ns::O,
            shape_type("v", "o"),
            shape(block * 1024 + 1, at, "v", "o", "x")
        );
        let new = NewPart { part: &part, kind: &kind, content_type: VML_TYPE, bytes: Blob::from(bytes) };
        let ids = attached::attach(view, &mut patch, &sheet.worksheet.part, vec![new])?;
        let prefix = &sheet.worksheet.spelling().prefix;
        let attribute = attached::relationship_attribute(&frame.root(), false);
        let id = ids.first().map_or("", |id| id);
        let markup = format!("<{prefix}legacyDrawing {attribute}=\"{id}\"/>");
        match frame.root().child(ns::S, "legacyDrawing") {
            Some(node) => frame.splice(&mut patch, node.span(), markup)?,
            None => frame.insert(&mut patch, WORKSHEET_ORDER, "legacyDrawing", &markup)?,
        }
        return Ok(patch);
    };
    let document = ooxml::read_xml(&view.content, &part)?;
    if boxes(&document).any(|(_, known)| known == Some(at)) {
        return Ok(patch);
    }
    let xml = Xml::new(&part, &document);
    let root = document.root();
    let spelling = |namespace: &str, usual: &str| {
        let found = root.namespaces();
        match found.attribute_prefix_of(namespace) {
            Some(prefix) => (prefix.to_owned(), String::new()),
            None => (usual.to_owned(), format!(" xmlns:{usual}=\"{namespace}\"")),
        }
    };
    // Python's XML writer declares a prefix where it is used, so the root may know none of the three.
    let (v, of_v) = spelling(ns::V, "v");
    let (o, of_o) = spelling(ns::O, "o");
    let (x, of_x) = spelling("urn:schemas-microsoft-com:office:excel", "x");
    let declared = |markup: String| {
        let end = markup.find(' ').unwrap_or(markup.len());
        format!("{}{of_v}{of_o}{of_x}{}", &markup[..end], &markup[end..])
    };
    let last = root
        .elements()
        .filter_map(|node| string(&node, "id")?.rsplit_once("_s")?.1.parse::<u32>().ok())
        .max()
        .unwrap_or(sheet.tab.id.clamp(1, 60_000) * 1024);
    let mut markup = String::new();
    let typed =
        |node: &Node<'_>| node.is(ns::V, "shapetype") && string(node, "id").as_deref() == Some("_x0000_t202");
    if !root.elements().any(|node| typed(&node)) {
        markup.push_str(&declared(shape_type(&v, &o)));
    }
    markup.push_str(&declared(shape(last + 1, at, &v, &o, &x)));
    xml.append(&mut patch, &root, &markup)?;
    Ok(patch)
}

fn shape_type(v: &str, o: &str) -> String {
    format!(
        "<{v}:shapetype id=\"_x0000_t202\" coordsize=\"21600,21600\" {o}:spt=\"202\" \
         path=\"m,l,21600r21600,l21600,xe\"><{v}:stroke joinstyle=\"miter\"/>\
         <{v}:path gradientshapeok=\"t\" {o}:connecttype=\"rect\"/></{v}:shapetype>"
    )
}

/// A yellow box beside the cell, hidden until the pointer is over the cell.
fn shape(id: u32, at: CellRef, v: &str, o: &str, x: &str) -> String {
    let CellRef { row, col } = at;
    // At the edges of the sheet the box has to stand on the other side.
    let left = if col + 3 < formula::MAX_COLS { col + 1 } else { col.saturating_sub(3) };
    let top = row.saturating_sub(1).min(formula::MAX_ROWS - 6);
    let anchor = format!("{left}, 15, {top}, 10, {}, 31, {}, 9", left + 2, top + 4);
    format!(
        "<{v}:shape id=\"_x0000_s{id}\" type=\"#_x0000_t202\" \
         style=\"position:absolute;margin-left:59.25pt;margin-top:1.5pt;width:108pt;height:59.25pt;z-index:1;visibility:hidden\" \
         fillcolor=\"#ffffe1\" {o}:insetmode=\"auto\"><{v}:fill color2=\"#ffffe1\"/>\
         <{v}:shadow color=\"black\" obscured=\"t\"/><{v}:path {o}:connecttype=\"none\"/>\
         <{v}:textbox style=\"mso-direction-alt:auto\"><div style=\"text-align:left\"></div></{v}:textbox>\
         <{x}:ClientData ObjectType=\"Note\"><{x}:MoveWithCells/><{x}:SizeWithCells/>\
         <{x}:Anchor>{anchor}</{x}:Anchor><{x}:AutoFill>False</{x}:AutoFill>\
         <{x}:Row>{row}</{x}:Row><{x}:Column>{col}</{x}:Column></{x}:ClientData></{v}:shape>"
    )
}

fn take_boxes(view: &View, sheet: &SheetView<'_>, cells: &[CellRef]) -> Result<Patch, Refusal> {
    let mut patch = Patch::new();
    let frame = Xml::frame(sheet.worksheet);
    let Some(legacy) = frame.root().child(ns::S, "legacyDrawing") else { return Ok(patch) };
    let Some(id) = legacy.value(ns::R, "id").map(|id| id.into_owned()) else { return Ok(patch) };
    let part: Option<PartName> = sheet.relationships()?.get(&id).and_then(|found| found.part.clone());
    let Some(part) = part.filter(|part| view.content.contains(part)) else { return Ok(patch) };
    let document = ooxml::read_xml(&view.content, &part)?;
    let xml = Xml::new(&part, &document);
    let all: Vec<(Node<'_>, Option<CellRef>)> = boxes(&document).collect();
    let gone = |at: &Option<CellRef>| at.is_some_and(|at| cells.contains(&at));
    let others = document
        .root()
        .elements()
        .any(|node| !matches!(node.name().local, "shapelayout" | "shapetype") && !node.is(ns::V, "shape"));
    if all.iter().all(|(_, at)| gone(at)) && !others {
        frame.remove(&mut patch, &legacy)?;
        attached::detach(view, &mut patch, &sheet.worksheet.part, &id)?;
        return Ok(patch);
    }
    for (node, _) in all.iter().filter(|(_, at)| gone(at)) {
        xml.remove(&mut patch, node)?;
    }
    Ok(patch)
}
