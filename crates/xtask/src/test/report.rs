//! What the tests said, in a few lines: failures whole, successes as a count, and what had nothing to test by name.
//!
//! A test that finds nothing to test (no corpus beside the repository, another program absent) prints `SKIPPED: why` and
//! returns. Rust's test harness then calls it passed; here it is not.

use std::io::BufRead;

const SKIPPED: &str = "SKIPPED: ";

#[derive(Debug, Default)]
pub(super) struct Report {
    passed: usize,
    /// The name of the test or step, and why.
    skipped: Vec<(String, String)>,
}

/// The part of a test binary's output that is being read.
enum Section {
    Results,
    /// What a test that passed had printed, with its name.
    Success(String),
    Failures,
}

impl Report {
    /// Reads what Rust's test harness prints with `--show-output`, and answers the lines that a person wants to see.
    pub(super) fn read_harness(&mut self, output: impl BufRead, mut show: impl FnMut(&str)) {
        let mut section = Section::Results;
        for line in output.lines().map_while(Result::ok) {
            if let Some(passed) = line.strip_prefix("test result: ").and_then(passed_in) {
                self.passed += passed;
                section = Section::Results;
                show(&line);
                continue;
            }
            match (line.as_str(), &section) {
                ("successes:", _) => section = Section::Success(String::new()),
                ("failures:", _) => {
                    section = Section::Failures;
                    show(&line);
                }
                (_, Section::Success(test)) => match header(&line) {
                    Some(test) => section = Section::Success(test.to_owned()),
                    None => {
                        let test = test.clone();
                        self.read_skip(&test, &line);
                    }
                },
                (_, Section::Failures) => show(&line),
                (_, Section::Results) if is_routine(&line) => {}
                (_, Section::Results) => show(&line),
            }
        }
    }

    /// Reads what a script prints, all of which is shown.
    pub(super) fn read_script(&mut self, step: &str, output: impl BufRead, mut show: impl FnMut(&str)) {
        for line in output.lines().map_while(Result::ok) {
            self.read_skip(step, &line);
            show(&line);
        }
    }

    fn read_skip(&mut self, test: &str, line: &str) {
        let Some(why) = line.trim_start().strip_prefix(SKIPPED) else { return };
        let known = self.skipped.last().is_some_and(|(last, _)| last == test);
        if !known {
            self.skipped.push((test.to_owned(), why.to_owned()));
        }
    }

    /// The last lines of a run.
    pub(super) fn summary(&self) -> String {
        let ran = self.passed.saturating_sub(self.skipped.len());
        let mut text =
            format!("{ran} Rust tests passed, {} SKIPPED for want of something to test", self.skipped.len());
        for (test, why) in &self.skipped {
            text.push_str(&format!("\n  SKIPPED {test}: {why}"));
        }
        text
    }
}

/// `12` of `ok. 12 passed; 0 failed; …`.
fn passed_in(result: &str) -> Option<usize> {
    let (before, _) = result.split_once(" passed;")?;
    before.rsplit(' ').next()?.parse().ok()
}

/// `name` of `---- name stdout ----`.
fn header(line: &str) -> Option<&str> {
    line.strip_prefix("---- ")?.strip_suffix(" stdout ----")
}

/// Lines that only say that all is well.
fn is_routine(line: &str) -> bool {
    line.is_empty()
        || line.starts_with("running ")
        || (line.starts_with("test ") && (line.ends_with("... ok") || line.contains("... ignored")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "
running 4 tests
test one ... ok
test two ... ok
test three ... ignored, on request
test four ... FAILED

successes:

---- one stdout ----
a word that nobody needs
SKIPPED: no corpus
SKIPPED: no corpus


successes:
    one
    two

failures:

---- four stdout ----
SKIPPED: not this one

failures:
    four

test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
";

    #[test]
    fn failures_are_shown_and_what_was_skipped_is_not_counted_as_passed() {
        let mut report = Report::default();
        let mut shown = Vec::new();
        report.read_harness(OUTPUT.as_bytes(), |line| shown.push(line.to_owned()));
        let expected = [
            "test four ... FAILED",
            "failures:",
            "",
            "---- four stdout ----",
            "SKIPPED: not this one",
            "",
            "failures:",
            "    four",
            "",
            "test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
        ];
        assert_eq!(shown, expected);
        assert_eq!(
            report.summary(),
            "1 Rust tests passed, 1 SKIPPED for want of something to test\n  SKIPPED one: no corpus"
        );
    }

    #[test]
    fn a_script_says_what_it_skipped() {
        let mut report = Report::default();
        let mut shown = 0;
        report.read_script("operations", "fine\nSKIPPED: no LibreOffice\n".as_bytes(), |_| shown += 1);
        assert_eq!(shown, 2);
        assert!(report.summary().ends_with("\n  SKIPPED operations: no LibreOffice"));
    }
}
