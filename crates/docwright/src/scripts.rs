//! Scripts run in a process of their own, which is this program again.

use std::sync::Arc;

use workspace::script::{self, Runner};

use crate::report::{Failure, Verdict};

/// The hidden command that the child runs.
pub(crate) const COMMAND: &str = "run-script";

/// Starts children of this program; nothing where it cannot find itself.
pub(crate) fn runner() -> Option<Arc<Runner>> {
    let program = std::env::current_exe().ok()?;
    Some(Arc::new(Runner::new(program, vec![COMMAND.to_owned()])))
}

/// The child: one job from stdin, one answer to stdout.
pub(crate) fn child() -> Result<Verdict, Failure> {
    script::child(&mut std::io::stdin().lock(), &mut std::io::stdout().lock())
        .map_err(|error| Failure::new("SCRIPT_PROCESS", error.to_string()))?;
    Ok(Verdict::Done)
}
