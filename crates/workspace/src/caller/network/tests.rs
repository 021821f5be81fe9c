use std::io::{Read, Write};
use std::net::TcpListener;

use super::*;

fn allowing(hosts: &[&str]) -> Network {
    let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
    Network::allowing(&hosts).expect("known hosts")
}

fn is_denied<T>(outcome: &Result<T, FetchError>) -> bool {
    matches!(outcome, Err(FetchError::Refused(Refusal::Denied { .. })))
}

/// A server that gives these answers, one for each connection, and its port.
fn server(answers: Vec<String>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    std::thread::spawn(move || {
        for answer in answers {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let mut asked = [0; 2048];
            let _ = stream.read(&mut asked);
            let _ = stream.write_all(answer.replace("PORT", &port.to_string()).as_bytes());
        }
    });
    port
}

fn found(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

fn moved(to: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

#[test]
fn nothing_is_asked_unless_somebody_allowed_it() {
    assert!(is_denied(&Network::off().fetch("https://example.com/logo.png")));
    let network = allowing(&["example.com", "*.example.org", "files.example.net:8443"]);
    for url in [
        "https://example.net/a.png",
        "https://evil-example.com/a.png",
        "https://sub.example.com/",
        "https://example.org/",
        "https://notexample.org/",
        "https://files.example.net/",
        "https://files.example.net:443/",
    ] {
        assert!(is_denied(&network.fetch(url)), "{url}");
    }
    for url in ["https://EXAMPLE.com./a", "http://a.b.example.org/x", "https://files.example.net:8443/"] {
        assert!(network.checked(url).is_ok(), "{url}");
    }
    for url in [
        "file:///etc/passwd",
        "ftp://example.com/",
        "logo.png",
        "https://",
        "https://a:b@example.com/",
        "http://example.com\n/",
    ] {
        assert!(matches!(network.checked(url), Err(Refusal::Invalid { .. })), "{url}");
    }
    for host in ["", "exa mple", "example.com:port", "*.", "https://example.com"] {
        assert!(Network::allowing(&[host.to_owned()]).is_err(), "{host}");
    }
}

#[test]
fn a_name_does_not_lead_into_the_own_network() {
    let port = server(vec![found("secret")]);
    let network = allowing(&["*"]);
    for url in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://0.0.0.0:{port}/"),
        "http://169.254.169.254/latest/meta-data".to_owned(),
        "http://10.0.0.1/".to_owned(),
    ] {
        assert!(is_denied(&network.fetch(&url)), "{url}: {:?}", network.fetch(&url));
    }
    for address in [
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "fc00::1",
        "fe80::1",
        "::",
        "64:ff9b::a00:1",
        "2002:a00:1::",
    ] {
        assert!(!is_public(address.parse().expect("an address")), "{address}");
    }
    for address in ["8.8.8.8", "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"] {
        assert!(is_public(address.parse().expect("an address")), "{address}");
    }
}

#[test]
fn a_picture_is_fetched_from_a_host_that_was_named() {
    let port = server(vec![found("picture"), moved("/other.png"), found("elsewhere")]);
    let network = allowing(&[&format!("127.0.0.1:{port}")]);
    let url = format!("http://127.0.0.1:{port}/logo.png");
    assert_eq!(network.fetch(&url).expect("fetched"), b"picture");
    assert_eq!(network.fetch(&url).expect("redirected"), b"elsewhere");
}

#[test]
fn redirects_are_checked_like_everything_else() {
    let port = server(vec![
        moved("http://localhost:PORT/"),
        moved("https://example.com/"),
        moved("file:///etc/passwd"),
    ]);
    let network = allowing(&[&format!("127.0.0.1:{port}")]);
    let url = format!("http://127.0.0.1:{port}/");
    assert!(is_denied(&network.fetch(&url)));
    assert!(is_denied(&network.fetch(&url)));
    assert!(matches!(network.fetch(&url), Err(FetchError::Refused(Refusal::Invalid { .. }))));
    let port = server(vec![moved("/again"); 10]);
    let network = allowing(&[&format!("127.0.0.1:{port}")]);
    assert!(matches!(
        network.fetch(&format!("http://127.0.0.1:{port}/")),
        Err(FetchError::Unreachable { .. })
    ));
}

#[test]
fn what_is_missing_or_too_large_is_no_picture() {
    let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned();
    let large =
        format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}", "x".repeat((MOST_BYTES + 10) as usize));
    let port = server(vec![missing, large]);
    let network = allowing(&[&format!("127.0.0.1:{port}")]);
    let url = format!("http://127.0.0.1:{port}/");
    assert!(matches!(network.fetch(&url), Err(FetchError::Unreachable { .. })));
    assert!(matches!(network.fetch(&url), Err(FetchError::Refused(Refusal::Limit { .. }))));
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let network = allowing(&["127.0.0.1"]);
    assert!(matches!(network.fetch(&format!("http://{closed}/")), Err(FetchError::Unreachable { .. })));
}
