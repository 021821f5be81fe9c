//! What kind of picture some bytes are, and how large it wants to be.

use edit::Refusal;

/// Pictures in one operation.
const MOST_BYTES: usize = 32 << 20;
/// Programs show a picture without a resolution as if on such a screen.
const USUAL_DPI: f64 = 96.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Png,
    Jpeg,
    Gif,
}

impl Kind {
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Gif => "gif",
        }
    }

    pub fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Image {
    pub kind: Kind,
    width: u32,
    height: u32,
    /// Dots per inch across and down.
    dpi: Option<(f64, f64)>,
}

impl Image {
    pub fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let image = match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => png(bytes),
            [0xFF, 0xD8, 0xFF, ..] => jpeg(bytes),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => gif(bytes),
            _ => return Err(other(bytes)),
        };
        let image = image.ok_or_else(|| Refusal::Corrupt {
            what: "the picture".to_owned(),
            why: "it is damaged or cut off".to_owned(),
        })?;
        match image.width == 0 || image.height == 0 {
            true => Err(Refusal::invalid("data", "a picture without any pixels", "a picture")),
            false => Ok(image),
        }
    }

    pub fn points(&self) -> (f64, f64) {
        let (across, down) = self.dpi.unwrap_or((USUAL_DPI, USUAL_DPI));
        (f64::from(self.width) * 72.0 / across, f64::from(self.height) * 72.0 / down)
    }
}

fn other(bytes: &[u8]) -> Refusal {
    let head = String::from_utf8_lossy(bytes.get(..512).unwrap_or(bytes));
    let what = match bytes {
        _ if head.contains("<svg") => "an SVG picture, which needs a bitmap beside it,",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "a WebP picture",
        [b'B', b'M', ..] => "a BMP picture",
        [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => "a TIFF picture",
        _ => return Refusal::invalid("data", "bytes of no known picture", "a PNG, JPEG or GIF picture"),
    };
    Refusal::Unsupported { what: what.to_owned(), instead: Some("convert it to PNG, JPEG or GIF".to_owned()) }
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
    Some(Image { kind: Kind::Png, width, height, dpi: dpi.filter(sensible) })
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
    Some(Image { kind: Kind::Jpeg, width, height, dpi: dpi.filter(sensible) })
}

fn gif(bytes: &[u8]) -> Option<Image> {
    let number = |at: usize| Some(u32::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    let ends = bytes.iter().rev().find(|byte| **byte != 0) == Some(&0x3B);
    let (width, height) = (number(6)?, number(8)?);
    ends.then_some(Image { kind: Kind::Gif, width, height, dpi: None })
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
        Some(rest) => rest.split_once(";base64,").map(|(_, body)| body).ok_or_else(|| {
            Refusal::invalid("data", "a data: address without base64", "the bytes of a picture in base64")
        })?,
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
            out.extend_from_slice(bits.to_be_bytes().get(1..).unwrap_or_default());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_as_people_send_it() {
        assert_eq!(decode("SGk=").unwrap(), b"Hi");
        assert_eq!(decode("data:image/png;base64,SG\nk").unwrap(), b"Hi");
        for bad in ["", "SGk=A", "S", "SG!k", "data:image/png,abc"] {
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
        assert!(matches!(Image::read(&png[..60]), Err(Refusal::Corrupt { .. })));
        assert!(matches!(Image::read(b"<svg/>"), Err(Refusal::Unsupported { .. })));
        assert!(matches!(Image::read(b"hello"), Err(Refusal::Invalid { .. })));
    }
}
