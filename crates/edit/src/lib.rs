//! What a change is.
