//! A task runs: it starts, goes on on another thread or ends at once, and the next one follows.
//!
//! One task of a stream runs at a time. Its *turn* is a number; whoever claims it (the worker that is done, a limit of time, an
//! abort) ends the task, everybody else is too late.

use super::Stream;
use crate::npu::LaunchOutcome;
use crate::runtime::abort::is_asked_for;
use crate::runtime::binary::Function;
use crate::runtime::event::{Event, Mark};
use crate::runtime::exception::{self, Exception, FailedKernel};
use crate::runtime::failure::{self, Answer, Failure};
use crate::runtime::scheduler::LaunchDone;
use crate::runtime::work::{KernelWork, MoveWork, Running, Task, Turn, Work};
use crate::runtime::{diag, no_memory, order, overflow, report, state, timer, value};
use crate::sync::atomic::Ordering;
use crate::sync::thread_local;
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};
use toprope_abi::acl::AclError;

impl Stream {
    /// Runs tasks until one is left to another thread.
    pub(super) fn run(self: &Arc<Self>, task: Task) {
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

    /// Takes the right to end the running task, if it is the one with this number.
    pub(in crate::runtime) fn claim_turn(&self, number: u64) -> bool {
        self.turn.compare_exchange(number, number + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// The running task, whose turn the caller has, ended at this device time.
    pub(in crate::runtime) fn resume_at(self: &Arc<Self>, answer: Answer, cycle: u64) {
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
    pub(in crate::runtime) fn skip(&self, work: Work) {
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
        if let Err(failure) = kernel.load_args(state::runtime(), device) {
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
            turn.end(Err(failure::bug("a stream of a device that was never opened")), turn.begin());
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
        let pointers = match &*self.running.lock() {
            Running::Kernel { pointers, .. } => pointers.clone(),
            _ => SmallVec::new(),
        };
        no_memory::explain_launch(function, &pointers, &mut outcome.findings);
        if let Some(place) = place {
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
        diag::link(&mut outcome.findings);
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
}
