//! Transposed loads: squares of 1, 2 or 4 fractals from L1 to L0A or L0B.
//!
//! | element | square | made of | transposed, as |
//! |---|---|---|---|
//! | 4 bits | 64×64 | 4 fractals of 16×64, one above the other | 4 fractals of 16×64 |
//! | 8 bits | 32×32 | 2 fractals of 16×32, one above the other | 2 fractals of 16×32 |
//! | 16 bits | 16×16 | 1 fractal | 1 fractal |
//! | 32 bits | 16×16 | 2 fractals of 16×8, side by side | 2 fractals of 16×8, side by side |
//!
//! Start, stride and address mode count squares; fractal `j` of square `i` goes to `dst + 512·(i·(1 + dstGap) + j·(1 + dstFracGap))`.
//! Of a 4-bit pair the low half of the byte is the first element. Fractals that meet at the destination are written in ascending order.
//!
//! Source: Ascend C API reference, "LoadDataWithTranspose"; packing: the public AscendNPU-IR c220 library.
//!
//! Unsafe room: raw copies of checked footprints.
#![allow(unsafe_code)]

use super::super::access::{BurstShape, GridShape, Operand, Shape};
use super::super::decode::{access, field, in_space, start};
use super::super::table::Entry;
use super::super::{Decoded, Env, ExecFault, PipeState, Regs, Work};
use super::align_of;
use super::fractal::{FRACTAL_BYTES, transpose16};
use std::ptr;
use toprope_abi::isa::{Field, FieldId, Kind, Layout, LoadKind, OpRow, Space};

const FRACTAL: usize = FRACTAL_BYTES as usize;

/// Fractals of a square of elements of this width.
const fn fractals_of(bits: u32) -> u64 {
    match bits {
        4 => 4,
        16 => 1,
        _ => 2,
    }
}

/// `Load2dTranspose`: dst, src, two configuration words.
pub(super) fn decode(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::Load2dTranspose;
    const START: Field = field(L, FieldId::StartIndex);
    const REPEATS: Field = field(L, FieldId::RepeatTimes);
    const STRIDE: Field = field(L, FieldId::SrcStride);
    const GAP: Field = field(L, FieldId::DstGap);
    const FRACTAL_GAP: Field = field(L, FieldId::DstFracGap);
    const BACKWARD: Field = field(L, FieldId::AddrMode);
    let Kind::Load(LoadKind::Load2dTranspose(path)) = row.kind else {
        unreachable!("decoder of Load2dTranspose")
    };
    let dst_space = path.ends().1;
    let w = [x[2], x[3]];
    in_space(row, regs, Operand::Dst, x[0], dst_space)?;
    in_space(row, regs, Operand::Src0, x[1], Space::L1)?;
    let mut d = start(row, entry, transpose);
    let repeats = REPEATS.get(w);
    if repeats == 0 {
        return Ok(d);
    }
    let fractals = fractals_of(row.dst.bits());
    let square = fractals * FRACTAL_BYTES;
    let step_bytes = if repeats == 1 { square } else { STRIDE.get(w) * square };
    let backward = BACKWARD.get(w) == 1;
    let before = if backward { (repeats - 1) * step_bytes } else { 0 };
    let src = (x[1] + START.get(w) * square).wrapping_sub(before);
    d.env = Env { value: u64::from(backward), ..Env::default() };
    let dst_shape = GridShape {
        len_bytes: FRACTAL as u32,
        counts: [fractals as u32, repeats as u32, 1],
        steps_bytes: [
            ((1 + FRACTAL_GAP.get(w)) * FRACTAL_BYTES) as u32,
            ((1 + GAP.get(w)) * FRACTAL_BYTES) as u32,
            0,
        ],
    };
    let src_shape = BurstShape { count: repeats as u32, len_bytes: square as u32, step_bytes };
    d.push(access(Operand::Dst, x[0], dst_space, true, align_of(dst_space), Shape::Grid(dst_shape)));
    d.push(access(Operand::Src0, src, Space::L1, false, align_of(Space::L1), Shape::Bursts(src_shape)));
    let bytes = repeats * square;
    d.work = Work { repeats, elements: bytes, bytes, tail: false };
    Ok(d)
}

/// Transposes one square; `src` and `dst` hold its fractals one behind the other.
fn turn(bits: u32, src: &[u8; 2048], dst: &mut [u8; 2048]) {
    match bits {
        4 => {
            let get = |r: usize, c: usize| (src[r * 32 + c / 2] >> (4 * (c % 2))) & 0xf;
            for r in 0..64 {
                for c in 0..32 {
                    dst[r * 32 + c] = get(2 * c, r) | get(2 * c + 1, r) << 4;
                }
            }
        }
        8 => {
            for r in 0..32 {
                for c in 0..32 {
                    dst[r * 32 + c] = src[c * 32 + r];
                }
            }
        }
        16 => {
            let element = |i: usize| u16::from_le_bytes([src[2 * i], src[2 * i + 1]]);
            let rows: [[u16; 16]; 16] = std::array::from_fn(|r| std::array::from_fn(|c| element(16 * r + c)));
            for (i, value) in transpose16(&rows).iter().flatten().enumerate() {
                dst[2 * i..2 * i + 2].copy_from_slice(&value.to_le_bytes());
            }
        }
        _ => {
            // Element (r, c) of a square of two fractals side by side.
            let at = |r: usize, c: usize| (c / 8) * FRACTAL + r * 32 + (c % 8) * 4;
            for r in 0..16 {
                for c in 0..16 {
                    dst[at(c, r)..at(c, r) + 4].copy_from_slice(&src[at(r, c)..at(r, c) + 4]);
                }
            }
        }
    }
}

/// # Safety
/// As [`super::super::execute`].
unsafe fn transpose(d: &Decoded, _: &mut PipeState) {
    let (Shape::Grid(to), Shape::Bursts(from)) = (d.accesses[0].shape, d.accesses[1].shape) else {
        unreachable!("shapes of a transposed load")
    };
    let dst = ptr::with_exposed_provenance_mut::<u8>(d.accesses[0].addr as usize);
    let src = ptr::with_exposed_provenance::<u8>(d.accesses[1].addr as usize);
    let (mut square, mut turned) = ([0u8; 2048], [0u8; 2048]);
    for i in 0..from.count {
        let index = if d.env.value == 1 { from.count - 1 - i } else { i };
        let at = src.wrapping_add(from.burst(index).start as usize);
        // SAFETY: a square of the checked source, at most 2048 bytes.
        unsafe { ptr::copy_nonoverlapping(at, square.as_mut_ptr(), from.len_bytes as usize) };
        turn(d.row.dst.bits(), &square, &mut turned);
        for j in 0..to.counts[0] {
            let at =
                u64::from(j) * u64::from(to.steps_bytes[0]) + u64::from(i) * u64::from(to.steps_bytes[1]);
            let fractal = turned[j as usize * FRACTAL..].as_ptr();
            // SAFETY: a fractal of the checked destination.
            unsafe { ptr::copy_nonoverlapping(fractal, dst.wrapping_add(at as usize), FRACTAL) };
        }
    }
}
