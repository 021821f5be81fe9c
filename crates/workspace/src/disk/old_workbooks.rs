//! Old binary workbooks (`.xls`): read as the new ones that a converter makes of them, and never written.
//!
//! The reader of the old format has been seen to panic, to abort and to ask for gigabytes on broken files, so whoever
//! sets up a workspace gives a converter that runs it where that does no harm.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use edit::Refusal;

type Convert = dyn Fn(&[u8]) -> Result<Vec<u8>, Refusal> + Send + Sync;

/// Makes an `.xlsx` file of an old workbook.
#[derive(Clone, Default)]
pub struct Converter(Option<Arc<Convert>>);

impl Converter {
    /// Old workbooks are refused.
    pub fn none() -> Self {
        Self(None)
    }

    pub fn new(convert: impl Fn(&[u8]) -> Result<Vec<u8>, Refusal> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(convert)))
    }

    /// The new workbook, or nothing for a file that is no old one.
    pub(crate) fn convert(&self, path: &Path, bytes: &[u8]) -> Result<Option<Vec<u8>>, Refusal> {
        let extension = path.extension().unwrap_or(OsStr::new("")).to_ascii_lowercase();
        if !matches!(extension.to_str(), Some("xls" | "xlt")) || !sheet::is_old(bytes) {
            return Ok(None);
        }
        match &self.0 {
            Some(convert) => convert(bytes).map(Some),
            None => Err(Refusal::Unsupported {
                what: format!("{}, an old binary workbook,", path.display()),
                instead: Some("save it as .xlsx and open that".to_owned()),
            }),
        }
    }
}

impl fmt::Debug for Converter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Converter" } else { "no converter" })
    }
}

/// What cannot be done with a workbook that is only read.
pub(crate) fn only_read(what: &str, title: &str) -> Refusal {
    Refusal::Unsupported {
        what: format!("{what} `{title}`, an old binary workbook (.xls),"),
        instead: Some("it can be read; save it under a name that ends in .xlsx and work on that".to_owned()),
    }
}
