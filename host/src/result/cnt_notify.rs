//! `aclrtCntNotify…`: a signal that counts.

use crate::sys::{CntNotifyHandle, CntNotifyRecordInfo, CntNotifyWaitInfo, StreamHandle};

super::calls! {
    /// Counter-valued notify.
    fn create(flag: u64) -> (cnt_notify: CntNotifyHandle) = aclrtCntNotifyCreate(cnt_notify, flag);
    /// Free counter notify.
    fn destroy(cnt_notify: CntNotifyHandle) = aclrtCntNotifyDestroy(cnt_notify);
    /// Enqueue store/add on counter.
    fn record(cnt_notify: CntNotifyHandle, stream: StreamHandle, info: *mut CntNotifyRecordInfo) = aclrtCntNotifyRecord(cnt_notify, stream, info);
    /// Enqueue compare-wait on counter.
    fn wait_with_timeout(cnt_notify: CntNotifyHandle, stream: StreamHandle, info: *mut CntNotifyWaitInfo) = aclrtCntNotifyWaitWithTimeout(cnt_notify, stream, info);
    /// Enqueue counter clear.
    fn reset(cnt_notify: CntNotifyHandle, stream: StreamHandle) = aclrtCntNotifyReset(cnt_notify, stream);
    /// Numeric id of counter notify.
    fn id(cnt_notify: CntNotifyHandle) -> (notify_id: u32) = aclrtCntNotifyGetId(cnt_notify, notify_id);
}
