//! A progress with a mistake, and the real queue on it.

#[path = "../../src/runtime/queue.rs"]
pub mod queue;

pub mod progress {
    use crate::sync::atomic::{AtomicU64, Ordering};
    use crate::sync::{Condvar, Mutex};
    use std::time::Instant;

    #[derive(Debug, Default)]
    pub struct Progress {
        done: AtomicU64,
        sleep: Mutex<()>,
        woken: Condvar,
    }

    impl Progress {
        /// The mistake: whoever looks between these two steps goes to sleep after the notification.
        pub fn advance(&self, by: u64) {
            {
                let _held = self.sleep.lock();
                self.woken.notify_all();
            }
            self.done.fetch_add(by, Ordering::SeqCst);
        }

        pub fn count(&self) -> u64 {
            self.done.load(Ordering::SeqCst)
        }

        pub fn reached(&self, goal: u64) -> bool {
            self.done.load(Ordering::SeqCst) >= goal
        }

        pub fn wait(&self, goal: u64, _: Option<Instant>, _: impl FnMut() -> bool) -> bool {
            let mut held = self.sleep.lock();
            while !self.reached(goal) {
                self.woken.wait(&mut held);
            }
            true
        }
    }
}
