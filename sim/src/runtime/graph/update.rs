//! Changing tasks of complete graphs: task groups (in the order of a stream), and single tasks (by `aclmdlRIUpdate`).
#![allow(unsafe_code)] // reads a description that lies in device memory.

use super::super::binary::Binary;
use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::state::runtime;
use super::super::stream::Stream;
use super::super::work::{DeviceWork, Interceptor, KernelWork, Turn, Work};
use super::model::{Change, Graph, Node, Op};
use super::tables::tables;
use super::uses::Uses;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use toprope_abi::acl::{AclError, RandomNumTaskInfo, STREAM_PERSISTENT};

pub use super::capture::{begin_group, end_group};

/// Tasks of a graph that are updated together.
#[derive(Debug)]
pub struct TaskGroup {
    /// The graph.
    pub graph: Arc<Graph>,
    lane: usize,
    nodes: Vec<usize>,
    is_updating: AtomicBool,
}

impl TaskGroup {
    /// A group of these nodes of a lane.
    pub fn new(graph: Arc<Graph>, lane: usize, nodes: Vec<usize>) -> TaskGroup {
        TaskGroup { graph, lane, nodes, is_updating: AtomicBool::new(false) }
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

/// What a task of a built graph gets; the values lie in device memory and are read when the update has its turn.
#[derive(Debug)]
pub enum Refreshed {
    /// Another function and number of blocks: entry key, and a 32-bit number (no address: the number stays).
    Kernel(Arc<Binary>, u64, u64),
    /// Other random numbers: an `aclrtRandomNumTaskInfo`.
    Random(u64),
}

/// Changes a task of a built graph, in the order of a stream.
///
/// # Errors
/// 107005 for a stream of no graph, 107000 for a task of another kind, or addresses that are no device memory.
pub fn refresh_task((of, task_id): (&Stream, u32), what: Refreshed, exec: &Arc<Stream>) -> Answer {
    let Some((graph, lane)) = super::build::lane_of(of.handle) else {
        let text = format!("{} belongs to no graph", of.name());
        return refuse(AclError::RT_STREAM_MODEL, text);
    };
    let nodes = &graph.complete()?.lanes[lane].nodes;
    let is_it = |node: &Node| {
        let is_kind = match (&node.state.lock().op, &what) {
            (Op::Work(Work::Kernel(_)), Refreshed::Kernel(..)) => true,
            (Op::Work(Work::Custom(work)), Refreshed::Random(_)) => work.random().is_some(),
            _ => false,
        };
        is_kind && task_id != 0 && node.task_id.load(Ordering::Relaxed) == task_id
    };
    let Some(node) = nodes.iter().position(is_it) else {
        let text = format!("{} has no task of this kind with the number {task_id}", of.name());
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("aclrtGetThreadLastTaskId gives the number right after the task was enqueued"));
    };
    match &what {
        Refreshed::Kernel(_, entry_at, blocks_at) => {
            super::build::check_word("info->funcEntryAddr", *entry_at, 8)?;
            if *blocks_at != 0 {
                super::build::check_word("info->blockDimAddr", *blocks_at, 4)?;
            }
        }
        Refreshed::Random(at) => {
            super::build::check_word("info->srcAddr", *at, size_of::<RandomNumTaskInfo>() as u64)?;
        }
    }
    exec.enqueue(Work::Custom(Arc::new(Refresh { graph, lane, node, what })))
}

/// A change whose values lie in device memory.
#[derive(Debug)]
struct Refresh {
    graph: Arc<Graph>,
    lane: usize,
    node: usize,
    what: Refreshed,
}

impl Refresh {
    fn apply(&self) -> Answer {
        let Some(program) = self.graph.program() else { return Ok(()) };
        let mut state = program.lanes[self.lane].nodes[self.node].state.lock();
        match (&self.what, &mut state.op) {
            (Refreshed::Kernel(binary, entry_at, blocks_at), Op::Work(Work::Kernel(kernel))) => {
                refresh_kernel(kernel, binary, *entry_at, *blocks_at)?;
                let work = Work::Kernel(kernel.clone());
                state.uses = Uses::of(runtime(), &work);
            }
            (Refreshed::Random(at), Op::Work(Work::Custom(work))) => {
                if let Some(random) = work.random() {
                    random.update(random_info(*at, random.info()))?;
                }
            }
            _ => {}
        }
        drop(state);
        self.graph.check_again();
        Ok(())
    }
}

fn refresh_kernel(kernel: &mut KernelWork, binary: &Arc<Binary>, entry_at: u64, blocks_at: u64) -> Answer {
    let runtime = runtime();
    let key = super::replay::read(entry_at, true) as u64;
    let handle = binary.function_by_entry(key, &runtime.functions)?;
    let function = runtime.functions.get(handle as *mut c_void)?;
    if function.args_bytes != kernel.function.args_bytes {
        let text = format!(
            "kernel `{}` takes {} bytes of arguments, but the task has {}, those of `{}`",
            function.name, function.args_bytes, kernel.function.args_bytes, kernel.function.name
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    kernel.launch.kernel = function.kernel;
    kernel.function = function;
    if blocks_at != 0 {
        kernel.launch.num_blocks = super::replay::read(blocks_at, false) as u32;
    }
    Ok(())
}

/// The description at a device address; only what may be changed is taken from it.
fn random_info(at: u64, old: RandomNumTaskInfo) -> RandomNumTaskInfo {
    // SAFETY: checked to lie in device memory, which stays mapped for ever; plain numbers and addresses.
    let new = unsafe { (at as *const RandomNumTaskInfo).read_unaligned() };
    RandomNumTaskInfo {
        data_type: old.data_type,
        random_num_func_para_info: old.random_num_func_para_info,
        ..new
    }
}

impl DeviceWork for Refresh {
    fn start(self: Arc<Self>, turn: Turn) {
        let at = turn.begin();
        turn.end(self.apply(), at);
    }

    fn skip(&self, _: &Stream) {}

    fn touches(&self, start: u64, bytes: u64) -> bool {
        let places = match &self.what {
            Refreshed::Kernel(_, entry_at, blocks_at) => [*entry_at, *blocks_at],
            Refreshed::Random(at) => [*at, 0],
        };
        places.iter().any(|at| at.wrapping_sub(start) < bytes)
    }

    fn doing(&self) -> String {
        format!("it updates a task of {}", self.graph.title())
    }
}
