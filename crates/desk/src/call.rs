//! One line to the desk, and its answer.

use std::{
    io::{self, Read as _, Write as _},
    path::Path,
    time::Duration,
};

use crate::{
    folder::{Folder, NotPrivate},
    hello::{Answer, LONGEST, Opening, PROTOCOL, Status, Want, line_of},
    transport::Stream,
};

/// How long the desk may take to answer a first line. It opens workspaces meanwhile.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Says a first line and hears what the desk says to it. The stream stands behind the answer.
pub(crate) fn open(folder: &Folder, version: &str, want: Want) -> io::Result<(Stream, Answer)> {
    let stream = Stream::connect(folder)?;
    stream.set_patience(Some(PATIENCE))?;
    let opening = Opening { protocol: PROTOCOL, version: version.to_owned(), want };
    (&stream).write_all(&line_of(&opening)?)?;
    let line = first_line(&stream)?;
    stream.set_patience(None)?;
    let answer = serde_json::from_slice(&line)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("its answer: {error}")))?;
    Ok((stream, answer))
}

/// Byte by byte, since what comes behind the line is for somebody else.
fn first_line(mut stream: &Stream) -> io::Result<Vec<u8>> {
    let (mut line, mut byte) = (Vec::new(), [0]);
    loop {
        match stream.read(&mut byte) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) if byte == *b"\n" => return Ok(line),
            Ok(_) if line.len() == LONGEST => return Err(io::ErrorKind::InvalidData.into()),
            Ok(_) => line.extend_from_slice(&byte),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether nobody listens, as opposed to somebody who does not answer.
pub(crate) fn is_nobody(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

#[derive(Debug, thiserror::Error)]
pub enum AskError {
    #[error(transparent)]
    Folder(#[from] NotPrivate),
    #[error("the desk does not answer: {0}")]
    Silent(#[from] io::Error),
    #[error("the desk does not say who is there")]
    NotUnderstood,
}

/// The desk of a state folder and who sits at it; nothing if there is none. Starts nothing and makes nothing.
pub fn status(state: &Path, version: &str) -> Result<Option<Status>, AskError> {
    let Some(folder) = Folder::find(state)? else { return Ok(None) };
    match open(&folder, version, Want::Status) {
        Ok((_, Answer::Status(status))) => Ok(Some(status)),
        Ok(_) => Err(AskError::NotUnderstood),
        Err(error) if is_nobody(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
