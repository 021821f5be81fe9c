//! Comments, notes and tracked changes.

use super::modify::{self, Modifiers};
use super::step::{Target, WordAct, WordStep};
use super::{Act, finish, target};
use crate::Unclear;
use crate::phrase::Words;

/// "Add a comment on 'set-off' saying …": the text goes to the end, so that it is cut off before anything else is read.
pub(super) fn saying(words: &Words) -> Option<Result<WordStep, Unclear>> {
    let mut words = words.clone();
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
        let name = words.clone().value();
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
    words.eats("all of the|all the|all|every|the|any|each");
    if words.eats("of") {
        words.eats("the");
    }
    // "All of Bob's changes"
    let mut owned = words.clone();
    if let Some(name) = owned.name().and_then(|name| {
        let bare = name.strip_suffix("'s").or_else(|| name.strip_suffix("’s"))?;
        Some(bare.to_owned())
    }) && owned.eats("tracked changes|changes|edits|revisions|suggestions")
    {
        return Some(owned.done().map(|()| WordAct::Decide { accept, author: Some(name) }));
    }
    if !words.eats("tracked changes|tracked change|changes|change|revisions|revision|edits|track changes|suggestions|insertions and deletions|redlines|redline|markup") {
        return None;
    }
    words.eats("in it|in here");
    Some(author(words).map(|author| WordAct::Decide { accept, author }))
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
