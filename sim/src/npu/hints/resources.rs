//! Hints about what a kernel has asked for: queues with several buffers that bring nothing, event ids that run out, and ids that are others'.
//!
//! Two buffers let the pipe that fills one work while another pipe works on the other. Whether the two ever worked at the same time is seen
//! from the spans in which each was busy; if they did not, in no core of the launch, the second buffer is memory for nothing, and what is told
//! is what full overlap would win. Event ids that are set at the same time are counted per pair of pipes, whoever took them.
//!
//! Not looked at: kernels that manage their buffers themselves; which of several causes keeps the pipes apart.

use super::report::{LEAST_PERCENT, Time};
use super::{SCALAR, Uses};
use crate::findings::catalogue::{EVENT_BUDGET, IDLE_BUFFERS, RESERVED_EVENT};
use crate::findings::{Detail, Draft, symbols};
use crate::npu::clock::SLOTS;
use crate::npu::core::Core;
use crate::npu::pipes::Frames;
use std::collections::BTreeMap;

/// Event ids per pair of pipes.
const IDS: u32 = 8;
/// Ids of a pair set at the same time from which the pair is told.
const NEARLY_ALL: u32 = 7;
/// First of the ids that the compiler and the library take for themselves.
const FIRST_RESERVED: usize = 6;
/// Spans that are kept per pipe; a core with more gets no hint about its queues.
const MOST_SPANS: usize = 1 << 20;
/// Share of the shorter work that may overlap and still count as none.
const OVERLAP_PERCENT: u64 = 1;

/// When each pipe was busy.
#[derive(Debug, Default)]
pub struct Busy {
    /// Spans in cycles, in order, not touching.
    spans: [Vec<(u64, u64)>; SLOTS],
    full: bool,
}

impl Busy {
    /// Pipe `slot` works from `start` to `end`.
    pub fn note(&mut self, slot: usize, start: u64, end: u64) {
        let spans = &mut self.spans[slot];
        let count = spans.len();
        match spans.last_mut() {
            Some(last) if last.1 >= start => last.1 = last.1.max(end),
            _ if start == end => {}
            _ if count >= MOST_SPANS => self.full = true,
            _ => spans.push((start, end)),
        }
    }

    fn total(&self, slot: usize) -> u64 {
        self.spans[slot].iter().map(|(start, end)| end - start).sum()
    }

    /// Cycles in which both work.
    fn both(&self, a: usize, b: usize) -> u64 {
        let (mut left, mut right) = (self.spans[a].iter().peekable(), self.spans[b].iter().peekable());
        let mut sum = 0;
        while let (Some(l), Some(r)) = (left.peek(), right.peek()) {
            sum += l.1.min(r.1).saturating_sub(l.0.max(r.0));
            if l.1 < r.1 {
                left.next()
            } else {
                right.next()
            };
        }
        sum
    }
}

/// A queue with more than one buffer, on one core or all.
#[derive(Clone, Debug)]
pub struct QueueUse {
    /// Return addresses of its InitBuffer, and what it is.
    pub init: Frames,
    pub name: String,
    pub buffers: u32,
    /// Slots of the pipes that fill and empty it.
    pub pipes: (usize, usize),
    /// Cycles of each, and of both at the same time.
    pub cycles: (u64, u64),
    pub both: u64,
}

/// Event ids that a core has used.
#[derive(Debug, Default, Clone)]
pub struct Ids {
    /// Per pair (source × slots + destination), the most ids that were set at the same time.
    pub most: Vec<u32>,
    /// Reserved ids that a kernel without TPipe has set: pair and id, and the address of the call.
    pub reserved: BTreeMap<(usize, usize), u64>,
}

impl Ids {
    fn note(&mut self, pair: usize, (id, set): (usize, u32), pc: u64, has_pipe: bool) {
        self.most.resize(SLOTS * SLOTS, 0);
        self.most[pair] = self.most[pair].max(set);
        if id >= FIRST_RESERVED && !has_pipe {
            self.reserved.entry((pair, id)).or_insert(pc);
        }
    }
}

impl Core {
    /// An instruction occupies its pipe.
    #[inline]
    pub(in crate::npu) fn hint_busy(&mut self, slot: usize, start: u64, end: u64) {
        if let Some(hints) = &mut self.hints {
            hints.busy.note(slot, start, end);
        }
    }

    /// Id `id` from `src` to `dst` is set at `pc`, as one of `set`.
    #[inline]
    pub(in crate::npu) fn hint_flag(&mut self, (src, dst): (usize, usize), (id, set): (usize, u32), pc: u64) {
        let has_pipe = self.owners.has_pipe();
        if let Some(hints) = &mut self.hints {
            hints.ids.note(src * SLOTS + dst, (id, set), pc, has_pipe);
        }
    }

    /// What became of the queues with several buffers.
    pub(super) fn queue_uses(&self) -> Vec<QueueUse> {
        let Some(hints) = self.hints.as_deref().filter(|h| !h.busy.full) else { return Vec::new() };
        let queues = self.owners.queues_in_turn();
        let measured = queues.map(|(init, name, buffers, pipes)| QueueUse {
            init,
            name,
            buffers,
            pipes,
            cycles: (hints.busy.total(pipes.0), hints.busy.total(pipes.1)),
            both: hints.busy.both(pipes.0, pipes.1),
        });
        measured.collect()
    }
}

/// The hints of a launch.
pub(super) fn drafts(cores: &[Box<Uses>], time: &Time) -> Vec<Draft> {
    let mut all: Vec<Draft> = idle_buffers(cores, time);
    let mut most = vec![0_u32; SLOTS * SLOTS];
    let mut reserved = BTreeMap::new();
    for ids in cores.iter().map(|c| &c.ids) {
        most.iter_mut().zip(&ids.most).for_each(|(sum, one)| *sum = (*one).max(*sum));
        reserved.extend(ids.reserved.iter().map(|(k, v)| (*k, *v)));
    }
    all.extend(most.into_iter().enumerate().filter(|(_, count)| *count >= NEARLY_ALL).map(budget));
    all.extend(reserved.into_iter().filter_map(reserved_id));
    all
}

fn pair_name(pair: usize) -> String {
    format!("{}_{}", Core::pipe_name(pair / SLOTS), Core::pipe_name(pair % SLOTS))
}

fn budget((pair, count): (usize, u32)) -> Draft {
    let values = [("pair", pair_name(pair)), ("count", count.to_string()), ("all", IDS.to_string())];
    Draft::new(&EVENT_BUDGET, &values)
}

fn reserved_id(((pair, id), pc): ((usize, usize), u64)) -> Option<Draft> {
    // From or to the scalar unit the library's own code sets them.
    let by_hand =
        symbols::place_and_api(&[pc]).1.is_some_and(|api| super::report::APIS.contains(&api.as_str()));
    if !by_hand || pair / SLOTS == SCALAR {
        return None;
    }
    let mut draft = Draft::new(&RESERVED_EVENT, &[("pair", pair_name(pair)), ("id", id.to_string())]);
    draft.frames = vec![pc];
    Some(draft)
}

fn idle_buffers(cores: &[Box<Uses>], time: &Time) -> Vec<Draft> {
    let mut queues: BTreeMap<u64, QueueUse> = BTreeMap::new();
    for one in cores.iter().flat_map(|c| &c.queues) {
        queues
            .entry(one.init[0])
            .and_modify(|sum| {
                sum.cycles = (sum.cycles.0 + one.cycles.0, sum.cycles.1 + one.cycles.1);
                sum.both += one.both;
            })
            .or_insert_with(|| one.clone());
    }
    queues.into_values().filter_map(|q| idle_buffer(&q, time)).collect()
}

fn idle_buffer(queue: &QueueUse, time: &Time) -> Option<Draft> {
    let shorter = queue.cycles.0.min(queue.cycles.1);
    if queue.both * 100 > shorter * OVERLAP_PERCENT || time.percent(shorter) < LEAST_PERCENT {
        return None;
    }
    let (fills, empties) = (Core::pipe_name(queue.pipes.0), Core::pipe_name(queue.pipes.1));
    let values = [
        ("count", queue.buffers.to_string()),
        ("queue", format!("{{{}}}", queue.name)),
        ("fills", fills.to_owned()),
        ("empties", empties.to_owned()),
    ];
    let mut draft = Draft::new(&IDLE_BUFFERS, &values);
    draft.frames = queue.init.iter().copied().filter(|f| *f != 0).collect();
    draft.owners = vec![draft.frames.clone()];
    let per_core = |cycles: u64| time.per_core(cycles);
    draft.details.push(Detail::Text(format!(
        "{fills} works {:.0} cycles per core, {empties} {:.0}, {:.0} of them at the same time",
        per_core(queue.cycles.0),
        per_core(queue.cycles.1),
        per_core(queue.both)
    )));
    draft.details.push(Detail::Text(format!("side by side they would save at most {}", time.won(shorter))));
    Some(draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join_and_meet() {
        let mut busy = Busy::default();
        for (start, end) in [(0, 10), (10, 20), (30, 40), (35, 38)] {
            busy.note(4, start, end);
        }
        [(15, 32), (50, 60)].iter().for_each(|(s, e)| busy.note(1, *s, *e));
        assert_eq!((busy.total(4), busy.total(1), busy.both(4, 1), busy.both(1, 4)), (30, 27, 7, 7));
        assert_eq!(busy.spans[4].len(), 2);
        assert_eq!(busy.both(4, 5), 0);
    }
}
