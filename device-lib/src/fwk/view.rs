#![allow(unsafe_code)]
//! From a queue, TBuf or pool to its records: the only place that follows the record pointers of the state.
//!
//! Unsafe because the state holds raw pointers: the records of a pipe lie in the kernel's [`TrPipe`], those of a pool
//! in the kernel's array. The contract, which every init function of this crate hands to its caller: the records
//! outlive the object that points to them and do not move.

use super::{Fwk, Shape};
use crate::hooks::Hooks;
use toprope_abi::fwk::{TrBuf, TrBufPool, TrPipe, TrQue, TrRecord};

/// Record `index` of a queue; `None` from `buf_num` on.
#[inline(always)]
pub(crate) fn record_of(que: &TrQue, index: u8) -> Option<&TrRecord> {
    if index >= que.buf_num.get() {
        return None;
    }
    // SAFETY: `buf_num` is 0 until init sets it together with `first` to a run of records, and `index` is inside it.
    let record = unsafe { que.first.get().add(index as usize) };
    // SAFETY: a record of that run, which outlives the queue.
    Some(unsafe { &*record })
}

/// The record a handle means and its index, if it is one of the queue's.
#[inline(always)]
pub(crate) fn owned_by(que: &TrQue, handle: *const TrRecord) -> Option<(&TrRecord, u8)> {
    let distance = handle.addr().wrapping_sub(que.first.get().addr());
    // Bits below the record size end up on top, so a handle into the middle of a record is beyond `buf_num` too.
    let index = distance.rotate_right(4);
    if index >= que.buf_num.get() as usize {
        return None;
    }
    record_of(que, index as u8).map(|record| (record, index as u8))
}

/// Goes on with record `index` of a queue, or otherwise. Like [`record_of`], without an `Option` in the hot path.
///
/// With a [trusted](Shape::TRUSTED) shape the index is not checked: it must be the cursor, or the ring slot of a tensor
/// that is in the queue. Both are in range in a queue that got its buffers before its type let anybody call it, as long
/// as only this crate writes its state (the contract of `Fwk::new`).
#[inline(always)]
pub(crate) fn with_record<'q, S: Shape, R>(
    que: &'q TrQue,
    index: u8,
    found: impl FnOnce(&'q TrRecord) -> R,
    otherwise: impl FnOnce() -> R,
) -> R {
    if !S::TRUSTED && index >= que.buf_num.get() {
        return otherwise();
    }
    // SAFETY: as in `record_of`, or by the contract above.
    let record = unsafe { que.first.get().add(index as usize) };
    // SAFETY: as in `record_of`.
    found(unsafe { &*record })
}

/// Goes on with the record a handle means and its index, or otherwise. Like [`owned_by`].
#[inline(always)]
pub(crate) fn with_owned<'q, R>(
    que: &'q TrQue,
    handle: *const TrRecord,
    found: impl FnOnce(&'q TrRecord, u8) -> R,
    otherwise: impl FnOnce() -> R,
) -> R {
    let index = handle.addr().wrapping_sub(que.first.get().addr()).rotate_right(4);
    if index >= que.buf_num.get() as usize {
        return otherwise();
    }
    // SAFETY: as in `record_of`; the index was checked just now.
    let record = unsafe { que.first.get().add(index) };
    // SAFETY: as in `record_of`.
    found(unsafe { &*record }, index as u8)
}

/// The record of a TBuf, `None` before InitBuffer.
#[inline(always)]
pub(crate) fn record_of_buf(buf: &TrBuf) -> Option<&TrRecord> {
    // SAFETY: null, or set by init to a record that outlives the TBuf.
    unsafe { buf.record.get().as_ref() }
}

/// Record `index` of a pool; `None` from its capacity on.
#[inline(always)]
pub(crate) fn record_of_pool(pool: &TrBufPool, index: u32) -> Option<&TrRecord> {
    let records = pool.records.get();
    if index >= pool.capacity.get() || records.is_null() {
        return None;
    }
    // SAFETY: construction got `capacity` records, and `index` is below it.
    let record = unsafe { records.add(index as usize) };
    // SAFETY: one of those records, which outlive the pool.
    Some(unsafe { &*record })
}

/// Record `index` of a pipe; `None` from 64 on.
#[inline(always)]
pub(crate) fn record_of_pipe(pipe: &TrPipe, index: u32) -> Option<&TrRecord> {
    pipe.records.get(index as usize)
}

impl<'a, H: Hooks> Fwk<'a, H> {
    /// A pipe and its hooks.
    ///
    /// # Safety
    /// For as long as the value or a copy of it is used:
    /// - `pipe` and every queue, TBuf and pool given to a method were constructed by this crate, and their fields are
    ///   written by this crate only;
    /// - the records that a queue, TBuf or pool got (the pipe's own, a pool's array, a handle passed to an init
    ///   function) outlive it and do not move.
    #[inline(always)]
    pub const unsafe fn new(pipe: &'a TrPipe, hooks: &'a H) -> Fwk<'a, H> {
        Fwk { pipe, hooks }
    }
}
