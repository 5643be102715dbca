//! Reductions: sums, maxima and minima of repeats, of data blocks, sums of pairs.
//!
//! - **Sums** are balanced trees over neighbours: x0+x1, x2+x3, …, then neighbours of those; every node is rounded (and in saturation mode
//!   clamped) in the data type. Elements that the mask leaves out act as +0.
//! - **Accumulating sum** (`VCADD` with 1): the sums of all repeats are added one after the other, in the data type, starting with that of the first repeat;
//!   the result is ACC_VAL, the destination is not written.
//! - **Maximum and minimum**: NaN if a selected element is NaN; −0 is less than +0; of equals the lowest index. An index counts inside its repeat; its
//!   width is that of the element, alone it has 32 bits. MAX_MIN_CNT gets the value and the index over all repeats of the instruction
//!   (repeat × elements of a repeat + index), value in the low half.
//! - A data block, or a pair, without a selected element leaves its place in the destination as it is.
//! - A mask that selects nothing makes the instruction do nothing.
//! - Each repeat is read whole before its results are written, so a reduction may run in place.
//!
//! Source: Ascend C API reference, pages ReduceRepeat, ReduceDataBlock, ReducePairElem, ReduceSum, GetReduceRepeatMaxMinSpr; the accumulating form: public headers
//! for NpuArch 2201.
//!
//! Unsafe room: reads and writes checked footprints, CPU instructions behind a run-time check.
#![allow(unsafe_code)]

use super::access::{Access, Lanes, Operand, Shape, VectorShape};
use super::body::{Body, body};
use super::decode::{self, REPEAT_BITS, access, blocks_to_bytes, field, local, start};
use super::fault::ExecFault;
use super::lane::{F16, F32, Format, Isa, settle_f16};
use super::table::{Entry, nothing};
use super::{Decoded, Env, PipeState, Regs, RunFn, overlap};
use std::marker::PhantomData;
use std::ptr;
use toprope_abi::isa::{DType, Field, FieldId, Kind, Layout, OpRow, ReduceFn, ReduceKind, Space, Spr, ctrl};

/// Decoder of a row of this family; `fast`: for this machine, else plain code.
pub(super) fn make(row: &OpRow, _: ReduceKind, fast: bool) -> Entry {
    let decode = if fast { reduce::<true> } else { reduce::<false> };
    Entry { decode, lanes: [nothing; 2], wide_bits: row.src.bits(), mode_bit: ctrl::INF_NAN }
}

/// Order of value and index in a result.
mod order {
    pub const VALUE_INDEX: u64 = 0;
    pub const INDEX_VALUE: u64 = 1;
    pub const VALUE: u64 = 2;
    pub const INDEX: u64 = 3;
}

/// What a repeat leaves in the destination.
#[derive(Clone, Copy)]
struct Results {
    element_bits: u32,
    lanes: Lanes,
    /// Unit of the destination's repeat stride, and alignment of the destination.
    unit_bytes: u32,
    align_bytes: u32,
}

/// dst, src, configuration, order.
fn reduce<const FAST: bool>(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    const L: Layout = Layout::VecReduce;
    const DR: Field = field(L, FieldId::DstRepeatStride);
    const AB: Field = field(L, FieldId::Src0BlockStride);
    const AR: Field = field(L, FieldId::Src0RepeatStride);
    const N: Field = field(L, FieldId::RepeatTimes);
    let Kind::Reduce(kind) = row.kind else { return decode::not_data(row, entry, x, regs) };
    let w = [x[2], 0];
    let bits = row.src.bits();
    let highest = match kind {
        ReduceKind::Repeat(ReduceFn::Sum) => 1,
        ReduceKind::Repeat(_) => order::INDEX,
        _ => u64::MAX,
    };
    if x[3] > highest {
        let (intrinsic, field) = (row.intrinsic, FieldId::ResultOrder);
        return Err(ExecFault::FieldRange { intrinsic, field, asked: x[3], min: 0, max: highest });
    }
    local(row, regs, Operand::Dst, x[0])?;
    local(row, regs, Operand::Src0, x[1])?;
    let mut d = start(row, entry, run_of(row, kind, regs, FAST));
    let used = REPEAT_BITS as u32 / bits;
    let mask = (u128::from(regs.mask[0]) | (u128::from(regs.mask[1]) << 64)) & (u128::MAX >> (128 - used));
    if mask == 0 && !regs.ctrl_bit(ctrl::MASK_COUNTER) {
        return Ok(d);
    }
    let (repeats, lanes, elements) = decode::select(row, regs, N.get(w), u64::from(bits))?;
    if elements == 0 {
        return Ok(d);
    }
    let accumulates = kind == ReduceKind::Repeat(ReduceFn::Sum) && x[3] == 1;
    d.env = Env { value: x[3], ..Env::default() };
    let results = results_of(kind, bits, lanes, x[3]);
    let result_count = match results.lanes {
        Lanes::First { each, last } => u64::from(each) * u64::from(repeats - 1) + u64::from(last),
        Lanes::Bits(b) => u64::from(b[0].count_ones()) * u64::from(repeats),
    };
    if !accumulates {
        let shape = VectorShape {
            repeats,
            element_bits: results.element_bits,
            block_stride_bytes: 32,
            repeat_stride_bytes: DR.get(w) as u32 * results.unit_bytes,
            lanes: results.lanes,
        };
        d.push(access(Operand::Dst, x[0], Space::Ub, true, results.align_bytes, Shape::Vector(shape)));
    }
    let shape = VectorShape {
        repeats,
        element_bits: bits,
        block_stride_bytes: blocks_to_bytes(AB.get(w)),
        repeat_stride_bytes: blocks_to_bytes(AR.get(w)),
        lanes,
    };
    d.push(access(Operand::Src0, x[1], Space::Ub, false, 32, Shape::Vector(shape)));
    if !accumulates {
        overlap::check_later_repeats(&mut d);
    }
    let tail = matches!(lanes, Lanes::First { each, last } if last < each);
    let bytes = result_count * u64::from(results.element_bits / 8);
    d.work = super::Work { repeats: u64::from(repeats), elements, bytes, tail };
    Ok(d)
}

fn results_of(kind: ReduceKind, bits: u32, lanes: Lanes, order: u64) -> Results {
    let width = bits / 8;
    match kind {
        ReduceKind::Repeat(f) => {
            let bytes = match (f, order) {
                (ReduceFn::Sum, _) | (_, order::VALUE) => width,
                (_, order::INDEX) => 4,
                _ => 2 * width,
            };
            let lanes = Lanes::First { each: bytes, last: bytes };
            Results { element_bits: 8, lanes, unit_bytes: bytes, align_bytes: bytes }
        }
        ReduceKind::DataBlock(_) => {
            let lanes = fold(lanes, 256 / bits);
            Results { element_bits: bits, lanes, unit_bytes: 8 * width, align_bytes: 8 * width }
        }
        ReduceKind::Pair => {
            let lanes = fold(lanes, 2);
            Results { element_bits: bits, lanes, unit_bytes: 128, align_bytes: 32 }
        }
    }
}

/// Which groups of `size` elements have a selected one.
fn fold(lanes: Lanes, size: u32) -> Lanes {
    match lanes {
        Lanes::First { each, last } => Lanes::First { each: each.div_ceil(size), last: last.div_ceil(size) },
        Lanes::Bits([low, high]) => {
            let mask = u128::from(low) | (u128::from(high) << 64);
            let group = (1u128 << size) - 1;
            let groups = (0..128 / size).filter(|i| mask >> (i * size) & group != 0);
            Lanes::Bits([groups.fold(0, |bits, i| bits | 1 << i), 0])
        }
    }
}

fn run_of(row: &OpRow, kind: ReduceKind, regs: &Regs, fast: bool) -> RunFn {
    let half = row.src == DType::F16;
    let clamp = half && !regs.ctrl_bit(ctrl::INF_NAN);
    match kind {
        ReduceKind::Repeat(ReduceFn::Sum) => sums::<Whole>(half, clamp, fast),
        ReduceKind::DataBlock(ReduceFn::Sum) => sums::<Blocks>(half, clamp, fast),
        ReduceKind::Pair => sums::<Pairs>(half, clamp, fast),
        ReduceKind::Repeat(f) => extremes::<Whole>(f, half, clamp, fast),
        ReduceKind::DataBlock(f) => extremes::<Blocks>(f, half, clamp, fast),
    }
}

fn sums<S: Size>(half: bool, clamp: bool, fast: bool) -> RunFn {
    match (half, clamp) {
        (true, true) => body::<Sum<F16, S, true>>(fast),
        (true, false) => body::<Sum<F16, S, false>>(fast),
        _ => body::<Sum<F32, S, false>>(fast),
    }
}

fn extremes<S: Size>(f: ReduceFn, half: bool, clamp: bool, fast: bool) -> RunFn {
    match (f, half, clamp) {
        (ReduceFn::Min, true, true) => body::<Extreme<F16, S, false, true>>(fast),
        (ReduceFn::Min, true, false) => body::<Extreme<F16, S, false, false>>(fast),
        (ReduceFn::Min, false, _) => body::<Extreme<F32, S, false, false>>(fast),
        (_, true, true) => body::<Extreme<F16, S, true, true>>(fast),
        (_, true, false) => body::<Extreme<F16, S, true, false>>(fast),
        (_, false, _) => body::<Extreme<F32, S, true, false>>(fast),
    }
}

/// How many elements make a result.
trait Size {
    /// 0: a repeat, 1: a block, 2: a pair.
    const KIND: u32;
}
struct Whole;
struct Blocks;
struct Pairs;
impl Size for Whole {
    const KIND: u32 = 0;
}
impl Size for Blocks {
    const KIND: u32 = 1;
}
impl Size for Pairs {
    const KIND: u32 = 2;
}

/// Elements of a repeat of the narrowest type.
const MOST: usize = 128;

/// The element types that are reduced.
trait Real: Format<Val = f32, Raw: Copy> {
    /// Elements of a data block.
    const PER_BLOCK: usize;
    /// Sums are rounded, because they are computed in a wider type.
    const ROUNDS: bool;
    /// The values of a block.
    ///
    /// # Safety
    /// 32 readable bytes; the machine must have the instruction set.
    unsafe fn values<I: Isa>(block: *const u8, into: &mut [f32]);
    /// Integers that are ordered as the elements of a block are: NaN at the end that wins.
    ///
    /// # Safety
    /// 32 readable bytes.
    unsafe fn keys<const MAX: bool>(block: *const u8, into: &mut [i32]);
    /// The element of a key.
    fn element<const MAX: bool, const CLAMP: bool>(key: i32) -> Self::Raw;
    /// Its bits.
    fn bits(raw: Self::Raw) -> u32;
}

/// The key that loses against every element.
const fn loser(max: bool) -> i32 {
    if max { i32::MIN } else { i32::MAX }
}

impl Real for F32 {
    const PER_BLOCK: usize = 8;
    const ROUNDS: bool = false;

    #[inline(always)]
    unsafe fn values<I: Isa>(block: *const u8, into: &mut [f32]) {
        // SAFETY: the caller vouches for 32 bytes.
        let raw = unsafe { ptr::read_unaligned(block.cast::<[f32; 8]>()) };
        into[..8].copy_from_slice(&raw);
    }

    #[inline(always)]
    unsafe fn keys<const MAX: bool>(block: *const u8, into: &mut [i32]) {
        // SAFETY: the caller vouches for 32 bytes.
        let raw = unsafe { ptr::read_unaligned(block.cast::<[i32; 8]>()) };
        for (key, bits) in into[..8].iter_mut().zip(raw) {
            let ordered = bits ^ ((bits >> 31) & 0x7fff_ffff);
            *key = if bits & 0x7fff_ffff > 0x7f80_0000 { loser(!MAX) } else { ordered };
        }
    }

    #[inline(always)]
    fn element<const MAX: bool, const CLAMP: bool>(key: i32) -> f32 {
        let bits = if key == loser(!MAX) { 0x7fc0_0000 } else { key ^ ((key >> 31) & 0x7fff_ffff) };
        f32::from_bits(bits as u32)
    }

    #[inline(always)]
    fn bits(raw: f32) -> u32 {
        raw.to_bits()
    }
}

impl Real for F16 {
    const PER_BLOCK: usize = 16;
    const ROUNDS: bool = true;

    #[inline(always)]
    unsafe fn values<I: Isa>(block: *const u8, into: &mut [f32]) {
        // SAFETY: the caller vouches for 32 bytes.
        let raw = unsafe { ptr::read_unaligned(block.cast::<[u16; 16]>()) };
        // SAFETY: the caller vouches for the instruction set.
        let wide = unsafe { I::widen(raw) };
        into[..16].copy_from_slice(&wide);
    }

    #[inline(always)]
    unsafe fn keys<const MAX: bool>(block: *const u8, into: &mut [i32]) {
        // SAFETY: the caller vouches for 32 bytes.
        let raw = unsafe { ptr::read_unaligned(block.cast::<[i16; 16]>()) };
        for (key, bits) in into[..16].iter_mut().zip(raw) {
            let ordered = i32::from(bits ^ ((bits >> 15) & 0x7fff));
            *key = if bits & 0x7fff > 0x7c00 { loser(!MAX) } else { ordered };
        }
    }

    #[inline(always)]
    fn element<const MAX: bool, const CLAMP: bool>(key: i32) -> u16 {
        let bits = if key == loser(!MAX) { 0x7e00 } else { (key ^ ((key >> 31) & 0x7fff)) as u16 };
        settle_f16::<CLAMP>(bits)
    }

    #[inline(always)]
    fn bits(raw: u16) -> u32 {
        u32::from(raw)
    }
}

fn pointer(address: u64) -> *mut u8 {
    ptr::with_exposed_provenance_mut(address as usize)
}

fn shape_of(a: &Access) -> VectorShape {
    match a.shape {
        Shape::Vector(v) => v,
        _ => unreachable!("reductions have vector shapes"),
    }
}

/// The repeats of the source.
struct Source {
    base: u64,
    shape: VectorShape,
    per_repeat: u32,
}

impl Source {
    #[inline(always)]
    fn new(a: &Access) -> Source {
        let shape = shape_of(a);
        Source { base: a.addr, shape, per_repeat: REPEAT_BITS as u32 / shape.element_bits }
    }

    /// The selected elements of repeat `r`; `None`: all of them.
    #[inline(always)]
    fn selected(&self, r: u32) -> Option<u128> {
        let first = |n: u32| (n < self.per_repeat).then(|| (1u128 << n) - 1);
        match self.shape.lanes {
            Lanes::First { last, .. } if r + 1 == self.shape.repeats => first(last),
            Lanes::First { each, .. } => first(each),
            Lanes::Bits([low, high]) => Some(u128::from(low) | (u128::from(high) << 64)),
        }
    }

    /// Calls `f(i, block)` with the eight blocks of repeat `r`; elements that are not selected are 0.
    ///
    /// # Safety
    /// The source must be a checked footprint; `f` may read 32 bytes at each block.
    #[inline(always)]
    unsafe fn blocks(&self, r: u32, all: bool, mut f: impl FnMut(usize, *const u8)) {
        let start = pointer(self.base + u64::from(r) * u64::from(self.shape.repeat_stride_bytes));
        if all {
            for i in 0..8 {
                f(i, start.wrapping_add(i * self.shape.block_stride_bytes as usize));
            }
            return;
        }
        let mut aside = [0u8; 256];
        let bytes = (self.shape.element_bits / 8) as usize;
        self.shape.for_each_run(r, self.shape.elements_per_block(), |e, n| {
            let from = start.wrapping_add(self.shape.element_offset(e) as usize);
            let into = &mut aside[e as usize * bytes..(e + n) as usize * bytes];
            // SAFETY: the run lies inside the checked footprint.
            unsafe { ptr::copy_nonoverlapping(from, into.as_mut_ptr(), into.len()) };
        });
        for i in 0..8 {
            f(i, aside[i * 32..].as_ptr());
        }
    }
}

/// Sums.
struct Sum<F, S, const CLAMP: bool>(PhantomData<(F, S)>);

/// Sums of neighbours: `M` of them from `2 * M` values.
///
/// # Safety
/// The machine must have the instruction set.
#[inline(always)]
unsafe fn level<F: Real, I: Isa, const CLAMP: bool, const M: usize>(v: &mut [f32; MOST]) {
    let mut sums = [0f32; M];
    for i in 0..M {
        sums[i] = v[2 * i] + v[2 * i + 1];
    }
    if F::ROUNDS {
        // SAFETY: the caller vouches for the instruction set.
        let raw = unsafe { F::store::<I, CLAMP, M>(sums) };
        // SAFETY: the caller vouches for the instruction set.
        sums = unsafe { F::load::<I, M>(raw) };
    }
    v[..M].copy_from_slice(&sums);
}

impl<F: Real, S: Size, const CLAMP: bool> Sum<F, S, CLAMP> {
    /// Reduces the values of a repeat to its results, which come first.
    ///
    /// # Safety
    /// The machine must have the instruction set.
    #[inline(always)]
    unsafe fn tree<I: Isa>(v: &mut [f32; MOST]) {
        if F::PER_BLOCK == 16 {
            // SAFETY: the caller vouches for the instruction set.
            unsafe { level::<F, I, CLAMP, 64>(v) };
            if S::KIND == Pairs::KIND {
                return;
            }
        }
        // SAFETY: as above.
        unsafe { level::<F, I, CLAMP, 32>(v) };
        if S::KIND == Pairs::KIND {
            return;
        }
        // SAFETY: as above.
        unsafe { level::<F, I, CLAMP, 16>(v) };
        // SAFETY: as above.
        unsafe { level::<F, I, CLAMP, 8>(v) };
        if S::KIND == Blocks::KIND {
            return;
        }
        // SAFETY: as above.
        unsafe { level::<F, I, CLAMP, 4>(v) };
        // SAFETY: as above.
        unsafe { level::<F, I, CLAMP, 2>(v) };
        // SAFETY: as above.
        unsafe { level::<F, I, CLAMP, 1>(v) };
    }

    /// Writes the first `M` results: all, or the selected ones.
    ///
    /// # Safety
    /// The results must be inside the checked footprint; the machine must have the instruction set.
    #[inline(always)]
    unsafe fn write<I: Isa, const M: usize>(v: &[f32; MOST], to: *mut u8, shape: &VectorShape, r: u32) {
        let mut results = [0f32; M];
        results.copy_from_slice(&v[..M]);
        // SAFETY: the caller vouches for the instruction set.
        let raw = unsafe { F::store::<I, CLAMP, M>(results) };
        // SAFETY: the caller vouches for the footprint.
        unsafe { write_selected(&raw, to, shape, r) };
    }
}

/// Writes the results whose places are selected.
///
/// # Safety
/// `to` must be the destination of repeat `r`, whose selected places are a checked footprint.
#[inline(always)]
unsafe fn write_selected<T: Copy, const M: usize>(raw: &[T; M], to: *mut u8, shape: &VectorShape, r: u32) {
    shape.for_each_run(r, 1 << 40, |e, n| {
        let from = &raw[e as usize..(e + n) as usize];
        let place = to.cast::<T>().wrapping_add(e as usize);
        // SAFETY: the caller vouches for the selected places.
        unsafe {
            ptr::copy_nonoverlapping(from.as_ptr().cast::<u8>(), place.cast::<u8>(), size_of_val(from))
        };
    });
}

impl<F: Real, S: Size, const CLAMP: bool> Body for Sum<F, S, CLAMP> {
    #[inline(always)]
    unsafe fn run<I: Isa>(d: &Decoded, state: &mut PipeState) {
        let accumulates = S::KIND == Whole::KIND && d.env.value == 1;
        let source = Source::new(&d.accesses[usize::from(!accumulates)]);
        let (to, to_shape) = (pointer(d.accesses[0].addr), shape_of(&d.accesses[0]));
        let mut total = 0f32;
        for r in 0..source.shape.repeats {
            let mut v = [0f32; MOST];
            let read = |i: usize, block: *const u8| {
                // SAFETY: `blocks` gives 32 readable bytes; the caller vouches for the instruction set.
                unsafe { F::values::<I>(block, &mut v[i * F::PER_BLOCK..]) }
            };
            // SAFETY: a checked footprint.
            unsafe { source.blocks(r, source.selected(r).is_none(), read) };
            // SAFETY: the caller vouches for the instruction set.
            unsafe { Self::tree::<I>(&mut v) };
            if accumulates {
                if r > 0 {
                    v[1] = v[0];
                    v[0] = total;
                    // SAFETY: as above.
                    unsafe { level::<F, I, CLAMP, 1>(&mut v) };
                }
                total = v[0];
                continue;
            }
            let at = to.wrapping_add(r as usize * to_shape.repeat_stride_bytes as usize);
            if S::KIND == Whole::KIND {
                // SAFETY: as above.
                let [raw] = unsafe { F::store::<I, CLAMP, 1>([v[0]]) };
                // SAFETY: the result of repeat `r` is inside the checked footprint.
                unsafe { ptr::write_unaligned(at.cast(), raw) };
            } else if S::KIND == Blocks::KIND {
                // SAFETY: as above.
                unsafe { Self::write::<I, 8>(&v, at, &to_shape, r) };
            } else if F::PER_BLOCK == 16 {
                // SAFETY: as above.
                unsafe { Self::write::<I, 64>(&v, at, &to_shape, r) };
            } else {
                // SAFETY: as above.
                unsafe { Self::write::<I, 32>(&v, at, &to_shape, r) };
            }
        }
        if accumulates {
            // SAFETY: the caller vouches for the instruction set.
            let [raw] = unsafe { F::store::<I, CLAMP, 1>([total]) };
            state.set(Spr::AccVal, u64::from(F::bits(raw)));
        }
    }
}

/// Maxima and minima.
struct Extreme<F, S, const MAX: bool, const CLAMP: bool>(PhantomData<(F, S)>);

#[inline(always)]
fn better<const MAX: bool>(a: i32, b: i32) -> i32 {
    if MAX { a.max(b) } else { a.min(b) }
}

/// The best of the first `N` keys.
#[inline(always)]
fn best<const MAX: bool, const N: usize>(keys: &[i32]) -> i32 {
    let mut lanes = [loser(MAX); 8];
    for group in 0..N / 8 {
        for i in 0..8 {
            lanes[i] = better::<MAX>(lanes[i], keys[group * 8 + i]);
        }
    }
    lanes.iter().fold(loser(MAX), |a, b| better::<MAX>(a, *b))
}

/// Index of the first of the keys that equals `key`.
#[inline(always)]
fn position(keys: &[i32], key: i32) -> u32 {
    for (group, part) in keys.chunks_exact(16).enumerate() {
        let mut hits = 0u32;
        for (i, k) in part.iter().enumerate() {
            hits |= u32::from(*k == key) << i;
        }
        if hits != 0 {
            return group as u32 * 16 + hits.trailing_zeros();
        }
    }
    0
}

impl<F: Real, S: Size, const MAX: bool, const CLAMP: bool> Extreme<F, S, MAX, CLAMP> {
    /// The keys of repeat `r`; elements that are not selected lose.
    ///
    /// # Safety
    /// The source must be a checked footprint.
    #[inline(always)]
    unsafe fn keys(source: &Source, r: u32) -> [i32; MOST] {
        let mut keys = [loser(MAX); MOST];
        let selected = source.selected(r);
        let read = |i: usize, block: *const u8| {
            // SAFETY: `blocks` gives 32 readable bytes.
            unsafe { F::keys::<MAX>(block, &mut keys[i * F::PER_BLOCK..]) }
        };
        // SAFETY: a checked footprint.
        unsafe { source.blocks(r, selected.is_none(), read) };
        if let Some(selected) = selected {
            for (i, key) in keys.iter_mut().enumerate() {
                *key = if selected >> i & 1 == 1 { *key } else { loser(MAX) };
            }
        }
        keys
    }
}

/// The bytes of a result, low byte first.
#[inline(always)]
fn result_bytes(order: u64, value: u32, index: u32, bits: u32) -> u64 {
    match order {
        order::VALUE_INDEX => u64::from(value) | (u64::from(index) << bits),
        order::INDEX_VALUE => u64::from(index) | (u64::from(value) << bits),
        order::VALUE => u64::from(value),
        _ => u64::from(index),
    }
}

impl<F: Real, S: Size, const MAX: bool, const CLAMP: bool> Body for Extreme<F, S, MAX, CLAMP> {
    #[inline(always)]
    unsafe fn run<I: Isa>(d: &Decoded, state: &mut PipeState) {
        let source = Source::new(&d.accesses[1]);
        let (to, to_shape) = (pointer(d.accesses[0].addr), shape_of(&d.accesses[0]));
        let mut overall: Option<(i32, u32, u32)> = None;
        let result_len = match to_shape.lanes {
            Lanes::First { each, .. } => each as usize,
            Lanes::Bits(_) => 0,
        };
        for r in 0..source.shape.repeats {
            // SAFETY: a checked footprint.
            let keys = unsafe { Self::keys(&source, r) };
            let at = to.wrapping_add(r as usize * to_shape.repeat_stride_bytes as usize);
            if S::KIND == Blocks::KIND {
                let raw: [F::Raw; 8] = std::array::from_fn(|i| {
                    let block = &keys[i * F::PER_BLOCK..];
                    let key = if F::PER_BLOCK == 16 { best::<MAX, 16>(block) } else { best::<MAX, 8>(block) };
                    F::element::<MAX, CLAMP>(key)
                });
                // SAFETY: the results of repeat `r` are inside the checked footprint.
                unsafe { write_selected(&raw, at, &to_shape, r) };
                continue;
            }
            let key = if F::PER_BLOCK == 16 { best::<MAX, 128>(&keys) } else { best::<MAX, 64>(&keys) };
            let wins = overall.is_none_or(|(so_far, ..)| key != so_far && better::<MAX>(key, so_far) == key);
            let index = if wins || d.env.value != order::VALUE { position(&keys, key) } else { 0 };
            if wins {
                overall = Some((key, r, index));
            }
            let value = F::bits(F::element::<MAX, CLAMP>(key));
            let bytes = result_bytes(d.env.value, value, index, d.row.src.bits()).to_le_bytes();
            // SAFETY: the result of repeat `r` is inside the checked footprint; it has at most 8 bytes.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), at, result_len) };
        }
        if let Some((key, r, index)) = overall {
            let value = F::bits(F::element::<MAX, CLAMP>(key));
            let index = r * source.per_repeat + index;
            state.set(Spr::MaxMinCnt, u64::from(value) | (u64::from(index) << 32));
        }
    }
}
