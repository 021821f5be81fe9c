//! Pictures inside documents, decoded with limits.

use crate::scene::Pixels;

/// More pixels than any camera has; a file that claims more wants memory.
const MOST_PIXELS: u64 = 100_000_000;

/// Why a picture cannot be shown is a few words for the box in its place.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<Pixels, String> {
    if bytes.starts_with(b"\x89PNG") {
        return png(bytes);
    }
    if bytes.starts_with(&[0xFF, 0xD8]) {
        return jpeg(bytes);
    }
    let kind = match bytes.get(..4) {
        Some(b"GIF8") => "GIF",
        Some([b'B', b'M', ..]) => "BMP",
        Some([1, 0, 0, 0]) => "EMF",
        Some([0xD7, 0xCD, 0xC6, 0x9A]) => "WMF",
        Some(b"II*\0" | b"MM\0*") => "TIFF",
        Some(b"RIFF") => "WebP",
        Some(head) if head.starts_with(b"<") => "SVG",
        _ => "unknown format",
    };
    Err(kind.to_owned())
}

fn png(bytes: Vec<u8>) -> Result<Pixels, String> {
    let broken = |_| "broken PNG".to_owned();
    let limits = png::Limits { bytes: MOST_PIXELS as usize * 4 };
    let mut decoder = png::Decoder::new_with_limits(std::io::Cursor::new(&bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = (reader.info().width, reader.info().height);
    check(width, height)?;
    let size = reader.output_buffer_size().ok_or("too large")?;
    let mut data = vec![0; size];
    let frame = reader.next_frame(&mut data).map_err(broken)?;
    data.truncate(frame.buffer_size());
    let rgba = match frame.color_type {
        png::ColorType::Rgba => data,
        png::ColorType::GrayscaleAlpha => {
            data.chunks_exact(2).flat_map(|pair| [pair[0], pair[0], pair[0], pair[1]]).collect()
        }
        png::ColorType::Rgb => data.chunks_exact(3).flat_map(|rgb| [rgb[0], rgb[1], rgb[2], 255]).collect(),
        png::ColorType::Grayscale => data.iter().flat_map(|gray| [*gray, *gray, *gray, 255]).collect(),
        png::ColorType::Indexed => return Err("broken PNG".to_owned()),
    };
    Ok(Pixels { width, height, rgba, source: bytes, mime: "image/png" })
}

fn jpeg(bytes: Vec<u8>) -> Result<Pixels, String> {
    use zune_jpeg::zune_core::bytestream::ZCursor;
    use zune_jpeg::zune_core::colorspace::ColorSpace;
    use zune_jpeg::zune_core::options::DecoderOptions;
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGBA)
        .set_max_width(20_000)
        .set_max_height(20_000);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(&bytes), options);
    decoder.decode_headers().map_err(|_| "broken JPEG")?;
    let (width, height) = decoder.dimensions().ok_or("broken JPEG")?;
    let (width, height) =
        (u32::try_from(width).map_err(|_| "too large")?, u32::try_from(height).map_err(|_| "too large")?);
    check(width, height)?;
    let rgba = decoder.decode().map_err(|_| "broken JPEG")?;
    if rgba.len() as u64 != u64::from(width) * u64::from(height) * 4 {
        return Err("JPEG in colours for print".to_owned());
    }
    Ok(Pixels { width, height, rgba, source: bytes, mime: "image/jpeg" })
}

fn check(width: u32, height: u32) -> Result<(), String> {
    match u64::from(width) * u64::from(height) {
        0 => Err("empty".to_owned()),
        pixels if pixels > MOST_PIXELS => Err("too large".to_owned()),
        _ => Ok(()),
    }
}
