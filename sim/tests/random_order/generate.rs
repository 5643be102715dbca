//! Programs that are right by construction, and what makes them wrong.

use crate::oracle::{Order, conflict};
use crate::program::{Data, MOST, Program, Step, USED};
use toprope_abi::isa::{Pipe, Space};

/// A generator of numbers that needs no crate: splitmix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// 0 to `n` - 1.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A program under construction, with what is known at its end.
#[derive(Default)]
struct Builder {
    program: Program,
    order: Order,
    /// Data so far.
    data: Vec<(usize, Data)>,
    /// Per flag: step of the last wait, or that it is set.
    flags: std::collections::HashMap<(u32, u32, u64), Option<usize>>,
}

impl Builder {
    fn push(&mut self, step: Step) -> usize {
        let at = self.program.steps.len();
        self.order.step(at, &step);
        self.program.steps.push(step);
        at
    }

    /// What the next step of `pipe` would know.
    fn knows(&self, pipe: Pipe, at: usize) -> bool {
        let probe =
            if pipe == Pipe::S { Step::Data(Data::Load { at: 0 }) } else { Step::Set(pipe, Pipe::S, 99) };
        let mut order = self.order.clone();
        order.without_done(pipe).step(MOST, &probe).has(at)
    }

    fn set(&mut self, from: Pipe, to: Pipe, id: u64) -> usize {
        self.flags.insert((from as u32, to as u32, id), None);
        self.push(Step::Set(from, to, id))
    }

    fn wait(&mut self, from: Pipe, to: Pipe, id: u64) -> usize {
        let at = self.push(Step::Wait(from, to, id));
        self.flags.insert((from as u32, to as u32, id), Some(at));
        at
    }

    fn flag(&mut self, from: Pipe, to: Pipe, id: u64) {
        let set = self.set(from, to, id);
        let wait = self.wait(from, to, id);
        self.program.units.push(vec![set, wait]);
    }

    fn barrier(&mut self, pipe: Pipe) {
        let at = self.push(Step::Barrier(pipe));
        self.program.units.push(vec![at]);
    }

    /// An id whose last wait is over when `from` sets it.
    fn free_id(&self, from: Pipe, to: Pipe, random: &mut Random) -> Option<u64> {
        let start = random.below(8);
        (0..8).map(|i| (start + i) % 8).find(|id| match self.flags.get(&(from as u32, to as u32, *id)) {
            None => true,
            Some(None) => false,
            Some(Some(wait)) => self.knows(from, *wait),
        })
    }

    /// Orders the next step of `to` behind step `at` of `from`, in one of the ways there are.
    fn order(&mut self, from: Pipe, to: Pipe, random: &mut Random) {
        if from == to || random.one_in(12) {
            self.barrier(if from == to && from != Pipe::S && !random.one_in(6) { from } else { Pipe::All });
        } else if let Some(id) = self.free_id(from, to, random) {
            self.flag(from, to, id);
        } else {
            self.barrier(Pipe::All);
        }
    }

    /// Adds an instruction, ordered behind all that it conflicts with.
    fn data(&mut self, data: Data, random: &mut Random) {
        for i in (0..self.data.len()).rev() {
            let (at, earlier) = self.data[i];
            if conflict(&earlier, &data) && !self.knows(data.pipe(), at) {
                self.order(earlier.pipe(), data.pipe(), random);
            }
        }
        self.plain(data);
    }

    fn plain(&mut self, data: Data) {
        let at = self.push(Step::Data(data));
        self.data.push((at, data));
    }
}

impl Order {
    /// For a probe that sets a flag: what its pipe knows without what it did itself.
    fn without_done(&mut self, pipe: Pipe) -> &mut Order {
        self.forget_done(pipe);
        self
    }
}

/// Instructions of a vector core on buffers that overlap as they like, each ordered as it needs.
pub fn random(random: &mut Random) -> Program {
    let mut b = Builder::default();
    let buffers: Vec<u64> = (0..3 + random.below(4)).map(|_| 32 * random.below(USED / 32 - 64)).collect();
    for _ in 0..6 + random.below(20) {
        let place = |random: &mut Random| random.pick(&buffers) + 32 * random.below(8);
        let repeats = 1 + random.below(4);
        let data = match random.below(9) {
            0 | 1 => Data::CopyIn { dst: place(random), blocks: 1 + random.below(32) },
            2 | 3 => Data::CopyOut { src: place(random), blocks: 1 + random.below(32) },
            4 => Data::Load { at: place(random) + 4 * random.below(8) },
            5 => Data::Store { at: place(random) + 4 * random.below(8) },
            _ => {
                let (a, b) = (place(random), place(random));
                // Source and destination of an instruction are the same or apart.
                let clear = |d: u64| [a, b].iter().all(|s| *s == d || s.abs_diff(d) >= 256 * repeats);
                let dst = (0..8).map(|_| place(random)).find(|d| clear(*d)).unwrap_or(a);
                if !clear(dst) {
                    continue;
                }
                Data::Add { dst, a, b, repeats }
            }
        };
        b.data(data, random);
        if b.program.steps.len() > MOST - 40 {
            break;
        }
    }
    b.program
}

/// Loads, a chain of vector steps and stores over tiles, with ping-pong buffers and flags both ways.
pub fn stages(random: &mut Random) -> Program {
    let mut b = Builder::default();
    let (tiles, depth_in, depth_out) = (2 + random.below(5), 1 + random.below(3), 1 + random.below(3));
    let (steps, repeats) = (1 + random.below(3), 1 + random.below(4));
    let bytes = 256 * repeats;
    let (input, output) = (|slot| slot * bytes, |slot| 4096 + slot * bytes);
    let scratch = 8192;
    let mut edges = Edges::default();
    for tile in 0..tiles {
        let (i, o) = (tile % depth_in, tile % depth_out);
        edges.need(&mut b, (Pipe::V, Pipe::Mte2, i));
        b.plain(Data::CopyIn { dst: input(i), blocks: bytes / 32 });
        edges.now(&mut b, (Pipe::Mte2, Pipe::V, i));
        for step in 0..steps {
            let (from, last) = (if step == 0 { input(i) } else { scratch + step * bytes }, step + 1 == steps);
            if step > 0 || tile > 0 {
                b.barrier(Pipe::V);
            }
            if last {
                edges.need(&mut b, (Pipe::Mte3, Pipe::V, o));
            }
            let dst = if last { output(o) } else { scratch + (step + 1) * bytes };
            b.plain(Data::Add { dst, a: from, b: from, repeats });
            if step == 0 {
                edges.later(&mut b, (Pipe::V, Pipe::Mte2, i), tile + depth_in < tiles);
            }
        }
        edges.now(&mut b, (Pipe::V, Pipe::Mte3, o));
        b.plain(Data::CopyOut { src: output(o), blocks: bytes / 32 });
        edges.later(&mut b, (Pipe::Mte3, Pipe::V, o), tile + depth_out < tiles);
    }
    b.program
}

/// Tiles of a product: L1, L0A and L0B in turn, a sum in L0C, out through FIX.
pub fn product(random: &mut Random) -> Program {
    let mut b = Builder { program: Program { cube: true, ..Program::default() }, ..Builder::default() };
    let (tiles, steps) = (1 + random.below(3), 1 + random.below(4));
    let (depth1, depth0, depth_c) = (1 + random.below(2), 1 + random.below(2), 1 + random.below(2));
    let deep = 1 + random.below(3);
    let bytes = 512 * deep;
    let (total, mut edges) = (tiles * steps, Edges::default());
    for n in 0..total {
        let (tile, step, l1, l0) = (n / steps, n % steps, n % depth1, n % depth0);
        let c = tile % depth_c;
        let (a1, b1) = (l1 * 2 * bytes, l1 * 2 * bytes + bytes);
        edges.need(&mut b, (Pipe::Mte1, Pipe::Mte2, l1));
        b.plain(Data::ToL1 { dst: a1, blocks: bytes / 32 });
        b.plain(Data::ToL1 { dst: b1, blocks: bytes / 32 });
        edges.now(&mut b, (Pipe::Mte2, Pipe::Mte1, l1));
        edges.need(&mut b, (Pipe::M, Pipe::Mte1, l0));
        b.plain(Data::ToL0 { space: Space::L0a, dst: l0 * bytes, src: a1, fractals: deep });
        b.plain(Data::ToL0 { space: Space::L0b, dst: l0 * bytes, src: b1, fractals: deep });
        edges.later(&mut b, (Pipe::Mte1, Pipe::Mte2, l1), n + depth1 < total);
        edges.now(&mut b, (Pipe::Mte1, Pipe::M, l0));
        if step == 0 {
            edges.need(&mut b, (Pipe::Fix, Pipe::M, c));
        } else {
            b.barrier(Pipe::M);
        }
        b.plain(Data::Mad { c: 1024 * c, a: l0 * bytes, b: l0 * bytes, depth: deep, from_zero: step == 0 });
        edges.later(&mut b, (Pipe::M, Pipe::Mte1, l0), n + depth0 < total);
        if step + 1 == steps {
            edges.now(&mut b, (Pipe::M, Pipe::Fix, c));
            b.plain(Data::Fix { src: 1024 * c });
            edges.later(&mut b, (Pipe::Fix, Pipe::M, c), tile + depth_c < tiles);
        }
    }
    b.program
}

type Edge = (Pipe, Pipe, u64);

/// Flags whose set comes some iterations before their wait.
#[derive(Default)]
struct Edges(std::collections::HashMap<(u32, u32, u64), usize>);

impl Edges {
    fn key(edge: Edge) -> (u32, u32, u64) {
        (edge.0 as u32, edge.1 as u32, edge.2)
    }
    /// Waits for what `later` has set, if it has.
    fn need(&mut self, b: &mut Builder, edge: Edge) {
        if let Some(set) = self.0.remove(&Edges::key(edge)) {
            let wait = b.wait(edge.0, edge.1, edge.2);
            b.program.units.push(vec![set, wait]);
        }
    }
    /// Sets it for an iteration to come, if there is one.
    fn later(&mut self, b: &mut Builder, edge: Edge, comes: bool) {
        if comes {
            let set = b.set(edge.0, edge.1, edge.2);
            self.0.insert(Edges::key(edge), set);
        }
    }
    fn now(&mut self, b: &mut Builder, edge: Edge) {
        b.flag(edge.0, edge.1, edge.2);
    }
}

/// One piece of order of `right` changed; how. The program's flags stay paired. `None`: it cannot be done there.
pub fn break_it(right: &Program, random: &mut Random) -> Option<(Program, &'static str)> {
    if right.units.is_empty() {
        return None;
    }
    let unit = right.units[random.below(right.units.len() as u64) as usize].clone();
    let mut wrong = right.clone();
    wrong.units.clear();
    let how = match (random.below(5), unit.as_slice()) {
        (2, &[set, wait]) => {
            other_pipes(&mut wrong, set, wait, random)?;
            "other pipes"
        }
        (3, &[set, _]) => {
            moved(&mut wrong, set, -1, random)?;
            "set too early"
        }
        (4, &[_, wait]) => {
            moved(&mut wrong, wait, 1, random)?;
            "wait too late"
        }
        _ => {
            for at in unit.iter().rev() {
                wrong.steps.remove(*at);
            }
            "left out"
        }
    };
    flags_alternate(&wrong).then_some((wrong, how))
}

fn other_pipes(wrong: &mut Program, set: usize, wait: usize, random: &mut Random) -> Option<()> {
    let Step::Set(from, to, id) = wrong.steps[set] else { return None };
    let pipes: &[Pipe] = if wrong.cube {
        &[Pipe::Mte1, Pipe::Mte2, Pipe::M, Pipe::Fix]
    } else {
        &[Pipe::S, Pipe::V, Pipe::Mte2, Pipe::Mte3]
    };
    let other = random.pick(pipes);
    let (from, to) = if random.one_in(2) { (other, to) } else { (from, other) };
    if from == to {
        return None;
    }
    wrong.steps[set] = Step::Set(from, to, id);
    wrong.steps[wait] = Step::Wait(from, to, id);
    Some(())
}

/// Moves a step over the next few steps in a direction.
fn moved(wrong: &mut Program, at: usize, by: i64, random: &mut Random) -> Option<()> {
    let far = by * (1 + random.below(6) as i64);
    let to = usize::try_from(at as i64 + far).ok().filter(|to| *to < wrong.steps.len())?;
    let step = wrong.steps.remove(at);
    wrong.steps.insert(to, step);
    Some(())
}

/// Every flag is set, waited for, set, waited for, in the order of the source.
fn flags_alternate(program: &Program) -> bool {
    let mut set = std::collections::HashSet::new();
    let in_turn = program.steps.iter().all(|step| match *step {
        Step::Set(from, to, id) => set.insert((from as u32, to as u32, id)),
        Step::Wait(from, to, id) => set.remove(&(from as u32, to as u32, id)),
        _ => true,
    });
    in_turn && set.is_empty()
}
