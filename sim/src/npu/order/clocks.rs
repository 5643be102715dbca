//! Vector clocks of a core's pipes: which instructions are known to be complete when another one starts.
//!
//! Every data instruction has a number on its pipe, from 1. `known[q][p]` is the number of the last instruction of pipe `p`
//! that is complete when the next instruction of pipe `q` starts. Edges:
//!
//! | edge | effect |
//! |---|---|
//! | issue | the pipe learns what the scalar unit knows, and that its loads are done; **not** its stores |
//! | `SetFlag` p→q | a message: all of p so far, and what p knows |
//! | `WaitFlag` p→q | q learns the message |
//! | `PipeBarrier<p>` | p learns that all of itself is complete |
//! | `PipeBarrier<ALL>` | everybody learns that everything is complete |
//! | cross-core set and wait | as a flag, from a pipe to the scalar unit of other cores (`foreign`), and of its own core if that waits |
//!
//! An instruction that waits in its pipe knows what the scalar unit knew when it was issued ([`Issued`]), not when it runs.
//!
//! Source: Ascend C guide on synchronisation inside a core (SetFlag, WaitFlag, PipeBarrier) and between cores.

use super::foreign::{Foreign, Known, LOADS, PARTS, join};
use crate::npu::clock::SLOTS;
use crate::npu::cross_flags::CoreId;

/// Flags of a core: pairs of slots times ids.
const FLAGS: usize = SLOTS * SLOTS * 8;
/// Slot of the scalar unit.
const SCALAR: usize = 0;

/// What the scalar unit knew when it issued an instruction.
#[derive(Clone, Debug, Default)]
pub struct Issued {
    known: Known,
    foreign: Foreign,
}

/// What a set flag tells.
#[derive(Clone, Debug, Default)]
struct Message {
    known: Known,
    foreign: Foreign,
}

/// The clocks of one core.
#[derive(Debug)]
pub struct Clocks {
    count: Known,
    known: [Known; SLOTS],
    foreign: [Foreign; SLOTS],
    /// Version of the scalar unit's knowledge that each pipe has learned.
    learned: [u32; SLOTS],
    version: u32,
    /// Stores of the scalar unit that it has been told to be complete.
    settled: u32,
    messages: Box<[Message]>,
    /// Times that a pipe has told how far it has come.
    told: [u32; SLOTS],
    past: [Past; SLOTS],
}

/// What a pipe knew before its latest waits.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    /// Number of its last instruction then, and what it knew; the latest at `next - 1`, number 0: none.
    entries: [(u32, Known); Past::KEPT],
    next: usize,
}

impl Past {
    const KEPT: usize = 4;

    fn note(&mut self, number: u32, known: &Known) {
        if self.entries[(self.next + Past::KEPT - 1) % Past::KEPT].0 == number {
            // Several waits behind one instruction: what it knew itself is of interest.
            return;
        }
        self.entries[self.next] = (number, *known);
        self.next = (self.next + 1) % Past::KEPT;
    }

    /// What was known when instruction `number` ran, as far back as is kept; `None`: what is known now.
    fn at(&self, number: u32) -> Option<&Known> {
        let behind = self.entries.iter().filter(|(last, _)| *last >= number);
        behind.min_by_key(|(last, _)| *last).map(|(_, known)| known)
    }
}

impl Default for Clocks {
    fn default() -> Clocks {
        Clocks {
            count: [0; PARTS],
            known: [[0; PARTS]; SLOTS],
            foreign: Default::default(),
            learned: [0; SLOTS],
            version: 0,
            settled: 0,
            messages: vec![Message::default(); FLAGS].into(),
            told: [0; SLOTS],
            past: [Past::default(); SLOTS],
        }
    }
}

impl Clocks {
    /// Nothing has happened yet.
    pub fn clear(&mut self) {
        self.count = [0; PARTS];
        self.known = [[0; PARTS]; SLOTS];
        self.foreign = Default::default();
        self.learned = [0; SLOTS];
        self.version = 0;
        self.told = [0; SLOTS];
        self.settled = 0;
        self.past = [Past::default(); SLOTS];
    }

    /// Number of the latest instruction of a part.
    #[inline]
    pub fn count(&self, part: usize) -> u32 {
        self.count[part]
    }

    /// What is complete for the next instruction of pipe `slot`.
    #[inline]
    pub fn known(&self, slot: usize) -> &Known {
        &self.known[slot]
    }

    /// What is known of other cores.
    #[inline]
    pub fn foreign(&self, slot: usize) -> &Foreign {
        &self.foreign[slot]
    }

    /// An instruction of pipe `slot` is issued now: the pipe learns what the scalar unit knows.
    #[inline]
    pub fn issue(&mut self, slot: usize) {
        // Rarely: a store here would hold up whoever copies the whole behind it.
        if self.known[slot][LOADS] != self.count[LOADS] {
            self.known[slot][LOADS] = self.count[LOADS];
        }
        if self.learned[slot] != self.version {
            self.learn(slot);
        }
    }

    #[cold]
    fn learn(&mut self, slot: usize) {
        self.learned[slot] = self.version;
        let scalar = self.issued();
        self.issue_as(slot, &scalar);
    }

    /// What the scalar unit knows now, for an instruction that will wait in its pipe.
    pub fn issued(&self) -> Issued {
        let mut known = self.known[SCALAR];
        known[LOADS] = self.count[LOADS];
        // Stores of the scalar unit are ordered by flags only.
        known[SCALAR] = self.settled;
        Issued { known, foreign: self.foreign[SCALAR].clone() }
    }

    /// As [`Clocks::issue`], for an instruction that was issued earlier.
    pub fn issue_as(&mut self, slot: usize, issued: &Issued) {
        if slot == SCALAR {
            return;
        }
        join(&mut self.known[slot], &issued.known);
        self.foreign[slot].join(&issued.foreign);
    }

    /// The next instruction of a part runs; its number.
    #[inline]
    pub fn next(&mut self, part: usize) -> u32 {
        self.count[part] += 1;
        if part == SCALAR || part == LOADS {
            // The scalar unit works in program order.
            self.known[SCALAR][part] = self.count[part];
        }
        self.count[part]
    }

    /// Flag `flag` (pair × 8 + id) is set by pipe `slot`.
    pub fn set(&mut self, slot: usize, flag: usize) {
        let message = &mut self.messages[flag];
        message.known.copy_from_slice(&self.known[slot]);
        message.known[slot] = self.count[slot];
        if !message.foreign.is_same(&self.foreign[slot]) {
            message.foreign = self.foreign[slot].clone();
        }
        self.told[slot] += 1;
    }

    /// Times that pipe `slot` has told how far it has come: accesses between two of them cannot be told apart.
    #[inline]
    pub fn told(&self, slot: usize) -> u32 {
        self.told[slot]
    }

    /// What is complete when all of pipe `slot` so far is.
    pub fn upto(&self, slot: usize) -> Known {
        let mut known = self.known[slot];
        known[slot] = self.count[slot];
        known
    }

    /// Pipe `slot` has waited for flag `flag`.
    pub fn wait(&mut self, slot: usize, flag: usize) {
        self.past[slot].note(self.count[slot], &self.known[slot]);
        // What it tells stays until the flag is set again: nobody can wait for it before.
        let message = &self.messages[flag];
        if slot == SCALAR {
            self.settled = self.settled.max(message.known[SCALAR]);
        }
        join(&mut self.known[slot], &message.known);
        self.foreign[slot].join(&message.foreign);
        self.scalar_learned(slot);
    }

    /// Pipe `slot` is told that so many stores of the scalar unit are complete.
    fn settle(&mut self, slot: usize, stores: u32) {
        if slot == SCALAR {
            self.settled = self.settled.max(stores);
        }
    }

    fn scalar_learned(&mut self, slot: usize) {
        if slot == SCALAR {
            self.version += 1;
            self.learned[SCALAR] = self.version;
        }
    }

    /// `PipeBarrier` on one pipe.
    #[inline]
    pub fn barrier(&mut self, slot: usize) {
        self.known[slot][slot] = self.count[slot];
        self.told[slot] += 1;
    }

    /// Pipe `to` learns all of pipe `from` so far and what it knows, as with a flag just here.
    pub fn edge(&mut self, from: usize, to: usize) {
        self.told[from] += 1;
        let known = self.upto(from);
        self.settle(to, known[SCALAR]);
        join(&mut self.known[to], &known);
        let foreign = self.foreign[from].clone();
        self.foreign[to].join(&foreign);
        self.scalar_learned(to);
    }

    /// Pipe `to` learns that part `from` is complete as far as `number`, and what that pipe knew then: what a flag would have told it
    /// that was set right behind that instruction. What `from` has waited for since is not among it.
    pub fn learn_of(&mut self, from: usize, to: usize, number: u32) {
        if from != LOADS {
            self.told[from] += 1;
            if from != to {
                let mut known = *self.past[from].at(number).unwrap_or(&self.known[from]);
                known[from] = 0;
                // Of itself a pipe learns nothing that no flag has told it.
                known[to] = 0;
                self.settle(to, known[SCALAR]);
                join(&mut self.known[to], &known);
                let foreign = self.foreign[from].clone();
                self.foreign[to].join(&foreign);
            }
        }
        self.learn_number(from, to, number);
    }

    /// Pipe `to` learns that part `from` is complete as far as `number`, and nothing else.
    pub fn learn_number(&mut self, from: usize, to: usize, number: u32) {
        let known = &mut self.known[to][from];
        *known = (*known).max(number);
        self.scalar_learned(to);
    }

    /// `DataSyncBarrier`: the scalar unit goes on when pipes `slots` are done, and, if `stores`, its stores can be seen.
    pub fn data_barrier(&mut self, slots: &[usize], stores: bool) {
        slots.iter().for_each(|slot| self.edge(*slot, SCALAR));
        if stores {
            self.settled = self.count[SCALAR];
            self.known.iter_mut().for_each(|known| known[SCALAR] = self.count[SCALAR]);
        }
    }

    /// Number of the latest instruction of every part.
    pub fn counts(&self) -> Known {
        self.count
    }

    /// `PipeBarrier<PIPE_ALL>`.
    pub fn barrier_all(&mut self) {
        self.known = [self.count; SLOTS];
        self.settled = self.count[SCALAR];
        let mut all = Foreign::default();
        self.foreign.iter().for_each(|f| all.join(f));
        self.foreign.fill(all);
        self.told.iter_mut().for_each(|t| *t += 1);
        self.scalar_learned(SCALAR);
    }

    /// What a cross-core flag that pipe `slot` of `core` sets tells others.
    pub fn export(&mut self, slot: usize, core: CoreId) -> Foreign {
        self.told[slot] += 1;
        self.foreign[slot].with(core, self.upto(slot))
    }

    /// The scalar unit of core `own` has waited for other cores. A flag that this core had to set as well (modes 0 and 1), or
    /// that came back from a core which had waited for this one, tells it of its own pipes, too.
    pub fn import(&mut self, told: &Foreign, own: CoreId) {
        if let Some(known) = told.of(own) {
            self.settle(SCALAR, known[SCALAR]);
            join(&mut self.known[SCALAR], known);
        }
        self.foreign[SCALAR].join(told);
        self.scalar_learned(SCALAR);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: usize = 1;
    const MTE2: usize = 4;
    const MTE3: usize = 5;

    #[test]
    fn a_flag_tells_what_its_pipe_knows() {
        let mut c = Clocks::default();
        c.next(MTE2);
        c.set(MTE2, 0);
        c.wait(V, 0);
        c.next(V);
        c.set(V, 1);
        c.wait(MTE3, 1);
        assert_eq!((c.known(MTE3)[MTE2], c.known(MTE3)[V], c.known(V)[V]), (1, 1, 0));
    }

    #[test]
    fn what_is_issued_learns_of_waits_but_not_of_stores() {
        let mut c = Clocks::default();
        c.next(MTE2);
        c.set(MTE2, 0);
        c.next(SCALAR);
        c.next(LOADS);
        let before = c.issued();
        c.wait(SCALAR, 0);
        c.issue(V);
        assert_eq!((c.known(V)[MTE2], c.known(V)[SCALAR], c.known(V)[LOADS]), (1, 0, 1));
        c.issue_as(MTE3, &before);
        assert_eq!(c.known(MTE3)[MTE2], 0, "issued before the wait");
        c.barrier_all();
        assert_eq!(c.known(MTE3)[SCALAR], 1);
    }

    #[test]
    fn what_a_pipe_waits_for_later_is_not_learned_of_an_earlier_instruction() {
        let mut c = Clocks::default();
        c.next(MTE2);
        c.set(MTE2, 0);
        c.wait(V, 0);
        let number = c.next(V);
        for id in 1..4 {
            c.next(MTE3);
            c.set(MTE3, id);
            c.wait(V, id);
        }
        c.learn_of(V, MTE2, number);
        assert_eq!((c.known(MTE2)[V], c.known(MTE2)[MTE3]), (1, 0));
        let number = c.next(V);
        c.learn_of(V, MTE2, number);
        assert_eq!(c.known(MTE2)[MTE3], 3, "it had waited before this one");
    }

    #[test]
    fn cores_tell_each_other_through_the_scalar_unit() {
        let (mut a, mut b) = (Clocks::default(), Clocks::default());
        let core = CoreId { block: 4, seat: 1 };
        a.next(MTE3);
        let told = a.export(MTE3, core);
        a.next(MTE3);
        b.issue(MTE2);
        assert_eq!(b.foreign(MTE2).knows(core, MTE3), 0);
        let other = CoreId { block: 4, seat: 2 };
        b.import(&told, other);
        b.issue(MTE2);
        assert_eq!((b.foreign(MTE2).knows(core, MTE3), b.known(MTE2)[MTE3]), (1, 0));
        let back = b.export(MTE2, other);
        a.import(&back, core);
        a.issue(MTE2);
        assert_eq!(a.known(MTE2)[MTE3], 1, "what it had told itself, and not what it did since");
    }
}
