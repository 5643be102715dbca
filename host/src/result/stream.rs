//! `aclrt…Stream…`.

use super::{AclApi, AclResult, answer};
use crate::sys::{
    CompareDataType, Condition, EventHandle, StreamAttr, StreamAttrValue, StreamHandle, StreamStateCallback,
    StreamStatus,
};
use std::ffi::{CStr, c_void};

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

super::calls! {
    /// Drops the stream's waiting work and destroys it.
    fn destroy_force(stream: StreamHandle) = aclrtDestroyStreamForce(stream);
    /// Numeric id of a stream.
    fn id(stream: StreamHandle) -> (stream_id: i32) = aclrtStreamGetId(stream, stream_id);
    /// Priority of a queue.
    fn priority(stream: StreamHandle) -> (priority: u32) = aclrtStreamGetPriority(stream, priority);
    /// Creation flags of a queue.
    fn flags(stream: StreamHandle) -> (flags: u32) = aclrtStreamGetFlags(stream, flags);
    /// Per-queue overflow detection on/off.
    fn set_overflow_switch(stream: StreamHandle, flag: u32) = aclrtSetStreamOverflowSwitch(stream, flag);
    /// Read that switch.
    fn overflow_switch(stream: StreamHandle) -> (flag: u32) = aclrtGetStreamOverflowSwitch(stream, flag);
    /// Cancel running and pending tasks of a queue.
    fn abort(stream: StreamHandle) = aclrtStreamAbort(stream);
    /// How many more queues can be made.
    fn available_num() -> (stream_count: u32) = aclrtGetStreamAvailableNum(stream_count);
    /// Write one queue attribute.
    fn set_attribute(stream: StreamHandle, stm_attr_type: StreamAttr, value: *mut StreamAttrValue) = aclrtSetStreamAttribute(stream, stm_attr_type, value);
    /// Read one queue attribute.
    fn attribute(stream: StreamHandle, stm_attr_type: StreamAttr, value: *mut StreamAttrValue) = aclrtGetStreamAttribute(stream, stm_attr_type, value);
    /// Hook on queue create/destroy.
    fn reg_state_callback(reg_name: &CStr, callback: StreamStateCallback, args: *mut c_void) = aclrtRegStreamStateCallback(reg_name.as_ptr().cast(), callback, args);
    /// Stop pending tasks of a queue.
    fn stop(stream: StreamHandle) = aclrtStreamStop(stream);
    /// Erase recorded tasks of a persistent queue.
    fn clean_persistent_tasks(stream: StreamHandle) = aclrtPersistentTaskClean(stream);
    /// Enqueue task that activates another queue.
    fn activate(active_stream: StreamHandle, stream: StreamHandle) = aclrtActiveStream(active_stream, stream);
    /// Enqueue conditional jump to a queue.
    fn switch(left_value: *mut c_void, cond: Condition, right_value: *mut c_void, data_type: CompareDataType, true_stream: StreamHandle, false_stream: StreamHandle, stream: StreamHandle) = aclrtSwitchStream(left_value, cond, right_value, data_type, true_stream, false_stream, stream);
}
