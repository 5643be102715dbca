//! Time limits of launches.
//!
//! One thread looks at all limited launches every few milliseconds and sends [`trap::time_signal`] to the threads that run
//! blocks of one that is over its limit, again and again until it is done. The clock of a launch starts with its first block.
#![allow(unsafe_code)] // pthread_kill has no safe face in std.

use super::launch::LaunchShared;
use super::trap;
use parking_lot::{Condvar, Mutex};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(10);
/// The thread goes on looking this long after the last limited launch, so that launching does not wake it each time.
const LINGER: Duration = Duration::from_secs(2);

#[derive(Default)]
struct State {
    launches: Vec<Weak<LaunchShared>>,
    /// The thread is waiting for `wake`.
    idle: bool,
    running: bool,
    stop: bool,
}

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    wake: Condvar,
}

/// The watchdog of one device; its thread starts with the first limited launch.
#[derive(Default)]
pub struct Watchdog(Arc<Inner>);

impl Watchdog {
    /// Watches a launch until it is done.
    pub fn watch(&self, launch: &Arc<LaunchShared>) {
        let mut state = self.0.state.lock();
        state.launches.push(Arc::downgrade(launch));
        if !state.running {
            let inner = self.0.clone();
            // Without a thread there is no limit; nothing else depends on it.
            state.running =
                std::thread::Builder::new().name("npu-watchdog".into()).spawn(move || inner.watch()).is_ok();
        } else if state.idle {
            self.0.wake.notify_one();
        }
    }

    /// Says that this thread runs blocks of the launch, until the result is dropped.
    pub fn enter(launch: &Arc<LaunchShared>) -> Entered<'_> {
        // SAFETY: has no preconditions.
        let thread = unsafe { libc::pthread_self() };
        launch.runners.lock().push(thread);
        Entered { launch, thread }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.0.state.lock().stop = true;
        self.0.wake.notify_all();
    }
}

/// This thread runs blocks of a launch.
pub struct Entered<'a> {
    launch: &'a LaunchShared,
    thread: libc::pthread_t,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut runners = self.launch.runners.lock();
        if let Some(i) = runners.iter().position(|t| *t == self.thread) {
            runners.swap_remove(i);
        }
    }
}

impl Inner {
    fn watch(&self) {
        let mut last_busy = Instant::now();
        let mut state = self.state.lock();
        while !state.stop {
            let now = Instant::now();
            let mut next = TICK;
            state.launches.retain(|l| match l.upgrade() {
                Some(launch) if !launch.is_done() => {
                    next = next.min(look(&launch, now));
                    true
                }
                _ => false,
            });
            if !state.launches.is_empty() {
                last_busy = now;
            }
            if state.launches.is_empty() && now.duration_since(last_busy) > LINGER {
                state.idle = true;
                self.wake.wait(&mut state);
                state.idle = false;
                last_busy = Instant::now();
            } else {
                self.wake.wait_for(&mut state, next.max(Duration::from_millis(1)));
            }
        }
    }
}

/// Stops a launch that is over its limit; returns when to look again.
fn look(launch: &LaunchShared, now: Instant) -> Duration {
    match launch.time_left(now) {
        None => TICK,
        Some(left) if !left.is_zero() => left,
        Some(_) => {
            launch.time_out();
            for thread in launch.runners.lock().iter() {
                // SAFETY: a thread takes itself off the list, under this lock, before it leaves the launch; so it is alive.
                unsafe { libc::pthread_kill(*thread, trap::time_signal()) };
            }
            TICK
        }
    }
}
