//! One simulated core while it works for a block.

use super::chip::Chip;
use super::clock::{OpCost, PipeTimes, SLOT_PIPES, SLOTS, slots_of_core};
use super::cross::SyncAllUse;
use super::cross_flags::{CoreId, Granted};
use super::hints::Hints;
use super::launch::LaunchShared;
use super::order::{Clocks, GmOrder, History, Local, Sites};
use super::ownership::Owners;
use super::pipes::{Fault, Flags, Queued};
use super::poll::Polling;
use super::pool::CheckOptions;
use super::region::Region;
use super::schedule::Schedule;
use super::services;
use super::sticky::{EntryState, Sticky};
use super::system::Watches;
use super::taint::Taint;
use crate::exec::{self, PipeState, Regs};
use crate::findings::catalogue::{self, Entry};
use crate::findings::{Draft, Severity};
use crate::gm::{AddressKind, Allocation, DeviceMemory};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use toprope_abi::core_face::{CORE_ABI_VERSION, TrCore};
use toprope_abi::isa::{CoreKind, SPACES, Space, ctrl};

/// What the thread of a block is doing; a signal handler decides by it whether the block can be abandoned.
pub mod level {
    /// In the engine: locks may be held, the block cannot be abandoned here.
    pub const ENGINE: u8 = 0;
    /// In kernel code.
    pub const KERNEL: u8 = 1;
    /// Inside an instruction's function: no locks, no heap.
    pub const EXECUTE: u8 = 2;
}

/// Why a core stops for a while.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pause {
    /// It runs.
    #[default]
    None,
    /// It waits for a cross-core flag.
    Wait,
    /// It looks at the same place of GM again and again.
    Poll,
    /// It has read GM for long without writing any: perhaps it waits for something.
    Yield,
}

/// What a block did so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoreStats {
    /// Instructions per slot.
    pub instructions: [u64; SLOTS],
    /// Bytes copied from GM.
    pub gm_read_bytes: u64,
    /// Bytes copied to GM.
    pub gm_write_bytes: u64,
    /// Bytes of GM requests, whole granules.
    pub gm_request_bytes: u64,
    /// A result was clamped in saturation mode.
    pub overflowed: bool,
}

/// A range of a buffer the kernel announced.
#[derive(Clone, Debug)]
pub struct BufferNote {
    pub space: u64,
    pub offset: u64,
    pub bytes: u64,
    pub name: String,
    pub frames: Vec<u64>,
}

const GM_CACHE: usize = 4;

/// Allocations a core has touched lately, valid for one generation of the device memory.
#[derive(Debug, Default)]
struct GmCache {
    generation: u64,
    /// First address, end, may be written.
    ranges: [(u64, u64, bool); GM_CACHE],
    next: usize,
}

/// A core: what the kernel sees first ([`TrCore`]), then the engine's own state.
///
/// `repr(C)` because `services` turns the kernel's `*mut TrCore` back into `*mut Core`.
#[derive(Debug)]
#[repr(C)]
pub struct Core {
    /// What the kernel sees.
    pub face: TrCore,
    /// Frame pointer of the kernel function that issued; written by the entry code of `services`.
    pub frame: u64,
    /// One of [`level`].
    pub level: AtomicU8,
    pub kind: CoreKind,
    pub slots: u8,
    /// Slots whose pipe waits for a flag.
    pub blocked: u8,
    /// Set when the kernel's coroutine has to be left for a while.
    pub pause: Pause,
    /// End of a wait for another core, set before the core goes on.
    pub granted: Option<Granted>,
    pub id: CoreId,
    /// The thread that runs it, as the launch counts threads.
    pub crew: u32,
    pub polling: Polling,
    pub regs: Regs,
    /// Registers that instructions write.
    pub pipe_state: PipeState,
    /// What an instruction that had waited in its pipe did wrong when it ran.
    pub late_fault: Option<Fault>,
    pub watches: Watches,
    /// Scalar time, cycles since the block began.
    pub now: u64,
    pub times: [PipeTimes; SLOTS],
    pub stats: CoreStats,
    pub bounds: [(u64, u64); 8],
    gm_cache: GmCache,
    pub gm_lines: [u64; 8],
    pub flags: Flags,
    /// What each pipe knows to be complete.
    pub clocks: Clocks,
    /// Places that access memory.
    pub sites: Sites,
    /// Accesses to GM.
    pub gm_order: Box<GmOrder>,
    /// Flags of SyncAll.
    pub sync_all: SyncAllUse,
    /// Accesses to its memories.
    pub local: Local,
    pub history: History,
    pub checks: CheckOptions,
    /// Which registers the block has set.
    pub sticky: Sticky,
    /// Which bytes of its memories are data; `None` without checks.
    pub taint: Option<Box<Taint>>,
    pub queues: [VecDeque<Queued>; SLOTS],
    /// What flags and barriers are good for, if hints were asked for.
    pub hints: Option<Box<Hints>>,
    /// Another order of execution, chosen by a seed; `None`: program order.
    pub schedule: Option<Box<Schedule>>,
    pub costs: Arc<[OpCost]>,
    pub chip: &'static Chip,
    pub gm: Arc<DeviceMemory>,
    pub launch: Option<Arc<LaunchShared>>,
    /// Where to go when the block is abandoned; a `Yielder` of the running coroutine.
    pub yielder: *const (),
    pub stack: Range<usize>,
    pub drafts: Vec<Draft>,
    pub fatal: Option<&'static Entry>,
    pub printed: String,
    pub buffers: Vec<BufferNote>,
    pub owners: Owners,
    pub name: String,
    pub region: Region,
}

/// Name of a core of the chip, e.g. `AIV 3`: blocks beyond its number of cores use them again.
pub fn core_name(chip: &Chip, id: CoreId, aivs: u32) -> String {
    let (label, index) = match id.kind() {
        CoreKind::Aic => ("AIC", id.block),
        CoreKind::Aiv => ("AIV", id.block * aivs + u32::from(id.seat - 1)),
    };
    format!("{label} {}", index % chip.core_count(id.kind()))
}

impl Core {
    /// A core of this kind with memories of its own.
    ///
    /// # Errors
    /// See [`Region::new`].
    pub fn new(
        chip: &'static Chip,
        kind: CoreKind,
        gm: Arc<DeviceMemory>,
        costs: Arc<[OpCost]>,
        checks: CheckOptions,
    ) -> std::io::Result<Box<Core>> {
        let region = Region::new(chip, kind)?;
        let bounds = SPACES.map(|(space, _)| {
            let start = region.start(space);
            (start, start + u64::from(region.bytes(space)))
        });
        let taint = checks.on.then(|| Taint::new(chip, kind, region.base())).transpose()?;
        Ok(Box::new(Core {
            face: TrCore {
                abi_version: CORE_ABI_VERSION,
                kind: kind as u32,
                block_idx: 0,
                block_num: 0,
                sub_block_idx: 0,
                sub_block_num: 0,
                checked: u32::from(checks.on),
                reserved: 0,
                region: region.base(),
                pc: 0,
                engine: std::ptr::null_mut(),
                issue: services::issue,
                read_spr: services::read_spr,
                scalar_access: services::scalar_access,
                refuse: services::refuse,
                print: services::print,
                annotate: services::annotate,
                api_pc: 0,
                kernel_side: [0; 8],
            },
            frame: 0,
            level: AtomicU8::new(level::ENGINE),
            kind,
            slots: slots_of_core(kind),
            blocked: 0,
            pause: Pause::None,
            granted: None,
            id: CoreId { block: 0, seat: 0 },
            crew: 0,
            polling: Polling::default(),
            regs: Regs::new(region.base()),
            pipe_state: PipeState::default(),
            late_fault: None,
            watches: Watches::default(),
            now: 0,
            times: [PipeTimes::default(); SLOTS],
            stats: CoreStats::default(),
            bounds,
            gm_cache: GmCache::default(),
            gm_lines: [u64::MAX; 8],
            flags: Flags::default(),
            clocks: Clocks::default(),
            sites: Sites::default(),
            gm_order: Box::default(),
            sync_all: SyncAllUse::default(),
            local: Local::default(),
            history: History::default(),
            checks,
            sticky: Sticky::default(),
            taint,
            queues: Default::default(),
            hints: None,
            schedule: None,
            costs,
            chip,
            gm,
            launch: None,
            yielder: std::ptr::null(),
            stack: 0..0,
            drafts: Vec::new(),
            fatal: None,
            printed: String::new(),
            buffers: Vec::new(),
            owners: Owners::default(),
            name: String::new(),
            region,
        }))
    }

    /// Makes the core ready for a block. Memories keep their contents.
    pub fn begin(&mut self, launch: &Arc<LaunchShared>, id: CoreId, crew: u32) {
        self.face.block_idx = id.block;
        self.face.block_num = launch.num_blocks();
        self.face.sub_block_idx = u32::from(id.seat.saturating_sub(1));
        self.face.sub_block_num = launch.residents().shape().aivs.max(1);
        self.id = id;
        self.crew = crew;
        self.pause = Pause::None;
        self.granted = None;
        self.polling = Polling::default();
        self.face.pc = 0;
        self.face.api_pc = 0;
        self.face.kernel_side = [0, 0, 0, launch.system_workspace(), 0, 0, 0, 0];
        self.frame = 0;
        self.regs = Regs::new(self.face.region);
        if launch.launch().saturates {
            self.regs.ctrl &= !(1 << ctrl::INF_NAN);
        }
        self.sticky.begin(self.regs.ctrl);
        // What another kernel left on this thread does not count.
        exec::take_overflow();
        self.pipe_state = PipeState::default();
        if let EntryState::Random(seed) = self.checks.entry_state {
            self.randomise(seed);
        }
        self.late_fault = None;
        self.watches = Watches::default();
        self.now = 0;
        self.times = [PipeTimes::default(); SLOTS];
        self.stats = CoreStats::default();
        self.gm_lines = [u64::MAX; 8];
        self.flags.clear();
        self.clocks.clear();
        self.sites.begin();
        if let Some(taint) = &mut self.taint {
            taint.clear();
        }
        self.gm_order.begin(!launch.has_many_cores() && !self.checks.coverage);
        self.sync_all = SyncAllUse::default();
        self.local.begin();
        self.history = History::default();
        if self.blocked != 0 {
            self.blocked = 0;
            self.queues.iter_mut().for_each(VecDeque::clear);
        }
        self.hints = self.checks.hints.then(Box::default);
        if let Some(schedule) = &mut self.schedule {
            schedule.begin(launch.launch().launch_id, id.block, id.seat);
        }
        self.fatal = None;
        self.buffers.clear();
        self.owners.clear();
        if !self.launch.as_ref().is_some_and(|l| Arc::ptr_eq(l, launch)) {
            self.launch = Some(launch.clone());
            self.sites.clear();
        }
    }

    /// Name of the core that runs this block, e.g. `AIV 3`.
    pub fn core_name(&self) -> String {
        core_name(self.chip, self.id, self.face.sub_block_num)
    }

    /// Kind of the core in words.
    pub fn kind_name(&self) -> String {
        match self.kind {
            CoreKind::Aic => "the cube core, AIC",
            CoreKind::Aiv => "the vector core, AIV",
        }
        .to_owned()
    }

    /// End of the block's work on this core.
    pub fn end_cycle(&self) -> u64 {
        self.times.iter().map(|t| t.done).fold(self.now, u64::max)
    }

    /// Whether GM `range` lies in one live allocation, which may be written if it is `written`.
    #[inline]
    pub fn gm_holds(&mut self, range: &Range<u64>, written: bool) -> bool {
        let generation = self.gm.generation();
        let cache = &mut self.gm_cache;
        if cache.generation != generation {
            *cache = GmCache { generation, ..GmCache::default() };
        }
        if cache.ranges.iter().any(|r| range.start >= r.0 && range.end <= r.1 && (r.2 || !written)) {
            return true;
        }
        self.gm_lookup(range, written)
    }

    #[cold]
    fn gm_lookup(&mut self, range: &Range<u64>, written: bool) -> bool {
        let (AddressKind::Live(a) | AddressKind::Behind { allocation: a, .. }) =
            self.gm.classify(range.start)
        else {
            return false;
        };
        let end = self.end_of(&a);
        let cache = &mut self.gm_cache;
        cache.ranges[cache.next] = (a.start, end, !a.is_read_only);
        cache.next = (cache.next + 1) % GM_CACHE;
        if written && a.is_read_only {
            return false;
        }
        range.end <= end || range.end <= a.end() + a.slack_bytes && self.uses_slack(&a, range, written)
    }

    /// An access behind the end of a block that has room there: told, unless bounds are strict.
    fn uses_slack(&mut self, a: &Allocation, range: &Range<u64>, written: bool) -> bool {
        if self.checks.strict_bounds {
            return false;
        }
        let mut draft = self.slack_note(a, range, written);
        draft.frames = self.frames();
        self.record(draft, false);
        true
    }

    /// Where a block ends: behind what was asked for if bounds are strict, else behind what rounding adds.
    pub fn end_of(&self, a: &Allocation) -> u64 {
        // Views may be continued by their neighbours.
        let is_strict = self.checks.strict_bounds && self.gm.range().contains(&a.start);
        if is_strict { a.start + a.requested_bytes } else { a.end() }
    }

    /// Start and length of the block of this device's memory that holds `addr`, with the room behind it. Not of views, which may
    /// continue each other, nor of blocks of other devices.
    pub fn gm_block(&self, addr: u64) -> Option<[u64; 2]> {
        let is_own = self.checks.on && self.gm.range().contains(&addr);
        let block = self.gm.find(addr).filter(|_| is_own)?;
        Some([block.start, block.end() + block.slack_bytes - block.start])
    }

    /// Whether the line of `addr` is among the last few the scalar unit touched; remembers it.
    pub fn scalar_line_hits(&mut self, addr: u64) -> bool {
        let line = addr / self.chip.scalar.cache_line_bytes;
        let entry = &mut self.gm_lines[(line % 8) as usize];
        std::mem::replace(entry, line) == line
    }

    /// The next scalar access to the line of this address, or to any line, misses.
    pub fn forget_lines(&mut self, address: Option<u64>) {
        let line = address.map(|a| a / self.chip.scalar.cache_line_bytes);
        for held in &mut self.gm_lines {
            if line.is_none_or(|l| l == *held) {
                *held = u64::MAX;
            }
        }
    }

    /// Records a finding; one with severity error that is `fatal` marks the block as failed.
    pub fn record(&mut self, mut draft: Draft, fatal: bool) {
        draft.block = self.face.block_idx;
        draft.core = self.core_name();
        if fatal && self.fatal.is_none() {
            self.fatal = Some(draft.entry);
        }
        debug_assert!(!fatal || draft.entry.severity == Severity::Error);
        self.drafts.push(draft);
    }

    /// What is still wrong when the kernel function has returned.
    pub fn check_exit(&mut self) {
        self.settle_all();
        if self.blocked != 0 {
            let draft = self.hang_report();
            self.record(*draft, true);
            return;
        }
        self.check_left();
        for draft in self.flags_left().into_iter().chain(self.shared_flag()) {
            self.record(draft, false);
        }
        if self.kind == CoreKind::Aiv && self.regs.ctrl_bit(ctrl::MASK_COUNTER) {
            self.record(Draft::new(&catalogue::DIRTY_MASK, &[]), false);
        }
        if self.regs.atomic_on() {
            let mut draft = Draft::new(&catalogue::DIRTY_ATOMIC, &[]);
            draft.frames = self.sticky.atomics_at();
            self.record(draft, false);
        }
        if self.checks.on {
            for draft in self.state_left() {
                self.record(draft, false);
            }
        }
    }

    /// Bounds of a memory of this core; empty if it does not have it.
    #[inline]
    pub fn bounds_of(&self, space: Space) -> (u64, u64) {
        self.bounds[space as usize]
    }

    /// Sets what a signal handler may do now.
    #[inline]
    pub fn set_level(&self, level: u8) {
        self.level.store(level, Ordering::Relaxed);
        std::sync::atomic::compiler_fence(Ordering::SeqCst);
    }

    /// Name of the pipe in a slot.
    pub fn pipe_name(slot: usize) -> &'static str {
        SLOT_PIPES[slot].name()
    }
}
