//! Device memory that is handed out in stream order.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, invalid, refuse};
use super::super::mem_pool;
use super::super::state::runtime;
use super::{check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::{
    AclError, MemAllocationType, MemHandleType, MemLocationType, MemPoolAttr, MemPoolHandle, MemPoolProps,
    StreamHandle,
};

pub unsafe fn aclrtMemPoolCreate(pool: *mut MemPoolHandle, props: *const MemPoolProps) -> Answer {
    check_out("memPool", pool)?;
    check_out("poolProps", props)?;
    // SAFETY: not null (checked), valid (contract of the C function).
    let props = unsafe { &*props };
    let problem = if props.alloc_type != MemAllocationType::PINNED {
        "`allocType` must be ACL_MEM_ALLOCATION_TYPE_PINNED"
    } else if props.handle_type != MemHandleType::NONE {
        "`handleType` must be ACL_MEM_HANDLE_TYPE_NONE; pools are not shared between processes"
    } else if props.location.ty != MemLocationType::DEVICE {
        "`location.type` must be ACL_MEM_LOCATION_TYPE_DEVICE"
    } else if props.reserved.iter().any(|byte| *byte != 0) {
        "`reserved` must be all zero"
    } else {
        ""
    };
    if !problem.is_empty() {
        return refuse(AclError::RT_PARAM_INVALID, problem);
    }
    let runtime = runtime();
    runtime.current()?;
    let handle = mem_pool::create(runtime, props.location.id, props.max_size as u64)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("memPool", pool, MemPoolHandle(handle as *mut c_void)) }
}

pub unsafe fn aclrtMemPoolDestroy(pool: MemPoolHandle) -> Answer {
    check_out("memPool", pool.0)?;
    mem_pool::destroy(pool.0)
}

/// Attributes 1 to 3 are 32-bit switches, the others 64-bit numbers.
fn is_switch(attr: MemPoolAttr) -> bool {
    (1..=3).contains(&attr.0)
}

pub unsafe fn aclrtMemPoolSetAttr(pool: MemPoolHandle, attr: MemPoolAttr, value: *mut c_void) -> Answer {
    check_out("memPool", pool.0)?;
    check_out("value", value)?;
    let pool = mem_pool::pools().get(pool.0)?;
    let number = if is_switch(attr) {
        // SAFETY: not null (checked), of the attribute's type (contract of the C function).
        u64::from(unsafe { value.cast::<u32>().read_unaligned() })
    } else {
        // SAFETY: as above.
        unsafe { value.cast::<u64>().read_unaligned() }
    };
    pool.set_attribute(attr.0, number)
}

pub unsafe fn aclrtMemPoolGetAttr(pool: MemPoolHandle, attr: MemPoolAttr, value: *mut c_void) -> Answer {
    check_out("memPool", pool.0)?;
    check_out("value", value)?;
    let Some(number) = mem_pool::pools().get(pool.0)?.attribute(attr.0) else {
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!("`attr` is {}, which is no aclrtMemPoolAttr", attr.0),
        );
    };
    if is_switch(attr) {
        // SAFETY: valid for writing the attribute's type (contract of the C function).
        return unsafe { give("value", value.cast(), number as u32) };
    }
    // SAFETY: as above.
    unsafe { give("value", value.cast(), number) }
}

pub unsafe fn aclrtMemPoolMallocAsync(
    ptr: *mut *mut c_void,
    size: usize,
    pool: MemPoolHandle,
    stream: StreamHandle,
) -> Answer {
    check_out("ptr", ptr)?;
    check_out("memPool", pool.0)?;
    if size == 0 {
        return invalid("`size` is 0; at least 1 byte must be asked for");
    }
    let pool = mem_pool::pools().get(pool.0)?;
    let stream = runtime().stream_here(stream.0)?;
    let at = pool.malloc(size as u64, &stream)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("ptr", ptr, at as *mut c_void) }
}

pub unsafe fn aclrtMemPoolFreeAsync(ptr: *mut c_void, stream: StreamHandle) -> Answer {
    check_out("ptr", ptr)?;
    let runtime = runtime();
    mem_pool::free(runtime, ptr as u64, &runtime.stream_here(stream.0)?)
}

pub unsafe fn aclrtMemPoolTrimTo(pool: MemPoolHandle, min_bytes_to_keep: usize) -> Answer {
    check_out("memPool", pool.0)?;
    mem_pool::pools().get(pool.0)?.trim_to(min_bytes_to_keep as u64)
}

not_supported! {}
