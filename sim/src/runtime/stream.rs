//! Streams: ordered queues of device work.
//!
//! ```text
//!  enqueue ─▶ TaskQueue ─▶ start ─┬─ kernel ─▶ Scheduler ─▶ engine thread ─┐
//!     (host)                      ├─ copy, fill ─▶ CopyPool (or at once)  ─┤
//!                                 ├─ wait ─▶ Mark of another stream       ─┼─▶ resume ─▶ settle ─▶ next task
//!                                 └─ record, nothing: at once ─────────────┘
//! ```
//! Streams have no order between them (the default stream is a stream like any other). A fault stays with the stream
//! until a synchronisation reports it, once; with `ACL_STOP_ON_FAILURE` it stops the whole context instead.
//!
//! **Device time.** Every stream has a clock in core cycles. A task starts at the latest of: the end of the task before
//! it, the marks it waits for, and what the host had seen of the device's time when it enqueued the task. So times do
//! not depend on the speed of this machine. Kernels of different streams are timed as if each had the chip to itself.

use super::abort::is_asked_for;
use super::binary::Function;
use super::callback;
use super::context::Context;
use super::copy;
use super::diag;
use super::event::{Event, Family, Mark};
use super::exception::{self, Exception, FailedKernel};
use super::failure::{Answer, Failure, SharedFailure, current_function};
use super::graph;
use super::mem_pool;
use super::order::{self, StreamName, Told, Use, What};
use super::overflow;
use super::process::thread_id;
use super::queue::{self, Pushed, TaskQueue};
use super::report;
use super::scheduler::LaunchDone;
use super::site::CallSite;
use super::timer;
use super::value;
use super::work::{Interceptor, KernelWork, Learns, MoveWork, Running, Task, Turn, Work};
use crate::findings::Finding;
use crate::npu::LaunchOutcome;
use crate::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use crate::sync::{Mutex, thread_local};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use toprope_abi::acl::{AclError, STREAM_CPU_SCHEDULE, STREAM_DEVICE_USE_ONLY, STREAM_PERSISTENT};

/// A task that takes longer than this keeps nobody waiting for room in its stream.
const LONG_TASK: Duration = Duration::from_secs(1);
/// Arrived output kept per stream until somebody synchronises.
const KEPT_OUTPUT_BYTES: usize = 16 << 20;

#[derive(Debug, Default)]
struct State {
    fault: Option<SharedFailure>,
    printed: String,
    findings: Vec<Finding>,
}

/// Where work comes from that a graph has kept.
#[derive(Clone, Debug, Default)]
pub struct Fed {
    /// Where the program recorded it.
    pub site: CallSite,
    /// With which function.
    pub by: &'static str,
    /// What is known to be over.
    pub told: Option<Told>,
    /// The stream it was recorded from.
    pub recorded_from: Option<StreamName>,
}

/// A stream.
#[derive(Debug)]
pub struct Stream {
    /// Handle given to the program.
    pub handle: u64,
    /// Number on its device, from 0.
    pub id: u32,
    /// `ACL_STREAM_*` bits.
    pub flags: u32,
    /// Kernels start in saturation mode: that of the device when the stream was made.
    pub saturates: bool,
    /// The context it belongs to.
    pub context: Arc<Context>,
    /// Whether it is its context's default stream.
    pub is_default: bool,
    /// What `aclrtSetStreamAttribute` keeps and nothing else reads.
    pub attributes: Attributes,
    /// 0 is served first, 7 last.
    priority: AtomicU32,
    /// Where the program made it.
    pub made_at: CallSite,
    pub(super) queue: TaskQueue<Task>,
    tasks: AtomicU32,
    /// Counts twice per task that ends later: odd while it may be ended.
    pub(super) turn: AtomicU64,
    /// Number and host thread of the task that runs, the upper and lower half.
    who: AtomicU64,
    /// Reasons to look twice: `INTERCEPTED`, `ABORTING`, `STOPPING`.
    pub(super) gate: AtomicU32,
    interceptor: Mutex<Option<Arc<dyn Interceptor>>>,
    /// The turn that is being stopped, and with which failure it ends.
    pub(super) stop: Mutex<Option<(u64, Failure)>>,
    cycle: AtomicU64,
    news: AtomicBool,
    state: Mutex<State>,
    pub(super) running: Mutex<Running>,
    /// Where the program queued what runs.
    running_site: AtomicU64,
    /// Tasks (stream, number) that everything queued from now on comes after, because of waits for events.
    waited_for: Mutex<Vec<(u64, u32)>>,
    /// What its tasks know to be over.
    pub(super) timeline: order::Timeline,
    /// Number of finished tasks when somebody gave up waiting for room.
    stuck_at: AtomicU64,
}

/// Streams whose synchronisation returns at once (rule 23).
const UNSYNCHRONISED: u32 = STREAM_PERSISTENT | STREAM_DEVICE_USE_ONLY | STREAM_CPU_SCHEDULE;
/// Bit of `gate`: an interceptor takes the work.
const INTERCEPTED: u32 = 1;
/// Bit of `gate`: the stream is being aborted, new work is void.
pub(super) const ABORTING: u32 = 2;
/// Bit of `gate`: the running task is being stopped.
pub(super) const STOPPING: u32 = 4;

/// Attributes of a stream that the embedded NPU has no use for.
#[derive(Debug, Default)]
pub struct Attributes {
    /// Detection of overflow is on.
    pub overflow_switch: AtomicU32,
    /// Group of streams for which overflow is detected together.
    pub custom_tag: AtomicU32,
    /// Descriptions of operators are kept for profiling of graphs.
    pub cache_op_info: AtomicU32,
}

std::thread_local! {
    static LAST_TASK: Cell<u32> = const { Cell::new(0) };
}

/// Number (in its stream) of the last task that this thread enqueued; 0 if there was none.
pub fn last_task_id() -> u32 {
    LAST_TASK.get()
}

impl Stream {
    /// A new stream.
    pub fn new(
        handle: u64,
        id: u32,
        priority: u32,
        flags: u32,
        context: Arc<Context>,
        is_default: bool,
    ) -> Stream {
        Stream {
            handle,
            id,
            flags,
            saturates: context.device.saturates(),
            context,
            is_default,
            attributes: Attributes::default(),
            priority: AtomicU32::new(priority),
            made_at: CallSite::here(),
            queue: TaskQueue::default(),
            tasks: AtomicU32::new(1),
            turn: AtomicU64::new(0),
            who: AtomicU64::new(0),
            gate: AtomicU32::new(0),
            interceptor: Mutex::new(None),
            stop: Mutex::new(None),
            cycle: AtomicU64::new(0),
            news: AtomicBool::new(false),
            state: Mutex::default(),
            running: Mutex::default(),
            running_site: AtomicU64::new(0),
            waited_for: Mutex::default(),
            timeline: order::Timeline::default(),
            stuck_at: AtomicU64::new(u64::MAX),
        }
    }

    /// How messages name it.
    pub fn name(&self) -> String {
        if self.is_default { "the default stream".into() } else { format!("stream {}", self.id) }
    }

    /// 0 is served first, 7 last.
    pub fn priority(&self) -> u32 {
        self.priority.load(Ordering::Relaxed)
    }

    /// Changes the priority of tasks that start later.
    pub fn set_priority(&self, priority: u32) {
        self.priority.store(priority, Ordering::Relaxed);
    }

    /// Appends work.
    ///
    /// # Errors
    /// The fault that stopped the context; 107017 if the stream was destroyed meanwhile; 207000 for a stream whose
    /// tasks are only kept for a graph, and inside functions that a stream calls.
    pub fn enqueue(self: &Arc<Self>, work: Work) -> Answer {
        self.context.check_running()?;
        callback::check_outside("work is enqueued")?;
        self.wait_for_room();
        let id = self.tasks.fetch_add(1, Ordering::Relaxed);
        LAST_TASK.set(id);
        match self.gate.load(Ordering::Acquire) {
            0 => self.line_up(id, work),
            gate => self.enqueue_gated(gate, id, work),
        }
    }

    #[cold]
    fn enqueue_gated(self: &Arc<Self>, gate: u32, id: u32, work: Work) -> Answer {
        if gate & ABORTING != 0 {
            self.skip(work);
            return Ok(());
        }
        let interceptor = self.interceptor.lock().clone();
        match interceptor {
            Some(interceptor) => match interceptor.take(self, id, work)? {
                Some(work) => self.line_up(id, work),
                None => Ok(()),
            },
            None => self.line_up(id, work),
        }
    }

    /// Gives (or, with `None`, no longer gives) work to an interceptor instead of running it; returns the one before.
    pub fn intercept(&self, by: Option<Arc<dyn Interceptor>>) -> Option<Arc<dyn Interceptor>> {
        let mut interceptor = self.interceptor.lock();
        match by {
            Some(_) => self.gate.fetch_or(INTERCEPTED, Ordering::Release),
            None => self.gate.fetch_and(!INTERCEPTED, Ordering::Release),
        };
        std::mem::replace(&mut *interceptor, by)
    }

    /// Who takes its work, if somebody does.
    pub fn interceptor(&self) -> Option<Arc<dyn Interceptor>> {
        let is_intercepted = self.gate.load(Ordering::Acquire) & INTERCEPTED != 0;
        if is_intercepted { self.interceptor.lock().clone() } else { None }
    }

    fn line_up(self: &Arc<Self>, id: u32, work: Work) -> Answer {
        graph::check_default_stream(self)?;
        match &work {
            Work::Record { mark, .. } => mark.set_origin(self.handle, id),
            Work::Wait { mark, .. } => self.note_wait(mark),
            _ => {}
        }
        let earliest_cycle = self.context.device.seen_cycle();
        let task = Task {
            work,
            id,
            thread: thread_id(),
            site: CallSite::here(),
            by: current_function(),
            serial: order::next_serial(),
            told: order::told_by_host(),
            recorded_from: None,
            earliest_cycle,
        };
        match self.queue.push(task) {
            Pushed::Start(task) => self.run(task),
            Pushed::Queued => {}
            Pushed::Closed(_) => {
                return Err(Failure::new(
                    AclError::RT_INVALID_HANDLE,
                    "the stream is being destroyed by another thread",
                ));
            }
        }
        Ok(())
    }

    /// Waits while the stream is full, as one of a real device lets its host wait: so a program that enqueues without
    /// an end does not need memory without an end. A stream whose head waits for something takes everything, because
    /// the caller may be the one who lets it go on; so does one whose running task does not end.
    fn wait_for_room(&self) {
        if self.queue.depth() >= queue::DEPTH
            && self.queue.finished() != self.stuck_at.load(Ordering::Relaxed)
        {
            self.wait_while_full();
        }
    }

    #[cold]
    fn wait_while_full(&self) {
        let half = self.queue.ticket() - queue::DEPTH / 2;
        loop {
            let finished = self.queue.finished();
            let ends_itself = matches!(*self.running.lock(), Running::Kernel { .. } | Running::Move(_));
            if finished >= half || !ends_itself {
                return;
            }
            let given_up = Instant::now() + LONG_TASK;
            let has_room = self.queue.wait(half, Some(given_up), || copy::pool().help());
            if !has_room && self.queue.finished() == finished {
                self.stuck_at.store(finished, Ordering::Relaxed);
                return;
            }
        }
    }

    /// Lines up work that a graph has kept; it starts no earlier than at this device time.
    pub fn feed(self: &Arc<Self>, work: Work, from: Fed, earliest_cycle: u64) {
        let id = self.tasks.fetch_add(1, Ordering::Relaxed);
        let Fed { site, by, told, recorded_from } = from;
        let serial = order::next_serial();
        let task =
            Task { work, id, thread: thread_id(), site, by, serial, told, recorded_from, earliest_cycle };
        if let Pushed::Start(task) = self.queue.push(task) {
            self.run(task);
        }
    }

    /// Hands output and findings that arrived to another stream; returns the fault.
    pub fn hand_news_to(&self, other: &Stream) -> Option<Failure> {
        if !self.news.swap(false, Ordering::AcqRel) {
            return None;
        }
        let (printed, findings, fault) = {
            let mut state = self.state.lock();
            (std::mem::take(&mut state.printed), std::mem::take(&mut state.findings), state.fault.take())
        };
        other.arrived(&printed, findings);
        fault.map(|fault| fault.as_ref().clone())
    }

    /// Runs tasks until one is left to another thread.
    fn run(self: &Arc<Self>, task: Task) {
        let mut next = Some(task);
        while let Some(task) = next {
            match self.start(task) {
                Some(answer) => next = self.settle(answer),
                None => return,
            }
        }
    }

    /// Starts a task; `None` if it ends later.
    fn start(self: &Arc<Self>, task: Task) -> Option<Answer> {
        let begin = self.cycle.load(Ordering::Relaxed).max(task.earliest_cycle);
        self.cycle.store(begin, Ordering::Relaxed);
        self.running_site.store(task.site.0, Ordering::Relaxed);
        if self.context.is_stopped() {
            self.skip(task.work);
            return Some(Ok(()));
        }
        let place = self.place(&task);
        match task.work {
            Work::Nothing => return Some(Ok(())),
            Work::Record { mark, .. } => {
                if place.is_some() {
                    mark.tell(self.timeline.told());
                }
                mark.pass(begin);
                return Some(Ok(()));
            }
            Work::Wait { ref event, ref mark, .. } => {
                if let Some(cycle) = mark.passed_at() {
                    self.cycle.fetch_max(cycle, Ordering::Relaxed);
                    self.learn_mark(mark);
                    event.wait_ends();
                    return Some(Ok(()));
                }
            }
            Work::Move(ref work) if work.run_if_small(self.context.device.chance()) => {
                self.cycle.store(begin + work.cycles, Ordering::Relaxed);
                return Some(Ok(()));
            }
            _ => {}
        }
        self.who.store(u64::from(task.id) << 32 | u64::from(task.thread), Ordering::Relaxed);
        let number = self.turn.fetch_add(1, Ordering::AcqRel) + 1;
        let turn = Turn::new(self.clone(), number, begin);
        match task.work {
            Work::Wait { event, mark, limit } => self.start_wait(turn, event, &mark, limit),
            Work::Move(work) => self.start_move(turn, work),
            Work::Kernel(kernel) => self.start_kernel(turn, *kernel, place),
            Work::Custom(work) => {
                *self.running.lock() = Running::Custom(work.clone());
                work.start(turn);
            }
            Work::Nothing | Work::Record { .. } => {}
        }
        None
    }

    /// A task begins: its place in the order, if that is followed. Uses of memory that are known now are noted.
    fn place(&self, task: &Task) -> Option<order::Task> {
        if !order::is_on() {
            return None;
        }
        let tick = self.timeline.begin(task.told.as_ref());
        let stream = task.recorded_from.unwrap_or_else(|| self.short_name());
        let place = order::Task { tick, serial: task.serial, site: task.site, stream };
        let used = match &task.work {
            Work::Move(work) => {
                self.begin_watch(work.watch.as_deref(), tick);
                order::of_motion(work.motion)
            }
            Work::Wait { event, .. } if event.family != Family::Ex => {
                vec![order::of_event(event.id, Use::Read)]
            }
            Work::Custom(work) => {
                self.begin_watch(work.watch(), tick);
                work.spans()
            }
            _ => return Some(place),
        };
        self.timeline.uses(&place, What::Call(task.by), &used);
        Some(place)
    }

    fn begin_watch(&self, watch: Option<&order::watch::Watch>, tick: u64) {
        if let Some(watch) = watch {
            self.timeline.is_watched(watch, tick);
        }
    }

    /// How findings about order name it.
    pub fn short_name(&self) -> StreamName {
        StreamName {
            id: self.id,
            device: self.context.device.index,
            is_default: self.is_default,
            is_graph: false,
        }
    }

    fn learn_mark(&self, mark: &Mark) {
        if let Some(told) = mark.told() {
            self.timeline.learn(told);
        }
    }

    /// A task that waited is over: what the stream knows from now on.
    fn learn_from(&self, was: &Running) {
        if !order::is_on() {
            return;
        }
        match was {
            Running::Wait(_, mark) => self.learn_mark(mark),
            Running::Custom(work) => match work.learns() {
                Learns::Nothing => {}
                Learns::Told(told) => self.timeline.learn(&told),
                Learns::Everything => self.timeline.learn_everything(),
            },
            Running::Nothing | Running::Kernel { .. } | Running::Move(_) => {}
        }
    }

    /// Takes the right to end the running task, if it is the one with this number.
    pub(super) fn claim_turn(&self, number: u64) -> bool {
        self.turn.compare_exchange(number, number + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// The running task, whose turn the caller has, ended at this device time.
    pub(super) fn resume_at(self: &Arc<Self>, answer: Answer, cycle: u64) {
        self.cycle.fetch_max(cycle, Ordering::Relaxed);
        match answer {
            Err(failure) if exception::is_wanted() && !self.is_stopping() => {
                let stream = self.clone();
                let kernel = match &*self.running.lock() {
                    Running::Kernel { function, args: Some(args), .. } => {
                        Some(FailedKernel { function: function.clone(), args: args.clone() })
                    }
                    _ => None,
                };
                // The stream goes on when the program knows of the fault.
                exception::deliver(self.exception(&failure), kernel, move || stream.resume(Err(failure)));
            }
            answer => self.resume(answer),
        }
    }

    fn exception(&self, failure: &Failure) -> Exception {
        let who = self.who.load(Ordering::Relaxed);
        Exception {
            task_id: (who >> 32) as u32,
            stream_id: self.id,
            thread_id: who as u32,
            device_id: self.context.device.index,
            code: failure.code,
            function: 0,
            args: 0,
            args_bytes: 0,
        }
    }

    /// A task that must not run any more; whoever waits for it is let go.
    pub(super) fn skip(&self, work: Work) {
        match work {
            Work::Record { mark, .. } => mark.pass(self.cycle.load(Ordering::Relaxed)),
            Work::Wait { event, .. } => event.wait_ends(),
            Work::Custom(work) => work.skip(self),
            Work::Kernel(_) | Work::Move(_) | Work::Nothing => {}
        }
    }

    fn start_move(&self, turn: Turn, work: MoveWork) {
        *self.running.lock() = Running::Move(work.motion);
        let end = turn.begin() + work.cycles;
        let done = Box::new(move || {
            turn.end(Ok(()), end);
        });
        work.submit(self.priority(), self.context.device.chance().delay(), done);
    }

    fn start_wait(&self, turn: Turn, event: Arc<Event>, mark: &Arc<Mark>, limit: Option<Duration>) {
        *self.running.lock() = Running::Wait(event.clone(), mark.clone());
        let (waiting, waited) = (turn.clone(), event.clone());
        let go_on = move |cycle: u64| {
            if let Some(claimed) = waiting.claim() {
                waited.wait_ends();
                claimed.finish(Ok(()), cycle);
            }
        };
        let number = match mark.on_pass(Box::new(go_on)) {
            Ok(number) => number,
            Err((go_on, cycle)) => return go_on(cycle),
        };
        if let Some(limit) = limit {
            let mark = mark.clone();
            timer::after(limit, move || {
                let Some(claimed) = turn.claim() else { return };
                mark.forget(number);
                event.wait_ends();
                let name = turn.stream().name();
                let text = format!("{name} waited {limit:?} for an event that did not happen");
                claimed.finish(Err(Failure::new(AclError::RT_WAIT_TIMEOUT, text)), turn.begin());
            });
        }
    }

    fn start_kernel(&self, turn: Turn, mut kernel: KernelWork, place: Option<order::Task>) {
        let device = self.context.device;
        if let Err(failure) = kernel.load_args(super::state::runtime(), device) {
            turn.end(Err(failure), turn.begin());
            return;
        }
        kernel.launch.start_cycle = turn.begin();
        kernel.launch.launch_id = device.next_launch_id();
        let pointers = kernel.function.pointers(&kernel.launch.args).collect();
        *self.running.lock() = Running::Kernel {
            function: kernel.function.clone(),
            since: Instant::now(),
            pointers,
            launch_id: kernel.launch.launch_id,
            args: exception::is_wanted().then(|| kernel.launch.args.clone()),
        };
        let Some(scheduler) = device.scheduler() else {
            turn.end(Err(super::failure::bug("a stream of a device that was never opened")), turn.begin());
            return;
        };
        let (function, scratch, blocks) = (kernel.function, kernel.scratch, kernel.launch.num_blocks);
        let done: LaunchDone = Box::new(move |outcome| {
            let (stream, begin) = (turn.stream(), turn.begin());
            let answer = stream.kernel_ended(&function, blocks, begin, outcome, place.as_ref());
            drop(scratch);
            turn.end(answer, begin);
        });
        scheduler.submit(self.priority(), kernel.launch, done);
    }

    fn kernel_ended(
        &self,
        function: &Arc<Function>,
        blocks: u32,
        begin: u64,
        outcome: Answer<LaunchOutcome>,
        place: Option<&order::Task>,
    ) -> Answer {
        let mut outcome = outcome?;
        if let Some(place) = place {
            let pointers = match &*self.running.lock() {
                Running::Kernel { pointers, .. } => pointers.clone(),
                _ => SmallVec::new(),
            };
            self.timeline.launched(place, function, &pointers, std::mem::take(&mut outcome.gm));
        }
        if self.is_stopping() {
            // Nobody wants to know how far it came.
            return Ok(());
        }
        if outcome.stats.overflowed && self.attributes.overflow_switch.load(Ordering::Relaxed) != 0 {
            overflow::note();
        }
        let device = self.context.device;
        let cycles = outcome.stats.cycles + device.launch_overhead_cycles();
        self.cycle.store(begin + cycles, Ordering::Relaxed);
        let failure = outcome
            .failure
            .map(|why| diag::kernel_failure(function, blocks, &self.name(), why, &outcome.findings));
        report::launch(&report::LaunchSeen {
            function,
            blocks,
            device: device.index,
            stream: self.id,
            outcome: &outcome,
            time_us: device.cycles_to_us(cycles),
            code: failure.as_ref().map_or(AclError::SUCCESS, |f| f.code),
        });
        self.arrived(&outcome.printed, outcome.findings);
        failure.map_or(Ok(()), Err)
    }

    /// Keeps output and findings until somebody synchronises.
    fn arrived(&self, printed: &str, findings: Vec<Finding>) {
        if printed.is_empty() && findings.is_empty() {
            return;
        }
        let mut state = self.state.lock();
        if state.printed.len() < KEPT_OUTPUT_BYTES {
            state.printed.push_str(printed);
        }
        state.findings.extend(findings);
        self.news.store(true, Ordering::Release);
    }

    /// The running task ended on another thread. Chains of streams that wake each other are worked off in a loop, not
    /// by recursion.
    fn resume(self: &Arc<Self>, answer: Answer) {
        thread_local! {
            static PENDING: RefCell<VecDeque<(Arc<Stream>, Answer)>> = const { RefCell::new(VecDeque::new()) };
            static DRAINING: Cell<bool> = const { Cell::new(false) };
        }
        struct Reset;
        impl Drop for Reset {
            fn drop(&mut self) {
                DRAINING.with(|draining| draining.set(false));
            }
        }
        PENDING.with(|pending| pending.borrow_mut().push_back((self.clone(), answer)));
        if DRAINING.with(|draining| draining.replace(true)) {
            return;
        }
        let _reset = Reset;
        while let Some((stream, answer)) = PENDING.with(|pending| pending.borrow_mut().pop_front()) {
            if let Some(task) = stream.settle(answer) {
                stream.run(task);
            }
        }
    }

    /// Keeps the fault of the task that ended and returns the next one.
    fn settle(&self, answer: Answer) -> Option<Task> {
        let answer = self.take_stop().map_or(answer, Err);
        if let Err(failure) = answer {
            if self.context.stops_on_failure() && !is_asked_for(failure.code) {
                self.context.stop(&failure);
            }
            exception::remember(self.context.device.index, failure.code);
            self.keep_fault(failure);
        }
        let was = std::mem::take(&mut *self.running.lock());
        self.learn_from(&was);
        // Not under the lock: it may be the last owner of a kernel or of another module's work.
        drop(was);
        let next = self.queue.finish();
        value::task_ended(self.cycle.load(Ordering::Relaxed));
        next
    }

    /// Keeps a fault for the next synchronisation, unless there is an older one.
    pub(super) fn keep_fault(&self, failure: Failure) {
        self.state.lock().fault.get_or_insert_with(|| Arc::new(failure));
        self.news.store(true, Ordering::Release);
    }

    /// Waits for everything enqueued so far and reports what failed.
    ///
    /// # Errors
    /// 507046 after `deadline`; the fault of the stream (once), or the one that stopped its context; 207000 inside
    /// functions that a stream calls.
    pub fn synchronize(&self, deadline: Option<Instant>) -> Answer {
        callback::check_outside("a stream is synchronised")?;
        if self.flags & UNSYNCHRONISED != 0 {
            return Ok(());
        }
        let ticket = self.queue.ticket();
        // A block runs to its end, so whoever has a deadline cannot help with kernels.
        let may_run_blocks = deadline.is_none();
        let help = || copy::pool().help() || may_run_blocks && self.help_with_kernel();
        if !self.queue.wait(ticket, deadline, help) {
            return Err(Failure::new(
                AclError::RT_STREAM_SYNC_TIMEOUT,
                format!("{} did not finish in the time given: {}", self.name(), self.doing()),
            )
            .help("wait longer, or look for what hangs; the work goes on"));
        }
        order::host_learns_of(&self.timeline);
        self.context.device.see_cycle(self.cycle.load(Ordering::Relaxed));
        mem_pool::trim_at_sync();
        self.report_news()
    }

    /// Runs blocks of the kernel this stream runs, if it is the only one on the device.
    pub fn help_with_kernel(&self) -> bool {
        let runs_kernel = matches!(*self.running.lock(), Running::Kernel { .. });
        runs_kernel && self.context.device.scheduler().is_some_and(|s| s.help_alone())
    }

    /// Waits until everything enqueued so far is done; faults stay for the next synchronisation.
    pub fn wait_idle(&self, deadline: Option<Instant>) -> bool {
        let is_idle = self.queue.wait(self.queue.ticket(), deadline, || copy::pool().help());
        if is_idle {
            order::host_learns_of(&self.timeline);
        }
        is_idle
    }

    /// Work of this duration was done outside the queue while the stream was idle.
    pub fn add_cycles(&self, cycles: u64) {
        self.cycle.fetch_max(self.context.device.seen_cycle(), Ordering::Relaxed);
        self.cycle.fetch_add(cycles, Ordering::Relaxed);
    }

    /// Whether everything enqueued so far is done; never waits.
    pub fn is_idle(&self) -> bool {
        self.queue.reached(self.queue.ticket())
    }

    /// Prints what arrived and takes the fault.
    ///
    /// # Errors
    /// The fault, once.
    pub fn report_news(&self) -> Answer {
        if self.news.swap(false, Ordering::AcqRel) {
            let (printed, findings, fault) = {
                let mut state = self.state.lock();
                (std::mem::take(&mut state.printed), std::mem::take(&mut state.findings), state.fault.take())
            };
            diag::print_output(&printed);
            diag::print_findings(&findings);
            self.context.check_running()?;
            return fault.map_or(Ok(()), |f| Err(f.as_ref().clone()));
        }
        self.context.check_running()
    }

    /// Sets what happens after a fault.
    ///
    /// # Errors
    /// 207000: there is no way back from stopping.
    pub fn set_stop_on_failure(&self, stop: bool) -> Answer {
        if !stop && self.context.stops_on_failure() {
            return Err(Failure::new(
                AclError::RT_FEATURE_NOT_SUPPORT,
                "the streams of this context stop on failure; that cannot be set back to continue",
            )
            .help("destroy the context and make a new one, or reset the device"));
        }
        if stop {
            self.context.set_stops_on_failure();
        }
        Ok(())
    }

    /// Refuses further work.
    pub fn close(&self) {
        self.queue.close();
    }

    /// Where the program queued the first task, not done yet, that uses device or host memory in this range.
    pub fn uses(&self, start: u64, bytes: u64) -> Option<CallSite> {
        if self.running.lock().touches(start, bytes) {
            return Some(CallSite(self.running_site.load(Ordering::Relaxed)));
        }
        self.queue.find_waiting(|task| task.work.touches(start, bytes).then_some(task.site))
    }

    /// Whether nothing that is not done writes host memory in this range or lets the host write it in step.
    pub fn leaves_alone(&self, start: u64, bytes: u64) -> bool {
        self.running.lock().leaves_alone(start, bytes)
            && !self.queue.any_waiting(|task| !task.work.leaves_alone(start, bytes))
    }

    fn note_wait(&self, mark: &Mark) {
        let Some((stream, task)) = mark.origin() else { return };
        let mut waited_for = self.waited_for.lock();
        match waited_for.iter_mut().find(|known| known.0 == stream) {
            Some(known) => known.1 = known.1.max(task),
            None => waited_for.push((stream, task)),
        }
    }

    /// Whether what is queued from now on comes after this task of another stream, because of a wait for an event.
    pub fn has_waited_for(&self, stream: u64, task: u32) -> bool {
        self.waited_for.lock().iter().any(|known| known.0 == stream && known.1 >= task)
    }

    /// What it does right now, in words.
    pub fn doing(&self) -> String {
        let running = self.running.lock().clone();
        running.describe()
    }
}
