//! Going through a document item by item: what each key does, and what is on the screen for it.
//!
//! The list is asked for anew at every step, because others work on the document too: what is decided is what is shown,
//! or it is shown again.

use std::collections::BTreeSet;
use std::path::Path;

use super::decisions::{Decided, Decision, Item, LOST, Reviewed, Standing};
use super::keys::Key;
use super::screen::{Fitted, Screen, Size, changes, cut, header, packed};
use crate::paint::{Line, Paint, Tone, line};
use crate::report::Failure;
use crate::visible::in_one_line;

pub(super) struct Walk {
    reviewed: Reviewed,
    /// Without its folder.
    file: String,
    paint: Paint,
    showing: Showing,
    /// The item that is asked about; `None` at the end.
    current: Option<Item>,
    position: (usize, usize),
    /// Keys of items that were passed over.
    skipped: BTreeSet<String>,
    /// What was decided and not taken back, by the answers.
    decided: Vec<Decided>,
    /// The document after the last change from here.
    head: Option<String>,
    /// So many of the first decisions lie under changes of others, which are not ours to take back.
    buried: usize,
    unsaved: bool,
    saved: Option<String>,
    left: usize,
    said: (Tone, String),
    scrolled: usize,
}

enum Showing {
    Item,
    Help,
    /// Whether all that is left shall be rejected.
    Sure,
}

pub(super) enum Next {
    Stay,
    Leave,
}

impl Walk {
    pub(super) fn begin(reviewed: Reviewed, paint: Paint) -> Result<Self, Failure> {
        let mut walk = Self {
            reviewed,
            file: String::new(),
            paint,
            showing: Showing::Item,
            current: None,
            position: (0, 0),
            skipped: BTreeSet::new(),
            decided: Vec::new(),
            head: None,
            buried: 0,
            unsaved: false,
            saved: None,
            left: 0,
            said: (Tone::Plain, String::new()),
            scrolled: 0,
        };
        walk.look()?;
        Ok(walk)
    }

    pub(super) fn has_nothing(&self) -> bool {
        self.left == 0 && self.decided.is_empty()
    }

    /// Go to the first item that was not passed over.
    fn look(&mut self) -> Result<(), Failure> {
        let skipped = &self.skipped;
        let (found, page) = self.reviewed.find(|item| !skipped.contains(&item.key()))?;
        let decided = self.count(Decision::Accept) + self.count(Decision::Reject);
        self.file = Path::new(&page.file)
            .file_name()
            .map_or_else(|| page.file.clone(), |name| name.to_string_lossy().into_owned());
        self.unsaved = page.unsaved;
        self.left = page.total;
        self.scrolled = 0;
        self.current = found.map(|(index, item)| {
            self.position = (decided + index + 1, decided + page.total);
            item
        });
        Ok(())
    }

    fn count(&self, decision: Decision) -> usize {
        self.decided.iter().filter(|one| one.decision == decision).map(|one| one.ids.len()).sum()
    }

    pub(super) fn key(&mut self, key: Key, size: Size) -> Result<Next, Failure> {
        match self.showing {
            Showing::Item => {}
            Showing::Help => {
                self.showing = Showing::Item;
                return Ok(Next::Stay);
            }
            Showing::Sure => {
                self.showing = Showing::Item;
                match key {
                    Key::Character('y') => self.rest(Decision::Reject)?,
                    _ => self.say("Nothing was rejected"),
                }
                return Ok(Next::Stay);
            }
        }
        match (key, self.current.is_some()) {
            (Key::Stop | Key::Character('q'), _) | (Key::Enter, false) => return Ok(Next::Leave),
            (Key::Character('?'), _) => self.showing = Showing::Help,
            (Key::Character('u'), _) => self.undo()?,
            (Key::Character('w'), _) => self.save()?,
            (Key::Character('a'), true) => self.decide(Decision::Accept)?,
            (Key::Character('r'), true) => self.decide(Decision::Reject)?,
            (Key::Character('s' | ' '), true) => self.skip()?,
            (Key::Character('g'), true) => self.accept_group()?,
            (Key::Character('A'), true) => self.rest(Decision::Accept)?,
            (Key::Character('R'), true) => self.showing = Showing::Sure,
            (Key::Character('m') | Key::Down, true) => self.scroll(size),
            _ => {}
        }
        Ok(Next::Stay)
    }

    fn decide(&mut self, decision: Decision) -> Result<(), Failure> {
        let Some(shown) = self.current.clone() else { return Ok(()) };
        if decision == Decision::Accept && shown.status == Standing::Stale {
            self.warn("It is stale: what it would change is not there any more. r rejects it, s leaves it");
            return Ok(());
        }
        let Some(item) = self.again(&shown)? else { return Ok(()) };
        match self.reviewed.decide(decision, &item) {
            Ok(decided) => self.take(vec![decided], &cut(&in_one_line(&item.summary), 60)),
            Err(failure) => self.told(failure)?,
        }
        self.look()
    }

    /// The item as it is now, if it still says what was shown.
    fn again(&mut self, shown: &Item) -> Result<Option<Item>, Failure> {
        let key = shown.key();
        let (found, page) = self.reviewed.find(|item| item.key() == key)?;
        self.notice(&page.revision);
        match found {
            Some((_, item)) if item.says_the_same(shown) => return Ok(Some(item)),
            Some((_, item)) if item.status == Standing::Stale && shown.status == Standing::Pending => {
                self.warn("Somebody changed the text meanwhile, and it is stale now");
            }
            Some(_) => self.warn("Somebody changed the text around it meanwhile; look again"),
            None if shown.tracked => self.warn("Somebody decided on it meanwhile"),
            None => match self.reviewed.decided_by(&shown.id) {
                Ok(Some(how)) => self.warn(format!("Meanwhile it was {how}")),
                Ok(None) => self.warn("Somebody decided on it meanwhile"),
                Err(failure) => self.told(failure)?,
            },
        }
        self.look()?;
        Ok(None)
    }

    fn skip(&mut self) -> Result<(), Failure> {
        let key = self.current.as_ref().map(Item::key);
        self.skipped.extend(key);
        self.say("Skipped");
        self.look()
    }

    /// All that is decided together: a group of suggestions, or an author's changes in one paragraph.
    fn accept_group(&mut self) -> Result<(), Failure> {
        let Some(shown) = self.current.clone() else { return Ok(()) };
        if !shown.tracked {
            match shown.group {
                Some(_) => return self.decide(Decision::Accept),
                None => self.say("It is in no group; a accepts it"),
            }
            return Ok(());
        }
        let same = |item: &Item| {
            item.tracked && item.paragraph_id == shown.paragraph_id && item.author == shown.author
        };
        let page = self.reviewed.all()?;
        self.notice(&page.revision);
        let group: Vec<Item> = page.items.into_iter().filter(same).collect();
        self.decide_on(Decision::Accept, &group)
    }

    /// Everything that was not passed over, and that can be decided so.
    fn rest(&mut self, decision: Decision) -> Result<(), Failure> {
        let page = self.reviewed.all()?;
        self.notice(&page.revision);
        let skipped = &self.skipped;
        let takes = |item: &Item| {
            let can = decision == Decision::Reject || item.status == Standing::Pending;
            can && !skipped.contains(&item.key())
        };
        let items: Vec<Item> = page.items.into_iter().filter(takes).collect();
        if items.is_empty() {
            self.say("Nothing is left that can be accepted");
            return Ok(());
        }
        self.decide_on(decision, &items)
    }

    fn decide_on(&mut self, decision: Decision, items: &[Item]) -> Result<(), Failure> {
        let outcome = self.reviewed.decide_all(decision, items)?;
        self.take(outcome.decided, "");
        if let Some((_, failure)) = outcome.refused.first() {
            let count = outcome.refused.len();
            self.warn(format!("{}; {count} could not be: {}", self.said.1, in_one_line(&failure.message)));
        }
        self.look()
    }

    /// Note what the server says was decided; `what` is the one item that it was asked about.
    fn take(&mut self, decided: Vec<Decided>, what: &str) {
        let count: usize = decided.iter().map(|one| one.ids.len()).sum();
        let done = match decided.first().map(|one| one.decision) {
            Some(Decision::Accept) => "Accepted",
            Some(Decision::Reject) => "Rejected",
            None => "Decided",
        };
        match count {
            1 if !what.is_empty() => self.say(format!("{done}: {what}")),
            count => self.say(format!("{done} {count}")),
        }
        for one in decided {
            if let Some(revision) = &one.revision {
                self.head = Some(revision.clone());
            }
            self.decided.push(one);
        }
    }

    /// Whether others have changed the document since the last decision.
    fn notice(&mut self, now: &str) {
        if self.head.as_deref().is_some_and(|head| head != now) {
            self.buried = self.decided.len();
        }
    }

    /// Take back the last decision.
    fn undo(&mut self) -> Result<(), Failure> {
        let Some(index) = self.decided.len().checked_sub(1) else {
            self.say("Nothing was decided yet");
            return Ok(());
        };
        let last = self.decided.get(index).filter(|last| last.revision.is_none());
        if let Some(ids) = last.map(|last| last.ids.clone()) {
            match self.reviewed.restore(&ids) {
                Ok(()) => self.taken_back(index),
                Err(failure) => self.told(failure)?,
            }
            return self.look();
        }
        let now = self.reviewed.page(0)?.revision;
        self.notice(&now);
        if index < self.buried {
            self.warn("Somebody else changed the document since; undoing would take that back instead");
            return self.look();
        }
        match self.reviewed.undo() {
            Ok(undone) if undone.applied => {
                self.head = Some(undone.revision);
                self.taken_back(index);
            }
            Ok(undone) => self.warn(in_one_line(&undone.message)),
            Err(failure) => self.told(failure)?,
        }
        self.look()
    }

    fn taken_back(&mut self, index: usize) {
        let back = self.decided.remove(index);
        match back.ids.len() {
            1 => self.say("Taken back"),
            count => self.say(format!("Taken back: {count} together")),
        }
    }

    fn save(&mut self) -> Result<(), Failure> {
        match self.reviewed.save() {
            Ok(saved) => {
                self.say(in_one_line(&[&[saved.message.clone()][..], &saved.notes].concat().join("; ")));
                self.saved = Some(saved.message);
            }
            Err(failure) => self.told(failure)?,
        }
        self.look()
    }

    fn scroll(&mut self, size: Size) {
        let Fitted { below, shown, .. } = self.screen(size).fitted(size);
        self.scrolled = if below > 0 { self.scrolled + shown.max(1) } else { 0 };
    }

    fn say(&mut self, text: impl Into<String>) {
        self.said = (Tone::Plain, text.into());
    }

    fn warn(&mut self, text: impl Into<String>) {
        self.said = (Tone::Warning, text.into());
    }

    /// Say why something was refused. Without a connection there is nothing to go on with.
    fn told(&mut self, failure: Failure) -> Result<(), Failure> {
        if failure.code == LOST {
            return Err(failure);
        }
        self.warn(in_one_line(&failure.message));
        Ok(())
    }

    pub(super) fn rows(&self, size: Size) -> Vec<Line> {
        self.screen(size).fitted(size).rows
    }

    fn screen(&self, size: Size) -> Screen {
        let (head, body, keys) = match (&self.showing, &self.current) {
            (Showing::Help, _) => (Vec::new(), help(), &["any key goes back"][..]),
            (_, Some(item)) => {
                let head = header(item, &self.file, self.position, size.columns);
                (head, changes(item, self.paint), keys_of(item))
            }
            (_, None) => {
                let mut body = vec![line(Tone::Strong, self.file.clone()), Line::new()];
                body.extend(self.summary().into_iter().map(|text| line(Tone::Plain, text)));
                let keys: &[&str] = match self.unsaved {
                    true => &["w save", "u undo", "q quit"],
                    false => &["u undo", "q quit"],
                };
                (Vec::new(), body, keys)
            }
        };
        let said = match self.showing {
            Showing::Sure => line(Tone::Warning, "Reject everything that is left? y does it"),
            Showing::Help => Line::new(),
            Showing::Item => line(self.said.0, self.said.1.clone()),
        };
        let mut foot = vec![Line::new(), said];
        foot.extend(packed(keys, size.columns));
        Screen { head, body, foot, scrolled: self.scrolled }
    }

    /// What was decided, what is left, and whether it is in the file.
    pub(super) fn summary(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "accepted {}, rejected {}; {} left to decide",
            self.count(Decision::Accept),
            self.count(Decision::Reject),
            self.left
        )];
        match (self.unsaved, &self.saved) {
            (true, _) => lines.push("The document has changes that are not in its file yet.".to_owned()),
            (false, Some(saved)) => lines.push(in_one_line(saved)),
            (false, None) => {}
        }
        lines
    }

    pub(super) fn is_unsaved(&self) -> bool {
        self.unsaved
    }

    pub(super) fn paint(&self) -> Paint {
        self.paint
    }
}

fn keys_of(item: &Item) -> &'static [&'static str] {
    match item.status {
        Standing::Stale => &["r reject", "s skip", "u undo", "R reject rest", "? help", "q quit"],
        Standing::Pending => &[
            "a accept",
            "r reject",
            "s skip",
            "u undo",
            "A accept rest",
            "R reject rest",
            "? help",
            "q quit",
        ],
    }
}

const KEYS: [(&str, &str); 11] = [
    ("a", "accept; a suggestion takes the others of its group along"),
    ("r", "reject; a suggestion takes the others of its group along"),
    ("s", "skip (or the space bar): leave it as it is and go on"),
    ("g", "accept the group, or the author's tracked changes in this paragraph"),
    ("A", "accept all that is left and was not skipped"),
    ("R", "reject all that is left and was not skipped"),
    ("u", "take back the last decision"),
    ("m", "show more of a long change"),
    ("w", "save the document now"),
    ("?", "this help"),
    ("q", "quit; what was decided is kept"),
];

fn help() -> Vec<Line> {
    let mut lines = vec![line(Tone::Strong, "Keys"), Line::new()];
    lines.extend(KEYS.iter().map(|(key, what)| line(Tone::Plain, format!("{key}  {what}"))));
    lines.push(Line::new());
    lines.push(line(Tone::Plain, "Decisions take effect at once, and agents that wait for them go on."));
    lines
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mcp::Server;
    use workspace::markdown::{Edit, Markdown};
    use workspace::{
        Approval, Caller, Config, Desk, DocId, EditRequest, Ending, Mode, OpenIn, SuggestionId, Workspace,
    };

    use super::*;
    use crate::commands::review::connect::here;
    use crate::paint::painted;

    const SIZE: Size = Size { columns: 80, rows: 24 };

    /// A letter that an agent has open, and that Ann goes through while Bob can do what he likes.
    struct Office {
        agent: Workspace,
        bob: Workspace,
        document: DocId,
        server: Arc<Server>,
        folder: tempfile::TempDir,
    }

    impl Office {
        fn new(text: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("a.md"), text).unwrap();
            let desk = Desk::new(Config::default()).unwrap();
            let agent = desk.seat(Caller::agent("Bot", folder.path())).unwrap();
            let bob = Caller { approval: Approval::auto(), ..Caller::person("Bob", folder.path()) };
            let bob = desk.seat(bob).unwrap();
            let document = agent.open("a.md", OpenIn::Tab(None)).unwrap().document;
            Self { agent, bob, document, server: Arc::new(Server::new(desk)), folder }
        }

        fn suggest(&self, old: &str, new: &str, group: Option<&str>) -> SuggestionId {
            let request = EditRequest { group: group.map(str::to_owned), ..self.replacement(old, new) };
            match self.agent.edit::<Markdown>(self.document, request).unwrap().ending {
                Ending::Suggested(id) => id,
                other => panic!("{other:?}"),
            }
        }

        fn edit(&self, old: &str, new: &str) {
            self.bob.edit::<Markdown>(self.document, self.replacement(old, new)).unwrap();
        }

        fn replacement(&self, old: &str, new: &str) -> EditRequest<Edit> {
            let at = self.text().find(old).unwrap();
            let edit = Edit::Replace { range: at..at + old.len(), expect: None, with: new.into() };
            EditRequest::new(vec![edit], Mode::Apply)
        }

        fn text(&self) -> String {
            self.agent.read::<Markdown, _>(self.document, |view| view.text()).unwrap()
        }

        fn ann(&self) -> Walk {
            let ann = Caller::person("Ann", self.folder.path());
            let client = here(Arc::clone(&self.server), ann).unwrap();
            let reviewed = Reviewed::open(client, self.document.to_string(), None).unwrap();
            Walk::begin(reviewed, Paint::Signs).unwrap()
        }
    }

    #[track_caller]
    fn press(walk: &mut Walk, keys: &str, wanted: &str) {
        for key in keys.chars() {
            walk.key(Key::Character(key), SIZE).unwrap();
        }
        let rows: Vec<String> = walk.rows(SIZE).iter().map(|row| painted(row, Paint::Signs)).collect();
        assert!(rows.iter().any(|row| row.contains(wanted)), "`{wanted}` is not on\n{}", rows.join("\n"));
    }

    #[test]
    fn what_others_decided_meanwhile_is_told_and_the_walk_goes_on() {
        let office = Office::new("one two three");
        let first = office.suggest("one", "1", None);
        office.suggest("two", "2", None);
        let mut ann = office.ann();
        office.bob.accept(office.document, &first).unwrap();
        press(&mut ann, "r", "Meanwhile it was accepted by Bob");
        press(&mut ann, "", "+ 1 {+2+} three");
        press(&mut ann, "a", "accepted 1, rejected 0; 0 left to decide");
        assert_eq!(office.text(), "1 2 three");
    }

    #[test]
    fn what_changed_meanwhile_is_shown_before_it_is_decided() {
        let office = Office::new("one two three");
        office.suggest("one", "1", None);
        let mut ann = office.ann();
        office.edit("three", "3");
        press(&mut ann, "a", "Somebody changed the text around it meanwhile; look again");
        assert_eq!(office.text(), "one two 3");
        press(&mut ann, "", "+ {+1+} two 3");
        office.edit("one two", "nothing");
        press(&mut ann, "a", "Somebody changed the text meanwhile, and it is stale now");
        press(&mut ann, "", "- [-one-] two three");
        press(&mut ann, "r", "accepted 0, rejected 1; 0 left to decide");
    }

    #[test]
    fn undo_takes_back_what_was_decided_here_and_nothing_else() {
        let office = Office::new("one two three");
        office.suggest("one", "1", None);
        office.suggest("two", "2", None);
        let mut ann = office.ann();
        press(&mut ann, "a", "2 of 2");
        office.edit("three", "3");
        press(&mut ann, "u", "Somebody else changed the document since");
        assert_eq!(office.text(), "1 two 3");
        press(&mut ann, "au", "Taken back");
        assert_eq!(office.text(), "1 two 3");
        press(&mut ann, "u", "Somebody else changed the document since");
        assert_eq!(office.text(), "1 two 3");
    }

    #[test]
    fn a_rejection_can_be_taken_back_as_long_as_its_place_is_there() {
        let office = Office::new("one two three");
        let first = office.suggest("one", "1", Some("both"));
        office.suggest("two", "2", Some("both"));
        let mut ann = office.ann();
        press(&mut ann, "r", "rejected 2; 0 left to decide");
        office.edit("three", "3");
        press(&mut ann, "u", "Taken back: 2 together");
        press(&mut ann, "a", "accepted 2, rejected 0; 0 left to decide");
        assert_eq!(office.text(), "1 2 3");
        let stands = office.agent.decisions(std::slice::from_ref(&first)).unwrap();
        assert!(matches!(&stands[0].1, workspace::Status::Accepted(by) if by.by == "Ann"), "{stands:?}");
        office.suggest("3", "three", None);
        press(&mut ann, "", "");
        let mut again = office.ann();
        press(&mut again, "r", "0 left to decide");
        office.edit("3", "III");
        press(&mut again, "u", "has changed since it was rejected");
        assert_eq!(office.text(), "1 2 III");
    }

    #[test]
    fn a_group_is_decided_together() {
        let office = Office::new("one two three");
        office.suggest("one", "1", Some("numbers"));
        office.suggest("three", "3", Some("numbers"));
        office.suggest("two", "2", None);
        let mut ann = office.ann();
        press(&mut ann, "", "Decided together with all others of the group `numbers`");
        press(&mut ann, "g", "3 of 3");
        press(&mut ann, "", "Accepted 2");
        press(&mut ann, "g", "It is in no group; a accepts it");
        assert_eq!(office.text(), "1 two 3");
        press(&mut ann, "u", "Taken back: 2 together");
        assert_eq!(office.text(), "one two three");
    }
}
