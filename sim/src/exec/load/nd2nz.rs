//! GM → L1 with ND → NZ: each of `ndNum` matrices of `nValue` rows of `dValue` elements becomes columns of 32-byte blocks.
//!
//! ```text
//! block c of row r of matrix b:  src + (b·srcMatrixStride + r·srcDValue)·size + 32·c
//!                            →   dst + b·dstMatrixStride·size + 32·(c·dstC0Stride + r·dstNStride)
//! ```
//!
//! The last block of a row is filled up with zeros. Blocks that meet at the destination are written in no particular order inside
//! a matrix, matrices in ascending order (the hardware promises none). Stride 0 is an error where there is more than one row or block, except between matrices.
//!
//! Rows go eight at a time, block by block, so that whole cache lines are written where rows are neighbours at the destination.
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
    x: &[u64; 4],
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

/// Rows that go together: eight blocks of a column are neighbours at the destination, and that many rows still stream from the source.
const GROUP: usize = 8;

/// Steps in bytes from row to row and from block to block.
#[derive(Clone, Copy)]
struct Steps {
    from_row: usize,
    to_row: usize,
    to_block: usize,
}

/// Copies `rows` rows of `whole` blocks, and `rest` bytes more that are filled up with zeros.
///
/// # Safety
/// The rows lie in checked footprints of different memories.
#[inline(always)]
unsafe fn copy_rows(to: *mut u8, from: *const u8, rows: usize, (whole, rest): (usize, usize), s: Steps) {
    type Block = [u8; BLOCK];
    for block in 0..whole {
        for row in 0..rows {
            let from = from.wrapping_add(row * s.from_row + block * BLOCK).cast::<Block>();
            let to = to.wrapping_add(row * s.to_row + block * s.to_block).cast::<Block>();
            // SAFETY: a block of a row of the source.
            let bytes = unsafe { from.read_unaligned() };
            // SAFETY: its place at the destination.
            unsafe { to.write_unaligned(bytes) };
        }
    }
    if rest > 0 {
        for row in 0..rows {
            let mut block = [0u8; BLOCK];
            let from = from.wrapping_add(row * s.from_row + whole * BLOCK);
            let to = to.wrapping_add(row * s.to_row + whole * s.to_block);
            // SAFETY: the last `rest` bytes of a row, fewer than a block.
            unsafe { ptr::copy_nonoverlapping(from, block.as_mut_ptr(), rest) };
            // SAFETY: a block at the destination.
            unsafe { ptr::copy_nonoverlapping(block.as_ptr(), to, BLOCK) };
        }
    }
}

/// # Safety
/// As [`super::super::execute`].
unsafe fn copy(d: &Decoded, _: &mut PipeState) {
    let (Shape::Grid(to), Shape::Grid(from)) = (d.accesses[0].shape, d.accesses[1].shape) else {
        unreachable!("ND2NZ has grids")
    };
    let dst = ptr::with_exposed_provenance_mut::<u8>(d.accesses[0].addr as usize);
    let src = ptr::with_exposed_provenance::<u8>(d.accesses[1].addr as usize);
    let [rows, _, matrices] = to.counts.map(|c| c as usize);
    let [to_row, to_block, to_matrix] = to.steps_bytes.map(|s| s as usize);
    let [from_row, from_matrix, _] = from.steps_bytes.map(|s| s as usize);
    let steps = Steps { from_row, to_row, to_block };
    let row = (from.len_bytes as usize / BLOCK, from.len_bytes as usize % BLOCK);
    for matrix in 0..matrices {
        let (dst, src) = (dst.wrapping_add(matrix * to_matrix), src.wrapping_add(matrix * from_matrix));
        let at = |first: usize| (dst.wrapping_add(first * to_row), src.wrapping_add(first * from_row));
        for group in 0..rows / GROUP {
            let (to, from) = at(group * GROUP);
            // SAFETY: rows of the matrix; source and destination were checked.
            unsafe { copy_rows(to, from, GROUP, row, steps) };
        }
        let done = rows / GROUP * GROUP;
        let (to, from) = at(done);
        // SAFETY: as above, for the rows that are left.
        unsafe { copy_rows(to, from, rows - done, row, steps) };
    }
}
