use super::*;
use flagfall_web::hub::Hub;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;

/// A receiver that answers each request with the next status; what it was sent.
fn receiver(statuses: &'static [u16]) -> (String, std::thread::JoinHandle<Vec<(String, String)>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let mut requests = Vec::new();
        for status in statuses {
            let (socket, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(socket.try_clone().unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            let head = head.to_lowercase();
            let length = head.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap().parse().unwrap();
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            requests.push((head, String::from_utf8(body).unwrap()));
            write!(&socket, "HTTP/1.1 {status} x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
        }
        requests
    });
    (url, thread)
}

fn delivery(url: &str, secret_file: Option<PathBuf>, hub: &Arc<Hub>) -> Delivery {
    let alert = Alert {
        url: Some(String::from(url)),
        kind: AlertKind::Webhook,
        grades: Vec::new(),
        alarms: true,
        results: true,
        russian: false,
        secret_file,
    };
    Delivery::new(&alert, "alert 1", Arc::downgrade(hub)).unwrap()
}

fn message() -> Message {
    Message { id: String::from("Стол-7"), content_type: "application/json", headers: Vec::new(), body: String::from("{\"a\":1}") }
}

#[tokio::test]
async fn a_busy_receiver_is_tried_again_and_every_try_is_signed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret");
    fs::write(&file, "key\n").unwrap();
    let (url, receiver) = receiver(&[503, 200]);
    let hub = Hub::new();
    delivery(&url, Some(file), &hub).deliver(&message(), &Voice::always()).await;
    let requests = receiver.join().unwrap();
    assert_eq!(requests.len(), 2);
    for (head, body) in requests {
        assert_eq!(body, "{\"a\":1}");
        let value = |name: &str| head.split(&format!("{name}: ")).nth(1).unwrap().split("\r\n").next().unwrap().to_owned();
        assert_eq!(value("x-flagfall-signature"), signature("key", &value("x-flagfall-timestamp"), &body));
        assert_eq!(value("x-flagfall-delivery"), "%d0%a1%d1%82%d0%be%d0%bb-7");
    }
    assert_eq!(hub.hall_json(), br#"{"alarms":[]}"#);
}

#[tokio::test]
async fn a_refusal_is_an_alarm_that_names_no_address() {
    let (url, receiver) = receiver(&[403]);
    let hub = Hub::new();
    delivery(&url, None, &hub).deliver(&message(), &Voice::always()).await;
    receiver.join().unwrap();
    let told = String::from_utf8(hub.hall_json()).unwrap();
    assert!(told.contains("feed-failing") && told.contains("403") && !told.contains("/hook"), "{told}");
}

#[test]
fn a_signature_is_the_known_one() {
    // echo -n '1700000000.{}' | openssl dgst -sha256 -hmac secret
    assert_eq!(signature("secret", "1700000000", "{}"), "sha256=b8569b78799ff9e3cbff0fc2d63a33a2b57f3282abd07c37ae5e8e7d79a5f163");
}
