//! GM → L1 with ND → NZ: each of `ndNum` matrices of `nValue` rows of `dValue` elements becomes columns of 32-byte blocks.
//!
//! ```text
//! block c of row r of matrix b:  src + (b·srcMatrixStride + r·srcDValue)·size + 32·c
//!                            →   dst + b·dstMatrixStride·size + 32·(c·dstC0Stride + r·dstNStride)
//! ```
//!
//! The last block of a row is filled up with zeros. Blocks that meet at the destination are written in ascending order of matrix, row,
//! column (the hardware promises none). Stride 0 is an error where there is more than one row or block, except between matrices.
//!
//! Rows go in pairs, so that whole cache lines are written where rows are neighbours at the destination.
//!
//! Source: Ascend C API reference, "DataCopy (GM to L1, ND2NZ)"; packing: the public AscendNPU-IR c220 library.
//!
//! Unsafe room: raw copies of checked footprints.
#![allow(unsafe_code)]

use super::super::access::{BLOCK_BYTES, GridShape, Operand, Shape};
use super::super::decode::{access, check_field, field, in_space, start};
use super::super::table::Entry;
use super::super::{Decoded, ExecFault, PipeState, Regs, Work};
use super::{align_of, needs_stride};
use std::ptr;
use toprope_abi::isa::{Field, FieldId, Layout, OpRow, Space};

const BLOCK: usize = BLOCK_BYTES as usize;

/// `Nd2Nz`: dst, src, two configuration words.
pub(super) fn decode(
    row: &'static OpRow,
    entry: &'static Entry,
    x: [u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::Nd2Nz;
    const CHECKED: [Field; 5] = [
        field(L, FieldId::Sid),
        field(L, FieldId::NValue),
        field(L, FieldId::DstC0Stride),
        field(L, FieldId::DstNStride),
        field(L, FieldId::DstMatrixStride),
    ];
    const MATRICES: Field = field(L, FieldId::NdNum);
    const ROWS: Field = field(L, FieldId::NValue);
    const COLUMNS: Field = field(L, FieldId::DValue);
    const SRC_MATRIX: Field = field(L, FieldId::SrcMatrixStride);
    const SRC_ROW: Field = field(L, FieldId::SrcDValue);
    const DST_BLOCK: Field = field(L, FieldId::DstC0Stride);
    const DST_ROW: Field = field(L, FieldId::DstNStride);
    const DST_MATRIX: Field = field(L, FieldId::DstMatrixStride);
    let w = [x[2], x[3]];
    for f in &CHECKED {
        check_field(row, f, w)?;
    }
    in_space(row, regs, Operand::Dst, x[0], Space::L1)?;
    in_space(row, regs, Operand::Src0, x[1], Space::Gm)?;
    let mut d = start(row, entry, copy);
    let (matrices, rows, columns) = (MATRICES.get(w), ROWS.get(w), COLUMNS.get(w));
    if matrices == 0 || rows == 0 || columns == 0 {
        return Ok(d);
    }
    let size = u64::from(row.dst.bits() / 8);
    let row_bytes = columns * size;
    let blocks = row_bytes.div_ceil(BLOCK_BYTES);
    needs_stride(row, &SRC_ROW, SRC_ROW.get(w), rows > 1)?;
    needs_stride(row, &DST_ROW, DST_ROW.get(w), rows > 1)?;
    needs_stride(row, &DST_BLOCK, DST_BLOCK.get(w), blocks > 1)?;
    let dst_matrix_bytes = DST_MATRIX.get(w) * size;
    if matrices > 1 && !dst_matrix_bytes.is_multiple_of(BLOCK_BYTES) {
        let (field, asked) = (FieldId::DstMatrixStride, DST_MATRIX.get(w));
        return Err(ExecFault::NotMultiple {
            intrinsic: row.intrinsic,
            field,
            asked,
            of: BLOCK_BYTES / size,
        });
    }
    let matrices = matrices as u32;
    let dst = GridShape {
        len_bytes: BLOCK_BYTES as u32,
        counts: [rows as u32, blocks as u32, matrices],
        steps_bytes: [
            (DST_ROW.get(w) * BLOCK_BYTES) as u32,
            (DST_BLOCK.get(w) * BLOCK_BYTES) as u32,
            dst_matrix_bytes as u32,
        ],
    };
    let src = GridShape {
        len_bytes: row_bytes as u32,
        counts: [rows as u32, matrices, 1],
        steps_bytes: [(SRC_ROW.get(w) * size) as u32, (SRC_MATRIX.get(w) * size) as u32, 0],
    };
    d.push(access(Operand::Dst, x[0], Space::L1, true, align_of(Space::L1), Shape::Grid(dst)));
    d.push(access(Operand::Src0, x[1], Space::Gm, false, 1, Shape::Grid(src)));
    let bytes = u64::from(matrices) * rows * row_bytes;
    d.work = Work { repeats: u64::from(matrices) * rows, elements: bytes, bytes, tail: false };
    Ok(d)
}

/// A block of a row, or the last one with zeros behind its `len` bytes.
///
/// # Safety
/// `from` has `len` readable bytes, at most 32.
#[inline(always)]
unsafe fn load(from: *const u8, len: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    // SAFETY: the caller's promise; `block` has 32 bytes.
    unsafe { ptr::copy_nonoverlapping(from, block.as_mut_ptr(), len) };
    block
}

/// # Safety
/// As [`super::super::execute`].
unsafe fn copy(d: &Decoded, _: &mut PipeState) {
    let (Shape::Grid(to), Shape::Grid(from)) = (d.accesses[0].shape, d.accesses[1].shape) else {
        unreachable!("ND2NZ has grids")
    };
    let dst = ptr::with_exposed_provenance_mut::<u8>(d.accesses[0].addr as usize);
    let src = ptr::with_exposed_provenance::<u8>(d.accesses[1].addr as usize);
    let [rows, blocks, matrices] = to.counts.map(|c| c as usize);
    let [to_row, to_block, to_matrix] = to.steps_bytes.map(|s| s as usize);
    let [from_row, from_matrix, _] = from.steps_bytes.map(|s| s as usize);
    let whole = from.len_bytes as usize / BLOCK;
    let rest = from.len_bytes as usize % BLOCK;
    let pairs = if to_row == BLOCK { rows / 2 } else { 0 };
    for matrix in 0..matrices {
        let (dst, src) = (dst.wrapping_add(matrix * to_matrix), src.wrapping_add(matrix * from_matrix));
        for pair in 0..pairs {
            let upper = src.wrapping_add(2 * pair * from_row);
            let lower = upper.wrapping_add(from_row);
            let to = dst.wrapping_add(2 * pair * BLOCK);
            for block in 0..blocks {
                let len = if block < whole { BLOCK } else { rest };
                let to = to.wrapping_add(block * to_block);
                // SAFETY: `len` bytes of block `block` of both rows are inside the checked source, the two blocks at the destination are
                // neighbours inside the checked footprint; L1 and GM are different memories.
                unsafe {
                    let pair = [
                        load(upper.wrapping_add(block * BLOCK), len),
                        load(lower.wrapping_add(block * BLOCK), len),
                    ];
                    ptr::copy_nonoverlapping(pair.as_ptr().cast::<u8>(), to, 2 * BLOCK);
                }
            }
        }
        for row in 2 * pairs..rows {
            let (from, to) = (src.wrapping_add(row * from_row), dst.wrapping_add(row * to_row));
            for block in 0..blocks {
                let len = if block < whole { BLOCK } else { rest };
                // SAFETY: as above, for one row.
                unsafe {
                    let bytes = load(from.wrapping_add(block * BLOCK), len);
                    ptr::copy_nonoverlapping(bytes.as_ptr(), to.wrapping_add(block * to_block), BLOCK);
                }
            }
        }
    }
}
