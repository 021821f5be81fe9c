//! Connections that have not said who they are.
//!
//! Whoever wants a seat says so at once. A connection that says nothing costs a handle all the same, so only some of
//! them are kept, and it is the oldest that goes: however many there are, the next one is heard.

use std::collections::VecDeque;

use tokio_util::sync::CancellationToken;

#[derive(Debug)]
pub(crate) struct Silent {
    most: usize,
    /// Oldest first; those that spoke, or are gone, are forgotten on the way.
    all: VecDeque<CancellationToken>,
}

impl Silent {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, all: VecDeque::new() }
    }

    /// The silence of one more connection.
    pub(crate) fn next(&mut self) -> Silence {
        self.all.retain(|token| !token.is_cancelled());
        while self.all.len() >= self.most.max(1) {
            if let Some(oldest) = self.all.pop_front() {
                oldest.cancel();
            }
        }
        let token = CancellationToken::new();
        self.all.push_back(token.clone());
        Silence(token)
    }
}

/// Lasts until the connection speaks, which is when this is dropped.
#[derive(Debug)]
pub(crate) struct Silence(CancellationToken);

impl Silence {
    /// Comes when there is no more room for this one.
    pub(crate) async fn over(&self) {
        self.0.cancelled().await;
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_makes_room_and_those_that_spoke_take_none() {
        let mut silent = Silent::new(2);
        let first = silent.next();
        drop(silent.next());
        let third = silent.next();
        assert!(!first.0.is_cancelled() && !third.0.is_cancelled());
        let fourth = silent.next();
        assert!(first.0.is_cancelled());
        assert!(!third.0.is_cancelled() && !fourth.0.is_cancelled());
    }
}
