//! Two pictures of one range, and where they differ.

use edit::Refusal;
use tiny_skia::{Pixmap, PremultipliedColorU8};

use crate::raster;

/// What became of a picture.
#[derive(Clone, Debug)]
pub struct PictureDifference {
    /// The later picture, pale where nothing changed, with what changed in its colours and framed in red.
    pub png: Vec<u8>,
    /// Pixels that differ, and of how many.
    pub changed: u64,
    pub total: u64,
    /// Rectangles around what differs: left, top, width, height.
    pub places: Vec<(u32, u32, u32, u32)>,
}

/// Pixels that are looked at together.
const TILE: u32 = 16;

pub fn difference(before: &[u8], after: &[u8]) -> Result<PictureDifference, Refusal> {
    let (before, after) = (decode(before, "the earlier picture")?, decode(after, "the later picture")?);
    let (width, height) = (before.width().max(after.width()), before.height().max(after.height()));
    let failed = || Refusal::Limit {
        what: "the picture".into(),
        found: format!("{width} x {height}"),
        limit: "the memory".into(),
    };
    let mut out = Pixmap::new(width, height).ok_or_else(failed)?;
    let (across, down) = (width.div_ceil(TILE), height.div_ceil(TILE));
    let mut tiles = vec![false; across as usize * down as usize];
    let mut changed = 0;
    for y in 0..height {
        for x in 0..width {
            let (was, is) = (before.pixel(x, y), after.pixel(x, y));
            let shown = is.or(was).unwrap_or(PremultipliedColorU8::TRANSPARENT);
            let pixel = if was == is {
                let pale = |part: u8| 255 - (255 - part) / 3;
                PremultipliedColorU8::from_rgba(
                    pale(shown.red()),
                    pale(shown.green()),
                    pale(shown.blue()),
                    255,
                )
            } else {
                changed += 1;
                if let Some(tile) = tiles.get_mut((y / TILE * across + x / TILE) as usize) {
                    *tile = true;
                }
                Some(shown)
            };
            if let (Some(slot), Some(pixel)) = (out.pixels_mut().get_mut((y * width + x) as usize), pixel) {
                *slot = pixel;
            }
        }
    }
    let places = rectangles(&mut tiles, across, down, width, height);
    for (left, top, wide, high) in &places {
        let red = PremultipliedColorU8::from_rgba(230, 0, 0, 255);
        let mut dot = |x: u32, y: u32| {
            if let (Some(slot), Some(red)) = (out.pixels_mut().get_mut((y * width + x) as usize), red) {
                *slot = red;
            }
        };
        for x in *left..left + wide {
            dot(x, *top);
            dot(x, top + high - 1);
        }
        for y in *top..top + high {
            dot(*left, y);
            dot(left + wide - 1, y);
        }
    }
    Ok(PictureDifference {
        png: raster::png(&out)?,
        changed,
        total: u64::from(width) * u64::from(height),
        places,
    })
}

/// Tiles that touch each other, as rectangles around them.
fn rectangles(
    tiles: &mut [bool],
    across: u32,
    down: u32,
    width: u32,
    height: u32,
) -> Vec<(u32, u32, u32, u32)> {
    let mut places = Vec::new();
    for start in 0..tiles.len() {
        if !tiles.get(start).copied().unwrap_or(false) {
            continue;
        }
        let mut stack = vec![start as u32];
        let (mut left, mut top, mut right, mut bottom) = (u32::MAX, u32::MAX, 0, 0);
        while let Some(at) = stack.pop() {
            let Some(tile) = tiles.get_mut(at as usize).filter(|tile| **tile) else { continue };
            *tile = false;
            let (x, y) = (at % across, at / across);
            (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
            for dy in y.saturating_sub(1)..=(y + 1).min(down - 1) {
                for dx in x.saturating_sub(1)..=(x + 1).min(across - 1) {
                    stack.push(dy * across + dx);
                }
            }
        }
        let (x, y) = (left * TILE, top * TILE);
        places.push((x, y, ((right + 1) * TILE).min(width) - x, ((bottom + 1) * TILE).min(height) - y));
    }
    places
}

fn decode(bytes: &[u8], what: &'static str) -> Result<Pixmap, Refusal> {
    let refuse = |why: String| Refusal::invalid(what, why, "a PNG that was drawn here");
    let pixels = crate::pictures::decode(bytes.to_vec()).map_err(refuse)?;
    let mut pixmap =
        Pixmap::new(pixels.width, pixels.height).ok_or_else(|| refuse("too large".to_owned()))?;
    for (slot, rgba) in pixmap.pixels_mut().iter_mut().zip(pixels.rgba.chunks_exact(4)) {
        if let [r, g, b, _] = rgba {
            *slot =
                PremultipliedColorU8::from_rgba(*r, *g, *b, 255).unwrap_or(PremultipliedColorU8::TRANSPARENT);
        }
    }
    Ok(pixmap)
}
