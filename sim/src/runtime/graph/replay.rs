//! Executions of graphs.
//!
//! An [`Execution`] is the task in the stream that was asked; when its turn comes, a [`Run`] feeds the lanes. Work
//! between two decisions (conditions, jumps, ends) goes to the lane's stream in one go, followed by a [`Step`] that
//! decides what is next. The run is over when no part of it is under way any more; then faults and output of the lanes
//! go to the stream that was asked.
#![allow(unsafe_code)] // reads the device words that decide where a graph goes on.

use super::super::event::Mark;
use super::super::failure::{Answer, Failure, refuse};
use super::super::order::{self, Clock, StreamName, Told};
use super::super::progress::Progress;
use super::super::state::{Runtime, runtime};
use super::super::stream::{Fed as Source, Stream};
use super::super::work::{DeviceWork, Learns, Turn, Work};
use super::event::EventUse;
use super::model::{Comparison, Graph, Op, Origin, Program};
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use toprope_abi::acl::{AclError, STREAM_DEVICE_USE_ONLY, STREAM_PERSISTENT};

// ---- executions of one graph -----------------------------------------------------------------------------------------

/// The executions of a graph: one at a time, in the order in which their turns came.
#[derive(Debug, Default)]
pub struct Runs {
    asked: AtomicU64,
    over: Progress,
    line: Mutex<Line>,
    /// What is over when the latest execution is.
    known: Mutex<Clock>,
    /// The stream of `aclmdlRIExecute`.
    own: OnceLock<Arc<Stream>>,
}

#[derive(Debug, Default)]
struct Line {
    current: Option<Arc<Run>>,
    waiting: VecDeque<Arc<Run>>,
}

impl Runs {
    /// Whether no execution is asked for or under way.
    pub fn is_idle(&self) -> bool {
        self.over.reached(self.asked.load(Ordering::SeqCst))
    }

    /// Waits until everything asked for so far is over; `false` if the time ran out.
    pub fn wait_idle(&self, deadline: Option<Instant>) -> bool {
        self.over.wait(self.asked.load(Ordering::SeqCst), deadline, super::super::state::help)
    }

    /// What the current execution does, in words.
    pub fn doing(&self) -> String {
        let current = self.line.lock().current.clone();
        current.map_or_else(|| "it waits for its turn in its stream".into(), |run| run.doing())
    }

    fn enter(&self, run: Arc<Run>) {
        let mut line = self.line.lock();
        if line.current.is_some() {
            line.waiting.push_back(run);
            return;
        }
        line.current = Some(run.clone());
        drop(line);
        run.begin();
    }

    fn leave(&self) {
        let next = {
            let mut line = self.line.lock();
            line.current = line.waiting.pop_front();
            line.current.clone()
        };
        if let Some(next) = next {
            defer(Box::new(move || next.begin()));
        }
    }

    /// Ends what is under way as soon as possible.
    pub fn drop_waiting(&self, graph: &Graph) {
        let current = self.line.lock().current.clone();
        if let (Some(run), Some(program)) = (current, graph.program()) {
            run.stop(program);
        }
    }
}

// ---- one execution as a task -----------------------------------------------------------------------------------------

/// One execution, lined up in a stream.
#[derive(Debug)]
struct Execution {
    graph: Arc<Graph>,
    /// What events of the outside stand for in this execution.
    externals: SmallVec<[Option<Arc<Mark>>; 1]>,
}

impl Execution {
    /// Nobody runs it: whoever waits for its records goes on.
    fn give_up(&self, cycle: u64) {
        if let Some(program) = self.graph.program() {
            for ((_, usage), mark) in program.externals.iter().zip(&self.externals) {
                if let (EventUse::Record, Some(mark)) = (usage, mark)
                    && mark.passed_at().is_none()
                {
                    mark.pass(cycle);
                }
            }
        }
        self.graph.runs.over.advance(1);
    }
}

impl DeviceWork for Execution {
    fn start(self: Arc<Self>, turn: Turn) {
        let (sink, begin, graph) = (turn.stream().clone(), turn.begin(), self.graph.clone());
        let (externals, of) = (self.externals.clone(), Arc::as_ptr(&self) as usize);
        if order::is_on() {
            sink.timeline.learn(&self.graph.runs.known.lock());
        }
        let finish = Box::new(move |answer: Answer, cycle: u64| {
            self.graph.runs.leave();
            self.give_up(cycle);
            turn.end(answer, cycle);
        });
        let run = Run::new(graph.clone(), sink, begin, externals, of, finish);
        graph.runs.enter(run);
    }

    fn skip(&self, _: &Stream) {
        self.give_up(0);
    }

    fn interrupt(&self, _: &Stream) -> bool {
        let of = std::ptr::from_ref(self) as usize;
        let current = {
            let mut line = self.graph.runs.line.lock();
            if let Some(at) = line.waiting.iter().position(|run| run.of == of) {
                line.waiting.remove(at);
                drop(line);
                self.give_up(0);
                return true;
            }
            line.current.clone().filter(|run| run.of == of)
        };
        if let (Some(run), Some(program)) = (current, self.graph.program()) {
            run.stop(program);
        }
        false
    }

    fn touches(&self, start: u64, bytes: u64) -> bool {
        self.graph.touches(start, bytes)
    }

    fn doing(&self) -> String {
        format!("it executes {}: {}", self.graph.title(), self.graph.runs.doing())
    }
}

/// `aclmdlRIExecuteAsync`.
///
/// # Errors
/// 207000 for a branch, 107026 and 107000 for an incomplete graph, 107027 for a captured stream, 107004 between
/// contexts, 107000 if something the graph uses is gone.
pub fn execute_async(graph: &Arc<Graph>, stream: &Arc<Stream>) -> Answer {
    super::check::check_stream(stream)?;
    if stream.flags & (STREAM_PERSISTENT | STREAM_DEVICE_USE_ONLY) != 0 {
        let text =
            format!("{} was made with flags {:#x} and cannot execute graphs", stream.name(), stream.flags);
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("execute graphs in a stream of aclrtCreateStream"));
    }
    line_up(runtime(), graph, stream)
}

fn line_up(runtime: &'static Runtime, graph: &Arc<Graph>, stream: &Arc<Stream>) -> Answer {
    if graph.origin == Origin::Branch {
        let text = format!(
            "{} is a branch of a condition; it runs with the graph that has the condition",
            graph.title()
        );
        return refuse(AclError::RT_FEATURE_NOT_SUPPORT, text);
    }
    let program = graph.complete()?;
    if !Arc::ptr_eq(&graph.context, &stream.context) {
        let text = format!("{} belongs to another context than {}", graph.title(), stream.name());
        return refuse(AclError::RT_MODEL_CONTEXT, text);
    }
    if !program.lanes.iter().any(|lane| lane.is_head && lane.is_bound.load(Ordering::Acquire)) {
        let text = format!("{} has no stream any more that it begins with", graph.title());
        return refuse(AclError::RT_STREAM_MODEL, text);
    }
    graph.check_uses(runtime)?;
    let settle = |(event, usage): &(Arc<super::super::event::Event>, EventUse)| match usage {
        EventUse::Record => Some(Arc::new(Mark::default())),
        _ => event.latest(),
    };
    let externals: SmallVec<[Option<Arc<Mark>>; 1]> = program.externals.iter().map(settle).collect();
    let execution = Arc::new(Execution { graph: graph.clone(), externals: externals.clone() });
    graph.runs.asked.fetch_add(1, Ordering::SeqCst);
    stream.enqueue(Work::Custom(execution.clone())).inspect_err(|_| execution.give_up(0))?;
    for ((event, usage), mark) in program.externals.iter().zip(externals) {
        if let (EventUse::Record, Some(mark)) = (usage, mark) {
            event.recorded(mark.clone(), stream.clone());
            super::event::recorded(event, &mark);
        }
    }
    Ok(())
}

/// `aclmdlRIExecute`: executes and waits.
///
/// # Errors
/// 107000 for a captured graph, 507046 when the time is over, what failed in the graph.
pub fn execute(graph: &Arc<Graph>, deadline: Option<Instant>) -> Answer {
    if graph.is_captured() {
        let text =
            format!("{} was captured; aclmdlRIExecute is for graphs of aclmdlRIBuildBegin", graph.title());
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("use aclmdlRIExecuteAsync and synchronise the stream"));
    }
    let runtime = runtime();
    let own = graph.runs.own.get_or_init(|| {
        let (handle, id) = (runtime.streams.reserve(), graph.context.device.next_stream_id());
        Arc::new(Stream::new(handle, id, 0, 0, graph.context.clone(), false))
    });
    line_up(runtime, graph, own)?;
    own.synchronize(deadline)
}

/// `aclmdlRIAbort`.
///
/// # Errors
/// 207000 for a captured graph.
pub fn abort(graph: &Graph) -> Answer {
    if graph.is_captured() {
        let text =
            format!("{} was captured; only graphs of aclmdlRIBuildBegin can be aborted", graph.title());
        return refuse(AclError::RT_FEATURE_NOT_SUPPORT, text);
    }
    graph.complete()?;
    graph.runs.drop_waiting(graph);
    Ok(())
}

// ---- one execution under way -----------------------------------------------------------------------------------------

type Finish = Box<dyn FnOnce(Answer, u64) + Send>;

/// One execution of a graph (or of a branch inside one) under way.
struct Run {
    graph: Arc<Graph>,
    /// Gets faults and output.
    sink: Arc<Stream>,
    begin: u64,
    /// What its lanes know when they go on.
    known: Mutex<Told>,
    marks: Vec<Arc<Mark>>,
    externals: SmallVec<[Option<Arc<Mark>>; 1]>,
    /// Which [`Execution`] it is.
    of: usize,
    /// Parts of lanes under way.
    parts: AtomicUsize,
    end: AtomicU64,
    saw_end: AtomicBool,
    is_stopped: AtomicBool,
    /// The branch that runs in each lane.
    inner: Mutex<Vec<(usize, Arc<Run>)>>,
    finish: Mutex<Option<Finish>>,
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("graph", &self.graph.id).finish_non_exhaustive()
    }
}

impl Run {
    fn new(
        graph: Arc<Graph>,
        sink: Arc<Stream>,
        begin: u64,
        externals: SmallVec<[Option<Arc<Mark>>; 1]>,
        of: usize,
        finish: Finish,
    ) -> Arc<Run> {
        let marks = graph.program().map_or(0, |program| program.marks);
        let known = if order::is_on() { sink.timeline.told() } else { Told::default() };
        Arc::new(Run {
            known: Mutex::new(known),
            graph,
            sink,
            begin,
            marks: (0..marks).map(|_| Arc::default()).collect(),
            externals,
            of,
            parts: AtomicUsize::new(1),
            end: AtomicU64::new(begin),
            saw_end: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
            inner: Mutex::default(),
            finish: Mutex::new(Some(finish)),
        })
    }

    fn begin(self: &Arc<Self>) {
        if let Some(program) = self.graph.program() {
            for condition in &program.conditions {
                if let Some(value) = condition.initial {
                    // SAFETY: an aligned word of the condition's own device memory, which stays mapped for ever;
                    // whoever else uses it does so through addresses, never through references.
                    unsafe { (condition.at as *mut u64).write_volatile(value) };
                }
            }
            for (index, lane) in program.lanes.iter().enumerate() {
                if lane.is_head && lane.is_bound.load(Ordering::Acquire) {
                    self.parts.fetch_add(1, Ordering::AcqRel);
                    self.feed(index, 0, self.begin);
                }
            }
        }
        self.part_over(self.begin);
    }

    /// Gives a lane its work from this node on, as far as it can be known now.
    fn feed(self: &Arc<Self>, lane: usize, from: usize, at: u64) {
        let Some(program) = self.graph.program() else { return self.part_over(at) };
        if self.is_stopped.load(Ordering::Acquire) {
            return self.part_over(at);
        }
        let to = &program.lanes[lane];
        let told = order::is_on().then(|| self.known.lock().clone());
        let mut next = from;
        while let Some(node) = to.nodes.get(next) {
            // A task that can be updated while the graph runs is looked at when it has its turn.
            if next > from && node.group.is_some() && to.nodes[next - 1].group != node.group {
                break;
            }
            let state = node.state.lock();
            if !state.is_disabled {
                match self.work_of(program, &state.op) {
                    Fed::Work(work) => {
                        let recorded_from = Some(StreamName { is_graph: true, ..to.user.short_name() });
                        let source =
                            Source { site: node.site, by: node.by, told: told.clone(), recorded_from };
                        to.runner.feed(work, source, at);
                    }
                    Fed::Nothing => {}
                    Fed::Decision => break,
                }
            }
            next += 1;
        }
        let step = Step { run: self.clone(), lane, node: next };
        to.runner.feed(Work::Custom(Arc::new(step)), Source { told, ..Source::default() }, at);
    }

    fn work_of(&self, program: &Program, op: &Op) -> Fed {
        match op {
            Op::Work(work) => Fed::Work(work.clone()),
            Op::Record(mark, event) => {
                Fed::Work(Work::Record { event: event.clone(), mark: self.marks[*mark].clone() })
            }
            Op::Wait(mark, _) => {
                program.event.wait_begins();
                let mark = self.marks[*mark].clone();
                Fed::Work(Work::Wait { event: program.event.clone(), mark, limit: None })
            }
            Op::External(index, usage, event) => match (self.externals.get(*index), usage) {
                (Some(Some(mark)), EventUse::Record) => {
                    Fed::Work(Work::Record { event: event.clone(), mark: mark.clone() })
                }
                (Some(Some(mark)), _) => Fed::Work(Work::Custom(Arc::new(MarkWait(mark.clone())))),
                _ => Fed::Nothing,
            },
            Op::Signal(signal) => Fed::Work(Work::Custom(signal.clone())),
            Op::Label(_) => Fed::Nothing,
            Op::SwitchLabel(..) | Op::SwitchStream(..) | Op::Activate(_) | Op::End | Op::Condition(..) => {
                Fed::Decision
            }
        }
    }

    /// One part of the run is over.
    fn part_over(self: &Arc<Self>, cycle: u64) {
        self.end.fetch_max(cycle, Ordering::AcqRel);
        if self.parts.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.over();
        }
    }

    fn over(&self) {
        let mut answer = Ok(());
        if let Some(program) = self.graph.program() {
            for lane in &program.lanes {
                if order::is_on() {
                    self.sink.timeline.learn(&lane.runner.timeline.told());
                }
                if let Some(fault) = lane.runner.hand_news_to(&self.sink) {
                    let of = format!("in {}, recorded from {}", self.graph.title(), lane.user.name());
                    answer = answer.and(Err(Failure { text: format!("{} ({of})", fault.text), ..fault }));
                }
            }
        }
        if answer.is_ok() && self.is_stopped.load(Ordering::Acquire) {
            answer = refuse(AclError::RT_MODEL_ABORT_NORMAL, format!("{} was aborted", self.graph.title()));
        }
        if answer.is_ok() && self.graph.origin == Origin::Built && !self.saw_end.load(Ordering::Acquire) {
            let text =
                format!("{} stopped without getting to the task of aclmdlRIEndTask", self.graph.title());
            answer = Err(Failure::new(AclError::RT_MODEL_EXECUTE, text).help(
                "on the hardware it would never be over: let every path activate, or switch to, the stream with the end",
            ));
        }
        if order::is_on() {
            *self.graph.runs.known.lock() = (*self.sink.timeline.told()).clone();
        }
        if let Some(finish) = self.finish.lock().take() {
            finish(answer, self.end.load(Ordering::Acquire));
        }
    }

    /// Ends it early: what runs runs to its end, everything else is dropped.
    fn stop(self: &Arc<Self>, program: &Program) {
        if self.is_stopped.swap(true, Ordering::AcqRel) {
            return;
        }
        // Held until every lane has its last step, so that the run is not over before they stand still.
        self.parts.fetch_add(1, Ordering::AcqRel);
        let inner: Vec<Arc<Run>> = self.inner.lock().iter().map(|(_, run)| run.clone()).collect();
        for run in inner {
            if let Some(program) = run.graph.program() {
                run.stop(program);
            }
        }
        for (index, lane) in program.lanes.iter().enumerate() {
            lane.runner.drop_waiting();
            self.parts.fetch_add(1, Ordering::AcqRel);
            let last = Step { run: self.clone(), lane: index, node: usize::MAX };
            lane.runner.feed(Work::Custom(Arc::new(last)), Source::default(), 0);
        }
        self.part_over(0);
    }

    fn doing(&self) -> String {
        let lanes = self.graph.program().map_or(&[][..], |program| &program.lanes);
        let busy = lanes.iter().find(|lane| !lane.runner.is_idle());
        busy.map_or_else(|| "it is between two tasks".into(), |lane| lane.runner.doing())
    }
}

/// Waits for a mark of the outside, and can be interrupted.
#[derive(Debug)]
struct MarkWait(Arc<Mark>);

impl DeviceWork for MarkWait {
    fn start(self: Arc<Self>, turn: Turn) {
        let passed = turn.clone();
        let on_pass = move |cycle: u64| {
            passed.end(Ok(()), cycle);
        };
        if let Err((_, cycle)) = self.0.on_pass(Box::new(on_pass)) {
            turn.end(Ok(()), cycle);
        }
    }

    fn skip(&self, _: &Stream) {}

    fn interrupt(&self, _: &Stream) -> bool {
        true
    }

    fn learns(&self) -> Learns {
        self.0.told().map_or(Learns::Nothing, |told| Learns::Told(told.clone()))
    }

    fn doing(&self) -> String {
        "it waits for an event from outside the graph".into()
    }
}

/// What a node is for the lane's stream.
enum Fed {
    Work(Work),
    Nothing,
    /// What comes next depends on what was before.
    Decision,
}

// ---- decisions -------------------------------------------------------------------------------------------------------

/// The end of what a lane was given: decides how it goes on.
#[derive(Debug)]
struct Step {
    run: Arc<Run>,
    lane: usize,
    node: usize,
}

/// Where a lane goes on.
enum Next {
    /// At this node.
    Here(usize),
    /// At this node of this lane instead.
    There(usize, usize),
    /// Nowhere.
    Stop,
}

impl DeviceWork for Step {
    fn start(self: Arc<Self>, turn: Turn) {
        let at = turn.begin();
        let program = self.run.graph.program();
        let node = program.and_then(|program| program.lanes[self.lane].nodes.get(self.node));
        let op = node.map(|node| node.state.lock().op.clone());
        if order::is_on() {
            // Others that go on from here come behind what this lane has done.
            Arc::make_mut(&mut *self.run.known.lock()).join(&turn.stream().timeline.told());
        }
        let next = match op {
            Some(Op::Condition(condition, kind, branches)) => {
                return Choice { step: self, turn, at: condition.at, kind, branches }.decide(at);
            }
            Some(Op::Activate(lane)) => {
                let run = self.run.clone();
                run.parts.fetch_add(1, Ordering::AcqRel);
                later(Box::new(move || run.feed(lane, 0, at)));
                Next::Here(self.node + 1)
            }
            Some(Op::SwitchStream(comparison, lane)) if holds(comparison) => Next::There(lane, 0),
            Some(Op::SwitchLabel(index_at, jump)) => {
                let places = jump.places.get().map_or(&[][..], Vec::as_slice);
                let index = read(index_at, false) as u64 & u64::from(u32::MAX);
                let index = usize::try_from(index).unwrap_or(usize::MAX).min(places.len().saturating_sub(1));
                places.get(index).map_or(Next::Stop, |&(lane, node)| Next::There(lane, node))
            }
            Some(Op::End) => {
                self.run.saw_end.store(true, Ordering::Release);
                Next::Stop
            }
            Some(Op::Work(_)) => Next::Here(self.node),
            Some(_) => Next::Here(self.node + 1),
            None => Next::Stop,
        };
        let ended = turn.end(Ok(()), at);
        self.go_on(if ended { next } else { Next::Stop }, at);
    }

    fn skip(&self, stream: &Stream) {
        let _ = stream;
        self.run.part_over(0);
    }

    fn doing(&self) -> String {
        let inner = self.run.inner.lock().iter().find(|(lane, _)| *lane == self.lane).map(|i| i.1.clone());
        inner.map_or_else(|| "it is between two tasks".into(), |run| run.doing())
    }
}

impl Step {
    fn go_on(self: Arc<Self>, next: Next, at: u64) {
        let run = self.run.clone();
        match next {
            Next::Stop => run.part_over(at),
            Next::Here(node) => {
                let lane = self.lane;
                defer(Box::new(move || run.feed(lane, node, at)));
            }
            // Jumps can make loops, and a loop must not keep the thread that happens to be here.
            Next::There(lane, node) => later(Box::new(move || run.feed(lane, node, at))),
        }
    }
}

/// A condition being decided.
struct Choice {
    step: Arc<Step>,
    turn: Turn,
    at: u64,
    kind: super::cond::CondKind,
    branches: Vec<Arc<Graph>>,
}

impl Choice {
    fn decide(self, now: u64) {
        let (run, lane) = (self.step.run.clone(), self.step.lane);
        let value = read(self.at, true) as u64;
        let chosen =
            self.kind.choose(value, self.branches.len()).filter(|_| !run.is_stopped.load(Ordering::Acquire));
        let Some(index) = chosen else { return self.done(Ok(()), now) };
        let (graph, sink, outer) = (self.branches[index].clone(), run.sink.clone(), run.clone());
        let finish = Box::new(move |answer: Answer, cycle: u64| {
            outer.inner.lock().retain(|(at, _)| *at != lane);
            if order::is_on() {
                Arc::make_mut(&mut *outer.known.lock()).join(&outer.sink.timeline.told());
            }
            if self.kind == super::cond::CondKind::While && answer.is_ok() {
                later(Box::new(move || self.decide(cycle)));
            } else {
                self.done(answer, cycle);
            }
        });
        let inner = Run::new(graph, sink, now, SmallVec::new(), 0, finish);
        run.inner.lock().push((lane, inner.clone()));
        defer(Box::new(move || inner.begin()));
    }

    fn done(self, answer: Answer, at: u64) {
        let next = Next::Here(self.step.node + 1);
        let ended = self.turn.end(answer, at);
        self.step.go_on(if ended { next } else { Next::Stop }, at);
    }
}

/// A word of device memory: 64 bits, or 32 with sign.
pub fn read(at: u64, is_wide: bool) -> i64 {
    if is_wide {
        // SAFETY: checked to be device memory when it was recorded, and that stays mapped for ever; a plain number.
        return unsafe { (at as *const i64).read_volatile() };
    }
    // SAFETY: as above.
    i64::from(unsafe { (at as *const i32).read_volatile() })
}

fn holds(comparison: Comparison) -> bool {
    let (left, right) =
        (read(comparison.left, comparison.is_wide), read(comparison.right, comparison.is_wide));
    let order = left.cmp(&right);
    match comparison.condition {
        0 => order.is_eq(),
        1 => order.is_ne(),
        2 => order.is_gt(),
        3 => order.is_ge(),
        4 => order.is_lt(),
        _ => order.is_le(),
    }
}

// ---- who goes on -----------------------------------------------------------------------------------------------------

type Job = Box<dyn FnOnce() + Send>;

/// Does a job on this thread, after the jobs that wait here already: chains of jobs need no deep stack.
fn defer(job: Job) {
    thread_local! {
        static WAITING: RefCell<VecDeque<Job>> = const { RefCell::new(VecDeque::new()) };
        static BUSY: Cell<bool> = const { Cell::new(false) };
    }
    struct Reset;
    impl Drop for Reset {
        fn drop(&mut self) {
            BUSY.set(false);
        }
    }
    WAITING.with(|waiting| waiting.borrow_mut().push_back(job));
    if BUSY.replace(true) {
        return;
    }
    let _reset = Reset;
    while let Some(job) = WAITING.with(|waiting| waiting.borrow_mut().pop_front()) {
        job();
    }
}

/// Does a job on the thread that drives loops of graphs.
fn later(job: Job) {
    static DRIVER: OnceLock<std::sync::mpsc::Sender<Job>> = OnceLock::new();
    let driver = DRIVER.get_or_init(|| {
        let (sender, jobs) = std::sync::mpsc::channel::<Job>();
        let named = std::thread::Builder::new().name("toprope-graphs".into());
        let spawned = named.spawn(move || {
            for job in jobs {
                defer(job);
            }
        });
        if let Err(e) = spawned {
            eprintln!("toprope: no thread for graphs: {e}; graphs with loops block the caller");
        }
        sender
    });
    if let Err(lost) = driver.send(job) {
        defer(lost.0);
    }
}
