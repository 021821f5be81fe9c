//! The real binary, as its users meet it.
#![allow(clippy::disallowed_methods, reason = "these tests run the binary on files of their own")]

mod bad_files;
mod binary;
mod cli;
mod client;
#[cfg(target_os = "linux")]
mod desk;
#[cfg(target_os = "linux")]
mod desk_ends;
#[cfg(target_os = "linux")]
mod desk_place;
mod docs;
#[cfg(unix)]
mod examples;
mod formats;
mod install;
mod markdown_tools;
mod md;
mod protocol;
#[cfg(unix)]
mod pseudo_terminal;
mod refusals;
mod requests;
mod review;
mod serve_config;
mod settings;
#[cfg(unix)]
mod terminal;
mod undo;
mod word;
mod word_op_refusals;
mod word_ops;
mod xlsx;
mod xlsx_exec;
mod xlsx_prompts;
mod xlsx_refusals;
