//! Word documents on the common road of edits.

use std::collections::BTreeMap;
use std::sync::Arc;

use edit::{
    Content, Context, Findings, Format, HouseRule, Lost, Packed, Patch, Planned, Refusal, Shown, Step,
    Undecided,
};
use ooxml::{Limits, Package};

use crate::edits::{changes, lint};
use crate::text::shown;
use crate::{Edit, Outcome, Resolution, ResolveChanges, View, Which, Word, inventory, vocabulary};

impl Format for Word {
    type View = View;
    type Edit = Edit;
    type Outcome = Outcome;
    type Settled = ();
    type Source = Package;
    type Limits = Limits;

    fn unpack(file: Arc<Vec<u8>>, limits: &Limits) -> Result<(Package, Content), Refusal> {
        if file.starts_with(b"{\\rtf") {
            return Err(other_format("a Rich Text file"));
        }
        let (package, content) = Package::open(file, limits)?;
        crate::document::layout::Layout::read(&content)?;
        Ok((package, content))
    }

    fn pack(source: &Package, content: &Content) -> Result<Vec<u8>, Refusal> {
        source.save(content)
    }

    fn repack(
        source: &Package,
        content: &Content,
        _: &Limits,
        room: Vec<u8>,
    ) -> Result<Packed<Package>, Refusal> {
        source.save_on(content, room)
    }

    fn view(content: &Content) -> Result<View, Refusal> {
        View::read(content)
    }

    fn view_after(view: View, patch: &Patch, after: &Content) -> Result<View, Refusal> {
        view.after(patch, after)
    }

    fn inventory(view: &View) -> Result<Vec<String>, Refusal> {
        inventory::inventory(view)
    }

    fn anchor(view: &View, edit: &Edit) -> Result<Edit, Refusal> {
        vocabulary::anchor(view, edit)
    }

    fn carry(edit: &Edit, patch: &Patch) -> Result<Edit, Lost> {
        vocabulary::carry(edit, patch)
    }

    fn shown(before: &View, after: &View, patch: &Patch) -> Result<Vec<Shown>, Refusal> {
        shown::shown(before, after, patch)
    }

    fn tracked(edit: &Edit) -> Option<Edit> {
        vocabulary::tracked(edit)
    }

    fn house_rule(view: &View, edit: &Edit) -> HouseRule {
        vocabulary::house_rules::rule(view, edit)
    }

    fn plan(view: &View, edit: &Edit, cx: &Context) -> Result<Planned<Outcome>, Refusal> {
        vocabulary::plan(view, edit, cx)
    }

    fn examine(before: &Content, after: &Content) -> Result<Option<Findings>, Refusal> {
        let (new, known) = lint::compare(before, after)?;
        let new = new.into_iter().map(|problem| format!("{}: {}", problem.part, problem.what)).collect();
        Ok(Some(Findings { new, known }))
    }

    fn undecided(view: &View, known: Option<&Undecided>) -> Result<BTreeMap<String, usize>, Refusal> {
        changes::authors(view, known)
    }

    fn decide(view: &View, cx: &Context) -> Result<Option<Step>, Refusal> {
        let all = ResolveChanges { resolution: Resolution::Accept, which: Which::All };
        let step = changes::plan(view, &all, cx)?.step;
        Ok((!step.patch.is_empty()).then_some(step))
    }
}

fn other_format(what: &str) -> Refusal {
    Refusal::Unsupported { what: what.to_owned(), instead: Some("save it as .docx and open that".to_owned()) }
}
