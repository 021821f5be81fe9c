//! Operations on a document of the workspace.

use serde_json::{Map, Value};
use workspace::word::op::{
    Answer, Executor, InsertPicture, Op, Operation, PictureSource, Places, RangeOf, Span, read, text_of,
};
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

/// What came of several.
pub(crate) struct Runs {
    /// One for each operation.
    pub(crate) data: Vec<Map<String, Value>>,
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
        let op = self.with_picture(op)?;
        let answer = self.run(&op)?;
        let mut data = data_of(&answer);
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

    /// Carries out several, each on what the one before it left: one change, made whole or not at all.
    pub(crate) fn carry_out_all(&mut self, ops: &[Op]) -> Result<Runs, Failure> {
        if ops.len() == 1 || ops.iter().all(Op::only_reads) {
            let mut runs = Runs { data: Vec::new(), diagnostics: Vec::new() };
            for op in ops {
                let run = self.carry_out(op)?;
                runs.data.push(run.data);
                runs.diagnostics.extend(run.diagnostics);
            }
            return Ok(runs);
        }
        (self.notes, self.ending) = (Vec::new(), None);
        let mut operations = Vec::with_capacity(ops.len());
        for op in ops {
            let op = self.with_picture(op)?;
            operations.push(Operation { places: self.places(&op)?, op, markup: self.markup });
        }
        let (answers, selection) = match self.edit(Edit::Ops { operations })? {
            Outcome::Ops { answers, selection } => (answers, selection),
            _ => return Err(Refusal::internal("operations without an answer").into()),
        };
        let applied = matches!(self.ending, Some(Ending::Applied | Ending::Unchanged));
        if let (Some(range), true) = (selection, applied) {
            let selection = Selection { part: PartName::new(range.part.as_str()), range: range.range() };
            self.cx.workspace.select(self.document, &self.window, selection)?;
        }
        let mut data = Vec::with_capacity(answers.len());
        for answer in answers {
            let answer = match applied {
                true => self.named(answer)?,
                false => answer.map(|_, _| Ok::<_, Refusal>(String::new()))?,
            };
            data.push(data_of(&answer));
        }
        let mut diagnostics = std::mem::take(&mut self.notes);
        match &self.ending {
            Some(Ending::Suggested(id)) => {
                diagnostics.push(("info", format!("staged as {id} for a person to accept")));
            }
            Some(Ending::Previewed) => {
                diagnostics.push(("info", "a dry run: nothing was changed".to_owned()));
            }
            _ => {}
        }
        Ok(Runs { data, diagnostics })
    }

    /// A picture that is named by its address is fetched, where that is allowed; the engine never does.
    fn with_picture(&self, op: &Op) -> Result<Op, Failure> {
        let Op::InsertPicture(picture) = op else { return Ok(op.clone()) };
        let PictureSource::Url(url) = &picture.source else { return Ok(op.clone()) };
        if url.trim_start().starts_with("data:") {
            return Ok(op.clone());
        }
        let bytes = self.cx.workspace.caller().network.fetch(url)?;
        let source = PictureSource::Base64(base64(&bytes));
        Ok(Op::InsertPicture(InsertPicture { source, ..picture.clone() }))
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

impl File<'_> {
    fn edit(&mut self, edit: Edit) -> Result<Outcome, Refusal> {
        let request = EditRequest::new(vec![edit], self.mode);
        let outcome = self.cx.workspace.edit::<Word>(self.document, request)?;
        for note in outcome.notes {
            let level = if note.level == Level::Warning { "warn" } else { "info" };
            self.notes.push((level, note.text));
        }
        self.ending = Some(outcome.ending);
        outcome.outcomes.into_iter().next().ok_or_else(|| Refusal::internal("an edit without an outcome"))
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
        let Outcome::Op { answer } = self.edit(edit)? else {
            return Err(Refusal::internal("an operation without an answer"));
        };
        match self.ending {
            Some(Ending::Applied) => self.named(answer),
            _ => answer.map(|_, _| Ok(String::new())),
        }
    }
}

/// As the wire wants it. Nothing has an id that is not in the document yet.
fn data_of(answer: &Answer<String>) -> Map<String, Value> {
    let Ok(Value::Object(mut data)) = serde_json::to_value(answer) else { return Map::new() };
    let without_id = |fields: &mut Map<String, Value>| {
        fields.retain(|name, value| !(name.ends_with("Id") && value.as_str() == Some("")));
    };
    without_id(&mut data);
    let results = data.get_mut("results").and_then(Value::as_array_mut);
    for hit in results.into_iter().flatten().filter_map(Value::as_object_mut) {
        without_id(hit);
    }
    data
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit) & 63) as usize;
            let used = digit <= chunk.len();
            out.push(DIGITS.get(value).filter(|_| used).map_or('=', |digit| char::from(*digit)));
        }
    }
    out
}
