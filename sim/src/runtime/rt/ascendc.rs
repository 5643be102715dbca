//! What host stubs of Ascend C call: registration at start-up, launches by entry key or by handle.
//!
//! The public start-up library is a thin layer over ACL; so is this one. A call that fails returns ACL's code.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `RtApi`.

use super::super::api::{check_out, give, give_text, host_bytes, launch, rust as acl, text};
use super::super::failure::{Answer, Failure, guarded, refuse};
use super::super::launch::{Args, Attributes};
use super::super::state::runtime;
use super::prof::MsprofSysCycleTime;
use std::ffi::c_void;
use toprope_abi::acl::*;
use toprope_abi::layout::CChar;

/// Room that callers make for the reason of `AscendCheckSoCVersion`.
const REASON_BYTES: usize = 1024;

/// Result of a function whose code is unsigned.
fn code(name: &'static str, body: impl FnOnce() -> Answer) -> u32 {
    guarded(name, body).0.unsigned_abs()
}

/// Loads a kernel binary.
///
/// # Safety
/// `data` is readable for `length` bytes, `handle` null or valid for writing.
unsafe fn load(data: *const CChar, length: usize, lazy: bool, handle: *mut *mut c_void) -> Answer {
    let mut option = BinaryLoadOption {
        ty: BinaryLoadOptionType::LAZY_LOAD,
        value: BinaryLoadOptionValue { is_lazy_load: u32::from(lazy) },
    };
    let options = BinaryLoadOptions { options: &raw mut option, num_opt: 1 };
    // SAFETY: the same contract; the options outlive the call.
    unsafe { acl::aclrtBinaryLoadFromData(data.cast(), length, &raw const options, handle.cast()) }
}

pub unsafe fn RegisterAscendBinary(
    data: *const CChar,
    length: usize,
    kind: u32,
    handle: *mut *mut c_void,
) -> u32 {
    code("RegisterAscendBinary", || {
        if kind > 2 {
            let text = format!("`type` is {kind}; it must be 0 (mixed), 1 (vector) or 2 (cube)");
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        // SAFETY: the same contract.
        unsafe { load(data, length, false, handle) }
    })
}

pub unsafe fn UnregisterAscendBinary(handle: *mut c_void) -> i32 {
    // SAFETY: no pointers that are followed.
    guarded("UnregisterAscendBinary", || unsafe { acl::aclrtBinaryUnLoad(BinHandle(handle)) }).0
}

pub unsafe fn LaunchAscendKernel(
    handle: *mut c_void,
    key: u64,
    blocks: u32,
    args: *mut *mut c_void,
    bytes: u32,
    stream: StreamHandle,
) -> u32 {
    code("LaunchAscendKernel", || {
        let runtime = runtime();
        let binary = runtime.binaries.get(handle)?;
        let function = binary.function_by_entry(key, &runtime.functions)?;
        let function = runtime.functions.get(function as *mut c_void)?;
        // SAFETY: readable (contract of the C function).
        let bytes = unsafe { host_bytes(args.cast(), bytes as usize) }?;
        let args = Args::Host { bytes, place_holders: &[] };
        launch(function, blocks, stream, Ok(Attributes::default()), args)
    })
}

pub unsafe fn AscendDevBinaryLazyRegister(
    data: *const CChar,
    length: usize,
    handle: *mut *mut c_void,
) -> i32 {
    // SAFETY: the same contract.
    guarded("AscendDevBinaryLazyRegister", || unsafe { load(data, length, true, handle) }).0
}

pub unsafe fn AscendGetFuncFromBinary(handle: *mut c_void, name: *const CChar, out: *mut *mut c_void) -> i32 {
    guarded("AscendGetFuncFromBinary", || {
        // SAFETY: the same contract; a handle is a pointer.
        unsafe { acl::aclrtBinaryGetFunction(BinHandle(handle), name, out.cast()) }
    })
    .0
}

pub unsafe fn AscendLaunchKernelWithHostArgs(
    func: *mut c_void,
    blocks: u32,
    stream: *mut c_void,
    args: *mut c_void,
    bytes: usize,
    _dynamic_ub: u32,
) -> i32 {
    guarded("AscendLaunchKernelWithHostArgs", || {
        let function = runtime().functions.get(func)?;
        // SAFETY: readable (contract of the C function).
        let bytes = unsafe { host_bytes(args, bytes) }?;
        let args = Args::Host { bytes, place_holders: &[] };
        launch(function, blocks, StreamHandle(stream), Ok(Attributes::default()), args)
    })
    .0
}

/// Whether kernels compiled for one chip run on another: those of one family share the architecture dav-2201.
fn is_same_family(of_kernels: &str, here: &str) -> bool {
    let family = |name: &str| {
        let name = name.to_ascii_lowercase();
        ["ascend910b", "ascend910_93"].iter().position(|f| name.starts_with(f)).map(|_| ())
    };
    of_kernels.eq_ignore_ascii_case(here)
        || (family(of_kernels).is_some() && family(of_kernels) == family(here))
}

pub unsafe fn AscendCheckSoCVersion(version: *const CChar, reason: *mut CChar) -> bool {
    let code = guarded("AscendCheckSoCVersion", || {
        // SAFETY: NUL-terminated or null (contract of the C function).
        let wanted = unsafe { text("socVersion", version) }?;
        let here = runtime().soc_name.to_string_lossy();
        if is_same_family(&wanted, &here) {
            return Ok(());
        }
        let text = format!("the kernels were compiled for {wanted}, this machine embeds {here}");
        if !reason.is_null() {
            // SAFETY: room for that many characters (contract of the C function).
            unsafe { give_text(reason, REASON_BYTES, &text) };
        }
        Err(Failure::new(AclError::RT_SOC_VERSION, text).help("set TOPROPE_SOC, or compile for this chip"))
    });
    code.is_success()
}

pub unsafe fn GetAscendCoreSyncAddr(addr: *mut *mut c_void) -> u32 {
    // SAFETY: the same contract.
    code("GetAscendCoreSyncAddr", || unsafe { acl::aclrtGetHardwareSyncAddr(addr) })
}

pub unsafe fn AllocAscendMemDevice(at: *mut *mut c_void, bytes: u64) -> u32 {
    code("AllocAscendMemDevice", || {
        // SAFETY: the same contract.
        unsafe { acl::aclrtMalloc(at, bytes as usize, MemMallocPolicy::HUGE_FIRST) }
    })
}

pub unsafe fn FreeAscendMemDevice(at: *mut c_void) -> u32 {
    // SAFETY: no pointers that are followed.
    code("FreeAscendMemDevice", || unsafe { acl::aclrtFree(at) })
}

pub unsafe fn AscendProfRegister() {}

pub unsafe fn GetAscendProfStatus() -> bool {
    false
}

pub unsafe fn StartAscendProf(_name: *const CChar, start: *mut u64) {
    if !start.is_null() {
        // SAFETY: it takes nothing.
        let now = unsafe { MsprofSysCycleTime() };
        // SAFETY: not null, valid for writing (contract of the C function).
        unsafe { start.write_unaligned(now) };
    }
}

pub unsafe fn ReportAscendProf(_name: *const CChar, _blocks: u32, _kind: u32, _start: u64) {}

pub unsafe fn GetCoreNumForMixVectorCore(aic: *mut u32, aiv: *mut u32) -> u32 {
    code("GetCoreNumForMixVectorCore", || {
        check_out("aiCoreNum", aic)?;
        check_out("vectorCoreNum", aiv)?;
        let chip = runtime().chip.as_ref().map_err(Clone::clone)?;
        // SAFETY: valid for writing (contract of the C function).
        unsafe { give("aiCoreNum", aic, chip.aic_count) }?;
        // SAFETY: as above.
        unsafe { give("vectorCoreNum", aiv, chip.aiv_count) }
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn chips_of_one_architecture_are_one_family() {
        assert!(super::is_same_family("Ascend910B1", "Ascend910B4"));
        assert!(super::is_same_family("ascend910b1", "Ascend910_9391"));
        assert!(!super::is_same_family("Ascend310P3", "Ascend910B1"));
        assert!(!super::is_same_family("Ascend950PR_9599", "Ascend910B1"));
    }
}
