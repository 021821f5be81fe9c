//! Memory for what is unpacked.
//!
//! A system hands out memory in pages of 4 KiB and clears each when it is first touched. For a part of 40 MB that
//! is ten thousand interruptions, which take about as long as the unpacking itself; so large parts ask for
//! large pages, where the system has them.

use std::ops::{Deref, DerefMut};

use edit::Buffer;
use memmap2::MmapMut;

/// Below this many bytes large pages save little and may waste as much again.
const LARGE: usize = 8 << 20;

/// Zeros, to be written over.
pub(super) enum Room {
    Small(Vec<u8>),
    Large(MmapMut),
}

/// The first bytes of a room; the rest is never seen again.
struct Cut {
    room: MmapMut,
    length: usize,
}

impl Room {
    pub(super) fn of(size: usize) -> Self {
        if size >= LARGE
            && let Ok(room) = MmapMut::map_anon(size)
        {
            // Only a wish: without large pages it is memory like any other.
            #[cfg(target_os = "linux")]
            let _ = room.advise(memmap2::Advice::HugePage);
            return Self::Large(room);
        }
        Self::Small(vec![0; size])
    }

    pub(super) fn cut(self, length: usize) -> Buffer {
        match self {
            Self::Small(mut bytes) => {
                bytes.truncate(length);
                Buffer::new(bytes)
            }
            Self::Large(room) => Buffer::new(Cut { room, length }),
        }
    }
}

impl Deref for Room {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Small(bytes) => bytes,
            Self::Large(room) => room,
        }
    }
}

impl DerefMut for Room {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Small(bytes) => bytes,
            Self::Large(room) => room,
        }
    }
}

impl AsRef<[u8]> for Cut {
    fn as_ref(&self) -> &[u8] {
        &self.room[..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_of_any_size_keep_what_is_written_into_them() {
        for size in [1, 5_000, LARGE, LARGE + 4_097] {
            let mut room = Room::of(size);
            assert!(room.len() == size && room.iter().all(|byte| *byte == 0));
            for (at, byte) in room.iter_mut().enumerate() {
                *byte = (at % 251) as u8;
            }
            let cut = room.cut(size - 1);
            assert_eq!(cut.len(), size - 1);
            assert!(cut.iter().enumerate().all(|(at, byte)| *byte == (at % 251) as u8));
        }
    }
}
