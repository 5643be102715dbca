//! Notifies and counter notifies: signals between streams.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, invalid, refuse};
use super::super::notify::{LocalSignal, MAX_NOTIFIES, NOTIFIES, Notify, RecordWork, WaitWork};
use super::super::process;
use super::super::state::runtime;
use super::super::work::Work;
use super::{check_out, give};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;
use toprope_abi::acl::{AclError, NOTIFY_DEVICE_USE_ONLY, NotifyHandle, StreamHandle};

pub unsafe fn aclrtCreateNotify(notify: *mut NotifyHandle, flag: u64) -> Answer {
    check_out("notify", notify)?;
    if flag > u64::from(NOTIFY_DEVICE_USE_ONLY) {
        let text = format!("`flag` is {flag:#x}; it must be 0 or 1 (ACL_NOTIFY_DEVICE_USE_ONLY)");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let device = runtime().current()?.device.index;
    let made = NOTIFIES.count(|n| n.device == device);
    if made >= MAX_NOTIFIES {
        let text = format!("device {device} has {made} notifies, which is the limit");
        return refuse(AclError::RT_NO_NOTIFY_RESOURCE, text);
    }
    let made = Notify::publish(device, Arc::new(LocalSignal::default()));
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("notify", notify, NotifyHandle(made.handle as *mut c_void)) }
}

pub(super) fn find(notify: NotifyHandle) -> Answer<Arc<Notify>> {
    process::check_not_forked()?;
    if notify.is_null() {
        return invalid("`notify` is null");
    }
    NOTIFIES.get(notify.0)
}

pub unsafe fn aclrtDestroyNotify(notify: NotifyHandle) -> Answer {
    let notify = find(notify)?;
    // Tasks on their way keep it.
    NOTIFIES.remove(notify.handle as *mut c_void)?;
    Ok(())
}

pub unsafe fn aclrtRecordNotify(notify: NotifyHandle, stream: StreamHandle) -> Answer {
    let notify = find(notify)?;
    notify.signal.check_set()?;
    runtime().stream_here(stream.0)?.enqueue(Work::Custom(Arc::new(RecordWork(notify))))
}

pub unsafe fn aclrtWaitAndResetNotify(notify: NotifyHandle, stream: StreamHandle, timeout: u32) -> Answer {
    let notify = find(notify)?;
    notify.signal.check_wait()?;
    let limit = (timeout > 0).then(|| Duration::from_secs(timeout.into()));
    let stream = runtime().stream_here(stream.0)?;
    if notify.device != stream.context.device.index {
        let text = format!(
            "the notify belongs to device {}, so {} of device {} cannot wait for it",
            notify.device,
            stream.name(),
            stream.context.device.index
        );
        return refuse(AclError::RT_STREAM_CONTEXT, text);
    }
    stream.enqueue(Work::Custom(Arc::new(WaitWork { notify, limit })))
}

pub unsafe fn aclrtGetNotifyId(notify: NotifyHandle, id: *mut u32) -> Answer {
    check_out("notifyId", id)?;
    let notify = find(notify)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("notifyId", id, notify.id) }
}

pub unsafe fn aclrtNotifyBatchReset(notifies: *mut NotifyHandle, num: usize) -> Answer {
    check_out("notifies", notifies)?;
    if num == 0 || num > MAX_NOTIFIES {
        return invalid(format!("`num` is {num}; it must be 1 to {MAX_NOTIFIES}"));
    }
    let all: Vec<Arc<Notify>> = (0..num)
        // SAFETY: the array has `num` elements (contract of the C function).
        .map(|i| find(unsafe { notifies.wrapping_add(i).read_unaligned() }))
        .collect::<Answer<_>>()?;
    all.iter().for_each(|notify| notify.signal.clear());
    Ok(())
}

not_supported! {
    aclrtCntNotifyCreate(*mut CntNotifyHandle, u64) = "the documentation lists counter notifies as not supported on Atlas A2 (dav-2201)";
    aclrtCntNotifyDestroy(CntNotifyHandle) = "the documentation lists counter notifies as not supported on Atlas A2 (dav-2201)";
    aclrtCntNotifyRecord(CntNotifyHandle, StreamHandle, *mut CntNotifyRecordInfo) = "the documentation lists counter notifies as not supported on Atlas A2 (dav-2201)";
    aclrtCntNotifyWaitWithTimeout(CntNotifyHandle, StreamHandle, *mut CntNotifyWaitInfo) = "the documentation lists counter notifies as not supported on Atlas A2 (dav-2201)";
    aclrtCntNotifyReset(CntNotifyHandle, StreamHandle) = "the documentation lists counter notifies as not supported on Atlas A2 (dav-2201)";
    aclrtCntNotifyGetId(CntNotifyHandle, *mut u32) = "the documentation lists counter notifies as not supported on Atlas A2 (dav-2201)";
}
