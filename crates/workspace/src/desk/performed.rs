//! What was done under the name of a request.

use super::Desk;
use crate::disk::journal::{Performed, performed_in};

impl Desk {
    /// What was done under the name of a request, by this process or by one before it; nothing if the request never got
    /// so far, or if it is too long ago.
    pub fn performed(&self, operation: &str) -> Vec<Performed> {
        let open: Vec<_> = self.registry.lock().documents.values().cloned().collect();
        let in_memory = open.iter().flat_map(|cell| cell.document.lock().performed(operation));
        let mut done: Vec<Performed> = in_memory.map(|(_, done)| done).collect();
        for left in self.journals.as_ref().map(|journals| journals.all_left()).unwrap_or_default() {
            if let Ok(found) = &left.found {
                done.extend(performed_in(&found.log, operation));
            }
        }
        done
    }
}
