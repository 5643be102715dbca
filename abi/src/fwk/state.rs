//! `#[repr(C)]` state of the framework objects. The kernel owns the memory, `device-lib` owns the content.
//!
//! Sizes on every target: [`TrRecord`] 16, [`TrTensor`] 24, [`TrAddrLen`] 8, [`TrQue`] 104, [`TrBuf`] 24,
//! [`TrBufPool`] 40, [`TrPipe`] 1688 bytes. Objects are not moved or copied while a queue or pool refers to their
//! records. Write fields only through the functions of [`super::api`].

use super::{PIPE_RECORDS, QUE_DEPTH_MAX};
use crate::layout::{CType, CTyped, StructLayout};
use core::cell::Cell;
use static_assertions::const_assert_eq;

/// One buffer.
#[derive(Debug, Clone)]
#[doc(alias = "TBufType")]
#[repr(C)]
pub struct TrRecord {
    /// Bits 0..2: 0 free, 1 occupied, 2 enqueued, 3 dequeued. Bits 2..8: event class of the enqueue while enqueued;
    /// see `device-lib`. Zero means free and nothing else does.
    pub state: Cell<u8>,
    /// [`HardEvent`](super::HardEvent) set when the buffer is freed.
    pub free_event: Cell<u8>,
    /// Id set by the pending enqueue, -1 none.
    pub enque_id: Cell<i8>,
    /// Id set by the last free, -1 none.
    pub free_id: Cell<i8>,
    /// Offset inside its memory, bytes.
    pub address_bytes: Cell<u32>,
    /// Length, bytes.
    pub length_bytes: Cell<u32>,
    /// Tag of the user, -1 at first.
    pub user_tag: Cell<i32>,
}

/// Where a tensor is: what a `LocalTensor` is made of.
#[derive(Debug, Clone)]
#[doc(alias = "TBuffAddr")]
#[repr(C)]
pub struct TrTensor {
    /// The buffer behind it, or null.
    pub record: Cell<*const TrRecord>,
    /// Offset inside its memory, bytes.
    pub address_bytes: Cell<u32>,
    /// Length, bytes.
    pub length_bytes: Cell<u32>,
    /// [`TPosition`](super::TPosition).
    pub position: Cell<u8>,
    /// [`MemoryKind`](super::MemoryKind) of the position.
    pub memory: Cell<u8>,
    /// Padding, 0.
    pub reserved: [Cell<u8>; 2],
    /// Elements of the type asked for (TBuf calls), else 0.
    pub elements: Cell<u32>,
}

/// Address and length of one buffer that the user places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct TrAddrLen {
    /// Offset inside the memory, bytes.
    pub address_bytes: u32,
    /// Length, bytes.
    pub length_bytes: u32,
}

/// A queue of any depth.
#[derive(Debug, Clone)]
#[doc(alias("TQue", "TQueBind"))]
#[repr(C)]
pub struct TrQue {
    /// First of its records, null before InitBuffer.
    pub first: Cell<*const TrRecord>,
    /// Buffers it manages.
    pub buf_num: Cell<u8>,
    /// Tensors enqueued.
    pub used_count: Cell<u8>,
    /// Ring index of the oldest tensor.
    pub head: Cell<u8>,
    /// Ring index of the next enqueue.
    pub tail: Cell<u8>,
    /// Buffers allocated and not freed (depth 0: always 0).
    pub buf_used_count: Cell<u8>,
    /// Record where the next allocation starts looking.
    pub cursor: Cell<u8>,
    /// Depth, 0..=64; 0 is an in-place queue.
    pub depth: Cell<u8>,
    /// How it uses events; see `device-lib`.
    pub kind: Cell<u8>,
    /// [`HardEvent`](super::HardEvent) set by enqueue.
    pub enque_event: Cell<u8>,
    /// [`HardEvent`](super::HardEvent) set by free.
    pub free_event: Cell<u8>,
    /// [`Effect`](super::target::Effect) of setting and waiting for the two events on this core.
    pub enque_set: Cell<u8>,
    /// Effect of waiting for the enqueue event.
    pub enque_wait: Cell<u8>,
    /// Effect of setting the free event.
    pub free_set: Cell<u8>,
    /// Effect of waiting for the free event.
    pub free_wait: Cell<u8>,
    /// [`TPosition`](super::TPosition) of the producer.
    pub src: Cell<u8>,
    /// Position of the consumer.
    pub dst: Cell<u8>,
    /// Position of its tensors.
    pub position: Cell<u8>,
    /// [`MemoryKind`](super::MemoryKind) of its buffers.
    pub memory: Cell<u8>,
    /// [`FwkCore`](super::FwkCore).
    pub core: Cell<u8>,
    /// Compile-time buffer count, 0 none.
    pub config_num: Cell<u8>,
    /// `QUE_*` configuration bits.
    pub config: Cell<u32>,
    /// Compile-time buffer length, bytes; 0 none.
    pub config_length_bytes: Cell<u32>,
    /// [`TrPipe::serial`] of the InitBuffer.
    pub serial: Cell<u32>,
    /// Indices of the enqueued records, counted from `first`.
    pub ring: [Cell<u8>; QUE_DEPTH_MAX],
}

/// A buffer without a queue.
#[derive(Debug, Clone)]
#[doc(alias = "TBuf")]
#[repr(C)]
pub struct TrBuf {
    /// Its record, null before InitBuffer.
    pub record: Cell<*const TrRecord>,
    /// Length given at InitBuffer, bytes.
    pub length_bytes: Cell<u32>,
    /// Offset field (always 0).
    pub offset_bytes: Cell<u32>,
    /// [`TPosition`](super::TPosition).
    pub position: Cell<u8>,
    /// [`MemoryKind`](super::MemoryKind).
    pub memory: Cell<u8>,
    /// [`FwkCore`](super::FwkCore).
    pub core: Cell<u8>,
    /// The first is 1 once its first tensor was reported to `tr_hook_note_op`; the others are padding, 0.
    pub reserved: [Cell<u8>; 5],
}

/// A slice of a memory with records of its own. The records are the caller's: an array that lives as long as the pool.
#[derive(Debug, Clone)]
#[doc(alias = "TBufPool")]
#[repr(C)]
pub struct TrBufPool {
    /// Its `capacity` records.
    pub records: Cell<*const TrRecord>,
    /// Start, bytes.
    pub start_bytes: Cell<u32>,
    /// Next free byte.
    pub mark_bytes: Cell<u32>,
    /// Length, bytes.
    pub length_bytes: Cell<u32>,
    /// Records in use.
    pub count: Cell<u32>,
    /// Records there are, at most 16.
    pub capacity: Cell<u32>,
    /// [`TPosition`](super::TPosition).
    pub position: Cell<u8>,
    /// [`MemoryKind`](super::MemoryKind).
    pub memory: Cell<u8>,
    /// [`FwkCore`](super::FwkCore).
    pub core: Cell<u8>,
    /// 1 for a pool made with the custom-pool macro.
    pub custom: Cell<u8>,
    /// 1 from construction on, never changes (the public class has such a field).
    pub reset_mark: Cell<u32>,
    /// Padding, 0.
    pub reserved: Cell<u32>,
}

/// A pipe: allocator marks, event ids and buffer records of one core.
#[derive(Debug, Clone)]
#[doc(alias = "TPipe")]
#[repr(C)]
pub struct TrPipe {
    /// Ids in use of each [`HardEvent`](super::HardEvent), one bit each. All ones: the core has no such event.
    /// Bits 32..40: flags still set from before a Reset (only with checks on, where ids end at 7).
    pub events: [Cell<u64>; 64],
    /// Next free byte of each [`MemoryKind`](super::MemoryKind).
    pub marks_bytes: [Cell<u32>; 8],
    /// Start of the shared window in L1, L0C, UB; `u32::MAX` none. The fourth is unused.
    pub share_start_bytes: [Cell<u32>; 4],
    /// End of the shared window, bytes.
    pub share_limit_bytes: [Cell<u32>; 4],
    /// Length first recorded, bytes.
    pub share_length_bytes: [Cell<u32>; 4],
    /// Spill buffer: address (GM address or L1 offset).
    pub spill_address: Cell<u64>,
    /// Spill buffer: length, bytes.
    pub spill_length_bytes: Cell<u32>,
    /// Spill buffer: [`MemoryKind`](super::MemoryKind).
    pub spill_memory: Cell<u32>,
    /// Start of TSCM, bytes in L1.
    pub tscm_mark_bytes: Cell<u32>,
    /// Number of this life of the pipe, from `tr_hook_next_serial`; 0 unknown.
    pub serial: Cell<u32>,
    /// First misuse, a [`FwkError`](super::FwkError) code; 0 none.
    pub error: Cell<u32>,
    /// Misuses so far, stops at `u32::MAX`.
    pub error_count: Cell<u32>,
    /// What the first misuse asked for; its unit depends on the error.
    pub error_asked: Cell<u64>,
    /// The limit it hit.
    pub error_limit: Cell<u64>,
    /// `CHECK_*` bits.
    pub checks: Cell<u32>,
    /// 1: report each operation of the queues initialised from now on to `tr_hook_note_op`; set from `CHECK_NOTES`.
    pub note_ops: Cell<u8>,
    /// [`FwkCore`](super::FwkCore).
    pub core: Cell<u8>,
    /// 1 after Destroy until Init.
    pub destroyed: Cell<u8>,
    /// Records in use.
    pub count: Cell<u8>,
    /// Latest misuse, a [`FwkError`](super::FwkError) code; 0 none.
    pub last_error: Cell<u32>,
    /// Padding, 0.
    pub reserved: [Cell<u32>; 3],
    /// The buffers.
    pub records: [TrRecord; PIPE_RECORDS],
}

/// `N` cells of zero.
macro_rules! zeros {
    () => {
        [const { Cell::new(0) }; _]
    };
}

impl TrRecord {
    /// A record that has never been set up: all zero.
    pub const fn new() -> TrRecord {
        TrRecord {
            state: Cell::new(0),
            free_event: Cell::new(0),
            enque_id: Cell::new(0),
            free_id: Cell::new(0),
            address_bytes: Cell::new(0),
            length_bytes: Cell::new(0),
            user_tag: Cell::new(0),
        }
    }
}

impl TrTensor {
    /// A tensor of nothing.
    pub const fn new() -> TrTensor {
        TrTensor {
            record: Cell::new(core::ptr::null()),
            address_bytes: Cell::new(0),
            length_bytes: Cell::new(0),
            position: Cell::new(0),
            memory: Cell::new(0),
            reserved: zeros!(),
            elements: Cell::new(0),
        }
    }
}

impl TrQue {
    /// An object that has not been constructed: all zero.
    pub const fn new() -> TrQue {
        TrQue {
            first: Cell::new(core::ptr::null()),
            buf_num: Cell::new(0),
            used_count: Cell::new(0),
            head: Cell::new(0),
            tail: Cell::new(0),
            buf_used_count: Cell::new(0),
            cursor: Cell::new(0),
            depth: Cell::new(0),
            kind: Cell::new(0),
            enque_event: Cell::new(0),
            free_event: Cell::new(0),
            enque_set: Cell::new(0),
            enque_wait: Cell::new(0),
            free_set: Cell::new(0),
            free_wait: Cell::new(0),
            src: Cell::new(0),
            dst: Cell::new(0),
            position: Cell::new(0),
            memory: Cell::new(0),
            core: Cell::new(0),
            config_num: Cell::new(0),
            config: Cell::new(0),
            config_length_bytes: Cell::new(0),
            serial: Cell::new(0),
            ring: zeros!(),
        }
    }
}

impl TrBuf {
    /// An object that has not been constructed: all zero.
    pub const fn new() -> TrBuf {
        TrBuf {
            record: Cell::new(core::ptr::null()),
            length_bytes: Cell::new(0),
            offset_bytes: Cell::new(0),
            position: Cell::new(0),
            memory: Cell::new(0),
            core: Cell::new(0),
            reserved: zeros!(),
        }
    }
}

impl TrBufPool {
    /// An object that has not been constructed: all zero.
    pub const fn new() -> TrBufPool {
        TrBufPool {
            records: Cell::new(core::ptr::null()),
            start_bytes: Cell::new(0),
            mark_bytes: Cell::new(0),
            length_bytes: Cell::new(0),
            count: Cell::new(0),
            capacity: Cell::new(0),
            position: Cell::new(0),
            memory: Cell::new(0),
            core: Cell::new(0),
            custom: Cell::new(0),
            reset_mark: Cell::new(0),
            reserved: Cell::new(0),
        }
    }
}

impl TrPipe {
    /// An object that has not been constructed: all zero.
    pub const fn new() -> TrPipe {
        TrPipe {
            events: zeros!(),
            marks_bytes: zeros!(),
            share_start_bytes: zeros!(),
            share_limit_bytes: zeros!(),
            share_length_bytes: zeros!(),
            spill_address: Cell::new(0),
            spill_length_bytes: Cell::new(0),
            spill_memory: Cell::new(0),
            tscm_mark_bytes: Cell::new(0),
            serial: Cell::new(0),
            error: Cell::new(0),
            error_count: Cell::new(0),
            error_asked: Cell::new(0),
            error_limit: Cell::new(0),
            checks: Cell::new(0),
            note_ops: Cell::new(0),
            core: Cell::new(0),
            destroyed: Cell::new(0),
            count: Cell::new(0),
            last_error: Cell::new(0),
            reserved: zeros!(),
            records: [const { TrRecord::new() }; PIPE_RECORDS],
        }
    }
}

macro_rules! default_is_new {
    ($($ty:ident)*) => { $(impl Default for $ty { fn default() -> Self { $ty::new() } })* };
}
default_is_new!(TrRecord TrTensor TrQue TrBuf TrBufPool TrPipe);

const_assert_eq!(size_of::<TrRecord>(), 16);
const_assert_eq!(size_of::<TrTensor>(), 24);
const_assert_eq!(size_of::<TrAddrLen>(), 8);
const_assert_eq!(size_of::<TrQue>(), 104);
const_assert_eq!(size_of::<TrBuf>(), 24);
const_assert_eq!(size_of::<TrBufPool>(), 40);
const_assert_eq!(size_of::<TrPipe>(), 1688);
const_assert_eq!(align_of::<TrPipe>(), 8);
const_assert_eq!(align_of::<TrQue>(), 8);

impl<T: CTyped> CTyped for Cell<T> {
    const C: CType = T::C;
}

macro_rules! named_in_c {
    ($($ty:ident)*) => { $(impl CTyped for $ty { const C: CType = CType::Named(stringify!($ty)); })* };
}
named_in_c!(TrRecord TrTensor TrAddrLen TrQue TrBuf TrBufPool TrPipe);

/// The layout of every struct, in the order a C header needs them.
pub static FWK_LAYOUTS: &[StructLayout] = &[
    crate::layout_of!(TrRecord as "TrRecord" {
        state: Cell<u8>, free_event: Cell<u8>, enque_id: Cell<i8>, free_id: Cell<i8>, address_bytes: Cell<u32>,
        length_bytes: Cell<u32>, user_tag: Cell<i32>,
    }),
    crate::layout_of!(TrTensor as "TrTensor" {
        record: Cell<*const TrRecord>, address_bytes: Cell<u32>, length_bytes: Cell<u32>, position: Cell<u8>,
        memory: Cell<u8>, reserved: [Cell<u8>; 2], elements: Cell<u32>,
    }),
    crate::layout_of!(TrAddrLen as "TrAddrLen" { address_bytes: u32, length_bytes: u32 }),
    crate::layout_of!(TrQue as "TrQue" {
        first: Cell<*const TrRecord>, buf_num: Cell<u8>, used_count: Cell<u8>, head: Cell<u8>, tail: Cell<u8>,
        buf_used_count: Cell<u8>, cursor: Cell<u8>, depth: Cell<u8>, kind: Cell<u8>, enque_event: Cell<u8>,
        free_event: Cell<u8>, enque_set: Cell<u8>, enque_wait: Cell<u8>, free_set: Cell<u8>, free_wait: Cell<u8>,
        src: Cell<u8>, dst: Cell<u8>, position: Cell<u8>, memory: Cell<u8>, core: Cell<u8>, config_num: Cell<u8>,
        config: Cell<u32>, config_length_bytes: Cell<u32>, serial: Cell<u32>, ring: [Cell<u8>; QUE_DEPTH_MAX],
    }),
    crate::layout_of!(TrBuf as "TrBuf" {
        record: Cell<*const TrRecord>, length_bytes: Cell<u32>, offset_bytes: Cell<u32>, position: Cell<u8>,
        memory: Cell<u8>, core: Cell<u8>, reserved: [Cell<u8>; 5],
    }),
    crate::layout_of!(TrBufPool as "TrBufPool" {
        records: Cell<*const TrRecord>, start_bytes: Cell<u32>, mark_bytes: Cell<u32>, length_bytes: Cell<u32>,
        count: Cell<u32>, capacity: Cell<u32>, position: Cell<u8>, memory: Cell<u8>, core: Cell<u8>,
        custom: Cell<u8>, reset_mark: Cell<u32>, reserved: Cell<u32>,
    }),
    crate::layout_of!(TrPipe as "TrPipe" {
        events: [Cell<u64>; 64], marks_bytes: [Cell<u32>; 8], share_start_bytes: [Cell<u32>; 4],
        share_limit_bytes: [Cell<u32>; 4], share_length_bytes: [Cell<u32>; 4], spill_address: Cell<u64>,
        spill_length_bytes: Cell<u32>, spill_memory: Cell<u32>, tscm_mark_bytes: Cell<u32>, serial: Cell<u32>,
        error: Cell<u32>, error_count: Cell<u32>, error_asked: Cell<u64>, error_limit: Cell<u64>,
        checks: Cell<u32>, note_ops: Cell<u8>, core: Cell<u8>, destroyed: Cell<u8>, count: Cell<u8>,
        last_error: Cell<u32>, reserved: [Cell<u32>; 3], records: [TrRecord; PIPE_RECORDS],
    }),
];
