//! What the fuzz targets share: small files to start from, and packages in a form that a fuzzer can get a grip on.

mod bundle;
mod damage;
mod fixture;

pub use bundle::Bundle;
pub use damage::mutate;
pub use fixture::{document, workbook};

/// Whether a refusal admits to a fault of our own.
pub fn is_ours(refusal: &edit::Refusal) -> bool {
    matches!(refusal.innermost(), edit::Refusal::Internal { .. })
}
