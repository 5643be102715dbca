//! Events in graphs.
//!
//! | event, call | in a captured stream | when the graph runs |
//! |---|---|---|
//! | Ex + SYNC, record and wait | an edge between lanes | lanes wait for each other |
//! | Ex + SYNC, `…WithFlag(EXTERNAL)` | kept | the execution settles it when it is asked for: a record is what later waits see, a wait takes the latest record |
//! | made with EXTERNAL, wait and reset | kept | waits until the event is set, clears it |
//! | others | 207000 | |
//!
//! Streams of built graphs (`ACL_STREAM_PERSISTENT`) know only events that keep their state: made by
//! `aclrtCreateEventWithFlag`.

use super::super::event::{Event, Family, Mark};
use super::super::failure::{Answer, Failure, current_function, refuse};
use super::super::order;
use super::super::stream::Stream;
use super::super::work::{DeviceWork, Learns, Turn};
use super::capture::{self, registry};
use super::model::{Op, Origin};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use toprope_abi::acl::{AclError, EVENT_EXTERNAL, EVENT_IPC, EVENT_SYNC, STREAM_PERSISTENT};

/// What is done with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventUse {
    /// Recorded.
    Record,
    /// Waited for.
    Wait,
    /// Cleared.
    Reset,
}

// ---- events that keep their state ------------------------------------------------------------------------------------

type OnSet = Box<dyn FnOnce(&Arc<Mark>) + Send>;

/// Who waits until an event is recorded, by the event's handle.
static WAITERS: LazyLock<Mutex<HashMap<u64, Vec<OnSet>>>> = LazyLock::new(Mutex::default);
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// Sets, waits for or clears an event as the hardware does it.
#[derive(Debug)]
pub struct Signal {
    /// What it does.
    pub kind: EventUse,
    /// The event.
    pub event: Arc<Event>,
}

impl DeviceWork for Signal {
    fn start(self: Arc<Self>, turn: Turn) {
        match self.kind {
            EventUse::Record => {
                let mark = Arc::new(Mark::default());
                if order::is_on() {
                    mark.tell(turn.stream().timeline.told());
                }
                mark.pass(turn.begin());
                self.event.recorded(mark.clone(), turn.stream().clone());
                recorded(&self.event, &mark);
            }
            EventUse::Reset => self.event.reset(),
            EventUse::Wait => {
                let go_on = move |mark: &Arc<Mark>| {
                    let set = turn.clone();
                    let on_pass = Box::new(move |cycle: u64| {
                        set.end(Ok(()), cycle);
                    });
                    if let Err((_, cycle)) = mark.on_pass(on_pass) {
                        turn.end(Ok(()), cycle);
                    }
                };
                return when_set(&self.event, Box::new(go_on));
            }
        }
        let at = turn.begin();
        turn.end(Ok(()), at);
    }

    fn skip(&self, _: &Stream) {}

    fn interrupt(&self, _: &Stream) -> bool {
        true
    }

    fn learns(&self) -> Learns {
        if self.kind == EventUse::Wait { Learns::Everything } else { Learns::Nothing }
    }

    fn doing(&self) -> String {
        match self.kind {
            EventUse::Record => "event record".into(),
            EventUse::Reset => "event reset".into(),
            EventUse::Wait => format!("it waits until event {:#x} is recorded", self.event.handle),
        }
    }
}

fn when_set(event: &Arc<Event>, go_on: OnSet) {
    let latest = {
        let mut waiters = WAITERS.lock();
        match event.latest() {
            Some(mark) => mark,
            None => {
                WAITING.fetch_add(1, Ordering::SeqCst);
                waiters.entry(event.handle).or_default().push(go_on);
                return;
            }
        }
    };
    go_on(&latest);
}

/// An event got a new record: whoever waits for it to be set looks again.
pub fn recorded(event: &Event, mark: &Arc<Mark>) {
    if WAITING.load(Ordering::SeqCst) == 0 {
        return;
    }
    let list = {
        let mut waiters = WAITERS.lock();
        let list = waiters.remove(&event.handle).unwrap_or_default();
        WAITING.fetch_sub(list.len(), Ordering::SeqCst);
        list
    };
    for go_on in list {
        go_on(mark);
    }
}

// ---- record, wait and reset calls ------------------------------------------------------------------------------------

/// Which kind of record and of wait an event is used with, once `…WithFlag` has settled it.
static SETTLED: LazyLock<Mutex<HashMap<(u64, EventUse), bool>>> = LazyLock::new(Mutex::default);

/// Checks what the two calls with a flag need; `true`: EXTERNAL.
///
/// # Errors
/// 107000 for an unknown flag, a changed flag or an unfit event.
fn check_flag(event: &Event, usage: EventUse, flag: u32) -> Answer<bool> {
    if flag > 1 {
        let text = format!("`flag` is {flag}; it must be 0 (default) or 1 (EXTERNAL)");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let is_external = flag == 1;
    let first = *SETTLED.lock().entry((event.handle, usage)).or_insert(is_external);
    if first != is_external {
        let text = format!(
            "the event was used with flag {} before; an event keeps to one flag for all its {}",
            u32::from(first),
            if usage == EventUse::Record { "records" } else { "waits" }
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    if is_external && (event.family != Family::Ex || event.flags != EVENT_SYNC) {
        let text = format!(
            "the event was made with flag {:#x}; EXTERNAL needs one of aclrtCreateEventExWithFlag with ACL_EVENT_SYNC alone",
            event.flags
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    Ok(is_external)
}

/// An event is destroyed.
pub fn event_destroyed(event: &Event) {
    SETTLED.lock().retain(|(handle, _), _| *handle != event.handle);
    if capture::any() {
        registry(|r| r.forget_event(event.handle));
    }
}

/// Takes a record if it belongs to a graph; `false`: the stream does it. `flag`: that of `aclrtRecordEventWithFlag`.
///
/// # Errors
/// 107029 for EXTERNAL outside a capture, 207000 for unfit events, those of the capture.
pub fn take_record(event: &Arc<Event>, stream: &Arc<Stream>, flag: Option<u32>) -> Answer<bool> {
    if let Some(flag) = flag
        && check_flag(event, EventUse::Record, flag)?
    {
        return external(event, stream, EventUse::Record);
    }
    if stream.flags & STREAM_PERSISTENT != 0 {
        return in_built_graph(event, stream, EventUse::Record);
    }
    if !capture::any() {
        return Ok(false);
    }
    registry(|r| {
        if r.of_stream(stream.handle).is_none() {
            // A record outside: from now on the event has nothing to do with the capture.
            r.forget_event(event.handle);
            return Ok(false);
        }
        if event.family != Family::Ex || event.flags & EVENT_IPC != 0 {
            return keeps_state(r, event, stream, EventUse::Record);
        }
        // An event that nothing can wait for leaves no trace in a graph.
        if event.flags & EVENT_SYNC != 0 {
            r.record(stream, event)?;
        }
        Ok(true)
    })
}

/// Takes a wait if it belongs to a graph; `false`: the stream does it.
///
/// # Errors
/// As [`take_record`]; 107024 in a captured stream for an event recorded outside.
pub fn take_wait(event: &Arc<Event>, stream: &Arc<Stream>, flag: Option<u32>) -> Answer<bool> {
    if let Some(flag) = flag
        && check_flag(event, EventUse::Wait, flag)?
    {
        return external(event, stream, EventUse::Wait);
    }
    if stream.flags & STREAM_PERSISTENT != 0 {
        return in_built_graph(event, stream, EventUse::Wait);
    }
    if !capture::any() {
        return Ok(false);
    }
    registry(|r| {
        if r.of_event(event.handle).is_some() {
            return r.wait(stream, event).map(|()| true);
        }
        let Some((capture, _)) = r.of_stream(stream.handle) else { return Ok(false) };
        if event.family != Family::Ex || event.flags & EVENT_IPC != 0 {
            return keeps_state(r, event, stream, EventUse::Wait);
        }
        if event.latest().is_none() {
            return event.check_sync().map(|()| true);
        }
        let text = format!(
            "{} waits for an event whose record is not in {}; captured work cannot depend on work outside",
            stream.name(),
            capture.title()
        );
        capture.spoil(&text);
        Err(Failure::new(AclError::RT_CAPTURE_DEPENDENCY, text).help(
            "record the event in a captured stream, or use aclrtStreamWaitEventWithFlag with ACL_EVENT_WAIT_EXTERNAL",
        ))
    })
}

/// Takes a reset if it belongs to a graph; `false`: the stream does it.
///
/// # Errors
/// 207000 for events that cannot be reset there.
pub fn take_reset(event: &Arc<Event>, stream: &Arc<Stream>) -> Answer<bool> {
    if stream.flags & STREAM_PERSISTENT != 0 {
        return in_built_graph(event, stream, EventUse::Reset);
    }
    if !capture::any() {
        return Ok(false);
    }
    registry(|r| match r.of_stream(stream.handle) {
        Some(_) => keeps_state(r, event, stream, EventUse::Reset),
        None => Ok(false),
    })
}

/// A captured stream and an event that keeps its state: only those made for it.
fn keeps_state(
    registry: &mut capture::Registry,
    event: &Arc<Event>,
    stream: &Arc<Stream>,
    kind: EventUse,
) -> Answer<bool> {
    if event.flags & EVENT_EXTERNAL != 0 {
        return registry.push(stream, Op::Signal(Arc::new(Signal { kind, event: event.clone() })));
    }
    let text =
        format!("an event with flag {:#x} of this kind cannot be used in a captured stream", event.flags);
    if let Some((capture, _)) = registry.of_stream(stream.handle) {
        capture.spoil(&text);
    }
    Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text).help(
        "make the event with aclrtCreateEventExWithFlag and ACL_EVENT_SYNC, or with aclrtCreateEventWithFlag and ACL_EVENT_EXTERNAL",
    ))
}

fn in_built_graph(event: &Arc<Event>, stream: &Arc<Stream>, kind: EventUse) -> Answer<bool> {
    if event.family != Family::WithFlag || event.flags & (EVENT_SYNC | EVENT_EXTERNAL) == 0 {
        let text = format!(
            "{} of {} for a graph, which knows only events that keep their state, and this one (flag {:#x}) does not",
            current_function(),
            stream.name(),
            event.flags
        );
        return Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text)
            .help("make the event with aclrtCreateEventWithFlag and ACL_EVENT_SYNC"));
    }
    super::build::push(stream, Op::Signal(Arc::new(Signal { kind, event: event.clone() })))?;
    Ok(true)
}

/// A use of an event whose other side is outside the graph.
fn external(event: &Arc<Event>, stream: &Arc<Stream>, usage: EventUse) -> Answer<bool> {
    registry(|r| {
        let Some((capture, _)) = r.of_stream(stream.handle) else {
            return Err(Failure::new(
                AclError::RT_STREAM_NOT_CAPTURED,
                format!("{} is not being captured, but EXTERNAL is for captured streams", stream.name()),
            )
            .help("use the flag 0 outside of captures"));
        };
        if capture.graph.origin == Origin::Branch {
            let text = "EXTERNAL events are not possible in the branch of a condition";
            capture.spoil(text);
            return refuse(AclError::RT_FEATURE_NOT_SUPPORT, text);
        }
        let index = {
            let mut parts = capture.graph.parts.lock();
            if parts.externals.iter().any(|(known, _)| known.handle == event.handle) {
                let text = "the graph uses this event with EXTERNAL already; once per graph is possible";
                return refuse(AclError::RT_PARAM_INVALID, text);
            }
            parts.externals.push((event.clone(), usage));
            parts.externals.len() - 1
        };
        r.push(stream, Op::External(index, usage, event.clone()))
    })
}
