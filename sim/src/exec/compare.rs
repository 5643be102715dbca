//! Compare and select: what they compute and touch.
//!
//! - **Compare** of tensors and with a scalar works on whole repeats: the vector mask and its mode say nothing, the number of repeats is the field's.
//!   The result is one bit per element, element order, lowest bit first; the bits of all repeats follow each other without a gap, the strides of the
//!   destination say nothing. A NaN on either side answers no in every mode.
//! - **Compare to the register** takes one repeat and the mask: bits of elements that the mask leaves out are 0, and so are the bits a repeat does not have.
//! - **Select** moves bits, it does not compute: NaN payloads stay. A set bit takes the first source. Mode 0: the bits are CMPMASK, the same for every
//!   repeat. Modes 1 and 2: a bit tensor, used up continuously (repeat `r`, element `e` has bit `r * elements of a repeat + e`). In mode 1 CMPMASK holds the scalar, in mode 2 the
//!   address of the bit tensor. The vector mask says which elements are written.
//!
//! Source: Ascend C API reference, pages Compare, Compares, Compare (result in register), Select, SetCmpMask, GetCmpMask; where CMPMASK holds what: public
//! headers for NpuArch 2201.
//!
//! Unsafe room: reads and writes checked footprints.
#![allow(unsafe_code)]

use super::access::{Access, BurstShape, Lanes, Operand, Shape, VectorShape};
use super::body::{Body, body};
use super::decode::{
    self, DecodeFn, REPEAT_BITS, Strides, access, blocks_to_bytes, check_field, field, local, overlaps, start,
};
use super::fault::ExecFault;
use super::gather::ub_address;
use super::lane::{F16, F32, Format, Isa, LaneFn, Plain};
use super::table::{Entry, nothing};
use super::{Decoded, Env, PipeState, Regs, overlap};
use std::ptr;
use toprope_abi::isa::{CompareKind, Comparison, DType, Field, FieldId, Layout, OpRow, Space, Spr, ctrl};

/// Decoder and lane functions of a row of this family; `fast`: for this machine, else plain ones.
pub(super) fn make(row: &OpRow, kind: CompareKind, fast: bool) -> Entry {
    let (decode, lane): (DecodeFn, LaneFn) = match kind {
        CompareKind::Tensors(mode) => (tensors, lane_of(row.src, mode, false, fast)),
        CompareKind::Scalar(mode) => (scalar, lane_of(row.src, mode, true, fast)),
        CompareKind::ToRegister(mode) => (to_register, lane_of(row.src, mode, false, fast)),
        CompareKind::Select if fast => (select::<true>, nothing),
        CompareKind::Select => (select::<false>, nothing),
        CompareKind::SetRegister => (set_register, nothing),
        CompareKind::GetRegister => (get_register, nothing),
    };
    Entry { decode, lanes: [lane; 2], wide_bits: row.src.bits(), mode_bit: ctrl::INF_NAN }
}

/// Collects comparisons of eight elements.
trait Collect: Isa {
    /// Bit `i` is set where `answers[i]` is all ones.
    ///
    /// # Safety
    /// The machine must have the instruction set.
    unsafe fn collect(answers: [i32; 8]) -> u8;
}

impl Collect for Plain {
    #[inline(always)]
    unsafe fn collect(answers: [i32; 8]) -> u8 {
        (0..8).fold(0, |bits, i| bits | ((answers[i] & 1) << i) as u8)
    }
}

#[cfg(target_arch = "x86_64")]
impl Collect for super::lane::Avx2 {
    #[inline(always)]
    unsafe fn collect(answers: [i32; 8]) -> u8 {
        use std::arch::x86_64::{__m256, _mm256_movemask_ps};
        // SAFETY: eight 32-bit lanes on both sides, any bits are valid.
        let lanes: __m256 = unsafe { std::mem::transmute(answers) };
        // SAFETY: the caller vouches for AVX.
        unsafe { _mm256_movemask_ps(lanes) as u8 }
    }
}

/// Whether `a MODE b`; false if they are not ordered.
#[inline(always)]
fn ask<V: PartialOrd, const MODE: u32>(a: V, b: V) -> bool {
    const LT: u32 = Comparison::Lt as u32;
    const GT: u32 = Comparison::Gt as u32;
    const EQ: u32 = Comparison::Eq as u32;
    const LE: u32 = Comparison::Le as u32;
    const GE: u32 = Comparison::Ge as u32;
    match MODE {
        LT => a < b,
        GT => a > b,
        EQ => a == b,
        LE => a <= b,
        GE => a >= b,
        // Not `!=`: comparing with NaN is false in every mode.
        #[allow(clippy::double_comparisons)]
        _ => a < b || a > b,
    }
}

/// Compares `n` elements, a multiple of 8, and writes `n / 8` bytes.
///
/// # Safety
/// As [`LaneFn`], and the machine must have the instruction set.
#[inline(always)]
unsafe fn compare<I: Collect, F: Format<Val: PartialOrd>, const MODE: u32, const SCALAR: bool>(
    to: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
    env: &Env,
) {
    let eight = |from: *const u8| {
        // SAFETY: eight elements of the run.
        let raw = unsafe { ptr::read_unaligned(from.cast::<[F::Raw; 8]>()) };
        // SAFETY: the caller vouches for the instruction set.
        unsafe { F::load::<I, 8>(raw) }
    };
    let bytes = 8 * size_of::<F::Raw>();
    let scalar = env.value.to_le_bytes();
    // SAFETY: a scalar has at most 8 bytes.
    let scalar = unsafe { ptr::read_unaligned(scalar.as_ptr().cast::<F::Raw>()) };
    // SAFETY: the caller vouches for the instruction set.
    let scalar = unsafe { F::load::<I, 8>([scalar; 8]) };
    for i in 0..n / 8 {
        let x = eight(a.wrapping_add(i * bytes));
        let y = if SCALAR { scalar } else { eight(b.wrapping_add(i * bytes)) };
        let mut answers = [0i32; 8];
        for j in 0..8 {
            answers[j] = -i32::from(ask::<_, MODE>(x[j], y[j]));
        }
        // SAFETY: the caller vouches for the instruction set.
        let bits = unsafe { I::collect(answers) };
        // SAFETY: byte `i` of `n / 8`.
        unsafe { *to.wrapping_add(i) = bits };
    }
}

/// # Safety
/// As [`LaneFn`].
unsafe fn plain<F: Format<Val: PartialOrd>, const MODE: u32, const SCALAR: bool>(
    to: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
    env: &Env,
) {
    // SAFETY: same contract; plain code needs no instruction set.
    unsafe { compare::<Plain, F, MODE, SCALAR>(to, a, b, n, env) }
}

/// # Safety
/// As [`LaneFn`], and the machine must have AVX2 and F16C.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c")]
unsafe fn avx2<F: Format<Val: PartialOrd>, const MODE: u32, const SCALAR: bool>(
    to: *mut u8,
    a: *const u8,
    b: *const u8,
    n: usize,
    env: &Env,
) {
    // SAFETY: same contract.
    unsafe { compare::<super::lane::Avx2, F, MODE, SCALAR>(to, a, b, n, env) }
}

fn lane<F: Format<Val: PartialOrd>, const MODE: u32>(scalar: bool, fast: bool) -> LaneFn {
    #[cfg(target_arch = "x86_64")]
    if fast {
        return if scalar { avx2::<F, MODE, true> } else { avx2::<F, MODE, false> };
    }
    let _ = fast;
    if scalar { plain::<F, MODE, true> } else { plain::<F, MODE, false> }
}

fn lane_of(dtype: DType, mode: Comparison, scalar: bool, fast: bool) -> LaneFn {
    type S32 = super::lane::Bits<i32>;
    fn of<F: Format<Val: PartialOrd>>(mode: Comparison, scalar: bool, fast: bool) -> LaneFn {
        match mode {
            Comparison::Lt => lane::<F, { Comparison::Lt as u32 }>(scalar, fast),
            Comparison::Gt => lane::<F, { Comparison::Gt as u32 }>(scalar, fast),
            Comparison::Eq => lane::<F, { Comparison::Eq as u32 }>(scalar, fast),
            Comparison::Le => lane::<F, { Comparison::Le as u32 }>(scalar, fast),
            Comparison::Ge => lane::<F, { Comparison::Ge as u32 }>(scalar, fast),
            Comparison::Ne => lane::<F, { Comparison::Ne as u32 }>(scalar, fast),
        }
    }
    match dtype {
        DType::F16 => of::<F16>(mode, scalar, fast),
        DType::F32 => of::<F32>(mode, scalar, fast),
        _ => of::<S32>(mode, scalar, fast),
    }
}

/// `Tensors`: dst, src0, src1, configuration.
fn tensors(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    let (strides, repeats) = binary_fields(x[3]);
    let sources = [(Operand::Src0, x[1], strides[0]), (Operand::Src1, x[2], strides[1])];
    to_bits(row, entry, regs, x[0], &sources, repeats, Env::default())
}

/// Strides of the sources, and repeats.
fn binary_fields(config: u64) -> ([Strides; 2], u64) {
    const L: Layout = Layout::VecBinary;
    const AB: Field = field(L, FieldId::Src0BlockStride);
    const BB: Field = field(L, FieldId::Src1BlockStride);
    const AR: Field = field(L, FieldId::Src0RepeatStride);
    const BR: Field = field(L, FieldId::Src1RepeatStride);
    const N: Field = field(L, FieldId::RepeatTimes);
    let w = [config, 0];
    let strides = |b: Field, r: Field| Strides { block: b.get(w), repeat: r.get(w) };
    ([strides(AB, AR), strides(BB, BR)], N.get(w))
}

/// `Scalar`: dst, src, scalar bits, configuration.
fn scalar(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::VecUnary;
    const AB: Field = field(L, FieldId::Src0BlockStride);
    const AR: Field = field(L, FieldId::Src0RepeatStride);
    const N: Field = field(L, FieldId::RepeatTimes);
    let w = [x[3], 0];
    let sources = [(Operand::Src0, x[1], Strides { block: AB.get(w), repeat: AR.get(w) })];
    to_bits(row, entry, regs, x[0], &sources, N.get(w), Env { value: x[2], ..Env::default() })
}

fn source_shape(row: &OpRow, strides: Strides, repeats: u32, lanes: Lanes) -> VectorShape {
    VectorShape {
        repeats,
        element_bits: row.src.bits(),
        block_stride_bytes: blocks_to_bytes(strides.block),
        repeat_stride_bytes: blocks_to_bytes(strides.repeat),
        lanes,
    }
}

fn to_bits(
    row: &'static OpRow,
    entry: &'static Entry,
    regs: &Regs,
    dst: u64,
    sources: &[(Operand, u64, Strides)],
    repeats: u64,
    env: Env,
) -> Result<Decoded, ExecFault> {
    local(row, regs, Operand::Dst, dst)?;
    for (operand, address, _) in sources {
        local(row, regs, *operand, *address)?;
    }
    let mut d = start(row, entry, whole_repeats);
    if repeats == 0 {
        return Ok(d);
    }
    d.env = env;
    let per_repeat = REPEAT_BITS as u32 / row.src.bits();
    let every = |n: u32| Lanes::First { each: n, last: n };
    let bits = VectorShape {
        repeats: repeats as u32,
        element_bits: 8,
        block_stride_bytes: 32,
        repeat_stride_bytes: per_repeat / 8,
        lanes: every(per_repeat / 8),
    };
    d.push(access(Operand::Dst, dst, Space::Ub, true, 32, Shape::Vector(bits)));
    let mut contiguous = true;
    for (operand, address, strides) in sources {
        let shape = source_shape(row, *strides, repeats as u32, every(per_repeat));
        contiguous &= strides.block == 1 && (repeats == 1 || strides.repeat == 8);
        d.push(access(*operand, *address, Space::Ub, false, 32, Shape::Vector(shape)));
    }
    let elements = repeats * u64::from(per_repeat);
    if !overlap::check_later_repeats(&mut d) && contiguous {
        d.whole = elements;
    }
    d.work = super::Work { repeats, elements, bytes: elements / 8, tail: false };
    Ok(d)
}

fn pointer(address: u64) -> *mut u8 {
    ptr::with_exposed_provenance_mut(address as usize)
}

fn vector_shape(a: &Access) -> VectorShape {
    match a.shape {
        Shape::Vector(v) => v,
        _ => VectorShape {
            repeats: 0,
            element_bits: 8,
            block_stride_bytes: 0,
            repeat_stride_bytes: 0,
            lanes: Lanes::First { each: 0, last: 0 },
        },
    }
}

/// Compares whole repeats.
///
/// # Safety
/// As [`super::execute`].
unsafe fn whole_repeats(d: &Decoded, _: &mut PipeState) {
    let [dst, src0, src1] = &d.accesses;
    let (to, a, b) = (pointer(dst.addr), pointer(src0.addr), pointer(src1.addr));
    if d.whole != 0 {
        // SAFETY: contiguous operands (`whole`), so the run is exactly the checked footprint.
        unsafe { (d.lane)(to, a, b, d.whole as usize, &d.env) };
        return;
    }
    let (sa, sb) = (vector_shape(src0), vector_shape(src1));
    let per_block = sa.elements_per_block() as usize;
    for r in 0..sa.repeats as usize {
        // A repeat is read whole before its bits are written.
        let mut bits = [0u8; 16];
        let at = |p: *mut u8, s: &VectorShape, block: usize| {
            p.wrapping_add(r * s.repeat_stride_bytes as usize + block * s.block_stride_bytes as usize)
        };
        for block in 0..8 {
            let out = bits[block * per_block / 8..].as_mut_ptr();
            // SAFETY: one block of each source is inside its checked footprint; `bits` holds a repeat's.
            unsafe { (d.lane)(out, at(a, &sa, block), at(b, &sb, block), per_block, &d.env) };
        }
        // SAFETY: the bits of repeat `r` are inside the checked footprint.
        unsafe { ptr::copy_nonoverlapping(bits.as_ptr(), to.wrapping_add(r * per_block), per_block) };
    }
}

/// `ToRegister`: src0, src1, configuration.
fn to_register(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    local(row, regs, Operand::Src0, x[0])?;
    local(row, regs, Operand::Src1, x[1])?;
    let (strides, repeat_field) = binary_fields(x[2]);
    let mut d = start(row, entry, one_repeat);
    let (repeats, lanes, elements) = decode::select(row, regs, repeat_field, u64::from(row.src.bits()))?;
    if elements == 0 {
        return Ok(d);
    }
    if repeats > 1 {
        let (intrinsic, field) = (row.intrinsic, FieldId::RepeatTimes);
        return Err(ExecFault::FieldRange { intrinsic, field, asked: u64::from(repeats), min: 0, max: 1 });
    }
    for (operand, address, strides) in [(Operand::Src0, x[0], strides[0]), (Operand::Src1, x[1], strides[1])]
    {
        let shape = source_shape(row, strides, 1, lanes);
        d.push(access(operand, address, Space::Ub, false, 32, Shape::Vector(shape)));
    }
    d.work = super::Work { repeats: 1, elements, bytes: 16, tail: false };
    Ok(d)
}

/// Compares the selected elements of one repeat into CMPMASK.
///
/// # Safety
/// As [`super::execute`].
unsafe fn one_repeat(d: &Decoded, state: &mut PipeState) {
    let [src0, src1, _] = &d.accesses;
    let mut aside = [[0u8; 256]; 2];
    let mut selected = 0u128;
    let element_bytes = (d.row.src.bits() / 8) as usize;
    for (buffer, source) in aside.iter_mut().zip([src0, src1]) {
        let s = vector_shape(source);
        s.for_each_run(0, s.elements_per_block(), |e, n| {
            let from = pointer(source.addr + s.element_offset(e));
            let into = &mut buffer[e as usize * element_bytes..(e + n) as usize * element_bytes];
            // SAFETY: the run lies inside the checked footprint.
            unsafe { ptr::copy_nonoverlapping(from, into.as_mut_ptr(), into.len()) };
            selected |= (u128::MAX >> (128 - n)) << e;
        });
    }
    let mut bits = [0u8; 16];
    let n = 256 / element_bytes;
    // SAFETY: both buffers hold a whole repeat, `bits` its result.
    unsafe { (d.lane)(bits.as_mut_ptr(), aside[0].as_ptr(), aside[1].as_ptr(), n, &d.env) };
    let result = u128::from_le_bytes(bits) & selected;
    state.set(Spr::CmpMaskLow, result as u64);
    state.set(Spr::CmpMaskHigh, (result >> 64) as u64);
}

fn register_access(operand: Operand, address: u64, write: bool) -> Access {
    let shape = BurstShape { count: 1, len_bytes: 16, step_bytes: 16 };
    access(operand, address, Space::Ub, write, 16, Shape::Bursts(shape))
}

/// `SetRegister`: src.
fn set_register(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    /// # Safety
    /// As [`super::execute`].
    unsafe fn run(d: &Decoded, state: &mut PipeState) {
        // SAFETY: 16 bytes are the checked footprint.
        let [low, high] = unsafe { ptr::read_unaligned(pointer(d.accesses[0].addr).cast::<[u64; 2]>()) };
        state.set(Spr::CmpMaskLow, low);
        state.set(Spr::CmpMaskHigh, high);
    }
    local(row, regs, Operand::Src0, x[0])?;
    let mut d = start(row, entry, run);
    d.push(register_access(Operand::Src0, x[0], false));
    d.work = super::Work { repeats: 1, elements: 1, bytes: 16, tail: false };
    Ok(d)
}

/// `GetRegister`: dst.
fn get_register(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    /// # Safety
    /// As [`super::execute`].
    unsafe fn run(d: &Decoded, state: &mut PipeState) {
        let words = [state.get(Spr::CmpMaskLow), state.get(Spr::CmpMaskHigh)];
        // SAFETY: 16 bytes are the checked footprint.
        unsafe { ptr::write_unaligned(pointer(d.accesses[0].addr).cast::<[u64; 2]>(), words) };
    }
    local(row, regs, Operand::Dst, x[0])?;
    let mut d = start(row, entry, run);
    d.push(register_access(Operand::Dst, x[0], true));
    d.work = super::Work { repeats: 1, elements: 1, bytes: 16, tail: false };
    Ok(d)
}

/// Where the bits of a selection come from.
mod mode {
    pub const REGISTER: u64 = 0;
    pub const SCALAR: u64 = 1;
}

/// `Select`: dst, src0, src1 (the bits in mode 1), configuration.
fn select<const FAST: bool>(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::VecSelect;
    const DB: Field = field(L, FieldId::DstBlockStride);
    const AB: Field = field(L, FieldId::Src0BlockStride);
    const BB: Field = field(L, FieldId::Src1BlockStride);
    const DR: Field = field(L, FieldId::DstRepeatStride);
    const AR: Field = field(L, FieldId::Src0RepeatStride);
    const BR: Field = field(L, FieldId::Src1RepeatStride);
    const MODE: Field = field(L, FieldId::SelectMode);
    const N: Field = field(L, FieldId::RepeatTimes);
    let w = [x[3], 0];
    check_field(row, &MODE, w)?;
    let mode = MODE.get(w);
    let strides = |b: Field, r: Field| Strides { block: b.get(w), repeat: r.get(w) };
    let operands = [
        (Operand::Dst, x[0], row.dst, strides(DB, DR)),
        (Operand::Src0, x[1], row.src, strides(AB, AR)),
        (Operand::Src1, x[2], row.src, strides(BB, BR)),
    ];
    let tensors = if mode == mode::SCALAR { 2 } else { 3 };
    let env = Env { value: mode, words: [regs.region, 0, 0, 0], ..Env::default() };
    let mut d = decode::vector(row, entry, regs, &operands[..tensors], N.get(w), env)?;
    if d.access_count == 0 {
        return Ok(d);
    }
    d.run = match row.dst.bits() {
        16 => body::<Pick<u16>>(FAST),
        _ => body::<Pick<u32>>(FAST),
    };
    if mode == mode::SCALAR {
        local(row, regs, Operand::Mask, x[2])?;
        let bits = mask_access(&d, x[2]);
        apart(&d, &bits)?;
        d.push(bits);
    } else if mode != mode::REGISTER {
        d.more = Some(mask_tensor);
    }
    Ok(d)
}

fn apart(d: &Decoded, other: &Access) -> Result<(), ExecFault> {
    let dst = &d.accesses[0];
    if overlaps(dst.extent(), other.extent()) {
        let (intrinsic, operand) = (d.row.intrinsic, other.operand);
        return Err(ExecFault::Apart { intrinsic, operand, src: other.addr, dst: dst.addr });
    }
    Ok(())
}

/// The bits that the selected elements have in a bit tensor.
fn mask_access(d: &Decoded, address: u64) -> Access {
    let s = vector_shape(&d.accesses[0]);
    let per_repeat = REPEAT_BITS as u32 / s.element_bits;
    let last = match s.lanes {
        Lanes::First { last, .. } => last,
        Lanes::Bits([low, high]) => 128 - (u128::from(low) | (u128::from(high) << 64)).leading_zeros(),
    };
    let bytes = ((s.repeats - 1) * per_repeat + last).div_ceil(8);
    let shape = BurstShape { count: 1, len_bytes: bytes, step_bytes: u64::from(bytes) };
    access(Operand::Mask, address, Space::Ub, false, 32, Shape::Bursts(shape))
}

/// The bit tensor of mode 2, whose address is in CMPMASK when the instruction executes.
///
/// # Safety
/// As [`super::more_accesses`]; reads nothing.
unsafe fn mask_tensor(d: &Decoded, state: &PipeState, f: &mut dyn FnMut(Access)) -> Result<(), ExecFault> {
    let held = state.get(Spr::CmpMaskLow) as u32;
    let Some(address) = ub_address(d.env.words[0], held) else {
        let (intrinsic, address) = (d.row.intrinsic, u64::from(held));
        let (operand, expected) = (Operand::Mask, Space::Ub);
        return Err(ExecFault::WrongSpace { intrinsic, operand, address, expected, found: None });
    };
    let bits = mask_access(d, address);
    apart(d, &bits)?;
    f(bits);
    Ok(())
}

/// Select on elements of the width of `T`.
struct Pick<T>(std::marker::PhantomData<T>);

/// One run of a selection.
struct Run<T> {
    to: *mut T,
    a: *const T,
    /// Null in mode 1.
    b: *const T,
    scalar: T,
    bits: *const u8,
    first_bit: usize,
    n: usize,
}

impl<T: Copy + Default> Run<T> {
    /// # Safety
    /// `n` elements of each tensor and the bits from `first_bit` on must be inside checked footprints.
    #[inline(always)]
    unsafe fn go(&self) {
        let mut i = 0;
        if self.first_bit.is_multiple_of(8) {
            while i + 8 <= self.n {
                // SAFETY: the bits of elements i..i+8.
                let byte = unsafe { *self.bits.wrapping_add((self.first_bit + i) / 8) };
                // SAFETY: elements i..i+8 of the run.
                unsafe { self.group::<8>(i, byte) };
                i += 8;
            }
        }
        while i < self.n {
            let bit = self.first_bit + i;
            // SAFETY: the bit of element i.
            let byte = unsafe { *self.bits.wrapping_add(bit / 8) };
            // SAFETY: element i of the run.
            unsafe { self.group::<1>(i, byte >> (bit % 8)) };
            i += 1;
        }
    }

    /// # Safety
    /// Elements `i..i + C` must be inside the run.
    #[inline(always)]
    unsafe fn group<const C: usize>(&self, i: usize, byte: u8) {
        // SAFETY: the caller vouches for the elements.
        let a = unsafe { ptr::read_unaligned(self.a.wrapping_add(i).cast::<[T; C]>()) };
        let b = if self.b.is_null() {
            [self.scalar; C]
        } else {
            // SAFETY: the caller vouches for the elements.
            unsafe { ptr::read_unaligned(self.b.wrapping_add(i).cast::<[T; C]>()) }
        };
        let mut out = [T::default(); C];
        for j in 0..C {
            out[j] = if byte & (1 << j) != 0 { a[j] } else { b[j] };
        }
        // SAFETY: the caller vouches for the elements.
        unsafe { ptr::write_unaligned(self.to.wrapping_add(i).cast::<[T; C]>(), out) };
    }
}

impl<T: Copy + Default> Body for Pick<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(d: &Decoded, state: &mut PipeState) {
        let held = [state.get(Spr::CmpMaskLow), state.get(Spr::CmpMaskHigh)];
        let [dst, src0, src1] = &d.accesses;
        let is_scalar = d.env.value == mode::SCALAR;
        let is_register = d.env.value == mode::REGISTER;
        let bits = if is_register {
            held.as_ptr().cast::<u8>()
        } else if is_scalar {
            pointer(src1.addr).cast_const()
        } else {
            pointer(ub_address(d.env.words[0], held[0] as u32).unwrap_or(0)).cast_const()
        };
        // SAFETY: a register is wider than an element.
        let scalar = unsafe { ptr::read_unaligned(held.as_ptr().cast::<T>()) };
        let run = |to: *mut u8, a: *mut u8, b: *mut u8, first_bit: usize, n: usize| {
            let b = if is_scalar { ptr::null() } else { b.cast_const().cast() };
            Run::<T> { to: to.cast(), a: a.cast_const().cast(), b, scalar, bits, first_bit, n }
        };
        if d.whole != 0 && !is_register {
            let whole = run(pointer(dst.addr), pointer(src0.addr), pointer(src1.addr), 0, d.whole as usize);
            // SAFETY: contiguous operands (`whole`), so the run is exactly the checked footprint.
            unsafe { whole.go() };
            return;
        }
        let shapes = [vector_shape(dst), vector_shape(src0), vector_shape(src1)];
        let used = if is_scalar { &shapes[..2] } else { &shapes[..] };
        let packed = used.iter().all(|s| s.block_stride_bytes == 32);
        let cut = if packed { 1 << 40 } else { shapes[0].elements_per_block() };
        let per_repeat = REPEAT_BITS as usize / shapes[0].element_bits as usize;
        for r in 0..shapes[0].repeats {
            let at = |a: &Access, s: &VectorShape, e: u64| {
                pointer(a.addr + u64::from(r) * u64::from(s.repeat_stride_bytes) + s.element_offset(e))
            };
            let base = if is_register { 0 } else { r as usize * per_repeat };
            shapes[0].for_each_run(r, cut, |e, n| {
                let b = if is_scalar { ptr::null_mut() } else { at(src1, &shapes[2], e) };
                let one =
                    run(at(dst, &shapes[0], e), at(src0, &shapes[1], e), b, base + e as usize, n as usize);
                // SAFETY: the run lies inside the checked footprint of every operand.
                unsafe { one.go() };
            });
        }
    }
}
