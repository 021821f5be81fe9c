//! Packages and XML as their users see them: real files, hostile files, random files.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read the corpus from disk and say so"
)]

mod attacks;
mod corpus;
mod package;
mod saves;
mod xml;
