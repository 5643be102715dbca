//! Which synchronisation an order between two accesses is owed to.
//!
//! Knowledge of pipe `q` about part `p` only grows. Each time it grows the cause is noted: a flag, a barrier, or that the scalar unit
//! knew and issued. An access of `q` that has to come after number `n` of `p` is owed to the first cause that raised the knowledge to `n`
//! or more. If that was a flag from a third pipe, that pipe's own knowledge was owed to something too, and so on. What is never owed anything
//! in a run can be left out of that run: all of it at once, as what is owed something stands on its own.

use crate::npu::clock::SLOTS;
use crate::npu::order::foreign::{Known, PARTS};

/// Number of a cause.
pub type CauseId = u32;
/// The scalar unit issued.
pub const ISSUE: CauseId = u32::MAX;
const SCALAR: usize = 0;
/// Entries after which nothing more is noted: a core that synchronises this often gets no hints.
const MOST_ENTRIES: usize = 8 << 20;

/// A cause, and what it was good for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cause {
    /// Pipe that told, if one did; else all that it told of is complete of itself.
    pub from: Option<usize>,
    /// Pairs of (part, pipe) whose order is owed to it, bit part × 8 + pipe.
    pub pairs: u64,
}

impl Cause {
    /// Whether any order is owed to it.
    #[cfg(test)]
    pub fn is_needed(&self) -> bool {
        self.pairs != 0
    }
}

/// How the knowledge of every pipe grew.
#[derive(Debug, Default)]
pub struct Reasons {
    causes: Vec<Cause>,
    seen: [Known; SLOTS],
    /// Per pipe and part: number reached, and by what.
    raised: [[Vec<(u32, CauseId)>; PARTS]; SLOTS],
    entries: usize,
}

impl Reasons {
    /// A new cause.
    pub fn add(&mut self, from: Option<usize>) -> CauseId {
        self.causes.push(Cause { from, pairs: 0 });
        self.causes.len() as CauseId - 1
    }

    /// A cause.
    pub fn get(&self, cause: CauseId) -> Cause {
        self.causes.get(cause as usize).copied().unwrap_or_default()
    }

    /// Whether too much happened to keep account of.
    pub fn gave_up(&self) -> bool {
        self.entries > MOST_ENTRIES
    }

    /// Pipe `slot` knows this much now, and owes what is new to `cause`.
    pub fn observe(&mut self, slot: usize, known: &Known, cause: CauseId) {
        if self.gave_up() {
            return;
        }
        let seen = &mut self.seen[slot];
        for (part, list) in self.raised[slot].iter_mut().enumerate() {
            if known[part] > seen[part] {
                list.push((known[part], cause));
                self.entries += 1;
            }
        }
        *seen = *known;
    }

    /// An access of pipe `slot` has to come after number `number` of `part`.
    pub fn owe(&mut self, slot: usize, part: usize, number: u32) {
        let pair = 1 << (part * 8 + slot);
        let mut at = slot;
        // Each step goes back in time.
        loop {
            let list = &self.raised[at][part];
            let first = list.partition_point(|entry| entry.0 < number);
            let Some(&(_, cause)) = list.get(first) else { return };
            if cause == ISSUE {
                if at == SCALAR {
                    return;
                }
                at = SCALAR;
                continue;
            }
            let Some(cause) = self.causes.get_mut(cause as usize) else { return };
            cause.pairs |= pair;
            match cause.from {
                Some(from) if from != part && from != at => at = from,
                _ => return,
            }
        }
    }

    /// Everything that comes after `part` is owed to a cause.
    pub fn need(&mut self, cause: CauseId, part: usize) {
        if let Some(cause) = self.causes.get_mut(cause as usize) {
            cause.pairs |= 0xff << (part * 8);
        }
    }

    /// Everything that pipe `slot` knows is told to somebody else.
    pub fn owe_all(&mut self, slot: usize, known: &Known) {
        for (part, number) in known.iter().enumerate().filter(|(_, n)| **n > 0) {
            self.owe(slot, part, *number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: usize = 1;
    const MTE2: usize = 4;
    const MTE3: usize = 5;

    fn knows(part: usize, number: u32) -> Known {
        let mut known = [0; PARTS];
        known[part] = number;
        known
    }

    #[test]
    fn order_through_a_third_pipe_is_owed_to_both_flags() {
        let mut r = Reasons::default();
        let (first, second, third) = (r.add(Some(MTE2)), r.add(Some(V)), r.add(Some(MTE2)));
        r.observe(V, &knows(MTE2, 3), first);
        r.observe(MTE3, &knows(MTE2, 3), second);
        r.observe(MTE3, &knows(MTE2, 3), third);
        r.owe(MTE3, MTE2, 2);
        let needed = [first, second, third].map(|c| r.get(c).is_needed());
        assert_eq!(needed, [true, true, false], "the last flag tells nothing new");
        assert_eq!(r.get(second).pairs, 1 << (MTE2 * 8 + MTE3));
    }

    #[test]
    fn what_the_scalar_unit_knew_is_owed_to_its_wait() {
        let mut r = Reasons::default();
        let wait = r.add(Some(V));
        r.observe(SCALAR, &knows(V, 7), wait);
        r.observe(MTE2, &knows(V, 7), ISSUE);
        r.owe(MTE2, V, 8);
        assert!(!r.get(wait).is_needed(), "not known at all");
        r.owe(MTE2, V, 7);
        assert!(r.get(wait).is_needed());
    }
}
