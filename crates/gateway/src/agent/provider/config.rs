//! Which model answers, where it is and what opens it.

use std::{fmt, str::FromStr, time::Duration};

use http::Uri;

#[derive(Debug, Clone, PartialEq)]
pub struct Provider {
    pub kind: Kind,
    /// Without the path of the call: `https://api.openai.com/v1`, `https://NAME.openai.azure.com`.
    pub base_url: String,
    /// For Azure the name of the deployment.
    pub model: String,
    pub key: Option<ProviderKey>,
    /// Azure only.
    pub api_version: String,
    /// The longest silence of the provider.
    pub idle_time: Duration,
    /// Of a million tokens, in and out.
    pub prices: Option<(f64, f64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// OpenAI and all that speak like it: vLLM, llama.cpp, gateways.
    OpenAi,
    Azure,
    Ollama,
    Anthropic,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::OpenAi, Kind::Azure, Kind::Ollama, Kind::Anthropic];

    pub fn name(self) -> &'static str {
        match self {
            Kind::OpenAi => "openai",
            Kind::Azure => "azure",
            Kind::Ollama => "ollama",
            Kind::Anthropic => "anthropic",
        }
    }

    /// Where it is unless said otherwise.
    pub fn base_url(self) -> Option<&'static str> {
        match self {
            Kind::OpenAi => Some("https://api.openai.com/v1"),
            Kind::Azure => None,
            Kind::Ollama => Some("http://127.0.0.1:11434/v1"),
            Kind::Anthropic => Some("https://api.anthropic.com"),
        }
    }

    /// The environment variable that its key is customarily in.
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Kind::OpenAi => Some("OPENAI_API_KEY"),
            Kind::Azure => Some("AZURE_OPENAI_API_KEY"),
            Kind::Ollama => None,
            Kind::Anthropic => Some("ANTHROPIC_API_KEY"),
        }
    }
}

impl FromStr for Kind {
    type Err = ProviderError;

    fn from_str(name: &str) -> Result<Self, ProviderError> {
        let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| ProviderError::UnknownKind(name.to_owned()))
    }
}

/// A key that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderKey(String);

impl ProviderKey {
    /// `None` for a text of white space only.
    pub fn new(secret: &str) -> Option<Self> {
        let secret = secret.trim();
        (!secret.is_empty()).then(|| Self(secret.to_owned()))
    }

    pub(super) fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ProviderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProviderKey(…)")
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    #[error(
        "`{0}` is no kind of model provider; valid: openai (also vLLM and llama.cpp, with a base URL), azure, ollama, anthropic"
    )]
    UnknownKind(String),
    #[error("the provider {0} needs a base URL")]
    NoBaseUrl(&'static str),
    #[error("`{0}` is no base URL of the form http(s)://host/path, without a query or a user")]
    BadBaseUrl(String),
    #[error("the provider {0} needs a model")]
    NoModel(&'static str),
    #[error("the model name `{0}` has characters that no model name has")]
    BadModel(String),
    #[error("the API version `{0}` has characters that no version has")]
    BadVersion(String),
    #[error("the key has characters that cannot be sent")]
    BadKey,
    #[error("the key would be sent without encryption to {0}; use https, or a server on this machine")]
    KeyInTheClear(String),
}

impl Provider {
    /// With what is usual for its kind.
    pub fn new(kind: Kind, model: &str, base_url: Option<&str>) -> Result<Self, ProviderError> {
        let base_url = base_url.or(kind.base_url()).ok_or(ProviderError::NoBaseUrl(kind.name()))?;
        if model.trim().is_empty() {
            return Err(ProviderError::NoModel(kind.name()));
        }
        Ok(Self {
            kind,
            base_url: base_url.trim_end_matches('/').to_owned(),
            model: model.trim().to_owned(),
            key: None,
            api_version: "2024-10-21".to_owned(),
            idle_time: Duration::from_secs(120),
            prices: None,
        })
    }

    /// Where chats go, and where the list of models is.
    pub(super) fn addresses(&self) -> Result<(Uri, Uri), ProviderError> {
        let bad = || ProviderError::BadBaseUrl(self.base_url.clone());
        let base: Uri = self.base_url.parse().map_err(|_| bad())?;
        let origin = crate::client::Origin::of(&base).map_err(|_| bad())?;
        if base.query().is_some() {
            return Err(bad());
        }
        let local = origin.host == "localhost"
            || origin.host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        if self.key.is_some() && !origin.secure && !local {
            return Err(ProviderError::KeyInTheClear(origin.host));
        }
        let base = &self.base_url;
        let (chat, models) = match self.kind {
            Kind::OpenAi | Kind::Ollama => (format!("{base}/chat/completions"), format!("{base}/models")),
            Kind::Anthropic => (format!("{base}/v1/messages"), format!("{base}/v1/models")),
            Kind::Azure => {
                let (model, version) = (&self.model, &self.api_version);
                let plain = |text: &str| {
                    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
                };
                if !plain(model) {
                    return Err(ProviderError::BadModel(model.clone()));
                }
                if !plain(version) {
                    return Err(ProviderError::BadVersion(version.clone()));
                }
                let root = format!("{base}/openai");
                (
                    format!("{root}/deployments/{model}/chat/completions?api-version={version}"),
                    format!("{root}/models?api-version={version}"),
                )
            }
        };
        Ok((chat.parse().map_err(|_| bad())?, models.parse().map_err(|_| bad())?))
    }
}
