//! `docwright desk`: the process that all others of a state folder pass their lines to.

use std::time::Duration;

use desk::Options;

use crate::cli::DeskArguments;
use crate::hello::transport;
use crate::report::{Failure, Verdict};
use crate::seats::Seats;

pub(crate) fn run(arguments: &DeskArguments) -> Result<Verdict, Failure> {
    let DeskArguments { state_dir, desk } = arguments;
    let mut options = Options::new(&desk.version);
    options.linger = Some(Duration::from_millis(desk.linger));
    desk::run(state_dir, transport(desk), options, || {
        Seats::of(state_dir.clone(), desk.seats).map_err(|failure| std::io::Error::other(failure.message))
    })
    .map_err(|error| Failure::new("NO_DESK", error.to_string()))?;
    Ok(Verdict::Done)
}
