//! `aclrt…Stream…`.

use super::{AclApi, AclResult, answer};
use crate::sys::{EventHandle, StreamHandle, StreamStatus};

/// `aclrtCreateStream`.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn create(api: &AclApi) -> AclResult<StreamHandle> {
    // SAFETY: a live handle to write to.
    answer(StreamHandle::NULL, |stream| unsafe { (api.aclrtCreateStream)(stream) })
}

/// `aclrtCreateStreamWithConfig`: priority 0 (highest) to 7, `ACL_STREAM_*` flags.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn create_with(api: &AclApi, priority: u32, flags: u32) -> AclResult<StreamHandle> {
    answer(StreamHandle::NULL, |stream| {
        // SAFETY: a live handle to write to.
        unsafe { (api.aclrtCreateStreamWithConfig)(stream, priority, flags) }
    })
}

/// `aclrtDestroyStream`.
///
/// # Safety
/// - `stream` was made by [`create`], its context is current, and nobody uses it afterwards.
pub unsafe fn destroy(api: &AclApi, stream: StreamHandle) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtDestroyStream)(stream) }.ok()
}

/// `aclrtSynchronizeStream`.
///
/// # Safety
/// - `stream` is null or alive.
pub unsafe fn synchronize(api: &AclApi, stream: StreamHandle) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtSynchronizeStream)(stream) }.ok()
}

/// `aclrtSynchronizeStreamWithTimeout`, milliseconds.
///
/// # Safety
/// - `stream` is null or alive.
pub unsafe fn synchronize_for(api: &AclApi, stream: StreamHandle, timeout_ms: i32) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtSynchronizeStreamWithTimeout)(stream, timeout_ms) }.ok()
}

/// `aclrtStreamQuery`.
///
/// # Safety
/// - `stream` is null or alive.
pub unsafe fn query(api: &AclApi, stream: StreamHandle) -> AclResult<StreamStatus> {
    // SAFETY: promised by the caller; a live value to write to.
    answer(StreamStatus::RESERVED, |status| unsafe { (api.aclrtStreamQuery)(stream, status) })
}

/// `aclrtSetStreamFailureMode`.
///
/// # Safety
/// - `stream` is alive and its context is current.
pub unsafe fn set_failure_mode(api: &AclApi, stream: StreamHandle, mode: u64) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtSetStreamFailureMode)(stream, mode) }.ok()
}

/// `aclrtStreamWaitEvent`.
///
/// # Safety
/// - Both handles are alive and the stream's context is current.
pub unsafe fn wait_event(api: &AclApi, stream: StreamHandle, event: EventHandle) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtStreamWaitEvent)(stream, event) }.ok()
}
