//! Accesses of one core to GM that its own pipes may not know to be complete.
//!
//! An access is dropped as soon as every pipe knows that it is complete, so what is kept is what is in flight. A pipe that nobody
//! ever waits for keeps everything: what continues each other is joined, and beyond [`MOST_RECENT`] the oldest are forgotten.

use super::log::Class;
use super::runs::Runs;
use crate::npu::order::foreign::PARTS;
use std::collections::VecDeque;
use std::ops::Range;

/// Accesses kept per part.
const MOST_RECENT: usize = 256;

/// An access, or several that continue each other.
#[derive(Clone, Copy, Debug)]
pub struct Recent {
    pub runs: Runs,
    pub first: u32,
    pub last: u32,
    pub class: Class,
    /// Place and how often it had run.
    pub at: (u32, u32),
    messages: u32,
}

/// What is in flight, by part.
#[derive(Debug, Default)]
pub struct Near([VecDeque<Recent>; PARTS]);

impl Near {
    /// Calls `f` with accesses of `part` that conflict with one that knows the first `known` of its instructions, and the bytes.
    #[inline]
    pub fn conflicts(
        &self,
        part: usize,
        known: u32,
        runs: &Runs,
        class: Class,
        mut f: impl FnMut(&Recent, Range<u64>),
    ) {
        let recent = &self.0[part];
        // Joined over a number that is known: which bytes are unknown cannot be told. First numbers ascend.
        let unknown = recent.partition_point(|r| r.first <= known);
        for r in recent.range(unknown..) {
            if !r.class.conflicts(class) {
                continue;
            }
            if let Some(bytes) = r.runs.overlap(runs) {
                f(r, bytes);
            }
        }
    }

    /// Notes an access of `part`. `settled`: what every pipe knows of the part; `messages`: flags it has set so far.
    #[inline]
    pub fn push(
        &mut self,
        part: usize,
        settled: u32,
        messages: u32,
        (runs, class): (Runs, Class),
        number: u32,
        at: (u32, u32),
    ) {
        let recent = &mut self.0[part];
        while recent.front().is_some_and(|r| r.last <= settled) {
            recent.pop_front();
        }
        let many = recent.len() > MOST_RECENT / 2;
        let joins = |r: &mut Recent| {
            let same = r.class == class && r.at.0 == at.0 && (r.messages == messages || many);
            same && r.runs.join(&runs)
        };
        if let Some(r) = recent.iter_mut().rev().take(4).find_map(|r| joins(r).then_some(r)) {
            r.last = number;
            return;
        }
        if recent.len() >= MOST_RECENT {
            recent.pop_front();
        }
        recent.push_back(Recent { runs, first: number, last: number, class, at, messages });
    }

    /// Whether nothing of `part` is in flight.
    #[inline]
    pub fn is_empty(&self, part: usize) -> bool {
        self.0[part].is_empty()
    }
}
