//! Copies of 512-byte fractals: L1 or GM to L0A, L0B or (from GM) L1.
//!
//! ```text
//! fractal i:  src + 512·(startIndex ± i·srcStride)  →  dst + 512·i·(1 + dstGap)
//! ```
//!
//! The address mode says `+` or `−`. Transposition turns each fractal of 16×16 16-bit elements; other widths and copies from GM have none.
//! Stride 0 at the source reads the same fractal every time. What a fractal means (16×32 bytes in L0A, 32 bytes × 16 in L0B) is up to
//! the matrix multiplication; a copy moves bytes.
//!
//! Source: Ascend C API reference, "LoadData (2D)" and "LoadData (GM to L1, 2D)"; packing: the public AscendNPU-IR c220 library.
//!
//! Unsafe room: raw copies of checked footprints.
#![allow(unsafe_code)]

use super::super::access::{BurstShape, Operand, Shape};
use super::super::decode::{access, check_field, field, in_space, start};
use super::super::table::Entry;
use super::super::{Decoded, Env, ExecFault, PipeState, Regs, Work};
use super::align_of;
use std::ptr;
use toprope_abi::isa::{Field, FieldId, Kind, Layout, LoadKind, OpRow, Space};

/// Bytes of a fractal.
pub(super) const FRACTAL_BYTES: u64 = 512;
const FRACTAL: usize = FRACTAL_BYTES as usize;

/// `Load2d`: dst, src, two configuration words.
pub(super) fn decode(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::Load2d;
    const SID: Field = field(L, FieldId::Sid);
    const START: Field = field(L, FieldId::StartIndex);
    const REPEATS: Field = field(L, FieldId::RepeatTimes);
    const STRIDE: Field = field(L, FieldId::SrcStride);
    const GAP: Field = field(L, FieldId::DstGap);
    const TRANSPOSE: Field = field(L, FieldId::IfTranspose);
    const BACKWARD: Field = field(L, FieldId::AddrMode);
    let Kind::Load(LoadKind::Load2d(path)) = row.kind else { unreachable!("decoder of Load2d") };
    let (src_space, dst_space) = path.ends();
    let w = [x[2], x[3]];
    check_field(row, &SID, w)?;
    in_space(row, regs, Operand::Dst, x[0], dst_space)?;
    in_space(row, regs, Operand::Src0, x[1], src_space)?;
    let transposes = TRANSPOSE.get(w) == 1;
    if transposes && (row.dst.bits() != 16 || src_space == Space::Gm) {
        let (field, asked) = (TRANSPOSE.id, 1);
        return Err(ExecFault::FieldRange { intrinsic: row.intrinsic, field, asked, min: 0, max: 0 });
    }
    let mut d = start(row, entry, if transposes { transposed } else { plain });
    let repeats = REPEATS.get(w);
    if repeats == 0 {
        return Ok(d);
    }
    let backward = BACKWARD.get(w) == 1;
    let step_bytes = STRIDE.get(w) * FRACTAL_BYTES;
    let before = if backward { (repeats - 1) * step_bytes } else { 0 };
    let src = (x[1] + START.get(w) * FRACTAL_BYTES).wrapping_sub(before);
    d.env = Env { value: u64::from(backward), ..Env::default() };
    let shape = |step_bytes: u64| {
        let step_bytes = if repeats == 1 { FRACTAL_BYTES } else { step_bytes };
        Shape::Bursts(BurstShape { count: repeats as u32, len_bytes: FRACTAL as u32, step_bytes })
    };
    let dst_shape = shape((1 + GAP.get(w)) * FRACTAL_BYTES);
    d.push(access(Operand::Dst, x[0], dst_space, true, align_of(dst_space), dst_shape));
    d.push(access(Operand::Src0, src, src_space, false, align_of(src_space), shape(step_bytes)));
    let bytes = repeats * FRACTAL_BYTES;
    d.work = Work { repeats, elements: bytes, bytes, tail: false };
    Ok(d)
}

fn ends(d: &Decoded) -> ([*mut u8; 2], [BurstShape; 2]) {
    let pointer = |i: usize| ptr::with_exposed_provenance_mut::<u8>(d.accesses[i].addr as usize);
    match (d.accesses[0].shape, d.accesses[1].shape) {
        (Shape::Bursts(to), Shape::Bursts(from)) => ([pointer(0), pointer(1)], [to, from]),
        _ => unreachable!("fractal copies have burst shapes"),
    }
}

/// Calls `f` with the destination and the source of every fractal.
#[inline]
fn for_each_fractal(d: &Decoded, f: impl Fn(*mut u8, *const u8)) {
    let ([dst, src], [to, from]) = ends(d);
    let backward = d.env.value == 1;
    for i in 0..to.count {
        let at = if backward { to.count - 1 - i } else { i };
        f(
            dst.wrapping_add(to.burst(i).start as usize),
            src.wrapping_add(from.burst(at).start as usize).cast_const(),
        );
    }
}

/// # Safety
/// As [`super::super::execute`].
unsafe fn plain(d: &Decoded, _: &mut PipeState) {
    let ([dst, src], [to, from]) = ends(d);
    if to.is_contiguous() && from.is_contiguous() && d.env.value == 0 {
        // SAFETY: both sides are one contiguous checked footprint, in different memories.
        unsafe { ptr::copy_nonoverlapping(src.cast_const(), dst, to.count as usize * FRACTAL) };
        return;
    }
    // SAFETY: every fractal of both sides is inside the checked footprint, in different memories.
    for_each_fractal(d, |to, from| unsafe { ptr::copy_nonoverlapping(from, to, FRACTAL) });
}

/// # Safety
/// As [`super::super::execute`].
unsafe fn transposed(d: &Decoded, _: &mut PipeState) {
    for_each_fractal(d, |to, from| {
        let mut fractal = [[0u16; 16]; 16];
        // SAFETY: a fractal of the checked source has 512 bytes.
        unsafe { ptr::copy_nonoverlapping(from, fractal.as_mut_ptr().cast::<u8>(), FRACTAL) };
        let turned = transpose16(&fractal);
        // SAFETY: a fractal of the checked destination has 512 bytes.
        unsafe { ptr::copy_nonoverlapping(turned.as_ptr().cast::<u8>(), to, FRACTAL) };
    });
}

/// 16×16 elements of 16 bits, rows to columns: four squares of 8×8, each by three rounds of interleaving row `i` with row `i + 4`.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn transpose16(rows: &[[u16; 16]; 16]) -> [[u16; 16]; 16] {
    use std::arch::x86_64::{_mm_loadu_si128, _mm_storeu_si128, _mm_unpackhi_epi16, _mm_unpacklo_epi16};
    let mut columns = [[0u16; 16]; 16];
    for (r, c) in [(0, 0), (0, 8), (8, 0), (8, 8)] {
        let load = |i: usize| {
            let eight: &[u16] = &rows[r + i][c..c + 8];
            // SAFETY: a slice of 8 elements has 16 bytes.
            unsafe { _mm_loadu_si128(eight.as_ptr().cast()) }
        };
        let mut square: [_; 8] = std::array::from_fn(load);
        for _ in 0..3 {
            let last = square;
            for i in 0..4 {
                // SAFETY: SSE2 is part of x86-64.
                square[2 * i] = unsafe { _mm_unpacklo_epi16(last[i], last[i + 4]) };
                // SAFETY: as above.
                square[2 * i + 1] = unsafe { _mm_unpackhi_epi16(last[i], last[i + 4]) };
            }
        }
        for (i, row) in square.into_iter().enumerate() {
            let eight: &mut [u16] = &mut columns[c + i][r..r + 8];
            // SAFETY: a slice of 8 elements has 16 bytes.
            unsafe { _mm_storeu_si128(eight.as_mut_ptr().cast(), row) };
        }
    }
    columns
}

/// 16×16 elements of 16 bits, rows to columns.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(super) fn transpose16(rows: &[[u16; 16]; 16]) -> [[u16; 16]; 16] {
    std::array::from_fn(|column| std::array::from_fn(|row| rows[row][column]))
}
