//! Whether the times of a file tell any two states of it apart.
//!
//! Most file systems note the time of the last tick of a clock, so two writes within some milliseconds look alike.
//! Newer Linux notes a finer time for a file that somebody has looked at since its last change, so that no change
//! escapes who looks. Whether it does is tried out on the file at hand.

use std::io;

use cap_std::fs::File;

use super::Stamp;

/// Somebody else may have the processor between two changes, and then they prove nothing.
#[cfg(target_os = "linux")]
const TRIES: usize = 3;

/// Changes the file twice, in the same way, and looks at it before and after. If its times have told that apart, so will
/// they tell any later change, and what the file looks like now is given.
#[cfg(target_os = "linux")]
pub(super) fn stamp_after_changes(
    file: &File,
    mut change: impl FnMut() -> io::Result<()>,
) -> io::Result<Option<Stamp>> {
    // Nobody may have looked since it was written, and then its time is that of a tick which may be long ago.
    file.metadata()?;
    change()?;
    if !is_local(file) {
        return Ok(None);
    }
    let mut before = Stamp::of(&file.metadata()?);
    for _ in 0..TRIES {
        change()?;
        let after = Stamp::of(&file.metadata()?);
        if less_than_a_tick(before.changed, after.changed) {
            return Ok(Some(after));
        }
        before = after;
    }
    Ok(None)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn stamp_after_changes(
    _: &File,
    mut change: impl FnMut() -> io::Result<()>,
) -> io::Result<Option<Stamp>> {
    change().map(|()| None)
}

/// Whether there is less between the two times than between two ticks of the fastest clock that is in use for
/// files, which ticks each millisecond.
#[cfg(target_os = "linux")]
fn less_than_a_tick(before: (i64, i64), after: (i64, i64)) -> bool {
    let nanoseconds = (after.0 - before.0).saturating_mul(1_000_000_000).saturating_add(after.1 - before.1);
    (1..500_000).contains(&nanoseconds)
}

/// Whether nobody but this machine can change the file. Of one that lies elsewhere we may be shown what it was like
/// some seconds ago.
#[cfg(target_os = "linux")]
fn is_local(file: &File) -> bool {
    /// Of ext2 to ext4, XFS, Btrfs and tmpfs.
    const LOCAL: [u32; 4] = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994];
    // The field is wider than the number in it, and signed on some machines.
    rustix::fs::fstatfs(file).is_ok_and(|system| LOCAL.contains(&(system.f_type as u32)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_less_than_a_tick_proves_fine_times() {
        assert!(less_than_a_tick((5, 999_999_990), (6, 20)));
        assert!(less_than_a_tick((5, 10), (5, 11)));
        for (before, after) in
            [((5, 10), (5, 10)), ((5, 0), (5, 1_000_000)), ((5, 0), (6, 0)), ((6, 0), (5, 0))]
        {
            assert!(!less_than_a_tick(before, after));
        }
    }
}
