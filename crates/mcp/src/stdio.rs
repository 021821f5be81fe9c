//! MCP over standard input and output: one JSON-RPC message a line.
//!
//! The SDK's own line transport drops what it cannot read. This one sends every line through the door and
//! answers those that are turned away. It also keeps the books the SDK does not keep: an id may not be used
//! twice at once (the second answer would never be sent), and a JSON-RPC batch, which only revision
//! 2025-03-26 has, is answered as one array.
//!
//! The same lines are spoken over any pair of streams ([`serve`]). There a session can also be asked to end
//! while its client stays: it then says how many lines it took, so that the client can bring the others to
//! whoever serves it next.

use std::{
    collections::{HashMap, HashSet, VecDeque, hash_map::Entry},
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rmcp::{
    RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorCode, GetMeta as _, ProtocolVersion,
        RequestId, ServerJsonRpcMessage, ServerResult,
    },
    service::{ServerInitializeError, serve_server_with_ct},
    transport::{Transport, stdio_pipes},
};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader},
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::Instant,
};
use tokio_util::sync::CancellationToken;

use crate::{
    connection::Connection,
    door::{self, Limits, Refused},
    outer_id::OuterId,
};

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("standard input or output failed: {0}")]
    Io(#[from] io::Error),
    #[error("the session could not be started: {0}")]
    Start(String),
    #[error("the session ended unexpectedly: {0}")]
    Ended(String),
}

/// Asks a session to end although its client is still there.
#[derive(Debug, Clone, Default)]
pub struct Handover {
    pub asked: CancellationToken,
    /// How long running calls may go on once it was asked for.
    pub grace: Duration,
}

/// How a session was left.
#[derive(Debug)]
pub struct Parted<W> {
    /// Lines that were read, empty ones included; those behind them were not looked at.
    pub taken: u64,
    /// The way to the client, unless it no longer reads.
    pub write: Option<W>,
}

/// Serves one client on standard input and output until it hangs up. Builds its own runtime, on this
/// thread: one client needs no more, and a second thread would cost every call a hand-over.
pub fn run(connection: Connection, limits: Limits) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let (read, write) = stdio_pipes();
        serve(connection, read, write, limits, Handover::default()).await
    });
    // A tool that does not notice that its caller has gone shall not keep the process.
    runtime.shutdown_background();
    served.map(|_| ())
}

/// Serves one client on any pair of streams, until it hangs up or the session is to be handed over.
pub async fn serve<R, W>(
    connection: Connection,
    read: R,
    write: W,
    limits: Limits,
    handover: Handover,
) -> Result<Parted<W>, ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (out, writer) = start_writer(write);
    let (session, taken) = (CancellationToken::new(), Arc::new(AtomicU64::new(0)));
    let leave = Leave { handover, until: None, session: session.clone(), taken: taken.clone() };
    match serve_server_with_ct(connection, Lines::new(read, out, limits, leave), session).await {
        Ok(running) => {
            running.waiting().await.map_err(|error| ServeError::Ended(error.to_string()))?;
        }
        // The client left before it said what it wanted, which is its right, or it is to go elsewhere.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {}
        Err(error) => return Err(ServeError::Start(error.to_string())),
    }
    // What was answered last is still on its way, unless nobody reads it.
    let write = tokio::time::timeout(PARTING, writer).await.ok().and_then(Result::ok);
    Ok(Parted { taken: taken.load(Ordering::Relaxed), write })
}

const PARTING: Duration = Duration::from_secs(5);

struct Lines<R> {
    read: BufReader<R>,
    line: Vec<u8>,
    /// The rest of a line that is too long is read past, keeping only the id.
    discarding: Option<OuterId>,
    ended: bool,
    admitted: VecDeque<ClientJsonRpcMessage>,
    limits: Limits,
    /// Whether a request has chosen the protocol's revision. Until then the SDK takes anything that is not
    /// a request for a reason to hang up.
    opened: bool,
    books: Arc<Mutex<Books>>,
    leave: Leave,
    out: Option<Out>,
}

/// How the session ends before its client does.
struct Leave {
    handover: Handover,
    /// When running calls have had their time.
    until: Option<Instant>,
    session: CancellationToken,
    taken: Arc<AtomicU64>,
}

type Out = mpsc::UnboundedSender<(Vec<u8>, Option<oneshot::Sender<io::Result<()>>>)>;

#[derive(Debug, Default)]
struct Books {
    in_flight: HashMap<RequestId, Ends>,
    revision: Option<ProtocolVersion>,
    batches: Vec<Batch>,
}

/// When a request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    ByItself,
    /// It is a stream that lasts as long as somebody listens.
    WithTheSession,
}

#[derive(Debug, Default)]
struct Batch {
    waiting: HashSet<RequestId>,
    answers: Vec<Value>,
}

enum Read {
    Line,
    TooLong(Option<RequestId>),
    End,
}

impl<R: AsyncRead + Send + Unpin> Lines<R> {
    fn new(read: R, out: Out, limits: Limits, leave: Leave) -> Self {
        Self {
            read: BufReader::with_capacity(64 * 1024, read),
            line: Vec::new(),
            discarding: None,
            ended: false,
            admitted: VecDeque::new(),
            limits,
            opened: false,
            books: Arc::default(),
            leave,
            out: Some(out),
        }
    }

    /// Reads up to the next line end. May be dropped at its only await without losing a byte.
    async fn next_line(&mut self) -> Read {
        loop {
            let available = match self.read.fill_buf().await {
                Ok(available) => available,
                Err(error) => {
                    // Whoever only said everything it had to say still waits for answers; this one does not.
                    tracing::debug!(%error, "the client is gone");
                    self.leave.session.cancel();
                    &[]
                }
            };
            if available.is_empty() {
                // A last line without its end is still a message.
                let rest = !self.line.is_empty() && !self.ended;
                self.ended = true;
                return match self.discarding.take() {
                    Some(scan) => Read::TooLong(scan.into_id()),
                    None if rest => Read::Line,
                    None => Read::End,
                };
            }
            let end = available.iter().position(|&byte| byte == b'\n');
            let piece = &available[..end.unwrap_or(available.len())];
            let used = piece.len() + usize::from(end.is_some());
            if let Some(scan) = &mut self.discarding {
                scan.feed(piece);
            } else if self.line.len() + piece.len() > self.limits.message_bytes {
                let mut scan = OuterId::default();
                scan.feed(&self.line);
                scan.feed(piece);
                self.line = Vec::new();
                self.discarding = Some(scan);
            } else {
                self.line.extend_from_slice(piece);
            }
            self.read.consume(used);
            if end.is_some() {
                return match self.discarding.take() {
                    Some(scan) => Read::TooLong(scan.into_id()),
                    None => Read::Line,
                };
            }
        }
    }

    fn take_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        match door::parse(&line, &self.limits) {
            Ok(Value::Array(entries)) => self.take_batch(entries),
            Ok(message) => {
                if let Err(refused) = self.take_message(message) {
                    self.refuse(refused);
                }
            }
            Err(refused) => self.refuse(refused),
        }
        // The buffer of an ordinary line is kept for the next one.
        if line.capacity() <= 64 * 1024 {
            self.line = line;
            self.line.clear();
        }
    }

    fn take_message(&mut self, message: Value) -> Result<(), Refused> {
        let Some(message) = door::admit(message)? else { return Ok(()) };
        match &message {
            ClientJsonRpcMessage::Request(request) => {
                let ends = match request.request {
                    ClientRequest::SubscriptionsListenRequest(_) => Ends::WithTheSession,
                    _ => Ends::ByItself,
                };
                match lock(&self.books).in_flight.entry(request.id.clone()) {
                    Entry::Occupied(_) => return Err(Refused::id_in_use(request.id.clone())),
                    Entry::Vacant(free) => free.insert(ends),
                };
                self.opened |= opens(&request.request);
            }
            _ if !self.opened => {
                tracing::debug!("ignored a message before the session was opened");
                return Ok(());
            }
            ClientJsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // There will be no answer to a cancelled request.
                    let finished = lock(&self.books).settle(id, None);
                    self.write(finished);
                }
            }
            ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => {}
        }
        self.admitted.push_back(message);
        Ok(())
    }

    fn take_batch(&mut self, entries: Vec<Value>) {
        if lock(&self.books).revision != Some(ProtocolVersion::V_2025_03_26) {
            let message = "Invalid request: batches exist in protocol revision 2025-03-26 only; send one message a line";
            return self.refuse(Refused::new(None, ErrorCode::INVALID_REQUEST, message));
        }
        if entries.is_empty() {
            return self.refuse(Refused::new(
                None,
                ErrorCode::INVALID_REQUEST,
                "Invalid request: empty batch",
            ));
        }
        let mut batch = Batch::default();
        for entry in entries {
            let before = self.admitted.len();
            match self.take_message(entry) {
                Ok(()) => {
                    if let Some(ClientJsonRpcMessage::Request(request)) = self.admitted.get(before) {
                        batch.waiting.insert(request.id.clone());
                    }
                }
                Err(refused) => batch.answers.extend(serde_json::to_value(refused.into_message()).ok()),
            }
        }
        let finished = if batch.waiting.is_empty() {
            Some(Value::Array(batch.answers)).filter(|answers| answers != &Value::Array(Vec::new()))
        } else {
            lock(&self.books).batches.push(batch);
            None
        };
        self.write(finished);
    }

    /// Waits until what runs is answered or its time is over, and ends the session. Never returns, because
    /// the SDK takes the end of the input for a client that hung up, and gives its calls more time.
    async fn part(&mut self) {
        let until = *self.leave.until.get_or_insert_with(|| Instant::now() + self.leave.handover.grace);
        // Each answer drops this future and asks for a message again, so one look is enough.
        if lock(&self.books).in_flight.values().any(|ends| *ends == Ends::ByItself) {
            tokio::time::sleep_until(until).await;
        }
        self.leave.session.cancel();
        std::future::pending().await
    }

    fn refuse(&self, refused: Refused) {
        tracing::debug!(code = refused.error.code.0, message = %refused.error.message, "refused a message");
        self.write(serde_json::to_value(refused.into_message()).ok());
    }

    fn write(&self, message: Option<Value>) {
        if let (Some(message), Some(out)) = (message, &self.out) {
            let _ = out.send((line_of(&message), None));
        }
    }
}

/// Whether the SDK will have left its opening phase once it has read this request.
fn opens(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => {
            let meta = other.get_meta();
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && meta
                    .protocol_version()
                    .is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version))
        }
    }
}

impl Books {
    /// Takes note that a request is done with. `answer` is what it was answered with; what is returned is
    /// what goes out now, which for a request of a batch is the whole batch or nothing yet.
    fn settle(&mut self, id: &RequestId, answer: Option<Value>) -> Option<Value> {
        self.in_flight.remove(id);
        let Some(position) = self.batches.iter().position(|batch| batch.waiting.contains(id)) else {
            return answer;
        };
        let batch = self.batches.get_mut(position)?;
        batch.waiting.remove(id);
        batch.answers.extend(answer);
        if !batch.waiting.is_empty() {
            return None;
        }
        let answers = self.batches.swap_remove(position).answers;
        (!answers.is_empty()).then_some(Value::Array(answers))
    }
}

fn lock(books: &Mutex<Books>) -> MutexGuard<'_, Books> {
    books.lock().unwrap_or_else(PoisonError::into_inner)
}

fn line_of(message: &impl serde::Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).expect("our own messages are JSON");
    line.push(b'\n');
    line
}

/// The writer is a task of its own: `receive` may be dropped at any await, and a line half written by it
/// would garble the stream.
fn start_writer<W: AsyncWrite + Send + Unpin + 'static>(mut write: W) -> (Out, JoinHandle<W>) {
    let (out, mut queue): (Out, _) = mpsc::unbounded_channel();
    let task = tokio::spawn(async move {
        while let Some((line, written)) = queue.recv().await {
            let result = match write.write_all(&line).await {
                Ok(()) => write.flush().await,
                Err(error) => Err(error),
            };
            if let Some(written) = written {
                let _ = written.send(result);
            }
        }
        write
    });
    (out, task)
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let line = self.outgoing(message);
        let written = match (line, &self.out) {
            (None, _) => Ok(None),
            (Some(line), Some(out)) => {
                let (tell, told) = oneshot::channel();
                out.send((line, Some(tell))).map(|()| Some(told)).map_err(|_| closed())
            }
            (Some(_), None) => Err(closed()),
        };
        async move {
            match written? {
                Some(told) => told.await.unwrap_or_else(|_| Err(closed())),
                None => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(message) = self.admitted.pop_front() {
                return Some(message);
            }
            let asked = self.leave.handover.asked.clone();
            let read = tokio::select! {
                biased;
                () = asked.cancelled() => None,
                read = self.next_line() => Some(read),
            };
            let Some(read) = read else {
                self.part().await;
                continue;
            };
            if !matches!(read, Read::End) {
                self.leave.taken.fetch_add(1, Ordering::Relaxed);
            }
            match read {
                Read::Line => self.take_line(),
                Read::TooLong(id) => self.refuse(Refused::too_long(id, &self.limits)),
                Read::End => return None,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.out = None;
        Ok(())
    }
}

impl<R> Lines<R> {
    fn outgoing(&self, message: ServerJsonRpcMessage) -> Option<Vec<u8>> {
        let id = match &message {
            ServerJsonRpcMessage::Response(response) => {
                if let ServerResult::InitializeResult(result) = &response.result {
                    lock(&self.books).revision = Some(result.protocol_version.clone());
                }
                Some(response.id.clone())
            }
            ServerJsonRpcMessage::Error(error) => error.id.clone(),
            ServerJsonRpcMessage::Request(_) | ServerJsonRpcMessage::Notification(_) => None,
        };
        let Some(id) = id else { return Some(line_of(&message)) };
        let mut books = lock(&self.books);
        if books.batches.is_empty() {
            books.in_flight.remove(&id);
            return Some(line_of(&message));
        }
        let answer = serde_json::to_value(&message).ok();
        books.settle(&id, answer).as_ref().map(line_of)
    }
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, "the session is closed")
}
