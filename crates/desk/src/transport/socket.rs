//! The socket in the private folder.

use std::{
    fs::{self, File},
    io,
    os::{
        fd::AsFd,
        unix::{fs::FileTypeExt as _, net::UnixStream},
    },
    path::{Path, PathBuf},
};

use rustix::event::{PollFd, PollFlags, Timespec};

/// What a socket's address has room for, without the zero byte at its end. Linux has 107, others 103.
const LONGEST: usize = 103;

/// A name for a socket that fits into an address.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) path: PathBuf,
    /// What a short name is short for; the name holds only as long as this is open.
    _folder: Option<File>,
}

impl Name {
    pub(crate) fn of(socket: &Path) -> io::Result<Self> {
        if socket.as_os_str().len() <= LONGEST {
            return Ok(Self { path: socket.to_owned(), _folder: None });
        }
        Self::short(socket)
    }

    #[cfg(target_os = "linux")]
    fn short(socket: &Path) -> io::Result<Self> {
        use std::os::fd::AsRawFd as _;
        let name = socket.file_name().unwrap_or("socket".as_ref());
        let folder = File::open(socket.parent().unwrap_or(socket))?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd())).join(name);
        Ok(Self { path, _folder: Some(folder) })
    }

    #[cfg(not(target_os = "linux"))]
    fn short(socket: &Path) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::InvalidFilename, format!("{} is too long", socket.display())))
    }
}

/// Whether a desk there has to use the loopback port, because its folder's name is too long here.
pub(crate) fn is_too_long(socket: &Path) -> bool {
    cfg!(not(target_os = "linux")) && socket.as_os_str().len() > LONGEST
}

pub(super) fn connect(socket: &Path) -> io::Result<UnixStream> {
    // What a link leads to is not the desk; whoever becomes the desk removes it.
    if !fs::symlink_metadata(socket)?.file_type().is_socket() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "there is no socket"));
    }
    let stream = UnixStream::connect(&Name::of(socket)?.path)?;
    check_user(&stream)?;
    Ok(stream)
}

/// Where the system does not tell who listens, the private folder is the check.
#[cfg(target_os = "linux")]
fn check_user(stream: &UnixStream) -> io::Result<()> {
    let other = rustix::net::sockopt::socket_peercred(stream)?;
    if other.uid == rustix::process::geteuid() { Ok(()) } else { Err(somebody_else()) }
}

#[cfg(not(target_os = "linux"))]
fn check_user(_: &UnixStream) -> io::Result<()> {
    Ok(())
}

/// Whether the other side has closed its socket, and not only said everything it had to say.
pub(crate) fn is_gone(stream: &impl AsFd) -> bool {
    let mut looked = [PollFd::new(stream, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    match rustix::event::poll(&mut looked, Some(&now)) {
        Ok(_) => looked.iter().any(|fd| fd.revents().intersects(PollFlags::HUP | PollFlags::ERR)),
        Err(_) => false,
    }
}

pub(crate) fn somebody_else() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "the other side belongs to somebody else")
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn whoever_said_everything_is_not_gone() {
        let (here, there) = UnixStream::pair().unwrap();
        assert!(!is_gone(&here));
        there.shutdown(std::net::Shutdown::Write).unwrap();
        assert!(!is_gone(&here));
        drop(there);
        assert!(is_gone(&here));
    }

    #[test]
    fn a_link_or_a_file_is_not_the_desk() {
        let folder = tempfile::tempdir().unwrap();
        let (socket, other) = (folder.path().join("socket"), folder.path().join("other"));
        let _listener = UnixListener::bind(&other).unwrap();
        connect(&other).unwrap();
        std::os::unix::fs::symlink(&other, &socket).unwrap();
        assert_eq!(connect(&socket).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::remove_file(&socket).unwrap();
        fs::write(&socket, "").unwrap();
        assert_eq!(connect(&socket).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_name_of_any_length_will_do() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a".repeat(120)).join("b".repeat(120));
        fs::create_dir_all(&deep).unwrap();
        let socket = deep.join("socket");
        let _listener = UnixListener::bind(&Name::of(&socket).unwrap().path).unwrap();
        connect(&socket).unwrap();
    }
}
