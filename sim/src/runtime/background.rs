//! Threads for what must not hold up the device: functions of the program, long reductions.
//!
//! A job runs as soon as a thread is free; there are as many threads as jobs that block, up to [`MOST_THREADS`]. They
//! sleep when there is nothing to do, and none exists before the first job.

use super::failure::panic_text;
use parking_lot::{Condvar, Mutex};
use std::cell::Cell;
use std::collections::VecDeque;

/// Jobs that may run, or block, at a time.
const MOST_THREADS: usize = 64;

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    /// Threads that sleep and were not woken for a job yet.
    idle: usize,
    threads: usize,
}

static STATE: Mutex<State> = Mutex::new(State { jobs: VecDeque::new(), idle: 0, threads: 0 });
static MORE: Condvar = Condvar::new();

thread_local! {
    /// This is one of the threads.
    static IS_OURS: Cell<bool> = const { Cell::new(false) };
    /// This is one of the threads, and it has not promised to take a job yet.
    static CAN_TAKE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `job` on another thread, soon.
pub fn run(job: impl FnOnce() + Send + 'static) {
    let mut state = STATE.lock();
    state.jobs.push_back(Box::new(job));
    if CAN_TAKE.replace(false) {
        // This thread looks for jobs when its own is done, which is now: jobs only push at their end.
        return;
    }
    if state.idle > 0 {
        state.idle -= 1;
        drop(state);
        MORE.notify_one();
    } else if state.threads < MOST_THREADS {
        state.threads += 1;
        let first = state.threads == 1;
        drop(state);
        let named = std::thread::Builder::new().name("toprope-background".into());
        if let Err(e) = named.spawn(work) {
            STATE.lock().threads -= 1;
            if first {
                eprintln!(
                    "toprope: no background thread: {e}; functions of the program run on device threads"
                );
                run_one();
            }
        }
    }
}

fn run_one() {
    let job = STATE.lock().jobs.pop_front();
    if let Some(job) = job
        && let Err(payload) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job))
    {
        eprintln!("toprope: bug: a background job panicked: {}", panic_text(&*payload));
    }
}

/// The rest of the job of this thread is short: a job that it pushes may wait for this thread.
pub fn nearly_done() {
    CAN_TAKE.set(IS_OURS.get());
}

fn work() {
    IS_OURS.set(true);
    loop {
        {
            let mut state = STATE.lock();
            while state.jobs.is_empty() {
                state.idle += 1;
                MORE.wait(&mut state);
            }
        }
        run_one();
        CAN_TAKE.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn blocked_jobs_do_not_hold_up_others() {
        let (go, gate) = mpsc::channel::<()>();
        let (done, seen) = mpsc::channel();
        let first = done.clone();
        run(move || {
            let _ = gate.recv();
            let _ = first.send("blocked");
        });
        run(move || {
            let _ = done.send("free");
        });
        assert_eq!(seen.recv_timeout(Duration::from_secs(20)), Ok("free"));
        drop(go);
        assert_eq!(seen.recv_timeout(Duration::from_secs(20)), Ok("blocked"));
    }
}
