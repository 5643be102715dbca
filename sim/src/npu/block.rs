//! Running one block: a coroutine per core, on the thread that claimed the block.
//!
//! ```text
//!  BlockRunner (one per thread) ── Seat: Core + stack, reused from block to block
//!       run_block ─▶ set_core ─▶ coroutine: invoke(kernel, args) ─▶ issue … ─▶ return
//!                                     └─ fault: switched away from for good, stack reused
//! ```
//! The AIC and AIVs of a block share the thread and run one after the other: there are no cross-core flags yet that
//! would make one wait for another.
#![allow(unsafe_code)] // Kernel entry, coroutines that are given up without unwinding.

use super::chip::Chip;
use super::clock::OpCost;
use super::core::{Core, CoreStats, level};
use super::launch::LaunchShared;
use super::trap::{self, Running, Trapped};
use super::watchdog::Post;
use crate::exec;
use crate::findings::Draft;
use crate::findings::catalogue::{self as c, Entry};
use crate::gm::DeviceMemory;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::sync::Arc;
use toprope_abi::isa::{CoreKind, SPACES};

/// How a block's coroutine ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The kernel function returned.
    Returned,
    /// A signal ended it.
    Trapped,
    /// It was abandoned by the engine.
    Abandoned,
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
}

/// What a block did.
#[derive(Debug)]
pub struct BlockRecord {
    pub block: u32,
    pub cycles: u64,
    pub stats: CoreStats,
    pub drafts: Vec<Draft>,
    pub fatal: Option<&'static Entry>,
    pub printed: String,
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
        }
    }

    fn take_from(&mut self, core: &mut Core) {
        self.cycles = self.cycles.max(core.end_cycle());
        let (s, from) = (&mut self.stats, &core.stats);
        s.instructions.iter_mut().zip(from.instructions).for_each(|(a, b)| *a += b);
        s.gm_read_bytes += from.gm_read_bytes;
        s.gm_write_bytes += from.gm_write_bytes;
        s.gm_request_bytes += from.gm_request_bytes;
        s.overflowed |= exec::take_overflow();
        self.drafts.append(&mut core.drafts);
        self.fatal = self.fatal.or(core.fatal);
        self.printed.push_str(&core.printed);
        core.printed.clear();
    }
}

/// A core with the stack its kernel runs on.
struct Seat {
    core: Box<Core>,
    stack: Option<DefaultStack>,
}

/// The cores of one block; belongs to one thread at a time.
pub struct BlockRunner {
    /// Where the watchdog finds the thread.
    pub post: Arc<Post>,
    device: Device,
    aic: Option<Seat>,
    aiv: [Option<Seat>; 2],
}

// SAFETY: a runner is only handed over between blocks, when no coroutine exists and no pointer into one is kept.
unsafe impl Send for BlockRunner {}

impl BlockRunner {
    /// A runner that makes its cores when they are first needed.
    pub fn new(device: Device, post: Arc<Post>) -> BlockRunner {
        BlockRunner { post, device, aic: None, aiv: [None, None] }
    }

    /// Runs block `block` of the launch on every core it has.
    pub fn run_block(&mut self, launch: &Arc<LaunchShared>, block: u32) -> BlockRecord {
        let mut record = BlockRecord::new(block);
        let (aics, aivs) = launch.cores_per_block();
        for (kind, sub_block) in [(CoreKind::Aic, 0), (CoreKind::Aiv, 0), (CoreKind::Aiv, 1)] {
            let (wanted, seat) = match kind {
                CoreKind::Aic => (aics > 0, &mut self.aic),
                CoreKind::Aiv => (aivs > sub_block, &mut self.aiv[sub_block as usize]),
            };
            if !wanted {
                continue;
            }
            match seated(seat, &self.device, kind) {
                Ok(seat) => {
                    seat.core.begin(launch, block, sub_block, aivs);
                    if self.device.poison {
                        seat.core.region.poison();
                    }
                    seat.run(launch);
                    record.take_from(&mut seat.core);
                }
                Err(error) => {
                    let mut draft = Draft::new(&c::HOST_LIMIT, &[("what", error.to_string())]);
                    draft.block = block;
                    record.drafts.push(draft);
                    record.fatal = Some(&c::HOST_LIMIT);
                }
            }
            if record.fatal.is_some() {
                break;
            }
        }
        record
    }
}

fn seated<'a>(seat: &'a mut Option<Seat>, device: &Device, kind: CoreKind) -> std::io::Result<&'a mut Seat> {
    if seat.is_none() {
        let core = Core::new(device.chip, kind, device.gm.clone(), device.costs.clone())?;
        *seat = Some(Seat { core, stack: Some(DefaultStack::new(device.stack_bytes)?) });
    }
    Ok(seat.as_mut().expect("filled above"))
}

impl Seat {
    fn run(&mut self, launch: &Arc<LaunchShared>) {
        // A stack is missing only if the engine panicked in an earlier block.
        let Some(stack) = self.stack.take() else { return };
        let guard = stack.limit().get();
        let page = page_bytes();
        let core: *mut Core = &mut *self.core;
        let kernel = launch.launch().kernel;
        let args = launch.launch().args.as_ptr();
        let body = move |yielder: &KernelYielder, ()| {
            // SAFETY: the core is in a box that outlives the coroutine; no reference to it is alive while the kernel runs.
            unsafe { (*core).yielder = (yielder as *const KernelYielder).cast() };
            // SAFETY: as above.
            unsafe { (*core).set_level(level::KERNEL) };
            // SAFETY: entry, invoke and the argument block belong together (contract of `KernelRef::new`; sizes are checked
            // before a launch is made).
            unsafe { (kernel.kernel().invoke)(kernel.kernel().entry, args.cast()) };
            // SAFETY: as above.
            unsafe { (*core).set_level(level::ENGINE) };
            End::Returned
        };
        self.core.stack = guard + page..stack.base().get();
        let mut coroutine: KernelCoroutine = Coroutine::with_stack(stack, body);
        let mut running = Running {
            core,
            exit: coroutine.trap_handler(),
            stack: self.core.stack.clone(),
            trapped: Trapped::default(),
        };
        // SAFETY: the module is loaded (contract of `KernelRef::new`); the face lives in the boxed core.
        unsafe { (kernel.module().set_core)(core.cast()) };
        let end = trap::with_running(&mut running, || match coroutine.resume(()) {
            CoroutineResult::Return(end) => end,
            CoroutineResult::Yield(()) => End::Abandoned,
        });
        // This thread may be the host's: its code must not find a core any more.
        // SAFETY: as above; null is what host code sees (`core_face`).
        unsafe { (kernel.module().set_core)(std::ptr::null_mut()) };
        if end == End::Abandoned {
            // SAFETY: nothing on that stack is used again; engine frames own nothing when they suspend (`services`), what
            // the kernel owns there is leaked.
            unsafe { coroutine.force_reset() };
        }
        self.stack = Some(coroutine.into_stack());
        self.core.set_level(level::ENGINE);
        match end {
            End::Returned => self.core.check_exit(),
            End::Trapped => self.explain(&running.trapped, guard..guard + page),
            End::Abandoned => {}
        }
    }

    /// Turns a signal into a finding.
    fn explain(&mut self, trapped: &Trapped, guard: std::ops::Range<usize>) {
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
                _ => {
                    let limit = core.launch.as_ref().and_then(|l| l.launch().time_limit).unwrap_or_default();
                    Draft::new(&c::TIME_LIMIT, &[("limit", format!("{limit:?}"))])
                }
            }
        };
        draft.frames = trapped.frames.iter().copied().filter(|f| *f != 0).collect();
        core.record(draft, true);
    }
}

/// Addresses below this are null pointers with an offset.
const NULL_BYTES: u64 = 64 << 10;

fn bad_address(core: &Core, address: Option<u64>, guard: &std::ops::Range<usize>) -> Draft {
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
