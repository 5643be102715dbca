//! The multiplication behind `Mmad`: from fractals to fractals, one tile of C at a time.
//!
//! ```text
//!  for every 256 of k
//!    for every 128 rows of A         widened once: half, bfloat16, HF32, integers → 32 bits (float is read in place)
//!      for every 32 columns of B     a panel [k][column] of 32-bit numbers, transposed out of the Zn fractals
//!        for every 8 rows            c[8][32] += a[8][k] · b[k][32] in registers
//! ```
//! **Order.** Every element of C is one chain: start value, then the products in ascending k, each added with one rounding (fused). Columns
//! and rows are what is done at once, never k, so the result does not depend on the instruction set, on tile sizes, or on how a product is
//! cut into several `Mmad`s along k. Integers wrap.
//!
//! The same code runs with AVX-512, AVX2 + FMA, and plain (`f32::mul_add`); which one is a table of functions ([`Kernels`]).
//!
//! Unsafe room: raw loads and stores on checked footprints, CPU intrinsics behind a run-time check.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

/// Rows and columns of a cell of C, rows of a fractal of A, columns of one of B.
pub(super) const CELL: usize = 16;
/// Bytes of a fractal of A and B.
pub(super) const FRACTAL_BYTES: usize = 512;
/// Depth that is worked on at once: a multiple of every fractal's depth.
const K_BLOCK: usize = 256;
/// Rows of A that are widened at once.
const M_BLOCK: usize = 128;
/// Column groups of a panel.
const GROUPS: usize = 2;

/// What C starts from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// 0.
    Zero,
    /// What is there.
    Keep,
    /// The same row for every row of C.
    Row(*const u32),
}

/// One multiplication.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    /// Depth of a fractal of A and B.
    pub k0: usize,
    /// A in Zz fractals; a plain row if `a_is_row`.
    pub a: *const u8,
    pub a_is_row: bool,
    /// Fractals from one row of fractals of A to the next.
    pub a_row_fractals: usize,
    /// B in Zn fractals.
    pub b: *const u8,
    /// B holds 2 of every 4 elements; this says which. See [`pack_sparse`].
    pub index: Option<*const u8>,
    /// C in Nz cells.
    pub c: *mut u32,
    pub start: Start,
    /// Saturation mode: infinities become the largest number, NaN becomes 0.
    pub clamp: bool,
}

/// One tile: up to the kernel's rows, up to [`GROUPS`] groups of 16 columns.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    a: *const u32,
    /// Elements from one row of A to the next, and from one block of `k0` columns to the next.
    a_row: usize,
    a_step: usize,
    k0: usize,
    k: usize,
    /// `[k][groups * 16]`.
    b: *const u32,
    c: *mut u32,
    /// Elements from one column group of C to the next.
    c_group: usize,
    rows: usize,
    groups: usize,
    start: Start,
    clamp: bool,
}

/// Widens `count` elements of A to 32 bits.
type WidenFn = unsafe fn(*const u8, *mut u32, usize);
/// Transposes and widens one fractal of B; the last argument is the row length of the panel.
type PackFn = unsafe fn(*const u8, *mut u32, usize);
pub(super) type TileFn = unsafe fn(&Tile);

/// The functions of one element type on one machine.
#[derive(Clone, Copy)]
pub(super) struct Kernels {
    /// `None`: A is used where it lies.
    pub widen: Option<WidenFn>,
    pub pack: PackFn,
    pub tile: TileFn,
    /// Rows a tile has at most.
    pub rows: usize,
    /// Bits of an element of A.
    pub a_bits: usize,
}

/// Working memory, on the stack: instructions may not allocate.
struct Scratch {
    a: [MaybeUninit<u32>; M_BLOCK * K_BLOCK],
    b: [MaybeUninit<u32>; K_BLOCK * GROUPS * CELL],
    c: [MaybeUninit<u32>; CELL * CELL],
}

/// Multiplies.
///
/// # Safety
/// A, B and C must be valid for what `job` says they are, C writable and apart from the others; the machine must have what `kernels` use.
pub(super) unsafe fn multiply(job: &Job, kernels: &Kernels) {
    let mut scratch = MaybeUninit::<Scratch>::uninit();
    let scratch = scratch.as_mut_ptr();
    for k_first in (0..job.k).step_by(K_BLOCK) {
        let k = K_BLOCK.min(job.k - k_first);
        for m_first in (0..job.m).step_by(M_BLOCK) {
            let m = M_BLOCK.min(job.m - m_first);
            // SAFETY: rows m_first.. and columns k_first.. are inside A; the block fits the scratch.
            let a = unsafe { block_of_a(job, kernels, scratch, (m_first, m), (k_first, k)) };
            // SAFETY: as above, for the block's part of C and the rows of B.
            unsafe { panels(job, kernels, scratch, a, (m_first, m), (k_first, k)) };
        }
    }
}

/// A block of A as tiles read it.
#[derive(Clone, Copy)]
struct BlockOfA {
    at: *const u32,
    /// Elements from one row of fractals to the next, between rows of one fractal, between fractals.
    fractal_row: usize,
    row: usize,
    step: usize,
}

/// # Safety
/// As [`multiply`].
unsafe fn block_of_a(
    job: &Job,
    kernels: &Kernels,
    scratch: *mut Scratch,
    (m_first, m): (usize, usize),
    (k_first, k): (usize, usize),
) -> BlockOfA {
    let fractals = k.div_ceil(job.k0);
    let bytes = |elements: usize| elements * kernels.a_bits / 8;
    // SAFETY: only the address of a field of the scratch is taken.
    let to: *mut u32 = unsafe { (&raw mut (*scratch).a).cast() };
    if job.a_is_row {
        let from = job.a.wrapping_add(bytes(k_first));
        let Some(widen) = kernels.widen else {
            return BlockOfA { at: from.cast(), fractal_row: 0, row: 0, step: job.k0 };
        };
        // SAFETY: `k` elements from column `k_first` are inside the row; they fit the scratch.
        unsafe { widen(from, to, k) };
        return BlockOfA { at: to, fractal_row: 0, row: 0, step: job.k0 };
    }
    let fractal =
        |row: usize| job.a.wrapping_add((row * job.a_row_fractals + k_first / job.k0) * FRACTAL_BYTES);
    let step = CELL * job.k0;
    let Some(widen) = kernels.widen else {
        let at = fractal(m_first / CELL).cast();
        return BlockOfA { at, fractal_row: job.a_row_fractals * step, row: job.k0, step };
    };
    let fractal_row = fractals * step;
    for row in 0..m.div_ceil(CELL) {
        // SAFETY: the fractals of one row of fractals follow each other; all of them fit the scratch (128 × 256).
        unsafe { widen(fractal(m_first / CELL + row), to.wrapping_add(row * fractal_row), fractal_row) };
    }
    BlockOfA { at: to, fractal_row, row: job.k0, step }
}

/// # Safety
/// As [`multiply`].
unsafe fn panels(
    job: &Job,
    kernels: &Kernels,
    scratch: *mut Scratch,
    a: BlockOfA,
    (m_first, m): (usize, usize),
    (k_first, k): (usize, usize),
) {
    let all_groups = job.n.div_ceil(CELL);
    let c_group = job.m.next_multiple_of(CELL) * CELL;
    // SAFETY: only the address of a field of the scratch is taken.
    let panel: *mut u32 = unsafe { (&raw mut (*scratch).b).cast() };
    let first = k_first == 0;
    let clamp = job.clamp && k_first + k == job.k;
    let mut group = 0;
    while group < all_groups {
        let whole = job.n / CELL - group.min(job.n / CELL);
        // A group of fewer than 16 columns goes alone.
        let groups = whole.clamp(1, GROUPS);
        let columns = (job.n - group * CELL).min(groups * CELL);
        // Rows of the panel that one fractal of B gives.
        let depth = if job.index.is_some() { 2 * job.k0 } else { job.k0 };
        for fractal in 0..k.div_ceil(depth) {
            for g in 0..groups {
                let at = (k_first / depth + fractal) * all_groups + group + g;
                let from = job.b.wrapping_add(at * FRACTAL_BYTES);
                let to = panel.wrapping_add(fractal * depth * groups * CELL + g * CELL);
                match job.index {
                    // SAFETY: the fractal is inside B; the panel holds 256 rows of 32.
                    None => unsafe { (kernels.pack)(from, to, groups * CELL) },
                    Some(index) => {
                        let index = index.wrapping_add(at * FRACTAL_BYTES / 4);
                        // SAFETY: as above; every fractal of B has a quarter of its size of index.
                        unsafe { pack_sparse(from, index, to, groups * CELL) };
                    }
                }
            }
        }
        let start = match job.start {
            _ if !first => Start::Keep,
            Start::Row(row) => Start::Row(row.wrapping_add(group * CELL)),
            other => other,
        };
        let c = job.c.wrapping_add(group * c_group + m_first * CELL);
        let mut tile = Tile {
            a: a.at,
            a_row: a.row,
            a_step: a.step,
            k0: job.k0,
            k,
            b: panel,
            c,
            c_group,
            rows: 0,
            groups,
            start,
            clamp,
        };
        let mut row = 0;
        while row < m {
            // A tile stays inside one row of fractals.
            tile.rows = kernels.rows.min(m - row).min(CELL - row % CELL);
            tile.a = a.at.wrapping_add(row / CELL * a.fractal_row + row % CELL * a.row);
            tile.c = c.wrapping_add(row * CELL);
            if columns == groups * CELL {
                // SAFETY: the tile's rows, columns and depth are inside A, the panel and C.
                unsafe { (kernels.tile)(&tile) };
            } else {
                // SAFETY: as above, for `columns` columns of C.
                unsafe { narrow_tile(&tile, kernels, scratch, columns) };
            }
            row += tile.rows;
        }
        group += groups;
    }
}

/// Spreads a fractal of a 2-out-of-4 matrix to twice its depth: every pair of elements of a column goes to two of four rows, the others
/// are 0.
///
/// A byte of the index has four numbers of 2 bits, low ones first, one for each element. The first of a pair counts from row 0 of the
/// four, the second from row 1; it is never above the first (a lone element in row 2 has a partner that is 0, written to row 2, too).
///
/// # Safety
/// Fractal and index (128 bytes) must be readable, 64 rows of `row` words from `to` writable.
unsafe fn pack_sparse(from: *const u8, index: *const u8, to: *mut u32, row: usize) {
    const DENSE: usize = 32;
    for r in 0..2 * DENSE {
        // SAFETY: by contract, one row of 16 words.
        unsafe { ptr::write_bytes(to.wrapping_add(r * row), 0, CELL) };
    }
    for column in 0..CELL {
        for pair in 0..DENSE / 2 {
            // SAFETY: by contract.
            let byte = unsafe { *index.wrapping_add(column * 8 + pair / 2) };
            let numbers = byte >> (pair % 2 * 4);
            let first = usize::from(numbers & 3);
            let rows = [first, first.max(usize::from(numbers >> 2 & 3) + 1).min(3)];
            for (i, r) in rows.into_iter().enumerate() {
                // SAFETY: by contract.
                let element = unsafe { *from.wrapping_add(column * DENSE + pair * 2 + i) } as i8;
                let word = to.wrapping_add((pair * 4 + r) * row + column);
                // SAFETY: by contract.
                let before = unsafe { *word };
                // SAFETY: by contract.
                unsafe { *word = before.wrapping_add(element as i32 as u32) };
            }
        }
    }
}

/// A tile of fewer than 16 columns: the others of its cell keep their values.
///
/// # Safety
/// As [`multiply`].
#[cold]
unsafe fn narrow_tile(tile: &Tile, kernels: &Kernels, scratch: *mut Scratch, columns: usize) {
    // SAFETY: only the address of a field of the scratch is taken.
    let aside: *mut u32 = unsafe { (&raw mut (*scratch).c).cast() };
    // SAFETY: `aside` holds a cell.
    unsafe { ptr::write_bytes(aside, 0, CELL * CELL) };
    let start = match tile.start {
        Start::Row(row) => {
            for r in 0..tile.rows {
                // SAFETY: the row has the valid columns; `aside` holds a cell.
                unsafe { ptr::copy_nonoverlapping(row, aside.wrapping_add(r * CELL), columns) };
            }
            Start::Keep
        }
        other => other,
    };
    if matches!(tile.start, Start::Keep) {
        for r in 0..tile.rows {
            // SAFETY: row `r` of the tile is inside C.
            unsafe {
                ptr::copy_nonoverlapping(tile.c.wrapping_add(r * CELL), aside.wrapping_add(r * CELL), columns)
            };
        }
    }
    // SAFETY: as the caller's, with C aside.
    unsafe { (kernels.tile)(&Tile { c: aside, start, ..*tile }) };
    for r in 0..tile.rows {
        // SAFETY: row `r` of the tile is inside C.
        unsafe {
            ptr::copy_nonoverlapping(aside.wrapping_add(r * CELL), tile.c.wrapping_add(r * CELL), columns)
        };
    }
}

/// Calls `$f` with the tile's rows and groups as constants.
macro_rules! by_size {
    ($tile:ident, $f:ident, $($rows:literal)*) => {
        match ($tile.rows, $tile.groups) {
            // SAFETY: the caller's contract.
            $(($rows, 1) => unsafe { $f::<$rows, 1>($tile) },
            // SAFETY: the caller's contract.
            ($rows, 2) => unsafe { $f::<$rows, 2>($tile) },)*
            _ => unreachable!("tiles have the kernel's rows and one or two groups"),
        }
    };
}

pub(super) mod plain;
#[cfg(target_arch = "x86_64")]
pub(super) mod x86;
