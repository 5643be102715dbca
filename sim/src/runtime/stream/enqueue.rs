//! The host's side of a stream: work lines up. Not if somebody takes it (an [`Interceptor`]: a graph that is recorded), if the
//! stream is being aborted, or while it is full.

use super::{ABORTING, Fed, INTERCEPTED, LAST_TASK, LONG_TASK, Stream};
use crate::runtime::failure::{Answer, Failure, current_function};
use crate::runtime::process::thread_id;
use crate::runtime::queue::{self, Pushed};
use crate::runtime::site::CallSite;
use crate::runtime::work::{Interceptor, Running, Task, Work};
use crate::runtime::{callback, copy, graph, order};
use crate::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Instant;
use toprope_abi::acl::AclError;

impl Stream {
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
}
