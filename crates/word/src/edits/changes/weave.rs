//! A new text woven from stretches of the old one and what is new, and the splices that lead to it.

use edit::Cut;
use std::ops::Range;

#[derive(Debug, Default, Clone)]
pub(super) struct Weave {
    threads: Vec<Thread>,
}

#[derive(Debug, Clone)]
enum Thread {
    /// Bytes of the source, later than all before them.
    Kept(Range<usize>),
    New(String),
}

impl Weave {
    pub(super) fn keep(&mut self, range: Range<usize>) {
        match self.threads.last_mut() {
            _ if range.is_empty() => {}
            Some(Thread::Kept(last)) if last.end == range.start => last.end = range.end,
            _ => self.threads.push(Thread::Kept(range)),
        }
    }

    pub(super) fn put(&mut self, text: &str) {
        match self.threads.last_mut() {
            _ if text.is_empty() => {}
            Some(Thread::New(last)) => last.push_str(text),
            _ => self.threads.push(Thread::New(text.to_owned())),
        }
    }

    pub(super) fn append(&mut self, other: Weave) {
        for thread in other.threads {
            match thread {
                Thread::Kept(range) => self.keep(range),
                Thread::New(text) => self.put(&text),
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// The text itself.
    pub(super) fn text(&self, source: &[u8], base: usize) -> String {
        let mut out = String::new();
        for thread in &self.threads {
            match thread {
                Thread::Kept(range) => {
                    let bytes = source.part(range.start - base..range.end - base);
                    out.push_str(&String::from_utf8_lossy(bytes));
                }
                Thread::New(text) => out.push_str(text),
            }
        }
        out
    }

    /// What has to be replaced in the source so that `whole` of it becomes this.
    pub(super) fn splices(self, whole: Range<usize>) -> Vec<(Range<usize>, String)> {
        let mut splices = Vec::new();
        let mut reached = whole.start;
        let mut pending = String::new();
        let mut close = |from: usize, to: usize, text: &mut String| {
            if from < to || !text.is_empty() {
                splices.push((from..to, std::mem::take(text)));
            }
        };
        for thread in self.threads {
            match thread {
                Thread::New(text) => pending.push_str(&text),
                Thread::Kept(range) => {
                    close(reached, range.start, &mut pending);
                    reached = range.end;
                }
            }
        }
        close(reached, whole.end, &mut pending);
        splices
    }
}
