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
#![allow(unsafe_code)] // starts copies between raw addresses; `MoveWork` says what makes them sound.

use super::binary::Function;
use super::context::Context;
use super::copy::{self, Motion};
use super::diag;
use super::event::{Event, Mark};
use super::failure::{Answer, Failure, SharedFailure};
use super::hostmem::HostBlock;
use super::queue::{Pushed, TaskQueue};
use super::report;
use super::scheduler::LaunchDone;
use super::timer;
use crate::findings::Finding;
use crate::npu::{Launch, LaunchOutcome};
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use crate::sync::{Mutex, thread_local};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use toprope_abi::acl::{AclError, STREAM_DEVICE_USE_ONLY, STREAM_PERSISTENT};

/// Arrived output kept per stream until somebody synchronises.
const KEPT_OUTPUT_BYTES: usize = 16 << 20;

/// One launch on its way.
#[derive(Debug)]
pub struct KernelWork {
    /// What to run; start time and number are filled in when it starts.
    pub launch: Launch,
    /// The kernel; keeps its binary loaded.
    pub function: Arc<Function>,
    /// Device memory that belongs to the launch (data of place holders), freed when it is done.
    pub scratch: SmallVec<[u64; 2]>,
    /// Where the arguments are, if they lie in device memory; read when the kernel starts.
    pub device_args: Option<u64>,
}

/// A copy or fill on its way. Whoever makes one has checked that the device ranges lie in live blocks (the range of a
/// device stays mapped for ever) and that host ranges lie in the blocks of `keep`.
#[derive(Debug)]
pub struct MoveWork {
    /// What to do.
    pub motion: Motion,
    /// Modelled duration in core cycles.
    pub cycles: u64,
    /// Host blocks it uses.
    pub keep: Vec<Arc<HostBlock>>,
}

/// What a task does.
#[derive(Debug)]
pub enum Work {
    /// Runs a kernel.
    Kernel(Box<KernelWork>),
    /// Moves bytes.
    Move(MoveWork),
    /// Passes a mark.
    Record(Arc<Mark>),
    /// Waits for a mark.
    Wait {
        /// The event, for its count of waits.
        event: Arc<Event>,
        /// What is waited for.
        mark: Arc<Mark>,
        /// Longest wait.
        limit: Option<Duration>,
    },
    /// Takes a place in the order.
    Nothing,
}

/// A task of a stream.
#[derive(Debug)]
pub struct Task {
    work: Work,
    earliest_cycle: u64,
}

impl Task {
    fn touches(&self, start: u64, bytes: u64) -> bool {
        match &self.work {
            Work::Kernel(k) => {
                let mut used = k.function.pointers(&k.launch.args).chain(k.device_args);
                used.any(|at| at.wrapping_sub(start) < bytes)
            }
            Work::Move(m) => m.motion.touches(start, bytes),
            Work::Record(_) | Work::Wait { .. } | Work::Nothing => false,
        }
    }
}

/// What a stream does right now, for messages.
#[derive(Clone, Debug, Default)]
enum Running {
    #[default]
    Nothing,
    Kernel(Arc<Function>, Instant, SmallVec<[u64; 8]>),
    Move(Motion),
    Wait(u64),
}

#[derive(Debug, Default)]
struct State {
    fault: Option<SharedFailure>,
    stop_on_failure: bool,
    printed: String,
    findings: Vec<Finding>,
}

/// A stream.
#[derive(Debug)]
pub struct Stream {
    /// Handle given to the program.
    pub handle: u64,
    /// Number on its device, from 0.
    pub id: u32,
    /// 0 is served first, 7 last.
    pub priority: u32,
    /// `ACL_STREAM_*` bits.
    pub flags: u32,
    /// The context it belongs to.
    pub context: Arc<Context>,
    /// Whether it is its context's default stream.
    pub is_default: bool,
    queue: TaskQueue<Task>,
    cycle: AtomicU64,
    news: AtomicBool,
    state: Mutex<State>,
    running: Mutex<Running>,
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
            priority,
            flags,
            context,
            is_default,
            queue: TaskQueue::default(),
            cycle: AtomicU64::new(0),
            news: AtomicBool::new(false),
            state: Mutex::default(),
            running: Mutex::default(),
        }
    }

    /// How messages name it.
    pub fn name(&self) -> String {
        if self.is_default { "the default stream".into() } else { format!("stream {}", self.id) }
    }

    /// Appends work.
    ///
    /// # Errors
    /// The fault that stopped the context; 107017 if the stream was destroyed meanwhile; 207000 for a stream whose
    /// tasks are only kept for a graph.
    pub fn enqueue(self: &Arc<Self>, work: Work) -> Answer {
        self.context.check_running()?;
        if self.flags & STREAM_PERSISTENT != 0 {
            return Err(Failure::new(
                AclError::RT_FEATURE_NOT_SUPPORT,
                "work for a stream with ACL_STREAM_PERSISTENT belongs to a graph, and graphs are not modelled by toprope",
            )
            .help("make the stream without ACL_STREAM_PERSISTENT"));
        }
        let task = Task { work, earliest_cycle: self.context.device.seen_cycle() };
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
        if self.context.is_stopped() {
            self.skip(task);
            return Some(Ok(()));
        }
        match task.work {
            Work::Nothing => Some(Ok(())),
            Work::Record(mark) => {
                mark.pass(begin);
                Some(Ok(()))
            }
            Work::Wait { event, mark, limit } => self.start_wait(event, &mark, limit),
            Work::Move(work) => self.start_move(work, begin),
            Work::Kernel(kernel) => {
                self.start_kernel(*kernel, begin);
                None
            }
        }
    }

    /// A task that must not run any more; whoever waits for it is let go.
    fn skip(&self, task: Task) {
        match task.work {
            Work::Record(mark) => mark.pass(self.cycle.load(Ordering::Relaxed)),
            Work::Wait { event, .. } => event.wait_ends(),
            Work::Kernel(kernel) => self.free_scratch(&kernel.scratch),
            Work::Move(_) | Work::Nothing => {}
        }
    }

    fn start_move(self: &Arc<Self>, work: MoveWork, begin: u64) -> Option<Answer> {
        let end = begin + work.cycles;
        if work.motion.is_small() {
            // SAFETY: `MoveWork` promises valid ranges that `keep` and the device's mapping keep valid.
            unsafe { work.motion.run() };
            self.cycle.store(end, Ordering::Relaxed);
            return Some(Ok(()));
        }
        *self.running.lock() = Running::Move(work.motion);
        let stream = self.clone();
        let done = Box::new(move || {
            stream.cycle.store(end, Ordering::Relaxed);
            stream.resume(Ok(()));
        });
        // SAFETY: as above; the job holds `keep` until it is done.
        unsafe { copy::pool().submit(work.motion, self.priority, work.keep, done) };
        None
    }

    fn start_wait(
        self: &Arc<Self>,
        event: Arc<Event>,
        mark: &Arc<Mark>,
        limit: Option<Duration>,
    ) -> Option<Answer> {
        *self.running.lock() = Running::Wait(event.handle);
        let (stream, waited) = (self.clone(), event.clone());
        let go_on = move |cycle: u64| {
            stream.cycle.fetch_max(cycle, Ordering::Relaxed);
            waited.wait_ends();
            stream.resume(Ok(()));
        };
        let number = match mark.on_pass(Box::new(go_on)) {
            Ok(number) => number,
            Err((_, cycle)) => {
                self.cycle.fetch_max(cycle, Ordering::Relaxed);
                event.wait_ends();
                return Some(Ok(()));
            }
        };
        if let Some(limit) = limit {
            let (stream, mark) = (self.clone(), mark.clone());
            timer::after(limit, move || {
                if mark.forget(number).is_none() {
                    return;
                }
                event.wait_ends();
                let text = format!("{} waited {limit:?} for an event that did not happen", stream.name());
                stream.resume(Err(Failure::new(AclError::RT_WAIT_TIMEOUT, text)));
            });
        }
        None
    }

    fn start_kernel(self: &Arc<Self>, mut kernel: KernelWork, begin: u64) {
        let device = self.context.device;
        if let Err(failure) = kernel.load_args(super::state::runtime(), device) {
            return self.resume(Err(failure));
        }
        kernel.launch.start_cycle = begin;
        kernel.launch.launch_id = device.next_launch_id();
        let pointers = kernel.function.pointers(&kernel.launch.args).collect();
        *self.running.lock() = Running::Kernel(kernel.function.clone(), Instant::now(), pointers);
        let Some(scheduler) = device.scheduler() else {
            return self.resume(Err(super::failure::bug("a stream of a device that was never opened")));
        };
        let stream = self.clone();
        let (function, scratch, blocks) = (kernel.function, kernel.scratch, kernel.launch.num_blocks);
        let done: LaunchDone = Box::new(move |outcome| {
            let answer = stream.kernel_ended(&function, blocks, begin, outcome);
            stream.free_scratch(&scratch);
            stream.resume(answer);
        });
        scheduler.submit(self.priority, kernel.launch, done);
    }

    fn free_scratch(&self, scratch: &[u64]) {
        super::launch::free_scratch(self.context.device, scratch);
    }

    fn kernel_ended(
        &self,
        function: &Function,
        blocks: u32,
        begin: u64,
        outcome: Answer<LaunchOutcome>,
    ) -> Answer {
        let outcome = outcome?;
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
        if !outcome.printed.is_empty() || !outcome.findings.is_empty() {
            let mut state = self.state.lock();
            if state.printed.len() < KEPT_OUTPUT_BYTES {
                state.printed.push_str(&outcome.printed);
            }
            state.findings.extend(outcome.findings);
            self.news.store(true, Ordering::Release);
        }
        failure.map_or(Ok(()), Err)
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
        if let Err(failure) = answer {
            let mut state = self.state.lock();
            if state.stop_on_failure {
                self.context.stop(&failure);
            }
            state.fault.get_or_insert_with(|| Arc::new(failure));
            self.news.store(true, Ordering::Release);
        }
        if !matches!(*self.running.lock(), Running::Nothing) {
            *self.running.lock() = Running::Nothing;
        }
        self.queue.finish()
    }

    /// Waits for everything enqueued so far and reports what failed.
    ///
    /// # Errors
    /// 507046 after `deadline`; the fault of the stream (once), or the one that stopped its context.
    pub fn synchronize(&self, deadline: Option<Instant>) -> Answer {
        if self.flags & (STREAM_PERSISTENT | STREAM_DEVICE_USE_ONLY) != 0 {
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
        self.context.device.see_cycle(self.cycle.load(Ordering::Relaxed));
        self.report_news()
    }

    /// Runs blocks of the kernel this stream runs, if it is the only one on the device.
    pub fn help_with_kernel(&self) -> bool {
        let runs_kernel = matches!(*self.running.lock(), Running::Kernel(..));
        runs_kernel && self.context.device.scheduler().is_some_and(|s| s.help_alone())
    }

    /// Waits until everything enqueued so far is done; faults stay for the next synchronisation.
    pub fn wait_idle(&self, deadline: Option<Instant>) -> bool {
        self.queue.wait(self.queue.ticket(), deadline, || copy::pool().help())
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
        let mut state = self.state.lock();
        if state.stop_on_failure && !stop {
            return Err(Failure::new(
                AclError::RT_FEATURE_NOT_SUPPORT,
                "the stream stops on failure; it cannot be set back to continue",
            )
            .help("destroy the stream and make a new one"));
        }
        state.stop_on_failure = stop;
        Ok(())
    }

    /// Drops what does not run yet.
    pub fn drop_waiting(&self) {
        for task in self.queue.drain() {
            self.skip(task);
        }
        if let Some(scheduler) = self.context.device.scheduler() {
            let dropped = Failure::new(
                AclError::RT_STREAM_ABORT,
                format!("{} was destroyed before the launch began", self.name()),
            );
            let id = self.id;
            scheduler.cancel(|launch| launch.stream_id == id, &dropped);
        }
    }

    /// Refuses further work.
    pub fn close(&self) {
        self.queue.close();
    }

    /// Whether a task that is not done uses device or host memory in this range.
    pub fn uses(&self, start: u64, bytes: u64) -> bool {
        let runs = match &*self.running.lock() {
            Running::Kernel(_, _, pointers) => pointers.iter().any(|at| at.wrapping_sub(start) < bytes),
            Running::Move(motion) => motion.touches(start, bytes),
            Running::Wait(_) | Running::Nothing => false,
        };
        runs || self.queue.any_waiting(|task| task.touches(start, bytes))
    }

    /// What it does right now, in words.
    pub fn doing(&self) -> String {
        match &*self.running.lock() {
            Running::Nothing => "it is between two tasks".into(),
            Running::Kernel(function, since, _) => {
                format!("it runs kernel `{}` since {:.1} s", function.name, since.elapsed().as_secs_f64())
            }
            Running::Move(motion) => format!("it copies {} bytes", motion.bytes()),
            Running::Wait(event) => format!("it waits for event {event:#x}, which has not happened yet"),
        }
    }
}
