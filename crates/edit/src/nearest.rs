//! "Did you mean": the valid name closest to one that was not found.
//!
//! A model that wrote `window_id` or `documnet_search` recovers in one step when it is told the name it
//! was looking for.

/// The candidate closest to `wrong`, if any is close enough to be meant.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = folded(wrong);
    candidates
        .into_iter()
        .map(|candidate| (distance(&wrong, &folded(candidate)), candidate))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, candidate)| *distance <= 1 + wrong.len().min(candidate.len()) / 4)
        .map(|(_, candidate)| candidate)
}

/// Letter case and separators are what models get wrong most often, so they do not count.
fn folded(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(80).collect()
}

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &from) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, &to) in b.iter().enumerate() {
            let replace = last[j] + usize::from(from != to);
            let mut best = replace.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from == b[j - 1] && a[i - 1] == to {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant() {
        let names = ["windowId", "search", "replace", "all"];
        assert_eq!(nearest("window_id", names), Some("windowId"));
        assert_eq!(nearest("serach", names), Some("search"));
        assert_eq!(nearest("replacement", names), None);
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("", []), None);
    }
}
