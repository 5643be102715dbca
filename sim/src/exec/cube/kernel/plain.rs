//! Kernels without CPU intrinsics: every machine's, and those of integers (which the compiler vectorises).
//!
//! Unsafe room: raw loads and stores on checked footprints.
#![allow(unsafe_code)]

use super::super::super::lane::note_overflow;
use super::{CELL, FRACTAL_BYTES, GROUPS, Start, Tile};
use std::ptr;

/// An element of A and B in memory, and the 32 bits it is computed in.
pub(in super::super) trait Element {
    const BITS: usize;
    /// Element `i` of what starts at `from`.
    ///
    /// # Safety
    /// The element must be readable.
    unsafe fn read(from: *const u8, i: usize) -> u32;
}

pub(in super::super) struct Half;
pub(in super::super) struct Brain;
pub(in super::super) struct Single;
/// float rounded to HF32; `TO_ZERO`: ties toward zero, else to even.
pub(in super::super) struct Hf32<const TO_ZERO: bool>;
pub(in super::super) struct Byte;
pub(in super::super) struct Nibble;

/// HF32 keeps 11 of the 23 fraction bits, rounded to nearest. Infinity and NaN stay what they are.
#[inline(always)]
pub(super) fn hf32<const TO_ZERO: bool>(bits: u32) -> u32 {
    const DROPPED: u32 = 12;
    let half = 1u32 << (DROPPED - 1);
    let up = if TO_ZERO { half - 1 } else { half - 1 + ((bits >> DROPPED) & 1) };
    let rounded = bits.wrapping_add(up) & !((1 << DROPPED) - 1);
    if bits & 0x7f80_0000 == 0x7f80_0000 { bits } else { rounded }
}

impl Element for Half {
    const BITS: usize = 16;
    #[inline(always)]
    unsafe fn read(from: *const u8, i: usize) -> u32 {
        // SAFETY: by contract.
        let raw = unsafe { ptr::read_unaligned(from.cast::<u16>().wrapping_add(i)) };
        half::f16::from_bits(raw).to_f32_const().to_bits()
    }
}

impl Element for Brain {
    const BITS: usize = 16;
    #[inline(always)]
    unsafe fn read(from: *const u8, i: usize) -> u32 {
        // SAFETY: by contract.
        let raw = unsafe { ptr::read_unaligned(from.cast::<u16>().wrapping_add(i)) };
        u32::from(raw) << 16
    }
}

impl Element for Single {
    const BITS: usize = 32;
    #[inline(always)]
    unsafe fn read(from: *const u8, i: usize) -> u32 {
        // SAFETY: by contract.
        unsafe { ptr::read_unaligned(from.cast::<u32>().wrapping_add(i)) }
    }
}

impl<const TO_ZERO: bool> Element for Hf32<TO_ZERO> {
    const BITS: usize = 32;
    #[inline(always)]
    unsafe fn read(from: *const u8, i: usize) -> u32 {
        // SAFETY: by contract.
        hf32::<TO_ZERO>(unsafe { ptr::read_unaligned(from.cast::<u32>().wrapping_add(i)) })
    }
}

impl Element for Byte {
    const BITS: usize = 8;
    #[inline(always)]
    unsafe fn read(from: *const u8, i: usize) -> u32 {
        // SAFETY: by contract.
        unsafe { *from.wrapping_add(i) as i8 as i32 as u32 }
    }
}

impl Element for Nibble {
    const BITS: usize = 4;
    #[inline(always)]
    unsafe fn read(from: *const u8, i: usize) -> u32 {
        // SAFETY: by contract; the low half comes first.
        let byte = unsafe { *from.wrapping_add(i / 2) };
        let nibble = if i.is_multiple_of(2) { byte << 4 } else { byte };
        (nibble as i8 >> 4) as i32 as u32
    }
}

/// Widens elements one by one.
///
/// # Safety
/// `count` elements must be readable, as many words writable.
#[inline(always)]
pub(in super::super) unsafe fn widen<E: Element>(from: *const u8, to: *mut u32, count: usize) {
    for i in 0..count {
        // SAFETY: by contract.
        let word = unsafe { E::read(from, i) };
        // SAFETY: by contract.
        unsafe { *to.wrapping_add(i) = word };
    }
}

/// Transposes a fractal of B element by element.
///
/// # Safety
/// The fractal must be readable, its depth of rows of `row` words from `to` writable.
#[inline(always)]
pub(in super::super) unsafe fn pack<E: Element>(from: *const u8, to: *mut u32, row: usize) {
    let k0 = FRACTAL_BYTES * 8 / E::BITS / CELL;
    for column in 0..CELL {
        for k in 0..k0 {
            // SAFETY: by contract.
            let word = unsafe { E::read(from, column * k0 + k) };
            // SAFETY: by contract.
            unsafe { *to.wrapping_add(k * row + column) = word };
        }
    }
}

/// How products are added.
pub(super) trait Arithmetic {
    fn add_product(a: u32, b: u32, c: u32) -> u32;
    fn finish<const CLAMP: bool>(c: u32) -> u32;
}

pub(super) struct Float;
pub(super) struct Integer;

/// Final form of a float of C: canonical NaN, or in saturation mode no NaN and no infinity.
#[inline(always)]
pub(super) fn settle<const CLAMP: bool>(bits: u32) -> u32 {
    let magnitude = bits & 0x7fff_ffff;
    if magnitude < 0x7f80_0000 {
        return bits;
    }
    match (CLAMP, magnitude == 0x7f80_0000) {
        (true, infinite) => {
            note_overflow();
            if infinite { bits - 1 } else { 0 }
        }
        (false, true) => bits,
        (false, false) => 0x7fc0_0000,
    }
}

impl Arithmetic for Float {
    #[inline(always)]
    fn add_product(a: u32, b: u32, c: u32) -> u32 {
        f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c)).to_bits()
    }
    #[inline(always)]
    fn finish<const CLAMP: bool>(c: u32) -> u32 {
        settle::<CLAMP>(c)
    }
}

impl Arithmetic for Integer {
    #[inline(always)]
    fn add_product(a: u32, b: u32, c: u32) -> u32 {
        a.wrapping_mul(b).wrapping_add(c)
    }
    #[inline(always)]
    fn finish<const CLAMP: bool>(c: u32) -> u32 {
        c
    }
}

/// One tile with plain code.
///
/// # Safety
/// The tile's rows, columns and depth must be valid in A, the panel and C.
#[inline(always)]
unsafe fn tile_of<M: Arithmetic, const R: usize, const G: usize>(t: &Tile) {
    let mut acc = [[[0u32; CELL]; GROUPS]; R];
    for (r, row) in acc.iter_mut().enumerate() {
        for (g, cell) in row.iter_mut().enumerate().take(G) {
            let from = match t.start {
                Start::Zero => continue,
                Start::Keep => t.c.wrapping_add(g * t.c_group + r * CELL).cast_const(),
                Start::Row(row) => row.wrapping_add(g * CELL),
            };
            // SAFETY: 16 columns of row `r` of C, or of the row it starts from.
            *cell = unsafe { ptr::read_unaligned(from.cast()) };
        }
    }
    for k in 0..t.k {
        let a_column = t.a.wrapping_add(k / t.k0 * t.a_step + k % t.k0);
        let b_row = t.b.wrapping_add(k * G * CELL);
        for g in 0..G {
            // SAFETY: row `k` of the panel.
            let b: [u32; CELL] = unsafe { ptr::read_unaligned(b_row.wrapping_add(g * CELL).cast()) };
            for (r, row) in acc.iter_mut().enumerate() {
                // SAFETY: row `r`, column `k` of A.
                let a = unsafe { *a_column.wrapping_add(r * t.a_row) };
                for j in 0..CELL {
                    row[g][j] = M::add_product(a, b[j], row[g][j]);
                }
            }
        }
    }
    for (r, row) in acc.iter().enumerate() {
        for (g, cell) in row.iter().enumerate().take(G) {
            let done = if t.clamp { cell.map(M::finish::<true>) } else { cell.map(M::finish::<false>) };
            // SAFETY: 16 columns of row `r` of C.
            unsafe { ptr::write_unaligned(t.c.wrapping_add(g * t.c_group + r * CELL).cast(), done) };
        }
    }
}

/// # Safety
/// As [`tile_of`].
unsafe fn tile_f<const R: usize, const G: usize>(t: &Tile) {
    // SAFETY: the caller's contract.
    unsafe { tile_of::<Float, R, G>(t) }
}

/// # Safety
/// As [`tile_of`].
#[inline(always)]
pub(super) unsafe fn tile_i<const R: usize, const G: usize>(t: &Tile) {
    // SAFETY: the caller's contract.
    unsafe { tile_of::<Integer, R, G>(t) }
}

/// Rows of a plain tile.
pub(in super::super) const ROWS: usize = 4;

/// Floats.
///
/// # Safety
/// As [`tile_of`].
pub(in super::super) unsafe fn tile_float(t: &Tile) {
    by_size!(t, tile_f, 1 2 3 4);
}

/// Integers.
///
/// # Safety
/// As [`tile_of`].
pub(in super::super) unsafe fn tile_integer(t: &Tile) {
    by_size!(t, tile_i, 1 2 3 4);
}
