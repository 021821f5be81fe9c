//! Work that somebody else does while whoever asked for it waits for the disk.

use std::panic::{self, AssertUnwindSafe};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use edit::Refusal;

type Job = Box<dyn FnOnce() + Send>;

/// A thread for such work, started with the first of it.
#[derive(Debug, Default)]
pub(crate) struct SideThread {
    /// Nothing if there can be no thread.
    jobs: OnceLock<Option<Sender<Job>>>,
}

impl SideThread {
    /// `work` that takes no longer than asking somebody else to is not `worth` it, and done at once.
    pub(crate) fn begin<T: Send + 'static>(
        &self,
        worth: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Meanwhile<T> {
        let Some(jobs) = worth.then(|| self.jobs.get_or_init(start).as_ref()).flatten() else {
            return Meanwhile::Done(work());
        };
        let (done, answer) = mpsc::channel();
        let job = move || {
            // Who asked hears of a defect; the next one finds the thread as it was.
            let _ = done.send(panic::catch_unwind(AssertUnwindSafe(work)));
        };
        // A job that nobody takes is dropped with its answer, which is how the one who waits hears of it.
        let _ = jobs.send(Box::new(job));
        Meanwhile::Asked(answer)
    }
}

fn start() -> Option<Sender<Job>> {
    let (jobs, waiting) = mpsc::channel::<Job>();
    let run = move || waiting.into_iter().for_each(|job| job());
    thread::Builder::new().name("aside".into()).spawn(run).ok().map(|_| jobs)
}

/// Work that is on its way.
#[derive(Debug)]
pub(crate) enum Meanwhile<T> {
    Done(T),
    Asked(Receiver<thread::Result<T>>),
}

impl<T> Meanwhile<T> {
    /// What came of the work. All that it held is let go by then.
    pub(crate) fn wait(self) -> Result<T, Refusal> {
        match self {
            Meanwhile::Done(result) => Ok(result),
            Meanwhile::Asked(answer) => match answer.recv() {
                Ok(Ok(result)) => Ok(result),
                Ok(Err(panic)) => panic::resume_unwind(panic),
                Err(_) => Err(Refusal::internal("the thread for work aside is gone; nothing was written")),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn work_gives_the_same_whoever_does_it_and_holds_nothing_afterwards() {
        let thread = SideThread::default();
        let held = Arc::new(5);
        for worth in [false, true] {
            let (one, two) = (Arc::clone(&held), Arc::clone(&held));
            let (one, two) = (thread.begin(worth, move || *one + 1), thread.begin(worth, move || *two + 2));
            assert_eq!((two.wait(), one.wait()), (Ok(7), Ok(6)));
            assert_eq!(Arc::strong_count(&held), 1);
        }
    }

    #[test]
    fn a_defect_reaches_who_asked_and_nobody_else() {
        let thread = SideThread::default();
        let (bad, good) = (thread.begin(true, || panic!("a defect")), thread.begin(true, || 7));
        let heard: thread::Result<Result<(), Refusal>> = panic::catch_unwind(AssertUnwindSafe(|| bad.wait()));
        assert_eq!(heard.unwrap_err().downcast_ref(), Some(&"a defect"));
        assert_eq!(good.wait(), Ok(7));
    }
}
