//! Other legal orders of execution, chosen by a seed.
//!
//! Without a seed an instruction does its work when its pipe takes it, in program order. That is one order of many that the
//! hardware may choose. With a seed the engine does everything else as before (issue, flags, times, findings), but what an
//! instruction does to memory becomes an *effect* that happens later:
//!
//! ```text
//!  pipe takes it ──▶ effect { what it knows to be complete } ──▶ waits in its pipe
//!                                                                 │ ready: all it knows of has happened
//!                            somebody who knows of it goes on ────┤
//!                            the pipe's patience is over ─────────┴──▶ happens
//! ```
//! What an effect has to wait for is what the vector clocks of [`order`](super::order) say, so the orders that appear are those in
//! which every flag, barrier and wait of the kernel holds, and no others. A kernel without a race gives the same bytes for every seed; times and
//! findings are the same for every seed in any case. A race gives wrong bytes for some seeds, also while checks are off.
//!
//! | who | waits until these effects have happened |
//! |---|---|
//! | an effect | what its pipe knew when it was taken, and the effects before it in its pipe |
//! | the scalar unit, behind a wait, `PIPE_ALL`, `DSB`, or a read of a register that pipe V writes | what it knows then |
//! | GetValue, SetValue with the compiler's automatic synchronisation | all that touch its bytes |
//! | a cross-core flag | what its pipe knows, and that pipe |
//! | an instruction whose footprint depends on data, or with unit flags | as an effect; it happens at once |
//!
//! How lazy a pipe is, is drawn anew every few instructions: from *at once* to *as late as possible*. Two effects of a copy pipe without a barrier
//! between them may change places (and of pipe V without automatic synchronisation); atomic ones keep their order, as sums of
//! floats would differ in their last bits. Cores of a launch take turns in an order drawn from the seed, also between two
//! accesses to GM, and blocks of a wave start in another order. A launch runs on one thread then, so a seed gives the same run again.
//!
//! Not modelled: effects that happen in part; a scalar store that becomes visible late.

use super::clock::SLOTS;
use super::core::{Core, Pause, level};
use super::order::foreign::Known;
use crate::exec::{Decoded, execute, take_overflow};
use std::collections::VecDeque;
use std::ops::Range;
use toprope_abi::isa::{Kind, Space};

/// Effects of a core that may wait; a bound for memory, and about what the pipes' queues hold on the chip.
const MOST_WAITING: usize = 192;
/// How many effects of a pipe may wait, by its mood: none, a few, many.
const MOODS: [usize; 4] = [0, 2, 9, MOST_WAITING];
/// Instructions after which pipes change their moods, at most.
const LONGEST_MOOD: u64 = 40;
const V_SLOT: usize = 1;
const MTE2_SLOT: usize = 4;
const MTE3_SLOT: usize = 5;

/// A small generator of numbers (xorshift); the same seed gives the same numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator for a part of a run: any of `parts` other gives other numbers.
    pub fn new(seed: u64, parts: [u64; 3]) -> Random {
        let mix = |state: u64, part: u64| {
            let x = (state ^ part).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x ^ (x >> 29)
        };
        Random(parts.iter().fold(mix(0, seed), |state, part| mix(state, *part)) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Changes the order of `items`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

/// What an instruction still has to do.
#[derive(Clone, Debug)]
struct Effect {
    decoded: Decoded,
    /// Its number on its pipe.
    number: u32,
    /// What has to happen before.
    known: Known,
}

/// The effects of one core that have not happened.
#[derive(Debug)]
pub struct Schedule {
    seed: u64,
    random: Random,
    waiting: [VecDeque<Effect>; SLOTS],
    patience: [usize; SLOTS],
    /// Instructions until the moods change.
    mood_left: u64,
}

impl Schedule {
    /// Nothing waits.
    pub fn new(seed: u64) -> Schedule {
        let random = Random::new(seed, [0; 3]);
        Schedule { seed, random, waiting: Default::default(), patience: [0; SLOTS], mood_left: 0 }
    }

    /// For a block.
    pub fn begin(&mut self, launch: u64, block: u32, seat: u8) {
        self.random = Random::new(self.seed, [launch, u64::from(block), u64::from(seat)]);
        self.waiting.iter_mut().for_each(VecDeque::clear);
        self.mood_left = 0;
    }

    fn len(&self) -> usize {
        self.waiting.iter().map(VecDeque::len).sum()
    }

    fn change_mood(&mut self) {
        if self.mood_left == 0 {
            self.mood_left = 1 + self.random.below(LONGEST_MOOD);
            for patience in &mut self.patience {
                *patience = MOODS[self.random.below(MOODS.len() as u64) as usize];
            }
        }
        self.mood_left -= 1;
    }

    /// A pipe with an effect that has to happen before the first one of pipe `slot`.
    fn before_first(&self, slot: usize) -> Option<usize> {
        let first = self.waiting[slot].front()?;
        (0..SLOTS).find(|p| *p != slot && self.is_due(*p, first.known[*p]))
    }

    /// Whether an effect of pipe `slot` up to `number` waits.
    fn is_due(&self, slot: usize, number: u32) -> bool {
        self.waiting[slot].front().is_some_and(|e| e.number <= number)
    }

    /// Takes the next effect of `slot`, which is ready; perhaps the one behind it.
    fn take(&mut self, slot: usize, auto_sync: bool) -> Option<Effect> {
        let queue = &self.waiting[slot];
        let swaps = match (queue.front(), queue.get(1)) {
            (Some(first), Some(second)) => {
                may_change_places(slot, first, second, auto_sync)
                    && (0..SLOTS).all(|p| p == slot || !self.is_due(p, second.known[p]))
                    && self.random.one_in(2)
            }
            _ => false,
        };
        self.waiting[slot].remove(usize::from(swaps))
    }

    /// A pipe whose patience is over.
    fn impatient(&mut self) -> Option<usize> {
        let crowded = self.len() > MOST_WAITING;
        let from = self.random.below(SLOTS as u64) as usize;
        let pipes = || (0..SLOTS).map(|i| (from + i) % SLOTS);
        if crowded {
            return pipes().max_by_key(|p| self.waiting[*p].len());
        }
        // One that is not ready waits for a lazier pipe.
        pipes().find(|p| self.waiting[*p].len() > self.patience[*p] && self.before_first(*p).is_none())
    }
}

/// Whether an effect may happen before the one in front of it in its pipe.
fn may_change_places(slot: usize, first: &Effect, second: &Effect, auto_sync: bool) -> bool {
    let plain = |e: &Effect| {
        let may = match slot {
            V_SLOT => {
                !auto_sync
                    && matches!(
                        e.decoded.row().kind,
                        Kind::Binary(_) | Kind::Scalar(_) | Kind::Unary(_) | Kind::Duplicate
                    )
            }
            MTE2_SLOT | MTE3_SLOT => true,
            _ => false,
        };
        may && !e.decoded.accesses().iter().any(|a| a.atomic)
    };
    second.known[slot] < first.number && plain(first) && plain(second)
}

impl Core {
    /// An instruction was taken by its pipe and may do its work later.
    #[cold]
    #[inline(never)]
    pub(super) fn defer(&mut self, slot: usize, decoded: &Decoded) {
        let known = *self.clocks.known(slot);
        let number = self.clocks.count(slot);
        let at_once = decoded.has_more_accesses() || decoded.uses_unit_flags();
        if at_once {
            self.settle_for(slot);
            self.perform(decoded);
            return;
        }
        let Some(schedule) = &mut self.schedule else { return self.perform(decoded) };
        schedule.waiting[slot].push_back(Effect { decoded: *decoded, number, known });
        schedule.change_mood();
        while let Some(slot) = self.schedule.as_mut().and_then(|s| s.impatient()) {
            self.settle_first(slot);
        }
        self.may_let_pass(decoded);
    }

    /// Between two accesses to GM other cores may run.
    fn may_let_pass(&mut self, decoded: &Decoded) {
        const ONE_IN: u64 = 6;
        let Some(schedule) = &mut self.schedule else { return };
        if self.pause == Pause::None
            && decoded.accesses().iter().any(|a| a.space == Space::Gm)
            && schedule.random.one_in(ONE_IN)
        {
            self.pause = Pause::Yield;
        }
    }

    fn perform(&mut self, decoded: &Decoded) {
        self.set_level(level::EXECUTE);
        // SAFETY: as in `pipes`: every access was checked when the instruction was issued or just now; local memories stay
        // mapped as long as the core, GM blocks as long as the device.
        unsafe { execute(decoded, &mut self.pipe_state) };
        self.set_level(level::ENGINE);
    }

    /// The first effect of a pipe happens, and before it what has to.
    fn settle_first(&mut self, slot: usize) {
        let auto_sync = self.checks.auto_sync;
        let Some(schedule) = &mut self.schedule else { return };
        let mut at = slot;
        // What an effect knows of was taken before it, so this ends.
        while let Some(before) = schedule.before_first(at) {
            at = before;
        }
        if let Some(effect) = schedule.take(at, auto_sync) {
            self.perform(&effect.decoded);
        }
    }

    fn settle_pipe(&mut self, slot: usize, number: u32) {
        while self.schedule.as_ref().is_some_and(|s| s.is_due(slot, number)) {
            self.settle_first(slot);
        }
    }

    fn settle(&mut self, known: &Known) {
        (0..SLOTS).for_each(|slot| self.settle_pipe(slot, known[slot]));
    }

    /// Everything that has to happen before the next instruction of pipe `slot` happens.
    pub(super) fn settle_for(&mut self, slot: usize) {
        let known = *self.clocks.known(slot);
        self.settle(&known);
        self.settle_pipe(slot, u32::MAX);
    }

    /// Everything that the scalar unit knows to be complete happens.
    #[inline]
    pub(super) fn catch_up(&mut self) {
        if self.schedule.is_some() {
            let known = *self.clocks.known(0);
            self.settle(&known);
        }
    }

    /// Everything that is complete when the instructions of pipe `slot` so far are.
    #[inline]
    pub(super) fn settle_behind(&mut self, slot: usize) {
        if self.schedule.is_some() {
            self.settle_for(slot);
        }
    }

    /// Everything that was taken happens.
    pub(super) fn settle_all(&mut self) {
        if self.schedule.is_some() {
            (0..SLOTS).for_each(|slot| self.settle_pipe(slot, u32::MAX));
            self.stats.overflowed |= take_overflow();
        }
    }

    /// The scalar unit is about to access `range`.
    #[inline]
    pub(super) fn settle_scalar(&mut self, range: &Range<u64>) {
        if self.schedule.is_some() {
            self.settle_touching(range);
        }
    }

    #[cold]
    fn settle_touching(&mut self, range: &Range<u64>) {
        self.catch_up();
        if !self.checks.auto_sync {
            return;
        }
        let touches = |e: &Effect| {
            let mut extents = e.decoded.accesses().iter().filter_map(crate::exec::Access::extent);
            extents.any(|x| x.start < range.end && range.start < x.end)
        };
        for slot in 0..SLOTS {
            let last = self.schedule.as_ref().and_then(|s| s.waiting[slot].iter().rev().find(|e| touches(e)));
            if let Some(number) = last.map(|e| e.number) {
                self.settle_pipe(slot, number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_and_parts_give_other_numbers() {
        let draw = |seed, parts| {
            let mut random = Random::new(seed, parts);
            (0..4).map(|_| random.below(1000)).collect::<Vec<u64>>()
        };
        assert_eq!(draw(7, [1, 2, 3]), draw(7, [1, 2, 3]));
        for (seed, parts) in [(8, [1, 2, 3]), (7, [1, 2, 4]), (7, [2, 1, 3]), (0, [1, 2, 3])] {
            assert_ne!(draw(seed, parts), draw(7, [1, 2, 3]), "{seed} {parts:?}");
        }
    }

    #[test]
    fn shuffling_keeps_the_items() {
        let mut items: Vec<u32> = (0..20).collect();
        Random::new(1, [0; 3]).shuffle(&mut items);
        assert_ne!(items, (0..20).collect::<Vec<u32>>());
        items.sort_unstable();
        assert_eq!(items, (0..20).collect::<Vec<u32>>());
    }
}
