//! Streams.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::state::{deadline_of, runtime};
use super::super::stream::Stream;
use super::{check_out, give};
use std::ffi::c_void;
use std::sync::Arc;
use toprope_abi::acl::{
    AclError, CONTINUE_ON_FAILURE, STOP_ON_FAILURE, STREAM_CPU_SCHEDULE, STREAM_DEVICE_USE_ONLY,
    STREAM_FAST_LAUNCH, STREAM_FAST_SYNC, STREAM_HUGE, STREAM_PERSISTENT, StreamHandle, StreamStatus,
};

/// Lowest priority; larger numbers mean this one.
const LOWEST_PRIORITY: u32 = 7;
const KNOWN_FLAGS: u32 = STREAM_FAST_LAUNCH
    | STREAM_FAST_SYNC
    | STREAM_PERSISTENT
    | STREAM_HUGE
    | STREAM_CPU_SCHEDULE
    | STREAM_DEVICE_USE_ONLY;

unsafe fn create(out: *mut StreamHandle, priority: u32, flags: u32) -> Answer {
    check_out("stream", out)?;
    if flags & !KNOWN_FLAGS != 0 {
        let text =
            format!("`flag` is {flags:#x}, which is not made of the ACL_STREAM_* bits ({KNOWN_FLAGS:#x})");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    if flags & STREAM_HUGE != 0 {
        return Err(Failure::new(
            AclError::RT_FEATURE_NOT_SUPPORT,
            "ACL_STREAM_HUGE is not offered by dav-2201",
        )
        .help("make the stream without it"));
    }
    let runtime = runtime();
    let context = runtime.current()?;
    context.check_running()?;
    let stream = runtime.new_stream(&context, priority.min(LOWEST_PRIORITY), flags, false)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("stream", out, StreamHandle(stream.handle as *mut c_void)) }
}

pub unsafe fn aclrtCreateStream(stream: *mut StreamHandle) -> Answer {
    // SAFETY: the same contract.
    unsafe { create(stream, 0, 0) }
}

pub unsafe fn aclrtCreateStreamWithConfig(stream: *mut StreamHandle, priority: u32, flag: u32) -> Answer {
    // SAFETY: the same contract.
    unsafe { create(stream, priority, flag) }
}

fn destroy(handle: StreamHandle, force: bool) -> Answer {
    if handle.is_null() {
        return Err(Failure::new(
            AclError::INVALID_PARAM,
            "`stream` is null; the default stream cannot be destroyed",
        )
        .help("it goes with its context (aclrtDestroyContext, aclrtResetDevice)"));
    }
    let runtime = runtime();
    let stream = runtime.stream_here(handle.0)?;
    if stream.is_default {
        return refuse(
            AclError::RT_PARAM_INVALID,
            "this is the default stream of its context, which cannot be destroyed",
        );
    }
    let stream = runtime.streams.remove(stream.handle as *mut c_void)?;
    stream.close();
    if force {
        stream.drop_waiting();
    } else {
        stream.wait_idle(None);
    }
    // A fault nobody asked for was printed with its findings.
    let _ = stream.report_news();
    Ok(())
}

pub unsafe fn aclrtDestroyStream(stream: StreamHandle) -> Answer {
    destroy(stream, false)
}

pub unsafe fn aclrtDestroyStreamForce(stream: StreamHandle) -> Answer {
    destroy(stream, true)
}

fn find(stream: StreamHandle) -> Answer<Arc<Stream>> {
    runtime().stream(stream.0)
}

pub unsafe fn aclrtSynchronizeStream(stream: StreamHandle) -> Answer {
    find(stream)?.synchronize(None)
}

pub unsafe fn aclrtSynchronizeStreamWithTimeout(stream: StreamHandle, timeout: i32) -> Answer {
    let deadline = deadline_of(timeout)?;
    find(stream)?.synchronize(deadline)
}

pub unsafe fn aclrtStreamQuery(stream: StreamHandle, status: *mut StreamStatus) -> Answer {
    check_out("status", status)?;
    let stream = find(stream)?;
    let idle = stream.is_idle();
    if idle {
        stream.report_news()?;
    }
    let answer = if idle { StreamStatus::COMPLETE } else { StreamStatus::NOT_READY };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("status", status, answer) }
}

pub unsafe fn aclrtSetStreamFailureMode(stream: StreamHandle, mode: u64) -> Answer {
    if mode != u64::from(CONTINUE_ON_FAILURE) && mode != u64::from(STOP_ON_FAILURE) {
        return invalid(format!(
            "`mode` is {mode}; it must be 0 (ACL_CONTINUE_ON_FAILURE) or 1 (ACL_STOP_ON_FAILURE)"
        ));
    }
    runtime().stream_here(stream.0)?.set_stop_on_failure(mode == u64::from(STOP_ON_FAILURE))
}

not_supported! {
    aclrtStreamGetId(StreamHandle, *mut i32) = "not modelled yet";
    aclrtStreamGetPriority(StreamHandle, *mut u32) = "not modelled yet";
    aclrtStreamGetFlags(StreamHandle, *mut u32) = "not modelled yet";
    aclrtSetStreamOverflowSwitch(StreamHandle, u32) = "not modelled yet";
    aclrtGetStreamOverflowSwitch(StreamHandle, *mut u32) = "not modelled yet";
    aclrtStreamAbort(StreamHandle) = "not modelled yet";
    aclrtGetStreamAvailableNum(*mut u32) = "not modelled yet";
    aclrtSetStreamAttribute(StreamHandle, StreamAttr, *mut StreamAttrValue) = "not modelled yet";
    aclrtGetStreamAttribute(StreamHandle, StreamAttr, *mut StreamAttrValue) = "not modelled yet";
    aclrtRegStreamStateCallback(*const CChar, StreamStateCallback, *mut c_void) = "not modelled yet";
    aclrtStreamStop(StreamHandle) = "not modelled yet";
    aclrtSetStreamConfigOpt(*mut StreamConfig, StreamConfigAttr, *const c_void, usize) = "not modelled yet";
    aclrtCreateStreamV2(*mut StreamHandle, *const StreamConfig) = "not modelled yet";
    aclrtCreateStreamConfigHandle() -> *mut StreamConfig = "not modelled yet";
    aclrtDestroyStreamConfigHandle(*mut StreamConfig) = "not modelled yet";
}
