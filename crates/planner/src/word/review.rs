//! Comments, notes and tracked changes.

use super::modify::{self, Modifiers};
use super::step::{CommentAct, CommentPick, Decided, Target, WordAct, WordStep};
use super::{Act, finish, target};
use crate::Unclear;
use crate::phrase::Words;

/// "Add a comment on 'set-off' saying …": the text goes to the end, so that it is cut off before anything else is read.
pub(super) fn saying(words: &Words) -> Option<Result<WordStep, Unclear>> {
    let mut words = words.clone();
    if let Some(reply) = reply(&words) {
        return Some(reply.map(WordStep::plain));
    }
    if let Some(flag) = flagged(&words) {
        words = flag;
    }
    let note = match () {
        () if words.eats("add a comment|insert a comment|leave a comment|put a comment|add a note|make a comment|write a comment|create a comment|attach a comment|add comment|comment") => false,
        () if words.eats("add a footnote|insert a footnote|put a footnote|add footnote|create a footnote") => true,
        () => return None,
    };
    if words.begins("out") {
        return None;
    }
    let tail = words.cut(
        "saying|that says|that reads|reading|with the text|: ,|:|asking|to say|which says|, saying|stating",
    );
    let tail = match tail {
        Some(tail) => tail,
        None => match last_quotation(&mut words) {
            Some(tail) => tail,
            None => {
                let what = if note { "footnote" } else { "comment" };
                return Some(Err(format!("say the text of the {what}: … saying \"…\"")));
            }
        },
    };
    Some(told(words, tail, note))
}

/// "Comment on 'x' with 'y'", "comment 'y' on 'x'": the text that is no place.
fn last_quotation(words: &mut Words) -> Option<Words> {
    let mut head = words.clone();
    let tail = head.cut("with")?;
    let mut text = tail.clone();
    text.quotation()?;
    *words = head;
    Some(tail)
}

/// "Reply to Bob's comment with '…'", "answer the comment on set-off: …"
fn reply(words: &Words) -> Option<Result<WordAct, Unclear>> {
    let mut words = words.clone();
    // "Reply "agreed" to Anna's comment"
    let mut first = words.clone();
    if first.eats("reply|answer|respond|add the reply|add a reply")
        && let Some(text) = first.quotation()
        && first.eats("to|on")
    {
        let which = comment(&mut first)?;
        return Some(first.done().map(|()| WordAct::OnComment { which, act: CommentAct::Reply(text) }));
    }
    words.eats("reply to|answer to|answer|respond to|add a reply to|write a reply to").then_some(())?;
    let text = words.cut("with|saying|:|by saying|that says")?;
    let which = comment(&mut words)?;
    let act = |text: String| WordAct::OnComment { which, act: CommentAct::Reply(text) };
    Some(words.done().and_then(|()| text.message()).map(act))
}

/// "Flag clause 3.1 with a comment: too short" as "comment on clause 3.1: too short"
fn flagged(words: &Words) -> Option<Words> {
    let mut head = words.clone();
    head.eats("flag|mark|annotate").then_some(())?;
    let tail = head.cut(
        "with a comment saying|with a comment :|with the comment :|with a comment that says|with the comment",
    )?;
    let mut told = Words::default();
    told.push_back("comment");
    told.push_back("on");
    told.append(head);
    told.push_back("saying");
    told.append(tail);
    Some(told)
}

/// `Bob's comment`, `the comment by Bob`, `the comment on set-off`, `the comment`
fn comment(words: &mut Words) -> Option<CommentPick> {
    let mut owned = words.clone();
    if let Some(name) = owner(&mut owned)
        && owned.eats("comment|remark|note")
    {
        *words = owned;
        return Some(CommentPick::By(name));
    }
    words.eats("the");
    words.eats("comment").then_some(())?;
    if words.eats("by|of|from|made by|left by") {
        return words.name().map(CommentPick::By);
    }
    if words.eats("on|about|to|at") {
        words.eats("the word|the words|the text|the");
        let text = words.quotation().or_else(|| std::mem::take(words).label().ok())?;
        return Some(CommentPick::On(text));
    }
    Some(CommentPick::Only)
}

/// `Bob's`
fn owner(words: &mut Words) -> Option<String> {
    let mut ahead = words.clone();
    let name = ahead.name()?;
    let bare = name.strip_suffix("'s").or_else(|| name.strip_suffix("’s"))?.to_owned();
    *words = ahead;
    Some(bare)
}

/// One comment that is resolved, opened again or removed.
fn on_comment(words: &Words) -> Act {
    let mut words = words.clone();
    let act = match () {
        () if words.eats("resolve|close|mark as resolved|mark as done") => CommentAct::Resolve,
        () if words.eats("reopen|unresolve") => CommentAct::Reopen,
        () if words.eats("mark") => {
            words.eats_last("as resolved|as done|resolved|done").then_some(CommentAct::Resolve)?
        }
        () if words.eats("delete|remove|drop|take out") => CommentAct::Delete,
        () => return None,
    };
    let which = comment(&mut words)?;
    Some(words.done().map(|()| WordAct::OnComment { which, act }))
}

fn told(mut words: Words, mut tail: Words, note: bool) -> Result<WordStep, Unclear> {
    let mut modifiers = Modifiers::default();
    let text = match tail.quotation() {
        Some(text) => {
            // What follows a quotation says where.
            if !tail.is_empty() {
                words.append(tail);
            }
            text
        }
        None => {
            let mut peeled = tail.clone();
            let behind = modify::peel(&mut peeled);
            if behind != Modifiers::default() {
                return Err(format!(
                    "either the text is `{}`, then put it in quotation marks; or it is `{}` and the rest says where, then put that \
                     before the text",
                    tail.shown(),
                    peeled.shown()
                ));
            }
            tail.message()?
        }
    };
    if words.eats_last("using tracked changes|with tracked changes") {
        modifiers.tracked = true;
    }
    let lead = match note {
        true => words.eats("after|to|on|at|behind|for"),
        false => words.eats("on|to|at|about|for|next to|beside|in|of|after"),
    };
    if !lead && words.is_empty() {
        return Ok(WordStep::plain(match note {
            true => return Err("say where the footnote goes: after 'some text'".to_owned()),
            false => WordAct::Comment { target: Target::Implied, text },
        }));
    }
    words.eats("the end of");
    let Some((target, around)) = target::chain(&mut words) else {
        let name = words.clone().sought();
        return match name {
            Ok(name) if lead => {
                let target = target::only(name);
                let act = if note {
                    WordAct::Footnote { after: target, text }
                } else {
                    WordAct::Comment { target, text }
                };
                finish(act, modifiers)
            }
            _ => Err(format!("I did not understand `{}`; say which text, in quotation marks", words.shown())),
        };
    };
    words.done()?;
    modifiers.within = around;
    let act = match note {
        true => WordAct::Footnote { after: target, text },
        false => WordAct::Comment { target, text },
    };
    finish(act, modifiers)
}

pub(super) fn act(words: &Words, modifiers: &Modifiers) -> Act {
    if let Some(act) = on_comment(words).filter(|_| modifiers.within.is_empty()) {
        return Some(act);
    }
    let mut words = words.clone();
    if words.eats("accept|approve") {
        return decide(words, true);
    }
    if words.eats("reject|decline|discard|undo|revert") {
        return decide(words, false);
    }
    if words.eats("delete|remove|clear|strip|get rid of|strip out|take out|erase|drop") {
        words.eats("all of the|all the|all|every|the|any|each");
        if words.eats("comments|comment|review comments|margin comments") {
            if !modifiers.within.is_empty() {
                return None;
            }
            return Some(author(words).map(|author| WordAct::RemoveComments { author }));
        }
    }
    None
}

fn decide(mut words: Words, accept: bool) -> Act {
    if words.eats("everything|all of it|it all|them all|all of them") {
        return Some(words.done().map(|()| WordAct::Decide { accept, author: None, kind: None }));
    }
    words.eats("all of the|all the|all|every|the|any|each");
    if words.eats("of") {
        words.eats("the");
    }
    // "All of Bob's changes"
    let mut owned = words.clone();
    if let Some(name) = owner(&mut owned)
        && let Some(kind) = changes_of(&mut owned)
    {
        // What is left alone is left alone anyway.
        let mut others = owned.clone();
        if others.eats("but|and") && others.eats("leave|keep|not") {
            let left = owner(&mut others).is_some();
            others.eats("changes");
            others.eats("alone|as they are|as is|open|pending|untouched");
            if left && others.is_empty() {
                owned = others;
            }
        }
        return Some(owned.done().map(|()| WordAct::Decide { accept, author: Some(name), kind }));
    }
    let mut kinds = words.clone();
    if let Some(kind @ Some(_)) = changes_of(&mut kinds) {
        return Some(author(kinds).map(|author| WordAct::Decide { accept, author, kind }));
    }
    if !words.eats("tracked changes|tracked change|changes|change|revisions|revision|edits|track changes|suggestions|insertions and deletions|redlines|redline|markup") {
        return None;
    }
    words.eats("in it|in here");
    Some(author(words).map(|author| WordAct::Decide { accept, author, kind: None }))
}

/// `changes`, `insertions`: which kinds, where only some are meant.
fn changes_of(words: &mut Words) -> Option<Option<Decided>> {
    match () {
        () if words.eats("insertions and deletions") => Some(None),
        () if words.eats("insertions|insertion|additions|addition") => Some(Some(Decided::Insertions)),
        () if words.eats("deletions|deletion") => Some(Some(Decided::Deletions)),
        () if words.eats("tracked changes|tracked change|changes|change|edits|edit|revisions|revision|suggestions|suggestion") => Some(None),
        () => None,
    }
}

/// `by Alice`, `made by Bob Miller`, or nothing.
fn author(mut words: Words) -> Result<Option<String>, Unclear> {
    if words.is_empty() {
        return Ok(None);
    }
    if words.eats("by|of|from|made by|written by|that are by|from author|by author|of author|by the author|left by|which are by") {
        if let Some(name) = words.name() {
            words.done()?;
            return Ok(Some(name));
        }
        return words.value().map(Some);
    }
    words.done().map(|()| None)
}
