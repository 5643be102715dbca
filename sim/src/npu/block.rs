//! One core of a block: a coroutine on a seat, on the thread that claimed the block.
//!
//! ```text
//!  Seats (one per thread) ── Seat: Core + stack, made when first needed, reused from block to block
//!       start ─▶ set_core ─▶ coroutine: invoke(kernel, args) ─▶ issue … ─▶ return
//!                                     ├─ wait for another core: suspended, resumed on the same thread
//!                                     └─ fault: switched away from for good, stack reused
//! ```
//! Which core runs when is decided in `crew`. A coroutine never changes its thread: compilers keep addresses of
//! thread-locals across calls.
#![allow(unsafe_code)] // Kernel entry, coroutines that are given up without unwinding.

use super::chip::Chip;
use super::clock::OpCost;
use super::core::{Core, CoreStats, Pause, level};
use super::cross_flags::{CoreId, Granted};
use super::demand::{self, MemoryDemand};
use super::hints::Uses;
use super::launch::LaunchShared;
use super::order::{CoreLog, GmUse};
use super::pool::CheckOptions;
use super::schedule::Schedule;
use super::trap::{self, Running, Trapped};
use super::watchdog::Post;
use crate::exec;
use crate::findings::Draft;
use crate::findings::catalogue::{self as c, Entry};
use crate::gm::DeviceMemory;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::ops::Range;
use std::sync::Arc;
use toprope_abi::isa::SPACES;

/// How a core's coroutine ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The kernel function returned.
    Returned,
    /// A signal ended it.
    Trapped,
}

/// What the engine suspends with.
pub type KernelYielder = Yielder<(), ()>;
type KernelCoroutine = Coroutine<(), (), End, DefaultStack>;

/// What every block needs of the device.
#[derive(Clone, Debug)]
pub struct Device {
    pub chip: &'static Chip,
    pub gm: Arc<DeviceMemory>,
    pub costs: Arc<[OpCost]>,
    pub stack_bytes: usize,
    pub poison: bool,
    pub checks: CheckOptions,
    /// Chooses another order of execution.
    pub seed: Option<u64>,
}

/// What a block did, or one core of it.
#[allow(clippy::vec_box, reason = "large, and handed from owner to owner")]
#[derive(Debug)]
pub struct BlockRecord {
    pub block: u32,
    pub cycles: u64,
    pub stats: CoreStats,
    pub drafts: Vec<Draft>,
    pub fatal: Option<&'static Entry>,
    pub printed: String,
    pub gm: GmUse,
    /// What each core did to GM.
    pub gm_logs: Vec<Box<CoreLog>>,
    /// Of every core, if hints were asked for.
    pub uses: Vec<Box<Uses>>,
    /// What the buffers of block 0 need.
    pub demand: Vec<MemoryDemand>,
}

impl BlockRecord {
    /// Nothing yet.
    pub fn new(block: u32) -> BlockRecord {
        BlockRecord {
            block,
            cycles: 0,
            stats: CoreStats::default(),
            drafts: Vec::new(),
            fatal: None,
            printed: String::new(),
            gm: GmUse::default(),
            gm_logs: Vec::new(),
            uses: Vec::new(),
            demand: Vec::new(),
        }
    }

    /// The record of a block that could not be run, and why.
    pub fn failed(block: u32, entry: &'static Entry, what: String) -> BlockRecord {
        let mut record = BlockRecord::new(block);
        let mut draft = Draft::new(entry, &[("what", what)]);
        draft.block = block;
        record.drafts.push(draft);
        record.fatal = Some(entry);
        record
    }

    fn of_core(core: &mut Core) -> BlockRecord {
        let (log, gm) = core.end_gm_order();
        BlockRecord {
            block: core.face.block_idx,
            cycles: core.end_cycle(),
            stats: core.stats,
            drafts: std::mem::take(&mut core.drafts),
            fatal: core.fatal,
            printed: std::mem::take(&mut core.printed),
            gm,
            gm_logs: log.into_iter().collect(),
            uses: core.hint_uses().into_iter().collect(),
            demand: core.demand(),
        }
    }

    /// Adds what the block's next core did. Findings and output behind a core that failed are left out, as those of
    /// blocks behind a block that failed.
    pub fn add(&mut self, core: BlockRecord) {
        self.cycles = self.cycles.max(core.cycles);
        let (s, from) = (&mut self.stats, &core.stats);
        s.instructions.iter_mut().zip(from.instructions).for_each(|(a, b)| *a += b);
        s.gm_read_bytes += from.gm_read_bytes;
        s.gm_write_bytes += from.gm_write_bytes;
        s.gm_request_bytes += from.gm_request_bytes;
        s.overflowed |= from.overflowed;
        self.gm.add(core.gm);
        self.gm_logs.extend(core.gm_logs);
        self.uses.extend(core.uses);
        demand::add(&mut self.demand, core.demand);
        if self.fatal.is_some() {
            return;
        }
        if self.drafts.is_empty() {
            self.drafts = core.drafts;
        } else {
            self.drafts.extend(core.drafts);
        }
        self.fatal = core.fatal;
        if self.printed.is_empty() {
            self.printed = core.printed;
        } else {
            self.printed.push_str(&core.printed);
        }
    }
}

/// A core with the stack its kernel runs on.
struct Seat {
    core: Box<Core>,
    stack: DefaultStack,
}

/// Cores nobody uses now; belong to one thread at a time.
pub struct Seats {
    /// Where the watchdog finds the thread.
    pub post: Arc<Post>,
    device: Device,
    /// AICs, AIVs.
    free: [Vec<Seat>; 2],
}

// SAFETY: seats are only handed over while no coroutine exists on them and no pointer into one is kept.
unsafe impl Send for Seats {}

impl Seats {
    /// Seats that are made when they are first needed.
    pub fn new(device: Device, post: Arc<Post>) -> Seats {
        Seats { post, device, free: [Vec::new(), Vec::new()] }
    }

    fn take(&mut self, id: CoreId) -> std::io::Result<Seat> {
        if let Some(seat) = self.free[usize::from(id.seat != 0)].pop() {
            return Ok(seat);
        }
        let d = &self.device;
        let mut core = Core::new(d.chip, id.kind(), d.gm.clone(), d.costs.clone(), d.checks)?;
        core.schedule = d.seed.map(|seed| Box::new(Schedule::new(seed)));
        Ok(Seat { core, stack: DefaultStack::new(d.stack_bytes)? })
    }

    /// Makes core `id` of the launch ready to run.
    ///
    /// # Errors
    /// What the system says when it has no address space or memory left.
    pub fn start(
        &mut self,
        launch: &Arc<LaunchShared>,
        id: CoreId,
        crew: u32,
    ) -> std::io::Result<RunningCore> {
        let mut seat = self.take(id)?;
        seat.core.begin(launch, id, crew);
        if self.device.poison {
            seat.core.region.poison();
        }
        Ok(RunningCore::new(seat, launch))
    }

    /// Takes back the seat of a core that has ended; what the core did.
    pub fn give_back(&mut self, core: RunningCore) -> BlockRecord {
        let id = core.id();
        let mut seat = core.into_seat();
        let record = BlockRecord::of_core(&mut seat.core);
        self.free[usize::from(id.seat != 0)].push(seat);
        record
    }
}

/// How a turn of a core ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The core is done.
    Ended,
    /// It waits, polls or lets others pass.
    Paused(Pause),
}

/// A core whose kernel has started and not ended.
pub struct RunningCore {
    core: Box<Core>,
    fibre: Fibre,
    guard: Range<usize>,
}

/// A coroutine that is given up without unwinding; empty once its stack was taken back.
struct Fibre(Option<KernelCoroutine>);

impl Fibre {
    fn give_up(&mut self) {
        if let Some(coroutine) = self.0.as_mut().filter(|c| !c.done()) {
            // SAFETY: nothing on that stack is used again; engine frames own nothing when they suspend (`services`), what
            // the kernel owns there is leaked.
            unsafe { coroutine.force_reset() };
        }
    }

    fn into_stack(mut self) -> DefaultStack {
        self.give_up();
        self.0.take().expect("emptied only here, by value").into_stack()
    }
}

impl Drop for Fibre {
    fn drop(&mut self) {
        // Unwinding through the kernel's frames is not an option.
        self.give_up();
    }
}

impl RunningCore {
    fn new(mut seat: Seat, launch: &LaunchShared) -> RunningCore {
        let guard = seat.stack.limit().get();
        let guard = guard..guard + page_bytes();
        seat.core.stack = guard.end..seat.stack.base().get();
        let core: *mut Core = &mut *seat.core;
        let kernel = launch.launch().kernel;
        let args = launch.launch().args.as_ptr();
        let body = move |yielder: &KernelYielder, ()| {
            // SAFETY: the core is in a box that outlives the coroutine; no reference to it is alive while the kernel runs.
            unsafe { (*core).yielder = (yielder as *const KernelYielder).cast() };
            // SAFETY: as above.
            unsafe { (*core).set_level(level::KERNEL) };
            // SAFETY: entry, invoke and the argument block belong together (contract of `KernelRef::new`; sizes are checked
            // before a launch is made); the launch outlives its cores.
            unsafe { (kernel.kernel().invoke)(kernel.kernel().entry, args.cast()) };
            // SAFETY: as above.
            unsafe { (*core).set_level(level::ENGINE) };
            End::Returned
        };
        let fibre = Fibre(Some(Coroutine::with_stack(seat.stack, body)));
        RunningCore { core: seat.core, fibre, guard }
    }

    /// Which core it is.
    pub fn id(&self) -> CoreId {
        self.core.id
    }

    /// The core, while its kernel does not run.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// Ends the wait of the core.
    pub fn grant(&mut self, granted: Granted) {
        self.core.granted = Some(granted);
    }

    /// What its instructions have not done yet happens now, while it pauses.
    pub fn settle(&mut self) {
        // What another core left on this thread does not count.
        exec::take_overflow();
        self.core.settle_all();
    }

    /// Runs the core until it ends or pauses.
    pub fn turn(&mut self, launch: &LaunchShared) -> Turn {
        let Some(coroutine) = self.fibre.0.as_mut() else { return Turn::Ended };
        let core: *mut Core = &mut *self.core;
        // SAFETY: the coroutine does not run now.
        unsafe { (*core).pause = Pause::None };
        let mut running = Running {
            core,
            exit: coroutine.trap_handler(),
            // SAFETY: as above.
            stack: unsafe { (*core).stack.clone() },
            trapped: Trapped::default(),
        };
        let module = launch.launch().kernel.module();
        // What another core left on this thread does not count.
        exec::take_overflow();
        // SAFETY: the module is loaded (contract of `KernelRef::new`); the face lives in the boxed core.
        unsafe { (module.set_core)(core.cast()) };
        let result = trap::with_running(&mut running, || coroutine.resume(()));
        // This thread may be the host's: its code must not find a core any more.
        // SAFETY: as above; null is what host code sees (`core_face`).
        unsafe { (module.set_core)(std::ptr::null_mut()) };
        self.core.stats.overflowed |= exec::take_overflow();
        match result {
            CoroutineResult::Yield(()) if self.core.pause != Pause::None => {
                return Turn::Paused(self.core.pause);
            }
            CoroutineResult::Yield(()) => self.give_up(),
            CoroutineResult::Return(End::Returned) => {
                self.core.set_level(level::ENGINE);
                self.core.check_exit();
            }
            CoroutineResult::Return(_) => self.explain(&running.trapped),
        }
        self.core.set_level(level::ENGINE);
        Turn::Ended
    }

    /// Leaves the kernel where it is, for good.
    pub fn give_up(&mut self) {
        self.fibre.give_up();
        self.core.set_level(level::ENGINE);
    }

    fn into_seat(self) -> Seat {
        self.core.set_level(level::ENGINE);
        Seat { core: self.core, stack: self.fibre.into_stack() }
    }

    /// Turns a signal into a finding.
    fn explain(&mut self, trapped: &Trapped) {
        let guard = self.guard.clone();
        let core = &mut self.core;
        let mut draft = if trapped.in_instruction {
            let what =
                format!("signal {} inside an instruction, address {:#x?}", trapped.signal, trapped.address);
            Draft::new(&c::INTERNAL, &[("what", what)])
        } else {
            match trapped.signal {
                libc::SIGFPE => Draft::new(&c::ARITHMETIC, &[]),
                libc::SIGILL => Draft::new(&c::ILLEGAL, &[]),
                libc::SIGSEGV | libc::SIGBUS => bad_address(core, trapped.address, &guard),
                _ => core.time_limit(),
            }
        };
        draft.frames = trapped.frames.iter().copied().filter(|f| *f != 0).collect();
        core.record(draft, true);
    }
}

/// Addresses below this are null pointers with an offset.
const NULL_BYTES: u64 = 64 << 10;

fn bad_address(core: &Core, address: Option<u64>, guard: &Range<usize>) -> Draft {
    let Some(at) = address else {
        return Draft::new(&c::SEGFAULT, &[("address", "(unknown: not a possible pointer)".into())]);
    };
    let hex = || ("address", format!("{at:#x}"));
    if guard.contains(&(at as usize)) {
        let bytes = core.stack.len().to_string();
        return Draft::new(&c::STACK_OVERFLOW, &[("bytes", bytes)]);
    }
    if at < NULL_BYTES {
        return Draft::new(&c::NULL_POINTER, &[hex()]);
    }
    if let Some((space, offset)) = core.region.locate(at) {
        let size = u64::from(core.region.bytes(space));
        let name = SPACES[space as usize].1.to_owned();
        let beyond = (offset + 1).saturating_sub(size).to_string();
        return Draft::new(
            &c::LOCAL_GUARD,
            &[("memory", name), ("offset", format!("{offset:#x}")), ("beyond", beyond)],
        );
    }
    if core.gm.range().contains(&at) {
        return Draft::new(&c::GM_DEREFERENCE, &[hex(), ("what", core.gm.describe(at))]);
    }
    Draft::new(&c::SEGFAULT, &[hex()])
}

fn page_bytes() -> usize {
    // SAFETY: asks the system for a constant.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}
