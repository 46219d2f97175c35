//! While a hall reads its stream anew, nobody is shown a board: one that is half read has a game that is shorter than it is.
use crate::health::HallState;
use crate::problem::Problem;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;

/// What tells of boards begins so.
const OF_BOARDS: [&str; 10] = [
    "/api/v1/boards",
    "/api/v1/events",
    "/api/v1/event",
    "/api/v1/arbiter/boards",
    "/api/v1/arbiter/events",
    "/api/v1/arbiter/hall",
    "/pgn/",
    "/get/",
    "/archive/",
    "/event/",
];

/// Who asks for a board asks again a moment later; a browser does so by itself.
const AGAIN: HeaderValue = HeaderValue::from_static("2");

/// Answers what tells of boards only when the hall has read its stream.
pub async fn when_read(State(hall): State<Arc<HallState>>, request: Request<Body>, next: Next) -> Response {
    if !hall.is_reading() || !tells_of_boards(request.uri().path()) {
        return next.run(request).await;
    }
    let problem = Problem {
        error: format!("this hall reads the event's stream anew: {} messages are left", hall.now().behind),
        hint: String::from("every board is shown when it has read them; ask again in a moment"),
    };
    let again = [(header::RETRY_AFTER, AGAIN), (header::REFRESH, AGAIN)];
    (StatusCode::SERVICE_UNAVAILABLE, again, axum::Json(problem)).into_response()
}

fn tells_of_boards(path: &str) -> bool {
    path == "/" || OF_BOARDS.iter().any(|start| path.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio_util::sync::CancellationToken;

    #[tokio::test]
    async fn a_hall_that_reads_shows_no_board_and_says_so() {
        let hall = Arc::new(HallState::default());
        let routes = ["/", "/api/v1/boards", "/api/v1/boards/{board}", "/pgn/{*path}", "/healthz", "/api/v1/operator/health"];
        let app = routes.into_iter().fold(Router::new(), |app, path| app.route(path, get(|| async { "boards" })));
        let app = app.layer(from_fn_with_state(hall.clone(), when_read));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let serving = tokio::spawn(crate::serve::serve_app(listener, None, app, stop.clone()));
        let ask = |path: &'static str| async move {
            let mut asked = TcpStream::connect(address).await.unwrap();
            asked.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes()).await.unwrap();
            let mut answer = String::new();
            asked.read_to_string(&mut answer).await.unwrap();
            answer
        };
        for reads in [true, false] {
            hall.set_reading(reads);
            for path in ["/", "/api/v1/boards", "/api/v1/boards/7", "/pgn/round-1/game-1.pgn"] {
                let answer = ask(path).await;
                let told = [answer.starts_with("HTTP/1.1 503"), answer.contains("retry-after: 2"), answer.contains("messages are left")];
                assert_eq!(told, [reads; 3], "{path}: {answer}");
            }
            for path in ["/healthz", "/api/v1/operator/health"] {
                assert!(ask(path).await.starts_with("HTTP/1.1 200"), "{path}");
            }
        }
        stop.cancel();
        serving.await.unwrap().unwrap();
    }
}
