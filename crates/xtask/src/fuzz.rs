//! The fuzz targets, for as long as one likes: `cargo xtask fuzz [TARGET] [--seconds N]`.
//!
//! Each starts from small real files: our samples, and those beside the repository (`../shared/corpus`, or
//! `DOCWRIGHT_CORPUS=DIR`) if they are there. What it learns stays in `fuzz/corpus`, what it finds in
//! `fuzz/artifacts`; neither is kept in the repository.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Larger files are slow to read and rarely say more.
const LARGEST_SEED: u64 = 60_000;

struct FuzzOptions {
    targets: Vec<String>,
    seconds: u64,
}

pub(crate) fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    match asked(root, arguments).and_then(|wanted| all(root, &wanted)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(why) => {
            println!("fuzz: {why}");
            ExitCode::from(1)
        }
    }
}

fn asked(root: &Path, arguments: &[&str]) -> Result<FuzzOptions, String> {
    let mut known: Vec<String> = files(&root.join("fuzz/fuzz_targets"))
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    known.sort();
    let mut wanted = FuzzOptions { targets: Vec::new(), seconds: 60 };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if *argument == "--seconds" {
            let number = arguments.next().and_then(|number| number.parse().ok());
            wanted.seconds = number.ok_or("--seconds needs a number")?;
        } else if known.iter().any(|target| target == argument) {
            wanted.targets.push((*argument).to_owned());
        } else {
            return Err(format!("no target `{argument}`; there are {}", known.join(", ")));
        }
    }
    if wanted.targets.is_empty() {
        wanted.targets = known;
    }
    Ok(wanted)
}

fn all(root: &Path, wanted: &FuzzOptions) -> Result<bool, String> {
    let there = Command::new("cargo").args(["fuzz", "--version"]).output();
    if !there.is_ok_and(|output| output.status.success()) {
        println!("-- installing cargo-fuzz");
        succeed(Command::new("cargo").args(["install", "cargo-fuzz", "--locked"]))?;
    }
    let mut found = Vec::new();
    for target in &wanted.targets {
        let seeds = seed(root, target).map_err(|error| format!("seeds of {target}: {error}"))?;
        println!("\n-- {target}: {} seconds from {seeds} seeds", wanted.seconds);
        // No sanitizer: we have no unsafe code, and the stable compiler has none. Overflow checks are on.
        let mut command = Command::new("cargo");
        command
            .args(["fuzz", "run", "--sanitizer", "none", "--codegen-units", "16", target, "--"])
            .arg(format!("-max_total_time={}", wanted.seconds))
            .args(["-rss_limit_mb=2048", "-timeout=20", "-max_len=400000", "-print_final_stats=1"])
            .current_dir(root)
            .env("RUSTC_BOOTSTRAP", "1");
        if succeed(&mut command).is_err() {
            found.push(target.as_str());
        }
    }
    match found.as_slice() {
        [] => println!("\nfuzz: nothing found"),
        found => println!("\nfuzz: see fuzz/artifacts of {}", found.join(", ")),
    }
    Ok(found.is_empty())
}

fn succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{:?} ended with {status}", command.get_program())),
        Err(error) => Err(format!("could not start {:?}: {error}", command.get_program())),
    }
}

/// Puts what a target starts from where libFuzzer looks for it, and says how many there are.
fn seed(root: &Path, target: &str) -> std::io::Result<usize> {
    let folder = root.join("fuzz/corpus").join(target);
    std::fs::create_dir_all(&folder)?;
    let extensions: &[&str] = match target {
        "ooxml_open" => &["docx", "docm", "xlsx", "xlsm"],
        "word_open" | "word_plan_apply_undo" => &["docx", "docm"],
        "sheet_open" | "sheet_render" => &["xlsx", "xlsm"],
        "markdown_open" | "markdown_plan_apply_undo" => &["md"],
        _ => &[],
    };
    let mut places = vec![root.join("samples"), root.join("docs")];
    match std::env::var_os("DOCWRIGHT_CORPUS") {
        Some(corpus) => places.push(PathBuf::from(corpus)),
        None => places.push(root.join("../shared/corpus")),
    }
    let mut count = 0;
    for path in places.iter().flat_map(|place| files(place)) {
        let fits = path.extension().and_then(|end| end.to_str()).is_some_and(|end| extensions.contains(&end));
        if fits && path.metadata().is_ok_and(|facts| facts.len() <= LARGEST_SEED) {
            count += 1;
            std::fs::copy(&path, folder.join(format!("seed-{count}")))?;
        }
    }
    for text in texts(root, target) {
        count += 1;
        std::fs::write(folder.join(format!("seed-{count}")), text)?;
    }
    Ok(count)
}

/// Seeds that are no files.
fn texts(root: &Path, target: &str) -> Vec<Vec<u8>> {
    let lines = |lines: &[&str]| lines.iter().map(|line| line.as_bytes().to_vec()).collect();
    match target {
        "formula_parse_eval" => {
            let page = std::fs::read_to_string(root.join("docs/formulas.md")).unwrap_or_default();
            let is_name = |word: &&str| {
                word.len() > 1
                    && word
                        .bytes()
                        .all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'.' | b'0'..=b'9'))
            };
            let names = page.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').filter(is_name);
            let calls = |name: &str| {
                ["", "A1", "A1:C2,2", "A1:A2,B1:B2,1", "{1,2;3,4},\"<=2\",TRUE,0.5"]
                    .map(|with| format!("{name}({with})"))
            };
            names.flat_map(calls).map(String::into_bytes).collect()
        }
        "number_format" => {
            let codes = [
                "#,##0.00;[Red](0);\"-\"??_)@",
                "yyyy-mm-dd hh:mm:ss.000 AM/PM",
                "# ?/??",
                "[h]:mm;[<5]0%",
                "0.0E+00* x",
            ];
            codes.iter().map(|code| [&1234.5f64.to_le_bytes(), code.as_bytes()].concat()).collect()
        }
        "word_wildcards" => lines(&[
            "<(a*)>[!0-9]{1,3}^p\nan apple 12",
            "(<[A-Za-z]@>) \\1\nthe the end",
            "?[0-9]@-\\(x\\)\n12-(x)",
        ]),
        "plain_requests" => lines(&[
            "Replace all 2024 with 2025 in the document, then make the selection bold.",
            "Insert a 3x4 table with a header row after the heading 'Summary' and set cell (1,2) to \"x\"",
            "Put =SUM(B2:B9) in B10, insert 2 rows below row 4 and format column C as a percentage",
            "Under the section Status add the bullet 'done' and delete the last paragraph",
        ]),
        _ => Vec::new(),
    }
}

/// Every file below a folder, in order; none if there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    paths.into_iter().flat_map(below).collect()
}
