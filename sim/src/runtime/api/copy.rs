//! Copies and fills in one and two dimensions and in batches.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::too_many_arguments)] // the argument lists are those of the C functions.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, invalid};
use super::super::indirect::{self, Indirect};
use super::super::mem_batch::{Batch, Piece};
use super::super::memory::Place;
use super::super::site::CallSite;
use super::super::state::runtime;
use super::super::transfer::{CopyRequest, FillRequest, FillWordsRequest, RowsRequest, Transfer};
use super::{array, check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::{MemcpyBatchAttr, MemcpyKind, StreamHandle};

/// Does a checked transfer now.
fn run(transfer: Option<Transfer>) -> Answer {
    let Some(transfer) = transfer else { return Ok(()) };
    let runtime = runtime();
    runtime.current()?;
    transfer.run(runtime)
}

/// Does a checked transfer in stream order.
fn enqueue(transfer: Option<Transfer>, stream: StreamHandle) -> Answer {
    let Some(transfer) = transfer else { return Ok(()) };
    let runtime = runtime();
    transfer.enqueue(runtime, &runtime.stream_here(stream.0)?)
}

fn copy(
    function: &'static str,
    dst: *mut c_void,
    dest_max: usize,
    src: *const c_void,
    count: usize,
    kind: MemcpyKind,
) -> Answer<Option<Transfer>> {
    let (dst, dst_max) = (dst as u64, dest_max as u64);
    CopyRequest { function, dst, dst_max, src: src as u64, count: count as u64, kind }.check()
}

pub unsafe fn aclrtMemcpy(
    dst: *mut c_void,
    dest_max: usize,
    src: *const c_void,
    count: usize,
    kind: MemcpyKind,
) -> Answer {
    run(copy("aclrtMemcpy", dst, dest_max, src, count, kind)?)
}

pub unsafe fn aclrtMemcpyAsync(
    dst: *mut c_void,
    dest_max: usize,
    src: *const c_void,
    count: usize,
    kind: MemcpyKind,
    stream: StreamHandle,
) -> Answer {
    enqueue(copy("aclrtMemcpyAsync", dst, dest_max, src, count, kind)?, stream)
}

pub unsafe fn aclrtMemcpyAsyncWithCondition(
    dst: *mut c_void,
    dest_max: usize,
    src: *const c_void,
    count: usize,
    kind: MemcpyKind,
    stream: StreamHandle,
) -> Answer {
    enqueue(copy("aclrtMemcpyAsyncWithCondition", dst, dest_max, src, count, kind)?, stream)
}

fn fill(
    function: &'static str,
    at: *mut c_void,
    max: usize,
    value: i32,
    count: usize,
) -> Answer<Option<Transfer>> {
    FillRequest { function, at: at as u64, max: max as u64, value, count: count as u64 }.check()
}

pub unsafe fn aclrtMemset(dev_ptr: *mut c_void, max_count: usize, value: i32, count: usize) -> Answer {
    run(fill("aclrtMemset", dev_ptr, max_count, value, count)?)
}

pub unsafe fn aclrtMemsetAsync(
    dev_ptr: *mut c_void,
    max_count: usize,
    value: i32,
    count: usize,
    stream: StreamHandle,
) -> Answer {
    enqueue(fill("aclrtMemsetAsync", dev_ptr, max_count, value, count)?, stream)
}

fn fill_words(
    function: &'static str,
    at: *mut c_void,
    max: usize,
    value: u32,
    count: usize,
) -> Answer<Option<(Transfer, Place)>> {
    let request = FillWordsRequest { function, at: at as u64, max: max as u64, value, count: count as u64 };
    let Some(transfer) = request.check()? else { return Ok(None) };
    let runtime = runtime();
    runtime.current()?;
    let place = transfer.locate(runtime)?.dst;
    if matches!(place, Place::Pageable) {
        return invalid(format!(
            "`ptr` is {:#x}, which is no memory of aclrtMalloc or aclrtMallocHost",
            at as u64
        ));
    }
    Ok(Some((transfer, place)))
}

pub unsafe fn aclrtMemsetD32(ptr: *mut c_void, mem_size: usize, value: u32, count: usize) -> Answer {
    run(fill_words("aclrtMemsetD32", ptr, mem_size, value, count)?.map(|(transfer, _)| transfer))
}

pub unsafe fn aclrtMemsetD32Async(
    ptr: *mut c_void,
    mem_size: usize,
    value: u32,
    count: usize,
    stream: StreamHandle,
) -> Answer {
    match fill_words("aclrtMemsetD32Async", ptr, mem_size, value, count)? {
        // As documented, host memory is filled at once.
        Some((transfer, place)) if place.is_host() => run(Some(transfer)),
        Some((transfer, _)) => enqueue(Some(transfer), stream),
        None => Ok(()),
    }
}

pub unsafe fn aclrtMemcpy2d(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: MemcpyKind,
) -> Answer {
    let request = RowsRequest {
        function: "aclrtMemcpy2d",
        dst: dst as u64,
        dst_pitch: dpitch as u64,
        src: src as u64,
        src_pitch: spitch as u64,
        width: width as u64,
        height: height as u64,
        kind,
    };
    run(request.check(false)?)
}

pub unsafe fn aclrtMemcpy2dAsync(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: MemcpyKind,
    stream: StreamHandle,
) -> Answer {
    let request = RowsRequest {
        function: "aclrtMemcpy2dAsync",
        dst: dst as u64,
        dst_pitch: dpitch as u64,
        src: src as u64,
        src_pitch: spitch as u64,
        width: width as u64,
        height: height as u64,
        kind,
    };
    enqueue(request.check(true)?, stream)
}

// ---- through pointers on the device --------------------------------------------------------------------------------

pub unsafe fn aclrtGetMemcpyDescSize(kind: MemcpyKind, desc_size: *mut usize) -> Answer {
    check_out("descSize", desc_size)?;
    indirect::check_kind(kind)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("descSize", desc_size, indirect::DESCRIPTOR_BYTES as usize) }
}

pub unsafe fn aclrtSetMemcpyDesc(
    desc: *mut c_void,
    kind: MemcpyKind,
    src: *mut c_void,
    dst: *mut c_void,
    count: usize,
    config: *mut c_void,
) -> Answer {
    check_out("desc", desc)?;
    check_out("srcAddr", src)?;
    check_out("dstAddr", dst)?;
    indirect::check_kind(kind)?;
    if count == 0 {
        return invalid("`count` is 0; at least 1 byte must be copied");
    }
    if !config.is_null() {
        return invalid("`config` is reserved and must be null");
    }
    let runtime = runtime();
    indirect::write_descriptor(
        runtime,
        "aclrtSetMemcpyDesc",
        desc as u64,
        dst as u64,
        src as u64,
        count as u64,
    )
}

pub unsafe fn aclrtMemcpyAsyncWithDesc(desc: *mut c_void, kind: MemcpyKind, stream: StreamHandle) -> Answer {
    check_out("desc", desc)?;
    check_out("stream", stream.0)?;
    indirect::check_kind(kind)?;
    let runtime = runtime();
    let stream = runtime.stream_here(stream.0)?;
    Indirect::Descriptor { at: desc as u64 }.enqueue(runtime, "aclrtMemcpyAsyncWithDesc", &stream)
}

pub unsafe fn aclrtMemcpyAsyncWithOffset(
    dst: *mut *mut c_void,
    dest_max: usize,
    dst_data_offset: usize,
    src: *mut *const c_void,
    count: usize,
    src_data_offset: usize,
    kind: MemcpyKind,
    stream: StreamHandle,
) -> Answer {
    if count == 0 {
        return Ok(());
    }
    check_out("dst", dst)?;
    check_out("src", src)?;
    indirect::check_kind(kind)?;
    super::super::transfer::check_room(count as u64, "destMax", "dst", dest_max as u64)?;
    let runtime = runtime();
    let stream = runtime.stream_here(stream.0)?;
    let copy = Indirect::Pointers {
        dst: dst as u64,
        dst_offset: dst_data_offset as u64,
        src: src as u64,
        src_offset: src_data_offset as u64,
        bytes: count as u64,
    };
    copy.enqueue(runtime, "aclrtMemcpyAsyncWithOffset", &stream)
}

// ---- batches -------------------------------------------------------------------------------------------------------

/// The arrays of a batch as C passes them.
struct Arrays {
    dsts: *mut *mut c_void,
    dest_maxs: *mut usize,
    srcs: *mut *mut c_void,
    sizes: *mut usize,
    count: usize,
    attrs: *mut MemcpyBatchAttr,
    indexes: *mut usize,
    num_attrs: usize,
}

impl Arrays {
    /// Reads the arrays.
    ///
    /// # Errors
    /// 100000 null or empty.
    ///
    /// # Safety
    /// Arrays that are not null have as many elements as stated.
    unsafe fn read(&self, function: &'static str) -> Answer<Batch> {
        check_out("dsts", self.dsts)?;
        check_out("destMaxs", self.dest_maxs)?;
        check_out("srcs", self.srcs)?;
        check_out("sizes", self.sizes)?;
        check_out("attrs", self.attrs)?;
        check_out("attrsIndexes", self.indexes)?;
        if self.count == 0 || self.num_attrs == 0 {
            return invalid("`numBatches` and `numAttrs` must be at least 1");
        }
        // SAFETY: `numBatches` elements (contract).
        let dsts = unsafe { array("dsts", self.dsts, self.count) }?;
        // SAFETY: as above.
        let rooms = unsafe { array("destMaxs", self.dest_maxs, self.count) }?;
        // SAFETY: as above.
        let srcs = unsafe { array("srcs", self.srcs, self.count) }?;
        // SAFETY: as above.
        let sizes = unsafe { array("sizes", self.sizes, self.count) }?;
        // SAFETY: `numAttrs` elements (contract).
        let attributes = unsafe { array("attrs", self.attrs, self.num_attrs) }?;
        // SAFETY: as above.
        let indexes = unsafe { array("attrsIndexes", self.indexes, self.num_attrs) }?;
        let piece = |i: usize| Piece {
            dst: dsts[i] as u64,
            room: rooms[i] as u64,
            src: srcs[i] as u64,
            bytes: sizes[i] as u64,
        };
        Ok(Batch {
            function,
            pieces: (0..self.count).map(piece).collect(),
            attributes: attributes.iter().map(|a| (a.dst_loc, a.src_loc)).collect(),
            indexes: indexes.to_vec(),
            site: CallSite::here(),
        })
    }
}

/// Runs a batch (in stream order if there is a stream) and tells which piece failed.
///
/// # Safety
/// As [`Arrays::read`]; `fail_index` is null or valid for writing.
unsafe fn batch(
    function: &'static str,
    arrays: &Arrays,
    fail_index: *mut usize,
    stream: Option<StreamHandle>,
) -> Answer {
    // SAFETY: the same contract.
    let done = unsafe { arrays.read(function) }.map_err(|failure| (failure, usize::MAX)).and_then(|batch| {
        let runtime = runtime();
        match stream {
            None => {
                runtime.current().map_err(|failure| (failure, usize::MAX))?;
                batch.run(runtime)
            }
            Some(stream) => {
                let stream = runtime.stream_here(stream.0).map_err(|failure| (failure, usize::MAX))?;
                batch.enqueue(runtime, &stream)
            }
        }
    });
    if !fail_index.is_null() {
        let index = done.as_ref().map_or_else(|(_, index)| *index, |()| usize::MAX);
        // SAFETY: not null (tested), valid for writing (contract).
        unsafe { fail_index.write(index) };
    }
    done.map_err(|(failure, _)| failure)
}

pub unsafe fn aclrtMemcpyBatch(
    dsts: *mut *mut c_void,
    dest_maxs: *mut usize,
    srcs: *mut *mut c_void,
    sizes: *mut usize,
    count: usize,
    attrs: *mut MemcpyBatchAttr,
    indexes: *mut usize,
    num_attrs: usize,
    fail_index: *mut usize,
) -> Answer {
    check_out("failIndex", fail_index)?;
    let arrays = Arrays { dsts, dest_maxs, srcs, sizes, count, attrs, indexes, num_attrs };
    // SAFETY: the same contract.
    unsafe { batch("aclrtMemcpyBatch", &arrays, fail_index, None) }
}

pub unsafe fn aclrtMemcpyBatchV2(
    dsts: *mut *mut c_void,
    dest_maxs: *mut usize,
    srcs: *mut *mut c_void,
    sizes: *mut usize,
    count: usize,
    attrs: *mut MemcpyBatchAttr,
    indexes: *mut usize,
    num_attrs: usize,
) -> Answer {
    let arrays = Arrays { dsts, dest_maxs, srcs, sizes, count, attrs, indexes, num_attrs };
    // SAFETY: the same contract.
    unsafe { batch("aclrtMemcpyBatchV2", &arrays, std::ptr::null_mut(), None) }
}

pub unsafe fn aclrtMemcpyBatchAsync(
    dsts: *mut *mut c_void,
    dest_maxs: *mut usize,
    srcs: *mut *mut c_void,
    sizes: *mut usize,
    count: usize,
    attrs: *mut MemcpyBatchAttr,
    indexes: *mut usize,
    num_attrs: usize,
    fail_index: *mut usize,
    stream: StreamHandle,
) -> Answer {
    check_out("failIndex", fail_index)?;
    let arrays = Arrays { dsts, dest_maxs, srcs, sizes, count, attrs, indexes, num_attrs };
    // SAFETY: the same contract.
    unsafe { batch("aclrtMemcpyBatchAsync", &arrays, fail_index, Some(stream)) }
}

pub unsafe fn aclrtMemcpyBatchAsyncV2(
    dsts: *mut *mut c_void,
    dest_maxs: *mut usize,
    srcs: *mut *mut c_void,
    sizes: *mut usize,
    count: usize,
    attrs: *mut MemcpyBatchAttr,
    indexes: *mut usize,
    num_attrs: usize,
    stream: StreamHandle,
) -> Answer {
    let arrays = Arrays { dsts, dest_maxs, srcs, sizes, count, attrs, indexes, num_attrs };
    // SAFETY: the same contract.
    unsafe { batch("aclrtMemcpyBatchAsyncV2", &arrays, std::ptr::null_mut(), Some(stream)) }
}

not_supported! {}
