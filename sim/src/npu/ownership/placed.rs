//! Tensors made from an address on top of buffers that are in use: whether one destroys what the other needs.
//!
//! That they lie on each other is a warning: a kernel may use them by turns. It is an error when data of a buffer is overwritten through such a
//! tensor and read afterwards. An access does not say which tensor it came through, so both have to be plain from their bytes:
//!
//! | | is told |
//! |---|---|
//! | the write | starts in the placed tensor and fits it, and the buffer is in its queue, or does not hold all of the write |
//! | the read | the buffer holds all of it, the placed tensor does not; or the buffer was in its queue at the write, and has been dequeued since |
//!
//! What is written in between takes the bytes off again, through whichever of the two. Not told: both of the same bytes, used by turns by accesses
//! that fit both.

use super::accesses::Touch;
use super::slots::State;
use crate::npu::core::Core;
use crate::npu::pipes::Frames;
use std::ops::Range;
use toprope_abi::isa::Space;

/// Bytes of a buffer that were written through a tensor made from an address.
#[derive(Clone, Debug)]
pub struct Cover {
    /// Bytes of the memory.
    pub bytes: Range<u32>,
    /// The buffer was in its queue.
    pub enqueued: bool,
    /// Return addresses of the instruction, and of the tensor.
    pub at: Frames,
    pub made: Frames,
}

fn overlap(a: &Range<u32>, b: &Range<u32>) -> Range<u32> {
    a.start.max(b.start)..a.end.min(b.end)
}

impl Core {
    /// An access on memory where tensors made from addresses lie on buffers.
    #[cold]
    #[inline(never)]
    pub(super) fn follow_placed(&mut self, touch: &Touch<'_>) {
        let bytes = touch.bytes.0..touch.bytes.1;
        let slots = &self.owners.slots;
        let fits = |p: &&super::slots::Placed| {
            let holds = p.space == touch.space && p.bytes.contains(&touch.first);
            p.warning.is_some() && holds && bytes.end <= p.bytes.end
        };
        let made = slots.placed.iter().find(fits).map(|p| p.frames);
        for index in 0..self.owners.slots.all.len() {
            let slot = &self.owners.slots.all[index];
            if !slot.is_under || !slot.is_live() || !slot.overlaps(touch.space, &bytes) {
                continue;
            }
            let enqueued = slot.state == State::Enqueued;
            let fits_slot = slot.holds(touch.space, touch.first) && bytes.end <= slot.end;
            let common = overlap(&bytes, &(slot.start..slot.end));
            match (touch.write, made) {
                (true, Some(made)) if enqueued || !fits_slot => {
                    let at = self.quick_frames();
                    let cover = Cover { bytes: common, enqueued, at, made };
                    self.owners.slots.all[index].cover = Some(cover);
                }
                (true, _) => self.uncover(index, &common),
                (false, _) => {
                    let Some(cover) = slot.cover.clone().filter(|c| !overlap(&c.bytes, &common).is_empty())
                    else {
                        continue;
                    };
                    if cover.enqueued && !enqueued || fits_slot && made.is_none() {
                        self.owners.slots.all[index].cover = None;
                        self.overwritten_by_placed(index, touch, &cover);
                    }
                }
            }
        }
    }

    /// Bytes of a buffer are written anew.
    fn uncover(&mut self, index: usize, bytes: &Range<u32>) {
        let cover = &mut self.owners.slots.all[index].cover;
        if let Some(c) = cover {
            // The larger rest is kept.
            let rests =
                [c.bytes.start..c.bytes.end.min(bytes.start), c.bytes.start.max(bytes.end)..c.bytes.end];
            let rest = rests.into_iter().max_by_key(|r| r.end.saturating_sub(r.start)).unwrap_or_default();
            match rest.is_empty() {
                true => *cover = None,
                false => c.bytes = rest,
            }
        }
    }

    /// Whether an access may be one on bytes of a placed tensor and a buffer.
    #[inline]
    pub(super) fn is_near_placed(&self, space: Space, bytes: &Range<u32>) -> bool {
        !self.owners.slots.placed.is_empty() && self.owners.slots.is_placed(space, bytes)
    }
}
