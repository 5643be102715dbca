//! Kernels whose cores wait for ever: the finding says who waits, where, and who did not set. Each has a twin that ends.

use std::fs;

use crate::support::{Done, Toprope, case};

fn run(name: &str) -> Done {
    Toprope::new(["run", "deadlocks.asc", "--time-limit", "2s", "--", name]).dir(&case("")).go()
}

/// `deadlocks.asc:LINE` of the line with `mark`.
fn place(mark: &str) -> String {
    let source = fs::read_to_string(case("deadlocks.asc")).expect("case");
    let line = source.lines().position(|l| l.contains(mark)).expect("mark") + 1;
    format!("deadlocks.asc:{line}")
}

#[track_caller]
fn reports(name: &str, code: i32, words: &[&str]) {
    run(name).exits(70).says(words).prints(&[&format!("{name}: synchronize {code}")]);
    let good = format!("{name}_good");
    run(&good).exits(0).says_nothing_of(&["error:", "warning:"]).prints(&[&format!("{good}: synchronize 0")]);
}

#[test]
fn a_barrier_of_more_blocks_than_cores_says_which_have_not_started() {
    reports(
        "sync_all",
        507_034,
        &[
            "Deadlock] sync_all: 60 blocks > 48 vector cores: a barrier of all cores",
            &place("// SYNC ALL"),
            "blocks 48 to 59 have not started: the 48 vector cores of Ascend910B1 are held",
        ],
    );
}

#[test]
fn a_wait_for_another_flag_names_who_should_have_set_it() {
    reports(
        "wrong_id",
        507_014,
        &[
            "AIV 0 waits for cross-core flag 4",
            &place("// WAITS FOR 4"),
            "the AIC of the block",
            "AIC 0: has ended",
        ],
    );
}

#[test]
fn a_core_that_left_is_named() {
    reports(
        "leaves_early",
        507_034,
        &["all 8 AIVs of the launch (mode 0)", "AIV 5: has ended", &place("// ONE IS MISSING")],
    );
}

#[test]
fn a_core_that_polls_in_vain_is_named() {
    reports(
        "pairs",
        507_034,
        &[
            "ErrorTimeLimit] pairs:",
            "AIV 1: polls GM",
            "argument 0 (`workspace`) + 64 bytes",
            &place("// POLLS"),
        ],
    );
}
