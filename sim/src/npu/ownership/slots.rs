//! The buffers a kernel has and whose each 32-byte block of a local memory is.
//!
//! ```text
//!            AllocTensor          EnQue            DeQue
//!   Free ───────────────▶ Taken ────────▶ Enqueued ────────▶ Taken
//!    ▲                      │  FreeTensor                      │
//!    └──────────────────────┴──────────────────────────────────┘      TBuf: Idle ──first Get──▶ Taken
//! ```

use super::placed::Cover;
use crate::findings::catalogue::Entry;
use crate::npu::pipes::Frames;
use std::ops::Range;
use toprope_abi::core_face::SPACE_SHIFT;
use toprope_abi::fwk::TPosition;
use toprope_abi::fwk::target::que_binding;
use toprope_abi::isa::Space;

/// Bytes of a block of the map.
const BLOCK: u32 = 32;

/// How far a buffer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A TBuf that gave out no tensor.
    Idle,
    /// In its queue's store.
    Free,
    /// In the kernel's hand: between AllocTensor or DeQue and EnQue or FreeTensor; a TBuf in use.
    Taken,
    /// In its queue.
    Enqueued,
    /// Its pipe was reset or destroyed, or its pool.
    Gone,
}

/// A queue operation; the number in the annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Alloc = 0,
    Enque = 1,
    Deque = 2,
    Free = 3,
}

impl Step {
    /// The step with this number.
    pub fn from_number(number: u64) -> Option<Step> {
        [Step::Alloc, Step::Enque, Step::Deque, Step::Free].get(number as usize).copied()
    }
}

/// One buffer of a queue, or a TBuf.
#[derive(Clone, Debug)]
pub struct Slot {
    pub space: Space,
    pub start: u32,
    pub end: u32,
    /// Address of its queue or TBuf.
    pub object: u64,
    /// Its number among the buffers of its queue, and how many there are.
    pub number: (u32, u32),
    /// Positions of producer and consumer; a TBuf has one.
    pub positions: (u8, u8),
    pub is_queue: bool,
    /// The kernel said where it lies.
    pub is_placed: bool,
    /// Other buffers, or a tensor made from an address, lie on some of its bytes.
    pub is_shared: bool,
    /// A tensor made from an address lies on some of its bytes.
    pub is_under: bool,
    /// What such a tensor has written there.
    pub cover: Option<Cover>,
    pub state: State,
    /// Return addresses of InitBuffer, and of the last of each [`Step`].
    pub init: Frames,
    pub at: [Frames; 4],
    /// What took it away, once [`State::Gone`]: words and return addresses.
    pub gone: (&'static str, Frames),
    /// AllocTensor calls so far.
    pub allocations: u32,
    /// Slots of the pipes that produce and consume, while enqueued, and the last instruction of the producer before EnQue.
    pub pipes: (usize, usize),
    pub produced: u32,
    /// A finding was made of this step of the tensor: what follows from it is not reported again.
    pub is_told: bool,
    /// A tensor of the same queue ran over this one while it was free: its slot and AllocTensor count there, and where.
    pub overrun: Option<(usize, u32, Frames)>,
}

impl Slot {
    /// Memory of one buffer that nobody has taken yet.
    pub fn new(space: Space, bytes: Range<u32>, object: u64) -> Slot {
        Slot {
            space,
            start: bytes.start,
            end: bytes.end,
            object,
            number: (0, 1),
            positions: (0, 0),
            is_queue: false,
            is_placed: false,
            is_shared: false,
            is_under: false,
            cover: None,
            state: State::Free,
            init: [0; 4],
            at: [[0; 4]; 4],
            gone: ("", [0; 4]),
            allocations: 0,
            pipes: (0, 0),
            produced: 0,
            is_told: false,
            overrun: None,
        }
    }

    /// What it belongs to: `TQue<VECIN>`.
    pub fn name(&self) -> String {
        name_of(self.is_queue, self.positions)
    }

    /// Position of its tensors.
    pub fn position(&self) -> u8 {
        held_at(self.positions)
    }

    /// Whether the kernel may use its bytes now.
    #[inline]
    pub fn is_in_hand(&self) -> bool {
        self.state == State::Taken
    }

    /// Whether somebody may still need what is in it.
    pub fn is_live(&self) -> bool {
        matches!(self.state, State::Taken | State::Enqueued)
    }

    pub fn overlaps(&self, space: Space, bytes: &Range<u32>) -> bool {
        self.space == space && self.start < bytes.end && bytes.start < self.end
    }

    pub fn holds(&self, space: Space, byte: u32) -> bool {
        self.space == space && (self.start..self.end).contains(&byte)
    }
}

/// Name of a position as the kernel writes it: `VECIN`.
pub fn position_name(number: u8) -> &'static str {
    TPosition::from_number(u32::from(number)).map_or("?", TPosition::name)
}

/// Position where a queue from `src` to `dst` has its buffers: the destination, unless that is in GM.
fn held_at((src, dst): (u8, u8)) -> u8 {
    if [TPosition::Gm as u8, TPosition::Co2 as u8].contains(&dst) { src } else { dst }
}

/// `TQue<VECIN>`, `TQueBind<VECIN, VECOUT>`, `TBuf<VECCALC>`.
pub fn name_of(is_queue: bool, positions: (u8, u8)) -> String {
    let held = held_at(positions);
    let name = position_name(held);
    let binding = TPosition::from_number(u32::from(held)).map(que_binding);
    match binding {
        _ if !is_queue => format!("TBuf<{name}>"),
        Some((src, dst)) if (src as u8, dst as u8) == positions => format!("TQue<{name}>"),
        _ => format!("TQueBind<{}, {}>", position_name(positions.0), position_name(positions.1)),
    }
}

/// A tensor that the kernel made from an offset, or memory given out by an allocator that knows no TPipe.
#[derive(Clone, Debug)]
pub struct Placed {
    pub space: Space,
    pub bytes: Range<u32>,
    pub name: String,
    pub frames: Frames,
    /// What is said when a buffer in use lies on its bytes; nothing for what TPipe gives out itself.
    pub warning: Option<&'static Entry>,
}

/// More placed tensors than this in one memory: none of its bytes is judged any more.
const MOST_PLACED: usize = 256;

/// The buffers of a core.
#[derive(Debug, Default)]
pub struct Slots {
    pub all: Vec<Slot>,
    pub placed: Vec<Placed>,
    /// Per memory and block of 32 bytes, number of its latest slot plus 1; empty until the memory has a buffer.
    map: [Vec<u16>; 8],
}

impl Slots {
    /// Nothing has a buffer.
    pub fn clear(&mut self) {
        if !self.all.is_empty() {
            self.map.iter_mut().for_each(Vec::clear);
            self.all.clear();
        }
        self.placed.clear();
    }

    /// Whether no buffer was announced.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The latest slot that holds a byte.
    #[inline]
    pub fn at(&self, space: Space, byte: u32) -> Option<usize> {
        let number = *self.map[space as usize].get((byte / BLOCK) as usize)?;
        (number != 0).then(|| usize::from(number) - 1)
    }

    /// Adds a slot.
    pub fn add(&mut self, mut slot: Slot) {
        let number = self.all.len() + 1;
        if number > usize::from(u16::MAX) || slot.start >= slot.end || slot.end > 1 << SPACE_SHIFT {
            return;
        }
        let bytes = slot.start..slot.end;
        for other in &mut self.all {
            if other.state != State::Gone && other.overlaps(slot.space, &bytes) {
                (other.is_shared, slot.is_shared) = (true, true);
            }
        }
        slot.is_under = self.is_placed(slot.space, &bytes);
        slot.is_shared |= slot.is_under;
        let map = &mut self.map[slot.space as usize];
        let blocks = (slot.start / BLOCK) as usize..slot.end.div_ceil(BLOCK) as usize;
        if map.len() < blocks.end {
            map.resize(blocks.end, 0);
        }
        map[blocks].fill(number as u16);
        self.all.push(slot);
    }

    /// Everything that lives is gone: `why` at `frames`. What was gone before is forgotten.
    pub fn end_all(&mut self, why: &'static str, frames: Frames) {
        self.all.retain(|s| s.state != State::Gone);
        self.end(why, frames, |_| true);
        self.draw();
        self.placed.clear();
    }

    /// The slots that `is_meant` picks are gone.
    pub fn end(&mut self, why: &'static str, frames: Frames, is_meant: impl Fn(&Slot) -> bool) {
        for slot in self.all.iter_mut().filter(|s| s.state != State::Gone && is_meant(s)) {
            (slot.state, slot.gone) = (State::Gone, (why, frames));
        }
    }

    fn draw(&mut self) {
        self.map.iter_mut().for_each(|m| m.fill(0));
        for (i, slot) in self.all.iter().enumerate() {
            let blocks = (slot.start / BLOCK) as usize..slot.end.div_ceil(BLOCK) as usize;
            self.map[slot.space as usize][blocks].fill(i as u16 + 1);
        }
    }

    /// Whether a tensor made from an offset lies on some of `bytes`.
    pub fn is_placed(&self, space: Space, bytes: &Range<u32>) -> bool {
        self.placed.len() >= MOST_PLACED
            || self
                .placed
                .iter()
                .any(|p| p.space == space && p.bytes.start < bytes.end && bytes.start < p.bytes.end)
    }

    /// Notes a tensor made from an offset; `false` if it was known.
    pub fn place(&mut self, placed: Placed) -> bool {
        let same = |p: &Placed| p.space == placed.space && p.bytes == placed.bytes;
        if self.placed.len() >= MOST_PLACED || self.placed.iter().any(same) {
            return false;
        }
        for slot in self.all.iter_mut().filter(|s| s.overlaps(placed.space, &placed.bytes)) {
            (slot.is_shared, slot.is_under) = (true, true);
        }
        self.placed.push(placed);
        true
    }

    /// The slot of a queue operation: the buffer of `object` at these bytes.
    pub fn of(&self, object: u64, space: Space, start: u32) -> Option<usize> {
        let is = |s: &Slot| s.object == object && s.space == space && s.start == start;
        match self.at(space, start) {
            Some(i) if is(&self.all[i]) => Some(i),
            _ => self.all.iter().rposition(is),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(start: u32, end: u32, object: u64) -> Slot {
        Slot { positions: (0, 9), is_queue: true, ..Slot::new(Space::Ub, start..end, object) }
    }

    #[test]
    fn bytes_have_their_latest_owner() {
        let mut slots = Slots::default();
        slots.add(slot(0, 64, 1));
        slots.add(slot(64, 128, 1));
        slots.add(slot(96, 160, 2));
        let at = |s: &Slots, byte| s.at(Space::Ub, byte);
        assert_eq!(
            [at(&slots, 63), at(&slots, 64), at(&slots, 96), at(&slots, 160)],
            [Some(0), Some(1), Some(2), None]
        );
        let shared: Vec<bool> = slots.all.iter().map(|s| s.is_shared).collect();
        assert_eq!(shared, [false, true, true]);
        assert_eq!((slots.of(1, Space::Ub, 64), slots.of(3, Space::Ub, 64)), (Some(1), None));
        assert_eq!(slots.at(Space::L1, 0), None);
    }

    #[test]
    fn what_ended_is_known_until_the_next_end() {
        let mut slots = Slots::default();
        slots.add(slot(0, 64, 1));
        slots.end_all("TPipe::Reset", [7, 0, 0, 0]);
        slots.add(slot(0, 32, 2));
        assert_eq!(slots.all.iter().map(|s| s.is_shared).collect::<Vec<_>>(), [false, false]);
        assert_eq!((slots.at(Space::Ub, 0), slots.at(Space::Ub, 32)), (Some(1), Some(0)));
        slots.end_all("TPipe::Destroy", [8, 0, 0, 0]);
        assert_eq!((slots.all.len(), slots.at(Space::Ub, 32), slots.at(Space::Ub, 0)), (1, None, Some(0)));
        assert_eq!(slots.all[0].gone, ("TPipe::Destroy", [8, 0, 0, 0]));
    }

    #[test]
    fn a_tensor_made_from_an_offset_marks_what_it_lies_on() {
        let mut slots = Slots::default();
        slots.add(slot(0, 64, 1));
        slots.add(slot(64, 128, 1));
        let placed =
            |bytes| Placed { space: Space::Ub, bytes, name: String::new(), frames: [0; 4], warning: None };
        assert!(slots.place(placed(32..64)) && !slots.place(placed(32..64)));
        assert_eq!(slots.all.iter().map(|s| s.is_shared).collect::<Vec<_>>(), [true, false]);
        assert!(slots.is_placed(Space::Ub, &(0..33)) && !slots.is_placed(Space::Ub, &(64..96)));
    }
}
