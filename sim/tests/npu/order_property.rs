//! The race checker against an oracle that knows nothing of clocks or shadows: random programs, happens-before as an explicit
//! graph over starts and ends of instructions, every pair of accesses compared.
//!
//! Programs use all pipes of a vector core, overlapping and partly masked operands, scalar accesses, flags of all pairs, waits
//! that stand before their set (so that instructions queue up), barriers. Every step is a source line of its own. Checked in both
//! directions: every reported pair is a race, and a program in which every reported pair is ordered by a flag of its own has no race
//! left. So what is not reported follows from what is, and nothing is missed. One kind shows only when another one is repaired: of
//! what overtakes an instruction that waits in its pipe, the last write of a byte is reported, and the last read of each pipe.
#![allow(clippy::single_range_in_vec_init)] // Lists of ranges.

use crate::harness::Bench;
use crate::kernel::*;
use crate::lines::{line_of, on_line};
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
    PROGRAM.read().iter().enumerate().for_each(|(i, step)| on_line(i, || step.issue(args)));
    issue(Op::Movemask, [0, u64::MAX, 0, 0]);
    issue(Op::Movemask, [1, u64::MAX, 0, 0]);
}

impl Step {
    fn issue(&self, args: &[u64; 8]) {
        match *self {
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

/// The set that the wait at `i` waits for: of one flag the n-th for the n-th.
fn set_of(steps: &[Step], i: usize) -> usize {
    let flag = |s: &Step, sets: bool| match *s {
        Step::Set { src, dst, id } if sets => Some((src, dst, id)),
        Step::Wait { src, dst, id } if !sets => Some((src, dst, id)),
        _ => None,
    };
    let wanted = flag(&steps[i], false);
    let number = steps[..i].iter().filter(|s| flag(s, false) == wanted).count();
    (0..steps.len()).filter(|j| flag(&steps[*j], true) == wanted).nth(number).expect("paired")
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
            if matches!(step, Step::Wait { .. }) {
                let set = set_of(steps, i);
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

type Pairs = HashSet<(usize, usize)>;

fn overlap(a: &[Range<u64>], b: &[Range<u64>]) -> bool {
    a.iter().any(|x| b.iter().any(|y| x.start < y.end && y.start < x.end))
}

/// Pairs of steps that touch the same bytes, one of them writing, in no order, if there are flags between the pairs `repaired`.
fn races(steps: &[Step], repaired: &Pairs) -> Pairs {
    let mut graph = Graph::new(steps);
    for &(a, b) in repaired {
        let same = (0..b).filter(|i| steps[*i].pipe() == steps[a].pipe());
        for i in same {
            // The flag says that its pipe is done up to the earlier one, and what that pipe knows by now.
            let told = if i <= a { Graph::end(i) } else { Graph::start(i) };
            graph.edge(told, Graph::start(b));
            // A wait of the scalar unit holds up the issue.
            if steps[b].pipe() == Pipe::S {
                graph.edge(told, Graph::issued(b));
            }
        }
    }
    let reaches: Vec<Vec<bool>> = (0..steps.len()).map(|i| graph.reaches(Graph::end(i))).collect();
    let mut found = HashSet::new();
    for b in 0..steps.len() {
        for a in 0..b {
            let ((reads_a, writes_a), (reads_b, writes_b)) = (steps[a].bytes(), steps[b].bytes());
            let raw = overlap(&writes_a, &reads_b);
            let waw = overlap(&writes_a, &writes_b);
            let war = overlap(&reads_a, &writes_b) && steps[a].pipe() != steps[b].pipe();
            // Scalar work is in order by itself.
            let never = steps[a].pipe() == Pipe::S && steps[b].pipe() == Pipe::S;
            let ordered = never || reaches[a][Graph::start(b)] || reaches[b][Graph::start(a)];
            if (raw || waw || war) && !ordered {
                found.insert((a, b));
            }
        }
    }
    found
}

/// Per step the latest step that the program has to reach before it runs.
fn run_times(steps: &[Step]) -> Vec<usize> {
    let mut times: Vec<usize> = (0..steps.len()).collect();
    let mut before = Vec::new();
    while before != times {
        before.clone_from(&times);
        for i in 0..steps.len() {
            let pipe = steps[i].pipe();
            let ahead = (0..i).rfind(|j| steps[*j].pipe() == pipe && pipe != Pipe::S);
            let set = matches!(steps[i], Step::Wait { .. }).then(|| set_of(steps, i));
            let after = ahead.into_iter().chain(set).map(|j| times[j]).max().unwrap_or(0);
            times[i] = times[i].max(after);
        }
    }
    times
}

/// Whether a step that ran between two steps, one of the three of which waited in its pipe, hid the one that ran first: it wrote the
/// bytes that both touch, or the same pipe read them once more, or it read what the first wrote and the second writes.
fn is_hidden(steps: &[Step], times: &[usize], (a, b): (usize, usize)) -> bool {
    let bytes = |i: usize| [steps[i].bytes().0, steps[i].bytes().1].concat();
    let is_write = |i: usize| !steps[i].bytes().1.is_empty();
    let runs = |i: usize| (times[i], i);
    let (first, second) = if runs(a) < runs(b) { (a, b) } else { (b, a) };
    let stands = |c: usize| {
        let (reads, writes) = steps[c].bytes();
        let read_again = steps[c].pipe() == steps[first].pipe() || (is_write(first) && is_write(second));
        let touched = if read_again { [reads, writes].concat() } else { writes };
        let between = runs(first) < runs(c) && runs(c) < runs(second);
        between && overlap(&touched, &bytes(a)) && overlap(&touched, &bytes(b))
    };
    let waited = |c: usize| [a, b, c].iter().any(|i| times[*i] != *i);
    (0..steps.len()).any(|c| waited(c) && stands(c))
}

fn check(bench: &Bench, buffers: (u64, u64), steps: &[Step]) -> Result<(), TestCaseError> {
    *PROGRAM.write() = steps.to_vec();
    let outcome = bench.run("random", run_program, 1, &[("x", buffers.0), ("z", buffers.1)]);
    prop_assert_eq!(outcome.failure, None);
    let expected = races(steps, &Pairs::new());
    let is_race = |f: &&toprope_sim::findings::Finding| ("TR0402"..="TR0406").contains(&f.code);
    let mut reported = Pairs::new();
    for finding in outcome.findings.iter().filter(is_race) {
        let [a, b] = [0, 1].map(|side: usize| line_of(finding.sides[side].place.as_ref()));
        let pair = (a.min(b), a.max(b));
        prop_assert!(expected.contains(&pair), "not a race: {:?}\n{}\n{:#?}", pair, finding, steps);
        prop_assert!(reported.insert(pair), "told twice: {:?}\n{:#?}", pair, steps);
    }
    let times = run_times(steps);
    let mut left = races(steps, &reported);
    left.retain(|pair| !is_hidden(steps, &times, *pair));
    prop_assert_eq!(reported.is_empty(), expected.is_empty(), "missed {:?} of {:#?}", expected, steps);
    prop_assert!(left.is_empty(), "missed {:?}, reported {:?} of {:#?}", left, reported, steps);
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
        clean.set(clean.get() + u32::from(races(&steps, &Pairs::new()).is_empty()));
        check(&bench, buffers, &steps)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!((100..2900).contains(&clean.get()), "both kinds of programs: {} without a race", clean.get());
}
