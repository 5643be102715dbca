//! Cross-core flags of a launch: 16 counters per core, and who has to set before one of them counts.
//!
//! ```text
//!  mode 0   all AICs, or all AIVs, of the launch have set  ─▶ +1 on each of them
//!  mode 1   all AIVs of a block have set                   ─▶ +1 on each of them
//!  mode 2   the AIC of a block has set                     ─▶ +1 on each AIV of the block
//!           all AIVs of a block have set                   ─▶ +1 on its AIC
//! ```
//! The n-th set of a core belongs to round n of its group, and a wait takes the oldest count, so who gets which count does
//! not depend on the order in which cores happen to run. A count carries the device time at which it arrived.
//!
//! Modelled: ids 0..15, modes 0, 1, 2, counters that hold at most 15. Not modelled: that two sets of one core may take effect
//! in another order. Source: Ascend C API reference, CrossCoreSetFlag, CrossCoreWaitFlag and the page on their key features.

use super::order::foreign::Foreign;
use std::collections::{BTreeMap, HashMap, VecDeque};
use toprope_abi::isa::CoreKind;

/// Flags of a core.
pub const FLAG_IDS: u64 = 16;
/// What a counter can hold.
pub const MOST_COUNTS: usize = 15;
/// Modes of this architecture.
pub const MODES: u64 = 3;

/// A core of a launch: its block, and which core of the block it is (0 AIC, 1 and 2 AIVs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CoreId {
    /// Block of the launch.
    pub block: u32,
    /// 0: AIC, 1 and 2: AIVs.
    pub seat: u8,
}

impl CoreId {
    /// What kind of core it is.
    pub fn kind(self) -> CoreKind {
        if self.seat == 0 { CoreKind::Aic } else { CoreKind::Aiv }
    }
}

/// Blocks of a launch and the cores of each.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub blocks: u32,
    pub aics: u32,
    pub aivs: u32,
}

impl Shape {
    fn per_block(self, kind: CoreKind) -> u32 {
        match kind {
            CoreKind::Aic => self.aics,
            CoreKind::Aiv => self.aivs,
        }
    }

    /// Cores of a kind in the launch.
    pub fn cores(self, kind: CoreKind) -> u32 {
        self.blocks * self.per_block(kind)
    }

    fn aivs_of(self, block: u32) -> impl Iterator<Item = CoreId> {
        (0..self.aivs).map(move |i| CoreId { block, seat: 1 + i as u8 })
    }

    /// The `index`-th core of a kind.
    fn core(self, kind: CoreKind, index: u32) -> CoreId {
        match kind {
            CoreKind::Aic => CoreId { block: index, seat: 0 },
            CoreKind::Aiv => CoreId { block: index / self.aivs, seat: 1 + (index % self.aivs) as u8 },
        }
    }

    /// Cores of every block, in order.
    pub fn seats(self) -> impl Iterator<Item = u8> {
        let aic = (self.aics > 0).then_some(0);
        aic.into_iter().chain((0..self.aivs).map(|i| 1 + i as u8))
    }

    /// Whether mode `mode` can be used by cores of this kind.
    pub fn has_mode(self, mode: u64, kind: CoreKind) -> bool {
        match (mode, kind) {
            (0, _) => true,
            (1, CoreKind::Aiv) | (2, _) => self.aics > 0 && self.aivs > 0,
            _ => false,
        }
    }
}

/// A set on its way.
#[derive(Clone, Debug)]
pub struct Set {
    pub mode: u8,
    pub flag: u8,
    /// When everything before it on its pipe was done.
    pub cycle: u64,
    /// Where in the program.
    pub pc: u64,
    /// What the setting pipe knows to be complete.
    pub told: Foreign,
}

/// One count of a flag.
#[derive(Clone, Debug)]
struct Count {
    cycle: u64,
    pc: u64,
    told: Foreign,
}

/// A flag of a core: what has arrived, what was taken. The k-th wait takes the k-th count.
#[derive(Debug, Default)]
struct Counter {
    counts: VecDeque<Count>,
    waits: VecDeque<u64>,
    overflow: Option<Count>,
}

/// Settled history is dropped in pieces of this length.
const SETTLED: usize = 1024;

impl Counter {
    /// Looks for counts that arrived while 15 were there already: count k + 15 before wait k. A wait that has not
    /// happened may still come, unless the core has `ended`.
    fn settle(&mut self, ended: bool) {
        let never = if ended { u64::MAX } else { 0 };
        let waited = |k: usize| self.waits.get(k).copied().unwrap_or(never);
        let too_early = |(k, count): (usize, &Count)| (count.cycle < waited(k)).then(|| count.clone());
        let found = self.counts.iter().skip(MOST_COUNTS).enumerate().find_map(too_early);
        self.overflow = self.overflow.take().or(found);
        let both = self.waits.len().min(self.counts.len().saturating_sub(MOST_COUNTS));
        self.counts.drain(..both);
        self.waits.drain(..both);
    }

    fn left(&self) -> usize {
        self.counts.len() - self.waits.len()
    }
}

/// Cores that have to set the same flag before it counts.
#[derive(Debug)]
struct Group {
    /// Sets of each member so far.
    sets: Vec<u32>,
    /// Rounds that somebody is still missing in.
    open: VecDeque<Round>,
    complete: u32,
}

#[derive(Clone, Debug)]
struct Round {
    arrived: u32,
    latest: Count,
}

impl Group {
    fn new(members: u32) -> Group {
        Group { sets: vec![0; members as usize], open: VecDeque::new(), complete: 0 }
    }

    /// Member `index` sets; the round this completes, if any.
    fn set(&mut self, index: u32, count: Count) -> Option<Count> {
        let sets = &mut self.sets[index as usize];
        let round = (*sets - self.complete) as usize;
        *sets += 1;
        if round == self.open.len() {
            self.open.push_back(Round { arrived: 0, latest: count.clone() });
        }
        let open = &mut self.open[round];
        open.arrived += 1;
        open.latest.told.join(&count.told);
        if count.cycle > open.latest.cycle {
            (open.latest.cycle, open.latest.pc) = (count.cycle, count.pc);
        }
        if self.open.front()?.arrived as usize != self.sets.len() {
            return None;
        }
        self.complete += 1;
        self.open.pop_front().map(|round| round.latest)
    }

    /// Members that the oldest open round (or the next one) misses.
    fn missing(&self) -> impl Iterator<Item = u32> {
        let of = move |(i, sets): (usize, &u32)| (*sets == self.complete).then_some(i as u32);
        self.sets.iter().enumerate().filter_map(of)
    }
}

/// What a core waits for.
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    pub flag: u8,
    /// Its scalar time.
    pub cycle: u64,
    /// Where in the program.
    pub frames: [u64; 4],
}

/// The end of a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granted {
    /// When it ends.
    pub cycle: u64,
    /// What whoever set the flag knew to be complete.
    pub told: Foreign,
}

/// A core that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub core: CoreId,
    pub granted: Granted,
}

/// A flag that is not as it should be when the launch has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// Counts that nobody waited for.
    Counts { core: CoreId, flag: u8, count: usize, pc: u64 },
    /// A count beyond 15.
    Overflow { core: CoreId, flag: u8, pc: u64 },
    /// Sets that never counted, because other cores did not set.
    Unmatched { core: CoreId, flag: u8, mode: u8, arrived: u32, members: u32, pc: u64 },
}

/// The flags of every core of a launch.
#[derive(Debug)]
pub struct CrossFlags {
    shape: Shape,
    /// From the last set to the count on the cores that wait.
    latency_cycles: u64,
    counters: HashMap<(CoreId, u8), Counter>,
    /// Mode 0, by kind and flag.
    all: HashMap<(u8, u8), Group>,
    /// Modes 1 and 2 of AIVs: block, mode, flag.
    blocks: HashMap<(u32, u8, u8), Group>,
    /// Cores that wait.
    waiting: BTreeMap<CoreId, Wait>,
}

impl CrossFlags {
    /// All flags 0.
    pub fn new(shape: Shape, latency_cycles: u64) -> CrossFlags {
        CrossFlags {
            shape,
            latency_cycles,
            counters: HashMap::new(),
            all: HashMap::new(),
            blocks: HashMap::new(),
            waiting: BTreeMap::new(),
        }
    }

    /// Core `from` sets; waits that end by it are appended to `grants`.
    pub fn set(&mut self, from: CoreId, set: Set, grants: &mut Vec<Grant>) {
        let count = Count { cycle: set.cycle, pc: set.pc, told: set.told };
        let shape = self.shape;
        let kind = from.kind();
        match (set.mode, kind) {
            (0, _) => {
                let per_block = shape.per_block(kind);
                let index = from.block * per_block + u32::from(from.seat.saturating_sub(1));
                let group = self.all.entry((kind as u8, set.flag));
                let group = group.or_insert_with(|| Group::new(shape.cores(kind)));
                if let Some(done) = group.set(index, count) {
                    (0..shape.cores(kind))
                        .for_each(|i| self.count(shape.core(kind, i), set.flag, done.clone(), grants));
                }
            }
            (2, CoreKind::Aic) => {
                shape.aivs_of(from.block).for_each(|core| self.count(core, set.flag, count.clone(), grants));
            }
            (mode, _) => {
                let group = self.blocks.entry((from.block, mode, set.flag));
                let group = group.or_insert_with(|| Group::new(shape.aivs));
                let Some(done) = group.set(u32::from(from.seat.saturating_sub(1)), count) else { return };
                if mode == 1 {
                    shape
                        .aivs_of(from.block)
                        .for_each(|core| self.count(core, set.flag, done.clone(), grants));
                } else {
                    self.count(CoreId { block: from.block, seat: 0 }, set.flag, done, grants);
                }
            }
        }
    }

    fn count(&mut self, core: CoreId, flag: u8, mut count: Count, grants: &mut Vec<Grant>) {
        count.cycle += self.latency_cycles;
        let counter = self.counters.entry((core, flag)).or_default();
        counter.counts.push_back(count);
        let Some(wait) = self.waiting.get(&core).filter(|w| w.flag == flag).copied() else { return };
        self.waiting.remove(&core);
        if let Some(granted) = self.take(core, wait) {
            grants.push(Grant { core, granted });
        }
    }

    /// Takes a count; the end of the wait.
    fn take(&mut self, core: CoreId, wait: Wait) -> Option<Granted> {
        let counter = self.counters.get_mut(&(core, wait.flag))?;
        let count = counter.counts.get_mut(counter.waits.len())?;
        let told = std::mem::take(&mut count.told);
        let cycle = wait.cycle.max(count.cycle);
        counter.waits.push_back(cycle);
        if counter.waits.len() >= SETTLED {
            counter.settle(false);
        }
        Some(Granted { cycle, told })
    }

    /// Core `core` waits: how the wait ends, or `None` if it has to be held until a [`Grant`].
    pub fn wait(&mut self, core: CoreId, wait: Wait) -> Option<Granted> {
        let granted = self.take(core, wait);
        if granted.is_none() {
            self.waiting.insert(core, wait);
        }
        granted
    }

    /// Cores that wait, in order.
    pub fn waiting(&self) -> impl Iterator<Item = (CoreId, Wait)> {
        self.waiting.iter().map(|(core, wait)| (*core, *wait))
    }

    /// How many cores wait.
    pub fn waiting_len(&self) -> usize {
        self.waiting.len()
    }

    /// Flags of a core that count: which, how much.
    pub fn counting(&self, core: CoreId) -> Vec<(u8, usize)> {
        let of = |flag| Some((flag, self.counters.get(&(core, flag)).map(Counter::left).filter(|n| *n > 0)?));
        (0..FLAG_IDS as u8).filter_map(of).collect()
    }

    /// Who has to set flag `flag` so that `core` goes on: per mode that was used, or all that could be meant, the cores
    /// whose set is missing.
    pub fn missing(&self, core: CoreId, flag: u8) -> Vec<(u8, Vec<CoreId>)> {
        let shape = self.shape;
        let block = core.block;
        let used = |mode: u8, group: Option<&Group>, member: &dyn Fn(u32) -> CoreId| {
            group.filter(|g| !g.open.is_empty()).map(|g| (mode, g.missing().map(member).collect::<Vec<_>>()))
        };
        let kind = core.kind();
        let aiv = |i: u32| CoreId { block, seat: 1 + i as u8 };
        let of_block = |mode| used(mode, self.blocks.get(&(block, mode, flag)), &aiv);
        let mut found = Vec::new();
        found.extend(used(0, self.all.get(&(kind as u8, flag)), &|i| shape.core(kind, i)));
        found.extend(match kind {
            CoreKind::Aiv => of_block(1),
            CoreKind::Aic => of_block(2),
        });
        if found.is_empty() && shape.aics > 0 && shape.aivs > 0 {
            let senders = match kind {
                CoreKind::Aiv => vec![CoreId { block, seat: 0 }],
                CoreKind::Aic => shape.aivs_of(block).collect(),
            };
            found.push((2, senders));
        }
        found
    }

    /// How often `core` has set flag `flag` for cores of another kind than `waits` (mode, times).
    pub fn sets_for_others(&self, core: CoreId, flag: u8, waits: CoreKind) -> Vec<(u8, u32)> {
        let shape = self.shape;
        let seat = u32::from(core.seat.saturating_sub(1));
        let kind = core.kind();
        let sets = |group: Option<&Group>, index: u32| {
            group.and_then(|g| g.sets.get(index as usize)).copied().unwrap_or(0)
        };
        let mut found = Vec::new();
        if kind != waits {
            let index = core.block * shape.per_block(kind) + seat;
            found.push((0, sets(self.all.get(&(kind as u8, flag)), index)));
        }
        if kind == CoreKind::Aiv {
            let mode = if waits == CoreKind::Aic { 1 } else { 2 };
            found.push((mode, sets(self.blocks.get(&(core.block, mode, flag)), seat)));
        }
        found.retain(|(_, times)| *times > 0);
        found
    }

    /// Forgets what is even after a block has ended.
    pub fn block_ended(&mut self, block: u32) {
        // It was given up: who set what for whom will be told.
        if self.waiting.keys().any(|core| core.block == block) {
            return;
        }
        let clean = |c: &mut Counter| {
            c.settle(true);
            c.left() == 0 && c.overflow.is_none()
        };
        for seat in self.shape.seats() {
            let core = CoreId { block, seat };
            for flag in 0..FLAG_IDS as u8 {
                if self.counters.get_mut(&(core, flag)).is_some_and(clean) {
                    self.counters.remove(&(core, flag));
                }
                for mode in [1, 2] {
                    if self.blocks.get(&(block, mode, flag)).is_some_and(|g| g.open.is_empty()) {
                        self.blocks.remove(&(block, mode, flag));
                    }
                }
            }
        }
    }

    /// What is uneven at the end of a launch, in order of cores and flags.
    pub fn leftovers(&mut self) -> Vec<Leftover> {
        let mut found: Vec<(CoreId, u8, Leftover)> = Vec::new();
        for (&(core, flag), counter) in &mut self.counters {
            counter.settle(true);
            if let Some(count) = &counter.overflow {
                found.push((core, flag, Leftover::Overflow { core, flag, pc: count.pc }));
            } else if let Some(first) = counter.counts.get(counter.waits.len()) {
                let left = Leftover::Counts { core, flag, count: counter.left(), pc: first.pc };
                found.push((core, flag, left));
            }
        }
        let shape = self.shape;
        let open = |mode: u8, flag: u8, group: &Group, member: &dyn Fn(u32) -> CoreId| {
            let round = group.open.front()?;
            let set = group.sets.iter().position(|sets| *sets > group.complete)?;
            let core = member(set as u32);
            let (arrived, members) = (round.arrived, group.sets.len() as u32);
            let pc = round.latest.pc;
            Some((core, flag, Leftover::Unmatched { core, flag, mode, arrived, members, pc }))
        };
        for (&(kind, flag), group) in &self.all {
            let kind = if kind == CoreKind::Aic as u8 { CoreKind::Aic } else { CoreKind::Aiv };
            found.extend(open(0, flag, group, &|i| shape.core(kind, i)));
        }
        for (&(block, mode, flag), group) in &self.blocks {
            found.extend(open(mode, flag, group, &|i| CoreId { block, seat: 1 + i as u8 }));
        }
        found.sort_by_key(|(core, flag, _)| (*core, *flag));
        found.into_iter().map(|f| f.2).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AIC: CoreId = CoreId { block: 0, seat: 0 };
    const AIV0: CoreId = CoreId { block: 0, seat: 1 };
    const AIV1: CoreId = CoreId { block: 0, seat: 2 };

    fn mix(blocks: u32) -> CrossFlags {
        CrossFlags::new(Shape { blocks, aics: 1, aivs: 2 }, 100)
    }

    fn set(mode: u8, flag: u8, cycle: u64) -> Set {
        Set { mode, flag, cycle, pc: 0, told: Foreign::default() }
    }

    fn wait(flag: u8) -> Wait {
        Wait { flag, cycle: 0, frames: [0; 4] }
    }

    fn ends(grants: &[Grant]) -> Vec<(CoreId, u64)> {
        grants.iter().map(|g| (g.core, g.granted.cycle)).collect()
    }

    #[test]
    fn mode_2_goes_both_ways() {
        let (mut flags, mut grants) = (mix(1), Vec::new());
        assert!(flags.wait(AIV1, wait(3)).is_none());
        flags.set(AIC, set(2, 3, 10), &mut grants);
        assert_eq!(ends(&grants), [(AIV1, 110)]);
        assert_eq!(flags.wait(AIV0, wait(3)).map(|g| g.cycle), Some(110));
        grants.clear();
        assert!(flags.wait(AIC, Wait { cycle: 500, ..wait(4) }).is_none());
        flags.set(AIV0, set(2, 4, 20), &mut grants);
        flags.set(AIV0, set(2, 4, 30), &mut grants);
        assert!(grants.is_empty(), "both AIVs have to set");
        assert_eq!(flags.missing(AIC, 4), [(2, vec![AIV1])]);
        flags.set(AIV1, set(2, 4, 7), &mut grants);
        assert_eq!(ends(&grants), [(AIC, 500)]);
        let unmatched = Leftover::Unmatched { core: AIV0, flag: 4, mode: 2, arrived: 1, members: 2, pc: 0 };
        assert_eq!(flags.leftovers(), [unmatched]);
    }

    #[test]
    fn sets_that_count_elsewhere_are_known() {
        let (mut flags, mut grants) = (mix(1), Vec::new());
        flags.set(AIV1, set(1, 4, 5), &mut grants);
        assert_eq!(flags.sets_for_others(AIV1, 4, CoreKind::Aic), [(1, 1)], "for AIVs, and an AIC waits");
        assert_eq!(flags.sets_for_others(AIV1, 4, CoreKind::Aiv), [], "an AIV may wait for it");
        assert_eq!(flags.sets_for_others(AIV0, 4, CoreKind::Aic), []);
    }

    #[test]
    fn mode_0_waits_for_every_core_of_the_kind() {
        let (mut flags, mut grants) = (mix(2), Vec::new());
        let far = CoreId { block: 1, seat: 2 };
        for core in [AIV0, AIV1, CoreId { block: 1, seat: 1 }] {
            flags.set(core, set(0, 1, 5), &mut grants);
            assert!(flags.wait(core, wait(1)).is_none());
        }
        assert_eq!(flags.missing(AIV0, 1), [(0, vec![far])]);
        flags.set(far, set(0, 1, 9), &mut grants);
        assert_eq!(grants.len(), 3);
        assert!(grants.iter().all(|g| g.granted.cycle == 109));
        assert_eq!(flags.wait(far, wait(1)).map(|g| g.cycle), Some(109));
        assert!(flags.leftovers().is_empty());
    }

    #[test]
    fn fifteen_counts_fit() {
        for (sets, too_many) in [(15, false), (16, true)] {
            let (mut flags, mut grants) = (mix(1), Vec::new());
            (0..sets).for_each(|i| flags.set(AIC, set(2, 0, i), &mut grants));
            (0..sets).for_each(|_| assert!(flags.wait(AIV0, Wait { cycle: 1000, ..wait(0) }).is_some()));
            (0..sets).for_each(|_| assert!(flags.wait(AIV1, Wait { cycle: 1000, ..wait(0) }).is_some()));
            let found = flags.leftovers();
            assert_eq!(found.iter().any(|l| matches!(l, Leftover::Overflow { .. })), too_many, "{found:?}");
        }
    }

    #[test]
    fn long_histories_are_dropped() {
        let (mut flags, mut grants) = (mix(1), Vec::new());
        for i in 0..5000 {
            flags.set(AIC, set(2, 0, i), &mut grants);
            for core in [AIV0, AIV1] {
                assert_eq!(flags.wait(core, wait(0)).map(|g| g.cycle), Some(i + 100));
            }
        }
        assert!(
            flags.counters.values().all(|c| c.counts.len() <= SETTLED + MOST_COUNTS && c.overflow.is_none())
        );
        flags.block_ended(0);
        assert!(flags.counters.is_empty());
    }
}
