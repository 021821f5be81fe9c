//! A session that ends while its client stays.

use tokio::io::AsyncReadExt as _;

use super::*;

struct Leaving {
    client: Client,
    handover: Handover,
    served: tokio::task::JoinHandle<Result<stdio::Parted<WriteHalf<DuplexStream>>, stdio::ServeError>>,
}

/// A client whose session can be handed over, and who has not said anything.
fn silent(grace: Duration) -> Leaving {
    let (near, far) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(far);
    let connection = sample(&Choice::default());
    let handover = Handover { grace, ..Handover::default() };
    let asked = handover.clone();
    let served =
        tokio::spawn(async move { stdio::serve(connection, read, write, Limits::default(), asked).await });
    let (read, write) = tokio::io::split(near);
    let client = Client { write, read: BufReader::new(read) };
    Leaving { client, handover, served }
}

async fn leaving(grace: Duration) -> Leaving {
    let mut leaving = silent(grace);
    leaving.client.initialize("2025-11-25").await;
    leaving
}

fn work(id: u64, steps: u32) -> Value {
    let params = json!({ "name": "work", "arguments": { "steps": steps, "pause": 20 } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

#[tokio::test]
async fn what_runs_is_answered_and_what_comes_later_is_not_taken() {
    let Leaving { mut client, handover, served } = leaving(Duration::from_secs(10)).await;
    client.send(&work(1, 10)).await;
    tokio::time::sleep(Duration::from_millis(60)).await;
    handover.asked.cancel();
    client.send(&work(2, 1)).await;
    assert_eq!(client.next().await["id"], 1);
    let parted = served.await.unwrap().unwrap();
    // The handshake's two lines, and the call that was answered.
    assert_eq!(parted.taken, 3);
    drop(parted.write.expect("a client that reads"));
    let mut rest = String::new();
    client.read.read_to_string(&mut rest).await.unwrap();
    assert_eq!(rest, "");
}

#[tokio::test]
async fn what_runs_for_too_long_is_stopped() {
    let Leaving { mut client, handover, served } = leaving(Duration::from_millis(50)).await;
    client.send(&work(1, 1000)).await;
    tokio::time::sleep(Duration::from_millis(60)).await;
    handover.asked.cancel();
    let parted = tokio::time::timeout(Duration::from_secs(4), served).await.expect("an end in time");
    assert_eq!(parted.unwrap().unwrap().taken, 3);
    assert!(text(&client.next().await).starts_with("CANCELLED"));
}

#[tokio::test]
async fn a_session_that_only_listens_ends_at_once() {
    let Leaving { mut client, handover, served } = silent(Duration::from_secs(10));
    let wanted = json!({ "notifications": { "resourceSubscriptions": ["docwright://guide"] } });
    let acknowledged = client.ask(session::stateless(1, "subscriptions/listen", wanted)).await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    handover.asked.cancel();
    let parted = tokio::time::timeout(Duration::from_secs(1), served).await.expect("an end in time");
    assert_eq!(parted.unwrap().unwrap().taken, 1);
}

#[tokio::test]
async fn a_client_that_has_not_said_anything_is_let_go() {
    let Leaving { client: _client, handover, served } = silent(Duration::from_secs(10));
    tokio::time::sleep(Duration::from_millis(20)).await;
    handover.asked.cancel();
    let parted = tokio::time::timeout(Duration::from_secs(1), served).await.expect("an end in time");
    assert_eq!(parted.unwrap().unwrap().taken, 0);
}
