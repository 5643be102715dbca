//! Snapshots of device state.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtSnapShotProcessLock(CInt, *mut c_void) = "not modelled yet";
    aclrtSnapShotProcessUnlock(CInt, *mut c_void) = "not modelled yet";
    aclrtSnapShotProcessBackup(CInt, *mut SnapShotBackupArgs) = "not modelled yet";
    aclrtSnapShotProcessRestore(CInt, *mut SnapShotRestoreArgs) = "not modelled yet";
    aclrtSnapShotCallbackRegister(SnapShotStage, SnapShotCallback, *mut c_void) = "not modelled yet";
    aclrtSnapShotCallbackUnregister(SnapShotStage, SnapShotCallback) = "not modelled yet";
}
