//! What the bookkeeping asks of the core: flags, barriers, registers, copies, and whom to tell about misuse.
//!
//! ```text
//! fwk::* ──Hooks──▶ ExternHooks ──tr_hook_*──▶ the C++ shim ──▶ core->issue
//!              ├──▶ NoHooks         nothing (benches, bookkeeping only)
//!              └──▶ yours           a recorder in tests, a Rust kernel's own shim
//! ```
//!
//! Dispatch is static. An implementation must not call back into the pipe or queue it is called for.

use toprope_abi::fwk::{FwkError, HardEvent, MemoryKind, TrPipe, target::Effect};
use toprope_abi::isa::Pipe;

/// Which queue operation [`Hooks::note_op`] reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum QueOp {
    /// AllocTensor.
    Alloc = 0,
    /// EnQue.
    Enque = 1,
    /// DeQue.
    Deque = 2,
    /// FreeTensor.
    Free = 3,
}

/// What happens to a pipe, for [`Hooks::note_pipe`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum PipeEvent {
    /// Init, also of a new pipe.
    Begin = 0,
    /// Reset.
    Reset = 1,
    /// Destroy.
    End = 2,
}

/// What kind of object [`Hooks::note_buffer`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum BufferOwner {
    /// A queue.
    Que = 0,
    /// A TBuf.
    Buf = 1,
    /// A pool.
    Pool = 2,
    /// A queue whose buffers lie where the kernel said, perhaps on those of another.
    PlacedQue = 16,
    /// A TBuf that lies where the kernel said.
    PlacedBuf = 17,
}

/// Memory given to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferNote {
    /// What kind of object.
    pub owner: BufferOwner,
    /// Its address.
    pub object: u64,
    /// Where.
    pub memory: MemoryKind,
    /// First byte.
    pub address_bytes: u32,
    /// Length of one buffer.
    pub length_bytes: u32,
    /// Number of buffers.
    pub num: u32,
}

/// A misuse, with the two figures that explain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// What rule was broken.
    pub error: FwkError,
    /// Address of the queue, TBuf, pool or pipe it was done to; 0 none.
    pub object: u64,
    /// Memory concerned ([`MemoryKind::Gm`] where there is none).
    pub memory: MemoryKind,
    /// What was asked for; unit depends on the error.
    pub asked: u64,
    /// What there is.
    pub limit: u64,
}

/// Direction and place of a spill-buffer copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpillCopy {
    /// `true`: UB to the spill buffer.
    pub write: bool,
    /// Where the spill buffer is: GM or L1.
    pub memory: MemoryKind,
    /// Address in the spill buffer's memory, bytes.
    pub address: u64,
    /// Offset in UB, bytes.
    pub ub_address_bytes: u32,
    /// Number of runs.
    pub block_count: u32,
    /// Length of a run, 32-byte blocks.
    pub block_len: u32,
    /// Gap after each run at the source, 32-byte blocks.
    pub src_stride: u32,
    /// Gap after each run at the destination, 32-byte blocks.
    pub dst_stride: u32,
}

/// The core as the bookkeeping sees it.
pub trait Hooks {
    /// Whether queues look if their operations are to be reported. `false` takes [`note_op`](Hooks::note_op) out of the code.
    const NOTES: bool = false;
    /// SetFlag instruction between two different pipes.
    fn set_flag(&self, pair: Effect, id: i32);
    /// WaitFlag instruction between two different pipes.
    fn wait_flag(&self, pair: Effect, id: i32);
    /// Barrier.
    fn barrier(&self, pipe: Pipe);
    /// `set_atomic_none`.
    fn set_atomic_none(&self);
    /// `set_mask_norm`.
    fn set_mask_norm(&self);
    /// Size of the 3-D L1 feature map.
    fn set_l1_3d_size(&self, value: u64);
    /// Padding value.
    fn set_padding(&self, value: u64);
    /// Vector mask.
    fn set_vector_mask(&self, high: u64, low: u64);
    /// Flush of the whole data cache.
    fn dcci(&self);
    /// Data copy of a spill buffer.
    fn spill_copy(&self, copy: SpillCopy);
    /// Sub-blocks that share an L1.
    fn sub_block_num(&self) -> u32;
    /// Index of this sub-block.
    fn sub_block_idx(&self) -> u32;
    /// The pipe `GetTPipePtr` returns from now on.
    fn set_pipe_ptr(&self, pipe: *const TrPipe);
    /// The pipe that is alive, or null.
    fn set_live_pipe(&self, pipe: *const TrPipe);
    /// The value last given to [`set_live_pipe`](Hooks::set_live_pipe), null before.
    fn live_pipe(&self) -> *const TrPipe;
    /// A number not 0 and not given before; 0 if there is no counter.
    fn next_serial(&self) -> u32;
    /// A misuse. May not return.
    fn fault(&self, fault: Fault);
    /// Memory was given to an object.
    #[inline(always)]
    fn note_buffer(&self, _note: BufferNote) {}
    /// A pipe begins, is reset or ends: it has no buffers any more.
    #[inline(always)]
    fn note_pipe(&self, _event: PipeEvent, _pipe: &TrPipe) {}
    /// A pool gave up the memory it had.
    #[inline(always)]
    fn note_pool_reset(&self, _pool: u64, _memory: MemoryKind, _address_bytes: u32, _length_bytes: u32) {}
    /// A queue operation was done, an enqueue with `_event` (else it means nothing); only while `note_ops` of the pipe is 1.
    #[inline(always)]
    fn note_op(
        &self,
        _op: QueOp,
        _event: HardEvent,
        _object: u64,
        _memory: MemoryKind,
        _address_bytes: u32,
        _length_bytes: u32,
    ) {
    }
    /// An event id of `pipe` was taken or given back (observers of the bookkeeping itself; not an instruction).
    #[inline(always)]
    fn observe_id(&self, _pipe: &TrPipe, _taken: bool, _event: HardEvent, _id: i32) {}

    /// Emits what a set of an event becomes: nothing, a flag, or a barrier.
    #[inline(always)]
    fn set_effect(&self, effect: Effect, id: i32) {
        match effect {
            Effect::NONE => {}
            BARRIER_V => self.barrier(Pipe::V),
            BARRIER_FIX => self.barrier(Pipe::Fix),
            pair => self.set_flag(pair, id),
        }
    }

    /// Emits what a wait for an event becomes.
    #[inline(always)]
    fn wait_effect(&self, effect: Effect, id: i32) {
        match effect {
            Effect::NONE => {}
            BARRIER_V => self.barrier(Pipe::V),
            BARRIER_FIX => self.barrier(Pipe::Fix),
            pair => self.wait_flag(pair, id),
        }
    }

    /// [`set_effect`](Hooks::set_effect) where it is worth inlining: the fast form of the queue calls.
    #[inline(always)]
    fn set_effect_fast(&self, effect: Effect, id: i32) {
        self.set_effect(effect, id);
    }

    /// [`wait_effect`](Hooks::wait_effect) likewise.
    #[inline(always)]
    fn wait_effect_fast(&self, effect: Effect, id: i32) {
        self.wait_effect(effect, id);
    }
}

/// Effect of an event from V to V.
pub const BARRIER_V: Effect = Effect::pair(Pipe::V, Pipe::V);
/// Effect of an event from FIX to FIX.
pub const BARRIER_FIX: Effect = Effect::pair(Pipe::Fix, Pipe::Fix);

/// Hooks that do nothing: bookkeeping only. One sub-block, no serial numbers, any number of pipes.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHooks;

impl Hooks for NoHooks {
    #[inline(always)]
    fn set_flag(&self, _pair: Effect, _id: i32) {}
    #[inline(always)]
    fn wait_flag(&self, _pair: Effect, _id: i32) {}
    #[inline(always)]
    fn barrier(&self, _pipe: Pipe) {}
    #[inline(always)]
    fn set_atomic_none(&self) {}
    #[inline(always)]
    fn set_mask_norm(&self) {}
    #[inline(always)]
    fn set_l1_3d_size(&self, _value: u64) {}
    #[inline(always)]
    fn set_padding(&self, _value: u64) {}
    #[inline(always)]
    fn set_vector_mask(&self, _high: u64, _low: u64) {}
    #[inline(always)]
    fn dcci(&self) {}
    #[inline(always)]
    fn spill_copy(&self, _copy: SpillCopy) {}
    #[inline(always)]
    fn sub_block_num(&self) -> u32 {
        1
    }
    #[inline(always)]
    fn sub_block_idx(&self) -> u32 {
        0
    }
    #[inline(always)]
    fn set_pipe_ptr(&self, _pipe: *const TrPipe) {}
    #[inline(always)]
    fn set_live_pipe(&self, _pipe: *const TrPipe) {}
    #[inline(always)]
    fn live_pipe(&self) -> *const TrPipe {
        core::ptr::null()
    }
    #[inline(always)]
    fn next_serial(&self) -> u32 {
        0
    }
    #[inline(always)]
    fn fault(&self, _fault: Fault) {}
}
