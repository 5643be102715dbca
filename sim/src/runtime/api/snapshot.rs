//! Snapshots of the process.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, invalid};
use super::super::snapshot;
use std::ffi::c_void;
use toprope_abi::acl::sig::CInt;
use toprope_abi::acl::{SnapShotBackupArgs, SnapShotCallback, SnapShotRestoreArgs, SnapShotStage};

/// Documented: only the calling process, and no further arguments.
fn check<T>(pid: CInt, args: *const T) -> Answer {
    let own = std::process::id();
    if u32::try_from(pid.0) != Ok(own) {
        return invalid(format!("`pid` is {}, but only this process ({own}) can be chosen", pid.0));
    }
    if args.is_null() { Ok(()) } else { invalid("the last argument is reserved and must be null") }
}

pub unsafe fn aclrtSnapShotProcessLock(pid: CInt, reserve: *mut c_void) -> Answer {
    check(pid, reserve)?;
    snapshot::lock()
}

pub unsafe fn aclrtSnapShotProcessUnlock(pid: CInt, reserve: *mut c_void) -> Answer {
    check(pid, reserve)?;
    snapshot::unlock()
}

pub unsafe fn aclrtSnapShotProcessBackup(pid: CInt, args: *mut SnapShotBackupArgs) -> Answer {
    check(pid, args)?;
    snapshot::backup()
}

pub unsafe fn aclrtSnapShotProcessRestore(pid: CInt, args: *mut SnapShotRestoreArgs) -> Answer {
    check(pid, args)?;
    snapshot::restore()
}

pub unsafe fn aclrtSnapShotCallbackRegister(
    stage: SnapShotStage,
    callback: SnapShotCallback,
    args: *mut c_void,
) -> Answer {
    snapshot::register(stage, callback, args)
}

pub unsafe fn aclrtSnapShotCallbackUnregister(stage: SnapShotStage, callback: SnapShotCallback) -> Answer {
    snapshot::unregister(stage, callback)
}
