//! Time limits that hold for the whole process: of kernels (`aclrtSetOpExecuteTimeOut…`) and of waits for events
//! (`aclrtSetOpWaitTimeout`).
//!
//! A device counts the time of a kernel in steps and gives it 1 to 254 of them; limits are rounded up to that. The limit
//! is wall-clock time, as `TOPROPE_TIME_LIMIT` is, which it overrides; the limit of a single launch overrides both.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// One step on Atlas A2: 2^32 ns, in whole microseconds.
pub const STEP_US: u64 = 4_294_967;
/// Most steps of a limit.
const MOST_STEPS: u64 = 254;

static EXECUTE_US: AtomicU64 = AtomicU64::new(0);
static WAIT_S: AtomicU64 = AtomicU64::new(0);

/// Sets the limit of kernels enqueued later (0: the longest) and returns the one that holds, in microseconds.
pub fn set_execute(us: u64) -> u64 {
    let steps = if us == 0 { MOST_STEPS } else { us.div_ceil(STEP_US).min(MOST_STEPS) };
    EXECUTE_US.store(steps * STEP_US, Ordering::Relaxed);
    steps * STEP_US
}

/// The limit of kernels if the program set one, else `otherwise`.
pub fn execute(otherwise: Option<Duration>) -> Option<Duration> {
    match EXECUTE_US.load(Ordering::Relaxed) {
        0 => otherwise,
        us => Some(Duration::from_micros(us)),
    }
}

/// Sets the limit of waits for events that are enqueued later; 0: none.
pub fn set_wait(seconds: u32) {
    WAIT_S.store(seconds.into(), Ordering::Relaxed);
}

/// The limit of waits for events.
pub fn wait() -> Option<Duration> {
    match WAIT_S.load(Ordering::Relaxed) {
        0 => None,
        seconds => Some(Duration::from_secs(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_39_limits_are_rounded_up_to_steps() {
        assert_eq!(set_execute(1), STEP_US);
        assert_eq!(set_execute(STEP_US + 1), 2 * STEP_US);
        assert_eq!(set_execute(u64::MAX), 254 * STEP_US);
        assert_eq!(set_execute(0), 254 * STEP_US);
        EXECUTE_US.store(0, Ordering::Relaxed);
    }
}
