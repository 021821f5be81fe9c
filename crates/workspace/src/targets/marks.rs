//! The mark of a revision on the ids of blocks, which are of that revision alone.

use edit::RevisionId;

/// `7kd`: the number of a revision and two letters of its content.
pub fn mark(revision: RevisionId) -> String {
    const LETTERS: &[u8; 20] = b"bcdfghjklmnpqrstvwxz";
    let letter = |shift: u32| {
        let index = (revision.digest >> shift) as usize % LETTERS.len();
        LETTERS.get(index).copied().map_or('b', char::from)
    };
    format!("{}{}{}", revision.number, letter(0), letter(16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_tells_revisions_apart() {
        let one = RevisionId { number: 7, digest: 0x1234_5678 };
        assert_eq!(mark(one).len(), 3);
        assert!(mark(one).starts_with('7'));
        assert_ne!(mark(one), mark(RevisionId { digest: 0x1234_5679, ..one }));
    }
}
