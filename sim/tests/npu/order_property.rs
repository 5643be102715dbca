//! The race checker against an oracle that knows nothing of clocks or shadows: random programs, happens-before as an explicit
//! graph over starts and ends of instructions, every pair of accesses compared.
//!
//! Programs use all pipes of a vector core, overlapping and partly masked operands, scalar accesses, flags of all pairs, waits
//! that stand before their set (so that instructions queue up), barriers. Checked in both directions: a program without a race is
//! silent, one with a race is not, and every reported pair is a race.
#![allow(clippy::single_range_in_vec_init)] // Lists of ranges.

use crate::harness::Bench;
use crate::kernel::*;
use parking_lot::{Mutex, RwLock};
use proptest::prelude::*;
use std::collections::HashSet;
use std::ops::Range;
use toprope_abi::isa::{Op, Pipe};
use toprope_sim::npu::{CheckOptions, NpuOptions};

/// What a program does, one step after the other. Places are 32-byte blocks of UB, lengths blocks; floats where it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    In {
        to: u64,
        blocks: u64,
    },
    Out {
        from: u64,
        blocks: u64,
    },
    /// `floats` elements.
    Add {
        to: u64,
        a: u64,
        b: u64,
        floats: u64,
    },
    Load {
        float: u64,
    },
    Store {
        float: u64,
    },
    Set {
        src: Pipe,
        dst: Pipe,
        id: u64,
    },
    Wait {
        src: Pipe,
        dst: Pipe,
        id: u64,
    },
    Barrier(Pipe),
}

const PIPES: [Pipe; 4] = [Pipe::S, Pipe::V, Pipe::Mte2, Pipe::Mte3];
const AREA_BLOCKS: u64 = 24;
const IDS: u64 = 2;

static PROGRAM: RwLock<Vec<Step>> = RwLock::new(Vec::new());
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn run_program(args: &[u64; 8]) {
    for step in PROGRAM.read().iter() {
        match *step {
            Step::In { to, blocks } => copy_in(ub(32 * to), args[0], blocks),
            Step::Out { from, blocks } => copy_out(args[1], ub(32 * from), blocks),
            Step::Add { to, a, b, floats } => {
                issue(Op::Movemask, [0, u64::MAX >> (64 - floats), 0, 0]);
                issue(Op::Movemask, [1, 0, 0, 0]);
                binary(Op::VaddF32, ub(32 * to), ub(32 * a), ub(32 * b), 1);
            }
            Step::Load { float } => {
                get_value(ub(4 * float));
            }
            Step::Store { float } => set_value(ub(4 * float), 1.0),
            Step::Set { src, dst, id } => set_flag(src, dst, id),
            Step::Wait { src, dst, id } => wait_flag(src, dst, id),
            Step::Barrier(pipe) => barrier(pipe),
        }
    }
    issue(Op::Movemask, [0, u64::MAX, 0, 0]);
    issue(Op::Movemask, [1, u64::MAX, 0, 0]);
}

impl Step {
    fn pipe(&self) -> Pipe {
        match *self {
            Step::In { .. } => Pipe::Mte2,
            Step::Out { .. } => Pipe::Mte3,
            Step::Add { .. } => Pipe::V,
            Step::Load { .. } | Step::Store { .. } => Pipe::S,
            Step::Set { src, .. } => src,
            Step::Wait { dst, .. } => dst,
            Step::Barrier(pipe) => pipe,
        }
    }

    /// Bytes read, bytes written.
    fn bytes(&self) -> (Vec<Range<u64>>, Vec<Range<u64>>) {
        let floats = |start: u64, n: u64| 32 * start..32 * start + 4 * n;
        match *self {
            Step::In { to, blocks } => (vec![], vec![floats(to, 8 * blocks)]),
            Step::Out { from, blocks } => (vec![floats(from, 8 * blocks)], vec![]),
            Step::Add { to, a, b, floats: n } => (vec![floats(a, n), floats(b, n)], vec![floats(to, n)]),
            Step::Load { float } => (vec![4 * float..4 * float + 4], vec![]),
            Step::Store { float } => (vec![], vec![4 * float..4 * float + 4]),
            Step::Set { .. } | Step::Wait { .. } | Step::Barrier(_) => (vec![], vec![]),
        }
    }

    fn is_data(&self) -> bool {
        self.bytes() != (vec![], vec![])
    }
}

/// Makes a program that keeps the rules of flags out of random numbers.
#[derive(Default)]
struct Maker {
    steps: Vec<Step>,
    set: HashSet<(usize, usize, u64)>,
    /// Flags whose set or wait is in the queue of a blocked pipe.
    busy: Vec<((usize, usize, u64), bool)>,
    /// A wait in front of its set.
    early: Option<(usize, usize, u64)>,
}

impl Maker {
    fn add(&mut self, n: [u64; 6]) {
        let place = |v: u64, blocks: u64| v % (AREA_BLOCKS - blocks + 1);
        match n[0] % 16 {
            0 | 1 => {
                let blocks = 1 + n[1] % 12;
                self.steps.push(Step::In { to: place(n[2], blocks), blocks });
            }
            2 | 3 => {
                let blocks = 1 + n[1] % 12;
                self.steps.push(Step::Out { from: place(n[2], blocks), blocks });
            }
            4..=6 => self.vector(n),
            7 => self.steps.push(Step::Load { float: n[1] % (8 * AREA_BLOCKS) }),
            8 => self.steps.push(Step::Store { float: n[1] % (8 * AREA_BLOCKS) }),
            9 | 10 => self.flag((n[1] % 4) as usize, (n[2] % 4) as usize, n[3] % IDS),
            11 | 12 => self.wait_for_some(n[1]),
            13 => self.wait_early((n[1] % 4) as usize, (1 + n[2] % 3) as usize, n[3] % IDS),
            14 => self.steps.push(Step::Barrier(PIPES[(1 + n[1] % 3) as usize])),
            _ if self.early.is_none() && n[1].is_multiple_of(4) => self.steps.push(Step::Barrier(Pipe::All)),
            _ => {}
        }
    }

    fn vector(&mut self, n: [u64; 6]) {
        let floats = 1 + n[1] % 64;
        let blocks = floats.div_ceil(8);
        let place = |v: u64| v % (AREA_BLOCKS - blocks + 1);
        let (to, mut a, mut b) = (place(n[2]), place(n[3]), place(n[4]));
        // A source is the destination or does not touch it.
        for source in [&mut a, &mut b] {
            if source.abs_diff(to) < blocks {
                *source = to;
            }
        }
        self.steps.push(Step::Add { to, a, b, floats });
    }

    fn flag(&mut self, src: usize, dst: usize, id: u64) {
        let flag = (src, dst, id);
        let busy = self.busy.iter().any(|(f, _)| *f == flag);
        if src == dst || busy || self.set.contains(&flag) {
            return;
        }
        self.steps.push(Step::Set { src: PIPES[src], dst: PIPES[dst], id });
        match self.early {
            Some(early) if early == flag => {
                self.early = None;
                for (flag, is_set) in self.busy.drain(..) {
                    if is_set {
                        self.set.insert(flag);
                    }
                }
            }
            Some((_, blocked, _)) if blocked == src => self.busy.push((flag, true)),
            _ => {
                self.set.insert(flag);
            }
        }
    }

    fn wait_for_some(&mut self, which: u64) {
        let mut set: Vec<_> = self.set.iter().copied().collect();
        set.sort_unstable();
        if set.is_empty() {
            return;
        }
        let flag = set[which as usize % set.len()];
        self.wait(flag);
    }

    fn wait(&mut self, flag: (usize, usize, u64)) {
        self.set.remove(&flag);
        self.steps.push(Step::Wait { src: PIPES[flag.0], dst: PIPES[flag.1], id: flag.2 });
        if self.early.is_some_and(|e| e.1 == flag.1) {
            self.busy.push((flag, false));
        }
    }

    fn wait_early(&mut self, src: usize, dst: usize, id: u64) {
        let flag = (src, dst, id);
        if src == dst || self.early.is_some() || self.set.contains(&flag) {
            return;
        }
        self.early = Some(flag);
        self.steps.push(Step::Wait { src: PIPES[src], dst: PIPES[dst], id });
    }

    fn finish(mut self) -> Vec<Step> {
        if let Some((src, dst, id)) = self.early {
            self.flag(src, dst, id);
        }
        let mut left: Vec<_> = self.set.iter().copied().collect();
        left.sort_unstable();
        left.into_iter().for_each(|flag| self.wait(flag));
        self.steps
    }
}

fn program() -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(any::<[u16; 6]>(), 1..48).prop_map(|numbers| {
        let mut maker = Maker::default();
        numbers.iter().for_each(|n| maker.add(n.map(u64::from)));
        maker.finish()
    })
}

/// Starts and ends of steps, and which is before which.
struct Graph {
    after: Vec<Vec<usize>>,
}

impl Graph {
    fn start(step: usize) -> usize {
        3 * step
    }

    fn end(step: usize) -> usize {
        3 * step + 1
    }

    /// The scalar unit has issued it and goes on.
    fn issued(step: usize) -> usize {
        3 * step + 2
    }

    fn edge(&mut self, a: usize, b: usize) {
        self.after[a].push(b);
    }

    fn new(steps: &[Step]) -> Graph {
        let mut g = Graph { after: vec![Vec::new(); 3 * steps.len()] };
        for (i, step) in steps.iter().enumerate() {
            g.edge(Graph::start(i), Graph::end(i));
            if i > 0 {
                g.edge(Graph::issued(i - 1), Graph::issued(i));
                g.edge(Graph::issued(i - 1), Graph::start(i));
            }
            let pipe = step.pipe();
            // The scalar unit goes on when a load is done and a wait is over, not when a store can be seen.
            let stops = pipe == Pipe::All
                || pipe == Pipe::S && !matches!(step, Step::Store { .. } | Step::Set { .. });
            if stops {
                g.edge(Graph::end(i), Graph::issued(i));
            }
            let before = |p: Pipe| (0..i).filter(move |j| steps[*j].pipe() == p || p == Pipe::All);
            if matches!(step, Step::Set { .. } | Step::Barrier(_)) {
                before(pipe).for_each(|j| g.edge(Graph::end(j), Graph::start(i)));
            }
            // A pipe starts in order; a flag that is set behind an instruction does not hold up what follows.
            let last = before(pipe).rfind(|j| !matches!(steps[*j], Step::Set { .. }));
            if let Some(last) = last {
                g.edge(Graph::start(last), Graph::start(i));
            }
            if let Step::Wait { src, dst, id } = *step {
                let same = |s: &Step, set: bool| match *s {
                    Step::Set { src: a, dst: b, id: c } => set && (a, b, c) == (src, dst, id),
                    Step::Wait { src: a, dst: b, id: c } => !set && (a, b, c) == (src, dst, id),
                    _ => false,
                };
                let number = steps[..i].iter().filter(|s| same(s, false)).count();
                let set = (0..steps.len()).filter(|j| same(&steps[*j], true)).nth(number).expect("paired");
                g.edge(Graph::end(set), Graph::start(i));
            }
        }
        g
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

fn overlap(a: &[Range<u64>], b: &[Range<u64>]) -> bool {
    a.iter().any(|x| b.iter().any(|y| x.start < y.end && y.start < x.end))
}

/// Pairs of steps that touch the same bytes, one of them writing, in no order.
fn races(steps: &[Step]) -> HashSet<(usize, usize)> {
    let graph = Graph::new(steps);
    let reaches: Vec<Vec<bool>> = (0..steps.len()).map(|i| graph.reaches(Graph::end(i))).collect();
    let mut found = HashSet::new();
    for b in 0..steps.len() {
        for a in 0..b {
            let ((reads_a, writes_a), (reads_b, writes_b)) = (steps[a].bytes(), steps[b].bytes());
            let raw = overlap(&writes_a, &reads_b);
            let waw = overlap(&writes_a, &writes_b);
            let war = overlap(&reads_a, &writes_b) && steps[a].pipe() != steps[b].pipe();
            // Scalar work is in order by itself, and copies of one place are not compared.
            let (p, q) = (steps[a].pipe(), steps[b].pipe());
            let never = p == q && (p == Pipe::S || p == Pipe::Mte2);
            let ordered = never || reaches[a][Graph::start(b)] || reaches[b][Graph::start(a)];
            if (raw || waw || war) && !ordered {
                found.insert((a, b));
            }
        }
    }
    found
}

/// The step that a side of a finding names: the n-th of its kind.
fn step_of(steps: &[Step], side: &toprope_sim::findings::Side) -> usize {
    let is = |s: &Step| match s {
        Step::Load { .. } => side.what.starts_with("GetValue") || side.what.starts_with("get_value"),
        Step::Store { .. } => side.what.starts_with("SetValue") || side.what.starts_with("set_value"),
        _ => s.is_data() && s.pipe().name() == side.pipe,
    };
    let mut of_kind = (0..steps.len()).filter(|i| is(&steps[*i]));
    of_kind.nth(side.iteration as usize).unwrap_or_else(|| panic!("{side} of {steps:?}"))
}

fn check(bench: &Bench, buffers: (u64, u64), steps: &[Step]) -> Result<(), TestCaseError> {
    *PROGRAM.write() = steps.to_vec();
    let outcome = bench.run("random", run_program, 1, &[("x", buffers.0), ("z", buffers.1)]);
    prop_assert_eq!(outcome.failure, None);
    let expected = races(steps);
    let is_race = |f: &&toprope_sim::findings::Finding| ("TR0402"..="TR0406").contains(&f.code);
    let mut reported = Vec::new();
    for finding in outcome.findings.iter().filter(is_race) {
        let (a, b) = (step_of(steps, &finding.sides[0]), step_of(steps, &finding.sides[1]));
        let pair = (a.min(b), a.max(b));
        prop_assert!(expected.contains(&pair), "not a race: {:?}\n{}\n{:#?}", pair, finding, steps);
        reported.push(pair);
    }
    prop_assert_eq!(reported.is_empty(), expected.is_empty(), "missed {:?} of {:#?}", expected, steps);
    Ok(())
}

#[test]
fn the_checker_agrees_with_a_graph_of_everything() {
    let _alone = ONE_AT_A_TIME.lock();
    let checks = CheckOptions { auto_sync: false, ..CheckOptions::default() };
    let bench = Bench::with_options(NpuOptions { threads: 1, checks, ..NpuOptions::default() });
    let buffers = (bench.upload(&[1.0; 256]), bench.upload(&[0.0; 256]));
    let clean = std::cell::Cell::new(0);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 3000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let result = runner.run(&program(), |steps| {
        clean.set(clean.get() + u32::from(races(&steps).is_empty()));
        check(&bench, buffers, &steps)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!((100..2900).contains(&clean.get()), "both kinds of programs: {} without a race", clean.get());
}
