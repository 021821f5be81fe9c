//! From the bytes of a paragraph to its atoms.

use std::ops::Range;
use std::sync::Arc;

use edit::{Cut, OrEmpty};
use ooxml::xml::{XmlError, decode_text};

use super::equation::Equation;
use super::{
    Atom, AtomKind, Control, ControlKind, Field, Lock, Mark, Paragraph, Phase, Revision, Run, TextAtom, Wrap,
    WrapKind,
};
use crate::document::index::understands;
use crate::document::names::{El, Scope, attribute, attributes};
use crate::document::scan::{Scan, ScanEvent, Tag, malformed};

impl Paragraph {
    /// Reads the paragraph that `source` is and that stands at `at` of its part. `before` are the fields that
    /// earlier paragraphs left open, the outermost first.
    pub(crate) fn read(
        source: &[u8],
        at: usize,
        scope: Arc<Scope>,
        keeps_blanks: bool,
        before: &[Phase],
    ) -> Result<Paragraph, XmlError> {
        let shift = |error: XmlError| XmlError { offset: error.offset + at, ..error };
        let mut reader = Reader {
            scan: Scan::new(source, scope),
            at,
            keeps_blanks,
            paragraph: Paragraph {
                source: source.to_vec(),
                span: at..at + source.len(),
                content: at..at,
                closes_itself: false,
                prefix: prefix_of(source),
                properties: None,
                mark: Mark::default(),
                runs: Vec::new(),
                wraps: Vec::new(),
                fields: Vec::new(),
                atoms: Vec::new(),
            },
            open: Vec::new(),
            fields: Vec::new(),
            branches: Vec::new(),
        };
        for phase in before {
            let field = Field { parent: reader.fields.last().map(|open| open.0), ..Field::default() };
            reader.fields.push((reader.paragraph.fields.len(), *phase));
            reader.paragraph.fields.push(field);
        }
        reader.run().map_err(shift)?;
        Ok(reader.paragraph)
    }
}

struct Reader<'a> {
    scan: Scan<'a>,
    at: usize,
    keeps_blanks: bool,
    paragraph: Paragraph,
    open: Vec<Open>,
    /// Fields that are open, with where we are in them.
    fields: Vec<(usize, Phase)>,
    branches: Vec<bool>,
}

struct Open {
    what: What,
    depth: usize,
}

enum What {
    Run(usize),
    Wrap(usize),
    /// `w:sdtContent` or a branch: the content of the wrap below.
    Content(usize),
}

impl Reader<'_> {
    fn run(&mut self) -> Result<(), XmlError> {
        match self.scan.next()? {
            Some(ScanEvent::Start(tag)) if tag.el == El::P => {
                self.paragraph.content = self.at + tag.end..self.at + tag.end;
                self.keeps_blanks |=
                    crate::document::index::keeps_blanks(self.scan.slice(tag.start..tag.end));
            }
            Some(ScanEvent::Empty(tag)) if tag.el == El::P => {
                self.paragraph.content = self.at + tag.end..self.at + tag.end;
                self.paragraph.closes_itself = true;
            }
            _ => return Err(malformed(0, "a paragraph does not start here")),
        }
        while let Some(piece) = self.scan.next()? {
            match piece {
                ScanEvent::Start(tag) => self.start(tag, false)?,
                ScanEvent::Empty(tag) => self.start(tag, true)?,
                ScanEvent::End(tag) => self.end(tag),
                ScanEvent::Text(..) | ScanEvent::Cdata(..) => {}
            }
        }
        Ok(())
    }

    fn start(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        match tag.el {
            El::PPr if self.open.is_empty() => return self.properties(tag, empty),
            El::R => self.open_run(tag, empty),
            El::RPr => {
                let end = if empty { tag.end } else { self.scan.skip()? };
                let span = self.span(tag.start, end);
                if let Some(Open { what: What::Run(run), .. }) = self.open.last()
                    && let Some(run) = self.paragraph.runs.get_mut(*run)
                {
                    run.properties.get_or_insert(span);
                }
            }
            El::T | El::DelText => return self.text(tag, empty),
            El::InstrText | El::DelInstrText => {
                let (end, text) = self.characters(tag, empty)?;
                if let Some((field, Phase::Instruction)) = self.fields.last()
                    && let Some(field) = self.paragraph.fields.get_mut(*field)
                {
                    field.instruction.push_str(&text);
                }
                self.atom(AtomKind::FieldInstruction(text), tag.start, end);
            }
            El::FldChar => return self.field(tag, empty),
            El::Hyperlink
            | El::Ins
            | El::Del
            | El::MoveFrom
            | El::MoveTo
            | El::FldSimple
            | El::SmartTag
            | El::CustomXml
            | El::Dir
            | El::Bdo
            | El::Sdt => self.open_wrap(tag, empty),
            El::SdtContent if !empty => self.content(tag),
            El::SdtPr => return self.control(tag, empty),
            El::AlternateContent if !empty => {
                self.branches.push(false);
                let kind = WrapKind::Branch;
                self.push_wrap(kind, tag, empty);
            }
            El::Choice | El::Fallback if !empty => return self.branch(tag),
            El::Ruby => self.push_wrap(WrapKind::Ruby, tag, empty),
            El::RubyBase if !empty => self.content(tag),
            El::Drawing | El::Pict | El::Object | El::OMath | El::OMathPara => {
                return self.object(tag, empty);
            }
            _ => return self.leaf(tag, empty),
        }
        Ok(())
    }

    fn end(&mut self, tag: Tag) {
        if tag.el == El::AlternateContent {
            self.branches.pop();
        }
        let depth = self.scan.depth();
        if depth == 0 {
            self.paragraph.content.end = self.at + tag.start;
            return;
        }
        if self.open.last().is_none_or(|open| open.depth != depth + 1) {
            return;
        }
        let (start, end) = (self.at + tag.start, self.at + tag.end);
        match self.open.pop().map(|open| open.what) {
            Some(What::Run(run)) => {
                if let Some(run) = self.paragraph.runs.get_mut(run) {
                    run.content.end = start;
                    run.span.end = end;
                }
            }
            Some(What::Wrap(wrap)) => {
                if let Some(wrap) = self.paragraph.wraps.get_mut(wrap) {
                    let inner = matches!(wrap.kind, WrapKind::Control(_) | WrapKind::Branch | WrapKind::Ruby);
                    if !inner {
                        wrap.content.end = start;
                    }
                    wrap.span.end = end;
                }
            }
            Some(What::Content(wrap)) => {
                if let Some(wrap) = self.paragraph.wraps.get_mut(wrap) {
                    wrap.content.end = start;
                }
            }
            None => {}
        }
    }

    fn properties(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        let end = if empty { tag.end } else { self.scan.skip()? };
        if self.paragraph.properties.is_none() {
            self.paragraph.properties = Some(self.span(tag.start, end));
            self.paragraph.mark = mark_of(self.scan.slice(tag.start..end), self.scan.scope())?;
        }
        Ok(())
    }

    fn open_run(&mut self, tag: Tag, empty: bool) {
        let span = self.span(tag.start, tag.end);
        let content = span.end..span.end;
        let wrap = self.wrap();
        let index = self.paragraph.runs.len();
        self.paragraph.runs.push(Run { span, content, properties: None, wrap });
        if !empty {
            self.open.push(Open { what: What::Run(index), depth: self.scan.depth() });
        }
    }

    fn open_wrap(&mut self, tag: Tag, empty: bool) {
        let source = self.scan.slice(tag.start..tag.end);
        let value = |name: &str| attribute(source, name).map(|value| value.into_owned());
        let kind = match tag.el {
            El::Hyperlink => WrapKind::Hyperlink {
                relationship: value("id").filter(|id| !id.is_empty()),
                anchor: value("anchor").filter(|anchor| !anchor.is_empty()),
            },
            El::Ins => WrapKind::Inserted(revision(source)),
            El::Del => WrapKind::Deleted(revision(source)),
            El::MoveFrom => WrapKind::MovedFrom(revision(source)),
            El::MoveTo => WrapKind::MovedTo(revision(source)),
            El::FldSimple => WrapKind::SimpleField { instruction: value("instr").or_empty() },
            El::SmartTag => WrapKind::SmartTag,
            El::CustomXml => WrapKind::CustomXml,
            El::Sdt => WrapKind::Control(Control::default()),
            _ => WrapKind::Direction,
        };
        self.push_wrap(kind, tag, empty);
    }

    fn push_wrap(&mut self, kind: WrapKind, tag: Tag, empty: bool) {
        let span = self.span(tag.start, tag.end);
        let content = span.end..span.end;
        let parent = self.wrap();
        let index = self.paragraph.wraps.len();
        self.paragraph.wraps.push(Wrap { kind, span, content, parent });
        if !empty {
            self.open.push(Open { what: What::Wrap(index), depth: self.scan.depth() });
        }
    }

    fn content(&mut self, tag: Tag) {
        let Some(Open { what: What::Wrap(index), .. }) = self.open.last() else { return };
        let index = *index;
        let from = self.at + tag.end;
        if let Some(wrap) = self.paragraph.wraps.get_mut(index) {
            wrap.content = from..from;
        }
        self.open.push(Open { what: What::Content(index), depth: self.scan.depth() });
    }

    fn branch(&mut self, tag: Tag) -> Result<(), XmlError> {
        let taken = self.branches.last().copied().unwrap_or(false);
        let understood = tag.el == El::Fallback || understands(self.scan.slice(tag.start..tag.end));
        if taken || !understood {
            self.scan.skip()?;
            return Ok(());
        }
        if let Some(taken) = self.branches.last_mut() {
            *taken = true;
        }
        self.content(tag);
        Ok(())
    }

    fn control(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        let end = if empty { tag.end } else { self.scan.skip()? };
        let control = control_of(self.scan.slice(tag.start..end), self.scan.scope())?;
        if let Some(Open { what: What::Wrap(index), .. }) = self.open.last()
            && let Some(wrap) = self.paragraph.wraps.get_mut(*index)
        {
            wrap.kind = WrapKind::Control(control);
        }
        Ok(())
    }

    fn text(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        if empty {
            return Ok(());
        }
        let keeps = crate::document::index::keeps_blanks(self.scan.slice(tag.start..tag.end));
        let preserved = self.keeps_blanks || keeps;
        let mut pieces: Vec<(usize, usize, bool)> = Vec::new();
        let depth = self.scan.depth();
        let mut end = tag.end;
        while self.scan.depth() >= depth {
            match self.scan.next()? {
                Some(ScanEvent::Text(from, to)) => pieces.push((from, to, false)),
                Some(ScanEvent::Cdata(from, to)) => pieces.push((from, to, true)),
                Some(ScanEvent::End(tag)) => end = tag.end,
                Some(_) => {}
                None => break,
            }
        }
        if !preserved {
            self.trim(&mut pieces);
        }
        let element = self.span(tag.start, end);
        for (from, to, cdata) in pieces.into_iter().filter(|(from, to, _)| from < to) {
            let raw = self.scan.text(from..to);
            let decoded = if cdata { raw.into() } else { decode_text(raw) };
            // Word shows a line end inside w:t as a blank.
            let text = if decoded.contains(['\n', '\r']) {
                decoded.replace("\r\n", " ").replace(['\n', '\r'], " ")
            } else {
                decoded.into_owned()
            };
            let verbatim = text.len() == raw.len();
            let element = element.clone();
            self.atom(AtomKind::Text(TextAtom { text, element, verbatim, cdata, preserved }), from, to);
        }
        Ok(())
    }

    /// Word trims blanks at both ends of w:t unless xml:space="preserve" is set.
    fn trim(&self, pieces: &mut [(usize, usize, bool)]) {
        let blank = |at: usize| matches!(self.scan.source().get(at), Some(b' ' | b'\t' | b'\r' | b'\n'));
        if let Some((from, to, _)) = pieces.first_mut() {
            while from < to && blank(*from) {
                *from += 1;
            }
        }
        if let Some((from, to, _)) = pieces.last_mut() {
            while from < to && blank(*to - 1) {
                *to -= 1;
            }
        }
    }

    /// The text inside an element that holds nothing else, and where the element ends.
    fn characters(&mut self, tag: Tag, empty: bool) -> Result<(usize, String), XmlError> {
        if empty {
            return Ok((tag.end, String::new()));
        }
        let (mut end, mut text) = (tag.end, String::new());
        let depth = self.scan.depth();
        while self.scan.depth() >= depth {
            match self.scan.next()? {
                Some(ScanEvent::Text(from, to)) => {
                    let raw = self.scan.text(from..to);
                    text.push_str(&decode_text(raw));
                }
                Some(ScanEvent::Cdata(from, to)) => {
                    text.push_str(self.scan.text(from..to));
                }
                Some(ScanEvent::End(tag)) => end = tag.end,
                Some(_) => {}
                None => break,
            }
        }
        Ok((end, text))
    }

    fn field(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        let source = self.scan.slice(tag.start..tag.end);
        let kind = attribute(source, "fldCharType").or_empty();
        let locked = attribute(source, "fldLock").is_some_and(|value| is_on(&value));
        let end = if empty { tag.end } else { self.scan.skip()? };
        let form = (!empty).then(|| super::FormField::read(self.scan.slice(tag.start..end))).flatten();
        let atom = self.paragraph.atoms.len();
        match &*kind {
            "begin" => {
                let index = self.paragraph.fields.len();
                let parent = self.fields.last().map(|open| open.0);
                let hidden = self.fields.iter().any(|(_, phase)| *phase == Phase::Instruction);
                let form = form.filter(|_| !hidden).map(Box::new);
                self.paragraph.fields.push(Field {
                    begin: Some(atom),
                    parent,
                    locked,
                    form,
                    ..Field::default()
                });
                self.fields.push((index, Phase::Instruction));
                self.atom(AtomKind::FieldBegin, tag.start, end);
            }
            "separate" => {
                if let Some((field, phase)) = self.fields.last_mut() {
                    *phase = Phase::Result;
                    if let Some(field) = self.paragraph.fields.get_mut(*field) {
                        field.separate = Some(atom);
                    }
                }
                self.atom(AtomKind::FieldSeparate, tag.start, end);
            }
            "end" => {
                self.atom(AtomKind::FieldEnd, tag.start, end);
                if let Some((field, _)) = self.fields.pop()
                    && let Some(field) = self.paragraph.fields.get_mut(field)
                {
                    field.end = Some(atom);
                }
            }
            _ => self.atom(AtomKind::Other, tag.start, end),
        }
        Ok(())
    }

    fn object(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        let depth = self.scan.depth();
        let (mut alt, mut text_box, mut math, mut end) = (String::new(), false, Equation::default(), tag.end);
        while !empty && self.scan.depth() >= depth {
            match self.scan.next()? {
                Some(ScanEvent::Start(inner)) if inner.el == El::TxbxContent => {
                    text_box = true;
                    self.scan.skip()?;
                }
                Some(ScanEvent::Start(inner)) if inner.el == El::MathText => {
                    let said = self.characters(inner, false)?.1;
                    math.say(&said);
                }
                Some(ScanEvent::Start(inner)) if math.is_about(inner.el) => {
                    math.began(inner.el, self.scan.depth());
                }
                Some(ScanEvent::Start(inner) | ScanEvent::Empty(inner)) if math.is_sign(inner.el) => {
                    let source = self.scan.slice(inner.start..inner.end);
                    math.sign(inner.el, attribute(source, "val").or_empty().into_owned());
                }
                // A mark of the run it stands in.
                Some(ScanEvent::Empty(inner)) if math.is_about(inner.el) => math.marked(inner.el),
                Some(ScanEvent::Start(inner) | ScanEvent::Empty(inner))
                    if alt.is_empty() && matches!(inner.el, El::DocPr | El::ImageData | El::Other) =>
                {
                    alt = alternative_text(inner.el, self.scan.slice(inner.start..inner.end));
                }
                Some(ScanEvent::End(inner)) => {
                    math.ended(self.scan.depth() + 1);
                    end = inner.end;
                }
                Some(_) => {}
                None => break,
            }
        }
        let kind = match tag.el {
            El::OMath | El::OMathPara => {
                let before = (math.before != math.text).then_some(math.before);
                AtomKind::Math { text: math.text, before }
            }
            El::Object => AtomKind::Object,
            _ => AtomKind::Drawing { alt, text_box },
        };
        self.atom(kind, tag.start, end);
        Ok(())
    }

    fn leaf(&mut self, tag: Tag, empty: bool) -> Result<(), XmlError> {
        let source = self.scan.slice(tag.start..tag.end);
        let value = |name: &str| attribute(source, name).or_empty().into_owned();
        let custom = || attribute(source, "customMarkFollows").is_some_and(|value| is_on(&value));
        let kind = match tag.el {
            El::Tab | El::PTab => AtomKind::Tab,
            El::Cr => AtomKind::LineBreak,
            El::Br => match &*value("type") {
                "page" => AtomKind::PageBreak,
                "column" => AtomKind::ColumnBreak,
                _ => AtomKind::LineBreak,
            },
            El::NoBreakHyphen => AtomKind::NoBreakHyphen,
            El::SoftHyphen => AtomKind::SoftHyphen,
            El::Sym => {
                let number =
                    u32::from_str_radix(value("char").trim_start_matches("0x"), 16).unwrap_or(0xFFFD);
                let character = char::from_u32(number).unwrap_or('\u{FFFD}');
                AtomKind::Symbol { font: value("font"), character }
            }
            El::FootnoteReference => AtomKind::FootnoteReference { id: value("id"), custom: custom() },
            El::EndnoteReference => AtomKind::EndnoteReference { id: value("id"), custom: custom() },
            El::FootnoteRef | El::EndnoteRef => AtomKind::NoteMark,
            El::AnnotationRef => AtomKind::CommentMark,
            El::CommentReference => AtomKind::CommentReference { id: value("id") },
            El::CommentRangeStart => AtomKind::CommentStart { id: value("id") },
            El::CommentRangeEnd => AtomKind::CommentEnd { id: value("id") },
            El::BookmarkStart => AtomKind::BookmarkStart { id: value("id"), name: value("name") },
            El::BookmarkEnd => AtomKind::BookmarkEnd { id: value("id") },
            // Bookkeeping of wraps that is no content.
            El::SdtEndPr | El::SmartTagPr | El::CustomXmlPr | El::Rt | El::RubyPr => {
                if !empty {
                    self.scan.skip()?;
                }
                return Ok(());
            }
            _ => AtomKind::Other,
        };
        let end = if empty { tag.end } else { self.scan.skip()? };
        self.atom(kind, tag.start, end);
        Ok(())
    }

    fn atom(&mut self, kind: AtomKind, from: usize, to: usize) {
        let run = self.open.iter().rev().find_map(|open| match open.what {
            What::Run(run) => Some(run),
            _ => None,
        });
        let wrap = self.wrap();
        let (mut inserted, mut deleted) = (false, false);
        for wrap in self.paragraph.around(wrap) {
            inserted |= matches!(wrap.kind, WrapKind::Inserted(_) | WrapKind::MovedTo(_));
            deleted |= matches!(wrap.kind, WrapKind::Deleted(_) | WrapKind::MovedFrom(_));
        }
        let machinery = matches!(
            kind,
            AtomKind::FieldBegin
                | AtomKind::FieldInstruction(_)
                | AtomKind::FieldSeparate
                | AtomKind::FieldEnd
        );
        let instruction = machinery || self.fields.iter().any(|(_, phase)| *phase == Phase::Instruction);
        let field = self.fields.last().map(|open| open.0);
        let span = self.span(from, to);
        self.paragraph.atoms.push(Atom { kind, span, run, wrap, field, inserted, deleted, instruction });
    }

    fn wrap(&self) -> Option<usize> {
        self.open.iter().rev().find_map(|open| match open.what {
            What::Wrap(wrap) | What::Content(wrap) => Some(wrap),
            What::Run(_) => None,
        })
    }

    fn span(&self, from: usize, to: usize) -> Range<usize> {
        self.at + from..self.at + to
    }
}

/// The prefix of the paragraph's own tag, colon included.
fn prefix_of(source: &[u8]) -> String {
    let name = source.left(1);
    let end = name.iter().position(|byte| matches!(byte, b' ' | b'/' | b'>' | b'\t' | b'\r' | b'\n'));
    let name = name.part(..end.unwrap_or(name.len()));
    let colon = memchr::memchr(b':', name).map_or(0, |colon| colon + 1);
    String::from_utf8_lossy(name.part(..colon)).into_owned()
}

pub(crate) fn revision(tag: &[u8]) -> Revision {
    let mut revision = Revision::default();
    for attribute in attributes(tag) {
        match attribute.local() {
            b"id" => revision.id = attribute.value().into_owned(),
            b"author" => revision.author = attribute.value().into_owned(),
            b"date" => revision.date = Some(attribute.value().into_owned()),
            _ => {}
        }
    }
    revision
}

/// What `w:pPr/w:rPr` says about the paragraph mark.
pub(crate) fn mark_of(properties: &[u8], scope: &Arc<Scope>) -> Result<Mark, XmlError> {
    let mut mark = Mark::default();
    let mut scan = Scan::new(properties, Arc::clone(scope));
    let mut in_run_properties = false;
    while let Some(piece) = scan.next()? {
        match piece {
            ScanEvent::Start(tag) if tag.el == El::RPr && scan.depth() == 2 => in_run_properties = true,
            ScanEvent::End(tag) if tag.el == El::RPr && scan.depth() == 1 => in_run_properties = false,
            ScanEvent::Start(tag) | ScanEvent::Empty(tag) if in_run_properties && scan.depth() <= 3 => {
                let source = scan.slice(tag.start..tag.end);
                match tag.el {
                    El::Ins | El::MoveTo => mark.inserted = Some(revision(source)),
                    El::Del | El::MoveFrom => mark.deleted = Some(revision(source)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    Ok(mark)
}

/// What `w:sdtPr` says.
pub(crate) fn control_of(properties: &[u8], scope: &Arc<Scope>) -> Result<Control, XmlError> {
    let mut control = Control::default();
    let mut scan = Scan::new(properties, Arc::clone(scope));
    while let Some(piece) = scan.next()? {
        let tag = match piece {
            ScanEvent::Start(tag) if scan.depth() == 2 => tag,
            ScanEvent::Empty(tag) if scan.depth() == 1 => tag,
            _ => continue,
        };
        let source = scan.slice(tag.start..tag.end);
        let value = || attribute(source, "val").map(|value| value.into_owned());
        match tag.el {
            El::SdtId => control.id = value(),
            El::SdtTag => control.tag = value(),
            El::SdtAlias => control.title = value(),
            El::DataBinding => control.bound = true,
            El::ShowingPlaceholder => control.placeholder = value().is_none_or(|value| is_on(&value)),
            El::SdtLock => {
                control.lock = match value().as_deref() {
                    Some("sdtLocked") => Lock::Control,
                    Some("contentLocked") => Lock::Content,
                    Some("sdtContentLocked") => Lock::Both,
                    _ => Lock::Open,
                }
            }
            El::SdtText => control.kind = ControlKind::PlainText,
            El::SdtCheckBox => control.kind = ControlKind::CheckBox,
            El::DropDownList => control.kind = ControlKind::DropDown,
            El::ComboBox => control.kind = ControlKind::ComboBox,
            El::SdtDate => control.kind = ControlKind::Date,
            El::SdtPicture => control.kind = ControlKind::Picture,
            El::DocPartList | El::DocPartObj => control.kind = ControlKind::Gallery,
            El::SdtGroup => control.kind = ControlKind::Group,
            El::SdtCitation | El::SdtBibliography => control.kind = ControlKind::Citation,
            El::SdtEquation => control.kind = ControlKind::Equation,
            _ => {}
        }
    }
    Ok(control)
}

fn alternative_text(el: El, tag: &[u8]) -> String {
    let names: &[&str] = match el {
        El::DocPr => &["descr", "title"],
        El::ImageData => &["title"],
        // Shapes of the old drawing language carry it themselves.
        _ => &["alt"],
    };
    names
        .iter()
        .find_map(|name| attribute(tag, name).filter(|value| !value.is_empty()))
        .or_empty()
        .into_owned()
}

/// How Word spells yes.
pub(crate) fn is_on(value: &str) -> bool {
    !matches!(value, "0" | "false" | "off" | "none")
}
