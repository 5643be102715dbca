//! The runtime's core under a model checker: the same source files as in `toprope_sim`, compiled here with a `sync`
//! module made of shuttle, run under thousands of random thread orders each.
//!
//! Checked: no lost wake-up, no lost or reordered task, one task of a stream at a time, every launch answered once,
//! teardown (close, drain, force, stop on failure) that leaves nobody waiting; cores of a launch that wait for each other are woken,
//! and a deadlock is found exactly when there is one. Shuttle explores orders of operations;
//! it does not model weak memory, so the orderings written at the atomics are argued in the source, not proven here.
//!
//! Every check is also run on a *twin* with one deliberate mistake and has to find it.
//!
//! `SHUTTLE_ROUNDS=100000 cargo test -p toprope-sim --test shuttle` looks longer. A failure prints the schedule;
//! `shuttle::replay` of that string repeats it.
#![allow(dead_code, missing_docs, unused_imports)] // the runtime's files, compiled again.
#![allow(clippy::duplicate_mod)] // the queue once more, on a progress with a mistake.

pub use toprope_sim::{exec, findings, gm, npu};

mod checks;
mod cores;
#[path = "../../src/runtime/mod.rs"]
mod runtime;
mod streams;
mod sync;
mod twin_mark;
mod twin_progress;
mod twin_queue;

use libtest_mimic::{Arguments, Trial};
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::{Config, FailurePersistence, Runner};

fn rounds() -> usize {
    std::env::var("SHUTTLE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1000)
}

/// Runs a check under random orders, then under few preemptions at random places (which finds rarer bugs).
fn explore(check: fn()) {
    Runner::new(RandomScheduler::new(rounds()), Config::default()).run(check);
    Runner::new(PctScheduler::new(3, rounds()), Config::default()).run(check);
}

/// The same, expecting that a mistake is found; its report is not printed.
fn finds_a_mistake(check: fn()) {
    let mut config = Config::default();
    config.failure_persistence = FailurePersistence::None;
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let found = std::panic::catch_unwind(|| {
        Runner::new(PctScheduler::new(3, 20 * rounds()), config).run(check);
    });
    std::panic::set_hook(hook);
    assert!(found.is_err(), "the mistake of the twin was not found");
}

type Row = (&'static str, fn());

/// Checks that must hold.
const SOUND: &[Row] = &[
    ("progress: no wake-up is lost", checks::progress::no_wake_up_is_lost),
    ("progress: a deadline may pass at any time", checks::progress::a_deadline_may_pass),
    ("queue: one at a time, in order, and the waiter wakes", checks::queue::one_at_a_time_in_order),
    ("queue: close and drain lose nothing", checks::queue::close_and_drain_lose_nothing),
    ("mark: every waiter is called once or given back", checks::mark::every_waiter_is_answered),
    ("scheduler: every launch is answered once", streams::every_launch_is_answered_once),
    ("streams: order, and a record wakes the wait", streams::order_and_wake_up),
    ("streams: two that wake each other", streams::two_that_wake_each_other),
    ("streams: a waiter whose time runs out", streams::wait_and_forget),
    ("streams: destroyed by force while others enqueue and wait", streams::destroyed_by_force),
    ("streams: stop on failure lets everybody go", streams::stop_on_failure),
    ("cores: a barrier lets everybody go", cores::a_barrier_lets_everybody_go),
    ("cores: waves of blocks end", cores::waves_of_blocks_end),
    ("cores: a deadlock is found", cores::a_deadlock_is_found),
    ("cores: the last to leave looks for a deadlock", cores::the_last_to_leave_looks),
    ("cores: a stop ends waits", cores::a_stop_ends_waits),
    ("streams: aborted while others pass, wait and synchronise", streams::aborted_and_used_again),
];

/// Checks of twins with a mistake.
const BROKEN: &[Row] = &[
    ("twin: progress that notifies before it counts", checks::twin_progress::no_wake_up_is_lost),
    (
        "twin: a queue on a progress that notifies before it counts",
        checks::queue_on_twin_progress::one_at_a_time_in_order,
    ),
    ("twin: a queue that looks for the next task in two steps", checks::twin_queue::one_at_a_time_in_order),
    ("twin: a queue that is closed after it is drained", checks::twin_queue::close_and_drain_lose_nothing),
    (
        "twin: a mark that is looked at before its waiters are locked",
        checks::twin_mark::every_waiter_is_answered,
    ),
    ("twin: a thread that claims a block before it is counted", cores::twin_claims_before_it_enters),
    ("twin: an engine that answers before it has run", streams::answers_before_it_has_run),
];

fn main() {
    let arguments = Arguments::from_args();
    let sound = SOUND.iter().map(|(name, check)| {
        Trial::test(*name, || {
            explore(*check);
            Ok(())
        })
    });
    let broken = BROKEN.iter().map(|(name, check)| {
        Trial::test(*name, || {
            finds_a_mistake(*check);
            Ok(())
        })
    });
    // One after the other: shuttle's threads live on one thread of the system, and the panic hook is of the process.
    let arguments = Arguments { test_threads: Some(1), ..arguments };
    libtest_mimic::run(&arguments, sound.chain(broken).collect()).exit();
}
