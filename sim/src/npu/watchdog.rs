//! Time limits of launches.
//!
//! One thread looks at what every runner works for each few milliseconds and sends [`trap::time_signal`] to the threads of
//! a launch that is over its limit, again and again until they leave it. The clock of a launch starts with its first block.
#![allow(unsafe_code)] // pthread_kill has no safe face in std.

use super::launch::LaunchShared;
use super::trap;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(10);
/// The thread goes on looking this long after the last limited launch, so that launching does not wake it each time.
const LINGER: Duration = Duration::from_secs(2);

/// What a runner works for: the launch, and the thread to interrupt.
#[derive(Default)]
pub struct Post(Mutex<Option<(Arc<LaunchShared>, libc::pthread_t)>>);

impl Post {
    /// This thread runs blocks of the launch, until [`Post::leave`].
    pub fn enter(&self, launch: &Arc<LaunchShared>) {
        // SAFETY: has no preconditions.
        let thread = unsafe { libc::pthread_self() };
        *self.0.lock() = Some((launch.clone(), thread));
    }

    /// This thread has left the launch.
    pub fn leave(&self) {
        let left = self.0.lock().take();
        drop(left);
    }
}

#[derive(Default)]
struct State {
    posts: Vec<Arc<Post>>,
    running: bool,
    stop: bool,
}

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    wake: Condvar,
    /// The thread waits for `wake` (or was never started).
    idle: AtomicBool,
}

/// The watchdog of one device; its thread starts with the first limited launch.
pub struct Watchdog(Arc<Inner>);

impl Default for Watchdog {
    fn default() -> Watchdog {
        Watchdog(Arc::new(Inner { idle: AtomicBool::new(true), ..Inner::default() }))
    }
}

impl Watchdog {
    /// A post for a new runner.
    pub fn post(&self) -> Arc<Post> {
        let post = Arc::new(Post::default());
        self.0.state.lock().posts.push(post.clone());
        post
    }

    /// A launch with a limit is about to start.
    #[inline]
    pub fn rouse(&self) {
        if self.0.idle.load(Ordering::Relaxed) {
            self.start();
        }
    }

    /// Stops the blocks of a launch that run now, whatever its limit.
    pub fn abort(&self, launch_id: u64) {
        {
            let state = self.0.state.lock();
            let posts = state.posts.iter().map(|post| post.0.lock());
            posts
                .filter_map(|post| post.as_ref().map(|p| p.0.clone()))
                .filter(|launch| launch.launch().launch_id == launch_id)
                .for_each(|launch| launch.time_out());
        }
        self.start();
    }

    #[cold]
    fn start(&self) {
        let mut state = self.0.state.lock();
        self.0.idle.store(false, Ordering::Relaxed);
        if state.running {
            self.0.wake.notify_one();
        } else {
            let inner = self.0.clone();
            // Without a thread there is no limit; nothing else depends on it.
            state.running =
                std::thread::Builder::new().name("npu-watchdog".into()).spawn(move || inner.watch()).is_ok();
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.0.state.lock().stop = true;
        self.0.wake.notify_all();
    }
}

impl Inner {
    fn watch(&self) {
        let mut last_busy = Instant::now();
        let mut state = self.state.lock();
        while !state.stop {
            let now = Instant::now();
            let mut next = TICK;
            let mut busy = false;
            for post in &state.posts {
                if let Some((launch, thread)) = &*post.0.lock() {
                    busy = true;
                    next = next.min(look(launch, *thread, now));
                }
            }
            if busy {
                last_busy = now;
            }
            if now.duration_since(last_busy) > LINGER {
                self.idle.store(true, Ordering::Relaxed);
                self.wake.wait(&mut state);
                last_busy = Instant::now();
            } else {
                self.wake.wait_for(&mut state, next.max(Duration::from_millis(1)));
            }
        }
    }
}

/// Interrupts `thread` if its launch is over its limit; returns when to look again. The post's lock is held, so the thread
/// is in the launch and alive.
fn look(launch: &LaunchShared, thread: libc::pthread_t, now: Instant) -> Duration {
    match launch.time_left(now) {
        None => TICK,
        Some(left) if !left.is_zero() => left,
        Some(_) => {
            launch.time_out();
            // SAFETY: the thread leaves its post, under the lock held here, before it leaves the launch; so it is alive.
            unsafe { libc::pthread_kill(thread, trap::time_signal()) };
            TICK
        }
    }
}
