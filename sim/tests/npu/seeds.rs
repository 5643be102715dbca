//! Other orders of execution: correct kernels give the same bytes for every seed, races do not.

use crate::harness::{Bench, KernelFn, normalised, silent};
use crate::kernel::*;
use crate::{cores, order};
use std::collections::BTreeSet;
use toprope_abi::core_face::KernelType;
use toprope_abi::isa::{Op, Pipe};
use toprope_sim::npu::{CheckOptions, LaunchOutcome, NpuOptions};

const SEEDS: u64 = 50;
/// Floats of a tile, bytes, blocks.
const TILE: u64 = 64;
const TILE_BYTES: u64 = TILE * 4;
const TILE_BLOCKS: u64 = TILE_BYTES / 32;

fn bench(seed: Option<u64>, on: bool, auto_sync: bool, threads: usize) -> Bench {
    let checks = CheckOptions { on, auto_sync, ..CheckOptions::default() };
    Bench::with_options(NpuOptions { threads, seed, checks, ..NpuOptions::default() })
}

/// What a kernel left in its last argument.
struct Run {
    outcome: LaunchOutcome,
    memory: Vec<f32>,
}

/// A kernel with its arguments: `x` and `y` hold numbers, `z` zeros, each this many floats.
struct Case {
    kernel: KernelFn,
    kernel_type: KernelType,
    blocks: u32,
    floats: usize,
    auto_sync: bool,
    /// Fifth word of the arguments.
    word: u64,
}

impl Case {
    fn vector(kernel: KernelFn, blocks: u32) -> Case {
        let floats = blocks as usize * 1024;
        Case { kernel, kernel_type: KernelType::AivOnly, blocks, floats, auto_sync: false, word: 0 }
    }

    fn run(&self, seed: Option<u64>, threads: usize) -> Run {
        self.run_with(seed, true, threads)
    }

    /// Behind a reported conflict the checks take the later access as ordered; without them it may still be done first.
    fn run_unchecked(&self, seed: Option<u64>) -> Vec<f32> {
        self.run_with(seed, false, 1).memory
    }

    fn run_with(&self, seed: Option<u64>, checked: bool, threads: usize) -> Run {
        let bench = bench(seed, checked, self.auto_sync, threads);
        let numbers = |a: usize| (0..self.floats).map(|i| (i * a % 509) as f32).collect::<Vec<f32>>();
        let (x, y, z) =
            (bench.upload(&numbers(1)), bench.upload(&numbers(3)), bench.upload(&vec![0.0; self.floats]));
        let params = [("x", x), ("y", y), ("z", z), ("word", self.word)];
        let outcome = bench.run_type("seeded", self.kernel, self.kernel_type, self.blocks, &params);
        let memory = [x, y, z].iter().flat_map(|a| bench.download(*a, self.floats)).collect();
        Run { outcome, memory }
    }

    /// Every seed gives the bytes, times and findings of program order.
    fn is_settled(&self, name: &str) {
        let plain = self.run(None, 2);
        assert_eq!(plain.outcome.failure, None, "{name}: {}", normalised(&plain.outcome));
        for seed in 0..SEEDS {
            let run = self.run(Some(seed), 2);
            assert!(run.memory == plain.memory, "{name}: seed {seed} gives other bytes");
            same_report(name, seed, &plain.outcome, &run.outcome);
        }
    }

    /// Seeds whose bytes are not those of program order. Times and findings are the same all the same.
    fn unsettled(&self, name: &str) -> usize {
        let plain = self.run(None, 2);
        for seed in 0..SEEDS / 5 {
            same_report(name, seed, &plain.outcome, &self.run(Some(seed), 2).outcome);
        }
        (0..SEEDS).filter(|seed| self.run_unchecked(Some(*seed)) != plain.memory).count()
    }
}

fn same_report(name: &str, seed: u64, plain: &LaunchOutcome, run: &LaunchOutcome) {
    assert_eq!(normalised(plain), normalised(run), "{name}, seed {seed}");
    assert_eq!(plain.failure, run.failure, "{name}, seed {seed}");
    assert_eq!(plain.stats.cycles, run.stats.cycles, "{name}, seed {seed}");
    assert_eq!(plain.stats.instructions, run.stats.instructions, "{name}, seed {seed}");
}

/// A kernel and a twin without one of its flags.
struct Twins {
    name: &'static str,
    whole: KernelFn,
    broken: KernelFn,
}

/// Loads, adds and stores tiles through one buffer each. Bits of `without` leave one pair out: MTE2 to V, V to MTE3, V to MTE2, MTE3 to V.
fn tiles(args: &[u64; 8], without: u32) {
    let pairs = [(Pipe::Mte2, Pipe::V), (Pipe::V, Pipe::Mte3), (Pipe::V, Pipe::Mte2), (Pipe::Mte3, Pipe::V)];
    let has = |pair: usize| without != pair as u32 + 1;
    let set = |pair: usize| has(pair).then(|| set_flag(pairs[pair].0, pairs[pair].1, 0));
    let wait = |pair: usize| has(pair).then(|| wait_flag(pairs[pair].0, pairs[pair].1, 0));
    let start = u64::from(face(|c| c.block_idx)) * 4 * TILE_BYTES;
    set(2);
    set(3);
    for i in 0..4 {
        let at = start + i * TILE_BYTES;
        wait(2);
        copy_in(ub(0), args[0] + at, TILE_BLOCKS);
        set(0);
        wait(0);
        wait(3);
        binary(Op::VaddF32, ub(512), ub(0), ub(0), 1);
        set(2);
        set(1);
        wait(1);
        copy_out(args[2] + at, ub(512), TILE_BLOCKS);
        set(3);
    }
    wait(2);
    wait(3);
}

/// The scalar unit reads a result and stores it to GM, and writes an operand.
fn scalar(args: &[u64; 8], without: u32) {
    let has = |pair: u32| without != pair;
    copy_in(ub(0), args[0] + TILE_BYTES, 2 * TILE_BLOCKS);
    set_flag(Pipe::Mte2, Pipe::V, 0);
    wait_flag(Pipe::Mte2, Pipe::V, 0);
    for i in 0..4 {
        barrier(Pipe::V);
        binary(Op::VaddF32, ub(512), ub(TILE_BYTES * (i % 2)), ub(0), 1);
        if has(1) {
            set_flag(Pipe::V, Pipe::S, 0);
            wait_flag(Pipe::V, Pipe::S, 0);
        }
        let value = get_value(ub(512 + 4 * i));
        set_value(args[2] + 4 * i, value);
        if has(1) {
            set_flag(Pipe::S, Pipe::V, 1);
            wait_flag(Pipe::S, Pipe::V, 1);
        }
    }
}

/// Loads the same bytes twice, with or without a barrier between.
fn twice(args: &[u64; 8], with: bool) {
    for i in 0..4 {
        copy_in(ub(0), args[0] + 2 * i * TILE_BYTES, TILE_BLOCKS);
        if with {
            barrier(Pipe::Mte2);
        }
        copy_in(ub(0), args[0] + (2 * i + 1) * TILE_BYTES, TILE_BLOCKS);
        set_flag(Pipe::Mte2, Pipe::Mte3, 0);
        wait_flag(Pipe::Mte2, Pipe::Mte3, 0);
        copy_out(args[2] + i * TILE_BYTES, ub(0), TILE_BLOCKS);
        set_flag(Pipe::Mte3, Pipe::Mte2, 0);
        wait_flag(Pipe::Mte3, Pipe::Mte2, 0);
    }
}

/// Every core stores a tile and loads that of the next one behind a barrier of all, whose flag is set by MTE3 or by V.
fn ring(args: &[u64; 8], pipe: Pipe) {
    let me = core_index();
    let next = (me + 1) % u64::from(face(|c| c.block_num));
    copy_in(ub(0), args[0] + me * TILE_BYTES, TILE_BLOCKS);
    set_flag(Pipe::Mte2, Pipe::Mte3, 0);
    wait_flag(Pipe::Mte2, Pipe::Mte3, 0);
    copy_out(args[1] + me * TILE_BYTES, ub(0), TILE_BLOCKS);
    cross_set(0, pipe, 3);
    cross_wait(3);
    copy_in(ub(512), args[1] + next * TILE_BYTES, TILE_BLOCKS);
    set_flag(Pipe::Mte2, Pipe::Mte3, 1);
    wait_flag(Pipe::Mte2, Pipe::Mte3, 1);
    copy_out(args[2] + me * TILE_BYTES, ub(512), TILE_BLOCKS);
}

/// All blocks store to one tile, or each to its own.
fn own_tile(args: &[u64; 8], own: bool) {
    let me = core_index();
    copy_in(ub(0), args[0] + me * TILE_BYTES, TILE_BLOCKS);
    set_flag(Pipe::Mte2, Pipe::Mte3, 0);
    wait_flag(Pipe::Mte2, Pipe::Mte3, 0);
    copy_out(args[2] + if own { me * TILE_BYTES } else { 0 }, ub(0), TILE_BLOCKS);
}

const TWINS: &[Twins] = &[
    Twins { name: "MTE2_V", whole: |a| tiles(a, 0), broken: |a| tiles(a, 1) },
    Twins { name: "V_MTE3", whole: |a| tiles(a, 0), broken: |a| tiles(a, 2) },
    Twins { name: "V_MTE2", whole: |a| tiles(a, 0), broken: |a| tiles(a, 3) },
    Twins { name: "MTE3_V", whole: |a| tiles(a, 0), broken: |a| tiles(a, 4) },
    Twins { name: "V_S", whole: |a| scalar(a, 0), broken: |a| scalar(a, 1) },
    Twins { name: "MTE2", whole: |a| twice(a, true), broken: |a| twice(a, false) },
    Twins { name: "blocks", whole: |a| own_tile(a, true), broken: |a| own_tile(a, false) },
];

#[test]
fn a_missing_flag_shows_and_its_twin_does_not() {
    for twins in TWINS {
        Case::vector(twins.whole, 3).is_settled(twins.name);
        let seeds = Case::vector(twins.broken, 3).unsettled(twins.name);
        assert!(seeds >= 5, "{}: {seeds} of {SEEDS} seeds give other bytes", twins.name);
    }
}

#[test]
fn a_flag_between_cores_on_the_wrong_pipe_shows() {
    let case = |kernel| Case { kernel_type: KernelType::MixAiv1_0, ..Case::vector(kernel, 12) };
    case(|a| ring(a, Pipe::Mte3)).is_settled("ring");
    let seeds = case(|a| ring(a, Pipe::V)).unsettled("ring");
    assert!(seeds >= 5, "{seeds} of {SEEDS}");
}

#[test]
fn synchronisation_of_the_compiler_holds() {
    let kernel = |a: &[u64; 8]| scalar(a, 1);
    Case { auto_sync: true, ..Case::vector(kernel, 1) }.is_settled("automatic");
    assert!(Case::vector(kernel, 1).unsettled("by hand") > 0);
}

#[test]
fn kernels_of_other_tests_are_settled() {
    let relay = Case { kernel_type: KernelType::MixAic1_2, ..Case::vector(cores::relay, 30) };
    let cases = [
        ("add", Case::vector(order::add, 60)),
        ("add_queued", Case::vector(order::add_queued, 3)),
        ("relay", relay),
        ("all_to_all", Case { kernel_type: KernelType::MixAiv1_0, ..Case::vector(cores::all_to_all, 9) }),
    ];
    for (name, case) in cases {
        case.is_settled(name);
    }
}

#[test]
fn a_seed_gives_the_same_run_again() {
    let runs: Vec<Vec<Vec<f32>>> = (0..2)
        .map(|again| {
            let threads = 1 + 7 * again;
            let case = Case { kernel_type: KernelType::MixAiv1_0, ..Case::vector(|a| ring(a, Pipe::V), 12) };
            let broken = Case::vector(|a| tiles(a, 1), 3);
            (0..10).flat_map(|s| [&case, &broken].map(|c| c.run(Some(s), threads).memory)).collect()
        })
        .collect();
    assert!(runs[0] == runs[1]);
    let other: BTreeSet<String> = runs[0].iter().map(|m| format!("{m:?}")).collect();
    assert!(other.len() > 4, "seeds give other runs");
}

#[test]
fn without_checks_wrong_results_appear_too() {
    let wrong = (0..SEEDS).filter(|seed| {
        let checks = CheckOptions { on: false, ..CheckOptions::default() };
        let bench = Bench::with_options(NpuOptions { seed: Some(*seed), checks, ..NpuOptions::default() });
        let (x, z) = (bench.upload(&[1.0; 1024]), bench.upload(&[0.0; 1024]));
        silent(&bench.run("unchecked", |a| tiles(a, 1), 1, &[("x", x), ("y", 0), ("z", z)]));
        bench.download(z, 256) != [2.0; 256]
    });
    assert!(wrong.count() >= 5);
}

/// A random kernel: what it does and the synchronisation that this needs.
mod pipeline {
    use super::*;

    const SLOTS: usize = 5;
    const TILES: usize = 4;
    const PIPES: [Pipe; 4] = [Pipe::S, Pipe::V, Pipe::Mte2, Pipe::Mte3];
    const S: usize = 0;
    const V: usize = 1;

    #[derive(Clone, Copy, Debug)]
    pub enum Step {
        Load {
            slot: u64,
            tile: u64,
        },
        Store {
            slot: u64,
            tile: u64,
        },
        Add {
            dst: u64,
            a: u64,
            b: u64,
        },
        /// Stores element 0 of a slot to the log.
        Get {
            slot: u64,
            log: u64,
        },
        Put {
            slot: u64,
            value: f32,
        },
        Set {
            pair: [usize; 2],
            id: u64,
        },
        Wait {
            pair: [usize; 2],
            id: u64,
        },
        Barrier {
            pipe: usize,
        },
        BarrierAll,
    }

    /// What every pipe knows to be complete, and who touched what last.
    #[derive(Default)]
    struct Model {
        count: [u32; 4],
        known: [[u32; 4]; 4],
        /// Per slot and per tile of the result: last reads, last writes of every pipe.
        last: [[[u32; 4]; 2]; SLOTS + TILES],
        flags: u64,
    }

    impl Model {
        fn join(&mut self, to: usize, known: [u32; 4]) {
            (0..4).for_each(|p| self.known[to][p] = self.known[to][p].max(known[p]));
        }

        fn learn(&mut self, from: usize, to: usize) {
            let mut known = self.known[from];
            known[from] = self.count[from];
            self.join(to, known);
        }

        /// An access, after the synchronisation that it needs.
        fn access(
            &mut self,
            steps: &mut Vec<Step>,
            pipe: usize,
            accesses: &[(usize, bool)],
            auto_sync: bool,
        ) {
            if pipe != S {
                let mut scalar = self.known[S];
                scalar[S] = 0;
                self.join(pipe, scalar);
            }
            for &(place, write) in accesses {
                for other in 0..4 {
                    let [reads, writes] = self.last[place].map(|l| l[other]);
                    let needed = if write { reads.max(writes) } else { writes };
                    let by_compiler = auto_sync && (pipe == S || other == S || (pipe == V && other == V));
                    if needed <= self.known[pipe][other] || by_compiler || (pipe == S && other == S) {
                        continue;
                    }
                    if pipe == other {
                        steps.push(Step::Barrier { pipe });
                        self.known[pipe][pipe] = self.count[pipe];
                        continue;
                    }
                    let id = self.flags % 8;
                    self.flags += 1;
                    let pair = [other, pipe];
                    steps.extend([Step::Set { pair, id }, Step::Wait { pair, id }]);
                    self.learn(other, pipe);
                }
            }
            self.count[pipe] += 1;
            for &(place, write) in accesses {
                self.last[place][usize::from(write)][pipe] = self.count[pipe];
            }
        }

        fn barrier_all(&mut self) {
            self.known = [self.count; 4];
        }
    }

    /// A kernel of about `length` instructions.
    pub fn random(seed: u64, length: usize, auto_sync: bool) -> Vec<Step> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut draw = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) % n
        };
        let (mut steps, mut model) = (Vec::new(), Model::default());
        for log in 0..length as u64 {
            let (slot, tile) = (draw(SLOTS as u64), draw(TILES as u64));
            let (s, t) = (slot as usize, SLOTS + tile as usize);
            match draw(16) {
                0..4 => {
                    model.access(&mut steps, 2, &[(s, true)], auto_sync);
                    steps.push(Step::Load { slot, tile });
                }
                4..7 => {
                    model.access(&mut steps, 3, &[(s, false), (t, true)], auto_sync);
                    steps.push(Step::Store { slot, tile });
                }
                7..12 => {
                    let (a, b) = (draw(SLOTS as u64), draw(SLOTS as u64));
                    let accesses = [(a as usize, false), (b as usize, false), (s, true)];
                    model.access(&mut steps, V, &accesses, auto_sync);
                    steps.push(Step::Add { dst: slot, a, b });
                }
                12..14 => {
                    model.access(&mut steps, S, &[(s, false)], auto_sync);
                    steps.push(Step::Get { slot, log });
                }
                14 => {
                    model.access(&mut steps, S, &[(s, true)], auto_sync);
                    steps.push(Step::Put { slot, value: log as f32 });
                }
                _ => {
                    if draw(4) == 0 {
                        steps.push(Step::BarrierAll);
                        model.barrier_all();
                    }
                }
            }
        }
        steps
    }

    /// Runs the steps that the fourth argument points to.
    pub fn kernel(args: &[u64; 8]) {
        // SAFETY: `run` passes a pointer to steps that outlive the launch.
        #[allow(unsafe_code)]
        let steps = unsafe { &*(args[3] as *const Vec<Step>) };
        let at = |slot: u64| ub(slot * 512);
        for step in steps {
            match *step {
                Step::Load { slot, tile } => copy_in(at(slot), args[0] + tile * TILE_BYTES, TILE_BLOCKS),
                Step::Store { slot, tile } => copy_out(args[2] + tile * TILE_BYTES, at(slot), TILE_BLOCKS),
                Step::Add { dst, a, b } => binary(Op::VaddF32, at(dst), at(a), at(b), 1),
                Step::Get { slot, log } => set_value(args[1] + 4 * log, get_value(at(slot))),
                Step::Put { slot, value } => set_value(at(slot), value),
                Step::Set { pair, id } => set_flag(PIPES[pair[0]], PIPES[pair[1]], id),
                Step::Wait { pair, id } => wait_flag(PIPES[pair[0]], PIPES[pair[1]], id),
                Step::Barrier { pipe } => barrier(PIPES[pipe]),
                Step::BarrierAll => barrier(Pipe::All),
            }
        }
        barrier(Pipe::All);
    }

    /// The case that runs these steps.
    pub fn case(steps: &[Step], auto_sync: bool) -> Case {
        let word = Box::leak(Box::new(steps.to_vec())) as *const Vec<Step> as u64;
        Case { auto_sync, word, ..Case::vector(kernel, 1) }
    }

    /// The steps without the `n`-th piece of synchronisation; `None`: there are not so many.
    pub fn without(steps: &[Step], n: usize) -> Option<Vec<Step>> {
        let is_set = |s: &Step| matches!(s, Step::Set { .. } | Step::Barrier { .. } | Step::BarrierAll);
        let (at, step) = steps.iter().enumerate().filter(|(_, s)| is_set(s)).nth(n)?;
        let mut rest = steps.to_vec();
        rest.drain(at..=at + usize::from(matches!(step, Step::Set { .. })));
        Some(rest)
    }
}

#[test]
fn random_pipelines_are_settled() {
    for program in 0..40 {
        let auto_sync = program % 4 == 0;
        let mut steps: Vec<pipeline::Step> =
            (0..5).map(|slot| pipeline::Step::Load { slot, tile: slot % 4 }).collect();
        steps.push(pipeline::Step::BarrierAll);
        steps.extend(pipeline::random(program + 1, 60, auto_sync));
        let case = pipeline::case(&steps, auto_sync);
        let plain = case.run(None, 1);
        assert_eq!(plain.outcome.failure, None);
        for seed in 0..SEEDS {
            let run = case.run(Some(seed), 1);
            assert!(run.memory == plain.memory, "program {program}, seed {seed}: {steps:?}");
            same_report("random", seed, &plain.outcome, &run.outcome);
        }
    }
}

#[test]
fn random_pipelines_without_a_flag_show() {
    // Not every flag orders something that changes bytes; most do in a good part of the programs.
    let (mut shown, mut broken) = (0, 0);
    for program in 0..12 {
        let mut steps: Vec<pipeline::Step> =
            (0..5).map(|slot| pipeline::Step::Load { slot, tile: slot % 4 }).collect();
        steps.push(pipeline::Step::BarrierAll);
        steps.extend(pipeline::random(program + 100, 40, false));
        for n in 1..6 {
            let Some(rest) = pipeline::without(&steps, n) else { break };
            let case = pipeline::case(&rest, false);
            let plain = case.run(None, 1);
            broken += 1;
            shown += u32::from((0..SEEDS / 2).any(|seed| case.run_unchecked(Some(seed)) != plain.memory));
        }
    }
    println!("{shown} of {broken} broken pipelines show");
    assert!(4 * shown >= broken, "{shown} of {broken}");
}
