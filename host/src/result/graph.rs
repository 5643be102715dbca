//! `aclmdlRI…`: graphs, captured or built, run many times.

use crate::sys::{
    CChar, Callback, LaunchKernelAttrId, LaunchKernelAttrValue, RiCaptureMode, RiCaptureStatus, RiCondHandle,
    RiCondHandleFlag, RiCondTaskParams, RiHandle, RiTaskHandle, RiTaskParams, RiTaskType, StreamHandle,
    TaskGrpHandle,
};
use std::ffi::{CStr, c_void};

super::calls! {
    /// Read graph task parameters.
    fn task_get_params(task: RiTaskHandle, params: *mut RiTaskParams) = aclmdlRITaskGetParams(task, params);
    /// Write graph task parameters.
    fn task_set_params(task: RiTaskHandle, params: *mut RiTaskParams) = aclmdlRITaskSetParams(task, params);
    /// Read launch attribute of graph kernel.
    fn kernel_task_get_attribute(task: RiTaskHandle, attr_id: LaunchKernelAttrId) -> (attr_value: LaunchKernelAttrValue) = aclmdlRIKernelTaskGetAttribute(task, attr_id, attr_value);
    /// Apply pending task edits.
    fn update(model_ri: RiHandle) = aclmdlRIUpdate(model_ri);
    /// Disable a graph task.
    fn task_disable(task: RiTaskHandle) = aclmdlRITaskDisable(task);
    /// Start recording a stream.
    fn capture_begin(stream: StreamHandle, mode: RiCaptureMode) = aclmdlRICaptureBegin(stream, mode);
    /// Recording state and graph of stream.
    fn capture_get_info(stream: StreamHandle) -> (status: RiCaptureStatus, model_ri: RiHandle) = aclmdlRICaptureGetInfo(stream, status, model_ri);
    /// Stop recording, return graph.
    fn capture_end(stream: StreamHandle) -> (model_ri: RiHandle) = aclmdlRICaptureEnd(stream, model_ri);
    /// Dump graph to log.
    fn debug_print(model_ri: RiHandle) = aclmdlRIDebugPrint(model_ri);
    /// Dump graph to JSON file.
    fn debug_json_print(model_ri: RiHandle, path: &CStr, flags: u32) = aclmdlRIDebugJsonPrint(model_ri, path.as_ptr().cast(), flags);
    /// Swap thread's capture mode.
    fn capture_thread_exchange_mode(mode: *mut RiCaptureMode) = aclmdlRICaptureThreadExchangeMode(mode);
    /// Queue graph run.
    fn execute_async(model_ri: RiHandle, stream: StreamHandle) = aclmdlRIExecuteAsync(model_ri, stream);
    /// Run graph and wait.
    fn execute(model_ri: RiHandle, timeout: i32) = aclmdlRIExecute(model_ri, timeout);
    /// Free graph.
    fn destroy(model_ri: RiHandle) = aclmdlRIDestroy(model_ri);
    /// Mark start of updatable group.
    fn capture_task_grp_begin(stream: StreamHandle) = aclmdlRICaptureTaskGrpBegin(stream);
    /// Mark end of updatable group.
    fn capture_task_grp_end(stream: StreamHandle) -> (handle: TaskGrpHandle) = aclmdlRICaptureTaskGrpEnd(stream, handle);
    /// Start updating a group.
    fn capture_task_update_begin(stream: StreamHandle, handle: TaskGrpHandle) = aclmdlRICaptureTaskUpdateBegin(stream, handle);
    /// End updating a group.
    fn capture_task_update_end(stream: StreamHandle) = aclmdlRICaptureTaskUpdateEnd(stream);
    /// Start explicit graph build.
    fn build_begin(flag: u32) -> (model_ri: RiHandle) = aclmdlRIBuildBegin(model_ri, flag);
    /// Bind persistent stream to graph.
    fn bind_stream(model_ri: RiHandle, stream: StreamHandle, flag: u32) = aclmdlRIBindStream(model_ri, stream, flag);
    /// Place end marker.
    fn end_task(model_ri: RiHandle, stream: StreamHandle) = aclmdlRIEndTask(model_ri, stream);
    /// Finish explicit build.
    fn build_end(model_ri: RiHandle, reserve: *mut c_void) = aclmdlRIBuildEnd(model_ri, reserve);
    /// Unbind stream.
    fn unbind_stream(model_ri: RiHandle, stream: StreamHandle) = aclmdlRIUnbindStream(model_ri, stream);
    /// Name a graph.
    fn set_name(model_ri: RiHandle, name: &CStr) = aclmdlRISetName(model_ri, name.as_ptr().cast());
    /// Read graph name.
    fn name(model_ri: RiHandle, max_len: u32, name: *mut CChar) = aclmdlRIGetName(model_ri, max_len, name);
    /// Numeric graph id.
    fn id(model_ri: RiHandle) -> (model_ri_id: u32) = aclmdlRIGetId(model_ri, model_ri_id);
    /// Hook on graph destroy.
    fn destroy_register_callback(model_ri: RiHandle, func: Callback, user_data: *mut c_void) = aclmdlRIDestroyRegisterCallback(model_ri, func, user_data);
    /// Remove hook.
    fn destroy_unregister_callback(model_ri: RiHandle, func: Callback) = aclmdlRIDestroyUnregisterCallback(model_ri, func);
    /// Streams of graph.
    fn streams(model_ri: RiHandle, streams: *mut StreamHandle, num_streams: *mut u32) = aclmdlRIGetStreams(model_ri, streams, num_streams);
    /// Tasks of a graph stream.
    fn tasks_by_stream(stream: StreamHandle, tasks: *mut RiTaskHandle, num_tasks: *mut u32) = aclmdlRIGetTasksByStream(stream, tasks, num_tasks);
    /// Kind of graph task.
    fn task_get_type(task: RiTaskHandle) -> (ty: RiTaskType) = aclmdlRITaskGetType(task, ty);
    /// Sequence number of graph task.
    fn task_get_seq_id(task: RiTaskHandle) -> (id: u32) = aclmdlRITaskGetSeqId(task, id);
    /// Stop a running graph.
    fn abort(model_ri: RiHandle) = aclmdlRIAbort(model_ri);
    /// Condition variable for graph branches.
    fn cond_handle_create(model_ri: RiHandle, default_launch_value: u32, flag: RiCondHandleFlag) -> (handle: RiCondHandle) = aclmdlRICondHandleCreate(model_ri, default_launch_value, flag, handle);
    /// Device pointer of condition.
    fn cond_handle_get_cond_ptr(handle: RiCondHandle) -> (ptr: *mut u64) = aclmdlRICondHandleGetCondPtr(handle, ptr);
    /// Add if/while/switch node.
    fn add_cond_task(params: RiCondTaskParams, stream: StreamHandle, flags: u32) = aclmdlRIAddCondTask(params, stream, flags);
    /// Record into an existing graph.
    fn capture_to_begin(stream: StreamHandle, model_ri: RiHandle, mode: RiCaptureMode) = aclmdlRICaptureToModelRIBegin(stream, model_ri, mode);
}
