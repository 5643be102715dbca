//! Gathers: elements by byte offsets, data blocks by byte offsets, elements by mask.
//!
//! - **By offset**: destination element `e` of repeat `r` gets the element at base + offset number `r * elements of a repeat + e` (offsets are used up continuously,
//!   also those of elements that the mask leaves out). Blocks: eight offsets per repeat, no mask; destination block stride 0 means 1.
//! - **By mask**: the elements of a repeat whose bit is set, one after the other, all repeats packed. In normal mode a repeat has 256 bytes and the mask says nothing; in
//!   counter mode a repeat has as many elements as the mask register says (more than 256 bytes is fine) and the number of repeats stays the
//!   field's. Patterns 1 to 7 are fixed and start anew in each repeat; pattern 0 takes bits from a tensor, lowest bit first. RSVD_CNT gets the number of kept elements.
//! - What is gathered and the destination must be apart, with one exception: gather by mask may pack a tensor in place, as long as no repeat reads
//!   what an earlier one has written.
//!
//! A base is the low half of an address; a plain offset inside UB is taken, too.
//!
//! Source: Ascend C API reference, pages Gather, Gatherb, GatherMask; public headers for NpuArch 2201.
//!
//! Unsafe room: reads and writes checked footprints.
#![allow(unsafe_code)]

use super::access::{Access, BurstShape, Lanes, Operand, Shape, VectorShape};
use super::decode::{
    self, DecodeFn, MAX_COUNT, REPEAT_BITS, access, blocks_to_bytes, field, local, overlaps, start,
};
use super::fault::ExecFault;
use super::table::{Entry, nothing};
use super::{Decoded, Env, PipeState, Regs, Work};
use std::ptr;
use toprope_abi::core_face::{REGION_BYTES, SPACE_SHIFT};
use toprope_abi::isa::{Field, FieldId, GatherKind, Layout, OpRow, Space, Spr, ctrl};

/// Decoder of a row of this family.
pub(super) fn make(row: &OpRow, kind: GatherKind, _fast: bool) -> Entry {
    let decode: DecodeFn = match kind {
        GatherKind::Elements => elements,
        GatherKind::DataBlocks => data_blocks,
        GatherKind::Mask => by_mask,
    };
    Entry { decode, lanes: [nothing; 2], wide_bits: row.src.bits(), mode_bit: ctrl::INF_NAN }
}

/// The UB address that 32 bits mean: the low half of an address of this core, or an offset inside UB.
pub(super) fn ub_address(region: u64, low: u32) -> Option<u64> {
    let ub = region + ((Space::Ub as u64) << SPACE_SHIFT);
    if low < 1 << SPACE_SHIFT {
        return Some(ub + u64::from(low));
    }
    let offset = low.wrapping_sub(region as u32);
    let inside = u64::from(offset) < REGION_BYTES && u64::from(offset) >> SPACE_SHIFT == Space::Ub as u64;
    inside.then(|| region + u64::from(offset))
}

const BASE: Field = field(Layout::VecGather, FieldId::GatherBase);
const DST_REPEAT: Field = field(Layout::VecGather, FieldId::DstRepeatStride);
const DST_BLOCK: Field = field(Layout::VecGather, FieldId::DstBlockStride);
const REPEATS: Field = field(Layout::VecGather, FieldId::RepeatTimes);

fn base_of(row: &'static OpRow, regs: &Regs, word: u64) -> Result<u64, ExecFault> {
    let low = BASE.get([word, 0]);
    ub_address(regs.region, low as u32).ok_or(ExecFault::WrongSpace {
        intrinsic: row.intrinsic,
        operand: Operand::Src0,
        address: low,
        expected: Space::Ub,
        found: None,
    })
}

/// `Elements`: dst, offsets, configuration.
fn elements(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    local(row, regs, Operand::Dst, x[0])?;
    local(row, regs, Operand::Offsets, x[1])?;
    let w = [x[2], 0];
    let bits = row.dst.bits();
    let mut d = start(row, entry, if bits == 16 { gather::<u16> } else { gather::<u32> });
    let (repeats, lanes, count) = decode::select(row, regs, REPEATS.get(w), u64::from(bits))?;
    if count == 0 {
        return Ok(d);
    }
    d.env = Env { value: base_of(row, regs, x[2])?, ..Env::default() };
    let dst = VectorShape {
        repeats,
        element_bits: bits,
        block_stride_bytes: 32,
        repeat_stride_bytes: blocks_to_bytes(DST_REPEAT.get(w)),
        lanes,
    };
    let offsets = VectorShape { element_bits: 32, repeat_stride_bytes: REPEAT_BITS as u32 / bits * 4, ..dst };
    d.push(access(Operand::Dst, x[0], Space::Ub, true, 32, Shape::Vector(dst)));
    d.push(access(Operand::Offsets, x[1], Space::Ub, false, 32, Shape::Vector(offsets)));
    apart(&d, &d.accesses[1])?;
    d.more = Some(gathered_elements);
    let tail = matches!(lanes, Lanes::First { each, last } if last < each);
    d.work = Work { repeats: u64::from(repeats), elements: count, bytes: count * u64::from(bits) / 8, tail };
    Ok(d)
}

/// Whether the destination is apart from `other`: by extent, then exactly.
fn apart(d: &Decoded, other: &Access) -> Result<(), ExecFault> {
    let dst = &d.accesses[0];
    if !overlaps(dst.extent(), other.extent()) {
        return Ok(());
    }
    let mut hit = false;
    dst.for_each_range(|a| other.for_each_range(|b| hit |= a.start < b.end && b.start < a.end));
    if hit {
        let (intrinsic, operand) = (d.row.intrinsic, other.operand);
        return Err(ExecFault::Apart { intrinsic, operand, src: other.addr, dst: dst.addr });
    }
    Ok(())
}

fn pointer(address: u64) -> *mut u8 {
    ptr::with_exposed_provenance_mut(address as usize)
}

fn vector_shape(a: &Access) -> VectorShape {
    match a.shape {
        Shape::Vector(v) => v,
        _ => unreachable!("gathers have vector shapes"),
    }
}

/// # Safety
/// The offset must be inside the checked footprint of the offsets.
unsafe fn offset_at(address: u64) -> u64 {
    // SAFETY: the caller vouches for the footprint.
    u64::from(unsafe { ptr::read_unaligned(pointer(address).cast::<u32>()) })
}

/// What a gather reads: a run of neighbours.
fn run_access(addr: u64, bytes: u64, align_bytes: u32) -> Access {
    let shape = BurstShape { count: 1, len_bytes: bytes as u32, step_bytes: bytes };
    access(Operand::Src0, addr, Space::Ub, false, align_bytes, Shape::Bursts(shape))
}

/// The elements that the offsets name; neighbours are told together.
///
/// # Safety
/// As [`super::more_accesses`].
unsafe fn gathered_elements(d: &Decoded, _: &PipeState, f: &mut dyn FnMut(Access)) -> Result<(), ExecFault> {
    let (base, offsets) = (d.env.value, &d.accesses[1]);
    let shape = vector_shape(offsets);
    let bytes = u64::from(d.row.dst.bits() / 8);
    let mut open: Option<(u64, u64)> = None;
    let mut result = Ok(());
    let mut close = |(start, len): (u64, u64)| {
        let a = run_access(start, len, bytes as u32);
        if result.is_ok() {
            result = apart(d, &a);
        }
        f(a);
    };
    for r in 0..shape.repeats {
        let repeat = offsets.addr + u64::from(r) * u64::from(shape.repeat_stride_bytes);
        shape.for_each_run(r, 1 << 40, |e, n| {
            for i in e..e + n {
                // SAFETY: element `i` of the run is inside the checked footprint of the offsets.
                let at = base + unsafe { offset_at(repeat + i * 4) };
                match &mut open {
                    Some((start, len)) if *start + *len == at => *len += bytes,
                    _ => {
                        if let Some(run) = open.replace((at, bytes)) {
                            close(run);
                        }
                    }
                }
            }
        });
    }
    if let Some(run) = open {
        close(run);
    }
    result
}

/// Gathers elements.
///
/// # Safety
/// As [`super::execute`].
unsafe fn gather<T: Copy>(d: &Decoded, _: &mut PipeState) {
    let (base, [dst, offsets, _]) = (d.env.value, &d.accesses);
    let (to, from) = (vector_shape(dst), vector_shape(offsets));
    for r in 0..to.repeats {
        let repeat = pointer(dst.addr + u64::from(r) * u64::from(to.repeat_stride_bytes)).cast::<T>();
        let names = offsets.addr + u64::from(r) * u64::from(from.repeat_stride_bytes);
        to.for_each_run(r, 1 << 40, |e, n| {
            for i in e..e + n {
                // SAFETY: inside the checked footprint of the offsets.
                let at = base + unsafe { offset_at(names + i * 4) };
                // SAFETY: checked by `gathered_elements`; nothing has written the offsets since.
                let element = unsafe { ptr::read_unaligned(pointer(at).cast::<T>()) };
                // SAFETY: inside the checked footprint of the destination, whose blocks follow each other.
                unsafe { ptr::write_unaligned(repeat.wrapping_add(i as usize), element) };
            }
        });
    }
}

/// `DataBlocks`: dst, offsets, configuration.
fn data_blocks(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    /// # Safety
    /// As [`super::execute`].
    unsafe fn run(d: &Decoded, _: &mut PipeState) {
        let (base, [dst, offsets, _]) = (d.env.value, &d.accesses);
        let to = vector_shape(dst);
        for i in 0..u64::from(to.repeats) * 8 {
            // SAFETY: inside the checked footprint of the offsets.
            let from = pointer(base + unsafe { offset_at(offsets.addr + i * 4) });
            let at = (i / 8) * u64::from(to.repeat_stride_bytes) + (i % 8) * u64::from(to.block_stride_bytes);
            // SAFETY: both blocks are inside checked footprints that are apart.
            unsafe { ptr::copy_nonoverlapping(from, pointer(dst.addr + at), 32) };
        }
    }
    /// # Safety
    /// As [`super::more_accesses`].
    unsafe fn more(d: &Decoded, _: &PipeState, f: &mut dyn FnMut(Access)) -> Result<(), ExecFault> {
        for i in 0..u64::from(vector_shape(&d.accesses[0]).repeats) * 8 {
            // SAFETY: inside the checked footprint of the offsets.
            let a = run_access(d.env.value + unsafe { offset_at(d.accesses[1].addr + i * 4) }, 32, 32);
            f(a);
            apart(d, &a)?;
        }
        Ok(())
    }
    local(row, regs, Operand::Dst, x[0])?;
    local(row, regs, Operand::Offsets, x[1])?;
    let w = [x[2], 0];
    let repeats = REPEATS.get(w);
    let mut d = start(row, entry, run);
    if repeats == 0 {
        return Ok(d);
    }
    d.env = Env { value: base_of(row, regs, x[2])?, ..Env::default() };
    let per_repeat = REPEAT_BITS as u32 / row.dst.bits();
    let dst = VectorShape {
        repeats: repeats as u32,
        element_bits: row.dst.bits(),
        block_stride_bytes: blocks_to_bytes(DST_BLOCK.get(w).max(1)),
        repeat_stride_bytes: blocks_to_bytes(DST_REPEAT.get(w)),
        lanes: Lanes::First { each: per_repeat, last: per_repeat },
    };
    let offsets = BurstShape { count: repeats as u32, len_bytes: 32, step_bytes: 32 };
    d.push(access(Operand::Dst, x[0], Space::Ub, true, 32, Shape::Vector(dst)));
    d.push(access(Operand::Offsets, x[1], Space::Ub, false, 32, Shape::Bursts(offsets)));
    apart(&d, &d.accesses[1])?;
    d.more = Some(more);
    d.work = Work {
        repeats,
        elements: repeats * u64::from(per_repeat),
        bytes: repeats * REPEAT_BITS / 8,
        tail: false,
    };
    Ok(d)
}

/// Number of the pattern that is a tensor.
const USER_PATTERN: u64 = 0;

/// The first element of a fixed pattern and the distance to the next.
fn fixed(pattern: u64) -> (u64, u64) {
    match pattern {
        1 => (0, 2),
        2 => (1, 2),
        3..=6 => (pattern - 3, 4),
        _ => (0, 1),
    }
}

/// Elements of `n` that a fixed pattern keeps.
fn kept_of(pattern: u64, n: u64) -> u64 {
    let (first, step) = fixed(pattern);
    (n + step - 1 - first.min(n + step - 1)) / step
}

/// `Mask`: dst, src, pattern, configuration.
fn by_mask(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::GatherMask;
    const N: Field = field(L, FieldId::RepeatTimes);
    const AB: Field = field(L, FieldId::Src0BlockStride);
    const AR: Field = field(L, FieldId::Src0RepeatStride);
    const BR: Field = field(L, FieldId::Src1RepeatStride);
    const PATTERN: Field = field(L, FieldId::PatternMode);
    let w = [x[3], 0];
    let pattern = PATTERN.get(w);
    let bits = row.src.bits();
    let per_repeat = REPEAT_BITS / u64::from(bits);
    let n = if regs.ctrl_bit(ctrl::MASK_COUNTER) { regs.mask[0].min(MAX_COUNT) } else { per_repeat };
    let repeats = if n == 0 { 0 } else { N.get(w) };
    local(row, regs, Operand::Dst, x[0])?;
    local(row, regs, Operand::Src0, x[1])?;
    let mut d = start(row, entry, if bits == 16 { pack::<u16> } else { pack::<u32> });
    d.env = Env { value: pattern, words: [repeats, n, x[0], 0], ..Env::default() };
    let every = |n: u64| Lanes::First { each: n as u32, last: n as u32 };
    let shape = VectorShape {
        repeats: repeats as u32,
        element_bits: bits,
        block_stride_bytes: blocks_to_bytes(AB.get(w)),
        repeat_stride_bytes: blocks_to_bytes(AR.get(w)),
        lanes: every(n),
    };
    // The source comes first: how much is written may depend on the pattern. Without repeats RSVD_CNT still becomes 0.
    let touched = if repeats == 0 { Shape::Empty } else { Shape::Vector(shape) };
    d.push(access(Operand::Src0, x[1], Space::Ub, false, 32, touched));
    if pattern == USER_PATTERN && repeats > 0 {
        local(row, regs, Operand::Mask, x[2])?;
        let bytes = VectorShape {
            element_bits: 8,
            block_stride_bytes: 32,
            repeat_stride_bytes: blocks_to_bytes(BR.get(w)),
            lanes: every(n.div_ceil(8)),
            ..shape
        };
        d.push(access(Operand::Mask, x[2], Space::Ub, false, 32, Shape::Vector(bytes)));
        d.more = Some(packed);
    } else if repeats > 0 {
        let dst = packed_access(&d, kept_of(pattern, n) * repeats);
        check_packed(&d, &dst)?;
        d.push(dst);
    }
    let elements = repeats * n;
    d.work = Work {
        repeats: n.div_ceil(per_repeat) * repeats,
        elements,
        bytes: elements * u64::from(bits) / 8,
        tail: !n.is_multiple_of(per_repeat),
    };
    Ok(d)
}

/// The destination of a gather by mask that keeps `kept` elements.
fn packed_access(d: &Decoded, kept: u64) -> Access {
    let bytes = kept * u64::from(d.row.dst.bits() / 8);
    let shape = match bytes {
        0 => Shape::Empty,
        _ => Shape::Bursts(BurstShape {
            count: 1,
            len_bytes: bytes.min(u64::from(u32::MAX)) as u32,
            step_bytes: bytes.min(u64::from(u32::MAX)),
        }),
    };
    access(Operand::Dst, d.env.words[2], Space::Ub, true, 32, shape)
}

/// Whether packing overwrites nothing that is still to be read.
fn check_packed(d: &Decoded, dst: &Access) -> Result<(), ExecFault> {
    for source in d.accesses() {
        if !overlaps(dst.extent(), source.extent()) {
            continue;
        }
        let forward = source.operand == Operand::Src0 && dst.addr <= source.addr && reads_forward(source);
        if !forward {
            let (intrinsic, operand) = (d.row.intrinsic, source.operand);
            return Err(ExecFault::Apart { intrinsic, operand, src: source.addr, dst: dst.addr });
        }
    }
    Ok(())
}

/// Whether every element lies behind all earlier ones.
fn reads_forward(source: &Access) -> bool {
    let Shape::Vector(s) = source.shape else { return true };
    let one = Shape::Vector(VectorShape { repeats: 1, ..s });
    let span = one.extent().map_or(0, |e| e.end);
    s.block_stride_bytes >= 32 && (s.repeats == 1 || u64::from(s.repeat_stride_bytes) >= span)
}

/// The destination when the pattern is a tensor.
///
/// # Safety
/// As [`super::more_accesses`].
unsafe fn packed(d: &Decoded, _: &PipeState, f: &mut dyn FnMut(Access)) -> Result<(), ExecFault> {
    let [repeats, n, ..] = d.env.words;
    let pattern = &d.accesses[1];
    let stride = u64::from(vector_shape(pattern).repeat_stride_bytes);
    let mut kept = 0;
    for r in 0..repeats {
        for byte in 0..n.div_ceil(8) {
            // SAFETY: inside the checked footprint of the pattern.
            let bits = unsafe { *pointer(pattern.addr + r * stride + byte) };
            let used = (n - byte * 8).min(8);
            kept += u64::from((bits & (0xff >> (8 - used))).count_ones());
        }
    }
    let dst = packed_access(d, kept);
    f(dst);
    check_packed(d, &dst)
}

/// Gathers by mask.
///
/// # Safety
/// As [`super::execute`].
unsafe fn pack<T: Copy>(d: &Decoded, state: &mut PipeState) {
    let [repeats, n, to, _] = d.env.words;
    let mut kept = 0usize;
    if repeats > 0 {
        let (source, shape) = (d.accesses[0].addr, vector_shape(&d.accesses[0]));
        let to = pointer(to).cast::<T>();
        let mut keep = |r: u64, e: u64| {
            let from = source + r * u64::from(shape.repeat_stride_bytes) + shape.element_offset(e);
            // SAFETY: element `e` of repeat `r` is inside the checked footprint of the source.
            let element = unsafe { ptr::read_unaligned(pointer(from).cast::<T>()) };
            // SAFETY: as many elements as the pattern keeps are the checked footprint of the destination.
            unsafe { ptr::write_unaligned(to.wrapping_add(kept), element) };
            kept += 1;
        };
        if d.env.value != USER_PATTERN {
            let (first, step) = fixed(d.env.value);
            for r in 0..repeats {
                let mut e = first;
                while e < n {
                    keep(r, e);
                    e += step;
                }
            }
        } else {
            let pattern = &d.accesses[1];
            let stride = u64::from(vector_shape(pattern).repeat_stride_bytes);
            for r in 0..repeats {
                for byte in 0..n.div_ceil(8) {
                    // SAFETY: inside the checked footprint of the pattern.
                    let mut bits = u64::from(unsafe { *pointer(pattern.addr + r * stride + byte) });
                    while bits != 0 {
                        let e = byte * 8 + u64::from(bits.trailing_zeros());
                        if e < n {
                            keep(r, e);
                        }
                        bits &= bits - 1;
                    }
                }
            }
        }
    }
    state.set(Spr::RsvdCnt, kept as u64);
}
