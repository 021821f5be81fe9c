//! An HTTP client for model providers and other MCP servers.
//!
//! One connection a request, on hyper and rustls, which the program has anyway. Every request resolves its host, holds
//! each address against the [`Reach`] and connects to the very address that passed, so a name that changes its
//! address between the check and the use gains nothing. Redirects are followed on the same origin only.

mod guard;
mod sse;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, time::timeout};
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, RootCertStore, pki_types::ServerName},
};

pub(crate) use guard::Reach;
pub(crate) use sse::{SseEvent, SseParser};

const REDIRECTS: usize = 3;

#[derive(Clone)]
pub(crate) struct Client {
    tls: TlsConnector,
    reach: Reach,
    connect_time: Duration,
    /// The longest silence, before the head and between pieces of a body.
    idle_time: Duration,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("reach", &self.reach).finish_non_exhaustive()
    }
}

/// Never holds a header or a body that was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ClientError {
    #[error("`{0}` is no address of the form http(s)://host/path")]
    BadUrl(String),
    #[error("{0} is not allowed: {1}")]
    Refused(String, String),
    #[error("{0} cannot be reached: {1}")]
    Connect(String, String),
    #[error("{0} gave no answer within {1} seconds")]
    TimedOut(String, u64),
    /// The request may have arrived.
    #[error("the connection to {0} broke: {1}")]
    Broken(String, String),
    #[error("{0} redirects to another origin, which is not followed")]
    Redirected(String),
    #[error("the answer of {0} is larger than {1} bytes")]
    TooLarge(String, usize),
}

impl ClientError {
    /// Whether the request is known not to have arrived.
    pub(crate) fn before_sending(&self) -> bool {
        matches!(self, ClientError::BadUrl(_) | ClientError::Refused(..) | ClientError::Connect(..))
    }
}

/// Scheme, host and port: what a token may be sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) secure: bool,
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl Origin {
    pub(crate) fn of(uri: &Uri) -> Result<Self, ClientError> {
        let bad = || ClientError::BadUrl(without_secrets(uri));
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(bad()),
        };
        // A name before the host is a way to make an address look like another.
        if uri.authority().is_none_or(|authority| authority.as_str().contains('@')) {
            return Err(bad());
        }
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(bad)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
        Ok(Self { secure, host, port })
    }

    fn shown(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

fn without_secrets(uri: &Uri) -> String {
    format!("{}://{}", uri.scheme_str().unwrap_or("?"), uri.host().unwrap_or("?"))
}

/// An answer whose body is still on its way.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    host: String,
    idle_time: Duration,
    body: Incoming,
}

impl Answer {
    /// The next bytes, or `None` at the proper end of the body.
    pub(crate) async fn chunk(&mut self) -> Result<Option<Bytes>, ClientError> {
        loop {
            let next = timeout(self.idle_time, self.body.frame()).await;
            let next =
                next.map_err(|_| ClientError::TimedOut(self.host.clone(), self.idle_time.as_secs()))?;
            match next {
                None => return Ok(None),
                Some(Err(error)) => return Err(ClientError::Broken(self.host.clone(), error.to_string())),
                Some(Ok(frame)) => {
                    if let Ok(bytes) = frame.into_data() {
                        return Ok(Some(bytes));
                    }
                }
            }
        }
    }

    pub(crate) async fn whole(&mut self, most: usize) -> Result<Vec<u8>, ClientError> {
        let mut whole = Vec::new();
        while let Some(bytes) = self.chunk().await? {
            if whole.len() + bytes.len() > most {
                return Err(ClientError::TooLarge(self.host.clone(), most));
            }
            whole.extend_from_slice(&bytes);
        }
        Ok(whole)
    }

    pub(crate) fn is(&self, media_type: &str) -> bool {
        let given = self.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        given.is_some_and(|given| {
            given.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(media_type))
        })
    }
}

impl Client {
    pub(crate) fn new(reach: Reach, connect_time: Duration, idle_time: Duration) -> Self {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        Self { tls: TlsConnector::from(Arc::new(config)), reach, connect_time, idle_time }
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        url: &Uri,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Answer, ClientError> {
        let origin = Origin::of(url)?;
        let mut url = url.clone();
        for _ in 0..=REDIRECTS {
            let answer = self.send_once(&method, &origin, &url, &headers, body.clone()).await?;
            if !answer.status.is_redirection() {
                return Ok(answer);
            }
            // Only these two keep the method and the body.
            let keeps =
                matches!(answer.status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
            let target = answer.headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
            let next = target.and_then(|target| resolve(&url, target)).filter(|_| keeps);
            match next {
                Some(next) if Origin::of(&next)? == origin => url = next,
                _ => return Err(ClientError::Redirected(origin.shown())),
            }
        }
        Err(ClientError::Redirected(origin.shown()))
    }

    async fn send_once(
        &self,
        method: &Method,
        origin: &Origin,
        url: &Uri,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Result<Answer, ClientError> {
        let host = origin.shown();
        let path = url.path_and_query().map_or("/", |path| path.as_str());
        let authority = url.authority().map_or("", |authority| authority.as_str());
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, authority);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.body(Full::new(body)).map_err(|_| ClientError::BadUrl(without_secrets(url)))?;
        let connected = timeout(self.connect_time, self.connect(origin)).await;
        let connected = connected.map_err(|_| {
            ClientError::Connect(
                host.clone(),
                format!("nothing within {} seconds", self.connect_time.as_secs()),
            )
        })??;
        let answered = match connected {
            Stream::Plain(stream) => exchange(stream, request, self.idle_time).await,
            Stream::Tls(stream) => exchange(*stream, request, self.idle_time).await,
        };
        let response = answered.map_err(|failure| match failure {
            Failure::Silent => ClientError::TimedOut(host.clone(), self.idle_time.as_secs()),
            Failure::Broken(why) => ClientError::Broken(host.clone(), why),
        })?;
        let (head, body) = response.into_parts();
        Ok(Answer { status: head.status, headers: head.headers, host, idle_time: self.idle_time, body })
    }

    async fn connect(&self, origin: &Origin) -> Result<Stream, ClientError> {
        let host = origin.shown();
        let failed = |why: String| ClientError::Connect(host.clone(), why);
        let found = tokio::net::lookup_host((origin.host.as_str(), origin.port)).await;
        let addresses: Vec<SocketAddr> = found.map_err(|error| failed(error.to_string()))?.collect();
        let mut last = failed("it has no address".to_owned());
        for address in addresses {
            if let Err(why) = self.reach.allows(address.ip(), origin.secure) {
                return Err(ClientError::Refused(host.clone(), why));
            }
            match TcpStream::connect(address).await {
                Ok(stream) => {
                    stream.set_nodelay(true).map_err(|error| failed(error.to_string()))?;
                    return if origin.secure {
                        self.secured(origin, stream).await
                    } else {
                        Ok(Stream::Plain(stream))
                    };
                }
                Err(error) => last = failed(error.to_string()),
            }
        }
        Err(last)
    }

    async fn secured(&self, origin: &Origin, stream: TcpStream) -> Result<Stream, ClientError> {
        let failed = |why: String| ClientError::Connect(origin.shown(), why);
        let name = ServerName::try_from(origin.host.clone()).map_err(|error| failed(error.to_string()))?;
        let stream = self.tls.connect(name, stream).await.map_err(|error| failed(error.to_string()))?;
        Ok(Stream::Tls(Box::new(stream)))
    }
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<tokio_rustls::client::TlsStream<TcpStream>>),
}

enum Failure {
    Silent,
    Broken(String),
}

async fn exchange<S>(
    stream: S,
    request: Request<Full<Bytes>>,
    idle_time: Duration,
) -> Result<Response<Incoming>, Failure>
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let broken = |error: hyper::Error| Failure::Broken(error.to_string());
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    // It ends with the body, or when the answer is dropped.
    tokio::spawn(connection);
    match timeout(idle_time, sender.send_request(request)).await {
        Err(_) => Err(Failure::Silent),
        Ok(answered) => answered.map_err(broken),
    }
}

/// Where a `Location` or an `endpoint` leads from a page: an absolute address, or a path on the same host.
pub(crate) fn resolve(base: &Uri, target: &str) -> Option<Uri> {
    if target.contains("://") {
        return target.parse().ok();
    }
    // Two slashes name another host.
    if target.starts_with("//") {
        return None;
    }
    let path = if target.starts_with('/') {
        target.to_owned()
    } else {
        let folder = base.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{folder}/{target}")
    };
    Uri::builder()
        .scheme(base.scheme()?.clone())
        .authority(base.authority()?.clone())
        .path_and_query(path)
        .build()
        .ok()
}
