//! The listening side: whoever holds the lock puts its socket into the folder.

use std::{
    fs, io,
    net::Ipv4Addr,
    path::Path,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream, unix};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, ReadBuf},
    net::{TcpListener, TcpStream, tcp},
};

#[cfg(unix)]
use crate::transport::socket::{self, Name};
use crate::{
    folder::Folder,
    hello::identity,
    lock::Lock,
    transport::{Transport, loopback::Port},
};

/// A desk that others can find, and that does not answer yet.
#[derive(Debug)]
pub struct Listener {
    folder: Folder,
    lock: Lock,
    transport: Transport,
    inner: Inner,
    /// The file that others find it by, as it was put there.
    file: Identity,
}

type Identity = (Option<u64>, Option<u64>);

#[derive(Debug)]
enum Inner {
    #[cfg(unix)]
    Socket(UnixListener),
    Loopback(TcpListener, Port),
}

/// Whether callers can still find the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SocketState {
    Held,
    /// Something else is where its socket was.
    Taken,
    /// The folder or its lock is another one, so there may be another desk.
    Lost,
}

impl Listener {
    /// Listens in the folder that the lock is of. What others left there is removed. Needs a runtime.
    pub async fn bind(folder: Folder, lock: Lock, transport: Transport) -> io::Result<Self> {
        let transport = possible(transport, &folder);
        let (inner, file) = listen(&folder, transport).await?;
        Ok(Self { folder, lock, transport, inner, file })
    }

    pub(crate) async fn accept(&self) -> io::Result<Arrival> {
        match &self.inner {
            #[cfg(unix)]
            Inner::Socket(listener) => {
                let (stream, _) = listener.accept().await?;
                if stream.peer_cred()?.uid() == rustix::process::geteuid().as_raw() {
                    Ok(Arrival::Socket(stream))
                } else {
                    Err(socket::somebody_else())
                }
            }
            Inner::Loopback(listener, port) => {
                let (stream, _) = listener.accept().await?;
                Ok(Arrival::Loopback(stream, port.clone()))
            }
        }
    }

    pub(crate) fn place(&self) -> SocketState {
        if !self.lock.is_at(&self.folder.lock()) {
            return SocketState::Lost;
        }
        match fs::symlink_metadata(self.path()) {
            Ok(found) if identity(&found) == self.file => SocketState::Held,
            _ => SocketState::Taken,
        }
    }

    /// Puts the socket back where somebody took it away. Those who are connected stay so.
    pub(crate) async fn renew(&mut self) -> io::Result<()> {
        (self.inner, self.file) = listen(&self.folder, self.transport).await?;
        Ok(())
    }

    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Stops listening; the lock is still held.
    pub(crate) fn close(self) -> Lock {
        if self.place() == SocketState::Held {
            let _ = fs::remove_file(self.path());
        }
        self.lock
    }

    fn path(&self) -> std::path::PathBuf {
        match self.transport {
            Transport::Socket => self.folder.socket(),
            Transport::Loopback => self.folder.port(),
        }
    }
}

#[cfg(unix)]
fn possible(transport: Transport, folder: &Folder) -> Transport {
    if socket::is_too_long(&folder.socket()) { Transport::Loopback } else { transport }
}

#[cfg(not(unix))]
fn possible(_: Transport, _: &Folder) -> Transport {
    Transport::Loopback
}

async fn listen(folder: &Folder, transport: Transport) -> io::Result<(Inner, Identity)> {
    // The lock is ours, so nobody listens there; links are removed and not followed.
    remove(&folder.socket())?;
    remove(&folder.port())?;
    let (inner, path) = match transport {
        #[cfg(unix)]
        Transport::Socket => {
            let path = folder.socket();
            let name = Name::of(&path)?;
            (Inner::Socket(UnixListener::bind(&name.path)?), path)
        }
        #[cfg(not(unix))]
        Transport::Socket => return Err(io::ErrorKind::Unsupported.into()),
        Transport::Loopback => {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            let port = Port::new(listener.local_addr()?.port())?;
            port.write(&folder.port())?;
            (Inner::Loopback(listener, port), folder.port())
        }
    };
    Ok((inner, identity(&fs::symlink_metadata(path)?)))
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A connection that has not said anything.
#[derive(Debug)]
pub(crate) enum Arrival {
    #[cfg(unix)]
    Socket(UnixStream),
    Loopback(TcpStream, Port),
}

/// What a caller says. It ends where the caller has said everything, and fails where the caller is gone: nobody waits
/// for what it asked then.
#[derive(Debug)]
pub(crate) enum Inward {
    #[cfg(unix)]
    Socket(unix::OwnedReadHalf),
    /// A port does not tell the one from the other.
    Loopback(tcp::OwnedReadHalf),
}

impl AsyncRead for Inward {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            #[cfg(unix)]
            Self::Socket(read) => {
                let (held, room) = (buffer.filled().len(), buffer.remaining());
                let polled = Pin::new(&mut *read).poll_read(cx, buffer);
                let ended =
                    matches!(polled, Poll::Ready(Ok(()))) && room > 0 && buffer.filled().len() == held;
                if ended && socket::is_gone(read.as_ref()) {
                    return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
                }
                polled
            }
            Self::Loopback(read) => Pin::new(read).poll_read(cx, buffer),
        }
    }
}

/// The way back to a caller.
#[derive(Debug)]
pub(crate) enum Outward {
    #[cfg(unix)]
    Socket(unix::OwnedWriteHalf),
    Loopback(tcp::OwnedWriteHalf),
}

impl Arrival {
    /// Makes sure of the caller where connecting was not enough.
    pub(crate) async fn admit(self) -> io::Result<(Inward, Outward)> {
        match self {
            #[cfg(unix)]
            Self::Socket(stream) => {
                let (read, write) = stream.into_split();
                Ok((Inward::Socket(read), Outward::Socket(write)))
            }
            Self::Loopback(mut stream, port) => {
                port.welcome(&mut stream).await?;
                let (read, write) = stream.into_split();
                Ok((Inward::Loopback(read), Outward::Loopback(write)))
            }
        }
    }
}

impl Outward {
    /// Says a last line and hangs up, once the other side has read it.
    pub(crate) async fn part(mut self, line: &[u8]) -> io::Result<()> {
        self.write_all(line).await?;
        self.shutdown().await?;
        if let Self::Loopback(write) = &self {
            // Closing a port with something unread in it also throws away what was sent last.
            let _ = tokio::time::timeout(Duration::from_secs(1), read_out(write.as_ref())).await;
        }
        Ok(())
    }
}

async fn read_out(stream: &TcpStream) -> io::Result<()> {
    let mut buffer = [0; 4096];
    loop {
        stream.readable().await?;
        match stream.try_read(&mut buffer) {
            Ok(0) => return Ok(()),
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
            _ => {}
        }
    }
}

impl AsyncWrite for Outward {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            #[cfg(unix)]
            Self::Socket(write) => Pin::new(write).poll_write(cx, bytes),
            Self::Loopback(write) => Pin::new(write).poll_write(cx, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            #[cfg(unix)]
            Self::Socket(write) => Pin::new(write).poll_flush(cx),
            Self::Loopback(write) => Pin::new(write).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            #[cfg(unix)]
            Self::Socket(write) => Pin::new(write).poll_shutdown(cx),
            Self::Loopback(write) => Pin::new(write).poll_shutdown(cx),
        }
    }
}
