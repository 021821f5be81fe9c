//! What can be said of the agent behind the server: which model answers, and what it may do.

use std::path::PathBuf;

use clap::Args;

/// The agent of the server. Each option can be set in the environment instead; the option is stronger.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Agent")]
pub(crate) struct Agent {
    /// Who serves the model: openai (also vLLM and llama.cpp, with --model-url), azure, ollama or anthropic (or set
    /// DOCWRIGHT_PROVIDER); without one the built-in planner answers
    #[arg(long, value_name = "KIND")]
    pub(crate) provider: Option<String>,

    /// Name of the model; for azure that of the deployment (or set DOCWRIGHT_MODEL)
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,

    /// Where the provider is, such as http://127.0.0.1:8000/v1 (or set DOCWRIGHT_MODEL_URL) [default: the provider's
    /// own address; azure has none]
    #[arg(long, value_name = "URL")]
    pub(crate) model_url: Option<String>,

    /// File that holds the provider's key (or set DOCWRIGHT_MODEL_KEY, or OPENAI_API_KEY, AZURE_OPENAI_API_KEY or
    /// ANTHROPIC_API_KEY as the provider has it)
    #[arg(long, value_name = "FILE")]
    pub(crate) model_key_file: Option<PathBuf>,

    /// Version of Azure's interface (or set DOCWRIGHT_MODEL_API_VERSION) [default: 2024-10-21]
    #[arg(long, value_name = "VERSION")]
    pub(crate) model_api_version: Option<String>,

    /// Price of a million tokens, in and out, such as 2.5,10 (or set DOCWRIGHT_MODEL_PRICE): runs then tell what they cost
    #[arg(long, value_name = "IN,OUT")]
    pub(crate) model_price: Option<String>,

    /// The most that one run may cost, in the currency of the price (or set DOCWRIGHT_RUN_COST); one that has cost so much
    /// ends
    #[arg(long, value_name = "COST")]
    pub(crate) run_cost: Option<String>,

    /// The most that sessions may do alone: auto, ask-write, ask-all or read-only (or set DOCWRIGHT_APPROVAL)
    /// [default: auto]
    #[arg(long, value_name = "POLICY")]
    pub(crate) approval: Option<String>,

    /// Let sessions use MCP servers on this machine and its network, also without TLS
    #[arg(long)]
    pub(crate) allow_private_mcp: bool,
}
