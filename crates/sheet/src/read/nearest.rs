//! Things that were named and are not there, with what the caller may have meant.

use edit::Refusal;

use crate::read::book::Book;

/// Suggestions in one refusal.
const MOST: usize = 5;

impl Book {
    pub(crate) fn no_sheet(&self, name: &str) -> Refusal {
        let known = self.workbook.sheets.iter().map(|tab| tab.name.as_str());
        Refusal::NotFound { what: "sheet", id: name.to_owned(), nearest: nearest(name, known) }
    }

    pub(crate) fn no_name(&self, name: &str) -> Refusal {
        let known = self.workbook.names.iter().filter(|known| !known.is_built_in());
        let nearest = nearest(name, known.map(|known| known.name.as_str()));
        Refusal::NotFound { what: "name", id: name.to_owned(), nearest }
    }
}

/// The names that differ least from `wanted`, best first.
pub fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted: Vec<char> = wanted.to_lowercase().chars().take(64).collect();
    let mut ranked: Vec<(usize, &str)> = known
        .map(|name| {
            let lower: Vec<char> = name.to_lowercase().chars().take(64).collect();
            (distance(&wanted, &lower), name)
        })
        .collect();
    ranked.sort_by_key(|(distance, _)| *distance);
    ranked.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}

/// How many letters have to be put in, taken out or changed.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, left) in a.iter().enumerate() {
        let mut corner = index;
        let mut before = index + 1;
        for (right, slot) in b.iter().zip(row.iter_mut().skip(1)) {
            let cost = (corner + usize::from(left != right)).min(before + 1).min(*slot + 1);
            corner = *slot;
            *slot = cost;
            before = cost;
        }
        if let Some(first) = row.first_mut() {
            *first = index + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_comes_first() {
        let known = ["Summary", "Model", "Inputs", "Input data"];
        assert_eq!(nearest("inptus", known.into_iter())[0], "Inputs");
        assert_eq!(nearest("sumary", known.into_iter())[0], "Summary");
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("kitten"), &chars("sitting")), 3);
        assert_eq!(distance(&[], &chars("ab")), 2);
    }
}
