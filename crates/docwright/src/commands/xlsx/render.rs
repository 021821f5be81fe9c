//! `docwright xlsx render`: cells as a picture.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcp::picture::{self, Drawn, PictureFormat, Request};
use serde::Serialize;
use workspace::sheet::Sheet;
use workspace::{Clock as _, SystemClock};

use super::open_to_read;
use crate::cli::xlsx::XlsxRender;
use crate::report::{self, Failure, Verdict};

/// Font files that are looked at, and how large one may be.
const MOST_FONTS: usize = 5_000;
const MOST_BYTES: u64 = 64 << 20;

#[derive(Debug, Serialize)]
struct Answer {
    sheet: String,
    range: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    chart: Option<String>,
    output: String,
    width: u32,
    height: u32,
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

#[derive(Debug, Serialize)]
struct Difference {
    changed_pixels: u64,
    pixels: u64,
    /// Left, top, width and height of what changed.
    places: Vec<(u32, u32, u32, u32)>,
}

pub(super) fn run(arguments: &XlsxRender, json: bool) -> Result<Verdict, Failure> {
    let output = output(arguments)?;
    let format = match output
        .extension()
        .and_then(|extension| extension.to_str())
        .map(str::to_ascii_lowercase)
    {
        Some(extension) if extension == "png" => PictureFormat::Png,
        Some(extension) if extension == "svg" && arguments.diff.is_none() => PictureFormat::Svg,
        _ => {
            let kinds = if arguments.diff.is_some() { "a .png file" } else { "a .png or .svg file" };
            return Err(Failure::new("BAD_PATH", format!("{} is no name for a picture", output.display()))
                .with_hint(format!("name {kinds} with -o")));
        }
    };
    let reading = open_to_read(&arguments.file)?;
    let mut request = Request {
        range: arguments.range.clone(),
        chart: arguments.chart.clone(),
        dpr: Some(arguments.dpr),
        format,
        gridlines: arguments.no_gridlines.then_some(false),
        headings: arguments.headings,
        more_fonts: Vec::new(),
        stop: None,
    };
    let now = SystemClock.now();
    let draw = |request: &Request| -> Result<Drawn, Failure> {
        let drawn = reading.desk.read::<Sheet, _>(|view| picture::draw(view, request, now))?;
        // Whatever the reason, as the tools say it.
        drawn.map_err(|refusal| Failure { code: "RENDER_FAILED".to_owned(), ..refusal.into() })
    };
    let mut drawn = draw(&request)?;
    if arguments.system_fonts && !drawn.picture.missing_characters.is_empty() {
        request.more_fonts = fonts(&drawn.picture.missing_characters);
        drawn = draw(&request)?;
    }
    let (bytes, difference) = match &arguments.diff {
        None => (drawn.picture.bytes, None),
        Some(before) => {
            let before = std::fs::read(before)
                .map_err(|error| Failure::new("NOT_FOUND", format!("{}: {error}", before.display())))?;
            let found = picture::difference(&before, &drawn.picture.bytes)?;
            let said =
                Difference { changed_pixels: found.changed, pixels: found.total, places: found.places };
            (found.png, Some(said))
        }
    };
    std::fs::write(&output, bytes)
        .map_err(|error| Failure::new("DISK_ERROR", format!("{}: {error}", output.display())))?;
    let answer = Answer {
        sheet: drawn.sheet,
        range: drawn.area.to_string(),
        chart: drawn.chart,
        output: output.display().to_string(),
        width: drawn.picture.width,
        height: drawn.picture.height,
        notes: drawn.notes,
        difference,
    };
    let differs = answer.difference.as_ref().is_some_and(|difference| difference.changed_pixels > 0);
    report::answer(json, &answer, text)?;
    Ok(if differs { Verdict::Findings } else { Verdict::Done })
}

fn text(answer: &Answer) -> String {
    let what = match &answer.chart {
        Some(chart) => format!("the chart {chart} of {}", answer.sheet),
        None => format!("{}!{}", answer.sheet, answer.range),
    };
    let mut text = format!("drew {what} to {} ({} x {})\n", answer.output, answer.width, answer.height);
    if let Some(difference) = &answer.difference {
        text += &format!(
            "{} of {} pixels changed, in {} places\n",
            difference.changed_pixels,
            difference.pixels,
            difference.places.len()
        );
    }
    for note in &answer.notes {
        text += &format!("note: {note}\n");
    }
    text
}

/// Where the picture goes. A file that nobody named is never replaced.
fn output(arguments: &XlsxRender) -> Result<PathBuf, Failure> {
    if let Some(output) = &arguments.output {
        return Ok(output.clone());
    }
    let name = arguments.file.file_stem().unwrap_or(OsStr::new(""));
    let output = Path::new(name).with_extension("png");
    match output.exists() {
        false => Ok(output),
        true => Err(Failure::new("EXISTS", format!("{} is there already", output.display()))
            .with_hint(format!("name where to write with -o; `-o {}` replaces it", output.display()))),
    }
}

/// Fonts of the machine that have what is missing; a few, each of which has something.
fn fonts(missing: &str) -> Vec<Arc<[u8]>> {
    let home = std::env::home_dir();
    let own = |folder: &str| home.as_ref().map(|home| home.join(folder));
    let folders = [
        Some(PathBuf::from("/usr/share/fonts")),
        Some(PathBuf::from("/usr/local/share/fonts")),
        own(".fonts"),
        own(".local/share/fonts"),
        Some(PathBuf::from("/System/Library/Fonts")),
        Some(PathBuf::from("/Library/Fonts")),
        Some(PathBuf::from("C:\\Windows\\Fonts")),
    ];
    let mut files = Vec::new();
    for folder in folders.into_iter().flatten() {
        walk(&folder, &mut files, 4);
    }
    files.sort();
    let mut wanted: String = missing.to_owned();
    let mut found: Vec<Arc<[u8]>> = Vec::new();
    for file in files {
        if wanted.is_empty() || found.len() >= 8 {
            break;
        }
        let Ok(bytes) = std::fs::read(&file) else { continue };
        if picture::has_any(&bytes, &wanted) {
            wanted.retain(|character| !picture::has_any(&bytes, character.encode_utf8(&mut [0; 4])));
            found.push(bytes.into());
        }
    }
    found
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>, depth: u32) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.metadata() else { continue };
        if kind.is_dir() && depth > 0 {
            walk(&path, files, depth - 1);
        } else if kind.len() <= MOST_BYTES && files.len() < MOST_FONTS {
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
            if matches!(extension.to_ascii_lowercase().as_str(), "ttf" | "otf") {
                files.push(path);
            }
        }
    }
}
