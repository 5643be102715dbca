//! The order of one stream: a queue of which at most one task runs.
//!
//! ```text
//!  push ──▶ idle? start it at once : line up        finish ──▶ next task to start, or idle
//!                         wait(ticket) ◀── wakes when `ticket` tasks are finished
//! ```
//! Whoever makes a task startable (the pusher of an idle queue, the finisher of the task before) gets it back and
//! has to start it; the queue itself starts nothing, so it has no opinion on threads.

use super::progress::Progress;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU64, Ordering};
use std::collections::VecDeque;
use std::time::Instant;

/// Tasks a stream takes before whoever enqueues has to wait.
pub const DEPTH: u64 = 4096;

#[derive(Debug)]
struct Inner<T> {
    waiting: VecDeque<T>,
    running: bool,
    closed: bool,
}

/// A FIFO of tasks, one running at a time.
#[derive(Debug)]
pub struct TaskQueue<T> {
    inner: Mutex<Inner<T>>,
    pushed: AtomicU64,
    finished: Progress,
}

/// What became of a pushed task.
#[derive(Debug, PartialEq, Eq)]
pub enum Pushed<T> {
    /// The queue was idle: the caller starts the task.
    Start(T),
    /// It waits for those before it.
    Queued,
    /// The queue was closed; the task is given back.
    Closed(T),
}

impl<T> Default for TaskQueue<T> {
    fn default() -> Self {
        TaskQueue {
            inner: Mutex::new(Inner { waiting: VecDeque::new(), running: false, closed: false }),
            pushed: AtomicU64::new(0),
            finished: Progress::default(),
        }
    }
}

impl<T> TaskQueue<T> {
    /// Appends a task.
    pub fn push(&self, task: T) -> Pushed<T> {
        let mut inner = self.inner.lock();
        if inner.closed {
            return Pushed::Closed(task);
        }
        self.pushed.fetch_add(1, Ordering::SeqCst);
        if inner.running {
            inner.waiting.push_back(task);
            return Pushed::Queued;
        }
        inner.running = true;
        Pushed::Start(task)
    }

    /// The running task is done. Returns the next one, which the caller starts.
    pub fn finish(&self) -> Option<T> {
        let next = {
            let mut inner = self.inner.lock();
            let next = inner.waiting.pop_front();
            inner.running = next.is_some();
            next
        };
        self.finished.advance(1);
        next
    }

    /// Takes every task that does not run yet.
    pub fn drain(&self) -> Vec<T> {
        let dropped: Vec<T> = self.inner.lock().waiting.drain(..).collect();
        self.finished.advance(dropped.len() as u64);
        dropped
    }

    /// Refuses further tasks.
    pub fn close(&self) {
        self.inner.lock().closed = true;
    }

    /// The first answer that looking at the tasks that do not run yet gives.
    pub fn find_waiting<R>(&self, look: impl FnMut(&T) -> Option<R>) -> Option<R> {
        self.inner.lock().waiting.iter().find_map(look)
    }

    /// Looks at the tasks that do not run yet.
    pub fn any_waiting(&self, test: impl FnMut(&T) -> bool) -> bool {
        self.inner.lock().waiting.iter().any(test)
    }

    /// Everything pushed so far; argument of [`wait`](Self::wait) and [`reached`](Self::reached).
    pub fn ticket(&self) -> u64 {
        self.pushed.load(Ordering::SeqCst)
    }

    /// Tasks that are not finished.
    pub fn depth(&self) -> u64 {
        // Finished first: a task that comes and goes in between must not make the difference negative.
        let finished = self.finished.count();
        self.pushed.load(Ordering::SeqCst) - finished
    }

    /// Tasks that are finished.
    pub fn finished(&self) -> u64 {
        self.finished.count()
    }

    /// Whether `ticket` tasks are finished.
    pub fn reached(&self, ticket: u64) -> bool {
        self.finished.reached(ticket)
    }

    /// Waits until `ticket` tasks are finished; see [`Progress::wait`].
    pub fn wait(&self, ticket: u64, deadline: Option<Instant>, help: impl FnMut() -> bool) -> bool {
        self.finished.wait(ticket, deadline, help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn one_runs_the_others_wait_in_order() {
        let queue = TaskQueue::default();
        assert_eq!(queue.push(1), Pushed::Start(1));
        assert_eq!(queue.push(2), Pushed::Queued);
        assert_eq!(queue.push(3), Pushed::Queued);
        assert_eq!(queue.finish(), Some(2));
        assert_eq!(queue.finish(), Some(3));
        assert!(!queue.reached(3));
        assert_eq!((queue.depth(), queue.finished()), (1, 2));
        assert_eq!(queue.finish(), None);
        assert!(queue.reached(3));
        assert_eq!(queue.push(4), Pushed::Start(4));
        queue.close();
        assert_eq!(queue.push(5), Pushed::Closed(5));
        assert_eq!(queue.ticket(), 4);
    }

    #[test]
    fn dropped_tasks_count_as_finished() {
        let queue = TaskQueue::default();
        for task in 0..5 {
            queue.push(task);
        }
        assert_eq!(queue.drain(), [1, 2, 3, 4]);
        assert_eq!(queue.finish(), None);
        assert!(queue.reached(5));
    }

    #[test]
    fn many_pushers_one_runs_at_a_time() {
        let queue = Arc::new(TaskQueue::<u32>::default());
        let inside = Arc::new(AtomicU64::new(0));
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let (queue, inside) = (queue.clone(), inside.clone());
                std::thread::spawn(move || {
                    for task in 0..5000 {
                        let Pushed::Start(mut running) = queue.push(task) else { continue };
                        loop {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "task {running}");
                            inside.fetch_sub(1, Ordering::SeqCst);
                            let Some(next) = queue.finish() else { break };
                            running = next;
                        }
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert!(queue.wait(20_000, Some(Instant::now()), || false));
    }
}
