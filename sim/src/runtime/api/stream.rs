//! Streams.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::callback;
use super::super::device::MAX_STREAMS;
use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::graph;
use super::super::handle::{HandleTable, Kind};
use super::super::mem_findings;
use super::super::order;
use super::super::site::CallSite;
use super::super::state::{deadline_of, runtime};
use super::super::state_callback;
use super::super::stream::Stream;
use super::{check_out, give, text};
use crate::sync::atomic::{AtomicU32, Ordering};
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock};
use toprope_abi::acl::{
    AclError, CONTINUE_ON_FAILURE, STOP_ON_FAILURE, STREAM_CPU_SCHEDULE, STREAM_DEVICE_USE_ONLY,
    STREAM_FAST_LAUNCH, STREAM_FAST_SYNC, STREAM_HUGE, STREAM_PERSISTENT, StreamAttr, StreamAttrValue,
    StreamConfig, StreamConfigAttr, StreamHandle, StreamState, StreamStateCallback, StreamStatus,
};
use toprope_abi::layout::CChar;

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
    let runtime = runtime();
    let context = runtime.current()?;
    context.check_running()?;
    let stream = runtime.new_stream(&context, priority.min(LOWEST_PRIORITY), flags, false)?;
    state_callback::stream_changed(stream.handle, StreamState::CREATE_POST);
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
    callback::check_outside("a stream is destroyed")?;
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
    graph::check_stream(&stream)?;
    graph::check_not_bound(&stream)?;
    state_callback::stream_changed(stream.handle, StreamState::DESTROY_PRE);
    let stream = runtime.streams.remove(stream.handle as *mut c_void)?;
    stream.close();
    if force {
        stream.drop_all();
    } else {
        let host = order::told_by_host();
        stream.wait_idle(None);
        if let Some(who) = host.and_then(|host| order::unfinished_task(&host, stream.short_name())) {
            mem_findings::destroyed_unwaited("aclrtDestroyStream", &stream, &who, CallSite::here());
        }
    }
    callback::forget_stream(stream.handle);
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

/// A stream for a call that waits for it or looks at its work, which is not possible during a capture.
fn find_to_look(stream: StreamHandle) -> Answer<Arc<Stream>> {
    let stream = find(stream)?;
    graph::check_stream(&stream)?;
    Ok(stream)
}

pub unsafe fn aclrtSynchronizeStream(stream: StreamHandle) -> Answer {
    find_to_look(stream)?.synchronize(None)
}

pub unsafe fn aclrtSynchronizeStreamWithTimeout(stream: StreamHandle, timeout: i32) -> Answer {
    let deadline = deadline_of(timeout)?;
    find_to_look(stream)?.synchronize(deadline)
}

pub unsafe fn aclrtStreamQuery(stream: StreamHandle, status: *mut StreamStatus) -> Answer {
    check_out("status", status)?;
    let stream = find_to_look(stream)?;
    let idle = stream.is_idle();
    if idle {
        order::host_learns_of(&stream.timeline);
        stream.report_news()?;
    }
    let answer = if idle { StreamStatus::COMPLETE } else { StreamStatus::NOT_READY };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("status", status, answer) }
}

fn set_failure_mode(stream: &Stream, mode: u64) -> Answer {
    if mode != u64::from(CONTINUE_ON_FAILURE) && mode != u64::from(STOP_ON_FAILURE) {
        return invalid(format!(
            "`mode` is {mode}; it must be 0 (ACL_CONTINUE_ON_FAILURE) or 1 (ACL_STOP_ON_FAILURE)"
        ));
    }
    stream.set_stop_on_failure(mode == u64::from(STOP_ON_FAILURE))
}

pub unsafe fn aclrtSetStreamFailureMode(stream: StreamHandle, mode: u64) -> Answer {
    set_failure_mode(&*runtime().stream_here(stream.0)?, mode)
}

/// One of the numbers that a getter gives out.
unsafe fn number<T>(
    stream: StreamHandle,
    name: &str,
    out: *mut T,
    read: impl FnOnce(&Stream) -> T,
) -> Answer {
    check_out(name, out)?;
    let value = read(&*find(stream)?);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give(name, out, value) }
}

pub unsafe fn aclrtStreamGetId(stream: StreamHandle, id: *mut i32) -> Answer {
    // SAFETY: the same contract.
    unsafe { number(stream, "streamId", id, |s| s.id.cast_signed()) }
}

pub unsafe fn aclrtStreamGetPriority(stream: StreamHandle, priority: *mut u32) -> Answer {
    // SAFETY: the same contract.
    unsafe { number(stream, "priority", priority, Stream::priority) }
}

pub unsafe fn aclrtStreamGetFlags(stream: StreamHandle, flags: *mut u32) -> Answer {
    // SAFETY: the same contract.
    unsafe { number(stream, "flags", flags, |s| s.flags) }
}

pub unsafe fn aclrtGetStreamAvailableNum(count: *mut u32) -> Answer {
    check_out("streamCount", count)?;
    let runtime = runtime();
    let device = runtime.current()?.device.index;
    let made = runtime.streams.count(|s| s.context.device.index == device);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("streamCount", count, MAX_STREAMS.saturating_sub(made) as u32) }
}

fn check_switch(name: &str, value: u32) -> Answer {
    match value {
        0 | 1 => Ok(()),
        _ => refuse(AclError::RT_PARAM_INVALID, format!("`{name}` is {value}; it must be 0 (off) or 1 (on)")),
    }
}

pub unsafe fn aclrtSetStreamOverflowSwitch(stream: StreamHandle, flag: u32) -> Answer {
    check_switch("flag", flag)?;
    find(stream)?.attributes.overflow_switch.store(flag, Ordering::Relaxed);
    Ok(())
}

pub unsafe fn aclrtGetStreamOverflowSwitch(stream: StreamHandle, flag: *mut u32) -> Answer {
    // SAFETY: the same contract.
    unsafe { number(stream, "flag", flag, |s| s.attributes.overflow_switch.load(Ordering::Relaxed)) }
}

fn unknown_attribute(which: StreamAttr) -> Answer {
    let text = format!("`stmAttrType` is {}, which is no aclrtStreamAttr (1 to 5)", which.0);
    refuse(AclError::RT_PARAM_INVALID, text)
}

pub unsafe fn aclrtSetStreamAttribute(
    stream: StreamHandle,
    which: StreamAttr,
    value: *mut StreamAttrValue,
) -> Answer {
    check_out("value", value)?;
    let stream = find(stream)?;
    // SAFETY: not null, valid (contract of the C function); every field begins where the union does.
    let long = unsafe { value.cast::<u64>().read_unaligned() };
    let short = long as u32;
    let keep = |at: &AtomicU32| at.store(short, Ordering::Relaxed);
    match which {
        StreamAttr::FAILURE_MODE => {
            if stream.is_default {
                let text = "the failure mode of a default stream cannot be set as an attribute";
                return Err(
                    Failure::new(AclError::RT_PARAM_INVALID, text).help("use a stream of aclrtCreateStream")
                );
            }
            return set_failure_mode(&stream, long);
        }
        StreamAttr::FLOAT_OVERFLOW_CHECK => {
            check_switch("overflowSwitch", short)?;
            keep(&stream.attributes.overflow_switch);
        }
        StreamAttr::USER_CUSTOM_TAG => keep(&stream.attributes.custom_tag),
        StreamAttr::CACHE_OP_INFO => {
            check_switch("cacheOpInfoSwitch", short)?;
            keep(&stream.attributes.cache_op_info);
        }
        StreamAttr::PRIORITY if short > LOWEST_PRIORITY => {
            let text = format!("`streamPriority` is {short}; it must be 0 (highest) to {LOWEST_PRIORITY}");
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        StreamAttr::PRIORITY => stream.set_priority(short),
        _ => return unknown_attribute(which),
    }
    Ok(())
}

pub unsafe fn aclrtGetStreamAttribute(
    stream: StreamHandle,
    which: StreamAttr,
    value: *mut StreamAttrValue,
) -> Answer {
    check_out("value", value)?;
    let stream = find(stream)?;
    let attributes = &stream.attributes;
    let number = match which {
        StreamAttr::FAILURE_MODE => u32::from(stream.context.stops_on_failure()),
        StreamAttr::FLOAT_OVERFLOW_CHECK => attributes.overflow_switch.load(Ordering::Relaxed),
        StreamAttr::USER_CUSTOM_TAG => attributes.custom_tag.load(Ordering::Relaxed),
        StreamAttr::CACHE_OP_INFO => attributes.cache_op_info.load(Ordering::Relaxed),
        StreamAttr::PRIORITY => stream.priority(),
        _ => return unknown_attribute(which),
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("value", value, StreamAttrValue { failure_mode: number.into() }) }
}

/// A stream that may be stopped or aborted.
fn abortable(stream: StreamHandle) -> Answer<Arc<Stream>> {
    let stream = find(stream)?;
    if stream.interceptor().is_some() || stream.flags & STREAM_PERSISTENT != 0 {
        let text = format!("{} belongs to a graph, so it can be neither stopped nor aborted", stream.name());
        return refuse(AclError::RT_STREAM_MODEL, text);
    }
    Ok(stream)
}

pub unsafe fn aclrtStreamAbort(stream: StreamHandle) -> Answer {
    let stream = abortable(stream)?;
    let text = format!("aclrtStreamAbort dropped work of {}", stream.name());
    let why = Failure::new(AclError::RT_STREAM_ABORT, text).help("enqueue again what is still wanted");
    stream.abort(&why, None).map(|_| ())
}

pub unsafe fn aclrtStreamStop(stream: StreamHandle) -> Answer {
    if stream.is_null() {
        return invalid("`stream` is null; the default stream cannot be stopped");
    }
    abortable(stream)?.stop_task()
}

pub unsafe fn aclrtRegStreamStateCallback(
    name: *const CChar,
    callback: StreamStateCallback,
    argument: *mut c_void,
) -> Answer {
    // SAFETY: null or a C string (contract of the C function).
    let name = unsafe { text("regName", name) }?;
    state_callback::set_stream_callback(&name, callback, argument)
}

/// What `aclrtSetStreamConfigOpt` collects.
#[derive(Clone, Copy, Debug, Default)]
struct Config {
    priority: u32,
    flags: u32,
}

static CONFIGS: LazyLock<HandleTable<Mutex<Config>>> = LazyLock::new(|| HandleTable::new(Kind::StreamConfig));

pub unsafe fn aclrtCreateStreamConfigHandle() -> *mut StreamConfig {
    let handle = CONFIGS.reserve();
    CONFIGS.insert(handle, Arc::default());
    handle as *mut StreamConfig
}

fn find_config(handle: *const StreamConfig) -> Answer<Arc<Mutex<Config>>> {
    check_out("handle", handle)?;
    CONFIGS.get(handle.cast_mut().cast())
}

pub unsafe fn aclrtDestroyStreamConfigHandle(handle: *mut StreamConfig) -> Answer {
    find_config(handle)?;
    CONFIGS.remove(handle.cast())?;
    Ok(())
}

/// The attributes of a configuration with the size of their values, bytes.
const CONFIG_SIZES: [(StreamConfigAttr, usize); 4] = [
    (StreamConfigAttr::WORK_ADDR_PTR, 8),
    (StreamConfigAttr::WORK_SIZE, 8),
    (StreamConfigAttr::FLAG, 4),
    (StreamConfigAttr::PRIORITY, 4),
];

pub unsafe fn aclrtSetStreamConfigOpt(
    handle: *mut StreamConfig,
    which: StreamConfigAttr,
    value: *const c_void,
    size: usize,
) -> Answer {
    let config = find_config(handle)?;
    check_out("attrValue", value)?;
    let Some((_, wanted)) = CONFIG_SIZES.into_iter().find(|(attr, _)| *attr == which) else {
        return invalid(format!("`attr` is {}, which is no aclrtStreamConfigAttr (0 to 3)", which.0));
    };
    if size < wanted {
        return invalid(format!(
            "`valueSize` is {size}, but the value of attribute {} has {wanted} bytes",
            which.0
        ));
    }
    // SAFETY: not null, and at least 4 bytes long (checked; contract of the C function).
    let number = unsafe { value.cast::<u32>().read_unaligned() };
    let mut config = config.lock();
    match which {
        StreamConfigAttr::PRIORITY if number > LOWEST_PRIORITY => {
            return invalid(format!("the priority is {number}; it must be 0 (highest) to {LOWEST_PRIORITY}"));
        }
        StreamConfigAttr::PRIORITY => config.priority = number,
        StreamConfigAttr::FLAG => config.flags = number,
        // Work memory of offline models, which do not run here.
        _ => {}
    }
    Ok(())
}

pub unsafe fn aclrtCreateStreamV2(stream: *mut StreamHandle, handle: *const StreamConfig) -> Answer {
    let config = *find_config(handle)?.lock();
    // SAFETY: the same contract.
    unsafe { create(stream, config.priority, config.flags) }
}

not_supported! {}
