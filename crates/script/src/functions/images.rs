//! Pictures on sheets: listed, put there, moved and deleted. What is answered is where they lie, never their pixels.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sheet::resolved::{Anchor, Placed, PlacedKind};
use sheet::{DrawingChange, Edit, NewImage};

use super::chart_spec::Position;
use super::charts::{OnSheet, drawing_name};
use super::{Entry, entry, function};
use crate::host::{Fault, Host};
use crate::reference::sheet_position;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        entry::<ListImages>(),
        entry::<GetImage>(),
        entry::<AddImage>(),
        entry::<SetImage>(),
        entry::<DeleteImage>(),
    ]
}

/// English metric units in a pixel.
const PIXEL: f64 = 9_525.0;
/// Letters of base64 that are taken at most: a picture of 15 MB.
const MOST_LETTERS: usize = 20 << 20;

/// Where a picture lies and what it is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImageInfo {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    sheet: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alt_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alt_text_title: Option<String>,
    /// Of the file in the workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
}

fn info(host: &Host, sheet: usize, object: &Placed) -> Result<ImageInfo, Fault> {
    let bytes = match &object.part {
        Some(part) => host.sheet(sheet)?.object_bytes(part)?.map(|bytes| bytes.len()),
        None => None,
    };
    let format = object
        .part
        .as_deref()
        .and_then(|part| part.rsplit_once('.'))
        .map(|(_, ending)| ending.to_lowercase());
    Ok(ImageInfo {
        name: object.name.clone(),
        id: object.id,
        sheet: host.sheet_name(sheet),
        position: Position::of(&object.anchor),
        alt_text: object.description.clone(),
        alt_text_title: object.heading.clone(),
        bytes,
        format,
    })
}

/// A picture by its name or its number.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImageKey {
    name: Option<String>,
    id: Option<u32>,
}

fn find(host: &Host, sheet: usize, key: &ImageKey) -> Result<Placed, Fault> {
    let placed = host.sheet(sheet)?.placed()?;
    let pictures = || placed.iter().filter(|object| object.kind == PlacedKind::Picture);
    let wanted = match (&key.name, key.id) {
        (None, None) => return Err(Fault::invalid("give `name` or `id` of a picture")),
        (Some(name), _) => format!("`{name}`"),
        (None, Some(id)) => id.to_string(),
    };
    let mut found = pictures().filter(|object| {
        key.name.as_ref().is_none_or(|name| object.name.as_ref() == Some(name))
            && key.id.is_none_or(|id| object.id == Some(id))
    });
    match (found.next(), found.next()) {
        (Some(object), None) => Ok(object.clone()),
        (None, _) => {
            let names: Vec<String> = pictures().filter_map(|object| object.name.clone()).take(20).collect();
            let known = if names.is_empty() {
                "the sheet has none".to_owned()
            } else {
                format!("pictures: {}", names.join(", "))
            };
            Err(Fault::new(
                "NOT_FOUND",
                format!("no picture {wanted} on {}; {known}", host.sheet_name(sheet)),
            ))
        }
        (Some(_), Some(_)) => {
            Err(Fault::new("AMBIGUOUS", format!("several pictures are called {wanted}; give the `id` too")))
        }
    }
}

function! {
    /// The pictures of the workbook, or of one sheet.
    "listImages" ListImages { options: Option<OnSheet> } -> Vec<ImageInfo> => list_images
}

fn list_images(host: &mut Host, call: ListImages) -> Result<Vec<ImageInfo>, Fault> {
    let mut found = Vec::new();
    for sheet in call.options.unwrap_or_default().positions(host)? {
        let placed = host.sheet(sheet)?.placed()?;
        for object in placed.iter().filter(|object| object.kind == PlacedKind::Picture) {
            found.push(info(host, sheet, object)?);
        }
    }
    Ok(found)
}

function! {
    /// Where a picture lies and what it is.
    "getImage" GetImage { sheet: String, image: ImageKey } -> ImageInfo => get_image
}

fn get_image(host: &mut Host, call: GetImage) -> Result<ImageInfo, Fault> {
    let sheet = sheet_position(host.view(), &call.sheet)?;
    let object = find(host, sheet, &call.image)?;
    info(host, sheet, &object)
}

/// The picture in base64, or as a `data:` URL.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum ImageSource {
    Plain(String),
    Base64(Base64Source),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Base64Source {
    base64: String,
}

/// A picture to be put on a sheet. Without `position.to` it has its own size.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ImageSpec {
    name: Option<String>,
    position: Position,
    source: ImageSource,
    alt_text: Option<String>,
    /// The heading of the description.
    alt_text_title: Option<String>,
    /// Whether it keeps its shape when somebody pulls at it; true if nothing is said.
    preserve_aspect_ratio: Option<bool>,
}

function! {
    /// Put a PNG, JPEG or GIF picture on a sheet.
    "addImage" AddImage { sheet: String, spec: ImageSpec } -> ImageInfo => add_image
}

fn add_image(host: &mut Host, call: AddImage) -> Result<ImageInfo, Fault> {
    let AddImage { sheet, spec } = call;
    let sheet = sheet_position(host.view(), &sheet)?;
    let (at, to, offsets) = spec.position.cells(host, sheet)?;
    let data = letters(spec.source)?;
    let image = NewImage {
        data,
        name: spec.name,
        description: spec.alt_text,
        heading: spec.alt_text_title,
        to,
        offsets: Some(offsets),
        free_shape: spec.preserve_aspect_ratio == Some(false),
        ..NewImage::default()
    };
    host.write(vec![Edit::AddImage { sheet: host.sheet_name(sheet), at, image }])?;
    newest(host, sheet)
}

/// The picture in base64.
fn letters(source: ImageSource) -> Result<String, Fault> {
    let (ImageSource::Plain(given) | ImageSource::Base64(Base64Source { base64: given })) = source;
    let data = match given.strip_prefix("data:") {
        None => given,
        Some(url) => match url.split_once(";base64,") {
            Some((_, data)) => data.to_owned(),
            None => return Err(Fault::invalid("source: the data URL is not in base64")),
        },
    };
    if data.len() > MOST_LETTERS {
        return Err(Fault::new(
            "LIMIT_EXCEEDED",
            format!("source has {} letters; {MOST_LETTERS} are possible", data.len()),
        ));
    }
    Ok(data)
}

/// What is to change of a picture; what is left out stays, and an empty text takes a description away.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ImageUpdate {
    name: Option<String>,
    position: Option<Position>,
    /// Another picture in the place of this one.
    source: Option<ImageSource>,
    alt_text: Option<String>,
    alt_text_title: Option<String>,
    preserve_aspect_ratio: Option<bool>,
}

function! {
    /// Move or stretch a picture, name or describe it, or show another in its place.
    "setImage" SetImage { sheet: String, image: ImageKey, spec: ImageUpdate } -> ImageInfo => set_image
}

fn set_image(host: &mut Host, call: SetImage) -> Result<ImageInfo, Fault> {
    let SetImage { sheet, image, spec } = call;
    let sheet = sheet_position(host.view(), &sheet)?;
    let object = find(host, sheet, &image)?;
    let name = host.sheet_name(sheet);
    let mut edits = Vec::new();
    let described = DrawingChange {
        name: spec.name,
        description: spec.alt_text,
        heading: spec.alt_text_title,
        free_shape: spec.preserve_aspect_ratio.map(|keeps| !keeps),
    };
    if let Some(source) = spec.source {
        let position = spec.position.or_else(|| Position::of(&object.anchor));
        let position = position.ok_or_else(|| {
            Fault::new("UNSUPPORTED", "the picture is not fixed to cells; give its `position` too")
        })?;
        let (at, to, offsets) = position.cells(host, sheet)?;
        let (width, height) = match &object.anchor {
            Anchor::At { width, height, .. } if to.is_none() => {
                (Some(*width as f64 / PIXEL), Some(*height as f64 / PIXEL))
            }
            _ => (None, None),
        };
        let drawing = drawing_name(host, sheet, &object)?;
        let new = NewImage {
            data: letters(source)?,
            width,
            height,
            name: described.name.or(object.name.clone()),
            description: described.description.or(object.description.clone()),
            heading: described.heading.or(object.heading.clone()),
            to,
            offsets: Some(offsets),
            free_shape: described.free_shape == Some(true),
        };
        edits.push(Edit::DeleteDrawing { sheet: name.clone(), drawing });
        edits.push(Edit::AddImage { sheet: name, at, image: new });
        host.write(edits)?;
        return newest(host, sheet);
    }
    if let Some(position) = &spec.position {
        let drawing = drawing_name(host, sheet, &object)?;
        let (at, to, offsets) = position.cells(host, sheet)?;
        edits.push(Edit::MoveDrawing { sheet: name.clone(), drawing, at, to, offsets: Some(offsets) });
    }
    if described != DrawingChange::default() {
        let drawing = drawing_name(host, sheet, &object)?;
        edits.push(Edit::DescribeDrawing { sheet: name, drawing, change: described });
    }
    if edits.is_empty() {
        return Err(Fault::invalid(
            "nothing is to change; give `position`, `source`, `name`, `altText` or another",
        ));
    }
    host.write(edits)?;
    let placed = host.sheet(sheet)?.placed()?;
    let known = placed.iter().find(|one| one.place == object.place);
    info(host, sheet, known.ok_or_else(gone)?)
}

fn gone() -> Fault {
    Fault::new("EXEC_RUNTIME_ERROR", "the picture is not on the sheet")
}

/// The picture that was put there last.
fn newest(host: &Host, sheet: usize) -> Result<ImageInfo, Fault> {
    let placed = host.sheet(sheet)?.placed()?;
    let made = placed.iter().rfind(|object| object.kind == PlacedKind::Picture);
    info(host, sheet, made.ok_or_else(gone)?)
}

function! {
    /// Delete a picture, and its file where nothing else shows it.
    "deleteImage" DeleteImage { sheet: String, image: ImageKey } -> () => delete_image
}

fn delete_image(host: &mut Host, call: DeleteImage) -> Result<(), Fault> {
    let sheet = sheet_position(host.view(), &call.sheet)?;
    let object = find(host, sheet, &call.image)?;
    let drawing = drawing_name(host, sheet, &object)?;
    host.write(vec![Edit::DeleteDrawing { sheet: host.sheet_name(sheet), drawing }])?;
    Ok(())
}
