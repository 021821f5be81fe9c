//! What one choice of tools offers: the tools themselves, their list, and what to say of those left out.

use rmcp::model::{ErrorCode, ErrorData};
use workspace::nearest;

use crate::{
    choice::{Choice, UnknownTools},
    cx::Catalogue,
    resources,
    tool::Tool,
    tools,
};

#[derive(Debug)]
pub struct Offer {
    /// Sorted by name.
    pub(crate) tools: Vec<Tool>,
    /// Tools that exist and were not chosen, for a better answer to a call of one.
    left_out: Vec<(&'static str, &'static str)>,
    pub(crate) listed: Vec<rmcp::model::Tool>,
    pub(crate) catalogue: Catalogue,
}

impl Offer {
    pub fn new(choice: &Choice) -> Result<Self, UnknownTools> {
        Self::of(choice, tools::all())
    }

    /// The names of its tools, sorted.
    pub fn names(&self) -> &[&'static str] {
        &self.catalogue.tools
    }

    /// A choice among tools of the caller's making.
    pub fn of(choice: &Choice, all: Vec<Tool>) -> Result<Self, UnknownTools> {
        let mut left_out: Vec<_> = all
            .iter()
            .map(|tool| (tool.name, tool.about.sets.last().map_or("all", |set| set.name())))
            .collect();
        let tools = choice.pick(all)?;
        left_out.retain(|(name, _)| tools.iter().all(|tool| tool.name != *name));
        let catalogue = Catalogue {
            tools: tools.iter().map(|tool| tool.name).collect(),
            resources: resources::uris(),
            read_only: choice.read_only,
        };
        Ok(Self { listed: choice.list_of(&tools), tools, left_out, catalogue })
    }

    /// Where a tool stands in the list, by its name or another that clients know it by.
    pub(crate) fn find(&self, name: &str) -> Result<usize, ErrorData> {
        let name = tools::listed_name(name);
        if let Ok(index) = self.tools.binary_search_by(|tool| tool.name.cmp(name)) {
            return Ok(index);
        }
        let mut message = format!("Unknown tool: {name}.");
        if let Some((_, set)) = self.left_out.iter().find(|(left_out, _)| *left_out == name) {
            message.push_str(&match self.catalogue.read_only {
                true => " It is not offered by this server, which may be because it was started read-only."
                    .to_owned(),
                false => format!(" It exists, but is not switched on; start the server with --tools {set}."),
            });
        } else if let Some(near) = nearest(name, self.catalogue.tools.iter().copied()) {
            message.push_str(&format!(" Did you mean {near}?"));
        }
        Err(ErrorData::new(ErrorCode::INVALID_PARAMS, message, None))
    }
}
