//! The findings of the protocol and of ownership, in words.

use super::accesses::{Hit, Touch, is_new, verb};
use super::placed::Cover;
use super::slots::{Placed, Slot, State, Step, position_name};
use super::steps::{MOST_LIVE, trimmed};
use crate::findings::catalogue::{self as c, Entry};
use crate::findings::{Detail, Draft};
use crate::npu::core::Core;
use std::ops::Range;
use toprope_abi::fwk::FwkError;
use toprope_abi::isa::{CoreKind, SPACES, Space};

const STEPS: [(Step, &str); 4] = [
    (Step::Alloc, "AllocTensor"),
    (Step::Enque, "EnQue"),
    (Step::Deque, "DeQue"),
    (Step::Free, "FreeTensor"),
];

/// `UB 0x400..0x800`.
fn span(space: Space, bytes: &Range<u32>) -> String {
    format!("{} {:#x}..{:#x}", SPACES[space as usize].1, bytes.start, bytes.end)
}

/// What a buffer is, with its bytes and the place of its InitBuffer; `{…}` becomes the name in that line.
fn owner_line(what: &str, slot: &Slot) -> Detail {
    let number = match slot.number {
        (_, 1) => String::new(),
        (i, n) => format!("buffer {i} of {n} of "),
    };
    let bytes = span(slot.space, &(slot.start..slot.end));
    Detail::At(format!("{what}: {number}{{{}}}, {bytes}, InitBuffer", slot.name()), trimmed(&slot.init))
}

/// Where the tensor has been since it was last taken from its queue.
fn step_lines(slot: &Slot) -> Vec<Detail> {
    let mut steps: Vec<Detail> = Vec::new();
    let until = match slot.state {
        State::Free => 4,
        State::Enqueued => 2,
        _ => 1,
    };
    for (step, name) in STEPS.iter().take(until) {
        let frames = trimmed(&slot.at[*step as usize]);
        let is_open = slot.state == State::Enqueued && *step == Step::Deque;
        if !frames.is_empty() && !is_open {
            steps.push(Detail::At(name.to_string(), frames));
        }
    }
    steps
}

/// A buffer's queue in a title: the draft's `owners` say where its name is.
fn named(slot: &Slot) -> String {
    format!("{{{}}}", slot.name())
}

/// Where the names of the queues in a title are.
fn names(slots: &[&Slot]) -> Vec<Vec<u64>> {
    slots.iter().map(|s| trimmed(&s.init)).collect()
}

impl Core {
    /// A draft at the place of the call in progress, unless the place has one of this kind.
    fn news(&mut self, entry: &'static Entry, values: &[(&str, String)]) -> Option<Draft> {
        let (here, pc) = (self.here(), self.face.pc);
        if !self.owners.is_news(entry, here, pc) {
            return None;
        }
        let mut draft = Draft::new(entry, values);
        draft.frames = self.frames();
        Some(draft)
    }

    fn touch_values(&self, slot: &Slot, touch: &Touch<'_>) -> [(&'static str, String); 3] {
        [("op", touch.op.to_owned()), ("verb", verb(touch.write).to_owned()), ("queue", named(slot))]
    }

    /// Adds who touches what, and files the draft.
    fn file_touch(&mut self, draft: Option<Draft>, index: usize, touch: &Touch<'_>, more: Vec<Detail>) {
        let Some(mut draft) = draft else { return };
        let bytes = span(touch.space, &(touch.bytes.0..touch.bytes.1));
        draft.op = Some(touch.op);
        if draft.owners.is_empty() {
            draft.owners = names(&[&self.owners.slots.all[index]]);
        }
        draft.details.push(Detail::Text(format!("access: {bytes}, pipe {}", Core::pipe_name(touch.pipe))));
        draft.details.push(owner_line("tensor", &self.owners.slots.all[index]));
        draft.details.extend(more);
        self.record(draft, false);
    }

    pub(super) fn report_enqueued(&mut self, index: usize, touch: &Touch<'_>, ordered: bool) {
        let entry = if ordered && !touch.write { &c::USE_ENQUEUED_ORDERED } else { &c::USE_ENQUEUED };
        self.owners.slots.all[index].is_told = true;
        self.tell_flag(index);
        let slot = &self.owners.slots.all[index];
        let values = self.touch_values(slot, touch);
        let (producer, consumer) = (Core::pipe_name(slot.pipes.0), Core::pipe_name(slot.pipes.1));
        let mut more = step_lines(slot);
        let bytes = format!("bytes {:#x}..{:#x}", touch.bytes.0, touch.bytes.1);
        let text = match (touch.write, ordered) {
            (false, true) => None,
            (false, false) => Some(format!(
                "consequence: {} of {bytes} on pipe {} is not ordered after the write of pipe {producer}: DeQue would wait for flag {producer}_{consumer}",
                verb(false).trim_end_matches('s'),
                Core::pipe_name(touch.pipe),
            )),
            (true, _) => {
                Some(format!("consequence: what DeQue gives to pipe {consumer} may be overwritten, {bytes}"))
            }
        };
        more.extend(text.map(Detail::Text));
        let draft = self.news(entry, &values);
        self.file_touch(draft, index, touch, more);
    }

    /// Use of a buffer that is free, or gone with its pipe or pool.
    pub(super) fn used_out_of_hand(&mut self, index: usize, touch: &Touch<'_>) {
        self.owners.slots.all[index].is_told = true;
        let slot = &self.owners.slots.all[index];
        let base = self.touch_values(slot, touch);
        let mut more = step_lines(slot);
        let (entry, state) = match slot.state {
            State::Gone => {
                more.push(Detail::At(slot.gone.0.to_owned(), trimmed(&slot.gone.1)));
                (&c::USE_GONE, format!("after {}", slot.gone.0))
            }
            _ if is_new(slot) => (&c::USE_FREE, "that AllocTensor has not given out".to_owned()),
            _ => (&c::USE_FREE, "after FreeTensor".to_owned()),
        };
        let values: Vec<_> = base.into_iter().chain([("state", state)]).collect();
        let draft = self.news(entry, &values);
        self.file_touch(draft, index, touch, more);
    }

    pub(super) fn report_overrun(&mut self, index: usize, touch: &Touch<'_>, hit: Hit, bytes: &Range<u32>) {
        let (entry, victim) = match (hit, touch.write) {
            (Hit::Used(i), true) => (&c::OVERRUN, Some(i)),
            (Hit::Used(i), false) => (&c::OVERRUN_READ, Some(i)),
            (Hit::Unused(i), true) => (&c::OVERRUN_UNUSED, Some(i)),
            (Hit::Nothing, true) => (&c::OVERRUN_UNUSED, None),
            (_, false) => return,
        };
        let slot = &self.owners.slots.all[index];
        let mut values = self.touch_values(slot, touch).to_vec();
        let into = victim.map_or("no buffer".to_owned(), |i| {
            let other = &self.owners.slots.all[i];
            if other.object == slot.object {
                "the next buffer of the same queue".to_owned()
            } else {
                named(other)
            }
        });
        let owners = names(
            &[Some(slot), victim.map(|i| &self.owners.slots.all[i])]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>(),
        );
        values.push(("beyond", (touch.bytes.1 - slot.end).to_string()));
        values.push(("into", into));
        let mut more = Vec::new();
        if let Some(i) = victim {
            let other = &self.owners.slots.all[i];
            more.push(owner_line(if touch.write { "hits" } else { "read" }, other));
            more.extend(step_lines(other));
        }
        more.push(Detail::Text(format!("beyond: {}", span(touch.space, bytes))));
        let (length, room) = (touch.bytes.1 - touch.first, slot.end - touch.first);
        more.push(Detail::Text(format!("asked: {length} bytes from the operand on, its buffer has {room}")));
        more.extend(self.unit_hint(length, room));
        let draft = self.news(entry, &values).map(|d| Draft { owners, ..d });
        self.file_touch(draft, index, touch, more);
    }

    /// Whose an operand is that starts at byte `first` of a memory and ends behind it: the tensor, what it needs, what there is.
    pub(in crate::npu) fn room_lines(&self, space: Space, first: u32, end: u32) -> Vec<Detail> {
        let limit = self.region.bytes(space);
        let mut lines = Vec::new();
        let slots = &self.owners.slots;
        let too_long = |p: &&Placed| p.space == space && p.bytes.end > limit && p.bytes.contains(&first);
        if let Some(p) = slots.placed.iter().rev().find(too_long) {
            let bytes = p.bytes.end - p.bytes.start;
            let text = format!(
                "tensor: {}, needs {bytes} bytes from {:#x} on, {} has {limit}, made",
                p.name, p.bytes.start, SPACES[space as usize].1
            );
            lines.push(Detail::At(text, trimmed(&p.frames)));
        } else if let Some(slot) = slots.at(space, first).map(|i| &slots.all[i]) {
            lines.push(owner_line("tensor", slot));
            lines.extend(self.unit_hint(end - first, slot.end.saturating_sub(first)));
        }
        if matches!(space, Space::L0a | Space::L0b) {
            lines.push(Detail::Text(format!(
                "room: a tile of {0} elements of 2 bytes ({1} with two slots), that is {2} fractals of 512 bytes; with K = 128 it is {3} x 128 ({4} x 128)",
                limit / 2,
                limit / 4,
                limit / 512,
                limit / 256,
                limit / 512,
            )));
        }
        lines
    }

    /// A length that would fit in another unit.
    fn unit_hint(&self, length: u32, room: u32) -> Option<Detail> {
        let factor = [32, 8, 4, 2].into_iter().find(|f| u64::from(room) * f == u64::from(length))?;
        let hint = match factor {
            32 => "exactly 32 times as long: is a byte count given where blocks of 32 bytes are meant?",
            8 => "exactly 8 times as long: is a count of bytes given where elements are meant?",
            4 => "exactly 4 times as long: is a count of bytes given where elements of 4 bytes are meant?",
            _ => "exactly twice as long: is a count of bytes given where elements of 2 bytes are meant?",
        };
        Some(Detail::Text(format!("did you mean: {hint}")))
    }

    /// AllocTensor gives a buffer that a live tensor of the same queue ran over.
    pub(super) fn taken_under_overrun(&mut self, index: usize, from: usize, at: super::Frames) {
        let slots = &self.owners.slots.all;
        let (slot, by) = (&slots[index], &slots[from]);
        let values = [
            ("op", "an access".to_owned()),
            ("verb", verb(true).to_owned()),
            ("queue", named(slot)),
            ("beyond", "some".to_owned()),
            ("into", "the next buffer of the same queue".to_owned()),
        ];
        let details = [
            owner_line("tensor", by),
            Detail::At("runs over its end".into(), trimmed(&at)),
            owner_line("hits", slot),
            Detail::Text("AllocTensor gives this buffer out while the longer tensor is live".into()),
        ];
        let owners = names(&[slot]);
        let Some(mut draft) = self.news(&c::OVERRUN, &values) else { return };
        draft.owners = owners;
        draft.details.extend(details);
        self.record(draft, false);
    }

    pub(super) fn taken_twice(&mut self, index: usize, other: usize) {
        let slots = &self.owners.slots.all;
        let (slot, held) = (&slots[index], &slots[other]);
        let (values, owners) = ([("queue", named(slot)), ("other", named(held))], names(&[slot, held]));
        let mut details = vec![owner_line("taken", slot), owner_line("live", held)];
        details.extend(step_lines(held));
        let Some(mut draft) = self.news(&c::POOL_IN_USE, &values) else { return };
        draft.owners = owners;
        draft.details.extend(details);
        self.record(draft, false);
    }

    pub(super) fn placed_on_buffer(
        &mut self,
        entry: &'static Entry,
        index: usize,
        bytes: &Range<u32>,
        made: &super::Frames,
    ) {
        let slot = &self.owners.slots.all[index];
        let values = [("bytes", span(slot.space, bytes)), ("queue", named(slot))];
        let owners = names(&[slot]);
        let mut details = vec![owner_line("buffer", slot)];
        let taken = if slot.is_queue { "AllocTensor" } else { "first Get" };
        details.push(Detail::At(taken.to_owned(), trimmed(&slot.at[Step::Alloc as usize])));
        if !self.owners.is_news(entry, made[0], 0) {
            return;
        }
        let mut draft = Draft::new(entry, &values);
        (draft.details, draft.owners) = (details, owners);
        draft.frames = trimmed(made);
        self.record(draft, false);
    }

    /// A buffer's data is read that a tensor made from an address has overwritten.
    pub(super) fn overwritten_by_placed(&mut self, index: usize, touch: &Touch<'_>, cover: &Cover) {
        let slot = &self.owners.slots.all[index];
        let values = self.touch_values(slot, touch);
        let mut more = step_lines(slot);
        let bytes = span(touch.space, &cover.bytes);
        more.push(Detail::At(format!("overwritten: {bytes},"), trimmed(&cover.at)));
        more.push(Detail::At("through the LocalTensor made".to_owned(), trimmed(&cover.made)));
        let draft = self.news(&c::PLACED_CONFLICT, &values);
        self.file_touch(draft, index, touch, more);
    }

    pub(super) fn too_many_live(&mut self, position: u8) {
        let live = |s: &&Slot| s.is_queue && s.is_live() && s.position() == position;
        let slots: Vec<&Slot> = self.owners.slots.all.iter().filter(live).collect();
        let values = [
            ("count", slots.len().to_string()),
            ("position", position_name(position).to_owned()),
            ("limit", MOST_LIVE.to_string()),
        ];
        let lines: Vec<Detail> = slots.iter().map(|s| self.live_line(s)).collect();
        let Some(mut draft) = self.news(&c::TOO_MANY_LIVE, &values) else { return };
        draft.details.extend(lines);
        self.record(draft, false);
    }

    fn live_line(&self, slot: &Slot) -> Detail {
        let state = if slot.state == State::Enqueued { "in the queue" } else { "in hand" };
        Detail::Named {
            text: format!("live: {{{}}}, {state}, AllocTensor", slot.name()),
            name: trimmed(&slot.init),
            at: trimmed(&slot.at[Step::Alloc as usize]),
        }
    }

    /// A queue is used whose pipe or pool is gone.
    pub(super) fn stale_queue(&mut self, index: usize, step: Step) {
        let object = self.owners.slots.all[index].object;
        if self.owners.slots.all[index].is_told {
            return;
        }
        // Once for the queue: its other steps and the use of its tensors follow.
        self.owners.slots.all.iter_mut().filter(|s| s.object == object).for_each(|s| s.is_told = true);
        let slot = &self.owners.slots.all[index];
        let values = [
            ("step", STEPS[step as usize].1.to_owned()),
            ("queue", named(slot)),
            ("why", slot.gone.0.to_owned()),
        ];
        let owners = names(&[slot]);
        let details = [owner_line("queue", slot), Detail::At(slot.gone.0.to_owned(), trimmed(&slot.gone.1))];
        let Some(mut draft) = self.news(&c::STALE_QUEUE, &values) else { return };
        draft.owners = owners;
        draft.details.extend(details);
        self.record(draft, false);
    }

    /// A tensor that is live when its pipe or pool ends.
    pub(super) fn left_over(&mut self, index: usize) {
        let slot = &mut self.owners.slots.all[index];
        slot.is_told = true;
        self.tell_flag(index);
        let slot = &self.owners.slots.all[index];
        let (state, missing) = match slot.state {
            State::Enqueued => ("still in its queue", "DeQue"),
            _ => ("not freed", "FreeTensor"),
        };
        let at = if slot.state == State::Enqueued { Step::Enque } else { Step::Alloc };
        let frames = trimmed(&slot.at[at as usize]);
        let slot = &self.owners.slots.all[index];
        let values = [("queue", named(slot)), ("state", state.to_owned()), ("missing", missing.to_owned())];
        let mut draft = Draft::new(&c::NOT_FREED, &values);
        draft.owners = names(&[slot]);
        draft.details.push(owner_line("tensor", slot));
        draft.details.extend(step_lines(slot));
        draft.frames = frames;
        self.record(draft, false);
    }

    /// Whether a flag that is still set is the one of a tensor that a finding says was never dequeued.
    pub(in crate::npu) fn is_flag_of_told(&self, pipes: (usize, usize), pc: u64) -> bool {
        self.owners.told_flags.contains(&(pipes, pc))
    }

    /// The flag of an enqueued tensor will be left set, which follows from what is reported of the tensor.
    fn tell_flag(&mut self, index: usize) {
        let slot = &self.owners.slots.all[index];
        if slot.state == State::Enqueued {
            self.owners.told_flags.push((slot.pipes, slot.at[Step::Enque as usize][0]));
        }
    }

    /// Whether what happens to these bytes follows from a misuse of their tensor that was reported.
    pub(in crate::npu) fn is_told_of(&self, space: Space, byte: u32) -> bool {
        self.owners.slots.at(space, byte).is_some_and(|i| self.owners.slots.all[i].is_told)
    }

    /// What a misuse that `device-lib` refused is about: the entry, and the steps that led to it.
    pub(in crate::npu) fn refused_step(&self, error: FwkError, object: u64) -> (&'static Entry, Vec<Detail>) {
        let slots = &self.owners.slots.all;
        let mine = || slots.iter().filter(move |s| s.object == object && s.state != State::Gone);
        let live = || mine().filter(|s| s.is_live()).map(|s| self.live_line(s));
        let queue = || mine().next().map(|s| owner_line("queue", s));
        match error {
            FwkError::NoFreeBuffer => (&c::QUEUE_EXHAUSTED, queue().into_iter().chain(live()).collect()),
            FwkError::QueueEmpty | FwkError::NullHead => {
                let mut lines: Vec<Detail> = queue().into_iter().chain(live()).collect();
                if mine().all(|s| s.at[Step::Enque as usize] == [0; 4]) {
                    lines.push(Detail::Text("nothing was ever enqueued in it".into()));
                }
                (&c::EMPTY_QUEUE, lines)
            }
            FwkError::BadEnqueState | FwkError::QueueFull => {
                let of =
                    |s: &Slot| [owner_line("tensor", s)].into_iter().chain(step_lines(s)).collect::<Vec<_>>();
                (&c::ENQUEUED_TWICE, mine().filter(|s| s.state == State::Enqueued).flat_map(of).collect())
            }
            FwkError::AlreadyFree | FwkError::FreeWhileEnqueued => {
                let wanted = if error == FwkError::AlreadyFree { State::Free } else { State::Enqueued };
                let of =
                    |s: &Slot| [owner_line("tensor", s)].into_iter().chain(step_lines(s)).collect::<Vec<_>>();
                let mut lines = mine().filter(|s| s.state == wanted && !is_new(s)).map(of);
                // Which buffer is meant is known only if there is one.
                let first = lines.next().unwrap_or_default();
                (&c::FREE, if lines.next().is_none() { first } else { queue().into_iter().collect() })
            }
            FwkError::ForeignBuffer => (&c::WRONG_QUEUE, queue().into_iter().collect()),
            FwkError::TensorLeaked => (&c::LEAK, Vec::new()),
            FwkError::PipeExists => {
                let first = self.owners.pipe.map(|(_, f)| Detail::At("first TPipe".into(), trimmed(&f)));
                let mut lines: Vec<Detail> = first.into_iter().collect();
                let twice = if self.kind == CoreKind::Aic {
                    ", and flags M_MTE1 0 to 2 would be set twice"
                } else {
                    ""
                };
                lines.push(Detail::Text(format!(
                    "consequence: both give out every memory from offset 0, so their buffers share bytes{twice}"
                )));
                (&c::TWO_PIPES, lines)
            }
            _ => (&c::FRAMEWORK, queue().into_iter().collect()),
        }
    }
}
