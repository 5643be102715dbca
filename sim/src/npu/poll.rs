//! Cores that look at GM until another one has written there.
//!
//! Such a core would keep the thread that both may share. So a core pauses when it reads one place again and again, or reads
//! for long without writing: other cores of the thread run meanwhile.
//!
//! The barriers of the headers (IBWait, SyncAll with a workspace, WaitPreBlock, GroupBarrier) announce what they do
//! ([`Annotation`]): a look in vain then takes no time and counts nothing, and the look that succeeds begins when the word was
//! written. So the times of kernels that use them depend on the kernel only. A kernel that polls with its own loop takes the time
//! of the looks it happened to need.
//!
//! Source: Ascend C API reference (IBSet, IBWait, SyncAll, WaitPreBlock, NotifyNextBlock, GroupBarrier).

use super::clock::{PipeTimes, SLOTS};
use super::core::{Core, CoreStats, Pause};
use super::pipes::Frames;
use crate::exec::Decoded;
use crate::findings::Draft;
use crate::findings::catalogue::TIME_LIMIT;
use std::collections::HashMap;
use toprope_abi::core_face::Annotation;
use toprope_abi::isa::Space;

/// Reads of one place after which a core is taken to poll.
const SAME_READS: u32 = 64;
/// A core that polls pauses at every so many reads.
const PAUSE_READS: u32 = 8;
/// Reads without a write elsewhere after which a core pauses.
const READS: u32 = 4096;

/// What a core has read and written of GM lately.
#[derive(Clone, Copy, Debug, Default)]
pub struct Polling {
    /// Place of the last read.
    pub address: u64,
    /// Reads of that place in a row.
    same: u32,
    /// Reads since the last write to a place other than the one before.
    reads: u32,
    written: u64,
    /// Where the kernel was when it read.
    frames: Frames,
    /// Announced looks in vain, in a row.
    vain: u32,
    /// The core at the beginning of an announced look.
    look: Look,
}

/// What a look in vain leaves as it was.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    now: u64,
    times: [PipeTimes; SLOTS],
    stats: CoreStats,
    lines: [u64; 8],
}

/// A look that found what it waited for, and does not know yet when that was written.
const MOST_RETRIES: u32 = 1000;

/// Words that cores write for each other: what they were given, and when.
#[derive(Debug, Default)]
pub struct Signals(HashMap<u64, Vec<(u64, u64)>>);

impl Signals {
    /// `value` is written to (or, if `adds`, added to) the word at `address` at `cycle`.
    fn write(&mut self, address: u64, value: u64, adds: bool, cycle: u64) {
        let history = self.0.entry(address).or_default();
        let last = history.last().copied().unwrap_or_default();
        let value = if adds { last.0 + value } else { value };
        history.push((value, cycle.max(last.1)));
        // Only what a slow reader may still ask for.
        if history.len() > 64 {
            history.drain(..32);
        }
    }

    /// When the word got `value` (or, if `at_least`, reached it); `None` if it has not, as far as was announced.
    fn reached(&self, address: u64, value: u64, at_least: bool) -> Option<u64> {
        let history = self.0.get(&address).map_or(&[][..], Vec::as_slice);
        if at_least {
            return history.iter().find(|h| h.0 >= value).map(|h| h.1);
        }
        match history.last() {
            Some(last) => (last.0 == value).then_some(last.1),
            // Nobody has written: it is what it was at the start.
            None => (value == 0).then_some(0),
        }
    }
}

impl Core {
    /// A copy has read or written GM.
    #[inline]
    pub(super) fn copies_gm(&mut self, decoded: &Decoded, written: bool) {
        let Some(access) = decoded.accesses().iter().find(|a| a.space == Space::Gm) else { return };
        if !written {
            self.reads_gm(access.addr);
        } else if access.addr != self.polling.written {
            self.polling.written = access.addr;
            self.polling.reads = 0;
        }
    }

    /// The kernel reads GM at `address`.
    #[inline]
    pub(super) fn reads_gm(&mut self, address: u64) {
        let p = &mut self.polling;
        p.reads += 1;
        p.same = if p.address == address { p.same + 1 } else { 0 };
        p.address = address;
        if p.same >= SAME_READS || p.reads >= READS {
            self.may_poll();
        }
    }

    #[cold]
    fn may_poll(&mut self) {
        let polls = self.polling.same >= SAME_READS;
        if polls && !(self.polling.same - SAME_READS).is_multiple_of(PAUSE_READS) {
            return;
        }
        self.polling.reads = 0;
        self.polling.frames = self.quick_frames();
        if self.pause == Pause::None {
            self.pause = if polls { Pause::Poll } else { Pause::Yield };
        }
    }

    /// The kernel polls and has looked just now: another core may run.
    pub(super) fn lets_pass(&mut self) {
        self.polling.frames = self.quick_frames();
        self.pause = Pause::Poll;
    }

    /// A note about a loop that looks at GM; `false` if the note has to be taken again after the pause.
    pub(super) fn note_look(&mut self, what: u32, [address, words, step, value]: [u64; 4]) -> bool {
        let is = |a: Annotation| what == a as u32;
        if is(Annotation::PollBegin) {
            self.polling.look =
                Look { now: self.now, times: self.times, stats: self.stats, lines: self.gm_lines };
        } else if is(Annotation::PollAgain) {
            let overflowed = self.stats.overflowed;
            let look = self.polling.look;
            (self.now, self.times, self.stats, self.gm_lines) =
                (look.now, look.times, look.stats, look.lines);
            self.stats.overflowed = overflowed;
            self.polling.address = address;
            self.polling.vain += 1;
            self.lets_pass();
        } else if is(Annotation::PollEnd) || is(Annotation::PollEndAtLeast) {
            return self.look_succeeds(address, words, step, value, is(Annotation::PollEndAtLeast));
        } else if is(Annotation::Signal) || is(Annotation::SignalAdd) {
            let cycle = self.end_cycle();
            let adds = is(Annotation::SignalAdd);
            if let Some(launch) = &self.launch {
                let mut signals = launch.signals();
                (0..words).for_each(|i| signals.write(address + i * step, value, adds, cycle));
            }
        }
        true
    }

    /// The look begins when the last of the words had its value.
    fn look_succeeds(&mut self, address: u64, words: u64, step: u64, value: u64, at_least: bool) -> bool {
        let Some(launch) = self.launch.clone() else { return true };
        let written = {
            let signals = launch.signals();
            let at = |i| signals.reached(address + i * step, value, at_least);
            (0..words).try_fold(0, |latest: u64, i| Some(latest.max(at(i)?)))
        };
        match written {
            Some(cycle) => {
                let late = cycle.saturating_sub(self.polling.look.now);
                self.now += late;
                self.times
                    .iter_mut()
                    .for_each(|t| *t = PipeTimes { next: t.next + late, done: t.done + late });
            }
            // The writer has written and not announced it yet.
            None if self.polling.vain < MOST_RETRIES => {
                self.polling.vain += 1;
                self.lets_pass();
                return false;
            }
            None => {}
        }
        self.polling.vain = 0;
        true
    }

    /// What the core reads again and again, if it polls.
    pub(super) fn polling_text(&self) -> Option<String> {
        let reads = match self.polling.vain {
            0 if self.polling.same >= SAME_READS => self.polling.same + 1,
            0 => return None,
            vain => vain,
        };
        Some(format!("polls GM, {reads} reads of {} in a row", self.place_of(self.polling.address)))
    }

    /// The launch is over its limit while this core runs.
    pub(super) fn time_limit(&self) -> Draft {
        let limit = self.launch.as_ref().and_then(|l| l.launch().time_limit).unwrap_or_default();
        let draft = Draft::new(&TIME_LIMIT, &[("limit", format!("{limit:?}"))]);
        match self.polling_text() {
            Some(text) => draft.detail(format!("{}: {text}", self.core_name())),
            None => draft,
        }
    }

    /// Where it does.
    pub(super) fn polling_frames(&self) -> Vec<u64> {
        self.polling.frames.iter().copied().filter(|f| *f != 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Signals;

    #[test]
    fn words_have_times() {
        let mut signals = Signals::default();
        assert_eq!((signals.reached(8, 0, false), signals.reached(8, 1, true)), (Some(0), None));
        signals.write(8, 1, false, 100);
        signals.write(8, 2, false, 90);
        assert_eq!(signals.reached(8, 1, true), Some(100));
        assert_eq!(signals.reached(8, 2, true), Some(100), "not before the value before it");
        assert_eq!((signals.reached(8, 1, false), signals.reached(8, 2, false)), (None, Some(100)));
        (0..3).for_each(|i| signals.write(16, 1, true, 50 - i));
        assert_eq!((signals.reached(16, 3, true), signals.reached(16, 4, true)), (Some(50), None));
    }
}
