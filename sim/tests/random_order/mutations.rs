//! Kernels that are right, each set, wait, pair of both and barrier left out in turn: what changes an order is reported.
//!
//! `cargo test -p toprope-sim --test random_order mutations -- --nocapture` prints the table of `tests/findings/README.md`.

use crate::generate::{Random, product, stages};
use crate::harness::normalised;
use crate::oracle::{Verdict, judge};
use crate::program::{Memory, Program, Step};
use crate::{bench, races};
use std::collections::BTreeMap;

/// Kernels of each kind.
const KERNELS: u64 = 12;

#[derive(Default)]
struct Row {
    made: u32,
    equivalent: u32,
    caught: u32,
}

fn without(program: &Program, steps: &[usize]) -> Program {
    let mut shorter = Program { units: Vec::new(), ..program.clone() };
    for at in steps.iter().rev() {
        shorter.steps.remove(*at);
    }
    shorter
}

/// The mutants of a program: class, program, and whether the oracle knows what must be said of it.
fn mutants(program: &Program) -> Vec<(&'static str, Program)> {
    let mut all = Vec::new();
    for unit in &program.units {
        match unit.as_slice() {
            [set, wait] => {
                all.push(("set and wait", without(program, unit)));
                all.push(("set", without(program, &[*set])));
                all.push(("wait", without(program, &[*wait])));
            }
            _ => all.push(("barrier", without(program, unit))),
        }
    }
    all
}

#[test]
fn mutations_of_right_kernels() {
    let (bench, mut table) = (bench(), BTreeMap::<&str, Row>::new());
    let memory = Memory::new(&bench);
    for i in 0..2 * KERNELS {
        let make = if i % 2 == 0 { stages } else { product };
        let program = make(&mut Random::new(1000 + i));
        for (class, mutant) in mutants(&program) {
            let outcome = memory.run(&bench, &mutant);
            let said = normalised(&outcome);
            let row = table.entry(class).or_default();
            row.made += 1;
            // A flag that is set or waited for alone is wrong whatever it orders.
            let paired = mutant.steps.iter().filter(|s| matches!(s, Step::Set(..))).count()
                == mutant.steps.iter().filter(|s| matches!(s, Step::Wait(..))).count();
            if paired && judge(&mutant) == Verdict::Ordered {
                row.equivalent += 1;
                assert_eq!(races(&outcome), 0, "kernel {i}, {class}: false alarm\n{said}\n{mutant}");
            } else {
                assert!(!outcome.findings.is_empty(), "kernel {i}, {class}: missed\n{mutant}");
                row.caught += 1;
            }
        }
    }
    for (class, row) in &table {
        println!("| {class} | {} | {} | {} |", row.made, row.equivalent, row.caught);
        assert!(row.made > row.equivalent, "{class}: nothing was tested");
    }
}
