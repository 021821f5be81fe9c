//! How often a session may ask: so many requests of a kind in any 60 seconds.
//!
//! Each request is remembered for as long as it counts. A bucket that fills by and by would let nearly twice as many
//! through in the first minute, and windows that begin on the minute as many again around each full minute.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::api::route::Class;

/// What a limit is of.
const WINDOW: Duration = Duration::from_secs(60);
/// Requests of one moment are remembered together.
const MOMENT: Duration = Duration::from_millis(100);

/// Requests in any 60 seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    pub chat: u32,
    pub execute: u32,
    pub document: u32,
    pub mcp: u32,
    /// Sessions begun from one address.
    pub begin: u32,
    /// Everything else, such as health and the state of a session, also for whoever has no session.
    pub other: u32,
}

impl Default for Rates {
    fn default() -> Self {
        Self { chat: 10, execute: 5, document: 20, mcp: 15, begin: 30, other: 6000 }
    }
}

impl Rates {
    pub(crate) fn of(&self, class: Class) -> u32 {
        match class {
            Class::Chat => self.chat,
            Class::Execute => self.execute,
            Class::Document => self.document,
            Class::Mcp => self.mcp,
            Class::Begin => self.begin,
            Class::Other => self.other,
        }
    }

    /// Sets the limit of a kind by its name.
    pub fn set(&mut self, kind: &str, limit: u32) -> Result<(), String> {
        let place = match kind {
            "chat" => &mut self.chat,
            "execute" => &mut self.execute,
            "document" => &mut self.document,
            "mcp" => &mut self.mcp,
            "session" => &mut self.begin,
            "other" => &mut self.other,
            _ => {
                return Err(format!(
                    "`{kind}` is no kind of request; they are chat, execute, document, mcp, session and other"
                ));
            }
        };
        *place = limit;
        Ok(())
    }
}

/// How a request stands to its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) limit: u32,
    pub(crate) left: u32,
    /// Until the oldest request counts no longer.
    pub(crate) reset: Duration,
    pub(crate) refused: bool,
}

#[derive(Debug)]
pub(crate) struct Counts {
    rates: Rates,
    begun: Instant,
    kept: Mutex<BTreeMap<(String, Class), Kept>>,
}

/// How many came in which moment, the oldest first.
#[derive(Debug, Default)]
struct Kept {
    moments: VecDeque<(Duration, u32)>,
    count: u32,
}

impl Counts {
    pub(crate) fn new(rates: Rates) -> Self {
        Self { rates, begun: Instant::now(), kept: Mutex::default() }
    }

    /// Counts a request of this kind by whoever it is, unless there were too many.
    pub(crate) fn take(&self, who: &str, class: Class) -> Count {
        self.take_at(who, class, self.begun.elapsed())
    }

    fn take_at(&self, who: &str, class: Class, now: Duration) -> Count {
        let limit = self.rates.of(class);
        let mut all = self.kept();
        let kept = all.entry((who.to_owned(), class)).or_default();
        kept.forget(now);
        let refused = kept.count >= limit;
        if !refused {
            kept.add(now);
        }
        let oldest = kept.moments.front().map_or(now, |(moment, _)| *moment);
        let reset = (oldest + MOMENT + WINDOW).saturating_sub(now);
        Count { limit, left: limit.saturating_sub(kept.count), reset, refused }
    }

    /// Forgets those that have not asked for long.
    pub(crate) fn sweep(&self) {
        let now = self.begun.elapsed();
        self.kept().retain(|_, kept| {
            kept.forget(now);
            kept.count > 0
        });
    }

    fn kept(&self) -> MutexGuard<'_, BTreeMap<(String, Class), Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn forget(&mut self, now: Duration) {
        while let Some((moment, count)) = self.moments.front().copied()
            && now >= moment + MOMENT + WINDOW
        {
            self.count -= count;
            self.moments.pop_front();
        }
    }

    fn add(&mut self, now: Duration) {
        self.count += 1;
        match self.moments.back_mut() {
            Some((moment, count)) if now < *moment + MOMENT => *count += 1,
            _ => self.moments.push_back((now, 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn no_minute_has_more_than_the_limit() {
        let counts = Counts::new(Rates { chat: 10, ..Rates::default() });
        let mut passed = Vec::new();
        for turn in 0..2000 {
            let now = at(turn * 97);
            if !counts.take_at("a", Class::Chat, now).refused {
                passed.push(now);
            }
        }
        for first in &passed {
            let within = passed.iter().filter(|other| (*first..*first + WINDOW).contains(other)).count();
            assert!(within <= 10, "{within} from {first:?}");
        }
        assert_eq!(passed.iter().filter(|moment| **moment < WINDOW).count(), 10);
        assert!(passed.len() >= 30, "{}", passed.len());
    }

    #[test]
    fn what_is_left_and_when_more_will_be() {
        let counts = Counts::new(Rates { execute: 2, ..Rates::default() });
        let first = counts.take_at("a", Class::Execute, at(0));
        assert_eq!((first.left, first.refused, first.reset), (1, false, at(60_100)));
        assert_eq!(counts.take_at("a", Class::Execute, at(30_000)).left, 0);
        let third = counts.take_at("a", Class::Execute, at(40_000));
        assert_eq!((third.left, third.refused, third.reset), (0, true, at(20_100)));
        // Another session, and another kind, have limits of their own.
        assert!(!counts.take_at("b", Class::Execute, at(40_000)).refused);
        assert!(!counts.take_at("a", Class::Chat, at(40_000)).refused);
        assert!(!counts.take_at("a", Class::Execute, at(60_100)).refused);
        assert!(counts.take_at("a", Class::Execute, at(60_200)).refused);
    }
}
