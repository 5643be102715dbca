//! What a program orders, by sets: for each point the set of instructions that are complete there, closed under what follows.
//!
//! Written from the guide on synchronisation inside a core, not from the engine's clocks: a pipe starts its instructions in
//! order and completes them in any; a set fires when all of its pipe so far is complete; a wait holds its pipe, and the scalar
//! unit's holds the issue; a barrier holds its pipe.

use crate::program::{Data, Program, Step, Touch, line};
use std::collections::HashMap;
use toprope_abi::isa::Pipe;

/// A set of steps, by number.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Steps([u64; 4]);

impl Steps {
    fn with(mut self, step: usize) -> Steps {
        self.0[step / 64] |= 1 << (step % 64);
        self
    }
    pub fn has(&self, step: usize) -> bool {
        self.0[step / 64] >> (step % 64) & 1 == 1
    }
    fn add(&mut self, other: Steps) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }
}

/// What is known where, while a program is walked.
#[derive(Clone, Default)]
pub struct Order {
    /// Complete when the next instruction is issued.
    issue: Steps,
    /// Per pipe: complete when its next instruction starts.
    front: [Steps; 16],
    /// Per pipe: complete when all of it so far is.
    done: [Steps; 16],
    messages: HashMap<(u32, u32, u64), Steps>,
}

impl Order {
    /// Walks over step number `at`; what is complete when it starts.
    pub fn step(&mut self, at: usize, step: &Step) -> Steps {
        match *step {
            Step::Data(data) => self.data(at, &data),
            Step::Set(from, to, id) => {
                let mut message = self.start(from, at);
                message.add(self.done[from as usize]);
                self.messages.insert((from as u32, to as u32, id), message);
                message
            }
            Step::Wait(from, to, id) => {
                let message = self.messages.remove(&(from as u32, to as u32, id)).unwrap_or_default();
                let mut start = self.start(to, at);
                start.add(message);
                self.passes(to, start);
                self.done[to as usize].add(start.with(at));
                if to == Pipe::S {
                    self.issue.add(start.with(at));
                }
                start
            }
            Step::Barrier(Pipe::All) => {
                let parts = [self.front, self.done];
                parts.iter().flatten().for_each(|s| self.issue.add(*s));
                self.issue
            }
            Step::Barrier(pipe) => {
                let mut start = self.start(pipe, at);
                start.add(self.done[pipe as usize]);
                self.passes(pipe, start);
                start
            }
        }
    }

    fn data(&mut self, at: usize, data: &Data) -> Steps {
        let (pipe, mut start) = (data.pipe(), self.start(data.pipe(), at));
        let complete = start.with(at);
        match data {
            // Done before anything is issued behind it; stores before it may still be under way.
            Data::Load { .. } => self.issue.add(complete),
            _ => self.done[pipe as usize].add(complete),
        }
        if pipe == Pipe::S {
            // The scalar unit does its own work in order.
            start.add(self.done[0]);
        }
        start
    }

    /// What is complete when the next step of `pipe` starts.
    fn start(&mut self, pipe: Pipe, _at: usize) -> Steps {
        let mut start = self.issue;
        if pipe != Pipe::S {
            start.add(self.front[pipe as usize]);
            self.front[pipe as usize] = start;
        }
        start
    }

    /// Forgets what a pipe did itself, for a probe of what its next instruction knows.
    pub fn forget_done(&mut self, pipe: Pipe) {
        self.done[pipe as usize] = Steps::default();
    }

    fn passes(&mut self, pipe: Pipe, start: Steps) {
        self.front[pipe as usize].add(start);
    }
}

/// What is to be said of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that conflicts is ordered.
    Ordered,
    /// These two steps conflict, and nothing orders them.
    Race(usize, usize),
}

/// Whether step `j` has to be ordered behind step `i`: they conflict, and are not two copies that one source line makes.
fn must_order((i, a): (usize, &Data), (j, b): (usize, &Data)) -> bool {
    let is_one_place = a.pipe() == b.pipe() && a.is_copy() && line(i) == line(j);
    !is_one_place && conflict(a, b)
}

/// Whether `a` and the later `b` conflict.
pub fn conflict(a: &Data, b: &Data) -> bool {
    let (before, after) = (a.touches(), b.touches());
    let overlap = |first: bool, second: bool| {
        let meets = |x: &&Touch| {
            let same =
                |y: &&Touch| x.space == y.space && x.first < y.end && y.first < x.end && y.write == second;
            after.iter().any(|y| same(&y))
        };
        before.iter().any(|x| x.write == first && meets(&x))
    };
    let (after_write, after_read) = (overlap(true, true) || overlap(true, false), overlap(false, true));
    if a.pipe() == b.pipe() {
        // A pipe starts in order: it has read before the next instruction writes. The scalar unit and FIX finish in order, too.
        return after_write && !matches!(a.pipe(), Pipe::S | Pipe::Fix);
    }
    after_write || after_read
}

/// Judges a program.
pub fn judge(program: &Program) -> Verdict {
    let (mut order, mut before) = (Order::default(), Vec::<(usize, Data)>::new());
    for (at, step) in program.steps.iter().enumerate() {
        let known = order.step(at, step);
        let Step::Data(data) = step else { continue };
        let unordered =
            |(i, earlier): &&(usize, Data)| !known.has(*i) && must_order((*i, earlier), (at, data));
        if let Some((i, _)) = before.iter().find(unordered) {
            return Verdict::Race(*i, at);
        }
        before.push((at, *data));
    }
    Verdict::Ordered
}
