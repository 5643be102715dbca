//! Locks, atomics and thread locals of the runtime's core, from one place.
//!
//! The core (progress, queues, marks, scheduler, streams, contexts) takes them from here and from nowhere else, because
//! `tests/shuttle` compiles the same files with a `sync` module of its own whose every operation is a point where the
//! model checker may switch threads.

pub use parking_lot::{Condvar, Mutex};
pub use std::hint::spin_loop;
pub use std::sync::atomic;
pub use std::thread::yield_now;
pub use std::thread_local;

/// How long a waiter looks and yields before it sleeps.
pub mod patience {
    use std::time::Duration;

    /// Rounds of looking before a waiter starts to yield its processor.
    pub const SPIN_ROUNDS: u32 = 200;
    /// Time of yielding before a waiter goes to sleep.
    pub const YIELD_TIME: Duration = Duration::from_micros(50);
}
