//! Calls something later: time limits of waits inside a stream.

use parking_lot::{Condvar, Mutex};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

type Action = Box<dyn FnOnce() + Send>;

/// Actions by time; the number tells equal times apart.
#[derive(Default)]
struct Due {
    made: u64,
    actions: BTreeMap<(Instant, u64), Action>,
}

#[derive(Default)]
struct Timer {
    due: Mutex<Due>,
    changed: Condvar,
}

/// Calls `action` on the timer's thread after `delay`. There is no way to cancel: an action finds out itself whether
/// it is still wanted.
pub fn after(delay: Duration, action: impl FnOnce() + Send + 'static) {
    static TIMER: OnceLock<&'static Timer> = OnceLock::new();
    let timer = TIMER.get_or_init(|| {
        let timer: &'static Timer = Box::leak(Box::default());
        let named = std::thread::Builder::new().name("toprope-timer".into());
        if let Err(e) = named.spawn(|| timer.work()) {
            eprintln!("toprope: no timer thread: {e}; waits in streams have no time limit");
        }
        timer
    });
    let Some(when) = Instant::now().checked_add(delay) else { return };
    let mut due = timer.due.lock();
    due.made += 1;
    let key = (when, due.made);
    due.actions.insert(key, Box::new(action));
    drop(due);
    timer.changed.notify_one();
}

impl Timer {
    fn work(&self) -> ! {
        let mut due = self.due.lock();
        loop {
            let now = Instant::now();
            match due.actions.first_entry() {
                Some(first) if first.key().0 <= now => {
                    let action = first.remove();
                    drop(due);
                    if std::panic::catch_unwind(std::panic::AssertUnwindSafe(action)).is_err() {
                        eprintln!("toprope: bug: a time limit's action panicked");
                    }
                    due = self.due.lock();
                }
                Some(first) => {
                    let when = first.key().0;
                    self.changed.wait_until(&mut due, when);
                }
                None => self.changed.wait(&mut due),
            }
        }
    }
}
