//! What `toprope_sim::sync` is for the runtime, made of shuttle: every lock, atomic access and wait is a point where
//! another thread may go on.

use shuttle::rand::Rng;
use std::ops::{Deref, DerefMut};
use std::time::Instant;

pub use shuttle::hint::spin_loop;
pub use shuttle::sync::atomic;
pub use shuttle::thread::yield_now;
pub use shuttle::thread_local;

/// No patience: a waiter looks once and sleeps.
pub mod patience {
    use std::time::Duration;

    pub const SPIN_ROUNDS: u32 = 1;
    pub const YIELD_TIME: Duration = Duration::ZERO;
}

/// A lock with the face of `parking_lot::Mutex`.
#[derive(Debug, Default)]
pub struct Mutex<T>(shuttle::sync::Mutex<T>);

/// The lock, held. Empty only while a condition is waited for.
pub struct MutexGuard<'a, T>(Option<shuttle::sync::MutexGuard<'a, T>>);

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Self {
        Mutex(shuttle::sync::Mutex::new(value))
    }

    pub fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard(Some(self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())))
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("not waiting")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("not waiting")
    }
}

/// A condition with the face of `parking_lot::Condvar`.
#[derive(Debug, Default)]
pub struct Condvar(shuttle::sync::Condvar);

/// Whether a wait ended by its deadline.
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    pub fn notify_all(&self) {
        self.0.notify_all();
    }

    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        let held = guard.0.take().expect("not waiting");
        guard.0 = Some(self.0.wait(held).unwrap_or_else(|poisoned| poisoned.into_inner()));
    }

    /// The deadline passes at once or never: the model has no clock.
    pub fn wait_until<T>(&self, guard: &mut MutexGuard<'_, T>, _deadline: Instant) -> WaitTimeoutResult {
        if shuttle::rand::thread_rng().r#gen() {
            return WaitTimeoutResult(true);
        }
        self.wait(guard);
        WaitTimeoutResult(false)
    }
}
