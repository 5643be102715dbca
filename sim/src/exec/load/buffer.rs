//! Small moves: constant fills, L1 to the bias table and to the fixpipe buffer, sparse matrices with their indices.
//!
//! - **Fill**: `repeatTimes` runs of `blockNum` blocks, `dstGap` blocks apart (tail to head); a block has 32 bytes in L1, 512 in L0A and L0B.
//! - **Bias table**: bursts of 64 bytes at the source, gaps tail to head: 32 bytes at the source, 64 at the table. With conversion the source
//!   is half and the table float, exactly, so a burst takes twice its length. (The page's remark that gap 0 repeats the first burst
//!   contradicts its own definition of the gap and is not followed.)
//! - **Fixpipe buffer**: bursts of 128 bytes, strides head to head: 32 bytes at the source, 128 at the buffer; stride 0 repeats a burst.
//! - **Sparse**: fractals go to L0B; 128 bytes of index for each go to a buffer of a quarter of L0B's size that only the sparse
//!   multiplication reads: [`index_address`].
//!
//! Source: Ascend C API reference, "Fill", "DataCopy (L1 to BiasTable Buffer)", "DataCopy (L1 to Fixpipe Buffer)", "LoadDataWithSparse";
//! unit of the bias table's length with conversion: it counts the source (pto-isa, a2a3).
//!
//! Unsafe room: raw copies of checked footprints.
#![allow(unsafe_code)]

use super::super::access::{BLOCK_BYTES, BurstShape, Operand, Shape};
use super::super::decode::{access, check_field, field, in_space, start};
use super::super::table::Entry;
use super::super::{Decoded, Env, ExecFault, PipeState, Regs, Work, copy};
use super::align_of;
use super::fractal::FRACTAL_BYTES;
use half::f16;
use std::ptr;
use toprope_abi::core_face::SPACE_SHIFT;
use toprope_abi::isa::{Field, FieldId, Kind, Layout, LoadKind, OpRow, Space};

/// Bytes of index that belong to a fractal.
const INDEX_BYTES: u64 = 128;
/// Where the index buffer starts in the slot of L0B.
const INDEX_START: u64 = 64 << 10;

/// Where the index of the fractal at `l0b` is kept: behind L0B, a quarter of its offset further on.
pub fn index_address(l0b: u64) -> u64 {
    let offset = l0b & ((1 << SPACE_SHIFT) - 1);
    l0b - offset + INDEX_START + offset / (FRACTAL_BYTES / INDEX_BYTES)
}

fn bursts(count: u64, len_bytes: u64, step_bytes: u64) -> Shape {
    // With one burst the gap means nothing.
    let step_bytes = if count == 1 { len_bytes } else { step_bytes };
    Shape::Bursts(BurstShape { count: count as u32, len_bytes: len_bytes as u32, step_bytes })
}

/// `Fill`: dst, configuration, value.
pub(super) fn decode_fill(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::Fill;
    const REPEATS: Field = field(L, FieldId::RepeatTimes);
    const BLOCKS: Field = field(L, FieldId::BlockNum);
    const GAP: Field = field(L, FieldId::DstGap);
    let Kind::Load(LoadKind::Fill(space)) = row.kind else { unreachable!("decoder of Fill") };
    let w = [x[1], 0];
    for f in [REPEATS, BLOCKS, GAP] {
        check_field(row, &f, w)?;
    }
    in_space(row, regs, Operand::Dst, x[0], space)?;
    let mut d = start(row, entry, fill);
    let block = if space == Space::L1 { BLOCK_BYTES } else { FRACTAL_BYTES };
    let (repeats, len) = (REPEATS.get(w), BLOCKS.get(w) * block);
    if repeats == 0 || len == 0 {
        return Ok(d);
    }
    d.env = Env { value: x[2], ..Env::default() };
    let shape = bursts(repeats, len, len + GAP.get(w) * block);
    d.push(access(Operand::Dst, x[0], space, true, align_of(space), shape));
    let bytes = repeats * len;
    d.work = Work { repeats, elements: bytes, bytes, tail: false };
    Ok(d)
}

/// # Safety
/// As [`super::super::execute`].
unsafe fn fill(d: &Decoded, _: &mut PipeState) {
    let Shape::Bursts(to) = d.accesses[0].shape else { unreachable!("fills write bursts") };
    let dst = ptr::with_exposed_provenance_mut::<u8>(d.accesses[0].addr as usize);
    let width = d.row.dst.bits() as usize / 8;
    let mut block = [0u8; BLOCK_BYTES as usize];
    block.chunks_exact_mut(width).for_each(|c| c.copy_from_slice(&d.env.value.to_le_bytes()[..width]));
    for i in 0..to.count {
        let run = to.burst(i);
        for at in (run.start..run.end).step_by(block.len()) {
            // SAFETY: 32 bytes of a burst of the checked destination; bursts are whole blocks.
            unsafe { ptr::copy_nonoverlapping(block.as_ptr(), dst.wrapping_add(at as usize), block.len()) };
        }
    }
}

/// `ToBias`, `ToFixpipe`: dst, src, configuration.
pub(super) fn decode_table(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const CONVERT: Field = field(Layout::ToBias, FieldId::Convert);
    const COUNT: Field = field(Layout::ToBias, FieldId::BurstCount);
    const LEN: Field = field(Layout::ToBias, FieldId::BurstLen);
    const SRC_GAP: Field = field(Layout::ToBias, FieldId::SrcGap);
    const DST_GAP: Field = field(Layout::ToBias, FieldId::DstGap);
    let to_bias = row.kind == Kind::Load(LoadKind::ToBias);
    let space = if to_bias { Space::Bt } else { Space::Fb };
    let unit = u64::from(align_of(space));
    let w = [x[2], 0];
    in_space(row, regs, Operand::Dst, x[0], space)?;
    in_space(row, regs, Operand::Src0, x[1], Space::L1)?;
    let converts = to_bias && CONVERT.get(w) == 1;
    let mut d = start(row, entry, if converts { widen } else { copy::plain });
    let (count, len) = (COUNT.get(w), LEN.get(w) * unit);
    if count == 0 || len == 0 {
        return Ok(d);
    }
    let dst_len = if converts { 2 * len } else { len };
    let (src_gap, dst_gap) = (SRC_GAP.get(w) * BLOCK_BYTES, DST_GAP.get(w) * unit);
    let steps = if to_bias { [dst_len + dst_gap, len + src_gap] } else { [dst_gap, src_gap] };
    d.push(access(Operand::Dst, x[0], space, true, align_of(space), bursts(count, dst_len, steps[0])));
    d.push(access(Operand::Src0, x[1], Space::L1, false, align_of(Space::L1), bursts(count, len, steps[1])));
    d.work = Work { repeats: count, elements: count * len, bytes: count * len, tail: false };
    Ok(d)
}

/// Half to float, exactly.
///
/// # Safety
/// As [`super::super::execute`].
unsafe fn widen(d: &Decoded, _: &mut PipeState) {
    let (Shape::Bursts(to), Shape::Bursts(from)) = (d.accesses[0].shape, d.accesses[1].shape) else {
        unreachable!("copies have burst shapes")
    };
    let dst = ptr::with_exposed_provenance_mut::<u8>(d.accesses[0].addr as usize);
    let src = ptr::with_exposed_provenance::<u8>(d.accesses[1].addr as usize);
    for i in 0..to.count {
        let (from_run, to_run) = (from.burst(i), to.burst(i));
        for e in 0..u64::from(from.len_bytes) / 2 {
            let at = src.wrapping_add((from_run.start + 2 * e) as usize).cast::<[u8; 2]>();
            // SAFETY: an element of a burst of the checked source.
            let value = f16::from_le_bytes(unsafe { at.read() }).to_f32();
            let to = dst.wrapping_add((to_run.start + 4 * e) as usize).cast::<[u8; 4]>();
            // SAFETY: an element of a burst of the checked destination, which is twice as long.
            unsafe { to.write(value.to_le_bytes()) };
        }
    }
}

/// `Load2dSparse`: dst, src, index, configuration.
pub(super) fn decode_sparse(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const START: Field = field(Layout::LoadSparse, FieldId::StartIndex);
    const REPEATS: Field = field(Layout::LoadSparse, FieldId::RepeatTimes);
    let w = [x[3], 0];
    in_space(row, regs, Operand::Dst, x[0], Space::L0b)?;
    in_space(row, regs, Operand::Src0, x[1], Space::L1)?;
    in_space(row, regs, Operand::Src1, x[2], Space::L1)?;
    let mut d = start(row, entry, sparse);
    let (first, repeats) = (START.get(w), REPEATS.get(w));
    if repeats == 0 {
        return Ok(d);
    }
    let run = |len: u64| bursts(1, len, len);
    let bytes = repeats * FRACTAL_BYTES;
    d.push(access(Operand::Dst, x[0], Space::L0b, true, align_of(Space::L0b), run(bytes)));
    let (src, index) = (x[1] + first * FRACTAL_BYTES, x[2] + first * INDEX_BYTES);
    d.push(access(Operand::Src0, src, Space::L1, false, align_of(Space::L1), run(bytes)));
    d.push(access(Operand::Src1, index, Space::L1, false, align_of(Space::L1), run(repeats * INDEX_BYTES)));
    d.work = Work { repeats, elements: bytes, bytes, tail: false };
    Ok(d)
}

/// # Safety
/// As [`super::super::execute`].
unsafe fn sparse(d: &Decoded, _: &mut PipeState) {
    let pointer = |address: u64| ptr::with_exposed_provenance_mut::<u8>(address as usize);
    let bytes = (d.work.repeats * FRACTAL_BYTES) as usize;
    let index_bytes = (d.work.repeats * INDEX_BYTES) as usize;
    let [dst, src, index] = [0, 1, 2].map(|i| d.accesses[i].addr);
    // SAFETY: checked footprints in different memories.
    unsafe { ptr::copy_nonoverlapping(pointer(src).cast_const(), pointer(dst), bytes) };
    let index_at = pointer(index_address(dst));
    // SAFETY: a checked footprint; the index buffer is mapped behind L0B and has a quarter of its size.
    unsafe { ptr::copy_nonoverlapping(pointer(index).cast_const(), index_at, index_bytes) };
}
