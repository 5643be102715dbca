//! Copies: bursts, byte-granular copies with padding, atomics to GM.
//!
//! - Gap 0 on both sides makes one `memcpy`; otherwise one per burst, in ascending order. Bursts of a
//!   UB → UB copy that overlap behave as if each burst were read whole before it is written.
//! - Padding copy GM → UB: a burst becomes `left pad | data | right pad`, rounded up to 32 bytes. With no
//!   padding asked for, the bytes up to 32 repeat the *first element of that burst*; with padding, pads and
//!   rounding are the pad value register. (The API leaves the pad bytes undefined where no value was set.)
//! - UB → GM in bytes drops the tail; a burst in UB starts at a multiple of 32 bytes.
//! - With atomics on, a copy to GM is `atomic`'s.
//!
//! Unsafe room: raw copies of checked footprints.
#![allow(unsafe_code)]

use super::access::{BurstShape, Shape};
use super::{Decoded, PipeState};
use std::ptr;

fn ends(d: &Decoded) -> (*mut u8, BurstShape, *const u8, BurstShape) {
    let pointer = |i: usize| ptr::with_exposed_provenance_mut::<u8>(d.accesses[i].addr as usize);
    match (d.accesses[0].shape, d.accesses[1].shape) {
        (Shape::Bursts(to), Shape::Bursts(from)) => (pointer(0), to, pointer(1).cast_const(), from),
        _ => unreachable!("copies have burst shapes"),
    }
}

/// Bursts of equal length on both sides.
///
/// # Safety
/// As [`super::execute`].
pub(super) unsafe fn plain(d: &Decoded, _: &mut PipeState) {
    let (to, ts, from, fs) = ends(d);
    let len = ts.len_bytes as usize;
    if ts.is_contiguous() && fs.is_contiguous() {
        // SAFETY: both sides are one contiguous checked footprint of `count * len` bytes.
        unsafe { ptr::copy(from, to, ts.count as usize * len) };
        return;
    }
    for i in 0..ts.count {
        let (f, t) =
            (from.wrapping_add(fs.burst(i).start as usize), to.wrapping_add(ts.burst(i).start as usize));
        // SAFETY: burst `i` of both sides is inside the checked footprint.
        unsafe { ptr::copy(f, t, len) };
    }
}

/// GM → UB with padding.
///
/// # Safety
/// As [`super::execute`].
pub(super) unsafe fn padded(d: &Decoded, _: &mut PipeState) {
    let (to, ts, from, fs) = ends(d);
    let element = (d.row.dst.bits() / 8) as usize;
    let [left, right] = d.env.pads_bytes.map(usize::from);
    let (len, total) = (fs.len_bytes as usize, ts.len_bytes as usize);
    let mut filler = d.env.value.to_le_bytes();
    for i in 0..ts.count {
        let (f, t) =
            (from.wrapping_add(fs.burst(i).start as usize), to.wrapping_add(ts.burst(i).start as usize));
        // SAFETY: burst `i` of both sides is inside the checked footprint; GM and UB are different memories.
        unsafe { ptr::copy_nonoverlapping(f, t.wrapping_add(left), len) };
        if left + right == 0 {
            // SAFETY: a burst has at least one element.
            unsafe { ptr::copy_nonoverlapping(f, filler.as_mut_ptr(), element) };
        }
        let fill = |start: usize, end: usize| {
            for at in (start..end).step_by(element) {
                // SAFETY: [start, end) is inside the destination burst, a multiple of the element size long.
                unsafe { ptr::copy_nonoverlapping(filler.as_ptr(), t.wrapping_add(at), element) };
            }
        };
        fill(0, left);
        fill(left + len, total);
    }
}
