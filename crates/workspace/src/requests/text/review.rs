//! What is done with comments, footnotes and tracked changes.

use edit::Refusal;
use planner::{CommentAct, CommentPick, Decided, Target, WordAct, WordStep};
use word::{
    AddComment, AddNote, DeleteComment, Edit, Markup, NoteKind, Outcome, ReplyToComment, Resolution,
    ResolveChanges, ResolveComment,
};

use super::acts::{Make, quoted};
use super::ground::{Ground, excerpt};

pub(super) fn comment(
    ground: &Ground<'_>,
    target: &Target,
    within: &[Target],
    text: &str,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let (place, quote) = quoted(ground, target, within)?;
    let comment =
        AddComment { paragraph: ground.view.id(place), quote: quote.clone(), text: text.to_owned() };
    make(Edit::AddComment(comment))?;
    let about = quote.map_or_else(|| ground.text(place).map(|text| excerpt(&text)), Ok)?;
    Ok(vec![format!("comment on \"{about}\": {text}")])
}

pub(super) fn footnote(
    ground: &Ground<'_>,
    after: &Target,
    within: &[Target],
    text: &str,
    markup: Markup,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let (place, after) = quoted(ground, after, within)?;
    let paragraph = ground.view.id(place);
    make(Edit::AddNote(AddNote {
        paragraph,
        after: after.clone(),
        kind: NoteKind::Footnote,
        text: text.to_owned(),
        markup,
    }))?;
    Ok(vec![format!("footnote in \"{}\": {text}", excerpt(&ground.text(place)?))])
}

pub(super) fn remove_comments(
    ground: &Ground<'_>,
    author: Option<&str>,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let threads = ground.view.threads()?;
    let comments = ground.view.comments()?;
    let author = author
        .map(|name| known_author(name, comments.iter().map(|comment| comment.author.as_str())))
        .transpose()?;
    let chosen: Vec<_> = comments
        .iter()
        .filter(|comment| author.as_ref().is_none_or(|author| comment.author == *author))
        .collect();
    if chosen.is_empty() {
        return Err(Refusal::not_found("comment", "the document"));
    }
    let mut lines = Vec::new();
    for comment in &chosen {
        let parent = threads.get(&comment.id).and_then(|thread| thread.parent.clone());
        // Goes with the comment that it answers.
        if parent.is_some_and(|parent| chosen.iter().any(|other| other.id == parent)) {
            lines.push(format!("removed the reply of {}: {}", comment.author, excerpt(&comment.text)));
            continue;
        }
        make(Edit::DeleteComment(DeleteComment { comment: comment.id.clone() }))?;
        lines.push(format!("removed the comment of {}: {}", comment.author, excerpt(&comment.text)));
        let others = comments.iter().filter(|other| {
            threads.get(&other.id).and_then(|thread| thread.parent.as_ref()) == Some(&comment.id)
                && !chosen.iter().any(|known| known.id == other.id)
        });
        for other in others {
            lines.push(format!("with it went the reply of {}: {}", other.author, excerpt(&other.text)));
        }
    }
    Ok(lines)
}

pub(super) fn on_comment(
    ground: &Ground<'_>,
    which: &CommentPick,
    act: &CommentAct,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let comment = ground.comment(which)?;
    let (id, told) =
        (comment.id.clone(), format!("the comment of {}: {}", comment.author, excerpt(&comment.text)));
    let (edit, line) = match act {
        CommentAct::Reply(text) => {
            let reply = ReplyToComment { comment: id, text: text.clone() };
            (Edit::ReplyToComment(reply), format!("answered {told}"))
        }
        CommentAct::Resolve => {
            (Edit::ResolveComment(ResolveComment { comment: id, done: true }), format!("resolved {told}"))
        }
        CommentAct::Reopen => (
            Edit::ResolveComment(ResolveComment { comment: id, done: false }),
            format!("opened again {told}"),
        ),
        CommentAct::Delete => (Edit::DeleteComment(DeleteComment { comment: id }), format!("removed {told}")),
    };
    make(edit)?;
    Ok(vec![line])
}

/// Which changes were meant, as the request says it.
fn said_of(step: &WordStep) -> String {
    let places: Vec<String> = step.within.iter().map(ToString::to_string).collect();
    let place = if places.is_empty() { String::new() } else { format!(" in {}", places.join(", ")) };
    match &step.act {
        WordAct::Decide { author: Some(author), .. } => format!("by {author}{place}"),
        _ => format!("of that kind{place}"),
    }
}

pub(super) fn decide(
    ground: &Ground<'_>,
    step: &WordStep,
    accept: bool,
    author: Option<&str>,
    kind: Option<Decided>,
    make: Make<'_>,
) -> Result<Vec<String>, Refusal> {
    let all = word::changes(ground.view)?;
    let author =
        author.map(|name| known_author(name, all.iter().map(|change| change.author.as_str()))).transpose()?;
    let kind_fits = |change: &word::Change| match kind {
        None => true,
        Some(Decided::Insertions) => {
            matches!(change.kind, word::ChangeKind::Insertion | word::ChangeKind::ParagraphInsertion)
        }
        Some(Decided::Deletions) => {
            matches!(change.kind, word::ChangeKind::Deletion | word::ChangeKind::ParagraphDeletion)
        }
    };
    let which = match (&author, ground.around(&step.within)?) {
        (author, meant) if kind.is_some() || author.is_some() && meant.is_some() => {
            let places = meant.map(|meant| ground.paragraphs(&meant)).transpose()?;
            let inside = |change: &word::Change| match &places {
                None => true,
                Some(places) => places.iter().any(|place| Some(ground.view.id(*place)) == change.paragraph),
            };
            let fits = |change: &&word::Change| {
                author.as_ref().is_none_or(|author| change.author == *author)
                    && inside(change)
                    && kind_fits(change)
            };
            let ids: Vec<String> = all.iter().filter(fits).map(|change| change.id.clone()).collect();
            if ids.is_empty() {
                return Err(Refusal::not_found("tracked change", said_of(step)));
            }
            word::Which::Ids(ids)
        }
        (Some(author), None) => word::Which::Author(author.clone()),
        (None, None) => word::Which::All,
        (None, Some(meant)) => {
            let places = ground.paragraphs(&meant)?;
            word::Which::Paragraphs(places.iter().map(|place| ground.view.id(*place)).collect())
        }
        (Some(_), Some(_)) => return Err(Refusal::internal("changes of one author in one place")),
    };
    if all.is_empty() {
        return Err(Refusal::not_found("tracked change", "the document"));
    }
    let resolution = if accept { Resolution::Accept } else { Resolution::Reject };
    let (_, outcome) = make(Edit::ResolveChanges(ResolveChanges { resolution, which }))?;
    let count = match outcome {
        Outcome::Resolved { changes, .. } => changes.len(),
        _ => 0,
    };
    if count == 0 {
        return Err(Refusal::not_found("tracked change", said_of(step)));
    }
    let done = if accept { "accepted" } else { "rejected" };
    Ok(vec![format!("{done} {count} of {} tracked changes", all.len())])
}

/// An author by name, whole or in part, if only one fits.
pub(super) fn known_author<'a>(
    name: &str,
    authors: impl Iterator<Item = &'a str>,
) -> Result<String, Refusal> {
    let all: std::collections::BTreeSet<&str> = authors.collect();
    let wanted = name.to_lowercase();
    if let Some(same) = all.iter().find(|author| author.to_lowercase() == wanted) {
        return Ok((*same).to_owned());
    }
    let partly: Vec<&&str> = all
        .iter()
        .filter(|author| author.to_lowercase().split_whitespace().any(|part| part == wanted))
        .collect();
    match partly.as_slice() {
        [only] => Ok((**only).to_owned()),
        _ => Err(Refusal::NotFound {
            what: "author",
            id: name.to_owned(),
            nearest: all.iter().map(|author| (*author).to_owned()).collect(),
        }),
    }
}
