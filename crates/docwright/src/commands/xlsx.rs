//! `docwright xlsx`: Excel workbooks.

mod arrange;
mod exec;
mod lint;
mod objects;
mod render;

use std::ffi::OsStr;
use std::path::Path;

use mcp::workbook;
use serde::Serialize;
use serde_json::{Value as Json, json};
use workspace::sheet::{
    self, Area, Cell, CellChange, Edit, Input, Locale, RichRun, Sheet, SheetView, Value, Verification, View,
};
use workspace::targets::{self, Region};
use workspace::{Clock as _, Context, Kind, Refusal, SystemClock};

use crate::cli::Destined;
use crate::cli::xlsx::{Table, Xlsx, XlsxCalc, XlsxCheck, XlsxEdit, XlsxNew, XlsxRead, XlsxSave, XlsxSet};
use crate::old;
use crate::one_file::{LANGUAGE, OneFile};
use crate::report::{self, Failure, Verdict};

pub(crate) fn run(command: &Xlsx, json: bool) -> Result<Verdict, Failure> {
    let language = match command {
        Xlsx::Read(arguments) => Some(&arguments.language),
        Xlsx::Set(arguments) => Some(&arguments.language),
        Xlsx::Edit(arguments) => Some(&arguments.language),
        Xlsx::Calc(arguments) => Some(&arguments.language),
        _ => None,
    };
    if let Some(tag) = language.and_then(|language| language.locale.as_deref()) {
        let Some(locale) = Locale::of(tag) else {
            let known: Vec<&str> = Locale::all().map(Locale::tag).collect();
            return Err(Failure::new(
                "INVALID_ARGUMENT",
                format!("--locale: `{tag}` is not a known language"),
            )
            .with_hint(format!("known are {}", known.join(", "))));
        };
        LANGUAGE.get_or_init(|| locale.tag().to_owned());
    }
    match command {
        Xlsx::Read(arguments) => read(arguments, json),
        Xlsx::Objects(arguments) => objects::run(arguments, json),
        Xlsx::Set(arguments) => set(arguments, json),
        Xlsx::Edit(arguments) => edit(arguments, json),
        Xlsx::Sort(arguments) => arrange::sort(arguments, json),
        Xlsx::Autofit(arguments) => arrange::autofit(arguments, json),
        Xlsx::Exec(arguments) => exec::run(arguments, json),
        Xlsx::Calc(arguments) => calc(arguments, json),
        Xlsx::Check(arguments) => check(arguments, json),
        Xlsx::Lint(arguments) => lint::run(arguments, json),
        Xlsx::Save(arguments) => save(arguments, json),
        Xlsx::Render(arguments) => render::run(arguments, json),
        Xlsx::New(arguments) => new(arguments, json),
    }
}

/// A workbook that is only read, which may be an old one; that lies in a folder of its own while it is needed.
struct Reading {
    desk: OneFile,
    _folder: Option<tempfile::TempDir>,
}

fn open_to_read(file: &Path) -> Result<Reading, Failure> {
    let Some(old) = old::read(file)? else {
        return Ok(Reading { desk: open(file, None, "reader")?, _folder: None });
    };
    let disk = |error: std::io::Error| Failure::new("DISK_ERROR", error.to_string());
    let folder = tempfile::tempdir().map_err(disk)?;
    let stem = file.file_stem().unwrap_or(OsStr::new("")).to_string_lossy();
    let path = folder.path().join(format!("{stem}.xlsx"));
    std::fs::write(&path, &old.file).map_err(disk)?;
    Ok(Reading { desk: open(&path, None, "reader")?, _folder: Some(folder) })
}

fn open(file: &Path, output: Option<&Path>, author: &str) -> Result<OneFile, Failure> {
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xls"))
        && std::fs::read(file).is_ok_and(|bytes| sheet::is_old(&bytes))
    {
        let shown = file.display();
        return Err(Failure::new(
            "UNSUPPORTED",
            format!("{shown} is an old binary workbook (.xls), which can only be read"),
        )
        .with_hint(format!(
            "`docwright xlsx save {shown} -o {}` makes an .xlsx of it",
            file.with_extension("xlsx").display()
        )));
    }
    let desk = OneFile::open(file, &output.into_iter().collect::<Vec<_>>(), author)?;
    match desk.workspace.status(desk.document)?.kind {
        Kind::Sheet => Ok(desk),
        kind => Err(Failure::new("WRONG_FORMAT", format!("{} is a {kind} document", file.display()))
            .with_hint("`docwright xlsx` takes .xlsx and .xlsm files")),
    }
}

#[derive(Debug, Serialize)]
struct Cells {
    sheet: String,
    range: Option<String>,
    cells: Vec<Json>,
}

fn read(arguments: &XlsxRead, json: bool) -> Result<Verdict, Failure> {
    let reading = open_to_read(&arguments.file)?;
    let desk = &reading.desk;
    let format = if json { Table::Json } else { arguments.format };
    let text = desk.read::<Sheet, _>(|view| -> Result<String, Refusal> {
        let Some(range) = &arguments.range else { return overview(view, format) };
        let (worksheet, area) = match targets::region(view, range)? {
            Region::Sheet(name) => {
                let worksheet = view.sheet(&name)?;
                let Some(extent) = worksheet.extent()? else { return Ok(String::new()) };
                (worksheet, extent)
            }
            Region::Cells(cells) => (view.sheet(&cells.sheet)?, cells.area),
        };
        let cx = Context::new("reader".to_owned(), SystemClock.now(), 0);
        let valued = view.readable([(worksheet.position, area)], &cx)?;
        let view = &*valued;
        let worksheet = view.sheet_at(worksheet.position)?;
        let found = worksheet.cells(area)?;
        match format {
            Table::Tsv => tsv(view, area, &found),
            Table::Csv => csv(view, area, &found),
            Table::Json => {
                let cells =
                    found.iter().map(|cell| cell_json(view, &worksheet, cell)).collect::<Result<_, _>>()?;
                let cells =
                    Cells { sheet: worksheet.name().to_owned(), range: Some(area.to_string()), cells };
                Ok(serde_json::to_string(&cells).expect("cells are JSON"))
            }
        }
    })??;
    report::print(&text)?;
    Ok(Verdict::Done)
}

/// The sheets of the workbook and how far they reach.
fn overview(view: &View, format: Table) -> Result<String, Refusal> {
    let mut sheets = Vec::new();
    for sheet in view.worksheets() {
        let sheet = sheet?;
        sheets.push((sheet.name().to_owned(), sheet.extent()?.map(|area| area.to_string())));
    }
    Ok(match format {
        Table::Json => {
            let sheets: Vec<Json> =
                sheets.iter().map(|(name, range)| json!({ "name": name, "range": range })).collect();
            json!({ "sheets": sheets, "properties": properties(view)? }).to_string()
        }
        Table::Tsv => sheets
            .iter()
            .map(|(name, range)| format!("{name}\t{}\n", range.as_deref().unwrap_or("empty")))
            .collect(),
        Table::Csv => sheets
            .iter()
            .map(|(name, range)| format!("{},{}\r\n", csv_field(name), range.as_deref().unwrap_or("empty")))
            .collect(),
    })
}

/// What the workbook says of itself, as `set_workbook` sets it.
fn properties(view: &View) -> Result<Json, Refusal> {
    let calculation = &view.workbook().calculation;
    let mut said = json!(view.properties()?);
    said["calculation"] = json!(view.calculation_mode());
    said["iterate"] = json!(calculation.iterate);
    said["iterations"] = json!(calculation.iterations);
    said["delta"] = json!(calculation.delta);
    said["date_1904"] = json!(view.workbook().from_1904());
    Ok(said)
}

fn tsv(view: &View, area: Area, cells: &[Cell]) -> Result<String, Refusal> {
    table(view, area, cells, ("\t", "\n"), &|text| text.replace(['\t', '\n', '\r'], " "))
}

/// As RFC 4180 has it.
fn csv(view: &View, area: Area, cells: &[Cell]) -> Result<String, Refusal> {
    table(view, area, cells, (",", "\r\n"), &csv_field)
}

fn csv_field(text: &str) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// What a cell shows, in the language that was asked for.
fn in_language(view: &View, cell: &Cell) -> Result<String, Refusal> {
    match LANGUAGE.get().and_then(|tag| Locale::of(tag)) {
        Some(locale) => view.text_in(&cell.value, cell.style, locale),
        None => view.text(&cell.value, cell.style),
    }
}

/// Cells as they are shown, row by row, up to the last that is there.
fn table(
    view: &View,
    area: Area,
    cells: &[Cell],
    (between, end): (&str, &str),
    field: &dyn Fn(&str) -> String,
) -> Result<String, Refusal> {
    let mut text = String::new();
    let mut found = cells.iter().peekable();
    for row in area.top..=area.bottom {
        let mut line = Vec::new();
        while let Some(cell) = found.next_if(|cell| cell.at.row == row) {
            let column = (cell.at.col - area.left) as usize;
            line.resize(column.max(line.len()), String::new());
            line.push(field(&in_language(view, cell)?));
        }
        text.push_str(&line.join(between));
        text.push_str(end);
        if found.peek().is_none() {
            break;
        }
    }
    Ok(text)
}

fn cell_json(view: &View, worksheet: &SheetView<'_>, cell: &Cell) -> Result<Json, Refusal> {
    let value = match &cell.value {
        Value::Number(number) => json!(number),
        Value::Bool(value) => json!(value),
        Value::Text(text) => json!(&**text),
        _ => Json::Null,
    };
    let mut shown =
        json!({ "address": cell.at.to_string(), "value": value, "text": in_language(view, cell)? });
    if let Some(formula) = &cell.formula {
        shown["formula"] = json!(format!("={}", formula.shown()));
    } else if let Value::Text(_) = cell.value
        && let Some(runs) = worksheet.rich_text(cell.at)?
    {
        shown["runs"] = runs.iter().map(piece).collect();
    }
    Ok(shown)
}

/// A piece of a text; one without a font looks as the cell does.
fn piece(run: &RichRun) -> Json {
    let mut shown = json!({ "text": run.text });
    if let Some(font) = &run.font {
        shown["font"] = json!(font);
    }
    shown
}

#[derive(Debug, Serialize)]
struct Edited {
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
    revision: String,
    parts: Vec<String>,
    /// What each edit wrote.
    touched: Vec<sheet::Outcome>,
    notes: Vec<String>,
}

fn edit(arguments: &XlsxEdit, json: bool) -> Result<Verdict, Failure> {
    let text = match arguments.edits.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| Failure::new("DISK_ERROR", format!("{path}: {error}")))?,
        None => arguments.edits.clone(),
    };
    let written: Json = serde_json::from_str(&text).map_err(|error| {
        Failure::new("INVALID_ARGUMENT", format!("--edits: this is not JSON: {error}"))
            .with_hint("quote it as a whole, or put it into a file and name that as @FILE")
    })?;
    let written = workbook::read(written).map_err(|error| Failure::from(error).prefixed("--edits: "))?;
    let desk = open(&arguments.file, arguments.into.output.as_deref(), &arguments.into.author())?;
    let edits = desk.read::<Sheet, _>(|view| workbook::resolved(view, written))??;
    make(&desk, edits, &arguments.into, json)
}

/// Makes edits and tells what came of them.
fn make(desk: &OneFile, edits: Vec<Edit>, into: &Destined, json: bool) -> Result<Verdict, Failure> {
    let (outcome, saved) = desk.edit::<Sheet>(edits, &into.destination())?;
    let mut parts: Vec<String> = outcome.changes.iter().map(|change| change.part.to_string()).collect();
    parts.dedup();
    let edited = Edited {
        summary: outcome.summary(),
        saved: saved.map(|saved| saved.path.display().to_string()),
        revision: outcome.revision.to_string(),
        parts,
        notes: outcome.notes.iter().map(|note| note.text.clone()).collect(),
        touched: outcome.outcomes,
    };
    report::answer(json, &edited, |edited| {
        let ending = report::ending(&edited.notes, edited.saved.as_deref());
        let told = workbook::told(&edited.touched);
        format!("{}\n{told}parts: {}\n{ending}", edited.summary, edited.parts.join(", "))
    })?;
    Ok(Verdict::Done)
}

#[derive(Debug, Serialize)]
struct Set {
    cell: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
    revision: String,
    parts: Vec<String>,
    summary: String,
    /// What the cell shows now.
    value: String,
    /// What else changed, and new errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    calculated: Option<sheet::Calculated>,
    notes: Vec<String>,
}

fn set(arguments: &XlsxSet, json: bool) -> Result<Verdict, Failure> {
    let desk = open(&arguments.file, arguments.into.output.as_deref(), &arguments.into.author())?;
    let address = targets::address(&arguments.cell);
    let meant = desk.read::<Sheet, _>(|view| targets::cells(view, &address))??;
    if !meant.area.is_cell() {
        return Err(Failure::new("INVALID_ARGUMENT", format!("`{}` is not one cell", arguments.cell))
            .with_hint("name a cell, such as 'Inputs!B5'"));
    }
    let (sheet, at) = (meant.sheet, meant.area.first());
    let input = match (&arguments.value, &arguments.formula) {
        (Some(value), None) => Input::Typed(value.clone()),
        (None, Some(formula)) => Input::Formula(formula.clone()),
        _ => return Err(Failure::new("USAGE", "give either --value or --formula")),
    };
    let edit = Edit::SetCells { sheet: sheet.clone(), cells: vec![CellChange { at, input }], seen: None };
    let (outcome, saved) = desk.edit::<Sheet>(vec![edit], &arguments.into.destination())?;
    let mut parts: Vec<String> = outcome.changes.iter().map(|change| change.part.to_string()).collect();
    parts.dedup();
    let told = workbook::told(&outcome.outcomes);
    let written = outcome.outcomes.iter().flat_map(|outcome| &outcome.written);
    let set = Set {
        value: written.map(|cell| cell.value.clone()).next().unwrap_or_default(),
        calculated: outcome.outcomes.iter().find_map(|outcome| outcome.calculated.clone()),
        cell: format!("{sheet}!{at}"),
        saved: saved.map(|saved| saved.path.display().to_string()),
        revision: outcome.revision.to_string(),
        parts,
        summary: outcome.summary(),
        notes: outcome.notes.iter().map(|note| note.text.clone()).collect(),
    };
    report::answer(json, &set, |set| {
        let ending = report::ending(&set.notes, set.saved.as_deref());
        format!("{}\n{told}parts: {}\n{ending}", set.summary, set.parts.join(", "))
    })?;
    Ok(Verdict::Done)
}

#[derive(Debug, Serialize)]
struct Verified {
    #[serde(flatten)]
    found: Verification,
    millis: u128,
}

/// Calculate everything: compare with the values in the file, or write them.
fn calc(arguments: &XlsxCalc, json: bool) -> Result<Verdict, Failure> {
    if !arguments.verify {
        let desk = open(&arguments.file, arguments.into.output.as_deref(), &arguments.into.author())?;
        let (outcome, saved) = desk.edit::<Sheet>(vec![Edit::Calculate], &arguments.into.destination())?;
        let notes: Vec<String> = outcome.notes.iter().map(|note| note.text.clone()).collect();
        let saved = saved.map(|saved| saved.path.display().to_string());
        let answer = json!({ "summary": outcome.summary(), "changed": outcome.changes.len(), "notes": notes, "saved": saved });
        report::answer(json, &answer, |_| {
            format!("{}\n{}", outcome.summary(), report::ending(&notes, saved.as_deref()))
        })?;
        return Ok(Verdict::Done);
    }
    let started = std::time::Instant::now();
    let cx = Context {
        language: LANGUAGE.get().cloned(),
        ..Context::new(arguments.into.author(), SystemClock.now(), 0)
    };
    let reading = open_to_read(&arguments.file)?;
    let found = reading.desk.read::<Sheet, _>(|view| sheet::verify(view, &cx))??;
    let verified = Verified { found, millis: started.elapsed().as_millis() };
    report::answer(json, &verified, |verified| {
        let found = &verified.found;
        let mut text = format!(
            "{} formula cells: {} equal to the file, {} different, {} unanswerable, {} without a value in the file ({} ms)\n",
            found.formula_cells,
            found.equal,
            found.different.len(),
            found.unanswerable.len(),
            found.uncached,
            verified.millis
        );
        if found.locale != Locale::default().tag() {
            text.push_str(&format!("texts as in {}\n", found.locale));
        }
        for why in &found.stale {
            text.push_str(&format!("values in the file may be old: {why}\n"));
        }
        for cell in &found.different {
            text.push_str(&format!(
                "{} ={}: ours {}, in the file {}\n",
                cell.address, cell.formula, cell.ours, cell.cached
            ));
        }
        text
    })?;
    Ok(if verified.found.different.is_empty() { Verdict::Done } else { Verdict::Findings })
}

#[derive(Debug, Serialize)]
struct FileCheck {
    file: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
    problems: Vec<String>,
}

fn check(arguments: &XlsxCheck, json: bool) -> Result<Verdict, Failure> {
    let checked: Vec<FileCheck> = arguments
        .files
        .iter()
        .map(|file| {
            let name = file.display().to_string();
            match check_one(file) {
                Ok(problems) => FileCheck { file: name, ok: problems.is_empty(), error: None, problems },
                Err(error) => FileCheck { file: name, ok: false, error: Some(error), problems: Vec::new() },
            }
        })
        .collect();
    report::answer(json, &checked, |checked| {
        checked
            .iter()
            .map(|file| match &file.error {
                Some(error) => format!("{}: {}: {}\n", file.file, error.code, error.message),
                None => {
                    let problems: String =
                        file.problems.iter().map(|problem| format!("  {problem}\n")).collect();
                    format!("{}: {} problems\n{problems}", file.file, file.problems.len())
                }
            })
            .collect()
    })?;
    Ok(if checked.iter().all(|file| file.ok) { Verdict::Done } else { Verdict::Findings })
}

fn check_one(file: &Path) -> Result<Vec<String>, Failure> {
    let desk = open(file, None, "checker")?;
    let before = std::fs::read(file).map_err(|error| Failure::new("DISK_ERROR", error.to_string()))?;
    let mut problems = desk.read::<Sheet, _>(|view| {
        sheet::check(view)
            .into_iter()
            .map(|problem| format!("{}: {}", problem.place, problem.what))
            .collect::<Vec<_>>()
    })?;
    if desk.workspace.packed(desk.document)? != before {
        problems.push("saving without an edit changes bytes".to_owned());
    }
    Ok(problems)
}

/// A copy with the very bytes, or an old workbook as a new one.
fn save(arguments: &XlsxSave, json: bool) -> Result<Verdict, Failure> {
    if let Some(old) = old::read(&arguments.file)? {
        let output = &arguments.output;
        if !output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xlsx")) {
            return Err(Failure::new(
                "INVALID_ARGUMENT",
                format!("{} does not end in .xlsx", output.display()),
            )
            .with_hint("old workbooks are saved as .xlsx"));
        }
        write_new(output, &old.file)?;
        let answer = json!({ "saved": output.display().to_string(), "bytes": old.file.len(), "converted": true, "notes": old.notes });
        report::answer(json, &answer, |_| {
            let notes: String = old.notes.iter().map(|note| format!("note: {note}\n")).collect();
            format!("{notes}saved {}\n", output.display())
        })?;
        return Ok(Verdict::Done);
    }
    let desk = open(&arguments.file, Some(&arguments.output), "copier")?;
    super::save_copy(&desk, &arguments.file, &arguments.output, json)
}

/// A file that is to be made: an .xlsx that is not there yet.
fn must_be_new(file: &Path) -> Result<(), Failure> {
    if !file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xlsx")) {
        return Err(Failure::new("INVALID_ARGUMENT", format!("{} does not end in .xlsx", file.display()))
            .with_hint("name the new file with .xlsx at its end"));
    }
    if file.exists() {
        return Err(Failure::new("INVALID_ARGUMENT", format!("{} is there already", file.display()))
            .with_hint("name a file that does not exist yet"));
    }
    Ok(())
}

/// A new workbook in a folder of its own, until somebody keeps it as `target`.
fn begin_new(file: &Path, target: &Path, author: &str) -> Result<Reading, Failure> {
    must_be_new(file)?;
    let folder = tempfile::tempdir().map_err(|error| Failure::new("DISK_ERROR", error.to_string()))?;
    let path = folder.path().join("new.xlsx");
    write_new(&path, &sheet::new_workbook(&["Sheet1"]).map_err(Failure::from)?)?;
    Ok(Reading { desk: OneFile::open(&path, &[target], author)?, _folder: Some(folder) })
}

/// A workbook with empty sheets. What is there already stays.
fn new(arguments: &XlsxNew, json: bool) -> Result<Verdict, Failure> {
    let file = &arguments.file;
    must_be_new(file)?;
    let names: Vec<&str> = match arguments.sheets.is_empty() {
        true => vec!["Sheet1"],
        false => arguments.sheets.iter().map(String::as_str).collect(),
    };
    write_new(file, &sheet::new_workbook(&names).map_err(Failure::from)?)?;
    let answer = json!({ "saved": file.display().to_string(), "sheets": names });
    report::answer(json, &answer, |_| format!("saved {}\n", file.display()))?;
    Ok(Verdict::Done)
}

/// Writes a file beside its place first, so that a failure leaves nothing half-written.
fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    use std::io::Write as _;
    let disk = |error: std::io::Error| Failure::new("DISK_ERROR", format!("{}: {error}", path.display()));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(disk)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(disk)?;
    file.persist(path).map_err(|error| disk(error.error))?;
    Ok(())
}
