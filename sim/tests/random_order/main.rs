//! Random pipelines, right and wrong: none of the right ones gives a finding, every wrong one gives one.
//!
//! ```text
//! generate::{random, stages, product} ──Program──▶ oracle::judge ──Verdict──▶ must be silent / must be reported
//!                          │ break_it: an edge left out, its pipes changed, moved
//!                          └──────────────▶ kernel that interprets it, in the engine
//! ```
//! | module | |
//! |---|---|
//! | `program` | steps of a core: data instructions with what they touch, flags, barriers; running them |
//! | `oracle` | happens-before by sets of instructions that are complete; no clocks |
//! | `generate` | programs that are right by construction, and ways to break them |
//! | `mutations` | a fixed set of kernels, each piece of order left out in turn |
//! | `cores` | phases of several cores that hand memory to each other through GM |
//!
//! `TOPROPE_RANDOM` is the number of programs per test, 500 by default.
#![allow(missing_docs)]

mod cores;
mod generate;
#[allow(dead_code, reason = "shared with the suite `npu`")]
#[path = "../npu/harness.rs"]
mod harness;
#[allow(dead_code, reason = "shared with the suite `npu`")]
#[path = "../npu/toprope-include/kernel.rs"]
mod kernel;
mod mutations;
mod oracle;
mod program;

use generate::{Random, break_it};
use harness::{Bench, normalised};
use oracle::Verdict;
use program::Program;
use toprope_abi::isa::Pipe;
use toprope_sim::npu::{CheckOptions, LaunchOutcome, NpuOptions};

/// Programs per test.
fn rounds() -> u64 {
    std::env::var("TOPROPE_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(500)
}

/// A device without compiler synchronisation: what the program has is all there is.
fn bench() -> Bench {
    let checks = CheckOptions { auto_sync: false, ..CheckOptions::default() };
    Bench::with_options(NpuOptions { threads: 1, checks, ..NpuOptions::default() })
}

/// Codes of races between pipes.
fn races(outcome: &LaunchOutcome) -> usize {
    outcome.findings.iter().filter(|f| f.code.starts_with("TR04") && f.code != "TR0401").count()
}

/// Whether two steps are copies of one pipe.
fn both_copy(program: &Program, a: usize, b: usize) -> bool {
    let pipe = |at: usize| match program.steps[at] {
        program::Step::Data(data) => Some(data.pipe()),
        _ => None,
    };
    pipe(a) == pipe(b) && matches!(pipe(a), Some(Pipe::Mte1 | Pipe::Mte2 | Pipe::Mte3))
}

/// Right programs from `make` are silent; broken ones are reported if the oracle says that something is unordered.
fn right_and_broken(seed: u64, make: fn(&mut Random) -> Program) {
    let (bench, mut random) = (bench(), Random::new(seed));
    let memory = program::Memory::new(&bench);
    let (mut broken, mut tried) = (0, 0);
    for round in 0..rounds() {
        let right = make(&mut random);
        assert_eq!(oracle::judge(&right), Verdict::Ordered, "round {round}: the generator is wrong\n{right}");
        let outcome = memory.run(&bench, &right);
        assert!(outcome.findings.is_empty(), "round {round}: false alarm\n{}\n{right}", normalised(&outcome));
        for _ in 0..20 {
            if broken > round {
                break;
            }
            tried += 1;
            let Some((wrong, how)) = break_it(&right, &mut random) else { continue };
            let (verdict, outcome) = (oracle::judge(&wrong), memory.run(&bench, &wrong));
            match verdict {
                Verdict::Ordered => assert_eq!(
                    races(&outcome),
                    0,
                    "round {round}: {how}: false alarm\n{}\n{wrong}",
                    normalised(&outcome)
                ),
                // Two copies of one place in the program are never reported of write after write; here all copies have one place.
                Verdict::Race(a, b) if both_copy(&wrong, a, b) => {}
                Verdict::Race(a, b) => {
                    broken += 1;
                    let said = normalised(&outcome);
                    assert!(
                        races(&outcome) > 0,
                        "round {round}: {how}: steps {a} and {b} are missed\n{said}\n{wrong}"
                    );
                }
            }
        }
    }
    assert!(2 * broken > rounds(), "only {broken} of {tried} broken programs were broken");
}

#[test]
fn random_programs_of_a_vector_core() {
    right_and_broken(1, generate::random);
}

#[test]
fn pipelines_of_a_vector_core() {
    right_and_broken(2, generate::stages);
}

#[test]
fn products_of_a_cube_core() {
    right_and_broken(3, generate::product);
}
