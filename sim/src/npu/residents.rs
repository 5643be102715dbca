//! Which blocks of a launch run, which of their cores wait, and who wakes whom.
//!
//! ```text
//!  thread ─ claim ─▶ block, if the chip has cores left          (one atomic word: next block, blocks that run)
//!         ─ set ───▶ counts of other cores ─▶ Grant ─▶ queue of the thread that holds the core
//!         ─ wait ──▶ goes on, or the core is held until its grant
//!         ─ idle ──▶ sleeps until a grant comes; the last thread to become idle finds the deadlock
//! ```
//! A core stays on the thread that started it. A launch is deadlocked when every thread inside of it is idle, no block can be
//! started (all are claimed, or the chip's cores are all held) and a core waits. Which threads are inside is counted in
//! `inside`, before a thread claims its first block and after it has given up its last: a thread that is about to claim
//! keeps the launch alive.
//!
//! A launch that uses no cross-core flag takes no lock here.
//!
//! `tests/shuttle` compiles this file again with model-checked locks.

use super::cross_flags::{CoreId, CrossFlags, Grant, Granted, Set, Shape, Wait};
use crate::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use crate::sync::{Condvar, Mutex};
use std::collections::HashMap;

/// What a thread that asks for a block gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// This one.
    Block(u32),
    /// None now: the chip's cores are all taken.
    Full,
    /// None any more.
    Empty,
}

/// Why a thread without anything to run goes on.
#[derive(Debug, PartialEq, Eq)]
pub enum News {
    /// These cores may run again.
    Grants(Vec<Grant>),
    /// There is a block to claim.
    Block,
    /// Every core of the launch waits for another one.
    Deadlock,
    /// The launch is stopped.
    Stopped,
}

/// Number of a thread in a launch.
pub type Crew = u32;

#[derive(Debug, Default)]
struct CrewState {
    grants: Vec<Grant>,
    idle: bool,
}

#[derive(Debug)]
struct State {
    flags: CrossFlags,
    crews: HashMap<Crew, CrewState>,
    /// Which thread holds a core that waits.
    holders: HashMap<CoreId, Crew>,
    idle: u32,
}

/// See the module.
#[derive(Debug)]
pub struct Residents {
    shape: Shape,
    /// Blocks that the chip runs at a time.
    capacity: u32,
    /// Low half: next block. High half: blocks that run.
    claims: AtomicU64,
    inside: AtomicU32,
    crews: AtomicU32,
    /// A core has used a cross-core flag.
    linked: AtomicBool,
    stopped: AtomicBool,
    /// Every core waits; nothing is started any more.
    deadlocked: AtomicBool,
    /// Counts what an idle thread may want to know, to look at without the lock.
    news: AtomicU32,
    state: Mutex<State>,
    changed: Condvar,
}

fn unpacked(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}

fn packed(next: u32, running: u32) -> u64 {
    u64::from(next) | u64::from(running) << 32
}

impl Residents {
    /// Nothing has started.
    pub fn new(shape: Shape, capacity: u32, latency_cycles: u64) -> Residents {
        Residents {
            shape,
            capacity: capacity.max(1),
            claims: AtomicU64::new(0),
            inside: AtomicU32::new(0),
            crews: AtomicU32::new(0),
            linked: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            deadlocked: AtomicBool::new(false),
            news: AtomicU32::new(0),
            state: Mutex::new(State {
                flags: CrossFlags::new(shape, latency_cycles),
                crews: HashMap::new(),
                holders: HashMap::new(),
                idle: 0,
            }),
            changed: Condvar::default(),
        }
    }

    /// Blocks and cores of the launch.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Blocks that the chip runs at a time.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// A thread is about to claim blocks.
    pub fn enter(&self) -> Crew {
        self.inside.fetch_add(1, Ordering::SeqCst);
        self.crews.fetch_add(1, Ordering::Relaxed)
    }

    /// A thread has nothing left of this launch.
    pub fn leave(&self) {
        self.inside.fetch_sub(1, Ordering::SeqCst);
        // Sequentially consistent with `inside`: whoever links the launch later sees this thread gone.
        if self.linked.load(Ordering::SeqCst) {
            let state = self.state.lock();
            self.look_for_deadlock(&state);
        }
    }

    /// `ended` blocks of this thread have ended; claims the next one.
    pub fn claim(&self, ended: u32) -> Claim {
        let mut word = self.claims.load(Ordering::SeqCst);
        loop {
            let (next, running) = unpacked(word);
            let running = running - ended;
            let claim = if next >= self.shape.blocks {
                Claim::Empty
            } else if running >= self.capacity {
                Claim::Full
            } else {
                Claim::Block(next)
            };
            let one = u32::from(matches!(claim, Claim::Block(_)));
            let new = packed(next + one, running + one);
            match self.claims.compare_exchange_weak(word, new, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return claim,
                Err(now) => word = now,
            }
        }
    }

    /// Blocks that nobody has claimed.
    pub fn unclaimed(&self) -> u32 {
        self.shape.blocks - unpacked(self.claims.load(Ordering::SeqCst)).0
    }

    /// Whether a block could be claimed now.
    pub fn claimable(&self) -> bool {
        let (next, running) = unpacked(self.claims.load(Ordering::SeqCst));
        next < self.shape.blocks && running < self.capacity
    }

    /// Whether a core has used a cross-core flag.
    pub fn is_linked(&self) -> bool {
        self.linked.load(Ordering::SeqCst)
    }

    /// Ends every wait: the launch is over its limit or aborted.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        if self.linked.load(Ordering::SeqCst) {
            drop(self.state.lock());
            self.changed.notify_all();
        }
    }

    /// Whether [`Residents::stop`] was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether every core of the launch waits for another one.
    pub fn is_deadlocked(&self) -> bool {
        self.deadlocked.load(Ordering::SeqCst)
    }

    /// Core `from` sets a flag.
    pub fn set(&self, from: CoreId, set: Set) {
        self.linked.store(true, Ordering::SeqCst);
        let mut grants = Vec::new();
        let mut state = self.state.lock();
        state.flags.set(from, set, &mut grants);
        self.hand_over(&mut state, grants);
    }

    fn hand_over(&self, state: &mut State, grants: Vec<Grant>) {
        if grants.is_empty() {
            return;
        }
        for grant in grants {
            let Some(crew) = state.holders.remove(&grant.core) else { continue };
            let crew = state.crews.entry(crew).or_default();
            crew.grants.push(grant);
            // Counted as awake at once, so that nobody takes the launch for deadlocked before it has woken.
            state.idle -= u32::from(std::mem::take(&mut crew.idle));
        }
        self.news.fetch_add(1, Ordering::SeqCst);
        self.changed.notify_all();
    }

    /// Core `core`, held by `crew`, waits: when it may go on, or `None` if it has to be held.
    pub fn wait(&self, core: CoreId, crew: Crew, wait: Wait) -> Option<Granted> {
        self.linked.store(true, Ordering::SeqCst);
        let mut state = self.state.lock();
        let granted = state.flags.wait(core, wait);
        if granted.is_none() {
            state.holders.insert(core, crew);
        }
        granted
    }

    /// Count of news, to compare with an earlier one.
    #[inline]
    pub fn news(&self) -> u32 {
        self.news.load(Ordering::SeqCst)
    }

    /// Cores of this thread that may run again.
    pub fn grants(&self, crew: Crew) -> Vec<Grant> {
        let mut state = self.state.lock();
        state.crews.get_mut(&crew).map(|c| std::mem::take(&mut c.grants)).unwrap_or_default()
    }

    /// The thread has cores that wait and nothing to run; returns when that has changed.
    pub fn idle(&self, crew: Crew) -> News {
        let mut state = self.state.lock();
        loop {
            let me = state.crews.entry(crew).or_default();
            let news = if self.is_deadlocked() {
                Some(News::Deadlock)
            } else if !me.grants.is_empty() {
                Some(News::Grants(std::mem::take(&mut me.grants)))
            } else if self.is_stopped() {
                Some(News::Stopped)
            } else if self.claimable() {
                Some(News::Block)
            } else {
                if !std::mem::replace(&mut me.idle, true) {
                    state.idle += 1;
                }
                self.look_for_deadlock(&state);
                self.is_deadlocked().then_some(News::Deadlock)
            };
            if let Some(news) = news {
                self.wake_up(&mut state, crew);
                return news;
            }
            self.changed.wait(&mut state);
        }
    }

    fn wake_up(&self, state: &mut State, crew: Crew) {
        let me = state.crews.entry(crew).or_default();
        state.idle -= u32::from(std::mem::take(&mut me.idle));
    }

    fn look_for_deadlock(&self, state: &State) {
        // Of a launch that was stopped, cores are given up one thread after the other; those that still wait then are no deadlock.
        if self.is_stopped() || self.is_deadlocked() {
            return;
        }
        // Claims before `inside`: a thread that has claimed the last block is inside.
        if state.flags.waiting_len() == 0 || self.claimable() {
            return;
        }
        if state.idle == self.inside.load(Ordering::SeqCst) {
            self.deadlocked.store(true, Ordering::SeqCst);
            self.news.fetch_add(1, Ordering::SeqCst);
            self.changed.notify_all();
        }
    }

    /// A block has ended: its flags are not needed any more if they are even.
    pub fn block_ended(&self, block: u32) {
        if self.linked.load(Ordering::SeqCst) {
            self.state.lock().flags.block_ended(block);
        }
    }

    /// `ended` blocks of a thread have ended, and it does not claim now: others may.
    pub fn release(&self, ended: u32) {
        self.claims.fetch_sub(packed(0, ended), Ordering::SeqCst);
        if self.linked.load(Ordering::SeqCst) && self.claimable() {
            drop(self.state.lock());
            self.changed.notify_all();
        }
    }

    /// Looks at the flags.
    pub fn with_flags<R>(&self, f: impl FnOnce(&mut CrossFlags) -> R) -> R {
        f(&mut self.state.lock().flags)
    }
}
