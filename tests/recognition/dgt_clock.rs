//! A chess clock as the captures of real ones show it: one message when the display steps, one a press with lever and increment in it.
use dgt_protocol::clock::{ClockReport, ClockTimes, Lever, SideTime};
use dgt_protocol::message::Message;

/// Times in milliseconds, by the clock's own sides.
#[derive(Clone, Debug)]
pub(crate) struct DgtClock {
    left: u64,
    right: u64,
    increment: u64,
    left_high: bool,
    running: bool,
}

impl DgtClock {
    /// Stopped; base and first increment on both sides.
    pub(crate) fn new(base_s: u64, increment_s: u64, left_high: bool) -> Self {
        let each = (base_s + increment_s) * 1000;
        Self { left: each, right: each, increment: increment_s * 1000, left_high, running: false }
    }

    pub(crate) fn start(&mut self) -> Vec<u8> {
        self.running = true;
        self.message()
    }

    pub(crate) fn stop(&mut self) -> Vec<u8> {
        self.running = false;
        self.message()
    }

    /// One message: the presser's increment, and the lever over.
    pub(crate) fn press(&mut self, left: bool) -> Vec<u8> {
        assert_eq!(self.left_high, left, "a side that is down cannot be pressed");
        if self.running {
            *if left { &mut self.left } else { &mut self.right } += self.increment;
        }
        self.left_high = !left;
        self.message()
    }

    /// Lets `ms` pass; each step of the display gives its message, with the milliseconds until it.
    pub(crate) fn pass(&mut self, ms: u64) -> Vec<(u64, Vec<u8>)> {
        let mut messages = Vec::new();
        let mut gone = 0;
        while self.running && gone < ms {
            let side = if self.left_high { &mut self.left } else { &mut self.right };
            // A display of n stands for more than n-1 seconds and at most n.
            let step = if *side == 0 { break } else { (*side - 1) % 1000 + 1 };
            if gone + step > ms {
                *side -= ms - gone;
                break;
            }
            *side -= step;
            gone += step;
            messages.push((gone, self.message()));
        }
        messages
    }

    /// What the clock says now.
    pub(crate) fn message(&self) -> Vec<u8> {
        let side = |ms: u64| SideTime {
            per_move: self.increment > 0,
            ..SideTime::from_seconds(u32::try_from(ms.div_ceil(1000)).unwrap()).unwrap()
        };
        let lever = if self.left_high { Lever::LeftHigh } else { Lever::RightHigh };
        let times = ClockTimes {
            right: side(self.right),
            left: side(self.left),
            running: self.running,
            lever,
            battery_low: false,
            turn_bits: lever.usual_turn_bits(),
        };
        Message::Clock(ClockReport::Time(times)).encode()
    }
}

#[test]
fn it_says_what_the_real_one_says() {
    let mut clock = DgtClock::new(180, 2, true);
    assert_eq!(clock.message(), [0x8D, 0, 0x0A, 0x20, 3, 2, 0x20, 3, 2, 0x08]);
    assert_eq!(clock.start(), [0x8D, 0, 0x0A, 0x20, 3, 2, 0x20, 3, 2, 0x09]);
    assert_eq!(clock.pass(1500), [(1000, vec![0x8D, 0, 0x0A, 0x20, 3, 2, 0x20, 3, 1, 0x09])]);
    assert_eq!(clock.press(true), [0x8D, 0, 0x0A, 0x20, 3, 2, 0x20, 3, 3, 0x13]);
}
