//! Walks a vector instruction as runs of elements that are contiguous in every operand.
//!
//! Unsafe room: this module turns checked addresses into pointers and calls lane functions on them.
#![allow(unsafe_code)]

use super::access::{Access, Shape, VectorShape};
use super::{Decoded, ExecFault, PipeState};
use std::ptr;

/// Computes a decoded instruction.
///
/// # Safety
/// Every byte of every access ([`Decoded::accesses`], also its extent's interior as far as the shape touches
/// it) must be mapped, readable, and writable where the access writes. Memory may be shared with other
/// threads that do the same; such races give unspecified bytes (the simulated kernel's race), so no Rust
/// reference to that memory may be alive.
#[inline]
pub unsafe fn execute(d: &Decoded, state: &mut PipeState) {
    if d.access_count == 0 {
        return;
    }
    // SAFETY: `run` was chosen by the decoder for these accesses; the caller vouches for the memory.
    unsafe { (d.run)(d, state) }
}

/// Calls `f` with the footprints of a decoded instruction that are only known when it executes.
///
/// # Errors
/// What is wrong with the data that says where they are.
///
/// # Safety
/// As [`execute`], for what the instruction reads.
pub unsafe fn more_accesses(
    d: &Decoded,
    state: &PipeState,
    f: &mut dyn FnMut(Access),
) -> Result<(), ExecFault> {
    match d.more {
        // SAFETY: `more` was chosen by the decoder for these accesses; the caller vouches for the memory.
        Some(more) => unsafe { more(d, state, f) },
        None => Ok(()),
    }
}

/// Pointers and shapes of up to three operands.
struct Operands {
    base: [*mut u8; 3],
    shape: [VectorShape; 3],
    count: usize,
}

impl Operands {
    fn new(d: &Decoded) -> Operands {
        let Shape::Vector(first) = d.accesses[0].shape else {
            unreachable!("vector instructions have vector shapes")
        };
        let mut o = Operands { base: [ptr::null_mut(); 3], shape: [first; 3], count: d.accesses().len() };
        for (i, a) in d.accesses().iter().enumerate() {
            o.base[i] = pointer(a);
            if let Shape::Vector(s) = a.shape {
                o.shape[i] = s;
            }
        }
        o
    }

    /// Pointer of operand `i` at element `e` of repeat `r`.
    #[inline]
    fn at(&self, i: usize, r: u32, e: u64) -> *mut u8 {
        if i >= self.count {
            return ptr::null_mut();
        }
        let s = &self.shape[i];
        self.base[i]
            .wrapping_add((u64::from(r) * u64::from(s.repeat_stride_bytes) + s.element_offset(e)) as usize)
    }

    /// Elements up to which runs are contiguous in every operand: the whole repeat or one block of the
    /// widest type.
    fn cut(&self) -> u64 {
        let used = &self.shape[..self.count];
        if used.iter().all(|s| s.block_stride_bytes == 32) {
            return 1 << 40;
        }
        used.iter().map(VectorShape::elements_per_block).min().unwrap_or(1)
    }
}

fn pointer(a: &Access) -> *mut u8 {
    ptr::with_exposed_provenance_mut(a.addr as usize)
}

/// Runs a vector instruction.
///
/// # Safety
/// As [`execute`].
pub(super) unsafe fn vector(d: &Decoded, _: &mut PipeState) {
    let [dst, src0, src1] = &d.accesses;
    if d.whole != 0 {
        // SAFETY: all operands are contiguous (`whole`), so the run is exactly the checked footprint.
        unsafe { (d.lane)(pointer(dst), pointer(src0), pointer(src1), d.whole as usize, &d.env) };
        return;
    }
    let o = Operands::new(d);
    let cut = o.cut();
    for r in 0..o.shape[0].repeats {
        o.shape[0].for_each_run(r, cut, |e, n| {
            // SAFETY: the run lies inside the checked footprint of every operand.
            unsafe { (d.lane)(o.at(0, r, e), o.at(1, r, e), o.at(2, r, e), n as usize, &d.env) };
        });
    }
}

/// Runs a conversion whose operands overlap: each repeat is computed aside, then written.
///
/// # Safety
/// As [`execute`].
#[cold]
pub(super) unsafe fn vector_buffered(d: &Decoded, _: &mut PipeState) {
    let o = Operands::new(d);
    let cut = o.shape[..o.count].iter().map(VectorShape::elements_per_block).min().unwrap_or(1);
    let bits = u64::from(o.shape[0].element_bits);
    // A repeat has at most 128 elements of at most 8 bytes.
    let mut aside = [0u8; 1024];
    for r in 0..o.shape[0].repeats {
        o.shape[0].for_each_run(r, cut, |e, n| {
            let out = aside[(e * bits / 8) as usize..].as_mut_ptr();
            // SAFETY: sources as in `vector`; `aside` holds a whole repeat.
            unsafe { (d.lane)(out, o.at(1, r, e), o.at(2, r, e), n as usize, &d.env) };
        });
        o.shape[0].for_each_run(r, cut, |e, n| {
            let from = &aside[(e * bits / 8) as usize..((e + n) * bits / 8) as usize];
            // SAFETY: the run lies inside the checked footprint of the destination.
            unsafe { ptr::copy_nonoverlapping(from.as_ptr(), o.at(0, r, e), from.len()) };
        });
    }
}

/// Runs `Brcb`: 8 elements to 8 blocks per repeat.
///
/// # Safety
/// As [`execute`].
pub(super) unsafe fn brcb(d: &Decoded, _: &mut PipeState) {
    let Shape::Vector(dst) = d.accesses[0].shape else { unreachable!("Brcb writes blocks") };
    let (to, from) = (pointer(&d.accesses[0]), pointer(&d.accesses[1]));
    let bytes = (dst.element_bits / 8) as usize;
    for i in 0..u64::from(dst.repeats) * 8 {
        let offset =
            (i / 8) * u64::from(dst.repeat_stride_bytes) + (i % 8) * u64::from(dst.block_stride_bytes);
        let mut block = [0u8; 32];
        // SAFETY: element `i` is inside the checked source footprint (8 elements per repeat).
        unsafe { ptr::copy_nonoverlapping(from.wrapping_add(i as usize * bytes), block.as_mut_ptr(), bytes) };
        let (element, rest) = block.split_at_mut(bytes);
        rest.chunks_exact_mut(bytes).for_each(|c| c.copy_from_slice(element));
        // SAFETY: the block is inside the checked destination footprint.
        unsafe { ptr::copy_nonoverlapping(block.as_ptr(), to.wrapping_add(offset as usize), 32) };
    }
}
