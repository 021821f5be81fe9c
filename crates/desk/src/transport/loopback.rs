//! The loopback port, and the secret that both sides know.
//!
//! Anybody on the machine can connect to a port, and can listen on one that the desk has left. So each side
//! proves that it can read the file in the private folder, and neither gives the secret away by it: it answers
//! the other's random bytes with a hash that only who knows the secret can make.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::Path,
    time::Duration,
};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::{
    folder,
    hello::{hex, random},
};

const PATIENCE: Duration = Duration::from_secs(5);

type Bytes = [u8; 32];

/// Where the desk listens, and the secret.
#[derive(Clone)]
pub(crate) struct Port {
    number: u16,
    secret: Bytes,
}

impl std::fmt::Debug for Port {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Port").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Port {
    pub(crate) fn new(number: u16) -> io::Result<Self> {
        Ok(Self { number, secret: random()? })
    }

    /// Nothing if there is no file. One that cannot be understood is an error.
    pub(crate) fn read(path: &Path) -> io::Result<Option<Self>> {
        let file = match folder::open_private(path, fs::OpenOptions::new().read(true)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut text = String::new();
        file.take(256).read_to_string(&mut text)?;
        let port = text.trim().split_once(' ').and_then(|(number, secret)| {
            Some(Self { number: number.parse().ok()?, secret: bytes_of(secret)? })
        });
        // Nobody can be found by such a file; whoever becomes the desk writes another.
        port.map(Some).ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the port file is damaged"))
    }

    /// Put whole into its place, so that nobody reads half of it.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let beside = path.with_extension("new");
        let _ = fs::remove_file(&beside);
        let mut file = folder::open_private(&beside, fs::OpenOptions::new().write(true).create_new(true))?;
        writeln!(file, "{} {}", self.number, hex(&self.secret))?;
        fs::rename(&beside, path)
    }

    pub(crate) fn connect(&self) -> io::Result<TcpStream> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.number));
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        // Small lines would otherwise wait for each other's acknowledgement.
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let asked: Bytes = random()?;
        stream.write_all(&asked)?;
        let (mut proof, mut question) = (Bytes::default(), Bytes::default());
        stream.read_exact(&mut proof)?;
        stream.read_exact(&mut question)?;
        if self.proof("desk", &asked) != proof {
            // Somebody else got the port that a desk had left, so there is no desk.
            return Err(io::Error::new(io::ErrorKind::ConnectionRefused, "whoever listens is not the desk"));
        }
        stream.write_all(self.proof("caller", &question).as_bytes())?;
        stream.set_read_timeout(None)?;
        Ok(stream)
    }

    /// The desk's side of the same.
    pub(crate) async fn welcome(&self, stream: &mut tokio::net::TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let (mut asked, question) = (Bytes::default(), random::<32>()?);
        stream.read_exact(&mut asked).await?;
        stream.write_all(self.proof("desk", &asked).as_bytes()).await?;
        stream.write_all(&question).await?;
        let mut proof = Bytes::default();
        stream.read_exact(&mut proof).await?;
        if self.proof("caller", &question) == proof {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::PermissionDenied, "the caller does not know the secret"))
        }
    }

    /// Compared in constant time.
    fn proof(&self, side: &str, question: &Bytes) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.secret);
        hasher.update(side.as_bytes()).update(question);
        hasher.finalize()
    }
}

fn bytes_of(text: &str) -> Option<Bytes> {
    let mut bytes = Bytes::default();
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(index * 2..index * 2 + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn meet(desk: Port, caller: Port) -> (io::Result<()>, io::Result<TcpStream>) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let number = listener.local_addr().unwrap().port();
        let caller = tokio::task::spawn_blocking(move || Port { number, ..caller }.connect());
        let (mut stream, _) = listener.accept().await.unwrap();
        let welcomed = desk.welcome(&mut stream).await;
        drop(stream);
        (welcomed, caller.await.unwrap())
    }

    #[tokio::test]
    async fn both_sides_must_know_the_secret() {
        let port = Port::new(0).unwrap();
        let (welcomed, connected) = meet(port.clone(), port.clone()).await;
        welcomed.unwrap();
        connected.unwrap();
        let (welcomed, connected) = meet(port, Port::new(0).unwrap()).await;
        assert!(welcomed.is_err());
        assert_eq!(connected.unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
    }

    #[test]
    fn the_file_is_private_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("port");
        assert!(Port::read(&path).unwrap().is_none());
        let port = Port::new(4711).unwrap();
        port.write(&path).unwrap();
        let again = Port::read(&path).unwrap().unwrap();
        assert_eq!((again.number, again.secret), (port.number, port.secret));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::write(&path, "4711 nonsense").unwrap();
        assert!(Port::read(&path).is_err());
    }
}
