//! Devices, streams and memory of the `rt*` layer.
//!
//! `rtMalloc` leaves room behind a block up to the end of the page, and a page more: hosts of this layer (pyasc's own tests) write up to
//! 1,784 bytes behind what they asked for, which the device's pages forgive. Such an access is told, as a note. Strict bounds
//! (`TOPROPE_STRICT_BOUNDS=1`), or `TOPROPE_RT_SLACK=0`, make it an error as with any other block.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `RtApi`.

use super::super::api::{check_out, give, give_text, rust as acl};
use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::launch::{SYNC_BYTES, hardware_sync_addr};
use super::super::site::CallSite;
use super::super::state::runtime;
use crate::gm::{BlockRequest, GM_UNIT_BYTES};
use std::ffi::c_void;
use std::sync::OnceLock;
use toprope_abi::acl::*;
use toprope_abi::layout::CChar;
use toprope_abi::rt::{INFO_CORE_NUM, MODULE_AICORE, MODULE_VECTOR_CORE};

/// Bytes behind the last page of a block.
const SLACK_BYTES: u64 = 4096;
/// Bits of a memory type that say where; the rest is policy.
const MEMORY_KINDS: [u32; 4] = [0x0, 0x1, 0x2, 0x4];
const MEMORY_KIND_BITS: u32 = 0xff;

pub unsafe fn rtGetSocVersion(version: *mut CChar, room: u32) -> Answer {
    check_out("version", version)?;
    let runtime = runtime();
    runtime.chip.as_ref().map_err(Clone::clone)?;
    let name = runtime.soc_name.to_string_lossy();
    if (room as usize) <= name.len() {
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!("`maxLen` is {room}; the name `{name}` needs {} characters", name.len() + 1),
        );
    }
    // SAFETY: room for `room` characters (contract of the C function), at least 1 (checked).
    unsafe { give_text(version, room as usize, &name) };
    Ok(())
}

pub unsafe fn rtGetDeviceCount(count: *mut i32) -> Answer {
    check_out("count", count)?;
    let mut number = 0;
    // SAFETY: valid for writing.
    unsafe { acl::aclrtGetDeviceCount(&raw mut number) }?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("count", count, i32::try_from(number).unwrap_or(i32::MAX)) }
}

pub unsafe fn rtGetDeviceInfo(id: u32, module: i32, info: i32, value: *mut i64) -> Answer {
    check_out("value", value)?;
    let device = runtime().device(id.into())?;
    let cores = match (module, info) {
        (MODULE_AICORE, INFO_CORE_NUM) => device.chip.aic_count,
        (MODULE_VECTOR_CORE, INFO_CORE_NUM) => device.chip.aiv_count,
        _ => {
            let text = format!("module {module}, information {info} is not known");
            return Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text)
                .help("module 4 (AI Core) and 7 (vector core) have information 3 (number of cores); see aclrtGetDeviceInfo"));
        }
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, cores.into()) }
}

pub unsafe fn rtSetDevice(id: i32) -> Answer {
    // SAFETY: no pointers.
    unsafe { acl::aclrtSetDevice(id) }
}

pub unsafe fn rtGetDevice(id: *mut i32) -> Answer {
    // SAFETY: the same contract.
    unsafe { acl::aclrtGetDevice(id) }
}

pub unsafe fn rtDeviceReset(id: i32) -> Answer {
    // SAFETY: no pointers.
    unsafe { acl::aclrtResetDevice(id) }
}

pub unsafe fn rtDeviceSynchronize() -> Answer {
    // SAFETY: no pointers.
    unsafe { acl::aclrtSynchronizeDevice() }
}

pub unsafe fn rtDeviceSynchronizeWithTimeout(timeout: i32) -> Answer {
    // SAFETY: no pointers.
    unsafe { acl::aclrtSynchronizeDeviceWithTimeout(timeout) }
}

pub unsafe fn rtGetC2cCtrlAddr(addr: *mut u64, len: *mut u32) -> Answer {
    check_out("addr", addr)?;
    check_out("len", len)?;
    let device = runtime().current()?.device.index;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("addr", addr, hardware_sync_addr(device)) }?;
    // SAFETY: as above.
    unsafe { give("len", len, SYNC_BYTES) }
}

pub unsafe fn rtStreamCreate(stream: *mut StreamHandle, priority: i32) -> Answer {
    // SAFETY: the same contract.
    unsafe { rtStreamCreateWithFlags(stream, priority, 0) }
}

pub unsafe fn rtStreamCreateWithFlags(stream: *mut StreamHandle, priority: i32, flags: u32) -> Answer {
    // SAFETY: the same contract. Priorities outside the range count as the nearest one.
    unsafe { acl::aclrtCreateStreamWithConfig(stream, priority.max(0).unsigned_abs(), flags) }
}

pub unsafe fn rtStreamDestroy(stream: StreamHandle) -> Answer {
    // SAFETY: no pointers that are followed.
    unsafe { acl::aclrtDestroyStream(stream) }
}

pub unsafe fn rtStreamSynchronize(stream: StreamHandle) -> Answer {
    // SAFETY: no pointers that are followed.
    unsafe { acl::aclrtSynchronizeStream(stream) }
}

pub unsafe fn rtStreamSynchronizeWithTimeout(stream: StreamHandle, timeout: i32) -> Answer {
    // SAFETY: no pointers that are followed.
    unsafe { acl::aclrtSynchronizeStreamWithTimeout(stream, timeout) }
}

pub unsafe fn rtCtxGetCurrentDefaultStream(stream: *mut StreamHandle) -> Answer {
    check_out("stm", stream)?;
    let default = runtime().stream(std::ptr::null_mut())?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("stm", stream, StreamHandle(default.handle as *mut c_void)) }
}

/// `TOPROPE_RT_SLACK`.
fn has_slack() -> bool {
    static SLACK: OnceLock<bool> = OnceLock::new();
    *SLACK.get_or_init(|| !std::env::var("TOPROPE_RT_SLACK").is_ok_and(|v| v == "0"))
}

pub unsafe fn rtMalloc(at: *mut *mut c_void, bytes: u64, kind: u32, _module: u16) -> Answer {
    check_out("devPtr", at)?;
    if bytes == 0 {
        return refuse(AclError::RT_PARAM_INVALID, "`size` is 0; at least 1 byte must be asked for");
    }
    if !MEMORY_KINDS.contains(&(kind & MEMORY_KIND_BITS)) {
        let text = format!("`type` is {kind:#x}, which is no kind of device memory");
        return refuse(AclError::RT_INVALID_MEMORY_TYPE, text);
    }
    let end = bytes.checked_next_multiple_of(SLACK_BYTES).and_then(|b| b.checked_add(SLACK_BYTES));
    let memory = runtime().current()?.device.opened_memory()?;
    let block = end.ok_or_else(|| format!("{bytes} bytes are more than any device has"));
    let block = block.and_then(|end| {
        memory
            .allocate(&BlockRequest {
                is_padded: false,
                slack_bytes: if has_slack() { end - bytes.next_multiple_of(GM_UNIT_BYTES) } else { 0 },
                ..BlockRequest::new(bytes, "rtMalloc", CallSite::here().0)
            })
            .map_err(|e| e.to_string())
    });
    let block = block.map_err(|e| Failure::new(AclError::RT_MEMORY_ALLOCATION, e))?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("devPtr", at, block.start as *mut c_void) }
}

pub unsafe fn rtFree(at: *mut c_void) -> Answer {
    // SAFETY: no pointers that are followed.
    unsafe { acl::aclrtFree(at) }
}

/// The kinds of copy that both layers have.
fn kind_of(kind: u32) -> Answer<MemcpyKind> {
    match kind {
        0..=3 => Ok(MemcpyKind(kind as i32)),
        // Managed memory, and forms that only say how the driver should go about it.
        4..=9 => Ok(MemcpyKind::DEFAULT),
        _ => invalid(format!("`kind` is {kind}, which is no rtMemcpyKind_t")),
    }
}

pub unsafe fn rtMemcpy(dst: *mut c_void, max: u64, src: *const c_void, count: u64, kind: u32) -> Answer {
    // SAFETY: the same contract.
    unsafe { acl::aclrtMemcpy(dst, max as usize, src, count as usize, kind_of(kind)?) }
}

pub unsafe fn rtMemcpyAsync(
    dst: *mut c_void,
    max: u64,
    src: *const c_void,
    count: u64,
    kind: u32,
    stream: StreamHandle,
) -> Answer {
    // SAFETY: the same contract.
    unsafe { acl::aclrtMemcpyAsync(dst, max as usize, src, count as usize, kind_of(kind)?, stream) }
}

pub unsafe fn rtMemset(at: *mut c_void, max: u64, value: u32, count: u64) -> Answer {
    // SAFETY: the same contract.
    unsafe { acl::aclrtMemset(at, max as usize, value as i32, count as usize) }
}
