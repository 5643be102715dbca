//! Cache operations: checked and queued, without an effect, because the simulated caches hold no copies.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::cmo;
use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::state::runtime;
use super::{check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::{AclError, CmoType, StreamHandle};

/// Atlas A2 offers prefetching only.
fn check_type(ty: CmoType) -> Answer {
    if ty == CmoType::PREFETCH {
        return Ok(());
    }
    if ty.name().is_none() {
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!("`cmoType` is {}, which is no aclrtCmoType", ty.0),
        );
    }
    let text = format!("`cmoType` is {}; Atlas A2 offers prefetching only", ty.name().unwrap_or("?"));
    Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text).help("use ACL_RT_CMO_TYPE_PREFETCH"))
}

pub unsafe fn aclrtCmoAsync(src: *mut c_void, size: usize, ty: CmoType, stream: StreamHandle) -> Answer {
    check_out("src", src)?;
    if size == 0 {
        return invalid("`size` is 0; at least 1 byte must be meant");
    }
    check_type(ty)?;
    let runtime = runtime();
    cmo::enqueue(runtime, src as u64, size as u64, &runtime.stream_here(stream.0)?)
}

pub unsafe fn aclrtCmoGetDescSize(size: *mut usize) -> Answer {
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("size", size, cmo::DESCRIPTOR_BYTES as usize) }
}

pub unsafe fn aclrtCmoSetDesc(desc: *mut c_void, src: *mut c_void, size: usize) -> Answer {
    check_out("cmoDesc", desc)?;
    check_out("src", src)?;
    if size == 0 {
        return invalid("`size` is 0; at least 1 byte must be meant");
    }
    cmo::write_descriptor(runtime(), desc as u64, src as u64, size as u64)
}

pub unsafe fn aclrtCmoAsyncWithDesc(
    desc: *mut c_void,
    ty: CmoType,
    stream: StreamHandle,
    reserve: *const c_void,
) -> Answer {
    check_out("cmoDesc", desc)?;
    check_type(ty)?;
    if !reserve.is_null() {
        return invalid("`reserve` is reserved and must be null");
    }
    let runtime = runtime();
    cmo::enqueue_described(runtime, desc as u64, &runtime.stream_here(stream.0)?)
}

not_supported! {
    aclrtCmoAsyncWithBarrier(*mut c_void, usize, CmoType, u32, StreamHandle) = "Atlas A2 does not offer it (only Atlas 200I/500 A2 does)";
    aclrtCmoWaitBarrier(*mut BarrierTaskInfo, StreamHandle, u32) = "Atlas A2 does not offer it (only Atlas 200I/500 A2 does)";
}
