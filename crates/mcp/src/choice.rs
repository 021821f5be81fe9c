//! Which tools a server offers.
//!
//! Chosen once at start-up: the list is then the same for every client and every session, so clients can
//! cache it and a model never sees tools come and go.

use workspace::nearest;

use crate::{
    tool::{Set, Tool},
    tools,
};

/// What was asked for on the command line. The default is the `core` set.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Names of sets or tools, or `all`, which is every set but `review`.
    pub tools: Vec<String>,
    pub exclude: Vec<String>,
    /// Leaves out every tool that changes anything.
    pub read_only: bool,
    pub output_schemas: OutputSchemas,
}

/// Whether the list of tools tells the shape of their answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutputSchemas {
    /// If the whole list then still has its budget: a model pays for the list in every session.
    #[default]
    Fitting,
    Always,
    Never,
}

/// Six thousand tokens, as a common tokenizer counts them, for the tools that most sessions start with.
pub(crate) const CORE_BYTES: usize = 24_000;
/// Fifteen thousand tokens: a token of this list has 4.14 bytes.
pub(crate) const LIST_BYTES: usize = 62_000;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no tool or toolset is called `{name}`{}; toolsets: core, word, sheet, markdown, workspace, review, all", did_you_mean(.nearest.as_deref()))]
pub struct UnknownTools {
    pub name: String,
    pub nearest: Option<String>,
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!(", did you mean `{nearest}`"))
}

impl Choice {
    /// Splits a command-line list (`word,sheet`).
    pub fn list(text: &str) -> Vec<String> {
        text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// Whether everything that was asked for exists; without making a single tool.
    pub fn check(&self) -> Result<(), UnknownTools> {
        self.check_among(tools::NAMES)
    }

    fn check_among(&self, tools: &[&str]) -> Result<(), UnknownTools> {
        for name in self.tools.iter().chain(&self.exclude) {
            let known = tools.iter().copied().chain(Set::ALL.iter().map(|set| set.name())).chain(["all"]);
            if !known.clone().any(|known| known == name) {
                let nearest = nearest(name, known).map(str::to_owned);
                return Err(UnknownTools { name: name.clone(), nearest });
            }
        }
        Ok(())
    }

    /// The chosen tools, sorted by name.
    pub(crate) fn pick(&self, mut tools: Vec<Tool>) -> Result<Vec<Tool>, UnknownTools> {
        self.check_among(&tools.iter().map(|tool| tool.name).collect::<Vec<_>>())?;
        let core = [Set::Core.name().to_owned()];
        let wanted: &[String] = if self.tools.is_empty() { &core } else { &self.tools };
        tools.retain(|tool| {
            wanted.iter().any(|name| names(name, tool))
                && !self.exclude.iter().any(|name| names(name, tool))
                && (tool.about.hints.read_only || !self.read_only)
        });
        tools.sort_by_key(|tool| tool.name);
        Ok(tools)
    }

    /// The tools as the protocol lists them.
    pub(crate) fn list_of(&self, tools: &[Tool]) -> Vec<rmcp::model::Tool> {
        let brief = || tools.iter().map(Tool::listed).collect();
        if self.output_schemas == OutputSchemas::Never {
            return brief();
        }
        let full: Vec<_> = tools.iter().map(Tool::listed_in_full).collect();
        let core = self.tools.iter().all(|name| name == Set::Core.name());
        let budget = if core { CORE_BYTES } else { LIST_BYTES };
        // What cannot be written is not sent either, so its size does not matter.
        let fits = || serde_json::to_vec(&full).is_ok_and(|list| list.len() <= budget);
        if self.output_schemas == OutputSchemas::Always || fits() { full } else { brief() }
    }
}

fn names(name: &str, tool: &Tool) -> bool {
    let sets = tool.about.sets;
    let in_all = sets != [Set::Review];
    name == "all" && in_all || name == tool.name || sets.iter().any(|set| set.name() == name)
}
