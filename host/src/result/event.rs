//! `aclrt…Event…`.

use super::{AclApi, AclResult, answer};
use crate::sys::{
    EventHandle, EventRecordedStatus, EventStatus, EventWaitStatus, IpcEventHandle, StreamHandle,
};

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

super::calls! {
    /// Makes an event for synchronisation, progress and timing.
    fn create_plain() -> (event: EventHandle) = aclrtCreateEvent(event);
    /// Makes an event that holds a device resource from now on, with `ACL_EVENT_*` flags.
    fn create_with_flag(flag: u32) -> (event: EventHandle) = aclrtCreateEventWithFlag(event, flag);
    /// Makes an event of `aclrtCreateEventWithFlag` usable again, in stream order.
    fn reset(event: EventHandle, stream: StreamHandle) = aclrtResetEvent(event, stream);
    /// Old query: complete is 0.
    fn query_old(event: EventHandle) -> (status: EventStatus) = aclrtQueryEvent(event, status);
    /// Whether all waits for the event are over: complete is 0.
    fn query_wait_status(event: EventHandle) -> (status: EventWaitStatus) = aclrtQueryEventWaitStatus(event, status);
    /// The same for at most `timeout` ms (-1: no limit); then 507047.
    fn synchronize_with_timeout(event: EventHandle, timeout: i32) = aclrtSynchronizeEventWithTimeout(event, timeout);
    /// Device time at which the event happened, microseconds.
    fn timestamp(event: EventHandle) -> (timestamp: u64) = aclrtEventGetTimestamp(event, timestamp);
    /// The same for at most `timeout` seconds (0: no limit).
    fn wait_with_timeout(stream: StreamHandle, event: EventHandle, timeout: i32) = aclrtStreamWaitEventWithTimeout(stream, event, timeout);
    /// Signal, optional capture-external flag.
    fn record_with_flag(event: EventHandle, stream: StreamHandle, flag: u32) = aclrtRecordEventWithFlag(event, stream, flag);
    /// Wait, optional capture-external flag.
    fn wait_with_flag(stream: StreamHandle, event: EventHandle, timeout: u32, flag: u32) = aclrtStreamWaitEventWithFlag(stream, event, timeout, flag);
    /// Process default limit of event waits.
    fn set_op_wait_timeout(timeout: u32) = aclrtSetOpWaitTimeout(timeout);
    /// Numeric id of an event.
    fn id(event: EventHandle) -> (event_id: u32) = aclrtGetEventId(event, event_id);
    /// Free event slots.
    fn avail_num() -> (event_count: u32) = aclrtGetEventAvailNum(event_count);
    /// Export event to other process.
    fn ipc_get_handle(event: EventHandle) -> (handle: IpcEventHandle) = aclrtIpcGetEventHandle(event, handle);
    /// Import event from other process.
    fn ipc_open_handle(handle: IpcEventHandle) -> (event: EventHandle) = aclrtIpcOpenEventHandle(handle, event);
}
