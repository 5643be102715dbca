//! Last error, fault records and what to do after a fault.

use crate::sys::{
    DeviceErrorInfo, DeviceTaskAbortCallback, ExceptionInfo, ExceptionInfoCallback, LastErrLevel, MemUceInfo,
};
use std::ffi::{CStr, c_void};

super::calls! {
    /// Last error of the calling thread; it stays.
    fn peek_at_last_error(level: LastErrLevel) = aclrtPeekAtLastError(level);
    /// Last error of the calling thread; it is cleared.
    fn last_error(level: LastErrLevel) = aclrtGetLastError(level);
    /// Set the single process-wide task-fault hook (old).
    fn set_exception_info_callback(callback: ExceptionInfoCallback) = aclrtSetExceptionInfoCallback(callback);
    /// Add a named task-fault hook.
    fn exception_info_callback_register(callback: ExceptionInfoCallback) = aclrtExceptionInfoCallbackRegister(callback);
    /// Remove a named task-fault hook.
    fn exception_info_callback_unregister(callback: ExceptionInfoCallback) = aclrtExceptionInfoCallbackUnregister(callback);
    /// Fault record: task id.
    fn task_id(info: *const ExceptionInfo) => u32 = aclrtGetTaskIdFromExceptionInfo(info);
    /// Fault record: stream id.
    fn stream_id(info: *const ExceptionInfo) => u32 = aclrtGetStreamIdFromExceptionInfo(info);
    /// Fault record: host thread id.
    fn thread_id(info: *const ExceptionInfo) => u32 = aclrtGetThreadIdFromExceptionInfo(info);
    /// Fault record: device id.
    fn device_id(info: *const ExceptionInfo) => u32 = aclrtGetDeviceIdFromExceptionInfo(info);
    /// Fault record: error code.
    fn error_code(info: *const ExceptionInfo) => u32 = aclrtGetErrorCodeFromExceptionInfo(info);
    /// List uncorrectable memory error ranges.
    fn mem_uce_info(device_id: i32, mem_uce_info_array: *mut MemUceInfo, array_size: usize, ret_size: *mut usize) = aclrtGetMemUceInfo(device_id, mem_uce_info_array, array_size, ret_size);
    /// Cancel everything queued on a device.
    fn device_task_abort(device_id: i32, timeout: u32) = aclrtDeviceTaskAbort(device_id, timeout);
    /// Repair listed uncorrectable ranges.
    fn mem_uce_repair(device_id: i32, mem_uce_info_array: *mut MemUceInfo, array_size: usize) = aclrtMemUceRepair(device_id, mem_uce_info_array, array_size);
    /// Hook around device-wide cancel.
    fn set_device_task_abort_callback(reg_name: &CStr, callback: DeviceTaskAbortCallback, args: *mut c_void) = aclrtSetDeviceTaskAbortCallback(reg_name.as_ptr().cast(), callback, args);
    /// Detailed hardware/software fault description.
    fn error_verbose(device_id: i32) -> (error_info: DeviceErrorInfo) = aclrtGetErrorVerbose(device_id, error_info);
    /// Attempt recovery of a reported device fault.
    fn repair_error(device_id: i32, error_info: *const DeviceErrorInfo) = aclrtRepairError(device_id, error_info);
}
