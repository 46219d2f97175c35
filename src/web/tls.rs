//! Encryption: the certificate, and a connection that shakes hands when it is first used.
use flagfall_config::web::Tls;
use flagfall_journal::store::read_small;
use sha2::{Digest as _, Sha256};
use std::fs::{self, OpenOptions};
use std::future::Future as _;
use std::io::{self, Write as _};
use std::net::{IpAddr, UdpSocket};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;
use tokio_rustls::{Accept, TlsAcceptor};

/// Browsers take no longer ones, days.
const VALID_DAYS: i64 = 820;
/// A certificate of our own is made anew when it is this old, days.
const RENEW_DAYS: u64 = 730;
/// Where our own is kept below the data directory.
const FOLDER: &str = "tls";
/// What who speaks without encryption is told.
const SAY_HTTPS: &[u8] = b"HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nThis address is encrypted: write https:// in front of it.\n";

/// Why there is no certificate.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// A file cannot be read.
    #[error("{path}: {1}", path = .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// A file or folder cannot be written.
    #[error("{path}: {1}", path = .0.display())]
    Write(PathBuf, #[source] io::Error),
    /// What was given is none.
    #[error("web: the certificate cannot be used: {0}; both files must be PEM and belong together")]
    Unusable(String),
    /// None could be made.
    #[error("web: no certificate could be made: {0}")]
    NotMade(String),
}

/// A certificate in use.
#[derive(Clone)]
pub struct Certificate {
    /// Shakes hands with it.
    pub acceptor: TlsAcceptor,
    /// SHA-256 of it, as browsers show it: `AB:CD:…`.
    pub fingerprint: String,
}

/// The certificate that the configuration asks for. Our own is made where there is none; `names` are what the machine is called.
///
/// # Errors
/// Files that cannot be read, written, or used.
pub fn certificate(tls: &Tls, data_dir: Option<&Path>, listen: IpAddr, names: &[String]) -> Result<Option<Certificate>, CertificateError> {
    let (certificate, key) = match tls {
        Tls::Off => return Ok(None),
        Tls::Files { cert, key } => {
            let read = |path: &Path| fs::read(path).map_err(|error| CertificateError::Read(path.to_owned(), error));
            (read(cert)?, read(key)?)
        }
        Tls::SelfSigned => own(data_dir, listen, names)?,
    };
    let unusable = |what: &dyn std::fmt::Display| CertificateError::Unusable(what.to_string());
    let chain: Vec<CertificateDer<'static>> =
        CertificateDer::pem_slice_iter(&certificate).collect::<Result<_, _>>().map_err(|error| unusable(&error))?;
    let Some(first) = chain.first() else { return Err(unusable(&"there is none in the file")) };
    let fingerprint: Vec<String> = Sha256::digest(first).iter().map(|byte| format!("{byte:02X}")).collect();
    let key = PrivateKeyDer::from_pem_slice(&key).map_err(|error| unusable(&error))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(&error))?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|error| unusable(&error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Some(Certificate { acceptor: TlsAcceptor::from(Arc::new(config)), fingerprint: fingerprint.join(":") }))
}

/// Our own certificate and its key, PEM.
fn own(data_dir: Option<&Path>, listen: IpAddr, names: &[String]) -> Result<(Vec<u8>, Vec<u8>), CertificateError> {
    let Some(data_dir) = data_dir else {
        tracing::warn!("there is no data_dir: the certificate is another one after every start");
        return make(listen, names);
    };
    let folder = data_dir.join(FOLDER);
    let (cert_file, key_file) = (folder.join("certificate.pem"), folder.join("key.pem"));
    let age = fs::metadata(&cert_file).and_then(|file| file.modified()).ok().and_then(|made| made.elapsed().ok());
    let fresh = age.is_some_and(|age| age.as_secs() < RENEW_DAYS * 86_400);
    if fresh && let (Ok(certificate), Ok(key)) = (read_small(&cert_file), read_small(&key_file)) {
        return Ok((certificate, key));
    }
    let (certificate, key) = make(listen, names)?;
    let write = |path: &Path, bytes: &[u8]| {
        // Only its owner may read a key, from the first byte on.
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(|error| CertificateError::Write(folder.clone(), error))?;
    write(&key_file, &key).map_err(|error| CertificateError::Write(key_file.clone(), error))?;
    write(&cert_file, &certificate).map_err(|error| CertificateError::Write(cert_file.clone(), error))?;
    Ok((certificate, key))
}

fn make(listen: IpAddr, names: &[String]) -> Result<(Vec<u8>, Vec<u8>), CertificateError> {
    let failed = |error: rcgen::Error| CertificateError::NotMade(error.to_string());
    let mut all = vec![String::from("localhost"), String::from("127.0.0.1"), String::from("::1")];
    all.extend(names.iter().cloned());
    let address = if listen.is_unspecified() { own_address() } else { Some(listen) };
    all.extend(address.filter(|address| !address.is_loopback()).map(|address| address.to_string()));
    let mut params = rcgen::CertificateParams::new(all).map_err(failed)?;
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(rcgen::DnType::CommonName, "flagfall");
    let day = |days: i64| {
        let at = flagfall_time::now()
            .timestamp()
            .checked_add(jiff::SignedDuration::from_hours(days * 24))
            .unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        let date = at.to_zoned(jiff::tz::TimeZone::UTC).date();
        rcgen::date_time_ymd(i32::from(date.year()), date.month().unsigned_abs(), date.day().unsigned_abs())
    };
    (params.not_before, params.not_after) = (day(-1), day(VALID_DAYS));
    let key = rcgen::KeyPair::generate().map_err(failed)?;
    let certificate = params.self_signed(&key).map_err(failed)?;
    Ok((certificate.pem().into_bytes(), key.serialize_pem().into_bytes()))
}

/// The address by which others reach this machine; nothing is sent to find it.
pub fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    socket.local_addr().ok().map(|address| address.ip())
}

/// A socket, encrypted or not.
pub(crate) enum Wire {
    Plain(TcpStream),
    /// The machine's own.
    Local(UnixStream),
    /// Nothing has come yet.
    Fresh(Option<TcpStream>, TlsAcceptor),
    Shaking(Pin<Box<Accept<TcpStream>>>),
    Encrypted(Box<TlsStream<TcpStream>>),
}

impl Wire {
    pub(crate) fn new(stream: TcpStream, tls: Option<TlsAcceptor>) -> Self {
        match tls {
            None => Self::Plain(stream),
            Some(acceptor) => Self::Fresh(Some(stream), acceptor),
        }
    }

    /// Shakes hands, if that is still to be done.
    fn poll_open(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            match self {
                Self::Plain(_) | Self::Local(_) | Self::Encrypted(_) => return Poll::Ready(Ok(())),
                Self::Fresh(stream, acceptor) => {
                    let mut first = [0; 1];
                    let mut first = ReadBuf::new(&mut first);
                    let Some(waiting) = stream.as_ref() else { return Poll::Ready(Err(io::ErrorKind::NotConnected.into())) };
                    ready!(waiting.poll_peek(cx, &mut first))?;
                    // A handshake begins with 22; what begins otherwise is not encrypted.
                    if first.filled().first().is_some_and(|byte| *byte != 22) {
                        // What has come is taken, else the answer would be lost with it.
                        _ = waiting.try_read(&mut [0; 4096]);
                        _ = waiting.try_write(SAY_HTTPS);
                        return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
                    }
                    let Some(stream) = stream.take() else { return Poll::Ready(Err(io::ErrorKind::NotConnected.into())) };
                    *self = Self::Shaking(Box::pin(acceptor.accept(stream)));
                }
                Self::Shaking(accept) => {
                    let stream = ready!(accept.as_mut().poll(cx))?;
                    *self = Self::Encrypted(Box::new(stream));
                }
            }
        }
    }

    /// The open socket; after [`Wire::poll_open`] there is one.
    fn open(&mut self) -> io::Result<Pin<&mut (dyn Both + Unpin)>> {
        match self {
            Self::Plain(stream) => Ok(Pin::new(stream)),
            Self::Local(stream) => Ok(Pin::new(stream)),
            Self::Encrypted(stream) => Ok(Pin::new(stream.as_mut())),
            Self::Fresh(..) | Self::Shaking(_) => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}

trait Both: AsyncRead + AsyncWrite + Send {}
impl<T: AsyncRead + AsyncWrite + Send> Both for T {}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_open(cx))?;
        self.open()?.poll_read(cx, buf)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_open(cx))?;
        self.open()?.poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Before the handshake nothing waits to be sent.
        self.open().map_or(Poll::Ready(Ok(())), |stream| stream.poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.open().map_or(Poll::Ready(Ok(())), |stream| stream.poll_shutdown(cx))
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bufs: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        ready!(self.poll_open(cx))?;
        self.open()?.poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        matches!(self, Self::Plain(_) | Self::Local(_))
    }
}
