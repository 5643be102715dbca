//! From configuration words to footprints.

use super::access::{Access, BLOCK_BYTES, BurstShape, Lanes, Operand, Shape, VectorShape};
use super::fault::ExecFault;
use super::table::{self, Entry};
use super::{Decoded, Env, Regs, RunFn, Work, atomic, copy, overlap, walk};
use toprope_abi::core_face::{REGION_BYTES, SPACE_SHIFT};
use toprope_abi::isa::{DType, Field, FieldId, Kind, Layout, OpRow, SPACES, Space, ctrl};

/// Largest element count that is looked at; anything above is beyond every memory anyway.
pub(super) const MAX_COUNT: u64 = 1 << 31;
/// Bytes a vector instruction works on per repeat.
pub(super) const REPEAT_BITS: u64 = 2048;

/// Decodes one instruction with the registers as they are.
///
/// # Errors
/// [`ExecFault`] says what is wrong with the instruction itself. Bounds, capacity and alignment of the
/// operands are not looked at: that is the caller's, with [`Decoded::accesses`].
#[inline]
pub fn decode(row: &'static OpRow, x: &[u64; 4], regs: &Regs) -> Result<Decoded, ExecFault> {
    let entry = table::entry(row);
    (entry.decode)(row, entry, x, regs)
}

/// Decoder of an instruction class.
pub(super) type DecodeFn = fn(&'static OpRow, &'static Entry, &[u64; 4], &Regs) -> Result<Decoded, ExecFault>;

pub(super) const fn field(layout: Layout, id: FieldId) -> Field {
    match layout.field(id) {
        Some(f) => *f,
        None => panic!("layout lacks the field"),
    }
}

/// Strides of an operand in blocks.
#[derive(Clone, Copy)]
pub(super) struct Strides {
    pub block: u64,
    pub repeat: u64,
}

const CONTIGUOUS_BLOCK: u64 = 1;

pub(super) fn not_data(
    row: &'static OpRow,
    _: &'static Entry,
    _: &[u64; 4],
    _: &Regs,
) -> Result<Decoded, ExecFault> {
    Err(ExecFault::NotData { intrinsic: row.intrinsic })
}

/// `Binary`: dst, src0, src1, configuration.
pub(super) fn binary(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::VecBinary;
    const DB: Field = field(L, FieldId::DstBlockStride);
    const AB: Field = field(L, FieldId::Src0BlockStride);
    const BB: Field = field(L, FieldId::Src1BlockStride);
    const DR: Field = field(L, FieldId::DstRepeatStride);
    const AR: Field = field(L, FieldId::Src0RepeatStride);
    const BR: Field = field(L, FieldId::Src1RepeatStride);
    const N: Field = field(L, FieldId::RepeatTimes);
    let w = [x[3], 0];
    let strides = |b: Field, r: Field| Strides { block: b.get(w), repeat: r.get(w) };
    let operands = [
        (Operand::Dst, x[0], row.dst, strides(DB, DR)),
        (Operand::Src0, x[1], row.src, strides(AB, AR)),
        (Operand::Src1, x[2], row.src, strides(BB, BR)),
    ];
    vector(row, entry, regs, &operands, N.get(w), Env::default())
}

pub(super) fn unary_operands(
    row: &'static OpRow,
    x: &[u64; 4],
    config: u64,
) -> ([(Operand, u64, DType, Strides); 2], u64) {
    const L: Layout = Layout::VecUnary;
    const DB: Field = field(L, FieldId::DstBlockStride);
    const AB: Field = field(L, FieldId::Src0BlockStride);
    const DR: Field = field(L, FieldId::DstRepeatStride);
    const AR: Field = field(L, FieldId::Src0RepeatStride);
    const N: Field = field(L, FieldId::RepeatTimes);
    let w = [config, 0];
    let operands = [
        (Operand::Dst, x[0], row.dst, Strides { block: DB.get(w), repeat: DR.get(w) }),
        (Operand::Src0, x[1], row.src, Strides { block: AB.get(w), repeat: AR.get(w) }),
    ];
    (operands, N.get(w))
}

/// `Unary`, `Convert`, `ConvertDeq`, `CopyMasked`: dst, src, configuration.
pub(super) fn unary(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    let (operands, repeats) = unary_operands(row, x, x[2]);
    vector(row, entry, regs, &operands, repeats, Env { value: regs.deq_scale, ..Env::default() })
}

/// `Scalar`: dst, src, scalar bits, configuration.
pub(super) fn scalar(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    use toprope_abi::isa::ScalarFn::{ShiftLeft, ShiftRight};
    if let Kind::Scalar(ShiftLeft | ShiftRight) = row.kind {
        let max = u64::from(row.dst.bits());
        let asked = if max == 16 { i64::from(x[2] as i16) } else { i64::from(x[2] as i32) };
        if asked < 0 || asked as u64 > max {
            return Err(ExecFault::ScalarRange { intrinsic: row.intrinsic, asked, max });
        }
    }
    let (operands, repeats) = unary_operands(row, x, x[3]);
    vector(row, entry, regs, &operands, repeats, Env { value: x[2], ..Env::default() })
}

const DUP_DB: Field = field(Layout::VecDup, FieldId::DstBlockStride);
const DUP_DR: Field = field(Layout::VecDup, FieldId::DstRepeatStride);
const DUP_N: Field = field(Layout::VecDup, FieldId::RepeatTimes);

/// `Duplicate`: dst, scalar bits, configuration.
pub(super) fn duplicate(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    let w = [x[2], 0];
    let operands = [(Operand::Dst, x[0], row.dst, Strides { block: DUP_DB.get(w), repeat: DUP_DR.get(w) })];
    vector(row, entry, regs, &operands, DUP_N.get(w), Env { value: x[1], ..Env::default() })
}

/// `Brcb`: dst, src, configuration; no mask.
pub(super) fn brcb(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    let w = [x[2], 0];
    let repeats = DUP_N.get(w);
    let dst = local(row, regs, Operand::Dst, x[0])?;
    let src = local(row, regs, Operand::Src0, x[1])?;
    let mut d = start(row, entry, walk::brcb);
    if repeats == 0 {
        return Ok(d);
    }
    if DUP_DB.get(w) == 0 {
        return Err(ExecFault::ZeroDstBlockStride { intrinsic: row.intrinsic, blocks: 8 });
    }
    let bits = row.dst.bits();
    let each = REPEAT_BITS / u64::from(bits);
    let dst_shape = VectorShape {
        repeats: repeats as u32,
        element_bits: bits,
        block_stride_bytes: blocks_to_bytes(DUP_DB.get(w)),
        repeat_stride_bytes: blocks_to_bytes(DUP_DR.get(w)),
        lanes: Lanes::First { each: each as u32, last: each as u32 },
    };
    let src_shape = BurstShape { count: repeats as u32, len_bytes: bits, step_bytes: u64::from(bits) };
    d.push(access(Operand::Dst, x[0], dst, true, 32, Shape::Vector(dst_shape)));
    d.push(access(Operand::Src0, x[1], src, false, 32, Shape::Bursts(src_shape)));
    if overlaps(d.accesses[0].extent(), d.accesses[1].extent()) {
        overlap::check_brcb(&mut d);
    }
    d.work =
        Work { repeats, elements: repeats * each, bytes: repeats * each * u64::from(bits) / 8, tail: false };
    Ok(d)
}

/// `CopyBurst`: dst, src, configuration.
pub(super) fn burst(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::Burst;
    const SID: Field = field(L, FieldId::Sid);
    const COUNT: Field = field(L, FieldId::BurstCount);
    const LEN: Field = field(L, FieldId::BurstLen);
    const SRC_GAP: Field = field(L, FieldId::SrcGap);
    const DST_GAP: Field = field(L, FieldId::DstGap);
    let Kind::CopyBurst(path) = row.kind else { return not_data(row, entry, x, regs) };
    let w = [x[2], 0];
    check_field(row, &SID, w)?;
    let (count, len) = (COUNT.get(w), LEN.get(w) * BLOCK_BYTES);
    let steps = [len + DST_GAP.get(w) * BLOCK_BYTES, len + SRC_GAP.get(w) * BLOCK_BYTES];
    copy_bursts(row, entry, regs, [x[0], x[1]], path.ends(), (count, len, len), steps, Env::default())
}

/// `CopyAlign`: dst, src, two configuration words.
pub(super) fn align(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const IN: Layout = Layout::AlignIn;
    const OUT: Layout = Layout::AlignOut;
    const SID: Field = field(IN, FieldId::Sid);
    const COUNT: Field = field(IN, FieldId::BurstCount);
    const LEN: Field = field(IN, FieldId::BurstLen);
    const LEFT: Field = field(IN, FieldId::LeftPad);
    const RIGHT: Field = field(IN, FieldId::RightPad);
    const IN_SRC_GAP: Field = field(IN, FieldId::SrcGap);
    const IN_DST_GAP: Field = field(IN, FieldId::DstGap);
    const OUT_SRC_GAP: Field = field(OUT, FieldId::SrcGap);
    const OUT_DST_GAP: Field = field(OUT, FieldId::DstGap);
    let Kind::CopyAlign(path) = row.kind else { return not_data(row, entry, x, regs) };
    let w = [x[2], x[3]];
    check_field(row, &SID, w)?;
    let (count, len) = (COUNT.get(w), LEN.get(w));
    let element_bytes = u64::from(row.dst.bits() / 8);
    if len & (element_bytes - 1) != 0 {
        return Err(ExecFault::PartialElement { intrinsic: row.intrinsic, len_bytes: len, element_bytes });
    }
    if row.layout as u32 == OUT as u32 {
        let steps = [len + OUT_DST_GAP.get(w), round_up(len) + OUT_SRC_GAP.get(w) * BLOCK_BYTES];
        return copy_bursts(
            row,
            entry,
            regs,
            [x[0], x[1]],
            path.ends(),
            (count, len, len),
            steps,
            Env::default(),
        );
    }
    let mut pads_bytes = [0u8; 2];
    for (pad, f) in pads_bytes.iter_mut().zip([LEFT, RIGHT]) {
        check_field(row, &f, w)?;
        let bytes = f.get(w) * element_bytes;
        if bytes > BLOCK_BYTES {
            return Err(ExecFault::PadRange { intrinsic: row.intrinsic, field: f.id, bytes });
        }
        *pad = bytes as u8;
    }
    let dst_len = round_up(len + u64::from(pads_bytes[0]) + u64::from(pads_bytes[1]));
    let steps = [dst_len + IN_DST_GAP.get(w) * BLOCK_BYTES, len + IN_SRC_GAP.get(w)];
    let env = Env { value: regs.pad_value, pads_bytes, ..Env::default() };
    copy_bursts(row, entry, regs, [x[0], x[1]], path.ends(), (count, dst_len, len), steps, env)
}

/// Strides have at most 16 bits.
#[inline]
pub(super) fn blocks_to_bytes(blocks: u64) -> u32 {
    blocks as u32 * BLOCK_BYTES as u32
}

fn round_up(bytes: u64) -> u64 {
    (bytes + BLOCK_BYTES - 1) & !(BLOCK_BYTES - 1)
}

/// Builds a copy; `lens` = bursts, destination bytes and source bytes of one burst; pairs are (dst, src).
#[allow(clippy::too_many_arguments)]
fn copy_bursts(
    row: &'static OpRow,
    entry: &'static Entry,
    regs: &Regs,
    [dst, src]: [u64; 2],
    (src_space, dst_space): (Space, Space),
    (count, dst_len, src_len): (u64, u64, u64),
    [dst_step, src_step]: [u64; 2],
    mut env: Env,
) -> Result<Decoded, ExecFault> {
    in_space(row, regs, Operand::Dst, dst, dst_space)?;
    in_space(row, regs, Operand::Src0, src, src_space)?;
    let to_gm = dst_space as u32 == Space::Gm as u32;
    let mut d = start(row, entry, copy::plain);
    if count == 0 || src_len == 0 {
        return Ok(d);
    }
    let mut dst_align = local_align(dst_space);
    if to_gm && regs.atomic_on() {
        env.atomic = ((regs.ctrl >> ctrl::ATOMIC_TYPE_LO) & 31) as u8;
        dst_align = atomic_granule(row, env.atomic, src_len)?;
        env.clamp = !regs.ctrl_bit(ctrl::INF_NAN);
        d.run = atomic::copy;
    } else if dst_len != src_len {
        d.run = copy::padded;
    }
    d.env = env;
    // With one burst the gap means nothing.
    let step = |step: u64, len: u64| if count == 1 { len } else { step };
    let dst_shape =
        BurstShape { count: count as u32, len_bytes: dst_len as u32, step_bytes: step(dst_step, dst_len) };
    let src_shape =
        BurstShape { count: count as u32, len_bytes: src_len as u32, step_bytes: step(src_step, src_len) };
    d.push(access(Operand::Dst, dst, dst_space, true, dst_align, Shape::Bursts(dst_shape)));
    d.accesses[0].atomic = env.atomic != 0;
    d.push(access(Operand::Src0, src, src_space, false, local_align(src_space), Shape::Bursts(src_shape)));
    d.work = Work { repeats: count, elements: count * src_len, bytes: count * src_len, tail: false };
    Ok(d)
}

pub(super) fn local_align(space: Space) -> u32 {
    if space as u32 == Space::Gm as u32 { 1 } else { 32 }
}

/// Element size of the atomic type; bursts have to be whole elements.
pub(super) fn atomic_granule(row: &'static OpRow, code: u8, len_bytes: u64) -> Result<u32, ExecFault> {
    let intrinsic = row.intrinsic;
    let Some(element_bytes) = atomic::element_bytes(code) else {
        let (atomic_type, atomic_op) = (u64::from(code & 7), u64::from(code >> 3));
        return Err(ExecFault::BadAtomic { intrinsic, atomic_type, atomic_op });
    };
    if !len_bytes.is_multiple_of(u64::from(element_bytes)) {
        return Err(ExecFault::PartialElement {
            intrinsic,
            len_bytes,
            element_bytes: u64::from(element_bytes),
        });
    }
    Ok(element_bytes)
}

#[inline]
pub(super) fn check_field(row: &'static OpRow, f: &Field, w: [u64; 2]) -> Result<(), ExecFault> {
    let asked = f.get(w);
    if asked < f.min || asked > f.max {
        let intrinsic = row.intrinsic;
        return Err(ExecFault::FieldRange { intrinsic, field: f.id, asked, min: f.min, max: f.max });
    }
    Ok(())
}

/// The memory an address is in; `None` inside the region but in no memory.
#[inline]
pub(super) fn space_of(regs: &Regs, address: u64) -> Option<Space> {
    let offset = address.wrapping_sub(regs.region);
    if offset >= REGION_BYTES {
        return Some(Space::Gm);
    }
    match offset >> SPACE_SHIFT {
        0 => None,
        n => Some(SPACES[n as usize].0),
    }
}

#[inline]
pub(super) fn in_space(
    row: &'static OpRow,
    regs: &Regs,
    operand: Operand,
    address: u64,
    expected: Space,
) -> Result<Space, ExecFault> {
    let found = space_of(regs, address);
    if found != Some(expected) {
        return Err(ExecFault::WrongSpace { intrinsic: row.intrinsic, operand, address, expected, found });
    }
    Ok(expected)
}

#[inline]
pub(super) fn local(
    row: &'static OpRow,
    regs: &Regs,
    operand: Operand,
    address: u64,
) -> Result<Space, ExecFault> {
    in_space(row, regs, operand, address, Space::Ub)
}

#[inline]
pub(super) fn access(
    operand: Operand,
    addr: u64,
    space: Space,
    write: bool,
    align_bytes: u32,
    shape: Shape,
) -> Access {
    Access::new(operand, addr, space, write, align_bytes, shape)
}

const NO_ACCESS: Access = Access {
    operand: Operand::Dst,
    addr: 0,
    write: false,
    atomic: false,
    space: Space::Ub,
    align_bytes: 1,
    shape: Shape::Empty,
    bounds: (0, 0),
    is_solid: true,
};

#[inline]
pub(super) fn start(row: &'static OpRow, entry: &'static Entry, run: RunFn) -> Decoded {
    Decoded {
        row,
        run,
        more: None,
        lane: entry.lanes[0],
        env: Env::default(),
        accesses: [NO_ACCESS; 3],
        access_count: 0,
        hazard: None,
        overwritten: None,
        whole: 0,
        work: Work::default(),
    }
}

impl Decoded {
    #[inline]
    pub(super) fn push(&mut self, access: Access) {
        self.accesses[usize::from(self.access_count)] = access;
        self.access_count += 1;
    }
}

/// Builds a vector instruction.
#[inline]
pub(super) fn vector(
    row: &'static OpRow,
    entry: &'static Entry,
    regs: &Regs,
    operands: &[(Operand, u64, DType, Strides)],
    repeat_field: u64,
    env: Env,
) -> Result<Decoded, ExecFault> {
    for (operand, address, ..) in operands {
        local(row, regs, *operand, *address)?;
    }
    let mut d = start(row, entry, walk::vector);
    let bits = u64::from(entry.wide_bits);
    let per_repeat = REPEAT_BITS >> bits.trailing_zeros();
    let (repeats, lanes, elements) = select(row, regs, repeat_field, bits)?;
    if elements == 0 {
        return Ok(d);
    }
    if row.dst.bits() == 4 || row.src.bits() == 4 {
        check_pairs(row, lanes)?;
    }
    d.env = env;
    let clamp = (regs.ctrl >> entry.mode_bit) & 1 == 0;
    d.lane = entry.lanes[usize::from(!clamp)];
    let full = matches!(lanes, Lanes::First { each, .. } if u64::from(each) == per_repeat || repeats == 1);
    let mut contiguous = full;
    for (i, (operand, address, dtype, strides)) in operands.iter().enumerate() {
        let element_bits = dtype.bits();
        let shape = VectorShape {
            repeats,
            element_bits,
            block_stride_bytes: blocks_to_bytes(strides.block),
            repeat_stride_bytes: blocks_to_bytes(strides.repeat),
            lanes,
        };
        let packed = strides.block == CONTIGUOUS_BLOCK
            && (repeats == 1 || strides.repeat * (8 * BLOCK_BYTES) == per_repeat * u64::from(element_bits));
        contiguous &= packed;
        let shape = Shape::Vector(shape);
        d.accesses[i] = if full && packed {
            Access {
                operand: *operand,
                addr: *address,
                write: i == 0,
                atomic: false,
                space: Space::Ub,
                align_bytes: 32,
                shape,
                bounds: (0, (elements * u64::from(element_bits)) >> 3),
                is_solid: element_bits >= 8,
            }
        } else {
            access(*operand, *address, Space::Ub, i == 0, 32, shape)
        };
    }
    d.access_count = operands.len() as u8;
    d.whole = if contiguous { elements } else { 0 };
    let dst_bits = u64::from(row.dst.bits());
    if operands[0].3.block == 0 {
        check_dst_blocks(row, repeats, lanes, 256 / row.dst.bits())?;
    }
    if operands_meet(&d, contiguous, elements) {
        overlap::check(&mut d);
    }
    let tail =
        matches!(lanes, Lanes::First { each, last } if last < each) && regs.ctrl_bit(ctrl::MASK_COUNTER);
    d.work = Work { repeats: u64::from(repeats), elements, bytes: elements * dst_bits / 8, tail };
    Ok(d)
}

/// Whether a source's extent meets the destination's, except for operands that are simply the same.
#[inline]
fn operands_meet(d: &Decoded, contiguous: bool, elements: u64) -> bool {
    let Some((dst, sources)) = d.accesses().split_first() else { return false };
    let (dst_bits, src_bits) = (d.row.dst.bits(), d.row.src.bits());
    if !contiguous {
        return sources.iter().any(|src| overlaps(dst.extent(), src.extent()));
    }
    let end = |a: &Access, bits: u32| a.addr.saturating_add((elements * u64::from(bits)) >> 3);
    sources.iter().any(|src| {
        let same = dst.addr == src.addr && dst_bits == src_bits;
        !same && dst.addr < end(src, src_bits) && src.addr < end(dst, dst_bits)
    })
}

#[inline]
pub(super) fn overlaps(a: Option<std::ops::Range<u64>>, b: Option<std::ops::Range<u64>>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a.start < b.end && b.start < a.end)
}

/// Repeats, selected elements per repeat, and their total.
#[inline]
pub(super) fn select(
    row: &'static OpRow,
    regs: &Regs,
    repeat_field: u64,
    bits: u64,
) -> Result<(u32, Lanes, u64), ExecFault> {
    let per_repeat = REPEAT_BITS >> bits.trailing_zeros();
    if regs.ctrl_bit(ctrl::MASK_COUNTER) {
        let count = regs.mask[0].min(MAX_COUNT);
        if let Kind::CopyMasked = row.kind {
            return Ok((
                repeat_field as u32,
                Lanes::First { each: count as u32, last: count as u32 },
                count * repeat_field,
            ));
        }
        let repeats = (count + per_repeat - 1) >> per_repeat.trailing_zeros();
        let last = count - repeats.saturating_sub(1) * per_repeat;
        return Ok((repeats as u32, Lanes::First { each: per_repeat as u32, last: last as u32 }, count));
    }
    if repeat_field == 0 {
        return Ok((0, Lanes::First { each: 0, last: 0 }, 0));
    }
    let used = (per_repeat as u32).min(128);
    let mask = (u128::from(regs.mask[0]) | (u128::from(regs.mask[1]) << 64)) & (u128::MAX >> (128 - used));
    if mask == 0 {
        return Err(ExecFault::EmptyMask { intrinsic: row.intrinsic, bits: bits as u32, used });
    }
    let ones = mask.count_ones();
    // A mask that is a run from bit 0 needs no bits.
    let lanes = if mask & mask.wrapping_add(1) == 0 {
        Lanes::First { each: ones, last: ones }
    } else {
        Lanes::Bits([mask as u64, (mask >> 64) as u64])
    };
    Ok((repeat_field as u32, lanes, u64::from(ones) * repeat_field))
}

/// 4-bit elements: the selection must take whole bytes.
fn check_pairs(row: &'static OpRow, lanes: Lanes) -> Result<(), ExecFault> {
    let split = match lanes {
        Lanes::First { each, .. } if each % 2 == 1 => Some(each - 1),
        Lanes::First { last, .. } if last % 2 == 1 => Some(last - 1),
        Lanes::First { .. } => None,
        Lanes::Bits(words) => {
            let mask = u128::from(words[0]) | (u128::from(words[1]) << 64);
            let odd = (mask ^ (mask >> 1)) & (u128::MAX / 3);
            (odd != 0).then(|| odd.trailing_zeros())
        }
    };
    match split {
        Some(e) => Err(ExecFault::SplitPair { intrinsic: row.intrinsic, element: e }),
        None => Ok(()),
    }
}

/// Destination block stride 0 is only meaningful if one block is written.
pub(super) fn check_dst_blocks(
    row: &'static OpRow,
    repeats: u32,
    lanes: Lanes,
    per_block: u32,
) -> Result<(), ExecFault> {
    let blocks = match lanes {
        Lanes::First { last, .. } if repeats == 1 => last.div_ceil(per_block),
        Lanes::First { each, .. } => each.div_ceil(per_block),
        Lanes::Bits(words) => {
            let mask = u128::from(words[0]) | (u128::from(words[1]) << 64);
            (0..128 / per_block).filter(|b| (mask >> (b * per_block)) & ((1 << per_block) - 1) != 0).count()
                as u32
        }
    };
    if blocks > 1 {
        return Err(ExecFault::ZeroDstBlockStride { intrinsic: row.intrinsic, blocks });
    }
    Ok(())
}
