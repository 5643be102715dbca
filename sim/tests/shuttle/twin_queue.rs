//! A queue with two mistakes.

use crate::runtime::progress::Progress;
use crate::runtime::queue::Pushed;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::collections::VecDeque;
use std::time::Instant;

pub struct TaskQueue<T> {
    waiting: Mutex<VecDeque<T>>,
    running: AtomicBool,
    closed: AtomicBool,
    pushed: AtomicU64,
    finished: Progress,
}

impl<T> Default for TaskQueue<T> {
    fn default() -> Self {
        TaskQueue {
            waiting: Mutex::new(VecDeque::new()),
            running: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            pushed: AtomicU64::new(0),
            finished: Progress::default(),
        }
    }
}

impl<T> TaskQueue<T> {
    pub fn push(&self, task: T) -> Pushed<T> {
        // The second mistake: not under the lock, so a task may come in after the drain.
        if self.closed.load(Ordering::SeqCst) {
            return Pushed::Closed(task);
        }
        self.pushed.fetch_add(1, Ordering::SeqCst);
        let mut waiting = self.waiting.lock();
        if self.running.load(Ordering::SeqCst) {
            waiting.push_back(task);
            return Pushed::Queued;
        }
        self.running.store(true, Ordering::SeqCst);
        Pushed::Start(task)
    }

    /// The first mistake: a task pushed between the two steps waits for ever.
    pub fn finish(&self) -> Option<T> {
        let next = self.waiting.lock().pop_front();
        self.running.store(next.is_some(), Ordering::SeqCst);
        self.finished.advance(1);
        next
    }

    pub fn drain(&self) -> Vec<T> {
        let dropped: Vec<T> = self.waiting.lock().drain(..).collect();
        self.finished.advance(dropped.len() as u64);
        dropped
    }

    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    pub fn ticket(&self) -> u64 {
        self.pushed.load(Ordering::SeqCst)
    }

    pub fn wait(&self, ticket: u64, deadline: Option<Instant>, help: impl FnMut() -> bool) -> bool {
        self.finished.wait(ticket, deadline, help)
    }
}
