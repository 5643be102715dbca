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
use super::order::foreign::Foreign;
use super::pipes::Frames;
use crate::exec::Decoded;
use crate::findings::Draft;
use crate::findings::catalogue::{DIRTY_WORKSPACE, TIME_LIMIT};
use std::collections::HashMap;
use std::time::Duration;
use toprope_abi::core_face::Annotation;
use toprope_abi::isa::{Pipe, Space};

/// Slot of the pipe that writes words for other cores.
const MTE3: usize = Pipe::Mte3 as usize;
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
/// Retries behind which the thread of the writer must be given time: it may not run just now on a busy machine.
const QUICK_RETRIES: u32 = 100;
const RETRY_PAUSE: Duration = Duration::from_micros(200);

/// Words that cores write for each other: what they were given, and when.
#[derive(Debug, Default)]
pub struct Signals(HashMap<u64, Vec<Written>>);

/// A word as it was once.
#[derive(Clone, Debug, Default)]
struct Written {
    value: u64,
    cycle: u64,
    /// What its writers knew to be complete.
    told: Foreign,
}

impl Signals {
    /// `value` is written to (or, if `adds`, added to) the word at `address` at `cycle`.
    fn write(&mut self, address: u64, value: u64, adds: bool, cycle: u64, told: &Foreign) {
        let history = self.0.entry(address).or_default();
        let last = history.last().cloned().unwrap_or_default();
        let value = if adds { last.value + value } else { value };
        let mut all = told.clone();
        if adds {
            all.join(&last.told);
        }
        history.push(Written { value, cycle: cycle.max(last.cycle), told: all });
        // Only what a slow reader may still ask for.
        if history.len() > 64 {
            history.drain(..32);
        }
    }

    /// When the word got `value` (or, if `at_least`, reached it); `None` if it has not, as far as was announced.
    fn reached(&self, address: u64, value: u64, at_least: bool) -> Option<(u64, Foreign)> {
        let history = self.0.get(&address).map_or(&[][..], Vec::as_slice);
        if at_least {
            return history.iter().find(|h| h.value >= value).map(|h| (h.cycle, h.told.clone()));
        }
        match history.last() {
            Some(last) => (last.value == value).then(|| (last.cycle, last.told.clone())),
            // Nobody has written: it is what it was at the start.
            None => (value == 0).then(|| (0, Foreign::default())),
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
        self.announces_look(is(Annotation::PollBegin));
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
                // The copy that wrote the word, and all that was known to be done before it.
                let told = self.clocks.export(MTE3, self.id);
                self.gm_order.exported();
                let mut signals = launch.signals();
                let first_use = signals.reached(address, 0, false).is_some_and(|r| r.0 == 0);
                (0..words).for_each(|i| signals.write(address + i * step, value, adds, cycle, &told));
                drop(signals);
                if first_use && !adds && value > 1 {
                    self.dirty_workspace(address, value - 1);
                }
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
            (0..words).try_fold((0, Foreign::default()), |(latest, mut all): (u64, Foreign), i| {
                let (cycle, told) = at(i)?;
                all.join(&told);
                Some((latest.max(cycle), all))
            })
        };
        match written {
            Some((cycle, told)) => {
                self.clocks.import(&told, self.id);
                let late = cycle.saturating_sub(self.polling.look.now);
                self.now += late;
                self.times
                    .iter_mut()
                    .for_each(|t| *t = PipeTimes { next: t.next + late, done: t.done + late });
            }
            // The writer has written and not announced it yet.
            None if self.polling.vain < MOST_RETRIES => {
                self.polling.vain += 1;
                if self.polling.vain > QUICK_RETRIES {
                    std::thread::sleep(RETRY_PAUSE);
                }
                self.lets_pass();
                return false;
            }
            None if value != 0 && !at_least => self.dirty_workspace(address, value),
            None => {}
        }
        self.polling.vain = 0;
        true
    }

    /// A word of a barrier in GM was not 0 before the first use.
    #[cold]
    fn dirty_workspace(&mut self, address: u64, value: u64) {
        let (target, offset) =
            self.launch.as_ref().map_or_else(|| (String::new(), address), |l| l.owner_of(address));
        let values = [
            ("api", "a barrier in GM (SyncAll, IBSet, IBWait)".to_owned()),
            ("target", target),
            ("offset", offset.to_string()),
            ("value", value.to_string()),
        ];
        let mut draft = Draft::new(&DIRTY_WORKSPACE, &values);
        draft.frames = self.frames();
        self.record(draft, false);
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
    use super::{Foreign, Signals};

    #[test]
    fn words_have_times() {
        let mut signals = Signals::default();
        let told = Foreign::default();
        let reached = |s: &Signals, at, value, least| s.reached(at, value, least).map(|r| r.0);
        assert_eq!((reached(&signals, 8, 0, false), reached(&signals, 8, 1, true)), (Some(0), None));
        signals.write(8, 1, false, 100, &told);
        signals.write(8, 2, false, 90, &told);
        assert_eq!(reached(&signals, 8, 1, true), Some(100));
        assert_eq!(reached(&signals, 8, 2, true), Some(100), "not before the value before it");
        assert_eq!((reached(&signals, 8, 1, false), reached(&signals, 8, 2, false)), (None, Some(100)));
        (0..3).for_each(|i| signals.write(16, 1, true, 50 - i, &told));
        assert_eq!((reached(&signals, 16, 3, true), reached(&signals, 16, 4, true)), (Some(50), None));
    }
}
