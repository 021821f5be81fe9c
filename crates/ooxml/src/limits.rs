//! How much a file may ask of us.

/// What opening a package accepts. Headers are never believed: the figures are checked against what they
/// declare when the package is opened, and what they declare against what comes out when a part is inflated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub entries: usize,
    /// Inflated bytes of all parts together.
    pub total_bytes: u64,
    /// Inflated bytes of one part.
    pub entry_bytes: u64,
    /// Inflated size over packed size, for parts larger than [`Limits::ratio_from`].
    pub ratio: u64,
    /// Below this inflated size the ratio does not count: a small part of blanks harms nobody.
    pub ratio_from: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            entries: 2_000,
            // Parts are unpacked when they are needed, so pictures and films count for little.
            total_bytes: 1 << 30,
            entry_bytes: 256 << 20,
            ratio: 200,
            // A picture of one colour, as old drawings carry them, packs to a thousandth.
            ratio_from: 8 << 20,
        }
    }
}
