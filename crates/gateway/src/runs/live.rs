//! Runs that are going on in this process: who waits for them, who is asked, and how to stop them.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use futures::future::BoxFuture;
use mcp::CancellationToken;
use tokio::{
    sync::{oneshot, watch},
    task::AbortHandle,
};

use crate::agent::{ApprovalRequest, Approver, Decision};

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Progress {
    /// The number of the last event that is kept.
    pub(crate) last: i64,
    /// Whether a person has to say something before it goes on.
    pub(crate) waits: bool,
    pub(crate) ended: bool,
    /// Whether no other message of its session is answered before it.
    pub(crate) has_its_turn: bool,
}

/// Who of a session's messages has the turn and waits for a person: nobody behind it comes on before that.
pub(crate) type Front = watch::Sender<Option<String>>;

#[derive(Debug)]
pub(crate) struct LiveRun {
    id: String,
    pub(crate) cancel: CancellationToken,
    front: Front,
    /// Let go of by a process that ends.
    abandoned: AtomicBool,
    progress: watch::Sender<Progress>,
    asked: Mutex<BTreeMap<String, Question>>,
    work: OnceLock<AbortHandle>,
}

/// A call that waits for a person.
#[derive(Debug)]
struct Question {
    answer: Option<oneshot::Sender<Decision>>,
    answered: Option<oneshot::Receiver<Decision>>,
    /// Who decided.
    by: Option<String>,
}

/// What came of an answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decided {
    Taken,
    /// It was answered before, or too late.
    Before,
    /// There is no such question.
    Unknown,
}

impl LiveRun {
    pub(crate) fn new(id: &str, cancel: CancellationToken, front: Front) -> Self {
        let (progress, asked, work) = (watch::Sender::default(), Mutex::default(), OnceLock::new());
        Self { id: id.to_owned(), cancel, front, abandoned: AtomicBool::new(false), progress, asked, work }
    }

    /// Waits until it has ended, or a person has to say something before it goes on: to a call of its own, or to one of
    /// the message that it stands behind.
    pub(crate) async fn settled(&self) {
        let (mut progress, mut front) = (self.watch(), self.front.subscribe());
        loop {
            let seen = *progress.borrow_and_update();
            let blocked = front.borrow_and_update().is_some();
            if seen.ended || seen.waits || (blocked && !seen.has_its_turn) {
                return;
            }
            let changed = tokio::select! {
                changed = progress.changed() => changed,
                changed = front.changed() => changed,
            };
            if changed.is_err() {
                return;
            }
        }
    }

    /// The message that waits for a person and that this one stands behind.
    pub(crate) fn stands_behind(&self) -> Option<String> {
        let waits = !self.progress.borrow().has_its_turn;
        self.front.borrow().clone().filter(|_| waits)
    }

    pub(crate) fn has_its_turn(&self) {
        self.progress.send_modify(|progress| progress.has_its_turn = true);
    }

    /// Whether the process ends before the run does.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::SeqCst)
    }

    /// What carries it out.
    pub(crate) fn is_carried_out_by(&self, work: AbortHandle) {
        // Set once, by whoever began it.
        let _ = self.work.set(work);
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// An event is kept.
    pub(crate) fn reached(&self, last: i64) {
        self.progress.send_modify(|progress| progress.last = last);
    }

    pub(crate) fn ended(&self) {
        self.stands_in_front(false);
        self.progress.send_modify(|progress| progress.ended = true);
    }

    /// Tells those behind it whether it waits for a person.
    fn stands_in_front(&self, waits: bool) {
        self.front.send_if_modified(|front| match (waits, front.as_deref() == Some(&*self.id)) {
            (true, false) => {
                *front = Some(self.id.clone());
                true
            }
            (false, true) => {
                *front = None;
                true
            }
            _ => false,
        });
    }

    /// Opens a question, before anybody can hear of it.
    pub(crate) fn expect(&self, id: &str) {
        let (answer, answered) = oneshot::channel();
        let question = Question { answer: Some(answer), answered: Some(answered), by: None };
        self.asked().insert(id.to_owned(), question);
    }

    /// The question is known to whoever listens.
    pub(crate) fn waits(&self, waits: bool) {
        self.stands_in_front(waits);
        self.progress.send_modify(|progress| progress.waits = waits);
    }

    /// Answers a question, once.
    pub(crate) fn decide(&self, id: &str, decision: Decision, by: &str) -> Decided {
        let mut asked = self.asked();
        let Some(question) = asked.get_mut(id) else { return Decided::Unknown };
        let Some(answer) = question.answer.take() else { return Decided::Before };
        match answer.send(decision) {
            Ok(()) => {
                question.by = Some(by.to_owned());
                Decided::Taken
            }
            Err(_) => Decided::Before,
        }
    }

    /// Who answered this question.
    pub(crate) fn decider(&self, id: &str) -> Option<String> {
        self.asked().get(id).and_then(|question| question.by.clone())
    }

    /// The questions that nobody has answered.
    pub(crate) fn open_questions(&self) -> Vec<String> {
        let open = |(id, question): (&String, &Question)| question.answer.is_some().then(|| id.clone());
        self.asked().iter().filter_map(open).collect()
    }

    fn asked(&self) -> MutexGuard<'_, BTreeMap<String, Question>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Approver for LiveRun {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Decision> {
        let answered = self.asked().get_mut(&request.id).and_then(|question| question.answered.take());
        Box::pin(async move {
            match answered {
                // Whoever could answer is gone.
                Some(answered) => answered.await.unwrap_or(Decision::Expired),
                None => Decision::Expired,
            }
        })
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct LiveRuns(Mutex<BTreeMap<String, Arc<LiveRun>>>);

impl LiveRuns {
    pub(crate) fn add(&self, id: &str, run: Arc<LiveRun>) {
        self.runs().insert(id.to_owned(), run);
    }

    pub(crate) fn get(&self, id: &str) -> Option<Arc<LiveRun>> {
        self.runs().get(id).cloned()
    }

    /// Lets go of all of them where they stand, as the end of the process would.
    pub(crate) fn abandon(&self) {
        for run in std::mem::take(&mut *self.runs()).into_values() {
            run.abandoned.store(true, Ordering::SeqCst);
            if let Some(work) = run.work.get() {
                work.abort();
            }
            run.ended();
        }
    }

    pub(crate) fn remove(&self, id: &str) {
        if let Some(run) = self.runs().remove(id) {
            run.ended();
        }
    }

    /// Waits until no run goes on that could end by itself: one that needs a person is not waited for.
    pub(crate) async fn come_to_rest(&self) {
        loop {
            let going: Vec<Arc<LiveRun>> = self.runs().values().cloned().collect();
            let going = going.into_iter().filter(|run| !run.progress.borrow().waits);
            let going: Vec<Arc<LiveRun>> = going.filter(|run| run.stands_behind().is_none()).collect();
            if going.is_empty() {
                return;
            }
            futures::future::join_all(going.iter().map(|run| run.settled())).await;
        }
    }

    fn runs(&self) -> MutexGuard<'_, BTreeMap<String, Arc<LiveRun>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
