//! Which tools a server offers.
//!
//! Chosen once at start-up: the list is then the same for every client and every session, so clients can
//! cache it and a model never sees tools come and go.

use workspace::nearest;

use crate::tool::{Set, Tool};

/// What was asked for on the command line. The default is the `core` set.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Names of sets or tools, or `all`.
    pub tools: Vec<String>,
    pub exclude: Vec<String>,
    /// Leaves out every tool that changes anything.
    pub read_only: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no tool or toolset is called `{name}`{}; toolsets: core, word, sheet, markdown, workspace, all", did_you_mean(.nearest.as_deref()))]
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

    /// The chosen tools, sorted by name.
    pub(crate) fn pick(&self, mut tools: Vec<Tool>) -> Result<Vec<Tool>, UnknownTools> {
        for name in self.tools.iter().chain(&self.exclude) {
            let sets = || Set::ALL.iter().map(|set| set.name()).chain(["all"]);
            let known = tools.iter().map(|tool| tool.name).chain(sets());
            if !known.clone().any(|known| known == name) {
                let nearest = nearest(name, known).map(str::to_owned);
                return Err(UnknownTools { name: name.clone(), nearest });
            }
        }
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
}

fn names(name: &str, tool: &Tool) -> bool {
    name == "all" || name == tool.name || tool.about.sets.iter().any(|set| set.name() == name)
}
