//! `aclrt…Device…` and contexts.

use super::{AclApi, AclResult, answer};
use crate::sys::{ContextHandle, DevAttr, MemAttr, RunMode};
use std::ffi::CStr;

/// `aclrtGetDeviceCount`.
///
/// # Safety
/// - `api` is the table of a loaded runtime.
pub unsafe fn count(api: &AclApi) -> AclResult<u32> {
    // SAFETY: a live integer.
    answer(0, |n| unsafe { (api.aclrtGetDeviceCount)(n) })
}

/// `aclrtSetDevice`.
///
/// # Safety
/// - Balanced by one [`reset`], after the last use of anything made on the device.
pub unsafe fn set(api: &AclApi, device: i32) -> AclResult {
    // SAFETY: takes a plain number.
    unsafe { (api.aclrtSetDevice)(device) }.ok()
}

/// `aclrtResetDevice`.
///
/// # Safety
/// - Nothing made on the device since its [`set`] is used afterwards.
pub unsafe fn reset(api: &AclApi, device: i32) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtResetDevice)(device) }.ok()
}

/// `aclrtGetCurrentContext`.
///
/// # Safety
/// - `api` is the table of a loaded runtime.
pub unsafe fn current_context(api: &AclApi) -> AclResult<ContextHandle> {
    // SAFETY: a live handle to write to.
    answer(ContextHandle::NULL, |context| unsafe { (api.aclrtGetCurrentContext)(context) })
}

/// `aclrtSetCurrentContext`.
///
/// # Safety
/// - `context` is alive.
pub unsafe fn set_current_context(api: &AclApi, context: ContextHandle) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtSetCurrentContext)(context) }.ok()
}

/// `aclrtSynchronizeDevice`.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn synchronize(api: &AclApi) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtSynchronizeDevice)() }.ok()
}

/// `aclrtSynchronizeDeviceWithTimeout`, milliseconds.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn synchronize_for(api: &AclApi, timeout_ms: i32) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtSynchronizeDeviceWithTimeout)(timeout_ms) }.ok()
}

/// `aclrtGetSocName`; `None` without a device.
///
/// # Safety
/// - `api` is the table of a loaded runtime.
pub unsafe fn soc_name(api: &AclApi) -> Option<String> {
    // SAFETY: takes no argument.
    let name = unsafe { (api.aclrtGetSocName)() };
    if name.is_null() {
        return None;
    }
    // SAFETY: not null, so a static C string.
    let name = unsafe { CStr::from_ptr(name.cast()) };
    Some(name.to_string_lossy().into_owned())
}

/// `aclrtGetDeviceInfo`.
///
/// # Safety
/// - `api` is the table of a loaded runtime.
pub unsafe fn info(api: &AclApi, device: u32, attr: DevAttr) -> AclResult<i64> {
    // SAFETY: a live integer to write to.
    answer(0, |value| unsafe { (api.aclrtGetDeviceInfo)(device, attr, value) })
}

/// `aclrtGetMemInfo`: free and total, bytes.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn mem_info(api: &AclApi, attr: MemAttr) -> AclResult<(usize, usize)> {
    // SAFETY: two live integers to write to.
    answer((0, 0), |(free, total)| unsafe { (api.aclrtGetMemInfo)(attr, free, total) })
}

/// `aclrtGetRunMode`.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn run_mode(api: &AclApi) -> AclResult<RunMode> {
    // SAFETY: a live value to write to.
    answer(RunMode::HOST, |mode| unsafe { (api.aclrtGetRunMode)(mode) })
}
