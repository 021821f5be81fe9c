//! `insertPicture`: a picture of its own part, inline or floating.
//!
//! Nothing is ever fetched here: a picture comes with the operation, or its door fetched it before. PNG, JPEG, GIF, BMP
//! and TIFF go in as they are, SVG with a bitmap beside it for programs that cannot draw it.

mod svg;

use edit::{Context, Cut as _, Level, PartName, Patch, Planned, Refusal};
use ooxml::picture::{self, Image, Kind};
use ooxml::xml::{escape_attribute, ns};
use ooxml::{Conformance, ContentTypes, NewRelationship, NewTarget, Relationships};

use super::beside_table::{beside_table, outside};
use super::cut::Cut;
use super::place::{Ground, Places, plain_text};
use super::table::width_at;
use super::text::{Look, body_blocks, check_outside_revisions, remove};
use super::{InsertPicture, InsertText, Location, PictureSource, Scope, Wrap};
use crate::document::names::attribute;
use crate::document::span::Span;
use crate::document::view::{Place, View};
use crate::edits::Draft;
use crate::edits::open_paragraph::story_blobs;
use crate::edits::outcome::Answer;
use crate::edits::{Markup, Outcome, check_controls};
use crate::text::quotation::excerpt;

/// English metric units in a point.
const EMU: f64 = 12_700.0;
/// How Word writes that a bitmap stands for a drawing.
const SVG: &str = "http://schemas.microsoft.com/office/drawing/2016/SVG/main";
const SVG_EXTENSION: &str = "{96DAC541-7B7A-43D3-8B79-37D633B846F1}";
/// What Word accepts: 22 inches.
const LONGEST: f64 = 1_584.0;

pub(crate) fn plan(
    view: &View,
    op: &InsertPicture,
    places: &Places,
    markup: Markup,
    cx: &Context,
) -> Result<Planned<Outcome>, Refusal> {
    let bytes = match &op.source {
        PictureSource::Base64(text) => picture::decode(text)?,
        PictureSource::Url(url) if url.trim_start().starts_with("data:") => picture::decode(url)?,
        PictureSource::Url(url) => {
            return Err(Refusal::Denied {
                what: format!("fetching `{}`", excerpt(url)),
                why: "the network may not be used".to_owned(),
                instead: Some("pass the picture itself: source `base64`, or a data: address".to_owned()),
            });
        }
    };
    let drawing = if picture::is_svg(&bytes) { Some(svg::draw(&bytes)?) } else { None };
    let image = match &drawing {
        Some(drawing) => Image::drawn(drawing.size),
        None => Image::read(&bytes)?,
    };
    let mut draft = Draft::new(view, markup, cx);
    if drawing.as_ref().is_some_and(|drawing| drawing.incomplete) {
        let text = "programs that cannot draw SVG show the picture without its words and embedded bitmaps";
        draft.note(Level::Info, text);
    }
    draft.note_selection(&op.scope, places);
    let (place, offset) = site(&mut draft, op, places)?;
    check_controls(draft.view(), place)?;
    let (width, height) = size(&mut draft, op, &image, place)?;
    let opened = draft.open(place)?;
    let cut = Cut::at(&opened.paragraph, &plain_text(&opened.paragraph), offset, &opened.dialect);
    cut.check(&opened.paragraph, "the picture")?;
    let mut patch = Patch::new();
    let media = match drawing {
        Some(drawing) => vec![(Kind::Png, drawing.png), (Kind::Svg, bytes)],
        None => vec![(image.kind, bytes)],
    };
    let relationships = add_media(draft.view(), &mut patch, &opened.part, media)?;
    let shape = free_shape(draft.view());
    let conformance = draft.view().layout().conformance;
    let drawn = drawing_of(op, &relationships, shape, (emu(width), emu(height)), conformance);
    let dialect = &opened.dialect;
    let inner = format!(
        "{}{}",
        dialect.wrap("rPr", "", &dialect.empty("noProof", &[])),
        dialect.wrap("drawing", "", &drawn)
    );
    let mut run = dialect.wrap("r", "", &inner);
    if let Some(stamp) = draft.stamp() {
        check_outside_revisions(&opened, &cut)?;
        run = dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &run);
    }
    let landed = cut.put(&mut patch, &opened.part, &run)?;
    let start = patch.map(&opened.part, cut.at, edit::Gravity::Left) + (landed.start - cut.at);
    let range = Span::new(&opened.part, start..start + run.len());
    draft.apply(&patch)?;
    let summary = match &op.alt_text {
        Some(alt) => format!("Insert the picture \"{}\"", excerpt(alt)),
        None => "Insert a picture".to_owned(),
    };
    Ok(draft.done(summary, Answer::Picture { shape: shape.to_string(), range }))
}

/// The paragraph and the offset in its text where the picture goes.
fn site(draft: &mut Draft<'_>, op: &InsertPicture, places: &Places) -> Result<(Place, usize), Refusal> {
    if op.scope == Scope::Document {
        if op.location == Location::Replace {
            let empty = InsertText { scope: Scope::Document, ..InsertText::default() };
            let planned = super::text::plan(draft.view(), &empty, places, draft.markup, draft.cx)?;
            draft.apply(&planned.step.patch)?;
        }
        let blocks = body_blocks(draft.view());
        let mut own = blocks.iter().filter_map(|(_, place)| *place);
        let start = matches!(op.location, Location::Start | Location::Before | Location::Replace);
        let place = if start { draft.view().body().next() } else { own.next_back() };
        let place = place.ok_or_else(|| Refusal::unsupported("a document without a paragraph of its own"))?;
        let length = plain_text(&draft.view().paragraph(place)?).text.len();
        return Ok((place, if start { 0 } else { length }));
    }
    let ground = Ground::of(draft.view(), &op.scope, places)?;
    let (first, last) = (ground.first()?.clone(), ground.last()?.clone());
    if let (Some(table), Some(position)) = (&ground.table, outside(op.location)) {
        let landed = beside_table(draft, table, position, &[""], Look::Kept)?;
        return Ok(landed.from);
    }
    Ok(match op.location {
        Location::Start | Location::Before => (first.place, first.range.start),
        Location::End | Location::After => (last.place, last.range.end),
        Location::Replace => {
            if !ground.is_cursor() {
                remove(draft, &ground.stretches)?;
            }
            (first.place, first.range.start)
        }
    })
}

/// Width and height in points.
fn size(
    draft: &mut Draft<'_>,
    op: &InsertPicture,
    image: &Image,
    place: Place,
) -> Result<(f64, f64), Refusal> {
    for (field, value) in [("width", op.width), ("height", op.height)] {
        if let Some(value) = value
            && !(1.0..=LONGEST).contains(&value)
        {
            return Err(Refusal::invalid(field, value, format!("points from 1 to {LONGEST}")));
        }
    }
    let (natural_width, natural_height) = image.points();
    let ratio = natural_height / natural_width;
    let (width, height) = match (op.width, op.height) {
        (Some(width), Some(height)) => (width, height),
        (Some(width), None) if op.lock_aspect_ratio => (width, width * ratio),
        (None, Some(height)) if op.lock_aspect_ratio => (height / ratio, height),
        (Some(width), None) => (width, natural_height),
        (None, Some(height)) => (natural_width, height),
        (None, None) => {
            let room = width_at(draft.view(), place) as f64 / 20.0;
            if natural_width > room {
                draft.note(Level::Info, "the picture was made smaller to fit between the margins");
                (room, room * ratio)
            } else {
                (natural_width, natural_height)
            }
        }
    };
    Ok((width.clamp(1.0, LONGEST), height.clamp(1.0, LONGEST)))
}

fn emu(points: f64) -> u64 {
    (points * EMU).round() as u64
}

/// Plans pictures as parts of the package and answers their relationships.
fn add_media(
    view: &View,
    patch: &mut Patch,
    owner: &PartName,
    media: Vec<(Kind, Vec<u8>)>,
) -> Result<Vec<String>, Refusal> {
    let content = view.content();
    let folder = view.layout().main.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
    let slash = if folder.is_empty() { "" } else { "/" };
    let name =
        |kind: Kind| ooxml::free_name(content, &format!("{folder}{slash}media/image"), kind.extension());
    let parts: Vec<PartName> = media.iter().map(|(kind, _)| name(*kind)).collect();
    let kind = view.layout().conformance.spell(&format!("{}/image", ns::R));
    let new: Vec<NewRelationship<'_>> =
        parts.iter().map(|part| NewRelationship { kind: &kind, target: NewTarget::Part(part) }).collect();
    let ids = Relationships::of_part(content, owner)?.add(patch, &new)?;
    let types: Vec<(&PartName, &str)> =
        parts.iter().zip(&media).map(|(part, (kind, _))| (part, kind.mime())).collect();
    ContentTypes::read(content)?.declare(patch, &types)?;
    for (part, (_, bytes)) in parts.iter().zip(media) {
        patch.put(part, bytes);
    }
    Ok(ids)
}

/// A number for a drawing that no other has.
fn free_shape(view: &View) -> u32 {
    let mut highest = 0;
    for blob in story_blobs(view) {
        let bytes = blob.bytes();
        for at in memchr::memmem::find_iter(&bytes, b"docPr ") {
            let tag = bytes.part(at..);
            let end = memchr::memchr(b'>', tag).unwrap_or(tag.len());
            let id = attribute(tag.part(..end), "id").and_then(|id| id.parse::<u32>().ok());
            highest = highest.max(id.filter(|id| *id < 0x7FFF_0000).unwrap_or(0));
        }
    }
    highest + 1
}

/// `relationships`: of the picture, and of the drawing it stands for.
fn drawing_of(
    op: &InsertPicture,
    relationships: &[String],
    shape: u32,
    (width, height): (u64, u64),
    conformance: Conformance,
) -> String {
    let [wp, a, pic, r] = [ns::WP, ns::A, ns::PIC, ns::R].map(|space| conformance.spell(space));
    let picture = relationships.first().map_or("", String::as_str);
    let blip = match relationships.get(1) {
        None => format!("<a:blip xmlns:r=\"{r}\" r:embed=\"{picture}\"/>"),
        Some(vector) => format!(
            "<a:blip xmlns:r=\"{r}\" r:embed=\"{picture}\"><a:extLst><a:ext uri=\"{SVG_EXTENSION}\">\
             <asvg:svgBlip xmlns:asvg=\"{SVG}\" r:embed=\"{vector}\"/></a:ext></a:extLst></a:blip>"
        ),
    };
    let alt =
        op.alt_text.as_deref().map_or(String::new(), |alt| format!(" descr=\"{}\"", escape_attribute(alt)));
    let lock = if op.lock_aspect_ratio { " noChangeAspect=\"1\"" } else { "" };
    let extent = format!(
        "<wp:extent cx=\"{width}\" cy=\"{height}\"/><wp:effectExtent l=\"0\" t=\"0\" r=\"0\" b=\"0\"/>"
    );
    let rest = format!(
        "<wp:docPr id=\"{shape}\" name=\"Picture {shape}\"{alt}/>\
         <wp:cNvGraphicFramePr><a:graphicFrameLocks xmlns:a=\"{a}\"{lock}/></wp:cNvGraphicFramePr>\
         <a:graphic xmlns:a=\"{a}\"><a:graphicData uri=\"{pic}\"><pic:pic xmlns:pic=\"{pic}\">\
         <pic:nvPicPr><pic:cNvPr id=\"{shape}\" name=\"Picture {shape}\"{alt}/><pic:cNvPicPr/></pic:nvPicPr>\
         <pic:blipFill>{blip}<a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
         <pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"{width}\" cy=\"{height}\"/></a:xfrm>\
         <a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>"
    );
    let wrap = match op.wrap {
        Wrap::Inline => {
            return format!(
                "<wp:inline xmlns:wp=\"{wp}\" distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\">{extent}{rest}</wp:inline>"
            );
        }
        Wrap::Square => "<wp:wrapSquare wrapText=\"bothSides\"/>",
        Wrap::Tight => {
            "<wp:wrapTight wrapText=\"bothSides\"><wp:wrapPolygon edited=\"0\"><wp:start x=\"0\" y=\"0\"/>\
             <wp:lineTo x=\"0\" y=\"21600\"/><wp:lineTo x=\"21600\" y=\"21600\"/><wp:lineTo x=\"21600\" y=\"0\"/>\
             <wp:lineTo x=\"0\" y=\"0\"/></wp:wrapPolygon></wp:wrapTight>"
        }
        Wrap::Behind | Wrap::InFront => "<wp:wrapNone/>",
    };
    let behind = if op.wrap == Wrap::Behind { 1 } else { 0 };
    // Numbers of shapes can be huge, and a layer has 32 bits.
    let layer = 251_658_240 + u64::from(shape & 0xFFFF) * 1024;
    format!(
        "<wp:anchor xmlns:wp=\"{wp}\" distT=\"0\" distB=\"0\" distL=\"114300\" distR=\"114300\" simplePos=\"0\" \
         relativeHeight=\"{layer}\" behindDoc=\"{behind}\" locked=\"0\" layoutInCell=\"1\" allowOverlap=\"1\">\
         <wp:simplePos x=\"0\" y=\"0\"/><wp:positionH relativeFrom=\"column\"><wp:posOffset>0</wp:posOffset></wp:positionH>\
         <wp:positionV relativeFrom=\"paragraph\"><wp:posOffset>0</wp:posOffset></wp:positionV>{extent}{wrap}{rest}</wp:anchor>"
    )
}
