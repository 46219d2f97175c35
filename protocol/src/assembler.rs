//! Cuts a stream of bytes into frames by rules R1 to R4; knows ids and lengths, not contents.
use crate::frame::{Counters, FrameError, HEADER};
use alloc::vec::Vec;

/// 80, NONE: defined and never seen. It ends a frame like any id and begins none.
const NONE: u8 = 0x80;

/// A buffer with a read cursor; bytes move only when a new portion comes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assembler {
    buffer: Vec<u8>,
    cursor: usize,
    /// Bytes of the frame at the cursor that are known to be below 80, so that a slow 8F is not read again and again.
    checked: usize,
    /// Length of the run of stray bytes that ends at the cursor and was not reported yet.
    stray: usize,
    /// Everything before the end of the buffer has been looked at.
    drained: bool,
}

impl Assembler {
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        if self.cursor > 0 {
            self.buffer.copy_within(self.cursor.., 0);
            self.buffer.truncate(self.buffer.len() - self.cursor);
            self.cursor = 0;
        }
        self.buffer.extend_from_slice(bytes);
        self.drained &= bytes.is_empty();
    }

    #[inline]
    pub(crate) fn waiting(&self) -> &[u8] {
        self.buffer.get(self.cursor..).unwrap_or_default()
    }

    /// Steps over a frame that the caller has recognised; refuses while stray bytes are to be reported first.
    #[inline]
    pub(crate) fn skip_clean(&mut self, length: usize) -> bool {
        if self.stray > 0 {
            return false;
        }
        self.cursor += length;
        self.checked = 0;
        true
    }

    pub(crate) fn in_progress(&self) -> Option<u8> {
        if self.drained { self.waiting().first().copied() } else { None }
    }

    /// The next whole frame whose length `fits`, or the next damage.
    pub(crate) fn next_frame(&mut self, counters: &mut Counters, fits: impl Fn(u8, usize) -> bool) -> Option<Result<&[u8], FrameError>> {
        let strays = self.waiting().iter().take_while(|&&byte| byte <= NONE).count();
        self.stray += strays;
        self.drop_bytes(strays, counters);

        let waiting = self.buffer.get(self.cursor..).unwrap_or_default();
        let Some(&id) = waiting.first() else {
            self.drained = true;
            return None;
        };
        if self.stray > 0 {
            let bytes = core::mem::take(&mut self.stray);
            return Some(Err(FrameError::Stray { bytes }));
        }
        let (end, verdict) = match *waiting {
            [_, high @ 0..0x80, low @ 0..0x80, ..] => {
                let length = usize::from(high) << 7 | usize::from(low);
                if fits(id, length) { (length, None) } else { (HEADER, Some(FrameError::WrongLength { id, length })) }
            }
            _ => (HEADER, None),
        };
        if let Some(error) = verdict {
            counters.wrong_lengths += 1;
            self.drop_bytes(HEADER, counters);
            return Some(Err(error));
        }
        let here = waiting.len().min(end);
        let from = self.checked.clamp(1, here);
        if let Some(more) = waiting[from..here].iter().position(|&byte| byte >= 0x80) {
            let received = from + more;
            counters.cut_short += 1;
            self.drop_bytes(received, counters);
            return Some(Err(FrameError::CutShort { id, received }));
        }
        if here < end || here < HEADER {
            self.checked = here;
            self.drained = true;
            return None;
        }
        let start = self.cursor;
        self.cursor += end;
        self.checked = 0;
        Some(Ok(&self.buffer[start..start + end]))
    }

    pub(crate) fn give_up(&mut self, counters: &mut Counters) -> Option<FrameError> {
        if !self.drained {
            return None;
        }
        if let Some(id) = self.in_progress() {
            let received = self.waiting().len();
            counters.cut_short += 1;
            self.drop_bytes(received, counters);
            return Some(FrameError::TimedOut { id, received });
        }
        let bytes = core::mem::take(&mut self.stray);
        (bytes > 0).then_some(FrameError::Stray { bytes })
    }

    pub(crate) fn clear(&mut self, counters: &mut Counters) {
        self.drop_bytes(self.waiting().len(), counters);
        self.stray = 0;
        self.drained = true;
    }

    fn drop_bytes(&mut self, count: usize, counters: &mut Counters) {
        if count > 0 {
            self.cursor += count;
            self.checked = 0;
        }
        counters.bytes_dropped += count as u64;
    }
}
