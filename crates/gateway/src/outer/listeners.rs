//! Calls that another server tells how far they are: each has a mark of its own, which its notifications carry.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::Value;

use crate::agent::{Step, Steps};

#[derive(Debug, Clone, Default)]
pub(super) struct Listeners {
    steps: Arc<Mutex<BTreeMap<String, Steps>>>,
    marks: Arc<AtomicU64>,
}

/// A call that listens as long as this lives.
pub(super) struct Listening {
    to: Listeners,
    mark: String,
}

impl Listeners {
    /// A mark that no other call has.
    pub(super) fn mark(&self) -> String {
        format!("call-{}", self.marks.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) fn add(&self, mark: String, steps: Steps) -> Listening {
        self.all().insert(mark.clone(), steps);
        Listening { to: self.clone(), mark }
    }

    /// Passes a notification on, if it is one of progress and somebody listens.
    pub(super) fn hear(&self, message: &Value) {
        if message.get("method").and_then(Value::as_str) != Some("notifications/progress") {
            return;
        }
        let said = |name: &str| message.get("params").and_then(|params| params.get(name));
        let (Some(mark), Some(done)) =
            (said("progressToken").and_then(Value::as_str), said("progress").and_then(Value::as_f64))
        else {
            return;
        };
        let text = said("message").and_then(Value::as_str);
        let message = text.map(|text| text.chars().take(500).collect());
        if let Some(steps) = self.all().get(mark) {
            // Whoever asked may have gone.
            let _ = steps.send(Step { done, total: said("total").and_then(Value::as_f64), message });
        }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Steps>> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.to.all().remove(&self.mark);
    }
}
