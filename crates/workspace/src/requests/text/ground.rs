//! Places of a Word document as people name them: "clause 2", "the title", "the second row of the first table".
//!
//! A place that fits nothing is refused with what there is, and one that fits several things with all of them.

use edit::{Cut, PartName, Refusal};
use planner::{Line, Mention, Pick, Target, Which};
use word::op::{self, Op, Places, Scope, Search, Span};
use word::{Place, Side, Table, View};

use crate::requests::rule;

/// Places that a refusal names.
const MOST_NAMED: usize = 10;
/// Matches that one step changes.
pub(super) const MOST_MATCHES: usize = 5_000;

/// What a place is.
#[derive(Debug, Clone)]
pub(super) enum Meant {
    /// Paragraphs of the body, in order.
    Paragraphs(Vec<Place>),
    Table(Table),
    Rows(Table, Vec<usize>),
    Columns(Table, Vec<usize>),
    /// Row and column of the grid.
    Cell(Table, usize, usize),
    /// Bytes: the selection, a range, matches of a text.
    Spans(Vec<Span>),
}

/// What names are looked up in.
pub(super) struct Ground<'a> {
    pub(super) view: &'a View,
    pub(super) selection: Option<Span>,
    /// Ranges that have ids.
    pub(super) ranges: Places,
}

impl Ground<'_> {
    /// A place inside others, which stand from the innermost out.
    pub(super) fn find(&self, target: &Target, within: &[Target]) -> Result<Meant, Refusal> {
        let mut around: Option<Meant> = None;
        for outer in within.iter().rev() {
            around = Some(self.inside(outer, around.as_ref())?);
        }
        self.inside(target, around.as_ref())
    }

    /// What places around a step come to; `None` where there are none, which is the whole body.
    pub(super) fn around(&self, within: &[Target]) -> Result<Option<Meant>, Refusal> {
        match within.split_first() {
            None => Ok(None),
            Some((inner, outer)) => self.find(inner, outer).map(Some),
        }
    }

    pub(super) fn body(&self) -> Vec<Place> {
        self.view.body().collect()
    }

    pub(super) fn text(&self, place: Place) -> Result<String, Refusal> {
        Ok(self.view.paragraph(place)?.text(Side::Final).text)
    }

    /// The paragraphs of a place.
    pub(super) fn paragraphs(&self, meant: &Meant) -> Result<Vec<Place>, Refusal> {
        let in_table = |table: &Table, wanted: &dyn Fn(usize, usize) -> bool| -> Vec<Place> {
            let cells = |place: &Place| {
                self.view.cell_of(*place, table).is_some_and(|(row, at)| {
                    let column =
                        table.rows.get(row).and_then(|row| row.cells.get(at)).map_or(at, |cell| cell.column);
                    wanted(row, column)
                })
            };
            self.body().into_iter().filter(cells).collect()
        };
        Ok(match meant {
            Meant::Paragraphs(places) => places.clone(),
            Meant::Table(table) => in_table(table, &|_, _| true),
            Meant::Rows(table, rows) => in_table(table, &|row, _| rows.contains(&row)),
            Meant::Columns(table, columns) => in_table(table, &|_, column| columns.contains(&column)),
            Meant::Cell(table, row, column) => in_table(table, &|r, c| (r, c) == (*row, *column)),
            Meant::Spans(spans) => {
                let touched = |place: &Place| {
                    let own = self.view.span(*place);
                    let part = self.view.part_of(*place).map(|part| part.as_str().to_owned());
                    spans.iter().any(|span| {
                        Some(&span.part) == part.as_ref()
                            && span.start < own.end
                            && own.start < span.end.max(span.start + 1)
                    })
                };
                self.view.places().filter(touched).collect()
            }
        })
    }

    /// The bytes of a place; neighbouring paragraphs are one stretch.
    pub(super) fn spans(&self, meant: &Meant) -> Result<Vec<Span>, Refusal> {
        match meant {
            Meant::Spans(spans) => Ok(spans.clone()),
            _ => Ok(self.stretches(&self.paragraphs(meant)?)),
        }
    }

    pub(super) fn stretches(&self, places: &[Place]) -> Vec<Span> {
        let body = self.body();
        let at = |place: &Place| body.iter().position(|known| known == place);
        let mut spans: Vec<(Option<usize>, Span)> = Vec::new();
        for place in places {
            let Some(part) = self.view.part_of(*place) else { continue };
            let span = Span::new(part, self.view.span(*place));
            let here = at(place);
            match spans.last_mut() {
                Some((Some(last), open))
                    if here == Some(*last + 1) && open.part == span.part && open.end <= span.start =>
                {
                    open.end = span.end;
                    *last += 1;
                }
                _ => spans.push((here, span)),
            }
        }
        spans.into_iter().map(|(_, span)| span).collect()
    }

    /// Where a text that is to change stands: by the one rule for that, unless the request says how to match.
    pub(super) fn matches(
        &self,
        mention: &Mention,
        around: Option<&Meant>,
        except: &[Place],
    ) -> Result<Vec<(Span, String)>, Refusal> {
        if mention.matching != Default::default() {
            return self.mentions(mention, around, except);
        }
        Ok(self.ruled(mention, around, except)?.kept)
    }

    /// The same with how many other places there are.
    pub(super) fn ruled(
        &self,
        mention: &Mention,
        around: Option<&Meant>,
        except: &[Place],
    ) -> Result<rule::Hits<(Span, String)>, Refusal> {
        rule::hits(&mention.text, |looked| {
            let matching = matching(looked);
            let mut found = self.mentions(&Mention { matching, ..mention.clone() }, around, except)?;
            if looked.whole {
                found.retain(|(span, text)| self.stands_alone(span, text));
            }
            Ok(found)
        })
    }

    /// Whether a match is no part of a longer word or number, by what stands around it in its paragraph.
    fn stands_alone(&self, span: &Span, text: &str) -> bool {
        let Some(place) = self.place_at(span) else { return true };
        let own = self.view.span(place);
        let Some(part) = self.view.part_of(place) else { return true };
        // What cannot be read beside it says nothing against it.
        let read = |range: std::ops::Range<usize>| match range.is_empty() {
            true => String::new(),
            false => op::text_of(self.view, &Span::new(part, range)).unwrap_or_else(|_| String::new()),
        };
        let (before, after) = (read(own.start..span.start), read(span.end..own.end));
        let at = before.len();
        rule::stands_alone(&format!("{before}{text}{after}"), &(at..at + text.len()))
    }

    /// Where a text stands inside places, and around none of the others.
    pub(super) fn mentions(
        &self,
        mention: &Mention,
        around: Option<&Meant>,
        except: &[Place],
    ) -> Result<Vec<(Span, String)>, Refusal> {
        let spans = match around {
            Some(meant) => self.spans(meant)?,
            None => Vec::new(),
        };
        let search = |scope: Scope, places: &Places| -> Result<Vec<(Span, String)>, Refusal> {
            let search = Search {
                query: mention.text.clone(),
                scope,
                matching: mention.matching,
                max_results: MOST_MATCHES,
            };
            match op::read(self.view, &Op::Search(search), places) {
                Some(Ok((op::Answer::Found { results }, _))) => {
                    Ok(results.into_iter().map(|hit| (hit.range, hit.text)).collect())
                }
                Some(Err(refusal)) => Err(refusal),
                _ => Err(Refusal::internal("a search without an answer")),
            }
        };
        let mut hits = Vec::new();
        match around {
            None => hits = search(Scope::Document, &Places::default())?,
            Some(_) => {
                for span in spans {
                    let mut places = Places::default();
                    places.named.insert("here".to_owned(), span);
                    hits.extend(search(Scope::Range("here".to_owned()), &places)?);
                }
            }
        }
        let excluded: Vec<(String, std::ops::Range<usize>)> = except
            .iter()
            .filter_map(|place| {
                Some((self.view.part_of(*place)?.as_str().to_owned(), self.view.span(*place)))
            })
            .collect();
        hits.retain(|(span, _)| {
            !excluded
                .iter()
                .any(|(part, own)| *part == span.part && own.start <= span.start && span.end <= own.end)
        });
        Ok(hits)
    }

    /// Those of the matches that a mention means.
    pub(super) fn chosen(
        &self,
        mention: &Mention,
        mut hits: Vec<(Span, String)>,
    ) -> Result<Vec<(Span, String)>, Refusal> {
        let count = hits.len();
        if count == 0 {
            return Err(Refusal::not_found("text", mention.text.as_str()));
        }
        let short = |count: usize| Refusal::NotFound {
            what: "occurrence",
            id: mention.to_string(),
            nearest: vec![format!("it occurs {count} times")],
        };
        match mention.which {
            Which::All => Ok(hits),
            Which::Only if count == 1 => Ok(hits),
            Which::Only => {
                let contexts = hits.iter().take(MOST_NAMED).map(|(span, _)| self.context(span)).collect();
                Err(Refusal::Ambiguous {
                    text: mention.text.clone(),
                    count,
                    within: "the document".to_owned(),
                    contexts,
                })
            }
            Which::Nth(index) if index < count => Ok(vec![hits.swap_remove(index)]),
            Which::Nth(_) => Err(short(count)),
            Which::Last => hits.pop().map(|last| vec![last]).ok_or_else(|| short(count)),
        }
    }

    /// The start of the paragraph that holds these bytes.
    pub(super) fn context(&self, span: &Span) -> String {
        let place = self.place_at(span);
        place.and_then(|place| self.text(place).ok()).map_or_else(String::new, |text| excerpt(&text))
    }

    pub(super) fn place_at(&self, span: &Span) -> Option<Place> {
        self.view.place_at(&PartName::new(span.part.as_str()), span.start)
    }

    fn inside(&self, target: &Target, around: Option<&Meant>) -> Result<Meant, Refusal> {
        let ground = match around {
            Some(meant) => self.paragraphs(meant)?,
            None => self.body(),
        };
        Ok(match target {
            Target::Document => Meant::Paragraphs(ground),
            Target::Inside(inner, outer) => {
                let outer = self.inside(outer, around)?;
                return self.inside(inner, Some(&outer));
            }
            Target::From(target) => self.onwards(target, around, ground)?,
            Target::Selection | Target::It | Target::Implied => match &self.selection {
                Some(span) => Meant::Spans(vec![span.clone()]),
                None => return Err(no_selection()),
            },
            Target::Range(id) | Target::TableId(id) => self.with_id(target, id)?,
            Target::Title => Meant::Paragraphs(vec![self.title()?]),
            Target::Headings => {
                let headings = self.headings(&ground);
                if headings.is_empty() {
                    return Err(Refusal::not_found("paragraph", "in a heading style"));
                }
                Meant::Paragraphs(headings)
            }
            Target::Heading(text) => Meant::Paragraphs(vec![self.heading(text, &ground)?]),
            Target::Clause(label) => Meant::Paragraphs(super::clauses::clause(self, label, &ground)?),
            Target::HeadingOf(label) => {
                let mut places = super::clauses::clause(self, label, &ground)?;
                places.truncate(1);
                Meant::Paragraphs(places)
            }
            Target::Section(name) => Meant::Paragraphs(super::clauses::section(self, name, &ground)?),
            Target::Paragraphs(picks) => self.counted(picks, &ground)?,
            Target::EveryParagraph => Meant::Paragraphs(ground),
            Target::EmptyParagraphs => self.empty(ground)?,
            Target::ParagraphWith { text, starts } => self.paragraph_with(text, *starts, ground)?,
            Target::Tables => {
                let inside: Vec<Place> = ground.into_iter().filter(|place| self.in_table(*place)).collect();
                if inside.is_empty() {
                    return Err(Refusal::not_found("table", "the document"));
                }
                Meant::Paragraphs(inside)
            }
            Target::Table(pick) => Meant::Table(self.table(*pick, around)?),
            Target::Rows(picks) => {
                let table = self.table_in(around)?;
                let rows = picks.iter().map(|pick| nth(*pick, table.rows.len(), "row"));
                let rows = rows.collect::<Result<_, _>>()?;
                Meant::Rows(table, rows)
            }
            Target::Columns(lines) => {
                let table = self.table_in(around)?;
                let columns = lines.iter().map(|line| self.column(&table, line));
                let columns = columns.collect::<Result<_, _>>()?;
                Meant::Columns(table, columns)
            }
            Target::Cell { row, column } => {
                let table = self.table_in(around)?;
                let row = nth(*row, table.rows.len(), "row")?;
                let column = self.column(&table, column)?;
                Meant::Cell(table, row, column)
            }
            Target::Item(pick) => {
                let items = super::clauses::list(self, &ground, around.is_some())?;
                let at = nth(*pick, items.len(), "list item")?;
                Meant::Paragraphs(items.get(at).copied().into_iter().collect())
            }
            Target::Labelled { row: None, column } if column == "Title" => self.titled(column)?,
            Target::Labelled { row, column } => self.labelled(row.as_deref(), column)?,
            Target::RowOf(name) => self.row_of(name, around)?,
            Target::TableNamed(name) => Meant::Table(self.table_named(name)?),
            // "The header of the table" is a row.
            Target::Running { header: true } if around.is_some() => {
                let table = self.table_in(around)?;
                Meant::Rows(table, vec![0])
            }
            Target::Running { header } => Meant::Paragraphs(self.running(*header)?),
            Target::Footnote(pick) => Meant::Paragraphs(self.footnote(*pick)?),
            Target::Sentence { .. } => {
                return Err(Refusal::Unsupported {
                    what: "a sentence by its place here".to_owned(),
                    instead: Some("quote its words".to_owned()),
                });
            }
            Target::List => Meant::Paragraphs(super::clauses::list(self, &ground, around.is_some())?),
            Target::Text(mention) => {
                let hits = self.chosen(mention, self.matches(mention, around, &[])?)?;
                Meant::Spans(hits.into_iter().map(|(span, _)| span).collect())
            }
        })
    }

    /// A place and what is behind it.
    fn onwards(&self, target: &Target, around: Option<&Meant>, ground: Vec<Place>) -> Result<Meant, Refusal> {
        let first = self.paragraphs(&self.inside(target, around)?)?;
        let from = first.first().and_then(|first| ground.iter().position(|place| place == first));
        let from = from.ok_or_else(|| Refusal::not_found("place", target.to_string()))?;
        Ok(Meant::Paragraphs(ground.into_iter().skip(from).collect()))
    }

    fn with_id(&self, target: &Target, id: &str) -> Result<Meant, Refusal> {
        let what = if matches!(target, Target::Range(_)) { "range" } else { "table" };
        let Some(span) = self.ranges.named.get(id) else {
            return Err(Refusal::not_found(what, id));
        };
        Ok(match target {
            Target::Range(_) => Meant::Spans(vec![span.clone()]),
            _ => {
                let holds = |table: &Table| {
                    table.part.as_str() == span.part
                        && table.span.start <= span.start
                        && span.end <= table.span.end
                };
                let mut tables: Vec<Table> = self.view.tables().filter(holds).collect();
                Meant::Table(tables.pop().ok_or_else(|| Refusal::not_found("table", id))?)
            }
        })
    }

    fn counted(&self, picks: &[Pick], ground: &[Place]) -> Result<Meant, Refusal> {
        let prose = self.prose(ground)?;
        let picked = picks.iter().map(|pick| {
            let place = match pick {
                Pick::Nth(index) => prose.get(*index),
                Pick::Last => prose.last(),
                Pick::FromEnd(index) => prose.len().checked_sub(index + 1).and_then(|at| prose.get(at)),
            };
            place.copied().ok_or_else(|| Refusal::NotFound {
                what: "paragraph",
                id: pick.to_string(),
                nearest: vec![format!("there are {} paragraphs of text there", prose.len())],
            })
        });
        let mut picked: Vec<Place> = picked.collect::<Result<_, _>>()?;
        picked.sort();
        picked.dedup();
        Ok(Meant::Paragraphs(picked))
    }

    fn empty(&self, ground: Vec<Place>) -> Result<Meant, Refusal> {
        let mut empty = Vec::new();
        for place in ground {
            let paragraph = self.view.paragraph(place)?;
            let nothing = paragraph.atoms.is_empty() && !self.view.resolved(place).props.section;
            if nothing && !self.in_table(place) {
                empty.push(place);
            }
        }
        if empty.is_empty() {
            return Err(Refusal::not_found("empty paragraph", "the document"));
        }
        Ok(Meant::Paragraphs(empty))
    }

    fn paragraph_with(&self, text: &str, starts: bool, ground: Vec<Place>) -> Result<Meant, Refusal> {
        let mut found = Vec::new();
        for place in ground {
            let own = self.text(place)?.to_lowercase();
            let wanted = text.to_lowercase();
            let fits =
                if starts { own.trim_start().starts_with(wanted.trim()) } else { own.contains(&wanted) };
            if fits {
                found.push(place);
            }
        }
        Ok(Meant::Paragraphs(vec![self.only(found, "paragraph", text)?]))
    }

    pub(super) fn only(&self, found: Vec<Place>, what: &'static str, name: &str) -> Result<Place, Refusal> {
        match found.as_slice() {
            [only] => Ok(*only),
            [] => Err(Refusal::NotFound { what, id: name.to_owned(), nearest: self.named_headings() }),
            several => {
                let texts =
                    several.iter().take(MOST_NAMED).map(|place| self.text(*place).map(|text| excerpt(&text)));
                Err(Refusal::Ambiguous {
                    text: name.to_owned(),
                    count: several.len(),
                    within: "the document".to_owned(),
                    contexts: texts.collect::<Result<_, _>>()?,
                })
            }
        }
    }

    pub(super) fn named_headings(&self) -> Vec<String> {
        let headings = self.headings(&self.body()).into_iter().take(MOST_NAMED);
        headings.filter_map(|place| self.text(place).ok()).map(|text| excerpt(&text)).collect()
    }

    pub(super) fn headings(&self, ground: &[Place]) -> Vec<Place> {
        ground.iter().copied().filter(|place| self.view.heading_level(*place).is_some()).collect()
    }

    fn heading(&self, name: &str, ground: &[Place]) -> Result<Place, Refusal> {
        let mut same = Vec::new();
        let mut headings = Vec::new();
        for place in ground {
            if super::clauses::same_name(&self.text(*place)?, name) {
                same.push(*place);
                if self.view.heading_level(*place).is_some() {
                    headings.push(*place);
                }
            }
        }
        self.only(if headings.is_empty() { same } else { headings }, "heading", name)
    }

    /// What a reader takes for the title: the paragraph in that style, else a first line that is no sentence.
    pub(super) fn title(&self) -> Result<Place, Refusal> {
        let body = self.body();
        if let Some(place) = body.iter().find(|place| self.view.style_name(**place) == "title") {
            return Ok(*place);
        }
        for place in body {
            let text = self.text(place)?;
            let text = text.trim();
            if text.is_empty() || self.in_table(place) {
                continue;
            }
            let heading =
                self.view.heading_level(place) == Some(1) && self.view.label(place, Side::Final).is_none();
            let line = text.chars().count() <= 120
                && !text.ends_with(['.', ';', ',', ':'])
                && self.view.label(place, Side::Final).is_none();
            if heading || line {
                return Ok(place);
            }
            break;
        }
        Err(Refusal::NotFound {
            what: "title",
            id: "the title".to_owned(),
            nearest: vec!["the first paragraph".to_owned()],
        })
    }

    /// Paragraphs as people count them: text that is no heading, no title and stands in no table.
    pub(super) fn prose(&self, ground: &[Place]) -> Result<Vec<Place>, Refusal> {
        let title = self.title().ok();
        let mut prose = Vec::new();
        for place in ground {
            let counts = Some(*place) != title
                && self.view.heading_level(*place).is_none()
                && !self.in_table(*place)
                && self.view.style_name(*place) != "subtitle"
                && !self.text(*place)?.trim().is_empty();
            if counts {
                prose.push(*place);
            }
        }
        Ok(prose)
    }

    pub(super) fn in_table(&self, place: Place) -> bool {
        self.view.enclosures(place).iter().any(|around| around.kind == word::BoxKind::Table)
    }

    /// Top tables of the body, or those inside a place.
    pub(super) fn tables(&self, around: Option<&Meant>) -> Result<Vec<Table>, Refusal> {
        let body = self.body().first().and_then(|place| self.view.part_of(*place)).cloned();
        let top = self.view.tables().filter(|table| table.depth == 0 && Some(&table.part) == body.as_ref());
        Ok(match around {
            None => top.collect(),
            Some(meant) => {
                let places = self.paragraphs(meant)?;
                let holds =
                    |table: &Table| places.iter().any(|place| self.view.cell_of(*place, table).is_some());
                top.filter(holds).collect()
            }
        })
    }

    fn table(&self, pick: Option<Pick>, around: Option<&Meant>) -> Result<Table, Refusal> {
        let mut tables = self.tables(around)?;
        let selected = self.selection.as_ref().and_then(|span| {
            tables.iter().find(|table| {
                table.span.start <= span.start
                    && span.end <= table.span.end
                    && table.part.as_str() == span.part
            })
        });
        if let (None, Some(table)) = (pick, selected) {
            return Ok(table.clone());
        }
        let count = tables.len();
        match pick {
            _ if count == 0 => Err(Refusal::not_found("table", "the document")),
            None if count == 1 => Ok(tables.swap_remove(0)),
            None => Err(Refusal::Ambiguous {
                text: "the table".to_owned(),
                count,
                within: "the document".to_owned(),
                contexts: tables
                    .iter()
                    .take(MOST_NAMED)
                    .enumerate()
                    .map(|(index, table)| self.told(index, table))
                    .collect(),
            }),
            Some(pick) => nth(pick, count, "table").map(|index| tables.swap_remove(index)),
        }
    }

    fn told(&self, index: usize, table: &Table) -> String {
        let first = self.row_text(table, 0);
        format!("table {}: {first}", index + 1)
    }

    /// What a row says.
    pub(super) fn row_text(&self, table: &Table, row: usize) -> String {
        // Said in a list to choose from: a row that cannot be read says nothing there.
        let places = self.paragraphs(&Meant::Rows(table.clone(), vec![row])).unwrap_or_default();
        let texts: Vec<String> = places.iter().filter_map(|place| self.text(*place).ok()).collect();
        excerpt(&texts.join(" | "))
    }

    /// The table that rows and columns are counted in.
    pub(super) fn table_in(&self, around: Option<&Meant>) -> Result<Table, Refusal> {
        match around {
            Some(
                Meant::Table(table)
                | Meant::Rows(table, _)
                | Meant::Columns(table, _)
                | Meant::Cell(table, ..),
            ) => Ok(table.clone()),
            around => self.table(None, around),
        }
    }

    pub(super) fn column(&self, table: &Table, line: &Line) -> Result<usize, Refusal> {
        match line {
            Line::At(pick) => nth(*pick, table.columns, "column"),
            Line::Named(name) => {
                let mut found = Vec::new();
                let mut names = Vec::new();
                for column in 0..table.columns {
                    let places = self.paragraphs(&Meant::Cell(table.clone(), 0, column))?;
                    let text: String = places
                        .iter()
                        .filter_map(|place| self.text(*place).ok())
                        .collect::<Vec<_>>()
                        .join(" ");
                    if super::clauses::same_name(&text, name) {
                        found.push(column);
                    }
                    names.push(text);
                }
                match found.as_slice() {
                    [only] => Ok(*only),
                    [] => Err(Refusal::NotFound { what: "column", id: name.clone(), nearest: names }),
                    several => Err(Refusal::Ambiguous {
                        text: name.clone(),
                        count: several.len(),
                        within: "the header row".to_owned(),
                        contexts: names,
                    }),
                }
            }
        }
    }
}

/// The rule's way to look, as the operations say it.
pub(super) fn matching(looked: rule::Looked) -> op::Matching {
    op::Matching { case: looked.case, whole_word: looked.whole, ..Default::default() }
}

pub(super) fn nth(pick: Pick, count: usize, what: &'static str) -> Result<usize, Refusal> {
    let index = match pick {
        Pick::Nth(index) => index,
        Pick::Last => count.wrapping_sub(1),
        Pick::FromEnd(index) => count.wrapping_sub(index + 1),
    };
    match index < count {
        true => Ok(index),
        false => {
            Err(Refusal::NotFound { what, id: pick.to_string(), nearest: vec![format!("there are {count}")] })
        }
    }
}

pub(super) fn no_selection() -> Refusal {
    Refusal::Unsupported {
        what: "a request about what is selected, where nothing is,".to_owned(),
        instead: Some(
            "say what is meant: the title, the second paragraph, clause 2, the heading 'Scope', 'some text', or the whole document"
                .to_owned(),
        ),
    }
}

pub(super) fn excerpt(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(80) {
        Some((at, _)) => format!("{}…", line.part(..at)),
        None => line,
    }
}
