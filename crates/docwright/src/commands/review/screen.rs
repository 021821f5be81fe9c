//! What is on the screen: an item with its header, what it would change, and the keys.

use super::decisions::{Item, Standing};
use crate::diff;
use crate::paint::{Line, Paint, Tone, compared, line, wrapped};
use crate::visible::{in_one_line, visible, width_of};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// A screen before it is painted: the middle is cut to what there is room for.
pub(super) struct Screen {
    pub(super) head: Vec<Line>,
    pub(super) body: Vec<Line>,
    pub(super) foot: Vec<Line>,
    /// Rows of the body that were shown already.
    pub(super) scrolled: usize,
}

/// A screen that fits, and how many rows of the body are still to be seen.
pub(super) struct Fitted {
    pub(super) rows: Vec<Line>,
    pub(super) below: usize,
    /// Rows of the body that are on it.
    pub(super) shown: usize,
}

impl Screen {
    pub(super) fn fitted(&self, size: Size) -> Fitted {
        let all = |lines: &[Line]| -> Vec<Line> {
            lines.iter().flat_map(|line| wrapped(line, size.columns)).collect()
        };
        let (mut rows, foot) = (all(&self.head), all(&self.foot));
        let body = all(&self.body);
        let body = &body[self.scrolled.min(body.len())..];
        let room = size.rows.saturating_sub(rows.len() + foot.len()).max(1);
        let (shown, below) = match body.len() <= room {
            true => (body.len(), 0),
            false => (room - 1, body.len() - (room - 1)),
        };
        rows.extend(body.iter().take(shown).cloned());
        if below > 0 {
            rows.push(line(Tone::Warning, format!("… {below} more lines; m shows them")));
        }
        // The keys stay at the bottom while items come and go above them.
        let empty = size.rows.saturating_sub(rows.len() + foot.len());
        rows.extend(std::iter::repeat_n(Line::new(), empty));
        rows.extend(foot);
        rows.truncate(size.rows);
        Fitted { rows, below, shown }
    }
}

/// Who suggests what, and how it stands.
pub(super) fn header(item: &Item, file: &str, position: (usize, usize), columns: usize) -> Vec<Line> {
    let count = format!("{} of {}", position.0, position.1);
    let file = in_one_line(file);
    let gap = columns.saturating_sub(width_of(&file) + width_of(&count)).max(2);
    let kind = match item.tracked {
        true => format!("Tracked {}", item.kind.replace('_', " ")),
        false => "Suggestion".to_owned(),
    };
    let when = item.at.as_deref().map_or_else(String::new, |at| format!(", {}", moment(at)));
    let by = format!("{kind} by {}{when}", in_one_line(&item.author));
    let mut lines = vec![
        vec![(Tone::Strong, file), (Tone::Plain, " ".repeat(gap)), (Tone::Strong, count)],
        line(Tone::Plain, by),
    ];
    if !item.tracked && !item.summary.is_empty() {
        lines.push(line(Tone::Plain, cut(&in_one_line(&item.summary), 3 * columns)));
    }
    if let Some(group) = &item.group {
        let text = format!("Decided together with all others of the group `{}`", in_one_line(group));
        lines.push(line(Tone::Faint, text));
    }
    if item.status == Standing::Stale {
        let why = item.why.as_deref().map_or_else(String::new, in_one_line);
        lines.push(line(Tone::Warning, format!("Stale, it can only be rejected: {why}")));
    }
    lines.push(Line::new());
    lines
}

/// What an item would change.
pub(super) fn changes(item: &Item, paint: Paint) -> Vec<Line> {
    let mut lines = Vec::new();
    let (paragraph, headings) = match item.tracked {
        true => (&item.context, &None),
        false => (&None, &item.context),
    };
    lines.extend(headings.iter().map(|titles| line(Tone::Faint, format!("in {}", in_one_line(titles)))));
    for (index, stretch) in item.changes.iter().enumerate() {
        if index > 0 {
            lines.push(Line::new());
        }
        // What has no text of its own has its summary for a place, which stands in the header.
        if stretch.place != item.summary {
            lines.push(line(Tone::Faint, in_one_line(&stretch.place)));
        }
        lines.extend(diff::rows(&stretch.before, &stretch.after).iter().map(|row| compared(row, paint)));
    }
    if item.left_out > 0 {
        lines.push(line(Tone::Warning, format!("… {} more characters, too many to show", item.left_out)));
    }
    if let Some(paragraph) = paragraph {
        lines.push(Line::new());
        lines.push(line(Tone::Faint, "the paragraph with all its changes accepted"));
        lines.extend(visible(paragraph).lines().map(|text| line(Tone::Plain, format!("  {text}"))));
    }
    lines
}

/// The keys and what they do, in as many lines as they need.
pub(super) fn packed(keys: &[&str], columns: usize) -> Vec<Line> {
    let mut rows: Vec<String> = Vec::new();
    for key in keys {
        match rows.last_mut() {
            Some(row) if row.len() + 2 + key.len() <= columns => {
                row.push_str("  ");
                row.push_str(key);
            }
            _ => rows.push((*key).to_owned()),
        }
    }
    rows.into_iter().map(|row| line(Tone::Faint, row)).collect()
}

/// A moment of the file or of the journal, as people write it.
pub(super) fn moment(at: &str) -> String {
    match (at.get(..10), at.get(10..11), at.get(11..16)) {
        (Some(day), Some("T"), Some(time)) => {
            let zone = if at.ends_with('Z') { " UTC" } else { "" };
            in_one_line(&format!("{day} {time}{zone}"))
        }
        _ => in_one_line(at),
    }
}

pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}… ({} more characters)", &text[..at], text[at..].chars().count()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(count: usize) -> Vec<Line> {
        (1..=count).map(|number| line(Tone::Plain, format!("line {number}"))).collect()
    }

    #[test]
    fn what_does_not_fit_is_cut_with_a_count() {
        let screen =
            |body, scrolled| Screen { head: numbered(1), body: numbered(body), foot: numbered(1), scrolled };
        let size = Size { columns: 40, rows: 8 };
        let fitted = screen(20, 0).fitted(size);
        assert_eq!((fitted.rows.len(), fitted.shown, fitted.below), (8, 5, 15));
        assert_eq!(fitted.rows[6], line(Tone::Warning, "… 15 more lines; m shows them"));
        let fitted = screen(20, 15).fitted(size);
        assert_eq!((fitted.rows.len(), fitted.shown, fitted.below), (8, 5, 0));
        let fitted = screen(2, 0).fitted(size);
        assert_eq!((fitted.rows.len(), fitted.shown, fitted.below), (8, 2, 0));
    }

    #[test]
    fn moments_are_written_as_people_do() {
        assert_eq!(moment("2026-11-18T02:02:13Z"), "2026-11-18 02:02 UTC");
        assert_eq!(moment("2026-11-18T02:02:13"), "2026-11-18 02:02");
        assert_eq!(moment("yesterday"), "yesterday");
    }
}
