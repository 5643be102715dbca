//! A launch while it runs, and its outcome.
//!
//! Blocks are claimed by number, in order. When a block fails, no later one is started (unless blocks before it may wait for
//! it); blocks that already run finish.
//! The outcome holds what blocks up to the first failed one did, so it is the same for every number of threads.
#![allow(unsafe_code)] // A C string of the kernel's module.

use super::block::{BlockRecord, Device};
use super::chip::Chip;
use super::clock::SLOT_PIPES;
use super::cross_flags::Shape;
pub use super::deadlock::{Note, NoteKind};
use super::hints::{self, Uses};
use super::order::{Conflicts, CoreLog, GmUse};
use super::poll::Signals;
use super::pool::CheckOptions;
use super::residents::Residents;
use super::schedule::Random;
use super::taint::Stored;
use super::{Launch, LaunchFailure, LaunchOutcome, LaunchStats};
use crate::findings::catalogue::{self as c, Entry};
use crate::findings::{Draft, finish};
use crate::gm::{Allocation, DeviceMemory};
use parking_lot::{Mutex, MutexGuard};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ffi::CStr;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use toprope_abi::core_face::{KernelType, TrParam};
use toprope_abi::isa::CoreKind;

/// Called with the outcome, on the thread that ran the last block.
pub type Done = Box<dyn FnOnce(LaunchOutcome) + Send>;

#[derive(Default)]
struct Results {
    records: Vec<BlockRecord>,
    notes: Vec<Note>,
    accounted: u32,
}

/// Another order of the blocks.
struct Order {
    seed: u64,
    blocks: Vec<u32>,
    /// A thread runs the launch.
    taken: AtomicBool,
}

impl Order {
    /// Blocks of a wave start in any order; a later wave does not start before an earlier one.
    fn new(seed: u64, launch_id: u64, blocks: u32, wave: u32) -> Order {
        let mut blocks: Vec<u32> = (0..blocks).collect();
        let mut random = Random::new(seed, [launch_id, u64::MAX, 1]);
        blocks.chunks_mut(wave.max(1) as usize).for_each(|wave| random.shuffle(wave));
        Order { seed, blocks, taken: AtomicBool::new(false) }
    }
}

/// A launch in flight.
pub struct LaunchShared {
    launch: Launch,
    gm: Arc<DeviceMemory>,
    checks: CheckOptions,
    kernel_type: KernelType,
    system_workspace: u64,
    residents: Residents,
    signals: Mutex<Signals>,
    /// Blocks from here on are not started, unless others may wait for them.
    stop_at: AtomicU32,
    started: OnceLock<Instant>,
    order: Option<Order>,
    auto_sync: bool,
    results: Mutex<Results>,
    stored: Stored,
    done: Mutex<Option<Done>>,
}

impl std::fmt::Debug for LaunchShared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LaunchShared").field("launch", &self.launch).finish_non_exhaustive()
    }
}

impl LaunchShared {
    /// A launch nobody has started.
    pub fn new(launch: Launch, device: &Device, done: Done) -> LaunchShared {
        let chip = device.chip;
        let kernel_type =
            KernelType::from_code(launch.kernel.kernel().kernel_type).unwrap_or(KernelType::Auto);
        let (aics, aivs) = kernel_type.cores_per_block();
        let shape = Shape { blocks: launch.num_blocks, aics, aivs };
        let residents =
            Residents::new(shape, blocks_at_a_time(chip, kernel_type), chip.sync.cross_core_cycles);
        LaunchShared {
            auto_sync: device.checks.auto_sync,
            order: device
                .seed
                .map(|seed| Order::new(seed, launch.launch_id, shape.blocks, residents.capacity())),
            kernel_type,
            system_workspace: system_workspace(&launch),
            launch,
            gm: device.gm.clone(),
            checks: device.checks,
            residents,
            signals: Mutex::default(),
            stop_at: AtomicU32::new(u32::MAX),
            started: OnceLock::new(),
            results: Mutex::default(),
            stored: Stored::default(),
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

    /// Which cores the kernel runs on.
    pub fn kernel_type(&self) -> KernelType {
        self.kernel_type
    }

    /// Its blocks that run, and how their cores wait for each other.
    pub fn residents(&self) -> &Residents {
        &self.residents
    }

    /// Address of the system workspace; 0 if no parameter is one.
    pub fn system_workspace(&self) -> u64 {
        self.system_workspace
    }

    /// Words that its cores write for each other.
    pub fn signals(&self) -> MutexGuard<'_, Signals> {
        self.signals.lock()
    }

    /// Bytes of GM that are made of nothing.
    pub fn stored(&self) -> &Stored {
        &self.stored
    }

    /// The kernel's parameters.
    pub fn params(&self) -> &[TrParam] {
        self.launch.kernel.params()
    }

    /// Whether every block has been claimed.
    pub fn all_claimed(&self) -> bool {
        self.residents.unclaimed() == 0
    }

    /// Whether a thread may claim blocks. With a seed one thread runs the launch, so that it can be repeated.
    pub fn may_join(&self) -> bool {
        self.residents.claimable() && !self.order.as_ref().is_some_and(|o| o.taken.load(Ordering::SeqCst))
    }

    /// A thread is about to claim blocks; `false` if it must not.
    pub fn join(&self) -> bool {
        self.order.as_ref().is_none_or(|o| !o.taken.swap(true, Ordering::SeqCst))
    }

    /// The block that is claimed as number `index`.
    pub fn block_at(&self, index: u32) -> u32 {
        self.order.as_ref().map_or(index, |o| o.blocks[index as usize])
    }

    /// What chooses among cores that may run, if a seed does.
    pub fn random(&self) -> Option<Random> {
        self.order.as_ref().map(|o| Random::new(o.seed, [self.launch.launch_id, u64::MAX, 0]))
    }

    /// Whether a claimed block should still be run. Behind a block that failed only those are that blocks before it may wait for.
    pub fn wants(&self, block: u32) -> bool {
        if self.launch.time_limit.is_some() {
            self.started.get_or_init(Instant::now);
        }
        let is_first_wave = || self.residents.is_linked() && block < self.residents.capacity();
        let is_wanted = block < self.stop_at.load(Ordering::Relaxed) || is_first_wave();
        is_wanted && !self.timed_out() && !self.residents.is_deadlocked()
    }

    /// A block, or a core of it, has ended; if it failed, no block behind it is started.
    pub fn block_ended(&self, record: &BlockRecord) {
        if record.fatal.is_some() {
            self.stop_at.fetch_min(record.block, Ordering::Relaxed);
        }
    }

    /// Whether a block, or a core of one, has failed.
    pub fn has_failed(&self) -> bool {
        self.stop_at.load(Ordering::Relaxed) != u32::MAX
    }

    /// Whether the time limit was reached, or the launch is aborted.
    #[inline]
    pub fn timed_out(&self) -> bool {
        self.residents.is_stopped()
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
        self.residents.stop();
    }

    /// Accounts for `claimed` blocks, of which `records` were run; the last call hands the outcome over.
    pub fn account(&self, claimed: u32, mut records: Vec<BlockRecord>, mut notes: Vec<Note>, chip: &Chip) {
        let (records, notes) = {
            let mut results = self.results.lock();
            results.accounted += claimed;
            results.notes.append(&mut notes);
            if results.records.is_empty() {
                results.records = records;
            } else {
                results.records.append(&mut records);
            }
            if results.accounted < self.num_blocks() {
                return;
            }
            (std::mem::take(&mut results.records), std::mem::take(&mut results.notes))
        };
        let done = self.done.lock().take();
        if let Some(done) = done {
            done(self.outcome(records, notes, chip));
        }
    }

    fn outcome(&self, mut records: Vec<BlockRecord>, notes: Vec<Note>, chip: &Chip) -> LaunchOutcome {
        records.sort_unstable_by_key(|r| r.block);
        if !notes.is_empty() {
            self.explain_stop(&mut records, notes, chip);
        } else if self.residents.is_linked() {
            self.explain_leftovers(&mut records, chip);
        }
        if let Some(first) = records.iter().position(|r| r.fatal.is_some()) {
            records.truncate(first + 1);
        }
        let mut failure = records.last().and_then(|r| r.fatal).map(failure_of);
        let mut drafts: Vec<Draft> = records.iter_mut().flat_map(|r| std::mem::take(&mut r.drafts)).collect();
        drafts.extend(self.stored.leftovers(records.last().map_or(0, |r| r.block)));
        if failure.is_none() && records.len() < self.num_blocks() as usize {
            // The limit was reached between two blocks.
            failure = Some(LaunchFailure::Timeout);
            let limit = self.launch.time_limit.unwrap_or_default();
            let mut draft = Draft::new(&c::TIME_LIMIT, &[("limit", format!("{limit:?}"))]);
            draft.block = records.len() as u32;
            drafts.push(draft.detail(format!("ran: {} of {} blocks", records.len(), self.num_blocks())));
        }
        let mut gm = GmUse::default();
        records.iter_mut().for_each(|r| gm.add(std::mem::take(&mut r.gm)));
        drafts.extend(self.conflicts(&mut records, chip));
        if failure.is_none() {
            drafts.extend(self.hints(&mut records, chip));
        }
        LaunchOutcome {
            failure,
            stats: self.stats(&records, chip),
            findings: finish(drafts, &self.launch.kernel.name(), self.launch.kernel.definition().as_ref()),
            printed: records.iter().map(|r| r.printed.as_str()).collect(),
            gm,
            demand: records.first_mut().map(|r| std::mem::take(&mut r.demand)).unwrap_or_default(),
        }
    }

    /// What cores did to the same bytes of GM without order.
    fn conflicts(&self, records: &mut [BlockRecord], chip: &Chip) -> Vec<Draft> {
        let mut logs: Vec<Box<CoreLog>> =
            records.iter_mut().flat_map(|r| std::mem::take(&mut r.gm_logs)).collect();
        if logs.is_empty() || self.timed_out() {
            return Vec::new();
        }
        logs.sort_unstable_by_key(|l| l.core);
        let coverage = self.checks.coverage
            && records.len() == self.num_blocks() as usize
            && records.iter().all(|r| r.fatal.is_none());
        Conflicts { launch: self, chip, logs: &logs, coverage }.drafts()
    }

    /// Whether more than one core works on it.
    pub fn has_many_cores(&self) -> bool {
        let shape = self.residents.shape();
        shape.blocks * (shape.aics + shape.aivs) > 1
    }

    /// Index, name and value of every pointer argument.
    pub fn pointer_arguments(&self) -> impl Iterator<Item = (usize, String, u64)> + '_ {
        let args = &self.launch.args;
        let mut word = 0;
        self.params().iter().enumerate().filter_map(move |(i, p)| {
            let at = word;
            word += (p.size_bytes as usize).div_ceil(8);
            let value = *args.get(at)?;
            (p.is_pointer != 0).then(|| (i, param_name(p, i), value))
        })
    }

    /// The bytes that were asked for of the block that holds `address`.
    pub fn block_of(&self, address: u64) -> Option<Range<u64>> {
        self.gm.find(address).map(|a| a.start..a.start + a.requested_bytes)
    }

    /// Whose the byte at `address` is: the argument that points into its block (the nearest one before it), and where it is
    /// from there; or the block.
    pub fn owner_of(&self, address: u64) -> (String, u64) {
        let Some(block) = self.gm.find(address) else { return (String::new(), address) };
        let inside = |a: &(usize, String, u64)| Allocation::contains(&block, a.2);
        let arguments = || self.pointer_arguments().filter(inside);
        let before = arguments().filter(|a| a.2 <= address).max_by_key(|a| a.2);
        match before {
            Some((index, name, value)) => (format!("argument {index} (`{name}`)"), address - value),
            None => (format!("a block of {} bytes", block.requested_bytes), address - block.start),
        }
    }

    /// Synchronisation that orders nothing, if hints were asked for.
    fn hints(&self, records: &mut [BlockRecord], chip: &Chip) -> Vec<Draft> {
        let uses: Vec<Box<Uses>> = records.iter_mut().flat_map(|r| std::mem::take(&mut r.uses)).collect();
        let mut drafts = hints::report::drafts(&uses, chip, self.auto_sync);
        drafts.extend(hints::report::not_exercised(&uses, self.launch.kernel.kernel().entry as u64));
        drafts
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
        let seats = self.residents.capacity();
        let shared = (requests as f64 / chip.hbm_bytes_per_cycle()).ceil() as u64;
        stats.cycles = makespan(records.iter().map(|r| r.cycles), seats as usize).max(shared);
        stats
    }
}

/// Value of the parameter that is the system workspace.
fn system_workspace(launch: &Launch) -> u64 {
    const IS_WORKSPACE: u32 = 2;
    let mut word = 0;
    for param in launch.kernel.params() {
        if param.is_pointer == IS_WORKSPACE {
            return launch.args.get(word).copied().unwrap_or(0);
        }
        word += (param.size_bytes as usize).div_ceil(8);
    }
    0
}

/// Blocks that the chip runs at a time: one with an AIC takes an AI Core, others fill the vector cores.
fn blocks_at_a_time(chip: &Chip, kernel_type: KernelType) -> u32 {
    match kernel_type.main_core() {
        CoreKind::Aic => chip.aic_count,
        CoreKind::Aiv => chip.aiv_count / kernel_type.cores_per_block().1.max(1),
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
    if is(&c::HANG) || is(&c::TIME_LIMIT) || is(&c::DEADLOCK) || is(&c::OCCUPANCY) {
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
