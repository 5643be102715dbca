//! Looking into a complete graph: its streams and their tasks.

use super::super::failure::{Answer, Failure, bug, invalid};
use super::super::work::{KernelWork, Work};
use super::model::{Change, Graph, Node, Op, Program};
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

/// A task of a graph as the program sees it.
#[derive(Debug)]
pub struct Task {
    /// The graph.
    pub graph: Arc<Graph>,
    lane: usize,
    node: usize,
    /// Device memory with the arguments that were shown last.
    pub shown: Mutex<Option<u64>>,
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
        if let (Some(at), Some(memory)) = (self.shown.get_mut().take(), self.graph.context.device.memory()) {
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
