//! Changing tasks of complete graphs: task groups (in the order of a stream), and single tasks (by `aclmdlRIUpdate`).

use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::state::runtime;
use super::super::stream::Stream;
use super::super::work::{DeviceWork, Interceptor, KernelWork, Turn, Work};
use super::model::{Change, Graph, Op};
use super::tables::tables;
use super::uses::Uses;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use toprope_abi::acl::{AclError, STREAM_PERSISTENT};

pub use super::capture::{begin_group, end_group};

/// Tasks of a graph that are updated together.
#[derive(Debug)]
pub struct TaskGroup {
    /// Handle given to the program.
    pub handle: u64,
    /// The graph.
    pub graph: Arc<Graph>,
    lane: usize,
    nodes: Vec<usize>,
    is_updating: AtomicBool,
}

impl TaskGroup {
    /// A group of these nodes of a lane.
    pub fn new(handle: u64, graph: Arc<Graph>, lane: usize, nodes: Vec<usize>) -> TaskGroup {
        TaskGroup { handle, graph, lane, nodes, is_updating: AtomicBool::new(false) }
    }
}

/// Updates under way, by the handle of the stream they are made in.
static UPDATES: LazyLock<Mutex<HashMap<u64, Arc<Update>>>> = LazyLock::new(Mutex::default);

/// Takes the work of a stream as the new tasks of a group.
#[derive(Debug)]
struct Update {
    group: Arc<TaskGroup>,
    next: AtomicUsize,
}

impl Interceptor for Update {
    fn take(&self, _: &Arc<Stream>, _task_id: u32, work: Work) -> Answer<Option<Work>> {
        let Work::Kernel(kernel) = work else {
            let text =
                format!("task {} of the group is a kernel; it cannot become something else", self.next());
            return Err(Failure::new(AclError::RT_INTERNAL_ERROR, text)
                .help("between aclmdlRICaptureTaskUpdateBegin and End, launch the kernels of the group in their order, and nothing else"));
        };
        let at = self.next.fetch_add(1, Ordering::AcqRel);
        let Some(&node) = self.group.nodes.get(at) else {
            let text = format!("the task group has {} tasks, but more are launched", self.group.nodes.len());
            return Err(Failure::new(AclError::RT_INTERNAL_ERROR, text)
                .help("launch exactly as many kernels as the group has"));
        };
        let change = Replace { group: self.group.clone(), node, kernel };
        Ok(Some(Work::Custom(Arc::new(change))))
    }
}

impl Update {
    fn next(&self) -> usize {
        self.next.load(Ordering::Acquire)
    }
}

/// The update of one task, in the order of a stream.
#[derive(Debug)]
struct Replace {
    group: Arc<TaskGroup>,
    node: usize,
    kernel: Box<KernelWork>,
}

impl DeviceWork for Replace {
    fn start(self: Arc<Self>, turn: Turn) {
        let graph = &self.group.graph;
        if let Some(program) = graph.program() {
            let work = Work::Kernel(self.kernel.clone());
            let mut state = program.lanes[self.group.lane].nodes[self.node].state.lock();
            state.uses = Uses::of(runtime(), &work);
            state.op = Op::Work(work);
        }
        graph.check_again();
        let at = turn.begin();
        turn.end(Ok(()), at);
    }

    fn skip(&self, _: &Stream) {}

    fn touches(&self, start: u64, bytes: u64) -> bool {
        self.kernel.function.pointers(&self.kernel.launch.args).any(|at| at.wrapping_sub(start) < bytes)
    }

    fn doing(&self) -> String {
        format!("it updates a task of {}", self.group.graph.title())
    }
}

/// `aclmdlRICaptureTaskUpdateBegin`.
///
/// # Errors
/// 107027 for a captured stream, 107005 for one of a graph, 107033 if stream or group is being updated, 107026 while
/// the graph is captured.
pub fn begin_update(stream: &Arc<Stream>, group: *mut c_void) -> Answer {
    if group.is_null() {
        return invalid("`handle` is null");
    }
    let group = tables().groups.get(group)?;
    super::check::check_stream(stream)?;
    if stream.flags & STREAM_PERSISTENT != 0 {
        let text =
            format!("{} keeps its work for a graph; updates need a stream that runs its work", stream.name());
        return refuse(AclError::RT_STREAM_MODEL, text);
    }
    group.graph.complete()?;
    let mut updates = UPDATES.lock();
    if updates.contains_key(&stream.handle) {
        let text = format!("{} is updating a task group already", stream.name());
        return refuse(AclError::STREAM_TASK_GROUP_STATUS, text);
    }
    if group.is_updating.swap(true, Ordering::AcqRel) {
        let text = "the task group is being updated by another stream";
        return refuse(AclError::STREAM_TASK_GROUP_STATUS, text);
    }
    let update = Arc::new(Update { group, next: AtomicUsize::new(0) });
    stream.intercept(Some(update.clone()));
    updates.insert(stream.handle, update);
    Ok(())
}

/// `aclmdlRICaptureTaskUpdateEnd`.
///
/// # Errors
/// 107033 if nothing was begun, 507000 if tasks are missing.
pub fn end_update(stream: &Arc<Stream>) -> Answer {
    super::check::check_stream(stream)?;
    let Some(update) = UPDATES.lock().remove(&stream.handle) else {
        let text = format!("{} is not updating a task group", stream.name());
        return Err(Failure::new(AclError::STREAM_TASK_GROUP_STATUS, text)
            .help("begin with aclmdlRICaptureTaskUpdateBegin on the same stream"));
    };
    stream.intercept(None);
    update.group.is_updating.store(false, Ordering::Release);
    let (given, wanted) = (update.next().min(update.group.nodes.len()), update.group.nodes.len());
    if given == wanted {
        return Ok(());
    }
    let text = format!("the task group has {wanted} tasks, but only {given} were launched for its update");
    Err(Failure::new(AclError::RT_INTERNAL_ERROR, text)
        .help("launch exactly as many kernels as the group has"))
}

/// `aclmdlRIUpdate`: makes planned changes effective for executions from now on.
///
/// # Errors
/// 107040 while the graph is incomplete.
pub fn update(graph: &Arc<Graph>) -> Answer {
    let Some(program) = graph.program() else {
        let text = format!("{} is not complete", graph.title());
        return Err(Failure::new(AclError::RT_MODEL_UPDATE_FAILED, text)
            .help("update a graph after aclmdlRICaptureEnd"));
    };
    for node in program.lanes.iter().flat_map(|lane| &lane.nodes) {
        let mut state = node.state.lock();
        match state.next.take() {
            None => {}
            Some(Change::Disable) => state.is_disabled = true,
            Some(Change::Replace(op)) => {
                state.uses = match &op {
                    Op::Work(work) => Uses::of(runtime(), work),
                    _ => Uses::default(),
                };
                state.op = op;
                state.is_disabled = false;
            }
        }
    }
    graph.check_again();
    Ok(())
}

/// Plans that a task takes no part any more.
///
/// # Errors
/// 107000 for tasks that others wait for or that decide where the graph goes on.
pub fn plan_disable(task: &super::task::Task) -> Answer {
    let op = task.op()?;
    let may = match &op {
        Op::Work(_) | Op::Wait(..) | Op::Signal(_) => true,
        Op::External(_, usage, _) => *usage == super::event::EventUse::Wait,
        _ => false,
    };
    if may {
        return task.plan(Change::Disable);
    }
    let text = format!("this task ({}) cannot be disabled: others depend on it", op.describe());
    refuse(AclError::RT_PARAM_INVALID, text)
}
