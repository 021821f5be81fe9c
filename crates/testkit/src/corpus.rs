//! Real files that nobody here wrote, kept beside the repository in `../shared/corpus`.

use std::path::{Path, PathBuf};

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

#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn eprintln_skipped(kind: &str) {
    eprintln!("SKIPPED: no ../shared/corpus beside the repository, so no {kind} files to test");
}
