//! Allocators of the program's own.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::allocator::{self, Functions};
use super::super::failure::{Answer, invalid};
use super::super::state::runtime;
use super::{check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::{
    Allocator, AllocatorAllocAdviseFunc, AllocatorAllocFunc, AllocatorDesc, AllocatorFreeFunc,
    AllocatorGetAddrFromBlockFunc, StreamHandle,
};

fn check_stream(stream: StreamHandle) -> Answer {
    if stream.is_null() { invalid("`stream` is null; name a stream of aclrtCreateStream") } else { Ok(()) }
}

pub unsafe fn aclrtAllocatorCreateDesc() -> AllocatorDesc {
    AllocatorDesc(allocator::create() as *mut c_void)
}

pub unsafe fn aclrtAllocatorDestroyDesc(desc: AllocatorDesc) -> Answer {
    check_out("allocatorDesc", desc.0)?;
    allocator::descriptions().remove(desc.0).map(drop)
}

pub unsafe fn aclrtAllocatorSetObjToDesc(desc: AllocatorDesc, object: Allocator) -> Answer {
    allocator::set(desc.0, "allocator", object.0 as usize, |functions, value| functions.object = value)
}

pub unsafe fn aclrtAllocatorSetAllocFuncToDesc(desc: AllocatorDesc, func: AllocatorAllocFunc) -> Answer {
    let at = func.0.map_or(0, |f| f as usize);
    allocator::set(desc.0, "func", at, |functions, value| functions.allocate = value)
}

pub unsafe fn aclrtAllocatorSetFreeFuncToDesc(desc: AllocatorDesc, func: AllocatorFreeFunc) -> Answer {
    let at = func.0.map_or(0, |f| f as usize);
    allocator::set(desc.0, "func", at, |functions, value| functions.free = value)
}

pub unsafe fn aclrtAllocatorSetAllocAdviseFuncToDesc(
    desc: AllocatorDesc,
    func: AllocatorAllocAdviseFunc,
) -> Answer {
    let at = func.0.map_or(0, |f| f as usize);
    allocator::set(desc.0, "func", at, |functions, value| functions.allocate_at = value)
}

pub unsafe fn aclrtAllocatorSetGetAddrFromBlockFuncToDesc(
    desc: AllocatorDesc,
    func: AllocatorGetAddrFromBlockFunc,
) -> Answer {
    let at = func.0.map_or(0, |f| f as usize);
    allocator::set(desc.0, "func", at, |functions, value| functions.address_of = value)
}

pub unsafe fn aclrtAllocatorRegister(stream: StreamHandle, desc: AllocatorDesc) -> Answer {
    check_stream(stream)?;
    check_out("allocatorDesc", desc.0)?;
    let stream = runtime().stream(stream.0)?;
    allocator::register(stream.handle, desc.0)
}

/// Writes a result through a pointer argument that may be null.
///
/// # Safety
/// `at` is null or valid for writing a `T`.
unsafe fn give_if_wanted<T>(at: *mut T, value: T) -> Answer {
    // SAFETY: not null (tested), valid for writing (contract).
    if at.is_null() { Ok(()) } else { unsafe { give("", at, value) } }
}

pub unsafe fn aclrtAllocatorGetByStream(
    stream: StreamHandle,
    desc: *mut AllocatorDesc,
    object: *mut Allocator,
    alloc_func: *mut AllocatorAllocFunc,
    free_func: *mut AllocatorFreeFunc,
    alloc_advise_func: *mut AllocatorAllocAdviseFunc,
    get_addr_func: *mut AllocatorGetAddrFromBlockFunc,
) -> Answer {
    check_out("allocatorDesc", desc)?;
    check_stream(stream)?;
    let entry = allocator::of_stream(stream.0 as u64)?;
    let Functions { object: of, allocate, free, allocate_at, address_of } = entry.functions;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("allocatorDesc", desc, AllocatorDesc(entry.description as *mut c_void)) }?;
    // SAFETY: null or valid for writing (contract of the C function).
    unsafe { give_if_wanted(object, Allocator(of as *mut c_void)) }?;
    // The functions are pointers of these types that the program gave, or null: a word in memory each.
    for (at, function) in [
        (alloc_func.cast::<usize>(), allocate),
        (free_func.cast(), free),
        (alloc_advise_func.cast(), allocate_at),
        (get_addr_func.cast(), address_of),
    ] {
        // SAFETY: null or valid for writing a function pointer, which has the size and values of a `usize`.
        unsafe { give_if_wanted(at, function) }?;
    }
    Ok(())
}

pub unsafe fn aclrtAllocatorUnregister(stream: StreamHandle) -> Answer {
    check_stream(stream)?;
    allocator::unregister(stream.0 as u64);
    Ok(())
}

not_supported! {}
