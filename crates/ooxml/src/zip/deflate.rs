//! Packing one part.

use edit::{Cut, Refusal};
use zlib_rs::{Deflate, DeflateFlush, Status};

/// Level 6 packs 7 % tighter and takes more than twice the time.
pub(super) const LEVEL: i32 = 5;

/// `bytes` as a raw deflate stream.
pub(super) fn deflate(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    let mut stream = Deflate::new(LEVEL, false, 15);
    let mut out = Vec::new();
    compress(&mut stream, bytes, DeflateFlush::Finish, &mut out)?;
    Ok(out)
}

/// Feeds all of `bytes` to `stream` and appends what it writes, up to and including the flush.
pub(super) fn compress(
    stream: &mut Deflate,
    bytes: &[u8],
    flush: DeflateFlush,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let failed = || Refusal::internal("the deflate encoder failed");
    let read_before = stream.total_in();
    let mut room = bytes.len() / 8 + 1024;
    loop {
        let (read, written) = ((stream.total_in() - read_before) as usize, stream.total_out());
        let length = out.len();
        out.resize(length + room, 0);
        let input = bytes.cut(read..)?;
        let output = &mut out[length..];
        let status = stream.compress(input, output, flush).map_err(|_| failed())?;
        let produced = (stream.total_out() - written) as usize;
        out.truncate(length + produced);
        let done = match flush {
            DeflateFlush::Finish => status == Status::StreamEnd,
            // Room left over says that the flush is complete.
            _ => produced < room && (stream.total_in() - read_before) as usize == bytes.len(),
        };
        if done {
            return Ok(());
        }
        room = room.max(4096);
    }
}
