//! What happens to one connection: it says who it is, is given a seat or told why not, and is served.

use std::{io, sync::Arc};

use mcp::stdio;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    sync::{Notify, Semaphore},
};

use crate::{
    callers::Callers,
    hello::{
        Answer, Handover, Hello, LONGEST, Opening, PROTOCOL, Refused, Root, Status, Want, Welcome, hex,
        line_of, random,
    },
    listener::{Arrival, Inward, Outward},
    seats::Seats,
    serve::Options,
    silent::Silence,
    version::Version,
};

pub(crate) struct Reception {
    seats: Arc<dyn Seats>,
    options: Options,
    welcome: Welcome,
    handover: stdio::Handover,
    pub(crate) callers: Callers,
    pub(crate) step_down: Notify,
    room: Semaphore,
}

impl Reception {
    pub(crate) fn new(seats: Arc<dyn Seats>, options: Options) -> io::Result<Self> {
        let (version, desk) = (options.version.clone(), hex(&random::<8>()?));
        Ok(Self {
            seats,
            welcome: Welcome { version, pid: std::process::id(), desk },
            room: Semaphore::new(options.connections),
            handover: stdio::Handover { grace: options.grace, ..stdio::Handover::default() },
            options,
            callers: Callers::default(),
            step_down: Notify::new(),
        })
    }

    /// Sends callers away once their running calls are done.
    pub(crate) fn end(&self) {
        self.handover.asked.cancel();
    }

    /// `silence` ends when another connection needs its room, as long as this one has not said who it is.
    pub(crate) async fn receive(&self, arrival: Arrival, silence: Silence) -> io::Result<()> {
        let heard = async {
            let (read, write) = arrival.admit().await?;
            // What is read beyond the first line belongs to the session, so the buffer goes along.
            let mut read = BufReader::with_capacity(4096, read);
            let opening = hear(&mut read).await?;
            Ok::<_, io::Error>((read, write, opening))
        };
        let (read, mut write, opening) = tokio::select! {
            heard = tokio::time::timeout(self.options.hello_time, heard) => heard??,
            () = silence.over() => return Err(io::ErrorKind::TimedOut.into()),
        };
        drop(silence);
        match self.consider(opening) {
            Ok(hello) => match self.room.try_acquire() {
                Ok(_place) => self.seat(hello, read, write).await,
                Err(_) => {
                    let refused = Refused::new(Refused::FULL, "too many callers are connected");
                    write.write_all(&line_of(&Answer::Refused(refused))?).await
                }
            },
            Err(answer) => {
                let steps_down = answer == Answer::SteppingDown;
                let told = write.write_all(&line_of(&answer)?).await;
                if steps_down {
                    self.step_down.notify_one();
                }
                told
            }
        }
    }

    /// Who wants to sit down, or the answer to everything else.
    fn consider(&self, opening: Result<Opening, serde_json::Error>) -> Result<Box<Hello>, Answer> {
        let refused = |code: &str, why: String| Err(Answer::Refused(Refused::new(code, why)));
        let Opening { protocol, version, want } = match opening {
            Ok(opening) => opening,
            Err(error) => return refused(Refused::NOT_UNDERSTOOD, error.to_string()),
        };
        let Options { steps_down, version: own, .. } = &self.options;
        match want {
            Want::Status => {
                Err(Answer::Status(Status { welcome: self.welcome.clone(), callers: self.callers.present() }))
            }
            Want::StepDown if *steps_down => Err(Answer::SteppingDown),
            Want::StepDown => refused(Refused::STAYS, format!("process {} serves more", self.welcome.pid)),
            Want::Unknown => refused(Refused::NOT_UNDERSTOOD, format!("version {own} cannot do that")),
            Want::Seat(_) if self.handover.asked.is_cancelled() => {
                refused(Refused::ENDING, "the desk is about to end".to_owned())
            }
            Want::Seat(_) if *steps_down && (Version::is_newer(&version, own) || protocol > PROTOCOL) => {
                refused(Refused::OLDER, format!("the desk is of version {own}"))
            }
            Want::Seat(_) if protocol > PROTOCOL => {
                refused(Refused::NOT_UNDERSTOOD, format!("the desk is of version {own}"))
            }
            Want::Seat(hello) => Ok(hello),
        }
    }

    async fn seat(&self, hello: Box<Hello>, read: BufReader<Inward>, mut write: Outward) -> io::Result<()> {
        let seats = self.seats.clone();
        let seated = tokio::task::spawn_blocking(move || seated(&*seats, &hello).map(|seat| (seat, hello)));
        let (connection, hello) = match seated.await.map_err(io::Error::other)? {
            Ok(seated) => seated,
            Err(refused) => return write.write_all(&line_of(&Answer::Refused(refused))?).await,
        };
        let _here = Here { seats: &*self.seats, hello: &hello, _caller: self.callers.enter(&hello) };
        write.write_all(&line_of(&Answer::Welcome(self.welcome.clone()))?).await?;
        let handover = self.handover.clone();
        // A task of its own, since the compiler cannot see otherwise that it may move between threads.
        let served = stdio::serve(connection, read, write, self.options.limits, handover);
        let parted = tokio::spawn(served).await.map_err(io::Error::other)?;
        let stdio::Parted { taken, write } = parted.map_err(io::Error::other)?;
        match write {
            Some(write) if self.handover.asked.is_cancelled() => {
                write.part(&line_of(&Handover { taken })?).await
            }
            _ => Ok(()),
        }
    }
}

fn seated(seats: &dyn Seats, hello: &Hello) -> Result<mcp::Connection, Refused> {
    if let Some(root) = hello.roots.iter().find(|root| !Root::is_here(root)) {
        let why = format!("the desk sees another folder, or none, at {}", root.path.display());
        return Err(Refused::new(Refused::OTHER_FOLDERS, why));
    }
    seats.seat(hello).map_err(|unseated| Refused { code: unseated.code, why: unseated.why })
}

async fn hear(read: &mut BufReader<Inward>) -> io::Result<Result<Opening, serde_json::Error>> {
    let mut line = Vec::new();
    read.take(LONGEST as u64).read_until(b'\n', &mut line).await?;
    if line.pop() != Some(b'\n') {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "no first line"));
    }
    Ok(serde_json::from_slice(&line))
}

/// Tells that the caller left, however it did.
struct Here<'a> {
    seats: &'a dyn Seats,
    hello: &'a Hello,
    _caller: crate::callers::Seated<'a>,
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        self.seats.left(self.hello);
    }
}
