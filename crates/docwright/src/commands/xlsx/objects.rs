//! `docwright xlsx objects`: what a workbook has beside its cells.

use serde::Serialize;
use workspace::Refusal;
use workspace::sheet::{
    Area, Chart, ConditionalFormat, Drawing, FilterColumn, Frozen, Hyperlink, NoteOnCell, Page, Sheet,
    SheetView, Thread, Validation, View, Visibility,
};

use super::open_to_read;
use crate::cli::xlsx::XlsxObjects;
use crate::report::{self, Failure, Verdict};

#[derive(Debug, Serialize)]
struct Objects {
    names: Vec<Name>,
    sheets: Vec<OneSheet>,
}

#[derive(Debug, Serialize)]
struct Name {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sheet: Option<String>,
    formula: String,
}

#[derive(Debug, Serialize)]
struct OneSheet {
    name: String,
    visibility: Visibility,
    protected: bool,
    zoom: u32,
    gridlines: bool,
    frozen: Option<Frozen>,
    filter: Option<Area>,
    filter_columns: Vec<FilterColumn>,
    merges: Vec<Area>,
    tables: Vec<Table>,
    links: Vec<Hyperlink>,
    notes: Vec<NoteOnCell>,
    threads: Vec<Thread>,
    validations: Vec<Validation>,
    conditional_formats: Vec<ConditionalFormat>,
    drawings: Vec<Drawing>,
    charts: Vec<Chart>,
    page: Page,
}

#[derive(Debug, Serialize)]
struct Table {
    name: String,
    area: Area,
    columns: Vec<String>,
    header_rows: u32,
    totals_rows: u32,
    style: Option<String>,
}

pub(super) fn run(arguments: &XlsxObjects, json: bool) -> Result<Verdict, Failure> {
    let reading = open_to_read(&arguments.file)?;
    let objects = reading.desk.read::<Sheet, _>(|view| collect(view, arguments.sheet.as_deref()))??;
    report::answer(json, &objects, object_list)?;
    Ok(Verdict::Done)
}

fn collect(view: &View, only: Option<&str>) -> Result<Objects, Refusal> {
    let tabs = &view.workbook().sheets;
    let names = view.workbook().names.iter().filter(|name| !name.is_built_in()).map(|name| Name {
        name: name.name.clone(),
        sheet: name.scope.and_then(|index| tabs.get(index)).map(|tab| tab.name.clone()),
        formula: format!("={}", name.formula),
    });
    let sheets = match only {
        Some(name) => vec![one(&view.sheet(name)?)?],
        None => view.worksheets().map(|sheet| one(&sheet?)).collect::<Result<_, _>>()?,
    };
    Ok(Objects { names: names.collect(), sheets })
}

fn one(sheet: &SheetView<'_>) -> Result<OneSheet, Refusal> {
    let tables = sheet.tables()?.into_iter().map(|table| Table {
        name: table.name.clone(),
        area: table.area,
        columns: table.columns.clone(),
        header_rows: table.header_rows,
        totals_rows: table.totals_rows,
        style: table.style,
    });
    Ok(OneSheet {
        name: sheet.name().to_owned(),
        visibility: sheet.tab.visibility,
        protected: sheet.is_protected(),
        zoom: sheet.zoom(),
        gridlines: sheet.gridlines(),
        frozen: sheet.frozen(),
        filter: sheet.auto_filter(),
        filter_columns: sheet.filter_columns(),
        merges: sheet.merges(),
        tables: tables.collect(),
        links: sheet.hyperlinks()?,
        notes: sheet.notes()?,
        threads: sheet.threads()?,
        validations: sheet.validations(),
        conditional_formats: sheet.conditional_formats(),
        drawings: sheet.drawings()?,
        charts: sheet.charts()?,
        page: sheet.page(),
    })
}

fn object_list(objects: &Objects) -> String {
    let mut text = String::new();
    for name in &objects.names {
        let home = name.sheet.as_deref().map_or(String::new(), |sheet| format!(" (on {sheet})"));
        text.push_str(&format!("name {}{home} {}\n", name.name, name.formula));
    }
    for sheet in &objects.sheets {
        text.push_str(&format!("\n{}{}\n", sheet.name, if sheet.protected { " (protected)" } else { "" }));
        let mut line = |what: &str, rest: String| text.push_str(&format!("  {what} {rest}\n"));
        for table in &sheet.tables {
            line("table", format!("{} {} ({})", table.name, table.area, table.columns.join(", ")));
        }
        if let Some(area) = &sheet.filter {
            line("filter", area.to_string());
        }
        for link in &sheet.links {
            let to = link.target.as_deref().or(link.location.as_deref()).unwrap_or("");
            line("link", format!("{} to {to}", link.area));
        }
        for note in &sheet.notes {
            line("note", format!("{} {}", note.at, note.text.replace('\n', " ")));
        }
        for thread in &sheet.threads {
            let said: Vec<&str> = thread.comments.iter().map(|comment| comment.text.as_str()).collect();
            line("thread", format!("{} {}", thread.at, said.join(" / ")));
        }
        for rule in &sheet.validations {
            line("validation", format!("{} {}", areas(&rule.areas), rule.kind));
        }
        for rule in &sheet.conditional_formats {
            line("conditional format", format!("{} {}", areas(&rule.areas), rule.kind));
        }
        for chart in &sheet.charts {
            let name = chart.name.as_deref().unwrap_or("");
            line(
                "chart",
                format!(
                    "{name} ({}) {}",
                    chart.kinds.join(", "),
                    chart.title.as_deref().unwrap_or("untitled")
                ),
            );
        }
        for drawing in sheet.drawings.iter().filter(|drawing| drawing.part.is_some()) {
            line(
                "drawing",
                format!(
                    "{} {}",
                    drawing.name.as_deref().unwrap_or(""),
                    drawing.area.map_or(String::new(), |area| area.to_string())
                ),
            );
        }
        for merge in &sheet.merges {
            line("merged", merge.to_string());
        }
    }
    text
}

fn areas(areas: &[Area]) -> String {
    areas.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
