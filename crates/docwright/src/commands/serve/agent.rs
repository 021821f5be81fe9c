//! The agent's settings, out of options, the environment and a key file.
//!
//! A key comes from a file or the environment, never from an argument that others can see in `ps`, and is shown nowhere.

use std::path::Path;
use std::sync::Arc;

use gateway::agent::{Kind, Policy, Provider, ProviderKey, RemoteModel};
use serde::Serialize;

use crate::cli::agent::Agent;
use crate::report::Failure;

/// What the agent works with.
#[derive(Debug)]
pub(super) struct Settings {
    /// `None` means the built-in planner.
    pub(super) model: Option<(RemoteModel, Shown)>,
    pub(super) approval: Policy,
    pub(super) private_mcp: bool,
    /// The most that a run may cost.
    pub(super) run_cost: Option<f64>,
}

/// What may be said of a provider.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Shown {
    pub(super) provider: &'static str,
    pub(super) model: String,
    pub(super) url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) api_version: Option<String>,
    /// Where the key is from: a variable or a file.
    pub(super) key_from: Option<String>,
    /// Of a million tokens, in and out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) price: Option<(f64, f64)>,
}

/// The value of a variable, if it is set to something.
type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

impl Settings {
    pub(super) fn of(options: &Agent) -> Result<Self, Failure> {
        Self::with(options, &|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()))
    }

    fn with(options: &Agent, environment: Environment<'_>) -> Result<Self, Failure> {
        let or_set = |given: &Option<String>, variable: &str| given.clone().or_else(|| environment(variable));
        let approval = match or_set(&options.approval, "DOCWRIGHT_APPROVAL") {
            None => Policy::default(),
            Some(name) => name.trim().parse().map_err(|why: String| Failure::new("BAD_POLICY", why))?,
        };
        let model = or_set(&options.model, "DOCWRIGHT_MODEL");
        let kind = or_set(&options.provider, "DOCWRIGHT_PROVIDER");
        let model = match (kind, model) {
            (Some(kind), Some(model)) => Some(provider(options, environment, &kind, &model)?),
            (None, None) => {
                unused(options, environment)?;
                None
            }
            (Some(kind), None) => {
                return Err(Failure::new(
                    "NO_MODEL",
                    format!("the provider `{kind}` is named, and no model"),
                )
                .with_hint("name one with --model or DOCWRIGHT_MODEL"));
            }
            (None, Some(model)) => {
                return Err(Failure::new(
                    "NO_PROVIDER",
                    format!("the model `{model}` is named, and not who serves it"),
                )
                .with_hint("say --provider openai, azure, ollama or anthropic, or set DOCWRIGHT_PROVIDER"));
            }
        };
        let run_cost = or_set(&options.run_cost, "DOCWRIGHT_RUN_COST");
        let run_cost = run_cost.map(|cost| amount(&cost, "the cost of a run")).transpose()?;
        let priced = model.as_ref().is_some_and(|(_, shown)| shown.price.is_some());
        if run_cost.is_some() && !priced {
            let why = "the cost of a run is limited, and nothing is said of what a model costs";
            return Err(
                Failure::new("NO_PRICE", why).with_hint("say it with --model-price or DOCWRIGHT_MODEL_PRICE")
            );
        }
        Ok(Self { model, approval, private_mcp: options.allow_private_mcp, run_cost })
    }

    /// As the server takes it.
    pub(super) fn used(self) -> gateway::Agent {
        gateway::Agent {
            model: self.model.map(|(model, _)| Arc::new(model)),
            policy: self.approval,
            private_mcp: self.private_mcp,
            limits: gateway::agent::Limits { cost: self.run_cost, ..gateway::agent::Limits::default() },
        }
    }

    /// One line for people.
    pub(super) fn answers(&self) -> String {
        match &self.model {
            None => "the built-in planner (no model is configured)".to_owned(),
            Some((_, shown)) => {
                let key = match &shown.key_from {
                    Some(from) => format!("key from {from}"),
                    None => "no key".to_owned(),
                };
                let version =
                    shown.api_version.as_ref().map_or_else(String::new, |version| format!(", {version}"));
                let price = shown.price.map_or_else(String::new, |(input, output)| {
                    format!(", {input} and {output} a million tokens")
                });
                let most = self.run_cost.map_or_else(String::new, |cost| format!(", at most {cost} a run"));
                format!("{} {} at {}{version}, {key}{price}{most}", shown.provider, shown.model, shown.url)
            }
        }
    }
}

/// Settings of a provider without a provider would do nothing, and whoever made them believes otherwise.
fn unused(options: &Agent, environment: Environment<'_>) -> Result<(), Failure> {
    let given = [
        ("--model-url", options.model_url.is_some()),
        ("--model-key-file", options.model_key_file.is_some()),
        ("--model-api-version", options.model_api_version.is_some()),
        ("--model-price", options.model_price.is_some()),
        ("DOCWRIGHT_MODEL_URL", environment("DOCWRIGHT_MODEL_URL").is_some()),
        ("DOCWRIGHT_MODEL_KEY", environment("DOCWRIGHT_MODEL_KEY").is_some()),
        ("DOCWRIGHT_MODEL_API_VERSION", environment("DOCWRIGHT_MODEL_API_VERSION").is_some()),
        ("DOCWRIGHT_MODEL_PRICE", environment("DOCWRIGHT_MODEL_PRICE").is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => {
            Err(Failure::new("NO_PROVIDER", format!("{name} is given, and neither provider nor model"))
                .with_hint("say --provider and --model, or leave it out for the built-in planner"))
        }
    }
}

fn provider(
    options: &Agent,
    environment: Environment<'_>,
    kind: &str,
    model: &str,
) -> Result<(RemoteModel, Shown), Failure> {
    let bad = |error: gateway::agent::ProviderError| {
        let failure = Failure::new("BAD_PROVIDER", error.to_string());
        match error {
            gateway::agent::ProviderError::NoBaseUrl(_) => {
                failure.with_hint("give it with --model-url or DOCWRIGHT_MODEL_URL")
            }
            _ => failure,
        }
    };
    let kind: Kind = kind.trim().parse().map_err(bad)?;
    let url = options.model_url.clone().or_else(|| environment("DOCWRIGHT_MODEL_URL"));
    let mut provider = Provider::new(kind, model, url.as_deref().map(str::trim)).map_err(bad)?;
    let version = options.model_api_version.clone();
    if let Some(version) = version.or_else(|| environment("DOCWRIGHT_MODEL_API_VERSION")) {
        if kind != Kind::Azure {
            let why = format!("an API version is given, and {} has none", kind.name());
            return Err(Failure::new("BAD_PROVIDER", why).with_hint("only azure takes one"));
        }
        version.trim().clone_into(&mut provider.api_version);
    }
    let price = options.model_price.clone().or_else(|| environment("DOCWRIGHT_MODEL_PRICE"));
    provider.prices = price.map(|price| prices(&price)).transpose()?;
    let key_from = match key(options.model_key_file.as_deref(), environment, kind)? {
        Some((key, from)) => {
            provider.key = Some(key);
            Some(from)
        }
        None => None,
    };
    // Servers of one's own often ask for no key; those that everybody uses always do.
    let public = url.is_none() && kind != Kind::Ollama;
    if let Some(variable) = kind.key_variable().filter(|_| key_from.is_none())
        && (public || kind == Kind::Azure)
    {
        return Err(Failure::new("NO_KEY", format!("the provider {} needs a key", kind.name()))
            .with_hint(format!("put it into {variable}, or into a file for --model-key-file")));
    }
    let shown = Shown {
        provider: kind.name(),
        model: provider.model.clone(),
        url: provider.base_url.clone(),
        api_version: (kind == Kind::Azure).then(|| provider.api_version.clone()),
        key_from,
        price: provider.prices,
    };
    Ok((RemoteModel::new(provider).map_err(bad)?, shown))
}

/// `IN,OUT`
fn prices(text: &str) -> Result<(f64, f64), Failure> {
    let (input, output) = text.split_once(',').ok_or_else(|| {
        Failure::new("BAD_PRICE", format!("`{text}` is no price of tokens in and out"))
            .with_hint("give two amounts for a million tokens, such as 2.5,10")
    })?;
    Ok((amount(input, "a price")?, amount(output, "a price")?))
}

fn amount(text: &str, what: &str) -> Result<f64, Failure> {
    let amount = text.trim().parse().ok().filter(|amount: &f64| amount.is_finite() && *amount >= 0.0);
    amount.ok_or_else(|| Failure::new("BAD_PRICE", format!("`{}` is no amount for {what}", text.trim())))
}

/// The key and where it is from.
fn key(
    file: Option<&Path>,
    environment: Environment<'_>,
    kind: Kind,
) -> Result<Option<(ProviderKey, String)>, Failure> {
    if let Some(path) = file {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::new("NO_KEY", format!("{shown} cannot be read: {error}")))?;
        let key = ProviderKey::new(&text)
            .ok_or_else(|| Failure::new("NO_KEY", format!("{shown} is empty; it should hold a key")))?;
        return Ok(Some((key, format!("the file {shown}"))));
    }
    let variables = ["DOCWRIGHT_MODEL_KEY"].into_iter().chain(kind.key_variable());
    let found = variables.filter_map(|name| Some((ProviderKey::new(&environment(name)?)?, name.to_owned())));
    Ok(found.into_iter().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANARY: &str = "sk-canary-51aa";

    fn options(provider: &str, model: &str) -> Agent {
        Agent { provider: Some(provider.to_owned()), model: Some(model.to_owned()), ..Agent::default() }
    }

    fn settings(options: &Agent, variables: &[(&str, &str)]) -> Result<Settings, Failure> {
        let settings = Settings::with(options, &|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        });
        assert!(!format!("{settings:?}").contains(CANARY), "{settings:?}");
        settings
    }

    #[test]
    fn nothing_said_means_the_planner_also_with_a_key_lying_about() {
        let found = settings(&Agent::default(), &[("OPENAI_API_KEY", CANARY)]).expect("settings");
        assert!(found.model.is_none() && found.approval == Policy::Auto && !found.private_mcp);
    }

    #[test]
    fn the_key_is_the_one_of_the_provider_and_options_are_stronger() {
        let all =
            [("OPENAI_API_KEY", "wrong"), ("ANTHROPIC_API_KEY", CANARY), ("DOCWRIGHT_MODEL", "other-model")];
        let (_, shown) =
            settings(&options("anthropic", "m-1"), &all).expect("settings").model.expect("a model");
        assert_eq!(shown.key_from.as_deref(), Some("ANTHROPIC_API_KEY"));
        assert_eq!((shown.model.as_str(), shown.url.as_str()), ("m-1", "https://api.anthropic.com"));
        let own = [("DOCWRIGHT_MODEL_KEY", CANARY), ("OPENAI_API_KEY", "wrong")];
        let (_, shown) = settings(&options("openai", "m-1"), &own).expect("settings").model.expect("a model");
        assert_eq!(shown.key_from.as_deref(), Some("DOCWRIGHT_MODEL_KEY"));
    }

    #[test]
    fn what_cannot_work_is_refused_when_the_server_starts() {
        let url =
            |provider: &str, url: &str| Agent { model_url: Some(url.to_owned()), ..options(provider, "m-1") };
        let only = |name: &str| Agent { model_url: Some(name.to_owned()), ..Agent::default() };
        let versioned = Agent {
            model_api_version: Some("2024-10-21".to_owned()),
            ..url("openai", "http://127.0.0.1:1/v1")
        };
        let policy = Agent { approval: Some("sometimes".to_owned()), ..Agent::default() };
        let no_model = Agent { provider: Some("openai".to_owned()), ..Agent::default() };
        let no_provider = Agent { model: Some("m".to_owned()), ..Agent::default() };
        let priced = |price: &str| Agent { model_price: Some(price.to_owned()), ..options("openai", "m-1") };
        let limited = Agent { run_cost: Some("0.5".to_owned()), ..options("openai", "m-1") };
        let no_file =
            Agent { model_key_file: Some("/nowhere/key".into()), ..url("openai", "https://a.test/v1") };
        for (options, variables, code, part) in [
            (options("opnai", "m"), &[][..], "BAD_PROVIDER", "`opnai` is no kind of model provider"),
            (no_model, &[], "NO_MODEL", "no model"),
            (no_provider, &[], "NO_PROVIDER", "who serves it"),
            (only("http://a.test"), &[], "NO_PROVIDER", "--model-url is given"),
            (Agent::default(), &[("DOCWRIGHT_MODEL_KEY", CANARY)], "NO_PROVIDER", "DOCWRIGHT_MODEL_KEY"),
            (options("openai", "m"), &[], "NO_KEY", "openai needs a key"),
            (url("azure", "https://a.test"), &[], "NO_KEY", "azure needs a key"),
            (options("azure", "m"), &[("AZURE_OPENAI_API_KEY", CANARY)], "BAD_PROVIDER", "needs a base URL"),
            (url("openai", "ftp://a.test"), &[], "BAD_PROVIDER", "no base URL"),
            (
                url("openai", "http://a.test/v1"),
                &[("OPENAI_API_KEY", CANARY)],
                "BAD_PROVIDER",
                "without encryption",
            ),
            (versioned, &[], "BAD_PROVIDER", "openai has none"),
            (priced("2.5"), &[("OPENAI_API_KEY", CANARY)], "BAD_PRICE", "no price of tokens"),
            (priced("2.5,-1"), &[("OPENAI_API_KEY", CANARY)], "BAD_PRICE", "`-1` is no amount"),
            (limited, &[("OPENAI_API_KEY", CANARY)], "NO_PRICE", "nothing is said"),
            (policy, &[], "BAD_POLICY", "valid: auto, ask-write, ask-all, read-only"),
            (no_file, &[], "NO_KEY", "/nowhere/key cannot be read"),
        ] {
            let failure = settings(&options, variables).expect_err(part);
            assert_eq!(failure.code, code, "{}", failure.message);
            assert!(failure.message.contains(part), "{}", failure.message);
        }
    }

    #[test]
    fn a_price_makes_a_limit_of_cost() {
        let priced = Agent {
            model_price: Some("2.5, 10".to_owned()),
            run_cost: Some("0.05".to_owned()),
            ..options("ollama", "m-1")
        };
        let found = settings(&priced, &[]).expect("settings");
        assert!(found.answers().ends_with("no key, 2.5 and 10 a million tokens, at most 0.05 a run"));
        assert_eq!(found.used().limits.cost, Some(0.05));
    }

    #[test]
    fn a_server_of_ones_own_needs_no_key() {
        let found = settings(&options("ollama", "llama3.2"), &[]).expect("settings");
        assert_eq!(found.answers(), "ollama llama3.2 at http://127.0.0.1:11434/v1, no key");
        let azure = Agent { model_url: Some("https://x.test/".to_owned()), ..options("azure", "gpt") };
        let found = settings(&azure, &[("AZURE_OPENAI_API_KEY", CANARY)]).expect("settings");
        assert_eq!(found.answers(), "azure gpt at https://x.test, 2024-10-21, key from AZURE_OPENAI_API_KEY");
    }
}
