//! Functions of the program that streams call; limits; reduction and random numbers.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtSubscribeReport(u64, StreamHandle) = "not modelled yet";
    aclrtLaunchCallback(Callback, *mut c_void, CallbackBlockType, StreamHandle) = "not modelled yet";
    aclrtProcessReport(i32) = "not modelled yet";
    aclrtUnSubscribeReport(u64, StreamHandle) = "not modelled yet";
    aclrtGetThreadLastTaskId(*mut u32) = "not modelled yet";
    aclrtSetOpExecuteTimeOut(u32) = "not modelled yet";
    aclrtSetOpExecuteTimeOutWithMs(u32) = "not modelled yet";
    aclrtSetOpExecuteTimeOutV2(u64, *mut u64) = "not modelled yet";
    aclrtGetOpTimeOutInterval(*mut u64) = "not modelled yet";
    aclrtReduceAsync(*mut c_void, *const c_void, u64, ReduceKind, DataType, StreamHandle, *mut c_void) = "not modelled yet";
    aclrtGetFloatOverflowStatus(*mut c_void, u64, StreamHandle) = "not modelled yet";
    aclrtResetFloatOverflowStatus(StreamHandle) = "not modelled yet";
    aclrtNpuGetFloatOverFlowStatus(*mut c_void, u64, u32, StreamHandle) = "not modelled yet";
    aclrtNpuClearFloatOverFlowStatus(u32, StreamHandle) = "not modelled yet";
    aclrtLaunchHostFunc(StreamHandle, HostFunc, *mut c_void) = "not modelled yet";
    aclrtRandomNumAsync(*const RandomNumTaskInfo, StreamHandle, *mut c_void) = "not modelled yet";
    aclrtGetOpExecuteTimeout(*mut u32) = "not modelled yet";
    aclrtSubscribeHostFunc(u64, StreamHandle) = "not modelled yet";
    aclrtProcessHostFunc(i32) = "not modelled yet";
    aclrtUnSubscribeHostFunc(u64, StreamHandle) = "not modelled yet";
}
