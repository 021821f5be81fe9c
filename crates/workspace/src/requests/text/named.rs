//! Places by what they say rather than by what they are: the cell of a label, the row of a name, a sentence, a comment.
//!
//! A name has to fit one place. What people call a cell is what its row and its column say, or the label at its left.

use edit::{OrEmpty, Refusal};
use planner::{CommentPick, Mention, Pick, Target, Which, WordAct, WordStep};
use word::op::Span;
use word::{Comment, Place, Story, Table, Thread};

use super::clauses::same_name;
use super::ground::{Ground, Meant, excerpt, matching, nth};
use super::sentences;
use crate::requests::rule::{self, Looked};

/// Places that a refusal names.
const MOST_NAMED: usize = 10;

impl Ground<'_> {
    /// The cell of a label, or of a row and a column by what they say.
    pub(super) fn labelled(&self, row: Option<&str>, column: &str) -> Result<Meant, Refusal> {
        let mut found = Vec::new();
        let mut known = Vec::new();
        for table in self.tables(None)? {
            let texts = self.cell_texts(&table)?;
            match row {
                Some(row) => {
                    known.extend(texts.first().into_iter().flatten().cloned());
                    crossed(&texts, row, column)
                        .or_else(|| crossed(&texts, column, row))
                        .into_iter()
                        .for_each(|(row, column)| found.push((table.clone(), row, column)));
                }
                // A form: labels at the left, what they stand for beside them.
                None if table.columns == 2 => {
                    for (at, cells) in texts.iter().enumerate() {
                        let Some(label) = cells.first() else { continue };
                        known.push(label.clone());
                        if same_label(label, column) {
                            found.push((table.clone(), at, 1));
                        }
                    }
                }
                None => {}
            }
        }
        let name = row.map_or_else(|| column.to_owned(), |row| format!("{column} of {row}"));
        known.retain(|text| !text.trim().is_empty());
        match found.len() {
            1 => {
                let (table, row, column) = found.swap_remove(0);
                Ok(Meant::Cell(table, row, column))
            }
            0 => Err(Refusal::NotFound {
                what: "label",
                id: name,
                nearest: known.iter().take(MOST_NAMED).map(|text| excerpt(text)).collect(),
            }),
            count => Err(Refusal::Ambiguous {
                text: name,
                count,
                within: "the tables".to_owned(),
                contexts: found
                    .iter()
                    .take(MOST_NAMED)
                    .map(|(table, row, _)| self.row_text(table, *row))
                    .collect(),
            }),
        }
    }

    /// "The Title": that of the document, unless a form has a field that is called so.
    pub(super) fn titled(&self, column: &str) -> Result<Meant, Refusal> {
        match self.labelled(None, column) {
            Ok(Meant::Cell(table, row, _)) => Err(crate::requests::two_readings(
                &format!("the {column}"),
                &format!("the title of the document, \"{}\"", excerpt(&self.text(self.title()?)?)),
                &format!("the row \"{}\" of the table", self.row_text(&table, row)),
            )),
            _ => Ok(Meant::Paragraphs(vec![self.title()?])),
        }
    }

    /// What the cells of a table say, by row and column of the grid.
    fn cell_texts(&self, table: &Table) -> Result<Vec<Vec<String>>, Refusal> {
        let mut rows = Vec::with_capacity(table.rows.len());
        for row in 0..table.rows.len() {
            let mut cells = Vec::with_capacity(table.columns);
            for column in 0..table.columns {
                let places = self.paragraphs(&Meant::Cell(table.clone(), row, column))?;
                let texts = places.iter().map(|place| self.text(*place)).collect::<Result<Vec<_>, _>>()?;
                cells.push(texts.join(" "));
            }
            rows.push(cells);
        }
        Ok(rows)
    }

    /// The row that begins with a text.
    pub(super) fn row_of(&self, name: &str, around: Option<&Meant>) -> Result<Meant, Refusal> {
        let tables = match around {
            Some(_) => vec![self.table_in(around)?],
            None => self.tables(None)?,
        };
        let mut found = Vec::new();
        for table in tables {
            for (at, cells) in self.cell_texts(&table)?.iter().enumerate() {
                if cells.first().is_some_and(|text| same_name(text, name)) {
                    found.push((table.clone(), at));
                }
            }
        }
        match found.len() {
            1 => {
                let (table, row) = found.swap_remove(0);
                Ok(Meant::Rows(table, vec![row]))
            }
            0 => Err(Refusal::NotFound {
                what: "row",
                id: name.to_owned(),
                nearest: vec!["a row is named by its first cell, all of it".to_owned()],
            }),
            count => Err(Refusal::Ambiguous {
                text: name.to_owned(),
                count,
                within: "the tables".to_owned(),
                contexts: found
                    .iter()
                    .take(MOST_NAMED)
                    .map(|(table, row)| self.row_text(table, *row))
                    .collect(),
            }),
        }
    }

    /// The table under a heading that has this word, or with it in its header row.
    pub(super) fn table_named(&self, name: &str) -> Result<Table, Refusal> {
        let mut found = Vec::new();
        for table in self.tables(None)? {
            let texts = self.cell_texts(&table)?;
            let in_header = texts.first().is_some_and(|cells| cells.iter().any(|cell| says_word(cell, name)));
            let body = self.body();
            let first = body.iter().position(|place| self.view.cell_of(*place, &table).is_some());
            let heading = first.map(|at| self.heading_above(&body, at)).transpose()?.flatten();
            if in_header || heading.is_some_and(|text| says_word(&text, name)) {
                found.push(table);
            }
        }
        match found.len() {
            1 => Ok(found.swap_remove(0)),
            0 => Err(Refusal::NotFound {
                what: "table",
                id: name.to_owned(),
                nearest: vec!["say the first table, or its number".to_owned()],
            }),
            count => Err(Refusal::Ambiguous {
                text: format!("the {name} table"),
                count,
                within: "the document".to_owned(),
                contexts: found.iter().take(MOST_NAMED).map(|table| self.row_text(table, 0)).collect(),
            }),
        }
    }

    fn heading_above(&self, body: &[Place], at: usize) -> Result<Option<String>, Refusal> {
        let above = body.iter().take(at + 1).rev();
        let heading = above.copied().find(|place| self.view.heading_level(*place).is_some());
        heading.map(|place| self.text(place)).transpose()
    }

    /// The text of page headers or footers, as paragraphs.
    pub(super) fn running(&self, header: bool) -> Result<Vec<Place>, Refusal> {
        let mut places = Vec::new();
        for place in self.view.places() {
            let fits = match self.view.story_of(place) {
                Story::Header(_) => header,
                Story::Footer(_) => !header,
                _ => false,
            };
            if fits && !self.text(place)?.trim().is_empty() {
                places.push(place);
            }
        }
        match places.is_empty() {
            true => Err(Refusal::NotFound {
                what: if header { "page header" } else { "page footer" },
                id: "the document".to_owned(),
                nearest: vec!["of a table say: the header row of the table".to_owned()],
            }),
            false => Ok(places),
        }
    }

    /// The paragraphs of a footnote, counted as they stand in the file.
    pub(super) fn footnote(&self, pick: Option<Pick>) -> Result<Vec<Place>, Refusal> {
        let mut notes: Vec<(String, Vec<Place>)> = Vec::new();
        for place in self.view.story(Story::Footnotes) {
            let Some(owner) = self.view.owner(place) else { continue };
            if self.text(place)?.trim().is_empty() {
                continue;
            }
            match notes.last_mut().filter(|(id, _)| *id == owner.id) {
                Some((_, places)) => places.push(place),
                None => notes.push((owner.id, vec![place])),
            }
        }
        let at = match pick {
            Some(pick) => nth(pick, notes.len(), "footnote")?,
            None if notes.len() == 1 => 0,
            None if notes.is_empty() => return Err(Refusal::not_found("footnote", "the document")),
            None => {
                let texts = notes.iter().take(MOST_NAMED).filter_map(|(_, places)| places.first());
                return Err(Refusal::Ambiguous {
                    text: "the footnote".to_owned(),
                    count: notes.len(),
                    within: "the document".to_owned(),
                    contexts: texts
                        .filter_map(|place| self.text(*place).ok())
                        .map(|text| excerpt(&text))
                        .collect(),
                });
            }
        };
        Ok(notes.swap_remove(at).1)
    }

    /// A sentence of some paragraphs, as a text that is there once.
    fn sentence(
        &self,
        pick: Option<Pick>,
        about: Option<&str>,
        places: &[Place],
    ) -> Result<Mention, Refusal> {
        let mut sentences = Vec::new();
        let mut doubts = Vec::new();
        for place in places {
            for sentence in sentences::of(&self.text(*place)?) {
                doubts.extend(sentence.doubt.map(|at| (sentence.text.clone(), at)));
                sentences.push(sentence.text);
            }
        }
        let unsure = |at: &str| Refusal::Unsupported {
            what: format!("naming a sentence where it is not sure whether one ends at `{at}`"),
            instead: Some("quote the words that are meant".to_owned()),
        };
        let text = match (pick, about) {
            (Some(pick), _) => {
                if let Some((_, at)) = doubts.first() {
                    return Err(unsure(at));
                }
                let at = nth(pick, sentences.len(), "sentence")?;
                sentences.swap_remove(at)
            }
            (None, about) => {
                let about = about.unwrap_or_default();
                let looked = Looked { case: false, whole: true };
                sentences.retain(|text| !rule::places(text, about, looked).is_empty());
                match sentences.len() {
                    1 => sentences.swap_remove(0),
                    0 => return Err(Refusal::not_found("sentence", about)),
                    count => {
                        return Err(Refusal::Ambiguous {
                            text: about.to_owned(),
                            count,
                            within: "the document".to_owned(),
                            contexts: sentences.iter().take(MOST_NAMED).map(|text| excerpt(text)).collect(),
                        });
                    }
                }
            }
        };
        if let Some((_, at)) = doubts.iter().find(|(doubtful, _)| *doubtful == text) {
            return Err(unsure(at));
        }
        let looked = matching(Looked { case: true, whole: false });
        Ok(Mention { text, which: Which::Only, matching: looked })
    }

    /// Where the old words stand with what they are called: in one paragraph, or under a heading that says it.
    pub(super) fn amended(&self, what: &str, was: &str, around: Option<&Meant>) -> Result<Amended, Refusal> {
        let crossed = [" of ", " for "].iter().find_map(|between| what.split_once(between));
        let cell = match crossed {
            Some((column, row)) => self.labelled(Some(row.trim_start_matches("the ")), column),
            None => self.labelled(None, what),
        };
        match cell {
            _ if around.is_some() => {}
            Ok(Meant::Cell(table, row, column)) => {
                let texts = self.cell_texts(&table)?;
                let text = texts.get(row).and_then(|cells| cells.get(column)).cloned().or_empty();
                return match same_name(&text, was) {
                    true => Ok(Amended::Cell(table, row, column)),
                    false => Err(Refusal::NotFound {
                        what: "text",
                        id: was.to_owned(),
                        nearest: vec![format!("the {what} is \"{}\"", excerpt(&text))],
                    }),
                };
            }
            Err(refusal @ Refusal::Ambiguous { .. }) => return Err(refusal),
            _ => {}
        }
        let mention = Mention { text: was.to_owned(), which: Which::All, matching: Default::default() };
        let mut hits = self.matches(&mention, around, &[])?;
        // In a place that was named, the only such words are meant, whatever they are called.
        if around.is_some() && hits.len() == 1 {
            return Ok(Amended::Text(hits.swap_remove(0).0));
        }
        let body = self.body();
        let mut kept = Vec::new();
        for (span, text) in hits.drain(..) {
            let Some(at) = self.place_at(&span).and_then(|place| body.iter().position(|own| *own == place))
            else {
                continue;
            };
            let place = body.get(at).copied();
            let own = place.map(|place| self.text(place)).transpose()?.unwrap_or_default();
            let heading = self.heading_above(&body, at)?.unwrap_or_default();
            let around = format!("{} {heading}", own.replace(&text, " "));
            if what.split_whitespace().all(|word| says_word(&around, word)) {
                kept.push((span, text));
            }
        }
        let named = format!("{was}, where it speaks of {what}");
        match kept.len() {
            0 => Err(Refusal::not_found("text", named)),
            1 => Ok(Amended::Text(kept.swap_remove(0).0)),
            count => Err(Refusal::Ambiguous {
                text: named,
                count,
                within: "the document".to_owned(),
                contexts: kept.iter().take(MOST_NAMED).map(|(span, _)| self.context(span)).collect(),
            }),
        }
    }

    /// The comment that is meant: by its author, by the words that it is about, or the only one.
    pub(super) fn comment(&self, which: &CommentPick) -> Result<Comment, Refusal> {
        let threads = self.view.threads()?;
        let top = |comment: &Comment| {
            threads.get(&comment.id).is_none_or(|thread: &Thread| thread.parent.is_none())
        };
        let mut comments: Vec<Comment> = self.view.comments()?.into_iter().filter(top).collect();
        match which {
            CommentPick::By(name) => {
                let author =
                    super::review::known_author(name, comments.iter().map(|one| one.author.as_str()))?;
                comments.retain(|comment| comment.author == author);
            }
            CommentPick::On(text) => {
                let looked = Looked { case: false, whole: true };
                comments.retain(|comment| {
                    threads
                        .get(&comment.id)
                        .is_some_and(|thread| !rule::places(&thread.quote, text, looked).is_empty())
                });
            }
            CommentPick::Only => {}
        }
        match comments.len() {
            1 => Ok(comments.swap_remove(0)),
            0 => Err(Refusal::not_found("comment", "what was said of it")),
            count => Err(Refusal::Ambiguous {
                text: "the comment".to_owned(),
                count,
                within: "the document".to_owned(),
                contexts: comments
                    .iter()
                    .take(MOST_NAMED)
                    .map(|comment| format!("{}: {}", comment.author, excerpt(&comment.text)))
                    .collect(),
            }),
        }
    }
}

/// Where words were found that are to change.
pub(super) enum Amended {
    Cell(Table, usize, usize),
    Text(Span),
}

/// A step whose sentence is named by what it says instead of by its place.
pub(super) fn plain(ground: &Ground<'_>, step: &WordStep) -> Result<WordStep, Refusal> {
    let mut step = step.clone();
    let target = match &mut step.act {
        WordAct::Format { target, .. }
        | WordAct::SetText { target, .. }
        | WordAct::Delete { target }
        | WordAct::Comment { target, .. }
        | WordAct::Insert { target, .. }
        | WordAct::Footnote { after: target, .. } => target,
        _ => return Ok(step),
    };
    let (pick, about, outer) = match target {
        Target::Sentence { pick, about } => (*pick, about.clone(), None),
        Target::Inside(inner, outer) => match &**inner {
            Target::Sentence { pick, about } => (*pick, about.clone(), Some((**outer).clone())),
            _ => return Ok(step),
        },
        _ => return Ok(step),
    };
    let places = match &outer {
        Some(outer) => ground.paragraphs(&ground.find(outer, &step.within)?)?,
        None => match ground.around(&step.within)? {
            Some(meant) => ground.paragraphs(&meant)?,
            None => ground.prose(&ground.body())?,
        },
    };
    // A title and a heading are no sentences.
    let title = ground.title().ok();
    let text = |place: &Place| Some(*place) != title && ground.view.heading_level(*place).is_none();
    let bodies: Vec<Place> = places.iter().copied().filter(text).collect();
    let places = if bodies.is_empty() { places } else { bodies };
    *target = Target::Text(ground.sentence(pick, about.as_deref(), &places)?);
    step.within.clear();
    Ok(step)
}

/// Row and column where a row begins with the one label and the header row has the other.
fn crossed(texts: &[Vec<String>], row: &str, column: &str) -> Option<(usize, usize)> {
    let header = texts.first()?;
    let mut columns = header.iter().enumerate().skip(1).filter(|(_, text)| same_label(text, column));
    let mut rows = texts.iter().enumerate().skip(1);
    let first = |cells: &[String]| cells.first().is_some_and(|text| same_label(text, row));
    let mut rows = rows.by_ref().filter(|(_, cells)| first(cells));
    match (rows.next(), rows.next(), columns.next(), columns.next()) {
        (Some((row, _)), None, Some((column, _)), None) => Some((row, column)),
        _ => None,
    }
}

/// The same words, one or many of the thing.
fn same_label(text: &str, name: &str) -> bool {
    let one = |text: &str| text.trim().trim_end_matches(':').to_lowercase().trim_end_matches('s').to_owned();
    same_name(text, name) || !name.trim().is_empty() && one(text) == one(name)
}

/// Whether a text has a word, in one of its usual forms: price, prices, priced.
fn says_word(text: &str, word: &str) -> bool {
    let stem = |word: &str| {
        let word = word.to_lowercase();
        let end = word.char_indices().nth(4).map_or(word.len(), |(at, _)| at);
        match word.strip_suffix('s') {
            Some(one) if one.len() >= 3 => one.to_owned(),
            _ if word.len() < 4 => word.get(..end).unwrap_or(&word).to_owned(),
            _ => word,
        }
    };
    let wanted = stem(word);
    text.split(|c: char| !c.is_alphanumeric()).any(|part| !part.is_empty() && stem(part) == wanted)
}
