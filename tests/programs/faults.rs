//! Kernels and host calls that do wrong: finding, code, source line, exit code. After each fault the same process runs a good kernel.
//! The program ignores every error on purpose, so exit code 70 is `toprope`'s own.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::{Done, Toprope, case};

fn run(name: &str) -> Done {
    Toprope::new(["run", "faults.asc", "--time-limit", "2s", "--", name]).dir(&case("")).go()
}

/// `faults.asc:LINE` of the line with `mark`.
fn place(mark: &str) -> String {
    let source = fs::read_to_string(case("faults.asc")).expect("case");
    let line = source.lines().position(|l| l.contains(mark)).expect("mark") + 1;
    format!("faults.asc:{line}")
}

/// The fault shows in these codes and words, the run fails, the process survives.
#[track_caller]
fn reports(name: &str, launch: i32, synchronize: i32, words: &[&str]) -> Done {
    run(name)
        .exits(70)
        .says(words)
        .says(&["help:", "toprope: failed: the program ended with 0, but "])
        .prints(&[
            &format!("{name}: launch {launch}, synchronize {synchronize}"),
            "afterwards: launch 0, synchronize 0",
        ])
}

/// The twin of a fault: nothing is reported.
#[track_caller]
fn stays_silent(name: &str) {
    run(name)
        .exits(0)
        .says(&["toprope: passed"])
        .says_nothing_of(&["error:", "warning:", "never freed"])
        .prints(&[&format!("{name}: launch 0, synchronize 0"), "afterwards: launch 0, synchronize 0"]);
}

#[test]
fn a_good_program_stays_silent() {
    stays_silent("good");
}

#[test]
fn launches_of_no_or_too_many_blocks_are_refused() {
    reports("zero_blocks", 107_000, 0, &["kernel `copy`", "the number of blocks is 0; it must be 1 to"]);
    reports(
        "negative_blocks",
        107_000,
        0,
        &["kernel `copy`", "the number of blocks is negative or too large"],
    );
}

#[test]
fn a_host_pointer_passed_as_device_memory_names_the_argument() {
    reports(
        "host_pointer",
        107_000,
        0,
        &["kernel `copy`: argument 0 (`in`)", "a host pointer", "aclrtMalloc"],
    );
}

#[test]
fn a_copy_beyond_an_allocation_names_argument_core_offset_and_bytes() {
    let place = place("// COPY IN");
    reports(
        "beyond",
        0,
        507_035,
        &["2048 bytes beyond the end", "(`in`)", "block 0", "AIV 0", "2048..6144", "4096 bytes", &place],
    );
}

#[test]
fn a_count_that_would_be_rounded_down_says_what_is_lost() {
    let place = place("// COPY IN");
    reports("rounded", 0, 0, &["asked for 4004 bytes", "only 4000 bytes are copied", "DataCopyPad", &place]);
}

#[test]
fn too_large_buffers_show_who_uses_what() {
    let place = place("// TOO MUCH");
    reports(
        "too_much_ub",
        0,
        507_035,
        &["UB is full", "262144 bytes", "196608", "131072 bytes TQue<VECIN>", &place],
    );
}

#[test]
fn a_misaligned_address_and_too_many_repeats_are_found_at_their_lines() {
    let (misaligned, repeat) = (place("// MISALIGNED"), place("// REPEAT"));
    reports("misaligned", 0, 507_035, &["0x10", "not a multiple of 32 bytes", &misaligned]);
    reports("repeat", 0, 507_035, &["number of repeats is 256, allowed is 0 to 255", &repeat]);
    stays_silent("repeat_255");
}

#[test]
fn a_segmentation_fault_in_a_kernel_does_not_end_the_process() {
    let place = place("// SEGFAULT");
    reports("segfault", 0, 507_035, &["null pointer", &place]);
}

#[test]
fn an_endless_loop_ends_at_the_time_limit() {
    let clock = Instant::now();
    reports("endless", 0, 507_034, &["does not end within 2s", "endless"]);
    assert!(clock.elapsed() < Duration::from_secs(120));
}

#[test]
fn a_wait_that_nobody_meets_is_a_hang_and_is_found_at_once() {
    let place = place("// NOBODY SETS IT");
    reports("hang", 0, 507_034, &["waits for flag MTE2_V id 3", &place]);
}

#[test]
fn a_launched_function_that_is_no_kernel_names_the_kernels_there_are() {
    reports("not_a_kernel", 107_000, 0, &["has no kernel `not_a_kernel`", "`copy`"]);
}

#[test]
fn freeing_an_unknown_pointer_and_using_a_reset_device_are_refused() {
    run("free_unknown").prints(&[
        "free: 207002",
        "is no device memory",
        "afterwards: launch 0, synchronize 0",
    ]);
    run("use_after_reset").exits(70).prints(&[
        "after reset: launch 107002",
        "malloc 107002",
        "aclrtSetDevice",
    ]);
}
