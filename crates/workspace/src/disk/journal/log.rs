//! The bytes of a log: framed records, each with its length and a checksum.
//!
//! A record that a crash tore was never answered and is dropped. Anything else that does not read is damage, which
//! somebody must be told of.

use std::io;

use crate::disk::journal::record::{Opened, Record};
use crate::disk::journal::version2;

/// Logs of version 2 name no callers, know no undo, and end with the save. Those before it name files by another hash.
pub(crate) const VERSION: u32 = 3;

/// A length and a checksum.
const HEADER: usize = 12;

/// What could be read of a log.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) opened: Opened,
    /// After the first one, up to where the log ends or is damaged.
    pub(crate) records: Vec<Record>,
    pub(crate) end: End,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// Another record can follow; so many bytes are there.
    Whole(u64),
    /// It must be written anew before it can go on: its last record is torn, or it is of an older version.
    Torn,
    Damaged(String),
}

/// The bytes of records, to be written in one call: a process killed in between has written all of them or none.
pub(crate) fn frames(records: &[Record]) -> io::Result<Vec<u8>> {
    let mut frames = Vec::new();
    for record in records {
        let payload = serde_json::to_vec(record)?;
        let too_large = |_| io::Error::from(io::ErrorKind::FileTooLarge);
        frames.extend_from_slice(&u32::try_from(payload.len()).map_err(too_large)?.to_le_bytes());
        frames.extend_from_slice(&checksum(&payload));
        frames.extend_from_slice(&payload);
    }
    Ok(frames)
}

/// Reads a log, or says why nothing of it can be read.
pub(crate) fn read(bytes: &[u8]) -> Result<Log, String> {
    let mut payloads = Payloads { rest: bytes };
    let (opened, parse) = read_head(payloads.next())?;
    let mut records = Vec::new();
    let mut unread = None;
    while let Some(payload) = payloads.next() {
        match parse(payload) {
            Some(parsed) => records.extend(parsed),
            None => {
                unread = Some("it says something that cannot be read".to_owned());
                break;
            }
        }
    }
    let read = bytes.len() - payloads.rest.len();
    let end = match unread.or_else(|| payloads.damage()) {
        Some(why) => End::Damaged(format!("{why} after {} records", records.len() + 1)),
        None if payloads.rest.is_empty() && opened.version == VERSION => End::Whole(read as u64),
        None => End::Torn,
    };
    Ok(Log { opened, records, end })
}

/// What the first record says of the document, of a log of which this is the beginning.
pub(crate) fn head(bytes: &[u8]) -> Option<Opened> {
    read_head(Payloads { rest: bytes }.next()).ok().map(|(opened, _)| opened)
}

/// How the records of a version are read; one may have become several.
type Parse = fn(&[u8]) -> Option<Vec<Record>>;

fn read_head(payload: Option<&[u8]>) -> Result<(Opened, Parse), String> {
    let damaged = || "its beginning is damaged".to_owned();
    let payload = payload.ok_or_else(damaged)?;
    match version_of(payload).ok_or_else(damaged)? {
        VERSION => match serde_json::from_slice(payload) {
            Ok(Record::Opened(opened)) => {
                Ok((opened, |payload| Some(vec![serde_json::from_slice(payload).ok()?])))
            }
            _ => Err(damaged()),
        },
        version2::VERSION => Ok((version2::opened(payload).ok_or_else(damaged)?, version2::records)),
        other => Err(format!("it was written by another version of Docwright (its format is {other})")),
    }
}

/// The version that the first record names, whatever else it says.
fn version_of(head: &[u8]) -> Option<u32> {
    let head: serde_json::Value = serde_json::from_slice(head).ok()?;
    head.get("Opened")?.get("version")?.as_u64().and_then(|version| u32::try_from(version).ok())
}

/// The payloads of whole records, up to the first that is not.
struct Payloads<'a> {
    rest: &'a [u8],
}

impl<'a> Payloads<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let (payload, behind) = split(self.rest)?;
        self.rest = behind;
        Some(payload)
    }

    /// What is wrong with the rest, unless a crash explains it: a write that was cut short, or whose bytes never reached
    /// the device.
    fn damage(&self) -> Option<String> {
        if self.rest.iter().all(|byte| *byte == 0) {
            return None;
        }
        // A whole record behind says that this one was not the last.
        let later = (1..self.rest.len()).any(|at| self.rest.get(at..).and_then(split).is_some());
        let torn = self
            .rest
            .split_first_chunk::<HEADER>()
            .is_none_or(|(header, behind)| length(header) > behind.len());
        (later || !torn).then(|| "it is damaged".to_owned())
    }
}

/// The first record's payload, if it is whole, and what is behind it.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (header, behind) = bytes.split_first_chunk::<HEADER>()?;
    // Checked first, because a search for records asks this at every byte.
    if !matches!(behind.first()?, b'{' | b'"') {
        return None;
    }
    let (payload, behind) = behind.split_at_checked(length(header))?;
    let [_, _, _, _, sum @ ..] = *header;
    (checksum(payload) == sum).then_some((payload, behind))
}

fn length(header: &[u8; HEADER]) -> usize {
    let [a, b, c, d, ..] = *header;
    u32::from_le_bytes([a, b, c, d]) as usize
}

fn checksum(payload: &[u8]) -> [u8; 8] {
    let [a, b, c, d, e, f, g, h, ..] = *blake3::hash(payload).as_bytes();
    [a, b, c, d, e, f, g, h]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> (Vec<u8>, usize) {
        let opened = Opened {
            version: VERSION,
            path: None,
            title: "a".into(),
            kind: "text".into(),
            file: None,
            identity: None,
            first: None,
            at: 0,
        };
        let head = frames(&[Record::Opened(opened)]).unwrap();
        let more = [Record::Closed, Record::Saving { hash: "x".into() }, Record::Closed];
        ([head.clone(), frames(&more).unwrap()].concat(), head.len())
    }

    #[test]
    fn a_log_that_is_cut_short_is_torn_and_says_nothing_wrong() {
        let (whole, head) = log();
        assert_eq!(read(&whole).unwrap().end, End::Whole(whole.len() as u64));
        for cut in head..whole.len() {
            let log = read(&whole[..cut]).unwrap();
            assert!(!matches!(log.end, End::Damaged(_)), "{cut}: {:?}", log.end);
        }
        // Bytes that never reached the device.
        let zeros = read(&[whole.as_slice(), &[0; 40]].concat()).unwrap();
        assert_eq!((zeros.records.len(), zeros.end), (3, End::Torn));
        for cut in 0..head {
            assert!(read(&whole[..cut]).is_err());
        }
    }

    #[test]
    fn damage_is_told_from_a_torn_end_wherever_it_is() {
        let (whole, head) = log();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x15;
            match read(&damaged) {
                Err(why) => assert!(at < head, "{at}: {why}"),
                Ok(log) => {
                    assert!(log.records.len() < 3);
                    // A length that is too large in the last record looks as if the rest had not been written.
                    let last_length = at >= whole.len() - 20 && log.end == End::Torn;
                    assert!(matches!(log.end, End::Damaged(_)) || last_length, "{at}: {:?}", log.end);
                }
            }
        }
    }

    #[test]
    fn a_log_of_another_version_is_not_taken_for_a_damaged_one() {
        let (whole, _) = log();
        let payload = String::from_utf8(split(&whole).unwrap().0.to_vec())
            .unwrap()
            .replace("\"version\":3", "\"version\":9");
        let mut bytes = (payload.len() as u32).to_le_bytes().to_vec();
        bytes.extend(checksum(payload.as_bytes()));
        bytes.extend(payload.as_bytes());
        assert!(read(&bytes).unwrap_err().contains("format is 9"));
    }
}
