//! Rearrangement: transposition, 5HD transposition, sort and merge.
//!
//! - **Transpose**: 16 × 16 elements of 16 bits; source and destination are the same or apart.
//! - **S.VNCHWCONV**: 16 source blocks that two address registers name are the columns of 16 destination blocks. 16 bits: block i of the
//!   destination is element i of every source. 32 bits: elements of 8 per block, so destination i takes two blocks, 2i and 2i + 1. 8 bits: 16
//!   of the 32 elements of a block, its low or high half, on each side; the other half stays. All sources of a repeat are read before a
//!   destination is written; a repeat may work in place when both lists are the same. With one repeat the strides are added to the lists,
//!   with more they lie between repeats (API page of TransDataTo5HD).
//! - **VBS32**: 32 scores, descending, equal ones in their order, to records of 8 bytes: score, (half: two bytes of 0,) index.
//! - **VMRGSORT**: up to four lists of such records merged in descending order, of equal scores the one of the earlier list first. With
//!   suspension it stops as soon as a list that takes part is exhausted (an empty one at once); VMS4_SR then tells the records taken of each.
//! - **Order of scores**: −0 equals +0; NaN comes before everything, which the public pages do not say.
//!
//! Not modelled: what a merge of lists that are not sorted gives on the chip (here: always the greatest of the heads).
//!
//! Source: Ascend C API reference (Transpose, TransDataTo5HD, Sort32, MrgSort, GetMrgSortResult); packings of the public AscendNPU-IR library.
//!
//! Unsafe room: raw loads and stores of checked footprints.
#![allow(unsafe_code)]

use super::access::{BLOCK_BYTES, BurstShape, Operand, Shape};
use super::decode::{self, DecodeFn, access, check_field, field, local, overlaps, start};
use super::table::{Entry, nothing};
use super::{Access, Decoded, ExecFault, PipeState, Regs, Work};
use std::ptr;
use toprope_abi::core_face::SPACE_SHIFT;
use toprope_abi::isa::{DType, Field, FieldId, Layout, OpRow, RearrangeKind, Space, Spr, ctrl};

/// Bytes of a record: score and index.
const RECORD: u64 = 8;
const MATRIX_BYTES: usize = 512;

/// Decoder and lane functions of a row of this family; `fast`: for this machine, else plain ones.
pub(super) fn make(row: &OpRow, kind: RearrangeKind, _fast: bool) -> Entry {
    let decode: DecodeFn = match kind {
        RearrangeKind::Transpose => transpose,
        RearrangeKind::MoveVa => decode::not_data,
        RearrangeKind::NchwConv => nchw_conv,
        RearrangeKind::Sort32 => sort32,
        RearrangeKind::MergeSort => merge_sort,
    };
    Entry { decode, lanes: [nothing; 2], wide_bits: row.dst.bits().max(8), mode_bit: ctrl::INF_NAN }
}

fn bytes(count: u64, len: u64, step: u64) -> Shape {
    if count == 0 || len == 0 {
        return Shape::Empty;
    }
    Shape::Bursts(BurstShape { count: count as u32, len_bytes: len as u32, step_bytes: step })
}

fn ub(operand: Operand, addr: u64, align_bytes: u32, shape: Shape) -> Access {
    access(operand, addr, Space::Ub, operand == Operand::Dst, align_bytes, shape)
}

fn argument(row: &'static OpRow, what: &'static str, asked: u64, allowed: &'static str) -> ExecFault {
    ExecFault::Argument { intrinsic: row.intrinsic, what, asked, allowed }
}

fn ub_base(regs: &Regs) -> u64 {
    regs.region + ((Space::Ub as u64) << SPACE_SHIFT)
}

/// dst, src.
fn transpose(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    local(row, regs, Operand::Dst, x[0])?;
    local(row, regs, Operand::Src0, x[1])?;
    let mut d = start(row, entry, run_transpose);
    let shape = bytes(1, MATRIX_BYTES as u64, MATRIX_BYTES as u64);
    d.push(ub(Operand::Dst, x[0], 32, shape));
    d.push(ub(Operand::Src0, x[1], 32, shape));
    if x[0] != x[1] {
        check_apart(row, &d.accesses[0], &d.accesses[1])?;
    }
    d.work = Work { repeats: 1, elements: 256, bytes: MATRIX_BYTES as u64, tail: false };
    Ok(d)
}

fn check_apart(row: &'static OpRow, dst: &Access, src: &Access) -> Result<(), ExecFault> {
    if overlaps(dst.extent(), src.extent()) {
        let intrinsic = row.intrinsic;
        return Err(ExecFault::NotApart { intrinsic, operand: src.operand, src: src.addr, dst: dst.addr });
    }
    Ok(())
}

/// # Safety
/// As [`super::execute`].
unsafe fn run_transpose(d: &Decoded, _: &mut PipeState) {
    let (to, from) = (pointer(d.accesses[0].addr), pointer(d.accesses[1].addr));
    // SAFETY: 512 bytes of source were checked.
    let m = unsafe { ptr::read_unaligned(from.cast::<[[u16; 16]; 16]>()) };
    let mut t = [[0u16; 16]; 16];
    for (i, row) in t.iter_mut().enumerate() {
        for (j, element) in row.iter_mut().enumerate() {
            *element = m[j][i];
        }
    }
    // SAFETY: 512 bytes of destination were checked.
    unsafe { ptr::write_unaligned(to.cast::<[[u16; 16]; 16]>(), t) };
}

fn pointer(addr: u64) -> *mut u8 {
    ptr::with_exposed_provenance_mut(addr as usize)
}

/// Writes two addresses of an address register.
///
/// # Errors
/// A register or position that does not exist, an address outside of UB or not at a block.
pub fn set_va(row: &'static OpRow, regs: &mut Regs, x: &[u64; 4]) -> Result<(), ExecFault> {
    if x[0] > 7 {
        return Err(argument(row, "number of the address register", x[0], "0 to 7"));
    }
    if x[1] > 6 || !x[1].is_multiple_of(2) {
        return Err(argument(row, "position in the address register", x[1], "0, 2, 4 or 6"));
    }
    for (i, address) in x[2..].iter().enumerate() {
        local(row, regs, Operand::Src0, *address)?;
        let offset = address - ub_base(regs);
        if !offset.is_multiple_of(BLOCK_BYTES) {
            return Err(argument(row, "UB offset of an address", offset, "multiples of 32 bytes"));
        }
        regs.va[x[0] as usize][x[1] as usize + i] = (offset / BLOCK_BYTES) as u16;
    }
    Ok(())
}

/// First VA register of destinations, of sources, configuration, halves.
fn nchw_conv(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::NchwConv;
    const DST: Field = field(L, FieldId::DstRepeatStride);
    const SRC: Field = field(L, FieldId::Src0RepeatStride);
    const N: Field = field(L, FieldId::RepeatTimes);
    let w = [x[2], 0];
    let mut d = start(row, entry, run_nchw_conv);
    for (list, va) in d.env.lists.iter_mut().zip(&x[..2]) {
        if *va > 6 {
            return Err(argument(row, "number of the first address register", *va, "0 to 6"));
        }
        list[..8].copy_from_slice(&regs.va[*va as usize]);
        list[8..].copy_from_slice(&regs.va[*va as usize + 1]);
    }
    let repeats = N.get(w);
    if repeats == 0 {
        return Ok(d);
    }
    let steps = [DST.get(w) * BLOCK_BYTES, SRC.get(w) * BLOCK_BYTES];
    // One repeat starts a stride behind the lists.
    let first = if repeats == 1 { steps } else { [0; 2] };
    let half = |side: u64| if row.dst == DType::B8 { [16, (x[3] >> side & 1) * 16] } else { [32, 0] };
    d.env.words = [ub_base(regs), steps[0], steps[1], half(0)[1] | half(1)[1] << 32];
    d.env.value = first[0] | first[1] << 32;
    d.push(list_access(&d, 0, 0, repeats));
    d.push(list_access(&d, 1, 0, repeats));
    d.more = Some(lists);
    d.work = Work {
        repeats,
        elements: repeats * 16 * half(0)[0] / u64::from(row.dst.bits() / 8),
        bytes: repeats * 16 * half(0)[0],
        tail: false,
    };
    check_lists(row, &d, repeats)?;
    Ok(d)
}

/// What block `i` of a list (0: destinations, 1: sources) touches.
fn list_access(d: &Decoded, side: usize, i: usize, repeats: u64) -> Access {
    let first = d.env.value >> (32 * side) & 0xffff_ffff;
    let high = d.env.words[3] >> (32 * side) & 16;
    let len = if d.row.dst == DType::B8 { 16 } else { BLOCK_BYTES };
    let addr = d.env.words[0] + u64::from(d.env.lists[side][i]) * BLOCK_BYTES + first + high;
    let operand = if side == 0 { Operand::Dst } else { Operand::Src0 };
    let step = if repeats == 1 { len } else { d.env.words[1 + side] };
    ub(operand, addr, 1, bytes(repeats, len, step))
}

/// # Safety
/// None needed: reads no memory.
unsafe fn lists(d: &Decoded, _: &PipeState, f: &mut dyn FnMut(Access)) -> Result<(), ExecFault> {
    for side in 0..2 {
        (1..16).for_each(|i| f(list_access(d, side, i, d.work.repeats)));
    }
    Ok(())
}

/// Blocks of source and destination: apart, or in every repeat the same ones in the same order.
fn check_lists(row: &'static OpRow, d: &Decoded, repeats: u64) -> Result<(), ExecFault> {
    let in_place = d.env.lists[0] == d.env.lists[1]
        && d.env.words[1] == d.env.words[2]
        && (repeats == 1 || d.env.words[1] >= MATRIX_BYTES as u64);
    if in_place {
        return Ok(());
    }
    let hull = |side: usize| {
        let list = &d.env.lists[side];
        let (low, high) = (list.iter().min().copied().unwrap_or(0), list.iter().max().copied().unwrap_or(0));
        let first = (d.env.value >> (32 * side) & 0xffff_ffff) / BLOCK_BYTES;
        let rest = (repeats - 1) * d.env.words[1 + side] / BLOCK_BYTES;
        (u64::from(low) + first, u64::from(high) + first + rest + 1)
    };
    let ((dst_low, dst_high), (src_low, src_high)) = (hull(0), hull(1));
    if dst_high <= src_low || src_high <= dst_low {
        return Ok(());
    }
    for i in 0..16 {
        let dst = list_access(d, 0, i, repeats);
        for j in 0..16 {
            let src = list_access(d, 1, j, repeats);
            if overlaps(dst.extent(), src.extent()) && bursts_meet(&dst, &src) {
                let (operand, src, dst) = (Operand::Src0, src.addr, dst.addr);
                return Err(ExecFault::NotApart { intrinsic: row.intrinsic, operand, src, dst });
            }
        }
    }
    Ok(())
}

fn bursts_meet(a: &Access, b: &Access) -> bool {
    let mut hit = false;
    a.for_each_range(|x| b.for_each_range(|y| hit |= x.start < y.end && y.start < x.end));
    hit
}

/// # Safety
/// As [`super::execute`].
unsafe fn run_nchw_conv(d: &Decoded, _: &mut PipeState) {
    let [base, dst_step, src_step, halves] = d.env.words;
    let byte = d.row.dst == DType::B8;
    let len = if byte { 16 } else { BLOCK_BYTES as usize };
    let at = |side: usize, i: usize, r: u64, step: u64| {
        let first = d.env.value >> (32 * side) & 0xffff_ffff;
        let block = u64::from(d.env.lists[side][i]) * BLOCK_BYTES;
        pointer(base + block + first + r * step + (halves >> (32 * side) & 16))
    };
    let mut m = [[0u8; 32]; 16];
    let mut t = [[0u8; 32]; 16];
    for r in 0..d.work.repeats {
        for (i, row) in m.iter_mut().enumerate() {
            // SAFETY: `len` bytes of source block `i` were checked.
            unsafe { ptr::copy_nonoverlapping(at(1, i, r, src_step), row.as_mut_ptr(), len) };
        }
        match d.row.dst {
            DType::B8 => transposed::<1, 16>(&m, &mut t),
            DType::B16 => transposed::<2, 16>(&m, &mut t),
            _ => transposed::<4, 8>(&m, &mut t),
        }
        for (i, row) in t.iter().enumerate() {
            // SAFETY: `len` bytes of destination block `i` were checked.
            unsafe { ptr::copy_nonoverlapping(row.as_ptr(), at(0, i, r, dst_step), len) };
        }
    }
}

/// Rows of `COLUMNS` elements of `N` bytes; element (j, i) goes to place 16 · i + j.
#[inline(always)]
fn transposed<const N: usize, const COLUMNS: usize>(m: &[[u8; 32]; 16], t: &mut [[u8; 32]; 16]) {
    // A destination block holds as many elements as the used part of a source block.
    for (j, row) in m.iter().enumerate() {
        for i in 0..COLUMNS {
            let place = 16 * i + j;
            let (block, column) = (place / COLUMNS, place % COLUMNS);
            t[block][column * N..(column + 1) * N].copy_from_slice(&row[i * N..(i + 1) * N]);
        }
    }
}

/// Greater scores have greater keys, and every key is above `i32::MIN`.
#[inline(always)]
fn key(bits: u32) -> i32 {
    let magnitude = (bits & 0x7fff_ffff) as i32;
    if magnitude > 0x7f80_0000 {
        return i32::MAX;
    }
    if bits >> 31 == 1 { -magnitude } else { magnitude }
}

/// Key of the score of a record or element of type half (`SHORT`) or float.
#[inline(always)]
fn key_of<const SHORT: bool>(low: u32) -> i32 {
    if !SHORT {
        return key(low);
    }
    let (magnitude, negative) = ((low & 0x7fff) as i32, low >> 15 & 1 == 1);
    match magnitude {
        m if m > 0x7c00 => i32::MAX,
        m if negative => -m,
        m => m,
    }
}

/// dst, scores, indices, configuration.
fn sort32(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const N: Field = field(Layout::VecRepeat, FieldId::RepeatTimes);
    let operands = [Operand::Dst, Operand::Src0, Operand::Src1];
    for (operand, address) in operands.into_iter().zip(x) {
        local(row, regs, operand, *address)?;
    }
    let run = if row.src == DType::F16 { run_sort32::<true> } else { run_sort32::<false> };
    let mut d = start(row, entry, run);
    let repeats = N.get([x[3], 0]);
    if repeats == 0 {
        return Ok(d);
    }
    let sizes = [32 * RECORD, 4 * u64::from(row.src.bits()), 128];
    for ((operand, address), size) in operands.into_iter().zip(x).zip(sizes) {
        d.push(ub(operand, *address, 32, bytes(1, size * repeats, size * repeats)));
    }
    check_apart(row, &d.accesses[0], &d.accesses[1])?;
    check_apart(row, &d.accesses[0], &d.accesses[2])?;
    d.work = Work { repeats, elements: 32 * repeats, bytes: 32 * RECORD * repeats, tail: false };
    Ok(d)
}

/// # Safety
/// As [`super::execute`].
unsafe fn run_sort32<const SHORT: bool>(d: &Decoded, _: &mut PipeState) {
    let [to, scores, indices] = [0, 1, 2].map(|i| pointer(d.accesses[i].addr));
    for r in 0..d.work.repeats as usize {
        let score = |i: usize| {
            let size = if SHORT { 2 } else { 4 };
            let at = scores.wrapping_add((32 * r + i) * size);
            if SHORT {
                // SAFETY: inside the checked scores.
                u32::from(unsafe { ptr::read_unaligned(at.cast::<u16>()) })
            } else {
                // SAFETY: inside the checked scores.
                unsafe { ptr::read_unaligned(at.cast::<u32>()) }
            }
        };
        // Ascending by descending key, then by place: place is unique, so an unstable sort is stable.
        let mut order = [0u64; 32];
        for (i, slot) in order.iter_mut().enumerate() {
            let descending = !(key_of::<SHORT>(score(i)) as u32 ^ 0x8000_0000);
            *slot = u64::from(descending) << 32 | i as u64;
        }
        order.sort_unstable();
        for (i, slot) in order.iter().enumerate() {
            let from = (*slot & 31) as usize;
            let at = indices.wrapping_add((32 * r + from) * 4).cast::<u32>();
            // SAFETY: inside the checked indices.
            let index = unsafe { ptr::read_unaligned(at) };
            let record = u64::from(index) << 32 | u64::from(score(from));
            // SAFETY: inside the checked destination.
            unsafe { ptr::write_unaligned(to.wrapping_add((32 * r + i) * 8).cast::<u64>(), record) };
        }
    }
}

/// dst, lists, lengths, configuration.
fn merge_sort(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::Merge;
    const N: Field = field(L, FieldId::RepeatTimes);
    const MASK: Field = field(L, FieldId::ListMask);
    const SUSPEND: Field = field(L, FieldId::Suspension);
    const LENGTHS: [Field; 4] = [
        field(L, FieldId::ListLength0),
        field(L, FieldId::ListLength1),
        field(L, FieldId::ListLength2),
        field(L, FieldId::ListLength3),
    ];
    local(row, regs, Operand::Dst, x[0])?;
    let run = if row.src == DType::F16 { run_merge::<true> } else { run_merge::<false> };
    let mut d = start(row, entry, run);
    let w = [x[3], x[2]];
    let (repeats, suspend) = (N.get(w), SUSPEND.get(w) == 1);
    if repeats == 0 {
        return Ok(d);
    }
    let lists = match MASK.get(w) {
        3 => 2,
        7 => 3,
        15 => 4,
        other => return Err(argument(row, "validBit", other, "3, 7 or 15")),
    };
    let (mut at, mut length) = ([0u64; 4], [0u64; 4]);
    for (i, field) in LENGTHS.iter().enumerate().take(lists) {
        check_field(row, field, w)?;
        length[i] = field.get(w);
        at[i] = ub_base(regs) + (x[1] >> (16 * i) & 0xffff) * RECORD;
    }
    if repeats > 1 {
        check_repeatable(row, &at, &length, lists, suspend)?;
    }
    let each: u64 = length.iter().sum();
    d.work = Work {
        repeats: (each * repeats).div_ceil(2),
        elements: each * repeats,
        bytes: each * repeats * RECORD,
        tail: false,
    };
    if each == 0 {
        return Ok(d);
    }
    d.env.words = at;
    d.env.value = x[2];
    // The number of lists, suspension and repeats.
    d.env.lists[0][..3].copy_from_slice(&[lists as u16, u16::from(suspend), repeats as u16]);
    d.push(ub(Operand::Dst, x[0], 32, bytes(1, each * repeats * RECORD, each * repeats * RECORD)));
    for i in 0..lists {
        let list = list_of(&d, i);
        check_apart(row, &d.accesses[0], &list)?;
        if i < 2 {
            d.push(list);
        }
    }
    d.more = (lists > 2).then_some(further_lists);
    Ok(d)
}

/// Several repeats: four lists of one length, one behind the other, without suspension.
fn check_repeatable(
    row: &'static OpRow,
    at: &[u64; 4],
    length: &[u64; 4],
    lists: usize,
    suspend: bool,
) -> Result<(), ExecFault> {
    if lists != 4 {
        return Err(argument(row, "number of lists with several repeats", lists as u64, "4 (validBit 15)"));
    }
    if suspend {
        return Err(argument(row, "ifExhaustedSuspension with several repeats", 1, "0 (false)"));
    }
    for i in 1..4 {
        if length[i] != length[0] {
            return Err(argument(
                row,
                "length of a list with several repeats",
                length[i],
                "the length of the first list",
            ));
        }
        let gap = at[i].wrapping_sub(at[i - 1] + length[i - 1] * RECORD);
        if gap != 0 {
            return Err(argument(
                row,
                "gap between lists with several repeats in bytes",
                gap,
                "0 (one list behind the other)",
            ));
        }
    }
    Ok(())
}

/// What list `i` of a merge reads in all repeats.
fn list_of(d: &Decoded, i: usize) -> Access {
    let (repeats, len) = (u64::from(d.env.lists[0][2]), (d.env.value >> (16 * i) & 0xfff) * RECORD);
    let operand = if i == 0 { Operand::Src0 } else { Operand::Src1 };
    ub(operand, d.env.words[i], 8, bytes(repeats, len, 4 * len))
}

/// # Safety
/// None needed: reads no memory.
unsafe fn further_lists(d: &Decoded, _: &PipeState, f: &mut dyn FnMut(Access)) -> Result<(), ExecFault> {
    (2..usize::from(d.env.lists[0][0])).for_each(|i| f(list_of(d, i)));
    Ok(())
}

/// # Safety
/// As [`super::execute`].
unsafe fn run_merge<const SHORT: bool>(d: &Decoded, state: &mut PipeState) {
    let [lists, suspend, repeats, ..] = d.env.lists[0].map(usize::from);
    let length: [usize; 4] =
        std::array::from_fn(|i| if i < lists { (d.env.value >> (16 * i) & 0xfff) as usize } else { 0 });
    let each: usize = length.iter().sum();
    let mut taken = [0; 4];
    for r in 0..repeats {
        let from = d.env.words.map(|at| pointer(at + (r * each) as u64 * RECORD));
        let to = pointer(d.accesses[0].addr + (r * each) as u64 * RECORD);
        // SAFETY: the lists and the destination of repeat `r` were checked.
        taken = unsafe { merge::<SHORT>(to, from, length, lists, suspend == 1) };
    }
    let counts = taken.iter().rev().fold(0, |word, n| word << 16 | *n as u64);
    state.set(Spr::Vms4Sr, counts);
}

/// Merges `lists` lists; returns the records taken of each.
///
/// # Safety
/// The lists must be readable and the destination writable, apart from each other.
unsafe fn merge<const SHORT: bool>(
    to: *mut u8,
    from: [*mut u8; 4],
    length: [usize; 4],
    lists: usize,
    suspend: bool,
) -> [usize; 4] {
    let record = |list: usize, i: usize| {
        // SAFETY: i < length[list].
        unsafe { ptr::read_unaligned(from[list].wrapping_add(8 * i).cast::<u64>()) }
    };
    // The key of an exhausted list is below every other.
    let key_at = |list: usize, i: usize| {
        if i < length[list] { key_of::<SHORT>(record(list, i) as u32) } else { i32::MIN }
    };
    let mut taken = [0usize; 4];
    let mut heads: [i32; 4] = std::array::from_fn(|list| key_at(list, 0));
    if suspend && length[..lists].contains(&0) {
        return taken;
    }
    for out in 0..length.iter().sum() {
        let low = usize::from(heads[1] > heads[0]);
        let high = 2 + usize::from(heads[3] > heads[2]);
        let best = if heads[high] > heads[low] { high } else { low };
        // SAFETY: as many records are written as the lists have.
        unsafe { ptr::write_unaligned(to.wrapping_add(8 * out).cast::<u64>(), record(best, taken[best])) };
        taken[best] += 1;
        heads[best] = key_at(best, taken[best]);
        if suspend && taken[best] == length[best] {
            break;
        }
    }
    taken
}
