//! One document under review: what there is to decide in it, and the decisions, as the server tells them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::client::Client;
use crate::report::Failure;

/// A document in which there may be something to decide.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Listed {
    pub(super) document: String,
    pub(super) file: String,
    pub(super) title: String,
    pub(super) open: bool,
    pub(super) format: String,
    pub(super) unsaved: bool,
    pub(super) pending: usize,
    pub(super) stale: usize,
    pub(super) tracked: Vec<Tracked>,
    pub(super) authors: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Tracked {
    pub(super) author: String,
    pub(super) changes: usize,
}

impl Listed {
    pub(super) fn changes(&self) -> usize {
        self.tracked.iter().map(|tracked| tracked.changes).sum()
    }

    pub(super) fn has_something(&self) -> bool {
        self.pending + self.stale + self.changes() > 0
    }
}

/// Some of what there is to decide in a document, with the state of all of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Page {
    pub(super) document: String,
    pub(super) file: String,
    pub(super) format: String,
    pub(super) revision: String,
    pub(super) unsaved: bool,
    #[serde(skip_serializing)]
    session_id: Option<String>,
    pub(super) total: usize,
    pub(super) pending: usize,
    pub(super) stale: usize,
    pub(super) tracked: usize,
    pub(super) items: Vec<Item>,
    #[serde(skip_serializing)]
    next_offset: Option<usize>,
}

/// A suggestion, or one of Word's tracked changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Item {
    pub(super) kind: String,
    pub(super) tracked: bool,
    pub(super) id: String,
    pub(super) author: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<String>,
    pub(super) status: Standing,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    pub(super) summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) paragraph_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) context: Option<String>,
    pub(super) changes: Vec<Stretch>,
    /// Characters that the server left out of them.
    #[serde(default)]
    pub(super) left_out: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Standing {
    Pending,
    Stale,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stretch {
    pub(super) place: String,
    pub(super) before: String,
    pub(super) after: String,
}

impl Item {
    /// Knows the item again in a later list. Changes that share a number are counted anew whenever one of them is
    /// decided, so a number alone does not do.
    pub(super) fn key(&self) -> String {
        match self.tracked {
            false => self.id.clone(),
            true => {
                let number = self.id.split('#').next().unwrap_or(&self.id);
                let texts = self.changes.iter().map(|stretch| (&stretch.before, &stretch.after));
                format!("{number} {} {:?} {:?}", self.kind, self.paragraph_id, texts.collect::<Vec<_>>())
            }
        }
    }

    /// Whether deciding on the one is deciding on what the other said.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        let texts = |item: &Self| {
            item.changes
                .iter()
                .map(|stretch| (stretch.before.clone(), stretch.after.clone()))
                .collect::<Vec<_>>()
        };
        self.status == other.status && texts(self) == texts(other)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Accept,
    Reject,
}

/// What one call decided.
#[derive(Debug, Clone)]
pub(super) struct Decided {
    pub(super) decision: Decision,
    pub(super) ids: Vec<String>,
    /// The document after it, if the decision is a change of the document, which can be undone.
    pub(super) revision: Option<String>,
}

/// What came of several decisions.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) decided: Vec<Decided>,
    pub(super) refused: Vec<(String, Failure)>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Undone {
    pub(super) message: String,
    pub(super) applied: bool,
    pub(super) revision: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Saved {
    pub(super) message: String,
    #[serde(default)]
    pub(super) notes: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Accepted {
    accepted: Vec<String>,
    revision: String,
}

#[derive(Debug, Deserialize)]
struct Rejected {
    rejected: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Resolved {
    revision: String,
    edits: Vec<Resolution>,
}

#[derive(Debug, Deserialize)]
struct Resolution {
    #[serde(default)]
    changes: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Stands {
    suggestions: Vec<Stood>,
}

#[derive(Debug, Deserialize)]
struct Stood {
    status: String,
    detail: Option<String>,
}

/// The documents in which there is something to decide.
pub(super) fn documents(client: &mut Client) -> Result<Vec<Listed>, Failure> {
    #[derive(Deserialize)]
    struct Answer {
        documents: Vec<Listed>,
        next_offset: Option<usize>,
    }
    let (mut all, mut offset) = (Vec::new(), Some(0));
    while let Some(from) = offset {
        let Answer { documents, next_offset } = client.call("review_documents", json!({ "offset": from }))?;
        all.extend(documents);
        offset = next_offset;
    }
    all.retain(Listed::has_something);
    Ok(all)
}

/// A document under review.
pub(super) struct Reviewed {
    client: Client,
    document: String,
    author: Option<String>,
    session: Option<String>,
}

impl Reviewed {
    pub(super) fn open(client: Client, named: String, author: Option<String>) -> Result<Self, Failure> {
        let mut reviewed = Self { client, document: named, author, session: None };
        let page = reviewed.page(0)?;
        // From here on by id: a file can be renamed, and an untitled document that was brought back has one now.
        reviewed.document = page.document;
        reviewed.session = page.session_id;
        Ok(reviewed)
    }

    pub(super) fn page(&mut self, offset: usize) -> Result<Page, Failure> {
        let mut arguments = json!({ "document": self.document, "offset": offset });
        if let Some(author) = &self.author {
            arguments["author"] = json!(author);
        }
        self.client.call("review_items", arguments)
    }

    /// Everything on one page.
    pub(super) fn all(&mut self) -> Result<Page, Failure> {
        let mut page = self.page(0)?;
        while let Some(offset) = page.next_offset {
            let more = self.page(offset)?;
            page.items.extend(more.items);
            page.next_offset = more.next_offset;
        }
        Ok(page)
    }

    /// The first item that `wanted` takes, where it stands in the list, and the page it is on; or else the last page.
    pub(super) fn find(
        &mut self,
        wanted: impl Fn(&Item) -> bool,
    ) -> Result<(Option<(usize, Item)>, Page), Failure> {
        let mut offset = 0;
        loop {
            let page = self.page(offset)?;
            if let Some(index) = page.items.iter().position(&wanted) {
                let item = page.items.get(index).cloned();
                return Ok((item.map(|item| (offset + index, item)), page));
            }
            match page.next_offset {
                Some(next) => offset = next,
                None => return Ok((None, page)),
            }
        }
    }

    /// Decide on several items: Word's changes as one step, then one suggestion after the other.
    pub(super) fn decide_all(&mut self, decision: Decision, items: &[Item]) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::default();
        let (tracked, suggested): (Vec<&Item>, Vec<&Item>) = items.iter().partition(|item| item.tracked);
        if !tracked.is_empty() {
            let ids: Vec<String> = tracked.iter().map(|item| item.id.clone()).collect();
            match self.resolve(decision, &ids) {
                Ok(decided) => outcome.decided.push(decided),
                Err(failure) if failure.code == LOST => return Err(failure),
                Err(failure) => outcome.refused.push((ids.join(", "), failure)),
            }
        }
        let mut done: BTreeSet<String> = BTreeSet::new();
        for item in suggested {
            // Another of its group took it along.
            if done.contains(&item.id) {
                continue;
            }
            match self.decide(decision, item) {
                Ok(decided) => {
                    done.extend(decided.ids.iter().cloned());
                    outcome.decided.push(decided);
                }
                Err(failure) if failure.code == LOST => return Err(failure),
                Err(failure) => outcome.refused.push((item.id.clone(), failure)),
            }
        }
        Ok(outcome)
    }

    pub(super) fn decide(&mut self, decision: Decision, item: &Item) -> Result<Decided, Failure> {
        if item.tracked {
            return self.resolve(decision, std::slice::from_ref(&item.id));
        }
        let arguments = json!({ "suggestionId": item.id, "windowId": self.document });
        match decision {
            Decision::Accept => {
                let Accepted { accepted, revision } = self.client.call("suggestion_accept", arguments)?;
                Ok(Decided { decision, ids: accepted, revision: Some(revision) })
            }
            Decision::Reject => {
                let Rejected { rejected } = self.client.call("suggestion_reject", arguments)?;
                Ok(Decided { decision, ids: rejected, revision: None })
            }
        }
    }

    fn resolve(&mut self, decision: Decision, ids: &[String]) -> Result<Decided, Failure> {
        let tool = match decision {
            Decision::Accept => "accept_changes",
            Decision::Reject => "reject_changes",
        };
        let arguments = json!({ "session_id": self.session, "ids": ids });
        let Resolved { revision, edits } = self.client.call(tool, arguments)?;
        let ids = edits.into_iter().flat_map(|edit| edit.changes).collect();
        Ok(Decided { decision, ids, revision: Some(revision) })
    }

    /// Who decided on a suggestion meanwhile.
    pub(super) fn decided_by(&mut self, id: &str) -> Result<Option<String>, Failure> {
        let arguments = json!({ "suggestionIds": [id], "seconds": 0 });
        let stands: Stands = self.client.call("suggestion_wait", arguments)?;
        let told = stands.suggestions.into_iter().next();
        Ok(told.and_then(|Stood { status, detail }| Some(format!("{status} by {}", detail?))))
    }

    /// Take back that suggestions were rejected.
    pub(super) fn restore(&mut self, ids: &[String]) -> Result<(), Failure> {
        let arguments = json!({ "suggestionIds": ids, "windowId": self.document });
        let _: serde_json::Value = self.client.call("suggestion_restore", arguments)?;
        Ok(())
    }

    pub(super) fn undo(&mut self) -> Result<Undone, Failure> {
        self.client.call("editor_undo", json!({ "windowId": self.document }))
    }

    pub(super) fn save(&mut self) -> Result<Saved, Failure> {
        self.client.call("workspace_save_document", json!({ "windowId": self.document }))
    }
}

/// The connection itself is gone, so nothing else can be decided.
pub(super) const LOST: &str = "DESK_LOST";
