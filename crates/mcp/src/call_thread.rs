//! The thread that calls run on as long as they come one after another, which is how most clients call.
//!
//! A pool gives each call to another of its threads. The next call then finds neither its document in the caches
//! nor the memory that the last one left, and a save of a long document takes a fifth longer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;

use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

#[derive(Debug, Default)]
pub(crate) struct CallThread {
    /// Started with the first call; nothing if there can be no thread.
    jobs: OnceLock<Option<mpsc::Sender<Job>>>,
    busy: Arc<AtomicBool>,
}

/// What work on the thread will have brought: its answer, or what it panicked with.
pub(crate) type Done<T> = oneshot::Receiver<thread::Result<T>>;

impl CallThread {
    /// Does `work` on the thread, or gives it back if the thread is busy.
    pub(crate) fn take<T, W>(&self, work: W) -> Result<Done<T>, W>
    where
        T: Send + 'static,
        W: FnOnce() -> T + Send + 'static,
    {
        let Some(jobs) = self.jobs.get_or_init(start) else { return Err(work) };
        if self.busy.swap(true, Ordering::AcqRel) {
            return Err(work);
        }
        let (answer, done) = oneshot::channel();
        let busy = Arc::clone(&self.busy);
        let job = move || {
            let result = catch_unwind(AssertUnwindSafe(work));
            // Before the answer, which the next call may follow at once.
            busy.store(false, Ordering::Release);
            let _ = answer.send(result);
        };
        // It never ends while there is a sender, so the job arrives.
        let _ = jobs.send(Box::new(job));
        Ok(done)
    }
}

fn start() -> Option<mpsc::Sender<Job>> {
    let (jobs, waiting) = mpsc::channel::<Job>();
    let work = move || waiting.into_iter().for_each(|job| job());
    thread::Builder::new().name("calls".into()).spawn(work).ok().map(|_| jobs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_one_after_another_share_a_thread_and_survive_a_panic() {
        let call_thread = CallThread::default();
        let run = || call_thread.take(|| thread::current().id()).ok().expect("idle").blocking_recv();
        let first = run().expect("answered").expect("no panic");
        let panicked = call_thread.take(|| panic!("a defect")).ok().expect("idle").blocking_recv();
        assert!(panicked.expect("answered").is_err());
        assert_eq!(run().expect("answered").expect("no panic"), first);
    }

    #[test]
    fn a_call_beside_another_is_given_back() {
        let call_thread = CallThread::default();
        let (go, wait) = mpsc::channel::<()>();
        let first = call_thread.take(move || wait.recv()).ok().expect("idle");
        assert_eq!(call_thread.take(|| 7).err().map(|work| work()), Some(7));
        go.send(()).expect("waits");
        assert!(first.blocking_recv().expect("answered").expect("no panic").is_ok());
        assert!(call_thread.take(|| ()).is_ok());
    }
}
