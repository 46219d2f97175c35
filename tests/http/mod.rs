//! One request, and the whole answer.
#![allow(clippy::unwrap_used, reason = "a test may")]
use std::net::SocketAddr;

/// Status, headers, body.
pub(crate) type Answer = (u16, Vec<(String, String)>, String);

/// What the server answers; an error and a redirection are answers too.
pub(crate) fn call(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into();
    let mut request = ureq::http::Request::builder().method(method).uri(format!("http://{address}{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut answer = agent.run(request.body(()).unwrap()).unwrap();
    let headers = answer.headers().iter().map(|(n, v)| (n.to_string(), v.to_str().unwrap().to_owned())).collect();
    let body = answer.body_mut().read_to_string().unwrap();
    (answer.status().as_u16(), headers, body)
}
