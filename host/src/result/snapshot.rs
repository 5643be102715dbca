//! `aclrtSnapShot…`: state of a process, saved and restored.

use crate::sys::{CInt, SnapShotBackupArgs, SnapShotCallback, SnapShotRestoreArgs, SnapShotStage};
use std::ffi::c_void;

super::calls! {
    /// Freeze API calls of a process.
    fn lock(pid: CInt, reserve: *mut c_void) = aclrtSnapShotProcessLock(pid, reserve);
    /// Unfreeze.
    fn unlock(pid: CInt, reserve: *mut c_void) = aclrtSnapShotProcessUnlock(pid, reserve);
    /// Save device state.
    fn backup(pid: CInt, args: *mut SnapShotBackupArgs) = aclrtSnapShotProcessBackup(pid, args);
    /// Restore device state.
    fn restore(pid: CInt, args: *mut SnapShotRestoreArgs) = aclrtSnapShotProcessRestore(pid, args);
    /// Hook per snapshot stage.
    fn callback_register(stage: SnapShotStage, callback: SnapShotCallback, args: *mut c_void) = aclrtSnapShotCallbackRegister(stage, callback, args);
    /// Remove hook.
    fn callback_unregister(stage: SnapShotStage, callback: SnapShotCallback) = aclrtSnapShotCallbackUnregister(stage, callback);
}
