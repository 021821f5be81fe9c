//! `batch_edit_docx`: several edits of a Word document, all or none.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use workspace::targets::{self, Argument, Insertion};
use workspace::word::{DeleteParagraph, Edit, Markup, ParagraphId, ReplaceText, Word};
use workspace::{DocId, Workspace};

use super::smart_insert::Where;
use crate::{
    cx::Cx,
    error::ToolError,
    tool::{About, Hints, Set},
    word::{self, Edited, Track},
};

pub(crate) const ABOUT: About =
    About { title: "Edit Word document in one go", sets: &[Set::Core, Set::Word], hints: Hints::EDIT };

/// Makes several edits of a .docx as one step: all or none, one undo. replace takes old_string and new_string,
/// insert new_string and position. Each edit sees what the one before it left.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    file_path: Option<String>,
    session_id: Option<String>,
    #[schemars(length(min = 1, max = 1000))]
    edits: Vec<One>,
    #[serde(default)]
    track: Track,
    #[serde(default)]
    dry_run: bool,
    #[serde(default)]
    override_protection: bool,
    expect_revision: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct One {
    op: Op,
    paragraph_id: String,
    old_string: Option<String>,
    new_string: Option<String>,
    position: Option<Where>,
    style_source_id: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Op {
    Replace,
    Insert,
    Delete,
}

/// The edits of a list that was given as JSON, for the command line.
pub fn edits(
    workspace: &Workspace,
    document: DocId,
    list: Value,
    markup: Markup,
) -> Result<Vec<Edit>, ToolError> {
    let list: Vec<One> =
        serde_json::from_value(list).map_err(|error| ToolError::invalid(error.to_string()))?;
    let edits = list.into_iter().enumerate().map(|(index, one)| {
        let read = |insertion: Insertion<'_>| {
            workspace.read::<Word, _>(document, |view| targets::insertion(view, insertion))
        };
        let find = |argument: Argument<'_>| {
            workspace.read::<Word, _>(document, |view| targets::paragraph(view, argument))
        };
        let edit = one.edit(markup, |argument| Ok(find(argument)??), |insertion| Ok(read(insertion)??));
        edit.map_err(|error| error.within(format_args!("edits[{index}]")))
    });
    edits.collect()
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Edited, ToolError> {
    let target = word::target(cx, input.file_path.as_deref(), input.session_id.as_deref())?
        .overriding(input.override_protection);
    let edits = input
        .edits
        .into_iter()
        .enumerate()
        .map(|(index, one)| {
            let find = |Argument { field, name }: Argument<'_>| word::paragraph(cx, &target, field, name);
            let insert = |insertion: Insertion<'_>| word::insertion(cx, &target, insertion);
            one.edit(input.track.markup(), find, insert)
                .map_err(|error| error.within(format_args!("edits[{index}]")))
        })
        .collect::<Result<Vec<_>, _>>()?;
    word::edit(cx, &target, edits, input.track, input.dry_run, input.expect_revision.as_deref())
}

impl One {
    fn edit(
        self,
        markup: Markup,
        find: impl Fn(Argument<'_>) -> Result<ParagraphId, ToolError>,
        insert: impl Fn(Insertion<'_>) -> Result<Edit, ToolError>,
    ) -> Result<Edit, ToolError> {
        let paragraph = || find(Argument { field: "paragraph_id", name: &self.paragraph_id });
        let missing = |field: &str| ToolError::invalid(format!("{field} is needed for this op"));
        Ok(match self.op {
            Op::Replace => Edit::ReplaceText(ReplaceText {
                paragraph: paragraph()?,
                old: self.old_string.ok_or_else(|| missing("old_string"))?,
                new: self.new_string.ok_or_else(|| missing("new_string"))?,
                expect: None,
                markup,
                clear_highlight: false,
            }),
            Op::Insert => {
                let source = self.style_source_id.as_deref();
                let insertion = Insertion {
                    beside: Argument { field: "paragraph_id", name: &self.paragraph_id },
                    position: self.position.unwrap_or_default().into(),
                    text: self.new_string.ok_or_else(|| missing("new_string"))?,
                    style_source: source.map(|name| Argument { field: "style_source_id", name }),
                    markup,
                };
                insert(insertion)?
            }
            Op::Delete => {
                Edit::DeleteParagraph(DeleteParagraph { paragraph: paragraph()?, expect: None, markup })
            }
        })
    }
}
