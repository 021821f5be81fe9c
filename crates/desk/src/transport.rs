//! How lines reach the desk: a socket in the private folder, or a loopback port with a secret.
//!
//! Windows has no sockets in folders that the standard library knows, so it has the port; the port works
//! everywhere and is tested everywhere. Which of the two a desk uses is seen from the files in its folder.
//! Each side makes sure that the other one is the same user before anything is said.

pub(crate) mod loopback;
#[cfg(unix)]
pub(crate) mod socket;

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream},
    time::Duration,
};

#[cfg(unix)]
use std::os::unix::net::UnixStream;

use crate::folder::Folder;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    Socket,
    Loopback,
}

impl Default for Transport {
    fn default() -> Self {
        if cfg!(unix) { Self::Socket } else { Self::Loopback }
    }
}

/// One connection, as the calling side has it: blocking, and shared by the thread that reads and the one that
/// writes.
#[derive(Debug)]
pub(crate) enum Stream {
    #[cfg(unix)]
    Socket(UnixStream),
    Loopback(TcpStream),
}

impl Stream {
    /// Connects to whoever listens, and makes sure that it is this user.
    pub(crate) fn connect(folder: &Folder) -> io::Result<Self> {
        match loopback::Port::read(&folder.port())? {
            Some(port) => port.connect().map(Self::Loopback),
            #[cfg(unix)]
            None => socket::connect(&folder.socket()).map(Self::Socket),
            #[cfg(not(unix))]
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// How long a read may take; for ever if nothing is said.
    pub(crate) fn set_patience(&self, patience: Option<Duration>) -> io::Result<()> {
        match self {
            #[cfg(unix)]
            Self::Socket(stream) => stream.set_read_timeout(patience),
            Self::Loopback(stream) => stream.set_read_timeout(patience),
        }
    }

    pub(crate) fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        match self {
            #[cfg(unix)]
            Self::Socket(stream) => stream.shutdown(how),
            Self::Loopback(stream) => stream.shutdown(how),
        }
    }
}

impl Read for &Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Stream::Socket(stream) => (&*stream).read(buffer),
            Stream::Loopback(stream) => (&*stream).read(buffer),
        }
    }
}

impl Write for &Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Stream::Socket(stream) => (&*stream).write(bytes),
            Stream::Loopback(stream) => (&*stream).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
