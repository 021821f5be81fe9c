//! Parts of a document that people speak of: "in the headings", "in step 3", "except in the Scope section".

use super::places::{block, section_name};
use super::step::{Ground, MarkdownStep};
use crate::Unclear;
use crate::phrase::Words;

const IN: &str =
    "but only in|only in|just in|in|within|inside|throughout|only under|but only under|under|from";
const EXCEPT: &str = ", except in|, but not in|except in|but not in|except for in|apart from in|other than in|except inside|not in|\
    but leave|except under|outside of|outside";

/// One part, from the front.
pub(super) fn ground(words: &mut Words) -> Option<Ground> {
    let mut ahead = words.clone();
    ahead.eats("any of|all of");
    let fixed = [
        (
            "the headings|all headings|every heading|headings|all the headings|the section headings|heading titles|section titles",
            Ground::Headings,
        ),
        ("the title|the main title|the document title|the main heading", Ground::Title),
        (
            "the intro|the introduction|the opening|the intro paragraph|the introductory paragraph",
            Ground::Intro,
        ),
        (
            "the checklist|the task list|the to-do list|the todo list|the tasks|the checkboxes|the checklist items|tasks",
            Ground::Tasks,
        ),
        ("the table|the tables|tables|all tables|this table", Ground::Table(None)),
        (
            "the list|the bullets|the bullet list|the bulleted list|the numbered list|the steps|the bullet points|lists|the lists|the items|steps|bullets",
            Ground::List(None),
        ),
        ("the code blocks|code blocks|the code|code|inline code|the code samples|code samples", Ground::Code),
    ];
    for (names, ground) in fixed {
        if ahead.eats(names) {
            if let Ground::List(name @ None) = &mut ground.clone()
                && ahead.eats("under the heading|under|in the section|of|in")
            {
                *name = Some(heading_name(&mut ahead).or_else(|| section_name(&mut ahead))?);
                *words = ahead;
                return Some(Ground::List(name.clone()));
            }
            *words = ahead;
            return Some(ground);
        }
        ahead = words.clone();
    }
    // "the severity table"
    let mut table = words.clone();
    table.eats("the");
    let mut name = String::new();
    for _ in 0..3 {
        let Some(word) = table.word_if(|word| word.chars().all(|c| c.is_alphanumeric() || c == '-')) else {
            break;
        };
        name = if name.is_empty() { word } else { format!("{name} {word}") };
        if table.eats("table") {
            *words = table;
            return Some(Ground::Table(Some(name)));
        }
    }
    if let Some((kind, picked, under)) = block(words) {
        return Some(Ground::Block { kind, picked, under });
    }
    let mut section = words.clone();
    section.eats("the section called|the section named|the section|section|the heading");
    if let Some(name) = section_name(&mut section) {
        *words = section;
        return Some(Ground::Section(name));
    }
    // "in the pull request guidelines": small words behind an article, to the end; the document knows whether it has them.
    let mut small = words.clone();
    small.eats("the").then_some(())?;
    let plain = small.plain_words();
    if plain.len() != small.len() || plain.len() > 4 || plain.is_empty() {
        return None;
    }
    let name = small.label().ok()?;
    *words = Words::default();
    Some(Ground::Section(name))
}

/// A heading by words that begin with a capital, up to where something else begins: "under Workspace resolution into …".
pub(super) fn heading_name(words: &mut Words) -> Option<String> {
    let mut ahead = words.clone();
    ahead.eats("the section|the heading|the");
    matches!(ahead.peek(), Some(crate::token::Kind::Word(word)) if word.starts_with(char::is_uppercase))
        .then_some(())?;
    let ends = "into|to|as|with|,|:|and|before|after|in|so|from|by|section|chapter|alphabetically|ascending|descending|is|are|has|have|\
        does|do|only|alone|except|but|not|if|where|when|say|says";
    let at = (1..=ahead.len()).find(|at| *at == ahead.len() || ahead.split_at(*at).1.begins(ends))?;
    let (name, mut rest) = ahead.split_at(at);
    (name.len() <= 6).then_some(())?;
    let name = name.label().ok()?;
    rest.eats("section|chapter");
    *words = rest;
    Some(name)
}

/// Several, to the end: "the title and the first paragraph".
pub(super) fn several(mut words: Words) -> Option<Vec<Ground>> {
    let mut found = Vec::new();
    loop {
        words.eats("not in|in|under");
        found.push(ground(&mut words)?);
        words.eats("only|alone");
        if words.is_empty() {
            return Some(found);
        }
        words.eats(", and|, or|and|or|,").then_some(())?;
    }
}

/// What stands at the end and says where, and where not; taken off.
pub(super) fn peel(words: &mut Words) -> (Vec<Ground>, Vec<Ground>) {
    let mut except = Vec::new();
    if let Some((head, found)) = behind(words, EXCEPT) {
        let mut head = head;
        head.eats_last(
            "everywhere|throughout|in the document|throughout the document|in the whole document|, but|but|,",
        );
        *words = head;
        except = found;
    }
    let mut within = Vec::new();
    if let Some((mut head, found)) = behind(words, IN) {
        head.eats_last(",|but");
        *words = head;
        within = found;
    }
    (within, except)
}

/// Nothing, or where and nothing else.
pub(super) fn peel_whole(mut words: Words) -> Option<(Vec<Ground>, Vec<Ground>)> {
    if words.is_empty() {
        return Some((Vec::new(), Vec::new()));
    }
    words.eats(IN).then_some(())?;
    several(words).map(|found| (found, Vec::new()))
}

fn behind(words: &Words, leads: &str) -> Option<(Words, Vec<Ground>)> {
    (1..words.len()).find_map(|at| {
        let (head, mut tail) = words.split_at(at);
        tail.eats(leads).then_some(())?;
        Some((head, several(tail)?))
    })
}

/// "In step 3, change …", "under On-call add …"
pub(super) fn leading(words: &Words) -> Option<(Ground, Words)> {
    let mut ahead = words.clone();
    ahead.eats("in|within|inside|under|for").then_some(())?;
    let ground = ground(&mut ahead)?;
    ahead.eats(",");
    ahead.begins_step().then_some((ground, ahead))
}

/// The step at the place that stood before it.
pub(super) fn at_home(mut step: MarkdownStep, ground: Ground) -> Result<MarkdownStep, Unclear> {
    // "In the last paragraph, change policy to rule" is about words, not about the front matter.
    if let MarkdownStep::Field { name, value } = &step {
        step = MarkdownStep::Replace {
            text: name.clone(),
            with: value.clone(),
            all: true,
            within: None,
            prose: false,
            picked: None,
            grounds: Vec::new(),
            except: Vec::new(),
        };
    }
    match (&mut step, &ground) {
        (
            MarkdownStep::Replace { grounds, within: None, .. } | MarkdownStep::InsertBeside { grounds, .. },
            _,
        ) if grounds.is_empty() => {
            grounds.push(ground);
            return Ok(step);
        }
        (
            MarkdownStep::AddItem { under: under @ None, .. }
            | MarkdownStep::DeleteItem { under: under @ None, .. }
            | MarkdownStep::AddRow { under: under @ None, .. }
            | MarkdownStep::DeleteRow { under: under @ None, .. }
            | MarkdownStep::SortTable { under: under @ None, .. }
            | MarkdownStep::AddColumn { under: under @ None, .. }
            | MarkdownStep::DeleteColumn { under: under @ None, .. }
            | MarkdownStep::RenameColumn { under: under @ None, .. }
            | MarkdownStep::SetCell { under: under @ None, .. }
            | MarkdownStep::SwapItems { under: under @ None, .. }
            | MarkdownStep::MoveItem { under: under @ None, .. }
            | MarkdownStep::Block { under: under @ None, .. }
            | MarkdownStep::Append { section: under @ None, .. },
            Ground::Section(name) | Ground::Table(Some(name)) | Ground::List(Some(name)),
        ) => {
            *under = Some(name.clone());
            return Ok(step);
        }
        (
            MarkdownStep::AddRow { .. }
            | MarkdownStep::DeleteRow { .. }
            | MarkdownStep::SortTable { .. }
            | MarkdownStep::AddColumn { .. }
            | MarkdownStep::DeleteColumn { .. }
            | MarkdownStep::RenameColumn { .. }
            | MarkdownStep::SetCell { .. },
            Ground::Table(None),
        ) => return Ok(step),
        _ => {}
    }
    Err(format!("I did not understand `in {ground}` with this; say the place where the words are"))
}
