//! Functions of the program that streams call; limits; reduction and random numbers.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::callback::{CallWork, Channel, HostCall, inbox_of, process, subscribe, unsubscribe};
use super::super::device::Direction;
use super::super::failure::{Answer, invalid, refuse};
use super::super::memory::Given;
use super::super::random::RandomWork;
use super::super::reduce::ReduceWork;
use super::super::state::{deadline_of, runtime};
use super::super::stream::{Stream, last_task_id};
use super::super::timeouts;
use super::super::work::Work;
use super::{check_out, give};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;
use toprope_abi::acl::{
    AclError, Callback, CallbackBlockType, DataType, HostFunc, RandomNumTaskInfo, ReduceKind, StreamHandle,
};

pub unsafe fn aclrtSubscribeReport(thread: u64, stream: StreamHandle) -> Answer {
    let stream = runtime().stream_here(stream.0)?;
    subscribe(Channel::Report, thread, &stream)
}

pub unsafe fn aclrtUnSubscribeReport(thread: u64, stream: StreamHandle) -> Answer {
    let stream = runtime().stream_here(stream.0)?;
    unsubscribe(Channel::Report, thread, &stream)
}

pub unsafe fn aclrtProcessReport(timeout: i32) -> Answer {
    process(Channel::Report, deadline_of(timeout)?)
}

/// The stream of the functions that do not take the default stream.
fn explicit(stream: StreamHandle) -> Answer<Arc<Stream>> {
    if stream.is_null() {
        return invalid("`exeStream` is null; the default stream cannot be served");
    }
    runtime().stream_here(stream.0)
}

pub unsafe fn aclrtSubscribeHostFunc(thread: u64, stream: StreamHandle) -> Answer {
    subscribe(Channel::HostFunc, thread, &*explicit(stream)?)
}

pub unsafe fn aclrtUnSubscribeHostFunc(thread: u64, stream: StreamHandle) -> Answer {
    unsubscribe(Channel::HostFunc, thread, &*explicit(stream)?)
}

pub unsafe fn aclrtProcessHostFunc(timeout: i32) -> Answer {
    process(Channel::HostFunc, deadline_of(timeout)?)
}

pub unsafe fn aclrtLaunchCallback(
    function: Callback,
    user_data: *mut c_void,
    block: CallbackBlockType,
    stream: StreamHandle,
) -> Answer {
    let Some(function) = function.0 else { return invalid("`fn` is null") };
    if block.name().is_none() {
        let text = format!(
            "`blockType` is {}; it must be 0 (ACL_CALLBACK_NO_BLOCK) or 1 (ACL_CALLBACK_BLOCK)",
            block.0
        );
        return invalid(text);
    }
    let stream = runtime().stream_here(stream.0)?;
    let inbox = inbox_of(Channel::Report, &stream)?;
    let call = HostCall { function, argument: user_data as u64, what: "a function of aclrtLaunchCallback" };
    let work = CallWork::report(call, inbox, block == CallbackBlockType::BLOCK);
    stream.enqueue(Work::Custom(Arc::new(work)))
}

pub unsafe fn aclrtLaunchHostFunc(stream: StreamHandle, function: HostFunc, argument: *mut c_void) -> Answer {
    let Some(function) = function.0 else { return invalid("`fn` is null") };
    let stream = runtime().stream_here(stream.0)?;
    let call = HostCall { function, argument: argument as u64, what: "a function of aclrtLaunchHostFunc" };
    let work = CallWork::host_func(call, &stream);
    stream.enqueue(Work::Custom(Arc::new(work)))
}

pub unsafe fn aclrtGetThreadLastTaskId(id: *mut u32) -> Answer {
    check_out("taskId", id)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("taskId", id, last_task_id()) }
}

pub unsafe fn aclrtSetOpExecuteTimeOut(seconds: u32) -> Answer {
    timeouts::set_execute(u64::from(seconds) * 1_000_000);
    Ok(())
}

pub unsafe fn aclrtSetOpExecuteTimeOutV2(us: u64, actual: *mut u64) -> Answer {
    check_out("actualTimeout", actual)?;
    let holds = timeouts::set_execute(us);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("actualTimeout", actual, holds) }
}

pub unsafe fn aclrtGetOpTimeOutInterval(interval: *mut u64) -> Answer {
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("interval", interval, timeouts::STEP_US) }
}

pub unsafe fn aclrtGetOpExecuteTimeout(ms: *mut u32) -> Answer {
    check_out("timeoutMs", ms)?;
    let limit = timeouts::execute(runtime().environment.time_limit);
    let limit = limit.map(|limit: Duration| u32::try_from(limit.as_micros().div_ceil(1000)));
    let limit = limit.and_then(Result::ok).unwrap_or(u32::MAX);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("timeoutMs", ms, limit) }
}

/// Checks that a range is memory of the stream's device.
fn check_device_range(name: &str, at: u64, bytes: u64, stream: &Stream) -> Answer {
    if at == 0 {
        return refuse(AclError::RT_PARAM_INVALID, format!("`{name}` is null"));
    }
    let device = stream.context.device;
    if Given::new("aclrtReduceAsync", name, at, bytes).is_on(runtime(), device)? {
        return Ok(());
    }
    let text = format!("`{name}` is {at:#x}, which is no memory of device {}, the stream's", device.index);
    refuse(AclError::RT_PARAM_INVALID, text)
}

pub unsafe fn aclrtReduceAsync(
    dst: *mut c_void,
    src: *const c_void,
    count: u64,
    kind: ReduceKind,
    ty: DataType,
    stream: StreamHandle,
    reserve: *mut c_void,
) -> Answer {
    if !reserve.is_null() {
        return refuse(AclError::RT_PARAM_INVALID, "`reserve` must be null");
    }
    let stream = runtime().stream_here(stream.0)?;
    let cycles = stream.context.device.copy_cycles(Direction::DeviceToDevice, count);
    let work = ReduceWork::new(dst as u64, src as u64, count, kind, ty, cycles)?;
    check_device_range("dst", dst as u64, count, &stream)?;
    check_device_range("src", src as u64, count, &stream)?;
    stream.enqueue(Work::Custom(Arc::new(work)))
}

pub unsafe fn aclrtRandomNumAsync(
    info: *const RandomNumTaskInfo,
    stream: StreamHandle,
    reserve: *mut c_void,
) -> Answer {
    check_out("taskInfo", info)?;
    if !reserve.is_null() {
        return refuse(AclError::RT_PARAM_INVALID, "`reserve` must be null");
    }
    let stream = runtime().stream_here(stream.0)?;
    // SAFETY: not null, valid (contract of the C function).
    let info = unsafe { info.read_unaligned() };
    check_device_range("randomResultAddr", info.random_result_addr as u64, 1, &stream)?;
    stream.enqueue(Work::Custom(Arc::new(RandomWork::new(info)?)))
}

not_supported! {
    aclrtSetOpExecuteTimeOutWithMs(u32) = "the documentation lists it as not supported on Atlas A2 (dav-2201); use aclrtSetOpExecuteTimeOutV2";
}
