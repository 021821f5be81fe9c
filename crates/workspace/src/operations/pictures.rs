//! Pictures that an operation names by their address: fetched here, where that is allowed; the engine never does.

use word::op::{InsertPicture, Op, PictureSource};

use crate::caller::network::{FetchError, Network};

/// The operation with its picture in it.
pub(super) fn fetched(op: &Op, network: &Network) -> Result<Op, FetchError> {
    let Op::InsertPicture(picture) = op else { return Ok(op.clone()) };
    let PictureSource::Url(url) = &picture.source else { return Ok(op.clone()) };
    if url.trim_start().starts_with("data:") {
        return Ok(op.clone());
    }
    let source = PictureSource::Base64(base64(&network.fetch(url)?));
    Ok(Op::InsertPicture(InsertPicture { source, ..picture.clone() }))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit) & 63) as usize;
            let used = digit <= chunk.len();
            out.push(DIGITS.get(value).filter(|_| used).map_or('=', |digit| char::from(*digit)));
        }
    }
    out
}
