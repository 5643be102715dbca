//! Built graphs: streams with `ACL_STREAM_PERSISTENT` keep their work for the graph they are bound to.

use super::super::failure::{Answer, Failure, current_function, refuse};
use super::super::memory::Given;
use super::super::state::runtime;
use super::super::stream::Stream;
use super::super::work::{Interceptor, Work};
use super::model::{Comparison, Draft, Graph, Op, Origin};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};
use toprope_abi::acl::{AclError, STREAM_PERSISTENT};

/// `ACL_MODEL_STREAM_FLAG_HEAD`.
const HEAD: u32 = 0;
/// `ACL_MODEL_STREAM_FLAG_DEFAULT`.
const DEFAULT: u32 = 0x7FFF_FFFF;

/// A graph and one of its lanes.
type Place = (Arc<Graph>, usize);

/// Bound streams by handle.
static BOUND: LazyLock<Mutex<HashMap<u64, Place>>> = LazyLock::new(Mutex::default);

/// Takes the work of streams with `ACL_STREAM_PERSISTENT`.
#[derive(Debug)]
struct Keeper;

impl Interceptor for Keeper {
    fn take(&self, stream: &Arc<Stream>, task_id: u32, work: Work) -> Answer<Option<Work>> {
        let (_, lane, node) = push(stream, Op::Work(work))?;
        let (graph, _) = bound(stream)?;
        let parts = graph.parts.lock();
        if let Some(node) = parts.lanes.get(lane).and_then(|lane| lane.nodes.get(node)) {
            node.task_id.store(task_id, Ordering::Relaxed);
        }
        Ok(None)
    }
}

/// Makes a new stream with `ACL_STREAM_PERSISTENT` keep its work.
pub fn attach_persistent(stream: &Stream) {
    if stream.flags & STREAM_PERSISTENT != 0 {
        stream.intercept(Some(Arc::new(Keeper)));
    }
}

fn not_bound(stream: &Stream) -> Failure {
    let text = if stream.flags & STREAM_PERSISTENT == 0 {
        format!("{} belongs to no graph", stream.name())
    } else {
        format!("{} keeps its work for a graph, but is bound to none", stream.name())
    };
    Failure::new(AclError::RT_STREAM_MODEL, text).help(
        "make the stream with ACL_STREAM_PERSISTENT and bind it with aclmdlRIBindStream before it gets work",
    )
}

fn bound(stream: &Stream) -> Answer<(Arc<Graph>, usize)> {
    BOUND.lock().get(&stream.handle).cloned().ok_or_else(|| not_bound(stream))
}

/// The graph and lane of a bound stream.
pub fn lane_of(stream: u64) -> Option<(Arc<Graph>, usize)> {
    BOUND.lock().get(&stream).cloned()
}

/// Appends a node to the lane of a bound stream; returns graph, lane and node.
///
/// # Errors
/// 107005 for a stream that is not bound, or whose graph is complete.
pub fn push(stream: &Stream, op: Op) -> Answer<(u32, usize, usize)> {
    let (graph, lane) = bound(stream)?;
    if graph.program().is_some() {
        let text = format!("{} belongs to {}, which is complete", stream.name(), graph.title());
        return Err(Failure::new(AclError::RT_STREAM_MODEL, text)
            .help("give a graph's streams their work before aclmdlRIBuildEnd, or use another stream"));
    }
    let node = graph.parts.lock().push(lane, op, None);
    Ok((graph.id, lane, node))
}

/// `aclrtPersistentTaskClean`: drops what a stream keeps.
///
/// # Errors
/// 107000 for a stream that keeps nothing, 107005 once its graph is complete.
pub fn clean(stream: &Stream) -> Answer {
    if stream.flags & STREAM_PERSISTENT == 0 {
        let text = format!("{} was made without ACL_STREAM_PERSISTENT; it keeps no tasks", stream.name());
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let Some((graph, lane)) = lane_of(stream.handle) else { return Ok(()) };
    if graph.program().is_some() {
        let text = format!("the tasks of {} belong to {}, which is complete", stream.name(), graph.title());
        return Err(Failure::new(AclError::RT_STREAM_MODEL, text)
            .help("unbind the stream with aclmdlRIUnbindStream or destroy the graph first"));
    }
    graph.parts.lock().lanes[lane].nodes.clear();
    Ok(())
}

/// The stream belongs to no graph any more.
pub fn release(stream: &Stream) {
    BOUND.lock().remove(&stream.handle);
}

/// Refuses to destroy a stream that a graph still needs.
///
/// # Errors
/// 107005.
pub fn check_not_bound(stream: &Stream) -> Answer {
    if stream.flags & STREAM_PERSISTENT == 0 {
        return Ok(());
    }
    let Some((graph, _)) = lane_of(stream.handle) else { return Ok(()) };
    let text = format!("{} is bound to {}", stream.name(), graph.title());
    Err(Failure::new(AclError::RT_STREAM_MODEL, text)
        .help("call aclmdlRIUnbindStream or aclmdlRIDestroy first"))
}

fn refuse_captured(graph: &Graph) -> Answer {
    if graph.origin == Origin::Built {
        return Ok(());
    }
    let text = format!("{} was captured; this is for graphs of aclmdlRIBuildBegin", graph.title());
    refuse(AclError::RT_PARAM_INVALID, text)
}

fn refuse_complete(graph: &Graph) -> Answer {
    refuse_captured(graph)?;
    match graph.program() {
        None => Ok(()),
        Some(_) => {
            let text = format!("{} is complete since aclmdlRIBuildEnd", graph.title());
            refuse(AclError::RT_PARAM_INVALID, text)
        }
    }
}

/// `aclmdlRIBuildBegin`.
///
/// # Errors
/// 107000 for a flag, 107002.
pub fn build_begin(flag: u32) -> Answer<Arc<Graph>> {
    if flag != 0 {
        let text = format!("`flag` is {flag}; it is reserved and must be 0");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    Ok(Graph::new(&runtime().current()?, Origin::Built))
}

/// `aclmdlRIBindStream`.
///
/// # Errors
/// 107000 for a stream or flag that cannot be, 107004 for another context, 107005 if it is bound already.
pub fn bind(graph: &Arc<Graph>, stream: &Arc<Stream>, flag: u32) -> Answer {
    refuse_complete(graph)?;
    if flag != HEAD && flag != DEFAULT {
        let text = format!(
            "`flag` is {flag:#x}; it must be {HEAD:#x} (ACL_MODEL_STREAM_FLAG_HEAD) or {DEFAULT:#x} (ACL_MODEL_STREAM_FLAG_DEFAULT)"
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    if stream.flags & STREAM_PERSISTENT == 0 {
        let text = format!("{} was made without ACL_STREAM_PERSISTENT", stream.name());
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("make the streams of a graph with aclrtCreateStreamWithConfig and ACL_STREAM_PERSISTENT"));
    }
    if !Arc::ptr_eq(&graph.context, &stream.context) {
        let text = format!("{} belongs to another context than {}", stream.name(), graph.title());
        return refuse(AclError::RT_MODEL_CONTEXT, text);
    }
    let mut bound = BOUND.lock();
    if let Some((other, _)) = bound.get(&stream.handle) {
        let text = format!("{} is bound to {} already", stream.name(), other.title());
        return Err(Failure::new(AclError::RT_STREAM_MODEL, text)
            .help("a stream belongs to one graph; unbind it with aclmdlRIUnbindStream first"));
    }
    let mut parts = graph.parts.lock();
    parts.lanes.push(Draft { user: stream.clone(), is_head: flag == HEAD, nodes: Vec::new() });
    bound.insert(stream.handle, (graph.clone(), parts.lanes.len() - 1));
    Ok(())
}

fn check_bound_to(graph: &Graph, stream: &Stream) -> Answer<usize> {
    let (of, lane) = bound(stream)?;
    if of.id == graph.id {
        return Ok(lane);
    }
    let text = format!("{} is bound to {}, not to {}", stream.name(), of.title(), graph.title());
    refuse(AclError::RT_STREAM_MODEL, text)
}

/// `aclmdlRIEndTask`.
///
/// # Errors
/// 107005 for a stream of another graph, 107000 if the graph has an end already.
pub fn end_task(graph: &Arc<Graph>, stream: &Stream) -> Answer {
    refuse_complete(graph)?;
    let lane = check_bound_to(graph, stream)?;
    let mut parts = graph.parts.lock();
    if has_end(&parts.lanes) {
        let text = format!("graph {} has an end already; it can have one", graph.id);
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("let the other streams activate, or switch to, the stream with the end"));
    }
    parts.push(lane, Op::End, None);
    Ok(())
}

fn has_end(lanes: &[Draft]) -> bool {
    lanes.iter().flat_map(|lane| &lane.nodes).any(|node| matches!(node.state.lock().op, Op::End))
}

/// `aclmdlRIBuildEnd`.
///
/// # Errors
/// 107005 without streams, 107000 without an end or with a jump to a label that was not set in the graph.
pub fn build_end(graph: &Arc<Graph>) -> Answer {
    refuse_complete(graph)?;
    {
        let parts = graph.parts.lock();
        if !parts.lanes.iter().any(|lane| lane.is_head) {
            let text = format!("graph {} has no stream that it begins with", graph.id);
            return Err(Failure::new(AclError::RT_STREAM_MODEL, text)
                .help("bind a stream with ACL_MODEL_STREAM_FLAG_HEAD"));
        }
        if !has_end(&parts.lanes) {
            let text = format!("graph {} has no end; an execution of it would never be over", graph.id);
            return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
                .help("call aclmdlRIEndTask on the stream that finishes last"));
        }
        for node in parts.lanes.iter().flat_map(|lane| &lane.nodes) {
            if let Op::SwitchLabel(_, jump) = &node.state.lock().op {
                settle_jump(graph.id, jump)?;
            }
        }
    }
    graph.seal();
    Ok(())
}

fn settle_jump(graph: u32, jump: &super::model::Jump) -> Answer {
    let mut places = Vec::with_capacity(jump.labels.len());
    for (index, label) in jump.labels.iter().enumerate() {
        match label.place() {
            Some((of, lane, node)) if of == graph => places.push((lane, node)),
            Some((of, ..)) => {
                let text = format!(
                    "graph {graph} jumps to label {} (number {index} of its list), which is set in graph {of}",
                    label.id
                );
                return refuse(AclError::RT_PARAM_INVALID, text);
            }
            None => {
                let text = format!(
                    "graph {graph} jumps to label {} (number {index} of its list), which is not set",
                    label.id
                );
                return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
                    .help("call aclrtSetLabel on a stream of the graph before aclmdlRIBuildEnd"));
            }
        }
    }
    let _ = jump.places.set(places);
    Ok(())
}

/// `aclmdlRIUnbindStream`.
///
/// # Errors
/// 107005 for a stream of another graph, 107037 while the graph runs.
pub fn unbind(graph: &Arc<Graph>, stream: &Stream) -> Answer {
    refuse_captured(graph)?;
    let lane = check_bound_to(graph, stream)?;
    if !graph.runs.is_idle() {
        let text = format!("{} still runs: {}", graph.title(), graph.runs.doing());
        return refuse(AclError::RT_MODEL_RUNNING, text);
    }
    match graph.program() {
        Some(program) => program.lanes[lane].is_bound.store(false, Ordering::Release),
        None => {
            // Lanes keep their numbers: others refer to them.
            let mut parts = graph.parts.lock();
            parts.lanes[lane].nodes.clear();
            parts.lanes[lane].is_head = false;
        }
    }
    release(stream);
    Ok(())
}

/// Two bound streams of the same graph: the lane of the second.
fn other_lane(name: &str, other: &Stream, stream: &Stream) -> Answer<usize> {
    let (graph, _) = bound(stream)?;
    let (of, lane) = bound(other)?;
    if graph.id == of.id {
        return Ok(lane);
    }
    let text = format!(
        "`{name}` ({}) is bound to {}, but {} to {}",
        other.name(),
        of.title(),
        stream.name(),
        graph.title()
    );
    refuse(AclError::RT_STREAM_MODEL, text)
}

/// `aclrtActiveStream`: when `stream` gets there, `active` starts beside it.
///
/// # Errors
/// 107005 unless both are bound to one graph.
pub fn activate(active: &Stream, stream: &Stream) -> Answer {
    let lane = other_lane("activeStream", active, stream)?;
    push(stream, Op::Activate(lane)).map(|_| ())
}

/// `aclrtSwitchStream`: when the comparison holds, `to` goes on instead of `stream`.
///
/// # Errors
/// 107000 for addresses that are no device memory, 107005 unless both are bound to one graph.
pub fn switch(comparison: Comparison, to: &Stream, stream: &Stream) -> Answer {
    let bytes = if comparison.is_wide { 8 } else { 4 };
    check_word("leftValue", comparison.left, bytes)?;
    check_word("rightValue", comparison.right, bytes)?;
    let lane = other_lane("trueStream", to, stream)?;
    push(stream, Op::SwitchStream(comparison, lane)).map(|_| ())
}

/// Checks that an address is a word of device memory.
///
/// # Errors
/// 107000.
pub fn check_word(name: &str, at: u64, bytes: u64) -> Answer {
    let runtime = runtime();
    let device = runtime.current()?.device;
    if Given::new(current_function(), name, at, bytes).is_on(runtime, device)? {
        return Ok(());
    }
    let text =
        format!("`{name}` is {at:#x}, which is no memory of device {}; the device reads it", device.index);
    Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("put the value into memory of aclrtMalloc"))
}
