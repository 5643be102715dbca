//! Device and host memory, copies, fills.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::memory::{CopyRequest, FillRequest, check_policy};
use super::super::process;
use super::super::state::runtime;
use super::{check_out, give};
use crate::gm::GmError;
use std::ffi::c_void;
use toprope_abi::acl::{AclError, MemAttr, MemMallocPolicy, MemcpyKind, StreamHandle};

fn failure_of(error: GmError) -> Failure {
    let code = match error {
        GmError::ZeroSize => AclError::INVALID_PARAM,
        GmError::Exhausted { .. } | GmError::Host(_) => AclError::RT_MEMORY_ALLOCATION,
        GmError::NotABlock { .. } | GmError::DoubleFree { .. } => AclError::RT_MEMORY_FREE,
    };
    Failure::new(code, error.to_string())
}

pub unsafe fn aclrtMalloc(dev_ptr: *mut *mut c_void, size: usize, policy: MemMallocPolicy) -> Answer {
    check_out("devPtr", dev_ptr)?;
    if size == 0 {
        return invalid("`size` is 0; at least 1 byte must be asked for");
    }
    check_policy(policy)?;
    let context = runtime().current()?;
    let memory = context.device.opened_memory()?;
    let block = memory.alloc(size as u64, true, "aclrtMalloc").map_err(failure_of)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("devPtr", dev_ptr, block.start as *mut c_void) }
}

pub unsafe fn aclrtFree(dev_ptr: *mut c_void) -> Answer {
    check_out("devPtr", dev_ptr)?;
    let (runtime, addr) = (runtime(), dev_ptr as u64);
    runtime.current()?;
    let owner = runtime.devices.iter().find_map(|d| d.memory().filter(|m| m.range().contains(&addr)));
    let Some(memory) = owner else {
        let (what, help) = match runtime.host.find(addr) {
            Some(_) => ("pinned host memory", "free memory of aclrtMallocHost with aclrtFreeHost"),
            None => ("no device memory", "free only what aclrtMalloc gave, with the address it gave"),
        };
        return Err(Failure::new(AclError::RT_MEMORY_FREE, format!("{addr:#x} is {what}")).help(help));
    };
    if let Some(block) = memory.find(addr).filter(|b| b.start == addr) {
        runtime.warn_if_used(addr, block.bytes, "aclrtFree");
    }
    memory.free(addr, "aclrtFree").map(|_| ()).map_err(failure_of)
}

pub unsafe fn aclrtMallocHost(host_ptr: *mut *mut c_void, size: usize) -> Answer {
    check_out("hostPtr", host_ptr)?;
    if size == 0 {
        return invalid("`size` is 0; at least 1 byte must be asked for");
    }
    let runtime = runtime();
    runtime.current()?;
    let at = runtime.host.alloc(size as u64)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("hostPtr", host_ptr, at as *mut c_void) }
}

pub unsafe fn aclrtFreeHost(host_ptr: *mut c_void) -> Answer {
    check_out("hostPtr", host_ptr)?;
    let (runtime, addr) = (runtime(), host_ptr as u64);
    if runtime.devices.iter().any(|d| d.memory().is_some_and(|m| m.range().contains(&addr))) {
        let text = format!("{addr:#x} is device memory");
        return Err(
            Failure::new(AclError::RT_MEMORY_FREE, text).help("free memory of aclrtMalloc with aclrtFree")
        );
    }
    if let Some(block) = runtime.host.find(addr).filter(|b| b.start() == addr) {
        runtime.warn_if_used(addr, block.bytes(), "aclrtFreeHost");
    }
    runtime.host.free(addr)
}

pub unsafe fn aclrtMemcpy(
    dst: *mut c_void,
    dest_max: usize,
    src: *const c_void,
    count: usize,
    kind: MemcpyKind,
) -> Answer {
    let request =
        CopyRequest { dst: dst as u64, dst_max: dest_max as u64, src: src as u64, count: count as u64, kind };
    if !request.check()? {
        return Ok(());
    }
    let runtime = runtime();
    runtime.current()?;
    request.run(runtime)
}

pub unsafe fn aclrtMemcpyAsync(
    dst: *mut c_void,
    dest_max: usize,
    src: *const c_void,
    count: usize,
    kind: MemcpyKind,
    stream: StreamHandle,
) -> Answer {
    let request =
        CopyRequest { dst: dst as u64, dst_max: dest_max as u64, src: src as u64, count: count as u64, kind };
    if !request.check()? {
        return Ok(());
    }
    let runtime = runtime();
    request.enqueue(runtime, &runtime.stream_here(stream.0)?)
}

pub unsafe fn aclrtMemset(dev_ptr: *mut c_void, max_count: usize, value: i32, count: usize) -> Answer {
    let request = FillRequest { at: dev_ptr as u64, max: max_count as u64, value, count: count as u64 };
    if !request.check()? {
        return Ok(());
    }
    let runtime = runtime();
    runtime.current()?;
    request.run(runtime)
}

pub unsafe fn aclrtMemsetAsync(
    dev_ptr: *mut c_void,
    max_count: usize,
    value: i32,
    count: usize,
    stream: StreamHandle,
) -> Answer {
    let request = FillRequest { at: dev_ptr as u64, max: max_count as u64, value, count: count as u64 };
    if !request.check()? {
        return Ok(());
    }
    let runtime = runtime();
    request.enqueue(runtime, &runtime.stream_here(stream.0)?)
}

/// Kinds of memory that Atlas A2 does not have: 0 bytes.
const ABSENT: [MemAttr; 5] =
    [MemAttr::DDR, MemAttr::DDR_HUGE, MemAttr::DDR_NORMAL, MemAttr::DDR_P2P_HUGE, MemAttr::DDR_P2P_NORMAL];

pub unsafe fn aclrtGetMemInfo(attr: MemAttr, free: *mut usize, total: *mut usize) -> Answer {
    check_out("free", free)?;
    check_out("total", total)?;
    process::check_not_forked()?;
    if attr.name().is_none() {
        return refuse(AclError::RT_PARAM_INVALID, format!("`attr` is {}, which is no aclrtMemAttr", attr.0));
    }
    let context = runtime().current()?;
    let (free_bytes, total_bytes) = match ABSENT.contains(&attr) {
        true => (0, 0),
        false => context.device.opened_memory()?.free_and_total_bytes(),
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("free", free, free_bytes as usize) }?;
    // SAFETY: as above.
    unsafe { give("total", total, total_bytes as usize) }
}

not_supported! {
    aclrtMallocHostWithCfg(*mut *mut c_void, u64, *mut MallocConfig) = "not modelled yet";
    aclrtHostRegister(*mut c_void, u64, HostRegisterType, *mut *mut c_void) = "not modelled yet";
    aclrtHostRegisterV2(*mut c_void, u64, u32) = "not modelled yet";
    aclrtHostGetDevicePointer(*mut c_void, *mut *mut c_void, u32) = "not modelled yet";
    aclrtHostUnregister(*mut c_void) = "not modelled yet";
    aclrtHostMemMapCapabilities(u32, HacType, *mut HostMemMapCapability) = "not modelled yet";
    aclrtFreeHostWithDevSync(*mut c_void) = "not modelled yet";
    aclrtMallocAlign32(*mut *mut c_void, usize, MemMallocPolicy) = "not modelled yet";
    aclrtMallocCached(*mut *mut c_void, usize, MemMallocPolicy) = "not modelled yet";
    aclrtMallocWithCfg(*mut *mut c_void, usize, MemMallocPolicy, *mut MallocConfig) = "not modelled yet";
    aclrtMallocForTaskScheduler(*mut *mut c_void, usize, MemMallocPolicy, *mut MallocConfig) = "not modelled yet";
    aclrtMemFlush(*mut c_void, usize) = "not modelled yet";
    aclrtMemInvalidate(*mut c_void, usize) = "not modelled yet";
    aclrtFreeWithDevSync(*mut c_void) = "not modelled yet";
    aclrtGetMemUsageInfo(i32, *mut MemUsageInfo, usize, *mut usize) = "not modelled yet";
    aclrtCheckMemType(*mut *mut c_void, u32, u32, *mut u32, u32) = "not modelled yet";
}
