//! Mutations of kernels that use the framework: each step of their order is left out in turn, see `mutants/kernels.asc`.
//!
//! Mutations of flags and barriers at the face of a core, with an oracle that says which of them change anything, are in
//! `sim/tests/random_order`. The table of both is in `README.md`.

use crate::support::Toprope;
use std::collections::BTreeMap;
use std::path::Path;

const ADD: &[&str] =
    &["EnQue", "EnQue", "DeQue", "DeQue", "EnQue", "FreeTensor", "FreeTensor", "DeQue", "FreeTensor"];
const BOUND: &[&str] = &["EnQue", "DeQue", "FreeTensor"];

/// Kernels and the classes of their steps, from 1.
const KERNELS: &[(&str, &[&str])] = &[
    ("add1", ADD),
    ("add2", ADD),
    ("bound1", BOUND),
    ("bound2", BOUND),
    (
        "chain",
        &["EnQue", "DeQue", "barrier", "barrier", "barrier", "EnQue", "FreeTensor", "DeQue", "FreeTensor"],
    ),
    ("by_hand", &["set", "set", "wait", "set", "wait", "wait", "set", "set", "wait", "set", "wait", "wait"]),
    ("pairs", &["set and wait"; 4]),
    (
        "scalar",
        &[
            "set and wait",
            "set and wait",
            "set and wait",
            "set and wait",
            "set and wait",
            "set and wait",
            "barrier",
        ],
    ),
    (
        "product",
        &[
            "EnQue",
            "EnQue",
            "DeQue",
            "DeQue",
            "EnQue",
            "EnQue",
            "FreeTensor",
            "FreeTensor",
            "DeQue",
            "DeQue",
            "barrier",
            "EnQue",
            "DeQue",
        ],
    ),
    ("neighbours", &["SyncAll"]),
    ("hand_over", &["cross-core wait", "cross-core set", "cross-core wait", "cross-core set"]),
];

/// Mutants that change no order, and why.
const EQUIVALENT: &[(&str, usize, &str)] = &[
    ("chain", 3, "the barriers behind it order the steps of one row before those of the next"),
    ("scalar", 5, "the barrier of all pipes behind it orders the same"),
    ("scalar", 6, "the barrier of all pipes behind it orders the same"),
    ("scalar", 7, "the flags in front of it order the same"),
];

/// Errors reported of a kernel with a step left out; 0: with none.
fn errors(kernel: &str, step: usize) -> (bool, String) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("findings/mutants/kernels.asc");
    let run = Toprope::new(["run", "-q", "-O", "0", "--time-limit", "5s"]).arg(source);
    let done = run.env("TOPROPE_AUTO_SYNC", "off").arg("--").arg(kernel).arg(step.to_string()).go();
    (done.stderr.contains("error: [TR"), done.stderr)
}

#[test]
fn a_step_that_is_left_out_is_reported() {
    // The first run compiles.
    errors("add1", 0);
    let all: Vec<(&str, usize, &str)> = KERNELS
        .iter()
        .flat_map(|(kernel, classes)| {
            let steps = classes.iter().enumerate().map(|(i, class)| (*kernel, i + 1, *class));
            std::iter::once((*kernel, 0, "")).chain(steps)
        })
        .collect();
    let results = crate::in_parallel(&all, |(kernel, step, _)| errors(kernel, *step));
    let mut table: BTreeMap<&str, (u32, u32, u32)> = BTreeMap::new();
    let mut complaints = String::new();
    for ((kernel, step, class), (found, text)) in all.iter().zip(results) {
        let equivalent = EQUIVALENT.iter().any(|(k, s, _)| k == kernel && s == step);
        if *step == 0 || equivalent {
            if found {
                complaints += &format!("{kernel} {step}: false alarm\n{text}\n");
            }
        } else if !found {
            complaints += &format!("{kernel} {step} ({class}): missed\n{text}\n");
        }
        if *step > 0 {
            let row = table.entry(class).or_default();
            row.0 += 1;
            row.1 += u32::from(equivalent);
            row.2 += u32::from(found);
        }
    }
    for (class, (made, equivalent, caught)) in &table {
        println!("| {class} | {made} | {equivalent} | {caught} |");
    }
    assert!(complaints.is_empty(), "{complaints}");
}
