//! A host and its line in simulated time: what a link does in real time, for tests and figures.
use super::bus_line::{BusLine, LineFault};
use dgt_protocol::bus::host::{Host, HostInput, HostOutput};
use flagfall_events::Mono;
use std::collections::VecDeque;

/// A host and its line.
#[derive(Debug)]
pub struct BusRun {
    host: Host,
    line: BusLine,
    /// Bytes on their way through the adapter.
    on_the_way: VecDeque<(u64, Vec<u8>)>,
    /// How long an adapter holds bytes back, milliseconds.
    adapter_ms: u64,
    outputs: VecDeque<(u64, HostOutput)>,
    /// Commands and answers that were sent and read so far, bytes.
    bytes: [u64; 2],
    now: u64,
}

impl BusRun {
    /// The host begins at millisecond 0. An adapter holds bytes back for `adapter_ms`: 1 to 16 on USB.
    pub fn new(host: Host, line: BusLine, adapter_ms: u64) -> Self {
        Self { host, line, on_the_way: VecDeque::new(), adapter_ms, outputs: VecDeque::new(), bytes: [0; 2], now: 0 }
    }

    /// The line.
    pub const fn line(&self) -> &BusLine {
        &self.line
    }

    /// The line, to do something to its boards.
    pub const fn line_mut(&mut self) -> &mut BusLine {
        &mut self.line
    }

    /// The host.
    pub const fn host(&self) -> &Host {
        &self.host
    }

    /// Bytes written and read so far.
    pub const fn bytes(&self) -> [u64; 2] {
        self.bytes
    }

    /// Milliseconds since the beginning.
    pub const fn now(&self) -> u64 {
        self.now
    }

    /// Something happens to the host now.
    pub fn tell(&mut self, input: HostInput<'_>) {
        self.host.handle(self.now, input);
        self.drain();
    }

    /// From now on this is wrong.
    pub fn fail(&mut self, fault: LineFault) {
        self.line.fail(Mono::from_millis(self.now), fault);
    }

    /// Nothing is wrong any more.
    pub fn mend(&mut self) {
        self.line.mend(Mono::from_millis(self.now));
    }

    /// The next thing that the host says, `Write` left out, before `until`. `None`: it is `until` now.
    pub fn next(&mut self, until: u64) -> Option<(u64, HostOutput)> {
        loop {
            if let Some(output) = self.outputs.pop_front() {
                return Some(output);
            }
            let line = self.line.deadline().map(Mono::millis);
            let way = self.on_the_way.front().map(|(at, _)| *at);
            let next = [line, way, self.host.deadline()].into_iter().flatten().min().unwrap_or(until);
            if next > until {
                self.now = self.now.max(until);
                return None;
            }
            self.now = self.now.max(next);
            self.turn();
        }
    }

    fn turn(&mut self) {
        self.line.advance(Mono::from_millis(self.now));
        while let Some((at, bytes)) = self.line.poll() {
            self.on_the_way.push_back((at.millis() + self.adapter_ms, bytes));
        }
        while let Some((_, bytes)) = self.on_the_way.pop_front_if(|(at, _)| *at <= self.now) {
            self.bytes[1] += bytes.len() as u64;
            self.host.handle(self.now, HostInput::Bytes(&bytes));
            self.drain();
        }
        if self.host.deadline().is_some_and(|at| at <= self.now) {
            self.host.handle(self.now, HostInput::Timeout);
            self.drain();
        }
    }

    fn drain(&mut self) {
        while let Some(output) = self.host.poll() {
            match output {
                HostOutput::Write(command) => {
                    let bytes = command.encode();
                    self.bytes[0] += bytes.len() as u64;
                    self.line.handle(Mono::from_millis(self.now), &bytes);
                }
                other => self.outputs.push_back((self.now, other)),
            }
        }
    }
}
