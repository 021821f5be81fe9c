//! Operations on a document of the workspace.

use serde_json::{Map, Value};
use workspace::word::op::{Answer, Executor, Op, Operation, Places, RangeOf, Span, read, text_of};
use workspace::word::{Edit, Markup, Outcome, Word};
use workspace::{
    DocId, EditRequest, Ending, Level, Mode, PartName, RangeId, Refusal, Selection, WindowLabel,
};

use super::Failure;
use crate::cx::Cx;
use crate::word::{Target, Track};

/// A file, as somebody who carries out operations.
pub(crate) struct File<'a> {
    cx: &'a Cx<'a>,
    window: WindowLabel,
    document: DocId,
    mode: Mode,
    markup: Markup,
    /// What was said about the last operation.
    notes: Vec<(&'static str, String)>,
    pub(crate) ending: Option<Ending>,
}

/// What came of an operation.
pub(crate) struct Run {
    pub(crate) data: Map<String, Value>,
    pub(crate) diagnostics: Vec<(&'static str, String)>,
}

impl<'a> File<'a> {
    pub(crate) fn new(cx: &'a Cx<'a>, target: &Target, track: Track, dry_run: bool) -> Self {
        // The cursor of the window that shows the document; elsewhere the session has one of its own.
        let window = match cx.workspace.active(None) {
            Ok((window, shown)) if shown == target.document => window,
            _ => WindowLabel::new(target.session.to_string()),
        };
        Self {
            cx,
            window,
            document: target.document,
            mode: track.mode(dry_run),
            markup: track.markup(),
            notes: Vec::new(),
            ending: None,
        }
    }

    /// Carries out an operation, and says what came of it as the wire wants it.
    pub(crate) fn carry_out(&mut self, op: &Op) -> Result<Run, Failure> {
        (self.notes, self.ending) = (Vec::new(), None);
        let answer = self.run(op)?;
        let mut data = match serde_json::to_value(&answer) {
            Ok(Value::Object(data)) => data,
            _ => Map::new(),
        };
        // Nothing has an id that is not in the document yet.
        data.retain(|_, value| value.as_str() != Some(""));
        let mut diagnostics = std::mem::take(&mut self.notes);
        match &self.ending {
            Some(Ending::Suggested(id)) => {
                data.insert("suggestionId".to_owned(), id.to_string().into());
                diagnostics.push(("info", "staged for a person to accept".to_owned()));
            }
            Some(Ending::Previewed) => {
                diagnostics.push(("info", "a dry run: nothing was changed".to_owned()))
            }
            Some(Ending::Unchanged) if !matches!(answer, Answer::Replaced { .. }) => {
                diagnostics.push(("info", "there was nothing to change".to_owned()))
            }
            _ => {}
        }
        Ok(Run { data, diagnostics })
    }

    fn places(&self, op: &Op) -> Result<Places, Refusal> {
        let workspace = self.cx.workspace;
        let selection = workspace.selection(self.document, &self.window)?;
        let span = |part: &PartName, range: std::ops::Range<usize>| Span::new(part, range);
        let mut places =
            Places { selection: selection.map(|at| span(&at.part, at.range)), ..Places::default() };
        for name in op.ids() {
            let id: RangeId = name.parse().map_err(|_| Refusal::not_found("range", name))?;
            let range = workspace.range(self.document, &id)?;
            places.named.insert(name.to_owned(), span(&range.part, range.range));
        }
        Ok(places)
    }

    /// Gives every range of an answer an id, under which the workspace carries it along.
    fn named(&self, answer: Answer<Span>) -> Result<Answer<String>, Refusal> {
        let view = self.cx.workspace.snapshot::<Word>(self.document)?.view;
        answer.map(|span, of| {
            let text = match of {
                RangeOf::Text => text_of(&view, &span).unwrap_or_default(),
                RangeOf::Table => "a table".to_owned(),
            };
            let text: String = text.chars().take(200).collect();
            let place = Selection { part: PartName::new(span.part.as_str()), range: span.range() };
            Ok(self.cx.workspace.name_range(self.document, place, &text)?.to_string())
        })
    }
}

impl Executor for File<'_> {
    fn run(&mut self, op: &Op) -> Result<Answer<String>, Refusal> {
        let places = self.places(op)?;
        if op.only_reads() {
            let view = self.cx.workspace.snapshot::<Word>(self.document)?.view;
            let answer = read(&view, op, &places)
                .unwrap_or_else(|| Err(Refusal::unsupported(format!("`{}`", op.name()))))?;
            if let (Op::SetSelection(_), Answer::Selection { range, .. }) = (op, &answer) {
                let selection = Selection { part: PartName::new(range.part.as_str()), range: range.range() };
                self.cx.workspace.select(self.document, &self.window, selection)?;
            }
            return self.named(answer);
        }
        let edit = Edit::Op(Box::new(Operation { op: op.clone(), places, markup: self.markup }));
        let request = EditRequest::new(vec![edit], self.mode, self.cx.actor.clone());
        let outcome = self.cx.workspace.edit::<Word>(self.document, request)?;
        for note in outcome.notes {
            let level = if note.level == Level::Warning { "warn" } else { "info" };
            self.notes.push((level, note.text));
        }
        let applied = matches!(outcome.ending, Ending::Applied);
        self.ending = Some(outcome.ending);
        let answer = outcome.outcomes.into_iter().find_map(|outcome| match outcome {
            Outcome::Op { answer } => Some(answer),
            _ => None,
        });
        let answer = answer.ok_or_else(|| Refusal::internal("an operation without an answer"))?;
        match applied {
            true => self.named(answer),
            false => answer.map(|_, _| Ok(String::new())),
        }
    }
}
