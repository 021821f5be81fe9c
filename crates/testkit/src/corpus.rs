//! Real files that nobody here wrote, kept beside the repository in `../shared/corpus`.
//!
//! `DOCWRIGHT_CORPUS=DIR` takes other ones: `DIR/docx/SOURCE/…`, `DIR/xlsx/SOURCE/…`, no manifest needed. So a fault
//! that somebody meets in a folder of their own can be looked for by the same tests.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// One line of the manifest.
#[derive(Debug, Clone)]
pub struct Sample {
    pub path: PathBuf,
    /// `owner/name` of the repository it came from.
    pub source: String,
    /// `key=value` pairs, as the manifest has them.
    pub facts: String,
}

impl Sample {
    pub fn fact(&self, key: &str) -> Option<&str> {
        self.facts.split("; ").find_map(|fact| fact.strip_prefix(key)?.strip_prefix('='))
    }

    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap_or_else(|error| panic!("{}: {error}", self.path.display()))
    }
}

/// The folder beside the repository that holds corpus, validators and specifications.
pub fn shared() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = root.join("../shared").canonicalize().ok()?;
    shared.is_dir().then_some(shared)
}

/// All samples of a kind (`docx`, `xlsx`, `md`), or `None` with a clear word on stderr if they are absent.
pub fn samples(kind: &str) -> Option<Vec<Sample>> {
    if let Some(corpus) = std::env::var_os("DOCWRIGHT_CORPUS") {
        let mut samples = Vec::new();
        walk(&Path::new(&corpus).join(kind), &mut samples);
        samples.sort_by(|one, other| one.path.cmp(&other.path));
        return Some(samples);
    }
    let manifest = shared().map(|shared| shared.join("corpus")).filter(|corpus| corpus.is_dir());
    let Some(corpus) = manifest else {
        eprintln_skipped(kind);
        return None;
    };
    let manifest = std::fs::read_to_string(corpus.join("MANIFEST.tsv")).expect("the manifest can be read");
    let samples = manifest.lines().skip(1).filter_map(|line| {
        let mut fields = line.split('\t');
        let (of, source, _licence, path) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let facts = fields.nth(2).unwrap_or_default().to_owned();
        (of == kind).then(|| Sample { path: corpus.join(path), source: source.to_owned(), facts })
    });
    Some(samples.collect())
}

/// Every file below a folder, with the name of the folder it lies in as its source.
fn walk(folder: &Path, samples: &mut Vec<Sample>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            walk(&path, samples);
        } else {
            let source = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            samples.push(Sample { path, source, facts: String::new() });
        }
    }
}

/// Asks something of every file, and answers those that failed, so that one does not hide the next. Those that took
/// longer than two seconds are named.
#[must_use = "no file may fail"]
#[expect(clippy::print_stderr, reason = "a test says what it met")]
pub fn each(samples: &[Sample], mut ask: impl FnMut(usize, &Sample)) -> Vec<String> {
    let (mut failed, mut slow) = (Vec::new(), Vec::new());
    for (number, sample) in samples.iter().enumerate() {
        let start = Instant::now();
        let asked = catch_unwind(AssertUnwindSafe(|| ask(number, sample)));
        let name = sample.path.display().to_string();
        let seconds = start.elapsed().as_secs_f32();
        if seconds > 2.0 {
            slow.push(format!("{seconds:.1} s: {name}"));
        }
        if asked.is_err() {
            failed.push(name);
        }
    }
    if !slow.is_empty() {
        eprintln!("slow: {slow:#?}");
    }
    failed
}

#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn eprintln_skipped(kind: &str) {
    eprintln!("SKIPPED: no ../shared/corpus beside the repository, so no {kind} files to test");
}
