//! Pictures from the network, where the user allowed it; off by default.
//!
//! A picture's address comes from an agent, and behind it may stand anything. So only hosts that the user named are
//! asked, names that lead to an address inside the user's own network are refused (whatever a name server says, as
//! the address is checked where the connection is made), every redirect is checked again, and an answer that is too
//! large or too slow is dropped.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use edit::Refusal;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

/// What one answer may hold.
const MOST_BYTES: u64 = 32 << 20;
const PATIENCE: Duration = Duration::from_secs(20);
const MOST_REDIRECTS: usize = 5;

/// Which hosts may be asked for pictures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Network {
    hosts: Vec<Host>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Host {
    name: Name,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    /// Every host outside the user's own network.
    Any,
    /// `*.example.com`, which is not `example.com` itself.
    Below(String),
    Exactly(String),
}

/// Why there is no picture.
#[derive(Debug)]
pub enum FetchError {
    /// The address is wrong, not allowed, or leads to something too large.
    Refused(Refusal),
    /// Nobody answered, or with something else than the picture.
    Unreachable {
        url: String,
        why: String,
    },
    TimedOut {
        url: String,
    },
}

impl From<Refusal> for FetchError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Network {
    /// Nothing is asked.
    pub fn off() -> Self {
        Self::default()
    }

    /// Hosts such as `example.com`, `*.example.com` or `intranet:8080`; `*` is every public one. A host of the
    /// user's own network has to be named by its address, or as `localhost`.
    pub fn allowing(hosts: &[String]) -> Result<Self, Refusal> {
        let hosts: Result<Vec<Host>, Refusal> = hosts.iter().map(|text| Host::read(text)).collect();
        Ok(Self { hosts: hosts? })
    }

    /// The bytes at this address.
    pub fn fetch(&self, url: &str) -> Result<Vec<u8>, FetchError> {
        let mut at = self.checked(url)?;
        for _ in 0..=MOST_REDIRECTS {
            match self.ask(&at)? {
                Fetched::Picture(bytes) => return Ok(bytes),
                Fetched::Moved(to) => {
                    let next = self.checked(&joined(&at, &to))?;
                    if at.scheme_str() == Some("https") && next.scheme_str() != Some("https") {
                        return Err(denied(&next, "a redirect leads from https to http").into());
                    }
                    at = next;
                }
            }
        }
        Err(FetchError::Unreachable { url: url.to_owned(), why: "it redirects again and again".to_owned() })
    }

    fn checked(&self, url: &str) -> Result<Uri, Refusal> {
        let wrong = |why: &str| {
            Refusal::invalid(
                "data",
                format!("the address `{}` ({why})", shortened(url)),
                "an https:// or http:// address",
            )
        };
        let uri: Uri = url.trim().parse().map_err(|_| wrong("it cannot be read"))?;
        if !matches!(uri.scheme_str(), Some("https" | "http")) {
            return Err(wrong("of another kind"));
        }
        let authority = uri.authority().filter(|authority| !authority.host().is_empty());
        let authority = authority.ok_or_else(|| wrong("without a host"))?;
        if authority.as_str().contains('@') {
            return Err(wrong("with a name or password in it"));
        }
        match self.rule(&uri) {
            Some(_) => Ok(uri),
            None if self.hosts.is_empty() => Err(Refusal::Denied {
                what: format!("fetching `{}`", shortened(url)),
                why: "the network may not be used".to_owned(),
                instead: Some(
                    "pass the picture itself (source `base64`), or let the user start docwright with --allow-net HOST"
                        .to_owned(),
                ),
            }),
            None => Err(denied(&uri, "the host is not one of those that --allow-net names")),
        }
    }

    fn rule(&self, uri: &Uri) -> Option<&Host> {
        let host = bare(uri.host()?);
        let port = uri.port_u16();
        self.hosts.iter().find(|rule| {
            let named = match &rule.name {
                Name::Any => true,
                Name::Below(parent) => {
                    host.strip_suffix(parent.as_str()).is_some_and(|below| below.ends_with('.'))
                }
                Name::Exactly(name) => host == *name,
            };
            named && (rule.port.is_none() || rule.port == port)
        })
    }

    fn ask(&self, uri: &Uri) -> Result<Fetched, FetchError> {
        let private = self.rule(uri).is_some_and(Host::is_private);
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            // Behind a proxy nobody could tell which address is asked.
            .proxy(None)
            .user_agent("docwright")
            .accept("image/*")
            .build();
        let resolver = GuardedResolver { inner: DefaultResolver::default(), private };
        let agent = ureq::Agent::with_parts(config, DefaultConnector::default(), resolver);
        let failed = |error: ureq::Error| failure(uri, error);
        let mut response = agent.get(uri).call().map_err(failed)?;
        let status = response.status();
        if status.is_redirection() {
            let to = response.headers().get("location").and_then(|value| value.to_str().ok());
            let to = to.map(|to| Fetched::Moved(to.to_owned()));
            return to.ok_or_else(|| unreachable(uri, format!("it answers {status} without an address")));
        }
        if !status.is_success() {
            return Err(unreachable(uri, format!("it answers {status}")));
        }
        let body = response.body_mut().with_config().limit(MOST_BYTES);
        body.read_to_vec().map(Fetched::Picture).map_err(failed)
    }
}

enum Fetched {
    Picture(Vec<u8>),
    Moved(String),
}

impl Host {
    fn read(text: &str) -> Result<Self, Refusal> {
        let wrong = || {
            let expected = "a host such as example.com, *.example.com, 10.0.0.7:8080 or *";
            Refusal::invalid("--allow-net", format!("`{text}`"), expected)
        };
        let lower = text.trim().to_ascii_lowercase();
        // An address of the sixth version has colons of its own.
        let (name, port) = match lower.rsplit_once(':') {
            Some((name, _)) if name.contains(':') && !name.ends_with(']') => (lower.as_str(), None),
            Some((name, port)) => (name, Some(port.parse::<u16>().map_err(|_| wrong())?)),
            None => (lower.as_str(), None),
        };
        let known = |name: &str| {
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_'));
            !name.is_empty() && (is_name || bare(name).parse::<IpAddr>().is_ok())
        };
        let name = match name.strip_prefix("*.") {
            _ if name == "*" => Name::Any,
            Some(parent) if known(parent) => Name::Below(parent.to_owned()),
            None if known(name) => Name::Exactly(bare(name)),
            _ => return Err(wrong()),
        };
        Ok(Self { name, port })
    }

    /// Whether the user named a place inside the own network, and not by a name that somebody else decides about.
    fn is_private(&self) -> bool {
        match &self.name {
            Name::Exactly(name) => name == "localhost" || name.parse::<IpAddr>().is_ok(),
            Name::Any | Name::Below(_) => false,
        }
    }
}

fn bare(host: &str) -> String {
    host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').to_ascii_lowercase()
}

/// A redirect's address: a whole one, or one on the same host.
fn joined(at: &Uri, to: &str) -> String {
    let (scheme, host) =
        (at.scheme_str().unwrap_or("https"), at.authority().map_or("", |host| host.as_str()));
    match to {
        _ if to.contains("://") => to.to_owned(),
        _ if to.starts_with("//") => format!("{scheme}:{to}"),
        _ if to.starts_with('/') => format!("{scheme}://{host}{to}"),
        _ => {
            let folder = at.path().rsplit_once('/').map_or("", |(folder, _)| folder);
            format!("{scheme}://{host}{folder}/{to}")
        }
    }
}

fn shortened(url: &str) -> String {
    edit::excerpt(url, 120)
}

fn denied(uri: &Uri, why: &str) -> Refusal {
    Refusal::Denied {
        what: format!("fetching `{}`", shortened(&uri.to_string())),
        why: why.to_owned(),
        instead: Some("pass the picture itself: source `base64`".to_owned()),
    }
}

fn unreachable(uri: &Uri, why: String) -> FetchError {
    FetchError::Unreachable { url: shortened(&uri.to_string()), why }
}

fn failure(uri: &Uri, error: ureq::Error) -> FetchError {
    match error {
        ureq::Error::Io(error) if error.get_ref().is_some_and(|inner| inner.is::<Private>()) => {
            denied(uri, "the host is in a private network").into()
        }
        ureq::Error::BodyExceedsLimit(limit) => FetchError::Refused(Refusal::Limit {
            what: "the size of the picture".into(),
            found: "more".to_owned(),
            limit: format!("{limit} bytes"),
        }),
        ureq::Error::Timeout(_) => FetchError::TimedOut { url: shortened(&uri.to_string()) },
        ureq::Error::HostNotFound => unreachable(uri, "there is no such host".to_owned()),
        error => unreachable(uri, error.to_string()),
    }
}

/// The addresses of a host, if they may be asked.
#[derive(Debug)]
struct GuardedResolver {
    inner: DefaultResolver,
    private: bool,
}

#[derive(Debug)]
struct Private;

impl std::fmt::Display for Private {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the host is in a private network")
    }
}

impl std::error::Error for Private {}

impl Resolver for GuardedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        match self.private || found.iter().all(|address| is_public(address.ip())) {
            true => Ok(found),
            false => Err(ureq::Error::Io(std::io::Error::other(Private))),
        }
    }
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_4(address),
        IpAddr::V6(address) => is_public_6(address),
    }
}

fn is_public_4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let private = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        // Behind a provider, between a provider's own machines, and for measuring.
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (18..20).contains(&b));
    !private
}

fn is_public_6(address: Ipv6Addr) -> bool {
    let [first, second, .., seventh, eighth] = address.segments();
    let inner = |high: u16, low: u16| Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
    if let Some(old) = address.to_ipv4_mapped() {
        return is_public_4(old);
    }
    match first {
        // Addresses that stand for one of the fourth version.
        0x0064 => is_public_4(inner(seventh, eighth)),
        0x2002 => is_public_4(inner(second, address.segments()[2])),
        // Everything public is in here, but for examples and tunnels.
        0x2001 => second != 0 && second != 0x0db8,
        0x2000..=0x3fff => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
