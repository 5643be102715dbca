//! A mark with a mistake.

use crate::runtime::event::Waiter;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicBool, AtomicU64, Ordering};

#[derive(Default)]
pub struct Mark {
    passed: AtomicBool,
    cycle: AtomicU64,
    waiters: Mutex<Vec<(u64, Waiter)>>,
    next: AtomicU64,
}

impl Mark {
    pub fn pass(&self, cycle: u64) {
        self.cycle.store(cycle, Ordering::SeqCst);
        self.passed.store(true, Ordering::SeqCst);
        let list = std::mem::take(&mut *self.waiters.lock());
        for (_, waiter) in list {
            waiter(cycle);
        }
    }

    /// The mistake: the mark may be passed between the look and the lock.
    pub fn on_pass(&self, waiter: Waiter) -> Result<u64, (Waiter, u64)> {
        if self.passed.load(Ordering::SeqCst) {
            return Err((waiter, self.cycle.load(Ordering::SeqCst)));
        }
        let number = self.next.fetch_add(1, Ordering::SeqCst);
        self.waiters.lock().push((number, waiter));
        Ok(number)
    }

    pub fn forget(&self, number: u64) -> Option<Waiter> {
        let mut waiters = self.waiters.lock();
        let at = waiters.iter().position(|w| w.0 == number)?;
        Some(waiters.swap_remove(at).1)
    }
}
