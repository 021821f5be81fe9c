//! Whether work is still wanted.
//!
//! Engines know no clocks and no connections, so they are given a question to ask. Whoever waits for the answer may have
//! hung up, or its time may be over; work that takes long asks in its loops and ends with a refusal that leaves
//! everything as it was.

use std::fmt;
use std::sync::Arc;

use crate::Refusal;

#[derive(Clone, Default)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    pub fn never() -> Self {
        Self(None)
    }

    /// `asked` must be cheap: it is called in loops.
    pub fn when(asked: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(asked)))
    }

    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|asked| asked())
    }

    /// A refusal to return with `?` once nobody wants the work any more.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.is_asked() { Err(Refusal::Cancelled) } else { Ok(()) }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stop(may be asked)" } else { "Stop(never)" })
    }
}
