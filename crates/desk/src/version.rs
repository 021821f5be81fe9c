//! Which of two versions of the product is the newer one.

/// A version as in `CARGO_PKG_VERSION`. What comes behind a `+` does not count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    numbers: [u64; 3],
    /// A release comes after everything that led to it.
    released: bool,
    stage: String,
}

impl Version {
    /// Nothing for what is no version, which is then neither newer nor older than anything.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.split('+').next()?;
        let (numbers, stage) = match text.split_once('-') {
            Some((numbers, stage)) => (numbers, Some(stage)),
            None => (text, None),
        };
        let mut parts = numbers.split('.').map(|part| part.parse::<u64>().ok());
        let mut next = || parts.next().flatten();
        let numbers = [next()?, next()?, next()?];
        match parts.next() {
            Some(_) => None,
            None => {
                Some(Self { numbers, released: stage.is_none(), stage: stage.unwrap_or_default().to_owned() })
            }
        }
    }

    pub(crate) fn is_newer(text: &str, than: &str) -> bool {
        matches!((Self::parse(text), Self::parse(than)), (Some(text), Some(than)) if text > than)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        for (newer, older) in
            [("0.2.0", "0.1.9"), ("0.10.0", "0.9.0"), ("1.0.0", "1.0.0-rc.1"), ("1.0.0-rc.2", "1.0.0-rc.1")]
        {
            assert!(Version::is_newer(newer, older), "{newer} {older}");
            assert!(!Version::is_newer(older, newer), "{older} {newer}");
        }
        for (one, other) in [("0.1.0", "0.1.0"), ("0.1.0+a", "0.1.0+b"), ("1.0", "0.1.0"), ("x", "0.1.0")] {
            assert!(!Version::is_newer(one, other) && !Version::is_newer(other, one), "{one} {other}");
        }
    }
}
