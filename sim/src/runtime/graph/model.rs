//! What a graph is: lanes of nodes, and what belongs to them.

use super::super::context::Context;
use super::super::event::{Event, Family};
use super::super::failure::{Answer, Failure, refuse};
use super::super::site::CallSite;
use super::super::state::{Runtime, runtime};
use super::super::stream::Stream;
use super::super::work::{DeviceWork, WordTask, Work};
use super::cond::{CondKind, Condition};
use super::event::{EventUse, Signal};
use super::label::Label;
use super::replay::Runs;
use super::uses::Uses;
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::{AclError, EVENT_SYNC};

/// Type of a task, as `aclmdlRITaskGetType` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum TaskType {
    /// Any other.
    Default = 0,
    /// A kernel.
    Kernel = 1,
    /// An event record.
    EventRecord = 2,
    /// An event wait.
    EventWait = 3,
    /// An event reset.
    EventReset = 4,
    /// A value write.
    ValueWrite = 5,
    /// A value wait.
    ValueWait = 6,
}

impl TaskType {
    /// As the graph's JSON file calls it.
    pub fn name(self) -> &'static str {
        match self {
            TaskType::Default => "DEFAULT",
            TaskType::Kernel => "KERNEL",
            TaskType::EventRecord => "EVENT_RECORD",
            TaskType::EventWait => "EVENT_WAIT",
            TaskType::EventReset => "EVENT_RESET",
            TaskType::ValueWrite => "VALUE_WRITE",
            TaskType::ValueWait => "VALUE_WAIT",
        }
    }
}

/// How a graph came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// By `aclmdlRICaptureBegin`.
    Captured,
    /// As a branch of a condition, filled by `aclmdlRICaptureToModelRIBegin`.
    Branch,
    /// By `aclmdlRIBuildBegin`.
    Built,
}

/// What a comparison of `aclrtSwitchStream` needs.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// Address of the left value.
    pub left: u64,
    /// Address of the right value.
    pub right: u64,
    /// `aclrtCondition`.
    pub condition: i32,
    /// 64-bit values (else 32-bit).
    pub is_wide: bool,
}

/// What a node does.
#[derive(Clone, Debug)]
pub enum Op {
    /// Work as a stream does it.
    Work(Work),
    /// Passes a mark of the graph.
    Record(usize, Arc<Event>),
    /// Waits for a mark of the graph.
    Wait(usize, Arc<Event>),
    /// Passes, or waits for, what an execution has agreed for an event of the outside.
    External(usize, EventUse, Arc<Event>),
    /// Sets, waits for or clears an event that keeps its state.
    Signal(Arc<Signal>),
    /// A place that is jumped to.
    Label(Arc<Label>),
    /// Jumps to the label whose number is at a device address.
    SwitchLabel(u64, Arc<Jump>),
    /// Goes on with another lane if a comparison holds.
    SwitchStream(Comparison, usize),
    /// Starts another lane.
    Activate(usize),
    /// The graph is done when a lane gets here.
    End,
    /// Runs graphs depending on a condition.
    Condition(Arc<Condition>, CondKind, Vec<Arc<Graph>>),
}

/// The labels of a jump and where they are: lane and node, known when the graph is complete.
#[derive(Debug)]
pub struct Jump {
    /// In the order of the list.
    pub labels: Vec<Arc<Label>>,
    /// Their places.
    pub places: OnceLock<Vec<(usize, usize)>>,
}

impl Op {
    /// Type of the task.
    pub fn task_type(&self) -> TaskType {
        match self {
            Op::Work(Work::Kernel(_)) => TaskType::Kernel,
            Op::Record(..) | Op::External(_, EventUse::Record, _) => TaskType::EventRecord,
            Op::Wait(..) | Op::External(_, EventUse::Wait, _) => TaskType::EventWait,
            Op::Signal(signal) => match signal.kind {
                EventUse::Record => TaskType::EventRecord,
                EventUse::Wait => TaskType::EventWait,
                EventUse::Reset => TaskType::EventReset,
            },
            Op::Work(Work::Custom(work)) => match work.word_task() {
                Some(WordTask { wait: None, .. }) => TaskType::ValueWrite,
                Some(_) => TaskType::ValueWait,
                None => TaskType::Default,
            },
            _ => TaskType::Default,
        }
    }

    /// The event it is about.
    ///
    /// # Errors
    /// 500000 if it is about none.
    pub fn event(&self) -> Answer<&Event> {
        match self {
            Op::Record(_, event) | Op::Wait(_, event) | Op::External(_, _, event) => Ok(event),
            Op::Signal(signal) => Ok(&signal.event),
            _ => Err(super::super::failure::bug("an event task without an event")),
        }
    }

    /// What it does, in words.
    pub fn describe(&self) -> String {
        match self {
            Op::Work(Work::Kernel(k)) => format!("kernel `{}`", k.function.name),
            Op::Work(Work::Move(m)) => format!("copy of {} bytes", m.motion.bytes()),
            Op::Work(Work::Custom(work)) => work.doing(),
            Op::Work(Work::Record { event, .. }) => format!("record of event {:#x}", event.handle),
            Op::Work(_) => "place in the order".into(),
            Op::Record(..) | Op::External(_, EventUse::Record, _) => "event record".into(),
            Op::Wait(..) | Op::External(..) => "event wait".into(),
            Op::Signal(signal) => signal.doing(),
            Op::Label(label) => format!("label {}", label.id),
            Op::SwitchLabel(..) => "switch to a label".into(),
            Op::SwitchStream(..) => "switch to another stream".into(),
            Op::Activate(_) => "activate another stream".into(),
            Op::End => "end of the graph".into(),
            Op::Condition(_, kind, _) => format!("condition {}", kind.name()),
        }
    }
}

/// A change that waits for `aclmdlRIUpdate`.
#[derive(Clone, Debug)]
pub enum Change {
    /// Other work.
    Replace(Op),
    /// Takes no part any more.
    Disable,
}

/// What of a node can change.
#[derive(Debug)]
pub struct NodeState {
    /// What it does.
    pub op: Op,
    /// It takes no part.
    pub is_disabled: bool,
    /// The next change.
    pub next: Option<Change>,
    /// What must still exist when it runs.
    pub uses: Uses,
}

/// A node: one task of a graph.
#[derive(Debug)]
pub struct Node {
    /// Number in the graph, in the order of recording.
    pub seq: u32,
    /// The function that recorded it.
    pub by: &'static str,
    /// Where the program called it.
    pub site: CallSite,
    /// Number in the stream it was recorded from; 0: not known to the program.
    pub task_id: AtomicU32,
    /// Its task group.
    pub group: Option<u64>,
    /// Handle, once asked for.
    pub handle: OnceLock<u64>,
    /// What can change.
    pub state: Mutex<NodeState>,
}

/// A lane that is being filled.
#[derive(Debug)]
pub struct Draft {
    /// The stream whose work it takes.
    pub user: Arc<Stream>,
    /// Whether it starts with the graph.
    pub is_head: bool,
    /// So far.
    pub nodes: Vec<Node>,
}

/// A lane that is complete.
#[derive(Debug)]
pub struct Lane {
    /// Handle of the lane's stream as the program sees it.
    pub handle: u64,
    /// The stream that was recorded.
    pub user: Arc<Stream>,
    /// The stream that runs it.
    pub runner: Arc<Stream>,
    /// Whether it starts with the graph.
    pub is_head: bool,
    /// Still part of the graph (`aclmdlRIUnbindStream` takes it out).
    pub is_bound: AtomicBool,
    /// What it does.
    pub nodes: Vec<Node>,
}

/// A complete graph.
#[derive(Debug)]
pub struct Program {
    /// Lanes; the first is that of the stream where the recording began.
    pub lanes: Vec<Lane>,
    /// How many marks one run needs.
    pub marks: usize,
    /// Stands for the events inside the graph when lanes wait for each other.
    pub event: Arc<Event>,
    /// Events of the outside that an execution settles.
    pub externals: Vec<(Arc<Event>, EventUse)>,
    /// Conditions.
    pub conditions: Vec<Arc<Condition>>,
    /// Graphs of its conditions.
    pub branches: Vec<Arc<Graph>>,
    checked: AtomicU64,
}

/// What is collected until a graph is complete.
#[derive(Debug, Default)]
pub struct Parts {
    /// Lanes.
    pub lanes: Vec<Draft>,
    /// Marks so far.
    pub marks: usize,
    /// Events of the outside.
    pub externals: Vec<(Arc<Event>, EventUse)>,
    /// Conditions.
    pub conditions: Vec<Arc<Condition>>,
    /// Graphs of its conditions.
    pub branches: Vec<Arc<Graph>>,
    next_seq: u32,
}

impl Parts {
    /// Appends a node to a lane; returns its place there.
    pub fn push(&mut self, lane: usize, op: Op, group: Option<u64>) -> usize {
        let uses = match &op {
            Op::Work(work) => Uses::of(runtime(), work),
            Op::SwitchLabel(at, _) => uses_of(&[*at]),
            Op::SwitchStream(c, _) => uses_of(&[c.left, c.right]),
            _ => Uses::default(),
        };
        let seq = self.next_seq;
        self.next_seq += 1;
        let state = Mutex::new(NodeState { op, is_disabled: false, next: None, uses });
        let by = super::super::failure::current_function();
        let nodes = &mut self.lanes[lane].nodes;
        nodes.push(Node {
            seq,
            by,
            site: CallSite::here(),
            task_id: AtomicU32::new(0),
            group,
            handle: OnceLock::new(),
            state,
        });
        nodes.len() - 1
    }
}

fn uses_of(addresses: &[u64]) -> Uses {
    let mut uses = Uses::default();
    for &at in addresses {
        uses.add(runtime(), at);
    }
    uses
}

/// What is called at the end of a graph: function and argument.
pub type DestroyCallback = (unsafe extern "C" fn(*mut c_void), usize);

/// A graph.
#[derive(Debug)]
pub struct Graph {
    /// Handle given to the program.
    pub handle: u64,
    /// Number in the process.
    pub id: u32,
    /// Its context.
    pub context: Arc<Context>,
    /// How it came to be.
    pub origin: Origin,
    /// Being filled.
    pub parts: Mutex<Parts>,
    /// Name given by the program.
    pub name: Mutex<String>,
    /// What is called when it is destroyed.
    pub callbacks: Mutex<Vec<DestroyCallback>>,
    /// Its executions.
    pub runs: Runs,
    program: OnceLock<Program>,
}

impl Graph {
    /// An empty graph; it is in the table of graphs from now on.
    pub fn new(context: &Arc<Context>, origin: Origin) -> Arc<Graph> {
        static IDS: AtomicU32 = AtomicU32::new(0);
        let graphs = &super::tables().graphs;
        let graph = Arc::new(Graph {
            handle: graphs.reserve(),
            id: IDS.fetch_add(1, Ordering::Relaxed),
            context: context.clone(),
            origin,
            parts: Mutex::default(),
            name: Mutex::default(),
            callbacks: Mutex::default(),
            runs: Runs::default(),
            program: OnceLock::new(),
        });
        graphs.insert(graph.handle, graph.clone());
        graph
    }

    /// How messages name it.
    pub fn title(&self) -> String {
        let name = self.name.lock();
        match name.is_empty() {
            true => format!("graph {}", self.id),
            false => format!("graph {} (`{name}`)", self.id),
        }
    }

    /// Whether it is a branch of a condition.
    pub fn is_branch(&self) -> bool {
        self.origin == Origin::Branch
    }

    /// Whether its tasks were captured.
    pub fn is_captured(&self) -> bool {
        self.origin != Origin::Built
    }

    /// The complete graph.
    pub fn program(&self) -> Option<&Program> {
        self.program.get()
    }

    /// The complete graph.
    ///
    /// # Errors
    /// 107026 while it is captured, 107000 while it is built.
    pub fn complete(&self) -> Answer<&Program> {
        match (self.program(), self.origin) {
            (Some(program), _) => Ok(program),
            (None, Origin::Built) => Err(Failure::new(
                AclError::RT_PARAM_INVALID,
                format!("{} is still being built", self.title()),
            )
            .help("call aclmdlRIBuildEnd first")),
            (None, _) => {
                refuse(AclError::RT_MODEL_CAPTURED, format!("{} is still being captured", self.title()))
            }
        }
    }

    /// Completes it.
    pub fn seal(&self) {
        let parts = std::mem::take(&mut *self.parts.lock());
        let lanes = parts.lanes.into_iter().map(|draft| self.lane(draft)).collect();
        let program = Program {
            lanes,
            marks: parts.marks,
            event: Arc::new(Event::new(0, Family::Ex, EVENT_SYNC, self.context.device.index)),
            externals: parts.externals,
            conditions: parts.conditions,
            branches: parts.branches,
            checked: AtomicU64::new(0),
        };
        let _ = self.program.set(program);
    }

    fn lane(&self, draft: Draft) -> Lane {
        let runtime = runtime();
        let (handle, id) = (runtime.streams.reserve(), self.context.device.next_stream_id());
        let runner = Stream::new(handle, id, draft.user.priority(), 0, self.context.clone(), false);
        let handle = if self.is_captured() { handle } else { draft.user.handle };
        Lane {
            handle,
            user: draft.user,
            runner: Arc::new(runner),
            is_head: draft.is_head,
            is_bound: AtomicBool::new(true),
            nodes: draft.nodes,
        }
    }

    /// Checks that everything its nodes use still exists.
    ///
    /// # Errors
    /// 107000 naming the task, what it used and who took it away.
    pub fn check_uses(&self, runtime: &'static Runtime) -> Answer {
        let program = self.complete()?;
        for branch in &program.branches {
            branch.check_uses(runtime)?;
        }
        let generations = runtime.devices.iter().filter_map(|d| d.memory()).map(|m| m.generation());
        // All of these only grow, so their sum is the same only if each is.
        let now = generations.sum::<u64>() + runtime.host.frees() + runtime.binaries.removals();
        if program.checked.load(Ordering::Relaxed) == now {
            return Ok(());
        }
        for lane in &program.lanes {
            for node in &lane.nodes {
                let state = node.state.lock();
                if state.is_disabled {
                    continue;
                }
                let what = || format!("task {} of {} ({})", node.seq, self.title(), state.op.describe());
                if let Err(gone) = state.uses.check(runtime, &what, node.site) {
                    let text = format!(
                        "{} cannot run: its {} uses {gone}",
                        self.title(),
                        node.site.say(&format!(
                            "task {} ({}, recorded by {} in {})",
                            node.seq,
                            state.op.describe(),
                            node.by,
                            lane.user.name()
                        )),
                    );
                    return Err(Failure::new(AclError::RT_PARAM_INVALID, text).help(
                        "keep memory, host buffers and kernels of a graph until aclmdlRIDestroy, or record the graph again",
                    ));
                }
            }
        }
        program.checked.store(now, Ordering::Relaxed);
        Ok(())
    }

    /// Forgets that the uses were checked (a node changed).
    pub fn check_again(&self) {
        if let Some(program) = self.program() {
            program.checked.store(0, Ordering::Relaxed);
        }
    }

    /// Whether a node uses memory in this range.
    pub fn touches(&self, start: u64, bytes: u64) -> bool {
        let Some(program) = self.program() else { return false };
        let node_touches = |node: &Node| match &node.state.lock().op {
            Op::Work(work) => work.touches(start, bytes),
            _ => false,
        };
        program.lanes.iter().flat_map(|lane| &lane.nodes).any(node_touches)
            || program.branches.iter().any(|branch| branch.touches(start, bytes))
    }

    /// Number of streams it occupies on its device.
    pub fn lane_count(&self) -> usize {
        self.program().map_or_else(|| self.parts.lock().lanes.len(), |program| program.lanes.len())
    }
}
