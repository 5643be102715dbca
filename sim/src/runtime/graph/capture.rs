//! Capture: streams whose work goes into a graph instead of running.
//!
//! The stream where a capture begins is lane 0. A stream that waits for an event recorded in a captured stream joins
//! the capture. Every lane keeps a clock (how many tasks of every lane are known to come before its next one), so "has
//! rejoined" is a comparison: at the end, lane 0 must know of every task of every other lane.

use super::super::context::Context;
use super::super::device::MAX_STREAMS;
use super::super::failure::{Answer, Failure, current_function, refuse};
use super::super::state::runtime;
use super::super::stream::Stream;
use super::super::work::{Interceptor, Work};
use super::model::{Draft, Graph, Op, Origin};
use super::tables::{discard, tables};
use super::update::TaskGroup;
use parking_lot::Mutex;
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread::ThreadId;
use toprope_abi::acl::{AclError, RiCaptureMode, RiCaptureStatus, STREAM_DEVICE_USE_ONLY, STREAM_PERSISTENT};

/// A task group that is open.
#[derive(Debug)]
pub struct OpenGroup {
    /// Its lane.
    pub lane: usize,
    /// Handle it will have.
    pub handle: u64,
    /// Its nodes so far.
    pub nodes: Vec<usize>,
    /// What spoilt it.
    pub spoilt: Option<Failure>,
}

/// A capture under way.
#[derive(Debug)]
pub struct Capture {
    /// What is filled.
    pub graph: Arc<Graph>,
    /// What other calls may do meanwhile.
    pub mode: RiCaptureMode,
    /// Who began it.
    pub thread: ThreadId,
    /// Its context.
    pub context: Arc<Context>,
    /// Task group under way.
    pub group: Option<OpenGroup>,
    /// The call that made it invalid, and why.
    pub broken: Option<String>,
    clocks: Vec<Vec<usize>>,
    marks: Vec<Vec<usize>>,
}

/// All captures under way. Keys of captures are the numbers of their graphs.
#[derive(Debug, Default)]
pub struct Registry {
    captures: HashMap<u32, Capture>,
    streams: HashMap<u64, (u32, usize)>,
    events: HashMap<u64, (u32, usize)>,
}

static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static THREAD_MODE: Cell<RiCaptureMode> = const { Cell::new(RiCaptureMode::GLOBAL) };
}

/// Whether any capture is under way; one load.
pub fn any() -> bool {
    UNDER_WAY.load(Ordering::Acquire) > 0
}

/// Works on the captures under way.
pub fn registry<R>(work: impl FnOnce(&mut Registry) -> R) -> R {
    work(&mut REGISTRY.lock())
}

/// Mode of the calling thread.
pub fn thread_mode() -> RiCaptureMode {
    THREAD_MODE.get()
}

impl Capture {
    /// Makes it invalid; the first reason stays.
    pub fn spoil(&mut self, why: &str) {
        let by = current_function();
        self.broken.get_or_insert_with(|| format!("{by}: {why}"));
    }

    /// How messages name it.
    pub fn title(&self) -> String {
        let parts = self.graph.parts.lock();
        let origin = parts.lanes.first().map_or_else(String::new, |lane| lane.user.name());
        format!("the capture of {origin} into graph {}", self.graph.id)
    }

    fn check_valid(&self) -> Answer {
        match &self.broken {
            None => Ok(()),
            Some(why) => Err(invalidated(&self.title(), why)),
        }
    }

    /// Appends a node to a lane.
    ///
    /// # Errors
    /// 507903 if the capture is invalid, 107034 and 507009 from task groups.
    fn push(&mut self, lane: usize, op: Op) -> Answer<usize> {
        self.check_valid()?;
        self.check_group(lane, &op)?;
        let group = self.group.as_mut().filter(|group| group.lane == lane);
        let node = self.graph.parts.lock().push(lane, op, group.as_ref().map(|g| g.handle));
        if let Some(group) = group {
            group.nodes.push(node);
        }
        self.clocks[lane][lane] = node + 1;
        Ok(node)
    }

    fn check_group(&mut self, lane: usize, op: &Op) -> Answer {
        let Some(group) = &mut self.group else { return Ok(()) };
        let failure = if group.lane != lane {
            let text = "another stream of the capture got a task while a task group was open";
            Failure::new(AclError::STREAM_TASK_GROUP_INTR, text)
                .help("close the task group before giving other captured streams work")
        } else if !matches!(op, Op::Work(Work::Kernel(_))) {
            let text =
                format!("a task group takes kernels only, not a task of the kind \"{}\"", op.describe());
            Failure::new(AclError::RT_TASK_TYPE_NOT_SUPPORT, text)
                .help("record such tasks before or after the group")
        } else {
            return Ok(());
        };
        group.spoilt.get_or_insert_with(|| failure.clone());
        self.spoil(&failure.text);
        Err(failure)
    }

    fn learn(&mut self, lane: usize, mark: usize) {
        let known = self.marks[mark].clone();
        let lanes = self.clocks.len();
        let clock = &mut self.clocks[lane];
        for (other, count) in known.into_iter().enumerate().take(lanes) {
            if other != lane {
                clock[other] = clock[other].max(count);
            }
        }
    }

    fn add_lane(&mut self, stream: &Arc<Stream>) -> usize {
        let mut parts = self.graph.parts.lock();
        parts.lanes.push(Draft { user: stream.clone(), is_head: true, nodes: Vec::new() });
        let lanes = parts.lanes.len();
        self.clocks.push(Vec::new());
        for clock in &mut self.clocks {
            clock.resize(lanes, 0);
        }
        lanes - 1
    }

    /// Checks that every stream has come back to the first.
    fn check_joined(&self) -> Answer {
        let parts = self.graph.parts.lock();
        for (lane, draft) in parts.lanes.iter().enumerate().skip(1) {
            let (known, all) = (self.clocks[0][lane], draft.nodes.len());
            if known == all {
                continue;
            }
            let task = draft.nodes[known].state.lock().op.describe();
            let text = format!(
                "{} joined the capture of {} but has not come back: {} of its {all} tasks (from the {} on, {task}, recorded by {}) are not waited for",
                draft.user.name(),
                parts.lanes[0].user.name(),
                all - known,
                ordinal(known + 1),
                draft.nodes[known].by
            );
            let help = format!(
                "record an event in {} after its last task and let {} wait for it before aclmdlRICaptureEnd",
                draft.user.name(),
                parts.lanes[0].user.name()
            );
            return Err(Failure::new(AclError::RT_STREAM_UNJOINED, text).help(help));
        }
        Ok(())
    }
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (1, n) if n != 11 => "st",
        (2, n) if n != 12 => "nd",
        (3, n) if n != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn invalidated(title: &str, why: &str) -> Failure {
    Failure::new(
        AclError::RT_STREAM_CAPTURE_INVALIDATED,
        format!("{title} is invalid because of an earlier call\n  {why}"),
    )
    .help("move that call out of the capture, end the capture and begin again")
}

impl Registry {
    /// The capture and lane of a stream.
    pub fn of_stream(&mut self, stream: u64) -> Option<(&mut Capture, usize)> {
        let &(capture, lane) = self.streams.get(&stream)?;
        self.captures.get_mut(&capture).map(|capture| (capture, lane))
    }

    /// The capture an event was last recorded in, and its mark.
    pub fn of_event(&mut self, event: u64) -> Option<(&mut Capture, usize)> {
        let &(capture, mark) = self.events.get(&event)?;
        self.captures.get_mut(&capture).map(|capture| (capture, mark))
    }

    /// All captures.
    pub fn all(&mut self) -> impl Iterator<Item = &mut Capture> {
        self.captures.values_mut()
    }

    /// The event belongs to no capture any more.
    pub fn forget_event(&mut self, event: u64) {
        self.events.remove(&event);
    }

    /// Appends a node to the lane of a captured stream.
    ///
    /// # Errors
    /// As [`Capture::push`].
    pub fn push(&mut self, stream: &Stream, op: Op) -> Answer<bool> {
        match self.of_stream(stream.handle) {
            Some((capture, lane)) => capture.push(lane, op).map(|_| true),
            None => Ok(false),
        }
    }

    /// Records an event in a captured stream.
    ///
    /// # Errors
    /// 107032 if the event belongs to another capture.
    pub fn record(&mut self, stream: &Stream, event: &Arc<super::super::event::Event>) -> Answer {
        let &(here, lane) = &self.streams[&stream.handle];
        if let Some(&(there, _)) = self.events.get(&event.handle)
            && there != here
        {
            return Err(self.conflict(here, there, "recorded"));
        }
        let Some(capture) = self.captures.get_mut(&here) else { return Ok(()) };
        let mark = capture.marks.len();
        capture.push(lane, Op::Record(mark, event.clone()))?;
        capture.graph.parts.lock().marks = mark + 1;
        capture.marks.push(capture.clocks[lane].clone());
        self.events.insert(event.handle, (here, mark));
        Ok(())
    }

    /// A stream waits for an event that was recorded in a capture; the stream joins it if it is in none.
    ///
    /// # Errors
    /// 107031 for the default stream, 107032 between captures, 207008 without a stream to spare.
    pub fn wait(&mut self, stream: &Arc<Stream>, event: &Arc<super::super::event::Event>) -> Answer {
        let &(there, mark) = &self.events[&event.handle];
        let lane = match self.streams.get(&stream.handle) {
            Some(&(here, _)) if here != there => return Err(self.conflict(here, there, "waited for")),
            Some(&(_, lane)) => lane,
            None => self.join(stream, there)?,
        };
        let Some(capture) = self.captures.get_mut(&there) else { return Ok(()) };
        capture.push(lane, Op::Wait(mark, event.clone()))?;
        capture.learn(lane, mark);
        Ok(())
    }

    fn join(&mut self, stream: &Arc<Stream>, id: u32) -> Answer<usize> {
        let Some(capture) = self.captures.get_mut(&id) else { return Ok(0) };
        capture.check_valid()?;
        let usable = check_capturable(stream, AclError::RT_STREAM_CAPTURE_IMPLICIT)
            .and_then(|()| check_same_context(stream, &capture.context))
            .and_then(|()| check_room(stream, id));
        if let Err(failure) = usable {
            capture.spoil(&failure.text);
            return Err(failure);
        }
        let lane = capture.add_lane(stream);
        self.streams.insert(stream.handle, (id, lane));
        stream.intercept(Some(Arc::new(Recorder)));
        Ok(lane)
    }

    fn conflict(&mut self, here: u32, there: u32, what: &str) -> Failure {
        let titles = [here, there].map(|id| self.captures.get(&id).map_or_else(String::new, Capture::title));
        let text = format!(
            "the event was recorded in {} and is {what} in {}; two captures cannot depend on each other",
            titles[1], titles[0]
        );
        for id in [here, there] {
            if let Some(capture) = self.captures.get_mut(&id) {
                capture.spoil(&text);
            }
        }
        Failure::new(AclError::STREAM_CAPTURE_CONFLICT, text)
    }

    /// Ends a capture: its streams run their work again. The graph is not complete yet.
    fn close(&mut self, id: u32) -> Option<Capture> {
        let capture = self.captures.remove(&id)?;
        UNDER_WAY.fetch_sub(1, Ordering::AcqRel);
        self.events.retain(|_, (of, _)| *of != id);
        self.streams.retain(|_, (of, _)| *of != id);
        for lane in &capture.graph.parts.lock().lanes {
            lane.user.intercept(None);
        }
        Some(capture)
    }
}

/// Takes the work of captured streams.
#[derive(Debug)]
struct Recorder;

impl Interceptor for Recorder {
    fn take(&self, stream: &Arc<Stream>, _task_id: u32, work: Work) -> Answer<Option<Work>> {
        let kept = work.clone();
        Ok((!registry(|r| r.push(stream, Op::Work(kept)))?).then_some(work))
    }
}

fn check_capturable(stream: &Stream, default: AclError) -> Answer {
    if stream.is_default {
        return Err(Failure::new(default, "the default stream of a context cannot take part in a capture")
            .help("use a stream of aclrtCreateStream"));
    }
    if stream.flags & (STREAM_PERSISTENT | STREAM_DEVICE_USE_ONLY) != 0 {
        let text = format!(
            "{} was made with flags {:#x}; streams with ACL_STREAM_PERSISTENT or ACL_STREAM_DEVICE_USE_ONLY cannot be captured",
            stream.name(),
            stream.flags
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    if stream.interceptor().is_some() {
        let text = format!("{} is updating a task group; end that first", stream.name());
        return refuse(AclError::STREAM_TASK_GROUP_STATUS, text);
    }
    Ok(())
}

fn check_same_context(stream: &Stream, context: &Arc<Context>) -> Answer {
    if Arc::ptr_eq(&stream.context, context) {
        return Ok(());
    }
    let text = format!("{} belongs to another context than the capture", stream.name());
    refuse(AclError::RT_STREAM_CONTEXT, text)
}

/// Lanes count as streams of the device.
fn check_room(stream: &Stream, filling: u32) -> Answer {
    let device = stream.context.device;
    let made = runtime().streams.count(|s| s.context.device.index == device.index);
    let graphs = tables().graphs.select(|g| g.context.device.index == device.index && g.id != filling);
    let lanes: usize = graphs.iter().map(|g| g.lane_count()).sum();
    if made + lanes < MAX_STREAMS {
        return Ok(());
    }
    let text = format!(
        "device {} has {made} streams, and its graphs hold {lanes} more; the limit is {MAX_STREAMS} together",
        device.index
    );
    Err(Failure::new(AclError::RT_NO_STREAM_RESOURCE, text)
        .help("destroy graphs and streams that are no longer needed, or capture over fewer streams"))
}

/// `aclmdlRICaptureBegin`, and with `into` `aclmdlRICaptureToModelRIBegin`.
///
/// # Errors
/// 107000 for a mode or stream that does not exist, 107031 for a default stream, 107027 and 107026 if it is captured
/// already, 207008 without a stream to spare.
pub fn begin(stream: &Arc<Stream>, mode: RiCaptureMode, into: Option<Arc<Graph>>) -> Answer {
    if mode.name().is_none() {
        let text = format!("`mode` is {}, which is no aclmdlRICaptureMode (0 to 2)", mode.0);
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    registry(|r| {
        if let Some((capture, _)) = r.of_stream(stream.handle) {
            let text = format!("{} is captured already: {}", stream.name(), capture.title());
            return refuse(AclError::RT_STREAM_CAPTURED, text);
        }
        check_capturable(stream, AclError::RT_STREAM_CAPTURE_IMPLICIT)?;
        if let Some(graph) = &into {
            check_branch(r, graph)?;
            check_same_context(stream, &graph.context)?;
        }
        check_room(stream, into.as_ref().map_or(u32::MAX, |g| g.id))?;
        let graph = into.unwrap_or_else(|| Graph::new(&stream.context, Origin::Captured));
        let id = graph.id;
        let mut capture = Capture {
            context: stream.context.clone(),
            graph,
            mode,
            thread: std::thread::current().id(),
            group: None,
            broken: None,
            clocks: Vec::new(),
            marks: Vec::new(),
        };
        capture.add_lane(stream);
        r.captures.insert(id, capture);
        r.streams.insert(stream.handle, (id, 0));
        stream.intercept(Some(Arc::new(Recorder)));
        UNDER_WAY.fetch_add(1, Ordering::AcqRel);
        Ok(())
    })
}

fn check_branch(registry: &Registry, graph: &Graph) -> Answer {
    if graph.origin != Origin::Branch {
        return Err(Failure::new(
            AclError::RT_PARAM_INVALID,
            format!("{} is not the branch of a condition", graph.title()),
        )
        .help(
            "capture into the graphs that aclmdlRIAddCondTask gives; others begin with aclmdlRICaptureBegin",
        ));
    }
    if graph.program().is_some() || registry.captures.contains_key(&graph.id) {
        let text = format!("{} is captured already; a branch is captured once", graph.title());
        return refuse(AclError::RT_MODEL_CAPTURED, text);
    }
    Ok(())
}

/// `aclmdlRICaptureEnd`. Whatever it answers, unless the stream is not the one that began, the capture is over.
///
/// # Errors
/// 107029 if nothing is captured, 107036 from another stream, 107038 in another thread, 507903 if an earlier call spoilt
/// it, 107045 with an unfinished branch, 107033 with an open task group, 107025 with a stream that did not come back.
pub fn end(stream: &Arc<Stream>) -> Answer<Arc<Graph>> {
    let capture = registry(|r| {
        let Some(&(id, lane)) = r.streams.get(&stream.handle) else {
            let text = format!("{} is not being captured", stream.name());
            return refuse(AclError::RT_STREAM_NOT_CAPTURED, text);
        };
        if lane != 0 {
            let text = format!(
                "{} only joined {}; it did not begin it",
                stream.name(),
                r.captures.get(&id).map_or_else(String::new, Capture::title)
            );
            return Err(Failure::new(AclError::RT_STREAM_CAPTURE_UNMATCHED, text)
                .help("end the capture on the stream it began on"));
        }
        r.close(id).ok_or_else(|| super::super::failure::bug("a captured stream without a capture"))
    })?;
    match check_ended(&capture) {
        Ok(()) => {
            capture.graph.seal();
            Ok(capture.graph)
        }
        Err(failure) => {
            drop_graph(&capture.graph);
            Err(failure)
        }
    }
}

fn check_ended(capture: &Capture) -> Answer {
    if capture.mode != RiCaptureMode::RELAXED && capture.thread != std::thread::current().id() {
        return Err(Failure::new(
            AclError::RT_STREAM_CAPTURE_WRONG_THREAD,
            format!("another thread began {}; it is dropped", capture.title()),
        )
        .help(
            "end a capture in the thread that began it, or begin it with ACL_MODEL_RI_CAPTURE_MODE_RELAXED",
        ));
    }
    capture.check_valid()?;
    let open = capture.graph.parts.lock().branches.iter().find(|b| b.program().is_none()).cloned();
    if let Some(branch) = open {
        return Err(Failure::new(
            AclError::RT_SUB_ACLGRAPH_IS_CAPTURING,
            format!("{}, a branch of a condition in {}, is not captured to its end", branch.title(), capture.title()),
        )
        .help("capture every branch with aclmdlRICaptureToModelRIBegin and aclmdlRICaptureEnd before ending the outer capture"));
    }
    if capture.group.is_some() {
        return Err(Failure::new(
            AclError::STREAM_TASK_GROUP_STATUS,
            format!("a task group is still open in {}", capture.title()),
        )
        .help("call aclmdlRICaptureTaskGrpEnd before aclmdlRICaptureEnd"));
    }
    capture.check_joined()
}

/// A graph that never became complete.
fn drop_graph(graph: &Arc<Graph>) {
    // A branch whose capture failed can be captured again, and the outer capture sees that it is missing.
    if graph.origin == Origin::Branch {
        *graph.parts.lock() = super::model::Parts::default();
        return;
    }
    let branches: Vec<u32> = graph.parts.lock().branches.iter().map(|b| b.id).collect();
    for branch in branches {
        registry(|r| r.close(branch));
    }
    let _ = tables().graphs.remove(graph.handle as *mut c_void);
    discard(graph);
}

/// `aclmdlRICaptureGetInfo`.
pub fn info(stream: &Stream) -> (RiCaptureStatus, Option<Arc<Graph>>) {
    if !any() {
        return (RiCaptureStatus::NONE, None);
    }
    registry(|r| match r.of_stream(stream.handle) {
        None => (RiCaptureStatus::NONE, None),
        Some((capture, _)) if capture.broken.is_some() => {
            (RiCaptureStatus::INVALIDATED, Some(capture.graph.clone()))
        }
        Some((capture, _)) => (RiCaptureStatus::ACTIVE, Some(capture.graph.clone())),
    })
}

/// `aclmdlRICaptureThreadExchangeMode`: sets the thread's mode and returns the one before.
///
/// # Errors
/// 107000 for an unknown mode.
pub fn exchange_mode(mode: RiCaptureMode) -> Answer<RiCaptureMode> {
    if mode.name().is_none() {
        let text = format!("`*mode` is {}, which is no aclmdlRICaptureMode (0 to 2)", mode.0);
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    Ok(THREAD_MODE.replace(mode))
}

/// A context ends: its captures are dropped.
pub fn drop_context(context: u64) {
    if !any() {
        return;
    }
    let dropped = registry(|r| {
        let ids: Vec<u32> =
            r.captures.iter().filter(|(_, c)| c.context.handle == context).map(|(id, _)| *id).collect();
        ids.into_iter().filter_map(|id| r.close(id)).collect::<Vec<_>>()
    });
    drop(dropped);
}

/// `aclmdlRICaptureTaskGrpBegin`.
///
/// # Errors
/// 107029 outside a capture, 107033 if one is open.
pub fn begin_group(stream: &Stream) -> Answer {
    registry(|r| {
        let (capture, lane) = r.of_stream(stream.handle).ok_or_else(|| not_captured(stream))?;
        capture.check_valid()?;
        if let Some(group) = &capture.group {
            let at = if group.lane == lane { "in this stream" } else { "in another stream of the capture" };
            let text = format!("a task group is open already {at}");
            return Err(Failure::new(AclError::STREAM_TASK_GROUP_STATUS, text)
                .help("close it with aclmdlRICaptureTaskGrpEnd first"));
        }
        let handle = tables().groups.reserve();
        capture.group = Some(OpenGroup { lane, handle, nodes: Vec::new(), spoilt: None });
        Ok(())
    })
}

/// `aclmdlRICaptureTaskGrpEnd`; returns the group's handle.
///
/// # Errors
/// 107029 outside a capture, 107033 if none is open, 107034 if another stream got work meanwhile, 507903.
pub fn end_group(stream: &Stream) -> Answer<u64> {
    registry(|r| {
        let (capture, lane) = r.of_stream(stream.handle).ok_or_else(|| not_captured(stream))?;
        let Some(group) = capture.group.take_if(|group| group.lane == lane) else {
            let text = format!("no task group is open in {}", stream.name());
            return Err(Failure::new(AclError::STREAM_TASK_GROUP_STATUS, text)
                .help("begin it with aclmdlRICaptureTaskGrpBegin on the same stream"));
        };
        if let Some(failure) = group.spoilt {
            return Err(failure);
        }
        capture.check_valid()?;
        let made = TaskGroup::new(capture.graph.clone(), lane, group.nodes);
        tables().groups.insert(group.handle, Arc::new(made));
        Ok(group.handle)
    })
}

/// The failure of calls that need a captured stream.
pub fn not_captured(stream: &Stream) -> Failure {
    Failure::new(AclError::RT_STREAM_NOT_CAPTURED, format!("{} is not being captured", stream.name()))
        .help("begin with aclmdlRICaptureBegin, or let the stream wait for an event of a captured stream")
}
