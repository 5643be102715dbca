//! The protocol: what the kernel side tells of pipes, queues, TBufs and pools, step by step.

use super::slots::{Placed, Slot, State, Step, name_of, position_name};
use crate::findings::catalogue::{self as c, Entry};
use crate::npu::clock::{SLOT_PIPES, SLOTS};
use crate::npu::core::{BufferNote, Core};
use crate::npu::pipes::Frames;
use crate::npu::services::note_frames;
use std::sync::LazyLock;
use toprope_abi::core_face::Annotation;
use toprope_abi::fwk::HardEvent;
use toprope_abi::isa::{SPACES, Space};

/// Tensors of one position that may be live at a time (A2, A3; the first generation had 4).
pub const MOST_LIVE: usize = 8;

/// Who makes a tensor from an offset, by its number: what it is called, and what is said of it on a buffer in use.
static MAKERS: [(&str, Option<&Entry>); 3] = [
    ("LocalTensor", Some(&c::PLACED_OVERLAP)),
    ("a tensor of GetAbsAddr or PopStackBuffer", None),
    ("the reserved part of UB", Some(&c::RESERVED_UB)),
];

/// Kinds of objects in [`Annotation::Reserved`].
mod kind {
    pub const QUEUE: u64 = 0;
    pub const POOL: u64 = 2;
    pub const PLACED: u64 = 16;
}

/// Slots of the pipes that set and wait for each event.
static EVENT_PIPES: LazyLock<[(usize, usize); 64]> = LazyLock::new(|| {
    let slot = |name: &str| (0..SLOTS).find(|s| SLOT_PIPES[*s].name() == name).unwrap_or(0);
    std::array::from_fn(|event| {
        let event = HardEvent::from_number(event as u32);
        let pipes = event.and_then(|e| e.name().split_once('_'));
        pipes.map_or((0, 0), |(src, dst)| (slot(src), slot(dst)))
    })
});

fn space_of(number: u64) -> Option<Space> {
    SPACES.get(number as usize).map(|s| s.0).filter(|s| *s != Space::Gm)
}

impl Core {
    /// What the kernel side tells of buffers and tensors.
    pub(in crate::npu) fn note(&mut self, what: u32, text: &str, [a, b, c, d]: [u64; 4]) {
        let is = |annotation: Annotation| what == annotation as u32;
        if is(Annotation::QueueOp) {
            self.note_step(a, b as u32, d);
        } else if is(Annotation::Reserved) {
            self.note_reserved(a, b as u32, c as u32, d);
        } else if is(Annotation::Buffer) {
            self.note_buffer(a, b, c, text.to_owned());
            self.note_placed(a, b, c, text, None);
        } else if is(Annotation::LocalTensor) {
            let (name, warning) = MAKERS[(d as usize).min(2)];
            self.note_placed(a, b, c, name, warning);
        } else if is(Annotation::Pipe) {
            self.note_pipe(a, b);
        } else if is(Annotation::PoolReset) {
            self.note_pool_reset(b, c as u32, d as u32);
        } else if is(Annotation::ResetBuffers) {
            self.buffers.clear();
        } else if is(Annotation::GmTensor) {
            self.notes_tensor(a, b);
        } else if is(Annotation::GmStray) {
            self.notes_stray(a, b);
        } else if is(Annotation::SyncAll) {
            self.notes_sync_all(a != 0);
        } else if is(Annotation::RawPointer) {
            self.taint_raw(a..a.saturating_add(b));
        }
    }

    fn note_buffer(&mut self, space: u64, offset: u64, bytes: u64, name: String) {
        let frames = self.quick_frames().iter().copied().filter(|f| *f != 0).collect();
        self.buffers.push(BufferNote { space, offset, bytes, name, frames });
    }

    /// Memory for a queue, TBuf or pool.
    fn note_reserved(&mut self, what: u64, start: u32, bytes: u32, object: u64) {
        let (kind, num) = (what >> 8 & 255, (what >> 32) as u32);
        let positions = ((what >> 16) as u8, (what >> 24) as u8);
        let (is_queue, is_placed) = (kind & 15 == kind::QUEUE, kind & kind::PLACED != 0);
        let Some(space) = space_of(what & 255) else { return };
        let name = if kind & 15 == kind::POOL {
            format!("TBufPool<{}>", position_name(positions.0))
        } else {
            let name = name_of(is_queue, positions);
            if is_queue { format!("{name}, {num} x {bytes}") } else { name }
        };
        self.note_buffer(what & 255, u64::from(start), u64::from(bytes) * u64::from(num), name);
        if kind & 15 == kind::POOL {
            return;
        }
        let init = self.quick_frames();
        for i in 0..num {
            let start = start + i * bytes;
            let end = start + bytes;
            self.owners.slots.add(Slot {
                number: (i, num),
                positions,
                is_queue,
                is_placed,
                state: if is_queue { State::Free } else { State::Idle },
                init,
                ..Slot::new(space, start..end, object)
            });
        }
    }

    /// AllocTensor, EnQue, DeQue or FreeTensor was done.
    fn note_step(&mut self, what: u64, start: u32, object: u64) {
        let (Some(step), Some(space)) = (Step::from_number(what >> 8 & 255), space_of(what & 255)) else {
            return;
        };
        let Some(index) = self.owners.slots.of(object, space, start) else { return };
        let slot = &mut self.owners.slots.all[index];
        if slot.state == State::Gone {
            self.stale_queue(index, step);
            return;
        }
        let pcs = [self.face.api_pc, self.face.pc];
        note_frames(pcs, self.frame, &self.stack, &mut slot.at[step as usize]);
        match step {
            Step::Alloc => {
                slot.state = State::Taken;
                slot.allocations += 1;
                (slot.is_told, slot.cover) = (false, None);
                self.check_taken(index);
            }
            Step::Enque => {
                slot.state = State::Enqueued;
                slot.pipes = EVENT_PIPES[(what >> 16 & 63) as usize];
                slot.produced = self.clocks.count(slot.pipes.0);
            }
            Step::Deque => slot.state = State::Taken,
            Step::Free => slot.state = State::Free,
        }
    }

    /// What AllocTensor must not meet: bytes that are live, and too many tensors.
    #[inline]
    fn check_taken(&mut self, index: usize) {
        let slots = &mut self.owners.slots;
        if let Some((from, allocations, frames)) = slots.all[index].overrun.take() {
            let by = &slots.all[from];
            if by.is_live() && by.allocations == allocations {
                self.taken_under_overrun(index, from, frames);
            }
        }
        let slots = &self.owners.slots;
        if slots.all[index].is_shared {
            self.check_shared(index);
            self.check_under_placed(index);
        }
        let slots = &self.owners.slots;
        if slots.all.len() > MOST_LIVE {
            let position = slots.all[index].position();
            let live = |s: &&Slot| s.is_queue && s.is_live() && s.position() == position;
            if slots.all.iter().filter(live).count() > MOST_LIVE {
                self.too_many_live(position);
            }
        }
    }

    /// A tensor of one pool is taken while one of another pool has the bytes.
    fn check_shared(&mut self, index: usize) {
        let slots = &self.owners.slots.all;
        let slot = &slots[index];
        let bytes = slot.start..slot.end;
        let other = slots.iter().position(|s| {
            s.object != slot.object
                && s.is_queue
                && s.is_live()
                && !s.is_placed
                && !slot.is_placed
                && s.overlaps(slot.space, &bytes)
        });
        if let Some(other) = other {
            self.taken_twice(index, other);
        }
    }

    fn note_pipe(&mut self, event: u64, pipe: u64) {
        let frames = self.quick_frames();
        match event {
            0 => {
                self.buffers.clear();
                self.owners.pipe = Some((pipe, frames));
            }
            1 => {
                self.check_left();
                self.buffers.clear();
                self.owners.slots.end_all("TPipe::Reset", frames);
            }
            _ => {
                self.check_left();
                self.owners.slots.end_all("the end of the TPipe", frames);
                self.owners.pipe = None;
            }
        }
    }

    fn note_pool_reset(&mut self, space: u64, start: u32, bytes: u32) {
        let Some(space) = space_of(space) else { return };
        let frames = self.quick_frames();
        let held = start..start + bytes;
        for index in 0..self.owners.slots.all.len() {
            let s = &self.owners.slots.all[index];
            let inside = s.space == space && held.contains(&s.start) && s.is_queue && s.is_live();
            if inside && !s.is_shared && !s.is_told {
                self.left_over(index);
            }
        }
        let slots = &mut self.owners.slots;
        let inside =
            |s: &Slot| s.space == space && held.contains(&s.start) && s.end <= held.end && !s.is_shared;
        slots.end("Reset of its TBufPool", frames, inside);
    }

    fn note_placed(
        &mut self,
        space: u64,
        offset: u64,
        bytes: u64,
        name: &str,
        warning: Option<&'static Entry>,
    ) {
        let Some(space) = space_of(space) else { return };
        if bytes == 0 || offset + bytes > u64::from(u32::MAX) {
            return;
        }
        let bytes = offset as u32..(offset + bytes) as u32;
        let frames = self.quick_frames();
        let placed = Placed { space, bytes: bytes.clone(), name: name.to_owned(), frames, warning };
        let (true, Some(warning)) = (self.owners.slots.place(placed), warning) else { return };
        // On a buffer that nobody has taken it may lie on purpose: the kernel reserved the room for it.
        let hit = |s: &Slot| s.allocations > 0 && s.state != State::Gone && s.overlaps(space, &bytes);
        if let Some(index) = self.owners.slots.all.iter().position(|s| !s.is_placed && hit(s)) {
            self.placed_on_buffer(warning, index, &bytes, &frames);
        }
    }

    /// A buffer is taken on which a tensor made from an offset lies.
    fn check_under_placed(&mut self, index: usize) {
        let slots = &self.owners.slots;
        let slot = &slots.all[index];
        let on = |p: &&Placed| p.warning.is_some() && slot.overlaps(p.space, &p.bytes);
        let placed = slots.placed.iter().find(on).filter(|_| !slot.is_placed && slot.allocations == 1);
        if let Some((p, warning)) = placed.and_then(|p| Some((p, p.warning?))) {
            let (bytes, frames) = (p.bytes.clone(), p.frames);
            self.placed_on_buffer(warning, index, &bytes, &frames);
        }
    }

    /// Tensors that are still out when their pipe ends.
    pub(in crate::npu) fn check_left(&mut self) {
        for index in 0..self.owners.slots.all.len() {
            let slot = &self.owners.slots.all[index];
            if slot.is_queue && slot.is_live() && !slot.is_told {
                self.left_over(index);
            }
        }
    }
}

/// Return addresses without the filling.
pub fn trimmed(frames: &Frames) -> Vec<u64> {
    frames.iter().copied().filter(|f| *f != 0).collect()
}
