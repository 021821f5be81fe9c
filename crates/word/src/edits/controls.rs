//! The content controls and form fields of a document, as a form to be filled in shows them.
//!
//! A control stands inside a paragraph, or around paragraphs, rows or cells; both are listed, in reading order.

use std::collections::BTreeMap;

use edit::{OrEmpty, Refusal};
use ooxml::xml::{Node, Tree, XmlLimits, ns};
use serde::Serialize;

use crate::ParagraphId;
use crate::document::index::BoxKind;
use crate::document::paragraph::{
    Control, ControlKind, Field, FormKind, Lock, Paragraph, Side, WrapKind, control_of,
};
use crate::document::view::{Place, View};
use crate::edits::anatomy::word_name;
use crate::edits::open_paragraph::{OpenParagraph, root_namespaces};

/// A content control and what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedControl {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Of a form field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub kind: ControlKind,
    /// What can be chosen, for a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// What it shows, a line for each paragraph.
    pub text: String,
    /// Whether `text` is only the prompt to fill it in.
    pub prompt: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    /// The most characters that it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<usize>,
    pub locked: Lock,
    /// Whether it shows data that is kept elsewhere in the file.
    pub bound: bool,
    /// `body`, `header1`, `footnotes`, …
    pub story: String,
    pub paragraphs: Vec<ParagraphId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    pub text: String,
    pub value: String,
}

/// Every content control of every story, in reading order; one around another comes first.
pub fn controls(view: &View) -> Result<Vec<ListedControl>, Refusal> {
    // By part and by where it starts.
    let mut found: BTreeMap<(u32, usize), ListedControl> = BTreeMap::new();
    let mut held: BTreeMap<(u32, u32), Vec<Place>> = BTreeMap::new();
    for place in view.places() {
        let Some(part) = view.part(place) else { continue };
        let boxed =
            part.paragraphs.boxed.get(place.index as usize).unwrap_or(crate::document::index::NOWHERE);
        for (at, block) in part.around(boxed) {
            if block.kind == BoxKind::Control {
                held.entry((place.part, at)).or_default().push(place);
            }
        }
        let source = view.source(place).or_empty();
        if memchr::memmem::find(&source, b"ffData").is_some() {
            let paragraph = view.paragraph(place)?;
            for field in &paragraph.fields {
                if let Some((start, listed)) = listed_form(view, place, &paragraph, field) {
                    found.insert((place.part, start), listed);
                }
            }
        }
        if memchr::memmem::find(&source, b"sdtContent").is_none() {
            continue;
        }
        let opened = OpenParagraph::open(view, place)?;
        let paragraph = &opened.paragraph;
        for wrap in &paragraph.wraps {
            let WrapKind::Control(control) = &wrap.kind else { continue };
            let at = wrap.span.start - paragraph.span.start;
            let mut nodes = opened.node()?.descendants();
            let node = nodes.find(|node| word_name(node) == "sdt" && node.span().start == at);
            let text = text_in(paragraph, &wrap.content);
            let properties = node.and_then(|node| node.child(ns::W, "sdtPr"));
            let listed = listed(view, control, properties, text, &[place]);
            found.insert((place.part, wrap.span.start), listed);
        }
    }
    for (number, part) in view.parts().iter().enumerate() {
        let number = number as u32;
        for (index, block) in part.boxes.iter().enumerate().filter(|(_, b)| b.kind == BoxKind::Control) {
            let bytes = part.blob.slice(block.props.0 as usize..block.props.1 as usize);
            let scope = part.numbered_scope(block.scope);
            let Ok(control) = control_of(&bytes, &scope) else { continue };
            let namespaces = root_namespaces(&part.blob).map_err(|error| error.in_part(&part.name))?;
            let tree = Tree::parse_fragment(&bytes, &namespaces, &XmlLimits::default()).ok();
            let properties = tree.as_ref().and_then(|tree| tree.document(&bytes).elements().next());
            let places = held.get(&(number, index as u32)).map(Vec::as_slice).or_empty();
            let mut lines = Vec::with_capacity(places.len());
            for place in places {
                lines.push(view.paragraph(*place)?.text(Side::Final).text);
            }
            let mut listed = listed(view, &control, properties, lines.join("\n"), places);
            if let Some((story, _)) = view.layout().stories.get(number as usize) {
                listed.story = story.to_string();
            }
            found.insert((number, block.start as usize), listed);
        }
    }
    Ok(found.into_values().collect())
}

/// What a reader sees of a stretch of the paragraph's source.
fn text_in(paragraph: &Paragraph, content: &std::ops::Range<usize>) -> String {
    let text = paragraph.text(Side::Final);
    let inside = text.pieces.iter().filter(|piece| {
        paragraph.atoms.get(piece.atom).is_some_and(|atom| content.contains(&atom.span.start))
    });
    inside.filter_map(|piece| text.text.get(piece.range.clone())).collect()
}

fn listed(
    view: &View,
    control: &Control,
    properties: Option<Node<'_>>,
    text: String,
    places: &[Place],
) -> ListedControl {
    let child =
        |wanted: &str| properties.and_then(|p| p.elements().find(|child| child.name().local == wanted));
    let list = child("dropDownList").or_else(|| child("comboBox"));
    let items = list.iter().flat_map(Node::elements).filter(|item| word_name(item) == "listItem");
    let checked = child("checkbox").map(|boxed| {
        let state = boxed.elements().find(|child| child.name().local == "checked");
        let value = state.and_then(|state| state.attributes().find(|attribute| attribute.local() == "val"));
        // Present without a value means yes.
        state.is_some() && value.is_none_or(|value| matches!(&*value.value(), "1" | "true" | "on"))
    });
    ListedControl {
        id: control.id.clone(),
        name: None,
        tag: control.tag.clone(),
        title: control.title.clone(),
        kind: control.kind,
        choices: items.filter_map(choice).collect(),
        text,
        prompt: control.placeholder,
        checked,
        longest: None,
        locked: control.lock,
        bound: control.bound,
        story: places.first().map(|place| view.story_of(*place).to_string()).or_empty(),
        paragraphs: places.iter().map(|place| view.id(*place)).collect(),
    }
}

/// A form field, and where it begins.
fn listed_form(
    view: &View,
    place: Place,
    paragraph: &Paragraph,
    field: &Field,
) -> Option<(usize, ListedControl)> {
    let form = field.form.as_ref()?;
    let begin = paragraph.atoms.get(field.begin?)?;
    let choice = |text: &String| Choice { text: text.clone(), value: text.clone() };
    let (kind, choices, checked, longest) = match &form.kind {
        FormKind::Text { longest, .. } => (ControlKind::FormText, Vec::new(), None, *longest),
        FormKind::CheckBox { checked } => (ControlKind::FormCheckBox, Vec::new(), Some(*checked), None),
        FormKind::DropDown { choices, .. } => {
            (ControlKind::FormDropDown, choices.iter().map(choice).collect(), None, None)
        }
    };
    let text = match form.sign() {
        Some(sign) => sign.to_owned(),
        None => {
            let from = field.separate.map_or(begin.span.end, |atom| {
                paragraph.atoms.get(atom).map_or(begin.span.end, |atom| atom.span.end)
            });
            let end = field.end.and_then(|end| paragraph.atoms.get(end));
            text_in(paragraph, &(from..end.map_or(paragraph.content.end, |end| end.span.start)))
        }
    };
    let listed = ListedControl {
        id: None,
        name: (!form.name.is_empty()).then(|| form.name.clone()),
        tag: None,
        title: None,
        kind,
        choices,
        // An empty field is drawn as five wide blanks.
        prompt: text.trim().is_empty(),
        text,
        checked,
        longest,
        locked: if form.enabled { Lock::Open } else { Lock::Content },
        bound: false,
        story: view.story_of(place).to_string(),
        paragraphs: vec![view.id(place)],
    };
    Some((begin.span.start, listed))
}

/// An item of a list; the one without a value is its prompt.
fn choice(item: Node<'_>) -> Option<Choice> {
    let value = item.value(ns::W, "value").or_empty().into_owned();
    let text = item.value(ns::W, "displayText").map_or_else(|| value.clone(), |text| text.into_owned());
    (!text.is_empty()).then_some(Choice { text, value })
}

#[cfg(test)]
mod tests {
    use edit::Format;

    use super::*;
    use crate::Word;
    use crate::testing::*;

    #[test]
    fn controls_are_listed_in_reading_order_with_what_they_hold() {
        let inline = "<w:sdt><w:sdtPr><w:alias w:val=\"Term\"/><w:tag w:val=\"term\"/><w:id w:val=\"7\"/><w:lock w:val=\"sdtContentLocked\"/><w:dropDownList><w:listItem w:displayText=\"Net 30\" w:value=\"30\"/><w:listItem w:value=\"60\"/></w:dropDownList></w:sdtPr><w:sdtContent><w:r><w:t>Net 30</w:t></w:r></w:sdtContent></w:sdt>";
        let inner = format!("<w:p><w:r><w:t xml:space=\"preserve\">Due: </w:t></w:r>{inline}</w:p>");
        let block = format!(
            "<w:sdt><w:sdtPr><w:tag w:val=\"all\"/><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>one</w:t></w:r></w:p>{inner}</w:sdtContent></w:sdt>"
        );
        let check = "<w:p><w:sdt><w:sdtPr><w:id w:val=\"9\"/><w14:checkbox xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\"><w14:checked w14:val=\"0\"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>\u{2610}</w:t></w:r></w:sdtContent></w:sdt></w:p>";
        let content = document(&format!("{block}{check}"));
        let view = Word::view(&content).expect("viewed");
        let listed = controls(&view).expect("listed");
        let ids: Vec<ParagraphId> = view.places().map(|place| view.id(place)).collect();
        let [all, term, agreed] = listed.as_slice() else { panic!("{listed:#?}") };
        assert_eq!((all.tag.as_deref(), all.text.as_str()), (Some("all"), "one\nDue: Net 30"));
        assert_eq!(all.paragraphs, ids[..2]);
        assert!(all.prompt && all.locked == Lock::Open && all.kind == ControlKind::RichText);
        assert_eq!((term.id.as_deref(), term.title.as_deref()), (Some("7"), Some("Term")));
        assert_eq!(
            (term.kind, term.locked, term.text.as_str()),
            (ControlKind::DropDown, Lock::Both, "Net 30")
        );
        let choice = |text: &str, value: &str| Choice { text: text.to_owned(), value: value.to_owned() };
        assert_eq!(term.choices, [choice("Net 30", "30"), choice("60", "60")]);
        assert_eq!(term.paragraphs, ids[1..2]);
        assert_eq!((agreed.checked, agreed.story.as_str()), (Some(false), "body"));
    }
}
