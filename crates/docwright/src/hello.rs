//! Who this process is, for the desk, and the way there.

use std::ffi::OsString;
use std::path::PathBuf;

use desk::{Approval, CallerId, Hello, OutputSchemas, Policies, Policy, Role, Root, Transport, Way};
use workspace::Gate;

use crate::access;
use crate::cli::{Access, DeskOptions, Listing, Tools};

/// The desk of the state folder, and how one is started.
pub(crate) fn way(access: &Access, options: &DeskOptions) -> Result<Way, String> {
    let state = access::state_dir(access).map_err(|failure| failure.message)?;
    Ok(way_to(state, options))
}

pub(crate) fn way_to(state: PathBuf, options: &DeskOptions) -> Way {
    let mut way = Way::new(state, &options.version);
    let linger = options.linger.to_string();
    way.arguments =
        ["--desk-linger", &linger, "--desk-version", &options.version].map(OsString::from).to_vec();
    way.arguments.extend(["--desk-seats".into(), options.seats.to_string().into()]);
    if options.loopback {
        way.arguments.push("--desk-loopback".into());
    }
    way
}

/// A person who decides, with everything in reach: whoever is at the shell can open every file anyway.
pub(crate) fn person(name: String) -> Result<Hello, String> {
    let said = |error: std::io::Error| error.to_string();
    let everything = std::path::absolute("/").map_err(said)?;
    let apply = Some(Policy::Apply);
    Ok(Hello {
        caller: CallerId::random().map_err(said)?,
        role: Role::Person,
        author: name,
        roots: vec![Root::of(everything).map_err(said)?],
        read_only: false,
        approval: Approval {
            agents_may_accept: true,
            policies: Policies { word: apply, sheet: apply, markdown: apply },
        },
        tools: desk::Tools { sets: vec!["review".to_owned()], ..desk::Tools::default() },
        network: Vec::new(),
        program: "docwright review".to_owned(),
        pid: std::process::id(),
    })
}

pub(crate) fn transport(options: &DeskOptions) -> Transport {
    if options.loopback { Transport::Loopback } else { Transport::default() }
}

/// An agent that was started with these options. The reason is for people: the process then works alone, and is told there what
/// is wrong with a folder.
pub(crate) fn agent(tools: &Tools, access: &Access) -> Result<Hello, String> {
    let roots = access::roots(access).map_err(|failure| failure.message)?;
    let gates = access::approval(access).map_err(|failure| failure.message)?;
    let policies = Policies {
        word: Some(policy(gates.word)),
        sheet: Some(policy(gates.sheet)),
        markdown: Some(policy(gates.markdown)),
    };
    let approval = Approval { agents_may_accept: gates.agents_may_accept, policies };
    let root = |path: PathBuf| {
        if path.to_str().is_none() {
            return Err(format!("the name of {} cannot be passed on", path.display()));
        }
        Root::of(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    Ok(Hello {
        caller: CallerId::random().map_err(|error| error.to_string())?,
        role: Role::Agent,
        author: access.author(),
        roots: roots.into_iter().map(root).collect::<Result<_, _>>()?,
        read_only: access.read_only,
        approval,
        tools: desk::Tools {
            sets: tools.toolsets.clone(),
            exclude: tools.exclude_tools.clone(),
            output_schemas: match tools.output_schemas {
                Listing::Auto => OutputSchemas::Fitting,
                Listing::Always => OutputSchemas::Always,
                Listing::Never => OutputSchemas::Never,
            },
        },
        network: access.net.hosts.clone(),
        program: program(),
        pid: std::process::id(),
    })
}

fn policy(gate: Gate) -> Policy {
    match gate {
        Gate::Apply => Policy::Apply,
        Gate::Suggest => Policy::Suggest,
        Gate::Track => Policy::Track,
    }
}

/// The program that started this one, which is what people know an agent by.
#[cfg(target_os = "linux")]
fn program() -> String {
    let parent = std::os::unix::process::parent_id();
    let name = std::fs::read_to_string(format!("/proc/{parent}/comm"));
    name.map_or_else(|_| "docwright".to_owned(), |name| name.trim().to_owned())
}

#[cfg(not(target_os = "linux"))]
fn program() -> String {
    "docwright".to_owned()
}
