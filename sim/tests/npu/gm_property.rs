//! Order through GM against an oracle that compares all pairs: random programs of several cores, happens-before as a graph over
//! starts and ends of instructions.
//!
//! Cores read, write and add to overlapping ranges of GM, with flags and barriers of their own and cross-core flags of modes 0, 1
//! and 2 behind pipes of their choice; sets and waits stand apart. Every step is a source line of its own. Local memories are
//! apart, so only GM conflicts.
//!
//! | pairs | what is compared |
//! |---|---|
//! | of one core | the reported pairs are the racing ones, exactly |
//! | of two cores | every reported pair races; of every racing pair `a`, `b` a pair of `a` and the pipe of `b`, or of `b` and the pipe of `a`, is reported: the first access of a pipe that is not ordered stands for those behind it (`order::gm::sweep`) |
#![allow(unsafe_code)] // The kernel gets its program by address.

use crate::harness::Bench;
use crate::kernel::*;
use crate::lines::{LINES, line_of, on_line};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;
use toprope_abi::core_face::KernelType;
use toprope_abi::isa::{Op, Pipe, Space};
use toprope_sim::npu::{CheckOptions, LaunchOutcome, NpuOptions};

/// A step of a core. Places are blocks of 32 bytes of GM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Read { at: u64, blocks: u64 },
    Write { at: u64, blocks: u64 },
    Add { at: u64, blocks: u64 },
    Set(Pipe, Pipe),
    Wait(Pipe, Pipe),
    Barrier(Pipe),
    CrossSet { mode: u64, pipe: Pipe, round: u64 },
    CrossWait { round: u64 },
}

/// What all cores do; core `c` of the list has the lines from `c * OWN_LINES` on.
#[derive(Clone, Debug)]
struct Program {
    /// One block with an AIC and two AIVs, in this order; else AIVs, a block each.
    mix: bool,
    cores: Vec<Vec<Step>>,
}

const OWN_LINES: usize = LINES / 4;
const AREA_BLOCKS: u64 = 40;
/// Bytes of a core's local memory per step.
const SLICE: u64 = 512;

impl Program {
    fn is_aic(&self, core: usize) -> bool {
        self.mix && core == 0
    }

    /// Pipe of a step of a core.
    fn pipe(&self, core: usize, step: &Step) -> Pipe {
        match *step {
            Step::Read { .. } => Pipe::Mte2,
            Step::Write { .. } | Step::Add { .. } if self.is_aic(core) => Pipe::Fix,
            Step::Write { .. } | Step::Add { .. } => Pipe::Mte3,
            Step::Set(src, _) => src,
            Step::Wait(_, dst) => dst,
            Step::Barrier(pipe) | Step::CrossSet { pipe, .. } => pipe,
            Step::CrossWait { .. } => Pipe::S,
        }
    }

    /// The cores whose sets of a round end the wait of `core`.
    fn setters(&self, core: usize, round: u64) -> Vec<usize> {
        let sets = |c: usize| {
            self.cores[c].iter().find_map(|s| match *s {
                Step::CrossSet { mode, round: r, .. } if r == round => Some(mode),
                _ => None,
            })
        };
        let all: Vec<usize> = (0..self.cores.len()).filter(|c| sets(*c).is_some()).collect();
        // A set of mode 2 does not reach its own kind.
        all.into_iter().filter(|c| sets(*c) != Some(2) || self.is_aic(*c) != self.is_aic(core)).collect()
    }
}

fn act(args: &[u64; 8]) {
    // SAFETY: `run` passes the address of a program that outlives the launch.
    let program = unsafe { &*(args[1] as *const Program) };
    known();
    let me = match (program.mix, is_aic()) {
        (false, _) => face(|c| c.block_idx) as usize,
        (true, true) => 0,
        (true, false) => 1 + core_index() as usize,
    };
    if program.is_aic(me) {
        issue(Op::SetNdPara, [1, 0, 0, 0]);
    }
    for (i, step) in program.cores[me].iter().enumerate() {
        on_line(me * OWN_LINES + i, || perform(step, program.is_aic(me), args[0], i as u64));
    }
}

fn perform(step: &Step, cube: bool, gm: u64, index: u64) {
    let write = |at: u64, blocks: u64| {
        if cube {
            // Rows of 16 floats.
            let shape = 16 << 4 | (blocks / 2) << 16 | 16 << 32;
            issue(Op::FixL0cToOutF32, [gm + 32 * at, local(Space::L0c, 0), shape, 16 | 1 << 43]);
        } else {
            copy_out(gm + 32 * at, ub(0), blocks);
        }
    };
    match *step {
        Step::Read { at, blocks } if cube => {
            let to = local(Space::L1, SLICE * index);
            issue(Op::MovOutToL1V220, [to, gm + 32 * at, 1 << 4 | blocks << 16, 0]);
        }
        Step::Read { at, blocks } => copy_in(ub(4096 + SLICE * index), gm + 32 * at, blocks),
        Step::Write { at, blocks } => write(at, blocks),
        Step::Add { at, blocks } => {
            issue(Op::Sbitset1, [6, 0, 0, 0]);
            write(at, blocks);
            issue(Op::Sbitset0, [6, 0, 0, 0]);
        }
        Step::Set(src, dst) => set_flag(src, dst, 0),
        Step::Wait(src, dst) => wait_flag(src, dst, 0),
        Step::Barrier(pipe) => barrier(pipe),
        Step::CrossSet { mode, pipe, round } => cross_set(mode, pipe, round),
        Step::CrossWait { round } => cross_wait(round),
    }
}

/// Numbers that decide what a program does.
struct Draw<'a>(std::slice::Iter<'a, u16>);

impl Draw<'_> {
    /// 0 to `n` - 1; 0 when there are no more.
    fn below(&mut self, n: usize) -> usize {
        self.0.next().map_or(0, |v| usize::from(*v) % n)
    }
}

/// Pairs of pipes with a flag.
const AIV_FLAGS: [(Pipe, Pipe); 6] = [
    (Pipe::Mte2, Pipe::Mte3),
    (Pipe::Mte3, Pipe::Mte2),
    (Pipe::Mte2, Pipe::V),
    (Pipe::V, Pipe::Mte3),
    (Pipe::Mte3, Pipe::S),
    (Pipe::Mte2, Pipe::S),
];
const AIC_FLAGS: [(Pipe, Pipe); 4] =
    [(Pipe::Mte2, Pipe::M), (Pipe::M, Pipe::Fix), (Pipe::Fix, Pipe::M), (Pipe::M, Pipe::Mte2)];

/// One core under construction.
#[derive(Default)]
struct Maker {
    steps: Vec<Step>,
    /// Flags that are set.
    set: Vec<(Pipe, Pipe)>,
}

impl Maker {
    fn add(&mut self, draw: &mut Draw, cube: bool) {
        // Rows of Fixpipe have two blocks; fewer than three blocks may be a word that others look for.
        let blocks = if cube { 4 } else { 3 + draw.below(4) as u64 };
        let at = draw.below((AREA_BLOCKS - blocks) as usize) as u64;
        let flags: &[(Pipe, Pipe)] = if cube { &AIC_FLAGS } else { &AIV_FLAGS };
        match draw.below(12) {
            0..=2 => self.steps.push(Step::Read { at, blocks }),
            3..=5 => self.steps.push(Step::Write { at, blocks }),
            6 => self.steps.push(Step::Add { at, blocks }),
            7 => self.flag(flags[draw.below(flags.len())]),
            8 => {
                let flag = flags[draw.below(flags.len())];
                self.flag(flag);
                self.wait(flag);
            }
            9 if !self.set.is_empty() => {
                let flag = self.set[draw.below(self.set.len())];
                self.wait(flag);
            }
            10 => self.steps.push(Step::Barrier([Pipe::Mte2, Pipe::All][draw.below(2)])),
            _ => {}
        }
    }

    fn flag(&mut self, flag: (Pipe, Pipe)) {
        if !self.set.contains(&flag) {
            self.set.push(flag);
            self.steps.push(Step::Set(flag.0, flag.1));
        }
    }

    fn wait(&mut self, flag: (Pipe, Pipe)) {
        self.set.retain(|f| *f != flag);
        self.steps.push(Step::Wait(flag.0, flag.1));
    }

    /// Steps of one round: some, the set if there is one, some, the wait if there is one.
    fn round(&mut self, draw: &mut Draw, cube: bool, set: Option<(u64, u64)>, wait: Option<u64>) {
        let some = |maker: &mut Maker, draw: &mut Draw| {
            let n = draw.below(4);
            (0..n).for_each(|_| maker.add(draw, cube));
        };
        some(self, draw);
        if let Some((mode, round)) = set {
            let pipes: &[Pipe] =
                if cube { &[Pipe::Fix, Pipe::Mte2] } else { &[Pipe::Mte3, Pipe::Mte2, Pipe::V] };
            let pipe = pipes[draw.below(pipes.len())];
            self.steps.push(Step::CrossSet { mode, pipe, round });
        }
        some(self, draw);
        if let Some(round) = wait {
            self.steps.push(Step::CrossWait { round });
        }
    }
}

/// Which cores set (in which mode) and which wait, by core.
fn hand_off(mix: bool, cores: usize, kind: usize) -> Vec<(Option<u64>, bool)> {
    match (mix, kind) {
        (false, _) => vec![(Some(0), true); cores],
        (true, 0) => vec![(Some(2), false), (None, true), (None, true)],
        (true, 1) => vec![(None, true), (Some(2), false), (Some(2), false)],
        (true, _) => vec![(None, false), (Some(1), true), (Some(1), true)],
    }
}

fn program(numbers: &[u16]) -> Program {
    let draw = &mut Draw(numbers.iter());
    let mix = draw.below(2) == 1;
    let cores = if mix { 3 } else { 2 + draw.below(3) };
    let mut makers: Vec<Maker> = (0..cores).map(|_| Maker::default()).collect();
    for round in 0..draw.below(4) as u64 {
        let kind = draw.below(3);
        for (core, (sets, waits)) in hand_off(mix, cores, kind).into_iter().enumerate() {
            makers[core].round(
                draw,
                mix && core == 0,
                sets.map(|mode| (mode, round)),
                waits.then_some(round),
            );
        }
    }
    for (core, maker) in makers.iter_mut().enumerate() {
        maker.round(draw, mix && core == 0, None, None);
        maker.set.clone().into_iter().for_each(|flag| maker.wait(flag));
    }
    let mut program = Program { mix, cores: makers.into_iter().map(|m| m.steps).collect() };
    // More lines than there are: nothing in order to judge.
    if program.cores.iter().any(|steps| steps.len() > OWN_LINES) {
        program.cores.iter_mut().for_each(Vec::clear);
    }
    program
}

/// A step of a core.
type At = (usize, usize);

/// Starts and ends of steps of all cores, and which is before which.
struct Graph {
    first: Vec<usize>,
    after: Vec<Vec<usize>>,
}

impl Graph {
    fn start(&self, (core, step): At) -> usize {
        self.first[core] + 3 * step
    }

    fn end(&self, at: At) -> usize {
        self.start(at) + 1
    }

    /// The scalar unit has issued it and goes on.
    fn issued(&self, at: At) -> usize {
        self.start(at) + 2
    }

    fn edge(&mut self, a: usize, b: usize) {
        self.after[a].push(b);
    }

    fn new(program: &Program) -> Graph {
        let mut first = vec![0];
        program.cores.iter().for_each(|steps| first.push(first[first.len() - 1] + 3 * steps.len()));
        let mut graph = Graph { after: vec![Vec::new(); first[program.cores.len()]], first };
        for (core, steps) in program.cores.iter().enumerate() {
            (0..steps.len()).for_each(|i| graph.step(program, (core, i)));
        }
        graph
    }

    fn step(&mut self, program: &Program, at: At) {
        let (core, i) = at;
        let steps = &program.cores[core];
        let pipe_of = |j: usize| program.pipe(core, &steps[j]);
        let is_set = |s: &Step| matches!(s, Step::Set(..) | Step::CrossSet { .. });
        let (step, pipe) = (&steps[i], pipe_of(i));
        self.edge(self.start(at), self.end(at));
        if i > 0 {
            self.edge(self.issued((core, i - 1)), self.issued(at));
            self.edge(self.issued((core, i - 1)), self.start(at));
        }
        if pipe == Pipe::All || pipe == Pipe::S && !is_set(step) {
            self.edge(self.end(at), self.issued(at));
        }
        let before = |p: Pipe| (0..i).filter(move |j| pipe_of(*j) == p || p == Pipe::All);
        if is_set(step) || matches!(step, Step::Barrier(_)) {
            before(pipe).for_each(|j| self.edge(self.end((core, j)), self.start(at)));
        }
        // A pipe starts in order; a flag that is set behind an instruction does not hold up what follows.
        if let Some(last) = before(pipe).rfind(|j| !is_set(&steps[*j])) {
            self.edge(self.start((core, last)), self.start(at));
        }
        match *step {
            Step::Wait(src, dst) => {
                let set = (0..i).rfind(|j| steps[*j] == Step::Set(src, dst)).expect("paired");
                self.edge(self.end((core, set)), self.start(at));
            }
            Step::CrossWait { round } => {
                for other in program.setters(core, round) {
                    let is = |s: &Step| matches!(s, Step::CrossSet { round: r, .. } if *r == round);
                    let set = program.cores[other].iter().position(is).expect("it sets");
                    self.edge(self.end((other, set)), self.start(at));
                }
            }
            _ => {}
        }
    }

    fn reaches(&self, from: usize) -> Vec<bool> {
        let mut seen = vec![false; self.after.len()];
        let mut todo = vec![from];
        while let Some(n) = todo.pop() {
            if !std::mem::replace(&mut seen[n], true) {
                todo.extend(&self.after[n]);
            }
        }
        seen
    }
}

/// Blocks of GM, and what is done to them: 0 read, 1 write, 2 add.
fn touched(step: &Step) -> Option<(Range<u64>, u8)> {
    match *step {
        Step::Read { at, blocks } => Some((at..at + blocks, 0)),
        Step::Write { at, blocks } => Some((at..at + blocks, 1)),
        Step::Add { at, blocks } => Some((at..at + blocks, 2)),
        _ => None,
    }
}

type Pairs = BTreeSet<(At, At)>;

/// Pairs that touch the same bytes in no order, not both reading or both adding. Two writes of one core are another check's.
fn races(program: &Program) -> Pairs {
    let graph = Graph::new(program);
    let mut data = Vec::new();
    for (core, steps) in program.cores.iter().enumerate() {
        data.extend(steps.iter().enumerate().filter_map(|(i, s)| Some(((core, i), touched(s)?))));
    }
    let reaches: Vec<Vec<bool>> = data.iter().map(|(at, _)| graph.reaches(graph.end(*at))).collect();
    let mut found = Pairs::new();
    for (j, (b, (bytes_b, class_b))) in data.iter().enumerate() {
        for (i, (a, (bytes_a, class_a))) in data[..j].iter().enumerate() {
            let overlap = bytes_a.start < bytes_b.end && bytes_b.start < bytes_a.end;
            let conflict = class_a != class_b || *class_a == 1;
            let one_pipe = a.0 == b.0 && *class_a > 0 && *class_b > 0;
            let ordered = reaches[i][graph.start(*b)] || reaches[j][graph.start(*a)];
            if overlap && conflict && !one_pipe && !ordered {
                found.insert((*a, *b));
            }
        }
    }
    found
}

/// Pairs that are reported.
fn reported(outcome: &LaunchOutcome) -> Pairs {
    let is_race = |code: &str| ["TR0420", "TR0607", "TR0608"].contains(&code);
    let pairs = outcome.findings.iter().filter(|f| is_race(f.code)).map(|f| {
        let [a, b] = [0, 1].map(|side: usize| {
            let line = line_of(f.sides[side].place.as_ref());
            (line / OWN_LINES, line % OWN_LINES)
        });
        (a.min(b), a.max(b))
    });
    pairs.collect()
}

/// Whether a pair of `a` and an access of the pipe of `b`, or the other way round, was reported.
fn is_covered(program: &Program, reported: &Pairs, (a, b): (At, At)) -> bool {
    let pipe = |at: At| (at.0, program.pipe(at.0, &program.cores[at.0][at.1]));
    reported.iter().any(|&(x, y)| {
        let stands = |one: At, of: At, other: At, for_it: At| one == of && pipe(other) == pipe(for_it);
        stands(x, a, y, b) || stands(y, b, x, a)
    })
}

fn run(bench: &Bench, gm: u64, program: &Program) -> LaunchOutcome {
    let (kind, blocks) = match program.mix {
        true => (KernelType::MixAic1_2, 1),
        false => (KernelType::MixAiv1_0, program.cores.len() as u32),
    };
    let at = std::ptr::from_ref(program) as u64;
    bench.run_type("random", act, kind, blocks, &[("x", gm), ("program", at)])
}

fn check(bench: &Bench, gm: u64, program: &Program) -> Result<bool, TestCaseError> {
    let outcome = run(bench, gm, program);
    prop_assert_eq!(&outcome.failure, &None, "{:#?}", program);
    let (expected, reported) = (races(program), reported(&outcome));
    let no_race: Vec<_> = reported.difference(&expected).collect();
    prop_assert!(no_race.is_empty(), "not a race: {:?} of {:#?}", no_race, program);
    let is_own = |pair: &&(At, At)| pair.0.0 == pair.1.0;
    let own: Vec<_> = expected.iter().filter(is_own).collect();
    prop_assert_eq!(reported.iter().filter(is_own).collect::<Vec<_>>(), own, "{:#?}", program);
    let missed = expected.iter().find(|p| !is_covered(program, &reported, **p));
    prop_assert_eq!(missed, None, "reported {:?} of {:#?}", reported, program);
    Ok(expected.is_empty())
}

/// Programs of each test run; a third of them and more are in order.
const PROGRAMS: u32 = 2000;

#[test]
fn cores_are_judged_as_by_comparing_all_pairs() {
    for threads in [1, 2] {
        let checks = CheckOptions { auto_sync: false, ..CheckOptions::default() };
        let bench = Bench::with_options(NpuOptions { threads, checks, ..NpuOptions::default() });
        let gm = bench.upload(&vec![1.0; (8 * AREA_BLOCKS) as usize]);
        let in_order = std::cell::Cell::new(0);
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            cases: PROGRAMS / threads as u32,
            failure_persistence: None,
            ..ProptestConfig::default()
        });
        let result = runner.run(&proptest::collection::vec(any::<u16>(), 1..160), |numbers| {
            in_order.set(in_order.get() + u32::from(check(&bench, gm, &program(&numbers))?));
            Ok(())
        });
        if let Err(error) = result {
            panic!("{error}");
        }
        let share = 100 * in_order.get() * threads as u32 / PROGRAMS;
        assert!((5..80).contains(&share), "both kinds of programs: {share} % in order");
    }
}
