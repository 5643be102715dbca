//! Callbacks, time limits, reducing copies, overflow status, random numbers.

use crate::sys::{
    Callback, CallbackBlockType, DataType, HostFunc, RandomNumTaskInfo, ReduceKind, StreamHandle,
    TaskUpdateInfo,
};
use std::ffi::c_void;

super::calls! {
    /// Tie a user thread to a stream's callbacks.
    fn subscribe_report(thread_id: u64, stream: StreamHandle) = aclrtSubscribeReport(thread_id, stream);
    /// Enqueue host callback for subscribed thread.
    fn launch_callback(func: Callback, user_data: *mut c_void, block_type: CallbackBlockType, stream: StreamHandle) = aclrtLaunchCallback(func, user_data, block_type, stream);
    /// User thread: run pending callbacks.
    fn process_report(timeout: i32) = aclrtProcessReport(timeout);
    /// Untie thread.
    fn unsubscribe_report(thread_id: u64, stream: StreamHandle) = aclrtUnSubscribeReport(thread_id, stream);
    /// Id of thread's latest enqueued task.
    fn thread_last_task_id() -> (task_id: u32) = aclrtGetThreadLastTaskId(task_id);
    /// Kernel time limit, seconds.
    fn set_op_execute_time_out(timeout: u32) = aclrtSetOpExecuteTimeOut(timeout);
    /// Kernel time limit, ms.
    fn set_op_execute_time_out_with_ms(timeout: u32) = aclrtSetOpExecuteTimeOutWithMs(timeout);
    /// Kernel time limit in us, returns effective value.
    fn set_op_execute_time_out_v2(timeout: u64) -> (actual_timeout: u64) = aclrtSetOpExecuteTimeOutV2(timeout, actual_timeout);
    /// Step of the hardware timeout.
    fn op_time_out_interval() -> (interval: u64) = aclrtGetOpTimeOutInterval(interval);
    /// Queued reduce copy (sum/max/min).
    fn reduce_async(dst: *mut c_void, src: *const c_void, count: u64, kind: ReduceKind, ty: DataType, stream: StreamHandle, reserve: *mut c_void) = aclrtReduceAsync(dst, src, count, kind, ty, stream, reserve);
    /// Queued read of overflow flags.
    fn float_overflow_status(output_addr: *mut c_void, output_size: u64, stream: StreamHandle) = aclrtGetFloatOverflowStatus(output_addr, output_size, stream);
    /// Queued clear of overflow flags.
    fn reset_float_overflow_status(stream: StreamHandle) = aclrtResetFloatOverflowStatus(stream);
    /// Queued read of flags with check mode.
    fn npu_get_float_over_flow_status(output_addr: *mut c_void, output_size: u64, check_mode: u32, stream: StreamHandle) = aclrtNpuGetFloatOverFlowStatus(output_addr, output_size, check_mode, stream);
    /// Queued clear of flags with check mode.
    fn npu_clear_float_over_flow_status(check_mode: u32, stream: StreamHandle) = aclrtNpuClearFloatOverFlowStatus(check_mode, stream);
    /// Enqueue host function on runtime thread.
    fn launch_host_func(stream: StreamHandle, func: HostFunc, args: *mut c_void) = aclrtLaunchHostFunc(stream, func, args);
    /// Queued random fill.
    fn random_num_async(task_info: *const RandomNumTaskInfo, stream: StreamHandle, reserve: *mut c_void) = aclrtRandomNumAsync(task_info, stream, reserve);
    /// Read current kernel time limit.
    fn op_execute_timeout() -> (timeout_ms: u32) = aclrtGetOpExecuteTimeout(timeout_ms);
    /// Queued rewrite of another task.
    fn task_update_async(task_stream: StreamHandle, task_id: u32, info: *mut TaskUpdateInfo, exec_stream: StreamHandle) = aclrtTaskUpdateAsync(task_stream, task_id, info, exec_stream);
}
