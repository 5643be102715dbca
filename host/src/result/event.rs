//! `aclrt…Event…`.

use super::{AclApi, AclResult, answer};
use crate::sys::{EventHandle, EventRecordedStatus, StreamHandle};

/// `aclrtCreateEventExWithFlag`, `ACL_EVENT_*` flags.
///
/// # Safety
/// - A device is selected in this thread and alive.
pub unsafe fn create(api: &AclApi, flags: u32) -> AclResult<EventHandle> {
    // SAFETY: a live handle to write to.
    answer(EventHandle::NULL, |event| unsafe { (api.aclrtCreateEventExWithFlag)(event, flags) })
}

/// `aclrtDestroyEvent`.
///
/// # Safety
/// - `event` is alive and not used afterwards.
pub unsafe fn destroy(api: &AclApi, event: EventHandle) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtDestroyEvent)(event) }.ok()
}

/// `aclrtRecordEvent`.
///
/// # Safety
/// - Both handles are alive (the stream may be null) and the stream's context is current.
pub unsafe fn record(api: &AclApi, event: EventHandle, stream: StreamHandle) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtRecordEvent)(event, stream) }.ok()
}

/// `aclrtSynchronizeEvent`.
///
/// # Safety
/// - `event` is alive.
pub unsafe fn synchronize(api: &AclApi, event: EventHandle) -> AclResult {
    // SAFETY: promised by the caller.
    unsafe { (api.aclrtSynchronizeEvent)(event) }.ok()
}

/// `aclrtQueryEventStatus`.
///
/// # Safety
/// - `event` is alive.
pub unsafe fn query(api: &AclApi, event: EventHandle) -> AclResult<EventRecordedStatus> {
    answer(EventRecordedStatus::NOT_READY, |status| {
        // SAFETY: promised by the caller; a live value to write to.
        unsafe { (api.aclrtQueryEventStatus)(event, status) }
    })
}

/// `aclrtEventElapsedTime`, milliseconds of device time.
///
/// # Safety
/// - Both events are alive.
pub unsafe fn elapsed_ms(api: &AclApi, start: EventHandle, end: EventHandle) -> AclResult<f32> {
    // SAFETY: promised by the caller; a live value to write to.
    answer(0.0, |ms| unsafe { (api.aclrtEventElapsedTime)(ms, start, end) })
}
