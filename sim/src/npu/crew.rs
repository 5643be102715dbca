//! What one thread does for one launch: starts blocks, runs their cores by turns.
//!
//! ```text
//!   1  a core whose wait is over             resume it
//!   2  a block can be claimed                start its cores (AIC, AIV 0, AIV 1)
//!   3  a core that polls                     give it a turn
//!   4  only cores that wait                  sleep until one of them may go on, or the launch is found deadlocked
//!   5  nothing                               leave
//! ```
//! A core that never waits runs from its start to its end in one turn, so a launch without cross-core order costs what it
//! would cost without any of this.
//!
//! **Stopping.** When a block fails, cores that other blocks need still run as far as they get; what waits for the failed
//! block in vain is given up without a finding of its own. When a launch is over its limit, or deadlocked, each thread notes
//! what its cores were doing; `launch` makes one finding of the notes.

use super::block::{BlockRecord, RunningCore, Seats, Turn};
use super::core::Pause;
use super::cross_flags::CoreId;
use super::launch::{LaunchShared, Note, NoteKind};
use super::pool::Shared;
use super::residents::{Claim, Crew as CrewNumber, News, Residents};
use super::schedule::Random;
use crate::findings::catalogue::{HOST_LIMIT, INTERNAL};
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a thread without anything to run looks for news before it sleeps.
const LOOK: Duration = Duration::from_micros(10);
/// How long a thread that holds its share of waiting blocks leaves the next one to others.
const OFFER: Duration = Duration::from_micros(100);
/// A core that lets others pass this often may wait for a block that has not started.
const YIELDS: u32 = 16;
/// Turns of cores that poll, in a row, after which the thread yields its processor, then sleeps between turns.
const YIELD_TURNS: u32 = 64;
const SLEEP_TURNS: u32 = 1024;
const LONGEST_SLEEP: Duration = Duration::from_micros(500);
/// How long cores may poll for a core that has failed.
const GIVE_UP_POLLING: Duration = Duration::from_millis(200);

/// A core of a held block.
#[allow(clippy::large_enum_variant, reason = "three per held block, and moved only at the end")]
enum Slot {
    /// Not of this launch.
    Absent,
    Runs(RunningCore),
    Done(BlockRecord),
}

impl Slot {
    /// The core, if it runs; what has ended stays.
    fn take_running(&mut self) -> Option<RunningCore> {
        match std::mem::replace(self, Slot::Absent) {
            Slot::Runs(core) => Some(core),
            other => {
                *self = other;
                None
            }
        }
    }
}

/// A block of which not all cores have ended.
struct HeldBlock {
    block: u32,
    cores: [Slot; 3],
}

impl HeldBlock {
    fn new(block: u32) -> HeldBlock {
        HeldBlock { block, cores: [Slot::Absent, Slot::Absent, Slot::Absent] }
    }

    fn is_done(&self) -> bool {
        !self.cores.iter().any(|c| matches!(c, Slot::Runs(_)))
    }

    fn into_record(self) -> BlockRecord {
        let mut record = BlockRecord::new(self.block);
        for core in self.cores {
            if let Slot::Done(core) = core {
                record.add(core);
            }
        }
        record
    }
}

/// One thread in one launch.
pub struct Crew<'a> {
    shared: &'a Shared,
    launch: &'a Arc<LaunchShared>,
    residents: &'a Residents,
    seats: Seats,
    number: CrewNumber,
    held: HashMap<u32, HeldBlock>,
    runnable: VecDeque<CoreId>,
    polling: VecDeque<CoreId>,
    records: Vec<BlockRecord>,
    notes: Vec<Note>,
    claimed: u32,
    /// Blocks that have ended since the last claim.
    ended: u32,
    news: u32,
    /// Times that cores let others pass since a block was last looked for.
    yields: u32,
    poll_turns: u32,
    polls_in_vain: Option<Instant>,
    since: Option<Instant>,
    called: bool,
    offered: bool,
    /// Chooses who runs next, if a seed does.
    random: Option<Random>,
}

/// What a thread leaves behind.
pub struct Work {
    pub seats: Seats,
    pub records: Vec<BlockRecord>,
    pub notes: Vec<Note>,
    pub claimed: u32,
}

impl<'a> Crew<'a> {
    pub fn new(
        shared: &'a Shared,
        launch: &'a Arc<LaunchShared>,
        seats: Seats,
        number: CrewNumber,
    ) -> Crew<'a> {
        let residents = launch.residents();
        Crew {
            shared,
            launch,
            residents,
            seats,
            number,
            held: HashMap::new(),
            runnable: VecDeque::new(),
            polling: VecDeque::new(),
            records: Vec::new(),
            notes: Vec::new(),
            claimed: 0,
            ended: 0,
            news: residents.news(),
            yields: 0,
            poll_turns: 0,
            polls_in_vain: None,
            since: None,
            called: false,
            offered: false,
            random: launch.random(),
        }
    }

    /// Runs blocks until none is left for this thread, beginning with `block`, which it has claimed.
    pub fn run(mut self, block: u32) -> Work {
        self.begin(block);
        loop {
            if !self.held.is_empty() {
                self.turns();
            }
            match self.claim() {
                Claim::Block(block) => self.begin(block),
                _ if self.held.is_empty() => break,
                _ => self.poll_or_wait(),
            }
        }
        // Blocks that ended since the last claim.
        self.report_ended();
        Work { seats: self.seats, records: self.records, notes: self.notes, claimed: self.claimed }
    }

    /// Runs cores whose waits are over.
    fn turns(&mut self) {
        while self.yields < YIELDS {
            if self.residents.is_stopped() {
                return self.stop(NoteKind::Stopped);
            }
            let news = self.residents.news();
            if news != self.news {
                self.news = news;
                self.accept(self.residents.grants(self.number));
            }
            let Some(core) = self.next_core() else { return };
            self.turn(core);
        }
        self.yields = 0;
    }

    /// The core that gets the next turn; `None`: none, or a block starts first.
    fn next_core(&mut self) -> Option<CoreId> {
        let Some(random) = &mut self.random else { return self.runnable.pop_front() };
        if self.runnable.is_empty() || (self.residents.claimable() && random.one_in(3)) {
            return None;
        }
        let chosen = random.below(self.runnable.len() as u64) as usize;
        self.runnable.swap_remove_back(chosen)
    }

    /// With a seed: what cores that pause have not done yet happens, as nobody else can go on.
    fn settle(&mut self) {
        if self.random.is_none() || !self.runnable.is_empty() {
            return;
        }
        for slot in self.held.values_mut().flat_map(|h| &mut h.cores) {
            if let Slot::Runs(core) = slot {
                core.settle();
            }
        }
    }

    fn accept(&mut self, grants: Vec<super::cross_flags::Grant>) {
        for grant in grants {
            let held = self.held.get_mut(&grant.core.block);
            if let Some(Slot::Runs(core)) = held.map(|h| &mut h.cores[usize::from(grant.core.seat)]) {
                core.grant(grant.granted);
                self.runnable.push_back(grant.core);
                self.made_progress();
            }
        }
    }

    fn made_progress(&mut self) {
        self.poll_turns = 0;
        self.polls_in_vain = None;
    }

    /// Claims a block, unless this thread holds its share and others may come for the rest.
    fn claim(&mut self) -> Claim {
        if !self.held.is_empty() {
            self.offer();
        }
        let claim = self.residents.claim(std::mem::take(&mut self.ended));
        if matches!(claim, Claim::Block(_)) {
            self.call_for_help();
        }
        claim
    }

    /// Cores stay on the thread that starts them, so a thread whose blocks all wait early on must not start the whole launch:
    /// once it holds its share, others get the time to wake up and claim.
    fn offer(&mut self) {
        if self.offered || self.residents.unclaimed() == 0 || !self.shared.has_sleepers() {
            return;
        }
        let blocks = self.residents.shape().blocks.min(self.residents.capacity());
        if self.held.len() < blocks.div_ceil(self.shared.threads()) as usize {
            return;
        }
        self.offered = true;
        self.report_ended();
        self.shared.wake_all();
        let until = Instant::now() + OFFER;
        let before = self.residents.unclaimed();
        while Instant::now() < until && self.residents.unclaimed() == before {
            std::thread::yield_now();
        }
    }

    /// Tells others that blocks have ended, without claiming.
    fn report_ended(&mut self) {
        if self.ended > 0 {
            self.residents.release(std::mem::take(&mut self.ended));
        }
    }

    /// Wakes another worker once a launch has shown that it takes longer than a wake-up.
    #[inline]
    fn call_for_help(&mut self) {
        if self.called || !self.shared.has_sleepers() {
            return;
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        if since.elapsed() >= super::pool::WORTH_A_WAKE {
            self.called = true;
            self.shared.wake_one();
        }
    }

    fn begin(&mut self, claimed: u32) {
        let block = self.launch.block_at(claimed);
        self.claimed += 1;
        if !self.launch.wants(block) {
            self.ended += 1;
            return;
        }
        let mut held = HeldBlock::new(block);
        let started = catch_unwind(AssertUnwindSafe(|| self.start(&mut held)));
        if let Err(panic) = started {
            drop(panic);
            self.panicked(held);
        } else if held.is_done() {
            self.end(held);
        } else {
            self.held.insert(block, held);
        }
    }

    /// Gives every core of a block its first turn.
    fn start(&mut self, held: &mut HeldBlock) {
        for seat in self.residents.shape().seats() {
            let id = CoreId { block: held.block, seat };
            held.cores[usize::from(seat)] = match self.seats.start(self.launch, id, self.number) {
                Ok(core) => self.take_turn(core),
                Err(error) => Slot::Done(BlockRecord::failed(held.block, &HOST_LIMIT, error.to_string())),
            };
        }
    }

    fn take_turn(&mut self, mut core: RunningCore) -> Slot {
        match core.turn(self.launch) {
            Turn::Ended => {
                let record = self.seats.give_back(core);
                // Cores of the block that poll for this one's answer would poll for ever: they are given up as if the block had failed.
                self.launch.block_ended(&record);
                Slot::Done(record)
            }
            Turn::Paused(pause) => {
                match pause {
                    Pause::Wait | Pause::None => {}
                    Pause::Poll => self.polling.push_back(core.id()),
                    Pause::Yield => {
                        self.yields += 1;
                        self.runnable.push_back(core.id());
                    }
                }
                Slot::Runs(core)
            }
        }
    }

    /// A turn of a core of a held block.
    fn turn(&mut self, id: CoreId) {
        let Some(mut held) = self.held.remove(&id.block) else { return };
        let slot = &mut held.cores[usize::from(id.seat)];
        if let Some(core) = slot.take_running() {
            match catch_unwind(AssertUnwindSafe(|| self.take_turn(core))) {
                Ok(after) => *slot = after,
                Err(panic) => {
                    drop(panic);
                    return self.panicked(held);
                }
            }
        }
        if held.is_done() {
            self.made_progress();
            self.end(held);
        } else {
            self.held.insert(id.block, held);
        }
    }

    fn end(&mut self, held: HeldBlock) {
        let block = held.block;
        let record = held.into_record();
        self.launch.block_ended(&record);
        self.records.push(record);
        self.ended += 1;
        if !self.held.is_empty() && self.residents.unclaimed() > 0 {
            self.report_ended();
        }
        self.residents.block_ended(block);
    }

    /// The engine itself failed in a block: its cores are left as they are.
    fn panicked(&mut self, held: HeldBlock) {
        let block = held.block;
        std::mem::forget(held);
        self.forget_turns(block);
        let record = BlockRecord::failed(block, &INTERNAL, "the engine panicked".into());
        self.launch.block_ended(&record);
        self.records.push(record);
        self.ended += 1;
    }

    fn forget_turns(&mut self, block: u32) {
        self.runnable.retain(|c| c.block != block);
        self.polling.retain(|c| c.block != block);
    }

    /// No core is free to run and no block to start.
    fn poll_or_wait(&mut self) {
        if self.residents.is_stopped() {
            return self.stop(NoteKind::Stopped);
        }
        self.settle();
        if let Some(core) = self.polling.pop_front() {
            return self.poll(core);
        }
        if !self.runnable.is_empty() || self.look() {
            return;
        }
        match self.residents.idle(self.number) {
            News::Grants(grants) => self.accept(grants),
            News::Block => {}
            News::Stopped => self.stop(NoteKind::Stopped),
            News::Deadlock => self.stop(NoteKind::Deadlocked),
        }
    }

    /// Looks for news for a moment, which is much faster than sleeping.
    fn look(&mut self) -> bool {
        let until = Instant::now() + LOOK;
        while self.residents.news() == self.news {
            if Instant::now() >= until {
                return false;
            }
            std::hint::spin_loop();
        }
        true
    }

    fn poll(&mut self, core: CoreId) {
        self.poll_turns += 1;
        let round = self.poll_turns / (1 + self.polling.len() as u32);
        if round > SLEEP_TURNS {
            std::thread::sleep(LONGEST_SLEEP.min(Duration::from_micros(u64::from(round - SLEEP_TURNS))));
        } else if round > YIELD_TURNS {
            std::thread::yield_now();
        }
        if self.launch.has_failed() {
            let since = *self.polls_in_vain.get_or_insert_with(Instant::now);
            if since.elapsed() > GIVE_UP_POLLING {
                return self.stop(NoteKind::Stopped);
            }
        }
        self.turn(core);
    }

    /// Gives every core up and notes what it was doing.
    fn stop(&mut self, kind: NoteKind) {
        let polls: Vec<CoreId> = self.polling.drain(..).chain(self.runnable.drain(..)).collect();
        let blocks: Vec<u32> = self.held.keys().copied().collect();
        for block in blocks {
            let Some(mut held) = self.held.remove(&block) else { continue };
            for slot in &mut held.cores {
                if let Some(core) = slot.take_running() {
                    let polls = polls.contains(&core.id());
                    self.notes.push(Note::new(core.core(), kind, polls));
                    *slot = Slot::Done(self.seats.give_back(core));
                }
            }
            self.end(held);
        }
    }
}
