//! Words of device memory that streams write and wait for (`aclrtValueWrite`, `aclrtValueWait`).
//!
//! Whoever writes the word lets the wait end: another stream's value write or copy at once, because the runtime looks
//! when a task ends; a kernel that still runs, or the host, within [`LOOK_AGAIN`]. Nothing looks while nobody waits.
#![allow(unsafe_code)] // words in device memory.

use super::stream::Stream;
use super::timer;
use super::work::{DeviceWork, Learns, Turn, WordTask};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Longest time until a wait sees what no task of the runtime wrote.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The difference to the value, as a signed number, is not negative.
    AtLeast,
    /// The word is the value.
    Equal,
    /// The word has a bit of the value.
    AnyBit,
    /// A bit is in neither.
    Nor,
}

impl Until {
    /// Whether the word is as wanted.
    pub fn holds(self, word: u64, value: u64) -> bool {
        match self {
            Until::AtLeast => word.wrapping_sub(value) as i64 >= 0,
            Until::Equal => word == value,
            Until::AnyBit => word & value != 0,
            Until::Nor => !(word | value) != 0,
        }
    }
}

/// An aligned word of a device. Whoever makes one has checked that it lies in a live block and is aligned; the range of
/// a device stays mapped for ever.
#[derive(Clone, Copy, Debug)]
pub struct Word(pub u64);

impl Word {
    fn cell(&self) -> &AtomicU64 {
        // SAFETY: mapped for ever and aligned (contract of `Word`); kernels and copies write it from other threads, as
        // they do on a device, so every access here is atomic.
        unsafe { AtomicU64::from_ptr(self.0 as *mut u64) }
    }
}

/// `aclrtValueWrite` in a stream.
#[derive(Debug)]
pub struct WriteWork {
    /// Where.
    pub word: Word,
    /// What.
    pub value: u64,
}

impl DeviceWork for WriteWork {
    fn start(self: Arc<Self>, turn: Turn) {
        self.word.cell().store(self.value, Ordering::SeqCst);
        // The waits are looked at when the task has ended.
        turn.end(Ok(()), turn.begin());
    }

    fn skip(&self, _stream: &Stream) {}

    fn touches(&self, start: u64, bytes: u64) -> bool {
        self.word.0.wrapping_sub(start) < bytes
    }

    fn doing(&self) -> String {
        format!("it writes the word at {:#x}", self.word.0)
    }

    fn word_task(&self) -> Option<WordTask> {
        Some(WordTask { at: self.word.0, value: self.value, wait: None })
    }
}

/// `aclrtValueWait` in a stream.
#[derive(Debug)]
pub struct WaitWork {
    /// Where.
    pub word: Word,
    /// What it is compared with.
    pub value: u64,
    /// How.
    pub until: Until,
}

impl WaitWork {
    fn holds(&self) -> bool {
        self.until.holds(self.word.cell().load(Ordering::SeqCst), self.value)
    }
}

impl DeviceWork for WaitWork {
    fn start(self: Arc<Self>, turn: Turn) {
        if self.holds() {
            turn.end(Ok(()), turn.begin());
            return;
        }
        let mut waits = WAITS.lock();
        waits.retain(|(_, turn)| turn.is_open());
        waits.push((self, turn));
        WAITING.store(waits.len(), Ordering::SeqCst);
        drop(waits);
        // What was written before it was on the list.
        look(0);
        look_again();
    }

    fn skip(&self, _stream: &Stream) {}

    fn interrupt(&self, _stream: &Stream) -> bool {
        true
    }

    fn touches(&self, start: u64, bytes: u64) -> bool {
        self.word.0.wrapping_sub(start) < bytes
    }

    fn learns(&self) -> Learns {
        Learns::Everything
    }

    fn doing(&self) -> String {
        let word = self.word.cell().load(Ordering::SeqCst);
        format!(
            "it waits for the word at {:#x} ({word:#x} now) to match {:#x} ({:?})",
            self.word.0, self.value, self.until
        )
    }

    fn word_task(&self) -> Option<WordTask> {
        Some(WordTask { at: self.word.0, value: self.value, wait: Some(self.until as u32) })
    }
}

static WAITS: Mutex<Vec<(Arc<WaitWork>, Turn)>> = Mutex::new(Vec::new());
static WAITING: AtomicUsize = AtomicUsize::new(0);
static LOOKS: AtomicBool = AtomicBool::new(false);

/// A task ended at this device time: perhaps it wrote what a stream waits for.
#[inline]
pub fn task_ended(cycle: u64) {
    if WAITING.load(Ordering::SeqCst) > 0 {
        look(cycle);
    }
}

fn look(cycle: u64) {
    let mut ended = Vec::new();
    {
        let mut waits = WAITS.lock();
        waits.retain(|(work, turn)| {
            if !turn.is_open() {
                return false;
            }
            let claimed = if work.holds() { turn.claim() } else { None };
            let waits_on = claimed.is_none();
            ended.extend(claimed);
            waits_on
        });
        WAITING.store(waits.len(), Ordering::SeqCst);
    }
    for turn in ended {
        turn.finish(Ok(()), cycle);
    }
}

fn look_again() {
    if LOOKS.swap(true, Ordering::SeqCst) {
        return;
    }
    timer::after(LOOK_AGAIN, || {
        LOOKS.store(false, Ordering::SeqCst);
        look(0);
        if WAITING.load(Ordering::SeqCst) > 0 {
            look_again();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::Until;

    #[test]
    fn rule_36_comparisons() {
        assert!(Until::AtLeast.holds(5, 5) && Until::AtLeast.holds(6, 5) && !Until::AtLeast.holds(4, 5));
        assert!(Until::AtLeast.holds(0, u64::MAX), "the difference wraps around and is 1");
        assert!(Until::Equal.holds(5, 5) && !Until::Equal.holds(6, 5));
        assert!(Until::AnyBit.holds(6, 2) && !Until::AnyBit.holds(4, 2));
        assert!(Until::Nor.holds(1, 2) && !Until::Nor.holds(u64::MAX, 0) && !Until::Nor.holds(1, !1));
    }
}
