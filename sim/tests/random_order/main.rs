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
//! `TOPROPE_RANDOM` is the number of right and of broken programs per test, 500 by default; with `-- --nocapture` each test says
//! how many it ran.
#![allow(missing_docs)]

mod cores;
mod generate;
#[allow(dead_code, reason = "shared with the suite `npu`")]
#[path = "../npu/harness.rs"]
mod harness;
#[allow(dead_code, reason = "shared with the suite `npu`")]
#[path = "../npu/toprope-include/kernel.rs"]
mod kernel;
#[allow(dead_code, reason = "shared with the suite `npu`")]
#[path = "../npu/lines.rs"]
mod lines;
mod mutations;
mod oracle;
mod program;

use generate::{Random, break_it};
use harness::{Bench, normalised};
use oracle::Verdict;
use program::Program;
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

/// Figures of a test.
#[derive(Debug, Default)]
struct Figures {
    right: u64,
    broken: u64,
    /// Broken in a way that leaves everything in order.
    equivalent: u64,
}

impl Figures {
    /// As many as were asked for were run.
    fn check(&self, test: &str) {
        println!("{test}: {self:?}");
        assert!(self.right >= rounds() && self.broken >= rounds(), "{test}: {self:?}");
    }
}

/// Ways to break a right program that are tried.
const TRIES: u64 = 20;

/// Right programs from `make` are silent; broken ones are reported if the oracle says that something is unordered.
fn right_and_broken(test: &str, seed: u64, make: fn(&mut Random) -> Program) {
    let (bench, mut random) = (bench(), Random::new(seed));
    let memory = program::Memory::new(&bench);
    let mut f = Figures::default();
    // Some right programs have nothing that can be broken: a few more than asked for make up for them.
    while f.right < rounds() || (f.broken < rounds() && f.right < 2 * rounds()) {
        let right = make(&mut random);
        let round = f.right;
        f.right += 1;
        assert_eq!(oracle::judge(&right), Verdict::Ordered, "round {round}: the generator is wrong\n{right}");
        let outcome = memory.run(&bench, &right);
        assert!(outcome.findings.is_empty(), "round {round}: false alarm\n{}\n{right}", normalised(&outcome));
        for _ in 0..TRIES {
            if f.broken > round {
                break;
            }
            let Some((wrong, how)) = break_it(&right, &mut random) else { continue };
            let (verdict, outcome) = (oracle::judge(&wrong), memory.run(&bench, &wrong));
            let said = || format!("round {round}: {how}\n{}\n{wrong}", normalised(&outcome));
            match verdict {
                Verdict::Ordered => {
                    f.equivalent += 1;
                    assert_eq!(races(&outcome), 0, "false alarm: {}", said());
                }
                Verdict::Race(a, b) => {
                    f.broken += 1;
                    assert!(races(&outcome) > 0, "steps {a} and {b} are missed: {}", said());
                }
            }
        }
    }
    f.check(test);
}

#[test]
fn random_programs_of_a_vector_core() {
    right_and_broken("random programs", 1, generate::random);
}

#[test]
fn pipelines_of_a_vector_core() {
    right_and_broken("pipelines", 2, generate::stages);
}

#[test]
fn products_of_a_cube_core() {
    right_and_broken("products", 3, generate::product);
}
