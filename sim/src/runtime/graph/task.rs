//! Looking into a complete graph: its streams and their tasks.

use super::super::failure::{Answer, Failure, bug, invalid};
use super::super::work::{GivenAttribute, KernelWork, Work};
use super::model::{Change, Graph, Node, Op, Program, TaskType};
use super::tables::tables;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::Arc;
use toprope_abi::acl::AclError;

/// A stream of a captured graph as the program sees it.
#[derive(Debug)]
pub struct LaneRef {
    /// The graph.
    pub graph: Arc<Graph>,
    /// Its lane.
    pub lane: usize,
}

/// What a program was shown of a kernel; valid as long as the graph.
#[derive(Debug, Default)]
struct Shown {
    /// Device memory with the arguments.
    args: Option<u64>,
    /// Attributes as `aclrtLaunchKernelAttr` has them: number and value.
    attributes: Vec<[u32; 5]>,
    /// As `aclrtLaunchKernelCfg` has it: address and number of the attributes.
    cfg: Box<[usize; 2]>,
}

/// A task of a graph as the program sees it.
#[derive(Debug)]
pub struct Task {
    /// The graph.
    pub graph: Arc<Graph>,
    lane: usize,
    node: usize,
    shown: Mutex<Shown>,
}

impl Task {
    /// The node.
    ///
    /// # Errors
    /// 500000: tasks are only made of complete graphs.
    pub fn node(&self) -> Answer<&Node> {
        self.node_in(self.graph.complete()?)
    }

    fn node_in<'a>(&self, program: &'a Program) -> Answer<&'a Node> {
        let node = program.lanes.get(self.lane).and_then(|lane| lane.nodes.get(self.node));
        node.ok_or_else(|| bug("a task without a node"))
    }

    /// What it will do once the graph is updated.
    ///
    /// # Errors
    /// As [`node`](Self::node).
    pub fn op(&self) -> Answer<Op> {
        let state = self.node()?.state.lock();
        Ok(match &state.next {
            Some(Change::Replace(op)) => op.clone(),
            _ => state.op.clone(),
        })
    }

    /// The launch it is.
    ///
    /// # Errors
    /// 107000 if it is something else.
    pub fn kernel(&self) -> Answer<Box<KernelWork>> {
        match self.op()? {
            Op::Work(Work::Kernel(kernel)) => Ok(kernel),
            other => {
                let text = format!("the task is no kernel, but: {}", other.describe());
                Err(Failure::new(AclError::RT_PARAM_INVALID, text)
                    .help("ask aclmdlRITaskGetType for the type of a task first"))
            }
        }
    }

    /// Plans a change for `aclmdlRIUpdate`.
    ///
    /// # Errors
    /// As [`node`](Self::node).
    pub fn plan(&self, change: Change) -> Answer {
        self.node()?.state.lock().next = Some(change);
        Ok(())
    }

    /// Checks that a program may set its parameters.
    ///
    /// # Errors
    /// 107000 unless it is a kernel or works on a word.
    pub fn check_changeable(&self) -> Answer {
        let op = self.op()?;
        match op.task_type() {
            TaskType::Kernel | TaskType::ValueWrite | TaskType::ValueWait => Ok(()),
            _ => {
                let text = format!("the parameters of this task ({}) cannot be set", op.describe());
                Err(Failure::new(AclError::RT_PARAM_INVALID, text)
                    .help("only kernels, value writes and value waits can be changed"))
            }
        }
    }

    /// Puts arguments and attributes where the program can look at them; returns the addresses of both (0: none).
    ///
    /// # Errors
    /// 207001 without device memory.
    pub fn show(
        &self,
        device_args: Option<u64>,
        args: &[u64],
        given: &[GivenAttribute],
    ) -> Answer<(u64, usize)> {
        let mut shown = self.shown.lock();
        if shown.args.is_none() && device_args.is_none() {
            let memory = self.graph.context.device.opened_memory()?;
            let block = memory
                .alloc(args.len().max(1) as u64 * 8, true, "aclmdlRITaskGetParams")
                .map_err(|e| Failure::new(AclError::RT_MEMORY_ALLOCATION, e.to_string()))?;
            let bytes: Vec<u8> = args.iter().flat_map(|word| word.to_ne_bytes()).collect();
            super::super::memory::write_block(&block, &bytes);
            shown.args = Some(block.start);
        }
        let row = |(id, value): &GivenAttribute| [*id as u32, value[0], value[1], value[2], value[3]];
        shown.attributes = given.iter().map(row).collect();
        *shown.cfg = [shown.attributes.as_ptr() as usize, shown.attributes.len()];
        let cfg = if given.is_empty() { 0 } else { shown.cfg.as_ptr() as usize };
        Ok((device_args.or(shown.args).unwrap_or(0), cfg))
    }

    /// The stream it was recorded from.
    ///
    /// # Errors
    /// As [`node`](Self::node).
    pub fn stream(&self) -> Answer<Arc<super::super::stream::Stream>> {
        let lane = self.graph.complete()?.lanes.get(self.lane);
        lane.map(|lane| lane.user.clone()).ok_or_else(|| bug("a task without a lane"))
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if let (Some(at), Some(memory)) =
            (self.shown.get_mut().args.take(), self.graph.context.device.memory())
        {
            // Freed already by a reset of the device: nothing left to do.
            let _ = memory.free(at, "the end of its graph");
        }
    }
}

/// Handles of the streams of a graph.
///
/// # Errors
/// 107026 and 107000 while it is incomplete.
pub fn streams_of(graph: &Arc<Graph>) -> Answer<Vec<u64>> {
    let program = graph.complete()?;
    if graph.is_captured() {
        for (lane, of) in program.lanes.iter().enumerate() {
            tables().lanes.insert(of.handle, Arc::new(LaneRef { graph: graph.clone(), lane }));
        }
    }
    Ok(program.lanes.iter().map(|lane| lane.handle).collect())
}

/// Handles of the tasks of a graph's stream.
///
/// # Errors
/// 100000 for null, 107000 for a stream of no graph, 107026 and 107000 while the graph is incomplete.
pub fn tasks_of(stream: *mut c_void) -> Answer<Vec<u64>> {
    if stream.is_null() {
        return invalid("`stream` is null");
    }
    let handle = stream as u64;
    let (graph, lane) = match (tables().lanes.get(stream), super::build::lane_of(handle)) {
        (Ok(known), _) => (known.graph.clone(), known.lane),
        (Err(_), Some(bound)) => bound,
        (Err(_), None) => {
            super::super::state::runtime().stream(stream)?;
            return Err(Failure::new(AclError::RT_PARAM_INVALID, "the stream belongs to no graph")
                .help("give a stream that aclmdlRIGetStreams returned"));
        }
    };
    let nodes = &graph.complete()?.lanes[lane].nodes;
    let handle_of = |(node, of): (usize, &Node)| {
        *of.handle.get_or_init(|| {
            let handle = tables().tasks.reserve();
            let task = Task { graph: graph.clone(), lane, node, shown: Mutex::default() };
            tables().tasks.insert(handle, Arc::new(task));
            handle
        })
    };
    Ok(nodes.iter().enumerate().map(handle_of).collect())
}
