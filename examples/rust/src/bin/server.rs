//! Counters that the threads of a web server share: distinct visitors, and requests per client.

use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Json, Router};
use crivo::{AtomicCountMin, AtomicHyperLogLog, Estimate};
use std::sync::Arc;

struct Counters {
    visitors: AtomicHyperLogLog,
    requests: AtomicCountMin,
}

/// Counts a request; the answer is how often this client has asked, with its error bar.
async fn visit(State(counters): State<Arc<Counters>>, Path(client): Path<String>) -> Json<Estimate> {
    counters.visitors.insert(&client);
    counters.requests.add(&client, 1);
    Json(counters.requests.frequency(&client))
}

async fn visitors(State(counters): State<Arc<Counters>>) -> Json<Estimate> {
    Json(counters.visitors.snapshot().estimate())
}

fn app() -> crivo::Result<Router> {
    let counters = Counters {
        visitors: AtomicHyperLogLog::for_error(0.02)?,
        requests: AtomicCountMin::for_error(0.001, 0.01)?,
    };
    let routes = Router::new().route("/visit/{client}", get(visit)).route("/visitors", get(visitors));
    Ok(routes.with_state(Arc::new(counters)))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    println!("http://{}/visitors", listener.local_addr()?);
    axum::serve(listener, app()?).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpStream};

    fn ask(server: SocketAddr, path: &str) -> serde_json::Value {
        let mut stream = TcpStream::connect(server).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn threads_share_the_counters() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app().unwrap()).await.unwrap() });
        let clients = (0..4).map(|_| {
            tokio::task::spawn_blocking(move || {
                (0..50).for_each(|client| {
                    ask(server, &format!("/visit/client-{client}"));
                });
            })
        });
        for client in clients.collect::<Vec<_>>() {
            client.await.unwrap();
        }
        let asked =
            tokio::task::spawn_blocking(move || [ask(server, "/visitors"), ask(server, "/visit/client-7")]);
        let [visitors, requests] = asked.await.unwrap();
        assert_eq!((&visitors["value"], &requests["value"]), (&50.0.into(), &5.0.into()));
    }
}
