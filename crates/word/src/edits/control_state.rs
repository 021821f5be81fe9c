//! What a content control is told when the text in it is edited.
//!
//! A control remembers what it holds: that it only shows its prompt, which box is ticked, which day was picked.
//! An edit of the text alone would leave that memory behind, and Word would believe it: a name typed over a
//! prompt would count as nothing typed, and go with the first click.

use std::ops::Range;
use std::sync::Arc;

use edit::{Cut, Level, Note, Patch, Refusal};
use ooxml::xml::{Namespaces, Node, Tree, XmlLimits, ns};

use super::control;
use super::template::{no_prompt, shown_in};
use crate::document::index::{BoxKind, NOWHERE};
use crate::document::names::Scope;
use crate::document::paragraph::{Control, ControlKind, Lock, WrapKind, control_of};
use crate::document::view::{Place, View};
use crate::edits::anatomy::{Anatomy, Shape, word_name};
use crate::edits::open_paragraph::{OpenParagraph, root_namespaces};
use crate::edits::rewrite::{Act, Place as At};
use crate::edits::run_properties::RunProperties;
use crate::edits::surgeon::{Tools, operate};
use crate::text::tags::{Marks, Tagged};

type Splices = Vec<(Range<usize>, String)>;

/// Carries `acts` out on the paragraph, and tells the content controls around the text that changes.
pub(crate) fn operate_telling(
    (view, place): (&View, Place),
    opened: &OpenParagraph,
    anatomy: &Anatomy<'_>,
    mut acts: Vec<Act>,
    tools: Tools<'_>,
    patch: &mut Patch,
) -> Result<Vec<Note>, Refusal> {
    let mut splices = Vec::new();
    let mut tracked_memory = false;
    let base = opened.paragraph.span.start;
    for wrap in &opened.paragraph.wraps {
        let WrapKind::Control(control) = &wrap.kind else { continue };
        let content = wrap.content.start - base..wrap.content.end - base;
        let Some(shown) = shown_in(anatomy, &content) else { continue };
        let at = wrap.span.start - base;
        let node = opened.node()?.descendants().find(|n| word_name(n) == "sdt" && n.span().start == at);
        let properties = node.and_then(|node| node.child(ns::W, "sdtPr"));
        let told = Held { control, properties, shown, content }.tell(anatomy, &mut acts, tools)?;
        tracked_memory |=
            tools.stamp.is_some() && control.kind == ControlKind::CheckBox && !told.memory.is_empty();
        splices.extend(told.memory);
        splices.extend(told.content);
    }
    let mut forgetful = Vec::new();
    for block in blocks_around(view, place) {
        let Ok(control) = control_of(&block.bytes, &block.scope) else { continue };
        let Ok(tree) = Tree::parse_fragment(&block.bytes, &block.namespaces, &XmlLimits::default()) else {
            continue;
        };
        let properties = tree.document(&block.bytes).elements().next();
        let node = opened.node()?;
        let start = node.child(ns::W, "pPr").map_or(node.content_span().start, |ppr| ppr.span().end);
        let (content, shown) = (start..node.content_span().end, 0..anatomy.text.len());
        let told = Held { control: &control, properties, shown, content }.tell(anatomy, &mut acts, tools)?;
        splices.extend(told.content);
        if !told.memory.is_empty() {
            forgetful.push(not_told(&control)?);
        }
    }
    let mut operation = operate(anatomy, &acts, tools)?;
    splices.extend(operation.splices);
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    opened.add_to(patch, splices)?;
    operation.notes.extend(forgetful);
    if tracked_memory {
        let text = "the sign of the check box is a tracked change, and what the box is set to is not: until the change is \
                    decided the box counts as set anew";
        operation.notes.push(Note { level: Level::Info, text: text.to_owned() });
    }
    Ok(operation.notes)
}

/// What a control around paragraphs remembers stands outside of them, and an edit changes its own paragraph alone. Text
/// that would count as a prompt goes with the first click, so it is not written where it can be filled in.
fn not_told(control: &Control) -> Result<Note, Refusal> {
    let name = control.tag.as_deref().or(control.title.as_deref());
    let text = match (control.placeholder, name) {
        (true, Some(name)) => {
            return Err(Refusal::Unsafe {
                why: format!("the text is the prompt of the content control `{name}`, which stays a prompt"),
                instead: Some(format!("fill the control `{name}` with the text")),
            });
        }
        (true, None) => "the content control around the paragraph still takes its text for a prompt",
        (false, _) => "the content control around the paragraph still remembers another value",
    };
    Ok(Note { level: Level::Warning, text: text.to_owned() })
}

/// The properties of a control that stands around blocks.
struct Block {
    bytes: Vec<u8>,
    scope: Arc<Scope>,
    namespaces: Namespaces,
}

fn blocks_around(view: &View, place: Place) -> Vec<Block> {
    let Some(part) = view.part(place) else { return Vec::new() };
    let boxed = part.paragraphs.boxed.get(place.index as usize).unwrap_or(NOWHERE);
    let controls = part.around(boxed).filter(|(_, block)| block.kind == BoxKind::Control);
    let mut found = Vec::new();
    for (_, block) in controls {
        let props = block.props.0 as usize..block.props.1 as usize;
        let Ok(namespaces) = root_namespaces(&part.blob) else { continue };
        found.push(Block {
            bytes: part.blob.slice(props).into_owned(),
            scope: part.numbered_scope(block.scope),
            namespaces,
        });
    }
    found
}

/// A control as one paragraph shows it.
struct Held<'a> {
    control: &'a Control,
    properties: Option<Node<'a>>,
    /// What it shows, in the text of the paragraph.
    shown: Range<usize>,
    /// The same in its source.
    content: Range<usize>,
}

#[derive(Default)]
struct Told {
    /// Of the paragraph's source.
    content: Splices,
    /// Of the source that the control's properties are in.
    memory: Splices,
}

impl Held<'_> {
    fn tell(&self, anatomy: &Anatomy<'_>, acts: &mut Vec<Act>, tools: Tools<'_>) -> Result<Told, Refusal> {
        let old = anatomy.text.cut(self.shown.clone())?;
        let new = self.after(anatomy, acts);
        let text: String = new.iter().map(|tagged| tagged.text.as_str()).collect();
        // The surgeon refuses locked contents in its own words; what is emptied shows nothing that could be wrong.
        if text == old || text.is_empty() || matches!(self.control.lock, Lock::Content | Lock::Both) {
            return Ok(Told::default());
        }
        let mut told = Told { content: Vec::new(), memory: self.memory(&text)? };
        if self.control.placeholder {
            told.memory.extend(no_prompt(self.properties));
            // A tracked change can be rejected, and then the words of the prompt are to be there again.
            let plain = tools.stamp.is_none();
            if plain && anatomy.units_in(&self.shown).all(|(_, unit)| unit.shape != Shape::Opaque) {
                told.content.push((self.content.clone(), self.runs(&new, tools)));
                *acts = outside(acts, &self.shown);
            }
        }
        Ok(told)
    }

    /// What it will show.
    fn after(&self, anatomy: &Anatomy<'_>, acts: &[Act]) -> Vec<Tagged> {
        let mut new: Vec<Tagged> = Vec::new();
        let mut reached = self.shown.start;
        let mut say = |text: &str, marks: &Marks| {
            // How the control wants its text to look is not for the words in front of it to say.
            let marks = Marks { emphasis: None, ..marks.clone() };
            match new.last_mut() {
                _ if text.is_empty() => {}
                Some(last) if last.marks == marks => last.text.push_str(text),
                _ => new.push(Tagged { text: text.to_owned(), marks }),
            }
        };
        let kept = |range: Range<usize>| anatomy.text.part(range);
        let plain = Marks::default();
        for act in acts {
            match act {
                Act::Keep { old, marks } => {
                    let (start, end) = (old.start.max(reached), old.end.min(self.shown.end));
                    if start < end {
                        say(kept(reached..start), &plain);
                        say(kept(start..end), marks);
                        reached = end;
                    }
                }
                Act::Cut { old } => {
                    let (start, end) = (old.start.max(reached), old.end.min(self.shown.end));
                    if start < end {
                        say(kept(reached..start), &plain);
                        reached = end;
                    }
                }
                Act::Put { text, marks, place } if self.holds(*place) => {
                    if let At::Between(at) = place {
                        say(kept(reached..*at), &plain);
                        reached = reached.max(*at);
                    }
                    say(text, marks);
                }
                Act::Put { .. } => {}
            }
        }
        say(kept(reached..self.shown.end), &plain);
        new
    }

    fn holds(&self, place: At) -> bool {
        match place {
            At::InsteadOf(at) => self.shown.contains(&at),
            At::Between(at) | At::Behind(at) => self.shown.start < at && at < self.shown.end,
        }
    }

    /// Changes of the properties that go with a text that somebody wrote, not picked.
    fn memory(&self, text: &str) -> Result<Splices, Refusal> {
        let child = |wanted: &str| {
            self.properties.and_then(|p| p.elements().find(|child| child.name().local == wanted))
        };
        let name = self.control.tag.as_deref().or(self.control.title.as_deref()).unwrap_or("without a name");
        match self.control.kind {
            ControlKind::DropDown => match control::choose(child("dropDownList"), text) {
                Ok(shown) if shown == text => Ok(Vec::new()),
                Ok(shown) => Err(no_choice(name, text, &[shown])),
                Err(choices) => Err(no_choice(name, text, &choices)),
            },
            ControlKind::CheckBox => match control::check(name, child("checkbox"), text) {
                Ok(setting) if setting.shown == text => Ok(setting.splices),
                _ => Err(Refusal::Unsafe {
                    why: format!("the text is the sign of the check box `{name}`"),
                    instead: Some("fill the control with true or false, or edit text outside it".to_owned()),
                }),
            },
            ControlKind::Date => {
                let picked = child("date").and_then(|date| date.attribute(ns::W, "fullDate"));
                // The blank in front of the attribute goes with it.
                Ok(picked
                    .map(|picked| (picked.span().start - 1..picked.span().end, String::new()))
                    .into_iter()
                    .collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// What takes the place of a prompt, looking as the control says.
    fn runs(&self, new: &[Tagged], tools: Tools<'_>) -> String {
        let dialect = tools.dialect;
        let look = self.properties.and_then(|properties| properties.child(ns::W, "rPr"));
        let look = look.map_or_else(RunProperties::default, RunProperties::of).without_change();
        let mut runs = String::new();
        for tagged in new {
            let look = look.with_marks(&tagged.marks, dialect).write(dialect);
            let run = dialect.wrap("r", "", &format!("{look}{}", dialect.content(&tagged.text)));
            runs.push_str(&dialect.linked(&run, tagged.marks.link.as_deref()));
        }
        match tools.stamp {
            Some(stamp) => dialect.wrap("ins", &stamp.attributes(&dialect.attribute), &runs),
            None => runs,
        }
    }
}

fn no_choice(name: &str, text: &str, choices: &[String]) -> Refusal {
    Refusal::Unsafe {
        why: format!("`{text}` is no choice of the list `{name}`"),
        instead: Some(format!("choose one of: {}", choices.join(", "))),
    }
}

/// The acts without what they do to `range`.
fn outside(acts: &[Act], range: &Range<usize>) -> Vec<Act> {
    let mut out = Vec::new();
    for act in acts {
        match act {
            Act::Keep { old, marks } => {
                out.extend(apart(old, range).map(|old| Act::Keep { old, marks: marks.clone() }))
            }
            Act::Cut { old } => out.extend(apart(old, range).map(|old| Act::Cut { old })),
            Act::Put { place: At::InsteadOf(at), .. } if range.contains(at) => {}
            Act::Put { place: At::Between(at), .. } if range.start < *at && *at < range.end => {}
            put @ Act::Put { .. } => out.push(put.clone()),
        }
    }
    out
}

/// What of `range` lies before and behind `without`.
fn apart(range: &Range<usize>, without: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let before = range.start..range.end.min(without.start);
    let behind = range.start.max(without.end)..range.end;
    [before, behind].into_iter().filter(|range| range.start < range.end)
}
