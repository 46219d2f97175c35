//! The console behind a certificate of the daemon's own.
use super::daemon::PASSWORD;
use flagfall::web::arbiter::accounts;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned, crypto::ring};

struct Encrypted {
    child: Child,
    address: SocketAddr,
    fingerprint: String,
}

impl Encrypted {
    fn start(folder: &Path) -> Self {
        let hash = accounts::hash(PASSWORD).unwrap();
        let config = format!(
            "[web]\nlisten = \"127.0.0.1:0\"\ntls = \"self-signed\"\n[livechess]\nenabled = false\n[discovery]\nserial = false\n\
             [[account]]\nname = \"Olga\"\nrole = \"arbiter\"\nhash = \"{hash}\"\n"
        );
        let file = folder.join("flagfall.toml");
        fs::write(&file, config).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_flagfall"))
            .args(["run", "--config"])
            .arg(&file)
            .arg("--data-dir")
            .arg(folder.join("data"))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        let mut after = |words: &str| stderr.find_map(|line| Some(line.strip_prefix(words)?.to_owned())).unwrap();
        let address = after("web: https://").trim_end_matches('/').parse().unwrap();
        let fingerprint = after("web: the certificate's fingerprint (SHA-256) is ");
        std::thread::spawn(move || stderr.for_each(drop));
        Self { child, address, fingerprint }
    }

    /// What a client that trusts only `certificate` gets.
    fn ask(&self, certificate: &CertificateDer<'static>, request: &str) -> String {
        let mut roots = RootCertStore::empty();
        roots.add(certificate.clone()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from("127.0.0.1").unwrap();
        let socket = TcpStream::connect(self.address).unwrap();
        let mut stream = StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), socket);
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        // An end without the closing alert is an end, too.
        _ = stream.read_to_string(&mut answer);
        answer
    }
}

impl Drop for Encrypted {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn a_certificate_of_its_own_is_kept_printed_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let daemon = Encrypted::start(folder.path());
    let pem = fs::read(folder.path().join("data/tls/certificate.pem")).unwrap();
    let certificate = CertificateDer::from_pem_slice(&pem).unwrap();
    let shown: Vec<String> = Sha256::digest(&certificate).iter().map(|byte| format!("{byte:02X}")).collect();
    assert_eq!(daemon.fingerprint, shown.join(":"));

    let healthy = daemon.ask(&certificate, "GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n");
    assert!(healthy.starts_with("HTTP/1.0 200") && healthy.contains("\"version\""), "{healthy}");
    let body = format!("{{\"name\": \"Olga\", \"password\": \"{PASSWORD}\"}}");
    let login = daemon.ask(
        &certificate,
        &format!(
            "POST /api/v1/login HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ),
    );
    let cookie = login.lines().find(|line| line.to_lowercase().starts_with("set-cookie: ")).unwrap_or_default();
    assert!(login.starts_with("HTTP/1.0 200") && cookie.contains("; Secure") && cookie.contains("HttpOnly"), "{login}");

    let mut plain = TcpStream::connect(daemon.address).unwrap();
    plain.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
    let mut told = String::new();
    _ = plain.read_to_string(&mut told);
    assert!(told.contains("write https:// in front"), "{told}");

    let fingerprint = daemon.fingerprint.clone();
    drop(daemon);
    assert_eq!(Encrypted::start(folder.path()).fingerprint, fingerprint, "phones that trust it need not be asked again");
}
