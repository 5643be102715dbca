//! Variables of kernels, by the symbol the host has for them.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::Answer;
use super::super::state::runtime;
use super::super::symbol::{self, SymbolCopy};
use super::{check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::{MemcpyKind, StreamHandle};

pub unsafe fn aclrtGetSymbolAddress(symbol: *const c_void, dev_ptr: *mut *mut c_void) -> Answer {
    check_out("symbol", symbol)?;
    check_out("devPtr", dev_ptr)?;
    let device = runtime().current()?.device;
    let at = symbol::find(symbol as u64)?.address_on(device)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("devPtr", dev_ptr, at as *mut c_void) }
}

pub unsafe fn aclrtGetSymbolSize(symbol: *const c_void, size: *mut usize) -> Answer {
    check_out("symbol", symbol)?;
    check_out("size", size)?;
    let bytes = symbol::find(symbol as u64)?.bytes();
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("size", size, bytes as usize) }
}

/// Copies now, or in stream order.
fn copy(request: &SymbolCopy, stream: Option<StreamHandle>) -> Answer {
    let runtime = runtime();
    runtime.current()?;
    let Some(transfer) = request.check(runtime)? else { return Ok(()) };
    match stream {
        None => transfer.run(runtime),
        Some(stream) => transfer.enqueue(runtime, &runtime.stream_here(stream.0)?),
    }
}

fn from_symbol(
    function: &'static str,
    (dst, room): (*mut c_void, usize),
    symbol: *const c_void,
    (count, offset): (usize, usize),
    kind: MemcpyKind,
) -> SymbolCopy {
    SymbolCopy {
        function,
        symbol: symbol as u64,
        offset: offset as u64,
        count: count as u64,
        other: dst as u64,
        room: Some(room as u64),
        kind,
    }
}

fn to_symbol(
    function: &'static str,
    symbol: *const c_void,
    src: *const c_void,
    (count, offset): (usize, usize),
    kind: MemcpyKind,
) -> SymbolCopy {
    SymbolCopy {
        function,
        symbol: symbol as u64,
        offset: offset as u64,
        count: count as u64,
        other: src as u64,
        room: None,
        kind,
    }
}

pub unsafe fn aclrtMemcpyFromSymbol(
    dst: *mut c_void,
    dst_max: usize,
    symbol: *const c_void,
    count: usize,
    offset: usize,
    kind: MemcpyKind,
) -> Answer {
    copy(&from_symbol("aclrtMemcpyFromSymbol", (dst, dst_max), symbol, (count, offset), kind), None)
}

pub unsafe fn aclrtMemcpyFromSymbolAsync(
    dst: *mut c_void,
    dst_max: usize,
    symbol: *const c_void,
    count: usize,
    offset: usize,
    kind: MemcpyKind,
    stream: StreamHandle,
) -> Answer {
    let request = from_symbol("aclrtMemcpyFromSymbolAsync", (dst, dst_max), symbol, (count, offset), kind);
    copy(&request, Some(stream))
}

pub unsafe fn aclrtMemcpyToSymbol(
    symbol: *const c_void,
    src: *const c_void,
    count: usize,
    offset: usize,
    kind: MemcpyKind,
) -> Answer {
    copy(&to_symbol("aclrtMemcpyToSymbol", symbol, src, (count, offset), kind), None)
}

pub unsafe fn aclrtMemcpyToSymbolAsync(
    symbol: *const c_void,
    src: *const c_void,
    count: usize,
    offset: usize,
    kind: MemcpyKind,
    stream: StreamHandle,
) -> Answer {
    copy(&to_symbol("aclrtMemcpyToSymbolAsync", symbol, src, (count, offset), kind), Some(stream))
}

not_supported! {}
