//! Notifies and counter notifies: signals between streams.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtCreateNotify(*mut NotifyHandle, u64) = "not modelled yet";
    aclrtDestroyNotify(NotifyHandle) = "not modelled yet";
    aclrtRecordNotify(NotifyHandle, StreamHandle) = "not modelled yet";
    aclrtWaitAndResetNotify(NotifyHandle, StreamHandle, u32) = "not modelled yet";
    aclrtGetNotifyId(NotifyHandle, *mut u32) = "not modelled yet";
    aclrtNotifyBatchReset(*mut NotifyHandle, usize) = "not modelled yet";
    aclrtCntNotifyCreate(*mut CntNotifyHandle, u64) = "not modelled yet";
    aclrtCntNotifyDestroy(CntNotifyHandle) = "not modelled yet";
    aclrtCntNotifyRecord(CntNotifyHandle, StreamHandle, *mut CntNotifyRecordInfo) = "not modelled yet";
    aclrtCntNotifyWaitWithTimeout(CntNotifyHandle, StreamHandle, *mut CntNotifyWaitInfo) = "not modelled yet";
    aclrtCntNotifyReset(CntNotifyHandle, StreamHandle) = "not modelled yet";
    aclrtCntNotifyGetId(CntNotifyHandle, *mut u32) = "not modelled yet";
}
