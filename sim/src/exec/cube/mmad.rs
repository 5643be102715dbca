//! `Mmad`: footprints, and what C starts from.
//!
//! - A is in Zz fractals (16 rows of 32 bytes), B in Zn, C in Nz cells of 16 × 16. With m = 1 A is a plain row.
//! - m, n or k = 0 does nothing. Rows beyond m and columns beyond n of C keep their values.
//! - C starts from 0, from what is in C, from a row in the bias table, or from another place in L0C.
//! - float with HF32: A and B are rounded to 11 fraction bits first.
//! - With `kDirectionAlign` the rows of fractals of a float A are padded to an even number; the padding is not read.
//!
//! Unsafe room: hands checked footprints to the kernels.
#![allow(unsafe_code)]

use super::super::access::{Access, BurstShape, Operand, Shape};
use super::super::decode::{access, check_field, field, in_space, start};
use super::super::load::index_address;
use super::super::table::Entry;
use super::super::{Decoded, Env, ExecFault, PipeState, Regs, Work};
use super::kernel::{self, CELL, FRACTAL_BYTES, Job, Kernels, Start, plain};
use super::{Unit, unit_done};
use std::ptr;
use toprope_abi::core_face::SPACE_SHIFT;
use toprope_abi::isa::{CubeKind, DType, Field, FieldId, Kind, Layout, OpRow, Space, ctrl};

const L: Layout = Layout::Mad;
const M: Field = field(L, FieldId::MSize);
const K: Field = field(L, FieldId::KSize);
const N: Field = field(L, FieldId::NSize);
const C_SOURCE: Field = field(L, FieldId::CSource);
const UNIT: Field = field(L, FieldId::UnitFlag);
const K_ALIGN: Field = field(L, FieldId::KDirectionAlign);
const FROM_BIAS: Field = field(L, FieldId::CFromBias);
const FROM_ZERO: Field = field(L, FieldId::CStartsAtZero);

/// Units of [`FieldId::CSource`].
const BT_BLOCK_BYTES: u64 = 64;
const L0C_BLOCK_BYTES: u64 = 1024;

/// What is kept in `env.words[1]`.
mod mode {
    pub const CLAMP: u64 = 1;
    pub const HF32: u64 = 2;
    pub const HF32_TO_ZERO: u64 = 4;
    pub const ZERO: u64 = 8;
}

/// `Mmad`, `MmadSparse`: C, A, B, configuration.
pub(super) fn decode(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    let intrinsic = row.intrinsic;
    let w = [x[3], 0];
    in_space(row, regs, Operand::Dst, x[0], Space::L0c)?;
    in_space(row, regs, Operand::Src0, x[1], Space::L0a)?;
    in_space(row, regs, Operand::Src1, x[2], Space::L0b)?;
    let unit = Unit::new(UNIT.get(w), false).ok_or(ExecFault::FieldValue {
        intrinsic,
        field: FieldId::UnitFlag,
        asked: UNIT.get(w),
        allowed: "0, 2, 3",
    })?;
    for f in [&M, &N, &K] {
        check_field(row, f, w)?;
    }
    let (m, n, k) = (M.get(w), N.get(w), K.get(w));
    let mut d = start(row, entry, run);
    if m == 0 || n == 0 || k == 0 {
        return Ok(d);
    }
    if row.src == DType::S4 && !k.is_multiple_of(2) {
        return Err(ExecFault::NotMultiple { intrinsic, field: FieldId::KSize, asked: k, of: 2 });
    }
    let sparse = matches!(row.kind, Kind::Cube(CubeKind::MmadSparse));
    if sparse && K_ALIGN.get(w) == 1 {
        return Err(ExecFault::Excluded { intrinsic, what: "kDirectionAlign is not for sparse products" });
    }
    if sparse && !k.is_multiple_of(4) {
        return Err(ExecFault::NotMultiple { intrinsic, field: FieldId::KSize, asked: k, of: 4 });
    }
    let source = c_source(regs, w);
    if source.is_some() || sparse {
        d.more = Some(more);
    }
    let hf32 = row.src == DType::F32 && regs.ctrl_bit(ctrl::HF32);
    let flag = |on: bool, bit: u64| if on { bit } else { 0 };
    let modes = flag(!regs.ctrl_bit(ctrl::INF_NAN), mode::CLAMP)
        | flag(hf32, mode::HF32)
        | flag(regs.ctrl_bit(ctrl::HF32_TO_ZERO), mode::HF32_TO_ZERO)
        | flag(FROM_ZERO.get(w) == 1, mode::ZERO);
    d.env = Env { unit, words: [x[3], modes, source.unwrap_or(0), 0], ..Env::default() };
    if sparse {
        d.env.words[3] = index_address(x[2]);
    }
    push_footprints(&mut d, x, (m, n, k), k_depth(row.src));
    // float goes through 16 of k at a time, in two passes of two fractals; HF32 takes one pass.
    let k_steps =
        if row.src == DType::F32 { k.div_ceil(16) * 2 } else { b_fractals(&d, k, k_depth(row.src)) };
    let steps = m.div_ceil(16) * n.div_ceil(16) * k_steps;
    let passes = if row.src == DType::F32 && !hf32 { 2 } else { 1 };
    d.work = Work { repeats: steps * passes, elements: m * n * k, bytes: m * n * 4, tail: false };
    Ok(d)
}

/// Depth of a fractal: elements in 32 bytes.
fn k_depth(t: DType) -> u64 {
    256 / u64::from(t.bits())
}

/// Where C starts from, if it is neither 0 nor C itself.
fn c_source(regs: &Regs, w: [u64; 2]) -> Option<u64> {
    if FROM_ZERO.get(w) == 1 {
        return None;
    }
    let block = C_SOURCE.get(w);
    let place = |space: Space, bytes: u64| regs.region + ((space as u64) << SPACE_SHIFT) + bytes;
    match (FROM_BIAS.get(w), block) {
        (1, block) => Some(place(Space::Bt, block * BT_BLOCK_BYTES)),
        (_, 0) => None,
        (_, block) => Some(place(Space::L0c, (block - 1) * L0C_BLOCK_BYTES)),
    }
}

fn push_footprints(d: &mut Decoded, x: &[u64; 4], (m, n, k): (u64, u64, u64), k0: u64) {
    let shape = |count: u64, len_bytes: u64, step_bytes: u64| {
        Shape::Bursts(BurstShape { count: count as u32, len_bytes: len_bytes as u32, step_bytes })
    };
    let (k_fractals, n_groups) = (k.div_ceil(k0), n.div_ceil(16));
    d.push(access(Operand::Dst, x[0], Space::L0c, true, 1024, c_shape(m, n)));
    let a = if is_row(d, m) {
        let bytes = (k * u64::from(d.row.src.bits())).div_ceil(8);
        shape(1, bytes, bytes)
    } else {
        let step = a_row_fractals(d, k_fractals) * FRACTAL_BYTES as u64;
        shape(m.div_ceil(16), k_fractals * FRACTAL_BYTES as u64, step)
    };
    d.push(access(Operand::Src0, x[1], Space::L0a, false, 512, a));
    let b = b_fractals(d, k, k0) * n_groups * FRACTAL_BYTES as u64;
    d.push(access(Operand::Src1, x[2], Space::L0b, false, 512, shape(1, b, b)));
}

/// Whether A is a plain row: a product of one row, unless it is sparse.
fn is_row(d: &Decoded, m: u64) -> bool {
    m == 1 && d.env.words[3] == 0
}

/// Fractals of B along k; a sparse B has half of them.
fn b_fractals(d: &Decoded, k: u64, k0: u64) -> u64 {
    if d.env.words[3] != 0 { k.div_ceil(2 * k0) } else { k.div_ceil(k0) }
}

/// Bytes of C: m rows of every column group.
fn c_shape(m: u64, n: u64) -> Shape {
    Shape::Bursts(BurstShape {
        count: n.div_ceil(16) as u32,
        len_bytes: (m * 64) as u32,
        step_bytes: m.next_multiple_of(16) * 64,
    })
}

fn a_row_fractals(d: &Decoded, k_fractals: u64) -> u64 {
    let aligned = d.row.src == DType::F32 && K_ALIGN.get([d.env.words[0], 0]) == 1;
    if aligned { k_fractals.next_multiple_of(2) } else { k_fractals }
}

/// The place C starts from, and a look at the index of a sparse B.
///
/// # Safety
/// B must be readable (so is its index).
unsafe fn more(d: &Decoded, _: &PipeState, f: &mut dyn FnMut(Access)) -> Result<(), ExecFault> {
    let w = [d.env.words[0], 0];
    let (m, n, from) = (M.get(w), N.get(w), d.env.words[2]);
    if d.env.words[3] != 0 {
        // SAFETY: by contract.
        unsafe { check_index(d, K.get(w), n)? };
    }
    if from == 0 {
        return Ok(());
    }
    if FROM_BIAS.get(w) == 1 {
        let row = BurstShape { count: 1, len_bytes: (n * 4) as u32, step_bytes: n * 4 };
        f(access(Operand::Parameters, from, Space::Bt, false, 64, Shape::Bursts(row)));
    } else {
        f(access(Operand::Parameters, from, Space::L0c, false, 1024, c_shape(m, n)));
    }
    Ok(())
}

/// An element of a sparse B is in one of three rows: 3 is no number of an index.
///
/// # Safety
/// The index of B must be readable.
unsafe fn check_index(d: &Decoded, k: u64, n: u64) -> Result<(), ExecFault> {
    let bytes = b_fractals(d, k, k_depth(d.row.src)) * n.div_ceil(16) * FRACTAL_BYTES as u64 / 4;
    for i in 0..bytes {
        // SAFETY: by contract.
        let byte = unsafe { *pointer(d.env.words[3] + i) };
        if byte & (byte >> 1) & 0x55 != 0 {
            return Err(ExecFault::SparseIndex { intrinsic: d.row.intrinsic, at: i, byte });
        }
    }
    Ok(())
}

/// Kernels of an element type; `fast`: the best of this machine.
pub(super) fn kernels(t: DType, hf32: Option<bool>, fast: bool) -> Kernels {
    use plain::{Brain, Byte, Half, Hf32, Nibble, Single};
    let mut kernels = match (t, hf32) {
        (DType::F16, _) => plain_kernels::<Half>(plain::tile_float),
        (DType::Bf16, _) => plain_kernels::<Brain>(plain::tile_float),
        (DType::F32, None) => Kernels { widen: None, ..plain_kernels::<Single>(plain::tile_float) },
        (DType::F32, Some(false)) => plain_kernels::<Hf32<false>>(plain::tile_float),
        (DType::F32, Some(true)) => plain_kernels::<Hf32<true>>(plain::tile_float),
        (DType::S8, _) => plain_kernels::<Byte>(plain::tile_integer),
        _ => plain_kernels::<Nibble>(plain::tile_integer),
    };
    #[cfg(target_arch = "x86_64")]
    if let (true, Some(isa)) = (fast, kernel::x86::best()) {
        on_x86(&mut kernels, t, hf32, isa);
    }
    let _ = fast;
    kernels
}

fn plain_kernels<E: plain::Element>(tile: kernel::TileFn) -> Kernels {
    Kernels {
        widen: Some(plain::widen::<E>),
        pack: plain::pack::<E>,
        tile,
        rows: plain::ROWS,
        a_bits: E::BITS,
    }
}

/// Replaces plain functions by those of `isa`.
#[cfg(target_arch = "x86_64")]
pub(super) fn on_x86(kernels: &mut Kernels, t: DType, hf32: Option<bool>, isa: kernel::x86::Isa) {
    use kernel::x86::{self, Isa};
    use plain::{Brain, Half, Hf32, Single};
    match (t, hf32) {
        (DType::F16, _) => load_on_x86::<Half>(kernels),
        (DType::Bf16, _) => load_on_x86::<Brain>(kernels),
        (DType::F32, None) => kernels.pack = x86::pack::<Single>,
        (DType::F32, Some(false)) => load_on_x86::<Hf32<false>>(kernels),
        (DType::F32, Some(true)) => load_on_x86::<Hf32<true>>(kernels),
        _ => {}
    }
    let (tile, rows): (kernel::TileFn, usize) = match (t, isa) {
        (DType::F32, Isa::Avx512) => (x86::tile512_8, x86::ROWS_512),
        (DType::F32, Isa::Avx2) => (x86::tile256_8, x86::ROWS_256),
        (DType::F16 | DType::Bf16, Isa::Avx512) => (x86::tile512_16, x86::ROWS_512),
        (DType::F16 | DType::Bf16, Isa::Avx2) => (x86::tile256_16, x86::ROWS_256),
        (_, Isa::Avx512) => (x86::tile_integer512, plain::ROWS),
        (_, Isa::Avx2) => (x86::tile_integer256, plain::ROWS),
    };
    (kernels.tile, kernels.rows) = (tile, rows);
}

#[cfg(target_arch = "x86_64")]
fn load_on_x86<E: kernel::x86::Load8>(kernels: &mut Kernels) {
    kernels.widen = Some(kernel::x86::widen::<E>);
    kernels.pack = kernel::x86::pack::<E>;
}

/// Computes a product.
///
/// # Safety
/// As [`super::super::execute`].
unsafe fn run(d: &Decoded, state: &mut PipeState) {
    let hf32 = d.env.words[1] & mode::HF32 != 0;
    let hf32 = hf32.then_some(d.env.words[1] & mode::HF32_TO_ZERO != 0);
    let job = job(d);
    if d.env.words[2] != 0 && !matches!(job.start, Start::Row(_)) {
        // SAFETY: both places were checked for m rows of every column group.
        unsafe { copy_c(d, &job) };
    }
    // SAFETY: the footprints of A, B and C were checked; `kernels` chooses what this machine has.
    unsafe { kernel::multiply(&job, &kernels(d.row.src, hf32, true)) };
    unit_done(d, state);
}

fn pointer(address: u64) -> *mut u8 {
    ptr::with_exposed_provenance_mut(address as usize)
}

fn job(d: &Decoded) -> Job {
    let w = [d.env.words[0], 0];
    let (m, n, k) = (M.get(w), N.get(w), K.get(w));
    let k0 = k_depth(d.row.src);
    let start = match d.env.words[2] {
        _ if d.env.words[1] & mode::ZERO != 0 => Start::Zero,
        bias if FROM_BIAS.get(w) == 1 => Start::Row(pointer(bias).cast()),
        _ => Start::Keep,
    };
    Job {
        m: m as usize,
        n: n as usize,
        k: k as usize,
        k0: k0 as usize,
        a: pointer(d.accesses[1].addr),
        a_is_row: is_row(d, m),
        a_row_fractals: a_row_fractals(d, k.div_ceil(k0)) as usize,
        b: pointer(d.accesses[2].addr),
        index: (d.env.words[3] != 0).then(|| pointer(d.env.words[3]).cast_const()),
        c: pointer(d.accesses[0].addr).cast(),
        start,
        clamp: d.env.words[1] & mode::CLAMP != 0 && d.row.dst == DType::F32,
    }
}

/// What C starts from, by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductStart {
    /// 0.
    Zero,
    /// What is there.
    Keep,
    /// The same row for every row of C.
    Row(u64),
    /// Another C of the same layout.
    Place(u64),
}

/// Geometry of a product: where each row of A, column of B and element of C lies.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// Rows and columns of C.
    pub m: u64,
    /// See `m`.
    pub n: u64,
    /// Bytes of a row of A that count.
    pub k_bytes: u64,
    a: u64,
    b: u64,
    c: u64,
    a_is_row: bool,
    a_row_fractals: u64,
    /// What C starts from.
    pub start: ProductStart,
}

impl Product {
    /// Pieces of 32 bytes of k, the last one cut only in what counts.
    pub fn k_pieces(&self) -> u64 {
        self.k_bytes.div_ceil(32)
    }

    /// Piece `p` of row `i` of A: address, bytes that count, bytes there are.
    pub fn a_piece(&self, i: u64, p: u64) -> (u64, u64, u64) {
        let used = (self.k_bytes - p * 32).min(32);
        if self.a_is_row {
            return (self.a + p * 32, used, used);
        }
        let fractal = i / CELL as u64 * self.a_row_fractals + p;
        (self.a + fractal * FRACTAL_BYTES as u64 + i % CELL as u64 * 32, used, 32)
    }

    /// The same for column `j` of B.
    pub fn b_piece(&self, j: u64, p: u64) -> (u64, u64, u64) {
        let fractal = p * self.n.div_ceil(CELL as u64) + j / CELL as u64;
        (self.b + fractal * FRACTAL_BYTES as u64 + j % CELL as u64 * 32, (self.k_bytes - p * 32).min(32), 32)
    }

    /// Address of element (`i`, 16 · `group`) of C, or of another C that starts at `from`.
    pub fn c_cell(&self, from: Option<u64>, i: u64, group: u64) -> u64 {
        from.unwrap_or(self.c) + group * self.m.next_multiple_of(CELL as u64) * 64 + i * 64
    }
}

/// Whether C starts from what is in it.
pub(in crate::exec) fn starts_from_itself(d: &Decoded) -> bool {
    d.env.words[1] & mode::ZERO == 0 && d.env.words[2] == 0
}

/// The geometry of a product that is not sparse.
pub(in crate::exec) fn product(d: &Decoded) -> Product {
    let w = [d.env.words[0], 0];
    let (m, n, k) = (M.get(w), N.get(w), K.get(w));
    let start = match d.env.words[2] {
        _ if d.env.words[1] & mode::ZERO != 0 => ProductStart::Zero,
        bias if FROM_BIAS.get(w) == 1 => ProductStart::Row(bias),
        0 => ProductStart::Keep,
        place => ProductStart::Place(place),
    };
    Product {
        m,
        n,
        k_bytes: (k * u64::from(d.row.src.bits())).div_ceil(8),
        a: d.accesses[1].addr,
        b: d.accesses[2].addr,
        c: d.accesses[0].addr,
        a_is_row: is_row(d, m),
        a_row_fractals: a_row_fractals(d, k.div_ceil(k_depth(d.row.src))),
        start,
    }
}

/// Brings what C starts from to C.
///
/// # Safety
/// As [`super::super::execute`].
unsafe fn copy_c(d: &Decoded, job: &Job) {
    let from = pointer(d.env.words[2]).cast::<u32>();
    let group = job.m.next_multiple_of(CELL) * CELL;
    for g in 0..job.n.div_ceil(CELL) {
        let columns = CELL.min(job.n - g * CELL);
        for r in 0..job.m {
            let at = g * group + r * CELL;
            // SAFETY: row `r` of group `g` of both places.
            unsafe { ptr::copy(from.wrapping_add(at), job.c.wrapping_add(at), columns) };
        }
    }
}
