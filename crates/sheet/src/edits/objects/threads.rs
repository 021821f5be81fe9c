//! Conversations on cells: a thread of comments, the people in it, and the note that stands in for it in older
//! versions of Excel.

use edit::{Blob, Context, PartName, Patch, Planned, Refusal};
use ooxml::xml::{Document, Node, escape_attribute, escape_text, ns};

use crate::calc::view::View;
use crate::edits::input::Outcome;
use crate::edits::objects::attached::{self, NewPart, Stage};
use crate::edits::objects::notes;
use crate::file::a1::{Area, CellRef};
use crate::file::workbook::string;
use crate::file::xml_edit::{DECLARATION, Xml};
use crate::read::objects::Thread;
use crate::read::sheet_view::SheetView;

/// A part that lists something of Excel's conversations.
struct Listing {
    stem: &'static str,
    root: &'static str,
    kind: &'static str,
    content_type: &'static str,
}

const THREADS: Listing = Listing {
    stem: "threadedComments/threadedComment",
    root: "ThreadedComments",
    kind: "http://schemas.microsoft.com/office/2017/10/relationships/threadedComment",
    content_type: "application/vnd.ms-excel.threadedcomments+xml",
};
const PEOPLE: Listing = Listing {
    stem: "persons/person",
    root: "personList",
    kind: "http://schemas.microsoft.com/office/2017/10/relationships/person",
    content_type: "application/vnd.ms-excel.person+xml",
};

/// Starts a thread on a cell, or replies in the one it has.
pub(crate) fn add(
    view: &View,
    name: &str,
    at: CellRef,
    text: &str,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let own = sheet.name().to_owned();
    notes::check_text(text)?;
    attached::refuse_strict(view, "a new comment")?;
    let known = thread_at(&sheet, at)?;
    if known.is_none() && sheet.notes()?.iter().any(|note| note.at == at) {
        return Err(Refusal::Unsafe {
            why: format!("{at} has a note, and a cell cannot have both"),
            instead: Some("change the note, or remove it first".to_owned()),
        });
    }
    let mut stage = Stage::new(view);
    let person = person(&mut stage, cx)?;
    let parent = known.as_ref().and_then(|thread| thread.comments.first()).map(|first| first.id.clone());
    let sheet = stage.view().sheet(&own)?;
    let id = fresh_id(&sheet, cx)?;
    let reply = parent.as_deref().map(|parent| format!(" parentId=\"{}\"", escape_attribute(parent)));
    let markup = format!(
        "<threadedComment xmlns=\"{}\" ref=\"{at}\" dT=\"{}.00\" personId=\"{person}\" id=\"{id}\"{}><text>{}</text></threadedComment>",
        ns::THREADED,
        edit::utc(cx.now),
        reply.unwrap_or_default(),
        escape_text(text)
    );
    let mut patch = Patch::new();
    match attached::attached_part(&sheet, "threadedComment")? {
        Some((_, part)) => {
            let document = ooxml::read_xml(&stage.view().content, &part)?;
            // A reply stands behind the last comment of its thread.
            let last = nodes(&document).filter(|(_, known)| *known == at).last();
            let xml = Xml::new(&part, &document);
            match last {
                Some((last, _)) => {
                    let end = last.span().end;
                    xml.splice(&mut patch, end..end, markup)?;
                }
                None => xml.append(&mut patch, &document.root(), &markup)?,
            }
        }
        None => {
            let view = stage.view();
            put_first(view, &mut patch, &sheet.worksheet.part, &THREADS, &markup)?;
        }
    }
    stage.then(&patch)?;
    stand_in(&mut stage, &own, at)?;
    let verb = if parent.is_some() { "Reply on" } else { "Comment on" };
    let sheet = view.sheet(name)?;
    Ok(attached::planned(&sheet, stage.patch(), format!("{verb} {own}!{at}"), vec![Area::cell(at)]))
}

pub(crate) fn resolve(
    view: &View,
    name: &str,
    at: CellRef,
    resolved: bool,
) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let (part, document) = threads_part(&sheet, at)?;
    let xml = Xml::new(&part, &document);
    let mut patch = Patch::new();
    let head = nodes(&document).find(|(node, known)| *known == at && string(node, "parentId").is_none());
    if let Some((node, _)) = head {
        match resolved {
            true => xml.set_attribute(&mut patch, &node, "done", "1")?,
            false => xml.remove_attribute(&mut patch, &node, "done")?,
        }
    }
    let verb = if resolved { "Resolve" } else { "Reopen" };
    let summary = format!("{verb} the thread on {}!{at}", sheet.name());
    Ok(attached::planned(&sheet, patch, summary, vec![Area::cell(at)]))
}

pub(crate) fn delete(view: &View, name: &str, at: CellRef) -> Result<Planned<Outcome>, Refusal> {
    let sheet = view.sheet(name)?;
    let own = sheet.name().to_owned();
    let (part, document) = threads_part(&sheet, at)?;
    let xml = Xml::new(&part, &document);
    let mut stage = Stage::new(view);
    let mut patch = Patch::new();
    let (gone, left): (Vec<_>, Vec<_>) = nodes(&document).partition(|(_, known)| *known == at);
    match (left.is_empty(), attached::attached_part(&sheet, "threadedComment")?) {
        (true, Some((id, _))) => attached::detach(view, &mut patch, &sheet.worksheet.part, &id)?,
        _ => {
            for (node, _) in &gone {
                xml.remove(&mut patch, node)?;
            }
        }
    }
    stage.then(&patch)?;
    notes::take(&mut stage, &own, &[at])?;
    let summary = format!("Delete the thread on {own}!{at}");
    Ok(attached::planned(&sheet, stage.patch(), summary, vec![Area::cell(at)]))
}

fn thread_at(sheet: &SheetView<'_>, at: CellRef) -> Result<Option<Thread>, Refusal> {
    Ok(sheet.threads()?.into_iter().find(|thread| thread.at == at))
}

fn threads_part(sheet: &SheetView<'_>, at: CellRef) -> Result<(PartName, Document), Refusal> {
    let missing = || Refusal::not_found("thread on", format!("{}!{at}", sheet.name()));
    if thread_at(sheet, at)?.is_none() {
        return Err(missing());
    }
    let (_, part) = attached::attached_part(sheet, "threadedComment")?.ok_or_else(missing)?;
    let document = ooxml::read_xml(&sheet.book.content, &part)?;
    Ok((part, document))
}

fn nodes<'a>(document: &'a Document) -> impl Iterator<Item = (Node<'a>, CellRef)> {
    let nodes = document.root().elements().filter(|node| node.name().local == "threadedComment");
    nodes.filter_map(|node| Some((node, string(&node, "ref")?.parse().ok()?)))
}

/// The note that older versions show for a thread.
fn stand_in(stage: &mut Stage, name: &str, at: CellRef) -> Result<(), Refusal> {
    let sheet = stage.view().sheet(name)?;
    let Some(thread) = thread_at(&sheet, at)? else { return Ok(()) };
    let Some(first) = thread.comments.first() else { return Ok(()) };
    let mut text = String::from(
        "[Threaded comment]\n\nYour version of Excel allows you to read this threaded comment; however, any edits \
         to it will get removed if the file is opened in a newer version of Excel. Learn more: \
         https://go.microsoft.com/fwlink/?linkid=870924\n",
    );
    for (index, comment) in thread.comments.iter().enumerate() {
        let head = if index == 0 { "Comment" } else { "Reply" };
        text.push_str(&format!("\n{head}:\n    {}", comment.text));
    }
    notes::put(stage, name, at, &format!("tc={}", first.id), &text)
}

/// The id of the author among the people of the workbook, who joins them if need be.
fn person(stage: &mut Stage, cx: &Context) -> Result<String, Refusal> {
    let view = stage.view();
    let known = view.workbook.relationships.iter().find(|r| r.kind == PEOPLE.kind);
    let known = known.and_then(|found| found.part.clone()).filter(|part| view.content.contains(part));
    let id = guid(cx.seed ^ 0x5045_5253, cx.author.bytes().fold(7, |sum, byte| sum * 31 + u64::from(byte)));
    let element = |id: &str| {
        let author = escape_attribute(&cx.author);
        format!(
            "<person xmlns=\"{}\" displayName=\"{author}\" id=\"{id}\" userId=\"{author}\" providerId=\"None\"/>",
            ns::THREADED
        )
    };
    let mut patch = Patch::new();
    let id = match known {
        Some(part) => {
            let document = ooxml::read_xml(&view.content, &part)?;
            let people: Vec<Node<'_>> = document.root().elements().collect();
            let same = people.iter().find(|node| string(node, "displayName").as_deref() == Some(&cx.author));
            if let Some(id) = same.and_then(|node| string(node, "id")) {
                return Ok(id);
            }
            let mut id = id;
            let mut step = 1;
            while people.iter().any(|node| string(node, "id").is_some_and(|known| known == id)) {
                id = guid(cx.seed, step);
                step += 1;
            }
            Xml::new(&part, &document).append(&mut patch, &document.root(), &element(&id))?;
            id
        }
        None => {
            put_first(view, &mut patch, &view.workbook.part, &PEOPLE, &element(&id))?;
            id
        }
    };
    stage.then(&patch)?;
    Ok(id)
}

/// Makes a listing with its first element, which need not name the namespace that the root has.
fn put_first(
    view: &View,
    patch: &mut Patch,
    owner: &PartName,
    listing: &Listing,
    element: &str,
) -> Result<(), Refusal> {
    let part = ooxml::free_name(&view.content, &format!("{}{}", attached::folder(view), listing.stem), "xml");
    let (root, namespace) = (listing.root, format!(" xmlns=\"{}\"", ns::THREADED));
    let inside = element.replacen(&namespace, "", 1);
    let bytes = Blob::from(format!("{DECLARATION}<{root}{namespace}>{inside}</{root}>"));
    let new = NewPart { part: &part, kind: listing.kind, content_type: listing.content_type, bytes };
    attached::attach(view, patch, owner, vec![new]).map(drop)
}

/// An id that no comment of the workbook has.
fn fresh_id(sheet: &SheetView<'_>, cx: &Context) -> Result<String, Refusal> {
    let mut known = Vec::new();
    for sheet in sheet.book.worksheets().filter_map(Result::ok) {
        for thread in sheet.threads()? {
            known.extend(thread.comments.into_iter().map(|comment| comment.id));
        }
    }
    let mut step = known.len() as u64;
    loop {
        let id = guid(cx.seed ^ cx.now as u64, step);
        if !known.iter().any(|other| other.eq_ignore_ascii_case(&id)) {
            return Ok(id);
        }
        step += 1;
    }
}

fn guid(seed: u64, step: u64) -> String {
    let mut state = seed.wrapping_add(step.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    };
    let (a, b) = (next(), next());
    format!(
        "{{{:08X}-{:04X}-4{:03X}-{:X}{:03X}-{:012X}}}",
        a >> 32,
        a >> 16 & 0xFFFF,
        a & 0xFFF,
        8 + (b >> 62),
        b >> 48 & 0xFFF,
        b & 0xFFFF_FFFF_FFFF
    )
}
