use super::super::polling::PERIOD;
use super::*;
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap as Headers, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use flagfall_config::list_source::ListSource;
use std::net::SocketAddr;
use std::sync::Mutex;

/// A server of lists on loopback: what it has, and who asked how.
#[derive(Default)]
struct Shelf {
    list: Mutex<Option<(String, String)>>,
    asked: Mutex<Vec<Option<String>>>,
}

async fn serve(State(shelf): State<Arc<Shelf>>, uri: Uri, headers: Headers) -> Response {
    match uri.path() {
        "/near" => return (StatusCode::FOUND, [("location", "/list")]).into_response(),
        "/other-scheme" => return (StatusCode::FOUND, [("location", "https://127.0.0.1:1/list")]).into_response(),
        "/circle" => return (StatusCode::FOUND, [("location", "/circle")]).into_response(),
        "/endless" => {
            let chunk = vec![b'x'; 1024 * 1024];
            let stream = futures_util::stream::repeat_with(move || Ok::<_, std::convert::Infallible>(chunk.clone()));
            return Body::from_stream(stream).into_response();
        }
        "/busy" => return (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "77")]).into_response(),
        "/list" => {}
        _ => return StatusCode::NOT_FOUND.into_response(),
    }
    let sent = headers.get("if-none-match").map(|tag| tag.to_str().unwrap().to_owned());
    shelf.asked.lock().unwrap().push(sent.clone());
    match shelf.list.lock().unwrap().clone() {
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some((tag, _)) if sent.as_ref() == Some(&tag) => StatusCode::NOT_MODIFIED.into_response(),
        Some((tag, text)) => ([("etag", tag)], text).into_response(),
    }
}

async fn server() -> (Arc<Shelf>, SocketAddr) {
    let shelf = Arc::new(Shelf::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().fallback(serve).with_state(shelf.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (shelf, address)
}

fn web(address: SocketAddr, path: &str) -> WebList {
    match ListSource::parse(&format!("http://{address}{path}")).unwrap() {
        ListSource::Web(web) => web,
        ListSource::File(path) => panic!("{path:?}"),
    }
}

#[tokio::test]
async fn a_day_of_polling_in_simulated_time() {
    let (shelf, address) = server().await;
    let (client, list, mut polling) = (Client::new().unwrap(), web(address, "/list"), Polling::default());
    let put = |tag: &str, text: &str| *shelf.list.lock().unwrap() = Some((format!("\"{tag}\""), String::from(text)));
    let hours = |n: u64| Duration::from_secs(3600 * n);
    let (mut time, mut news) = (Duration::ZERO, Vec::new());
    // Nothing there yet; then a list; another one; a night in which the server is gone; and it is back.
    while time < hours(24) {
        match time.as_secs() / 3600 {
            1..8 => put("a", "one"),
            8..10 => put("b", "two"),
            10..20 => *shelf.list.lock().unwrap() = None,
            20.. => put("b", "two"),
            _ => {}
        }
        let (new, wait) = polling.answered(client.get(&list, polling.validators()).await);
        assert!(wait >= PERIOD);
        if let Some(new) = new.filter(|new| news.last() != Some(new)) {
            news.push(new);
        }
        time += wait;
    }
    let list = |text: &str| News::List(text.into());
    let [News::Failing(first), one, two, News::Failing(second), News::Back] = &news[..] else { panic!("{news:?}") };
    assert_eq!((first, one, two), (second, &list("one"), &list("two")));
    let asked = shelf.asked.lock().unwrap();
    // Bodies were sent three times; every other time the tag said that there is nothing new.
    let without = asked.iter().skip_while(|tag| tag.is_none()).filter(|tag| tag.is_none()).count();
    assert_eq!(without, 0, "once a list is there, its tag goes with every question");
    assert!(asked.len() < 2700, "{} questions a day", asked.len());
}

#[tokio::test]
async fn redirections_sizes_and_refusals() {
    let (shelf, address) = server().await;
    *shelf.list.lock().unwrap() = Some((String::from("\"a\""), String::from("one")));
    let client = Client::new().unwrap();
    let once = async |path: &str| client.once(&web(address, path)).await;
    assert_eq!(once("/near").await.unwrap(), b"one");
    for (path, word) in [
        ("/other-scheme", "https://127.0.0.1:1/list, and that is not followed"),
        ("/circle", "not followed"),
        ("/endless", "16 MiB"),
        ("/busy", "less often"),
        ("/nothing", "nothing at this address"),
    ] {
        let why = once(path).await.unwrap_err();
        assert!(why.contains(word), "{path}: {why}");
    }
    assert_eq!(client.get(&web(address, "/busy"), &Validators::default()).await, Answer::Status(429, Some(Duration::from_secs(77))));
    let nobody = { std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap() };
    assert!(client.once(&web(nobody, "/list")).await.unwrap_err().contains("cannot be reached"));
}
