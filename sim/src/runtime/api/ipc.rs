//! Sharing between processes: memory, events, notifies.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtIpcGetEventHandle(EventHandle, *mut IpcEventHandle) = "not modelled yet";
    aclrtIpcOpenEventHandle(IpcEventHandle, *mut EventHandle) = "not modelled yet";
    aclrtNotifyGetExportKey(NotifyHandle, *mut CChar, usize, u64) = "not modelled yet";
    aclrtNotifyImportByKey(*mut NotifyHandle, *const CChar, u64) = "not modelled yet";
    aclrtNotifySetImportPid(NotifyHandle, *mut i32, usize) = "not modelled yet";
    aclrtNotifySetImportPidInterServer(NotifyHandle, *mut ServerPid, usize) = "not modelled yet";
    aclrtMemExportToShareableHandle(DrvMemHandle, MemHandleType, u64, *mut u64) = "not modelled yet";
    aclrtMemExportToShareableHandleV2(DrvMemHandle, u64, MemSharedHandleType, *mut c_void) = "not modelled yet";
    aclrtMemImportFromShareableHandle(u64, i32, *mut DrvMemHandle) = "not modelled yet";
    aclrtMemImportFromShareableHandleV2(*mut c_void, MemSharedHandleType, u64, *mut DrvMemHandle) = "not modelled yet";
    aclrtMemSetPidToShareableHandle(u64, *mut i32, usize) = "not modelled yet";
    aclrtMemSetPidToShareableHandleV2(*mut c_void, MemSharedHandleType, *mut i32, usize) = "not modelled yet";
    aclrtIpcMemGetExportKey(*mut c_void, usize, *mut CChar, usize, u64) = "not modelled yet";
    aclrtIpcMemClose(*const CChar) = "not modelled yet";
    aclrtIpcMemImportByKey(*mut *mut c_void, *const CChar, u64) = "not modelled yet";
    aclrtIpcMemSetImportPid(*const CChar, *mut i32, usize) = "not modelled yet";
    aclrtIpcMemSetAttr(*const CChar, IpcMemAttrType, u64) = "not modelled yet";
    aclrtIpcMemImportPidInterServer(*const CChar, *mut ServerPid, usize) = "not modelled yet";
}
