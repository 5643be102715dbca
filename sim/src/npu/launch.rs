//! A launch while it runs, and its outcome.
//!
//! Blocks are claimed by number, in order. When a block fails, no later one is started; blocks that already run finish.
//! The outcome holds what blocks up to the first failed one did, so it is the same for every number of threads.
#![allow(unsafe_code)] // A C string of the kernel's module.

use super::block::BlockRecord;
use super::chip::Chip;
use super::clock::SLOT_PIPES;
use super::{Launch, LaunchFailure, LaunchOutcome, LaunchStats};
use crate::findings::catalogue::{self as c, Entry};
use crate::findings::{Draft, finish};
use parking_lot::Mutex;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ffi::CStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use toprope_abi::core_face::{KernelType, TrParam};
use toprope_abi::isa::CoreKind;

/// Called with the outcome, on the thread that ran the last block.
pub type Done = Box<dyn FnOnce(LaunchOutcome) + Send>;

#[derive(Default)]
struct Results {
    records: Vec<BlockRecord>,
    accounted: u32,
}

/// A launch in flight.
pub struct LaunchShared {
    launch: Launch,
    kernel_type: KernelType,
    next: AtomicU32,
    /// Blocks from here on are not started.
    stop_at: AtomicU32,
    timed_out: AtomicBool,
    started: OnceLock<Instant>,
    results: Mutex<Results>,
    done: Mutex<Option<Done>>,
}

impl std::fmt::Debug for LaunchShared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LaunchShared").field("launch", &self.launch).finish_non_exhaustive()
    }
}

impl LaunchShared {
    /// A launch nobody has started.
    pub fn new(launch: Launch, done: Done) -> LaunchShared {
        let kernel_type =
            KernelType::from_code(launch.kernel.kernel().kernel_type).unwrap_or(KernelType::Auto);
        LaunchShared {
            launch,
            kernel_type,
            next: AtomicU32::new(0),
            stop_at: AtomicU32::new(u32::MAX),
            timed_out: AtomicBool::new(false),
            started: OnceLock::new(),
            results: Mutex::default(),
            done: Mutex::new(Some(done)),
        }
    }

    /// What was asked for.
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// Blocks of the launch.
    pub fn num_blocks(&self) -> u32 {
        self.launch.num_blocks
    }

    /// AICs and AIVs per block.
    pub fn cores_per_block(&self) -> (u32, u32) {
        self.kernel_type.cores_per_block()
    }

    /// The kernel's parameters.
    pub fn params(&self) -> &[TrParam] {
        self.launch.kernel.params()
    }

    /// Claims the next block, if there is one.
    pub fn claim(&self) -> Option<u32> {
        let block = self.next.fetch_add(1, Ordering::Relaxed);
        if block < self.num_blocks() {
            return Some(block);
        }
        // Keeps the counter from wrapping around.
        self.next.store(self.num_blocks(), Ordering::Relaxed);
        None
    }

    /// Whether every block has been claimed.
    pub fn all_claimed(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.num_blocks()
    }

    /// Whether a claimed block should still be run.
    pub fn wants(&self, block: u32) -> bool {
        if self.launch.time_limit.is_some() {
            self.started.get_or_init(Instant::now);
        }
        block < self.stop_at.load(Ordering::Relaxed) && !self.timed_out()
    }

    /// A block failed: start none behind it.
    pub fn failed(&self, block: u32) {
        self.stop_at.fetch_min(block, Ordering::Relaxed);
    }

    /// Whether the time limit was reached.
    #[inline]
    pub fn timed_out(&self) -> bool {
        self.timed_out.load(Ordering::Relaxed)
    }

    /// How long the launch may still run; `None`: for ever, or nothing of it has started.
    pub fn time_left(&self, now: Instant) -> Option<Duration> {
        if self.timed_out() {
            return Some(Duration::ZERO);
        }
        let (limit, started) = (self.launch.time_limit?, self.started.get()?);
        Some(limit.saturating_sub(now.duration_since(*started)))
    }

    /// Stops the launch: its limit is reached, or it is aborted.
    pub fn time_out(&self) {
        self.timed_out.store(true, Ordering::Relaxed);
    }

    /// Accounts for `claimed` blocks, of which `records` were run; the last call hands the outcome over.
    pub fn account(&self, claimed: u32, mut records: Vec<BlockRecord>, chip: &Chip) {
        let records = {
            let mut results = self.results.lock();
            results.accounted += claimed;
            if results.records.is_empty() {
                results.records = records;
            } else {
                results.records.append(&mut records);
            }
            if results.accounted < self.num_blocks() {
                return;
            }
            std::mem::take(&mut results.records)
        };
        let done = self.done.lock().take();
        if let Some(done) = done {
            done(self.outcome(records, chip));
        }
    }

    fn outcome(&self, mut records: Vec<BlockRecord>, chip: &Chip) -> LaunchOutcome {
        records.sort_unstable_by_key(|r| r.block);
        if let Some(first) = records.iter().position(|r| r.fatal.is_some()) {
            records.truncate(first + 1);
        }
        let mut failure = records.last().and_then(|r| r.fatal).map(failure_of);
        let mut drafts: Vec<Draft> = records.iter_mut().flat_map(|r| std::mem::take(&mut r.drafts)).collect();
        if failure.is_none() && records.len() < self.num_blocks() as usize {
            // The limit was reached between two blocks.
            failure = Some(LaunchFailure::Timeout);
            let limit = self.launch.time_limit.unwrap_or_default();
            let mut draft = Draft::new(&c::TIME_LIMIT, &[("limit", format!("{limit:?}"))]);
            draft.block = records.len() as u32;
            drafts.push(draft.detail(format!("ran: {} of {} blocks", records.len(), self.num_blocks())));
        }
        LaunchOutcome {
            failure,
            stats: self.stats(&records, chip),
            findings: finish(drafts, &self.launch.kernel.name(), self.launch.kernel.definition().as_ref()),
            printed: records.iter().map(|r| r.printed.as_str()).collect(),
        }
    }

    fn stats(&self, records: &[BlockRecord], chip: &Chip) -> LaunchStats {
        let mut stats = LaunchStats::default();
        let mut requests = 0;
        for r in records {
            for (pipe, count) in SLOT_PIPES.iter().zip(r.stats.instructions) {
                stats.instructions[*pipe as usize] += count;
            }
            stats.gm_read_bytes += r.stats.gm_read_bytes;
            stats.gm_write_bytes += r.stats.gm_write_bytes;
            requests += r.stats.gm_request_bytes;
            stats.overflowed |= r.stats.overflowed;
        }
        let kind = self.kernel_type.main_core();
        // A block with an AIC takes one AI Core; otherwise blocks of AIVs fill the vector cores.
        let seats = match kind {
            CoreKind::Aic => chip.aic_count,
            CoreKind::Aiv => chip.aiv_count / self.cores_per_block().1.max(1),
        };
        let shared = (requests as f64 / chip.hbm_bytes_per_cycle()).ceil() as u64;
        stats.cycles = makespan(records.iter().map(|r| r.cycles), seats as usize).max(shared);
        stats
    }
}

/// End of the last block if each goes to the core that is free first, in order.
fn makespan(cycles: impl Iterator<Item = u64>, cores: usize) -> u64 {
    let mut free: BinaryHeap<Reverse<u64>> = BinaryHeap::new();
    let mut end = 0;
    for c in cycles {
        let start = if free.len() < cores { 0 } else { free.pop().map_or(0, |f| f.0) };
        end = end.max(start + c);
        free.push(Reverse(start + c));
    }
    end
}

fn failure_of(entry: &'static Entry) -> LaunchFailure {
    let is = |e: &'static Entry| std::ptr::eq(entry, e);
    if is(&c::HANG) || is(&c::TIME_LIMIT) {
        LaunchFailure::Timeout
    } else if is(&c::TRAP) || is(&c::ASSERT) {
        LaunchFailure::Trap
    } else {
        LaunchFailure::Exception
    }
}

/// Name of parameter `index`, or a stand-in.
pub fn param_name(param: &TrParam, index: usize) -> String {
    if param.name.is_null() {
        return format!("arg{index}");
    }
    // SAFETY: not null, so a NUL-terminated string of the module (contract of `KernelRef::new`).
    unsafe { CStr::from_ptr(param.name) }.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_run_in_waves() {
        assert_eq!(makespan([10, 10, 10].into_iter(), 2), 20);
        assert_eq!(makespan([30, 10, 10].into_iter(), 2), 30);
        assert_eq!(makespan(std::iter::empty(), 2), 0);
        assert_eq!(makespan([7; 48].into_iter(), 48), 7);
    }
}
