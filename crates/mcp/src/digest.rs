//! A document of any format at a glance: its outline, and where text stands in it.
//!
//! Prose has headings and positions, a Word document has headings and paragraphs with ids, a workbook has
//! sheets and cells. The answers have one shape, with what a format does not have left out.

use schemars::JsonSchema;
use serde::Serialize;
use workspace::targets::mark;
use workspace::{
    DocId, Kind, RevisionId, Workspace,
    markdown::{self, Case, Markdown, Prefix, sections, words},
    sheet::{self, Sheet},
    word::{self, Search, Side, Word},
};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::Prose,
    tools::{
        document_read::more,
        document_search::{Matched, matched},
    },
    wire::Window,
};

#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Digest {
    sections: Vec<Section>,
    heading_count: usize,
    paragraph_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_block_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list_item_count: Option<usize>,
    /// Of a workbook.
    #[serde(skip_serializing_if = "Option::is_none")]
    cell_count: Option<usize>,
    word_count: usize,
    char_count: usize,
    revision: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<String>,
}

/// Sections that are told at once.
const PAGE: usize = 300;

/// A heading with what belongs to it, or a sheet.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Section {
    /// Node id, paragraph id, or name of the sheet.
    pub(crate) node_id: String,
    pub(crate) level: u8,
    pub(crate) title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    /// The cells that are used.
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<String>,
    word_count: usize,
}

/// The sections of a document, and how much of what it holds.
pub(crate) fn digest(cx: &Cx<'_>, window: Option<Window>, offset: usize) -> Result<Digest, ToolError> {
    let (_, document) = cx.document(window.clone())?;
    let mut digest = match cx.workspace.status(document)?.kind {
        Kind::Word => cx.workspace.read::<Word, _>(document, of_word)??,
        Kind::Sheet => cx.workspace.read::<Sheet, _>(document, of_sheets)??,
        Kind::Markdown | Kind::Text => {
            let prose = Prose::read(cx, window)?;
            of_prose(&prose.view, prose.revision)
        }
    };
    let total = digest.sections.len();
    digest.sections.drain(..offset.min(total));
    digest.sections.truncate(PAGE);
    digest.more = more(offset, digest.sections.len(), total);
    let count = cx.workspace.count(document)?;
    (digest.word_count, digest.char_count) = (count.words, count.chars);
    digest.revision = cx.workspace.status(document)?.revision.to_string();
    Ok(digest)
}

/// The sections alone.
pub(crate) fn outline(workspace: &Workspace, document: DocId) -> Result<Vec<Section>, ToolError> {
    let digest = match workspace.status(document)?.kind {
        Kind::Word => workspace.read::<Word, _>(document, of_word)??,
        Kind::Sheet => workspace.read::<Sheet, _>(document, of_sheets)??,
        Kind::Markdown | Kind::Text => {
            let revision = workspace.status(document)?.revision;
            workspace.read::<Markdown, _>(document, |view| of_prose(view, revision))?
        }
    };
    Ok(digest.sections)
}

fn of_prose(view: &markdown::View, revision: RevisionId) -> Digest {
    let section = |section: &markdown::Section| Section {
        node_id: format!("{}@{}", section.heading, mark(revision)),
        level: section.level,
        title: section.title.clone(),
        from: Some(view.char_of_byte(section.range.start)),
        to: Some(view.char_of_byte(section.range.end)),
        line: Some(view.line_column(section.range.start).line),
        area: None,
        word_count: words(&view.slice(section.range.clone())),
    };
    Digest {
        sections: sections(view).iter().map(section).collect(),
        heading_count: view.count(Prefix::Heading),
        paragraph_count: view.count(Prefix::Paragraph),
        code_block_count: Some(view.count(Prefix::Code)),
        table_count: Some(view.count(Prefix::Table)),
        list_item_count: Some(view.count(Prefix::Item)),
        ..Digest::default()
    }
}

fn of_word(view: &word::View) -> Result<Digest, workspace::Refusal> {
    let mut digest = Digest::default();
    // The sections that are open where the reading is, outermost first.
    let mut open: Vec<usize> = Vec::new();
    for place in view.body() {
        let text = view.paragraph(place)?.text(Side::Final).text;
        if let Some(level) = view.heading_level(place) {
            open.retain(|section| digest.sections.get(*section).is_some_and(|above| above.level < level));
            open.push(digest.sections.len());
            digest.heading_count += 1;
            digest.sections.push(Section {
                node_id: view.id(place).to_string(),
                level,
                title: text.trim().to_owned(),
                from: None,
                to: None,
                line: None,
                area: None,
                word_count: 0,
            });
        } else {
            digest.paragraph_count += 1;
        }
        let count = words(&text);
        for section in &open {
            if let Some(section) = digest.sections.get_mut(*section) {
                section.word_count += count;
            }
        }
    }
    Ok(digest)
}

fn of_sheets(view: &sheet::View) -> Result<Digest, workspace::Refusal> {
    let mut digest = Digest::default();
    let mut cells = 0;
    for worksheet in view.worksheets() {
        let worksheet = worksheet?;
        let mut word_count = 0;
        let extent = worksheet.extent()?;
        if let Some(extent) = extent {
            for cell in worksheet.cells(extent)? {
                cells += 1;
                word_count += words(&view.text(&cell.value, cell.style)?);
            }
        }
        digest.sections.push(Section {
            node_id: worksheet.name().to_owned(),
            level: 1,
            title: worksheet.name().to_owned(),
            from: None,
            to: None,
            line: None,
            area: extent.map(|extent| extent.to_string()),
            word_count,
        });
    }
    digest.cell_count = Some(cells);
    Ok(digest)
}

/// A page of what is found, and how much is found in all.
pub(crate) struct MatchPage {
    pub(crate) matches: Vec<Matched>,
    pub(crate) total: usize,
    pub(crate) revision: String,
}

/// Where text stands in a document: in prose by position, in Word by paragraph, in a workbook by cell.
pub(crate) fn search(
    cx: &Cx<'_>,
    window: Option<Window>,
    query: &str,
    case: Case,
    (offset, limit): (usize, usize),
) -> Result<MatchPage, ToolError> {
    let (_, document) = cx.document(window.clone())?;
    let (matches, total) = match cx.workspace.status(document)?.kind {
        Kind::Word => {
            let search = Search {
                patterns: vec![query.to_owned()],
                match_case: case == Case::Sensitive,
                offset,
                limit,
                ..Search::default()
            };
            let hits = cx.workspace.read::<Word, _>(document, |view| view.grep(&search))??;
            let matches = hits.hits.into_iter().map(|hit| Matched {
                from: hit.start,
                to: hit.start + hit.length,
                context: format!("{}{}{}", hit.before, hit.text, hit.after),
                text: hit.text,
                node_id: Some(hit.id.to_string()),
                ..Matched::default()
            });
            (matches.collect(), hits.total)
        }
        Kind::Sheet => {
            let found = cx.workspace.read::<Sheet, _>(document, |view| in_cells(view, query, case))??;
            let total = found.len();
            (found.into_iter().skip(offset).take(limit).collect(), total)
        }
        Kind::Markdown | Kind::Text => {
            let prose = Prose::read(cx, window)?;
            let found = markdown::find(&prose.view, query, case);
            let page = found.iter().skip(offset).take(limit);
            (page.map(|found| matched(&prose, &found.range)).collect(), found.len())
        }
    };
    Ok(MatchPage { matches, total, revision: cx.workspace.status(document)?.revision.to_string() })
}

fn in_cells(view: &sheet::View, query: &str, case: Case) -> Result<Vec<Matched>, workspace::Refusal> {
    let folded = |text: &str| -> Vec<char> {
        match case {
            Case::Sensitive => text.chars().collect(),
            Case::Insensitive => text.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect(),
        }
    };
    let query = folded(query);
    let mut found = Vec::new();
    for worksheet in view.worksheets() {
        let worksheet = worksheet?;
        let Some(extent) = worksheet.extent()? else { continue };
        for cell in worksheet.cells(extent)? {
            let shown = view.text(&cell.value, cell.style)?;
            let text = folded(&shown);
            let mut from = 0;
            while let Some(rest) = text.get(from..)
                && let Some(at) = rest.windows(query.len()).position(|window| window == query)
            {
                let start = from + at;
                from = start + query.len();
                found.push(Matched {
                    from: start,
                    to: from,
                    text: shown.chars().skip(start).take(query.len()).collect(),
                    context: shown.chars().take(160).collect(),
                    node_id: Some(format!("{}!{}", worksheet.name(), cell.at)),
                    ..Matched::default()
                });
            }
        }
    }
    Ok(found)
}
