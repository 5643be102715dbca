//! Mutations of kernels that use the framework: each step of their order is left out in turn.
//!
//! | kernels | how a step is left out |
//! |---|---|
//! | `mutants/kernels.asc`: flags, barriers, EnQue, DeQue, FreeTensor, flags between cores | the source says so (`STEP`) |
//! | the same: AllocTensor, InitBuffer | [`mutator`](crate::mutator) |
//! | `kernels/ascendc`: all of these | [`mutator`](crate::mutator) |
//!
//! `TOPROPE_MUTANTS=all` runs the kernels of `kernels/ascendc` with all their types and sizes; without it with one, which has every step.
//!
//! Mutations of flags and barriers at the face of a core, with an oracle that says which of them change anything, are in
//! `sim/tests/random_order`. The table of both is in `README.md`.

use crate::mutator::{MUTANT, Step, mutate};
use crate::support::{Toprope, root};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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

/// By class: mutants, equivalent ones, caught ones.
#[derive(Default)]
struct Table(BTreeMap<&'static str, [u32; 3]>);

impl Table {
    fn add(&mut self, class: &'static str, is_equivalent: bool, is_found: bool) {
        let row = self.0.entry(class).or_default();
        row[0] += 1;
        row[1] += u32::from(is_equivalent);
        row[2] += u32::from(is_found);
    }

    fn print(&self, what: &str) {
        for (class, [made, equivalent, caught]) in &self.0 {
            println!("| {what} | {class} | {made} | {equivalent} | {caught} |");
        }
    }
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
    let mut table = Table::default();
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
            table.add(class, equivalent, found);
        }
    }
    table.print("STEP");
    assert!(complaints.is_empty(), "{complaints}");
}

/// A source whose steps the mutator leaves out.
struct Source {
    /// From the root of the repository.
    path: &'static str,
    /// Classes of steps; none: all.
    classes: &'static [&'static str],
    /// Arguments of its runs; `{}` is the kernel of the step.
    runs: &'static [&'static [&'static str]],
    /// Further runs with `TOPROPE_MUTANTS=all`.
    more_runs: &'static [&'static [&'static str]],
    /// What does not run in the function it is in: the kernels that it runs in.
    kernels: &'static [(&'static str, &'static [&'static str])],
}

const ALL_CLASSES: &[&str] =
    &["AllocTensor", "DeQue", "InitBuffer", "EnQue", "FreeTensor", "set", "wait", "barrier"];

const SOURCES: &[Source] = &[
    Source {
        path: "tests/findings/mutants/kernels.asc",
        classes: &["AllocTensor", "InitBuffer"],
        runs: &[&["{}"]],
        more_runs: &[],
        kernels: &[("add", &["add1", "add2"]), ("bound", &["bound1", "bound2"])],
    },
    Source {
        path: "kernels/ascendc/add/add.asc",
        classes: ALL_CLASSES,
        runs: &[&[]],
        more_runs: &[],
        kernels: &[],
    },
    Source {
        path: "kernels/ascendc/add_static/add_static.asc",
        classes: ALL_CLASSES,
        runs: &[&[]],
        more_runs: &[],
        kernels: &[],
    },
    Source {
        path: "kernels/ascendc/cast_round/cast_round.asc",
        classes: ALL_CLASSES,
        runs: &[&[]],
        more_runs: &[],
        kernels: &[],
    },
    Source {
        path: "kernels/ascendc/leaky_relu/leaky_relu.asc",
        classes: ALL_CLASSES,
        runs: &[&[]],
        more_runs: &[],
        kernels: &[],
    },
    // Two tiles each way, a small one among them; two steps in L1 and several in L0.
    Source {
        path: "kernels/ascendc/matmul/matmul.asc",
        classes: ALL_CLASSES,
        runs: &[&["f16", "144", "272", "272", "1"]],
        more_runs: &[&["f32", "144", "272", "272", "1"], &["f16", "300", "520", "200", "4"]],
        kernels: &[],
    },
];

/// Steps that the mutator finds and that change no order: source, step, why.
const EQUIVALENT_OF_SOURCES: &[(&str, usize, &str)] = &[];

/// A source with conditional steps.
struct Mutants {
    source: &'static Source,
    path: PathBuf,
    steps: Vec<Step>,
}

impl Source {
    fn name(&self) -> &'static str {
        Path::new(self.path).file_stem().and_then(|n| n.to_str()).expect("UTF-8")
    }

    /// Writes the source with conditional steps into a folder of its own, its headers beside it.
    fn prepare(&'static self, dir: &Path) -> Mutants {
        let original = root().join(self.path);
        let (text, steps) = mutate(&fs::read_to_string(&original).expect("source"), self.classes);
        let here = dir.join(self.name()).join("source");
        fs::create_dir_all(&here).expect("folder");
        for (from, to) in [
            (original.parent(), Some(here.as_path())),
            (original.parent().and_then(Path::parent), here.parent()),
        ] {
            let (Some(from), Some(to)) = (from, to) else { continue };
            for header in fs::read_dir(from).expect("folder").flatten().map(|e| e.path()) {
                if header.extension().is_some_and(|e| e == "h") {
                    fs::copy(&header, to.join(header.file_name().expect("a name"))).expect("copy");
                }
            }
        }
        let path = here.join(original.file_name().expect("a name"));
        fs::write(&path, text).expect("write");
        Mutants { source: self, path, steps }
    }
}

impl Mutants {
    /// Every run of every step, and of none.
    fn all_runs(&self, full: bool) -> Vec<(&Mutants, usize, Vec<String>)> {
        let runs = self.source.runs.iter().chain(self.source.more_runs.iter().filter(|_| full));
        let mut all = Vec::new();
        for run in runs {
            for step in 0..=self.steps.len() {
                let function = if step == 0 { "add" } else { self.steps[step - 1].function.as_str() };
                let kernels = self.source.kernels.iter().find(|(f, _)| *f == function);
                let kernels = kernels.map_or(vec![function], |(_, kernels)| kernels.to_vec());
                for kernel in kernels {
                    all.push((self, step, run.iter().map(|a| a.replace("{}", kernel)).collect()));
                }
            }
        }
        all
    }

    fn run(&self, step: usize, arguments: &[String]) -> (bool, String) {
        let command = Toprope::new(["run", "-q", "-O", "0", "--time-limit", "5s"]).arg(&self.path).arg("--");
        let command = arguments.iter().fold(command, |c, a| c.arg(a)).env("TOPROPE_AUTO_SYNC", "off");
        let done = command.env(MUTANT, step.to_string()).go();
        (done.stderr.contains("error: [TR"), done.stderr)
    }
}

#[test]
fn a_step_of_a_source_that_is_left_out_is_reported() {
    let full = std::env::var("TOPROPE_MUTANTS").is_ok_and(|v| v == "all");
    let dir = tempfile::tempdir().expect("tempdir");
    let sources: Vec<Mutants> = SOURCES.iter().map(|s| s.prepare(dir.path())).collect();
    // The first runs compile, one of each.
    let first: Vec<_> = sources.iter().map(|m| m.all_runs(false).swap_remove(0)).collect();
    crate::in_parallel(&first, |(mutants, _, arguments)| mutants.run(0, arguments));
    let all: Vec<_> = sources.iter().flat_map(|m| m.all_runs(full)).collect();
    let results = crate::in_parallel(&all, |(mutants, step, arguments)| mutants.run(*step, arguments));
    let mut tables: BTreeMap<&str, Table> = BTreeMap::new();
    let mut complaints = String::new();
    for ((mutants, step, arguments), (found, text)) in all.iter().zip(results) {
        let name = mutants.source.name();
        let what = format!("{name} {} {step}", arguments.join(" "));
        let Some(left_out) = step.checked_sub(1).map(|i| &mutants.steps[i]) else {
            if found || text.contains("warning: [TR") {
                complaints += &format!("{what}: false alarm\n{text}\n");
            }
            continue;
        };
        let is_equivalent = EQUIVALENT_OF_SOURCES.iter().any(|(n, s, _)| *n == name && s == step);
        if found == is_equivalent {
            let verdict = if found { "false alarm" } else { "missed" };
            complaints +=
                &format!("{what} ({} in {}): {verdict}\n{text}\n", left_out.class, left_out.function);
        }
        tables.entry(name).or_default().add(left_out.class, is_equivalent, found);
    }
    tables.iter().for_each(|(name, table)| table.print(name));
    assert!(complaints.is_empty(), "{complaints}");
}
