//! What the runtime tells of tasks that failed.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtSetExceptionInfoCallback(ExceptionInfoCallback) = "not modelled yet";
    aclrtExceptionInfoCallbackRegister(ExceptionInfoCallback) = "not modelled yet";
    aclrtExceptionInfoCallbackUnregister(ExceptionInfoCallback) = "not modelled yet";
    aclrtGetTaskIdFromExceptionInfo(*const ExceptionInfo) -> u32 = "not modelled yet";
    aclrtGetStreamIdFromExceptionInfo(*const ExceptionInfo) -> u32 = "not modelled yet";
    aclrtGetThreadIdFromExceptionInfo(*const ExceptionInfo) -> u32 = "not modelled yet";
    aclrtGetDeviceIdFromExceptionInfo(*const ExceptionInfo) -> u32 = "not modelled yet";
    aclrtGetErrorCodeFromExceptionInfo(*const ExceptionInfo) -> u32 = "not modelled yet";
    aclrtGetMemUceInfo(i32, *mut MemUceInfo, usize, *mut usize) = "not modelled yet";
    aclrtDeviceTaskAbort(i32, u32) = "not modelled yet";
    aclrtMemUceRepair(i32, *mut MemUceInfo, usize) = "not modelled yet";
    aclrtSetDeviceTaskAbortCallback(*const CChar, DeviceTaskAbortCallback, *mut c_void) = "not modelled yet";
    aclrtGetErrorVerbose(i32, *mut DeviceErrorInfo) = "not modelled yet";
    aclrtRepairError(i32, *const DeviceErrorInfo) = "not modelled yet";
}
