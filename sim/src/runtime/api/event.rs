//! Events.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::callback;
use super::super::device::MAX_EVENTS;
use super::super::event::{Event, Family, Mark, PLAIN_FLAGS, ResetWork, check_flags};
use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::graph;
use super::super::ipc;
use super::super::order;
use super::super::process;
use super::super::state::{deadline_of, help, runtime};
use super::super::stream::Stream;
use super::super::timeouts;
use super::super::work::Work;
use super::{check_out, give};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::{Duration, Instant};
use toprope_abi::acl::{
    AclError, EVENT_EXTERNAL, EVENT_IPC, EVENT_WAIT_EXTERNAL, EventHandle, EventRecordedStatus, EventStatus,
    EventWaitStatus, StreamHandle,
};

unsafe fn create(out: *mut EventHandle, family: Family, flags: u32) -> Answer {
    check_out("event", out)?;
    // Only this function makes events for several processes.
    let is_shared = family == Family::Ex && flags == EVENT_IPC;
    // For updates of graphs.
    let is_external = family == Family::WithFlag && flags == EVENT_EXTERNAL;
    if family != Family::Plain && !is_shared && !is_external {
        check_flags(flags)?;
    }
    let runtime = runtime();
    let device = runtime.current()?.device.index;
    let made = runtime.events.count(|e| e.device == device);
    if made >= MAX_EVENTS {
        return refuse(
            AclError::RT_NO_EVENT_RESOURCE,
            format!("device {device} has {made} events, which is the limit"),
        );
    }
    let handle = runtime.events.reserve();
    let made = Arc::new(Event::new(handle, family, flags, device));
    if is_shared {
        ipc::event::created(&made);
    }
    runtime.events.insert(handle, made);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("event", out, EventHandle(handle as *mut c_void)) }
}

pub unsafe fn aclrtCreateEvent(event: *mut EventHandle) -> Answer {
    // SAFETY: the same contract.
    unsafe { create(event, Family::Plain, PLAIN_FLAGS) }
}

pub unsafe fn aclrtCreateEventWithFlag(event: *mut EventHandle, flag: u32) -> Answer {
    // SAFETY: the same contract.
    unsafe { create(event, Family::WithFlag, flag) }
}

pub unsafe fn aclrtCreateEventExWithFlag(event: *mut EventHandle, flag: u32) -> Answer {
    // SAFETY: the same contract.
    unsafe { create(event, Family::Ex, flag) }
}

pub(super) fn find(event: EventHandle) -> Answer<Arc<Event>> {
    process::check_not_forked()?;
    if event.is_null() {
        return invalid("`event` is null");
    }
    runtime().events.get(event.0)
}

/// An event for a call that waits for it or looks at it, which is not possible during a capture.
fn find_to_look(event: EventHandle) -> Answer<Arc<Event>> {
    let event = find(event)?;
    graph::check_event(&event)?;
    Ok(event)
}

pub unsafe fn aclrtDestroyEvent(event: EventHandle) -> Answer {
    let event = find(event)?;
    graph::event_destroyed(&event);
    runtime().events.remove(event.handle as *mut c_void)?;
    if ipc::event::is_shared(&event) {
        ipc::event::destroyed(&event);
    }
    Ok(())
}

/// Event and stream of a call that puts something into a stream.
fn pair(event: EventHandle, stream: StreamHandle) -> Answer<(Arc<Event>, Arc<Stream>)> {
    let event = find(event)?;
    let stream = runtime().stream_here(stream.0)?;
    let device = stream.context.device.index;
    if event.device == device {
        return Ok((event, stream));
    }
    let text =
        format!("the event belongs to device {}, but {} to device {device}", event.device, stream.name());
    refuse(AclError::RT_STREAM_CONTEXT, text)
}

pub unsafe fn aclrtRecordEvent(event: EventHandle, stream: StreamHandle) -> Answer {
    record(event, stream, None)
}

/// `aclrtRecordEventWithFlag`.
pub(super) fn record_flagged(event: EventHandle, stream: StreamHandle, flag: u32) -> Answer {
    record(event, stream, Some(flag))
}

fn record(event: EventHandle, stream: StreamHandle, flag: Option<u32>) -> Answer {
    let (event, stream) = pair(event, stream)?;
    if graph::take_record(&event, &stream, flag)? {
        return Ok(());
    }
    if ipc::event::is_shared(&event) {
        return ipc::event::record(&event, &stream);
    }
    let mark = Arc::new(Mark::default());
    stream.enqueue(Work::Record { event: event.clone(), mark: mark.clone() })?;
    event.recorded(mark.clone(), stream);
    graph::recorded(&event, &mark);
    Ok(())
}

pub unsafe fn aclrtResetEvent(event: EventHandle, stream: StreamHandle) -> Answer {
    let (event, stream) = pair(event, stream)?;
    event.check_reset()?;
    if graph::take_reset(&event, &stream)? {
        return Ok(());
    }
    stream.enqueue(Work::Custom(Arc::new(ResetWork(event.clone()))))?;
    event.reset();
    Ok(())
}

/// `aclrtStreamWaitEventWithFlag`.
pub(super) fn wait_flagged(stream: StreamHandle, event: EventHandle, timeout_s: u32, flag: u32) -> Answer {
    if flag == EVENT_WAIT_EXTERNAL && timeout_s != 0 {
        let text = format!(
            "`timeout` is {timeout_s}; a wait with ACL_EVENT_WAIT_EXTERNAL has no time limit, so it must be 0"
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let limit = (timeout_s > 0).then(|| Duration::from_secs(timeout_s.into()));
    wait(stream, event, limit, Some(flag))
}

fn wait(stream: StreamHandle, event: EventHandle, limit: Option<Duration>, flag: Option<u32>) -> Answer {
    let (event, stream) = pair(event, stream)?;
    if graph::take_wait(&event, &stream, flag)? {
        return Ok(());
    }
    if ipc::event::is_shared(&event) {
        return ipc::event::wait(&event, &stream, limit);
    }
    let Some(mark) = event.to_wait_for()? else { return Ok(()) };
    event.wait_begins();
    stream.enqueue(Work::Wait { event: event.clone(), mark, limit }).inspect_err(|_| event.wait_ends())
}

pub unsafe fn aclrtStreamWaitEvent(stream: StreamHandle, event: EventHandle) -> Answer {
    wait(stream, event, timeouts::wait(), None)
}

pub unsafe fn aclrtStreamWaitEventWithTimeout(
    stream: StreamHandle,
    event: EventHandle,
    timeout: i32,
) -> Answer {
    let Ok(seconds) = u64::try_from(timeout) else {
        let text = format!("`timeout` is {timeout}; it must be 0 (no limit) or a positive number of seconds");
        return refuse(AclError::RT_PARAM_INVALID, text);
    };
    wait(stream, event, (seconds > 0).then(|| Duration::from_secs(seconds)), None)
}

pub unsafe fn aclrtQueryEvent(event: EventHandle, status: *mut EventStatus) -> Answer {
    check_out("status", status)?;
    let event = find_to_look(event)?;
    event.check_old_query()?;
    let answer = if event.is_complete() { EventStatus::COMPLETE } else { EventStatus::NOT_READY };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("status", status, answer) }
}

pub unsafe fn aclrtQueryEventStatus(event: EventHandle, status: *mut EventRecordedStatus) -> Answer {
    check_out("status", status)?;
    let event = find_to_look(event)?;
    let complete = match ipc::event::is_shared(&event) {
        true => ipc::event::is_complete(&event)?,
        false => event.is_complete(),
    };
    let answer = if complete { EventRecordedStatus::COMPLETE } else { EventRecordedStatus::NOT_READY };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("status", status, answer) }
}

pub unsafe fn aclrtQueryEventWaitStatus(event: EventHandle, status: *mut EventWaitStatus) -> Answer {
    check_out("status", status)?;
    let event = find_to_look(event)?;
    event.check_old_query()?;
    if event.no_waits_open() {
        event.is_complete();
    }
    let answer = if event.no_waits_open() { EventWaitStatus::COMPLETE } else { EventWaitStatus::NOT_READY };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("status", status, answer) }
}

fn synchronize(event: EventHandle, deadline: Option<Instant>) -> Answer {
    callback::check_outside("an event is synchronised")?;
    let event = find_to_look(event)?;
    if ipc::event::is_shared(&event) {
        return ipc::event::synchronize(&event, deadline);
    }
    let Some((mark, stream)) = event.latest_record() else {
        if event.family == Family::Ex {
            return Ok(());
        }
        return refuse(
            AclError::RT_PARAM_INVALID,
            "the event was never recorded, so waiting for it would never end",
        );
    };
    if !mark.wait(deadline, || help() || deadline.is_none() && stream.help_with_kernel()) {
        let text =
            format!("the event did not happen in the time given; of {}: {}", stream.name(), stream.doing());
        return Err(
            Failure::new(AclError::RT_EVENT_SYNC_TIMEOUT, text).help("wait longer, or look for what hangs")
        );
    }
    order::host_learns_mark(mark.told());
    if let Some(cycle) = mark.passed_at() {
        stream.context.device.see_cycle(cycle);
    }
    stream.report_news()
}

pub unsafe fn aclrtSynchronizeEvent(event: EventHandle) -> Answer {
    synchronize(event, None)
}

pub unsafe fn aclrtSynchronizeEventWithTimeout(event: EventHandle, timeout: i32) -> Answer {
    synchronize(event, deadline_of(timeout)?)
}

pub unsafe fn aclrtEventElapsedTime(ms: *mut f32, start: EventHandle, end: EventHandle) -> Answer {
    check_out("ms", ms)?;
    let (start, end) = (find_to_look(start)?, find_to_look(end)?);
    let (begin, finish) = (start.time("start event")?, end.time("end event")?);
    if begin > finish || start.device != end.device {
        return refuse(
            AclError::RT_EVENT_TIMESTAMP_REVERSAL,
            "the end event happened before the start event",
        );
    }
    let us = runtime().device(start.device.into())?.cycles_to_us(finish - begin);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("ms", ms, (us / 1000.0) as f32) }
}

pub unsafe fn aclrtEventGetTimestamp(event: EventHandle, timestamp: *mut u64) -> Answer {
    check_out("timestamp", timestamp)?;
    let event = find_to_look(event)?;
    let cycle = event.time("event")?;
    let us = runtime().device(event.device.into())?.cycles_to_us(cycle);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("timestamp", timestamp, us as u64) }
}

pub unsafe fn aclrtSetOpWaitTimeout(seconds: u32) -> Answer {
    timeouts::set_wait(seconds);
    Ok(())
}

pub unsafe fn aclrtGetEventId(event: EventHandle, id: *mut u32) -> Answer {
    check_out("eventId", id)?;
    let event = find(event)?;
    if ipc::event::is_shared(&event) {
        return refuse(AclError::RT_FEATURE_NOT_SUPPORT, "an event with ACL_EVENT_IPC has no number");
    }
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("eventId", id, event.id) }
}

pub unsafe fn aclrtGetEventAvailNum(count: *mut u32) -> Answer {
    check_out("eventCount", count)?;
    let runtime = runtime();
    let device = runtime.current()?.device.index;
    let made = runtime.events.count(|e| e.device == device);
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("eventCount", count, MAX_EVENTS.saturating_sub(made) as u32) }
}

not_supported! {}
