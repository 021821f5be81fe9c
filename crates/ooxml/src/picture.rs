//! What kind of picture some bytes are, and how large it wants to be.

use edit::{Cut, Refusal};

/// Pictures in one operation.
const MOST_BYTES: usize = 32 << 20;
/// Programs show a picture without a resolution as if on such a screen.
const USUAL_DPI: f64 = 96.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Png,
    Jpeg,
    Gif,
    Bmp,
    Tiff,
    Svg,
}

impl Kind {
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Gif => "gif",
            Self::Bmp => "bmp",
            Self::Tiff => "tiff",
            Self::Svg => "svg",
        }
    }

    pub fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Bmp => "image/bmp",
            Self::Tiff => "image/tiff",
            Self::Svg => "image/svg+xml",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Image {
    pub kind: Kind,
    /// Pixels.
    width: f64,
    height: f64,
    /// Dots per inch across and down.
    dpi: Option<(f64, f64)>,
}

impl Image {
    pub fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let image = match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => png(bytes),
            [0xFF, 0xD8, 0xFF, ..] => jpeg(bytes),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => gif(bytes),
            [b'B', b'M', ..] => bmp(bytes),
            [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => tiff(bytes),
            _ => return Err(other(bytes)),
        };
        let image = image.ok_or_else(|| {
            Refusal::invalid("data", "a picture that is damaged or cut off", "all bytes of a picture")
        })?;
        match image.width < 1.0 || image.height < 1.0 {
            true => Err(Refusal::invalid("data", "a picture without any pixels", "a picture")),
            false => Ok(image),
        }
    }

    pub fn points(&self) -> (f64, f64) {
        let (across, down) = self.dpi.unwrap_or((USUAL_DPI, USUAL_DPI));
        (self.width * 72.0 / across, self.height * 72.0 / down)
    }

    /// An SVG picture of this many pixels; what those are, whoever draws it knows.
    pub fn drawn((width, height): (f64, f64)) -> Self {
        Self { kind: Kind::Svg, width, height, dpi: None }
    }
}

/// Whether these bytes are a drawing.
pub fn is_svg(bytes: &[u8]) -> bool {
    let head = bytes.get(..4096).unwrap_or(bytes);
    let text = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    matches!(text, Some(b'<' | 0xEF)) && memchr::memmem::find(head, b"<svg").is_some()
}

fn other(bytes: &[u8]) -> Refusal {
    let what = match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
            "a WebP picture, which Word cannot show"
        }
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => {
            "a HEIC or AVIF picture, which Word cannot show everywhere"
        }
        _ if is_svg(bytes) => "an SVG picture, which needs a bitmap beside it,",
        [0x1F, 0x8B, ..] => "a compressed picture (svgz)",
        [b'%', b'P', b'D', b'F', ..] => "a PDF document as a picture",
        _ => {
            let expected = "a PNG, JPEG, GIF, BMP, TIFF or SVG picture";
            return Refusal::invalid("data", "bytes of no known picture", expected);
        }
    };
    Refusal::Unsupported { what: what.to_owned(), instead: Some("convert it to PNG or JPEG".to_owned()) }
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn be16(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?)))
}

fn png(bytes: &[u8]) -> Option<Image> {
    let mut at = 8;
    let (mut size, mut dpi) = (None, None);
    loop {
        let length = be32(bytes, at)? as usize;
        let name = bytes.get(at + 4..at + 8)?;
        let body = bytes.get(at + 8..(at + 8).checked_add(length)?)?;
        match name {
            b"IHDR" => size = Some((be32(body, 0)?, be32(body, 4)?)),
            b"pHYs" if body.get(8) == Some(&1) => {
                let inches = |per_metre: u32| f64::from(per_metre) * 0.0254;
                dpi = Some((inches(be32(body, 0)?), inches(be32(body, 4)?)));
            }
            b"IEND" => break,
            _ => {}
        }
        at += length + 12;
    }
    let (width, height) = size?;
    Some(Image { kind: Kind::Png, width: width.into(), height: height.into(), dpi: dpi.filter(sensible) })
}

fn jpeg(bytes: &[u8]) -> Option<Image> {
    let mut at = 2;
    let (mut size, mut dpi) = (None, None);
    loop {
        while bytes.get(at)? != &0xFF {
            at += 1;
        }
        while bytes.get(at)? == &0xFF {
            at += 1;
        }
        let marker = *bytes.get(at)?;
        at += 1;
        match marker {
            0x01 | 0xD0..=0xD8 => continue,
            0xD9 | 0xDA => break,
            _ => {}
        }
        let length = be16(bytes, at)? as usize;
        let body = bytes.get(at + 2..at + length)?;
        match marker {
            0xE0 if body.starts_with(b"JFIF\0") => {
                let scale = match body.get(7)? {
                    1 => Some(1.0),
                    2 => Some(2.54),
                    _ => None,
                };
                let density = (f64::from(be16(body, 8)?), f64::from(be16(body, 10)?));
                dpi = scale.map(|scale| (density.0 * scale, density.1 * scale));
            }
            // Every start of frame but the tables that share their numbers.
            0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                size = Some((be16(body, 3)?, be16(body, 1)?))
            }
            _ => {}
        }
        at += length;
    }
    // A picture that was cut off has no end mark.
    memchr::memmem::rfind(bytes, &[0xFF, 0xD9])?;
    let (width, height) = size?;
    Some(Image { kind: Kind::Jpeg, width: width.into(), height: height.into(), dpi: dpi.filter(sensible) })
}

fn gif(bytes: &[u8]) -> Option<Image> {
    let number = |at: usize| Some(u32::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    let ends = bytes.iter().rev().find(|byte| **byte != 0) == Some(&0x3B);
    let (width, height) = (number(6)?, number(8)?);
    ends.then_some(Image { kind: Kind::Gif, width: width.into(), height: height.into(), dpi: None })
}

fn bmp(bytes: &[u8]) -> Option<Image> {
    let number = |at: usize| Some(i32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let pixels = usize::try_from(number(10)?).ok()?;
    let header = number(14)?;
    // The first form of the header has short numbers and no resolution.
    if header < 40 {
        let short = |at: usize| Some(f64::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
        let (width, height) = (short(18)?, short(20)?);
        return (pixels < bytes.len()).then_some(Image { kind: Kind::Bmp, width, height, dpi: None });
    }
    // A picture that is stored from the top down has a negative height.
    let (width, height) = (number(18)?, number(22)?.unsigned_abs());
    let inches = |per_metre: i32| f64::from(per_metre) * 0.0254;
    let dpi = (inches(number(38)?), inches(number(42)?));
    let image = Image {
        kind: Kind::Bmp,
        width: width.into(),
        height: height.into(),
        dpi: Some(dpi).filter(sensible),
    };
    (pixels < bytes.len()).then_some(image)
}

fn tiff(bytes: &[u8]) -> Option<Image> {
    let little = bytes.first() == Some(&b'I');
    let short = |at: usize| -> Option<u32> {
        let raw = *bytes.get(at..)?.first_chunk::<2>()?;
        Some(if little { u16::from_le_bytes(raw) } else { u16::from_be_bytes(raw) }.into())
    };
    let long = |at: usize| -> Option<u32> {
        let raw = *bytes.get(at..)?.first_chunk::<4>()?;
        Some(if little { u32::from_le_bytes(raw) } else { u32::from_be_bytes(raw) })
    };
    let first = long(4)? as usize;
    let (mut width, mut height, mut across, mut down, mut unit) = (None, None, None, None, 2);
    for entry in 0..short(first)? as usize {
        let at = first + 2 + entry * 12;
        let value = if short(at + 2)? == 3 { short(at + 8)? } else { long(at + 8)? };
        let ratio = || {
            let (top, bottom) = (long(value as usize)?, long(value as usize + 4)?);
            (bottom > 0).then(|| f64::from(top) / f64::from(bottom))
        };
        match short(at)? {
            256 => width = Some(value),
            257 => height = Some(value),
            282 => across = ratio(),
            283 => down = ratio(),
            296 => unit = value,
            _ => {}
        }
    }
    let scale = match unit {
        2 => Some(1.0),
        3 => Some(2.54),
        _ => None,
    };
    let dpi = across.zip(down).zip(scale).map(|((across, down), scale)| (across * scale, down * scale));
    Some(Image { kind: Kind::Tiff, width: width?.into(), height: height?.into(), dpi: dpi.filter(sensible) })
}

/// Cameras and scanners write nonsense; a picture of a metre a pixel helps nobody.
fn sensible(dpi: &(f64, f64)) -> bool {
    let fits = |value: f64| (20.0..=4800.0).contains(&value);
    fits(dpi.0) && fits(dpi.1)
}

/// The bytes of base64, also as a `data:` address, with or without line ends and padding.
pub fn decode(text: &str) -> Result<Vec<u8>, Refusal> {
    let text = text.trim();
    let body = match text.strip_prefix("data:") {
        Some(rest) => match rest.split_once(',') {
            Some((head, body)) if head.ends_with(";base64") => body,
            Some((_, body)) => return percent_decoded(body),
            None => {
                let expected = "data:image/png;base64, and the bytes of a picture";
                return Err(Refusal::invalid("data", "a data: address without a comma", expected));
            }
        },
        None => text,
    };
    if body.len() / 4 * 3 > MOST_BYTES {
        return Err(Refusal::Limit {
            what: "the size of the picture".into(),
            found: format!("{} bytes", body.len() / 4 * 3),
            limit: format!("{MOST_BYTES} bytes"),
        });
    }
    let mut out = Vec::with_capacity(body.len() / 4 * 3);
    let (mut bits, mut count, mut padded) = (0u32, 0, false);
    for character in body.bytes() {
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => {
                padded = true;
                continue;
            }
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            other => {
                let found = format!("the character `{}`", char::from(other).escape_default());
                return Err(Refusal::invalid("data", found, "the bytes of a picture in base64"));
            }
        };
        if padded {
            return Err(Refusal::invalid(
                "data",
                "text behind its end (`=`)",
                "the bytes of a picture in base64",
            ));
        }
        bits = bits << 6 | u32::from(value);
        count += 1;
        if count == 4 {
            out.extend_from_slice(bits.to_be_bytes().cut(1..)?);
            (bits, count) = (0, 0);
        }
    }
    match count {
        0 => {}
        2 => out.push((bits >> 4) as u8),
        3 => out.extend_from_slice(&[(bits >> 10) as u8, (bits >> 2) as u8]),
        _ => {
            return Err(Refusal::invalid(
                "data",
                "base64 that is cut off",
                "the bytes of a picture in base64",
            ));
        }
    }
    match out.is_empty() {
        true => Err(Refusal::invalid("data", "nothing", "the bytes of a picture in base64")),
        false => Ok(out),
    }
}

/// What a `data:` address without base64 holds, as people write SVG in one.
fn percent_decoded(body: &str) -> Result<Vec<u8>, Refusal> {
    if body.len() > MOST_BYTES {
        return Err(Refusal::Limit {
            what: "the size of the picture".into(),
            found: format!("{} bytes", body.len()),
            limit: format!("{MOST_BYTES} bytes"),
        });
    }
    let bytes = body.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let hex = body.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (byte, hex) {
            (b'%', Some(value)) => {
                out.push(value);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_as_people_send_it() {
        assert_eq!(decode("SGk=").unwrap(), b"Hi");
        assert_eq!(decode("data:image/png;base64,SG\nk").unwrap(), b"Hi");
        for bad in ["", "SGk=A", "S", "SG!k", "data:image/png"] {
            assert!(matches!(decode(bad), Err(Refusal::Invalid { .. })), "{bad}");
        }
    }

    #[test]
    fn a_picture_is_as_large_as_its_resolution_says() {
        let mut png = vec![0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n'];
        let mut chunk = |name: &[u8], body: &[u8]| {
            png.extend((body.len() as u32).to_be_bytes());
            png.extend(name);
            png.extend(body);
            png.extend([0; 4]);
        };
        chunk(b"IHDR", &[0, 0, 0, 200, 0, 0, 0, 100, 8, 2, 0, 0, 0]);
        chunk(b"pHYs", &[0, 0, 0x1D, 0x87, 0, 0, 0x1D, 0x87, 1]);
        chunk(b"IEND", &[]);
        let image = Image::read(&png).unwrap();
        let (width, height) = image.points();
        assert!((width - 75.6).abs() < 1.0 && (height - 37.8).abs() < 1.0, "{width} by {height}");
        assert!(matches!(Image::read(&png[..60]), Err(Refusal::Invalid { .. })));
        assert!(matches!(Image::read(b"RIFF\0\0\0\0WEBPVP8 "), Err(Refusal::Unsupported { .. })));
        assert!(matches!(Image::read(b"hello"), Err(Refusal::Invalid { .. })));
    }
    #[test]
    fn bitmaps_of_windows_and_of_scanners_say_their_size() {
        let mut bmp = b"BM".to_vec();
        bmp.extend([0; 8]);
        bmp.extend(54u32.to_le_bytes());
        bmp.extend(40u32.to_le_bytes());
        bmp.extend(300i32.to_le_bytes());
        bmp.extend((-150i32).to_le_bytes());
        bmp.extend([1, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bmp.extend(5906i32.to_le_bytes());
        bmp.extend(5906i32.to_le_bytes());
        bmp.extend([0; 12]);
        let (width, height) = Image::read(&bmp).unwrap().points();
        assert!((width - 144.0).abs() < 0.1 && (height - 72.0).abs() < 0.1, "{width} by {height}");
        assert!(matches!(Image::read(&bmp[..40]), Err(Refusal::Invalid { .. })));
        let mut tiff = b"MM\0\x2A\0\0\0\x08\0\x04".to_vec();
        for (tag, kind, value) in [(256u16, 3u16, 600u32 << 16), (257, 4, 300), (282, 5, 62), (283, 5, 62)] {
            tiff.extend(tag.to_be_bytes());
            tiff.extend(kind.to_be_bytes());
            tiff.extend(1u32.to_be_bytes());
            tiff.extend(value.to_be_bytes());
        }
        tiff.extend([0; 4]);
        tiff.extend(300u32.to_be_bytes());
        tiff.extend(1u32.to_be_bytes());
        assert_eq!(Image::read(&tiff).unwrap().points(), (144.0, 72.0));
        assert!(matches!(Image::read(&tiff[..20]), Err(Refusal::Invalid { .. })));
    }

    #[test]
    fn a_data_address_may_be_plain_text() {
        assert_eq!(decode("data:image/svg+xml,%3Csvg a='%23'/>").unwrap(), b"<svg a='#'/>");
        assert!(is_svg(b"\xEF\xBB\xBF<?xml version='1.0'?><svg/>") && !is_svg(b"say <svg"));
    }
}
