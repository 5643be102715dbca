//! Framework contract: the state of TPipe, TQue, TBuf and TBufPool, and the C functions `device-lib` exports on it.
//!
//! ```text
//! kernel (C++ or Rust) ──FUNCTIONS (tr_pipe_*, tr_que_*, …)──▶ device-lib ──HOOKS (tr_hook_*)──▶ the kernel's shim ──▶ instructions
//!          └── owns the state: TrPipe, TrQue, TrBuf, TrBufPool, TrRecord (plain memory, no pointers into the library)
//! ```
//!
//! * [`state`]: the `#[repr(C)]` structs and their layout table.
//! * [`target`]: what differs between the cores a pipe can work for (2201 AIV, 2201 AIC, 2002), as data.
//! * [`error`]: what a misuse is called.
//! * [`api`]: every exported function and every hook, as data; the generated `include/toprope/fwk.h`, the guard of the
//!   static library and the type check of the exports all come from it.
//!
//! Layout rules: integers of 8, 16, 32 or 64 bits, explicit padding, alignment at most 8, arrays of power-of-two
//! length, no aggregate by value in a signature. Fields are [`Cell`](core::cell::Cell)s: kernel and library share the
//! state on one core and never at the same time, and a `Cell` has the layout of what it holds.
//!
//! Models what the public Ascend C headers do on NpuArch 2201 and 2002, release build, plus the checks listed in
//! [`error`]. Does not model NpuArch 3510 (buffer ids instead of event flags).

pub mod api;
pub mod error;
pub mod header;
pub mod state;
pub mod target;

pub use api::{FLAG_PAIRS, FUNCTIONS, FlagPair, HOOKS, Signature};
pub use error::{FWK_ERRORS, FwkError};
pub use state::{FWK_LAYOUTS, TrAddrLen, TrBuf, TrBufPool, TrPipe, TrQue, TrRecord, TrTensor};
pub use target::{FwkCore, HardEvent, MemoryKind, TPosition, Target};

/// Records (buffers) one pipe manages, TBufs included.
#[doc(alias = "QBUF_MAX_LEN")]
pub const PIPE_RECORDS: usize = 64;
/// Records one pool manages at most.
#[doc(alias = "QBUFPOOL_MAX_LEN")]
pub const POOL_RECORDS_MAX: usize = 16;
/// Event ids of one class that exist in hardware: 0..8.
#[doc(alias = "QUE_MAX_EVENT")]
pub const EVENT_IDS: u32 = 8;
/// Largest queue depth: a pipe has no more records than that.
pub const QUE_DEPTH_MAX: usize = 64;
/// Lengths of buffers are rounded up to this, bytes.
#[doc(alias = "ONE_BLK_SIZE")]
pub const DATA_BLOCK_BYTES: u32 = 32;
/// "No event id".
#[doc(alias = "INVALID_TEVENTID")]
pub const NO_ID: i8 = -1;

/// [`TrPipe::checks`](state::TrPipe::checks): refuse every misuse of [`error`] before it changes anything.
pub const CHECK_MISUSE: u32 = 1;
/// [`TrPipe::checks`](state::TrPipe::checks): refuse flags that this core sets but never waits for.
pub const CHECK_FLAG_BALANCE: u32 = 2;
/// [`TrPipe::checks`](state::TrPipe::checks): report every queue operation to `tr_hook_note_op`.
pub const CHECK_NOTES: u32 = 4;
/// What kernels run with unless they say otherwise.
pub const CHECK_DEFAULT: u32 = CHECK_MISUSE | CHECK_FLAG_BALANCE;

/// Queue configuration bit: data is converted ND to NZ on its way (changes the events of GM → L1 on 2002).
pub const QUE_ND2NZ: u32 = 1;
/// Queue configuration bit: data is converted NZ to ND on its way.
pub const QUE_NZ2ND: u32 = 2;
/// Queue configuration bit: a TSCM queue is shared by the block group, its memory is not divided among sub-blocks.
pub const QUE_SCM_BLOCK_GROUP: u32 = 4;
/// Queue configuration bit: loop queue, its records are shared with a partner queue through a custom pool.
#[doc(alias = "enableLoopQueue")]
pub const QUE_LOOP: u32 = 8;
/// Queue configuration bits that are the layout mask of `TQue<…, mask>`.
pub const QUE_MASK_BITS: u32 = QUE_ND2NZ | QUE_NZ2ND | QUE_SCM_BLOCK_GROUP;
