//! `insertPicture`: a picture of its own part, inline or floating.
//!
//! Nothing is ever fetched: a picture comes with the operation. PNG, JPEG and GIF go in as they are. SVG needs
//! a bitmap beside it for programs that cannot draw it, and none can be made here, so it is refused.

use edit::{Context, Level, PartName, Patch, Planned, Refusal};
use ooxml::picture::{self, Image};
use ooxml::xml::{escape_attribute, ns};
use ooxml::{Conformance, ContentTypes, NewRelationship, NewTarget, Relationships};

use super::answer::Answer;
use super::cut::Cut;
use super::draft::Draft;
use super::place::{Ground, Places, Span, plain_text};
use super::table::width_at;
use super::text::{body_blocks, check_outside_revisions, remove};
use super::{InsertPicture, InsertText, Location, PictureSource, Scope, Wrap};
use crate::edit::{Markup, Outcome, check_controls, excerpt};
use crate::names::attribute;
use crate::theatre::story_blobs;
use crate::view::{Place, View};

/// English metric units in a point.
const EMU: f64 = 12_700.0;
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
        PictureSource::Url(url) => {
            return Err(Refusal::Denied {
                what: format!("fetching `{}`", excerpt(url)),
                why: "this server does not use the network".to_owned(),
                instead: Some("pass the picture itself: source `base64`".to_owned()),
            });
        }
    };
    let image = Image::read(&bytes)?;
    let mut draft = Draft::new(view, markup, cx);
    if op.scope == Scope::Selection && places.selection.is_none() {
        draft.note(Level::Info, "no selection was set, so the start of the document was used");
    }
    let (place, offset) = site(&mut draft, op, places)?;
    check_controls(&draft.view, place)?;
    let (width, height) = size(&mut draft, op, &image, place)?;
    let theatre = draft.theatre(place)?;
    let cut = Cut::at(&theatre.paragraph, &plain_text(&theatre.paragraph), offset, &theatre.dialect);
    cut.check(&theatre.paragraph, "the picture")?;
    let mut patch = Patch::new();
    let relationship = add_media(&draft.view, &mut patch, &theatre.part, &image, bytes)?;
    let shape = free_shape(&draft.view);
    let strict = draft.view.layout().conformance == Conformance::Strict;
    let drawing = drawing(op, &relationship, shape, (emu(width), emu(height)), strict);
    let dialect = &theatre.dialect;
    let inner = format!(
        "{}{}",
        dialect.wrap("rPr", "", &dialect.empty("noProof", &[])),
        dialect.wrap("drawing", "", &drawing)
    );
    let mut run = dialect.wrap("r", "", &inner);
    if let Some(stamp) = draft.stamp() {
        check_outside_revisions(&theatre, &cut)?;
        run = dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &run);
    }
    let landed = cut.put(&mut patch, &theatre.part, &run)?;
    let start = patch.map(&theatre.part, cut.at, edit::Gravity::Left) + (landed.start - cut.at);
    let range = Span::new(&theatre.part, start..start + run.len());
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
            let planned = super::text::plan(&draft.view, &empty, places, draft.markup, draft.cx)?;
            draft.apply(&planned.step.patch)?;
        }
        let blocks = body_blocks(&draft.view);
        let mut own = blocks.iter().filter_map(|(_, place)| *place);
        let start = matches!(op.location, Location::Start | Location::Before | Location::Replace);
        let place = if start { draft.view.body().next() } else { own.next_back() };
        let place = place.ok_or_else(|| Refusal::unsupported("a document without a paragraph of its own"))?;
        let length = plain_text(&draft.view.paragraph(place)?).text.len();
        return Ok((place, if start { 0 } else { length }));
    }
    let ground = Ground::of(&draft.view, &op.scope, places)?;
    let (first, last) = (ground.first()?.clone(), ground.last()?.clone());
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
            let room = width_at(&draft.view, place) as f64 / 20.0;
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

/// Plans the picture as a part of the package and answers its relationship.
fn add_media(
    view: &View,
    patch: &mut Patch,
    owner: &PartName,
    image: &Image,
    bytes: Vec<u8>,
) -> Result<String, Refusal> {
    let content = view.content();
    let folder = view.layout().main.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
    let slash = if folder.is_empty() { "" } else { "/" };
    let part = ooxml::free_name(content, &format!("{folder}{slash}media/image"), image.kind.extension());
    let relations = match view.layout().conformance {
        Conformance::Strict => "http://purl.oclc.org/ooxml/officeDocument/relationships",
        Conformance::Transitional => ns::R,
    };
    let kind = format!("{relations}/image");
    let new = [NewRelationship { kind: &kind, target: NewTarget::Part(&part) }];
    let ids = Relationships::of_part(content, owner)?.add(patch, &new)?;
    ContentTypes::read(content)?.declare(patch, &[(&part, image.kind.mime())])?;
    patch.put(&part, bytes);
    ids.into_iter().next().ok_or_else(|| Refusal::internal("a relationship without an id"))
}

/// A number for a drawing that no other has.
fn free_shape(view: &View) -> u32 {
    let mut highest = 0;
    for blob in story_blobs(view) {
        let bytes = blob.bytes();
        for at in memchr::memmem::find_iter(&bytes, b"docPr ") {
            let tag = bytes.get(at..).unwrap_or_default();
            let end = memchr::memchr(b'>', tag).unwrap_or(tag.len());
            let id =
                attribute(tag.get(..end).unwrap_or_default(), "id").and_then(|id| id.parse::<u32>().ok());
            highest = highest.max(id.filter(|id| *id < 0x7FFF_0000).unwrap_or(0));
        }
    }
    highest + 1
}

fn drawing(
    op: &InsertPicture,
    relationship: &str,
    shape: u32,
    (width, height): (u64, u64),
    strict: bool,
) -> String {
    let space = |name: &'static str, transitional: &'static str| match strict {
        true => format!("http://purl.oclc.org/ooxml/{name}"),
        false => transitional.to_owned(),
    };
    let wp = space("drawingml/wordprocessingDrawing", ns::WP);
    let a = space("drawingml/main", ns::A);
    let pic = space("drawingml/picture", ns::PIC);
    let r = space("officeDocument/relationships", ns::R);
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
         <pic:blipFill><a:blip xmlns:r=\"{r}\" r:embed=\"{relationship}\"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
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
