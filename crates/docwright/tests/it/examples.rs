//! Nothing that is shown is untrue: the examples of every `--help`, and every command in the README, the documentation and
//! the stories, are run on the samples, and print what is printed there.
//!
//! In a block marked `sh` each line is a command that works, unless a remark behind it says `# refused` (it ends with 1)
//! or `# finds` (it ends with 2). In a block marked `console` a line that begins with `$ ` is a command, and what follows
//! is what it prints; a line `…` stands for any number of lines, and
//! inside a line for any text.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::binary::root;

/// A home, the samples, and what a user would have beside them.
struct Place {
    home: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("a temporary folder");
        for folder in ["work/docs", "Documents", "Contracts", ".cursor", ".zfunc"] {
            std::fs::create_dir_all(home.path().join(folder)).expect("a folder");
        }
        for folder in [".local/share/bash-completion/completions", ".local/share/man/man1"] {
            std::fs::create_dir_all(home.path().join(folder)).expect("a folder");
        }
        let place = Self { home };
        for sample in ["contract.docx", "form.docx", "budget.xlsx", "handbook.md"] {
            std::fs::copy(root().join("samples").join(sample), place.work().join(sample)).expect("copied");
        }
        std::fs::write(place.work().join("docs/page.md"), "# Page\n").expect("a page");
        std::fs::copy(root().join("examples/agent.py"), place.work().join("agent.py")).expect("copied");
        for (name, text) in FILES {
            std::fs::write(place.work().join(name), text).expect("a file");
        }
        place
    }

    fn work(&self) -> PathBuf {
        self.home.path().join("work")
    }

    /// Runs a line as a user would type it. Colours and progress are for terminals; nobody answers questions.
    fn run(&self, line: &str) -> Output {
        let program = Path::new(env!("CARGO_BIN_EXE_docwright")).parent().expect("a folder");
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
        let home = self.home.path();
        let mut shell = Command::new("bash");
        shell.args(["-c", line]).current_dir(self.work()).stdin(Stdio::null());
        shell.env("PATH", path).env("HOME", home).env("XDG_STATE_HOME", home.join("state"));
        for variable in
            ["XDG_CONFIG_HOME", "DOCWRIGHT_AUTHOR", "DOCWRIGHT_TOKEN", "DOCWRIGHT_CONFIG", "NO_COLOR"]
        {
            shell.env_remove(variable);
        }
        shell.output().expect("a shell runs")
    }
}

/// Files that examples speak of and no sample is.
const FILES: [(&str, &str); 5] = [
    ("values.json", r#"{"customer": "Ann Lee", "approved": true}"#),
    ("changes.json", r#"[{"op":"insert_rows","sheet":"Model","at":5,"count":1}]"#),
    (
        "edits.json",
        r#"[{"op":"replace","paragraph_id":"jr_para_86fac56a76c4","old_string":"its date","new_string":"receipt"}]"#,
    ),
    ("clean.js", "return await xlsx.setCells(wb, [{address: 'Inputs!B2', value: input.year}])"),
    ("key", "a token of the user"),
];

/// A server that is started would not end, and settings are changed only by somebody who agrees: these lines are run with
/// an option more, which lets them say what they would do.
fn as_run(line: &str) -> String {
    let command = line.trim_start();
    let with = |option: &str| format!("{command} {option}");
    match () {
        () if command.starts_with("docwright serve") && !command.contains("--check-config") => {
            with("--check-config")
        }
        () if command.starts_with("docwright install")
            && !command.contains("--print")
            && !command.contains("--yes") =>
        {
            with("--yes")
        }
        () if command.starts_with("docwright uninstall") && !command.contains("--yes") => with("--yes"),
        () => command.to_owned(),
    }
}

/// What is not ours to run here: other people's programs, and building this one.
fn is_elsewhere(line: &str) -> bool {
    const OTHERS: [&str; 12] =
        ["cargo", "git", "cd", "claude", "npm", "npx", "pip", "uvx", "sudo", "docker", "curl", "ollama"];
    let first = line.split_whitespace().next().unwrap_or_default();
    OTHERS.contains(&first) || first.contains('/')
}

/// Ways a command may end that did its work.
fn ends_well(line: &str, code: Option<i32>) -> bool {
    let finds = ["check", "lint", "--verify", "review", "--diff"].iter().any(|word| line.contains(word));
    code == Some(0) || finds && code == Some(2)
}

#[test]
#[cfg(unix)]
fn every_example_in_help_works() {
    let (mut count, mut wrong) = (0, Vec::new());
    let mut waiting = vec![String::new()];
    while let Some(command) = waiting.pop() {
        let place = Place::new();
        let help = place.run(&format!("docwright {command} --help"));
        let help = String::from_utf8(help.stdout).expect("plain text");
        waiting.extend(subcommands(&help).into_iter().map(|name| format!("{command} {name}")));
        for (_, line) in BEFORE.iter().filter(|(of, _)| *of == command.trim()) {
            assert!(place.run(line).status.success(), "{line}");
        }
        for example in examples(&help) {
            if example.contains(".xls ") {
                println!("SKIPPED: no old workbook is among the samples: {example}");
                continue;
            }
            let done = place.run(&as_run(&example));
            let (said, failed) = (text(&done.stdout), text(&done.stderr));
            let code = done.status.code();
            if !ends_well(&example, code) {
                wrong.push(format!(
                    "`docwright{command} --help` shows `{example}`, which ends with {code:?}\n{said}{failed}"
                ));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 90, "{count} examples");
}

/// What a user has done before the examples of a command are of use.
const BEFORE: [(&str, &str); 4] = [
    ("undo", "docwright word edit contract.docx --old 'its date' --new receipt"),
    ("word compare", "docwright word edit contract.docx --old 'its date' --new receipt -o new.docx"),
    (
        "xlsx render",
        r#"docwright xlsx edit budget.xlsx --edits '{"op":"add_chart","sheet":"Model","area":"G2:N18","chart":{"kind":"column","range":"A1:E4"}}'"#,
    ),
    ("xlsx render", "docwright xlsx render budget.xlsx -r Summary -o before.png"),
];

fn subcommands(help: &str) -> Vec<String> {
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let lines = list.lines().take_while(|line| line.starts_with(' '));
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// The commands below `Examples:`, without the words that explain them.
fn examples(help: &str) -> Vec<String> {
    let Some((_, list)) = help.split_once("\nExamples:\n") else { return Vec::new() };
    let lines = list.lines().filter_map(|line| line.strip_prefix("  docwright"));
    lines.map(|line| format!("docwright{}", line.split("   ").next().unwrap_or(line).trim_end())).collect()
}

#[test]
#[cfg(unix)]
fn every_command_in_the_documentation_does_what_is_said() {
    let mut pages: Vec<PathBuf> = vec![root().join("README.md"), root().join("skill/SKILL.md")];
    for folder in ["docs", "examples"] {
        let entries = std::fs::read_dir(root().join(folder)).into_iter().flatten().flatten();
        pages.extend(
            entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "md")),
        );
    }
    pages.sort();
    let (mut count, mut wrong) = (0, Vec::new());
    for page in pages {
        count += page_holds(&page, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 120, "{count} commands");
}

/// Runs the commands of a page in their order, in one folder, and answers how many there were.
fn page_holds(page: &Path, wrong: &mut Vec<String>) -> usize {
    let text = std::fs::read_to_string(page).expect("the page is there");
    let name = page.strip_prefix(root()).unwrap_or(page).display().to_string();
    let place = Place::new();
    let mut count = 0;
    for block in text.split("\n```").skip(1).step_by(2) {
        let (kind, block) = block.split_once('\n').unwrap_or((block, ""));
        // A backslash at its end continues a line.
        let block = block.replace("\\\n", " ");
        match kind {
            "sh" => {
                for line in block.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
                    if !is_elsewhere(line) {
                        wrong.extend(shell_line(&place, &name, line));
                        count += 1;
                    }
                }
            }
            "console" => count += console(&place, &name, &block, wrong),
            _ => {}
        }
    }
    count
}

/// What is wrong with a line, if anything is.
fn shell_line(place: &Place, page: &str, line: &str) -> Option<String> {
    let wanted = match line.rsplit_once(" # ").map(|(_, remark)| remark.trim()) {
        Some("refused") => Some(1),
        Some("finds") => Some(2),
        _ => None,
    };
    let done = place.run(&as_run(line));
    let code = done.status.code();
    let well = wanted.map_or_else(|| ends_well(line, code), |wanted| code == Some(wanted));
    let said = || format!("{page}: `{line}` ends with {code:?}\n{}{}", text_of(&done), text(&done.stderr));
    (!well).then(said)
}

/// Commands behind `$ `, each with what it prints, on both streams as a terminal shows them.
fn console(place: &Place, page: &str, block: &str, wrong: &mut Vec<String>) -> usize {
    let mut count = 0;
    for part in format!("\n{block}").split("\n$ ").skip(1) {
        let (line, printed) = part.split_once('\n').unwrap_or((part, ""));
        count += 1;
        if is_elsewhere(line) {
            continue;
        }
        let done = place.run(&format!("{{ {}\n}} 2>&1", as_run(line)));
        let work = format!("{}/", place.work().display());
        let found = text_of(&done).replace(&work, "");
        if !matches_printed(printed.trim_end(), found.trim_end()) {
            wrong.push(format!("{page}: `{line}` prints\n{found}\nand the page says\n{printed}"));
        }
    }
    count
}

/// Whether the text is the one that is printed, in which a line `…` stands for any lines.
fn matches_printed(printed: &str, found: &str) -> bool {
    let mut rest: Vec<&str> = found.lines().map(str::trim_end).collect();
    let mut gap = false;
    for line in printed.lines().map(str::trim_end) {
        if line == "…" {
            gap = true;
            continue;
        }
        let at = match gap {
            true => rest.iter().position(|found| is_line(line, found)),
            false => rest.first().is_some_and(|found| is_line(line, found)).then_some(0),
        };
        let Some(at) = at else { return false };
        rest.drain(..=at);
        gap = false;
    }
    gap || rest.is_empty()
}

/// Whether a line is the one that is printed, in which `…` stands for any text.
fn is_line(printed: &str, found: &str) -> bool {
    let mut parts = printed.split('…');
    let Some(mut rest) = parts.next().and_then(|first| found.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    // The text ends with the last part, wherever that was found first.
    rest.is_empty() || last.is_some_and(|last| found.ends_with(last))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn text_of(done: &Output) -> String {
    text(&done.stdout)
}

#[test]
fn a_gap_stands_for_any_lines_and_nothing_else_does() {
    assert!(matches_printed("a\n…\nd", "a\nb\nc\nd"));
    assert!(matches_printed("a\n…", "a\nb"));
    assert!(!matches_printed("a\nb", "a\nb\nc"));
    assert!(!matches_printed("a\nx", "a\nb"));
    assert!(matches_printed("", ""));
    assert!(matches_printed("at … o'clock", "at 12 o'clock") && matches_printed("a …", "a b"));
    assert!(!matches_printed("at … o'clock", "at 12 o'clock sharp") && !matches_printed("a … c", "b c"));
}
