//! The cost model: how long the device takes for a cut, in cycles of the core clock.
//!
//! ```text
//! GM ─MTE2─▶ L1 ─MTE1─▶ L0A, L0B ─M─▶ L0C ─FIX─▶ GM
//! ```
//!
//! A core's part is computed in tiles of C. Along the first direction the tiles advance one by one; what is loaded for the
//! other direction stays in L1 if its whole depth fits there, and is loaded again for every tile if not. Two buffers let two
//! neighbouring pipes overlap, one buffer makes them take turns. To that come the first loads and the last store, which
//! nothing overlaps. All cores together move no more than the chip's GM rate allows, in requests of whole granules; a row of
//! an ND matrix is a request of its own.
//!
//! Rates are those of the chip files, which are those of the simulator's clock: per call and per byte for copies, per step for
//! multiplications. Not modelled: hits in L2, cores that meet in one granule, bank conflicts, scalar work.

use crate::plan::{Blocks, CoreGrid, ceil_div, tiles};
use crate::problem::{Matrix, Problem, Sizes};

/// Cycles of the slowest core by pipe, and of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Estimate {
    /// GM to L1.
    pub mte2: f64,
    /// L1 to L0A and L0B.
    pub mte1: f64,
    /// Multiplications.
    pub cube: f64,
    /// L0C to GM.
    pub fixpipe: f64,
    /// First loads and last store.
    pub ramp: f64,
    /// GM traffic of all cores at the chip's rate.
    pub shared: f64,
    /// All in all.
    pub total: f64,
}

/// How often A and B are read from GM for a core's part, and how many loads a reading takes.
#[derive(Debug, Clone, Copy)]
struct Readings {
    passes: [f64; 2],
    calls: [f64; 2],
}

fn readings(count: &Sizes, blocks: &Blocks) -> Readings {
    // For each matrix: tiles along its own axis and along the other one; is the other axis the inner loop?
    let side = |own: i32, step: [i32; 2], other: i32, other_step: i32, other_inner: bool| {
        let groups = ceil_div(own, step[0]);
        let resident = step[1] >= count[2];
        let passes = if !resident {
            other
        } else if groups == 1 || other_inner {
            1
        } else {
            ceil_div(other, other_step)
        };
        let calls = f64::from(groups) * f64::from(ceil_div(count[2], step[1]));
        (f64::from(passes), f64::from(passes) * calls)
    };
    let (a_passes, a_calls) = side(count[0], blocks.step_a, count[1], blocks.step_b[0], blocks.n_first);
    let (b_passes, b_calls) = side(count[1], blocks.step_b, count[0], blocks.step_a[0], !blocks.n_first);
    Readings { passes: [a_passes, b_passes], calls: [a_calls, b_calls] }
}

/// Bytes of GM requests for bytes of a matrix that is read in rows of `row` elements.
fn request_factor(problem: &Problem, matrix: &Matrix, row: i32, whole_row: i32) -> f64 {
    if !matrix.row_wise || row >= whole_row {
        return 1.0;
    }
    let bytes = matrix.bytes(i64::from(row)).max(1);
    let granule = i64::from(problem.chip.granule_bytes.max(1));
    ((bytes + granule - 1) / granule * granule) as f64 / bytes as f64
}

/// Cycles on M, MTE1 and FIX: they do not depend on what L1 holds.
pub(crate) struct Inner {
    mte1: f64,
    cube: f64,
    fixpipe: f64,
    all: f64,
    ramp: f64,
}

pub(crate) fn inner(problem: &Problem, grid: &CoreGrid, base: &Sizes, l0_buffers: [i32; 3]) -> Inner {
    let chip = &problem.chip;
    let [m, n, k] = grid.single.map(|s| f64::from(ceil_div(s, 16)) * 16.0);
    let count = tiles(grid, base).map(f64::from);
    let products = count[0] * count[1] * count[2];
    let (a_byte, b_byte) = (f64::from(problem.a.bits) / 8.0, f64::from(problem.b.bits) / 8.0);
    let mte1 = chip.l1_to_l0a.cycles(products, m * k * count[1] * a_byte)
        + chip.l1_to_l0b.cycles(products, n * k * count[0] * b_byte);
    let steps = f64::from(ceil_div(grid.single[0], 16))
        * f64::from(ceil_div(grid.single[1], 16))
        * f64::from(ceil_div(grid.single[2], problem.depth_step));
    let cube = products * chip.mmad_fixed_cycles + steps * f64::from(problem.passes) * chip.mmad_step_cycles;
    let c_bytes = f64::from(grid.single[0]) * f64::from(grid.single[1]) * f64::from(problem.c_bytes);
    let fixpipe = chip.l0c_to_gm.cycles(count[0] * count[1], c_bytes);
    let both = l0_buffers[0] == 2 && l0_buffers[1] == 2;
    let l0 = if both { mte1.max(cube) } else { mte1 + cube };
    let all = if l0_buffers[2] == 2 { l0.max(fixpipe) } else { l0 + fixpipe };
    let first = if both { mte1 / products } else { 0.0 };
    let last = if l0_buffers[2] == 2 { fixpipe / (count[0] * count[1]) } else { 0.0 };
    Inner { mte1, cube, fixpipe, all, ramp: first + last }
}

/// No cut with these tiles takes less: everything overlaps, everything is read once.
pub(crate) fn lower_bound(problem: &Problem, grid: &CoreGrid, inner: &Inner) -> f64 {
    let [m, n, k] = grid.single.map(f64::from);
    let bytes = |matrix: &Matrix, elements: f64| {
        if matrix.in_l1 { 0.0 } else { elements * f64::from(matrix.bits) / 8.0 }
    };
    let read = bytes(&problem.a, m * k) + bytes(&problem.b, n * k);
    let mte2 = problem.chip.gm_to_l1.cycles(0.0, read);
    let [pm, pn, pk] = grid.parts.map(f64::from);
    let [all_m, all_n, all_k] = problem.shape.map(f64::from);
    let moved = bytes(&problem.a, all_m * all_k) * pn
        + bytes(&problem.b, all_n * all_k) * pm
        + all_m * all_n * f64::from(problem.c_bytes) * pk;
    let waves = grid.waves() as f64;
    (inner.all.max(mte2) * waves).max(moved / problem.chip.hbm_bytes_per_cycle())
}

/// No cut of this grid into these tiles takes less, whatever L1 holds.
pub fn least(problem: &Problem, grid: &CoreGrid, base: &Sizes, l0_buffers: [i32; 3]) -> f64 {
    lower_bound(problem, grid, &inner(problem, grid, base, l0_buffers))
}

/// No cut with this grid takes less, whatever its tiles.
pub(crate) fn grid_bound(problem: &Problem, grid: &CoreGrid) -> f64 {
    let steps = f64::from(ceil_div(grid.single[0], 16))
        * f64::from(ceil_div(grid.single[1], 16))
        * f64::from(ceil_div(grid.single[2], problem.depth_step));
    let cube = steps * f64::from(problem.passes) * problem.chip.mmad_step_cycles;
    let c_bytes = f64::from(grid.single[0]) * f64::from(grid.single[1]) * f64::from(problem.c_bytes);
    let all = cube.max(problem.chip.l0c_to_gm.cycles(1.0, c_bytes));
    lower_bound(problem, grid, &Inner { mte1: 0.0, cube, fixpipe: 0.0, all, ramp: 0.0 })
}

/// The time of a cut.
pub fn estimate(problem: &Problem, grid: &CoreGrid, blocks: &Blocks) -> Estimate {
    estimate_with(problem, grid, blocks, &inner(problem, grid, &blocks.base, blocks.l0_buffers))
}

pub(crate) fn estimate_with(problem: &Problem, grid: &CoreGrid, blocks: &Blocks, inner: &Inner) -> Estimate {
    let chip = &problem.chip;
    let count = tiles(grid, &blocks.base);
    let read = readings(&count, blocks);
    let [m, n, k] = grid.single.map(f64::from);
    // Per matrix: cycles on MTE2, cycles of the first load.
    let side = |which: usize, matrix: &Matrix, elements: f64| {
        if matrix.in_l1 {
            return (0.0, 0.0);
        }
        let one = elements * f64::from(matrix.bits) / 8.0;
        let cycles = chip.gm_to_l1.cycles(read.calls[which], one * read.passes[which]);
        (cycles, cycles / read.calls[which])
    };
    let (a, a_first) = side(0, &problem.a, m * k);
    let (b, b_first) = side(1, &problem.b, n * k);
    let c_tiles = f64::from(count[0]) * f64::from(count[1]);
    let column_bytes = f64::from(problem.bias_bytes + problem.quant_bytes);
    let columns = if column_bytes > 0.0 {
        chip.gm_to_l1.cycles(c_tiles, column_bytes * n * f64::from(count[0]))
    } else {
        0.0
    };
    // What has one buffer is loaded while the cube waits.
    let (mut beside, mut before) = (columns, 0.0);
    let mut ramp = inner.ramp;
    for (cycles, first, buffers) in [(a, a_first, blocks.l1_buffers[0]), (b, b_first, blocks.l1_buffers[1])] {
        if buffers == 2 {
            beside += cycles;
            ramp += first;
        } else {
            before += cycles;
        }
    }
    let core = inner.all.max(beside) + before + ramp;
    let shared = shared_bytes(problem, grid, blocks, &read) / chip.hbm_bytes_per_cycle();
    let waves = grid.waves() as f64;
    Estimate {
        mte2: a + b + columns,
        mte1: inner.mte1,
        cube: inner.cube,
        fixpipe: inner.fixpipe,
        ramp,
        shared,
        total: (core * waves).max(shared + ramp),
    }
}

/// Bytes of GM requests of all cores.
fn shared_bytes(problem: &Problem, grid: &CoreGrid, blocks: &Blocks, read: &Readings) -> f64 {
    let [m, n, k] = problem.shape;
    let [pm, pn, pk] = grid.parts.map(f64::from);
    let whole = |matrix: &Matrix, one: i32, other: i32| {
        if matrix.in_l1 { 0.0 } else { f64::from(one) * f64::from(other) * f64::from(matrix.bits) / 8.0 }
    };
    let [base_m, base_n, base_k] = blocks.base;
    let a_row = if problem.a.transposed {
        (base_m.saturating_mul(blocks.step_a[0]).min(grid.single[0]), m)
    } else {
        (base_k.saturating_mul(blocks.step_a[1]).min(grid.single[2]), k)
    };
    let b_row = if problem.b.transposed {
        (base_k.saturating_mul(blocks.step_b[1]).min(grid.single[2]), k)
    } else {
        (base_n.saturating_mul(blocks.step_b[0]).min(grid.single[1]), n)
    };
    whole(&problem.a, m, k) * pn * read.passes[0] * request_factor(problem, &problem.a, a_row.0, a_row.1)
        + whole(&problem.b, k, n)
            * pm
            * read.passes[1]
            * request_factor(problem, &problem.b, b_row.0, b_row.1)
        + f64::from(m) * f64::from(n) * f64::from(problem.c_bytes) * pk
}
