//! Stopping work that is on its way: `aclrtStreamAbort`, `aclrtStreamStop`, `aclrtDeviceTaskAbort`, destruction by force.
//!
//! | what | tasks that wait | the running task | the next synchronisation |
//! |---|---|---|---|
//! | abort a stream | dropped | stopped | 107023, once |
//! | abort a device | dropped | stopped | 107022, once |
//! | stop a stream | run | stopped | 107035, once |
//! | destroy by force | dropped | stopped, nobody waits for it | - |
//!
//! A kernel leaves at its next instruction or signal, a wait at once; a copy and a function of the program are waited
//! for. Dropped records count as passed, so that streams that wait for them go on (the documentation lets them hang
//! until they are aborted too); a notify or a value that a dropped task should have set stays as it is.

use super::callback;
use super::copy;
use super::failure::{Answer, Failure};
use super::stream::{ABORTING, STOPPING, Stream};
use super::work::Running;
use crate::sync::atomic::Ordering;
use crate::sync::yield_now;
use std::sync::Arc;
use std::time::{Duration, Instant};
use toprope_abi::acl::AclError;

/// How often a kernel that does not leave is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(5);

/// Codes of tasks that the program itself stopped: no fault of the device.
const ASKED_FOR: [AclError; 3] =
    [AclError::RT_STREAM_ABORT, AclError::RT_TASK_ABORT_STOP, AclError::RT_DEVICE_TASK_ABORT];

/// Whether a task failed because the program wanted it.
pub fn is_asked_for(code: AclError) -> bool {
    ASKED_FOR.contains(&code)
}

impl Stream {
    /// Whether the running task is being stopped.
    pub(super) fn is_stopping(&self) -> bool {
        self.gate.load(Ordering::Acquire) & STOPPING != 0 && self.stop.lock().is_some()
    }

    /// The failure of the task that ends now, if it was stopped.
    pub(super) fn take_stop(&self) -> Option<Failure> {
        if self.gate.load(Ordering::Acquire) & STOPPING == 0 {
            return None;
        }
        let mut stop = self.stop.lock();
        let is_this = stop.as_ref().is_some_and(|(turn, _)| self.turn.load(Ordering::Acquire) == turn + 1);
        if !is_this {
            return None;
        }
        self.gate.fetch_and(!STOPPING, Ordering::AcqRel);
        stop.take().map(|(_, failure)| failure)
    }

    /// Begins to stop the running task; returns its turn if it has to be waited for.
    fn stop_running(self: &Arc<Self>, why: &Failure) -> Option<u64> {
        let turn = self.turn.load(Ordering::Acquire);
        if turn.is_multiple_of(2) {
            return None;
        }
        *self.stop.lock() = Some((turn, why.clone()));
        self.gate.fetch_or(STOPPING, Ordering::AcqRel);
        if self.turn.load(Ordering::Acquire) != turn {
            // It ended by itself; if it saw the wish, it has taken it.
            let mut stop = self.stop.lock();
            if stop.take_if(|(of, _)| *of == turn).is_some() {
                self.gate.fetch_and(!STOPPING, Ordering::AcqRel);
            }
            return None;
        }
        (!self.push_out(turn, why)).then_some(turn)
    }

    /// Makes the task of this turn leave; `false` if it has to be waited for.
    fn push_out(self: &Arc<Self>, turn: u64, why: &Failure) -> bool {
        let running = loop {
            let running = self.running.lock().clone();
            if self.turn.load(Ordering::Acquire) != turn {
                return true;
            }
            if !matches!(running, Running::Nothing) {
                break running;
            }
            // Its start has not got that far.
            yield_now();
        };
        let can_leave = match &running {
            Running::Wait(..) => true,
            Running::Custom(work) => work.interrupt(self),
            Running::Kernel { launch_id, .. } => {
                if let Some(scheduler) = self.context.device.scheduler() {
                    scheduler.cancel(|launch| launch.launch_id == *launch_id, why);
                    scheduler.abort(*launch_id);
                }
                false
            }
            Running::Move(_) | Running::Nothing => false,
        };
        if !can_leave || !self.claim_turn(turn) {
            return false;
        }
        if let Running::Wait(event, _) = &running {
            event.wait_ends();
        }
        self.resume_at(Ok(()), 0);
        true
    }

    /// Waits until the task of this turn has ended.
    fn wait_for_turn(self: &Arc<Self>, turn: u64, why: &Failure, deadline: Option<Instant>) -> bool {
        while self.turn.load(Ordering::Acquire) == turn && !self.push_out(turn, why) {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return false;
            }
            if !copy::pool().help() {
                std::thread::sleep(ASK_AGAIN);
            }
        }
        true
    }

    /// Stops the running task and drops the others; `false` if that took too long. Work enqueued meanwhile is void.
    ///
    /// # Errors
    /// 207000 inside functions that a stream calls.
    pub fn abort(self: &Arc<Self>, why: &Failure, deadline: Option<Instant>) -> Answer<bool> {
        callback::check_outside("a stream is aborted")?;
        self.gate.fetch_or(ABORTING, Ordering::AcqRel);
        if !self.is_idle() {
            // First, so that whoever waits for the stream finds it.
            self.keep_fault(why.clone());
        }
        for task in self.queue.drain() {
            self.skip(task.work);
        }
        let turn = self.stop_running(why);
        let mut ended = turn.is_none_or(|turn| self.wait_for_turn(turn, why, deadline));
        ended = ended && self.wait_idle(deadline);
        self.gate.fetch_and(!ABORTING, Ordering::AcqRel);
        Ok(ended)
    }

    /// Stops the running task; the others go on.
    ///
    /// # Errors
    /// 207000 inside functions that a stream calls.
    pub fn stop_task(self: &Arc<Self>) -> Answer {
        callback::check_outside("a stream is stopped")?;
        let text = format!("aclrtStreamStop stopped the task that {} ran", self.name());
        let why = Failure::new(AclError::RT_TASK_ABORT_STOP, text).help("later tasks of the stream do run");
        if let Some(turn) = self.stop_running(&why) {
            self.wait_for_turn(turn, &why, None);
        }
        Ok(())
    }

    /// Drops what does not run yet, and ends a wait that runs; a kernel goes on.
    pub fn drop_waiting(self: &Arc<Self>) {
        for task in self.queue.drain() {
            self.skip(task.work);
        }
        if !matches!(*self.running.lock(), Running::Kernel { .. }) {
            let text = format!("{} was given up", self.name());
            self.stop_running(&Failure::new(AclError::RT_STREAM_ABORT, text));
        }
    }

    /// Drops what does not run yet and stops what runs, without waiting for it.
    pub fn drop_all(self: &Arc<Self>) {
        for task in self.queue.drain() {
            self.skip(task.work);
        }
        let text = format!("{} was destroyed by force", self.name());
        self.stop_running(&Failure::new(AclError::RT_STREAM_ABORT, text));
    }
}
