//! Graphs: captured or built once, run many times.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtPersistentTaskClean(StreamHandle) = "not modelled yet";
    aclrtRecordEventWithFlag(EventHandle, StreamHandle, u32) = "not modelled yet";
    aclrtStreamWaitEventWithFlag(StreamHandle, EventHandle, u32, u32) = "not modelled yet";
    aclrtTaskUpdateAsync(StreamHandle, u32, *mut TaskUpdateInfo, StreamHandle) = "not modelled yet";
    aclrtActiveStream(StreamHandle, StreamHandle) = "not modelled yet";
    aclrtSwitchStream(*mut c_void, Condition, *mut c_void, CompareDataType, StreamHandle, StreamHandle, StreamHandle) = "not modelled yet";
    aclmdlRITaskGetParams(RiTaskHandle, *mut RiTaskParams) = "not modelled yet";
    aclmdlRITaskSetParams(RiTaskHandle, *mut RiTaskParams) = "not modelled yet";
    aclmdlRIKernelTaskGetAttribute(RiTaskHandle, LaunchKernelAttrId, *mut LaunchKernelAttrValue) = "not modelled yet";
    aclmdlRIUpdate(RiHandle) = "not modelled yet";
    aclmdlRITaskDisable(RiTaskHandle) = "not modelled yet";
    aclmdlRICaptureBegin(StreamHandle, RiCaptureMode) = "not modelled yet";
    aclmdlRICaptureGetInfo(StreamHandle, *mut RiCaptureStatus, *mut RiHandle) = "not modelled yet";
    aclmdlRICaptureEnd(StreamHandle, *mut RiHandle) = "not modelled yet";
    aclmdlRIDebugPrint(RiHandle) = "not modelled yet";
    aclmdlRIDebugJsonPrint(RiHandle, *const CChar, u32) = "not modelled yet";
    aclmdlRICaptureThreadExchangeMode(*mut RiCaptureMode) = "not modelled yet";
    aclmdlRIExecuteAsync(RiHandle, StreamHandle) = "not modelled yet";
    aclmdlRIExecute(RiHandle, i32) = "not modelled yet";
    aclmdlRIDestroy(RiHandle) = "not modelled yet";
    aclmdlRICaptureTaskGrpBegin(StreamHandle) = "not modelled yet";
    aclmdlRICaptureTaskGrpEnd(StreamHandle, *mut TaskGrpHandle) = "not modelled yet";
    aclmdlRICaptureTaskUpdateBegin(StreamHandle, TaskGrpHandle) = "not modelled yet";
    aclmdlRICaptureTaskUpdateEnd(StreamHandle) = "not modelled yet";
    aclmdlRIBuildBegin(*mut RiHandle, u32) = "not modelled yet";
    aclmdlRIBindStream(RiHandle, StreamHandle, u32) = "not modelled yet";
    aclmdlRIEndTask(RiHandle, StreamHandle) = "not modelled yet";
    aclmdlRIBuildEnd(RiHandle, *mut c_void) = "not modelled yet";
    aclmdlRIUnbindStream(RiHandle, StreamHandle) = "not modelled yet";
    aclmdlRISetName(RiHandle, *const CChar) = "not modelled yet";
    aclmdlRIGetName(RiHandle, u32, *mut CChar) = "not modelled yet";
    aclmdlRIGetId(RiHandle, *mut u32) = "not modelled yet";
    aclmdlRIDestroyRegisterCallback(RiHandle, Callback, *mut c_void) = "not modelled yet";
    aclmdlRIDestroyUnregisterCallback(RiHandle, Callback) = "not modelled yet";
    aclmdlRIGetStreams(RiHandle, *mut StreamHandle, *mut u32) = "not modelled yet";
    aclmdlRIGetTasksByStream(StreamHandle, *mut RiTaskHandle, *mut u32) = "not modelled yet";
    aclmdlRITaskGetType(RiTaskHandle, *mut RiTaskType) = "not modelled yet";
    aclmdlRITaskGetSeqId(RiTaskHandle, *mut u32) = "not modelled yet";
    aclrtCheckArchCompatibility(*const CChar, *mut i32) = "not modelled yet";
    aclmdlRIAbort(RiHandle) = "not modelled yet";
    aclmdlRICondHandleCreate(RiHandle, u32, RiCondHandleFlag, *mut RiCondHandle) = "not modelled yet";
    aclmdlRICondHandleGetCondPtr(RiCondHandle, *mut *mut u64) = "not modelled yet";
    aclmdlRIAddCondTask(RiCondTaskParams, StreamHandle, u32) = "not modelled yet";
    aclmdlRICaptureToModelRIBegin(StreamHandle, RiHandle, RiCaptureMode) = "not modelled yet";
}
