//! `aclrtIpcMem…`: device memory of another process.

use crate::sys::{CChar, IpcMemAttrType, ServerPid};
use std::ffi::{CStr, c_void};

super::calls! {
    /// Share device memory: make key.
    fn export_key(dev_ptr: *mut c_void, size: usize, key: *mut CChar, len: usize, flags: u64) = aclrtIpcMemGetExportKey(dev_ptr, size, key, len, flags);
    /// Drop shared memory key.
    fn close(key: &CStr) = aclrtIpcMemClose(key.as_ptr().cast());
    /// Share device memory: open key.
    fn import_by_key(key: &CStr, flags: u64) -> (dev_ptr: *mut c_void) = aclrtIpcMemImportByKey(dev_ptr, key.as_ptr().cast(), flags);
    /// Pid whitelist for key.
    fn set_import_pid(key: &CStr, pid: *mut i32, num: usize) = aclrtIpcMemSetImportPid(key.as_ptr().cast(), pid, num);
    /// Attribute of shared key.
    fn set_attr(key: &CStr, ty: IpcMemAttrType, attr: u64) = aclrtIpcMemSetAttr(key.as_ptr().cast(), ty, attr);
    /// Whitelist on another server.
    fn import_pid_inter_server(key: &CStr, server_pids: *mut ServerPid, num: usize) = aclrtIpcMemImportPidInterServer(key.as_ptr().cast(), server_pids, num);
}
