//! `block_set_type`: turn the current block into another type.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::markdown::{self, Edit};

use crate::{
    cx::Cx,
    error::ToolError,
    prose::{Answer, EditOptions, Prose},
    tool::{About, Hints, Set},
    wire::Window,
};

pub(crate) const ABOUT: About = About { title: "Set block type", sets: &[Set::Markdown], hints: Hints::SET };

/// Converts the block at the cursor, or the selected blocks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Input {
    #[serde(rename = "type")]
    kind: BlockType,
    /// For headings.
    #[schemars(range(min = 1, max = 6))]
    level: Option<u8>,
    /// For code.
    language: Option<String>,
    window_id: Option<Window>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum BlockType {
    Paragraph,
    Heading,
    CodeBlock,
    Blockquote,
}

impl BlockType {
    pub(crate) fn with(
        self,
        level: Option<u8>,
        language: Option<String>,
    ) -> Result<markdown::BlockType, ToolError> {
        Ok(match self {
            Self::Paragraph => markdown::BlockType::Paragraph,
            Self::Blockquote => markdown::BlockType::Blockquote,
            Self::CodeBlock => markdown::BlockType::CodeBlock { language },
            Self::Heading => markdown::BlockType::Heading {
                level: level.ok_or_else(|| ToolError::invalid("level: required for a heading, 1 to 6"))?,
            },
        })
    }
}

pub(crate) fn run(cx: &Cx<'_>, input: Input) -> Result<Answer, ToolError> {
    let prose = Prose::open(cx, input.window_id)?;
    let range = prose.selection(cx)?;
    let to = input.kind.with(input.level, input.language)?;
    Ok(prose.edit(cx, Edit::SetBlock { range, to }, EditOptions::default())?.answer())
}
