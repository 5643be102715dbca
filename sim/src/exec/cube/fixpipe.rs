//! Fixpipe: L0C → GM or L1, with conversion on the way.
//!
//! The source is in Nz cells: row `r` of column group `g` are 16 words at `(g · srcStride + r) · 64` bytes. The destination:
//!
//! | form | piece | where |
//! |---|---|---|
//! | NZ → ND | 16 columns of a row | `matrix · dstNdStride + row · dstStride + group · 16` elements |
//! | NZ | 16 columns of a row | `group · dstStride · 32` bytes `+ row · 16` elements |
//! | NZ, 8 bits | 32 columns of a row | `pair · dstStride · 32 + row · 32` bytes; an odd last group stays alone, rows of 16 bytes |
//! | NZ, channel split | 8 columns of a row | `eighth · dstStride · 32 + row · 32` bytes |
//!
//! Writes to GM are atomic if CTRL says so. What happens to an element is in `quant`.
//!
//! Unsafe room: reads and writes checked footprints.
#![allow(unsafe_code)]

use super::super::access::{Access, BurstShape, Operand, Shape};
use super::super::atomic;
use super::super::decode::{access, atomic_granule, check_field, field, in_space, start};
use super::super::table::Entry;
use super::super::{Decoded, Env, ExecFault, PipeState, Regs, Work};
use super::quant::{self, Parameter};
use super::{CELL_BYTES, Unit, unit_done};
use std::ptr;
use toprope_abi::core_face::SPACE_SHIFT;
use toprope_abi::isa::{CubeKind, DType, Field, FieldId, Kind, Layout, OpRow, Space, Spr, ctrl, quant_mode};

const L: Layout = Layout::Fixpipe;
const SID: Field = field(L, FieldId::Sid);
const N: Field = field(L, FieldId::NSize);
const M: Field = field(L, FieldId::MSize);
const DST_STRIDE: Field = field(L, FieldId::DstRowStride);
const SRC_STRIDE: Field = field(L, FieldId::SrcColumnStride);
const UNIT: Field = field(L, FieldId::UnitFlag);
const QUANT: Field = field(L, FieldId::QuantMode);
const RELU: Field = field(L, FieldId::ReluMode);
const SPLIT: Field = field(L, FieldId::ChannelSplit);
const TO_ND: Field = field(L, FieldId::NzToNd);
const ND_NUM: Field = field(Layout::NdPara, FieldId::NdNum);
const SRC_ND: Field = field(Layout::NdPara, FieldId::SrcNdStride);
const DST_ND: Field = field(Layout::NdPara, FieldId::DstNdStride);

const M_MAX_ND: u64 = 8192;
/// Columns of a group, and bytes of 16 words.
const GROUP: u64 = 16;
const ROW_BYTES: u64 = 64;
const BLOCK_BYTES: u64 = 32;

/// Quantisation modes of each pair of types: the one with a parameter for all columns (or without any), the one with a parameter each.
fn modes(src: DType, dst: DType) -> (u64, Option<u64>, &'static str) {
    use quant_mode as q;
    match (src, dst) {
        (DType::F32, DType::F16) => (q::F322F16, None, "F322F16"),
        (DType::F32, DType::Bf16) => (q::F322BF16, None, "F322BF16"),
        (DType::F32, DType::S8 | DType::U8) => {
            (q::QF322B8_PRE, Some(q::VQF322B8_PRE), "QF322B8_PRE, VQF322B8_PRE")
        }
        (DType::S32, DType::F16) => (q::DEQF16, Some(q::VDEQF16), "DEQF16, VDEQF16"),
        (DType::S32, DType::S8 | DType::U8) => (q::REQ8, Some(q::VREQ8), "REQ8, VREQ8"),
        _ => (q::NO_QUANT, None, "NoQuant"),
    }
}

/// What is kept of an instruction.
///
/// `words`: configuration, second configuration, `ND_PARA`, and the quantisation parameter or its address.
#[derive(Clone, Copy)]
struct Fields {
    n: u64,
    m: u64,
    dst_stride: u64,
    src_stride: u64,
    relu: bool,
    split: bool,
    to_nd: bool,
    nd_num: u64,
    src_nd_bytes: u64,
    dst_nd: u64,
    element_bytes: u64,
    per_column: bool,
}

fn fields(row: &OpRow, words: &[u64; 4]) -> Fields {
    let (w, nd) = ([words[0], words[1]], [words[2], 0]);
    let to_nd = TO_ND.get(w) == 1;
    Fields {
        n: N.get(w),
        m: M.get(w),
        dst_stride: DST_STRIDE.get(w),
        src_stride: SRC_STRIDE.get(w),
        relu: RELU.get(w) != 0,
        split: SPLIT.get(w) == 1,
        to_nd,
        nd_num: if to_nd { ND_NUM.get(nd) } else { 1 },
        src_nd_bytes: SRC_ND.get(nd) * CELL_BYTES,
        dst_nd: DST_ND.get(nd),
        element_bytes: u64::from(row.dst.bits() / 8),
        per_column: modes(row.src, row.dst).1 == Some(QUANT.get(w)),
    }
}

impl Fields {
    fn groups(&self) -> u64 {
        self.n.div_ceil(GROUP)
    }

    /// 8-bit results of NZ form two groups of columns to one.
    fn merges(&self) -> bool {
        self.element_bytes == 1 && !self.to_nd
    }

    /// Whether a merged result has a group left over.
    fn has_odd_group(&self) -> bool {
        self.merges() && self.groups() % 2 == 1
    }

    /// Footprint of one matrix at the destination, without an odd last group.
    fn dst_shape(&self) -> Option<BurstShape> {
        let (count, len, step) = if self.to_nd {
            (self.m, self.n * self.element_bytes, self.dst_stride * self.element_bytes)
        } else if self.split {
            (self.n / 8, self.m * BLOCK_BYTES, self.dst_stride * BLOCK_BYTES)
        } else if self.merges() {
            (self.groups() / 2, self.m * BLOCK_BYTES, self.dst_stride * BLOCK_BYTES)
        } else {
            (self.groups(), self.m * GROUP * self.element_bytes, self.dst_stride * BLOCK_BYTES)
        };
        let step_bytes = if count == 1 { len } else { step };
        (count > 0).then_some(BurstShape { count: count as u32, len_bytes: len as u32, step_bytes })
    }

    fn src_shape(&self) -> BurstShape {
        BurstShape {
            count: self.groups() as u32,
            len_bytes: (self.m * ROW_BYTES) as u32,
            step_bytes: self.src_stride * ROW_BYTES,
        }
    }

    /// Byte offset of the odd last group.
    fn odd_offset(&self) -> u64 {
        self.groups() / 2 * self.dst_stride * BLOCK_BYTES
    }

    /// Byte offset of 16 columns of a row at the destination (with channel split: of the first 8).
    fn dst_offset(&self, matrix: u64, group: u64, row: u64) -> u64 {
        let e = self.element_bytes;
        if self.to_nd {
            (matrix * self.dst_nd + row * self.dst_stride + group * GROUP) * e
        } else if self.split {
            group * 2 * self.dst_stride * BLOCK_BYTES + row * BLOCK_BYTES
        } else if self.merges() {
            if group + 1 == self.groups() && self.has_odd_group() {
                return self.odd_offset() + row * GROUP;
            }
            group / 2 * self.dst_stride * BLOCK_BYTES + row * BLOCK_BYTES + group % 2 * GROUP
        } else {
            group * self.dst_stride * BLOCK_BYTES + row * GROUP * e
        }
    }
}

/// Matrices an instruction reads, and the bytes from one to the next.
pub(super) fn matrices(d: &Decoded) -> (u64, u64) {
    let f = fields(d.row, &d.env.words);
    (f.nd_num, f.src_nd_bytes)
}

/// `FixpipeToGm`, `FixpipeToL1`: destination, source, two configuration words.
pub(super) fn decode(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    let to_gm = matches!(row.kind, Kind::Cube(CubeKind::FixpipeToGm));
    let dst_space = if to_gm { Space::Gm } else { Space::L1 };
    in_space(row, regs, Operand::Dst, x[0], dst_space)?;
    in_space(row, regs, Operand::Src0, x[1], Space::L0c)?;
    let words = [x[2], x[3], regs.get(Spr::NdPara), 0];
    let f = fields(row, &words);
    let unit = check_modes(row, &f, [x[2], x[3]])?;
    let mut d = start(row, entry, run);
    if f.n == 0 || f.m == 0 {
        return Ok(d);
    }
    check_sizes(row, &f, to_gm)?;
    d.env = Env { unit, words, clamp: !regs.ctrl_bit(ctrl::INF_NAN), ..Env::default() };
    d.lane = entry.lanes[usize::from(!d.env.clamp)];
    push_footprints(&mut d, x, &f, regs, dst_space)?;
    push_parameters(&mut d, &f, regs)?;
    let elements = f.nd_num * f.m * f.n;
    let bytes = if to_gm { elements * f.element_bytes } else { elements * 4 };
    d.work = Work { repeats: f.nd_num * f.m, elements, bytes, tail: false };
    Ok(d)
}

/// Fields that are wrong by themselves or with each other.
fn check_modes(row: &'static OpRow, f: &Fields, w: [u64; 2]) -> Result<Unit, ExecFault> {
    let intrinsic = row.intrinsic;
    let value = |field: FieldId, asked: u64, allowed: &'static str| ExecFault::FieldValue {
        intrinsic,
        field,
        asked,
        allowed,
    };
    check_field(row, &SID, w)?;
    check_field(row, &RELU, w)?;
    let (single, vector, names) = modes(row.src, row.dst);
    let asked = QUANT.get(w);
    if asked != single && Some(asked) != vector {
        return Err(value(FieldId::QuantMode, asked, names));
    }
    let unit = Unit::new(UNIT.get(w), true).ok_or(value(FieldId::UnitFlag, UNIT.get(w), "0, 2, 3"))?;
    let to_l1 = matches!(row.kind, Kind::Cube(CubeKind::FixpipeToL1));
    let excluded = |what: &'static str| Err(ExecFault::Excluded { intrinsic, what });
    if f.split && (f.to_nd || unit != Unit::None) {
        return excluded("channelSplit together with NZ to ND or with unitFlag");
    }
    if f.split && (to_l1 || row.src != DType::F32 || row.dst != DType::F32) {
        return excluded("channelSplit is for float to float into GM");
    }
    if f.to_nd && to_l1 {
        return excluded("NZ to ND is for GM: L1 takes NZ only");
    }
    Ok(unit)
}

/// Sizes and strides.
fn check_sizes(row: &'static OpRow, f: &Fields, to_gm: bool) -> Result<(), ExecFault> {
    let intrinsic = row.intrinsic;
    let of = if f.split { 8 } else { GROUP };
    if !f.to_nd && !f.n.is_multiple_of(of) {
        return Err(ExecFault::NotMultiple { intrinsic, field: FieldId::NSize, asked: f.n, of });
    }
    let range = |field: FieldId, asked: u64, min: u64, max: u64| {
        if asked < min || asked > max {
            return Err(ExecFault::FieldRange { intrinsic, field, asked, min, max });
        }
        Ok(())
    };
    if f.to_nd {
        range(FieldId::MSize, f.m, 1, M_MAX_ND)?;
        range(FieldId::NdNum, f.nd_num, 1, ND_NUM.max)?;
        if f.nd_num > 1 {
            range(FieldId::SrcNdStride, f.src_nd_bytes / CELL_BYTES, 1, SRC_ND.max)?;
            range(FieldId::DstNdStride, f.dst_nd, 1, DST_ND.max)?;
        }
    }
    range(FieldId::DstRowStride, f.dst_stride, 1, DST_STRIDE.max)?;
    let _ = to_gm;
    let parts = f.dst_shape();
    if let Some(s) = parts.filter(|s| s.count > 1 && s.step_bytes < u64::from(s.len_bytes)) {
        return Err(ExecFault::DstOverlap {
            intrinsic,
            field: FieldId::DstRowStride,
            asked: f.dst_stride,
            len_bytes: u64::from(s.len_bytes),
            step_bytes: s.step_bytes,
        });
    }
    Ok(())
}

fn push_footprints(
    d: &mut Decoded,
    x: &[u64; 4],
    f: &Fields,
    regs: &Regs,
    dst_space: Space,
) -> Result<(), ExecFault> {
    let mut align = if f.to_nd { 1 } else { BLOCK_BYTES as u32 };
    let to_gm = dst_space as u32 == Space::Gm as u32;
    if to_gm && regs.atomic_on() {
        d.env.atomic = ((regs.ctrl >> ctrl::ATOMIC_TYPE_LO) & 31) as u8;
        align = align.max(atomic_granule(d.row, d.env.atomic, f.element_bytes)?);
    }
    let shape = f.dst_shape().map_or(Shape::Empty, Shape::Bursts);
    d.push(access(Operand::Dst, x[0], dst_space, true, align, shape));
    d.accesses[0].atomic = d.env.atomic != 0;
    d.push(access(Operand::Src0, x[1], Space::L0c, false, 64, Shape::Bursts(f.src_shape())));
    if f.nd_num > 1 || f.has_odd_group() || f.per_column {
        d.more = Some(more);
    }
    Ok(())
}

/// The quantisation parameter, or where the parameters are.
fn push_parameters(d: &mut Decoded, f: &Fields, regs: &Regs) -> Result<(), ExecFault> {
    let needs = modes(d.row.src, d.row.dst).1.is_some();
    if !needs {
        return Ok(());
    }
    if !f.per_column {
        let word = regs.get(Spr::QuantPre);
        if let Some(bits) = quant::bad_factor(word) {
            return Err(ExecFault::QuantFactor { intrinsic: d.row.intrinsic, column: 0, bits });
        }
        d.env.words[3] = word;
        return Ok(());
    }
    // FPC[15:8], in units of 128 bytes.
    let block = (regs.get(Spr::Fpc) >> 8) & 0xff;
    let at = regs.region + ((Space::Fb as u64) << SPACE_SHIFT) + block * 128;
    d.env.words[3] = at;
    let bytes = f.n * 8;
    let shape = BurstShape { count: 1, len_bytes: bytes as u32, step_bytes: bytes };
    d.push(access(Operand::Parameters, at, Space::Fb, false, 64, Shape::Bursts(shape)));
    Ok(())
}

/// Further matrices, an odd last group, and a look at the parameters.
///
/// # Safety
/// The accesses of `d` must be readable.
unsafe fn more(d: &Decoded, _: &PipeState, tell: &mut dyn FnMut(Access)) -> Result<(), ExecFault> {
    let f = fields(d.row, &d.env.words);
    let (dst, src) = (d.accesses[0], d.accesses[1]);
    for matrix in 1..f.nd_num {
        let offset = matrix * f.dst_nd * f.element_bytes;
        tell(Access { addr: dst.addr + offset, ..dst });
        tell(Access { addr: src.addr + matrix * f.src_nd_bytes, ..src });
    }
    if f.has_odd_group() {
        let len = f.m * GROUP;
        let shape = BurstShape { count: 1, len_bytes: len as u32, step_bytes: len };
        tell(dst.reshaped(dst.addr + f.odd_offset(), Shape::Bursts(shape)));
    }
    if !f.per_column {
        return Ok(());
    }
    for column in 0..f.n {
        // SAFETY: n parameters are in the checked footprint.
        let word = unsafe { parameter(d.env.words[3], column) };
        if let Some(bits) = quant::bad_factor(word) {
            return Err(ExecFault::QuantFactor { intrinsic: d.row.intrinsic, column, bits });
        }
    }
    Ok(())
}

/// # Safety
/// Parameter `column` from `at` must be readable.
unsafe fn parameter(at: u64, column: u64) -> u64 {
    let from = ptr::with_exposed_provenance::<u64>(at as usize).wrapping_add(column as usize);
    // SAFETY: by contract.
    unsafe { ptr::read_unaligned(from) }
}

/// What happens to 16 columns of a row: source words, parameters of the columns, result bytes.
type ConvertFn = unsafe fn(&Decoded, &Fields, &[u32; 16], &[Parameter; 16], &mut [u8; 64]);

/// Writes a result.
///
/// # Safety
/// As [`super::super::execute`].
unsafe fn run(d: &Decoded, state: &mut PipeState) {
    let f = fields(d.row, &d.env.words);
    let convert: ConvertFn = match d.row.dst {
        DType::F32 | DType::S32 => as_it_is,
        DType::F16 | DType::Bf16 if d.row.src == DType::F32 => narrow,
        DType::F16 => to_halves,
        _ => to_bytes,
    };
    for matrix in 0..f.nd_num {
        for group in 0..f.groups() {
            // SAFETY: the group's source, parameters and destination were checked.
            unsafe { one_group(d, &f, convert, matrix, group) };
        }
    }
    unit_done(d, state);
}

/// Registers that an instruction uses: a bit per number of [`Spr`].
pub(in crate::exec) fn registers(d: &Decoded) -> u32 {
    let f = fields(d.row, &d.env.words);
    let to_nd = if f.to_nd { 1 << Spr::NdPara as u32 } else { 0 };
    match modes(d.row.src, d.row.dst).1 {
        None => to_nd,
        Some(_) if f.per_column => to_nd | 1 << Spr::Fpc as u32,
        Some(_) => to_nd | 1 << Spr::QuantPre as u32,
    }
}

/// One row of up to 16 columns on its way out.
#[derive(Clone, Copy, Debug)]
pub struct FixpipeRow {
    /// Address of its first word in L0C.
    pub src: u64,
    /// Columns.
    pub columns: u64,
    /// Bytes of an element of the result.
    pub element_bytes: u64,
    /// Address of its first column's parameter; 0 if all columns share one.
    pub parameters: u64,
    /// Addresses of the first half and of the second half of the columns.
    pub dst: [u64; 2],
    /// Columns that go to the first address.
    pub first: u64,
    /// Number of the row in its matrix.
    pub row: u64,
    /// The result keeps cells of 16 × 16.
    pub is_nz: bool,
}

/// Calls `f` with every row of every group of columns.
pub(in crate::exec) fn rows(d: &Decoded, f: &mut dyn FnMut(&FixpipeRow)) {
    let fields = fields(d.row, &d.env.words);
    let base = d.accesses[0].addr;
    for matrix in 0..fields.nd_num {
        for group in 0..fields.groups() {
            let columns = GROUP.min(fields.n - group * GROUP);
            let src = matrix * fields.src_nd_bytes + group * fields.src_stride * ROW_BYTES;
            for row in 0..fields.m {
                let dst = base + fields.dst_offset(matrix, group, row);
                f(&FixpipeRow {
                    src: d.accesses[1].addr + src + row * ROW_BYTES,
                    columns,
                    element_bytes: fields.element_bytes,
                    parameters: if fields.per_column { d.env.words[3] + group * GROUP * 8 } else { 0 },
                    dst: [dst, dst + fields.dst_stride * BLOCK_BYTES],
                    first: if fields.split { columns.min(8) } else { columns },
                    row,
                    is_nz: !fields.to_nd,
                });
            }
        }
    }
}

/// # Safety
/// As [`run`].
unsafe fn one_group(d: &Decoded, f: &Fields, convert: ConvertFn, matrix: u64, group: u64) {
    let at = |base: u64, offset: u64| ptr::with_exposed_provenance_mut::<u8>((base + offset) as usize);
    let columns = GROUP.min(f.n - group * GROUP);
    let mut parameters = [Parameter::new(d.env.words[3]); 16];
    if f.per_column {
        for (i, p) in parameters.iter_mut().enumerate().take(columns as usize) {
            // SAFETY: one of the n parameters.
            *p = Parameter::new(unsafe { parameter(d.env.words[3], group * GROUP + i as u64) });
        }
    }
    let src = matrix * f.src_nd_bytes + group * f.src_stride * ROW_BYTES;
    let mut out = [0u8; 64];
    for row in 0..f.m {
        // SAFETY: 16 words of a row of the group.
        let words: [u32; 16] =
            unsafe { ptr::read_unaligned(at(d.accesses[1].addr, src + row * ROW_BYTES).cast()) };
        // SAFETY: `convert` belongs to the row's types.
        unsafe { convert(d, f, &words, &parameters, &mut out) };
        let dst = f.dst_offset(matrix, group, row);
        let bytes = (columns * f.element_bytes) as usize;
        if f.split {
            // Two groups of 8 columns; the second may be missing.
            let first = bytes.min(32);
            // SAFETY: 8 columns of a row.
            unsafe { store(d, &out[..first], at(d.accesses[0].addr, dst)) };
            let second = dst + f.dst_stride * BLOCK_BYTES;
            // SAFETY: 8 more columns, or nothing.
            unsafe { store(d, &out[first..bytes], at(d.accesses[0].addr, second)) };
        } else {
            // SAFETY: `columns` columns of a row.
            unsafe { store(d, &out[..bytes], at(d.accesses[0].addr, dst)) };
        }
    }
}

/// # Safety
/// `to` must be writable for the bytes, aligned to the atomic type if atomics are on.
#[inline(always)]
unsafe fn store(d: &Decoded, bytes: &[u8], to: *mut u8) {
    if d.env.atomic != 0 {
        // SAFETY: by contract.
        unsafe { atomic::update_all(d.env.atomic, d.env.clamp, bytes, to) };
    } else if bytes.len() == 64 {
        // SAFETY: by contract; a constant length is one or two moves.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), to, 64) };
    } else {
        // SAFETY: by contract.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    }
}

unsafe fn as_it_is(d: &Decoded, f: &Fields, from: &[u32; 16], _: &[Parameter; 16], to: &mut [u8; 64]) {
    for (word, out) in from.iter().zip(to.chunks_exact_mut(4)) {
        let word = if f.relu { quant::relu(d.row.src, *word) } else { *word };
        out.copy_from_slice(&word.to_le_bytes());
    }
}

unsafe fn narrow(d: &Decoded, f: &Fields, from: &[u32; 16], _: &[Parameter; 16], to: &mut [u8; 64]) {
    let words = if f.relu { from.map(|w| quant::relu(DType::F32, w)) } else { *from };
    // SAFETY: 16 floats in, 16 halves out.
    unsafe { (d.lane)(to.as_mut_ptr(), words.as_ptr().cast(), ptr::null(), 16, &d.env) };
}

unsafe fn to_halves(d: &Decoded, f: &Fields, from: &[u32; 16], p: &[Parameter; 16], to: &mut [u8; 64]) {
    for (i, out) in to.chunks_exact_mut(2).enumerate().take(16) {
        out.copy_from_slice(&quant::to_half(from[i], &p[i], f.relu, d.env.clamp).to_le_bytes());
    }
}

unsafe fn to_bytes(d: &Decoded, f: &Fields, from: &[u32; 16], p: &[Parameter; 16], to: &mut [u8; 64]) {
    for i in 0..16 {
        to[i] = quant::to_byte(d.row.src, from[i], &p[i], f.relu);
    }
}
