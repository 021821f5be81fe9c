//! What a log adds up to, told without making the document.

use edit::OrEmpty;

use std::collections::{BTreeMap, BTreeSet};

use crate::disk::journal::log::Log;
use crate::disk::journal::record::{Identity, Record, Standing, WireStatus};
use crate::ids::SuggestionId;

#[derive(Debug, Default)]
pub(crate) struct Account {
    /// Changes that the file does not have; none if they were all taken back.
    pub(crate) edits: usize,
    /// Suggestions that wait for a decision.
    pub(crate) suggestions: usize,
    /// Who made those.
    pub(crate) suggested_by: BTreeSet<String>,
    /// Who made those changes.
    pub(crate) by: BTreeSet<String>,
    /// Somebody closed the document without saving it.
    pub(crate) given_up: bool,
    /// Of the file as it was last read or written.
    pub(crate) hash: Option<String>,
    pub(crate) identity: Option<Identity>,
    /// What the file was about to become.
    pub(crate) saving: Option<String>,
    /// Another program's version that could not be taken in.
    pub(crate) conflict: Option<String>,
}

impl Account {
    pub(crate) fn of(log: &Log) -> Self {
        let mut book = Book {
            account: Self { hash: log.opened.file.clone(), identity: log.opened.identity, ..Self::default() },
            current: log.opened.first.as_ref().and_then(|(_, digest)| short(digest)),
            ..Book::default()
        };
        book.saved = book.current;
        log.records.iter().for_each(|record| book.enter(record));
        book.close()
    }

    /// Whether nobody would miss it.
    pub(crate) fn is_idle(&self) -> bool {
        self.edits == 0 && self.suggestions == 0
    }

    /// Whether a file of this hash, in hexadecimal, is the one the log is about.
    pub(crate) fn knows(&self, hash: &str) -> bool {
        [&self.hash, &self.saving, &self.conflict].into_iter().flatten().any(|known| known == hash)
    }
}

#[derive(Default)]
struct Book {
    account: Account,
    undecided: BTreeSet<SuggestionId>,
    authors: BTreeMap<SuggestionId, String>,
    /// What each change on the stacks accepted: taking it back makes it undecided again.
    undo: Vec<Vec<SuggestionId>>,
    redo: Vec<Vec<SuggestionId>>,
    /// The digits that name the head, and those of the state that was saved.
    current: Option<u32>,
    saved: Option<u32>,
}

impl Book {
    fn enter(&mut self, record: &Record) {
        self.account.given_up = matches!(record, Record::Closed);
        match record {
            Record::Opened(_) | Record::Root(_) | Record::Named(_) | Record::Closed => {}
            Record::Past(past) => self.current = short(&past.digest),
            Record::Standing(standing) => self.stand(standing),
            Record::Made { to, by, accepted, .. } => {
                self.change(by.name(), to.as_ref().and_then(|to| to.digest()));
                self.redo.clear();
                self.accept(accepted);
                self.undo.push(accepted.clone());
            }
            Record::Undone { to, by, .. } => {
                self.change(by.name(), to.digest());
                let back = self.undo.pop().or_empty();
                self.undecided.extend(back.iter().cloned());
                self.redo.push(back);
            }
            Record::Redone { to, by, .. } => {
                self.change(by.name(), to.digest());
                let accepted = self.redo.pop().or_empty();
                self.accept(&accepted);
                self.undo.push(accepted);
            }
            Record::Staged(staged) => {
                self.authors.insert(staged.id.clone(), staged.author.clone());
                match staged.status {
                    WireStatus::Pending(_) | WireStatus::Stale(_) => self.undecided.insert(staged.id.clone()),
                    WireStatus::Accepted { .. } | WireStatus::Rejected { .. } => {
                        self.undecided.remove(&staged.id)
                    }
                };
            }
            Record::Rejected { ids, .. } => self.accept(ids),
            Record::Saving { hash } => self.account.saving = Some(hash.clone()),
            Record::Saved { hash, file, theirs } => {
                let account = &mut self.account;
                (account.hash, account.saving, account.conflict) = (Some(hash.clone()), None, None);
                account.identity = file.or(account.identity);
                match theirs {
                    Some(_) => self.saved = None,
                    None => {
                        self.saved = self.current;
                        self.nothing_unsaved();
                    }
                }
            }
            Record::Conflict { hash } => self.account.conflict = Some(hash.clone()),
        }
    }

    fn stand(&mut self, standing: &Standing) {
        let accepted = |entry: &crate::disk::journal::record::Entry| {
            entry.accepted.iter().map(|(id, _)| id.clone()).collect()
        };
        self.undo = standing.undo.iter().map(accepted).collect();
        self.redo = standing.redo.iter().map(accepted).collect();
        self.saved = standing.saved.as_deref().and_then(short);
        self.account.edits = standing.unsaved;
        self.account.by = standing.unsaved_of.iter().map(|by| by.name().to_owned()).collect();
        self.account.conflict = standing.conflict.clone();
    }

    fn change(&mut self, by: &str, to: Option<u32>) {
        if self.is_clean() {
            self.nothing_unsaved();
        }
        self.current = to;
        self.account.edits += 1;
        self.account.by.insert(by.to_owned());
    }

    fn accept(&mut self, ids: &[SuggestionId]) {
        ids.iter().for_each(|id| _ = self.undecided.remove(id));
    }

    fn is_clean(&self) -> bool {
        self.current.is_some() && self.current == self.saved
    }

    fn nothing_unsaved(&mut self) {
        self.account.edits = 0;
        self.account.by.clear();
    }

    fn close(mut self) -> Account {
        if self.is_clean() {
            self.nothing_unsaved();
        }
        let suggested_by = self.undecided.iter().filter_map(|id| self.authors.get(id).cloned()).collect();
        Account { suggestions: self.undecided.len(), suggested_by, ..self.account }
    }
}

/// The digits of a digest that a revision shows.
fn short(digest: &str) -> Option<u32> {
    u32::from_str_radix(digest.get(..8)?, 16).ok()
}
