//! `aclrt…Notify…`: a signal that one record sets and one wait clears.

use crate::sys::{CChar, NotifyHandle, ServerPid, StreamHandle};
use std::ffi::CStr;

super::calls! {
    /// Create one-to-one signal object.
    fn create(flag: u64) -> (notify: NotifyHandle) = aclrtCreateNotify(notify, flag);
    /// Free it.
    fn destroy(notify: NotifyHandle) = aclrtDestroyNotify(notify);
    /// Enqueue signal.
    fn record(notify: NotifyHandle, stream: StreamHandle) = aclrtRecordNotify(notify, stream);
    /// Enqueue wait that auto-clears.
    fn wait_and_reset(notify: NotifyHandle, stream: StreamHandle, timeout: u32) = aclrtWaitAndResetNotify(notify, stream, timeout);
    /// Numeric id of notify.
    fn id(notify: NotifyHandle) -> (notify_id: u32) = aclrtGetNotifyId(notify, notify_id);
    /// Clear several notifies.
    fn batch_reset(notifies: *mut NotifyHandle, num: usize) = aclrtNotifyBatchReset(notifies, num);
    /// Share notify: make key.
    fn export_key(notify: NotifyHandle, key: *mut CChar, len: usize, flags: u64) = aclrtNotifyGetExportKey(notify, key, len, flags);
    /// Share notify: open key.
    fn import_by_key(key: &CStr, flags: u64) -> (notify: NotifyHandle) = aclrtNotifyImportByKey(notify, key.as_ptr().cast(), flags);
    /// Share notify: pid whitelist.
    fn set_import_pid(notify: NotifyHandle, pid: *mut i32, num: usize) = aclrtNotifySetImportPid(notify, pid, num);
    /// Share notify: whitelist on another server.
    fn set_import_pid_inter_server(notify: NotifyHandle, server_pids: *mut ServerPid, num: usize) = aclrtNotifySetImportPidInterServer(notify, server_pids, num);
}
